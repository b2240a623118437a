//! The calls that a rule selects, and the properties of each: whether it runs a command, which fields it has.
//!
//! All of it is derived from the table of tools. A tool of a server, or of a host newer than the table, may have
//! anything.

use crate::ruleset::{Condition, Derived, EventSelector, Kind, Literal, Rule, SelectorList, Source, Test, Value};
use crate::schema::{Event, Subject, TOOLS, ToolSpec, WRITTEN_TEXTS, tool};
use crate::syntax::ast::FileVerb;
use hookrules_shell::path::glob_matches;

/// A call of a built-in tool, or an event without one, with everything that it can have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) event: Event,
    /// The called tool, if there is one.
    pub(super) tool: Option<&'static ToolSpec>,
}

/// The calls that a rule selects.
#[derive(Debug)]
pub(super) struct Calls {
    /// Calls of built-in tools, and events without a tool, without duplicates.
    pub(super) known: Vec<Call>,
    /// Whether a selector matches any tool, including those of servers.
    pub(super) takes_any: bool,
    /// Whether a selector names tools that are not in the table.
    pub(super) names_others: bool,
}

/// How to evaluate a test of a value that a call lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lacking {
    /// As the hook does: the test is false, or true with a `not`.
    Decides,
    /// As if the call could have a value.
    Open,
}

impl Calls {
    /// Returns the calls that a rule selects.
    pub(super) fn of(rule: &Rule) -> Self {
        let mut calls = Self { known: Vec::new(), takes_any: false, names_others: false };
        rule.head.events.iter().for_each(|selector| calls.add(selector));
        calls
    }

    fn add(&mut self, selector: &EventSelector) {
        let event = selector.event;
        if !has_tools(event) {
            self.known.push(Call { event, tool: None });
            return;
        }
        let list = selector.subjects.as_ref();
        let includes = list.map(|list| list.includes.as_slice()).unwrap_or_default();
        self.takes_any |= includes.is_empty() || includes.iter().any(|glob| glob == "*");
        self.names_others |= includes.iter().any(|glob| !TOOLS.iter().any(|tool| is_named(glob, tool)));
        let selected = TOOLS.iter().filter(|tool| list.is_none_or(|list| selects(list, tool)));
        self.known.extend(selected.map(|tool| Call { event, tool: Some(tool) }));
    }

    /// Returns the built-in tools whose calls satisfy a predicate, without duplicates.
    pub(super) fn tools(&self, is_asked: impl Fn(&Call) -> bool) -> Vec<&'static str> {
        let mut names: Vec<&str> = Vec::new();
        for call in self.known.iter().filter(|call| is_asked(call)) {
            if let Some(tool) = call.tool.filter(|tool| !names.contains(&tool.name)) {
                names.push(tool.name);
            }
        }
        names
    }
}

fn is_named(glob: &str, tool: &ToolSpec) -> bool {
    glob_matches(glob, tool.name)
}

/// Whether a selector list selects a tool.
pub(super) fn selects(list: &SelectorList, tool: &ToolSpec) -> bool {
    let is_included = list.includes.is_empty() || list.includes.iter().any(|glob| is_named(glob, tool));
    is_included && !list.excludes(tool.name)
}

/// Whether an event concerns a tool call.
pub(super) fn has_tools(event: Event) -> bool {
    event.spec().subject == Subject::Tool
}

/// Returns the tools of a rule whose selectors all name built-in tools; `None` for any other rule.
pub(super) fn selected(rule: &Rule) -> Option<Vec<&'static ToolSpec>> {
    let of_selector = |selector: &EventSelector| {
        let names = selector.subjects.as_ref().map(|list| list.includes.as_slice());
        let names = names.filter(|_| has_tools(selector.event))?;
        names.iter().map(|name| tool(name)).collect::<Option<Vec<_>>>().filter(|tools| !tools.is_empty())
    };
    let tools: Vec<&ToolSpec> = rule.head.events.iter().map(of_selector).collect::<Option<Vec<_>>>()?.concat();
    let mut once: Vec<&ToolSpec> = Vec::new();
    tools.into_iter().for_each(|tool| {
        if !once.contains(&tool) {
            once.push(tool);
        }
    });
    (!once.is_empty()).then_some(once)
}

impl Call {
    /// Whether the call runs commands.
    pub(super) fn runs(&self) -> bool {
        self.tool.is_some_and(|tool| tool.command.is_some())
    }

    /// Whether the call can access a file in this way.
    pub(super) fn touches(&self, verb: FileVerb) -> bool {
        let of_files =
            |is_so: fn(&crate::schema::FileInput) -> bool| self.tool.is_some_and(|tool| tool.files.iter().any(is_so));
        self.runs()
            || match verb {
                FileVerb::Reads => of_files(|file| file.reads),
                FileVerb::Writes => of_files(|file| file.writes),
                // Built-in tools delete or send files only by commands.
                FileVerb::Deletes | FileVerb::Sends => false,
            }
    }

    /// Whether the call can connect to a host.
    pub(super) fn connects(&self) -> bool {
        self.runs() || self.tool.is_some_and(|tool| tool.searches || tool.url.is_some())
    }

