//! Installations into the settings of every agent.

use std::collections::BTreeMap;
use std::path::Path;

use super::*;
use crate::host_settings::installation::{BASE_WAIT, EventRegistration};

/// Texts that may be in a JSON file before an installation.
const JSON: &[&str] = &[
    "",
    "\n",
    "  ",
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    "{\"version\": 1}",
    "{\n  \"version\": 1\n}\n",
    "{\n  \"hooks\": {},\n  \"version\": 1\n}\n",
    "{\"hooks\": {}}",
    "{\r\n\t\"hooks\": {\r\n\t}\r\n}\r\n",
    "\u{feff}{ \"hooks\" : { \"PreToolUse\" : [ ] } }",
    "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"guard.sh\"}]}], \"BeforeTool\": [], \
     \"preToolUse\": [{\"command\": \"guard.sh\"}]}}",
    "{\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\"matcher\": \"*\", \"hooks\": []}\n\t\t]\n\t}\n}",
    "{\"rules\": {\"PreToolUse\": [{\"matcher\": \"x\", \"hooks\": [{\"command\": \"rules hook codex --scope local\"}]}]}}\n",
];

/// Texts with comments that may be in a JSON file before an installation.
const JSON_WITH_COMMENTS: &[&str] = &[
    "// nothing yet",
    "\u{feff}// nothing yet",
    "// nothing yet\n",
    "/* nothing yet */",
    "\u{feff}// mine\r\n{\r\n\t\"a\": 1 // don't \"quote\" [\r\n}\r\n",
    "{ /* c */ }",
    "{ // c\n}",
    "{\n  // c\n}\n",
    "// head\n{\n  // about a\n  \"a\": \"// no /* comment\" // {[ about \\ a\n  // \"b\": 2,\n}\n",
    "{\"a\": 1 /* x */ /* y */ // z\n}",
    "{\"a\": 1, // z\n \"b\" /* before the colon */ : /* after it */ [1 /* , */, 2] /* before\nthe end */}",
    "{\n  \"hooks\": {\n    // mine\n  } // all\n  , \"version\": 1\n}",
    "{\"hooks\": { // none\n}}",
    "{\"hooks\": {\"PreToolUse\": [ /* none */ ], \"BeforeTool\": [ // none\n ]}}",
    "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"a\", \"hooks\": []} // mine\n      // no more\n    ], \
     /* and */\n    \"BeforeTool\": [{\"hooks\": [\n      // mine\n      {\"type\": \"command\", \"command\": \"g\"} // g\n    ]} // x\n    ] // y\n  \
     // z\n  }\n  // end\n}\n// after",
];

/// Texts with commas after the last value that may be in a JSON file before an installation.
const JSON_WITH_COMMAS: &[&str] = &[
    "{\"a\": 1,}",
    "// head\n{\n  // about a\n  \"a\": \"// no /* comment\", // {[ about \\ a\n  // \"b\": 2,\n}\n",
    "{\r\n  \"a\": [1,], // a\r\n  \"hooks\": {\"PreToolUse\": [{\"hooks\": [],} /* b */ , // c\r\n ],} , // d\r\n  // e\r\n}",
    "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": []}, // x\n      // y\n    ],\n  },\n}\n",
];

/// Texts that may be in a TOML file before an installation.
const TOML: &[&str] = &[
    "",
    "\n",
    "# mine",
    "model = \"x\"\n",
    "model = \"x\"\r\n\r\n[a]\r\nb = 1\r\n",
    "[[hooks]]\nevent = \"Stop\"\ncommand = \"guard.sh\"",
    "[[hooks]]\nevent = \"PreToolUse\"\ncommand = \"guard.sh\"\n\n\n[other]\nx = [1]\n",
];

fn hosts() -> Vec<Host> {
    Host::all().filter(|host| host.settings().is_some()).collect()
}

/// Returns the places of an agent below a directory.
fn places(host: Host, root: &Path) -> Vec<AgentPlace> {
    let directories = AgentDirectories { home: Some(root.join("home")), project: Some(root.join("project")) };
    let scopes = [SettingsScope::User, SettingsScope::Project].into_iter();
    scopes.filter_map(|scope| AgentPlace::new(host, scope, &directories, |_| None)).collect()
}

fn registration(host: Host, events: &[Event]) -> AgentRegistration {
    let wanted = EventRegistration { wait: BASE_WAIT, on_failure: OnFailure::Blocks };
    let events: BTreeMap<_, _> =
        events.iter().filter(|event| host.sends(**event)).map(|event| (*event, wanted)).collect();
    AgentRegistration { program: "/b c/rules".to_owned(), user_arguments: vec!["--state-dir=/s".to_owned()], events }
}

const EVENTS: [Event; 5] =
    [Event::PreToolUse, Event::PostToolUse, Event::Stop, Event::SessionStart, Event::UserPromptSubmit];

