//! The phrasebook: what authors who know another language write, and its equivalent in the policy language.
//!
//! The rows are in `grammar/phrases/*.toml`; the build script checks them and generates the table. This module finds
//! rows, and reports nothing.

mod place;

pub use place::PhrasePlace;

/// A row of the phrasebook for one foreign text. An entry in the files that lists several texts becomes several rows.
#[derive(Debug)]
pub struct Phrase {
    /// The foreign text, in the form that [`PhrasePlace::folded`] returns.
    pub written: &'static str,
    /// The equivalent in the policy language; empty if there is no single equivalent.
    pub means: &'static str,
    /// The advice to the author, if `means` is not enough; else empty.
    pub help: &'static str,
    /// The reason why a condition cannot test this fact; else empty.
    pub label: &'static str,
    /// The command that determines the fact, as the string literal of a `run`; else empty.
    pub run: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/phrases.rs"));

/// Returns the rows for a place in a policy, sorted by their foreign text.
#[must_use]
pub fn phrases_of_place(place: PhrasePlace) -> &'static [Phrase] {
    PhrasePlace::ALL.iter().zip(TABLE).find(|((other, _), _)| *other == place).map_or(&[], |(_, rows)| rows)
}

/// Returns the row for a foreign text, in any spelling that the place treats as equal; `None` if there is none.
#[must_use]
pub fn find_phrase(place: PhrasePlace, written: &str) -> Option<&'static Phrase> {
    let (rows, folded) = (phrases_of_place(place), place.folded(written));
    rows.binary_search_by(|row| row.written.cmp(folded.as_str())).ok().and_then(|at| rows.get(at))
}

/// Returns the equivalent of a foreign text; `None` if there is no row or no single equivalent.
#[must_use]
pub fn meaning(place: PhrasePlace, written: &str) -> Option<&'static str> {
    find_phrase(place, written).map(|row| row.means).filter(|means| !means.is_empty())
}

/// Whether a word is superfluous in its position: `form` is the word with its neighbour, such as `then $effect`.
#[must_use]
pub fn says_nothing(form: &str) -> bool {
    find_phrase(PhrasePlace::Filler, form).is_some()
}

/// Returns the row for a dotted name: for the whole name, else for its last segment (`*.size`), else for its first
/// segment (`now.*`).
#[must_use]
pub fn find_name_phrase(place: PhrasePlace, name: &str) -> Option<&'static Phrase> {
    let (first, last) = (name.split('.').next().unwrap_or(name), name.rsplit('.').next().unwrap_or(name));
    find_phrase(place, name)
        .or_else(|| find_phrase(place, &format!("*.{last}")))
        .or_else(|| find_phrase(place, &format!("{first}.*")))
}

#[cfg(test)]
mod tests;
