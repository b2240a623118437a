//! Resolves a name to its source, and its type.

use crate::diagnostic::{Code, Diagnostic, nearest, suggest};
use crate::phrases::{self, Place};
use crate::ruleset::{Derived, FactName, Head, Source, WhereField};
use crate::schema::{Event, FieldLookup, Type, field_type};
use crate::syntax::{NamePlace, UnresolvedName, ast};

mod where_words;

use super::head::tools;
pub(super) use crate::syntax::field_meant;
pub(super) use where_words::option_meant;
use where_words::unknown_in_where;

/// A source with its type, as far as that is known.
pub(super) struct Typed {
    pub(super) source: Source,
    pub(super) ty: Type,
}

/// The words of `where`.
pub(super) const WHERE_WORDS: &[&str] = &[
    "program",
    "args",
    "operands",
    "input",
    "variables",
    "via",
    "in_loop",
    "in_background",
    "piped_from",
    "piped_to",
    "remote",
    "cwd",
    "push_target",
    "domain",
];

/// The field with the name of the tool: a former name in a comparison with it is replaced by the current one.
pub(super) const TOOL_NAME: &str = "tool_name";

const DERIVED: &[(&str, Derived, Type)] = &[
    ("event", Derived::Event, Type::String),
    ("agent", Derived::Agent, Type::String),
    ("agent_type", Derived::AgentType, Type::String),
    ("subagent_type", Derived::AgentType, Type::String),
    ("host", Derived::Host, Type::String),
    (TOOL_NAME, Derived::ToolName, Type::String),
    ("project", Derived::Project, Type::Path),
    ("tmp", Derived::Tmp, Type::Path),
    ("home", Derived::Home, Type::Path),
    ("path", Derived::Path, Type::Path),
    ("content", Derived::Content, Type::String),
    ("command", Derived::Command, Type::String),
    ("url", Derived::Url, Type::String),
    ("domain", Derived::Domain, Type::String),
];

/// Returns the derived field with a name, for any event.
fn derived(name: &str) -> Option<(Derived, Type)> {
    DERIVED.iter().find(|(word, ..)| *word == name).map(|(_, derived, ty)| (*derived, *ty))
}

/// Returns the fact of a dotted name.
fn fact(segments: &[&str]) -> Option<(FactName, Type)> {
    match segments {
        ["os"] => Some((FactName::Os, Type::Enum(&["linux", "macos", "windows"]))),
        ["host_pids"] => Some((FactName::HostPids, Type::String)),
        ["git", "branch"] => Some((FactName::GitBranch, Type::String)),
        ["git", "remote"] => Some((FactName::GitRemote, Type::String)),
        ["git", "worktree"] => Some((FactName::GitWorktree, Type::Boolean)),
        ["git", "root"] => Some((FactName::GitRoot, Type::Path)),
        ["env", name] => Some((FactName::Env((*name).to_owned()), Type::String)),
        _ => None,
    }
}

/// Returns the `let`s and `def`s that are visible in a file; called only if a name is not found.
pub(super) type Visible<'v> = &'v dyn Fn() -> Vec<&'v str>;

/// Resolves a name that is neither a `let` nor a `def`.
pub(super) fn resolve(name: &ast::FieldName, head: &Head, visible: Visible<'_>) -> Result<Typed, Box<Diagnostic>> {
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    if let Some((fact, ty)) = fact(&segments) {
        return Ok(Typed { source: Source::Fact(fact), ty });
    }
    if let [single] = segments.as_slice()
        && let Some((derived, ty)) = derived(single)
        && carries(head, single, derived)
    {
        return Ok(Typed { source: Source::Derived(derived), ty });
    }
    let lookups: Vec<(Event, FieldLookup)> =
        head.event_set().into_iter().map(|event| (event, field_type(event, &tools(head, event), &segments))).collect();
    let mut found: Option<Type> = None;
    for (_, lookup) in &lookups {
        let ty = match lookup {
            FieldLookup::Found(ty) => *ty,
            FieldLookup::Open => Type::Any,
            _ => continue,
        };
        found = Some(if found.is_none_or(|earlier| earlier == ty) { ty } else { Type::Any });
    }
    match found {
        Some(ty) => {
            let path = segments.iter().map(|segment| (*segment).to_owned()).collect();
            Ok(Typed { source: Source::Raw { path, ty }, ty })
        }
        None => Err(Box::new(unresolved(name, &segments, head, &lookups, visible))),
    }
}

/// Whether some event of the head can have the derived field.
fn carries(head: &Head, name: &str, derived: Derived) -> bool {
    let of_tools = matches!(
        derived,
        Derived::Path | Derived::Content | Derived::Command | Derived::Url | Derived::Domain | Derived::ToolName
    );
    // An unknown event was reported already; its consequences are not.
    !of_tools
        || head.events.is_empty()
        || head
            .events
            .iter()
            .any(|selector| selector.event.fields().any(|field| field.name == "tool_input" || field.name == name))
}

