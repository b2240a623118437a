//! Environment variables in front of a command that name no code, no file and no server: `LC_ALL=C grep x f`,
//! `CI=1 cargo test`. The data comes from `variables.toml`, compiled by the build script.

use super::{Assignment, SimpleCommand};

/// Some variables that change nothing that an approval of a command is about, and their values for which that holds.
struct HarmlessVariables {
    names: &'static [&'static str],
    values: HarmlessValues,
}

/// The values of a variable that name no code, no file and no server.
enum HarmlessValues {
    /// Letters, digits and these signs, without a slash at the beginning.
    Signs(&'static str),
    /// One of these.
    Only(&'static [&'static str]),
}

// Defines `HARMLESS`, the groups of `variables.toml`.
include!(concat!(env!("OUT_DIR"), "/harmless.rs"));

/// Whether these variables name no code, no file and no server.
pub(crate) fn are_harmless(variables: &[Assignment]) -> bool {
    variables.iter().all(is_harmless)
}

impl SimpleCommand {
    /// Returns the name of the first variable of the command that may name code, a file or a server, or that nobody
    /// knows: `LD_PRELOAD`, `FOO`. An approval of a command without it is none of the command with it.
    #[must_use]
    pub fn telling_variable(&self) -> Option<&str> {
        let mut variables = self.assignments.iter().chain(&self.environment);
        variables.find(|variable| !is_harmless(variable)).map(|variable| variable.name.as_str())
    }
}

/// Whether a variable names no code, no file and no server. An unknown value is not accepted.
fn is_harmless(variable: &Assignment) -> bool {
    let value = variable.value.as_ref().map_or(Some(""), |word| word.known_text());
    value.is_some_and(|value| is_harmless_variable(&variable.name, value))
}

/// Whether a variable with this value names no code, no file and no server: `CI=1`. What nobody knows of may name one.
#[must_use]
pub fn is_harmless_variable(name: &str, value: &str) -> bool {
    // Shells read it, and none takes it from its environment: it separates the words of `read`.
    if name == "IFS" {
        return !value.bytes().any(|byte| byte.is_ascii_alphanumeric());
    }
    let group = HARMLESS.iter().find(|group| group.names.contains(&name));
    group.is_some_and(|group| match group.values {
        HarmlessValues::Only(values) => values.contains(&value),
        HarmlessValues::Signs(signs) => {
            !value.starts_with('/') && value.chars().all(|c| c.is_ascii_alphanumeric() || signs.contains(c))
        }
    })
}

/// Variables of shells in small letters that are more than a name for a value.
const SPECIAL_VARIABLES: &[&str] = &[
    "path",
    "fpath",
    "cdpath",
    "manpath",
    "mailpath",
    "module_path",
    "fignore",
    "argv",
    "status",
    "pipestatus",
    "options",
    "functions",
    "aliases",
    "galiases",
    "saliases",
    "commands",
    "builtins",
    "parameters",
    "modules",
    "nameddirs",
    "userdirs",
    "usergroups",
    "history",
    "historywords",
    "jobdirs",
    "jobtexts",
    "jobstates",
    "psvar",
    "prompt",
    "prompt2",
    "prompt3",
    "prompt4",
    "watch",
    "histchars",
    "signals",
    "keymaps",
    "widgets",
    "zsh_eval_context",
    "dis_functions",
    "dis_aliases",
    "dis_builtins",
    "epochtime",
    "zsh_scheduled_events",
];

/// Names of several capital letters that texts give their own values, and that no program or shell reads.
const OWN_VARIABLES: &[&str] = &[
    "FILE",
    "FILES",
    "DIR",
    "DIRS",
    "FOLDER",
    "NAME",
    "NAMES",
    "PATTERN",
    "QUERY",
    "REGEX",
    "SRC",
    "DST",
    "SHA",
    "COMMIT",
    "BRANCH",
    "TAG",
    "REV",
    "START",
    "END",
    "LINE",
    "COUNT",
    "PKG",
    "PACKAGE",
    "MODULE",
    "POD",
    "NS",
    "CONTAINER",
    "SVC",
    "SERVICE",
    "APP",
    "IMG",
    "IMAGE",
    "ID",
    "RESULT",
    "RESULTS",
    "ITEM",
    "SYMBOL",
    "FUNC",
    "CLASS",
    "JSON",
    "DATE",
    "DAY",
    "TODAY",
    "SIZE",
    "TOTAL",
    "PR",
    "ISSUE",
    "REPO",
    "WORD",
];

/// Whether a variable is one that texts give a value of their own, and that no program or shell reads: `n`, `FILE`.
pub(crate) fn is_own_variable(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let is_plain = name.bytes().all(is_letter) && !SPECIAL_VARIABLES.contains(&name);
    let is_capital = matches!(name.as_bytes(), [letter] if letter.is_ascii_uppercase());
    is_plain || is_capital || OWN_VARIABLES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_names_no_code_no_file_and_no_server_is_harmless() {
        let cases = [
            ("LC_ALL", "C", true),
            ("LC_ALL", "en_US.UTF-8", true),
            ("LC_ALL", "de_DE@euro", true),
            ("LC_ALL", "../x", false),
            ("LC_ALL", "/tmp/x", false),
            ("LC_PAPER", "C", false),
            ("LANG", "C.UTF-8", true),
            ("LANGUAGE", "de", false),
            ("TZ", "UTC", true),
            ("TZ", "Europe/Berlin", true),
            ("TZ", "/tmp/x", false),
            ("TZ", ":x", false),
            ("TZ", "../x", false),
            ("NO_COLOR", "1", true),
            ("COLUMNS", "80", true),
            ("COLUMNS", "a[$(x)]", false),
            ("GIT_PAGER", "cat", true),
            ("PAGER", "", true),
            ("PAGER", "less", false),
            ("GIT_PAGER", "cat;x", false),
            ("PATH", "", false),
            ("LD_PRELOAD", "x", false),
            ("LOCPATH", "x", false),
            ("IFS", "x", false),
            ("CI", "1", true),
            ("CI", "true", true),
            ("CI", "$(x)", false),
            ("RUST_LOG", "debug,hyper=info", true),
            ("RUST_LOG", "/tmp/x", false),
            ("NODE_ENV", "test", true),
            ("NODE_ENV", "production", false),
            ("RAILS_ENV", "test", true),
            ("RAILS_ENV", "staging", false),
            ("NODE_OPTIONS", "x", false),
            ("CARGO_BUILD_RUSTC", "x", false),
            ("FOO", "1", false),
            ("GOOS", "linux", true),
            ("GOFLAGS", "-mod=mod", false),
            ("GIT_AUTHOR_DATE", "2024-01-02T03:04:05+01:00", true),
            ("GIT_TRACE", "1", true),
            ("GIT_TRACE", "trace.txt", false),
            ("TF_LOG", "DEBUG", true),
            ("TF_LOG_PATH", "x", false),
        ];
        for (name, value, expected) in cases {
            assert_eq!(is_harmless_variable(name, value), expected, "{name}={value}");
        }
    }

    #[test]
    fn a_variable_is_in_one_group() {
        let mut names: Vec<&str> = HARMLESS.iter().flat_map(|group| group.names).copied().collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        // What names code by an option or a path has no record of a harmless value.
        let code = ["PATH", "NODE_OPTIONS", "PYTHONPATH", "PYTHONSTARTUP", "LD_PRELOAD", "BASH_ENV", "RUSTC_WRAPPER"];
        assert!(code.iter().all(|name| !names.contains(name)), "{names:?}");
    }
}
