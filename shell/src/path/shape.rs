//! Partially known paths: a sequence of names, some of which are globs, and of gaps of any number of names.

use std::borrow::Cow;
use std::path::{Component, Path};

use super::Class;
use super::symbols::{Symbol, between_ends};
use super::{Case, fold};

/// A piece of a path, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece<'p> {
    /// Exactly this.
    Text(&'p str),
    /// Exactly one character of a name; next to another such piece, one byte of it where a shell takes bytes.
    One,
    /// Exactly one character of a name, and no dot.
    Letter,
    /// Any part of a name: it contains no `/`, and is not `..`.
    Name,
    /// Any part of a name without a dot: a number, a date.
    Plain,
    /// Any hexadecimal digits: the name of a commit.
    Hash,
    /// Any names below the preceding pieces: none of them is `..`.
    Below,
    /// Anything: it may contain a `/`, and lead up.
    Anything,
}

/// The maximum number of names and characters of a path. A longer one may be anything.
const LONGEST: usize = 1_024;

/// The paths that a text with unknown parts may become: absolute, and normalised as far as they are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    pub(super) segments: Vec<Segment>,
}

/// A part of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Segment {
    /// Any number of names.
    Deep,
    /// One name.
    Name(Vec<Symbol>),
}

/// Whether the paths of a shape satisfy a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Possible {
    /// None of them.
    Never,
    /// Perhaps some.
    Perhaps,
    /// All of them.
    Always,
}

impl Possible {
    /// Returns the result of the negated test.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Never => Self::Always,
            Self::Perhaps => Self::Perhaps,
            Self::Always => Self::Never,
        }
    }
}

impl Shape {
    /// Makes the shape of a path relative to a directory; `None` is an unknown directory.
    #[must_use]
    pub fn new<'p>(directory: Option<&Path>, pieces: impl IntoIterator<Item = Piece<'p>>) -> Self {
        let mut making = Making { segments: names(directory), open: Vec::new(), is_first: true };
        for piece in pieces {
            making.add(piece);
            if making.segments.len() + making.open.len() > LONGEST {
                return Self { segments: vec![Segment::Deep] };
            }
        }
        making.close();
        Self { segments: making.segments }
    }

    /// Returns the shape of these paths and everything below them.
    #[must_use]
    pub fn and_below(&self) -> Self {
        let mut segments = self.segments.clone();
        push_deep(&mut segments);
        Self { segments }
    }

    /// Returns the shape of everything below these paths with a name of these pieces.
    #[must_use]
    pub fn below_named<'p>(&self, pieces: impl IntoIterator<Item = Piece<'p>>) -> Self {
        let Self { segments } = self.and_below();
        let mut making = Making { segments, open: Vec::new(), is_first: false };
        pieces.into_iter().for_each(|piece| making.add(piece));
        making.close();
        Self { segments: making.segments }
    }

    /// Whether the top-level directory of all these paths is known.
    #[must_use]
    pub fn is_anchored(&self) -> bool {
        matches!(self.segments.first(), Some(Segment::Name(_)))
    }

    /// Whether the shape contains a path.
    #[must_use]
    pub fn holds(&self, path: &Path) -> bool {
        meet(&names(Some(path)), &self.segments, &mut 0)
    }

    /// Whether the paths are a directory or below it. Counts the steps.
    #[must_use]
    pub fn lies_in(&self, directory: &Path, case: Case, steps: &mut usize) -> Possible {
        let mut row = names(Some(directory));
        row.push(Segment::Deep);
        if case == Case::Folded {
            row = row.iter().map(|segment| segment.in_case(case)).collect();
        }
        fit(&row, &self.in_case(case), steps)
    }

    /// Whether the other shape, with exactly the same knowledge of its names, is a prefix of this one.
    #[must_use]
    pub fn begins_as(&self, other: &Self, case: Case) -> bool {
        self.in_case(case).starts_with(&other.in_case(case))
    }

    /// Returns the segments, folded according to `case`.
    pub(super) fn in_case(&self, case: Case) -> Cow<'_, [Segment]> {
        match case {
            Case::Exact => Cow::Borrowed(&self.segments),
            Case::Folded => self.segments.iter().map(|segment| segment.in_case(case)).collect(),
        }
    }
}

