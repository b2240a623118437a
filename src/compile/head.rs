//! Compiles the head of a rule: `on …` and `by …`.

use std::borrow::Cow;

use crate::diagnostic::{Code, Diagnostic};
use crate::phrases::{self, PhrasePlace};
use crate::ruleset::{AgentSelectors, EventSelector, Head, SelectorList};
use crate::schema::{Event, FieldType, Subject, TOOLS, ToolSpec, current_tool_name, tool_by_foreign_name, tool_spec};
use crate::span::Span;
use crate::syntax::ast::{EventHead, Selector};
use crate::syntax::{RegexSelector, selector_text};
use hookrules_shell::path::{check_glob, intended_alternatives};

use super::account::LayerAccount;

/// Compiles the head of a rule, and reports its mistakes. Unknown events are omitted.
pub(super) fn compile_head(
    events: &[EventHead],
    agents: Option<(&[Selector], Span)>,
    account: &LayerAccount<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Head {
    let mut head = Head { events: Vec::new(), every_event: false, agents: None };
    for selected in events {
        if selected.event.text == "*" {
            select_every_event(events, selected, &mut head, diagnostics);
            continue;
        }
        let Some(event) = Event::from_name(&selected.event.text) else {
            if account.charge_unknown(selected.event.span).is_none() {
                break;
            }
            diagnostics.push(unknown_event(selected));
            continue;
        };
        let alphabet = SelectorAlphabet::from_subject(event);
        let subjects = selected.selectors.as_deref().map(|selectors| selector_list(selectors, alphabet, diagnostics));
        if selected.selectors.is_some() && event.spec().subject == Subject::None {
            diagnostics.push(
                Diagnostic::new(Code::NO_SELECTOR, format!("`{}` takes no selector", event.name()))
                    .label(selected.span, "this event has nothing to select by")
                    .help(format!("write `on {}`, and put the rest into `when`", event.name())),
            );
        }
        head.events.push(EventSelector { event, subjects });
    }
    if let Some((selectors, span)) = agents {
        check_agents(&head, span, diagnostics);
        head.agents = Some(self::compile_agents(selectors, diagnostics));
    }
    head
}

/// Compiles the selectors after `by`.
pub(super) fn compile_agents(selectors: &[Selector], diagnostics: &mut Vec<Diagnostic>) -> AgentSelectors {
    AgentSelectors(selector_list(selectors, SelectorAlphabet::Name, diagnostics))
}

/// Adds the events of `on *`. Reports other events next to it.
fn select_every_event(events: &[EventHead], star: &EventHead, head: &mut Head, diagnostics: &mut Vec<Diagnostic>) {
    if events.len() > 1 || star.selectors.is_some() {
        diagnostics.push(
            Diagnostic::new(Code::NO_SELECTOR, "`on *` with other events")
                .label(star.span, "`*` already means every event")
                .help("write `on *`, or name the events"),
        );
    }
    head.every_event = true;
    let all = Event::ALL.iter().copied().filter(|event| event.spec().in_wildcard);
    head.events.extend(all.map(|event| EventSelector { event, subjects: None }));
}

/// Returns the finding about an unknown event, with a suggestion. The name of a tool becomes `PreToolUse(TOOL)`.
fn unknown_event(head: &EventHead) -> Diagnostic {
    let name = &head.event;
    let found =
        Diagnostic::new(Code::UNKNOWN_EVENT, format!("unknown event `{}`", name.text)).label(name.span, "not an event");
    let row = phrases::find_phrase(PhrasePlace::Event, &name.text);
    if let Some(row) = row.filter(|row| row.means.is_empty()) {
        return found.help(row.help);
    }
    if let Some(meant) = row.map(|row| row.means) {
        // The author's own selectors take precedence over the ones that the phrasebook implies.
        let meant = match (meant.split_once('('), &head.selectors) {
            (Some((event, _)), Some(_)) => event,
            _ => meant,
        };
        return found.help(format!("write `on {meant}`")).fix(name.span, meant);
    }
    match tool_named_as_event(&name.text) {
        Some(tool) if head.selectors.is_none() => {
            let right = format!("PreToolUse({tool})");
            found.help(format!("`{tool}` is a tool: write `on {right}`")).fix(name.span, right)
        }
        Some(tool) => found.help(format!("`{tool}` is a tool: write `on PreToolUse({tool})`")),
        None => found.help("the events are listed by `rules list --events`").suggest_name(
            name.span,
            "event",
            &name.text,
            Event::ALL.iter().map(|event| event.name()),
        ),
    }
}

/// Returns the tool that a text in the place of an event means, regardless of case; `None` if it means no tool.
fn tool_named_as_event(text: &str) -> Option<&str> {
    let near_tool = TOOLS.iter().find(|tool| tool.name.eq_ignore_ascii_case(text)).map(|tool| tool.name);
    let tool = tool_spec(text).map(|tool| tool.name).or(near_tool).or_else(|| tool_by_foreign_name(text));
    tool.or_else(|| text.starts_with("mcp__").then_some(text))
}

/// The kind of names that a selector is compared with, which determines their characters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SelectorAlphabet {
    /// The names are names of tools: letters, digits, `_` and `-`.
    Tool,
    /// The names are from a fixed list of words.
    Word,
    /// The names are chosen by people, as the names of agents and models: a `.` is common, `^` and `$` are not.
    Name,
    /// The names are names of files, which may have any character.
    File,
}

impl SelectorAlphabet {
    /// Returns the characters of an event's subjects.
    fn from_subject(event: Event) -> Self {
        match event.spec().subject {
            Subject::Tool => Self::Tool,
            Subject::BaseName(_) => Self::File,
            Subject::Field(name) => match event.fields().find(|field| field.name == name).map(|field| field.ty) {
                Some(FieldType::Enum(_)) => Self::Word,
                _ => Self::Name,
            },
            Subject::None => Self::Name,
        }
    }

