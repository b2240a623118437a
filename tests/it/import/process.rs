//! The command: which file it reads, which files it writes where, and that it overwrites nothing.

use crate::machine::{Machine, Printed, Reply, send};

/// Runs `rules import …` in a directory of the machine.
fn run(machine: &Machine, directory: &str, args: &[&str]) -> Printed {
    run_format(machine, "conclaude", directory, args)
}

/// Runs `rules import FORMAT …` in a directory of the machine.
fn run_format(machine: &Machine, format: &str, directory: &str, args: &[&str]) -> Printed {
    let args: Vec<&str> = ["import", format].iter().chain(args).copied().collect();
    let mut command = machine.command(&args);
    command.current_dir(machine.path(directory));
    let output = send(command, b"");
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Printed { exit: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

const SOURCE: &str = "stop:\n  commands:\n    - run: npm test\n  infinte: true\nnotifications:\n  enabled: true\n";

fn machine() -> Machine {
    let machine = Machine::new();
    machine.write("project/.conclaude.yaml", SOURCE);
    machine
}

#[test]
fn both_files_are_written_beside_the_configuration() {
    let machine = machine();
    let printed = run(&machine, "project", &[]);
    assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""));
    assert_eq!(
        printed.stdout,
        "read `.conclaude.yaml`\n.rules/conclaude.rules: 2 rules, 1 note at its top\n.rules/rules.toml: the settings\nnext: rules check\n"
    );
    assert!(machine.read("project/.rules/conclaude.rules").contains("rule npm-test-before-stop {"));
    assert!(machine.read("project/.rules/rules.toml").contains("enabled = true\nhooks = []\n"));
    let mut check = machine.command(&["check"]);
    check.current_dir(machine.path("project"));
    assert_eq!(send(check, b"").status.code(), Some(0));
}

#[test]
fn the_configuration_of_a_directory_above_is_found() {
    let machine = machine();
    machine.write("project/src/deep/a.rs", "");
    assert_eq!(run(&machine, "project/src/deep", &[]).exit, 0);
    assert!(machine.exists("project/.rules/conclaude.rules") && !machine.exists("project/src/deep/.rules"));
}

#[test]
fn nothing_is_written_over() {
    let machine = machine();
    machine.write("project/.rules/conclaude.rules", "# mine\n");
    let printed = run(&machine, "project", &[]);
    assert_eq!((printed.exit, printed.stdout.as_str()), (1, ""));
    assert!(printed.stderr.contains("exists") && printed.stderr.contains("--print"), "{}", printed.stderr);
    assert_eq!(machine.read("project/.rules/conclaude.rules"), "# mine\n");
    assert!(!machine.exists("project/.rules/rules.toml"));
}

#[test]
fn a_link_to_nowhere_is_not_written_through() {
    let machine = machine();
    machine.link(machine.path("project/outside.rules"), "project/.rules/conclaude.rules");
    assert_eq!(run(&machine, "project", &[]).exit, 1);
    assert!(!machine.exists("project/outside.rules"));
}

#[test]
fn settings_that_exist_stay_and_are_told_what_to_add() {
    let machine = machine();
    machine.write("project/.rules/rules.toml", "edition = 1\n");
    let printed = run(&machine, "project", &[]);
    assert_eq!(printed.exit, 0);
    let expected =
        ".rules/rules.toml exists; add what is missing in it:\n\n[notifications]\nenabled = true\nhooks = []\n";
    assert!(printed.stdout.contains(expected), "{}", printed.stdout);
    assert_eq!(machine.read("project/.rules/rules.toml"), "edition = 1\n");
}

#[test]
fn a_directory_can_be_named_and_print_writes_nothing() {
    let machine = machine();
    let printed = run(&machine, "project", &["--print"]);
    assert_eq!(printed.exit, 0);
    assert!(printed.stdout.contains("rule npm-test-before-stop {") && printed.stdout.contains("# [notifications]\n"));
    assert!(!machine.exists("project/.rules"));
    let printed = run(&machine, "home", &["--to", "policy", machine.path("project/.conclaude.yaml").to_str().unwrap()]);
    assert_eq!(printed.exit, 0, "{printed:?}");
    assert!(printed.stdout.ends_with("next: rules check policy\n"));
    assert!(machine.exists("home/policy/conclaude.rules"));
}

#[test]
fn a_missing_or_damaged_file_is_told_apart() {
    let machine = machine();
    let missing = run(&machine, "project", &["nowhere.yaml"]);
    assert_eq!((missing.exit, missing.stderr.as_str()), (3, "rules: `nowhere.yaml` does not exist\n"));
    machine.write("project/bad.yaml", "stop:\n  commands:\n    - message: x\n");
    let bad = run(&machine, "project", &["bad.yaml"]);
    assert_eq!((bad.exit, bad.stdout.as_str()), (1, ""));
    assert!(bad.stderr.contains("R1003") && bad.stderr.contains("bad.yaml:3:7"), "{}", bad.stderr);
    assert!(!machine.exists("project/.rules"));
    assert_eq!(run(&machine, "project", &["--print", "--to", "x"]).exit, 2);
}

