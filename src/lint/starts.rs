//! A command line in one word of a list: no program has such a name.

use crate::diagnostic::{Code, Diagnostic};
use crate::layer::LoadedFile;
use crate::syntax::ast::{ClauseKind, EffectKind, ItemKind, Quote, Text};

/// Reports `run ["npm test"]`.
pub(super) fn check(files: &[LoadedFile], found: &mut Vec<Diagnostic>) {
    for item in files.iter().filter(|file| file.pack.is_none()).flat_map(|file| &file.ast.items) {
        let ItemKind::Rule(rule) = &item.kind else { continue };
        for clause in &rule.clauses {
            if let ClauseKind::Effect(effect) = &clause.kind
                && let EffectKind::RunArgv(words, _) = &effect.kind
            {
                found.extend(words.first().and_then(command_line));
            }
        }
    }
}

/// Tells whether each placeholder of a text is a whole word of it.
fn is_alone(word: &Text) -> bool {
    let braces = word.value.matches('{').count();
    let whole = word.placeholders.iter().filter(|it| {
        let before = word.value.get(..it.range.start).is_some_and(|before| before.ends_with(' '));
        before && word.value.get(it.range.end..).is_some_and(|behind| behind.is_empty() || behind.starts_with(' '))
    });
    whole.count() == braces
}

fn command_line(word: &Text) -> Option<Diagnostic> {
    let words: Vec<&str> = word.value.split_whitespace().collect();
    // A path may have spaces in it.
    let is_path = words.first().is_some_and(|first| first.contains(['/', '{']));
    if words.len() < 2 || is_path {
        return None;
    }
    let listed: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let listed = listed.join(", ");
    let finding = Diagnostic::new(Code::COMMAND_LINE_AS_PROGRAM, format!("no program is called `{}`", word.value))
        .label(word.span, "the whole text is taken for the name of a program")
        .help(format!("write `[{listed}, …]`, one word each, or a string for the shell"));
    let is_plain = !word.value.contains(['"', '\'', '\\', '$', '`']) && is_alone(word) && word.quote != Quote::Block;
    Some(if is_plain { finding.fix_that_changes(word.span, listed) } else { finding })
}
