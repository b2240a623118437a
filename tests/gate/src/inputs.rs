//! The inputs, from the present tree: its policies, fixtures and book, a corpus outside of it, and generated texts.

mod commands;
mod generated;
mod machine;
mod payloads;
mod policies;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use crate::case::Case;
use crate::{Options, root};

/// All cases, with unique names.
pub struct Inputs {
    pub cases: Vec<Case>,
    names: BTreeSet<String>,
}

impl Inputs {
    /// Collects the inputs. `build` is the directory for what has to be on disk.
    pub fn collect(options: &Options, target: &Path) -> Result<Self, String> {
        let mut inputs = Self { cases: Vec::new(), names: BTreeSet::new() };
        let project = machine::make(&target.join("gate/machine"))?;
        let policies = policies::add(&mut inputs, &target.join("gate/policies"))?;
        payloads::add(&mut inputs, &policies, &project)?;
        for (name, payload) in machine::PAYLOADS {
            inputs.answer(name, &project, "claude-code", payload.as_bytes());
            inputs.answer(name, &project, "wave", payload.as_bytes());
        }
        machine::effects().for_each(|command| commands::answered(&mut inputs, &command, &project));
        commands::add(&mut inputs, &options.corpus, &project)?;
        generated::add(&mut inputs, options, target, &project)?;
        if let Some(text) = &options.only {
            inputs.cases.retain(|case| case.is("policy") || case.name().contains(text));
        }
        Ok(inputs)
    }

    /// Adds a case. A name that is taken gets a number.
    fn add(&mut self, kind: &str, name: &str, members: Json) -> &mut Case {
        let named = |at: usize| if at == 1 { name.to_owned() } else { format!("{name} ({at})") };
        let name = (1..).map(named).find(|name| !self.names.contains(name)).unwrap_or_default();
        self.names.insert(name.clone());
        self.cases.push(Case::new(kind, &name, members));
        let last = self.cases.len() - 1;
        &mut self.cases[last]
    }

    /// Adds the findings about a policy of one file.
    fn check(&mut self, name: &str, file: &str, text: &str) {
        self.add("check", &format!("check {name}"), json!({ "file": file, "text": text }));
    }

    /// Adds the judgement of a payload by a policy.
    fn judge(&mut self, name: &str, policy: &str, host: &str, payload: &[u8], facts: Option<&Json>) {
        let mut members = json!({ "policy": policy, "host": host });
        if let (Some(facts), Json::Object(members)) = (facts, &mut members) {
            members.insert("facts".to_owned(), facts.clone());
        }
        let case = self.add("judge", &format!("judge {policy}: {name}"), members);
        *case = case.clone().with_payload(payload);
    }

    /// Adds the answer of a hook.
    fn answer(&mut self, name: &str, project: &str, host: &str, payload: &[u8]) {
        let case = self.add("answer", &format!("answer {host}: {name}"), json!({ "project": project, "host": host }));
        *case = case.clone().with_payload(payload);
    }

    /// Adds the analysis of a text.
    fn shell(&mut self, name: &str, reader: &str, text: &str) {
        self.add("shell", &format!("{reader} {name}"), json!({ "reader": reader, "text": text }));
    }
}

/// The name of the policy with every pack.
const PACKS: &str = "packs";

/// Returns the call of a tool.
fn call(tool: &str, input: &Json) -> Vec<u8> {
    let payload = json!({
        "session_id": "s", "transcript_path": "/home/user/t.jsonl", "cwd": "/project", "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": tool, "tool_use_id": "t1", "tool_input": input,
    });
    payload.to_string().into_bytes()
}

/// Returns the files below a directory of the tree with one of these extensions, in a stable order, by their paths from
/// the root.
fn files(directory: &str, extensions: &[&str]) -> Result<Vec<String>, String> {
    let (mut found, mut open) = (Vec::new(), vec![PathBuf::from(directory)]);
    while let Some(directory) = open.pop() {
        let entries =
            fs::read_dir(root().join(&directory)).map_err(|error| format!("{}: {error}", directory.display()))?;
        for entry in entries.flatten() {
            let path = directory.join(entry.file_name());
            if root().join(&path).is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extensions.iter().any(|one| extension == *one)) {
                found.push(path.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Reads a file of the tree.
fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

/// Writes a file, and the directories above it.
fn write(path: &Path, text: &str) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(path.parent().unwrap_or(path)).map_err(told)?;
    fs::write(path, text).map_err(told)
}
