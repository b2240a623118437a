//! Parses the arguments of `set`: options and positional parameters.

use crate::nested::{OptionSign, has_letter, option_name};
use crate::word::Word;

/// The names of the options of `set` that have no letter.
const LETTERLESS_OPTIONS: &[&str] =
    &["emacs", "history", "ignoreeof", "interactive-comments", "nolog", "pipefail", "posix", "vi"];

/// The parsed arguments of `set`.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct SetOptions<'w> {
    /// The names of the options in order, each with its sign.
    pub named: Vec<(&'w str, OptionSign)>,
    pub positional: PositionalChange,
}

/// How a `set` changes the positional parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PositionalChange {
    /// The current ones are kept.
    Kept,
    /// The words from this index on are the new ones.
    From(usize),
    /// It is unknown: a word may be an option, or not every shell has an option.
    Unclear,
}

impl<'w> SetOptions<'w> {
    /// Parses the arguments of `set`. An `o` among the letters takes the next word as the name of an option, unless
    /// that word is an option too.
    pub(super) fn parse(words: &[&'w Word]) -> Self {
        let mut parsed = Self { named: Vec::new(), positional: PositionalChange::Kept };
        let mut index = 0;
        while let Some(word) = words.get(index) {
            let text = word.prefix();
            let sign = match text.chars().next() {
                Some('-') => OptionSign::Sets,
                Some('+') => OptionSign::Unsets,
                None if !word.parts.is_empty() => return Self { positional: PositionalChange::Unclear, ..parsed },
                _ => return Self { positional: PositionalChange::From(index), ..parsed },
            };
            let Some(letters) = word.known_text().and_then(|text| text.get(1..)) else {
                return Self { positional: PositionalChange::Unclear, ..parsed };
            };
            index += 1;
            match text {
                "--" => return Self { positional: PositionalChange::From(index), ..parsed },
                // A `-` unsets `-x` and `-v`, and ends the options. If it is the last word, the parameters are kept.
                "-" => {
                    let positional =
                        if index < words.len() { PositionalChange::From(index) } else { PositionalChange::Kept };
                    return Self { positional, ..parsed };
                }
                _ => {}
            }
            for letter in letters.chars() {
                let name = if letter == 'o' {
                    match words.get(index).map(|word| word.known_text()) {
                        Some(Some(name)) if name.is_empty() || name.starts_with(['-', '+']) => continue,
                        Some(name) => {
                            index += 1;
                            name.filter(|name| LETTERLESS_OPTIONS.contains(name) || has_letter(name))
                        }
                        // A lone `-o` lists the options.
                        None => continue,
                    }
                } else {
                    option_name(letter)
                };
                match name {
                    Some(name) => parsed.named.push((name, sign)),
                    None => parsed.positional = PositionalChange::Unclear,
                }
            }
            if parsed.positional == PositionalChange::Unclear {
                return parsed;
            }
        }
        parsed
    }
}
