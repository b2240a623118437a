//! Resolves a name to its source, and its type.

use crate::diagnostic::{Code, Diagnostic, nearest, suggest};
use crate::phrases::{self, Place};
use crate::ruleset::{Derived, FactName, Head, Source, WhereField};
use crate::schema::{Event, FieldLookup, Type, field_type};
use crate::syntax::ast;

mod elsewhere;
mod where_words;

use super::head::tools;
use elsewhere::known_elsewhere;
pub(super) use elsewhere::{field_meant, part_of_path, time_of_day};
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

/// Reports `url.host`: a URL is a single text, and its host is a separate field.
fn part_of_url(name: &ast::FieldName, segments: &[&str]) -> Option<Diagnostic> {
    let [.., "url", part] = segments else { return None };
    let finding = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{}`", name.text()))
        .label(name.span, "a URL is a text, without parts");
    Some(match *part {
        "host" | "hostname" | "domain" | "netloc" | "authority" => {
            finding.help("the host of a URL is `domain`").fix(name.span, "domain")
        }
        _ => finding.help("test the text: `url starts_with \"…\"`, `url matches /…/`; its host is `domain`"),
    })
}

fn unresolved(
    name: &ast::FieldName,
    segments: &[&str],
    head: &Head,
    lookups: &[(Event, FieldLookup)],
    visible: Visible<'_>,
) -> Diagnostic {
    let text = name.text();
    let elsewhere: Vec<&str> = Event::ALL
        .iter()
        .filter(|event| matches!(field_type(**event, &[], segments), FieldLookup::Found(_)))
        .map(|event| event.name())
        .collect();
    let known_derived = matches!(segments, [single] if derived(single).is_some());
    let here: Vec<&str> = head.event_set().into_iter().map(Event::name).collect();
    let here = match here.as_slice() {
        [only] => format!("`{only}`"),
        [] | [_, _, _, _, ..] => "these events".to_owned(),
        several => several.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and "),
    };
    if let Some(finding) = part_of_url(name, segments) {
        return finding;
    }
    // A foreign name for a field of this event is more likely than the same name of a field of another event.
    if field_meant(&text).is_some()
        && let Some(found) = known_elsewhere(name, &text, head)
    {
        return found;
    }
    let not_carried = lookups.iter().any(|(_, lookup)| matches!(lookup, FieldLookup::NotCarried));
    if known_derived || not_carried || (!elsewhere.is_empty() && segments.len() == 1) {
        let carriers: Vec<String> = elsewhere.iter().take(4).map(|name| format!("`{name}`")).collect();
        let more = elsewhere.len().saturating_sub(carriers.len());
        let member = format!("tool_input.{text}");
        let in_input = || {
            let path = ["tool_input", text.as_str()];
            let has = |event| matches!(field_type(event, &tools(head, event), &path), FieldLookup::Found(_));
            segments.len() == 1 && head.event_set().into_iter().any(has)
        };
        let is_mode = text == "mode"
            && head.event_set().into_iter().any(|event| event.fields().any(|f| f.name == "permission_mode"));
        let help = match (known_derived, carriers.is_empty()) {
            _ if is_mode => "the mode of the session is `permission_mode`".to_owned(),
            (false, _) if in_input() => format!("it is a member of the tool's input: write `{member}`"),
            (true, _) => format!("`{text}` belongs to events with a tool, such as `PreToolUse`"),
            (false, true)
                if segments.first().is_some_and(|first| matches!(*first, "tool_response" | "tool_output")) =>
            {
                let on = after_the_call(head);
                format!("the call has not run yet: write `on {on}`, and an effect that it can carry")
            }
            (false, true) => "the selected tools do not take it".to_owned(),
            (false, false) if more > 0 => format!("carried by {} and {more} more events", carriers.join(", ")),
            (false, false) => format!("carried by {}", carriers.join(", ")),
        };
        let finding = Diagnostic::new(Code::FIELD_NOT_CARRIED, format!("{here} never carries `{text}`"))
            .label(name.span, "not a field of this event")
            .help(help);
        return if is_mode {
            finding.fix(name.span, "permission_mode")
        } else if !known_derived && in_input() {
            finding.fix(name.span, member)
        } else {
            finding
        };
    }
    let mut candidates: Vec<String> = Vec::new();
    // The candidates are those at the first wrong segment of the path, which need not be the last one.
    let is_known = |prefix: &[&str]| {
        let lookup = |event| field_type(event, &tools(head, event), prefix);
        head.event_set().into_iter().any(|event| matches!(lookup(event), FieldLookup::Found(_) | FieldLookup::Open))
    };
    let known = (0..segments.len()).rev().filter_map(|length| segments.get(..length)).find(|prefix| is_known(prefix));
    let prefix: String = known.unwrap_or_default().iter().flat_map(|segment| [*segment, "."]).collect();
    for (_, lookup) in lookups {
        if let FieldLookup::Unknown { known_siblings } = lookup {
            candidates.extend(known_siblings.iter().map(|sibling| format!("{prefix}{sibling}")));
        }
    }
    if segments.len() == 1 {
        candidates
            .extend(DERIVED.iter().filter(|(word, derived, _)| carries(head, word, *derived)).map(|d| d.0.to_owned()));
        candidates.extend(visible().into_iter().map(str::to_owned));
    }
    // If a prefix of the path exists, only its members are candidates.
    if prefix.is_empty() {
        candidates
            .extend(["git.branch", "git.remote", "git.worktree", "git.root", "host_pids", "os"].map(str::to_owned));
    }
    if let Some(found) = known_elsewhere(name, &text, head) {
        return found;
    }
    let candidates: std::collections::BTreeSet<&str> = candidates.iter().map(String::as_str).collect();
    let diagnostic =
        Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{text}`")).label(name.span, "not a field");
    match nearest(&text, candidates.iter().copied()) {
        Some(near) => diagnostic.help(format!("a field named `{near}` exists")).fix(name.span, near),
        None => match suggest("field", &text, candidates.iter().copied()) {
            Some(help) => diagnostic.help(help),
            None => diagnostic.help("no field, fact, `let` or `def` has this name: `rules help fields` lists them"),
        },
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
