//! Marks of policies of directories that the session is not in.

use super::*;

/// A policy without a question, so that the beginning of the session is seen.
const ROOT: &str = "mark called {\n  on PreToolUse(Bash)\n}\n";

const SERVICE: &str = r#"mark edited {
  on PostToolUse(Edit|Write|Bash)
  when writes like "src/**"
}

mark tested {
  on PostToolUse(Bash)
  when runs "npm test"
}

mark stopped {
  on Stop
}

rule tests-before-release {
  on PreToolUse(Bash)
  when runs "make release" and happened edited since tested
  deny "Run the tests of the service."
}

rule tests-before-publish {
  on PreToolUse(Bash)
  when runs "make publish" and not happened tested
  deny "The service was never tested."
}
"#;

const UNKNOWN: &str = "not known what happened before";

/// Returns a machine with the policy in these services.
fn services(names: &[&str]) -> Machine {
    let machine = Machine::with(ROOT);
    for name in names {
        machine.write(&format!("project/{name}/.rules/service.rules"), SERVICE);
        machine.write(&format!("project/{name}/src/a.ts"), "");
    }
    machine
}

impl Session<'_> {
    /// Edits a file of a directory of the project.
    fn edit(&self, id: &str, directory: &str) {
        let mut call = self.machine.file("Edit", &format!("project/{directory}/src/a.ts"));
        call["session_id"] = json!(self.id);
        call["tool_use_id"] = json!(id);
        for event in ["PreToolUse", "PostToolUse"] {
            call["hook_event_name"] = json!(event);
            self.machine.hook(&call).is_silent();
        }
    }

    fn attempt(&self, command: &str) -> Reply {
        self.bash("PreToolUse", command, command)
    }
}

#[test]
fn a_service_remembers_what_happened_in_it() {
    let machine = services(&["api", "web"]);
    let session = session(&machine);
    session.start("startup");
    session.attempt("cd api && make release").is_silent();
    session.attempt("cd api && make publish").denies("The service was never tested.");
    session.edit("e1", "api");
    session.attempt("cd api && make release").denies("Run the tests of the service.");
    session.attempt("cd web && make release").is_silent();
    session.attempt("make release").is_silent();
    // The tests of another directory are not those of the service.
    session.ran("t1", "npm test");
    session.ran("t2", "cd web && npm test");
    session.attempt("cd api && make release").denies("Run the tests of the service.");
    session.ran("t3", "cd api && npm test | cat");
    session.attempt("cd api && make release").asks("");
    session.ran("t4", "cd api && npm test");
    session.attempt("cd api && make release").is_silent();
    session.attempt("cd api && make publish").is_silent();
    session.stop().is_silent();
    let journal = machine.read(&session.journal());
    assert!(!journal.contains("api") && !journal.contains("web"), "{journal}");
    assert_eq!(session.lines("nested"), 2, "{journal}");
}

#[test]
fn a_service_knows_nothing_of_a_session_whose_beginning_was_not_seen() {
    let machine = services(&["api"]);
    let session = session(&machine);
    session.attempt("cd api && make publish").asks(UNKNOWN);
    session.attempt("cd api && make publish").asks(UNKNOWN);
    session.ran("t1", "cd api && npm test");
    session.attempt("cd api && make publish").is_silent();
}

#[test]
fn a_policy_that_came_later_does_not_know_what_was_before() {
    let machine = services(&[]);
    let session = session(&machine);
    session.start("startup");
    session.edit("e1", "api");
    machine.write("project/api/.rules/service.rules", SERVICE);
    session.attempt("cd api && make publish").asks(UNKNOWN);
    session.attempt("cd api && make publish").asks(UNKNOWN);
    session.attempt("cd api && make release").asks(UNKNOWN);
}

#[test]
fn a_directory_that_is_moved_brings_no_past() {
    let machine = services(&["old/api"]);
    let session = session(&machine);
    session.start("startup");
    session.edit("e1", "api");
    fs::rename(machine.path("project/old/api"), machine.path("project/api")).unwrap();
    session.attempt("cd api && make publish").asks(UNKNOWN);
}

#[test]
fn another_definition_in_a_service_is_another_mark() {
    let machine = services(&["api"]);
    let session = session(&machine);
    session.start("startup");
    session.ran("t1", "cd api && npm test");
    session.attempt("cd api && make publish").is_silent();
    machine.write("project/api/.rules/service.rules", &SERVICE.replace("npm test", "npm run test"));
    session.attempt("cd api && make publish").asks(UNKNOWN);
    // Whether the tests ran while the first definition was not there is unknown.
    session.edit("e1", "api");
    machine.write("project/api/.rules/service.rules", SERVICE);
    session.attempt("cd api && make release").asks(UNKNOWN);
    session.attempt("cd api && make publish").is_silent();
}

#[test]
fn a_service_without_a_policy_for_a_while_has_a_gap() {
    let machine = services(&["api"]);
    let session = session(&machine);
    session.start("startup");
    session.edit("e1", "api");
    session.attempt("cd api && make publish").denies("never tested");
    machine.write(
        "project/api/.rules/service.rules",
        "rule no-x {\n  on PreToolUse(Bash)\n  when runs \"x\"\n  deny \"No.\"\n}\n",
    );
    session.ran("t1", "cd api && npm test");
    machine.write("project/api/.rules/service.rules", SERVICE);
    session.attempt("cd api && make publish").asks(UNKNOWN);
}

#[test]
fn a_service_that_nobody_trusts_may_mark() {
    let machine = services(&["api"]);
    machine.trust(&["untrust"]);
    let session = session(&machine);
    let send = |event: &Json| machine.user_hook(event);
    send(&session.event("SessionStart", json!({ "source": "startup" })));
    let mut edit = machine.file("Edit", "project/api/src/a.ts");
    (edit["session_id"], edit["tool_use_id"]) = (json!(session.id), json!("t1"));
    for event in ["PreToolUse", "PostToolUse"] {
        edit["hook_event_name"] = json!(event);
        send(&edit);
    }
    let mut release = machine.bash("cd api && make release");
    release["session_id"] = json!(session.id);
    send(&release).denies("(not trusted) says: Run the tests of the service.");
}
