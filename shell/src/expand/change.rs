//! The operators in `${…}`, applied to known texts and to globs: `${x#p}`, `${x/p/r}`, `${x^^}`, `${x@Q}`.

use super::modifiers::parse_modifiers;
use super::parameter::ParameterValue;
use super::pattern::{self, MatchLength, ReplacedMatches};
use super::{Expander, braces};
use crate::characters::byte_characters;
use crate::dialect::{DialectFeature, DialectReading};
use crate::evaluated::EvaluatorKind;
use crate::glob::Glob;
use crate::stream::ShellValue;
use crate::word::{Cause, Unknown, UnknownPart, ValueSource, Word, WordPart, WordParts};

impl Expander<'_> {
    /// Applies an operator, without its repetition, and the text after it to a value: `#` and `#p` for `${x##p}`, `/`
    /// and `p/r` for `${x/p/r}`.
    pub(super) fn apply_operator(
        &mut self,
        parameter: ParameterValue,
        operator: char,
        operand: &str,
    ) -> ParameterValue {
        let is_newer = matches!(operator, '/' | ':' | '^' | ',' | '@' | '~');
        if is_newer && !self.shell.state().reading.has(DialectFeature::MoreOperators) {
            return self.reject_operator(operand, Cause::Dialect);
        }
        match operator {
            '#' | '%' | '/' if !self.charge_matching(&parameter, operator, operand) => {
                ParameterValue::Unknown(Cause::Variable)
            }
            '#' | '%' => self.remove_match(parameter, operator, operand),
            '/' => self.replace(parameter, operand),
            // In zsh, `${x:h}` is the directory part.
            ':' if operand.starts_with(|c: char| c.is_ascii_alphabetic()) && self.is_zsh() => {
                let text = format!(":{operand}");
                let (modifiers, length) = parse_modifiers(&text);
                if length == text.len() {
                    return self.apply_modifiers(parameter, &modifiers);
                }
                super::word(self.shell, operand);
                ParameterValue::Unknown(Cause::Dialect)
            }
            ':' => self.slice(parameter, operand),
            '^' | ',' => self.change_case(parameter, operator, operand),
            '@' => self.transform(parameter, operand),
            _ => self.reject_operator(operand, Cause::Variable),
        }
    }

    /// Returns an unknown value for an operator that the shell may reject, and records that the shell may end there.
    /// The substitutions in the operand run.
    fn reject_operator(&mut self, operand: &str, cause: Cause) -> ParameterValue {
        self.shell.note_possible_exit();
        super::word(self.shell, operand);
        ParameterValue::Unknown(cause)
    }

    /// Charges the work of matching a pattern to the budget, and returns whether the budget allows it. A pattern is
    /// compared at every offset of the value; for a replacement, at every pair of offsets.
    fn charge_matching(&mut self, parameter: &ParameterValue, operator: char, operand: &str) -> bool {
        parameter.values().iter().for_each(|value| self.shell.note_comparison(operand, value));
        // A longer value is not matched at all.
        let size = parameter.values().iter().map(ShellValue::size).sum::<usize>().min(pattern::MAX_OFFSETS);
        let tries = size * if operator == '/' { size * size / 8 } else { size };
        self.shell.spend(tries * (operand.len() + 4) / 8)
    }

    /// Removes a match from the start or the end: `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`.
    fn remove_match(&mut self, parameter: ParameterValue, operator: char, rest: &str) -> ParameterValue {
        let (length, operand) = match rest.strip_prefix(operator) {
            Some(operand) => (MatchLength::Longest, operand),
            None => (MatchLength::Shortest, rest),
        };
        let glob = pattern::read(self.shell, operand);
        let remove = |text: &str, glob: &Glob| match operator {
            '#' => pattern::strip_start(text, glob, length),
            _ => pattern::strip_end(text, glob, length),
        };
        parameter.changed_by(|text| glob.as_ref()?.change(text, remove, remove))
    }

    /// Replaces matches: `${x/p/r}`, `${x//p/r}`, `${x/#p/r}`, `${x/%p/r}`.
    fn replace(&mut self, parameter: ParameterValue, rest: &str) -> ParameterValue {
        let (which, rest) = match rest.chars().next() {
            Some('/') => (ReplacedMatches::All, rest.get(1..)),
            Some('#') => (ReplacedMatches::AtStart, rest.get(1..)),
            Some('%') => (ReplacedMatches::AtEnd, rest.get(1..)),
            _ => (ReplacedMatches::First, Some(rest)),
        };
        let rest = rest.unwrap_or_default();
        // A leading slash of a pattern that replaces all matches belongs to the pattern: `${x////-}`.
        let pattern_start = usize::from(which == ReplacedMatches::All && rest.starts_with('/'));
        let (from, to) = split_pattern(rest, pattern_start, &self.shell.state().reading);
        // Zsh treats the leading slashes of such a pattern differently.
        let is_portable = which != ReplacedMatches::All || !from.starts_with('/') || !self.is_zsh();
        let glob = match which {
            ReplacedMatches::First => pattern::read_unanchored(self.shell, from),
            _ => pattern::read(self.shell, from).filter(|_| is_portable),
        };
        let replacement = super::word(self.shell, to);
        if from.is_empty() && matches!(which, ReplacedMatches::First | ReplacedMatches::All) {
            return parameter;
        }
        // Whether `&` refers to the match depends on the version of bash and on quotes.
        let replacement = replacement.word.known_text().filter(|replacement| !replacement.contains('&'));
        let with_bytes = replacement.map(byte_characters);
        parameter.changed_by(|text| {
            glob.as_ref()?.change(
                text,
                |text, glob| pattern::replace_matches(text, glob, replacement?, which),
                |bytes, glob| pattern::replace_matches(bytes, glob, with_bytes.as_deref()?, which),
            )
        })
    }

    /// Changes the case: `${x^}`, `${x,,}`. With a pattern of the letters to change, as in `${x^^[a-f]}`, the result
    /// is unknown.
    fn change_case(&mut self, parameter: ParameterValue, operator: char, rest: &str) -> ParameterValue {
        let doubled = rest.strip_prefix(operator);
        let change = if doubled.is_some() { cased } else { cased_first };
        let letters = doubled.unwrap_or(rest);
        if !letters.is_empty() {
            super::word(self.shell, letters);
        }
        parameter.changed_by(|text| change(text, operator).filter(|_| letters.is_empty()))
    }

    /// Applies a transformation: `${x@U}`, `${x@Q}`. `${x@P}` expands the value as a prompt, which may run code.
    fn transform(&mut self, parameter: ParameterValue, letter: &str) -> ParameterValue {
        if letter.starts_with('P') {
            if let ParameterValue::One(value) = &parameter {
                self.shell.note_evaluation(EvaluatorKind::Expression, value);
                self.shell.prompt(value);
            }
            return ParameterValue::Unknown(Cause::Variable);
        }
        match transformation(letter).filter(|_| !self.is_zsh()) {
            Some(change) => parameter.changed_by(change),
            // Bash stops at an unknown letter.
            None => self.reject_operator(letter, Cause::Variable),
        }
    }
}

