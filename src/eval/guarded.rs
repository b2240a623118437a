//! The program's own check of every call, independent of rules: whether it changes files that guard the session.
//!
//! The caller defines those files.

use std::cell::LazyCell;
use std::path::Path;

use super::Truth;
use super::condition::either;
use super::touches::{Held, Target, shown};
use crate::context::{At, Context, Form, Found, Reach, Reason, Touched, Touches, Views};
use crate::ruleset::{Dir, TouchTest};
use crate::syntax::ast::FileVerb;
use hookrules_shell::Unknown;
use hookrules_shell::analysis::{CommandId, Simple};
use hookrules_shell::files::{Filter, Skipped};
use hookrules_shell::path::{Case, contains_as};
use hookrules_shell::word::Cause;

/// The cost of comparing one touched file, in bytes of text.
const BYTES_PER_FILE: usize = 640;

/// Whether a call writes at or below a directory, or may write there through an effect at a known place: a place above
/// whose written files are unknown, or a place of which only part of a name is unknown.
///
/// A write to an entirely unknown place does not count, and unknown files count only in the directory just above and
/// below it: every call is checked, and most write nowhere near, wherever they unpack.
#[must_use]
pub fn may_write_below(context: &Context<'_>, directory: &Path) -> bool {
    let case = if context.machine().folds_names() { Case::Folded } else { Case::Exact };
    let test = LazyCell::new(|| TouchTest::Under(vec![Dir::Literal(directory.to_owned())].into()));
    let reaches = |form: Form| {
        let place = LazyCell::new(|| context.policy_path(&directory.to_string_lossy(), form));
        // Used only for unpacked files.
        let above = LazyCell::new(|| directory.parent().map(|above| context.absolute(&above.to_string_lossy(), form)));
        let is_near = |path: &Path| above.as_ref().is_none_or(|above| path.starts_with(above));
        context.touched(FileVerb::Writes, form).files.iter().any(|file| match (&file.at, &file.reach) {
            // The usual case: one file that a tool names.
            (At::Path(path), Reach::Alone) => contains_as(&place, path, case),
            _ => Target { context, form, case, test: &test }.may_be_reached(file, is_near),
        })
    };
    reaches(Form::Lexical) || reaches(Form::Physical)
}

impl Target<'_> {
    /// Whether an effect at a known place touches files at or below the test's directories.
    fn may_be_reached(&self, file: &Touched, is_near: impl Fn(&Path) -> bool) -> bool {
        // Only a guess: an unlisted tool may act on files below a directory.
        let reach = if file.guessed { &Reach::Alone } else { &file.reach };
        match (&file.at, reach) {
            // Regardless of whether a file exists there by now.
            (At::Path(path), Reach::Part(_) | Reach::Packed(_)) => is_near(path) && self.may_hold_below(path),
            (At::Path(path), reach) => self.path(path, reach).truth != Truth::False,
            (At::Among { shape, why, .. }, reach) => {
                shape.is_anchored() && self.shape(shape, reach, why) != Truth::False
            }
        }
    }
}

/// Files that are checked in every call.
pub trait Guarded {
    /// Whether a path may be such a file or, with [`Extent::Below`], may have one below it. A fast check: nearly no
    /// file of any call is one.
    fn may_be(&self, path: &Path, extent: Extent) -> bool;

    /// Returns the tests, one for each kind of file.
    fn tests(&self) -> &[TouchTest];

    /// Whether a command may change files of a kind, because that is its everyday purpose.
    fn is_free(&self, kind: usize, command: &Simple) -> bool;

    /// Whether an unlisted tool is assumed to act on files below a directory.
    fn goes_below(&self) -> bool;

    /// Whether a command counts only for the files that it names, because it works on whole directories every day.
    fn counts_by_name(&self, command: &Simple) -> bool;

    /// Returns a command's effect on the directories that it is given.
    fn on_directories(&self, command: &Simple) -> OnDirectories;
}

/// A command's effect on a directory among its files, apart from the entries below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnDirectories {
    /// No relevant effect: it reads and writes the contents of files.
    Nothing,
    /// It changes the directory itself: its mode, its owner, its attributes.
    Changes,
    /// It makes everything below unreachable.
    Closes,
}

/// The extent of a touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// The path alone.
    Alone,
    /// The path and everything below it.
    Below,
}

