//! Files that the text writes and that a program starts or loads because it searches a directory for them: programs in
//! `PATH` and in the directories of package managers, modules in those of `PYTHONPATH` or `PERL5LIB`, libraries.

use std::path::{Path, PathBuf};

use super::Frame;
use super::simple::ExpandedCommand;
use crate::argv::base_name;
use crate::nested::{self, CodeSource, NestedCommand, Runnable};
use crate::path::join;
use crate::programs::program;
use crate::state::{ProgramLookup, VariableLookup};
use crate::stream::StreamContent;
use crate::word::{Cause, Unknown, Word};

/// The maximum number of files that one command starts or loads.
const MAX_SEARCHED: usize = 8;

/// The maximum number of commands within each other for which files are searched.
const MAX_LEVELS: usize = 4;

/// The maximum number of earlier commands that may have made a file.
const MAX_COMMANDS: usize = 64;

/// Programs that copy files or make libraries.
const MAKERS: &[&str] = &["cp", "mv", "install", "ln", "gcc", "cc", "clang", "g++", "c++", "clang++", "ld", "rustc"];

/// Programs that run the programs of a project by their names.
const PROJECT_RUNNERS: &[&str] =
    &["npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx", "uv", "poetry", "pipenv", "hatch", "pdm", "rye"];

/// The ends of the directories in which they find these programs.
const PROJECT_DIRECTORIES: &[&str] = &["node_modules/.bin", ".venv/bin", "venv/bin"];

/// Programs whose subcommand may be another program: `git x` is `git-x`.
const EXTENDED: &[&str] = &["git", "cargo", "kubectl", "npm"];

/// A variable with directories, the variable with the options that load files in them, and the ends of these files.
const LIBRARIES: &[(&str, &str, &[&str])] = &[
    ("PERL5LIB", "PERL5OPT", &[".pm"]),
    ("RUBYLIB", "RUBYOPT", &[".rb"]),
    ("NODE_PATH", "NODE_OPTIONS", &[".js", ""]),
];

/// The beginnings of options that load a file.
const LOADING: &[&str] = &["--require", "--import", "-M", "-m", "-r"];

/// Variables that name files with code for any program that starts with them.
const CODE_VARIABLES: &[&str] = &[
    "LD_PRELOAD",
    "LD_AUDIT",
    "DYLD_INSERT_LIBRARIES",
    "NODE_OPTIONS",
    "PERL5OPT",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "BASH_ENV",
    "DOTNET_STARTUP_HOOKS",
    "RUSTC_WRAPPER",
];

