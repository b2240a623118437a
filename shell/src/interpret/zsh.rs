//! Features that only zsh has: words before a command (`noglob`), its builtins, functions that zsh calls at certain
//! moments, and its arrays of aliases and functions.

use std::rc::Rc;

use super::flow::Flow;
use super::simple::ExpandedCommand;
use super::{Frame, SpanTracking, WalkContext, excerpt, zsh_code};
use crate::analysis::{RedirectKind, environment_value};
use crate::dialect::{Dialect, DialectFeature};
use crate::expand;
use crate::nested::{self, NestedCommand, Runnable};
use crate::parse::{CommandNode, is_name, is_reserved};
use crate::state::{PositionalParameters, ProgramLookup, VariableAttribute, VariableLookup, VariableValue};
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, Word};
use crate::zsh_builtins;

/// Library functions that evaluate their words: patterns, and texts that may contain substitutions.
const EVALUATORS: &[&str] = &["zcp", "zln", "zmv"];

/// Functions that zsh calls at certain moments, in addition to those whose names begin with `TRAP`.
const HOOK_FUNCTIONS: &[&str] = &["chpwd", "periodic", "precmd", "preexec", "zshaddhistory", "zshexit"];

/// Beginnings of the names of modules with other access to files, processes and the network.
const MODULE_PREFIXES: &[&str] = &["zsh/db/", "zsh/mapfile", "zsh/net/", "zsh/system", "zsh/zftp"];

/// Arrays whose elements are aliases, functions, program paths, directories or the contents of files.
const SPECIAL_ARRAYS: &[&str] = &[
    "mapfile",
    "aliases",
    "commands",
    "dis_aliases",
    "dis_functions",
    "dis_galiases",
    "dis_saliases",
    "functions",
    "galiases",
    "nameddirs",
    "saliases",
    "userdirs",
];

/// Variables that name the program that runs for a redirection without a command: `<file`.
const NULL_COMMANDS: [&str; 2] = ["NULLCMD", "READNULLCMD"];

/// Whether one of the arguments is an option with this letter: `-x`, `+x`.
fn has_flag(arguments: &[ShellValue], letter: char) -> bool {
    let letters = arguments.iter().filter_map(|value| value.word.known_text()?.strip_prefix(['-', '+']));
    letters.filter(|letters| !letters.starts_with('-')).any(|letters| letters.contains(letter))
}

