//! What a command runs in its turn: `sudo`, `xargs`, `sh -c`, `ssh`, `eval`, `git submodule foreach`.

use super::{Assignment, Scope, Word};

/// A command or a text that another command runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inner {
    /// What is run.
    pub what: What,
    /// What differs from where the outer command stands.
    pub setting: Setting,
}

/// What is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// These words, as a program with its arguments. A hole that splits stands where more words come (`xargs`, `{}`).
    Argv(Vec<Word>),
    /// This text, which bash or its like reads; behind it `$0`, `$1`, ….
    Script(Word, Vec<Word>),
    /// A text on standard input, which bash or its like reads; behind it `$0`, `$1`, ….
    Input(Vec<Word>),
    /// A file, which bash or its like reads.
    File(Word),
    /// Code in a language that is not parsed: the text, if it stands in the words, else it comes from standard input or
    /// the file.
    Foreign(Code),
}

/// Where code in another language comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Code {
    /// The words hold it.
    Text(Word),
    /// Standard input.
    Input,
    /// A file.
    File(Word),
}

/// What differs from where the outer command stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setting {
    /// It runs elsewhere.
    pub scope: Option<Scope>,
    /// It runs in this directory.
    pub directory: Option<Word>,
    /// Variables that are set or removed.
    pub environment: Vec<Assignment>,
    /// It runs more than once.
    pub repeats: bool,
    /// It is not waited for.
    pub in_background: bool,
    /// It is no new process: what it sets stays (`eval`, `.`, `command`, `builtin`).
    pub in_this_shell: bool,
}
