//! Reads the records of hosts, `hosts/*.toml`, and writes them as the statics that `src/host/record.rs` includes.

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
    fs::write(out.join("hosts.rs"), code)
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
