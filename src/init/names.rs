//! The names of a project that may occur in a policy: plain ones. Choosing a file's name must not influence what a
//! policy does, or what an agent reads.

/// The maximum length of a path and of a branch.
const MAX_BYTES: usize = 120;

/// Whether a path of the project can be written unchanged in a glob, a text, or a shell command.
pub(super) fn is_plain_path(path: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+@/".contains(c);
    path.len() <= MAX_BYTES
        && path.chars().all(is_plain)
        && path.split('/').all(|name| !name.is_empty() && !name.starts_with('-') && name != "." && name != "..")
}

/// Whether a glob consists of plain names and `*`, and is not just wildcards.
pub(super) fn is_plain_glob(glob: &str) -> bool {
    // `./name` only matches in the root.
    let without = glob.strip_prefix("./").unwrap_or(glob).replace('*', "x");
    is_plain_path(&without) && glob.chars().any(|c| c.is_ascii_alphanumeric()) && !glob.contains("***")
}

/// Whether a branch name can be written unchanged.
pub(super) fn is_plain_branch(branch: &str) -> bool {
    is_plain_path(branch) && branch.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c))
}
