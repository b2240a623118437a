//! The places in which a rule is judged: facts of git belong to the commands that its `runs` match and to the working
//! trees of the files that its tests match.

use std::path::{Path, PathBuf};

use crate::context::{Context, LookupPlace, PathForm, Reason, ShellText, TouchReach, TouchedFile, TouchedFiles};
use crate::facts::GitState;
use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, FilledGlobs, Patterns, Rule, TouchTest, ValueReference, WhereFilter,
};
use crate::syntax::ast::FileVerb;
use hookrules_shell::analysis::{CommandId, CommandScope, OpaqueCode, SimpleCommand};
use hookrules_shell::glob::Fit;
use hookrules_shell::path::NameCase;
use hookrules_shell::repository::RepositoryFact;
use hookrules_shell::word::Cause;
use hookrules_shell::{Unknown, UnseenText};

use super::condition::{AnswerCaches, ConditionJudge, Polarity, kleene_or};
use super::file_answers::FileAnswers;
use super::once::CommandTestCache;
use super::touches::TouchJudge;
use super::{TraceDetail, Truth, filled, scope};

/// The most places in which a rule is judged.
const PLACES: usize = 16;

/// The most commands that are tested for a rule that fails on its commands alone before its places are searched.
const FEW: usize = 8;

/// Whether the commands of a text are so few that testing them is cheaper than searching for places.
pub(super) fn has_few_commands(shell: &ShellText) -> bool {
    shell.analysis.commands.len() <= FEW
}

/// Whether a rule depends on the working trees of a call: it tests git's state, or files by names that mean another file in
/// each linked worktree.
pub(super) fn depends_on_trees(rule: &Rule, context: &Context<'_>) -> bool {
    rule.looks_at_git || rule.looks_at_relative_files && context.machine().has_worktrees()
}

/// Returns the places in which a rule is judged; none for a call without files and commands, which is judged where the
/// session works.
///
/// Git and files change from command to command and stay changed, so the first and the last command of each place
/// represent all between them. A last place is unknown if there are too many.
pub(super) fn places(
    rule: &Rule,
    context: &Context<'_>,
    (once, files): (&CommandTestCache, &FileAnswers),
) -> Vec<LookupPlace> {
    let mut tests = PlaceTests::default();
    tests.add_rule(rule);
    let by_tree = depends_on_trees(rule, context);
    let mut finder = Finder { rule, context, once, files, by_tree, selected: None, seen: Vec::new(), left_out: None };
    // A rule that can hold without what these tests select, or that allows, is about all commands and files.
    let is_selective = !rule.can_allow && rule.when.as_ref().is_some_and(is_false_without_places);
    let Some(shell) = context.shell_text() else {
        if by_tree {
            finder.add_files(if is_selective { &tests.files } else { &[] });
        }
        return finder.into_places();
    };
    if by_tree && !tests.files.is_empty() {
        finder.add_files(&tests.files);
    }
    if is_selective && !tests.runs.is_empty() {
        finder.add_commands(shell, &tests.runs);
    }
    if by_tree && (!is_selective || finder.seen.is_empty()) {
        finder.add_commands(shell, &[]);
    }
    finder.into_places()
}

/// Whether a condition is certainly false if no `runs` and no test of files in it holds.
fn is_false_without_places(condition: &Condition) -> bool {
    match &condition.kind {
        ConditionExpr::And(parts) => parts.iter().any(is_false_without_places),
        ConditionExpr::Or(parts) => parts.iter().all(is_false_without_places),
        ConditionExpr::Def(inner) => is_false_without_places(inner),
        ConditionExpr::Command(CommandTest::Runs { .. })
        | ConditionExpr::Touches { .. }
        | ConditionExpr::TouchesFilled { .. } => true,
        _ => false,
    }
}

