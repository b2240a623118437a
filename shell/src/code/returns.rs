//! Return values of calls.

use std::rc::Rc;

use super::Language;
use super::call::{Given, any_of};
use super::commands::{is_url, origin_of};
use super::decode::{base64, decoded, hex};
use super::evaluate::{At, Elements, Evaluator, computed};
use super::javascript;
use super::library::Gives;
use super::operators::bounded;
use super::ruby::BLOCK;
use super::state::joined;
use super::value::{Held, Origin, Value};
use crate::word::{Cause, Part, Source, Unknown, Word};

impl Evaluator<'_> {
    /// Evaluates the return value of a call.
    pub(super) fn gives(&mut self, at: At, gives: Gives, this: Option<&Value>, given: &Given) -> Value {
        let argument = |place| self.given(place, this, given);
        match gives {
            Gives::Data | Gives::Names => {
                let origin = given.plain.iter().chain(this).map(Value::origin).max();
                match gives {
                    // With options the results may not be plain names.
                    Gives::Names if given.plain.len() < 2 && given.named.iter().all(|(name, _)| **name == *BLOCK) => {
                        Value::each(self.file_name(at))
                    }
                    Gives::Names => Value::each(Value::Data(origin.unwrap_or(Origin::Computed))),
                    _ => Value::Data(origin.unwrap_or(Origin::Computed)),
                }
            }
            Gives::Nothing => Value::Nothing,
            Gives::Object => Value::Object,
            Gives::Arguments => Value::each(any_of(self.arguments())),
            Gives::Same(place) => argument(place).unwrap_or(Value::Data(Origin::Computed)),
            Gives::Text(place) => argument(place).map_or(Value::Data(Origin::Computed), Value::into_text),
            Gives::Path => self.joined(at, this, given, Value::Path),
            Gives::Joined => {
                let is_path = matches!(this, Some(Value::Path(_)));
                let make = |word| if is_path { Value::Path(word) } else { Value::Text(word, Origin::Computed) };
                self.joined(at, this, given, make)
            }
            Gives::Parent(place) => self.of_path(at, argument(place), parent_word),
            Gives::Last(place) => self.of_path(at, argument(place), last_word),
            Gives::Expanded(place) => self.expanded(at, argument(place)),
            Gives::Absolute(place) => match argument(place) {
                Some(Value::Path(word)) => Value::Path(self.state.anchored(&word)),
                Some(Value::Text(word, origin)) => Value::Text(self.state.anchored(&word), origin),
                _ => Value::Data(Origin::Computed),
            },
            Gives::Home => Value::Text(self.home(), Origin::Computed),
            Gives::HomePath => Value::Path(self.home()),
            Gives::Directory => Value::Text(self.directory(), Origin::Computed),
            Gives::DirectoryPath => Value::Path(self.directory()),
            Gives::Below(place) => {
                Value::each(Value::Path(self.below(&self.here_or(argument(place), at), &self.source(at))))
            }
            Gives::Walk(place) => {
                let directory = argument(place);
                let below = self.below(&self.here_or(directory.clone(), at), &self.source(at));
                let below = match directory {
                    Some(Value::Path(_)) => Value::Path(below),
                    _ => Value::Text(below, Origin::Computed),
                };
                let names = Value::each(self.file_name(at));
                let one = self.new_list(vec![below, names.clone(), names]);
                Value::each(one)
            }
            Gives::Matches(place, pattern) | Gives::MatchesBelow(place, pattern) => {
                let is_here = matches!(gives, Gives::Matches(..));
                let directory = self.here_or(argument(place), at);
                Value::each(Value::Path(match argument(pattern).as_ref().and_then(Value::known) {
                    Some(pattern) if is_here && !pattern.contains("**") => joined(&directory, &globbed(pattern)),
                    pattern => self.found(&directory, pattern, at),
                }))
            }
            Gives::Glob(place) => match argument(place).as_ref().and_then(Value::known) {
                Some(pattern) if !pattern.contains("**") && given.named("root_dir").is_none() => {
                    Value::each(Value::Text(globbed(pattern), Origin::Computed))
                }
                Some(pattern) => {
                    let start = pattern.split("**").next().unwrap_or_default();
                    let start = Word::text(if start.is_empty() { "." } else { start.trim_end_matches('/') });
                    Value::each(Value::Text(self.found(&start, Some(pattern), at), Origin::Computed))
                }
                None => Value::each(Value::Data(Origin::Computed)),
            },
            Gives::File(_) | Gives::Contents(_) => self.of_file(at, gives, this, given),
            Gives::Input => match self.outside.input() {
                Some(word) => Value::Text(word, Origin::Input),
                None => Value::Data(Origin::Input),
            },
            Gives::Archive => Value::Archive,
            Gives::Lines => Value::each(Value::Data(Origin::File)),
            Gives::Network => Value::Data(Origin::Network),
            Gives::Variable(name, other) => match argument(name).as_ref().and_then(Value::known) {
                Some(name) => {
                    let word = self.outside.variable(name);
                    match (word.why(), argument(other)) {
                        (Some(_), Some(other)) => Value::Text(word, Origin::Computed).or(other),
                        _ => Value::Text(word, Origin::Computed),
                    }
                }
                None => Value::Data(Origin::Computed),
            },
            Gives::Loader => Value::Library("require".into()),
            Gives::Module(place) => match argument(place).as_ref().and_then(Value::known).map(str::to_owned) {
                Some(name) if self.language == Language::Ruby => self.library(&name),
                Some(name) if self.is_python() => {
                    // For `a.b` it is `a`, except for `import_module`, which returns the whole name.
                    self.library(&name)
                }
                Some(name) if name.starts_with("data:") => {
                    self.load_data(at, &name);
                    Value::Object
                }
                Some(name) if name.starts_with(['.', '/']) => {
                    self.load(&["", ".js", ".cjs", ".mjs", ".json", "/index.js"].map(|end| format!("{name}{end}")));
                    Value::Object
                }
                Some(name) => self.library(&javascript::library(&name)),
                None => Value::Dynamic,
            },
            Gives::MemberOf(object, name) => {
                let name = argument(name).as_ref().and_then(Value::known).map(str::to_owned);
                match (argument(object), name) {
                    (Some(object), Some(name)) => self.member(&object, &name),
                    (Some(object), None) if !object.may_act() => Value::Data(Origin::Computed),
                    _ => Value::Dynamic,
                }
            }
            Gives::Anything => self.evaluated.take().unwrap_or(Value::Dynamic),
            Gives::Made => {
                let value = self.evaluated.take().unwrap_or(Value::Dynamic);
                Value::Method("function.of".into(), Rc::new(value))
            }
            Gives::Then(function) => match (argument(function), this) {
                (Some(function), Some(this)) => self.call(at, &function, &Given::of(vec![this.clone()])),
                _ => Value::Data(Origin::Computed),
            },
            Gives::Temporary => {
                let why = Unknown::of(crate::word::Cause::Output, "mktemp", Source::Any);
                let mut word = Word::text("/tmp/");
                word.push(Word::unknown(Unknown { source: Source::Letters(8), ..why }).parts.remove(0));
                Value::Path(word)
            }
            Gives::List(place) => match argument(place) {
                Some(value) => match self.elements(&value) {
                    Elements::Known(values) => self.new_list(values),
                    Elements::Some(value) => Value::each(value),
                },
                None => self.new_list(Vec::new()),
            },
            Gives::Mapped(function, over) => {
                let (function, over) = (argument(function), argument(over));
                self.mapped(at, function, over)
            }
            Gives::Filtered(function, over) => {
                let (function, over) = (argument(function), argument(over).unwrap_or(Value::Data(Origin::Computed)));
                self.mapped(at, function.clone(), Some(over.clone()));
                function.map_or(over.clone(), |function| self.chosen(&function, over))
            }
            Gives::Partial => match given.plain.first() {
                // Call it with the arguments bound so far; later ones follow them.
                Some(function) => {
                    let rest =
                        Given { plain: given.plain.iter().skip(1).cloned().collect(), is_open: true, ..given.clone() };
                    self.call(at, &function.clone(), &rest);
                    Value::Data(Origin::Computed)
                }
                None => Value::Data(Origin::Computed),
            },
            Gives::Receiver => self.named("self"),
            Gives::Formatted => self.formatted(at, this, given),
            Gives::JoinedBy(by, list) => {
                let (by, list) = (argument(by), argument(list));
                self.joined_by(at, by, list)
            }
            Gives::Replaced => {
                let texts = (this.and_then(Value::known), given.plain.first().and_then(Value::known));
                match (texts, given.plain.get(1).and_then(Value::known)) {
                    ((Some(text), Some(from)), Some(to)) if !from.is_empty() => {
                        let text = text.replace(from, to);
                        bounded(Word::text(text), this.map_or(Origin::Computed, Value::origin))
                    }
                    _ => Value::Data(this.map_or(Origin::Computed, Value::origin)),
                }
            }
            Gives::Stripped => match (this, given.plain.is_empty()) {
                (Some(Value::Text(word, origin)), true) if word.known().is_some() => {
                    Value::Text(Word::text(word.known().unwrap_or_default().trim()), *origin)
                }
                // Leading and trailing blanks of a partly known text do not matter in a path.
                (Some(value @ Value::Text(..)), true) => value.clone(),
                (this, _) => Value::Data(this.map_or(Origin::Computed, Value::origin)),
            },
            Gives::Split => {
                let text = this.and_then(Value::known).map(str::to_owned);
                let by = given.plain.first().map(|by| by.known().map(str::to_owned));
                let parts: Option<Vec<Value>> = match (text, by) {
                    (Some(text), None) => Some(text.split_whitespace().map(Value::text).collect()),
                    (Some(text), Some(Some(by))) if !by.is_empty() => Some(text.split(&*by).map(Value::text).collect()),
                    _ => None,
                };
                match parts {
                    Some(parts) => self.new_list(parts),
                    None => Value::each(Value::Data(this.map_or(Origin::Computed, Value::origin))),
                }
            }
            Gives::ShellWords(place) => {
                let text = argument(place);
                match text.as_ref().and_then(Value::known).and_then(shell_words) {
                    Some(words) => self.new_list(words.into_iter().map(Value::text).collect()),
                    None => Value::each(Value::Data(text.map_or(Origin::Computed, |text| text.origin()))),
                }
            }
            Gives::Base64(place) => decoded(argument(place), base64),
            Gives::Hex(place) => decoded(argument(place), hex),
            Gives::Decoded(..)
            | Gives::Percent(_)
            | Gives::FilePath(_)
            | Gives::Url(..)
            | Gives::Json(_)
            | Gives::Assigned
            | Gives::Line => self.gives_text(gives, this, given),
            Gives::ExpandedIn(..)
            | Gives::ParentPath
            | Gives::PathOf(_)
            | Gives::One(_)
            | Gives::Shifted
            | Gives::Popped
            | Gives::ShiftedOf(_)
            | Gives::PoppedOf(_)
            | Gives::EachValue(_)
            | Gives::EachItem(_)
            | Gives::Opened
            | Gives::Spliced
            | Gives::OpenedMode
            | Gives::Flattened(_)
            | Gives::KeysOf(_)
            | Gives::OfArguments
            | Gives::Filled(_)
            | Gives::Packed(..) => self.results(at, gives, this, given),
            Gives::Pushed => self.pushed(this, given),
            Gives::Got => {
                let key = given.plain.first().cloned().unwrap_or(Value::Nothing);
                let value = this.map(|this| self.index(this, &key));
                let value = value.unwrap_or(Value::Data(Origin::Computed));
                given.plain.get(1).map_or(value.clone(), |other| value.or(other.clone()))
            }
            Gives::Values | Gives::Items => {
                let held = match this {
                    Some(Value::Keys(place)) => self.state.held(*place).cloned(),
                    _ => None,
                };
                match (held, gives) {
                    (Some(Held::Keys(keys)), Gives::Values) => self.new_list(keys.into_values().collect()),
                    (Some(Held::Keys(keys)), _) => {
                        let pairs: Vec<(Rc<str>, Value)> = keys.into_iter().collect();
                        let pairs =
                            pairs.into_iter().map(|(key, value)| self.new_list(vec![Value::text(&*key), value]));
                        let pairs = pairs.collect();
                        self.new_list(pairs)
                    }
                    (Some(Held::Any(any)), _) => Value::each(any),
                    _ => Value::each(Value::Data(Origin::Computed)),
                }
            }
            Gives::WithName => match (this, given.plain.first()) {
                (Some(Value::Path(path)), Some(name)) => Value::Path(joined(&parent_word(path), &self.word(name, at))),
                _ => Value::Data(Origin::Computed),
            },
            Gives::WithSuffix => match (this.and_then(Value::known), given.plain.first().and_then(Value::known)) {
                (Some(path), Some(end)) => {
                    let (start, name) = path.rsplit_once('/').map_or(("", path), |(start, name)| (start, name));
                    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                    let start = if start.is_empty() { String::new() } else { format!("{start}/") };
                    Value::Path(Word::text(format!("{start}{stem}{end}")))
                }
                _ => match this {
                    Some(Value::Path(path)) => Value::Path(self.below(&parent_word(path), &self.source(at))),
                    _ => Value::Data(Origin::Computed),
                },
            },
            Gives::Range => match given.plain.as_slice() {
                [Value::Number(count)] if (0..=64).contains(count) => {
                    let values = (0..*count).map(Value::Number).collect();
                    self.new_list(values)
                }
                _ => Value::each(Value::Data(Origin::Computed)),
            },
        }
    }

    /// Returns an opened file or the contents of a file.
    fn of_file(&mut self, at: At, gives: Gives, this: Option<&Value>, given: &Given) -> Value {
        // In these languages opening takes only files.
        let is_file = matches!(self.language, Language::Python | Language::JavaScript);
        match gives {
            Gives::File(place) => match self.given(place, this, given) {
                Some(Value::Number(_)) | None => Value::Data(Origin::File),
                Some(value) if is_file => Value::File(self.word(&value, at)),
                Some(value) => self.opened(self.word(&value, at)),
            },
            Gives::Contents(place) => match self.given(place, this, given) {
                Some(Value::Text(url, _)) if is_url(url.prefix()) => Value::Data(origin_of(&url)),
                Some(Value::Text(name, _)) if name.known() == Some("php://stdin") => {
                    self.gives(at, Gives::Input, None, given)
                }
                Some(Value::Library(name)) if &*name == "STDIN" => self.gives(at, Gives::Line, None, given),
                Some(Value::File(path) | Value::Path(path) | Value::Text(path, _)) => {
                    let path = self.state.anchored(&path);
                    let text = self.outside.file(&path);
                    text.map_or(Value::Data(Origin::File), |text| Value::Text(text, Origin::File))
                }
                Some(value) => Value::Data(value.origin().max(Origin::File)),
                None => Value::Data(Origin::File),
            },
            _ => Value::Data(Origin::File),
        }
    }

    /// Joins the receiver and all arguments to one path.
    fn joined(&mut self, at: At, this: Option<&Value>, given: &Given, make: impl Fn(Word) -> Value) -> Value {
        let mut path = this.map(|this| self.word(this, at)).unwrap_or_default();
        for value in &given.plain {
            if let Value::Keys(_) = value {
                continue;
            }
            let part = self.word(value, at);
            // `File.join` and the like ignore a leading slash.
            let part = match self.language {
                Language::Ruby if !path.parts.is_empty() && this.is_none() => part.after("/").unwrap_or(part),
                _ => part,
            };
            path = joined(&path, &part);
        }
        make(if path.parts.is_empty() { Word::text(".") } else { path })
    }

    fn of_path(&mut self, at: At, value: Option<Value>, part: fn(&Word) -> Word) -> Value {
        match value {
            Some(value @ (Value::Text(..) | Value::Path(_))) => {
                Value::Text(part(&self.word(&value, at)), value.origin())
            }
            Some(value) => Value::Data(value.origin()),
            None => Value::Data(Origin::Computed),
        }
    }

    pub(super) fn expanded(&mut self, at: At, value: Option<Value>) -> Value {
        let Some(value) = value else { return Value::Data(Origin::Computed) };
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

    /// Calls a function with each of several values.
    fn mapped(&mut self, at: At, function: Option<Value>, over: Option<Value>) -> Value {
        let Some(function) = function else { return Value::each(Value::Data(Origin::Computed)) };
        let over = over.unwrap_or(Value::Data(Origin::Computed));
        let over = match (&over, self.language) {
            (Value::Keys(_), Language::Ruby) => self.gives(at, Gives::Items, Some(&over), &Given::default()),
            _ => over,
        };
        let is_open = self.language == Language::Ruby;
        // In `map lc, @list` the function is not a function value.
        let values = match self.elements(&over) {
            Elements::Known(values) if values.len() <= 64 => values,
            Elements::Known(values) => vec![any_of(values)],
            Elements::Some(value) => vec![value],
        };
        let mut result = Value::Nothing;
        for value in values.into_iter().flat_map(|value| value.alternatives()) {
            let value = if let Value::Each(inner) = value { (*inner).clone() } else { value };
            let one = self.call(at, &function, &Given { is_open, ..Given::of(vec![value]) });
            result = result.or(one);
        }
        Value::each(result)
    }

    /// `"{} {0} {name}".format(…)`
    fn formatted(&mut self, at: At, this: Option<&Value>, given: &Given) -> Value {
        let Some(format) = this.and_then(Value::known).map(str::to_owned) else {
            return Value::Data(Origin::Computed);
        };
        let mut word = Word::default();
        let mut origin = Origin::Computed;
        let mut next = 0;
        let mut rest = format.as_str();
        while let Some(start) = rest.find(['{', '}']) {
            word.push(Part::Text(rest.get(..start).unwrap_or_default().to_owned()));
            let behind = rest.get(start + 1..).unwrap_or_default();
            let sign = rest.get(start..=start).unwrap_or_default();
            if let Some(doubled) = behind.strip_prefix(sign) {
                word.push(Part::Text(sign.to_owned()));
                rest = doubled;
                continue;
            }
            let Some((field, behind)) = behind.split_once('}') else { return Value::Data(origin) };
            let value = match field {
                "" => {
                    next += 1;
                    given.plain.get(next - 1)
                }
                field => match field.parse::<usize>() {
                    Ok(place) => given.plain.get(place),
                    Err(_) => given.named(field),
                },
            };
            let value = value.cloned().unwrap_or(Value::Data(Origin::Computed));
            origin = origin.max(value.origin());
            self.word(&value, at).parts.into_iter().for_each(|part| word.push(part));
            rest = behind;
        }
        word.push(Part::Text(rest.to_owned()));
        bounded(word, origin)
    }

    /// `", ".join(list)`
    fn joined_by(&mut self, at: At, by: Option<Value>, list: Option<Value>) -> Value {
        let list = list.unwrap_or(Value::Nothing);
        let by = match by {
            Some(by) => self.word(&by, at),
            None => Word::text(if self.language == Language::JavaScript { "," } else { "" }),
        };
        match self.elements(&list) {
            Elements::Known(values) if values.iter().all(|value| !matches!(value, Value::Each(_))) => {
                let mut word = Word::default();
                let mut origin = Origin::Computed;
                for (count, value) in values.iter().enumerate() {
                    if count > 0 {
                        by.parts.iter().for_each(|part| word.push(part.clone()));
                    }
                    origin = origin.max(value.origin());
                    self.word(value, at).parts.into_iter().for_each(|part| word.push(part));
                }
                self.spend(word.literal().len() / 16);
                bounded(word, origin)
            }
            Elements::Known(values) => Value::Data(any_of(values).origin()),
            Elements::Some(value) => Value::Data(value.origin()),
        }
    }

    /// Changes a list or a dictionary by one of its methods.
    pub(super) fn pushed(&mut self, this: Option<&Value>, given: &Given) -> Value {
        let (Some(Value::List(place) | Value::Keys(place)), Some(more)) = (this, given.plain.first()) else {
            if let Some(Value::List(place) | Value::Keys(place)) = this {
                self.state.forget_held(*place, &Value::Nothing);
            }
            return Value::Data(Origin::Computed);
        };
        let place = *place;
        let is_list = matches!(this, Some(Value::List(_)));
        match (is_list, more, given.plain.len()) {
            (true, Value::List(_) | Value::Each(_), 1) => self.push(place, &more.clone()),
            (true, more, 1) => {
                if let Some(Held::List(values)) = self.state.held_mut(place) {
                    values.push(more.clone());
                }
            }
            (true, ..) => {
                let all = given.plain.iter().cloned().reduce(Value::or).unwrap_or(Value::Nothing);
                self.state.forget_held(place, &all);
            }
            (false, Value::Keys(other), _) => {
                if let Some(Held::Keys(more)) = self.state.held(*other).cloned()
                    && let Some(Held::Keys(keys)) = self.state.held_mut(place)
                {
                    keys.extend(more);
                } else {
                    self.state.forget_held(place, &Value::Dynamic);
                }
            }
            (false, more, _) => self.state.forget_held(place, &more.clone()),
        }
        any_of(given.plain.clone())
    }
}

impl Evaluator<'_> {
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
        let why = Unknown::of(Cause::Glob, super::shortened(&self.source(at)), Source::Name);
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

/// Returns the parent directory of a path as a value.
pub(super) fn parent(path: &Word) -> Value {
    Value::Text(parent_word(path), Origin::Computed)
}

/// Returns the parent directory of a path.
pub(super) fn parent_word(path: &Word) -> Word {
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
pub(super) fn last_word(path: &Word) -> Word {
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

/// Splits a text as a shell does, with quotes and backslashes only.
fn shell_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            quote @ ('\'' | '"') => {
                let word = word.get_or_insert_default();
                loop {
                    match rest.next()? {
                        c if c == quote => break,
                        '\\' if quote == '"' => word.push(rest.next()?),
                        c => word.push(c),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(rest.next()?),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Some(words)
}
