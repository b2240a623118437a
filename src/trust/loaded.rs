//! Finds the files that a command loads without naming them: the modules of an interpreter, a program on the search
//! path that the command sets, the files that a task runner reads in its directory.
//!
//! This module returns where the files may be. Whether they exist turns out when they are read.

use std::path::{Path, PathBuf};

use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::argv::{Argv, parse_argv};
use hookrules_shell::path::normalise;
use hookrules_shell::programs::is_shell;
use hookrules_shell::project::{project_use, task_files};
use hookrules_shell::startup::startup_files;
use hookrules_shell::values::EnvironmentVariable;
use hookrules_shell::word::{Directory, WordPart};
use hookrules_shell::{Analysis, Word};

use super::imports::{self, FileLanguage, ModulePlace};
use super::listings::{DirectoryFiles, glob_in, listing_for_glob};

/// The manifest of a JavaScript package, which defines its tasks.
pub(super) const PACKAGE: &str = "package.json";

/// The programs that run the tasks of a package.
const PACKAGE_RUNNERS: &[&str] = &["npm", "pnpm", "yarn", "bun"];

/// The maximum number of characters of a command in a message.
const MAX_SHOWN_CHARS: usize = 80;

/// A file that a command loads, with all paths at which it may be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct FileLoad {
    /// The paths at which the file may be.
    pub(super) files: Vec<PathBuf>,
    /// The sentence to report if none of these files is pinned.
    pub(super) unpinned_message: Option<String>,
    /// How the content of the file is used.
    pub(super) content: Content,
}

impl FileLoad {
    /// Creates the load of a file that runs.
    pub(super) fn running_file(file: PathBuf) -> Self {
        Self { files: vec![file], ..Self::default() }
    }
}

/// How the content of a loaded file is used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Content {
    /// The file runs, and may load other files.
    #[default]
    Code,
    /// The file is only read.
    Data,
}

/// The files that the commands of a policy load.
#[derive(Default, Debug)]
pub(super) struct FileLoads {
    /// The loads, each with the paths at which its file may be.
    pub(super) all: Vec<FileLoad>,
    /// The directories in which every file, or each that matches a glob, runs.
    pub(super) listings: Vec<DirectoryFiles>,
    /// The directories in which modules are searched.
    pub(super) roots: Vec<PathBuf>,
    /// A sentence for each load whose files cannot be determined.
    pub(super) unpinned: Vec<String>,
}

/// How an interpreter finds the code that it runs.
pub(super) struct Interpreter {
    /// The names of the interpreter's programs, as in their records.
    programs: &'static [&'static str],
    /// The language of the code, which determines how the files that it loads are found.
    kind: FileLanguage,
    /// The options whose value is code.
    code: &'static [&'static str],
    /// The options whose value is a module.
    modules: &'static [&'static str],
    /// The options whose value is a directory with modules.
    directories: &'static [&'static str],
    /// The environment variable with a search path: `PYTHONPATH`.
    path: &'static str,
    /// The environment variable with further options: `NODE_OPTIONS`.
    options: &'static str,
    /// The separator in the name of a module: `.` in `a.b`.
    separator: &'static str,
    /// The endings that turn the name of a module into that of a file: `.py`.
    pub(super) endings: &'static [&'static str],
    /// The endings that the interpreter tries for a file operand.
    file_endings: &'static [&'static str],
    /// The modules that the interpreter loads at its start from the directories of its search path.
    startup: &'static [&'static str],
    /// Whether the interpreter searches modules in the working directory.
    own_directory: OwnDirectory,
}

/// Whether an interpreter searches modules in the working directory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OwnDirectory {
    Searched,
    NotSearched,
}

pub(super) const PYTHON: Interpreter = Interpreter {
    programs: &["python"],
    kind: FileLanguage::Python,
    code: &["-c"],
    modules: &["-m"],
    directories: &[],
    path: "PYTHONPATH",
    options: "",
    separator: ".",
    endings: &[".py", "/__init__.py", "/__main__.py"],
    file_endings: &["", "/__main__.py"],
    startup: &["sitecustomize", "usercustomize"],
    own_directory: OwnDirectory::Searched,
};

pub(super) const JAVASCRIPT: Interpreter = Interpreter {
    programs: &["node", "bun", "deno", "tsx", "ts-node"],
    kind: FileLanguage::JavaScript,
    code: &["-e", "--eval", "-p", "--print"],
    modules: &["--require", "-r", "--import", "--loader", "--experimental-loader", "--preload"],
    directories: &[],
    path: "NODE_PATH",
    options: "NODE_OPTIONS",
    separator: "/",
    endings: &["", ".js", ".cjs", ".mjs", ".json", ".node", ".ts", ".tsx", "/package.json", "/index.js", "/index.ts"],
    file_endings: &["", ".js", ".cjs", ".mjs", ".json", ".node", ".ts", ".tsx", "/package.json", "/index.js"],
    startup: &[],
    own_directory: OwnDirectory::NotSearched,
};

