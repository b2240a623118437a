//! The effects of a call's commands on files: each word as a path, relative to its command's directory.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::links::takes_names;
use super::places::below;
use super::{At, Mentioned, Reach, Touched, Touches, expand, is_device, named};
use crate::context::charge::Kept;
use crate::context::{Context, Form, Machine, Reason, ShellText};
use crate::syntax::ast::FileVerb;
use hookrules_shell::analysis::{CommandId, Opaque, RedirectKind, Scope, Simple};
use hookrules_shell::files::{Certainty, Extent, FileAccess, Verb};
use hookrules_shell::word::{Cause, Part};
use hookrules_shell::{Analysis, Unknown, Word};

/// The most touches of all commands that are examined. Any beyond them may be of any file.
const TOUCHES: usize = 5_000;

/// The most bytes of text on the standard input of all commands that are searched for files: the commands of a group
/// may share the same text.
const TEXT: usize = 1 << 19;

/// The cost of locating one touch, links aside.
const TOUCH: u64 = 100;

/// Word budget. Words of a command that lists names for others count once per consumer.
const WORDS: usize = 250_000;

/// The effects of a text's commands on files, cached.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::context) struct Effects {
    /// As words, with globs expanded.
    by_words: OnceCell<Kept<ByWords>>,
    /// As paths, in each form.
    placed: [OnceCell<Kept<Vec<Effect>>>; 2],
    /// The files that they send over the network, in each form.
    sent: [OnceCell<Kept<Vec<Effect>>>; 2],
    /// The directories that the text creates, in each form.
    made: [OnceCell<Kept<BTreeSet<PathBuf>>>; 2],
    /// The roots of the repositories that contain directories, for substitutions that print them.
    pub(super) roots: RefCell<BTreeMap<PathBuf, Option<PathBuf>>>,
    /// Whether the text leaves `TMPDIR` unchanged.
    pub(super) keeps_tmpdir: OnceCell<bool>,
}

/// The effects of commands on files, as words.
#[derive(Clone, PartialEq, Debug, Default)]
struct ByWords {
    touches: Vec<(CommandId, FileAccess)>,
    /// Whether there are more than are examined.
    is_part: bool,
}

/// How a command touches a file, and which.
pub(in crate::context) type Effect = (Verb, Touched);

impl Context<'_> {
    /// Returns why other files may be touched: a command runs whose effects no table lists, or text that is not parsed.
    /// In a `where`, only the selected command counts.
    #[must_use]
    pub fn unseen_program(&self) -> Option<Reason> {
        let selected = self.commands.selected.as_ref();
        let shell = selected.map(|selected| selected.shell).or_else(|| self.shell_text())?;
        let commands = shell.analysis.iter().filter(|(id, _)| selected.is_none_or(|selected| selected.id == *id));
        let mut unseen = commands.filter(|(_, command)| !hookrules_shell::files::all_accesses_known(command));
        let program = unseen.next().map(|(_, command)| Reason::unseen(&shell.shown(command)));
        let by = selected.map(|selected| selected.id);
        let mut opaque = shell.analysis.opaque.iter().filter(|opaque| by.is_none() || opaque.by == by);
        program.or_else(|| {
            opaque.find(|opaque| opaque.scope == Scope::Local).map(|opaque| Reason::from(opaque.why.clone()))
        })
    }
}

