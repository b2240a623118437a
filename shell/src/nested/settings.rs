//! What programs run because of settings in an option or in a file: `wget -e name=value`, `groff -U`, `ssh -F FILE`.

use super::call::OuterCommand;
use super::code::documents;
use super::words;
use super::{CodeSource, NestedCommand, NestedSetting, Runnable};
use crate::word::Word;

/// The settings of wget that name a file or a program, without dashes, and the long options that mean the same.
const WGET: &[(&str, &str)] = &[
    ("bodyfile", "--body-file"),
    ("cacertificate", "--ca-certificate"),
    ("certificate", "--certificate"),
    ("dirprefix", "--directory-prefix"),
    ("hstsfile", "--hsts-file"),
    ("input", "--input-file"),
    ("loadcookies", "--load-cookies"),
    ("logfile", "--output-file"),
    ("outputdocument", "--output-document"),
    ("postfile", "--post-file"),
    ("privatekey", "--private-key"),
    ("rejectedlog", "--rejected-log"),
    ("savecookies", "--save-cookies"),
    ("useaskpass", "--use-askpass"),
    ("warcfile", "--warc-file"),
];

/// Returns the call of wget with the options that its settings mean (`-e output_document=x` is `-O x`), and the files
/// with further settings.
pub(super) fn wget(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found: Vec<NestedCommand> = code_files(call, &["--config"], setting).collect();
    let options: Vec<Word> = call.values("-e").filter_map(wget_option).collect();
    if let Some((program, rest)) = call.words.split_first().filter(|_| !options.is_empty()) {
        let is_setting = |at: usize| {
            let given = call.argv.options.iter().find(|given| given.word_index == at);
            given.is_some_and(|given| given.has_spelling(&["-e", "--execute"]))
        };
        // The settings are left out, so that they are not applied again.
        let mut with_options: Vec<Word> = std::iter::once(program.clone()).chain(options).collect();
        let mut words = rest.iter().enumerate();
        while let Some((at, word)) = words.next() {
            match is_setting(at + 1) {
                true if matches!(word.known_text(), Some("-e" | "--execute")) => drop(words.next()),
                true => {}
                false => with_options.push(word.clone()),
            }
        }
        found.push(NestedCommand::new(Runnable::Argv(with_options), setting));
    }
    found
}

/// Returns the option of wget that a setting `name = value` means; `None` if it names no file and no program.
fn wget_option(setting: &Word) -> Option<Word> {
    let (name, value) = setting.split_at_equals()?;
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let (_, option) = WGET.iter().find(|(setting_name, _)| *setting_name == name)?;
    let white_space = value.prefix().len() - value.prefix().trim_start().len();
    let value =
        value.prefix().get(..white_space).and_then(|white_space| value.strip_prefix(white_space)).unwrap_or(value);
    let mut word = Word::text(format!("{option}="));
    words::append(&mut word, &value);
    Some(word)
}

/// Returns the documents of a formatter whose requests may run commands and write files with one of the options
/// `-U` and `--unsafe`: `groff -U FILE`.
pub(super) fn roff(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if !call.has_option("-U") {
        return Vec::new();
    }
    documents(call).into_iter().map(|code| NestedCommand::new(Runnable::Foreign(code), setting)).collect()
}

/// Returns the values of options as files with settings, which may run commands.
pub(super) fn code_files<'c>(
    call: &'c OuterCommand<'_>,
    options: &'c [&'c str],
    setting: &'c NestedSetting,
) -> impl Iterator<Item = NestedCommand> + 'c {
    let files = options.iter().flat_map(|option| call.values(option));
    files.map(|file| NestedCommand::new(Runnable::Foreign(CodeSource::File(file.clone())), setting))
}
