//! Resolved effects: only the values of an event are still missing.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::schema::FieldType;
use crate::shell_text::ShellTemplate;
use crate::verdict::{Decision, OnFail, OutputKind, RunOptions};
use hookrules_shell::Edit;

use super::{LazyRegex, Literal, Template, ValueReference};

/// What a rule does when it matches.
#[derive(Clone, Debug)]
pub enum Effect {
    /// `deny`, `ask`, `allow`, `halt`
    Vote {
        /// The vote.
        decision: Decision,
        /// The message.
        message: Template,
        /// `{ interrupt: true }`
        interrupt: bool,
    },
    /// `exit N`
    Exit {
        /// N.
        code: i32,
        /// The text for stderr.
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
        /// The body; may be empty.
        body: Template,
    },
    /// `run`
    Run(Box<RunSpec>),
    /// `record`
    Record(RecordSpec),
}

impl Effect {
    /// Returns the vote of the effect itself: `exit 2` is a denial if the event can be denied.
    #[must_use]
    pub fn decision(&self) -> Option<Decision> {
        match self {
            Self::Vote { decision, .. } => Some(*decision),
            Self::Exit { code: 2, .. } => Some(Decision::Deny),
            _ => None,
        }
    }
}

/// A change of the tool's input or output.
#[derive(Clone, Debug)]
pub enum Rewrite {
    /// `rewrite FIELD = V`
    Set(RewriteTarget, RewriteValue),
    /// `rewrite FIELD replace /re/ with "T"`
    Replace(RewriteTarget, LazyRegex, Template),
    /// `rewrite runs "P" to "Q"`
    Runs(Box<Edit>),
}

/// What a rewrite changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RewriteTarget {
    /// A member of `tool_input`, by its path.
    Input(Vec<String>),
    /// The shell tool's command.
    Command,
    /// The file tool's path.
    Path,
    /// Each of the texts that are written.
    Content,
    /// The web tool's URL.
    Url,
    /// `tool_response`: every text of the tool's output.
    Output,
}

impl Rewrite {
    /// Whether it changes the tool's output rather than its input.
    #[must_use]
    pub fn is_of_output(&self) -> bool {
        matches!(self, Self::Replace(RewriteTarget::Output, ..))
    }
}

/// The new value.
#[derive(Clone, Debug)]
pub enum RewriteValue {
    /// A text.
    Text(Template),
    /// A number or boolean.
    Literal(Literal),
    /// The value of a field, unchanged.
    Source(ValueReference),
    /// A list.
    List(Vec<RewriteValue>),
    /// `null`: removes the member.
    Remove,
}

impl RewriteValue {
    /// Whether a member of this type can take the value. A value that is only known once there is an event always fits.
    #[must_use]
    pub fn is_of_type(&self, ty: FieldType) -> bool {
        match (self, ty) {
            (Self::Remove, _) | (_, FieldType::Any) => true,
            (Self::List(items), FieldType::List(inner)) => items.iter().all(|item| item.is_of_type(*inner)),
            (Self::Text(_) | Self::Literal(Literal::Text(_)), ty) => is_text(ty),
            (Self::Literal(Literal::Number(_)), ty) => ty == FieldType::Number,
            (Self::Literal(Literal::Boolean(_)), ty) => ty == FieldType::Boolean,
            (Self::Source(ValueReference::Raw { ty: FieldType::Number | FieldType::Boolean, .. }), ty)
                if is_text(ty) =>
            {
                false
            }
            (Self::Source(ValueReference::Raw { ty: from, .. }), FieldType::Number | FieldType::Boolean) => {
                *from == ty || *from == FieldType::Any
            }
            (Self::Source(ValueReference::Derived(_) | ValueReference::Constant(_)), ty) => is_text(ty),
            (Self::Source(_), _) => true,
            (Self::List(_), _) => false,
        }
    }
}

fn is_text(ty: FieldType) -> bool {
    matches!(ty, FieldType::String | FieldType::Path | FieldType::Enum(_))
}

/// A `run` with its options.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// The command to start.
    pub command: RunCommand,
    /// The command as written.
    pub shown: String,
    /// `timeout`; the event's default if `None`.
    pub timeout: Option<Duration>,
    /// `message`
    pub message: Option<Template>,
    /// `cwd`
    pub cwd: Option<Template>,
    /// `env`
    pub env: BTreeMap<String, Template>,
    /// The remaining options.
    pub options: RunOptions,
}

impl RunSpec {
    /// Whether it can vote against the call (if the event can be denied at all).
    #[must_use]
    pub fn can_block(&self) -> bool {
        self.options.can_block()
    }

    /// Whether it is explicitly a gate: `on_fail: deny` or `output: hook` (law 4).
    #[must_use]
    pub fn is_gate(&self) -> bool {
        self.options.on_fail == Some(OnFail::Deny) || self.options.output == OutputKind::Hook
    }
}

/// The command of a `run`.
#[derive(Clone, Debug)]
pub enum RunCommand {
    /// A script, with the sources in the order of its placeholders.
    Shell(ShellTemplate, Vec<ValueReference>),
    /// A program and its arguments.
    Argv(Vec<ArgvWord>),
}

/// An element of an argv.
#[derive(Clone, Debug)]
pub enum ArgvWord {
    /// One word.
    Text(Template),
    /// A lone placeholder: one word per value, and no word without a value.
    Values(ValueReference),
}

/// A `record`.
#[derive(Clone, Debug)]
pub struct RecordSpec {
    /// The file; its values become single path components.
    pub file: Template,
    /// The keys with their values, in source order.
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
    /// The value of a field, unchanged; `null` if it is absent.
    Source(ValueReference),
}