/// Returns settings with a text in their only file, or in none of their executables.
fn with_text(place: &AgentPlace, text: Option<&str>) -> AgentSettings {
    let file = AgentFile { path: place.path.clone(), event: None, text: text.map(str::to_owned) };
    AgentSettings { place: place.clone(), files: vec![file] }
}

/// Returns the settings after edits.
fn applied(settings: &AgentSettings, edits: &AgentEdits) -> AgentSettings {
    let mut settings = settings.clone();
    for edit in &edits.files {
        let file = settings.files.iter_mut().find(|file| file.path == edit.path).unwrap();
        assert_eq!(file.text, edit.before);
        file.text.clone_from(&edit.after);
    }
    settings
}

#[test]
fn an_installation_is_undone_to_the_byte_with_every_agent() {
    for host in hosts() {
        for place in places(host, Path::new("/m")) {
            let with_comments = if place.settings.takes_comments { JSON_WITH_COMMENTS } else { &[] };
            let with_commas = if place.settings.takes_trailing_commas { JSON_WITH_COMMAS } else { &[] };
            let texts = match place.settings.form {
                SettingsForm::JsonLists => JSON.iter().chain(with_comments).chain(with_commas),
                SettingsForm::TomlTables => TOML.iter().chain(&[]).chain(&[]),
                SettingsForm::Executables => continue,
                SettingsForm::Bridge(_) => [].iter().chain(&[]).chain(&[]),
            };
            for text in texts.map(|text| Some(*text)).chain([None]) {
                let settings = with_text(&place, text);
                if !settings.refused_members().is_empty() {
                    assert!(settings.install(&registration(host, &EVENTS)).is_err(), "{host:?} {text:?}");
                    continue;
                }
                let edits = settings.install(&registration(host, &EVENTS)).unwrap();
                let installed = applied(&settings, &edits);
                let names: Vec<&str> = EVENTS.iter().flat_map(|event| host.registered_names(*event)).collect();
                assert_eq!(edits.changes.added.len(), names.len(), "{host:?} {text:?}");
                keeps_words(text.unwrap_or_default(), installed.files[0].text.as_deref().unwrap_or_default());
                let hooks = installed.own_hooks().unwrap();
                let ours = hooks.iter().filter(|hook| hook.command.contains("/b c/rules"));
                assert_eq!(ours.count(), names.len(), "{host:?} {text:?}: {hooks:?}");
                // A second installation changes nothing; another one changes what differs.
                assert_eq!(installed.install(&registration(host, &EVENTS)).unwrap(), AgentEdits::default());
                let fewer = installed.install(&registration(host, &EVENTS[..1])).unwrap();
                let is_all = names == host.registered_names(EVENTS[0]);
                let keeps = is_all || place.scope == SettingsScope::User;
                assert_eq!(fewer.changes.removed.is_empty(), keeps, "{host:?} {text:?}");
                let moved = AgentRegistration { program: "rules".to_owned(), ..registration(host, &EVENTS) };
                let other = applied(&installed, &installed.install(&moved).unwrap());
                assert!(!other.files[0].text.as_ref().unwrap().contains("/b c/"), "{host:?} {text:?}");
                for state in [installed.clone(), other, applied(&installed, &fewer)] {
                    let gone = applied(&state, &state.uninstall().unwrap());
                    assert_eq!(gone.files[0].text.as_deref(), text, "{host:?} {:?}", place.scope);
                }
            }
        }
    }
}

/// Checks that every word of a text, also in comments, is in another text in the same order.
fn keeps_words(before: &str, after: &str) {
    let mut rest = after;
    for word in before.split(['\u{feff}', ' ', '\t', '\r', '\n', ',', '{', '}', '[', ']']) {
        rest = rest.split_once(word).unwrap_or_else(|| panic!("{word:?} is lost:\n{after}")).1;
    }
}

#[test]
fn comments_and_commas_that_an_agent_does_not_read_are_refused() {
    let mut readers = Vec::new();
    for host in hosts() {
        for place in places(host, Path::new("/m")).into_iter().filter(|place| place.scope == SettingsScope::User) {
            if place.settings.form != SettingsForm::JsonLists {
                continue;
            }
            let (comments, commas) = (place.settings.takes_comments, place.settings.takes_trailing_commas);
            for (text, is_read) in [("{ // c\n}", comments), ("{\"version\": 1,}", commas)] {
                let settings = with_text(&place, Some(text));
                assert_eq!(settings.install(&registration(host, &EVENTS)).is_ok(), is_read, "{host:?} {text}");
                assert_eq!(settings.own_hooks().is_ok(), is_read, "{host:?} {text}");
            }
            readers.extend(comments.then(|| (host.name(), commas)));
        }
    }
    assert_eq!(readers, [("auggie", true), ("gemini", false), ("qwen", false)]);
}

