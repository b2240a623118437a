//! Policies without the user's trust, in a hook of the user's settings: the parts that apply, and ways to trust them.

use std::sync::Arc;

use hookrules::examples;
use hookrules::packs::PACKS;
use hookrules::ruleset::{Effect, Rule, RuleMode};
use hookrules::trust::confined;
use hookrules::verdict::Decision;
use serde_json::{Value as Json, json};

use crate::kit;
use crate::machine::{Machine, Reply};

/// A policy with every effect. Each rule fires on a different command.
const EVERYTHING: &str = r#"
rule denies {
  on PreToolUse(Bash)
  when runs "denied"
  deny "No `{match}`."
}
rule asks {
  on PreToolUse(Bash)
  when runs "asked"
  ask "Sure?"
}
rule halts {
  on PreToolUse(Bash)
  when runs "halted"
  halt "Stop."
}
rule exits {
  on PreToolUse(Bash), Notification
  when event == "Notification" or runs "exited"
  exit 2 "Out."
}
rule exits-otherwise {
  on PreToolUse(Bash)
  when runs "exited-otherwise"
  exit 3 "Shown."
}
rule allows {
  on PreToolUse(Bash), PermissionRequest(Bash)
  when only runs "allowed"
  allow "Go."
}
rule rewrites {
  on PreToolUse(Bash)
  when runs "rewritten"
  rewrite tool_input.timeout = 7
}
rule redacts {
  on PostToolUse
  rewrite tool_response replace /secret/ with "[hidden]"
}
rule tells {
  on PreToolUse(Bash), SessionStart, UserPromptSubmit
  when event != "PreToolUse" or runs "told"
  context "Do as I say."
  warn "Beware."
  notify "Look" "here"
}
rule runs {
  on PreToolUse(Bash), SessionStart, SessionEnd, Stop
  when event != "PreToolUse" or runs "run"
  run "touch ran"
}
rule gates {
  on PreToolUse(Bash)
  when runs "gated"
  run "touch ran; exit 1" { on_fail: deny }
}
rule records {
  on PreToolUse(Bash), SessionStart
  when event != "PreToolUse" or runs "recorded"
  record ".rules/log/seen.jsonl" { event: event }
}
rule denies-and-runs {
  on PreToolUse(Bash)
  when runs "both"
  deny "Neither."
  run "touch ran"
  context "Both."
}
@observe
rule watches {
  on PreToolUse(Bash)
  when runs "watched"
  deny "Watched."
}
"#;

const MARK: &str = "This repository's policy (not trusted) says: ";

/// Returns an answer without the one-time message to the user.
fn said(reply: &Reply) -> Json {
    let mut json = reply.json.clone();
    if let Json::Object(members) = &mut json {
        members.remove("systemMessage");
        if members.is_empty() {
            return Json::Null;
        }
    }
    json
}

#[test]
fn only_denials_and_questions_of_an_untrusted_policy_count() {
    let machine = Machine::with(EVERYTHING);
    let denies = |text: &str| ("deny", format!("{MARK}{text}"));
    let asks = |text: &str| ("ask", format!("{MARK}{text}"));
    let nothing = || ("", String::new());
    let table = [
        ("denied x", denies("No `denied x`.")),
        ("asked", asks("Sure?")),
        ("halted", denies("Stop.")),
        ("exited", denies("Out.")),
        ("both", denies("Neither.")),
        ("exited-otherwise", nothing()),
        ("allowed", nothing()),
        ("rewritten", nothing()),
        ("told", nothing()),
        ("run", nothing()),
        ("gated", nothing()),
        ("recorded", nothing()),
        ("watched", nothing()),
    ];
    for (command, (decision, reason)) in &table {
        let reply = machine.user_hook(&machine.bash(command));
        assert_eq!((reply.decision(), reply.reason()), (*decision, reason.as_str()), "{command}: {reply:?}");
        let specific = &reply.json["hookSpecificOutput"];
        for member in ["updatedInput", "additionalContext"] {
            assert!(specific[member].is_null(), "{command}: {reply:?}");
        }
        assert!(reply.json["continue"].is_null(), "{command}: {reply:?}");
    }
    for (name, payload) in [
        ("SessionStart", machine.captured("2.1.330/SessionStart.startup")),
        ("UserPromptSubmit", machine.event("UserPromptSubmit")),
        ("Stop", machine.event("Stop")),
        ("SessionEnd", machine.event("SessionEnd")),
        ("Notification", machine.event("Notification")),
        (
            "PermissionRequest",
            json!({
                "session_id": "s", "cwd": machine.path("project"), "hook_event_name": "PermissionRequest",
                "tool_name": "Bash", "tool_input": { "command": "allowed" },
            }),
        ),
        (
            "PostToolUse",
            json!({
                "session_id": "s", "cwd": machine.path("project"), "hook_event_name": "PostToolUse", "tool_name": "Bash",
                "tool_input": { "command": "x" }, "tool_response": { "stdout": "a secret" },
            }),
        ),
    ] {
        let reply = machine.user_hook(&payload);
        assert!(reply.exit == 0 && said(&reply).is_null() && reply.stderr.is_empty(), "{name}: {reply:?}");
    }
    assert!(!machine.exists("project/ran") && !machine.exists("project/.rules/log"));
    assert!(!machine.decisions().contains("watches"));

    // The same events in the project's own hook have all of their effects.
    assert_eq!(machine.hook(&machine.bash("allowed")).decision(), "allow");
    assert_eq!(machine.hook(&machine.bash("denied x")).reason(), "No `denied x`.");
    machine.hook(&machine.bash("run"));
    assert!(machine.exists("project/ran"));
}

