//! Finds negated tests of a value that a call may not have. Without the value, such a test is true, so the call is
//! allowed or stopped whatever it does: `path not like "src/**"` is true of every command.

use super::calls::{
    MissingValueReading, SelectedCall, SelectedCalls, derived_name, has_tools, join_names, selected_tools,
};
use super::comparison::{RuleTest, visit_tests};
use super::glob_as_text::shortened;
use super::one_exempts_all::negation_span;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, DerivedField, FactName, PolicyValue, Rule, ValueReference, ValueTest,
    WhereField,
};
use crate::schema::{Event, Field, ToolSpec, tool_spec};
use crate::syntax::ast::{FileFact, FileVerb};

pub(super) const LINT: Lint = Lint { codes: &[Code::ABSENT_UNDER_NEGATION], check };

/// Reports negated tests of a value that a selected call may not have, in guards and in `allow`s.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    if rule.can_block && !rule.can_allow {
        findings.extend(missing_part_finding(written, rule));
    }
    check_options(written, rule, findings);
    check_set_variables(written, rule, findings);
    findings.extend(missing_path_finding(written, rule));
    if rule.can_block && !rule.can_allow && selects_servers_alone(rule) {
        check_members_of_servers(written, rule, findings);
    }
    if !rule.can_allow {
        return;
    }
    // In an `allow`: a negated test is harmless if another test already requires the value.
    let mut tests: Vec<RuleTest<'_>> = Vec::new();
    visit_tests(rule, &mut |seen| tests.push(seen));
    let required: Vec<&ValueReference> =
        tests.iter().filter(|seen| !seen.is_exception).filter_map(|seen| reference_needing_value(seen)).collect();
    for seen in &tests {
        let ConditionExpr::Compare { source, all: false, negated, .. } = &seen.test.kind else { continue };
        // In an exception, the comparison itself is not negated, so it is false without a value.
        if seen.is_exception || !negated || seen.filtered_patterns.is_some() {
            continue;
        }
        let may_be_absent = may_be_absent(rule, source) == Some(true);
        if may_be_absent && !required.iter().any(|other| is_same_reference(other, source)) {
            findings.extend(finding(written, *seen));
        }
    }
}

/// Whether a rule selects nothing but tools of MCP servers.
fn selects_servers_alone(rule: &Rule) -> bool {
    !rule.head.events.is_empty()
        && rule.head.events.iter().all(|selector| {
            let includes = selector.subjects.as_ref().map(|list| list.includes.as_slice()).unwrap_or_default();
            has_tools(selector.event) && !includes.is_empty() && includes.iter().all(|glob| glob.starts_with("mcp__"))
        })
}

/// Reports negated tests of a member that a tool of a server takes: which members a call must have is not known, and
/// without the member the guard stops the call.
fn check_members_of_servers(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let mut tests: Vec<RuleTest<'_>> = Vec::new();
    visit_tests(rule, &mut |seen| tests.push(seen));
    let required: Vec<&ValueReference> =
        tests.iter().filter(|seen| !seen.is_exception).filter_map(reference_needing_value).collect();
    for seen in &tests {
        let ConditionExpr::Compare { source, all: false, negated: true, .. } = &seen.test.kind else { continue };
        let ValueReference::Raw { path, .. } = source else { continue };
        let is_member = path.len() > 1 && path.first().is_some_and(|name| name == "tool_input");
        if seen.is_exception || !is_member || required.iter().any(|other| is_same_reference(other, source)) {
            continue;
        }
        let (Some(comparison), text) = (written.comparison(seen.test), written.text(seen.test.span)) else { continue };
        let is_short = !text.contains('\n') && text.len() <= 60;
        let all = if is_short { format!("all {text}") } else { format!("all {} …", comparison.operand) };
        let found = shortened("stops a call without `", comparison.operand.trim_matches('`'), "`");
        findings.push(
            Diagnostic::new(Code::ABSENT_UNDER_NEGATION, found)
                .label(seen.test.span, "true where the call does not have it")
                .help(format!(
                    "write `{all}`, which needs a value; if every call must have one, `not exists {} or {all}`",
                    comparison.operand
                )),
        );
    }
}

/// Reports `env.X != ""`, which is meant to be true if the variable is set, and is also true if it is not.
fn check_set_variables(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare {
            source: ValueReference::Fact(FactName::Env(name)) | ValueReference::Where(WhereField::Env(name)),
            all: false,
            negated: true,
            test: ValueTest::Equal(value),
        } = &seen.test.kind
        else {
            return;
        };
        if value.as_text() != Some("") {
            return;
        }
        let text = written.text(seen.test.span);
        let instead = if text.starts_with("not ") { format!("all env.{name} != \"\"") } else { format!("all {text}") };
        findings.push(
            Diagnostic::new(Code::ABSENT_UNDER_NEGATION, format!("true without the variable `{name}`"))
                .label(seen.test.span, "a variable that is not set is not equal to `\"\"`, either")
                .help(format!("write `{instead}`, which needs a value"))
                .fix_that_changes(seen.test.span, instead),
        );
    });
}

