//! Findings about files that look like part of a policy but are not loaded.

use std::path::Path;

use super::registration::display_path;
use crate::diagnostic::{Code, Diagnostic};
use crate::policy::Policy;
use crate::project::{UncountedFile, uncounted_files};

/// Returns a finding for each file around a project that looks like part of a policy but is not loaded.
pub(super) fn uncounted_findings(policy: &Policy, project: Option<&Path>) -> Vec<Diagnostic> {
    let files = uncounted_files(project, &policy.sources);
    let finding = |file: &UncountedFile| {
        let shown = display_path(&file.path);
        Diagnostic::new(Code::FILE_NOT_READ, format!("`{shown}` does not count")).help(file.remedy(&shown))
    };
    files.iter().map(finding).collect()
}
