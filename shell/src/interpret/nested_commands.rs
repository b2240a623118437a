//! Commands run by other commands: from words, from scripts, from standard input and from files.

use std::rc::Rc;

use super::dialects::{is_fish_script, shebang_dialects};
use super::flow::{Flow, Jump};
use super::simple::ExpandedCommand;
use super::{ARGV_LEVELS, Frame, SpanTracking, WalkContext, excerpt, generators};
use crate::analysis::InheritedEnvironment;
use crate::argv::program_name;
use crate::dialect::{DialectFeature, DialectSet, ScriptLanguage};
use crate::evaluated::EvaluatorKind;
use crate::expand::ExpansionContext;
use crate::fish;
use crate::nested::{
    NestedCommand, Runnable, commands_nested_in, environment_commands, nested_from_input, reads_statements,
};
use crate::open_files::{OpenFiles, descriptor_number};
use crate::parse::CommandNode;
use crate::powershell;
use crate::prints;
use crate::state::{Alias, PositionalParameters, ShellState, ShellVariable, VariableValue};
use crate::stream::{CommandId, InputStream, ShellValue, StreamContent, Writer, insert_ids};
use crate::translation::Translation;
use crate::word::{Cause, Directory, Unknown, ValueSource, Word, WordPart};

/// The cost of a word of a command that another command runs, in steps.
const WORD: usize = 16;

/// How many bytes of a database client's statements are read per step: `mysql <<< '\! rm x'`.
const STATEMENTS: usize = 8;

/// The cost of a byte of a text that is translated from PowerShell, cmd or fish, in steps.
const TRANSLATION: usize = 2;

/// The function and the alias of a name, which `command` and `builtin` bypass while they run it.
struct BypassedNames {
    function: Option<Rc<CommandNode>>,
    alias: Option<Alias>,
}

impl BypassedNames {
    /// Removes the function and the alias of a name from a state.
    fn take(state: &mut ShellState, name: &str) -> Self {
        let ShellState { functions, aliases, .. } = state;
        let function = functions.contains_key(name).then(|| Rc::make_mut(functions).remove(name)).flatten();
        let alias = aliases.contains_key(name).then(|| Rc::make_mut(aliases).remove(name)).flatten();
        Self { function, alias }
    }

    /// Puts them back, unless the command itself has defined new ones.
    fn restore(self, state: &mut ShellState, name: &str) {
        if let Some(function) = self.function {
            Rc::make_mut(&mut state.functions).entry(name.to_owned()).or_insert(function);
        }
        if let Some(alias) = self.alias {
            Rc::make_mut(&mut state.aliases).entry(name.to_owned()).or_insert(alias);
        }
    }
}

