//! Terminals and multiplexers, which run commands in other windows or type text into other terminals.

use super::call::OuterCommand;
use super::words::append;
use super::{NestedCommand, NestedSetting, argv, script, words};
use crate::word::{Word, WordPart};

/// The maximum number of commands in one call of tmux that are analysed separately.
const MAX_COMMANDS: usize = 32;

/// Returns what `tmux` runs. One call may have several commands, separated by `;`.
pub(super) fn tmux(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let mut found: Vec<NestedCommand> = if call.argv.subcommands.is_empty() {
        call.values("-c").map(|text| script(text.clone(), setting)).collect()
    } else {
        Vec::new()
    };
    // The options of tmux itself come first; each command is parsed as a separate call.
    let first = call.argv.subcommands.first().and_then(|command| call.word_index(command));
    let rest = first.and_then(|at| call.words.get(at..)).unwrap_or_default();
    for words in commands(rest) {
        let alone: Vec<Word> = [Word::text("tmux")].into_iter().chain(words).collect();
        found.extend(command(&OuterCommand::new(&alone), setting));
    }
    found
}

/// Splits words at those that are a `;` or end in one.
fn commands(words: &[Word]) -> Vec<Vec<Word>> {
    let mut commands = vec![Vec::new()];
    for word in words {
        let (word, ends) = match word.known_text() {
            Some(";") => (None, true),
            Some(text) if text.ends_with(';') && !text.ends_with("\\;") => {
                (Some(Word::text(text.trim_end_matches(';'))), true)
            }
            _ => (Some(word.clone()), false),
        };
        if let Some(command) = commands.last_mut() {
            command.extend(word);
        }
        if ends && commands.len() < MAX_COMMANDS {
            commands.push(Vec::new());
        }
    }
    commands
}

/// Returns what a single tmux command runs.
fn command(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let tail = call.tail(0);
    let mut setting = setting.clone();
    setting.environment.extend(call.values("-e").filter_map(words::assignment));
    let is_command = |names: &[&str]| call.has_name_at(1, names);
    // The record lists all names of a command, so one of them suffices here.
    if is_command(&["new-session", "new-window", "respawn-pane", "neww", "splitw"]) || is_command(&["display-popup"]) {
        setting.directory =
            call.value(if is_command(&["display-popup"]) { "-d" } else { "-c" }).cloned().or(setting.directory);
        // One word is a text for a shell, several are a program with its arguments.
        return match tail {
            [] => Vec::new(),
            [text] => vec![script(text.clone(), &setting)],
            words => argv(words, &setting),
        };
    }
    if is_command(&["run-shell", "pipe-pane"]) {
        let takes_command = call.has_name_at(1, &["run-shell"]) && call.has_option("-C");
        return tail
            .first()
            .filter(|_| !takes_command)
            .map(|text| script(text.clone(), &setting))
            .into_iter()
            .collect();
    }
    if is_command(&["if-shell"]) {
        let condition = tail.first().filter(|_| !call.has_option("-F")).map(|text| script(text.clone(), &setting));
        let branches = tail.iter().skip(1).flat_map(|text| {
            let alone: Vec<Word> = [Word::text("tmux")].into_iter().chain(words::split(text)).collect();
            command(&OuterCommand::new(&alone), &setting)
        });
        return condition.into_iter().chain(branches).collect();
    }
    // `-X` names a command of tmux, and `-H` gives key codes.
    if is_command(&["send-keys"]) && !call.has_option("-X") && !call.has_option("-H") {
        let typed =
            if call.has_option("-l") { tail.iter().fold(Word::default(), append_word) } else { typed_text(tail) };
        return if typed.parts.is_empty() { Vec::new() } else { vec![script(typed, &setting)] };
    }
    Vec::new()
}

/// Returns a text with a word appended.
fn append_word(mut text: Word, word: &Word) -> Word {
    append(&mut text, word);
    text
}

/// Returns the text that keys type: a known name is a key, and any other word its letters. Empty if the text is
/// blank.
fn typed_text(keys: &[Word]) -> Word {
    let mut text = Word::default();
    for key in keys {
        match key.known_text() {
            Some("Enter" | "C-m" | "C-j" | "KPEnter") => text.push(WordPart::Text("\n".to_owned())),
            Some("Space") => text.push(WordPart::Text(" ".to_owned())),
            Some("Tab" | "C-i") => text.push(WordPart::Text("\t".to_owned())),
            // These keys discard the text on the line, so a new line begins.
            Some("C-c" | "C-u" | "C-d") => text.push(WordPart::Text("\n".to_owned())),
            Some(
                "Escape" | "BSpace" | "Up" | "Down" | "Left" | "Right" | "Home" | "End" | "C-a" | "C-e" | "C-l" | "C-z",
            ) => {}
            _ => append(&mut text, key),
        }
    }
    if text.known_text().is_some_and(|text| text.trim().is_empty()) { Word::default() } else { text }
}