pub(super) const PERL: Interpreter = Interpreter {
    programs: &["perl"],
    kind: FileLanguage::Perl,
    code: &["-e", "-E"],
    modules: &["-M", "-m"],
    directories: &["-I"],
    path: "PERL5LIB",
    options: "PERL5OPT",
    separator: "::",
    endings: &[".pm"],
    file_endings: &[""],
    startup: &["sitecustomize"],
    own_directory: OwnDirectory::NotSearched,
};

pub(super) const RUBY: Interpreter = Interpreter {
    programs: &["ruby"],
    kind: FileLanguage::Ruby,
    code: &["-e"],
    modules: &["-r"],
    directories: &["-I"],
    path: "RUBYLIB",
    options: "RUBYOPT",
    separator: "/",
    endings: &["", ".rb"],
    file_endings: &[""],
    startup: &[],
    own_directory: OwnDirectory::NotSearched,
};

const PHP: Interpreter = Interpreter {
    programs: &["php"],
    kind: FileLanguage::Php,
    code: &["-r", "--run", "-B", "--process-begin", "-R", "--process-code", "-E", "--process-end"],
    modules: &[],
    directories: &[],
    path: "",
    options: "",
    separator: "/",
    endings: &[""],
    file_endings: &[""],
    startup: &[],
    own_directory: OwnDirectory::NotSearched,
};

/// The interpreters whose loads are known.
const INTERPRETERS: &[&Interpreter] = &[&PYTHON, &JAVASCRIPT, &PERL, &RUBY, &PHP];

/// The environment variables that name a file that a shell runs at its start.
const STARTUP_FILE_VARIABLES: &[&str] = &["BASH_ENV", "ENV"];

/// The environment variables that name the directory of a shell's startup files.
const STARTUP_DIRECTORY_VARIABLES: &[&str] = &["HOME", "ZDOTDIR"];

/// The setting of git that names the directory of its hooks.
const HOOKS_PATH: &str = "core.hookspath";

impl Interpreter {
    /// Returns the files in these directories that a module may be, and those of the packages that contain it.
    pub(super) fn module_files(&self, module: &str, directories: &[PathBuf]) -> Vec<PathBuf> {
        let names: Vec<&str> = module.split(self.separator).filter(|name| !name.is_empty()).collect();
        let mut files = Vec::new();
        for directory in directories {
            let path = names.join("/");
            files.extend(self.endings.iter().map(|ending| directory.join(format!("{path}{ending}"))));
            // An import of `a.b` first runs the package `a`.
            let packages = (1..names.len()).filter(|_| self.separator == ".");
            let package_names = packages.filter_map(|count| Some(names.get(..count)?.join("/")));
            files.extend(package_names.map(|package| directory.join(package).join("__init__.py")));
        }
        files
    }

    /// Returns a command line with the options that the command sets in an environment variable such as
    /// `NODE_OPTIONS`.
    fn command_of_variable(&self, command: &SimpleCommand) -> Vec<Word> {
        let options = set_variable(command, self.options).and_then(Word::known_text).unwrap_or_default();
        let program = command.words.first().cloned();
        program.into_iter().chain(options.split_whitespace().map(Word::text)).collect()
    }
}

/// A command that starts an interpreter.
struct InterpreterRun<'c> {
    language: &'static Interpreter,
    command: &'c SimpleCommand,
    /// The parsed command.
    argv: &'c Argv<'c>,
    /// Further options, from an environment variable such as `NODE_OPTIONS`.
    variable_argv: &'c Argv<'c>,
    cwd: &'c Path,
    home: Option<&'c Path>,
    /// The command, for messages.
    shown: String,
}

impl InterpreterRun<'_> {
    /// Returns the values of the options with these names.
    fn values(&self, names: &'static [&'static str]) -> Vec<&Word> {
        let options = self.argv.options.iter().chain(self.variable_argv.options.iter());
        options.filter(|option| option.has_spelling(names)).filter_map(|option| option.value.as_ref()).collect()
    }

    /// Returns the value to which the command sets an environment variable.
    fn variable(&self, name: &str) -> Option<&Word> {
        set_variable(self.command, name)
    }

    /// Returns the directories in which the code of this run looks for files.
    fn place<'p>(&'p self, roots: &'p [PathBuf]) -> ModulePlace<'p> {
        ModulePlace { cwd: self.cwd, home: self.home, roots }
    }
}

