//! Shells, and the builtins that take text for code.

use super::call::Call;
use super::words::join;
use super::{Nested, Setting, What};
use crate::nested::Code;
use crate::word::{Cause, Unknown, Word};

/// The options of the shells in Bourne's manner that take the word behind them. Each letter of a cluster takes one.
const VALUED: [char; 2] = ['o', 'O'];

/// How a shell was called.
#[derive(Default)]
struct Called {
    takes_text: bool,
    takes_input: bool,
    only_reads: bool,
    only_says: bool,
    started: Vec<Word>,
    /// Where its operands begin.
    operands: usize,
}

/// `sh [-options] [-o name] [-c text | -s | file] [arguments]`
pub(super) fn bourne(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let called = called(call.words);
    let mut found: Vec<What> = called.started.into_iter().map(What::File).collect();
    let rest = call.words.get(called.operands..).unwrap_or_default();
    if !called.only_reads && !called.only_says {
        found.extend(match rest {
            [text, arguments @ ..] if called.takes_text => Some(What::Script(text.clone(), arguments.to_vec())),
            [] if called.takes_text => None,
            arguments if called.takes_input => Some(What::Input(arguments.to_vec())),
            [] => Some(What::Input(Vec::new())),
            [file, ..] if file.known() == Some("/dev/stdin") => {
                Some(What::Input(rest.get(1..).unwrap_or_default().to_vec()))
            }
            [file, ..] => Some(What::File(file.clone())),
        });
    }
    found.into_iter().map(|what| Nested::with(what, setting)).collect()
}

/// Reads a shell's own words: the table's reading takes the rest of a cluster as the value of `-o`, a shell the next
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
            // A `-` alone ends the options as `--` does.
            ("", _) => break,
            (_, Some("")) => break,
            (_, Some("rcfile" | "init-file")) => {
                let file = called.next(words);
                called.started.extend(file);
            }
            (_, Some("version" | "help")) => called.only_says = true,
            (_, Some("emulate")) => called.operands += 1,
            (_, Some(_)) => {}
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
                    if name.as_ref().and_then(Word::known) == Some("noexec") {
                        self.only_reads = is_set;
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether options are set (`-e`) or taken back (`+e`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Sets,
    TakesBack,
}

/// fish reads bash's words closely enough to find its commands; every `-c` is run.
pub(super) fn fish(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let texts: Vec<&Word> = call.values("-C").chain(call.values("-c")).collect();
    let mut found: Vec<What> = texts.iter().map(|text| What::Script((*text).clone(), call.tail(0).to_vec())).collect();
    if !call.has("-c") {
        found.push(match call.tail(0) {
            [] => What::Input(Vec::new()),
            [file, ..] => What::File(file.clone()),
        });
    }
    found.into_iter().map(|what| Nested::with(what, setting)).collect()
}

/// Shells of another language than bash's.
pub(super) fn other(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let texts: Vec<Word> = call.values("-c").chain(call.values("-e")).cloned().collect();
    let code = match (texts.is_empty(), call.operand(0)) {
        (false, _) => texts.into_iter().map(Code::Text).collect(),
        (true, Some(file)) => vec![Code::File(file.clone())],
        (true, None) => vec![Code::Input],
    };
    code.into_iter().map(|code| Nested::with(What::Foreign(code), setting)).collect()
}

/// PowerShell's options, by any beginning, in any case. The code takes all that follows.
pub(super) fn powershell(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    const VALUED: &[&str] = &[
        "configurationfile",
        "configurationname",
        "custompipename",
        "executionpolicy",
        "ep",
        "inputformat",
        "outputformat",
        "psconsolefile",
        "settingsfile",
        "version",
        "windowstyle",
        "workingdirectory",
        "wd",
    ];
    let mut rest = call.words.get(1..).unwrap_or_default();
    let mut code = None;
    while let [word, behind @ ..] = rest {
        let text = word.prefix().trim_start_matches(['-', '/']).to_ascii_lowercase();
        let is_option = word.prefix().starts_with(['-', '/']) && !text.is_empty();
        let is = |name: &str| is_option && name.starts_with(&text);
        code = if is("command") || text == "cwa" || is("commandwithargs") {
            Some(Code::Text(join(behind)))
        } else if is_option && matches!(text.as_str(), "e" | "ec" | "en" | "enc")
            || is("encodedcommand") && text.len() > 1
        {
            // Base64 of UTF-16.
            let why = Unknown::new(Cause::Decoded, behind.first().map(Word::shown).unwrap_or_default());
            Some(Code::Text(Word::unknown(why, false)))
        } else if is("file") {
            behind.first().cloned().map(Code::File)
        } else if !is_option {
            // Windows PowerShell takes it as a command, its successor as a file.
            Some(if word.known() == Some("-") { Code::Input } else { Code::Text(join(rest)) })
        } else {
            None
        };
        if code.is_some() {
            break;
        }
        if matches!(text.as_str(), "help" | "h" | "?" | "version" | "v") {
            return Vec::new();
        }
        let takes = VALUED.iter().any(|name| name.starts_with(&text));
        rest = if takes { behind.get(1..).unwrap_or_default() } else { behind };
    }
    vec![Nested::with(What::Foreign(code.unwrap_or(Code::Input)), setting)]
}

/// `cmd /c text`
pub(super) fn cmd(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let is_code =
        |word: &Word| word.known().is_some_and(|text| matches!(text.to_ascii_lowercase().as_str(), "/c" | "/k" | "/r"));
    let code = match call.words.iter().position(is_code) {
        Some(at) => Code::Text(join(call.words.get(at + 1..).unwrap_or_default())),
        None => Code::Input,
    };
    vec![Nested::with(What::Foreign(code), setting)]
}

pub(super) fn source(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let file = call.operand(0).cloned();
    file.map(|file| Nested::with(What::File(file), setting)).into_iter().collect()
}

/// `trap text SIGNAL…`. A signal alone, `-` or an empty text takes a trap back.
pub(super) fn trap(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    match call.tail(0) {
        [text, _, ..] if !matches!(text.known(), Some("-" | "")) => {
            vec![Nested::with(What::script(text.clone()), setting)]
        }
        _ => Vec::new(),
    }
}

/// `mapfile -C text` evaluates it with the number and the text of a line behind it; `compgen` runs its `-C` and `-F`.
pub(super) fn callback(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let texts = call.values("-C").chain(call.values("-F"));
    let setting = Setting { repeats: true, ..setting.clone() };
    texts.map(|text| Nested::with(What::script(text.clone()), &setting)).collect()
}
