//! Judges the calls of an agent by the policy of the quick start: `cargo run --example embed`.
//!
//! What a real program would do at each: run the call, ask its user, or give the message back to the model.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use hookrules::facts::MachineFacts;
use hookrules::{Engine, event};
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let project = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/quickstart");
    let engine = Engine::load(std::slice::from_ref(&project))?;
    let facts = MachineFacts::new(Some(project.clone()));
    let calls = [
        ("Read", json!({ "file_path": project.join("README.md") })),
        ("Read", json!({ "file_path": project.join(".env") })),
        ("Edit", json!({ "file_path": project.join("Cargo.lock"), "old_string": "1", "new_string": "2" })),
    ];
    let mut out = io::stdout().lock();
    for (tool, input) in calls {
        let call = json!({
            "hook_event_name": "PreToolUse", "cwd": project, "tool_name": tool, "tool_input": input,
        });
        let verdict = engine.judge(&event(call.to_string().as_bytes())?, &facts).verdict;
        writeln!(out, "{tool}: {} {}", verdict.decision().word(), verdict.message())?;
    }
    Ok(())
}
