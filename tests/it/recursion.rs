//! The worst text for each recursion, on an eighth of the usual stack: none ends the process.
//!
//! ARCHITECTURE.md lists the recursions and their bounds. Operations of the whole program run here under the limit of a
//! shell; frequent cases run in threads that are named after their input, so that an overflow identifies it.

use std::process::Command;
use std::thread::Builder;

use hookrules::diagnostic::DiagnosticFormat;
use hookrules::host::{DecodedPayload, Host, MAX_DEPTH, decode};
use hookrules::policy::Policy;
use hookrules::verdict::Decision;
use serde_json::{Value as Json, json};

use crate::kit;
use crate::machine::{Machine, Printed, Reply, send};
use crate::source::{Bound, says_bounds};

/// The stack of everything here, in KiB. A shell usually gives 8 MiB.
const STACK: usize = 1_024;

/// Runs a function on the small stack.
#[track_caller]
fn on_small_stack<T: Send>(what: &str, run: impl FnOnce() -> T + Send) -> T {
    let shown: String = what.chars().filter(|c| *c != '\0').take(200).collect();
    let named = Builder::new().name(shown).stack_size(STACK << 10);
    std::thread::scope(|scope| named.spawn_scoped(scope, run).unwrap().join().unwrap())
}

/// Returns a command that runs on the small stack, limited by a shell.
fn limited(command: &Command) -> Command {
    let mut limited = Command::new("sh");
    limited.arg("-c").arg(format!("ulimit -s {STACK} && exec \"$@\"")).arg("sh");
    limited.arg(command.get_program()).args(command.get_args()).current_dir(command.get_current_dir().unwrap());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    limited
}

fn rule(when: &str) -> String {
    format!("rule a {{\n  on PreToolUse(Bash)\n  when {when}\n  deny \"No.\"\n}}\n")
}

/// Texts whose interpretation leads back to themselves, each in a different way.
const ENDLESS: &[&str] = &[
    "x='$((x))'; : $((x))",
    "x='$((x))'; : $[x]",
    "x='$((x))'; let x",
    "x='$((x))'; let y=x+1",
    "x='$((x))'; [[ x -eq 1 ]]",
    "x='$((x))'; ((x))",
    "x='$((x))'; ((x = x + 1))",
    "x='$((x))'; for ((x; x; x)); do :; done",
    "x='$((x))'; : ${a[x]}",
    "x='$((x))'; a=(1 2); : ${a[x]}",
    "x='$((x))'; a=b; : ${a[x]}",
    "x='$((x))'; a[x]=1",
    "x='$((x))'; a=([x]=1)",
    "x='$((x))'; : ${a:x}",
    "x='$((x))'; a=b; : ${a:x:x}",
    "x='$((x))'; : ${a:1:x}",
    "x='$((x))'; : ${#a[x]}",
    "x='$((x))'; y='a[$((x))]'; : ${!y}",
    "x='$((x))'; printf -v 'a[$((x))]' b",
    "x='$((x))'; test -v 'a[$((x))]'",
    "x='$((x))'; [[ -v a[x] ]]",
    "x='$((x))'; unset 'a[$((x))]'",
    "x='$((x))'; read 'a[$((x))]'",
    "x='$((x))'; declare -n y='a[$((x))]'",
    "x='$((x))'; declare -i y; y='$((x))'",
    "x='$((x))'; SECONDS='$((x))'",
    "x='$((x))'; PS4='$((x)) ${x}'",
    "x='$((x))'; cat <<E\n$((x))\nE\n",
    "x='$((x))'; cat <<< $((x))",
    "x='$((x))'; : > $((x))",
    "x='$((x))'; case $((x)) in a) ;; esac",
    "x='$((x))'; eval ': $((x))'",
    "export x='$((x))'; bash -c '((x))'",
    "x='$((x))$((x))$((x))'; ((x))",
    "read x <<< '$((x))'; ((x))",
    "x=('$((x))'); ((x))",
    "x=('$((y))' '$((x))'); y=('$((x))'); ((y))",
    "x='$((y))'; y='$((x))'; ((x))",
    "x='$((y))'; y='$((z))'; z='$((x))'; ((x))",
    "x='`echo $((x))`'; ((x))",
    "x='$(echo $((x)))'; ((x))",
    "x='${y:-$((x))}'; ((x))",
    "x='${x@P}'; : \"${x@P}\"",
    "x='${y@P}'; y='${x@P}'; : \"${x@P}\"",
    "x='$(: ${x@P})'; : \"${x@P}\"",
    "x='`: ${x@P}`'; : \"${x@P}\"",
    "x='eval \"$x\"'; eval \"$x\"",
    "x='eval \"$x\"; eval \"$x\"'; eval \"$x\"",
    "export x='bash -c \"$x\"'; bash -c \"$x\"",
    "x='$(eval \"$x\")'; eval \": $x\"",
    "x='. /dev/stdin <<< \"$x\"'; . /dev/stdin <<< \"$x\"",
    "x='sudo bash -c \"$x\"'; export x; sudo -E bash -c \"$x\"",
    "export x='import os; os.system(os.environ[\"y\"])' y='python3 -c \"$x\"'; python3 -c \"$x\"",
];

