//! The phrasebook: what authors write who know another language, and what it means in this one.
//!
//! The rows are in `grammar/phrases/*.toml`; the build script checks them and makes the table. This module finds rows,
//! and reports nothing.

mod place;

pub use place::PhrasePlace;

/// A row of the phrasebook, for one of the spellings that it lists.
#[derive(Debug)]
pub struct Phrase {
    /// The foreign text, in the form that [`PhrasePlace::folded`] returns.
    pub written: &'static str,
    /// What it means in this language; empty if no single form does.
    pub means: &'static str,
    /// What to do instead, where `means` does not say it all; else empty.
    pub help: &'static str,
    /// Why it is not known here; else empty.
    pub label: &'static str,
    /// The command that finds it out, as the string of a `run`; else empty.
    pub run: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/phrases.rs"));

/// Returns the rows of a place, sorted by what is written.
#[must_use]
pub fn phrases_of_place(place: PhrasePlace) -> &'static [Phrase] {
    PhrasePlace::ALL.iter().zip(TABLE).find(|((other, _), _)| *other == place).map_or(&[], |(_, rows)| rows)
}

/// Returns the row for a text as it is written.
#[must_use]
pub fn find_phrase(place: PhrasePlace, written: &str) -> Option<&'static Phrase> {
    let (rows, folded) = (phrases_of_place(place), place.folded(written));
    rows.binary_search_by(|row| row.written.cmp(folded.as_str())).ok().and_then(|at| rows.get(at))
}

/// Returns what a text means.
#[must_use]
pub fn meaning(place: PhrasePlace, written: &str) -> Option<&'static str> {
    find_phrase(place, written).map(|row| row.means).filter(|means| !means.is_empty())
}

/// Whether a word says nothing in a form like `then $effect`.
#[must_use]
pub fn says_nothing(form: &str) -> bool {
    find_phrase(PhrasePlace::Filler, form).is_some()
}

/// Returns the row for a dotted name: for all of it, else for its last segment (`*.size`), else for its first one
/// (`now.*`).
#[must_use]
pub fn find_name_phrase(place: PhrasePlace, name: &str) -> Option<&'static Phrase> {
    let (first, last) = (name.split('.').next().unwrap_or(name), name.rsplit('.').next().unwrap_or(name));
    find_phrase(place, name)
        .or_else(|| find_phrase(place, &format!("*.{last}")))
        .or_else(|| find_phrase(place, &format!("{first}.*")))
}

#[cfg(test)]
mod tests;
