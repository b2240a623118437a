//! Converts an example of a policy to a payload and to facts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::host::sent_by_host;
use super::session::ExampleSession;
use super::stated::{check_fact, invalid_facts, stated_facts};
use crate::context::ShellTools;
use crate::diagnostic::{Code, Diagnostic, nearest_name, suggest};
use crate::facts::{Facts, StatedFacts};
use crate::host::Host;
use crate::policy::PolicyLayer;
use crate::ruleset::{Head, Rule};
use crate::schema::{
    AGENT, Event, FieldLookup, FieldType, OTHER_TOOLS, Subject, TOOLS, WRITTEN_TEXTS, current_tool_name,
    event_by_foreign_name, field_type, normalised_mcp_name, tool_by_foreign_name, tool_named_by_hosts, tool_spec,
};
use crate::span::Span;
use crate::syntax::ast::{self, AstElement, Example, MapKey, ValueKind};
use crate::types::Payload;
use hookrules_shell::path::{absolute_on_drive, drive_of, join, normalise, shown_on_drive, text_on_drive};

/// What an example is judged with: the payload that it describes, and the facts.
#[derive(Clone, Debug)]
pub struct ExampleInput {
    /// The payload that the example describes.
    pub payload: Payload,
    /// The host that sends the payload.
    pub host: Host,
    /// The facts that the example states, the project `/project` and the home `/home/user`; any other fact is absent.
    pub facts: StatedFacts,
}

/// The payload of an example, and only the facts that the example states.
#[derive(Clone, Debug)]
pub struct ExampleContents {
    /// The payload.
    pub payload: Payload,
    /// The host that sends the payload.
    pub host: Host,
    /// The facts after `with`, as JSON.
    pub facts: Map<String, Json>,
}

/// What the payload of an example needs besides the example: directories, the transcript and the host.
#[derive(Clone, Copy, Debug)]
pub struct ExampleCircumstances<'a> {
    /// The working directory of the session, absolute.
    pub cwd: &'a Path,
    /// The home directory of the account.
    pub home: Option<&'a Path>,
    /// The path of the session's transcript.
    pub transcript: Option<&'a str>,
    /// The host, if the example states none.
    pub host: ExampleHost,
}

/// The host of examples that state none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ExampleHost {
    /// Claude Code, which has every event and field of the schema.
    #[default]
    Default,
    /// This host, but Claude Code for an example with an event or a field that this host never sends.
    Preferred(Host),
    /// This host; an example with an event or a field that it never sends is a mistake.
    Required(Host),
}

/// What the examples and tests of one directory of a layer have in common.
#[derive(Clone, Debug)]
pub struct ExampleSetting {
    /// The project directory, in which the sessions of the examples start.
    pub directory: PathBuf,
    /// The shell tools and tool records in the layer's settings.
    pub tools: Arc<ShellTools>,
    /// The host of the examples that state none.
    pub host: ExampleHost,
    /// The rules of the layer's marks, which remember the earlier events of an example.
    pub marks: Arc<[Arc<Rule>]>,
}

impl ExampleSetting {
    /// Returns the setting for the examples and tests that are written in a layer.
    #[must_use]
    pub fn of_layer(layer: &PolicyLayer) -> Self {
        let tools = Arc::new(layer.settings.tools_of(layer.kind));
        let marks = marks_of(&layer.rules);
        Self { directory: layer.example_directory(), tools, host: ExampleHost::Default, marks }
    }
}

/// Returns the marks among some rules, including rules that are generated from marks.
#[must_use]
pub fn marks_of(rules: &[Arc<Rule>]) -> Arc<[Arc<Rule>]> {
    rules.iter().filter(|rule| rule.mark().is_some()).cloned().collect()
}

/// Builds the payload and the facts of an example. The event and the tool come from the head of its rule if the example
/// names none.
///
/// # Errors
/// The example is not a payload of its event and host.
pub fn example_input(
    example: &Example,
    head: Option<&Head>,
    setting: &ExampleSetting,
) -> Result<ExampleInput, Diagnostic> {
    let session = ExampleSession::after(example.after.iter().flatten(), setting)?;
    input_in_session(example, head, setting, &session)
}