#[test]
fn a_trusted_policy_counts_as_it_stands_and_a_changed_one_does_not() {
    let machine = Machine::with(EVERYTHING);
    let allowed = || machine.user_hook(&machine.bash("allowed")).decision() == "allow";
    assert!(!allowed());
    let refused = machine.trust(&["trust"]);
    assert!(refused.exit == 1 && refused.stderr.contains("no terminal"), "{refused:?}");
    assert!(!allowed());
    let trusted = machine.trust(&["trust", "--yes"]);
    assert!(trusted.exit == 0 && trusted.stdout.contains("touch ran"), "{trusted:?}");
    assert!(allowed(), "trusted, whatever was kept of the policy");
    assert!(allowed(), "and from what is kept");

    let changes: [(&str, &dyn Fn()); 5] = [
        ("a source", &|| {
            machine.write("project/.rules/project.rules", &format!("{EVERYTHING}\n"));
        }),
        ("a new file", &|| {
            machine.write("project/.rules/more.rules", "# more\n");
        }),
        ("settings", &|| {
            machine.write("project/.rules/rules.toml", "[log]\nlevel = \"off\"\n");
        }),
        ("a local rule", &|| {
            machine.write("project/.rules/local/l.rules", "# mine\n");
        }),
        ("a record", &|| {
            machine.write("project/.rules/programs/t.toml", "names = [\"t-x\"]\n");
        }),
    ];
    for (what, change) in changes {
        change();
        assert!(!allowed(), "{what} has changed");
        for path in ["more.rules", "rules.toml", "local", "programs"] {
            let path = machine.path("project/.rules").join(path);
            let _none = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
        }
        machine.write("project/.rules/project.rules", EVERYTHING);
        // A trusted state stays trusted: switching branches causes no new question.
        assert!(allowed(), "{what} is as before");
    }

    machine.write("project/.rules/project.rules", &format!("{EVERYTHING}# second\n"));
    assert_eq!(machine.trust(&["trust", "--yes"]).exit, 0);
    assert!(allowed());
    machine.write("project/.rules/project.rules", EVERYTHING);
    assert!(allowed(), "both states are trusted");
    assert_eq!(machine.trust(&["untrust"]).exit, 0);
    assert!(!allowed());
    machine.write("project/.rules/project.rules", &format!("{EVERYTHING}# second\n"));
    assert!(!allowed(), "none is trusted any more");
}

/// Commands that name `tools/check.sh`, with different working directories.
const NAMING: &[&str] = &[
    "run \"./tools/check.sh\"",
    "run \"sh tools/check.sh --fast\"",
    "run \"cd tools && ./check.sh\"",
    "run \"sh -c 'cd tools; . ./check.sh'\"",
    "run \"BASH_ENV=tools/check.sh bash -c true\"",
    "run \"cat < tools/check.sh | sh\"",
    "run \"python3 -c 'import runpy; runpy.run_path(\\\"tools/check.sh\\\")'\"",
    "run \"echo {tool_name} && sh tools/check.sh\"",
    "run [\"tools/check.sh\", \"--\", \"{command}\"]",
    "run [\"sh\", \"tools/check.sh\"]",
    "run [\"sh\", \"-c\", \"exec tools/check.sh\"]",
    "run [\"node\", \"--require=./tools/check.sh\", \"x\"]",
    "run [\"./check.sh\"] { cwd: \"tools\" }",
    "run \"true\" { env: { BASH_ENV: \"./tools/check.sh\" } }",
];

#[test]
fn a_file_that_a_command_names_is_pinned_with_the_policy() {
    for effect in NAMING {
        let policy = format!("rule r {{\n  on PreToolUse(Bash)\n  {effect}\n  allow \"Go.\"\n}}\n");
        // A rule may have a command and a vote; the allow reveals whether the policy is trusted.
        let machine = Machine::with(&policy);
        machine.write("project/tools/check.sh", "true\n").mode("project/tools/check.sh", 0o755);
        machine.write("project/tools/other.sh", "true\n");
        let listed = machine.trust(&["trust", "--yes"]);
        assert!(listed.exit == 0 && listed.stdout.contains("run      tools/check.sh"), "{effect}: {listed:?}");
        let is_trusted = || machine.trust(&["trust"]).exit == 0;
        assert!(is_trusted(), "{effect}");
        machine.write("project/tools/other.sh", "false\n");
        assert!(is_trusted(), "{effect}: nothing names it");
        machine.write("project/tools/check.sh", "echo evil\n");
        assert!(!is_trusted(), "{effect}: changed");
        machine.write("project/tools/check.sh", "true\n");
        assert!(is_trusted(), "{effect}: as before");
        std::fs::remove_file(machine.path("project/tools/check.sh")).unwrap();
        assert!(!is_trusted(), "{effect}: gone");
    }
}

/// A file, and its text.
type Written = (&'static str, &'static str);

