//! Characters of a regex that mean something else than they look like: `.`, and `^` and `$` in a text of lines.

use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

use crate::diagnostic::{Code, Diagnostic};
use crate::lint::comparison::{Aim, Seen, Written};
use crate::lint::glob_as_text::shortened;
use crate::ruleset::{Derived, Source, WhereField};
use crate::schema::WRITTEN_TEXTS;

/// What follows the dot of a file's name or of a domain.
const ENDINGS: &[&str] = &[
    "com", "org", "net", "io", "dev", "css", "csv", "env", "gradle", "html", "ini", "java", "js", "json", "jsx", "key",
    "kt", "lock", "log", "md", "mjs", "pem", "php", "py", "rb", "rs", "sh", "sql", "svg", "tf", "toml", "ts", "tsx",
    "txt", "xml", "yaml", "yml",
];

/// What follows the dot that a hidden file's name begins with.
const HIDDEN: &[&str] =
    &["aws", "claude", "env", "git", "gitconfig", "github", "gitignore", "kube", "netrc", "npmrc", "rules", "ssh"];

/// Reports a dot that stands where the character is meant.
pub(super) fn dot(written: &Written<'_>, seen: Seen<'_>, pattern: &str) -> Option<Diagnostic> {
    if !pattern.contains('.') {
        return None;
    }
    let parsed = ast::parse::Parser::new().parse(pattern).ok()?;
    let mut dots = Vec::new();
    in_tree(&parsed, true, &mut dots);
    let (_, name) = dots.first()?;
    let other = name.replace('.', "x");
    let finding = Diagnostic::new(Code::REGEX_DOT, shortened("`.` is any character in `", name, "`"));
    let comparison = written.comparison(seen.test).and_then(|it| it.regex);
    let help = format!("write `{}`", name.replace('.', "\\."));
    let Some(regex) = comparison else {
        return Some(finding.label(seen.test.span, format!("`{other}` matches too")).help(help));
    };
    let finding = finding.label(regex.pattern_span, format!("`{other}` matches too")).help(help);
    // Offsets are those of the text only where nothing was put in front or unescaped.
    if !regex.flags.is_empty() || regex.pattern != pattern {
        return Some(finding);
    }
    let mut fixed = regex.pattern.clone();
    for (at, _) in dots.iter().rev() {
        fixed.insert(*at, '\\');
    }
    Some(finding.fix_that_changes(regex.pattern_span, fixed))
}

/// Collects the dots that the characters behind them show to be meant as such, with those.
fn in_tree(tree: &Ast, is_start: bool, dots: &mut Vec<(usize, String)>) {
    match tree {
        Ast::Alternation(alternation) => alternation.asts.iter().for_each(|part| in_tree(part, is_start, dots)),
        Ast::Group(group) => in_tree(&group.ast, is_start, dots),
        Ast::Concat(concat) => in_row(&concat.asts, is_start, dots),
        _ => {}
    }
}

fn in_row(parts: &[Ast], is_start: bool, dots: &mut Vec<(usize, String)>) {
    for (at, part) in parts.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| parts.get(before));
        in_tree(part, is_start && before.is_none(), dots);
        let Ast::Dot(span) = part else { continue };
        let letters = |part: &&Ast| letter(part).is_some();
        let name: String = parts.iter().skip(at + 1).take_while(letters).filter_map(letter).collect();
        let begins = match before {
            None => is_start,
            Some(part) => is_edge(part),
        };
        let ends = matches!(before.and_then(literal), Some(c) if c.is_alphanumeric() || c == '_' || c == '-');
        if (begins && HIDDEN.contains(&name.as_str())) || (ends && ENDINGS.contains(&name.as_str())) {
            let front = parts.iter().take(at).rev().take_while(letters).filter_map(letter);
            let front: String = front.collect::<Vec<_>>().into_iter().rev().collect();
            dots.push((span.start.offset, format!("{front}.{name}")));
        }
    }
}

/// Tells whether what a regex has there is the start of a name.
fn is_edge(tree: &Ast) -> bool {
    match tree {
        Ast::Assertion(_) => true,
        Ast::Group(group) => is_edge(&group.ast),
        Ast::Alternation(alternation) => alternation.asts.iter().all(is_edge),
        other => literal(other) == Some('/'),
    }
}

fn literal(tree: &Ast) -> Option<char> {
    match tree {
        Ast::Literal(literal) => Some(literal.c),
        _ => None,
    }
}

fn letter(tree: &Ast) -> Option<char> {
    literal(tree).filter(char::is_ascii_alphanumeric)
}

/// What a text of several lines is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// That of a file, of a part of one, or what a program is given to read.
    File,
    /// What somebody typed.
    Prompt,
}

