//! Translates conclaude's globs to ours. In conclaude, `*`, `?` and classes also match `/`, and nothing can be
//! escaped.
//!
//! A translation matches everything that the original matches, except that `?` and a class no longer match a `/`, as
//! the book states.

mod class;

use class::parse_class;
use hookrules_shell::path::{PathGlobs, TextGlobs};

/// A unit of a glob: a character, a wildcard, a class or a group.
#[derive(Clone, PartialEq, Eq, Debug)]
enum GlobUnit {
    /// A literal character.
    Char(char),
    /// `?`
    AnyChar,
    /// `*`
    AnyText,
    /// A class such as `[a-z]`, in our syntax.
    Class(String),
    /// A group of alternatives without wildcards: `{a,b}`. conclaude documents groups.
    Group(String),
}

/// The part of a glob between two slashes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum GlobComponent {
    /// `**`: any number of names, including zero.
    AnyDepth,
    /// One name, with its wildcards.
    Name(Vec<GlobUnit>),
}

use GlobComponent::{AnyDepth, Name};

/// The maximum number of globs that a path glob is translated to: each `*` within a name can double them.
const MAX_VARIANTS: usize = 64;

/// The maximum number of globs that the alternatives of a glob are expanded to, and the maximum number of `{` in it.
const MAX_ALTERNATIVES: usize = 64;

/// The maximum number of `[` in a glob: a selector contains them unchanged, and nesting in a policy is limited.
const MAX_BRACKETS: usize = 32;

/// What a glob is matched against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GlobSubject {
    /// A path, in which a `*` covers several names.
    Path,
    /// The whole text of a command or a title.
    Text,
    /// The name of a subagent.
    Agent,
    /// The name of a tool.
    Tool,
    /// Another name: of a server, a slash command, a kind of event.
    Name,
}

impl GlobSubject {
    /// Returns characters that no value of this kind contains, so that a glob with one of them matches nothing.
    fn impossible_chars(self) -> &'static [char] {
        match self {
            Self::Path | Self::Text => &[],
            Self::Name => &[',', '|', '(', ')', '{', '}', '^', '$'],
            Self::Agent => &[',', '|', '(', ')', '{', '}', '^', '$', '+', '/', '\\'],
            Self::Tool => &[',', '|', '(', ')', '{', '}', '^', '$', '+', '/', '\\', '.', ' '],
        }
    }
}

/// Returns remarks on a valid glob: how its braces are read, and why it matches nothing or probably not what its author
/// meant.
pub(super) fn remarks(glob: &str, subject: GlobSubject) -> Vec<String> {
    let mut remarks = Vec::new();
    let globs = alternatives(glob, ExpandedGroups::All).unwrap_or_default();
    if globs.len() > 1 {
        let how = match subject {
            GlobSubject::Text => "the braces are characters, as in conclaude",
            _ => "the braces are alternatives here, as conclaude documents; conclaude itself compares them literally",
        };
        remarks.push(format!("`{glob}`: {how}"));
    }
    let owner = match subject {
        GlobSubject::Agent => "subagent's ",
        GlobSubject::Tool => "tool's ",
        GlobSubject::Path | GlobSubject::Text | GlobSubject::Name => "",
    };
    let impossible_char = |unit: &GlobUnit| match unit {
        GlobUnit::Char(c) => subject.impossible_chars().contains(c).then_some(*c),
        _ => None,
    };
    for glob in &globs {
        if let Some(found) = text_units(glob).iter().find_map(impossible_char) {
            let why = format!("no {owner}name has a `{found}`, so this matches nothing, here as in conclaude");
            remarks.push(format!("`{glob}`: {why}"));
        }
    }
    if matches!(subject, GlobSubject::Path | GlobSubject::Text) && (glob.starts_with('^') || glob.ends_with('$')) {
        remarks.push(format!("`{glob}`: a glob here as in conclaude, in which `^` and `$` are characters"));
    }
    let is_file_name = |part: &str| part.contains(['.', '*', '/']);
    if subject == GlobSubject::Path
        && glob.contains(',')
        && globs.iter().any(|glob| glob.contains(',') && glob.split(',').all(is_file_name))
    {
        remarks.push(format!("`{glob}`: one name with a `,` in it, here as in conclaude"));
    }
    remarks
}

/// Returns a remark on a tool's name such as `Bash*`, which conclaude compares literally although its author meant a
/// pattern.
pub(super) fn remark_on_tool(name: &str) -> Option<String> {
    let is_name = name == "*" || name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    (!is_name).then(|| {
        format!("`{name}`: conclaude compares whole names here, and no tool has this one, so this matches nothing")
    })
}

