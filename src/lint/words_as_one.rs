//! Finds several words of a command in one text, although each word of a command is compared with the text separately:
//! `args contains "-m x"`.

use super::comparison::{RuleTest, visit_tests};
use super::glob_as_text::shortened;
use super::sources::compared_texts;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, Rule, ValueReference, WhereField};
use crate::syntax::string_literal;

pub(super) const LINT: Lint = Lint { codes: &[Code::WORDS_AS_ONE], check };

/// Reports texts of several words, and shell operators, in comparisons with the words of a command.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare {
            source: ValueReference::Where(WhereField::Args | WhereField::Operands), test, ..
        } = &seen.test.kind
        else {
            return;
        };
        if let Some(finding) =
            compared_texts(test).into_iter().find_map(|text| shell_operator_finding(written, &seen, text))
        {
            findings.push(finding);
            return;
        }
        let Some(text) = compared_texts(test).into_iter().find(|text| is_option_with_words(text)) else { return };
        let comparison = written.comparison(seen.test);
        let literal_span = comparison.as_ref().and_then(|it| it.text_span(text)).unwrap_or(seen.test.span);
        let finding = Diagnostic::new(Code::WORDS_AS_ONE, shortened("`", text, "` is more than one word"))
            .label(literal_span, "each word of the command is compared by itself, and none has a blank");
        let words: Vec<&str> = text.split_whitespace().collect();
        let [flag, value] = words.as_slice() else {
            let program =
                seen.filtered_patterns.and_then(|patterns| patterns.iter().next()).map(|it| it.text().to_owned());
            let pattern = string_literal(&format!("{} {text}", program.unwrap_or_else(|| "…".to_owned())), "");
            let help = format!("write them into the pattern: `runs {pattern}`");
            findings.push(finding.help(if help.len() < 90 {
                help
            } else {
                "write them into the pattern of `runs`".to_owned()
            }));
            return;
        };
        let is_option_with_value = |flag: &str, value: &str| flag.starts_with('-') && !value.starts_with('-');
        let is_alone =
            comparison.as_ref().is_some_and(|it| it.texts.as_ref().is_some_and(|all| all.len() == 1) && !it.all);
        let right = match is_option_with_value(flag, value) {
            true => format!("option {} == {}", string_literal(flag, ""), string_literal(value, "")),
            false => format!("args contains {}", string_literal(flag, "")),
        };
        let finding = finding.help(format!("write `{right}`"));
        findings.push(match comparison.filter(|it| is_alone && !it.negated && is_option_with_value(flag, value)) {
            Some(_) => finding.fix_that_changes(seen.test.span, right),
            None => finding,
        });
    });
}

/// Returns the finding about a shell operator that is looked for among the words of a command:
/// `args contains "| sh"`.
fn shell_operator_finding(written: &SourceTexts<'_>, seen: &RuleTest<'_>, text: &str) -> Option<Diagnostic> {
    let operator =
        ["&&", "||", "|", ">>", ">", ";"].into_iter().find(|operator| text.trim_start().starts_with(operator))?;
    let rest = text.trim().strip_prefix(operator)?.trim();
    let literal_span = written.comparison(seen.test).and_then(|it| it.text_span(text));
    let first =
        seen.filtered_patterns.and_then(|patterns| patterns.iter().next()).map_or("…", |pattern| pattern.text());
    let help = match operator {
        "|" if !rest.is_empty() => {
            format!("write `pipes {} into {}`", string_literal(first, ""), string_literal(rest, ""))
        }
        ">" | ">>" => "test the files: `writes like \"…\"`".to_owned(),
        _ => "each command is tested by itself: write one `runs` for each".to_owned(),
    };
    Some(
        Diagnostic::new(Code::WORDS_AS_ONE, shortened("`", text, "` is the shell's, not a word of a command"))
            .label(literal_span.unwrap_or(seen.test.span), "the shell has read it before the command is run")
            .help(help),
    )
}

/// Whether a text is an option with further words. Messages and code, which may have several words, do not begin with
/// an option.
fn is_option_with_words(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_option = |word: &str| {
        let name = word.trim_start_matches('-');
        word.starts_with('-') && name.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    words.next().is_some_and(is_option) && words.next().is_some()
}
