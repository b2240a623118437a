//! The modifiers of zsh's expansions, `$x:h:t` and `${x:r}`: which of them a text begins with, and what they change.

use std::path::Path;

use super::parameter::{ExpansionText, ParameterValue};
use super::{Expander, Quoting};
use crate::dialect::Dialect;
use crate::path::normalise;
use crate::state::VariableLookup;
use crate::word::{Cause, Directory, Unknown};

/// A modifier after a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ZshModifier {
    /// `:h`, the path without its last part.
    Head,
    /// `:t`, the last part of the path.
    Tail,
    /// `:r`, the path without its extension.
    Root,
    /// `:e`, the extension.
    Extension,
    /// `:l`, in lower case.
    Lower,
    /// `:u`, in upper case.
    Upper,
    /// `:a`, as an absolute path.
    Absolute,
    /// `:q` and `:Q`, with quotes added or removed.
    Quotes,
    /// `:s/from/to/`, or `:gs/from/to/` for all occurrences.
    Replace { from: String, to: String, all: bool },
    /// A modifier whose result is not known.
    Other,
}

/// Parses the modifiers at the start of a text. Returns them and their length, which is 0 if there are none.
pub(super) fn parse_modifiers(text: &str) -> (Vec<ZshModifier>, usize) {
    let mut modifiers = Vec::new();
    let mut at = 0;
    while let Some((modifier, length)) = text.get(at..).and_then(parse_modifier) {
        modifiers.push(modifier);
        at += length;
    }
    (modifiers, at)
}

/// Parses one modifier with its colon. Returns it and its length.
fn parse_modifier(text: &str) -> Option<(ZshModifier, usize)> {
    let rest = text.strip_prefix(':')?;
    let letter = rest.chars().next()?;
    let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let modifier = match letter {
        'h' | 't' if digits > 0 => return Some((ZshModifier::Other, 2 + digits)),
        'h' => ZshModifier::Head,
        't' => ZshModifier::Tail,
        'r' => ZshModifier::Root,
        'e' => ZshModifier::Extension,
        'l' => ZshModifier::Lower,
        'u' => ZshModifier::Upper,
        'a' => ZshModifier::Absolute,
        'q' | 'Q' => ZshModifier::Quotes,
        'A' | 'c' | 'P' | 'w' | 'W' | 'f' | '&' => ZshModifier::Other,
        's' => return parse_replacement(rest, false).map(|(modifier, length)| (modifier, 1 + length)),
        'g' => return parse_replacement(rest.get(1..)?, true).map(|(modifier, length)| (modifier, 2 + length)),
        _ => return None,
    };
    Some((modifier, 2))
}

/// Parses `s/from/to/`, in which any character may be in place of the slashes and the last one may be missing.
fn parse_replacement(text: &str, all: bool) -> Option<(ZshModifier, usize)> {
    let mut chars = text.strip_prefix('s')?.chars();
    let sign = chars.next().filter(|c| !c.is_alphanumeric())?;
    let (from, rest) = chars.as_str().split_once(sign)?;
    let is_end = |c: char| c == sign || c.is_whitespace() || matches!(c, '"' | '\'' | ')' | ';');
    let end = rest.find(is_end).unwrap_or(rest.len());
    let (to, after) = rest.split_at_checked(end)?;
    let after = after.strip_prefix(sign).unwrap_or(after);
    let is_plain = |text: &str| !text.contains(['\\', '&', '$', '`', '"', '\'']);
    let modifier = match !from.is_empty() && is_plain(from) && is_plain(to) {
        true => ZshModifier::Replace { from: from.to_owned(), to: to.to_owned(), all },
        false => ZshModifier::Other,
    };
    Some((modifier, text.len() - after.len()))
}

impl ZshModifier {
    /// Returns the changed text; `None` if it is not known. `directory` is the working directory.
    fn apply(&self, text: &str, directory: Option<&Path>) -> Option<String> {
        let name_start = text.rfind('/').map_or(0, |at| at + 1);
        let name = text.get(name_start..)?;
        // The results for a path with a slash at its end, and for a name that begins with a dot, depend on the version
        // of zsh.
        let dot = name.rfind('.').map(|at| name_start + at);
        let is_unambiguous = !text.is_empty() && !text.ends_with('/') && !text.contains("//");
        match self {
            Self::Head | Self::Tail | Self::Root | Self::Extension | Self::Absolute if !is_unambiguous => None,
            Self::Root | Self::Extension if dot == Some(name_start) => None,
            Self::Head => Some(match name_start {
                0 => ".".to_owned(),
                1 => "/".to_owned(),
                _ => text.get(..name_start - 1)?.to_owned(),
            }),
            Self::Tail => Some(name.to_owned()),
            Self::Root => Some(text.get(..dot.unwrap_or(text.len()))?.to_owned()),
            Self::Extension => Some(dot.and_then(|dot| text.get(dot + 1..)).unwrap_or_default().to_owned()),
            Self::Lower => text.is_ascii().then(|| text.to_ascii_lowercase()),
            Self::Upper => text.is_ascii().then(|| text.to_ascii_uppercase()),
            Self::Absolute => normalise(text, directory?, None).to_str().map(str::to_owned),
            Self::Quotes => {
                let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./+,:@%".contains(c);
                text.chars().all(is_plain).then(|| text.to_owned())
            }
            Self::Replace { from, to, all: true } => Some(text.replace(from, to)),
            Self::Replace { from, to, all: false } => Some(text.replacen(from, to, 1)),
            Self::Other => None,
        }
    }
}

