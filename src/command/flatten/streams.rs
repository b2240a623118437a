//! What flows between commands.

use super::super::state::{Value, Writer, add};
use super::super::{CommandId, Part, Word};

/// What a command has on its standard input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::command) struct Input {
    /// The commands that write to it.
    pub(super) direct: Vec<CommandId>,
    /// Those and all whose output they pass on.
    pub(super) from: Vec<Writer>,
    pub(in crate::command) content: Content,
}

/// What is in a stream.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::command) enum Content {
    /// Nobody has said: a terminal, or nothing.
    #[default]
    Unsaid,
    /// This, with holes where parts of it are not known.
    Known(Value),
    /// What a file holds.
    File(Word),
    Unknown,
}

/// A file that the text wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Written {
    /// Whose output is in it.
    pub from: Vec<Writer>,
    pub content: Content,
}

/// What came of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Flow {
    /// The commands that write to its standard output.
    pub out: Vec<CommandId>,
    /// What they write.
    pub content: Content,
    pub ends: Ends,
}

/// Whether what stands behind a command runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Ends {
    /// It goes on.
    Nothing,
    /// `break`, `continue`
    Loop,
    /// `return`
    Function,
    /// `exit`, `exec`
    Shell,
}

impl Flow {
    /// Nothing is written.
    pub(super) fn nothing() -> Self {
        Self { out: Vec::new(), content: Content::Known(Value::default()), ends: Ends::Nothing }
    }

    /// Who knows what is written.
    pub(super) fn unknown() -> Self {
        Self { content: Content::Unknown, ..Self::nothing() }
    }

    /// One behind the other.
    pub(super) fn then(mut self, next: Self) -> Self {
        add(&mut self.out, &next.out);
        self.content = self.content.then(next.content);
        if self.ends == Ends::Nothing {
            self.ends = next.ends;
        }
        self
    }

    /// One or the other.
    pub(super) fn or(mut self, other: Self) -> Self {
        add(&mut self.out, &other.out);
        if self.content != other.content {
            self.content = Content::Unknown;
        }
        self.ends = self.ends.min(other.ends);
        self
    }

    /// What it ends does not reach beyond a unit of this kind.
    pub(super) fn contained(mut self, unit: Ends) -> Self {
        if self.ends <= unit {
            self.ends = Ends::Nothing;
        }
        self
    }
}

impl Content {
    /// Returns what a copy of it costs, in steps.
    pub(super) fn cost(&self) -> usize {
        match self {
            Self::Known(value) => value.size() / 16,
            Self::Unsaid | Self::File(_) | Self::Unknown => 1,
        }
    }

    /// One behind the other.
    pub(super) fn then(self, next: Self) -> Self {
        match (self, next) {
            (Self::Known(mut value), Self::Known(more)) if fits(&value, &more) => {
                value.append(&more);
                Self::Known(value)
            }
            (Self::Known(value), other) if value.word.parts.is_empty() => other,
            (other, Self::Known(value)) if value.word.parts.is_empty() => other,
            _ => Self::Unknown,
        }
    }
}

/// How much output is put together, in bytes, and of how many parts: the size of what grows is asked for each time.
pub(super) const LONGEST: usize = 1 << 17;
const PARTS: usize = 256;

fn fits(value: &Value, more: &Value) -> bool {
    value.word.parts.len() + more.word.parts.len() <= PARTS && value.size() + more.size() <= LONGEST
}

impl Value {
    /// Returns it as a substitution does, newlines at its end removed.
    pub(in crate::command) fn without_newlines(mut self) -> Self {
        while let Some(Part::Text(text)) = self.word.parts.last_mut() {
            let length = text.trim_end_matches('\n').len();
            if length > 0 {
                text.truncate(length);
                break;
            }
            self.word.parts.pop();
        }
        self
    }
}
