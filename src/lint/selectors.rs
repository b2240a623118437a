//! Finds names that do not exist, in selectors and in tests: tools, events, values that a field never has, and branches
//! with the prefix of a reference.

use super::comparison::visit_tests;
use super::glob_as_text::shortened;
use super::set_as_text::names_of_tools;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic, nearest_name};
use crate::policy::PolicyLayer;
use crate::ruleset::{Condition, ConditionExpr, DerivedField, FactName, PolicyValue, Rule, ValueReference, ValueTest};
use crate::schema::{
    Event, FORMER_AGENT, FieldType, OTHER_TOOLS, Subject, TOOLS, event_by_foreign_name, normalised_mcp_name,
    tool_by_foreign_name, tool_named_by_hosts, tools_named_by_hosts,
};
use crate::span::Span;
use crate::syntax::string_literal;
use hookrules_shell::path::glob_matches;

pub(super) const LINT: Lint =
    Lint { codes: &[Code::UNKNOWN_TOOL, Code::MISNAMED_TOOL, Code::ENUM_VALUE, Code::HOST_NAME], check };

/// Reports names and values that do not exist in the head and the conditions of a rule.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    for selector in &rule.head.events {
        for (name, span) in selector.subjects.iter().flat_map(|list| list.written.iter()) {
            let exclusion = if written.text(*span).starts_with('!') { "!" } else { "" };
            let label = if exclusion.is_empty() { "selects nothing" } else { "excludes nothing" };
            match selector.event.spec().subject {
                Subject::Tool if exclusion.is_empty() && tool_named_by_hosts(name).is_some() => {
                    findings.extend(tool_named_by_host(name, *span));
                }
                Subject::Tool => {
                    let wrong = tool_glob_problem(name, label)
                        .map(|wrong| wrong.into_diagnostic(*span, |near| format!("{exclusion}{near}")));
                    findings.extend(wrong);
                }
                Subject::Field(field) => {
                    findings.extend(value_finding(selector.event, field, (name, exclusion), *span, label))
                }
                Subject::None | Subject::BaseName(_) => {}
            }
        }
    }
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source, test, .. } = &seen.test.kind else { return };
        match source {
            ValueReference::Derived(DerivedField::ToolName) => {
                compared_names(test)
                    .into_iter()
                    .for_each(|name| findings.extend(tool_test_finding(written, seen.test, name, test)));
                findings.extend(tool_part_finding(written, seen.test, test));
            }
            ValueReference::Fact(FactName::GitBranch) => compared_names(test).into_iter().for_each(|name| {
                findings.extend(branch_test_finding(written, seen.test, name, test));
            }),
            ValueReference::Derived(DerivedField::Event) => compared_names(test).into_iter().for_each(|name| {
                findings.extend(event_test_finding(written, seen.test, name, test));
            }),
            _ => {}
        }
    });
}

/// Returns the finding about a selector or an example with a host's name for a tool.
fn tool_named_by_host(name: &str, span: Span) -> Option<Diagnostic> {
    let tool = tool_named_by_hosts(name)?;
    let finding = Diagnostic::new(Code::HOST_NAME, format!("an agent's name for `{tool}`"));
    let finding = finding.label(span, "means the same in every agent");
    Some(finding.help(format!("write `{tool}`, its name here")).fix(span, tool))
}

/// Reports examples of an event with a subject that the event never has: `fires on SessionStart(restart)`.
pub(super) fn check_examples(layer: &PolicyLayer, findings: &mut FindingSink) {
    let rule_examples = layer.rules.iter().filter(|rule| !rule.name.contains('/')).flat_map(|rule| &rule.examples);
    let test_examples = layer.tests.iter().flat_map(|test| &test.cases).map(|case| &case.given);
    for example in rule_examples.flat_map(|(_, examples)| examples.iter()).chain(test_examples) {
        let Some(head) = &example.head else { continue };
        findings.extend(tool_named_by_host(&head.name.text, head.name.span));
        let (Some(event), Some(subject)) = (Event::from_name(&head.name.text), &head.subject) else { continue };
        if let Subject::Field(field) = event.spec().subject {
            findings.extend(value_finding(
                event,
                field,
                (&subject.text, ""),
                subject.span,
                "no such event is ever sent",
            ));
        }
    }
}

