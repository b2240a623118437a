//! The settings that a `git config` command shows or changes.

use crate::argv::Argv;
use crate::word::Word;

/// The effect of a `git config` command on the settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GitSettings<'a> {
    /// It only shows settings.
    Shows,
    /// It opens the settings in an editor, so any may change.
    Edits,
    /// It removes or renames the sections with these names.
    Sections(Vec<&'a Word>),
    /// It sets or removes one setting.
    Sets {
        /// The name of the setting, as in the command.
        key: &'a Word,
        /// The new value; `None` if it is removed, or not given.
        value: Option<&'a Word>,
    },
}

/// The options with which the command only shows settings.
const SHOWING: &[&str] =
    &["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool", "--list"];
/// The options with which the command changes a setting, even if it has no value.
const SETTING: &[&str] = &["--unset", "--unset-all", "--add", "--replace-all"];
/// The options with which the command changes whole sections.
const SECTIONS: &[&str] = &["--remove-section", "--rename-section"];

/// The options of the subcommands of `git config` that take the next word as their value.
const VALUED: &[&str] = &["--value", "--default", "--url", "--type", "-t", "--comment", "--file", "-f", "--blob"];

/// Returns the effect of a command on git's settings; `None` if it is not a `git config`.
///
/// Git's documentation has two forms: subcommands (`git config set NAME VALUE`), and options before the name.
#[must_use]
pub fn git_settings<'a>(argv: &Argv<'a>) -> Option<GitSettings<'a>> {
    if !argv.is_program("git") || argv.subcommand() != Some("config") {
        return None;
    }
    let has = |names: &[&str]| names.iter().any(|name| argv.options_named(name).next().is_some());
    let operands: Vec<&Word> = argv.operands.iter().copied().collect();
    let (verb, names) = match operands.split_first().and_then(|(first, rest)| Some((first.known_text()?, rest))) {
        // A first operand without a dot is a subcommand: the name of a setting contains a dot.
        Some((verb, rest)) if !verb.contains('.') => (verb, words_after_options(rest)),
        _ => ("", operands.as_slice()),
    };
    let mut remaining = names.iter().copied();
    Some(match verb {
        "get" | "list" => GitSettings::Shows,
        "edit" => GitSettings::Edits,
        "remove-section" | "rename-section" => GitSettings::Sections(remaining.collect()),
        _ if has(SHOWING) => GitSettings::Shows,
        _ if has(&["--edit"]) => GitSettings::Edits,
        _ if has(SECTIONS) => GitSettings::Sections(operands),
        _ => match (remaining.next(), remaining.next()) {
            (Some(key), value) if value.is_some() || !verb.is_empty() || has(SETTING) => {
                GitSettings::Sets { key, value }
            }
            _ => GitSettings::Shows,
        },
    })
}

/// Returns the words after the options that follow a subcommand.
fn words_after_options<'w, 'a>(words: &'w [&'a Word]) -> &'w [&'a Word] {
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        let Some(option) = word.known_text().filter(|text| text.len() > 1 && text.starts_with('-')) else { break };
        let takes_next = VALUED.iter().any(|name| *name == option || option.len() > 2 && name.starts_with(option));
        rest = if takes_next { after.get(1..).unwrap_or_default() } else { after };
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::{GitSettings, git_settings};
    use crate::argv::parse_argv;
    use crate::word::Word;

    #[track_caller]
    fn does(line: &str, expected: &str) {
        let words: Vec<Word> = line.split(' ').map(Word::text).collect();
        let said = match git_settings(&parse_argv(&words)) {
            None => "nothing".to_owned(),
            Some(GitSettings::Shows) => "shows".to_owned(),
            Some(GitSettings::Edits) => "edits".to_owned(),
            Some(GitSettings::Sections(names)) => {
                names.iter().fold("section".to_owned(), |said, name| said + " " + &name.display_text())
            }
            Some(GitSettings::Sets { key, value }) => {
                format!("sets {} to {}", key.display_text(), value.map(Word::display_text).unwrap_or_default())
            }
        };
        assert_eq!(said, expected, "{line}");
    }

    /// Verified with git 2.47.
    #[test]
    fn what_looks_is_told_from_what_changes() {
        does("git config core.x", "shows");
        does("git config --get core.x", "shows");
        does("git config get --all core.x", "shows");
        does("git config list --show-origin", "shows");
        does("git config -l", "shows");
        does("git config --global -z --li", "shows");
        does("git config core.x /y", "sets core.x to /y");
        // After the name nothing is an option.
        does("git config core.x /y -l", "sets core.x to /y");
        does("git config core.x /y --list", "sets core.x to /y");
        does("git config --comment -l core.x /y", "sets core.x to /y");
        does("git config --type path -f .git/config core.x /y", "sets core.x to /y");
        does("git config set --comment get core.x /y", "sets core.x to /y");
        does("git config set --append --value --get core.x /y", "sets core.x to /y");
        does("git config --unset-a core.x", "sets core.x to ");
        does("git config unset --all core.x", "sets core.x to ");
        does("git config --rename-s x core", "section x core");
        does("git config --remove-sec core", "section core");
        does("git config rename-section x core", "section x core");
        does("git config -e", "edits");
        does("git config --edit --global", "edits");
        does("git config edit", "edits");
        does("git-config core.x /y", "sets core.x to /y");
        does("git.exe -C sub config core.x /y", "sets core.x to /y");
        does("git commit -m config", "nothing");
    }
}
