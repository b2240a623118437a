//! The results of expansion operators on known texts and on globs: `${x#p}`, `${x/p/r}`, `${x^^}`, `${x@Q}`.

use super::parameter::Meant;
use super::pattern::{self, Length, Which};
use super::{Expander, braces};
use crate::characters::bytes_of;
use crate::dialect::{Feature, Reading};
use crate::evaluated::Evaluates;
use crate::glob::Glob;
use crate::stream::Value;
use crate::word::{Cause, Part, Source, Unknown, UnknownPart, Word};

impl Expander<'_> {
    /// `${x#p}`, `${x/p/r}`, `${x:1:2}`, `${x^^}`, `${x@Q}`
    pub(super) fn changed(&mut self, meant: Meant, sign: char, rest: &str) -> Meant {
        let is_newer = matches!(sign, '/' | ':' | '^' | ',' | '@' | '~');
        if is_newer && !self.shell.state().reading.has(Feature::MoreOperators) {
            return self.rejected(rest, Cause::Dialect);
        }
        match sign {
            '#' | '%' | '/' if !self.tries(&meant, sign, rest) => Meant::Unknown(Cause::Variable),
            '#' | '%' => self.cut(meant, sign, rest),
            '/' => self.replaced(meant, rest),
            // In zsh, `${x:h}` is the directory part.
            ':' if rest.starts_with(|c: char| c.is_ascii_alphabetic()) && self.is_zsh() => {
                super::word(self.shell, rest);
                Meant::Unknown(Cause::Dialect)
            }
            ':' => self.slice(meant, rest),
            '^' | ',' => self.recased(meant, sign, rest),
            '@' => self.transformed(meant, rest),
            _ => self.rejected(rest, Cause::Variable),
        }
    }

    /// Expands an operator that the shell may reject, and then it ends: there is no known result, but the substitutions
    /// of the operand run.
    fn rejected(&mut self, operand: &str, cause: Cause) -> Meant {
        self.shell.may_end();
        super::word(self.shell, operand);
        Meant::Unknown(cause)
    }

    /// Charges the work of matching a pattern: it is tried at every offset, and for a replacement at every pair of them.
    /// Returns whether the budget allows it.
    fn tries(&mut self, meant: &Meant, sign: char, rest: &str) -> bool {
        meant.values().iter().for_each(|value| self.shell.tests(rest, value));
        let size = meant.values().iter().map(Value::size).sum::<usize>().min(pattern::LONGEST);
        let tries = size * if sign == '/' { size * size / 8 } else { size };
        self.shell.spend(tries * (rest.len() + 4) / 8)
    }

    /// `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`
    fn cut(&mut self, meant: Meant, sign: char, rest: &str) -> Meant {
        let (length, operand) = match rest.strip_prefix(sign) {
            Some(operand) => (Length::Longest, operand),
            None => (Length::Shortest, rest),
        };
        let glob = pattern::read(self.shell, operand);
        let cut = |text: &str, glob: &Glob| match sign {
            '#' => pattern::without_start(text, glob, length),
            _ => pattern::without_end(text, glob, length),
        };
        meant.changed_by(|text| glob.as_ref()?.change(text, cut, cut))
    }

    /// `${x/p/r}`, `${x//p/r}`, `${x/#p/r}`, `${x/%p/r}`
    fn replaced(&mut self, meant: Meant, rest: &str) -> Meant {
        let (which, rest) = match rest.chars().next() {
            Some('/') => (Which::All, rest.get(1..)),
            Some('#') => (Which::AtStart, rest.get(1..)),
            Some('%') => (Which::AtEnd, rest.get(1..)),
            _ => (Which::First, Some(rest)),
        };
        let rest = rest.unwrap_or_default();
        // A leading slash of a pattern that replaces all matches belongs to the pattern: `${x////-}`.
        let own = usize::from(which == Which::All && rest.starts_with('/'));
        let (from, to) = split_pattern(rest, own, &self.shell.state().reading);
        // Zsh treats leading slashes differently.
        let is_clear = which != Which::All || !from.starts_with('/') || !self.is_zsh();
        let glob = match which {
            Which::First => pattern::read_unanchored(self.shell, from),
            _ => pattern::read(self.shell, from).filter(|_| is_clear),
        };
        let with = super::word(self.shell, to);
        if from.is_empty() && matches!(which, Which::First | Which::All) {
            return meant;
        }
        // Whether `&` refers to the match depends on the version of bash and on quotes.
        let with = with.word.known().filter(|with| !with.contains('&'));
        let with_bytes = with.map(bytes_of);
        meant.changed_by(|text| {
            glob.as_ref()?.change(
                text,
                |text, glob| pattern::replaced(text, glob, with?, which),
                |bytes, glob| pattern::replaced(bytes, glob, with_bytes.as_deref()?, which),
            )
        })
    }

    /// `${x^}`, `${x,,}`; a pattern of the letters to change is not compared.
    fn recased(&mut self, meant: Meant, sign: char, rest: &str) -> Meant {
        let doubled = rest.strip_prefix(sign);
        let change = if doubled.is_some() { cased } else { cased_first };
        let only = doubled.unwrap_or(rest);
        if !only.is_empty() {
            super::word(self.shell, only);
        }
        meant.changed_by(|text| change(text, sign).filter(|_| only.is_empty()))
    }

    /// `${x@P}`, `${x@U}`
    fn transformed(&mut self, meant: Meant, letter: &str) -> Meant {
        if letter.starts_with('P') {
            if let Meant::One(value) = &meant {
                self.shell.evaluates(Evaluates::Expression, value);
                self.shell.prompt(value);
            }
            return Meant::Unknown(Cause::Variable);
        }
        match transformed(letter).filter(|_| !self.is_zsh()) {
            Some(change) => meant.changed_by(change),
            // Bash stops at an unknown letter.
            None => self.rejected(letter, Cause::Variable),
        }
    }
}

