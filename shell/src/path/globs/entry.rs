//! One path glob: its anchor, and the components that follow.

mod required;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::path::Path;

use crate::path::shape::{self, Possibility};
use crate::path::symbols::{NameSymbol, has_full_match};
use crate::path::wild::{CompiledGlobs, GlobId};
use crate::path::{NameCase, Roots, fold};

/// One brace alternative of a glob.
#[derive(Clone, Copy)]
pub(in crate::path) struct GlobEntry<'t> {
    pub(in crate::path) excludes: bool,
    pub(super) anchor: GlobAnchor,
    pub(super) segments: &'t [GlobSegment],
    pub(super) wilds: &'t CompiledGlobs,
}

/// The directory to which the first segment is relative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GlobAnchor {
    /// Below `/`. Globs for any depth begin with [`GlobSegment::Deep`] here.
    Root,
    /// Below the home directory.
    Home,
    /// An ancestor, this many levels up, of the project or one of its worktrees.
    Project { up: usize },
}

#[derive(Clone, Copy, Debug)]
pub(super) enum GlobSegment {
    /// `**`: any number of components, or none.
    Deep,
    /// One component.
    One(GlobId),
}

/// The matches that a glob could have at or below a directory.
#[derive(Clone, Copy, Default)]
pub(super) struct GlobReach {
    /// There could be a match.
    pub(super) something: bool,
    /// Everything there matches.
    pub(super) everything: bool,
    /// The segments that lead there contain no `**`.
    pub(super) by_name: bool,
}

