//! The interpreter: walks the tree of a text as a shell would, and records every simple command that could run.
//!
//! It tracks what can be known: the values of variables, directories, functions, and the data that flows from one
//! command into another. Where two paths through the text join, as after an `if`, only what is the same on both stays
//! known. Work is counted in steps; the text that remains when the steps are spent is recorded as opaque.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::StartDirectories;
//! use hookrules_shell::interpret::{analyse_powershell, analyse_with};
//!
//! let start = StartDirectories { cwd: Path::new("/home/dev"), home: None };
//! let set = [("OUT", Some("dist".to_owned()))];
//! let analysis = analyse_with("rm -r $OUT", &start, &set);
//! assert_eq!(analysis.commands[0].words[2].known_text(), Some("dist"));
//!
//! let analysis = analyse_powershell("ri dist -Recurse", &start);
//! assert_eq!(analysis.commands[0].words[0].known_text(), Some("Remove-Item"));
//! ```

mod builtins;
mod callbacks;
mod calls;
mod chains;
mod code;
mod compound;
mod deferred_streams;
mod descriptors;
mod dialects;
mod effects;
mod equivalents;
mod file_writes;
mod flow;
mod generators;
mod git_setup;
mod loaded_files;
mod loops;
mod nested_commands;
mod output;
mod package_programs;
mod printf;
mod quoted_lists;
mod read_builtins;
mod redirects;
mod reexpansion;
mod renamed_programs;
mod script_files;
mod searched_files;
mod settings;
mod simple;
mod substitution;
mod traps;
mod written_files;
mod zsh;
mod zsh_code;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::analysis::{Analysis, CommandScope, OpaqueCode, Redirect, SimpleCommand, StartDirectories};
use crate::argv::base_name;
use crate::dialect::{Dialect, DialectReading, DialectSet, ScriptLanguage};
use crate::evaluated::MarkTracker;
use crate::expand::ExpansionContext;
use crate::parse::{CommandNode, ParseError, Parsed, parse};
use crate::stand_ins::StandIns;
use crate::state::{ShellState, ShellVariable};
pub(super) use crate::stream::InputStream;
use crate::stream::{CommandId, Writer, WrittenFile, insert_ids};
use crate::unseen::UnseenText;
use crate::word::{Cause, Directory, StreamId, Unknown, Word, WordParts};
use deferred_streams::{DeferredStreams, StreamName};
pub use dialects::is_shell_script;
use flow::{Flow, Jump};
use script_files::ScriptRun;
use traps::Trap;

/// The maximum length of a text that is analysed, in bytes.
const MAX_LENGTH: usize = 1 << 16;

/// The work budget for one text, in steps. A step is about one character read or one id added, some 40 ns. A text of
/// the maximum length that does nothing unusual just fits.
const STEP_BUDGET: usize = 1_000_000;

/// The cost of a substitution such as `$(x)` in steps, in addition to the cost of its script.
const SUBSTITUTION_COST: usize = 64;

/// The maximum nesting depth that is followed: of commands in commands, words in words, and anything that is parsed
/// again (a script, a function, an alias, the value of a variable). [`Interpreter::enter`] counts all of them.
const MAX_DEPTH: usize = 80;

/// How much of [`MAX_DEPTH`] a script takes: roughly in proportion to its use of the stack.
const SCRIPT_LEVELS: usize = 3;

/// How much of [`MAX_DEPTH`] a command takes that another command runs by its words, such as `rm x` in `sudo rm x`.
const ARGV_LEVELS: usize = 2;

thread_local! {
    /// The initial state and context of every text. Both are empty; a text copies them when it first changes something.
    static INITIAL: (ShellState, WalkContext) = (ShellState::new(Path::new("/"), None), WalkContext::new());
}

/// Returns every simple command that a text could run in bash.
///
/// It never fails: what cannot be parsed is in [`Analysis::opaque`].
#[must_use]
pub fn analyse(text: &str, start: &StartDirectories<'_>) -> Analysis {
    analyse_in(ScriptLanguage::Bourne, text, start, &[])
}

/// Like [`analyse`], with known environment variables. The value `None` is a variable that is certainly unset.
#[must_use]
pub fn analyse_with(text: &str, start: &StartDirectories<'_>, environment: &[(&str, Option<String>)]) -> Analysis {
    analyse_in(ScriptLanguage::Bourne, text, start, environment)
}

