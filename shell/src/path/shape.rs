//! Partly known paths: sequences of names, which may be globs, and of gaps that are any number of names.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use super::CharClass;
use super::symbols::{NameSymbol, strip_common_ends};
use super::{NameCase, fold, join};

/// A piece of a partly known path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathPiece<'p> {
    /// Exactly this text, which may contain slashes.
    Text(&'p str),
    /// Exactly one character of a name. Next to another such piece, it may be one byte, if the shell processes bytes.
    One,
    /// Exactly one character of a name, other than a dot.
    Letter,
    /// Any part of a name: it contains no `/`, and the name is not `..`.
    Name,
    /// Any part of a name without a dot, such as a number or a date.
    Plain,
    /// Any hexadecimal digits, such as the name of a commit.
    Hash,
    /// Any number of names below the directory of the preceding pieces; none of them is `..`.
    Below,
    /// Any text: it may contain `/` and `..`, and so lead to any directory.
    Anything,
}

/// The maximum number of names and characters of a path. A longer path is treated as any path.
const MAX_SIZE: usize = 1_024;

/// The set of paths that a text with unknown parts may become: absolute, and normalised as far as they are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathShape {
    pub(super) segments: Vec<ShapeSegment>,
}

/// A segment of a path shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ShapeSegment {
    /// Any number of names, perhaps none.
    Deep,
    /// One name, with unknown parts.
    Name(Vec<NameSymbol>),
}

/// Whether a test holds for the paths of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Possibility {
    /// It holds for none of them.
    Never,
    /// It may hold for some of them.
    Perhaps,
    /// It holds for all of them.
    Always,
}

impl Possibility {
    /// Returns whether both of two tests hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Never, _) | (_, Self::Never) => Self::Never,
            (Self::Always, other) => other,
            (Self::Perhaps, _) => Self::Perhaps,
        }
    }

    /// Returns the result of the negated test.
    #[must_use]
    pub fn negate(self) -> Self {
        match self {
            Self::Never => Self::Always,
            Self::Perhaps => Self::Perhaps,
            Self::Always => Self::Never,
        }
    }
}

impl ShapeSegment {
    /// Returns the name, if the segment is a name without unknown parts.
    fn known_name(&self) -> Option<String> {
        let known = |symbol: &NameSymbol| if let NameSymbol::Char(c) = symbol { Some(*c) } else { None };
        match self {
            Self::Name(symbols) => symbols.iter().map(known).collect(),
            Self::Deep => None,
        }
    }
}

impl PathShape {
    /// Returns the shape of a path that consists of these pieces. A relative path is below `directory`, or below any
    /// directory if that is `None`.
    #[must_use]
    pub fn new<'p>(directory: Option<&Path>, pieces: impl IntoIterator<Item = PathPiece<'p>>) -> Self {
        let mut builder = ShapeBuilder { segments: path_segments(directory), open: Vec::new(), is_first: true };
        for piece in pieces {
            builder.add(piece);
            if builder.segments.len() + builder.open.len() > MAX_SIZE {
                return Self { segments: vec![ShapeSegment::Deep] };
            }
        }
        builder.close();
        Self { segments: builder.segments }
    }

    /// Returns the shape of these paths and of everything below them.
    #[must_use]
    pub fn with_descendants(&self) -> Self {
        let mut segments = self.segments.clone();
        push_deep(&mut segments);
        Self { segments }
    }

    /// Returns the shape of all paths that are below these paths and whose last name consists of these pieces.
    #[must_use]
    pub fn descendants_named<'p>(&self, pieces: impl IntoIterator<Item = PathPiece<'p>>) -> Self {
        let Self { segments } = self.with_descendants();
        let mut builder = ShapeBuilder { segments, open: Vec::new(), is_first: false };
        pieces.into_iter().for_each(|piece| builder.add(piece));
        builder.close();
        Self { segments: builder.segments }
    }

    /// Whether the top-level directory of all these paths is known.
    #[must_use]
    pub fn is_anchored(&self) -> bool {
        matches!(self.segments.first(), Some(ShapeSegment::Name(_)))
    }

    /// Returns the directory that directly contains all these paths, if it is known.
    #[must_use]
    pub fn known_directory(&self) -> Option<PathBuf> {
        let (last, above) = self.segments.split_last()?;
        let names = above.iter().map(ShapeSegment::known_name).collect::<Option<PathBuf>>()?;
        (*last != ShapeSegment::Deep).then(|| join(Path::new("/"), &names))
    }

    /// Returns the path, if the shape consists of a single path.
    #[must_use]
    pub fn known_path(&self) -> Option<PathBuf> {
        let names = self.segments.iter().map(ShapeSegment::known_name).collect::<Option<PathBuf>>()?;
        Some(join(Path::new("/"), &names))
    }

    /// Returns the deepest known directory that contains all these paths, at any depth: `/` if no name is known. If the
    /// whole path is known, this is the path itself.
    #[must_use]
    pub fn known_beginning(&self) -> PathBuf {
        join(Path::new("/"), &self.segments.iter().map_while(ShapeSegment::known_name).collect::<PathBuf>())
    }

    /// Whether a path is one of the paths of the shape.
    #[must_use]
    pub fn holds(&self, path: &Path) -> bool {
        has_common_path(&path_segments(Some(path)), &self.segments, &mut 0)
    }

    /// Tests whether the paths are a directory or below it. Adds the number of comparisons to `steps`.
    #[must_use]
    pub fn test_within(&self, directory: &Path, case: NameCase, steps: &mut usize) -> Possibility {
        let mut descendants = path_segments(Some(directory));
        descendants.push(ShapeSegment::Deep);
        if case == NameCase::Folded {
            descendants = descendants.iter().map(|segment| segment.fold_case(case)).collect();
        }
        test_segments(&descendants, &self.folded_segments(case), steps)
    }

    /// Whether the segments of the other shape are the first segments of this one, with the same unknown parts.
    #[must_use]
    pub fn has_prefix(&self, other: &Self, case: NameCase) -> bool {
        self.folded_segments(case).starts_with(&other.folded_segments(case))
    }

    /// Returns the segments for comparison by `case`.
    pub(super) fn folded_segments(&self, case: NameCase) -> Cow<'_, [ShapeSegment]> {
        match case {
            NameCase::Exact => Cow::Borrowed(&self.segments),
            NameCase::Folded => self.segments.iter().map(|segment| segment.fold_case(case)).collect(),
        }
    }
}

