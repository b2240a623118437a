//! Guesses from its words whether a text contains a command that threatens the guard. The text is code in another
//! language, or for another shell, and is not parsed.

use super::{CODEX, CommandThreat, HOOKLESS, OWN, OWN_WITH, SETTINGS, git, signals};

/// The commands of this program that are also ordinary words of code: they count only directly after its name.
const ORDINARY: &[&str] = &["install", "uninstall", "init", "import", "hook", "doctor"];

/// The longest text that is split into words, in bytes.
const LONGEST: usize = 1 << 18;

/// Returns the threat that the words of a text suggest; `None` if they suggest none.
pub(super) fn judge(text: &str) -> Option<CommandThreat> {
    if text.len() > LONGEST {
        return judge_by_substrings(text);
    }
    let is_between = |c: char| c.is_whitespace() || "'\"`,;|&()[]{}!".contains(c);
    let words: Vec<&str> = text.split(is_between).filter(|word| !word.is_empty()).collect();
    let base = |word: &str| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        name.strip_suffix(".exe").unwrap_or(name).to_owned()
    };
    let named = |names: &[&str]| words.iter().any(|word| names.contains(&base(word).as_str()));
    let has = |word: &str| words.contains(&word);
    if named(&["rules"]) {
        let follows = |wanted: &str| {
            words.windows(2).any(|pair| matches!(pair, [name, next] if base(name) == "rules" && *next == wanted))
        };
        let means = |command: &&&str| if ORDINARY.contains(*command) { follows(command) } else { has(command) };
        if OWN.iter().any(|command| means(&command))
            || OWN_WITH.iter().any(|(command, option)| means(&command) && has(option))
        {
            return Some(CommandThreat::Own);
        }
    }
    let has_option =
        |options: &[&str]| words.iter().any(|word| options.contains(&word.split('=').next().unwrap_or(word)));
    if named(&["claude"]) && has_option(HOOKLESS) || named(&["codex"]) && has_option(CODEX) {
        return Some(CommandThreat::Hookless);
    }
    let changes = |(name, commands): &(&str, &[&str])| {
        words.windows(3).any(|three| {
            matches!(three, [agent, first, second]
                if base(agent) == "claude" && first == name && commands.contains(second))
        })
    };
    if SETTINGS.iter().any(changes) {
        return Some(CommandThreat::Settings);
    }
    let configures = || has("config") && words.iter().any(|word| git::is_setting(&word.to_ascii_lowercase()));
    if named(&["git"]) && configures() && !has("--get") && !has("get") {
        return Some(CommandThreat::Git);
    }
    let kills = |word: &str| word.rsplit('.').next() == Some("kill");
    let is_parent = |word: &str| matches!(word.rsplit(['.', '$']).next(), Some("getppid" | "ppid" | "PPID"));
    if words.iter().any(|word| kills(word)) && words.iter().any(|word| is_parent(word)) {
        return Some(CommandThreat::Signal);
    }
    let sends = named(&["pkill", "killall", "Stop-Process", "taskkill"]);
    (sends && words.iter().any(|word| signals::is_name(word))).then_some(CommandThreat::Signal)
}

/// Returns the threat that a text too long for splitting suggests, judged by substrings.
fn judge_by_substrings(text: &str) -> Option<CommandThreat> {
    let has_one = |list: &[&str]| list.iter().any(|word| text.contains(word));
    if text.contains("rules") && has_one(OWN) {
        return Some(CommandThreat::Own);
    }
    let starts = text.contains("claude") && has_one(HOOKLESS) || text.contains("codex") && has_one(CODEX);
    starts.then_some(CommandThreat::Hookless)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_looked_at_to_its_end() {
        let padding = "# x\n".repeat(LONGEST / 4);
        assert_eq!(judge(&padding), None);
        assert_eq!(judge(&format!("{padding}os.system('rules trust --yes')")), Some(CommandThreat::Own));
        assert_eq!(judge(&format!("{padding}os.system('claude --bare')")), Some(CommandThreat::Hookless));
    }
}
