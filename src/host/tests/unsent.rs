//! Compares the fields that the records say are never sent with the captured payloads.
#![expect(clippy::disallowed_methods, reason = "reads fixtures")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::host::{DecodedPayload, Host, decode};

/// The fields of the schema on the captured events of a host.
#[derive(Default)]
struct CapturedFields {
    /// The fields that any of the events can have.
    known: BTreeSet<&'static str>,
    /// Those that a payload has.
    sent: BTreeSet<&'static str>,
}

/// Returns the fields in the captured payloads, by the name of the host.
fn captured() -> BTreeMap<&'static str, CapturedFields> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/payloads/others");
    let mut captured: BTreeMap<&'static str, CapturedFields> = BTreeMap::new();
    for directory in fs::read_dir(root).unwrap() {
        let directory = directory.unwrap();
        let name = directory.file_name().into_string().unwrap();
        let host = Host::all().find(|host| name.starts_with(&format!("{}-", host.name()))).unwrap();
        let fields = captured.entry(host.name()).or_default();
        for file in fs::read_dir(directory.path()).unwrap() {
            let bytes = fs::read(file.unwrap().path()).unwrap();
            let DecodedPayload::Event { payload, .. } = decode(host, &bytes) else { continue };
            for field in payload.event.fields().map(|field| field.name) {
                fields.known.insert(field);
                if payload.member(field).is_some_and(|value| !value.is_null() && value != "") {
                    fields.sent.insert(field);
                }
            }
        }
    }
    captured
}

#[test]
fn a_field_is_unsent_if_no_captured_payload_has_it() {
    let mut wrong = String::new();
    for (name, CapturedFields { known, sent }) in captured() {
        let stated: BTreeSet<&str> = Host::from_name(name).unwrap().record().unsent.iter().copied().collect();
        let seen: BTreeSet<&str> = known.difference(&sent).copied().collect();
        if stated != seen {
            wrong.push_str(&format!("{name}: unsent = {seen:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "the captured payloads say:\n{wrong}");
}
