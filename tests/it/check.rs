//! `rules check` in daily use: levels, fixes, a baseline, and the formats that other programs read.

use serde_json::Value as Json;

use crate::editors::problem;
use crate::machine::Machine;
use crate::source::read;

const WARNED: &str = "rule careful {\n  on PreToolUse(Bsh)\n  when command contains \"rm -rf\"\n  deny \"Move it to the trash instead.\"\n}\n";
const MISTYPED: &str =
    "rule careful {\n  on PreToolUze(Bash)\n  whne runs \"rm -r\"\n  deny \"Move it to the trash instead.\"\n}\n";
const MENDED: &str =
    "rule careful {\n  on PreToolUse(Bash)\n  when runs \"rm -r\"\n  deny \"Move it to the trash instead.\"\n}\n";

fn machine(policy: &str) -> Machine {
    let machine = Machine::new();
    machine.write("project/.rules/a.rules", policy);
    machine
}

/// Returns the short output of `rules check`, and its exit code.
#[track_caller]
fn check(machine: &Machine, args: &[&str]) -> (String, i32) {
    let args: Vec<&str> = ["check", ".rules", "--format", "short"].iter().chain(args).copied().collect();
    let printed = machine.rules(&args, "");
    (printed.stdout, printed.exit)
}

fn codes(printed: &str) -> Vec<&str> {
    printed.lines().map(|line| line.split(": ").nth(1).unwrap_or(line)).collect()
}

#[test]
fn options_say_how_much_a_lint_weighs() {
    let machine = machine(WARNED);
    let (unknown, guard) = ("warning R0108 unknown-tool", "deny R0606 substring-guard-evadable");
    let (denied, warned) = ("deny R0108 unknown-tool", "warning R0606 substring-guard-evadable");
    for (args, wanted, exit) in [
        (&[][..], &[unknown, guard][..], 1),
        (&["--allow", "substring-guard-evadable"], &[unknown], 0),
        (&["--allow", "R0606", "--deny", "warning"], &[unknown], 1),
        (&["--warn", "r0606"], &[unknown, warned], 0),
        (&["--warn", "R0606", "--deny", "unknown-tool"], &[denied, warned], 1),
        (&["--allow", "R0606", "--deny", "R0606"], &[unknown, guard], 1),
        (&["--deny", "error"], &[unknown, guard], 0),
    ] {
        let (printed, code) = check(&machine, args);
        assert_eq!((codes(&printed), code), (wanted.to_vec(), exit), "{args:?}");
    }
    let printed = machine.rules(&["check", "--allow", "unknown-tol"], "");
    assert!(printed.exit == 2 && printed.stderr.contains("a lint named `unknown-tool` exists"), "{printed:?}");
    let printed = machine.rules(&["check", "--allow", "unknown-field"], "");
    assert!(printed.exit == 2 && printed.stderr.contains("it keeps a policy from loading"), "{printed:?}");
}

#[test]
fn settings_say_how_much_a_lint_of_their_layer_weighs() {
    let machine = machine(WARNED);
    machine.write("project/.rules/rules.toml", "[lints]\nunknown-tool = \"off\"\nR0606 = \"info\"\n");
    let info = "info R0606 substring-guard-evadable";
    assert_eq!(codes(&check(&machine, &[]).0), [info]);
    // Options override settings.
    assert_eq!(codes(&check(&machine, &["--warn", "unknown-tool"]).0), ["warning R0108 unknown-tool", info]);
    machine.write("other/a.rules", &WARNED.replace("careful", "mine"));
    let all = check(&machine, &[machine.path("other").to_str().unwrap()]).0;
    assert_eq!((all.matches("unknown-tool").count(), all.matches("info R0606").count()), (1, 1), "{all}");
    for (wrong, said) in [
        ("unknown-tol = \"off\"", "R0117 unknown-key: unknown lint `unknown-tol` (a lint named `unknown-tool` exists)"),
        ("unknown-tool = \"error\"", "R0118 bad-setting: `unknown-tool` is never `error`"),
        ("unknown-field = \"off\"", "R0118 bad-setting: `unknown-field` has no level: it is an error"),
    ] {
        machine.write("project/.rules/rules.toml", &format!("[lints]\n{wrong}\n"));
        let (printed, exit) = check(&machine, &[]);
        assert!(printed.contains(said) && exit == 1, "{printed}");
    }
}

