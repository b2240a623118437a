//! The results of operators in `${…}` on known texts and on globs: `${x#p}`, `${x/p/r}`, `${x^^}`, `${x@Q}`.

use super::modifiers::parse_modifiers;
use super::parameter::ParameterValue;
use super::pattern::{self, MatchLength, ReplacedMatches};
use super::{Expander, braces};
use crate::characters::byte_characters;
use crate::dialect::{DialectFeature, DialectReading};
use crate::evaluated::EvaluatorKind;
use crate::glob::Glob;
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, UnknownPart, ValueSource, Word, WordPart};

impl Expander<'_> {
    /// Applies the operator `sign` with the operand `rest` to a value: `${x#p}`, `${x/p/r}`, `${x:1:2}`, `${x^^}`,
    /// `${x@Q}`.
    pub(super) fn apply_operator(&mut self, meant: ParameterValue, sign: char, rest: &str) -> ParameterValue {
        let is_newer = matches!(sign, '/' | ':' | '^' | ',' | '@' | '~');
        if is_newer && !self.shell.state().reading.has(DialectFeature::MoreOperators) {
            return self.reject_operator(rest, Cause::Dialect);
        }
        match sign {
            '#' | '%' | '/' if !self.charge_matching(&meant, sign, rest) => ParameterValue::Unknown(Cause::Variable),
            '#' | '%' => self.remove_match(meant, sign, rest),
            '/' => self.replace(meant, rest),
            // In zsh, `${x:h}` is the directory part.
            ':' if rest.starts_with(|c: char| c.is_ascii_alphabetic()) && self.is_zsh() => {
                let text = format!(":{rest}");
                let (modifiers, length) = parse_modifiers(&text);
                if length == text.len() {
                    return self.apply_modifiers(meant, &modifiers);
                }
                super::word(self.shell, rest);
                ParameterValue::Unknown(Cause::Dialect)
            }
            ':' => self.slice(meant, rest),
            '^' | ',' => self.change_case(meant, sign, rest),
            '@' => self.transform(meant, rest),
            _ => self.reject_operator(rest, Cause::Variable),
        }
    }

    /// Handles an operator that the shell may reject, which would end it: returns an unknown value, and runs the
    /// substitutions in the operand.
    fn reject_operator(&mut self, operand: &str, cause: Cause) -> ParameterValue {
        self.shell.note_possible_exit();
        super::word(self.shell, operand);
        ParameterValue::Unknown(cause)
    }

    /// Charges the work of matching a pattern, which is compared at every offset, and for a replacement at every pair
    /// of offsets. Returns whether the budget allows the work.
    fn charge_matching(&mut self, meant: &ParameterValue, sign: char, rest: &str) -> bool {
        meant.values().iter().for_each(|value| self.shell.note_comparison(rest, value));
        // A longer value is not matched at all.
        let size = meant.values().iter().map(ShellValue::size).sum::<usize>().min(pattern::LONGEST);
        let tries = size * if sign == '/' { size * size / 8 } else { size };
        self.shell.spend(tries * (rest.len() + 4) / 8)
    }

    /// Removes a match from the start or the end: `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`.
    fn remove_match(&mut self, meant: ParameterValue, sign: char, rest: &str) -> ParameterValue {
        let (length, operand) = match rest.strip_prefix(sign) {
            Some(operand) => (MatchLength::Longest, operand),
            None => (MatchLength::Shortest, rest),
        };
        let glob = pattern::read(self.shell, operand);
        let cut = |text: &str, glob: &Glob| match sign {
            '#' => pattern::strip_start(text, glob, length),
            _ => pattern::strip_end(text, glob, length),
        };
        meant.changed_by(|text| glob.as_ref()?.change(text, cut, cut))
    }

    /// Replaces matches: `${x/p/r}`, `${x//p/r}`, `${x/#p/r}`, `${x/%p/r}`.
    fn replace(&mut self, meant: ParameterValue, rest: &str) -> ParameterValue {
        let (which, rest) = match rest.chars().next() {
            Some('/') => (ReplacedMatches::All, rest.get(1..)),
            Some('#') => (ReplacedMatches::AtStart, rest.get(1..)),
            Some('%') => (ReplacedMatches::AtEnd, rest.get(1..)),
            _ => (ReplacedMatches::First, Some(rest)),
        };
        let rest = rest.unwrap_or_default();
        // A leading slash of a pattern that replaces all matches belongs to the pattern: `${x////-}`.
        let own = usize::from(which == ReplacedMatches::All && rest.starts_with('/'));
        let (from, to) = split_pattern(rest, own, &self.shell.state().reading);
        // Zsh treats leading slashes differently.
        let is_clear = which != ReplacedMatches::All || !from.starts_with('/') || !self.is_zsh();
        let glob = match which {
            ReplacedMatches::First => pattern::read_unanchored(self.shell, from),
            _ => pattern::read(self.shell, from).filter(|_| is_clear),
        };
        let with = super::word(self.shell, to);
        if from.is_empty() && matches!(which, ReplacedMatches::First | ReplacedMatches::All) {
            return meant;
        }
        // Whether `&` refers to the match depends on the version of bash and on quotes.
        let with = with.word.known_text().filter(|with| !with.contains('&'));
        let with_bytes = with.map(byte_characters);
        meant.changed_by(|text| {
            glob.as_ref()?.change(
                text,
                |text, glob| pattern::replace_matches(text, glob, with?, which),
                |bytes, glob| pattern::replace_matches(bytes, glob, with_bytes.as_deref()?, which),
            )
        })
    }

    /// Changes the case: `${x^}`, `${x,,}`. With a pattern of the letters to change, as in `${x^^[a-f]}`, the result
    /// is unknown.
    fn change_case(&mut self, meant: ParameterValue, sign: char, rest: &str) -> ParameterValue {
        let doubled = rest.strip_prefix(sign);
        let change = if doubled.is_some() { cased } else { cased_first };
        let only = doubled.unwrap_or(rest);
        if !only.is_empty() {
            super::word(self.shell, only);
        }
        meant.changed_by(|text| change(text, sign).filter(|_| only.is_empty()))
    }

    /// Applies a transformation: `${x@U}`, `${x@Q}`. `${x@P}` expands the value as a prompt, which may run code.
    fn transform(&mut self, meant: ParameterValue, letter: &str) -> ParameterValue {
        if letter.starts_with('P') {
            if let ParameterValue::One(value) = &meant {
                self.shell.note_evaluation(EvaluatorKind::Expression, value);
                self.shell.prompt(value);
            }
            return ParameterValue::Unknown(Cause::Variable);
        }
        match transformation(letter).filter(|_| !self.is_zsh()) {
            Some(change) => meant.changed_by(change),
            // Bash stops at an unknown letter.
            None => self.reject_operator(letter, Cause::Variable),
        }
    }
}

