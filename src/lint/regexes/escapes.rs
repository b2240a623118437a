//! Characters of a regex that mean more than they look like: `.`, and `$` in a text of lines.

use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::{Hir, HirKind, Look};

use crate::diagnostic::{Code, Diagnostic};
use crate::lint::comparison::{Seen, Written};
use crate::lint::glob_as_text::shortened;
use crate::ruleset::{Derived, Source};

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

/// Reports a `$` in a test of a file's text, of which it is the very end.
pub(super) fn end_of_line(written: &Written<'_>, seen: Seen<'_>, source: &Source, hir: &Hir) -> Option<Diagnostic> {
    let is_lines = match source {
        Source::Derived(Derived::Content) => true,
        Source::Raw { path, .. } => path
            .last()
            .is_some_and(|name| ["content", "new_string", "old_string", "new_source"].contains(&name.as_str())),
        _ => false,
    };
    if !is_lines || !ends_at_text(hir) {
        return None;
    }
    let finding = Diagnostic::new(Code::REGEX_LINES, "`$` is the end of the whole text here, not of a line");
    let label = "a file that ends with a newline does not match";
    let Some((value, regex)) = written.comparison(seen.test).and_then(|it| Some((it.value, it.regex?))) else {
        return Some(finding.label(seen.test.span, label).help("add the flag `m`: `/…$/m`"));
    };
    let instead = format!("/{}/{}m", regex.pattern, regex.flags);
    let help = "add the flag `m`, with which `^` and `$` are those of lines: `/…$/m`";
    Some(finding.label(value, label).help(help).fix_that_changes(value, instead))
}

/// Tells whether a regex ends with `$` behind a character that is no white space, and begins with no `^`.
fn ends_at_text(hir: &Hir) -> bool {
    let HirKind::Concat(parts) = hir.kind() else { return false };
    let Some((last, before)) = parts.split_last() else { return false };
    let whole = before.first().is_some_and(|first| matches!(first.kind(), HirKind::Look(Look::Start)));
    let is_text =
        before.last().is_some_and(|part| matches!(part.kind(), HirKind::Literal(text) if !text.0.ends_with(b"\n")));
    matches!(last.kind(), HirKind::Look(Look::End)) && is_text && !whole
}