impl Frame<'_> {
    /// Walks the commands that a command runs (`sudo rm x`, `sh -c '…'`, `xargs rm`); `None` if it runs no command.
    pub(super) fn nested_commands(&mut self, made: &ExpandedCommand<'_>) -> Option<Flow> {
        let mut flow: Option<Flow> = None;
        let mut files = self.program_files(made);
        files.extend(self.loaded_files(made));
        files.extend(self.git_setup(made));
        files.extend(self.copied_program(made));
        files.extend(self.equivalents(made));
        files.extend(folded_program(made));
        files.extend(self.named_program(made));
        // The record of the command, in `commands`, already has the expanded words.
        let reads_statements = match &made.input.content {
            // Many commands may share one input, and each of them reads it: each charges for it.
            StreamContent::Known(text)
                if self.interpreter.commands.get(made.id.0).is_some_and(|it| reads_statements(&it.words)) =>
            {
                let letters: usize = text.word.parts.iter().filter_map(WordPart::text).map(str::len).sum();
                self.interpreter.spend(letters / STATEMENTS)
            }
            _ => false,
        };
        let command = self.interpreter.commands.get(made.id.0)?;
        let variables = command.environment.len();
        let stdin = match &made.input.content {
            StreamContent::Known(text) if reads_statements => nested_from_input(&command.words, &text.word),
            _ => Vec::new(),
        };
        let found: Vec<NestedCommand> = commands_nested_in(command)
            .into_iter()
            .chain(stdin)
            .chain(environment_commands(&command.words, &command.environment))
            .chain(files)
            .collect();
        // Each variable of the environment is compared with the variables after it.
        self.interpreter.spend(variables * variables / 8);
        for one in found {
            if !self.interpreter.spend(WORD * made.values.len()) {
                break;
            }
            let next = self.walk_nested(made, &one);
            flow = Some(match flow {
                Some(flow) => flow.concat(next),
                None => next,
            });
        }
        flow
    }

    /// Walks one of the commands that a command runs: as words, as a script, from its input, from a file, or as code
    /// in another language.
    pub(super) fn walk_nested(&mut self, made: &ExpandedCommand<'_>, inner: &NestedCommand) -> Flow {
        let mut setting = self.nested_context(made, inner);
        match &inner.runnable {
            Runnable::Argv(words) => self.run_words(made, inner, &setting, words),
            Runnable::Script(text, arguments) => {
                let text = self.inherit(&made.sources(), made, text);
                self.add_code_writers(made.id, &text.writers);
                if matches!(made.name(), Some("mapfile" | "readarray")) {
                    self.with_context(&setting).note_evaluation(EvaluatorKind::Script, &text);
                    return self.read_with_callback(made, inner, &setting, &text);
                }
                let arguments = self.arguments(made, inner, arguments, ArgumentZero::First);
                self.script_in(made, inner, &mut setting, &text, arguments)
            }
            Runnable::Input(arguments) => {
                let arguments = self.arguments(made, inner, arguments, ArgumentZero::Program);
                let mut words = made.values.iter().skip(1).filter_map(|value| value.word.known_text());
                let input = match words.find(|word| descriptor_number(word) == Some(0)) {
                    // A file that is opened through this name, such as `/dev/stdin`, is read from its beginning.
                    Some(name) if made.has_file_input() => {
                        Rc::new(self.file_input_with(&Word::text(name), &made.redirected.descriptors))
                    }
                    _ => Rc::clone(&made.input),
                };
                self.run_input(made, inner, &mut setting, &input, arguments)
            }
            Runnable::File(file) => {
                if let Some((path, why)) = self.possible_written_file(file) {
                    let doubt = inner.doubt.clone().or(Some(why));
                    let runnable = Runnable::File(path);
                    return self.walk_nested(made, &NestedCommand { runnable, doubt, ..inner.clone() });
                }
                self.note_script(made, inner, &setting, file);
                let behind = made.values.iter().position(|value| value.word == *file).map_or(0, |at| at + 1);
                let words = made.values.iter().skip(behind).map(|value| value.word.clone());
                // In a separate process, `$0` is the file; after `.`, `$0` does not change.
                let zero = (!inner.setting.in_this_shell).then(|| file.clone());
                let kind = if zero.is_some() { ArgumentZero::First } else { ArgumentZero::Program };
                let words: Vec<Word> = zero.into_iter().chain(words).collect();
                let arguments = self.arguments(made, inner, &words, kind);
                let input = self.read_file(made, file);
                self.run_input(made, inner, &mut setting, &input, arguments)
            }
            Runnable::Foreign(code) => {
                self.note_code_file(made, inner, &setting, code);
                self.walk_foreign(made, &setting, code)
            }
        }
    }

    /// Returns the context of a command that `made` runs: that of `made`, which becomes the last entry of `via`, with its
    /// input and with what `inner` adds. Of the two scopes the farther one holds, since a command of a container stays in
    /// it.
    fn nested_context(&self, made: &ExpandedCommand<'_>, inner: &NestedCommand) -> WalkContext {
        let mut context = self.context.clone();
        context.via.push(made.id);
        context.doubt = context.doubt.or_else(|| inner.doubt.clone());
        context.scope = inner.setting.scope.map_or(context.scope, |scope| scope.max(context.scope));
        context.may_be_task |= inner.setting.may_be_task;
        context.in_loop |= inner.setting.repeats;
        context.in_background |= inner.setting.in_background;
        context.input = Rc::clone(&made.input);
        // A child in another container or on another machine inherits no open files.
        if context.scope == self.context.scope {
            self.inherit_sockets(made, &mut context);
        }
        context
    }

    /// Adds the network connections of a command to the context of its child, which inherits them:
    /// `nohup bash -i >& /dev/tcp/H/P`.
    fn inherit_sockets(&self, made: &ExpandedCommand<'_>, context: &mut WalkContext) {
        let Some(command) = self.interpreter.commands.get(made.id.0) else { return };
        for redirect in command.redirects.iter().filter(|redirect| redirect.target.socket().is_some()) {
            if !context.redirects.iter().any(|(known, _)| known == redirect) {
                Rc::make_mut(&mut context.redirects).push((redirect.clone(), self.state.cwd.clone()));
            }
        }
    }

    /// Runs words as a command, in a separate process or in this shell (`command`, `builtin`).
    fn run_words(
        &mut self,
        made: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        setting: &WalkContext,
        words: &[Word],
    ) -> Flow {
        let sources = made.sources();
        let values: Vec<ShellValue> = words.iter().map(|word| self.inherit(&sources, made, word)).collect();
        // In zsh, `command` only runs programs.
        let is_program = made.name() == Some("command") && self.state.reading.has(DialectFeature::ZshSyntax);
        if inner.setting.in_this_shell && inner.setting.environment.is_empty() && !is_program {
            return self.argv_in_this_shell(made, inner, setting, words, &values);
        }
        let mut state = self.state.clone();
        state.functions = Rc::default();
        state.aliases = Rc::default();
        state.descriptors = made.redirected.body_descriptors();
        let is_listed = |part: &WordPart| matches!(part, WordPart::Unknown(unknown) if unknown.reason.source == ValueSource::InputWords);
        if words.iter().flat_map(|word| &word.parts).any(is_listed) {
            // The words may come from `xargs`, whose children do not get its standard input.
            state.descriptors.files.may_be_stream(0);
        }
        self.apply_process_settings(&mut state, inner, setting);
        let flow = self.with_state(&mut state, setting).record(words.to_vec(), &values).stop_jump(Jump::Shell);
        self.state.consumed = state.consumed;
        flow
    }

    /// Runs words as a command of this shell (`command name`, `builtin name`). The functions and the alias of that
    /// name are bypassed; other names, for example in an `eval`, still refer to their functions.
    fn argv_in_this_shell(
        &mut self,
        made: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        setting: &WalkContext,
        words: &[Word],
        values: &[ShellValue],
    ) -> Flow {
        let name = words.first().and_then(Word::known_text).unwrap_or_default();
        let bypassed = BypassedNames::take(self.state, name);
        let outside = self.enter_body(made.redirected);
        let hidden = self.state.hidden.clone();
        if let Some(why) = hidden_environment(inner) {
            self.state.hidden.get_or_insert(why);
        }
        let flow = self.with_context(setting).record(words.to_vec(), values);
        if hidden_environment(inner).is_some() {
            self.state.hidden = hidden;
        }
        self.leave_body(&outside, made.redirected);
        bypassed.restore(self.state, name);
        flow
    }

    /// Records a command with expanded words, and walks what it does.
    pub(super) fn record(&mut self, words: Vec<Word>, values: &[ShellValue]) -> Flow {
        if !self.interpreter.enter(ARGV_LEVELS) {
            let text: Vec<String> = words.iter().map(Word::display_text).collect();
            self.add_opaque(Cause::TooDeep, excerpt(&text.join(" ")), Some(text.join(" ")));
            return Flow::unknown();
        }
        let flow = self.walk_words(words, values);
        self.interpreter.leave(ARGV_LEVELS);
        flow
    }

    /// Records a command with expanded words and without redirections, and walks its effects.
    fn walk_words(&mut self, words: Vec<Word>, values: &[ShellValue]) -> Flow {
        let id = self.reserve();
        let redirected = self.no_redirects();
        self.fill_record(id, words, Vec::new(), &redirected);
        let from = self.sources(Vec::new(), values);
        self.record_passed_writers(id, values, from);
        let made =
            ExpandedCommand { id, values, declared_assignments: &[], redirected: &redirected, input: self.stdin() };
        self.effects(&made)
    }

    /// Walks a text as a shell script that a command runs, in this shell or in a child. Returns an unknown flow and
    /// records opaque code if the text is unknown.
    pub(super) fn script_in(
        &mut self,
        made: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        setting: &mut WalkContext,
        text: &ShellValue,
        arguments: Option<PositionalParameters>,
    ) -> Flow {
        setting.span_tracking = SpanTracking::Dropped;
        self.with_context(setting).note_evaluation(EvaluatorKind::Script, text);
        if generators::is_output(text) && self.is_generated(&text.writers) {
            return Flow::empty();
        }
        let Some(script) = self.nested(text) else {
            let why =
                text.word.unknown_reason().unwrap_or_else(|| Unknown::new(Cause::Decoded, text.word.display_text()));
            self.with_context(setting).add_opaque(why.cause, why.word, None);
            return Flow::unknown();
        };
        self.note_embedded_output(setting, text);
        let is_file = matches!(inner.runnable, Runnable::File(_));
        let language = match inner.setting.language {
            ScriptLanguage::Bourne if is_file && is_fish_script(text) => ScriptLanguage::Fish,
            language => language,
        };
        let script = self.with_context(setting).translated(language, script);
        if inner.setting.in_this_shell {
            return self.in_this_shell(made, inner, setting, &script, arguments);
        }
        let mut state = self.state.child(arguments.unwrap_or(PositionalParameters::Unknown));
        state.descriptors = made.redirected.body_descriptors();
        self.apply_process_settings(&mut state, inner, setting);
        let readers = match &inner.runnable {
            _ if language != ScriptLanguage::Bourne => DialectSet::BASH,
            Runnable::File(_) if inner.setting.reader.is_empty() => {
                shebang_dialects(text).unwrap_or(inner.setting.reader)
            }
            _ => inner.setting.reader,
        };
        let doubts = self.interpreter.doubts;
        let mut frame = self.with_state(&mut state, setting);
        inner.setting.options.iter().for_each(|(option, sign)| frame.set_option(option, *sign));
        let readers = if language == ScriptLanguage::Bourne { frame.readers(readers) } else { readers };
        let flow =
            frame.walk_each_dialect(readers, &script, |frame| frame.walk_subshell_text(&script)).stop_jump(Jump::Shell);
        self.state.consumed = state.consumed;
        self.after_subshell(flow, doubts)
    }

    /// Walks a script that changes the state of this shell: `eval`, `.`.
    fn in_this_shell(
        &mut self,
        made: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        setting: &WalkContext,
        script: &str,
        arguments: Option<PositionalParameters>,
    ) -> Flow {
        let outer = arguments.map(|given| std::mem::replace(&mut self.state.arguments, Rc::new(given)));
        let outside = self.enter_body(made.redirected);
        let flow = match inner.runnable {
            // A `return` leaves a sourced script.
            Runnable::File(_) => {
                let jumps = std::mem::take(&mut self.interpreter.jumps);
                let flow = self.with_context(setting).walk_script(script);
                self.join_jumps(jumps, Jump::Function);
                flow.stop_jump(Jump::Function)
            }
            _ => self.with_context(setting).walk_script(script),
        };
        self.leave_body(&outside, made.redirected);
        if let Some(outer) = outer {
            self.state.arguments = outer;
        }
        flow
    }

    /// Translates a text into Bourne shell code, and records the parts that cannot be translated as opaque.
    pub(super) fn translated(&mut self, language: ScriptLanguage, text: String) -> String {
        let Translation { script, unread } = match language {
            ScriptLanguage::Bourne => return text,
            ScriptLanguage::PowerShell => powershell::translate(&text),
            ScriptLanguage::Cmd => powershell::translate_batch(&text),
            ScriptLanguage::Fish => fish::translate(&text),
        };
        self.interpreter.spend(TRANSLATION * (text.len() + script.len()));
        for rest in unread {
            self.add_opaque(Cause::Foreign, excerpt(&rest), Some(rest));
        }
        script
    }

    /// Records an unknown output that is a part of a script as opaque: it may contain commands. The output of a
    /// program that prints only data, such as `date`, is not recorded.
    fn note_embedded_output(&mut self, setting: &WalkContext, text: &ShellValue) {
        let unknown = text.word.parts.iter().find_map(|part| match part {
            WordPart::Unknown(unknown) if unknown.reason.cause == Cause::Output => Some(unknown.reason.word.clone()),
            _ => None,
        });
        let count = self.interpreter.commands.len();
        let is_plain = |writer: &Writer| match writer {
            Writer::Command(id) => id.0 >= count || self.interpreter.name(*id).is_some_and(prints::is_data_program),
            Writer::Deferred(_) => true,
        };
        if let Some(word) = unknown
            && (text.writers.is_empty() || !text.writers.iter().all(is_plain))
        {
            self.with_context(setting).add_opaque(Cause::Output, word, None);
        }
    }

    /// Walks an input as a script: its content, if known; otherwise it is recorded as opaque.
    fn run_input(
        &mut self,
        made: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        setting: &mut WalkContext,
        input: &InputStream,
        arguments: Option<PositionalParameters>,
    ) -> Flow {
        self.add_code_writers(made.id, &input.writers);
        let file = match &inner.runnable {
            Runnable::File(file) => file.display_text(),
            _ => String::new(),
        };
        match &input.content {
            StreamContent::Unset => Flow::empty(),
            StreamContent::Known(text) => {
                if matches!(inner.runnable, Runnable::Input(_)) {
                    // What the commands of the script read from standard input is the unknown rest after the script.
                    setting.input = Rc::default();
                }
                self.script_in(made, inner, setting, text, arguments)
            }
            StreamContent::File(file) => {
                if let Runnable::Input(arguments) = &inner.runnable {
                    let words = std::iter::once(file).chain(arguments).cloned().collect();
                    self.note_script_with(made, inner, setting, words);
                }
                self.record_unseen_script(setting, file);
                if inner.setting.in_this_shell {
                    self.state.hide(Unknown::new(Cause::ScriptFile, file.display_text()));
                }
                Flow::unknown()
            }
            StreamContent::Program(literals) => {
                self.record_program(setting, literals);
                Flow::unknown()
            }
            StreamContent::Unknown if self.is_generated(&input.writers) => Flow::empty(),
            StreamContent::Unknown => {
                self.with_context(setting).add_opaque(Cause::Decoded, file, None);
                Flow::unknown()
            }
        }
    }

    /// Returns the content of a file that a command reads.
    pub(super) fn read_file(&mut self, made: &ExpandedCommand<'_>, file: &Word) -> InputStream {
        match file.known_text() {
            Some("-") => (*made.input).clone(),
            Some(name) if descriptor_number(name) == Some(0) && !made.has_file_input() => (*made.input).clone(),
            _ => self.file_input_with(file, &made.redirected.descriptors),
        }
    }

    /// Records a script file whose content is not known as opaque.
    fn record_unseen_script(&mut self, setting: &WalkContext, file: &Word) {
        let shown = file.display_text();
        let writers = self.possible_writers(file);
        if !writers.is_empty() {
            // The text may have written the file: the record names the possible writers and the command that runs the
            // file, so that rules about either of them match.
            let names = writers
                .iter()
                .filter_map(|writer| writer.command())
                .chain(setting.via.last().copied())
                .filter_map(|id| self.interpreter.name(id));
            let names: Vec<&str> = names.collect();
            let text = format!("{} {}", file.literal(), names.join(" "));
            self.with_context(setting).add_opaque(Cause::ScriptFile, shown.clone(), Some(text));
        }
        self.with_context(setting).add_opaque(Cause::ScriptFile, shown, Some(file.literal()));
    }

    /// Records writers whose output a command executes.
    pub(super) fn add_code_writers(&mut self, id: CommandId, from: &[Writer]) {
        if let Some(sources) = self.interpreter.sources.get_mut(id.0) {
            insert_ids(&mut sources.code, from);
        }
        self.interpreter.spend(from.len());
    }

    /// Returns `$0`, `$1`, … of the script, from the words after it; `None` if the script keeps those of this shell
    /// (`eval`).
    fn arguments(
        &mut self,
        made: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        words: &[Word],
        zero: ArgumentZero,
    ) -> Option<PositionalParameters> {
        if inner.setting.in_this_shell && words.is_empty() {
            return None;
        }
        let sources = made.sources();
        let mut values = words.iter().map(|word| self.inherit(&sources, made, word));
        let program = || ShellValue::text(made.name().unwrap_or("bash"));
        let zero = match zero {
            ArgumentZero::First => values.next().unwrap_or_else(program),
            ArgumentZero::Program => program(),
        };
        Some(PositionalParameters::Known(zero, values.collect()))
    }

    /// Applies the settings of the process that runs the code, such as `env -i`, `-C dir` or variables, to a state.
    fn apply_process_settings(&mut self, state: &mut ShellState, inner: &NestedCommand, setting: &WalkContext) {
        if inner.setting.closes_files {
            state.descriptors.files.may_be_closed();
        }
        if setting.scope != self.context.scope {
            // A shell on another machine has none of this one's state.
            let words = setting.via.last().and_then(|id| self.interpreter.name(*id)).unwrap_or_default().to_owned();
            state.variables = Rc::default();
            state.home = None;
            state.previous = None;
            state.descriptors.files = OpenFiles::default();
            state.cwd = Directory::Unknown(Unknown::new(Cause::Directory, words));
        }
        if let Some(why) = hidden_environment(inner) {
            state.hide(why);
        }
        if let Some(directory) = &inner.setting.directory {
            state.cwd = state.directory_at(directory);
        }
        if inner.setting.inherited == InheritedEnvironment::Nothing {
            state.clear_environment();
        }
        if inner.setting.environment.is_empty() {
            return;
        }
        self.interpreter.spend(state.variables.len());
        for assignment in &inner.setting.environment {
            let binding = match &assignment.value {
                Some(word) => {
                    VariableValue::One(ShellValue { word: Word { span: None, ..word.clone() }, writers: Vec::new() })
                }
                None => VariableValue::Unset,
            };
            if let VariableValue::One(value) = &binding {
                self.note_assigned(&assignment.name, value);
            }
            self.function_in_environment(state, &assignment.name, assignment.value.as_ref());
            state.set(&assignment.name, binding.clone());
            let variable = ShellVariable { binding, is_exported: true };
            Rc::make_mut(&mut state.variables).insert(assignment.name.clone(), variable);
        }
    }
}

