//! Payloads: those that hosts sent, and those that the project constructed.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::policies::Judging;
use super::{Inputs, PACKS, call, files, read};

/// The events, with their tools, that policies of one mistake are asked about.
const FEW: &[&str] = &["PreToolUse Bash", "PreToolUse Write", "PreToolUse Read", "Stop "];

/// Adds every payload to be judged by all packs and answered, and one of each event to be judged by each policy.
pub fn add(inputs: &mut Inputs, policies: &Judging, project: &str) -> Result<(), String> {
    let mut one_of_event: BTreeMap<String, (String, String)> = BTreeMap::new();
    let mut paths = files("tests/fixtures/payloads", &["json"])?;
    paths.extend(files("benches/payloads", &["json"])?);
    paths.extend(files("examples", &["json"])?);
    for path in paths {
        let text = read(&path)?;
        let host = if path.contains("/wave/") { "wave" } else { "claude-code" };
        inputs.judge(&path, PACKS, host, text.as_bytes(), None);
        inputs.answer(&path, project, host, text.as_bytes());
        let payload: Json = serde_json::from_str(&text).unwrap_or_default();
        let event = payload.get("hook_event_name").and_then(Json::as_str).unwrap_or_default();
        let tool = payload.get("tool_name").and_then(Json::as_str).unwrap_or_default();
        if host == "claude-code" && !path.contains("/others/") {
            one_of_event.insert(format!("{event} {tool}"), (path, text));
        }
    }
    for (name, line) in read("tests/fixtures/tools/ordinary.jsonl")?.lines().enumerate() {
        let row: Json = serde_json::from_str(line).map_err(|error| format!("tools/ordinary.jsonl: {error}"))?;
        let tool = row.get("tool").and_then(Json::as_str).unwrap_or_default();
        let payload = call(tool, row.get("input").unwrap_or(&Json::Null));
        inputs.judge(&format!("tools/ordinary.jsonl:{}", name + 1), PACKS, "claude-code", &payload, None);
    }
    for policy in policies.whole.iter().filter(|policy| *policy != PACKS) {
        for (path, text) in one_of_event.values() {
            inputs.judge(path, policy, "claude-code", text.as_bytes(), None);
        }
    }
    for policy in &policies.small {
        for (path, text) in FEW.iter().filter_map(|event| one_of_event.get(*event)) {
            inputs.judge(path, policy, "claude-code", text.as_bytes(), None);
        }
    }
    Ok(())
}
