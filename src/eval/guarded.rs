//! The check that every call undergoes, whatever the rules say: does it change files that guard the session, such as
//! the policy? The caller defines these files.

use std::cell::LazyCell;
use std::path::Path;

use super::Truth;
use super::condition::kleene_or;
use super::touches::{BYTES_PER_FILE, TouchJudge, TouchResult, display_location};
use crate::context::{
    Context, PathForm, Reason, TouchLocation, TouchReach, TouchedFile, TouchedFiles, Views, WalkEntry,
};
use crate::ruleset::{DirOperand, TouchTest};
use crate::syntax::ast::FileVerb;
use hookrules_shell::Unknown;
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::files::{FileFilter, FileSkipping};
use hookrules_shell::path::{NameCase, contains_by_case};
use hookrules_shell::word::Cause;

/// Whether a call writes, or may write, to a directory or below it.
///
/// A write to an entirely unknown path does not count. Unknown files in a known directory, such as the contents of an
/// archive, count only if that is the parent of `directory`, or below that parent. Otherwise nearly every call would
/// count.
#[must_use]
pub fn is_possible_write_below(context: &Context<'_>, directory: &Path) -> bool {
    let case = if context.machine().is_case_folding() { NameCase::Folded } else { NameCase::Exact };
    let test = LazyCell::new(|| TouchTest::Under(vec![DirOperand::Literal(directory.to_owned())].into()));
    let reaches = |form: PathForm| {
        let directory_path = LazyCell::new(|| context.policy_path(&directory.to_string_lossy(), form));
        // The parent is needed only for unpacked files.
        let parent = LazyCell::new(|| directory.parent().map(|path| context.absolute(&path.to_string_lossy(), form)));
        let is_near = |path: &Path| parent.as_ref().is_none_or(|parent| path.starts_with(parent));
        context.touched_files(FileVerb::Writes, form).files.iter().any(|file| match (&file.location, &file.reach) {
            // The usual case: one file that a tool names.
            (TouchLocation::Path(path), TouchReach::PathOnly) => contains_by_case(&directory_path, path, case),
            _ => TouchJudge { context, form, case, test: &test, visible: &[] }.is_reachable(file, is_near),
        })
    };
    reaches(PathForm::Lexical) || reaches(PathForm::Physical)
}

impl TouchJudge<'_> {
    /// Whether an access with a known location affects files at or below the test's directories.
    fn is_reachable(&self, file: &TouchedFile, is_near: impl Fn(&Path) -> bool) -> bool {
        // It is only a guess that an unlisted tool acts on files below a directory.
        let reach = if file.guessed { &TouchReach::PathOnly } else { &file.reach };
        match (&file.location, reach) {
            // An unpacked file may be new, so it does not matter whether a file exists there already.
            (TouchLocation::Path(path), TouchReach::Part(_) | TouchReach::Packed(_)) => {
                is_near(path) && self.is_possible_below(path)
            }
            (TouchLocation::Path(path), reach) => self.judge_path_and_below(path, reach).truth != Truth::False,
            (TouchLocation::OneOf { shape, why, .. }, reach) => {
                shape.is_anchored() && self.judge_shape(shape, reach, why) != Truth::False
            }
        }
    }
}

/// The files that every call is checked for.
pub trait CheckedFiles {
    /// Whether a path may be such a file or, with [`TouchExtent::Below`], contain one. This is a fast check before
    /// the exact one, because hardly any file of a call is guarded.
    fn is_possibly_guarded(&self, path: &Path, extent: TouchExtent) -> bool;

    /// Returns the exact tests, one for each kind of guarded file.
    fn tests(&self) -> &[TouchTest];

    /// Whether a command may freely change files of this kind, because that is its ordinary purpose.
    fn is_free(&self, kind: usize, command: &SimpleCommand) -> bool;

    /// Whether an unlisted tool is assumed to act also on the files below a directory that it names.
    fn is_assumed_recursive(&self) -> bool;

    /// Whether a command counts only for the files that it names, because it ordinarily works on whole directories.
    fn is_counted_by_name(&self, command: &SimpleCommand) -> bool;

    /// Returns the effect of a command on the directories that it is given.
    fn directory_effect(&self, command: &SimpleCommand) -> DirectoryEffect;
}

/// The effect of a command on a directory itself, as opposed to the files below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DirectoryEffect {
    /// There is no relevant effect: the command reads and writes the contents of files.
    Nothing,
    /// The command changes the directory itself: its mode, its owner, its attributes.
    Changes,
    /// The command makes everything below the directory unreachable.
    Closes,
}

/// How much of a tree an access affects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TouchExtent {
    /// The access affects the path alone.
    Alone,
    /// The access affects the path and everything below it.
    Below,
}

/// A change of a guarded file by a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GuardedChange {
    /// The index of the test, among [`CheckedFiles::tests`], that the file satisfies.
    pub kind: usize,
    /// The path of the file, for display.
    pub path: String,
    /// The reason why it is uncertain that the file is changed; `None` if it certainly is.
    pub doubt: Option<Reason>,
}

