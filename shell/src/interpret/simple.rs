//! Simple commands: their words, their record and their effects.

use std::rc::Rc;

use super::redirects::{Redirected, relative_to};
use super::streams::{Ends, Flow};
use super::{Frame, Places, Sources, builtins};
use crate::analysis::{Assignment, Redirect, RedirectKind, Simple};
use crate::argv::program_name;
use crate::dialect::{Dialect, Feature};
use crate::evaluated::Evaluates;
use crate::expand::{self, Shell};
use crate::files::contents;
use crate::parse::{Raw, Redirection, assigned_name, is_name};
use crate::state::{Binding, Capture, Found, Lookup, State, Switch};
use crate::stream::{CommandId, Content, Input, Value, Writer, add};
use crate::word::{Directory, Part, Word};

/// The cost of the record of a command, in steps.
pub(super) const RECORD: usize = 40;

/// An assignment before a command or among the arguments of `export`.
#[derive(Clone, Debug)]
pub(super) struct Assigned {
    pub name: String,
    pub subscript: Option<String>,
    pub appends: bool,
    pub binding: Binding,
    /// The index of its word, among the arguments of a declaring builtin.
    pub at: usize,
    /// Whether its name or its `=` is quoted.
    pub is_quoted: bool,
}

/// The expanded words of a command, before its redirections.
#[derive(Default)]
struct ExpandedCommand {
    values: Vec<Value>,
    /// The assignments among the arguments of a declaring builtin.
    assigned: Vec<Assigned>,
    /// The assignments that only its environment has.
    in_front: Vec<Assigned>,
    records: Vec<Assignment>,
}

/// A command with its words expanded.
pub(super) struct Made<'m> {
    pub id: CommandId,
    pub values: &'m [Value],
    /// The assignments among the arguments of `export` and similar builtins.
    pub assigned: &'m [Assigned],
    pub redirected: &'m Redirected,
    /// Its standard input.
    pub input: Rc<Input>,
}

impl Made<'_> {
    /// The program's name, if it is known.
    pub(super) fn name(&self) -> Option<&str> {
        self.values.first()?.word.known()
    }

    /// Whether its standard input is certainly a file, which is read from its beginning through the descriptor's name.
    pub(super) fn reads_file(&self) -> bool {
        self.redirected.descriptors.files.get(0).certain().is_some()
    }
}