/// Functions that call themselves: the commands that they run are known, however often.
const RECURSIVE: &[&str] = &[
    "f() { f \"a$1\"; }; f",
    "f() { g \"a$1\"; }; g() { f \"b$1\"; }; f",
    "f() { : $(f \"a$1\"); }; f",
    "f() { eval \"f a$1\"; }; f",
];

/// Opening and closing parts, to be nested any number of times.
const BRACKETS: &[(&str, &str)] = &[
    ("$(", ")"),
    ("\"$(", ")\""),
    ("a $(", ")"),
    ("`", "`"),
    ("$((", "))"),
    ("$[", "]"),
    ("${x:-", "}"),
    ("\"${x:-", "}\""),
    ("${x[", "]}"),
    ("${x/", "}"),
    ("${x#", "}"),
    ("${x:", "}"),
    ("${!x:-", "}"),
    ("<(", ")"),
    ("a >(", ")"),
    ("( ", ")"),
    ("((", "))"),
    ("{ ", "; }"),
    ("! ", ""),
    ("time ", ""),
    ("coproc ", ""),
    ("if a; then ", "; fi"),
    ("if ", "; then a; fi"),
    ("if a; then b; elif ", "; then c; fi"),
    ("while ", "; do a; done"),
    ("until a; do ", "; done"),
    ("for x in a; do ", "; done"),
    ("for ((;;)); do ", "; done"),
    ("select x in a; do ", "; done"),
    ("case a in a) ", ";; esac"),
    ("case $(", ") in a) ;; esac"),
    ("f() { ", "; }; f"),
    ("function f { ", "; }; f"),
    ("a && { ", "; }"),
    ("a | { ", "; }"),
    ("a & { ", "; }"),
    ("x=(", ")"),
    ("a[", "]=1"),
    ("@(", ")"),
    ("[[ a == @(", ") ]]"),
    ("{a,", "}"),
    ("'", "'"),
    ("\"", "\""),
    ("$'", "'"),
    ("$\"", "\""),
    ("\\", ""),
    ("sudo ", ""),
    ("env ", ""),
    ("env -S '", "'"),
    ("nice ", ""),
    ("command ", ""),
    ("exec ", ""),
    ("eval ", ""),
    ("xargs ", ""),
    ("find . -exec ", " ;"),
    ("timeout 1 ", ""),
    ("ssh h ", ""),
    ("x=1 ", ""),
    ("cat <<E\n", "\nE\n"),
    ("> $(", ")"),
    ("trap '", "' EXIT"),
    ("bash -c \"$(", ")\""),
    ("a { ", " }"),
];

