//! Returned paths: joined ones, parents and last components, the home and the working directory.

use super::super::Language;
use super::super::arguments::LibraryCall;
use super::super::evaluate::{At, Evaluator, computed};
use super::super::library::At as Place;
use super::super::library::returned::ReturnedPath;
use super::super::state::joined;
use super::super::value::{Origin, Value};
use crate::word::{Cause, Part, Source, Unknown, Word};

impl Evaluator<'_> {
    pub(super) fn returned_path(&mut self, call: LibraryCall<'_>, path: ReturnedPath) -> Value {
        match path {
            ReturnedPath::New => Value::Path(self.joined_arguments(call)),
            ReturnedPath::Joined => match call.this {
                Some(Value::Path(_)) => Value::Path(self.joined_arguments(call)),
                _ => Value::Text(self.joined_arguments(call), Origin::Computed),
            },
            ReturnedPath::Parent(place) => self.of_path(call.at, call.argument(place), parent_word),
            ReturnedPath::ParentPath => match call.this {
                Some(Value::Path(path)) => Value::Path(parent_word(path)),
                _ => Value::COMPUTED,
            },
            ReturnedPath::Last(place) => self.of_path(call.at, call.argument(place), last_word),
            ReturnedPath::Expanded(place) => self.expanded(call.at, call.argument(place)),
            ReturnedPath::ExpandedIn(path, directory) => self.expanded_in(call, path, directory),
            ReturnedPath::Absolute(place) => match call.argument(place) {
                Some(Value::Path(word)) => Value::Path(self.state.anchored(&word)),
                Some(Value::Text(word, origin)) => Value::Text(self.state.anchored(&word), origin),
                _ => Value::COMPUTED,
            },
            ReturnedPath::Home => Value::Text(self.home(), Origin::Computed),
            ReturnedPath::HomePath => Value::Path(self.home()),
            ReturnedPath::Directory => Value::Text(self.directory(), Origin::Computed),
            ReturnedPath::DirectoryPath => Value::Path(self.directory()),
            ReturnedPath::WithName => match (call.this, call.given.plain.first()) {
                (Some(Value::Path(path)), Some(name)) => {
                    Value::Path(joined(&parent_word(path), &self.word(name, call.at)))
                }
                _ => Value::COMPUTED,
            },
            ReturnedPath::WithSuffix => self.with_suffix(call),
            ReturnedPath::Temporary => Value::Path(temporary()),
        }
    }

    /// Joins the receiver and all arguments to one path.
    fn joined_arguments(&self, call: LibraryCall<'_>) -> Word {
        let mut path = call.this.map(|this| self.word(this, call.at)).unwrap_or_default();
        for value in call.given.plain.iter().filter(|value| !matches!(value, Value::Keys(_))) {
            let part = self.word(value, call.at);
            // `File.join` and the like ignore a leading slash.
            let part = match self.language {
                Language::Ruby if !path.parts.is_empty() && call.this.is_none() => part.after("/").unwrap_or(part),
                _ => part,
            };
            path = joined(&path, &part);
        }
        if path.parts.is_empty() { Word::text(".") } else { path }
    }

    fn of_path(&self, at: At, value: Option<Value>, part: fn(&Word) -> Word) -> Value {
        match value {
            Some(value @ (Value::Text(..) | Value::Path(_))) => {
                Value::Text(part(&self.word(&value, at)), value.origin())
            }
            Some(value) => Value::Data(value.origin()),
            None => Value::COMPUTED,
        }
    }

    /// Expands `~` at the beginning of a path.
    fn expanded(&self, at: At, value: Option<Value>) -> Value {
        let Some(value) = value else { return Value::COMPUTED };
        let word = self.word(&value, at);
        let expanded = match word.prefix() {
            "~" if word.known().is_some() => self.home(),
            start if start.starts_with("~/") => {
                word.after("~/").map_or(word.clone(), |rest| joined(&self.home(), &rest))
            }
            start if start.starts_with('~') => Word::unknown(computed(&self.source(at))),
            _ => word.clone(),
        };
        match value {
            Value::Path(_) => Value::Path(expanded),
            _ => Value::Text(expanded, Origin::Computed),
        }
    }

    fn expanded_in(&self, call: LibraryCall<'_>, path: Place, directory: Place) -> Value {
        let path = self.expanded(call.at, call.argument(path));
        match call.argument(directory) {
            Some(directory @ (Value::Text(..) | Value::Path(_))) => {
                let word = joined(&self.word(&directory, call.at), &self.word(&path, call.at));
                Value::Text(word, Origin::Computed)
            }
            _ => path,
        }
    }

    fn with_suffix(&self, call: LibraryCall<'_>) -> Value {
        match (call.this.and_then(Value::known), call.given.plain.first().and_then(Value::known)) {
            (Some(path), Some(end)) => {
                let (start, name) = path.rsplit_once('/').map_or(("", path), |(start, name)| (start, name));
                let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                let start = if start.is_empty() { String::new() } else { format!("{start}/") };
                Value::Path(Word::text(format!("{start}{stem}{end}")))
            }
            _ => match call.this {
                Some(Value::Path(path)) => Value::Path(self.below(&parent_word(path), &self.source(call.at))),
                _ => Value::COMPUTED,
            },
        }
    }

    fn home(&self) -> Word {
        let own = self.state.environment.iter().rev().find(|one| one.name == "HOME").and_then(|one| one.value.clone());
        let known = || self.outside.home().map(Word::text);
        own.or_else(known).unwrap_or_else(|| Word::unknown(computed("home")))
    }

    fn directory(&self) -> Word {
        let began = self.outside.directory().map(Word::text);
        let began = began.unwrap_or_else(|| Word::text("."));
        match &self.state.directory {
            Some(directory) => joined(&began, directory),
            None => began,
        }
    }
}

/// Returns the path of a new temporary file.
fn temporary() -> Word {
    let why = Unknown::of(Cause::Output, "mktemp", Source::Any);
    let mut word = Word::text("/tmp/");
    word.push(Word::unknown(Unknown { source: Source::Letters(8), ..why }).parts.remove(0));
    word
}

/// Returns the parent directory of a path as a value.
pub(in super::super) fn parent(path: &Word) -> Value {
    Value::Text(parent_word(path), Origin::Computed)
}

/// Returns the parent directory of a path.
pub(in super::super) fn parent_word(path: &Word) -> Word {
    match path.known() {
        Some(path) => match path.trim_end_matches('/').rsplit_once('/') {
            Some(("", _)) => Word::text("/"),
            Some((parent, _)) => Word::text(parent),
            None => Word::text("."),
        },
        None => joined(path, &Word::text("..")),
    }
}

/// Returns the last component of a path.
pub(in super::super) fn last_word(path: &Word) -> Word {
    match path.known() {
        Some(path) => Word::text(path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()),
        None => match path.parts.last() {
            // Whatever is found there, this is its name.
            Some(Part::Unknown(found)) if found.why.source == Source::Below => {
                Word::unknown(Unknown { source: Source::Name, ..found.why.clone() })
            }
            _ => Word::unknown(path.why().unwrap_or_else(|| computed(""))),
        },
    }
}
