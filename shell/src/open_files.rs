//! The files that descriptors are open on, and the paths that name a descriptor: `/dev/fd/3`, `/dev/stdin`,
//! `/proc/self/fd/3`.
//!
//! Opening such a path opens the descriptor's file again, for reading or for writing, whether the descriptor itself
//! is open for reading or for writing. The data that flows through descriptors is not tracked here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use crate::glob::{Fit, Glob};
use crate::word::{Cause, Directory, Unknown, UnknownPart, ValueSource, Word, WordPart};

/// The maximum number of descriptors that are tracked; further ones are ignored.
const MAX_DESCRIPTORS: usize = 64;

/// Globs of the paths that name descriptors.
const NAMES: &[&str] = &["/dev/fd/*", "/dev/std*", "/proc/*/fd/*"];

/// The highest number of a standard stream.
const STANDARD_ERROR: u32 = 2;

/// The files that the descriptors of a process are open on, as far as the text determines them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct OpenFiles {
    /// The files of the tracked descriptors, by number.
    by_number: Rc<BTreeMap<u32, OpenFile>>,
    /// Whether some descriptor was ever open on a file, even if a pipe has replaced the file. It never becomes false
    /// again.
    has_files: bool,
}

/// What a descriptor is open on: known files, and possibly something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OpenFile {
    /// The files that it may be, each as an absolute path if the directory is known.
    files: Vec<Word>,
    /// What it may be other than these files.
    other_target: OtherTarget,
}

/// What a descriptor may be open on, other than the known files. Ordered: each variant includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum OtherTarget {
    /// Nothing: it is one of the files.
    Nothing,
    /// A pipe, a here-document, or a stream that the host passed to the shell.
    Stream,
    /// A stream, or a file that a program opened whose code is evaluated. That evaluation reports the reads from the
    /// file.
    StreamOrCodeFile,
    /// Any file, or a stream.
    AnyFile,
}

impl OpenFile {
    /// Returns a descriptor that is open on the file of a path; `cwd` is the directory that the path is relative to.
    pub(crate) fn from_path(path: &Word, cwd: &Directory) -> Self {
        Self { files: vec![absolute_path(path, cwd)], other_target: OtherTarget::Nothing }
    }

    /// Returns a descriptor that is open on a pipe, a here-document, or a stream that the host passed to the shell.
    pub(crate) const fn stream() -> Self {
        Self { files: Vec::new(), other_target: OtherTarget::Stream }
    }

    /// Returns a descriptor that may be open on any file.
    pub(crate) const fn unknown() -> Self {
        Self { files: Vec::new(), other_target: OtherTarget::AnyFile }
    }

    /// Returns the file that the descriptor is certainly open on, if there is one.
    pub(crate) fn certain_file(&self) -> Option<&Word> {
        match self.files.as_slice() {
            [file] if self.other_target == OtherTarget::Nothing => Some(file),
            _ => None,
        }
    }

    /// Returns the known files that the descriptor may be open on.
    pub(crate) fn files(&self) -> &[Word] {
        &self.files
    }

    /// Whether the descriptor may be open on a file that is not among the known ones.
    pub(crate) fn may_be_any(&self) -> bool {
        self.other_target == OtherTarget::AnyFile
    }

    /// Whether output to the descriptor may go to a file that is not among the known ones.
    pub(crate) fn may_write_any(&self) -> bool {
        self.other_target >= OtherTarget::StreamOrCodeFile
    }

    /// Whether the descriptor may be open on a file, known or not.
    pub(crate) fn may_be_file(&self) -> bool {
        !self.files.is_empty() || self.may_write_any()
    }

    /// Returns a descriptor that may be open on what either of two is open on.
    pub(crate) fn union(mut self, other: &Self) -> Self {
        let more = other.files.iter().filter(|file| !self.files.contains(file)).cloned().collect::<Vec<_>>();
        self.files.extend(more);
        self.other_target = self.other_target.max(other.other_target);
        self
    }

    /// Appends names to the paths of all files: the descriptor is open on a directory, and the names are below it.
    fn join_names(mut self, names: &[Word]) -> Self {
        for name in names {
            for file in &mut self.files {
                file.push(WordPart::Text("/".to_owned()));
                name.parts.iter().for_each(|part| file.push(part.clone()));
            }
        }
        self
    }
}

