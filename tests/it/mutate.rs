//! `rules test` and `rules mutate` as processes: filters, formats, coverage, watching, and survivors.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value as Json;

use crate::machine::Machine;

/// A policy in which one part of each kind is tested, and one is not.
const POLICY: &str = r#"let kept = ["a.lock", "b.lock"]

rule kept-files {
  on PreToolUse(Edit|Write)
  when path like kept and git.branch == "main"
  deny "No."

  fires on Edit "a.lock" with { git.branch: "main" }
  quiet on Edit "c.rs" with { git.branch: "main" }
}

rule pushes {
  on PreToolUse(Bash)
  when runs "git (push|fetch) !--dry-run"
  ask "Push?"

  fires on "git push"
}

test "a push is asked about" {
  given "git push"
  expect ask by pushes
}
"#;

fn lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_filter_chooses_by_name() {
    let machine = Machine::with(POLICY);
    let printed = machine.rules(&["test", "--filter", "push"], "");
    assert_eq!(printed.exit, 0);
    assert!(printed.stdout.contains("pushes") && printed.stdout.contains("a push is asked about"), "{printed:?}");
    assert!(!printed.stdout.contains("kept-files") && printed.stdout.contains("2 passed, 0 failed"), "{printed:?}");
    let none = machine.rules(&["test", "--filter", "pulls"], "");
    assert_eq!((none.exit, none.stdout.as_str()), (2, ""));
    assert!(none.stderr.contains("`pulls`"), "{none:?}");
    let none = machine.rules(&["mutate", "--filter", "pulls"], "");
    assert_eq!((none.exit, none.stdout.as_str()), (2, ""));
    assert!(none.stderr.contains("`pulls`"), "{none:?}");
}

#[test]
fn a_policy_of_packs_alone_has_nothing_to_mutate() {
    let machine = Machine::new();
    machine.write("project/.rules/a.rules", "use \"std/git\" except no-force-push\n");
    let none = machine.rules(&["mutate"], "");
    assert!(none.stderr.contains("no rule or definition is written here"), "{none:?}");
}

#[test]
fn coverage_names_what_never_came_out_both_ways() {
    let machine = Machine::with(POLICY);
    let printed = machine.rules(&["test", "--coverage"], "");
    assert_eq!(printed.exit, 0);
    assert!(printed.stdout.contains("git.branch == \"main\"\n       │ never false"), "{}", printed.stdout);
    assert!(printed.stdout.contains("2 of 2 rules match (100 %), 4 of 6 branches (66 %)"), "{}", printed.stdout);
    assert_eq!(machine.rules(&["test", "--coverage", "--min", "100"], "").exit, 0);
    assert_eq!(machine.rules(&["test", "--coverage", "--min-branches", "66"], "").exit, 0);
    let short = machine.rules(&["test", "--coverage", "--min-branches", "67"], "");
    assert!(short.exit == 1 && short.stderr.contains("66 %"), "{short:?}");
}

#[test]
fn json_has_a_line_for_each_test_and_a_summary() {
    let wrong = POLICY.replace("quiet on Edit \"c.rs\"", "quiet on Edit \"b.lock\"");
    let printed = Machine::with(&wrong).rules(&["test", "--format", "json", "--coverage"], "");
    assert_eq!(printed.exit, 1);
    let lines = lines(&printed.stdout);
    let kinds: Vec<&str> = lines.iter().filter_map(|line| line["kind"].as_str()).collect();
    assert_eq!(kinds, ["rule", "rule", "test", "coverage", "coverage", "summary"]);
    assert_eq!((&lines[0]["line"], &lines[0]["failed"]), (&3.into(), &1.into()));
    assert_eq!(lines[0]["failures"][0]["code"], "R0806");
    assert_eq!(lines[5]["coverage"]["rules"]["covered"], 2);
}

