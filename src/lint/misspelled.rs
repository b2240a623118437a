//! Finds words of command patterns that are missing in the record of the program, but resemble a word that it has.

use super::comparison::{RuleTest, visit_patterns, visit_tests};
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, ConditionExpr, Rule, ValueReference, WhereField};
use crate::span::Span;
use crate::syntax::ast::ExampleKind;
use crate::syntax::string_literal;
use hookrules_shell::Pattern;
use hookrules_shell::programs::{UnlistedSubcommand, program};

pub(super) const LINT: Lint = Lint { codes: &[Code::MISSPELLED_PATTERN], check };

/// The minimum length of a word that counts as a misspelling: a short word, such as an alias, resembles another one by
/// chance.
const MIN_WORD_LENGTH: usize = 4;

/// Reports misspelled words in command patterns, and misspelled options in the `where` of a rule.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_patterns(rule, &mut |seen, pattern| findings.extend(pattern_finding(written, rule, seen.test, pattern)));
    visit_tests(rule, &mut |seen| findings.extend(option_finding(written, &seen)));
}

/// A misspelled word, and the intended word.
struct Misspelling {
    /// The program that has the intended word, or the intended program itself.
    program: String,
    /// The word as it is in the pattern.
    word: String,
    intended: String,
}

/// Returns the finding about a misspelled word in a pattern, unless an example of the rule shows that such a command
/// exists.
fn pattern_finding(written: &SourceTexts<'_>, rule: &Rule, test: &Condition, pattern: &Pattern) -> Option<Diagnostic> {
    let slip =
        misspelled_word(pattern).or_else(|| misspelled_program(pattern)).filter(|slip| !is_shown(rule, &slip.word))?;
    let literal_span = written.pattern_span(test, pattern.text());
    let corrected = corrected_pattern(pattern.text(), &slip).map(|text| string_literal(&text, ""));
    Some(finding(&slip, literal_span.unwrap_or(test.span), literal_span.zip(corrected)))
}

/// Whether a `fires` example of the rule contains a word, so that the author probably intends it.
fn is_shown(rule: &Rule, word: &str) -> bool {
    let fires = rule.examples.iter().filter(|(kind, _)| *kind == ExampleKind::Fires);
    let mut texts = fires.flat_map(|(_, examples)| examples.iter()).filter_map(|example| example.text.as_ref());
    texts.any(|text| text.value.split_whitespace().any(|other| other == word))
}

/// Returns a subcommand or option of a pattern that resembles one in the program's record; `None` if every word is
/// known, or resembles none.
fn misspelled_word(pattern: &Pattern) -> Option<Misspelling> {
    pattern.unknown_words().into_iter().find_map(|unknown| {
        let runs_scripts =
            pattern.programs().program(unknown.program).is_some_and(|it| it.unlisted == UnlistedSubcommand::Script);
        if runs_scripts && !unknown.word.starts_with('-') {
            return None;
        }
        let with_typing_error = unknown.known.iter().find(|known| is_typing_error(unknown.word, known));
        let intended =
            with_typing_error.or_else(|| unknown.known.iter().find(|known| is_abbreviation(unknown.word, known)))?;
        Some(Misspelling {
            program: unknown.program.to_owned(),
            word: unknown.word.to_owned(),
            intended: (*intended).to_owned(),
        })
    })
}

/// Returns a program without a record if its name in lower case, or with two adjacent letters swapped, is that of a
/// program with a record.
fn misspelled_program(pattern: &Pattern) -> Option<Misspelling> {
    let first = pattern.text().split_whitespace().next()?;
    let lower = first.to_ascii_lowercase();
    if lower != first && !pattern.programs().has(first) && program(&lower).is_some() {
        return Some(Misspelling { program: lower.clone(), word: first.to_owned(), intended: lower });
    }
    let is_plain = first.len() >= 3 && first.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_plain || pattern.programs().has(first) {
        return None;
    }
    let bytes = first.as_bytes();
    let with_letters_swapped = |at: usize| {
        let mut swapped = bytes.to_vec();
        swapped.swap(at, at + 1);
        String::from_utf8(swapped).ok().filter(|name| name != first && program(name).is_some())
    };
    // In a name of three letters, the first letter is not swapped: `act` is another program than `cat`.
    let start = usize::from(bytes.len() < MIN_WORD_LENGTH);
    let intended = (start..bytes.len() - 1).find_map(with_letters_swapped)?;
    Some(Misspelling { program: intended.clone(), word: first.to_owned(), intended })
}

/// Returns the finding about a misspelled option in a `where`: `option "--mesage"`.
fn option_finding(written: &SourceTexts<'_>, seen: &RuleTest<'_>) -> Option<Diagnostic> {
    let (ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source)) = &seen.test.kind else { return None };
    let ValueReference::Where(WhereField::Option(name)) = source.measured_values() else { return None };
    let slip = |pattern: &Pattern| {
        let words = pattern.text().trim_end_matches('*').trim_end_matches('!').trim_end();
        let with_option = Pattern::with_programs(&format!("{words} {name}"), pattern.programs()).ok()?;
        misspelled_word(&with_option).filter(|slip| slip.word == *name)
    };
    // The option must be misspelled for every pattern of the test.
    let mut slips = seen.filtered_patterns?.iter().map(slip).collect::<Option<Vec<Misspelling>>>()?;
    let slip = slips.pop()?;
    let text = written.text(seen.test.span);
    let quoted = string_literal(&slip.word, "");
    let option_span = text.find(&quoted).map(|at| {
        let start = seen.test.span.start as usize + at;
        Span::new(seen.test.span.file, start, start + quoted.len())
    });
    let fix = option_span.map(|option_span| (option_span, string_literal(&slip.intended, "")));
    Some(finding(&slip, option_span.unwrap_or(seen.test.span), fix))
}

