//! Program records of a policy: `programs/*.toml` of each layer.

use hookrules::policy::Policy;
use hookrules::project;
use hookrules::ruleset::Rule;
use hookrules::wire::DamageFlag;

use crate::machine::{Machine, Reply};

/// A record of a tool, as a project may describe it.
const MYCLI: &str = r#"names = ["mycli", "myc"]
versioned = ["mycli"]
reading = "leading"

[options]
flag = ["--verbose -v"]
value = ["--profile -p"]

[[command]]
names = ["show"]
[command.options]
value = ["--color"]
writes = ["--output -o"]

[[command]]
names = ["rm"]
"#;

const READS: &str = "rule reads {\n  on PreToolUse(Bash)\n  when only runs \"mycli show *\"\n  allow\n}\n";

/// Judges a command twice, by the sources and by the cached policy, and returns the decision.
#[track_caller]
fn decided(machine: &Machine, command: &str) -> String {
    let decision = |reply: Reply| match reply.json.is_null() {
        true => "none".to_owned(),
        false => reply.decision().to_owned(),
    };
    let first = decision(machine.hook(&machine.bash(command)));
    assert_eq!(decision(machine.hook(&machine.bash(command))), first, "kept: {command}");
    first
}

#[test]
fn a_projects_record_makes_its_tool_known() {
    let machine = Machine::with(READS);
    assert_eq!(decided(&machine, "mycli --verbose show --color x"), "none", "without a record");
    machine.write("project/.rules/programs/mycli.toml", MYCLI);
    for (command, expected) in [
        ("mycli show", "allow"),
        ("mycli --verbose show --color x", "allow"),
        ("mycli -v -p dev show a b", "allow"),
        ("mycli-2.1 show a", "none"),
        ("mycli show --output=f x", "none"),
        ("mycli show -o f x", "none"),
        ("mycli show --unlisted x", "none"),
        ("mycli rm x", "none"),
        ("mycli unlisted x", "none"),
        ("mycli --profile show rm", "none"),
        ("mycli show > f", "none"),
        ("mycli show; rm x", "none"),
    ] {
        assert_eq!(decided(&machine, command), expected, "{command}");
    }
}

/// Returns a rule, named after its layer, that denies every command other than `mycli show`.
fn guard(name: &str) -> String {
    format!(
        "rule {name}-shows {{\n  on PreToolUse(Bash)\n  unless only runs \"mycli show *\"\n  deny \"From {name}.\"\n}}\n"
    )
}

#[test]
fn a_record_is_for_the_rules_of_its_layer_and_of_those_below() {
    const LAYERS: [(&str, &str); 4] =
        [("managed", "managed"), ("user", "user"), ("project", "project/.rules"), ("here", "project/.rules/local")];
    for (at, (of, directory)) in LAYERS.into_iter().enumerate() {
        let machine = Machine::new();
        for (name, directory) in LAYERS {
            machine.write(&format!("{directory}/a.rules"), &guard(name));
        }
        machine.write(&format!("{directory}/programs/mycli.toml"), MYCLI);
        // Ensures that there is a log entry.
        machine.write("managed/z.rules", "rule always {\n  on PreToolUse(Bash)\n  ask \"Sure?\"\n}\n");
        for _ in 0..2 {
            machine.hook(&machine.bash("mycli -v show a"));
            let log = machine.decisions();
            let last = log.lines().last().unwrap_or_default();
            for (above, (name, _)) in LAYERS.into_iter().enumerate() {
                let is_named = last.contains(&format!("{name}-shows\""));
                assert_eq!(is_named, above < at, "a record of {of}, a rule of {name}: {last}");
            }
        }
    }
}