/// Commands that load a file without naming it: the command, the file, and what else there is.
const LOADING: &[(&str, &str, &[Written])] = &[
    ("python3 -m m", "m.py", &[]),
    ("python3 -Bm m.sub", "m/sub.py", &[("m/__init__.py", "")]),
    ("python3 -m m.sub", "m/__init__.py", &[("m/sub.py", "")]),
    ("python3 -m m", "m/__main__.py", &[("m/__init__.py", "")]),
    ("cd tools && python3 -m m", "tools/m.py", &[]),
    ("python3 pk/", "pk/__main__.py", &[]),
    ("python3 pk", "pk/__main__.py", &[]),
    ("PYTHONPATH=lib python3 -m m", "lib/m.py", &[]),
    ("PYTHONPATH=lib python3 x.py", "lib/sitecustomize.py", &[("x.py", "")]),
    ("PYTHONPATH=lib:more python3 x.py", "more/dep.py", &[("x.py", "import dep")]),
    ("python3 x.py", "dep.py", &[("x.py", "import os, dep as d\n")]),
    (
        "python3 tools/x.py",
        "tools/pk/dep.py",
        &[("tools/x.py", "from pk.dep import f\n"), ("tools/pk/__init__.py", "")],
    ),
    ("python3 tools/x.py", "tools/dep.py", &[("tools/x.py", "from . import dep\n")]),
    ("python3 a.py", "c.py", &[("a.py", "import b\n"), ("b.py", "import c\n")]),
    ("node ./s", "s.js", &[]),
    ("node ./s", "s/index.js", &[]),
    ("node ./s", "s/lib/main.js", &[("s/package.json", "{\"main\": \"lib/main.js\"}")]),
    ("node -r ./hook x.js", "hook.js", &[("x.js", "")]),
    ("NODE_OPTIONS='--require ./hook' node x.js", "hook.js", &[("x.js", "")]),
    ("node x.mjs", "lib/dep.mjs", &[("x.mjs", "import { f } from './lib/dep.mjs';\n")]),
    ("node x.js", "dep.js", &[("x.js", "const d = require('./dep');\n")]),
    ("PATH=.:$PATH tool", "tool", &[]),
    ("PATH=$PATH:bin tool --fast", "bin/tool", &[]),
    ("export PATH={project}/bin:$PATH; tool", "bin/tool", &[]),
    ("perl -I. -MQ -e 1", "Q.pm", &[]),
    ("perl -Ilib -MA::Q=x -e 1", "lib/A/Q.pm", &[]),
    ("PERL5LIB=lib perl -mQ -e 1", "lib/Q.pm", &[]),
    ("PERL5OPT='-Ilib -MQ' perl x.pl", "lib/Q.pm", &[("x.pl", "")]),
    ("perl x.pl", "lib/Q.pm", &[("x.pl", "use lib 'lib';\nuse Q;\n")]),
    ("ruby -I. -rq -e 1", "q.rb", &[]),
    ("ruby -r./q -e 1", "q.rb", &[]),
    ("RUBYLIB=lib ruby -rq -e 1", "lib/q.rb", &[]),
    ("RUBYOPT='-Ilib -rq' ruby x.rb", "lib/q.rb", &[("x.rb", "")]),
    ("ruby x.rb", "dep.rb", &[("x.rb", "require_relative 'dep'\n")]),
    (". lib.sh", "lib.sh", &[]),
    ("sh check.sh", "lib.sh", &[("check.sh", ". ./lib.sh\n")]),
    ("sh tools/check.sh", "tools/lib.sh", &[("tools/check.sh", "source \"$(dirname \"$0\")/lib.sh\"\n")]),
    ("./tools/check", "tools/more.py", &[("tools/check", "#!/bin/sh\npython3 tools/more.py\n")]),
    ("sh check.sh", "m.py", &[("check.sh", "python3 -m m\n")]),
    ("python3 -c 'import helper'", "helper.py", &[]),
    ("python3 -c 'import sys; from helper import f'", "helper.py", &[]),
    ("python3 -c '__import__(\\\"helper\\\")'", "helper.py", &[]),
    ("python3 -c 'import b'", "c.py", &[("b.py", "import c\n")]),
    ("node -e 'require(\\\"./s\\\")'", "s.js", &[]),
    ("node -e 'import(\\\"./s.mjs\\\")'", "s.mjs", &[]),
    ("ruby -e 'require \\\"./x\\\"'", "x.rb", &[]),
    ("perl -e 'require \\\"./x.pl\\\"'", "x.pl", &[]),
    ("perl -e 'use lib \\\"lib\\\"; use Q; 1'", "lib/Q.pm", &[]),
    ("php -r 'include \\\"x.php\\\";'", "x.php", &[]),
    ("php x.php", "lib/y.php", &[("x.php", "<?php require_once __DIR__ . '/lib/y.php';\n")]),
    ("git -c core.hooksPath=hooks commit -q -m x", "hooks/pre-commit", &[]),
    ("git -c core.hooksPath=hooks commit -q -m x", "lib.sh", &[("hooks/pre-commit", "#!/bin/sh\n. ./lib.sh\n")]),
    ("sh hooks/*.sh", "hooks/a.sh", &[]),
    ("for f in hooks/*.sh; do sh \\\"$f\\\"; done", "hooks/a.sh", &[]),
    ("for f in hooks/*; do \\\"$f\\\"; done", "hooks/a", &[]),
    ("for f in hooks/*.sh; do . \\\"$f\\\"; done", "hooks/a.sh", &[]),
    ("python3 hooks/*.py", "hooks/a.py", &[]),
    ("run-parts hooks", "hooks/a", &[]),
    ("ZDOTDIR=z zsh -c 'echo hi'", "z/.zshenv", &[]),
    ("HOME=z bash -lc 'echo hi'", "z/.profile", &[]),
    ("HOME=z bash -ic 'echo hi'", "z/.bashrc", &[]),
    ("BASH_ENV=x bash -c 'echo hi'", "x", &[]),
    ("BASH_ENV=x bash -c 'echo hi'", "lib.sh", &[("x", ". ./lib.sh\n")]),
    ("ENV=x sh -i", "x", &[]),
    ("make test", "Makefile", &[]),
    ("make -k test", "GNUmakefile", &[("Makefile", "")]),
    ("make test", "rules.mk", &[("Makefile", "include rules.mk\n")]),
    ("npm run lint", "package.json", &[]),
    ("{project}/tools/check.sh", "tools/check.sh", &[]),
    ("sh \\\"{project}/tools/check.sh\\\" --fast", "tools/check.sh", &[]),
    ("cd {project}/tools && ./check.sh", "tools/check.sh", &[]),
];

fn allows_and_runs(command: &str) -> Machine {
    Machine::with(&format!("rule r {{\n  on PreToolUse(Bash)\n  run \"{command}\"\n  allow \"Go.\"\n}}\n"))
}

#[test]
fn a_file_that_a_command_loads_is_pinned_with_the_policy() {
    for (command, file, others) in LOADING {
        let machine = allows_and_runs(command);
        for (name, text) in others.iter().chain(&[(*file, "1\n"), ("other.txt", "1\n")]) {
            machine.write(&format!("project/{name}"), text);
        }
        let listed = machine.trust(&["trust", "--yes"]);
        let is_pinned = listed.stdout.contains(&format!("run      {file}\n"));
        assert!(listed.exit == 0 && is_pinned, "{command}: {file}: {listed:?}");
        let is_trusted = || machine.trust(&["trust"]).exit == 0;
        machine.write("project/other.txt", "2\n");
        assert!(is_trusted(), "{command}: nothing loads it");
        machine.write(&format!("project/{file}"), "2\n");
        assert!(!is_trusted(), "{command}: {file} has changed");
        machine.write(&format!("project/{file}"), "1\n");
        assert!(is_trusted(), "{command}: {file} is as before");
    }
}

