//! conclaude's globs, in which `*`, `?` and classes match `/` too and nothing escapes, written as ours.
//!
//! A translation matches whatever the original matches, with two exceptions that the book names: `?` and a class
//! no longer stand for a `/`.

mod class;

use class::class;
use hookrules_shell::path::{PathGlobs, TextGlobs};

/// A part of a glob.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    /// A character for itself.
    Char(char),
    /// `?`
    One,
    /// `*`
    Many,
    /// `[…]`, as we write it.
    Class(String),
    /// `{a,b}`, which conclaude documents.
    Group(String),
}

/// A name between two slashes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Component {
    /// `**`: any number of names, none too.
    Deep,
    /// One name.
    Name(Vec<Token>),
}

use Component::{Deep, Name};

/// The most globs that one on paths becomes: each `*` within a name can double them.
const MAX_VARIANTS: usize = 64;

/// The most `[` of a glob: in a selector they stand as they are, and a policy may not nest them much deeper.
const BRACKETS: usize = 32;

/// What a glob is matched with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Of {
    /// A path, of which a `*` covers several names.
    Path,
    /// A name or a command, as a whole.
    Text,
}

/// Checks that conclaude can read a glob, and that it can be written as ours.
///
/// # Errors
/// What is wrong, and what to write.
pub(super) fn check(glob: &str, of: Of) -> Result<(), (&'static str, &'static str)> {
    if glob.trim().is_empty() {
        return Err(("an empty pattern", "write `*` for everything, or leave the entry out"));
    }
    if glob.matches('[').count() > BRACKETS {
        return Err(("a pattern with too many `[`", "write it with fewer, or as several"));
    }
    let is_name = |part: &Component| *part == Deep || !written(std::slice::from_ref(part), true, false).ends_with('/');
    let parts = components(glob)?;
    if !parts.iter().any(is_name) {
        return Err(("a pattern that matches nothing", "write `./*` for what is in the root"));
    }
    if of == Of::Path && variants(glob, parts).is_none() {
        return Err(("a pattern with too many `*` within names", "write it with fewer, or as several"));
    }
    let is_ours = (of == Of::Text || PathGlobs::new(&paths(glob)).is_ok()) && TextGlobs::new(&[text(glob)]).is_ok();
    if is_ours { Ok(()) } else { Err(("a glob too wide or with `..`", "write it without `..`, or as several")) }
}

/// Writes a glob as a selector: `on SubagentStop(…)`, `by …`.
pub(super) fn selector(glob: &str) -> String {
    selector_of(&text_tokens(glob))
}

/// Writes a name as a selector that selects it alone.
pub(super) fn name_selector(name: &str) -> String {
    selector_of(&name.chars().map(Token::Char).collect::<Vec<_>>())
}

/// A selector that looks like a regex, or like several, is refused, though these are what they say.
fn selector_of(tokens: &[Token]) -> String {
    let last = tokens.len().saturating_sub(1);
    let mut out = String::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Char('.') if tokens.get(at + 1) == Some(&Token::Many) => out.push_str("[.]"),
            Token::Char('$') if at == last => out.push_str("[$]"),
            Token::Char('^') if at == 0 => out.push_str("\\^"),
            Token::Char('|') => out.push_str("[|]"),
            Token::Char('{') => out.push_str("[{]"),
            token => push(token, Braces::Free, &mut out),
        }
    }
    out
}

/// Writes a glob as an entry of a list of globs on texts: `command like "…"`.
pub(super) fn text(glob: &str) -> String {
    let mut out = String::new();
    text_tokens(glob).iter().for_each(|token| push(token, Braces::Escaped, &mut out));
    guarded(out)
}