/// A change of a guarded file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    /// The index of the test that found it.
    pub kind: usize,
    /// The file, for people.
    pub path: String,
    /// Why it may not be a change, if it is uncertain.
    pub doubt: Option<Reason>,
}

/// Returns a change of a guarded file by a call, preferably a certain one.
///
/// A write to an unknown file (`> "$X"`) does not count, nor do files that are unpacked further up: every call is
/// checked, and most of those are harmless.
#[must_use]
pub fn change(context: &Context<'_>, guarded: &dyn Guarded) -> Option<Change> {
    let mut possible = None;
    for view in Views::of(context).each() {
        for verb in [FileVerb::Writes, FileVerb::Deletes] {
            let lexical = view.touched(verb, Form::Lexical);
            // A call without touches in one form has none in the other.
            if lexical.files.is_empty() && lexical.mentioned.is_empty() {
                continue;
            }
            let physical = view.touched(verb, Form::Physical);
            // Nearly always there is no link on the path.
            let is_same = lexical == physical;
            let forms = [(Form::Lexical, Some(&lexical)), (Form::Physical, Some(&physical).filter(|_| !is_same))];
            for (form, touches) in forms.into_iter().filter_map(|(form, touches)| Some((form, touches?))) {
                match changed(view, touches, verb, form, guarded) {
                    Some(change) if change.doubt.is_none() => return Some(change),
                    other => possible = possible.or(other),
                }
            }
        }
    }
    possible
}

fn changed(
    view: &Context<'_>,
    touches: &Touches<'_>,
    verb: FileVerb,
    form: Form,
    guarded: &dyn Guarded,
) -> Option<Change> {
    let case = if view.machine().folds_names() { Case::Folded } else { Case::Exact };
    let check = Check { view, verb, form, case, guarded };
    let mut possible = None;
    for file in &touches.files {
        let Some(near) = check.near(file) else { continue };
        for (kind, test) in guarded.tests().iter().enumerate() {
            if near.command.is_some_and(|command| guarded.is_free(kind, command)) {
                continue;
            }
            view.machine().look_at(BYTES_PER_FILE, weight(test)).ok()?;
            match check.change(&near, kind, test) {
                Some(change) if change.doubt.is_none() => return Some(change),
                found => possible = possible.or(found),
            }
        }
    }
    possible.or_else(|| check.mentioned(touches))
}

/// The check of a call, seen in one way, for changes of guarded files.
struct Check<'c> {
    view: &'c Context<'c>,
    verb: FileVerb,
    form: Form,
    case: Case,
    guarded: &'c dyn Guarded,
}

/// A touched file that may be a guarded one, or have one below it.
struct NearFile<'c> {
    file: &'c Touched,
    reach: &'c Reach,
    command: Option<&'c Simple>,
    on_directories: OnDirectories,
}

impl<'c> Check<'c> {
    fn target<'t>(&'t self, test: &'t TouchTest) -> Target<'t> {
        Target { context: self.view, form: self.form, case: self.case, test }
    }

