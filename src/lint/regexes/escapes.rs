//! Finds characters of a regex that do not mean what they seem to: `.`, and `^` or `$` on a text of several lines.

use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

use crate::diagnostic::{Code, Diagnostic};
use crate::lint::comparison::{MatchEffect, RuleTest, SourceTexts};
use crate::lint::glob_as_text::shortened;
use crate::ruleset::{DerivedField, ValueReference, WhereField};
use crate::schema::WRITTEN_TEXTS;

/// Texts that often follow the last dot in the name of a file or a host.
const ENDINGS: &[&str] = &[
    "com", "org", "net", "io", "dev", "css", "csv", "env", "gradle", "html", "ini", "java", "js", "json", "jsx", "key",
    "kt", "lock", "log", "md", "mjs", "pem", "php", "py", "rb", "rs", "sh", "sql", "svg", "tf", "toml", "ts", "tsx",
    "txt", "xml", "yaml", "yml",
];

/// Texts that often follow the leading dot in the name of a hidden file.
const HIDDEN: &[&str] =
    &["aws", "claude", "env", "git", "gitconfig", "github", "gitignore", "kube", "netrc", "npmrc", "rules", "ssh"];

/// Returns the finding about a dot that is not escaped, although its author means a literal dot: `package.json`.
pub(super) fn unescaped_dot_finding(
    written: &SourceTexts<'_>,
    seen: RuleTest<'_>,
    pattern: &str,
) -> Option<Diagnostic> {
    if !may_have_literal_dot(pattern) {
        return None;
    }
    let parsed = ast::parse::Parser::new().parse(pattern).ok()?;
    let mut dots = Vec::new();
    collect_literal_dots(&parsed, true, &mut dots);
    let (_, name) = dots.first()?;
    let other = name.replace('.', "x");
    let finding = Diagnostic::new(Code::REGEX_DOT, shortened("`.` is any character in `", name, "`"));
    let comparison = written.comparison(seen.test).and_then(|it| it.regex);
    let help = format!("write `{}`", name.replace('.', "\\."));
    let Some(regex) = comparison else {
        return Some(finding.label(seen.test.span, format!("`{other}` matches too")).help(help));
    };
    let finding = finding.label(regex.pattern_span, format!("`{other}` matches too")).help(help);
    // The offsets are those of the source only if no flags were prepended and no escapes were replaced.
    if !regex.flags.is_empty() || regex.pattern != pattern {
        return Some(finding);
    }
    let mut fixed = regex.pattern.clone();
    for (at, _) in dots.iter().rev() {
        fixed.insert(*at, '\\');
    }
    Some(finding.fix_that_changes(regex.pattern_span, fixed))
}

/// Whether a name may follow a dot in the text of a regex: only then is its tree worth building.
fn may_have_literal_dot(pattern: &str) -> bool {
    let mut rests = pattern.split('.').skip(1);
    let is_name = |rest: &str| ENDINGS.iter().chain(HIDDEN).any(|name| rest.starts_with(name));
    // A letter may be an escape (`\x63`), and with the flag `x` there may be blanks and comments between letters.
    let hides_letters = |pattern: &str| {
        pattern.contains(['#', ' ', '\n', '\t']) || ["\\x", "\\u", "\\U"].iter().any(|escape| pattern.contains(escape))
    };
    rests.any(is_name) || pattern.contains('.') && hides_letters(pattern)
}

/// Collects the offsets of dots that are probably meant literally, by the letters around them, each with the name that
/// contains it.
fn collect_literal_dots(tree: &Ast, is_start: bool, dots: &mut Vec<(usize, String)>) {
    match tree {
        Ast::Alternation(alternation) => {
            alternation.asts.iter().for_each(|part| collect_literal_dots(part, is_start, dots))
        }
        Ast::Group(group) => collect_literal_dots(&group.ast, is_start, dots),
        Ast::Concat(concat) => collect_dots_in_sequence(&concat.asts, is_start, dots),
        _ => {}
    }
}

