//! Links: a link that the text itself creates is not on the disk yet, and a deletion removes the link itself.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{At, Touched};
use crate::context::{Form, Machine, Reason, ShellText};
use hookrules_shell::Word;
use hookrules_shell::analysis::{CommandId, Simple};
use hookrules_shell::argv::Argv;
use hookrules_shell::files::{Extent, FileAccess, Verb};
use hookrules_shell::path::{Piece, Shape};
use hookrules_shell::word::Part;

/// Programs that act on the name itself, even if it is a link.
const TAKING: &[&str] = &["rm", "grm", "unlink", "rmdir", "mv", "gmv", "trash", "trash-put"];

/// The links that a text creates, each with the first command that does.
#[derive(Default)]
pub(super) struct Links {
    known: BTreeMap<PathBuf, CommandId>,
    /// Links at a path whose beginning is unknown, as written: `$d/h`.
    others: Vec<(Word, CommandId)>,
}

impl Links {
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty() && self.others.is_empty()
    }
}

impl Machine<'_> {
    /// Returns the location of a deletion that does not follow a link in the last component; `None` for any other
    /// touch.
    ///
    /// `takes`: whether [`takes_names`] holds for the command.
    pub(super) fn taken(
        &self,
        command: &Simple,
        takes: bool,
        touch: &FileAccess,
        shell: &ShellText,
        form: Form,
    ) -> Option<At> {
        let is_alone = matches!(touch.extent, Extent::Alone | Extent::Whole);
        let is_meant = takes && touch.verb == Verb::Deletes && is_alone;
        if is_meant { self.own_place(&touch.path, command, shell, form).map(At::Path) } else { None }
    }

    /// Returns the location of a name itself, whether it is a link or not; `None` if it must be a directory, or is
    /// unknown.
    fn own_place(&self, word: &Word, command: &Simple, shell: &ShellText, form: Form) -> Option<PathBuf> {
        let (directory, name) = match word.known()? {
            text if !text.contains('/') => (".", text),
            text => text.rsplit_once('/').map(|(above, name)| (if above.is_empty() { "/" } else { above }, name))?,
        };
        if matches!(name, "" | "." | "..") {
            return None;
        }
        match self.place(&Word::text(directory), &command.cwd, shell, form)? {
            At::Path(directory) => Some(directory.join(name)),
            At::Among { .. } => None,
        }
    }

    /// Whether a name is a link now.
    fn is_link(&self, word: &Word, command: &Simple, shell: &ShellText) -> bool {
        let form = Form::Physical;
        let own = self.own_place(word, command, shell, form);
        own.is_some_and(|own| self.place(word, &command.cwd, shell, form) != Some(At::Path(own)))
    }

    /// Returns the links that the text creates, in the order of the touches.
    pub(super) fn links<'t>(
        &self,
        shell: &ShellText,
        placed: impl Iterator<Item = (&'t FileAccess, &'t Touched)>,
    ) -> Links {
        let mut links = Links::default();
        let mut carrying = None;
        let mut last: Option<(CommandId, Makes)> = None;
        for (touch, touched) in placed {
            let Some(id) = touched.by else { continue };
            if matches!(touched.at, At::Among { .. }) && touch.verb != Verb::Writes {
                continue;
            }
            let Some(command) = shell.analysis.command(id) else { continue };
            let makes = match last {
                Some((known, makes)) if known == id => makes,
                _ => makes(command),
            };
            last = Some((id, makes));
            let At::Path(path) = &touched.at else {
                if touch.verb == Verb::Writes && matches!(makes, Makes::Links) {
                    links.others.push((touch.path.clone(), id));
                }
                continue;
            };
            match (touch.verb, makes) {
                (Verb::Reads, Makes::Same)
                    if links.known.contains_key(path) || self.is_link(&touch.path, command, shell) =>
                {
                    carrying = Some(id);
                }
                (Verb::Writes, Makes::Links) => {
                    links.known.entry(path.clone()).or_insert(id);
                }
                (Verb::Writes, Makes::Same) if carrying == Some(id) => {
                    links.known.entry(path.clone()).or_insert(id);
                }
                _ => {}
            }
        }
        links
    }

    /// Returns an additional touch of any file if a path leads through a link that the text creates.
    pub(super) fn linked(
        &self,
        links: &Links,
        shell: &ShellText,
        touch: &FileAccess,
        touched: &Touched,
        form: Form,
    ) -> Option<Touched> {
        let id = touched.by?;
        let command = shell.analysis.command(id)?;
        let is_before = |link: &CommandId| {
            let repeats = || command.in_loop || shell.analysis.command(*link).is_some_and(|link| link.in_loop);
            *link != id && (*link < id || repeats())
        };
        let leads = |path: &Path| links.known.get(path).is_some_and(is_before);
        let is_led = match &touched.at {
            // A link that is deleted is not followed, unless a trailing `/` or `.` makes it a directory.
            At::Path(path) => {
                let keeps = touch.verb == Verb::Deletes && !matches!(touch.path.last_char(), None | Some('/' | '.'));
                path.ancestors().skip(usize::from(keeps)).any(leads)
            }
            At::Among { .. }
                if links.others.iter().any(|(link, by)| is_before(by) && lies_below(&touch.path, link)) =>
            {
                true
            }
            At::Among { .. } => {
                let known = touch.path.prefix();
                let directory =
                    known.rsplit_once('/').map_or(".", |(above, _)| if above.is_empty() { "/" } else { above });
                match self.place(&Word::text(directory), &command.cwd, shell, form) {
                    Some(At::Path(path)) => path.ancestors().any(leads),
                    _ => false,
                }
            }
        };
        is_led.then(|| Touched {
            at: At::Among {
                shape: Shape::new(None, [Piece::Anything]),
                why: Reason::link(touch.path.shown()),
                word: touch.path.shown(),
            },
            ..touched.clone()
        })
    }
}