impl OpenFiles {
    /// Returns what a descriptor is open on. If the text does not open it, it is a stream for the numbers up to that of
    /// standard error, and may be any file for higher ones.
    pub(crate) fn get(&self, number: u32) -> OpenFile {
        let inherited = || if number <= STANDARD_ERROR { OpenFile::stream() } else { OpenFile::unknown() };
        self.by_number.get(&number).cloned().unwrap_or_else(inherited)
    }

    /// Sets what a descriptor is open on. Does nothing if too many are tracked.
    pub(crate) fn set(&mut self, number: u32, file: OpenFile) {
        self.has_files |= file.may_be_file();
        if self.by_number.len() < MAX_DESCRIPTORS || self.by_number.contains_key(&number) {
            Rc::make_mut(&mut self.by_number).insert(number, file);
        }
    }

    /// Records that a tracked descriptor is open on a pipe from here on.
    pub(crate) fn set_pipe(&mut self, number: u32) {
        if self.by_number.contains_key(&number) {
            self.set(number, OpenFile::stream());
        }
    }

    /// Records that a tracked descriptor may be open on a stream instead.
    pub(crate) fn may_be_stream(&mut self, number: u32) {
        if self.by_number.contains_key(&number) {
            self.set(number, self.get(number).union(&OpenFile::stream()));
        }
    }

    /// Records that a standard stream may be open on a file which the program that starts the command has opened.
    pub(crate) fn may_be_handed(&mut self, number: u32) {
        let handed_file = OpenFile { files: Vec::new(), other_target: OtherTarget::StreamOrCodeFile };
        self.set(number, self.get(number).union(&handed_file));
    }

    /// Records that the descriptors above standard error may be closed, so that any other file may get their numbers.
    pub(crate) fn may_be_closed(&mut self) {
        let numbers: Vec<u32> = self.by_number.keys().copied().filter(|number| *number > STANDARD_ERROR).collect();
        for number in numbers {
            self.set(number, self.get(number).union(&OpenFile::unknown()));
        }
    }

    /// Sets what a descriptor is open on to its value in `before`.
    pub(crate) fn restore(&mut self, number: u32, before: &Self) {
        match before.by_number.get(&number) {
            Some(file) => self.set(number, file.clone()),
            None if self.by_number.contains_key(&number) => {
                Rc::make_mut(&mut self.by_number).remove(&number);
            }
            None => {}
        }
    }

    /// Joins the states of two branches that meet: each descriptor may be open on what it is open on in either.
    pub(crate) fn join(&mut self, other: &Self) {
        if self == other {
            return;
        }
        self.has_files |= other.has_files;
        let numbers: BTreeSet<u32> = self.by_number.keys().chain(other.by_number.keys()).copied().collect();
        for number in numbers {
            let either = self.get(number).union(&other.get(number));
            self.set(number, either);
        }
    }

    /// Returns what a path opens if it names a descriptor (`/dev/fd/3`), or a file below the directory that a
    /// descriptor is open on; `None` for any other path.
    pub(crate) fn descriptor_file(&self, path: &Word, cwd: &Directory) -> Option<OpenFile> {
        let Some(DescriptorPath { process, number, below }) = DescriptorPath::read(path, cwd) else {
            return if self.has_files && is_glob_of_names(path) { Some(self.union_of_all()) } else { None };
        };
        let file = match (process, number) {
            (DescriptorOwner::Own, Some(number)) => self.get(number),
            (DescriptorOwner::Shell, Some(number)) if number <= STANDARD_ERROR && !self.has_files => OpenFile::stream(),
            // The descriptors of another process may differ, and so may those of an enclosing shell.
            (DescriptorOwner::Shell | DescriptorOwner::Other, Some(number)) => {
                self.get(number).union(&OpenFile::unknown())
            }
            (_, None) => self.union_of_all().union(&OpenFile::unknown()),
        };
        Some(file.join_names(&below))
    }

