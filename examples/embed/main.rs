//! Judges the calls of an agent by the policy of the quick start: `cargo run --example embed`.
//!
//! What a real program would do at each: run the call, ask its user, or give the message back to the model.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;

use hookrules::{Engine, HookEvent, MachineFacts};
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let project = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/quickstart");
    let engine = Engine::load([&project])?;
    let facts = MachineFacts::new(Some(project.clone()));
    let calls = [
        ("Read", json!({ "file_path": project.join("README.md") })),
        ("Read", json!({ "file_path": project.join(".env") })),
        ("Edit", json!({ "file_path": project.join("Cargo.lock"), "old_string": "1", "new_string": "2" })),
    ];
    let mut out = io::stdout().lock();
    for (tool, input) in calls {
        let judgement = engine.judge(&HookEvent::tool_call(tool, input)?.with_cwd(&project), &facts);
        writeln!(out, "{tool}: {} {}", judgement.decision(), judgement.message())?;
        for reason in judgement.reasons() {
            writeln!(out, "  {} says {}", reason.rule, reason.decision)?;
        }
    }
    Ok(())
}