/// The name of a tool that does not exist, with the texts of the finding about it.
struct WrongName {
    /// [`Code::MISNAMED_TOOL`] if the name is certainly wrong, because it means a tool that exists under another
    /// name; else [`Code::UNKNOWN_TOOL`].
    code: &'static Code,
    message: String,
    label: &'static str,
    help: String,
    /// The name to write instead, if it is certain.
    instead: Option<String>,
}

impl WrongName {
    /// Returns the finding at a span; `as_written` converts the right name to source text.
    fn into_diagnostic(self, span: Span, as_written: impl Fn(&str) -> String) -> Diagnostic {
        let finding = Diagnostic::new(self.code, self.message).label(span, self.label).help(self.help);
        match self.instead {
            Some(instead) => finding.fix_that_changes(span, as_written(&instead)),
            None => finding,
        }
    }
}

/// Returns the names of all built-in tools that the host has or had.
fn tool_names() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|tool| tool.name).chain(OTHER_TOOLS.iter().copied()).chain([FORMER_AGENT])
}

/// Returns the problem with a name of a tool; `None` if the tool exists, or may exist on a server.
fn tool_problem(written: &str, label: &'static str) -> Option<WrongName> {
    if let Some(server) = server_name(written) {
        let (message, right, what) = match server.split_once('.') {
            Some((server, tool)) => ("names no tool of a server", format!("mcp__{server}__{tool}"), ""),
            None => ("names a server, not a tool", format!("mcp__{server}__*"), " for all tools of it"),
        };
        return Some(WrongName {
            code: Code::UNKNOWN_TOOL,
            message: format!("`{written}` {message}"),
            label,
            help: format!("write `{right}`{what}"),
            instead: Some(right),
        });
    }
    if written.starts_with("mcp__") || tool_names().any(|name| name == written) {
        return None;
    }
    if let Some(wrong) = permission_problem(written, label).or_else(|| ambiguous_name(written, label)) {
        return Some(wrong);
    }
    let meant = normalised_mcp_name(written).or_else(|| tool_by_foreign_name(written).map(str::to_owned));
    let near = || nearest_name(written, tool_names());
    let (code, help, instead) = match (meant, near()) {
        (Some(meant), _) if meant.starts_with("mcp__") => {
            (Code::UNKNOWN_TOOL, format!("a tool of a server has two underscores twice: write `{meant}`"), Some(meant))
        }
        (_, Some(near)) if near.eq_ignore_ascii_case(written) => {
            (Code::MISNAMED_TOOL, format!("names are case-sensitive: write `{near}`"), Some(near.to_owned()))
        }
        (Some(meant), _) => (Code::MISNAMED_TOOL, format!("write `{meant}`, its name here"), Some(meant)),
        (None, Some(near)) => (Code::UNKNOWN_TOOL, format!("a tool named `{near}` exists"), Some(near.to_owned())),
        (None, None) if is_deletion(written) => {
            let help = "a command deletes files: write `on PreToolUse` with `deletes like \"…\"`";
            (Code::UNKNOWN_TOOL, help.to_owned(), None)
        }
        (None, None) if Event::from_name(written).is_some() => {
            (Code::UNKNOWN_TOOL, format!("it is an event: write `on {written}`"), None)
        }
        (None, None) if is_agent(written) => {
            (Code::UNKNOWN_TOOL, format!("of an agent, write `by {written}` on a line of its own"), None)
        }
        (None, None) => (Code::UNKNOWN_TOOL, TOOL_LIST_HELP.to_owned(), None),
    };
    Some(WrongName { code, message: format!("unknown tool `{written}`"), label, help, instead })
}