/// Which groups of alternatives are expanded to separate globs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ExpandedGroups {
    /// Every group: `a{b,c}` becomes `ab` and `ac`.
    All,
    /// Only groups with a wildcard, a class, a slash or another group in them; our path globs support other groups.
    Complex,
}

impl ExpandedGroups {
    /// Whether a group is expanded, given the text between its braces.
    fn is_expanded(self, inside: &str) -> bool {
        inside.contains(',') && (self == Self::All || inside.contains(['/', '*', '[', '\\', '{']))
    }
}

/// Expands the groups of a glob to separate globs; `None` if there are too many.
fn alternatives(glob: &str, groups: ExpandedGroups) -> Option<Vec<String>> {
    // For each brace, the rest of the glob is scanned: without a limit, the time would be quadratic.
    if glob.matches('{').count() > MAX_ALTERNATIVES {
        return None;
    }
    let mut done: Vec<String> = Vec::new();
    let mut waiting = vec![glob.to_owned()];
    while let Some(glob) = waiting.pop() {
        match first_group(&glob, groups) {
            Some((before, choices, after)) => {
                waiting.extend(choices.iter().rev().map(|choice| format!("{before}{choice}{after}")));
            }
            None if !glob.is_empty() && !done.contains(&glob) => done.push(glob),
            None => {}
        }
        if done.len() + waiting.len() > MAX_ALTERNATIVES {
            return None;
        }
    }
    Some(done)
}

/// Splits a glob at the first group to expand, into the text before it, its choices and the text after it; `None` if it
/// has no such group.
fn first_group(glob: &str, groups: ExpandedGroups) -> Option<(&str, Vec<&str>, &str)> {
    let mut at = 0;
    while let Some(rest) = glob.get(at..).filter(|rest| !rest.is_empty()) {
        let group = rest.starts_with('{').then(|| choices(rest)).flatten();
        if let Some((choices, length)) = group.filter(|(choices, _)| groups.is_expanded(&choices.join(","))) {
            return Some((glob.get(..at)?, choices, rest.get(length..)?));
        }
        at += unit_length(rest);
    }
    None
}

/// Returns the choices of the group at the beginning of a text, and the group's length; `None` if there is no closing
/// brace, or only one choice.
fn choices(text: &str) -> Option<(Vec<&str>, usize)> {
    let (mut choices, mut depth, mut choice_start, mut at) = (Vec::new(), 0_usize, 1, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = unit_length(rest);
        match rest.chars().next() {
            Some('{') => depth += 1,
            Some('}') if depth == 1 => {
                choices.push(text.get(choice_start..at)?);
                return (choices.len() > 1).then_some((choices, at + length));
            }
            Some('}') => depth -= 1,
            Some(',') if depth == 1 => {
                choices.push(text.get(choice_start..at)?);
                choice_start = at + length;
            }
            _ => {}
        }
        at += length;
    }
    None
}

/// Returns the length in bytes of the class or the character at the beginning of a text.
fn unit_length(text: &str) -> usize {
    let of_class = text.starts_with('[').then(|| parse_class(text).ok()).flatten().map(|(_, length)| length);
    of_class.or_else(|| text.chars().next().map(char::len_utf8)).unwrap_or(1)
}

/// Checks that conclaude can parse a glob, and that it can be translated to ours.
///
/// # Errors
/// The problem, and what to write instead.
pub(super) fn check_glob(glob: &str, subject: GlobSubject) -> Result<(), (&'static str, &'static str)> {
    if glob.trim().is_empty() {
        return Err(("an empty pattern", "write `*` for everything, or leave the entry out"));
    }
    if glob.matches('[').count() > MAX_BRACKETS {
        return Err(("a pattern with too many `[`", "write it with fewer, or as several"));
    }
    let globs = match subject {
        GlobSubject::Path => alternatives(glob, ExpandedGroups::Complex),
        GlobSubject::Text => Some(vec![glob.to_owned()]),
        GlobSubject::Agent | GlobSubject::Tool | GlobSubject::Name => alternatives(glob, ExpandedGroups::All),
    };
    let globs = globs.ok_or(("a pattern with too many alternatives", "write it as several"))?;
    if globs.is_empty() {
        return Err(("an empty pattern", "write `*` for everything, or leave the entry out"));
    }
    globs.iter().try_for_each(|glob| check_single_glob(glob, subject))
}

