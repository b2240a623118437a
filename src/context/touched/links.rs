//! Symbolic links: a link that the text itself creates does not exist yet, and a deletion removes a link, not its
//! target.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{TouchLocation, TouchedFile};
use crate::context::{Machine, PathForm, Reason, ShellText};
use hookrules_shell::Word;
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::argv::Argv;
use hookrules_shell::files::{AccessExtent, FileAccess, Verb};
use hookrules_shell::path::{PathPiece, PathShape};
use hookrules_shell::word::WordPart;

/// The programs that act on a name itself, even if it is a link.
const ACTING_ON_NAMES: &[&str] = &["rm", "grm", "unlink", "rmdir", "mv", "gmv", "trash", "trash-put"];

/// The links that a text creates, each with the first command that creates it.
#[derive(Default)]
pub(super) struct CreatedLinks {
    known: BTreeMap<PathBuf, CommandId>,
    /// The links at a path whose start is unknown, as words: `$d/h`.
    others: Vec<(Word, CommandId)>,
}

impl CreatedLinks {
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty() && self.others.is_empty()
    }
}

impl Machine<'_> {
    /// Returns the location of a deletion by a program that does not follow a link in the last component; `None` for
    /// any other touch.
    ///
    /// `takes` is the result of [`is_acting_on_names`] for the command.
    pub(super) fn deletion_location(
        &self,
        command: &SimpleCommand,
        takes: bool,
        touch: &FileAccess,
        shell: &ShellText,
        form: PathForm,
    ) -> Option<TouchLocation> {
        let is_alone = matches!(touch.extent, AccessExtent::PathOnly | AccessExtent::Everything);
        let is_meant = takes && touch.verb == Verb::Deletes && is_alone;
        if is_meant { self.unfollowed_path(&touch.path, command, shell, form).map(TouchLocation::Path) } else { None }
    }

    /// Returns the path of a name itself, even if it is a link: only the links in its directory are resolved. `None`
    /// if the name is unknown, or ends in a slash, `.` or `..`.
    fn unfollowed_path(
        &self,
        word: &Word,
        command: &SimpleCommand,
        shell: &ShellText,
        form: PathForm,
    ) -> Option<PathBuf> {
        let (directory, name) = match word.known_text()? {
            text if !text.contains('/') => (".", text),
            text => text.rsplit_once('/').map(|(above, name)| (if above.is_empty() { "/" } else { above }, name))?,
        };
        if matches!(name, "" | "." | "..") {
            return None;
        }
        match self.word_location(&Word::text(directory), &command.cwd, shell, form)? {
            TouchLocation::Path(directory) => Some(directory.join(name)),
            TouchLocation::OneOf { .. } => None,
        }
    }

    /// Whether a name is an existing link.
    fn is_link(&self, word: &Word, command: &SimpleCommand, shell: &ShellText) -> bool {
        let form = PathForm::Physical;
        let own = self.unfollowed_path(word, command, shell, form);
        own.is_some_and(|own| self.word_location(word, &command.cwd, shell, form) != Some(TouchLocation::Path(own)))
    }

    /// Returns the links that the text creates, in the order of the touches.
    pub(super) fn links<'t>(
        &self,
        shell: &ShellText,
        placed: impl Iterator<Item = (&'t FileAccess, &'t TouchedFile)>,
    ) -> CreatedLinks {
        let mut links = CreatedLinks::default();
        let mut carrying = None;
        let mut last: Option<(CommandId, LinkCreation)> = None;
        for (touch, touched) in placed {
            let Some(id) = touched.command else { continue };
            if matches!(touched.location, TouchLocation::OneOf { .. }) && touch.verb != Verb::Writes {
                continue;
            }
            let Some(command) = shell.analysis.command(id) else { continue };
            let makes = match last {
                Some((known, makes)) if known == id => makes,
                _ => link_creation(command),
            };
            if touch.verb == Verb::Writes
                && let TouchLocation::Path(path) = &touched.location
                && hookrules_shell::files::links_in_code(command).contains(&&touch.path)
            {
                links.known.entry(path.clone()).or_insert(id);
            }
            last = Some((id, makes));
            let TouchLocation::Path(path) = &touched.location else {
                if touch.verb == Verb::Writes && matches!(makes, LinkCreation::Always) {
                    links.others.push((touch.path.clone(), id));
                }
                continue;
            };
            match (touch.verb, makes) {
                (Verb::Reads, LinkCreation::OfCopiedLinks)
                    if links.known.contains_key(path) || self.is_link(&touch.path, command, shell) =>
                {
                    carrying = Some(id);
                }
                (Verb::Writes, LinkCreation::Always) => {
                    links.known.entry(path.clone()).or_insert(id);
                }
                (Verb::Writes, LinkCreation::OfCopiedLinks) if carrying == Some(id) => {
                    links.known.entry(path.clone()).or_insert(id);
                }
                _ => {}
            }
        }
        links
    }

    /// Returns an additional touch, of any file, if the path of a touch leads through a link that the text creates;
    /// `None` if it does not.
    pub(super) fn touch_through_link(
        &self,
        links: &CreatedLinks,
        shell: &ShellText,
        touch: &FileAccess,
        touched: &TouchedFile,
        form: PathForm,
    ) -> Option<TouchedFile> {
        let id = touched.command?;
        let command = shell.analysis.command(id)?;
        let is_before = |link: &CommandId| {
            let repeats = || command.in_loop || shell.analysis.command(*link).is_some_and(|link| link.in_loop);
            *link < id
                || *link != id && repeats()
                || *link == id && hookrules_shell::files::uses_link_in_code(command, &touch.path)
        };
        let leads = |path: &Path| links.known.get(path).is_some_and(is_before);
        let is_led = match &touched.location {
            // A deletion removes the link itself, unless a `/` or `.` at the end of the path means its target.
            TouchLocation::Path(path) => {
                let keeps = touch.verb == Verb::Deletes && !matches!(touch.path.last_char(), None | Some('/' | '.'));
                path.ancestors().skip(usize::from(keeps)).any(leads)
            }
            TouchLocation::OneOf { .. }
                if links.others.iter().any(|(link, by)| is_before(by) && is_possibly_below(&touch.path, link)) =>
            {
                true
            }
            TouchLocation::OneOf { .. } => {
                let known = touch.path.prefix();
                let directory =
                    known.rsplit_once('/').map_or(".", |(above, _)| if above.is_empty() { "/" } else { above });
                match self.word_location(&Word::text(directory), &command.cwd, shell, form) {
                    Some(TouchLocation::Path(path)) => path.ancestors().any(leads),
                    _ => false,
                }
            }
        };
        is_led.then(|| TouchedFile {
            location: TouchLocation::OneOf {
                shape: PathShape::new(None, [PathPiece::Anything]),
                why: Reason::link(touch.path.display_text()),
                word: touch.path.display_text(),
            },
            ..touched.clone()
        })
    }
}

