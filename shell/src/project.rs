//! How programs use the project in their working directory: how they name its tasks, whether they check it, and whether
//! they run its code. The tables `[project]` of the records, compiled by the build script.
//!
//! For lints of policies only; commands are not judged by it.
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

use crate::programs::{UnlistedSubcommand, program};

/// How a program uses the project in its working directory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ProjectUse {
    /// When it only runs checks, and fails if they do.
    pub checks: CheckCondition,
    /// Which of its words name tasks that the project defines.
    pub tasks: Option<TaskWords>,
    /// Whether it runs code from its working directory.
    pub runs_code: bool,
    /// Its exit code on failure, unless it passes on that of its tasks.
    pub fails_with: Option<u8>,
    /// How many of the words after the program are its subcommands, as far as `tasks` depends on them.
    depth: usize,
}

/// When a command is a check.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CheckCondition {
    /// It is not.
    #[default]
    Never,
    /// It always is.
    Always,
    /// With one of these options, given with all of their spellings.
    With(&'static [&'static str]),
    /// Without any of these options.
    Without(&'static [&'static str]),
}

/// Which words of a command name tasks that the project defines: targets, scripts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskWords {
    /// Each operand, in any order.
    Operands,
    /// The first operand; the words after it are passed to the task.
    First,
    /// The subcommand; the words after it are passed to the task.
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
    /// Returns those of the words after the program that name tasks.
    #[must_use]
    pub fn task_names<'w, 's>(&self, words: &'w [&'s str]) -> &'w [&'s str] {
        let found = match self.tasks {
            None => None,
            Some(TaskWords::Operands) => words.get(self.depth..),
            Some(TaskWords::First) => words.get(self.depth..=self.depth),
            Some(TaskWords::Subcommand) => self.depth.checked_sub(1).and_then(|at| words.get(at..self.depth)),
        };
        found.unwrap_or_default()
    }
}

/// The record of a program or a subcommand.
struct ProjectRow {
    names: &'static [&'static str],
    /// The subcommands, from the first to the innermost, each under any of its names.
    under: &'static [&'static [&'static str]],
    checks: CheckCondition,
    tasks: Option<TaskWords>,
    runs_code: bool,
    /// The files that may define its tasks.
    files: &'static [&'static str],
    fails_with: Option<u8>,
}

// `ROWS`
include!(concat!(env!("OUT_DIR"), "/project.rs"));

/// Returns how a program followed by these words uses a project; the words are subcommands and operands, without
/// options. The record of a program applies to its subcommands unless theirs differ.
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

/// Returns the names of the files that may define the tasks of a program; it uses the first that exists.
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
        for name in ["npm", "make", "pytest", "python", "cargo", "node"] {
            assert!(project_use(name, &["x"]).runs_code, "{name}");
        }
        for name in ["git", "grep", "cd", "test"] {
            assert!(!project_use(name, &["x"]).runs_code, "{name}");
        }
    }
}
