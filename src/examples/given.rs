//! Converts a written example to a payload and the facts around it.

use std::path::Path;

use serde_json::{Map, Value as Json, json};

use crate::diagnostic::{Code, Diagnostic, nearest, suggest};
use crate::facts::{Facts, FactsError, StatedFacts};
use crate::ruleset::Head;
use crate::schema::{
    Event, FieldLookup, OTHER_TOOLS, Subject, TOOLS, Type, WRITTEN_TEXTS, event_elsewhere, field_type, mcp_name, tool,
    tool_elsewhere,
};
use crate::span::Span;
use crate::syntax::ast::{self, Element, Example, FileFact, Key, ValueKind};
use crate::types::Payload;
use hookrules_shell::path::normalise;

/// The payload and the facts of an example.
#[derive(Clone, Debug)]
pub struct Given {
    /// The payload.
    pub payload: Payload,
    /// The facts; those not stated are absent.
    pub facts: StatedFacts,
}

/// The contents of an example: a payload, and the stated facts.
#[derive(Clone, Debug)]
pub struct Written {
    /// The payload.
    pub payload: Payload,
    /// The facts as stated.
    pub facts: Map<String, Json>,
}

/// The circumstances of an example's call.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// The session's directory, absolute.
    pub cwd: &'a Path,
    /// The account's home.
    pub home: Option<&'a Path>,
    /// The session's transcript.
    pub transcript: Option<&'a str>,
    /// The permitted fields.
    pub fields: Fields,
}

/// The permitted fields of an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fields {
    /// Only those of the event.
    OfEvent,
    /// Those of the event, and members of the tool's input without the prefix `tool_input.`, for quick typing.
    OfToolToo,
}

/// The directory of the examples in a policy.
const EXAMPLES: &str = "/project";

/// Builds the payload of an example; omitted parts come from the head of its rule.
///
/// # Errors
/// The example is not a payload of its event.
pub fn given(example: &Example, head: Option<&Head>) -> Result<Given, Diagnostic> {
    let stated = facts_of(example)?;
    let facts = StatedFacts::for_examples().with_json(&stated).map_err(|error| no_facts(example, &error))?;
    let home = facts.home();
    let transcript = Some("/home/user/.claude/projects/-project/example.jsonl");
    let around = Around { cwd: Path::new(EXAMPLES), home: home.as_deref(), transcript, fields: Fields::OfEvent };
    Ok(Given { payload: payload(example, head, around)?, facts })
}

/// Builds the payload of an example in other circumstances than those of a policy.
///
/// # Errors
/// The example is not a payload of its event.
pub fn given_around(example: &Example, head: Option<&Head>, around: Around<'_>) -> Result<Written, Diagnostic> {
    let facts = facts_of(example)?;
    let stated = StatedFacts::default().with_json(&facts).map_err(|error| no_facts(example, &error))?;
    let home = stated.home();
    let around = Around { home: home.as_deref().or(around.home), ..around };
    Ok(Written { payload: payload(example, head, around)?, facts })
}

fn payload(example: &Example, head: Option<&Head>, around: Around<'_>) -> Result<Payload, Diagnostic> {
    let (event, tool_name) = event_and_tool(example, head)?;
    let mut json = base(event, around);
    if let Some(name) = &tool_name {
        json.insert("tool_name".into(), name.clone().into());
        json.insert("tool_input".into(), Json::Object(Map::new()));
    }
    if let Some(subject) = subject(example, head, event) {
        set_subject(&mut json, event, &subject);
    }
    if let Some(text) = &example.text {
        set_text(&mut json, event, tool_name.as_deref(), text)?;
    }
    match example.by.as_ref().filter(|by| by.text != "main") {
        Some(by) => {
            json.insert("agent_id".into(), "agent-1".into());
            json.insert("agent_type".into(), by.text.clone().into());
        }
        None if matches!(event, Event::SubagentStart | Event::SubagentStop) => {
            json.insert("agent_id".into(), "agent-1".into());
        }
        None => {}
    }
    for entry in example.fields.iter().flat_map(|map| &map.entries) {
        let (Some(mut path), Some(value)) = (key_path(&entry.key), &entry.value) else {
            return Err(bad(entry.span, "missing value of a field", "write `field: value`"));
        };
        if around.fields == Fields::OfToolToo
            && let Some(member) = member_of_tool(event, tool_name.as_deref(), &path)
        {
            path.splice(..1, ["tool_input".to_owned(), member]);
        }
        let is_of_server = is_member_of_server(event, tool_name.as_deref(), &path);
        check_fact(&path, is_of_server, entry.span)?;
        if is_of_server {
            path.insert(0, "tool_input".to_owned());
        }
        check_field(event, tool_name.as_deref(), &path, entry.span)?;
        check_type(event, &path, value)?;
        insert(&mut json, &path, literal(value)?);
    }
    if tool_name.as_deref().is_some_and(|name| tool(name).is_some()) {
        make_absolute(&mut json, around.home);
    }
    Ok(Payload { is_example: true, ..Payload::new(event, json) })
}