/// Whether the paths of a second segment sequence are among those of a first. Counts the steps.
pub(super) fn fit(row: &[Segment], own: &[Segment], steps: &mut usize) -> Possible {
    // What is covered also meets.
    if !meet(row, own, steps) {
        Possible::Never
    } else if covers(row, own, steps) {
        Possible::Always
    } else {
        Possible::Perhaps
    }
}

/// Returns the names of an absolute path; any names for an unknown one.
fn names(path: Option<&Path>) -> Vec<Segment> {
    let Some(path) = path else { return vec![Segment::Deep] };
    let name = |component| match component {
        Component::Normal(name) => {
            Some(Segment::Name(Path::new(name).to_string_lossy().chars().map(Symbol::Char).collect()))
        }
        _ => None,
    };
    path.components().filter_map(name).collect()
}

fn push_deep(segments: &mut Vec<Segment>) {
    if segments.last() != Some(&Segment::Deep) {
        segments.push(Segment::Deep);
    }
}

/// A shape under construction.
struct Making {
    segments: Vec<Segment>,
    /// The unfinished name at its end.
    open: Vec<Symbol>,
    is_first: bool,
}

impl Making {
    fn add(&mut self, piece: Piece<'_>) {
        let is_first = std::mem::take(&mut self.is_first);
        match piece {
            Piece::Text(text) => {
                if is_first && text.starts_with('/') {
                    self.segments.clear();
                }
                for (at, name) in text.split('/').enumerate() {
                    if at > 0 {
                        self.close();
                    }
                    self.open.extend(name.chars().map(Symbol::Char));
                }
            }
            Piece::One => match self.open.last_mut() {
                Some(before @ (Symbol::One | Symbol::Byte)) => {
                    *before = Symbol::Byte;
                    self.open.push(Symbol::Byte);
                }
                _ => self.open.push(Symbol::One),
            },
            Piece::Letter => self.open.push(Symbol::Class(Class::any_but('.'))),
            Piece::Name => self.open.push(Symbol::Many),
            Piece::Plain => self.open.push(Symbol::Plain),
            Piece::Hash => self.open.push(Symbol::Hash),
            // The unknown names begin where this name begins.
            Piece::Below if self.open.is_empty() => {
                push_deep(&mut self.segments);
                self.open.push(Symbol::Many);
            }
            // It may lead up and away; so may an unknown part in the middle of a name.
            Piece::Below | Piece::Anything => {
                self.segments = vec![Segment::Deep];
                self.open = vec![Symbol::Many];
            }
        }
    }

    /// Finishes a name: `..` removes the one before it.
    fn close(&mut self) {
        let name = std::mem::take(&mut self.open);
        match name.as_slice() {
            [] | [Symbol::Char('.')] => {}
            // Any number of names already includes this.
            [Symbol::Many] if self.segments.last() == Some(&Segment::Deep) => {}
            [Symbol::Char('.'), Symbol::Char('.')] => match self.segments.last() {
                Some(Segment::Deep) => self.segments = vec![Segment::Deep],
                _ => {
                    self.segments.pop();
                }
            },
            _ => self.segments.push(Segment::Name(name)),
        }
    }
}

