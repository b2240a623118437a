//! Builtins that change the state of the shell: `cd`, `export`, `set`, `shift`, ….

use std::rc::Rc;

use super::flow::Jump;
use super::settings::{PositionalChange, SetOptions};
use super::simple::{ExpandedAssignment, ExpandedCommand};
use super::{Frame, SpanTracking, WalkContext};
use crate::dialect::{Dialect, DialectFeature};
use crate::expand::assigned_by_arithmetic;
use crate::nested::OptionSign;
use crate::parse::is_name;
use crate::state::{ExportMode, OptionState, PositionalParameters, ProgramLookup, VariableAttribute, VariableValue};
use crate::stream::{ShellValue, Writer, insert_ids};
use crate::word::{Cause, Directory, Unknown, ValueSource, Word, WordPart};

/// The maximum length of the path of a directory, in bytes: no system accepts a longer one.
const MAX_PATH_LENGTH: usize = 4096;

/// The maximum number of directories on the stack of `pushd`. A full stack is cleared.
const MAX_STACK: usize = 64;

/// Whether a builtin declares variables, so that arguments such as `A=1` are assignments.
pub(super) fn is_declaring(name: &str) -> bool {
    matches!(name, "declare" | "typeset" | "local" | "export" | "readonly")
}

impl Frame<'_> {
    /// Applies the effects of a builtin to the state, if the command is one. Returns the jump of `break`, `return`,
    /// `exit` and similar builtins.
    pub(super) fn builtin(&mut self, command: &ExpandedCommand<'_>) -> Jump {
        let Some(name) = command.name() else { return Jump::Nothing };
        let arguments = command.values.get(1..).unwrap_or_default();
        self.expand_subscripts(name, arguments);
        match name {
            "cd" | "chdir" => self.cd(arguments),
            "pushd" => self.pushd(arguments),
            "popd" => self.popd(arguments),
            "dirs" if arguments.iter().any(|value| value.word.known_text() == Some("-c")) => {
                Rc::make_mut(&mut self.state.stack).clear()
            }
            _ if is_declaring(name) => self.declare(name, command),
            "unset" => self.unset(arguments),
            "read" | "mapfile" | "readarray" | "getopts" => self.read(name, command),
            "printf" => self.print_to_variable(arguments),
            "set" => self.set_builtin(arguments),
            "shift" => self.shift(arguments),
            "shopt" => arguments.iter().for_each(|value| self.state.options.set(value.word.known_text())),
            "let" => {
                let names = arguments.iter().flat_map(|value| assigned_by_arithmetic(&value.word.literal()));
                names.for_each(|name| self.state.forget_digits(&name));
            }
            "compgen" | "complete" => self.expand_completions(arguments),
            "alias" => arguments.iter().for_each(|value| self.define_alias(value)),
            "unalias" => self.remove_aliases(arguments),
            "trap" => self.record_trap(command),
            "hash" | "enable" if !arguments.is_empty() => {
                self.state.lookup = ProgramLookup::Changed;
                self.apply_hash(arguments);
            }
            "wait" => {
                let mut after_option =
                    arguments.iter().skip_while(|value| !value.word.prefix().starts_with("-p")).skip(1);
                after_option.next().into_iter().for_each(|name| self.set_unknown_value(&name.word, &[]));
            }
            // `fc` edits an earlier command and runs it again.
            "fc" if !arguments.is_empty() => self.add_opaque(Cause::EarlierCommand, "fc", None),
            "exec" if arguments.is_empty() => self.keep_open(command.redirected),
            "command" | "builtin" if is_bare_exec(command.values) => self.keep_open(command.redirected),
            "break" | "continue" | "return" | "exit" | "exec" => return self.leave_by(name, arguments),
            _ => {}
        }
        Jump::Nothing
    }

    /// Returns the jump of `break`, `continue`, `return`, `exit` or `exec`. The state at a jump out of a loop or
    /// function is recorded, for the code after it.
    fn leave_by(&mut self, name: &str, arguments: &[ShellValue]) -> Jump {
        match name {
            "break" | "continue" => {
                // `break 2` also leaves the enclosing loop.
                self.record_jump(if arguments.is_empty() { Jump::Loop } else { Jump::Function });
                Jump::Loop
            }
            "return" => {
                self.record_jump(Jump::Function);
                Jump::Function
            }
            _ => Jump::Shell,
        }
    }

    /// Changes the directory for `cd`. The new one is unknown if its name is unknown, or if it depends on symbolic
    /// links or `CDPATH`.
    fn cd(&mut self, arguments: &[ShellValue]) {
        let is_option = |value: &&ShellValue| value.word.prefix().len() > 1 && value.word.prefix().starts_with('-');
        let operands: Vec<&ShellValue> = arguments.iter().skip_while(is_option).collect();
        let options = arguments.iter().take_while(is_option);
        self.state.options.physical |= options.into_iter().any(|value| value.word.prefix().contains('P'));
        let directory = match operands.as_slice() {
            [] => match self.state.find("HOME") {
                crate::state::VariableLookup::One(home) => self.directory_named(&home.word),
                _ => Directory::Unknown(Unknown::new(Cause::Directory, "cd")),
            },
            [one] if one.word.known_text() == Some("-") => match self.state.find("OLDPWD") {
                // Zsh has its own record of the previous directory, which an assignment to `OLDPWD` does not change.
                _ if self.state.variables.contains_key("OLDPWD")
                    && self.state.reading.has(DialectFeature::ZshSyntax) =>
                {
                    Directory::Unknown(Unknown::new(Cause::Directory, "cd -"))
                }
                crate::state::VariableLookup::One(previous) => self.directory_named(&previous.word),
                _ => Directory::Unknown(Unknown::new(Cause::Directory, "cd -")),
            },
            [one] => self.directory_named(&one.word),
            // More than one operand is an error: the directory stays the same.
            _ => return,
        };
        self.change_directory(directory);
    }

    /// Sets the directory, and makes the old one `$OLDPWD`. Values assigned to `PWD` and `OLDPWD` are dropped.
    fn change_directory(&mut self, directory: Directory) {
        self.state.previous = Some(std::mem::replace(&mut self.state.cwd, directory));
        self.state.release("PWD");
        self.state.release("OLDPWD");
    }

    /// Returns the directory that a name refers to, relative to the current one.
    fn directory_named(&self, word: &Word) -> Directory {
        let unknown = || Directory::Unknown(Unknown::for_word(Cause::Directory, word));
        // With `CDPATH`, a relative name may be in another directory.
        let is_searched = self.cd_may_search() && !word.prefix().starts_with(['/', '.']);
        // With `-P`, the target of `..` depends on symbolic links, which are not examined here.
        match word.known_text() {
            Some("") => self.state.cwd.clone(),
            _ if is_searched => unknown(),
            Some(text) if self.state.options.physical && crate::path::goes_up(text) => unknown(),
            _ => match self.state.resolve(word) {
                // No system accepts a longer path.
                Some(path) if path.as_os_str().len() <= MAX_PATH_LENGTH => Directory::Known(path),
                _ => self.directory_from_glob(word).unwrap_or_else(unknown),
            },
        }
    }

    /// Whether `cd name` may go to a directory other than `name`: `CDPATH` is set, or `name` may be a variable
    /// (`cdable_vars`).
    pub(super) fn cd_may_search(&self) -> bool {
        self.state.variables.contains_key("CDPATH") || self.state.options.cdable_vars
    }

    /// Returns a directory that is one of the matches of a glob (`cd build-*`), as an unknown one; `None` if the word
    /// is not a glob, or is relative to an unknown directory.
    fn directory_from_glob(&self, word: &Word) -> Option<Directory> {
        let mut path = Word::default();
        if !word.prefix().starts_with('/') {
            let Directory::Known(cwd) = &self.state.cwd else { return None };
            path.push(WordPart::Text(format!("{}/", cwd.to_str()?.trim_end_matches('/'))));
        }
        // The directory exists, because `cd` into a missing one fails.
        word.as_globs().parts.iter().for_each(|part| path.push(part.clone()));
        let is_glob = !path.parts.iter().any(|part| matches!(part, WordPart::Unknown(_)))
            && path.parts.iter().any(|part| part.text().is_none());
        let why = || Unknown::with_source(Cause::Directory, word.display_text(), ValueSource::GlobMatch(path.into()));
        is_glob.then(|| Directory::Unknown(why()))
    }

    /// Changes the directory for `pushd dir`, or exchanges it with the top of the stack for `pushd`.
    fn pushd(&mut self, arguments: &[ShellValue]) {
        match arguments {
            [] => {
                if let Some(top) = Rc::make_mut(&mut self.state.stack).pop() {
                    let here = self.state.cwd.clone();
                    Rc::make_mut(&mut self.state.stack).push(here);
                    self.change_directory(top);
                } else {
                    self.change_directory(Directory::Unknown(Unknown::new(Cause::Directory, "pushd")));
                }
            }
            [argument] if !argument.word.prefix().starts_with(['+', '-']) => {
                let directory = self.directory_named(&argument.word);
                if self.state.stack.len() >= MAX_STACK {
                    Rc::make_mut(&mut self.state.stack).clear();
                }
                Rc::make_mut(&mut self.state.stack).push(self.state.cwd.clone());
                self.change_directory(directory);
            }
            _ => self.change_directory(Directory::Unknown(Unknown::new(Cause::Directory, "pushd"))),
        }
    }

    /// Changes the directory for `popd` to the top of the stack.
    fn popd(&mut self, arguments: &[ShellValue]) {
        let directory = match (arguments, Rc::make_mut(&mut self.state.stack).pop()) {
            ([], Some(directory)) => directory,
            // The shell that the text runs in may already have directories on its stack.
            _ => Directory::Unknown(Unknown::new(Cause::Directory, "popd")),
        };
        self.change_directory(directory);
    }

    /// Applies `declare`, `local`, `export`, `readonly` and their options to each of their words.
    fn declare(&mut self, name: &str, command: &ExpandedCommand<'_>) {
        let options = |sign: char| -> String {
            command.values.iter().skip(1).filter_map(|value| value.word.known_text()?.strip_prefix(sign)).collect()
        };
        let (minus_options, plus_options) = (options('-'), options('+'));
        let mut declaration = Declaration::read(name, &minus_options, &plus_options);
        declaration.inherits |= self.state.options.localvar_inherit;
        if minus_options.contains('f') {
            if declaration.exports {
                let names: Vec<&str> =
                    command.values.iter().skip(1).filter_map(|value| value.word.known_text()).collect();
                names.into_iter().for_each(|name| self.export_function(name));
            }
            return;
        }
        if minus_options.contains('A')
            && let Some(watch) = &mut self.interpreter.watch
        {
            let names = command.values.iter().skip(1).map(|value| value.word.prefix());
            names.for_each(|name| watch.note_table(name.split(['=', '[', '+']).next().unwrap_or_default()));
        }
        if minus_options.contains('i') && name != "export" {
            self.state.has_integers = true;
        }
        if minus_options.contains('n') && name != "export" && !command.declared_assignments.is_empty() {
            // The target of a reference is a name that may have a subscript, whose substitutions run.
            let text = command.values.iter().map(|value| value.word.literal()).collect::<Vec<_>>().join(" ");
            crate::expand::run_expression(self, &text);
        }
        if name == "local" && command.values.iter().any(|value| value.word.known_text() == Some("-")) {
            self.state.own_options.get_or_insert(self.state.options);
        }
        for (index, value) in command.values.iter().enumerate().skip(1) {
            match command.declared_assignments.iter().find(|assignment| assignment.word_index == index) {
                Some(assignment) => self.declare_one(&declaration, &assignment.name, Some(assignment)),
                None => self.declare_word(&declaration, value),
            }
        }
    }

    /// Declares the variable of an argument that the shell does not parse as an assignment: a bare name, an unknown
    /// word, or a quoted assignment such as `export "NAME=value"`.
    fn declare_word(&mut self, declaration: &Declaration<'_>, value: &ShellValue) {
        match value.word.known_text() {
            Some(variable) if is_name(variable) => self.declare_one(declaration, variable, None),
            // `export $X` may set any variable, and known ones to any value.
            None if value.word.may_split() || !value.word.prefix().contains('=') => {
                if declaration.builtin != "export" {
                    // It may also be an option, such as the one for references.
                    self.state.may_refer = true;
                }
                self.forget_all(&value.word);
            }
            _ => match quoted_assignment(value) {
                Some(assignment) => self.declare_one(declaration, &assignment.name, Some(&assignment)),
                None => {
                    let (target, _) = value.word.prefix().split_once(['[', '=']).unwrap_or_default();
                    if is_name(target) {
                        self.walk_element_list(declaration, target, value);
                        self.state.forget(target);
                    }
                }
            },
        }
    }

    /// Applies a declaration to one variable, with its assignment if it has one.
    fn declare_one(&mut self, declaration: &Declaration<'_>, name: &str, assignment: Option<&ExpandedAssignment>) {
        let list = assignment.and_then(|assignment| self.as_list(declaration, assignment));
        let assignment = list.as_ref().or(assignment);
        if declaration.lists {
            self.note_list(name);
        }
        let is_in_function = self.state.locals.is_some();
        let is_local = matches!(declaration.builtin, "local" | "declare" | "typeset") && !declaration.is_global
            || declaration.builtin == "readonly" && is_in_function && self.state.reading.has(DialectFeature::ZshSyntax);
        if is_local {
            self.state.make_local(name);
        }
        match assignment {
            Some(assignment) => {
                if is_local && is_in_function && !declaration.inherits {
                    // The new local variable does not have the caller's value.
                    self.state.set(name, VariableValue::Unset);
                }
                let is_list =
                    matches!(&assignment.binding, VariableValue::One(value) if value.word.prefix().starts_with('('));
                self.assign(assignment);
                if list.is_some() && matches!(assignment.binding, VariableValue::One(_)) {
                    // The value is the whole array, not its first element.
                    self.state.set(name, assignment.binding.clone());
                }
                // `local` fails outside functions, and a quoted value in parentheses may be an array.
                if declaration.changes
                    || is_list && assignment.is_quoted
                    || declaration.builtin == "local" && !is_in_function
                {
                    self.state.forget(name);
                }
            }
            None if !is_local || !is_in_function => {}
            None if declaration.inherits || declaration.builtin != "local" => self.state.forget(name),
            None if self.state.reading.has(DialectFeature::ZshSyntax) => {
                self.state.set(name, VariableValue::One(ShellValue::default()))
            }
            None if self.state.reading.has(DialectFeature::FreshLocals) => self.state.set(name, VariableValue::Unset),
            None => {}
        }
        if declaration.is_global && is_in_function && self.state.is_local(name) {
            // The global variable is set, but this function still sees its local one.
            self.state.forget(name);
            self.state.forget_outside(name);
        }
        if let Some(attribute) = declaration.attribute {
            self.state.set_attribute(name, attribute);
        }
        if declaration.exports {
            self.state.export(name);
        } else if declaration.stops_export {
            self.state.forget(name);
            self.state.stop_export(name);
        }
    }

    /// Makes all variables and the environment unknown, because a builtin sets a variable whose name is unknown.
    fn forget_all(&mut self, word: &Word) {
        if !self.interpreter.spend(8 * self.state.variables.len() + 1) {
            return;
        }
        self.state.forget_variables();
        self.state.hide(Unknown::new(Cause::Variable, word.display_text()));
    }

    /// Removes variables, or functions with `-f`. A variable that may belong to a caller becomes unknown instead.
    fn unset(&mut self, arguments: &[ShellValue]) {
        let removes_functions = arguments.iter().any(|value| value.word.known_text() == Some("-f"));
        // With `-n`, or in a function, `unset` may remove the caller's variable, or no variable.
        let is_uncertain = self.state.locals.is_some()
            || arguments.iter().any(|value| value.word.prefix().starts_with('-') && value.word.prefix().contains('n'));
        for value in arguments {
            match value.word.known_text() {
                Some(name) if removes_functions => {
                    Rc::make_mut(&mut self.state.functions).remove(name);
                }
                Some(name) if is_name(name) => {
                    let is_variable = self.state.variables.contains_key(name);
                    match is_uncertain {
                        true => self.state.forget(name),
                        false => self.state.set(name, VariableValue::Unset),
                    }
                    if !is_variable && !self.state.reading.has(DialectFeature::ZshSyntax) {
                        Rc::make_mut(&mut self.state.functions).remove(name);
                    }
                }
                Some(element) => {
                    if let Some((name, _)) = element.split_once('[').filter(|(name, _)| is_name(name)) {
                        self.state.forget(name);
                    }
                }
                None => self.forget_all(&value.word),
            }
        }
    }

    /// Sets the variable of `printf -v name …`.
    fn print_to_variable(&mut self, arguments: &[ShellValue]) {
        let Some((option, after_option)) = arguments.split_first() else { return };
        let attached = option.word.strip_prefix("-v").filter(|name| !name.parts.is_empty());
        let (name, printed) = match (attached, after_option.split_first()) {
            (Some(name), _) => (name, after_option),
            (None, Some((name, printed))) if option.word.known_text() == Some("-v") => (name.word.clone(), printed),
            _ => return,
        };
        if !self.state.reading.has(DialectFeature::MoreOptions) {
            return;
        }
        self.state.note_escapes(printed);
        match (name.known_text().filter(|name| is_name(name)), super::printf::printf(printed, &self.state.reading)) {
            (Some(name), Some(value)) => {
                let value = value.without_nul();
                self.note_assigned(name, &value);
                self.state.assign_text(name, value);
            }
            _ => {
                let mut writers = Vec::new();
                printed.iter().for_each(|value| insert_ids(&mut writers, &value.writers));
                self.set_unknown_value(&name, &writers);
            }
        }
    }

    /// Sets the variable that a word names (`T`, `T[0]`) to an unknown value that a builtin prints or reads into it. If
    /// the word is unknown (`$X`), all variables become unknown.
    pub(super) fn set_unknown_value(&mut self, target: &Word, from: &[Writer]) {
        let Some(name) = target.known_text() else { return self.forget_all(target) };
        let name = name.split('[').next().unwrap_or_default();
        if is_name(name) {
            let mut value = ShellValue::variable(name);
            value.add_writers(from);
            self.state.set(name, VariableValue::One(value));
            self.state.export_like_inherited(name);
        }
    }

    /// Applies the options of `set`, and its new positional parameters.
    fn set_builtin(&mut self, arguments: &[ShellValue]) {
        let words: Vec<&Word> = arguments.iter().map(|value| &value.word).collect();
        let options = SetOptions::parse(&words);
        options.named.iter().for_each(|(name, sign)| self.set_option(name, *sign));
        match options.positional {
            // In zsh, a final `-` removes the arguments.
            PositionalChange::Kept
                if words.last().is_some_and(|word| word.known_text() == Some("-"))
                    && self.state.reading.has(DialectFeature::ZshSyntax) =>
            {
                self.state.arguments = Rc::new(PositionalParameters::Unknown);
            }
            PositionalChange::Kept => {}
            PositionalChange::Unclear => {
                // An unknown option is an error, which may end the shell.
                self.interpreter.doubts.possible_exits += 1;
                self.state.arguments = Rc::new(PositionalParameters::Unknown);
            }
            PositionalChange::From(first) => {
                let zero = match &*self.state.arguments {
                    PositionalParameters::Known(zero, _) => zero.clone(),
                    PositionalParameters::Unknown => ShellValue::unknown(Cause::Argument, "$0"),
                };
                let rest = arguments.get(first..).unwrap_or_default().to_vec();
                self.state.arguments = Rc::new(PositionalParameters::Known(zero, rest));
            }
        }
    }

    /// Sets or unsets an option of `set` by its name. Of some options, such as `errexit`, it is only tracked whether
    /// they may be set: unsetting these has no effect.
    pub(super) fn set_option(&mut self, name: &str, sign: OptionSign) {
        let is_on = sign == OptionSign::Sets;
        // The letters of these options have other meanings in zsh.
        let is_unclear =
            matches!(name, "noglob" | "braceexpand" | "keyword") && self.state.reading.has(DialectFeature::ZshSyntax);
        let (if_set, if_unset) = match sign {
            _ if is_unclear => (OptionState::Unclear, OptionState::Unclear),
            OptionSign::Sets => (OptionState::On, OptionState::Off),
            OptionSign::Unsets => (OptionState::Off, OptionState::On),
        };
        let options = &mut self.state.options;
        match name {
            "allexport" => self.state.exports = if is_on { ExportMode::All } else { ExportMode::Marked },
            "posix" => self.set_posix(if is_on { Dialect::Posix } else { Dialect::Bash }),
            "physical" => options.physical |= is_on,
            "errexit" => options.errexit |= is_on,
            "nounset" => options.nounset = if_set,
            "noglob" => options.noglob = if_set,
            "braceexpand" => options.nobraces = if_unset,
            "noclobber" => options.noclobber = if_set,
            "keyword" => options.keyword = if_set,
            "xtrace" | "verbose" => options.traces |= is_on,
            // With history expansion, the word after a `!` may be any command from here on.
            "histexpand" if is_on => self.add_opaque(Cause::EarlierCommand, "set -o histexpand", None),
            _ => {}
        }
    }

    /// Removes the first positional parameters, as many as the argument of `shift` names.
    fn shift(&mut self, arguments: &[ShellValue]) {
        if let PositionalParameters::Known(_, rest) = &*self.state.arguments {
            self.state.charge(4 * rest.len());
        }
        let count = match arguments {
            [] => Some(1),
            [one] => one.word.known_text().and_then(|count| count.parse::<usize>().ok()),
            _ => None,
        };
        let is_beyond = match (&*self.state.arguments, count) {
            (PositionalParameters::Known(_, rest), Some(count)) => count > rest.len(),
            _ => true,
        };
        if is_beyond && self.state.reading.has(DialectFeature::SpecialBuiltins) {
            self.interpreter.doubts.possible_exits += 1;
        }
        let next = match (&*self.state.arguments, count) {
            (PositionalParameters::Known(zero, rest), Some(count))
                if !rest.iter().take(count).any(|value| value.word.may_split()) =>
            {
                // If the count is too large, `shift` fails and removes nothing.
                let rest = rest.get(count..).unwrap_or(rest);
                PositionalParameters::Known(zero.clone(), rest.to_vec())
            }
            _ => PositionalParameters::Unknown,
        };
        self.state.arguments = Rc::new(next);
    }

    /// Applies `hash -p path name`: the name refers to that program from here on.
    fn apply_hash(&mut self, arguments: &[ShellValue]) {
        let [option, path, names @ ..] = arguments else { return };
        if option.word.known_text() != Some("-p") {
            return;
        }
        for name in names.iter().filter_map(|name| name.word.known_text()) {
            self.replace_program(name, &path.clone().into_one_word());
        }
    }

    /// Expands the words of `compgen -W words` and `complete -W words`, as the shell does when it generates
    /// completions.
    fn expand_completions(&mut self, arguments: &[ShellValue]) {
        let is_option = |value: &ShellValue| value.word.prefix().starts_with("-W");
        for index in arguments.iter().enumerate().filter(|(_, value)| is_option(value)).map(|(index, _)| index) {
            let attached = arguments.get(index).filter(|value| value.word.known_text() != Some("-W"));
            let words = attached.or_else(|| arguments.get(index + 1)).map(|value| value.word.literal());
            if let Some(words) = words.filter(|words| words.contains(['$', '`'])) {
                let mut state = self.state.clone();
                let context = WalkContext { span_tracking: SpanTracking::Dropped, ..self.context.clone() };
                crate::expand::reexpand(&mut self.with_state(&mut state, &context), &words);
            }
        }
    }

    /// Removes the aliases of `unalias`. Does nothing if there are functions: their bodies were read with the aliases
    /// that existed then, but are walked with the current ones.
    fn remove_aliases(&mut self, arguments: &[ShellValue]) {
        if !self.state.functions.is_empty() {
            return;
        }
        let aliases = Rc::make_mut(&mut self.state.aliases);
        for value in arguments {
            match value.word.known_text() {
                Some("-a") => aliases.clear(),
                Some(name) => {
                    aliases.remove(name);
                }
                None => {}
            }
        }
    }
}