impl Frame<'_> {
    /// Walks the command that zsh runs for words that are another program to bash: `noglob rm x`, `=rm x`,
    /// `repeat 2 rm x`. Also does so if the dialect is bash, because a host may run the text in the user's zsh. Returns
    /// `None` if there is no such command, or the dialect is another one.
    pub(super) fn zsh_command(&mut self, command: &ExpandedCommand<'_>) -> Option<Flow> {
        let name = command.name()?;
        if name == "foreach" && self.state.reading.has(DialectFeature::ZshSyntax) {
            // Its body may be among its words: `foreach x (a b) rm $x; end`.
            self.note_unread_words(command, name);
            self.forget_named_variables(command.values.get(1..).unwrap_or_default());
            return None;
        }
        if let Some(runnables) = zsh_code::runnables(name, command.values.get(1..).unwrap_or_default())
            && matches!(self.state.reading.dialect(), Dialect::Bash | Dialect::Zsh)
        {
            return self.run_possibly(command, runnables);
        }
        let (program_word, skipped) = match name {
            "noglob" | "nocorrect" | "-" => (None, 1),
            "repeat" => (None, 2),
            _ => match name.strip_prefix('=') {
                Some(program) if !program.is_empty() => (Some(ShellValue::text(program)), 1),
                _ => {
                    self.note_tight_group(command, name);
                    return None;
                }
            },
        };
        if !matches!(self.state.reading.dialect(), Dialect::Bash | Dialect::Zsh) {
            return None;
        }
        if let Some(word) = command.values.get(skipped).and_then(|value| value.word.known_text())
            && program_word.is_none()
            && is_reserved(word)
        {
            // A reserved word begins a loop or a group, which is not parsed here.
            let words: Vec<String> = command.values.iter().skip(skipped).map(|value| value.word.literal()).collect();
            self.add_opaque(Cause::Dialect, excerpt(name), Some(words.join(" ")));
            return Some(Flow::unknown());
        }
        for word in command.values.iter().skip(skipped).map_while(|value| value.word.prefix().split_once('=')) {
            self.state.forget(word.0.trim_end_matches('+'));
        }
        let values: Vec<ShellValue> =
            program_word.into_iter().chain(command.values.iter().skip(skipped).cloned()).collect();
        if values.is_empty() {
            return None;
        }
        let mut context = self.context.clone();
        context.via.push(command.id);
        context.doubt = context.doubt.or_else(|| Some(Unknown::new(Cause::Dialect, name)));
        context.input = Rc::clone(&command.input);
        let words = values.iter().map(|value| Word { span: None, ..value.word.clone() }).collect();
        Some(self.with_context(&context).record(words, &values))
    }

    /// Records a command such as `{rm x}` as opaque: zsh reads it as a group, because it needs no blanks next to
    /// braces.
    fn note_tight_group(&mut self, command: &ExpandedCommand<'_>, name: &str) {
        let ends_in_brace = command.values.last().is_some_and(|last| last.word.literal().ends_with('}'));
        if command.values.len() > 1 && name.starts_with('{') && ends_in_brace {
            let words: Vec<String> = command.values.iter().map(|value| value.word.literal()).collect();
            self.add_opaque(Cause::Dialect, excerpt(name), Some(words.join(" ")));
        }
    }

    /// Applies the effects of a zsh builtin, if the command is one, and returns the flow of the code that it runs.
    pub(super) fn zsh_builtin(&mut self, command: &ExpandedCommand<'_>) -> Option<Flow> {
        if !self.state.reading.has(DialectFeature::ZshSyntax) {
            return None;
        }
        let name = command.name()?;
        let sets_argument = name.starts_with(|c: char| c.is_ascii_digit()) && name.contains('=');
        let arguments = command.values.get(1..).unwrap_or_default();
        let has = |letter| has_flag(arguments, letter);
        let mut texts = arguments.iter().filter_map(|value| value.word.known_text());
        let reads_list = matches!(arguments, [option, _] if option.word.known_text() == Some("-A"));
        let sets_named = match name {
            "print" => has('v') || has('z'),
            "read" => has('A') && !reads_list,
            _ => zsh_builtins::sets_variables(name),
        };
        if sets_named {
            self.forget_named_variables(arguments);
        }
        if EVALUATORS.contains(&name) {
            self.note_unread_words(command, name);
        }
        match name {
            // `1=x`
            _ if sets_argument => self.state.arguments = Rc::new(PositionalParameters::Unknown),
            "print" if has('P') && self.state.options.prompt_subst => self.expand_prompts(arguments),
            "typeset" | "declare" | "local" if has('T') => self.tie_variables(arguments),
            // With a global alias, any word of a later command may be one.
            "alias" if has('g') => self.add_opaque(Cause::Alias, "alias -g", None),
            "alias" if has('s') => self.note_unread_words(command, "alias"),
            "zmodload" if texts.any(|name| MODULE_PREFIXES.iter().any(|module| name.starts_with(module))) => {
                self.add_opaque(Cause::Dialect, "zmodload", None);
            }
            "disable" => self.state.lookup = ProgramLookup::Changed,
            "hash" if !has('d') => self.set_zsh_hash(arguments),
            "autoload" => self.autoload(arguments),
            "functions" if has('c') => self.copy_function(arguments),
            "set" => self.set_by_zsh(arguments),
            "setopt" | "unsetopt" => {
                for value in arguments {
                    let option = value.word.known_text().map(|option| option.trim_start_matches(['-', '+']).to_owned());
                    self.state.options.set_of_zsh(option.as_deref());
                }
            }
            "emulate" => return self.emulate(command),
            _ => {}
        }
        None
    }

    /// Returns the command that zsh runs under the name in `ARGV0`: `ARGV0=rm busybox x`.
    pub(super) fn named_program(&self, command: &ExpandedCommand<'_>) -> Option<NestedCommand> {
        let recorded = self.interpreter.commands.get(command.id.0)?;
        let name = environment_value(&recorded.environment, "ARGV0")?;
        let words = nested::called_as(name, &recorded.words);
        let doubt = Some(Unknown::new(Cause::Dialect, "ARGV0"));
        (words != recorded.words).then(|| NestedCommand { doubt, ..NestedCommand::from(Runnable::Argv(words)) })
    }

    /// Walks the code that a builtin runs now or later; `None` if there is none.
    fn run_possibly(&mut self, command: &ExpandedCommand<'_>, runnables: Vec<Runnable>) -> Option<Flow> {
        let mut flow: Option<Flow> = None;
        for runnable in runnables {
            let in_this_shell = matches!(runnable, Runnable::Script(..));
            let setting = nested::NestedSetting { repeats: true, in_this_shell, ..nested::NestedSetting::default() };
            let doubt = command.name().map(|name| Unknown::new(Cause::Dialect, name));
            let next = self.walk_nested(command, &NestedCommand { runnable, setting, doubt });
            flow = Some(match flow {
                Some(flow) => flow.concat(next),
                None => next,
            });
        }
        flow
    }

    /// Applies `typeset -T LIST list`: a change of one of the variables changes the other, so both become unreliable.
    fn tie_variables(&mut self, arguments: &[ShellValue]) {
        self.forget_named_variables(arguments);
        let words = arguments.iter().filter_map(|value| value.word.known_text());
        for name in words.filter_map(|word| word.split('=').next()).filter(|name| is_name(name)) {
            self.state.set_attribute(name, VariableAttribute::Unreliable);
            self.state.forget(name);
        }
    }

    /// Applies `hash name=path`: each name refers to that program.
    fn set_zsh_hash(&mut self, arguments: &[ShellValue]) {
        self.state.lookup = ProgramLookup::Changed;
        for value in arguments {
            let Some((name, _)) = value.word.prefix().split_once('=') else { continue };
            if let Some(word) = value.word.strip_prefix(&format!("{name}=")) {
                self.replace_program(name, &ShellValue { word, writers: value.writers.clone() });
            }
        }
    }

    /// Applies `functions -c from to`: defines a copy of a function.
    fn copy_function(&mut self, arguments: &[ShellValue]) {
        if let [.., from, to] = arguments
            && let (Some(from), Some(to)) = (from.word.known_text(), to.word.known_text())
        {
            match self.state.functions.get(from).cloned() {
                Some(body) => self.define_function(to, &body),
                None => self.add_opaque(Cause::Alias, to, None),
            }
        }
    }

    /// Applies the options of `set` that only zsh has: `set -A list words`, `set -o option`, `set -y`.
    fn set_by_zsh(&mut self, arguments: &[ShellValue]) {
        if has_flag(arguments, 'A') {
            self.forget_named_variables(arguments);
        }
        if let [option, name, elements @ ..] = arguments
            && option.word.known_text() == Some("-A")
            && let Some(name) = name.word.known_text().filter(|name| is_name(name))
        {
            self.state.set(name, VariableValue::List(elements.to_vec()));
        }
        for pair in arguments.windows(2) {
            if let [option, name] = pair
                && matches!(option.word.known_text(), Some("-o" | "+o"))
            {
                self.state.options.set_of_zsh(Some(name.word.known_text().unwrap_or_default()));
            }
        }
        self.state.options.other_values |= has_flag(arguments, 'y');
    }

    /// Makes the variables unknown whose names occur anywhere in the words of a builtin. If a word is unknown, all
    /// variables become unknown.
    fn forget_named_variables(&mut self, words: &[ShellValue]) {
        self.interpreter.spend(4 * words.len() * (self.state.variables.len() + 1));
        for value in words {
            let text = value.word.literal();
            let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|name| is_name(name));
            names.for_each(|name| self.state.forget(name));
            if value.word.known_text().is_none() {
                self.state.forget_variables();
            }
        }
    }

    /// Records the arguments of a command as opaque code, because the command may run them.
    fn note_unread_words(&mut self, command: &ExpandedCommand<'_>, name: &str) {
        let arguments = command.values.get(1..).unwrap_or_default();
        let is_known = arguments.iter().all(|value| value.word.known_text().is_some());
        let words: Vec<String> = arguments.iter().map(|value| value.word.literal()).collect();
        self.add_opaque(Cause::Dialect, name, is_known.then(|| words.join(" ")));
    }

    /// Expands words as prompts, which runs the substitutions in them.
    fn expand_prompts(&mut self, words: &[ShellValue]) {
        let context = WalkContext { span_tracking: SpanTracking::Dropped, ..self.context.clone() };
        for value in words {
            let text = value.word.literal();
            let mut state = self.state.clone();
            expand::reexpand(&mut self.with_state(&mut state, &context), &text);
        }
    }

    /// Records the file of `autoload name` as opaque if the name is a path or unknown, or if the text sets `fpath`.
    /// Otherwise the function comes from zsh's default directories.
    fn autoload(&mut self, arguments: &[ShellValue]) {
        let is_set = ["fpath", "FPATH"].iter().any(|name| self.state.variables.contains_key(*name));
        for value in arguments.iter().filter(|value| !value.word.prefix().starts_with(['-', '+'])) {
            if is_set || value.word.known_text().is_none_or(|name| name.contains('/')) {
                self.add_opaque(Cause::ScriptFile, value.word.display_text(), None);
            }
        }
    }

    /// Walks the text of `emulate SHELL -c text`. Without a text, records that values behave differently from here on.
    fn emulate(&mut self, command: &ExpandedCommand<'_>) -> Option<Flow> {
        let before = self.state.options;
        let arguments = command.values.get(1..).unwrap_or_default();
        let is_zsh = arguments.iter().any(|value| value.word.known_text() == Some("zsh"));
        self.state.options.other_values |= !is_zsh;
        let option_index = arguments.iter().position(|value| value.word.known_text() == Some("-c"))?;
        let text = arguments.get(option_index + 1)?.word.clone();
        let setting = nested::NestedSetting { in_this_shell: true, ..nested::NestedSetting::default() };
        let inner = NestedCommand { runnable: Runnable::Script(text, Vec::new()), setting, doubt: None };
        let flow = self.walk_nested(command, &inner);
        self.state.options = before;
        Some(flow)
    }

    /// Walks the body of a function that zsh calls at certain moments: on a change of directory, on a signal, at
    /// exit.
    pub(super) fn walk_hook_function(&mut self, name: &str, body: &Rc<CommandNode>) {
        let is_called = || name.starts_with("TRAP") || HOOK_FUNCTIONS.contains(&name);
        if self.state.reading.has(DialectFeature::ZshSyntax) && is_called() {
            let doubt = Some(Unknown::new(Cause::Alias, name));
            let context = WalkContext { doubt, ..self.context.clone() };
            let mut state = self.state.clone();
            state.arguments = Rc::new(PositionalParameters::Unknown);
            self.with_state(&mut state, &context).walk_node(body);
        }
    }

    /// Applies the effects of an assignment to an array in which zsh keeps functions, aliases, the paths of programs or
    /// its own arguments. `name` is the subscript.
    pub(super) fn apply_zsh_name_array(&mut self, array: &str, name: Option<&str>, binding: &VariableValue) {
        if !self.state.reading.has(DialectFeature::ZshSyntax) {
            return;
        }
        let is_hook = array.strip_suffix("_functions").is_some_and(|hook| HOOK_FUNCTIONS.contains(&hook));
        if !is_hook && !SPECIAL_ARRAYS.contains(&array) && !matches!(array, "argv" | "options") {
            return;
        }
        match array {
            "argv" => self.state.arguments = Rc::new(PositionalParameters::Unknown),
            "options" => self.state.options.set_of_zsh(name),
            _ => {
                self.state.lookup = ProgramLookup::Changed;
                if let (Some(name), "commands", VariableValue::One(program)) = (name, array, binding) {
                    self.replace_program(name, &program.clone());
                }
                let values: Vec<&ShellValue> = match binding {
                    VariableValue::One(value) => vec![value],
                    VariableValue::List(values) => values.iter().collect(),
                    VariableValue::Unset => Vec::new(),
                };
                let is_known = !is_hook
                    // The words after an alias belong to the command that it begins.
                    && !matches!(array, "aliases" | "galiases" | "saliases" | "mapfile")
                    && values.iter().all(|value| value.word.known_text().is_some());
                let text: Vec<&str> = values.iter().filter_map(|value| value.word.known_text()).collect();
                let text = is_known.then(|| text.join(" "));
                self.add_opaque(Cause::Alias, name.unwrap_or(array), text);
            }
        }
    }

    /// Records the program that zsh runs for a redirection without a command (`<file`), if the text sets a variable
    /// that names it.
    pub(super) fn null_command(&mut self, redirects: &[crate::analysis::Redirect]) {
        let opens_file = redirects.iter().any(|redirect| redirect.kind != RedirectKind::Text);
        let sets_program = NULL_COMMANDS.iter().any(|name| self.state.variables.contains_key(*name));
        if !opens_file || !sets_program || !self.state.reading.has(DialectFeature::ZshSyntax) {
            return;
        }
        let mut text = Some("cat more".to_owned());
        for name in NULL_COMMANDS {
            let known = match self.state.find(name) {
                VariableLookup::One(value) => value.word.known_text().map(str::to_owned),
                VariableLookup::Unset => continue,
                _ if !self.state.variables.contains_key(name) => continue,
                _ => None,
            };
            text = text.zip(known).map(|(text, known)| format!("{text} {known}"));
        }
        self.add_opaque(Cause::Dialect, "NULLCMD", text);
    }
}
