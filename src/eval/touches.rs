//! Tests of the files that a call touches: `reads`, `writes`, `deletes`.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use crate::context::{At, Context, Form, Found, Reach, Reason, Region, Sieve, Touched, Touches};
use crate::ruleset::{Dir, TouchTest};
use crate::syntax::ast::FileVerb;
use hookrules_shell::files::Skipped;
use hookrules_shell::path::{Case, Possible, Shape, contains_as};

use super::Truth;
use super::condition::{Judge, either, homeless};
use super::filter::Filter;
use super::message::quote;

/// The cost of examining one touched file, in bytes of text.
const BYTES_PER_FILE: usize = 640;

/// The cost of comparing a path, and the additional base cost for a partly known path, with one glob or directory. The
/// steps of the latter comparison are charged separately.
const PATH: u64 = 4;
const SHAPE: u64 = 60;

/// How many steps of such a comparison cost one unit.
const STEPS: usize = 4;

/// The cost of locating one directory, in globs.
const DIRECTORY: usize = 10;

/// Charges the examination of all touched files, and the comparison of those without a cached answer and of those in
/// texts with all entries of a test.
fn charge<'f>(
    context: &Context<'_>,
    test: &TouchTest,
    (files, unknown): (usize, impl Iterator<Item = &'f Touched>),
    named: usize,
) -> Result<(), Reason> {
    if files + named == 0 {
        return Ok(());
    }
    context.machine().look_at(BYTES_PER_FILE, files + named)?;
    let (mut paths, mut shapes) = (named, 0_usize);
    for file in unknown {
        paths += 1;
        shapes += usize::from(matches!(file.at, At::Among { .. }));
    }
    if paths == 0 {
        return Ok(());
    }
    let against = compared(test);
    context.machine().charge_each(PATH, paths.saturating_mul(against))?;
    context.machine().charge_each(SHAPE, shapes.saturating_mul(against))
}

/// Returns the number of comparisons that a test makes for a path.
fn compared(test: &TouchTest) -> usize {
    match test {
        TouchTest::Like(globs) => globs.weight(),
        TouchTest::Under(dirs) | TouchTest::Outside(dirs) => dirs.len() * DIRECTORY,
    }
}

impl Judge<'_> {
    /// Judges a test of one touched file, which is unknown if the touch is uncertain.
    fn doubted(&self, file: &Touched, hold: impl Fn(&Touched) -> Held) -> Held {
        let mut held = hold(file);
        // Only a guess: an unlisted tool may act on files below a directory, so no allow may depend on it.
        if file.guessed && self.rule.can_allow {
            let alone = Touched { reach: Reach::Alone, ..Touched::clone(file) };
            if hold(&alone).truth != held.truth {
                held.truth = Truth::unknown(Reason::maybe_below(&shown(self.context, &file.at)));
            }
        }
        if let (Truth::True, Some(doubt)) = (&held.truth, &file.doubt) {
            held.truth = Truth::unknown(doubt.clone());
        }
        held
    }

    /// Judges a test of the touched files, and notes which file decided.
    pub(super) fn touches(&mut self, verb: FileVerb, test: &TouchTest) -> (Truth, Option<String>) {
        let context = self.context;
        if let Some(reason) = self.only_likely() {
            return (Truth::unknown(reason), None);
        }
        let touches = match self.rule.can_allow {
            true => context.touched_for_allow(verb, self.form),
            false => context.touched(verb, self.form),
        };
        let answers = self.known.files;
        let listed = answers.list(test);
        let test = listed.as_ref().map_or(test, |listed| &listed.test);
        let named: usize = touches.mentioned.iter().map(|said| said.paths.len()).sum();
        let target = Target { context, form: self.form, case: self.case, test };
        let is_unknown = |file: &&Touched| listed.as_ref().is_none_or(|listed| !answers.knows(listed, &target, file));
        let unknown = touches.files.iter().map(|file| &**file).filter(is_unknown);
        if let Err(reason) = charge(context, test, (touches.files.len(), unknown), named) {
            return (Truth::unknown(reason), None);
        }
        let hold = |file: &Touched| match &listed {
            Some(listed) => answers.test(listed, &target, file),
            None => target.file(file),
        };
        let mut result = touches.unknown.clone().map_or(Truth::False, Truth::unknown);
        for file in &touches.files {
            let held = self.doubted(file, hold);
            if held.truth == Truth::True {
                let path = held.found.map(|found| context.machine().shown(&found.to_string_lossy()));
                let path = path.unwrap_or_else(|| shown(context, &file.at));
                let note = self.note(|| file_note(context, verb, file, &path));
                self.matched.get_or_insert(path);
                return (Truth::True, note);
            }
            result = either(result, held.truth);
        }
        for said in &touches.mentioned {
            if said.paths.iter().any(|path| target.is_meant(path)) {
                result = either(result, Truth::unknown(said.why.clone()));
            }
        }
        let result = self.as_seen(result);
        let note = self.note(|| match &result {
            Truth::Unknown(reason) => reason.sentence(),
            _ => files_note(context, verb, &touches),
        });
        (result, note)
    }
}

