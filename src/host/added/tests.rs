//! Which records are refused, and where their mistakes are.

use super::*;

/// The smallest record of a host that can deny.
const RECORD: &str = "title = \"Acme\"\n[events.PreToolUse]\ndeny = { stderr = \"$reason\", exit = 2 }\n";

/// Returns the messages about a record, each with the text that it is about.
fn mistakes(name: &str, text: &str) -> Vec<(String, String)> {
    let added = AddedHost::read(name, text);
    added.mistakes().map(|(at, message)| (text.get(at).unwrap().to_owned(), message.to_owned())).collect()
}

/// Returns the text of a file of the built-in records.
#[expect(clippy::disallowed_methods, reason = "reads the built-in records")]
fn built_in_file(name: &str) -> String {
    std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("hosts").join(name)).unwrap()
}

#[test]
fn every_built_in_record_uses_the_names_of_the_schema() {
    let vocabulary = RecordVocabulary { plugin: |name| Some(built_in_file(name)), ..VOCABULARY };
    let mut read = 0;
    for host in Host::built_in() {
        let text = built_in_file(&format!("{}.toml", host.name()));
        let (record, mistakes) = read_record(host.name(), &text, vocabulary);
        assert_eq!(mistakes, [], "{}", host.name());
        assert_eq!(record, *host.record(), "{}", host.name());
        read += 1;
    }
    assert_eq!(read, RECORDS.len());
}

#[test]
fn a_name_is_a_word_that_no_host_has() {
    assert_eq!(mistakes("acme", RECORD), []);
    assert_eq!(mistakes("acme-2", RECORD), []);
    for name in ["codex", "Codex", "CLAUDE-CODE"] {
        let found = mistakes(name, RECORD);
        assert!(found.iter().any(|(_, message)| message.contains("is a built-in host")), "{name}: {found:?}");
    }
    for name in ["", "Acme", "2acme", "-acme", "ac me", "acme.toml", "acmé", "all"] {
        let found = mistakes(name, RECORD);
        assert!(found.iter().any(|(_, message)| message.contains("cannot be the name")), "{name}: {found:?}");
    }
}

#[test]
fn a_mistake_has_its_place() {
    for (text, place, message) in [
        ("title = \"Acme\"\n", "", "needs `[events]`"),
        ("[events]\nPreToolUse = { deny = {} }\n", "", "needs a `title`"),
        ("title = \"A\"\nevents = { Stop = {}, stop = {} }\n", "stop", "unknown event `stop`"),
        ("title = \"A\"\ntools = { Shell = {} }\nevents = { Stop = {} }\n", "Shell", "unknown tool `Shell`"),
        ("title = \"A\"\nunsent = [\"cwdd\"]\nevents = { Stop = {} }\n", "\"cwdd\"", "no event has a field `cwdd`"),
        ("title = \"A\"\nevents = { PreToolUse = {} }\n", "{ PreToolUse = {} }", "no `deny`"),
        (
            "title = \"A\"\nencoding = \"streams\"\nevents = { PreToolUse = { deny = { exit = 2 } } }\n",
            "{ PreToolUse = { deny = { exit = 2 } } }",
            "each answer is `{}`",
        ),
        (
            "title = \"A\"\nevents = { Stop = {} }\nsettings.entry = { a = \"$command\" }\nsettings.user = { file = \"../a\" }\n",
            "{ file = \"../a\" }",
            "relative to the home",
        ),
        ("title = \"A\"\nevents = { Stop = {} }\nsize = 1\n", "size", "unknown key `size`"),
        ("title = A\nevents = { Stop = {} }\n", "A", ""),
    ] {
        let found = mistakes("acme", text);
        assert!(
            found.iter().any(|(at, about)| at == place && about.contains(message)),
            "{text}: {place}, {message}: {found:?}"
        );
    }
}

#[test]
fn a_text_is_read_once() {
    let host = || AddedHost::read("acme", RECORD).host();
    assert_eq!(host(), host());
    assert!(host().capabilities(Event::PreToolUse).is_some_and(|can| can.deny && !can.ask));
}
