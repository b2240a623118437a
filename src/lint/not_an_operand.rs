//! Finds subcommands, options and SQL statements that a `where` looks for among the words of a command, where they
//! never are, or only in one spelling: `operands == "push"`, `args == "--force"`, `args contains "DROP TABLE"`.

use super::comparison::visit_tests;
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts, as_pattern};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, ConditionExpr, Patterns, PolicyValue, Rule, ValueReference, ValueTest, WhereField};
use crate::syntax::string_literal;
use hookrules_shell::Pattern;
use hookrules_shell::programs::Program;

pub(super) const LINT: Lint = Lint { codes: &[Code::NOT_AN_OPERAND, Code::ONE_SPELLING], check };

/// A word that is no subcommand of any program. If a pattern reports it as unknown, the record of the program lists the
/// subcommands.
const NO_SUBCOMMAND: &str = "no-such-subcommand";

/// Reports subcommands, options and SQL statements in comparisons with `operands` and `args`.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source: ValueReference::Where(field), test, .. } = &seen.test.kind else { return };
        if *field == WhereField::Args && rule.can_block && !rule.can_allow && !seen.is_exception {
            findings.extend(
                seen.filtered_patterns.and_then(|patterns| literal_option_finding(written, seen.test, test, patterns)),
            );
        }
        if rule.can_block && !rule.can_allow && !seen.is_exception {
            findings.extend(sql_statement_finding(written, seen.test, test));
        }
        let is_operand = match field {
            WhereField::Operands | WhereField::Operand(_) => true,
            // Among all arguments a subcommand can be found, but never among the operands.
            WhereField::Args if rule.can_block && !rule.can_allow && !seen.is_exception => false,
            _ => return,
        };
        let patterns = seen.filtered_patterns.filter(|_| !seen.is_of_use);
        let word = || word_of_pattern(written, seen.test, test, patterns?);
        if is_operand && let Some(finding) = option_among_operands(written, seen.test, test, patterns).or_else(word) {
            return findings.push(finding);
        }
        findings.extend(patterns.and_then(|patterns| {
            let (words, instead) = (compared_words(test), subcommands(patterns, test)?);
            let word = words.first()?;
            let program = patterns.iter().next()?.text().split_whitespace().next()?;
            let literal_span =
                written.comparison(seen.test).and_then(|it| it.text_span(word)).unwrap_or(seen.test.span);
            let finding = match is_operand {
                true => Diagnostic::new(
                    Code::NOT_AN_OPERAND,
                    shortened(&format!("`{program}` has the subcommand `"), word, "`, which is no operand"),
                )
                .label(literal_span, "operands are the words behind the subcommand"),
                false => Diagnostic::new(
                    Code::ONE_SPELLING,
                    shortened("a guard that looks for the subcommand `", word, "` among all words"),
                )
                .label(literal_span, "a message or a file may be the same word, and an alias is another"),
            };
            Some(finding.help(format!("write it into the pattern: `runs {instead}`")))
        }));
    });
}

/// Returns the command patterns of a test extended by the words that it compares with, as source text: `"git push"` for
/// `runs "git" where operands == "push"`. `None` unless every word is a subcommand.
fn subcommands(patterns: &Patterns, test: &ValueTest) -> Option<String> {
    let words = compared_words(test);
    let added_words = match words.as_slice() {
        [] => return None,
        [only] => only.clone(),
        several => format!("({})", several.join("|")),
    };
    let is_subcommand = |pattern| words.iter().all(|word| is_subcommand(pattern, word));
    if !patterns.iter().all(is_subcommand) {
        return None;
    }
    let extended: Vec<String> = patterns
        .iter()
        .map(|pattern| string_literal(&format!("{} {added_words}", without_final_star(pattern)), ""))
        .collect();
    Some(match extended.as_slice() {
        [only] => only.clone(),
        several => format!("[{}]", several.join(", ")),
    })
}

