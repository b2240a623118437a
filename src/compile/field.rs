//! From a written name to what it looks at, and its type.

use crate::diagnostic::{Code, Diagnostic, nearest, suggest};
use crate::ruleset::{Derived, FactName, Head, Source, WhereField};
use crate::schema::{Event, FieldLookup, Type, field_type};
use crate::syntax::ast;

use super::head::tools;

/// A source with what is known of its type.
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

const DERIVED: &[(&str, Derived, Type)] = &[
    ("event", Derived::Event, Type::String),
    ("agent", Derived::Agent, Type::String),
    ("agent_type", Derived::AgentType, Type::String),
    ("subagent_type", Derived::AgentType, Type::String),
    ("host", Derived::Host, Type::String),
    ("tool_name", Derived::ToolName, Type::String),
    ("project", Derived::Project, Type::Path),
    ("tmp", Derived::Tmp, Type::Path),
    ("home", Derived::Home, Type::Path),
    ("path", Derived::Path, Type::Path),
    ("content", Derived::Content, Type::String),
    ("command", Derived::Command, Type::String),
    ("url", Derived::Url, Type::String),
    ("domain", Derived::Domain, Type::String),
];

/// Returns the derived field of a name, whatever the event.
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

/// The `let`s and `def`s that a file sees: asked for only where a name is not found.
pub(super) type Visible<'v> = &'v dyn Fn() -> Vec<&'v str>;

/// Resolves a name that is no `let` and no `def`.
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

/// Tells whether some event of the head can have the derived field.
fn carries(head: &Head, name: &str, derived: Derived) -> bool {
    let of_tools = matches!(
        derived,
        Derived::Path | Derived::Content | Derived::Command | Derived::Url | Derived::Domain | Derived::ToolName
    );
    // An unknown event was reported already; what follows from it is not.
    !of_tools
        || head.events.is_empty()
        || head
            .events
            .iter()
            .any(|selector| selector.event.fields().any(|field| field.name == "tool_input" || field.name == name))
}

/// Reports `url.host`: a URL is one text, and its host a field of its own.
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
    // What another event has by this name is meant less often than what others call a field of this one.
    if ALIASES.iter().any(|(alias, _)| *alias == text)
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
    // What could stand there stands where the path goes wrong, which need not be its end.
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
    // Where the beginning of a path is right, what could stand behind it is meant.
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

/// Names by which people ask how often something has happened.
const COUNTS: &[&str] =
    &["attempts", "budget", "calls", "count", "counter", "retries", "tool_calls", "turn", "turns", "usage"];

/// What other programs call a field or fact: not near by its letters, and the likeliest by far.
const ALIASES: &[(&str, &str)] = &[
    ("branch", "git.branch"),
    ("git_branch", "git.branch"),
    ("current_branch", "git.branch"),
    ("remote", "git.remote"),
    ("tool", "tool_name"),
    ("cmd", "command"),
    ("cmdline", "command"),
    ("command_line", "command"),
    ("shell_command", "command"),
    ("bash_command", "command"),
    ("file", "path"),
    ("filename", "path"),
    ("file_name", "path"),
    ("filepath", "path"),
    ("resource", "path"),
    ("text", "content"),
    ("body", "content"),
    ("new_text", "content"),
    ("uri", "url"),
    ("principal", "agent"),
    ("subagent", "agent"),
    ("agent_name", "agent"),
    ("pwd", "cwd"),
    ("workdir", "cwd"),
    ("workspace", "project"),
    ("repo", "project"),
    ("platform", "os"),
    ("user_prompt", "prompt"),
    ("hook_event_name", "event"),
    ("event_name", "event"),
    ("mode", "permission_mode"),
    ("tool_output", "tool_response"),
    ("tool_result", "tool_response"),
    ("response", "tool_response"),
    ("result", "tool_response"),
    ("output", "tool_response"),
    ("arguments", "tool_input"),
    ("parameters", "tool_input"),
    ("tool_args", "tool_input"),
];

/// What people ask of a path by a name of its own, and what says it.
const PARTS_OF_PATHS: &[(&[&str], &str)] = &[
    (&["extension", "ext", "suffix", "file_extension", "filetype", "file_type"], "path like \"*.env\""),
    (&["basename", "base_name", "stem"], "path like \"Makefile\""),
    (&["dirname", "directory", "dir", "folder", "parent"], "path under \"src\""),
];