/// Checks a glob without groups, or with simple groups that our path globs support.
fn check_single_glob(glob: &str, subject: GlobSubject) -> Result<(), (&'static str, &'static str)> {
    let can_match = |part: &GlobComponent| {
        *part == AnyDepth || !format_path_glob(std::slice::from_ref(part), true, false).ends_with('/')
    };
    let parts = components(glob)?;
    if !parts.iter().any(can_match) {
        return Err(("a pattern that matches nothing", "write `./*` for what is in the root"));
    }
    if subject == GlobSubject::Path && path_variants(glob, parts).is_none() {
        return Err(("a pattern with too many `*` within names", "write it with fewer, or as several"));
    }
    let is_path = || PathGlobs::new(&path_globs_of_one(glob)).is_ok();
    let is_ours = (subject != GlobSubject::Path || is_path()) && TextGlobs::new(&[text_glob(glob)]).is_ok();
    if is_ours { Ok(()) } else { Err(("a glob too wide or with `..`", "write it without `..`, or as several")) }
}

/// Writes a glob as the selectors of `on SubagentStop(…)` or `by …`.
pub(super) fn glob_selectors(glob: &str) -> Vec<String> {
    let globs = alternatives(glob, ExpandedGroups::All).unwrap_or_else(|| vec![glob.to_owned()]);
    globs.iter().map(|glob| selector_of(&text_units(glob))).collect()
}

/// Writes a name as a selector that matches only this name.
pub(super) fn name_selector(name: &str) -> String {
    selector_of(&name.chars().map(GlobUnit::Char).collect::<Vec<_>>())
}

/// Writes units as a selector. Characters that would make the selector look like a regex, or like several selectors,
/// are escaped: the compiler would reject it.
fn selector_of(units: &[GlobUnit]) -> String {
    let last = units.len().saturating_sub(1);
    let mut out = String::new();
    for (at, unit) in units.iter().enumerate() {
        match unit {
            GlobUnit::Char('.') if units.get(at + 1) == Some(&GlobUnit::AnyText) => out.push_str("[.]"),
            GlobUnit::Char('$') if at == last => out.push_str("[$]"),
            GlobUnit::Char('^') if at == 0 => out.push_str("\\^"),
            GlobUnit::Char('|') => out.push_str("[|]"),
            GlobUnit::Char('{') => out.push_str("[{]"),
            GlobUnit::Char(',') => out.push_str("[,]"),
            unit => push_unit(unit, BraceMeaning::Character, &mut out),
        }
    }
    out
}

/// Writes a glob for a name as text globs, for `teammate_name like …`.
pub(super) fn name_globs(glob: &str) -> Vec<String> {
    let globs = alternatives(glob, ExpandedGroups::All).unwrap_or_else(|| vec![glob.to_owned()]);
    globs.iter().map(|glob| text_glob(glob)).collect()
}

/// Writes a glob as a single text glob, for `command like "…"`.
pub(super) fn text_glob(glob: &str) -> String {
    let mut out = String::new();
    text_units(glob).iter().for_each(|unit| push_unit(unit, BraceMeaning::Alternative, &mut out));
    escape_exclusion(out)
}

/// Writes a valid glob as path globs, for `path like …`.
pub(super) fn path_globs(glob: &str) -> Vec<String> {
    let globs = alternatives(glob, ExpandedGroups::Complex).unwrap_or_else(|| vec![glob.to_owned()]);
    let mut translated: Vec<String> = Vec::new();
    for path in globs.iter().flat_map(|glob| path_globs_of_one(glob)) {
        if !translated.contains(&path) {
            translated.push(path);
        }
    }
    translated
}

/// Writes a glob, whose groups have been expanded, as path globs.
fn path_globs_of_one(glob: &str) -> Vec<String> {
    let Some(variants) = components(glob).ok().and_then(|parts| path_variants(glob, parts)) else {
        return vec![glob.to_owned()];
    };
    let is_absolute = glob.starts_with('/');
    let is_directory = glob.len() > 1 && glob.ends_with('/');
    let mut translated: Vec<String> = Vec::new();
    for variant in variants {
        let path = format_path_glob(&variant, is_absolute, is_directory);
        if !translated.contains(&path) {
            translated.push(path);
        }
    }
    translated
}

/// Writes a glob of `preventAdditions` as path globs. A glob without a wildcard names a directory, and matches
/// everything below it.
pub(super) fn directory_globs(glob: &str) -> Vec<String> {
    let globs = alternatives(glob, ExpandedGroups::Complex).unwrap_or_else(|| vec![glob.to_owned()]);
    let below = |glob: &String| match glob.contains(['*', '?', '[']) {
        true => path_globs(glob),
        false => path_globs(&format!("{}/**", glob.trim_end_matches('/'))),
    };
    globs.iter().flat_map(below).collect()
}

