//! Commands of git that change what git runs automatically, or where it finds the repository.

use hookrules_shell::argv::Argv;
use hookrules_shell::repository::{GitSettings, git_settings};

/// The settings that make git run a program or use another repository, in lower case. `*` matches any name.
const GUARDED_SETTINGS: &[&str] = &[
    "core.hookspath",
    "core.fsmonitor",
    "core.worktree",
    "core.sshcommand",
    "core.pager",
    "core.askpass",
    "core.gitproxy",
    "init.templatedir",
    "include.path",
    "includeif.*.path",
    "filter.*.clean",
    "filter.*.smudge",
    "filter.*.process",
    "diff.external",
    "diff.*.command",
    "diff.*.textconv",
    "merge.*.driver",
    "gpg.program",
    "gpg.*.program",
];

/// The settings whose value is a shell command if it begins with `!`.
const SHELL_SETTINGS: &[&str] = &["alias.*", "credential.helper", "credential.*.helper"];

/// Whether a command of git changes what git runs, or where it finds the repository.
pub(super) fn is_guard_changing(argv: &Argv<'_>) -> bool {
    let has = |name: &str| argv.options_named(name).next().is_some();
    match argv.subcommand() {
        Some("config") => git_settings(argv).is_some_and(|settings| is_hook_configuring(&settings)),
        Some("init") => has("--template") || has("--separate-git-dir"),
        _ => false,
    }
}

/// Whether `git config` changes a setting that makes git run a program or use another repository.
fn is_hook_configuring(settings: &GitSettings<'_>) -> bool {
    match settings {
        GitSettings::Shows => false,
        GitSettings::Edits => true,
        GitSettings::Sections(names) => names.iter().any(|name| {
            let name = name.known_text().map(str::to_ascii_lowercase);
            name.is_none_or(|name| has_guarded_settings(&name))
        }),
        GitSettings::Sets { key, value } => {
            let Some(key) = key.known_text().map(str::to_ascii_lowercase) else { return false };
            let runs = value.is_some_and(|value| value.known_text().is_none_or(|value| value.starts_with('!')));
            is_guarded_setting(&key) || runs && SHELL_SETTINGS.iter().any(|setting| matches_setting(setting, &key))
        }
    }
}

/// Whether a key, in lower case, is a setting that makes git run a program or use another repository.
pub(super) fn is_guarded_setting(key: &str) -> bool {
    GUARDED_SETTINGS.iter().any(|setting| matches_setting(setting, key))
}

/// Whether a key matches a setting, in which `*` is any name: `filter.lfs.clean` matches `filter.*.clean`.
fn matches_setting(setting: &str, key: &str) -> bool {
    match setting.split_once('*') {
        Some((start, end)) => {
            let rest = key.strip_prefix(start);
            rest.and_then(|rest| rest.strip_suffix(end)).is_some_and(|name| !name.is_empty())
        }
        None => setting == key,
    }
}

/// Whether a section with this name, such as `core` or `filter.lfs`, can contain settings of [`GUARDED_SETTINGS`] or
/// aliases.
fn has_guarded_settings(name: &str) -> bool {
    let of = |setting: &str| setting.split('.').next() == name.split('.').next();
    GUARDED_SETTINGS.iter().any(|setting| of(setting)) || name.split('.').next() == Some("alias")
}
