//! The state of a shell at one point of a text: variables, arguments, directory, functions, aliases.
//!
//! Copies are cheap: large parts are shared until one of the copies changes them.

mod characters;
mod descriptors;
mod join;
mod options;
mod special;
mod taken;

use crate::stream::{ShellValue, Writer};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::analysis::{Assignment, InheritedEnvironment};
use crate::dialect::{Dialect, DialectFeature, DialectReading, DialectSet};
use crate::parse::CommandNode;
use crate::path::normalise;
use crate::word::{Cause, Directory, Unknown, Word};
pub(crate) use descriptors::{Channel, Descriptors, OpenCertainty, OutputTarget, WriteMode};
pub(crate) use options::{OptionState, ShellOptions};
pub(crate) use special::{VariableOwner, variable_owner};
pub(crate) use taken::ConsumedStreams;

/// A variable that the text sets or removes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ShellVariable {
    pub binding: VariableValue,
    /// Whether commands receive it in their environment.
    pub is_exported: bool,
}

/// The value of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum VariableValue {
    Unset,
    One(ShellValue),
    /// An array, without gaps.
    List(Vec<ShellValue>),
}

/// `$0`, `$1`, …
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PositionalParameters {
    /// The caller of the text determines them.
    Unknown,
    /// `$0`, and the rest; a word that may split represents several.
    Known(ShellValue, Vec<ShellValue>),
}

/// An alias, and the line that defines it: bash expands it only on later lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Alias {
    pub text: ShellValue,
    pub line: usize,
}

/// Whether names of programs have their usual meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ProgramLookup {
    Usual,
    /// One of the user's programs extended the search path (`eval "$(brew shellenv)"`).
    SetUp,
    /// Changed by `PATH=`, `hash`, `enable`, or a handler for names that are not found.
    Changed,
}

/// Which assigned variables are exported: `set -a` exports all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExportMode {
    Marked,
    All,
}

/// Whether a shell runs in a command substitution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OutputCapture {
    Not,
    /// `$(…)` itself, but not a shell that it starts.
    Output,
}

/// Why a variable may differ from its assigned value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum VariableAttribute {
    /// An assignment is ignored or transformed, or something else also assigns it: `readonly`, `declare -l`, a trap.
    Unreliable,
    /// It is a reference to another variable: `declare -n`.
    Reference,
}

/// The state of a shell.
#[derive(Clone, Debug)]
pub(super) struct ShellState {
    pub variables: Rc<BTreeMap<String, ShellVariable>>,
    pub arguments: Rc<PositionalParameters>,
    pub cwd: Directory,
    /// `$OLDPWD`.
    pub previous: Option<Directory>,
    /// The directory stack of `pushd`, with the top last.
    pub stack: Rc<Vec<Directory>>,
    pub home: Option<Rc<Path>>,
    pub functions: Rc<BTreeMap<String, Rc<CommandNode>>>,
    pub aliases: Rc<BTreeMap<String, Alias>>,
    pub lookup: ProgramLookup,
    pub exports: ExportMode,
    pub inherited: InheritedEnvironment,
    /// Why the environment of commands may differ from what the text sets.
    pub hidden: Option<Unknown>,
    /// Some variables have the integer attribute: their assigned values are evaluated.
    pub has_integers: bool,
    /// The functions exported to child shells.
    pub exported: Rc<BTreeMap<String, Rc<CommandNode>>>,
    pub descriptors: Descriptors,
    /// The parts of streams that were already consumed.
    pub consumed: ConsumedStreams,
    /// The work of copies and comparisons since the last count, in steps. All states of a walk share it.
    pub charged: Rc<Cell<usize>>,
    /// The previous values of the local variables of the current function.
    pub locals: Option<Rc<BTreeMap<String, Option<ShellVariable>>>>,
    /// Variables that may differ from their assigned values, by name.
    pub attributes: Rc<BTreeMap<String, VariableAttribute>>,
    /// Any name may be a reference: which one is unknown.
    pub may_refer: bool,
    /// Functions that are defined on only some of the paths to this point.
    pub maybe_defined: Rc<BTreeSet<String>>,
    /// Variables that are declared as lists, whether they have a value or not.
    pub lists: Rc<BTreeSet<String>>,
    /// Some escape stood for a character that not every locale has. All states of a walk share it.
    pub has_escaped_characters: Rc<Cell<bool>>,
    /// The options set by `set` and `shopt`.
    pub options: ShellOptions,
    /// The options that the current function restores at its end: `local -`.
    pub own_options: Option<ShellOptions>,
    /// Whether its output becomes a part of another command's words.
    pub capture: OutputCapture,
    /// The dialect of its text.
    pub reading: DialectReading,
    /// The other dialects of the following lines, after a join of paths with different ones.
    pub mixed: DialectSet,
}

