//! One path glob: its anchor, and the components that follow.

mod required;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::path::Path;

use crate::path::shape::{self, Possible};
use crate::path::symbols::{Symbol, takes_all};
use crate::path::wild::{WildId, Wilds};
use crate::path::{Case, Roots, fold};

/// One brace alternative of a glob.
#[derive(Clone, Copy)]
pub(in crate::path) struct Entry<'t> {
    pub(in crate::path) excludes: bool,
    pub(super) anchor: Anchor,
    pub(super) segments: &'t [Segment],
    pub(super) wilds: &'t Wilds,
}

/// The directory to which the first segment is relative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    /// Below `/`. Globs for any depth begin with [`Segment::Deep`] here.
    Root,
    /// Below the home directory.
    Home,
    /// An ancestor, this many levels up, of the project or one of its worktrees.
    Project { up: usize },
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Segment {
    /// `**`: any number of components, or none.
    Deep,
    /// One component.
    One(WildId),
}

/// The matches that a glob could have at or below a directory.
#[derive(Clone, Copy, Default)]
pub(super) struct Reach {
    /// There could be a match.
    pub(super) something: bool,
    /// Everything there matches.
    pub(super) everything: bool,
    /// The segments that lead there contain no `**`.
    pub(super) by_name: bool,
}

impl Entry<'_> {
    /// Whether the path of `look` matches.
    pub(super) fn matches(&self, look: &Look<'_>) -> bool {
        if !self.may_end_as(&look.names) {
            return false;
        }
        look.from(self.anchor).any(|relation| match relation {
            Relation::Below(skipped) => self.matches_from(look.names.get(skipped..).unwrap_or_default()),
            Relation::Above | Relation::Apart => false,
        })
    }

    /// Whether this glob could match something at or below the directory of `look`.
    pub(super) fn may_reach(&self, look: &Look<'_>) -> bool {
        (self.anchor == Anchor::Root && self.begins_deep()) || self.reach(look).something
    }

    /// Whether this glob names the directory of `look` without `**`, or matches everything at or below it.
    pub(super) fn names(&self, look: &Look<'_>) -> bool {
        // `**/name` only refers to files that exist.
        if self.begins_deep() && !self.ends_deep() && !look.names.is_empty() && self.anchor == Anchor::Root {
            return false;
        }
        let reach = self.reach(look);
        reach.everything || reach.by_name
    }

    /// Whether this glob matches everything at or below the directory of `look`.
    pub(super) fn covers(&self, look: &Look<'_>) -> bool {
        self.ends_deep() && self.reach(look).everything
    }

    fn begins_deep(&self) -> bool {
        matches!(self.segments.first(), Some(Segment::Deep))
    }

    fn ends_deep(&self) -> bool {
        matches!(self.segments.last(), Some(Segment::Deep))
    }

    /// Returns what this glob could match at or below the directory of `look`.
    pub(super) fn reach(&self, look: &Look<'_>) -> Reach {
        let mut reach = Reach::default();
        for relation in look.from(self.anchor) {
            let here = match relation {
                Relation::Below(skipped) => {
                    let mut states = look.states.take();
                    let reach = self.reach_from(look.names.get(skipped..).unwrap_or_default(), &mut states);
                    look.states.set(states);
                    reach
                }
                Relation::Above => Reach { something: true, everything: false, by_name: true },
                Relation::Apart => Reach::default(),
            };
            reach.something |= here.something;
            reach.everything |= here.everything;
            reach.by_name |= here.by_name;
        }
        reach
    }

    /// Whether names below a directory match.
    pub(in crate::path) fn matches_from(&self, path: &[&str]) -> bool {
        let is_deep = |segment: &Segment| matches!(segment, Segment::Deep);
        self.may_end_as(path)
            && takes_all(self.segments, path, is_deep, |segment, name| self.takes(segment, name), &mut 0)
    }

    /// Whether the last name fits: nearly always it decides.
    fn may_end_as(&self, path: &[&str]) -> bool {
        match (self.segments.last(), path.last()) {
            (Some(Segment::One(last)), Some(name)) => self.wilds.get(*last).matches(name),
            _ => true,
        }
    }

    /// Whether a segment matches a name.
    fn takes(&self, segment: &Segment, name: &str) -> bool {
        match segment {
            Segment::One(wild) => self.wilds.get(*wild).matches(name),
            Segment::Deep => false,
        }
    }

    fn reach_from(&self, names: &[&str], States { open, next }: &mut States) -> Reach {
        // Most globs already differ in the first name.
        if let (Some(first @ Segment::One(_)), Some(name)) = (self.segments.first(), names.first())
            && !self.takes(first, name)
        {
            return Reach::default();
        }
        let after = |left: usize| self.segments.get(left..).unwrap_or_default();
        open.clear();
        push_open(open, 0, self.segments);
        let by_name = self.segments.len() > names.len()
            && !matches!(self.segments.get(names.len()), Some(Segment::Deep))
            && self.segments.iter().zip(names).all(|(segment, name)| self.takes(segment, name));
        for name in names {
            next.clear();
            for at in open.iter() {
                match self.segments.get(*at) {
                    Some(Segment::Deep) => push_open(next, *at, self.segments),
                    Some(one) if self.takes(one, name) => push_open(next, at + 1, self.segments),
                    _ => {}
                }
            }
            std::mem::swap(open, next);
            if open.is_empty() {
                break;
            }
        }
        let is_everything = |at: &usize| match after(*at) {
            [Segment::Deep] => true,
            [Segment::One(wild), Segment::Deep] => self.wilds.get(*wild).is_any(),
            _ => false,
        };
        Reach { something: !open.is_empty(), everything: open.iter().any(is_everything), by_name }
    }

    /// Whether the paths of a shape match; its names are already folded according to `case`. Counts the steps.
    pub(super) fn fit(&self, shape: &[shape::Segment], roots: &Roots, case: Case, steps: &mut usize) -> Possible {
        // Nearly always the last name decides.
        if let (Some(Segment::One(wild)), Some(shape::Segment::Name(name))) = (self.segments.last(), shape.last())
            && !Symbol::meet(&self.wilds.get(*wild).symbols(), name, steps)
        {
            return Possible::Never;
        }
        let mut result = Possible::Never;
        for base in self.anchor.bases(roots) {
            let names = Names::of(base, case);
            let start = names.iter().map(|name| name.chars().map(Symbol::Char).collect());
            let mut row: Vec<shape::Segment> = start.map(shape::Segment::Name).collect();
            row.extend(self.segments.iter().map(|segment| match segment {
                Segment::Deep => shape::Segment::Deep,
                Segment::One(wild) => shape::Segment::Name(self.wilds.get(*wild).symbols()),
            }));
            match shape::fit(&row, shape, steps) {
                Possible::Always => return Possible::Always,
                Possible::Perhaps => result = Possible::Perhaps,
                Possible::Never => {}
            }
        }
        result
    }
}