/// Whether a field is a member of the input of an MCP server's tool, which no table lists: no event has it.
fn is_member_of_server(event: Event, tool_name: Option<&str>, path: &[String]) -> bool {
    let is_of_server = tool_name.is_some_and(|name| name.starts_with("mcp__"));
    // Fields that every tool may have under another name are set through that name.
    let is_derived = path.first().is_some_and(|name| DERIVED.contains(&name.as_str()));
    is_of_server && !is_derived && member_of_tool(event, tool_name, path).is_some()
}

/// The fields that are derived from the input of a tool.
const DERIVED: &[&str] = &["path", "content", "command", "url", "domain"];

/// Rejects a fact among the fields: it is not part of the payload, and belongs after `with`.
fn check_fact(path: &[String], is_of_server: bool, span: Span) -> Result<(), Diagnostic> {
    let is_fact = match path {
        [one] => one == "os",
        [first, _] if first == "env" => true,
        // A server's tool may have a member `git` of its own, with members that are not facts.
        [first, name] if first == "git" => {
            !is_of_server || matches!(name.as_str(), "branch" | "remote" | "root" | "worktree")
        }
        _ => false,
    };
    if !is_fact {
        return Ok(());
    }
    let name = path.join(".");
    let help = format!("write it behind `with`, before the fields: `with {{ {name}: … }}`");
    Err(bad(span, format!("`{name}` is a fact, and no field of the payload"), &help))
}

/// Returns the facts that an example states.
fn facts_of(example: &Example) -> Result<Map<String, Json>, Diagnostic> {
    let mut facts = Map::new();
    for entry in example.with.iter().flat_map(|map| &map.entries) {
        let Some(value) = &entry.value else {
            return Err(bad(entry.span, "missing value of a fact", "write `git.branch: \"main\"`"));
        };
        match &entry.key {
            Key::File(fact, name, _) => {
                let fact = if *fact == FileFact::Exists { "file_exists" } else { "file_size" };
                insert(&mut facts, &[fact.to_owned(), name.value.clone()], literal(value)?);
            }
            key => insert(&mut facts, &key_path(key).unwrap_or_default(), literal(value)?),
        }
    }
    Ok(facts)
}

fn no_facts(example: &Example, error: &FactsError) -> Diagnostic {
    let map = example.with.as_ref();
    let help = format!("the facts are {}", StatedFacts::written_names());
    let whole = map.map_or(example.span, |map| map.span);
    let Some(unknown) = error.unknown() else { return bad(whole, error.to_string(), &help) };
    let entries = map.iter().flat_map(|map| &map.entries);
    let key =
        entries.map(|entry| &entry.key).find(|key| key_path(key).is_some_and(|path| path.join(".") == unknown.name));
    let span = match key {
        Some(Key::Name(name)) => name.span,
        Some(Key::Text(text)) => text.span,
        _ => whole,
    };
    let found =
        Diagnostic::new(Code::BAD_EXAMPLE, format!("unknown fact `{}`", unknown.name)).label(span, "not a fact");
    match &unknown.meant {
        Some(meant) => found.help(format!("write `{meant}`")).fix(span, meant.as_str()),
        None => found.help(help),
    }
}

