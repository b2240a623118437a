//! Where calls began, and how they ended: an end counts by the directory in which its call began, and only if the host
//! reports success.

use serde_json::{Value as Json, json};

use super::{GATE, Session, session};
use crate::machine::{Machine, Reply};

impl Session<'_> {
    /// Sends an event about a call of Bash in a directory of the machine, with further members.
    fn bash_in(&self, (event, id): (&str, &str), command: &str, directory: &str, more: Json) -> Reply {
        let mut call = self.machine.bash(command);
        call["session_id"] = json!(self.id);
        call["hook_event_name"] = json!(event);
        call["tool_use_id"] = json!(id);
        call["cwd"] = json!(self.machine.path(directory));
        if event == "PostToolUse" {
            call["tool_response"] = json!({});
        }
        if let (Some(call), Json::Object(more)) = (call.as_object_mut(), more) {
            call.extend(more);
        }
        self.machine.hook(&call)
    }

    /// Runs a command that begins in one directory and ends in another.
    fn moved(&self, id: &str, command: &str, (from, to): (&str, &str)) {
        self.bash_in(("PreToolUse", id), command, from, json!({}));
        self.bash_in(("PostToolUse", id), command, to, json!({}));
    }
}

/// Returns a machine with a gate that tests open, and with further directories.
fn machine() -> Machine {
    let machine = Machine::with(GATE);
    for directory in ["elsewhere", "project/web", "project/src"] {
        machine.write(&format!("{directory}/x"), "");
    }
    machine
}

#[test]
fn a_call_ran_where_it_began() {
    let machine = machine();
    let session = session(&machine);
    session.start("startup");
    session.edited("t1");
    session.moved("t2", "npm test", ("project/web", "project"));
    session.stop().denies("its command ran in another directory");
}

#[test]
fn an_end_counts_where_its_call_began() {
    let machine = machine();
    let session = session(&machine);
    session.start("startup");
    session.edited("t1");
    let project = machine.in_shell("project");
    session.moved("t2", &format!("npm test && cd {project}"), ("elsewhere", "project"));
    session.stop().denies("run `npm test` by itself, in the project's directory");
    session.moved("t3", "npm test && cd ..", ("project/web", "project"));
    session.stop().denies("in the project's directory");
    // These ran in the project.
    session.moved("t4", "cd .. && npm test", ("project/web", "project"));
    session.stop().is_silent();
    session.edited("t5");
    session.moved("t6", "npm test && cd web", ("project", "project/web"));
    session.stop().is_silent();
}

#[test]
fn an_edit_counts_where_its_call_began() {
    let machine = machine();
    let session = session(&machine);
    session.start("startup");
    session.ran("t1", "npm test");
    session.moved("t2", "sed -i s/a/b/ a.ts && cd ..", ("project/src", "project"));
    session.stop().denies("Run the tests.");
    session.ran("t3", "npm test");
    session.stop().is_silent();
    // Nothing in `src` is changed here, although it looks so from where the call ended.
    session.moved("t4", "sed -i s/a/b/ a.ts && cd ../src", ("project/web", "project/src"));
    session.stop().is_silent();
}

#[test]
fn without_its_beginning_a_call_that_moves_is_not_certain() {
    let machine = machine();
    let session = session(&machine);
    session.start("startup");
    session.edited("t1");
    session.bash_in(("PostToolUse", "t2"), "npm test && cd .", "project", json!({}));
    session.stop().denies("in the project's directory");
    session.ran("t3", "npm test");
    session.stop().is_silent();
    session.bash_in(("PostToolUse", "t4"), "sed -i s/a/b/ a.ts && cd ..", "project", json!({}));
    session.stop().denies("run `npm test`");
}

