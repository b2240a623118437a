//! Negated tests of a value that a call may lack: the test is then true, and the call is allowed or stopped regardless
//! of its content.

use super::calls::{Call, Calls, Lacking, has_tools, joined, name_of, selected};
use super::comparison::{RuleTest, each_test};
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Derived, FactName, Kind, Rule, Source, Test, Value, WhereField};
use crate::schema::{Event, Field, ToolSpec, tool};
use crate::syntax::ast::{FileFact, FileVerb};

pub(super) const LINT: Lint = Lint { codes: &[Code::ABSENT_UNDER_NEGATION], check };

fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    if rule.can_block && !rule.can_allow {
        findings.extend(stops_every(written, rule));
    }
    options(written, rule, findings);
    findings.extend(files_of_nothing(written, rule));
    if !rule.can_allow {
        return;
    }
    let mut tests: Vec<RuleTest<'_>> = Vec::new();
    each_test(rule, &mut |seen| tests.push(seen));
    let sure: Vec<&Source> =
        tests.iter().filter(|seen| !seen.is_exception).filter_map(|seen| needs_value(seen)).collect();
    for seen in &tests {
        let Kind::Compare { source, all: false, negated, .. } = &seen.test.kind else { continue };
        // Within an exception the test itself has no `not`, and is false without a value.
        if seen.is_exception || !negated || seen.commands.is_some() {
            continue;
        }
        let may_be_absent = may_be_absent(rule, source) == Some(true);
        if may_be_absent && !sure.iter().any(|other| same(other, source)) {
            findings.extend(finding(written, *seen));
        }
    }
}

/// Reports negated tests of an option that a command may lack: without the option they are true.
fn options(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let mut required: Vec<&str> = Vec::new();
    let mut negated: Vec<(RuleTest<'_>, &str)> = Vec::new();
    each_test(rule, &mut |seen| {
        let Some(Source::Where(WhereField::Option(name))) = needs_value(&seen).or_else(|| source_of(&seen)) else {
            return;
        };
        if needs_value(&seen).is_some() {
            required.push(name);
        } else if !seen.is_exception && rule.can_block {
            negated.push((seen, name));
        }
    });
    for (seen, name) in negated {
        // A lint about lists reports these, if one value exempts the others.
        let is_reported_elsewhere = matches!(&seen.test.kind, Kind::Compare { test: Test::Equal(_) | Test::In(_), .. });
        if is_reported_elsewhere || required.contains(&name) {
            continue;
        }
        let instead = with_value(written, &seen, name);
        let help = match instead.contains('\n') || instead.len() > 110 {
            true => "ask for a value first: `exists option \"…\" and not all option \"…\" …`".to_owned(),
            false => format!("write `{instead}`, which needs a value and looks at each"),
        };
        findings.push(
            Diagnostic::new(Code::ABSENT_UNDER_NEGATION, shortened("stops every command without `", name, "`"))
                .label(seen.test.span, "true where the option is not given")
                .help(help)
                .fix_that_changes(seen.test.span, instead),
        );
    }
}

/// Returns a negated test of an option that requires a value and considers all values.
fn with_value(written: &SourceTexts<'_>, seen: &RuleTest<'_>, name: &str) -> String {
    let option = crate::syntax::literal(name, "");
    match written.comparison(seen.test) {
        Some(comparison) => {
            let value = written.text(comparison.value);
            let operator = comparison.operator.word();
            format!("(exists option {option} and not all option {option} {operator} {value})")
        }
        None => format!("all {}", written.text(seen.test.span)),
    }
}

/// Reports `not file_exists path` in a guard if a call may lack a path: no file exists for a missing path.
fn files_of_nothing(written: &SourceTexts<'_>, rule: &Rule) -> Option<Diagnostic> {
    if !rule.can_block {
        return None;
    }
    let mut asks_for_files = false;
    each_test(rule, &mut |seen| {
        asks_for_files |= matches!(&seen.test.kind, Kind::Truth(Source::Fact(FactName::File(..))))
    });
    if !asks_for_files {
        return None;
    }
    let mut tests: Vec<RuleTest<'_>> = Vec::new();
    each_test(rule, &mut |seen| tests.push(seen));
    let needs = |source: &Source| {
        let mut sure = tests.iter().filter(|seen| !seen.is_exception).filter_map(needs_value);
        sure.any(|other| same(other, source))
    };
    let (seen, name) = tests.iter().find_map(|seen| {
        let Kind::Truth(Source::Fact(FactName::File(FileFact::Exists, value))) = &seen.test.kind else { return None };
        let Value::Source(source @ Source::Derived(Derived::Path)) = &**value else { return None };
        // An unknown tool may have one; commands certainly have none.
        let lacks = selected(rule).is_none_or(|_| may_be_absent(rule, source) == Some(true));
        let is_guard = seen.is_exception && seen.commands.is_none() && lacks && !needs(source);
        is_guard.then_some((*seen, "path"))
    })?;
    let on_tools = rule.head.events.iter().any(|selector| has_tools(selector.event));
    on_tools.then(|| {
        Diagnostic::new(
            Code::ABSENT_UNDER_NEGATION,
            format!("`not {}` of a call without `{name}`", written.text(seen.test.span)),
        )
        .label(seen.test.span, format!("false where `{name}` has no value, as of every command"))
        .help("select the tools that have one, `on PreToolUse(Write)`, or write `exists path and not …`")
    })
}

fn source_of<'c>(seen: &RuleTest<'c>) -> Option<&'c Source> {
    match &seen.test.kind {
        Kind::Compare { source, .. } => Some(source),
        _ => None,
    }
}