/// Returns the member of the input that a name is elsewhere.
pub(super) fn member_meant(name: &str) -> Option<&'static str> {
    ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, ours)| *ours)
}

/// Returns the command that a name means elsewhere.
pub(super) fn command_meant(name: &ast::FieldName) -> Option<String> {
    let text = name.text();
    ALIASES.iter().find(|(alias, ours)| *alias == text && *ours == "command").map(|(_, ours)| (*ours).to_owned())
}

/// What people call the time of day.
const TIMES: &[&str] = &["now", "time", "hour", "clock", "date", "today", "weekday", "day"];

/// Reports a name that other programs have for a field or fact, or one with the name of their event in front.
fn known_elsewhere(name: &ast::FieldName, text: &str, head: &Head) -> Option<Diagnostic> {
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{text}`")).label(name.span, "not a field");
    let first = name.segments.first().map_or("", |segment| segment.text.as_str());
    if matches!(text, "plan_mode" | "in_plan_mode" | "is_plan_mode") {
        let right = "permission_mode == \"plan\"";
        return Some(found.help(format!("write `{right}`")).fix(name.span, right));
    }
    if matches!(text, "port" | "ip" | "ip_address" | "remote_addr") {
        let right = if text == "port" { "*:22" } else { "10.0.0.0/8" };
        let verb = if text == "port" { "like" } else { "under" };
        return Some(found.help(format!("test the connection: `connects {verb} \"{right}\"`")));
    }
    if matches!(text, "hostname" | "host_name" | "machine") {
        return Some(found.help(
            "write `domain` for the host of a URL; no test sees the name of this machine: \
             `run \"test $(hostname) != x\" { on_fail: deny }`",
        ));
    }
    if matches!(text, "transcript" | "history" | "conversation" | "messages") {
        return Some(found.help("no test sees what was said or done before: a `run` may look at `{transcript_path}`"));
    }
    let of_path = PARTS_OF_PATHS.iter().find(|(names, _)| names.contains(&text));
    if let Some((_, test)) = of_path.filter(|_| carries(head, "path", Derived::Path)) {
        return Some(found.help(format!("test the path: `{test}`")));
    }
    if TIMES.contains(&first) {
        let is_day = matches!(first, "weekday" | "day" | "date") || text.contains("day");
        let test = if is_day { "test $(date +%u) -lt 6" } else { "test $(date +%H) -lt 17" };
        return Some(
            Diagnostic::new(Code::UNKNOWN_FIELD, format!("`{text}` is not known to a condition"))
                .label(name.span, "no test depends on the time")
                .help(format!("delete the test, and write `run \"{test}\" {{ on_fail: deny }}` as the effect")),
        );
    }
    if COUNTS.contains(&first) {
        return Some(
            Diagnostic::new(Code::UNKNOWN_FIELD, format!("`{text}` is not known to a condition"))
                .label(name.span, "no test counts what happened before")
                .help("a `record` notes each call, and a `run` counts them: the book's page of what cannot be said has it"),
        );
    }
    let resolves = |segments: &[&str]| {
        let single =
            matches!(segments, [single] if derived(single).is_some_and(|(derived, _)| carries(head, single, derived)));
        let raw = |event| matches!(field_type(event, &tools(head, event), segments), FieldLookup::Found(_));
        single || fact(segments).is_some() || head.event_set().into_iter().any(raw)
    };
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    let alias = |text: &str| ALIASES.iter().find(|(alias, _)| *alias == text).map(|(_, ours)| (*ours).to_owned());
    let whole = alias(text).or_else(|| match segments.as_slice() {
        // `tool_input.cmd` is a member of it, or what every tool has it in.
        ["tool_input", last] => {
            let ours = alias(last)?;
            match resolves(&["tool_input", ours.as_str()]) {
                true => Some(format!("tool_input.{ours}")),
                // One that is near by its letters is nearer.
                false => nearest(last, ["file_path"]).is_none().then_some(ours),
            }
        }
        _ => None,
    });
    // `input.tool_name`, `payload.cwd`: what the others call the whole of it stands in front.
    let behind =
        segments.get(1..).filter(|rest| !rest.is_empty() && !resolves(&[first])).and_then(|rest| {
            match resolves(rest) {
                true => Some(rest.join(".")),
                false => alias(&rest.join(".")),
            }
        });
    let meant = whole.or(behind).filter(|meant| resolves(&meant.split('.').collect::<Vec<_>>()))?;
    Some(found.help(format!("write `{meant}`")).fix(name.span, meant))
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