#[test]
fn a_projects_record_changes_nothing_of_a_program_that_is_known() {
    let policy = "rule push {\n  on PreToolUse(Bash)\n  when runs \"git push --force\"\n  deny \"No.\"\n}\n\
                  rule reads {\n  on PreToolUse(Bash)\n  when only runs \"git show *\"\n  allow\n}\n";
    let machine = Machine::with(policy);
    let harmless = "names = [\"git\"]\nreading = \"operands\"\n";
    for (path, text) in [
        ("project/.rules/programs/git.toml", harmless.to_owned()),
        ("project/.rules/local/programs/git.toml", harmless.to_owned()),
        ("project/.rules/programs/git-push.toml", harmless.replace("git", "git-push")),
        ("project/.rules/programs/python3.12.toml", harmless.replace("git", "python3.12")),
    ] {
        machine.write(path, &text);
        machine.hook(&machine.bash("git push --force")).denies("No.");
        machine.hook(&machine.bash("git-push --force")).denies("No.");
        assert_eq!(decided(&machine, "git show --output=x"), "none", "{path}");
        let printed = machine.rules(&["check"], "");
        assert_eq!(printed.exit, 1, "{}", printed.stdout);
        assert!(printed.stdout.contains("R0422 program-record-unused"), "{}", printed.stdout);
        std::fs::remove_file(machine.path(path)).unwrap();
    }
    assert_eq!(machine.rules(&["check"], "").exit, 0);
}

#[test]
fn a_users_record_may_take_the_place_of_a_built_in_one() {
    let policy = "rule reads {\n  on PreToolUse(Bash)\n  when only runs \"git mine *\"\n  allow\n}\n";
    let machine = Machine::new();
    machine.write("user/a.rules", policy);
    assert_eq!(decided(&machine, "git mine --quick"), "none", "an alias may be anything");
    let record = "names = [\"git\"]\nlike = \"git\"\nshares = [\"git *\"]\n[[command]]\nnames = [\"mine\"]\n\
                  [command.options]\nflag = [\"--quick\"]\n";
    machine.write("user/programs/git.toml", record);
    assert_eq!(decided(&machine, "git mine --quick"), "allow");
    assert_eq!(decided(&machine, "git -C x mine --quick"), "none");
    // The built-in record counts as well.
    machine.write("user/a.rules", &policy.replace("git mine", "git log"));
    assert_eq!(decided(&machine, "git log --oneline"), "allow");
    assert_eq!(decided(&machine, "git log --output=x"), "none");
}

#[test]
fn of_two_records_of_a_program_the_higher_layers_counts() {
    let machine = Machine::with(READS);
    machine.write("user/programs/mycli.toml", MYCLI);
    let loose = MYCLI.replace("writes", "attached");
    machine.write("project/.rules/programs/mycli.toml", &loose);
    assert_eq!(decided(&machine, "mycli show --color x"), "allow");
    assert_eq!(decided(&machine, "mycli show --output=x"), "none");
    std::fs::remove_file(machine.path("user/programs/mycli.toml")).unwrap();
    assert_eq!(decided(&machine, "mycli show --output=x"), "allow");
}

#[test]
fn a_change_of_a_record_is_seen_by_the_next_hook() {
    let machine = Machine::with(READS);
    let path = "project/.rules/programs/mycli.toml";
    machine.write(path, MYCLI);
    assert_eq!(decided(&machine, "mycli show --color x"), "allow");
    // The same length as before, written in the same second.
    machine.write(path, &MYCLI.replace("--color", "--paint"));
    assert_eq!(decided(&machine, "mycli show --color x"), "none");
    assert_eq!(decided(&machine, "mycli show --paint x"), "allow");
    machine.write("project/.rules/programs/mycli/list.toml", "names = [\"list\"]\n");
    machine.write("project/.rules/project.rules", &READS.replace("show", "list"));
    assert_eq!(decided(&machine, "mycli list x"), "allow");
    std::fs::remove_dir_all(machine.path("project/.rules/programs/mycli")).unwrap();
    assert_eq!(decided(&machine, "mycli list x"), "none");
    std::fs::remove_file(machine.path(path)).unwrap();
    assert_eq!(decided(&machine, "mycli show --paint x"), "none");
}

