//! Examples and tests in a policy: their defaults, the messages for wrong ones, every form of `expect`.

use hookrules::diagnostic::{Diagnostic, DiagnosticFormat, render_all};
use hookrules::examples::{self, ExampleReport};
use serde_json::json;

use crate::kit::*;

/// Runs the examples and tests of a policy.
#[track_caller]
fn run(text: &str) -> (ExampleReport, String) {
    let policy = policy(text);
    let mut all = ExampleReport::default();
    for layer in &policy.layers {
        all.add(examples::judge_layer(layer));
    }
    let failed: Vec<Diagnostic> = all.failed.clone();
    let text = render_all(&failed, &policy.sources, DiagnosticFormat::Short);
    (all, text)
}

/// Checks that every example and test passes.
#[track_caller]
fn pass(text: &str) {
    let (report, failed) = run(text);
    assert!(report.failed.is_empty() && report.passed > 0, "{report:?}\n{failed}");
}

/// Checks that an example or test fails, with this text in the message.
#[track_caller]
fn fail(text: &str, told: &str) {
    let (report, failed) = run(text);
    assert!(!report.failed.is_empty() && failed.contains(told), "{told} is not in {failed:?}; {report:?}");
}

/// Returns a rule with examples.
fn rule(head: &str, when: &str, examples: &str) -> String {
    format!("rule r {{\n  on {head}\n  when {when}\n  warn \"w\"\n  {examples}\n}}\n")
}

#[test]
fn the_text_of_an_example_is_the_first_that_the_tool_or_event_has() {
    for (head, when, example) in [
        ("PreToolUse", "command == \"ls\"", "\"ls\""),
        ("PreToolUse", "tool_name == \"Bash\" and event == \"PreToolUse\"", "\"ls\""),
        ("PreToolUse(Read)", "path == \"a\"", "\"a\""),
        ("PreToolUse(Edit|Write)", "tool_name == \"Edit\" and path == \"a\"", "\"a\""),
        ("PreToolUse(mcp__*|Write)", "tool_name == \"Write\"", "\"a\""),
        ("PreToolUse", "tool_name == \"Write\" and path == \"a\"", "Write \"a\""),
        ("PreToolUse", "domain == \"x.org\"", "WebFetch \"https://x.org/\""),
        ("PreToolUse", "tool_input.prompt == \"p\"", "Agent \"p\""),
        ("PreToolUse", "tool_input.prompt == \"p\"", "Task \"p\""),
        ("PreToolUse", "path == \"a\"", "mcp__fs__read \"a\""),
        ("PreToolUse", "path == \"a\"", "NotebookEdit \"a\""),
        ("PreToolUse", "path == \"a\"", "Grep \"a\""),
        ("PreToolUse", "path == \"a\"", "PreToolUse(Read) \"a\""),
        ("Stop, PostToolUse", "event == \"PostToolUse\"", "Write \"a\""),
        ("PostToolUse, PreToolUse", "event == \"PostToolUse\" and command == \"x\"", "\"x\""),
        ("PostToolUse, PreToolUse", "event == \"PreToolUse\"", "PreToolUse(Bash) \"x\""),
        ("UserPromptSubmit", "prompt == \"hi\"", "\"hi\""),
        ("SessionStart", "source == \"resume\"", "\"resume\""),
        ("SessionStart(resume|clear)", "source == \"resume\"", "SessionStart"),
        ("SessionStart", "source == \"clear\"", "SessionStart(clear)"),
        ("SubagentStart", "agent_type == \"coder\"", "\"coder\""),
        ("SubagentStop", "agent_type == \"coder\" and exists agent_id", "SubagentStop(coder)"),
        ("Notification(permission_prompt|idle_prompt)", "notification_type == \"permission_prompt\"", "Notification"),
        ("PreCompact", "trigger == \"auto\"", "\"auto\""),
        ("FileChanged", "file_path == \"a.rs\"", "\"a.rs\""),
        ("*", "command == \"ls\"", "\"ls\""),
        ("PreToolUse", "tool_name == \"TaskOutput\"", "TaskOutput { tool_input.id: \"x\" }"),
    ] {
        pass(&rule(head, when, &format!("fires on {example}")));
    }
}