impl Frame<'_> {
    pub(super) fn simple(&mut self, assignments: &[Raw], raws: &[Raw], redirects: &[Redirection]) -> Flow {
        let id = self.reserve();
        let outer = self.interpreter.making.replace(id);
        let before = (Rc::clone(&self.state.variables), self.state.lookup);
        let mut expanded = ExpandedCommand::default();
        for raw in assignments {
            // Each assignment sees those before it.
            let one = self.assigned(&raw.text);
            expanded.records.push(one.record(self.state));
            self.assign(&one);
            expanded.in_front.push(one);
        }
        if !raws.is_empty() {
            // The words do not see the assignments.
            self.state.variables = before.0;
        }
        raws.iter().for_each(|raw| self.expand_word(raw, &mut expanded));
        let ExpandedCommand { mut values, assigned, in_front, records } = expanded;
        if self.setting.places == Places::Dropped {
            values.iter_mut().for_each(|value| value.word.span = None);
        }
        let mut redirected = self.redirects(redirects);
        let name = values.first().and_then(|first| first.word.known());
        if redirected.touched.len() > 1 && name.is_some_and(|name| self.state.functions.contains_key(name)) {
            redirected.share_files();
        }
        self.interpreter.making = outer;
        let words = values.iter().map(|value| value.word.clone()).collect();
        self.fill(id, words, records, &redirected);
        if values.is_empty() {
            if !raws.is_empty() {
                in_front.iter().for_each(|one| self.assign(one));
            }
            return self.without_program(id, &redirected, &in_front);
        }
        let from = self.sources(redirected.from.clone(), &values);
        self.passes(id, &values, from);
        let flow = self.run(id, &values, &assigned, &in_front, &redirected);
        if in_front.iter().any(|one| one.name == "PATH") {
            self.state.lookup = before.1;
        }
        flow
    }

    /// Expands a word of a command: usually to values, but it may also be an assignment.
    fn expand_word(&mut self, raw: &Raw, expanded: &mut ExpandedCommand) {
        let is_assignment = |frame: &Self| assigned_name(&raw.text, &frame.state.reading).is_some();
        if self.state.options.keyword == Switch::On && is_assignment(self) {
            // It belongs to the environment of the command, and is not one of its words.
            let one = self.assigned(&raw.text);
            expanded.records.push(one.record(self.state));
            expanded.in_front.push(one);
            return;
        }
        let name = expanded.values.first().and_then(|first| first.word.known());
        if !name.is_some_and(builtins::declares) || !is_assignment(self) {
            return expand::words(self, raw, &mut expanded.values);
        }
        // Braces turn one word into several.
        for text in expand::alternatives(self, &raw.text) {
            let one = Assigned { at: expanded.values.len(), ..self.assigned(&text) };
            expanded.values.push(one.shown(&text));
            expanded.assigned.push(one);
        }
    }

    /// Runs assignments or redirections without a command. In zsh, `<file` prints the content of the file.
    fn without_program(&mut self, id: CommandId, redirected: &Redirected, in_front: &[Assigned]) -> Flow {
        let content = match &redirected.input {
            Some(_)
                if in_front.is_empty()
                    && self.state.capture == Capture::Output
                    && self.state.reading.has(Feature::OfZsh) =>
            {
                Content::Unknown
            }
            _ => Content::nothing(),
        };
        let from = redirected.input.as_ref().map(|input| input.from.clone()).unwrap_or_default();
        if in_front.is_empty() {
            self.null_command(&redirected.redirects);
        }
        if let Some(sources) = self.interpreter.sources.get_mut(id.0) {
            sources.passes = from;
        }
        let flow = Flow { out: vec![id], content, ends: Ends::Nothing };
        self.writes(redirected, &flow);
        flow
    }

    /// Returns the output of a lone `<file`: in a substitution, the content of the file.
    pub(super) fn file_alone(&self, content: Content) -> Content {
        let last = self.interpreter.commands.last();
        match last.filter(|_| self.state.capture == Capture::Output) {
            Some(last) if self.state.reading.has(Feature::FileOutputs) => match &last.input.content {
                // In zsh it must be the only command.
                Content::Known(_) if self.state.reading.has(Feature::OfZsh) => Content::Unknown,
                content => content.clone(),
            },
            _ => content,
        }
    }

    /// Adds the commands whose output is in the values. Consecutive values with equal writers (those of one expansion)
    /// are added once.
    pub(super) fn sources(&mut self, mut from: Vec<Writer>, values: &[Value]) -> Vec<Writer> {
        let mut last: &[Writer] = &[];
        for value in values.iter().filter(|value| !value.from.is_empty()) {
            self.interpreter.spend(value.from.len() / 8);
            if value.from != last {
                add(&mut from, &value.from);
                last = &value.from;
            }
        }
        from
    }

    /// Runs a program, function or builtin with the assignments before it.
    fn run(
        &mut self,
        id: CommandId,
        values: &[Value],
        assigned: &[Assigned],
        in_front: &[Assigned],
        redirected: &Redirected,
    ) -> Flow {
        let input = redirected.input.clone().unwrap_or_else(|| self.stdin());
        let made = Made { id, values, assigned, redirected, input };
        let before = Rc::clone(&self.state.variables);
        for one in in_front {
            self.assign(one);
            self.state.export(&one.name);
        }
        let doubts = self.interpreter.doubts;
        let flow = self.effects(&made);
        if !in_front.is_empty() && !self.is_special(made.name()) {
            // The assignments were for this command only.
            let names: Vec<&str> = in_front.iter().map(|one| one.name.as_str()).collect();
            self.state.restore(&names, &before);
        }
        self.sent(redirected, flow, doubts)
    }

    /// Reserves the id of a command: the expansion of its words may record others after it.
    pub(super) fn reserve(&mut self) -> CommandId {
        let id = CommandId(self.interpreter.commands.len());
        let setting = self.setting;
        self.interpreter.commands.push(Simple {
            via: setting.via.clone(),
            doubt: setting.doubt.clone(),
            scope: setting.scope,
            in_loop: setting.in_loop,
            in_background: setting.in_background,
            in_substitution: setting.in_substitution,
            ..Simple::with_input(Vec::new(), self.state.cwd.clone(), Rc::clone(&self.interpreter.no_input))
        });
        self.interpreter.sources.push(Sources::default());
        let path = directory(&self.state.cwd).map_or(0, str::len);
        self.interpreter.spend(RECORD + path / 8 + setting.via.len() + setting.redirects.len() + setting.calls.len());
        id
    }

    /// Fills in the record of a command.
    pub(super) fn fill(
        &mut self,
        id: CommandId,
        words: Vec<Word>,
        assignments: Vec<Assignment>,
        redirected: &Redirected,
    ) {
        if self.interpreter.watch.is_some()
            && let Some(name) = words.first()
        {
            self.evaluates(Evaluates::Program, &Value { word: name.clone(), from: Vec::new() });
        }
        let input = redirected.input.clone().unwrap_or_else(|| self.stdin());
        let mut environment = self.state.environment();
        environment.extend(assignments.iter().cloned());
        let is_shadowed = words.first().and_then(Word::known).is_some_and(|name| self.is_shadowed(name));
        let redirects = self.all_redirects(redirected, &input);
        let span = place(&words);
        let words = match words.iter().any(Word::has_matched) && !is_each_time(&words, &redirects) {
            // A single run with all names is no different.
            true => words.iter().map(|word| word.as_globs().into_owned()).collect(),
            false => words,
        };
        self.interpreter.spend(16 * environment.len() + input.from.len() + 16 * redirects.len());
        for writer in &input.direct {
            if let Some(command) = self.interpreter.command_mut(*writer) {
                command.piped_to.push(id);
                self.interpreter.piped.push(*writer);
            }
        }
        let hidden = self.state.hidden.clone();
        if let Some(command) = self.interpreter.command_mut(id) {
            command.words = words;
            command.assignments = assignments;
            command.redirects = redirects;
            command.environment = environment;
            command.environment_hidden = hidden;
            command.is_shadowed = is_shadowed;
            command.piped_from.clone_from(&input.direct);
            command.input = input;
            command.open_files.clone_from(&redirected.descriptors.files);
            if !is_same(&command.cwd, &self.state.cwd) {
                command.cwd.clone_from(&self.state.cwd);
            }
            command.span = span;
        }
    }

    /// Returns the redirections of a command, with those of the groups around it and its connections.
    fn all_redirects(&mut self, redirected: &Redirected, input: &Input) -> Vec<Redirect> {
        let mut redirects = redirected.redirects.clone();
        // Later checks of the command read its here-documents and here-strings, including those of enclosing groups.
        let texts = self.setting.redirects.iter().filter(|(redirect, _)| redirect.kind == RedirectKind::Text);
        let letters: usize = texts.flat_map(|(text, _)| &text.target.parts).filter_map(Part::text).map(str::len).sum();
        self.interpreter.spend(letters / 4);
        let around = self.setting.redirects.iter();
        redirects.extend(around.map(|(redirect, from)| relative_to(redirect, from, &self.state.cwd)));
        self.sockets(redirected, input, &mut redirects);
        redirects
    }

    fn is_shadowed(&self, name: &str) -> bool {
        let is_defined = self.state.functions.contains_key(name) || self.state.aliases.contains_key(name);
        is_defined || self.state.lookup != Lookup::Usual && !name.contains('/')
    }

    /// Expands an assignment without applying it.
    pub(super) fn assigned(&mut self, text: &str) -> Assigned {
        let (target, value) = assigned_name(text, &self.state.reading).unwrap_or((text, ""));
        let (target, appends) = match target.strip_suffix('+') {
            Some(target) => (target, true),
            None => (target, false),
        };
        let (name, subscript) = match target.split_once('[') {
            Some((name, rest)) => (name, Some(rest.trim_end_matches(']').to_owned())),
            None => (target, None),
        };
        if let Some(subscript) = &subscript {
            expand::subscript(self, name, subscript);
        }
        let list = value.strip_prefix('(').and_then(|list| list.strip_suffix(')')).filter(|_| subscript.is_none());
        let binding = match list {
            Some(list) => self.list_of(name, list),
            None => Binding::One(expand::assigned(self, value)),
        };
        Assigned { name: name.to_owned(), subscript, appends, binding, at: 0, is_quoted: false }
    }

    /// Expands `(a b c)`. A list with keys is not evaluated.
    pub(super) fn list_of(&mut self, name: &str, list: &str) -> Binding {
        let mut values = Vec::new();
        let mut has_keys = false;
        for raw in crate::parse::elements(list, &self.state.reading) {
            if raw.text.starts_with('[') && raw.text.contains("]=") {
                has_keys = true;
                let key = raw.text.trim_start_matches('[').split("]=").next().unwrap_or_default();
                expand::subscript(self, name, key);
            }
            expand::words(self, &raw, &mut values);
        }
        values.iter_mut().for_each(|value| value.word.span = None);
        if has_keys {
            let mut all = Value::variable(name);
            values.iter().for_each(|value| all.joins(&value.from));
            return Binding::One(all);
        }
        Binding::List(values)
    }

    /// Applies an assignment.
    pub(super) fn assign(&mut self, one: &Assigned) {
        let name = &one.name;
        if !is_name(name) {
            return;
        }
        if self.state.is_changed(name) {
            // An assignment to a read-only variable ends the shell.
            self.interpreter.doubts.ends += 1;
        }
        let binding = match (&one.subscript, one.appends, &one.binding) {
            (Some(subscript), _, binding) => {
                let mut value = Value::variable(name);
                value.joins(binding.from());
                match (self.state.find(name), subscript.as_str(), binding) {
                    // In zsh, indices start at one.
                    (Found::List(mut values), at, Binding::One(element))
                        if at == values.len().to_string() && !self.state.reading.has(Feature::OfZsh) =>
                    {
                        values.push(element.clone());
                        Binding::List(values)
                    }
                    (Found::Unset | Found::Unknown, "0", Binding::One(element)) => Binding::List(vec![element.clone()]),
                    _ => Binding::One(value),
                }
            }
            (None, false, binding) => binding.clone(),
            (None, true, binding) => appended(self.state, name, binding),
        };
        self.interpreter.spend(binding.size());
        match name.as_str() {
            "POSIXLY_CORRECT" => self.set_posix(Dialect::Posix),
            // `DIRSTACK` determines where `popd` goes.
            "DIRSTACK" => self.state.stack = Rc::default(),
            _ => {}
        }
        if let Binding::One(value) = &one.binding {
            self.note_assigned(name, value);
        }
        self.keep_names(name, one.subscript.as_deref(), &one.binding);
        self.keep_names_of_zsh(name, one.subscript.as_deref(), &one.binding);
        match binding {
            Binding::One(value) if one.subscript.is_none() && !one.appends => self.state.give(name, value),
            binding => self.state.set(name, binding),
        }
    }

    /// Records the writers whose output a command may pass on: those of its words, its input and the files it names.
    pub(super) fn passes(&mut self, id: CommandId, values: &[Value], mut from: Vec<Writer>) {
        if !from.is_empty()
            && let Some(sources) = self.interpreter.sources.get_mut(id.0)
        {
            sources.words.clone_from(&from);
        }
        let name = values.first().and_then(|value| value.word.known()).unwrap_or_default();
        if super::output::reads_input(name) {
            let input = self.interpreter.command_mut(id).map(|command| Rc::clone(&command.input)).unwrap_or_default();
            add(&mut from, &input.from);
        }
        for value in values.iter().skip(1) {
            if let Some(input) = self.process_named(&value.word) {
                add(&mut from, &input.from);
            } else if let Some(written) = self.written(&value.word) {
                add(&mut from, &written.from);
            }
        }
        // Looking up a file among the written ones needs its full path.
        let path = directory(&self.state.cwd).map_or(0, str::len);
        let each = if self.interpreter.written.is_empty() { 1 } else { 8 + path / 16 };
        self.interpreter.spend(each * values.len() + from.len());
        if let Some(sources) = self.interpreter.sources.get_mut(id.0) {
            sources.passes = from;
        }
    }
}