/// Removes a suffix or the leading directories from the names that a glob matches: `${f%.txt}`, `${f%.*}`, `${f##*/}`.
///
/// The glob becomes an unknown part: the resulting names are not those that match it.
pub(super) fn of_glob(value: &Value, sign: char, rest: &str, whole: &str) -> Option<Meant> {
    let word = value.word.as_globs();
    if !is_of_names(&word) {
        return None;
    }
    let mut kept = word.parts.clone();
    match (sign, rest) {
        ('#', "#*/") => {
            let is_cut = |part: &Part| matches!(part, Part::Text(text) if text.contains('/'));
            if let Some(at) = kept.iter().rposition(is_cut) {
                kept.0.drain(..at);
                if let Some(Part::Text(text)) = kept.first_mut() {
                    *text = text.rsplit('/').next().unwrap_or_default().to_owned();
                }
            }
        }
        ('%', "/" | "%/") => {
            let Some(Part::Text(text)) = kept.last_mut() else { return None };
            text.truncate(text.strip_suffix('/').unwrap_or(text).len());
            // The names stay the same; an empty text after them is dropped.
            kept.0.retain(|part| part.text() != Some(""));
            return Some(Meant::One(Value { word: Word { parts: kept, span: None }, from: value.from.clone() }));
        }
        ('%', end) => {
            let Some(Part::Text(text)) = kept.last_mut() else { return None };
            let cut = suffix_start(text, end)?;
            text.truncate(cut);
        }
        _ => return None,
    }
    let mut word = Word::default();
    for part in kept {
        word.push(match part {
            Part::Glob(_) => {
                Part::Unknown(UnknownPart { why: Unknown::of(Cause::Glob, whole, Source::Name), splits: false })
            }
            part => part,
        });
    }
    Some(Meant::One(Value { word, from: value.from.clone() }))
}

/// Whether a word has a glob, and each of its globs matches part of one name.
fn is_of_names(word: &Word) -> bool {
    let is_name = |part: &Part| match part {
        Part::Text(_) => true,
        Part::Glob(glob) => !glob.contains(['/', '(']) && !glob.contains("**"),
        Part::Unknown(_) => false,
    };
    let is_glob = |part: &Part| matches!(part, Part::Glob(_));
    word.parts.iter().any(is_glob)
        && word.parts.iter().all(is_name)
        && !word.parts.windows(2).any(|pair| pair.iter().all(is_glob))
}

/// Returns the offset of a suffix that `%` cuts: a literal text, perhaps with a `*` after it.
fn suffix_start(text: &str, end: &str) -> Option<usize> {
    let is_literal = |end: &str| !end.is_empty() && end.chars().all(|c| c.is_alphanumeric() || "._-".contains(c));
    match end.strip_suffix('*') {
        Some(start) if is_literal(start) => text.rfind(start),
        None if is_literal(end) => text.len().checked_sub(end.len()).filter(|_| text.ends_with(end)),
        _ => None,
    }
}

/// Splits `pattern/replacement` at the first slash from an offset on that is not escaped, quoted or in a substitution.
fn split_pattern<'t>(text: &'t str, from: usize, reading: &Reading) -> (&'t str, &'t str) {
    let mut at = from;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if c == '/' {
            return text.split_at_checked(at).map_or((text, ""), |(from, to)| (from, to.get(1..).unwrap_or_default()));
        }
        at += braces::step(text, at, c, reading);
    }
    (text, "")
}

/// `${x^^}`, `${x,,}`; `None` if the result depends on the locale.
fn cased(text: &str, sign: char) -> Option<String> {
    let is_upper = sign == '^';
    text.is_ascii().then(|| if is_upper { text.to_ascii_uppercase() } else { text.to_ascii_lowercase() })
}

/// `${x^}`, `${x,}`; `None` if the result depends on the locale.
fn cased_first(text: &str, sign: char) -> Option<String> {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let (first, rest) = text.split_at_checked(first).unwrap_or((text, ""));
    Some(format!("{}{rest}", cased(first, sign)?))
}

/// Returns the function of `${x@U}`, `${x@u}`, `${x@L}` or `${x@Q}`; `None` for operators that need more than the
/// value.
fn transformed(letter: &str) -> Option<fn(&str) -> Option<String>> {
    Some(match letter {
        "U" => |text| cased(text, '^'),
        "u" => |text| cased_first(text, '^'),
        "L" => |text| cased(text, ','),
        // Non-printing characters are quoted in another way.
        "Q" => |text| {
            (!text.chars().any(|c| c.is_control() || !c.is_ascii()))
                .then(|| format!("'{}'", text.replace('\'', "'\\''")))
        },
        _ => return None,
    })
}
