//! Files that the text writes and then runs: where their copies are, and which of them a name refers to.

use std::path::{Path, PathBuf};

use super::simple::Made;
use super::{Frame, add};
use crate::argv::program_name;
use crate::dialect::Language;
use crate::glob::Glob;
use crate::nested::{self, Code, Nested, What};
use crate::programs::{is_shell, main_name};
use crate::project::task_files;
use crate::startup::{When, startup};
use crate::state::{Found, Lookup, Mode};
use crate::stream::{Writer, Written};
use crate::word::{Cause, Part, Unknown, Word};

/// The program that reads a makefile; other task runners run their tasks themselves.
const MAKE: &str = "make";

/// Extensions of programs on Windows, where they may be left out.
const ENDS_OF_PROGRAMS: &[&str] = &[".bat", ".cmd", ".exe", ".ps1"];

/// The most files tracked per copying command, and the longest path of a copy.
const COPIES: usize = 256;
const LONGEST_PATH: usize = 4096;

impl Frame<'_> {
    /// Returns the files written by the text that a command runs without naming them as scripts: the program, by its
    /// path or found through a changed `PATH`, and the startup files of a shell.
    pub(super) fn program_files(&mut self, made: &Made<'_>) -> Vec<Nested> {
        if self.interpreter.written.is_empty() {
            return Vec::new();
        }
        let Some(program) = made.values.first().map(|value| &value.word) else { return Vec::new() };
        let file = |word: Word, doubt: Option<Unknown>| Nested {
            setting: nested::Setting { language: language_of(&word), ..nested::Setting::default() },
            what: What::File(word),
            doubt,
        };
        if program.prefix().contains('/') {
            let found = match self.written(program) {
                Some(_) => Some(program.clone()),
                None => self.without_end(program),
            };
            return found.into_iter().map(|path| file(path, None)).collect();
        }
        let Some(name) = program.known() else { return Vec::new() };
        // Windows looks in the current directory first.
        let is_program = |path: &PathBuf| {
            let found = path.file_name().and_then(|found| found.to_str()).and_then(|found| found.strip_prefix(name));
            found.is_some_and(|end| ENDS_OF_PROGRAMS.contains(&end))
        };
        self.interpreter.spend(self.interpreter.written.len());
        if let Some(path) = self.interpreter.written.keys().find(|path| is_program(path)).and_then(|path| path.to_str())
        {
            return vec![file(Word::text(path), None)];
        }
        if self.state.lookup == Lookup::Changed {
            self.interpreter.spend(self.interpreter.written.len());
            let found = self.interpreter.written.keys().find(|path| path.file_name().is_some_and(|own| own == name));
            if let Some(path) = found.and_then(|path| path.to_str()) {
                return vec![file(Word::text(path), Some(Unknown::new(Cause::Earlier, name)))];
            }
        }
        match program_name(program).map(main_name) {
            Some(MAKE) => self.makefile(made).into_iter().collect(),
            Some(name) if is_shell(name) => {
                self.startup(made, name).into_iter().map(|path| file(Word::text(path), None)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the program that a path without its extension refers to on Windows, if the text wrote it.
    fn without_end(&self, program: &Word) -> Option<Word> {
        let path = program.known()?;
        let named = ENDS_OF_PROGRAMS.iter().map(|end| Word::text(format!("{path}{end}")));
        named.into_iter().find(|path| self.written(path).is_some())
    }

    /// Returns the makefile that make finds on its own, if the text wrote it.
    fn makefile(&self, made: &Made<'_>) -> Option<Nested> {
        let words: Vec<Word> = made.values.iter().map(|value| value.word.clone()).collect();
        let argv = crate::argv::read(&words);
        if argv.given("--file").next().is_some() {
            return None;
        }
        let directory = argv.given("--directory").last().and_then(|given| given.value.as_ref()?.known());
        let place = |name: &&str| match directory {
            Some(directory) => Word::text(format!("{directory}/{name}")),
            None => Word::text(*name),
        };
        let found = task_files(MAKE).iter().map(place).find(|file| self.written(file).is_some())?;
        let setting = nested::Setting { directory: directory.map(Word::text), ..nested::Setting::default() };
        Some(Nested { what: What::Foreign(Code::File(found)), setting, doubt: None })
    }

    /// Returns the user's startup files of a shell that the text wrote.
    fn startup(&self, made: &Made<'_>, name: &str) -> Vec<String> {
        let Some(command) = self.interpreter.commands.get(made.id.0) else { return Vec::new() };
        let argv = command.argv();
        let has = |option: &str| argv.given(option).next().is_some();
        let Found::One(home) = self.state.find("HOME") else { return Vec::new() };
        let Some(home) = self.state.resolve(&home.word) else { return Vec::new() };
        let is_run = |when: When| match when {
            // In zsh, `-f` skips the startup files.
            When::Always => !has("-f"),
            When::Interactive => has("-i"),
            When::Login => has("-l"),
        };
        let names = startup(name).filter(|(when, _)| is_run(*when)).flat_map(|(_, names)| names);
        let paths = names.map(|name| home.join(name)).filter(|path| self.interpreter.written.contains_key(path));
        paths.filter_map(|path| path.to_str().map(str::to_owned)).collect()
    }

    /// Records copies of written files, moves and links: `cp a b`, `mv dir new`, `ln -s a b`.
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
        let mut found: Vec<(PathBuf, Written)> = Vec::new();
        self.interpreter.spend(sources.len() * self.interpreter.written.len());
        for source in &sources {
            for (path, written) in self.interpreter.written.range(source.clone()..) {
                let Ok(below) = path.strip_prefix(source) else { break };
                // The target is the copy, or the directory that contains it.
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
        for (path, Written { from, content }) in found {
            if !self.interpreter.spend(16 + path.as_os_str().len() / 4) {
                return;
            }
            if let Some(path) = path.to_str() {
                self.write(&Word::text(path), Mode::Over, &from, &content);
            }
        }
    }

    /// Returns the writers of the files that a partly unknown name may refer to.
    pub(super) fn possible_writers(&mut self, file: &Word) -> Vec<Writer> {
        if self.interpreter.written.is_empty() || file.known().is_some() {
            return Vec::new();
        }
        let glob = self.glob_of(file);
        let mut writers = Vec::new();
        self.interpreter.spend(4 * self.interpreter.written.len() * (file.parts.len() + 1));
        for (path, written) in self.interpreter.written.iter() {
            if glob.as_ref().is_none_or(|glob| path.to_str().is_some_and(|path| glob.matches(path))) {
                add(&mut writers, &written.from);
            }
        }
        self.interpreter.spend(writers.len());
        writers
    }

    /// Returns a word as a glob over whole paths; `None` if it may be any path.
    fn glob_of(&self, file: &Word) -> Option<Glob> {
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
            if matches!(file.parts.first(), Some(part @ Part::Unknown(_)) if part.matched().is_none()) {
                return None;
            }
            let super::Directory::Known(cwd) = &self.state.cwd else { return None };
            literal(cwd.to_str()?);
            literal("/");
        }
        for (at, part) in file.parts.iter().enumerate() {
            match part {
                Part::Text(known) if at == 0 => literal(known.trim_start_matches("./")),
                Part::Text(known) if known.contains("..") => return None,
                Part::Text(known) => literal(known),
                Part::Glob(_) | Part::Unknown(_) => {}
            }
            if !matches!(part, Part::Text(_)) {
                return Some(Glob::new(&format!("{text}*")));
            }
        }
        Some(Glob::new(&text))
    }
}

/// Returns the language of a script, by its extension.
fn language_of(file: &Word) -> Language {
    let name = file.known().unwrap_or_default().to_ascii_lowercase();
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("cmd" | "bat") => Language::Cmd,
        Some("ps1") => Language::PowerShell,
        _ => Language::Bourne,
    }
}
