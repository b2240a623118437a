//! Specification 001: what hooks answer, from the rule to the bytes on standard output.
//!
//! How the host handles these bytes was observed on a real one; `book/src/claude-code.md`, "Permission dialogs" and
//! "Subagents", describes it.

use hookrules::host::{
    self, Host, HostOutput, Interrupt, PermissionDecision, PermissionRequestHookOutput, SubagentStartHookOutput,
};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use crate::kit::{Given, event, judge, policy};

/// Returns a policy's answer to an event.
#[track_caller]
fn answered(text: &str, given: &Given) -> HostOutput {
    host::encode(Host::CLAUDE_CODE, &judge(&policy(text), given).verdict)
}

/// Asserts the bytes of an answer, which are all of it: these two events do not use an exit code.
#[track_caller]
fn says(text: &str, given: &Given, stdout: &str) {
    let expected = HostOutput { stdout: stdout.to_owned(), ..HostOutput::default() };
    assert_eq!(answered(text, given), expected);
}

/// Parses the answer into its type.
#[track_caller]
fn typed<T: DeserializeOwned>(text: &str, given: &Given) -> T {
    let answer: Json = serde_json::from_str(&answered(text, given).stdout).unwrap();
    serde_json::from_value(answer["hookSpecificOutput"].clone()).unwrap()
}

fn dialog() -> Given {
    event("PermissionRequest", json!({"tool_name": "Bash", "tool_input": {"command": "npm test", "timeout": 5000}}))
}

fn start() -> Given {
    event("SubagentStart", json!({"agent_id": "a1", "agent_type": "coder"}))
}

/// Specification 001: Allow permission with unchanged input
#[test]
fn an_allow_leaves_the_input_alone() {
    let rule = "rule tests {\n  on PermissionRequest(Bash)\n  when command starts_with \"npm\"\n  allow\n}\n";
    says(
        rule,
        &dialog(),
        r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#,
    );
    let answer: PermissionRequestHookOutput = typed(rule, &dialog());
    assert_eq!(answer.decision(), &PermissionDecision::Allow { updated_input: None });
    let other = event("PermissionRequest", json!({"tool_name": "Bash", "tool_input": {"command": "make"}}));
    says(rule, &other, "");
}

/// Specification 001: Allow permission with modified input
#[test]
fn an_allow_with_a_rewrite_carries_the_whole_new_input() {
    let rule = "rule pnpm {\n  on PermissionRequest(Bash)\n  when command starts_with \"npm\"\n  allow\n  \
                rewrite command replace /^npm/ with \"pnpm\"\n}\n";
    says(
        rule,
        &dialog(),
        r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"command":"pnpm test","timeout":5000}}}}"#,
    );
    let answer: PermissionRequestHookOutput = typed(rule, &dialog());
    let input = json!({"command": "pnpm test", "timeout": 5000});
    assert_eq!(answer, PermissionRequestHookOutput::allow_with(input.as_object().unwrap().clone()));
}

/// Specification 001: Deny permission
#[test]
fn a_denial_says_why_and_lets_the_session_go_on() {
    let rule = "rule no {\n  on PermissionRequest(Bash)\n  deny \"Tests run in CI.\"\n}\n";
    says(
        rule,
        &dialog(),
        r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"Tests run in CI."}}}"#,
    );
    let answer: PermissionRequestHookOutput = typed(rule, &dialog());
    assert_eq!(answer, PermissionRequestHookOutput::deny("Tests run in CI.", Interrupt::No));
    let stated = rule.replace("CI.\"", "CI.\" { interrupt: false }");
    assert_eq!(answered(&stated, &dialog()), answered(rule, &dialog()));
}

/// Specification 001: Deny with interrupt
#[test]
fn a_denial_with_interrupt_ends_the_turn() {
    let rule = "rule no {\n  on PermissionRequest(Bash)\n  deny \"Not here; ask the user.\" { interrupt: true }\n}\n";
    says(
        rule,
        &dialog(),
        r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"Not here; ask the user.","interrupt":true}}}"#,
    );
    let answer: PermissionRequestHookOutput = typed(rule, &dialog());
    assert_eq!(answer, PermissionRequestHookOutput::deny("Not here; ask the user.", Interrupt::Turn));
    // One rule that interrupts is enough, whichever denies first, and no allow weakens it.
    let three = format!(
        "rule a {{\n  on PermissionRequest(Bash)\n  deny \"No.\"\n}}\n{rule}\
         rule z {{\n  on PermissionRequest(Bash)\n  allow\n}}\n"
    );
    let answer: PermissionRequestHookOutput = typed(&three, &dialog());
    assert_eq!(answer, PermissionRequestHookOutput::deny("No.\nNot here; ask the user.", Interrupt::Turn));
}

/// Specification 001: Provide additional context to subagent
#[test]
fn a_context_reaches_the_subagent() {
    let rule = "rule brief {\n  on SubagentStart(coder*)\n  context \"Read CONTRIBUTING.md, {agent_type}.\"\n}\n";
    says(
        rule,
        &start(),
        r#"{"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"Read CONTRIBUTING.md, coder."}}"#,
    );
    let two = format!("{rule}rule more {{\n  on SubagentStart\n  context \"Keep functions short.\"\n}}\n");
    let answer: SubagentStartHookOutput = typed(&two, &start());
    // Wildcard rules come first.
    assert_eq!(answer.additional_context(), Some("Keep functions short.\n\nRead CONTRIBUTING.md, coder."));
}

/// Specification 001: No additional context
#[test]
fn a_start_without_a_context_is_answered_by_silence() {
    says("rule brief {\n  on SubagentStart(tester)\n  context \"Read TESTING.md.\"\n}\n", &start(), "");
    // A text that evaluates to an empty one counts as absent.
    says("rule brief {\n  on SubagentStart\n  context \"{git.branch}\"\n}\n", &start(), "");
    assert_eq!(SubagentStartHookOutput::new().additional_context(), None);
}
