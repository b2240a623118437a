//! What shells run, and the builtins that evaluate a text.

use super::call::OuterCommand;
use super::words::join;
use super::{NestedCommand, NestedSetting, Runnable};
use crate::argv::program_name;
use crate::dialect::{Dialect, DialectSet, ScriptLanguage};
use crate::nested::CodeSource;
use crate::open_files::descriptor_number;
use crate::programs::dialects;
use crate::word::Word;

/// The letter options of Bourne-like shells that take the next word. Each such letter in a cluster takes one word.
const VALUED: [char; 2] = ['o', 'O'];

/// The long options, most of them of bash, that do not change how a text is parsed.
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

/// The names of the options of `set -o` that do not change how a text is parsed.
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

/// The letter options of `set`, each with its name.
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

/// Returns the name of a letter option of `set`: `errexit` for `e`.
pub(crate) fn option_name(letter: char) -> Option<&'static str> {
    LETTERS.iter().find(|(other, _)| *other == letter).map(|(_, name)| *name)
}

/// Whether an option of `set` has a letter in addition to its name.
pub(crate) fn has_letter(name: &str) -> bool {
    LETTERS.iter().any(|(_, other)| *other == name)
}

/// The options with which a shell is invoked.
#[derive(Default)]
struct ShellInvocation {
    /// The first operand is a text to run: `-c`.
    takes_text: bool,
    /// The text comes from standard input: `-s`.
    takes_input: bool,
    /// The text is parsed and not run: `-n`.
    only_reads: bool,
    /// The shell only prints its version or its usage.
    is_informational: bool,
    /// Whether the shell is bash in POSIX mode.
    is_posix: bool,
    /// Whether the shell may be zsh that emulates another shell, or that parses a text like another one.
    emulates: bool,
    /// The files that the shell reads first: `--rcfile FILE`.
    startup_files: Vec<Word>,
    /// The names of the options of `set` that are given, and whether each is set or unset.
    options: Vec<(String, OptionSign)>,
    /// The index of the first operand.
    operands: usize,
}

/// Returns what a Bourne-like shell runs: `sh [-options] [-o name] [-c text | -s | file] [arguments]`.
pub(super) fn bourne(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let invocation = parse_invocation(call.words);
    let reader = invocation.readers(call.words);
    // In zsh, some of the letters have other meanings.
    let options = if reader.has(Dialect::Zsh) { Vec::new() } else { invocation.options.clone() };
    let setting = &NestedSetting { reader, options, ..setting.clone() };
    let mut found: Vec<Runnable> = invocation.startup_files.into_iter().map(Runnable::File).collect();
    let rest = call.words.get(invocation.operands..).unwrap_or_default();
    if !invocation.only_reads && !invocation.is_informational {
        found.extend(match rest {
            [text, arguments @ ..] if invocation.takes_text => {
                let text = if call.has_name_at(0, &["csh", "tcsh"]) { without_force(text) } else { text.clone() };
                Some(Runnable::Script(text, arguments.to_vec()))
            }
            [] if invocation.takes_text => None,
            arguments if invocation.takes_input => Some(Runnable::Input(arguments.to_vec())),
            [] => Some(Runnable::Input(Vec::new())),
            [file, ..] if file.known_text().is_some_and(|name| descriptor_number(name) == Some(0)) => {
                Some(Runnable::Input(rest.get(1..).unwrap_or_default().to_vec()))
            }
            [file, ..] => Some(Runnable::File(file.clone())),
        });
    }
    found.into_iter().map(|what| NestedCommand::new(what, setting)).collect()
}

/// Returns a text of csh without the `!` of `>! FILE`, `>>! FILE` and `>&! FILE`, which overwrite a file in any case.
fn without_force(text: &Word) -> Word {
    match text.known_text().filter(|text| text.contains(">!") || text.contains(">&!")) {
        Some(text) => Word::text(text.replace(">!", ">").replace(">&!", ">&")),
        None => text.clone(),
    }
}

/// Returns what a shell of unknown name runs, which may be any Bourne-like shell: `$SHELL -c text`.
pub(super) fn any_shell(words: &[Word]) -> Vec<NestedCommand> {
    let named: Vec<Word> = std::iter::once(Word::text("sh")).chain(words.iter().skip(1).cloned()).collect();
    let any = |inner: NestedCommand| {
        let reader = DialectSet::BOURNE.union(DialectSet::ZSH);
        NestedCommand { setting: NestedSetting { reader, ..inner.setting }, ..inner }
    };
    bourne(&OuterCommand::new(&named), &NestedSetting::default()).into_iter().map(any).collect()
}