/// Tests whether the paths that match the segments `paths` also match the segments `set`. Adds the number of
/// comparisons to `steps`.
pub(super) fn test_segments(set: &[ShapeSegment], paths: &[ShapeSegment], steps: &mut usize) -> Possibility {
    // This order is correct, since paths that are all covered also have a path in common.
    if !has_common_path(set, paths, steps) {
        Possibility::Never
    } else if is_superset(set, paths, steps) {
        Possibility::Always
    } else {
        Possibility::Perhaps
    }
}

/// Returns the names of an absolute path as segments; any number of names if the path is `None`.
fn path_segments(path: Option<&Path>) -> Vec<ShapeSegment> {
    let Some(path) = path else { return vec![ShapeSegment::Deep] };
    let name = |component| match component {
        Component::Normal(name) => {
            Some(ShapeSegment::Name(Path::new(name).to_string_lossy().chars().map(NameSymbol::Char).collect()))
        }
        _ => None,
    };
    path.components().filter_map(name).collect()
}

/// Appends a gap, unless the segments already end in one.
fn push_deep(segments: &mut Vec<ShapeSegment>) {
    if segments.last() != Some(&ShapeSegment::Deep) {
        segments.push(ShapeSegment::Deep);
    }
}

/// Builds a shape piece by piece.
struct ShapeBuilder {
    segments: Vec<ShapeSegment>,
    /// The symbols of the name at the end, which is not complete yet.
    open: Vec<NameSymbol>,
    /// Whether no piece has been added yet.
    is_first: bool,
}

impl ShapeBuilder {
    /// Adds a piece to the end.
    fn add(&mut self, piece: PathPiece<'_>) {
        let is_first = std::mem::take(&mut self.is_first);
        match piece {
            PathPiece::Text(text) => {
                if is_first && text.starts_with('/') {
                    self.segments.clear();
                }
                for (at, name) in text.split('/').enumerate() {
                    if at > 0 {
                        self.close();
                    }
                    self.open.extend(name.chars().map(NameSymbol::Char));
                }
            }
            PathPiece::One => match self.open.last_mut() {
                Some(before @ (NameSymbol::One | NameSymbol::Byte)) => {
                    *before = NameSymbol::Byte;
                    self.open.push(NameSymbol::Byte);
                }
                _ => self.open.push(NameSymbol::One),
            },
            PathPiece::Letter => self.open.push(NameSymbol::Class(CharClass::all_except('.'))),
            PathPiece::Name => self.open.push(NameSymbol::Many),
            PathPiece::Plain => self.open.push(NameSymbol::Plain),
            PathPiece::Hash => self.open.push(NameSymbol::Hash),
            // A whole name is unknown here, so a gap and a name replace it.
            PathPiece::Below if self.open.is_empty() => {
                push_deep(&mut self.segments);
                self.open.push(NameSymbol::Many);
            }
            // The piece may contain `..`, or change the meaning of the name so far, so the result may be any path.
            PathPiece::Below | PathPiece::Anything => {
                self.segments = vec![ShapeSegment::Deep];
                self.open = vec![NameSymbol::Many];
            }
        }
    }

