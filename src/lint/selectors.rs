//! Names that do not exist, in selectors and in tests: unknown tools, values that a field never has.

use super::comparison::each_test;
use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::policy::PolicyLayer;
use crate::ruleset::{Condition, Derived, FactName, Kind, Rule, Source, Test, Value};
use crate::schema::{
    Event, FORMER_AGENT, OTHER_TOOLS, Subject, TOOLS, Type, event_elsewhere, mcp_name, tool_elsewhere,
};
use crate::span::Span;
use crate::syntax::literal;
use hookrules_shell::path::glob_matches;

pub(super) const LINT: Lint = Lint { codes: &[Code::UNKNOWN_TOOL, Code::MISNAMED_TOOL, Code::ENUM_VALUE], check };

fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    for selector in &rule.head.events {
        for (name, span) in selector.subjects.iter().flat_map(|list| list.written.iter()) {
            let not = if written.text(*span).starts_with('!') { "!" } else { "" };
            let label = if not.is_empty() { "selects nothing" } else { "excludes nothing" };
            match selector.event.spec().subject {
                Subject::Tool => {
                    let wrong = tool_glob(name, label).map(|wrong| wrong.at(*span, |near| format!("{not}{near}")));
                    findings.extend(wrong);
                }
                Subject::Field(field) => findings.extend(value(selector.event, field, (name, not), *span, label)),
                Subject::None | Subject::BaseName(_) => {}
            }
        }
    }
    each_test(rule, &mut |seen| {
        let Kind::Compare { source, test, .. } = &seen.test.kind else { return };
        match source {
            Source::Derived(Derived::ToolName) => {
                names(test).into_iter().for_each(|name| findings.extend(tool_in_test(written, seen.test, name, test)));
                findings.extend(part_of_tool(written, seen.test, test));
            }
            Source::Fact(FactName::GitBranch) => names(test).into_iter().for_each(|name| {
                findings.extend(branch_in_test(written, seen.test, name, test));
            }),
            Source::Derived(Derived::Event) => names(test).into_iter().for_each(|name| {
                findings.extend(event_in_test(written, seen.test, name, test));
            }),
            _ => {}
        }
    });
}

/// Reports examples of an event with a value that its field never has: `fires on SessionStart(restart)`.
pub(super) fn examples(layer: &PolicyLayer, findings: &mut FindingSink) {
    let of_rules = layer.rules.iter().filter(|rule| !rule.name.contains('/')).flat_map(|rule| &rule.examples);
    let of_tests = layer.tests.iter().flat_map(|test| &test.cases).map(|case| &case.given);
    for example in of_rules.flat_map(|(_, examples)| examples.iter()).chain(of_tests) {
        let Some((event, subject)) = example.head.as_ref().and_then(|head| {
            let event = Event::from_name(&head.name.text)?;
            Some((event, head.subject.as_ref()?))
        }) else {
            continue;
        };
        if let Subject::Field(field) = event.spec().subject {
            findings.extend(value(event, field, (&subject.text, ""), subject.span, "no such event is ever sent"));
        }
    }
}

/// A problem with a name that no tool has.
struct WrongName {
    /// [`Code::MISNAMED_TOOL`] if certainly no host has it, because it misspells a tool's name.
    code: &'static Code,
    message: String,
    label: &'static str,
    help: String,
    instead: Option<String>,
}

impl WrongName {
    fn at(self, span: Span, as_written: impl Fn(&str) -> String) -> Diagnostic {
        let finding = Diagnostic::new(self.code, self.message).label(span, self.label).help(self.help);
        match self.instead {
            Some(instead) => finding.fix_that_changes(span, as_written(&instead)),
            None => finding,
        }
    }
}

fn tools() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|tool| tool.name).chain(OTHER_TOOLS.iter().copied()).chain([FORMER_AGENT])
}

/// Returns the problem with the name of a tool, or with a glob of such names.
fn tool(written: &str, label: &'static str) -> Option<WrongName> {
    if let Some(server) = server(written) {
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
    if written.starts_with("mcp__") || tools().any(|name| name == written) {
        return None;
    }
    if let Some(wrong) = permission(written, label) {
        return Some(wrong);
    }
    let meant = mcp_name(written).or_else(|| tool_elsewhere(written).map(str::to_owned));
    let near = || nearest(written, tools());
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
        (None, None) => (Code::UNKNOWN_TOOL, LISTED.to_owned(), None),
    };
    Some(WrongName { code, message: format!("unknown tool `{written}`"), label, help, instead })
}