/// Returns the finding about a word that the pattern already has: `runs "git push" where operand 1 == "push"`, or the
/// same with `main` for `runs "git checkout main"`. The operands are those that follow it.
fn word_of_pattern(
    written: &SourceTexts<'_>,
    condition: &Condition,
    test: &ValueTest,
    patterns: &Patterns,
) -> Option<Diagnostic> {
    let words = compared_words(test);
    let has_word = |pattern: &Pattern, word: &String| {
        pattern.text().split_whitespace().skip(1).any(|of_pattern| of_pattern == word)
    };
    let word = words.first().filter(|_| words.iter().all(|word| patterns.iter().all(|it| has_word(it, word))))?;
    let literal_span = written.comparison(condition).and_then(|it| it.text_span(word));
    Some(
        Diagnostic::new(Code::NOT_AN_OPERAND, shortened("`", word, "` is in the pattern, and no operand behind it"))
            .label(literal_span.unwrap_or(condition.span), "operands are the words that follow those of the pattern")
            .help("leave the test out: the pattern requires this word"),
    )
}

/// Returns the finding about an option that is looked for among the operands: `operands contains "--force"`.
fn option_among_operands(
    written: &SourceTexts<'_>,
    condition: &Condition,
    test: &ValueTest,
    patterns: Option<&Patterns>,
) -> Option<Diagnostic> {
    let option = compared_texts(test).into_iter().find(|text| is_option(text))?;
    let literal_span = written.comparison(condition).and_then(|it| it.text_span(option));
    let name = option.split('=').next().unwrap_or(option);
    let help = match patterns.and_then(|patterns| with_options(patterns, &[name])) {
        Some(pattern) => format!("write it into the pattern: `runs {pattern}`"),
        None => format!("write it into the pattern of `runs`, or `exists option {}`", string_literal(name, "")),
    };
    Some(
        Diagnostic::new(Code::NOT_AN_OPERAND, shortened("`", option, "` is an option, which is no operand"))
            .label(literal_span.unwrap_or(condition.span), "operands are the words that are no options")
            .help(help),
    )
}

/// Returns the finding about an option that is looked for literally among all arguments of a program that has it:
/// `args == "-f"` does not match `-uf`.
fn literal_option_finding(
    written: &SourceTexts<'_>,
    condition: &Condition,
    test: &ValueTest,
    patterns: &Patterns,
) -> Option<Diagnostic> {
    let texts = compared_texts(test);
    let (first, true) = (*texts.first()?, texts.iter().all(|text| is_option(text) && !text.contains('='))) else {
        return None;
    };
    // A word that is no option of the program has only one spelling.
    let program = patterns.programs().program(patterns.iter().next()?.text().split_whitespace().next()?)?;
    if !texts.iter().all(|text| has_option(program, text)) {
        return None;
    }
    let pattern = with_options(patterns, &texts)?;
    let literal_span = written.comparison(condition).and_then(|it| it.text_span(first));
    let finding = Diagnostic::new(Code::ONE_SPELLING, shortened("`args` has `", first, "` in this spelling alone"))
        .label(literal_span.unwrap_or(condition.span), "among other letters, or shortened, it is another word")
        .help(format!("write it into the pattern: `runs {pattern}`"));
    Some(finding)
}

/// The first words of SQL statements that change data or permissions.
const STATEMENTS: &[&str] = &["alter", "create", "delete", "drop", "grant", "insert", "revoke", "truncate"];
/// The second words of SQL statements.
const OBJECTS: &[&str] =
    &["all", "column", "database", "from", "index", "into", "role", "schema", "select", "table", "user", "view"];

