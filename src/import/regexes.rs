//! Regexes of configurations: how they are written as literals, the command words that a simple one matches, and sample
//! texts that they match.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Escapes a regex for a literal between slashes. `None` if it has line breaks and possibly a flag such as `(?x)`,
/// which would make them insignificant.
pub(super) fn regex_literal(pattern: &str) -> Option<String> {
    if pattern.contains('\n') && pattern.contains("(?") {
        return None;
    }
    let mut out = String::new();
    let mut is_escaped = false;
    for c in pattern.chars() {
        let is_invisible = c.is_control() || matches!(c, '\u{feff}' | '\u{fffd}');
        match c {
            // A backslash before the character is dropped, because `\x{…}` has its own.
            c if is_invisible && is_escaped => {
                out.pop();
                out.push_str(&format!("\\x{{{:x}}}", u32::from(c)));
            }
            '\n' => out.push_str("\\n"),
            c if is_invisible => out.push_str(&format!("\\x{{{:x}}}", u32::from(c))),
            '/' if !is_escaped => out.push_str("\\/"),
            c => out.push(c),
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    Some(out)
}

/// Returns the words of a command that a regex matches, each as a list of alternatives: `rm\s+-rf`, `git
/// (commit|push)`. `None` if the regex contains more than words, white space and groups of words.
pub(super) fn regex_words(pattern: &str) -> Option<Vec<Vec<String>>> {
    let pattern = pattern.strip_prefix('^').unwrap_or(pattern);
    let pattern = pattern.strip_prefix("\\b").unwrap_or(pattern);
    let pattern =
        ["(\\s|$)", "( |$)", "\\s*", ".*", "\\b"].iter().fold(pattern, |rest, end| rest.trim_end_matches(end));
    let pattern = pattern.trim_end_matches("\\s+").trim_end_matches("\\s");
    let blanks = pattern.replace("\\s+", " ").replace("\\s*", "\u{0}").replace("\\s", " ").replace(" +", " ");
    let words: Option<Vec<Vec<String>>> = blanks.split(' ').map(word_alternatives).collect();
    words.filter(|words| !words.is_empty())
}

/// Returns the alternatives of a part of a regex that contains no white space; `None` unless it is a word or a group of
/// words.
fn word_alternatives(part: &str) -> Option<Vec<String>> {
    let group = part.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match group {
        Some(inner) => inner.strip_prefix("?:").unwrap_or(inner).split('|').map(plain_word).collect(),
        None => plain_word(part).map(|word| vec![word]),
    }
}

/// Returns the word that a part of a regex matches, without its escapes; `None` if it has operators.
fn plain_word(part: &str) -> Option<String> {
    let mut word = String::new();
    let mut chars = part.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => word.push(chars.next().filter(|next| "._-/+=:@".contains(*next))?),
            c if c.is_ascii_alphanumeric() || "_-/=:@,%".contains(c) => word.push(c),
            _ => return None,
        }
    }
    Some(word).filter(|word| !word.is_empty())
}

/// Returns a short text that a regex matches; `None` if it is not a valid regex, or if only a long text matches.
pub(super) fn regex_sample(pattern: &str) -> Option<String> {
    let hir = regex_syntax::parse(pattern).ok()?;
    let mut sample = String::new();
    add_sample(&hir, &mut sample)?;
    Some(sample)
}

/// The maximum length of a sample, in bytes.
const MAX_SAMPLE: usize = 200;

/// Appends a text that a part of a regex matches; `None` if it would be too long, or if no such text is readable.
fn add_sample(hir: &Hir, out: &mut String) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            let is_printable = |c: &char| c.is_ascii_graphic() || *c == ' ';
            let preferred = ['a', ' ', '1', '-', '.']
                .into_iter()
                .find(|c| class.ranges().iter().any(|range| range.start() <= *c && *c <= range.end()));
            let first = || class.ranges().iter().flat_map(|range| [range.start(), range.end()]).find(is_printable);
            out.push(preferred.or_else(first)?);
        }
        HirKind::Class(Class::Bytes(_)) => return None,
        HirKind::Repetition(repetition) => {
            for _ in 0..repetition.min {
                add_sample(&repetition.sub, out)?;
                if out.len() > MAX_SAMPLE {
                    return None;
                }
            }
        }
        HirKind::Capture(capture) => add_sample(&capture.sub, out)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| add_sample(part, out))?,
        HirKind::Alternation(parts) => add_sample(parts.first()?, out)?,
    }
    (out.len() <= MAX_SAMPLE).then_some(())
}