/// Returns the value to which a command sets an environment variable; `None` if the command does not set it, or the
/// name is empty.
fn set_variable<'c>(command: &'c SimpleCommand, name: &str) -> Option<&'c Word> {
    match command.variable(name) {
        EnvironmentVariable::Set(value) if !name.is_empty() => Some(value),
        EnvironmentVariable::Set(_)
        | EnvironmentVariable::Unknown(_)
        | EnvironmentVariable::Inherited
        | EnvironmentVariable::Removed => None,
    }
}

impl FileLoads {
    /// Adds the files that the commands of a script load. The script is a file in `directory`.
    pub(super) fn add_all(&mut self, analysis: &Analysis, cwd: &Path, directory: &Path, home: Option<&Path>) {
        for (_, command) in analysis.iter() {
            let command_cwd = match &command.cwd {
                Directory::Known(command_cwd) => command_cwd,
                Directory::Unknown(_) => cwd,
            };
            for word in run_file_words(command) {
                self.add_file_of_word(word, command_cwd, directory, home);
            }
            self.add(command, command_cwd, home);
        }
        for (_, script) in analysis.scripts() {
            if let Some(word) = script.words.first() {
                self.add_file_of_word(word, cwd, directory, home);
            }
        }
    }

    /// Adds the file that a word names, or the files that match it if it is a glob.
    fn add_file_of_word(&mut self, word: &Word, cwd: &Path, directory: &Path, home: Option<&Path>) {
        if let Some(glob) = glob_in(word) {
            return match listing_for_glob(glob, cwd, home) {
                Some(listing) => self.listings.push(listing),
                None => {
                    self.note(format!("`{}` matches files in directories that are not listed", glob.display_text()))
                }
            };
        }
        let files = file_named_by_word(word, cwd, directory, home).into_iter().collect();
        self.all.push(FileLoad { files, ..FileLoad::default() });
    }

    /// Adds the files that one command loads without naming them.
    fn add(&mut self, command: &SimpleCommand, cwd: &Path, home: Option<&Path>) {
        let shown = display_command(command);
        let Some(program) = command.words.first() else { return };
        let Some(name) = program.known_text() else {
            // A file in the directory of the script, as in `"$DIR/tool"`, has been added already.
            if glob_in(program).is_some() {
                self.add_file_of_word(program, cwd, cwd, home);
            } else if !may_be_beside_script(program) {
                self.note(format!("`{shown}` starts a program of which only the event knows the name"));
            }
            return;
        };
        if !name.contains('/')
            && let EnvironmentVariable::Set(path) = command.variable("PATH")
        {
            let files = directories(path, cwd, home).iter().map(|directory| directory.join(name)).collect();
            self.all.push(FileLoad { files, ..FileLoad::default() });
        }
        let argv = command.argv();
        let language =
            INTERPRETERS.iter().find(|language| language.programs.iter().any(|program| argv.is_program(program)));
        if let Some(language) = language {
            let with_options = language.command_of_variable(command);
            let variable_argv = &parse_argv(&with_options);
            let shown = shown.clone();
            self.add_interpreted(&InterpreterRun { language, command, argv: &argv, variable_argv, cwd, home, shown });
        }
        if argv.name.is_some_and(is_shell) || is_shell(name) {
            self.add_shell_files(command, &argv, (cwd, home));
        }
        let words: Vec<&str> = command.words.iter().skip(1).filter_map(Word::known_text).collect();
        self.add_run_directories(&argv, &words, (cwd, home));
        let operands: Vec<&str> = words.into_iter().filter(|word| !word.starts_with('-')).collect();
        let program = argv.name.unwrap_or(name);
        let task_files: &[&str] = match task_files(program) {
            [] if PACKAGE_RUNNERS.contains(&program) => &[PACKAGE],
            files => files,
        };
        if !task_files.is_empty() {
            let files = task_files.iter().map(|file| cwd.join(file)).collect();
            // The `main` file of a package is not a task, so the manifest counts as data.
            let content = if task_files.contains(&PACKAGE) { Content::Data } else { Content::Code };
            self.all.push(FileLoad { files, content, ..FileLoad::default() });
        }
        // For interpreters and shells, the file operands are pinned, and so are the files that these load.
        let is_followed = (language.is_some() || is_shell(program)) && task_files.is_empty();
        if !is_followed && project_use(program, &operands).runs_code {
            self.note(match task_files {
                [] => format!("`{shown}` runs code of the project"),
                _ => format!("`{shown}` runs whatever its tasks start"),
            });
        }
    }