#[test]
fn coverage_counts_the_conditions_of_marks() {
    let mark = "mark edited {\n  on PostToolUse(Edit)\n  when path like \"src/**\"\n}\n";
    let rule = |after: &str| {
        format!(
            "{mark}\nrule a {{\n  on Stop\n  when happened edited\n  deny \"No.\"\n\n  fires on Stop after [{after}]\n  quiet on Stop\n}}\n"
        )
    };
    let covered = |policy: &str| Machine::with(policy).rules(&["test", "--coverage"], "").stdout;
    let once = covered(&rule("Edit \"src/a\" done"));
    assert!(once.contains("path like \"src/**\"\n       │ never false"), "{once}");
    assert!(once.contains("2 of 2 rules match (100 %), 3 of 4 branches (75 %)"), "{once}");
    let both = covered(&rule("Edit \"src/a\" done, Edit \"b\" done"));
    assert!(both.contains("2 of 2 rules match (100 %), 4 of 4 branches (100 %)"), "{both}");
    // The steps of a test count as well.
    let unmarked = format!("{mark}\nrule a {{\n  on Stop\n  when happened edited\n  deny \"No.\"\n}}\n");
    let tested = format!(
        "{unmarked}\ntest \"t\" {{\n  given Edit \"src/a\" done\n  then Edit \"b\" done\n  then Stop\n  expect deny\n}}\n"
    );
    let tested = covered(&tested);
    assert!(tested.contains("2 of 2 rules match (100 %)"), "{tested}");
}

#[test]
fn coverage_of_a_definition_has_its_name() {
    let policy = POLICY.replace("rule pushes", "def on_main = git.branch == \"main\"\n\nrule pushes");
    let machine = Machine::with(&policy.replace("and git.branch == \"main\"", "and on_main"));
    let printed = machine.rules(&["test", "--coverage"], "").stdout;
    assert!(printed.contains("def on_main  1 of 2 branches"), "{printed}");
    let json = lines(&machine.rules(&["test", "--coverage", "--format", "json"], "").stdout);
    assert!(json.iter().any(|line| line["def"] == "on_main" && line["rule"].is_null()), "{json:?}");
}

#[test]
fn junit_has_a_case_for_each_test_with_its_place() {
    let wrong = POLICY.replace("quiet on Edit \"c.rs\"", "quiet on Edit \"b.lock\"");
    let wrong = wrong.replace("a push is asked about", "a <push> & \\\"more\\\"");
    let printed = Machine::with(&wrong).rules(&["test", "--format", "junit"], "");
    assert_eq!(printed.exit, 1);
    let text = &printed.stdout;
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "), "{text}");
    assert!(text.contains("tests=\"3\" failures=\"1\" errors=\"0\""), "{text}");
    assert!(text.contains("name=\"test a &lt;push&gt; &amp; &quot;more&quot;\""), "{text}");
    assert!(text.contains("line=\"3\"") && text.contains("type=\"R0806\""), "{text}");
    assert_eq!(text.matches("<testcase ").count(), 3);
    assert_eq!(text.matches("<failure ").count(), text.matches("</failure>").count());
}

/// A CI service that gets no document, or one without cases, shows a run in which all is well.
#[test]
fn junit_has_an_error_for_a_policy_that_does_not_load() {
    let machine = Machine::with("rule a {\n  on Stop\n  whn true\n  deny \"<No>\"\n}\n");
    machine.write("project/.rules/b.rules", "rule b {\n  on Nowhere\n  deny \"No.\"\n}\n");
    let printed = machine.rules(&["test", "--format", "junit"], "");
    assert_eq!(printed.exit, 3, "{printed:?}");
    let text = &printed.stdout;
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "), "{text}");
    let errors = text.matches("<error ").count();
    assert!(errors >= 2 && text.matches("</error>").count() == errors, "{text}");
    assert!(text.contains(&format!("tests=\"{errors}\" failures=\"0\" errors=\"{errors}\"")), "{text}");
    for (file, line) in [("project.rules", 3), ("b.rules", 2)] {
        let place = format!("file=\".rules/{file}\" line=\"{line}\"");
        assert!(text.contains(&place), "{place} is missing in {text}");
    }
    assert!(!text.contains("<No>") && printed.stderr.contains("does not load"), "{printed:?}");
    // Services that tell cases by class and name keep all of them.
    let cases: Vec<&str> = text.lines().filter(|line| line.contains("<testcase ")).collect();
    let names: std::collections::BTreeSet<&str> =
        cases.iter().map(|case| case.split(" file=").next().unwrap()).collect();
    assert_eq!(names.len(), cases.len(), "{text}");
    let unfiltered = Machine::with(POLICY).rules(&["test", "--format", "junit", "--filter", "pulls"], "");
    assert!(
        unfiltered.exit == 2 && unfiltered.stdout.contains("tests=\"1\" failures=\"0\" errors=\"1\""),
        "{unfiltered:?}"
    );
    let none = Machine::new().rules(&["test", "--format", "junit"], "");
    assert!(none.exit == 3 && none.stdout.contains("<error message=\"no policy here"), "{none:?}");
}

