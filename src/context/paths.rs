//! Paths in the absolute form in which conditions compare them, with and without links resolved.

use std::path::{Path, PathBuf};

use super::scalar::displayed_beginning;
use super::{Context, Machine, Scalar};
use crate::ruleset::{DerivedField, DirOperand, ValueReference};
use hookrules_shell::path::{NameCase, contains_by_case, is_relative, shown_on_drive};

/// The form in which a condition compares paths. Each condition is judged in both forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathForm {
    /// The path in the payload or policy, made absolute and normalised.
    Lexical,
    /// The path with its symbolic links resolved.
    Physical,
}

/// A directory that a condition names (`under project`), without the subdirectories that it excludes.
#[derive(Clone, Debug)]
pub struct Region {
    /// The named directory itself.
    pub root: PathBuf,
    /// Directories below it whose files are excluded.
    pub excluded: Vec<PathBuf>,
}

impl Region {
    /// Makes a region from which nothing is excluded.
    fn new(root: PathBuf) -> Self {
        Self { root, excluded: Vec::new() }
    }

    /// Whether a path is in the directory and in none of the excluded ones.
    fn contains(&self, path: &Path, case: NameCase) -> bool {
        contains_by_case(&self.root, path, case)
            && !self.excluded.iter().any(|inner| contains_by_case(inner, path, case))
    }
}

impl Context<'_> {
    /// Returns the absolute path of a name in the payload, which is relative to the working directory.
    #[must_use]
    pub fn absolute(&self, text: &str, form: PathForm) -> PathBuf {
        let path = self.machine.normal_path(text, self.cwd(), self.machine.home());
        self.machine.convert_to_form(path, form)
    }

    /// Returns the absolute path of a name in the policy, which is relative to the project.
    #[must_use]
    pub fn policy_path(&self, text: &str, form: PathForm) -> PathBuf {
        let base = self.machine.project().unwrap_or_else(|| self.cwd());
        let path = self.machine.normal_path(text, base, self.machine.home());
        self.machine.convert_to_form(path, form)
    }

    /// Returns the absolute paths of a name in the policy: in the project and, if the name is relative, in each of
    /// its linked worktrees.
    #[must_use]
    pub fn policy_paths(&self, text: &str, form: PathForm) -> Vec<PathBuf> {
        let mut paths = vec![self.policy_path(text, form)];
        if is_relative(text) {
            let worktrees = self.machine.roots().worktrees.iter();
            let in_worktrees = worktrees.map(|tree| self.machine.normal_path(text, tree, self.machine.home()));
            paths.extend(in_worktrees.map(|path| self.machine.convert_to_form(path, form)));
        }
        paths
    }

    /// Returns the subject of a call for messages: its command, else its file, its URL or its tool.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        // Each rule that cannot be judged shows the subject, so it is cached.
        self.subject.get_or_init(|| self.find_subject()).as_deref()
    }

    /// Computes [`Self::subject`].
    fn find_subject(&self) -> Option<String> {
        let first = |derived| self.shown_values(&ValueReference::Derived(derived)).into_iter().next();
        let command = first(DerivedField::Command).map(|command| command.show_beginning());
        let command = command.filter(|command| !command.trim().is_empty());
        let command = command.or_else(|| self.call.likely_command().map(|text| displayed_beginning(&text)));
        let path = || first(DerivedField::Path).map(|path| self.machine.display_path(&path.show_beginning()));
        let url = || first(DerivedField::Url).map(|url| url.show_beginning());
        command.or_else(path).or_else(url).or_else(|| self.call.tool_name.map(displayed_beginning))
    }

    /// Converts the text of a path in the payload to an absolute path in the given form; any other value is
    /// unchanged.
    pub(super) fn path_scalar<'a>(&self, value: Scalar<'a>, form: PathForm) -> Scalar<'a> {
        match value {
            Scalar::Text(text) => Scalar::path(&self.absolute(&text, form)),
            other => other,
        }
    }

    /// Returns the directories that the operand of `under` names. For `tmp`, a project below a directory for
    /// temporary files is excluded.
    ///
    /// # Errors
    /// The value of a field is unknown, as in [`Context::lookup`].
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
                    let excluded = projects.iter().filter(is_below).cloned().collect();
                    Region { root, excluded }
                };
                return Ok(self.machine.roots().tmp.iter().map(region).collect());
            }
            DirOperand::Home => self.machine.home().map(Path::to_path_buf).into_iter().collect(),
            DirOperand::Literal(path) => self.policy_paths(&path.to_string_lossy(), PathForm::Lexical),
            DirOperand::Filled(path) => {
                let paths = self.filled_paths(path, PathForm::Lexical)?;
                paths.iter().flat_map(|path| self.policy_paths(path, PathForm::Lexical)).collect()
            }
            DirOperand::Source(source) => {
                // The working tree of the selected command or of the session is meant: every file is in its own
                // working tree, so that of the file would say nothing.
                let placeless = source.is_of_git().then(|| self.without_place());
                let values = placeless.as_ref().unwrap_or(self).lookup(source, PathForm::Lexical)?;
                values.iter().filter_map(Scalar::as_text).map(|text| self.absolute(text, PathForm::Lexical)).collect()
            }
        };
        Ok(paths.into_iter().map(|path| Region::new(self.machine.convert_to_form(path, form))).collect())
    }

    /// Whether a path is in one of the directories.
    ///
    /// # Errors
    /// The path is in no known directory, and one of the directories is unknown.
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
    /// Returns a path for messages, relative to the project if it is in it.
    #[must_use]
    pub fn display_path(&self, path: &str) -> String {
        let project = self.project();
        let inside = project.and_then(|project| Path::new(path).strip_prefix(project).ok());
        match inside {
            Some(inside) if !inside.as_os_str().is_empty() => inside.to_string_lossy().into_owned(),
            _ => shown_on_drive(path).unwrap_or(path).to_owned(),
        }
    }

    /// Whether a path is in a directory, both as they are written or both with links resolved.
    #[must_use]
    pub fn is_in_directory(&self, directory: &Path, path: &Path) -> bool {
        let case = if self.is_case_folding() { NameCase::Folded } else { NameCase::Exact };
        contains_by_case(directory, path, case) || contains_by_case(&self.resolve(directory), &self.resolve(path), case)
    }

    /// Converts a lexical path to the given form.
    #[must_use]
    pub fn convert_to_form(&self, path: PathBuf, form: PathForm) -> PathBuf {
        match form {
            PathForm::Lexical => path,
            PathForm::Physical => self.resolve(&path),
        }
    }

    /// Returns the directory of the project and those of its linked worktrees.
    fn projects(&self) -> impl Iterator<Item = &PathBuf> {
        let roots = self.roots();
        roots.project.iter().chain(&roots.worktrees)
    }
}
