//! Simple commands: expands their words, records them and applies their effects.

use std::rc::Rc;

use super::flow::{Flow, Jump};
use super::redirects::{EvaluatedRedirects, rebase_redirect};
use super::{CommandSources, Frame, SpanTracking, builtins};
use crate::analysis::{Assignment, Redirect, RedirectKind, SimpleCommand};
use crate::argv::program_name;
use crate::dialect::{Dialect, DialectFeature};
use crate::evaluated::EvaluatorKind;
use crate::expand::{self, ExpansionContext};
use crate::files::contents;
use crate::parse::{RawText, Redirection, assigned_name, is_name};
use crate::state::{OptionState, OutputCapture, ProgramLookup, ShellState, VariableLookup, VariableValue};
use crate::stream::{CommandId, InputStream, ShellValue, StreamContent, Writer, insert_ids};
use crate::word::{Directory, Word, WordPart};

/// The cost of recording a command, in steps.
pub(super) const RECORD_COST: usize = 40;

/// An expanded assignment, before a command (`A=1 make`) or among the arguments of a declaring builtin
/// (`export A=1`).
#[derive(Clone, Debug)]
pub(super) struct ExpandedAssignment {
    pub name: String,
    /// The text between the brackets of `name[…]=value`.
    pub subscript: Option<String>,
    /// Whether it is `name+=value`.
    pub appends: bool,
    /// The assigned value.
    pub binding: VariableValue,
    /// The index of the assignment among the words of a declaring builtin; 0 for an assignment before a command.
    pub word_index: usize,
    /// Whether the name or the `=` is quoted.
    pub is_quoted: bool,
}

/// The words of a command that are expanded so far.
#[derive(Default)]
struct CommandWords {
    values: Vec<ShellValue>,
    /// The assignments among the arguments of a declaring builtin: `export A=1`.
    declared_assignments: Vec<ExpandedAssignment>,
    /// The assignments that only apply to the environment of the command: `A=1 make`.
    prefix_assignments: Vec<ExpandedAssignment>,
    /// The assignments before the command, as recorded in `SimpleCommand`.
    records: Vec<Assignment>,
}

/// A command with its words expanded.
pub(super) struct ExpandedCommand<'m> {
    pub id: CommandId,
    pub values: &'m [ShellValue],
    /// The assignments among the arguments of a declaring builtin such as `export`.
    pub declared_assignments: &'m [ExpandedAssignment],
    /// The effects of its redirections.
    pub redirected: &'m EvaluatedRedirects,
    /// Its standard input.
    pub input: Rc<InputStream>,
}

impl ExpandedCommand<'_> {
    /// Returns the name of the program as written, if it is known.
    pub(super) fn name(&self) -> Option<&str> {
        self.values.first()?.word.known_text()
    }

    /// Whether the command's standard input is certainly a file. If so, opening it again as `/dev/stdin` reads it from
    /// its beginning.
    pub(super) fn has_file_input(&self) -> bool {
        self.redirected.descriptors.files.get(0).certain_file().is_some()
    }
}

