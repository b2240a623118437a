//! What PowerShell runs, and what its cmdlets that take code run: a text, a block, a file.

use super::call::Call;
use super::words::join;
use super::{Nested, Setting, What};
use crate::analysis::Scope;
use crate::dialect::Language;
use crate::powershell::decoded_command;
use crate::word::{Cause, Part, Unknown, Word};

/// The options that take a value, in lower case.
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

/// PowerShell's options, abbreviated and in any case. The code extends to the end of the words.
pub(super) fn shell(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let setting = &in_powershell(setting);
    let mut rest = call.words.get(1..).unwrap_or_default();
    while let [word, behind @ ..] = rest {
        let text = word.prefix().trim_start_matches(['-', '/']).to_ascii_lowercase();
        let is_option = word.prefix().starts_with(['-', '/']) && !text.is_empty();
        let code = if is_option { of_option(&text, behind) } else { Some(of_operand(word, rest)) };
        if let Some(code) = code {
            return vec![Nested::with(code, setting)];
        }
        if matches!(text.as_str(), "help" | "h" | "?" | "version" | "v") {
            return Vec::new();
        }
        let takes = VALUED.iter().any(|name| name.starts_with(&text));
        rest = if takes { behind.get(1..).unwrap_or_default() } else { behind };
    }
    vec![Nested::with(What::Input(Vec::new()), setting)]
}

/// Returns the code that an option gives, by its name in lower case and the words after it.
fn of_option(text: &str, behind: &[Word]) -> Option<What> {
    let is = |name: &str| name.starts_with(text);
    if is("command") || text == "cwa" || is("commandwithargs") {
        return Some(What::script(run(join(behind))));
    }
    if matches!(text, "e" | "ec" | "en" | "enc") || is("encodedcommand") && text.len() > 1 {
        return behind.first().map(|word| What::script(decoded(word)));
    }
    if is("file") { behind.first().cloned().map(file) } else { None }
}

/// Returns the code that begins with a word that is no option: Windows PowerShell treats it as a command, its successor
/// as a file.
fn of_operand(word: &Word, rest: &[Word]) -> What {
    match word.known() {
        Some("-") => What::Input(Vec::new()),
        Some(name) if is_script(name) => file(word.clone()),
        _ => What::script(run(join(rest))),
    }
}

/// A file that PowerShell reads.
fn file(word: Word) -> What {
    if word.known() == Some("-") { What::Input(Vec::new()) } else { What::File(word) }
}

fn is_script(name: &str) -> bool {
    name.len() > 4 && name.get(name.len() - 4..).is_some_and(|end| end.eq_ignore_ascii_case(".ps1"))
}

fn in_powershell(setting: &Setting) -> Setting {
    Setting { language: Language::PowerShell, ..setting.clone() }
}

/// Returns a text as it runs: the text of a block runs the block's contents.
fn run(text: Word) -> Word {
    match text.prefix().trim_start().starts_with('{') {
        true => {
            let mut called = Word::text("& ");
            text.parts.into_iter().for_each(|part| called.push(part));
            called
        }
        false => text,
    }
}

/// Decodes the value of `-EncodedCommand`: base64 of UTF-16.
fn decoded(word: &Word) -> Word {
    match word.known().and_then(decoded_command) {
        Some(text) => Word::text(text),
        None => Word::unknown(Unknown::new(Cause::Decoded, word.shown())),
    }
}

/// `Invoke-Expression text`; without a text, it runs its piped input.
pub(super) fn expression(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let setting = Setting { in_this_shell: true, ..in_powershell(setting) };
    let what = match call.operand(0) {
        Some(text) => What::script(run(text.clone())),
        None => What::Input(Vec::new()),
    };
    vec![Nested::with(what, &setting)]
}

/// `& $name words`: the value of the first word is a name or a block.
pub(super) fn call(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    let Some((name, words)) = call.words.get(1..).and_then(<[Word]>::split_first) else { return Vec::new() };
    let setting = Setting { in_this_shell: true, ..in_powershell(setting) };
    if name.prefix().trim_start().starts_with('{')
        || name.known().is_none() && name.prefix().is_empty() && words.is_empty()
    {
        return vec![Nested::with(What::script(run(name.clone())), &setting)];
    }
    let mut text = Word::text("& ");
    quote(name, &mut text);
    for word in words {
        text.push(Part::Text(" ".to_owned()));
        let is_parameter = |text: &str| {
            text.len() > 1 && text.starts_with('-') && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        };
        match word.known().filter(|text| is_parameter(text)) {
            Some(parameter) => text.push(Part::Text(parameter.to_owned())),
            None => quote(word, &mut text),
        }
    }
    vec![Nested::with(What::script(text), &setting)]
}

/// Appends a word in PowerShell's quotes.
fn quote(word: &Word, text: &mut Word) {
    text.push(Part::Text("'".to_owned()));
    for part in &word.parts {
        text.push(match part {
            Part::Text(known) => Part::Text(known.replace('\'', "''")),
            part => part.clone(),
        });
    }
    text.push(Part::Text("'".to_owned()));
}

/// `Invoke-Command { … }`, `Start-Job { … }`, `Measure-Command { … }`
pub(super) fn block(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    const ELSEWHERE: &[&str] = &[
        "-ComputerName",
        "-Session",
        "-HostName",
        "-VMName",
        "-VMId",
        "-ContainerId",
        "-ConnectionUri",
        "-SSHConnection",
    ];
    let scope = call.has_any(ELSEWHERE).then_some(Scope::Remote);
    let setting = Setting { in_this_shell: scope.is_none() && !setting.in_background, scope, ..in_powershell(setting) };
    let files = call.values("-FilePath");
    let mut found: Vec<Nested> = files.map(|word| Nested::with(file(word.clone()), &setting)).collect();
    found.extend(
        call.values("-InitializationScript").map(|text| Nested::with(What::script(run(text.clone())), &setting)),
    );
    if let Some(text) = call.operand(0) {
        found.push(Nested::with(What::script(run(text.clone())), &setting));
    }
    found
}

/// `Start-Process program words`: the translation has left out its own parameters; the remaining words are the
/// program's.
pub(super) fn process(call: &Call<'_>, setting: &Setting) -> Vec<Nested> {
    super::argv(call.words.get(1..).unwrap_or_default(), setting)
}
