//! The answer of a hook: the bytes that its host reads, with the guards, the failure policy and the encoding.
//!
//! A project is a directory on disk, from which the policy and the facts are read. Nothing is
//! recorded, and each version keeps its compiled policy in a cache of its own; these policies start no command but those
//! that `inputs::machine` writes into them.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Once;

use hookrules::hooks::{self, Registration};
use hookrules::host::Host;
use hookrules::project::{Places, Trust};
use serde_json::{Value as Json, json};

use crate::case::Case;

/// Whether the compiled policy is kept.
static KEPT: Once = Once::new();

pub fn dump(case: &Case) -> Json {
    let Some(host) = Host::from_name(case.text("host")) else { return json!({ "unread": "host" }) };
    let project = PathBuf::from(case.text("project"));
    let mut answer = hooks::answer(&case.payload(), &registration(host, &project));
    let output = answer.output.clone();
    // What follows an answer is that the compiled policy is kept, for all answers after it.
    KEPT.call_once(|| answer.settle());
    let stdout = match serde_json::from_str::<Json>(&output.stdout) {
        Ok(Json::Object(members)) => Json::Object(members),
        _ => json!(output.stdout),
    };
    json!({ "exit": output.exit, "stdout": stdout, "stderr": output.stderr, "held": output.held })
}

fn registration(host: Host, project: &Path) -> Registration {
    // Only this account may enter a cache, else it is not used.
    let cache = project.join(format!("../cache-{}", std::process::id()));
    let _present = DirBuilder::new().mode(0o700).create(&cache);
    let places = Places {
        managed: project.join("../managed"),
        user: None,
        state: None,
        cache: Some(cache),
        project: None,
        gone: Vec::new(),
        trust: Trust::Given,
    };
    let project = Some(project.to_path_buf());
    Registration { host, project, here: None, places, requires_policy: true, problem: None }
}
