//! Files that the text writes and then runs: which of them a command runs, and where their copies are.

use std::path::{Path, PathBuf};

use super::simple::ExpandedCommand;
use super::{Frame, insert_ids};
use crate::argv::program_name;
use crate::dialect::ScriptLanguage;
use crate::glob::Glob;
use crate::nested::{self, CodeSource, NestedCommand, Runnable};
use crate::path::join;
use crate::programs::{is_shell, main_name};
use crate::project::task_files;
use crate::startup::{StartupCondition, startup};
use crate::state::{ProgramLookup, VariableLookup, WriteMode};
use crate::stream::{StreamContent, Writer, WrittenFile};
use crate::word::{Cause, Directory, Unknown, Word, WordPart};

/// The program whose makefiles are looked up by their default names.
const MAKE: &str = "make";

/// The extensions that Windows adds to the name of a program.
const PROGRAM_EXTENSIONS: &[&str] = &[".bat", ".cmd", ".exe", ".ps1"];

/// The variables with the directories in which ksh, zsh and fish look for functions.
const FUNCTION_DIRECTORIES: &[&str] = &["FPATH", "fpath", "fish_function_path"];

/// The maximum number of files that are tracked for one copying command.
const MAX_COPIES: usize = 256;

/// The maximum length of the path of a copy, in bytes.
const MAX_PATH_LENGTH: usize = 4096;