#[test]
fn a_file_that_appears_in_front_of_a_pinned_one_is_noticed() {
    for (command, file, others) in [
        ("PATH=.:$PATH tool", "tool", &[] as &[&str]),
        ("python3 x.py", "json.py", &["x.py"]),
        ("python3 -m m", "m.py", &[]),
        ("node ./s", "s.js", &["s/index.js"]),
        ("make test", "GNUmakefile", &["Makefile"]),
        ("sh check.sh", "lib.sh", &["check.sh"]),
        ("sh hooks/*.sh", "hooks/b.sh", &["hooks/a.sh"]),
        ("run-parts hooks", "hooks/b", &["hooks/a"]),
        ("git -c core.hooksPath=hooks status", "hooks/post-checkout", &["hooks/pre-commit"]),
    ] {
        // Whether it is there yet or not, the command succeeds.
        let machine = allows_and_runs(&format!("{command} || true"));
        for name in others {
            machine.write(&format!("project/{name}"), "import json\n. ./lib.sh\n");
        }
        assert_eq!(machine.trust(&["trust", "--yes"]).exit, 0, "{command}");
        let allows = || machine.user_hook(&machine.bash("ls")).decision() == "allow";
        // Once to keep the policy, once more to judge from it.
        assert!(allows() && allows(), "{command}");
        machine.write(&format!("project/{file}"), "evil\n");
        assert!(!allows(), "{command}: {file} has appeared");
    }
}

#[test]
fn the_main_of_a_package_is_no_task() {
    let machine = allows_and_runs("npm run lint");
    machine.write("project/package.json", "{\"main\": \"dist/index.js\"}").write("project/dist/index.js", "1\n");
    assert_eq!(machine.trust(&["trust", "--yes"]).exit, 0);
    machine.write("project/dist/index.js", "2\n");
    assert_eq!(machine.trust(&["trust"]).exit, 0);
}

#[test]
fn what_a_linter_is_given_loads_nothing() {
    let machine = allows_and_runs("ruff check x.py");
    machine.write("project/x.py", "import dep\n").write("project/dep.py", "1\n");
    assert_eq!(machine.trust(&["trust", "--yes"]).exit, 0);
    machine.write("project/dep.py", "2\n");
    assert_eq!(machine.trust(&["trust"]).exit, 0);
}

#[test]
fn what_runs_and_is_not_pinned_is_named() {
    let table: &[(&str, &str)] = &[
        ("python3 -m pytest", "`python3 -m pytest` loads `pytest`, which is not found in the project"),
        ("cargo test --quiet", "`cargo test --quiet` runs code of the project"),
        ("make test", "`make test` runs whatever its tasks start"),
        ("npm run lint", "`npm run lint` runs whatever its tasks start"),
        ("node -r dotenv/config x.js", "loads `dotenv/config`, which is not found in the project"),
        ("ruby -rq -e 1", "loads `q`, which is not found in the project"),
        ("perl -MQ -e 1", "loads `Q`, which is not found in the project"),
        ("$TOOL --fast", "starts a program of which only the event knows the name"),
        ("python3 $SCRIPT", "runs a file that only the event names"),
        ("PYTHONPATH=lib python3 x.py", "may load any module in a directory of `PYTHONPATH`"),
        ("sh check.sh", "`cargo test` runs code of the project"),
        ("sh */hooks/*.sh", "`*/hooks/*.sh` matches files in directories that are not listed"),
        ("BASH_ENV=$X bash -c true", "may run the file in `BASH_ENV`, which only the event names"),
        ("HOME=$X bash -lc true", "may run startup files in `HOME`, which only the event names"),
        ("python3 -c $CODE", "runs code of which only the event knows all"),
    ];
    for (command, expected) in table {
        let machine = allows_and_runs(command);
        machine.write("project/check.sh", "cargo test\n");
        let listed = machine.trust(&["trust", "--yes"]);
        assert!(listed.exit == 0 && listed.stdout.contains(expected), "{command}: {listed:?}");
        let json: Json = serde_json::from_str(&machine.trust(&["trust", "--json"]).stdout).unwrap();
        let named = json["not_pinned"].as_array().unwrap().iter().any(|one| one.as_str().unwrap().contains(expected));
        assert!(named, "{command}: {json}");
    }
    for command in
        ["git status", "./tools/check.sh", "python3 tools/check.py", "notify-send -- done", "sh -c 'echo hi'"]
    {
        let machine = allows_and_runs(command);
        machine.write("project/tools/check.sh", "echo done\n").write("project/tools/check.py", "print(1)\n");
        let json: Json = serde_json::from_str(&machine.trust(&["trust", "--json"]).stdout).unwrap();
        assert_eq!(json["not_pinned"], json!([]), "{command}");
    }
}

#[test]
fn what_a_command_writes_is_no_part_of_the_policy() {
    for effect in [
        "run \"echo x > out/log.txt\"",
        "run \"sh -c 'date >> out/log.txt'\"",
        "run \"cd out && touch log.txt\"",
        "run [\"tee\", \"out/log.txt\"]",
        "run \"rm -f out/log.txt\"",
    ] {
        let machine = Machine::with(&format!("rule r {{\n  on PreToolUse(Bash)\n  {effect}\n  allow\n}}\n"));
        machine.write("project/out/.keep", "");
        assert_eq!(machine.trust(&["trust", "--yes"]).exit, 0);
        for text in ["one\n", "two\n"] {
            machine.write("project/out/log.txt", text);
            assert_eq!(machine.user_hook(&machine.bash("ls")).decision(), "allow", "{effect}");
        }
    }
}