/// Returns the problem with a permission of the host's settings that is used as the name of a tool:
/// `Bash(git push:*)`.
fn permission_problem(written: &str, label: &'static str) -> Option<WrongName> {
    let (name, argument) = written.strip_suffix(')')?.split_once('(')?;
    let spec = TOOLS.iter().find(|tool| tool.name == name)?;
    let bare = argument.trim_end_matches([':', '*', ' ']);
    let test = match argument.strip_prefix("domain:") {
        Some(host) => format!("domain == {}", string_literal(host, "")),
        None if spec.command.is_some() && !bare.is_empty() => format!("runs {}", string_literal(bare, "")),
        None if !spec.files.is_empty() => format!("path like {}", string_literal(argument, "")),
        None => "…".to_owned(),
    };
    Some(WrongName {
        code: Code::MISNAMED_TOOL,
        message: shortened("`", written, "` is a permission, not a tool"),
        label,
        help: format!("write `{name}`, and `{test}` behind `when`"),
        instead: None,
    })
}

/// Returns the problem with a name by which hosts call different tools: `write`.
fn ambiguous_name(written: &str, label: &'static str) -> Option<WrongName> {
    let candidates @ [_, _, ..] = tools_named_by_hosts(written) else { return None };
    Some(WrongName {
        code: Code::MISNAMED_TOOL,
        message: format!("agents mean different tools by `{written}`"),
        label,
        help: format!("write one of them, or all: `{}`", candidates.join("|")),
        instead: None,
    })
}

/// The help if no existing tool has a similar name.
const TOOL_LIST_HELP: &str = "the book lists the tools; those of a server begin with `mcp__`";

/// Whether a name looks like that of an agent: several lower-case words joined with `-`.
fn is_agent(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
    name.contains('-') && name.split('-').all(is_part)
}

/// Whether a name is that of a tool for deleting files, which some other agents have.
fn is_deletion(name: &str) -> bool {
    let folded = name.to_ascii_lowercase().replace(['_', '-'], "");
    ["delete", "deletefile", "remove", "removefile", "rm"].contains(&folded.as_str())
}

/// Returns the server if a name ends with it and so names no tool: `github` of `mcp__github`. The tools of a server are
/// named `mcp__SERVER__TOOL`.
fn server_name(written: &str) -> Option<&str> {
    let rest = written.strip_prefix("mcp__")?;
    let server = rest.strip_suffix("__").unwrap_or(rest);
    let is_name = !server.is_empty() && !server.contains("__") && !server.contains(['*', '?', '[', '{']);
    is_name.then_some(server)
}

/// Returns the names or globs that a test compares a whole name with; empty for any other test.
pub(super) fn compared_names(test: &ValueTest) -> Vec<&str> {
    match test {
        ValueTest::Equal(value) => value.as_text().into_iter().collect(),
        ValueTest::In(values) => values.iter().filter_map(PolicyValue::as_text).collect(),
        ValueTest::LikeText(globs) => globs.patterns().collect(),
        _ => Vec::new(),
    }
}

/// Splits an excluding glob into its `!` and the rest. For any other name, the first part is empty.
pub(super) fn split_exclusion<'n>(name: &'n str, test: &ValueTest) -> (&'static str, &'n str) {
    match name.strip_prefix('!') {
        Some(glob) if matches!(test, ValueTest::LikeText(_)) => ("!", glob),
        _ => ("", name),
    }
}

/// Returns the label: what follows for the test if the name does not exist.
fn consequence_label(test: &ValueTest) -> &'static str {
    if matches!(test, ValueTest::LikeText(_)) { "matches nothing" } else { "never equal" }
}

