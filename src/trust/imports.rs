//! Finds the files that a code file loads (modules, sourced scripts, programs that it starts), as far as its text
//! names them. A superfluous path is harmless, because only existing files are pinned.

use std::path::{Path, PathBuf};

use hookrules_shell::interpret::is_shell_script;
use hookrules_shell::path::normalise;
use hookrules_shell::{StartDirectories, analyse};

use super::loaded::{FileLoad, FileLoads, JAVASCRIPT, PACKAGE, PERL, PYTHON, RUBY, paths_with_endings};

/// The directories in which the commands of a policy run, and those in which modules are searched.
#[derive(Clone, Copy)]
pub(super) struct ModulePlace<'p> {
    pub(super) cwd: &'p Path,
    pub(super) home: Option<&'p Path>,
    /// The directories in which modules are searched.
    pub(super) roots: &'p [PathBuf],
}

/// The language of a file, by its name or its first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FileLanguage {
    Python,
    JavaScript,
    Perl,
    Php,
    Ruby,
    Shell,
    /// A makefile.
    Make,
    /// A JavaScript package manifest.
    Package,
    /// Any other file, which loads nothing.
    Data,
}

/// The languages of files, by extension.
const LANGUAGES_BY_EXTENSION: &[(&str, FileLanguage)] = &[
    ("py", FileLanguage::Python),
    ("js", FileLanguage::JavaScript),
    ("cjs", FileLanguage::JavaScript),
    ("mjs", FileLanguage::JavaScript),
    ("ts", FileLanguage::JavaScript),
    ("tsx", FileLanguage::JavaScript),
    ("pl", FileLanguage::Perl),
    ("pm", FileLanguage::Perl),
    ("rb", FileLanguage::Ruby),
    ("php", FileLanguage::Php),
    ("sh", FileLanguage::Shell),
    ("bash", FileLanguage::Shell),
    ("zsh", FileLanguage::Shell),
    ("mk", FileLanguage::Make),
];
/// The languages of files, by the interpreter in the first line: `#!/usr/bin/python3`.
const LANGUAGES_BY_INTERPRETER: &[(&str, FileLanguage)] = &[
    ("python", FileLanguage::Python),
    ("node", FileLanguage::JavaScript),
    ("bun", FileLanguage::JavaScript),
    ("deno", FileLanguage::JavaScript),
    ("perl", FileLanguage::Perl),
    ("php", FileLanguage::Php),
    ("ruby", FileLanguage::Ruby),
];

/// Returns the language of the interpreter that the first line of a file names.
fn language_from_shebang(text: &str) -> FileLanguage {
    if is_shell_script(text) {
        return FileLanguage::Shell;
    }
    let line = text.lines().next().unwrap_or_default();
    let name = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
    let interpreter_in = |word: &str| {
        LANGUAGES_BY_INTERPRETER.iter().find(|(interpreter, _)| {
            let version = name(word).strip_prefix(interpreter).map(str::to_owned);
            version.is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
        })
    };
    line.trim_start_matches("#!")
        .split_whitespace()
        .find_map(interpreter_in)
        .map_or(FileLanguage::Data, |(_, kind)| *kind)
}

/// Returns the language of a file, by its name and its first line.
fn file_language(path: &Path, text: &str) -> FileLanguage {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    match name {
        "Makefile" | "makefile" | "GNUmakefile" => return FileLanguage::Make,
        PACKAGE => return FileLanguage::Package,
        _ => {}
    }
    if text.starts_with("#!") {
        return language_from_shebang(text);
    }
    match name.rsplit_once('.') {
        Some((_, ending)) => LANGUAGES_BY_EXTENSION
            .iter()
            .find(|(extension, _)| *extension == ending)
            .map_or(FileLanguage::Data, |(_, kind)| *kind),
        // A file without an extension is often a script: `sh tools/check`.
        None => FileLanguage::Shell,
    }
}

/// Adds the files that a code file loads to `loads`.
pub(super) fn add(path: &Path, text: &str, place: ModulePlace<'_>, loads: &mut FileLoads) {
    add_files_of_language(file_language(path, text), text, path.parent().unwrap_or(place.cwd), place, loads);
}

/// Adds the files that a piece of code loads, which is a word of a command: `python -c CODE`.
pub(super) fn add_code(kind: FileLanguage, text: &str, place: ModulePlace<'_>, loads: &mut FileLoads) {
    add_files_of_language(kind, text, place.cwd, place, loads);
}