/// Like [`analyse_with`]. The result also lists, in [`Analysis::evaluated`], the texts that a shell or an interpreter
/// evaluates and that contain `mark` or the unknown output of a command.
#[must_use]
pub fn analyse_marked(
    text: &str,
    start: &StartDirectories<'_>,
    environment: &[(&str, Option<String>)],
    mark: &str,
) -> Analysis {
    let interpreter = Interpreter { watch: Some(MarkTracker::new(mark)), ..Interpreter::new() };
    analyse_by(interpreter, ScriptLanguage::Bourne, text, start, environment)
}

/// Returns every simple command that a text could run in PowerShell.
///
/// It never fails: what cannot be parsed is in [`Analysis::opaque`]. The commands have no spans.
#[must_use]
pub fn analyse_powershell(text: &str, start: &StartDirectories<'_>) -> Analysis {
    analyse_in(ScriptLanguage::PowerShell, text, start, &[])
}

/// Analyses a text in a language, with known environment variables.
fn analyse_in(
    language: ScriptLanguage,
    text: &str,
    start: &StartDirectories<'_>,
    environment: &[(&str, Option<String>)],
) -> Analysis {
    analyse_by(Interpreter::new(), language, text, start, environment)
}

/// Analyses a text with a new interpreter: prepares the initial state, translates the text if its language is not a
/// Bourne shell's, and walks the text and its traps.
fn analyse_by(
    mut interpreter: Interpreter,
    language: ScriptLanguage,
    text: &str,
    start: &StartDirectories<'_>,
    environment: &[(&str, Option<String>)],
) -> Analysis {
    let (mut state, mut context) =
        INITIAL.with(|(state, context)| (state.with_directory(start.cwd, start.home), context.clone()));
    for (name, value) in environment {
        state.inherit(name, value.as_deref());
    }
    if language != ScriptLanguage::Bourne {
        context.span_tracking = SpanTracking::Dropped;
        state.reading = DialectReading::single(Dialect::Bash);
    }
    if text.len() > MAX_LENGTH {
        interpreter.add_opaque(Unknown::new(Cause::TooLong, excerpt(text)), None, None, CommandScope::Local);
        return interpreter.finish();
    }
    // No program receives a NUL: some shells drop it, some stop at it.
    let (text, after_nul) = text.split_once('\0').map_or((text, None), |(text, rest)| (text, Some(rest)));
    if after_nul.is_some() {
        interpreter.add_opaque(Unknown::new(Cause::NulCharacter, "\\0"), None, None, CommandScope::Local);
    }
    let mut frame = Frame { interpreter: &mut interpreter, state: &mut state, context: &context };
    if let Some(source) = frame.source(text) {
        let source = frame.translate(language, source);
        let is_zsh = |(name, value): &(&str, Option<String>)| {
            *name == "SHELL" && value.as_deref().is_some_and(|path| base_name(path) == "zsh")
        };
        if language == ScriptLanguage::Bourne && environment.iter().any(is_zsh) {
            // A host may pass the text to the user's own shell.
            frame.walk_each_dialect(DialectSet::BASH.union(DialectSet::ZSH), &source, |frame| {
                frame.walk_script(&source)
            });
        } else {
            frame.walk_script(&source);
        }
    }
    frame.walk_traps();
    interpreter.finish()
}