/// Returns the places in which the condition of a `where` is judged for a command that it selects; none if that is its
/// directory.
pub(super) fn of_filter(
    rule: &Rule,
    context: &Context<'_>,
    command: CommandId,
    condition: &Condition,
    files: &FileAnswers,
) -> Vec<LookupPlace> {
    if !rule.depends_on_surroundings {
        return Vec::new();
    }
    let mut tests = PlaceTests::default();
    tests.add(condition, Polarity::Positive);
    let by_tree = rule.looks_at_git;
    let looks_at_trees = tests.looks_at_git || tests.looks_at_relative_files && context.machine().has_worktrees();
    if !looks_at_trees || tests.files.is_empty() {
        return Vec::new();
    }
    let once = CommandTestCache::default();
    let selected = Some(command);
    let mut finder = Finder { rule, context, once: &once, files, by_tree, selected, seen: Vec::new(), left_out: None };
    finder.add_files(&tests.files);
    if let Some((shell, selected)) =
        context.shell_text().and_then(|shell| Some((shell, shell.analysis.command(command)?)))
        && (finder.seen.is_empty() || rule.can_allow)
    {
        finder.add_command(shell, shell.analysis.process(command), selected);
    }
    finder.into_places()
}

/// Whether other files than the listed ones may be touched.
fn is_partly_known(touches: &TouchedFiles<'_>) -> bool {
    touches.unknown.is_some() || !touches.mentioned.is_empty()
}

/// The tests of a rule that say where it is judged.
#[derive(Default)]
struct PlaceTests<'c> {
    runs: Vec<(&'c Patterns, Option<&'c WhereFilter>)>,
    files: Vec<FileTest<'c>>,
    /// Whether git's state is tested.
    looks_at_git: bool,
    /// Whether files are tested by relative names.
    looks_at_relative_files: bool,
    /// The definitions already visited: a definition may be used in many places.
    defs: Vec<(&'c Condition, Polarity)>,
}

/// A test of the touched files.
#[derive(Clone, Copy)]
struct FileTest<'c> {
    verb: FileVerb,
    patterns: FilePatterns<'c>,
    polarity: Polarity,
}

/// What a test compares files with.
#[derive(Clone, Copy)]
enum FilePatterns<'c> {
    /// What the policy states.
    Stated(&'c TouchTest),
    /// Globs in which values of the event are filled in.
    Filled(&'c FilledGlobs),
}

impl<'c> PlaceTests<'c> {
    fn add_rule(&mut self, rule: &'c Rule) {
        rule.when.iter().for_each(|when| self.add(when, Polarity::Positive));
        rule.unless.iter().for_each(|unless| self.add(unless, Polarity::Negative));
    }

    fn add(&mut self, condition: &'c Condition, polarity: Polarity) {
        match &condition.kind {
            ConditionExpr::And(parts) | ConditionExpr::Or(parts) => {
                parts.iter().for_each(|part| self.add(part, polarity))
            }
            ConditionExpr::Not(inner) => self.add(inner, polarity.negated()),
            ConditionExpr::Certain(inner) => self.add(inner, polarity),
            ConditionExpr::Def(inner) => {
                let is_known =
                    |(def, known): &(&Condition, Polarity)| std::ptr::eq(*def, &**inner) && *known == polarity;
                if !self.defs.iter().any(is_known) {
                    self.defs.push((inner, polarity));
                    self.add(inner, polarity);
                }
            }
            ConditionExpr::Command(CommandTest::Runs { patterns, filter }) => {
                self.runs.push((patterns, filter.as_ref()))
            }
            ConditionExpr::Exists(source) | ConditionExpr::Truth(source) => self.note_source(source),
            ConditionExpr::Compare { source, test, .. } => {
                self.note_source(source);
                self.looks_at_git |= test.names_git();
            }
            ConditionExpr::Touches { verb, test } => self.add_files(*verb, FilePatterns::Stated(test), polarity),
            ConditionExpr::TouchesFilled { verb, globs } => {
                self.add_files(*verb, FilePatterns::Filled(globs), polarity);
            }
            _ => {}
        }
    }

    fn add_files(&mut self, verb: FileVerb, patterns: FilePatterns<'c>, polarity: Polarity) {
        self.files.push(FileTest { verb, patterns, polarity });
    }

    fn note_source(&mut self, source: &ValueReference) {
        self.looks_at_git |= source.is_of_git();
        self.looks_at_relative_files |= source.is_of_relative_file();
    }
}

/// Finds the places of a rule.
struct Finder<'c> {
    rule: &'c Rule,
    context: &'c Context<'c>,
    once: &'c CommandTestCache,
    files: &'c FileAnswers,
    /// Whether the directories of one working tree are one place.
    by_tree: bool,
    /// The command that a `where` selects.
    selected: Option<CommandId>,
    seen: Vec<SeenPlace<'c>>,
    /// Why there are more places, if so.
    left_out: Option<Reason>,
}