/// Returns the finding about a name of a tool that `tool_name` is compared with.
fn tool_test_finding(
    written: &SourceTexts<'_>,
    condition: &Condition,
    text: &str,
    test: &ValueTest,
) -> Option<Diagnostic> {
    let (exclusion, name) = split_exclusion(text, test);
    let wrong = match test {
        // Several names in one text are reported by another lint.
        _ if name.contains('|') || names_of_tools(name).is_some() => None,
        ValueTest::LikeText(_) => tool_glob_problem(name, consequence_label(test)),
        // An asterisk with an operator other than `like` is reported by another lint.
        _ if name.contains('*') => permission_problem(name, consequence_label(test)),
        _ => tool_problem(name, consequence_label(test)),
    }?;
    let wrong = selected_in_head(wrong);
    Some(match written.comparison(condition).and_then(|it| it.text_span(text)) {
        Some(place) => wrong.into_diagnostic(place, |near| string_literal(&format!("{exclusion}{near}"), "")),
        None => WrongName { instead: None, ..wrong }.into_diagnostic(condition.span, str::to_owned),
    })
}

/// Returns the finding about a part of a tool's name that no name contains in this spelling: `contains "bash"`,
/// `starts_with "mcp_github"`.
fn tool_part_finding(written: &SourceTexts<'_>, condition: &Condition, test: &ValueTest) -> Option<Diagnostic> {
    let (ValueTest::Contains(value) | ValueTest::StartsWith(value) | ValueTest::EndsWith(value)) = test else {
        return None;
    };
    let text = value.as_text().filter(|text| !text.contains('|'))?;
    let server = normalised_mcp_name(text).filter(|_| matches!(test, ValueTest::StartsWith(_)));
    let meant = match server {
        Some(name) => name.trim_end_matches('*').to_owned(),
        None if tool_names().any(|name| name.contains(text)) => return None,
        None => tool_names().find(|name| name.eq_ignore_ascii_case(text))?.to_owned(),
    };
    let wrong = WrongName {
        code: Code::UNKNOWN_TOOL,
        message: format!("no built-in tool has `{text}` in its name"),
        label: "names are compared letter by letter",
        help: format!("write `{meant}`"),
        instead: Some(meant),
    };
    let wrong = selected_in_head(wrong);
    Some(match written.comparison(condition).and_then(|it| it.text_span(text)) {
        Some(place) => wrong.into_diagnostic(place, |near| string_literal(near, "")),
        None => WrongName { instead: None, ..wrong }.into_diagnostic(condition.span, str::to_owned),
    })
}

/// Returns the branch in a reference: `main` of `origin/main` or `refs/heads/main`; `None` for any other name.
pub(super) fn branch_in_reference(name: &str) -> Option<&str> {
    ["refs/heads/", "origin/"].iter().find_map(|front| name.strip_prefix(front))
}

/// Returns the finding about a reference, such as `origin/main`, that `git.branch` is compared with: its value is
/// always a short name.
fn branch_test_finding(
    written: &SourceTexts<'_>,
    condition: &Condition,
    text: &str,
    test: &ValueTest,
) -> Option<Diagnostic> {
    let (exclusion, name) = split_exclusion(text, test);
    let branch = branch_in_reference(name)?;
    let literal_span = written.comparison(condition).and_then(|it| it.text_span(text));
    let finding = Diagnostic::new(Code::ENUM_VALUE, shortened("`git.branch` is never `", name, "`"))
        .label(literal_span.unwrap_or(condition.span), consequence_label(test))
        .help(format!("it is the branch that is checked out: write \"{exclusion}{branch}\""));
    Some(match literal_span {
        Some(literal_span) => {
            finding.fix_that_changes(literal_span, string_literal(&format!("{exclusion}{branch}"), ""))
        }
        None => finding,
    })
}

