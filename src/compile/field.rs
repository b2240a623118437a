//! Resolves the name of a field, fact or word of `where` to a reference and its type.

use crate::diagnostic::{Code, Diagnostic, nearest_name, suggest};
use crate::phrases::{self, PhrasePlace};
use crate::ruleset::{DerivedField, FactName, Head, PLACES, ValueReference, WhereField};
use crate::schema::{Event, FieldLookup, FieldType, field_named_by_hosts, field_type};
use crate::syntax::{NamePlace, UnresolvedName, ast};
use crate::time::Weekday;

mod where_words;

use super::head::selectable_tools;
pub(super) use crate::syntax::field_meant;
pub(super) use where_words::intended_option;
use where_words::unknown_where_word;

/// A reference to values, with their type as far as it is known.
pub(super) struct TypedReference {
    pub(super) source: ValueReference,
    /// The type of the values; `Any` if it is not known.
    pub(super) ty: FieldType,
}

impl TypedReference {
    /// Sets the time zone of a reference to the clock. Other references are unchanged.
    pub(super) fn in_zone(mut self, zone_name: &str) -> Self {
        if let ValueReference::Fact(FactName::Time(zone) | FactName::Weekday(zone)) = &mut self.source {
            zone_name.clone_into(zone);
        }
        self
    }
}

/// The names of the properties that `where` tests, except `env.NAME` and `option`.
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
    "place",
    "writes_there",
    "deletes_there",
    "cwd",
    "push_target",
    "domain",
];

/// The field with the name of the tool. In a comparison with it, the former name of a tool is replaced by the current
/// one.
pub(super) const TOOL_NAME: &str = "tool_name";

/// The derived fields, by name, with their types.
const DERIVED_FIELDS: &[(&str, DerivedField, FieldType)] = &[
    ("event", DerivedField::Event, FieldType::String),
    ("agent", DerivedField::Agent, FieldType::String),
    ("agent_type", DerivedField::AgentType, FieldType::String),
    ("subagent_type", DerivedField::AgentType, FieldType::String),
    ("host", DerivedField::Host, FieldType::String),
    (TOOL_NAME, DerivedField::ToolName, FieldType::String),
    ("project", DerivedField::Project, FieldType::Path),
    ("tmp", DerivedField::Tmp, FieldType::Path),
    ("home", DerivedField::Home, FieldType::Path),
    ("path", DerivedField::Path, FieldType::Path),
    ("content", DerivedField::Content, FieldType::String),
    ("command", DerivedField::Command, FieldType::String),
    ("url", DerivedField::Url, FieldType::String),
    ("domain", DerivedField::Domain, FieldType::String),
];

/// Returns the derived field with a name, such as `path`, whether or not an event has it.
fn derived_field(name: &str) -> Option<(DerivedField, FieldType)> {
    DERIVED_FIELDS.iter().find(|(word, ..)| *word == name).map(|(_, derived, ty)| (*derived, *ty))
}

/// Returns the fact with a dotted name, such as `git.branch`, and its type.
fn fact_field(segments: &[&str]) -> Option<(FactName, FieldType)> {
    match segments {
        ["os"] => Some((FactName::Os, FieldType::Enum(&["linux", "macos", "windows"]))),
        ["time"] => Some((FactName::Time(String::new()), FieldType::String)),
        ["weekday"] => Some((FactName::Weekday(String::new()), FieldType::Enum(Weekday::NAMES))),
        ["host_pids"] => Some((FactName::HostPids, FieldType::String)),
        ["git", "branch"] => Some((FactName::GitBranch, FieldType::String)),
        ["git", "remote"] => Some((FactName::GitRemote, FieldType::String)),
        ["git", "worktree"] => Some((FactName::GitWorktree, FieldType::Boolean)),
        ["git", "root"] => Some((FactName::GitRoot, FieldType::Path)),
        ["env", name] => Some((FactName::Env((*name).to_owned()), FieldType::String)),
        _ => None,
    }
}

/// A function that returns the `let`s and `def`s in scope, for suggestions. It is called only if a name is unknown.
pub(super) type VisibleNames<'v> = &'v dyn Fn() -> Vec<&'v str>;