#[test]
fn json_has_an_error_for_a_policy_that_does_not_load() {
    let machine = Machine::with("rule a {\n  on Stop\n  whn true\n  deny \"No.\"\n}\n");
    machine.write("project/.rules/b.rules", "rule b {\n  on Nowhere\n  deny \"No.\"\n}\n");
    let printed = machine.rules(&["test", "--format", "json"], "");
    assert_eq!(printed.exit, 3, "{printed:?}");
    let all = lines(&printed.stdout);
    let (summary, errors) = all.split_last().unwrap();
    assert_eq!(summary["kind"], "summary");
    assert_eq!(summary["errors"].as_u64(), Some(errors.len() as u64));
    for (file, line) in [(".rules/project.rules", 3), (".rules/b.rules", 2)] {
        let is_it = |one: &&Json| one["file"] == file && one["line"] == line;
        let found = errors.iter().find(is_it).unwrap_or_else(|| panic!("{file}:{line} is missing in {all:?}"));
        assert!(found["kind"] == "error" && found["code"].is_string() && found["message"].is_string(), "{found}");
        assert!(found["text"].as_str().is_some_and(|text| text.contains(file)), "{found}");
    }
    let none = Machine::new().rules(&["test", "--format", "json"], "");
    let none_lines = lines(&none.stdout);
    assert!(none.exit == 3 && none_lines.len() == 2, "{none:?}");
    assert!(none_lines[0]["code"].is_null() && none_lines[0]["file"].is_null(), "{none:?}");
    assert!(none_lines[0]["message"].as_str().is_some_and(|text| text.starts_with("no policy here")), "{none:?}");
}

