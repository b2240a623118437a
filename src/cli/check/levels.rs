//! `--deny`, `--warn` and `--allow`: the levels of lints, and which findings fail the check.

use crate::diagnostic::{Code, Level, Levels, Severity, suggest};

/// The severities, for the message about an unknown argument.
const SEVERITIES: &str = "`info`, `warning`, `deny` and `error`";

/// The argument of a `--deny` option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DenyArgument {
    /// Findings of this severity or above fail the check.
    AtLeast(Severity),
    /// The findings of this lint get the level `deny`.
    Lint(&'static Code),
}

impl DenyArgument {
    /// Parses the argument of `--deny`: a severity, or the name or code of a lint.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let severity = match text {
            "info" => Severity::Info,
            "warning" => Severity::Warning,
            "deny" => Severity::Deny,
            "error" => Severity::Error,
            _ => {
                return lint_name(text)
                    .map(Self::Lint)
                    .map_err(|error| format!("{error}; severities are {SEVERITIES}"));
            }
        };
        Ok(Self::AtLeast(severity))
    }
}

/// Parses the name or code of a lint. An error code is rejected, because its level cannot be changed.
pub(super) fn lint_name(text: &str) -> Result<&'static Code, String> {
    match Code::find(text) {
        Some(code) if code.severity == Severity::Error => {
            Err(format!("`{}` is an error: it keeps a policy from loading", code.name))
        }
        Some(code) => Ok(code),
        None => {
            let named =
                suggest("lint", text, Code::adjustable_codes().map(|code| code.name)).filter(|_| !Code::is_id(text));
            Err(named
                .or_else(|| Code::suggest_codes(text))
                .unwrap_or_else(|| "no lint has this name; `rules help codes` lists them".to_owned()))
        }
    }
}

/// Returns the lowest severity that fails the check, and the levels of lints. For one lint, `--deny` takes precedence
/// over `--warn`, and `--warn` over `--allow`.
pub(super) fn levels_from_options(
    deny: &[DenyArgument],
    warn: &[&'static Code],
    allow: &[&'static Code],
) -> (Severity, Levels) {
    let mut levels = Levels::default();
    allow.iter().for_each(|code| levels.set(code, Level::Off));
    warn.iter().for_each(|code| levels.set(code, Level::On(Severity::Warning)));
    let mut threshold = Severity::Deny;
    for denied in deny {
        match denied {
            DenyArgument::AtLeast(severity) => threshold = *severity,
            DenyArgument::Lint(code) => levels.set(code, Level::On(Severity::Deny)),
        }
    }
    (threshold, levels)
}
