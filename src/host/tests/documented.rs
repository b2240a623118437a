//! Tests of the hosts that are known from documentation only: what their payloads say, by what signs they are known,
//! and what they are answered.
#![expect(clippy::disallowed_methods, reason = "reads fixtures")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use crate::host::decode::has_sign;
use crate::host::translation::member_at;
use crate::host::{DecodedPayload, Host, decode};
use crate::platform::paths::shown;

/// What the constructed payloads say.
const PAYLOADS: &str = include_str!("../../../tests/fixtures/host/documented.payloads");

/// The names of hosts that differ from those in the names of the directories.
const OTHER_NAMES: &[(&str, &str)] =
    &[("cline-cli", "cline"), ("copilot-cli", "copilot"), ("gemini-cli", "gemini"), ("qwen-code", "qwen")];

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/payloads")
}

/// Collects all files below a directory.
fn add_files(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { add_files(&path, files) } else { files.push(path) }
    }
}

/// Returns the lines of a table without its comments.
fn rows(table: &str) -> impl Iterator<Item = &str> {
    table.lines().filter(|line| !line.starts_with('#'))
}

/// Returns what the table says about a payload: its event, its tool, and the value of a member.
fn description(decoded: &DecodedPayload, member: &str) -> String {
    let payload = match decoded {
        DecodedPayload::Event { payload, damage: None } => payload,
        DecodedPayload::UnknownEvent(_) => return "- - - -".to_owned(),
        other => panic!("{other:?}"),
    };
    let value = match member_at(&payload.json, member) {
        Some(Json::String(text)) => text.replace('\n', "\\n"),
        Some(other) => other.to_string(),
        None => "-".to_owned(),
    };
    format!("{} {} {member} {value}", payload.event.name(), payload.tool_name().unwrap_or("-"))
}

#[test]
fn every_constructed_payload_says_what_the_table_states() {
    let mut files = Vec::new();
    let root = fixtures().join("constructed");
    add_files(&root, &mut files);
    let mut unlisted: BTreeSet<String> =
        files.iter().map(|file| shown(file.strip_prefix(&root).unwrap()).to_string()).collect();
    for row in rows(PAYLOADS) {
        let (name, stated) = row.split_once(' ').unwrap();
        let (name, is_signed) = name.strip_prefix('?').map_or((name, true), |name| (name, false));
        let member = stated.split(' ').nth(2).unwrap();
        let bytes = fs::read(root.join(name)).unwrap();
        let host = Host::from_name(name.split('/').next().unwrap()).unwrap();
        assert_eq!(description(&decode(host, &bytes), member), stated, "{name}");
        if is_signed {
            let decoded = decode(Host::CLAUDE_CODE, &bytes);
            assert_eq!(description(&decoded, member), stated, "{name}, sent to the hook of Claude Code");
            if let DecodedPayload::Event { payload, .. } = decoded {
                assert_eq!(payload.origin.agent, Some(host.name()), "{name}");
            }
        }
        assert!(unlisted.remove(name), "{name} is listed twice");
    }
    assert_eq!(unlisted, BTreeSet::new());
}

/// Returns the host that sent a fixture, by the directories in its path.
fn sender_of(path: &Path) -> Host {
    let directories = path.strip_prefix(fixtures()).unwrap();
    let mut names = directories.iter().map(|name| name.to_str().unwrap());
    let name = names.find(|name| !matches!(*name, "others" | "constructed")).unwrap();
    let other = OTHER_NAMES.iter().find(|(directory, _)| name.starts_with(directory)).map(|(_, host)| *host);
    let name = other.unwrap_or_else(|| if name.starts_with("codex-") { "codex" } else { name });
    let name = if name.starts_with("opencode-") { "opencode" } else { name };
    Host::from_name(name).unwrap_or_else(|| panic!("{}", path.display()))
}

#[test]
fn no_payload_has_the_signs_of_another_host() {
    let mut files = Vec::new();
    add_files(&fixtures(), &mut files);
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json")) {
        let json: Map<String, Json> = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        let sender = sender_of(file);
        let others = Host::all().filter(|host| *host != sender);
        let signed = others.filter(|host| host.0.signs.iter().any(|sign| has_sign(sign, host.0, &json)));
        wrong.extend(signed.map(|host| format!("{}: {}", file.display(), host.name())));
    }
    assert_eq!(wrong, Vec::<String>::new());
}