/// Resolves a name that is neither a `let` nor a `def`: a fact, a derived field, or a member of the payload of some
/// event of the head.
pub(super) fn resolve(
    name: &ast::FieldName,
    head: &Head,
    visible: VisibleNames<'_>,
) -> Result<TypedReference, Box<Diagnostic>> {
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    if let Some((fact, ty)) = fact_field(&segments) {
        return Ok(TypedReference { source: ValueReference::Fact(fact), ty });
    }
    if let [single] = segments.as_slice()
        && let Some((derived, ty)) = derived_field(single)
        && has_derived_field(head, single, derived)
    {
        return Ok(TypedReference { source: ValueReference::Derived(derived), ty });
    }
    let lookups: Vec<(Event, FieldLookup)> = head
        .event_set()
        .into_iter()
        .map(|event| (event, field_type(event, &selectable_tools(head, event), &segments)))
        .collect();
    let mut found: Option<FieldType> = None;
    for (_, lookup) in &lookups {
        let ty = match lookup {
            FieldLookup::Found(ty) => *ty,
            FieldLookup::Untyped => FieldType::Any,
            _ => continue,
        };
        // A member with different types on different events has any type.
        found = Some(if found.is_none_or(|earlier| earlier == ty) { ty } else { FieldType::Any });
    }
    match found {
        Some(ty) => {
            let path = segments.iter().map(|segment| (*segment).to_owned()).collect();
            Ok(TypedReference { source: ValueReference::Raw { path, ty }, ty })
        }
        None => Err(Box::new(unknown_field(name, &segments, head, &lookups, visible))),
    }
}

/// Resolves a host's path of a field, which the schema does not have on the events of the head. Also returns the path
/// in the schema. `None` if no host has the path, or if its meaning is not certain.
pub(super) fn resolve_named_by_host(name: &ast::FieldName, head: &Head) -> Option<(TypedReference, String)> {
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    let events = head.event_set();
    // A name of the schema that these events lack is a mistake of its own.
    let is_unknown = |event: &Event| {
        matches!(field_type(*event, &selectable_tools(head, *event), &segments), FieldLookup::Unknown { .. })
    };
    if !events.iter().all(is_unknown) {
        return None;
    }
    let tools = events.iter().flat_map(|event| selectable_tools(head, *event)).map(|tool| tool.name);
    let here = field_named_by_hosts(&segments, &tools.collect::<Vec<_>>())?;
    let segment = |text: &String| ast::Name { text: text.clone(), span: name.span };
    let renamed = ast::FieldName { segments: here.iter().map(segment).collect(), span: name.span };
    Some((resolve(&renamed, head, &Vec::new).ok()?, here.join(".")))
}

/// Whether some event of the head can have a derived field.
fn has_derived_field(head: &Head, name: &str, derived: DerivedField) -> bool {
    let of_tools = derived.is_of_contents() || derived == DerivedField::ToolName;
    // Without events the head has a mistake, which was reported; findings about its fields would be consequences.
    !of_tools
        || head.events.is_empty()
        || head
            .events
            .iter()
            .any(|selector| selector.event.fields().any(|field| field.name == "tool_input" || field.name == name))
}

/// Returns the kind of event for which the phrasebook translates a name: one with a path, or one without.
pub(super) fn name_place(head: &Head) -> NamePlace {
    match has_derived_field(head, "path", DerivedField::Path) {
        true => NamePlace::EventWithPath,
        false => NamePlace::Event,
    }
}

/// Whether a dotted name is a fact, or a field of some event of the head.
fn resolves(head: &Head, segments: &[&str]) -> bool {
    let single = matches!(segments, [single] if derived_field(single).is_some_and(|(derived, _)| has_derived_field(head, single, derived)));
    // The input of a server's tool is not known, so it may have any member.
    let is_member = matches!(segments, ["tool_input" | "tool_response", _, ..]);
    let raw = |event| match field_type(event, &selectable_tools(head, event), segments) {
        FieldLookup::Found(_) => true,
        FieldLookup::Untyped => is_member,
        _ => false,
    };
    single || fact_field(segments).is_some() || head.event_set().into_iter().any(raw)
}

/// A name that refers to nothing on the events of a head, with the data for the finding about it.
struct Missing<'a> {
    name: &'a ast::FieldName,
    text: &'a str,
    segments: &'a [&'a str],
    head: &'a Head,
    /// The result of the lookup on each event.
    lookups: &'a [(Event, FieldLookup)],
}

/// Returns the finding about a name that is unknown on all events of a head.
fn unknown_field(
    name: &ast::FieldName,
    segments: &[&str],
    head: &Head,
    lookups: &[(Event, FieldLookup)],
    visible: VisibleNames<'_>,
) -> Diagnostic {
    let text = &name.text();
    let missing = Missing { name, text, segments, head, lookups };
    let foreign = UnresolvedName { name, place: name_place(head) };
    let elsewhere = || foreign.alone(&|segments| resolves(head, segments));
    // A foreign name for a field of this event is more probable than the same name for a field of another event.
    let renamed = || field_meant(text).and_then(|_| elsewhere());
    foreign
        .url_part_finding()
        .or_else(renamed)
        .or_else(|| missing.not_carried())
        .or_else(elsewhere)
        .unwrap_or_else(|| missing.unknown(visible))
}

