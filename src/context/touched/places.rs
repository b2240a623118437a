//! The location that a word of a command denotes, as far as it is known.

use std::path::{Path, PathBuf};

use super::expand::{globs_in_any_case, in_any_case};
use super::{At, is_device};
use crate::context::derived::PATH_BYTES;
use crate::context::{Form, Machine, Reason, ShellText};
use hookrules_shell::analysis::Simple;
use hookrules_shell::path::{Piece, Shape, normalise};
use hookrules_shell::word::{Cause, Directory, Part, Prints, Source, UnknownPart};
use hookrules_shell::{Unknown, Word};

/// How many characters `mktemp` adds to a name.
const TEMPORARY: usize = 10;

/// The prefix of paths that lead to the working directory.
const OWN_DIRECTORY: &str = "/proc/self/cwd";

/// The place where a command runs, to which the paths in its words are relative.
#[derive(Clone, Copy)]
struct Here<'h> {
    place: &'h Directory,
    /// The directory, if it is known, including the root of a repository that a substitution prints.
    known: Option<&'h Path>,
    shell: &'h ShellText,
    form: Form,
}

/// The beginning of a path.
#[derive(Default)]
struct Beginning<'w> {
    /// The known part of the directory in which it begins, with links resolved in the physical form.
    start: Option<PathBuf>,
    /// The parts after it.
    pieces: Vec<Piece<'w>>,
}

