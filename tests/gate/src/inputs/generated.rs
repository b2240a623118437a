//! Generated texts, payloads and policies, with a fixed seed: `hookrules-volume` lists those that it would try.

use std::path::Path;

use serde_json::{Value as Json, json};

use super::{Inputs, PACKS, commands};
use crate::compare::cargo;
use crate::{Options, root};

/// The kinds that are listed, and every how many inputs of each one is taken: some take long.
const KINDS: &[(&str, u64)] = &[("text", 1), ("code", 2), ("others", 2), ("payload", 1), ("policy", 2), ("index", 4)];

/// The longest text that is taken, in bytes: what the longest ones show, the limits, is not worth their time.
const LONGEST: usize = 16 << 10;

pub fn add(inputs: &mut Inputs, options: &Options, target: &Path, project: &str) -> Result<(), String> {
    if options.generated == 0 {
        return Ok(());
    }
    let calls: Vec<Vec<u8>> =
        inputs.cases.iter().filter(|case| case.is("judge")).step_by(97).map(|case| case.payload()).collect();
    for row in list(options, target)?.lines() {
        let row: Json = serde_json::from_str(row).map_err(|error| format!("hookrules-volume --list: {error}"))?;
        let (kind, number) = (row["kind"].as_str().unwrap_or_default(), row["number"].as_u64().unwrap_or_default());
        let text = row["text"].as_str().map(|text| text.as_bytes().to_vec());
        let byte = |byte: &Json| byte.as_u64().and_then(|byte| u8::try_from(byte).ok());
        let bytes = text.unwrap_or_else(|| row["bytes"].as_array().into_iter().flatten().filter_map(byte).collect());
        let every = KINDS.iter().find(|(name, _)| *name == kind).map_or(1, |(_, every)| *every);
        if number.is_multiple_of(every) && bytes.len() <= LONGEST {
            one(inputs, (kind, number), &bytes, &calls, project);
        }
    }
    Ok(())
}

fn one(inputs: &mut Inputs, (kind, number): (&str, u64), bytes: &[u8], calls: &[Vec<u8>], project: &str) {
    let name = format!("generated {kind} {number}");
    let text = String::from_utf8_lossy(bytes);
    match kind {
        "text" => commands::command(
            inputs,
            &format!("generated {kind}"),
            usize::try_from(number).unwrap_or(0),
            &text,
            project,
        ),
        "code" => inputs.shell(&name, "shell", &text),
        "others" => {
            inputs.shell(&name, "shell", &text);
            inputs.shell(&name, "powershell", &text);
        }
        "payload" => {
            let host = if number % 4 == 1 { "wave" } else { "claude-code" };
            inputs.judge(&name, PACKS, host, bytes, None);
            inputs.answer(&name, project, host, bytes);
        }
        "policy" => inputs.check(&name, "project.rules", &text),
        _ => {
            let named = |(at, rule): (usize, &str)| rule.replacen("NAME", &format!("r{at}"), 1);
            let text: String = text.split('\0').enumerate().map(named).collect();
            inputs.cases.push(crate::case::Case::new("policy", &name, json!({ "text": text })));
            for (at, call) in calls.iter().enumerate() {
                inputs.judge(&format!("call {at}"), &name, "claude-code", call, None);
            }
        }
    }
}

/// Has the generator of the present tree list its inputs.
fn list(options: &Options, target: &Path) -> Result<String, String> {
    let mut cargo = cargo();
    cargo.args(["run", "--locked", "--quiet", "-p", "hookrules-volume", "--target-dir"]).arg(target).arg("--");
    cargo.args(["--list", &options.generated.to_string(), "--seed", &options.seed.to_string()]);
    cargo.args(KINDS.iter().flat_map(|(kind, _)| ["--only", kind]));
    let output = cargo.current_dir(root()).output().map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("hookrules-volume does not list its inputs: {}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("hookrules-volume --list: {error}"))
}
