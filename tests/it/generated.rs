//! The tables of the book agree with the schema and the codes; `RULES_BLESS=1` writes them.

use std::time::Duration;
use std::{env, fs};

use hookrules::eval::VALUE_LIMIT;
use hookrules::excerpt::READER_LIMIT;
use hookrules::host::{EffectFate, Host};
use hookrules::host_settings::{AgentDirectories, AgentPlace, SettingsScope};
use hookrules::limits::{
    ELEMENTS, FILE_BYTES, FINDINGS, HOST_BYTES, HOST_FILES, HOSTS_BYTES, LOCAL, LayerLimits, NESTING, POLICY_PARTS,
    PROGRAM_BYTES, PROGRAM_FILES, PROGRAMS_BYTES, PROJECT, REGEX_BYTES, SETTINGS_BYTES, TRUSTED,
};
use hookrules::schema::{
    BASE_FIELDS, Capability, EVENTS, Event, EventSpec, Field, FieldType, FileInput, Subject, TOOLS, ToolShell, ToolSpec,
};
use hookrules::verdict::{NOTIFICATION_BODY, NOTIFICATION_TITLE};

use crate::book::anchor;
use crate::source::{read, root};

/// Every heading of the cookbook below a page's title is a need, and has a rule with examples for both outcomes.
#[test]
fn the_needs_of_the_cookbook_are_listed() {
    let mut list = String::new();
    let mut needs = 0;
    for page in summary_below("cookbook.md") {
        let text = read(format!("book/src/{page}"));
        let mut entries = text.split("\n## ");
        let title = entries.next().unwrap().lines().next().unwrap().trim_start_matches("# ");
        list.push_str(&format!("**[{title}]({page})**: I want …\n\n"));
        for entry in entries {
            let need = entry.lines().next().unwrap();
            for part in ["```rules\n", "\n  fires on ", "\nNot covered: "] {
                assert!(entry.contains(part), "{page}: {need}: no `{}`", part.trim());
            }
            list.push_str(&format!("- [{need}]({page}#{})\n", anchor(need)));
            needs += 1;
        }
        list.push('\n');
    }
    assert!(needs >= 40, "only {needs}");
    is_current("book/src/cookbook.md", "needs", &list);
}

/// Returns the pages below a chapter in SUMMARY.md.
fn summary_below(chapter: &str) -> Vec<String> {
    let summary = read("book/src/SUMMARY.md");
    let after = summary.split_once(&format!("]({chapter})\n")).expect("the chapter").1;
    let links = after.lines().map_while(|line| line.strip_prefix("  - ["));
    links.filter_map(|link| Some(link.strip_suffix(')')?.split_once("](")?.1.to_owned())).collect()
}

#[test]
fn the_table_of_events_is_current() {
    let mut table = "| event | selectors look at | it can carry | `by` |\n|---|---|---|---|\n".to_owned();
    for spec in EVENTS {
        table.push_str(&format!(
            "| `{}` | {} | {} | {} |\n",
            spec.name,
            subject(spec),
            answers(spec),
            if spec.has_agent { "yes" } else { "" }
        ));
    }
    is_current("book/src/claude-code.md", "events", &table);
}

fn wave() -> Host {
    Host::from_name("wave").unwrap()
}

#[test]
fn the_table_of_wave_is_current() {
    let mut table = "| event |".to_owned();
    let answers: Vec<Capability> =
        Capability::ALL.iter().copied().filter(|answer| *answer != Capability::Warn).collect();
    answers.iter().for_each(|answer| table.push_str(&format!(" {} |", answer.keyword())));
    table.push_str(&format!("\n|---|{}\n", "---|".repeat(answers.len())));
    for spec in EVENTS.iter().filter(|spec| wave().capabilities(spec.event).is_some()) {
        table.push_str(&format!("| `{}` |", spec.name));
        for answer in &answers {
            let fate = wave().fate(spec.event, *answer).filter(|_| spec.answers.has_capability(*answer));
            table.push_str(&format!(" {} |", fate.map_or("", fate_words)));
        }
        table.push('\n');
    }
    is_current("book/src/wave.md", "wave", &table);
}