#[test]
fn a_comment_that_was_added_to_an_installation_stays() {
    let place = places(Host::from_name("auggie").unwrap(), Path::new("/m")).remove(0);
    let settings = with_text(&place, Some("{\n}\n"));
    let wanted = registration(place.host, &EVENTS[..1]);
    let mut installed = applied(&settings, &settings.install(&wanted).unwrap());
    let text = installed.files[0].text.take().unwrap();
    let text = text.replace("\"PreToolUse\": [", "// Ours.\n  \"PreToolUse\": [ // first");
    installed.files[0].text = Some(text);
    assert_eq!(installed.install(&wanted).unwrap(), AgentEdits::default());
    let gone = applied(&installed, &installed.uninstall().unwrap());
    let expected = "{\"hooks\": {\n  // Ours.\n  \"PreToolUse\": [ // first\n  ]\n}\n}\n";
    assert_eq!(gone.files[0].text.as_deref(), Some(expected));
}

#[test]
fn executables_are_written_and_those_of_others_are_left_alone() {
    let machine = tempfile::tempdir().unwrap();
    for host in hosts() {
        for place in places(host, machine.path()).into_iter().filter(AgentPlace::is_directory) {
            let settings = place.clone().read().unwrap();
            let edits = settings.install(&registration(host, &EVENTS)).unwrap();
            let installed = applied(&settings, &edits);
            assert!(edits.files.iter().all(|edit| edit.is_executable && edit.before.is_none()));
            assert!(installed.texts().all(|text| text.starts_with("#!/bin/sh\nexec '/b c/rules' hook ")));
            assert_eq!(installed.own_hooks().unwrap().len(), edits.files.len());
            assert_eq!(installed.install(&registration(host, &EVENTS)).unwrap(), AgentEdits::default());
            assert_eq!(applied(&installed, &installed.uninstall().unwrap()), settings);

            let mut foreign = settings.clone();
            foreign.files[0].text = Some("#!/bin/sh\n./guard.sh\n".to_owned());
            assert!(foreign.install(&registration(host, &EVENTS)).unwrap_err().contains("another hook for"));
            assert_eq!(foreign.uninstall().unwrap(), AgentEdits::default());
        }
    }
}

#[test]
fn texts_that_cannot_be_edited_are_refused() {
    for host in hosts() {
        for place in places(host, Path::new("/m")) {
            let texts: &[&str] = match place.settings.form {
                SettingsForm::JsonLists => &["{", "[]", "{\"hooks\": [], \"rules\": 1}"],
                SettingsForm::TomlTables => {
                    &["a =", "hooks = []\n", "[hooks]\nx = 1\n", "hooks = [{ event = \"Stop\" }]\n"]
                }
                SettingsForm::Executables => &[],
                SettingsForm::Bridge(_) => &["export const Mine = async () => ({})\n"],
            };
            for text in texts {
                let installed = with_text(&place, Some(text)).install(&registration(host, &EVENTS));
                assert!(installed.is_err(), "{host:?} {text:?}: {installed:?}");
            }
        }
    }
}

#[test]
fn an_entry_has_the_form_of_its_agent() {
    let text = |name: &str, scope: usize| {
        let host = Host::from_name(name).unwrap();
        let place = places(host, Path::new("/m")).remove(scope);
        let settings = with_text(&place, None);
        applied(&settings, &settings.install(&registration(host, &EVENTS[..1])).unwrap()).files[0].text.clone().unwrap()
    };
    let json = |name: &str| serde_json::from_str::<Json>(&text(name, 1)).unwrap();
    let line = |name: &str| format!("'/b c/rules' hook {name} --scope project --require-policy");
    let seconds = " --timeout 60 --state-dir=/s";
    assert_eq!(
        json("codex"),
        serde_json::json!({ "hooks": { "PreToolUse": [{ "hooks": [
            { "type": "command", "command": format!("{}{seconds} || exit 2", line("codex")), "timeout": 60 },
        ] }] } })
    );
    assert_eq!(json("gemini")["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"], 60_000);
    assert_eq!(
        json("copilot"),
        serde_json::json!({ "hooks": { "PreToolUse": [
            { "type": "command", "bash": format!("{}{seconds}", line("copilot")), "timeoutSec": 60 },
        ] }, "version": 1 })
    );
    assert_eq!(
        json("cursor")["hooks"]["preToolUse"][0],
        serde_json::json!({ "command": format!("{}{seconds}", line("cursor")), "timeout": 60, "failClosed": true })
    );
    assert_eq!(json("windsurf")["hooks"].as_object().unwrap().len(), 4);
    assert!(json("antigravity")["rules"]["PreToolUse"].is_array());
    assert_eq!(
        text("kimi", 0),
        "[[hooks]]\nevent = \"PreToolUse\"\ncommand = \"'/b c/rules' hook kimi --scope user --timeout 60 --state-dir=/s || \
         exit 2\"\ntimeout = 60\n"
    );
}
