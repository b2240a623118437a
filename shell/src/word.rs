//! A word of a command after the shell's expansions. A piece whose value is not known before the command runs, such as
//! `$NAME`, is an unknown part of the word.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::word::{Cause, WordPart};
//! use hookrules_shell::{StartDirectories, analyse};
//!
//! let start = StartDirectories { cwd: Path::new("/home/dev"), home: None };
//! let analysis = analyse("rm build/$NAME.o", &start);
//! let word = &analysis.commands[0].words[1];
//! assert_eq!((word.known_text(), word.prefix()), (None, "build/"));
//! let [WordPart::Text(_), WordPart::Unknown(name), WordPart::Text(_)] = &word.parts[..] else { panic!() };
//! assert_eq!((name.reason.cause, name.reason.word.as_str()), (Cause::Variable, "$NAME"));
//! ```

mod directory_variables;
mod host;
mod output;
mod parts;
pub(crate) mod source;
mod unknown;

use std::borrow::Cow;
use std::ops::Range;

use directory_variables::is_directory_variable;
pub use output::{CommandOutput, Directory, MktempTemplate, PrintedValue};
pub use parts::{WordParts, WordPartsIter};
pub(crate) use source::CommandId;
pub use source::{BelowVariable, DefaultedVariable, ReadVariable, StreamId, ValueSource};
pub use unknown::{Cause, Unknown};

/// A word: a sequence of texts, globs and unknown parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Word {
    /// The parts, in order. Two texts are never adjacent; an empty word has no parts.
    pub parts: WordParts,
    /// The byte range of the word in the text of the call; `None` if an expansion or a nested text produced the word.
    pub span: Option<Range<usize>>,
}

/// A part of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WordPart {
    /// A literal text, with its quotes removed.
    Text(String),
    /// An unquoted `*`, `?` or `[…]`: replaced by the names of the matching files, if there are any.
    Glob(String),
    /// A part whose text is not known before the command runs: `$X`, `$(…)`.
    Unknown(UnknownPart),
}

/// A part of a word whose text is not known before the command runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPart {
    /// The reason why the part is unknown.
    pub reason: Unknown,
    /// Whether the part is unquoted, and so may expand to no word or to several.
    pub may_split: bool,
}

impl UnknownPart {
    /// Whether the part consists of random letters and digits, such as those with which `mktemp x.XXXX` replaces the
    /// `X`s. Such a part has no slash.
    #[must_use]
    pub fn is_letters(&self) -> bool {
        matches!(self.reason.source, ValueSource::RandomLetters(_))
    }

    /// Whether the part is one of several known files, in a command that runs once for each of them.
    #[must_use]
    pub fn is_one_of_files(&self) -> bool {
        self.reason.source == ValueSource::OneOfFiles
    }

    /// Returns the glob, if the part is one of the file names to which a glob has already expanded: `*.c` for the value
    /// of `f` in `for f in *.c`.
    #[must_use]
    pub fn matched_glob(&self) -> Option<&Word> {
        match &self.reason.source {
            ValueSource::GlobMatch(glob) => Some(glob),
            _ => None,
        }
    }

    /// Whether the part is the name of the current branch as git prints it. It is one word, and not an option.
    #[must_use]
    pub fn is_branch(&self) -> bool {
        self.reason.cause == Cause::Output && self.reason.source.printed_value() == Some(&PrintedValue::Branch)
    }

    /// Whether each word that the part may expand to is the name of a branch, a commit or a container, and so no option.
    pub(crate) fn is_identifier(&self) -> bool {
        let printed = self.reason.source.printed_value();
        self.reason.cause == Cause::Output && printed.is_some_and(PrintedValue::is_identifier)
    }

    /// Whether the part is a number, or one name without slashes and dots that a command prints: `$(nproc)`.
    pub(crate) fn is_plain(&self) -> bool {
        let printed = || self.reason.source.printed_value().is_some_and(PrintedValue::is_plain);
        self.reason.source == ValueSource::Number || self.reason.cause == Cause::Output && printed()
    }

    /// Whether the part is a number or a plain name that shows nothing of the environment: the end of a command (`$?`),
    /// or what a command prints (`$(nproc)`). An arithmetic expansion may have the value of any variable.
    pub(crate) fn is_own_number(&self) -> bool {
        let is_special = matches!(&*self.reason.word, "$?" | "${?}" | "$#" | "$$" | "$!");
        let index = self.reason.word.strip_prefix("${PIPESTATUS[").and_then(|rest| rest.strip_suffix("]}"));
        let is_status = index.is_some_and(|index| index == "@" || index.bytes().all(|byte| byte.is_ascii_digit()));
        match self.reason.cause {
            Cause::Output => self.is_plain(),
            _ => is_special && self.reason.source == ValueSource::Number || is_status,
        }
    }

