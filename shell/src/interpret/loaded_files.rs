//! Files that the text writes and that a program then loads although no word of its command names them: by a convention
//! (`Rakefile`), by a setting in a file (`php.ini`, `package.json`), or through a file with words (`gcc @FILE`).

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
const MAX_LOADED: usize = 32;

/// Options of package managers whose value is the directory of the package.
const PACKAGE_OPTIONS: &[&str] = &["-C", "--dir", "--prefix", "--cwd"];

/// Programs that a compiler starts, which it looks for in the directories of `-B` and of its variables.
const COMPILER_PARTS: &[&str] = &["as", "ld", "cc1", "cc1plus", "collect2", "lto-wrapper", "cpp", "cc1obj"];

impl Frame<'_> {
    /// Returns the files that the text wrote and that a command loads although no word of it names them.
    pub(super) fn loaded_files(&mut self, command: &ExpandedCommand<'_>) -> Vec<NestedCommand> {
        if self.interpreter.written.is_empty() {
            return Vec::new();
        }
        let words: Vec<Word> = command.values.iter().map(|value| value.word.clone()).collect();
        let mut loaded = self.conventional_files(&words);
        match command.name().map(base_name) {
            Some("npm" | "yarn" | "pnpm" | "bun") => loaded.extend(self.package_scripts(&words)),
            Some("node" | "nodejs") => {
                loaded.extend(self.package_main(&words));
                loaded.extend(self.script_of_node(&words));
            }
            Some("deno") => loaded.extend(self.tasks_of_deno(&words)),
            Some("php") => loaded.extend(self.php_with_settings(&words)),
            Some("gcc" | "g++" | "cc" | "c++" | "clang" | "clang++" | "cpp" | "ld") => {
                loaded.extend(self.compiler_parts(command, &words));
                loaded.extend(self.with_words_of_files(&words));
            }
            Some("javac" | "java" | "rustc" | "ar" | "lld" | "7z" | "nasm" | "swiftc" | "kotlinc") => {
                loaded.extend(self.with_words_of_files(&words))
            }
            _ => {}
        }
        loaded
    }

    /// Returns the written files that match a pattern of the program's record. A pattern is relative to the working
    /// directory or, if it begins with `~/`, to the home directory; `**/` matches any directory below.
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
        let cwd = directory(&self.state.cwd).map(PathBuf::from);
        let is_loaded = |path: &&PathBuf| {
            patterns.iter().any(|pattern| match pattern.strip_prefix("~/") {
                Some(pattern) => home.as_deref().is_some_and(|home| is_below(path, home, pattern)),
                None => cwd.as_deref().is_some_and(|cwd| is_below(path, cwd, pattern)),
            })
        };
        let files = self.interpreter.written.keys().filter(is_loaded).take(MAX_LOADED).filter_map(|path| path.to_str());
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
        let is_value = |at: usize| {
            let before = at.checked_sub(1).and_then(|before| words.get(before)).and_then(Word::known_text);
            before.is_some_and(|option| PACKAGE_OPTIONS.contains(&option))
        };
        let without_values = words.iter().enumerate().filter(|(at, _)| !is_value(*at)).map(|(_, word)| word.clone());
        let names = nested::package_stages(&without_values.collect::<Vec<Word>>());
        if names.is_empty() {
            return Vec::new();
        }
        let directories = words.windows(2).filter_map(|pair| match pair {
            [option, directory] if PACKAGE_OPTIONS.contains(&option.known_text()?) => directory.known_text(),
            _ => None,
        });
        let attached = words.iter().filter_map(|word| {
            let (option, directory) = word.known_text()?.split_once('=')?;
            PACKAGE_OPTIONS.contains(&option).then_some(directory)
        });
        let directories: Vec<&str> = directories.chain(attached).take(MAX_LOADED).collect();
        let is_run = |name: &str| names.iter().any(|known| known == name);
        let mut found = scripts_named(&self.written_text("package.json").unwrap_or_default(), "scripts", is_run);
        for directory in directories {
            let text = self.written_text(&format!("{directory}/package.json")).unwrap_or_default();
            for mut script in scripts_named(&text, "scripts", is_run) {
                script.setting.directory = Some(Word::text(directory));
                found.push(script);
            }
        }
        found
    }

    /// Returns the tasks in a written `deno.json` that the words of `deno task` name.
    fn tasks_of_deno(&mut self, words: &[Word]) -> Vec<NestedCommand> {
        let files = ["deno.json", "deno.jsonc"];
        let texts: Vec<String> = files.iter().filter_map(|file| self.written_text(file)).collect();
        let is_run = |name: &str| words.iter().any(|word| word.known_text() == Some(name));
        texts.iter().flat_map(|text| scripts_named(text, "tasks", is_run)).collect()
    }

    /// Returns the script in a written `package.json` that `node --run NAME` runs.
    fn script_of_node(&mut self, words: &[Word]) -> Vec<NestedCommand> {
        let argv = crate::argv::parse_argv(words);
        let task = argv.options_named("--run").find_map(|given| given.value.as_ref()?.known_text());
        let Some(task) = task.map(str::to_owned) else { return Vec::new() };
        let text = self.written_text("package.json").unwrap_or_default();
        scripts_named(&text, "scripts", |name| name == task)
    }

    /// Returns the file that `node DIRECTORY` runs: the one that the directory's `package.json` names, or `index.js`.
    fn package_main(&mut self, words: &[Word]) -> Option<NestedCommand> {
        let argv = crate::argv::parse_argv(words);
        let directory = argv.operands.first()?.known_text()?.trim_end_matches('/').to_owned();
        let text = self.written_text(&format!("{directory}/package.json")).unwrap_or_default();
        let main = nested::json_text(&text, "main").unwrap_or_else(|| "index.js".to_owned());
        let endings = ["", ".js", "/index.js"];
        let mut files = endings.iter().map(|ending| Word::text(format!("{directory}/{main}{ending}")));
        let file = files.find(|file| self.written_file(file).is_some())?;
        Some(NestedCommand::from(Runnable::Foreign(CodeSource::File(file))))
    }

    /// Returns the call of `php` with the settings of written `.ini` files as `-d` options.
    fn php_with_settings(&mut self, words: &[Word]) -> Option<NestedCommand> {
        let argv = crate::argv::parse_argv(words);
        let option_values = argv.options_named("--php-ini").filter_map(|given| given.value.as_ref()?.known_text());
        let mut locations: Vec<String> = option_values.map(str::to_owned).collect();
        for name in ["PHPRC", "PHP_INI_SCAN_DIR"] {
            if let VariableLookup::One(value) = self.state.find(name) {
                locations
                    .extend(value.word.known_text().into_iter().flat_map(|text| text.split(':')).map(str::to_owned));
            }
        }
        let locations: Vec<PathBuf> =
            locations.iter().filter_map(|location| self.state.resolve(&Word::text(location))).collect();
        let is_read = |path: &&PathBuf| {
            let is_settings = path.extension().is_some_and(|end| end == "ini");
            locations.iter().any(|location| *path == location || is_settings && path.parent() == Some(location))
        };
        self.interpreter.spend(4 * locations.len() * self.interpreter.written.len());
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
        let call = std::iter::once(program).chain(&options).chain(rest).cloned().collect();
        // The returned call reads the same files in turn, and must not be extended again.
        let is_unchanged = options.iter().all(|option| rest.iter().any(|word| word.parts == option.parts));
        (!is_unchanged).then(|| NestedCommand::from(Runnable::Argv(call)))
    }

    /// Returns the call of a program with each word `@FILE` replaced by the words of the written file.
    fn with_words_of_files(&mut self, words: &[Word]) -> Option<NestedCommand> {
        let mut expanded = Vec::new();
        let mut has_file = false;
        for word in words {
            let file = word.known_text().and_then(|text| text.strip_prefix('@'));
            match file.and_then(|file| self.written_text(file)) {
                Some(text) => {
                    has_file = true;
                    expanded.extend(text.split_whitespace().map(|word| Word::text(word.trim_matches(['"', '\'']))));
                }
                None => expanded.push(word.clone()),
            }
        }
        has_file.then(|| NestedCommand::from(Runnable::Argv(expanded)))
    }

    /// Returns the written scripts that a compiler starts in place of its own parts: with `-B`, `GCC_EXEC_PREFIX` or
    /// `COMPILER_PATH`.
    fn compiler_parts(&mut self, command: &ExpandedCommand<'_>, words: &[Word]) -> Vec<NestedCommand> {
        let argv = crate::argv::parse_argv(words);
        let mut prefixes: Vec<String> =
            words.iter().filter_map(|word| word.known_text()?.strip_prefix("-B")).map(str::to_owned).collect();
        prefixes
            .extend(argv.options_named("-B").filter_map(|given| given.value.as_ref()?.known_text()).map(str::to_owned));
        let recorded = self.interpreter.commands.get(command.id.0);
        for assignment in recorded.iter().flat_map(|recorded| &recorded.environment) {
            if matches!(assignment.name.as_str(), "GCC_EXEC_PREFIX" | "COMPILER_PATH") {
                let value = assignment.value.as_ref().and_then(Word::known_text).unwrap_or_default();
                prefixes.extend(value.split(':').map(str::to_owned));
            }
        }
        let prefixes = prefixes.iter().filter(|prefix| !prefix.is_empty());
        let paths = prefixes.flat_map(|prefix| {
            COMPILER_PARTS.iter().flat_map(move |part| [format!("{prefix}{part}"), format!("{prefix}/{part}")])
        });
        let files = paths.map(Word::text).filter(|file| self.written_file(file).is_some());
        files.take(MAX_LOADED).map(|file| NestedCommand::from(Runnable::File(file))).collect()
    }
}

/// Returns the scripts in the text of a `package.json` or `deno.json`, below the key `group`, whose names `is_run`
/// accepts.
fn scripts_named(text: &str, group: &str, is_run: impl Fn(&str) -> bool) -> Vec<NestedCommand> {
    let run = nested::json_members(text, group).into_iter().filter(|(name, _)| is_run(name));
    run.map(|(_, text)| NestedCommand::from(Runnable::Script(Word::text(text), Vec::new()))).collect()
}

/// Whether a file is in a directory and its name matches a pattern; after `**/`, it may be in any directory below.
fn is_below(path: &Path, directory: &Path, pattern: &str) -> bool {
    let Ok(rest) = path.strip_prefix(directory) else { return false };
    let (pattern, is_deep) = pattern.strip_prefix("**/").map_or((pattern, false), |rest| (rest, true));
    let name = if is_deep { rest.file_name().and_then(|name| name.to_str()) } else { rest.to_str() };
    name.is_some_and(|name| Glob::new(pattern).matches(name))
}
