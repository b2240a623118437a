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
const LONGEST_PATH: usize = 4096;

/// The maximum number of directories on the stack of `pushd`. At the limit, the stack is cleared.
const STACK: usize = 64;

/// Whether a builtin declares variables, so that arguments such as `A=1` are assignments.
pub(super) fn is_declaring(name: &str) -> bool {
    matches!(name, "declare" | "typeset" | "local" | "export" | "readonly")
}

impl Frame<'_> {
    /// Applies the effects of a builtin to the state, if the command is one. Returns the jump of `break`, `return`,
    /// `exit` and the like.
    pub(super) fn builtin(&mut self, made: &ExpandedCommand<'_>) -> Jump {
        let Some(name) = made.name() else { return Jump::Nothing };
        let arguments = made.values.get(1..).unwrap_or_default();
        self.subscripts(name, arguments);
        match name {
            "cd" | "chdir" => self.cd(arguments),
            "pushd" => self.pushd(arguments),
            "popd" => self.popd(arguments),
            "dirs" if arguments.iter().any(|value| value.word.known_text() == Some("-c")) => {
                Rc::make_mut(&mut self.state.stack).clear()
            }
            _ if is_declaring(name) => self.declare(name, made),
            "unset" => self.unset(arguments),
            "read" | "mapfile" | "readarray" | "getopts" => self.read(name, made),
            "printf" => self.print_to_variable(arguments),
            "set" => self.set_builtin(arguments),
            "shift" => self.shift(arguments),
            "shopt" => arguments.iter().for_each(|value| self.state.options.set(value.word.known_text())),
            "let" => {
                let names = arguments.iter().flat_map(|value| assigned_by_arithmetic(&value.word.literal()));
                names.for_each(|name| self.state.forget(&name));
            }
            "compgen" | "complete" => self.completions(arguments),
            "alias" => arguments.iter().for_each(|value| self.alias(value)),
            "unalias" => self.unalias(arguments),
            "trap" => self.record_trap(made),
            "hash" | "enable" if !arguments.is_empty() => {
                self.state.lookup = ProgramLookup::Changed;
                self.hash(arguments);
            }
            "wait" => {
                let mut behind = arguments.iter().skip_while(|value| !value.word.prefix().starts_with("-p")).skip(1);
                behind.next().into_iter().for_each(|name| self.give_unknown(&name.word, &[]));
            }
            // `fc` edits an earlier command and runs it again.
            "fc" if !arguments.is_empty() => self.add_opaque(Cause::EarlierCommand, "fc", None),
            "exec" if arguments.is_empty() => self.keep_open(made.redirected),
            "command" | "builtin" if is_bare_exec(made.values) => self.keep_open(made.redirected),
            "break" | "continue" | "return" | "exit" | "exec" => return self.leave_by(name, arguments),
            _ => {}
        }
        Jump::Nothing
    }

    /// Records the state at a `break`, `continue` or `return`, for the code after the loop or function, and returns
    /// the jump.
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

    /// Changes the directory for `cd`. The new one is unknown if its name is, or if it depends on links or `CDPATH`.
    fn cd(&mut self, arguments: &[ShellValue]) {
        let is_option = |value: &&ShellValue| value.word.prefix().len() > 1 && value.word.prefix().starts_with('-');
        let operands: Vec<&ShellValue> = arguments.iter().skip_while(is_option).collect();
        let options = arguments.iter().take_while(is_option);
        self.state.options.physical |= options.into_iter().any(|value| value.word.prefix().contains('P'));
        let place = match operands.as_slice() {
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
        self.change_directory(place);
    }

    /// Sets the directory, and makes the old one `$OLDPWD`. Values assigned to `PWD` and `OLDPWD` are dropped.
    fn change_directory(&mut self, place: Directory) {
        self.state.previous = Some(std::mem::replace(&mut self.state.cwd, place));
        self.state.release("PWD");
        self.state.release("OLDPWD");
    }

    /// Returns the directory that a name refers to, relative to the current one.
    fn directory_named(&self, word: &Word) -> Directory {
        let unknown = || Directory::Unknown(Unknown::for_word(Cause::Directory, word));
        // With `CDPATH`, a relative name may be in another directory.
        let is_searched = self.may_search() && !word.prefix().starts_with(['/', '.']);
        // With `-P`, the target of `..` depends on symbolic links, which are not examined here.
        let is_above = |text: &str| text.split('/').any(|name| name == "..");
        match word.known_text() {
            Some("") => self.state.cwd.clone(),
            _ if is_searched => unknown(),
            Some(text) if self.state.options.physical && is_above(text) => unknown(),
            _ => match self.state.resolve(word) {
                // No system accepts a longer path.
                Some(path) if path.as_os_str().len() <= LONGEST_PATH => Directory::Known(path),
                _ => self.directory_from_glob(word).unwrap_or_else(unknown),
            },
        }
    }

    /// Whether `cd name` may go to a directory other than `name`: `CDPATH` is set, or `name` may be a variable
    /// (`cdable_vars`).
    pub(super) fn may_search(&self) -> bool {
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
            [one] if !one.word.prefix().starts_with(['+', '-']) => {
                let place = self.directory_named(&one.word);
                if self.state.stack.len() >= STACK {
                    Rc::make_mut(&mut self.state.stack).clear();
                }
                Rc::make_mut(&mut self.state.stack).push(self.state.cwd.clone());
                self.change_directory(place);
            }
            _ => self.change_directory(Directory::Unknown(Unknown::new(Cause::Directory, "pushd"))),
        }
    }

    /// Changes the directory for `popd` to the top of the stack.
    fn popd(&mut self, arguments: &[ShellValue]) {
        let place = match (arguments, Rc::make_mut(&mut self.state.stack).pop()) {
            ([], Some(place)) => place,
            // The shell that the text runs in may already have directories on its stack.
            _ => Directory::Unknown(Unknown::new(Cause::Directory, "popd")),
        };
        self.change_directory(place);
    }

    /// Applies `declare`, `local`, `export`, `readonly` and their options to each of their words.
    fn declare(&mut self, name: &str, made: &ExpandedCommand<'_>) {
        let options = |sign: char| -> String {
            made.values.iter().skip(1).filter_map(|value| value.word.known_text()?.strip_prefix(sign)).collect()
        };
        let (set, taken) = (options('-'), options('+'));
        let mut declaration = Declaration::read(name, &set, &taken);
        declaration.inherits |= self.state.options.localvar_inherit;
        if set.contains('f') {
            if declaration.exports {
                let names: Vec<&str> = made.values.iter().skip(1).filter_map(|value| value.word.known_text()).collect();
                names.into_iter().for_each(|name| self.export_function(name));
            }
            return;
        }
        if set.contains('A')
            && let Some(watch) = &mut self.interpreter.watch
        {
            let names = made.values.iter().skip(1).map(|value| value.word.prefix());
            names.for_each(|name| watch.note_table(name.split(['=', '[', '+']).next().unwrap_or_default()));
        }
        if set.contains('i') && name != "export" {
            self.state.has_integers = true;
        }
        if set.contains('n') && name != "export" && !made.declared_assignments.is_empty() {
            // The target of a reference is a name that may have a subscript, whose substitutions run.
            let text = made.values.iter().map(|value| value.word.literal()).collect::<Vec<_>>().join(" ");
            crate::expand::run_expression(self, &text);
        }
        if name == "local" && made.values.iter().any(|value| value.word.known_text() == Some("-")) {
            self.state.own_options.get_or_insert(self.state.options);
        }
        for (at, value) in made.values.iter().enumerate().skip(1) {
            match made.declared_assignments.iter().find(|one| one.word_index == at) {
                Some(one) => self.declare_one(&declaration, &one.name, Some(one)),
                None => self.declare_word(&declaration, value),
            }
        }
    }

    /// Declares the variable of an argument that is not an assignment as written: a bare name, an unknown word, or a
    /// quoted assignment such as `export "NAME=value"`.
    fn declare_word(&mut self, how: &Declaration<'_>, value: &ShellValue) {
        match value.word.known_text() {
            Some(variable) if is_name(variable) => self.declare_one(how, variable, None),
            // `export $X` may set any variable, and known ones to any value.
            None if value.word.may_split() || !value.word.prefix().contains('=') => {
                if how.builtin != "export" {
                    // It may also be an option, such as the one for references.
                    self.state.may_refer = true;
                }
                self.forget_all(&value.word);
            }
            _ => match quoted_assignment(value) {
                Some(one) => self.declare_one(how, &one.name, Some(&one)),
                None => {
                    let (target, _) = value.word.prefix().split_once(['[', '=']).unwrap_or_default();
                    if is_name(target) {
                        self.walk_element_list(how, target, value);
                        self.state.forget(target);
                    }
                }
            },
        }
    }

    /// Applies a declaration to one variable. `one` is its assignment, if it has one.
    fn declare_one(&mut self, how: &Declaration<'_>, name: &str, one: Option<&ExpandedAssignment>) {
        let list = one.and_then(|one| self.as_list(how, one));
        let one = list.as_ref().or(one);
        if how.lists {
            self.note_list(name);
        }
        let is_in_function = self.state.locals.is_some();
        let is_local = matches!(how.builtin, "local" | "declare" | "typeset") && !how.is_global
            || how.builtin == "readonly" && is_in_function && self.state.reading.has(DialectFeature::ZshSyntax);
        if is_local {
            self.state.make_local(name);
        }
        match one {
            Some(one) => {
                if is_local && is_in_function && !how.inherits {
                    // The new local variable does not have the caller's value.
                    self.state.set(name, VariableValue::Unset);
                }
                let is_list = matches!(&one.binding, VariableValue::One(value) if value.word.prefix().starts_with('('));
                self.assign(one);
                if list.is_some() && matches!(one.binding, VariableValue::One(_)) {
                    // The value is the whole array, not its first element.
                    self.state.set(name, one.binding.clone());
                }
                // `local` fails outside functions, and a quoted value in parentheses may be an array.
                if how.changes || is_list && one.is_quoted || how.builtin == "local" && !is_in_function {
                    self.state.forget(name);
                }
            }
            None if !is_local || !is_in_function => {}
            None if how.inherits || how.builtin != "local" => self.state.forget(name),
            None if self.state.reading.has(DialectFeature::ZshSyntax) => {
                self.state.set(name, VariableValue::One(ShellValue::default()))
            }
            None if self.state.reading.has(DialectFeature::FreshLocals) => self.state.set(name, VariableValue::Unset),
            None => {}
        }
        if how.is_global && is_in_function && self.state.is_local(name) {
            // The global variable is set, but this function still sees its local one.
            self.state.forget(name);
            self.state.forget_outside(name);
        }
        if let Some(attribute) = how.attribute {
            self.state.set_attribute(name, attribute);
        }
        if how.exports {
            self.state.export(name);
        } else if how.stops_export {
            self.state.forget(name);
            self.state.stop_export(name);
        }
    }

    /// Makes all variables and the environment unknown: a builtin sets a variable whose name is unknown.
    fn forget_all(&mut self, word: &Word) {
        if !self.interpreter.spend(8 * self.state.variables.len() + 1) {
            return;
        }
        self.state.forget_variables();
        self.state.hide(Unknown::new(Cause::Variable, word.display_text()));
    }

    /// Removes variables, or functions with `-f`. A variable that may belong to a caller becomes unknown instead.
    fn unset(&mut self, arguments: &[ShellValue]) {
        let is_function = arguments.iter().any(|value| value.word.known_text() == Some("-f"));
        // With `-n`, or in a function, `unset` may remove the caller's variable or none at all.
        let is_unsure = self.state.locals.is_some()
            || arguments.iter().any(|value| value.word.prefix().starts_with('-') && value.word.prefix().contains('n'));
        for value in arguments {
            match value.word.known_text() {
                Some(name) if is_function => {
                    Rc::make_mut(&mut self.state.functions).remove(name);
                }
                Some(name) if is_name(name) => {
                    let is_variable = self.state.variables.contains_key(name);
                    match is_unsure {
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
        let Some((option, behind)) = arguments.split_first() else { return };
        let attached = option.word.strip_prefix("-v").filter(|name| !name.parts.is_empty());
        let (name, printed) = match (attached, behind.split_first()) {
            (Some(name), _) => (name, behind),
            (None, Some((name, printed))) if option.word.known_text() == Some("-v") => (name.word.clone(), printed),
            _ => return,
        };
        if !self.state.reading.has(DialectFeature::MoreOptions) {
            return;
        }
        self.state.note_escapes(printed);
        match (name.known_text().filter(|name| is_name(name)), super::printf::printf(printed, &self.state.reading)) {
            (Some(name), Some(value)) => {
                self.note_assigned(name, &value);
                self.state.assign_text(name, value);
            }
            _ => {
                let mut from = Vec::new();
                printed.iter().for_each(|value| insert_ids(&mut from, &value.writers));
                self.give_unknown(&name, &from);
            }
        }
    }

    /// Sets the variable that a word names to an unknown value, for a builtin that prints or reads into it: `T`,
    /// `T[0]`. If the word is unknown (`$X`), all variables become unknown.
    pub(super) fn give_unknown(&mut self, target: &Word, from: &[Writer]) {
        let Some(name) = target.known_text() else { return self.forget_all(target) };
        let name = name.split('[').next().unwrap_or_default();
        if is_name(name) {
            let mut value = ShellValue::variable(name);
            value.add_writers(from);
            self.state.set(name, VariableValue::One(value));
        }
    }

    /// Applies the options of `set`, and its new positional parameters.
    fn set_builtin(&mut self, arguments: &[ShellValue]) {
        let words: Vec<&Word> = arguments.iter().map(|value| &value.word).collect();
        let called = SetOptions::parse(&words);
        called.named.iter().for_each(|(name, sign)| self.set_option(name, *sign));
        match called.positional {
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
            PositionalChange::From(at) => {
                let zero = match &*self.state.arguments {
                    PositionalParameters::Known(zero, _) => zero.clone(),
                    PositionalParameters::Unknown => ShellValue::unknown(Cause::Argument, "$0"),
                };
                let rest = arguments.get(at..).unwrap_or_default().to_vec();
                self.state.arguments = Rc::new(PositionalParameters::Known(zero, rest));
            }
        }
    }

    /// Sets or unsets a `set` option by its name. Unsetting an option that is tracked only as "may be set" has no
    /// effect.
    pub(super) fn set_option(&mut self, name: &str, sign: OptionSign) {
        let is_on = sign == OptionSign::Sets;
        // The letters of these options have other meanings in zsh.
        let is_unclear =
            matches!(name, "noglob" | "braceexpand" | "keyword") && self.state.reading.has(DialectFeature::ZshSyntax);
        let (is_set, is_unset) = match sign {
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
            "nounset" => options.nounset = is_set,
            "noglob" => options.noglob = is_set,
            "braceexpand" => options.nobraces = is_unset,
            "noclobber" => options.noclobber = is_set,
            "keyword" => options.keyword = is_set,
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
    fn hash(&mut self, arguments: &[ShellValue]) {
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
    fn completions(&mut self, arguments: &[ShellValue]) {
        let is_option = |value: &ShellValue| value.word.prefix().starts_with("-W");
        for at in arguments.iter().enumerate().filter(|(_, value)| is_option(value)).map(|(at, _)| at) {
            let own = arguments.get(at).filter(|value| value.word.known_text() != Some("-W"));
            let words = own.or_else(|| arguments.get(at + 1)).map(|value| value.word.literal());
            if let Some(words) = words.filter(|words| words.contains(['$', '`'])) {
                let mut state = self.state.clone();
                let setting = WalkContext { span_tracking: SpanTracking::Dropped, ..self.context.clone() };
                crate::expand::reexpand(&mut self.with_state(&mut state, &setting), &words);
            }
        }
    }

    /// Removes the aliases of `unalias`. Does nothing if there are functions: an alias was expanded in their bodies
    /// when they were defined.
    fn unalias(&mut self, arguments: &[ShellValue]) {
        if !self.state.functions.is_empty() {
            // In function bodies, aliases were expanded when the function was read.
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

/// The options of a declaring builtin, as its effect on each variable that it names.
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
    /// Why the variables may differ from assigned values from now on, if so.
    attribute: Option<VariableAttribute>,
}

impl<'a> Declaration<'a> {
    /// Parses the letters of the options with `-` (`set`) and with `+` (`taken`).
    fn read(builtin: &'a str, set: &str, taken: &str) -> Self {
        let is_export = builtin == "export";
        Self {
            builtin,
            exports: if is_export { !set.contains('n') } else { set.contains('x') },
            stops_export: is_export && set.contains('n') || taken.contains('x'),
            is_global: set.contains('g'),
            inherits: set.contains('I'),
            // Attributes that change values (integers, references, upper case) are not evaluated: the value becomes
            // unknown.
            // In zsh and ksh, `-L`, `-R` and `-Z` cut and fill the value.
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
