//! Advice for findings about regexes that are too big, or that use features which the engine lacks: look-around and
//! back-references.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{Ast, RepetitionKind, RepetitionRange};

use crate::diagnostic::Diagnostic;
use crate::ruleset::{CountedText, LazyRegex};
use crate::span::Span;
use crate::syntax::ast::RegexLiteral;

/// The maximum number of repetitions that are examined.
const MAX_REPETITIONS: usize = 16;

/// The maximum length in bytes of a regex that is proposed.
const MAX_PROPOSAL_BYTES: usize = 60;

/// The caveat for a regex that is split into two tests: in a text with several matches, both tests may hold for
/// different ones.
const SEVERAL_MATCHES_CAVEAT: &str = "; in a text with several such places one that is fine then excuses the others";

/// Unicode classes, each with the ASCII characters that authors usually mean.
const CLASSES: &[(&str, &str)] = &[("\\w", "A-Za-z0-9_"), ("\\d", "0-9"), ("\\s", " \\t\\r\\n")];

/// Completes the finding that a regex is too big: labels the largest repetition, and proposes a smaller replacement.
/// `fits` returns whether a size is small enough.
pub(super) fn with_size_advice(found: Diagnostic, regex: &RegexLiteral, fits: impl Fn(u64) -> bool) -> Diagnostic {
    if let Some(counted) = CountedText::of(&regex.pattern) {
        return found.help(counted.help());
    }
    let size = |pattern: &str| {
        LazyRegex::parse(LazyRegex::inline_flags(pattern, &regex.flags)).map_or(u64::MAX, |(_, size)| size)
    };
    let Some((part, text)) = largest_repetition(&regex.pattern, size) else { return found };
    let replaced_by = |instead: &str| {
        let (before, after) = (regex.pattern.get(..part.start), regex.pattern.get(part.end..));
        format!("{}{instead}{}", before.unwrap_or_default(), after.unwrap_or_default())
    };
    let plain = with_ascii_classes(text);
    let has_class = plain != text;
    // Two proposals: ASCII classes, and in addition no upper bound for the repetition.
    let unbounded = part.is_range.then(|| without_upper_bound(&plain)).flatten();
    let proposals = [Some(plain), unbounded];
    let Some(instead) =
        proposals.into_iter().flatten().find(|instead| instead != text && fits(size(&replaced_by(instead))))
    else {
        let everywhere = with_ascii_classes(&regex.pattern);
        let found = label_part(found, regex, part.start..part.end, text);
        return match fits(size(&everywhere)) && everywhere != regex.pattern {
            true => found.help("write `[A-Za-z0-9_]` for `\\w` and `[0-9]` for `\\d` in all of it"),
            false => found,
        };
    };
    let why = match has_class {
        true => ": a class such as `\\w` has the characters of every script",
        false => ": without an upper limit it costs nothing",
    };
    let found = label_part(found, regex, part.start..part.end, text);
    match instead.len() {
        ..MAX_PROPOSAL_BYTES => {
            let found = found.help(format!("write `{instead}` for `{text}`{why}"));
            found.fix_that_changes(part_span(regex, part.start..part.end), instead)
        }
        _ => found,
    }
}

/// Returns the repetition in a pattern that has the largest size, with its text.
fn largest_repetition(pattern: &str, size: impl Fn(&str) -> u64) -> Option<(Repetition, &str)> {
    let repeated = repetitions(pattern).into_iter().take(MAX_REPETITIONS);
    let largest = repeated.max_by_key(|part| pattern.get(part.start..part.end).map_or(0, &size))?;
    Some((largest, pattern.get(largest.start..largest.end)?))
}

/// Moves the label of the finding to a part of the regex, if that is short.
fn label_part(mut found: Diagnostic, regex: &RegexLiteral, part: std::ops::Range<usize>, text: &str) -> Diagnostic {
    if let Some(label) = found.labels.first_mut().filter(|_| text.len() < MAX_PROPOSAL_BYTES) {
        label.span = part_span(regex, part);
    }
    found
}

/// Returns the span of a part of the regex.
fn part_span(regex: &RegexLiteral, part: std::ops::Range<usize>) -> Span {
    let start = regex.pattern_span.start as usize;
    Span::new(regex.pattern_span.file, start + part.start, start + part.end)
}

/// A repetition in a pattern that multiplies the size of its operand: `x{3}`, `x{2,5}`, `x{2,}`.
#[derive(Clone, Copy)]
struct Repetition {
    start: usize,
    end: usize,
    /// Whether it has an upper bound that differs from the lower: `{2,5}`.
    is_range: bool,
}

