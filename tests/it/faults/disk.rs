//! State, cache, home and policy that cannot be read or written, or have the wrong type.

use std::fs;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{CALLS, Matrix, POLICY, hook, through_shell};
use crate::machine::{Machine, send};

/// An obstacle to what a hook stores; none of them changes an answer.
type Obstacle = (&'static str, fn(&Machine));

fn gone(machine: &Machine, path: &str) {
    fs::remove_dir(machine.path(path)).unwrap();
}

const OBSTACLES: &[Obstacle] = &[
    ("the state is a file", |machine| {
        gone(machine, "state");
        machine.write("state", "");
    }),
    ("the state is a loop of links", |machine| {
        gone(machine, "state");
        machine.link(machine.path("state"), "state");
    }),
    ("the state leads nowhere", |machine| {
        gone(machine, "state");
        machine.link("/nonexistent/x", "state");
    }),
    ("the state is the full device", |machine| {
        gone(machine, "state");
        machine.link("/dev/full", "state");
    }),
    ("the state cannot be written", |machine| {
        machine.mode("state", 0o555);
    }),
    ("the state cannot be entered", |machine| {
        machine.mode("state", 0o000);
    }),
    ("the state is not there and cannot be made", |machine| {
        gone(machine, "state");
        machine.mode(".", 0o555);
    }),
    ("the cache is a file", |machine| {
        machine.write("state/cache", "");
    }),
    ("the cache is a loop of links", |machine| {
        machine.link(machine.path("state/cache"), "state/cache");
    }),
    ("the cache is another directory", |machine| {
        machine.link(machine.path("home"), "state/cache");
    }),
    ("the cache is everybody's", |machine| {
        machine.write("state/cache/x", "").mode("state/cache", 0o777);
    }),
    ("the cache cannot be written", |machine| {
        machine.write("state/cache/x", "").mode("state/cache", 0o500);
    }),
    ("the cache cannot be entered", |machine| {
        machine.write("state/cache/x", "").mode("state/cache", 0o000);
    }),
    ("the log is a file", |machine| {
        machine.write("state/log", "");
    }),
    ("the log is a loop of links", |machine| {
        machine.link(machine.path("state/log"), "state/log");
    }),
    ("the log cannot be written", |machine| {
        machine.write("state/log/x", "").mode("state/log", 0o555);
    }),
    ("the home is not there", |machine| gone(machine, "home")),
    ("the home is a file", |machine| {
        gone(machine, "home");
        machine.write("home", "");
    }),
    ("the home is a loop of links", |machine| {
        gone(machine, "home");
        machine.link(machine.path("home"), "home");
    }),
    ("the home cannot be written", |machine| {
        machine.mode("home", 0o555);
    }),
    ("the home cannot be entered", |machine| {
        machine.mode("home", 0o000);
    }),
    ("the account has no policy", |machine| gone(machine, "user")),
    ("the administrator has no policy", |machine| gone(machine, "managed")),
];

/// Makes the directories removable.
fn open_again(machine: &Machine) {
    machine.mode(".", 0o755);
    for path in ["state", "state/cache", "state/log", "home", "user", "project/.rules"] {
        if fs::symlink_metadata(machine.path(path)).is_ok_and(|metadata| metadata.is_dir()) {
            machine.mode(path, 0o755);
        }
    }
}

#[test]
fn nothing_that_cannot_be_kept_changes_an_answer() {
    let mut matrix = Matrix::default();
    for (row, prepare) in OBSTACLES {
        let machine = Machine::with(POLICY);
        prepare(&machine);
        for round in ["first", "second"] {
            for call in CALLS {
                matrix.right(&format!("{row}, the {round} hook"), call, &hook(&machine, call));
            }
        }
        open_again(&machine);
    }
    matrix.done();
}

#[test]
fn what_may_not_grow_changes_no_answer() {
    // Simulates a full disk: cache, log and records cannot be written.
    let mut matrix = Matrix::default();
    let record = "rule tell {\n  on PreToolUse\n  record \"calls.jsonl\" { tool_name }\n}\n";
    for policy in [POLICY.to_owned(), format!("{POLICY}{record}")] {
        let machine = Machine::with(&policy);
        for round in ["first", "second"] {
            for call in CALLS {
                let command = through_shell(&machine, "ulimit -f 0;", "");
                let output = send(command, machine.bash(call).to_string().as_bytes());
                matrix.closed(&format!("the {round} hook: {call}"), &output);
            }
        }
        matrix.right("with room again", CALLS[0], &hook(&machine, CALLS[0]));
    }
    matrix.done();
}

/// Faults of a policy; the failure policy answers if it cannot be read.
const POLICIES: &[Obstacle] = &[
    ("it cannot be read", |machine| {
        machine.mode("project/.rules/project.rules", 0o000);
    }),
    ("its directory cannot be listed", |machine| {
        machine.mode("project/.rules", 0o000);
    }),
    ("its directory cannot be entered", |machine| {
        machine.mode("project/.rules", 0o444);
    }),
    ("it is a loop of links", |machine| {
        drop(fs::remove_file(machine.path("project/.rules/project.rules")));
        machine.link(machine.path("project/.rules/project.rules"), "project/.rules/project.rules");
    }),
    ("it is the full device", |machine| {
        drop(fs::remove_file(machine.path("project/.rules/project.rules")));
        machine.link("/dev/full", "project/.rules/project.rules");
    }),
    ("its directory is a loop of links", |machine| {
        drop(fs::remove_dir_all(machine.path("project/.rules")));
        machine.link(machine.path("project/.rules"), "project/.rules");
    }),
    ("its directory is a file", |machine| {
        drop(fs::remove_dir_all(machine.path("project/.rules")));
        machine.write("project/.rules", "");
    }),
    ("the account's is a loop of links", |machine| {
        gone(machine, "user");
        machine.link(machine.path("user"), "user");
    }),
    ("the administrator's is a file", |machine| {
        gone(machine, "managed");
        machine.write("managed", "");
    }),
    ("its settings cannot be read", |machine| {
        machine.write("project/.rules/rules.toml", "").mode("project/.rules/rules.toml", 0o000);
    }),
];

#[test]
fn a_policy_that_cannot_be_read_lets_no_call_through() {
    let mut matrix = Matrix::default();
    for (row, prepare) in POLICIES {
        for kept in ["nothing is kept", "it is kept as it was"] {
            let machine = Machine::with(POLICY);
            if kept != "nothing is kept" {
                matrix.right(row, CALLS[0], &hook(&machine, CALLS[0]));
            }
            prepare(&machine);
            for call in CALLS {
                matrix.closed(&format!("{row}, {kept}: {call}"), &hook(&machine, call));
            }
            open_again(&machine);
        }
    }
    matrix.done();
}

/// Modification times that a file may have, from a clock that was wrong, is wrong, or jumps.
fn times() -> Vec<SystemTime> {
    let day = Duration::from_secs(24 * 60 * 60);
    let now = SystemTime::now();
    vec![UNIX_EPOCH, UNIX_EPOCH + day, now - day, now - Duration::from_secs(1), now, now + day, now + 36_500 * day]
}

fn set_time(machine: &Machine, path: &str, time: SystemTime) {
    let file = fs::File::options().write(true).open(machine.path(path)).unwrap();
    file.set_modified(time).unwrap();
}

#[test]
fn a_clock_that_jumps_hides_no_change() {
    const SOURCE: &str = "project/.rules/project.rules";
    let other = POLICY.replace("\"No.\"", "\"On.\"");
    let mut matrix = Matrix::default();
    for before in times() {
        for after in times() {
            let machine = Machine::with(POLICY);
            set_time(&machine, SOURCE, before);
            matrix.right("as it was", CALLS[0], &hook(&machine, CALLS[0]));
            for kept in fs::read_dir(machine.path("state/cache")).unwrap() {
                let kept = fs::File::options().write(true).open(kept.unwrap().path()).unwrap();
                kept.set_modified(after).unwrap();
            }
            // The same length as before, with a time that the clock may show.
            machine.write(SOURCE, &other);
            set_time(&machine, SOURCE, after);
            let output = hook(&machine, CALLS[0]);
            matrix.right("changed", CALLS[0], &output);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            if !said.contains("On.") {
                matrix.wrong.push(format!("{before:?}, then {after:?}: the change is not seen: {said}"));
            }
        }
    }
    matrix.done();
}
