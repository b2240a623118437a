//! Conditions that parse but follow another language: words without quotes, fields that only other languages have.

use super::Conditions;
use crate::compile::field;
use crate::compile::names::{Names, Scoped};
use crate::diagnostic::{Code, Diagnostic};
use crate::phrases::{self, Phrase, Place};
use crate::ruleset::Head;
use crate::span::Span;
use crate::syntax::ast::{self, ConditionKind, Operand, Operator, ValueKind};
use crate::syntax::{Instead, instead, literal};

impl<'a> Conditions<'_, 'a> {
    /// Reports a `where` that tests what belongs in the pattern, and then returns `None`.
    pub(super) fn fits_pattern(&mut self, runs: &ast::Runs, span: Span) -> Option<()> {
        let found = part_of_pattern(runs, span)
            .or_else(|| remote_of_pattern(runs, span))
            .or_else(|| self.option_of_pattern(runs));
        let fits = found.is_none().then_some(());
        self.diagnostics.extend(found);
        fits
    }

    /// Reports `runs "git commit" where message contains "x"`: the program of the pattern has an option with that name.
    fn option_of_pattern(&self, runs: &ast::Runs) -> Option<Diagnostic> {
        let ValueKind::Text(pattern) = &runs.patterns.kind else { return None };
        let name = unknown_operand(runs.filter.as_ref()?)?;
        let option = field::option_meant(&name.text(), &pattern.value, self.names.programs(pattern.span))?;
        let right = format!("option \"{option}\"");
        Some(
            Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown word `{}` in `where`", name.text()))
                .label(name.span, "not a property of the command: one of its options?")
                .help(format!("write `{right}`"))
                .fix(name.span, right),
        )
    }

    /// Reports a comparison with a field that only other languages have: `content.length > 10`, `cmd contains "rm"`.
    pub(super) fn of_another_language(&self, file: usize, compare: &'a ast::Compare) -> Option<Diagnostic> {
        let Operand::Field(name) = &compare.operand else { return None };
        let last = name.segments.last()?.text.as_str();
        if self.head.events.is_empty() || self.names.get(file, &name.segments.first()?.text).is_some() {
            return None;
        }
        if let Some(found) = verb_elsewhere(compare, name) {
            let unresolved = match self.in_where {
                true => field::resolve_where(name).is_err(),
                false => field::resolve(name, self.head, &Vec::new).is_err(),
            };
            return unresolved.then_some(found);
        }
        if self.in_where {
            return words_like(compare, name).filter(|_| field::resolve_where(name).is_err());
        }
        if let Some(found) = field::time_of_day(name, compare).or_else(|| size_of_file(compare, name)) {
            return field::resolve(name, self.head, &|| self.names.visible(file)).is_err().then_some(found);
        }
        if let Some(part) = field::part_of_path(name, self.head)
            && let Some(found) = part_of_path(compare, name, part)
        {
            return field::resolve(name, self.head, &Vec::new).is_err().then_some(found);
        }
        let command = field::field_meant(&name.text()).filter(|meant| *meant == "command").map(str::to_owned);
        let meant = command.or((last == "length").then(|| name.text()))?;
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

/// Reports `where image == "*:latest"`: the words after the subcommand have no names, and globs need `like`.
fn words_like(compare: &ast::Compare, name: &ast::FieldName) -> Option<Diagnostic> {
    let word = name.single()?.text.as_str();
    // A word with a plain name needs no other operator.
    let row = phrases::find_name(Place::Where, word).filter(|row| !row.help.is_empty() && !row.means.contains(' '));
    let field = row.map(|row| row.means).filter(|means| !means.is_empty())?;
    let texts = compare.value.texts()?;
    let is_whole = matches!(compare.operator, Operator::Equal | Operator::In | Operator::Like) && !compare.negated;
    if !is_whole || compare.all {
        return None;
    }
    let values: Vec<String> = texts.iter().map(|text| literal(text, "")).collect();
    let (equal, value) = match values.as_slice() {
        [only] => ("==", only.clone()),
        several => ("in", format!("[{}]", several.join(", "))),
    };
    let operator = if texts.iter().any(|text| text.contains('*')) { "like" } else { equal };
    let right = format!("{field} {operator} {value}");
    let span = compare.operand.span().to(compare.value.span);
    Some(
        Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown word `{word}` in `where`"))
            .label(name.span, "not a property of the command: one of the words behind the subcommand?")
            .help(format!("write `{right}`"))
            .fix(span, right),
    )
}

/// Reports `filesize > 1MB`.
fn size_of_file(compare: &ast::Compare, name: &ast::FieldName) -> Option<Diagnostic> {
    let word = name.text();
    if !matches!(word.as_str(), "filesize" | "file.size" | "path.size" | "content_length") {
        return None;
    }
    let right = "file_size path";
    Some(
        Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{word}`"))
            .label(name.span, "not a field: the size of which file?")
            .help(format!("write `{right} {} …`", compare.operator.word()))
            .fix(name.span, right),
    )
}

/// Returns the first compared name in a `where` that is not one of its words.
fn unknown_operand(filter: &ast::Condition) -> Option<&ast::FieldName> {
    match &filter.kind {
        ConditionKind::And(parts) | ConditionKind::Or(parts) => parts.iter().find_map(unknown_operand),
        ConditionKind::Not(inner) => unknown_operand(inner),
        ConditionKind::Compare(compare) => match &compare.operand {
            Operand::Field(name) if name.single().is_some() && field::resolve_where(name).is_err() => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Reports `edits like "src/**"`: another language's name for a test of files.
fn verb_elsewhere(compare: &ast::Compare, name: &ast::FieldName) -> Option<Diagnostic> {
    let word = name.single()?.text.as_str();
    let is_move = matches!(word, "moves" | "move" | "renames" | "rename");
    let verb = phrases::meaning(Place::Verb, word);
    // Returns early, because this runs for every comparison of a policy.
    (is_move || verb.is_some()).then_some(())?;
    let not = if compare.negated || compare.operator == Operator::NotEqual { "not " } else { "" };
    let is_ours = matches!(compare.operator, Operator::Like | Operator::Under | Operator::Outside);
    let operator = if is_ours { compare.operator.word() } else { "like" };
    let value = match &compare.value.kind {
        ValueKind::Text(text) => literal(&text.value, ""),
        ValueKind::Name(name) => name.text(),
        _ => "…".to_owned(),
    };
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{word}`"));
    if is_move {
        let help = format!(
            "a move deletes one file and writes another: write `{not}deletes {operator} {value}`, or `{not}writes …`"
        );
        return Some(found.label(name.span, "not a field").help(help));
    }
    let verb = verb?;
    let found = found.label(name.span, "not a field: a verb of other programs?");
    let found = found.help(format!("write `{not}{verb} {operator} {value}`"));
    Some(if is_ours && not.is_empty() { found.fix(name.span, verb) } else { found })
}

/// Reports `path.extension == "md"`.
fn part_of_path(compare: &ast::Compare, name: &ast::FieldName, part: &Phrase) -> Option<Diagnostic> {
    let texts = compare.value.texts()?;
    let negated = compare.negated ^ (compare.operator == Operator::NotEqual);
    if !matches!(compare.operator, Operator::Equal | Operator::NotEqual | Operator::In | Operator::Like) {
        return None;
    }
    let (operator, value) = part.means.strip_prefix("path ")?.split_once(' ')?;
    let shape = value.trim_matches('"');
    let own = |text: &str| match operator {
        "under" => text.trim_end_matches(['/', '*']).to_owned(),
        _ if shape.starts_with("*.") => text.trim_start_matches(['*', '.']).to_owned(),
        _ => text.to_owned(),
    };
    let shape = |text: &&str| shape.replace("$text", &own(text));
    let values: Vec<String> = texts.iter().map(|text| literal(&shape(text), "")).collect();
    let value = match values.as_slice() {
        [] => return None,
        [only] => only.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    let operator = match (operator, negated) {
        (operator, false) => operator,
        ("under", true) => "outside",
        (_, true) => "not like",
    };
    let right = format!("path {operator} {value}");
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{}`", name.text()))
        .label(name.span, "not a field: a path is tested as a whole")
        .help(format!("write `{right}`"));
    Some(if compare.all { found } else { found.fix(compare.operand.span().to(compare.value.span), right) })
}

/// Reports `runs "git" where subcommand == "push"`: the pattern contains the words after the program.
fn part_of_pattern(runs: &ast::Runs, span: Span) -> Option<Diagnostic> {
    let ConditionKind::Compare(compare) = &runs.filter.as_ref()?.kind else { return None };
    let Operand::Field(name) = &compare.operand else { return None };
    let belongs_there =
        |word: &str| phrases::find_name(Place::Where, word).is_some_and(|row| row.means.starts_with("runs "));
    let single = name.single().filter(|name| belongs_there(&name.text))?;
    let is_plain_test = !runs.only && !compare.all && !compare.negated;
    let (ValueKind::Text(pattern), true) = (&runs.patterns.kind, is_plain_test) else {
        return None;
    };
    let texts = match (compare.operator, &compare.value.kind) {
        (Operator::Equal, ValueKind::Text(_)) | (Operator::In, ValueKind::List(_)) => compare.value.texts()?,
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

/// Reports `runs "git push" where remote == "origin"`: the pattern names the remote, and `remote` means something else.
fn remote_of_pattern(runs: &ast::Runs, span: Span) -> Option<Diagnostic> {
    let ConditionKind::Compare(compare) = &runs.filter.as_ref()?.kind else { return None };
    let (Operand::Field(name), ValueKind::Text(pattern), ValueKind::Text(remote)) =
        (&compare.operand, &runs.patterns.kind, &compare.value.kind)
    else {
        return None;
    };
    let is_plain = compare.operator == Operator::Equal && !compare.negated && !compare.all && !runs.only;
    let is_of_git = matches!(pattern.value.as_str(), "git push" | "git pull" | "git fetch");
    if !is_plain || !is_of_git || name.single()?.text != "remote" {
        return None;
    }
    let right = format!("runs {}", literal(&format!("{} {}", pattern.value, remote.value), ""));
    Some(
        Diagnostic::new(Code::TYPE_MISMATCH, "`remote` is true or false: is the command run on another machine?")
            .label(name.span, "the pattern names where git pushes")
            .help(format!("write `{right}`"))
            .fix(span, right),
    )
}

/// Returns the diagnostic for a word that is used as a value and lacks its quotes.
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
        // It may be a misspelled or undefined name.
        .fix_that_changes(name.span, right)
}

/// Whether a value is a word that refers to nothing, and so is probably a text without quotes.
pub(super) fn is_bare_text(name: &ast::FieldName, head: &Head, names: &Names<'_>, file: usize, in_where: bool) -> bool {
    let Some(first) = name.segments.first().map(|segment| segment.text.as_str()) else { return false };
    // `Cargo.toml` is a file, `tool_input.comand` a field.
    let is_path =
        matches!(first, "tool_input" | "tool_response" | "git" | "env" | "path" | "input" | "payload" | "event");
    if name.single().is_none() && is_path {
        return false;
    }
    let is_named = names.get(file, first).is_some() || names.is_unread(file, first);
    if head.events.is_empty() || is_named || field::is_where_word(name) {
        return false;
    }
    let resolved =
        if in_where { field::resolve_where(name) } else { field::resolve(name, head, &|| names.visible(file)) };
    // A misspelled field is similar to another name, or belongs to another event.
    resolved.is_err_and(|error| error.code == Code::UNKNOWN_FIELD && error.fix.is_none())
}

/// Reports a list in which every unquoted word is a text.
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
