//! What holds for the record of every host, and its answers to every event and effect, byte by byte.
#![expect(clippy::disallowed_methods, reason = "reads fixtures")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::conformance::{EFFECTS, answerable, row, verdict};
use crate::host::record::{AnswerForm, AnswerValue, HostEncoding, HostEvent};
use crate::host::{DecodedPayload, Host, HostOutput, answered_row, decode, encode};
use crate::schema::{Capability, Event, TOOLS};
use crate::types::PayloadOrigin;
use crate::verdict::Decision;

/// Returns the rows of a host's table: each event that it sends, under each of its names that is answered otherwise, with
/// each effect that a policy can have there.
fn rows(host: Host) -> Vec<String> {
    let mut rows = Vec::new();
    for event in Event::ALL {
        for stated in host.record().events.iter().filter(|row| row.event == event.name()) {
            let name = stated.names.first().filter(|name| **name != stated.event).map(|name| (*name).to_owned());
            let origin = PayloadOrigin { event: name, ..PayloadOrigin::default() };
            for effect in EFFECTS.iter().filter(|effect| answerable(*event, effect)) {
                rows.push(row(host, &origin, *event, effect));
            }
        }
    }
    rows
}

#[test]
fn every_answer_of_every_host_is_the_one_in_its_table() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/host");
    let bless = std::env::var_os("RULES_BLESS").is_some();
    for host in Host::all() {
        let path = directory.join(format!("{}.conformance", host.name()));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let head: String =
            text.split_inclusive('\n').take_while(|line| line.starts_with('#') || *line == "\n").collect();
        let now = rows(host).join("\n") + "\n";
        if bless && text != format!("{head}{now}") {
            let head = if head.is_empty() {
                format!("# What {} is told, as in claude-code.conformance.\n\n", host.title())
            } else {
                head
            };
            std::fs::write(&path, format!("{head}{now}")).unwrap();
            continue;
        }
        assert_eq!(text.strip_prefix(&*head).unwrap_or_default(), now, "{}: `RULES_BLESS=1` writes it", host.name());
    }
}

/// Returns the answers of an event with their names.
fn forms(row: &HostEvent) -> Vec<(&'static str, AnswerForm)> {
    let forms = [
        ("deny", row.deny),
        ("ask", row.ask),
        ("allow", row.allow),
        ("halt", row.halt),
        ("context", row.context),
        ("rewrite", row.rewrite),
        ("output", row.output),
        ("warn", row.warn),
        ("exit_2", row.exit_2),
        ("interrupt", row.interrupt),
    ];
    forms.into_iter().filter_map(|(name, form)| Some((name, form?))).collect()
}

#[test]
fn every_record_names_what_is_in_the_schema() {
    for host in Host::all() {
        let record = host.record();
        assert!(record.wait > 0, "{host:?} has no `wait`");
        assert!(!record.measured.is_empty() || !record.documented.is_empty(), "{host:?} has no source");
        let mut named = BTreeSet::new();
        for row in record.events {
            let event = Event::from_name(row.event).unwrap_or_else(|| panic!("{host:?}: no event {}", row.event));
            for name in row.names {
                assert!(named.insert(*name), "{host:?}: two events are called {name}");
            }
            let fields: BTreeSet<&str> = event.fields().map(|field| field.name).collect();
            for source in row.members.iter().chain(record.members) {
                let known = fields.contains(source.member)
                    || Event::ALL.iter().any(|event| event.fields().any(|field| field.name == source.member));
                assert!(known, "{host:?}: no field {}", source.member);
            }
            let possible = event.spec().answers;
            for answer in Capability::ALL.iter().filter(|answer| **answer != Capability::Warn) {
                let carries = row.capabilities().has_capability(*answer);
                assert!(!carries || possible.has_capability(*answer), "{host:?} {} {}", row.event, answer.keyword());
            }
        }
        for tool in record.tools {
            // A patch becomes an Edit or a Write.
            let is_known = tool.tool == "apply_patch" || TOOLS.iter().any(|known| known.name == tool.tool);
            assert!(is_known, "{host:?}: no tool {}", tool.tool);
        }
    }
}