/// Returns the repetitions of a pattern that multiply, including nested ones; empty if it cannot be parsed.
fn repetitions(pattern: &str) -> Vec<Repetition> {
    let mut found = Vec::new();
    let Ok(whole) = Parser::new().parse(pattern) else { return found };
    let mut open: Vec<&Ast> = vec![&whole];
    while let Some(part) = open.pop() {
        match part {
            Ast::Repetition(part) => {
                if let RepetitionKind::Range(range) = &part.op.kind
                    && !matches!(range, RepetitionRange::AtLeast(0 | 1))
                {
                    let (start, end) = (part.span.start.offset, part.span.end.offset);
                    found.push(Repetition { start, end, is_range: matches!(range, RepetitionRange::Bounded(..)) });
                }
                open.push(&part.ast);
            }
            Ast::Group(group) => open.push(&group.ast),
            Ast::Alternation(parts) => open.extend(&parts.asts),
            Ast::Concat(parts) => open.extend(&parts.asts),
            _ => {}
        }
    }
    found
}

/// Replaces Unicode classes by ASCII classes: `[A-Za-z0-9_]` for `\w`.
fn with_ascii_classes(text: &str) -> String {
    let (mut out, mut in_class, mut rest) = (String::new(), false, text);
    while let Some(c) = rest.chars().next() {
        let class = CLASSES.iter().find(|(class, _)| rest.starts_with(class));
        if let Some((class, plain)) = class {
            out.push_str(&if in_class { (*plain).to_owned() } else { format!("[{plain}]") });
            rest = rest.get(class.len()..).unwrap_or_default();
            continue;
        }
        let length = match c {
            '\\' => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            c => c.len_utf8(),
        };
        in_class = match c {
            '[' => true,
            ']' => false,
            _ => in_class,
        };
        let (sign, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        out.push_str(sign);
        rest = after;
    }
    out
}

/// Removes the upper bound of the last repetition: `x{36,}` for `x{36,255}`. `None` if no repetition has two bounds.
fn without_upper_bound(text: &str) -> Option<String> {
    let comma = text.rfind(',')?;
    let close = text.rfind('}').filter(|close| *close > comma)?;
    Some(format!("{}{}", text.get(..=comma)?, text.get(close..)?))
}

/// Returns the help for a regex with look-around. `pattern` is the text between the slashes.
pub(super) fn look_around_help(pattern: &str, flags_after_slash: &str) -> String {
    if let Some(inner) = between_digits(pattern) {
        return format!("write `/\\b{inner}\\b/{flags_after_slash}`: `\\b` is where a word or a number ends");
    }
    let split = "split it into two tests: `F matches /…/ and not F matches /…/`";
    match LookAround::find(pattern, flags_after_slash) {
        Some(found) => found.help().unwrap_or_else(|| split.to_owned()),
        None => split.to_owned(),
    }
}

/// A pattern with a single look-around, in parts.
struct LookAround<'p> {
    /// The flags at the beginning of the pattern, such as `(?i)`, which apply to every part.
    flags: &'p str,
    /// The flags after the closing slash.
    flags_after_slash: &'p str,
    /// The pattern before the look-around, without the flags.
    before: &'p str,
    /// The look-around without its closing parenthesis, such as `(?=x`.
    group: &'p str,
    /// The pattern after the look-around.
    after: &'p str,
}

impl<'p> LookAround<'p> {
    /// Splits a pattern at its look-around; `None` if it is long, or has several.
    fn find(pattern: &'p str, flags_after_slash: &'p str) -> Option<Self> {
        let (before, rest) = pattern.split_at_checked(look_around(pattern)?)?;
        let (flags, before) = leading_flags(before);
        let end = group_end(rest)?;
        let (group, after) = (rest.get(..end)?, rest.get(end + 1..)?);
        let has_no_look_around = |text: &str| !text.contains("(?=") && !text.contains("(?!") && !text.contains("(?<");
        (has_no_look_around(before) && has_no_look_around(after) && pattern.len() <= MAX_PROPOSAL_BYTES)
            .then_some(Self { flags, flags_after_slash, before, group, after })
    }

    /// Formats a pattern as a regex literal with the same flags.
    fn regex(&self, body: &str) -> String {
        format!("/{}{body}/{}", self.flags, self.flags_after_slash)
    }

    /// Returns help that suggests an equivalent regex without look-around; `None` if there is no simple one.
    fn help(&self) -> Option<String> {
        let Self { before, group, after, .. } = *self;
        if let Some(inner) = group.strip_prefix("(?<=") {
            let regex = self.regex(&format!("{before}{}{after}", grouped(inner)));
            return Some(format!("write it as a part of the match: `{regex}`"));
        }
        if let Some(inner) = group.strip_prefix("(?<!") {
            let is_single_char = inner.strip_prefix('\\').unwrap_or(inner).chars().count() == 1;
            let regex = self.regex(&format!("{before}(^|[^{inner}]){after}"));
            return is_single_char.then(|| format!("write what may stand there: `{regex}`"));
        }
        if let Some(inner) = group.strip_prefix("(?=") {
            let one = self.regex(&format!("{before}{}", grouped(inner)));
            return match (before, after) {
                (_, "") => Some(format!("write it as a part of the match: `{one}`")),
                ("" | "^", after) => {
                    let other = self.regex(&format!("{before}{after}"));
                    Some(format!("split it into two tests: `F matches {one} and F matches {other}`"))
                }
                _ => None,
            };
        }
        self.look_ahead_help(group.strip_prefix("(?!")?)
    }

