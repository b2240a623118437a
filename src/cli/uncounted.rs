//! Findings about files that look like part of a policy but are not loaded.

use std::path::Path;

use super::registration::display_path;
use crate::diagnostic::{Code, Diagnostic};
use crate::policy::Policy;
use crate::project::uncounted_files;

/// Returns a finding for each file around a project that looks like part of a policy but is not loaded.
pub(super) fn uncounted_findings(policy: &Policy, project: Option<&Path>) -> Vec<Diagnostic> {
    let files = uncounted_files(project, &policy.sources);
    let finding = |path: &Path, remedy: &str| {
        Diagnostic::new(Code::FILE_NOT_READ, format!("`{}` does not count", display_path(path))).help(remedy)
    };
    files.iter().map(|file| finding(&file.path, file.remedy)).collect()
}