/// Returns the problem with a permission of the host's settings, `Bash(git push:*)`, used as the name of a tool.
fn permission(written: &str, label: &'static str) -> Option<WrongName> {
    let (name, argument) = written.strip_suffix(')')?.split_once('(')?;
    let spec = TOOLS.iter().find(|tool| tool.name == name)?;
    let bare = argument.trim_end_matches([':', '*', ' ']);
    let test = match argument.strip_prefix("domain:") {
        Some(host) => format!("domain == {}", literal(host, "")),
        None if spec.command.is_some() && !bare.is_empty() => format!("runs {}", literal(bare, "")),
        None if !spec.files.is_empty() => format!("path like {}", literal(argument, "")),
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

const LISTED: &str = "the book lists the tools; those of a server begin with `mcp__`";

/// Whether a name looks like that of an agent: several words in lower case.
fn is_agent(name: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase());
    name.contains('-') && name.split('-').all(is_part)
}

/// Whether a name is that of a tool for deleting files, as some agents have one.
fn is_deletion(name: &str) -> bool {
    let folded = name.to_ascii_lowercase().replace(['_', '-'], "");
    ["delete", "deletefile", "remove", "removefile", "rm"].contains(&folded.as_str())
}

/// Returns the server in a name that ends with it; the tools of a server are named `mcp__SERVER__TOOL`.
fn server(written: &str) -> Option<&str> {
    let rest = written.strip_prefix("mcp__")?;
    let server = rest.strip_suffix("__").unwrap_or(rest);
    let is_name = !server.is_empty() && !server.contains("__") && !server.contains(['*', '?', '[', '{']);
    is_name.then_some(server)
}

/// Returns the names or globs that a test compares whole names with.
pub(super) fn names(test: &Test) -> Vec<&str> {
    match test {
        Test::Equal(value) => value.text().into_iter().collect(),
        Test::In(values) => values.iter().filter_map(Value::text).collect(),
        Test::LikeText(globs) => globs.patterns().collect(),
        _ => Vec::new(),
    }
}

/// Splits off the `!` of an excluding glob.
pub(super) fn excluding<'n>(name: &'n str, test: &Test) -> (&'static str, &'n str) {
    match name.strip_prefix('!') {
        Some(glob) if matches!(test, Test::LikeText(_)) => ("!", glob),
        _ => ("", name),
    }
}

/// Returns the consequence of a name that does not exist.
fn label(test: &Test) -> &'static str {
    if matches!(test, Test::LikeText(_)) { "matches nothing" } else { "never equal" }
}

fn tool_in_test(written: &SourceTexts<'_>, at: &Condition, text: &str, test: &Test) -> Option<Diagnostic> {
    let (not, name) = excluding(text, test);
    let wrong = match test {
        Test::LikeText(_) => tool_glob(name, label(test)),
        // Another lint reports an asterisk in a text comparison.
        _ if name.contains('*') => permission(name, label(test)),
        _ => tool(name, label(test)).map(|wrong| without_glob(wrong, name)),
    }?;
    Some(match written.comparison(at).and_then(|it| it.place_of(text)) {
        Some(place) => wrong.at(place, |near| literal(&format!("{not}{near}"), "")),
        None => WrongName { instead: None, ..wrong }.at(at.span, str::to_owned),
    })
}

/// Reports a part of a name that no tool's name contains in this spelling: `contains "bash"`,
/// `starts_with "mcp_github"`.
fn part_of_tool(written: &SourceTexts<'_>, at: &Condition, test: &Test) -> Option<Diagnostic> {
    let (Test::Contains(value) | Test::StartsWith(value) | Test::EndsWith(value)) = test else { return None };
    let text = value.text()?;
    let server = mcp_name(text).filter(|_| matches!(test, Test::StartsWith(_)));
    let meant = match server {
        Some(name) => name.trim_end_matches('*').to_owned(),
        None if tools().any(|name| name.contains(text)) => return None,
        None => tools().find(|name| name.eq_ignore_ascii_case(text))?.to_owned(),
    };
    let wrong = WrongName {
        code: Code::UNKNOWN_TOOL,
        message: format!("no built-in tool has `{text}` in its name"),
        label: "names are compared letter by letter",
        help: format!("write `{meant}`"),
        instead: Some(meant),
    };
    Some(match written.comparison(at).and_then(|it| it.place_of(text)) {
        Some(place) => wrong.at(place, |near| literal(near, "")),
        None => WrongName { instead: None, ..wrong }.at(at.span, str::to_owned),
    })
}