/// Returns a command whose program has a record in lower case only: where the file system folds case, `RM` runs `rm`.
fn folded_program(made: &ExpandedCommand<'_>) -> Option<NestedCommand> {
    let name = made.name().filter(|name| name.bytes().any(|byte| byte.is_ascii_uppercase()))?;
    let base = program_name(&made.values.first()?.word)?;
    let lower = base.to_ascii_lowercase();
    if crate::programs::program(base).is_some() || crate::programs::program(&lower).is_none() {
        return None;
    }
    let words = std::iter::once(Word::text(lower)).chain(made.values.iter().skip(1).map(|value| value.word.clone()));
    let doubt = Some(Unknown::new(Cause::Alias, name));
    Some(NestedCommand { doubt, ..NestedCommand::from(Runnable::Argv(words.collect())) })
}

/// Returns why the environment of the code may have more variables: an unknown word of the wrapper may be an
/// assignment (`env $X make`). `None` if the doubt has another cause.
fn hidden_environment(inner: &NestedCommand) -> Option<Unknown> {
    let may_set =
        |why: &&Unknown| !matches!(why.cause, Cause::Option | Cause::EarlierCommand | Cause::Alias | Cause::Glob);
    inner.doubt.as_ref().filter(may_set).cloned()
}

/// Which word becomes `$0` of a script.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentZero {
    /// The first word after the script.
    First,
    /// The name of the shell.
    Program,
}

