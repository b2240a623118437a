//! What a command runs in its turn: `sudo`, `xargs`, `sh -c`, `ssh`, `eval`, `git submodule foreach`.

use super::{Assignment, Scope, Why, Word};

/// A command or a text that another command runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inner {
    /// What is run.
    pub what: What,
    /// What differs from where the outer command stands.
    pub setting: Setting,
    /// Why it may be something else that runs, or nothing. None where it is certain.
    pub doubt: Option<Why>,
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

/// Returns what a command runs in its turn, in the order of its words.
#[must_use]
pub fn inner(words: &[Word]) -> Vec<Inner> {
    let known = |at: usize| words.get(at).and_then(Word::known);
    let rest = |at: usize| words.get(at..).unwrap_or_default();
    let name = known(0).map(|name| name.rsplit('/').next().unwrap_or(name));
    let mut setting = Setting::default();
    let what = match name {
        Some("sh" | "bash" | "zsh") => match words.iter().position(|word| word.known() == Some("-c")) {
            Some(at) => words.get(at + 1).map(|text| What::Script(text.clone(), rest(at + 2).to_vec())),
            None => match rest(1).iter().find(|word| !word.prefix().starts_with('-')) {
                Some(file) if known(1) != Some("-s") => Some(What::File(file.clone())),
                _ => Some(What::Input(rest(3).to_vec())),
            },
        },
        Some("eval") => {
            setting.in_this_shell = true;
            let mut text = Word::default();
            for (at, word) in rest(1).iter().enumerate() {
                if at > 0 {
                    text.push(super::Part::Text(" ".to_owned()));
                }
                word.parts.iter().for_each(|part| text.push(part.clone()));
            }
            Some(What::Script(text, Vec::new()))
        }
        Some("source" | ".") => {
            setting.in_this_shell = true;
            words.get(1).map(|file| What::File(file.clone()))
        }
        Some("command" | "builtin" | "exec") => {
            setting.in_this_shell = true;
            Some(What::Argv(rest(1).to_vec()))
        }
        Some("sudo" | "env") => Some(What::Argv(rest(1).to_vec())),
        Some("xargs") => {
            setting.repeats = true;
            let mut words = rest(1).to_vec();
            words.push(Word::hole(Why::new(super::Cause::Input, "xargs"), true));
            Some(What::Argv(words))
        }
        Some("python3") if known(1) == Some("-c") => words.get(2).map(|code| What::Foreign(Code::Text(code.clone()))),
        Some("python3") => Some(What::Foreign(match words.get(1) {
            Some(file) if file.known() != Some("-") => Code::File(file.clone()),
            _ => Code::Input,
        })),
        _ => None,
    };
    let runs = |what: &What| !matches!(what, What::Argv(words) if words.is_empty());
    what.filter(runs).map(|what| Inner { what, setting, doubt: None }).into_iter().collect()
}
