//! Data that flows between commands, and the commands that write it.

pub(crate) use crate::word::CommandId;
use crate::word::{Cause, Line, Part, Source, StreamId, Unknown, UnknownPart, Word};

/// A word, and the commands whose output is in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Value {
    pub word: Word,
    /// Sorted, without duplicates.
    pub from: Vec<Writer>,
}

/// A writer of a stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Writer {
    Command(CommandId),
    /// All writers of a stream in a part of the text that is not walked yet.
    Late(LateId),
}

/// A stream that is read before it is written, by the order of first use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct LateId(pub usize);

impl Writer {
    /// Returns the command; `None` if it is not known yet.
    pub(super) fn command(self) -> Option<CommandId> {
        match self {
            Self::Command(id) => Some(id),
            Self::Late(_) => None,
        }
    }
}

/// The standard input of a command.
#[derive(Clone, Debug, Default)]
pub(crate) struct Input {
    /// The commands that write to it directly.
    pub(super) direct: Vec<CommandId>,
    /// These commands, and all whose output they pass on.
    pub(super) from: Vec<Writer>,
    pub(crate) content: Content,
    /// The stream, if other commands may read from it too.
    pub(super) stream: Option<StreamId>,
}

/// Inputs are equal if their content and writers are, even in different streams.
impl PartialEq for Input {
    fn eq(&self, other: &Self) -> bool {
        self.direct == other.direct && self.from == other.from && self.content == other.content
    }
}

impl Eq for Input {}

/// The content of a stream.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum Content {
    /// Not set by the text: a terminal, or nothing.
    #[default]
    Unsaid,
    /// Known content, possibly with unknown parts.
    Known(Value),
    /// The content of a file.
    File(Word),
    Unknown,
}

/// A file that the text wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Written {
    /// The writers of its content.
    pub from: Vec<Writer>,
    pub content: Content,
}

/// The limits on concatenated output, in bytes and in parts: its size is computed for each addition.
pub(super) const LONGEST: usize = 1 << 17;
const PARTS: usize = 256;

fn fits(value: &Value, more: &Value) -> bool {
    value.word.parts.len() + more.word.parts.len() <= PARTS && value.size() + more.size() <= LONGEST
}

impl Value {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self { word: Word::text(text), from: Vec::new() }
    }

    pub(super) fn unknown(cause: Cause, word: impl Into<String>) -> Self {
        Self::of_unknown(Unknown::new(cause, word))
    }

    pub(super) fn of_unknown(why: Unknown) -> Self {
        Self { word: Word::unknown(why), from: Vec::new() }
    }

    /// The unknown value of a variable.
    pub(super) fn variable(name: &str) -> Self {
        Self::of_unknown(Unknown::of(Cause::Variable, format!("${name}"), Source::Variable(name.into())))
    }

    /// The unknown value of a variable that a command reads into.
    pub(super) fn line(name: &str, by: CommandId, input: &Input) -> Self {
        let line = Line { name: name.to_owned(), by, from: input.direct.clone() };
        Self::of_unknown(Unknown::of(Cause::Variable, format!("${name}"), Source::Line(line.into())))
    }

    /// Returns its size in bytes.
    pub(super) fn size(&self) -> usize {
        let part = |part: &Part| match part {
            Part::Text(text) | Part::Glob(text) => 1 + text.len(),
            Part::Unknown(unknown) => 8 + unknown.why.word.len(),
        };
        1 + self.from.len() + self.word.parts.iter().map(part).sum::<usize>()
    }

    /// Adds writers of its content.
    pub(super) fn joins(&mut self, from: &[Writer]) {
        add(&mut self.from, from);
    }

    /// Appends another value.
    pub(super) fn append(&mut self, other: &Self) {
        for part in &other.word.parts {
            self.word.push(part.clone());
        }
        self.word.span = None;
        self.joins(&other.from);
    }

    /// Returns it as in quotes: as one word.
    pub(super) fn whole(mut self) -> Self {
        for part in self.word.parts.iter_mut() {
            if let Part::Unknown(UnknownPart { splits, .. }) = part {
                *splits = false;
            }
        }
        self
    }

    /// Returns it with trailing newlines removed, as in a substitution.
    pub(crate) fn without_newlines(mut self) -> Self {
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

impl Content {
    /// Empty content.
    pub(super) fn nothing() -> Self {
        Self::Known(Value::default())
    }

    /// Returns the cost of a copy, in steps.
    pub(super) fn cost(&self) -> usize {
        match self {
            Self::Known(value) => value.size() / 16,
            Self::Unsaid | Self::File(_) | Self::Unknown => 1,
        }
    }

    /// Concatenates two contents.
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

/// Inserts ids that are not present yet.
pub(super) fn add<T: Ord + Copy>(ids: &mut Vec<T>, more: &[T]) {
    for id in more {
        if let Err(at) = ids.binary_search(id) {
            ids.insert(at, *id);
        }
    }
}
