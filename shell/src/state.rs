//! The state of a shell at one point of a text: variables, arguments, directory, functions, aliases, descriptors,
//! options.
//!
//! Copies are cheap: large parts are shared until one of the copies changes them.

mod characters;
mod descriptors;
mod join;
mod numbers;
mod options;
mod special;
mod taken;

use crate::stream::{ShellValue, Writer};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::analysis::{Assignment, InheritedEnvironment, is_own_variable};
use crate::dialect::{Dialect, DialectFeature, DialectReading, DialectSet};
use crate::parse::CommandNode;
use crate::path::normalise;
use crate::word::{Cause, Directory, Unknown, Word};
pub(crate) use descriptors::{Channel, Descriptors, OpenCertainty, OutputTarget, WriteMode};
pub(crate) use options::{OptionState, ShellOptions};
pub(crate) use special::{VariableOwner, variable_owner};
pub(crate) use taken::ConsumedStreams;

/// A variable that the text sets or removes, or that the caller gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ShellVariable {
    /// The value.
    pub binding: VariableValue,
    /// Whether commands receive the variable in their environment.
    pub is_exported: bool,
}

/// The value of a variable, as far as the text determines it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum VariableValue {
    /// The variable was removed.
    Unset,
    /// A single value, which may be unknown.
    One(ShellValue),
    /// The elements of an array, without gaps.
    List(Vec<ShellValue>),
}

/// The positional parameters: `$0`, `$1`, ….
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PositionalParameters {
    /// They are set by the caller of the text.
    Unknown,
    /// `$0` and the other parameters. A word that may split represents several.
    Known(ShellValue, Vec<ShellValue>),
}

/// An alias. Bash expands it only on lines after its definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Alias {
    /// The replacement text.
    pub text: ShellValue,
    /// The number of the line that defines the alias, counted over all texts.
    pub line: usize,
}

/// Whether the name of a program refers to the program that usually has it. Ordered: a later variant is less certain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ProgramLookup {
    /// Nothing changed where programs are found.
    Usual,
    /// The user's own setup extended the search path: `eval "$(brew shellenv)"`.
    SetUp,
    /// `PATH=`, `hash`, `enable` or a handler for unknown commands changed where programs are found.
    Changed,
}

/// Which variables an assignment exports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExportMode {
    /// An assignment exports only a variable that is marked with `export`, or inherited.
    Marked,
    /// Every assignment exports its variable: `set -a`.
    All,
}

/// Whether the output of a shell is captured by a command substitution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OutputCapture {
    /// It is not captured.
    Not,
    /// The shell is that of `$(…)` itself, and not one that a command in it starts.
    Output,
}

/// Why a variable may differ from its assigned value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum VariableAttribute {
    /// The shell ignores or transforms an assigned value, or code that runs at other times assigns it too:
    /// `readonly`, `declare -l`, a trap.
    Unreliable,
    /// The variable is a reference to another variable: `declare -n`.
    Reference,
}

