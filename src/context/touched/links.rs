//! Symbolic links in the effects of commands. A link that the text itself creates does not exist yet; a deletion
//! removes a link, not its target.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{TouchLocation, TouchedFile};
use crate::context::{Machine, PathForm, Reason, ShellText};
use hookrules_shell::Word;
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::argv::Argv;
use hookrules_shell::files::{AccessExtent, FileAccess, Verb};
use hookrules_shell::path::{PathPiece, PathShape, join};
use hookrules_shell::word::WordPart;

/// The programs that act on a name itself, even if it is a link.
const ACTING_ON_NAMES: &[&str] = &["rm", "grm", "unlink", "rmdir", "mv", "gmv", "trash", "trash-put"];

/// The links that a text creates, each with the first command that creates it.
#[derive(Default)]
pub(super) struct CreatedLinks {
    /// The links whose path is known.
    known: BTreeMap<PathBuf, CommandId>,
    /// The links whose path is not known, as words: `$d/h`.
    others: Vec<(Word, CommandId)>,
}

impl CreatedLinks {
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty() && self.others.is_empty()
    }
}

impl Machine<'_> {
    /// Returns the path that a deletion removes, if the program removes a link itself and does not follow it; `None`
    /// for any other touch.
    ///
    /// `acts_on_names` is the result of [`is_acting_on_names`] for the command.
    pub(super) fn deletion_location(
        &self,
        command: &SimpleCommand,
        acts_on_names: bool,
        touch: &FileAccess,
        shell: &ShellText,
        form: PathForm,
    ) -> Option<TouchLocation> {
        let is_of_name = matches!(touch.extent, AccessExtent::PathOnly | AccessExtent::Everything);
        let is_unfollowed = acts_on_names && touch.verb == Verb::Deletes && is_of_name;
        if is_unfollowed {
            self.unfollowed_path(&touch.path, command, shell, form).map(TouchLocation::Path)
        } else {
            None
        }
    }

    /// Returns the path of a name itself, even if it is a link: only the links in its directory are resolved. `None`
    /// if the path is unknown, or ends in a slash, `.` or `..`.
    fn unfollowed_path(
        &self,
        word: &Word,
        command: &SimpleCommand,
        shell: &ShellText,
        form: PathForm,
    ) -> Option<PathBuf> {
        let text = self.portable_text(word.known_text()?);
        let (directory, name) = match &*text {
            text if !text.contains('/') => (".", text),
            text => text.rsplit_once('/').map(|(above, name)| (if above.is_empty() { "/" } else { above }, name))?,
        };
        if matches!(name, "" | "." | "..") {
            return None;
        }
        match self.word_location(&Word::text(directory), &command.cwd, shell, form)? {
            TouchLocation::Path(directory) => Some(join(&directory, name.as_ref())),
            TouchLocation::OneOf { .. } => None,
        }
    }

    /// Whether a name is an existing link.
    fn is_link(&self, word: &Word, command: &SimpleCommand, shell: &ShellText) -> bool {
        let form = PathForm::Physical;
        let link_path = self.unfollowed_path(word, command, shell, form);
        link_path.is_some_and(|link_path| {
            self.word_location(word, &command.cwd, shell, form) != Some(TouchLocation::Path(link_path))
        })
    }

    /// Returns the links that the text creates. `placed` are its touches in order, each with its location.
    pub(super) fn links<'t>(
        &self,
        shell: &ShellText,
        placed: impl Iterator<Item = (&'t FileAccess, &'t TouchedFile)>,
    ) -> CreatedLinks {
        let mut links = CreatedLinks::default();
        // The last command that read an existing link, which it then writes as a link.
        let mut copying_links = None;
        let mut last: Option<(CommandId, LinkCreation)> = None;
        for (touch, touched) in placed {
            let Some(id) = touched.command else { continue };
            if matches!(touched.location, TouchLocation::OneOf { .. }) && touch.verb != Verb::Writes {
                continue;
            }
            let Some(command) = shell.analysis.command(id) else { continue };
            let creation = match last {
                Some((last_id, creation)) if last_id == id => creation,
                _ => link_creation(command),
            };
            // Code such as `python -c` may create a link with any of its writes.
            if touch.verb == Verb::Writes
                && let TouchLocation::Path(path) = &touched.location
                && hookrules_shell::files::links_in_code(command).contains(&&touch.path)
            {
                links.known.entry(path.clone()).or_insert(id);
            }
            last = Some((id, creation));
            let TouchLocation::Path(path) = &touched.location else {
                if touch.verb == Verb::Writes && matches!(creation, LinkCreation::Always) {
                    links.others.push((touch.path.clone(), id));
                }
                continue;
            };
            match (touch.verb, creation) {
                (Verb::Reads, LinkCreation::OfCopiedLinks)
                    if links.known.contains_key(path) || self.is_link(&touch.path, command, shell) =>
                {
                    copying_links = Some(id);
                }
                (Verb::Writes, LinkCreation::Always) => {
                    links.known.entry(path.clone()).or_insert(id);
                }
                (Verb::Writes, LinkCreation::OfCopiedLinks) if copying_links == Some(id) => {
                    links.known.entry(path.clone()).or_insert(id);
                }
                _ => {}
            }
        }
        links
    }

    /// Returns an additional touch, of any file, if the path of a touch leads through a link that the text creates;
    /// `None` otherwise.
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
            let is_in_loop = || command.in_loop || shell.analysis.command(*link).is_some_and(|link| link.in_loop);
            *link < id
                || *link != id && is_in_loop()
                || *link == id && hookrules_shell::files::uses_link_in_code(command, &touch.path)
        };
        let is_earlier_link = |path: &Path| links.known.get(path).is_some_and(is_before);
        let leads_through_link = match &touched.location {
            // A deletion removes the link itself, unless the path ends in `/` or `.`, which means the target.
            TouchLocation::Path(path) => {
                let removes_link =
                    touch.verb == Verb::Deletes && !matches!(touch.path.last_char(), None | Some('/' | '.'));
                path.ancestors().skip(usize::from(removes_link)).any(is_earlier_link)
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
                    Some(TouchLocation::Path(path)) => path.ancestors().any(is_earlier_link),
                    _ => false,
                }
            }
        };
        leads_through_link.then(|| TouchedFile {
            location: TouchLocation::OneOf {
                shape: PathShape::new(None, [PathPiece::Anything]),
                why: Reason::link(touch.path.display_text()),
                word: touch.path.display_text(),
            },
            ..touched.clone()
        })
    }
}