/// Returns the value after an operator has removed a suffix or the leading directories from the file names that a glob
/// matches, or has replaced a text in them: `${f%.txt}`, `${f%.*}`, `${f##*/}`, `${f%/}`, `${f/.c/.o}`. Returns `None`
/// for other operators, and for values that are not such names.
///
/// `${f%/}` keeps the glob. Otherwise the glob becomes an unknown part, since it matches the whole names and not the
/// shortened ones; messages show it as `whole`, the source of the expansion.
pub(super) fn change_glob_matches(
    value: &ShellValue,
    operator: char,
    operand: &str,
    whole: &str,
) -> Option<ParameterValue> {
    let word = value.word.as_globs();
    if !is_of_file_names(&word) {
        return None;
    }
    let mut parts = word.parts.clone();
    let word = match (operator, operand) {
        ('#', "#*/") => {
            remove_directories(&mut parts);
            forget_globs(parts, whole)
        }
        ('%', "/" | "%/") => {
            let Some(WordPart::Text(text)) = parts.last_mut() else { return None };
            text.truncate(text.strip_suffix('/').unwrap_or(text).len());
            // The names stay the same; an empty text after them is dropped.
            parts.0.retain(|part| part.text() != Some(""));
            Word { parts, span: None }
        }
        ('%', suffix) => {
            let Some(WordPart::Text(text)) = parts.last_mut() else { return None };
            let cut = suffix_start(text, suffix)?;
            text.truncate(cut);
            forget_globs(parts, whole)
        }
        ('/', operand) => replace_in_names(parts, operand, whole)?,
        _ => return None,
    };
    Some(ParameterValue::One(ShellValue { word, writers: value.writers.clone() }))
}

/// Returns the names after `${f/from/to}`, `${f//from/to}` or `${f/%from/to}`, where both texts are literal. Of a name in
/// which `from` may be anywhere, only the directory and the end are known.
fn replace_in_names(mut parts: WordParts, operand: &str, whole: &str) -> Option<Word> {
    let (sign, rest) = match operand.strip_prefix(['/', '%']) {
        Some(rest) => (operand.chars().next(), rest),
        None => (None, operand),
    };
    let (from, to) = rest.split_once('/')?;
    // Without another character than dots, the new name could be `..`.
    let is_literal = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if from.is_empty() || !is_literal(from) || !is_literal(to) || !to.contains(|c| c != '.') {
        return None;
    }
    let Some(WordPart::Text(end)) = parts.last() else { return None };
    if sign == Some('%') {
        let cut = suffix_start(end, from)?;
        let end = format!("{}{to}", end.get(..cut)?);
        *parts.last_mut()? = WordPart::Text(end);
        return Some(forget_globs(parts, whole));
    }
    let kept = kept_end(end.rsplit('/').next()?, from, to, sign == Some('/'));
    let directory = parts.first().and_then(WordPart::text).and_then(|text| text.rsplit_once('/')).map(|(it, _)| it);
    // A glob among the directories could match `from` too.
    let has_later_slash = parts.iter().skip(1).filter_map(WordPart::text).any(|text| text.contains('/'));
    if has_later_slash || directory.is_some_and(|directory| directory.contains(from)) {
        return None;
    }
    let mut word = Word::default();
    if let Some(directory) = directory {
        word.push(WordPart::Text(format!("{directory}/")));
    }
    let reason = Unknown::with_source(Cause::Glob, whole, ValueSource::Name);
    word.push(WordPart::Unknown(UnknownPart { reason, may_split: false }));
    word.push(WordPart::Text(kept));
    Some(word)
}

