//! Decides which names of a project may occur in its policy: only names without special characters. So whoever
//! chooses a file's name cannot influence what the policy does or what an agent reads.

/// The maximum length of a path or of a branch's name, in bytes.
const MAX_BYTES: usize = 120;

/// Whether a path of the project needs no quoting or escaping in a glob, a text, or a shell command.
pub(super) fn is_plain_path(path: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+@/".contains(c);
    path.len() <= MAX_BYTES
        && path.chars().all(is_plain)
        && path.split('/').all(|name| !name.is_empty() && !name.starts_with('-') && name != "." && name != "..")
}

/// Whether a glob consists of unproblematic names and `*`, and has at least one letter or digit.
pub(super) fn is_plain_glob(glob: &str) -> bool {
    // `./name` only matches in the root.
    let without = glob.strip_prefix("./").unwrap_or(glob).replace('*', "x");
    is_plain_path(&without) && glob.chars().any(|c| c.is_ascii_alphanumeric()) && !glob.contains("***")
}

/// Whether the name of a branch needs no quoting or escaping.
pub(super) fn is_plain_branch(branch: &str) -> bool {
    is_plain_path(branch) && branch.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c))
}
