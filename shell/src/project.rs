//! How programs use the project in their working directory: which words name its tasks, whether they check it, and
//! whether they run its code. The data comes from the tables `[project]` of the records, compiled by the build
//! script.
//!
//! Commands are judged by two of these: which packages of a workspace a command works in ([`package_selection`]), and
//! whether it runs the project's code, so that a `*` of an approval covers no path out of it. Lints use the rest.
//!
//! ```
//! use hookrules_shell::project::{CheckCondition, project_use, task_files};
//!
//! let words = ["run", "lint", "src"];
//! let npm = project_use("npm", &words);
//! assert_eq!(npm.task_names(&words), ["lint"]);
//! assert_eq!(project_use("pytest", &[]).checks, CheckCondition::Always);
//! assert!(task_files("make").contains(&"Makefile"));
//! ```

mod packages;

pub use packages::{PackageSelection, package_selection};

use crate::programs::{UnlistedSubcommand, program};

/// How a program uses the project in its working directory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ProjectUse {
    /// When it is a check: it only examines the project, and fails if something is wrong.
    pub checks: CheckCondition,
    /// Which of its words name tasks that the project defines; `None` if none do.
    pub tasks: Option<TaskWords>,
    /// Whether it runs code from its working directory.
    pub runs_code: bool,
    /// Its exit code on failure; `None` if it passes on the exit code of its tasks.
    pub fails_with: Option<u8>,
    /// How many of the words after the program are subcommands, in the record that sets `tasks`.
    depth: usize,
}

/// When a command is a check: it only examines the project, and fails if something is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CheckCondition {
    /// The command is never a check.
    #[default]
    Never,
    /// The command is always a check.
    Always,
    /// The command is a check if it has one of these options, given in all of their spellings.
    With(&'static [&'static str]),
    /// The command is a check if it has none of these options.
    Without(&'static [&'static str]),
}

/// Which words of a command name tasks that the project defines, such as targets and scripts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskWords {
    /// Each operand, in any order.
    Operands,
    /// The first operand; the words after it are passed to the task.
    First,
    /// The last subcommand; the words after it are passed to the task.
    Subcommand,
}

impl CheckCondition {
    /// Whether a command with these words is a check.
    #[must_use]
    pub fn is_met(self, words: &[&str]) -> bool {
        let has = |options: &[&str]| words.iter().any(|word| options.contains(word));
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::With(options) => has(options),
            Self::Without(options) => !has(options),
        }
    }
}

impl ProjectUse {
    /// Returns the words that name tasks, among the words after the program.
    #[must_use]
    pub fn task_names<'w, 's>(&self, words: &'w [&'s str]) -> &'w [&'s str] {
        let names = match self.tasks {
            None => None,
            Some(TaskWords::Operands) => words.get(self.depth..),
            Some(TaskWords::First) => words.get(self.depth..=self.depth),
            Some(TaskWords::Subcommand) => self.depth.checked_sub(1).and_then(|last| words.get(last..self.depth)),
        };
        names.unwrap_or_default()
    }
}

/// The record of a program or of one of its subcommands.
struct ProjectRow {
    /// The names of the program.
    names: &'static [&'static str],
    /// The subcommands, from the outermost to the innermost, each under any of its names.
    under: &'static [&'static [&'static str]],
    checks: CheckCondition,
    tasks: Option<TaskWords>,
    runs_code: bool,
    /// The names of the files that may define its tasks.
    files: &'static [&'static str],
    fails_with: Option<u8>,
}

/// How the words of a program, or of one of its subcommands, select the packages of a workspace that it works in.
struct PackageRow {
    /// The names of the program.
    names: &'static [&'static str],
    /// The subcommands, as in [`ProjectRow`].
    under: &'static [&'static [&'static str]],
    /// The options whose values select packages.
    options: &'static [&'static str],
    /// Whether the first operand selects a package.
    has_operand: bool,
    /// When it works in every package; [`CheckCondition`] is about options here.
    every: CheckCondition,
}

// Defines `ROWS` and `PACKAGE_ROWS`, the tables of the records.
include!(concat!(env!("OUT_DIR"), "/project.rs"));