/// Builds the payload and facts of an example that follows the earlier events of a session.
///
/// # Errors
/// The example is not a payload of its event and host.
pub(super) fn input_in_session(
    example: &Example,
    head: Option<&Head>,
    setting: &ExampleSetting,
    session: &ExampleSession,
) -> Result<ExampleInput, Diagnostic> {
    let stated = stated_facts(example)?;
    let facts = StatedFacts::for_examples()
        .with_project(&setting.directory)
        .with_past(session.past())
        .with_clock(session.clock())
        .with_json(&stated)
        .map_err(|error| invalid_facts(example, &error))?;
    let home = facts.home();
    let cwd = project_on_drive(&facts).unwrap_or_else(|| setting.directory.clone());
    let transcript = Some("/home/user/.claude/projects/-project/example.jsonl");
    let around = ExampleCircumstances { cwd: &cwd, home: home.as_deref(), transcript, host: setting.host };
    let (payload, host) = sent_by_host(example, payload(example, head, around)?, around.host)?;
    Ok(ExampleInput { payload, host, facts })
}

/// Builds the payload of an example with the directory, home and transcript in `around`, not those of a policy's own
/// examples.
///
/// # Errors
/// The example is not a payload of its event and host.
pub fn example_contents(
    example: &Example,
    head: Option<&Head>,
    around: ExampleCircumstances<'_>,
) -> Result<ExampleContents, Diagnostic> {
    let facts = stated_facts(example)?;
    let stated = StatedFacts::default().with_json(&facts).map_err(|error| invalid_facts(example, &error))?;
    let home = stated.home();
    let on_drive = project_on_drive(&stated);
    let cwd = on_drive.as_deref().unwrap_or(around.cwd);
    let around = ExampleCircumstances { cwd, home: home.as_deref().or(around.home), ..around };
    let (payload, host) = sent_by_host(example, payload(example, head, around)?, around.host)?;
    Ok(ExampleContents { payload, host, facts })
}

/// Returns the project of Windows that the facts state, as a host there names it: a session begins in it.
fn project_on_drive(facts: &StatedFacts) -> Option<PathBuf> {
    facts.project().and_then(|project| shown_on_drive(project.to_str()?).map(PathBuf::from))
}

/// Builds the payload of an example, and checks each of its parts.
fn payload(example: &Example, head: Option<&Head>, around: ExampleCircumstances<'_>) -> Result<Payload, Diagnostic> {
    let (event, tool_name) = event_and_tool(example, head)?;
    let mut json = base_payload(event, around);
    if let Some(name) = &tool_name {
        json.insert("tool_name".into(), name.clone().into());
        json.insert("tool_input".into(), Json::Object(Map::new()));
    }
    let subject = example_subject(example, head, event);
    if let Some(subject) = &subject {
        set_subject(&mut json, event, subject);
    }
    if let Some(text) = &example.text {
        set_text(&mut json, event, tool_name.as_deref(), text)?;
    }
    match example.by.as_ref().filter(|by| by.text != "main") {
        Some(by) => {
            json.insert("agent_id".into(), agent_id(&by.text).into());
            json.insert("agent_type".into(), by.text.clone().into());
        }
        None if event.is_about_subagent() => {
            json.insert("agent_id".into(), agent_id(subject.as_deref().unwrap_or("1")).into());
        }
        None => {}
    }
    for entry in example.fields.iter().flat_map(|map| &map.entries) {
        let (Some(mut path), Some(value)) = (key_path(&entry.key), &entry.value) else {
            return Err(example_problem(entry.span, "missing value of a field", "write `field: value`"));
        };
        check_fact(&path, tool_name.as_deref().is_some_and(|name| name.starts_with("mcp__")), entry.span)?;
        check_agent_type(tool_name.as_deref(), &entry.key)?;
        if let Some(member) = member_of_tool(event, tool_name.as_deref(), &path) {
            path.splice(..1, ["tool_input".to_owned(), member]);
        }
        check_field(event, tool_name.as_deref(), &path, entry.span)?;
        check_type(event, &path, value)?;
        insert(&mut json, &path, json_literal(value)?);
    }
    if tool_name.as_deref().is_some_and(|name| tool_spec(name).is_some()) {
        make_absolute(&mut json, around.home);
    }
    Ok(Payload { is_example: true, ..Payload::new(event, json) })
}

/// A name for the type of the acting agent that is also a member of the tool that starts one.
const SUBAGENT_TYPE: &str = "subagent_type";

/// Returns the id of the agent with a name: in an example, two names are two agents.
fn agent_id(name: &str) -> String {
    format!("agent-{name}")
}

/// The fields that are not in the payload, but derived from the input of a tool.
const DERIVED: &[&str] = &["path", "content", "command", "url", "domain"];

