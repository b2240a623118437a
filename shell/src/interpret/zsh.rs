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

/// Builtins that set the variables that their words name.
const SETTERS: &[&str] = &[
    "float",
    "getln",
    "integer",
    "pcre_match",
    "print",
    "private",
    "read",
    "strftime",
    "sysopen",
    "sysread",
    "vared",
    "zcurses",
    "zformat",
    "zgdbmpath",
    "zparseopts",
    "zpty",
    "zregexparse",
    "zselect",
    "zsocket",
    "zstat",
    "zstyle",
    "zsystem",
    "ztcp",
];

/// Library functions whose words are patterns and texts that may contain substitutions.
const RUNNERS: &[&str] = &["zcp", "zln", "zmv"];

/// Functions that zsh calls at certain moments, in addition to those whose names begin with `TRAP`.
const CALLED: &[&str] = &["chpwd", "periodic", "precmd", "preexec", "zshaddhistory", "zshexit"];

/// Beginnings of the names of modules with other access to files, processes and the network.
const MODULES: &[&str] = &["zsh/db/", "zsh/mapfile", "zsh/net/", "zsh/system", "zsh/zftp"];

/// Arrays whose elements are aliases, functions, program paths, directories or the contents of files.
const NAMES: &[&str] = &[
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

/// Variables that name the program for a redirection without a command.
const READERS: [&str; 2] = ["NULLCMD", "READNULLCMD"];

/// Whether an option of a builtin contains a letter: `-x`, `+x`.
fn has_flag(arguments: &[ShellValue], letter: char) -> bool {
    let letters = arguments.iter().filter_map(|value| value.word.known_text()?.strip_prefix(['-', '+']));
    letters.filter(|letters| !letters.starts_with('-')).any(|letters| letters.contains(letter))
}

impl Frame<'_> {
    /// Walks the command that zsh runs where bash sees a program with another name: `noglob rm x`, `=rm x`,
    /// `repeat 2 rm x`. `None` if there is none, or if the dialect is neither bash nor zsh. Bash counts too, because
    /// a host may run the text in the user's zsh.
    pub(super) fn zsh_command(&mut self, made: &ExpandedCommand<'_>) -> Option<Flow> {
        let name = made.name()?;
        if name == "foreach" && self.state.reading.has(DialectFeature::ZshSyntax) {
            self.forget_named_variables(made.values.get(1..).unwrap_or_default());
            return None;
        }
        if let Some(runnables) = zsh_code::runnables(name, made.values.get(1..).unwrap_or_default())
            && matches!(self.state.reading.dialect(), Dialect::Bash | Dialect::Zsh)
        {
            return self.run_possibly(made, runnables);
        }
        let (first, skipped) = match name {
            "noglob" | "nocorrect" | "-" => (None, 1),
            "repeat" => (None, 2),
            _ => match name.strip_prefix('=') {
                Some(program) if !program.is_empty() => (Some(ShellValue::text(program)), 1),
                _ => {
                    let ends = made.values.last().is_some_and(|last| last.word.literal().ends_with('}'));
                    if made.values.len() > 1 && name.starts_with('{') && ends {
                        // `{rm x}` is a group: zsh needs no blank next to its braces.
                        let words: Vec<String> = made.values.iter().map(|value| value.word.literal()).collect();
                        self.add_opaque(Cause::Dialect, excerpt(name), Some(words.join(" ")));
                    }
                    return None;
                }
            },
        };
        if !matches!(self.state.reading.dialect(), Dialect::Bash | Dialect::Zsh) {
            return None;
        }
        if let Some(word) = made.values.get(skipped).and_then(|value| value.word.known_text())
            && first.is_none()
            && is_reserved(word)
        {
            // A reserved word begins a loop or a group, which is not parsed here.
            let words: Vec<String> = made.values.iter().skip(skipped).map(|value| value.word.literal()).collect();
            self.add_opaque(Cause::Dialect, excerpt(name), Some(words.join(" ")));
            return Some(Flow::unknown());
        }
        for word in made.values.iter().skip(skipped).map_while(|value| value.word.prefix().split_once('=')) {
            self.state.forget(word.0.trim_end_matches('+'));
        }
        let values: Vec<ShellValue> = first.into_iter().chain(made.values.iter().skip(skipped).cloned()).collect();
        if values.is_empty() {
            return None;
        }
        let mut setting = self.context.clone();
        setting.via.push(made.id);
        setting.doubt = setting.doubt.or_else(|| Some(Unknown::new(Cause::Dialect, name)));
        setting.input = Rc::clone(&made.input);
        let words = values.iter().map(|value| Word { span: None, ..value.word.clone() }).collect();
        Some(self.with_context(&setting).record(words, &values))
    }

    /// Applies the effects of a zsh builtin, if the command is one, and returns the flow of the code that it runs.
    pub(super) fn zsh_builtin(&mut self, made: &ExpandedCommand<'_>) -> Option<Flow> {
        if !self.state.reading.has(DialectFeature::ZshSyntax) {
            return None;
        }
        let name = made.name()?;
        let is_argument = name.starts_with(|c: char| c.is_ascii_digit()) && name.contains('=');
        let arguments = made.values.get(1..).unwrap_or_default();
        let has = |letter| has_flag(arguments, letter);
        let mut known = arguments.iter().filter_map(|value| value.word.known_text());
        if SETTERS.contains(&name) && (name != "print" || has('v') || has('z')) && (name != "read" || has('A')) {
            self.forget_named_variables(arguments);
        }
        if RUNNERS.contains(&name) {
            self.note_unread_words(made, name);
        }
        match name {
            _ if is_argument => self.state.arguments = Rc::new(PositionalParameters::Unknown),
            "print" if has('P') && self.state.options.prompt_subst => self.prompts(arguments),
            "typeset" | "declare" | "local" if has('T') => self.tie_variables(arguments),
            // With a global alias, any word of a later command may be one.
            "alias" if has('g') => self.add_opaque(Cause::Alias, "alias -g", None),
            "alias" if has('s') => self.note_unread_words(made, "alias"),
            "zmodload" if known.any(|name| MODULES.iter().any(|module| name.starts_with(module))) => {
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
            "emulate" => return self.emulate(made),
            _ => {}
        }
        None
    }

    /// Returns a command of zsh under the name that `ARGV0` gives it: `ARGV0=rm busybox x`.
    pub(super) fn named_program(&self, made: &ExpandedCommand<'_>) -> Option<NestedCommand> {
        let command = self.interpreter.commands.get(made.id.0)?;
        let name = environment_value(&command.environment, "ARGV0")?;
        let words = nested::called_as(name, &command.words);
        let doubt = Some(Unknown::new(Cause::Dialect, "ARGV0"));
        (words != command.words).then(|| NestedCommand { doubt, ..NestedCommand::from(Runnable::Argv(words)) })
    }

    /// Walks what a builtin runs now or later.
    fn run_possibly(&mut self, made: &ExpandedCommand<'_>, runnables: Vec<Runnable>) -> Option<Flow> {
        let mut flow: Option<Flow> = None;
        for runnable in runnables {
            let in_this_shell = matches!(runnable, Runnable::Script(..));
            let setting = nested::NestedSetting { repeats: true, in_this_shell, ..nested::NestedSetting::default() };
            let doubt = made.name().map(|name| Unknown::new(Cause::Dialect, name));
            let next = self.walk_nested(made, &NestedCommand { runnable, setting, doubt });
            flow = Some(match flow {
                Some(flow) => flow.concat(next),
                None => next,
            });
        }
        flow
    }

    /// Applies `typeset -T LIST list`: each of the two variables changes with the other, so both become unreliable.
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
                Some(body) => self.define(to, &body),
                None => self.add_opaque(Cause::Alias, to, None),
            }
        }
    }

    /// Applies the options of `set` that only zsh has: `set -A list words`, `set -o option`, `set -y`.
    fn set_by_zsh(&mut self, arguments: &[ShellValue]) {
        if has_flag(arguments, 'A') {
            self.forget_named_variables(arguments);
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

    /// Records the words of a command as opaque code, because the command may run them.
    fn note_unread_words(&mut self, made: &ExpandedCommand<'_>, name: &str) {
        let behind = made.values.get(1..).unwrap_or_default();
        let is_known = behind.iter().all(|value| value.word.known_text().is_some());
        let words: Vec<String> = behind.iter().map(|value| value.word.literal()).collect();
        self.add_opaque(Cause::Dialect, name, is_known.then(|| words.join(" ")));
    }

    /// Expands words as prompts, which runs the substitutions in them.
    fn prompts(&mut self, words: &[ShellValue]) {
        let setting = WalkContext { span_tracking: SpanTracking::Dropped, ..self.context.clone() };
        for value in words {
            let text = value.word.literal();
            let mut state = self.state.clone();
            expand::reexpand(&mut self.with_state(&mut state, &setting), &text);
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

    /// Walks the text of `emulate SHELL -c text`. Without a text, records that values behave differently from here
    /// on.
    fn emulate(&mut self, made: &ExpandedCommand<'_>) -> Option<Flow> {
        let before = self.state.options;
        let arguments = made.values.get(1..).unwrap_or_default();
        let is_itself = arguments.iter().any(|value| value.word.known_text() == Some("zsh"));
        self.state.options.other_values |= !is_itself;
        let at = arguments.iter().position(|value| value.word.known_text() == Some("-c"))?;
        let text = arguments.get(at + 1)?.word.clone();
        let setting = nested::NestedSetting { in_this_shell: true, ..nested::NestedSetting::default() };
        let inner = NestedCommand { runnable: Runnable::Script(text, Vec::new()), setting, doubt: None };
        let flow = self.walk_nested(made, &inner);
        self.state.options = before;
        Some(flow)
    }

    /// Walks the body of a function that zsh calls at certain moments: on a change of directory, on a signal, at
    /// exit.
    pub(super) fn walk_hook_function(&mut self, name: &str, body: &Rc<CommandNode>) {
        let is_called = || name.starts_with("TRAP") || CALLED.contains(&name);
        if self.state.reading.has(DialectFeature::ZshSyntax) && is_called() {
            let doubt = Some(Unknown::new(Cause::Alias, name));
            let setting = WalkContext { doubt, ..self.context.clone() };
            let mut state = self.state.clone();
            state.arguments = Rc::new(PositionalParameters::Unknown);
            self.with_state(&mut state, &setting).walk_node(body);
        }
    }

    /// Tracks an assignment to an array in which zsh keeps functions, aliases, the paths of programs or its own
    /// arguments. `name` is the subscript.
    pub(super) fn keep_names_of_zsh(&mut self, array: &str, name: Option<&str>, binding: &VariableValue) {
        if !self.state.reading.has(DialectFeature::ZshSyntax) {
            return;
        }
        let is_hook = array.strip_suffix("_functions").is_some_and(|hook| CALLED.contains(&hook));
        if !is_hook && !NAMES.contains(&array) && !matches!(array, "argv" | "options") {
            return;
        }
        match array {
            "argv" => self.state.arguments = Rc::new(PositionalParameters::Unknown),
            "options" => self.state.options.set_of_zsh(name),
            _ => {
                self.state.lookup = ProgramLookup::Changed;
                let values: Vec<&ShellValue> = match binding {
                    VariableValue::One(value) => vec![value],
                    VariableValue::List(values) => values.iter().collect(),
                    VariableValue::Unset => Vec::new(),
                };
                let is_known = !is_hook
                    && array != "galiases"
                    && array != "mapfile"
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
        let is_some = redirects.iter().any(|redirect| redirect.kind != RedirectKind::Text);
        let is_set = READERS.iter().any(|name| self.state.variables.contains_key(*name));
        if !is_some || !is_set || !self.state.reading.has(DialectFeature::ZshSyntax) {
            return;
        }
        let mut text = Some("cat more".to_owned());
        for name in READERS {
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