/// Returns the longest text in which each name ends that ends in `end` before one occurrence of `from`, or all of them,
/// is replaced.
fn kept_end(end: &str, from: &str, to: &str, all: bool) -> String {
    let replaced = |text: &str| if all { text.replace(from, to) } else { text.replacen(from, to, 1) };
    let mut ends = vec![end.to_owned(), replaced(end)];
    // The beginning of the text may be the end of an occurrence.
    for (at, _) in end.char_indices().skip(1).chain([(end.len(), ' ')]) {
        if let Some((_, rest)) = end.split_at_checked(at).filter(|(start, _)| from.ends_with(start)) {
            ends.extend([format!("{to}{rest}"), format!("{to}{}", replaced(rest))]);
        }
    }
    let common = |one: String, other: String| {
        let same = one.bytes().rev().zip(other.bytes().rev()).take_while(|(one, other)| one == other).count();
        one.get(one.len() - same..).unwrap_or_default().to_owned()
    };
    ends.into_iter().reduce(common).unwrap_or_default()
}

/// Returns what `basename` prints, without its newline, for the file names that a glob matches. `None` if they are not
/// such names, or if a part of the suffix may be in the names and the rest in the text after them.
pub(crate) fn base_name_of_match(value: &ShellValue, suffix: &str) -> Option<ShellValue> {
    let word = value.word.as_globs();
    let ends_with_slash = matches!(word.parts.last(), Some(WordPart::Text(text)) if text.ends_with('/'));
    if !is_of_file_names(&word) || ends_with_slash {
        return None;
    }
    let mut parts = word.parts.clone();
    remove_directories(&mut parts);
    let is_whole_name = parts.len() == 1;
    match parts.last_mut() {
        _ if suffix.is_empty() => {}
        Some(WordPart::Text(text)) if is_whole_name && text == suffix => {}
        Some(WordPart::Text(text)) => match text.strip_suffix(suffix) {
            Some(rest) => *text = rest.to_owned(),
            None if suffix.ends_with(text.as_str()) => return None,
            None => {}
        },
        _ => return None,
    }
    parts.0.retain(|part| part.text() != Some(""));
    let whole = word.display_text();
    Some(ShellValue { word: forget_globs(parts, &whole), writers: value.writers.clone() })
}

/// Removes everything up to and including the last slash.
fn remove_directories(parts: &mut WordParts) {
    let has_slash = |part: &WordPart| matches!(part, WordPart::Text(text) if text.contains('/'));
    if let Some(at) = parts.iter().rposition(has_slash) {
        parts.0.drain(..at);
        if let Some(WordPart::Text(text)) = parts.first_mut() {
            *text = text.rsplit('/').next().unwrap_or_default().to_owned();
        }
    }
}

/// Returns a word of these parts in which each glob is an unknown part that messages show as `whole`.
fn forget_globs(parts: WordParts, whole: &str) -> Word {
    let mut word = Word::default();
    for part in parts {
        word.push(match part {
            WordPart::Glob(_) => WordPart::Unknown(UnknownPart {
                reason: Unknown::with_source(Cause::Glob, whole, ValueSource::Name),
                may_split: false,
            }),
            part => part,
        });
    }
    word
}

/// Whether a word consists of texts and globs, at least one of them a glob, and each glob matches part of one file
/// name.
fn is_of_file_names(word: &Word) -> bool {
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

/// Returns the offset in `text` from which `${f%suffix}` cuts, where `suffix` is a literal text, perhaps with a `*`
/// after it. Returns `None` if it is another pattern, or if it matches no suffix.
fn suffix_start(text: &str, suffix: &str) -> Option<usize> {
    let is_literal =
        |suffix: &str| !suffix.is_empty() && suffix.chars().all(|c| c.is_alphanumeric() || "._-".contains(c));
    match suffix.strip_suffix('*') {
        Some(start) if is_literal(start) => text.rfind(start),
        None if is_literal(suffix) => text.len().checked_sub(suffix.len()).filter(|_| text.ends_with(suffix)),
        _ => None,
    }
}

/// Splits `pattern/replacement` at the first slash at or after the offset `from` that is not escaped, quoted or in a
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

/// Returns the function that `${x@U}`, `${x@u}`, `${x@L}` or `${x@Q}` applies; `None` for any other letter.
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