/// Adds the files that code in this language loads. `directory` is that of the file that contains the code.
fn add_files_of_language(
    kind: FileLanguage,
    text: &str,
    directory: &Path,
    place: ModulePlace<'_>,
    loads: &mut FileLoads,
) {
    let mut load = |files: Vec<PathBuf>| loads.all.push(FileLoad { files, ..FileLoad::default() });
    match kind {
        FileLanguage::Python => add_python_files(text, directory, place, &mut load),
        FileLanguage::JavaScript => {
            for name in
                quoted_after(text, &["from", "import", "require(", "import("]).filter(|name| name.starts_with('.'))
            {
                load(paths_with_endings(&normalise(name, directory, place.home), JAVASCRIPT.endings));
            }
        }
        FileLanguage::Package => {
            let main = serde_json::from_str::<serde_json::Value>(text).ok();
            if let Some(main) = main.as_ref().and_then(|package| package.get("main")?.as_str()) {
                load(paths_with_endings(&normalise(main, directory, place.home), JAVASCRIPT.endings));
            }
        }
        FileLanguage::Ruby => add_ruby_files(text, directory, place, &mut load),
        FileLanguage::Perl => add_perl_files(text, place, &mut load),
        FileLanguage::Php => {
            for name in quoted_after(text, PHP_INCLUDES) {
                load(vec![normalise(name, place.cwd, place.home), normalise(name, directory, place.home)]);
            }
            for name in quoted_after(text, &["__DIR__ .", "__DIR__."]) {
                load(vec![normalise(name.trim_start_matches('/'), directory, place.home)]);
            }
        }
        FileLanguage::Make => {
            let included = text.lines().filter_map(|line| {
                let line = line.trim_start();
                ["include ", "-include ", "sinclude "].iter().find_map(|word| line.strip_prefix(word))
            });
            for name in included.flat_map(str::split_whitespace) {
                load(vec![normalise(name, directory, place.home)]);
            }
        }
        FileLanguage::Shell => {
            let analysis = analyse(text, &StartDirectories { cwd: place.cwd, home: place.home });
            loads.add_all(&analysis, place.cwd, directory, place.home);
        }
        FileLanguage::Data => {}
    }
}

/// The words of PHP that include a file: `require 'x.php'`.
const PHP_INCLUDES: &[&str] =
    &["include", "include(", "include_once", "include_once(", "require", "require(", "require_once", "require_once("];

/// Adds the files that Ruby code loads: by `require`, `require_relative` and `load`.
fn add_ruby_files(text: &str, directory: &Path, place: ModulePlace<'_>, load: &mut dyn FnMut(Vec<PathBuf>)) {
    for name in quoted_after(text, &["require_relative", "require_relative("]) {
        load(paths_with_endings(&normalise(name, directory, place.home), RUBY.endings));
    }
    for name in quoted_after(text, &["require", "require(", "load", "load("]) {
        match name.starts_with(['.', '/']) {
            true => load(paths_with_endings(&normalise(name, place.cwd, place.home), RUBY.endings)),
            false => load(RUBY.module_files(name, place.roots)),
        }
    }
}

/// Adds the files that Python code loads: by `import`, `from`, `__import__(…)`, `run_path(…)` and similar functions.
fn add_python_files(text: &str, directory: &Path, place: ModulePlace<'_>, load: &mut dyn FnMut(Vec<PathBuf>)) {
    let directories: Vec<PathBuf> =
        std::iter::once(directory.to_path_buf()).chain(place.roots.iter().cloned()).collect();
    for name in quoted_after(text, &["__import__(", "import_module(", "run_module("]) {
        load(PYTHON.module_files(name, &directories));
    }
    for name in quoted_after(text, &["run_path("]) {
        load(vec![normalise(name, place.cwd, place.home)]);
    }
    for line in text.split(['\n', ';']).map(str::trim_start) {
        let words = || line.split(|c: char| c.is_whitespace() || ",();#".contains(c)).filter(|word| !word.is_empty());
        match words().next() {
            Some("import") => {
                for part in line.trim_start_matches("import").split(',') {
                    if let Some(module) = part.split_whitespace().next() {
                        load(PYTHON.module_files(module, &directories));
                    }
                }
            }
            Some("from") => {
                let Some(module) = words().nth(1) else { continue };
                let dots = module.chars().take_while(|c| *c == '.').count();
                let name = module.get(dots..).unwrap_or_default();
                let above = dots.checked_sub(1).and_then(|up| directory.ancestors().nth(up));
                let searched = above.map_or(directories.clone(), |above| vec![above.to_path_buf()]);
                if !name.is_empty() {
                    load(PYTHON.module_files(name, &searched));
                }
                // In `from a import b`, `b` may be a module in the package `a`.
                for imported in words().skip(3).filter(|word| *word != "as" && *word != "*") {
                    let module = if name.is_empty() { imported.to_owned() } else { format!("{name}.{imported}") };
                    load(PYTHON.module_files(&module, &searched));
                }
            }
            _ => {}
        }
    }
}

/// Adds the files that Perl code loads: by `use`, `no`, `require` and `do`, also from directories of `use lib`.
fn add_perl_files(text: &str, place: ModulePlace<'_>, load: &mut dyn FnMut(Vec<PathBuf>)) {
    let mut directories = place.roots.to_vec();
    directories.extend(quoted_after(text, &["use lib"]).map(|name| normalise(name, place.cwd, place.home)));
    for name in quoted_after(text, &["require", "do"]) {
        load(vec![normalise(name, place.cwd, place.home)]);
    }
    for line in text.split(['\n', ';']).map(str::trim_start) {
        let mut words = line.split_whitespace();
        if !matches!(words.next(), Some("use" | "require" | "no")) {
            continue;
        }
        if let Some(module) = words.next().filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic())) {
            load(PERL.module_files(module, &directories));
        }
    }
}

/// Returns the quoted texts directly after one of these words: `lib` in `require 'lib'`.
fn quoted_after<'t>(text: &'t str, words: &'static [&'static str]) -> impl Iterator<Item = &'t str> {
    let quotes = text.match_indices(['\'', '"', '`']);
    quotes.filter_map(move |(at, quote)| {
        let before = text.get(..at)?.trim_end();
        let follows_word = |word: &&str| {
            let rest = before.strip_suffix(*word)?;
            let is_longer_word = rest.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
            (!is_longer_word).then_some(())
        };
        words.iter().find_map(follows_word)?;
        text.get(at + 1..)?.split(quote).next().filter(|inner| !inner.contains('\n'))
    })
}