/// A part of a call that a rule tests and that a call may lack.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TestedPart<'r> {
    Field(&'r str),
    Commands,
    Files(FileVerb),
}

impl<'r> TestedPart<'r> {
    /// Returns the message about a guard that stops these tools, which lack the part, and the label.
    fn missing_in(self, tools: &[&str]) -> (String, String) {
        let tools = joined(tools);
        match self {
            Self::Field(name) => {
                (shortened("stops every call without `", name, "`"), format!("{tools} have no `{name}`"))
            }
            Self::Commands => ("stops every call that runs no command".to_owned(), format!("{tools} run none")),
            Self::Files(verb) => {
                (format!("stops every call that {} no file", verb.word()), format!("{tools} touch none this way"))
            }
        }
    }

    fn of(kind: &'r Kind) -> Option<Self> {
        match kind {
            Kind::Compare { source, .. } | Kind::Exists(source) | Kind::Truth(source) => match source {
                Source::Derived(derived) => name_of(*derived).map(Self::Field),
                Source::Raw { path, .. } => path.get(1).map(|name| Self::Field(name)),
                _ => None,
            },
            // The lint about one command that exempts the others reports these first.
            Kind::Command(CommandTest::Runs { .. }) => None,
            Kind::Command(_) => Some(Self::Commands),
            Kind::Touches { verb, .. } => Some(Self::Files(*verb)),
            _ => None,
        }
    }

    fn is_lacked(self, test: &Kind, call: &Call) -> bool {
        match (self, test) {
            (Self::Commands, _) => !call.runs(),
            (Self::Files(verb), _) => !call.touches(verb),
            (Self::Field(_), Kind::Compare { source, .. } | Kind::Exists(source) | Kind::Truth(source)) => {
                call.lacks(source)
            }
            _ => false,
        }
    }
}

/// Reports a guard that stops every call of a tool because the tool lacks what the guard tests under a `not`.
fn stops_every(written: &SourceTexts<'_>, rule: &Rule) -> Option<Diagnostic> {
    if !has_negation(rule) {
        return None;
    }
    let calls = Calls::of(rule);
    let is_before = |call: &Call| matches!(call.event, Event::PreToolUse | Event::PermissionRequest);
    if !calls.known.iter().all(is_before) {
        return None;
    }
    let is_hit = |call: &Call| {
        call.matches(rule, Lacking::Decides) == Some(true) && call.matches(rule, Lacking::Open) != Some(true)
    };
    // The best-known tools first: those that run commands, and those for files.
    let mut hit = calls.tools(is_hit);
    hit.sort_by_key(|name| tool(name).map(|tool| (tool.command.is_none(), tool.files.is_empty())));
    let first = calls.known.iter().find(|call| is_hit(call))?;
    let mut tests: Vec<(RuleTest<'_>, TestedPart<'_>)> = Vec::new();
    each_test(rule, &mut |seen| {
        let part = TestedPart::of(&seen.test.kind)
            .filter(|part| seen.commands.is_none() && part.is_lacked(&seen.test.kind, first));
        tests.extend(part.map(|part| (seen, part)));
    });
    let (seen, part) = *tests.first()?;
    // A guard that exempts several kinds of calls denies the rest on purpose.
    if tests.iter().any(|(_, other)| *other != part) || written.text(seen.test.span).is_empty() {
        return None;
    }
    let having = calls.tools(|call| !part.is_lacked(&seen.test.kind, call));
    let (message, label) = part.missing_in(&hit);
    let help = help_for(part, &having);
    let finding = Diagnostic::new(Code::ABSENT_UNDER_NEGATION, message).label(seen.test.span, label);
    let test = written.text(seen.test.span);
    let is_short = !test.contains('\n') && test.len() <= 60;
    let needs_value = match &seen.test.kind {
        Kind::Compare { all: false, negated: true, .. } => !seen.is_exception && !seen.is_shared,
        _ => false,
    };
    Some(if needs_value && is_short {
        finding
            .help(format!("{help}; or write `all {test}`, which needs a value"))
            .fix_that_changes(seen.test.span, format!("all {test}"))
    } else {
        finding.help(help)
    })
}

