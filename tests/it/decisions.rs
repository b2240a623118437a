//! The log of decisions: what hooks write, and what `rules log`, `stats`, `report` and `eval` show of it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::machine::{Machine, Printed, Reply, send};

const POLICY: &str = r#"rule no-push {
  on PreToolUse(Bash)
  when runs "git push"
  deny "Not now."
}

rule deploy {
  on PreToolUse(Bash)
  when runs "make deploy"
  ask "Deploy?"
}

@observe
rule soon {
  on PreToolUse(Bash)
  when runs "npm install"
  deny "Soon."
}

rule told {
  on PostToolUse(Write)
  context "Format it."
}

rule silent {
  on PreToolUse(Bash)
  when runs "reboot"
  deny "No."
}
"#;

/// A machine with a decision of every kind.
fn played() -> Machine {
    let machine = Machine::with(POLICY);
    machine.hook(&machine.bash("git push origin topic")).denies("Not now.");
    let mut asked = machine.bash("make deploy");
    asked["tool_use_id"] = json!("toolu_asked");
    machine.hook(&asked);
    asked["hook_event_name"] = json!("PostToolUse");
    asked["tool_response"] = json!({ "stdout": "done" });
    machine.hook(&asked);
    machine.hook(&machine.bash("npm install left-pad")).is_silent();
    let mut written = machine.file("Write", "project/a.rs");
    written["hook_event_name"] = json!("PostToolUse");
    machine.hook(&written);
    machine
}

fn directory(machine: &Machine) -> PathBuf {
    std::fs::read_dir(machine.path("state/log")).unwrap().next().unwrap().unwrap().path()
}

fn rules(machine: &Machine, args: &[&str]) -> Printed {
    let state = machine.path("state");
    machine.rules(&[args, &["--state-dir", state.to_str().unwrap()]].concat(), "")
}

