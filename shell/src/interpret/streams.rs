//! What flows between commands.

use crate::stream::{CommandId, ShellValue, StreamContent, insert_ids};

/// The output and the control flow of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Flow {
    /// The commands that write to its standard output.
    pub out: Vec<CommandId>,
    /// The output itself.
    pub content: StreamContent,
    pub jump: Jump,
}

/// What a command leaves, so that the code after it does not run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Jump {
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
    pub(super) fn empty() -> Self {
        Self { out: Vec::new(), content: StreamContent::Known(ShellValue::default()), jump: Jump::Nothing }
    }

    /// Unknown output.
    pub(super) fn unknown() -> Self {
        Self { content: StreamContent::Unknown, ..Self::empty() }
    }

    /// The sequence of both. After a jump or an exit in `self`, it is unknown whether `next` is written.
    pub(super) fn concat(mut self, next: Self) -> Self {
        insert_ids(&mut self.out, &next.out);
        self.content = match self.jump {
            Jump::Nothing => self.content.concat(next.content),
            _ if next.is_empty() => self.content,
            _ => StreamContent::Unknown,
        };
        if self.jump == Jump::Nothing {
            self.jump = next.jump;
        }
        self
    }

    /// The sequence of both, or only the first.
    pub(super) fn concat_perhaps(self, next: Self) -> Self {
        let content = if next.is_empty() { self.content.clone() } else { StreamContent::Unknown };
        Self { content, ..self.concat(next) }
    }

    /// Whether the output is empty.
    fn is_empty(&self) -> bool {
        matches!(&self.content, StreamContent::Known(value) if value.word.parts.is_empty())
    }

    /// Either of both. If one of them leaves something, later output may be missing.
    pub(super) fn merge(mut self, other: Self) -> Self {
        insert_ids(&mut self.out, &other.out);
        if self.content != other.content || self.jump != other.jump {
            self.content = StreamContent::Unknown;
        }
        self.jump = self.jump.min(other.jump);
        self
    }

    /// Stops jumps at the boundary of a unit of this kind.
    pub(super) fn stop_jump(mut self, unit: Jump) -> Self {
        if self.jump <= unit {
            self.jump = Jump::Nothing;
        }
        self
    }
}
