//! Perl's `open`: files with the mode before the name, commands at either end of a pipe.

use super::arguments::{Given, LibraryCall};
use super::call::any_of;
use super::effects::{command, piped};
use super::evaluate::{At, Evaluator, computed};
use super::library::At as Place;
use super::value::{Origin, Value};
use super::{Effect, Unseen};
use crate::nested::What;
use crate::word::{Cause, Part, Unknown, Word};

/// The meaning of the text that `open` is passed.
enum Opened {
    /// A file, with its mode.
    File(&'static str, Word),
    /// A command whose output is read; in `To`, one that is written to.
    From(Word),
    To(Word),
    /// A handle that is already open, or standard input.
    Handle,
}

impl Evaluator<'_> {
    /// Opens what a two-argument `open` names: `>x`, `<x`, `ls|`, `|sh`.
    pub(super) fn open_text(&mut self, call: LibraryCall<'_>, text: Place) {
        let at = call.at;
        let Some(value) = call.argument(text) else { return };
        let word = self.word(&value, at);
        match opened(&word) {
            Opened::File(mode, path) => {
                // An unknown end may contain a `|`.
                let is_open = path.parts.last().is_some_and(|part| match part {
                    Part::Unknown(part) => part.why.cause != Cause::Glob,
                    _ => false,
                });
                if is_open && mode == "<" {
                    let source = self.source(at);
                    let text = (!word.prefix().is_empty()).then(|| source.clone());
                    let why = if text.is_some() {
                        Unknown::new(Cause::Library, super::shortened(&source))
                    } else {
                        computed(&source)
                    };
                    self.effects.unseen.push(Unseen { why, text });
                }
                self.open_as(mode, &path);
                if word.prefix().is_empty() && is_open {
                    self.open_as(">", &path);
                }
            }
            Opened::From(text) => self.script(at, &Value::Text(text, value.origin()), &Given::default()),
            Opened::To(text) => self.script(at, &Value::Text(text, value.origin()), &piped(&Given::default())),
            Opened::Handle => {}
        }
    }

    /// Opens with an explicit mode: `open F, ">", "x"`, `open F, "-|", "ls", "-l"`.
    pub(super) fn open_mode(&mut self, call: LibraryCall<'_>, mode: Place) {
        let LibraryCall { at, given, .. } = call;
        let Some(mode) = call.argument(mode) else { return };
        let Some(path) = given.plain.get(1).cloned() else { return };
        let rest: Vec<Value> = given.plain.iter().skip(1).cloned().collect();
        let word = self.word(&path, at);
        match mode.known().map(|mode| mode.trim().to_owned()) {
            Some(mode) if mode.contains('|') => {
                let with = if mode.starts_with('|') { piped(&Given::default()) } else { Given::default() };
                match rest.len() {
                    1 => self.script(at, &path, &with),
                    _ => {
                        self.runs_what_came(path.origin());
                        let list = self.new_list(rest);
                        let words = self.words(at, &list);
                        self.nested(What::Argv(words), &with, at);
                    }
                }
            }
            Some(mode) if mode.contains('&') || path == Value::Nothing => {}
            Some(mode) => self.open_as(&mode, &word),
            None => {
                self.open_as("+<", &word);
                let source = self.source(at);
                self.unseen(computed(&source), None);
            }
        }
    }

    fn open_as(&mut self, mode: &str, path: &Word) {
        let path = self.state.anchored(path);
        if mode.contains('<') {
            self.done(Effect::Act(command(&["cat", "--"], &path)));
        }
        if mode.contains(['>', '+']) {
            self.done(Effect::Act(command(&["tee", "--"], &path)));
            let content = (!mode.contains('+')).then(Word::default);
            match mode.contains(">>") {
                true => self.done(Effect::Behind(path, content)),
                false => self.done(Effect::Over(path, content)),
            }
        }
    }