/// Reports a branch with the prefix of a reference: `refs/heads/main`, `origin/main`.
/// Returns the branch in a reference: `origin/main`, `refs/heads/main`.
pub(super) fn branch_of_reference(name: &str) -> Option<&str> {
    ["refs/heads/", "origin/"].iter().find_map(|front| name.strip_prefix(front))
}

fn branch_in_test(written: &SourceTexts<'_>, at: &Condition, text: &str, test: &Test) -> Option<Diagnostic> {
    let (not, name) = excluding(text, test);
    let branch = branch_of_reference(name)?;
    let place = written.comparison(at).and_then(|it| it.place_of(text));
    let finding = Diagnostic::new(Code::ENUM_VALUE, shortened("`git.branch` is never `", name, "`"))
        .label(place.unwrap_or(at.span), label(test))
        .help(format!("it is the branch that is checked out: write \"{not}{branch}\""));
    Some(match place {
        Some(place) => finding.fix_that_changes(place, literal(&format!("{not}{branch}"), "")),
        None => finding,
    })
}

fn event_in_test(written: &SourceTexts<'_>, at: &Condition, text: &str, test: &Test) -> Option<Diagnostic> {
    let (not, name) = excluding(text, test);
    let events = || Event::ALL.iter().map(|event| event.name());
    let is_glob = matches!(test, Test::LikeText(_));
    let matches = |known: &str| if is_glob { glob_matches(name, known) } else { known == name };
    if name.contains(['*', '{']) || events().any(matches) {
        return None;
    }
    let place = written.comparison(at).and_then(|it| it.place_of(text));
    let finding = Diagnostic::new(Code::ENUM_VALUE, shortened("`event` is never `", name, "`"))
        .label(place.unwrap_or(at.span), label(test))
        .help("the events are listed by `rules list --events`");
    let meant = event_elsewhere(name).and_then(|meant| meant.split('(').next());
    Some(match (meant.or_else(|| nearest(name, events())), place) {
        (Some(near), Some(place)) => finding
            .help(format!("an event named `{near}` exists"))
            .fix_that_changes(place, literal(&format!("{not}{near}"), "")),
        _ => finding,
    })
}

/// Without a glob, a server's name does not cover its tools: one must be named, or `like` used.
fn without_glob(wrong: WrongName, written: &str) -> WrongName {
    match server(written) {
        Some(server) => {
            WrongName { help: format!("write `tool_name like \"mcp__{server}__*\"`"), instead: None, ..wrong }
        }
        None => wrong,
    }
}

/// Returns the problem with a glob of tool names.
fn tool_glob(glob: &str, label: &'static str) -> Option<WrongName> {
    if let Some(wrong) = permission(glob, label) {
        return Some(wrong);
    }
    if glob.contains(['{', '\\']) {
        return None;
    }
    if !glob.contains(['*', '?', '[']) {
        return tool(glob, label);
    }
    if let Some(meant) = mcp_name(glob) {
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
    if may_be_of_server || tools().any(|name| glob_matches(glob, name)) {
        return None;
    }
    let folded = glob.to_ascii_lowercase();
    let near = tools().find(|name| glob_matches(&folded, &name.to_ascii_lowercase()));
    let help = match near {
        Some(near) => format!("names are case-sensitive: `{near}`"),
        None => LISTED.to_owned(),
    };
    let code = if near.is_some() { Code::MISNAMED_TOOL } else { Code::UNKNOWN_TOOL };
    Some(WrongName { code, message: format!("no tool is called `{glob}`"), label, help, instead: None })
}

fn value(
    event: Event,
    field: &str,
    (written, not): (&str, &str),
    span: Span,
    label: &'static str,
) -> Option<Diagnostic> {
    let Type::Enum(words) = event.fields().find(|known| known.name == field)?.ty else { return None };
    if words.iter().any(|word| glob_matches(written, word)) {
        return None;
    }
    let finding = Diagnostic::new(Code::ENUM_VALUE, format!("`{field}` is never `{written}`"))
        .label(span, label)
        .help(format!("the book lists the values of `{field}` at `{}`", event.name()));
    let near = nearest(written, words.iter().copied());
    let finding = finding.meant(span, "value", written, words.iter().copied());
    Some(match near {
        Some(near) => finding.fix_that_changes(span, format!("{not}{near}")),
        None => finding,
    })
}