impl Frame<'_> {
    /// Returns the files that the text wrote and that a command runs without naming them as scripts: its program, a
    /// function that is loaded when it is called, a default makefile, and the startup files and the history of a shell.
    pub(super) fn program_files(&mut self, command: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        if self.interpreter.written.is_empty() {
            return Vec::new();
        }
        let Some(program) = command.values.first().map(|value| &value.word) else { return Vec::new() };
        if program.prefix().contains('/') {
            return self.program_at_path(program).into_iter().collect();
        }
        let Some(name) = program.known_text() else { return Vec::new() };
        if let Some(program) = self.program_by_name(name) {
            return vec![program];
        }
        if let Some(function) = self.autoloaded_function(name, command) {
            return vec![function];
        }
        match program_name(program).map(main_name) {
            Some(MAKE) => self.default_makefile(command).into_iter().collect(),
            Some(name) if is_shell(name) => {
                let startup =
                    self.startup_files(command, name).into_iter().map(|path| run_file(Word::text(path), None));
                let history = self.history_file(command).map(|path| {
                    // `!!` in the input of the shell runs a line of the file.
                    run_file(path, Some(Unknown::new(Cause::EarlierCommand, "!")))
                });
                startup.chain(history).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the program at a path, if the text wrote it or may have written it.
    fn program_at_path(&mut self, program: &Word) -> Option<NestedCommand> {
        let written = match self.written_file(program) {
            Some(_) => Some(program.clone()),
            None => self.program_without_extension(program),
        };
        match written {
            Some(path) => Some(run_file(path, None)),
            None => self.possible_written_file(program).map(|(path, why)| run_file(path, Some(why))),
        }
    }

    /// Returns the program that a name without a directory refers to, if the text wrote it: in the current directory,
    /// as on Windows, or in any directory if `PATH` was changed.
    fn program_by_name(&mut self, name: &str) -> Option<NestedCommand> {
        // Each search in the list of written files is charged.
        self.interpreter.spend(self.interpreter.written.len());
        if let Some(path) = self.program_in_current_directory(name) {
            return Some(run_file(path, None));
        }
        if self.state.lookup != ProgramLookup::Changed {
            return None;
        }
        self.interpreter.spend(self.interpreter.written.len());
        let has_name = |path: &&PathBuf| path.file_name().is_some_and(|file_name| file_name == name);
        let path = self.interpreter.written.keys().find(has_name)?.to_str()?;
        Some(run_file(Word::text(path), Some(Unknown::new(Cause::EarlierCommand, name))))
    }

    /// If the current directory is unknown, returns a written file that a relative path may refer to, and why the
    /// directory is unknown.
    pub(super) fn possible_written_file(&mut self, file: &Word) -> Option<(Word, Unknown)> {
        let Directory::Unknown(why) = &self.state.cwd else { return None };
        let name = file.known_text().filter(|name| !name.starts_with(['/', '~']))?;
        let name = Path::new(name.trim_start_matches("./"));
        let why = why.clone();
        self.interpreter.spend(self.interpreter.written.len());
        let path = self.interpreter.written.keys().rev().find(|path| path.ends_with(name))?;
        path.to_str().map(|path| (Word::text(path), why))
    }

    /// Returns the file of a function that a shell loads when the function is first called, if the text wrote it and
    /// sets a variable such as `FPATH`.
    fn autoloaded_function(&mut self, name: &str, command: &ExpandedCommand<'_>) -> Option<NestedCommand> {
        let is_set =
            |variable: &str| matches!(self.state.find(variable), VariableLookup::One(_) | VariableLookup::List(_));
        if name.is_empty() || !FUNCTION_DIRECTORIES.iter().any(|variable| is_set(variable)) {
            return None;
        }
        self.interpreter.spend(self.interpreter.written.len());
        let in_fish = format!("{name}.fish");
        let is_function =
            |path: &PathBuf| path.file_name().is_some_and(|file| file == name || file == in_fish.as_str());
        let has_function_file = |(path, _): &(&PathBuf, &WrittenFile)| is_function(path);
        let (path, written) = self.interpreter.written.iter().find(has_function_file)?;
        let StreamContent::Known(content) = &written.content else { return None };
        let content = content.word.known_text()?;
        // The script unsets the variable, so that the function is not loaded again if the file does not define it.
        let (text, language) = match path.extension().is_some_and(|end| end == "fish") {
            true => (format!("set -e fish_function_path\n{content}\n{name}"), ScriptLanguage::Fish),
            false => (format!("unset FPATH fpath\n{content}\n{name} \"$@\""), ScriptLanguage::Bourne),
        };
        let arguments = command.values.iter().map(|value| value.word.clone()).collect();
        Some(NestedCommand {
            runnable: Runnable::Script(Word::text(text), arguments),
            setting: nested::NestedSetting { language, ..nested::NestedSetting::default() },
            doubt: Some(Unknown::new(Cause::EarlierCommand, name)),
        })
    }

    /// Returns the history file of an interactive shell, if the text wrote it: `!!` in the input of the shell runs a
    /// line of the file.
    fn history_file(&self, command: &ExpandedCommand<'_>) -> Option<Word> {
        let recorded = self.interpreter.commands.get(command.id.0)?;
        recorded.argv().options_named("-i").next()?;
        let VariableLookup::One(file) = self.state.find("HISTFILE") else { return None };
        self.written_file(&file.word).map(|_| Word { span: None, ..file.word })
    }

    /// Returns the written program of this name, with an extension of Windows, which looks for programs in the current
    /// directory first.
    fn program_in_current_directory(&self, name: &str) -> Option<Word> {
        let is_program = |path: &&PathBuf| {
            let file_name = path.file_name().and_then(|file_name| file_name.to_str());
            let extension = file_name.and_then(|file_name| file_name.strip_prefix(name));
            extension.is_some_and(|extension| PROGRAM_EXTENSIONS.contains(&extension))
        };
        self.interpreter.written.keys().find(is_program).and_then(|path| path.to_str()).map(Word::text)
    }

    /// Returns the program that a path without its extension refers to on Windows (`./x` for `x.bat`), if the text
    /// wrote it.
    fn program_without_extension(&self, program: &Word) -> Option<Word> {
        let path = program.known_text()?;
        let with_extension = PROGRAM_EXTENSIONS.iter().map(|extension| Word::text(format!("{path}{extension}")));
        with_extension.into_iter().find(|path| self.written_file(path).is_some())
    }

    /// Returns the makefile that `make` finds without `-f`, if the text wrote it.
    fn default_makefile(&self, command: &ExpandedCommand<'_>) -> Option<NestedCommand> {
        let words: Vec<Word> = command.values.iter().map(|value| value.word.clone()).collect();
        let argv = crate::argv::parse_argv(&words);
        if argv.options_named("--file").next().is_some() {
            return None;
        }
        let directory = argv.options_named("--directory").last().and_then(|given| given.value.as_ref()?.known_text());
        let in_directory = |name: &&str| match directory {
            Some(directory) => Word::text(format!("{directory}/{name}")),
            None => Word::text(*name),
        };
        let makefile = task_files(MAKE).iter().map(in_directory).find(|file| self.written_file(file).is_some())?;
        let setting =
            nested::NestedSetting { directory: directory.map(Word::text), ..nested::NestedSetting::default() };
        Some(NestedCommand { runnable: Runnable::Foreign(CodeSource::File(makefile)), setting, doubt: None })
    }

    /// Returns the startup files in the home directory that the text wrote and that a shell reads with the options of
    /// this command.
    fn startup_files(&self, command: &ExpandedCommand<'_>, name: &str) -> Vec<String> {
        let Some(recorded) = self.interpreter.commands.get(command.id.0) else { return Vec::new() };
        let argv = recorded.argv();
        let has_option = |option: &str| argv.options_named(option).next().is_some();
        let VariableLookup::One(home) = self.state.find("HOME") else { return Vec::new() };
        let Some(home) = self.state.resolve(&home.word) else { return Vec::new() };
        let is_run = |when: StartupCondition| match when {
            // In zsh, `-f` skips the startup files.
            StartupCondition::Always => !has_option("-f"),
            StartupCondition::Interactive => has_option("-i"),
            StartupCondition::Login => has_option("-l"),
        };
        let names = startup(name).filter(|(when, _)| is_run(*when)).flat_map(|(_, names)| names);
        let paths =
            names.map(|name| join(&home, name.as_ref())).filter(|path| self.interpreter.written.contains_key(path));
        paths.filter_map(|path| path.to_str().map(str::to_owned)).collect()
    }

    /// Records the copies that a command makes of written files, also of those in the directories that it copies:
    /// `cp a b`, `mv dir new`, `ln -s a b`. `target_directory` is the value of the option of that name.
    pub(super) fn record_written_copies(&mut self, operands: &[&Word], target_directory: Option<&Word>) {
        if self.interpreter.written.is_empty() {
            return;
        }
        let (target, sources) = match (target_directory, operands.split_last()) {
            (Some(target_directory), _) => (target_directory, operands),
            (None, Some((target, sources))) => (*target, sources),
            (None, None) => return,
        };
        let Some(target) = self.state.resolve(target) else { return };
        let sources: Vec<PathBuf> = sources.iter().filter_map(|source| self.state.resolve(source)).collect();
        let mut copies: Vec<(PathBuf, WrittenFile)> = Vec::new();
        self.interpreter.spend(sources.len() * self.interpreter.written.len());
        for source in &sources {
            for (path, written) in self.interpreter.written.range(source.clone()..) {
                let Ok(below) = path.strip_prefix(source) else { break };
                // The target may be the name of the copy, or the directory that contains the copy: both are recorded.
                let in_target = source.file_name().map(|name| join(&target, name.as_ref()));
                for copy in [Some(target.clone()), in_target].into_iter().flatten() {
                    let copy = if below == Path::new("") { copy } else { join(&copy, below) };
                    if copy.as_os_str().len() <= MAX_PATH_LENGTH {
                        copies.push((copy, written.clone()));
                    }
                    if copies.len() >= MAX_COPIES {
                        break;
                    }
                }
            }
        }
        for (path, WrittenFile { writers: from, content }) in copies {
            if !self.interpreter.spend(16 + path.as_os_str().len() / 4) {
                return;
            }
            if let Some(path) = path.to_str() {
                self.record_write(&Word::text(path), WriteMode::Overwrite, &from, &content);
            }
        }
    }

    /// Returns the writers of all written files that a partly unknown name may refer to. Empty if the name is known.
    pub(super) fn possible_writers(&mut self, file: &Word) -> Vec<Writer> {
        if self.interpreter.written.is_empty() || file.known_text().is_some() {
            return Vec::new();
        }
        let glob = self.path_glob(file);
        let mut writers = Vec::new();
        self.interpreter.spend(4 * self.interpreter.written.len() * (file.parts.len() + 1));
        for (path, written) in self.interpreter.written.iter() {
            if glob.as_ref().is_none_or(|glob| path.to_str().is_some_and(|path| glob.matches(path))) {
                insert_ids(&mut writers, &written.writers);
            }
        }
        self.interpreter.spend(writers.len());
        writers
    }

    /// Returns a glob that matches every absolute path that a partly unknown word may be; `None` if it may be any path.
    fn path_glob(&self, file: &Word) -> Option<Glob> {
        let mut text = String::new();
        let mut literal = |literal: &str| {
            for c in literal.chars() {
                if matches!(c, '*' | '?' | '[' | '\\') {
                    text.push('\\');
                }
                text.push(c);
            }
        };
        let start = file.prefix();
        if !start.starts_with('/') {
            if matches!(file.parts.first(), Some(part @ WordPart::Unknown(_)) if part.matched_glob().is_none()) {
                return None;
            }
            let super::Directory::Known(cwd) = &self.state.cwd else { return None };
            literal(cwd.to_str()?);
            literal("/");
        }
        for (index, part) in file.parts.iter().enumerate() {
            match part {
                WordPart::Text(known) if index == 0 => literal(known.trim_start_matches("./")),
                WordPart::Text(known) if known.contains("..") => return None,
                WordPart::Text(known) => literal(known),
                WordPart::Glob(_) | WordPart::Unknown(_) => {}
            }
            if !matches!(part, WordPart::Text(_)) {
                return Some(Glob::new(&format!("{text}*")));
            }
        }
        Some(Glob::new(&text))
    }
}

/// Returns a nested command that runs a file.
fn run_file(path: Word, doubt: Option<Unknown>) -> NestedCommand {
    let setting = nested::NestedSetting { language: script_language(&path), ..nested::NestedSetting::default() };
    NestedCommand { setting, runnable: Runnable::File(path), doubt }
}

/// Returns the language of a script, by the extension of its file.
fn script_language(file: &Word) -> ScriptLanguage {
    let name = file.known_text().unwrap_or_default().to_ascii_lowercase();
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("cmd" | "bat") => ScriptLanguage::Cmd,
        Some("ps1") => ScriptLanguage::PowerShell,
        _ => ScriptLanguage::Bourne,
    }
}
