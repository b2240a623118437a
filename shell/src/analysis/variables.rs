//! Environment variables that only change how programs print: `LC_ALL=C grep x f`.

use super::Assignment;

/// Whether these variables only change how programs print.
pub(crate) fn are_harmless(variables: &[Assignment]) -> bool {
    variables.iter().all(is_harmless)
}

/// Whether a variable only changes how programs print. An unknown value is not accepted.
fn is_harmless(variable: &Assignment) -> bool {
    let value = variable.value.as_ref().map_or(Some(""), |word| word.known_text());
    value.is_some_and(|value| has_harmless_value(&variable.name, value))
}

/// Whether the name is one of a variable that changes how programs print, and the value names no file and no command.
fn has_harmless_value(name: &str, value: &str) -> bool {
    let has_only = |others: &[u8]| value.bytes().all(|byte| byte.is_ascii_alphanumeric() || others.contains(&byte));
    match name {
        "LANG" | "LC_ALL" | "LC_COLLATE" | "LC_CTYPE" | "LC_MESSAGES" | "LC_MONETARY" | "LC_NUMERIC" | "LC_TIME" => {
            has_only(b"._-@")
        }
        // A name such as `Europe/Berlin` is looked up where the zones are, unless it leads elsewhere.
        "TZ" => has_only(b"_+-/") && !value.starts_with('/'),
        "NO_COLOR" | "CLICOLOR" | "CLICOLOR_FORCE" | "FORCE_COLOR" | "COLUMNS" | "LINES" => has_only(b""),
        "PAGER" | "GIT_PAGER" | "GH_PAGER" | "AWS_PAGER" | "SYSTEMD_PAGER" | "MANPAGER" => matches!(value, "" | "cat"),
        // Shells read it, and none takes it from its environment: it separates the words of `read`.
        "IFS" => !value.bytes().any(|byte| byte.is_ascii_alphanumeric()),
        "GIT_OPTIONAL_LOCKS"
        | "GIT_TERMINAL_PROMPT"
        | "NODE_NO_WARNINGS"
        | "PYTHONDONTWRITEBYTECODE"
        | "HOMEBREW_NO_AUTO_UPDATE"
        | "RUST_BACKTRACE"
        | "PYTHONUNBUFFERED"
        | "DEBIAN_FRONTEND" => has_only(b""),
        "AWS_REGION" | "AWS_DEFAULT_REGION" | "PGUSER" | "PGDATABASE" | "PGPORT" | "TERM" => has_only(b"_-"),
        _ => false,
    }
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
    fn only_what_changes_how_programs_print_is_harmless() {
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
        ];
        for (name, value, expected) in cases {
            assert_eq!(has_harmless_value(name, value), expected, "{name}={value}");
        }
    }
}