/// Makes the file paths in the input of a built-in tool absolute, as the host does, so that an example tests what the
/// hook sees.
fn make_absolute(json: &mut Map<String, Json>, home: Option<&Path>) {
    let cwd = json.get("cwd").and_then(Json::as_str).unwrap_or("/").to_owned();
    let Some(Json::Object(input)) = json.get_mut("tool_input") else { return };
    for member in ["file_path", "notebook_path"] {
        if let Some(Json::String(text)) = input.get_mut(member)
            && !text.is_empty()
        {
            let base = absolute_on_drive(&cwd).unwrap_or_else(|| cwd.clone());
            let on_drive = drive_of(Path::new(&base)).map(|drive| text_on_drive(text, drive).into_owned());
            let path = normalise(on_drive.as_deref().unwrap_or(text), Path::new(&base), home);
            let path = path.to_string_lossy().into_owned();
            *text = shown_on_drive(&path).map(str::to_owned).unwrap_or(path);
        }
    }
}

pub(super) fn example_problem(span: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::new(Code::BAD_EXAMPLE, message).label(span, "in this example").help(help)
}

/// Returns the event of an example and, if the event is about tools, the tool; both come from the head of the rule if
/// the example names none.
pub(super) fn event_and_tool(example: &Example, head: Option<&Head>) -> Result<(Event, Option<String>), Diagnostic> {
    let head = head.filter(|head| !head.every_event && !head.events.is_empty());
    let is_about_tools = |event: Event| event.spec().subject == Subject::Tool;
    let named = example.head.as_ref().map(|head| &head.name);
    let event = match named.map(|name| (name, Event::from_name(&name.text))) {
        Some((_, Some(event))) => event,
        // Only a tool is named: take the first event of the head that is about tools.
        Some((name, None)) => {
            check_tool(name)?;
            if let Some(subject) = example.head.as_ref().and_then(|head| head.subject.as_ref()) {
                let right = format!("{} {}", name.text, crate::syntax::string_literal(&subject.text, ""));
                let message = format!("`{}` takes no parentheses in an example", name.text);
                return Err(Diagnostic::new(Code::BAD_EXAMPLE, message)
                    .label(subject.span, "those of an event have its subject")
                    .help(format!("write `{right}`")));
            }
            let first = head.and_then(|head| head.events.iter().find(|selector| is_about_tools(selector.event)));
            let event = first.map_or(Event::PreToolUse, |selector| selector.event);
            let tool = tool_named_by_hosts(&name.text).unwrap_or(&name.text);
            return Ok((event, Some(tool.to_owned())));
        }
        None => head.and_then(|head| head.events.first()).map_or(Event::PreToolUse, |selector| selector.event),
    };
    if !is_about_tools(event) {
        return Ok((event, None));
    }
    if let Some(subject) = example.head.as_ref().and_then(|head| head.subject.as_ref()) {
        return Ok((event, Some(subject.text.clone())));
    }
    let selectors = head.and_then(|head| head.events.iter().find(|selector| selector.event == event));
    let subjects = selectors.and_then(|selector| selector.subjects.as_ref());
    match subjects.map(|list| list.includes.as_slice()).unwrap_or_default() {
        // If the selector includes no tool by name, as `!Read`, the example is a call of Bash, unless Bash is excluded.
        [] if !subjects.is_some_and(|list| list.is_excluded("Bash")) => Ok((event, Some("Bash".to_owned()))),
        includes => match includes.iter().find(|glob| !glob.contains(['*', '?', '['])) {
            Some(name) => Ok((event, Some(name.clone()))),
            None => Err(example_problem(
                example.span,
                "the rule names no tool, only globs",
                "name the tool before the example: `mcp__db__write \"…\"`",
            )),
        },
    }
}