/// Returns the place of a name in a condition on the events of a head.
pub(super) fn name_place(head: &Head) -> NamePlace {
    match carries(head, "path", Derived::Path) {
        true => NamePlace::EventWithPath,
        false => NamePlace::Event,
    }
}

/// Whether a dotted name has a value on some event of the head.
fn resolves(head: &Head, segments: &[&str]) -> bool {
    let single =
        matches!(segments, [single] if derived(single).is_some_and(|(derived, _)| carries(head, single, derived)));
    // The input of a server's tool is unknown: any member may be meant.
    let is_member = matches!(segments, ["tool_input" | "tool_response", _, ..]);
    let raw = |event| match field_type(event, &tools(head, event), segments) {
        FieldLookup::Found(_) => true,
        FieldLookup::Open => is_member,
        _ => false,
    };
    single || fact(segments).is_some() || head.event_set().into_iter().any(raw)
}

/// A name that nothing has, and what the events of the head have for it.
struct Missing<'a> {
    name: &'a ast::FieldName,
    text: &'a str,
    segments: &'a [&'a str],
    head: &'a Head,
    lookups: &'a [(Event, FieldLookup)],
}

fn unresolved(
    name: &ast::FieldName,
    segments: &[&str],
    head: &Head,
    lookups: &[(Event, FieldLookup)],
    visible: Visible<'_>,
) -> Diagnostic {
    let text = &name.text();
    let missing = Missing { name, text, segments, head, lookups };
    let foreign = UnresolvedName { name, place: name_place(head) };
    let elsewhere = || foreign.alone(&|segments| resolves(head, segments));
    // A foreign name for a field of this event is more likely than the same name of a field of another event.
    let renamed = || field_meant(text).and_then(|_| elsewhere());
    foreign
        .part_of_url()
        .or_else(renamed)
        .or_else(|| missing.not_carried())
        .or_else(elsewhere)
        .unwrap_or_else(|| missing.unknown(visible))
}