/// What others call the words of `where`.
const WHERE_ELSEWHERE: &[(&str, &str)] = &[
    ("arg", "args"),
    ("arguments", "args"),
    ("argv", "args"),
    ("background", "in_background"),
    ("binary", "program"),
    ("cmd", "program"),
    ("directory", "cwd"),
    ("exe", "program"),
    ("executable", "program"),
    ("loop", "in_loop"),
    ("name", "program"),
    ("params", "args"),
    ("parameters", "args"),
    ("positional", "operands"),
    ("positionals", "operands"),
    ("ref", "push_target"),
    ("refspec", "push_target"),
    ("stdin", "input"),
    ("target", "operands"),
    ("targets", "operands"),
    ("words", "args"),
    ("workdir", "cwd"),
    ("wrapper", "via"),
];

/// What has no word in `where` because it is said otherwise.
const SAID_OTHERWISE: &[(&[&str], &str)] = &[
    (SUBCOMMANDS, "the pattern names it: `runs \"git push\"`"),
    (
        &["flag", "flags", "option", "options", "switch", "switches"],
        "the pattern names flags: `runs \"rm -r -f\"`; `option \"-m\"` is the value of one",
    ),
    (&["branch", "git_branch"], "`push_target` is the branch that is pushed, `git.branch` the one that is checked out"),
    (
        &["file", "files", "filename", "path", "paths"],
        "write `where reads …`, `writes …`, `deletes …` or `sends …` for its files, `operands` for its words",
    ),
    (&["command", "text"], "write `args contains \"…\"` for one word of it, `program` for its name"),
    (&["host", "hostname", "url"], "write `domain == \"example.org\"` or `connects like \"example.org\"`"),
    (&["sudo"], "write `via == \"sudo\"`"),
    (&["output", "stdout"], "what a command prints is not known before it runs"),
];

/// What people call the words of a command that say what the program is to do.
pub(super) const SUBCOMMANDS: &[&str] = &["action", "subcmd", "subcommand", "subcommands", "sub_command", "verb"];

fn unknown_in_where(name: &ast::FieldName) -> Diagnostic {
    let text = name.text();
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown word `{text}` in `where`"))
        .label(name.span, "not a property of the command");
    let first = name.segments.first().map_or("", |segment| segment.text.as_str());
    if let Some((_, ours)) = WHERE_ELSEWHERE.iter().find(|(theirs, _)| *theirs == text) {
        return found.help(format!("write `{ours}`")).fix(name.span, *ours);
    }
    if let Some((_, help)) = SAID_OTHERWISE.iter().find(|(theirs, _)| theirs.contains(&first)) {
        return found.help(*help);
    }
    match nearest(&text, WHERE_WORDS.iter().copied().chain(["reads", "writes", "deletes", "sends", "connects"])) {
        Some(near) => found.help(format!("a word of `where` named `{near}` exists")),
        None => found.help(format!(
            "`where` tests the command alone: {}, option \"-x\", env.NAME, reads, writes, deletes, sends, connects",
            WHERE_WORDS.join(", ")
        )),
    }
}

/// Tells whether a name is a word of `where` alone, to say so where it stands elsewhere.
pub(super) fn is_where_word(name: &ast::FieldName) -> bool {
    name.single().is_some_and(|name| {
        WHERE_WORDS.contains(&name.text.as_str()) && !matches!(name.text.as_str(), "cwd" | "domain")
    })
}

/// Resolves a placeholder of a text: also `match` and `now`.
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
        Some(word) if TIMES.contains(&word) && !raw(word) => Err(Box::new(
            Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{word}`"))
                .label(name.span, "not a field")
                .help("write `now`, the time of the event")
                .fix(name.span, "now"),
        )),
        _ => resolve(name, head, visible),
    }
}