impl Segment {
    /// Returns the segment, folded according to `case`.
    pub(super) fn in_case(&self, case: Case) -> Self {
        let Self::Name(symbols) = self else { return Self::Deep };
        if case == Case::Exact {
            return self.clone();
        }
        // Characters that fold together with their neighbours stay in one text.
        let mut folded = Vec::new();
        let mut text = String::new();
        for symbol in symbols {
            match symbol {
                Symbol::Char(c) => text.push(*c),
                other => {
                    folded.extend(fold(&std::mem::take(&mut text)).chars().map(Symbol::Char));
                    folded.push(other.clone());
                }
            }
        }
        folded.extend(fold(&text).chars().map(Symbol::Char));
        Self::Name(folded)
    }
}

/// Whether some path matches both segment sequences.
fn meet(a: &[Segment], b: &[Segment], steps: &mut usize) -> bool {
    let names = |own: &Segment, other: &Segment, steps: &mut usize| match (own, other) {
        (Segment::Name(own), Segment::Name(other)) => Some(Symbol::meet(own, other, steps)),
        _ => None,
    };
    let Some((a, b)) = between_ends(a, b, names, steps) else { return false };
    let rest = match (a, b) {
        ([Segment::Deep], _) | (_, [Segment::Deep]) => return true,
        ([], rest) | (rest, []) => return rest.iter().all(|segment| *segment == Segment::Deep),
        _ => b,
    };
    // For each position in the first sequence, whether it is reachable together with the current position in the
    // second.
    *steps += a.len() * rest.len();
    let mut reached = vec![false; a.len() + 1];
    let mut next = reached.clone();
    if let Some(start) = reached.first_mut() {
        *start = true;
    }
    spread(a, &mut reached);
    for segment in rest {
        next.fill(false);
        let Some(first) = reached.iter().position(|live| *live) else { return false };
        for (at, _) in reached.iter().enumerate().skip(first).filter(|(_, live)| **live) {
            if *segment == Segment::Deep {
                // It matches any number of names, including none.
                next.iter_mut().skip(at).for_each(|live| *live = true);
                break;
            }
            let lands = match (a.get(at), segment) {
                (Some(Segment::Deep), _) => Some(at),
                (Some(Segment::Name(own)), Segment::Name(other)) if Symbol::meet(own, other, steps) => Some(at + 1),
                _ => None,
            };
            if let Some(live) = lands.and_then(|at| next.get_mut(at)) {
                *live = true;
            }
        }
        spread(a, &mut next);
        std::mem::swap(&mut reached, &mut next);
    }
    reached.last().copied().unwrap_or(false)
}

/// A gap of any number of names may be empty.
fn spread(row: &[Segment], reached: &mut [bool]) {
    for (at, _) in row.iter().enumerate().filter(|(_, segment)| **segment == Segment::Deep) {
        if reached.get(at) == Some(&true)
            && let Some(next) = reached.get_mut(at + 1)
        {
            *next = true;
        }
    }
}

/// Whether a sequence matches everything below a directory.
fn is_anything(row: &[Segment]) -> bool {
    matches!(row, [Segment::Name(name), Segment::Deep] if *name == [Symbol::Many])
}