/// Places a nested text in several contexts.
fn placed(text: &str) -> [String; 6] {
    let quoted = text.replace('\'', "'\\''");
    [
        text.to_owned(),
        format!("cat <<E\n{text}\nE\n"),
        format!("eval '{quoted}'"),
        format!("x='{quoted}'; eval \"$x\"; : ${{x@P}} $((x))"),
        format!("bash -c '{quoted}' | sh"),
        format!("alias a='{quoted}'\na; trap '{quoted}' EXIT; PS4='{quoted}'"),
    ]
}

/// Judges a text by a policy, on the small stack.
#[track_caller]
fn judged(policy: &Policy, text: &str) -> (Decision, String) {
    on_small_stack(text, || {
        let verdict = kit::judge(policy, &kit::bash(text)).verdict;
        (verdict.decision(), verdict.message().to_owned())
    })
}

#[test]
fn a_text_that_leads_back_to_itself_is_unknown() {
    let policy = kit::policy(&rule("runs \"rm\""));
    for text in ENDLESS {
        let (decision, message) = judged(&policy, &format!("ls; {text}"));
        assert_eq!(decision, Decision::Ask, "{text}: {message}");
        assert!(message.contains("cannot be judged"), "{text}: {message}");
        // A command before it is known nevertheless.
        assert_eq!(judged(&policy, &format!("rm -rf x; {text}")).0, Decision::Deny, "{text}");
    }
    for text in RECURSIVE {
        assert_eq!(judged(&policy, &format!("{text}; rm -rf x")).0, Decision::Deny, "{text}");
    }
    let (_, message) = judged(&policy, "ls; x='$((x))'; : $((x))");
    assert!(message.contains("the command is nested too deeply to analyse: `x`"), "{message}");
}

#[test]
fn no_nesting_of_commands_is_too_deep_to_be_judged() {
    let policy = kit::policy(&rule("runs \"rm\" or writes under \"src\" or runs \"a\" where args contains \"-x\""));
    for (open, close) in BRACKETS {
        for depth in [8, 33, 2_000] {
            let nested = format!("{}rm x{}", open.repeat(depth), close.repeat(depth));
            for text in placed(&nested) {
                judged(&policy, &text);
            }
        }
    }
}

/// Chains of values, each computed from the previous one, with branches that are merged.
#[test]
fn no_chain_of_substitutions_is_too_long_to_be_judged() {
    let policy = kit::policy(&rule("runs \"rm\""));
    for link in ["x=$(a $x);", "x=$(a $x $x);", "x=$(cd $x $x; git rev-parse --show-toplevel);", "x=${x:-$(a $x $x)};"]
    {
        for count in [60, 600] {
            let chain = link.repeat(count);
            for text in [
                format!("{chain} echo $x"),
                format!("if b; then {chain} else {chain} fi; echo $x"),
                format!("while b; do {chain} done; echo $x"),
                format!("f() {{ x=s; {chain} f $x; }}; f 1"),
            ] {
                assert_eq!(judged(&policy, &format!("rm x; {text}")).0, Decision::Deny, "{text:.80}");
            }
        }
    }
}

/// Words that expand to words in turn.
#[test]
fn no_command_is_wrapped_too_often_to_be_judged() {
    let policy = kit::policy(&rule("runs \"rm\""));
    for text in ["env -S'rm x'", "env -S 'env -S \"rm x\"'", "env -iS 'A=1 rm x'"] {
        assert_eq!(judged(&policy, text).0, Decision::Deny, "{text}");
    }
    for option in ["-S", "-iS"] {
        let text = format!("env {}", option.repeat(8_000));
        let (decision, message) = judged(&policy, &format!("ls; {text}"));
        assert_eq!(decision, Decision::Ask, "{option}: {message}");
        assert_eq!(judged(&policy, &format!("rm -rf x; {text}")).0, Decision::Deny, "{option}");
    }
    for option in ["-S -S", "-S-", "-S'-S", "--split-string="] {
        judged(&policy, &format!("env {}", option.repeat(4_000)));
    }
    for wrapper in [
        "env ",
        "sudo ",
        "nice -n 1 ",
        "xargs ",
        "command ",
        "exec ",
        "eval ",
        "bash -c 'x' ",
        "time ",
        "timeout 1 ",
        "busybox sh -c ",
    ] {
        judged(&policy, &format!("{}rm x", wrapper.repeat(4_000)));
    }
}