#[test]
fn a_call_without_success_is_not_certain() {
    let machine = machine();
    for (member, says) in [
        ("interrupted", "its call was interrupted; run `npm test` again"),
        ("backgroundedByUser", "in the background"),
        ("assistantAutoBackgrounded", "in the background"),
        ("backgroundTaskId", "in the background"),
    ] {
        let session = Session { machine: &machine, id: member };
        session.start("startup");
        session.edited("t1");
        session.bash("PreToolUse", "t2", "npm test");
        session.bash_in(("PostToolUse", "t2"), "npm test", "project", json!({ "tool_response": { member: true } }));
        session.stop().denies(says);
        let no = json!({ "tool_response": { member: false } });
        session.bash("PreToolUse", "t3", "npm test");
        session.bash_in(("PostToolUse", "t3"), "npm test", "project", no);
        session.stop().is_silent();
    }
}

#[test]
fn a_call_without_an_id_has_no_known_beginning() {
    let machine = machine();
    let session = session(&machine);
    session.start("startup");
    let unnamed = || json!({ "tool_use_id": null });
    session.bash_in(("PreToolUse", ""), "npm test", "project", unnamed());
    session.edited("t1");
    session.bash_in(("PostToolUse", ""), "npm test", "project", unnamed());
    session.stop().denies("it is not known when `tested` began; run `npm test` again");
    session.ran("t2", "npm test");
    session.stop().is_silent();
}

#[test]
fn a_failed_command_may_have_changed_files() {
    let machine = Machine::with(&GATE.replacen(
        "on PostToolUse(Edit|Write|Bash)",
        "on PostToolUse(Edit|Write|Bash), PostToolUseFailure(Bash)",
        1,
    ));
    let session = session(&machine);
    session.start("startup");
    session.ran("t1", "npm test");
    let command = "sed -i s/a/b/ src/a.ts && false";
    session.bash("PreToolUse", "t2", command);
    session.bash_in(("PostToolUseFailure", "t2"), command, "project", json!({ "error": "Exit code 1" }));
    session.stop().denies("its call failed, perhaps after it had changed files; run `npm test`");
    session.ran("t3", "npm test");
    session.stop().is_silent();
}

#[test]
fn what_the_shell_does_not_wait_for_ends_later() {
    for command in [
        "true > >(sleep 9; sed -i s/a/b/ src/a.ts)",
        "wget -b -O src/a.ts https://example.com/a.ts",
        "wget -qb --output-document=src/a.ts https://example.com/a.ts",
        "aria2c -D --log=src/a.ts https://example.com/a.ts",
    ] {
        let machine = machine();
        let session = session(&machine);
        session.start("startup");
        session.ran("t1", command);
        session.ran("t2", "npm test");
        session.stop().denies("as a command was left in the background; that stays so in this session");
    }
}

#[test]
fn a_session_whose_start_was_missed_needs_one_run_of_the_tests() {
    let machine = machine();
    // Another session compiles the policy and caches it.
    let other = Session { machine: &machine, id: "other" };
    other.start("startup");
    let session = session(&machine);
    session.ran("t1", "npm test");
    session.stop().is_silent();
    let unseen = Session { machine: &machine, id: "unseen" };
    unseen.stop().denies("was first looked for; run `npm test`");
}

#[test]
fn the_journal_of_another_session_is_not_taken() {
    let machine = machine();
    let tested = session(&machine);
    tested.start("startup");
    tested.ran("t1", "npm test");
    tested.stop().is_silent();
    let other = Session { machine: &machine, id: "other" };
    other.start("startup");
    other.edited("t2");
    other.stop().denies("Run the tests.");
    machine.write(&other.journal(), &machine.read(&tested.journal()));
    machine.mode(&other.journal(), 0o600);
    other.stop().denies("its journal is that of another session");
    // It is not continued either, but begun anew.
    other.ran("t3", "npm test");
    other.stop().denies("was first looked for");
}

#[test]
fn a_doubt_about_a_change_says_what_to_run() {
    let machine = machine();
    let session = session(&machine);
    session.start("startup");
    session.ran("t1", "for i in 1; do sed -i s/a/b/ src/a.ts; done");
    let reply = session.stop();
    reply.denies("Run the tests.");
    session.ran("t2", "npm test");
    session.ran("t3", "sed -i s/a/b/ $FILE");
    let reply = session.stop();
    reply.denies("run `npm test`");
    assert!(!reply.reason().contains("by itself"), "{reply:?}");
}
