//! Marks in whole hooks: the journal of a session, what opens a gate, and hooks at the same time.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use hookrules::examples;
use hookrules::history::{Certainty, EventDigest, KeyTexts, PlannedMark, PlannedMoment, key_digest};
use hookrules::journal::{self, NewLines, WrittenEvent};
use hookrules::schema::Event;
use serde_json::{Value as Json, json};

use crate::kit::{loads, one_file, rendered};
use crate::machine::{Machine, Reply, send};

mod call_ends;
mod eval;
mod long;
mod nested;
mod replay;

/// A gate that tests open, and marks of other kinds.
const GATE: &str = r#"mark edited {
  on PostToolUse(Edit|Write|Bash)
  when writes like "src/**"
  key match
}

mark tested {
  on PostToolUse(Bash)
  when runs "npm test"
}

mark called {
  on PreToolUse(Bash)
  key call
}

rule tests-before-stop {
  on Stop
  when happened edited since tested
  deny "Run the tests."
  unknown deny
}

rule no-loops {
  on PreToolUse(Bash)
  when count called of call >= 3
  deny "{count called} calls, and this one three times."
}
"#;

/// A session of a machine.
struct Session<'m> {
    machine: &'m Machine,
    id: &'static str,
}

impl Session<'_> {
    fn event(&self, name: &str, more: Json) -> Json {
        let mut event = self.machine.event(name);
        event["session_id"] = json!(self.id);
        if let (Some(event), Json::Object(more)) = (event.as_object_mut(), more) {
            event.extend(more);
        }
        event
    }

    fn start(&self, source: &str) -> Reply {
        self.machine.hook(&self.event("SessionStart", json!({ "source": source })))
    }

    fn stop(&self) -> Reply {
        self.machine.hook(&self.event("Stop", json!({ "stop_hook_active": false })))
    }

    /// Sends an event about a call of Bash.
    fn bash(&self, event: &str, id: &str, command: &str) -> Reply {
        let mut call = self.machine.bash(command);
        call["session_id"] = json!(self.id);
        call["hook_event_name"] = json!(event);
        call["tool_use_id"] = json!(id);
        call["tool_response"] = json!({});
        self.machine.hook(&call)
    }

    /// Runs a command of Bash that succeeds.
    fn ran(&self, id: &str, command: &str) {
        self.bash("PreToolUse", id, command);
        self.bash("PostToolUse", id, command);
    }

    fn edited(&self, id: &str) -> Reply {
        let mut call = self.machine.file("Edit", "project/src/a.ts");
        call["session_id"] = json!(self.id);
        call["hook_event_name"] = json!("PostToolUse");
        call["tool_use_id"] = json!(id);
        self.machine.hook(&call)
    }

    /// Returns the path of the journal, from the machine's root.
    fn journal(&self) -> String {
        format!("state/journals/{}", self.id)
    }

    fn lines(&self, word: &str) -> usize {
        self.machine.read(&self.journal()).lines().filter(|line| line.starts_with(word)).count()
    }
}

fn session(machine: &Machine) -> Session<'_> {
    Session { machine, id: "s-1" }
}

#[test]
fn an_edit_holds_the_stop_until_the_tests_ran() {
    let machine = Machine::with(GATE);
    let session = session(&machine);
    session.start("startup");
    session.stop().is_silent();
    session.edited("t1");
    session.stop().denies("Run the tests.");
    session.ran("t2", "npm test 2>&1 | tail -20");
    session.stop().denies("run `npm test` by itself, without a pipe");
    session.ran("t3", "npm test");
    session.stop().is_silent();
    session.edited("t4");
    session.stop().denies("Run the tests.");
    let mode = crate::system::mode(machine.path(&session.journal()));
    assert_eq!(mode & 0o777, 0o600);
    assert!(!machine.read(&session.journal()).contains("src"));
}

#[test]
fn a_mark_may_count_what_may_have_happened() {
    let machine = Machine::with(&gate_of("runs \"npm test\"\n  unknown counts"));
    let session = session(&machine);
    // A gap is no doubt about a command: nothing is known of what was before the first event.
    session.stop().denies("not known what happened before");
    session.ran("t1", "npm test 2>&1 | tail -20");
    session.stop().is_silent();
    session.edited("t2");
    session.stop().denies("Run the tests.");
    session.ran("t3", "CI=1 npm test -- -t one || true");
    session.stop().is_silent();
    session.edited("t4");
    // A command in the background has not ended, and what is not known to be a command of the mark does not count.
    for (id, command) in [("t5", "npm test &"), ("t6", "npm $X"), ("t7", "npm test | tee >(cat)")] {
        session.ran(id, command);
        session.stop().denies("tests-before-stop");
    }
    session.ran("t8", "echo npm test; npm install");
    session.stop().denies("tests-before-stop");
    // An interrupted call did not end.
    let mut call = machine.bash("npm test");
    call["session_id"] = json!(session.id);
    call["hook_event_name"] = json!("PostToolUse");
    call["tool_use_id"] = json!("t9");
    call["tool_response"] = json!({ "interrupted": true });
    machine.hook(&call);
    session.stop().denies("tests-before-stop");
    session.ran("t10", "npm test; true");
    session.stop().is_silent();
}

