//! Shells, and the builtins that treat text as code.

use super::call::Call;
use super::words::join;
use super::{Nested, Setting, What};
use crate::argv::program_name;
use crate::dialect::{Dialect, Dialects, Language};
use crate::nested::Code;
use crate::open_files::descriptor_number;
use crate::programs::dialects;
use crate::word::Word;

/// The options of Bourne-like shells that take the next word. Each letter of a cluster takes one.
const VALUED: [char; 2] = ['o', 'O'];

/// Long options of bash, or those that do not change how a text is parsed.
const LONG: &[&str] = &[
    "debugger",
    "dump-po-strings",
    "dump-strings",
    "login",
    "noediting",
    "noprofile",
    "norc",
    "no-rcs",
    "restricted",
    "verbose",
];

/// Names of options that do not change how a text is parsed.
const USUAL: &[&str] = &[
    "allexport",
    "errexit",
    "errtrace",
    "functrace",
    "monitor",
    "noclobber",
    "noexec",
    "noglob",
    "nounset",
    "pipefail",
    "verbose",
    "xtrace",
];

/// The letter options of `set`, with their names.
const LETTERS: &[(char, &str)] = &[
    ('a', "allexport"),
    ('b', "notify"),
    ('e', "errexit"),
    ('f', "noglob"),
    ('h', "hashall"),
    ('k', "keyword"),
    ('m', "monitor"),
    ('n', "noexec"),
    ('p', "privileged"),
    ('t', "onecmd"),
    ('u', "nounset"),
    ('v', "verbose"),
    ('x', "xtrace"),
    ('B', "braceexpand"),
    ('C', "noclobber"),
    ('E', "errtrace"),
    ('H', "histexpand"),
    ('P', "physical"),
    ('T', "functrace"),
];

/// Returns the name of a letter option of `set`.
pub(crate) fn option_name(letter: char) -> Option<&'static str> {
    LETTERS.iter().find(|(own, _)| *own == letter).map(|(_, name)| *name)
}

/// Whether an option of `set` has a letter besides its name.
pub(crate) fn has_letter(name: &str) -> bool {
    LETTERS.iter().any(|(_, own)| *own == name)
}

/// How a shell is invoked.
#[derive(Default)]
struct Called {
    takes_text: bool,
    takes_input: bool,
    only_reads: bool,
    only_says: bool,
    /// Whether bash is in POSIX mode.
    is_posix: bool,
    /// Whether zsh emulates another shell, or parses as another does.
    emulates: bool,
    started: Vec<Word>,
    /// The names of the `set` options among its own.
    options: Vec<(String, Sign)>,
    /// The index of its first operand.
    operands: usize,
}

/// `sh [-options] [-o name] [-c text | -s | file] [arguments]`
pub(super) fn bourne(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let called = called(call.words);
    let reader = called.readers(call.words);
    // In zsh, the letters have other meanings.
    let options = if reader.has(Dialect::Zsh) { Vec::new() } else { called.options.clone() };
    let setting = &Setting { reader, options, ..setting.clone() };
    let mut found: Vec<What> = called.started.into_iter().map(What::File).collect();
    let rest = call.words.get(called.operands..).unwrap_or_default();
    if !called.only_reads && !called.only_says {
        found.extend(match rest {
            [text, arguments @ ..] if called.takes_text => Some(What::Script(text.clone(), arguments.to_vec())),
            [] if called.takes_text => None,
            arguments if called.takes_input => Some(What::Input(arguments.to_vec())),
            [] => Some(What::Input(Vec::new())),
            [file, ..] if file.known().is_some_and(|name| descriptor_number(name) == Some(0)) => {
                Some(What::Input(rest.get(1..).unwrap_or_default().to_vec()))
            }
            [file, ..] => Some(What::File(file.clone())),
        });
    }
    found.into_iter().map(|what| Nested::with(what, setting)).collect()
}

/// `$SHELL -c text`: it may be any Bourne-like shell.
pub(super) fn any(words: &[Word]) -> Vec<Nested> {
    let named: Vec<Word> = std::iter::once(Word::text("sh")).chain(words.iter().skip(1).cloned()).collect();
    let any = |inner: Nested| {
        let reader = Dialects::BOURNE.or(Dialects::ZSH);
        Nested { setting: Setting { reader, ..inner.setting }, ..inner }
    };
    bourne(&Call::new(&named), &Setting::default()).into_iter().map(any).collect()
}

/// Parses a shell's own words. The table would take the rest of a cluster as the value of `-o`; a shell takes the next
/// word.
fn called(words: &[Word]) -> Called {
    let mut called = Called { operands: 1, ..Called::default() };
    while let Some(word) = words.get(called.operands) {
        let text = word.prefix();
        let Some(letters) = text.strip_prefix(['-', '+']).filter(|_| !super::words::is_open(word)) else {
            break;
        };
        called.operands += 1;
        match (letters, letters.strip_prefix('-')) {
            // A `-` alone ends the options like `--`.
            ("", _) => break,
            (_, Some("")) => break,
            (_, Some("rcfile" | "init-file")) => {
                let file = called.next(words);
                called.started.extend(file);
            }
            (_, Some("version" | "help")) => called.only_says = true,
            (_, Some("emulate")) => {
                called.emulates = true;
                called.operands += 1;
            }
            (_, Some("posix")) => called.is_posix = true,
            // Zsh accepts the names of its options.
            (_, Some(name)) => called.emulates |= !LONG.contains(&name),
            (letters, None) => {
                called.cluster(letters, if text.starts_with('-') { Sign::Sets } else { Sign::TakesBack }, words)
            }
        }
    }
    called
}

