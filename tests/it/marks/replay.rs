//! Events of the decision log, judged again with the past that they had.

use super::*;
use crate::machine::Printed;

/// Runs a command of `rules` for the log of a machine.
fn printed(machine: &Machine, args: &[&str]) -> Printed {
    let state = machine.path("state");
    let args: Vec<&str> = args.iter().copied().chain(["--state-dir", state.to_str().unwrap()]).collect();
    machine.rules(&args, "")
}

fn explained(machine: &Machine, line: &str) -> String {
    let printed = printed(machine, &["explain", "--all", "--id", line]);
    assert_eq!(printed.exit, 0, "{printed:?}");
    printed.stdout.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Plays a session of which each Stop is logged: one that is held after an edit, and one after the tests.
fn played(machine: &Machine) {
    machine.write("project/.rules/rules.toml", "[log]\nlevel = \"all\"\n");
    let session = session(machine);
    session.start("startup");
    session.edited("t1");
    session.stop().denies("Run the tests.");
    session.ran("t2", "npm test");
    session.stop().is_silent();
}

/// Returns the numbers of the lines about Stop.
fn stops(machine: &Machine) -> Vec<String> {
    let shown = printed(machine, &["log", "--json"]).stdout;
    let lines = shown.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    lines.filter(|line| line["event"] == "Stop").map(|line| line["number"].to_string()).collect()
}

#[test]
fn a_line_of_the_log_is_explained_with_its_own_past() {
    let machine = Machine::with(GATE);
    played(&machine);
    let stops = stops(&machine);
    let [held, let_through] = &stops[..] else { panic!("{stops:?}") };
    let then = explained(&machine, held);
    assert!(then.contains("Stop → deny") && then.contains("`edited` happened once since the last `tested`"), "{then}");
    let later = explained(&machine, let_through);
    assert!(later.contains("Stop → pass") && later.contains("the last `tested` was at"), "{later}");
}

#[test]
fn no_decision_about_the_past_changes_when_it_is_judged_again() {
    let machine = Machine::with(GATE);
    played(&machine);
    let same = printed(&machine, &["eval", "--log", "--recheck"]);
    assert_eq!(same.stdout, "none of 6 decisions would change\n", "{same:?}");
}

#[test]
fn the_past_is_unknown_where_the_journal_was_shortened_since() {
    let machine = Machine::with(GATE);
    played(&machine);
    let journal = session(&machine).journal();
    let shorter: String = machine.read(&journal).lines().take(2).map(|line| format!("{line}\n")).collect();
    machine.write(&journal, &shorter);
    let stops = stops(&machine);
    let then = explained(&machine, &stops[1]);
    assert!(then.contains("the session's journal was shortened after the event"), "{then}");
}

#[test]
fn a_clock_of_the_log_is_that_of_the_event() {
    let machine =
        Machine::with("rule late {\n  on PreToolUse(Bash)\n  when time in \"00:00\"..\"00:01\"\n  deny \"Late.\"\n}\n");
    machine.write("project/.rules/rules.toml", "[log]\nlevel = \"all\"\n");
    machine.hook(&machine.bash("ls"));
    let shown = printed(&machine, &["log", "--json"]).stdout;
    let mut line: Json = serde_json::from_str(shown.lines().next().unwrap()).unwrap();
    line["time"] = json!("2026-11-21T00:00:30.100Z");
    let printed = machine.rules(&["eval", "-"], &format!("{line}\n"));
    assert!(printed.stdout.contains("\"decision\":\"deny\""), "{printed:?}");
    line["time"] = json!("2026-11-21T00:02:30.100Z");
    let printed = machine.rules(&["eval", "-"], &format!("{line}\n"));
    assert!(printed.stdout.contains("\"decision\":\"pass\""), "{printed:?}");
}
