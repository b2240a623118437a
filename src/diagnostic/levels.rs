//! The configured severities of findings: `[lints]` in rules.toml, and options of `rules check`.

use std::collections::BTreeMap;

use super::nearest::all_nearest_names;
use super::{CODES, Code, Diagnostic, Severity};

/// The configured level of a kind of finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Findings of this kind are not reported.
    Off,
    /// Findings of this kind are reported with this severity; never as an error, which would keep a policy from
    /// loading.
    On(Severity),
}

impl Level {
    /// The words for the levels in settings.
    pub const WORDS: &[(&'static str, Self)] = &[
        ("off", Self::Off),
        ("info", Self::On(Severity::Info)),
        ("warning", Self::On(Severity::Warning)),
        ("deny", Self::On(Severity::Deny)),
    ];
}

/// The configured levels of some codes, by their ids. All other codes have their defaults.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Levels(BTreeMap<&'static str, Level>);

impl Levels {
    /// Sets the level of a code.
    pub fn set(&mut self, code: &'static Code, level: Level) {
        self.0.insert(code.id, level);
    }

    /// Returns these levels, overridden by the ones in `other`.
    #[must_use]
    pub fn overridden_by(&self, other: &Self) -> Self {
        Self(self.0.iter().chain(&other.0).map(|(id, level)| (*id, *level)).collect())
    }

    /// Returns a finding with its configured severity; `None` if it is off. Errors are always reported.
    #[must_use]
    pub fn apply(&self, mut finding: Diagnostic) -> Option<Diagnostic> {
        let code = finding.code;
        if code.severity == Severity::Error {
            return Some(finding);
        }
        let default_level = if code.is_on { Level::On(code.severity) } else { Level::Off };
        match self.0.get(code.id).copied().unwrap_or(default_level) {
            Level::Off => None,
            Level::On(severity) => {
                finding.severity = severity;
                Some(finding)
            }
        }
    }
}

impl Code {
    /// Returns the code with this id, in any case, or with this name; `None` if there is none.
    #[must_use]
    pub fn find(text: &str) -> Option<&'static Self> {
        CODES.iter().map(|(code, _)| *code).find(|code| code.id.eq_ignore_ascii_case(text) || code.name == text)
    }

    /// Whether a word has the form of an id such as `R0203`, even with a digit too few or too many.
    #[must_use]
    pub fn is_id(text: &str) -> bool {
        let digits = text.strip_prefix(['R', 'r']).unwrap_or_default();
        (2..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Returns a sentence with the codes that are most similar to an unknown word, compared by id or by name; `None`
    /// if none is similar.
    #[must_use]
    pub fn suggest_codes(text: &str) -> Option<String> {
        const MAX_SUGGESTED: usize = 3;
        let codes = || CODES.iter().map(|(code, _)| *code);
        let near = match Self::is_id(text) {
            true => all_nearest_names(text, codes().map(|code| code.id)),
            false => all_nearest_names(text, codes().map(|code| code.name)),
        };
        let named = near.iter().take(MAX_SUGGESTED).filter_map(|word| Self::find(word));
        let named: Vec<String> = named.map(|code| format!("`{}` is {}", code.id, code.name)).collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    /// Returns the codes whose level can be set.
    pub fn adjustable_codes() -> impl Iterator<Item = &'static Self> {
        CODES.iter().map(|(code, _)| *code).filter(|code| code.severity != Severity::Error)
    }
}