/// Each level takes much of the stack: a call of a function with a body nested as deep as can be parsed.
#[test]
fn functions_that_call_each_other_from_deep_within_are_judged() {
    let policy = kit::policy(&rule("runs \"rm\""));
    for (open, close) in BRACKETS.iter().filter(|(_, close)| !close.contains(['\n', '\''])) {
        for levels in [1, 3, 28] {
            let (open, close) = (open.repeat(levels), close.repeat(levels));
            let functions: String = (0..80).map(|n| format!("f{n}() {{ {open}f{}{close}; }}\n", n + 1)).collect();
            judged(&policy, &format!("{functions}f80() {{ {open}f81{close}; }}\nf0"));
            let values: String = (0..80).map(|n| format!("x{n}='{open}$((x{})){close}'\n", n + 1)).collect();
            judged(&policy, &format!("{values}: $((x0)) \"${{x0@P}}\""));
        }
    }
}

#[test]
fn the_hook_denies_on_a_small_stack_what_leads_back_to_itself() {
    let machine = Machine::with(&rule("runs \"rm\""));
    for text in ENDLESS.iter().step_by(4) {
        let payload = machine.bash(&format!("rm -rf x; {text}")).to_string();
        let reply = Reply::of(&send(limited(&machine.hook_command(&["claude-code"])), payload.as_bytes()));
        reply.denies("No.");
    }
}

/// A policy that does not test shell text: the guard of cached policies analyses it nevertheless.
#[test]
fn a_policy_that_looks_at_no_shell_text_answers_what_leads_back_to_itself() {
    let machine = Machine::with(&rule("tool_input.timeout == 7"));
    for text in ENDLESS.iter().step_by(4) {
        let mut payload = machine.bash(&format!("rm -rf x; {text}"));
        payload["tool_input"]["timeout"] = json!(7);
        for _ in 0..2 {
            let bytes = payload.to_string();
            let reply = Reply::of(&send(limited(&machine.hook_command(&["claude-code"])), bytes.as_bytes()));
            reply.denies("No.");
        }
        payload["tool_input"]["timeout"] = json!(8);
        let reply = send(limited(&machine.hook_command(&["claude-code"])), payload.to_string().as_bytes());
        Reply::of(&reply);
    }
}

/// Wraps a core in brackets.
fn nested(open: &str, core: &str, close: &str, depth: usize) -> String {
    format!("{}{core}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn policies_nested_to_the_limit_load_on_a_small_stack() {
    let def = |condition: String| format!("def a = {condition}\n");
    let good: Vec<String> = vec![
        rule(&nested("(", "tool_name == \"Bash\"", ")", 63)),
        rule(&nested("not (", "tool_name == \"Bash\"", ")", 63)),
        rule(&format!("{}tool_name == \"Bash\"", "not ".repeat(64))),
        rule(&nested("(tool_name == \"a\" or (tool_name == \"b\" and ", "tool_name == \"Bash\"", "))", 31)),
        rule(&format!("runs \"x\" where {}", nested("(", "program == \"x\"", ")", 63))),
        rule(&format!("runs \"x\" where {}", nested("not (", "args contains \"-x\"", ")", 60))),
        rule(&format!("runs \"{}\"", nested("{a,", "b", "}", 8))),
        rule(&format!("tool_input.command like \"{}\"", nested("{a,", "b", "}", 8))),
        rule(&format!("tool_input.command matches /{}/", nested("(?:a|", "b", ")", 16))),
        rule(&format!("tool_input.command matches /{}/", nested("(", "a", "b)*c", 16))),
        rule(&format!("tool_input.command matches /{}/", nested("(?:", "a", ")?", 16))),
        format!("def d0 = tool_name == \"Bash\"\n{}{}", chain("def", "not ", 63), rule("d63")),
        // The deepest possible condition: definitions with the maximum nesting each.
        format!("def d0 = tool_name == \"Bash\"\n{}{}", chain("def", &"not ".repeat(60), 4), rule("d4")),
        format!("let l0 = [\"Bash\"]\n{}{}", chain("let", "", 15), rule("tool_name in l15")),
        def(format!("{}tool_name == \"b\"", "tool_name == \"b\" and ".repeat(30_000))),
        "rule a {\n  on PreToolUse(mcp__x__y)\n  rewrite tool_input.x = LIST\n}\n"
            .replace("LIST", &nested("[", "1", "]", 60)),
        format!(
            "rule a {{\n  on PreToolUse(mcp__x__y)\n  deny \"No.\"\n\n  fires on mcp__x__y {{ tool_input: {} }}\n}}\n",
            nested("{ a: ", "1", " }", 61)
        ),
    ];
    for text in good {
        let told = on_small_stack(&text, || {
            let policy = kit::one_file(&text);
            let deep = json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "aab"}});
            kit::judge(&policy, &kit::decoded(&deep));
            let errors = policy.diagnostics().filter(|diagnostic| diagnostic.is_error());
            errors
                .map(|error| hookrules::diagnostic::render(error, &policy.sources, DiagnosticFormat::Short))
                .collect::<String>()
        });
        assert_eq!(told, "");
    }
}