#[test]
fn what_keeps_a_policy_from_loading_is_mended_in_as_many_rounds_as_it_takes() {
    let machine = machine(MISTYPED);
    let shown = machine.rules(&["check", ".rules", "--diff"], "");
    assert!(shown.stdout.contains("-   whne runs \"rm -r\"\n+   on PreToolUse(Bash)\n+   when runs \"rm -r\"\n"));
    assert_eq!((machine.read("project/.rules/a.rules").as_str(), shown.exit), (MISTYPED, 1));
    assert_eq!(check(&machine, &["--fix"]), (String::new(), 0));
    assert_eq!(machine.read("project/.rules/a.rules"), MENDED);
    assert_eq!(check(&machine, &["--fix"]), (String::new(), 0));
    assert_eq!(machine.read("project/.rules/a.rules"), MENDED);
    assert_eq!(machine.rules(&["check", ".rules", "--diff"], "").exit, 0);
}

#[test]
fn what_a_rule_means_is_changed_only_on_request() {
    let machine = machine(WARNED);
    check(&machine, &["--fix"]);
    assert_eq!(machine.read("project/.rules/a.rules"), WARNED);
    let (printed, _) = check(&machine, &["--fix", "--unsafe-fixes"]);
    assert!(machine.read("project/.rules/a.rules").contains("on PreToolUse(Bash)\n"));
    assert!(!printed.contains("unknown-tool"), "{printed}");
}

#[test]
fn only_files_are_mended_and_each_keeps_its_mode() {
    let machine = machine(MISTYPED);
    machine.write("project/.rules/b.rules", "use \"std/git\"\n").mode("project/.rules/a.rules", 0o600);
    let printed = machine.rules(&["check", ".rules", "--fix"], "");
    assert_eq!((printed.exit, printed.stderr.as_str()), (0, "rules: 2 edits in 1 file made\n"), "{printed:?}");
    let mode = crate::system::mode(machine.path("project/.rules/a.rules"));
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(machine.read("project/.rules/b.rules"), "use \"std/git\"\n");
}

#[test]
fn a_baseline_leaves_out_what_is_known_wherever_it_has_moved_to() {
    let machine = machine(WARNED);
    let written = machine.rules(&["check", ".rules", "--write-baseline", "known.json"], "");
    assert_eq!((written.exit, written.stdout.as_str()), (0, "2 findings written to known.json\n"), "{written:?}");
    assert_eq!(check(&machine, &["--baseline", "known.json"]), (String::new(), 0));
    machine.write("project/.rules/a.rules", &format!("# A line above.\n\n{WARNED}"));
    assert_eq!(check(&machine, &["--baseline", "known.json"]), (String::new(), 0));
    let twice = format!("{WARNED}\n{}", WARNED.replace("careful", "again"));
    machine.write("project/.rules/a.rules", &twice);
    let new = check(&machine, &["--baseline", "known.json", "--allow", "duplicate-rule"]).0;
    assert_eq!(new.lines().count(), 2, "{new}");
    let summary = machine.rules(&["check", ".rules", "--baseline", "known.json"], "").stdout;
    let words: Vec<&str> = summary.split_whitespace().collect();
    assert!(words.join(" ").contains("; 2 findings in the baseline"), "{summary}");
    // The errors of a policy that does not load are never in the baseline.
    machine.write("project/.rules/a.rules", MISTYPED);
    let written = machine.rules(&["check", ".rules", "--write-baseline", "known.json"], "");
    assert!(written.exit == 1 && written.stderr.contains("an error cannot be accepted"), "{written:?}");
    assert_eq!(check(&machine, &["--baseline", "known.json"]).1, 1);
    machine.write("project/known.json", "[]");
    let other = machine.rules(&["check", ".rules", "--write-baseline", "known.json"], "");
    assert!(other.exit == 3 && other.stderr.contains("is no baseline, and is left alone"), "{other:?}");
    assert_eq!(machine.read("project/known.json"), "[]");
    let wrong = machine.rules(&["check", ".rules", "--baseline", "known.json"], "");
    assert!(wrong.exit == 3 && wrong.stderr.contains("write it with `--write-baseline`"), "{wrong:?}");
}

#[test]
fn annotations_of_a_workflow_name_the_place_and_escape_the_text() {
    let machine = machine(WARNED);
    machine.write("project/.rules/a,b.rules", "rule x {\n  on Stop\n  wehn `100%` == 1\n}\n");
    let printed = machine.rules(&["check", ".rules", "--format", "github"], "").stdout;
    let lines: Vec<&str> = printed.lines().collect();
    assert!(
        lines[0].starts_with("::error file=.rules/a%2Cb.rules,line=3,endLine=3,col=3,endColumn=7,title=R0001 syntax::")
    );
    assert!(lines.iter().all(|line| line.starts_with("::")), "{printed}");
}

