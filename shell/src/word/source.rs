//! Where unknown values come from: a variable, the output of a command. The analysis uses the sources to learn more
//! about a value; messages do not use them.

use std::sync::Arc;

use super::{CommandOutput, PrintedValue, Word, WordPart};

/// The source of an unknown value, as far as the source reveals something about the value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ValueSource {
    /// The source is not known, or reveals nothing about the value.
    #[default]
    Any,
    /// The complete output of a command: `$(…)`.
    Output(Arc<CommandOutput>),
    /// The value of a variable: `$x`, `${x}`.
    Variable(Arc<str>),
    /// A path below the value of a variable: `$x/build`.
    BelowVariable(Arc<BelowVariable>),
    /// A line, or all lines, that a command reads into a variable: `read x`, `mapfile x`.
    ReadVariable(Arc<ReadVariable>),
    /// The value of a variable, or a default: `${x:-default}`.
    Defaulted(Arc<DefaultedVariable>),
    /// A value derived from a variable, or a part of it: `${x%.c}`, `${x:0:4}`, `${x[0]}`.
    DerivedVariable(Arc<str>),
    /// The value of a variable whose name is unknown: `${!x}`.
    IndirectVariable,
    /// A known word, or nothing: `${x:+word}`.
    Alternative,
    /// A number: `$RANDOM`, `$((x))`.
    Number,
    /// The path of a Bourne-like shell: `$SHELL`, `$BASH`.
    Shell,
    /// The process ID of the shell itself: `$$`, `$BASHPID`.
    Process,
    /// The process ID of the shell's parent: `$PPID`.
    Parent,
    /// One or several paths of files below a directory, relative to that directory.
    BelowDirectory,
    /// One file name without a slash: an entry of a listing of a directory, or the rest of a name that a glob matches
    /// (`${f%.txt}`).
    Name,
    /// One of the file names to which this glob has already expanded, as a single path: the value of `f` in `for f in
    /// *.c`. The shell does not expand the name again.
    GlobMatch(Arc<Word>),
    /// The name of a pipe between two commands: `<(…)`, `>(…)`, a descriptor of a `coproc`.
    Stream(StreamId),
    /// One file that a search finds, which replaces the `{}` of its command: `find . -exec rm {} \;`.
    SearchResult,
    /// One of several known files, in a command that runs once for each of them: a single path, and not an option.
    OneOfFiles,
    /// The words that a program such as `xargs` reads from its input and appends to a command.
    InputWords,
    /// This many random letters and digits, which replace the `X`s in a template of `mktemp`.
    RandomLetters(usize),
}

/// A variable into which a command reads lines: `read x`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReadVariable {
    /// The name of the variable.
    pub name: String,
    /// The command that reads the lines.
    pub reader: CommandId,
    /// The commands whose output `reader` reads.
    pub writers: Vec<CommandId>,
}

/// A path that begins with the value of a variable: `$name/rest`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct BelowVariable {
    /// The name of the variable.
    pub name: String,
    /// The text after the variable, which begins with a slash.
    pub rest: String,
}

/// A variable with a default value: `${name:-default}`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct DefaultedVariable {
    /// The name of the variable.
    pub name: String,
    /// The text of the default; `None` if the text is unknown.
    pub default: Option<String>,
    /// Whether the default also replaces an empty value: `:-` instead of `-`.
    pub for_empty: bool,
}

/// A simple command of an [`Analysis`](crate::Analysis), by its index in
/// [`Analysis::commands`](crate::Analysis::commands).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CommandId(pub(crate) usize);

impl CommandId {
    /// Returns the index in [`Analysis::commands`](crate::Analysis::commands).
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }
}

/// The number of a stream between two commands, which distinguishes the streams of a text: they have no names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StreamId(pub(crate) usize);