    /// Returns the help for a pattern with the negative look-ahead `(?!inner)`.
    fn look_ahead_help(&self, inner: &str) -> Option<String> {
        let (positive, negative) = match (self.before, self.after) {
            ("^", after) => (format!("^{after}"), format!("^{}", grouped(inner))),
            ("", after) if !after.is_empty() => (after.to_owned(), grouped(inner)),
            (before, "" | ".*" | "$" | ".*$") => (before.to_owned(), format!("{before}{}", grouped(inner))),
            _ => {
                return Some(format!(
                    "split it into two tests: `F matches /…/ and not F matches /…/`{SEVERAL_MATCHES_CAVEAT}"
                ));
            }
        };
        let is_everything = matches!(
            positive.as_str(),
            "" | ".*" | ".+" | "$" | ".*$" | ".+$" | "^" | "^.*" | "^.*$" | "^.+$" | "^.+" | "^$"
        );
        let negative = self.regex(&negative);
        if is_everything {
            return Some(format!("write `not F matches {negative}`"));
        }
        let caveat = if self.before == "^" { "" } else { SEVERAL_MATCHES_CAVEAT };
        let positive = self.regex(&positive);
        Some(format!("split it into two tests: `F matches {positive} and not F matches {negative}`{caveat}"))
    }
}

/// Returns a pattern in a form that can be part of another: alternatives are put in a group.
fn grouped(inner: &str) -> String {
    if inner.contains('|') { format!("(?:{inner})") } else { inner.to_owned() }
}

/// Returns the pattern between `(?<!\d)` and `(?!\d)`, or the equivalents for word characters; `None` for another
/// pattern.
fn between_digits(pattern: &str) -> Option<&str> {
    [("(?<!\\d)", "(?!\\d)"), ("(?<![0-9])", "(?![0-9])"), ("(?<!\\w)", "(?!\\w)"), ("(?<!\\S)", "(?!\\S)")]
        .iter()
        .find_map(|(front, back)| pattern.strip_prefix(front)?.strip_suffix(back))
        .filter(|inner| {
            !inner.contains("(?=") && !inner.contains("(?!") && !inner.contains("(?<") && !inner.contains('|')
        })
}

/// Returns the offset of the first look-around in a pattern.
fn look_around(pattern: &str) -> Option<usize> {
    let (mut in_class, mut is_escaped) = (false, false);
    for (at, c) in pattern.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => {
                let rest = pattern.get(at..).unwrap_or_default();
                if ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|sign| rest.starts_with(sign)) {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Splits the flags, such as `(?i)`, from the beginning of a pattern.
fn leading_flags(pattern: &str) -> (&str, &str) {
    let letters = pattern.strip_prefix("(?").map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_lowercase).count());
    let end = "(?".len() + letters + 1;
    match pattern.split_at_checked(end) {
        Some((flags, rest)) if letters > 0 && flags.ends_with(')') => (flags, rest),
        _ => ("", pattern),
    }
}

/// Returns the offset of the parenthesis that closes the group at the beginning of a text.
fn group_end(text: &str) -> Option<usize> {
    let (mut depth, mut in_class, mut is_escaped) = (0_usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => {
                is_escaped = false;
                continue;
            }
            '\\' => is_escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Returns the help for a regex with the back-reference at offset `at`. If the referenced group is one of a few
/// characters, as in `(['"]).*\1`, the alternatives are written out.
pub(super) fn back_reference_help(pattern: &str, at: usize) -> String {
    let written_out = || -> Option<String> {
        let (before, rest) = pattern.split_at_checked(at)?;
        let after = rest.strip_prefix("\\1")?;
        let open = before.find("([")?;
        let (front, group) = before.split_at_checked(open)?;
        let (class, between) = group.strip_prefix("([")?.split_once("])")?;
        let signs: Vec<char> = class.chars().collect();
        let is_plain = |c: &char| !matches!(c, '\\' | '^' | '-' | '[' | ']') && !c.is_alphanumeric();
        let is_unsupported = front.contains('(') || between.contains(['(', '\\']) || after.contains("\\1");
        if is_unsupported || signs.len() > 3 || !signs.iter().all(is_plain) || pattern.len() > MAX_PROPOSAL_BYTES / 2 {
            return None;
        }
        let alternatives: Vec<String> = signs.iter().map(|sign| format!("{sign}{between}{sign}")).collect();
        Some(format!("{front}({}){after}", alternatives.join("|")))
    };
    match written_out() {
        Some(regex) => format!("write out the alternatives: `/{regex}/`"),
        None => "write out the alternatives, as in `/(aa|bb)/` for `/([ab])\\1/`".to_owned(),
    }
}