/// Reports negated tests of an option in a guard: they are true of every command without the option.
fn check_options(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    let mut required: Vec<&str> = Vec::new();
    let mut negated: Vec<(RuleTest<'_>, &str)> = Vec::new();
    visit_tests(rule, &mut |seen| {
        let Some(ValueReference::Where(WhereField::Option(name))) =
            reference_needing_value(&seen).or_else(|| compared_reference(&seen))
        else {
            return;
        };
        if reference_needing_value(&seen).is_some() {
            required.push(name);
        } else if !seen.is_exception && rule.can_block {
            negated.push((seen, name));
        }
    });
    for (seen, name) in negated {
        // The lint `one_exempts_all` reports comparisons with one value or a list.
        let is_reported_elsewhere =
            matches!(&seen.test.kind, ConditionExpr::Compare { test: ValueTest::Equal(_) | ValueTest::In(_), .. });
        if is_reported_elsewhere || required.contains(&name) {
            continue;
        }
        let instead = option_value_test(written, &seen, name);
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

/// Returns the source of a test that requires the option, and that considers each of its values: `(exists option "-o"
/// and not all option "-o" == "x")`.
fn option_value_test(written: &SourceTexts<'_>, seen: &RuleTest<'_>, name: &str) -> String {
    let option = crate::syntax::string_literal(name, "");
    match written.comparison(seen.test) {
        Some(comparison) => {
            let value = written.text(comparison.value);
            let operator = comparison.operator.as_str();
            format!("(exists option {option} and not all option {option} {operator} {value})")
        }
        None => format!("all {}", written.text(seen.test.span)),
    }
}

/// Returns the finding about `not file_exists path` in a guard: it is true of a call without a path, because the fact
/// is then false. `None` if every selected call has a path, or if another test requires one.
fn missing_path_finding(written: &SourceTexts<'_>, rule: &Rule) -> Option<Diagnostic> {
    if !rule.can_block {
        return None;
    }
    let mut tests_file_facts = false;
    visit_tests(rule, &mut |seen| {
        tests_file_facts |= matches!(&seen.test.kind, ConditionExpr::Truth(ValueReference::Fact(FactName::File(..))))
    });
    if !tests_file_facts {
        return None;
    }
    let mut tests: Vec<RuleTest<'_>> = Vec::new();
    visit_tests(rule, &mut |seen| tests.push(seen));
    let is_required = |source: &ValueReference| {
        let mut required = tests.iter().filter(|seen| !seen.is_exception).filter_map(reference_needing_value);
        required.any(|other| is_same_reference(other, source))
    };
    let (seen, name) = tests.iter().find_map(|seen| {
        let ConditionExpr::Truth(ValueReference::Fact(FactName::File(FileFact::Exists, value))) = &seen.test.kind
        else {
            return None;
        };
        if !seen.is_exception || seen.filtered_patterns.is_some() {
            return None;
        }
        if let PolicyValue::FileName(name) = &**value {
            let absent = |source: &&ValueReference| !is_required(source);
            return name.references().filter(absent).find_map(|it| absent_part(rule, it)).map(|name| (*seen, name));
        }
        let PolicyValue::Source(source @ ValueReference::Derived(DerivedField::Path)) = &**value else { return None };
        // A rule that does not name its tools also selects commands, which have no path.
        let may_lack_path = selected_tools(rule).is_none_or(|_| may_be_absent(rule, source) == Some(true));
        (may_lack_path && !is_required(source)).then(|| (*seen, "path".to_owned()))
    })?;
    if name != "path" {
        return Some(missing_part_of_name(written, rule, seen, &name));
    }
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

/// Returns the name of a placeholder in the name of a file, if some event that the rule selects has no value for it.
fn absent_part(rule: &Rule, source: &ValueReference) -> Option<String> {
    let has_field = |name: &str| {
        let mut events = rule.head.event_set().into_iter();
        events.all(|event| event.fields().any(|field| field.name == name && field.required))
    };
    match source {
        // A rule for certain agents is judged for these alone.
        ValueReference::Derived(DerivedField::AgentType) => {
            (rule.head.agents.is_none() && !has_field("agent_type")).then(|| "agent_type".to_owned())
        }
        ValueReference::Fact(FactName::GitBranch) => Some("git.branch".to_owned()),
        ValueReference::Fact(FactName::Env(name)) => Some(format!("env.{name}")),
        ValueReference::Raw { path, .. } => (may_be_absent(rule, source) == Some(true)).then(|| path.join(".")),
        _ => None,
    }
}

/// Returns the finding about `not file_exists "plans/{agent_type}.md"`: without an agent type there is no such file, so
/// nothing that the agent writes lets it go on.
fn missing_part_of_name(written: &SourceTexts<'_>, rule: &Rule, seen: RuleTest<'_>, name: &str) -> Diagnostic {
    let test = written.text(seen.test.span);
    let finding = Diagnostic::new(Code::ABSENT_UNDER_NEGATION, shortened("stops every event without `", name, "`"))
        .label(seen.test.span, format!("false where `{name}` has no value: no file can make it true"));
    let is_negation =
        |part: &Condition| matches!(&part.kind, ConditionExpr::Not(inner) if inner.span == seen.test.span);
    let joins_with_and = rule.when.as_ref().is_some_and(|when| match &when.kind {
        ConditionExpr::And(parts) => parts.iter().any(is_negation),
        _ => is_negation(when),
    });
    let instead = format!("exists {name} and not {test}");
    let instead = if joins_with_and { instead } else { format!("({instead})") };
    let is_short = !test.contains('\n') && test.len() <= 60;
    match negation_span(written, seen.test.span).filter(|_| is_short && !seen.is_shared) {
        Some(span) => finding.help(format!("write `{instead}`")).fix_that_changes(span, instead),
        None => finding.help(format!("ask for the value first: `exists {name} and not file_exists \"…\"`")),
    }
}

/// Returns the source of a comparison; `None` for any other test.
fn compared_reference<'c>(seen: &RuleTest<'c>) -> Option<&'c ValueReference> {
    match &seen.test.kind {
        ConditionExpr::Compare { source, .. } => Some(source),
        _ => None,
    }
}

/// What a rule tests of a call, and what some calls do not have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TestedPart<'r> {
    /// A field with this name.
    Field(&'r str),
    /// The commands of the call.
    Commands,
    /// The files that the call accesses with this verb.
    Files(FileVerb),
}

impl<'r> TestedPart<'r> {
    /// Returns the message and the label for a guard that stops every call of these tools, because they do not have
    /// this part.
    fn missing_in(self, tools: &[&str]) -> (String, String) {
        let tools = join_names(tools);
        match self {
            Self::Field(name) => {
                (shortened("stops every call without `", name, "`"), format!("{tools} have no `{name}`"))
            }
            Self::Commands => ("stops every call that runs no command".to_owned(), format!("{tools} run none")),
            Self::Files(verb) => {
                (format!("stops every call that {} no file", verb.keyword()), format!("{tools} touch none this way"))
            }
        }
    }

    /// Returns the part of a call that a test is about; `None` if every call has it, or if another lint reports the
    /// test.
    fn from_condition(kind: &'r ConditionExpr) -> Option<Self> {
        match kind {
            ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source) | ConditionExpr::Truth(source) => {
                match source {
                    ValueReference::Derived(derived) => derived_name(*derived).map(Self::Field),
                    ValueReference::Raw { path, .. } => path.get(1).map(|name| Self::Field(name)),
                    _ => None,
                }
            }
            // If one command exempts the others, the lint `one_exempts_all` reports the test.
            ConditionExpr::Command(CommandTest::Runs { .. }) => None,
            ConditionExpr::Command(_) => Some(Self::Commands),
            ConditionExpr::Touches { verb, .. } | ConditionExpr::TouchesFilled { verb, .. } => Some(Self::Files(*verb)),
            _ => None,
        }
    }

    /// Whether a call does not have the part that a test is about.
    fn is_missing(self, test: &ConditionExpr, call: &SelectedCall) -> bool {
        match (self, test) {
            (Self::Commands, _) => !call.can_run_commands(),
            (Self::Files(verb), _) => !call.can_touch(verb),
            (
                Self::Field(_),
                ConditionExpr::Compare { source, .. } | ConditionExpr::Exists(source) | ConditionExpr::Truth(source),
            ) => call.lacks(source),
            _ => false,
        }
    }
}

/// Returns the finding about a guard that stops every call of a tool, because the tool does not have what the guard
/// tests under a negation.
fn missing_part_finding(written: &SourceTexts<'_>, rule: &Rule) -> Option<Diagnostic> {
    if !has_negation(rule) {
        return None;
    }
    let calls = SelectedCalls::from_rule(rule);
    let is_before_call = |call: &SelectedCall| matches!(call.event, Event::PreToolUse | Event::PermissionRequest);
    if !calls.known.iter().all(is_before_call) {
        return None;
    }
    // A call is hit if the rule matches only because the call lacks the value.
    let is_hit = |call: &SelectedCall| {
        call.evaluate_rule(rule, MissingValueReading::AsHook) == Some(true)
            && call.evaluate_rule(rule, MissingValueReading::AsPossible) != Some(true)
    };
    // Names well-known tools first: those that run commands, then those for files.
    let mut hit_tools = calls.tool_names(is_hit);
    hit_tools.sort_by_key(|name| tool_spec(name).map(|tool| (tool.command.is_none(), tool.files.is_empty())));
    let first = calls.known.iter().find(|call| is_hit(call))?;
    let mut tests: Vec<(RuleTest<'_>, TestedPart<'_>)> = Vec::new();
    visit_tests(rule, &mut |seen| {
        let part = TestedPart::from_condition(&seen.test.kind)
            .filter(|part| seen.filtered_patterns.is_none() && part.is_missing(&seen.test.kind, first));
        tests.extend(part.map(|part| (seen, part)));
    });
    let (seen, part) = *tests.first()?;
    // A guard with exceptions for several kinds of calls denies all other calls on purpose.
    if tests.iter().any(|(_, other)| *other != part) || written.text(seen.test.span).is_empty() {
        return None;
    }
    let tools_with_part = calls.tool_names(|call| !part.is_missing(&seen.test.kind, call));
    let (message, label) = part.missing_in(&hit_tools);
    let help = missing_part_help(part, &tools_with_part);
    let finding = Diagnostic::new(Code::ABSENT_UNDER_NEGATION, message).label(seen.test.span, label);
    let test = written.text(seen.test.span);
    let is_short = !test.contains('\n') && test.len() <= 60;
    let needs_value = match &seen.test.kind {
        ConditionExpr::Compare { all: false, negated: true, .. } => !seen.is_exception && !seen.is_shared,
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

/// Whether a rule has a negated test that is not in a `where`.
fn has_negation(rule: &Rule) -> bool {
    let mut is_negated = false;
    visit_tests(rule, &mut |seen| {
        let negates = matches!(seen.test.kind, ConditionExpr::Compare { negated: true, .. });
        is_negated |= seen.filtered_patterns.is_none() && (seen.is_exception || negates);
    });
    is_negated
}

/// Returns the help: what to write instead, given the part that is tested and the tools that have it.
fn missing_part_help(part: TestedPart<'_>, having: &[&str]) -> String {
    match (part, having.len()) {
        (TestedPart::Commands, _) => "ask for a command first: `when runs \"*\" and …`".to_owned(),
        (TestedPart::Files(verb), _) => {
            format!("write `{} outside …`, or `like` with a list of globs and `!`", verb.keyword())
        }
        (TestedPart::Field(_), 1..=4) => format!("select what has one: `on PreToolUse({})`", having.join("|")),
        (TestedPart::Field(name), _) => format!("ask for a value first: `when exists {name} and …`"),
    }
}

/// Returns the finding about a negated test in an `allow`.
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

/// Returns the source that must have a value for the test to be true; `None` for a negated comparison without `all`.
fn reference_needing_value<'c>(seen: &RuleTest<'c>) -> Option<&'c ValueReference> {
    match &seen.test.kind {
        ConditionExpr::Exists(source) | ConditionExpr::Truth(source) => Some(source),
        ConditionExpr::Compare { source, all, negated, .. } if *all || !negated => Some(source),
        _ => None,
    }
}

/// Whether two sources are the same field, member or JSONPath.
fn is_same_reference(one: &ValueReference, other: &ValueReference) -> bool {
    match (one, other) {
        (ValueReference::Raw { path: one, .. }, ValueReference::Raw { path: other, .. }) => one == other,
        (ValueReference::JsonPath(one), ValueReference::JsonPath(other)) => one.text == other.text,
        (ValueReference::Derived(one), ValueReference::Derived(other)) => one == other,
        (ValueReference::Fact(_), ValueReference::Fact(_)) => one.is_same(other),
        _ => false,
    }
}

/// Whether a selected call may have no value for a source; `None` if this cannot be determined.
fn may_be_absent(rule: &Rule, source: &ValueReference) -> Option<bool> {
    match source {
        ValueReference::JsonPath(_) => Some(true),
        ValueReference::Raw { path, .. } => match path.as_slice() {
            [first, member] if first == "tool_input" => {
                // Which members a server's tool requires is not known, so a call on such an event may lack any.
                let Some(tools) = selected_tools(rule) else {
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
        ValueReference::Derived(DerivedField::Path) => {
            let names_a_file =
                |tool: &&ToolSpec| tool.files.iter().any(|file| !file.glob && is_required(tool.input, file.member));
            Some(!selected_tools(rule)?.iter().all(names_a_file))
        }
        _ => None,
    }
}

fn is_required(fields: &[Field], name: &str) -> bool {
    fields.iter().any(|field| field.name == name && field.required)
}
