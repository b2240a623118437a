//! Finds the recipes of just, which are the indented lines after a name, and replaces placeholders of other programs.

use super::line;

/// Returns a shell line for each line of a recipe. A text without recipes may be a part of one, so each of its lines
/// counts.
pub(super) fn recipes(text: &str) -> Vec<String> {
    let is_indented = |line: &&str| line.starts_with([' ', '\t']);
    let has_recipes = text.lines().any(|line| is_indented(&line)) && text.lines().any(|line| !is_indented(&line));
    let lines = text.lines().filter(|line| !has_recipes || is_indented(line));
    let commands = lines.map(|line| line.trim().trim_start_matches(['@', '-'])).filter(|line| !line.is_empty());
    commands.map(|command| line("sh", &fill_placeholders(command, "{{", "}}", "JUST_VALUE"))).collect()
}

/// Replaces placeholders of another program, such as `{{name}}`, by a shell variable that is never set, so that their
/// values are unknown to the analysis.
pub(super) fn fill_placeholders(text: &str, open: &str, close: &str, variable: &str) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after_open)) = rest.split_once(open) {
        filled.push_str(before);
        match after_open.split_once(close) {
            Some((_, after)) => {
                filled.push_str("${");
                filled.push_str(variable);
                filled.push('}');
                rest = after;
            }
            None => {
                filled.push_str(open);
                rest = after_open;
            }
        }
    }
    filled.push_str(rest);
    filled
}
