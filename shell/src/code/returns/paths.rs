//! Computes returned paths: joined ones, parents and last components, the home and the working directory.

use super::super::CodeLanguage;
use super::super::arguments::LibraryCall;
use super::super::evaluate::{Evaluator, NodeRef, computed_reason};
use super::super::library::ArgumentRef;
use super::super::library::returned::ReturnedPath;
use super::super::state::join_paths;
use super::super::value::{CodeValue, DataOrigin};
use crate::word::{Cause, Unknown, ValueSource, Word, WordPart};

impl Evaluator<'_> {
    /// Returns a path, or a part of one.
    pub(super) fn returned_path(&mut self, call: LibraryCall<'_>, path: ReturnedPath) -> CodeValue {
        match path {
            ReturnedPath::New => CodeValue::Path(self.joined_arguments(call)),
            ReturnedPath::Joined => match call.this {
                Some(CodeValue::Path(_)) => CodeValue::Path(self.joined_arguments(call)),
                _ => CodeValue::Text(self.joined_arguments(call), DataOrigin::Computed),
            },
            ReturnedPath::Parent(argument) => self.path_return(call.at, call.argument(argument), parent_word),
            ReturnedPath::ParentPath => match call.this {
                Some(CodeValue::Path(path)) => CodeValue::Path(parent_word(path)),
                _ => CodeValue::COMPUTED,
            },
            ReturnedPath::Last(argument) => self.path_return(call.at, call.argument(argument), last_word),
            ReturnedPath::Expanded(argument) => self.expand_home(call.at, call.argument(argument)),
            ReturnedPath::ExpandedIn(path, directory) => self.expand_home_in(call, path, directory),
            ReturnedPath::Absolute(argument) => match call.argument(argument) {
                Some(CodeValue::Path(word)) => CodeValue::Path(self.state.path_from_start(&word)),
                Some(CodeValue::Text(word, origin)) => CodeValue::Text(self.state.path_from_start(&word), origin),
                _ => CodeValue::COMPUTED,
            },
            ReturnedPath::Home => CodeValue::Text(self.home(), DataOrigin::Computed),
            ReturnedPath::HomePath => CodeValue::Path(self.home()),
            ReturnedPath::Directory => CodeValue::Text(self.directory(), DataOrigin::Computed),
            ReturnedPath::DirectoryPath => CodeValue::Path(self.directory()),
            ReturnedPath::WithName => match (call.this, call.given.positional.first()) {
                (Some(CodeValue::Path(path)), Some(name)) => {
                    CodeValue::Path(join_paths(&parent_word(path), &self.word(name, call.at)))
                }
                _ => CodeValue::COMPUTED,
            },
            ReturnedPath::WithSuffix => self.with_suffix(call),
            ReturnedPath::Temporary => CodeValue::Path(temporary()),
            ReturnedPath::TemporaryFile => CodeValue::File(temporary()),
        }
    }

    /// Joins the receiver and all arguments to one path.
    fn joined_arguments(&self, call: LibraryCall<'_>) -> Word {
        let mut path = call.this.map(|this| self.word(this, call.at)).unwrap_or_default();
        for value in call.given.positional.iter().filter(|value| !matches!(value, CodeValue::Dictionary(_))) {
            let part = self.word(value, call.at);
            // Ruby's `File.join("a", "/b")` is `a/b`.
            let part = match self.language {
                CodeLanguage::Ruby if !path.parts.is_empty() && call.this.is_none() => {
                    part.strip_prefix("/").unwrap_or(part)
                }
                _ => part,
            };
            path = join_paths(&path, &part);
        }
        if path.parts.is_empty() { Word::text(".") } else { path }
    }

    /// Returns the part of a path that `select` selects, as a text; unknown data if the value is neither a text nor a
    /// path.
    fn path_return(&self, at: NodeRef, value: Option<CodeValue>, select: fn(&Word) -> Word) -> CodeValue {
        match value {
            Some(value @ (CodeValue::Text(..) | CodeValue::Path(_))) => {
                CodeValue::Text(select(&self.word(&value, at)), value.origin())
            }
            Some(value) => CodeValue::Data(value.origin()),
            None => CodeValue::COMPUTED,
        }
    }

    /// Expands `~` at the beginning of a path. The home directory of another account (`~user`) is unknown.
    fn expand_home(&self, at: NodeRef, value: Option<CodeValue>) -> CodeValue {
        let Some(value) = value else { return CodeValue::COMPUTED };
        let word = self.word(&value, at);
        let expanded = match word.prefix() {
            "~" if word.known_text().is_some() => self.home(),
            start if start.starts_with("~/") => {
                word.strip_prefix("~/").map_or(word.clone(), |rest| join_paths(&self.home(), &rest))
            }
            start if start.starts_with('~') => Word::unknown(computed_reason(&self.source(at))),
            _ => word.clone(),
        };
        match value {
            CodeValue::Path(_) => CodeValue::Path(expanded),
            _ => CodeValue::Text(expanded, DataOrigin::Computed),
        }
    }

    /// Expands `~` at the beginning of a path, and joins the path to a directory if there is one: Ruby's
    /// `File.expand_path`.
    fn expand_home_in(&self, call: LibraryCall<'_>, path: ArgumentRef, directory: ArgumentRef) -> CodeValue {
        let path = self.expand_home(call.at, call.argument(path));
        match call.argument(directory) {
            Some(directory @ (CodeValue::Text(..) | CodeValue::Path(_))) => {
                let word = join_paths(&self.word(&directory, call.at), &self.word(&path, call.at));
                CodeValue::Text(word, DataOrigin::Computed)
            }
            _ => path,
        }
    }

    /// Returns the receiver with the extension in the first argument. If either is unknown, the result is an unknown
    /// path in the same directory.
    fn with_suffix(&self, call: LibraryCall<'_>) -> CodeValue {
        match (call.this.and_then(CodeValue::known_text), call.given.positional.first().and_then(CodeValue::known_text))
        {
            (Some(path), Some(extension)) => {
                let (start, name) = path.rsplit_once('/').map_or(("", path), |(start, name)| (start, name));
                let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                let start = if start.is_empty() { String::new() } else { format!("{start}/") };
                CodeValue::Path(Word::text(format!("{start}{stem}{extension}")))
            }
            _ => match call.this {
                Some(CodeValue::Path(path)) => {
                    CodeValue::Path(self.path_below(&parent_word(path), &self.source(call.at)))
                }
                _ => CodeValue::COMPUTED,
            },
        }
    }

    /// Returns the home directory: the value of `HOME` that the program set, or else the account's home.
    fn home(&self) -> Word {
        let set_by_program = self
            .state
            .environment
            .iter()
            .rev()
            .find(|variable| variable.name == "HOME")
            .and_then(|variable| variable.value.clone());
        let of_account = || self.environment.home().map(Word::text);
        set_by_program.or_else(of_account).unwrap_or_else(|| Word::unknown(computed_reason("home")))
    }

    /// Returns the working directory, which the program may have changed.
    fn directory(&self) -> Word {
        let start = self.environment.directory().map(Word::text);
        let start = start.unwrap_or_else(|| Word::text("."));
        match &self.state.directory {
            Some(directory) => join_paths(&start, directory),
            None => start,
        }
    }
}

