//! Configured severities of findings: `[lints]` in rules.toml, options of `rules check`.

use std::collections::BTreeMap;

use super::nearest::all_nearest_names;
use super::{CODES, Code, Diagnostic, Severity};

/// The configured level of a kind of finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Not reported.
    Off,
    /// Reported with this severity; never an error, which would keep a policy from loading.
    On(Severity),
}

impl Level {
    /// The words in settings.
    pub const WORDS: &[(&'static str, Self)] = &[
        ("off", Self::Off),
        ("info", Self::On(Severity::Info)),
        ("warning", Self::On(Severity::Warning)),
        ("deny", Self::On(Severity::Deny)),
    ];
}

/// The levels of some codes; the others have their defaults.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Levels(BTreeMap<&'static str, Level>);

impl Levels {
    /// Overrides the level of a code.
    pub fn set(&mut self, code: &'static Code, level: Level) {
        self.0.insert(code.id, level);
    }

    /// Returns these levels, overridden by others.
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
        let own = if code.is_on { Level::On(code.severity) } else { Level::Off };
        match self.0.get(code.id).copied().unwrap_or(own) {
            Level::Off => None,
            Level::On(severity) => {
                finding.severity = severity;
                Some(finding)
            }
        }
    }
}

impl Code {
    /// Returns the code with this id or name.
    #[must_use]
    pub fn find(text: &str) -> Option<&'static Self> {
        CODES.iter().map(|(code, _)| *code).find(|code| code.id.eq_ignore_ascii_case(text) || code.name == text)
    }

    /// Whether a word has the format of an id: `R0203`, perhaps with a digit too few or too many.
    #[must_use]
    pub fn is_id(text: &str) -> bool {
        let digits = text.strip_prefix(['R', 'r']).unwrap_or_default();
        (2..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Returns suggestions of codes for an unknown word: by id if it looks like one, else by name.
    #[must_use]
    pub fn suggest_codes(text: &str) -> Option<String> {
        const MOST: usize = 3;
        let codes = || CODES.iter().map(|(code, _)| *code);
        let near = match Self::is_id(text) {
            true => all_nearest_names(text, codes().map(|code| code.id)),
            false => all_nearest_names(text, codes().map(|code| code.name)),
        };
        let named = near.iter().take(MOST).filter_map(|word| Self::find(word));
        let named: Vec<String> = named.map(|code| format!("`{}` is {}", code.id, code.name)).collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    /// Returns the codes whose level can be set.
    pub fn adjustable_codes() -> impl Iterator<Item = &'static Self> {
        CODES.iter().map(|(code, _)| *code).filter(|code| code.severity != Severity::Error)
    }
}