/// Rejects a field that the event does not have: no rule would see its value.
///
/// If the event has a field with arbitrary contents, an unknown field is allowed unless its name is nearly that of a
/// known one.
fn check_field(event: Event, tool_name: Option<&str>, path: &[String], span: Span) -> Result<(), Diagnostic> {
    let Some(name) = path.first().map(String::as_str) else { return Ok(()) };
    check_member(tool_name, path, span)?;
    let known = match field_type(event, &[], &[name]) {
        FieldLookup::Found(_) | FieldLookup::Untyped => return Ok(()),
        FieldLookup::NotCarried => Vec::new(),
        FieldLookup::Unknown { known_siblings } => known_siblings,
    };
    let is_derived = DERIVED.contains(&name);
    let is_open = event.fields().any(|field| field.ty == FieldType::Any);
    let nearest = nearest_name(name, known.iter().copied());
    if !is_derived && is_open && nearest.is_none() && !known.is_empty() {
        return Ok(());
    }
    let example = tool_name.and_then(tool_spec).filter(|tool| tool.example_text.is_some());
    let help = match nearest {
        _ if is_derived && example.is_some() => {
            let tool = example.map_or("", |tool| tool.name);
            format!("it comes from the tool's input: write `{tool} \"…\"`, which fills it in")
        }
        _ if is_derived => "it comes from the tool's input: state `tool_input.…` instead".to_owned(),
        Some(nearest) => format!("a field named `{nearest}` exists"),
        None => format!("`rules help {}` lists its fields", event.name()),
    };
    Err(example_problem(span, format!("`{}` has no field `{name}`", event.name()), &help))
}

/// Rejects a string for a field of the event that is a boolean or a number: the host never sends one, so no condition
/// would be true. The input of a tool comes from the model, and may have any type.
fn check_type(event: Event, path: &[String], value: &ast::AstValue) -> Result<(), Diagnostic> {
    let ValueKind::Text(text) = &value.kind else { return Ok(()) };
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let (what, right) = match field_type(event, &[], &path) {
        _ if path.first() == Some(&"tool_input") => return Ok(()),
        FieldLookup::Found(FieldType::Boolean) => ("a boolean", if text.value == "false" { "false" } else { "true" }),
        FieldLookup::Found(FieldType::Number) => ("a number", text.value.as_str()),
        _ => return Ok(()),
    };
    let right = if what == "a number" && right.parse::<f64>().is_err() { "1" } else { right };
    let name = path.join(".");
    let help = format!("write `{name}: {right}`");
    Err(example_problem(value.span, format!("`{name}` is {what}, not a string"), &help))
}

/// Rejects a misspelled member of the input of a known tool, with or without the prefix `tool_input.`.
///
/// A name that resembles no known member is accepted: a new version of the host may add members.
fn check_member(tool_name: Option<&str>, path: &[String], span: Span) -> Result<(), Diagnostic> {
    let Some(tool) = tool_name.and_then(tool_spec) else { return Ok(()) };
    let name = match path {
        [first, name, ..] if first == "tool_input" => name,
        [name] if !matches!(field_type(Event::PreToolUse, &[], &[name]), FieldLookup::Found(_)) => name,
        _ => return Ok(()),
    };
    let members = || tool.input.iter().map(|field| field.name);
    match nearest_name(name, members()) {
        Some(nearest) if !members().any(|member| member == name) => {
            let help = format!("a member named `{nearest}` exists: `tool_input.{nearest}`");
            Err(example_problem(span, format!("`{}` has no member `{name}`", tool.name), &help))
        }
        _ => Ok(()),
    }
}

/// Returns the input member that a field without `tool_input.` stands for: `content` on Edit is `new_string`. `None` if
/// the event has such a field, or if the tool has no such member; a tool that the schema lacks may have any member.
fn member_of_tool(event: Event, tool_name: Option<&str>, path: &[String]) -> Option<String> {
    let name = path.first()?.as_str();
    let fields = match field_type(event, &[], &[name]) {
        FieldLookup::Found(_) => return None,
        FieldLookup::Unknown { known_siblings } => known_siblings,
        FieldLookup::Untyped | FieldLookup::NotCarried => Vec::new(),
    };
    let Some(tool) = tool_spec(tool_name?) else {
        return nearest_name(name, fields).is_none().then(|| name.to_owned());
    };
    let member = |names: &[&str]| tool.input.iter().map(|field| field.name).find(|member| names.contains(member));
    let member = member(&[name]).or_else(|| match name {
        "content" => member(WRITTEN_TEXTS),
        "path" => tool.files.iter().find(|file| !file.glob).map(|file| file.member),
        _ => None,
    });
    member.map(str::to_owned)
}