/// Whether a rule tests anything about a call, rather than about one of its commands, under a negation.
fn has_negation(rule: &Rule) -> bool {
    let mut is_negated = false;
    each_test(rule, &mut |seen| {
        let negates = matches!(seen.test.kind, Kind::Compare { negated: true, .. });
        is_negated |= seen.commands.is_none() && (seen.is_exception || negates);
    });
    is_negated
}

/// Returns what to write instead of a guard on a part that some calls lack, given the tools that have it.
fn help_for(part: TestedPart<'_>, having: &[&str]) -> String {
    match (part, having.len()) {
        (TestedPart::Commands, _) => "ask for a command first: `when runs \"*\" and …`".to_owned(),
        (TestedPart::Files(verb), _) => {
            format!("write `{} outside …`, or `like` with a list of globs and `!`", verb.word())
        }
        (TestedPart::Field(_), 1..=4) => format!("select what has one: `on PreToolUse({})`", having.join("|")),
        (TestedPart::Field(name), _) => format!("ask for a value first: `when exists {name} and …`"),
    }
}

fn finding(written: &SourceTexts<'_>, seen: RuleTest<'_>) -> Option<Diagnostic> {
    let comparison = written.comparison(seen.test)?;
    let name = comparison.operand.trim_matches('`');
    let text = written.text(seen.test.span);
    let help = match text.contains('\n') || text.len() > 60 {
        true => format!("write `all {name} …`, which needs a value"),
        false => format!("write `all {text}`, which needs a value"),
    };
    Some(
        Diagnostic::new(Code::ABSENT_UNDER_NEGATION, shortened("allows a call without `", name, "`"))
            .label(seen.test.span, format!("true where `{name}` has no value"))
            .help(help)
            .fix_that_changes(seen.test.span, format!("all {text}")),
    )
}

/// Returns the source that must have a value for the test to hold.
fn needs_value<'c>(seen: &RuleTest<'c>) -> Option<&'c Source> {
    match &seen.test.kind {
        Kind::Exists(source) | Kind::Truth(source) => Some(source),
        Kind::Compare { source, all, negated, .. } if *all || !negated => Some(source),
        _ => None,
    }
}

fn same(one: &Source, other: &Source) -> bool {
    match (one, other) {
        (Source::Raw { path: one, .. }, Source::Raw { path: other, .. }) => one == other,
        (Source::JsonPath(one), Source::JsonPath(other)) => one.text == other.text,
        (Source::Derived(one), Source::Derived(other)) => one == other,
        _ => false,
    }
}

/// Whether a call that a rule selects may lack a value; `None` if that is uncertain.
fn may_be_absent(rule: &Rule, source: &Source) -> Option<bool> {
    match source {
        Source::JsonPath(_) => Some(true),
        Source::Raw { path, .. } => match path.as_slice() {
            [first, member] if first == "tool_input" => {
                // The required input of a server's tool is unknown.
                let Some(tools) = selected(rule) else {
                    return Some(rule.head.events.iter().all(|selector| has_tools(selector.event)));
                };
                Some(!tools.iter().all(|tool| is_required(tool.input, member)))
            }
            [only] => {
                let events = rule.head.event_set().into_iter();
                Some(!events.into_iter().all(|event| event.fields().any(|field| field.name == only && field.required)))
            }
            _ => None,
        },
        Source::Derived(Derived::Path) => {
            let names_a_file =
                |tool: &&ToolSpec| tool.files.iter().any(|file| !file.glob && is_required(tool.input, file.member));
            Some(!selected(rule)?.iter().all(names_a_file))
        }
        _ => None,
    }
}

fn is_required(fields: &[Field], name: &str) -> bool {
    fields.iter().any(|field| field.name == name && field.required)
}