impl Expander<'_> {
    /// Expands `$name` with the modifiers in the text after it, which only zsh has. Returns their length; `None` if
    /// this shell has no modifiers, or none follow.
    pub(super) fn modified_by_zsh(&mut self, name: &str, after: &str, whole: &str, quoting: Quoting) -> Option<usize> {
        if !after.starts_with(':') {
            return None;
        }
        let (modifiers, length) = parse_modifiers(after);
        if length == 0 {
            return None;
        }
        // `$IMAGE:latest` of a value that comes from elsewhere is rarely meant as a modifier.
        let continues = after.get(length..).is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()));
        let is_known =
            matches!(self.shell.state().find(name), VariableLookup::One(value) if value.word.known_text().is_some());
        if continues && !is_known {
            return None;
        }
        if !self.is_zsh() {
            if is_known && !continues && self.shell.state().reading.dialect() == Dialect::Bash {
                self.note_modified(name, &modifiers, whole);
            }
            return None;
        }
        let parameter = self.parameter_value(name);
        self.note_unset(name, &parameter);
        let changed = self.apply_modifiers(parameter, &modifiers);
        self.add_changed(name, changed, ExpansionText::of(whole, quoting));
        Some(length)
    }

    /// Records the value that zsh would make of a variable, since a host may pass the text to the user's zsh.
    fn note_modified(&mut self, name: &str, modifiers: &[ZshModifier], whole: &str) {
        let parameter = self.parameter_value(name);
        let before = parameter.values().iter().map(|value| value.word.literal()).collect::<Vec<_>>().join(" ");
        let text = match self.apply_modifiers(parameter, modifiers) {
            ParameterValue::One(value) => value.word.literal(),
            _ => before,
        };
        self.shell.note_other_dialect(Unknown::new(Cause::Dialect, whole), Some(&text));
    }

    /// Applies modifiers to a value.
    pub(super) fn apply_modifiers(&mut self, parameter: ParameterValue, modifiers: &[ZshModifier]) -> ParameterValue {
        let directory = match &self.shell.state().cwd {
            Directory::Known(path) => Some(path.clone()),
            Directory::Unknown(_) => None,
        };
        if !self.is_same_in_locales(&parameter) {
            return ParameterValue::Unknown(Cause::Variable);
        }
        parameter.changed_by(|text| {
            let apply = |text: String, modifier: &ZshModifier| modifier.apply(&text, directory.as_deref());
            modifiers.iter().try_fold(text.to_owned(), apply)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_change_texts_as_zsh_does() {
        for (text, modifiers, expected) in [
            ("a/b.tar.gz", ":t", Some("b.tar.gz")),
            ("a/b.tar.gz", ":r", Some("a/b.tar")),
            ("a/b.tar.gz", ":t:r:r", Some("b")),
            ("a/b.tar.gz", ":e", Some("gz")),
            ("a/b.tar.gz", ":h", Some("a")),
            ("b", ":h", Some(".")),
            ("/b", ":h", Some("/")),
            ("b", ":r", Some("b")),
            ("b", ":e", Some("")),
            ("aB", ":l", Some("ab")),
            ("aB", ":u", Some("AB")),
            ("x/../b", ":a", Some("/w/b")),
            ("aXbX", ":s/X/-/", Some("a-bX")),
            ("aXbX", ":gs/X/-", Some("a-b-")),
            ("a b", ":q", None),
            ("ab", ":Q", Some("ab")),
            ("a/b/c", ":h2", None),
            (".b", ":r", None),
            ("a/", ":t", None),
        ] {
            let (parsed, length) = parse_modifiers(modifiers);
            assert_eq!(length, modifiers.len(), "{modifiers}");
            let apply = |text: String, modifier: &ZshModifier| modifier.apply(&text, Some(Path::new("/w")));
            assert_eq!(parsed.iter().try_fold(text.to_owned(), apply).as_deref(), expected, "{text} {modifiers}");
        }
        for (text, length) in
            [(":latest", 2), ("/x", 0), (":/x", 0), (":main", 0), (":src/x", 0), (":h/x", 2), (":p", 0)]
        {
            assert_eq!(parse_modifiers(text).1, length, "{text}");
        }
    }
}
