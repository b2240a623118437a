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

/// The maximum number of touches by all commands that are examined. If there are more, the call may touch any file.
const MAX_TOUCHES: usize = 5_000;

/// The maximum length of the texts on the standard input of all commands that are searched for files, in bytes. A
/// text that the commands of a group share counts once for each.
const MAX_INPUT_BYTES: usize = 1 << 19;

/// The cost of locating the file of one touch, without resolving its links, in units of the budget.
const TOUCH_UNITS: u64 = 100;

/// The maximum number of words of all commands that are examined. The words of a command whose output others read
/// count again for each of these.
const MAX_WORDS: usize = 250_000;

/// The effects on files that the commands of a shell text have, each cached when it is first needed.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::context) struct ShellEffects {
    /// The effects, with the files still as words, in which globs are expanded.
    by_words: OnceCell<CachedLookup<WordTouches>>,
    /// The effects, with the files as paths, in each form.
    placed: [OnceCell<CachedLookup<Vec<FileEffect>>>; 2],
    /// The files that the commands send over the network, in each form.
    sent: [OnceCell<CachedLookup<Vec<FileEffect>>>; 2],
    /// The directories that the text itself creates, in each form.
    created_directories: [OnceCell<CachedLookup<BTreeSet<PathBuf>>>; 2],
    /// The links that commands of the text create.
    pub(super) made_links: OnceCell<CachedLookup<Vec<MadeLink>>>,
    /// The indices of the commands that touch files in a directory, for each directory that was asked about.
    pub(in crate::context) below: RefCell<BTreeMap<PathBuf, BTreeSet<usize>>>,
    /// The root of the repository that contains a directory, for substitutions that print it; `None` if it is
    /// unknown.
    pub(super) roots: RefCell<BTreeMap<PathBuf, Option<PathBuf>>>,
    /// Whether the text leaves a variable with a temporary directory unchanged, for each one that was asked about.
    pub(super) kept_variables: RefCell<BTreeMap<&'static str, bool>>,
}

/// The effects of commands on files, with the files still as words.
#[derive(Clone, PartialEq, Debug, Default)]
struct WordTouches {
    touches: Vec<(CommandId, FileAccess)>,
    /// Whether there are more touches than are examined, and the rest was dropped.
    is_incomplete: bool,
}

/// The verb with which a command touches a file, and how it touches it.
pub(in crate::context) type FileEffect = (Verb, TouchedFile);

