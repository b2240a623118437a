//! Finds the places for which a rule is judged. A place is a directory and a time at which facts of git and files are
//! looked up: those of the commands that the rule's `runs` match, and the working trees of the files that its tests
//! match.

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

/// The maximum number of places for which a rule is judged.
const MAX_PLACES: usize = 16;

/// The maximum number of commands in a call for which a rule is first tested on its commands alone, before its places
/// are searched.
const MAX_FEW_COMMANDS: usize = 8;

/// Whether the commands of a text are so few that testing them is cheaper than searching for places.
pub(super) fn has_few_commands(shell: &ShellText) -> bool {
    shell.analysis.commands.len() <= MAX_FEW_COMMANDS
}

/// Whether a rule depends on the working trees of a call: it tests git's state, or it tests files by relative names,
/// which mean a different file in each linked worktree.
pub(super) fn depends_on_trees(rule: &Rule, context: &Context<'_>) -> bool {
    rule.looks_at_git || rule.looks_at_relative_files && context.machine().has_worktrees()
}

/// Returns the places for which a rule is judged; none for a call without files and commands, which is judged where
/// the session works.
///
/// Git and files may change from command to command, and stay changed. So the first and the last command with the
/// same state represent all between them. If there are too many places, an unknown one is added at the end.
pub(super) fn places(
    rule: &Rule,
    context: &Context<'_>,
    (cache, files): (&CommandTestCache, &FileAnswers),
) -> Vec<LookupPlace> {
    let mut tests = PlaceTests::default();
    tests.add_rule(rule);
    let by_tree = depends_on_trees(rule, context);
    let mut finder =
        PlaceFinder { rule, context, cache, files, by_tree, selected: None, seen: Vec::new(), left_out: None };
    // A rule that can hold without a match of these tests, or that can allow, is about all commands and files.
    let needs_matches = !rule.can_allow && rule.when.as_ref().is_some_and(is_false_without_places);
    let Some(shell) = context.shell_text() else {
        if by_tree {
            finder.add_files(if needs_matches { &tests.files } else { &[] });
        }
        return finder.into_places();
    };
    if by_tree && !tests.files.is_empty() {
        finder.add_files(&tests.files);
    }
    if needs_matches && !tests.runs.is_empty() {
        finder.add_commands(shell, &tests.runs);
    }
    if by_tree && (!needs_matches || finder.seen.is_empty()) {
        finder.add_commands(shell, &[]);
    }
    finder.into_places()
}

/// Whether a condition is certainly false if none of its `runs` and of its tests of files holds.
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

/// Returns the places for which the condition of a `where` is judged for one command; none if it is judged only where
/// that command works.
pub(super) fn of_filter(
    rule: &Rule,
    context: &Context<'_>,
    command: CommandId,
    condition: &Condition,
    files: &FileAnswers,
) -> Vec<LookupPlace> {
    // Most `where`s test no files, and to look for what they test of git takes longer.
    if !rule.depends_on_surroundings || !condition.mentions_files() {
        return Vec::new();
    }
    let mut tests = PlaceTests::default();
    tests.add(condition, Polarity::Positive);
    let by_tree = rule.looks_at_git;
    let looks_at_trees = tests.looks_at_git || tests.looks_at_relative_files && context.machine().has_worktrees();
    if !looks_at_trees || tests.files.is_empty() {
        return Vec::new();
    }
    let cache = CommandTestCache::default();
    let selected = Some(command);
    let mut finder =
        PlaceFinder { rule, context, cache: &cache, files, by_tree, selected, seen: Vec::new(), left_out: None };
    finder.add_files(&tests.files);
    if let Some((shell, selected)) =
        context.shell_text().and_then(|shell| Some((shell, shell.analysis.command(command)?)))
        && (finder.seen.is_empty() || rule.can_allow)
    {
        finder.add_command(shell, shell.analysis.process(command), selected);
    }
    finder.into_places()
}

