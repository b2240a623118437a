//! What to write in `only runs` for a text with several commands, or with a redirection: a pattern for each command, or
//! the path of a script.

use hookrules_shell::Pattern;

use crate::syntax::format_one_or_list;

/// What a command of a text redirects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Redirections {
    /// Nothing, or only what a pattern approves without naming it: `2>&1`, `>/dev/null`.
    Harmless,
    /// A file, which no pattern approves.
    File,
}

/// Returns the help for a pattern of `only runs` with syntax of a shell, such as `cd web && pnpm test`.
pub(super) fn approval_help(text: &str) -> String {
    let commands = split_commands(text);
    let commands = commands.iter().filter_map(|command| without_keywords(command));
    let commands: Vec<(String, Redirections)> = commands.map(without_redirections).collect();
    let patterns: Vec<String> = commands.iter().map(|(command, _)| command.clone()).collect();
    let redirects_file = commands.iter().any(|(_, redirections)| *redirections == Redirections::File);
    let are_patterns = !patterns.is_empty() && patterns.iter().all(|pattern| Pattern::new(pattern).is_ok());
    if redirects_file || !are_patterns {
        return "no pattern approves this: write it into a script of the project, and approve that by its path, \
                `\"./scripts/NAME.sh\"`"
            .to_owned();
    }
    let named = format_one_or_list(&patterns);
    match patterns.len() {
        1 if text.contains('<') => format!("leave the redirection out: `only runs {named}` also approves `< FILE`"),
        1 if text.contains('>') => {
            format!("leave the redirection out: `only runs {named}` also approves `2>&1` and `>/dev/null` behind it")
        }
        1 => format!("a pattern is one command, wherever that is in the text: `only runs {named}`"),
        _ => format!("name each command in a pattern of its own: `only runs {named}`"),
    }
}

/// Splits a text at the operators between its commands, outside groups of alternatives.
fn split_commands(text: &str) -> Vec<String> {
    let mut commands = vec![String::new()];
    let mut is_in_group = false;
    let mut before = ' ';
    let mut rest = text.trim().chars().peekable();
    while let Some(c) = rest.next() {
        is_in_group = (is_in_group || c == '(') && c != ')';
        // `2>&1` and `&>x` are redirections.
        let is_redirection = c == '&' && (before == '>' || rest.peek() == Some(&'>')) || c == '|' && before == '>';
        if !is_in_group && matches!(c, '&' | '|' | ';' | '\n') && !is_redirection {
            commands.push(String::new());
        } else if let Some(command) = commands.last_mut() {
            command.push(c);
        }
        before = c;
    }
    commands.into_iter().map(|command| command.trim().to_owned()).filter(|command| !command.is_empty()).collect()
}

/// Keywords of a shell that precede a command.
const BEFORE_COMMAND: &[&str] = &["if", "then", "elif", "else", "while", "until", "do", "time", "!", "{"];

/// Keywords of a shell that begin or end a loop or a choice, without a command of their own.
const WITHOUT_COMMAND: &[&str] = &["for", "select", "case", "done", "fi", "esac", "}"];

/// Returns what is left of a command without the keywords in front of it; `None` if no command is left.
fn without_keywords(command: &str) -> Option<String> {
    let words: Vec<&str> = command.split_whitespace().skip_while(|word| BEFORE_COMMAND.contains(word)).collect();
    let first = words.first()?;
    (!WITHOUT_COMMAND.contains(first)).then(|| words.join(" "))
}

/// Returns a command without the redirections that a pattern approves without naming them.
fn without_redirections(command: String) -> (String, Redirections) {
    let mut words = Vec::new();
    let mut reads_file = false;
    let mut rest = command.split_whitespace();
    while let Some(word) = rest.next() {
        let operator = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
        let Some(target) = operator.strip_prefix('>').map(|target| target.trim_start_matches('>')) else {
            // A pattern that ends with a `*` approves what a file gives to the command.
            let input = word.strip_prefix('<').filter(|target| !target.starts_with(['<', '(']));
            if let Some(target) = input {
                reads_file |= !if target.is_empty() { rest.next().unwrap_or_default() } else { target }.is_empty();
                continue;
            }
            if word.contains(['<', '>']) {
                return (command, Redirections::File);
            }
            words.push(word);
            continue;
        };
        let target = if target.is_empty() { rest.next().unwrap_or_default() } else { target };
        if !matches!(target, "/dev/null" | "&1" | "&2") {
            return (command, Redirections::File);
        }
    }
    if reads_file && words.last() != Some(&"*") {
        words.push("*");
    }
    (words.join(" "), Redirections::Harmless)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_of_a_text_is_a_pattern() {
        let check = |text: &str, expected: &str| {
            let help = approval_help(text);
            assert!(help.contains(expected), "{text}: {help}");
        };
        check("cd web && pnpm test", "`only runs [\"cd web\", \"pnpm test\"]`");
        check("pytest * | tail *", "`only runs [\"pytest *\", \"tail *\"]`");
        check("pytest 2>&1 | tail -5", "`only runs [\"pytest\", \"tail -5\"]`");
        check("git (status|diff); ls", "`only runs [\"git (status|diff)\", \"ls\"]`");
        check("pytest 2> /dev/null", "`only runs \"pytest\"` also approves");
        check("pytest &>/dev/null", "`only runs \"pytest\"` also approves");
        check("pytest > out.txt", "no pattern approves this");
        check("pytest >| out.txt", "no pattern approves this");
        check("wc < a.txt", "`only runs \"wc *\"` also approves `< FILE`");
        check("wc <a.txt | sort", "`only runs [\"wc *\", \"sort\"]`");
        check("wc <(ls)", "no pattern approves this");
        check("pytest | ", "`only runs \"pytest\"`");
        check("for f in *; do ls; done", "`only runs \"ls\"`");
        check("if true; then make test; fi", "`only runs [\"true\", \"make test\"]`");
    }
}
