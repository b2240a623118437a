//! The policies in the directories below the current one, as the commands name them.

use std::path::Path;

use crate::escape::line;
use crate::project::{NestedPolicies, nested_policies};

/// The most directories that a line of the output names.
const NAMED: usize = 4;

/// Returns directories for a line of the output, relative to the current one: `api`, `web`, 3 more.
pub(super) fn listed<'p>(paths: impl ExactSizeIterator<Item = &'p Path>, current: &Path) -> String {
    let more = paths.len().saturating_sub(NAMED);
    let shown = |path: &Path| format!("`{}`", line(&path.strip_prefix(current).unwrap_or(path).to_string_lossy(), 60));
    let mut names: Vec<String> = paths.take(NAMED).map(shown).collect();
    names.extend((more > 0).then(|| format!("{more} more")));
    names.join(", ")
}

/// Returns a sentence about the policies below the current directory, which hold in sessions that start there; `None` if
/// there are none.
pub(super) fn sentence(current: Option<&Path>) -> Option<String> {
    let current = current?;
    let NestedPolicies { directories, .. } = nested_policies(current);
    let names = listed(directories.iter().map(|path| path.as_path()), current);
    match directories.len() {
        0 => None,
        1 => Some(format!("{names} has a policy of its own, for sessions that start there")),
        _ => Some(format!("{names} have policies of their own, for sessions that start there")),
    }
}