/// Returns the names of all files of which a program takes one that is there, for the name of one of them: those of
/// `make` for a `Makefile`. The result is empty for the name of any other file.
#[must_use]
pub fn files_of_same_tasks(file: &str) -> Vec<&'static str> {
    let rows = ROWS.iter().filter(|row| row.files.contains(&file));
    let mut names: Vec<&str> = Vec::new();
    for name in rows.flat_map(|row| row.files) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    names
}

/// Returns how a program with these words uses its project. The words are subcommands and operands, without options.
/// The record of a program also applies to its subcommands, unless the record of a subcommand differs.
#[must_use]
pub fn project_use(name: &str, words: &[&str]) -> ProjectUse {
    let is_under = |row: &&ProjectRow| {
        row.under.len() <= words.len() && row.under.iter().zip(words).all(|(names, word)| names.contains(word))
    };
    let mut rows: Vec<&ProjectRow> = ROWS.iter().filter(|row| row.names.contains(&name)).filter(is_under).collect();
    rows.sort_by_key(|row| row.under.len());
    let mut found = ProjectUse::default();
    for row in rows {
        found.runs_code |= row.runs_code;
        found.fails_with = row.fails_with.or(found.fails_with);
        if row.checks != CheckCondition::Never {
            found.checks = row.checks;
        }
        if row.tasks.is_some() {
            found.tasks = row.tasks;
            found.depth = row.under.len();
        }
    }
    let is_script = |word: &&str| {
        program(name).is_some_and(|table| table.unlisted == UnlistedSubcommand::Script && table.command(word).is_none())
    };
    if found.tasks.is_none() && words.first().is_some_and(is_script) {
        found.tasks = Some(TaskWords::Subcommand);
        found.depth = 1;
    }
    found
}

/// Returns the names of the files that may define the tasks of a program. The program uses the first one that exists.
#[must_use]
pub fn task_files(program: &str) -> &'static [&'static str] {
    let row = ROWS.iter().find(|row| row.under.is_empty() && row.names.contains(&program));
    row.map_or(&[], |row| row.files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_say_which_words_name_tasks_of_a_project() {
        let check = |name: &str, words: &[&str], expected: &[&str]| {
            assert_eq!(project_use(name, words).task_names(words), expected, "{name} {words:?}");
        };
        check("make", &["build", "deploy"], &["build", "deploy"]);
        check("gradlew", &["check"], &["check"]);
        check("npm", &["run", "lint", "x"], &["lint"]);
        check("npm", &["run-script"], &[]);
        check("npm", &["test", "x"], &["test"]);
        check("npm", &["install", "test"], &[]);
        check("pnpm", &["lint", "x"], &["lint"]);
        check("pnpm", &["install"], &[]);
        check("yarn", &["run", "build"], &["build"]);
        check("deno", &["task", "build"], &["build"]);
        check("git", &["test"], &[]);
        check("unheard", &["test"], &[]);
    }

    #[test]
    fn records_say_what_is_a_check() {
        let check = |words: &[&str], expected: bool| {
            let (name, rest) = words.split_first().unwrap();
            let operands: Vec<&str> = rest.iter().copied().filter(|word| !word.starts_with('-')).collect();
            assert_eq!(project_use(name, &operands).checks.is_met(words), expected, "{words:?}");
        };
        check(&["pytest"], true);
        check(&["test", "-f", "x"], true);
        check(&["prettier", "."], false);
        check(&["prettier", "-c", "."], true);
        check(&["git", "diff", "--exit-code"], true);
        check(&["git", "diff"], false);
        check(&["bazel", "test", "//..."], true);
        check(&["bazel", "build", "//..."], false);
        check(&["ruff", "check"], true);
        check(&["ruff", "format"], false);
        check(&["echo", "test"], false);
    }

    #[test]
    fn records_say_what_runs_the_code_of_a_project() {
        for name in ["npm", "make", "pytest", "python", "cargo", "node", "uv", "npx", "terraform"] {
            assert!(project_use(name, &["x"]).runs_code, "{name}");
        }
        for name in ["git", "grep", "cd", "test"] {
            assert!(!project_use(name, &["x"]).runs_code, "{name}");
        }
    }
}