#[test]
fn the_table_of_agents_is_current() {
    let answers = [Capability::Deny, Capability::Ask, Capability::Allow, Capability::Rewrite, Capability::Context];
    let mut table = "| NAME |".to_owned();
    answers.iter().for_each(|answer| table.push_str(&format!(" {} |", answer.keyword())));
    table.push_str(&format!(" Stop |\n|---|{}---|\n", "---|".repeat(answers.len())));
    let mut sources = String::new();
    for host in Host::all() {
        let words = |event, answer| host.fate(event, answer).map_or("–", fate_words);
        let carried: Vec<&str> = answers.iter().map(|answer| words(Event::PreToolUse, *answer)).collect();
        let stop = words(Event::Stop, Capability::Deny);
        table.push_str(&format!("| `{}` | {} | {stop} |\n", host.name(), carried.join(" | ")));
        sources.push_str(&format!("- `{}` is {}: {}.\n", host.name(), host.title(), host.source()));
    }
    is_current("book/src/agents.md", "agents", &table);
    is_current("book/src/agents.md", "sources", &sources);
}

#[test]
fn the_settings_of_agents_are_current() {
    let directories = AgentDirectories { home: Some("~".into()), project: Some("".into()) };
    let (mut places, mut sentences) = (String::new(), String::new());
    for host in Host::all() {
        let scopes = [SettingsScope::Project, SettingsScope::User].into_iter();
        let found: Vec<AgentPlace> =
            scopes.filter_map(|scope| AgentPlace::new(host, scope, &directories, |_| None)).collect();
        let shown: Vec<String> = found
            .iter()
            .map(|place| format!("`{}{}`", place.path.display(), if place.is_directory() { "/" } else { "" }))
            .collect();
        if !shown.is_empty() {
            places.push_str(&format!("- `{}`: {}\n", host.name(), shown.join(" or ")));
        }
        let trust = found.iter().find_map(AgentPlace::trust);
        let limit = found.iter().find_map(AgentPlace::limit);
        for sentence in trust.into_iter().chain(limit) {
            sentences.push_str(&format!("- {sentence}\n"));
        }
    }
    is_current("book/src/agents.md", "places", &places);
    is_current("book/src/agents.md", "trust", &sentences);
}

#[test]
fn the_table_of_timeouts_is_current() {
    let mut table = "| without `timeout` a command may take | on |\n|---|---|\n".to_owned();
    let mut limits: Vec<Option<Duration>> = EVENTS.iter().map(|spec| spec.run_timeout).collect();
    limits.sort();
    limits.dedup();
    for limit in limits.into_iter().rev() {
        let words =
            limit.map_or("as long as the host waits".to_owned(), |limit| format!("{} seconds", limit.as_secs()));
        let events = EVENTS.iter().filter(|spec| spec.run_timeout == limit);
        let events: Vec<String> = events.map(|spec| format!("`{}`", spec.name)).collect();
        table.push_str(&format!("| {words} | {} |\n", events.join(", ")));
    }
    is_current("book/src/commands.md", "timeouts", &table);
}

#[test]
fn the_limits_of_readers_are_those_of_the_book() {
    let page = read("book/src/commands.md");
    let grouped = |units: usize| format!("{},{:03}", units / 1_000, units % 1_000);
    for row in [
        format!("| one text or all texts of an answer, for one reader | {} UTF-16 units |", grouped(READER_LIMIT)),
        format!("| a value of the event in a text | {VALUE_LIMIT} characters |"),
        format!("| the title of a notification | {NOTIFICATION_TITLE} characters |"),
        format!("| its body | {} characters |", grouped(NOTIFICATION_BODY)),
    ] {
        assert!(page.contains(&row), "{row}");
    }
}

#[test]
fn the_fields_that_wave_does_not_fill_are_current() {
    let lacking = |fields: &[Field], event: Event| {
        let fields = fields.iter().filter(|field| !wave().has_field_value(event, field.name));
        fields.map(|field| format!("`{}`", field.name)).collect::<Vec<_>>().join(", ")
    };
    let every = lacking(BASE_FIELDS, Event::PreToolUse);
    let mut table = format!("| event | has no |\n|---|---|\n| every event | {every} |\n");
    for spec in EVENTS.iter().filter(|spec| wave().capabilities(spec.event).is_some()) {
        let own = lacking(spec.fields, spec.event);
        if !own.is_empty() {
            table.push_str(&format!("| `{}` | {own} |\n", spec.name));
        }
    }
    is_current("book/src/wave.md", "wave-fields", &table);
}