fn chain(word: &str, before: &str, count: usize) -> String {
    let name = |n: usize| format!("{}{n}", word.get(..1).unwrap_or_default());
    let value = |n: usize| if word == "let" { format!("[...{}]", name(n)) } else { format!("{before}{}", name(n)) };
    (1..=count).map(|n| format!("{word} {} = {}\n", name(n), value(n - 1))).collect()
}

#[test]
fn policies_nested_beyond_any_limit_are_refused_on_a_small_stack() {
    // The prefix may hide the rest from a superficial scan: it is a string, a regex or neither.
    let hides = [
        "",
        "matches/\"/ and ",
        "matches/'/ and ",
        "matches/#/ and ",
        "matches/`/ and ",
        "matches/\"\"\"/ and ",
        "matches /[/]\"/ and ",
        "in [\"a\"]and a matches/\"/ and ",
        "like\"a\" and ",
        "== 1/2/ and ",
        "== \"a\\",
    ];
    let brackets = [
        ("(", ")"),
        ("not (", ")"),
        ("not ", ""),
        ("[", "]"),
        ("{ a: ", " }"),
        ("runs \"x\" where (", ")"),
        ("{a,", "}"),
    ];
    for hide in hides {
        for (open, close) in brackets {
            for depth in [70, 1_000, 30_000] {
                let text = nested(open, "tool_name", close, depth);
                let policy = rule(&format!("tool_name {hide}{text}"));
                on_small_stack(&policy, || assert!(kit::one_file(&policy).diagnostics().count() > 0));
            }
        }
    }
    let endless: [(&str, String); 9] = [
        ("definitions", format!("def d0 = a\n{}", chain("def", "not ", 5_000))),
        ("definitions in a circle", (0..5_000).map(|n| format!("def d{n} = not d{}\n", (n + 1) % 5_000)).collect()),
        ("values", format!("let l0 = [\"a\"]\n{}", chain("let", "", 500))),
        ("groups of a regex", rule(&format!("tool_name matches /{}/", nested("(", "a", "b)*", 200)))),
        ("repetitions of a regex", rule(&format!("tool_name matches /a{}/", "{1,2}".repeat(240)))),
        ("alternatives of a regex", rule(&format!("tool_name matches /{}/", nested("(a|", "b", ")", 240)))),
        ("classes of a regex", rule(&format!("tool_name matches /{}/", nested("[a&&", "b", "]", 240)))),
        ("braces", rule(&format!("tool_name like \"{}\"", nested("{a,", "b", "}", 1_000)))),
        ("a JSONPath", rule(&format!("`$[?{}]` == 1", nested("(", "@.a", ")", 300)))),
    ];
    for (what, text) in endless {
        on_small_stack(what, || assert!(kit::one_file(&text).diagnostics().count() > 0, "{text}"));
    }
}

