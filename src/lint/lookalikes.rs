//! Finds dashes, quotes and spaces of word processors, which look like ASCII characters but are different: commands and
//! names hardly ever contain them.

use super::comparison::{visit_patterns, visit_tests};
use super::glob_as_text::{is_free_text, shortened};
use super::sources::compared_texts;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, ConditionExpr, DirOperand, Rule, TouchTest, ValueTest};
use crate::span::Span;
use crate::syntax::string_literal;

pub(super) const LINT: Lint = Lint { codes: &[Code::LOOKALIKE], check };

/// Reports lookalike characters in command patterns, and in texts that values other than prose are compared with.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_patterns(rule, &mut |seen, pattern| {
        let sign = find_lookalike(pattern.text(), ComparedKind::Words);
        let literal_span = || written.pattern_span(seen.test, pattern.text());
        findings.extend(sign.map(|sign| finding(seen.test, pattern.text(), sign, literal_span())));
    });
    visit_tests(rule, &mut |seen| {
        let test = seen.test;
        let mut add = |text: &str, kind: ComparedKind, literal_span: Option<Span>| {
            findings.extend(find_lookalike(text, kind).map(|sign| finding(test, text, sign, literal_span)));
        };
        match &test.kind {
            ConditionExpr::Compare { source, test: compared, .. } if !is_free_text(source) => {
                let kind = if source.is_path() { ComparedKind::Names } else { ComparedKind::Words };
                for text in texts(compared).into_iter().filter(|text| !text.is_ascii()) {
                    add(text, kind, written.comparison(test).and_then(|it| it.text_span(text)));
                }
            }
            ConditionExpr::Touches { test: TouchTest::Like(globs), .. } => {
                for glob in globs.patterns().filter(|glob| !glob.is_ascii()) {
                    add(glob, ComparedKind::Names, written.comparison(test).and_then(|it| it.text_span(glob)));
                }
            }
            _ => {}
        }
    });
}

/// The kind of values that a text of the policy is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ComparedKind {
    /// Words of commands, names of tools, and other texts that people type.
    Words,
    /// Names of files, which may well contain a dash or the quotes of a word processor.
    Names,
}

/// Returns the texts in a test: literals, globs, directories.
fn texts(test: &ValueTest) -> Vec<&str> {
    match test {
        ValueTest::LikePath(globs) => globs.patterns().collect(),
        ValueTest::Under(dirs) | ValueTest::Outside(dirs) => {
            let mut texts = Vec::new();
            for dir in dirs.iter() {
                if let DirOperand::Literal(path) = dir {
                    texts.extend(path.to_str());
                }
            }
            texts
        }
        test => compared_texts(test),
    }
}

/// What a lookalike character looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LookalikeKind {
    Dash,
    Quote,
    Blank,
    Invisible,
}

/// Returns what a character looks like; `None` if it is no lookalike.
fn lookalike_kind(c: char) -> Option<LookalikeKind> {
    Some(match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => LookalikeKind::Dash,
        '\u{2018}'..='\u{201f}' | '\u{ff02}' | '\u{ff07}' => LookalikeKind::Quote,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => LookalikeKind::Blank,
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => LookalikeKind::Invisible,
        _ => return None,
    })
}

/// Returns the kind of the first lookalike character in a text, if it is probably a mistake there.
fn find_lookalike(text: &str, compared: ComparedKind) -> Option<LookalikeKind> {
    let mut lookalikes = text.chars().filter_map(lookalike_kind);
    match compared {
        ComparedKind::Words => lookalikes.next(),
        // In a file name, quotes are a mistake only if they enclose the whole text.
        ComparedKind::Names => {
            let is_quoted = text.starts_with(|c| lookalike_kind(c) == Some(LookalikeKind::Quote))
                && text.ends_with(|c| lookalike_kind(c) == Some(LookalikeKind::Quote));
            lookalikes.find(|kind| {
                matches!(kind, LookalikeKind::Blank | LookalikeKind::Invisible)
                    || *kind == LookalikeKind::Quote && is_quoted
            })
        }
    }
}

/// Returns a text with ASCII characters in place of lookalikes.
fn with_ascii(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_first = out.is_empty() || out.ends_with([' ', '!', '(', '|']);
        match lookalike_kind(c) {
            Some(LookalikeKind::Dash) => {
                // Word processors turn two dashes into a long one. That is likely in `--force`, but not in `-f`.
                let mut word_after = chars.clone().take_while(char::is_ascii_alphanumeric);
                let is_long = is_first && word_after.nth(1).is_some();
                out.push_str(if is_long { "--" } else { "-" });
            }
            Some(LookalikeKind::Quote) if matches!(c, '\u{2018}'..='\u{201b}' | '\u{ff07}') => out.push('\''),
            Some(LookalikeKind::Quote) => out.push('"'),
            Some(LookalikeKind::Blank) => out.push(' '),
            Some(LookalikeKind::Invisible) => {}
            None => out.push(c),
        }
    }
    // The author meant quotes around the whole text as those of the string in the policy.
    let quotes = ['"', '\''];
    match out.starts_with(quotes) && out.ends_with(quotes) && out.len() > 2 {
        true => out.trim_matches(quotes).to_owned(),
        false => out,
    }
}

/// Returns the finding about a lookalike character in a text, with the text in ASCII.
fn finding(test: &Condition, text: &str, kind: LookalikeKind, literal_span: Option<Span>) -> Diagnostic {
    let (what, label) = match kind {
        LookalikeKind::Dash => ("a dash that no keyboard types", "longer than `-`: a word processor puts it there"),
        LookalikeKind::Quote => {
            ("quotes that no keyboard types", "compared as they stand: a word processor puts them there")
        }
        LookalikeKind::Blank => ("a blank that no keyboard types", "looks like a blank, and is another character"),
        LookalikeKind::Invisible => ("a character that cannot be seen", "something stands here that cannot be seen"),
    };
    let right = string_literal(&with_ascii(text), "");
    let finding = Diagnostic::new(Code::LOOKALIKE, shortened(&format!("{what}, in `"), text, "`"))
        .label(literal_span.unwrap_or(test.span), label)
        .help(if right.len() < 60 { format!("write `{right}`") } else { "type it anew".to_owned() });
    match literal_span {
        Some(literal_span) => finding.fix_that_changes(literal_span, right),
        None => finding,
    }
}