#[test]
fn an_example_states_who_acts_what_holds_and_what_the_payload_is() {
    for (when, example) in [
        ("agent == \"main\"", "\"x\""),
        ("agent == \"coder\" and exists agent_id", "\"x\" by \"coder\""),
        ("agent == \"main\"", "\"x\" by \"main\""),
        ("git.branch == \"main\"", "\"x\" with { git.branch: \"main\" }"),
        ("env.CI == \"1\"", "\"x\" with { env.CI: \"1\" }"),
        ("os == \"macos\"", "\"x\" with { os: \"macos\" }"),
        ("project == \"/elsewhere\"", "\"x\" with { project: \"/elsewhere\" }"),
        ("home == \"/home/me\"", "\"x\" with { home: \"/home/me\" }"),
        ("file_exists \"a.lock\"", "\"x\" with { file_exists \"a.lock\": true }"),
        ("file_size \"a\" == 2KB", "\"x\" with { file_size \"a\": 2KB }"),
        ("permission_mode == \"plan\"", "\"x\" { permission_mode: \"plan\" }"),
        ("tool_input.timeout == 5 and command == \"x\"", "\"x\" { tool_input.timeout: 5 }"),
        ("`$.tool_input.l[*].k` == \"v\"", "mcp__a__b { tool_input: { l: [{ k: \"v\" }, { k: 2 }] } }"),
        ("cwd == project and project == \"/project\"", "\"x\""),
        ("path == \"/home/user/x\"", "Read \"~/x\""),
        ("not exists git.branch and not exists env.HOME and not exists os and not file_exists \"Cargo.toml\"", "\"x\""),
        ("permission_mode == \"default\"", "\"x\""),
    ] {
        pass(&rule("PreToolUse", when, &format!("fires on {example}")));
    }
}

#[test]
fn a_wrong_example_is_told_at_its_place_with_what_decided() {
    fail(&rule("PreToolUse", "command == \"ls\"", "fires on \"rm\""), "project.rules:5:");
    fail(&rule("PreToolUse", "command == \"ls\"", "quiet on \"ls\""), "an example of `r` fails");
    fail(&rule("PreToolUse", "command == \"ls\"", "unknown on \"ls\""), "an example of `r` fails");
    let (report, _) = run(&rule("PreToolUse", "tool_name == \"Bash\" and command == \"ls\"", "fires on \"rm\""));
    let labels: Vec<String> = report.failed[0].labels.iter().map(|label| label.text.clone()).collect();
    assert_eq!(labels, ["the example says that it fires, but it is quiet", "this is false: it is `rm`"]);
    let head = rule("PreToolUse(Read)", "exists path", "fires on Write \"a\"");
    assert!(run(&head).0.failed[0].help.as_ref().unwrap().contains("`on` and `by` of the rule do not select it"));
}

#[test]
fn a_path_that_is_compared_as_a_text_is_shown_as_it_is_compared() {
    let decided = |when: &str| {
        let (report, _) = run(&rule("PreToolUse(Read)", when, "fires on Read \"src/a.rs\""));
        report.failed[0].labels[1].text.clone()
    };
    for (when, shown) in [
        ("path like \"*.md\"", "src/a.rs"),
        ("path == \"src/b.rs\"", "src/a.rs"),
        ("path starts_with \"src/\"", "/project/src/a.rs"),
        ("path matches /^src/", "/project/src/a.rs"),
        ("tool_input.file_path contains \"./src\"", "/project/src/a.rs"),
    ] {
        assert_eq!(decided(when), format!("this is false: it is `{shown}`"), "{when}");
    }
}

#[test]
fn an_example_is_judged_as_if_the_rule_were_neither_off_nor_observed() {
    for annotation in ["@off", "@observe"] {
        pass(&format!(
            "{annotation}\n{}",
            rule("PreToolUse", "command == \"ls\"", "fires on \"ls\"\n  quiet on \"rm\"")
        ));
    }
}

#[test]
fn quiet_is_neither_matching_nor_unknown() {
    let nameless = "\"x\" { agent_id: \"a\" }";
    let by = |examples: &str| format!("rule r {{\n  on PreToolUse\n  by coder\n  warn \"w\"\n  {examples}\n}}\n");
    pass(&by(&format!("unknown on {nameless}")));
    fail(&by(&format!("quiet on {nameless}")), "an example of `r` fails");
    fail(&by(&format!("fires on {nameless}")), "an example of `r` fails");
    pass(&by("fires on \"x\" by \"coder\"\n  quiet on \"x\", \"x\" by \"tester\""));
}