/// Parses the words of a shell up to its first operand. The record cannot be used: by it, the letters after `o` in a
/// cluster would be the value of `-o`, but a shell takes the next word.
fn parse_invocation(words: &[Word]) -> ShellInvocation {
    let mut invocation = ShellInvocation { operands: 1, ..ShellInvocation::default() };
    while let Some(word) = words.get(invocation.operands) {
        let text = word.prefix();
        let Some(letters) = text.strip_prefix(['-', '+']).filter(|_| !super::words::begins_with_unknown(word)) else {
            break;
        };
        invocation.operands += 1;
        match (letters, letters.strip_prefix('-')) {
            // A `-` alone ends the options like `--`.
            ("", _) => break,
            (_, Some("")) => break,
            (_, Some("rcfile" | "init-file")) => {
                let file = invocation.read_option(words);
                invocation.startup_files.extend(file);
            }
            (_, Some("version" | "help")) => invocation.is_informational = true,
            (_, Some("emulate")) => {
                invocation.emulates = true;
                invocation.operands += 1;
            }
            (_, Some("posix")) => invocation.is_posix = true,
            // Zsh accepts the name of any of its options after `--`.
            (_, Some(name)) => invocation.emulates |= !LONG.contains(&name),
            (letters, None) => invocation.cluster(
                letters,
                if text.starts_with('-') { OptionSign::Sets } else { OptionSign::Unsets },
                words,
            ),
        }
    }
    invocation
}

impl ShellInvocation {
    /// Returns the next word, as the value of an option, and skips it.
    fn read_option(&mut self, words: &[Word]) -> Option<Word> {
        let word = words.get(self.operands).cloned();
        self.operands += 1;
        word
    }