    /// Returns the handle that a text with its mode opens.
    pub(super) fn handle_of_text(&self, at: At, given: &Given) -> Value {
        let text = given.plain.first().map_or_else(|| self.word(&Value::Nothing, at), |text| self.word(text, at));
        match opened(&text) {
            Opened::File(_, path) => Value::File(path),
            Opened::Handle => Value::Data(Origin::Input),
            Opened::From(_) | Opened::To(_) => Value::COMPUTED,
        }
    }

    /// Returns the handle that a mode and a name open.
    pub(super) fn handle_of_mode(&self, at: At, given: &Given) -> Value {
        let mode = given.plain.first().and_then(Value::known);
        match (mode.map(|mode| mode.contains(['|', '&'])), given.plain.get(1)) {
            (Some(false), Some(path)) if *path != Value::Nothing => Value::File(self.word(path, at)),
            _ => Value::COMPUTED,
        }
    }

    /// Calls the function of `find` with an unknown path below the directories that it searches.
    pub(super) fn find(&mut self, at: At, given: &Given) {
        let directories: Vec<Value> = given.plain.iter().skip(1).cloned().collect();
        let directory = match directories.is_empty() {
            true => Word::text("."),
            false => {
                let directory = any_of(directories);
                self.word(&directory, at)
            }
        };
        let below = Value::Text(self.below(&directory, &self.source(at)), Origin::Computed);
        self.state.set_outermost(&"$_".into(), below.clone());
        self.state.set_outermost(&"$File::Find::name".into(), below);
        let function = match given.plain.first() {
            Some(keys @ Value::Keys(_)) => self.index(&keys.clone(), &Value::text("wanted")),
            Some(function) => function.clone(),
            None => return,
        };
        self.call(at, &function, &Given::default());
    }

    /// `PeerAddr => "host", PeerPort => 80`, or `"host:80"` alone.
    pub(super) fn connect_named(&mut self, at: At, given: &Given) {
        let named = |names: &[&str]| {
            let mut pairs = given.plain.chunks(2);
            let pair = pairs.find(|pair| pair.first().and_then(Value::known).is_some_and(|name| names.contains(&name)));
            pair.and_then(|pair| pair.get(1)).cloned()
        };
        let host = named(&["PeerAddr", "PeerHost", "Host"]).or_else(|| given.plain.first().cloned());
        let is_listening = given.plain.iter().any(|value| matches!(value.known(), Some("Listen" | "LocalPort")));
        let Some(host) = host.filter(|_| !is_listening) else { return };
        self.connect_to(at, &host, named(&["PeerPort", "Port"]).as_ref());
    }
}

/// Parses the text that `open` is passed.
fn opened(word: &Word) -> Opened {
    let start = word.prefix().trim_start();
    let blanks = word.prefix().len() - start.len();
    let behind = |sign: &str| {
        let whole = format!("{}{sign}", word.prefix().get(..blanks).unwrap_or_default());
        let rest = word.after(&whole).unwrap_or_default();
        let blanks: String = rest.prefix().chars().take_while(|c| c.is_whitespace()).collect();
        rest.after(&blanks).unwrap_or(rest)
    };
    if start.starts_with('|') {
        return Opened::To(behind("|"));
    }
    if let Some(text) = word.known().map(str::trim_end).and_then(|text| text.strip_suffix('|')) {
        return Opened::From(Word::text(text));
    }
    if let Some(Part::Text(end)) = word.parts.last()
        && let Some(end) = end.trim_end().strip_suffix('|')
    {
        let mut command = Word { span: None, ..word.clone() };
        command.parts.pop();
        command.push(Part::Text(end.to_owned()));
        return Opened::From(command);
    }
    for (sign, mode) in [("+<", "+<"), ("+>", "+>"), (">>", ">>"), (">", ">"), ("<", "<")] {
        if start.starts_with(sign) {
            let path = behind(sign);
            let is_handle = path.prefix().starts_with(['&', '=']) || path.known() == Some("-");
            return if is_handle { Opened::Handle } else { Opened::File(mode, path) };
        }
    }
    match word.known() {
        Some("-") => Opened::Handle,
        _ => Opened::File("<", word.clone()),
    }
}
