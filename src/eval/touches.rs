//! Tests of the files that a call accesses: `reads`, `writes`, `deletes`, `sends`.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use crate::context::{
    Context, PathForm, Reason, Region, Sieve, TouchLocation, TouchReach, TouchedFile, TouchedFiles, WalkEntry,
};
use crate::ruleset::{DirOperand, TouchTest};
use crate::syntax::ast::FileVerb;
use hookrules_shell::files::FileSkipping;
use hookrules_shell::path::{NameCase, PathShape, Possibility, contains_by_case, join};

use super::condition::{ConditionJudge, kleene_and, kleene_or, unknown_directory};
use super::filter::GlobFilter;
use super::message::quote;
use super::{Matched, Truth, scope};

/// The cost of examining one file, as a number of bytes of text.
pub(super) const BYTES_PER_FILE: usize = 640;

/// The cost of comparing a path with one glob or directory, and the additional cost of preparing that for a path that
/// is only partly known, in units of the budget. The steps of the latter comparison are charged separately.
const PATH_UNITS: u64 = 4;
const SHAPE_UNITS: u64 = 60;

/// How many steps of a comparison with a partly known path cost one unit.
const STEPS_PER_UNIT: usize = 4;

/// How many comparisons with globs cost as much as locating one directory.
const GLOBS_PER_DIRECTORY: usize = 10;

/// Charges a test of files: the examination of all `files`, and the comparison of each file in `uncached`, whose
/// result is not cached, and of each of the `named` paths that texts mention.
fn charge<'f>(
    context: &Context<'_>,
    test: &TouchTest,
    (files, uncached): (usize, impl Iterator<Item = &'f TouchedFile>),
    named: usize,
) -> Result<(), Reason> {
    if files + named == 0 {
        return Ok(());
    }
    context.machine().charge_text(BYTES_PER_FILE, files + named)?;
    let (mut compared, mut partly_known) = (named, 0_usize);
    for file in uncached {
        compared += 1;
        partly_known += usize::from(matches!(file.location, TouchLocation::OneOf { .. }));
    }
    if compared == 0 {
        return Ok(());
    }
    let comparisons = comparison_count(test);
    context.machine().charge_each(PATH_UNITS, compared.saturating_mul(comparisons))?;
    context.machine().charge_each(SHAPE_UNITS, partly_known.saturating_mul(comparisons))
}

/// Returns the number of globs with which a test compares a path. A directory counts as several globs.
fn comparison_count(test: &TouchTest) -> usize {
    match test {
        TouchTest::Like(globs) => globs.weight(),
        TouchTest::Under(dirs) | TouchTest::Outside(dirs) => dirs.len() * GLOBS_PER_DIRECTORY,
    }
}