/// Whether a path may be below another path, given their words: it continues the other with a `/` or with an unknown
/// part.
fn is_possibly_below(path: &Word, above: &Word) -> bool {
    let Some((last, before)) = above.parts.split_last() else { return false };
    let rest = path.parts.strip_prefix(before).and_then(<[WordPart]>::split_first);
    let Some((part, after)) = rest else { return false };
    match (last, part) {
        (WordPart::Text(last), WordPart::Text(part)) => part
            .strip_prefix(last.as_str())
            .is_some_and(|rest| rest.starts_with('/') || rest.is_empty() && !after.is_empty()),
        (last, part) => last == part && matches!(after.first(), Some(WordPart::Text(rest)) if rest.starts_with('/')),
    }
}

/// Whether a command acts on the given names themselves, even if they are links.
pub(super) fn is_acting_on_names(command: &SimpleCommand) -> bool {
    // Names that another command prints are relative to the directory that it searches.
    let has_unknown_part = |word: &Word| {
        word.parts.iter().any(|part| part.matched_glob().is_none() && matches!(part, WordPart::Unknown(_)))
    };
    let are_words_known = !command.words.iter().any(has_unknown_part);
    are_words_known
        && hookrules_shell::argv::parse_argv(&command.words).name.is_some_and(|name| ACTING_ON_NAMES.contains(&name))
}

/// Which links a command creates.
#[derive(Clone, Copy)]
enum LinkCreation {
    /// The command creates no links.
    Never,
    /// The command creates only links.
    Always,
    /// The command creates links where it copies or moves existing ones.
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

/// Whether an option is given in one of these spellings.
fn has_option(argv: &Argv<'_>, names: &[&str]) -> bool {
    argv.options.iter().any(|option| option.has_spelling(names))
}