/// A place, and what distinguishes it from others.
struct SeenPlace<'c> {
    place: LookupPlace,
    state: State<'c>,
    /// The same place before the last command in this state, if not the first.
    last: Option<LookupPlace>,
}

/// What is known of git, and of the commands before: places in which all of this is equal are one.
#[derive(PartialEq)]
struct State<'c> {
    tree: Tree,
    scope: CommandScope,
    /// Why facts may have changed.
    changed: [Option<&'c Unknown>; RepositoryFact::ALL.len()],
    /// The branch that an earlier command checked out.
    branch: Option<String>,
}

/// The working tree of a place.
#[derive(PartialEq)]
enum Tree {
    /// In a repository, with this state.
    Git(Box<GitState>),
    /// In no repository.
    NoRepository,
    /// A directory in which git is not asked.
    Directory(PathBuf),
    /// Unknown, with the reason.
    Unknown(Reason),
}

impl<'c> Finder<'c> {
    /// Adds the places of the commands that one of some `runs` matches or may match; without any, of all.
    fn add_commands(&mut self, shell: &'c ShellText, runs: &[(&Patterns, Option<&WhereFilter>)]) {
        for (id, command) in shell.analysis.iter().chain(shell.analysis.scripts()) {
            let is_meant = |(patterns, filter): &(&Patterns, Option<&WhereFilter>)| {
                self.once.pattern_fit(patterns, (id, command)) != Fit::No
                    && filter.is_none_or(|filter| self.may_hold(shell, (id, patterns), filter))
            };
            let counts = if runs.is_empty() { !command.only_moves() } else { runs.iter().any(is_meant) };
            if counts && scope::command_visibility(self.rule, self.context, shell, (id, command)) != Fit::No {
                self.add_command(shell, shell.analysis.process(id), command);
            }
        }
        // Code that cannot be read may be any command, in any directory.
        let is_named = |text: &UnseenText| runs.iter().any(|(patterns, _)| patterns.is_any_named_in(text));
        // A script that is meant itself names the pattern, too.
        let is_meant_script =
            |opaque: &&OpaqueCode| {
                let is_by = |(id, _): &(CommandId, &SimpleCommand)| opaque.runner == Some(shell.analysis.process(*id));
                opaque.reason.cause == Cause::ScriptFile
                    && shell.analysis.scripts().filter(is_by).any(|script| {
                        runs.iter().any(|(patterns, _)| self.once.pattern_fit(patterns, script) == Fit::Yes)
                    })
            };
        for opaque in shell.analysis.opaque.iter().filter(|opaque| !is_meant_script(opaque)) {
            if opaque.text.as_ref().is_none_or(is_named)
                && scope::is_possibly_seen(self.rule, self.context, shell, opaque)
            {
                self.add_unknown(opaque.reason.clone().into(), opaque.runner);
            }
        }
    }

