//! What parses and is yet meant as another language has it: words without quotes, fields that only the others have.

use super::Conditions;
use crate::compile::field;
use crate::compile::names::{Names, Scoped};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::Head;
use crate::span::Span;
use crate::syntax::ast::{self, ConditionKind, Operand, Operator, ValueKind};
use crate::syntax::{Instead, instead, literal};

impl<'a> Conditions<'_, 'a> {
    /// Reports a `where` that says what belongs in the pattern; nothing then.
    pub(super) fn fits_pattern(&mut self, runs: &ast::Runs, span: Span) -> Option<()> {
        let found = part_of_pattern(runs, span);
        let fits = found.is_none().then_some(());
        self.diagnostics.extend(found);
        fits
    }

    /// Reports a comparison that only the other languages have the field for: `content.length > 10`, `cmd contains "rm"`.
    pub(super) fn of_another_language(&self, file: usize, compare: &'a ast::Compare) -> Option<Diagnostic> {
        let Operand::Field(name) = &compare.operand else { return None };
        let last = name.segments.last()?.text.as_str();
        let meant = field::command_meant(name).or((last == "length").then(|| name.text()))?;
        if self.in_where || self.head.events.is_empty() || self.names.get(file, &name.segments.first()?.text).is_some()
        {
            return None;
        }
        let value = match &compare.value.kind {
            ValueKind::Text(text) => literal(&text.value, ""),
            ValueKind::Number(_, digits) => digits.clone(),
            _ => return None,
        };
        field::resolve(name, self.head, &|| self.names.visible(file)).err()?;
        let is_call = matches!(compare.operator, Operator::Contains | Operator::StartsWith) && meant == "command";
        let test = match is_call {
            true => format!("{meant}.{}({value})", compare.operator.word()),
            false => format!("{} {} {value}", meant, compare.operator.word()),
        };
        let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{}`", name.text()));
        let found = found.label(name.span, "not a field");
        let not = if compare.negated { "not " } else { "" };
        Some(match instead(&test)? {
            Instead::Test(right) => {
                let right = format!("{not}{right}");
                let span = compare.operand.span().to(compare.value.span);
                found.help(format!("write `{right}`")).fix(span, right)
            }
            Instead::Effect(right) => found.help(format!("write `{right}` as the effect, without this test")),
        })
    }
}

/// Reports `runs "git" where subcommand == "push"`: a pattern has the words behind its program.
fn part_of_pattern(runs: &ast::Runs, span: Span) -> Option<Diagnostic> {
    let ConditionKind::Compare(compare) = &runs.filter.as_ref()?.kind else { return None };
    let Operand::Field(name) = &compare.operand else { return None };
    let single = name.single().filter(|name| field::SUBCOMMANDS.contains(&name.text.as_str()))?;
    let is_plain_test = !runs.only && !compare.all && !compare.negated;
    let (ValueKind::Text(pattern), true) = (&runs.patterns.kind, is_plain_test) else {
        return None;
    };
    let texts: Vec<&str> = match (compare.operator, &compare.value.kind) {
        (Operator::Equal, ValueKind::Text(text)) => vec![&text.value],
        (Operator::In, ValueKind::List(elements)) => elements
            .iter()
            .map(|element| match element {
                ast::Element::Value(ast::Value { kind: ValueKind::Text(text), .. }) => Some(text.value.as_str()),
                _ => None,
            })
            .collect::<Option<_>>()?,
        _ => return None,
    };
    let is_plain = |text: &&str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if !texts.iter().all(is_plain) || pattern.value.contains(' ') {
        return None;
    }
    let words = match texts.as_slice() {
        [only] => (*only).to_owned(),
        several => format!("({})", several.join("|")),
    };
    let right = format!("runs {}", literal(&format!("{} {words}", pattern.value), ""));
    Some(
        Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown word `{}` in `where`", single.text))
            .label(name.span, "the pattern names it")
            .help(format!("write `{right}`"))
            .fix(span, right),
    )
}

/// Says that a word in the place of a value lacks its quotes.
pub(super) fn bare_text(name: &ast::FieldName) -> Diagnostic {
    if let Some(holds) = super::misfits::truth(&name.text()) {
        let right = if holds { "true" } else { "false" };
        return Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{}`", name.text()))
            .label(name.span, "not a field: a boolean of another language?")
            .help(format!("write `{right}`"))
            .fix(name.span, right);
    }
    if super::misfits::is_place(name) {
        return super::misfits::directory(name);
    }
    let right = format!("\"{}\"", name.text());
    Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{}`", name.text()))
        .label(name.span, "not a field: a string without quotes?")
        .help(format!("write `{right}`"))
        // It may be the name of what is not defined.
        .fix_that_changes(name.span, right)
}

/// Tells whether a value is a word that names nothing, and so is rather a text without quotes.
pub(super) fn is_bare_text(name: &ast::FieldName, head: &Head, names: &Names<'_>, file: usize, in_where: bool) -> bool {
    let Some(single) = name.single() else { return false };
    let is_named = names.get(file, &single.text).is_some() || names.is_unread(file, &single.text);
    if head.events.is_empty() || is_named || field::is_where_word(name) {
        return false;
    }
    let resolved =
        if in_where { field::resolve_where(name) } else { field::resolve(name, head, &|| names.visible(file)) };
    // A field that is meant has a name near to it, or belongs to another event.
    resolved.is_err_and(|error| error.code == Code::UNKNOWN_FIELD && error.fix.is_none())
}

/// Reports a list in which every word without quotes is a text.
pub(super) fn bare_texts(scoped: Scoped<'_>, head: &Head, names: &Names<'_>, in_where: bool) -> Option<Diagnostic> {
    let ValueKind::List(elements) = &scoped.value.kind else { return None };
    let mut bare = Vec::new();
    let mut written = Vec::new();
    for element in elements {
        let ast::Element::Value(value) = element else { return None };
        written.push(match &value.kind {
            ValueKind::Name(name) if is_bare_text(name, head, names, scoped.file, in_where) => {
                bare.push(name);
                literal(&name.text(), "")
            }
            ValueKind::Text(text) => literal(&text.value, ""),
            ValueKind::Number(_, digits) => digits.clone(),
            _ => return None,
        });
    }
    let [_, _, ..] = bare.as_slice() else { return None };
    let right = format!("[{}]", written.join(", "));
    let mut found = Diagnostic::new(Code::UNKNOWN_FIELD, "a list of words without quotes");
    for name in bare {
        found = found.label(name.span, "not a field: not quoted");
    }
    Some(found.help(format!("write `{right}`")).fix(scoped.value.span, right))
}