/// What the walk of a text has found so far, and its limits. All [`Frame`]s of the walk share it.
struct Interpreter {
    commands: Vec<SimpleCommand>,
    /// For each command of `commands`, the writers whose output it passes on, executes or has in its words.
    sources: Vec<CommandSources>,
    /// The script files that the commands run.
    scripts: Vec<ScriptRun>,
    opaque: Vec<OpaqueCode>,
    /// The remaining work budget, in steps.
    steps: usize,
    /// The current nesting depth; at most [`MAX_DEPTH`].
    depth: usize,
    /// For each pipe from one command into a later one, the command that writes to the pipe.
    pipe_writers: Vec<CommandId>,
    /// The empty input that a new command has until its redirections are evaluated. All of them share it.
    no_input: Rc<InputStream>,
    /// The command whose words are being expanded.
    expanding: Option<CommandId>,
    /// The number of lines that were begun so far, in all texts. An alias is only expanded on the lines after its
    /// definition.
    line: usize,
    /// The files that the text has written so far, with their content.
    written: Rc<BTreeMap<PathBuf, WrittenFile>>,
    /// The programs that the text copied or linked, by the path of the copy.
    program_copies: Rc<BTreeMap<PathBuf, Word>>,
    /// The number of streams without a name so far: `<(…)`, `>(…)`, coprocesses and inputs that several commands may
    /// read.
    streams: usize,
    /// The output of each `<(…)`, as the input of whoever reads it.
    processes: Rc<BTreeMap<StreamId, InputStream>>,
    /// How often something happened that makes the output of a command uncertain.
    doubts: OutputDoubts,
    /// The streams that commands read before the text writes them, such as those of coprocesses, and their writers.
    deferred: DeferredStreams,
    /// The commands that run when a shell ends, or on a signal.
    traps: Vec<Trap>,
    /// The characters that replace unknown parts in texts that are parsed again.
    stand_ins: StandIns,
    /// For each `break`, `continue` or `return` in the current loop or function: its kind, and the state at that
    /// point.
    jumps: Vec<(Jump, ShellState)>,
    /// The bodies of the functions that the text of the call itself defines, by the address of their node. Commands in
    /// other bodies, such as those of a sourced file, have no spans.
    own_bodies: BTreeMap<*const CommandNode, Rc<CommandNode>>,
    /// Finds the evaluated texts that contain the caller's mark; `None` unless the caller passes a mark.
    watch: Option<MarkTracker>,
}

/// The commands and streams whose output a command receives in other ways than from its standard input alone.
#[derive(Default)]
struct CommandSources {
    /// The writers whose output may be in the output of the command: the writers of its input and of its words.
    passes: Vec<Writer>,
    /// The writers whose output the command executes.
    code: Vec<Writer>,
    /// The writers whose output is in the command's words.
    words: Vec<Writer>,
}

/// Counts of what makes the output of a command uncertain. If two snapshots differ, something happened between them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct OutputDoubts {
    /// Outputs that may have gone to a standard output other than the one that is being tracked.
    misdirected_outputs: usize,
    /// Points in the text at which the shell may have exited.
    possible_exits: usize,
}

/// A point of the walk to which [`Interpreter::roll_back`] returns: the lengths of the interpreter's lists, and its
/// maps.
struct Checkpoint {
    commands: usize,
    opaque: usize,
    written: Rc<BTreeMap<PathBuf, WrittenFile>>,
    program_copies: Rc<BTreeMap<PathBuf, Word>>,
    streams: usize,
    processes: Rc<BTreeMap<StreamId, InputStream>>,
    deferred: Rc<BTreeMap<StreamName, Vec<Writer>>>,
    pipe_writers: usize,
}

/// What surrounds a command in the text. It is copied for each substitution and each part of a pipeline, so copies must
/// be cheap.
#[derive(Clone, Debug)]
struct WalkContext {
    /// The commands that run this one (`sudo`, `sh -c`), the outermost first.
    via: Vec<CommandId>,
    /// Why the command may not run at all.
    doubt: Option<Unknown>,
    /// Whether the project may define a task that runs instead of the command.
    may_be_task: bool,
    scope: CommandScope,
    in_loop: bool,
    in_background: bool,
    in_substitution: bool,
    /// The redirections of the enclosing groups and loops, each with the directory that its file is relative to.
    redirects: Rc<Vec<(Redirect, Directory)>>,
    /// The standard input of the enclosing group, loop or pipeline.
    input: Rc<InputStream>,
    /// Whether the text that is walked is the text of the call, so that words have spans.
    span_tracking: SpanTracking,
    /// The names of the functions whose calls are in progress, the innermost last.
    calls: Rc<Vec<String>>,
    /// How often the enclosing loops walk a command: the product of the numbers of words or lines that they go through.
    loop_copies: usize,
    /// The functions whose calls are in progress, the innermost last.
    bodies: Rc<Vec<ActiveFunction>>,
}

/// A function call in progress, with its arguments and the variables at its start: in the body, the function may be
/// defined again, and the variables may change.
#[derive(Clone, Debug)]
struct ActiveFunction {
    /// The body of the function.
    node: Rc<CommandNode>,
    arguments: Vec<WordParts>,
    variables: Rc<BTreeMap<String, ShellVariable>>,
}