/// Whether a path is below another one, or continues it in an unknown way, both as written.
fn lies_below(path: &Word, above: &Word) -> bool {
    let Some((last, before)) = above.parts.split_last() else { return false };
    let rest = path.parts.strip_prefix(before).and_then(<[Part]>::split_first);
    let Some((own, behind)) = rest else { return false };
    match (last, own) {
        (Part::Text(last), Part::Text(own)) => own
            .strip_prefix(last.as_str())
            .is_some_and(|rest| rest.starts_with('/') || rest.is_empty() && !behind.is_empty()),
        (last, own) => last == own && matches!(behind.first(), Some(Part::Text(rest)) if rest.starts_with('/')),
    }
}

/// Whether a command acts on the names that it is given, even if they are links.
pub(super) fn takes_names(command: &Simple) -> bool {
    // Names printed by another command are relative to that command's search.
    let has_hole =
        |word: &Word| word.parts.iter().any(|part| part.matched().is_none() && matches!(part, Part::Unknown(_)));
    let is_named = !command.words.iter().any(has_hole);
    is_named && hookrules_shell::argv::read(&command.words).name.is_some_and(|name| TAKING.contains(&name))
}

/// The links that a command creates.
#[derive(Clone, Copy)]
enum Makes {
    /// It creates no links.
    None,
    /// It creates only links.
    Links,
    /// It copies or moves a link as a link.
    Same,
}

fn makes(command: &Simple) -> Makes {
    let argv = hookrules_shell::argv::read(&command.words);
    let has = |names: &[&str]| has(&argv, names);
    match argv.name {
        Some("ln" | "gln" | "link") => Makes::Links,
        Some("cp" | "gcp") if has(&["-s", "--symbolic-link", "-l", "--link"]) => Makes::Links,
        Some("cp" | "gcp") if has(&["-P", "--no-dereference", "-d", "-a", "--archive", "-r", "-R", "--recursive"]) => {
            Makes::Same
        }
        Some("rsync") if has(&["-a", "--archive", "-l", "--links"]) => Makes::Same,
        Some("mv" | "gmv") => Makes::Same,
        _ => Makes::None,
    }
}

/// Whether an option is given under one of these spellings.
fn has(argv: &Argv<'_>, names: &[&str]) -> bool {
    argv.options.iter().any(|given| given.is_named(names))
}