#[test]
fn a_step_of_a_workflow_gets_annotations_and_the_summary_without_asking() {
    let machine = machine(WARNED);
    let print = |value: &str, args: &[&str]| {
        let args: Vec<&str> = ["check", ".rules"].iter().chain(args).copied().collect();
        let output = machine.command(&args).env("GITHUB_ACTIONS", value).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let plain = machine.rules(&["check", ".rules"], "").stdout;
    let annotations = machine.rules(&["check", ".rules", "--format", "github"], "").stdout;
    let in_step = print("true", &[]);
    let summary = in_step.strip_prefix(&annotations).unwrap_or_else(|| panic!("{in_step}"));
    assert!(annotations.starts_with("::warning ") && plain.ends_with(summary), "{in_step}");
    assert!(summary.trim_start().starts_with("2 findings in 1 rule"), "{summary}");
    assert_eq!(print("true", &["--quiet"]), annotations);
    assert_eq!(print("true", &["--format", "human"]), plain);
    assert_eq!(print("false", &[]), plain);
}

#[test]
fn sarif_is_one_document_whose_results_point_to_rules_and_places() {
    let machine = machine(&format!("{WARNED}\n{WARNED}"));
    machine.write("project/.rules/with space é.rules", MISTYPED);
    let document = |args: &[&str]| -> Json {
        let args: Vec<&str> = ["check", ".rules", "--format", "sarif"].iter().chain(args).copied().collect();
        serde_json::from_str(&machine.rules(&args, "").stdout).unwrap()
    };
    let log = document(&[]);
    let schema: Json = serde_json::from_str(&read("tests/fixtures/sarif.schema.json")).unwrap();
    assert_eq!(problem(&log, &schema, &schema), None);
    // A log with a key that the standard lacks is refused.
    let mut wrong = log.clone();
    wrong["runs"][0]["results"][0]["rule"] = "R0001".into();
    assert_eq!(problem(&wrong, &schema, &schema).as_deref(), Some("no key `rule`"));
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.iter().all(|rule| rule["shortDescription"]["text"].as_str().is_some_and(|text| !text.is_empty())));
    let found: Vec<&Json> = run["results"].as_array().unwrap().iter().map(|result| &result["ruleId"]).collect();
    for rule in rules {
        assert!(rule["help"]["text"].as_str().unwrap().contains(rule["id"].as_str().unwrap()), "{rule}");
        assert_eq!(rule["help"]["markdown"].is_string(), found.contains(&&rule["id"]), "{rule}");
    }
    let results = run["results"].as_array().unwrap();
    assert!(results.len() >= 3, "{results:?}");
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        let place = &result["locations"][0]["physicalLocation"];
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        assert!([".rules/a.rules", ".rules/with%20space%20%C3%A9.rules"].contains(&uri), "{uri}");
        assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
    }
    let fixes = results.iter().filter(|result| result.get("fixes").is_some()).count();
    assert!(fixes >= 2, "{results:?}");
    machine.write("project/.rules/a.rules", MENDED);
    machine.write("project/.rules/with space é.rules", "# Nothing.\n");
    let empty = document(&[]);
    assert_eq!(empty["runs"][0]["results"].as_array().unwrap().len(), 0);
    assert_eq!(problem(&empty, &schema, &schema), None);
}

#[test]
fn examples_and_tests_know_the_tools_that_the_layer_states() {
    let machine = machine(
        "rule no-forced-deploys {\n  on PreToolUse\n  when runs \"acme deploy --force\"\n  deny \"Leave out `force`.\"\n\n  \
         fires on mcp__acme__deploy_service { tool_input.manifest: \"a\", tool_input.force: true }\n  \
         quiet on mcp__acme__deploy_service { tool_input.manifest: \"a\" }\n  \
         fires on mcp__box__go { tool_input.line: \"acme deploy --force\" }\n}\n\n\
         test \"forced deploys\" {\n  given mcp__box__go { tool_input.line: \"acme deploy --force\" }\n  \
         expect deny by no-forced-deploys\n}\n",
    );
    machine.write(
        "project/.rules/rules.toml",
        "[shell]\ntools = { \"mcp__box__go\" = \"line\" }\n\n[[tool]]\nnames = [\"mcp__acme__deploy_service\"]\n\
         command = \"acme deploy {manifest} [--force {force?}]\"\n",
    );
    let (printed, exit) = check(&machine, &[]);
    assert!(exit == 0 && !printed.contains("R0806"), "{printed}");
}