#[test]
fn a_changed_file_is_tested_again() {
    let machine = Machine::with(POLICY);
    let mut child =
        machine.command(&["test", "-q", "--watch"]).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(output.next().unwrap(), "4 passed, 0 failed");
    machine
        .write("project/.rules/project.rules", &POLICY.replace("quiet on Edit \"c.rs\"", "quiet on Edit \"b.lock\""));
    assert_eq!(output.find(|line| line.ends_with("failed")).unwrap(), "3 passed, 1 failed");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// What a `use` leaves out of a rule is its author's own, also if the rule is one of a pack.
#[test]
fn the_exceptions_of_a_use_are_changed() {
    let machine = Machine::new();
    let messages = |tests: &str| {
        let used = "use \"std/git\" except no-force-push where push_target like [\"bot/*\", \"ci/*\"]\n";
        machine.write("project/.rules/a.rules", &format!("{used}{tests}"));
        let printed = machine.rules(&["mutate", "--format", "json"], "");
        let all = lines(&printed.stdout);
        all.iter().filter_map(|found| found["message"].as_str().map(str::to_owned)).collect::<Vec<String>>()
    };
    let removed = "nothing notices that `no-force-push where push_target lik…` is removed";
    let whole = "nothing notices that the `where` is removed";
    let element = |name: &str| format!("nothing notices that `\"{name}/*\"` is removed");
    let unnoticed = messages("");
    for expected in [removed, whole, &element("bot"), &element("ci")] {
        assert!(unnoticed.iter().any(|message| message == expected), "{expected}: {unnoticed:#?}");
    }
    let of_bots = "\ntest \"bots\" {\n  given \"git push -f origin bot/x\"\n  expect pass\n}\n";
    let others = "\ntest \"others\" {\n  given \"git push -f origin main\"\n  expect deny by no-force-push\n}\n";
    let unnoticed = messages(of_bots);
    assert!(!unnoticed.iter().any(|message| message == removed || *message == element("bot")), "{unnoticed:#?}");
    assert!(unnoticed.iter().any(|message| message == whole), "{unnoticed:#?}");
    assert_eq!(messages(&format!("{of_bots}{others}")), [element("ci")]);
}

#[test]
fn what_no_test_notices_is_listed_with_its_place() {
    let machine = Machine::with(POLICY);
    let quiet = machine.rules(&["mutate", "-q"], "");
    assert!(quiet.exit == 1 && quiet.stdout.lines().count() == 1 && quiet.stdout.contains("survive"), "{quiet:?}");
    // The text to paste is on one line, too.
    let short = machine.rules(&["mutate", "--format", "short"], "").stdout;
    assert!(short.contains(" would: fires on ") || short.contains(" would: quiet on "), "{short}");
    let printed = machine.rules(&["mutate", "--format", "json"], "");
    assert_eq!(printed.exit, 1);
    let lines = lines(&printed.stdout);
    let (summary, survivors) = lines.split_last().unwrap();
    let messages: Vec<&str> = survivors.iter().filter_map(|found| found["message"].as_str()).collect();
    for expected in [
        "nothing notices that `\"b.lock\"` is removed",
        "nothing notices that `Write` is removed",
        "nothing notices that `git.branch == \"main\"` is removed",
        "nothing notices `ask` in place of `deny`",
        "nothing notices that `fetch` is removed",
        "nothing notices that `!--dry-run` is removed",
    ] {
        assert!(messages.contains(&expected), "{expected}: {messages:#?}");
    }
    for noticed in ["`\"a.lock\"` is removed", "`push` is removed", "`Edit` is removed", "the effect `ask`"] {
        assert!(!messages.iter().any(|message| message.contains(noticed)), "{noticed}: {messages:#?}");
    }
    assert_eq!(summary["survive"], survivors.len());
    assert_eq!(summary["made"].as_u64(), Some(summary["noticed"].as_u64().unwrap() + survivors.len() as u64));
    assert_eq!(machine.rules(&["mutate", "--min", "50"], "").exit, 0);
    assert_eq!(machine.rules(&["mutate", "--min", "99"], "").exit, 1);
}

/// What is written is what would be pasted, in the layout of `rules fmt`, and a second run has nothing to add.
#[test]
fn proposals_are_written_where_they_belong() {
    let file = "project/.rules/project.rules";
    let machine = Machine::with(POLICY);
    machine.rules(&["fmt"], "");
    let formatted = machine.read(file);
    let survivors = lines(&machine.rules(&["mutate", "--format", "json"], "").stdout);
    let unproposed =
        survivors.iter().filter(|found| found["help"].as_str().is_some_and(|help| !help.contains(" would:")));
    let unproposed = unproposed.count();
    let fixed = machine.rules(&["mutate", "--fix", "--format", "json"], "");
    let left = lines(&fixed.stdout);
    assert_eq!(left.last().unwrap()["survive"], unproposed, "{fixed:?}");
    assert!(fixed.stderr.contains("written into .rules/project.rules"), "{fixed:?}");
    let written = machine.read(file);
    assert!(written.len() > formatted.len() && written.contains("test \""), "{written}");
    for line in formatted.lines() {
        assert!(written.contains(line), "`{line}` is lost:\n{written}");
    }
    assert_eq!(machine.rules(&["fmt", "--check"], "").exit, 0, "{written}");
    assert_eq!(machine.rules(&["test", "-q"], "").exit, 0, "{written}");
    let again = machine.rules(&["mutate", "--fix", "--format", "json"], "");
    assert_eq!(machine.read(file), written, "{again:?}");
    assert_eq!(lines(&again.stdout).last().unwrap()["survive"], unproposed, "{again:?}");
    assert!(!again.stderr.contains("written"), "{again:?}");
}

/// A file in a layout of its own keeps it, and one that does not parse or cannot be written is not touched.
#[test]
fn proposals_change_nothing_else() {
    let file = "project/.rules/project.rules";
    let loose = POLICY.replace("\n  deny", "\n      deny");
    let machine = Machine::with(&loose);
    machine.rules(&["mutate", "--fix"], "");
    let written = machine.read(file);
    assert!(written.len() > loose.len(), "{written}");
    for line in loose.lines() {
        assert!(written.lines().any(|other| other == line), "`{line}` is lost:\n{written}");
    }
    let broken = "rule a {\n  on Stop\n  deny \"No.\n}\n";
    machine.write(file, broken);
    assert_eq!(machine.rules(&["mutate", "--fix"], "").exit, 3);
    assert_eq!(machine.read(file), broken);
    machine.write(file, POLICY).mode(file, 0o444);
    let refused = machine.rules(&["mutate", "--fix"], "");
    assert!(refused.exit == 3 && refused.stderr.contains("is not changed"), "{refused:?}");
    assert_eq!(machine.read(file), POLICY);
}

/// Returns the proposal for a survivor, as the lines to paste.
fn proposed(survivor: &Json) -> Vec<String> {
    let help = survivor["help"].as_str().unwrap();
    let lines = help.lines().skip(1).map(|line| line.strip_prefix("  ").unwrap().to_owned());
    lines.collect()
}

#[test]
fn what_is_proposed_for_a_survivor_notices_it() {
    let untested = "\nrule untested {\n  on PreToolUse\n  by coder\n  when runs \"make (a|b)\"\n  \
                    unless env.CI == \"1\"\n  ask \"Go on?\"\n}\n";
    let policy = format!("{POLICY}{untested}");
    let machine = Machine::with(&policy);
    let survivors = |policy: &str| {
        machine.write("project/.rules/project.rules", policy);
        let printed = machine.rules(&["mutate", "--format", "json"], "");
        assert!(printed.stderr.is_empty(), "{policy}\n{printed:?}");
        lines(&printed.stdout).into_iter().filter(|line| line["kind"] != "summary").collect::<Vec<_>>()
    };
    let all = survivors(&policy);
    assert!(all.len() > 12, "{all:#?}");
    for survivor in &all {
        let message = survivor["message"].as_str().unwrap();
        let lines = proposed(survivor);
        let with = match lines.as_slice() {
            [example] => {
                let help = survivor["help"].as_str().unwrap();
                let rule = help.split('`').nth(1).unwrap();
                let head = format!("rule {rule} {{\n");
                let (before, rest) = policy.split_once(&head).unwrap();
                let (body, after) = rest.split_once("\n}\n").unwrap();
                format!("{before}{head}{body}\n  {example}\n}}\n{after}")
            }
            [] => panic!("nothing is proposed: {survivor:#}"),
            test => format!("{policy}\n{}\n", test.join("\n")),
        };
        // Two rules may have survivors with the same message.
        let is_alike =
            |other: &&Json| other["message"] == message && other["labels"][0]["text"] == survivor["labels"][0]["text"];
        let (before, left) = (all.iter().filter(is_alike).count(), survivors(&with).iter().filter(is_alike).count());
        assert!(left < before, "{message}: {lines:?}\n{with}");
    }
}

/// The messages of the survivors of a policy, and how many are left after `--fix`.
fn survivors_and_rest(policy: &str) -> (Vec<String>, usize) {
    let machine = Machine::with(policy);
    let found = lines(&machine.rules(&["mutate", "--format", "json"], "").stdout);
    let messages = found.iter().filter_map(|line| line["message"].as_str().map(str::to_owned)).collect();
    let fixed = machine.rules(&["mutate", "--fix", "--format", "json"], "");
    assert!(matches!(fixed.exit, 0 | 1), "{fixed:?}\n{policy}");
    let tested = machine.rules(&["test", "--quiet"], "");
    assert_eq!(tested.exit, 0, "{tested:?}");
    let again = lines(&machine.rules(&["mutate", "--format", "json"], "").stdout);
    (messages, usize::try_from(again.last().unwrap()["survive"].as_u64().unwrap()).unwrap())
}

/// A rule that asks about the past, with one example of each kind.
fn remembering(condition: &str) -> String {
    format!(
        "mark edited {{\n  on PostToolUse(Edit)\n}}\n\nmark tested {{\n  on PostToolUse(Bash)\n  when runs \"npm test\"\n}}\n\n\
         rule a {{\n  on Stop\n  when {condition}\n  deny \"No.\"\n\n  fires on Stop after [Edit \"a.ts\" done]\n  quiet on Stop\n}}\n"
    )
}

#[test]
fn the_limits_of_questions_about_the_past_are_changed() {
    let surveyed = |condition: &str| {
        let machine = Machine::with(&remembering(condition));
        lines(&machine.rules(&["mutate", "--format", "json"], "").stdout)
    };
    let mutants = |found: &[Json]| found.last().unwrap()["made"].as_u64().unwrap();
    let without_limit = mutants(&surveyed("happened edited"));
    // The other agent and the swapped marks make the `fires` example fail, so only the other mutant survives.
    for (condition, told, more) in [
        ("happened edited since tested", "that the `since` is removed", 2),
        ("happened edited within 10m", "that the `within` is removed", 1),
        ("happened edited by same agent", "that the `by` is removed", 2),
    ] {
        let found = surveyed(condition);
        assert!(found.iter().any(|line| line["message"].as_str().is_some_and(|it| it.contains(told))), "{found:?}");
        assert_eq!(mutants(&found), without_limit + more, "{condition}: {found:?}");
    }
    let counted = surveyed("count edited since tested > 0");
    assert_eq!(mutants(&counted), mutants(&surveyed("count edited > 0")) + 2, "{counted:?}");
    let of = "mark edited {\n  on PostToolUse(Edit)\n  key path\n}\n\nrule a {\n  on PreToolUse(Edit)\n  \
              when happened edited of path\n  deny \"No.\"\n\n  fires on Edit \"a\" after [Edit \"a\" done]\n  quiet on Edit \"a\"\n}\n";
    let (messages, _) = survivors_and_rest(of);
    assert!(messages.iter().any(|message| message.contains("that the `of` is removed")), "{messages:?}");
}

#[test]
fn what_is_proposed_about_the_past_is_written_and_loads() {
    for condition in ["happened edited since tested", "happened edited within 10m", "count edited > 0"] {
        let (messages, rest) = survivors_and_rest(&remembering(condition));
        assert!(messages.iter().any(|message| message.contains("that the effect `deny` is removed")), "{messages:?}");
        assert_eq!(rest, 0, "{condition}: {messages:?}");
    }
}

#[test]
fn something_is_proposed_for_every_measure_and_position() {
    for (condition, example) in [
        ("runs \"rm\" where count operands > 3", "rm a b c d e"),
        ("runs \"cp\" where last operand == \"x\"", "cp x"),
        ("runs \"cp\" where operand 2 == \"x\"", "cp x x"),
        ("not file_exists \"plan-{session_id}\" and runs \"make\"", "make"),
    ] {
        let policy = format!(
            "rule a {{\n  on PreToolUse(Bash)\n  when {condition}\n  deny \"No.\"\n\n  fires on \"{example}\"\n}}\n"
        );
        let (messages, rest) = survivors_and_rest(&policy);
        assert!(!messages.is_empty() && rest == 0, "{condition}: {rest} of {messages:?}");
    }
}

#[test]
fn a_survivor_can_be_accepted_where_it_stands() {
    let accepted = "@allow(surviving-mutant, \"it is a draft\")\n";
    let policy =
        POLICY.replace("let kept", &format!("{accepted}let kept")).replace("\nrule ", &format!("\n{accepted}rule "));
    let printed = Machine::with(&policy).rules(&["mutate"], "");
    assert!(printed.exit == 0 && printed.stdout.contains(" accepted, 0 survive"), "{printed:?}");
    let filtered = Machine::with(POLICY).rules(&["mutate", "--filter", "kept", "--format", "short"], "");
    assert!(filtered.stdout.contains("b.lock") && !filtered.stdout.contains("fetch"), "{filtered:?}");
}

#[test]
fn what_fails_as_it_is_notices_nothing() {
    let printed = Machine::with(&POLICY.replace("expect ask", "expect deny")).rules(&["mutate"], "");
    assert!(printed.exit == 1 && printed.stderr.contains("mend it first") && printed.stdout.is_empty(), "{printed:?}");
}
