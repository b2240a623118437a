//! A compiled glob on paths: the directory that it is relative to, and its segments.

mod required;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::path::Path;

use crate::path::shape::{self, Possibility};
use crate::path::symbols::{NameSymbol, has_full_match};
use crate::path::wild::{CompiledGlobs, GlobId};
use crate::path::{NameCase, Roots, fold, is_separator};

/// One alternative of a glob on paths, compiled: `src/*.rs` of `src/*.{rs,c}`.
#[derive(Clone, Copy)]
pub(in crate::path) struct GlobEntry<'t> {
    /// Whether the glob excludes the paths that it matches: `!src/**`.
    pub(in crate::path) excludes: bool,
    pub(super) anchor: GlobAnchor,
    pub(super) segments: &'t [GlobSegment],
    pub(super) wilds: &'t CompiledGlobs,
}

/// The directory that the first segment of a glob is relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GlobAnchor {
    /// The root `/`. A glob that matches at any depth begins with [`GlobSegment::Deep`].
    Root,
    /// The home directory.
    Home,
    /// The ancestor, `up` levels above, of the project and of each of its worktrees: `../other/*` has `up` 1.
    Project { up: usize },
}

/// A segment of a glob, between two slashes.
#[derive(Clone, Copy, Debug)]
pub(super) enum GlobSegment {
    /// `**`: any number of names, perhaps none.
    Deep,
    /// A glob on one name.
    One(GlobId),
}

/// How much a glob could match at or below a directory.
#[derive(Clone, Copy, Default)]
pub(super) struct GlobReach {
    /// Whether the glob could match something there.
    pub(super) something: bool,
    /// Whether the glob matches everything there.
    pub(super) everything: bool,
    /// Whether segments without `**` lead there.
    pub(super) by_name: bool,
}