impl ConditionJudge<'_> {
    /// Judges a test of one file with `judge`. If the test holds but it is uncertain that the file is accessed, the
    /// result is unknown.
    fn judge_with_doubt(&self, file: &TouchedFile, judge: impl Fn(&TouchedFile) -> TouchResult) -> TouchResult {
        let mut result = judge(file);
        // It is only a guess that an unlisted tool acts on the files below a directory, so an allow must not depend
        // on them.
        if file.guessed && self.rule.can_allow {
            let alone = TouchedFile { reach: TouchReach::PathOnly, ..TouchedFile::clone(file) };
            if judge(&alone).truth != result.truth {
                result.truth =
                    Truth::unknown(Reason::possible_files_below(&display_location(self.context, &file.location)));
            }
        }
        if let (Truth::True, Some(doubt)) = (&result.truth, &file.doubt) {
            result.truth = Truth::unknown(doubt.clone());
        }
        result
    }

    /// Returns a file for which a test certainly holds: the first one in the place for which the rule is judged,
    /// which the texts of the rule are about, else the first one.
    ///
    /// # Errors
    /// The test certainly holds for no file. The error is `False`, or `Unknown` if it may hold for a file.
    fn deciding_file<'f>(
        &self,
        files: impl Iterator<Item = &'f TouchedFile>,
        judge: impl Fn(&TouchedFile) -> TouchResult,
    ) -> Result<(&'f TouchedFile, TouchResult), Truth> {
        let mut result = Truth::False;
        let mut first = None;
        for file in files {
            let judged = self.judge_with_doubt(file, &judge);
            match judged.truth {
                Truth::True if self.context.is_possibly_in_place(file) => return Ok((file, judged)),
                Truth::True => {
                    first.get_or_insert((file, judged));
                }
                truth => result = kleene_or(result, truth),
            }
        }
        first.ok_or(result)
    }

    /// Judges a test of the accessed files. Also returns a note on the file that decided.
    pub(super) fn judge_touches(&mut self, verb: FileVerb, test: &TouchTest) -> (Truth, Option<String>) {
        let context = self.context;
        if let Some(reason) = self.uncertain_commands() {
            return (Truth::unknown(reason), None);
        }
        let touches = match self.rule.can_allow {
            true => context.touched_files_for_allow(verb, self.form),
            false => context.touched_files(verb, self.form),
        };
        let answers = self.known.files;
        let listed = answers.list(test);
        let test = listed.as_ref().map_or(test, |listed| &listed.test);
        let mentioned_count: usize = touches.mentioned.iter().map(|said| said.paths.len()).sum();
        let visible = scope::visible_directories(self.rule);
        let target = TouchJudge { context, form: self.form, case: self.case, test, visible: &visible };
        let is_uncached =
            |file: &&TouchedFile| listed.as_ref().is_none_or(|listed| !answers.is_cached(listed, &target, file));
        let uncached = touches.files.iter().map(|file| &**file).filter(is_uncached);
        if let Err(reason) = charge(context, test, (touches.files.len(), uncached), mentioned_count) {
            return (Truth::unknown(reason), None);
        }
        let hold = |file: &TouchedFile| match &listed {
            Some(listed) => answers.test(listed, &target, file),
            None => target.judge_file(file),
        };
        let mut result = touches.unknown.clone().map_or(Truth::False, Truth::unknown);
        match self.deciding_file(touches.files.iter().map(|file| &**file), hold) {
            Ok((file, held)) => {
                let path = held.deciding_path.map(|found| context.machine().display_path(&found.to_string_lossy()));
                let path = path.unwrap_or_else(|| display_location(context, &file.location));
                let note = self.note(|| file_note(context, verb, file, &path));
                self.matched.get_or_insert(Matched::here(path));
                return (Truth::True, note);
            }
            Err(truth) => result = kleene_or(result, truth),
        }
        for said in &touches.mentioned {
            if said.paths.iter().any(|path| target.may_satisfy(path)) {
                result = kleene_or(result, Truth::unknown(said.reason.clone()));
            }
        }
        let result = self.weaken_for_allow(result);
        let note = self.note(|| match &result {
            Truth::Unknown(reason) => reason.sentence(),
            _ => files_note(context, verb, &touches),
        });
        (result, note)
    }
}

/// The result of a test for an accessed file or directory.
#[derive(Clone)]
pub(super) struct TouchResult {
    /// Whether the test holds.
    pub(super) truth: Truth,
    /// The file below the directory that decided; `None` if the path itself did.
    pub(super) deciding_path: Option<PathBuf>,
}

impl TouchResult {
    /// Makes a result that the path itself decided.
    fn from_truth(truth: Truth) -> Self {
        Self { truth, deciding_path: None }
    }
}

/// A test of accessed files, for one form of paths and one case sensitivity.
pub(super) struct TouchJudge<'t> {
    pub(super) context: &'t Context<'t>,
    pub(super) form: PathForm,
    pub(super) case: NameCase,
    pub(super) test: &'t TouchTest,
    /// The directories that the rule sees, one of which must contain the file; all files count if this is empty.
    pub(super) visible: &'t [DirOperand],
}