#[test]
fn payloads_nested_to_any_depth_are_judged_on_a_small_stack() {
    const POLICIES: &[&str] = &[
        "rule a {\n  on PreToolUse\n  when tool_input contains \"zz\"\n  deny \"No.\"\n}\n",
        "rule a {\n  on PreToolUse\n  rewrite tool_input.zz = 1\n}\n",
        "rule a {\n  on PreToolUse\n  when `$..zz` == 1\n  deny \"No.\"\n}\n",
        "use \"std/secrets\"\nuse \"std/filesystem\"\n",
    ];
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for depth in [100, 127, 128, MAX_DEPTH - 3, MAX_DEPTH, 5_000, 1_000_000] {
            let input = nested(open, "1", close, depth);
            let payload = format!(
                "{{\"hook_event_name\":\"PreToolUse\",\"cwd\":\"/project\",\"tool_name\":\"mcp__x__y\",\"tool_input\":{{\"a\":{input}}}}}"
            );
            for policy in POLICIES {
                let machine = Machine::with(policy);
                let output = send(limited(&machine.hook_command(&["claude-code"])), payload.as_bytes());
                assert_eq!(output.status.code(), Some(0), "{depth}: {output:?}");
                let is_ask = String::from_utf8_lossy(&output.stdout).contains("\"permissionDecision\":\"ask\"");
                assert_eq!(is_ask, depth + 2 > MAX_DEPTH, "{depth}: {output:?}");
                // The returned input is complete, however deep, and may be deeper than any of our parsers accepts.
                let count = |bracket: u8| output.stdout.iter().filter(|byte| **byte == bracket).count();
                assert_eq!((count(b'['), count(b'{')), (count(b']'), count(b'}')), "{depth}: {output:?}");
            }
            on_small_stack(&format!("{open} {depth}"), || {
                let DecodedPayload::Event { payload, .. } = decode(Host::CLAUDE_CODE, payload.as_bytes()) else {
                    panic!()
                };
                let json = Json::Object(payload.json.clone());
                assert!(json == json.clone() && json.to_string().len() > 10);
            });
        }
    }
}

#[test]
fn settings_and_other_programs_configurations_may_nest_as_they_like() {
    let machine = Machine::with(&rule("tool_name == \"Bash\""));
    for settings in [
        format!("a = {}", nested("[", "", "]", 20_000)),
        format!("a = {}", nested("{a=", "1", "}", 20_000)),
        format!("a{} = 1", ".a".repeat(20_000)),
        format!("[a{}]\nb = 1", ".a".repeat(20_000)),
    ] {
        machine.write("project/.rules/rules.toml", &settings);
        let reply = Reply::of(&send(
            limited(&machine.hook_command(&["claude-code"])),
            machine.bash("ls").to_string().as_bytes(),
        ));
        assert_ne!(reply.decision(), "", "{reply:?}");
        assert_ne!(Printed::of(&send(limited(&machine.command(&["check"])), b"")).exit, 0);
        machine.write("project/.rules/rules.toml", "");
        machine.write("project/.rules/programs/mycli.toml", &format!("names = [\"mycli\"]\n{settings}"));
        assert_ne!(Printed::of(&send(limited(&machine.command(&["check"])), b"")).exit, 0);
        std::fs::remove_file(machine.path("project/.rules/programs/mycli.toml")).unwrap();
    }
    for yaml in [
        format!("a: {}", nested("[", "", "]", 20_000)),
        nested("{a: ", "1", "}", 20_000),
        format!("{}a", "- ".repeat(20_000)),
        (0..2_000).map(|n| format!("{}a:\n", " ".repeat(n))).collect(),
    ] {
        machine.write("project/.conclaude.yaml", &yaml);
        let command = machine.command(&["import", "conclaude", ".conclaude.yaml"]);
        assert_ne!(Printed::of(&send(limited(&command), b"")).exit, 0, "{}", yaml.get(..40).unwrap_or_default());
    }
}

