//! Splits and checks shell texts: conclaude runs each line of a `run` in a separate bash, but a `run` of a policy
//! passes its whole text to `sh`.

use crate::shell_text;
use crate::span::Span;
use crate::syntax::ast::{QuoteStyle, StringLiteral};
use hookrules_shell::Programs;

/// The commands in the text of a `run`, split into lines where that is possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SplitCommands {
    /// Each line is a command, as conclaude runs them.
    Lines(Vec<String>),
    /// The whole text, because some of its lines are not complete commands.
    Script(String),
}

/// Splits the text of a `run` into its lines, without blank lines and comments.
pub(super) fn split_commands(run: &str) -> SplitCommands {
    let is_command = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let lines: Vec<String> = run.split('\n').filter(is_command).map(str::to_owned).collect();
    if lines.len() > 1 && !lines.iter().all(|line| is_complete_line(line)) {
        return SplitCommands::Script(run.trim_end_matches('\n').to_owned());
    }
    SplitCommands::Lines(lines)
}

/// Words that only bash knows, or that mean something else in bash than in `sh`.
const BASH_WORDS: &[&str] = &[
    "source",
    "declare",
    "typeset",
    "local",
    "function",
    "shopt",
    "pushd",
    "popd",
    "dirs",
    "mapfile",
    "readarray",
    "let",
    "select",
    "time",
    "pipefail",
    "errtrace",
    "read",
    "printf",
    "trap",
    "builtin",
    "disown",
    "compgen",
    "caller",
    "coproc",
    "history",
];

/// Variables that bash sets and `sh` does not.
const BASH_VARIABLES: &[&str] = &[
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "EPOCHSECONDS",
    "EPOCHREALTIME",
    "HOSTNAME",
    "HOSTTYPE",
    "OSTYPE",
    "MACHTYPE",
    "UID",
    "EUID",
    "GROUPS",
    "PIPESTATUS",
    "FUNCNAME",
    "LINENO",
    "SHLVL",
    "DIRSTACK",
];

/// Whether a text certainly means the same in `sh` as in bash. If in doubt, the answer is no: the text then runs in
/// bash, which is always correct.
pub(super) fn is_portable_sh(text: &str) -> bool {
    const FOREIGN: &[&str] = &[
        "[[", "((", "<(", ">(", "<<<", "&>", "|&", ">&", "$'", "$\"", "{", "==", "=(", "+=", "~+", "~-", ";&", "\n",
        "\r",
    ];
    // Removes redirections that every shell accepts, and plain `${NAME}`, before the search for foreign syntax.
    let without_common_syntax =
        ["2>&1", "1>&2", ">&2", ">&1"].iter().fold(without_plain_variables(text), |text, part| text.replace(part, " "));
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')));
    let bash_names = text
        .split('$')
        .skip(1)
        .filter_map(|rest| rest.trim_start_matches('{').split(|c: char| !c.is_alphanumeric() && c != '_').next());
    let mut bash_names = bash_names.filter(|name| name.starts_with("BASH") || BASH_VARIABLES.contains(name));
    // `echo` treats backslashes and options differently in the two shells.
    let echo_may_differ = text.contains("echo") && (text.contains('\\') || text.contains("echo -"));
    !FOREIGN.iter().any(|part| without_common_syntax.contains(part))
        && !words.any(|word| BASH_WORDS.contains(&word))
        && bash_names.next().is_none()
        && !echo_may_differ
        && is_closed(text)
}

/// Whether every quote and bracket of a text is closed. If not, a `run` with this string would not load.
fn is_closed(text: &str) -> bool {
    let value = text.to_owned();
    let text = StringLiteral { value, placeholders: Vec::new(), quote: QuoteStyle::Raw, span: Span::default() };
    shell_text::analyse(&text, &Programs::new()).is_ok()
}

/// Removes every plain `${NAME}` from a text, but keeps forms such as `${NAME:-…}`.
fn without_plain_variables(text: &str) -> String {
    let mut pieces = text.split("${");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let name =
            piece.split_once('}').filter(|(name, _)| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
        match name {
            Some((_, rest)) => out.push_str(rest),
            None => {
                out.push_str("${");
                out.push_str(piece);
            }
        }
    }
    out
}

/// Whether a text names a script file, which may read any variable of its environment.
pub(super) fn can_run_script(text: &str) -> bool {
    const ENDINGS: &[&str] = &[".sh", ".bash", ".py", ".js", ".mjs", ".ts", ".rb", ".pl", ".php", ".lua"];
    let mut words = text.split(|c: char| c.is_whitespace() || ";&|()\"'<>".contains(c));
    let is_path = |word: &str| word.starts_with(['.', '/', '~']) && word.contains('/') && !word.starts_with("/dev/");
    words.any(|word| ENDINGS.iter().any(|ending| word.ends_with(ending)) || is_path(word))
}

/// Whether a line is a complete command: no construct in it begins or continues on another line.
fn is_complete_line(line: &str) -> bool {
    const WAITING: &[&str] = &["\\", "&&", "||", "|", "(", "{"];
    const CONTINUING: &[&str] = &["then", "else", "elif", "fi", "do", "done", "esac", "}", ")", ";;"];
    let Some(code) = without_quotes(line) else { return false };
    let trimmed = code.trim();
    let words: Vec<&str> = code.split(|c: char| c.is_whitespace() || c == ';').collect();
    let count = |word: &str| words.iter().filter(|other| **other == word).count();
    let pairs = [("if", "fi"), ("case", "esac"), ("do", "done"), ("{", "}")];
    let first = words.iter().find(|word| !word.is_empty()).copied().unwrap_or_default();
    !WAITING.iter().any(|end| trimmed.ends_with(end))
        && !code.contains("<<")
        && !CONTINUING.contains(&first)
        && pairs.iter().all(|(open, close)| count(open) == count(close))
        && count("for") + count("while") + count("until") + count("select") <= count("do")
        && code.matches('(').count() == code.matches(')').count()
}

/// Returns a line with `x` in place of each quoted text; `None` if a quote is not closed.
fn without_quotes(line: &str) -> Option<String> {
    let mut out = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(_) => out.push('x'),
                None => out.push('\\'),
            },
            '\'' => {
                out.push('x');
                chars.by_ref().find(|c| *c == '\'')?;
            }
            '"' => {
                out.push('x');
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' => drop(chars.next()),
                        _ => {}
                    }
                }
            }
            other => out.push(other),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests;
