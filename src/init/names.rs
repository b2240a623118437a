//! Which names of a project may stand in a policy: the plain ones. Nobody who chooses a file's name chooses what a
//! policy says, or what an agent reads.

/// The longest path and the longest branch.
const MAX_BYTES: usize = 120;

/// Tells whether a path of the project can be written as it is: in a glob, in a text, in a shell command.
pub(super) fn is_plain_path(path: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+@/".contains(c);
    path.len() <= MAX_BYTES
        && path.chars().all(is_plain)
        && path.split('/').all(|name| !name.is_empty() && !name.starts_with('-') && name != "." && name != "..")
}

/// Tells whether a glob is made of plain names and `*`, and says more than that.
pub(super) fn is_plain_glob(glob: &str) -> bool {
    // `./name` is a name in the root alone.
    let without = glob.strip_prefix("./").unwrap_or(glob).replace('*', "x");
    is_plain_path(&without) && glob.chars().any(|c| c.is_ascii_alphanumeric()) && !glob.contains("***")
}

/// Tells whether a branch's name can be written as it is.
pub(super) fn is_plain_branch(branch: &str) -> bool {
    is_plain_path(branch) && branch.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c))
}