/// Returns what `screen [options] [command]` or `screen -X stuff text` runs.
pub(super) fn screen(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    if call.has_any_option(&["-ls", "-list", "-wipe", "-v", "-Q"]) {
        return Vec::new();
    }
    if !call.has_option("-X") {
        let attaches =
            call.has_any_option(&["-r", "-x", "-R"]) || call.has_any_option(&["-d", "-D"]) && !call.has_option("-m");
        return if attaches { Vec::new() } else { argv(call.tail(0), setting) };
    }
    match call.tail(0) {
        [command, text, ..] if command.known_text() == Some("stuff") => {
            let text = match text.known_text() {
                Some(text) => Word::text(
                    text.replace("^M", "\n").replace("\\n", "\n").replace("\\015", "\n").replace("\\r", "\n"),
                ),
                None => text.clone(),
            };
            vec![script(text, setting)]
        }
        [command, rest @ ..] if matches!(command.known_text(), Some("screen" | "exec")) => {
            argv(skip_own_words(rest), setting)
        }
        _ => Vec::new(),
    }
}

/// Returns the words after the options of a new window and the descriptors of `exec`.
fn skip_own_words(words: &[Word]) -> &[Word] {
    let mut rest = words;
    while let [word, after_word @ ..] = rest {
        rest = match word.known_text() {
            Some("-t" | "-T" | "-h") => after_word.get(1..).unwrap_or_default(),
            Some(text) if text.starts_with(['-', '.', '!', '|', ':']) => after_word,
            _ => break,
        };
    }
    rest
}

/// Returns the command of `dtach -n socket command` or `abduco -n name command`.
pub(super) fn dtach(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    // The socket is the first operand.
    argv(call.tail(1), setting)
}

/// Returns the command of a terminal emulator: all words after `-e`, `-x` or `--`; a shell parses a single word.
pub(super) fn terminal(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let is_command = |word: &Word| matches!(word.known_text(), Some("-e" | "-x" | "--" | "--execute" | "--command"));
    let at = call.words.iter().position(is_command).map_or(call.words.len(), |at| at + 1);
    match call.words.get(at..).unwrap_or_default() {
        [text] if text.known_text().is_none_or(|text| text.contains(' ')) => vec![script(text.clone(), setting)],
        words => argv(words, setting),
    }
}

/// Returns the command of `kitty COMMAND`, of `kitty +kitten ssh …`, or of `kitty @ launch COMMAND`.
pub(super) fn kitty(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    let tail = call.tail(0);
    match tail.first().and_then(Word::known_text) {
        Some("@" | "+kitten") => argv(&with_name("kitten", tail), setting),
        Some("+") => argv(tail.get(1..).unwrap_or_default(), setting),
        _ => argv(tail, setting),
    }
}

/// Returns the words as arguments of `kitten`: `@ launch rm x`, or `+kitten ssh host` without its first word.
fn with_name(name: &str, words: &[Word]) -> Vec<Word> {
    let is_kitten = words.first().is_some_and(|word| word.known_text() == Some("+kitten"));
    std::iter::once(Word::text(name)).chain(words.iter().skip(usize::from(is_kitten)).cloned()).collect()
}

/// Returns the command of `kitten @ launch --type=tab COMMAND`, which another kitty starts.
pub(super) fn kitten(call: &OuterCommand<'_>, setting: &NestedSetting) -> Vec<NestedCommand> {
    // Options of `launch` that take no value.
    const FLAGS: &[&str] = &[
        "--keep-focus",
        "--hold",
        "--copy-env",
        "--copy-cmdline",
        "--copy-colors",
        "--allow-remote-control",
        "--stdin-add-formatting",
        "--stdin-add-line-wrap-markers",
        "--dont-take-focus",
        "--self",
        "--no-response",
        "--wait-for-child-to-exit",
    ];
    let at = call.words.iter().position(|word| word.known_text() == Some("launch"));
    let mut words = at.and_then(|at| call.words.get(at + 1..)).unwrap_or_default();
    while let Some((option, rest)) = words.split_first().filter(|(word, _)| word.prefix().starts_with('-')) {
        let is_alone =
            option.known_text().is_none_or(|text| text.contains('=') || FLAGS.contains(&text) || text == "--");
        words = rest.get(usize::from(!is_alone)..).unwrap_or_default();
    }
    argv(words, &NestedSetting { in_background: true, ..setting.clone() })
}