impl Context<'_> {
    /// Returns why the call may touch other files than those that were found: a command has no record of its effects,
    /// or a text is not parsed. In a `where`, only the selected command counts.
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
    /// Adds the files that the commands of a text touch, or only those that the command `only` touches.
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
        let selected_effects =
            effects.filter(|(effect_verb, touched)| *effect_verb == verb && touched.command.is_some_and(is_meant));
        touches.files.extend(selected_effects.map(|(_, touched)| Cow::Borrowed(touched)));
        if self.word_touches(shell).is_incomplete {
            let why = Unknown::new(Cause::TooLong, "");
            touches.unknown.get_or_insert_with(|| why.into());
        }
        // The effects of a text that is not analysed are those of the command that runs it.
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

    /// Returns the effects of a text's commands on files, with paths in the given form; cached.
    pub(in crate::context) fn effects<'s>(&self, shell: &'s ShellText, form: PathForm) -> &'s [FileEffect] {
        let place = || self.place_touches(shell, &self.word_touches(shell).touches, form);
        self.cached(select_form(&shell.effects.placed, form), place).as_slice()
    }

    /// Returns the files that a text's commands send over the network; cached. Most texts make no connection, and
    /// then no glob is expanded.
    fn sent_files<'s>(&self, shell: &'s ShellText, form: PathForm) -> &'s [FileEffect] {
        let place = || -> Vec<FileEffect> {
            if shell.connections().is_empty() {
                return Vec::new();
            }
            let analysis = &shell.analysis;
            let connects =
                |(_, command): &(CommandId, &SimpleCommand)| !hookrules_shell::network::connections(command).is_empty();
            let expanded = self.expand_all_globs(analysis);
            let analysis = expanded.as_ref().unwrap_or(analysis);
            let clients = analysis.iter().filter(connects);
            let sent = clients.flat_map(|(id, command)| {
                hookrules_shell::network::sent_files(analysis, command).into_iter().map(move |access| (id, access))
            });
            let sent: Vec<(CommandId, FileAccess)> = sent.take(MAX_TOUCHES).collect();
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
        let numbered = analysis.commands.iter().enumerate();
        let expanded: Vec<(usize, SimpleCommand)> =
            numbered.filter_map(|(at, command)| Some((at, self.expand_globs(command)?))).collect();
        replace_commands(analysis, expanded)
    }

    /// Converts the words of touches to paths in the given form, and adds the touches through links that the text
    /// creates.
    fn place_touches(&self, shell: &ShellText, touches: &[(CommandId, FileAccess)], form: PathForm) -> Vec<FileEffect> {
        let by_words = touches.iter();
        // The touches of a command are adjacent, so the result for the last command is reused.
        let mut last = None;
        let placed = by_words.filter_map(|(id, touch)| {
            let acts_on_names = match last {
                Some((last_id, acts_on_names)) if last_id == *id => acts_on_names,
                _ => shell.analysis.command(*id).is_some_and(is_acting_on_names),
            };
            last = Some((*id, acts_on_names));
            self.charge(TOUCH_UNITS).ok()?;
            Some((touch, self.place_touch(shell, *id, acts_on_names, touch, form)?))
        });
        let is_file = |(_, touched): &(&FileAccess, TouchedFile)| !matches!(&touched.location, TouchLocation::Path(path) if is_device(path));
        let placed: Vec<(&FileAccess, TouchedFile)> = placed.filter(is_file).collect();
        let links = self.links(shell, placed.iter().map(|(touch, touched)| (*touch, touched)));
        let deleted =
            placed.iter().filter_map(|(touch, touched)| Some((touch.verb, shell.deleted_by_search(touch, touched)?)));
        let deleted: Vec<FileEffect> = deleted.collect();
        let linked = placed.iter().filter(|_| !links.is_empty());
        let linked = linked.filter_map(|(touch, touched)| {
            Some((touch.verb, self.touch_through_link(&links, shell, touch, touched, form)?))
        });
        let linked: Vec<FileEffect> = linked.collect();
        placed.into_iter().map(|(touch, touched)| (touch.verb, touched)).chain(linked).chain(deleted).collect()
    }

    /// Returns the effects of a text's commands on files, with the files as words, in which globs are expanded;
    /// cached.
    fn word_touches<'s>(&self, shell: &'s ShellText) -> &'s WordTouches {
        self.cached(&shell.effects.by_words, || {
            let analysis = &shell.analysis;
            let can_expand = !expand::is_glob_changing(analysis);
            let listed = if can_expand { self.expand_listing_globs(analysis) } else { None };
            let analysis = listed.as_ref().unwrap_or(analysis);
            let mut by_words = WordTouches::default();
            let (mut bytes_left, mut words_left) = (MAX_INPUT_BYTES, MAX_WORDS);
            for (id, command) in analysis.iter() {
                bytes_left = bytes_left.saturating_sub(redirection_bytes(command));
                words_left = words_left.saturating_sub(word_count(analysis, command));
                if bytes_left > 0 && words_left > 0 {
                    let runs = if can_expand { self.expand_per_name(command) } else { None };
                    let mut add = |command: &SimpleCommand, directory: Option<&Word>| {
                        let expanded = if can_expand { self.expand_globs(command) } else { None };
                        let mut touches =
                            hookrules_shell::file_accesses(analysis, expanded.as_ref().unwrap_or(command));
                        if expanded.is_some() {
                            touches.extend(shell.deleted_by_glob(analysis, command));
                        }
                        by_words
                            .touches
                            .extend(touches.into_iter().map(|touch| (id, prefix_touch_paths(directory, touch))));
                    };
                    match runs {
                        Some(runs) => runs.iter().for_each(|(command, at)| add(command, at.as_ref())),
                        None => add(command, None),
                    }
                }
                if bytes_left == 0 || words_left == 0 || by_words.touches.len() > MAX_TOUCHES {
                    by_words.touches.truncate(MAX_TOUCHES);
                    by_words.is_incomplete = true;
                    break;
                }
            }
            by_words
        })
    }

    /// Expands the globs of commands that print names for other commands: `ls *.c | xargs rm`, `rm $(ls *.c)`. Returns the
    /// changed analysis, or `None` if there are no such commands.
    fn expand_listing_globs(&self, analysis: &Analysis) -> Option<Analysis> {
        let is_listing = |command: &&SimpleCommand| {
            command.words.first().and_then(Word::known_text).is_some_and(hookrules_shell::files::prints_operands)
        };
        let listing =
            analysis.commands.iter().enumerate().filter(|(_, command)| {
                (!command.piped_to.is_empty() || command.in_substitution) && is_listing(command)
            });
        let expanded = listing.filter_map(|(at, command)| Some((at, self.expand_globs(command)?)));
        let expanded: Vec<(usize, SimpleCommand)> = expanded.collect();
        replace_commands(analysis, expanded)
    }

    /// Converts the word of one touch to a path; `None` if the word names no file, or the touch certainly does not
    /// happen. `acts_on_names` is the result of [`is_acting_on_names`] for the command.
    fn place_touch(
        &self,
        shell: &ShellText,
        id: CommandId,
        acts_on_names: bool,
        touch: &FileAccess,
        form: PathForm,
    ) -> Option<TouchedFile> {
        let command = shell.analysis.command(id)?;
        let locate = |word: &Word| self.word_location(word, &command.cwd, shell, form);
        let location =
            self.deletion_location(command, acts_on_names, touch, shell, form).or_else(|| locate(&touch.path))?;
        let reach = match &touch.extent {
            AccessExtent::PathOnly => TouchReach::PathOnly,
            AccessExtent::Below(filter) => TouchReach::Below(filter.clone()),
            AccessExtent::Everything => TouchReach::Everything,
            // The copy of a file is a single file.
            AccessExtent::Mirror(source, filter) => match locate(source) {
                Some(TouchLocation::Path(path)) if self.directory_exists(&path) == Ok(Some(false)) => {
                    TouchReach::PathOnly
                }
                Some(source) => TouchReach::Mirror(Box::new(source), filter.clone()),
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
            AccessCertainty::IfDirectoryExists => match self.is_in_existing_directory(&location, shell, form) {
                Ok(true) => None,
                Ok(false) => return None,
                Err(doubt) => Some(doubt),
            },
            AccessCertainty::IfFileExists(why) => {
                let exists = |path: &PathBuf| {
                    self.file_exists(path) == Ok(Some(true)) || self.directory_exists(path) == Ok(Some(true))
                };
                let is_file = matches!(&location, TouchLocation::Path(path) if exists(path));
                (!is_file).then(|| why.clone().into())
            }
        };
        let doubt = doubt.or_else(|| command.doubt.clone().map(Reason::from));
        Some(TouchedFile { location, reach, doubt, command: Some(id), guessed: false })
    }

    /// Returns the directories that `mkdir` commands in the text create; cached.
    fn created_directories<'s>(&self, shell: &'s ShellText, form: PathForm) -> &'s BTreeSet<PathBuf> {
        let make = || {
            let is_mkdir = |command: &SimpleCommand| {
                let name = command.words.first().and_then(Word::known_text);
                name.is_some_and(|name| matches!(name.rsplit('/').next(), Some("mkdir" | "gmkdir")))
            };
            let written = self.word_touches(shell).touches.iter().filter(|(_, touch)| touch.verb == Verb::Writes);
            let created = written.filter_map(|(id, touch)| {
                let command = shell.analysis.command(*id).filter(|command| is_mkdir(command))?;
                match self.word_location(&touch.path, &command.cwd, shell, form) {
                    Some(TouchLocation::Path(path)) => Some(path),
                    _ => None,
                }
            });
            created.collect()
        };
        self.cached(select_form(&shell.effects.created_directories, form), make)
    }

    /// Whether the directory that contains a path exists, or is created by the text itself.
    fn is_in_existing_directory(
        &self,
        location: &TouchLocation,
        shell: &ShellText,
        form: PathForm,
    ) -> Result<bool, Reason> {
        let TouchLocation::Path(path) = location else {
            return Err(Reason::no_directory());
        };
        let Some(directory) = path.parent() else { return Ok(false) };
        let exists = self.directory_exists(directory).map_err(|reason| Reason::fact("the directory", reason))?;
        Ok(exists == Some(true) || self.created_directories(shell, form).contains(directory))
    }
}