impl Missing<'_> {
    /// Returns the finding about a field of other events or other tools; `None` if no event has the field.
    fn not_carried(&self) -> Option<Diagnostic> {
        let Self { name, text, segments, head, lookups } = self;
        let carriers: Vec<String> = Event::ALL
            .iter()
            .filter(|event| matches!(field_type(**event, &[], segments), FieldLookup::Found(_)))
            .map(|event| format!("`{}`", event.name()))
            .collect();
        let known_derived = matches!(segments, [single] if derived_field(single).is_some());
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
        let has = |event| matches!(field_type(event, &selectable_tools(head, event), &path), FieldLookup::Found(_));
        if segments.len() == 1 && events.into_iter().any(has) {
            let member = format!("tool_input.{text}");
            let help = format!("it is a member of the tool's input: write `{member}`");
            return Some(finding.help(help).fix(name.span, member));
        }
        // A call that failed has no output: `error` has the text of both.
        let is_of_response = matches!(segments.first(), Some(&("tool_response" | "tool_output")));
        if is_of_response && head.event_set().into_iter().all(|event| event == Event::PostToolUseFailure) {
            let help = "a call that failed has its output in `error`: write `error contains \"…\"`";
            return Some(finding.help(help).fix_that_changes(name.span, "error"));
        }
        Some(finding.help(self.carried_by(&carriers)))
    }

    /// Returns the help that lists the events with the field.
    fn carried_by(&self, carriers: &[String]) -> String {
        let shown = carriers.get(..4).unwrap_or(carriers).join(", ");
        let is_of_response = matches!(self.segments, ["tool_response" | "tool_output", ..]);
        match carriers.len() {
            0 if is_of_response => {
                let on = event_after_call(self.head);
                format!("the call has not run yet: write `on {on}`, and an effect that it can carry")
            }
            0 => match self.members_of_tools() {
                Some(members) => format!("the selected tools do not take it: write {members}"),
                None => "the selected tools do not take it".to_owned(),
            },
            1..=4 => format!("carried by {shown}"),
            several => format!("carried by {shown} and {} more events", several - 4),
        }
    }

    /// Returns the members of the input of the selected tools, for a message; `None` if these are many.
    fn members_of_tools(&self) -> Option<String> {
        let events = self.head.event_set();
        let mut members: Vec<&str> = Vec::new();
        for tool in events.into_iter().flat_map(|event| selectable_tools(self.head, event)) {
            for field in tool.input {
                if !members.contains(&field.name) {
                    members.push(field.name);
                }
            }
        }
        let shown: Vec<String> = members.iter().map(|name| format!("`tool_input.{name}`")).collect();
        (!shown.is_empty() && shown.len() <= 4).then(|| shown.join(" or "))
    }

    /// Returns the events of the head, for a message.
    fn events(&self) -> String {
        let names: Vec<&str> = self.head.event_set().into_iter().map(Event::name).collect();
        match names.as_slice() {
            [] | [_, _, _, _, ..] => "these events".to_owned(),
            few => few.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and "),
        }
    }

    /// Returns the finding about a name that no event has, with the most similar name.
    fn unknown(&self, visible: VisibleNames<'_>) -> Diagnostic {
        let candidates = self.candidates(visible);
        let candidates: std::collections::BTreeSet<&str> = candidates.iter().map(String::as_str).collect();
        let candidates = || candidates.iter().copied();
        let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{}`", self.text))
            .label(self.name.span, "not a field");
        match (nearest_name(self.text, candidates()), suggest("field", self.text, candidates())) {
            (Some(near), _) => found.help(format!("a field named `{near}` exists")).fix(self.name.span, near),
            (None, Some(help)) => found.help(help),
            (None, None) => found.help("no field, fact, `let` or `def` has this name: `rules help fields` lists them"),
        }
    }

    /// Returns the names that the author may have meant. They differ from the written one in its first wrong segment,
    /// which need not be the last one.
    fn candidates(&self, visible: VisibleNames<'_>) -> Vec<String> {
        let Self { segments, head, lookups, .. } = self;
        let is_known = |prefix: &[&str]| {
            let lookup = |event| field_type(event, &selectable_tools(head, event), prefix);
            head.event_set()
                .into_iter()
                .any(|event| matches!(lookup(event), FieldLookup::Found(_) | FieldLookup::Untyped))
        };
        let known_prefix =
            (0..segments.len()).rev().filter_map(|length| segments.get(..length)).find(|prefix| is_known(prefix));
        let prefix: String = known_prefix.unwrap_or_default().iter().flat_map(|segment| [*segment, "."]).collect();
        let mut candidates: Vec<String> = Vec::new();
        for (_, lookup) in *lookups {
            if let FieldLookup::Unknown { known_siblings } = lookup {
                candidates.extend(known_siblings.iter().map(|sibling| format!("{prefix}{sibling}")));
            }
        }
        if segments.len() == 1 {
            let carried = DERIVED_FIELDS.iter().filter(|(word, derived, _)| has_derived_field(head, word, *derived));
            candidates.extend(carried.map(|derived| derived.0.to_owned()));
            candidates.extend(visible().into_iter().map(str::to_owned));
        }
        // If the beginning of the name exists, only its members are candidates.
        if prefix.is_empty() {
            let facts = ["git.branch", "git.remote", "git.worktree", "git.root", "host_pids", "os"];
            candidates.extend(facts.map(str::to_owned));
        }
        candidates
    }
}

/// Returns the event after the call, with the tools that the head selects before the call: `PostToolUse(Bash)`.
fn event_after_call(head: &Head) -> String {
    let selector = head.events.iter().find(|selector| selector.event == Event::PreToolUse);
    let tools = selector.and_then(|selector| selector.subjects.as_ref()).map(|list| list.includes.join("|"));
    match tools
        .filter(|tools| !tools.is_empty() && tools.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-*|".contains(&b)))
    {
        Some(tools) => format!("PostToolUse({tools})"),
        None => "PostToolUse".to_owned(),
    }
}

/// Resolves a name in a `where`: a property of a command, or a fact.
pub(super) fn resolve_where(name: &ast::FieldName) -> Result<TypedReference, Box<Diagnostic>> {
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    let (field, ty) = match segments.as_slice() {
        ["program"] => (WhereField::Program, FieldType::String),
        ["args"] => (WhereField::Args, FieldType::String),
        ["operands"] => (WhereField::Operands, FieldType::String),
        ["variables"] => (WhereField::Variables, FieldType::String),
        ["via"] => (WhereField::Via, FieldType::String),
        ["input"] => (WhereField::Input, FieldType::String),
        ["in_loop"] => (WhereField::InLoop, FieldType::Boolean),
        ["in_background"] => (WhereField::InBackground, FieldType::Boolean),
        ["piped_from"] => (WhereField::PipedFrom, FieldType::String),
        ["piped_to"] => (WhereField::PipedTo, FieldType::String),
        ["remote"] => (WhereField::Remote, FieldType::Boolean),
        ["place"] => (WhereField::Place, FieldType::Enum(PLACES)),
        ["writes_there"] => (WhereField::WritesThere, FieldType::String),
        ["deletes_there"] => (WhereField::DeletesThere, FieldType::String),
        ["cwd"] => (WhereField::Cwd, FieldType::Path),
        ["push_target"] => (WhereField::PushTarget, FieldType::String),
        ["domain"] => (WhereField::Domain, FieldType::String),
        ["env", name] => (WhereField::Env((*name).to_owned()), FieldType::String),
        _ => match fact_field(&segments) {
            Some((fact, ty)) => return Ok(TypedReference { source: ValueReference::Fact(fact), ty }),
            None => return Err(Box::new(unknown_where_word(name))),
        },
    };
    Ok(TypedReference { source: ValueReference::Where(field), ty })
}

/// Whether a name has a meaning only in a `where`. Anywhere else, it is reported with a specific finding.
pub(super) fn is_where_word(name: &ast::FieldName) -> bool {
    name.as_single_name().is_some_and(|name| {
        WHERE_WORDS.contains(&name.text.as_str()) && !matches!(name.text.as_str(), "cwd" | "domain")
    })
}

/// Whether a call of a tool has a field with this name, or some value is derived under it.
pub(super) fn is_field_of_calls(name: &str) -> bool {
    derived_field(name).is_some() || matches!(field_type(Event::PreToolUse, &[], &[name]), FieldLookup::Found(_))
}

/// Resolves a placeholder of a text: a field or fact, `match` or `now`.
pub(super) fn resolve_placeholder(
    name: &ast::FieldName,
    head: &Head,
    visible: VisibleNames<'_>,
) -> Result<TypedReference, Box<Diagnostic>> {
    let single = name.as_single_name().map(|name| name.text.as_str());
    let raw = |word: &str| head.events.iter().any(|selector| selector.event.fields().any(|field| field.name == word));
    match single {
        Some("match") if !raw("match") => {
            Ok(TypedReference { source: ValueReference::Derived(DerivedField::Match), ty: FieldType::String })
        }
        Some("place") if !raw("place") && !visible().contains(&"place") => {
            Ok(TypedReference { source: ValueReference::Derived(DerivedField::Place), ty: FieldType::String })
        }
        Some("now") => Ok(TypedReference { source: ValueReference::Derived(DerivedField::Now), ty: FieldType::String }),
        Some(word)
            if !raw(word)
                && let Some(meant) = phrases::meaning(PhrasePlace::Placeholder, word) =>
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
