//! The files that a search in a directory finds.

use super::super::arguments::LibraryCall;
use super::super::evaluate::{At, Evaluator};
use super::super::library::At as Place;
use super::super::library::returned::FoundFiles;
use super::super::ruby::BLOCK;
use super::super::shortened;
use super::super::state::joined;
use super::super::value::{Origin, Value};
use super::origin_of_all;
use crate::word::{Cause, Part, Source, Unknown, Word};

impl Evaluator<'_> {
    pub(super) fn found_files(&mut self, call: LibraryCall<'_>, files: FoundFiles) -> Value {
        match files {
            FoundFiles::Names => Value::each(self.names_in_directory(call)),
            FoundFiles::Below(place) => Value::each(Value::Path(self.below_argument(call, place))),
            FoundFiles::Walk(place) => self.walked(call, place),
            FoundFiles::Matches(place, pattern) => {
                let directory = self.here_or(call.argument(place), call.at);
                Value::each(Value::Path(match call.known(pattern) {
                    Some(pattern) if !pattern.contains("**") => joined(&directory, &globbed(&pattern)),
                    pattern => self.found(&directory, pattern.as_deref(), call.at),
                }))
            }
            FoundFiles::MatchesBelow(place, pattern) => {
                let directory = self.here_or(call.argument(place), call.at);
                Value::each(Value::Path(self.found(&directory, call.known(pattern).as_deref(), call.at)))
            }
            FoundFiles::Glob(place) => Value::each(self.matches_of(call, place)),
        }
    }

    fn names_in_directory(&self, call: LibraryCall<'_>) -> Value {
        // With options the results may not be plain names.
        match call.given.plain.len() < 2 && call.given.named.iter().all(|(name, _)| **name == *BLOCK) {
            true => self.file_name(call.at),
            false => Value::Data(origin_of_all(call)),
        }
    }

    fn walked(&mut self, call: LibraryCall<'_>, place: Place) -> Value {
        let below = self.below_argument(call, place);
        let below = match call.argument(place) {
            Some(Value::Path(_)) => Value::Path(below),
            _ => Value::Text(below, Origin::Computed),
        };
        let names = Value::each(self.file_name(call.at));
        Value::each(self.new_list(vec![below, names.clone(), names]))
    }

    /// Returns the paths that match a glob.
    fn matches_of(&self, call: LibraryCall<'_>, place: Place) -> Value {
        let Some(pattern) = call.known(place) else { return Value::COMPUTED };
        let paths = if !pattern.contains("**") && call.given.named("root_dir").is_none() {
            globbed(&pattern)
        } else {
            let start = pattern.split("**").next().unwrap_or_default();
            let start = Word::text(if start.is_empty() { "." } else { start.trim_end_matches('/') });
            self.found(&start, Some(&pattern), call.at)
        };
        Value::Text(paths, Origin::Computed)
    }

    /// Returns a path below a directory, or below the working directory.
    fn below_argument(&self, call: LibraryCall<'_>, place: Place) -> Word {
        self.below(&self.here_or(call.argument(place), call.at), &self.source(call.at))
    }

    /// Returns the given directory, or the working directory.
    fn here_or(&self, directory: Option<Value>, at: At) -> Word {
        directory.map_or_else(|| Word::text("."), |directory| self.word(&directory, at))
    }

    /// Returns a path that a pattern finds below a directory: its end is the pattern, or the part of it after a `**`.
    fn found(&self, directory: &Word, pattern: Option<&str>, at: At) -> Word {
        let mut word = self.below(directory, &self.source(at));
        let end = pattern.map(|pattern| pattern.rsplit("**").next().unwrap_or_default().trim_start_matches('/'));
        let end = end.filter(|end| !end.contains(['[', '{', '!']));
        globbed(end.unwrap_or_default()).parts.into_iter().for_each(|part| word.push(part));
        word
    }

    /// Returns an unknown file name.
    fn file_name(&self, at: At) -> Value {
        let why = Unknown::of(Cause::Glob, shortened(&self.source(at)), Source::Name);
        Value::Text(Word::unknown(why), Origin::Computed)
    }
}

/// Returns a pattern as a word with globs.
fn globbed(pattern: &str) -> Word {
    let mut word = Word::default();
    let mut text = String::new();
    for c in pattern.chars() {
        if matches!(c, '*' | '?') {
            word.push(Part::Text(std::mem::take(&mut text)));
            word.push(Part::Glob(c.to_string()));
        } else {
            text.push(c);
        }
    }
    word.push(Part::Text(text));
    word
}
