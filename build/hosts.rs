//! Reads the records of hosts, `hosts/*.toml`, and writes them as the statics that `src/host/record.rs` includes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

#[path = "../src/host/record/kinds.rs"]
mod kinds;
#[path = "../src/host/record/read.rs"]
mod read;
#[path = "../src/host/record/read_checks.rs"]
mod read_checks;
#[path = "../src/host/record/read_settings.rs"]
mod read_settings;

/// The directory of the records.
const HOSTS: &str = "hosts";

/// Every name, since the build script has no schema: a test compares the names in the records with it.
const UNCHECKED: read::RecordVocabulary = read::RecordVocabulary {
    has_event: |_| true,
    has_tool: |_| true,
    has_field: |_| true,
    plugin: |name| fs::read_to_string(Path::new(HOSTS).join(name)).ok(),
};

/// The record that comes first: the host whose settings others read.
const FIRST: &str = "claude-code";

/// Members that many hosts send, by which none of them is known.
const COMMON: &[&str] = &["hook_event_name", "transcript_path", "permission_mode", "model"];

/// Reads the records, and writes them. Also writes the names of members of which every sign has one, except those that
/// are about the name of the event: sorted, and those in another member separately. Most payloads have none of them. The
/// third list has the names with which the paths of registrations begin, which are in the paths of few calls.
pub(crate) fn write(out: &Path) -> io::Result<()> {
    println!("cargo:rerun-if-changed={HOSTS}");
    println!("cargo:rerun-if-changed=src/host/record");
    let mut files: Vec<_> = fs::read_dir(HOSTS)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort_by_key(|file| (file.file_stem().is_none_or(|name| name != FIRST), file.clone()));
    let (mut signs, mut directories): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    let mut names = HostNames::default();
    let mut code = format!("pub(in crate::host) static RECORDS: [HostRecord; {}] = [\n", files.len());
    for file in files {
        let text = fs::read_to_string(&file)?;
        let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let (record, mistakes) = read::read_record(name, &text, UNCHECKED);
        for mistake in mistakes {
            let line = text.get(..mistake.at.start).unwrap_or_default().lines().count().max(1);
            println!("cargo::error={}:{line}: {}", file.display(), mistake.message);
        }
        code.push_str(&as_literal(&format!("{record:?}")));
        code.push_str(",\n");
        names.add(&record);
        let begins = |path: &String| path.trim_start_matches("~/").split('/').next().map(str::to_owned);
        directories.extend(record.registration_paths().iter().filter_map(begins));
        signs.extend(record.signs.iter().filter_map(|sign| sign.has.iter().find(|member| !COMMON.contains(member))));
    }
    signs.sort_unstable();
    signs.dedup();
    directories.sort_unstable();
    directories.dedup();
    let (paths, members): (Vec<&str>, Vec<&str>) = signs.into_iter().partition(|member| member.contains('.'));
    code.push_str("];\n");
    let directories = directories.iter().map(String::as_str).collect();
    for (name, of) in [("SIGN_MEMBERS", members), ("SIGN_PATHS", paths), ("SETTINGS_DIRECTORIES", directories)] {
        code.push_str(&format!("pub(in crate::host) static {name}: &[&str] = &{of:?};\n"));
    }
    fs::write(out.join("hosts.rs"), code)?;
    fs::write(out.join("host_names.rs"), names.tables())
}

/// The names of events, tools and members that hosts have, each with what it means in the schema.
#[derive(Default)]
struct HostNames {
    /// The meanings of an event's name: an event, and the tools of its calls if the name is about some tools only.
    events: BTreeMap<&'static str, BTreeMap<&'static str, Vec<&'static str>>>,
    /// The schema's names of a tool.
    tools: BTreeMap<&'static str, BTreeSet<&'static str>>,
    /// The members of a payload with these paths.
    fields: BTreeMap<&'static str, BTreeSet<&'static str>>,
    /// The members of a tool's input, by the schema's name of the tool and the host's name of the member.
    members: BTreeMap<(&'static str, &'static str), BTreeSet<&'static str>>,
}

impl HostNames {
    fn add(&mut self, record: &kinds::HostRecord) {
        for row in record.events {
            for name in row.names.iter().filter(|name| **name != row.event) {
                let tools = if row.server_names.contains(name) { &["mcp__*"][..] } else { row.tools };
                self.add_event(name, row.event, tools);
            }
            self.add_fields(row.members);
        }
        let special_names = record.settings.iter().flat_map(|settings| settings.event_names);
        for (event, names) in special_names {
            names.iter().filter(|name| *name != event).for_each(|name| self.add_event(name, event, &[]));
        }
        self.add_fields(record.members);
        let has_write = record.tools.iter().any(|tool| tool.tool == "Write" && !tool.names.is_empty());
        for tool in record.tools {
            for name in tool.names.iter().filter(|name| !tool.narrower.contains(name)) {
                let meanings = self.tools.entry(name).or_default();
                meanings.insert(tool.tool);
                // The only tool for files: a call that replaces no text is a Write.
                if tool.tool == "Edit" && !has_write {
                    meanings.insert("Write");
                }
            }
            for (name, member) in tool.members {
                self.members.entry((tool.tool, name)).or_default().insert(member);
            }
        }
    }

    fn add_event(&mut self, name: &'static str, event: &'static str, tools: &[&'static str]) {
        let known = self.events.entry(name).or_default();
        match known.get_mut(event) {
            // Under this name, some host sends the calls of every tool.
            Some(known) if known.is_empty() || tools.is_empty() => known.clear(),
            Some(known) => known.extend(tools),
            None => drop(known.insert(event, tools.to_vec())),
        }
    }

    fn add_fields(&mut self, sources: &[kinds::MemberSource]) {
        for source in sources {
            for path in source.from.iter().filter(|path| **path != source.member) {
                self.fields.entry(path).or_default().insert(source.member);
            }
        }
    }

    /// Returns the tables as sorted statics.
    fn tables(&self) -> String {
        let list = |names: &BTreeSet<&str>| format!("&{:?}", names.iter().collect::<Vec<_>>());
        let mut code = "pub(super) static EVENTS: Table<&str, (&str, &[&str])> = &[\n".to_owned();
        for (name, meanings) in &self.events {
            let tools = |tools: &Vec<&str>| list(&tools.iter().copied().collect());
            let meanings: Vec<String> =
                meanings.iter().map(|(event, of)| format!("({event:?}, {})", tools(of))).collect();
            code.push_str(&format!("({name:?}, &[{}]),\n", meanings.join(", ")));
        }
        for (table, rows) in [("TOOLS", &self.tools), ("FIELDS", &self.fields)] {
            code.push_str(&format!("];\npub(super) static {table}: Table<&str, &str> = &[\n"));
            rows.iter().for_each(|(name, meanings)| code.push_str(&format!("({name:?}, {}),\n", list(meanings))));
        }
        code.push_str("];\npub(super) static MEMBERS: Table<(&str, &str), &str> = &[\n");
        self.members.iter().for_each(|(name, meanings)| code.push_str(&format!("({name:?}, {}),\n", list(meanings))));
        code.push_str("];\n");
        code
    }
}

/// Returns what `Debug` prints of a record as an expression: the lists become borrowed arrays.
fn as_literal(printed: &str) -> String {
    let mut code = String::new();
    let (mut is_text, mut is_escaped) = (false, false);
    for character in printed.chars() {
        if !is_text && character == '[' {
            code.push('&');
        }
        is_text ^= character == '"' && !is_escaped;
        is_escaped = is_text && character == '\\' && !is_escaped;
        code.push(character);
    }
    code
}
