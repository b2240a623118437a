//! Lists of globs, on paths and on other strings: the last entry that matches decides, `!` excludes.

use std::fmt;
use std::path::{Component, Path};
use std::sync::OnceLock;

use globset::GlobBuilder;

use super::braces::expand;
use super::wild::Wild;
use super::{Case, Roots, after_home, fold};

/// What is wrong with a list of globs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternError {
    /// The entry at fault; for problems of the whole list its first.
    pub index: usize,
    /// The kind of problem.
    pub problem: PatternProblem,
    /// A lowercase fragment about it.
    pub message: String,
}

/// The kinds of problems a list of globs can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternProblem {
    /// An entry cannot be read.
    Syntax,
    /// Every entry excludes: nothing can match.
    ExclusionsOnly,
    /// There is no entry.
    Empty,
}

/// A list of globs on paths. Checked when made, compiled at the first use.
#[derive(Clone)]
pub struct PathGlobs {
    patterns: Vec<String>,
    exact: OnceLock<Vec<Entry>>,
    folded: OnceLock<Vec<Entry>>,
}

/// One alternative of one glob.
#[derive(Clone)]
struct Entry {
    excludes: bool,
    anchor: Anchor,
    segments: Vec<Segment>,
}

/// Where the first segment stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Anchor {
    /// Below `/`. Globs for any depth begin with [`Segment::Deep`] here.
    Root,
    /// Below the home directory.
    Home,
    /// Below the project or one of its worktrees, so many directories up.
    Project { up: usize },
}

#[derive(Clone)]
enum Segment {
    /// `**`: any number of components, none too.
    Deep,
    /// One component.
    One(Wild),
}

impl PathGlobs {
    /// Makes a list.
    ///
    /// # Errors
    /// An entry that cannot be read, a list that only excludes, an empty list.
    pub fn new(patterns: &[String]) -> Result<Self, PatternError> {
        check(patterns)?;
        compile_paths(patterns)?;
        Ok(Self::from_checked(patterns.to_vec()))
    }

    /// Makes a list from patterns that [`PathGlobs::new`] accepted before, and looks at none of them.
    #[must_use]
    pub fn from_checked(patterns: Vec<String>) -> Self {
        Self { patterns, exact: OnceLock::new(), folded: OnceLock::new() }
    }

    /// Returns the patterns as they were written.
    #[must_use]
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Tells whether a normalised path is in the list.
    #[must_use]
    pub fn matches(&self, path: &Path, roots: &Roots, case: Case) -> bool {
        let names = Names::of(path, case);
        let path = names.split();
        let places = Places::of(roots, case);
        let decides = |entry: &&Entry| entry.below_roots(&path, &places).any(|rest| entry.matches(rest));
        self.entries(case).iter().rev().find(decides).is_some_and(|entry| !entry.excludes)
    }

    /// Tells whether something at or below a normalised directory could be in the list.
    ///
    /// Never says no where a file below could match. Says no where nothing can, whatever files there are, and
    /// where a later `!D/**` covers the whole directory; `D/**` counts D itself.
    #[must_use]
    pub fn could_match_below(&self, dir: &Path, roots: &Roots, case: Case) -> bool {
        let names = Names::of(dir, case);
        let path = names.split();
        let places = Places::of(roots, case);
        for entry in self.entries(case).iter().rev() {
            let (reaches, covers) = entry.reach(&path, &places);
            if entry.excludes && covers {
                return false;
            }
            if !entry.excludes && reaches {
                return true;
            }
        }
        false
    }

    fn entries(&self, case: Case) -> &[Entry] {
        // INVARIANT: the patterns were checked, so compiling them does not fail.
        let compile = || compile_paths(&self.patterns).unwrap_or_default();
        match case {
            Case::Exact => self.exact.get_or_init(compile),
            Case::Folded => self.folded.get_or_init(|| compile().into_iter().map(Entry::folded).collect()),
        }
    }
}

impl fmt::Debug for PathGlobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PathGlobs").field(&self.patterns).finish()
    }
}

impl PartialEq for PathGlobs {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

impl Eq for PathGlobs {}

/// A list of globs on strings that are no paths: `*` and `?` cover everything, case counts.
#[derive(Clone)]
pub struct TextGlobs {
    patterns: Vec<String>,
    entries: OnceLock<Vec<(bool, Wild)>>,
}

impl TextGlobs {
    /// Makes a list.
    ///
    /// # Errors
    /// As [`PathGlobs::new`].
    pub fn new(patterns: &[String]) -> Result<Self, PatternError> {
        check(patterns)?;
        compile_texts(patterns)?;
        Ok(Self::from_checked(patterns.to_vec()))
    }

    /// Makes a list from patterns that [`TextGlobs::new`] accepted before, and looks at none of them.
    #[must_use]
    pub fn from_checked(patterns: Vec<String>) -> Self {
        Self { patterns, entries: OnceLock::new() }
    }

