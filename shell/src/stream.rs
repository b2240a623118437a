//! What flows between commands, and whose output it is.

pub use crate::word::CommandId;
use crate::word::{Cause, Line, Part, Source, StreamId, Unknown, UnknownPart, Word};

/// A word, and the commands whose output is in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Value {
    pub word: Word,
    /// In order, each once.
    pub from: Vec<Writer>,
}

/// Who writes what flows somewhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Writer {
    Command(CommandId),
    /// Whoever writes to this, in a part of the text that was not walked yet.
    Late(LateId),
}

/// What is read before it is written, by the order in which it was met.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct LateId(pub usize);

impl Writer {
    /// Returns the command, if it is known.
    pub(super) fn command(self) -> Option<CommandId> {
        match self {
            Self::Command(id) => Some(id),
            Self::Late(_) => None,
        }
    }
}

/// What a command has on its standard input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Input {
    /// The commands that write to it.
    pub(super) direct: Vec<CommandId>,
    /// Those and all whose output they pass on.
    pub(super) from: Vec<Writer>,
    pub(crate) content: Content,
    /// Which stream it is, where others may read from it too.
    pub(super) stream: Option<StreamId>,
}

/// Two inputs are the same where the same comes from them, whichever streams they are.
impl PartialEq for Input {
    fn eq(&self, other: &Self) -> bool {
        self.direct == other.direct && self.from == other.from && self.content == other.content
    }
}

impl Eq for Input {}

/// What is in a stream.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum Content {
    /// Nobody has said: a terminal, or nothing.
    #[default]
    Unsaid,
    /// This, with unknown parts where parts of it are not known.
    Known(Value),
    /// What a file holds.
    File(Word),
    Unknown,
}

/// A file that the text wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Written {
    /// Whose output is in it.
    pub from: Vec<Writer>,
    pub content: Content,
}

/// How much output is put together, in bytes, and of how many parts: the size of what grows is asked for each time.
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

    /// A variable of which nothing is known.
    pub(super) fn variable(name: &str) -> Self {
        Self::of_unknown(Unknown::of(Cause::Variable, format!("${name}"), Source::Variable(name.into())))
    }

    /// A variable that a command reads.
    pub(super) fn line(name: &str, by: CommandId, input: &Input) -> Self {
        let line = Line { name: name.to_owned(), by, from: input.direct.clone() };
        Self::of_unknown(Unknown::of(Cause::Variable, format!("${name}"), Source::Line(line.into())))
    }

    /// Returns how much it holds, in bytes.
    pub(super) fn size(&self) -> usize {
        let part = |part: &Part| match part {
            Part::Text(text) | Part::Glob(text) => 1 + text.len(),
            Part::Unknown(unknown) => 8 + unknown.why.word.len(),
        };
        1 + self.from.len() + self.word.parts.iter().map(part).sum::<usize>()
    }

    /// Notes commands whose output is in it too.
    pub(super) fn joins(&mut self, from: &[Writer]) {
        add(&mut self.from, from);
    }

    /// Adds another behind it.
    pub(super) fn append(&mut self, other: &Self) {
        for part in &other.word.parts {
            self.word.push(part.clone());
        }
        self.word.span = None;
        self.joins(&other.from);
    }

    /// Returns it as it is in quotes: one word.
    pub(super) fn whole(mut self) -> Self {
        for part in &mut self.word.parts {
            if let Part::Unknown(UnknownPart { splits, .. }) = part {
                *splits = false;
            }
        }
        self
    }

    /// Returns it as a substitution does, newlines at its end removed.
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
    /// There is nothing in it.
    pub(super) fn nothing() -> Self {
        Self::Known(Value::default())
    }

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

/// Adds ids that are not there yet.
pub(super) fn add<T: Ord + Copy>(ids: &mut Vec<T>, more: &[T]) {
    for id in more {
        if let Err(at) = ids.binary_search(id) {
            ids.insert(at, *id);
        }
    }
}
