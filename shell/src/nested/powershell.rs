//! What PowerShell runs, and what its cmdlets that take code run: a text, a block, a file.

use super::call::OuterCommand;
use super::words::join;
use super::{NestedCommand, NestedSetting, Runnable};
use crate::analysis::CommandScope;
use crate::dialect::ScriptLanguage;
use crate::powershell::decoded_command;
use crate::word::{Cause, Unknown, Word, WordPart};

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
pub(super) fn shell(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let setting = &powershell_setting(setting);
    let mut rest = call.words.get(1..).unwrap_or_default();
    while let [word, behind @ ..] = rest {
        let text = word.prefix().trim_start_matches(['-', '/']).to_ascii_lowercase();
        let is_option = word.prefix().starts_with(['-', '/']) && !text.is_empty();
        let code = if is_option { of_option(&text, behind) } else { Some(of_operand(word, rest)) };
        if let Some(code) = code {
            return vec![NestedCommand::new(code, setting)];
        }
        if matches!(text.as_str(), "help" | "h" | "?" | "version" | "v") {
            return Vec::new();
        }
        let takes = VALUED.iter().any(|name| name.starts_with(&text));
        rest = if takes { behind.get(1..).unwrap_or_default() } else { behind };
    }
    vec![NestedCommand::new(Runnable::Input(Vec::new()), setting)]
}

/// Returns the code that an option gives, by its name in lower case and the words after it.
fn of_option(text: &str, behind: &[Word]) -> Option<Runnable> {
    let is = |name: &str| name.starts_with(text);
    if is("command") || text == "cwa" || is("commandwithargs") {
        return Some(Runnable::script(run(join(behind))));
    }
    if matches!(text, "e" | "ec" | "en" | "enc") || is("encodedcommand") && text.len() > 1 {
        return behind.first().map(|word| Runnable::script(decode_command(word)));
    }
    if is("file") { behind.first().cloned().map(file) } else { None }
}

/// Returns the code that begins with a word that is no option: Windows PowerShell treats it as a command, its successor
/// as a file.
fn of_operand(word: &Word, rest: &[Word]) -> Runnable {
    match word.known_text() {
        Some("-") => Runnable::Input(Vec::new()),
        Some(name) if is_script(name) => file(word.clone()),
        _ => Runnable::script(run(join(rest))),
    }
}

/// A file that PowerShell reads.
fn file(word: Word) -> Runnable {
    if word.known_text() == Some("-") { Runnable::Input(Vec::new()) } else { Runnable::File(word) }
}

fn is_script(name: &str) -> bool {
    name.len() > 4 && name.get(name.len() - 4..).is_some_and(|end| end.eq_ignore_ascii_case(".ps1"))
}

fn powershell_setting(setting: &NestedSetting) -> NestedSetting {
    NestedSetting { language: ScriptLanguage::PowerShell, ..setting.clone() }
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
fn decode_command(word: &Word) -> Word {
    match word.known_text().and_then(decoded_command) {
        Some(text) => Word::text(text),
        None => Word::unknown(Unknown::new(Cause::Decoded, word.display_text())),
    }
}

/// `Invoke-Expression text`; without a text, it runs its piped input.
pub(super) fn expression(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let setting = NestedSetting { in_this_shell: true, ..powershell_setting(setting) };
    let what = match call.operand(0) {
        Some(text) => Runnable::script(run(text.clone())),
        None => Runnable::Input(Vec::new()),
    };
    vec![NestedCommand::new(what, &setting)]
}

/// `& $name words`: the value of the first word is a name or a block.
pub(super) fn call(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let Some((name, words)) = call.words.get(1..).and_then(<[Word]>::split_first) else { return Vec::new() };
    let setting = NestedSetting { in_this_shell: true, ..powershell_setting(setting) };
    if name.prefix().trim_start().starts_with('{')
        || name.known_text().is_none() && name.prefix().is_empty() && words.is_empty()
    {
        return vec![NestedCommand::new(Runnable::script(run(name.clone())), &setting)];
    }
    let mut text = Word::text("& ");
    quote(name, &mut text);
    for word in words {
        text.push(WordPart::Text(" ".to_owned()));
        let is_parameter = |text: &str| {
            text.len() > 1 && text.starts_with('-') && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        };
        match word.known_text().filter(|text| is_parameter(text)) {
            Some(parameter) => text.push(WordPart::Text(parameter.to_owned())),
            None => quote(word, &mut text),
        }
    }
    vec![NestedCommand::new(Runnable::script(text), &setting)]
}

/// Appends a word in PowerShell's quotes.
fn quote(word: &Word, text: &mut Word) {
    text.push(WordPart::Text("'".to_owned()));
    for part in &word.parts {
        text.push(match part {
            WordPart::Text(known) => WordPart::Text(known.replace('\'', "''")),
            part => part.clone(),
        });
    }
    text.push(WordPart::Text("'".to_owned()));
}

/// `Invoke-Command { … }`, `Start-Job { … }`, `Measure-Command { … }`
pub(super) fn block(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
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
    let scope = call.has_any_option(ELSEWHERE).then_some(CommandScope::Remote);
    let setting = NestedSetting {
        in_this_shell: scope.is_none() && !setting.in_background,
        scope,
        ..powershell_setting(setting)
    };
    let files = call.values("-FilePath");
    let mut found: Vec<NestedCommand> = files.map(|word| NestedCommand::new(file(word.clone()), &setting)).collect();
    found.extend(
        call.values("-InitializationScript")
            .map(|text| NestedCommand::new(Runnable::script(run(text.clone())), &setting)),
    );
    if let Some(text) = call.operand(0) {
        found.push(NestedCommand::new(Runnable::script(run(text.clone())), &setting));
    }
    found
}

/// `Start-Process program words`: the translation has left out its own parameters; the remaining words are the
/// program's.
pub(super) fn process(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    super::argv(call.words.get(1..).unwrap_or_default(), setting)
}
