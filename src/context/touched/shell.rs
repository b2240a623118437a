//! The effects of a call's commands on files. Each word is located relative to the directory of its command.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::links::is_acting_on_names;
use super::made_links::MadeLink;
use super::places::join_word;
use super::{MentionedPaths, TouchLocation, TouchReach, TouchedFile, TouchedFiles, expand, is_device, named};
use crate::context::charge::CachedLookup;
use crate::context::{Context, Machine, PathForm, Reason, ShellText};
use crate::syntax::ast::FileVerb;
use hookrules_shell::analysis::{CommandId, CommandScope, OpaqueCode, RedirectKind, SimpleCommand};
use hookrules_shell::files::{AccessCertainty, AccessExtent, FileAccess, Verb};
use hookrules_shell::word::{Cause, WordPart};
use hookrules_shell::{Analysis, Unknown, Word};

/// The most touches of all commands that are examined. If there are more, the call may touch any file.
const TOUCHES: usize = 5_000;

/// The most bytes of text on the standard input of all commands that are searched for files. The commands of a group
/// may share the same text, which then counts several times.
const TEXT: usize = 1 << 19;

/// The cost of locating the file of one touch, without resolving links.
const TOUCH: u64 = 100;

/// The most words of all commands that are examined. The words of a command whose output other commands read count
/// again for each of these.
const WORDS: usize = 250_000;

/// The effects of a text's commands on files, cached.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::context) struct ShellEffects {
    /// The effects with files as words, after globs are expanded.
    by_words: OnceCell<CachedLookup<WordTouches>>,
    /// The effects with files as paths, in each form.
    placed: [OnceCell<CachedLookup<Vec<FileEffect>>>; 2],
    /// The files that the commands send over the network, in each form.
    sent: [OnceCell<CachedLookup<Vec<FileEffect>>>; 2],
    /// The directories that the text itself creates, in each form.
    created_directories: [OnceCell<CachedLookup<BTreeSet<PathBuf>>>; 2],
    /// The links that the text itself creates.
    pub(super) made_links: OnceCell<CachedLookup<Vec<MadeLink>>>,
    /// The commands that touch files in a directory, by their indices, for the directories that were asked about.
    pub(in crate::context) below: RefCell<BTreeMap<PathBuf, BTreeSet<usize>>>,
    /// The roots of the repositories that contain directories, for substitutions that print a root.
    pub(super) roots: RefCell<BTreeMap<PathBuf, Option<PathBuf>>>,
    /// Whether the text leaves the variable `TMPDIR` unchanged.
    pub(super) keeps_tmpdir: OnceCell<bool>,
}

/// The effects of commands on files, with files as words.
#[derive(Clone, PartialEq, Debug, Default)]
struct WordTouches {
    touches: Vec<(CommandId, FileAccess)>,
    /// Whether there are more than are examined, which are dropped.
    is_part: bool,
}

/// The verb with which a command touches a file, and the touch.
pub(in crate::context) type FileEffect = (Verb, TouchedFile);

impl Context<'_> {
    /// Returns why the call may touch files that are not listed: a command has no record of its effects, or a text is
    /// not parsed. In a `where`, only the selected command counts.
    #[must_use]
    pub fn unseen_program(&self) -> Option<Reason> {
        let selected = self.commands.selected.as_ref();
        let shell = selected.map(|selected| selected.shell).or_else(|| self.shell_text())?;
        let commands = shell.analysis.iter().filter(|(id, _)| selected.is_none_or(|selected| selected.id == *id));
        let mut unseen = commands.filter(|(_, command)| !hookrules_shell::files::all_accesses_known(command));
        let program = unseen.next().map(|(_, command)| Reason::unseen_effects(&shell.display_command(command)));
        let by = selected.map(|selected| selected.id);
        let mut opaque = shell.analysis.opaque.iter().filter(|opaque| by.is_none() || opaque.runner == by);
        program.or_else(|| {
            opaque.find(|opaque| opaque.scope == CommandScope::Local).map(|opaque| Reason::from(opaque.reason.clone()))
        })
    }
}

