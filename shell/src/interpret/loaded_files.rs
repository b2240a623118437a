//! Files that the text writes and that a program then loads without being told to run them: by a convention
//! (`Rakefile`), by a setting in a file (`php.ini`, `package.json`), through a file with its words (`gcc @FILE`).

use std::path::{Path, PathBuf};

use super::Frame;
use super::simple::{ExpandedCommand, directory};
use crate::argv::base_name;
use crate::glob::Glob;
use crate::nested::{self, CodeSource, NestedCommand, Runnable};
use crate::state::VariableLookup;
use crate::stream::{StreamContent, WrittenFile};
use crate::word::Word;

/// The maximum number of files that one command loads.
const LOADED: usize = 32;

/// Programs that a compiler starts, which it looks for in the directories of `-B` and of its variables.
const COMPILER_PARTS: &[&str] = &["as", "ld", "cc1", "cc1plus", "collect2", "lto-wrapper", "cpp", "cc1obj"];

impl Frame<'_> {
    /// Returns the files that the text wrote and that a command loads without a word that names them.
    pub(super) fn loaded_files(&mut self, made: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        if self.interpreter.written.is_empty() {
            return Vec::new();
        }
        let words: Vec<Word> = made.values.iter().map(|value| value.word.clone()).collect();
        let mut found = self.conventional_files(&words);
        match made.name().map(base_name) {
            Some("npm" | "yarn" | "pnpm" | "bun") => found.extend(self.package_scripts(&words)),
            Some("node" | "nodejs") => found.extend(self.package_main(&words)),
            Some("php") => found.extend(self.php_with_settings(&words)),
            Some("gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" | "cpp" | "ld") => {
                found.extend(self.compiler_parts(made, &words));
                found.extend(self.with_words_of_files(&words));
            }
            Some("javac" | "java" | "rustc" | "ar" | "lld" | "7z" | "nasm" | "swiftc" | "kotlinc") => {
                found.extend(self.with_words_of_files(&words))
            }
            _ => {}
        }
        found
    }

    /// Returns the written files that match the patterns of the program's record: in the working directory, below it
    /// after `**/`, or in the home directory after `~/`.
    fn conventional_files(&mut self, words: &[Word]) -> Vec<NestedCommand> {
        let patterns = nested::loaded_by_convention(words);
        if patterns.is_empty() {
            return Vec::new();
        }
        self.interpreter.spend(4 * patterns.len() * self.interpreter.written.len());
        let home = match self.state.find("HOME") {
            VariableLookup::One(home) => self.state.resolve(&home.word),
            _ => None,
        };
        let here = directory(&self.state.cwd).map(PathBuf::from);
        let is_loaded = |path: &&PathBuf| {
            patterns.iter().any(|pattern| match pattern.strip_prefix("~/") {
                Some(pattern) => home.as_deref().is_some_and(|home| is_below(path, home, pattern)),
                None => here.as_deref().is_some_and(|here| is_below(path, here, pattern)),
            })
        };
        let files = self.interpreter.written.keys().filter(is_loaded).take(LOADED).filter_map(|path| path.to_str());
        files.map(|path| NestedCommand::from(Runnable::Foreign(CodeSource::File(Word::text(path))))).collect()
    }

    /// Returns the text of a written file; `None` if the text did not write it, or its content is unknown.
    fn written_text(&mut self, file: &str) -> Option<String> {
        let WrittenFile { content: StreamContent::Known(value), .. } = self.written_file(&Word::text(file))? else {
            return None;
        };
        let text = value.word.literal();
        self.interpreter.spend(text.len() / 8);
        Some(text)
    }

    /// Returns the scripts in a written `package.json` that a package manager runs: that of the task, and those of the
    /// stages of an installation.
    fn package_scripts(&mut self, words: &[Word]) -> Vec<NestedCommand> {
        let names = nested::package_stages(words);
        if names.is_empty() {
            return Vec::new();
        }
        let Some(text) = self.written_text("package.json") else { return Vec::new() };
        let scripts = nested::json_members(&text, "scripts").into_iter();
        let run = scripts.filter(|(name, _)| names.iter().any(|known| known == name));
        run.map(|(_, text)| NestedCommand::from(Runnable::Script(Word::text(text), Vec::new()))).collect()
    }

    /// Returns the file that `node DIRECTORY` runs: the one that the directory's `package.json` names, or `index.js`.
    fn package_main(&mut self, words: &[Word]) -> Option<NestedCommand> {
        let argv = crate::argv::parse_argv(words);
        let directory = argv.operands.first()?.known_text()?.trim_end_matches('/').to_owned();
        let text = self.written_text(&format!("{directory}/package.json")).unwrap_or_default();
        let main = nested::json_text(&text, "main").unwrap_or_else(|| "index.js".to_owned());
        let ends = ["", ".js", "/index.js"];
        let mut files = ends.iter().map(|end| Word::text(format!("{directory}/{main}{end}")));
        let file = files.find(|file| self.written_file(file).is_some())?;
        Some(NestedCommand::from(Runnable::Foreign(CodeSource::File(file))))
    }

    /// Returns the call of `php` with the settings of written `.ini` files as `-d` options.
    fn php_with_settings(&mut self, words: &[Word]) -> Option<NestedCommand> {
        let argv = crate::argv::parse_argv(words);
        let given = argv.options_named("--php-ini").filter_map(|given| given.value.as_ref()?.known_text());
        let mut places: Vec<String> = given.map(str::to_owned).collect();
        for name in ["PHPRC", "PHP_INI_SCAN_DIR"] {
            if let VariableLookup::One(value) = self.state.find(name) {
                places.extend(value.word.known_text().into_iter().flat_map(|text| text.split(':')).map(str::to_owned));
            }
        }
        let places: Vec<PathBuf> = places.iter().filter_map(|place| self.state.resolve(&Word::text(place))).collect();
        let is_read = |path: &&PathBuf| {
            let is_settings = path.extension().is_some_and(|end| end == "ini");
            places.iter().any(|place| *path == place || is_settings && path.parent() == Some(place))
        };
        self.interpreter.spend(4 * places.len() * self.interpreter.written.len());
        let files: Vec<String> = self
            .interpreter
            .written
            .keys()
            .filter(is_read)
            .filter_map(|path| path.to_str())
            .map(str::to_owned)
            .collect();
        let texts: Vec<String> = files.iter().filter_map(|file| self.written_text(file)).collect();
        let lines = texts.iter().flat_map(|text| text.lines()).map(str::trim);
        let settings = lines.filter(|line| line.contains('=') && !line.starts_with(';'));
        let options: Vec<Word> = settings.flat_map(|line| [Word::text("-d"), Word::text(line)]).collect();
        let (program, rest) = words.split_first()?;
        let all = std::iter::once(program).chain(&options).chain(rest).cloned().collect();
        // The call that is made here reads the same files, and needs no further one.
        let is_made = options.iter().all(|option| rest.iter().any(|word| word.parts == option.parts));
        (!is_made).then(|| NestedCommand::from(Runnable::Argv(all)))
    }

    /// Returns the call of a program with each word `@FILE` replaced by the words of the written file.
    fn with_words_of_files(&mut self, words: &[Word]) -> Option<NestedCommand> {
        let mut all = Vec::new();
        let mut is_changed = false;
        for word in words {
            let file = word.known_text().and_then(|text| text.strip_prefix('@'));
            match file.and_then(|file| self.written_text(file)) {
                Some(text) => {
                    is_changed = true;
                    all.extend(text.split_whitespace().map(|word| Word::text(word.trim_matches(['"', '\'']))));
                }
                None => all.push(word.clone()),
            }
        }
        is_changed.then(|| NestedCommand::from(Runnable::Argv(all)))
    }

    /// Returns the written scripts that a compiler starts in place of its own parts: with `-B`, `GCC_EXEC_PREFIX` or
    /// `COMPILER_PATH`.
    fn compiler_parts(&mut self, made: &ExpandedCommand<'_>, words: &[Word]) -> Vec<NestedCommand> {
        let argv = crate::argv::parse_argv(words);
        let mut starts: Vec<String> =
            words.iter().filter_map(|word| word.known_text()?.strip_prefix("-B")).map(str::to_owned).collect();
        starts
            .extend(argv.options_named("-B").filter_map(|given| given.value.as_ref()?.known_text()).map(str::to_owned));
        let command = self.interpreter.commands.get(made.id.0);
        for assignment in command.iter().flat_map(|command| &command.environment) {
            if matches!(assignment.name.as_str(), "GCC_EXEC_PREFIX" | "COMPILER_PATH") {
                let value = assignment.value.as_ref().and_then(Word::known_text).unwrap_or_default();
                starts.extend(value.split(':').map(str::to_owned));
            }
        }
        let starts = starts.iter().filter(|start| !start.is_empty());
        let paths = starts.flat_map(|start| {
            COMPILER_PARTS.iter().flat_map(move |part| [format!("{start}{part}"), format!("{start}/{part}")])
        });
        let files = paths.map(Word::text).filter(|file| self.written_file(file).is_some());
        files.take(LOADED).map(|file| NestedCommand::from(Runnable::File(file))).collect()
    }
}

/// Whether a file is in a directory and its name matches a pattern; after `**/`, it may be in any directory below.
fn is_below(path: &Path, directory: &Path, pattern: &str) -> bool {
    let Ok(rest) = path.strip_prefix(directory) else { return false };
    let (pattern, deep) = pattern.strip_prefix("**/").map_or((pattern, false), |rest| (rest, true));
    let name = if deep { rest.file_name().and_then(|name| name.to_str()) } else { rest.to_str() };
    name.is_some_and(|name| Glob::new(pattern).matches(name))
}
