//! The policies in the directories below the current one, as the commands name them.

use std::path::{Path, PathBuf};

use crate::escape::line;
use crate::project::{NestedPolicies, nested_policies};

/// The most directories that a line of the output names.
const NAMED: usize = 4;

/// Returns directories for a line of the output, relative to the current one: `api`, `web`, 3 more.
pub(super) fn listed<'p>(paths: impl ExactSizeIterator<Item = &'p Path>, current: &Path) -> String {
    let more = paths.len().saturating_sub(NAMED);
    let shown = |path: &Path| format!("`{}`", name(path, current));
    let mut names: Vec<String> = paths.take(NAMED).map(shown).collect();
    names.extend((more > 0).then(|| format!("{more} more")));
    names.join(", ")
}

/// Returns the name of a directory for messages, relative to the current one.
pub(super) fn name(path: &Path, current: &Path) -> String {
    line(&relative(path, current).to_string_lossy(), 60)
}

/// Returns a path relative to the current directory, with `..` where that is shorter than the absolute path.
fn relative(path: &Path, current: &Path) -> PathBuf {
    let levels = current.ancestors().position(|above| path.starts_with(above)).unwrap_or_default();
    let above = current.ancestors().nth(levels).unwrap_or(current);
    let mut relative = PathBuf::from_iter(std::iter::repeat_n("..", levels));
    // Joining an empty path would end the result with a slash.
    relative.extend(path.strip_prefix(above).unwrap_or(path).components());
    match relative.as_os_str().len() {
        0 => PathBuf::from("."),
        length if length < path.as_os_str().len() => relative,
        _ => path.to_path_buf(),
    }
}

/// Returns a sentence about the policies below the current directory, which hold there; `None` if there are none.
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