/// Adds a state, and the states after it that an empty `**` reaches; each once.
fn push_open(open: &mut Vec<usize>, at: usize, segments: &[Segment]) {
    if open.contains(&at) {
        return;
    }
    open.push(at);
    if let Some(Segment::Deep) = segments.get(at) {
        push_open(open, at + 1, segments);
    }
}

/// The indices of the segments that may come next; kept from glob to glob to reuse the allocation.
#[derive(Default)]
struct States {
    open: Vec<usize>,
    next: Vec<usize>,
}

impl Anchor {
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
pub(super) struct Look<'n> {
    names: Vec<&'n str>,
    roots: &'n Roots,
    case: Case,
    home: OnceCell<Vec<Common>>,
    project: OnceCell<Vec<Common>>,
    states: Cell<States>,
}

/// The length of the common prefix of a path and a directory, and the length of the directory, in names.
struct Common {
    names: usize,
    of: usize,
}

/// The relation of a path to a directory.
enum Relation {
    /// At or below it: the remaining names begin at this index.
    Below(usize),
    /// Above it.
    Above,
    Apart,
}

impl Look<'_> {
    /// Returns the relation of the path to the directories that a glob is relative to.
    fn from(&self, anchor: Anchor) -> impl Iterator<Item = Relation> {
        let common = |anchor: Anchor| anchor.bases(self.roots).map(|base| self.common(base)).collect();
        let (all, up): (&[Common], usize) = match anchor {
            Anchor::Root => (&[Common { names: 0, of: 0 }], 0),
            Anchor::Home => (self.home.get_or_init(|| common(anchor)), 0),
            Anchor::Project { up } => (self.project.get_or_init(|| common(Anchor::Project { up: 0 })), up),
        };
        all.iter().map(move |common| match common.of.saturating_sub(up) {
            of if of <= common.names => Relation::Below(of),
            _ if common.names == self.names.len() => Relation::Above,
            _ => Relation::Apart,
        })
    }

    /// Compares the path with a normalised directory.
    fn common(&self, base: &Path) -> Common {
        let base = Names::of(base, self.case);
        let (mut names, mut of) = (0, 0);
        for name in base.iter() {
            if names == of && self.names.get(names) == Some(&name) {
                names += 1;
            }
            of += 1;
        }
        Common { names, of }
    }
}

/// The text of a path, folded according to `case`.
pub(super) struct Names<'p> {
    text: Cow<'p, str>,
    case: Case,
}

impl<'p> Names<'p> {
    pub(super) fn of(path: &'p Path, case: Case) -> Self {
        let text = match (case, path.to_string_lossy()) {
            (Case::Exact, text) => text,
            (Case::Folded, Cow::Borrowed(text)) => fold(text),
            (Case::Folded, Cow::Owned(text)) => Cow::Owned(fold(&text).into_owned()),
        };
        Self { text, case }
    }

    /// Returns the names from `/` on.
    fn iter(&self) -> impl Iterator<Item = &str> {
        self.text.split('/').filter(|name| !matches!(*name, "" | "." | ".."))
    }

    /// Prepares the path for comparisons.
    pub(super) fn look<'n>(&'n self, roots: &'n Roots) -> Look<'n> {
        let (names, case) = (self.iter().collect(), self.case);
        Look { names, roots, case, home: OnceCell::new(), project: OnceCell::new(), states: Cell::default() }
    }
}