/// Returns a change of a guarded file by a call, preferably a certain one; `None` if there is none.
///
/// A write to an unknown file (`> "$X"`) does not count, and neither do files that are unpacked in a directory above:
/// most such calls are harmless.
#[must_use]
pub fn change(context: &Context<'_>, guarded: &dyn CheckedFiles) -> Option<GuardedChange> {
    let mut possible = None;
    for view in Views::new(context).distinct() {
        for verb in [FileVerb::Writes, FileVerb::Deletes] {
            let lexical = view.touched_files(verb, PathForm::Lexical);
            // A call without touches in one form has none in the other.
            if lexical.files.is_empty() && lexical.mentioned.is_empty() {
                continue;
            }
            let physical = view.touched_files(verb, PathForm::Physical);
            // Hardly any path contains a symbolic link.
            let is_same = lexical == physical;
            let forms =
                [(PathForm::Lexical, Some(&lexical)), (PathForm::Physical, Some(&physical).filter(|_| !is_same))];
            for (form, touches) in forms.into_iter().filter_map(|(form, touches)| Some((form, touches?))) {
                match guarded_change(view, touches, verb, form, guarded) {
                    Some(change) if change.doubt.is_none() => return Some(change),
                    other => possible = possible.or(other),
                }
            }
        }
    }
    possible
}

/// Returns a change of a guarded file among the accesses with one verb, preferably a certain one.
fn guarded_change(
    view: &Context<'_>,
    touches: &TouchedFiles<'_>,
    verb: FileVerb,
    form: PathForm,
    guarded: &dyn CheckedFiles,
) -> Option<GuardedChange> {
    let case = if view.machine().is_case_folding() { NameCase::Folded } else { NameCase::Exact };
    let check = Check { view, verb, form, case, guarded };
    let mut possible = None;
    for file in &touches.files {
        let Some(near) = check.near(file) else { continue };
        for (kind, test) in guarded.tests().iter().enumerate() {
            if near.command.is_some_and(|command| guarded.is_free(kind, command)) {
                continue;
            }
            view.machine().charge_text(BYTES_PER_FILE, entry_count(test)).ok()?;
            match check.change(&near, kind, test) {
                Some(change) if change.doubt.is_none() => return Some(change),
                found => possible = possible.or(found),
            }
        }
    }
    possible.or_else(|| check.mentioned(touches))
}

/// The check of one view of a call for changes of guarded files, for one verb and one form of paths.
struct Check<'c> {
    view: &'c Context<'c>,
    verb: FileVerb,
    form: PathForm,
    case: NameCase,
    guarded: &'c dyn CheckedFiles,
}

/// An accessed file that may be a guarded one, or contain one.
struct NearFile<'c> {
    file: &'c TouchedFile,
    /// The files below it that count as accessed, too.
    reach: &'c TouchReach,
    /// The command that accesses the file; `None` if the tool itself does.
    command: Option<&'c SimpleCommand>,
    /// What the command does to directories themselves.
    on_directories: DirectoryEffect,
}

impl<'c> Check<'c> {
    /// Makes the judge that tests accessed files with one of the tests.
    fn judge_of<'t>(&'t self, test: &'t TouchTest) -> TouchJudge<'t> {
        TouchJudge { context: self.view, form: self.form, case: self.case, test, visible: &[] }
    }

