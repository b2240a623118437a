//! Notifications about starts: which settings send one, and its text.

use hookrules::hooks::HookResult;
use serde_json::{Value as Json, json};

use super::{handled, start};
use crate::machine::Machine;

/// Sets up a channel that writes its notifications to a file, with further settings of `[notifications]`.
pub(super) fn notify(machine: &Machine, settings: &str) {
    let (script, told) = (machine.path("home/tell.sh"), machine.in_shell("home/told"));
    let text = format!("printf '%s|%s\\n' \"$RULES_TITLE\" \"$RULES_BODY\" >> {told}\n");
    machine.write("home/tell.sh", &text);
    let channel = format!("channel = \"command\"\ncommand = [\"sh\", {script:?}]");
    machine.write("user/rules.toml", &format!("[notifications]\n{channel}\n{settings}\n"));
}

/// Returns the notifications that the channel received.
pub(super) fn told(machine: &Machine) -> Option<String> {
    machine.exists("home/told").then(|| machine.read("home/told"))
}

/// Returns the notifications about a start, which succeeds in any case.
#[track_caller]
fn told_of_a_start(settings: &str) -> Option<String> {
    let machine = Machine::new();
    notify(&machine, settings);
    assert_eq!(handled(&machine, &start(&machine, "a7")), Ok(HookResult::silent()));
    // The hook of the host sends the same notification for a start.
    let first = told(&machine);
    machine.forget_claims();
    machine.hook(&start(&machine, "a7")).is_silent();
    let twice = told(&machine);
    assert_eq!(twice, first.as_ref().map(|first| first.repeat(2)));
    first
}

/// Specification 000: SubagentStart in hooks list enables notifications
/// Specification 000: Integration tests verify handler execution
#[test]
fn a_start_that_is_listed_is_told_with_its_agent() {
    let told = told_of_a_start("enabled = true\nhooks = [\"SubagentStart\"]\nshow_system_events = true");
    assert_eq!(told.as_deref(), Some("rules: SubagentStart|a7\n"));
}

/// Specification 000: Wildcard hooks config includes SubagentStart
#[test]
fn a_wildcard_lists_every_start() {
    let told = |more: &str| told_of_a_start(&format!("enabled = true\nhooks = [\"*\"]\n{more}"));
    assert_eq!(told("show_system_events = true").as_deref(), Some("rules: SubagentStart|a7\n"));
    assert_eq!(told("").as_deref(), Some("rules: SubagentStart|a7\n"), "system events are shown if nothing is said");
    assert_eq!(told("show_system_events = false"), None);
    assert!(told_of_a_start("enabled = true\nhooks = [\"Subagent*\"]").is_some());
}

/// Specification 000: SubagentStart not in hooks list suppresses notifications
#[test]
fn a_start_that_is_not_listed_is_not_told() {
    let listed = "hooks = [\"Stop\", \"PreToolUse\"]";
    assert_eq!(told_of_a_start(&format!("enabled = true\n{listed}\nshow_system_events = true")), None);
    assert_eq!(told_of_a_start("enabled = true\nhooks = []"), None);
    assert_eq!(told_of_a_start("enabled = false\nhooks = [\"SubagentStart\"]"), None);
    assert_eq!(told_of_a_start(""), None, "nothing is told unless it is wanted");
}

/// Specification 000: SubagentStart notifications respect showSystemEvents flag
#[test]
fn starts_are_not_told_where_system_events_are_not_shown() {
    let settings = "enabled = true\nhooks = [\"SubagentStart\", \"PreToolUse\"]\nshow_system_events = false";
    assert_eq!(told_of_a_start(settings), None);
    // A call is no system event.
    let machine = Machine::new();
    notify(&machine, settings);
    machine.hook(&machine.bash("ls")).is_silent();
    assert_eq!(told(&machine).as_deref(), Some("rules: PreToolUse|Bash\n"));
}

#[test]
fn the_type_of_an_agent_is_told_where_it_is_another_word() {
    let machine = Machine::new();
    notify(&machine, "enabled = true");
    let payload = machine.captured("2.1.330/SubagentStart");
    machine.hook(&payload).is_silent();
    let expected = format!("rules: SubagentStart|{} general-purpose\n", payload["agent_id"].as_str().unwrap());
    assert_eq!(told(&machine), Some(expected));
}

#[test]
fn the_id_of_an_agent_is_told_whatever_it_is_and_however_long_its_type() {
    for (id, shown) in [(json!("a7"), "a7"), (json!(7), "7"), (json!(["a", 7]), "[\"a\",7]")] {
        let machine = Machine::new();
        notify(&machine, "enabled = true");
        let mut payload = machine.captured("2.1.330/SubagentStart");
        payload["agent_id"] = id;
        payload["agent_type"] = json!("x".repeat(2_000));
        machine.hook(&payload).is_silent();
        let told = told(&machine).unwrap();
        assert!(told.starts_with(&format!("rules: SubagentStart|{shown} xxx")), "{told}");
    }
}

#[test]
fn a_body_is_made_of_what_there_is() {
    let body = |policy: &str, payload: &dyn Fn(&Machine) -> Json| {
        let machine = Machine::with(policy);
        notify(&machine, "enabled = true");
        machine.hook(&payload(&machine));
        let told = told(&machine).unwrap();
        told.trim_end().split_once('|').unwrap().1.to_owned()
    };
    let by_agent = |mut payload: Json| {
        payload["agent_id"] = json!("a7");
        payload["agent_type"] = json!("tester");
        payload
    };
    let says = |mut payload: Json| {
        payload["message"] = json!("The agent waits.");
        payload
    };
    let deny = "rule no {\n  on Stop, PreToolUse\n  deny \"No.\"\n}\n";
    assert_eq!(body(deny, &|machine| machine.event("Stop")), "deny");
    assert_eq!(body("", &|machine| machine.event("Stop")), "");
    assert_eq!(body(deny, &|machine| machine.bash("ls")), "deny: Bash");
    assert_eq!(body(deny, &|machine| by_agent(machine.bash("ls"))), "deny: Bash (a7 tester)");
    assert_eq!(body("", &|machine| says(machine.event("Notification"))), "The agent waits.");
    let waits = |machine: &Machine| by_agent(says(machine.event("Notification")));
    assert_eq!(body("", &waits), "The agent waits. (a7 tester)");
    let of_tool = |machine: &Machine| {
        let mut payload = waits(machine);
        payload["tool_name"] = json!("Bash");
        payload
    };
    assert_eq!(body("", &of_tool), "The agent waits. (a7 tester)");
}
