//! Keywords of a record: how a program parses its words, how they may be abbreviated, and what its options take and do.

/// How a program parses its words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum WordSyntax {
    /// Options anywhere before a `--`; one-letter options in clusters.
    Gnu,
    /// Like [`WordSyntax::Gnu`], up to the first operand.
    Leading,
    /// Options are whole words after one dash or two (`find -name`, `terraform -auto-approve`).
    Words,
    /// `name=value` (`dd of=x`).
    Pairs,
    /// Like [`WordSyntax::Gnu`]; the first word may also be a cluster without a dash (`tar xzf`, `ps aux`).
    Bundled,
    /// There are no options (`echo`, `test`).
    Operands,
}

/// How long options may be abbreviated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LongOptionSyntax {
    /// To any unique prefix: `getopt_long`, git, `argparse`, `Getopt::Long`.
    Shortened,
    /// Not at all: Go, Rust and Node programs.
    Whole,
}

/// How a value may follow the letter of an option in the same word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ShortOptionSyntax {
    /// Directly: in `-o=x` the value is `=x`.
    Attached,
    /// Directly or after a `=`: in `-o=x` the value is `x`. A letter without a value accepts `=false`.
    Equals,
}

/// How subcommands may be abbreviated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SubcommandSyntax {
    /// Not at all.
    Whole,
    /// To any unique prefix (`npm pub`).
    Shortened,
}

/// What a subcommand that is not in the table may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum UnlistedSubcommand {
    /// Some other subcommand, which the table does not need to know.
    Other,
    /// An alias set up by the user or the repository; every built-in subcommand is listed.
    Alias,
    /// A script of the project, which the program runs by its bare name (`pnpm lint`).
    Script,
}

/// Whether an option takes a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arity {
    /// It takes no value.
    None,
    /// It takes a value, attached or as the next word.
    Value,
    /// It takes an optional, attached value (`--color[=WHEN]`, `-i[SUFFIX]`).
    Attached,
    /// Its long spelling takes an optional, attached value; its letter takes none (`--follow[=HOW]`, `-f`).
    Long,
    /// It takes the words of a command, up to a `;` or to a `+` after `{}`.
    Command,
}

/// The effect of an option.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OptionEffect {
    /// Nothing beyond the program's own work.
    Nothing,
    /// Reads the file that its value names.
    Reads,
    /// Writes the file that its value names.
    Writes,
    /// Runs its value, or makes the program run code that the value names.
    Runs,
    /// Changes to the directory that its value names.
    Enters,
    /// If it comes first, the program prints its usage and does nothing else.
    Explains,
}

/// Whether a program may read its standard input, by the TOML word.
pub(super) const INPUTS: &[(&str, bool)] = &[("read", true), ("ignored", false)];

/// The languages that an interpreter runs: the TOML word, and the Rust name.
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

/// The dialects in which a Bourne-like shell may read code: the TOML word, and the Rust name.
pub(super) const DIALECTS: &[(&str, &str)] =
    &[("any", "BOURNE"), ("bash", "BASH"), ("dash", "DASH"), ("sh", "SH"), ("zsh", "ZSH")];
