//! The remains of interrupted writes, and changes during a read.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};

use hookrules::hooks::{Registration, answer_event};
use hookrules::host::Host;
use hookrules::project::{MachinePlaces, TrustRequirement};
use serde_json::{Value as Json, json};

use super::{CALLS, Matrix, POLICY, hook};
use crate::machine::Machine;

/// Returns every file below a directory.
fn files_below(directory: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![directory.to_path_buf()]);
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                open.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

/// Runs the hook in this process, like the binary but without starting one.
fn here(machine: &Machine, payload: &Json) -> (u8, String) {
    let places = MachinePlaces {
        managed: machine.path("managed"),
        user: Some(machine.path("user")),
        state: Some(machine.path("state")),
        cache: Some(machine.path("state/cache")),
        project: None,
        missing_projects: Vec::new(),
        trust: TrustRequirement::NotRequired,
    };
    let project = Some(machine.path("project"));
    let registration = Registration {
        host: Host::CLAUDE_CODE,
        project,
        start_directory: None,
        places,
        requires_policy: false,
        problem: None,
    };
    let mut answer = answer_event(payload.to_string().as_bytes(), &registration);
    let output = answer.output.clone();
    answer.settle();
    (output.exit, output.stdout)
}

#[test]
fn what_is_kept_and_cut_off_at_any_length_changes_no_answer() {
    let record = "rule tell {\n  on PreToolUse\n  record \"calls.jsonl\" { tool_name }\n}\n";
    let machine = Machine::with(&format!("{POLICY}{record}"));
    let payload = machine.bash(CALLS[0]);
    let whole = here(&machine, &payload);
    assert_eq!(whole.0, 2);
    let state = machine.path("state");
    let files: Vec<(PathBuf, Vec<u8>)> =
        files_below(&state).into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect();
    let names: Vec<String> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    for kind in ["cache", "decisions.jsonl"] {
        assert!(names.iter().any(|name| name.contains(kind)), "{names:?}");
    }
    for (path, bytes) in &files {
        // Every length of short files; for long ones, the lengths around possible ends of blocks.
        let is_near =
            |length: &usize| bytes.len() < 600 || *length < 200 || length % 64 < 2 || *length + 50 > bytes.len();
        for length in (0..bytes.len()).filter(is_near) {
            fs::write(path, &bytes[..length]).unwrap();
            let cut = here(&machine, &payload);
            assert_eq!(cut, whole, "{} cut off at {length} of {}", path.display(), bytes.len());
        }
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn a_line_that_was_cut_off_spoils_no_other() {
    let machine = Machine::with(POLICY);
    here(&machine, &machine.bash(CALLS[0]));
    let log =
        files_below(&machine.path("state/log")).into_iter().find(|path| path.ends_with("decisions.jsonl")).unwrap();
    let first = fs::read(&log).unwrap();
    fs::write(&log, &first[..first.len() / 2]).unwrap();
    here(&machine, &machine.bash(CALLS[1]));
    let text = fs::read_to_string(&log).unwrap();
    let last: Json = serde_json::from_str(text.lines().last().unwrap()).unwrap_or_default();
    assert_eq!(last["decision"], json!("ask"), "{text}");
}

#[test]
fn a_hook_that_is_killed_once_it_has_answered_misleads_no_other() {
    let mut matrix = Matrix::default();
    for round in 0..12 {
        let machine = Machine::with(POLICY);
        let mut command = machine.hook_command(&["claude-code"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(machine.bash(CALLS[0]).to_string().as_bytes()).unwrap();
        let mut first = [0; 1];
        child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
        // At this point it caches the policy and writes its log.
        child.kill().unwrap();
        child.wait().unwrap();
        for call in CALLS {
            matrix.right(&format!("round {round}"), call, &hook(&machine, call));
        }
    }
    matrix.done();
}

#[test]
fn a_source_that_changes_while_it_is_read_lets_no_call_through() {
    const SOURCE: &str = "project/.rules/project.rules";
    let machine = Machine::with(POLICY);
    let other = POLICY.replace("\"No.\"", "\"On.\"").replace("\"Sure?\"", "\"Well?\"");
    let done = AtomicBool::new(false);
    let mut matrix = Matrix::default();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let (target, new) = (machine.path(SOURCE), machine.path("project/new"));
            for round in 0_usize.. {
                if done.load(Ordering::Relaxed) {
                    break;
                }
                let text = if round.is_multiple_of(2) { &other } else { POLICY };
                // Overwritten, so that no content is missing at any moment; truncated first; and replaced atomically.
                match round % 3 {
                    0 => {
                        let mut file = fs::File::options().write(true).open(&target).unwrap();
                        file.write_all(text.as_bytes()).unwrap();
                    }
                    1 => fs::write(&target, text).unwrap(),
                    _ => {
                        fs::write(&new, text).unwrap();
                        fs::rename(&new, &target).unwrap();
                    }
                }
            }
        });
        for round in 0..12 {
            for call in CALLS {
                matrix.closed(&format!("round {round}: {call}"), &hook(&machine, call));
            }
        }
        done.store(true, Ordering::Relaxed);
        writer.join().unwrap();
    });
    for (text, reason) in [(POLICY, "No."), (&other, "On.")] {
        machine.write(SOURCE, text);
        let output = hook(&machine, CALLS[0]);
        matrix.right("once it rests", CALLS[0], &output);
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{output:?}");
    }
    matrix.done();
}