impl Machine<'_> {
    /// Returns the location of a word of a command; `None` if it names no file.
    pub(super) fn place(&self, word: &Word, cwd: &Directory, shell: &ShellText, form: Form) -> Option<At> {
        // It is relative to one of the directories that a glob expands to.
        if let Directory::Unknown(Unknown { source: Source::Matched(directory), .. }) = cwd
            && let Some(word) = below(directory, word)
        {
            return self.place(&word, &Directory::Known(PathBuf::from("/")), shell, form);
        }
        if word.has_matched() {
            return self.place(&word.as_globs(), cwd, shell, form);
        }
        let known_cwd = match cwd {
            Directory::Known(path) => Some(path.clone()),
            Directory::Unknown(why) => self.repository_root(why, shell),
        };
        if let Some(text) = word.known() {
            if text.is_empty() {
                return None;
            }
            // Before links are resolved: that of an open descriptor would lead to this process's own file.
            let named = self.located(text, known_cwd.as_deref(), Form::Lexical);
            if named.is_some_and(|path| is_device(&path)) {
                return None;
            }
            if text.len() <= PATH_BYTES
                && let Some(path) = self.located(text, known_cwd.as_deref(), form)
            {
                return Some(At::Path(path));
            }
        }
        if let Some(path) = self.in_known_directory(word, shell, form) {
            return Some(At::Path(path));
        }
        let why = match (word.why(), cwd) {
            (Some(why), _) => why.into(),
            (None, Directory::Unknown(why)) => why.clone().into(),
            (None, Directory::Known(_)) => Reason::too_many_paths(),
        };
        let is_long = word.parts.iter().map(part_length).sum::<usize>() > PATH_BYTES;
        let shape = match is_long {
            true => Shape::new(None, []),
            false => self.shape(word, Here { place: cwd, known: known_cwd.as_deref(), shell, form }),
        };
        Some(At::Among { shape, why, word: word.shown() })
    }

    /// Returns the absolute path of a name. In the physical form, links are followed before `..`, as programs do.
    fn located(&self, text: &str, cwd: Option<&Path>, form: Form) -> Option<PathBuf> {
        let own = text.strip_prefix(OWN_DIRECTORY).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let text = own.map_or(text, |rest| rest.trim_start_matches('/'));
        let base = match cwd {
            _ if text.starts_with('/') => Path::new("/"),
            Some(cwd) => cwd,
            None => return None,
        };
        Some(match form {
            Form::Lexical => normalise(text, base, None),
            Form::Physical => {
                let real = self.resolve(&base.join(text));
                normalise(&real.to_string_lossy(), Path::new("/"), None)
            }
        })
    }

    /// Returns the path of a word that begins with an expansion to a known directory.
    fn in_known_directory(&self, word: &Word, shell: &ShellText, form: Form) -> Option<PathBuf> {
        let (unknown, text) = match word.parts.as_slice() {
            [Part::Unknown(unknown)] => (unknown, ""),
            [Part::Unknown(unknown), Part::Text(text)] if text.starts_with('/') && text.len() <= PATH_BYTES => {
                (unknown, &**text)
            }
            _ => return None,
        };
        let directory = self.temporary_files(&unknown.why, shell)?;
        let path = format!("{}{text}", directory.to_str()?);
        let breaks = unknown.splits && path.contains(char::is_whitespace);
        if breaks { None } else { self.located(&path, None, form) }
    }

    /// Returns the paths that a word with unknown parts may denote.
    fn shape(&self, word: &Word, here: Here<'_>) -> Shape {
        let is_glob = word.parts.iter().any(|part| matches!(part, Part::Glob(_)));
        if is_glob && globs_in_any_case(&here.shell.analysis) {
            return self.shape_of(&in_any_case(word), here);
        }
        self.shape_of(word, here)
    }

    fn shape_of(&self, word: &Word, here: Here<'_>) -> Shape {
        let (mut path, parts) = self.beginning(word, here);
        for part in parts {
            let is_first = path.pieces.is_empty() && path.start.is_none();
            let piece = match part {
                Part::Unknown(UnknownPart { why: Unknown { source: Source::Letters(count), .. }, .. }) => {
                    path.pieces.extend(std::iter::repeat_n(Piece::Letter, *count));
                    continue;
                }
                Part::Text(text) => Piece::Text(text),
                Part::Glob(glob) if glob == "?" || glob.starts_with('[') => Piece::One,
                Part::Glob(_) => Piece::Name,
                Part::Unknown(unknown) => piece(unknown, is_first),
            };
            path.pieces.push(piece);
        }
        Shape::new(path.start.as_deref(), path.pieces)
    }

    /// Returns the beginning of the paths that a word may denote, and its remaining parts.
    fn beginning<'w>(&self, word: &'w Word, here: Here<'w>) -> (Beginning<'w>, &'w [Part]) {
        let Some((first, rest)) = word.parts.split_first() else { return (Beginning::default(), &[]) };
        match first {
            Part::Text(text) => (self.beginning_in_text(text, here), rest),
            Part::Glob(_) => (self.directory(here), &word.parts),
            Part::Unknown(unknown) => match self.beginning_in_unknown(unknown, rest, here) {
                Some(beginning) => (beginning, rest),
                // One name, or one of the names that a glob expanded to.
                None if unknown.is_letters() || matches!(piece(unknown, false), Piece::Name | Piece::Plain) => {
                    (self.directory(here), &word.parts)
                }
                None => (Beginning::default(), &word.parts),
            },
        }
    }

    fn beginning_in_text<'w>(&self, text: &'w str, here: Here<'w>) -> Beginning<'w> {
        if here.known.is_none() && !text.starts_with('/') {
            let mut beginning = self.directory(here);
            beginning.pieces.push(Piece::Text(text));
            return beginning;
        }
        let (directory, name) = match text.rsplit_once('/') {
            None => ("", text),
            Some(("", name)) => ("/", name),
            Some(split) => split,
        };
        let start = self.located(directory, here.known, here.form);
        let pieces = vec![Piece::Text(if start.is_some() { name } else { text })];
        Beginning { start, pieces }
    }

    /// Returns the beginning of paths whose first part is an expansion, if that is a known directory.
    fn beginning_in_unknown<'w>(
        &self,
        unknown: &'w UnknownPart,
        rest: &[Part],
        here: Here<'_>,
    ) -> Option<Beginning<'w>> {
        let root = self.repository_root(&unknown.why, here.shell);
        let root = root.or_else(|| self.temporary_files(&unknown.why, here.shell));
        let ends = rest.first().is_none_or(|next| matches!(next, Part::Text(text) if text.starts_with('/')));
        if let Some(root) = root.filter(|_| ends) {
            // The remaining parts follow the directory.
            return Some(Beginning { start: Some(self.in_form(root, here.form)), pieces: vec![Piece::Text("")] });
        }
        let (directory, pieces) = self.temporary(&unknown.why)?;
        Some(Beginning { start: Some(self.in_form(directory, here.form)), pieces })
    }

    /// Returns the beginning of a relative path: the command's working directory, which may be a temporary one.
    fn directory<'h>(&self, here: Here<'h>) -> Beginning<'h> {
        match here.place {
            _ if here.known.is_some() => {
                Beginning { start: self.located("", here.known, here.form), pieces: Vec::new() }
            }
            Directory::Unknown(why) if why.cause == Cause::Directory => match self.temporary(why) {
                Some((directory, mut pieces)) => {
                    pieces.push(Piece::Text("/"));
                    Beginning { start: Some(self.in_form(directory, here.form)), pieces }
                }
                None => Beginning::default(),
            },
            _ => Beginning::default(),
        }
    }

    /// Returns the directory that a substitution prints: the root of the repository in which it runs.
    fn repository_root(&self, why: &Unknown, shell: &ShellText) -> Option<PathBuf> {
        let Some(Prints::Root(directory)) = why.source.prints() else { return None };
        if let Some(root) = shell.effects.roots.borrow().get(directory) {
            return root.clone();
        }
        let root = self.git_of_directory(directory).ok().flatten().and_then(|git| git.root);
        shell.effects.roots.borrow_mut().insert(directory.clone(), root.clone());
        root
    }

    /// Returns the directory in `$TMPDIR`, or `${TMPDIR:-/tmp}`, if the text does not set the variable.
    fn temporary_files(&self, why: &Unknown, shell: &ShellText) -> Option<PathBuf> {
        const NAME: &str = "TMPDIR";
        if why.cause != Cause::Variable {
            return None;
        }
        let is_plain =
            |path: &str| path.starts_with('/') && path.chars().all(|c| c.is_ascii_alphanumeric() || "/_-".contains(c));
        let (name, default, for_empty) = match &why.source {
            Source::Variable(name) => (&**name, None, false),
            Source::Defaulted(one) => {
                let default = one.default.as_deref().filter(|default| is_plain(default))?;
                (one.name.as_str(), Some(default), one.for_empty)
            }
            _ => return None,
        };
        if name != NAME {
            return None;
        }
        if !*shell.effects.keeps_tmpdir.get_or_init(|| keeps(shell, NAME)) {
            return None;
        }
        match self.facts.env(NAME).ok()? {
            Some(directory) if !directory.is_empty() => Path::new(&directory).is_absolute().then(|| directory.into()),
            Some(_) if !for_empty => None,
            _ => default.map(PathBuf::from),
        }
    }

    /// Returns the directory in which a substitution creates a temporary file, and the pieces of its name.
    fn temporary<'w>(&self, why: &'w Unknown) -> Option<(PathBuf, Vec<Piece<'w>>)> {
        match (why.cause, why.source.prints()?) {
            (Cause::Output, Prints::TemporaryFile | Prints::TemporaryDirectory)
            | (Cause::Directory, Prints::TemporaryDirectory) => {
                Some((self.named_for_temporary_files()?, temporary_name()))
            }
            (Cause::Output | Cause::Directory, Prints::Made(template)) => {
                let directory = template.directory.clone().or_else(|| self.named_for_temporary_files())?;
                let mut name = vec![Piece::Text(&template.before)];
                name.extend(std::iter::repeat_n(Piece::Letter, template.letters));
                name.push(Piece::Text(&template.after));
                Some((directory, name))
            }
            _ => None,
        }
    }

    /// Returns the paths that `mktemp` creates. Nothing else has such a name, so it is a temporary file wherever
    /// `TMPDIR` leads.
    #[must_use]
    pub fn made_by_mktemp(&self, form: Form) -> Option<Shape> {
        let directory = self.in_form(self.named_for_temporary_files()?, form);
        Some(Shape::new(Some(&directory), temporary_name()))
    }

    /// Returns the directory in which programs in this environment create temporary files.
    fn named_for_temporary_files(&self) -> Option<PathBuf> {
        match self.facts.env("TMPDIR") {
            Ok(Some(directory)) if !directory.is_empty() => {
                Path::new(&directory).is_absolute().then(|| directory.into())
            }
            Ok(_) => Some(PathBuf::from("/tmp")),
            Err(_) => None,
        }
    }
}