#[test]
fn an_explanation_names_the_event_that_counted() {
    let machine = Machine::with(&gate_of("runs \"npm test\"\n  unknown counts"));
    let session = session(&machine);
    session.start("startup");
    let explained = || {
        let stop = session.event("Stop", json!({ "stop_hook_active": false }));
        let explain = machine.registered("explain", "project", &["--as-hook", "--all", "--event", "-"]);
        let printed = send(explain, stop.to_string().as_bytes()).stdout;
        String::from_utf8(printed).unwrap().replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    session.edited("t1");
    let after_edit = explained();
    assert!(after_edit.contains("`edited` happened once since the last `tested`: at 20"), "{after_edit}");
    assert!(after_edit.contains("by the main agent"), "{after_edit}");
    session.ran("t2", "npm test | tail");
    let after_test = explained();
    let doubt = "counted although a pipe hides whether its command failed";
    assert!(after_test.contains("; the last `tested` was at 20") && after_test.contains(doubt), "{after_test}");
}

#[test]
fn an_end_of_a_call_has_fields_of_its_own_and_is_sent_by_its_host() {
    let judged = |step: &str| {
        let text = format!(
            "{GATE}rule of-steps {{\n  on Stop\n  when happened tested\n  deny \"No.\"\n\n  fires on Stop after [{step}]\n}}\n"
        );
        let mut report = examples::ExampleReport::default();
        loads(one_file(&text)).layers.iter().for_each(|layer| report.add(examples::judge_layer(layer)));
        report.failed.iter().map(|failed| failed.message.clone()).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(judged("\"npm test\" { tool_response: { interrupted: false } } done"), "");
    let interrupted = judged("\"npm test\" { tool_response: { interrupted: true } } done");
    assert!(interrupted.contains("an example of `of-steps` fails"), "{interrupted}");
    let misspelled = judged("\"npm test\" { tool_respons: { interrupted: true } } done");
    assert!(misspelled.contains("has no field `tool_respons`"), "{misspelled}");
    let of_no_end = judged("\"npm test\" { error: \"x\" } done");
    assert!(of_no_end.contains("has no field `error`"), "{of_no_end}");
    let unreported = judged("\"npm test\" on codex failed");
    assert!(unreported.contains("`codex` never sends `PostToolUseFailure`"), "{unreported}");
    // What the host does not say is not known in an example either.
    let untold = judged("\"npm test\" on codex done");
    assert!(untold.contains("an example of `of-steps` fails"), "{untold}");
    assert_eq!(judged("\"npm test\" on qwen done"), "");
}

#[test]
fn sessions_have_pasts_of_their_own() {
    let machine = Machine::with(GATE);
    let (one, other) = (session(&machine), Session { machine: &machine, id: "s-2" });
    one.start("startup");
    other.start("startup");
    one.edited("t1");
    one.stop().denies("Run the tests.");
    other.stop().is_silent();
}

#[test]
fn what_was_before_the_first_event_is_unknown() {
    let machine = Machine::with(GATE);
    let session = session(&machine);
    // The hook was not there when the session began.
    session.stop().denies("not known what happened before");
    session.ran("t1", "npm test");
    session.stop().is_silent();
    // A journal that is lost is not an empty one.
    session.edited("t2");
    fs::remove_file(machine.path(&session.journal())).unwrap();
    session.stop().denies("not known what happened before");
}

#[test]
fn what_happened_while_the_policy_was_not_in_force_is_unknown() {
    let machine = Machine::with(GATE);
    let session = session(&machine);
    session.start("startup");
    let other = "rule other {\n  on PreToolUse(Bash)\n  when runs \"other\"\n  deny \"No.\"\n}\n";
    for (round, between) in [(0, Some(format!("{GATE}\nrule broken {{"))), (1, Some(other.to_owned())), (2, None)] {
        session.ran(&format!("a{round}"), "npm test");
        session.stop().is_silent();
        match between {
            Some(policy) => _ = machine.write("project/.rules/project.rules", &policy),
            None => fs::rename(machine.path("project/.rules"), machine.path("project/away")).unwrap(),
        }
        session.edited(&format!("b{round}"));
        if !machine.path("project/.rules").exists() {
            fs::rename(machine.path("project/away"), machine.path("project/.rules")).unwrap();
        }
        machine.write("project/.rules/project.rules", GATE);
        session.stop().denies("not known what happened before");
    }
}

#[test]
fn what_a_call_deleted_can_no_longer_be_found_and_counts() {
    let machine = Machine::with(&GATE.replace("when writes like", "when deletes like"));
    machine.write("project/src/kept.md", "").write("project/lib/kept.md", "");
    let session = session(&machine);
    session.start("startup");
    for (command, holds) in [
        ("find src -name '*.ts' -delete", true),
        ("find . -name '*.ts' | xargs rm", true),
        ("rm ./*/*.ts", true),
        ("rm ./src*/*", true),
        ("find lib -name '*.ts' -delete", false),
        ("rm lib/*.ts", false),
        ("find src -name '*.ts' | xargs wc -l", false),
        ("cat src/*.ts", false),
    ] {
        session.ran(command, command);
        match holds {
            true => session.stop().denies("not certain that `edited` happened"),
            false => session.stop().is_silent(),
        }
        session.ran(&format!("tests after {command}"), "npm test");
    }
}

#[test]
fn the_call_that_the_user_is_asked_about_is_not_in_its_own_past() {
    let machine = Machine::with(
        "mark called { on PreToolUse(Bash) }\nrule few {\n  on PreToolUse(Bash)\n  when count called >= 2\n  deny \
         \"{count called} so far.\"\n  unknown deny\n}\n",
    );
    let session = session(&machine);
    session.start("startup");
    // Hosts send the question about a call without its id.
    let asks = |command: &str| {
        let mut call = machine.bash(command);
        call["session_id"] = json!(session.id);
        call["hook_event_name"] = json!("PermissionRequest");
        call["tool_use_id"].take();
        machine.hook(&call)
    };
    for id in ["a", "b"] {
        session.bash("PreToolUse", id, "make x").is_silent();
        asks("make x").is_silent();
    }
    session.bash("PreToolUse", "c", "make y").denies("2 so far.");
    asks("make y").denies("2 so far.");
    asks("make z").denies("3 so far.");
}

#[test]
fn a_resumed_session_goes_on_in_its_journal() {
    let machine = Machine::with(GATE);
    let session = session(&machine);
    session.start("startup");
    session.edited("t1");
    session.start("resume");
    session.start("compact");
    session.stop().denies("Run the tests.");
    session.ran("t2", "npm test");
    session.start("resume");
    session.stop().is_silent();
}

#[test]
fn another_definition_is_another_mark() {
    let machine = Machine::with(GATE);
    let session = session(&machine);
    session.start("startup");
    session.edited("t1");
    session.ran("t2", "npm test");
    session.stop().is_silent();
    machine.write("project/.rules/project.rules", &gate_of("runs \"npm run test\""));
    session.stop().denies("not known what happened before");
    session.ran("t3", "npm run test");
    session.stop().is_silent();
}

#[test]
fn a_call_is_the_same_however_it_is_spaced() {
    let machine = Machine::with(GATE);
    let session = session(&machine);
    session.start("startup");
    session.bash("PreToolUse", "a", "make x");
    session.bash("PreToolUse", "b", "make  x");
    session.bash("PreToolUse", "c", "make y");
    // The same event twice, as two registrations see it, is one.
    session.bash("PreToolUse", "c", "make y");
    session.bash("PreToolUse", "d", "make 'x'").is_silent();
    session.bash("PreToolUse", "e", "make x").denies("4 calls, and this one three times.");
    session.bash("PreToolUse", "f", "make z | tail");
    session.bash("PreToolUse", "g", "make  z|tail");
    session.bash("PreToolUse", "h", "make z  |  tail").is_silent();
    session.bash("PreToolUse", "i", "make z | tail").denies("this one three times.");
}

#[test]
fn a_text_counts_by_the_parts_of_a_condition() {
    let text = "{count called of call} of {count called}, {count called of call by same agent since tested within pause}, \
                \\{count called of call}.";
    let policy = GATE.replace("{count called} calls, and this one three times.", text);
    let machine = Machine::with(&format!("let pause = 10m\n\n{policy}"));
    let session = session(&machine);
    session.start("startup");
    session.bash("PreToolUse", "a", "make x");
    session.bash("PreToolUse", "b", "make x");
    session.ran("t", "npm test");
    session.bash("PreToolUse", "c", "make x");
    session.bash("PreToolUse", "d", "make x").denies("3 of 4, 1, {count called of call}.");
}

#[test]
fn nobody_else_can_write_a_journal() {
    let machine = Machine::with(GATE);
    let session = session(&machine);
    session.start("startup");
    session.edited("t1");
    machine.mode(&session.journal(), 0o666);
    session.stop().denies("the session's journal cannot be used");
    machine.mode(&session.journal(), 0o600);
    session.stop().denies("Run the tests.");
}

#[test]
fn a_command_that_only_looks_like_the_tests_opens_no_gate() {
    let mut opened = Vec::new();
    for forgery in FORGERIES {
        let text = format!(
            "{GATE}rule of-forgery {{\n  on Stop\n  when happened edited since tested\n  deny \"No.\"\n  unknown deny\n\n  \
             fires on Stop after [Edit \"src/a.ts\" done]\n  quiet on Stop after [Edit \"src/a.ts\" done, Bash {forgery:?} done]\n}}\n"
        );
        let policy = loads(one_file(&text));
        let mut report = examples::ExampleReport::default();
        policy.layers.iter().for_each(|layer| report.add(examples::judge_layer(layer)));
        if (report.passed, report.failed.len()) != (1, 1) {
            opened.push((forgery, rendered(&policy)));
        }
    }
    assert!(opened.is_empty(), "{opened:#?}");
}

/// Texts that report success although the tests may not have run, or have failed.
const FORGERIES: &[&str] = &[
    "false && npm test",
    "npm test; true",
    "npm test || true",
    "npm test || :",
    "npm test | tail -5",
    "npm test |& cat",
    "npm test &",
    "(npm test) || true",
    "! npm test",
    "if npm test; then echo ok; fi",
    "while npm test; do break; done",
    "npm() { :; }; npm test",
    "npm() { :; } && npm test",
    "function npm { true; }; npm test",
    "alias npm=true; npm test",
    "alias npm=true && npm test",
    "trap 'exit 0' EXIT && npm test",
    "trap 'exit 0' ERR; npm test",
    "hash -p /bin/true npm && npm test",
    "enable -n npm; npm test",
    "cd /tmp/x && npm test",
    "cd .. && npm test",
    "cd sub && npm test",
    "pushd /tmp && npm test",
    "PATH=/tmp/x:$PATH npm test",
    "export PATH=/tmp/x:$PATH; npm test",
    "PATH=/tmp/x && npm test",
    "env PATH=/tmp/x npm test",
    "npm test --help",
    "npm test -- -t nothing",
    "npm test --if-present",
    "npm --prefix /tmp test",
    "npm test $FLAGS",
    "npm $(echo test)",
    "eval 'npm test'",
    "bash -c 'npm test; true'",
    "sh -c 'npm test'",
    "source ./env && npm test",
    ". ./env && npm test",
    "exec npm test --version",
    "time npm test || true",
    "timeout 1 npm test || true",
    "nohup npm test &",
    "setsid npm test",
    "xargs npm test < /dev/null",
    "find . -exec npm test ';'",
    "ssh host npm test",
    "docker run x npm test",
    "sudo npm test || true",
    "echo npm test",
    "echo 'npm test'",
    "npm test > /dev/null; exit 0",
    "set +e; npm test; true",
    "command npm test; :",
    "{ npm test; true; }",
    "npm test << E\n$(true)\nE\ntrue",
    "[ -f x ] && npm test",
    "test -f x && npm test || true",
    "coproc npm test",
    "echo $(npm test)",
    "alias npm=true\nnpm test",
    "shopt -s expand_aliases\nalias npm=true\nnpm test",
    "shopt -s expand_aliases && npm test",
    "eval npm test",
    "eval 'npm() { :; }' && npm test",
    "command npm test",
    "builtin npm test",
    "exec npm test",
    "exec true && npm test",
    "exit && npm test",
    "exit 0 && npm test",
    "return 0 && npm test",
    "set +e; npm test",
    "set +e\nnpm test\ntrue",
    "set -n && npm test",
    "set -o noexec && npm test",
    "shopt -so noexec && npm test",
    "if true; then npm test; fi",
    "if npm test; then :; else :; fi",
    "until npm test; do break; done",
    "for i in 1; do npm test; done; true",
    "case x in y) npm test;; esac",
    "npm test | cat",
    "npm test |& tee log",
    "set -o pipefail; set +o pipefail; npm test | tail",
    "set -o pipefail && set +o pipefail && npm test | tail",
    "(set -o pipefail); npm test | tail",
    "set -o pipefail; npm test | tail || true",
    "set -o pipefail; npm test | tail; true",
    "set -o pipefail; ! npm test | tail",
    "(npm test)",
    "{ npm test; }",
    "{ npm test; } || true",
    "# npm test",
    "true # && npm test",
    "cat << E\nnpm test\nE",
    "nohup npm test",
    "timeout 60 npm test",
    "nice npm test",
    "env -i npm test",
    "npm test 2>/dev/null &>log",
    "npx npm test",
    "./npm test",
    "/tmp/npm test",
    "enable -n npm && npm test",
    "enable -f ./npm.so npm && npm test",
    "source <(echo 'npm() { :; }') && npm test",
    "source /dev/stdin <<< 'npm() { :; }' && npm test",
    "cat <(npm test)",
    "npm test < <(true) || true",
    "$(echo npm) test",
    "x=$(npm test)",
    "export x=$(npm test)",
    "true || npm test",
    "npm test && npm test || true",
    ">npm test",
    "npm test\ntrue",
    "[[ -n $(npm test) ]]",
    "npm test --ignore-scripts",
    "BASH_ENV=./x npm test",
    "function npm() { true; } && npm test",
    "declare -f npm && npm test",
    "unset -f npm; npm test; true",
    "trap 'exit 0' ERR && npm test",
    "trap : DEBUG && npm test",
    "mapfile -C 'npm() { :; }; :' -c 1 < x && npm test",
    "cd /tmp/x\nnpm test",
    "cd $DIR && npm test",
    "cd - && npm test",
    "popd && npm test",
    "sleep 1 && npm test &",
    "at now <<< 'npm test'",
    "bye && npm test",
    "autoload /tmp/x/npm && npm test",
    "disable npm && npm test",
    "zmodload zsh/files && npm test",
    "getln npm && npm test",
    "cd /tmp/x /project && npm test",
    "set -o pipefail; true | cd /tmp/x && npm test",
    "npm test && cd /tmp/x && npm test || true",
    "npm test\\\n || true",
    "npm test <<< y || true",
    "npm test <<< $(true)",
    "time -p npm test",
    "coproc tests { npm test; }",
    "coproc npm test; wait",
    "exec -a npm true test",
    "exec > log && npm test",
    "exec npm test &",
    "( npm test & )",
    "( cd /tmp/x && npm test )",
    "( npm test ) && true",
    "command -v npm test",
    "command -p npm test",
    "\\command npm test",
    "env -i PATH=/tmp/x npm test",
    "env -S 'npm test'",
    "env -C /tmp npm test",
    "env -u PATH npm test",
    "npm_config_script_shell=/bin/true npm test",
    "npm_config_ignore_scripts=true npm test",
    "npm test --script-shell=/bin/true",
    "npm --script-shell /bin/true test",
    "npm --ignore-scripts test",
    "npm test --prefix /tmp/x",
    "npm --prefix=/tmp/x test",
    "npm -C /tmp/x test",
    "npm test --dry-run",
    "npm test -w empty",
    "npm --workspaces=false --workspace empty test",
    "npm config set script-shell /bin/true; npm test",
    "trap 'exit 0' EXIT\nnpm test",
    "trap 'kill $$' 0 && npm test",
    "trap -- 'exit 0' EXIT && npm test",
    "alias -g test=--version && npm test",
    "alias -s x=true; npm test",
    "setopt aliases; npm test",
    "setopt no_exec && npm test",
    "emulate sh -c 'npm test; true'",
    "functions[npm]=true && npm test",
    "aliases[npm]=true && npm test",
    "path=(/tmp/x $path) && npm test",
    "npm () true; npm test",
    "npm() true && npm test",
    "npm test always { true }",
    "{ npm test } always { true }",
    "repeat 0 npm test",
    "noglob npm test; true",
    "nocorrect npm test || true",
    "=npm test",
    "npm test >| log; true",
    "npm test &!",
    "npm test &|",
    "npm test |& true",
    "time (npm test)",
    "! ! npm test",
    "npm test || exit 0",
    "npm test && true || true",
    "until ! npm test; do :; done",
    "for ((;;)) { npm test; break }",
    "select x in 1; do npm test; done < /dev/null",
    "watch -n1 npm test",
    "script -qc 'npm test' /dev/null",
    "su -c 'npm test' other",
    "unshare npm test",
    "chroot /x npm test",
    "strace npm test || true",
    "yes | npm test",
    "npm test; exit 0",
    "exit 0; npm test",
    "kill -STOP $$ && npm test",
    "test -n '' && npm test; true",
    "command_not_found_handle() { :; }; npm tset || npm test || true",
    "$'npm' $'test' || true",
    "hash npm=/bin/true && npm test",
    "rehash && npm test",
    "npm test 2>&1 > >(tail)",
    "LD_PRELOAD=./x.so npm test",
    "NODE_OPTIONS='-r ./x' npm test",
    "SHELL=/bin/true npm test",
    "set -- npm test && \"$@\"",
];

#[test]
fn a_command_in_the_background_that_the_shell_waits_for_has_ended() {
    for (command, opens) in [
        ("sed -i s/a/b/ src/a.ts & wait", true),
        ("sed -i s/a/b/ src/a.ts & sed -i s/a/b/ src/b.ts &\nwait", true),
        ("sed -i s/a/b/ src/a.ts & wait $!", false),
        ("sh -c 'sleep 9; sed -i s/a/b/ src/a.ts &'; wait", false),
        ("(sleep 9; sed -i s/a/b/ src/a.ts) & disown; wait", false),
    ] {
        let machine = Machine::with(GATE);
        let session = session(&machine);
        session.start("startup");
        session.ran("t1", command);
        session.stop().denies(if opens { "Run the tests." } else { "" });
        session.ran("t2", "npm test");
        let reply = session.stop();
        assert_eq!(reply.json.is_null(), opens, "{command}: {reply:?}");
    }
}

/// Returns the gate with other tests.
fn gate_of(tests: &str) -> String {
    GATE.replace("runs \"npm test\"", tests)
}

#[test]
fn a_gate_names_the_command_that_ran_and_where() {
    for (tests, ran, told) in [
        (
            "runs [\"npm test\", \"make test\", \"pytest\"]",
            "pytest -q | tail",
            "run `pytest` by itself, without a pipe",
        ),
        ("runs [\"npm test\", \"make test\", \"pytest\"]", "ls", "run `npm test`, `make test` or the like"),
        (
            "runs \"npm test\" where cwd under \"web\"",
            "cd web && npm test | tail",
            "run `cd web && npm test` by itself",
        ),
    ] {
        let machine = Machine::with(&gate_of(tests));
        machine.write("project/web/a", "");
        let session = session(&machine);
        session.start(if ran == "ls" { "resume" } else { "startup" });
        if ran != "ls" {
            session.edited("t1");
        }
        session.ran("t2", ran);
        session.stop().denies(told);
    }
}

#[test]
fn what_only_the_user_does_is_told_to_the_user() {
    let machine = Machine::with(
        "mark asked {\n  on UserPromptSubmit\n}\n\nmark called {\n  on PreToolUse(Bash)\n}\n\nrule few {\n  on PreToolUse(Bash)\n  \
         when count called since asked >= 3\n  deny \"No.\"\n  unknown deny\n}\n",
    );
    let session = session(&machine);
    session.start("resume");
    session.bash("PreToolUse", "a", "ls").denies("tell the user");
}

#[test]
fn a_subagent_without_an_id_is_not_the_main_agent() {
    let machine = Machine::with(
        "mark wrote {\n  on PostToolUse(Edit)\n}\n\nrule own {\n  on SubagentStop\n  when happened wrote by same agent\n  deny \"You wrote.\"\n  \
         unknown deny\n}\n",
    );
    let session = session(&machine);
    session.start("startup");
    session.edited("t1");
    let ended = session.event("SubagentStop", json!({ "stop_hook_active": false, "agent_type": "coder" }));
    machine.hook(&ended).denies("cannot be judged");
}

#[test]
fn a_damaged_journal_is_begun_anew() {
    for mode in [0o600, 0o666] {
        let machine = Machine::with(GATE);
        let session = session(&machine);
        session.start("startup");
        session.ran("t1", "npm test");
        let journal = machine.read(&session.journal());
        let text = if mode == 0o600 { journal.get(..50).unwrap() } else { &journal };
        machine.write(&session.journal(), text).mode(&session.journal(), mode);
        session.stop().denies("");
        session.ran("t2", "npm test");
        session.ran("t3", "npm test");
        session.stop().is_silent();
    }
}

#[test]
fn a_journal_that_cannot_be_written_is_not_known() {
    let machine = Machine::with(GATE);
    let session = session(&machine);
    session.start("startup");
    session.ran("t1", "npm test");
    // An account that may do everything is not refused.
    machine.mode(&session.journal(), 0o400);
    if fs::OpenOptions::new().append(true).open(machine.path(&session.journal())).is_err() {
        session.stop().denies("cannot be used");
    }
}

#[test]
fn what_certainly_ran_the_tests_opens_the_gate() {
    for command in [
        "npm test",
        "  npm  test ",
        "npm 'test'",
        "npm test 2>&1",
        "npm test 2>/dev/null",
        "npm ci && npm test && echo done",
        "cd /project && npm test",
        "set -o pipefail; npm test 2>&1 | tail -20",
        "npm test # all of them",
        "npm run test",
        "npm --silent test",
    ] {
        let text = format!(
            "{GATE}rule of-tests {{\n  on Stop\n  when happened edited since tested\n  deny \"No.\"\n\n  \
             quiet on Stop after [Edit \"src/a.ts\" done, Bash {command:?} done]\n}}\n"
        );
        let policy = loads(one_file(&text));
        let mut report = examples::ExampleReport::default();
        policy.layers.iter().for_each(|layer| report.add(examples::judge_layer(layer)));
        assert_eq!(report.failed.len(), 0, "{command}");
    }
}

#[test]
fn a_let_that_only_within_uses_is_used() {
    let machine = Machine::with(&GATE.replace("count called of call >= 3", "count called of call within pause >= 3"));
    let policy = machine.read("project/.rules/project.rules");
    machine.write("project/.rules/project.rules", &format!("let pause = 10m\n\n{policy}"));
    let output = machine.command(&["check"]).output().unwrap();
    let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.code() != Some(101) && !printed.contains("R0902") && !printed.contains("R0103"), "{printed}");
}

/// Hooks of one session at the same time, each of which marks a number of calls.
fn marks_at_once(hooks: usize, calls: usize) {
    let machine = Machine::with(
        "mark called {\n  on PreToolUse(Bash)\n}\n\nrule some {\n  on Stop\n  when count called > 0\n  deny \"{count called} calls.\"\n}\n",
    );
    let session = session(&machine);
    session.start("startup");
    std::thread::scope(|scope| {
        for hook in 0..hooks {
            let session = &session;
            scope.spawn(move || {
                for call in 0..calls {
                    session.bash("PreToolUse", &format!("{hook}-{call}"), "make").is_silent();
                }
            });
        }
    });
    session.stop().denies(&format!("{} calls.", hooks * calls));
}

#[test]
fn hooks_at_once_lose_no_mark() {
    match std::env::var_os("RULES_MINUTE") {
        None => marks_at_once(16, 4),
        Some(_) => marks_at_once(64, 100),
    }
}

#[test]
fn a_killed_hook_leaves_no_mark_that_is_half_there() {
    let machine = Machine::with(GATE);
    let session = session(&machine);
    session.start("startup");
    let mut answered = 0;
    for number in 0..200_u64 {
        let mut call = machine.bash(&format!("make {number}"));
        call["session_id"] = json!(session.id);
        call["tool_use_id"] = json!(format!("k{number}"));
        let mut command = machine.hook_command(&["claude-code"]);
        let mut hook = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdin = hook.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, call.to_string().as_bytes()).unwrap();
        drop(stdin);
        std::thread::sleep(Duration::from_micros(number % 40 * 150));
        let _ended = hook.kill();
        answered += u64::from(hook.wait().unwrap().success());
    }
    let written = u64::try_from(session.lines("mark")).unwrap();
    assert!(written >= answered, "{written} of {answered}");
    // Whatever was killed when, what is there is whole.
    session.edited("t1");
    session.ran("t2", "npm test");
    session.stop().is_silent();
}