/// Whether other files than those in `files` may be touched.
fn is_partly_known(touches: &TouchedFiles<'_>) -> bool {
    touches.unknown.is_some() || !touches.mentioned.is_empty()
}

/// The tests of a rule that determine the places for which it is judged.
#[derive(Default)]
struct PlaceTests<'c> {
    runs: Vec<(&'c Patterns, Option<&'c WhereFilter>)>,
    files: Vec<FileTest<'c>>,
    /// Whether the rule tests git's state.
    looks_at_git: bool,
    /// Whether the rule tests files by relative names.
    looks_at_relative_files: bool,
    /// The definitions that were visited, since a definition may be used many times.
    defs: Vec<(&'c Condition, Polarity)>,
}

/// A test of touched files (`writes like …`), with the polarity of its position in the condition.
#[derive(Clone, Copy)]
struct FileTest<'c> {
    verb: FileVerb,
    patterns: FilePatterns<'c>,
    polarity: Polarity,
}

/// What a test compares files with.
#[derive(Clone, Copy)]
enum FilePatterns<'c> {
    /// A test that is fully stated in the policy.
    Stated(&'c TouchTest),
    /// Globs whose placeholders are replaced by values of the event.
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
struct PlaceFinder<'c> {
    rule: &'c Rule,
    context: &'c Context<'c>,
    cache: &'c CommandTestCache,
    files: &'c FileAnswers,
    /// Whether directories in the same working tree are the same place.
    by_tree: bool,
    /// The command that the `where` tests, if the places are those of a `where`.
    selected: Option<CommandId>,
    seen: Vec<SeenPlace<'c>>,
    /// Why places were left out, if there were too many.
    left_out: Option<Reason>,
}

/// A place that was found, with the state that distinguishes it from others.
struct SeenPlace<'c> {
    place: LookupPlace,
    state: PlaceState<'c>,
    /// The same place before the last command in this state, if that is not the first one.
    last: Option<LookupPlace>,
}

/// What is known of git and of earlier commands at a place. Places for which all of this is equal are the same.
#[derive(PartialEq)]
struct PlaceState<'c> {
    tree: PlaceTree,
    scope: CommandScope,
    /// Why each fact of git may have changed by then.
    changed: [Option<&'c Unknown>; RepositoryFact::ALL.len()],
    /// The branch that an earlier command checked out.
    branch: Option<String>,
}

/// What is known of the working tree at a place.
#[derive(PartialEq)]
enum PlaceTree {
    /// The place is in a repository with this state.
    Git(Box<GitState>),
    /// The place is in no repository.
    NoRepository,
    /// This directory. Its repository is not looked up, since the rule does not depend on it.
    PlainDirectory(PathBuf),
    /// The place is unknown, for this reason.
    Unknown(Reason),
}

impl<'c> PlaceFinder<'c> {
    /// Adds the places of the commands that one of `runs` matches or may match; if `runs` is empty, of all commands.
    fn add_commands(&mut self, shell: &'c ShellText, runs: &[(&Patterns, Option<&WhereFilter>)]) {
        for (id, command) in shell.analysis.iter().chain(shell.analysis.scripts()) {
            let may_match = |(patterns, filter): &(&Patterns, Option<&WhereFilter>)| {
                self.cache.pattern_fit(patterns, (id, command)) != Fit::No
                    && filter.is_none_or(|filter| self.may_hold(shell, (id, patterns), filter))
            };
            let is_selected = if runs.is_empty() { !command.only_moves() } else { runs.iter().any(may_match) };
            if is_selected && scope::command_visibility(self.rule, self.context, shell, (id, command)) != Fit::No {
                self.add_command(shell, shell.analysis.process(id), command);
            }
        }
        // Code that cannot be read may be any command, in any directory.
        let is_named = |text: &UnseenText| runs.iter().any(|(patterns, _)| patterns.is_any_named_in(text));
        // The text of a script that a `runs` matches as a command has a place already.
        let is_matched_script =
            |opaque: &&OpaqueCode| {
                let is_of_runner =
                    |(id, _): &(CommandId, &SimpleCommand)| opaque.runner == Some(shell.analysis.process(*id));
                opaque.reason.cause == Cause::ScriptFile
                    && shell.analysis.scripts().filter(is_of_runner).any(|script| {
                        runs.iter().any(|(patterns, _)| self.cache.pattern_fit(patterns, script) == Fit::Yes)
                    })
            };
        for opaque in shell.analysis.opaque.iter().filter(|opaque| !is_matched_script(opaque)) {
            if opaque.text.as_ref().is_none_or(is_named)
                && scope::is_possibly_seen(self.rule, self.context, shell, opaque)
            {
                self.add_unknown(opaque.reason.clone().into(), opaque.runner);
            }
        }
    }