    fn near(&self, file: &'c Touched) -> Option<NearFile<'c>> {
        let guarded = self.guarded;
        // Only a guess: an unlisted tool may act on files below a directory.
        let reach = if file.guessed && !guarded.goes_below() { &Reach::Alone } else { &file.reach };
        // A deletion, or a command that makes a directory unreachable, affects everything below.
        let command = file.by.and_then(|id: CommandId| self.view.shell_text()?.analysis.command(id));
        let on_directories = command.map_or(OnDirectories::Nothing, |command| guarded.on_directories(command));
        let is_closed = self.verb == FileVerb::Writes && on_directories == OnDirectories::Closes;
        let reach = if is_closed && *reach == Reach::Alone { &Reach::Whole } else { reach };
        let is_alone = *reach == Reach::Alone && self.verb == FileVerb::Writes;
        let extent = if is_alone { Extent::Alone } else { Extent::Below };
        let is_near = match &file.at {
            At::Path(path) => guarded.may_be(path, extent),
            At::Among { shape, .. } => shape.is_anchored(),
        };
        if !is_near {
            return None;
        }
        let by_name = command.is_some_and(|command| guarded.counts_by_name(command));
        Some(NearFile { file, reach: if by_name { &Reach::Alone } else { reach }, command, on_directories })
    }

    fn change(&self, near: &NearFile<'_>, kind: usize, test: &TouchTest) -> Option<Change> {
        let NearFile { file, reach, on_directories, .. } = near;
        let Held { truth, found } = self.target(test).held(file, reach, *on_directories);
        let doubt = match (truth, &file.doubt) {
            (Truth::False, _) => return None,
            (Truth::True, None) => selection(reach),
            (Truth::Unknown(why), _) => Some(*why),
            (Truth::True, Some(why)) => Some(why.clone()),
        };
        let path = found.map(|found| self.view.machine().shown(&found.to_string_lossy()));
        Some(Change { kind, path: path.unwrap_or_else(|| shown(self.view, &file.at)), doubt })
    }

    /// Returns a change of a file that the call only mentions.
    fn mentioned(&self, touches: &Touches<'_>) -> Option<Change> {
        let mut named = touches.mentioned.iter().flat_map(|said| said.paths.iter().map(move |path| (path, &said.why)));
        named.find_map(|(text, why)| {
            let path = self.view.absolute(text, self.form);
            if !self.guarded.may_be(&path, Extent::Alone) {
                return None;
            }
            let is_meant = |test: &TouchTest| self.target(test).alone(&path) != Truth::False;
            let kind = self.guarded.tests().iter().position(is_meant)?;
            Some(Change { kind, path: self.view.machine().shown(&path.to_string_lossy()), doubt: Some(why.clone()) })
        })
    }
}

/// Returns the index of the test that a path satisfies or, with [`Extent::Below`], a path below it.
#[must_use]
pub fn kind(context: &Context<'_>, path: &Path, extent: Extent, guarded: &dyn Guarded) -> Option<usize> {
    let case = if context.machine().folds_names() { Case::Folded } else { Case::Exact };
    if !guarded.may_be(path, extent) {
        return None;
    }
    guarded.tests().iter().position(|test| {
        let target = Target { context, form: Form::Lexical, case, test };
        let truth = match extent {
            Extent::Alone => target.alone(path),
            Extent::Below => target.path(path, &Reach::Whole).truth,
        };
        truth == Truth::True
    })
}

/// Returns why a file below a directory may not be selected although it exists: which files git tracks is not seen.
fn selection(reach: &Reach) -> Option<Reason> {
    match reach {
        Reach::Below(filter) if filter.untracked == Skipped::Yes => {
            Some(Unknown::new(Cause::Picked, "git ls-files").into())
        }
        _ => None,
    }
}

/// Returns the weight of a test, by the number of its entries.
fn weight(test: &TouchTest) -> usize {
    match test {
        TouchTest::Like(globs) => globs.weight() / 8 + 1,
        TouchTest::Under(dirs) | TouchTest::Outside(dirs) => dirs.len() / 8 + 1,
    }
}

impl Target<'_> {
    fn held(&self, file: &Touched, reach: &Reach, on_directories: OnDirectories) -> Held {
        match (&file.at, reach) {
            (At::Path(path), Reach::Below(filter)) if on_directories != OnDirectories::Nothing => {
                let held = self.path(path, reach);
                if held.truth == Truth::True { held } else { self.directory_below(path, filter, held) }
            }
            // The contents of an archive are unknown: they may match if the target directory itself does.
            (At::Path(path), Reach::Part(why) | Reach::Packed(why)) => {
                let alone = self.alone(path);
                let truth = if alone == Truth::False { Truth::False } else { Truth::unknown(why.clone()) };
                Held { truth, found: None }
            }
            (At::Path(path), reach) => self.path(path, reach),
            (At::Among { shape, why, .. }, reach) => Held { truth: self.shape(shape, reach, why), found: None },
        }
    }

    /// Searches for a matching directory below, if no file is certain to match.
    fn directory_below(&self, path: &Path, filter: &Filter, files: Held) -> Held {
        if filter.directories == Skipped::Yes || !self.may_hold_below(path) {
            return files;
        }
        let is_picked = |found: &Found<'_>| found.is_directory && found.is_picked;
        match self.search(path, &self.context.machine().sieve(filter), &is_picked) {
            Ok(Some(found)) => Held { truth: Truth::True, found: Some(found) },
            Ok(None) => files,
            Err(reason) => Held { truth: either(files.truth, Truth::unknown(reason)), found: None },
        }
    }
}