impl Machine<'_> {
    /// Adds the files that the commands of a text touch. With `only`, adds those of this command.
    pub(super) fn add_command_touches<'s>(
        &self,
        shell: &'s ShellText,
        only: Option<CommandId>,
        verb: FileVerb,
        form: PathForm,
        touches: &mut TouchedFiles<'s>,
    ) {
        let analysis = &shell.analysis;
        let verb = shell_verb(verb);
        let is_meant = |id: CommandId| only.is_none_or(|only| only == id);
        let effects = if verb == Verb::Sends { self.sent_files(shell, form) } else { self.effects(shell, form) }.iter();
        let meant = effects.filter(|(own, touched)| *own == verb && touched.command.is_some_and(is_meant));
        touches.files.extend(meant.map(|(_, touched)| Cow::Borrowed(touched)));
        if self.word_touches(shell).is_part {
            let why = Unknown::new(Cause::TooLong, "");
            touches.unknown.get_or_insert_with(|| why.into());
        }
        // A text that is not analysed belongs to the command that runs it.
        for opaque in analysis.opaque.iter().filter(|opaque| only.is_none() || opaque.runner == only) {
            if opaque.scope != CommandScope::Local || opaque.reason.cause == Cause::ScriptFile {
                continue;
            }
            let reason = || Reason::from(opaque.reason.clone());
            match opaque.text.as_ref().map(|text| opaque_paths(analysis, opaque, text.as_str(), verb)) {
                Some(Some(paths)) if paths.is_empty() => {}
                Some(Some(paths)) => touches.mentioned.push(MentionedPaths { paths, reason: reason() }),
                Some(None) | None => {
                    touches.unknown.get_or_insert_with(reason);
                }
            }
        }
    }

    /// Returns the effects of the commands on files, with paths in the given form.
    pub(in crate::context) fn effects<'s>(&self, shell: &'s ShellText, form: PathForm) -> &'s [FileEffect] {
        let place = || self.place_touches(shell, &self.word_touches(shell).touches, form);
        self.cached(select_form(&shell.effects.placed, form), place).as_slice()
    }

    /// Returns the files that the commands send over the network. Most texts make no connection, and their globs are
    /// not expanded.
    fn sent_files<'s>(&self, shell: &'s ShellText, form: PathForm) -> &'s [FileEffect] {
        let place = || -> Vec<FileEffect> {
            if shell.connections().is_empty() {
                return Vec::new();
            }
            let analysis = &shell.analysis;
            let talks =
                |(_, command): &(CommandId, &SimpleCommand)| !hookrules_shell::network::connections(command).is_empty();
            let expanded = self.expand_all_globs(analysis);
            let analysis = expanded.as_ref().unwrap_or(analysis);
            let clients = analysis.iter().filter(talks);
            let sent = clients.flat_map(|(id, command)| {
                hookrules_shell::network::sent_files(analysis, command).into_iter().map(move |access| (id, access))
            });
            let sent: Vec<(CommandId, FileAccess)> = sent.take(TOUCHES).collect();
            self.place_touches(shell, &sent, form)
        };
        self.cached(select_form(&shell.effects.sent, form), place).as_slice()
    }

    /// Returns the analysis with the globs of all commands expanded; `None` if there are no globs, or if the text
    /// changes how globs match.
    fn expand_all_globs(&self, analysis: &Analysis) -> Option<Analysis> {
        if expand::is_glob_changing(analysis) {
            return None;
        }
        let all = analysis.commands.iter().enumerate();
        let expanded: Vec<(usize, SimpleCommand)> =
            all.filter_map(|(at, command)| Some((at, self.expand_globs(command)?))).collect();
        replace_commands(analysis, expanded)
    }

    /// Locates the files of touches, with paths in the given form, and adds the touches through links that the text
    /// creates.
    fn place_touches(&self, shell: &ShellText, touches: &[(CommandId, FileAccess)], form: PathForm) -> Vec<FileEffect> {
        let by_words = touches.iter();
        // The touches of a command are adjacent, so the result for the last command is reused.
        let mut last = None;
        let placed = by_words.filter_map(|(id, touch)| {
            let takes = match last {
                Some((known, takes)) if known == *id => takes,
                _ => shell.analysis.command(*id).is_some_and(is_acting_on_names),
            };
            last = Some((*id, takes));
            self.charge(TOUCH).ok()?;
            Some((touch, self.place_touch(shell, *id, takes, touch, form)?))
        });
        let is_file = |(_, touched): &(&FileAccess, TouchedFile)| !matches!(&touched.location, TouchLocation::Path(path) if is_device(path));
        let placed: Vec<(&FileAccess, TouchedFile)> = placed.filter(is_file).collect();
        let links = self.links(shell, placed.iter().map(|(touch, touched)| (*touch, touched)));
        let linked = placed.iter().filter(|_| !links.is_empty());
        let linked = linked.filter_map(|(touch, touched)| {
            Some((touch.verb, self.touch_through_link(&links, shell, touch, touched, form)?))
        });
        let linked: Vec<FileEffect> = linked.collect();
        placed.into_iter().map(|(touch, touched)| (touch.verb, touched)).chain(linked).collect()
    }

    /// Returns the effects of the commands on files as words, after globs are expanded.
    fn word_touches<'s>(&self, shell: &'s ShellText) -> &'s WordTouches {
        self.cached(&shell.effects.by_words, || {
            let analysis = &shell.analysis;
            let expands = !expand::is_glob_changing(analysis);
            let listed = if expands { self.expand_listing_globs(analysis) } else { None };
            let analysis = listed.as_ref().unwrap_or(analysis);
            let mut by_words = WordTouches::default();
            let (mut text, mut words) = (TEXT, WORDS);
            for (id, command) in analysis.iter() {
                text = text.saturating_sub(redirection_bytes(command));
                words = words.saturating_sub(word_count(analysis, command));
                if text > 0 && words > 0 {
                    let times = if expands { self.expand_per_name(command) } else { None };
                    let mut add = |command: &SimpleCommand, directory: Option<&Word>| {
                        let expanded = if expands { self.expand_globs(command) } else { None };
                        let touches = hookrules_shell::file_accesses(analysis, expanded.as_ref().unwrap_or(command));
                        by_words
                            .touches
                            .extend(touches.into_iter().map(|touch| (id, prefix_touch_paths(directory, touch))));
                    };
                    match times {
                        Some(times) => times.iter().for_each(|(command, at)| add(command, at.as_ref())),
                        None => add(command, None),
                    }
                }
                if text == 0 || words == 0 || by_words.touches.len() > TOUCHES {
                    by_words.touches.truncate(TOUCHES);
                    by_words.is_part = true;
                    break;
                }
            }
            by_words
        })
    }

    /// Returns the analysis with the globs expanded of commands that print names for other commands
    /// (`ls *.c | xargs rm`); `None` if there are none.
    fn expand_listing_globs(&self, analysis: &Analysis) -> Option<Analysis> {
        let lists = |command: &&SimpleCommand| {
            command.words.first().and_then(Word::known_text).is_some_and(hookrules_shell::files::prints_operands)
        };
        let piped =
            analysis.commands.iter().enumerate().filter(|(_, command)| !command.piped_to.is_empty() && lists(command));
        let expanded = piped.filter_map(|(at, command)| Some((at, self.expand_globs(command)?)));
        let expanded: Vec<(usize, SimpleCommand)> = expanded.collect();
        replace_commands(analysis, expanded)
    }

    /// Locates the file of one touch; `None` if the word names no file, or the touch certainly does not happen.
    fn place_touch(
        &self,
        shell: &ShellText,
        id: CommandId,
        takes: bool,
        touch: &FileAccess,
        form: PathForm,
    ) -> Option<TouchedFile> {
        let command = shell.analysis.command(id)?;
        let place = |word: &Word| self.word_location(word, &command.cwd, shell, form);
        let at = self.deletion_location(command, takes, touch, shell, form).or_else(|| place(&touch.path))?;
        let reach = match &touch.extent {
            AccessExtent::PathOnly => TouchReach::PathOnly,
            AccessExtent::Below(filter) => TouchReach::Below(filter.clone()),
            AccessExtent::Everything => TouchReach::Everything,
            // If the destination is not a directory, no paths are below it.
            AccessExtent::Mirror(other, filter) => match place(other) {
                Some(TouchLocation::Path(path)) if self.directory_exists(&path) == Ok(Some(false)) => {
                    TouchReach::PathOnly
                }
                Some(other) => TouchReach::Mirror(Box::new(other), filter.clone()),
                None => TouchReach::PathOnly,
            },
            AccessExtent::UnknownPart(why) if why.cause == Cause::ArchiveContents => {
                TouchReach::Packed(why.clone().into())
            }
            AccessExtent::UnknownPart(why) => TouchReach::Part(why.clone().into()),
        };
        let doubt = match &touch.certainty {
            AccessCertainty::Certain => None,
            AccessCertainty::Maybe(why) => Some(why.clone().into()),
            AccessCertainty::IfDirectoryExists => match self.is_in_existing_directory(&at, shell, form) {
                Ok(true) => None,
                Ok(false) => return None,
                Err(doubt) => Some(doubt),
            },
            AccessCertainty::IfFileExists(why) => {
                let is_there = |path: &PathBuf| {
                    self.file_exists(path) == Ok(Some(true)) || self.directory_exists(path) == Ok(Some(true))
                };
                let is_file = matches!(&at, TouchLocation::Path(path) if is_there(path));
                (!is_file).then(|| why.clone().into())
            }
        };
        let doubt = doubt.or_else(|| command.doubt.clone().map(Reason::from));
        Some(TouchedFile { location: at, reach, doubt, command: Some(id), guessed: false })
    }

    /// Returns the directories that commands `mkdir` in the text create.
    fn created_directories<'s>(&self, shell: &'s ShellText, form: PathForm) -> &'s BTreeSet<PathBuf> {
        let make = || {
            let is_mkdir = |command: &SimpleCommand| {
                command.words.first().and_then(Word::known_text).is_some_and(|name| name.ends_with("mkdir"))
            };
            let written = self.word_touches(shell).touches.iter().filter(|(_, touch)| touch.verb == Verb::Writes);
            let made = written.filter_map(|(id, touch)| {
                let command = shell.analysis.command(*id).filter(|command| is_mkdir(command))?;
                match self.word_location(&touch.path, &command.cwd, shell, form) {
                    Some(TouchLocation::Path(path)) => Some(path),
                    _ => None,
                }
            });
            made.collect()
        };
        self.cached(select_form(&shell.effects.created_directories, form), make)
    }

    /// Whether the directory that contains a path exists, or the text itself creates it.
    fn is_in_existing_directory(&self, at: &TouchLocation, shell: &ShellText, form: PathForm) -> Result<bool, Reason> {
        let TouchLocation::Path(path) = at else {
            return Err(Reason::no_directory());
        };
        let Some(directory) = path.parent() else { return Ok(false) };
        let exists = self.directory_exists(directory).map_err(|reason| Reason::fact("the directory", reason))?;
        Ok(exists == Some(true) || self.created_directories(shell, form).contains(directory))
    }
}