impl Assigned {
    fn record(&self, state: &State) -> Assignment {
        let whole = if self.appends { appended(state, &self.name, &self.binding) } else { self.binding.clone() };
        let word = match whole {
            Binding::One(value) if self.subscript.is_none() => value.word,
            _ => Value::variable(&self.name).word,
        };
        Assignment { name: self.name.clone(), value: Some(Word { span: None, ..word }) }
    }

    /// The word of the assignment among the arguments of `export`.
    fn shown(&self, text: &str) -> Value {
        let Binding::One(value) = &self.binding else { return Value::text(text) };
        let sign = if self.appends { "+=" } else { "=" };
        let mut word = Value::text(format!("{}{sign}", self.name));
        word.append(value);
        word
    }
}

/// The value after `name+=value`.
fn appended(state: &State, name: &str, more: &Binding) -> Binding {
    match (state.find(name), more) {
        (Found::One(mut value), Binding::One(more)) => {
            value.append(more);
            Binding::One(value)
        }
        (Found::Unset, more) => more.clone(),
        (Found::One(value), Binding::List(more)) => {
            Binding::List(std::iter::once(value).chain(more.iter().cloned()).collect())
        }
        (Found::List(mut values), Binding::List(more)) => {
            values.extend(more.iter().cloned());
            Binding::List(values)
        }
        (Found::Unknown, Binding::One(more)) => {
            let mut value = Value::variable(name);
            value.append(more);
            Binding::One(value)
        }
        (_, more) => {
            let mut value = Value::variable(name);
            value.joins(more.from());
            Binding::One(value)
        }
    }
}

