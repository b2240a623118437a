//! Tests of records that a policy adds to the table.

use proptest::prelude::*;

use crate::argv::{parse_argv, parse_argv_with};
use crate::programs::{Programs, ReplaceableRecords, WordSyntax, program};
use crate::word::Word;

/// Returns a set with the program of one record. The record is in a file that has the first name in the text.
fn added(text: &str, replaces: ReplaceableRecords) -> Programs {
    let name = text.split(['\'', '"']).nth(1).unwrap_or_default();
    let mut programs = Programs::new();
    let left_out = programs.read(&[(format!("{name}.toml"), text.to_owned())], replaces).unwrap();
    assert!(left_out.is_empty() || programs.is_empty());
    programs
}

fn words(text: &str) -> Vec<Word> {
    text.split(' ').map(Word::text).collect()
}

#[test]
fn a_record_is_kept_once() {
    const RECORD: &str = "names = ['tool', 'other']\n[options]\nflag = ['-f']";
    let (one, other) = (added(RECORD, ReplaceableRecords::Nothing), added(RECORD, ReplaceableRecords::BuiltIn));
    assert_eq!(one, other);
    assert!(std::ptr::eq(one.program("tool").unwrap(), other.program("other").unwrap()));
    let again = Programs::from_records(one.records().cloned());
    assert!(std::ptr::eq(again.program("tool").unwrap(), one.program("tool").unwrap()));
    let changed = added(&RECORD.replace("-f", "-g"), ReplaceableRecords::Nothing);
    assert_ne!(one, changed);
    let mut both = one.clone();
    both.extend(&changed);
    assert!(std::ptr::eq(both.program("tool").unwrap(), one.program("tool").unwrap()), "the first counts");
}

#[test]
fn a_name_of_the_table_is_taken_where_it_may_not_be_replaced() {
    for (name, is_taken) in [
        ("git", true),
        ("git-push", true),
        ("python3.12", true),
        ("gcc-13", true),
        ("git2", false),
        ("git-unheard-of", false),
        ("tool", false),
    ] {
        let record = format!("names = ['{name}']\nreading = 'operands'");
        assert_eq!(added(&record, ReplaceableRecords::Nothing).is_empty(), is_taken, "{name}");
        let programs = added(&record, ReplaceableRecords::BuiltIn);
        assert_eq!(programs.program(name).map(|program| program.reading), Some(WordSyntax::Operands), "{name}");
    }
}

#[test]
fn a_version_in_the_name_does_not_take_the_place_of_another_program() {
    let programs = added(
        "names = ['base', 'tool']\nversioned = ['base', 'tool']\nreading = 'operands'",
        ReplaceableRecords::Nothing,
    );
    for (name, expected) in [("base", true), ("base64", false), ("base65", true), ("tool-1.2", true), ("tools", false)]
    {
        let is_added =
            parse_argv_with(&words(name), &programs).table().is_some_and(|table| table.names.contains(&"base"));
        assert_eq!(is_added, expected, "{name}");
    }
}

#[test]
fn a_record_that_takes_the_place_of_another_takes_from_it() {
    let record = "names = ['git']\nlike = 'git'\nshares = ['git *']\n[options]\nvalue = ['--mine']\n\
                  [[command]]\nnames = ['mine']\nlike = 'git push'";
    let programs = added(record, ReplaceableRecords::BuiltIn);
    let (ours, theirs) = (program("git").unwrap(), programs.program("git").unwrap());
    assert!(!std::ptr::eq(ours, theirs) && theirs.option("--mine").is_some());
    assert_eq!((theirs.reading, theirs.unlisted), (ours.reading, ours.unlisted));
    for option in ours.all_options() {
        assert_eq!(theirs.option(option.name()), Some(option));
    }
    let own = ours.commands.iter().map(|command| (command.names[0], command.names[0]));
    for (name, of) in own.chain([("mine", "push")]) {
        let (of, command) = (ours.command(of).unwrap(), theirs.command(name).unwrap());
        let options = || of.all_options().zip(command.all_options());
        assert!(options().all(|(one, other)| one == other), "{name}");
        assert_eq!(options().count(), of.all_options().count(), "{name}");
    }
}

#[test]
fn what_the_records_do_not_name_is_read_as_before() {
    let programs =
        added("names = ['tool']\nunlisted = 'alias'\n[[command]]\nnames = ['show']", ReplaceableRecords::Nothing);
    for text in ["git -C x push --force", "unheard-of -f x", "git-push x", "tools show", "tool2 show"] {
        let words = words(text);
        assert_eq!(format!("{:?}", parse_argv_with(&words, &programs)), format!("{:?}", parse_argv(&words)), "{text}");
    }
    assert_eq!(parse_argv_with(&words("tool-show x"), &programs).subcommand_in_name, Some("show"));
}

/// Generates a piece of a record, which may be valid or not.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("names = ['tool']\n".to_owned()),
        Just("like = 'tool'\n".to_owned()),
        Just("like = 'git push'\n".to_owned()),
        Just("shares = ['git *', 'tool a', 'tool']\n".to_owned()),
        Just("with = ['s']\neach = ['s']\n".to_owned()),
        Just("[set.s]\nflag = ['-s']\n".to_owned()),
        Just("[options]\n".to_owned()),
        Just("both = [{ names = '-a', means = ['-s'] }]\n".to_owned()),
        Just("[[command]]\nnames = ['a', 'b']\n".to_owned()),
        Just("[[command.command]]\nshares = ['tool a']\n".to_owned()),
        "[a-z]{1,6} = (\\[\\]|'-?-?[a-z,=#]{0,3}'|\\['-{0,3}[a-z]?'\\])\n",
        "\\PC{0,8}\n",
    ]
}

proptest! {
    #[test]
    fn no_record_makes_the_reader_fail(pieces in prop::collection::vec(piece(), 0..12), command in "tool( -?-?[as=]{1,3}){0,4}") {
        let text = pieces.concat();
        let mut programs = Programs::new();
        let read = programs.read(&[("tool.toml".to_owned(), text.clone())], ReplaceableRecords::Nothing);
        let mistakes = match &read {
            Ok(_) => &[][..],
            Err(mistakes) => {
                prop_assert!(programs.is_empty() && !mistakes.is_empty());
                mistakes.as_slice()
            }
        };
        for mistake in mistakes {
            prop_assert!(text.get(mistake.span()).is_some(), "{mistake}");
            prop_assert!(!mistake.message().is_empty() && !mistake.help().is_empty());
        }
        let words = words(&command);
        let argv = parse_argv_with(&words, &programs);
        prop_assert_eq!(argv.words.len(), words.len());
    }
}