impl Frame<'_> {
    /// Walks a simple command: expands its assignments, words and redirections in the shell's order, records it, and
    /// applies its effects.
    pub(super) fn walk_simple(
        &mut self,
        assignments: &[RawText],
        words: &[RawText],
        redirects: &[Redirection],
    ) -> Flow {
        let id = self.reserve_command();
        let outer = self.interpreter.expanding.replace(id);
        let (variables_before, lookup_before) = (Rc::clone(&self.state.variables), self.state.lookup);
        let mut expanded = CommandWords::default();
        for raw in assignments {
            // Each assignment sees the values of those before it.
            let assignment = self.expand_assignment(&raw.text);
            expanded.records.push(assignment.record(self.state));
            self.assign(&assignment);
            expanded.prefix_assignments.push(assignment);
        }
        if !words.is_empty() {
            // The words are expanded without the assignments: `A=1 echo $A` prints the old value.
            self.state.variables = variables_before;
        }
        words.iter().for_each(|raw| self.expand_word(raw, &mut expanded));
        let CommandWords { mut values, declared_assignments, prefix_assignments, records } = expanded;
        if self.context.span_tracking == SpanTracking::Dropped {
            values.iter_mut().for_each(|value| value.word.span = None);
        }
        let mut redirected = self.evaluate_redirects(redirects);
        let name = values.first().and_then(|first| first.word.known_text());
        if redirected.changed.len() > 1 && name.is_some_and(|name| self.state.functions.contains_key(name)) {
            redirected.share_files();
        }
        self.interpreter.expanding = outer;
        let expanded_words = values.iter().map(|value| value.word.clone()).collect();
        self.fill_record(id, expanded_words, records, &redirected);
        if values.is_empty() {
            if !words.is_empty() {
                prefix_assignments.iter().for_each(|assignment| self.assign(assignment));
            }
            return self.run_without_program(id, &redirected, &prefix_assignments);
        }
        let from = self.add_value_writers(redirected.writers.clone(), &values);
        self.record_passed_writers(id, &values, from);
        let flow = self.run(id, &values, &declared_assignments, &prefix_assignments, &redirected);
        if prefix_assignments.iter().any(|assignment| assignment.name == "PATH") {
            self.state.lookup = lookup_before;
        }
        flow
    }

    /// Expands a word of a command, and adds the result to the command's words or assignments.
    fn expand_word(&mut self, raw: &RawText, expanded: &mut CommandWords) {
        let is_assignment = |frame: &Self| assigned_name(&raw.text, &frame.state.reading).is_some();
        if self.state.options.keyword == OptionState::On && is_assignment(self) {
            // With `set -k`, an assignment after the program belongs to the environment and is not one of the words.
            let assignment = self.expand_assignment(&raw.text);
            expanded.records.push(assignment.record(self.state));
            expanded.prefix_assignments.push(assignment);
            return;
        }
        let name = expanded.values.first().and_then(|first| first.word.known_text());
        if !name.is_some_and(builtins::is_declaring) || !is_assignment(self) {
            return expand::words(self, raw, &mut expanded.values);
        }
        // Braces turn one word into several.
        for text in expand::alternatives(self, &raw.text) {
            let assignment = ExpandedAssignment { word_index: expanded.values.len(), ..self.expand_assignment(&text) };
            expanded.values.push(assignment.display_value(&text));
            expanded.declared_assignments.push(assignment);
        }
    }

    /// Walks a command that has only assignments or redirections. In zsh, `<file` prints the content of the file.
    fn run_without_program(
        &mut self,
        id: CommandId,
        redirected: &EvaluatedRedirects,
        prefix_assignments: &[ExpandedAssignment],
    ) -> Flow {
        let content = match &redirected.input {
            // Zsh prints the input.
            Some(input) if prefix_assignments.is_empty() && self.state.reading.has(DialectFeature::ZshSyntax) => {
                match &input.content {
                    StreamContent::Known(text) => StreamContent::Known(text.clone()),
                    _ => StreamContent::Unknown,
                }
            }
            // A host may pass the text to the user's zsh.
            Some(_) if prefix_assignments.is_empty() && self.prints_input_in_zsh() => StreamContent::Unknown,
            _ => StreamContent::empty(),
        };
        let from = redirected.input.as_ref().map(|input| input.writers.clone()).unwrap_or_default();
        if prefix_assignments.is_empty() {
            self.null_command(&redirected.redirects);
        }
        if let Some(sources) = self.interpreter.sources.get_mut(id.0) {
            sources.passes = from;
        }
        let flow = Flow { out: vec![id], content, jump: Jump::Nothing };
        self.record_output_writes(redirected, &flow);
        flow
    }

    /// Whether `<file` may print the content of the file because the shell may be zsh: the text is bash's, and is not
    /// inside a substitution.
    fn prints_input_in_zsh(&self) -> bool {
        self.state.reading.dialect() == Dialect::Bash && self.state.capture != OutputCapture::Output
    }

    /// Returns the output of `<file` as the last command of a substitution: the content of the file. In any other
    /// context, returns `content`.
    pub(super) fn file_alone(&self, content: StreamContent) -> StreamContent {
        let last = self.interpreter.commands.last();
        match last.filter(|_| self.state.capture == OutputCapture::Output) {
            Some(last) if self.state.reading.has(DialectFeature::FileOutputs) => match &last.input.content {
                // In zsh it must be the only command.
                StreamContent::Known(_) if self.state.reading.has(DialectFeature::ZshSyntax) => StreamContent::Unknown,
                content => content.clone(),
            },
            _ => content,
        }
    }

    /// Adds the writers whose output is in the values to `from`.
    pub(super) fn add_value_writers(&mut self, mut from: Vec<Writer>, values: &[ShellValue]) -> Vec<Writer> {
        let mut last: &[Writer] = &[];
        for value in values.iter().filter(|value| !value.writers.is_empty()) {
            self.interpreter.spend(value.writers.len() / 8);
            // The words of one expansion have equal writers, which are added only once.
            if value.writers != last {
                insert_ids(&mut from, &value.writers);
                last = &value.writers;
            }
        }
        from
    }

    /// Applies the effects of a program, function or builtin, with the assignments before it in its environment.
    fn run(
        &mut self,
        id: CommandId,
        values: &[ShellValue],
        declared_assignments: &[ExpandedAssignment],
        prefix_assignments: &[ExpandedAssignment],
        redirected: &EvaluatedRedirects,
    ) -> Flow {
        let input = redirected.input.clone().unwrap_or_else(|| self.stdin());
        let command = ExpandedCommand { id, values, declared_assignments, redirected, input };
        let before = Rc::clone(&self.state.variables);
        for assignment in prefix_assignments {
            self.assign(assignment);
            self.state.export(&assignment.name);
        }
        let doubts = self.interpreter.doubts;
        let flow = self.apply_effects(&command);
        if !prefix_assignments.is_empty() && !self.is_special(command.name()) {
            // The assignments only apply to this command.
            let names: Vec<&str> = prefix_assignments.iter().map(|assignment| assignment.name.as_str()).collect();
            self.state.restore(&names, &before);
        }
        self.send_output(redirected, flow, doubts)
    }

    /// Reserves the id of a command, and records what its context determines. The rest is recorded later, because the
    /// expansion of its words may record other commands, which get later ids.
    pub(super) fn reserve_command(&mut self) -> CommandId {
        let id = CommandId(self.interpreter.commands.len());
        let context = self.context;
        self.interpreter.commands.push(SimpleCommand {
            outer_commands: context.via.clone(),
            doubt: context.doubt.clone(),
            may_be_task: context.may_be_task,
            scope: context.scope,
            in_loop: context.in_loop,
            in_background: context.in_background,
            in_substitution: context.in_substitution,
            ..SimpleCommand::with_input(Vec::new(), self.state.cwd.clone(), Rc::clone(&self.interpreter.no_input))
        });
        self.interpreter.sources.push(CommandSources::default());
        let path_length = directory(&self.state.cwd).map_or(0, str::len);
        self.interpreter
            .spend(RECORD_COST + path_length / 8 + context.via.len() + context.redirects.len() + context.calls.len());
        id
    }

    /// Fills in the reserved record of a command: its words, redirections, environment and input.
    pub(super) fn fill_record(
        &mut self,
        id: CommandId,
        words: Vec<Word>,
        assignments: Vec<Assignment>,
        redirected: &EvaluatedRedirects,
    ) {
        if self.interpreter.watch.is_some()
            && let Some(name) = words.first()
        {
            self.note_evaluation(EvaluatorKind::Program, &ShellValue { word: name.clone(), writers: Vec::new() });
        }
        let input = redirected.input.clone().unwrap_or_else(|| self.stdin());
        let mut environment = self.state.environment();
        environment.extend(assignments.iter().cloned());
        let is_shadowed = words.first().and_then(Word::known_text).is_some_and(|name| self.is_shadowed(name));
        let redirects = self.all_redirects(redirected, &input);
        let span = words_span(&words);
        let words = match words.iter().any(Word::has_matched) && !has_varying_effect(&words, &redirects) {
            // A single run with all names has the same effect as one run for each name.
            true => words.iter().map(|word| word.as_globs().into_owned()).collect(),
            false => words,
        };
        self.interpreter.spend(16 * environment.len() + input.writers.len() + 16 * redirects.len());
        for writer in &input.direct {
            if let Some(command) = self.interpreter.command_mut(*writer) {
                command.piped_to.push(id);
                self.interpreter.pipe_writers.push(*writer);
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
            if !is_same_directory(&command.cwd, &self.state.cwd) {
                command.cwd.clone_from(&self.state.cwd);
            }
            command.span = span;
        }
    }

    /// Returns the redirections of a command and of the groups around it, and its network connections.
    fn all_redirects(&mut self, redirected: &EvaluatedRedirects, input: &InputStream) -> Vec<Redirect> {
        let mut redirects = redirected.redirects.clone();
        // Charges for the here-documents and here-strings, including those of enclosing groups: later checks of the
        // command read them.
        let texts = self.context.redirects.iter().filter(|(redirect, _)| redirect.kind == RedirectKind::Text);
        let letters: usize =
            texts.flat_map(|(text, _)| &text.target.parts).filter_map(WordPart::text).map(str::len).sum();
        self.interpreter.spend(letters / 4);
        let around = self.context.redirects.iter();
        redirects.extend(around.map(|(redirect, from)| rebase_redirect(redirect, from, &self.state.cwd)));
        self.add_sockets(redirected, input, &mut redirects);
        redirects
    }

    /// Whether a name may not refer to the usual program, because the text defines a function or an alias of that name,
    /// or changes where programs are found.
    fn is_shadowed(&self, name: &str) -> bool {
        let is_defined = self.state.functions.contains_key(name) || self.state.aliases.contains_key(name);
        is_defined || self.state.lookup != ProgramLookup::Usual && !name.contains('/')
    }

    /// Expands an assignment as written, without applying it.
    pub(super) fn expand_assignment(&mut self, text: &str) -> ExpandedAssignment {
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
            Some(list) => self.expand_list(name, list),
            None => VariableValue::One(expand::assigned_value(self, value)),
        };
        ExpandedAssignment { name: name.to_owned(), subscript, appends, binding, word_index: 0, is_quoted: false }
    }

    /// Expands the elements of a list: `a b c` in `(a b c)`. A list with keys (`[k]=v`) is unknown.
    pub(super) fn expand_list(&mut self, name: &str, list: &str) -> VariableValue {
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
            let mut unknown = ShellValue::variable(name);
            values.iter().for_each(|value| unknown.add_writers(&value.writers));
            return VariableValue::One(unknown);
        }
        VariableValue::List(values)
    }

    /// Applies an assignment to the state. Does nothing if the name is not valid.
    pub(super) fn assign(&mut self, assignment: &ExpandedAssignment) {
        let name = &assignment.name;
        if !is_name(name) {
            return;
        }
        if self.state.is_changed(name) {
            // An assignment to a read-only variable ends the shell.
            self.interpreter.doubts.possible_exits += 1;
        }
        let binding = match (&assignment.subscript, assignment.appends, &assignment.binding) {
            (Some(subscript), _, binding) => {
                let mut value = ShellValue::variable(name);
                value.add_writers(binding.writers());
                match (self.state.find(name), subscript.as_str(), binding) {
                    // In zsh, indices start at one.
                    (VariableLookup::List(mut values), index, VariableValue::One(element))
                        if index == values.len().to_string() && !self.state.reading.has(DialectFeature::ZshSyntax) =>
                    {
                        values.push(element.clone());
                        VariableValue::List(values)
                    }
                    (VariableLookup::Unset | VariableLookup::Unknown, "0", VariableValue::One(element)) => {
                        VariableValue::List(vec![element.clone()])
                    }
                    _ => VariableValue::One(value),
                }
            }
            (None, false, binding) => binding.clone(),
            (None, true, binding) => appended_value(self.state, name, binding),
        };
        self.interpreter.spend(binding.size());
        match name.as_str() {
            "POSIXLY_CORRECT" => self.set_posix(Dialect::Posix),
            // `DIRSTACK` determines where `popd` goes.
            "DIRSTACK" => self.state.stack = Rc::default(),
            _ => {}
        }
        if let VariableValue::One(value) = &assignment.binding {
            self.note_assigned(name, value);
        }
        self.apply_name_array(name, assignment.subscript.as_deref(), &assignment.binding);
        self.apply_zsh_name_array(name, assignment.subscript.as_deref(), &assignment.binding);
        match binding {
            VariableValue::One(value) if assignment.subscript.is_none() && !assignment.appends => {
                self.state.assign_text(name, value)
            }
            binding => self.state.set(name, binding),
        }
    }

    /// Records the writers whose output may be in the output of a command: the writers of its words (`from`), of its
    /// input and of the files that it names.
    pub(super) fn record_passed_writers(&mut self, id: CommandId, values: &[ShellValue], mut from: Vec<Writer>) {
        if !from.is_empty()
            && let Some(sources) = self.interpreter.sources.get_mut(id.0)
        {
            sources.words.clone_from(&from);
        }
        let name = values.first().and_then(|value| value.word.known_text()).unwrap_or_default();
        if super::output::reads_input(name) {
            let input = self.interpreter.command_mut(id).map(|command| Rc::clone(&command.input)).unwrap_or_default();
            insert_ids(&mut from, &input.writers);
        }
        for value in values.iter().skip(1) {
            if let Some(input) = self.process_input_ref(&value.word) {
                insert_ids(&mut from, &input.writers);
            } else if let Some(written) = self.written_file(&value.word) {
                insert_ids(&mut from, &written.writers);
            }
        }
        // Looking up a file among the written ones needs its full path.
        let path_length = directory(&self.state.cwd).map_or(0, str::len);
        let cost_of_value = if self.interpreter.written.is_empty() { 1 } else { 8 + path_length / 16 };
        self.interpreter.spend(cost_of_value * values.len() + from.len());
        if let Some(sources) = self.interpreter.sources.get_mut(id.0) {
            sources.passes = from;
        }
    }
}