    /// Returns the file with the extent that counts; `None` if it certainly is no guarded file and contains none.
    fn near(&self, file: &'c TouchedFile) -> Option<NearFile<'c>> {
        let guarded = self.guarded;
        // It is only a guess that an unlisted tool acts on files below a directory.
        let reach = if file.guessed && !guarded.is_assumed_recursive() { &TouchReach::PathOnly } else { &file.reach };
        // A deletion, and a command that makes a directory unreachable, affect everything below.
        let command = file.command.and_then(|id: CommandId| self.view.shell_text()?.analysis.command(id));
        let on_directories = command.map_or(DirectoryEffect::Nothing, |command| guarded.directory_effect(command));
        let is_closed = self.verb == FileVerb::Writes && on_directories == DirectoryEffect::Closes;
        let reach = if is_closed && *reach == TouchReach::PathOnly { &TouchReach::Everything } else { reach };
        let is_alone = *reach == TouchReach::PathOnly && self.verb == FileVerb::Writes;
        let extent = if is_alone { TouchExtent::Alone } else { TouchExtent::Below };
        let is_near = match &file.location {
            TouchLocation::Path(path) => guarded.is_possibly_guarded(path, extent),
            TouchLocation::OneOf { shape, .. } => shape.is_anchored(),
        };
        if !is_near {
            return None;
        }
        let counts_by_name = command.is_some_and(|command| guarded.is_counted_by_name(command));
        Some(NearFile {
            file,
            reach: if counts_by_name { &TouchReach::PathOnly } else { reach },
            command,
            on_directories,
        })
    }

    /// Returns the change of a guarded file, if the accessed file is, or contains, a file of this kind.
    fn change(&self, near: &NearFile<'_>, kind: usize, test: &TouchTest) -> Option<GuardedChange> {
        let NearFile { file, reach, on_directories, .. } = near;
        let TouchResult { truth, deciding_path: found } =
            self.judge_of(test).judge_extent(file, reach, *on_directories);
        let doubt = match (truth, &file.doubt) {
            (Truth::False, _) => return None,
            (Truth::True, None) => selection_doubt(reach),
            (Truth::Unknown(why), _) => Some(*why),
            (Truth::True, Some(why)) => Some(why.clone()),
        };
        let path = found.map(|found| self.view.machine().display_path(&found.to_string_lossy()));
        Some(GuardedChange { kind, path: path.unwrap_or_else(|| display_location(self.view, &file.location)), doubt })
    }

    /// Returns an uncertain change of a guarded file whose path is mentioned in a text that is not parsed.
    fn mentioned(&self, touches: &TouchedFiles<'_>) -> Option<GuardedChange> {
        let mut mentioned_paths =
            touches.mentioned.iter().flat_map(|said| said.paths.iter().map(move |path| (path, &said.reason)));
        mentioned_paths.find_map(|(text, why)| {
            let path = self.view.absolute(text, self.form);
            if !self.guarded.is_possibly_guarded(&path, TouchExtent::Alone) {
                return None;
            }
            let is_meant = |test: &TouchTest| self.judge_of(test).judge_path(&path) != Truth::False;
            let kind = self.guarded.tests().iter().position(is_meant)?;
            Some(GuardedChange {
                kind,
                path: self.view.machine().display_path(&path.to_string_lossy()),
                doubt: Some(why.clone()),
            })
        })
    }
}

/// Returns the index of the first test that a path or, with [`TouchExtent::Below`], some path at or below it
/// satisfies.
#[must_use]
pub fn kind(context: &Context<'_>, path: &Path, extent: TouchExtent, guarded: &dyn CheckedFiles) -> Option<usize> {
    let case = if context.machine().is_case_folding() { NameCase::Folded } else { NameCase::Exact };
    if !guarded.is_possibly_guarded(path, extent) {
        return None;
    }
    guarded.tests().iter().position(|test| {
        let target = TouchJudge { context, form: PathForm::Lexical, case, test, visible: &[] };
        let truth = match extent {
            TouchExtent::Alone => target.judge_path(path),
            TouchExtent::Below => target.judge_path_and_below(path, &TouchReach::Everything).truth,
        };
        truth == Truth::True
    })
}

/// Returns why an existing file may not be selected, if `git ls-files` selects files: it is unknown which files git
/// tracks.
fn selection_doubt(reach: &TouchReach) -> Option<Reason> {
    match reach {
        TouchReach::Below(filter) if filter.untracked == FileSkipping::Yes => {
            Some(Unknown::new(Cause::FileSelection, "git ls-files").into())
        }
        _ => None,
    }
}

/// Returns the weight of a test: a number of files whose examination costs as much.
fn entry_count(test: &TouchTest) -> usize {
    match test {
        TouchTest::Like(globs) => globs.weight() / 8 + 1,
        TouchTest::Under(dirs) | TouchTest::Outside(dirs) => dirs.len() / 8 + 1,
    }
}

impl TouchJudge<'_> {
    /// Tests an accessed file with this extent, and with the effect of its command on directories.
    fn judge_extent(&self, file: &TouchedFile, reach: &TouchReach, on_directories: DirectoryEffect) -> TouchResult {
        match (&file.location, reach) {
            (TouchLocation::Path(path), TouchReach::Below(filter)) if on_directories != DirectoryEffect::Nothing => {
                let result = self.judge_path_and_below(path, reach);
                if result.truth == Truth::True { result } else { self.directory_below(path, filter, result) }
            }
            // The contents of an archive are unknown: they may satisfy the test if the directory itself does.
            (TouchLocation::Path(path), TouchReach::Part(why) | TouchReach::Packed(why)) => {
                let alone = self.judge_path(path);
                let truth = if alone == Truth::False { Truth::False } else { Truth::unknown(why.clone()) };
                TouchResult { truth, deciding_path: None }
            }
            (TouchLocation::Path(path), reach) => self.judge_path_and_below(path, reach),
            (TouchLocation::OneOf { shape, why, .. }, reach) => {
                TouchResult { truth: self.judge_shape(shape, reach, why), deciding_path: None }
            }
        }
    }

    /// Searches for a directory below `path` that satisfies the test, and returns `files`, the result of the search
    /// for files, if there is none.
    fn directory_below(&self, path: &Path, filter: &FileFilter, files: TouchResult) -> TouchResult {
        if filter.directories == FileSkipping::Yes || !self.is_possible_below(path) {
            return files;
        }
        let is_picked = |found: &WalkEntry<'_>| found.is_directory && found.is_picked;
        match self.search_below(path, &self.context.machine().sieve(filter), &is_picked) {
            Ok(Some(found)) => TouchResult { truth: Truth::True, deciding_path: Some(found) },
            Ok(None) => files,
            Err(reason) => TouchResult { truth: kleene_or(files.truth, Truth::unknown(reason)), deciding_path: None },
        }
    }
}