/// Whether the words of the text that is walked have spans. A span refers to the text of the call, so the words of a
/// nested text have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SpanTracking {
    Kept,
    Dropped,
}

/// A function that parses a text from an offset on.
type ParseFunction = fn(&str, usize, &DialectReading) -> Parsed;

/// The current point of the walk: the interpreter, the state of the shell, and the context of the next command.
struct Frame<'w> {
    interpreter: &'w mut Interpreter,
    state: &'w mut ShellState,
    context: &'w WalkContext,
}

impl WalkContext {
    fn new() -> Self {
        Self {
            via: Vec::new(),
            doubt: None,
            may_be_task: false,
            scope: CommandScope::Local,
            in_loop: false,
            in_background: false,
            in_substitution: false,
            redirects: Rc::default(),
            input: Rc::default(),
            span_tracking: SpanTracking::Kept,
            calls: Rc::default(),
            loop_copies: 1,
            bodies: Rc::default(),
        }
    }
}

impl Interpreter {
    fn new() -> Self {
        Self {
            commands: Vec::new(),
            sources: Vec::new(),
            scripts: Vec::new(),
            opaque: Vec::new(),
            steps: STEP_BUDGET,
            depth: 0,
            pipe_writers: Vec::new(),
            no_input: Rc::default(),
            expanding: None,
            line: 0,
            written: Rc::default(),
            program_copies: Rc::default(),
            streams: 0,
            processes: Rc::default(),
            doubts: OutputDoubts::default(),
            deferred: DeferredStreams::default(),
            traps: Vec::new(),
            stand_ins: StandIns::default(),
            jumps: Vec::new(),
            own_bodies: BTreeMap::new(),
            watch: None,
        }
    }

    /// Returns the analysis: resolves the deferred streams, and removes duplicates and ids of commands that no longer
    /// exist.
    fn finish(self) -> Analysis {
        let steps = STEP_BUDGET - self.steps;
        let Self { commands, opaque, written, .. } = self;
        let evaluated = self.watch.map(|watch| watch.into_texts(commands.len())).unwrap_or_default();
        let mut analysis = Analysis { commands, scripts: Vec::new(), opaque, steps, evaluated, written };
        analysis.opaque.extend(self.deferred.resolve_marks(&mut analysis.commands, &self.sources));
        remove_duplicates(&mut analysis.opaque);
        // A loop body that was walked several times may have had more commands in an earlier pass, so ids may be too
        // large.
        let count = analysis.commands.len();
        for command in &mut analysis.commands {
            for ids in
                [&mut command.piped_from, &mut command.stdin_from, &mut command.code_from, &mut command.words_from]
            {
                ids.retain(|id| id.0 < count);
            }
        }
        analysis.scripts =
            self.scripts.into_iter().filter_map(|script| script.into_command(&analysis.commands)).collect();
        analysis
    }