#[test]
fn records_of_hosts_may_nest_as_they_like() {
    let machine = Machine::with("rule a {\n  on PreToolUse\n  deny \"No.\"\n}\n");
    let call = machine.bash("ls").to_string();
    let record =
        |answer: &str| format!("title = \"Acme\"\n[events.PreToolUse]\ndeny = {{ exit = 2, json = {answer} }}\n");
    let dotted = |levels: usize| format!("{{ a{} = \"$reason\" }}", ".a".repeat(levels));
    for (answer, is_read) in [
        (nested("{ a = ", "\"$reason\"", " }", 60), true),
        (dotted(60), true),
        (nested("{ a = ", "\"$reason\"", " }", 5_000), false),
        (dotted(20_000), false),
        (nested("[", "", "]", 20_000), false),
    ] {
        machine.write("user/hosts/acme.toml", &record(&answer));
        let printed = Printed::of(&send(limited(&machine.hook_command(&["acme"])), call.as_bytes()));
        assert_eq!((printed.exit, printed.stdout.starts_with("{\"a\":{\"a\":")), (2, is_read), "{printed:?}");
        let path = machine.path("user/hosts/acme.toml").display().to_string();
        let checked = Printed::of(&send(limited(&machine.command(&["check", &path])), b""));
        assert_eq!(checked.exit == 0, is_read, "{checked:?}");
    }
}

#[test]
fn settings_of_the_host_may_nest_as_they_like() {
    let machine = Machine::with(&rule("tool_name == \"Bash\""));
    let start = machine.captured("2.1.330/SessionStart.startup").to_string();
    for depth in [32, 64, 20_000] {
        for settings in [nested("[", "", "]", depth), nested("{\"a\":", "1", "}", depth)] {
            machine.write("project/.claude/settings.json", &format!("{{\"a\": {settings}}}"));
            let reply = Reply::of(&send(limited(&machine.hook_command(&["claude-code"])), start.as_bytes()));
            assert_eq!(reply.exit, 0, "{depth}: {reply:?}");
            assert!(Printed::of(&send(limited(&machine.command(&["check"])), b"")).exit <= 1, "{depth}");
            assert!(
                Printed::of(&send(limited(&machine.command(&["install", "claude-code", "--project", "--yes"])), b""))
                    .exit
                    <= 1
            );
        }
    }
}

#[test]
fn subcommands_may_nest_as_they_like() {
    let machine = Machine::with("rule a {\n  on PreToolUse(Bash)\n  when runs \"mycli\"\n  deny \"No.\"\n}\n");
    let taken = |levels: usize| -> String {
        let level = |at: usize| {
            let (a, next) = ("[[command.command]]\nnames = [\"a\"]\n", at + 1);
            format!("[[command]]\nnames = [\"c{at}\"]\n{a}shares = [\"mycli c{next}\"]\n")
        };
        (0..levels).map(level).chain([format!("[[command]]\nnames = [\"c{levels}\"]\n")]).collect()
    };
    let nested = |levels: usize| -> String {
        (1..=levels).map(|at| format!("[[{}]]\nnames = [\"a\"]\n", vec!["command"; at].join("."))).collect()
    };
    for (text, decision) in [
        (taken(15), "deny"),
        (nested(8), "deny"),
        (taken(16), "ask"),
        (taken(200), "ask"),
        (nested(9), "ask"),
        (nested(79), "ask"),
    ] {
        machine.write("project/.rules/programs/mycli.toml", &format!("names = [\"mycli\"]\n{text}"));
        for _ in 0..2 {
            let payload = machine.bash("mycli c0 a c1 a").to_string();
            let reply = Reply::of(&send(limited(&machine.hook_command(&["claude-code"])), payload.as_bytes()));
            assert_eq!(reply.decision(), decision, "{} {reply:?}", text.len());
        }
    }
}