    /// Adds the files that a shell runs: its script, if a glob names it, and its startup files.
    fn add_shell_files(&mut self, command: &SimpleCommand, argv: &Argv<'_>, (cwd, home): (&Path, Option<&Path>)) {
        if let Some(script) = argv.operands.first().filter(|script| glob_in(script).is_some()) {
            self.add_file_of_word(script, cwd, cwd, home);
        }
        for name in STARTUP_FILE_VARIABLES {
            match command.variable(name) {
                EnvironmentVariable::Set(file) if file.known_text().is_some() || glob_in(file).is_some() => {
                    self.add_file_of_word(file, cwd, cwd, home);
                }
                EnvironmentVariable::Set(_) | EnvironmentVariable::Unknown(_) => {
                    self.note(format!(
                        "`{}` may run the file in `{name}`, which only the event names",
                        display_command(command)
                    ));
                }
                EnvironmentVariable::Inherited | EnvironmentVariable::Removed => {}
            }
        }
        for name in STARTUP_DIRECTORY_VARIABLES {
            match command.variable(name) {
                EnvironmentVariable::Set(directory) if directory.known_text().is_some() => {
                    let directory = directory.known_text().unwrap_or_default();
                    let directory = normalise(if directory.is_empty() { "." } else { directory }, cwd, home);
                    self.all.extend(startup_files().map(|file| FileLoad::running_file(directory.join(file))));
                }
                EnvironmentVariable::Set(_) | EnvironmentVariable::Unknown(_) => {
                    let shown = display_command(command);
                    self.note(format!("`{shown}` may run startup files in `{name}`, which only the event names"));
                }
                EnvironmentVariable::Inherited | EnvironmentVariable::Removed => {}
            }
        }
    }

    /// Adds the directory whose files a program runs: `git -c core.hooksPath=DIR`, `run-parts DIR`.
    fn add_run_directories(&mut self, argv: &Argv<'_>, words: &[&str], (cwd, home): (&Path, Option<&Path>)) {
        let directory = if argv.is_program("git") {
            let settings = words.iter().copied();
            let settings = settings.filter_map(|word| word.strip_prefix("-c").unwrap_or(word).split_once('='));
            settings.filter(|(key, _)| key.eq_ignore_ascii_case(HOOKS_PATH)).map(|(_, value)| value).next_back()
        } else if argv.is_program("run-parts") {
            words.iter().rfind(|word| !word.starts_with('-')).copied()
        } else {
            None
        };
        let directory = directory.map(|directory| normalise(directory, cwd, home));
        self.listings.extend(directory.map(DirectoryFiles::every_file));
    }

    /// Adds the files that an interpreter loads: modules, the files that its code names, and the file that it runs.
    fn add_interpreted(&mut self, run: &InterpreterRun<'_>) {
        let (language, shown) = (run.language, &run.shown);
        let modules = run.values(language.modules);
        let mut searched = self.module_directories(run, &modules);
        for module in &modules {
            self.add_module(run, module, &searched);
        }
        let texts = run.values(language.code);
        for code in &texts {
            if code.known_text().is_none() {
                self.note(format!("`{shown}` runs code of which only the event knows all"));
            }
            let text: Vec<&str> = code.parts.iter().filter_map(WordPart::text).collect();
            imports::add_code(language.kind, &text.join(" "), run.place(&searched), self);
        }
        let runs_module = language.separator == "." && !modules.is_empty();
        if let Some(file) = run.argv.operands.first()
            && texts.is_empty()
            && !runs_module
        {
            match file.known_text() {
                Some("-") => {}
                Some(text) => {
                    let path = normalise(text, run.cwd, run.home);
                    // Modules are searched in the directory of the file that runs. If the operand is a directory,
                    // they are searched there.
                    searched.extend(path.parent().map(Path::to_path_buf));
                    searched.push(path.clone());
                    let files = paths_with_endings(&path, language.file_endings);
                    self.all.push(FileLoad { files, ..FileLoad::default() });
                }
                None if glob_in(file).is_some() => self.add_file_of_word(file, run.cwd, run.cwd, run.home),
                None => self.note(format!("`{shown}` runs a file that only the event names")),
            }
        }
        self.roots.extend(searched);
    }