impl Missing<'_> {
    /// Reports a field of other events, or of other tools.
    fn not_carried(&self) -> Option<Diagnostic> {
        let Self { name, text, segments, head, lookups } = self;
        let carriers: Vec<String> = Event::ALL
            .iter()
            .filter(|event| matches!(field_type(**event, &[], segments), FieldLookup::Found(_)))
            .map(|event| format!("`{}`", event.name()))
            .collect();
        let known_derived = matches!(segments, [single] if derived(single).is_some());
        let not_carried = lookups.iter().any(|(_, lookup)| matches!(lookup, FieldLookup::NotCarried));
        if !known_derived && !not_carried && (carriers.is_empty() || segments.len() > 1) {
            return None;
        }
        let finding = Diagnostic::new(Code::FIELD_NOT_CARRIED, format!("{} never carries `{text}`", self.events()))
            .label(name.span, "not a field of this event");
        let events = head.event_set();
        let is_mode =
            *text == "mode" && events.iter().any(|event| event.fields().any(|field| field.name == "permission_mode"));
        if is_mode {
            let help = "the mode of the session is `permission_mode`";
            return Some(finding.help(help).fix(name.span, "permission_mode"));
        }
        if known_derived {
            return Some(finding.help(format!("`{text}` belongs to events with a tool, such as `PreToolUse`")));
        }
        let path = ["tool_input", text];
        let has = |event| matches!(field_type(event, &tools(head, event), &path), FieldLookup::Found(_));
        if segments.len() == 1 && events.into_iter().any(has) {
            let member = format!("tool_input.{text}");
            let help = format!("it is a member of the tool's input: write `{member}`");
            return Some(finding.help(help).fix(name.span, member));
        }
        Some(finding.help(self.carried_by(&carriers)))
    }

    /// Returns the help that names the events which carry a field.
    fn carried_by(&self, carriers: &[String]) -> String {
        let shown = carriers.get(..4).unwrap_or(carriers).join(", ");
        let is_of_response = matches!(self.segments, ["tool_response" | "tool_output", ..]);
        match carriers.len() {
            0 if is_of_response => {
                let on = after_the_call(self.head);
                format!("the call has not run yet: write `on {on}`, and an effect that it can carry")
            }
            0 => "the selected tools do not take it".to_owned(),
            1..=4 => format!("carried by {shown}"),
            several => format!("carried by {shown} and {} more events", several - 4),
        }
    }

    /// Describes the events of the head.
    fn events(&self) -> String {
        let names: Vec<&str> = self.head.event_set().into_iter().map(Event::name).collect();
        match names.as_slice() {
            [] | [_, _, _, _, ..] => "these events".to_owned(),
            few => few.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and "),
        }
    }

    /// Reports a name that nothing has, with the nearest one.
    fn unknown(&self, visible: Visible<'_>) -> Diagnostic {
        let candidates = self.candidates(visible);
        let candidates: std::collections::BTreeSet<&str> = candidates.iter().map(String::as_str).collect();
        let candidates = || candidates.iter().copied();
        let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{}`", self.text))
            .label(self.name.span, "not a field");
        match (nearest(self.text, candidates()), suggest("field", self.text, candidates())) {
            (Some(near), _) => found.help(format!("a field named `{near}` exists")).fix(self.name.span, near),
            (None, Some(help)) => found.help(help),
            (None, None) => found.help("no field, fact, `let` or `def` has this name: `rules help fields` lists them"),
        }
    }

    /// Returns the names that may be meant: those at the first wrong segment of the path, which need not be the last one.
    fn candidates(&self, visible: Visible<'_>) -> Vec<String> {
        let Self { segments, head, lookups, .. } = self;
        let is_known = |prefix: &[&str]| {
            let lookup = |event| field_type(event, &tools(head, event), prefix);
            head.event_set().into_iter().any(|event| matches!(lookup(event), FieldLookup::Found(_) | FieldLookup::Open))
        };
        let known =
            (0..segments.len()).rev().filter_map(|length| segments.get(..length)).find(|prefix| is_known(prefix));
        let prefix: String = known.unwrap_or_default().iter().flat_map(|segment| [*segment, "."]).collect();
        let mut candidates: Vec<String> = Vec::new();
        for (_, lookup) in *lookups {
            if let FieldLookup::Unknown { known_siblings } = lookup {
                candidates.extend(known_siblings.iter().map(|sibling| format!("{prefix}{sibling}")));
            }
        }
        if segments.len() == 1 {
            let carried = DERIVED.iter().filter(|(word, derived, _)| carries(head, word, *derived));
            candidates.extend(carried.map(|derived| derived.0.to_owned()));
            candidates.extend(visible().into_iter().map(str::to_owned));
        }
        // If a prefix of the path exists, only its members are candidates.
        if prefix.is_empty() {
            let facts = ["git.branch", "git.remote", "git.worktree", "git.root", "host_pids", "os"];
            candidates.extend(facts.map(str::to_owned));
        }
        candidates
    }
}

/// Returns the event after the call, with the tools that a head selects before it.
fn after_the_call(head: &Head) -> String {
    let selector = head.events.iter().find(|selector| selector.event == Event::PreToolUse);
    let tools = selector.and_then(|selector| selector.subjects.as_ref()).map(|list| list.includes.join("|"));
    match tools
        .filter(|tools| !tools.is_empty() && tools.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-*|".contains(&b)))
    {
        Some(tools) => format!("PostToolUse({tools})"),
        None => "PostToolUse".to_owned(),
    }
}

/// Resolves a word of `where`.
pub(super) fn resolve_where(name: &ast::FieldName) -> Result<Typed, Box<Diagnostic>> {
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    let (field, ty) = match segments.as_slice() {
        ["program"] => (WhereField::Program, Type::String),
        ["args"] => (WhereField::Args, Type::String),
        ["operands"] => (WhereField::Operands, Type::String),
        ["variables"] => (WhereField::Variables, Type::String),
        ["via"] => (WhereField::Via, Type::String),
        ["input"] => (WhereField::Input, Type::String),
        ["in_loop"] => (WhereField::InLoop, Type::Boolean),
        ["in_background"] => (WhereField::InBackground, Type::Boolean),
        ["piped_from"] => (WhereField::PipedFrom, Type::String),
        ["piped_to"] => (WhereField::PipedTo, Type::String),
        ["remote"] => (WhereField::Remote, Type::Boolean),
        ["cwd"] => (WhereField::Cwd, Type::Path),
        ["push_target"] => (WhereField::PushTarget, Type::String),
        ["domain"] => (WhereField::Domain, Type::String),
        ["env", name] => (WhereField::Env((*name).to_owned()), Type::String),
        _ => match fact(&segments) {
            Some((fact, ty)) => return Ok(Typed { source: Source::Fact(fact), ty }),
            None => return Err(Box::new(unknown_in_where(name))),
        },
    };
    Ok(Typed { source: Source::Where(field), ty })
}

/// Whether a name is only a word of `where`, for a diagnostic where it is used elsewhere.
pub(super) fn is_where_word(name: &ast::FieldName) -> bool {
    name.single().is_some_and(|name| {
        WHERE_WORDS.contains(&name.text.as_str()) && !matches!(name.text.as_str(), "cwd" | "domain")
    })
}

/// Resolves a placeholder of a text, including `match` and `now`.
pub(super) fn resolve_placeholder(
    name: &ast::FieldName,
    head: &Head,
    visible: Visible<'_>,
) -> Result<Typed, Box<Diagnostic>> {
    let single = name.single().map(|name| name.text.as_str());
    let raw = |word: &str| head.events.iter().any(|selector| selector.event.fields().any(|field| field.name == word));
    match single {
        Some("match") if !raw("match") => Ok(Typed { source: Source::Derived(Derived::Match), ty: Type::String }),
        Some("now") => Ok(Typed { source: Source::Derived(Derived::Now), ty: Type::String }),
        Some(word)
            if !raw(word)
                && let Some(meant) = phrases::meaning(Place::Placeholder, word) =>
        {
            Err(Box::new(
                Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{word}`"))
                    .label(name.span, "not a field")
                    .help(format!("write `{meant}`, the time of the event"))
                    .fix(name.span, meant),
            ))
        }
        _ => resolve(name, head, visible),
    }
}