    /// Whether a filter may hold for a command in some form of its paths.
    fn may_hold(&self, shell: &ShellText, (id, patterns): (CommandId, &Patterns), filter: &WhereFilter) -> bool {
        let known = AnswerCaches { commands: Some(self.once), files: self.files };
        let folded = self.context.machine().is_case_folding().then_some(NameCase::Folded);
        let mut forms = [PathForm::Lexical, PathForm::Physical]
            .into_iter()
            .flat_map(|form| std::iter::once(NameCase::Exact).chain(folded).map(move |case| (form, case)));
        forms.any(|form| {
            let mut judge = ConditionJudge::new(self.context, form, self.rule, TraceDetail::Outcomes, known);
            judge.filter(shell, (id, patterns), filter, &mut Vec::new()) != Truth::False
        })
    }

    fn add_command(&mut self, shell: &'c ShellText, id: CommandId, command: &SimpleCommand) {
        let directory = self.context.repository_directory(command.directory());
        let tree = match &directory {
            Ok(path) if self.by_tree => self.tree_at(path),
            Ok(path) => Tree::Directory(path.clone()),
            Err(reason) => Tree::Unknown(reason.clone()),
        };
        let place = LookupPlace { directory, before: Some(id), doubt: None };
        self.add(place, command_state(tree, Some((shell, id, command))));
    }

    /// Adds a place of which nothing is known, not even whether anything happens there.
    fn add_unknown(&mut self, reason: Reason, before: Option<CommandId>) {
        let place = LookupPlace { directory: Err(reason.clone()), before, doubt: Some(reason.clone()) };
        self.add(place, command_state(Tree::Unknown(reason), None));
    }

