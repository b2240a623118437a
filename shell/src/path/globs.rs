//! Lists of globs, on paths and on other strings: the last entry that matches decides, `!` excludes.

mod entry;

use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use globset::GlobBuilder;

use super::braces::{MAX_BRACES, MAX_BYTES, alternatives, depth, expand};
use super::shape::{Possible, Shape};
use super::wild::Wild;
use super::{Case, Required, Roots};
pub(super) use entry::Entry;
use entry::Names;

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
#[derive(Clone, Default)]
pub struct PathGlobs {
    patterns: Vec<String>,
    exact: OnceLock<Vec<Entry>>,
    folded: OnceLock<Vec<Entry>>,
}

/// How long the names of a pattern are that count for one.
const LONG_NAME: usize = 32;

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
        let decides = |entry: &&Entry| entry.matches(&path, roots, case);
        self.entries(case).iter().rev().find(decides).is_some_and(|entry| !entry.excludes)
    }

    /// Tells whether something at or below a normalised directory could be in the list.
    ///
    /// Never says no where a file below could match. Says no where nothing can, whatever files there are, and
    /// where a later `!D/**` covers the whole directory; `D/**` counts D itself.
    #[must_use]
    pub fn could_match_below(&self, dir: &Path, roots: &Roots, case: Case) -> bool {
        let names = Names::of(dir, case);
        let dir = names.split();
        for entry in self.entries(case).iter().rev() {
            let reach = entry.reach(&dir, roots, case);
            if entry.excludes && reach.everything {
                return false;
            }
            if !entry.excludes && reach.something {
                return true;
            }
        }
        false
    }

    /// Returns, for each alternative that includes, what every path has that it matches.
    #[must_use]
    pub fn required(&self) -> Vec<Vec<Required>> {
        self.entries(Case::Exact).iter().filter(|entry| !entry.excludes).map(Entry::required).collect()
    }

    /// Tells whether the list names something at or below a normalised directory, whatever files there are: a glob that
    /// leads there by its names alone, or one that covers all of it. Others (`**/x`) only mean what exists.
    #[must_use]
    pub fn names_below(&self, dir: &Path, roots: &Roots, case: Case) -> bool {
        let names = Names::of(dir, case);
        let dir = names.split();
        for entry in self.entries(case).iter().rev() {
            let reach = entry.reach(&dir, roots, case);
            if entry.excludes && reach.everything {
                return false;
            }
            if !entry.excludes && (reach.everything || reach.by_name) {
                return true;
            }
        }
        false
    }

    /// Tells whether the list covers everything below a normalised directory.
    #[must_use]
    pub fn covers_below(&self, dir: &Path, roots: &Roots, case: Case) -> bool {
        let names = Names::of(dir, case);
        let dir = names.split();
        let covers = |entry: &&Entry| entry.reach(&dir, roots, case).everything;
        self.entries(case).iter().rev().find(covers).is_some_and(|entry| !entry.excludes)
    }

    /// Returns about how many names a path is compared with.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.patterns.iter().map(|pattern| 1 + pattern.len() / LONG_NAME).sum()
    }

    /// Tells whether the paths of a shape are in the list, and counts the steps that it takes.
    #[must_use]
    pub fn fit(&self, shape: &Shape, roots: &Roots, case: Case, steps: &mut usize) -> Possible {
        let shape = shape.in_case(case);
        let mut is_open = false;
        let mut may_match = false;
        for entry in self.entries(case).iter().rev() {
            match (entry.fit(&shape, roots, case, steps), entry.excludes) {
                (Possible::Never, _) => {}
                (Possible::Always, true) if may_match => return Possible::Perhaps,
                (Possible::Always, true) => return Possible::Never,
                (Possible::Always, false) if is_open => return Possible::Perhaps,
                (Possible::Always, false) => return Possible::Always,
                (Possible::Perhaps, excludes) => {
                    is_open = true;
                    may_match |= !excludes;
                }
            }
        }
        if may_match { Possible::Perhaps } else { Possible::Never }
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
#[derive(Clone, Default)]
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

    /// Returns every glob of the list without alternatives, in order, and whether it excludes.
    pub fn alternatives(&self) -> impl Iterator<Item = (bool, String)> {
        self.patterns.iter().flat_map(|pattern| {
            let (excludes, glob) = match pattern.strip_prefix('!') {
                Some(glob) => (true, glob),
                None => (false, pattern.as_str()),
            };
            // INVARIANT: the patterns were checked, so writing them out does not fail.
            expand(glob).unwrap_or_default().into_iter().map(move |glob| (excludes, glob))
        })
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

/// Tells whether a glob that comes from elsewhere than a policy is small enough to be read at all.
#[must_use]
pub fn is_modest(glob: &str) -> bool {
    glob.len() <= MAX_BYTES / 4 && depth(glob) <= MAX_BRACES
}

/// The bytes of a glob that take as much as one of its alternatives does beside them: most are names of a path.
const BYTES_OF_A_PART: u64 = 8;

/// Returns what a glob takes once its alternatives are written out, in parts: two for each, and more for a long one.
#[must_use]
pub fn glob_parts(glob: &str) -> u64 {
    let length = u64::try_from(glob.len()).unwrap_or(u64::MAX);
    alternatives(glob).saturating_mul(2 + length / BYTES_OF_A_PART)
}

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
        if glob.len() > MAX_BYTES {
            return error(index, PatternProblem::Syntax, format!("longer than {MAX_BYTES} bytes"));
        }
        // Names, `*`, `?` and `/` alone cannot be wrong, and most globs are made of nothing else.
        if !glob.contains(['[', ']', '{', '}', '\\']) {
            continue;
        }
        if depth(glob) > MAX_BRACES {
            return error(index, PatternProblem::Syntax, format!("more than {MAX_BRACES} `{{` within each other"));
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
