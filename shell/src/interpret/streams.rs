//! What flows between commands.

use crate::stream::{CommandId, Content, Value, add};

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

    /// One behind the other. What stands behind an end is not written, or not where that is none after all.
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

    /// One behind the other, or the first alone.
    pub(super) fn then_perhaps(self, next: Self) -> Self {
        let content = if next.is_empty() { self.content.clone() } else { Content::Unknown };
        Self { content, ..self.then(next) }
    }

    /// Tells whether nothing is written.
    fn is_empty(&self) -> bool {
        matches!(&self.content, Content::Known(value) if value.word.parts.is_empty())
    }

    /// One or the other. Where one of them ends, what is written behind them may be missing.
    pub(super) fn or(mut self, other: Self) -> Self {
        add(&mut self.out, &other.out);
        if self.content != other.content || self.ends != other.ends {
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