impl GlobEntry<'_> {
    /// Whether the glob matches the path of the query.
    pub(super) fn matches(&self, query: &PathQuery<'_>) -> bool {
        if !self.may_end_as(&query.names) {
            return false;
        }
        query.relations(self.anchor).any(|relation| match relation {
            DirectoryRelation::Below(skipped) => self.matches_from(query.names.get(skipped..).unwrap_or_default()),
            DirectoryRelation::Above | DirectoryRelation::Apart => false,
        })
    }

    /// Whether the glob could match something at or below the directory of the query.
    pub(super) fn may_reach(&self, query: &PathQuery<'_>) -> bool {
        (self.anchor == GlobAnchor::Root && self.has_deep_start()) || self.reach_below(query).something
    }

    /// Whether the glob leads to the directory of the query without `**`, or matches everything at or below it.
    pub(super) fn leads_to(&self, query: &PathQuery<'_>) -> bool {
        // `**/name` only refers to files that exist.
        if self.has_deep_start() && !self.has_deep_end() && !query.names.is_empty() && self.anchor == GlobAnchor::Root {
            return false;
        }
        let reach = self.reach_below(query);
        reach.everything || reach.by_name
    }

    /// Whether the glob matches everything at or below the directory of the query.
    pub(super) fn matches_all_below(&self, query: &PathQuery<'_>) -> bool {
        self.has_deep_end() && self.reach_below(query).everything
    }

    /// Whether the glob begins with `**`.
    fn has_deep_start(&self) -> bool {
        matches!(self.segments.first(), Some(GlobSegment::Deep))
    }

    /// Whether the glob ends in `**`.
    fn has_deep_end(&self) -> bool {
        matches!(self.segments.last(), Some(GlobSegment::Deep))
    }

    /// Returns what the glob could match at or below the directory of the query.
    pub(super) fn reach_below(&self, query: &PathQuery<'_>) -> GlobReach {
        let mut reach = GlobReach::default();
        for relation in query.relations(self.anchor) {
            let here = match relation {
                DirectoryRelation::Below(skipped) => {
                    let mut states = query.states.take();
                    let reach = self.reach_from(query.names.get(skipped..).unwrap_or_default(), &mut states);
                    query.states.set(states);
                    reach
                }
                DirectoryRelation::Above => GlobReach { something: true, everything: false, by_name: true },
                DirectoryRelation::Apart => GlobReach::default(),
            };
            reach.something |= here.something;
            reach.everything |= here.everything;
            reach.by_name |= here.by_name;
        }
        reach
    }

    /// Whether the glob matches a path of these names, relative to its anchor.
    pub(in crate::path) fn matches_from(&self, path: &[&str]) -> bool {
        let is_deep = |segment: &GlobSegment| matches!(segment, GlobSegment::Deep);
        self.may_end_as(path)
            && has_full_match(
                self.segments,
                path,
                is_deep,
                |segment, name| self.is_segment_match(segment, name),
                &mut 0,
            )
    }

    /// Whether the last segment can match the last name of a path. The callers check this first, since it rejects most
    /// paths.
    fn may_end_as(&self, path: &[&str]) -> bool {
        match (self.segments.last(), path.last()) {
            (Some(GlobSegment::One(last)), Some(name)) => self.wilds.get(*last).matches(name),
            _ => true,
        }
    }

    /// Whether a segment matches a name. `**` does not: the callers handle it.
    fn is_segment_match(&self, segment: &GlobSegment, name: &str) -> bool {
        match segment {
            GlobSegment::One(wild) => self.wilds.get(*wild).matches(name),
            GlobSegment::Deep => false,
        }
    }

    /// Returns what the glob could match at or below a directory whose path relative to the anchor consists of
    /// `names`.
    fn reach_from(&self, names: &[&str], SegmentStates { open, next }: &mut SegmentStates) -> GlobReach {
        // In most cases the first name already differs.
        if let (Some(first @ GlobSegment::One(_)), Some(name)) = (self.segments.first(), names.first())
            && !self.is_segment_match(first, name)
        {
            return GlobReach::default();
        }
        let segments_from = |at: usize| self.segments.get(at..).unwrap_or_default();
        open.clear();
        push_open(open, 0, self.segments);
        let by_name = self.segments.len() > names.len()
            && !matches!(self.segments.get(names.len()), Some(GlobSegment::Deep))
            && self.segments.iter().zip(names).all(|(segment, name)| self.is_segment_match(segment, name));
        for name in names {
            next.clear();
            for at in open.iter() {
                match self.segments.get(*at) {
                    Some(GlobSegment::Deep) => push_open(next, *at, self.segments),
                    Some(one) if self.is_segment_match(one, name) => push_open(next, at + 1, self.segments),
                    _ => {}
                }
            }
            std::mem::swap(open, next);
            if open.is_empty() {
                break;
            }
        }
        let is_everything = |at: &usize| match segments_from(*at) {
            [GlobSegment::Deep] => true,
            [GlobSegment::One(wild), GlobSegment::Deep] => self.wilds.get(*wild).is_any(),
            _ => false,
        };
        GlobReach { something: !open.is_empty(), everything: open.iter().any(is_everything), by_name }
    }

    /// Tests whether the glob matches the paths of a shape, whose names are already folded by `case`. Adds the number
    /// of comparisons to `steps`.
    pub(super) fn test_shape(
        &self,
        shape: &[shape::ShapeSegment],
        roots: &Roots,
        case: NameCase,
        steps: &mut usize,
    ) -> Possibility {
        // In most cases the last name already differs.
        if let (Some(GlobSegment::One(wild)), Some(shape::ShapeSegment::Name(name))) =
            (self.segments.last(), shape.last())
            && !NameSymbol::has_common_name(&self.wilds.get(*wild).symbols(), name, steps)
        {
            return Possibility::Never;
        }
        let mut result = Possibility::Never;
        for base in self.anchor.bases(roots) {
            let names = PathNames::new(base, case);
            let base_segments = names.iter().map(|name| name.chars().map(NameSymbol::Char).collect());
            let mut glob: Vec<shape::ShapeSegment> = base_segments.map(shape::ShapeSegment::Name).collect();
            glob.extend(self.segments.iter().map(|segment| match segment {
                GlobSegment::Deep => shape::ShapeSegment::Deep,
                GlobSegment::One(wild) => shape::ShapeSegment::Name(self.wilds.get(*wild).symbols()),
            }));
            match shape::test_segments(&glob, shape, steps) {
                Possibility::Always => return Possibility::Always,
                Possibility::Perhaps => result = Possibility::Perhaps,
                Possibility::Never => {}
            }
        }
        result
    }
}

/// Adds the index of a segment to those that the next name may match. If the segment is `**`, which may be empty, also
/// adds the next index. Adds no index twice.
fn push_open(open: &mut Vec<usize>, at: usize, segments: &[GlobSegment]) {
    if open.contains(&at) {
        return;
    }
    open.push(at);
    if let Some(GlobSegment::Deep) = segments.get(at) {
        push_open(open, at + 1, segments);
    }
}

/// The indices of the segments that the next name may match. The query keeps the vectors, so that globs reuse them.
#[derive(Default)]
struct SegmentStates {
    open: Vec<usize>,
    /// The indices for the name after that, while they are collected.
    next: Vec<usize>,
}

