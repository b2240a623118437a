//! What a record says in one word: how a program reads its words and how they may be written, and what its options take
//! and do.

/// How a program reads its words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reading {
    /// Options anywhere before a `--`; one-letter options in clusters.
    Gnu,
    /// As [`Reading::Gnu`], up to the first operand.
    Leading,
    /// Options are whole words behind one dash or two (`find -name`, `terraform -auto-approve`).
    Words,
    /// `name=value` (`dd of=x`).
    Pairs,
    /// As [`Reading::Gnu`]; the first word is a cluster without a dash too (`tar xzf`, `ps aux`).
    Bundled,
    /// There are no options (`echo`, `test`).
    Operands,
}

/// How long options may be written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LongOptions {
    /// By any beginning that is theirs alone: `getopt_long`, git, `argparse`, `Getopt::Long`.
    Shortened,
    /// Only as they are: Go, Rust and Node programs.
    Whole,
}

/// How a value may follow the letter of an option in the same word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ShortOptions {
    /// Directly: of `-o=x` the value is `=x`.
    Attached,
    /// Directly or behind a `=`: of `-o=x` the value is `x`. A letter without a value can take `=false`.
    Equals,
}

/// How subcommands may be written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Subcommands {
    /// Only as they are.
    Whole,
    /// By any beginning that is theirs alone (`npm pub`).
    Shortened,
}

/// What a subcommand may be that is not in the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unlisted {
    /// Another one, which the table does not need to know.
    Other,
    /// An alias that the user or the repository has set up; every subcommand of the program's own is in the table.
    Alias,
    /// A script of the project, which the program runs by its bare name (`pnpm lint`).
    Script,
}

/// Whether an option takes a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arity {
    /// It takes none.
    None,
    /// It takes one, attached or as the next word.
    Value,
    /// It takes one that is attached, or none (`--color[=WHEN]`, `-i[SUFFIX]`).
    Attached,
    /// Its long spelling takes one that is attached, or none; its letter takes none (`--follow[=HOW]`, `-f`).
    Long,
    /// It takes the words of a command, up to a `;` or to a `+` behind `{}`.
    Command,
}

/// What an option does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Does {
    /// Nothing that reaches beyond the program's own work.
    Nothing,
    /// Reads the file of its value.
    Reads,
    /// Writes the file of its value.
    Writes,
    /// Runs its value, or lets the program run code that the value names.
    Runs,
    /// Works in the directory of its value.
    Enters,
    /// Where it comes first, the program says how it is used and does nothing else.
    Explains,
}

/// What becomes of the standard input of a program: as it is written, and whether it may read it.
pub(super) const INPUTS: &[(&str, bool)] = &[("read", true), ("ignored", false)];

/// Languages whose code an interpreter runs: as they are written, and in Rust.
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

/// Dialects that a shell in Bourne's manner may read a text as: as they are written, and in Rust.
pub(super) const DIALECTS: &[(&str, &str)] =
    &[("any", "BOURNE"), ("bash", "BASH"), ("dash", "DASH"), ("sh", "SH"), ("zsh", "ZSH")];
