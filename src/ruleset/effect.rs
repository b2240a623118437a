//! Compiled effects: complete except for the values of an event.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::schema::FieldType;
use crate::shell_text::ShellTemplate;
use crate::verdict::{Decision, OnFail, OutputKind, RunOptions};
use hookrules_shell::Edit;

use super::{LazyRegex, Literal, MarkSpec, Template, ValueReference};

/// One effect of a rule that matches.
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
        /// The exit code N.
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
    /// The effect of a mark: its event is remembered.
    Mark(MarkSpec),
}

impl Effect {
    /// Returns the decision that the effect votes for; `None` if it is not a vote. `exit 2` is a vote to deny here,
    /// but on an event that cannot be denied it is only an exit code.
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

/// The text or value that a rewrite changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RewriteTarget {
    /// A member of `tool_input`, by the names from the top level down.
    Input(Vec<String>),
    /// The command of the shell tool.
    Command,
    /// The path of the file tool.
    Path,
    /// Each text that the tool writes to a file.
    Content,
    /// The URL of the web tool.
    Url,
    /// `tool_response`: every text in the tool's output.
    Output,
}

impl Rewrite {
    /// Whether the rewrite changes the tool's output rather than its input.
    #[must_use]
    pub fn is_of_output(&self) -> bool {
        matches!(self, Self::Replace(RewriteTarget::Output, ..))
    }
}

/// The new value of a rewritten member.
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
    /// Whether a member of this type can take the value.
    ///
    /// A value that depends on the event can be taken, unless its type excludes that: a text cannot take a number, and
    /// a number cannot take a path.
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

/// Whether values of this type are texts.
fn is_text(ty: FieldType) -> bool {
    matches!(ty, FieldType::String | FieldType::Path | FieldType::Enum(_))
}

/// The effect `run`: a command with its options.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// The command to start.
    pub command: RunCommand,
    /// The source text of the command, for display.
    pub shown: String,
    /// The option `timeout`; `None` means the default of the event.
    pub timeout: Option<Duration>,
    /// The option `message`.
    pub message: Option<Template>,
    /// The option `cwd`.
    pub cwd: Option<Template>,
    /// The option `env`: variables with their values.
    pub env: BTreeMap<String, Template>,
    /// The options without values from the event.
    pub options: RunOptions,
}

impl RunSpec {
    /// Whether the command can vote against the call, if the event can be denied at all.
    #[must_use]
    pub fn can_block(&self) -> bool {
        self.options.can_block()
    }

    /// Whether the options make it a gate explicitly: `on_fail: deny`, `on_fail: ask` or `output: hook` (law 4).
    #[must_use]
    pub fn is_gate(&self) -> bool {
        matches!(self.options.on_fail, Some(OnFail::Deny | OnFail::Ask)) || self.options.output == OutputKind::Hook
    }
}

/// The command of the effect `run`.
#[derive(Clone, Debug)]
pub enum RunCommand {
    /// A script, with the references that replace its placeholders, in the same order.
    Shell(ShellTemplate, Vec<ValueReference>),
    /// A program and its arguments.
    Argv(Vec<ArgvWord>),
}

/// One item of `run ["program", "argument", …]`.
#[derive(Clone, Debug)]
pub enum ArgvWord {
    /// An item that becomes exactly one word.
    Text(Template),
    /// An item that is only a placeholder. It becomes one word per value, and no word if there is no value.
    Values(ValueReference),
}

/// The effect `record`: the object to append to a file.
#[derive(Clone, Debug)]
pub struct RecordSpec {
    /// The path of the file. Values that replace its placeholders become single path components.
    pub file: Template,
    /// The keys of the object with their values, in source order.
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