/// Collects the dots in a sequence that are probably meant literally.
fn collect_dots_in_sequence(parts: &[Ast], is_start: bool, dots: &mut Vec<(usize, String)>) {
    for (index, part) in parts.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| parts.get(before));
        collect_literal_dots(part, is_start && before.is_none(), dots);
        let Ast::Dot(span) = part else { continue };
        let letters = |part: &&Ast| letter(part).is_some();
        let name: String = parts.iter().skip(index + 1).take_while(letters).filter_map(letter).collect();
        let is_at_name_start = match before {
            None => is_start,
            Some(part) => is_edge(part),
        };
        let is_after_name = matches!(before.and_then(literal), Some(c) if c.is_alphanumeric() || c == '_' || c == '-');
        if (is_at_name_start && HIDDEN.contains(&name.as_str())) || (is_after_name && ENDINGS.contains(&name.as_str()))
        {
            let name_before_dot = parts.iter().take(index).rev().take_while(letters).filter_map(letter);
            let name_before_dot: String = name_before_dot.collect::<Vec<_>>().into_iter().rev().collect();
            dots.push((span.start.offset, format!("{name_before_dot}.{name}")));
        }
    }
}

/// Whether a name begins after this part of a regex: it is an anchor or a slash.
fn is_edge(tree: &Ast) -> bool {
    match tree {
        Ast::Assertion(_) => true,
        Ast::Group(group) => is_edge(&group.ast),
        Ast::Alternation(alternation) => alternation.asts.iter().all(is_edge),
        other => literal(other) == Some('/'),
    }
}

/// Returns the character of a literal in a regex; `None` for any other part.
fn literal(tree: &Ast) -> Option<char> {
    match tree {
        Ast::Literal(literal) => Some(literal.c),
        _ => None,
    }
}

fn letter(tree: &Ast) -> Option<char> {
    literal(tree).filter(char::is_ascii_alphanumeric)
}

/// The kind of texts with several lines that a source can have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MultilineKind {
    /// The text of a file or of a part of one, or the standard input of a program.
    File,
    /// The text that a user types.
    Prompt,
}

/// Returns the kind of a source's texts; `None` if they usually have one line.
fn multiline_kind(source: &ValueReference) -> Option<MultilineKind> {
    let kind_of_member = |name: &str| match name {
        "prompt" => Some(MultilineKind::Prompt),
        name => (WRITTEN_TEXTS.contains(&name) || name == "old_string").then_some(MultilineKind::File),
    };
    match source {
        ValueReference::Derived(DerivedField::Content) => Some(MultilineKind::File),
        ValueReference::Where(WhereField::Input) => Some(MultilineKind::File),
        ValueReference::Raw { path, .. } => kind_of_member(path.last()?),
        ValueReference::JsonPath(path) => kind_of_member(path.text.rsplit('.').next()?),
        _ => None,
    }
}