/// Makes the file paths of built-in tools absolute, as the host does, so that a rule is tested with what the hook will
/// see.
fn make_absolute(json: &mut Map<String, Json>, home: Option<&Path>) {
    let cwd = json.get("cwd").and_then(Json::as_str).unwrap_or(EXAMPLES).to_owned();
    let Some(Json::Object(input)) = json.get_mut("tool_input") else { return };
    for member in ["file_path", "notebook_path"] {
        if let Some(Json::String(text)) = input.get_mut(member)
            && !text.is_empty()
        {
            *text = normalise(text, Path::new(&cwd), home).to_string_lossy().into_owned();
        }
    }
}

fn bad(span: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::new(Code::BAD_EXAMPLE, message).label(span, "in this example").help(help)
}

/// Returns the event and, if it has tools, the tool.
fn event_and_tool(example: &Example, head: Option<&Head>) -> Result<(Event, Option<String>), Diagnostic> {
    let head = head.filter(|head| !head.every_event && !head.events.is_empty());
    let with_tools = |event: Event| event.spec().subject == Subject::Tool;
    let named = example.head.as_ref().map(|head| &head.name);
    let event = match named.map(|name| (name, Event::from_name(&name.text))) {
        Some((_, Some(event))) => event,
        // Only a tool: take the first event of the head that has tools.
        Some((name, None)) => {
            check_tool(name)?;
            if let Some(subject) = example.head.as_ref().and_then(|head| head.subject.as_ref()) {
                let right = format!("{} {}", name.text, crate::syntax::literal(&subject.text, ""));
                let message = format!("`{}` takes no parentheses in an example", name.text);
                return Err(Diagnostic::new(Code::BAD_EXAMPLE, message)
                    .label(subject.span, "those of an event have its subject")
                    .help(format!("write `{right}`")));
            }
            let first = head.and_then(|head| head.events.iter().find(|selector| with_tools(selector.event)));
            let event = first.map_or(Event::PreToolUse, |selector| selector.event);
            return Ok((event, Some(name.text.clone())));
        }
        None => head.and_then(|head| head.events.first()).map_or(Event::PreToolUse, |selector| selector.event),
    };
    if !with_tools(event) {
        return Ok((event, None));
    }
    if let Some(subject) = example.head.as_ref().and_then(|head| head.subject.as_ref()) {
        return Ok((event, Some(subject.text.clone())));
    }
    let selectors = head.and_then(|head| head.events.iter().find(|selector| selector.event == event));
    let subjects = selectors.and_then(|selector| selector.subjects.as_ref());
    match subjects.map(|list| list.includes.as_slice()).unwrap_or_default() {
        // `!Read` includes Bash; `!Bash` names no tool that could be used instead.
        [] if !subjects.is_some_and(|list| list.excludes("Bash")) => Ok((event, Some("Bash".to_owned()))),
        includes => match includes.iter().find(|glob| !glob.contains(['*', '?', '['])) {
            Some(name) => Ok((event, Some(name.clone()))),
            None => Err(bad(
                example.span,
                "the rule names no tool, only globs",
                "name the tool before the example: `mcp__db__write \"…\"`",
            )),
        },
    }
}

/// Rejects a field that the event does not have: no rule would see its value.
///
/// An event with a part of arbitrary contents may have fields that no table lists.
fn check_field(event: Event, tool_name: Option<&str>, path: &[String], span: Span) -> Result<(), Diagnostic> {
    let Some(name) = path.first().map(String::as_str) else { return Ok(()) };
    check_member(tool_name, path, span)?;
    let known = match field_type(event, &[], &[name]) {
        FieldLookup::Found(_) | FieldLookup::Open => return Ok(()),
        FieldLookup::NotCarried => Vec::new(),
        FieldLookup::Unknown { known_siblings } => known_siblings,
    };
    let of_tool = tool_name.and_then(tool).is_some_and(|tool| tool.input.iter().any(|field| field.name == name));
    let derived = DERIVED.contains(&name);
    let is_open = event.fields().any(|field| field.ty == Type::Any);
    let near = nearest(name, known.iter().copied());
    if !of_tool && !derived && is_open && near.is_none() && !known.is_empty() {
        return Ok(());
    }
    let example = tool_name.and_then(tool).filter(|tool| tool.example_text.is_some());
    let help = match (of_tool, near) {
        (false, _) if derived && example.is_some() => {
            let tool = example.map_or("", |tool| tool.name);
            format!("it comes from the tool's input: write `{tool} \"…\"`, which fills it in")
        }
        (false, _) if derived => "it comes from the tool's input: state `tool_input.…` instead".to_owned(),
        (true, _) => format!("it is a member of the tool's input: write `tool_input.{name}`"),
        (false, Some(near)) => format!("a field named `{near}` exists"),
        (false, None) => format!("`rules help {}` lists its fields", event.name()),
    };
    Err(bad(span, format!("`{}` has no field `{name}`", event.name()), &help))
}

