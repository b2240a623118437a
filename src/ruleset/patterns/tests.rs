//! Encoding and decoding lists of patterns.

use std::path::Path;

use super::*;
use crate::wire::{DamageFlag, read_as, to_bytes};
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::glob::Fit;
use hookrules_shell::programs::ReplaceableRecords;
use hookrules_shell::{StartDirectories, analyse};

const LIST: &[&str] = &[
    "git push (--force|--mirror)",
    "git reset --hard",
    "(curl|wget) *",
    "python* -m http.server",
    "git clean *",
    "ls *",
    "source x",
];

const RECORD: &str = "names = [\"mycli\", \"other\"]\nreading = \"leading\"\n[[command]]\nnames = [\"show\"]\n";

fn list(texts: &[&str], programs: &Programs) -> Patterns {
    Patterns::new(texts.iter().map(|text| Pattern::with_programs(text, programs).unwrap()).collect())
}

fn read(bytes: &[u8]) -> (Result<Patterns, DamagedImage>, DamageFlag) {
    let damage = DamageFlag::default();
    (read_as(bytes, &damage), damage)
}

fn command(text: &str) -> SimpleCommand {
    let analysis = analyse(text, &StartDirectories { cwd: Path::new("/project"), home: None });
    analysis.commands.into_iter().next().unwrap()
}

/// Returns the texts of the patterns that may match a command, given these words.
fn meant(patterns: &Patterns, text: &str, words: WordBits) -> Vec<String> {
    let mut meant = Vec::new();
    patterns.fit(command(text).possible_program(), words, |pattern| {
        meant.push(pattern.text().to_owned());
        Fit::No
    });
    meant
}

#[test]
fn a_list_is_read_back_as_it_was_written() {
    let written = list(LIST, &Programs::new());
    let (read, damage) = read(&to_bytes(&written));
    let read = read.unwrap();
    assert!(read.iter().eq(written.iter()) && read.count() == LIST.len());
    assert!(read.iter().map(Pattern::text).eq(LIST.iter().copied()));
    assert_eq!(to_bytes(&read), to_bytes(&written));
    assert_eq!(damage.check(), Ok(()));
}

#[test]
fn only_those_of_a_program_are_looked_at() {
    for patterns in [list(LIST, &Programs::new()), read(&to_bytes(&list(LIST, &Programs::new()))).0.unwrap()] {
        for (text, expected) in [
            ("ls", &["python* -m http.server", "ls *"][..]),
            ("git status", &[LIST[0], LIST[1], LIST[3], LIST[4]]),
            ("git-push", &[LIST[0], LIST[1], LIST[3], LIST[4]]),
            (". x", &[LIST[3], "source x"]),
            ("$X push", LIST),
            ("X=1", &[]),
        ] {
            assert_eq!(meant(&patterns, text, WordBits::ANY), expected, "{text}");
        }
        // Only the patterns of the subcommand may match these, and those that require no word.
        for (text, expected) in [
            ("git status", &["python* -m http.server"][..]),
            ("git push -f", &[LIST[0], "python* -m http.server"]),
            ("git $X", &[LIST[0], LIST[1], LIST[3], LIST[4]]),
            ("curl x", &["(curl|wget) *", "python* -m http.server"]),
            ("ls", &["python* -m http.server", "ls *"]),
        ] {
            assert_eq!(meant(&patterns, text, command(text).word_bits()), expected, "{text}");
        }
        assert!(
            patterns.is_any_named_in(&"os.system('git push')".to_owned().into())
                && !patterns.is_any_named_in(&"print('push')".to_owned().into())
        );
    }
}

#[test]
fn the_records_of_a_list_are_written_once_and_each_pattern_has_its_own() {
    let mut programs = Programs::new();
    programs.read(&[("mycli.toml".to_owned(), RECORD.to_owned())], ReplaceableRecords::Nothing).unwrap();
    let written = list(&["mycli show", "mycli x", "git push", "other show", "*"], &programs);
    let bytes = to_bytes(&written);
    let names = b"\x05mycli\x05other";
    assert_eq!(bytes.windows(names.len()).filter(|bytes| bytes == names).count(), 1);
    let read = read(&bytes).0.unwrap();
    assert!(read.iter().eq(written.iter()));
    let has_records: Vec<bool> = read.iter().map(|pattern| !pattern.programs().is_empty()).collect();
    assert_eq!(has_records, [true, true, false, true, true]);
    assert_eq!(read.programs(), written.programs());
}

#[test]
fn a_list_that_is_cut_off_is_damaged() {
    let bytes = to_bytes(&list(LIST, &Programs::new()));
    for end in 0..bytes.len() {
        assert!(read(&bytes[..end]).0.is_err(), "cut at {end}");
    }
}

#[test]
fn what_cannot_be_read_of_a_list_is_reported() {
    let whole = list(LIST, &Programs::new());
    let groups = whole.groups.bytes();
    // The list claims to be complete: its contents are truncated, or too long.
    let changed = (0..groups.len()).map(|end| groups[..end].to_vec()).chain([[groups, &[0, 1, 0]].concat()]);
    for groups in changed {
        let length = groups.len();
        let bytes = to_bytes(&Patterns { groups: EncodedPiece::new(groups), ..whole.clone() });
        let (read, damage) = read(&bytes);
        let Ok(read) = read else { continue };
        assert_eq!(damage.check(), Ok(()), "not looked at yet");
        let _any = read.iter().count();
        assert_eq!(damage.check(), Err(DamagedImage), "{length}");
    }
}

#[test]
fn no_changed_byte_is_a_panic() {
    let whole = to_bytes(&list(LIST, &Programs::new()));
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut changed = whole.clone();
            changed[at] ^= 1 << bit;
            let (read, damage) = read(&changed);
            let Ok(read) = read else { continue };
            let fits: Vec<Fit> = read.iter().map(|pattern| pattern.runs(&command("git push --force"))).collect();
            assert!(damage.check().is_err() || fits.len() == read.count(), "bit {bit} of {at}: {fits:?}");
        }
    }
}