/// Returns the finding about `^` or `$` on a text of several lines, where they match only the beginning and the end
/// of the whole text. `None` if that is probably meant.
pub(super) fn line_anchor_finding(
    written: &SourceTexts<'_>,
    seen: RuleTest<'_>,
    source: &ValueReference,
    hir: &Hir,
    effect: Option<MatchEffect>,
) -> Option<Diagnostic> {
    let HirKind::Concat(parts) = hir.kind() else { return None };
    let lines = multiline_kind(source)?;
    // If a match lets the call through, the end of the whole text is probably meant.
    let must_not_miss = effect.map_or(!seen.is_exception, |effect| effect == MatchEffect::Stops);
    let has_start_anchor = parts.first().is_some_and(|part| matches!(part.kind(), HirKind::Look(Look::Start)));
    let has_end_anchor = parts.last().is_some_and(|part| matches!(part.kind(), HirKind::Look(Look::End)));
    // If a newline can come before the `$`, the end of the whole text is probably meant.
    let last = parts.iter().rev().nth(1).filter(|_| has_end_anchor);
    let ends_a_line = last.is_some_and(|part| !can_match_newline(part));
    // A regex of blanks alone describes an empty text.
    let ends_with_blanks = parts.len() > 3 && last.is_some_and(is_blank_run);
    let (anchor, label) = match (has_start_anchor, has_end_anchor) {
        (true, true) if ends_with_blanks && lines == MultilineKind::File && must_not_miss => {
            ("$", "matches a text of this one line alone")
        }
        (false, true) if ends_a_line && (lines == MultilineKind::File || must_not_miss) => {
            ("$", "a text that ends with a newline does not match")
        }
        (true, true) if ends_a_line && lines == MultilineKind::File && must_not_miss => {
            ("$", "matches a text of this one line alone, without a newline at its end")
        }
        (true, false) if lines == MultilineKind::File && must_not_miss && is_line_start(parts) => {
            ("^", "matches only where the text begins so")
        }
        _ => return None,
    };
    let message = match anchor {
        "$" => "`$` is the end of the whole text here, not of a line",
        _ => "`^` is the start of the whole text here, not of a line",
    };
    let finding = Diagnostic::new(Code::REGEX_LINES, message);
    let shown = if anchor == "$" { "/…$/m" } else { "/^…/m" };
    let Some((value, regex)) = written.comparison(seen.test).and_then(|it| Some((it.value, it.regex?))) else {
        return Some(finding.label(seen.test.span, label).help(format!("add the flag `m`: `{shown}`")));
    };
    let instead = format!("/{}/{}m", regex.pattern, regex.flags);
    let help = format!("add the flag `m`, with which `^` and `$` are those of lines: `{shown}`");
    Some(finding.label(value, label).help(help).fix_that_changes(value, instead))
}

/// Whether a part of a regex matches a sequence of white space, as at the end of a line.
fn is_blank_run(part: &Hir) -> bool {
    let HirKind::Repetition(repetition) = part.kind() else { return false };
    match repetition.sub.kind() {
        HirKind::Class(Class::Unicode(class)) => class.iter().all(|range| {
            let (start, end) = (range.start(), range.end());
            start.is_whitespace() && end.is_whitespace()
        }),
        _ => false,
    }
}

/// Whether a part of a regex can match a newline.
fn can_match_newline(part: &Hir) -> bool {
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(text) => text.0.contains(&b'\n'),
        HirKind::Class(Class::Unicode(class)) => class.iter().any(|range| range.start() <= '\n' && '\n' <= range.end()),
        HirKind::Class(Class::Bytes(class)) => class.iter().any(|range| range.start() <= b'\n' && b'\n' <= range.end()),
        HirKind::Repetition(repetition) => can_match_newline(&repetition.sub),
        HirKind::Capture(capture) => can_match_newline(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(can_match_newline),
    }
}

/// Texts that usually begin a file, not a line in its middle, so that `^` before them is correct.
const FIRST_LINES: &[&str] = &[
    "#!",
    "---",
    "-----BEGIN",
    "<?",
    "<!",
    "//",
    "/*",
    "# ",
    "{",
    "[",
    "%",
    "'use",
    "\"use",
    "@echo",
    "diff ",
    "From ",
];

/// Whether the part after the `^` of a regex looks like the beginning of any line, not of a file.
fn is_line_start(parts: &[Hir]) -> bool {
    let is_indentation = |part: &&Hir| match part.kind() {
        HirKind::Repetition(repetition) => match repetition.sub.kind() {
            HirKind::Class(Class::Unicode(class)) => class.iter().all(|range| range.end().is_whitespace()),
            HirKind::Literal(text) => &*text.0 == b" ",
            _ => false,
        },
        _ => false,
    };
    let mut parts = parts.iter().skip(1).skip_while(is_indentation);
    parts.next().is_some_and(|part| {
        let beginnings = Extractor::new().extract(part);
        let is_line = |text: &[u8]| {
            let text = std::str::from_utf8(text).unwrap_or_default();
            text.len() > 2 && !FIRST_LINES.iter().any(|first| text.starts_with(first))
        };
        beginnings
            .literals()
            .is_some_and(|literals| !literals.is_empty() && literals.iter().all(|literal| is_line(literal.as_bytes())))
    })
}