/// Returns the finding about a misspelling; `fix` is the replacement and its span, if this is known.
fn finding(slip: &Misspelling, at: Span, fix: Option<(Span, String)>) -> Diagnostic {
    let Misspelling { program, word, intended: meant } = slip;
    let (message, help) = match word.starts_with('-') {
        _ if program == meant => {
            (shortened("no program `", word, "` is known"), format!("a program named `{meant}` is"))
        }
        true => (shortened(&format!("`{program}` has no option `"), word, "`"), format!("it has `{meant}`")),
        false => (shortened(&format!("`{program}` has no subcommand `"), word, "`"), format!("it has `{meant}`")),
    };
    let finding = Diagnostic::new(Code::MISSPELLED_PATTERN, message).label(at, "matches no command").help(help);
    match fix {
        Some((place, meant)) => finding.fix_that_changes(place, meant),
        None => finding,
    }
}

/// Returns a pattern with the word corrected; `None` unless the pattern contains the word exactly once.
fn corrected_pattern(pattern: &str, slip: &Misspelling) -> Option<String> {
    let is_word_char = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let is_whole_word = |at: usize| {
        let before = pattern.get(..at).and_then(|before| before.chars().next_back());
        let after = pattern.get(at + slip.word.len()..).and_then(|rest| rest.chars().next());
        !before.is_some_and(is_word_char) && !after.is_some_and(is_word_char)
    };
    let mut positions = pattern.match_indices(&slip.word).map(|(at, _)| at).filter(|at| is_whole_word(*at));
    let at = positions.next().filter(|_| positions.next().is_none())?;
    let mut text = pattern.to_owned();
    text.replace_range(at..at + slip.word.len(), &slip.intended);
    Some(text)
}

/// Whether a word differs from a known one by a single typing error: swapped adjacent letters, a missing, doubled or
/// wrong letter, or the number of dashes. A letter added at either end does not count, because it is more typical of an
/// alias; neither does another digit, which means something else.
fn is_typing_error(word: &str, known: &str) -> bool {
    let bare = |word: &str| word.trim_start_matches('-').chars().collect::<Vec<char>>();
    let (word, known) = (bare(word), bare(known));
    // The words differ only in the number of dashes.
    if word == known {
        return true;
    }
    if word.len() < MIN_WORD_LENGTH || known.len() < MIN_WORD_LENGTH {
        return false;
    }
    // Compares what remains without the common beginning and end.
    let common_start = word.iter().zip(&known).take_while(|(one, other)| one == other).count();
    let longest_end = word.len().min(known.len()) - common_start;
    let common_end =
        word.iter().rev().zip(known.iter().rev()).take(longest_end).take_while(|(one, other)| one == other).count();
    let differing_part =
        |chars: &[char]| chars.get(common_start..chars.len() - common_end).unwrap_or_default().to_vec();
    // The words differ by one wrong letter, two swapped letters, a missing letter or an additional one.
    match (differing_part(&word).as_slice(), differing_part(&known).as_slice()) {
        ([one], [other]) => !one.is_ascii_digit() && !other.is_ascii_digit(),
        ([one, two], [other, another]) => one == another && two == other,
        ([], [_]) => true,
        ([one], []) => {
            let neighbours = [common_start.checked_sub(1), Some(common_start + 1)].into_iter().flatten();
            let is_doubled = neighbours.into_iter().any(|at| word.get(at) == Some(one));
            is_doubled || common_start > 0 && common_end > 0
        }
        _ => false,
    }
}

/// Whether a long option abbreviates a known one-word option by leaving out letters: `--msg` for `--message`.
fn is_abbreviation(word: &str, known: &str) -> bool {
    let (Some(word), Some(known)) = (word.strip_prefix("--"), known.strip_prefix("--")) else { return false };
    if known.contains('-') {
        return false;
    }
    let first = word.chars().next();
    let mut rest = known.chars();
    word.len() > 2 && first == known.chars().next() && word.chars().all(|letter| rest.any(|other| other == letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_option_without_letters_inside_is_short_for_another() {
        for (word, known) in [("--msg", "--message"), ("--dir", "--directory"), ("--cfg", "--config")] {
            assert!(is_abbreviation(word, known), "{word} {known}");
        }
        for (word, known) in [
            ("--msg", "--image"),
            ("-m", "--message"),
            ("--no", "--node"),
            ("--file", "--fail-early"),
            ("msg", "message"),
        ] {
            assert!(!is_abbreviation(word, known), "{word} {known}");
        }
    }

    #[test]
    fn a_slip_of_the_hand_is_told_from_another_word() {
        let slips = [
            ("psuh", "push"),
            ("comit", "commit"),
            ("committ", "commit"),
            ("stauts", "status"),
            ("--froce", "--force"),
            ("--privilleged", "--privileged"),
            ("checkuot", "checkout"),
            ("puhs", "push"),
            ("pusch", "push"),
        ];
        for (word, known) in slips {
            assert!(is_typing_error(word, known), "{word} {known}");
        }
        let others = [
            ("lg", "log"),
            ("pushf", "push"),
            ("unstage", "stage"),
            ("apush", "push"),
            ("tests", "test"),
            ("s3", "s3a"),
            ("--no-edit", "--edit"),
            ("v1beta1", "v1beta2"),
            ("udeps", "deps"),
            ("dist", "list2"),
        ];
        for (word, known) in others {
            assert!(!is_typing_error(word, known), "{word} {known}");
        }
    }
}