/// Whether a path is below another path, or continues it in an unknown manner, judged by their words.
fn is_possibly_below(path: &Word, above: &Word) -> bool {
    let Some((last, before)) = above.parts.split_last() else { return false };
    let rest = path.parts.strip_prefix(before).and_then(<[WordPart]>::split_first);
    let Some((own, behind)) = rest else { return false };
    match (last, own) {
        (WordPart::Text(last), WordPart::Text(own)) => own
            .strip_prefix(last.as_str())
            .is_some_and(|rest| rest.starts_with('/') || rest.is_empty() && !behind.is_empty()),
        (last, own) => last == own && matches!(behind.first(), Some(WordPart::Text(rest)) if rest.starts_with('/')),
    }
}

/// Whether a command acts on the given names themselves, even if they are links.
pub(super) fn is_acting_on_names(command: &SimpleCommand) -> bool {
    // Names that another command prints are relative to the directory in which that command searches.
    let has_hole = |word: &Word| {
        word.parts.iter().any(|part| part.matched_glob().is_none() && matches!(part, WordPart::Unknown(_)))
    };
    let is_named = !command.words.iter().any(has_hole);
    is_named
        && hookrules_shell::argv::parse_argv(&command.words).name.is_some_and(|name| ACTING_ON_NAMES.contains(&name))
}

/// The links that a command creates.
#[derive(Clone, Copy)]
enum LinkCreation {
    /// The command creates no links.
    Never,
    /// The command creates only links.
    Always,
    /// The command copies or moves links as links.
    OfCopiedLinks,
}

/// Returns which links a command creates, by its name and options.
fn link_creation(command: &SimpleCommand) -> LinkCreation {
    let argv = hookrules_shell::argv::parse_argv(&command.words);
    let has = |names: &[&str]| has_option(&argv, names);
    match argv.name {
        Some("ln" | "gln" | "link") => LinkCreation::Always,
        Some("cp" | "gcp") if has(&["-s", "--symbolic-link", "-l", "--link"]) => LinkCreation::Always,
        Some("cp" | "gcp") if has(&["-P", "--no-dereference", "-d", "-a", "--archive", "-r", "-R", "--recursive"]) => {
            LinkCreation::OfCopiedLinks
        }
        Some("rsync") if has(&["-a", "--archive", "-l", "--links"]) => LinkCreation::OfCopiedLinks,
        Some("mv" | "gmv") => LinkCreation::OfCopiedLinks,
        _ => LinkCreation::Never,
    }
}

/// Whether an option is given in one of some spellings.
fn has_option(argv: &Argv<'_>, names: &[&str]) -> bool {
    argv.options.iter().any(|given| given.has_spelling(names))
}