    /// Returns a checkpoint of the current state, for [`Self::roll_back`].
    fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            commands: self.commands.len(),
            opaque: self.opaque.len(),
            written: Rc::clone(&self.written),
            program_copies: Rc::clone(&self.program_copies),
            streams: self.streams,
            processes: Rc::clone(&self.processes),
            deferred: self.deferred.writers(),
            pipe_writers: self.pipe_writers.len(),
        }
    }

    /// Drops everything that was recorded since a checkpoint.
    fn roll_back(&mut self, checkpoint: &Checkpoint) {
        self.commands.truncate(checkpoint.commands);
        self.sources.truncate(checkpoint.commands);
        self.scripts.retain(|script| script.interpreter.0 < checkpoint.commands);
        self.opaque.truncate(checkpoint.opaque);
        self.written = Rc::clone(&checkpoint.written);
        self.program_copies = Rc::clone(&checkpoint.program_copies);
        self.streams = checkpoint.streams;
        self.processes = Rc::clone(&checkpoint.processes);
        self.deferred.restore_writers(&checkpoint.deferred);
        for writer in self.pipe_writers.drain(checkpoint.pipe_writers.min(self.pipe_writers.len())..) {
            if let Some(command) = self.commands.get_mut(writer.0) {
                command.piped_to.retain(|id| id.0 < checkpoint.commands);
            }
        }
    }

    /// Records code that the walk does not see, and the command that runs it.
    fn add_opaque(&mut self, why: Unknown, text: Option<UnseenText>, runner: Option<CommandId>, scope: CommandScope) {
        self.spend(text.as_ref().map_or(0, |text| text.as_str().len()) / 16);
        self.opaque.push(OpaqueCode { reason: why, text, runner, scope });
    }

    /// Goes `levels` deeper, or returns `false` if that would exceed [`MAX_DEPTH`]. Each successful call needs a
    /// [`Self::leave`].
    fn enter(&mut self, levels: usize) -> bool {
        let is_entered = self.depth + levels <= MAX_DEPTH;
        if is_entered {
            self.depth += levels;
        }
        is_entered
    }

    fn leave(&mut self, levels: usize) {
        self.depth = self.depth.saturating_sub(levels);
    }

    /// Spends steps, and returns whether some of the budget is left. When it runs out, the rest of the text is recorded
    /// as opaque, once.
    fn spend(&mut self, steps: usize) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps = self.steps.saturating_sub(steps);
        if self.steps == 0 {
            self.opaque.push(OpaqueCode::beyond_limits());
        }
        self.steps > 0
    }

    /// Returns these commands as writers, together with the writers whose output they may pass on.
    fn with_passed_writers(&mut self, ids: &[CommandId]) -> Vec<Writer> {
        let mut writers = Vec::new();
        let mut steps = ids.len();
        for id in ids {
            insert_ids(&mut writers, &[Writer::Command(*id)]);
            if let Some(CommandSources { passes, .. }) = self.sources.get(id.0) {
                steps += passes.len();
                insert_ids(&mut writers, passes);
            }
        }
        self.spend(steps);
        writers
    }

    /// Creates the id of a stream without a name.
    fn stream(&mut self) -> StreamId {
        self.streams += 1;
        StreamId(self.streams)
    }

    fn command_mut(&mut self, id: CommandId) -> Option<&mut SimpleCommand> {
        self.commands.get_mut(id.0)
    }

    /// Returns the name of a command's program without its directory, if it is known.
    fn name(&self, id: CommandId) -> Option<&str> {
        let name = self.commands.get(id.0)?.words.first()?.known_text()?;
        Some(name.rsplit('/').next().unwrap_or(name))
    }
}

/// The result of walking the lines of a text.
struct WalkedLines {
    flow: Flow,
    /// The command that prints the whole output of the text, of which later commands may leave lines out; `None` if
    /// several may.
    prints: Option<CommandId>,
    /// The offset of the first line that the shell reads in another dialect, because the line before it changed the
    /// dialect: `set -o posix`. `None` if the end of the text was reached.
    changes_at: Option<usize>,
}

impl WalkedLines {
    fn new(flow: Flow) -> Self {
        Self { flow, prints: None, changes_at: None }
    }
}