    /// Returns what a path may open if a link in it leads to a descriptor, or if its directory is unknown: `x/fd/3`,
    /// `fds/3`. For a standard stream, the path must contain the whole name (`fd/1`, `dev/stdout`): files are often
    /// named by a small number. `None` if it cannot name a tracked descriptor.
    pub(crate) fn linked_descriptor_file(&self, path: &Word, cwd: &Directory) -> Option<OpenFile> {
        if !self.has_files || DescriptorPath::read(path, cwd).is_some() {
            return None;
        }
        let Some(WordPart::Text(end)) = path.parts.last() else { return None };
        let is_fd_directory = |directory: &str| directory == "fd" || directory.ends_with("/fd");
        let (directory, name) = end.rsplit_once('/').unwrap_or(("", end));
        let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let number = match name {
            _ if is_number && (end.contains('/') || path.parts.len() == 1) => name.parse().ok()?,
            "stdin" if directory.ends_with("dev") => 0,
            "stdout" if directory.ends_with("dev") => 1,
            "stderr" if directory.ends_with("dev") => 2,
            _ => return None,
        };
        let file = self.by_number.get(&number).filter(|file| file.may_be_file())?;
        (number > STANDARD_ERROR || !is_number || is_fd_directory(directory)).then(|| file.clone())
    }

    /// Returns what any of the tracked descriptors may be open on.
    fn union_of_all(&self) -> OpenFile {
        self.by_number.values().fold(OpenFile::stream(), OpenFile::union)
    }

    /// Returns the file that a path opens as the name of a descriptor, if the file is certain.
    pub(crate) fn descriptor_path(&self, path: &Path) -> Option<Word> {
        if !may_name(path.to_str()?) {
            return None;
        }
        let root = Directory::Known(Path::new("/").into());
        self.descriptor_file(&Word::text(path.to_str()?), &root)?.certain_file().cloned()
    }
}

/// Returns the number of the descriptor of the opening process that an absolute path names: 3 for `/dev/fd/3`.
#[must_use]
pub fn descriptor_number(path: &str) -> Option<u32> {
    if !path.starts_with('/') || !may_name(path) {
        return None;
    }
    descriptor_in_path(&Word::text(path), &Directory::Known(Path::new("/").into()))
}

/// Returns the number of the descriptor of the opening process that a path names; `None` if names follow after the
/// descriptor.
pub(crate) fn descriptor_in_path(path: &Word, cwd: &Directory) -> Option<u32> {
    let named = DescriptorPath::read(path, cwd)?;
    named.number.filter(|_| named.process == DescriptorOwner::Own && named.below.is_empty())
}

/// A path that names a descriptor, or a file below the directory that the descriptor is open on.
struct DescriptorPath {
    /// The process that owns the descriptor.
    process: DescriptorOwner,
    /// The number; `None` if it is unknown.
    number: Option<u32>,
    /// The names after the descriptor.
    below: Vec<Word>,
}

/// The process that owns the descriptor that a path names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DescriptorOwner {
    /// The process that opens the path: `/dev/fd/3`, `/proc/self/fd/3`.
    Own,
    /// The shell: `/proc/$$/fd/3`.
    Shell,
    /// Another process, or an unknown one: `/proc/1234/fd/3`.
    Other,
}

impl DescriptorPath {
    /// Parses a path; `None` if it does not name a descriptor.
    fn read(path: &Word, cwd: &Directory) -> Option<Self> {
        Self::parse(&canonical(&path_components(path, cwd)?))
    }

    /// Parses the canonical components of a path, after `/`: `proc`, the process, `fd`, the number.
    fn parse(names: &[Word]) -> Option<Self> {
        let (first, names) = names.split_first()?;
        let (process, names) = names.split_first().filter(|_| first.known_text() == Some("proc"))?;
        let process = DescriptorOwner::from_name(process)?;
        let names = match names {
            [task, _, names @ ..] if task.known_text() == Some("task") => names,
            names => names,
        };
        let [directory, number, below @ ..] = names else { return None };
        if directory.known_text() != Some("fd") {
            return None;
        }
        let number = match number.known_text() {
            Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => Some(text.parse().ok()?),
            Some(_) => return None,
            None => None,
        };
        Some(Self { process, number, below: below.to_vec() })
    }
}

impl DescriptorOwner {
    /// Parses the component after `/proc`; `None` if it is not a process.
    fn from_name(name: &Word) -> Option<Self> {
        match (name.known_text(), name.parts.as_slice()) {
            (Some("self" | "thread-self"), _) => Some(Self::Own),
            (Some(text), _) => text.bytes().all(|byte| byte.is_ascii_digit()).then_some(Self::Other),
            (None, [WordPart::Unknown(unknown)])
                if matches!(unknown.reason.source, ValueSource::Process | ValueSource::Parent) =>
            {
                Some(Self::Shell)
            }
            (None, _) => Some(Self::Other),
        }
    }
}