impl TouchJudge<'_> {
    /// Tests an accessed file, and the files that are accessed along with it.
    pub(super) fn judge_file(&self, file: &TouchedFile) -> TouchResult {
        match &file.location {
            TouchLocation::Path(path) => self.judge_path_and_below(path, &file.reach),
            TouchLocation::OneOf { shape, why, .. } => {
                TouchResult::from_truth(self.judge_shape(shape, &file.reach, why))
            }
        }
    }

    /// Tests a path, and the files below it that are accessed along with it.
    pub(super) fn judge_path_and_below(&self, path: &Path, reach: &TouchReach) -> TouchResult {
        let itself = self.judge_path(path);
        // A directory that is searched is not itself accessed by name. But a test by directories is about where the
        // search looks.
        let itself_counts = match (reach, self.test) {
            (TouchReach::Below(filter), TouchTest::Like(_)) => {
                (filter.only.is_empty() || self.context.machine().sieve(filter).is_match_by_name(path))
                    && !(filter.directories == FileSkipping::Yes && self.context.machine().is_directory(path))
            }
            _ => true,
        };
        if itself == Truth::True && itself_counts {
            return TouchResult::from_truth(itself);
        }
        let itself = if itself_counts { itself } else { Truth::False };
        if *reach == TouchReach::PathOnly || !self.is_possible_below(path) {
            return TouchResult::from_truth(itself);
        }
        let below = match reach {
            TouchReach::PathOnly => Ok(None),
            TouchReach::MatchingGlob(filter) => self.search_matching(path, filter.as_deref()),
            TouchReach::Below(filter) => match self.literal_filter_name(path, &filter.only) {
                Some(found) => Ok(Some(found)),
                None => self.search_below(path, &self.context.machine().sieve(filter), &|found| !found.is_directory),
            },
            TouchReach::Everything => match self.named_path_below(path) {
                Some(found) => Ok(Some(found)),
                None => self.search_below(path, &Sieve::default(), &|_| true),
            },
            TouchReach::Mirror(other, filter) => self.judge_mirror(path, other, &self.context.machine().sieve(filter)),
            TouchReach::Part(reason) => self.judge_unknown_below(path, reason, &|_| true),
            // It is assumed that nothing is unpacked into hidden directories: each belongs to one purpose, such as
            // the repository, the policy, or an agent's settings.
            TouchReach::Packed(reason) => self.judge_unknown_below(path, reason, &|below| !is_in_hidden(path, below)),
        };
        match below {
            Ok(Some(found)) => TouchResult { truth: Truth::True, deciding_path: Some(found) },
            Ok(None) => TouchResult::from_truth(itself),
            Err(reason) => TouchResult::from_truth(kleene_or(itself, Truth::unknown(reason))),
        }
    }

    /// Tests one path, without the files below it.
    pub(super) fn judge_path(&self, path: &Path) -> Truth {
        let truth = match self.test {
            TouchTest::Like(globs) => globs.matches(path, self.context.machine().roots_in(self.form), self.case).into(),
            TouchTest::Under(dirs) => self.judge_inside(path, dirs),
            TouchTest::Outside(dirs) => self.judge_inside(path, dirs).negated(),
        };
        match truth == Truth::False || self.visible.is_empty() {
            true => truth,
            false => kleene_and(truth, self.judge_inside(path, self.visible)),
        }
    }

    /// Calls `find` with `path`, if the rule sees it, else with each directory below it that the rule sees, until it
    /// finds something.
    fn find_in_visible<T>(&self, path: &Path, find: impl Fn(&Path) -> Option<T>) -> Option<T> {
        if self.visible.is_empty() || self.judge_inside(path, self.visible) == Truth::True {
            return find(path);
        }
        let roots = self.directories(self.visible).into_iter().map(|region| region.root);
        roots.filter(|root| contains_by_case(path, root, self.case)).find_map(|root| find(&root))
    }

    /// Whether a path is in one of these directories.
    fn judge_inside(&self, path: &Path, dirs: &[DirOperand]) -> Truth {
        match self.context.is_under(path, dirs, self.form, self.case) {
            Ok(false) => unknown_directory(self.context, dirs).map_or(Truth::False, Truth::unknown),
            other => other.into(),
        }
    }

    /// Whether the test may hold for some path below a directory.
    pub(super) fn is_possible_below(&self, path: &Path) -> bool {
        self.find_in_visible(path, |visible| self.may_hold_below(visible).then_some(())).is_some()
    }

    fn may_hold_below(&self, path: &Path) -> bool {
        match self.test {
            TouchTest::Like(globs) => {
                globs.may_match_below(path, self.context.machine().roots_in(self.form), self.case)
            }
            TouchTest::Under(dirs) => {
                self.directories(dirs).iter().any(|region| contains_by_case(path, &region.root, self.case))
                    || self.judge_inside(path, dirs) == Truth::True
            }
            // Everything below a directory is in the same of the tested directories as the directory itself, except
            // in excluded subdirectories.
            TouchTest::Outside(dirs) => {
                self.excluded_directories(dirs).any(|inner| contains_by_case(path, &inner, self.case))
            }
        }
    }

    /// Returns a path at or below `path` that the test names, and which therefore satisfies it even if it does not
    /// exist.
    fn named_path_below(&self, path: &Path) -> Option<PathBuf> {
        self.find_in_visible(path, |visible| self.path_named_by_test_below(visible))
    }

    fn path_named_by_test_below(&self, path: &Path) -> Option<PathBuf> {
        match self.test {
            TouchTest::Like(globs) => globs
                .has_named_below(path, self.context.machine().roots_in(self.form), self.case)
                .then(|| path.to_owned()),
            TouchTest::Under(dirs) => {
                let inside = (self.judge_path(path) == Truth::True).then(|| path.to_owned());
                let mut roots = self.directories(dirs).into_iter().map(|region| region.root);
                inside.or_else(|| roots.find(|root| contains_by_case(path, root, self.case)))
            }
            TouchTest::Outside(dirs) => {
                let is_outside = |inner: &PathBuf| self.judge_path(inner) == Truth::True;
                self.excluded_directories(dirs)
                    .find(|inner| contains_by_case(path, inner, self.case) && is_outside(inner))
            }
        }
    }

    /// Tests unknown paths below a directory: `Err` with `reason` if one of them may satisfy the test, else
    /// `Ok(None)`.
    ///
    /// The unknown paths may be existing ones in directories for which `enters` is true. New ones count only if the
    /// test holds for everything below the directory.
    fn judge_unknown_below(
        &self,
        path: &Path,
        reason: &Reason,
        enters: &dyn Fn(&Path) -> bool,
    ) -> Result<Option<PathBuf>, Reason> {
        let is_covered = |path: &Path| match self.test {
            TouchTest::Like(globs) => {
                globs.matches_all_below(path, self.context.machine().roots_in(self.form), self.case)
            }
            TouchTest::Under(dirs) => self.judge_inside(path, dirs) != Truth::False,
            TouchTest::Outside(_) => false,
        };
        let holds_for_all = self.find_in_visible(path, |visible| is_covered(visible).then_some(())).is_some();
        let is_possible =
            |found: &WalkEntry<'_>| enters(found.directory) && (!found.is_directory || enters(&found.path()));
        let may_hold = holds_for_all || self.search_below(path, &Sieve::default(), &is_possible)?.is_some();
        if may_hold { Err(reason.clone()) } else { Ok(None) }
    }

    /// Returns the paths of a test's directories. Directories whose paths are unknown are omitted; `judge_inside`
    /// deals with them.
    fn directories(&self, dirs: &[DirOperand]) -> Vec<Region> {
        dirs.iter().flat_map(|dir| self.context.directories(dir, self.form).unwrap_or_default()).collect()
    }

    /// Returns the subdirectories that are excluded from a test's directories.
    fn excluded_directories(&self, dirs: &[DirOperand]) -> impl Iterator<Item = PathBuf> {
        self.directories(dirs).into_iter().flat_map(|region| region.excluded)
    }

    /// Returns the path that a literal name in a filter denotes, if it satisfies the test. The file need not exist.
    fn literal_filter_name(&self, path: &Path, only: &[String]) -> Option<PathBuf> {
        let is_name = |name: &&str| !name.contains(['*', '?', '[', '{', '\\', '!', '/']);
        let names = only.iter().map(|glob| glob.strip_prefix('/').unwrap_or(glob)).filter(is_name);
        let paths = names.map(|name| join(path, name.as_ref()));
        paths.into_iter().find(|path| self.judge_path(path) == Truth::True)
    }

    /// Searches the existing files below a directory for one that `sieve` selects, for which `counts` is true, and
    /// that satisfies the test.
    ///
    /// # Errors
    /// The directory cannot be searched completely.
    pub(super) fn search_below(
        &self,
        path: &Path,
        sieve: &Sieve,
        counts: &dyn Fn(&WalkEntry<'_>) -> bool,
    ) -> Result<Option<PathBuf>, Reason> {
        // The names are sorted only when the first file is found. If there is none, sorting would be most of the
        // work.
        let names = OnceCell::new();
        let may_hold = |found: &WalkEntry<'_>| match self.test {
            TouchTest::Like(globs) => {
                let sorted = || globs.last_names(self.context.machine().roots_in(self.form), self.case);
                names.get_or_init(sorted).may_match(found.directory, found.name)
            }
            TouchTest::Under(_) | TouchTest::Outside(_) => true,
        };
        let holds =
            |found: &WalkEntry<'_>| may_hold(found) && counts(found) && self.judge_path(&found.path()) == Truth::True;
        self.context.machine().find_below(path, sieve, &|directory| self.is_possible_below(directory), &holds)
    }

    /// Searches the existing files below a directory that the glob of a search tool selects. A literal name in the
    /// glob counts even if no such file exists.
    fn search_matching(&self, path: &Path, filter: Option<&str>) -> Result<Option<PathBuf>, Reason> {
        let filter = filter.map(GlobFilter::new);
        let literal_paths = filter.iter().flat_map(GlobFilter::names).map(|name| join(path, name.as_ref()));
        let literal_match = literal_paths.into_iter().find(|path| self.judge_path(path) == Truth::True);
        if literal_match.is_some() {
            return Ok(literal_match);
        }
        let passes = |path: &Path| filter.as_ref().is_none_or(|filter| filter.is_match(path));
        self.search_below(path, &Sieve::default(), &|found| !found.is_directory && passes(&found.path()))
    }

    /// Tests the paths that will exist below `path` after the files below `other` have been copied there.
    fn judge_mirror(&self, path: &Path, other: &TouchLocation, sieve: &Sieve) -> Result<Option<PathBuf>, Reason> {
        let source = match other {
            TouchLocation::Path(source) => source,
            TouchLocation::OneOf { why, .. } => return Err(why.clone()),
        };
        let image = |found: &Path| found.strip_prefix(source).ok().map(|below| join(path, below));
        let enters = |found: &Path| image(found).is_none_or(|image| self.is_possible_below(&image));
        let holds =
            |found: &WalkEntry<'_>| image(&found.path()).is_some_and(|image| self.judge_path(&image) == Truth::True);
        let found = self.context.machine().find_below(source, sieve, &enters, &holds)?;
        Ok(found.and_then(|found| image(&found)))
    }

    /// Tests a partly known path, and charges the budget for the steps of the comparison.
    pub(super) fn judge_shape(&self, shape: &PathShape, reach: &TouchReach, why: &Reason) -> Truth {
        let mut steps = 0;
        let truth = self.judge_shape_steps(shape, reach, why, &mut steps);
        match self.context.machine().charge_each(1, steps / STEPS_PER_UNIT) {
            Ok(()) => truth,
            Err(spent) => Truth::unknown(spent),
        }
    }

    /// Tests a partly known path, and the files below it that are accessed, too. Adds the number of steps to `steps`.
    fn judge_shape_steps(&self, shape: &PathShape, reach: &TouchReach, why: &Reason, steps: &mut usize) -> Truth {
        let name_globs = match reach {
            TouchReach::Below(filter) if !filter.only.is_empty() => &*filter.only,
            _ => &[],
        };
        if name_globs.is_empty() {
            match self.shape_possibility(shape, steps) {
                Possibility::Always => return Truth::True,
                Possibility::Perhaps => return Truth::unknown(why.clone()),
                Possibility::Never if *reach == TouchReach::PathOnly => return Truth::False,
                Possibility::Never => {}
            }
        }
        // Only such globs can be appended to a partly known path.
        let is_plain = |glob: &String| !glob.trim_start_matches('/').contains(['/', '[', '{', '\\']);
        let may_hold = match name_globs {
            [] => self.shape_possibility(&shape.with_descendants(), steps) != Possibility::Never,
            globs if globs.iter().all(is_plain) => {
                let mut may_match_below = |glob: &String| {
                    let below = shape.descendants_named(pieces(glob.trim_start_matches('/')));
                    self.shape_possibility(&below, steps) != Possibility::Never
                };
                globs.iter().any(&mut may_match_below)
            }
            _ => self.shape_possibility(&shape.with_descendants(), steps) != Possibility::Never,
        };
        if may_hold { Truth::unknown(why.clone()) } else { Truth::False }
    }

    /// Whether a partly known path satisfies the test always, perhaps or never.
    fn shape_possibility(&self, shape: &PathShape, steps: &mut usize) -> Possibility {
        let is_within = |dirs: &[DirOperand], steps: &mut usize| {
            let mut result =
                if unknown_directory(self.context, dirs).is_some() { Possibility::Perhaps } else { Possibility::Never };
            for dir in dirs {
                let temporary_files = if matches!(dir, DirOperand::Tmp) {
                    self.context.machine().made_by_mktemp(self.form)
                } else {
                    None
                };
                if temporary_files.is_some_and(|files| shape.has_prefix(&files, self.case)) {
                    return Possibility::Always;
                }
                let Ok(known) = self.context.directories(dir, self.form) else {
                    result = Possibility::Perhaps;
                    continue;
                };
                for region in known {
                    match self.region_possibility(shape, &region, steps) {
                        Possibility::Always => return Possibility::Always,
                        Possibility::Perhaps => result = Possibility::Perhaps,
                        Possibility::Never => {}
                    }
                }
            }
            result
        };
        let possibility = match self.test {
            TouchTest::Like(globs) => {
                globs.test_shape(shape, self.context.machine().roots_in(self.form), self.case, steps)
            }
            TouchTest::Under(dirs) => is_within(dirs, steps),
            TouchTest::Outside(dirs) => is_within(dirs, steps).negate(),
        };
        match self.visible {
            [] => possibility,
            visible => possibility.and(is_within(visible, steps)),
        }
    }

    /// Whether a partly known path is in a directory, and not in one of its excluded subdirectories.
    fn region_possibility(&self, shape: &PathShape, region: &Region, steps: &mut usize) -> Possibility {
        let inside = shape.test_within(&region.root, self.case, steps);
        if inside == Possibility::Never {
            return inside;
        }
        let excepted = region.excluded.iter().map(|inner| shape.test_within(inner, self.case, steps));
        excepted.fold(inside, |result, excepted| match excepted {
            Possibility::Always => Possibility::Never,
            Possibility::Perhaps if result == Possibility::Always => Possibility::Perhaps,
            Possibility::Perhaps | Possibility::Never => result,
        })
    }

    /// Whether a path that a text mentions may satisfy the test.
    pub(super) fn may_satisfy(&self, text: &str) -> bool {
        self.judge_path(&self.context.absolute(text, self.form)) != Truth::False
    }
}

