//! Files that the text writes and then runs: where their copies are, and which of them a name may refer to.

use std::path::{Path, PathBuf};

use super::simple::ExpandedCommand;
use super::{Frame, insert_ids};
use crate::argv::program_name;
use crate::dialect::ScriptLanguage;
use crate::glob::Glob;
use crate::nested::{self, CodeSource, NestedCommand, Runnable};
use crate::programs::{is_shell, main_name};
use crate::project::task_files;
use crate::startup::{StartupCondition, startup};
use crate::state::{ProgramLookup, VariableLookup, WriteMode};
use crate::stream::{StreamContent, Writer, WrittenFile};
use crate::word::{Cause, Directory, Unknown, Word, WordPart};

/// The program whose makefiles are looked up by their default names. Other task runners run their tasks themselves.
const MAKE: &str = "make";

/// Extensions of programs that Windows adds to a name without one.
const ENDS_OF_PROGRAMS: &[&str] = &[".bat", ".cmd", ".exe", ".ps1"];

/// The variables with the directories in which ksh, zsh and fish look for functions.
const FUNCTION_DIRECTORIES: &[&str] = &["FPATH", "fpath", "fish_function_path"];

/// The maximum number of files tracked for each copying command, and the longest path of a copy.
const COPIES: usize = 256;
const LONGEST_PATH: usize = 4096;