impl ExpandedAssignment {
    /// Returns the assignment as recorded in `SimpleCommand`. An array, or an element of one, has an unknown value.
    fn record(&self, state: &ShellState) -> Assignment {
        let binding = match self.appends {
            true => appended_value(state, &self.name, &self.binding),
            false => self.binding.clone(),
        };
        let word = match binding {
            VariableValue::One(value) if self.subscript.is_none() => value.word,
            _ => ShellValue::variable(&self.name).word,
        };
        Assignment { name: self.name.clone(), value: Some(Word { span: None, ..word }) }
    }

    /// Returns the assignment as a word among the arguments of `export`: the name, `=` or `+=`, and the expanded value.
    fn display_value(&self, text: &str) -> ShellValue {
        let VariableValue::One(value) = &self.binding else { return ShellValue::text(text) };
        let sign = if self.appends { "+=" } else { "=" };
        let mut word = ShellValue::text(format!("{}{sign}", self.name));
        word.append(value);
        word
    }
}

/// Returns the value of a variable after `name+=value`.
fn appended_value(state: &ShellState, name: &str, more: &VariableValue) -> VariableValue {
    match (state.find(name), more) {
        (VariableLookup::One(mut value), VariableValue::One(more)) => {
            value.append(more);
            VariableValue::One(value)
        }
        (VariableLookup::Unset, more) => more.clone(),
        (VariableLookup::One(value), VariableValue::List(more)) => {
            VariableValue::List(std::iter::once(value).chain(more.iter().cloned()).collect())
        }
        (VariableLookup::List(mut values), VariableValue::List(more)) => {
            values.extend(more.iter().cloned());
            VariableValue::List(values)
        }
        (VariableLookup::Unknown, VariableValue::One(more)) => {
            let mut value = ShellValue::variable(name);
            value.append(more);
            VariableValue::One(value)
        }
        (_, more) => {
            let mut value = ShellValue::variable(name);
            value.add_writers(more.writers());
            VariableValue::One(value)
        }
    }
}

