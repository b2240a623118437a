//! Paths as conditions compare them: absolute, and in two forms.

use std::path::{Path, PathBuf};

use super::scalar::beginning;
use super::{Context, Machine, Scalar};
use crate::ruleset::{Derived, Dir, Source};
use hookrules_shell::path::{Case, contains_as, normalise};

/// The form of paths in one judgement of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As written, normalised.
    Lexical,
    /// With symbolic links resolved.
    Physical,
}

/// A directory that a DIR denotes, without excluded subdirectories.
#[derive(Clone, Debug)]
pub struct Region {
    /// The directory.
    pub root: PathBuf,
    /// Directories below it whose files are excluded.
    pub without: Vec<PathBuf>,
}

impl Region {
    fn whole(root: PathBuf) -> Self {
        Self { root, without: Vec::new() }
    }

    fn contains(&self, path: &Path, case: Case) -> bool {
        contains_as(&self.root, path, case) && !self.without.iter().any(|inner| contains_as(inner, path, case))
    }
}

impl Context<'_> {
    /// Returns the absolute form of a path in the payload.
    #[must_use]
    pub fn absolute(&self, text: &str, form: Form) -> PathBuf {
        let path = normalise(text, self.cwd(), self.machine.home());
        self.machine.in_form(path, form)
    }

    /// Returns the absolute form of a path in the policy, which is relative to the project root.
    #[must_use]
    pub fn policy_path(&self, text: &str, form: Form) -> PathBuf {
        let base = self.machine.project().unwrap_or_else(|| self.cwd());
        let path = normalise(text, base, self.machine.home());
        self.machine.in_form(path, form)
    }

    /// Returns the subject of a call for people: its command, else its file, its URL or its tool.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        // Every rule that cannot be judged names it.
        self.subject.get_or_init(|| self.find_subject()).as_deref()
    }

    fn find_subject(&self) -> Option<String> {
        let first = |derived| self.shown_values(&Source::Derived(derived)).into_iter().next();
        let command = first(Derived::Command).map(|command| command.show_beginning());
        let command = command.filter(|command| !command.trim().is_empty());
        let command = command.or_else(|| self.call.likely_command().map(|text| beginning(&text)));
        let path = || first(Derived::Path).map(|path| self.machine.shown(&path.show_beginning()));
        let url = || first(Derived::Url).map(|url| url.show_beginning());
        command.or_else(path).or_else(url).or_else(|| self.call.tool_name.map(beginning))
    }

    pub(super) fn path_scalar<'a>(&self, value: Scalar<'a>, form: Form) -> Scalar<'a> {
        match value {
            Scalar::Text(text) => Scalar::path(&self.absolute(&text, form)),
            other => other,
        }
    }

    /// Returns the directories that a DIR denotes. `tmp` excludes the files of a project below a directory for
    /// temporary files.
    ///
    /// # Errors
    /// As [`Context::lookup`].
    pub fn directories(&self, dir: &Dir, form: Form) -> Result<Vec<Region>, super::Reason> {
        let paths: Vec<PathBuf> = match dir {
            Dir::Project => self.machine.projects().cloned().collect(),
            Dir::Tmp => {
                let projects: Vec<PathBuf> =
                    self.machine.projects().map(|project| self.machine.in_form(project.clone(), form)).collect();
                let region = |root: &PathBuf| {
                    let root = self.machine.in_form(root.clone(), form);
                    let is_below = |project: &&PathBuf| **project != root && project.starts_with(&root);
                    let without = projects.iter().filter(is_below).cloned().collect();
                    Region { root, without }
                };
                return Ok(self.machine.roots().tmp.iter().map(region).collect());
            }
            Dir::Home => self.machine.home().map(Path::to_path_buf).into_iter().collect(),
            Dir::Literal(path) => vec![self.policy_path(&path.to_string_lossy(), Form::Lexical)],
            Dir::Source(source) => {
                let values = self.lookup(source, Form::Lexical)?;
                values.iter().filter_map(Scalar::as_text).map(|text| self.absolute(text, Form::Lexical)).collect()
            }
        };
        Ok(paths.into_iter().map(|path| Region::whole(self.machine.in_form(path, form))).collect())
    }

    /// Whether a path is in one of the directories.
    ///
    /// # Errors
    /// It is in no known directory, and one is unknown.
    pub fn lies_under(&self, path: &Path, dirs: &[Dir], form: Form, case: Case) -> Result<bool, super::Reason> {
        let mut result = Ok(false);
        for dir in dirs {
            match self.directories(dir, form) {
                Ok(known) if known.iter().any(|region| region.contains(path, case)) => return Ok(true),
                Err(reason) if result.is_ok() => result = Err(reason),
                _ => {}
            }
        }
        result
    }
}

impl Machine<'_> {
    /// Returns a path for people: relative to the project if it is inside.
    #[must_use]
    pub fn shown(&self, path: &str) -> String {
        let project = self.project();
        let inside = project.and_then(|project| Path::new(path).strip_prefix(project).ok());
        match inside {
            Some(inside) if !inside.as_os_str().is_empty() => inside.to_string_lossy().into_owned(),
            _ => path.to_owned(),
        }
    }

    /// Converts a lexical path to a form.
    #[must_use]
    pub fn in_form(&self, path: PathBuf, form: Form) -> PathBuf {
        match form {
            Form::Lexical => path,
            Form::Physical => self.resolve(&path),
        }
    }

    /// Returns the project's directory and those of its linked worktrees.
    fn projects(&self) -> impl Iterator<Item = &PathBuf> {
        let roots = self.roots();
        roots.project.iter().chain(&roots.worktrees)
    }
}