/// Writes a glob that was checked as a list of globs on paths.
pub(super) fn paths(glob: &str) -> Vec<String> {
    let Some(variants) = components(glob).ok().and_then(|parts| variants(glob, parts)) else {
        return vec![glob.to_owned()];
    };
    let is_absolute = glob.starts_with('/');
    let is_directory = glob.len() > 1 && glob.ends_with('/');
    let mut found: Vec<String> = Vec::new();
    for variant in variants {
        let path = written(&variant, is_absolute, is_directory);
        if !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

/// Writes a glob of `preventAdditions`: one without a wildcard is a directory.
pub(super) fn directories(glob: &str) -> Vec<String> {
    if glob.contains(['*', '?', '[']) {
        return paths(glob);
    }
    paths(&format!("{}/**", glob.trim_end_matches('/')))
}

/// Tells whether a glob matches a name.
pub(super) fn matches(glob: &str, name: &str) -> bool {
    hookrules_shell::path::glob_matches(&selector(glob), name)
}

fn text_tokens(glob: &str) -> Vec<Token> {
    let Ok(parts) = components(glob) else { return glob.chars().map(Token::Char).collect() };
    let mut tokens = Vec::new();
    for (at, part) in parts.into_iter().enumerate() {
        if at > 0 {
            tokens.push(Token::Char('/'));
        }
        match part {
            Deep => tokens.push(Token::Many),
            Name(name) => tokens.extend(name),
        }
    }
    // Braces are alternatives on paths alone.
    let plain = tokens.into_iter().flat_map(|token| match token {
        Token::Group(text) => text.chars().map(Token::Char).collect(),
        other => vec![other],
    });
    plain.collect()
}

/// Splits a glob at its slashes.
fn components(glob: &str) -> Result<Vec<Component>, (&'static str, &'static str)> {
    let mut found = Vec::new();
    let mut name = Vec::new();
    let mut rest = glob;
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            '/' => found.push(finished(std::mem::take(&mut name))?),
            '*' => name.push(Token::Many),
            '?' => name.push(Token::One),
            '[' => {
                let (class, taken) = class(rest)?;
                name.push(class);
                length = taken;
            }
            '{' => match rest.find('}').and_then(|end| rest.get(..=end)) {
                Some(group) if group.contains(',') && !group.contains(['/', '*', '[', '\\']) => {
                    name.push(Token::Group(group.to_owned()));
                    length = group.len();
                }
                _ => name.push(Token::Char('{')),
            },
            other => name.push(Token::Char(other)),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    found.push(finished(name)?);
    Ok(found)
}

fn finished(name: Vec<Token>) -> Result<Component, (&'static str, &'static str)> {
    if name == [Token::Many, Token::Many] {
        return Ok(Deep);
    }
    let stars = name.windows(2).any(|pair| pair == [Token::Many, Token::Many]);
    if stars {
        return Err(("`**` within a name", "write `*`, or give `**` slashes on both sides"));
    }
    Ok(Name(name))
}

/// Returns what a glob on paths covers, one shape of path after the other; nothing where that is too much.
fn variants(glob: &str, parts: Vec<Component>) -> Option<Vec<Vec<Component>>> {
    // What is named from `./` on never met an absolute path, so that its `*` has no meaning of its own to keep.
    if glob.starts_with("./") { Some(vec![parts]) } else { spread(parts, glob.starts_with('/')) }
}

/// Writes out what each `*` covers beyond its name: `a*b` is `a*b` and `a*/**/*b`.
fn spread(parts: Vec<Component>, is_absolute: bool) -> Option<Vec<Vec<Component>>> {
    let mut variants: Vec<Vec<Component>> = vec![Vec::new()];
    let last = parts.len().saturating_sub(1);
    for (at, part) in parts.into_iter().enumerate() {
        let position = if at == 0 && !is_absolute {
            Position::First
        } else if at == last {
            Position::Last
        } else {
            Position::Between
        };
        let ways = match part {
            Deep => vec![vec![Deep]],
            Name(name) => ways(&name, position, at == last)?,
        };
        if ways.len() * variants.len() > MAX_VARIANTS {
            return None;
        }
        let extended = ways.iter().flat_map(|way| variants.iter().map(|before| [before.as_slice(), way].concat()));
        variants = extended.collect();
    }
    Some(variants)
}

/// Where a name stands in a glob.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// First in a relative glob, which conclaude matches against absolute paths too.
    First,
    Between,
    Last,
}

/// Returns the components that one name with stars can cover; nothing where these are too many.
fn ways(name: &[Token], position: Position, is_last: bool) -> Option<Vec<Vec<Component>>> {
    if name == [Token::Many] {
        return Some(match position {
            Position::Between => vec![vec![Name(name.to_vec()), Deep]],
            Position::First | Position::Last => vec![vec![Deep]],
        });
    }
    // A star in front covers whole names before this one, and nothing.
    let leads = name.first() == Some(&Token::Many);
    let mut ways = vec![if leads { vec![Deep] } else { Vec::new() }];
    let mut from = 0;
    let inner = name.iter().enumerate().filter(|(at, token)| **token == Token::Many && !(leads && *at == 0));
    for (star, _) in inner {
        let piece = name.get(from..=star).unwrap_or_default();
        let ends = star + 1 == name.len();
        let mut split = Vec::new();
        for way in &mut ways {
            // Cut here, the star ends one name and begins another.
            let mut cut = way.clone();
            join(&mut cut, piece);
            cut.push(Deep);
            if !ends {
                cut.push(Name(vec![Token::Many]));
            }
            split.push(cut);
            join(way, piece);
        }
        // In front of further names `**` covers none too, so that the cut says all.
        if ends && !is_last {
            ways.clear();
        }
        ways.extend(split);
        if ways.len() > MAX_VARIANTS {
            return None;
        }
        from = star + 1;
    }
    for way in &mut ways {
        join(way, name.get(from..).unwrap_or_default());
    }
    Some(ways)
}

/// Adds tokens to the name that is being written, or begins one.
fn join(way: &mut Vec<Component>, tokens: &[Token]) {
    if tokens.is_empty() {
        return;
    }
    match way.last_mut() {
        Some(Name(name)) => name.extend_from_slice(tokens),
        _ => way.push(Name(tokens.to_vec())),
    }
}

fn written(parts: &[Component], is_absolute: bool, is_directory: bool) -> String {
    let mut names: Vec<String> = Vec::new();
    for part in parts {
        let name = match part {
            Deep => "**".to_owned(),
            Name(tokens) => {
                let mut name = String::new();
                tokens.iter().for_each(|token| push(token, Braces::Escaped, &mut name));
                name
            }
        };
        // `**/**` says no more than `**`, and `a//b` and `a/./b` are `a/b`.
        if name.is_empty() || name == "." || name == "**" && names.last().is_some_and(|last| last == "**") {
            continue;
        }
        names.push(name);
    }
    let end = if is_directory { "/" } else { "" };
    match (is_absolute, names.as_slice()) {
        (true, names) => format!("/{}{end}", names.join("/")),
        (false, [deep, name]) if deep == "**" && !is_directory => guarded(name.clone()),
        (false, [name]) if name != "**" && !is_directory => format!("./{name}"),
        (false, names) => guarded(format!("{}{end}", names.join("/"))),
    }
}

/// Keeps the `!` at the front of a glob from excluding.
fn guarded(glob: String) -> String {
    if glob.starts_with('!') { format!("\\{glob}") } else { glob }
}

/// What a brace is where a glob is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    /// A character.
    Free,
    /// An alternative, unless it is escaped.
    Escaped,
}

fn push(token: &Token, braces: Braces, out: &mut String) {
    match token {
        Token::Char(c @ ('\\' | '*' | '?' | '[')) => out.extend(['\\', *c]),
        Token::Char(c @ ('{' | '}' | ']')) if braces == Braces::Escaped => out.extend(['\\', *c]),
        Token::Char(c) => out.push(*c),
        Token::One => out.push('?'),
        Token::Many => out.push('*'),
        Token::Class(text) | Token::Group(text) => out.push_str(text),
    }
}

#[cfg(test)]
mod tests;