#[test]
fn a_chain_of_files_is_followed_to_its_limit_on_a_small_stack() {
    let machine = Machine::with("use \"./u0.rules\"\n");
    for n in 0..500 {
        machine.write(&format!("project/.rules/u{n}.rules"), &format!("use \"./u{}.rules\"\n", n + 1));
    }
    machine.write("project/.rules/u500.rules", &rule("tool_name == \"Bash\""));
    Printed::of(&send(limited(&machine.command(&["check"])), b""));
    let payload = machine.bash("ls").to_string();
    let reply = Reply::of(&send(limited(&machine.hook_command(&["claude-code"])), payload.as_bytes()));
    assert_ne!(reply.decision(), "", "{reply:?}");
}

/// The constants that bound recursions, and the words for them in the table of ARCHITECTURE.md.
const BOUNDS: &[Bound] = &[
    ("shell/src/interpret.rs", "const MAX_DEPTH: usize = 80;", "80 levels, a script counting for three"),
    ("shell/src/interpret.rs", "const SCRIPT_LEVELS: usize = 3;", "a script counting for three"),
    ("shell/src/interpret.rs", "const ARGV_LEVELS: usize = 2;", "a command run by another's words for two"),
    ("shell/src/parse.rs", "const DEPTH: usize = 32;", "32 levels a text"),
    ("shell/src/nested.rs", "const GUESSES: usize = 4;", "4 guesses"),
    ("shell/src/nested/wrappers.rs", "const SPLITS: usize = 4;", "4 texts of `env -S`"),
    ("shell/src/expand/arithmetic.rs", "const DEPTH: usize = 16;", "16 factors"),
    (
        "shell/src/code/evaluate.rs",
        "const LEVELS: usize = 64;",
        "64 levels, a call of a function counting for two more",
    ),
    ("shell/src/code/evaluate.rs", "const CALL_LEVELS: usize = 2;", "a call of a function counting for two more"),
    ("shell/src/code/reader.rs", "const LEVELS: usize = 48;", "48 levels of a text"),
    ("shell/src/interpret/code.rs", "const CODE_LEVELS: usize = 24;", "24 levels of the above"),
    ("src/limits.rs", "const NESTING: usize = 64;", "64 brackets"),
    ("src/syntax/limits.rs", "NESTING as MAX_NOTS,", "64 `not`s"),
    ("src/compile/condition.rs", "const MAX_LEVELS: usize = 320;", "320 levels of a condition"),
    ("src/compile/condition.rs", "const DEF_LEVELS: usize = 3;", "a `def` counting for four"),
    ("src/compile/names.rs", "const MAX_LET_CHAIN: usize = 64;", "64 of `let`"),
    ("src/project/load.rs", "const MAX_USES: usize = 64;", "64 files"),
    ("src/wire.rs", "const MAX_DEPTH: usize = 400;", "400 lists and boxes"),
    ("shell/src/records.rs", "const MAX_DEPTH: usize = 8;", "8 subcommands within each other in a file"),
    ("shell/src/records.rs", "const MAX_LEVELS: usize = 32;", "32 with those that are taken from others"),
    ("src/ruleset/regex/pattern.rs", "const NEST_LIMIT: u32 = 50;", "50 groups"),
    ("shell/src/path/braces.rs", "const MAX_BRACES: usize = 8;", "8 braces"),
    ("src/compile/json_path.rs", "const MAX_BRACKETS: usize = 6;", "6 brackets"),
    ("src/compile/json_path.rs", "const MAX_SEGMENTS: usize = 16;", "16 segments"),
    ("src/host/lenient.rs", "const MAX_DEPTH: usize = 200;", "200 containers"),
    ("src/import/yaml.rs", "const MAX_DEPTH: usize = 32;", "32 levels | `import::yaml`"),
    ("src/host_settings/document.rs", "pub(super) const MAX_DEPTH: usize = 64;", "64 levels"),
    ("src/action/record.rs", "const MAX_NESTING: usize = 100;", "100 containers"),
];

#[test]
fn the_table_of_recursions_says_the_bounds_that_hold() {
    says_bounds("ARCHITECTURE.md", BOUNDS);
}