    /// Completes the name at the end; `..` removes the name before it.
    fn close(&mut self) {
        let name = std::mem::take(&mut self.open);
        match name.as_slice() {
            [] | [NameSymbol::Char('.')] => {}
            // The gap before already matches any number of names.
            [NameSymbol::Many] if self.segments.last() == Some(&ShapeSegment::Deep) => {}
            [NameSymbol::Char('.'), NameSymbol::Char('.')] => match self.segments.last() {
                Some(ShapeSegment::Deep) => self.segments = vec![ShapeSegment::Deep],
                _ => {
                    self.segments.pop();
                }
            },
            _ => self.segments.push(ShapeSegment::Name(name)),
        }
    }
}

impl ShapeSegment {
    /// Returns the segment for comparison by `case`.
    pub(super) fn fold_case(&self, case: NameCase) -> Self {
        let Self::Name(symbols) = self else { return Self::Deep };
        if case == NameCase::Exact {
            return self.clone();
        }
        // The case folding of a character can depend on its neighbours, so texts are folded as a whole.
        let mut folded = Vec::new();
        let mut text = String::new();
        for symbol in symbols {
            match symbol {
                NameSymbol::Char(c) => text.push(*c),
                other => {
                    folded.extend(fold(&std::mem::take(&mut text)).chars().map(NameSymbol::Char));
                    folded.push(other.clone());
                }
            }
        }
        folded.extend(fold(&text).chars().map(NameSymbol::Char));
        Self::Name(folded)
    }
}

/// Whether some path matches both sequences of segments. Adds the number of comparisons to `steps`.
fn has_common_path(a: &[ShapeSegment], b: &[ShapeSegment], steps: &mut usize) -> bool {
    let have_common_name = |a: &ShapeSegment, b: &ShapeSegment, steps: &mut usize| match (a, b) {
        (ShapeSegment::Name(a), ShapeSegment::Name(b)) => Some(NameSymbol::has_common_name(a, b, steps)),
        _ => None,
    };
    let Some((a, b)) = strip_common_ends(a, b, have_common_name, steps) else { return false };
    let rest = match (a, b) {
        ([ShapeSegment::Deep], _) | (_, [ShapeSegment::Deep]) => return true,
        ([], rest) | (rest, []) => return rest.iter().all(|segment| *segment == ShapeSegment::Deep),
        _ => b,
    };
    // `reached[i]`: the first i segments of `a` can match the segments of `b` so far.
    *steps += a.len() * rest.len();
    let mut reached = vec![false; a.len() + 1];
    let mut next = reached.clone();
    if let Some(start) = reached.first_mut() {
        *start = true;
    }
    spread(a, &mut reached);
    for segment in rest {
        next.fill(false);
        let Some(first) = reached.iter().position(|is_reached| *is_reached) else { return false };
        for (at, _) in reached.iter().enumerate().skip(first).filter(|(_, is_reached)| **is_reached) {
            if *segment == ShapeSegment::Deep {
                // The gap matches any number of names, perhaps none.
                next.iter_mut().skip(at).for_each(|is_reached| *is_reached = true);
                break;
            }
            let reachable = match (a.get(at), segment) {
                (Some(ShapeSegment::Deep), _) => Some(at),
                (Some(ShapeSegment::Name(name)), ShapeSegment::Name(other))
                    if NameSymbol::has_common_name(name, other, steps) =>
                {
                    Some(at + 1)
                }
                _ => None,
            };
            if let Some(is_reached) = reachable.and_then(|at| next.get_mut(at)) {
                *is_reached = true;
            }
        }
        spread(a, &mut next);
        std::mem::swap(&mut reached, &mut next);
    }
    reached.last().copied().unwrap_or(false)
}

/// Marks the positions that are reached if a gap is empty.
fn spread(row: &[ShapeSegment], reached: &mut [bool]) {
    for (at, _) in row.iter().enumerate().filter(|(_, segment)| **segment == ShapeSegment::Deep) {
        if reached.get(at) == Some(&true)
            && let Some(next) = reached.get_mut(at + 1)
        {
            *next = true;
        }
    }
}