/// The state of a shell at one point of a text.
#[derive(Clone, Debug)]
pub(super) struct ShellState {
    /// The variables that the text sets or removes. Any other is inherited or unset.
    pub variables: Rc<BTreeMap<String, ShellVariable>>,
    /// The positional parameters.
    pub arguments: Rc<PositionalParameters>,
    /// The current directory.
    pub cwd: Directory,
    /// The previous directory, `$OLDPWD`.
    pub previous: Option<Directory>,
    /// The directory stack of `pushd`, with the top last.
    pub stack: Rc<Vec<Directory>>,
    /// The home directory at the start.
    pub home: Option<Rc<Path>>,
    /// The bodies of the functions, by name.
    pub functions: Rc<BTreeMap<String, Rc<CommandNode>>>,
    /// The aliases, by name.
    pub aliases: Rc<BTreeMap<String, Alias>>,
    /// Whether names of programs have their usual meaning.
    pub lookup: ProgramLookup,
    /// Which assignments export their variables.
    pub exports: ExportMode,
    /// Whether commands also receive the environment of the shell's caller.
    pub inherited: InheritedEnvironment,
    /// Why the environment of commands may differ from what the text sets; `None` if it does not.
    pub hidden: Option<Unknown>,
    /// Whether some variable has the integer attribute, so that a value assigned to it is evaluated.
    pub has_integers: bool,
    /// The functions that are exported to child shells.
    pub exported: Rc<BTreeMap<String, Rc<CommandNode>>>,
    /// The targets of the open file descriptors.
    pub descriptors: Descriptors,
    /// The parts of streams that were already consumed.
    pub consumed: ConsumedStreams,
    /// The work of copies and comparisons that is not charged to the budget yet, in steps. All states of a walk share
    /// the counter.
    pub pending_steps: Rc<Cell<usize>>,
    /// The variables that the local variables of the current function hide, by name; `None` for one that was not set.
    /// The whole map is `None` outside functions.
    pub locals: Option<Rc<BTreeMap<String, Option<ShellVariable>>>>,
    /// Variables that may differ from their assigned values, by name.
    pub attributes: Rc<BTreeMap<String, VariableAttribute>>,
    /// Whether any variable may be a reference to another, because the name in a `declare -n` is unknown.
    pub may_refer: bool,
    /// Functions that are defined on only some of the paths to this point.
    pub maybe_defined: Rc<BTreeSet<String>>,
    /// Variables that are declared as arrays, whether they have a value or not.
    pub lists: Rc<BTreeSet<String>>,
    /// Whether the text uses an escape such as `\u00e9`, whose character depends on the locale. All states of a walk
    /// share it.
    pub has_escaped_characters: Rc<Cell<bool>>,
    /// The options set by `set` and `shopt`.
    pub options: ShellOptions,
    /// The options that the current function restores at its end, because it runs `local -`.
    pub own_options: Option<ShellOptions>,
    /// Whether the output is captured, as that of `$(…)` is.
    pub capture: OutputCapture,
    /// The dialect in which the text is read.
    pub reading: DialectReading,
    /// The dialects in which the following lines may be read, after a join of paths with different dialects. Empty if
    /// there is one only.
    pub mixed: DialectSet,
}

/// The result of looking up a variable in the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum VariableLookup {
    /// The variable certainly has no value.
    Unset,
    /// The variable has one value, which may be partly unknown.
    One(ShellValue),
    /// The variable is an array.
    List(Vec<ShellValue>),
    /// The value is not known, and the variable may be unset.
    Unknown,
}

/// Variables that are usually in the environment, so that an assignment to them is exported.
const INHERITED: &[&str] = &[
    "PATH",
    "HOME",
    "PWD",
    "OLDPWD",
    "SHELL",
    "USER",
    "LOGNAME",
    "LANG",
    "LC_ALL",
    "TERM",
    "TMPDIR",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "BASH_ENV",
    "NODE_OPTIONS",
    "PYTHONPATH",
];

impl ShellState {
    pub(super) fn new(cwd: &Path, home: Option<&Path>) -> Self {
        Self {
            variables: Rc::default(),
            arguments: Rc::new(PositionalParameters::Unknown),
            cwd: Directory::Known(cwd.to_path_buf()),
            previous: None,
            stack: Rc::default(),
            home: home.map(Rc::from),
            functions: Rc::default(),
            aliases: Rc::default(),
            lookup: ProgramLookup::Usual,
            exports: ExportMode::Marked,
            inherited: InheritedEnvironment::Unseen,
            hidden: None,
            has_integers: false,
            exported: Rc::default(),
            descriptors: Descriptors::default(),
            consumed: ConsumedStreams::default(),
            pending_steps: Rc::default(),
            locals: None,
            attributes: Rc::default(),
            may_refer: false,
            maybe_defined: Rc::default(),
            lists: Rc::default(),
            has_escaped_characters: Rc::default(),
            options: ShellOptions::default(),
            own_options: None,
            capture: OutputCapture::Not,
            reading: DialectReading::single(Dialect::Bash),
            mixed: DialectSet::NONE,
        }
    }