    /// Adds the working trees of the files that tests match, of all files if there is no test or the rule can allow, and
    /// the directories of the commands that may touch others.
    fn add_files(&mut self, tests: &[FileTest<'_>]) {
        let all = tests.is_empty() || self.rule.can_allow;
        let verbs = [FileVerb::Reads, FileVerb::Writes, FileVerb::Deletes].map(|verb| (verb, None));
        let tested = tests.iter().map(|test| (test.verb, Some(*test)));
        let asked: Vec<_> = if all { verbs.into_iter().collect() } else { tested.collect() };
        for (verb, test) in asked {
            for form in [PathForm::Lexical, PathForm::Physical] {
                let touches = self.touches(self.context, verb, form);
                for file in &touches.files {
                    if test.is_none_or(|test| self.is_meant(test, file, form)) && self.is_possibly_visible(file, form) {
                        self.add_file(file);
                    }
                }
                if form == PathForm::Lexical && is_partly_known(&touches) {
                    self.add_opaque_commands(verb, &touches);
                }
            }
        }
    }

    fn touches<'t>(&self, context: &'t Context<'_>, verb: FileVerb, form: PathForm) -> TouchedFiles<'t> {
        match self.rule.can_allow {
            true => context.touched_files_for_allow(verb, form),
            false => context.touched_files(verb, form),
        }
    }

    /// Adds an unknown place for each command that may touch files that are not known.
    fn add_opaque_commands(&mut self, verb: FileVerb, touches: &TouchedFiles<'_>) {
        let why = touches.unknown.clone().or_else(|| touches.mentioned.first().map(|it| it.reason.clone()));
        let Some(why) = why else { return };
        let Some(shell) = self.context.shell_text() else { return self.add_unknown(why, None) };
        let selected = self.selected;
        for (id, _) in shell.analysis.iter().filter(|(id, _)| selected.is_none_or(|only| only == *id)) {
            let of_command = self.context.at_command(shell, id);
            if is_partly_known(&self.touches(&of_command, verb, PathForm::Lexical)) {
                self.add_unknown(why.clone(), Some(id));
            }
        }
        self.add_unknown(why, None);
    }

    /// Whether a touched file may make a test true, or false below a negation.
    fn is_meant(&self, FileTest { patterns, polarity, .. }: FileTest<'_>, file: &TouchedFile, form: PathForm) -> bool {
        let case = if self.context.machine().is_case_folding() { NameCase::Folded } else { NameCase::Exact };
        let visible = scope::visible_directories(self.rule);
        let context = self.context;
        let holds = |test| TouchJudge { context, form, case, test, visible: &visible }.file(file).truth;
        let held = match patterns {
            FilePatterns::Stated(test) => holds(test),
            FilePatterns::Filled(globs) => match filled::touch_tests(context, globs, form) {
                Ok(tests) => tests.iter().map(holds).fold(Truth::False, kleene_or),
                Err(reason) => Truth::unknown(reason),
            },
        };
        match polarity {
            Polarity::Positive => held != Truth::False,
            Polarity::Negative => held != Truth::True,
        }
    }

    /// Whether the rule may see a file.
    fn is_possibly_visible(&self, file: &TouchedFile, form: PathForm) -> bool {
        let visible = scope::visible_directories(self.rule);
        if visible.is_empty() {
            return true;
        }
        let case = if self.context.machine().is_case_folding() { NameCase::Folded } else { NameCase::Exact };
        let test = TouchTest::Under(visible.into());
        let judge = TouchJudge { context: self.context, form, case, test: &test, visible: &[] };
        judge.file(file).truth != Truth::False
    }

    /// Adds the working tree of a file. One that is in none belongs to the directory of its command, else to that of
    /// the session.
    fn add_file(&mut self, file: &TouchedFile) {
        let shell = self.context.shell_text();
        let command = file.command.zip(shell).and_then(|(id, shell)| Some((shell, id, shell.analysis.command(id)?)));
        let found = self.context.directory_of(file).map(|path| (self.tree_at(&path), path));
        let (directory, tree) = match (found, command) {
            // All below it may be working trees.
            (Ok((Tree::NoRepository, path)), _) if file.reach != TouchReach::PathOnly => {
                let reason = Reason::possible_files_below(&path.to_string_lossy());
                (Err(reason.clone()), Tree::Unknown(reason))
            }
            (Ok((Tree::NoRepository, _)), Some((shell, id, command))) => return self.add_command(shell, id, command),
            (Ok((Tree::NoRepository, _)), None) => {
                let path = self.context.cwd().to_owned();
                let tree = self.tree_at(&path);
                (Ok(path), tree)
            }
            (Ok((tree, path)), _) => (Ok(path), tree),
            (Err(reason), _) => (Err(reason.clone()), Tree::Unknown(reason)),
        };
        self.add(LookupPlace { directory, before: file.command, doubt: None }, command_state(tree, command));
    }

    /// Returns the working tree of a directory.
    fn tree_at(&self, directory: &Path) -> Tree {
        match self.context.machine().git_state_at(directory) {
            Ok(Some(state)) => Tree::Git(Box::new(state)),
            Ok(None) => Tree::NoRepository,
            Err(reason) => Tree::Unknown(reason),
        }
    }

    fn add(&mut self, place: LookupPlace, state: State<'c>) {
        if let Some(known) = self.seen.iter_mut().find(|seen| seen.state == state && seen.place.doubt == place.doubt) {
            known.last = Some(place);
        } else if self.seen.len() == PLACES {
            self.left_out.get_or_insert_with(|| Reason::too_many_places(PLACES));
        } else {
            self.seen.push(SeenPlace { place, state, last: None });
        }
    }

    fn into_places(self) -> Vec<LookupPlace> {
        let unknown = self.left_out.map(|reason| LookupPlace { directory: Err(reason), before: None, doubt: None });
        let (first, last): (Vec<_>, Vec<_>) = self.seen.into_iter().map(|seen| (seen.place, seen.last)).unzip();
        first.into_iter().chain(last.into_iter().flatten()).chain(unknown).collect()
    }
}

/// Returns the state of a working tree when a command runs.
fn command_state<'c>(tree: Tree, command: Option<(&'c ShellText, CommandId, &SimpleCommand)>) -> State<'c> {
    let changed =
        |fact| command.and_then(|(shell, id, _)| shell.repository_changes().earlier_change(&shell.analysis, id, fact));
    State {
        tree,
        scope: command.map_or(CommandScope::Local, |(_, _, command)| command.scope),
        changed: RepositoryFact::ALL.map(changed),
        branch: command.and_then(|(shell, id, _)| shell.checked_out_branch(id)),
    }
}