/// Whether the members of an answer have a place for a text of the verdict.
fn has_slot(members: &[(&str, AnswerValue)]) -> bool {
    members.iter().any(|(_, value)| match value {
        AnswerValue::Slot(_) => true,
        AnswerValue::Members(members) => has_slot(members),
        AnswerValue::Text(_) | AnswerValue::Flag(_) => false,
    })
}

#[test]
fn every_denial_has_a_reason_and_every_text_a_place() {
    for host in Host::all().filter(|host| host.record().encoding == HostEncoding::Forms) {
        for row in host.record().events {
            for (name, form) in forms(row) {
                let has_place = has_slot(form.json) || form.stdout.is_some() || form.stderr.is_some();
                let may_be_silent = matches!(name, "ask" | "allow" | "interrupt");
                assert!(has_place || may_be_silent, "{host:?} {} {name}", row.event);
            }
        }
    }
}

/// The effects that stop an action, each with what is certain to be in the answer.
const STOPPING: &[(&str, &str)] = &[("deny", "No: "), ("halt", "Stop.")];

#[test]
fn what_stops_an_action_is_told_with_any_other_effect() {
    for host in Host::all() {
        let denies = |event: &Event| host.event(*event).is_some_and(|row| row.deny.is_some());
        for event in [Event::PreToolUse, Event::PermissionRequest].into_iter().filter(denies) {
            for (stopping, reason) in STOPPING {
                for other in EFFECTS.iter().filter(|other| !matches!(**other, "halt" | "path")) {
                    let verdict = verdict(event, &format!("{stopping}+{other}"));
                    let output = encode(host, &verdict);
                    // Quotes are escaped in JSON.
                    let told = output.stdout.contains(reason) || output.stderr.contains(reason);
                    assert!(told, "{host:?} {} {stopping}+{other}: {output:?}", event.name());
                }
            }
        }
    }
}

#[test]
fn what_a_host_cannot_carry_is_the_next_stricter_answer() {
    for host in Host::all() {
        if host.event(Event::PreToolUse).is_none_or(|row| row.deny.is_none()) {
            continue;
        }
        let row = answered_row(host.record(), &PayloadOrigin::default(), Event::PreToolUse);
        let silent = encode(host, &verdict(Event::PreToolUse, "nothing"));
        for (effect, is_carried) in [("ask", row.ask.is_some()), ("rewrite", row.rewrite.is_some())] {
            let output = encode(host, &verdict(Event::PreToolUse, effect));
            assert_ne!(output, silent, "{host:?} {effect}");
            let denied = encode(host, &verdict(Event::PreToolUse, "deny"));
            let members = |output: &HostOutput| -> Vec<String> {
                let answer: Json = serde_json::from_str(&output.stdout).unwrap_or_default();
                answer.as_object().into_iter().flat_map(|members| members.keys().cloned()).collect()
            };
            let is_denied = output.exit == denied.exit && members(&output) == members(&denied);
            assert!(is_denied || is_carried, "{host:?} {effect}: {output:?}");
        }
    }
}

#[test]
fn standard_output_is_empty_or_one_object_where_forms_are_sent() {
    for host in Host::all().filter(|host| host.record().encoding == HostEncoding::Forms) {
        for event in Event::ALL.iter().filter(|event| host.event(**event).is_some_and(|row| !row.is_path_read)) {
            for one in EFFECTS {
                for other in EFFECTS {
                    let verdict = verdict(*event, &format!("{one}+{other}"));
                    let output = encode(host, &verdict);
                    let is_text = host.event(*event).unwrap().context.is_some_and(|form| form.stdout.is_some());
                    let is_object = serde_json::from_str::<Json>(&output.stdout).is_ok_and(|it| it.is_object());
                    assert!(output.stdout.is_empty() || is_object || is_text, "{host:?} {one}+{other}: {output:?}");
                    // No host was told to go on by a code that others read as a failure.
                    assert!(matches!(output.exit, 0 | 2), "{host:?}");
                    let decision = verdict.decision();
                    assert!(decision < Decision::Deny || output.stdout != "{}", "{host:?} {one}+{other}");
                }
            }
        }
    }
}