#[test]
fn a_mistake_in_a_record_keeps_its_layer_from_loading() {
    let machine = Machine::with(READS);
    machine.write("user/u.rules", &guard("mine"));
    let path = "project/.rules/programs/mycli.toml";
    for (text, said) in [
        ("names = [\"mycli\"]\nreeding = \"leading\"\n", "unknown key `reeding`"),
        ("names = [\"other\"]\n", "the file is named `mycli`"),
        ("names = ", "not TOML"),
        ("", "is empty, or is being written"),
    ] {
        machine.write(path, text);
        let reply = machine.hook(&machine.bash("mycli show x"));
        reply.denies("From mine.");
        let printed = machine.rules(&["check", &machine.path("project").display().to_string()], "");
        assert!(printed.exit != 0 && printed.stdout.contains(said), "{text:?}: {}", printed.stdout);
    }
    machine.write(path, MYCLI);
    assert_eq!(machine.rules(&["check", &machine.path("project").display().to_string()], "").exit, 0);
    // A record can also be checked on its own.
    let file = machine.path(path).display().to_string();
    assert_eq!(machine.rules(&["check", &file], "").exit, 0);
    let both = machine.rules(&["check", &file, &machine.path("project").display().to_string()], "");
    assert_eq!(both.exit, 0, "each path is a layer of its own: {}", both.stdout);
    machine.write(path, "names = [\"mycli\"]\nreeding = \"leading\"\n");
    assert_eq!(machine.rules(&["check", &file], "").exit, 1);
}

#[test]
fn an_edit_that_breaks_a_record_is_denied() {
    let machine = Machine::with(READS);
    let write = |path: &str, text: &str| {
        let mut payload = machine.file("Write", path);
        payload["tool_input"]["content"] = serde_json::json!(text);
        machine.hook(&payload)
    };
    for path in ["project/.rules/programs/mycli.toml", "project/.rules/local/programs/mycli.toml"] {
        write(path, "names = [\"mycli\"]\nreeding = 1\n").denies("unknown key `reeding`");
        write(path, MYCLI).asks("which says what agents may do");
    }
    write("project/programs/mycli.toml", "reeding = 1\n").is_silent();
}

#[test]
fn every_test_of_a_command_reads_its_words_by_the_record() {
    for (condition, command, expected) in [
        ("runs \"mycli show\"", "mycli --profile x show", "deny"),
        ("runs \"mycli show\"", "mycli --profile show rm", "none"),
        ("runs \"mycli show\"", "mycli-2.1 show", "none"),
        ("runs \"mycli-2.1 show\"", "mycli-2.1 -p show rm", "none"),
        ("runs \"mycli show --output\"", "mycli show -of", "deny"),
        ("runs \"*\" where operands == \"a\"", "mycli -p x show --color b a", "deny"),
        ("runs \"*\" where operands == \"b\"", "mycli -p x show --color b a", "none"),
        ("runs \"mycli\" where option \"--output\" == \"f\"", "mycli show -of", "deny"),
        ("runs [\"myc\", \"mycli\"] where option \"--output\" == \"f\"", "myc show -o f", "deny"),
        ("pipes \"mycli show\" into \"tee\"", "mycli -p rm show | tee x", "deny"),
        ("pipes \"mycli show\" into \"tee\"", "mycli -p show rm | tee x", "none"),
    ] {
        let machine =
            Machine::with(&format!("rule no {{\n  on PreToolUse(Bash)\n  when {condition}\n  deny \"No.\"\n}}\n"));
        machine.write("project/.rules/programs/mycli.toml", MYCLI);
        assert_eq!(decided(&machine, command), expected, "{condition}: {command}");
    }
}

#[test]
fn a_rewrite_reads_commands_by_the_record() {
    let machine = Machine::with(
        "rule r {\n  on PreToolUse(Bash)\n  rewrite runs \"mycli rm\" to \"mycli show --color auto\"\n}\n",
    );
    machine.write("project/.rules/programs/mycli.toml", MYCLI);
    for _ in 0..2 {
        let reply = machine.hook(&machine.bash("mycli -p show rm x"));
        assert_eq!(reply.json["hookSpecificOutput"]["updatedInput"]["command"], "mycli -p show show --color auto x");
        assert!(machine.hook(&machine.bash("mycli -p rm show x")).json.is_null());
    }
}