/// Rejects a text in place of a boolean or a number of the event: the host never sends that, and no condition would
/// hold. The input of a tool comes from the model, and may be anything.
fn check_type(event: Event, path: &[String], value: &ast::Value) -> Result<(), Diagnostic> {
    let ValueKind::Text(text) = &value.kind else { return Ok(()) };
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let (what, right) = match field_type(event, &[], &path) {
        _ if path.first() == Some(&"tool_input") => return Ok(()),
        FieldLookup::Found(Type::Boolean) => ("a boolean", if text.value == "false" { "false" } else { "true" }),
        FieldLookup::Found(Type::Number) => ("a number", text.value.as_str()),
        _ => return Ok(()),
    };
    let right = if what == "a number" && right.parse::<f64>().is_err() { "1" } else { right };
    let name = path.join(".");
    let help = format!("write `{name}: {right}`");
    Err(bad(value.span, format!("`{name}` is {what}, not a string"), &help))
}

/// Rejects a misspelled member of the input of a known tool, with or without the prefix `tool_input.`.
///
/// A tool may get new members with every version of its host, so only a near miss of a known one is a mistake.
fn check_member(tool_name: Option<&str>, path: &[String], span: Span) -> Result<(), Diagnostic> {
    let Some(tool) = tool_name.and_then(tool) else { return Ok(()) };
    let name = match path {
        [first, name, ..] if first == "tool_input" => name,
        [name] if !matches!(field_type(Event::PreToolUse, &[], &[name]), FieldLookup::Found(_)) => name,
        _ => return Ok(()),
    };
    let members = || tool.input.iter().map(|field| field.name);
    match nearest(name, members()) {
        Some(near) if !members().any(|member| member == name) => {
            let help = format!("a member named `{near}` exists: `tool_input.{near}`");
            Err(bad(span, format!("`{}` has no member `{name}`", tool.name), &help))
        }
        _ => Ok(()),
    }
}

/// Returns the member of the tool's input that a field, which the event does not have, probably refers to. An unknown
/// tool may have any.
fn member_of_tool(event: Event, tool_name: Option<&str>, path: &[String]) -> Option<String> {
    let name = path.first()?.as_str();
    let fields = match field_type(event, &[], &[name]) {
        FieldLookup::Found(_) => return None,
        FieldLookup::Unknown { known_siblings } => known_siblings,
        FieldLookup::Open | FieldLookup::NotCarried => Vec::new(),
    };
    let Some(tool) = tool(tool_name?) else {
        return nearest(name, fields).is_none().then(|| name.to_owned());
    };
    let member = |names: &[&str]| tool.input.iter().map(|field| field.name).find(|member| names.contains(member));
    let member = member(&[name]).or_else(|| match name {
        "content" => member(WRITTEN_TEXTS),
        "path" => tool.files.iter().find(|file| !file.glob).map(|file| file.member),
        _ => None,
    });
    member.map(str::to_owned)
}

fn check_tool(name: &ast::Name) -> Result<(), Diagnostic> {
    if tool(&name.text).is_some() || OTHER_TOOLS.contains(&name.text.as_str()) || name.text.starts_with("mcp__") {
        return Ok(());
    }
    let known: Vec<&str> =
        TOOLS.iter().map(|tool| tool.name).chain(Event::ALL.iter().map(|event| event.name())).collect();
    let diagnostic = Diagnostic::new(Code::BAD_EXAMPLE, format!("unknown event or tool `{}`", name.text))
        .label(name.span, "not an event or a tool")
        .maybe_help(suggest("name", &name.text, known.iter().copied()));
    let event = event_elsewhere(&name.text).and_then(|meant| meant.split('(').next());
    let meant = mcp_name(&name.text).filter(|name| !name.ends_with('*'));
    let meant = meant.or_else(|| tool_elsewhere(&name.text).or(event).map(str::to_owned));
    Err(match (meant, nearest(&name.text, known)) {
        (Some(meant), _) => diagnostic.help(format!("write `{meant}`, its name here")).fix(name.span, meant),
        (None, Some(near)) => diagnostic.fix(name.span, near),
        (None, None) => diagnostic.help("name an event, a built-in tool, or one that begins with `mcp__`"),
    })
}