    /// Returns the same state in another directory, with new counters that are not shared.
    pub(super) fn with_directory(&self, cwd: &Path, home: Option<&Path>) -> Self {
        Self {
            variables: Rc::clone(&self.variables),
            arguments: Rc::clone(&self.arguments),
            cwd: Directory::Known(cwd.to_path_buf()),
            previous: self.previous.clone(),
            stack: Rc::clone(&self.stack),
            home: home.map(Rc::from),
            functions: Rc::clone(&self.functions),
            aliases: Rc::clone(&self.aliases),
            lookup: self.lookup,
            exports: self.exports,
            inherited: self.inherited,
            hidden: self.hidden.clone(),
            has_integers: self.has_integers,
            exported: Rc::clone(&self.exported),
            descriptors: self.descriptors.clone(),
            consumed: self.consumed.clone(),
            pending_steps: Rc::default(),
            locals: self.locals.clone(),
            attributes: Rc::clone(&self.attributes),
            may_refer: self.may_refer,
            maybe_defined: Rc::clone(&self.maybe_defined),
            lists: Rc::clone(&self.lists),
            has_escaped_characters: Rc::default(),
            options: self.options,
            own_options: self.own_options,
            capture: self.capture,
            reading: self.reading.clone(),
            mixed: self.mixed,
        }
    }

    /// Records the value of an environment variable of the shell's caller; `None` if it is unset there.
    pub(super) fn inherit(&mut self, name: &str, value: Option<&str>) {
        let binding = value.map_or(VariableValue::Unset, |value| VariableValue::One(ShellValue::text(value)));
        let variable = ShellVariable { binding, is_exported: true };
        Rc::make_mut(&mut self.variables).insert(name.to_owned(), variable);
    }

    /// Clears the environment: from here on, commands receive only what is set explicitly.
    pub(super) fn clear_environment(&mut self) {
        self.variables = Rc::default();
        self.exported = Rc::default();
        self.inherited = InheritedEnvironment::Nothing;
    }

    /// Adds work to the steps that [`Self::take_charges`] returns.
    pub(super) fn charge(&self, steps: usize) {
        self.pending_steps.set(self.pending_steps.get().saturating_add(steps));
    }

    /// Returns the steps added since the last call, and resets them.
    pub(super) fn take_charges(&self) -> usize {
        self.pending_steps.take()
    }

    /// Charges for the copy that a change of a shared part makes.
    fn charge_copy<T>(&self, shared: &Rc<T>, size: usize) {
        if Rc::strong_count(shared) > 1 {
            self.charge(4 * size);
        }
    }

    /// Looks up a variable that the text sets, or one that every shell sets (`HOME`, `PWD`, `IFS`). A variable that
    /// the shell changes at any time is unknown.
    pub(super) fn find(&self, name: &str) -> VariableLookup {
        if let Some(variable) = self.variables.get(name) {
            if variable_owner(name) == VariableOwner::Shell
                || self.attribute(name) == Some(VariableAttribute::Reference)
            {
                return VariableLookup::Unknown;
            }
            if let VariableValue::List(values) = &variable.binding {
                self.charge(4 * values.len());
            }
            return match &variable.binding {
                VariableValue::Unset => VariableLookup::Unset,
                VariableValue::One(value) => VariableLookup::One(value.clone()),
                VariableValue::List(values) => VariableLookup::List(values.clone()),
            };
        }
        let path_value = |directory: &Directory| match directory {
            Directory::Known(path) => path.to_str().map(ShellValue::text),
            Directory::Unknown(_) => None,
        };
        let set_by_shell = match name {
            "HOME" => self.home.as_deref().and_then(Path::to_str).map(ShellValue::text),
            "PWD" => path_value(&self.cwd),
            "OLDPWD" => self.previous.as_ref().and_then(path_value),
            "IFS" => Some(ShellValue::text(" \t\n")),
            _ => None,
        };
        // Without an inherited environment, only variables that the shell sets may have a value.
        let is_unset =
            || self.inherited == InheritedEnvironment::Nothing && self.hidden.is_none() && !special::is_listed(name);
        match set_by_shell {
            Some(value) => VariableLookup::One(value),
            None if is_unset() => VariableLookup::Unset,
            None => VariableLookup::Unknown,
        }
    }

