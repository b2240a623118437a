//! What PowerShell runs, and what its cmdlets run that take code: a text, a block, a file.

use super::call::OuterCommand;
use super::words::join;
use super::{NestedCommand, NestedSetting, Runnable};
use crate::analysis::CommandScope;
use crate::dialect::ScriptLanguage;
use crate::powershell::decoded_command;
use crate::word::{Cause, Unknown, Word, WordPart};

/// The options of PowerShell that take a value, in lower case.
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

/// Returns what a call of PowerShell runs. Its options may be abbreviated, in any case; the code extends to the end
/// of the words.
pub(super) fn shell(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let setting = &powershell_setting(setting);
    let mut rest = call.words.get(1..).unwrap_or_default();
    while let [word, after_word @ ..] = rest {
        let text = word.prefix().trim_start_matches(['-', '/']).to_ascii_lowercase();
        let is_option = word.prefix().starts_with(['-', '/']) && !text.is_empty();
        let code = if is_option { option_code(&text, after_word) } else { Some(operand_code(word, rest)) };
        if let Some(code) = code {
            return vec![NestedCommand::new(code, setting)];
        }
        if matches!(text.as_str(), "help" | "h" | "?" | "version" | "v") {
            return Vec::new();
        }
        let takes_value = VALUED.iter().any(|name| name.starts_with(&text));
        rest = if takes_value { after_word.get(1..).unwrap_or_default() } else { after_word };
    }
    vec![NestedCommand::new(Runnable::Input(Vec::new()), setting)]
}

/// Returns the code that an option gives, by its name in lower case and the words after it; `None` for any other
/// option.
fn option_code(name: &str, rest: &[Word]) -> Option<Runnable> {
    let abbreviates = |whole: &str| whole.starts_with(name);
    if abbreviates("command") || name == "cwa" || abbreviates("commandwithargs") {
        // After `-`, the commands come from standard input.
        if let [dash] = rest
            && dash.known_text() == Some("-")
        {
            return Some(Runnable::Input(Vec::new()));
        }
        return Some(Runnable::script(as_code(join(rest))));
    }
    if matches!(name, "e" | "ec" | "en" | "enc") || abbreviates("encodedcommand") && name.len() > 1 {
        return rest.first().map(|word| Runnable::script(decode_command(word)));
    }
    if abbreviates("file") { rest.first().cloned().map(file) } else { None }
}

/// Returns the code that begins with a word that is not an option. Windows PowerShell reads the word as a command,
/// and PowerShell 7 as a file: a script `.ps1` is a file here, and any other word a command.
fn operand_code(word: &Word, rest: &[Word]) -> Runnable {
    match word.known_text() {
        Some("-") => Runnable::Input(Vec::new()),
        Some(name) if is_script(name) => file(word.clone()),
        _ => Runnable::script(as_code(join(rest))),
    }
}

/// Returns a file that PowerShell reads, or standard input for `-`.
fn file(word: Word) -> Runnable {
    if word.known_text() == Some("-") { Runnable::Input(Vec::new()) } else { Runnable::File(word) }
}

/// Whether a file name is that of a PowerShell script.
fn is_script(name: &str) -> bool {
    name.len() > 4 && name.get(name.len() - 4..).is_some_and(|end| end.eq_ignore_ascii_case(".ps1"))
}

/// Returns a setting in which scripts are in PowerShell's language.
fn powershell_setting(setting: &NestedSetting) -> NestedSetting {
    NestedSetting { language: ScriptLanguage::PowerShell, ..setting.clone() }
}

/// Returns a text as code to run: before a block `{ … }`, the `&` that runs its contents is inserted.
fn as_code(text: Word) -> Word {
    match text.prefix().trim_start().starts_with('{') {
        true => {
            let mut called = Word::text("& ");
            text.parts.into_iter().for_each(|part| called.push(part));
            called
        }
        false => text,
    }
}

/// Decodes the value of `-EncodedCommand`, base64 of UTF-16; unknown if that fails.
fn decode_command(word: &Word) -> Word {
    match word.known_text().and_then(decoded_command) {
        Some(text) => Word::text(text),
        None => Word::unknown(Unknown::new(Cause::Decoded, word.display_text())),
    }
}

/// Returns what `Invoke-Expression text` runs; without a text, its piped input.
pub(super) fn expression(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let setting = NestedSetting { in_this_shell: true, ..powershell_setting(setting) };
    let what = match call.operand(0) {
        Some(text) => Runnable::script(as_code(text.clone())),
        None => Runnable::Input(Vec::new()),
    };
    vec![NestedCommand::new(what, &setting)]
}

/// Returns what `& $name words` runs, where the value of the first word is a name or a block.
pub(super) fn call(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let Some((name, words)) = call.words.get(1..).and_then(<[Word]>::split_first) else { return Vec::new() };
    let setting = NestedSetting { in_this_shell: true, ..powershell_setting(setting) };
    // A value of which nothing is known is taken for a block if no words follow, and for the name of a command if some do.
    if name.prefix().trim_start().starts_with('{')
        || name.known_text().is_none() && name.prefix().is_empty() && words.is_empty()
    {
        return vec![NestedCommand::new(Runnable::script(as_code(name.clone())), &setting)];
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

/// Appends a word in PowerShell's single quotes to a text.
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

/// Returns the code of a cmdlet that takes a block: `Invoke-Command { … }`, `Start-Job { … }`,
/// `Measure-Command { … }`.
pub(super) fn block(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    // With these options, the code runs on another machine.
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
            .map(|text| NestedCommand::new(Runnable::script(as_code(text.clone())), &setting)),
    );
    if let Some(text) = call.operand(0) {
        found.push(NestedCommand::new(Runnable::script(as_code(text.clone())), &setting));
    }
    found
}

/// Returns the command of `Start-Process program words`. The translation into bash's language has already removed the
/// parameters of the cmdlet.
pub(super) fn process(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    super::argv(call.words.get(1..).unwrap_or_default(), setting)
}