#[test]
fn an_example_that_is_no_payload_is_told() {
    for (head, example, told) in [
        ("PreToolUse", "Raed \"a\"", "unknown event or tool `Raed`"),
        ("PreToolUse(mcp__*)", "\"a\"", "the rule names no tool"),
        ("PreToolUse(!Bash)", "\"a\"", "the rule names no tool"),
        ("PreToolUse", "\"x\" with { git.brnch: \"m\" }", "unknown fact `git.brnch`"),
        ("PreToolUse", "\"x\" with { os: 5 }", "`os` must be a string"),
        ("PreToolUse", "TaskList \"x\"", "`TaskList` has no text"),
        ("PreToolUse", "\"x\" { cwd: somewhere }", "not a payload value"),
    ] {
        fail(&rule(head, "exists cwd", &format!("fires on {example}")), told);
    }
}

const POLICY: &str = "rule no-rm {\n  on PreToolUse\n  when command == \"rm\"\n  deny \"not here\"\n  context \"use trash\"\n  run [\"tell\", \"--\", \"{command}\"]\n}\n\
    rule also {\n  on PreToolUse\n  when command == \"rm\"\n  deny \"never\"\n}\n\
    rule asks {\n  on PreToolUse\n  when command like \"rm*\"\n  ask \"sure?\"\n}\n\
    rule npm {\n  on PreToolUse\n  when command == \"npm\"\n  rewrite command = \"pnpm\"\n  rewrite tool_input.description = null\n  allow \"fine\"\n  run \"echo {path}\" \n}\n\
    rule stops {\n  on Stop\n  halt \"end\"\n}\n";

#[test]
fn every_form_of_expect() {
    let test = |case: &str| format!("{POLICY}test \"t\" {{\n  {case}\n}}\n");
    for case in [
        "given Bash \"ls\"\n  expect pass",
        "given \"rm\"\n  expect deny",
        "given Bash \"rm\"\n  expect deny by no-rm",
        "given Bash \"rm\"\n  expect deny by also, no-rm message contains \"here\" context contains \"trash\"",
        "given Bash \"rm\"\n  expect deny message contains \"never\"",
        "given Bash \"rm\"\n  expect deny run \"tell -- rm\"",
        "given Bash \"rm -x\"\n  expect ask by asks",
        "given Bash \"npm\"\n  expect allow by npm rewrites command to \"pnpm\"",
        "given Bash \"npm\" { tool_input.description: \"d\" }\n  expect allow rewrites tool_input.description to null",
        "given Bash \"npm\"\n  expect allow run \"echo\"",
        "given Stop\n  expect halt by stops message contains \"end\"",
        "given Bash \"ls\"\n  expect pass\n  given Bash \"rm\"\n  expect deny",
    ] {
        pass(&test(case));
    }
    for (case, told) in [
        ("given Bash \"ls\"\n  expect deny", "a test fails"),
        ("given Bash \"rm\"\n  expect deny by asks", "a test fails"),
        ("given Bash \"rm\"\n  expect deny message contains \"sure\"", "a test fails"),
        ("given Bash \"rm\"\n  expect deny context contains \"bin\"", "a test fails"),
        ("given Bash \"rm\"\n  expect deny run \"rm -rf\"", "a test fails"),
        ("given Bash \"npm\"\n  expect allow rewrites command to \"yarn\"", "a test fails"),
        ("given Bash \"rm\"\n  expect deny rewrites command to \"x\"", "a test fails"),
        ("given Bash \"ls\"\n  expect pass context contains \"x\"", "a test fails"),
        ("given Bash \"ls\"\n  expect pass run \"x\"", "a test fails"),
        ("given Bash \"rm\"\n  expect deny by no-rn", "unknown rule `no-rn`"),
        ("given Bash \"rm\"\n  expect denied", "`denied` is not a decision"),
    ] {
        let (report, failed) = run_lenient(&test(case));
        assert!(failed.contains(told), "{case}: {told} is not in {failed:?}; {report:?}");
    }
    let (report, _) = run(&test("given Bash \"ls\"\n  expect pass\n  given Bash \"rm\"\n  expect pass"));
    assert_eq!((report.passed, report.failed.len()), (1, 1));
    assert_eq!(report.failed[0].labels[0].text, "it is `deny` by `no-rm`, `also`");
}