    /// Returns the directories in which an interpreter searches modules. Adds the modules that it loads from them at
    /// its start.
    fn module_directories(&mut self, run: &InterpreterRun<'_>, modules: &[&Word]) -> Vec<PathBuf> {
        let language = run.language;
        let on_path = run.variable(language.path);
        let on_path = on_path.map(|value| directories(value, run.cwd, run.home)).unwrap_or_default();
        if !on_path.is_empty() {
            self.note(format!("`{}` may load any module in a directory of `{}`", run.shown, language.path));
        }
        for module in language.startup {
            let files = language.module_files(module, &on_path);
            self.all.push(FileLoad { files, ..FileLoad::default() });
        }
        let from_options = run.values(language.directories);
        let from_options = from_options.into_iter().flat_map(|word| directories(word, run.cwd, run.home));
        let mut searched: Vec<PathBuf> = from_options.chain(on_path).collect();
        if language.own_directory == OwnDirectory::Searched && !modules.is_empty() {
            searched.push(run.cwd.to_path_buf());
        }
        searched
    }

    /// Adds a module that an option names: `-m NAME`.
    fn add_module(&mut self, run: &InterpreterRun<'_>, module: &Word, searched: &[PathBuf]) {
        let (language, shown) = (run.language, &run.shown);
        let Some(text) = module.known_text() else {
            return self.note(format!("`{shown}` loads a module that only the event names"));
        };
        // Perl also has `-MName=list` and `-M-Name`.
        let name = text.trim_start_matches('-').split('=').next().unwrap_or_default();
        let files = match name.starts_with(['.', '/']) {
            true => paths_with_endings(&normalise(name, run.cwd, run.home), language.endings),
            false => language.module_files(name, searched),
        };
        let message = format!("`{shown}` loads `{name}`, which is not found in the project");
        self.all.push(FileLoad { files, unpinned_message: Some(message), ..FileLoad::default() });
    }

    /// Adds a sentence about a load whose files cannot be determined, unless it is there already.
    pub(super) fn note(&mut self, sentence: String) {
        if !self.unpinned.contains(&sentence) {
            self.unpinned.push(sentence);
        }
    }
}

/// Returns the words of a command that name a file to run: its program, if that is a path, and the operand of
/// `source`.
fn run_file_words(command: &SimpleCommand) -> impl Iterator<Item = &Word> {
    let program = command.words.first();
    let is_sourcing = program.and_then(Word::known_text).is_some_and(|name| matches!(name, "." | "source"));
    let is_path = |word: &&Word| word.parts.iter().filter_map(WordPart::text).any(|text| text.contains('/'));
    let sourced = command.words.get(1).filter(|_| is_sourcing);
    program.filter(is_path).into_iter().chain(sourced)
}

/// Returns the file that a word of a script names. If the word begins with one unknown part and a slash, as in
/// `"$(dirname "$0")/lib.sh"`, the unknown part is assumed to be the directory of the script.
fn file_named_by_word(word: &Word, cwd: &Path, script_directory: &Path, home: Option<&Path>) -> Option<PathBuf> {
    match (word.known_text(), word.parts.as_slice()) {
        (Some(""), _) => None,
        (Some(text), _) => Some(normalise(text, cwd, home)),
        (None, [WordPart::Unknown(_), WordPart::Text(rest)]) if may_be_beside_script(word) => {
            Some(normalise(rest.trim_start_matches('/'), script_directory, home))
        }
        _ => None,
    }
}

/// Whether a word may name a file in the directory of the script: an unknown part, then a slash and text.
fn may_be_beside_script(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [WordPart::Unknown(_), WordPart::Text(rest)] if rest.starts_with('/'))
}

/// Returns the path with each of these endings appended.
pub(super) fn paths_with_endings(path: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let with_ending = |ending: &&str| {
        let mut name = path.as_os_str().to_os_string();
        name.push(ending);
        PathBuf::from(name)
    };
    endings.iter().map(with_ending).collect()
}

/// Returns the known directories in a search path such as `PATH`. An empty name in it is the working directory.
fn directories(path: &Word, cwd: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let mut names = vec![Some(String::new())];
    for part in &path.parts {
        let WordPart::Text(text) = part else {
            // A name with an unknown part is unknown as a whole, up to the next `:`.
            names.pop();
            names.push(None);
            continue;
        };
        for (at, piece) in text.split(':').enumerate() {
            if at > 0 {
                names.push(Some(String::new()));
            }
            if let Some(Some(name)) = names.last_mut() {
                name.push_str(piece);
            }
        }
    }
    names.into_iter().flatten().map(|name| normalise(if name.is_empty() { "." } else { &name }, cwd, home)).collect()
}

/// Returns a command as messages show it, cut to [`MAX_SHOWN_CHARS`] characters.
fn display_command(command: &SimpleCommand) -> String {
    let words: Vec<String> = command.words.iter().map(Word::display_text).collect();
    let text = words.join(" ");
    match text.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
