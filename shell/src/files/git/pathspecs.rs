//! The pathspecs of git: operands that select files. A prefix such as `:(icase)`, an option or a variable can change
//! what they mean.

use super::GitCall;
use crate::access::{AccessCertainty, FileFilter, FileSkipping};
use crate::files::paths::{GlobSigns, as_exclusion, glob_word, in_any_case};
use crate::word::{Cause, Unknown, UnknownPart, ValueSource, Word, WordPart};

impl GitCall<'_> {
    /// Returns the paths of all operands, for a subcommand all of whose operands are files.
    pub(super) fn files(&self) -> Vec<Word> {
        let operands = self.before_dashes.iter().chain(self.after_dashes.iter().flatten());
        let selected = operands.filter_map(|word| self.pathspec(word));
        selected.chain(self.everything_else()).map(|word| self.path(&word)).collect()
    }

    /// Returns the filter of the files that a subcommand selects below a directory. It leaves out the files that
    /// pathspecs exclude.
    pub(super) fn filter(&self, ignored: FileSkipping) -> FileFilter {
        let operands = self.before_dashes.iter().chain(self.after_dashes.iter().flatten());
        // git never tracks the files in `.git`.
        let except: Vec<String> =
            operands.filter_map(|word| self.excluded_glob(word)).chain([".git".to_owned()]).collect();
        FileFilter { except: except.into(), ignored, ..FileFilter::default() }
    }

    /// Returns an approximate filter of tracked files: it leaves out ignored files, because these are rarely tracked.
    pub(super) fn tracked_filter(&self) -> FileFilter {
        self.filter(FileSkipping::Yes)
    }

    /// Returns the operands that may be files. Those after `--` certainly are. If there is no `--`, an operand may be a
    /// commit, so it is a file only if such a file exists.
    pub(super) fn pathspecs(&self) -> Vec<(Word, AccessCertainty)> {
        let why = |word: &Word| AccessCertainty::IfFileExists(Unknown::new(Cause::AmbiguousWord, word.display_text()));
        let ambiguous = if self.after_dashes.is_some() { &[][..] } else { &self.before_dashes };
        let ambiguous = ambiguous.iter().filter(|word| !is_revision(word));
        let possible_files = ambiguous.filter_map(|word| Some((self.path(&self.pathspec(word)?), why(word))));
        let certain_files = self.after_dashes.iter().flatten().filter_map(|word| self.pathspec(word));
        let certain_files = certain_files.chain(self.everything_else());
        possible_files.chain(certain_files.map(|word| (self.path(&word), AccessCertainty::Certain))).collect()
    }

    /// Returns the working directory if there are pathspecs and all of them exclude files: they then select everything
    /// else there. Operands before them that name a revision do not count.
    pub(super) fn everything_else(&self) -> Option<Word> {
        let names_revision =
            |word: &Word| is_revision(word) || word.prefix().starts_with("HEAD") || word.prefix() == "@";
        let before = self.before_dashes.iter().filter(|word| self.after_dashes.is_none() && !names_revision(word));
        let mut pathspecs = before.chain(self.after_dashes.iter().flatten()).peekable();
        pathspecs.peek()?;
        pathspecs.all(|word| self.pathspec(word).is_none()).then(|| Word::text("."))
    }

    /// Whether an option of git or a variable turns on a setting that applies to all pathspecs.
    fn has_pathspec_setting(&self, option: &str, variable: &str) -> bool {
        let is_off = |word: &Word| matches!(word.known_text(), Some("" | "0" | "false" | "no" | "off"));
        self.has(&[option]) || self.call.variable(variable).is_some_and(|value| !is_off(value))
    }

    /// Returns the path in a pathspec, without a prefix such as `:/` or `:(top)`. `None` if the pathspec excludes
    /// files.
    pub(super) fn pathspec(&self, word: &Word) -> Option<Word> {
        let (magic, path) = split_magic(word);
        let is_exclusion = magic.contains(['!', '^']) || magic.contains("exclude");
        let path = if path.parts.is_empty() && !magic.is_empty() { Word::text(".") } else { path };
        let ignores_case =
            magic.contains("icase") || self.has_pathspec_setting("--icase-pathspecs", "GIT_ICASE_PATHSPECS");
        let is_literal =
            magic.contains("literal") || self.has_pathspec_setting("--literal-pathspecs", "GIT_LITERAL_PATHSPECS");
        let path = match is_literal || is_dots(&path) {
            true if ignores_case => path_in_any_case(&path, GlobSigns::Literal),
            true => path,
            false if ignores_case => {
                let expanded = expand_git_globs(path);
                let signs = if has_own_glob(&expanded) { GlobSigns::Literal } else { GlobSigns::Active };
                path_in_any_case(&expanded, signs)
            }
            false => expand_git_globs(path),
        };
        (!is_exclusion).then_some(path)
    }

    /// Returns the glob of the files that a pathspec excludes. `None` if it does not exclude files, or if it only
    /// excludes some of the files that the glob matches, such as those with an attribute.
    fn excluded_glob(&self, word: &Word) -> Option<String> {
        let (magic, path) = split_magic(word);
        let is_narrower = magic.contains("attr") || magic.contains("literal");
        if self.pathspec(word).is_some() || is_narrower { None } else { as_exclusion(&path) }
    }
}