impl GlobEntry<'_> {
    /// Whether the path of `look` matches.
    pub(super) fn matches(&self, look: &PathQuery<'_>) -> bool {
        if !self.may_end_as(&look.names) {
            return false;
        }
        look.relations(self.anchor).any(|relation| match relation {
            DirectoryRelation::Below(skipped) => self.matches_from(look.names.get(skipped..).unwrap_or_default()),
            DirectoryRelation::Above | DirectoryRelation::Apart => false,
        })
    }

    /// Whether this glob could match something at or below the directory of `look`.
    pub(super) fn may_reach(&self, look: &PathQuery<'_>) -> bool {
        (self.anchor == GlobAnchor::Root && self.has_deep_start()) || self.reach_below(look).something
    }

    /// Whether this glob names the directory of `look` without `**`, or matches everything at or below it.
    pub(super) fn names(&self, look: &PathQuery<'_>) -> bool {
        // `**/name` only refers to files that exist.
        if self.has_deep_start() && !self.has_deep_end() && !look.names.is_empty() && self.anchor == GlobAnchor::Root {
            return false;
        }
        let reach = self.reach_below(look);
        reach.everything || reach.by_name
    }

    /// Whether this glob matches everything at or below the directory of `look`.
    pub(super) fn matches_all_below(&self, look: &PathQuery<'_>) -> bool {
        self.has_deep_end() && self.reach_below(look).everything
    }

    fn has_deep_start(&self) -> bool {
        matches!(self.segments.first(), Some(GlobSegment::Deep))
    }

    fn has_deep_end(&self) -> bool {
        matches!(self.segments.last(), Some(GlobSegment::Deep))
    }

    /// Returns what this glob could match at or below the directory of `look`.
    pub(super) fn reach_below(&self, look: &PathQuery<'_>) -> GlobReach {
        let mut reach = GlobReach::default();
        for relation in look.relations(self.anchor) {
            let here = match relation {
                DirectoryRelation::Below(skipped) => {
                    let mut states = look.states.take();
                    let reach = self.reach_from(look.names.get(skipped..).unwrap_or_default(), &mut states);
                    look.states.set(states);
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

    /// Whether names below a directory match.
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

    /// Whether the last name fits: nearly always it decides.
    fn may_end_as(&self, path: &[&str]) -> bool {
        match (self.segments.last(), path.last()) {
            (Some(GlobSegment::One(last)), Some(name)) => self.wilds.get(*last).matches(name),
            _ => true,
        }
    }

    /// Whether a segment matches a name.
    fn is_segment_match(&self, segment: &GlobSegment, name: &str) -> bool {
        match segment {
            GlobSegment::One(wild) => self.wilds.get(*wild).matches(name),
            GlobSegment::Deep => false,
        }
    }

    fn reach_from(&self, names: &[&str], SegmentStates { open, next }: &mut SegmentStates) -> GlobReach {
        // Most globs already differ in the first name.
        if let (Some(first @ GlobSegment::One(_)), Some(name)) = (self.segments.first(), names.first())
            && !self.is_segment_match(first, name)
        {
            return GlobReach::default();
        }
        let after = |left: usize| self.segments.get(left..).unwrap_or_default();
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
        let is_everything = |at: &usize| match after(*at) {
            [GlobSegment::Deep] => true,
            [GlobSegment::One(wild), GlobSegment::Deep] => self.wilds.get(*wild).is_any(),
            _ => false,
        };
        GlobReach { something: !open.is_empty(), everything: open.iter().any(is_everything), by_name }
    }

    /// Whether the paths of a shape match; its names are already folded according to `case`. Counts the steps.
    pub(super) fn test_shape(
        &self,
        shape: &[shape::ShapeSegment],
        roots: &Roots,
        case: NameCase,
        steps: &mut usize,
    ) -> Possibility {
        // Nearly always the last name decides.
        if let (Some(GlobSegment::One(wild)), Some(shape::ShapeSegment::Name(name))) =
            (self.segments.last(), shape.last())
            && !NameSymbol::has_common_name(&self.wilds.get(*wild).symbols(), name, steps)
        {
            return Possibility::Never;
        }
        let mut result = Possibility::Never;
        for base in self.anchor.bases(roots) {
            let names = PathNames::new(base, case);
            let start = names.iter().map(|name| name.chars().map(NameSymbol::Char).collect());
            let mut row: Vec<shape::ShapeSegment> = start.map(shape::ShapeSegment::Name).collect();
            row.extend(self.segments.iter().map(|segment| match segment {
                GlobSegment::Deep => shape::ShapeSegment::Deep,
                GlobSegment::One(wild) => shape::ShapeSegment::Name(self.wilds.get(*wild).symbols()),
            }));
            match shape::test_segments(&row, shape, steps) {
                Possibility::Always => return Possibility::Always,
                Possibility::Perhaps => result = Possibility::Perhaps,
                Possibility::Never => {}
            }
        }
        result
    }
}

/// Adds a state, and the states after it that an empty `**` reaches; each once.
fn push_open(open: &mut Vec<usize>, at: usize, segments: &[GlobSegment]) {
    if open.contains(&at) {
        return;
    }
    open.push(at);
    if let Some(GlobSegment::Deep) = segments.get(at) {
        push_open(open, at + 1, segments);
    }
}

/// The indices of the segments that may come next; kept from glob to glob to reuse the allocation.
#[derive(Default)]
struct SegmentStates {
    open: Vec<usize>,
    next: Vec<usize>,
}

impl GlobAnchor {
    /// Returns the directories that a glob is relative to.
    fn bases(self, roots: &Roots) -> impl Iterator<Item = &Path> {
        let (fixed, projects, up): (Option<&Path>, bool, usize) = match self {
            Self::Root => (Some(Path::new("/")), false, 0),
            Self::Home => (roots.home.as_deref(), false, 0),
            Self::Project { up } => (None, true, up),
        };
        let project = roots.project.iter().chain(&roots.worktrees).filter(move |_| projects);
        // In most globs it is the directory itself, and this runs for very many paths.
        let climbed = project.map(move |dir| match up {
            0 => dir.as_path(),
            up => dir.ancestors().nth(up).unwrap_or(Path::new("/")),
        });
        fixed.into_iter().chain(climbed)
    }
}

/// A path to compare with the entries of a list, and its relation to their anchors: most have one of a few anchors.
pub(super) struct PathQuery<'n> {
    names: Vec<&'n str>,
    roots: &'n Roots,
    case: NameCase,
    home: OnceCell<Vec<CommonPrefix>>,
    project: OnceCell<Vec<CommonPrefix>>,
    states: Cell<SegmentStates>,
}

/// The length of the common prefix of a path and a directory, and the length of the directory, in names.
struct CommonPrefix {
    shared: usize,
    length: usize,
}

/// The relation of a path to a directory.
enum DirectoryRelation {
    /// At or below it: the remaining names begin at this index.
    Below(usize),
    /// Above it.
    Above,
    Apart,
}

impl PathQuery<'_> {
    /// Returns the relation of the path to the directories that a glob is relative to.
    fn relations(&self, anchor: GlobAnchor) -> impl Iterator<Item = DirectoryRelation> {
        let common = |anchor: GlobAnchor| anchor.bases(self.roots).map(|base| self.common(base)).collect();
        let (all, up): (&[CommonPrefix], usize) = match anchor {
            GlobAnchor::Root => (&[CommonPrefix { shared: 0, length: 0 }], 0),
            GlobAnchor::Home => (self.home.get_or_init(|| common(anchor)), 0),
            GlobAnchor::Project { up } => (self.project.get_or_init(|| common(GlobAnchor::Project { up: 0 })), up),
        };
        all.iter().map(move |common| match common.length.saturating_sub(up) {
            of if of <= common.shared => DirectoryRelation::Below(of),
            _ if common.shared == self.names.len() => DirectoryRelation::Above,
            _ => DirectoryRelation::Apart,
        })
    }

    /// Compares the path with a normalised directory.
    fn common(&self, base: &Path) -> CommonPrefix {
        let base = PathNames::new(base, self.case);
        let (mut names, mut of) = (0, 0);
        for name in base.iter() {
            if names == of && self.names.get(names) == Some(&name) {
                names += 1;
            }
            of += 1;
        }
        CommonPrefix { shared: names, length: of }
    }
}

/// The text of a path, folded according to `case`.
pub(super) struct PathNames<'p> {
    text: Cow<'p, str>,
    case: NameCase,
}

impl<'p> PathNames<'p> {
    pub(super) fn new(path: &'p Path, case: NameCase) -> Self {
        let text = match (case, path.to_string_lossy()) {
            (NameCase::Exact, text) => text,
            (NameCase::Folded, Cow::Borrowed(text)) => fold(text),
            (NameCase::Folded, Cow::Owned(text)) => Cow::Owned(fold(&text).into_owned()),
        };
        Self { text, case }
    }

    /// Returns the names from `/` on.
    fn iter(&self) -> impl Iterator<Item = &str> {
        self.text.split('/').filter(|name| !matches!(*name, "" | "." | ".."))
    }

    /// Prepares the path for comparisons.
    pub(super) fn query<'n>(&'n self, roots: &'n Roots) -> PathQuery<'n> {
        let (names, case) = (self.iter().collect(), self.case);
        PathQuery { names, roots, case, home: OnceCell::new(), project: OnceCell::new(), states: Cell::default() }
    }
}