    /// Whether a selector is certainly a regex: as a glob, it would match no name with these characters.
    fn is_regex(self, selector: &str) -> bool {
        let any = selector.contains(".*") || selector.contains(".+");
        let marks = [any, selector.starts_with('^'), selector.ends_with('$')];
        let count = marks.into_iter().filter(|has| *has).count();
        match self {
            Self::Tool | Self::Word => count > 0,
            Self::Name => count > 1,
            Self::File => false,
        }
    }
}

/// Compiles a list of selectors. The former name of a tool becomes the current one.
fn selector_list(
    selectors: &[Selector],
    alphabet: SelectorAlphabet,
    diagnostics: &mut Vec<Diagnostic>,
) -> SelectorList {
    let mut list = SelectorList::default();
    let mut written = Vec::new();
    for selector in selectors {
        check_selector(selector, alphabet, diagnostics);
        let glob = match alphabet {
            SelectorAlphabet::Tool => current_tool_name(&selector.glob),
            _ => &selector.glob,
        };
        let glob = glob.to_owned();
        written.push((glob.clone(), selector.span));
        if selector.excludes { &mut list.excludes } else { &mut list.includes }.push(glob);
    }
    list.written = written.into();
    list
}

/// Reports a selector that is not a valid glob, that is a regex, or that lists several names in one text.
fn check_selector(selector: &Selector, alphabet: SelectorAlphabet, diagnostics: &mut Vec<Diagnostic>) {
    if selector.glob.is_empty() {
        diagnostics.push(
            Diagnostic::new(Code::BAD_PATTERN, "an empty selector")
                .label(selector.span, "matches nothing")
                .help("write a name, or `*` for everything"),
        );
    } else if let Err(problem) = check_glob(&selector.glob) {
        diagnostics.push(
            Diagnostic::new(Code::BAD_PATTERN, "invalid selector")
                .label(selector.span, problem)
                .help("write a glob of `*`, `?`, `[…]` and `[!…]`"),
        );
    }
    let is_regex = alphabet.is_regex(&selector.glob);
    // A regex group, such as `"(coder|x)"`.
    let is_group = selector.glob.starts_with('(') && selector.glob.ends_with(')');
    let regex = if is_regex || is_group { RegexSelector::from_regex(&selector.glob) } else { None };
    let as_glob = regex.as_ref().map_or(Cow::from(&selector.glob), |regex| Cow::from(regex.globs.join("|")));
    if let Some(meant) = intended_alternatives(&as_glob).or_else(|| split_at_commas(&as_glob)) {
        let not = if selector.excludes { "!" } else { "" };
        let instead = meant.iter().map(|glob| format!("{not}{}", selector_text(glob))).collect::<Vec<_>>().join("|");
        diagnostics.push(
            Diagnostic::new(Code::BAD_PATTERN, "a quoted selector is a single name")
                .label(selector.span, "matches nothing")
                .help(format!("write `{instead}`; for a literal `|` or `{{`, write `[|]` or `[{{]`"))
                .fix(selector.span, instead),
        );
    } else if is_regex {
        let of_dots = if selector.glob.contains(".*") { "; a literal `.` before `*` is `[.]`" } else { "" };
        let instead = RegexSelector::replacement_for(regex.as_ref());
        diagnostics.push(
            Diagnostic::new(Code::BAD_PATTERN, "a selector is a glob, not a regex")
                .label(selector.span, "a glob: matches these characters literally")
                .help(format!("write {instead}{of_dots}")),
        );
    }
}

/// Splits a quoted selector such as `"reviewer, auditor"`, which is a single name with a comma, at its commas. `None`
/// if the parts do not look like names of agents.
fn split_at_commas(glob: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = glob.split(',').map(str::trim).collect();
    let is_name = |part: &&str| {
        part.len() > 2 && part.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_'))
    };
    (parts.len() > 1 && parts.iter().all(is_name)).then(|| parts.into_iter().map(str::to_owned).collect())
}

/// Reports `by` on events for which the host does not report the acting agent.
fn check_agents(head: &Head, span: Span, diagnostics: &mut Vec<Diagnostic>) {
    // `on *` includes events both with and without an agent.
    if head.every_event {
        return;
    }
    for selector in &head.events {
        if selector.event.spec().has_agent {
            continue;
        }
        let name = selector.event.name();
        let subagent = matches!(selector.event, Event::SubagentStart | Event::SubagentStop);
        let help = if subagent {
            format!("its subject is the agent type: write `on {name}(coder*)`")
        } else {
            "remove `by`, or name events that say who acts, such as `PreToolUse`".to_owned()
        };
        diagnostics.push(
            Diagnostic::new(Code::NO_SELECTOR, format!("`{name}` takes no `by`"))
                .label(span, "this event does not say who acts")
                .help(help),
        );
    }
}

/// Returns the built-in tools that a head selects on an event; empty if it may select other tools, too, or the event
/// has no tool.
pub(super) fn selectable_tools(head: &Head, event: Event) -> Vec<&'static ToolSpec> {
    if event.spec().subject != Subject::Tool {
        return Vec::new();
    }
    let mut found: Vec<&'static ToolSpec> = Vec::new();
    for selector in head.events.iter().filter(|selector| selector.event == event) {
        let Some(list) = &selector.subjects else { return Vec::new() };
        if list.includes.is_empty() {
            return Vec::new();
        }
        for glob in &list.includes {
            match tool_spec(glob) {
                Some(tool) => found.push(tool),
                None => return Vec::new(),
            }
        }
    }
    found
}
