//! Shell texts and calls: the fixtures', those that are executed, and those of a corpus outside of the tree.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::{Inputs, PACKS, call, files, read};
use crate::{root, texts};

/// Every how many texts one is also answered by a hook on disk.
const ANSWERED: usize = 16;

pub fn add(inputs: &mut Inputs, corpus: &Path, project: &str) -> Result<(), String> {
    let fixtures = ["tests/fixtures/shell", "shell/fixtures"].map(|directory| root().join(directory));
    let fixtures = texts::of(&fixtures).map_err(|error| format!("the fixtures of shell texts: {error}"))?;
    for (at, text) in fixtures.iter().enumerate() {
        command(inputs, "fixture", at, text, project);
    }
    for path in ["tests/fixtures/work.txt", "tests/fixtures/tries.txt"] {
        for (at, line) in lines(&read(path)?).into_iter().enumerate() {
            match serde_json::from_str::<Json>(&line) {
                Ok(row @ Json::Object(_)) => tool(inputs, path, at, &row),
                _ => command(inputs, path, at, &line, project),
            }
        }
    }
    for path in files("tests/differential/texts", &["txt"])? {
        for (at, line) in lines(&read(&path)?).into_iter().filter(|line| !line.starts_with('=')).enumerate() {
            command(inputs, &path, at, &line, project);
        }
    }
    for line in read("shell/fixtures/powershell.txt")?.lines().filter(|line| !line.is_empty()) {
        inputs.shell("shell/fixtures/powershell.txt", "powershell", &line.replace('⏎', "\n"));
    }
    of_corpus(inputs, corpus, project)
}

/// Adds the rows of the corpus, if it is there.
fn of_corpus(inputs: &mut Inputs, corpus: &Path, project: &str) -> Result<(), String> {
    let Ok(entries) = std::fs::read_dir(corpus) else {
        println!("no corpus at {}: its commands are not compared", corpus.display());
        return Ok(());
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        for (at, line) in text.lines().enumerate() {
            let row: Json = serde_json::from_str(line).map_err(|error| format!("{name}:{}: {error}", at + 1))?;
            let text = row.get("command").or_else(|| row.get("text")).and_then(Json::as_str);
            if let Some(text) = text {
                command(inputs, &name, at, text, project);
            }
        }
    }
    Ok(())
}

/// Adds a text: its analysis, and its judgement by all packs.
pub fn command(inputs: &mut Inputs, name: &str, at: usize, text: &str, project: &str) {
    let name = format!("{name} {}", at + 1);
    let payload = call("Bash", &json!({ "command": text }));
    inputs.shell(&name, "shell", text);
    inputs.judge(&name, PACKS, "claude-code", &payload, None);
    if at.is_multiple_of(ANSWERED) {
        inputs.answer(&name, project, "claude-code", &payload);
    }
}

/// Adds the answers of a hook to a command, for every host.
pub fn answered(inputs: &mut Inputs, command: &str, project: &str) {
    let payload = call("Bash", &json!({ "command": command }));
    for host in ["claude-code", "wave"] {
        inputs.answer(command, project, host, &payload);
    }
}

fn tool(inputs: &mut Inputs, name: &str, at: usize, row: &Json) {
    let tool = row.get("tool").or_else(|| row.get("tool_name")).and_then(Json::as_str).unwrap_or_default();
    let input = row.get("input").or_else(|| row.get("tool_input")).unwrap_or(&Json::Null);
    inputs.judge(&format!("{name} {}", at + 1), PACKS, "claude-code", &call(tool, input), None);
}

/// Returns the calls of a file, one a line, with `⏎` for newlines in it and a remark behind it.
fn lines(file: &str) -> Vec<String> {
    let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let without = |line: &str| {
        let line = line.split(" ⟵").next().unwrap_or(line);
        line.split(" #needs").next().unwrap_or(line).replace('⏎', "\n")
    };
    lines.map(without).collect()
}