fn lines_of(source: &Source) -> Option<Lines> {
    let of_name = |name: &str| match name {
        "prompt" => Some(Lines::Prompt),
        name => (WRITTEN_TEXTS.contains(&name) || name == "old_string").then_some(Lines::File),
    };
    match source {
        Source::Derived(Derived::Content) => Some(Lines::File),
        Source::Where(WhereField::Input) => Some(Lines::File),
        Source::Raw { path, .. } => of_name(path.last()?),
        Source::JsonPath(path) => of_name(path.text.rsplit('.').next()?),
        _ => None,
    }
}

/// Reports `^` and `$` in a test of a text of lines, of which they are the very start and end.
pub(super) fn at_lines(
    written: &Written<'_>,
    seen: Seen<'_>,
    source: &Source,
    hir: &Hir,
    aim: Option<Aim>,
) -> Option<Diagnostic> {
    let HirKind::Concat(parts) = hir.kind() else { return None };
    let lines = lines_of(source)?;
    // What a text is let through for may well be about its very end.
    let finds = aim.map_or(!seen.is_exception, |aim| aim == Aim::Stops);
    let starts = parts.first().is_some_and(|part| matches!(part.kind(), HirKind::Look(Look::Start)));
    let ends = parts.last().is_some_and(|part| matches!(part.kind(), HirKind::Look(Look::End)));
    // One that takes a newline there may well mean the end of the text.
    let ends_a_line = ends && parts.iter().rev().nth(1).is_some_and(|part| !takes_newline(part));
    // `^FROM [^@]+\s*$`: the blanks at the end are those of the line.
    let ends_in_blanks = || {
        let mut before = parts.iter().rev().skip(1);
        let are_blanks = before.next().is_some_and(|last| match last.kind() {
            HirKind::Repetition(repetition) => repetition.max.is_none() && is_white_space(&repetition.sub),
            _ => false,
        });
        let is_text = |part: &Hir| !matches!(part.kind(), HirKind::Look(_)) && !takes_newline(part);
        are_blanks && before.next().is_some_and(is_text)
    };
    let (sign, label) = match (starts, ends) {
        (true, true) if !ends_a_line && lines == Lines::File && finds && ends_in_blanks() => {
            ("$", "matches a text of this one line alone")
        }
        (false, true) if ends_a_line && (lines == Lines::File || finds) => {
            ("$", "a text that ends with a newline does not match")
        }
        (true, true) if ends_a_line && lines == Lines::File && finds => {
            ("$", "matches a text of this one line alone, without a newline at its end")
        }
        (true, false) if lines == Lines::File && finds && is_of_line(parts) => {
            ("^", "matches only where the text begins so")
        }
        _ => return None,
    };
    let message = match sign {
        "$" => "`$` is the end of the whole text here, not of a line",
        _ => "`^` is the start of the whole text here, not of a line",
    };
    let finding = Diagnostic::new(Code::REGEX_LINES, message);
    let shown = if sign == "$" { "/…$/m" } else { "/^…/m" };
    let Some((value, regex)) = written.comparison(seen.test).and_then(|it| Some((it.value, it.regex?))) else {
        return Some(finding.label(seen.test.span, label).help(format!("add the flag `m`: `{shown}`")));
    };
    let instead = format!("/{}/{}m", regex.pattern, regex.flags);
    let help = format!("add the flag `m`, with which `^` and `$` are those of lines: `{shown}`");
    Some(finding.label(value, label).help(help).fix_that_changes(value, instead))
}

/// Tells whether a part of a regex is white space and nothing else: `\s`.
fn is_white_space(part: &Hir) -> bool {
    match part.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            class.iter().all(|range| range.start().is_whitespace() && range.end().is_whitespace())
        }
        _ => false,
    }
}

/// Tells whether a part of a regex may match a newline.
fn takes_newline(part: &Hir) -> bool {
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(text) => text.0.contains(&b'\n'),
        HirKind::Class(Class::Unicode(class)) => class.iter().any(|range| range.start() <= '\n' && '\n' <= range.end()),
        HirKind::Class(Class::Bytes(class)) => class.iter().any(|range| range.start() <= b'\n' && b'\n' <= range.end()),
        HirKind::Repetition(repetition) => takes_newline(&repetition.sub),
        HirKind::Capture(capture) => takes_newline(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(takes_newline),
    }
}

/// What a file begins with, and no line in it for its own sake: what a regex for these looks for is the start of a file.
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

/// Tells whether what follows the `^` of a regex is the start of a line rather than of a file.
fn is_of_line(parts: &[Hir]) -> bool {
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