/// Whether a directory below `path` is hidden, or is inside a hidden one.
fn is_in_hidden(path: &Path, directory: &Path) -> bool {
    let names = directory.strip_prefix(path).unwrap_or(directory).components();
    names.into_iter().any(|name| name.as_os_str().as_encoded_bytes().starts_with(b"."))
}

/// Splits a glob into pieces of a path. Its only special characters are `*` and `?`.
fn pieces(glob: &str) -> Vec<hookrules_shell::path::PathPiece<'_>> {
    use hookrules_shell::path::PathPiece;
    let mut pieces = Vec::new();
    let mut rest = glob;
    while let Some(at) = rest.find(['*', '?']) {
        let (text, from_wildcard) = rest.split_at_checked(at).unwrap_or((rest, ""));
        if !text.is_empty() {
            pieces.push(PathPiece::Text(text));
        }
        pieces.push(if from_wildcard.starts_with('*') { PathPiece::Name } else { PathPiece::One });
        rest = from_wildcard.get(1..).unwrap_or_default();
    }
    if !rest.is_empty() {
        pieces.push(PathPiece::Text(rest));
    }
    pieces
}

/// Returns the location of a file as messages show it: relative to the project if possible, or as the word of the
/// command.
pub(super) fn display_location(context: &Context<'_>, at: &TouchLocation) -> String {
    match at {
        TouchLocation::Path(path) => context.machine().display_path(&path.to_string_lossy()),
        TouchLocation::OneOf { word, .. } => word.clone(),
    }
}

/// Returns a note on the file that decided, and on the command that accesses it.
fn file_note(context: &Context<'_>, verb: FileVerb, file: &TouchedFile, path: &str) -> String {
    let command = file.command.and_then(|id| context.shown_command(id));
    let subject = command.map_or_else(|| "it".to_owned(), |command| quote(&command));
    format!("{subject} {} {}", verb.keyword(), quote(path))
}

/// Returns a note on the files that were examined.
fn files_note(context: &Context<'_>, verb: FileVerb, touches: &TouchedFiles<'_>) -> String {
    let verb = verb.keyword();
    let shown = |file: &std::borrow::Cow<'_, TouchedFile>| {
        let path = quote(&display_location(context, &file.location));
        if file.reach == TouchReach::PathOnly { path } else { format!("what is below {path}") }
    };
    match touches.files.as_slice() {
        [] => format!("it {verb} no known file"),
        [only] => format!("it {verb} {}", shown(only)),
        [first, rest @ ..] => format!("it {verb} {} and {} more", shown(first), rest.len()),
    }
}