/// Like [`run`], if an error may be found at load too.
fn run_lenient(text: &str) -> (ExampleReport, String) {
    let policy = one_file(text);
    let mut all = ExampleReport::default();
    for layer in &policy.layers {
        all.add(examples::judge_layer(layer));
    }
    let text = render_all(&all.failed, &policy.sources, DiagnosticFormat::Short);
    (all, format!("{text}{}", rendered(&policy)))
}

#[test]
fn nothing_is_executed_and_nothing_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let root = crate::system::resolved(dir.path());
    let mark = hookrules_shell::path::join(&root, "mark".as_ref());
    let text = format!(
        "rule r {{\n  on PreToolUse\n  run \"touch {0}\"\n  record \"x.jsonl\" {{ cwd }}\n  deny \"no\"\n  fires on \"x\"\n}}\n\
         test \"t\" {{\n  given Bash \"x\"\n  expect deny by r run \"touch\"\n}}\n\
         rule reads {{\n  on PreToolUse\n  when file_exists \"{1}\"\n  warn \"w\"\n  quiet on \"x\"\n}}\n",
        mark.display(),
        root.display()
    );
    pass(&text);
    assert!(!mark.exists());
}

#[test]
fn an_example_is_judged_as_the_hook_judges() {
    let text = rule("PreToolUse", "path under \"src\"", "fires on Write \"src/a\"");
    pass(&text);
    check(&text, &call("Write", json!({"file_path": "src/a"})), "pass + warn \"w\"");
}

#[test]
fn a_misspelled_member_of_a_tool_is_told_the_one_that_exists() {
    let on =
        |fields: &str| rule("PreToolUse(Write)", "path like \"a\"", &format!("fires on Write \"a\" {{ {fields} }}"));
    fail(&on("tool_input.contnt: \"x\""), "`Write` has no member `contnt` (a member named `content` exists");
    fail(&on("contnt: \"x\""), "`Write` has no member `contnt`");
    // A host may give a tool further members.
    pass(&on("tool_input.encoding: \"utf-8\""));
    pass(&on("tool_input.content: \"x\""));
}

#[test]
fn two_names_of_agents_are_two_agents() {
    let marked = "mark wrote {\n  on PostToolUse(Edit)\n  key path\n}\n\n";
    let rule = rule(
        "PreToolUse(Edit)",
        "happened wrote of path by another agent",
        "fires on Edit \"a.ts\" by \"tester\" after [Edit \"a.ts\" by \"coder\" done]\n  \
         quiet on Edit \"a.ts\" by \"coder\" after [Edit \"a.ts\" by \"coder\" done]",
    );
    pass(&format!("{marked}{rule}"));
}

#[test]
fn a_glob_makes_a_number_uncounted_and_not_an_option() {
    let rule = rule("PreToolUse(Bash)", "runs \"rm\" where count operands > 5", "fires on \"rm ./*.log\"");
    let why = "a glob expands to as many words as files match: `./*.log`; write the names, which can be counted";
    let (report, _) = run(&rule);
    let labels: Vec<&str> = report.failed.iter().flat_map(|it| &it.labels).map(|label| label.text.as_str()).collect();
    assert!(labels.iter().any(|label| label.contains(why)), "{labels:?}");
}

#[test]
fn the_type_of_a_subagent_that_starts_is_a_member() {
    let agent = |field: &str| {
        rule("PreToolUse(Agent)", "tool_input.subagent_type == \"d\"", &format!("fires on Agent {{ {field}: \"d\" }}"))
    };
    pass(&agent("tool_input.subagent_type"));
    fail(&agent("subagent_type"), "`subagent_type` is either the agent that starts or the one that acts");
}

#[test]
fn each_repeated_call_has_an_id_of_its_own() {
    let marks = "mark made {\n  on PreToolUse(Bash)\n  when runs \"make *\"\n}\n\n\
                 mark second {\n  on PreToolUse(Bash)\n  when tool_use_id == \"call-2\"\n}\n\n";
    let counts = "count made == 3 and count second == 1";
    let repeated = "fires on Stop after [3 \"make x\" done]\n  quiet on Stop after [\"make x\" done]";
    let apart = "fires on Stop after [\"make x\" done, 2 \"make x\" done]";
    pass(&format!("{marks}{}", rule("Stop", counts, &format!("{repeated}\n  {apart}"))));
    fail(
        &format!("{marks}{}", rule("Stop", counts, "fires on Stop after [4 \"make x\" done]")),
        "an example of `r` fails",
    );
}
