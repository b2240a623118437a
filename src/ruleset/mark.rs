//! Marks, and what conditions ask about them.

use std::sync::LazyLock;

use crate::history::MarkId;
use crate::span::Span;
use crate::syntax::ast::PastActor;
use hookrules_shell::Pattern;
use hookrules_shell::repository::MOVES;

use super::{
    CommandTest, Condition, ConditionExpr, DirOperand, NeverCertain, Patterns, Rule, ValueReference, ValueTest,
    WhereField,
};

/// The condition that the text of a call may change the directory.
static MAY_MOVE: LazyLock<Option<ConditionExpr>> = LazyLock::new(|| {
    let patterns = Patterns::new(vec![Pattern::new(&format!("{} *", MOVES.join("|"))).ok()?]);
    Some(ConditionExpr::Command(CommandTest::Runs { patterns, filter: None }))
});

/// Returns the condition that another one holds or that the text of a call may change the directory. Then the end of
/// the call reports another directory than its beginning.
#[must_use]
pub fn or_moves(condition: Condition) -> Condition {
    let span = condition.span;
    let Some(moves) = may_move(span) else { return condition };
    Condition { kind: ConditionExpr::Or(vec![condition, moves]), span }
}

/// Returns the condition that the text of a call may change the directory.
#[must_use]
pub fn may_move(span: Span) -> Option<Condition> {
    MAY_MOVE.clone().map(|kind| Condition { kind, span })
}

impl Condition {
    /// Returns the patterns and the `where` of a condition with a single test which commands are run; `None` for any
    /// other condition.
    #[must_use]
    pub fn only_command_test(&self) -> Option<(&Patterns, Option<&Condition>)> {
        let mut tests = Vec::new();
        self.visit_tests(&mut |test, is_negated| {
            if let ConditionExpr::Command(test) = &test.kind {
                tests.push(Some(test).filter(|_| !is_negated));
            }
        });
        match tests.as_slice() {
            [Some(CommandTest::Runs { patterns, filter })] => Some((patterns, filter.as_deref())),
            [Some(CommandTest::OnlyRuns { patterns })] => Some((patterns, None)),
            _ => None,
        }
    }

    /// Returns the directory of a `where` that is `cwd under DIRECTORY`; `None` for any other one.
    #[must_use]
    pub fn only_directory(&self) -> Option<String> {
        let ConditionExpr::Compare {
            source: ValueReference::Where(WhereField::Cwd),
            all: false,
            negated: false,
            test: ValueTest::Under(directories),
        } = &self.kind
        else {
            return None;
        };
        match directories.as_slice() {
            [DirOperand::Literal(directory)] => Some(directory.to_string_lossy().into_owned()),
            _ => None,
        }
    }
}

impl Rule {
    /// Whether the rule is a mark of ended calls that is judged in the directory in which a call began.
    #[must_use]
    pub fn is_judged_where_begun(&self) -> bool {
        // The effects of a rule are decoded last: most rules are no marks.
        self.head.events.iter().any(|selector| selector.event.ends_call())
            && self.when.as_ref().is_some_and(Condition::tests_commands_or_files)
            && self.mark().is_some_and(|mark| mark.phase == MarkPhase::Happens)
    }
}

/// What a mark remembers of an event.
#[derive(Clone, Debug)]
pub struct MarkSpec {
    /// The id of the mark.
    pub id: MarkId,
    /// Where the key comes from that distinguishes its events; `None` if they have no key.
    pub key: Option<KeySource>,
    /// Which part of a call it remembers.
    pub phase: MarkPhase,
    /// Whether events that may have happened count as well: `unknown counts`.
    pub counts_possible: bool,
}

/// The part of a call that a mark remembers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkPhase {
    /// The event itself.
    Happens,
    /// The beginning of a call whose end may be an event of the mark.
    Begins,
}

/// Where the keys of an event come from.
#[derive(Clone, Debug)]
pub enum KeySource {
    /// The values of a field: `key path`.
    Value(ValueReference),
    /// The files for which the tests of files hold: `key match`.
    Match,
    /// The call: its tool with its commands, or with its whole input.
    Call,
}

/// A test of the session's past: `happened edited of path since tested`.
#[derive(Clone, Debug)]
pub struct PastTest {
    /// The mark whose events the test is about.
    pub mark: MarkedEvents,
    /// Where the keys come from of which an event must have one; `None` without `of`.
    pub of: Option<KeySource>,
    /// Whose events count; `None` for those of any agent.
    pub by: Option<PastActor>,
    /// The mark after whose last event they must have begun; `None` without `since`.
    pub since: Option<MarkedEvents>,
    /// The maximum age of the events in milliseconds; `None` without `within`.
    pub within: Option<u64>,
}

/// A mark, as a condition refers to it.
#[derive(Clone, Debug)]
pub struct MarkedEvents {
    /// The id of the mark.
    pub id: MarkId,
    /// The name of the mark.
    pub name: String,
    /// For each pattern of its test of commands, a command that certainly causes an event if an agent runs it alone.
    /// `None` for a pattern that names no single command.
    pub commands: Vec<Option<String>>,
    /// The directory in which they have to run: that of a nested policy, or the one that the `where` names, from the
    /// project. `None` for the project.
    pub directory: Option<String>,
    /// Whether only the user or the host causes an event, and not the agent.
    pub is_of_user: bool,
    /// Whether it counts what only may have happened.
    pub counts_possible: bool,
    /// Whether its condition tests which commands are run, and not what they do to files.
    pub names_commands: bool,
    /// Whether it is only about ended calls, and not only about failed ones.
    pub is_of_ended_calls: bool,
    /// Whether its keys are calls.
    pub has_calls_as_keys: bool,
    /// Why no event of it is ever certain; `None` if one may be, or if it counts what may have happened.
    pub never_certain: Option<NeverCertain>,
}
