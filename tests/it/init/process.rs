//! The command: what is written where, what is refused, and the output.

use serde_json::Value as Json;

use super::machine;
use crate::machine::{Machine, Printed, send};

/// Runs `rules init …` in the machine's project.
fn run(machine: &Machine, args: &[&str]) -> Printed {
    let args: Vec<&str> = ["init"].iter().chain(args).copied().collect();
    let mut command = machine.command(&args);
    command.current_dir(machine.path("project"));
    let output = send(command, b"");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Printed { exit: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn rust() -> Machine {
    machine(&[("Cargo.toml", ""), ("Cargo.lock", ""), (".git/HEAD", "ref: refs/heads/main\n")])
}

#[test]
fn yes_writes_a_policy_that_checks_clean_and_denies() {
    let machine = rust();
    let printed = run(&machine, &["--yes"]);
    assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""));
    assert!(printed.stdout.contains("wrote .rules/project.rules: "), "{}", printed.stdout);
    assert!(printed.stdout.contains("rules install claude-code") && printed.stdout.contains("rules test"));
    let wide: Vec<&str> =
        printed.stdout.lines().filter(|line| line.chars().count() > 80 && !line.contains('/')).collect();
    assert!(wide.is_empty(), "{wide:?}");
    for command in ["check", "test"] {
        let mut check = machine.command(&[command]);
        check.current_dir(machine.path("project"));
        let output = send(check, b"");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let push = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push --force origin topic"}}"#;
    let judged = machine.rules(&["eval", "--policy", machine.path("project/.rules").to_str().unwrap()], push);
    let verdict: Json = serde_json::from_str(&judged.stdout).unwrap();
    assert_eq!(verdict["decision"], "deny", "{}", judged.stdout);
    assert!(!machine.exists("project/.rules/rules.toml"), "it would have nothing to say");
}

#[test]
fn without_a_terminal_nothing_is_written_and_the_way_is_said() {
    let machine = rust();
    let printed = run(&machine, &[]);
    assert_eq!(printed.exit, 1);
    assert_eq!(
        printed.stderr.split_whitespace().collect::<Vec<_>>().join(" "),
        "rules: nothing was written: there is no terminal to ask in; `--yes` writes without asking"
    );
    assert!(printed.stdout.contains("use \"std/git\""), "{}", printed.stdout);
    assert!(!machine.exists("project/.rules"));
}

#[test]
fn a_dry_run_shows_the_file_and_writes_nothing() {
    let machine = rust();
    let printed = run(&machine, &["--dry-run"]);
    assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""));
    assert!(printed.stdout.contains("use \"std/git\""), "{}", printed.stdout);
    assert!(!machine.exists("project/.rules"));
}

#[test]
fn json_says_what_was_found_and_what_would_be_written() {
    let machine = rust();
    let printed = run(&machine, &["--json", "--with", "read-only", "--without", "std/network"]);
    assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""));
    let all: Json = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!((&all["written"], &all["file"]), (&Json::Bool(false), &Json::from(".rules/project.rules")));
    let proposed = |name: &str| {
        let packs = all["packs"].as_array().unwrap();
        packs.iter().find(|pack| pack["pack"] == name).unwrap()["proposed"].as_bool().unwrap()
    };
    assert!(proposed("std/read-only") && !proposed("std/network") && proposed("std/git") && !proposed("std/habits"));
    assert!(all["findings"].as_array().unwrap().iter().any(|it| it["topic"] == "language" && it["name"] == "Rust"));
    assert!(!machine.exists("project/.rules"));
    let printed = run(&machine, &["--json", "--yes"]);
    let all: Json = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!(all["written"], true);
    assert_eq!(all["text"].as_str().unwrap(), machine.read("project/.rules/project.rules"));
}

#[test]
fn a_policy_that_is_there_stays_and_only_what_it_lacks_is_proposed() {
    let machine = rust();
    let own = "use \"std/git\" except no-add-everything\nuse \"std/secrets\"\n";
    machine.write("project/.rules/mine.rules", own);
    let printed = run(&machine, &["--yes"]);
    assert_eq!(printed.exit, 1);
    assert!(
        printed.stderr.contains("there is a policy already") && printed.stderr.contains("--dry-run"),
        "{}",
        printed.stderr
    );
    assert!(!printed.stdout.contains("std/git ") && printed.stdout.contains("std/filesystem"), "{}", printed.stdout);
    assert_eq!(machine.read("project/.rules/mine.rules"), own);
    assert!(!machine.exists("project/.rules/init.rules"));
    let shown = run(&machine, &["--dry-run"]);
    assert!(
        shown.stdout.contains("\n.rules/init.rules\n") && !shown.stdout.contains("use \"std/git\""),
        "{}",
        shown.stdout
    );
}

