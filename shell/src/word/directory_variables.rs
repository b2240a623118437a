//! Environment variables whose value is the path of a single directory.

/// The variables that tools and services set to the path of a single directory, sorted for the binary search.
const DIRECTORIES: &[&str] = &[
    "ANDROID_HOME",
    "ANDROID_NDK_HOME",
    "ANDROID_SDK_ROOT",
    "CARGO_HOME",
    "CI_PROJECT_DIR",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PROJECT_DIR",
    "CONDA_PREFIX",
    "DENO_INSTALL",
    "FLUTTER_ROOT",
    "GITHUB_WORKSPACE",
    "GOBIN",
    "GOPATH",
    "GOROOT",
    "GRADLE_HOME",
    "HOMEBREW_PREFIX",
    "JAVA_HOME",
    "MAVEN_HOME",
    "NVM_DIR",
    "PNPM_HOME",
    "PYENV_ROOT",
    "RBENV_ROOT",
    "RUNNER_TEMP",
    "RUSTUP_HOME",
    "TMPDIR",
    "VIRTUAL_ENV",
    "VOLTA_HOME",
];

/// Whether tools set the variable with this name to the path of a single directory.
pub(crate) fn is_directory_variable(name: &str) -> bool {
    DIRECTORIES.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_in_order() {
        assert!(DIRECTORIES.is_sorted());
    }
}
