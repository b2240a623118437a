//! Finds the path that a word of a command denotes, as far as it is known.

use std::path::{Path, PathBuf};

use super::expand::{is_case_possibly_ignored, wildcard_letters};
use super::{TouchLocation, is_device, temporary};
use crate::context::derived::PATH_BYTES;
use crate::context::{Machine, PathForm, Reason, ShellText};
use hookrules_shell::path::{PathPiece, PathShape, normalise};
use hookrules_shell::word::{Cause, Directory, PrintedValue, UnknownPart, ValueSource, WordPart};
use hookrules_shell::{Unknown, Word};

/// The number of random letters in a default name of `mktemp`.
const MKTEMP_LETTERS: usize = 10;

/// A path that leads to the working directory of whichever process uses it.
const PROC_CWD: &str = "/proc/self/cwd";

/// The directory to which the paths of a command are relative, and what is needed to locate them.
#[derive(Clone, Copy)]
struct CommandPlace<'h> {
    /// The directory in which the command runs.
    place: &'h Directory,
    /// The path of the directory, if it is known. It is also known if it is the root of a repository that a
    /// substitution prints.
    known: Option<&'h Path>,
    shell: &'h ShellText,
    form: PathForm,
}

/// The beginning of a path with unknown parts.
#[derive(Default)]
struct PathBeginning<'w> {
    /// The known directory in which the path starts; its links are resolved in the physical form.
    start: Option<PathBuf>,
    /// The pieces of the path after `start`.
    pieces: Vec<PathPiece<'w>>,
}