impl ValueSource {
    /// Returns the name of the variable if the value is exactly that of one variable: `$x`, and not `${x%.c}`.
    #[must_use]
    pub fn variable(&self) -> Option<&str> {
        match self {
            Self::Variable(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the source of the value of `${x:+word}`, given the expanded `word`. The value is empty if `x` is unset
    /// or empty.
    pub(crate) fn from_alternative(word: &Word) -> Self {
        let unknown = word.parts.iter().find_map(|part| match part {
            WordPart::Unknown(unknown) => Some(&unknown.reason.source),
            WordPart::Text(_) | WordPart::Glob(_) => None,
        });
        match unknown.map(Self::base_variable) {
            None => Self::Alternative,
            Some(Some(name)) => Self::DerivedVariable(name.into()),
            Some(None) => Self::Any,
        }
    }

    /// Returns the name of the variable from which the value comes: its whole value, a part of it or a changed value
    /// (`x` for `$x` and `${x%.c}`).
    #[must_use]
    pub fn base_variable(&self) -> Option<&str> {
        match self {
            Self::Variable(name) | Self::DerivedVariable(name) => Some(name),
            Self::ReadVariable(read) => Some(&read.name),
            Self::Defaulted(defaulted) => Some(&defaulted.name),
            _ => None,
        }
    }

    /// Returns the kind of value that a command prints, if this value is the complete output of that command and the
    /// kind is known.
    #[must_use]
    pub fn printed_value(&self) -> Option<&PrintedValue> {
        match self {
            Self::Output(output) => output.prints.as_ref(),
            _ => None,
        }
    }

    /// Whether the value is, or begins with, a revision of git (`HEAD`, `abc123:x`), and so does not name a file.
    pub(crate) fn is_revision(&self) -> bool {
        matches!(self, Self::Output(output) if output.is_revision)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::analysis::{Analysis, StartDirectories};
    use crate::interpret::analyse;

    fn analysed(text: &str) -> Analysis {
        analyse(text, &StartDirectories { cwd: Path::new("/home/dev/proj"), home: None })
    }

    /// Returns the source of the last unknown part of the last command of a text.
    fn last(text: &str) -> Option<ValueSource> {
        let analysis = analysed(text);
        let user = analysis.commands.iter().rev().find(|command| !command.in_substitution)?;
        user.words.iter().flat_map(|word| &word.parts).rev().find_map(|part| match part {
            WordPart::Unknown(unknown) => Some(unknown.reason.source.clone()),
            WordPart::Text(_) | WordPart::Glob(_) => None,
        })
    }

    #[test]
    fn an_unknown_part_has_its_source() {
        let variable = |name: &str| ValueSource::Variable(name.into());
        let defaulted = |default: Option<&str>, for_empty| {
            let default = default.map(str::to_owned);
            ValueSource::Defaulted(Arc::new(DefaultedVariable { name: "TMPDIR".to_owned(), default, for_empty }))
        };
        let rows = [
            ("rm $X", variable("X")),
            ("rm ${X}", variable("X")),
            ("rm \"${X}\"/y", variable("X")),
            ("Y=$X; rm $Y", variable("X")),
            ("rm ${TMPDIR:-/tmp}", defaulted(Some("/tmp"), true)),
            ("rm ${TMPDIR-\"/tmp\"}", defaulted(Some("/tmp"), false)),
            ("rm ${TMPDIR:-$X}", defaulted(None, true)),
            ("rm ${X%y}", ValueSource::DerivedVariable("X".into())),
            ("rm ${X:1}", ValueSource::DerivedVariable("X".into())),
            ("Y=${X^^}; rm $Y", ValueSource::DerivedVariable("X".into())),
            ("v=X; rm ${!v}", variable("X")),
            ("rm ${X[0]}", ValueSource::DerivedVariable("X".into())),
            ("rm ${#X}", ValueSource::Number),
            ("rm ${!X}", ValueSource::IndirectVariable),
            ("rm ${X:+y}", ValueSource::Alternative),
            ("rm ${X+$Y}", ValueSource::DerivedVariable("Y".into())),
            ("rm $RANDOM", ValueSource::Number),
            ("for i in {1..50}; do rm $i; done", ValueSource::Number),
            ("for ((i=0;i<9;i++)); do rm $i; done", ValueSource::Number),
            ("for ((i = 0, n = 9; i < n; i++)); do rm $i; done", ValueSource::Number),
            ("for ((i=n;i<9;i++)); do rm $i; done", variable("i")),
            ("i=0; while x; do i=$((i+1)); done; rm $i", ValueSource::Number),
            ("i=0; while x; do ((i++)); done; rm $i", ValueSource::Number),
            ("i=0; while x; do let i++; done; rm $i", ValueSource::Number),
            ("i=0; while x; do ((i++)); i=/srv; done; rm $i", variable("i")),
            ("i=/srv; ((i++)); rm $i", variable("i")),
            ("for g in *.c; do while read x; do g=/srv; rm \"$g\"; g=$g; done; rm \"$g\"; done", variable("g")),
            ("for f in *.c; do rm $(basename $f .c); done", ValueSource::Name),
            ("rm ${SHLVL}", ValueSource::Number),
            ("rm $PPID", ValueSource::Parent),
            ("$SHELL", ValueSource::Shell),
            ("\"${BASH}\"", ValueSource::Shell),
            ("SHELL=$X; $SHELL", variable("X")),
            (
                "read SHELL <<< \"$X\"; $SHELL",
                ValueSource::ReadVariable(Arc::new(ReadVariable {
                    name: "SHELL".to_owned(),
                    reader: CommandId(0),
                    writers: Vec::new(),
                })),
            ),
            ("P=${PPID}; rm \"$P\"", ValueSource::Parent),
            ("rm $((X + 1))", ValueSource::Number),
            ("for f in *.c; do rm ${f%.c}; done", ValueSource::Name),
            ("find . -exec rm {} \\;", ValueSource::SearchResult),
            ("fd x -x rm {}", ValueSource::SearchResult),
            ("ls | xargs rm", ValueSource::InputWords),
        ];
        for (text, expected) in rows {
            assert_eq!(last(text), Some(expected), "{text}");
        }
        assert!(matches!(last("cat <(X)"), Some(ValueSource::Stream(_))));
    }

    #[test]
    fn what_only_looks_like_a_source_is_none() {
        let rows = [
            // Neither is the value of the variable itself.
            "rm ${!TMPDIR:-/tmp}",
            // A substitution, although it begins and ends like an expression.
            "rm $((cat x); (cat y))",
            // The placeholder of another program.
            "ls | xargs -I{} rm {}",
        ];
        for text in rows {
            assert_eq!(last(text), Some(ValueSource::Any), "{text}");
        }
        // The text assigns it a value, so it is not a number any more.
        let by = CommandId(0);
        assert_eq!(
            last("read X; rm $X"),
            Some(ValueSource::ReadVariable(Arc::new(ReadVariable {
                name: "X".to_owned(),
                reader: by,
                writers: Vec::new()
            })))
        );
        assert_eq!(last("read RANDOM; rm $RANDOM"), Some(ValueSource::Variable("RANDOM".into())));
        assert_eq!(last("rm '$X' '$(mktemp -d)'"), None);
    }

    #[test]
    fn two_streams_of_the_same_text_are_two() {
        let text = "v=one; p=<(echo \"rm $v\"); v=two; q=<(echo \"rm $v\"); bash $p";
        let is_run = |name: &str| {
            let words = ["rm", name].map(Some);
            analysed(text).commands.iter().any(|command| command.words.iter().map(Word::known_text).eq(words))
        };
        assert!(is_run("one"));
        assert!(!is_run("two"));
    }

    #[test]
    fn a_word_for_people_is_no_source() {
        let directory = |text: &str| match analysed(text).commands.last().map(|command| command.cwd.clone()) {
            Some(crate::word::Directory::Unknown(why)) => why.source.printed_value().cloned(),
            _ => None,
        };
        assert_eq!(directory("cd \"$(mktemp  -d)\"; ls"), Some(PrintedValue::TemporaryDirectory));
        assert_eq!(directory("cd \"$(mktemp -d)\"/x; ls"), None);
        assert_eq!(directory("cd $X'$(mktemp -d)'; ls"), None);
    }
}