/// Returns a touch whose relative paths are joined to a directory.
fn prefix_touch_paths(directory: Option<&Word>, mut touch: FileAccess) -> FileAccess {
    let Some(directory) = directory else { return touch };
    if let Some(path) = join_word(directory, &touch.path) {
        touch.path = path;
    }
    if let AccessExtent::Mirror(other, _) = &mut touch.extent
        && let Some(path) = join_word(directory, other)
    {
        *other = path;
    }
    touch
}

/// Returns the analysis with some commands replaced, by their index; `None` if there are no replacements.
fn replace_commands(analysis: &Analysis, commands: Vec<(usize, SimpleCommand)>) -> Option<Analysis> {
    if commands.is_empty() {
        return None;
    }
    let mut analysis = analysis.clone();
    for (at, command) in commands {
        if let Some(known) = analysis.commands.get_mut(at) {
            *known = command;
        }
    }
    Some(analysis)
}

/// Returns the element for a form of paths.
fn select_form<T>([lexical, physical]: &[T; 2], form: PathForm) -> &T {
    match form {
        PathForm::Lexical => lexical,
        PathForm::Physical => physical,
    }
}

/// Returns the number of bytes of text in the redirections of a command: `<<< text`, here-documents.
fn redirection_bytes(command: &SimpleCommand) -> usize {
    let texts = command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Text);
    texts.flat_map(|redirect| &redirect.target.parts).filter_map(WordPart::text).map(str::len).sum()
}

