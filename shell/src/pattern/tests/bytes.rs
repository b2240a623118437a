//! The binary form of patterns.

use super::*;
use crate::programs::{Programs, ReplaceableRecords};
use proptest::prelude::*;

const EACH_KIND: &[&str] = &[
    "git push (--force|--mirror)",
    "(curl|wget) !--proxy=* -o=*.[!0-9a] x[]-]? \\*\\? -- a b !*",
    "python* -m (http.server|é*) *",
    "npm run test:(a|b) !(-x|--y) --",
];

/// Reads a pattern back from its bytes.
pub(super) fn read_back(pattern: &Pattern) -> Option<Pattern> {
    Pattern::decode(&bytes_of(pattern), pattern.programs().clone())
}

fn bytes_of(pattern: &Pattern) -> Vec<u8> {
    let mut bytes = Vec::new();
    pattern.encode(&mut bytes);
    bytes
}

#[test]
fn a_pattern_is_read_back_as_it_was_written() {
    EACH_KIND.iter().for_each(|text| drop(pattern(text)));
}

#[test]
fn the_records_of_a_pattern_are_given_with_its_bytes() {
    let record = "names = [\"mycli\"]\nreading = \"leading\"\n[[command]]\nnames = [\"show\"]\n";
    let mut programs = Programs::new();
    programs.read(&[("mycli.toml".to_owned(), record.to_owned())], ReplaceableRecords::Nothing).unwrap();
    let pattern = Pattern::with_programs("mycli show *", &programs).unwrap();
    assert_eq!(read_back(&pattern).as_ref(), Some(&pattern));
}

#[test]
fn what_is_cut_off_or_goes_on_is_no_pattern() {
    for text in EACH_KIND {
        let whole = bytes_of(&Pattern::new(text).unwrap());
        for end in 0..whole.len() {
            assert_eq!(Pattern::decode(&whole[..end], Programs::new()), None, "{text}, cut at {end}");
        }
        assert_eq!(Pattern::decode(&[&whole[..], &[0]].concat(), Programs::new()), None, "{text}");
    }
}

#[test]
fn whatever_a_changed_byte_makes_can_be_asked() {
    for text in EACH_KIND {
        let whole = bytes_of(&Pattern::new(text).unwrap());
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[at] ^= 1 << bit;
                let Some(pattern) = Pattern::decode(&changed, Programs::new()) else { continue };
                for command in ["git push --force x", "curl -o a.o x]é *? -- a b", "python3 -m http.server $X"] {
                    let (command, roots) = (simple(command), roots());
                    let _any = (
                        pattern.runs(&command),
                        pattern.runs_only(&command, &roots),
                        pattern.is_named_in(&"git".to_owned().into()),
                    );
                }
                assert_eq!(read_back(&pattern).as_ref(), Some(&pattern), "{text}, bit {bit} of {at}");
            }
        }
    }
}

proptest! {
    #[test]
    fn every_pattern_is_read_back(text in "(git|p\\*|ls)( (-{0,2}[a-c*?\\[\\]!é=\\\\-]{0,5}|\\(a\\|b\\)|!--x|--|\\*)){0,5}") {
        if let Ok(read) = Pattern::new(&text) {
            let back = read_back(&read);
            prop_assert_eq!(back.as_ref().map(Pattern::text), Some(text.as_str()));
            prop_assert_eq!(back, Some(read));
        }
    }

    #[test]
    fn no_bytes_panic(bytes: Vec<u8>) {
        let _any = Pattern::decode(&bytes, Programs::new());
    }
}