fn lines(machine: &Machine) -> Vec<Json> {
    machine.decisions().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_line_says_what_was_decided_about_which_call_by_whom_and_how_fast() {
    let machine = played();
    let lines = lines(&machine);
    assert_eq!(
        lines.iter().map(|line| line["decision"].as_str().unwrap()).collect::<Vec<_>>(),
        ["deny", "ask", "pass", "pass", "pass"]
    );
    let [denied, asked, ran, observed, told] = lines.as_slice() else { panic!("{lines:#?}") };
    assert_eq!(denied["call"]["tool_input"]["command"], "git push origin topic");
    assert_eq!(
        (&denied["host"], &denied["event"], &denied["tool"]),
        (&json!("claude-code"), &json!("PreToolUse"), &json!("Bash"))
    );
    assert!(denied["microseconds"].as_u64().is_some_and(|time| time > 0));
    assert_eq!(denied["policy"].as_str().map(str::len), Some(16));
    assert_eq!((&ran["ask"], &ran["tool_use_id"]), (&json!("ran"), &asked["tool_use_id"]));
    assert_eq!(ran["incomplete"], json!(["tool_response"]));
    assert_eq!(observed["observed"], json!([{ "rule": "soon", "decision": "deny" }]));
    // A rule without a vote has fired nevertheless.
    assert_eq!(told["rules"], json!([{ "rule": "told", "decision": "pass" }]));
    assert!(
        lines.windows(2).all(|pair| pair[0]["number"].as_u64().unwrap() + 1 == pair[1]["number"].as_u64().unwrap())
    );
}

#[test]
fn a_policy_is_known_by_its_texts_kept_or_compiled() {
    let machine = Machine::with(POLICY);
    let mark = |machine: &Machine| {
        machine.hook(&machine.bash("git push")).denies("Not now.");
        lines(machine).last().unwrap()["policy"].clone()
    };
    let cold = mark(&machine);
    assert_eq!(cold, mark(&machine));
    assert_eq!(cold, mark(&Machine::with(POLICY)), "on another machine");
    machine.write("project/.rules/b.rules", "rule more {\n  on Stop\n  deny \"No.\"\n}\n");
    assert_ne!(cold, mark(&machine));
}

#[test]
fn what_a_rule_could_not_know_is_in_the_line() {
    let machine = Machine::with(POLICY);
    machine.hook(&machine.bash("eval \"$CMD\""));
    let line = &lines(&machine)[0];
    let unknown = line["unknown"].as_array().unwrap();
    assert_eq!(unknown.len(), 1, "{line:#}");
    assert!(unknown[0]["reason"].as_str().unwrap().contains("$CMD"), "{line:#}");
    assert!(unknown[0]["rules"].as_array().unwrap().contains(&json!("no-push")), "{line:#}");
}

#[test]
fn the_log_is_shown_and_chosen_from() {
    let machine = played();
    let shown = rules(&machine, &["log"]);
    for part in
        ["deny           Bash    git push origin topic", "ask → ran      Bash    make deploy", "would deny     Bash"]
    {
        assert!(shown.stdout.contains(part), "{part}: {}", shown.stdout);
    }
    // The end of the ask is shown with it.
    assert_eq!(shown.stdout.matches("make deploy").count(), 1, "{}", shown.stdout);
    assert!(shown.stdout.lines().all(|line| line.chars().count() <= 80), "{}", shown.stdout);
    for (args, expected) in [
        (&["--rule", "deploy"][..], 1),
        (&["--decision", "deny"], 2),
        (&["--text", "LEFT-PAD"], 1),
        (&["--agent", "main"], 5),
        (&["--session", "nobody"], 0),
        (&["--since", "1h"], 5),
        (&["--since", "2999-01-01"], 0),
        (&["--last", "2"], 2),
    ] {
        let printed = rules(&machine, &[&["log", "--json"], args].concat());
        assert_eq!(printed.stdout.lines().count(), expected, "{args:?}: {}", printed.stdout);
        assert_eq!(printed.exit, 0);
    }
    let wrong = rules(&machine, &["log", "--since", "soon"]);
    assert!(wrong.exit == 2 && wrong.stderr.contains("how long ago"), "{}", wrong.stderr);
    let none = rules(&Machine::new(), &["log"]);
    assert!(none.exit == 0 && none.stderr.contains("no decision is logged"), "{}", none.stderr);
}

#[test]
fn a_log_that_somebody_was_at_is_told_of() {
    let machine = played();
    let verify = || rules(&machine, &["log", "verify"]);
    let whole = verify();
    assert!(whole.exit == 0 && whole.stdout.contains("5 lines, numbers 1 to 5"), "{}", whole.stdout);
    let path = directory(&machine).join("decisions.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let changed: Vec<(String, &str)> = vec![
        (text.replacen("\"ask\"", "\"allow\"", 1), "decisions.jsonl:2: this line was changed"),
        (text.lines().skip(1).map(|line| format!("{line}\n")).collect(), "line 1 of the log was removed"),
        (
            text.lines().take(3).map(|line| format!("{line}\n")).collect(),
            "lines 4 to 5 of the log were removed from the end",
        ),
        (format!("{text}{}\n", text.lines().next().unwrap()), "decisions.jsonl:6: this line was added"),
    ];
    for (changed, expected) in changed {
        std::fs::write(&path, changed).unwrap();
        let found = verify();
        assert!(found.exit == 1 && found.stdout.contains(expected), "{expected}: {}", found.stdout);
    }
    // An unfinished line of a killed hook is not tampering.
    std::fs::write(&path, format!("{text}{{\"after\":\"4")).unwrap();
    machine.hook(&machine.bash("git push")).denies("Not now.");
    let torn = verify();
    assert!(torn.exit == 0 && torn.stdout.contains("decisions.jsonl:6: this line is not whole"), "{}", torn.stdout);
}

#[test]
fn what_follows_is_shown_as_it_is_decided() {
    let machine = played();
    let state = machine.path("state");
    let mut command =
        machine.command(&["log", "--follow", "--json", "--last", "1", "--state-dir", state.to_str().unwrap()]);
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut next = || {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut out, &mut line).unwrap();
        serde_json::from_str::<Json>(&line).unwrap()["number"].clone()
    };
    assert_eq!(next(), 5);
    machine.hook(&machine.bash("git push")).denies("Not now.");
    assert_eq!(next(), 6);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn decisions_are_counted() {
    let machine = played();
    let printed = rules(&machine, &["stats", "--json"]);
    let stats: Json = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!((&stats["all"]["decisions"], &stats["all"]["denied"]), (&json!(4), &json!(1)));
    assert_eq!(stats["asks"], json!({ "all": 1, "ran": 1, "failed": 0, "refused": 0 }));
    assert_eq!(stats["never_fired"], json!(["silent"]));
    assert_eq!(stats["rules"]["soon"]["observed"], 1);
    let shown = rules(&machine, &["stats"]).stdout;
    assert!(shown.contains("never fired: 1 of the policy's 5 rules\n  silent"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
}

#[test]
fn marks_are_not_counted_as_rules() {
    let marks = "mark ran {\n  on PreToolUse(Bash)\n}\n\nmark wrote {\n  on PostToolUse(Write)\n}\n\n";
    let machine = Machine::with(&format!(
        "{marks}{POLICY}rule asks {{\n  on Stop\n  when happened ran and happened wrote\n  deny \"No.\"\n}}\n"
    ));
    machine.hook(&machine.bash("git push")).denies("Not now.");
    let stats: Json = serde_json::from_str(&rules(&machine, &["stats", "--json"]).stdout).unwrap();
    let fired: Vec<&String> = stats["rules"].as_object().unwrap().keys().collect();
    assert!(!fired.is_empty() && !fired.iter().any(|name| *name == "ran"), "{stats}");
    let never = stats["never_fired"].as_array().unwrap();
    assert!(never.contains(&json!("asks")) && !never.contains(&json!("wrote")), "{stats}");
    let shown = rules(&machine, &["stats"]).stdout;
    assert!(shown.contains("of the policy's 6 rules"), "{shown}");
}

#[test]
fn counts_are_whole_on_a_narrow_terminal() {
    let machine = Machine::with("use \"std/filesystem\"\n");
    machine.hook(&machine.bash("rm -rf /"));
    let state = machine.path("state");
    let mut command = machine.command(&["stats", "--state-dir", state.to_str().unwrap()]);
    command.env("COLUMNS", "60").current_dir(machine.path("project"));
    let shown = String::from_utf8(send(command, b"").stdout).unwrap();
    let row = |name: &str| shown.lines().find(|line| line.contains(name)).unwrap_or_else(|| panic!("{shown}"));
    assert!(row("/keep-the-repository").ends_with(" 1 denied"), "{shown}");
    assert!(row("/deletes-outside-need-a-nod").ends_with(" 1 asked"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 60), "{shown}");
}

#[test]
fn of_a_pack_with_many_rules_that_never_fired_it_is_said_how_many() {
    let machine = Machine::with(&format!("use \"std/git\"\nuse \"std/commits\"\n{POLICY}"));
    machine.hook(&machine.bash("git push --force origin topic"));
    let shown = rules(&machine, &["stats"]).stdout;
    assert!(shown.contains("  std/git: 13 of its 14 rules\n"), "{shown}");
    // Few enough to be listed by name.
    assert!(shown.contains("std/commits/title-is-short"), "{shown}");
    let json: Json = serde_json::from_str(&rules(&machine, &["stats", "--json"]).stdout).unwrap();
    assert!(json["never_fired"].as_array().unwrap().contains(&json!("std/git/no-add-everything")), "{json}");
}

#[test]
fn a_report_is_one_page_that_nothing_can_end() {
    let machine = Machine::with(POLICY);
    machine.hook(&machine.bash("git push # </script><script>alert(1)</script>")).denies("Not now.");
    let printed = rules(&machine, &["report"]);
    assert!(printed.exit == 0 && printed.stdout.starts_with("rules-report.html: 1 decision"), "{}", printed.stdout);
    let page = machine.read("project/rules-report.html");
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.contains("default-src 'none'") && page.contains("rule no-push {") && page.contains("never fired"));
    let printed = rules(&machine, &["report", "--output", "-"]);
    assert!(printed.stdout.starts_with("<!doctype html>"));
}

#[test]
fn the_log_is_judged_again() {
    let machine = played();
    let printed = rules(&machine, &["eval", "--log", "--policy", ".rules"]);
    let again: Vec<Json> = printed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(again.iter().map(|line| &line["decision"]).collect::<Vec<_>>(), ["deny", "ask", "pass", "pass", "pass"]);
    assert_eq!(again[0]["logged"]["decision"], "deny");
    assert_eq!(again[4]["logged"]["incomplete"], json!(["tool_input.content"]));
    let same = rules(&machine, &["eval", "--log", "--recheck", "--policy", ".rules"]);
    assert_eq!((same.stdout.as_str(), same.exit), ("none of 5 decisions would change\n", 0));

    let changed = POLICY.replace("@observe\n", "").replace("deny \"Not now.\"", "ask \"Now?\"");
    machine.write("project/.rules/a.rules", &changed);
    std::fs::remove_file(machine.path("project/.rules/project.rules")).ok();
    let printed = rules(&machine, &["eval", "--log", "--recheck", "--json", "--policy", ".rules"]);
    let changes: Vec<Json> = printed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let changes: Vec<_> = changes.iter().map(|change| (&change["then"], &change["now"], &change["rules"])).collect();
    assert_eq!(
        changes,
        [(&json!("deny"), &json!("ask"), &json!(["no-push"])), (&json!("pass"), &json!("deny"), &json!(["soon"])),]
    );
    let shown = rules(&machine, &["eval", "--log", "--recheck", "--policy", ".rules"]).stdout;
    assert!(
        shown.starts_with("2 of 5 decisions would change\n") && shown.contains("pass → deny  soon  1 call"),
        "{shown}"
    );
    let refused = machine.rules(&["eval", "--recheck", "--policy", ".rules"], "{\"hook_event_name\":\"Stop\"}\n");
    assert!(refused.exit == 1 && refused.stdout.contains("not a line of the log"), "{}", refused.stdout);
}

#[test]
fn a_whole_payload_of_the_log_is_judged_again() {
    let machine = Machine::with(POLICY);
    machine.write("project/.rules/rules.toml", "[log]\nlevel = \"all\"\n");
    machine.hook(&machine.bash("git push")).denies("Not now.");
    machine.hook(&machine.bash("ls")).is_silent();
    let same = rules(&machine, &["eval", "--log", "--recheck", "--policy", ".rules"]);
    assert_eq!(same.stdout, "none of 2 decisions would change\n");
}

#[test]
fn facts_without_a_project_are_about_that_of_the_payload() {
    let machine = Machine::new();
    machine.write(
        "project/.rules/a.rules",
        "rule a {\n  on PreToolUse(Write)\n  when path like \"src/**\"\n  deny \"like\"\n}\n\n\
         rule b {\n  on PreToolUse(Write)\n  when path under \"src\"\n  deny \"under\"\n}\n",
    );
    let project = machine.path("project");
    let payload = serde_json::json!({
        "hook_event_name": "PreToolUse",
        "cwd": project,
        "tool_name": "Write",
        "tool_input": { "file_path": project.join("src/a"), "content": "" },
    });
    let line = serde_json::json!({ "payload": payload, "facts": { "git.branch": "x" } }).to_string() + "\n";
    let project = project.to_str().unwrap();
    for args in [&["eval", "--policy", ".rules"][..], &["eval", "--policy", ".rules", "--project", project]] {
        let printed = machine.rules(args, &line);
        for message in ["like", "under"] {
            assert!(printed.stdout.contains(message), "{args:?}: {}", printed.stdout);
        }
    }
}

#[test]
fn stated_facts_look_at_nothing() {
    let policy = "rule locked {\n  on PreToolUse(Bash)\n  when file_exists \"Cargo.lock\"\n  deny \"Locked.\"\n}\n";
    let machine = Machine::with(policy);
    machine.write("project/Cargo.lock", "");
    let call = format!("{}\n", machine.bash("ls"));
    for (facts, expected) in [("machine", "deny"), ("stated", "pass")] {
        let printed = machine.rules(&["eval", "--policy", ".rules", "--facts", facts], &call);
        assert!(printed.stdout.contains(&format!("\"decision\":\"{expected}\"")), "{facts}: {}", printed.stdout);
    }
}

#[test]
fn a_pack_on_trial_is_judged_and_logged_and_denies_nothing() {
    let machine = Machine::with("@observe\nuse \"std/git\"\n");
    machine.hook(&machine.bash("git push --force")).is_silent();
    let line = &lines(&machine)[0];
    assert_eq!(line["decision"], "pass");
    assert!(
        line["observed"].as_array().unwrap().contains(&json!({ "rule": "std/git/no-force-push", "decision": "deny" }))
    );
    let listed = rules_list(&machine);
    let lines: Vec<&str> = listed.lines().collect();
    let mut of_pack = lines.windows(2).filter(|pair| pair[0].starts_with("std/git/"));
    assert!(of_pack.all(|pair| pair[1].contains("@observe")), "{listed}");
    machine.write("project/.rules/b.rules", "use \"std/git\"\n");
    let checked = machine.rules(&["check", ".rules"], "");
    assert!(checked.exit == 1 && checked.stdout.contains("`@observe` and without"), "{}", checked.stdout);
}

fn rules_list(machine: &Machine) -> String {
    machine.rules(&["list", ".rules"], "").stdout
}

/// Runs hooks in parallel: none of their lines is lost, and the chain is whole.
fn hooks_at_once(hooks: usize, until: impl Fn(usize) -> bool + Sync) -> usize {
    let machine = Machine::with(POLICY);
    machine.hook(&machine.bash("git push")).denies("Not now.");
    let all = at_once(hooks, until, |hook, count| {
        let call = numbered(&machine, "git push", hook, count);
        let output = send(machine.hook_command(&["claude-code"]), call.to_string().as_bytes());
        assert!(String::from_utf8_lossy(&output.stdout).contains("Not now."));
    });
    // The next hook takes in the lines that wait next to the log.
    machine.hook(&machine.bash("git push")).denies("Not now.");
    every_line_is_there(&machine, all);
    all
}

/// Runs several threads that repeat something until they are told to stop; returns the total count.
fn at_once(hooks: usize, until: impl Fn(usize) -> bool + Sync, run: impl Fn(usize, usize) + Sync) -> usize {
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..hooks)
            .map(|hook| {
                let (run, until) = (&run, &until);
                scope.spawn(move || (0..).take_while(|count| until(*count)).inspect(|count| run(hook, *count)).count())
            })
            .collect();
        running.into_iter().map(|hook| hook.join().unwrap()).sum()
    })
}