/// Rejects `subagent_type` in a call that starts a subagent: it would be the type of the agent that acts, which is
/// `agent_type` too, and the tool has a member with the same name.
fn check_agent_type(tool_name: Option<&str>, key: &MapKey) -> Result<(), Diagnostic> {
    let MapKey::Name(name) = key else { return Ok(()) };
    if tool_name.is_none_or(|tool| current_tool_name(tool) != AGENT) || name.text() != SUBAGENT_TYPE {
        return Ok(());
    }
    let message = format!("`{SUBAGENT_TYPE}` is either the agent that starts or the one that acts");
    let help = "write `tool_input.subagent_type` for the agent that starts, or `agent_type` for the one that acts";
    Err(example_problem(name.span, message, help).fix_that_changes(name.span, format!("tool_input.{SUBAGENT_TYPE}")))
}

/// Rejects the name of a tool or event that does not exist, with the right name if there is a similar one.
fn check_tool(name: &ast::Name) -> Result<(), Diagnostic> {
    let is_known = tool_spec(&name.text).is_some() || tool_named_by_hosts(&name.text).is_some();
    if is_known || OTHER_TOOLS.contains(&name.text.as_str()) || name.text.starts_with("mcp__") {
        return Ok(());
    }
    let known: Vec<&str> =
        TOOLS.iter().map(|tool| tool.name).chain(Event::ALL.iter().map(|event| event.name())).collect();
    let diagnostic = Diagnostic::new(Code::BAD_EXAMPLE, format!("unknown event or tool `{}`", name.text))
        .label(name.span, "not an event or a tool")
        .help_if_any(suggest("name", &name.text, known.iter().copied()));
    let event = event_by_foreign_name(&name.text);
    let event = event.as_deref().and_then(|meant| meant.split('(').next());
    let meant = normalised_mcp_name(&name.text).filter(|name| !name.ends_with('*'));
    let meant = meant.or_else(|| tool_by_foreign_name(&name.text).or(event).map(str::to_owned));
    Err(match (meant, nearest_name(&name.text, known)) {
        (Some(meant), _) => diagnostic.help(format!("write `{meant}`, its name here")).fix(name.span, meant),
        (None, Some(near)) => diagnostic.fix(name.span, near),
        (None, None) => diagnostic.help("name an event, a built-in tool, or one that begins with `mcp__`"),
    })
}

/// Returns the members that every payload has, with `stop_hook_active` for the events that end a turn.
fn base_payload(event: Event, around: ExampleCircumstances<'_>) -> Map<String, Json> {
    let mut json = Map::new();
    let cwd = around.cwd.to_string_lossy();
    let members = [
        ("session_id", Some("example")),
        ("transcript_path", around.transcript),
        ("cwd", Some(cwd.as_ref())),
        ("hook_event_name", Some(event.name())),
        ("permission_mode", Some("default")),
    ];
    json.extend(members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value?)))));
    if matches!(event, Event::Stop | Event::SubagentStop) {
        json.insert("stop_hook_active".into(), false.into());
    }
    json
}

/// Returns the subject of an event that is not about tools: the one that the example states, else the first name
/// without wildcards in the head of the rule. `None` if there is neither.
fn example_subject(example: &Example, head: Option<&Head>, event: Event) -> Option<String> {
    if event.spec().subject == Subject::Tool {
        return None;
    }
    if let Some(subject) = example.head.as_ref().and_then(|head| head.subject.as_ref()) {
        return Some(subject.text.clone());
    }
    let selector = head?.events.iter().find(|selector| selector.event == event)?;
    let includes = &selector.subjects.as_ref()?.includes;
    includes.iter().find(|glob| !glob.contains(['*', '?', '['])).cloned()
}

/// Sets the member of the payload that holds the subject of an event.
fn set_subject(json: &mut Map<String, Json>, event: Event, subject: &str) {
    match event.spec().subject {
        Subject::Field(name) => {
            json.insert(name.to_owned(), subject.into());
        }
        Subject::BaseName(name) => {
            let cwd = json.get("cwd").and_then(Json::as_str).unwrap_or("/");
            let file = join(Path::new(cwd), subject.as_ref()).to_string_lossy().into_owned();
            json.insert(name.to_owned(), file.into());
        }
        Subject::None | Subject::Tool => {}
    }
}

