//! Names of the directories below the current one that have a policy, for the output of commands.

use std::path::{Path, PathBuf};

use crate::escape::line;
use crate::platform::paths::portable;
use crate::project::{NestedPolicies, nested_policies};

/// The maximum number of directories that a line of output names; it counts the rest.
const MAX_NAMED: usize = 4;

/// Joins directories for a line of output, relative to the current one: `api`, `web`, 3 more.
pub(super) fn listed<'p>(paths: impl ExactSizeIterator<Item = &'p Path>, current: &Path) -> String {
    let more = paths.len().saturating_sub(MAX_NAMED);
    let shown = |path: &Path| format!("`{}`", name(path, current));
    let mut names: Vec<String> = paths.take(MAX_NAMED).map(shown).collect();
    names.extend((more > 0).then(|| format!("{more} more")));
    names.join(", ")
}

/// Returns the name of a directory for messages, relative to the current one.
pub(super) fn name(path: &Path, current: &Path) -> String {
    line(&relative(path, current).to_string_lossy(), 60)
}

/// Returns a path relative to the current directory, with `..` where that is shorter than the absolute path.
fn relative(path: &Path, current: &Path) -> PathBuf {
    let levels_up = current.ancestors().position(|ancestor| path.starts_with(ancestor)).unwrap_or_default();
    let common = current.ancestors().nth(levels_up).unwrap_or(current);
    let mut relative = PathBuf::from_iter(std::iter::repeat_n("..", levels_up));
    // Joining an empty path would end the result with a slash.
    relative.extend(path.strip_prefix(common).unwrap_or(path).components());
    match relative.as_os_str().len() {
        0 => PathBuf::from("."),
        length if length < path.as_os_str().len() => portable(relative),
        _ => path.to_path_buf(),
    }
}

/// Returns a sentence that names the directories below the current one with a policy; `None` if there are none.
pub(super) fn sentence(current: Option<&Path>) -> Option<String> {
    let current = current?;
    let NestedPolicies { directories, .. } = nested_policies(current);
    let names = listed(directories.iter().map(|path| path.as_path()), current);
    match directories.len() {
        0 => None,
        1 => Some(format!("{names} has a policy of its own, for what is below it")),
        _ => Some(format!("{names} have policies of their own, for what is below them")),
    }
}