    /// Returns the characters at which words are split, the value of `IFS`; `None` if they are unknown.
    pub(super) fn separators(&self) -> Option<String> {
        match self.find("IFS") {
            VariableLookup::One(value) => value.word.known_text().map(str::to_owned),
            VariableLookup::Unset => Some(" \t\n".to_owned()),
            VariableLookup::List(_) | VariableLookup::Unknown => None,
        }
    }

    /// Assigns a value to a variable. If its attributes may change the value, the variable becomes unknown; if it is
    /// a reference, all variables do.
    pub(super) fn set(&mut self, name: &str, binding: VariableValue) {
        match self.attribute(name) {
            None => self.bind(name, binding),
            Some(VariableAttribute::Unreliable) => {
                let mut value = ShellValue::variable(name);
                value.add_writers(binding.writers());
                self.bind(name, VariableValue::One(value));
            }
            // Any variable may be the target of the reference.
            Some(VariableAttribute::Reference) => {
                self.charge(8 * self.variables.len());
                let names: Vec<String> = self.variables.keys().cloned().collect();
                for other in names.iter().map(String::as_str).chain([name]) {
                    let mut value = ShellValue::variable(other);
                    value.add_writers(binding.writers());
                    self.bind(other, VariableValue::One(value));
                }
            }
        }
    }