/// The result for a file, and the file below it that decided, if one did.
#[derive(Clone)]
pub(super) struct Held {
    pub(super) truth: Truth,
    pub(super) found: Option<PathBuf>,
}

impl Held {
    fn at(truth: Truth) -> Self {
        Self { truth, found: None }
    }
}

/// A test, with the form of paths and the case sensitivity in which it is judged.
pub(super) struct Target<'t> {
    pub(super) context: &'t Context<'t>,
    pub(super) form: Form,
    pub(super) case: Case,
    pub(super) test: &'t TouchTest,
}

impl Target<'_> {
    pub(super) fn file(&self, file: &Touched) -> Held {
        match &file.at {
            At::Path(path) => self.path(path, &file.reach),
            At::Among { shape, why, .. } => Held::at(self.shape(shape, &file.reach, why)),
        }
    }

    pub(super) fn path(&self, path: &Path, reach: &Reach) -> Held {
        let alone = self.alone(path);
        // A test by directories depends only on where a search looks, not on the names that it accepts.
        let alone_counts = match (reach, self.test) {
            (Reach::Below(filter), TouchTest::Like(_)) => {
                (filter.only.is_empty() || self.context.machine().sieve(filter).passes_by_name(path))
                    && !(filter.directories == Skipped::Yes && self.context.machine().is_directory(path))
            }
            _ => true,
        };
        if alone == Truth::True && alone_counts {
            return Held::at(alone);
        }
        let alone = if alone_counts { alone } else { Truth::False };
        if *reach == Reach::Alone || !self.may_hold_below(path) {
            return Held::at(alone);
        }
        let below = match reach {
            Reach::Alone => Ok(None),
            Reach::Matching(filter) => self.matching(path, filter.as_deref()),
            Reach::Below(filter) => match self.spelled_out(path, &filter.only) {
                Some(found) => Ok(Some(found)),
                None => self.search(path, &self.context.machine().sieve(filter), &|found| !found.is_directory),
            },
            Reach::Whole => match self.claimed_below(path) {
                Some(found) => Ok(Some(found)),
                None => self.search(path, &Sieve::default(), &|_| true),
            },
            Reach::Mirror(other, filter) => self.mirrored(path, other, &self.context.machine().sieve(filter)),
            Reach::Part(reason) => self.unseen_below(path, reason, &|_| true),
            // Hidden directories are not packed, as they belong to one place: the repository, the policy, an agent's
            // settings.
            Reach::Packed(reason) => self.unseen_below(path, reason, &|below| !is_in_hidden(path, below)),
        };
        match below {
            Ok(Some(found)) => Held { truth: Truth::True, found: Some(found) },
            Ok(None) => Held::at(alone),
            Err(reason) => Held::at(either(alone, Truth::unknown(reason))),
        }
    }

    /// Tests one path.
    pub(super) fn alone(&self, path: &Path) -> Truth {
        match self.test {
            TouchTest::Like(globs) => globs.matches(path, self.context.machine().roots_in(self.form), self.case).into(),
            TouchTest::Under(dirs) => self.inside(path, dirs),
            TouchTest::Outside(dirs) => self.inside(path, dirs).negated(),
        }
    }

    fn inside(&self, path: &Path, dirs: &[Dir]) -> Truth {
        match self.context.lies_under(path, dirs, self.form, self.case) {
            Ok(false) => homeless(self.context, dirs).map_or(Truth::False, Truth::unknown),
            other => other.into(),
        }
    }

    /// Whether the test could hold for a path below.
    pub(super) fn may_hold_below(&self, path: &Path) -> bool {
        match self.test {
            TouchTest::Like(globs) => {
                globs.could_match_below(path, self.context.machine().roots_in(self.form), self.case)
            }
            TouchTest::Under(dirs) => {
                self.directories(dirs).iter().any(|region| contains_as(path, &region.root, self.case))
                    || self.inside(path, dirs) == Truth::True
            }
            // Everything below a directory is in the same directories as it, except for excluded subdirectories.
            TouchTest::Outside(dirs) => self.excepted(dirs).any(|inner| contains_as(path, &inner, self.case)),
        }
    }

    /// Returns a path that the test names at or below a path, existing or not.
    fn claimed_below(&self, path: &Path) -> Option<PathBuf> {
        match self.test {
            TouchTest::Like(globs) => {
                globs.names_below(path, self.context.machine().roots_in(self.form), self.case).then(|| path.to_owned())
            }
            TouchTest::Under(dirs) => {
                let mut roots = self.directories(dirs).into_iter().map(|region| region.root);
                roots.find(|root| contains_as(path, root, self.case))
            }
            TouchTest::Outside(dirs) => {
                let is_outside = |inner: &PathBuf| self.alone(inner) == Truth::True;
                self.excepted(dirs).find(|inner| contains_as(path, inner, self.case) && is_outside(inner))
            }
        }
    }

    /// Tests unknown paths below: they may be any existing ones that satisfy the test. They may be new ones only if the
    /// test covers everything there.
    fn unseen_below(
        &self,
        path: &Path,
        reason: &Reason,
        enters: &dyn Fn(&Path) -> bool,
    ) -> Result<Option<PathBuf>, Reason> {
        let covers = match self.test {
            TouchTest::Like(globs) => globs.covers_below(path, self.context.machine().roots_in(self.form), self.case),
            TouchTest::Under(dirs) => self.inside(path, dirs) != Truth::False,
            TouchTest::Outside(_) => false,
        };
        let counts = |found: &Found<'_>| enters(found.directory) && (!found.is_directory || enters(&found.path()));
        let is_meant = covers || self.search(path, &Sieve::default(), &counts)?.is_some();
        if is_meant { Err(reason.clone()) } else { Ok(None) }
    }

    /// Returns the known directories of a test; `inside` reports unknown ones.
    fn directories(&self, dirs: &[Dir]) -> Vec<Region> {
        dirs.iter().flat_map(|dir| self.context.directories(dir, self.form).unwrap_or_default()).collect()
    }

    /// Returns the excluded subdirectories of a test's directories.
    fn excepted(&self, dirs: &[Dir]) -> impl Iterator<Item = PathBuf> {
        self.directories(dirs).into_iter().flat_map(|region| region.without)
    }

    /// Returns a literal name in a filter that satisfies the test, whether it exists or not.
    fn spelled_out(&self, path: &Path, only: &[String]) -> Option<PathBuf> {
        let is_name = |name: &&str| !name.contains(['*', '?', '[', '{', '\\', '!', '/']);
        let names = only.iter().map(|glob| glob.strip_prefix('/').unwrap_or(glob)).filter(is_name);
        let named = names.map(|name| path.join(name));
        named.into_iter().find(|path| self.alone(path) == Truth::True)
    }

    pub(super) fn search(
        &self,
        path: &Path,
        sieve: &Sieve,
        counts: &dyn Fn(&Found<'_>) -> bool,
    ) -> Result<Option<PathBuf>, Reason> {
        // Sorted when the first file is found: if there are no files below, sorting would be most of the work.
        let names = OnceCell::new();
        let may_hold = |found: &Found<'_>| match self.test {
            TouchTest::Like(globs) => {
                let sorted = || globs.last_names(self.context.machine().roots_in(self.form), self.case);
                names.get_or_init(sorted).may_match(found.directory, found.name)
            }
            TouchTest::Under(_) | TouchTest::Outside(_) => true,
        };
        let holds = |found: &Found<'_>| may_hold(found) && counts(found) && self.alone(&found.path()) == Truth::True;
        self.context.machine().find_below(path, sieve, &|directory| self.may_hold_below(directory), &holds)
    }

    /// Searches the files that a search tool's own glob accepts. A literal name in it counts even if it does not exist.
    fn matching(&self, path: &Path, filter: Option<&str>) -> Result<Option<PathBuf>, Reason> {
        let filter = filter.map(Filter::new);
        let named = filter.iter().flat_map(Filter::names).map(|name| path.join(name));
        let named = named.into_iter().find(|path| self.alone(path) == Truth::True);
        if named.is_some() {
            return Ok(named);
        }
        let passes = |path: &Path| filter.as_ref().is_none_or(|filter| filter.passes(path));
        self.search(path, &Sieve::default(), &|found| !found.is_directory && passes(&found.path()))
    }

    /// Tests the names that exist below another path as they will be below this one.
    fn mirrored(&self, path: &Path, other: &At, sieve: &Sieve) -> Result<Option<PathBuf>, Reason> {
        let source = match other {
            At::Path(source) => source,
            At::Among { why, .. } => return Err(why.clone()),
        };
        let image = |found: &Path| found.strip_prefix(source).ok().map(|below| path.join(below));
        let enters = |found: &Path| image(found).is_none_or(|image| self.may_hold_below(&image));
        let holds = |found: &Found<'_>| image(&found.path()).is_some_and(|image| self.alone(&image) == Truth::True);
        let found = self.context.machine().find_below(source, sieve, &enters, &holds)?;
        Ok(found.and_then(|found| image(&found)))
    }

    /// Tests a partly known path.
    pub(super) fn shape(&self, shape: &Shape, reach: &Reach, why: &Reason) -> Truth {
        let mut steps = 0;
        let truth = self.compared(shape, reach, why, &mut steps);
        match self.context.machine().charge_each(1, steps / STEPS) {
            Ok(()) => truth,
            Err(spent) => Truth::unknown(spent),
        }
    }

    fn compared(&self, shape: &Shape, reach: &Reach, why: &Reason, steps: &mut usize) -> Truth {
        let only = match reach {
            Reach::Below(filter) if !filter.only.is_empty() => &*filter.only,
            _ => &[],
        };
        if only.is_empty() {
            match self.possible(shape, steps) {
                Possible::Always => return Truth::True,
                Possible::Perhaps => return Truth::unknown(why.clone()),
                Possible::Never if *reach == Reach::Alone => return Truth::False,
                Possible::Never => {}
            }
        }
        let is_plain = |glob: &String| !glob.trim_start_matches('/').contains(['/', '[', '{', '\\']);
        let may_be = match only {
            [] => self.possible(&shape.and_below(), steps) != Possible::Never,
            globs if globs.iter().all(is_plain) => {
                let mut named = |glob: &String| {
                    let below = shape.below_named(pieces(glob.trim_start_matches('/')));
                    self.possible(&below, steps) != Possible::Never
                };
                globs.iter().any(&mut named)
            }
            _ => self.possible(&shape.and_below(), steps) != Possible::Never,
        };
        if may_be { Truth::unknown(why.clone()) } else { Truth::False }
    }

    fn possible(&self, shape: &Shape, steps: &mut usize) -> Possible {
        let lies_in = |dirs: &[Dir], steps: &mut usize| {
            let mut result = if homeless(self.context, dirs).is_some() { Possible::Perhaps } else { Possible::Never };
            for dir in dirs {
                let made =
                    if matches!(dir, Dir::Tmp) { self.context.machine().made_by_mktemp(self.form) } else { None };
                if made.is_some_and(|made| shape.begins_as(&made, self.case)) {
                    return Possible::Always;
                }
                let Ok(known) = self.context.directories(dir, self.form) else {
                    result = Possible::Perhaps;
                    continue;
                };
                for region in known {
                    match self.lies_in(shape, &region, steps) {
                        Possible::Always => return Possible::Always,
                        Possible::Perhaps => result = Possible::Perhaps,
                        Possible::Never => {}
                    }
                }
            }
            result
        };
        match self.test {
            TouchTest::Like(globs) => globs.fit(shape, self.context.machine().roots_in(self.form), self.case, steps),
            TouchTest::Under(dirs) => lies_in(dirs, steps),
            TouchTest::Outside(dirs) => lies_in(dirs, steps).negated(),
        }
    }

    fn lies_in(&self, shape: &Shape, region: &Region, steps: &mut usize) -> Possible {
        let inside = shape.lies_in(&region.root, self.case, steps);
        if inside == Possible::Never {
            return inside;
        }
        let excepted = region.without.iter().map(|inner| shape.lies_in(inner, self.case, steps));
        excepted.fold(inside, |result, excepted| match excepted {
            Possible::Always => Possible::Never,
            Possible::Perhaps if result == Possible::Always => Possible::Perhaps,
            Possible::Perhaps | Possible::Never => result,
        })
    }

    /// Whether a path in a text may satisfy the test.
    pub(super) fn is_meant(&self, text: &str) -> bool {
        self.alone(&self.context.absolute(text, self.form)) != Truth::False
    }
}