fn base(event: Event, around: Around<'_>) -> Map<String, Json> {
    let mut json = Map::new();
    let cwd = around.cwd.to_string_lossy();
    let all = [
        ("session_id", Some("example")),
        ("transcript_path", around.transcript),
        ("cwd", Some(cwd.as_ref())),
        ("hook_event_name", Some(event.name())),
        ("permission_mode", Some("default")),
    ];
    json.extend(all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value?)))));
    if matches!(event, Event::Stop | Event::SubagentStop) {
        json.insert("stop_hook_active".into(), false.into());
    }
    json
}

fn subject(example: &Example, head: Option<&Head>, event: Event) -> Option<String> {
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

fn set_subject(json: &mut Map<String, Json>, event: Event, subject: &str) {
    match event.spec().subject {
        Subject::Field(name) => {
            json.insert(name.to_owned(), subject.into());
        }
        Subject::BaseName(name) => {
            let cwd = json.get("cwd").and_then(Json::as_str).unwrap_or(EXAMPLES);
            let file = Path::new(cwd).join(subject).to_string_lossy().into_owned();
            json.insert(name.to_owned(), file.into());
        }
        Subject::None | Subject::Tool => {}
    }
}

/// Sets the member for the text: the first that the tool or event has of command, path, url, prompt, subject.
fn set_text(
    json: &mut Map<String, Json>,
    event: Event,
    tool_name: Option<&str>,
    text: &ast::Text,
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
            return Err(bad(
                text.span,
                format!("`{}` has no text", event.name()),
                "state its fields: { field: \"…\" }",
            ));
        }
        return Ok(());
    };
    let Some(member) = text_member(tool_name) else {
        return Err(bad(
            text.span,
            format!("`{tool_name}` has no text"),
            "state its input: { tool_input.name: \"…\" }",
        ));
    };
    insert(json, &["tool_input".to_owned(), member.to_owned()], value);
    Ok(())
}

/// Returns the member of a tool's input that the text of an example sets.
pub(super) fn text_member(tool_name: &str) -> Option<&'static str> {
    let Some(tool) = tool(tool_name) else { return Some("path") };
    let file = || tool.files.iter().find(|file| !file.glob).map(|file| file.member);
    let prompt = || tool.input.iter().map(|field| field.name).find(|name| *name == "prompt");
    tool.command.or_else(file).or(tool.url).or_else(prompt).or(tool.example_text)
}

fn key_path(key: &Key) -> Option<Vec<String>> {
    match key {
        Key::Name(name) => Some(name.segments.iter().map(|segment| segment.text.clone()).collect()),
        Key::Text(text) => Some(vec![text.value.clone()]),
        Key::File(..) => None,
    }
}

/// Sets a member by its path; missing objects are created, and given maps are merged into existing ones.
fn insert(json: &mut Map<String, Json>, path: &[String], value: Json) {
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
/// It is not a value that a payload can contain.
pub(super) fn literal(value: &ast::Value) -> Result<Json, Diagnostic> {
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
                    Element::Value(value) => items.push(literal(value)?),
                    Element::Spread(name) => {
                        return Err(bad(name.span, "a `...` in an example", "write the elements out"));
                    }
                }
            }
            Json::Array(items)
        }
        ValueKind::Map(map) => {
            let mut members = Map::new();
            for entry in &map.entries {
                let (Some(path), Some(value)) = (key_path(&entry.key), &entry.value) else {
                    return Err(bad(entry.span, "a member without a value", "write `name: value`"));
                };
                insert(&mut members, &path, literal(value)?);
            }
            Json::Object(members)
        }
        ValueKind::Name(_) | ValueKind::Regex(_) | ValueKind::JsonPath(_) => {
            return Err(bad(value.span, "not a payload value", "write a string, number, boolean, `null`, list or map"));
        }
    })
}