/// Whether a word begins with the unknown output of a git command that prints a revision, so that it is not a file:
/// `$(git rev-parse HEAD)`.
fn is_revision(word: &Word) -> bool {
    let is_of_revision = |why: &Unknown| why.cause == Cause::Output && why.source.is_revision();
    matches!(word.parts.first(), Some(WordPart::Unknown(unknown)) if is_of_revision(&unknown.reason))
}

/// Whether a path has a glob that git itself expands, in the form that [`expand_git_globs`] gives it.
pub(super) fn has_own_glob(path: &Word) -> bool {
    let is_own = |part: &WordPart| {
        matches!(part, WordPart::Unknown(UnknownPart { reason, may_split: false })
        if reason.cause == Cause::Glob && reason.source == ValueSource::Any)
    };
    path.parts.iter().any(is_own)
}

/// Replaces the `*` and `?` in the known text of a path by globs, because git expands them even if they are quoted for
/// the shell.
fn expand_git_globs(path: Word) -> Word {
    let has_globs = |part: &WordPart| matches!(part, WordPart::Text(text) if text.contains(['*', '?', '[']));
    // A glob for a kind of files, such as `*.rs`, stays a text: as a glob, it might match any file that a rule is
    // about. `*nv` is meant for one file.
    let is_kind = |rest: &str| rest.is_empty() || rest.starts_with('.') && !rest.contains(['*', '?', '[']);
    let begins_open = |text: &str| {
        let name = text.rsplit('/').next().unwrap_or_default();
        name.strip_prefix('*').is_some_and(is_kind)
    };
    let is_open = matches!(path.parts.last(), Some(WordPart::Text(text)) if begins_open(text));
    if is_open || !path.parts.iter().any(has_globs) {
        return path;
    }
    let mut word = Word { span: path.span.clone(), ..Word::default() };
    for part in path.parts {
        let WordPart::Text(text) = part else {
            word.push(part);
            continue;
        };
        for part in glob_word(&text).parts {
            match part {
                // The `*` of git also matches names in subdirectories.
                WordPart::Glob(sign) if sign == "*" => {
                    if word.parts.is_empty() {
                        word.push(WordPart::Text("./".to_owned()));
                    }
                    let why = Unknown::new(Cause::Glob, sign);
                    word.push(WordPart::Unknown(UnknownPart { reason: why, may_split: false }));
                }
                part => word.push(part),
            }
        }
    }
    word
}

/// Replaces each letter in the known text of a path by a glob for both of its cases.
fn path_in_any_case(path: &Word, signs: GlobSigns) -> Word {
    let mut word = Word { span: path.span.clone(), ..Word::default() };
    for part in &path.parts {
        match part {
            WordPart::Text(text) => in_any_case(text, signs).parts.iter().for_each(|part| word.push(part.clone())),
            part => word.push(part.clone()),
        }
    }
    word
}

/// Splits a pathspec into its prefix (`:/`, `:(exclude)`, `:!`) and its path.
fn split_magic(word: &Word) -> (&str, Word) {
    let start = word.prefix();
    let length = match start.strip_prefix(':') {
        Some(rest) if rest.starts_with('(') => start.find(')').map_or(0, |end| end + 1),
        Some(rest) => 1 + rest.bytes().take_while(|byte| matches!(byte, b'/' | b'!' | b'^')).count(),
        None => 0,
    };
    let magic = start.get(..length).unwrap_or_default();
    (magic, word.strip_prefix(magic).unwrap_or_else(|| word.clone()))
}

/// Whether a path is the whole tree or a directory above: `.`, `..`, `*`.
pub(super) fn is_dots(path: &Word) -> bool {
    matches!(path.known_text(), Some("." | ".." | "*"))
}