/// Returns the value after an operator has removed a suffix or the leading directories from names that a glob
/// matches: `${f%.txt}`, `${f%.*}`, `${f##*/}`; `None` if the operator or the value is another one.
///
/// The glob becomes an unknown part, since the shortened names are not those that the glob matches.
pub(super) fn change_glob_matches(value: &ShellValue, sign: char, rest: &str, whole: &str) -> Option<ParameterValue> {
    let word = value.word.as_globs();
    if !is_of_names(&word) {
        return None;
    }
    let mut kept = word.parts.clone();
    match (sign, rest) {
        ('#', "#*/") => {
            let is_cut = |part: &WordPart| matches!(part, WordPart::Text(text) if text.contains('/'));
            if let Some(at) = kept.iter().rposition(is_cut) {
                kept.0.drain(..at);
                if let Some(WordPart::Text(text)) = kept.first_mut() {
                    *text = text.rsplit('/').next().unwrap_or_default().to_owned();
                }
            }
        }
        ('%', "/" | "%/") => {
            let Some(WordPart::Text(text)) = kept.last_mut() else { return None };
            text.truncate(text.strip_suffix('/').unwrap_or(text).len());
            // The names stay the same; an empty text after them is dropped.
            kept.0.retain(|part| part.text() != Some(""));
            return Some(ParameterValue::One(ShellValue {
                word: Word { parts: kept, span: None },
                writers: value.writers.clone(),
            }));
        }
        ('%', end) => {
            let Some(WordPart::Text(text)) = kept.last_mut() else { return None };
            let cut = suffix_start(text, end)?;
            text.truncate(cut);
        }
        _ => return None,
    }
    let mut word = Word::default();
    for part in kept {
        word.push(match part {
            WordPart::Glob(_) => WordPart::Unknown(UnknownPart {
                reason: Unknown::with_source(Cause::Glob, whole, ValueSource::Name),
                may_split: false,
            }),
            part => part,
        });
    }
    Some(ParameterValue::One(ShellValue { word, writers: value.writers.clone() }))
}

