//! Installations into settings that have other hooks.

use std::path::PathBuf;

use super::*;

fn settings(text: &str) -> SettingsFile {
    SettingsFile::from_text(SettingsScope::User, PathBuf::from("/h/.claude/settings.json"), text.to_owned())
}

fn blocking(wait: Duration) -> EventRegistration {
    EventRegistration { wait, on_failure: OnFailure::Blocks }
}

fn wanted(events: &[Event]) -> WantedRegistration {
    WantedRegistration {
        scope: SettingsScope::User,
        program: "/b/rules".to_owned(),
        id: Some("12ab".to_owned()),
        host_blocks_failures: true,
        user_arguments: Vec::new(),
        events: events.iter().map(|event| (*event, blocking(BASE_WAIT))).collect(),
        keeps_others: false,
    }
}

fn install_into(text: &str, wanted: &WantedRegistration) -> (String, RegistrationChanges) {
    let settings = settings(text);
    let (document, changes) = install(&settings, settings.document.as_ref().unwrap(), wanted).unwrap();
    (document.text().to_owned(), changes)
}

fn uninstall_from(text: &str) -> Option<String> {
    let settings = settings(text);
    uninstall(&settings, settings.document.as_ref().unwrap()).unwrap().0.map(|document| document.text().to_owned())
}

const FOREIGN: &str = "{\n  \"permissions\": {\"allow\": [\"Bash(ls:*)\"], \"x\": 1.0},\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \
                       \"hooks\": [{\"type\": \"command\", \"command\": \"guard.sh // no\"}]}\n    ],\n    \"Stop\": []\n  },\n  \"zeta\": -0.0\n}\n";

#[test]
fn what_is_installed_and_uninstalled_leaves_every_byte() {
    for text in [FOREIGN, "{}", "{\"hooks\": {}}", "{ \"a\" : [ ] }\r\n"] {
        let (with, changes) = install_into(text, &wanted(&ALWAYS));
        assert_eq!(changes.added.len(), ALWAYS.len());
        assert_eq!(uninstall_from(&with).as_deref(), Some(text), "by way of {with}");
    }
    let (with, _) = install_into("", &wanted(&ALWAYS));
    assert_eq!(uninstall_from(&with), None);
}

#[test]
fn a_second_installation_changes_nothing() {
    let wanted = wanted(&[Event::PreToolUse, Event::Stop]);
    let (with, _) = install_into(FOREIGN, &wanted);
    let (again, changes) = install_into(&with, &wanted);
    assert_eq!((again, changes), (with, RegistrationChanges::default()));
}

#[test]
fn another_binary_timeout_or_event_is_brought_up_to_date() {
    let (with, _) = install_into(FOREIGN, &wanted(&[Event::PreToolUse, Event::Stop]));
    let mut other = wanted(&[Event::PreToolUse, Event::SubagentStop]);
    other.program = "/c/rules".to_owned();
    let (after, changes) = install_into(&with, &other);
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let expected = RegistrationChanges {
        added: names(&["SubagentStop"]),
        changed: names(&["PreToolUse"]),
        removed: names(&["Stop"]),
    };
    assert_eq!(changes, expected);
    assert!(after.contains("guard.sh") && after.contains("/c/rules") && !after.contains("/b/rules"), "{after}");
    assert_eq!(uninstall_from(&after).as_deref(), Some(FOREIGN));
    let kept = WantedRegistration { keeps_others: true, ..other };
    assert!(install_into(&with, &kept).0.contains("\"Stop\": [{"));
}

#[test]
fn a_narrow_or_doubled_entry_of_ours_is_mended() {
    let wanted = wanted(&[Event::PreToolUse]);
    let handler = wanted.handler(blocking(BASE_WAIT));
    let text = json!({ "hooks": { "PreToolUse": [
        { "matcher": "Bash", "hooks": [handler, { "type": "command", "command": "theirs" }] },
        { "matcher": "*", "hooks": [handler] },
    ] } });
    let (after, changes) = install_into(&text.to_string(), &wanted);
    assert_eq!(changes.changed, ["PreToolUse"]);
    let after: Json = serde_json::from_str(&after).unwrap();
    let expected = json!([
        { "matcher": "Bash", "hooks": [{ "type": "command", "command": "theirs" }] },
        { "matcher": "*", "hooks": [handler] },
    ]);
    assert_eq!(after["hooks"]["PreToolUse"], expected);
}

#[test]
fn a_hook_that_somebody_wrote_stays() {
    let by_hand = r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "rules hook claude-code"}]}]}}"#;
    let (with, changes) = install_into(by_hand, &wanted(&[Event::PreToolUse]));
    assert_eq!(changes.added, ["PreToolUse"]);
    assert_eq!(uninstall_from(&with).as_deref(), Some(by_hand));
}

#[test]
fn an_older_host_gets_a_line_that_blocks_where_the_program_fails() {
    let wanted =
        WantedRegistration { host_blocks_failures: false, program: "/b c/rules".to_owned(), ..wanted(&[Event::Stop]) };
    let handler = wanted.handler(blocking(Duration::from_secs(90)));
    assert_eq!(handler["command"], "'/b c/rules' hook claude-code --scope user --id 12ab --timeout 90 || exit 2");
    assert_eq!(handler["timeout"], 90);
    let (with, _) = install_into("{}", &wanted);
    assert_eq!(install_into(&with, &wanted).1, RegistrationChanges::default());
    assert_eq!(uninstall_from(&with).as_deref(), Some("{}"));
}

#[test]
fn where_no_rule_can_stop_an_event_a_failure_passes() {
    let open = EventRegistration::LEAST;
    let closed = blocking(BASE_WAIT);
    for (host_blocks_failures, registration, ends, on_failure) in [
        (true, closed, "60", Some("block")),
        (true, open, "60", None),
        (false, closed, "--timeout 60 || exit 2", Some("block")),
        (false, open, "--timeout 60", None),
    ] {
        let handler = WantedRegistration { host_blocks_failures, ..wanted(&[]) }.handler(registration);
        let last = handler["args"].as_array().map_or(&handler["command"], |args| args.last().unwrap());
        assert!(last.as_str().unwrap().ends_with(ends), "{handler}");
        assert_eq!(handler.get("onFailure").and_then(Json::as_str), on_failure, "{handler}");
    }
    // A policy that starts to stop the event makes a failure block, and one that no longer does lets it pass again.
    let mut wanted = wanted(&[Event::SubagentStop]);
    wanted.events.insert(Event::SubagentStop, open);
    let (opened, _) = install_into("{}", &wanted);
    assert!(!opened.contains("onFailure"), "{opened}");
    let closing = WantedRegistration { events: [(Event::SubagentStop, closed)].into(), ..wanted.clone() };
    let (closed, changes) = install_into(&opened, &closing);
    assert_eq!((changes.changed.as_slice(), closed.contains("onFailure")), (&["SubagentStop".to_owned()][..], true));
    assert_eq!(install_into(&closed, &wanted).0, opened);
    // In settings for all projects of a user, another project's rule may be the reason.
    let of_user = WantedRegistration { keeps_others: true, ..wanted };
    assert_eq!(install_into(&closed, &of_user), (closed, RegistrationChanges::default()));
}