/// Joins the relative paths of a touch to a directory, if one is given.
fn prefix_touch_paths(directory: Option<&Word>, mut touch: FileAccess) -> FileAccess {
    let Some(directory) = directory else { return touch };
    if let Some(path) = join_word(directory, &touch.path) {
        touch.path = path;
    }
    if let AccessExtent::Mirror(source, _) = &mut touch.extent
        && let Some(path) = join_word(directory, source)
    {
        *source = path;
    }
    touch
}

/// Replaces the commands of an analysis at some indices; `None` if there are none to replace.
fn replace_commands(analysis: &Analysis, commands: Vec<(usize, SimpleCommand)>) -> Option<Analysis> {
    if commands.is_empty() {
        return None;
    }
    let mut analysis = analysis.clone();
    for (at, command) in commands {
        if let Some(replaced) = analysis.commands.get_mut(at) {
            *replaced = command;
        }
    }
    Some(analysis)
}

/// Returns the element for this form of paths.
fn select_form<T>([lexical, physical]: &[T; 2], form: PathForm) -> &T {
    match form {
        PathForm::Lexical => lexical,
        PathForm::Physical => physical,
    }
}

/// Returns the number of bytes that a command gets from text redirections: `<<< text`, here-documents.
fn redirection_bytes(command: &SimpleCommand) -> usize {
    let texts = command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Text);
    texts.flat_map(|redirect| &redirect.target.parts).filter_map(WordPart::text).map(str::len).sum()
}