    /// Returns the patterns as they were written.
    #[must_use]
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// Tells whether a string is in the list.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        // INVARIANT: the patterns were checked, so compiling them does not fail.
        let entries = self.entries.get_or_init(|| compile_texts(&self.patterns).unwrap_or_default());
        entries.iter().rev().find(|(_, wild)| wild.matches(text)).is_some_and(|(excludes, _)| !excludes)
    }
}

impl fmt::Debug for TextGlobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TextGlobs").field(&self.patterns).finish()
    }
}

impl PartialEq for TextGlobs {
    fn eq(&self, other: &Self) -> bool {
        self.patterns == other.patterns
    }
}

impl Eq for TextGlobs {}

/// Checks what both kinds of lists have in common.
fn check(patterns: &[String]) -> Result<(), PatternError> {
    let error = |index, problem, message: String| Err(PatternError { index, problem, message });
    if patterns.is_empty() {
        return error(0, PatternProblem::Empty, "an empty list matches nothing".to_owned());
    }
    for (index, pattern) in patterns.iter().enumerate() {
        let glob = split_exclusion(pattern).1;
        if glob.is_empty() {
            return error(index, PatternProblem::Syntax, "an empty glob matches nothing".to_owned());
        }
        // The syntax is globset's, which authors know; what it refuses is refused in its words.
        let built = GlobBuilder::new(glob).literal_separator(true).empty_alternates(true).build();
        if let Err(refusal) = built {
            return error(index, PatternProblem::Syntax, refusal.kind().to_string());
        }
    }
    if patterns.iter().all(|pattern| split_exclusion(pattern).0) {
        return error(0, PatternProblem::ExclusionsOnly, "a list that only excludes matches nothing".to_owned());
    }
    Ok(())
}

fn split_exclusion(pattern: &str) -> (bool, &str) {
    pattern.strip_prefix('!').map_or((false, pattern), |glob| (true, glob))
}

/// Calls `compile` for each alternative of each pattern and collects what it makes.
fn compile_each<T>(
    patterns: &[String],
    mut compile: impl FnMut(bool, &str) -> Result<T, String>,
) -> Result<Vec<T>, PatternError> {
    let mut compiled = Vec::with_capacity(patterns.len());
    for (index, pattern) in patterns.iter().enumerate() {
        let syntax = |message| PatternError { index, problem: PatternProblem::Syntax, message };
        let (excludes, glob) = split_exclusion(pattern);
        if glob.contains(['{', '}']) {
            for alternative in expand(glob).map_err(syntax)? {
                compiled.push(compile(excludes, &alternative).map_err(syntax)?);
            }
        } else {
            compiled.push(compile(excludes, glob).map_err(syntax)?);
        }
    }
    Ok(compiled)
}

fn compile_texts(patterns: &[String]) -> Result<Vec<(bool, Wild)>, PatternError> {
    compile_each(patterns, |excludes, glob| Ok((excludes, Wild::parse(glob)?)))
}

fn compile_paths(patterns: &[String]) -> Result<Vec<Entry>, PatternError> {
    compile_each(patterns, Entry::compile)
}

impl Entry {
    fn compile(excludes: bool, glob: &str) -> Result<Self, String> {
        let (mut anchor, rest) = match after_home(glob) {
            Some(rest) => (Anchor::Home, rest),
            None if glob.starts_with('/') => (Anchor::Root, glob),
            None if !glob.contains('/') || glob.starts_with("**/") => (Anchor::Root, glob),
            None => (Anchor::Project { up: 0 }, glob),
        };
        let mut segments = Vec::new();
        if anchor == Anchor::Root && !glob.starts_with('/') {
            segments.push(Segment::Deep);
        }
        for name in rest.split('/') {
            match (name, segments.last()) {
                ("" | ".", _) | ("**", Some(Segment::Deep)) => {}
                ("**", _) => segments.push(Segment::Deep),
                ("..", Some(Segment::One(_))) => {
                    segments.pop();
                }
                ("..", None) => match &mut anchor {
                    Anchor::Project { up } => *up += 1,
                    Anchor::Root => {}
                    Anchor::Home => return Err("`..` leaves the home directory; write the absolute path".to_owned()),
                },
                ("..", Some(Segment::Deep)) => return Err("`..` after `**` names nothing certain".to_owned()),
                (name, _) => segments.push(Segment::One(Wild::parse(name)?)),
            }
        }
        // What stands below a directory is not the directory: a `**` at the end is one component at least.
        // `D/` is read as `D/**`.
        let named = segments.len() > 1 || anchor != Anchor::Root || glob.starts_with('/');
        match segments.last() {
            Some(Segment::Deep) if named => {
                segments.pop();
                segments.extend([Segment::One(Wild::Any), Segment::Deep]);
            }
            Some(Segment::One(_)) if glob.ends_with('/') => {
                segments.extend([Segment::One(Wild::Any), Segment::Deep]);
            }
            _ => {}
        }
        Ok(Self { excludes, anchor, segments })
    }