/// Returns the path of a new temporary file.
fn temporary() -> Word {
    let why = Unknown::with_source(Cause::Output, "mktemp", ValueSource::Any);
    let mut word = Word::text("/tmp/");
    word.push(Word::unknown(Unknown { source: ValueSource::RandomLetters(8), ..why }).parts.remove(0));
    word
}

/// Returns the parent directory of a path, as a text value.
pub(in super::super) fn parent(path: &Word) -> CodeValue {
    CodeValue::Text(parent_word(path), DataOrigin::Computed)
}

/// Returns the parent directory of a path. For a path that is not fully known, `..` is appended.
pub(in super::super) fn parent_word(path: &Word) -> Word {
    match path.known_text() {
        Some(path) => match path.trim_end_matches('/').rsplit_once('/') {
            Some(("", _)) => Word::text("/"),
            Some((parent, _)) => Word::text(parent),
            None => Word::text("."),
        },
        None => join_paths(path, &Word::text("..")),
    }
}

/// Returns the last component of a path; unknown if the path is not fully known.
pub(in super::super) fn last_word(path: &Word) -> Word {
    match path.known_text() {
        Some(path) => Word::text(path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()),
        None => match path.parts.last() {
            // The last component of an unknown path below a directory is an unknown file name.
            Some(WordPart::Unknown(unknown)) if unknown.reason.source == ValueSource::BelowDirectory => {
                Word::unknown(Unknown { source: ValueSource::Name, ..unknown.reason.clone() })
            }
            _ => Word::unknown(path.unknown_reason().unwrap_or_else(|| computed_reason(""))),
        },
    }
}