#[test]
fn files_that_do_not_count_are_named() {
    let machine = machine(MENDED);
    let rule = "rule b {\n  on Stop\n  deny \"No.\"\n}\n";
    for file in ["q.rule", "r.rules.md", "s.rules.bak", "T.RULES", "notes.txt", ".hidden.rules", "log/x.rules"] {
        machine.write(&format!("project/.rules/{file}"), rule);
    }
    machine.write("project/.rules/team/rules.toml", "").write("project/.rules/mycli.toml", "names = [\"mycli\"]\n");
    // What a policy may well have besides: scripts, prose, data, and what an editor has open.
    for file in ["check.sh", "README.md", "list.json", "a.rules~", ".a.rules.swp", "log/x.jsonl", "local/b.rules"] {
        machine.write(&format!("project/.rules/{file}"), "A rule of thumb {\n");
    }
    machine.write("project/.rules/local/b.rules", rule);
    let printed = machine.rules(&["check", "--format", "short"], "").stdout;
    let named: Vec<&str> = printed.lines().filter(|line| line.contains("R0922")).collect();
    for file in [
        "q.rule",
        "r.rules.md",
        "s.rules.bak",
        "T.RULES",
        "notes.txt",
        ".hidden.rules",
        "log/x.rules",
        "team/rules.toml",
        "mycli.toml",
    ] {
        let is_named = |line: &&str| line.contains(&format!("/{file}` does not count"));
        assert!(named.iter().any(is_named), "{file}: {printed}");
    }
    assert_eq!(named.len(), 9, "{printed}");
    let doctor = machine.rules(&["doctor"], "").stdout;
    assert!(doctor.contains("q.rule: does not count"), "{doctor}");
}

/// Configurations of other programs are named with the command that converts them, and the command works.
#[test]
fn files_of_other_programs_are_pointed_to_the_import() {
    let machine = machine(MENDED);
    let files = [
        ("hookify.a.local.md", "hookify", "---\nname: a\nevent: bash\npattern: rm\n---\nNo.\n"),
        ("settings.json", "claude-permissions", "{\n  \"permissions\": { \"deny\": [\"Bash(rm *)\"] }\n}\n"),
        ("team.toml", "gemini-policy", "[[rule]]\ntoolName = \"write_file\"\ndecision = \"deny\"\npriority = 1\n"),
        ("codex.rules", "codex-rules", "prefix_rule(\n    pattern = [\"rm\"],\n    decision = \"forbidden\",\n)\n"),
        ("hookify.rules", "hookify", "---\nname: a\nevent: bash\npattern: rm\n---\nNo.\n"),
        ("gemini.rules", "gemini-policy", "[[rule]]\ntoolName = \"write_file\"\ndecision = \"deny\"\npriority = 1\n"),
    ];
    for (file, format, text) in files {
        machine.write(&format!("project/.rules/{file}"), text);
        let printed = machine.rules(&["check", "--format", "short"], "").stdout;
        let human = machine.rules(&["check"], "").stdout;
        let command = format!("rules import {format}");
        assert!(printed.contains(file), "{printed}");
        assert!(
            human.replace("\n", " ").split_whitespace().collect::<Vec<_>>().join(" ").contains(&command),
            "{human}"
        );
        if !file.ends_with(".rules") {
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let doctor = words(&machine.rules(&["doctor"], "").stdout);
            assert!(doctor.contains(&format!("{file}: does not count")) && doctor.contains(&command), "{doctor}");
        }
        // The help, followed to the letter, leads to a policy that loads.
        let told = human.replace('\n', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        let command = told.split("convert it with `rules ").nth(1).and_then(|rest| rest.split('`').next()).unwrap();
        assert_eq!(command, format!("import {format} .rules/{file}"));
        let imported = machine.rules(&command.split(' ').collect::<Vec<_>>(), "");
        let next =
            format!("next: move `.rules/{file}` out of `.rules`, where only policies belong, then rules check\n");
        assert!(imported.exit == 0 && imported.stdout.ends_with(&next), "{imported:?}");
        std::fs::rename(machine.path(&format!("project/.rules/{file}")), machine.path("project/moved")).unwrap();
        let checked = machine.rules(&["check", "--format", "short"], "");
        assert_eq!((checked.exit, checked.stdout.as_str()), (0, ""), "{file}");
        assert!(!machine.exists("project/.rules/.rules"), "{file}");
        std::fs::remove_dir_all(machine.path("project/.rules")).unwrap();
    }
}

#[test]
fn a_directory_with_nothing_that_counts_is_no_policy_without_a_word() {
    let machine = Machine::new();
    machine.write("project/.rules/project.rule", MENDED);
    let printed = machine.rules(&["check", "--format", "short"], "");
    assert!(printed.stdout.contains("project.rule` does not count"), "{printed:?}");
}