#[test]
fn a_hook_that_judges_from_what_is_kept_notices_a_change_behind_a_pinned_command() {
    let machine = Machine::with("rule r {\n  on PreToolUse(Bash)\n  allow\n  run \"sh tools/check.sh\"\n}\n");
    machine.write("project/tools/check.sh", "touch checked\n");
    assert_eq!(machine.trust(&["trust", "--yes"]).exit, 0);
    let ls = machine.bash("ls");
    // Once to cache the policy, once more to judge from the cache.
    for _ in 0..2 {
        assert_eq!(machine.user_hook(&ls).decision(), "allow");
    }
    assert!(machine.exists("project/checked"));
    machine.write("project/tools/check.sh", "touch hacked_\n");
    assert_eq!(machine.user_hook(&ls).decision(), "");
    assert!(!machine.exists("project/hacked_"));
    // A link in place of the file is followed, and its target counts.
    std::fs::remove_file(machine.path("project/tools/check.sh")).unwrap();
    machine.write("elsewhere.sh", "touch checked\n").link(machine.path("elsewhere.sh"), "project/tools/check.sh");
    assert_eq!(machine.user_hook(&ls).decision(), "allow");
    machine.write("elsewhere.sh", "touch hacked_\n");
    assert_eq!(machine.user_hook(&ls).decision(), "");
    assert!(!machine.exists("project/hacked_"));
}

#[test]
fn a_policy_of_which_nothing_counts_is_kept_like_any_other() {
    let machine = Machine::with("rule r {\n  on PreToolUse(Bash)\n  run \"touch ran\"\n}\n");
    for _ in 0..2 {
        assert_eq!(machine.user_hook(&machine.bash("ls")).decision(), "");
    }
    let kept = std::fs::read_dir(machine.path("state/cache")).unwrap().count();
    assert_eq!(kept, 1);
    // A hook that needs no trust does not use it.
    machine.hook(&machine.bash("ls"));
    assert!(machine.exists("project/ran"));
}

#[test]
fn what_the_packs_deny_and_ask_they_deny_and_ask_without_trust() {
    let decides = |effect: &Effect| matches!(effect, Effect::Vote { decision, .. } if *decision > Decision::Allow);
    let is_confined = |effect: &Effect| {
        matches!(effect, Effect::Vote { decision: Decision::Ask | Decision::Deny, interrupt: false, .. })
    };
    let (mut judged, mut failed) = (0, Vec::new());
    for (name, text) in PACKS {
        let policy = kit::policy(text);
        let mut layer = policy.layers[0].clone();
        let remembers = |rule: &Rule| rule.mark().is_some();
        layer.rules.retain(|rule| {
            rule.traits.mode == RuleMode::Active && (remembers(rule) || rule.effects.iter().any(decides))
        });
        // Examples are run with the names that rules have in the pack itself.
        let left = |rule: &Arc<Rule>| {
            let used = Rule { name: format!("{name}/{}", rule.name), ..(**rule).clone() };
            match remembers(rule) {
                true => Some(Arc::clone(rule)),
                false => confined(&used).map(|left| Arc::new(Rule { name: rule.name.clone(), ..left })),
            }
        };
        let left: Option<Vec<Arc<Rule>>> = layer.rules.iter().map(left).collect();
        layer.rules = left.unwrap_or_else(|| panic!("{name}: a rule that denies or asks is left out"));
        for rule in layer.rules.iter().filter(|rule| !remembers(rule)) {
            assert!(rule.effects.iter().all(is_confined), "{name}: {}", rule.name);
        }
        let report = examples::judge_layer(&layer);
        failed.extend(report.failed.into_iter().map(|found| found.message));
        judged += report.passed;
    }
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(judged > 500, "{judged}");
}

#[test]
fn the_user_is_told_once_a_session_with_the_way_out() {
    let machine = Machine::with(EVERYTHING);
    let session = |name: &str, payload: &Json| {
        let mut payload = payload.clone();
        payload["session_id"] = json!(name);
        machine.user_hook(&payload)
    };
    let start = machine.captured("2.1.330/SessionStart.startup");
    let first = session("one", &start);
    let told = format!("`rules trust` in {}", machine.path("project").display());
    assert!(first.warning().contains(&told), "{first:?}");
    session("one", &start).is_silent();
    session("one", &machine.bash("ls")).is_silent();
    // A session that this hook does not see begin gets the message at its first event.
    assert!(session("two", &machine.bash("ls")).warning().contains(&told));
    session("two", &machine.bash("ls")).is_silent();
    assert_eq!(machine.trust(&["trust", "--yes"]).exit, 0);
    assert!(!session("three", &start).warning().contains("trust"));
}

#[test]
fn a_policy_that_is_not_trusted_is_told_nothing_of_what_lies_outside_its_project() {
    // Each of these would be true if it were known.
    let conditions = [
        ("exists env.PATH", "ask"),
        ("file_exists \"/etc/passwd\"", "ask"),
        ("file_exists \"../user\"", "ask"),
        ("file_exists \"~\"", "ask"),
        ("file_exists \"out/passwd\"", "ask"),
        ("file_size \"/etc/passwd\" > 0", "ask"),
        ("runs \"ls\" where exists env.PATH", "ask"),
        ("not file_exists \"in\"", ""),
        ("file_exists \"in\"", "deny"),
        ("git.branch == \"main\"", "deny"),
        ("runs \"ls\" where env.SET == \"1\"", "deny"),
        ("exists env.PATH and runs \"rm\"", ""),
    ];
    for (condition, expected) in conditions {
        let machine =
            Machine::with(&format!("rule r {{\n  on PreToolUse(Bash)\n  when {condition}\n  deny \"No.\"\n}}\n"));
        machine.write("project/in", "").link("/etc", "project/out");
        let reply = machine.user_hook(&machine.bash("SET=1 ls"));
        assert_eq!(reply.decision(), expected, "{condition}: {reply:?}");
        assert!(!reply.reason().contains("does not load"), "{condition}: {reply:?}");
    }
}