    /// Whether the part is an arithmetic expansion that sets a variable: `$((N=1))`, `$((N++))`.
    fn sets_variable(&self) -> bool {
        let text = &*self.reason.word;
        let compares = |(at, _): (usize, &str)| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + 1..).unwrap_or_default();
            let is_shift = before.ends_with("<<") || before.ends_with(">>");
            after.starts_with('=') || before.ends_with(['=', '!']) || before.ends_with(['<', '>']) && !is_shift
        };
        (text.starts_with("$((") || text.starts_with("$["))
            && (text.contains("++") || text.contains("--") || !text.match_indices('=').all(compares))
    }

    /// Whether the part is one directory: that of a program that a command such as `which` looks for, or the value of a
    /// variable that tools set to a directory (`$VIRTUAL_ENV`).
    pub(crate) fn is_directory(&self) -> bool {
        match &self.reason.source {
            ValueSource::Variable(name) => is_directory_variable(name),
            source => matches!(source.printed_value(), Some(PrintedValue::Program(_))),
        }
    }
}

impl Word {
    /// Creates a fully known word.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() { Self::default() } else { Self::of(WordPart::Text(text)) }
    }

    /// Creates a word of one part, without a span.
    pub(crate) fn of(part: WordPart) -> Self {
        Self { parts: part.into(), span: None }
    }

    /// Creates a word that is entirely unknown but is one word, such as `"$X"`.
    #[must_use]
    pub fn unknown(why: Unknown) -> Self {
        Self::of(WordPart::Unknown(UnknownPart { reason: why, may_split: false }))
    }

    /// Creates an unknown word that may expand to no word or to several, such as an unquoted `$X`.
    #[must_use]
    pub fn unknown_words(why: Unknown) -> Self {
        Self::of(WordPart::Unknown(UnknownPart { reason: why, may_split: true }))
    }

    /// Appends a part; adjacent texts are joined.
    pub fn push(&mut self, part: WordPart) {
        match (self.parts.last_mut(), part) {
            (_, WordPart::Text(text)) if text.is_empty() => {}
            (Some(WordPart::Text(before)), WordPart::Text(text)) => before.push_str(&text),
            (_, part) => self.parts.push(part),
        }
    }

    /// Returns the text of the word; `None` if a part of the word is a glob or unknown.
    #[must_use]
    pub fn known_text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [WordPart::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Whether an arithmetic expansion in the word sets a variable.
    pub(crate) fn sets_variable(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, WordPart::Unknown(unknown) if unknown.sets_variable()))
    }

    /// Whether the word is an unknown number.
    pub(crate) fn is_any_number(&self) -> bool {
        matches!(self.parts.as_slice(), [WordPart::Unknown(unknown)] if unknown.reason.source == ValueSource::Number)
    }

    /// Whether the word is a decimal number, known or not.
    pub(crate) fn is_number(&self) -> bool {
        let is_decimal = |text: &str| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let prints_number = |unknown: &UnknownPart| {
            let printed = unknown.reason.source.printed_value();
            unknown.reason.cause == Cause::Output && printed == Some(&PrintedValue::Number)
        };
        let is_printed = matches!(self.parts.as_slice(), [WordPart::Unknown(unknown)] if prints_number(unknown));
        is_printed || self.is_any_number() || self.known_text().is_some_and(is_decimal)
    }

    /// Returns the known text at the start of the word: `build/` for `build/$NAME.o`, empty if the word begins with a
    /// glob or an unknown part. A name to which a glob has already expanded has the prefix of that glob.
    #[must_use]
    pub fn prefix(&self) -> &str {
        match self.parts.first() {
            Some(WordPart::Text(text)) => text,
            Some(WordPart::Unknown(unknown)) => unknown.matched_glob().map_or("", Self::prefix),
            _ => "",
        }
    }

    /// Returns the names of the variables from whose unknown values parts of the word come: `X` for `a/${X%.c}`.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            WordPart::Unknown(unknown) => unknown.reason.source.base_variable(),
            WordPart::Text(_) | WordPart::Glob(_) => None,
        })
    }

    /// Whether the word names a pipe to another command: `<(…)`, `>(…)`, a descriptor of a `coproc`.
    pub(crate) fn is_pipe(&self) -> bool {
        matches!(self.parts.as_slice(), [WordPart::Unknown(unknown)] if matches!(unknown.reason.source, ValueSource::Stream(_)))
    }

    /// Whether a part of the word is a glob.
    pub(crate) fn may_be_glob(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, WordPart::Glob(_)))
    }

    /// Whether the word represents any number of words that `xargs` reads, or of files that a search finds.
    pub(crate) fn is_input_words(&self) -> bool {
        self.parts.iter().any(|part| match part {
            WordPart::Unknown(unknown) => {
                unknown.may_split
                    && matches!(
                        unknown.reason.source,
                        ValueSource::InputWords | ValueSource::OneOfFiles | ValueSource::SearchResult
                    )
            }
            WordPart::Text(_) | WordPart::Glob(_) => false,
        })
    }

    /// Whether a part of the word is a file name to which a glob has already expanded.
    #[must_use]
    pub fn has_matched(&self) -> bool {
        self.parts.iter().any(|part| part.matched_glob().is_some())
    }

    /// Returns the word with each file name to which a glob has already expanded replaced by that glob: `x/*.c` for
    /// `x/$f` in `for f in *.c`.
    #[must_use]
    pub fn as_globs(&self) -> Cow<'_, Self> {
        if !self.has_matched() {
            return Cow::Borrowed(self);
        }
        let mut word = Self { parts: WordParts::new(), span: self.span.clone() };
        for part in &self.parts {
            match part.matched_glob() {
                Some(glob) => glob.as_globs().parts.iter().for_each(|part| word.push(part.clone())),
                None => word.push(part.clone()),
            }
        }
        Cow::Owned(word)
    }

    /// Returns a word that represents one of the file names that this word matches, such as the value of `f` in `for f
    /// in *.c`. `None` if this word has no glob, or if a part of it is unknown for another reason.
    pub(crate) fn as_glob_match(&self) -> Option<Self> {
        let is_plain = |part: &WordPart| part.matched_glob().is_some() || !matches!(part, WordPart::Unknown(_));
        let has_glob = self.parts.iter().any(|part| matches!(part, WordPart::Glob(_)));
        if !has_glob || !self.parts.iter().all(is_plain) {
            return None;
        }
        let glob = Self { parts: self.parts.clone(), span: None };
        Some(Self::unknown(Unknown::with_source(Cause::Glob, self.display_text(), ValueSource::GlobMatch(glob.into()))))
    }

    /// Returns the reason why the word is not fully known, `None` if it is. The reason is that of the first unknown
    /// part other than random letters; if the word has only globs and random letters, it is [`Cause::Glob`] for the
    /// whole word.
    #[must_use]
    pub fn unknown_reason(&self) -> Option<Unknown> {
        let unknown = self.parts.iter().find_map(|part| match part {
            WordPart::Unknown(unknown) if !unknown.is_letters() => Some(unknown.reason.clone()),
            _ => None,
        });
        let glob = || self.parts.iter().any(|part| !matches!(part, WordPart::Text(_)));
        unknown.or_else(|| glob().then(|| Unknown::new(Cause::Glob, self.display_text())))
    }

    /// Returns the word with `branch` in place of each part that is the name of the current branch:
    /// `$(git branch --show-current)`.
    #[must_use]
    pub fn with_branch(&self, branch: &str) -> Self {
        let mut known = Self { parts: WordParts::new(), span: self.span.clone() };
        for part in &self.parts {
            known.push(match part {
                WordPart::Unknown(unknown) if unknown.is_branch() => WordPart::Text(branch.to_owned()),
                part => part.clone(),
            });
        }
        known
    }

    /// Whether the word may expand to no word or to several.
    #[must_use]
    pub fn may_split(&self) -> bool {
        self.parts.iter().any(|part| match part {
            WordPart::Unknown(unknown) => unknown.may_split,
            WordPart::Glob(_) => true,
            WordPart::Text(_) => false,
        })
    }

    /// Whether the word has an unquoted unknown part whose value may contain blanks, which would split the word into
    /// arbitrary words.
    #[must_use]
    pub fn may_split_at_blanks(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, WordPart::Unknown(unknown) if unknown.may_split && !unknown.is_identifier()))
    }

    /// Returns the known text of the word: globs as in the source, and a blank for each unknown part.
    #[must_use]
    pub fn literal(&self) -> String {
        self.parts.iter().map(|part| part.literal_text().unwrap_or(" ")).collect()
    }

    /// Whether a known part of the word contains `text`.
    #[must_use]
    pub fn has_known_text(&self, text: &str) -> bool {
        self.parts.iter().filter_map(WordPart::literal_text).any(|part| part.contains(text))
    }

    /// Returns the last character of the word; `None` if the word is empty or ends with an unknown part.
    #[must_use]
    pub fn last_char(&self) -> Option<char> {
        self.parts.last()?.literal_text()?.chars().next_back()
    }

    /// Returns the word without the text `start` at its beginning; `None` if the word is not known to begin with
    /// `start`.
    #[must_use]
    pub fn strip_prefix(&self, start: &str) -> Option<Self> {
        if self.parts.first().and_then(WordPart::matched_glob).is_some() {
            return self.as_globs().strip_prefix(start);
        }
        let rest = self.prefix().strip_prefix(start)?;
        let mut word = Self::text(rest);
        word.parts.extend(self.parts.iter().skip(usize::from(!self.prefix().is_empty())).cloned());
        Some(word)
    }

    /// Returns the name and the value of a word `NAME=value`; `None` if the known text at its start has no `=`.
    #[must_use]
    pub fn split_at_equals(&self) -> Option<(&str, Self)> {
        let (name, _) = self.prefix().split_once('=')?;
        Some((name, self.strip_prefix(self.prefix().get(..=name.len())?)?))
    }

    /// Whether the word is the path of the user's shell, `$SHELL` or `$BASH`, whose value is unknown.
    pub(crate) fn is_shell(&self) -> bool {
        matches!(self.parts.as_slice(), [WordPart::Unknown(unknown)] if unknown.reason.source == ValueSource::Shell)
    }

    /// Returns the `HOST/PORT` of `/dev/tcp/HOST/PORT` or `/dev/udp/HOST/PORT`, for which bash opens a connection
    /// instead of a file; `None` for any other word.
    pub(crate) fn socket(&self) -> Option<Self> {
        if !self.prefix().starts_with("/dev/") {
            return None;
        }
        ["/dev/tcp/", "/dev/udp/"].into_iter().find_map(|start| self.strip_prefix(start))
    }

    /// Returns the word for messages: known text as it is, globs and unknown parts as in the source.
    #[must_use]
    pub fn display_text(&self) -> String {
        self.parts.iter().map(WordPart::display_text).collect()
    }
}

