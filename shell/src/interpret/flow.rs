//! The output of commands, and the jumps that end a part of the text: `break`, `return`, `exit`.

use crate::stream::{CommandId, ShellValue, StreamContent, insert_ids};

/// The result of walking a command: its output and its control flow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Flow {
    /// The commands that write to the standard output of the command.
    pub out: Vec<CommandId>,
    /// The data written to standard output, as far as it is known.
    pub content: StreamContent,
    /// The jump that certainly ends the command, if there is one.
    pub jump: Jump,
}

/// A jump out of a part of the text: the code after it in that part does not run. Ordered by how far it goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Jump {
    /// No jump: the code after it runs.
    Nothing,
    /// `break`, `continue`: out of a loop.
    Loop,
    /// `return`: out of a function.
    Function,
    /// `exit`, `exec`: out of the shell.
    Shell,
}

impl Flow {
    /// Returns the flow of a command without output.
    pub(super) fn empty() -> Self {
        Self { out: Vec::new(), content: StreamContent::Known(ShellValue::default()), jump: Jump::Nothing }
    }

    /// Returns the flow of a command with unknown output.
    pub(super) fn unknown() -> Self {
        Self { content: StreamContent::Unknown, ..Self::empty() }
    }

    /// Returns the flow of two commands, one after the other. After a jump in the first, it is unknown whether `next`
    /// runs and writes its output.
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

    /// Returns the flow of two commands, the second of which may not run.
    pub(super) fn concat_perhaps(self, next: Self) -> Self {
        let content = if next.is_empty() { self.content.clone() } else { StreamContent::Unknown };
        Self { content, ..self.concat(next) }
    }

    /// Whether the output is empty.
    fn is_empty(&self) -> bool {
        matches!(&self.content, StreamContent::Known(value) if value.word.parts.is_empty())
    }

    /// Returns the flow of one of two alternatives, such as the branches of an `if`. Its jump is the one that goes less
    /// far: if only one alternative jumps, the code after both may run.
    pub(super) fn merge(mut self, other: Self) -> Self {
        insert_ids(&mut self.out, &other.out);
        if self.content != other.content || self.jump != other.jump {
            self.content = StreamContent::Unknown;
        }
        self.jump = self.jump.min(other.jump);
        self
    }

    /// Stops a jump at the end of a loop (`Jump::Loop`), a function or a shell: a loop stops `break`, and a function
    /// also stops `return`.
    pub(super) fn stop_jump(mut self, unit: Jump) -> Self {
        if self.jump <= unit {
            self.jump = Jump::Nothing;
        }
        self
    }
}