#[test]
fn settings_of_an_untrusted_policy_have_no_say() {
    let machine = Machine::with("rule r {\n  on PreToolUse(Bash)\n  deny \"No.\"\n}\n");
    machine.write("project/.rules/rules.toml", "[log]\nlevel = \"off\"\n\n[shell.tools]\nmcp__x__y = \"z\"\n");
    assert_eq!(machine.user_hook(&machine.bash("ls")).decision(), "deny");
    assert!(machine.decisions().contains("\"deny\""));

    // If it does not load, the failure policy of the other layers applies, never its own.
    machine.write("project/.rules/rules.toml", "on_error = \"allow\"\n").write("project/.rules/b.rules", "rule {\n");
    machine.user_hook(&machine.bash("ls")).asks("does not load");
    machine.write("user/rules.toml", "on_error = \"deny\"\n");
    machine.user_hook(&machine.bash("ls")).denies("does not load");
    machine
        .write("user/rules.toml", "on_error = \"allow\"\n")
        .write("project/.rules/rules.toml", "on_error = \"deny\"\n");
    assert_eq!(machine.user_hook(&machine.bash("ls")).decision(), "");
    let refused = machine.trust(&["trust", "--yes"]);
    assert!(refused.exit == 1 && refused.stderr.contains("does not load"), "{refused:?}");
}

/// A policy that approves the tasks of two packages, as they are when it is trusted.
fn machine_with_tasks() -> Machine {
    let machine = Machine::with("rule checks {\n  on PreToolUse(Bash)\n  when only runs \"pnpm lint *\"\n  allow\n}\n");
    machine.write("project/.rules/rules.toml", "[trust]\nfiles = [\"package.json\", \"web/package.json\"]\n");
    machine.write("project/package.json", "{\"scripts\": {\"lint\": \"eslint .\"}, \"version\": \"1.0.0\"}");
    machine.write("project/web/package.json", "{}");
    machine
}

#[test]
fn the_tasks_of_a_package_are_trusted_as_they_were_with_the_policy() {
    let machine = machine_with_tasks();
    let lint = machine.bash("pnpm lint --fix");
    // Even a hook that the project has registered needs trust then.
    let allowed = || (machine.hook(&lint).decision() == "allow", machine.user_hook(&lint).decision() == "allow");
    assert_eq!(allowed(), (false, false));
    let trusted = machine.trust(&["trust", "--yes"]);
    assert!(trusted.exit == 0 && trusted.stdout.contains("\"lint\": \"eslint .\""), "{trusted:?}");
    assert_eq!(allowed(), (true, true));

    machine.write("project/package.json", "{\"scripts\": {\"lint\": \"eslint .\"}, \"version\": \"2.0.0\"}");
    assert_eq!(allowed(), (true, true), "the scripts are the same");
    machine.write("project/package.json", "{\"scripts\": {\"lint\": \"eslint . && sh x\"}}");
    assert_eq!(allowed(), (false, false));
    let shown = machine.trust(&["trust"]);
    assert!(shown.stdout.contains("changed package.json") && shown.stdout.contains("&& sh x"), "{shown:?}");
    machine.write("project/package.json", "{\"scripts\": {\"lint\": \"eslint .\"}}");
    assert_eq!(allowed(), (true, true));
    machine.write("project/web/package.json", "{\"scripts\": {\"prelint\": \"sh x\"}}");
    assert_eq!(allowed(), (false, false));
}

#[test]
fn what_decides_what_a_trusted_file_runs_is_trusted_with_it() {
    let rule = "rule checks {\n  on PreToolUse(Bash)\n  when only runs [\"make test\", \"pnpm -r test\", \"./scripts/test.sh\"]\n  \
                allow\n}\n";
    /// The file that `trust.files` names, the files of the project, and those that decide what is run.
    type TrustedFile = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);
    let cases: &[TrustedFile] = &[
        ("Makefile", &[("Makefile", "include a.mk\ntest:\n\tpytest\n")], &["GNUmakefile", "makefile", "a.mk"]),
        (
            "package.json",
            &[("package.json", "{\"scripts\": {\"test\": \"jest\"}, \"workspaces\": [\"packages/*\"]}")],
            &["packages/api/package.json", "bunfig.toml", ".yarnrc.yml"],
        ),
        (
            "package.json",
            &[
                ("package.json", "{}"),
                ("pnpm-workspace.yaml", "packages:\n  - apps/*\n"),
                ("apps/a/package.json", "{}"),
            ],
            &["apps/a/package.json", "apps/b/package.json", "pnpm-workspace.yaml"],
        ),
        ("scripts/test.sh", &[("scripts/test.sh", "#!/bin/sh\n. ./scripts/lib.sh\n")], &["scripts/lib.sh"]),
    ];
    for (named, files, deciding) in cases {
        let machine = Machine::with(rule);
        machine.write("project/.rules/rules.toml", &format!("[trust]\nfiles = [\"{named}\"]\n"));
        for (path, text) in *files {
            machine.write(&format!("project/{path}"), text);
        }
        let trusted = machine.trust(&["trust", "--yes"]);
        assert_eq!(trusted.exit, 0, "{trusted:?}");
        let is_allowed = || machine.user_hook(&machine.bash("make test")).decision() == "allow";
        assert!(is_allowed(), "{named}");
        machine.write("project/src/unrelated.sh", "sh x\n");
        assert!(is_allowed(), "{named}: an unrelated file");
        for path in *deciding {
            let before = std::fs::read_to_string(machine.path(&format!("project/{path}"))).ok();
            machine.write(&format!("project/{path}"), "{\"scripts\": {\"test\": \"sh x\"}}\n");
            assert!(!is_allowed(), "{named}: {path}");
            match before {
                Some(text) => drop(machine.write(&format!("project/{path}"), &text)),
                None => std::fs::remove_file(machine.path(&format!("project/{path}"))).unwrap(),
            }
            assert!(is_allowed(), "{named}: {path} is as before");
        }
    }
}

#[test]
fn a_program_of_the_project_that_is_allowed_and_not_compared_is_named() {
    let machine = Machine::with(
        "rule checks {\n  on PreToolUse(Bash)\n  when only runs [\"./scripts/test.sh\", \"bin/rails test\"]\n  allow\n}\n",
    );
    machine.write("project/.rules/rules.toml", "[trust]\nfiles = [\"scripts/test.sh\"]\n");
    machine.write("project/scripts/test.sh", "pytest\n");
    let trusted = machine.trust(&["trust", "--yes"]);
    assert!(trusted.stdout.contains("`bin/rails` is allowed, whatever is in that file"), "{trusted:?}");
    assert!(!trusted.stdout.contains("`./scripts/test.sh` is allowed"), "{trusted:?}");
}