/// Sets the member that the text of an example stands for. On a call of a tool, it is the one that `text_member`
/// returns. On another event, it is `prompt`, else the subject, else the schema's `example_text` of the event.
fn set_text(
    json: &mut Map<String, Json>,
    event: Event,
    tool_name: Option<&str>,
    text: &ast::StringLiteral,
) -> Result<(), Diagnostic> {
    let value = Json::from(text.value.as_str());
    let Some(tool_name) = tool_name else {
        if event.fields().any(|field| field.name == "prompt") {
            json.insert("prompt".into(), value);
        } else if event.spec().subject != Subject::None {
            set_subject(json, event, &text.value);
        } else if let Some(member) = event.spec().example_text {
            insert(json, &[member.to_owned()], value);
        } else {
            return Err(example_problem(
                text.span,
                format!("`{}` has no text", event.name()),
                "state its fields: { field: \"…\" }",
            ));
        }
        return Ok(());
    };
    let Some(member) = text_member(tool_name) else {
        return Err(example_problem(
            text.span,
            format!("`{tool_name}` has no text"),
            "state its input: { tool_input.name: \"…\" }",
        ));
    };
    insert(json, &["tool_input".to_owned(), member.to_owned()], value);
    Ok(())
}

/// Returns the member of a tool's input that the text of an example sets: the command, else the file, the URL, the
/// prompt, or the schema's `example_text`. It is `path` for a tool that the schema lacks, and `None` if the tool has no
/// such member.
pub(super) fn text_member(tool_name: &str) -> Option<&'static str> {
    let Some(tool) = tool_spec(tool_name) else { return Some("path") };
    let file = || tool.files.iter().find(|file| !file.glob).map(|file| file.member);
    let prompt = || tool.input.iter().map(|field| field.name).find(|name| *name == "prompt");
    tool.command.or_else(file).or(tool.url).or_else(prompt).or(tool.example_text)
}

/// Returns the names of the members that lead to a key's value; `None` for a key that is a fact about a file.
pub(super) fn key_path(key: &MapKey) -> Option<Vec<String>> {
    match key {
        MapKey::Name(name) => Some(name.segments.iter().map(|segment| segment.text.clone()).collect()),
        MapKey::Text(text) => Some(vec![text.value.clone()]),
        MapKey::File(..) | MapKey::Tree(..) => None,
    }
}

/// Sets the member at a path of names. Missing objects are created, and an object is merged into an existing one.
pub(super) fn insert(json: &mut Map<String, Json>, path: &[String], value: Json) {
    let Some((first, rest)) = path.split_first() else { return };
    match (json.get_mut(first), rest) {
        (Some(Json::Object(inner)), [_, ..]) => insert(inner, rest, value),
        (Some(Json::Object(inner)), []) => match value {
            Json::Object(members) => inner.extend(members),
            other => {
                json.insert(first.clone(), other);
            }
        },
        (_, []) => {
            json.insert(first.clone(), value);
        }
        (_, [_, ..]) => {
            let mut inner = Map::new();
            insert(&mut inner, rest, value);
            json.insert(first.clone(), Json::Object(inner));
        }
    }
}

/// Converts a value of an example or test to JSON.
///
/// # Errors
/// The value is not one that a payload can contain: a name, a regex, a `...`.
pub(super) fn json_literal(value: &ast::AstValue) -> Result<Json, Diagnostic> {
    Ok(match &value.kind {
        ValueKind::Text(text) => text.value.clone().into(),
        ValueKind::Number(number, digits) => {
            digits.parse::<i64>().map(Json::from).unwrap_or_else(|_| Json::from(*number))
        }
        ValueKind::Boolean(truth) => (*truth).into(),
        ValueKind::Null => Json::Null,
        ValueKind::Size(bytes, _) => (*bytes).into(),
        ValueKind::Duration(duration, _) => u64::try_from(duration.as_millis()).unwrap_or(u64::MAX).into(),
        ValueKind::List(elements) => {
            let mut items = Vec::new();
            for element in elements {
                match element {
                    AstElement::Value(value) => items.push(json_literal(value)?),
                    AstElement::Spread(name) => {
                        return Err(example_problem(name.span, "a `...` in an example", "write the elements out"));
                    }
                }
            }
            Json::Array(items)
        }
        ValueKind::Map(map) => {
            let mut members = Map::new();
            for entry in &map.entries {
                let (Some(path), Some(value)) = (key_path(&entry.key), &entry.value) else {
                    return Err(example_problem(entry.span, "a member without a value", "write `name: value`"));
                };
                insert(&mut members, &path, json_literal(value)?);
            }
            Json::Object(members)
        }
        ValueKind::Name(_) | ValueKind::TimeRange(..) | ValueKind::Regex(_) | ValueKind::JsonPath(_) => {
            return Err(example_problem(
                value.span,
                "not a payload value",
                "write a string, number, boolean, `null`, list or map",
            ));
        }
    })
}
