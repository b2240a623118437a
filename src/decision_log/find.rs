//! The location of a project's log.

use std::path::{Path, PathBuf};

use crate::names::{file_name_component, name_with_mark};
use crate::record_place::LOG;

/// Returns the name of a project's log directory: the project's own name, and a hash of its whole path.
#[must_use]
pub fn directory_name(project: Option<&Path>) -> String {
    project.map_or_else(
        || "no-project".to_owned(),
        |project| {
            let name = project.file_name().map(|name| file_name_component(&name.to_string_lossy())).unwrap_or_default();
            name_with_mark(&name, &project.to_string_lossy())
        },
    )
}

/// Returns the log directory for a directory: that of the nearest directory with a log, from this one upwards, or else
/// its own, which does not exist yet.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the log is looked for in the state directory")]
pub fn find(state: &Path, around: Option<&Path>) -> PathBuf {
    let log = state.join(LOG);
    let log_of = |project: Option<&Path>| log.join(directory_name(project));
    let exists = |path: &PathBuf| std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    let existing = around.into_iter().flat_map(Path::ancestors).map(|project| log_of(Some(project))).find(exists);
    existing.unwrap_or_else(|| log_of(around))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_of_one_name_have_directories_of_their_own() {
        let name = |project: &str| directory_name(Some(Path::new(project)));
        assert_ne!(name("/a/app"), name("/b/app"));
        assert!(name("/a/app").starts_with("app-"));
        assert_eq!(directory_name(None), "no-project");
    }

    #[test]
    fn the_log_of_the_nearest_project_above_is_found() {
        let state = tempfile::tempdir().unwrap();
        let own = |project: &str| state.path().join(LOG).join(directory_name(Some(Path::new(project))));
        std::fs::create_dir_all(own("/work/app")).unwrap();
        assert_eq!(find(state.path(), Some(Path::new("/work/app/src/bin"))), own("/work/app"));
        assert_eq!(find(state.path(), Some(Path::new("/work/other"))), own("/work/other"));
        assert_eq!(find(state.path(), None), state.path().join(LOG).join("no-project"));
    }
}
