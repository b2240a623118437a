//! One glob on paths: where it begins, and the components that follow.

mod required;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::path::Path;

use crate::path::shape::{self, Possible};
use crate::path::symbols::{Symbol, takes_all};
use crate::path::wild::{WildId, Wilds};
use crate::path::{Case, Roots, fold};

/// One alternative of one glob.
#[derive(Clone, Copy)]
pub(in crate::path) struct Entry<'t> {
    pub(in crate::path) excludes: bool,
    pub(super) anchor: Anchor,
    pub(super) segments: &'t [Segment],
    pub(super) wilds: &'t Wilds,
}

/// Where the first segment stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    /// Below `/`. Globs for any depth begin with [`Segment::Deep`] here.
    Root,
    /// Below the home directory.
    Home,
    /// Below the project or one of its worktrees, so many directories up.
    Project { up: usize },
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Segment {
    /// `**`: any number of components, none too.
    Deep,
    /// One component.
    One(WildId),
}

/// What a glob could match at or below a directory.
#[derive(Clone, Copy, Default)]
pub(super) struct Reach {
    /// There could be something.
    pub(super) something: bool,
    /// It is all that there could be.
    pub(super) everything: bool,
    /// No `**` stands in front of what leads there.
    pub(super) by_name: bool,
}

impl Entry<'_> {
    /// Tells whether the path that is looked at matches.
    pub(super) fn matches(&self, look: &Look<'_>) -> bool {
        if !self.may_end_as(&look.names) {
            return false;
        }
        look.from(self.anchor).any(|relation| match relation {
            Relation::Below(skipped) => self.matches_from(look.names.get(skipped..).unwrap_or_default()),
            Relation::Above | Relation::Apart => false,
        })
    }

    /// Tells whether this glob could match something at or below the directory that is looked at.
    pub(super) fn may_reach(&self, look: &Look<'_>) -> bool {
        (self.anchor == Anchor::Root && self.begins_deep()) || self.reach(look).something
    }

    /// Tells whether this glob leads to the directory that is looked at by its names alone, or matches all that there could
    /// be at or below it.
    pub(super) fn names(&self, look: &Look<'_>) -> bool {
        // What `**/name` means anywhere below is what exists there.
        if self.begins_deep() && !self.ends_deep() && !look.names.is_empty() && self.anchor == Anchor::Root {
            return false;
        }
        let reach = self.reach(look);
        reach.everything || reach.by_name
    }

    /// Tells whether this glob matches all that there could be at or below the directory that is looked at.
    pub(super) fn covers(&self, look: &Look<'_>) -> bool {
        self.ends_deep() && self.reach(look).everything
    }

    fn begins_deep(&self) -> bool {
        matches!(self.segments.first(), Some(Segment::Deep))
    }

    fn ends_deep(&self) -> bool {
        matches!(self.segments.last(), Some(Segment::Deep))
    }

    /// Tells what this glob could match at or below the directory that is looked at.
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

    /// Tells whether the names behind a directory match.
    pub(in crate::path) fn matches_from(&self, path: &[&str]) -> bool {
        let is_deep = |segment: &Segment| matches!(segment, Segment::Deep);
        self.may_end_as(path)
            && takes_all(self.segments, path, is_deep, |segment, name| self.takes(segment, name), &mut 0)
    }

    /// Tells whether the last name fits: nearly always it decides.
    fn may_end_as(&self, path: &[&str]) -> bool {
        match (self.segments.last(), path.last()) {
            (Some(Segment::One(last)), Some(name)) => self.wilds.get(*last).matches(name),
            _ => true,
        }
    }

    /// Tells whether a segment is a name.
    fn takes(&self, segment: &Segment, name: &str) -> bool {
        match segment {
            Segment::One(wild) => self.wilds.get(*wild).matches(name),
            Segment::Deep => false,
        }
    }

    fn reach_from(&self, names: &[&str], States { open, next }: &mut States) -> Reach {
        // Most lead elsewhere from the first name on.
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

    /// Tells whether the paths of a shape match, whose names are as names compare, and counts the steps that it takes.
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

/// Adds a state, and the states that it reaches because `**` may cover nothing; each once.
fn push_open(open: &mut Vec<usize>, at: usize, segments: &[Segment]) {
    if open.contains(&at) {
        return;
    }
    open.push(at);
    if let Some(Segment::Deep) = segments.get(at) {
        push_open(open, at + 1, segments);
    }
}

/// The segments of a glob that may come next, by their numbers; kept from glob to glob, so that room is made once.
#[derive(Default)]
struct States {
    open: Vec<usize>,
    next: Vec<usize>,
}

impl Anchor {
    /// Returns the directories that a glob begins at.
    fn bases(self, roots: &Roots) -> impl Iterator<Item = &Path> {
        let (fixed, projects, up): (Option<&Path>, bool, usize) = match self {
            Self::Root => (Some(Path::new("/")), false, 0),
            Self::Home => (roots.home.as_deref(), false, 0),
            Self::Project { up } => (None, true, up),
        };
        let project = roots.project.iter().chain(&roots.worktrees).filter(move |_| projects);
        // Most are asked for the directory itself, of very many paths.
        let climbed = project.map(move |dir| match up {
            0 => dir.as_path(),
            up => dir.ancestors().nth(up).unwrap_or(Path::new("/")),
        });
        fixed.into_iter().chain(climbed)
    }
}

/// A path that the entries of a list are compared with, and how it lies to where they begin: most begin at one of a few
/// places.
pub(super) struct Look<'n> {
    names: Vec<&'n str>,
    roots: &'n Roots,
    case: Case,
    home: OnceCell<Vec<Common>>,
    project: OnceCell<Vec<Common>>,
    states: Cell<States>,
}

/// How many names a path and a directory begin with that are the same, and how many the directory has.
struct Common {
    names: usize,
    of: usize,
}

/// How a path lies to a directory.
enum Relation {
    /// At or below it, by the names behind so many.
    Below(usize),
    /// Above it.
    Above,
    Apart,
}

impl Look<'_> {
    /// Returns how the path lies to the directories that a glob begins at.
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

/// The text of a path, as names compare.
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

    /// Returns the names from `/`.
    fn iter(&self) -> impl Iterator<Item = &str> {
        self.text.split('/').filter(|name| !matches!(*name, "" | "." | ".."))
    }

    /// Looks at the path.
    pub(super) fn look<'n>(&'n self, roots: &'n Roots) -> Look<'n> {
        let (names, case) = (self.iter().collect(), self.case);
        Look { names, roots, case, home: OnceCell::new(), project: OnceCell::new(), states: Cell::default() }
    }
}