/// Whether a word consists of texts and globs, at least one of them a glob, and each glob matches part of one file
/// name.
fn is_of_names(word: &Word) -> bool {
    let is_name = |part: &WordPart| match part {
        WordPart::Text(_) => true,
        WordPart::Glob(glob) => !glob.contains(['/', '(']) && !glob.contains("**"),
        WordPart::Unknown(_) => false,
    };
    let is_glob = |part: &WordPart| matches!(part, WordPart::Glob(_));
    word.parts.iter().any(is_glob)
        && word.parts.iter().all(is_name)
        && !word.parts.windows(2).any(|pair| pair.iter().all(is_glob))
}

/// Returns the offset in `text` of the suffix that `${f%end}` cuts, where `end` is a literal text, perhaps with a `*`
/// after it; `None` if `end` is another pattern or there is no such suffix.
fn suffix_start(text: &str, end: &str) -> Option<usize> {
    let is_literal = |end: &str| !end.is_empty() && end.chars().all(|c| c.is_alphanumeric() || "._-".contains(c));
    match end.strip_suffix('*') {
        Some(start) if is_literal(start) => text.rfind(start),
        None if is_literal(end) => text.len().checked_sub(end.len()).filter(|_| text.ends_with(end)),
        _ => None,
    }
}

/// Splits `pattern/replacement` at the first slash at or after `from` that is not escaped, quoted or in a
/// substitution.
fn split_pattern<'t>(text: &'t str, from: usize, reading: &DialectReading) -> (&'t str, &'t str) {
    let mut at = from;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if c == '/' {
            return text.split_at_checked(at).map_or((text, ""), |(from, to)| (from, to.get(1..).unwrap_or_default()));
        }
        at += braces::step_length(text, at, c, reading);
    }
    (text, "")
}

/// Returns the value of `${x^^}` or `${x,,}`; `None` if the result depends on the locale.
fn cased(text: &str, sign: char) -> Option<String> {
    let is_upper = sign == '^';
    text.is_ascii().then(|| if is_upper { text.to_ascii_uppercase() } else { text.to_ascii_lowercase() })
}

/// Returns the value of `${x^}` or `${x,}`; `None` if the result depends on the locale.
fn cased_first(text: &str, sign: char) -> Option<String> {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let (first, rest) = text.split_at_checked(first).unwrap_or((text, ""));
    Some(format!("{}{rest}", cased(first, sign)?))
}

/// Returns the function of `${x@U}`, `${x@u}`, `${x@L}` or `${x@Q}`; `None` for any other letter.
fn transformation(letter: &str) -> Option<fn(&str) -> Option<String>> {
    Some(match letter {
        "U" => |text| cased(text, '^'),
        "u" => |text| cased_first(text, '^'),
        "L" => |text| cased(text, ','),
        // Bash quotes other characters as `$'…'`, or by the locale.
        "Q" => |text| {
            (!text.chars().any(|c| c.is_control() || !c.is_ascii()))
                .then(|| format!("'{}'", text.replace('\'', "'\\''")))
        },
        _ => return None,
    })
}
