//! What flows between commands.

use crate::stream::{CommandId, Content, Value, add};

/// The output and the control flow of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Flow {
    /// The commands that write to its standard output.
    pub out: Vec<CommandId>,
    /// The output itself.
    pub content: Content,
    pub ends: Ends,
}

/// What a command leaves, so that the code after it does not run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Ends {
    /// It leaves nothing: the code after it runs.
    Nothing,
    /// `break`, `continue`
    Loop,
    /// `return`
    Function,
    /// `exit`, `exec`
    Shell,
}

impl Flow {
    /// No output.
    pub(super) fn nothing() -> Self {
        Self { out: Vec::new(), content: Content::Known(Value::default()), ends: Ends::Nothing }
    }

    /// Unknown output.
    pub(super) fn unknown() -> Self {
        Self { content: Content::Unknown, ..Self::nothing() }
    }

    /// The sequence of both. After a jump or an exit in `self`, it is unknown whether `next` is written.
    pub(super) fn then(mut self, next: Self) -> Self {
        add(&mut self.out, &next.out);
        self.content = match self.ends {
            Ends::Nothing => self.content.then(next.content),
            _ if next.is_empty() => self.content,
            _ => Content::Unknown,
        };
        if self.ends == Ends::Nothing {
            self.ends = next.ends;
        }
        self
    }

    /// The sequence of both, or only the first.
    pub(super) fn then_perhaps(self, next: Self) -> Self {
        let content = if next.is_empty() { self.content.clone() } else { Content::Unknown };
        Self { content, ..self.then(next) }
    }

    /// Whether the output is empty.
    fn is_empty(&self) -> bool {
        matches!(&self.content, Content::Known(value) if value.word.parts.is_empty())
    }

    /// Either of both. If one of them leaves something, later output may be missing.
    pub(super) fn or(mut self, other: Self) -> Self {
        add(&mut self.out, &other.out);
        if self.content != other.content || self.ends != other.ends {
            self.content = Content::Unknown;
        }
        self.ends = self.ends.min(other.ends);
        self
    }

    /// Stops jumps at the boundary of a unit of this kind.
    pub(super) fn contained(mut self, unit: Ends) -> Self {
        if self.ends <= unit {
            self.ends = Ends::Nothing;
        }
        self
    }
}