#[test]
fn a_long_journal_is_folded_and_keeps_its_count() {
    let machine = Machine::with(
        "mark called {\n  on PreToolUse(Bash)\n}\n\nrule some {\n  on Stop\n  when count called > 0\n  deny \"{count called} calls.\"\n}\n",
    );
    let session = session(&machine);
    session.start("startup");
    session.bash("PreToolUse", "a", "make");
    // As long as in a session of days.
    let text = machine.read(&session.journal());
    let mark = *journal::parse(&text).known_from.keys().next().unwrap();
    let moment = PlannedMoment::Happens {
        certainty: Certainty::Certain,
        keys: KeyTexts::default(),
        may_end_later: false,
        pattern: None,
    };
    let planned = PlannedMark { name: "called".to_owned(), id: mark, moment, actor: None };
    let (mut many, salt) = (NewLines::default(), journal::salt(&text).unwrap());
    for number in 0..6_000 {
        let digest = Some(EventDigest(number));
        let of = WrittenEvent {
            event: Event::PreToolUse,
            digest,
            call: None,
            input: None,
            time: 1_700_000_000_000 + number,
        };
        many.mark(&planned, of, |key| key_digest(salt.as_bytes(), key));
    }
    machine.write(&session.journal(), &format!("{text}{}", many.text()));
    machine.mode(&session.journal(), 0o600);
    let before = 6_001;
    session.bash("PreToolUse", "b", "make").is_silent();
    assert!(machine.read(&session.journal()).len() < 20_000);
    session.stop().denies(&format!("{} calls.", before + 1));
}