impl Frame<'_> {
    /// Returns the files that the text wrote and that a command runs without naming them as scripts: its program (by
    /// path, in the current directory as on Windows, or through a changed `PATH`), a default makefile, and the
    /// startup files of a shell.
    pub(super) fn program_files(&mut self, made: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        if self.interpreter.written.is_empty() {
            return Vec::new();
        }
        let Some(program) = made.values.first().map(|value| &value.word) else { return Vec::new() };
        let file = |word: Word, doubt: Option<Unknown>| NestedCommand {
            setting: nested::NestedSetting { language: script_language(&word), ..nested::NestedSetting::default() },
            runnable: Runnable::File(word),
            doubt,
        };
        if program.prefix().contains('/') {
            let found = match self.written_file(program) {
                Some(_) => Some(program.clone()),
                None => self.program_without_extension(program),
            };
            if found.is_none()
                && let Some((path, why)) = self.possible_written_file(program)
            {
                return vec![file(path, Some(why))];
            }
            return found.into_iter().map(|path| file(path, None)).collect();
        }
        let Some(name) = program.known_text() else { return Vec::new() };
        self.interpreter.spend(self.interpreter.written.len());
        if let Some(path) = self.program_of_windows(name) {
            return vec![file(path, None)];
        }
        if self.state.lookup == ProgramLookup::Changed {
            self.interpreter.spend(self.interpreter.written.len());
            let found = self.interpreter.written.keys().find(|path| path.file_name().is_some_and(|own| own == name));
            if let Some(path) = found.and_then(|path| path.to_str()) {
                return vec![file(Word::text(path), Some(Unknown::new(Cause::EarlierCommand, name)))];
            }
        }
        if let Some(function) = self.autoloaded_function(name, made) {
            return vec![function];
        }
        match program_name(program).map(main_name) {
            Some(MAKE) => self.makefile(made).into_iter().collect(),
            Some(name) if is_shell(name) => {
                let startup = self.startup(made, name).into_iter().map(|path| file(Word::text(path), None));
                startup
                    .chain(self.history(made).map(|path| file(path, Some(Unknown::new(Cause::EarlierCommand, "!")))))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the file that a relative path may refer to in an unknown directory, among those that the text wrote.
    pub(super) fn possible_written_file(&mut self, file: &Word) -> Option<(Word, Unknown)> {
        let Directory::Unknown(why) = &self.state.cwd else { return None };
        let name = file.known_text().filter(|name| !name.starts_with(['/', '~']))?;
        let name = Path::new(name.trim_start_matches("./"));
        let why = why.clone();
        self.interpreter.spend(self.interpreter.written.len());
        let found = self.interpreter.written.keys().rev().find(|path| path.ends_with(name))?;
        found.to_str().map(|path| (Word::text(path), why))
    }

    /// Returns the file of a function that a shell loads when it is called first, from a directory that the text puts
    /// into a variable, if the text wrote it.
    fn autoloaded_function(&mut self, name: &str, made: &ExpandedCommand<'_>) -> Option<NestedCommand> {
        let is_set =
            |variable: &str| matches!(self.state.find(variable), VariableLookup::One(_) | VariableLookup::List(_));
        if name.is_empty() || !FUNCTION_DIRECTORIES.iter().any(|variable| is_set(variable)) {
            return None;
        }
        self.interpreter.spend(self.interpreter.written.len());
        let in_fish = format!("{name}.fish");
        let is_function = |path: &PathBuf| path.file_name().is_some_and(|own| own == name || own == in_fish.as_str());
        let named = |(path, _): &(&PathBuf, &WrittenFile)| is_function(path);
        let (path, written) = self.interpreter.written.iter().find(named)?;
        let StreamContent::Known(content) = &written.content else { return None };
        let content = content.word.known_text()?;
        // The variable is removed, so that the function is not loaded again if the file does not define it.
        let (text, language) = match path.extension().is_some_and(|end| end == "fish") {
            true => (format!("set -e fish_function_path\n{content}\n{name}"), ScriptLanguage::Fish),
            false => (format!("unset FPATH fpath\n{content}\n{name} \"$@\""), ScriptLanguage::Bourne),
        };
        let arguments = made.values.iter().map(|value| value.word.clone()).collect();
        Some(NestedCommand {
            runnable: Runnable::Script(Word::text(text), arguments),
            setting: nested::NestedSetting { language, ..nested::NestedSetting::default() },
            doubt: Some(Unknown::new(Cause::EarlierCommand, name)),
        })
    }

    /// Returns the history of an interactive shell, if the text wrote it: `!!` in the input of the shell runs a line of
    /// it.
    fn history(&self, made: &ExpandedCommand<'_>) -> Option<Word> {
        let command = self.interpreter.commands.get(made.id.0)?;
        command.argv().options_named("-i").next()?;
        let VariableLookup::One(file) = self.state.find("HISTFILE") else { return None };
        self.written_file(&file.word).map(|_| Word { span: None, ..file.word })
    }

    /// Returns the program of this name that the text wrote, with the extension that Windows adds. Windows looks in the
    /// current directory first.
    fn program_of_windows(&self, name: &str) -> Option<Word> {
        let is_program = |path: &&PathBuf| {
            let found = path.file_name().and_then(|found| found.to_str()).and_then(|found| found.strip_prefix(name));
            found.is_some_and(|end| ENDS_OF_PROGRAMS.contains(&end))
        };
        self.interpreter.written.keys().find(is_program).and_then(|path| path.to_str()).map(Word::text)
    }

    /// Returns the program that a path without its extension refers to on Windows (`./x` for `x.bat`), if the text
    /// wrote it.
    fn program_without_extension(&self, program: &Word) -> Option<Word> {
        let path = program.known_text()?;
        let named = ENDS_OF_PROGRAMS.iter().map(|end| Word::text(format!("{path}{end}")));
        named.into_iter().find(|path| self.written_file(path).is_some())
    }

    /// Returns the makefile that `make` finds without `-f`, if the text wrote it.
    fn makefile(&self, made: &ExpandedCommand<'_>) -> Option<NestedCommand> {
        let words: Vec<Word> = made.values.iter().map(|value| value.word.clone()).collect();
        let argv = crate::argv::parse_argv(&words);
        if argv.options_named("--file").next().is_some() {
            return None;
        }
        let directory = argv.options_named("--directory").last().and_then(|given| given.value.as_ref()?.known_text());
        let place = |name: &&str| match directory {
            Some(directory) => Word::text(format!("{directory}/{name}")),
            None => Word::text(*name),
        };
        let found = task_files(MAKE).iter().map(place).find(|file| self.written_file(file).is_some())?;
        let setting =
            nested::NestedSetting { directory: directory.map(Word::text), ..nested::NestedSetting::default() };
        Some(NestedCommand { runnable: Runnable::Foreign(CodeSource::File(found)), setting, doubt: None })
    }

    /// Returns the startup files in the home directory that a shell reads with these options, if the text wrote them.
    fn startup(&self, made: &ExpandedCommand<'_>, name: &str) -> Vec<String> {
        let Some(command) = self.interpreter.commands.get(made.id.0) else { return Vec::new() };
        let argv = command.argv();
        let has = |option: &str| argv.options_named(option).next().is_some();
        let VariableLookup::One(home) = self.state.find("HOME") else { return Vec::new() };
        let Some(home) = self.state.resolve(&home.word) else { return Vec::new() };
        let is_run = |when: StartupCondition| match when {
            // In zsh, `-f` skips the startup files.
            StartupCondition::Always => !has("-f"),
            StartupCondition::Interactive => has("-i"),
            StartupCondition::Login => has("-l"),
        };
        let names = startup(name).filter(|(when, _)| is_run(*when)).flat_map(|(_, names)| names);
        let paths = names.map(|name| home.join(name)).filter(|path| self.interpreter.written.contains_key(path));
        paths.filter_map(|path| path.to_str().map(str::to_owned)).collect()
    }

    /// Records the copies of written files, and of all files in copied directories: `cp a b`, `mv dir new`,
    /// `ln -s a b`. `into` is the value of `--target-directory`.
    pub(super) fn copies(&mut self, operands: &[&Word], into: Option<&Word>) {
        if self.interpreter.written.is_empty() {
            return;
        }
        let (target, sources) = match (into, operands.split_last()) {
            (Some(into), _) => (into, operands),
            (None, Some((target, sources))) => (*target, sources),
            (None, None) => return,
        };
        let Some(target) = self.state.resolve(target) else { return };
        let sources: Vec<PathBuf> = sources.iter().filter_map(|source| self.state.resolve(source)).collect();
        let mut found: Vec<(PathBuf, WrittenFile)> = Vec::new();
        self.interpreter.spend(sources.len() * self.interpreter.written.len());
        for source in &sources {
            for (path, written) in self.interpreter.written.range(source.clone()..) {
                let Ok(below) = path.strip_prefix(source) else { break };
                // The target is either the name of the copy or the directory that contains it: both are recorded.
                let held = source.file_name().map(|name| target.join(name));
                for copy in [Some(target.clone()), held].into_iter().flatten() {
                    let copy = if below == Path::new("") { copy } else { copy.join(below) };
                    if copy.as_os_str().len() <= LONGEST_PATH {
                        found.push((copy, written.clone()));
                    }
                    if found.len() >= COPIES {
                        break;
                    }
                }
            }
        }
        for (path, WrittenFile { writers: from, content }) in found {
            if !self.interpreter.spend(16 + path.as_os_str().len() / 4) {
                return;
            }
            if let Some(path) = path.to_str() {
                self.record_write(&Word::text(path), WriteMode::Overwrite, &from, &content);
            }
        }
    }

    /// Returns the writers of the written files that a partly unknown name may refer to. Empty if the name is known.
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

    /// Returns a word as a glob over absolute paths that matches every path it may be; `None` if it may be any path.
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
        for (at, part) in file.parts.iter().enumerate() {
            match part {
                WordPart::Text(known) if at == 0 => literal(known.trim_start_matches("./")),
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

/// Returns the language of a script, by the extension of its file.
fn script_language(file: &Word) -> ScriptLanguage {
    let name = file.known_text().unwrap_or_default().to_ascii_lowercase();
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("cmd" | "bat") => ScriptLanguage::Cmd,
        Some("ps1") => ScriptLanguage::PowerShell,
        _ => ScriptLanguage::Bourne,
    }
}