impl Machine<'_> {
    /// Returns the path, or the possible paths, that a word of a command denotes; `None` if the word names no file.
    pub(in crate::context) fn word_location(
        &self,
        word: &Word,
        cwd: &Directory,
        shell: &ShellText,
        form: PathForm,
    ) -> Option<TouchLocation> {
        // The word is relative to one of the directories that a glob expands to.
        if let Directory::Unknown(Unknown { source: ValueSource::GlobMatch(directory), .. }) = cwd
            && let Some(word) = join_word(directory, word)
        {
            return self.word_location(&word, &Directory::Known(PathBuf::from("/")), shell, form);
        }
        if word.has_matched() {
            return self.word_location(&word.as_globs(), cwd, shell, form);
        }
        let known_cwd = match cwd {
            Directory::Known(path) => Some(path.clone()),
            Directory::Unknown(why) => {
                self.repository_root(why, shell).or_else(|| self.directory_below_tmpdir(why, shell))
            }
        };
        if let Some(text) = word.known_text() {
            if text.is_empty() {
                return None;
            }
            // Devices are excluded before links are resolved: `/dev/fd/3` would lead to a file of this process.
            let lexical = self.absolute_path(text, known_cwd.as_deref(), PathForm::Lexical);
            if lexical.is_some_and(|path| is_device(&path)) {
                return None;
            }
            if text.len() <= PATH_BYTES
                && let Some(path) = self.absolute_path(text, known_cwd.as_deref(), form)
            {
                return Some(TouchLocation::Path(path));
            }
        }
        if let Some(path) = self.path_in_known_directory(word, shell, form) {
            return Some(TouchLocation::Path(path));
        }
        let why = match (word.unknown_reason(), cwd) {
            (Some(why), _) => why.into(),
            (None, Directory::Unknown(why)) => why.clone().into(),
            (None, Directory::Known(_)) => Reason::too_many_paths(),
        };
        let is_long = word.parts.iter().map(part_length).sum::<usize>() > PATH_BYTES;
        let shape = match is_long {
            true => PathShape::new(None, []),
            false => self.path_shape(word, CommandPlace { place: cwd, known: known_cwd.as_deref(), shell, form }),
        };
        Some(TouchLocation::OneOf { shape, why, word: word.display_text() })
    }

    /// Returns the absolute path of a name; `None` if it is relative and the directory is unknown. In the physical
    /// form, links are resolved before `..`, as programs do.
    fn absolute_path(&self, text: &str, cwd: Option<&Path>, form: PathForm) -> Option<PathBuf> {
        let text = &*self.portable_text(text);
        let below_cwd = text.strip_prefix(PROC_CWD).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let text = below_cwd.map_or(text, |rest| rest.trim_start_matches('/'));
        let base = match cwd {
            _ if text.starts_with('/') => Path::new("/"),
            Some(cwd) => cwd,
            None => return None,
        };
        Some(match form {
            PathForm::Lexical => self.normal_path(text, base, None),
            PathForm::Physical if self.is_on_drive() => self.resolve(&self.normal_path(text, base, None)),
            PathForm::Physical => {
                let real = self.resolve(&base.join(text));
                normalise(&real.to_string_lossy(), Path::new("/"), None)
            }
        })
    }

    /// Returns the path of a word that consists of a variable with a known directory, and perhaps text after it:
    /// `$TMPDIR/x`.
    fn path_in_known_directory(&self, word: &Word, shell: &ShellText, form: PathForm) -> Option<PathBuf> {
        let (unknown, text) = match word.parts.as_slice() {
            [WordPart::Unknown(unknown)] => (unknown, ""),
            [WordPart::Unknown(unknown), WordPart::Text(text)] if text.starts_with('/') && text.len() <= PATH_BYTES => {
                (unknown, &**text)
            }
            _ => return None,
        };
        let directory = self.tmpdir_value(&unknown.reason, text, shell)?;
        let path = format!("{}{text}", directory.to_str()?);
        let may_be_split = unknown.may_split && path.contains(char::is_whitespace);
        if may_be_split { None } else { self.absolute_path(&path, None, form) }
    }

    /// Returns the set of paths that a word with unknown parts may denote. If globs may ignore case, its letters are
    /// replaced by wildcards.
    fn path_shape(&self, word: &Word, here: CommandPlace<'_>) -> PathShape {
        let is_glob = word.parts.iter().any(|part| matches!(part, WordPart::Glob(_)));
        if is_glob && is_case_possibly_ignored(&here.shell.analysis) {
            return self.path_shape_with_case(&wildcard_letters(word), here);
        }
        self.path_shape_with_case(word, here)
    }

    /// Returns the set of paths that a word may denote, with globs that respect case.
    fn path_shape_with_case(&self, word: &Word, here: CommandPlace<'_>) -> PathShape {
        let (mut path, parts) = self.path_beginning(word, here);
        for part in parts {
            let is_first = path.pieces.is_empty() && path.start.is_none();
            let piece = match part {
                WordPart::Unknown(UnknownPart {
                    reason: Unknown { source: ValueSource::RandomLetters(count), .. },
                    ..
                }) => {
                    path.pieces.extend(std::iter::repeat_n(PathPiece::Letter, *count));
                    continue;
                }
                WordPart::Text(text) => PathPiece::Text(text),
                WordPart::Glob(glob) if glob == "?" || glob.starts_with('[') => PathPiece::One,
                WordPart::Glob(_) => PathPiece::Name,
                WordPart::Unknown(unknown) => piece(unknown, is_first),
            };
            path.pieces.push(piece);
        }
        PathShape::new(path.start.as_deref(), path.pieces)
    }

    /// Returns the beginning of the paths that a word may denote, and the parts of the word after it.
    fn path_beginning<'w>(&self, word: &'w Word, here: CommandPlace<'w>) -> (PathBeginning<'w>, &'w [WordPart]) {
        let Some((first, rest)) = word.parts.split_first() else { return (PathBeginning::default(), &[]) };
        match first {
            WordPart::Text(text) => (self.beginning_from_text(text, here), rest),
            WordPart::Glob(_) => (self.directory(here), &word.parts),
            WordPart::Unknown(unknown) => match self.beginning_from_unknown(unknown, rest, here) {
                Some(beginning) => (beginning, rest),
                // The word begins with a part of one name, or with a name that a glob expanded to.
                None if unknown.is_letters() || matches!(piece(unknown, false), PathPiece::Name | PathPiece::Plain) => {
                    (self.directory(here), &word.parts)
                }
                None => (PathBeginning::default(), &word.parts),
            },
        }
    }

    /// Returns the beginning of the paths of a word whose first part is a text.
    fn beginning_from_text<'w>(&self, text: &'w str, here: CommandPlace<'w>) -> PathBeginning<'w> {
        let portable = self.portable_text(text);
        if here.known.is_none() && !portable.starts_with('/') {
            let mut beginning = self.directory(here);
            beginning.pieces.push(PathPiece::Text(text));
            return beginning;
        }
        let separators: &[char] = if portable == text { &['/'] } else { &['/', '\\'] };
        let (directory, name) = match text.rsplit_once(separators) {
            None => ("", text),
            Some(("", name)) => ("/", name),
            Some(split) => split,
        };
        let start = self.absolute_path(directory, here.known, here.form);
        let pieces = vec![PathPiece::Text(if start.is_some() { name } else { text })];
        PathBeginning { start, pieces }
    }

    /// Returns the beginning of the paths of a word whose first part is unknown; `None` if that part is not a known
    /// directory. `rest` are the other parts of the word.
    fn beginning_from_unknown<'w>(
        &self,
        unknown: &'w UnknownPart,
        rest: &[WordPart],
        here: CommandPlace<'_>,
    ) -> Option<PathBeginning<'w>> {
        let root = self.repository_root(&unknown.reason, here.shell);
        let next = match rest.first() {
            Some(WordPart::Text(text)) => text,
            _ => "",
        };
        let root = root.or_else(|| self.tmpdir_value(&unknown.reason, next, here.shell));
        let is_whole_component = rest.is_empty() || next.starts_with('/');
        if let Some(root) = root.filter(|_| is_whole_component) {
            // The rest of the word continues the path of the directory.
            return Some(PathBeginning {
                start: Some(self.convert_to_form(root, here.form)),
                pieces: vec![PathPiece::Text("")],
            });
        }
        let (directory, pieces) = self.mktemp_result(&unknown.reason)?;
        Some(PathBeginning { start: Some(self.convert_to_form(directory, here.form)), pieces })
    }

    /// Returns the beginning of a relative path: the working directory of the command, which may be a temporary one.
    fn directory<'h>(&self, here: CommandPlace<'h>) -> PathBeginning<'h> {
        match here.place {
            _ if here.known.is_some() => {
                PathBeginning { start: self.absolute_path("", here.known, here.form), pieces: Vec::new() }
            }
            Directory::Unknown(why) if why.cause == Cause::Directory => match self.mktemp_result(why) {
                Some((directory, mut pieces)) => {
                    pieces.push(PathPiece::Text("/"));
                    PathBeginning { start: Some(self.convert_to_form(directory, here.form)), pieces }
                }
                None => PathBeginning::default(),
            },
            _ => PathBeginning::default(),
        }
    }

    /// Returns the root of the repository that a substitution prints: `$(git rev-parse --show-toplevel)`. `None` for
    /// any other value, or if the root is unknown.
    fn repository_root(&self, why: &Unknown, shell: &ShellText) -> Option<PathBuf> {
        let Some(PrintedValue::Root(directory)) = why.source.printed_value() else { return None };
        if let Some(root) = shell.effects.roots.borrow().get(directory) {
            return root.clone();
        }
        let root = self.tree_root(directory);
        shell.effects.roots.borrow_mut().insert(directory.clone(), root.clone());
        root
    }

    /// Returns the directory of `cd "$TMPDIR"` or `cd "$TMPDIR/build"`; `None` if it is another one, or unknown.
    fn directory_below_tmpdir(&self, why: &Unknown, shell: &ShellText) -> Option<PathBuf> {
        let rest = match &why.source {
            ValueSource::BelowVariable(below) => below.rest.as_str(),
            _ => "",
        };
        let directory = self.tmpdir_value(why, rest, shell)?;
        self.absolute_path(&format!("{}{rest}", directory.to_str()?), None, PathForm::Lexical)
    }

    /// Returns the directory that `$TMPDIR` or `${TMPDIR:-/tmp}` expands to; `None` for any other value, or if the
    /// text changes the variable. `rest` is the text that follows in the same word.
    ///
    /// The shell of an agent may set the variable where the hook has none: a sandbox does. If it does not,
    /// `$TMPDIR/x` is `/x`, so there has to be no such file, and none of the system's directories.
    fn tmpdir_value(&self, why: &Unknown, rest: &str, shell: &ShellText) -> Option<PathBuf> {
        let is_plain =
            |path: &str| path.starts_with('/') && path.chars().all(|c| c.is_ascii_alphanumeric() || "/_-".contains(c));
        let (name, default, for_empty) = match &why.source {
            _ if !matches!(why.cause, Cause::Variable | Cause::Directory) => return None,
            ValueSource::Variable(name) => (&**name, None, false),
            ValueSource::BelowVariable(below) => (below.name.as_str(), None, false),
            ValueSource::Defaulted(expansion) => {
                let default = expansion.default.as_deref().filter(|default| is_plain(default))?;
                (expansion.name.as_str(), Some(default), expansion.for_empty)
            }
            _ => return None,
        };
        if !temporary::is_kept(name, shell) {
            return None;
        }
        match self.facts.env(name).ok()? {
            Some(directory) if !directory.is_empty() => {
                let directory = PathBuf::from(&*self.portable_text(&directory));
                directory.has_root().then_some(directory)
            }
            Some(_) if !for_empty => None,
            _ if default.is_some() => default.map(PathBuf::from),
            _ => {
                let new = temporary::name_below_root(rest)?;
                let is_absent = matches!(self.file_exists(&Path::new("/").join(new)), Ok(Some(false)));
                if is_absent { self.temporary_directory() } else { None }
            }
        }
    }

    /// Returns the directory in which a substitution such as `$(mktemp)` creates a temporary file or directory, and
    /// the pieces of the name that it creates; `None` for any other value.
    fn mktemp_result<'w>(&self, why: &'w Unknown) -> Option<(PathBuf, Vec<PathPiece<'w>>)> {
        match (why.cause, why.source.printed_value()?) {
            (Cause::Output, PrintedValue::TemporaryFile | PrintedValue::TemporaryDirectory)
            | (Cause::Directory, PrintedValue::TemporaryDirectory) => {
                Some((self.temporary_directory()?, temporary_name()))
            }
            (Cause::Output | Cause::Directory, PrintedValue::FromTemplate(template)) => {
                let directory = template.directory.clone().or_else(|| self.temporary_directory())?;
                let mut name = vec![PathPiece::Text(&template.before)];
                name.extend(std::iter::repeat_n(PathPiece::Letter, template.letters));
                name.push(PathPiece::Text(&template.after));
                Some((directory, name))
            }
            _ => None,
        }
    }

    /// Returns the set of paths that `mktemp` creates without a template. Other programs do not create such names, so
    /// each is a temporary file, even if `TMPDIR` names an ordinary directory.
    #[must_use]
    pub fn made_by_mktemp(&self, form: PathForm) -> Option<PathShape> {
        let directory = self.convert_to_form(self.temporary_directory()?, form);
        Some(PathShape::new(Some(&directory), temporary_name()))
    }

    /// Returns the directory in which programs create temporary files: the value of `TMPDIR`, else `/tmp`. `None` if
    /// the variable is a relative path or unknown.
    fn temporary_directory(&self) -> Option<PathBuf> {
        match self.facts.env("TMPDIR") {
            Ok(Some(directory)) if !directory.is_empty() => Path::new(&directory).has_root().then(|| directory.into()),
            Ok(_) => Some(PathBuf::from("/tmp")),
            Err(_) => None,
        }
    }
}