#[test]
fn the_table_of_limits_is_current() {
    let of_layers =
        |bound: fn(LayerLimits) -> u64, words: fn(u64) -> String| [TRUSTED, PROJECT, LOCAL].map(bound).map(words);
    let same = |words: String| [words.clone(), words.clone(), words];
    let mebibytes = |bytes: u64| format!("{} MiB", bytes >> 20);
    let rows: &[(&str, [String; 3], &str)] = &[
        ("bytes of a source", same(mebibytes(FILE_BYTES as u64)), "the layer does not load"),
        ("bytes of all sources of a layer", of_layers(|limits| limits.bytes, mebibytes), "the layer does not load"),
        ("bytes of a `rules.toml`", same(format!("{} KiB", SETTINGS_BYTES >> 10)), "the layer does not load"),
        ("bytes of the record of a program", same(format!("{} KiB", PROGRAM_BYTES >> 10)), "the layer does not load"),
        (
            "records of programs in a directory",
            same(format!("{PROGRAM_FILES} files, {} KiB", PROGRAMS_BYTES >> 10)),
            "the layer does not load",
        ),
        (
            "records of hosts in a directory",
            [
                format!("{HOST_FILES} files of {} KiB, {} KiB", HOST_BYTES >> 10, HOSTS_BYTES >> 10),
                "none".to_owned(),
                "none".to_owned(),
            ],
            "the hooks of these hosts block",
        ),
        ("parts of a layer", of_layers(|limits| limits.parts, grouped), "the layer does not load"),
        ("parts of all layers", same(grouped(POLICY_PARTS)), "the layer that passes it does not load"),
        ("bytes of a regex", same(format!("{} KiB", REGEX_BYTES >> 10)), "the layer does not load"),
        ("size of a regex", of_layers(|limits| limits.regex, grouped), "the layer does not load"),
        ("size of all regexes of a layer", of_layers(|limits| limits.regexes, grouped), "the layer does not load"),
        ("elements of a list, spread lists included", same(grouped(ELEMENTS as u64)), "the layer does not load"),
        ("brackets within brackets", same(NESTING.to_string()), "the file is not read"),
        ("`not` after `not`", same(NESTING.to_string()), "the file is not read"),
        ("findings of a file", same(FINDINGS.to_string()), "further ones are not looked for"),
    ];
    let mut table = "| at most | managed, user | project | local | past it |\n|---|---|---|---|---|\n".to_owned();
    for (what, bounds, past) in rows {
        table.push_str(&format!("| {what} | {} | {past} |\n", bounds.join(" | ")));
    }
    is_current("book/src/reference/limits.md", "limits", &table);
}

/// Writes a number with commas between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join(",")
}

fn fate_words(fate: EffectFate) -> &'static str {
    match fate {
        EffectFate::Carried => "yes",
        EffectFate::Denied(_) => "denied",
        EffectFate::HostDecides => "left",
        EffectFate::AgentReads => "to the agent",
        EffectFate::UserReads => "to the user",
        EffectFate::NobodyReads => "not sent",
        EffectFate::UserReadsLater => "to the user, later",
    }
}

#[test]
fn the_pages_of_fields_are_current() {
    let page = "book/src/reference/payloads.md";
    is_current(page, "base", &field_table(BASE_FIELDS));
    let mut events = String::new();
    for spec in EVENTS {
        events.push_str(&format!("### {}\n\n{}\n\n", spec.name, spec.doc));
        if spec.fields.is_empty() {
            events.push_str("It has no fields of its own.\n\n");
        } else {
            events.push_str(&format!("{}\n", field_table(spec.fields)));
        }
    }
    is_current(page, "fields", events.trim_end_matches('\n'));
    let mut tools = "| tool | input | files, commands, URLs |\n|---|---|---|\n".to_owned();
    for tool in TOOLS {
        let input: Vec<String> = tool
            .input
            .iter()
            .map(|field| format!("`{}`{}", field.name, if field.required { "" } else { "?" }))
            .collect();
        tools.push_str(&format!("| `{}` | {} | {} |\n", tool.name, input.join(", "), acts(tool)));
    }
    is_current(page, "tools", &tools);
}