    /// Whether a variable may differ from its assigned value, because of an attribute.
    pub(super) fn is_changed(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    /// Returns why a variable may differ from its assigned value.
    fn attribute(&self, name: &str) -> Option<VariableAttribute> {
        match self.may_refer {
            true => Some(VariableAttribute::Reference),
            false => self.attributes.get(name).copied(),
        }
    }

    /// Records that a variable may differ from its assigned values from now on.
    pub(super) fn set_attribute(&mut self, name: &str, attribute: VariableAttribute) {
        if self.attributes.get(name).is_none_or(|current| *current < attribute) {
            self.charge_copy(&self.attributes, self.attributes.len());
            Rc::make_mut(&mut self.attributes).insert(name.to_owned(), attribute);
        }
    }

    /// Assigns a single value to a variable. If the variable is an array, this sets the first element, except in zsh.
    pub(super) fn assign_text(&mut self, name: &str, value: ShellValue) {
        let elements = match self.variables.get(name) {
            Some(ShellVariable { binding: VariableValue::List(values), .. })
                if !self.reading.has(DialectFeature::ZshSyntax) =>
            {
                values
            }
            _ => return self.set(name, VariableValue::One(value)),
        };
        let rest = elements.iter().skip(1).cloned();
        let values: Vec<ShellValue> = std::iter::once(value).chain(rest).collect();
        // A first element that may split could be several elements.
        let is_certain = elements.first().is_none_or(|first| !first.word.may_split());
        match is_certain {
            true => self.set(name, VariableValue::List(values)),
            false => self.forget(name),
        }
    }

    /// Sets the value of a variable, regardless of its attributes, and the parts of the state that depend on it.
    fn bind(&mut self, name: &str, binding: VariableValue) {
        if name == "BASH_ARGV0" {
            let rest = match &*self.arguments {
                PositionalParameters::Known(_, rest) => rest.clone(),
                PositionalParameters::Unknown => Vec::new(),
            };
            if *self.arguments != PositionalParameters::Unknown {
                self.arguments = Rc::new(PositionalParameters::Known(ShellValue::unknown(Cause::Argument, "$0"), rest));
            }
        }
        let before = self.variables.get(name).map(|variable| variable.is_exported);
        let is_exported = self.exports == ExportMode::All || before.unwrap_or_else(|| INHERITED.contains(&name));
        if name == "PATH" {
            self.lookup = ProgramLookup::Changed;
        }
        self.charge_copy(&self.variables, self.variables.len());
        Rc::make_mut(&mut self.variables).insert(name.to_owned(), ShellVariable { binding, is_exported });
    }

    /// Records that a variable with a name like those of the environment may be exported: `for KUBECONFIG in x`.
    pub(super) fn export_like_inherited(&mut self, name: &str) {
        if !is_own_variable(name) {
            self.export(name);
        }
    }

    /// Makes the values of all variables in the state unknown.
    pub(super) fn forget_variables(&mut self) {
        let names: Vec<String> = self.variables.keys().cloned().collect();
        names.iter().for_each(|name| self.forget(name));
    }

    /// Makes the value of a variable unknown.
    pub(super) fn forget(&mut self, name: &str) {
        self.set(name, VariableValue::One(ShellValue::variable(name)));
    }

    /// Records that the environment may have changed in any respect: the values of exported variables become unknown.
    pub(super) fn hide(&mut self, why: Unknown) {
        self.charge(self.variables.len());
        let exported = self.variables.iter().filter(|(_, variable)| variable.is_exported);
        let names: Vec<String> = exported.map(|(name, _)| name.clone()).collect();
        names.iter().for_each(|name| self.forget(name));
        self.hidden.get_or_insert(why);
    }

    /// Exports a variable to commands. Does nothing if the text has not set it.
    pub(super) fn export(&mut self, name: &str) {
        if !self.variables.contains_key(name) {
            // The variable keeps its inherited value, which is not known.
            return;
        }
        self.charge_copy(&self.variables, self.variables.len());
        if let Some(variable) = Rc::make_mut(&mut self.variables).get_mut(name) {
            variable.is_exported = true;
        }
    }

    /// Stops exporting a variable to commands. Does nothing if the text has not set it.
    pub(super) fn stop_export(&mut self, name: &str) {
        if self.variables.contains_key(name) {
            self.charge_copy(&self.variables, self.variables.len());
            if let Some(variable) = Rc::make_mut(&mut self.variables).get_mut(name) {
                variable.is_exported = false;
            }
        }
    }

    /// Removes what the text assigned to a variable, so that a lookup returns the value that the shell itself sets.
    pub(super) fn release(&mut self, name: &str) {
        if self.variables.contains_key(name) {
            self.charge_copy(&self.variables, self.variables.len());
            Rc::make_mut(&mut self.variables).remove(name);
        }
    }

    /// Saves the value of a variable before the current function declares the variable as local. Does nothing outside
    /// functions.
    pub(super) fn make_local(&mut self, name: &str) {
        let Some(locals) = &mut self.locals else { return };
        let before = self.variables.get(name).cloned();
        Rc::make_mut(locals).entry(name.to_owned()).or_insert(before);
    }

    /// Whether the current function has declared a variable of this name as local.
    pub(super) fn is_local(&self, name: &str) -> bool {
        self.locals.as_ref().is_some_and(|locals| locals.contains_key(name))
    }

    /// Makes the variable that a local variable of this name hides unknown outside the function.
    pub(super) fn forget_outside(&mut self, name: &str) {
        let Some(locals) = &mut self.locals else { return };
        let variable = ShellVariable { binding: VariableValue::One(ShellValue::variable(name)), is_exported: false };
        Rc::make_mut(locals).insert(name.to_owned(), Some(variable));
    }

    /// Restores the variables that a function declared as local. `callers` are the saved variables of its caller.
    pub(super) fn leave_function(&mut self, callers: Option<Rc<BTreeMap<String, Option<ShellVariable>>>>) {
        let locals = std::mem::replace(&mut self.locals, callers).unwrap_or_default();
        for (name, before) in locals.iter() {
            self.restore_variable(name, before.as_ref());
        }
    }

    /// Restores variables to their values in `before`.
    pub(super) fn restore(&mut self, names: &[&str], before: &BTreeMap<String, ShellVariable>) {
        for name in names {
            self.restore_variable(name, before.get(*name));
        }
    }

    /// Sets a variable to a previous state; `None` removes it.
    fn restore_variable(&mut self, name: &str, before: Option<&ShellVariable>) {
        self.charge_copy(&self.variables, self.variables.len());
        let variables = Rc::make_mut(&mut self.variables);
        match before {
            Some(variable) => variables.insert(name.to_owned(), variable.clone()),
            None => variables.remove(name),
        };
    }

    /// Returns the environment variables of commands that the text sets or removes. An array has an unknown value.
    pub(super) fn environment(&self) -> Vec<Assignment> {
        let exported = || self.variables.iter().filter(|(_, variable)| variable.is_exported);
        let size = |(_, variable): (&String, &ShellVariable)| match &variable.binding {
            VariableValue::One(value) => value.size() / 16,
            VariableValue::Unset | VariableValue::List(_) => 0,
        };
        self.charge(self.variables.len() / 8 + exported().map(size).sum::<usize>());
        let assignment = |(name, variable): (&String, &ShellVariable)| {
            let value = match &variable.binding {
                VariableValue::Unset => None,
                VariableValue::One(value) => Some(Word { span: None, ..value.word.clone() }),
                VariableValue::List(_) => Some(ShellValue::variable(name).word),
            };
            Assignment { name: name.clone(), value }
        };
        exported().map(assignment).collect()
    }

    /// Returns the absolute path of a word, with the name of a descriptor replaced by its file; `None` if the word is
    /// empty or unknown, or is relative to an unknown directory.
    pub(super) fn resolve(&self, path: &Word) -> Option<PathBuf> {
        let path = path.known_text().filter(|path| !path.is_empty())?;
        let path = match &self.cwd {
            Directory::Known(cwd) => normalise(path, cwd, None),
            Directory::Unknown(_) if path.starts_with('/') => normalise(path, Path::new("/"), None),
            Directory::Unknown(_) => return None,
        };
        match self.descriptors.files.descriptor_path(&path) {
            Some(file) => file.known_text().map(PathBuf::from),
            None => Some(path),
        }
    }

    /// Returns the file that a path such as `/dev/fd/3` opens, if the path is the name of a descriptor and the file
    /// is certain.
    pub(super) fn descriptor_path(&self, path: &Word) -> Option<Word> {
        self.descriptors.files.descriptor_file(path, &self.cwd)?.certain_file().cloned()
    }

    /// Returns the directory that a word names, relative to the current directory.
    pub(super) fn directory_at(&self, directory: &Word) -> Directory {
        match self.resolve(directory) {
            Some(path) => Directory::Known(path),
            None => Directory::Unknown(Unknown::for_word(Cause::Directory, directory)),
        }
    }

    /// Returns the state of a new shell process: it inherits exported variables and functions, the directory and the
    /// descriptors.
    pub(super) fn child(&self, arguments: PositionalParameters) -> Self {
        self.charge(self.variables.len());
        // Arrays are not exported.
        let is_text = |variable: &ShellVariable| !matches!(variable.binding, VariableValue::List(_));
        let exported = self.variables.iter().filter(|(_, variable)| variable.is_exported && is_text(variable));
        Self {
            variables: Rc::new(exported.map(|(name, variable)| (name.clone(), variable.clone())).collect()),
            arguments: Rc::new(arguments),
            cwd: self.cwd.clone(),
            previous: self.previous.clone(),
            stack: Rc::default(),
            home: self.home.clone(),
            functions: Rc::clone(&self.exported),
            aliases: Rc::default(),
            lookup: self.lookup,
            exports: ExportMode::Marked,
            inherited: self.inherited,
            hidden: self.hidden.clone(),
            has_integers: false,
            exported: Rc::clone(&self.exported),
            descriptors: self.descriptors.clone(),
            consumed: self.consumed.clone(),
            pending_steps: Rc::clone(&self.pending_steps),
            locals: None,
            attributes: Rc::default(),
            may_refer: false,
            maybe_defined: Rc::default(),
            lists: Rc::default(),
            has_escaped_characters: Rc::clone(&self.has_escaped_characters),
            options: ShellOptions::default(),
            own_options: None,
            capture: OutputCapture::Not,
            reading: self.reading.clone(),
            mixed: DialectSet::NONE,
        }
    }
}

impl VariableValue {
    /// Returns the size of the value, in bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Unset => 1,
            Self::One(value) => value.size(),
            Self::List(values) => values.iter().map(ShellValue::size).sum(),
        }
    }

    /// Returns the commands whose output the value contains; for an array, only those of its first element.
    pub(super) fn writers(&self) -> &[Writer] {
        match self {
            Self::One(value) => &value.writers,
            Self::List(values) => values.first().map_or(&[], |value| &value.writers),
            Self::Unset => &[],
        }
    }
}