/// Adds the texts of the Rust files below a directory, without their tests.
fn add_code(directory: &Path, texts: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            add_code(&path, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
            texts.push((path, code));
        }
    }
}

#[test]
fn no_code_asks_which_host_it_is() {
    let mut texts = Vec::new();
    for directory in ["src/host", "src/host_settings/agents", "src/cli/install", "src/cli/doctor"] {
        add_code(&Path::new(env!("CARGO_MANIFEST_DIR")).join(directory), &mut texts);
    }
    assert!(texts.len() > 20);
    for host in Host::all().filter(|host| *host != Host::CLAUDE_CODE) {
        let name = format!("\"{}\"", host.name());
        let named: Vec<&PathBuf> =
            texts.iter().filter(|(_, text)| text.contains(&name)).map(|(path, _)| path).collect();
        assert!(named.is_empty(), "{host:?} is in {named:?}");
    }
}

#[test]
fn every_host_can_be_installed_or_says_why_not() {
    for host in Host::all() {
        let reasons = [host.not_called(), host.not_installable()].into_iter().flatten().count();
        let is_first = host == Host::CLAUDE_CODE;
        let ways = usize::from(is_first) + reasons + usize::from(host.settings().is_some());
        assert_eq!(ways, 1, "{host:?}");
        let found_by = host.programs().len().min(host.directories().len());
        assert!(found_by > 0, "{host:?} is found by nothing");
        let Some(settings) = host.settings() else { continue };
        assert!(settings.user.is_some(), "{host:?}");
        // A host that reads streams shows the user a text by exit code 1, which must not become a denial.
        let has_other_codes = host.record().encoding == HostEncoding::Streams;
        assert!(!(has_other_codes && settings.is_closed_by_exit_2), "{host:?}");
        let sentences = [settings.user, settings.project].into_iter().flatten().filter_map(|place| place.trust);
        for sentence in sentences.chain(settings.limit) {
            assert!(sentence.ends_with('.'), "{host:?}: {sentence}");
        }
        for (event, names) in settings.event_names {
            assert!(Event::from_name(event).is_some_and(|event| host.sends(event)), "{host:?}: {event}");
            for name in *names {
                assert_eq!(host.event_registered_as(name).map(Event::name), Some(*event), "{host:?} {name}");
            }
        }
        for event in Event::ALL.iter().filter(|event| host.sends(**event)) {
            for name in host.registered_names(*event) {
                assert_eq!(host.event_registered_as(name), Some(*event), "{host:?} {name}");
            }
        }
        assert!(!host.registered_names(Event::PreToolUse).is_empty(), "{host:?}");
    }
}

#[test]
fn the_sample_of_every_host_is_a_whole_call() {
    for host in Host::all() {
        let sample = host.sample_call("/p").unwrap_or_else(|| panic!("{host:?}"));
        let DecodedPayload::Event { payload, damage } = decode(host, sample.to_string().as_bytes()) else {
            panic!("{host:?}: {sample}");
        };
        assert_eq!((payload.event, damage), (Event::PreToolUse, None), "{host:?}: {sample}");
        assert_eq!(payload.origin.agent, None, "{host:?}: {sample}");
        let tool = payload.tool_name().map(str::to_owned);
        let row = host.event(Event::PreToolUse).unwrap();
        let expected = row.tools.first().copied().unwrap_or("RulesDoctor");
        assert_eq!(tool.as_deref(), Some(expected), "{host:?}: {sample}");
    }
}