/// What a declaring builtin such as `export` does, by its name and options, to each variable that it names.
pub(super) struct Declaration<'a> {
    /// The name of the builtin.
    pub(super) builtin: &'a str,
    /// Whether it puts the variables into the environment: `export`, `-x`.
    exports: bool,
    /// Whether it removes the variables from the environment: `export -n`, `+x`.
    stops_export: bool,
    /// Whether the variables are global, even in a function: `-g`.
    is_global: bool,
    /// Whether a local variable begins with the caller's value: `-I`.
    inherits: bool,
    /// Whether attributes such as `-i` or `-u` change the assigned value.
    changes: bool,
    /// Whether the variables are arrays: `-a`, `-A`.
    pub(super) lists: bool,
    /// Whether the builtin only prints the variables: `-p`.
    pub(super) prints: bool,
    /// An attribute that makes the values of the variables differ from what is assigned to them.
    attribute: Option<VariableAttribute>,
}

impl<'a> Declaration<'a> {
    /// Parses the letters of the options that begin with `-` (`set`) and with `+` (`unset`).
    fn read(builtin: &'a str, set: &str, unset: &str) -> Self {
        let is_export = builtin == "export";
        Self {
            builtin,
            exports: if is_export { !set.contains('n') } else { set.contains('x') },
            stops_export: is_export && set.contains('n') || unset.contains('x'),
            is_global: set.contains('g'),
            inherits: set.contains('I'),
            // Attributes that change values (integers, references, upper case) are not evaluated: the value becomes
            // unknown. In zsh and ksh, `-L`, `-R` and `-Z` truncate and pad the value.
            changes: set.contains(['L', 'R', 'Z']) || !is_export && set.contains(['i', 'n', 'u', 'l', 'c', 'A']),
            lists: set.contains(['a', 'A']),
            prints: set.contains('p'),
            attribute: match builtin {
                _ if set.contains(['L', 'R', 'Z']) => Some(VariableAttribute::Unreliable),
                "export" => None,
                _ if set.contains('n') => Some(VariableAttribute::Reference),
                "readonly" => Some(VariableAttribute::Unreliable),
                _ => set.contains(['r', 'i', 'u', 'l', 'c']).then_some(VariableAttribute::Unreliable),
            },
        }
    }
}

/// Returns the assignment of a word whose name or `=` is quoted: `export "NAME=value"`.
fn quoted_assignment(value: &ShellValue) -> Option<ExpandedAssignment> {
    let (name, word) = value.word.split_at_equals()?;
    let (name, appends) = match name.strip_suffix('+') {
        Some(bare) => (bare.to_owned(), true),
        None => (name.to_owned(), false),
    };
    let binding = VariableValue::One(ShellValue { word, writers: value.writers.clone() });
    is_name(&name).then_some(ExpandedAssignment {
        name,
        subscript: None,
        appends,
        binding,
        word_index: 0,
        is_quoted: true,
    })
}

/// Whether a command is `exec` without a program, possibly after `command` or `builtin`.
fn is_bare_exec(values: &[ShellValue]) -> bool {
    let mut words = values.iter().map(|value| value.word.known_text());
    words.by_ref().skip_while(|word| matches!(word, Some("command" | "builtin" | "-p" | "--"))).eq([Some("exec")])
}