/// The result of looking up a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum VariableLookup {
    /// It has no value.
    Unset,
    One(ShellValue),
    List(Vec<ShellValue>),
    /// Unknown.
    Unknown,
}

/// Variables that are exported wherever a shell starts.
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
            charged: Rc::default(),
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

    /// Returns the same state in another directory, with an account of steps and of escaped characters of its own.
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
            charged: Rc::default(),
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

    /// Records the value of an environment variable.
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

    /// Records work for the step count.
    pub(super) fn charge(&self, steps: usize) {
        self.charged.set(self.charged.get().saturating_add(steps));
    }

    /// Returns the recorded work, and resets it.
    pub(super) fn take_charges(&self) -> usize {
        self.charged.take()
    }

    /// Records the copy that changing a shared part makes.
    fn charge_copy<T>(&self, shared: &Rc<T>, size: usize) {
        if Rc::strong_count(shared) > 1 {
            self.charge(4 * size);
        }
    }

    /// Returns the value of a variable, including those that every shell sets.
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
        let place = |place: &Directory| match place {
            Directory::Known(path) => path.to_str().map(ShellValue::text),
            Directory::Unknown(_) => None,
        };
        let known = match name {
            "HOME" => self.home.as_deref().and_then(Path::to_str).map(ShellValue::text),
            "PWD" => place(&self.cwd),
            "OLDPWD" => self.previous.as_ref().and_then(place),
            "IFS" => Some(ShellValue::text(" \t\n")),
            _ => None,
        };
        let is_empty =
            || self.inherited == InheritedEnvironment::Nothing && self.hidden.is_none() && !special::is_listed(name);
        match known {
            Some(value) => VariableLookup::One(value),
            None if is_empty() => VariableLookup::Unset,
            None => VariableLookup::Unknown,
        }
    }

    /// Returns the separators of words; `None` if they are unknown.
    pub(super) fn separators(&self) -> Option<String> {
        match self.find("IFS") {
            VariableLookup::One(value) => value.word.known_text().map(str::to_owned),
            VariableLookup::Unset => Some(" \t\n".to_owned()),
            VariableLookup::List(_) | VariableLookup::Unknown => None,
        }
    }

    pub(super) fn set(&mut self, name: &str, binding: VariableValue) {
        match self.attribute(name) {
            None => self.bind(name, binding),
            Some(VariableAttribute::Unreliable) => {
                let mut value = ShellValue::variable(name);
                value.add_writers(binding.writers());
                self.bind(name, VariableValue::One(value));
            }
            // Any variable may be the one that it refers to.
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

    /// Whether a variable may differ from its assigned value.
    pub(super) fn is_changed(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    fn attribute(&self, name: &str) -> Option<VariableAttribute> {
        match self.may_refer {
            true => Some(VariableAttribute::Reference),
            false => self.attributes.get(name).copied(),
        }
    }

    /// Records that a variable may differ from its assigned values from here on.
    pub(super) fn set_attribute(&mut self, name: &str, attribute: VariableAttribute) {
        if self.attributes.get(name).is_none_or(|own| *own < attribute) {
            self.charge_copy(&self.attributes, self.attributes.len());
            Rc::make_mut(&mut self.attributes).insert(name.to_owned(), attribute);
        }
    }

    /// Assigns a text to a variable. If it is a list, this sets its first element, except in zsh.
    pub(super) fn assign_text(&mut self, name: &str, value: ShellValue) {
        let first = match self.variables.get(name) {
            Some(ShellVariable { binding: VariableValue::List(values), .. })
                if !self.reading.has(DialectFeature::ZshSyntax) =>
            {
                values
            }
            _ => return self.set(name, VariableValue::One(value)),
        };
        let rest = first.iter().skip(1).cloned();
        let values: Vec<ShellValue> = std::iter::once(value).chain(rest).collect();
        // A word that may split could be several elements.
        let is_certain = first.first().is_none_or(|first| !first.word.may_split());
        match is_certain {
            true => self.set(name, VariableValue::List(values)),
            false => self.forget(name),
        }
    }

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

    /// Makes the values of all variables unknown.
    pub(super) fn forget_variables(&mut self) {
        let names: Vec<String> = self.variables.keys().cloned().collect();
        names.iter().for_each(|name| self.forget(name));
    }

    /// Makes the value of a variable unknown.
    pub(super) fn forget(&mut self, name: &str) {
        self.set(name, VariableValue::One(ShellValue::variable(name)));
    }

    /// Records that the environment may have changed in any way: the values of exported variables become unknown.
    pub(super) fn hide(&mut self, why: Unknown) {
        self.charge(self.variables.len());
        let exported = self.variables.iter().filter(|(_, variable)| variable.is_exported);
        let names: Vec<String> = exported.map(|(name, _)| name.clone()).collect();
        names.iter().for_each(|name| self.forget(name));
        self.hidden.get_or_insert(why);
    }

    /// Exports a variable to commands.
    pub(super) fn export(&mut self, name: &str) {
        if !self.variables.contains_key(name) {
            // It keeps its unknown inherited value.
            return;
        }
        self.charge_copy(&self.variables, self.variables.len());
        if let Some(variable) = Rc::make_mut(&mut self.variables).get_mut(name) {
            variable.is_exported = true;
        }
    }

    /// Stops exporting a variable to commands; the value that they see is unknown.
    pub(super) fn stop_export(&mut self, name: &str) {
        if self.variables.contains_key(name) {
            self.charge_copy(&self.variables, self.variables.len());
            if let Some(variable) = Rc::make_mut(&mut self.variables).get_mut(name) {
                variable.is_exported = false;
            }
        }
    }

    /// Forgets the text's value of a variable, so that the shell's own applies.
    pub(super) fn release(&mut self, name: &str) {
        if self.variables.contains_key(name) {
            self.charge_copy(&self.variables, self.variables.len());
            Rc::make_mut(&mut self.variables).remove(name);
        }
    }

    /// Saves the value of a variable before the current function declares it as local.
    pub(super) fn make_local(&mut self, name: &str) {
        let Some(locals) = &mut self.locals else { return };
        let before = self.variables.get(name).cloned();
        Rc::make_mut(locals).entry(name.to_owned()).or_insert(before);
    }

    /// Whether the current function has a local variable of this name.
    pub(super) fn is_local(&self, name: &str) -> bool {
        self.locals.as_ref().is_some_and(|locals| locals.contains_key(name))
    }

    /// Makes the outer variable that a local one shadows unknown.
    pub(super) fn forget_outside(&mut self, name: &str) {
        let Some(locals) = &mut self.locals else { return };
        let variable = ShellVariable { binding: VariableValue::One(ShellValue::variable(name)), is_exported: false };
        Rc::make_mut(locals).insert(name.to_owned(), Some(variable));
    }

    /// Restores the variables at the end of a function, and the saved ones of its caller.
    pub(super) fn leave_function(&mut self, callers: Option<Rc<BTreeMap<String, Option<ShellVariable>>>>) {
        let locals = std::mem::replace(&mut self.locals, callers).unwrap_or_default();
        for (name, before) in locals.iter() {
            self.restore_variable(name, before.as_ref());
        }
    }

    /// Restores variables to their previous values.
    pub(super) fn restore(&mut self, names: &[&str], before: &BTreeMap<String, ShellVariable>) {
        for name in names {
            self.restore_variable(name, before.get(*name));
        }
    }

    fn restore_variable(&mut self, name: &str, before: Option<&ShellVariable>) {
        self.charge_copy(&self.variables, self.variables.len());
        let variables = Rc::make_mut(&mut self.variables);
        match before {
            Some(variable) => variables.insert(name.to_owned(), variable.clone()),
            None => variables.remove(name),
        };
    }

    /// Returns the environment variables that the text sets for commands.
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

    /// Resolves a path against the directory; `None` if either is unknown.
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

    /// Returns the path of the file that a path opens by the name of a descriptor, if the file is certain.
    pub(super) fn descriptor_path(&self, path: &Word) -> Option<Word> {
        self.descriptors.files.descriptor_file(path, &self.cwd)?.certain_file().cloned()
    }

    /// Returns the directory that a word denotes.
    pub(super) fn directory_at(&self, directory: &Word) -> Directory {
        match self.resolve(directory) {
            Some(path) => Directory::Known(path),
            None => Directory::Unknown(Unknown::for_word(Cause::Directory, directory)),
        }
    }

    /// Returns the state of a new shell process: exported variables and functions, and the directory.
    pub(super) fn child(&self, arguments: PositionalParameters) -> Self {
        self.charge(self.variables.len());
        // Lists are not exported.
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
            charged: Rc::clone(&self.charged),
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
    /// Returns the size of its value, in bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Unset => 1,
            Self::One(value) => value.size(),
            Self::List(values) => values.iter().map(ShellValue::size).sum(),
        }
    }

    /// Returns the commands whose output it contains.
    pub(super) fn writers(&self) -> &[Writer] {
        match self {
            Self::One(value) => &value.writers,
            Self::List(values) => values.first().map_or(&[], |value| &value.writers),
            Self::Unset => &[],
        }
    }
}