impl WordPart {
    /// Returns the text of the part; `None` for a glob or an unknown part.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Glob(_) | Self::Unknown(_) => None,
        }
    }

    /// Whether the part is one of several known files, in a command that runs once for each of them.
    pub(crate) fn is_one_of_files(&self) -> bool {
        matches!(self, Self::Unknown(unknown) if unknown.is_one_of_files())
    }

    /// Returns the glob, if the part is one of the file names to which a glob has already expanded.
    #[must_use]
    pub fn matched_glob(&self) -> Option<&Word> {
        match self {
            Self::Unknown(unknown) => unknown.matched_glob(),
            Self::Text(_) | Self::Glob(_) => None,
        }
    }

    /// Returns the text of a known part or of a glob. For a file name to which a glob has already expanded, it is the
    /// source text (`$f`); for any other unknown part, `None`.
    pub(crate) fn literal_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Glob(text) => Some(text),
            Self::Unknown(unknown) => unknown.matched_glob().map(|_| &*unknown.reason.word),
        }
    }

    /// Returns the part for messages: the source text of an unknown part.
    fn display_text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) | Self::Glob(text) => Cow::Borrowed(text),
            // Words that `xargs` reads have no source text: `reason.word` is the name of the program that reads them.
            Self::Unknown(UnknownPart { reason: Unknown { source: ValueSource::InputWords, .. }, may_split: true }) => {
                "…".into()
            }
            Self::Unknown(unknown) => Cow::Borrowed(&unknown.reason.word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_joined_and_the_empty_word_is_known() {
        let mut word = Word::default();
        assert_eq!(word.known_text(), Some(""));
        word.push(WordPart::Text("a".to_owned()));
        word.push(WordPart::Text(String::new()));
        word.push(WordPart::Text("b".to_owned()));
        assert_eq!(word.known_text(), Some("ab"));
        word.push(WordPart::Glob("*".to_owned()));
        assert_eq!((word.known_text(), word.prefix(), word.display_text().as_str()), (None, "ab", "ab*"));
        assert_eq!(word.unknown_reason(), Some(Unknown::new(Cause::Glob, "ab*")));
    }

    #[test]
    fn what_follows_a_known_start_keeps_the_rest() {
        let mut word = Word::text("--out=");
        word.push(WordPart::Unknown(UnknownPart { reason: Unknown::new(Cause::Variable, "$X"), may_split: false }));
        let value = word.strip_prefix("--out=").unwrap();
        assert_eq!(value, Word::unknown(Unknown::new(Cause::Variable, "$X")));
        assert_eq!(word.strip_prefix("--in="), None);
        assert_eq!(Word::text("-m").strip_prefix("-m"), Some(Word::default()));
    }
}