impl Machine<'_> {
    /// Adds the files that the commands of a text touch, or only those of one command.
    pub(super) fn by_command<'s>(
        &self,
        shell: &'s ShellText,
        only: Option<CommandId>,
        verb: FileVerb,
        form: Form,
        touches: &mut Touches<'s>,
    ) {
        let analysis = &shell.analysis;
        let verb = shell_verb(verb);
        let is_meant = |id: CommandId| only.is_none_or(|only| only == id);
        let effects = if verb == Verb::Sends { self.sent(shell, form) } else { self.effects(shell, form) }.iter();
        let meant = effects.filter(|(own, touched)| *own == verb && touched.by.is_some_and(is_meant));
        touches.files.extend(meant.map(|(_, touched)| Cow::Borrowed(touched)));
        if self.by_words(shell).is_part {
            let why = Unknown::new(Cause::Long, "");
            touches.unknown.get_or_insert_with(|| why.into());
        }
        // An effect that was not analysed belongs to the command that causes it.
        for opaque in analysis.opaque.iter().filter(|opaque| only.is_none() || opaque.by == only) {
            if opaque.scope != Scope::Local || opaque.why.cause == Cause::ScriptFile {
                continue;
            }
            let reason = || Reason::from(opaque.why.clone());
            match opaque.text.as_deref().map(|text| opaque_paths(analysis, opaque, text, verb)) {
                Some(Some(paths)) if paths.is_empty() => {}
                Some(Some(paths)) => touches.mentioned.push(Mentioned { paths, why: reason() }),
                Some(None) | None => {
                    touches.unknown.get_or_insert_with(reason);
                }
            }
        }
    }

    /// Returns the effects of the commands on files, in one form of paths.
    pub(in crate::context) fn effects<'s>(&self, shell: &'s ShellText, form: Form) -> &'s [Effect] {
        let place = || self.all_placed(shell, &self.by_words(shell).touches, form);
        self.kept(of_form(&shell.effects.placed, form), place).as_slice()
    }

    /// Returns the files that the commands send over the network. For most texts, which have no connections, nothing is
    /// expanded.
    fn sent<'s>(&self, shell: &'s ShellText, form: Form) -> &'s [Effect] {
        let place = || -> Vec<Effect> {
            if shell.connections().is_empty() {
                return Vec::new();
            }
            let analysis = &shell.analysis;
            let talks =
                |(_, command): &(CommandId, &Simple)| !hookrules_shell::network::connections(command).is_empty();
            let expanded = self.with_globs(analysis);
            let analysis = expanded.as_ref().unwrap_or(analysis);
            let clients = analysis.iter().filter(talks);
            let sent = clients.flat_map(|(id, command)| {
                hookrules_shell::network::sent_files(analysis, command).into_iter().map(move |access| (id, access))
            });
            let sent: Vec<(CommandId, FileAccess)> = sent.take(TOUCHES).collect();
            self.all_placed(shell, &sent, form)
        };
        self.kept(of_form(&shell.effects.sent, form), place).as_slice()
    }

    /// Returns an analysis with all globs expanded; `None` if there are none, or if the text changes what globs match.
    fn with_globs(&self, analysis: &Analysis) -> Option<Analysis> {
        if expand::changes_globs(analysis) {
            return None;
        }
        let all = analysis.commands.iter().enumerate();
        let expanded: Vec<(usize, Simple)> =
            all.filter_map(|(at, command)| Some((at, self.expanded(command)?))).collect();
        with(analysis, expanded)
    }

    /// Converts touches to paths, in one form.
    fn all_placed(&self, shell: &ShellText, touches: &[(CommandId, FileAccess)], form: Form) -> Vec<Effect> {
        let by_words = touches.iter();
        // The touches of one command are adjacent, and there may be thousands.
        let mut last = None;
        let placed = by_words.filter_map(|(id, touch)| {
            let takes = match last {
                Some((known, takes)) if known == *id => takes,
                _ => shell.analysis.command(*id).is_some_and(takes_names),
            };
            last = Some((*id, takes));
            self.charge(TOUCH).ok()?;
            Some((touch, self.placed(shell, *id, takes, touch, form)?))
        });
        let is_file = |(_, touched): &(&FileAccess, Touched)| !matches!(&touched.at, At::Path(path) if is_device(path));
        let placed: Vec<(&FileAccess, Touched)> = placed.filter(is_file).collect();
        let links = self.links(shell, placed.iter().map(|(touch, touched)| (*touch, touched)));
        let linked = placed.iter().filter(|_| !links.is_empty());
        let linked =
            linked.filter_map(|(touch, touched)| Some((touch.verb, self.linked(&links, shell, touch, touched, form)?)));
        let linked: Vec<Effect> = linked.collect();
        placed.into_iter().map(|(touch, touched)| (touch.verb, touched)).chain(linked).collect()
    }

    /// Returns the effects of the commands on files as words, with globs expanded.
    fn by_words<'s>(&self, shell: &'s ShellText) -> &'s ByWords {
        self.kept(&shell.effects.by_words, || {
            let analysis = &shell.analysis;
            let expands = !expand::changes_globs(analysis);
            let listed = if expands { self.with_names(analysis) } else { None };
            let analysis = listed.as_ref().unwrap_or(analysis);
            let mut by_words = ByWords::default();
            let (mut text, mut words) = (TEXT, WORDS);
            for (id, command) in analysis.iter() {
                text = text.saturating_sub(text_of(command));
                words = words.saturating_sub(words_of(analysis, command));
                if text > 0 && words > 0 {
                    let times = if expands { self.each_time(command) } else { None };
                    let mut add = |command: &Simple, directory: Option<&Word>| {
                        let expanded = if expands { self.expanded(command) } else { None };
                        let touches = hookrules_shell::file_accesses(analysis, expanded.as_ref().unwrap_or(command));
                        by_words.touches.extend(touches.into_iter().map(|touch| (id, within(directory, touch))));
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

    /// Returns an analysis with globs expanded in commands that list names for others; `None` if there are none.
    fn with_names(&self, analysis: &Analysis) -> Option<Analysis> {
        let lists = |command: &&Simple| {
            command.words.first().and_then(Word::known).is_some_and(hookrules_shell::files::prints_operands)
        };
        let piped =
            analysis.commands.iter().enumerate().filter(|(_, command)| !command.piped_to.is_empty() && lists(command));
        let expanded = piped.filter_map(|(at, command)| Some((at, self.expanded(command)?)));
        let expanded: Vec<(usize, Simple)> = expanded.collect();
        with(analysis, expanded)
    }

    fn placed(&self, shell: &ShellText, id: CommandId, takes: bool, touch: &FileAccess, form: Form) -> Option<Touched> {
        let command = shell.analysis.command(id)?;
        let place = |word: &Word| self.place(word, &command.cwd, shell, form);
        let at = self.taken(command, takes, touch, shell, form).or_else(|| place(&touch.path))?;
        let reach = match &touch.extent {
            Extent::Alone => Reach::Alone,
            Extent::Below(filter) => Reach::Below(filter.clone()),
            Extent::Whole => Reach::Whole,
            // Nothing is below a path that is not a directory.
            Extent::Mirror(other, filter) => match place(other) {
                Some(At::Path(path)) if self.directory_exists(&path) == Ok(Some(false)) => Reach::Alone,
                Some(other) => Reach::Mirror(Box::new(other), filter.clone()),
                None => Reach::Alone,
            },
            Extent::Part(why) if why.cause == Cause::Packed => Reach::Packed(why.clone().into()),
            Extent::Part(why) => Reach::Part(why.clone().into()),
        };
        let doubt = match &touch.certainty {
            Certainty::Sure => None,
            Certainty::Maybe(why) => Some(why.clone().into()),
            Certainty::InDirectory => match self.lies_in_directory(&at, shell, form) {
                Ok(true) => None,
                Ok(false) => return None,
                Err(doubt) => Some(doubt),
            },
            Certainty::WherePresent(why) => {
                let is_there = |path: &PathBuf| {
                    self.file_exists(path) == Ok(Some(true)) || self.directory_exists(path) == Ok(Some(true))
                };
                let is_file = matches!(&at, At::Path(path) if is_there(path));
                (!is_file).then(|| why.clone().into())
            }
        };
        let doubt = doubt.or_else(|| command.doubt.clone().map(Reason::from));
        Some(Touched { at, reach, doubt, by: Some(id), guessed: false })
    }

    /// Returns the directories that `mkdir` creates in the text.
    fn made<'s>(&self, shell: &'s ShellText, form: Form) -> &'s BTreeSet<PathBuf> {
        let make = || {
            let is_mkdir = |command: &Simple| {
                command.words.first().and_then(Word::known).is_some_and(|name| name.ends_with("mkdir"))
            };
            let written = self.by_words(shell).touches.iter().filter(|(_, touch)| touch.verb == Verb::Writes);
            let made = written.filter_map(|(id, touch)| {
                let command = shell.analysis.command(*id).filter(|command| is_mkdir(command))?;
                match self.place(&touch.path, &command.cwd, shell, form) {
                    Some(At::Path(path)) => Some(path),
                    _ => None,
                }
            });
            made.collect()
        };
        self.kept(of_form(&shell.effects.made, form), make)
    }

    /// Whether the directory that contains a path exists, or the text itself creates it.
    fn lies_in_directory(&self, at: &At, shell: &ShellText, form: Form) -> Result<bool, Reason> {
        let At::Path(path) = at else {
            return Err(Reason::no_directory());
        };
        let Some(directory) = path.parent() else { return Ok(false) };
        let exists = self.directory_exists(directory).map_err(|reason| Reason::fact("the directory", reason))?;
        Ok(exists == Some(true) || self.made(shell, form).contains(directory))
    }
}

/// Returns a touch with its paths relative to a directory.
fn within(directory: Option<&Word>, mut touch: FileAccess) -> FileAccess {
    let Some(directory) = directory else { return touch };
    if let Some(path) = below(directory, &touch.path) {
        touch.path = path;
    }
    if let Extent::Mirror(other, _) = &mut touch.extent
        && let Some(path) = below(directory, other)
    {
        *other = path;
    }
    touch
}

/// Returns an analysis with some commands replaced; `None` if there are no replacements.
fn with(analysis: &Analysis, commands: Vec<(usize, Simple)>) -> Option<Analysis> {
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

fn of_form<T>([lexical, physical]: &[T; 2], form: Form) -> &T {
    match form {
        Form::Lexical => lexical,
        Form::Physical => physical,
    }
}

/// Returns the number of bytes of text in the redirections of a command.
fn text_of(command: &Simple) -> usize {
    let texts = command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Text);
    texts.flat_map(|redirect| &redirect.target.parts).filter_map(Part::text).map(str::len).sum()
}

/// Returns the number of words of a command and of the commands that write to it.
fn words_of(analysis: &Analysis, command: &Simple) -> usize {
    let writers = command.stdin_from.iter().filter_map(|id| analysis.command(*id));
    writers.chain([command]).map(|command| 1 + command.words.len()).sum()
}

/// Converts a verb of the language to that of the shell analysis: the two vocabularies are independent.
fn shell_verb(verb: FileVerb) -> Verb {
    match verb {
        FileVerb::Reads => Verb::Reads,
        FileVerb::Writes => Verb::Writes,
        FileVerb::Deletes => Verb::Deletes,
        FileVerb::Sends => Verb::Sends,
    }
}

/// Returns the paths that an opaque text may touch; `None` if it may touch any.
fn opaque_paths(analysis: &Analysis, opaque: &Opaque, text: &str, verb: Verb) -> Option<Vec<String>> {
    let by = opaque.by.and_then(|id| analysis.command(id));
    if matches!(opaque.why.cause, Cause::Foreign | Cause::Library)
        && by.is_some_and(hookrules_shell::files::is_interpreter)
    {
        if verb == Verb::Sends && !hookrules_shell::network::speaks(text) {
            return Some(Vec::new());
        }
        // A call names its files in literals; a whole program may assemble names.
        let touched = match opaque.why.cause {
            Cause::Foreign => hookrules_shell::files::touched_by_program(text, verb),
            _ => hookrules_shell::files::touched_by_code(text, verb),
        };
        return touched.map(|paths| paths.into_iter().map(str::to_owned).collect());
    }
    named::paths(text)
}