/// Whether a glob matches a name.
pub(super) fn is_match(glob: &str, name: &str) -> bool {
    glob_selectors(glob).iter().any(|selector| hookrules_shell::path::glob_matches(selector, name))
}

/// Returns the units of a glob as one sequence with its slashes: `**` becomes a `*`, and a group that is left is read
/// as literal characters.
fn text_units(glob: &str) -> Vec<GlobUnit> {
    let Ok(parts) = components(glob) else { return glob.chars().map(GlobUnit::Char).collect() };
    let mut units = Vec::new();
    for (at, part) in parts.into_iter().enumerate() {
        if at > 0 {
            units.push(GlobUnit::Char('/'));
        }
        match part {
            AnyDepth => units.push(GlobUnit::AnyText),
            Name(name) => units.extend(name),
        }
    }
    // Groups that are alternatives are already expanded, so the braces here are characters.
    let plain = units.into_iter().flat_map(|unit| match unit {
        GlobUnit::Group(text) => text.chars().map(GlobUnit::Char).collect(),
        other => vec![other],
    });
    plain.collect()
}

/// Splits a glob at its slashes, and each part into units.
fn components(glob: &str) -> Result<Vec<GlobComponent>, (&'static str, &'static str)> {
    let mut components_so_far = Vec::new();
    let mut name = Vec::new();
    let mut rest = glob;
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            '/' => components_so_far.push(finish_component(std::mem::take(&mut name))?),
            '*' => name.push(GlobUnit::AnyText),
            '?' => name.push(GlobUnit::AnyChar),
            '[' => {
                let (class, taken) = parse_class(rest)?;
                name.push(class);
                length = taken;
            }
            '{' => match rest.find('}').and_then(|end| rest.get(..=end)) {
                Some(group) if group.contains(',') && !group.contains(['/', '*', '[', '\\']) => {
                    name.push(GlobUnit::Group(group.to_owned()));
                    length = group.len();
                }
                _ => name.push(GlobUnit::Char('{')),
            },
            other => name.push(GlobUnit::Char(other)),
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    components_so_far.push(finish_component(name)?);
    Ok(components_so_far)
}

/// Returns the component that consists of these units: two stars alone are `**`.
fn finish_component(name: Vec<GlobUnit>) -> Result<GlobComponent, (&'static str, &'static str)> {
    if name == [GlobUnit::AnyText, GlobUnit::AnyText] {
        return Ok(AnyDepth);
    }
    let has_double_star = name.windows(2).any(|pair| pair == [GlobUnit::AnyText, GlobUnit::AnyText]);
    if has_double_star {
        return Err(("`**` within a name", "write `*`, or give `**` slashes on both sides"));
    }
    Ok(Name(name))
}

/// Returns the sequences of components that together match all paths of a glob: `a*b` becomes `a*b` and `a*/**/*b`.
/// `None` if there are too many.
fn path_variants(glob: &str, parts: Vec<GlobComponent>) -> Option<Vec<Vec<GlobComponent>>> {
    // conclaude never matched a glob that begins with `./` against an absolute path, so a `*` in it does not cross a
    // slash.
    if glob.starts_with("./") { Some(vec![parts]) } else { expand_stars(parts, glob.starts_with('/')) }
}

/// Replaces each `*` by what it can cover beyond one name: `a*b` becomes `a*b` and `a*/**/*b`. `None` if there are
/// too many variants.
fn expand_stars(parts: Vec<GlobComponent>, is_absolute: bool) -> Option<Vec<Vec<GlobComponent>>> {
    let mut variants: Vec<Vec<GlobComponent>> = vec![Vec::new()];
    let last = parts.len().saturating_sub(1);
    for (at, part) in parts.into_iter().enumerate() {
        let position = if at == 0 && !is_absolute {
            NamePosition::First
        } else if at == last {
            NamePosition::Last
        } else {
            NamePosition::Between
        };
        let ways = match part {
            AnyDepth => vec![vec![AnyDepth]],
            Name(name) => name_expansions(&name, position, at == last)?,
        };
        if ways.len() * variants.len() > MAX_VARIANTS {
            return None;
        }
        let extended = ways.iter().flat_map(|way| variants.iter().map(|before| [before.as_slice(), way].concat()));
        variants = extended.collect();
    }
    Some(variants)
}

/// The position of a component in a glob.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NamePosition {
    /// First in a relative glob. conclaude matches such a glob against absolute paths too.
    First,
    /// Neither first in a relative glob nor last.
    Between,
    /// Last, or the only component of an absolute glob.
    Last,
}

