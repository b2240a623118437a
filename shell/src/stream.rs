//! The data that flows between commands, and the commands that write it.

pub(crate) use crate::word::CommandId;
use crate::word::{Cause, ReadVariable, StreamId, Unknown, UnknownPart, ValueSource, Word, WordPart};

/// A word, and the writers whose output is in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ShellValue {
    /// The text, with its unknown parts.
    pub word: Word,
    /// The writers of the parts of the word; sorted, without duplicates.
    pub writers: Vec<Writer>,
}

/// A writer of a stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Writer {
    /// A command that is already recorded.
    Command(CommandId),
    /// A placeholder for all writers of a stream, which may come later in the text.
    Deferred(DeferredId),
}

/// The number of a placeholder for the writers of a stream that is read before it is written. Placeholders are numbered
/// in the order of their creation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct DeferredId(pub usize);

impl Writer {
    /// Returns the command; `None` for a placeholder.
    pub(super) fn command(self) -> Option<CommandId> {
        match self {
            Self::Command(id) => Some(id),
            Self::Deferred(_) => None,
        }
    }
}

/// The standard input of a command.
#[derive(Clone, Debug, Default)]
pub(crate) struct InputStream {
    /// The commands that write to it directly, through a pipe.
    pub(super) direct: Vec<CommandId>,
    /// The writers of its content: the direct ones, and all whose output these pass on.
    pub(super) writers: Vec<Writer>,
    /// The data that can be read.
    pub(crate) content: StreamContent,
    /// The id of the stream; `None` if no other command may read from it.
    pub(super) stream: Option<StreamId>,
}

/// Two inputs are equal if their writers and content are, even if they are different streams.
impl PartialEq for InputStream {
    fn eq(&self, other: &Self) -> bool {
        self.direct == other.direct && self.writers == other.writers && self.content == other.content
    }
}

impl Eq for InputStream {}

/// The data in a stream or a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum StreamContent {
    /// The text does not set it: it is the standard input of the shell's caller.
    #[default]
    Unset,
    /// A text, possibly with unknown parts.
    Known(ShellValue),
    /// The content of this file, which is not read.
    File(Word),
    /// A program that a compiler made from known sources. These are the literals in the sources, a line for each.
    Program(String),
    /// The content is not known.
    Unknown,
}

/// A file that the text wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WrittenFile {
    /// The writers of the content.
    pub writers: Vec<Writer>,
    pub content: StreamContent,
}

/// The limits on a concatenated content, in bytes and in parts. The size is computed for each addition, so it must
/// stay small.
pub(super) const LONGEST: usize = 1 << 17;
const MAX_PARTS: usize = 256;

/// Whether the concatenation of two values stays within the limits.
fn is_within_limits(value: &ShellValue, more: &ShellValue) -> bool {
    value.word.parts.len() + more.word.parts.len() <= MAX_PARTS && value.size() + more.size() <= LONGEST
}

impl ShellValue {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self { word: Word::text(text), writers: Vec::new() }
    }

    pub(super) fn unknown(cause: Cause, word: impl Into<String>) -> Self {
        Self::from_unknown(Unknown::new(cause, word))
    }

    pub(super) fn from_unknown(reason: Unknown) -> Self {
        Self { word: Word::unknown(reason), writers: Vec::new() }
    }

    /// Returns the unknown value of a variable.
    pub(super) fn variable(name: &str) -> Self {
        Self::from_unknown(Unknown::with_source(
            Cause::Variable,
            format!("${name}"),
            ValueSource::Variable(name.into()),
        ))
    }

    /// Returns the value of a variable that is an unknown number.
    pub(super) fn number(name: &str) -> Self {
        Self::from_unknown(Unknown::with_source(Cause::Variable, format!("${name}"), ValueSource::Number))
    }

    /// Returns the unknown value of a variable into which a command reads a line of an input.
    pub(super) fn line(name: &str, reader: CommandId, input: &InputStream) -> Self {
        let line = ReadVariable { name: name.to_owned(), reader, writers: input.direct.clone() };
        Self::from_unknown(Unknown::with_source(
            Cause::Variable,
            format!("${name}"),
            ValueSource::ReadVariable(line.into()),
        ))
    }

    /// Returns the approximate size of the value in bytes.
    pub(super) fn size(&self) -> usize {
        let part = |part: &WordPart| match part {
            WordPart::Text(text) | WordPart::Glob(text) => 1 + text.len(),
            WordPart::Unknown(unknown) => 8 + unknown.reason.word.len(),
        };
        1 + self.writers.len() + self.word.parts.iter().map(part).sum::<usize>()
    }

    /// Adds writers to those of the value.
    pub(super) fn add_writers(&mut self, writers: &[Writer]) {
        insert_ids(&mut self.writers, writers);
    }

    /// Appends another value: its word and its writers.
    pub(super) fn append(&mut self, other: &Self) {
        for part in &other.word.parts {
            self.word.push(part.clone());
        }
        self.word.span = None;
        self.add_writers(&other.writers);
    }

    /// Returns the value as it is in double quotes, so that its unknown parts do not split.
    pub(super) fn into_one_word(mut self) -> Self {
        for part in self.word.parts.iter_mut() {
            if let WordPart::Unknown(UnknownPart { may_split, .. }) = part {
                *may_split = false;
            }
        }
        self
    }

    /// Returns the value without NULs, which bash and dash drop from what they read.
    pub(super) fn without_nul(mut self) -> Self {
        for part in self.word.parts.iter_mut() {
            if let WordPart::Text(text) = part {
                text.retain(|c| c != '\0');
            }
        }
        self
    }

    /// Returns the value without the newlines at its end, as `$(…)` does.
    pub(crate) fn without_newlines(mut self) -> Self {
        while let Some(WordPart::Text(text)) = self.word.parts.last_mut() {
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

impl StreamContent {
    /// Returns the content of an empty stream.
    pub(super) fn empty() -> Self {
        Self::Known(ShellValue::default())
    }

    /// Returns the cost of a copy, in steps.
    pub(super) fn cost(&self) -> usize {
        match self {
            Self::Known(value) => value.size() / 16,
            Self::Program(literals) => literals.len() / 16,
            Self::Unset | Self::File(_) | Self::Unknown => 1,
        }
    }

    /// Concatenates two contents. If either is not a text and neither is empty, the result is unknown.
    pub(super) fn concat(self, next: Self) -> Self {
        match (self, next) {
            (Self::Known(mut value), Self::Known(more)) if is_within_limits(&value, &more) => {
                value.append(&more);
                Self::Known(value)
            }
            (Self::Known(value), other) if value.word.parts.is_empty() => other,
            (other, Self::Known(value)) if value.word.parts.is_empty() => other,
            _ => Self::Unknown,
        }
    }
}

/// Inserts those ids that a sorted list does not contain yet.
pub(super) fn insert_ids<T: Ord + Copy>(ids: &mut Vec<T>, more: &[T]) {
    for id in more {
        if let Err(position) = ids.binary_search(id) {
            ids.insert(position, *id);
        }
    }
}
