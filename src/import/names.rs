//! Chooses names for rules such as a person might choose, and makes each unique.

use std::collections::BTreeSet;

/// The maximum number of words in a name.
const MAX_WORDS: usize = 4;
/// The maximum length of a name, in bytes.
const MAX_LENGTH: usize = 40;

/// The names of the rules so far.
#[derive(Debug, Default)]
pub(super) struct TakenNames {
    taken: BTreeSet<String>,
}

impl TakenNames {
    /// Returns a name that no other rule has, and reserves it: the wanted one, or the wanted one with a number.
    pub(super) fn reserve(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}-{number}");
            number += 1;
        }
        name
    }
}

/// Returns the first words of a text as a name: `git push --force` becomes `git-push-force`. Returns `default` if the
/// text has neither letters nor digits.
pub(super) fn slug(text: &str, default: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words.take(MAX_WORDS) {
        if !name.is_empty() && name.len() + word.len() >= MAX_LENGTH {
            break;
        }
        name.push_str(if name.is_empty() { "" } else { "-" });
        name.push_str(word.get(..MAX_LENGTH).unwrap_or(word));
    }
    if name.is_empty() { default.to_owned() } else { name }
}

/// Returns a name for what a glob matches: `any-coder` for `*coder`. `None` if the glob matches everything.
pub(super) fn glob_name(glob: &str, default: &str) -> Option<String> {
    if glob.trim_matches('*').is_empty() {
        return None;
    }
    let prefix = if glob.starts_with('*') { "any-" } else { "" };
    Some(format!("{prefix}{}", slug(glob, default)))
}

/// Returns a name for a command: its program and up to two words before the first option. A leading `cd … &&` is
/// skipped.
pub(super) fn command_name(command: &str) -> String {
    let parts: Vec<&str> = command.split("&&").map(str::trim).collect();
    let main_part = parts.iter().find(|part| !part.starts_with("cd ")).or(parts.first()).copied().unwrap_or_default();
    let is_assignment = |word: &&str| word.contains('=') && !word.starts_with('=');
    let mut words = main_part.split_whitespace().skip_while(is_assignment);
    let program = words.next().unwrap_or_default();
    let program = program.rsplit('/').find(|name| !name.is_empty()).unwrap_or(program);
    let program = program.rsplit_once('.').map_or(program, |(stem, _)| if stem.is_empty() { program } else { stem });
    let is_word = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic()) && !word.contains('/');
    let further: Vec<&str> = words.take_while(is_word).take(2).collect();
    slug(&format!("{program} {}", further.join(" ")), "command")
}
