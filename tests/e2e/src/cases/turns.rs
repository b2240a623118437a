//! Prompts, contexts, stops and subagents: cases beyond a single call.

use crate::case::{Case, Expect, MAIN, agent, bash, case, only, read};
use crate::host::Version;

/// A subagent's prompt, and the key of its conversation.
const SUB: &str = "SUB-ONE";
const SECOND: &str = "SUB-TWO";

const CONTEXTS: &str = r#"rule session { on SessionStart
  context "CONTEXT-SESSION" }
rule prompt { on UserPromptSubmit
  context "CONTEXT-PROMPT" }
rule before { on PreToolUse(Bash)
  context "CONTEXT-BEFORE" }
rule after { on PostToolUse(Bash)
  context "CONTEXT-AFTER" }
rule failure { on PostToolUseFailure(Bash)
  context "CONTEXT-FAILURE" }
rule batch { on PostToolBatch
  context "CONTEXT-BATCH" }
rule start { on SubagentStart
  context "CONTEXT-SUBAGENT" }
"#;

pub(super) fn cases() -> Vec<Case> {
    [contexts(), stops(), subagents()].concat()
}

fn contexts() -> Vec<Case> {
    vec![
        case("a_context_reaches_the_model_on_each_event_that_takes_one")
            .policy(CONTEXTS)
            .model([bash("true"), bash("exit 3"), agent(SUB)])
            .expects([
                Expect::Told(MAIN, "CONTEXT-SESSION"),
                Expect::Told(MAIN, "CONTEXT-PROMPT"),
                Expect::Told(MAIN, "CONTEXT-BEFORE"),
                Expect::Told(MAIN, "CONTEXT-AFTER"),
                Expect::Told(MAIN, "CONTEXT-FAILURE"),
                Expect::Told(MAIN, "CONTEXT-BATCH"),
                Expect::Told(SUB, "CONTEXT-SUBAGENT"),
            ])
            .model_in(SUB, []),
        case("a_context_reaches_the_summary")
            .policy("rule summary {\n  on PreCompact\n  context \"CONTEXT-COMPACT\"\n}\n")
            .model([bash("true")])
            .prompts(&[MAIN, "/compact"])
            .expects([Expect::Raised("PreCompact", 1), Expect::Told(MAIN, "CONTEXT-COMPACT")]),
        case("a_context_follows_a_command_of_the_project")
            .policy("rule command {\n  on UserPromptExpansion\n  context \"CONTEXT-EXPANSION\"\n}\n")
            .file(".claude/commands/hello.md", "GO-MAIN, and say hello.\n")
            .prompts(&["/hello"])
            .model([bash("true")])
            .expects([Expect::Raised("UserPromptExpansion", 1), Expect::Told(MAIN, "CONTEXT-EXPANSION")]),
        case("a_denied_prompt_is_in_no_request")
            .policy("rule no {\n  on UserPromptSubmit\n  when prompt contains \"MAIN\"\n  deny \"MARK-PROMPT\"\n}\n")
            .model([bash("touch made")])
            .expects([Expect::Requests(MAIN, 0), Expect::Absent("made"), Expect::Result("result", "MARK-PROMPT")]),
        case("a_denied_change_of_the_settings_leaves_the_hooks_in_force")
            .policy("rule settings {\n  on ConfigChange\n  deny \"MARK-CONFIG\"\n}\nrule no {\n  on PreToolUse(Bash)\n  when command contains \"made\"\n  deny \"MARK-DENY\"\n}\n")
            // In a file, so that its effect is unknown until it has happened.
            .file("change.js", "require('fs').writeFileSync('.claude/settings.json', '{}');\n")
            .model([bash("node change.js; sleep 2.5"), bash("touch made")])
            .expects([Expect::Raised("ConfigChange", 1), Expect::Absent("made"), Expect::Denied("Bash")]),
    ]
}

fn stops() -> Vec<Case> {
    const GATE: &str =
        "rule gate {\n  on Stop\n  run \"test -e ready\" { on_fail: deny, message: \"MARK-GATE\", attempts: 2 }\n}\n";
    vec![
        case("a_stop_is_held_until_its_gate_is_met")
            .policy(GATE)
            .model([crate::api::Turn::Says("I am done."), bash("touch ready")])
            .expects([
                Expect::Told(MAIN, "MARK-GATE"),
                Expect::Made("ready"),
                Expect::Requests(MAIN, 3),
                Expect::Raised("Stop", 2),
                Expect::Result("subtype", "success"),
            ]),
        case("a_stop_is_released_after_its_attempts").policy(GATE).model([]).expects([
            Expect::Told(MAIN, "MARK-GATE"),
            Expect::Requests(MAIN, 3),
            Expect::Raised("Stop", 3),
            Expect::Result("subtype", "success"),
        ]),
        case("a_stop_without_a_gate_ends_the_turn")
            .policy("rule note {\n  on Stop\n  record \"stops.jsonl\" { session_id }\n}\n")
            .model([bash("true")])
            .expects([Expect::Requests(MAIN, 2), Expect::Holds("../state/stops.jsonl", "session_id")]),
    ]
}

fn subagents() -> Vec<Case> {
    const RECORDS: &str = r#"rule starts {
  on SubagentStart
  record "subagents.jsonl" { hook_event_name, agent_id, agent_type }
}
rule stops {
  on SubagentStop
  record "subagents.jsonl" { hook_event_name, agent_id, agent_type }
}
"#;
    const GATE: &str = "rule gate {\n  on SubagentStop\n  run \"test -e ready\" { on_fail: deny, message: \"MARK-SUB\", attempts: 2 }\n}\n";
    vec![
        case("subagents_start_before_they_stop")
            .policy(RECORDS)
            .model([agent(SUB), agent(SECOND)])
            .model_in(SUB, [bash("touch one")])
            .model_in(SECOND, [bash("touch two")])
            .expects([
                Expect::Made("one"),
                Expect::Made("two"),
                Expect::Order("SubagentStart", "SubagentStop"),
                Expect::Raised("SubagentStop", 2),
                Expect::Each("../state/subagents.jsonl", "agent_id", &["SubagentStart", "SubagentStop"]),
            ]),
        case("a_subagent_is_held_until_its_gate_is_met")
            .policy(GATE)
            .model([agent(SUB)])
            .model_in(SUB, [crate::api::Turn::Says("I am done."), bash("touch ready")])
            .expects([
                Expect::Told(SUB, "MARK-SUB"),
                Expect::Made("ready"),
                Expect::Raised("SubagentStop", 2),
                Expect::Requests(SUB, 3),
            ]),
        case("a_subagent_is_denied_what_the_main_thread_may")
            .policy("rule not-you {\n  on PreToolUse(Bash)\n  by !main\n  deny \"MARK-SUB\"\n}\n")
            .model([bash("touch main"), agent(SUB)])
            .model_in(SUB, [bash("touch sub")])
            .expects([Expect::Made("main"), Expect::Absent("sub"), Expect::Told(SUB, "MARK-SUB")]),
        case("a_subagent_that_may_not_start_does_nothing")
            .policy("rule no {\n  on PreToolUse(Agent)\n  deny \"MARK-AGENT\"\n}\n")
            .model([agent(SUB), read("none")])
            .model_in(SUB, [bash("touch sub")])
            .expects([
                Expect::Absent("sub"),
                Expect::Requests(SUB, 0),
                Expect::Told(MAIN, "MARK-AGENT"),
                only(Version::New, Expect::Denied("Task")),
            ]),
    ]
}