fn numbered(machine: &Machine, command: &str, hook: usize, count: usize) -> Json {
    let mut call = machine.bash(command);
    call["tool_use_id"] = json!(format!("toolu_{hook}_{count}"));
    call
}

/// Checks that the log has one line for each of this many numbered calls, in a whole chain.
fn every_line_is_there(machine: &Machine, all: usize) {
    let verified = rules(machine, &["log", "verify"]);
    assert_eq!(verified.exit, 0, "{}", verified.stdout);
    assert!(
        !verified.stdout.contains("not whole") && !verified.stdout.contains("beside the log"),
        "{}",
        verified.stdout
    );
    let printed = rules(machine, &["log", "--json", "--last", "1000000"]);
    let ids: Vec<String> = printed
        .stdout
        .lines()
        .filter_map(|line| serde_json::from_str::<Json>(line).unwrap()["tool_use_id"].as_str().map(str::to_owned))
        .filter(|id| id.starts_with("toolu_") && id.matches('_').count() == 2)
        .collect();
    assert_eq!((ids.len(), ids.iter().collect::<BTreeSet<_>>().len()), (all, all));
}

/// With `RULES_MINUTE` in the environment, runs sixty-four hooks in parallel for a minute.
#[test]
fn hooks_at_once_lose_no_line() {
    if std::env::var_os("RULES_MINUTE").is_none() {
        assert_eq!(hooks_at_once(16, |count| count < 4), 64);
        return;
    }
    let begin = Instant::now();
    let all = hooks_at_once(64, |_| begin.elapsed() < Duration::from_secs(60));
    println!("{all} hooks in a minute");
}