/// Returns the sequences of components that a name with stars can cover, such as `a*/**/*b` for `a*b`; `None` if there
/// are too many.
fn name_expansions(name: &[GlobUnit], position: NamePosition, is_last: bool) -> Option<Vec<Vec<GlobComponent>>> {
    if name == [GlobUnit::AnyText] {
        return Some(match position {
            NamePosition::Between => vec![vec![Name(name.to_vec()), AnyDepth]],
            NamePosition::First | NamePosition::Last => vec![vec![AnyDepth]],
        });
    }
    // A leading star can also cover whole names before this one.
    let has_leading_star = name.first() == Some(&GlobUnit::AnyText);
    let mut expansions = vec![if has_leading_star { vec![AnyDepth] } else { Vec::new() }];
    let mut piece_start = 0;
    let further_stars =
        name.iter().enumerate().filter(|(at, unit)| **unit == GlobUnit::AnyText && !(has_leading_star && *at == 0));
    for (star, _) in further_stars {
        let piece = name.get(piece_start..=star).unwrap_or_default();
        let is_at_end = star + 1 == name.len();
        let mut crossing_expansions = Vec::new();
        for expansion in &mut expansions {
            // If the star covers a slash, it ends one name, covers any number of names, and begins another name.
            let mut crossing = expansion.clone();
            append_units(&mut crossing, piece);
            crossing.push(AnyDepth);
            if !is_at_end {
                crossing.push(Name(vec![GlobUnit::AnyText]));
            }
            crossing_expansions.push(crossing);
            append_units(expansion, piece);
        }
        // If other names follow, the variant with `**` also covers the one without, because `**` matches zero names.
        if is_at_end && !is_last {
            expansions.clear();
        }
        expansions.extend(crossing_expansions);
        if expansions.len() > MAX_VARIANTS {
            return None;
        }
        piece_start = star + 1;
    }
    for expansion in &mut expansions {
        append_units(expansion, name.get(piece_start..).unwrap_or_default());
    }
    Some(expansions)
}

/// Appends units to the last name of a sequence, or begins a new name after `**`.
fn append_units(way: &mut Vec<GlobComponent>, units: &[GlobUnit]) {
    if units.is_empty() {
        return;
    }
    match way.last_mut() {
        Some(Name(name)) => name.extend_from_slice(units),
        _ => way.push(Name(units.to_vec())),
    }
}

/// Writes components as a path glob. A relative glob of a single name begins with `./`, because a bare name would
/// match at any depth.
fn format_path_glob(parts: &[GlobComponent], is_absolute: bool, is_directory: bool) -> String {
    let mut names: Vec<String> = Vec::new();
    for part in parts {
        let name = match part {
            AnyDepth => "**".to_owned(),
            Name(units) => {
                let mut name = String::new();
                units.iter().for_each(|unit| push_unit(unit, BraceMeaning::Alternative, &mut name));
                name
            }
        };
        // `**/**` means the same as `**`, and `a//b` and `a/./b` the same as `a/b`.
        if name.is_empty() || name == "." || name == "**" && names.last().is_some_and(|last| last == "**") {
            continue;
        }
        names.push(name);
    }
    let suffix = if is_directory { "/" } else { "" };
    match (is_absolute, names.as_slice()) {
        (true, names) => format!("/{}{suffix}", names.join("/")),
        (false, [deep, name]) if deep == "**" && !is_directory => escape_exclusion(name.clone()),
        (false, [name]) if name != "**" && !is_directory => format!("./{name}"),
        (false, names) => escape_exclusion(format!("{}{suffix}", names.join("/"))),
    }
}

/// Escapes a leading `!`, which would make the glob an exclusion.
fn escape_exclusion(glob: String) -> String {
    if glob.starts_with('!') { format!("\\{glob}") } else { glob }
}

/// The meaning of an unescaped brace in the resulting glob or selector.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BraceMeaning {
    /// The brace is a literal character.
    Character,
    /// The brace begins or ends alternatives, so a literal brace must be escaped.
    Alternative,
}

/// Appends a unit in our syntax, with special characters escaped.
fn push_unit(unit: &GlobUnit, braces: BraceMeaning, out: &mut String) {
    match unit {
        GlobUnit::Char(c @ ('\\' | '*' | '?' | '[')) => out.extend(['\\', *c]),
        GlobUnit::Char(c @ ('{' | '}' | ']')) if braces == BraceMeaning::Alternative => out.extend(['\\', *c]),
        GlobUnit::Char(c) => out.push(*c),
        GlobUnit::AnyChar => out.push('?'),
        GlobUnit::AnyText => out.push('*'),
        GlobUnit::Class(text) | GlobUnit::Group(text) => out.push_str(text),
    }
}

#[cfg(test)]
mod tests;