#[test]
fn without_marks_nothing_is_written() {
    let machine = Machine::with("rule no-push {\n  on PreToolUse(Bash)\n  when runs \"git push\"\n  deny \"No.\"\n}\n");
    let session = session(&machine);
    session.start("startup");
    session.bash("PreToolUse", "a", "git push").denies("No.");
    session.stop().is_silent();
    assert!(!machine.exists("state/journals"));
}

#[test]
fn without_marks_no_journal_is_opened() {
    let machine = Machine::with("rule no-push {\n  on PreToolUse(Bash)\n  when runs \"git push\"\n  deny \"No.\"\n}\n");
    let session = session(&machine);
    // Whoever opens the directory of journals gets an error.
    machine.write("state/journals", "no directory");
    session.start("startup");
    session.bash("PreToolUse", "a", "git push").denies("No.");
    session.bash("PreToolUse", "b", "ls").is_silent();
    session.bash("PostToolUse", "b", "ls").is_silent();
    session.stop().is_silent();
    assert_eq!(machine.read("state/journals"), "no directory");
    // As the system sees it, no file of that name is opened.
    for name in ["PreToolUse", "PostToolUse", "Stop"] {
        let mut call = machine.bash("ls");
        (call["session_id"], call["hook_event_name"], call["tool_response"]) =
            (json!(session.id), json!(name), json!({}));
        let hook = machine.hook_command(&["claude-code"]);
        let mut traced = std::process::Command::new("strace");
        traced.args(["-f", "-e", "trace=open,openat,openat2"]).arg(hook.get_program()).args(hook.get_args());
        for (name, value) in hook.get_envs() {
            match value {
                Some(value) => traced.env(name, value),
                None => traced.env_remove(name),
            };
        }
        traced.current_dir(machine.path("project"));
        // Not every machine has strace, or lets it trace.
        if !has_strace() {
            return;
        }
        let printed = send(traced, call.to_string().as_bytes());
        let calls = String::from_utf8_lossy(&printed.stderr).into_owned();
        assert!(calls.contains("open") && !calls.contains("journals"), "{name}: {calls}");
    }
}

