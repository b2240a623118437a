//! Guesses whether a text that is not parsed contains a command that threatens the guard. The text is code in another
//! language, or for another shell; only its words are known.

use super::{
    CLAUDE_HOOKLESS, CLAUDE_SETTINGS_COMMANDS, CODEX_HOOKLESS, CONSENT_COMMANDS, CONSENT_COMMANDS_WITH_OPTION,
    CommandThreat, git, signals,
};

/// The commands of this program that are also ordinary words of code: they count only directly after the word `rules`.
const ORDINARY_WORDS: &[&str] = &["install", "uninstall", "init", "import", "hook", "doctor"];

/// The length of the longest text that is split into words, in bytes.
const MAX_BYTES: usize = 1 << 18;

/// Returns the threat that the words of a text suggest, if any.
pub(super) fn judge(text: &str) -> Option<CommandThreat> {
    if text.len() > MAX_BYTES {
        return judge_by_substrings(text);
    }
    let is_separator = |c: char| c.is_whitespace() || "'\"`,;|&()[]{}!".contains(c);
    let words: Vec<&str> = text.split(is_separator).filter(|word| !word.is_empty()).collect();
    let has_base_name = |names: &[&str]| words.iter().any(|word| names.contains(&base_name(word).as_str()));
    let has = |word: &str| words.contains(&word);
    if has_base_name(&["rules"]) && has_consent_command(&words) {
        return Some(CommandThreat::Own);
    }
    let has_option =
        |options: &[&str]| words.iter().any(|word| options.contains(&word.split('=').next().unwrap_or(word)));
    if has_base_name(&["claude"]) && has_option(CLAUDE_HOOKLESS)
        || has_base_name(&["codex"]) && has_option(CODEX_HOOKLESS)
    {
        return Some(CommandThreat::Hookless);
    }
    let changes_settings = |(name, commands): &(&str, &[&str])| {
        words.windows(3).any(|three| {
            matches!(three, [agent, first, second]
                if base_name(agent) == "claude" && first == name && commands.contains(second))
        })
    };
    if CLAUDE_SETTINGS_COMMANDS.iter().any(changes_settings) {
        return Some(CommandThreat::Settings);
    }
    let changes_git_settings =
        || has("config") && words.iter().any(|word| git::is_guarded_setting(&word.to_ascii_lowercase()));
    if has_base_name(&["git"]) && changes_git_settings() && !has("--get") && !has("get") {
        return Some(CommandThreat::Git);
    }
    let is_kill = |word: &str| word.rsplit('.').next() == Some("kill");
    let is_parent = |word: &str| matches!(word.rsplit(['.', '$']).next(), Some("getppid" | "ppid" | "PPID"));
    if words.iter().any(|word| is_kill(word)) && words.iter().any(|word| is_parent(word)) {
        return Some(CommandThreat::Signal);
    }
    let sends_signals = has_base_name(&["pkill", "killall", "Stop-Process", "taskkill"]);
    (sends_signals && words.iter().any(|word| signals::is_name(word))).then_some(CommandThreat::Signal)
}

/// Returns the last component of a word that may be a path, without `.exe`.
fn base_name(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name).to_owned()
}

/// Whether words that mention this program include one of its commands that need the user's consent.
fn has_consent_command(words: &[&str]) -> bool {
    let has = |word: &str| words.contains(&word);
    let follows = |wanted: &str| {
        words.windows(2).any(|pair| matches!(pair, [name, next] if base_name(name) == "rules" && *next == wanted))
    };
    let is_given = |command: &&&str| if ORDINARY_WORDS.contains(*command) { follows(command) } else { has(command) };
    CONSENT_COMMANDS.iter().any(|command| is_given(&command))
        || CONSENT_COMMANDS_WITH_OPTION.iter().any(|(command, option)| is_given(&command) && has(option))
}

/// Returns the threat that the substrings of a text suggest. Used for a text that is too long to be split into words.
fn judge_by_substrings(text: &str) -> Option<CommandThreat> {
    let has_one = |list: &[&str]| list.iter().any(|word| text.contains(word));
    if text.contains("rules") && has_one(CONSENT_COMMANDS) {
        return Some(CommandThreat::Own);
    }
    let starts_hookless =
        text.contains("claude") && has_one(CLAUDE_HOOKLESS) || text.contains("codex") && has_one(CODEX_HOOKLESS);
    starts_hookless.then_some(CommandThreat::Hookless)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_looked_at_to_its_end() {
        let padding = "# x\n".repeat(MAX_BYTES / 4);
        assert_eq!(judge(&padding), None);
        assert_eq!(judge(&format!("{padding}os.system('rules trust --yes')")), Some(CommandThreat::Own));
        assert_eq!(judge(&format!("{padding}os.system('claude --bare')")), Some(CommandThreat::Hookless));
    }
}