/// Whether running a command once for each name that a glob matches differs from running it once with all names: it
/// does for `cp $f $f.bak`, but not for `rm $f`.
fn has_varying_effect(words: &[Word], redirects: &[Redirect]) -> bool {
    let has_target = |word: &Word| program_name(word).and_then(contents).is_some_and(|row| row.has_target());
    redirects.iter().any(|redirect| redirect.target.has_matched())
        || words.iter().any(|word| word.has_matched() && word.parts.len() > 1 || has_target(word))
}

/// Returns the span from the first word to the last; `None` unless every word has a span or is a literal text.
pub(super) fn words_span(words: &[Word]) -> Option<std::ops::Range<usize>> {
    let first = words.first()?.span.as_ref()?.start;
    let last = words.last()?.span.as_ref()?.end;
    (first <= last && words.iter().all(|word| word.span.is_some() || word.parts.iter().all(is_text)))
        .then_some(first..last)
}

fn is_text(part: &WordPart) -> bool {
    matches!(part, WordPart::Text(_))
}

/// Whether two known directories have the same path, compared as text, which is cheap.
fn is_same_directory(directory: &Directory, other: &Directory) -> bool {
    match (directory, other) {
        (Directory::Known(path), Directory::Known(other)) => path.as_os_str() == other.as_os_str(),
        _ => false,
    }
}

/// Returns the path of a directory, if it is known.
pub(super) fn directory(directory: &Directory) -> Option<&str> {
    match directory {
        Directory::Known(path) => path.to_str(),
        Directory::Unknown(_) => None,
    }
}