impl ExpandedCommand<'_> {
    /// Returns the values of the command that contain output of other commands.
    pub(super) fn sources(&self) -> Vec<&ShellValue> {
        self.values.iter().filter(|value| !value.writers.is_empty()).collect()
    }
}

impl Frame<'_> {
    /// Returns a word of a nested command as a value, with the writers of the words that it was built from. A word
    /// counts as a source if its known text, or one of its unknown parts, is in the new word.
    pub(super) fn inherit(&mut self, sources: &[&ShellValue], made: &ExpandedCommand<'_>, word: &Word) -> ShellValue {
        let mut value = ShellValue { word: word.clone(), writers: Vec::new() };
        let (known, own) = (word.literal(), unknown_parts(word));
        for source in sources {
            if !self.interpreter.spend(source.writers.len()) {
                break;
            }
            let is_held = match source.word.known_text() {
                Some(text) => !text.is_empty() && known.contains(text),
                None => unknown_parts(&source.word).iter().any(|why| own.contains(why)),
            };
            if is_held {
                value.add_writers(&source.writers);
            }
        }
        if own.iter().any(|why| why.cause == Cause::Input) {
            value.add_writers(&made.input.writers);
        }
        value
    }
}

/// Returns the reasons of the unknown parts of a word, except for names that a glob was expanded to.
fn unknown_parts(word: &Word) -> Vec<&Unknown> {
    let unknowns = word.parts.iter().filter_map(|part| match part {
        WordPart::Unknown(unknown) => unknown.matched_glob().is_none().then_some(&unknown.reason),
        WordPart::Text(_) | WordPart::Glob(_) => None,
    });
    unknowns.collect()
}