fn has_strace() -> bool {
    let mut traced = std::process::Command::new("strace");
    traced.arg("true").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[test]
fn a_denied_attempt_is_marked_and_a_permission_request_is_not() {
    let machine = Machine::with(GATE);
    let session = session(&machine);
    session.start("startup");
    session.bash("PreToolUse", "a", "make x");
    session.bash("PermissionRequest", "a", "make x");
    assert_eq!(session.lines("mark"), 1);
}

#[test]
fn a_policy_that_nobody_trusts_may_mark() {
    let machine = Machine::with(GATE);
    machine.trust(&["untrust"]);
    let session = session(&machine);
    let send = |event: &Json| machine.user_hook(event);
    send(&session.event("SessionStart", json!({ "source": "startup" })));
    let mut edit = machine.file("Edit", "project/src/a.ts");
    edit["session_id"] = json!(session.id);
    edit["hook_event_name"] = json!("PostToolUse");
    edit["tool_use_id"] = json!("t1");
    send(&edit);
    send(&session.event("Stop", json!({ "stop_hook_active": false }))).denies("(not trusted) says: Run the tests.");
}

#[test]
fn journals_of_other_sessions_are_swept() {
    let machine = Machine::with(GATE);
    for number in 0..1_023 {
        machine.write(&format!("state/journals/old-{number}"), "");
    }
    let left = || fs::read_dir(machine.path("state/journals")).unwrap().count();
    machine.mode("state", 0o700).mode("state/journals", 0o700);
    for (id, expected) in [("a", 1_024), ("b", 513)] {
        Session { machine: &machine, id }.start("startup");
        assert_eq!(left(), expected);
    }
    assert!(machine.exists("state/journals/b"));
}
