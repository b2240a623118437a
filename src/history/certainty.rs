//! How certainly an event with a mark happened.

/// How certainly an event with a mark happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Certainty {
    /// It happened, and the host reports success.
    Certain,
    /// It may have happened, and its mark counts what may have: `unknown counts`.
    Counted(EventDoubt),
    /// It may have happened.
    Possible(EventDoubt),
}

impl Certainty {
    /// Whether a question counts the event as one that happened.
    #[must_use]
    pub fn counts(self) -> bool {
        matches!(self, Self::Certain | Self::Counted(_))
    }

    /// Returns the letter in a journal: `+` for certain, that of the doubt otherwise, as a capital if the event counts.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Certain => '+',
            Self::Counted(doubt) => doubt.letter().to_ascii_uppercase(),
            Self::Possible(doubt) => doubt.letter(),
        }
    }

    /// Returns the certainty with a letter; `None` if none has it.
    #[must_use]
    pub fn of_letter(letter: char) -> Option<Self> {
        let doubt = EventDoubt::of_letter(letter.to_ascii_lowercase());
        match letter {
            '+' => Some(Self::Certain),
            letter if letter.is_ascii_uppercase() => doubt.map(Self::Counted),
            _ => doubt.map(Self::Possible),
        }
    }
}

/// Why an event may not have happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EventDoubt {
    /// The text is not a chain of plain commands that are joined by `&&`.
    Chain,
    /// The output of the command goes through a pipe, which may hide its failure.
    Pipe,
    /// The command runs in the background.
    Background,
    /// A variable or a word of the shell may change what the command is.
    Shell,
    /// The command has further words.
    MoreWords,
    /// The command runs in another directory than the project's.
    Directory,
    /// The host does not say whether the call succeeded.
    Result,
    /// The condition of the mark was unknown.
    Condition,
    /// The call was interrupted.
    Interrupted,
    /// The call failed, and its commands may have changed files before that.
    Failed,
    /// The mark tests only the text of the call, which does not say what ran.
    Text,
}

/// The doubts with their letters in a journal.
const DOUBTS: &[(EventDoubt, char)] = &[
    (EventDoubt::Chain, 'c'),
    (EventDoubt::Pipe, 'p'),
    (EventDoubt::Background, 'b'),
    (EventDoubt::Shell, 's'),
    (EventDoubt::MoreWords, 'w'),
    (EventDoubt::Directory, 'd'),
    (EventDoubt::Result, 'r'),
    (EventDoubt::Condition, 'u'),
    (EventDoubt::Interrupted, 'i'),
    (EventDoubt::Failed, 'f'),
    (EventDoubt::Text, 't'),
];

impl EventDoubt {
    /// Whether `unknown counts` in a mark covers the doubt. It covers how a command of the mark ran and whether it
    /// succeeded; not whether the call runs such a command at all, nor a command that has not ended.
    #[must_use]
    pub fn is_covered(self) -> bool {
        match self {
            Self::Chain
            | Self::Pipe
            | Self::Shell
            | Self::MoreWords
            | Self::Directory
            | Self::Result
            | Self::Failed
            | Self::Text => true,
            Self::Background | Self::Condition | Self::Interrupted => false,
        }
    }

    /// Returns the letter of the doubt in a journal.
    fn letter(self) -> char {
        DOUBTS.iter().find(|(doubt, _)| *doubt == self).map_or('u', |(_, letter)| *letter)
    }

    /// Returns the doubt with a letter; `None` if no doubt has it.
    fn of_letter(letter: char) -> Option<Self> {
        DOUBTS.iter().find(|(_, known)| *known == letter).map(|(doubt, _)| *doubt)
    }
}