/// Whether a sequence matches every path of at least one name.
fn is_anything(row: &[ShapeSegment]) -> bool {
    matches!(row, [ShapeSegment::Name(name), ShapeSegment::Deep] if *name == [NameSymbol::Many])
}

/// Whether the first sequence matches every path that the second matches. `true` is certain, `false` is not. Adds the
/// number of comparisons to `steps`.
fn is_superset(a: &[ShapeSegment], b: &[ShapeSegment], steps: &mut usize) -> bool {
    *steps += a.len() * b.len();
    // `covered[i]`: the segments of `a` from the i-th on match every path of the segments of `b` compared so far,
    // from the end.
    let mut covered: Vec<bool> = (0..=a.len())
        .map(|at| a.get(at..).unwrap_or_default().iter().all(|segment| *segment == ShapeSegment::Deep))
        .collect();
    let mut next = covered.clone();
    let mut has_name = false;
    for segment in b.iter().rev() {
        has_name |= *segment != ShapeSegment::Deep;
        next.fill(false);
        for at in (0..a.len()).rev() {
            let get = |row: &[bool], at: usize| row.get(at).copied().unwrap_or(false);
            let holds = match (a.get(at), segment) {
                // `*` and a gap match every path that has at least one name.
                _ if has_name && is_anything(a.get(at..).unwrap_or_default()) => true,
                (Some(ShapeSegment::Deep), _) => get(&next, at + 1) || get(&covered, at),
                (Some(ShapeSegment::Name(name)), ShapeSegment::Name(other)) => {
                    get(&covered, at + 1) && NameSymbol::is_superset(name, other, steps)
                }
                _ => false,
            };
            if let Some(slot) = next.get_mut(at) {
                *slot = holds;
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
    fn shape(text: &str) -> PathShape {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = rest.find(['?', '#', '%', '&', '+', '$']).unwrap_or(rest.len());
            let (text, _) = rest.split_at(length);
            let piece = match first {
                '?' => PathPiece::One,
                '#' => PathPiece::Name,
                '%' => PathPiece::Plain,
                '&' => PathPiece::Hash,
                '+' => PathPiece::Below,
                '$' => PathPiece::Anything,
                _ => PathPiece::Text(text),
            };
            pieces.push(piece);
            rest = rest.split_at(if matches!(piece, PathPiece::Text(_)) { length } else { 1 }).1;
        }
        PathShape::new(Some(Path::new("/p")), pieces)
    }

    #[track_caller]
    fn check(globs: &[&str], path: &str, expected: Possibility) {
        let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
        let roots = Roots { project: Some(PathBuf::from("/p")), ..Roots::default() };
        let fit = PathGlobs::new(&globs).unwrap().test_shape(&shape(path), &roots, NameCase::Exact, &mut 0);
        assert_eq!(fit, expected, "{globs:?} on {path}");
    }

    #[test]
    fn what_is_known_of_a_path_decides() {
        use Possibility::{Always, Never, Perhaps};
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
        use Possibility::{Always, Never, Perhaps};
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
            assert_eq!(shape(path).test_within(Path::new("/p"), NameCase::Exact, &mut 0), expected, "{path}");
        }
        assert_eq!(shape("/P/A").test_within(Path::new("/p"), NameCase::Folded, &mut 0), Always);
        assert!(shape("a#").holds(Path::new("/p/ab")));
        assert!(!shape("a#").holds(Path::new("/p/b")));
        for (text, is_anchored) in [("a", true), ("#/x", true), ("a/+/x", true), ("$", false), ("a/$/x", false)] {
            assert_eq!(shape(text).is_anchored(), is_anchored, "{text}");
        }
    }

    #[test]
    fn a_path_that_is_too_long_may_be_anything() {
        assert_eq!(
            shape(&"a/".repeat(5_000)).test_within(Path::new("/p"), NameCase::Exact, &mut 0),
            Possibility::Perhaps
        );
    }

    /// Returns the number of steps for the comparison of a glob with a path whose names all have the same ending.
    #[track_caller]
    fn steps(glob: &str, path: &str) -> usize {
        let roots = Roots { project: Some(PathBuf::from("/p")), ..Roots::default() };
        let mut steps = 0;
        let _ =
            PathGlobs::new(&[glob.to_owned()]).unwrap().test_shape(&shape(path), &roots, NameCase::Exact, &mut steps);
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
        use Possibility::{Always, Never, Perhaps};
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
