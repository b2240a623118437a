//! The effects of a call: on files, on the network, and what it runs.

use std::rc::Rc;

use super::call::Given;
use super::commands::{is_url, unwrapped};
use super::evaluate::{At, Elements, Evaluator, computed};
use super::library::{At as Place, Does, Part as Of};
use super::state::joined;
use super::value::{Held, Origin, Value};
use super::{Effect, Form, Language};
use crate::analysis::Assignment;
use crate::dialect::Dialects;
use crate::nested::{Code, Nested, Setting, What};
use crate::word::{Cause, Part, Source, Unknown, Word};

/// The maximum number of trees: code may evaluate further code.
const TREES: usize = 8;

impl Evaluator<'_> {
    /// Returns an argument of a call.
    pub(super) fn given(&self, place: Place, this: Option<&Value>, given: &Given) -> Option<Value> {
        match place {
            Place::This => this.cloned(),
            Place::Argument(at, name) => given.plain.get(at).or_else(|| given.named(name)).cloned().or_else(|| {
                let is_open = given.is_open && given.plain.last().is_some_and(|last| matches!(last, Value::Each(_)));
                is_open.then(|| given.plain.last().cloned()).flatten()
            }),
        }
    }

    /// Returns an argument as a path, relative to where the program began.
    pub(super) fn path(&self, at: At, place: Place, this: Option<&Value>, given: &Given) -> Option<Word> {
        let value = self.given(place, this, given)?;
        match value {
            // An open file is identified by its number.
            Value::Number(_) | Value::Nothing => None,
            value => {
                let word = self.word(&value, at);
                let word = if self.language == Language::Php { unwrapped(word)? } else { word };
                Some(self.state.anchored(&word))
            }
        }
    }

    /// Applies one effect of a row.
    pub(super) fn act(&mut self, at: At, does: Does, this: Option<&Value>, given: &Given) {
        match does {
            Does::As(parts) => self.act_as(at, parts, this, given),
            Does::Open(path, mode) => self.open(at, path, mode, this, given),
            Does::Write(path, text) => {
                let Some(path) = self.path(at, path, this, given) else { return };
                let content = self.given(text, this, given).map(|text| self.word(&text, at));
                self.done(Effect::Act(command(&["tee", "--"], &path)));
                self.done(Effect::Over(path, content.filter(|word| word.why().is_none())));
            }
            Does::Append(path, text) => {
                let content = self.given(text, this, given).map(|text| self.word(&text, at));
                if let Some(path) = self.path(at, path, this, given) {
                    self.done(Effect::Behind(path, content.filter(|word| word.why().is_none())));
                }
            }
            Does::OpenAny(path, mode) => self.open_any(at, path, mode, this, given),
            Does::OpenText(text) => self.open_text(at, text, given),
            Does::OpenMode(mode) => self.open_mode(at, mode, given),
            Does::Find => self.find(at, given),
            Does::Load(file) => {
                if let Some(file) = self.given(file, this, given).and_then(|file| file.known().map(str::to_owned)) {
                    self.load(&[file.clone(), format!("lib/{file}")]);
                }
            }
            Does::ConnectNamed => self.connect_named(at, given),
            Does::Run(words) => self.run(at, words, this, given),
            Does::Command(from) => self.command(at, from, given),
            Does::Piped(from) => self.command(at, from, &piped(given)),
            Does::Process(command, directory, environment) => {
                let Some(command) = self.given(command, this, given) else { return };
                let mut with = Given::of(vec![command]);
                for (name, place) in [("cwd", directory), ("env", environment)] {
                    with.named.extend(self.given(place, this, given).map(|value| (name.into(), value)));
                }
                self.command(at, 0, &piped(&with));
            }
            Does::Pipe(command, mode) => {
                let mode = self.given(mode, this, given).filter(|mode| !matches!(mode, Value::Keys(_)));
                let writes = mode.is_some_and(|mode| mode.known().is_none_or(|mode| mode.contains(['w', '+', 'a'])));
                if let Some(command) = self.given(command, this, given) {
                    let given = Given { plain: vec![command], named: given.named.clone(), is_open: false };
                    self.command(at, 0, &if writes { piped(&given) } else { given });
                }
            }
            Does::Shell(text) => {
                if let Some(text) = self.given(text, this, given) {
                    self.script(at, &text, given);
                }
            }
            Does::Become(program, from) => self.become_program(at, program, from, this, given),
            Does::Program(program, arguments) => self.program_with(at, program, arguments, this, given),
            Does::Fork(file) => {
                if let Some(file) = self.given(file, this, given) {
                    let interpreter = match self.language {
                        Language::Python => "python3",
                        Language::JavaScript => "node",
                        Language::Ruby => "ruby",
                        Language::Php => "php",
                        Language::Perl => "perl",
                    };
                    let words = vec![Word::text(interpreter), self.word(&file, at)];
                    self.nested(What::Argv(words), given, at);
                }
            }
            Does::Code(text) => {
                self.name_plain(given);
                if let Some(text) = self.given(text, this, given) {
                    self.code(at, &text);
                }
            }
            Does::CodeOf => {
                if let Some(text) = given.plain.last() {
                    self.code(at, &text.clone());
                }
            }
            Does::Fetch(url) => {
                if let Some(url) = self.given(url, this, given) {
                    let url = self.word(&url, at);
                    self.fetch(url);
                }
            }
            Does::FetchIf(word, url) => {
                if self.source(at).contains(word) {
                    self.act(at, Does::Fetch(url), this, given);
                }
            }
            Does::FetchUrl(url) => {
                let url = self.given(url, this, given).map(|url| self.word(&url, at));
                url.filter(|url| is_url(url.prefix())).into_iter().for_each(|url| self.fetch(url));
            }
            Does::Forget => self.state.forget_all(),
            Does::PutVariable(text) => {
                let known = self.given(text, this, given).and_then(|text| text.known().map(str::to_owned));
                match known.as_deref().and_then(|text| text.split_once('=')) {
                    Some((name, value)) => self.set_variable(&name.into(), &Value::text(value)),
                    None => self.set_variable(&"".into(), &Value::Data(Origin::Computed)),
                }
            }
            Does::Connect(host, port) => {
                let Some(host) = self.given(host, this, given) else {
                    // Without a host it is this machine, unless another argument contains the host among other words.
                    if !given.plain.is_empty() {
                        let source = self.source(at);
                        self.fetch(Word::unknown(computed(&source)));
                    }
                    return;
                };
                // An address is a pair in some languages.
                let (host, port) = match self.pair(&host) {
                    Some((host, port)) => (host, Some(port)),
                    None => (host, self.given(port, this, given)),
                };
                let mut peer = self.word(&host, at);
                let port = port.filter(|port| !matches!(port, Value::Keys(_) | Value::Nothing));
                if let Some(port) = port {
                    peer.push(Part::Text(":".to_owned()));
                    self.word(&port, at).parts.into_iter().for_each(|part| peer.push(part));
                }
                self.fetch(peer);
            }
            Does::Download(url, path) => {
                self.act(at, Does::Fetch(url), this, given);
                if let Some(path) = self.path(at, path, this, given) {
                    self.done(Effect::Act(command(&["tee", "--"], &path)));
                    self.done(Effect::Over(path, None));
                }
            }
            Does::Require(file) => {
                if let Some(file) = self.given(file, this, given) {
                    self.require(at, &file);
                }
            }
            Does::ChangeDirectory(path) => {
                let path = self.given(path, this, given).map(|path| self.word(&path, at));
                self.state.directory = match path {
                    Some(path) if path.why().is_none() => Some(self.state.anchored(&path)),
                    _ => Some(Word::unknown(computed(&self.source(at)))),
                };
            }
            Does::SetVariable(name, value) => {
                let name = self.given(name, this, given).and_then(|name| self.key(&name));
                let value = self.given(value, this, given);
                if let (Some(name), Some(value)) = (name, value) {
                    let value = Value::Text(self.word(&value, at), Origin::Computed);
                    self.set_variable(&name, &value);
                }
            }
            Does::Unseen => {
                let source = self.source(at);
                self.unseen(computed(&source), None);
            }
        }
    }

    /// Returns the two values of a list.
    fn pair(&self, value: &Value) -> Option<(Value, Value)> {
        let Value::List(place) = value else { return None };
        match self.state.held(*place)? {
            Held::List(values) => values.first().cloned().zip(values.get(1).cloned()),
            _ => None,
        }
    }

    /// Records the request of a URL.
    pub(super) fn fetch(&mut self, url: Word) {
        // A lone path is requested over an existing connection.
        if url.prefix().starts_with('/') && !url.prefix().starts_with("//") {
            return;
        }
        if self.fetched.len() >= TREES {
            self.unseen(Unknown::new(Cause::Long, ""), None);
        } else if !self.fetched.contains(&url) {
            self.fetched.push(url);
        }
    }

    /// Sets the variables for evaluated code that is passed a dictionary: `exec(text, {"f": f})`.
    fn name_plain(&mut self, given: &Given) {
        for value in &given.plain {
            if let Value::Keys(place) = value
                && let Some(Held::Keys(keys)) = self.state.held(*place).cloned()
            {
                keys.into_iter().for_each(|(name, value)| self.state.set(&name, value));
            }
        }
    }

    /// Records the command that does the same to files.
    fn act_as(&mut self, at: At, parts: &[Of], this: Option<&Value>, given: &Given) {
        let mut words = Vec::new();
        for part in parts {
            match part {
                Of::Is(text) => words.push(Word::text(*text)),
                Of::Rest(from) => {
                    let paths = self.rest(at, *from, given);
                    if paths.is_empty() {
                        return;
                    }
                    words.extend(paths);
                }
                Of::Arguments => {
                    let paths = self.argument_files(at);
                    if paths.is_empty() {
                        return;
                    }
                    words.extend(paths);
                }
                Of::Of(place) => match self.path(at, *place, this, given) {
                    Some(path) => words.push(path),
                    // Some functions have a default: the current directory.
                    None if matches!(place, Place::Argument(0, _)) && self.given(*place, this, given).is_none() => {
                        words.push(self.state.anchored(&Word::text(".")));
                    }
                    None => return,
                },
            }
        }
        self.done(Effect::Act(words));
    }

    /// Returns all arguments from an index on as paths, with lists flattened.
    fn rest(&mut self, at: At, from: usize, given: &Given) -> Vec<Word> {
        let mut paths = Vec::new();
        for value in given.plain.iter().skip(from) {
            let values = match value.is_several().then(|| self.elements(value)) {
                Some(Elements::Known(values)) => values,
                Some(Elements::Some(value)) => value.alternatives(),
                None => vec![value.clone()],
            };
            for value in values.iter().flat_map(Value::alternatives) {
                if !matches!(value, Value::Number(_) | Value::Nothing | Value::Keys(_) | Value::Function(_)) {
                    paths.push(self.state.anchored(&self.word(&value, at)));
                }
            }
        }
        paths
    }

    /// Returns the files that a program reads by reading all of its arguments.
    fn argument_files(&mut self, at: At) -> Vec<Word> {
        let list = self.words_of_program();
        let values = match self.elements(&list) {
            Elements::Known(values) => values,
            Elements::Some(value) => vec![value],
        };
        // The interpreter's own record already covers its file arguments: `-n`, `-p`.
        let known = if self.form == Form::EachLine { self.outside.arguments() } else { Vec::new() };
        let mut paths = Vec::new();
        for value in values.iter().flat_map(Value::alternatives) {
            match value.known().map(str::trim) {
                // To Perl, a name with a `|` at either end is a command.
                Some(name) if self.language == Language::Perl && (name.starts_with('|') || name.ends_with('|')) => {
                    let command = Value::text(name.trim_matches('|'));
                    self.script(at, &command, &Given::default());
                }
                _ => {
                    let word = self.word(&value, at);
                    if !known.contains(&word) {
                        paths.push(self.state.anchored(&word));
                    }
                }
            }
        }
        paths
    }

    pub(super) fn open(&mut self, at: At, path: Place, mode: Place, this: Option<&Value>, given: &Given) {
        // The method of a path takes the mode as its first argument.
        let Some(path) = self.path(at, path, this, given) else { return };
        let mode = self.given(mode, this, given);
        let text = match &mode {
            None | Some(Value::Nothing) => Some("r"),
            Some(value) => value.known(),
        };
        let source = self.source(at);
        let (reads, writes) = match text {
            Some(mode) => (mode.contains(['r', '+']), mode.contains(['w', 'a', 'x', '+'])),
            // `os.O_RDONLY | …`, `File::RDONLY`
            None if source.contains("O_") || source.contains("File::") => {
                let changes = ["WRONLY", "RDWR", "CREAT", "TRUNC", "APPEND"];
                (!source.contains("WRONLY"), changes.iter().any(|flag| source.contains(flag)))
            }
            None => (true, true),
        };
        if reads {
            self.done(Effect::Act(command(&["cat", "--"], &path)));
        }
        if writes {
            self.done(Effect::Act(command(&["tee", "--"], &path)));
            let content = text.filter(|mode| !mode.contains('+')).map(|_| Word::default());
            match text.is_some_and(|mode| mode.contains('a')) {
                true => self.done(Effect::Behind(path, content)),
                false => self.done(Effect::Over(path, content)),
            }
        }
    }

    /// Runs a list of words or a text.
    fn run(&mut self, at: At, place: Place, this: Option<&Value>, given: &Given) {
        let Some(value) = self.given(place, this, given) else { return };
        match &value {
            Value::List(_) | Value::Each(_) => {
                let mut words = self.words(at, &value);
                if let (Some(program), Some(first)) = (given.named("executable"), words.first_mut()) {
                    *first = self.word(program, at);
                }
                if self.is_shell(given) {
                    // The first word is the text; the rest are `$0` and the positional parameters.
                    if let Some(text) = words.first().cloned() {
                        self.nested(script(text), given, at);
                    }
                    return;
                }
                self.runs_what_came(value.origin());
                self.nested(What::Argv(words), given, at);
            }
            // Without a shell it is the name of a program, with one a script. Both are the same if it has no blanks.
            Value::Text(..) | Value::Path(_) => self.script(at, &value, given),
            value if value.may_act() || self.is_shell(given) => self.script(at, value, given),
            value => {
                self.runs_what_came(value.origin());
                self.nested(What::Argv(vec![Word::several(computed(&self.source(at)))]), given, at);
            }
        }
    }

    fn is_shell(&self, given: &Given) -> bool {
        !matches!(given.named("shell"), None | Some(Value::Number(0) | Value::Nothing))
    }

    /// Runs a text in a shell.
    pub(super) fn script(&mut self, at: At, text: &Value, given: &Given) {
        self.runs_what_came(text.origin());
        let word = self.word(text, at);
        self.nested(script(word), given, at);
    }

    fn become_program(&mut self, at: At, program: Place, from: usize, this: Option<&Value>, given: &Given) {
        let Some(program) = self.given(program, this, given) else { return };
        let mut words = vec![self.word(&program, at)];
        let arguments: Vec<Value> = given.plain.iter().skip(from).cloned().collect();
        let list = from.checked_sub(1).and_then(|at| given.plain.get(at));
        match list {
            // The first element of a list is `argv[0]`.
            Some(list @ (Value::List(_) | Value::Each(_))) => {
                let skipped = usize::from(matches!(list, Value::List(_)));
                words.extend(self.words(at, &list.clone()).into_iter().skip(skipped));
            }
            _ => {
                for value in arguments {
                    match value {
                        Value::Keys(_) => {}
                        Value::Each(_) => words.push(Word::several(computed(&self.source(at)))),
                        value => words.push(self.word(&value, at)),
                    }
                }
            }
        }
        self.nested(What::Argv(words), given, at);
    }

    /// `spawn(program, [arguments], {shell: true})`
    fn program_with(&mut self, at: At, program: Place, arguments: Place, this: Option<&Value>, given: &Given) {
        let Some(program) = self.given(program, this, given) else { return };
        self.runs_what_came(program.origin());
        let mut words = vec![self.word(&program, at)];
        match self.given(arguments, this, given) {
            Some(list @ (Value::List(_) | Value::Each(_))) => words.extend(self.words(at, &list)),
            Some(Value::Keys(_) | Value::Function(_) | Value::Nothing) | None => {}
            Some(_) => words.push(Word::several(computed(&self.source(at)))),
        }
        if self.is_shell(given) {
            let mut text = Word::default();
            for (count, word) in words.into_iter().enumerate() {
                if count > 0 {
                    text.push(Part::Text(" ".to_owned()));
                }
                word.parts.into_iter().for_each(|part| text.push(part));
            }
            self.nested(script(text), given, at);
            return;
        }
        self.nested(What::Argv(words), given, at);
    }

    /// Returns the words of a list.
    pub(super) fn words(&mut self, at: At, list: &Value) -> Vec<Word> {
        let mut words = Vec::new();
        match self.elements(list) {
            Elements::Known(values) => {
                for value in values {
                    match value {
                        Value::Each(_) => words.push(Word::several(computed(&self.source(at)))),
                        value => words.push(self.word(&value, at)),
                    }
                }
            }
            Elements::Some(_) => words.push(Word::several(computed(&self.source(at)))),
        }
        words
    }

    /// Records a nested command, with the directory, environment and input of the arguments.
    pub(super) fn nested(&mut self, what: What, given: &Given, at: At) {
        let mut setting = Setting { environment: self.state.environment.clone(), ..Setting::default() };
        if let What::Script(..) = what {
            setting.reader = Dialects::SH;
        }
        let directory =
            given.named("cwd").or_else(|| given.named("chdir")).filter(|value| **value != Value::Nothing).cloned();
        let directory = directory.map(|value| self.state.anchored(&self.word(&value, at)));
        setting.directory = directory.or_else(|| self.state.directory.clone());
        if let Some(Value::Keys(place)) = given.named("env")
            && let Some(Held::Keys(keys)) = self.state.held(*place).cloned()
        {
            for (name, value) in keys {
                setting.environment.push(Assignment { name: name.to_string(), value: Some(self.word(&value, at)) });
            }
        }
        let input = given
            .named("input")
            .or_else(|| given.named("stdin_data"))
            .map(|value| (self.word(value, at), value.origin()));
        if let Some((_, origin)) = &input {
            self.runs_what_came(*origin);
        }
        let input = input.map(|(word, _)| word).or_else(|| {
            let is_piped = given
                .named("stdin")
                .or_else(|| given.named("in"))
                .is_some_and(|value| !matches!(value, Value::Nothing))
                && !self.source(at).contains("DEVNULL");
            // `child.stdin.write(…)`
            let writes = || self.trees.get(at.tree).is_some_and(|tree| tree.mentions("stdin.") > 0);
            let is_piped = is_piped || self.language == Language::JavaScript && writes();
            is_piped.then(|| Word::unknown(computed(&self.source(at))))
        });
        self.done(Effect::Run(Box::new(Nested { what, setting, doubt: None }), input));
    }

    /// Records that something from elsewhere is run.
    pub(super) fn runs_what_came(&mut self, origin: Origin) {
        match origin {
            Origin::Input => self.effects.runs_input = true,
            Origin::Network => self.effects.runs_downloads = self.fetched.clone(),
            Origin::Computed | Origin::File => {}
        }
    }

    /// Runs a text in the program's own language.
    pub(super) fn code(&mut self, at: At, text: &Value) {
        let origin = text.origin();
        self.runs_what_came(origin);
        let source = self.source(at);
        self.evaluated = None;
        if self.outside.follows_values() {
            let word = self.word(text, at);
            self.effects.evaluated.push(word);
        }
        match text {
            Value::Text(word, _) => {
                let known = word.known().map(str::to_owned);
                let whole = known.as_deref().map(|text| text.trim_start().to_owned());
                match whole {
                    Some(text) if self.trees.len() < TREES && self.spend(super::parsing(self.language, &text)) => {
                        match super::parsed(self.language, super::framed(self.language, Form::Whole, &text)) {
                            Some(tree) if tree.fault.is_none() => {
                                let value = self.program(tree);
                                self.evaluated = Some(value);
                            }
                            _ => self.unseen(Unknown::new(Cause::Foreign, super::shortened(&text)), Some(text)),
                        }
                    }
                    Some(text) => self.unseen(Unknown::new(Cause::Deep, super::shortened(&text)), None),
                    None if origin == Origin::File => {
                        let why = Unknown::new(Cause::ScriptFile, super::shortened(&source));
                        self.unseen(why, Some(source));
                    }
                    None => self.unseen(computed(&source), None),
                }
            }
            Value::Nothing | Value::Number(_) | Value::Function(_) => {}
            Value::Data(Origin::File) => {
                let why = Unknown::new(Cause::ScriptFile, super::shortened(&source));
                self.unseen(why, Some(source));
            }
            _ => self.unseen(computed(&source), None),
        }
    }

    /// Runs a module if it is a file that was written earlier.
    pub(super) fn load(&mut self, names: &[String]) -> bool {
        for name in names {
            let path = self.state.anchored(&Word::text(name.strip_prefix("./").unwrap_or(name)));
            let is_own = self.effects.done.iter().any(|effect| match effect {
                Effect::Over(own, _) | Effect::Behind(own, _) => *own == path || own.known() == Some(name.as_str()),
                _ => false,
            });
            if is_own || self.outside.file(&path).is_some() {
                let what = What::Foreign(Code::File(path));
                let setting = Setting { environment: self.state.environment.clone(), ..Setting::default() };
                self.done(Effect::Run(Box::new(Nested { what, setting, doubt: None }), None));
                return true;
            }
        }
        false
    }

    pub(super) fn set_variable(&mut self, name: &Rc<str>, value: &Value) {
        const MOST: usize = 64;
        if self.state.environment.len() < MOST {
            let word = match value {
                Value::Text(word, _) | Value::Path(word) => word.clone(),
                Value::Number(number) => Word::text(number.to_string()),
                _ => Word::unknown(computed(name)),
            };
            self.state.environment.push(Assignment { name: name.to_string(), value: Some(word) });
        }
    }

    /// Returns a path below a directory; the rest of it is unknown.
    pub(super) fn below(&self, directory: &Word, source: &str) -> Word {
        let why = Unknown::of(Cause::Glob, super::shortened(source), Source::Below);
        joined(directory, &Word::unknown(why))
    }

    pub(super) fn is_python(&self) -> bool {
        self.language == Language::Python
    }
}

/// Adds an unknown standard input, for a program that is written to.
pub(super) fn piped(given: &Given) -> Given {
    let mut piped = given.clone();
    piped.named.push(("stdin".into(), Value::Number(1)));
    piped
}

fn script(text: Word) -> What {
    What::Script(text, Vec::new())
}

pub(super) fn command(words: &[&str], path: &Word) -> Vec<Word> {
    words.iter().map(|word| Word::text(*word)).chain([path.clone()]).collect()
}
