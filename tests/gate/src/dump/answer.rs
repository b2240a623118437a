//! The answer of a hook: the bytes that its host reads, with the guards, the failure policy and the encoding.
//!
//! A project is a directory on disk, from which the policy and the facts are read. Nothing is
//! recorded, and the compiled policy is kept in a cache, which is empty at first; these policies start no command but
//! those that `inputs::machine` writes into them.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use hookrules::hooks::{self, Registration};
use hookrules::host::Host;
use hookrules::project::{MachinePlaces, TrustRequirement};
use serde_json::{Value as Json, json};

use crate::case::Case;

/// Keeps the compiled policy of a case, before any case is dumped: the work that is left for a call depends on the
/// files around its project, among which the cache is.
pub fn keep(case: &Case) {
    let Some(host) = Host::from_name(case.text("host")) else { return };
    let event = br#"{"hook_event_name": "Stop", "session_id": "s", "stop_hook_active": false}"#;
    hooks::answer_event(event, &registration(host, Path::new(case.text("project")))).settle();
}

pub fn dump(case: &Case) -> Json {
    let Some(host) = Host::from_name(case.text("host")) else { return json!({ "unread": "host" }) };
    let project = PathBuf::from(case.text("project"));
    let output = hooks::answer_event(&case.payload(), &registration(host, &project)).output;
    let stdout = match serde_json::from_str::<Json>(&output.stdout) {
        Ok(Json::Object(members)) => Json::Object(members),
        _ => json!(output.stdout),
    };
    json!({ "exit": output.exit, "stdout": stdout, "stderr": output.stderr, "held": output.deferred })
}

fn registration(host: Host, project: &Path) -> Registration {
    // Only this account may enter a cache, else it is not used.
    let cache = project.join("../cache");
    let _present = DirBuilder::new().mode(0o700).create(&cache);
    let places = MachinePlaces {
        managed: project.join("../managed"),
        user: None,
        state: None,
        cache: Some(cache),
        project: None,
        missing_projects: Vec::new(),
        trust: TrustRequirement::NotRequired,
    };
    let project = Some(project.to_path_buf());
    Registration { host, project, start_directory: None, places, requires_policy: true, problem: None }
}