/// Whether a directory below a path is hidden, or is inside a hidden one.
fn is_in_hidden(path: &Path, directory: &Path) -> bool {
    let names = directory.strip_prefix(path).unwrap_or(directory).components();
    names.into_iter().any(|name| name.as_os_str().as_encoded_bytes().starts_with(b"."))
}

/// Parses a glob without classes and alternatives.
fn pieces(glob: &str) -> Vec<hookrules_shell::path::Piece<'_>> {
    use hookrules_shell::path::Piece;
    let mut pieces = Vec::new();
    let mut rest = glob;
    while let Some(at) = rest.find(['*', '?']) {
        let (text, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        pieces.push(if behind.starts_with('*') { Piece::Name } else { Piece::One });
        rest = behind.get(1..).unwrap_or_default();
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

pub(super) fn shown(context: &Context<'_>, at: &At) -> String {
    match at {
        At::Path(path) => context.machine().shown(&path.to_string_lossy()),
        At::Among { word, .. } => word.clone(),
    }
}

/// Returns a note on the deciding file, and on the command that touches it.
fn file_note(context: &Context<'_>, verb: FileVerb, file: &Touched, path: &str) -> String {
    let by = file.by.and_then(|id| context.shown_command(id));
    let subject = by.map_or_else(|| "it".to_owned(), |by| quote(&by));
    format!("{subject} {} {}", verb.word(), quote(path))
}

/// Returns a note on the files that were examined.
fn files_note(context: &Context<'_>, verb: FileVerb, touches: &Touches<'_>) -> String {
    let verb = verb.word();
    let shown = |file: &std::borrow::Cow<'_, Touched>| {
        let path = quote(&shown(context, &file.at));
        if file.reach == Reach::Alone { path } else { format!("what is below {path}") }
    };
    match touches.files.as_slice() {
        [] => format!("it {verb} no known file"),
        [only] => format!("it {verb} {}", shown(only)),
        [first, rest @ ..] => format!("it {verb} {} and {} more", shown(first), rest.len()),
    }
}