    fn folded(self) -> Self {
        let fold_segment = |segment| match segment {
            Segment::Deep => Segment::Deep,
            Segment::One(wild) => Segment::One(wild.folded()),
        };
        Self { segments: self.segments.into_iter().map(fold_segment).collect(), ..self }
    }

    /// Returns the directories that this glob begins at, as names from `/`.
    fn bases<'p>(&self, places: &'p Places) -> impl Iterator<Item = &'p [String]> {
        let (bases, up): (&'p [Vec<String>], usize) = match self.anchor {
            Anchor::Root => (&places.root, 0),
            Anchor::Home => (&places.home, 0),
            Anchor::Project { up } => (&places.projects, up),
        };
        bases.iter().map(move |base| base.get(..base.len().saturating_sub(up)).unwrap_or_default())
    }

    /// Returns what is left of a path below each directory that this glob begins at.
    fn below_roots<'n>(&self, path: &'n [&'n str], places: &Places) -> impl Iterator<Item = &'n [&'n str]> {
        self.bases(places).filter_map(|base| {
            let (head, rest) = path.split_at_checked(base.len())?;
            head.iter().eq(base.iter()).then_some(rest)
        })
    }

    /// Tells whether the names match, with a single point of return, the last `**`.
    fn matches(&self, path: &[&str]) -> bool {
        let mut left = self.segments.as_slice();
        let mut rest = path;
        let mut last_deep: Option<(&[Segment], &[&str])> = None;
        loop {
            match (left.split_first(), rest.split_first()) {
                (None, None) | (Some((Segment::Deep, [])), _) => return true,
                (Some((Segment::Deep, after)), _) => {
                    last_deep = Some((after, rest));
                    left = after;
                    continue;
                }
                (Some((Segment::One(wild), after)), Some((name, behind))) if wild.matches(name) => {
                    (left, rest) = (after, behind);
                    continue;
                }
                _ => {}
            }
            let Some((after, [_, grown @ ..])) = last_deep else { return false };
            last_deep = Some((after, grown));
            (left, rest) = (after, grown);
        }
    }

    /// Tells whether this glob could match at or below a directory, and whether it does for all that is there.
    fn reach(&self, dir: &[&str], places: &Places) -> (bool, bool) {
        let mut reaches = false;
        let mut covers = false;
        for base in self.bases(places) {
            let shared = base.len().min(dir.len());
            if !base.iter().zip(dir).all(|(a, b)| a == b) {
                continue;
            }
            match dir.get(shared..) {
                Some(rest) if dir.len() >= base.len() => {
                    let (here_reaches, here_covers) = self.reach_from(rest);
                    reaches |= here_reaches;
                    covers |= here_covers;
                }
                // The directory holds the one that the glob begins at.
                _ => reaches = true,
            }
        }
        (reaches, covers)
    }

    fn reach_from(&self, names: &[&str]) -> (bool, bool) {
        // The segments that may come next, as the lengths of what is left of them.
        let mut open: Vec<&[Segment]> = Vec::new();
        push_open(&mut open, &self.segments);
        for name in names {
            let mut next = Vec::new();
            for left in &open {
                match left.split_first() {
                    Some((Segment::Deep, _)) => push_open(&mut next, left),
                    Some((Segment::One(wild), after)) if wild.matches(name) => push_open(&mut next, after),
                    _ => {}
                }
            }
            open = next;
        }
        let covers = |left: &&[Segment]| matches!(left, [Segment::Deep] | [Segment::One(Wild::Any), Segment::Deep]);
        (!open.is_empty(), open.iter().any(covers))
    }
}

/// Adds a state, and the states that it reaches because `**` may cover nothing; each once.
fn push_open<'s>(open: &mut Vec<&'s [Segment]>, left: &'s [Segment]) {
    if open.iter().any(|known| known.len() == left.len()) {
        return;
    }
    open.push(left);
    if let Some((Segment::Deep, after)) = left.split_first() {
        push_open(open, after);
    }
}

/// The text of a path, as names compare.
struct Names(String);

impl Names {
    fn of(path: &Path, case: Case) -> Self {
        let text = path.to_string_lossy();
        Self(match case {
            Case::Exact => text.into_owned(),
            Case::Folded => fold(&text).into_owned(),
        })
    }

    fn split(&self) -> Vec<&str> {
        let name = |component| match component {
            Component::Normal(name) => name.to_str(),
            _ => None,
        };
        Path::new(&self.0).components().filter_map(name).collect()
    }
}

/// The directories of [`Roots`] as names from `/`.
struct Places {
    root: [Vec<String>; 1],
    home: Vec<Vec<String>>,
    projects: Vec<Vec<String>>,
}

impl Places {
    fn of(roots: &Roots, case: Case) -> Self {
        let names = |dir: &std::path::PathBuf| Names::of(dir, case).split().into_iter().map(str::to_owned).collect();
        Self {
            root: [Vec::new()],
            home: roots.home.iter().map(names).collect(),
            projects: roots.project.iter().chain(&roots.worktrees).map(names).collect(),
        }
    }
}