/// Whether a path may name a descriptor, judged by its text alone: it leads into `/dev` or `/proc`.
fn may_name(text: &str) -> bool {
    match ["//", "/./", "/../"].iter().any(|detour| text.contains(detour)) {
        true => ["/dev", "/proc"].iter().any(|root| text.contains(root)),
        false => text.starts_with("/dev/") || text.starts_with("/proc/"),
    }
}

/// Whether a path has a glob that may match the name of a descriptor: `/d?v/fd/3`.
fn is_glob_of_names(path: &Word) -> bool {
    let path = path.as_globs();
    path.parts.iter().any(|part| matches!(part, WordPart::Glob(_)))
        && NAMES.iter().any(|names| Glob::new(names).test(&path) != Fit::No)
}

/// Returns the components of a path, from the root; `None` if its beginning shows that it does not name a descriptor.
fn path_components(path: &Word, cwd: &Directory) -> Option<Vec<Word>> {
    let path = path.as_globs();
    let start = path.prefix();
    let mut names: Vec<Word> = Vec::new();
    if matches!(path.parts.first(), Some(WordPart::Unknown(_))) {
        return None;
    }
    if !start.starts_with('/') {
        let Directory::Known(cwd) = cwd else { return None };
        let is_there = |cwd: &str| ["/dev", "/proc"].iter().any(|root| cwd.starts_with(root));
        let leads_there = ["dev/", "proc/"].iter().any(|root| start.contains(root));
        let cwd = cwd.to_str().filter(|cwd| leads_there || is_there(cwd))?;
        names.extend(cwd.split('/').map(Word::text));
    } else if !may_name(start) {
        return None;
    }
    let mut name = Word::default();
    for part in &path.parts {
        let WordPart::Text(text) = part else {
            name.push(part.clone());
            continue;
        };
        let mut pieces = text.split('/');
        name.push(WordPart::Text(pieces.next().unwrap_or_default().to_owned()));
        for piece in pieces {
            names.push(std::mem::replace(&mut name, Word::text(piece)));
        }
    }
    names.push(name);
    Some(names)
}

/// Resolves `.` and `..` in the components, and the links by which a system refers to descriptors: `/dev/stdin` is
/// `/proc/self/fd/0`.
fn canonical(names: &[Word]) -> Vec<Word> {
    let mut resolved: Vec<Word> = Vec::new();
    for name in names {
        match name.known_text() {
            Some("" | ".") => continue,
            // After a descriptor that is open on a directory, `..` leads to that directory's parent, which is not
            // known here.
            Some("..") if DescriptorPath::parse(&resolved).is_some() => resolved.push(name.clone()),
            Some("..") => {
                resolved.pop();
                continue;
            }
            _ => resolved.push(name.clone()),
        }
        let start: Vec<Option<&str>> = resolved.iter().take(4).map(Word::known_text).collect();
        let target: &[&str] = match start.as_slice() {
            [Some("dev"), Some("fd")] => &["proc", "self", "fd"],
            [Some("dev"), Some("stdin")] => &["proc", "self", "fd", "0"],
            [Some("dev"), Some("stdout")] => &["proc", "self", "fd", "1"],
            [Some("dev"), Some("stderr")] => &["proc", "self", "fd", "2"],
            [Some("proc"), Some("self"), Some("root")] => &[],
            [Some("proc"), Some("net")] => &["proc", "self", "net"],
            [Some("proc"), Some("mounts")] => &["proc", "self", "mounts"],
            _ => continue,
        };
        resolved = target.iter().map(|name| Word::text(*name)).collect();
    }
    resolved
}