/// Writes fields as a table, with members of objects after dots.
fn field_table(fields: &[Field]) -> String {
    let mut out = "| field | type | is |\n|---|---|---|\n".to_owned();
    let mut open: Vec<(String, Field)> = fields.iter().rev().map(|field| (field.name.to_owned(), *field)).collect();
    while let Some((name, field)) = open.pop() {
        let mark = if field.required { "" } else { "?" };
        out.push_str(&format!("| `{name}`{mark} | {} | {} |\n", type_words(&field.ty), cell(field.doc)));
        if let FieldType::Object(members) = field.ty {
            open.extend(members.iter().rev().map(|member| (format!("{name}.{}", member.name), *member)));
        }
    }
    out
}

fn type_words(ty: &FieldType) -> String {
    match ty {
        FieldType::String => "string".to_owned(),
        FieldType::Path => "path".to_owned(),
        FieldType::Enum(values) => values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", "),
        FieldType::Number => "number".to_owned(),
        FieldType::Boolean => "boolean".to_owned(),
        FieldType::List(inner) => format!("list: {}", type_words(inner)),
        FieldType::Object(_) => "object".to_owned(),
        FieldType::Any => "any".to_owned(),
    }
}

/// Describes a tool's file accesses, and which member is a command or a URL.
fn acts(tool: &ToolSpec) -> String {
    let mut acts: Vec<String> = tool.files.iter().map(file_words).collect();
    acts.extend(tool.command.map(|member| match tool.shell {
        ToolShell::Bash => format!("`{member}` is a shell command"),
        ToolShell::PowerShell => format!("`{member}` is a PowerShell command"),
        ToolShell::None => format!("`{member}` is a command"),
    }));
    acts.extend(tool.url.map(|member| format!("`{member}` is a URL")));
    acts.join("; ")
}

fn file_words(file: &FileInput) -> String {
    let does = match (file.reads, file.writes) {
        (true, true) => "reads and writes",
        (true, false) => "reads",
        (false, true) => "writes",
        (false, false) => "names",
    };
    let what = match (file.glob, file.recursive) {
        (true, _) => "what matches ",
        (false, true) => "what lies below ",
        (false, false) => "",
    };
    format!("{does} {what}`{}`", file.member)
}

fn subject(spec: &EventSpec) -> String {
    match spec.subject {
        Subject::None => String::new(),
        Subject::Tool => "the tool's name".to_owned(),
        Subject::Field(field) => format!("`{field}`"),
        Subject::BaseName(field) => format!("the last part of `{field}`"),
    }
}

/// Lists the answers that not every event can carry.
fn answers(spec: &EventSpec) -> String {
    spec.answers.keywords().collect::<Vec<_>>().join(", ")
}

/// Escapes characters that would end a cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Compares a generated region with its expected content, or writes it under `RULES_BLESS`.
#[track_caller]
pub(crate) fn is_current(page: &str, name: &str, expected: &str) {
    let text = read(page);
    let (open, close) = (format!("<!-- generated: {name} -->\n"), "<!-- end -->");
    let (before, rest) = text.split_once(&open).unwrap_or_else(|| panic!("{page} marks no region {name}"));
    let (region, after) = rest.split_once(close).unwrap_or_else(|| panic!("{page}: the region {name} has no end"));
    let expected = format!("\n{}\n\n", expected.trim_end());
    if region != expected && env::var_os("RULES_BLESS").is_some() {
        fs::write(root().join(page), format!("{before}{open}{expected}{close}{after}")).unwrap();
        return;
    }
    assert!(region == expected, "{page} is not current; `RULES_BLESS=1 cargo test --test it` writes this:\n{expected}");
}

/// Compares a fully generated page with its expected content, or writes it under `RULES_BLESS`.
#[track_caller]
pub(crate) fn is_current_page(page: &str, expected: &str) {
    let path = root().join(page);
    let text = fs::read_to_string(&path).unwrap_or_default();
    if text != expected && env::var_os("RULES_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, expected).unwrap();
        return;
    }
    assert!(text == expected, "{page} is not current; `RULES_BLESS=1 cargo test --test it` writes this:\n{expected}");
}