/// Joins a relative path to a directory; `None` if the path is empty, or is or may be absolute.
pub(super) fn join_word(directory: &Word, path: &Word) -> Option<Word> {
    let may_be_absolute =
        matches!(path.parts.first(), Some(part @ WordPart::Unknown(_)) if part.matched_glob().is_none());
    if may_be_absolute || path.parts.is_empty() || path.prefix().starts_with('/') {
        return None;
    }
    let mut whole = Word { span: None, ..directory.clone() };
    whole.push(WordPart::Text("/".to_owned()));
    path.parts.iter().for_each(|part| whole.push(part.clone()));
    Some(whole)
}

/// Returns the pieces of a name that `mktemp` creates by default: `tmp.` and random letters.
fn temporary_name() -> Vec<PathPiece<'static>> {
    let mut name = vec![PathPiece::Text("tmp.")];
    name.extend([PathPiece::Letter; MKTEMP_LETTERS]);
    name
}

/// Whether an unknown part is what `${f%.c}` or a similar operator leaves of a name that a glob expanded to.
fn is_changed_name(unknown: &UnknownPart) -> bool {
    unknown.reason.source == ValueSource::Name
}

/// Returns the length of a part of a word in bytes; an unknown part counts as 1.
fn part_length(part: &WordPart) -> usize {
    match part {
        WordPart::Text(text) | WordPart::Glob(text) => text.len(),
        WordPart::Unknown(_) => 1,
    }
}

/// Returns the piece of a path that an unknown part may become.
fn piece(unknown: &UnknownPart, is_first: bool) -> PathPiece<'static> {
    let why = &unknown.reason;
    match why.cause {
        Cause::Glob if is_changed_name(unknown) => PathPiece::Name,
        // The results of a search are below its start, which is the text before this part.
        Cause::Glob if !is_first => PathPiece::Below,
        _ if matches!(why.source, ValueSource::Number | ValueSource::Process | ValueSource::Parent) => PathPiece::Plain,
        Cause::Output => match why.source.printed_value() {
            Some(PrintedValue::Commits | PrintedValue::Identifiers) => PathPiece::Hash,
            Some(PrintedValue::Plain | PrintedValue::Number) => PathPiece::Plain,
            Some(PrintedValue::Numbers) if !unknown.may_split => PathPiece::Plain,
            Some(PrintedValue::Name) => PathPiece::Name,
            Some(PrintedValue::Branch | PrintedValue::Tag) if !is_first => PathPiece::Below,
            _ => PathPiece::Anything,
        },
        _ => PathPiece::Anything,
    }
}