    /// Whether the call certainly has no value of a source.
    pub(super) fn lacks(&self, source: &Source) -> bool {
        match (source, self.tool) {
            (Source::Derived(derived), Some(tool)) => !fills(tool, *derived),
            (Source::Derived(derived), None) => {
                let has_own = |name| self.event.fields().any(|field| field.name == name);
                name_of(*derived).is_some() && !derived.shadowed().is_some_and(has_own)
            }
            (Source::Raw { path, .. }, tool) => match (path.as_slice(), tool) {
                // A member that no tool of the table has belongs to a tool outside the table.
                ([first, member, ..], Some(tool)) if first == "tool_input" => {
                    !has(tool, member) && TOOLS.iter().any(|tool| has(tool, member))
                }
                ([first, ..], None) => first == "tool_input",
                _ => false,
            },
            _ => false,
        }
    }

    /// Evaluates a condition for all such calls; `None` if the result is not the same for all.
    pub(super) fn comes_to(&self, condition: &Condition, lacking: Lacking) -> Option<bool> {
        let all = |parts: &[Condition], deciding: bool| {
            let mut known = parts.iter().map(|part| self.comes_to(part, lacking));
            let some = known.clone().any(|part| part == Some(deciding));
            if some { Some(deciding) } else { known.all(|part| part == Some(!deciding)).then_some(!deciding) }
        };
        let without = |negated: bool| (lacking == Lacking::Decides).then_some(negated);
        match &condition.kind {
            Kind::And(parts) => all(parts, false),
            Kind::Or(parts) => all(parts, true),
            Kind::Not(inner) => self.comes_to(inner, lacking).map(|truth| !truth),
            Kind::Def(inner) => self.comes_to(inner, lacking),
            Kind::Constant(truth) => Some(*truth),
            Kind::Command(_) if !self.runs() => without(false),
            Kind::Touches { verb, .. } if !self.touches(*verb) => without(false),
            Kind::Connects(_) if !self.connects() => without(false),
            Kind::Exists(source) | Kind::Truth(source) if self.lacks(source) => without(false),
            Kind::Compare { source, all, negated, .. } if self.lacks(source) => without(*negated && !all),
            Kind::Compare { source: Source::Derived(Derived::ToolName), negated, test, .. } => {
                Some(is_so(test, self.tool?.name)? != *negated)
            }
            Kind::Compare { source: Source::Derived(Derived::Event), negated, test, .. } => {
                let is_own = self.event.fields().any(|field| field.name == "event");
                if is_own { None } else { Some(is_so(test, self.event.name())? != *negated) }
            }
            Kind::Compare { .. }
            | Kind::Exists(_)
            | Kind::Truth(_)
            | Kind::Command(_)
            | Kind::Touches { .. }
            | Kind::Connects(_) => None,
        }
    }

    /// Evaluates a rule's clauses for all such calls; `None` if the result is not the same for all.
    pub(super) fn matches(&self, rule: &Rule, lacking: Lacking) -> Option<bool> {
        let when = rule.when.as_ref().map_or(Some(true), |when| self.comes_to(when, lacking));
        let unless = rule.unless.as_ref().map_or(Some(false), |unless| self.comes_to(unless, lacking));
        match (when, unless) {
            (Some(false), _) | (_, Some(true)) => Some(false),
            (Some(true), Some(false)) => Some(true),
            _ => None,
        }
    }
}

/// Evaluates a test of a name; `None` if the result is uncertain.
fn is_so(test: &Test, name: &str) -> Option<bool> {
    let text = |value: &Value| match value {
        Value::Literal(Literal::Text(text)) => Some(text.clone()),
        _ => None,
    };
    Some(match test {
        Test::Equal(value) => text(value)? == name,
        Test::In(values) => values.iter().map(text).collect::<Option<Vec<_>>>()?.iter().any(|one| one == name),
        Test::Contains(value) => name.contains(&text(value)?),
        Test::StartsWith(value) => name.starts_with(&text(value)?),
        Test::EndsWith(value) => name.ends_with(&text(value)?),
        Test::LikeText(globs) => globs.matches(name),
        _ => return None,
    })
}

/// Returns the name of a field that a tool's input can provide.
pub(super) fn name_of(derived: Derived) -> Option<&'static str> {
    Some(match derived {
        Derived::Path => "path",
        Derived::Command => "command",
        Derived::Url => "url",
        Derived::Domain => "domain",
        Derived::Content => "content",
        _ => return None,
    })
}

/// Whether a tool's input provides a field.
pub(super) fn fills(tool: &ToolSpec, derived: Derived) -> bool {
    match derived {
        Derived::Path => tool.files.iter().any(|file| !file.glob),
        Derived::Command => tool.command.is_some(),
        Derived::Url | Derived::Domain => tool.url.is_some() || has(tool, "url"),
        Derived::Content => WRITTEN_TEXTS.iter().chain(["edits"].iter()).any(|member| has(tool, member)),
        _ => true,
    }
}

/// Whether the input of a tool has a member.
pub(super) fn has(tool: &ToolSpec, member: &str) -> bool {
    tool.input.iter().any(|field| field.name == member)
}

/// Returns the selector for every tool except these.
pub(super) fn all_but(tools: &[&ToolSpec]) -> String {
    tools.iter().map(|tool| format!("!{}", tool.name)).collect::<Vec<_>>().join("|")
}

/// Joins names for a sentence: the first few, and the number of the others.
pub(super) fn joined(names: &[&str]) -> String {
    match names {
        [] => "no tool".to_owned(),
        [one] => format!("`{one}`"),
        [one, other] => format!("`{one}` and `{other}`"),
        [one, second, third] => format!("`{one}`, `{second}` and `{third}`"),
        [one, second, rest @ ..] => format!("`{one}`, `{second}` and {} others", rest.len()),
    }
}