impl Frame<'_> {
    /// Returns the files that the text wrote and that a command starts or loads because it searches for them.
    pub(super) fn searched_files(&mut self, command: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        if self.context.via.len() > MAX_LEVELS {
            return Vec::new();
        }
        self.note_unseen_code(command);
        if self.interpreter.written.is_empty() {
            return Vec::new();
        }
        let Some(name) = command.name().map(base_name) else { return Vec::new() };
        let mut found = self.programs_in_path(name);
        found.extend(self.programs_named(name, command));
        found.extend(self.modules(command));
        found.truncate(MAX_SEARCHED);
        found
    }

    /// Returns the written files in the directories that the text adds to `PATH`, which a program may start that runs
    /// others or that is not known.
    fn programs_in_path(&mut self, name: &str) -> Vec<NestedCommand> {
        let starts_others =
            program(name).is_none_or(|record| !record.is_self_contained() || !record.commands.is_empty());
        if self.state.lookup != ProgramLookup::Changed || !starts_others {
            return Vec::new();
        }
        let VariableLookup::One(path) = self.state.find("PATH") else { return Vec::new() };
        let directories = self.directories(&path.word);
        self.interpreter.spend(self.interpreter.written.len() * (1 + directories.len()));
        let is_started = |path: &&PathBuf| {
            let is_program = path.file_name().is_some_and(|file| file != name) && path.extension().is_none();
            is_program && directories.iter().any(|directory| path.parent() == Some(directory))
        };
        let files = self.interpreter.written.keys().filter(is_started).take(MAX_SEARCHED);
        files.filter_map(|path| path.to_str()).map(|path| possible_program(path, name)).collect()
    }

    /// Returns the directories in a list that colons separate, as far as they are known.
    fn directories(&self, list: &Word) -> Vec<PathBuf> {
        let text = list.literal();
        text.split(':').filter(|one| !one.is_empty()).filter_map(|one| self.state.resolve(&Word::text(one))).collect()
    }

    /// Returns the written programs that the words of a command name: `git x` runs `git-x`, and `npx x` the file
    /// `node_modules/.bin/x`.
    fn programs_named(&mut self, name: &str, command: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        let is_extended = EXTENDED.contains(&name);
        if !is_extended && !PROJECT_RUNNERS.contains(&name) {
            return Vec::new();
        }
        let words = command.values.iter().skip(1).filter_map(|value| value.word.known_text());
        let words: Vec<&str> = words.filter(|word| !word.starts_with('-')).take(MAX_SEARCHED).collect();
        self.interpreter.spend(self.interpreter.written.len() * words.len());
        let is_named = |path: &&PathBuf| {
            let Some(file) = path.file_name().and_then(|file| file.to_str()) else { return false };
            let extension = file.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
            let in_project = || {
                let directory = path.parent().unwrap_or(Path::new(""));
                PROJECT_DIRECTORIES.iter().any(|end| directory.ends_with(end))
            };
            is_extended && extension.is_some_and(|rest| words.contains(&rest)) || words.contains(&file) && in_project()
        };
        let files = self.interpreter.written.keys().filter(is_named).take(MAX_SEARCHED);
        files.filter_map(|path| path.to_str()).map(|path| possible_program(path, name)).collect()
    }

    /// Returns the written modules in the directories of variables, which a program loads when it starts or in place
    /// of those of a library.
    fn modules(&mut self, command: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        let python = nested::loaded_by_convention(&[Word::text("python3")]);
        let mut names: Vec<PathBuf> = Vec::new();
        for directory in self.directories_of("PYTHONPATH", command) {
            let modules = python.iter().copied().chain(["sitecustomize.py", "usercustomize.py"]);
            names.extend(modules.map(|name| join(&directory, name.as_ref())));
        }
        for (variable, options, endings) in LIBRARIES {
            let libraries = self.loaded_names(options, command);
            for directory in self.directories_of(variable, command) {
                let files = libraries.iter().flat_map(|name| endings.iter().map(move |end| format!("{name}{end}")));
                names.extend(files.map(|file| join(&directory, file.as_ref())));
            }
        }
        self.interpreter.spend(names.len());
        let is_written = |path: &&PathBuf| self.interpreter.written.contains_key(*path);
        let files = names.iter().filter(is_written).take(MAX_SEARCHED).filter_map(|path| path.to_str());
        files.map(|path| NestedCommand::from(Runnable::Foreign(CodeSource::File(Word::text(path))))).collect()
    }

    /// Returns the directories in a variable of a command's environment.
    fn directories_of(&self, variable: &str, command: &ExpandedCommand<'_>) -> Vec<PathBuf> {
        let value = self.environment_text(variable, command);
        value.map(|value| self.directories(&Word::text(value))).unwrap_or_default()
    }

    /// Returns the names of the files that options in a variable load: `E` for `PERL5OPT=-ME`.
    fn loaded_names(&self, variable: &str, command: &ExpandedCommand<'_>) -> Vec<String> {
        let Some(value) = self.environment_text(variable, command) else { return Vec::new() };
        let mut names = Vec::new();
        let mut words = value.split([' ', '=']).filter(|word| !word.is_empty());
        while let Some(word) = words.next() {
            let Some(rest) = LOADING.iter().find_map(|option| word.strip_prefix(option)) else { continue };
            let name = if rest.is_empty() { words.next().unwrap_or_default() } else { rest };
            names.push(name.replace("::", "/"));
        }
        names
    }

    /// Returns the known value of a variable of a command's environment.
    fn environment_text(&self, variable: &str, command: &ExpandedCommand<'_>) -> Option<String> {
        let recorded = self.interpreter.commands.get(command.id.0)?;
        let value = crate::analysis::environment_value(&recorded.environment, variable)?;
        value.known_text().map(str::to_owned)
    }

    /// Whether an earlier command copies or compiles something that the text did not write to this path.
    fn is_copied(&self, file: &str, command: &ExpandedCommand<'_>) -> bool {
        let first = command.id.0.saturating_sub(MAX_COMMANDS);
        let earlier = self.interpreter.commands.get(first..command.id.0).unwrap_or_default();
        earlier.iter().any(|earlier| {
            let name = earlier.words.first().and_then(Word::known_text).map(base_name);
            name.is_some_and(|name| MAKERS.contains(&name)) && earlier.words.iter().any(|word| names_file(word, file))
        })
    }

    /// Records the code as opaque that the text puts into a file, without its content being known, and that a variable
    /// brings into a command: `cp /tmp/x.so y.so; LD_PRELOAD=./y.so ls`.
    fn note_unseen_code(&mut self, command: &ExpandedCommand<'_>) {
        if self.interpreter.commands.get(command.id.0).is_none_or(|recorded| recorded.environment.is_empty()) {
            return;
        }
        for variable in CODE_VARIABLES {
            let Some(value) = self.environment_text(variable, command) else { continue };
            for file in value.split([' ', ':', '=', ',']).filter(|word| word.contains(['/', '.'])).take(MAX_SEARCHED) {
                match self.written_file(&Word::text(file)).map(|written| written.content.clone()) {
                    None if self.is_copied(file, command) => self.add_opaque(Cause::ScriptFile, file, None),
                    None | Some(StreamContent::Known(_)) => {}
                    Some(StreamContent::Program(literals)) => self.add_opaque(Cause::ScriptFile, file, Some(literals)),
                    Some(_) => self.add_opaque(Cause::ScriptFile, file, None),
                }
            }
        }
    }
}

/// Whether a word is the path of a file.
fn names_file(word: &Word, file: &str) -> bool {
    let text = word.known_text().unwrap_or_default();
    text.trim_start_matches("./") == file.trim_start_matches("./")
}

/// Returns a command that runs a written program, which the program `name` may start.
fn possible_program(path: &str, name: &str) -> NestedCommand {
    let doubt = Some(Unknown::new(Cause::EarlierCommand, name));
    NestedCommand { doubt, ..NestedCommand::from(Runnable::File(Word::text(path))) }
}