/// Whether running a command once per name that a glob matched differs from running it once with all of them.
fn is_each_time(words: &[Word], redirects: &[Redirect]) -> bool {
    let copies = |word: &Word| program_name(word).and_then(contents).is_some_and(|row| row.has_target());
    redirects.iter().any(|redirect| redirect.target.has_matched())
        || words.iter().any(|word| word.has_matched() && word.parts.len() > 1 || copies(word))
}

/// The span from the first word to the last, if all words have one.
pub(super) fn place(words: &[Word]) -> Option<std::ops::Range<usize>> {
    let first = words.first()?.span.as_ref()?.start;
    let last = words.last()?.span.as_ref()?.end;
    (first <= last && words.iter().all(|word| word.span.is_some() || word.parts.iter().all(is_text)))
        .then_some(first..last)
}

fn is_text(part: &Part) -> bool {
    matches!(part, Part::Text(_))
}

/// Whether two directories are spelled the same. Most commands run in the directory of the one before them.
fn is_same(directory: &Directory, other: &Directory) -> bool {
    match (directory, other) {
        (Directory::Known(path), Directory::Known(other)) => path.as_os_str() == other.as_os_str(),
        _ => false,
    }
}

/// The directory as a word, if it is known.
pub(super) fn directory(place: &Directory) -> Option<&str> {
    match place {
        Directory::Known(path) => path.to_str(),
        Directory::Unknown(_) => None,
    }
}