#[test]
fn an_explanation_and_an_example_go_by_the_record() {
    let machine = Machine::with(&READS.replace(
        "  allow\n",
        "  allow\n  fires on Bash \"mycli -v show x\"\n  quiet on Bash \"mycli rm x\", \"mycli show -o f\"\n",
    ));
    machine.write("project/.rules/programs/mycli.toml", MYCLI);
    let checked = machine.rules(&["check"], "");
    assert_eq!(checked.exit, 0, "{}", checked.stdout);
    assert!(checked.stdout.contains("2 files; 3 examples passed"), "{}", checked.stdout);
    let explained = machine.rules(&["explain"], &machine.bash("mycli -v show x").to_string());
    assert!(explained.stdout.contains("allow"), "{}{}", explained.stdout, explained.stderr);
    std::fs::remove_dir_all(machine.path("project/.rules/programs")).unwrap();
    assert_eq!(machine.rules(&["check"], "").exit, 1);
}

#[test]
fn records_are_bounded() {
    // Not every record below has this subcommand, and a `*` behind an unknown one is a finding.
    let machine = Machine::with(&READS.replace("show *", "show"));
    let path = "project/.rules/programs/mycli.toml";
    let options = |count: usize| (0..count).map(|at| format!("\"--o{at}\",")).collect::<String>();
    // Each command includes the next one twice.
    let doubling = |levels: usize| {
        let level = |at: usize| {
            format!(
                "[[command]]\nnames = [\"c{at}\"]\n[[command.command]]\nnames = [\"a\"]\nshares = [\"mycli c{}\"]\n[[command.command]]\nnames = [\"b\"]\nshares = [\"mycli c{}\"]\n",
                at + 1,
                at + 1
            )
        };
        (0..levels).map(level).collect::<String>() + &format!("[[command]]\nnames = [\"c{levels}\"]\n")
    };
    let chain = |levels: usize| {
        let level = |at: usize| {
            format!(
                "[[command]]\nnames = [\"c{at}\"]\n[[command.command]]\nnames = [\"a\"]\nshares = [\"mycli c{}\"]\n",
                at + 1
            )
        };
        (0..levels).map(level).collect::<String>() + &format!("[[command]]\nnames = [\"c{levels}\"]\n")
    };
    let deep = |levels: usize| {
        (1..=levels).map(|at| format!("[[{}]]\nnames = [\"a\"]\n", vec!["command"; at].join("."))).collect::<String>()
    };
    for (text, said) in [
        (format!("[options]\nflag = [{}]\n", options(1001)), "more than 1000"),
        ((0..1001).map(|at| format!("[[command]]\nnames = [\"c{at}\"]\n")).collect(), "more than 1000"),
        (doubling(15), "take too many options from others"),
        (deep(9), "more than 8 subcommands within each other"),
        (deep(90), "not TOML"),
        (chain(40), "more than 32 subcommands within each other"),
        (format!("# {}\n", "x".repeat(64 << 10)), "is larger than 64 KiB"),
    ] {
        machine.write(path, &format!("names = [\"mycli\"]\n{text}"));
        let printed = machine.rules(&["check"], "");
        assert!(printed.exit != 0 && printed.stdout.contains(said), "{said}: {}", printed.stdout);
    }
    for text in [format!("[options]\nflag = [{}]\n", options(1000)), doubling(10), deep(8), chain(15)] {
        machine.write(path, &format!("names = [\"mycli\"]\n{text}"));
        let printed = machine.rules(&["check"], "");
        assert_eq!(printed.exit, 0, "{}", printed.stdout);
    }
}

#[test]
fn a_rule_that_is_read_back_has_the_records_that_it_was_written_with() {
    let machine = Machine::with(&format!(
        "{READS}rule more {{\n  on PreToolUse(Bash)\n  when runs [\"myc\", \"mycli rm\", \"*\"] where option \"-p\" == \"a\"\n  \
         rewrite runs \"mycli rm\" to \"other show\"\n}}\nrule none {{\n  on PreToolUse(Bash)\n  when runs \"git push\"\n  deny \"No.\"\n}}\n"
    ));
    machine.write("project/.rules/programs/mycli.toml", MYCLI);
    machine.write("project/.rules/programs/other.toml", "names = [\"other\"]\nlike = \"git push\"\n");
    let loaded = project::load_paths(&[machine.path("project")]);
    let policy = Policy::new(loaded.sources, &loaded.layers);
    assert_eq!(policy.diagnostics().next(), None);
    for (rule, names) in policy.rules.rules().iter().zip([&["mycli"][..], &["mycli", "other"], &[]]) {
        let read = Rule::from_bytes(rule.to_bytes(), &DamageFlag::default()).unwrap();
        let mut written = Rule::clone(rule);
        written.examples.clear();
        let shown = format!("{written:?}");
        assert_eq!(format!("{read:?}"), shown);
        for name in ["mycli", "other"] {
            assert_eq!(shown.contains(&format!("names: [\"{name}\"")), names.contains(&name), "{}: {name}", rule.name);
        }
    }
}

