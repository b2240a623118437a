//! Parses the arguments of `set`: options and positional parameters.

use crate::nested::{OptionSign, has_letter, option_name};
use crate::word::Word;

/// The names of options that have no letter.
const NAMES: &[&str] = &["emacs", "history", "ignoreeof", "interactive-comments", "nolog", "pipefail", "posix", "vi"];

/// The parsed arguments of `set`.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct SetOptions<'w> {
    /// The names of the options, with their signs, in order.
    pub named: Vec<(&'w str, OptionSign)>,
    pub positional: PositionalChange,
}

/// How a `set` changes the positional parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PositionalChange {
    /// They are kept.
    Kept,
    /// They are the words from this index on.
    From(usize),
    /// Unknown: a word may be an option, or an option is not in every shell.
    Unclear,
}

impl<'w> SetOptions<'w> {
    /// Parses the arguments of `set`. An `o` among the letters takes the next word as the name of an option, unless
    /// that word is an option too.
    pub(super) fn parse(words: &[&'w Word]) -> Self {
        let mut found = Self { named: Vec::new(), positional: PositionalChange::Kept };
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let text = word.prefix();
            let sign = match text.chars().next() {
                Some('-') => OptionSign::Sets,
                Some('+') => OptionSign::Unsets,
                None if !word.parts.is_empty() => return Self { positional: PositionalChange::Unclear, ..found },
                _ => return Self { positional: PositionalChange::From(at), ..found },
            };
            let Some(letters) = word.known_text().and_then(|text| text.get(1..)) else {
                return Self { positional: PositionalChange::Unclear, ..found };
            };
            at += 1;
            match text {
                "--" => return Self { positional: PositionalChange::From(at), ..found },
                // A `-` unsets `-x` and `-v` and ends the options. As the last word, it keeps the parameters.
                "-" => {
                    let positional = if at < words.len() { PositionalChange::From(at) } else { PositionalChange::Kept };
                    return Self { positional, ..found };
                }
                _ => {}
            }
            for letter in letters.chars() {
                let name = if letter == 'o' {
                    match words.get(at).map(|word| word.known_text()) {
                        Some(Some(name)) if name.is_empty() || name.starts_with(['-', '+']) => continue,
                        Some(name) => {
                            at += 1;
                            name.filter(|name| NAMES.contains(name) || has_letter(name))
                        }
                        // A lone `-o` lists the options.
                        None => continue,
                    }
                } else {
                    option_name(letter)
                };
                match name {
                    Some(name) => found.named.push((name, sign)),
                    None => found.positional = PositionalChange::Unclear,
                }
            }
            if found.positional == PositionalChange::Unclear {
                return found;
            }
        }
        found
    }
}
