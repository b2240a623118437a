//! A command line in one word of a list: no program has such a name.

use super::FindingSink;
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::LoadedFile;
use crate::syntax::ast::{ClauseKind, EffectKind, ItemKind, QuoteStyle, StringLiteral};

/// Reports `run ["npm test"]`.
pub(super) fn check(files: &[LoadedFile], findings: &mut FindingSink) {
    for item in files.iter().filter(|file| file.pack.is_none()).flat_map(|file| &file.ast.items) {
        let ItemKind::Rule(rule) = &item.kind else { continue };
        for clause in &rule.clauses {
            if let ClauseKind::Effect(effect) = &clause.kind
                && let EffectKind::RunArgv(words, _) = &effect.kind
            {
                findings.extend(shell_words_finding(words).or_else(|| words.first().and_then(command_line_finding)));
            }
        }
    }
}

/// Reports `run ["cd", "app", "&&", "ruff", "check"]`: no shell reads a list.
fn shell_words_finding(words: &[StringLiteral]) -> Option<Diagnostic> {
    const SIGNS: [&str; 8] = ["&&", "||", "|", ";", ">", ">>", "2>&1", "&"];
    // The text after `-c` is meant for a shell, and its arguments are literal.
    if words.iter().any(|word| matches!(word.value.as_str(), "-c" | "-lc" | "-ec")) {
        return None;
    }
    let at = words.iter().skip(1).position(|word| SIGNS.contains(&word.value.as_str()))? + 1;
    let sign = words.get(at)?;
    let joined = |words: &[StringLiteral]| words.iter().map(|word| word.value.as_str()).collect::<Vec<_>>().join(" ");
    let all = joined(words);
    let is_plain = |text: &str| !text.contains(['"', '\'', '\\', '$', '`', '{', '\n']) && text.len() <= 60;
    let help = match words {
        // The directory becomes an option, and the rest stays a list.
        [cd, directory, and, rest @ ..]
            if cd.value == "cd" && and.value == "&&" && !rest.is_empty() && is_plain(&all) =>
        {
            format!("write `run \"{}\" {{ cwd: \"{}\" }}`", joined(rest), directory.value)
        }
        _ if is_plain(&all) => format!("write a string, which the shell reads: `run \"{all}\"`"),
        _ => "write a string, which the shell reads: `run \"a && b\"`".to_owned(),
    };
    Some(
        Diagnostic::new(Code::COMMAND_LINE_AS_PROGRAM, format!("`{}` in a list for `run`", sign.value))
            .label(sign.span, "no shell reads a list: it is a word like the others")
            .help(help),
    )
}

/// Whether each placeholder of a text is a whole word of it.
fn has_whole_word_placeholders(word: &StringLiteral) -> bool {
    let braces = word.value.matches('{').count();
    let whole = word.placeholders.iter().filter(|it| {
        let before = word.value.get(..it.range.start).is_some_and(|before| before.ends_with(' '));
        before && word.value.get(it.range.end..).is_some_and(|behind| behind.is_empty() || behind.starts_with(' '))
    });
    whole.count() == braces
}

fn command_line_finding(word: &StringLiteral) -> Option<Diagnostic> {
    let words: Vec<&str> = word.value.split_whitespace().collect();
    // A path may contain spaces.
    let is_path = words.first().is_some_and(|first| first.contains(['/', '{']));
    if words.len() < 2 || is_path {
        return None;
    }
    let listed: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let listed = listed.join(", ");
    let finding = Diagnostic::new(Code::COMMAND_LINE_AS_PROGRAM, format!("no program is called `{}`", word.value))
        .label(word.span, "the whole text is taken for the name of a program")
        .help(format!("write `[{listed}, …]`, one word each, or a string for the shell"));
    let is_plain = !word.value.contains(['"', '\'', '\\', '$', '`'])
        && has_whole_word_placeholders(word)
        && word.quote != QuoteStyle::Block;
    Some(if is_plain { finding.fix_that_changes(word.span, listed) } else { finding })
}