impl GlobAnchor {
    /// Returns the directories that a glob with this anchor is relative to.
    fn bases(self, roots: &Roots) -> impl Iterator<Item = &Path> {
        let (fixed, is_project, up): (Option<&Path>, bool, usize) = match self {
            Self::Root => (Some(Path::new("/")), false, 0),
            Self::Home => (roots.home.as_deref(), false, 0),
            Self::Project { up } => (None, true, up),
        };
        let project = roots.project.iter().chain(&roots.worktrees).filter(move |_| is_project);
        // For most globs `up` is 0, and this code runs for very many paths, so it avoids `ancestors`.
        let ancestors = project.map(move |dir| match up {
            0 => dir.as_path(),
            up => dir.ancestors().nth(up).unwrap_or(Path::new("/")),
        });
        fixed.into_iter().chain(ancestors)
    }
}

/// A path that is compared with the entries of a list. Its relations to the anchors are cached, since all entries
/// share a few anchors.
pub(super) struct PathQuery<'n> {
    names: Vec<&'n str>,
    roots: &'n Roots,
    case: NameCase,
    /// The common prefix with the home directory.
    home: OnceCell<Vec<CommonPrefix>>,
    /// The common prefixes with the project and its worktrees.
    project: OnceCell<Vec<CommonPrefix>>,
    states: Cell<SegmentStates>,
}

/// How many names a path and a directory have in common.
struct CommonPrefix {
    /// The number of names at the start that both have.
    shared: usize,
    /// The number of names of the directory.
    length: usize,
}

/// The relation of a path to a directory.
enum DirectoryRelation {
    /// The path is the directory or below it. The names below it begin at this index.
    Below(usize),
    /// The path is above the directory.
    Above,
    /// Neither of them contains the other.
    Apart,
}

impl PathQuery<'_> {
    /// Returns the relation of the path to each directory that a glob with this anchor is relative to.
    fn relations(&self, anchor: GlobAnchor) -> impl Iterator<Item = DirectoryRelation> {
        let common = |anchor: GlobAnchor| anchor.bases(self.roots).map(|base| self.common(base)).collect();
        let (prefixes, up): (&[CommonPrefix], usize) = match anchor {
            GlobAnchor::Root => (&[CommonPrefix { shared: 0, length: 0 }], 0),
            GlobAnchor::Home => (self.home.get_or_init(|| common(anchor)), 0),
            GlobAnchor::Project { up } => (self.project.get_or_init(|| common(GlobAnchor::Project { up: 0 })), up),
        };
        prefixes.iter().map(move |common| match common.length.saturating_sub(up) {
            anchor_length if anchor_length <= common.shared => DirectoryRelation::Below(anchor_length),
            _ if common.shared == self.names.len() => DirectoryRelation::Above,
            _ => DirectoryRelation::Apart,
        })
    }

    /// Returns what the path has in common with a normalised directory.
    fn common(&self, base: &Path) -> CommonPrefix {
        let base = PathNames::new(base, self.case);
        let (mut common_names, mut base_length) = (0, 0);
        for name in base.iter() {
            if common_names == base_length && self.names.get(common_names) == Some(&name) {
                common_names += 1;
            }
            base_length += 1;
        }
        CommonPrefix { shared: common_names, length: base_length }
    }
}

/// The text of a path, folded if names are compared without case.
pub(super) struct PathNames<'p> {
    text: Cow<'p, str>,
    case: NameCase,
}

impl<'p> PathNames<'p> {
    /// Returns the names of a path, folded if `case` demands that.
    pub(super) fn new(path: &'p Path, case: NameCase) -> Self {
        let text = match (case, path.to_string_lossy()) {
            (NameCase::Exact, text) => text,
            (NameCase::Folded, Cow::Borrowed(text)) => fold(text),
            (NameCase::Folded, Cow::Owned(text)) => Cow::Owned(fold(&text).into_owned()),
        };
        Self { text, case }
    }

    /// Returns the names of the path, from `/` on.
    fn iter(&self) -> impl Iterator<Item = &str> {
        self.text.split(is_separator).filter(|name| !matches!(*name, "" | "." | ".."))
    }

    /// Prepares the path for comparison with globs.
    pub(super) fn query<'n>(&'n self, roots: &'n Roots) -> PathQuery<'n> {
        let (names, case) = (self.iter().collect(), self.case);
        PathQuery { names, roots, case, home: OnceCell::new(), project: OnceCell::new(), states: Cell::default() }
    }
}