#[test]
fn a_policy_further_up_counts() {
    let machine = rust();
    machine.write(".rules/above.rules", "use \"std/git\" except no-add-everything\n");
    let printed = run(&machine, &["--yes"]);
    assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""));
    assert!(!machine.read("project/.rules/project.rules").contains("std/git"));
}

#[test]
fn a_directory_with_records_alone_holds_no_policy() {
    let machine = rust();
    machine
        .write("project/.rules/log/subagents.jsonl", "{}\n")
        .write("project/.rules/local/mine.rules", "use \"std/git\"\n");
    assert_eq!(run(&machine, &["--yes"]).exit, 0);
    // The local layer belongs to one person; a pack used there may still benefit everybody.
    assert!(machine.read("project/.rules/project.rules").contains("use \"std/git\""));
}

#[test]
fn a_project_can_be_named() {
    let machine = rust();
    machine.write("project/web/package.json", "{}");
    let printed = run(&machine, &["--yes", "web"]);
    assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""));
    assert!(printed.stdout.contains("\nnext in web:\n"), "{}", printed.stdout);
    assert!(machine.exists("project/web/.rules/project.rules") && !machine.exists("project/.rules"));
}

#[test]
fn a_second_run_has_nothing_to_add() {
    let machine = rust();
    assert_eq!(run(&machine, &["--yes"]).exit, 0);
    let before = machine.read("project/.rules/project.rules");
    let printed = run(&machine, &["--yes"]);
    assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""));
    assert!(
        printed.stdout.ends_with("There is nothing to add: the policy has all of that already.\n"),
        "{}",
        printed.stdout
    );
    assert_eq!(machine.read("project/.rules/project.rules"), before);
}

#[test]
fn nothing_is_written_through_a_link_or_over_a_file() {
    let machine = rust();
    machine.write("outside/a", "");
    machine.link("../outside", "project/.rules");
    let printed = run(&machine, &["--yes"]);
    assert_eq!(printed.exit, 1);
    assert!(printed.stderr.contains("link"), "{}", printed.stderr);
    assert!(!machine.exists("outside/project.rules"));

    let machine = rust();
    machine.link("../../outside.rules", "project/.rules/project.rules");
    let printed = run(&machine, &["--yes"]);
    assert!(printed.exit != 0 && !machine.exists("outside.rules"), "{}", printed.stderr);

    let machine = rust();
    machine.write("project/.rules", "a file\n");
    assert_eq!(run(&machine, &["--yes"]).exit, 1);
    assert_eq!(machine.read("project/.rules"), "a file\n");
}

#[test]
fn a_policy_that_does_not_load_is_repaired_first() {
    let machine = rust();
    machine.write("project/.rules/mine.rules", "rule a {\n");
    let printed = run(&machine, &["--yes"]);
    assert_eq!((printed.exit, printed.stderr.contains("`rules check`")), (3, true), "{}", printed.stderr);
}

#[test]
fn a_wrong_command_line_is_told_what_there_is() {
    let machine = rust();
    for (args, exit, said) in [
        (&["--with", "gti"][..], 2, "`std/git`"),
        (&["--with", "habits", "--without", "std/habits"], 2, "both"),
        (&["--yes", "--dry-run"], 2, "cannot be used with"),
        (&["nowhere"], 3, "does not exist"),
        (&["Cargo.toml"], 3, "not a directory"),
    ] {
        let printed = run(&machine, args);
        assert_eq!(printed.exit, exit, "{args:?}: {}", printed.stderr);
        assert!(printed.stderr.contains(said), "{args:?}: {}", printed.stderr);
    }
    assert!(!machine.exists("project/.rules"));
}

#[test]
fn what_stands_already_is_named_and_left_alone() {
    let settings = r#"{"permissions": {"deny": ["Read(./secrets/**)", "WebFetch\u001b[31m"]}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "./done.sh"}]}]}}"#;
    let machine = machine(&[(".claude/settings.json", settings)]);
    let printed = run(&machine, &["--dry-run"]);
    for part in ["`Read(./secrets/**)`", "`WebFetch\\u{1b}[31m`", "`./done.sh`", "permissions: 2 denied; hooks on Stop"]
    {
        let flat = printed.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(part), "{part}: {}", printed.stdout);
    }
    assert_eq!(machine.read("project/.claude/settings.json"), settings);
}
