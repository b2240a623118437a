//! Between layers: a lower one adds and makes stricter, and never weakens.

use proptest::prelude::*;

use super::generate::layered;
use super::hold::{loads_alone, never_weakens};
use hookrules::config::LayerKind;
use hookrules::context::{Context, ShellTools};
use hookrules::eval::{TraceDetail, evaluate};
use serde_json::json;

use crate::kit::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_lower_layer_never_weakens_a_higher_one((mut rules, calls) in layered()) {
        rules.retain(|(_, rule, _)| loads_alone(rule));
        for given in &calls {
            never_weakens(&rules, given)?;
        }
    }
}

/// A layer's setting for a tool: the member of its input that is a command.
type Stated = (LayerKind, &'static str, &'static str);

/// Returns how the user's rules decide a call with these settings.
fn decided_by_the_user(rules: &str, stated: &[Stated], given: &Given) -> String {
    let policy = loads(compiled(&[(LayerKind::User, &[("a.rules", rules)])]));
    let mut tools = ShellTools::default();
    stated.iter().for_each(|(layer, tool, member)| tools.add_shell_member(*layer, tool, member));
    let context = Context::new(&given.payload, "claude-code", &*given.facts, &tools);
    shown(&evaluate(&policy.rules, &context, TraceDetail::Outcomes).verdict)
}

#[test]
fn a_lower_layer_does_not_say_where_a_higher_one_looks_for_a_command() {
    const GUARD: &str = "rule guard {\n  on PreToolUse\n  when runs \"rm\"\n  deny \"No.\"\n}\n";
    const ONLY: &str = "rule guard {\n  on PreToolUse\n  when not runs \"ls\"\n  deny \"No.\"\n}\n";
    let (removes, lists) = (json!({"command": "rm x", "description": "ls"}), json!({"command": "cat x", "note": "ls"}));
    let table = [
        (GUARD, "Bash", removes.clone(), [LayerKind::Project, LayerKind::Local], "description"),
        (GUARD, "mcp__shell__run", removes.clone(), [LayerKind::Project, LayerKind::Local], "description"),
        (GUARD, "mcp__shell__run", removes, [LayerKind::Local, LayerKind::Local], "nothing"),
        (ONLY, "mcp__shell__run", lists, [LayerKind::Project, LayerKind::Local], "note"),
    ];
    for (rules, tool, input, layers, member) in table {
        let given = call(tool, input);
        for layer in layers {
            let stated = [(layer, tool, member)];
            assert_eq!(decided_by_the_user(rules, &stated, &given), "deny by user/guard: No.", "{tool} {member}");
        }
    }
}

#[test]
fn what_a_layer_states_of_a_tool_holds_for_its_own_rules() {
    const GUARD: &str = "rule guard {\n  on PreToolUse\n  when runs \"rm\"\n  deny \"No.\"\n}\n";
    let given = call("mcp__x__y", json!({"line": "rm x"}));
    assert_eq!(decided_by_the_user(GUARD, &[], &given), "pass");
    for layer in [LayerKind::Managed, LayerKind::User] {
        assert_eq!(decided_by_the_user(GUARD, &[(layer, "mcp__x__y", "line")], &given), "deny by user/guard: No.");
    }
    // If another member may hold a command besides the known one, it is unknown which one is run.
    let both = call("Bash", json!({"command": "ls", "line": "ls"}));
    let said = decided_by_the_user(GUARD, &[(LayerKind::User, "Bash", "line")], &both);
    assert!(said.starts_with("ask by user/guard"), "{said}");
}
