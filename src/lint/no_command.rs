//! A rule that tests commands or files of calls that have none: it never matches, but looks as if it guarded something.

use super::{Lint, Written, each};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Condition, EventSelector, Kind, Rule};
use crate::schema::{Event, Subject, ToolSpec, tool};
use crate::syntax::ast::FileVerb;

pub(super) const LINT: Lint = Lint { codes: &[Code::UNREACHABLE], check };

/// What a call can do, as far as its event and its tool say.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Abilities {
    runs: bool,
    reads: bool,
    writes: bool,
    connects: bool,
}

impl Abilities {
    fn of(tool: &ToolSpec) -> Self {
        let runs = tool.command.is_some();
        Self {
            runs,
            reads: runs || tool.files.iter().any(|file| file.reads),
            writes: runs || tool.files.iter().any(|file| file.writes),
            connects: runs || tool.searches || tool.url.is_some(),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            runs: self.runs || other.runs,
            reads: self.reads || other.reads,
            writes: self.writes || other.writes,
            connects: self.connects || other.connects,
        }
    }

    fn takes(self, verb: FileVerb) -> bool {
        match verb {
            FileVerb::Reads => self.reads,
            FileVerb::Writes => self.writes,
            // None of the built-in tools deletes or sends a file but by a command.
            FileVerb::Deletes | FileVerb::Sends => self.runs,
        }
    }
}

fn check(_: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    let events = &rule.head.events;
    if events.is_empty() {
        return;
    }
    let all: Option<Abilities> =
        events.iter().map(abilities).try_fold(Abilities::default(), |all, one| Some(all.or(one?)));
    if let Some(test) = all.and_then(|all| never(rule, all)) {
        let without_tools = events.iter().find(|selector| !has_tools(selector.event));
        let (label, help) = match without_tools {
            Some(selector) => of_event(selector.event),
            None => of_tools(test),
        };
        found.push(
            Diagnostic::new(Code::UNREACHABLE, format!("`{}` never matches", rule.name))
                .label(test.span, label)
                .help(help),
        );
        return;
    }
    // `on *` takes the events that have no tool along with those that have.
    let without_tools = events.iter().find(|selector| !rule.head.every_event && !has_tools(selector.event));
    if let Some(selector) = without_tools
        && let Some(test) = never(rule, Abilities::default())
    {
        let name = selector.event.name();
        found.push(
            Diagnostic::new(Code::UNREACHABLE, format!("`{}` never matches on `{name}`", rule.name))
                .label(test.span, format!("no tool is called on `{name}`"))
                .help(format!("remove `{name}`, or give it a rule of its own")),
        );
    }
}

/// Tells whether a rule selects nothing that runs a command.
pub(super) fn selects_none(rule: &Rule) -> bool {
    let events = &rule.head.events;
    !events.is_empty() && events.iter().all(|selector| abilities(selector).is_some_and(|able| !able.runs))
}

fn has_tools(event: Event) -> bool {
    event.spec().subject == Subject::Tool
}

/// Returns what the calls can do that a selector selects; nothing where it may select any tool.
fn abilities(selector: &EventSelector) -> Option<Abilities> {
    if !has_tools(selector.event) {
        return Some(Abilities::default());
    }
    let names = selector.subjects.as_ref().map(|list| list.includes.as_slice()).filter(|names| !names.is_empty())?;
    names.iter().try_fold(Abilities::default(), |all, name| Some(all.or(Abilities::of(tool(name)?))))
}

/// Returns the first test of a rule that fails for every such call, where the rule then never matches.
fn never(rule: &Rule, abilities: Abilities) -> Option<&Condition> {
    let fails = |when: &&Condition| comes_to(when, abilities) == Some(false);
    let holds = |unless: &&Condition| comes_to(unless, abilities) == Some(true);
    let clause = rule.when.as_ref().filter(fails).or_else(|| rule.unless.as_ref().filter(holds))?;
    let mut first = None;
    each(clause, false, &mut |test, _| {
        if !matches!(test.kind, Kind::Constant(_)) && comes_to(test, abilities) == Some(false) {
            first = first.or(Some(test));
        }
    });
    first
}

/// Returns what a condition comes to for a call that can do no more, where that decides.
fn comes_to(condition: &Condition, abilities: Abilities) -> Option<bool> {
    let all = |parts: &[Condition], deciding: bool| {
        let mut known = parts.iter().map(|part| comes_to(part, abilities));
        let some = known.clone().any(|part| part == Some(deciding));
        if some { Some(deciding) } else { known.all(|part| part == Some(!deciding)).then_some(!deciding) }
    };
    match &condition.kind {
        Kind::And(parts) => all(parts, false),
        Kind::Or(parts) => all(parts, true),
        Kind::Not(inner) => comes_to(inner, abilities).map(|truth| !truth),
        Kind::Def(inner) => comes_to(inner, abilities),
        Kind::Constant(truth) => Some(*truth),
        Kind::Command(_) => (!abilities.runs).then_some(false),
        Kind::Touches { verb, .. } => (!abilities.takes(*verb)).then_some(false),
        Kind::Connects(_) => (!abilities.connects).then_some(false),
        Kind::Compare { .. } | Kind::Exists(_) | Kind::Truth(_) => None,
    }
}

fn of_event(event: Event) -> (String, &'static str) {
    let help = match event {
        Event::Stop | Event::SubagentStop => {
            "write `on PreToolUse` for calls, or let a check decide: `run \"…\" { on_fail: deny }`"
        }
        Event::UserPromptSubmit => "write `on PreToolUse` for calls, or test `prompt`",
        _ => "write `on PreToolUse`, or `on PostToolUse` for what has happened",
    };
    (format!("no tool is called on `{}`", event.name()), help)
}

fn of_tools(test: &Condition) -> (String, &'static str) {
    let (label, help) = match &test.kind {
        Kind::Touches { verb: FileVerb::Reads, .. } => (
            "none of the selected tools reads a file",
            "write `on PreToolUse`, where every tool and command is looked at, or `writes …`",
        ),
        Kind::Touches { verb: FileVerb::Writes, .. } => (
            "none of the selected tools writes a file",
            "write `on PreToolUse`, where every tool and command is looked at, or `reads …`",
        ),
        Kind::Touches { verb: FileVerb::Deletes, .. } => (
            "none of the selected tools deletes a file",
            "write `on PreToolUse`: files are deleted by commands and by tools of servers",
        ),
        Kind::Touches { verb: FileVerb::Sends, .. } => (
            "none of the selected tools sends a file",
            "write `on PreToolUse`: files are sent by commands and by tools of servers",
        ),
        Kind::Connects(_) => (
            "none of the selected tools connects to a host",
            "write `on PreToolUse`, where every tool and command is looked at",
        ),
        _ => (
            "none of the selected tools runs a command",
            "write `on PreToolUse`, or test the file: `reads like \"…\"`, `path like \"…\"`",
        ),
    };
    (label.to_owned(), help)
}