/// Whether the first sequence matches every path of the second. May be `false` although it does.
fn covers(a: &[Segment], b: &[Segment], steps: &mut usize) -> bool {
    *steps += a.len() * b.len();
    // From the end: `covered` is, for each position in the first sequence, whether it covers the rest of the second.
    let mut covered: Vec<bool> = (0..=a.len())
        .map(|at| a.get(at..).unwrap_or_default().iter().all(|segment| *segment == Segment::Deep))
        .collect();
    let mut next = covered.clone();
    let mut has_name = false;
    for segment in b.iter().rev() {
        has_name |= *segment != Segment::Deep;
        next.fill(false);
        for at in (0..a.len()).rev() {
            let get = |row: &[bool], at: usize| row.get(at).copied().unwrap_or(false);
            let holds = match (a.get(at), segment) {
                // At least one name, and as many as there are.
                _ if has_name && is_anything(a.get(at..).unwrap_or_default()) => true,
                (Some(Segment::Deep), _) => get(&next, at + 1) || get(&covered, at),
                (Some(Segment::Name(own)), Segment::Name(other)) => {
                    get(&covered, at + 1) && Symbol::covers(own, other, steps)
                }
                _ => false,
            };
            if let Some(place) = next.get_mut(at) {
                *place = holds;
            }
        }
        std::mem::swap(&mut covered, &mut next);
    }
    covered.first().copied().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::path::{PathGlobs, Roots};

    /// Reads a path from `/p`: `?` is one character, `#` a part of a name, `%` one without dots, `&` hexadecimal
    /// digits, `+` names below, `$` anything.
    fn shape(text: &str) -> Shape {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = rest.find(['?', '#', '%', '&', '+', '$']).unwrap_or(rest.len());
            let (text, _) = rest.split_at(length);
            let piece = match first {
                '?' => Piece::One,
                '#' => Piece::Name,
                '%' => Piece::Plain,
                '&' => Piece::Hash,
                '+' => Piece::Below,
                '$' => Piece::Anything,
                _ => Piece::Text(text),
            };
            pieces.push(piece);
            rest = rest.split_at(if matches!(piece, Piece::Text(_)) { length } else { 1 }).1;
        }
        Shape::new(Some(Path::new("/p")), pieces)
    }

    #[track_caller]
    fn check(globs: &[&str], path: &str, expected: Possible) {
        let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
        let roots = Roots { project: Some(PathBuf::from("/p")), ..Roots::default() };
        let fit = PathGlobs::new(&globs).unwrap().fit(&shape(path), &roots, Case::Exact, &mut 0);
        assert_eq!(fit, expected, "{globs:?} on {path}");
    }

    #[test]
    fn what_is_known_of_a_path_decides() {
        use Possible::{Always, Never, Perhaps};
        for (path, expected) in [
            (".env", Always),
            ("$", Perhaps),
            ("$/.env", Always),
            ("$.env", Perhaps),
            ("$.rs", Never),
            ("src/$", Perhaps),
            ("src/$.rs", Never),
            ("src/$/../.env", Always),
            ("src/#", Perhaps),
            ("src/x#", Never),
            (".e?v", Perhaps),
            (".e??", Perhaps),
            (".e?", Never),
            ("+", Perhaps),
            ("src/+/.env", Always),
            (".%", Perhaps),
            ("%", Never),
            ("a%", Never),
            ("%/.env", Always),
            ("src/..", Never),
        ] {
            check(&["**/.env"], path, expected);
        }
        check(&["**/id_rsa"], "%", Perhaps);
        check(&["**/id_rsa"], "&", Never);
        check(&["**/*.pem"], "&.pem", Always);
        check(&["**/.env*", "!**/.env.example"], "$/.env.example", Never);
        check(&["**/.env*", "!**/.env.example"], "$/.env#", Perhaps);
        check(&["**/.env*"], "$/.env#", Always);
        check(&["*.pem"], "$X.pem", Always);
        check(&["src/**"], "src/#", Always);
        check(&["src/**"], "src/+", Perhaps);
        check(&["src/**"], "src/+.c", Always);
        check(&["/.env"], "$/.env", Perhaps);
        check(&["src/**"], "src/$", Perhaps);
        check(&["src/**"], "lib/#", Never);
        check(&["/etc/*"], "src/$", Perhaps);
        check(&["/etc/*"], "#/x", Never);
    }

    #[test]
    fn a_directory_holds_what_cannot_leave_it() {
        use Possible::{Always, Never, Perhaps};
        for (path, expected) in [
            ("a", Always),
            ("#", Always),
            ("+", Always),
            ("$", Perhaps),
            ("../#", Perhaps),
            ("../x#", Never),
            ("/tmp/x.??", Never),
            ("/#/x", Perhaps),
            ("a/#/../../..", Never),
        ] {
            assert_eq!(shape(path).lies_in(Path::new("/p"), Case::Exact, &mut 0), expected, "{path}");
        }
        assert_eq!(shape("/P/A").lies_in(Path::new("/p"), Case::Folded, &mut 0), Always);
        assert!(shape("a#").holds(Path::new("/p/ab")));
        assert!(!shape("a#").holds(Path::new("/p/b")));
        for (text, is_anchored) in [("a", true), ("#/x", true), ("a/+/x", true), ("$", false), ("a/$/x", false)] {
            assert_eq!(shape(text).is_anchored(), is_anchored, "{text}");
        }
    }

    #[test]
    fn a_path_that_is_too_long_may_be_anything() {
        assert_eq!(shape(&"a/".repeat(5_000)).lies_in(Path::new("/p"), Case::Exact, &mut 0), Possible::Perhaps);
    }

    /// Returns the number of steps for the comparison of a glob with a path whose names all have the same ending.
    #[track_caller]
    fn steps(glob: &str, path: &str) -> usize {
        let roots = Roots { project: Some(PathBuf::from("/p")), ..Roots::default() };
        let mut steps = 0;
        let _ = PathGlobs::new(&[glob.to_owned()]).unwrap().fit(&shape(path), &roots, Case::Exact, &mut steps);
        steps
    }

    #[test]
    fn a_path_whose_ends_decide_takes_few_steps_however_long_it_is() {
        let between = format!("{}/{}", "x#}#".repeat(60), "}#".repeat(200));
        for (glob, path, most) in [
            ("**/.env", format!("/a/{between}}}"), 4),
            ("**/.env*", format!("/a/{between}}}"), 4),
            ("**/*.pem", format!("/a/{between}}}"), 4),
            ("**/.ssh/**", format!("/a/{between}"), 20),
            ("src/**", format!("/a/{between}"), 20),
            ("/p/**", format!("/q{between}"), 20),
            ("**/*.pem", format!("/a/{between}.pem"), 2_000),
        ] {
            let taken = steps(glob, &path);
            assert!(taken <= most, "{glob} on {} characters: {taken} steps", path.len());
        }
    }

    #[test]
    fn steps_are_counted_where_all_of_two_names_is_compared() {
        let length = 100;
        let taken = steps(&format!("**/{}", "*a".repeat(length)), &format!("/a/{}", "#a".repeat(length)));
        assert!(taken >= length * length, "{taken}");
    }

    #[test]
    fn a_path_is_compared_alike_in_whatever_way_it_is_spelled() {
        // The text between the common ends is compared, too.
        use Possible::{Always, Never, Perhaps};
        for (glob, path, expected) in [
            ("**/a*c", "/a/a#c", Always),
            ("**/a*c", "/a/a#x#c", Always),
            ("**/a*b*c", "/a/a#c", Perhaps),
            ("**/aXc", "/a/a#Yc", Never),
            ("**/a?c", "/a/a#c", Perhaps),
            ("**/a?c", "/a/a?c", Always),
            ("**/ac", "/a/a#c", Perhaps),
            ("**/ac", "/a/a%c", Perhaps),
            ("**/ac", "/a/a&c", Perhaps),
            ("**/a.c", "/a/a%c", Never),
            ("**/a..c", "/a/a%.c", Never),
            ("**/azc", "/a/a&c", Never),
            ("**/a0c", "/a/a&c", Perhaps),
            ("**/*a*a*", "/a/#a#", Perhaps),
            ("**/*a*", "/a/#a#", Always),
            ("/a/**/b/c", "/a/+/c", Perhaps),
            ("/a/**/b/c", "/a/x/+/b/c", Always),
            ("/a/b/**/c", "/a/b/c", Always),
            ("/a/b/**/b/c", "/a/b/c", Never),
            ("/a/b", "/a/+/b", Perhaps),
            ("/a/b", "/a/+/c/b", Never),
        ] {
            check(&[glob], path, expected);
        }
    }
}