/// Two policies of the same length, with an allow that reveals whether the user trusts them.
fn said(word: &str) -> String {
    format!(
        "rule no-push {{\n  on PreToolUse(Bash)\n  when runs \"git push\"\n  deny \"Not {word}.\"\n}}\n\
         rule go {{\n  on PreToolUse(Bash)\n  when only runs \"make fine\"\n  allow \"Fine {word}.\"\n}}\n"
    )
}

/// A cycle of changes to a policy: the change, the policy's word after it, and whether it is trusted.
const CHANGES: &[(Change, &str, bool)] = &[
    (Change::Write("yet"), "yet", true),
    (Change::Write("now"), "now", true),
    (Change::Run("untrust"), "now", false),
    (Change::Run("trust"), "now", true),
    (Change::Write("yet"), "yet", false),
    (Change::Run("trust"), "yet", true),
    (Change::Write("now"), "now", true),
];

#[derive(Clone, Copy)]
enum Change {
    Write(&'static str),
    Run(&'static str),
}

impl Change {
    fn make(self, machine: &Machine) {
        match self {
            Self::Write(word) => {
                machine.write("next.rules", &said(word));
                std::fs::rename(machine.path("next.rules"), machine.path("project/.rules/project.rules")).unwrap();
            }
            Self::Run(command) => {
                let args = if command == "trust" { vec![command, "--yes"] } else { vec![command] };
                let printed = machine.trust(&args);
                assert_eq!(printed.exit, 0, "{printed:?}");
            }
        }
    }
}

/// Runs hooks of the user's settings in parallel, while the project's policy is changed, trusted and untrusted after
/// every few answers: each answer corresponds to a state that existed while its hook ran. Returns the numbers of hooks
/// and changes.
fn user_hooks_at_once(hooks: usize, between: usize, until: impl Fn(usize) -> bool + Sync) -> (usize, usize) {
    let machine = Machine::with(&said("yet"));
    assert_eq!(machine.trust(&["trust", "--yes"]).exit, 0);
    Change::Write("now").make(&machine);
    assert_eq!(machine.trust(&["trust", "--yes"]).exit, 0);
    // Twice the number of changes made, plus one during a change.
    let phase = AtomicUsize::new(0);
    let state = |step: usize| match step.checked_sub(1) {
        None => ("now", true),
        Some(last) => CHANGES.get(last % CHANGES.len()).map(|(_, word, trusted)| (*word, *trusted)).unwrap(),
    };
    let expected = |(word, trusted): (&str, bool), pushes: bool| match (pushes, trusted) {
        (true, true) => ("deny", format!("Not {word}.")),
        (true, false) => ("deny", format!("This repository's policy (not trusted) says: Not {word}.")),
        (false, true) => ("allow", format!("Fine {word}.")),
        (false, false) => ("", String::new()),
    };
    let (answered, answers) = mpsc::channel::<()>();
    let (there, now) = (&machine, &phase);
    let all = std::thread::scope(|scope| {
        // If a hook fails, nobody waits for another answer.
        let answered = answered;
        let changing = scope.spawn(move || {
            for (change, ..) in CHANGES.iter().cycle() {
                if answers.iter().take(between).count() < between {
                    return;
                }
                now.fetch_add(1, Ordering::SeqCst);
                change.make(there);
                now.fetch_add(1, Ordering::SeqCst);
            }
        });
        let all = at_once(hooks, until, |hook, count| {
            let pushes = (hook + count).is_multiple_of(2);
            let call = numbered(&machine, if pushes { "git push" } else { "make fine" }, hook, count);
            let first = phase.load(Ordering::SeqCst);
            let reply = Reply::of(&send(machine.registered("hook", "user", &[]), call.to_string().as_bytes()));
            let last = phase.load(Ordering::SeqCst);
            let mut states = (first / 2..=last.div_ceil(2)).map(state);
            let is_right = |of| expected(of, pushes) == (reply.decision(), reply.reason().to_owned());
            assert!(states.any(is_right), "from {first} to {last}: {reply:?}");
            answered.send(()).unwrap();
        });
        drop(answered);
        changing.join().unwrap();
        all
    });
    machine.user_hook(&machine.bash("git push")).denies("Not ");
    // An untrusted allow leaves no line.
    let verified = rules(&machine, &["log", "verify"]);
    assert!(verified.exit == 0 && !verified.stdout.contains("not whole"), "{}", verified.stdout);
    (all, phase.load(Ordering::SeqCst) / 2)
}

/// With `RULES_MINUTE` in the environment, runs sixty-four hooks in parallel for a minute.
#[test]
fn hooks_at_once_judge_by_a_state_of_the_policy_that_there_was() {
    if std::env::var_os("RULES_MINUTE").is_none() {
        let (all, changes) = user_hooks_at_once(8, 6, |count| count < 8);
        assert_eq!(all, 64);
        assert!(changes >= CHANGES.len(), "{changes}");
        return;
    }
    let begin = Instant::now();
    let (all, changes) = user_hooks_at_once(64, 64, |_| begin.elapsed() < Duration::from_secs(60));
    println!("{all} hooks and {changes} changes of a trusted policy in a minute");
}
