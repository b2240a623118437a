//! Paths as conditions compare them: absolute, and in two forms.

use std::path::{Path, PathBuf};

use super::scalar::displayed_beginning;
use super::{Context, Machine, Scalar};
use crate::ruleset::{DerivedField, DirOperand, ValueReference};
use hookrules_shell::path::{NameCase, contains_by_case, normalise};

/// The form of paths in one judgement of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathForm {
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
    pub excluded: Vec<PathBuf>,
}

impl Region {
    fn new(root: PathBuf) -> Self {
        Self { root, excluded: Vec::new() }
    }

    fn contains(&self, path: &Path, case: NameCase) -> bool {
        contains_by_case(&self.root, path, case)
            && !self.excluded.iter().any(|inner| contains_by_case(inner, path, case))
    }
}

impl Context<'_> {
    /// Returns the absolute form of a path in the payload.
    #[must_use]
    pub fn absolute(&self, text: &str, form: PathForm) -> PathBuf {
        let path = normalise(text, self.cwd(), self.machine.home());
        self.machine.convert_to_form(path, form)
    }

    /// Returns the absolute form of a path in the policy, which is relative to the project root.
    #[must_use]
    pub fn policy_path(&self, text: &str, form: PathForm) -> PathBuf {
        let base = self.machine.project().unwrap_or_else(|| self.cwd());
        let path = normalise(text, base, self.machine.home());
        self.machine.convert_to_form(path, form)
    }

    /// Returns the subject of a call for people: its command, else its file, its URL or its tool.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        // Every rule that cannot be judged names it.
        self.subject.get_or_init(|| self.find_subject()).as_deref()
    }

    fn find_subject(&self) -> Option<String> {
        let first = |derived| self.shown_values(&ValueReference::Derived(derived)).into_iter().next();
        let command = first(DerivedField::Command).map(|command| command.show_beginning());
        let command = command.filter(|command| !command.trim().is_empty());
        let command = command.or_else(|| self.call.likely_command().map(|text| displayed_beginning(&text)));
        let path = || first(DerivedField::Path).map(|path| self.machine.display_path(&path.show_beginning()));
        let url = || first(DerivedField::Url).map(|url| url.show_beginning());
        command.or_else(path).or_else(url).or_else(|| self.call.tool_name.map(displayed_beginning))
    }

    pub(super) fn path_scalar<'a>(&self, value: Scalar<'a>, form: PathForm) -> Scalar<'a> {
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
    pub fn directories(&self, dir: &DirOperand, form: PathForm) -> Result<Vec<Region>, super::Reason> {
        let paths: Vec<PathBuf> = match dir {
            DirOperand::Project => self.machine.projects().cloned().collect(),
            DirOperand::Tmp => {
                let projects: Vec<PathBuf> = self
                    .machine
                    .projects()
                    .map(|project| self.machine.convert_to_form(project.clone(), form))
                    .collect();
                let region = |root: &PathBuf| {
                    let root = self.machine.convert_to_form(root.clone(), form);
                    let is_below = |project: &&PathBuf| **project != root && project.starts_with(&root);
                    let without = projects.iter().filter(is_below).cloned().collect();
                    Region { root, excluded: without }
                };
                return Ok(self.machine.roots().tmp.iter().map(region).collect());
            }
            DirOperand::Home => self.machine.home().map(Path::to_path_buf).into_iter().collect(),
            DirOperand::Literal(path) => vec![self.policy_path(&path.to_string_lossy(), PathForm::Lexical)],
            DirOperand::Source(source) => {
                let values = self.lookup(source, PathForm::Lexical)?;
                values.iter().filter_map(Scalar::as_text).map(|text| self.absolute(text, PathForm::Lexical)).collect()
            }
        };
        Ok(paths.into_iter().map(|path| Region::new(self.machine.convert_to_form(path, form))).collect())
    }

    /// Whether a path is in one of the directories.
    ///
    /// # Errors
    /// It is in no known directory, and one is unknown.
    pub fn is_under(
        &self,
        path: &Path,
        dirs: &[DirOperand],
        form: PathForm,
        case: NameCase,
    ) -> Result<bool, super::Reason> {
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
    pub fn display_path(&self, path: &str) -> String {
        let project = self.project();
        let inside = project.and_then(|project| Path::new(path).strip_prefix(project).ok());
        match inside {
            Some(inside) if !inside.as_os_str().is_empty() => inside.to_string_lossy().into_owned(),
            _ => path.to_owned(),
        }
    }

    /// Converts a lexical path to a form.
    #[must_use]
    pub fn convert_to_form(&self, path: PathBuf, form: PathForm) -> PathBuf {
        match form {
            PathForm::Lexical => path,
            PathForm::Physical => self.resolve(&path),
        }
    }

    /// Returns the project's directory and those of its linked worktrees.
    fn projects(&self) -> impl Iterator<Item = &PathBuf> {
        let roots = self.roots();
        roots.project.iter().chain(&roots.worktrees)
    }
}