    /// Whether a filter may hold for a command in one of the forms of its paths.
    fn may_hold(&self, shell: &ShellText, (id, patterns): (CommandId, &Patterns), filter: &WhereFilter) -> bool {
        let caches = AnswerCaches { commands: Some(self.cache), files: self.files };
        let folded = self.context.machine().is_case_folding().then_some(NameCase::Folded);
        let mut forms = [PathForm::Lexical, PathForm::Physical]
            .into_iter()
            .flat_map(|form| std::iter::once(NameCase::Exact).chain(folded).map(move |case| (form, case)));
        forms.any(|form| {
            let mut judge = ConditionJudge::new(self.context, form, self.rule, TraceDetail::Outcomes, caches);
            judge.judge_filter(shell, (id, patterns), filter, &mut Vec::new()) != Truth::False
        })
    }

    fn add_command(&mut self, shell: &'c ShellText, id: CommandId, command: &SimpleCommand) {
        let directory = self.context.repository_directory(command.directory());
        let tree = match &directory {
            Ok(path) if self.by_tree => self.tree_at(path),
            Ok(path) => PlaceTree::PlainDirectory(path.clone()),
            Err(reason) => PlaceTree::Unknown(reason.clone()),
        };
        let place = LookupPlace { directory, before: Some(id), doubt: None };
        self.add(place, command_state(tree, Some((shell, id, command))));
    }

    /// Adds a place of which nothing is known, not even whether a command runs there.
    fn add_unknown(&mut self, reason: Reason, before: Option<CommandId>) {
        let place = LookupPlace { directory: Err(reason.clone()), before, doubt: Some(reason.clone()) };
        self.add(place, command_state(PlaceTree::Unknown(reason), None));
    }

