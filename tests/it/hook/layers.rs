//! Which policies judge an event, and under which names.

use serde_json::json;

use crate::machine::Machine;

fn deny(name: &str) -> String {
    format!("rule {name} {{\n  on PreToolUse(Bash)\n  deny \"From {name}.\"\n}}\n")
}

#[test]
fn every_layer_counts_and_names_its_rules() {
    let machine = Machine::with(&deny("theirs"));
    machine.write("managed/m.rules", &deny("all"));
    machine.write("user/u.rules", &deny("mine"));
    machine.write("project/.rules/local/l.rules", &deny("here"));
    let reply = machine.hook(&machine.bash("ls"));
    // Managed, user, project and local, the first three with their reasons (laws 3 and 2).
    assert_eq!(reply.reason(), "From all.\nFrom mine.\nFrom theirs.\n(and 1 more rule says so)");
    let log = machine.decisions();
    for name in ["\"managed/all\"", "\"user/mine\"", "\"theirs\"", "\"local/here\""] {
        assert!(log.contains(name), "{name}: {log}");
    }
}

#[test]
fn layers_may_use_the_same_name() {
    let machine = Machine::with(&deny("same"));
    machine.write("user/u.rules", &deny("same"));
    machine.hook(&machine.bash("ls")).denies("From same.");
    let log = machine.decisions();
    assert!(log.contains("\"user/same\"") && log.contains("\"same\""), "{log}");
}

#[test]
fn a_lower_layer_cannot_weaken_a_higher_one() {
    let machine = Machine::with("rule free {\n  on PreToolUse(Bash)\n  allow\n}\n");
    machine.write("user/u.rules", &deny("mine"));
    machine.hook(&machine.bash("ls")).denies("From mine.");
}

#[test]
fn the_projects_layer_reaches_up_to_the_root_and_never_below() {
    let machine = Machine::new();
    std::fs::create_dir_all(machine.path("project/app/.rules")).unwrap();
    machine.write(".rules/above.rules", &deny("above"));
    machine.write("project/.rules/root.rules", &deny("root"));
    machine.write("project/app/.rules/app.rules", &deny("app"));
    machine.write("project/app/sub/.rules/sub.rules", &deny("sub"));
    let mut command = machine.hook_command(&[]);
    command.env("CLAUDE_PROJECT_DIR", machine.path("project/app"));
    let mut payload = machine.bash("ls");
    payload["cwd"] = serde_json::json!(machine.path("project/app/sub"));
    let reply = crate::machine::Reply::of(&crate::machine::send(command, payload.to_string().as_bytes()));
    reply.denies("From root.");
    reply.denies("From app.");
    reply.denies("From above.");
    assert!(!reply.reason().contains("sub"), "{reply:?}");
}

#[test]
fn nothing_that_an_agent_does_to_git_hides_the_policy_above() {
    let machine = Machine::with(&deny("root"));
    let judge = || {
        let mut command = machine.hook_command(&[]);
        command.env("CLAUDE_PROJECT_DIR", machine.path("project/pkg"));
        crate::machine::Reply::of(&crate::machine::send(command, machine.bash("ls").to_string().as_bytes()))
    };
    machine.write("project/pkg/.git", "");
    judge().denies("From root.");
    machine.write("project/pkg/.git", "gitdir: ../nowhere\n");
    judge().denies("From root.");
    std::fs::remove_file(machine.path("project/pkg/.git")).unwrap();
    std::fs::create_dir(machine.path("project/pkg/.git")).unwrap();
    judge().denies("From root.");
    std::fs::remove_dir(machine.path("project/pkg/.git")).unwrap();
    std::fs::create_dir(machine.path("elsewhere")).unwrap();
    machine.write("project/pkg/.git", "gitdir: ../../elsewhere\n");
    judge().denies("From root.");
    std::fs::remove_file(machine.path("project/pkg/.git")).unwrap();
    machine.write("project/pkg/.git/HEAD", "ref: refs/heads/main\n");
    judge().denies("From root.");
    std::fs::remove_dir_all(machine.path("project/.git")).unwrap();
    judge().denies("From root.");
    // The project directory is gone, and the agent's directory with it, or is a link to another place.
    std::fs::rename(machine.path("project/pkg"), machine.path("elsewhere/pkg")).unwrap();
    judge().denies("From root.");
    let mut command = machine.hook_command(&[]);
    command.env("CLAUDE_PROJECT_DIR", machine.path("project/pkg"));
    let mut payload = machine.bash("ls");
    payload["cwd"] = serde_json::json!(machine.path("elsewhere/pkg"));
    crate::machine::Reply::of(&crate::machine::send(command, payload.to_string().as_bytes())).denies("From root.");
    machine.link(machine.path("elsewhere/pkg"), "project/pkg");
    judge().denies("From root.");
}

#[test]
fn a_state_directory_in_which_others_have_a_say_is_told_of_and_not_used() {
    let machine = Machine::with(&deny("root"));
    machine.mode("state", 0o777);
    machine.hook(&machine.bash("ls")).denies("From root.");
    let reply = machine.hook(&machine.event("SessionStart"));
    assert!(reply.json.to_string().contains("world-writable; run `chmod o-w "), "{reply:?}");
    assert!(!machine.exists("state/log"));
    machine.mode("state", 0o755);
    let reply = machine.hook(&machine.event("SessionStart"));
    assert!(!reply.json.to_string().contains("writable"), "{reply:?}");
}

#[test]
fn a_broken_nested_file_breaks_the_projects_layer_and_no_other() {
    let machine = Machine::with(&deny("theirs"));
    machine
        .write("project/.rules/more/broken.rules", "rule {\n")
        .write("user/u.rules", "rule free {\n  on PreToolUse(Bash)\n  allow\n}\n");
    machine.hook(&machine.bash("ls")).asks("more/broken.rules:1:");
}

#[test]
fn the_policy_is_read_anew_at_each_event() {
    let machine = Machine::with(&deny("first"));
    machine.hook(&machine.bash("ls")).denies("From first.");
    machine.write("project/.rules/project.rules", &deny("second"));
    machine.hook(&machine.bash("ls")).denies("From second.");
}

#[test]
fn the_variable_home_has_no_say() {
    let machine = Machine::new();
    machine.write("home/.config/rules/u.rules", &deny("planted"));
    let mut command = machine.command(&["hook", "--managed-dir"]);
    command.arg(machine.path("managed")).arg("--state-dir").arg(machine.path("state"));
    command.env("CLAUDE_PROJECT_DIR", machine.path("project")).env("XDG_CONFIG_HOME", machine.path("home/.config"));
    let reply = crate::machine::Reply::of(&crate::machine::send(command, machine.bash("ls").to_string().as_bytes()));
    assert!(!reply.reason().contains("planted"), "{reply:?}");
}

#[test]
fn a_member_that_a_call_has_not_hides_no_command() {
    let machine = Machine::with("rule no-push {\n  on PreToolUse\n  when runs \"git push\"\n  deny \"No.\"\n}\n");
    let call = |member: &str| {
        let mut payload = machine.bash("");
        payload["tool_name"] = json!("mcp__box__exec");
        payload["tool_input"] = json!({member: "git push"});
        payload
    };
    for member in ["command", "other"] {
        machine.write("project/.rules/rules.toml", &format!("[shell.tools]\nmcp__box__exec = \"{member}\"\n"));
        machine.hook(&call("command")).denies("No.");
    }
    machine.hook(&call("other")).denies("No.");
}