/// Every format finds its files at their usual places, also from a directory below, and names the places without one.
#[test]
fn every_format_has_its_usual_places() {
    let policies = [
        (
            "claude-permissions",
            "claude",
            [".claude/settings.json", ".claude/settings.local.json"],
            "{ \"permissions\": { \"deny\": [\"Bash(rm *)\"] } }\n",
        ),
        (
            "codex-rules",
            "codex",
            [".codex/rules/a.rules", ".codex/rules/b.rules"],
            "prefix_rule([\"rm\"], \"forbidden\")\n",
        ),
        (
            "gemini-policy",
            "gemini",
            [".gemini/policies/a.toml", ".gemini/policies/b.toml"],
            "[[rule]]\ntoolName = \"write_file\"\ndecision = \"deny\"\npriority = 1\n",
        ),
        (
            "hookify",
            "hookify",
            [".claude/hookify.a.local.md", ".claude/hookify.b.local.md"],
            "---\nname: no-rm\nevent: bash\naction: block\npattern: rm\\s+-rf\n---\nNo.\n",
        ),
    ];
    for (format, stem, places, text) in policies {
        let machine = Machine::new();
        machine.write("project/src/a.rs", "");
        let in_format = |directory: &str, args: &[&str]| run_format(&machine, format, directory, args);
        let missing = in_format("project", &[]);
        assert_eq!(missing.exit, 3, "{missing:?}");
        let directory = places[0].rsplit_once('/').unwrap().0;
        assert!(
            missing.stderr.contains(&format!("`{directory}/")) && missing.stderr.contains("name the file"),
            "{missing:?}"
        );
        places.iter().for_each(|place| {
            machine.write(&format!("project/{place}"), text);
        });
        // Neither of these is read.
        machine.write("project/.codex/rules/c.txt", "x").write("project/.claude/other.local.md", "x");
        let printed = in_format("project/src", &["--print"]);
        assert_eq!((printed.exit, printed.stderr.as_str()), (0, ""), "{format}");
        let names = places.map(|place| place.rsplit('/').next().unwrap());
        assert!(printed.stdout.contains(&format!("# Made from {}, {} by", names[0], names[1])), "{}", printed.stdout);
        let printed = in_format("project", &[]);
        assert_eq!(printed.exit, 0, "{printed:?}");
        let expected = format!("read `{}`, `{}`\n.rules/{stem}.rules: ", places[0], places[1]);
        assert!(printed.stdout.starts_with(&expected), "{}", printed.stdout);
        let mut check = machine.command(&["check"]);
        check.current_dir(machine.path("project"));
        let checked = send(check, b"");
        assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stdout));
        let again = in_format("project", &[places[0]]);
        assert_eq!(again.exit, 1, "{again:?}");
        machine.write("project/broken", "}{ [");
        let broken = in_format("project", &["broken", "--print"]);
        assert!(broken.exit == 1 && broken.stderr.contains("nothing was imported from `broken`"), "{broken:?}");
    }
}

#[test]
fn a_second_file_of_conclaude_is_a_mistake() {
    let machine = machine();
    machine.write("project/b.yaml", SOURCE);
    let printed = run(&machine, "project", &[".conclaude.yaml", "b.yaml"]);
    assert!(printed.exit == 1 && printed.stderr.contains("conclaude reads a single file"), "{printed:?}");
}

/// Imports a configuration into a machine's project.
fn imported(source: &str) -> Machine {
    let machine = Machine::new();
    machine.write("project/.conclaude.yaml", source);
    let printed = run(&machine, "project", &[]);
    assert_eq!(printed.exit, 0, "{printed:?}");
    machine
}

#[test]
fn the_first_command_that_fails_blocks_the_stop_and_ends_the_others() {
    let machine = imported(concat!(
        "stop:\n  commands:\n",
        "    - run: echo one >> ran\n",
        "    - run: |\n        echo two >> ran; exit 3\n        echo three >> ran\n      message: Mend two.\n",
        "    - run: echo four >> ran\n",
        "  infinite: true\n",
    ));
    let stop = machine.captured("2.1.330/Stop");
    machine.hook(&stop).denies("Mend two.");
    assert_eq!(machine.read("project/ran"), "one\ntwo\n");
}

#[test]
fn an_agent_goes_on_as_often_as_it_is_told() {
    let machine = imported("stop: { rounds: 2, infiniteMessage: What is left? }\n");
    let first = machine.captured("2.1.330/Stop");
    let mut again = machine.captured("2.1.330/Stop.active");
    again["session_id"] = first["session_id"].clone();
    machine.hook(&first).denies("What is left?");
    machine.hook(&again).denies("What is left?");
    assert_eq!(machine.hook(&again).decision(), "", "released");
}

#[test]
fn commands_of_a_subagent_all_run_and_never_block() {
    let machine = imported(concat!(
        "subagentStop:\n  commands:\n",
        "    '*':\n      - run: 'echo \"every $CONCLAUDE_AGENT_NAME\" >> ran; exit 2'\n",
        "    gen*:\n      - run: cat >> ran; echo second >> ran\n",
    ));
    let mut stop = machine.captured("2.1.330/SubagentStop");
    stop["agent_type"] = "general-purpose".into();
    let reply = machine.hook(&stop);
    assert_eq!((reply.exit, reply.decision()), (0, ""));
    assert_eq!(machine.read("project/ran"), "every general-purpose\nsecond\n", "standard input is empty");
}

#[test]
fn git_is_asked_about_a_file() {
    let machine = imported("preToolUse: { preventUpdateGitIgnored: true }\n");
    // A stub that reports files in `out` as ignored.
    machine.write(
        "project/bin/git",
        "#!/bin/sh\nfor last; do :; done\ncase $last in */out/*) exit 0;; *) exit 1;; esac\n",
    );
    machine.mode("project/bin/git", 0o755);
    let judge = |path: &str| {
        let mut command = machine.hook_command(&["claude-code"]);
        command.env("PATH", format!("{}:/usr/bin:/bin", machine.path("project/bin").display()));
        Reply::of(&send(command, machine.file("Write", path).to_string().as_bytes()))
    };
    judge("project/out/a.js").denies("git ignores this file");
    assert_eq!(judge("project/src/a.js").decision(), "");
}
