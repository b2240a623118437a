//! The commands in the words of zsh's builtins and library functions: `sched +1 CODE`, `zstyle -e`, `zmv`.

use crate::files::paths::glob_word;
use crate::nested::{Runnable, join};
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, Word};

/// Returns the scripts and commands in the arguments of a builtin or a library function, which it runs now or later;
/// `None` if there are none.
pub(super) fn runnables(name: &str, arguments: &[ShellValue]) -> Option<Vec<Runnable>> {
    let words: Vec<Word> = arguments.iter().map(|value| value.word.clone()).collect();
    let option_count = words.iter().take_while(|word| word.prefix().starts_with('-')).count();
    let script_from = |from: usize| {
        let words = words.get(from..).filter(|words| !words.is_empty())?;
        Some(vec![Runnable::Script(join(words), Vec::new())])
    };
    match name {
        "sched" => script_from(option_count + 1),
        "zpty" => script_from(option_count + 1),
        "zstyle" if words.first().is_some_and(|word| word.known_text() == Some("-e")) => script_from(3),
        "add-zsh-hook" => script_from(option_count + 1),
        "zargs" => zargs(&words).map(|command| vec![Runnable::Argv(command)]),
        "zmv" | "zcp" | "zln" => renames(name, &words).map(|command| vec![Runnable::Argv(command)]),
        _ => None,
    }
}

/// Returns the command of `zargs [options --] arguments -- command`, followed by the arguments.
fn zargs(words: &[Word]) -> Option<Vec<Word>> {
    let is_end = |word: &Word| word.known_text() == Some("--");
    let words = match words.first() {
        Some(first) if first.prefix().starts_with('-') => words.get(words.iter().position(is_end)? + 1..)?,
        _ => words,
    };
    let end = words.iter().position(is_end)?;
    let command = words.get(end + 1..).filter(|command| !command.is_empty())?;
    Some(command.iter().chain(words.get(..end)?).cloned().collect())
}

/// Returns the command that `zmv [options] PATTERN NAME` runs for each file: `mv PATTERN NAME`.
fn renames(name: &str, words: &[Word]) -> Option<Vec<Word>> {
    let mut program = match name {
        "zcp" => Word::text("cp"),
        "zln" => Word::text("ln"),
        _ => Word::text("mv"),
    };
    let mut rest = words;
    while let Some((option, remaining)) = rest.split_first() {
        let Some(letters) = option.prefix().strip_prefix('-').filter(|letters| !letters.is_empty()) else { break };
        rest = remaining;
        match letters {
            "-" => break,
            _ if letters.contains('n') => return None,
            _ if letters.ends_with(['p', 'P']) => {
                let (first, remaining) = rest.split_first()?;
                program = first.clone();
                rest = remaining;
            }
            _ if letters.ends_with('o') => rest = rest.get(1..)?,
            _ if letters.contains('C') => program = Word::text("cp"),
            _ if letters.contains('L') => program = Word::text("ln"),
            _ => {}
        }
    }
    let [pattern, target] = rest else { return None };
    Some(vec![program, pattern_word(pattern), target_word(target)])
}

/// Returns the files that a pattern of zsh matches, as a word with globs. A pattern that has operators other than `*`,
/// `?`, classes and groups may match any file.
fn pattern_word(pattern: &Word) -> Word {
    let Some(text) = pattern.known_text() else { return pattern.clone() };
    if text.contains(['|', '~', '^', '#', '<', '\\']) || text.contains("**") {
        return Word::unknown(Unknown::new(Cause::Dialect, text));
    }
    glob_word(&text.replace(['(', ')'], ""))
}

/// Returns the new name of a file, unknown from the first `$1` or `$f` on, which stand for parts of its old name.
fn target_word(target: &Word) -> Word {
    let Some(text) = target.known_text().filter(|text| text.contains(['$', '*', '?', '`', '('])) else {
        return target.clone();
    };
    let start = text.find(['$', '*', '?', '`', '(']).unwrap_or_default();
    let mut word = Word::text(text.get(..start).unwrap_or_default());
    let why = Unknown::new(Cause::Dialect, text);
    word.parts.extend(Word::unknown(why).parts);
    word
}