/// Returns the number of words of a command and of the commands whose output it reads.
fn word_count(analysis: &Analysis, command: &SimpleCommand) -> usize {
    let writers = command.stdin_from.iter().filter_map(|id| analysis.command(*id));
    writers.chain([command]).map(|command| 1 + command.words.len()).sum()
}

/// Converts a verb of conditions to that of the shell analysis.
fn shell_verb(verb: FileVerb) -> Verb {
    match verb {
        FileVerb::Reads => Verb::Reads,
        FileVerb::Writes => Verb::Writes,
        FileVerb::Deletes => Verb::Deletes,
        FileVerb::Sends => Verb::Sends,
    }
}

/// Returns the paths that a text which is not analysed may touch; `None` if it may touch any file.
fn opaque_paths(analysis: &Analysis, opaque: &OpaqueCode, text: &str, verb: Verb) -> Option<Vec<String>> {
    let by = opaque.runner.and_then(|id| analysis.command(id));
    if matches!(opaque.reason.cause, Cause::Foreign | Cause::Library)
        && by.is_some_and(hookrules_shell::files::is_interpreter)
    {
        if verb == Verb::Sends && !hookrules_shell::network::may_connect(text) {
            return Some(Vec::new());
        }
        // A call of a library function names its files as literals, but a whole program may compute names.
        let touched = match opaque.reason.cause {
            Cause::Foreign => hookrules_shell::files::files_touched_by_program(text, verb),
            _ => hookrules_shell::files::files_touched_by_code(text, verb),
        };
        return touched.map(|paths| paths.into_iter().map(str::to_owned).collect());
    }
    if matches!(verb, Verb::Writes | Verb::Deletes)
        && matches!(opaque.reason.cause, Cause::Foreign | Cause::Library)
        && let Some(program) = by.and_then(|command| command.argv().name)
    {
        // A language of the program's own has no literals to rely on: each word may be a file.
        return hookrules_shell::files::words_of_code(program, text);
    }
    named::paths(text)
}