#[test]
fn the_settings_of_scripts_are_trusted_with_a_package_and_its_secrets_are_not() {
    let machine = machine_with_tasks();
    machine.write("project/.npmrc", "//registry.example/:_authToken=secret\n");
    let trusted = machine.trust(&["trust", "--yes"]);
    assert!(trusted.exit == 0 && !trusted.stdout.contains("secret"), "{trusted:?}");
    let is_allowed = || machine.user_hook(&machine.bash("pnpm lint")).decision() == "allow";
    assert!(is_allowed());
    machine.write("project/.npmrc", "//registry.example/:_authToken=other\n");
    assert!(is_allowed());
    machine.write("project/.npmrc", "script-shell=./sh\n");
    assert!(!is_allowed());
}

#[test]
fn a_file_that_cannot_be_trusted_with_the_policy_is_a_problem() {
    let machine = machine_with_tasks();
    std::fs::remove_file(machine.path("project/web/package.json")).unwrap();
    let refused = machine.trust(&["trust", "--yes"]);
    assert!(
        refused.exit == 1 && refused.stderr.contains("`web/package.json`, which `trust.files` names"),
        "{refused:?}"
    );
    for entry in ["../x", "/etc/x", "*.json", "", "web/"] {
        machine.write("project/.rules/rules.toml", &format!("[trust]\nfiles = [\"{entry}\"]\n"));
        assert!(machine.rules(&["check"], "").stdout.contains("write its path from the directory"), "{entry}");
    }
    machine.write("project/.rules/rules.toml", "").write("user/rules.toml", "[trust]\nfiles = [\"a\"]\n");
    machine.hook(&machine.bash("ls")).asks("does not load");
}

#[test]
fn the_policies_of_the_user_and_the_administrator_need_no_trust() {
    let machine = Machine::with("rule theirs {\n  on PreToolUse(Bash)\n  allow \"Theirs.\"\n}\n");
    machine.write("user/u.rules", "rule mine {\n  on PreToolUse(Read)\n  allow \"Mine.\"\n}\n");
    machine.write("managed/m.rules", "rule all {\n  on PreToolUse(Grep)\n  allow \"All.\"\n}\n");
    assert_eq!(machine.user_hook(&machine.bash("ls")).decision(), "");
    assert_eq!(machine.user_hook(&machine.file("Read", "project/a")).reason(), "Mine.");
    assert_eq!(machine.user_hook(&machine.file("Grep", "project/a")).reason(), "All.");
}

#[test]
fn a_hook_without_a_scope_is_taken_for_the_users() {
    let machine = Machine::with("rule r {\n  on PreToolUse(Bash)\n  allow\n}\n");
    let decision = |words: &[&str]| {
        machine.forget_claims();
        let mut command = machine.command(words);
        for (option, directory) in [("--config-dir", "user"), ("--managed-dir", "managed"), ("--state-dir", "state")] {
            command.arg(option).arg(machine.path(directory));
        }
        let sent = crate::machine::send(command, machine.bash("ls").to_string().as_bytes());
        Reply::of(&sent).decision().to_owned()
    };
    for (words, expected) in [
        (&["hook"][..], ""),
        (&["hook", "claude-code", "--scope", "user", "--id", "0a1b2c3d"], ""),
        (&["hook", "--scope=project"], "allow"),
        (&["hook", "--scope", "local", "--id=ff"], "allow"),
        // An invalid registration gives no trust, and is reported.
        (&["hook", "--scope", "everybody"], "ask"),
        (&["PreToolUse"], "allow"),
        (&["PreToolUse", "--scope", "user"], ""),
    ] {
        assert_eq!(decision(words), expected, "{words:?}");
    }
}

