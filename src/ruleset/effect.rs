//! Effects, resolved: only the values of an event are still missing.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::schema::Type;
use crate::shell_text::ShellTemplate;
use crate::verdict::{Decision, OnFail, OutputKind, RunOptions};
use hookrules_shell::Edit;

use super::{LazyRegex, Literal, Source, Template};

/// What a rule does when it matches.
#[derive(Clone, Debug)]
pub enum Effect {
    /// `deny`, `ask`, `allow`, `halt`
    Vote {
        /// The vote.
        decision: Decision,
        /// Why.
        message: Template,
        /// `{ interrupt: true }`
        interrupt: bool,
    },
    /// `exit N`
    Exit {
        /// N.
        code: i32,
        /// For stderr.
        message: Template,
    },
    /// `context`
    Context(Template),
    /// `warn`
    Warn(Template),
    /// `rewrite`
    Rewrite(Rewrite),
    /// `notify`
    Notify {
        /// The title.
        title: Template,
        /// The body, maybe empty.
        body: Template,
    },
    /// `run`
    Run(Box<RunSpec>),
    /// `record`
    Record(RecordSpec),
}

impl Effect {
    /// Returns what it votes for by itself: `exit 2` is a denial where the event can be denied.
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        match self {
            Self::Vote { decision, .. } => Some(*decision),
            Self::Exit { code: 2, .. } => Some(Decision::Deny),
            _ => None,
        }
    }
}

/// A change of the tool's input, or of its output.
#[derive(Clone, Debug)]
pub enum Rewrite {
    /// `rewrite FIELD = V`
    Set(Target, RewriteValue),
    /// `rewrite FIELD replace /re/ with "T"`
    Replace(Target, LazyRegex, Template),
    /// `rewrite runs "P" to "Q"`
    Runs(Box<Edit>),
}

/// What a rewrite changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A member of `tool_input`, by its path.
    Input(Vec<String>),
    /// The shell tool's command.
    Command,
    /// The file tool's path.
    Path,
    /// The text being written, each of them.
    Content,
    /// The web tool's URL.
    Url,
    /// `tool_response`: every text of what the tool put out.
    Output,
}

impl Rewrite {
    /// Tells whether it changes what the tool put out, not what it is to do.
    #[must_use]
    pub fn is_of_output(&self) -> bool {
        matches!(self, Self::Replace(Target::Output, ..))
    }
}

/// The new value.
#[derive(Clone, Debug)]
pub enum RewriteValue {
    /// A text.
    Text(Template),
    /// A number or boolean.
    Literal(Literal),
    /// A field's value, as it is.
    Source(Source),
    /// A list.
    List(Vec<RewriteValue>),
    /// `null`: the member is removed.
    Remove,
}

impl RewriteValue {
    /// Tells whether a member of this type can take the value. What is only known when the event is there can.
    #[must_use]
    pub fn fits(&self, ty: Type) -> bool {
        match (self, ty) {
            (Self::Remove, _) | (_, Type::Any) => true,
            (Self::List(items), Type::List(inner)) => items.iter().all(|item| item.fits(*inner)),
            (Self::Text(_) | Self::Literal(Literal::Text(_)), ty) => is_text(ty),
            (Self::Literal(Literal::Number(_)), ty) => ty == Type::Number,
            (Self::Literal(Literal::Boolean(_)), ty) => ty == Type::Boolean,
            (Self::Source(Source::Raw { ty: Type::Number | Type::Boolean, .. }), ty) if is_text(ty) => false,
            (Self::Source(Source::Raw { ty: from, .. }), Type::Number | Type::Boolean) => {
                *from == ty || *from == Type::Any
            }
            (Self::Source(Source::Derived(_) | Source::Constant(_)), ty) => is_text(ty),
            (Self::Source(_), _) => true,
            (Self::List(_), _) => false,
        }
    }
}

fn is_text(ty: Type) -> bool {
    matches!(ty, Type::String | Type::Path | Type::Enum(_))
}

/// A `run` with its options.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// What is started.
    pub command: RunCommand,
    /// As written.
    pub shown: String,
    /// `timeout`; without one the event says.
    pub timeout: Option<Duration>,
    /// `message`
    pub message: Option<Template>,
    /// `cwd`
    pub cwd: Option<Template>,
    /// `env`
    pub env: BTreeMap<String, Template>,
    /// The others.
    pub options: RunOptions,
}

impl RunSpec {
    /// Tells whether it can vote against what the event announces (where that can be denied at all).
    #[must_use]
    pub fn can_block(&self) -> bool {
        self.options.can_block()
    }

    /// Tells whether it was written to block: `on_fail: deny` or `output: hook` (law 4).
    #[must_use]
    pub fn is_gate(&self) -> bool {
        self.options.on_fail == Some(OnFail::Deny) || self.options.output == OutputKind::Hook
    }
}

/// What a `run` starts.
#[derive(Clone, Debug)]
pub enum RunCommand {
    /// A script; the sources stand in the order of its placeholders.
    Shell(ShellTemplate, Vec<Source>),
    /// A program and its arguments.
    Argv(Vec<ArgvWord>),
}

/// An element of an argv.
#[derive(Clone, Debug)]
pub enum ArgvWord {
    /// One word.
    Text(Template),
    /// Only a placeholder: one word a value, none without a value.
    Values(Source),
}

/// A `record`.
#[derive(Clone, Debug)]
pub struct RecordSpec {
    /// The file; its values become single path components.
    pub file: Template,
    /// Keys and what stands under them, in source order.
    pub fields: Vec<(String, RecordValue)>,
}

/// A value of a record.
#[derive(Clone, Debug)]
pub enum RecordValue {
    /// A text.
    Text(Template),
    /// A number or boolean.
    Literal(Literal),
    /// `null`.
    Null,
    /// A field, as it is; absent it is `null`.
    Source(Source),
}