/// Returns the finding about a SQL statement in upper case, which a command may contain in lower case.
fn sql_statement_finding(written: &SourceTexts<'_>, condition: &Condition, test: &ValueTest) -> Option<Diagnostic> {
    let words_of = |text: &str| text.split_whitespace().map(str::to_ascii_lowercase).collect::<Vec<String>>();
    let is_statement = |text: &&str| match words_of(text).as_slice() {
        // A statement in lower case may be meant for files that are written in this form.
        [first, second, ..] if text.contains(|c: char| c.is_ascii_uppercase()) => {
            STATEMENTS.contains(&first.as_str()) && OBJECTS.contains(&second.as_str())
        }
        _ => false,
    };
    let text = compared_texts(test).into_iter().find(is_statement)?;
    let comparison = written.comparison(condition)?;
    let is_alone = comparison.texts.as_ref().is_some_and(|texts| texts.len() == 1);
    let words: Vec<String> = words_of(text).iter().map(|word| regex_syntax::escape(word)).collect();
    let regex = format!("{}matches /{}/i", comparison.negation_prefix(), words.join("\\s+").replace('/', "\\/"));
    let message = shortened("a guard that looks for `", text, "` in one spelling only");
    let finding = Diagnostic::new(Code::ONE_SPELLING, message)
        .label(comparison.text_span(text).unwrap_or(condition.span), "another letter case, or two blanks, evade this")
        .help(format!("write `{} {regex}`", comparison.operand));
    Some(if is_alone { finding.fix_that_changes(comparison.operator_and_value_span(), regex) } else { finding })
}

/// Whether a program or one of its subcommands has an option; several letters after one dash are several options.
fn has_option(program: &Program, option: &str) -> bool {
    let letters = option.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
    let has_letters = || letters.is_some_and(|letters| letters.chars().all(|letter| program.letter(letter).is_some()));
    program.option(option).is_some()
        || has_letters()
        || program.commands.iter().any(|command| has_option(command, option))
}

/// Returns the literal texts that a test compares words with; empty for a glob or a regex.
fn compared_texts(test: &ValueTest) -> Vec<&str> {
    match test {
        ValueTest::Equal(value) | ValueTest::StartsWith(value) | ValueTest::Contains(value) => {
            value.as_text().into_iter().collect()
        }
        ValueTest::In(values) => values.iter().filter_map(PolicyValue::as_text).collect(),
        _ => Vec::new(),
    }
}

/// Whether a text looks like an option.
fn is_option(text: &str) -> bool {
    let name = text.trim_start_matches('-');
    name.len() < text.len() && !text.contains(' ') && name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Returns the pattern of a test with these options added, as source text; `None` if the test has several patterns, or
/// if the result is not valid.
fn with_options(patterns: &Patterns, options: &[&str]) -> Option<String> {
    let only = patterns.iter().next().filter(|_| patterns.count() == 1)?;
    let options = match options {
        [one] => (*one).to_owned(),
        several => format!("({})", several.join("|")),
    };
    let text = format!("{} {options}", without_final_star(only));
    Pattern::with_programs(&text, only.programs()).ok()?;
    Some(string_literal(&text, ""))
}

/// Returns the plain words that a test compares operands with; empty if it compares them with anything else.
fn compared_words(test: &ValueTest) -> Vec<String> {
    let owned = |text: &str| text.to_owned();
    let words: Vec<String> = match test {
        ValueTest::Equal(value) | ValueTest::StartsWith(value) | ValueTest::Contains(value) => {
            value.as_text().map(owned).into_iter().collect()
        }
        ValueTest::In(values) => values
            .iter()
            .map(|value: &PolicyValue| value.as_text().map(owned))
            .collect::<Option<_>>()
            .unwrap_or_default(),
        ValueTest::LikeText(globs) => {
            globs.patterns().map(|glob| glob.trim_end_matches('*').trim_start_matches('*').to_owned()).collect()
        }
        ValueTest::Matches(regex) => as_pattern::word_alternatives(regex.pattern()).unwrap_or_default(),
        _ => Vec::new(),
    };
    let is_word =
        |word: &String| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if words.iter().all(is_word) { words } else { Vec::new() }
}

/// Returns a pattern without the `*` or `!*` at its end.
fn without_final_star(pattern: &Pattern) -> &str {
    pattern.text().trim_end_matches(['*', '!', ' '])
}

/// Whether a word after those of a pattern is a subcommand. `false` if the subcommands of the program are unknown.
fn is_subcommand(pattern: &Pattern, word: &str) -> bool {
    let is_unknown = |word: &str| {
        let extended = Pattern::with_programs(&format!("{} {word}", without_final_star(pattern)), pattern.programs());
        extended.is_ok_and(|extended| extended.unknown_words().iter().any(|unknown| unknown.word == word))
    };
    is_unknown(NO_SUBCOMMAND) && !is_unknown(word)
}