/// Joins a relative path to a directory; `None` if the path is, or may be, absolute or empty.
pub(super) fn below(directory: &Word, path: &Word) -> Option<Word> {
    let is_open = matches!(path.parts.first(), Some(part @ Part::Unknown(_)) if part.matched().is_none());
    if is_open || path.parts.is_empty() || path.prefix().starts_with('/') {
        return None;
    }
    let mut whole = Word { span: None, ..directory.clone() };
    whole.push(Part::Text("/".to_owned()));
    path.parts.iter().for_each(|part| whole.push(part.clone()));
    Some(whole)
}

/// Returns the pieces of a default `mktemp` name.
fn temporary_name() -> Vec<Piece<'static>> {
    let mut name = vec![Piece::Text("tmp.")];
    name.extend([Piece::Letter; TEMPORARY]);
    name
}

/// Whether an unknown part is a name that a glob expanded to, with its beginning or end cut off.
fn is_changed_name(unknown: &UnknownPart) -> bool {
    unknown.why.source == Source::Name
}

fn part_length(part: &Part) -> usize {
    match part {
        Part::Text(text) | Part::Glob(text) => text.len(),
        Part::Unknown(_) => 1,
    }
}

/// Whether a text leaves a variable unchanged: it only expands it.
fn keeps(shell: &ShellText, name: &str) -> bool {
    const RUNS: &[&str] = &[".", "source", "eval"];
    let is_expanded = |(at, _): (usize, &str)| {
        let before = shell.text.get(..at).unwrap_or_default();
        let behind = shell.text.get(at + name.len()..).unwrap_or_default();
        before.ends_with(['$', '{']) && !behind.starts_with(['=', '[']) && !behind.starts_with(":=")
    };
    let changes = |command: &Simple| {
        let first = command.words.first().and_then(Word::known);
        let sets = first.is_some_and(|first| matches!(first, "read" | "mapfile" | "readarray" | "printf" | "unset"));
        first.is_some_and(|first| RUNS.contains(&first))
            || command.words.iter().any(|word| word.known() == Some(name) || sets && word.parts.len() > 1)
    };
    shell.text.match_indices(name).all(is_expanded) && !shell.analysis.commands.iter().any(changes)
}

/// Returns the possible contents of an unknown part.
fn piece(unknown: &UnknownPart, is_first: bool) -> Piece<'static> {
    let why = &unknown.why;
    match why.cause {
        Cause::Glob if is_changed_name(unknown) => Piece::Name,
        // The results of a search are below its start, if that is in the text before.
        Cause::Glob if !is_first => Piece::Below,
        _ if matches!(why.source, Source::Number | Source::Process | Source::Parent) => Piece::Plain,
        Cause::Output => match why.source.prints() {
            Some(Prints::Commits) => Piece::Hash,
            Some(Prints::Plain) => Piece::Plain,
            Some(Prints::Name) => Piece::Name,
            Some(Prints::Branch | Prints::Tag) if !is_first => Piece::Below,
            _ => Piece::Anything,
        },
        _ => Piece::Anything,
    }
}
