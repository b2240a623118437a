//! Compiles the head of a rule: `on …` and `by …`.

use std::borrow::Cow;

use crate::diagnostic::{Code, Diagnostic};
use crate::phrases::{self, PhrasePlace};
use crate::ruleset::{AgentSelectors, EventSelector, Head, SelectorList};
use crate::schema::{
    Event, FieldType, HostEventMeaning, Subject, TOOLS, ToolSpec, current_tool_name, event_by_foreign_name,
    events_named_by_hosts, tool_by_foreign_name, tool_named_by_hosts, tool_spec,
};
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
        let named_by_host = host_event(selected);
        let named = Event::from_name(&selected.event.text).or(named_by_host.map(|meaning| meaning.event));
        let Some(event) = named else {
            if account.charge_unknown(selected.event.span).is_none() {
                break;
            }
            diagnostics.push(unknown_event(selected));
            continue;
        };
        let alphabet = SelectorAlphabet::from_subject(event);
        let mut subjects =
            selected.selectors.as_deref().map(|selectors| selector_list(selectors, alphabet, diagnostics));
        if let Some(meaning) = named_by_host {
            diagnostics.push(host_name_finding(selected.event.span, meaning.head()));
            if !meaning.tools.is_empty() {
                let includes = meaning.tools.iter().map(|tool| (*tool).to_owned()).collect();
                subjects = Some(SelectorList { includes, ..SelectorList::default() });
            }
        }
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

/// Returns what an event means that has a host's name for it; `None` if it is the schema's name, or if the meaning is
/// not certain: hosts mean several events, or the name selects tools and so does the head.
fn host_event(head: &EventHead) -> Option<HostEventMeaning> {
    if Event::from_name(&head.event.text).is_some() {
        return None;
    }
    match events_named_by_hosts(&head.event.text).as_slice() {
        [meaning] if meaning.tools.is_empty() || head.selectors.is_none() => Some(*meaning),
        _ => None,
    }
}

/// Returns the finding about a host's name for `here`.
pub(super) fn host_name_finding(span: Span, here: String) -> Diagnostic {
    Diagnostic::new(Code::HOST_NAME, format!("an agent's name for `{here}`"))
        .label(span, "means the same in every agent")
        .help(format!("write `{here}`, its name here"))
        .fix(span, here)
}

/// Returns the finding about an unknown event, with a suggestion. The name of a tool becomes `PreToolUse(TOOL)`.
fn unknown_event(head: &EventHead) -> Diagnostic {
    let name = &head.event;
    let found =
        Diagnostic::new(Code::UNKNOWN_EVENT, format!("unknown event `{}`", name.text)).label(name.span, "not an event");
    let of_hosts: Vec<String> = events_named_by_hosts(&name.text).iter().map(|it| format!("`{}`", it.head())).collect();
    if of_hosts.len() > 1 {
        return found.help(format!("agents mean different events by it: write {}", of_hosts.join(" or ")));
    }
    let row = phrases::find_phrase(PhrasePlace::Event, &name.text);
    if let Some(row) = row.filter(|row| row.means.is_empty()) {
        return found.help(row.help);
    }
    if let Some(meant) = event_by_foreign_name(&name.text).or_else(|| row.map(|row| row.means.to_owned())) {
        // The author's own selectors take precedence over the ones that the name implies.
        let meant = match (meant.split_once('('), &head.selectors) {
            (Some((event, _)), Some(_)) => event,
            _ => &meant,
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

/// Compiles a list of selectors. The former name of a tool becomes the current one, and a host's name of a tool also
/// selects the tool of the schema.
fn selector_list(
    selectors: &[Selector],
    alphabet: SelectorAlphabet,
    diagnostics: &mut Vec<Diagnostic>,
) -> SelectorList {
    let mut list = SelectorList::default();
    let mut written = Vec::new();
    for selector in selectors {
        check_selector(selector, alphabet, diagnostics);
        let is_tool = alphabet == SelectorAlphabet::Tool;
        let glob = if is_tool { current_tool_name(&selector.glob) } else { &selector.glob }.to_owned();
        written.push((glob.clone(), selector.span));
        if selector.excludes {
            list.excludes.push(glob);
            continue;
        }
        // A host's name for a tool selects the tool of the schema in every host, and also, as any name that is not in
        // the schema, a tool of exactly that name. An exclusion only has its exact name, so that it never selects less.
        list.includes.extend(tool_named_by_hosts(&glob).filter(|_| is_tool).map(str::to_owned));
        list.includes.push(glob);
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
            match tool_spec(glob).or_else(|| tool_spec(tool_named_by_hosts(glob)?)) {
                Some(tool) if found.iter().any(|known| known.name == tool.name) => {}
                Some(tool) => found.push(tool),
                None => return Vec::new(),
            }
        }
    }
    found
}
