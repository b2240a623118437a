//! How much each kind of finding weighs, where somebody says so: `[lints]` in rules.toml, options of `rules check`.

use std::collections::BTreeMap;

use super::nearest::all_nearest;
use super::{CODES, Code, Diagnostic, Severity};

/// What becomes of findings of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// They are not reported.
    Off,
    /// They are, and weigh so much; never as much as an error, which keeps a policy from loading.
    On(Severity),
}

impl Level {
    /// The words of settings.
    pub const WORDS: &[(&'static str, Self)] = &[
        ("off", Self::Off),
        ("info", Self::On(Severity::Info)),
        ("warning", Self::On(Severity::Warning)),
        ("deny", Self::On(Severity::Deny)),
    ];
}

/// The levels of some codes; the others have their own.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Levels(BTreeMap<&'static str, Level>);

impl Levels {
    /// Sets the level of a code, whatever it was.
    pub fn set(&mut self, code: &'static Code, level: Level) {
        self.0.insert(code.id, level);
    }

    /// Returns these with those of another, which win.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().chain(&other.0).map(|(id, level)| (*id, *level)).collect())
    }

    /// Returns a finding as it is reported, if it is. What keeps a policy from loading always is.
    #[must_use]
    pub fn weigh(&self, mut finding: Diagnostic) -> Option<Diagnostic> {
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
    /// Returns the code of this id or name.
    #[must_use]
    pub fn of(text: &str) -> Option<&'static Self> {
        CODES.iter().map(|(code, _)| *code).find(|code| code.id.eq_ignore_ascii_case(text) || code.name == text)
    }

    /// Tells whether a word has the form of an id: `R0203`, and with a digit too few or too many.
    #[must_use]
    pub fn is_id(text: &str) -> bool {
        let digits = text.strip_prefix(['R', 'r']).unwrap_or_default();
        (2..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Says which codes a word may mean that is none, by their ids where it looks like one, else by their names.
    #[must_use]
    pub fn near(text: &str) -> Option<String> {
        const MOST: usize = 3;
        let codes = || CODES.iter().map(|(code, _)| *code);
        let near = match Self::is_id(text) {
            true => all_nearest(text, codes().map(|code| code.id)),
            false => all_nearest(text, codes().map(|code| code.name)),
        };
        let named = near.iter().take(MOST).filter_map(|word| Self::of(word));
        let named: Vec<String> = named.map(|code| format!("`{}` is {}", code.id, code.name)).collect();
        (!named.is_empty()).then(|| named.join(", "))
    }

    /// Returns the codes whose level can be set.
    pub fn adjustable() -> impl Iterator<Item = &'static Self> {
        CODES.iter().map(|(code, _)| *code).filter(|code| code.severity != Severity::Error)
    }
}