impl Frame<'_> {
    /// Walks a text as Bourne shell code, line by line.
    fn walk_script(&mut self, text: &str) -> Flow {
        self.walk_parsed(parse, text).flow
    }

    /// Walks a text that `read` parses. Records the text as opaque if it is nested too deeply.
    fn walk_parsed(&mut self, read: ParseFunction, text: &str) -> WalkedLines {
        if !self.interpreter.enter(SCRIPT_LEVELS) {
            return WalkedLines::new(self.too_deep_flow(text));
        }
        let walked = self.walk_lines(read, text, 0);
        self.interpreter.leave(SCRIPT_LEVELS);
        walked
    }

    /// Walks the lines of a text from an offset on. After a line that changes the dialect, parses the rest again.
    fn walk_lines(&mut self, read: ParseFunction, text: &str, from: usize) -> WalkedLines {
        let mut walked = self.walk_uniform_lines(read, text, from);
        while let Some(from) = walked.changes_at {
            let mixed = std::mem::take(&mut self.state.mixed);
            if !mixed.is_empty() {
                // The dialect depends on the path that the shell took, so the rest is walked in each.
                let rest = match self.interpreter.enter(SCRIPT_LEVELS) {
                    true => {
                        let rest = self.walk_each_dialect(mixed, text, |frame| frame.walk_lines(read, text, from).flow);
                        self.interpreter.leave(SCRIPT_LEVELS);
                        rest
                    }
                    false => self.too_deep_flow(text),
                };
                self.state.mixed = mixed;
                return WalkedLines::new(walked.flow.concat(rest));
            }
            let rest = self.walk_uniform_lines(read, text, from);
            walked = WalkedLines { flow: walked.flow.concat(rest.flow), prints: None, ..rest };
        }
        walked
    }

    /// Walks the lines of a text from an offset on, until the end or a line that changes the dialect.
    fn walk_uniform_lines(&mut self, read: ParseFunction, text: &str, from: usize) -> WalkedLines {
        // Parsing has a cost, and finding the end of a substitution costs as much again for each enclosing one.
        if !self.interpreter.spend(4 * text.len().saturating_sub(from) + 1) {
            return WalkedLines::new(Flow::unknown());
        }
        let dialect = self.state.reading.dialect();
        let parsed = read(text, from, &self.state.reading);
        let first_command = CommandId(self.interpreter.commands.len());
        let mut flow = Flow::empty();
        let mut certainly_runs = true;
        for (index, line) in parsed.lines.iter().enumerate() {
            self.interpreter.line += 1;
            let before = self.interpreter.commands.len();
            let mut next = self.walk_node(line);
            if line.is_file(text) && index + 1 == parsed.lines.len() && parsed.failed.is_none() {
                next.content = self.file_alone(next.content);
            }
            flow = if certainly_runs { flow.concat(next) } else { flow.concat_perhaps(next) };
            certainly_runs &= !self.may_end_by_failure(line, before);
            if self.state.reading.dialect() != dialect || !self.state.mixed.is_empty() {
                // A line is parsed before it runs: only the next line is parsed in the new dialect.
                let next = parsed.lines.get(index + 1).map(|line| line.span.start);
                let changes_at = next.or(parsed.failed.as_ref().map(|(offset, _)| *offset));
                return WalkedLines { changes_at, ..WalkedLines::new(flow) };
            }
        }
        if let Some((offset, fault)) = parsed.failed {
            let rest = text.get(offset..).unwrap_or_default();
            match fault {
                // Aliases may turn the rest into another text that is valid.
                ParseError::Syntax if !self.state.aliases.is_empty() => {
                    self.add_opaque(Cause::Alias, excerpt(rest), None)
                }
                ParseError::Syntax => self.add_opaque(Cause::Syntax, excerpt(rest), Some(rest.to_owned())),
                ParseError::TooDeep => self.add_opaque(Cause::TooDeep, excerpt(rest), None),
                ParseError::OtherDialect => {}
            }
            flow = flow.concat(Flow::unknown());
        }
        let prints = (parsed.is_one_pipe() && self.prints_lines_of(first_command, &flow.out)).then_some(first_command);
        WalkedLines { prints, ..WalkedLines::new(flow) }
    }

    /// Records a text as too deeply nested to walk, and returns an unknown flow.
    fn too_deep_flow(&mut self, text: &str) -> Flow {
        self.interpreter.spend(SUBSTITUTION_COST);
        self.add_opaque(Cause::TooDeep, excerpt(text), None);
        Flow::unknown()
    }

    /// Records code that the walk does not see. It is attributed to the innermost command that runs the current one.
    fn add_opaque(&mut self, cause: Cause, word: impl Into<String>, text: Option<String>) {
        let runner = self.context.via.last().copied();
        self.interpreter.add_opaque(Unknown::new(cause, word), text.map(UnseenText::from), runner, self.context.scope);
    }

    /// Returns a frame with another context, for the same shell.
    fn with_context<'s>(&'s mut self, context: &'s WalkContext) -> Frame<'s> {
        Frame { interpreter: &mut *self.interpreter, state: &mut *self.state, context }
    }

    /// Returns a frame with another context, for another shell.
    fn with_state<'s>(&'s mut self, state: &'s mut ShellState, context: &'s WalkContext) -> Frame<'s> {
        Frame { interpreter: &mut *self.interpreter, state, context }
    }
}

/// Removes duplicates, keeping the first of each.
fn remove_duplicates(opaque: &mut Vec<OpaqueCode>) {
    fn key(code: &OpaqueCode) -> impl Ord + '_ {
        (code.runner, code.scope, code.reason.cause, code.reason.word.as_str(), code.text.as_ref())
    }
    let mut seen = BTreeSet::new();
    let is_first: Vec<bool> = opaque.iter().map(|code| seen.insert(key(code))).collect();
    drop(seen);
    let mut is_first = is_first.into_iter();
    opaque.retain(|_| is_first.next() == Some(true));
}

/// Returns the beginning of a text, for display.
fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