/// Returns the finding about a name of an event that does not exist.
fn event_test_finding(
    written: &SourceTexts<'_>,
    condition: &Condition,
    text: &str,
    test: &ValueTest,
) -> Option<Diagnostic> {
    let (exclusion, name) = split_exclusion(text, test);
    let events = || Event::ALL.iter().map(|event| event.name());
    let is_glob = matches!(test, ValueTest::LikeText(_));
    let matches = |known: &str| if is_glob { glob_matches(name, known) } else { known == name };
    if name.contains(['*', '{', '|']) || events().any(matches) {
        return None;
    }
    let literal_span = written.comparison(condition).and_then(|it| it.text_span(text));
    let finding = Diagnostic::new(Code::ENUM_VALUE, shortened("`event` is never `", name, "`"))
        .label(literal_span.unwrap_or(condition.span), consequence_label(test))
        .help("the events are listed by `rules list --events`");
    let meant = event_by_foreign_name(name);
    let meant = meant.as_deref().and_then(|meant| meant.split('(').next());
    Some(match (meant.or_else(|| nearest_name(name, events())), literal_span) {
        (Some(near), Some(literal_span)) => finding
            .help(format!("an event named `{near}` exists"))
            .fix_that_changes(literal_span, string_literal(&format!("{exclusion}{near}"), "")),
        _ => finding,
    })
}

/// Moves the name of a server's tool into the head: the server of a plugin has another name, which only a selector
/// finds.
fn selected_in_head(wrong: WrongName) -> WrongName {
    match wrong.instead.as_deref().filter(|name| name.starts_with("mcp__")) {
        Some(name) => {
            let all = if name.ends_with('*') || name.matches("__").count() > 1 { "" } else { "__*" };
            let help = format!("select it in the head: `on PreToolUse({name}{all})`");
            WrongName { help, instead: None, ..wrong }
        }
        None => wrong,
    }
}

/// Returns the problem with a glob on names of tools; `None` if a tool may match it.
fn tool_glob_problem(glob: &str, label: &'static str) -> Option<WrongName> {
    if let Some(wrong) = permission_problem(glob, label) {
        return Some(wrong);
    }
    if glob.contains(['{', '\\']) {
        return None;
    }
    if !glob.contains(['*', '?', '[']) {
        return tool_problem(glob, label);
    }
    if let Some(meant) = normalised_mcp_name(glob) {
        return Some(WrongName {
            code: Code::UNKNOWN_TOOL,
            message: format!("no tool is called `{glob}`"),
            label,
            help: format!("a tool of a server has two underscores twice: write `{meant}`"),
            instead: Some(meant),
        });
    }
    let start = glob.split(['*', '?', '[']).next().unwrap_or_default();
    let may_be_of_server = start.starts_with("mcp__") || "mcp__".starts_with(start);
    if may_be_of_server || tool_names().any(|name| glob_matches(glob, name)) {
        return None;
    }
    let folded = glob.to_ascii_lowercase();
    let near = tool_names().find(|name| glob_matches(&folded, &name.to_ascii_lowercase()));
    let help = match near {
        Some(near) => format!("names are case-sensitive: `{near}`"),
        None => TOOL_LIST_HELP.to_owned(),
    };
    let code = if near.is_some() { Code::MISNAMED_TOOL } else { Code::UNKNOWN_TOOL };
    Some(WrongName { code, message: format!("no tool is called `{glob}`"), label, help, instead: None })
}

/// Returns the finding about a value that a field of an event never has; `None` if the field can have any value.
fn value_finding(
    event: Event,
    field: &str,
    (written, exclusion): (&str, &str),
    span: Span,
    label: &'static str,
) -> Option<Diagnostic> {
    let FieldType::Enum(words) = event.fields().find(|known| known.name == field)?.ty else { return None };
    if words.iter().any(|word| glob_matches(written, word)) {
        return None;
    }
    let finding = Diagnostic::new(Code::ENUM_VALUE, format!("`{field}` is never `{written}`"))
        .label(span, label)
        .help(format!("the book lists the values of `{field}` at `{}`", event.name()));
    let near = nearest_name(written, words.iter().copied());
    let finding = finding.suggest_name(span, "value", written, words.iter().copied());
    Some(match near {
        Some(near) => finding.fix_that_changes(span, format!("{exclusion}{near}")),
        None => finding,
    })
}