impl Called {
    fn next(&mut self, words: &[Word]) -> Option<Word> {
        let word = words.get(self.operands).cloned();
        self.operands += 1;
        word
    }

    fn cluster(&mut self, letters: &str, sign: Sign, words: &[Word]) {
        let is_set = sign == Sign::Sets;
        for letter in letters.chars() {
            match letter {
                'c' if is_set => self.takes_text = true,
                's' if is_set => self.takes_input = true,
                'n' => self.only_reads = is_set,
                letter if VALUED.contains(&letter) => {
                    let name = self.next(words);
                    match name.as_ref().and_then(Word::known) {
                        Some("noexec") => self.only_reads = is_set,
                        Some("posix") => self.is_posix = is_set,
                        Some(name) => {
                            self.emulates |= !USUAL.contains(&name);
                            self.options.extend((letter == 'o').then(|| (name.to_owned(), sign)));
                        }
                        None => self.emulates = true,
                    }
                }
                'y' => self.emulates = true,
                letter => self.options.extend(option_name(letter).map(|name| (name.to_owned(), sign))),
            }
        }
    }
}

/// Returns the dialects in which a shell with these options may parse its text; `None` if it is not a Bourne-like
/// shell.
pub(crate) fn dialects_of(words: &[Word]) -> Option<Dialects> {
    let readers = called(words).readers(words);
    (!readers.is_empty()).then_some(readers)
}

impl Called {
    /// Returns the dialects in which the shell may parse its text.
    fn readers(&self, words: &[Word]) -> Dialects {
        match words.first().and_then(program_name).map_or(Dialects::NONE, dialects) {
            Dialects::BASH if self.is_posix => Dialects::POSIX,
            // Options may make it another shell, which takes option values differently.
            Dialects::ZSH if self.emulates => Dialects::ZSH.or(Dialects::BOURNE),
            own => own,
        }
    }
}

/// Whether options are set (`-e`) or unset (`+e`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Sets,
    TakesBack,
}

/// `fish [-C text] [-c text | file] [arguments]`; every text is run.
pub(super) fn fish(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let setting = Setting { language: Language::Fish, ..setting.clone() };
    let texts: Vec<&Word> = call.values("-C").chain(call.values("-c")).collect();
    // All words after a text are its arguments.
    let arguments: Vec<Word> = call.words.iter().take(1).chain(call.tail(0)).cloned().collect();
    let mut found: Vec<What> = texts.iter().map(|text| What::Script((*text).clone(), arguments.clone())).collect();
    if !call.has("-c") {
        found.push(match call.tail(0) {
            [] => What::Input(Vec::new()),
            [file, ..] if file.known() == Some("-") => What::Input(Vec::new()),
            [file, ..] => What::File(file.clone()),
        });
    }
    found.into_iter().map(|what| Nested::with(what, &setting)).collect()
}

/// Shells with a language other than bash's.
pub(super) fn other(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let texts: Vec<Word> = call.values("-c").chain(call.values("-e")).cloned().collect();
    let code = match (texts.is_empty(), call.operand(0)) {
        (false, _) => texts.into_iter().map(Code::Text).collect(),
        (true, Some(file)) => vec![Code::File(file.clone())],
        (true, None) => vec![Code::Input],
    };
    code.into_iter().map(|code| Nested::with(What::Foreign(code), setting)).collect()
}

/// `cmd /c text`
pub(super) fn cmd(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let is_code =
        |word: &Word| word.known().is_some_and(|text| matches!(text.to_ascii_lowercase().as_str(), "/c" | "/k" | "/r"));
    let setting = Setting { language: Language::Cmd, ..setting.clone() };
    let what = match call.words.iter().position(is_code) {
        Some(at) => match call.words.get(at + 1..).unwrap_or_default() {
            [text] => What::script(text.clone()),
            words => What::script(join(&words.iter().map(in_quotes).collect::<Vec<_>>())),
        },
        None => What::Input(Vec::new()),
    };
    vec![Nested::with(what, &setting)]
}

/// Returns a word as `cmd` gets it among others: one with blanks is quoted, and so is a path whose slashes would begin
/// options. PowerShell's words have a slash before a drive.
fn in_quotes(word: &Word) -> Word {
    let Some(text) = word.known() else { return word.clone() };
    let has_drive = text.starts_with('/') && text.get(2..4) == Some(":/");
    let text = if has_drive { text.trim_start_matches('/') } else { text };
    match text.contains(char::is_whitespace) || !text.starts_with('/') && text.contains('/') {
        true => Word::text(format!("\"{text}\"")),
        false => word.clone(),
    }
}

pub(super) fn source(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let file = call.operand(0).cloned();
    file.map(|file| Nested::with(What::File(file), setting)).into_iter().collect()
}

/// `trap text SIGNAL…`. A signal alone, `-` or an empty text removes a trap.
pub(super) fn trap(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    match call.tail(0) {
        [text, _, ..] if !matches!(text.known(), Some("-" | "")) => {
            vec![Nested::with(What::script(text.clone()), setting)]
        }
        _ => Vec::new(),
    }
}

/// `mapfile -C text` evaluates the text followed by the number and the text of a line; `compgen` runs its `-C` and
/// `-F`.
pub(super) fn callback(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let texts = call.values("-C").chain(call.values("-F"));
    let setting = Setting { repeats: true, ..setting.clone() };
    texts.map(|text| Nested::with(What::script(text.clone()), &setting)).collect()
}
