//! The meanings of keywords in a record: how a program parses its words, how these may be abbreviated, and what its
//! options take and do.

/// How a program parses its words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum WordSyntax {
    /// Options may be anywhere before a `--`, and several letters after one dash are several options: `ls x -la`.
    Gnu,
    /// Like [`WordSyntax::Gnu`], but all words from the first operand on are operands: `env -i sh -c x`.
    Leading,
    /// An option is a whole word after one dash or two: `find -name x`, `terraform -auto-approve`.
    Words,
    /// A word is `name=value`: `dd of=x`.
    Pairs,
    /// Like [`WordSyntax::Gnu`], but the first word may also be letters without a dash: `tar xzf x`, `ps aux`.
    Bundled,
    /// There are no options: `echo -x`, `test -f x`.
    Operands,
}

/// How the long options of a program may be abbreviated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LongOptionSyntax {
    /// To any unique prefix, as in programs that use `getopt_long`, `argparse` or `Getopt::Long`, and in git.
    Shortened,
    /// Not at all, as in most programs in Go, Rust or JavaScript.
    Whole,
}

/// How a value may be attached to an option with one letter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ShortOptionSyntax {
    /// Directly: the value of `-o=x` is `=x`.
    Attached,
    /// Directly, or after a `=`: the value of `-o=x` is `x`. For an option without a value, `=false` switches it off.
    Equals,
}

/// How the subcommands of a program may be written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SubcommandSyntax {
    /// In full.
    Whole,
    /// By any unique prefix (`npm pub`).
    Shortened,
    /// In full and in any case, and a switch with two slashes (`schtasks //Create`), as in Git's bash.
    AnyCase,
}

/// What a subcommand may be that is not in a program's record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UnlistedSubcommand {
    /// A further built-in subcommand.
    Other,
    /// An alias that the user or the repository defines. All built-in subcommands are in the record.
    Alias,
    /// A script of the project, which the program runs by its bare name (`pnpm lint`).
    Script,
}

/// Whether an option takes a value, and where the value is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arity {
    /// No value.
    None,
    /// A value, attached or as the next word.
    Value,
    /// An optional value, which has to be attached: `--color[=WHEN]`, `-i[SUFFIX]`.
    Attached,
    /// An optional number, attached or as the next word, if that is a number: `-j 4`.
    Number,
    /// An optional value, which has to be attached to the long spelling, while the letter takes no value:
    /// `--follow[=HOW]`, `-f`.
    Long,
    /// The words of a command, up to a `;` or to a `+` after `{}`: `find -exec rm {} +`.
    Command,
}

/// What an option does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OptionEffect {
    /// Nothing beyond the program's own work.
    Nothing,
    /// It reads the file that the value names.
    Reads,
    /// It writes the file that the value names, or another file if the option has no value.
    Writes,
    /// It runs the value as a command or code, or runs code that is configured elsewhere.
    Runs,
    /// It changes to the directory that the value names.
    Enters,
    /// If it is the first option, the program prints its usage and does nothing else.
    Explains,
}

/// What a program does with its operands besides reading them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OperandEffect {
    /// Nothing.
    Nothing,
    /// One of them is code: `awk PROGRAM FILE`.
    Runs,
    /// The first of them names code, to which the others are arguments: `go run FILE WORD`.
    FirstRuns,
    /// An operand such as `@FILE` names a file with more words: `tsc @FILE`.
    Expands,
    /// One of them names a file that is created.
    Writes,
}

/// Whether a program may read its standard input, as pairs of the word in TOML and its meaning.
pub(super) const INPUTS: &[(&str, bool)] = &[("read", true), ("ignored", false)];

/// The calls that a strict pattern need not name, as pairs of the word in TOML and the variant of the Rust enum
/// `IncidentalCall`.
pub(super) const INCIDENTAL_CALLS: &[(&str, &str)] = &[("filter", "Filter"), ("idle", "Idle")];

/// The languages of interpreters, as pairs of the word in TOML and the variant of the Rust enum `InterpreterLanguage`.
pub(super) const LANGUAGES: &[(&str, &str)] = &[
    ("applescript", "AppleScript"),
    ("awk", "Awk"),
    ("javascript", "JavaScript"),
    ("julia", "Julia"),
    ("lua", "Lua"),
    ("perl", "Perl"),
    ("php", "Php"),
    ("python", "Python"),
    ("r", "R"),
    ("ruby", "Ruby"),
];

/// The dialects in which a Bourne-like shell may read a script, as pairs of the word in TOML and the constant of the
/// Rust type `DialectSet`.
pub(super) const DIALECTS: &[(&str, &str)] =
    &[("any", "BOURNE"), ("bash", "BASH"), ("dash", "DASH"), ("sh", "SH"), ("zsh", "ZSH")];
