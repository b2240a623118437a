//! Data that flows between commands, and the commands that write it.

pub(crate) use crate::word::CommandId;
use crate::word::{Cause, ReadVariable, StreamId, Unknown, UnknownPart, ValueSource, Word, WordPart};

/// A word, and the commands whose output is in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ShellValue {
    pub word: Word,
    /// Sorted, without duplicates.
    pub writers: Vec<Writer>,
}

/// A writer of a stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Writer {
    Command(CommandId),
    /// All writers of a stream in a part of the text that is not walked yet.
    Deferred(DeferredId),
}

/// A stream that is read before it is written, by the order of first use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct DeferredId(pub usize);

impl Writer {
    /// Returns the command; `None` if it is not known yet.
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
    /// The commands that write to it directly.
    pub(super) direct: Vec<CommandId>,
    /// These commands, and all whose output they pass on.
    pub(super) writers: Vec<Writer>,
    pub(crate) content: StreamContent,
    /// The stream, if other commands may read from it too.
    pub(super) stream: Option<StreamId>,
}

/// Inputs are equal if their content and writers are, even in different streams.
impl PartialEq for InputStream {
    fn eq(&self, other: &Self) -> bool {
        self.direct == other.direct && self.writers == other.writers && self.content == other.content
    }
}

impl Eq for InputStream {}

/// The content of a stream.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum StreamContent {
    /// Not set by the text: a terminal, or nothing.
    #[default]
    Unset,
    /// Known content, possibly with unknown parts.
    Known(ShellValue),
    /// The content of a file.
    File(Word),
    Unknown,
}

/// A file that the text wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WrittenFile {
    /// The writers of its content.
    pub writers: Vec<Writer>,
    pub content: StreamContent,
}

/// The limits on concatenated output, in bytes and in parts: its size is computed for each addition.
pub(super) const LONGEST: usize = 1 << 17;
const PARTS: usize = 256;

fn is_within_limits(value: &ShellValue, more: &ShellValue) -> bool {
    value.word.parts.len() + more.word.parts.len() <= PARTS && value.size() + more.size() <= LONGEST
}

impl ShellValue {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self { word: Word::text(text), writers: Vec::new() }
    }

    pub(super) fn unknown(cause: Cause, word: impl Into<String>) -> Self {
        Self::from_unknown(Unknown::new(cause, word))
    }

    pub(super) fn from_unknown(why: Unknown) -> Self {
        Self { word: Word::unknown(why), writers: Vec::new() }
    }

    /// The unknown value of a variable.
    pub(super) fn variable(name: &str) -> Self {
        Self::from_unknown(Unknown::with_source(
            Cause::Variable,
            format!("${name}"),
            ValueSource::Variable(name.into()),
        ))
    }

    /// The unknown value of a variable that a command reads into.
    pub(super) fn line(name: &str, by: CommandId, input: &InputStream) -> Self {
        let line = ReadVariable { name: name.to_owned(), reader: by, writers: input.direct.clone() };
        Self::from_unknown(Unknown::with_source(
            Cause::Variable,
            format!("${name}"),
            ValueSource::ReadVariable(line.into()),
        ))
    }

    /// Returns its size in bytes.
    pub(super) fn size(&self) -> usize {
        let part = |part: &WordPart| match part {
            WordPart::Text(text) | WordPart::Glob(text) => 1 + text.len(),
            WordPart::Unknown(unknown) => 8 + unknown.reason.word.len(),
        };
        1 + self.writers.len() + self.word.parts.iter().map(part).sum::<usize>()
    }

    /// Adds writers of its content.
    pub(super) fn add_writers(&mut self, from: &[Writer]) {
        insert_ids(&mut self.writers, from);
    }

    /// Appends another value.
    pub(super) fn append(&mut self, other: &Self) {
        for part in &other.word.parts {
            self.word.push(part.clone());
        }
        self.word.span = None;
        self.add_writers(&other.writers);
    }

    /// Returns it as in quotes: as one word.
    pub(super) fn into_one_word(mut self) -> Self {
        for part in self.word.parts.iter_mut() {
            if let WordPart::Unknown(UnknownPart { may_split: splits, .. }) = part {
                *splits = false;
            }
        }
        self
    }

    /// Returns it with trailing newlines removed, as in a substitution.
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
    /// Empty content.
    pub(super) fn empty() -> Self {
        Self::Known(ShellValue::default())
    }

    /// Returns the cost of a copy, in steps.
    pub(super) fn cost(&self) -> usize {
        match self {
            Self::Known(value) => value.size() / 16,
            Self::Unset | Self::File(_) | Self::Unknown => 1,
        }
    }

    /// Concatenates two contents.
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

/// Inserts ids that are not present yet.
pub(super) fn insert_ids<T: Ord + Copy>(ids: &mut Vec<T>, more: &[T]) {
    for id in more {
        if let Err(at) = ids.binary_search(id) {
            ids.insert(at, *id);
        }
    }
}