/// Returns the number of words of a command and of the commands whose output it reads.
fn word_count(analysis: &Analysis, command: &SimpleCommand) -> usize {
    let writers = command.stdin_from.iter().filter_map(|id| analysis.command(*id));
    writers.chain([command]).map(|command| 1 + command.words.len()).sum()
}

/// Converts a verb of conditions to the same verb of the shell analysis.
fn shell_verb(verb: FileVerb) -> Verb {
    match verb {
        FileVerb::Reads => Verb::Reads,
        FileVerb::Writes => Verb::Writes,
        FileVerb::Deletes => Verb::Deletes,
        FileVerb::Sends => Verb::Sends,
    }
}

/// Returns the paths that code which is not analysed may touch; `None` if it may touch any file.
fn opaque_paths(analysis: &Analysis, opaque: &OpaqueCode, text: &str, verb: Verb) -> Option<Vec<String>> {
    let runner = opaque.runner.and_then(|id| analysis.command(id));
    if matches!(opaque.reason.cause, Cause::Foreign | Cause::Library)
        && runner.is_some_and(hookrules_shell::files::is_interpreter)
    {
        if verb == Verb::Sends && !hookrules_shell::network::may_connect(text) {
            return Some(Vec::new());
        }
        // A call of a library function names its files in string literals, but a whole program may compute names.
        let touched = match opaque.reason.cause {
            Cause::Foreign => hookrules_shell::files::files_touched_by_program(text, verb),
            _ => hookrules_shell::files::files_touched_by_code(text, verb),
        };
        return touched.map(|paths| paths.into_iter().map(str::to_owned).collect());
    }
    if matches!(verb, Verb::Writes | Verb::Deletes)
        && matches!(opaque.reason.cause, Cause::Foreign | Cause::Library)
        && let Some(program) = runner.and_then(|command| command.argv().name)
    {
        // The code is in the program's own language, whose string literals are not recognised, so each word may be a
        // file.
        return hookrules_shell::files::words_of_code(program, text);
    }
    named::paths(text)
}
