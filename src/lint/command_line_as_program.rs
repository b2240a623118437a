//! Finds a `run` with a list in which one word is a whole command line, or in which words are shell syntax.

use super::FindingSink;
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::LoadedFile;
use crate::syntax::ast::{ClauseKind, EffectKind, ItemKind, QuoteStyle, StringLiteral};

/// Reports `run ["npm test"]`, and shell syntax in a list, in the files of a layer.
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

/// Returns the finding about shell syntax among the words of a list, which no shell reads:
/// `run ["cd", "app", "&&", "ruff"]`.
fn shell_words_finding(words: &[StringLiteral]) -> Option<Diagnostic> {
    const SIGNS: [&str; 8] = ["&&", "||", "|", ";", ">", ">>", "2>&1", "&"];
    // After `-c`, a word of the list is read by the shell that the list starts.
    if words.iter().any(|word| matches!(word.value.as_str(), "-c" | "-lc" | "-ec")) {
        return None;
    }
    let position = words.iter().skip(1).position(|word| SIGNS.contains(&word.value.as_str()))? + 1;
    let operator = words.get(position)?;
    let joined = |words: &[StringLiteral]| words.iter().map(|word| word.value.as_str()).collect::<Vec<_>>().join(" ");
    let whole_text = joined(words);
    let is_plain = |text: &str| !text.contains(['"', '\'', '\\', '$', '`', '{', '\n']) && text.len() <= 60;
    let help = match words {
        // `cd DIRECTORY &&` becomes the option `cwd` of a `run` with a string.
        [cd, directory, and, rest @ ..]
            if cd.value == "cd" && and.value == "&&" && !rest.is_empty() && is_plain(&whole_text) =>
        {
            format!("write `run \"{}\" {{ cwd: \"{}\" }}`", joined(rest), directory.value)
        }
        _ if is_plain(&whole_text) => format!("write a string, which the shell reads: `run \"{whole_text}\"`"),
        _ => "write a string, which the shell reads: `run \"a && b\"`".to_owned(),
    };
    Some(
        Diagnostic::new(Code::COMMAND_LINE_AS_PROGRAM, format!("`{}` in a list for `run`", operator.value))
            .label(operator.span, "no shell reads a list: it is a word like the others")
            .help(help),
    )
}

/// Whether each `{` in a text begins a placeholder that is a whole word, other than the first.
fn has_whole_word_placeholders(word: &StringLiteral) -> bool {
    let braces = word.value.matches('{').count();
    let whole = word.placeholders.iter().filter(|it| {
        let follows_space = word.value.get(..it.range.start).is_some_and(|before| before.ends_with(' '));
        follows_space && word.value.get(it.range.end..).is_some_and(|after| after.is_empty() || after.starts_with(' '))
    });
    whole.count() == braces
}

/// Returns the finding about a program's name that contains spaces; `None` if the name may be a path.
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