#[test]
fn what_changed_since_a_policy_was_trusted_is_shown() {
    let machine = Machine::with("rule a {\n  on PreToolUse(Bash)\n  deny \"No.\"\n}\n");
    machine.write("project/.rules/b.rules", "# b\n");
    assert_eq!(machine.trust(&["trust", "--yes"]).exit, 0);
    machine.write("project/.rules/project.rules", "rule a {\n  on PreToolUse(Bash)\n  allow \"Yes.\"\n}\n");
    machine.write("project/.rules/c.rules", "# \u{202e}c\n");
    std::fs::remove_file(machine.path("project/.rules/b.rules")).unwrap();
    let shown = machine.trust(&["trust"]).stdout;
    for part in [
        "not trusted",
        "\n  allow    by a on PreToolUse(Bash)\n",
        "changed .rules/project.rules",
        "    -   deny \"No.\"\n",
        "    +   allow \"Yes.\"\n",
        "new     .rules/c.rules",
        "    + # \\u{202e}c\n",
        "gone    .rules/b.rules",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let json: Json = serde_json::from_str(&machine.trust(&["trust", "--json"]).stdout).unwrap();
    assert_eq!((&json["trusted"], &json["powers"][0]["effect"]), (&json!(false), &json!("allow")));
    let list = machine.trust(&["trust", "--list"]).stdout;
    assert!(
        list.starts_with(&format!("{}\n  ", machine.path("project").display())) && list.contains("2 files"),
        "{list}"
    );
    let list: Json = serde_json::from_str(&machine.trust(&["trust", "--list", "--json"]).stdout).unwrap();
    assert_eq!((list.as_array().unwrap().len(), &list[0]["files"][0]["text"]), (1, &Json::Null));
}

#[test]
fn a_command_that_would_be_trusted_is_shown_whole() {
    let script: String = (0..60).map(|number| format!("echo {number}; ")).collect();
    let machine = Machine::with(&format!("rule r {{\n  on SessionStart\n  run \"{script}touch hidden\"\n}}\n"));
    let shown = machine.trust(&["trust"]).stdout;
    assert!(shown.contains("touch hidden"), "{shown}");
}

#[test]
fn nothing_to_trust_is_said() {
    let machine = Machine::new();
    let printed = machine.trust(&["trust"]);
    assert!(printed.exit == 3 && printed.stderr.contains("no policy of a project"), "{printed:?}");
    assert_eq!(machine.trust(&["trust", "--list"]).stdout, "no policy of a project is trusted\n");
    assert!(machine.trust(&["untrust"]).stdout.contains("nothing"));
    assert!(!machine.exists("state/trust"));
}

#[test]
fn a_state_directory_that_others_can_write_holds_no_trust() {
    let machine = Machine::with("rule r {\n  on PreToolUse(Bash)\n  allow\n}\n");
    assert_eq!(machine.trust(&["trust", "--yes"]).exit, 0);
    assert_eq!(machine.user_hook(&machine.bash("ls")).decision(), "allow");
    // A cached policy would not look up the trust; without it the sources are read, as when a session begins.
    let _none = std::fs::remove_dir_all(machine.path("state/cache"));
    machine.mode("state", 0o777);
    assert_eq!(machine.user_hook(&machine.bash("ls")).decision(), "");
    assert_eq!(machine.trust(&["trust"]).exit, 1);
}

#[test]
fn what_is_trusted_is_for_the_user_alone() {
    let machine = Machine::with("rule r {\n  on PreToolUse(Bash)\n  allow\n}\n");
    assert_eq!(machine.trust(&["trust", "--yes"]).exit, 0);
    let mode = |path: &std::path::Path| crate::system::mode(path) & 0o777;
    let project = std::fs::read_dir(machine.path("state/trust")).unwrap().next().unwrap().unwrap().path();
    let states: Vec<_> = std::fs::read_dir(&project).unwrap().map(|state| state.unwrap().path()).collect();
    assert_eq!((mode(&project), states.len(), mode(&states[0])), (0o700, 1, 0o600));
}

#[test]
fn explain_says_where_a_hook_of_the_user_would_judge_otherwise() {
    let machine = Machine::with("rule r {\n  on PreToolUse(Bash)\n  allow \"Go.\"\n}\n");
    machine.write("user/u.rules", "rule u {\n  on PreToolUse(Read)\n  deny \"No.\"\n}\n");
    let payload = machine.bash("ls").to_string();
    let plain = machine.rules(&["explain"], &payload).stdout;
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(plain.contains("→ allow") && plain.contains("says `pass` here"), "{plain}");
    let directories = ["user", "managed", "state"].map(|name| machine.path(name).to_str().unwrap().to_owned());
    let [user, managed, state] = directories.each_ref().map(String::as_str);
    let as_hook = |args: &[&str]| {
        let words = ["explain", "--as-hook", "--config-dir", user, "--managed-dir", managed, "--state-dir", state];
        machine.rules(&[&words, args].concat(), &payload).stdout
    };
    let user_hook = as_hook(&[]);
    for part in [
        "the payload's `cwd`",
        "managed  ",
        "user     ",
        "found\n         1 rule, not trusted: 0 of them count",
        "→ pass",
        "You have not trusted this repository's policy",
    ] {
        assert!(user_hook.contains(part), "{part}: {user_hook}");
    }
    let project_hook = as_hook(&["--scope", "project"]);
    assert!(project_hook.contains("→ allow") && project_hook.contains("needs no trust"), "{project_hook}");
    // Explaining is not remembered: the user still has to be told.
    assert!(!machine.exists("state/said"));
    // A policy that does not load is judged as by the hook.
    machine.write("project/.rules/b.rules", "rule {\n");
    let broken = as_hook(&["--scope", "project"]);
    assert!(broken.contains("→ ask") && broken.contains("does not load"), "{broken}");
    let usage = machine.rules(&["explain", "--scope", "user"], &payload);
    assert!(usage.exit == 2 && usage.stderr.contains("--as-hook"), "{usage:?}");
}

#[test]
fn the_users_layer_uses_files_of_other_repositories_and_a_projects_never_leaves_it() {
    let deny = |name: &str| format!("rule {name} {{\n  on PreToolUse(Bash)\n  deny \"From {name}.\"\n}}\n");
    let machine = Machine::new();
    machine.write("team/shared/base.rules", &format!("use \"./more.rules\"\n{}", deny("base")));
    machine.write("team/shared/more.rules", &deny("more"));
    machine.write("team/outside.rules", &deny("outside"));
    let base = machine.path("team/shared/base.rules");
    machine.write("user/u.rules", &format!("use \"{}\"\n", base.display()));
    let reply = machine.user_hook(&machine.bash("ls"));
    assert!(reply.reason().contains("From base.") && reply.reason().contains("From more."), "{reply:?}");
    // Its changes are noticed.
    machine.write("team/shared/more.rules", &deny("changed"));
    machine.user_hook(&machine.bash("ls")).denies("From changed.");

    let refusals = [
        // A file that it uses must not be outside its directory.
        ("team/shared/base.rules", "use \"../outside.rules\"\n".to_owned(), "is outside the policy's directory"),
        (
            "team/shared/base.rules",
            format!("use \"{}\"\n", machine.path("team/outside.rules").display()),
            "is relative to its own file",
        ),
        ("team/shared/base.rules", String::new(), "is empty"),
    ];
    for (path, text, problem) in refusals {
        machine.write(path, &text);
        machine.user_hook(&machine.bash("ls")).asks(problem);
    }
    machine.write("team/shared/base.rules", &deny("base")).mode("team/shared/base.rules", 0o666);
    machine.user_hook(&machine.bash("ls")).asks("world-writable");
    machine.mode("team/shared/base.rules", 0o644);
    machine.user_hook(&machine.bash("ls")).denies("From base.");

    for used in [base.to_str().unwrap(), "~/x.rules", "../../team/outside.rules"] {
        machine.write("project/.rules/project.rules", &format!("use \"{used}\"\n"));
        let mine = machine.rules(&["check", "--format", "short"], "");
        assert!(mine.stdout.contains("R0"), "{used}: {mine:?}");
        let reply = machine.user_hook(&machine.bash("ls"));
        assert!(reply.reason().contains("From base."), "{used}: the user's layer stands: {reply:?}");
    }
}