#[test]
fn a_repositorys_record_changes_nothing_that_a_directory_around_it_does() {
    const OUTER: &str = "use \"std/cloud\"\n\
        rule reads {\n  on PreToolUse(Bash)\n  when only runs \"tool show *\"\n  allow\n}\n\
        rule keeps {\n  on PreToolUse(Bash)\n  when runs \"tool rm\"\n  deny \"No.\"\n}\n";
    let machine = Machine::new();
    machine.write(".rules/a.rules", OUTER);
    machine.write(
        "project/.rules/b.rules",
        "rule own {\n  on PreToolUse(Bash)\n  when runs \"mycli rm\"\n  deny \"Own.\"\n}\n",
    );
    let commands = ["pulumi --yes destroy", "tool show --exec=evil y", "tool -p rm x", "mycli -p dev rm x"];
    let before: Vec<String> = commands.iter().map(|command| decided(&machine, command)).collect();
    machine.write("project/.rules/programs/pulumi.toml", "names = [\"pulumi\"]\n[options]\nvalue = [\"--yes\"]\n");
    machine.write(
        "project/.rules/programs/tool.toml",
        "names = [\"tool\"]\n[options]\nvalue = [\"-p\"]\n[[command]]\nnames = [\"show\"]\n[command.options]\nvalue = [\"--exec\"]\n",
    );
    machine.write("project/.rules/programs/mycli.toml", MYCLI);
    for (command, before) in commands.iter().zip(&before).take(3) {
        assert_eq!(decided(&machine, command), *before, "{command}");
    }
    assert_eq!(before, ["deny", "none", "deny", "deny"], "what counts without a record");
    machine.hook(&machine.bash("mycli -p dev rm x")).denies("Own.");
    // A record of an outer directory also counts for policies within.
    machine.write(
        ".rules/programs/mytool.toml",
        "names = [\"mytool\"]\nreading = \"leading\"\n[options]\nvalue = [\"-p\"]\n[[command]]\nnames = [\"rm\"]\n",
    );
    machine.write(
        "project/.rules/c.rules",
        "rule within {\n  on PreToolUse(Bash)\n  unless only runs [\"mytool rm *\"]\n  deny \"Within.\"\n}\n",
    );
    assert_eq!(decided(&machine, "mytool -p dev rm x"), "none");
}

#[test]
fn what_is_like_a_program_that_runs_others_may_run_others() {
    for like in ["sudo", "env", "sh", "timeout", "ssh", "npx", "docker exec", "perl", "node", "xargs", "git submodule"]
    {
        let machine = Machine::with("rule reads {\n  on PreToolUse(Bash)\n  when only runs \"mytool *\"\n  allow\n}\n");
        machine.write("project/.rules/programs/mytool.toml", &format!("names = [\"mytool\"]\nlike = \"{like}\"\n"));
        assert_eq!(decided(&machine, "mytool rm -rf src"), "none", "{like}");
    }
}

#[test]
fn a_users_record_adds_to_what_is_built_in() {
    const GUARD: &str = "rule push {\n  on PreToolUse(Bash)\n  when runs \"git push --zap\"\n  deny \"Zap.\"\n}\n\
        rule pull {\n  on PreToolUse(Bash)\n  when runs \"git pull --rebase\"\n  deny \"Rebase.\"\n}\n";
    let machine = Machine::new();
    machine.write("user/a.rules", GUARD);
    machine.write(
        "user/programs/git.toml",
        "names = [\"git\"]\nlike = \"git\"\nshares = [\"git *\", \"docker *\"]\n[[command]]\nnames = [\"push\"]\nlike = \"git push\"\n\
         [command.options]\nflag = [\"--zap -z\"]\n",
    );
    machine.hook(&machine.bash("git -C . push -z origin")).denies("Zap.");
    machine.hook(&machine.bash("git pull -r")).denies("Rebase.");
}