    /// Adds the working trees of the files that `tests` match, or of all files if there are no tests or the rule can
    /// allow. Also adds the directories of the commands that may touch other files.
    fn add_files(&mut self, tests: &[FileTest<'_>]) {
        let are_all_meant = tests.is_empty() || self.rule.can_allow;
        let verbs = [FileVerb::Reads, FileVerb::Writes, FileVerb::Deletes].map(|verb| (verb, None));
        let tested = tests.iter().map(|test| (test.verb, Some(*test)));
        let wanted: Vec<_> = if are_all_meant { verbs.into_iter().collect() } else { tested.collect() };
        for (verb, test) in wanted {
            for form in [PathForm::Lexical, PathForm::Physical] {
                let touches = self.touches(self.context, verb, form);
                for file in &touches.files {
                    if test.is_none_or(|test| self.may_decide(test, file, form)) && self.is_possibly_visible(file, form)
                    {
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

    /// Adds an unknown place for each command that may touch unknown files.
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

    /// Whether a touched file may make a test true or, below a negation, false.
    fn may_decide(
        &self,
        FileTest { patterns, polarity, .. }: FileTest<'_>,
        file: &TouchedFile,
        form: PathForm,
    ) -> bool {
        let case = if self.context.machine().is_case_folding() { NameCase::Folded } else { NameCase::Exact };
        let visible = scope::visible_directories(self.rule);
        let context = self.context;
        let holds = |test| TouchJudge { context, form, case, test, visible: &visible }.judge_file(file).truth;
        let truth = match patterns {
            FilePatterns::Stated(test) => holds(test),
            FilePatterns::Filled(globs) => match filled::touch_tests(context, globs, form) {
                Ok(tests) => tests.iter().map(holds).fold(Truth::False, kleene_or),
                Err(reason) => Truth::unknown(reason),
            },
        };
        match polarity {
            Polarity::Positive => truth != Truth::False,
            Polarity::Negative => truth != Truth::True,
        }
    }

    /// Whether the rule may see a file: it may be below the directory of the rule's policy.
    fn is_possibly_visible(&self, file: &TouchedFile, form: PathForm) -> bool {
        let visible = scope::visible_directories(self.rule);
        if visible.is_empty() {
            return true;
        }
        let case = if self.context.machine().is_case_folding() { NameCase::Folded } else { NameCase::Exact };
        let test = TouchTest::Under(visible.into());
        let judge = TouchJudge { context: self.context, form, case, test: &test, visible: &[] };
        judge.judge_file(file).truth != Truth::False
    }

    /// Adds the working tree of a file. A file outside of working trees belongs to the directory of its command, else
    /// to that of the session.
    fn add_file(&mut self, file: &TouchedFile) {
        let shell = self.context.shell_text();
        let command = file.command.zip(shell).and_then(|(id, shell)| Some((shell, id, shell.analysis.command(id)?)));
        let found = self.context.directory_of(file).map(|path| (self.tree_at(&path), path));
        let (directory, tree) = match (found, command) {
            // Directories below it may be working trees of their own.
            (Ok((PlaceTree::NoRepository, path)), _) if file.reach != TouchReach::PathOnly => {
                let reason = Reason::possible_files_below(&path.to_string_lossy());
                (Err(reason.clone()), PlaceTree::Unknown(reason))
            }
            (Ok((PlaceTree::NoRepository, _)), Some((shell, id, command))) => {
                return self.add_command(shell, id, command);
            }
            (Ok((PlaceTree::NoRepository, _)), None) => {
                let path = self.context.cwd().to_owned();
                let tree = self.tree_at(&path);
                (Ok(path), tree)
            }
            (Ok((tree, path)), _) => (Ok(path), tree),
            (Err(reason), _) => (Err(reason.clone()), PlaceTree::Unknown(reason)),
        };
        self.add(LookupPlace { directory, before: file.command, doubt: None }, command_state(tree, command));
    }

    /// Returns the working tree of a directory.
    fn tree_at(&self, directory: &Path) -> PlaceTree {
        match self.context.machine().git_state_at(directory) {
            Ok(Some(state)) => PlaceTree::Git(Box::new(state)),
            Ok(None) => PlaceTree::NoRepository,
            Err(reason) => PlaceTree::Unknown(reason),
        }
    }

    fn add(&mut self, place: LookupPlace, state: PlaceState<'c>) {
        if let Some(known) = self.seen.iter_mut().find(|seen| seen.state == state && seen.place.doubt == place.doubt) {
            known.last = Some(place);
        } else if self.seen.len() == MAX_PLACES {
            self.left_out.get_or_insert_with(|| Reason::too_many_places(MAX_PLACES));
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

/// Returns the state of a place in a working tree, just before a command runs.
fn command_state<'c>(tree: PlaceTree, command: Option<(&'c ShellText, CommandId, &SimpleCommand)>) -> PlaceState<'c> {
    let changed =
        |fact| command.and_then(|(shell, id, _)| shell.repository_changes().earlier_change(&shell.analysis, id, fact));
    PlaceState {
        tree,
        scope: command.map_or(CommandScope::Local, |(_, _, command)| command.scope),
        changed: RepositoryFact::ALL.map(changed),
        branch: command.and_then(|(shell, id, _)| shell.checked_out_branch(id)),
    }
}