/// Returns a path as an absolute one: prefixed with the directory, or with an unknown part if the directory is
/// unknown.
fn absolute_path(path: &Word, cwd: &Directory) -> Word {
    let mut absolute = Word::default();
    let may_be_absolute =
        matches!(path.parts.first(), Some(WordPart::Unknown(unknown)) if unknown.matched_glob().is_none());
    if !may_be_absolute && !path.prefix().starts_with('/') {
        match cwd {
            Directory::Known(directory) => absolute.push(WordPart::Text(directory.display().to_string())),
            Directory::Unknown(reason) => {
                let reason = Unknown { cause: Cause::Directory, ..reason.clone() };
                absolute.push(WordPart::Unknown(UnknownPart { reason, may_split: false }));
            }
        }
        absolute.push(WordPart::Text("/".to_owned()));
    }
    path.parts.iter().for_each(|part| absolute.push(part.clone()));
    absolute
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::word;

    fn opened(path: &str) -> Option<String> {
        let here = Directory::Known("/w".into());
        let mut files = OpenFiles::default();
        files.set(3, OpenFile::from_path(&word("f"), &here));
        files.set(4, OpenFile::from_path(&word("/d"), &here));
        let file = files.descriptor_file(&word(path), &here)?;
        let mut shown: Vec<String> = file.files().iter().map(Word::display_text).collect();
        shown.extend(file.may_be_any().then(|| "any".to_owned()));
        Some(shown.join(" "))
    }

    #[test]
    fn a_path_names_a_descriptor_in_many_ways() {
        for (path, expected) in [
            ("/dev/fd/3", "/w/f"),
            ("//dev/./fd//3", "/w/f"),
            ("/dev/../dev/fd/3", "/w/f"),
            ("/dev/fd/../fd/3", "/w/f"),
            ("/proc/self/fd/3", "/w/f"),
            ("/proc/thread-self/fd/3", "/w/f"),
            ("/proc/self/task/7/fd/3", "/w/f"),
            ("/proc/self/root/dev/fd/3", "/w/f"),
            ("../dev/fd/3", "/w/f"),
            ("../../proc/self/fd/3", "/w/f"),
            ("/proc/net/../fd/3", "/w/f"),
            ("/dev/fd/4/a/b", "/d/a/b"),
            ("/dev/fd/4/../x", "/d/../x"),
            ("/proc/7/fd/3", "/w/f any"),
            ("/proc/7/fd/1", "any"),
            ("/dev/fd/5", "any"),
            ("/dev/fd/*", "/w/f /d any"),
            ("/de?/fd/3", "/w/f /d"),
            ("/dev/f*/3", "/w/f /d"),
            ("/*/std*", "/w/f /d"),
            ("/proc/*/fd/3", "/w/f any"),
            ("/dev/stdin", ""),
            ("/dev/stdout", ""),
            ("/dev/stderr", ""),
            ("/proc/self/fd/2", ""),
        ] {
            assert_eq!(opened(path).as_deref(), Some(expected), "{path}");
        }
        for path in [
            "/dev/fd",
            "/dev/fd/",
            "/dev/fd/x",
            "/dev/tty*",
            "/src/*.rs",
            "/dev/null",
            "/proc/self/cwd/f",
            "/proc/net/fd/3",
            "f",
            "3",
        ] {
            assert_eq!(opened(path), None, "{path}");
        }
    }

    #[test]
    fn a_link_may_lead_to_a_descriptor() {
        let here = Directory::Known("/w".into());
        let mut files = OpenFiles::default();
        files.set(0, OpenFile::from_path(&word("in"), &here));
        files.set(3, OpenFile::from_path(&word("f"), &here));
        let linked = |path: &str| files.linked_descriptor_file(&word(path), &here).is_some();
        for path in ["lfd/3", "root/dev/fd/3", "/w/x/3", "3", "x/fd/0", "root/dev/stdin"] {
            assert!(linked(path), "{path}");
        }
        for path in ["out/0", "out/2", "0", "out/4", "x3", "f", "logs/stdin", "/dev/fd/3", "/proc/self/fd/3", "3/x"] {
            assert!(!linked(path), "{path}");
        }
    }

    #[test]
    fn a_descriptor_of_two_ways_is_open_on_either_file() {
        let here = Directory::Known("/w".into());
        let mut one = OpenFiles::default();
        let mut other = one.clone();
        one.set(3, OpenFile::from_path(&word("a"), &here));
        other.set(3, OpenFile::from_path(&word("b"), &here));
        other.set(0, OpenFile::from_path(&word("c"), &here));
        one.join(&other);
        assert_eq!(one.get(3).certain_file(), None);
        assert_eq!(one.get(3).files().len(), 2);
        assert!(!one.get(3).may_be_any());
        assert_eq!(one.get(0).certain_file(), None);
        assert_eq!(one.get(0).files().len(), 1);
    }
}