    /// Applies a cluster of letter options, whose values are among `words`.
    fn cluster(&mut self, letters: &str, sign: OptionSign, words: &[Word]) {
        let is_set = sign == OptionSign::Sets;
        for letter in letters.chars() {
            match letter {
                'c' if is_set => self.takes_text = true,
                's' if is_set => self.takes_input = true,
                'n' => self.only_reads = is_set,
                letter if VALUED.contains(&letter) => {
                    let name = self.read_option(words);
                    match name.as_ref().and_then(Word::known_text) {
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

/// Returns the dialects in which the shell that `words` start may parse its text; `None` if it is not a Bourne-like
/// shell.
pub(crate) fn dialects_of(words: &[Word]) -> Option<DialectSet> {
    let readers = parse_invocation(words).readers(words);
    (!readers.is_empty()).then_some(readers)
}

impl ShellInvocation {
    /// Returns the dialects in which the shell may parse its text, an empty set if it is not a Bourne-like shell.
    fn readers(&self, words: &[Word]) -> DialectSet {
        match words.first().and_then(program_name).map_or(DialectSet::NONE, dialects) {
            DialectSet::BASH if self.is_posix => DialectSet::POSIX,
            // Zsh that emulates another shell also parses the values of options differently.
            DialectSet::ZSH if self.emulates => DialectSet::ZSH.union(DialectSet::BOURNE),
            dialects => dialects,
        }
    }
}

/// Whether options are set (`-e`) or unset (`+e`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OptionSign {
    /// The option is set: `-e`.
    Sets,
    /// The option is unset: `+e`.
    Unsets,
}

/// Returns what fish runs: `fish [-C text] [-c text | file] [arguments]`. It runs every text.
pub(super) fn fish(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let setting = NestedSetting { language: ScriptLanguage::Fish, ..setting.clone() };
    let texts: Vec<&Word> = call.values("-C").chain(call.values("-c")).collect();
    // All words after a text are the arguments of the script.
    let arguments: Vec<Word> = call.words.iter().take(1).chain(call.tail(0)).cloned().collect();
    let mut found: Vec<Runnable> =
        texts.iter().map(|text| Runnable::Script((*text).clone(), arguments.clone())).collect();
    if !call.has_option("-c") {
        found.push(match call.tail(0) {
            [] => Runnable::Input(Vec::new()),
            [file, ..] if file.known_text() == Some("-") => Runnable::Input(Vec::new()),
            [file, ..] => Runnable::File(file.clone()),
        });
    }
    found.into_iter().map(|what| NestedCommand::new(what, &setting)).collect()
}

/// Returns what a shell runs whose language is not that of bash, such as `nu -c CODE`.
pub(super) fn other(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let texts: Vec<Word> = call.values("-c").chain(call.values("-e")).cloned().collect();
    let code = match (texts.is_empty(), call.operand(0)) {
        (false, _) => texts.into_iter().map(CodeSource::Text).collect(),
        (true, Some(file)) => vec![CodeSource::File(file.clone())],
        (true, None) => vec![CodeSource::Input],
    };
    code.into_iter().map(|code| NestedCommand::new(Runnable::Foreign(code), setting)).collect()
}

/// Returns what cmd runs: `cmd /c text`.
pub(super) fn cmd(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let setting = NestedSetting { language: ScriptLanguage::Cmd, ..setting.clone() };
    let code = call.words.iter().enumerate().skip(1).find_map(|(at, word)| Some((at, code_of_cmd(word)?)));
    let what = match code {
        Some((at, attached)) => {
            let attached = Some(attached).filter(|text| !text.parts.is_empty());
            let rest = call.words.get(at + 1..).unwrap_or_default().iter().cloned();
            match attached.into_iter().chain(rest).collect::<Vec<Word>>().as_slice() {
                [text] => Runnable::script(text.clone()),
                words => Runnable::script(join(&words.iter().map(quote_argument).collect::<Vec<_>>())),
            }
        }
        None => Runnable::Input(Vec::new()),
    };
    vec![NestedCommand::new(what, &setting)]
}

/// Returns the text that is attached to the option of `cmd` after which its code follows (`/c`, `/Cdel`, `/q/c`);
/// `None` if a word is not this option. The shell of Git for Windows turns `//c` into `/c`.
fn code_of_cmd(word: &Word) -> Option<Word> {
    let start = word.prefix();
    let mut at = 0;
    loop {
        let rest = start.get(at..)?;
        let slashes = if rest.starts_with("//") { 2 } else { usize::from(rest.starts_with('/')) };
        let letter = rest.get(slashes..)?.chars().next().filter(|_| slashes > 0)?;
        let after = at + slashes + letter.len_utf8();
        if matches!(letter.to_ascii_lowercase(), 'c' | 'k' | 'r') {
            return word.strip_prefix(start.get(..after)?);
        }
        // Another option, perhaps with a value: `/q`, `/e:on`.
        at = after + start.get(after..)?.find('/')?;
    }
}

/// Returns a word as `cmd` gets it as one of several: in quotes if it has white space, or if it is a path whose slashes
/// would begin options. The slash before a drive that PowerShell's words have, `/C:/x`, is removed.
fn quote_argument(word: &Word) -> Word {
    let Some(text) = word.known_text() else { return word.clone() };
    let has_drive = text.starts_with('/') && text.get(2..4) == Some(":/");
    let text = if has_drive { text.trim_start_matches('/') } else { text };
    match text.contains(char::is_whitespace) || !text.starts_with('/') && text.contains('/') {
        true => Word::text(format!("\"{text}\"")),
        false => word.clone(),
    }
}

/// Returns the file that `. FILE` or `source FILE` runs.
pub(super) fn source(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let file = call.operand(0).cloned();
    file.map(|file| NestedCommand::new(Runnable::File(file), setting)).into_iter().collect()
}

/// Returns what `trap text SIGNAL…` runs later. A signal alone, `-` or an empty text removes a trap, and runs
/// nothing.
pub(super) fn trap(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    match call.tail(0) {
        [text, _, ..] if !matches!(text.known_text(), Some("-" | "")) => {
            vec![NestedCommand::new(Runnable::script(text.clone()), setting)]
        }
        _ => Vec::new(),
    }
}

/// Returns what builtins call back: `mapfile -C text` evaluates the text with the index and the text of a line
/// appended, and `compgen` runs the values of `-C` and `-F`.
pub(super) fn callback(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let texts = call.values("-C").chain(call.values("-F"));
    let setting = NestedSetting { repeats: true, ..setting.clone() };
    texts.map(|text| NestedCommand::new(Runnable::script(text.clone()), &setting)).collect()
}
