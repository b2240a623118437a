//! Marks, and what conditions ask about them.

use std::sync::LazyLock;

use crate::history::MarkId;
use crate::span::Span;
use crate::syntax::ast::PastActor;
use hookrules_shell::Pattern;
use hookrules_shell::repository::MOVES;

use super::{CommandTest, Condition, ConditionExpr, NeverCertain, Patterns, Rule, ValueReference};

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
    /// Commands, at most two, each of which certainly causes an event if an agent runs it alone.
    pub commands: Vec<String>,
    /// Whether further commands cause one.
    pub has_more_commands: bool,
    /// Whether its condition tests which commands are run, and not what they do to files.
    pub names_commands: bool,
    /// Whether it is only about ended calls, and not only about failed ones.
    pub is_of_ended_calls: bool,
    /// Whether its keys are calls.
    pub has_calls_as_keys: bool,
    /// Why no event of it is ever certain; `None` if one may be, or if it counts what may have happened.
    pub never_certain: Option<NeverCertain>,
}
