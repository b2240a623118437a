//! Marks of which no event is ever certain, because of what their conditions test.

use crate::schema::{Event, ToolShell, tool_spec};
use hookrules_shell::affects_other_commands;

use super::{CommandTest, Condition, ConditionExpr, DerivedField, Head, Patterns, ValueReference};

/// Why no event of a mark is ever certain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NeverCertain {
    /// It tests only the text of the command, which does not say what ran.
    Text,
    /// It is about calls in the background, which have not ended when the host reports them.
    Background,
    /// It is about files of calls that failed, which may have changed them before that or not.
    Failed,
    /// It is about this builtin of the shell, which may change what other commands are.
    Builtin(String),
}

impl NeverCertain {
    /// Returns why no event of a mark with this head and condition is ever certain; `None` if one may be.
    #[must_use]
    pub fn of_mark(head: &Head, when: Option<&Condition>) -> Option<Self> {
        let when = when?;
        if head.every_event || head.events.is_empty() || !head.events.iter().all(|selector| selector.event.ends_call())
        {
            return None;
        }
        let is_of_failures = head.events.iter().all(|selector| selector.event == Event::PostToolUseFailure);
        if is_of_failures && when.tests_files() {
            return Some(Self::Failed);
        }
        // A call of another tool has no command, and its input says what it did.
        let is_of_shells = head.events.iter().all(|selector| {
            let includes = selector.subjects.as_ref().map(|subjects| subjects.includes.as_slice()).unwrap_or_default();
            let is_shell = |name: &String| tool_spec(name).is_some_and(|tool| tool.shell != ToolShell::None);
            !includes.is_empty() && includes.iter().all(is_shell)
        });
        Self::of_condition(when).filter(|why| is_of_shells || matches!(why, Self::Builtin(_)))
    }

    /// Returns why a condition about ended calls of a shell never holds certainly; `None` if it may.
    fn of_condition(condition: &Condition) -> Option<Self> {
        match &condition.kind {
            ConditionExpr::And(parts) => {
                let of_part = |part: &Condition| Self::of_condition(part).filter(|why| *why != Self::Text);
                let tests_commands = parts.iter().any(Condition::tests_commands_or_files);
                let of_text = || parts.iter().find_map(Self::of_condition).filter(|_| !tests_commands);
                parts.iter().find_map(of_part).or_else(of_text)
            }
            ConditionExpr::Or(parts) => {
                let of_parts: Vec<Self> = parts.iter().map(Self::of_condition).collect::<Option<_>>()?;
                of_parts.into_iter().next()
            }
            ConditionExpr::Def(inner) => Self::of_condition(inner),
            ConditionExpr::Command(CommandTest::Runs { patterns, .. }) => only_builtin(patterns).map(Self::Builtin),
            _ if requires_background(condition) => Some(Self::Background),
            _ => condition.is_test_of_command_text().then_some(Self::Text),
        }
    }
}

/// Returns a program of patterns that match nothing but builtins which may change other commands.
fn only_builtin(patterns: &Patterns) -> Option<String> {
    let mut first = None;
    for pattern in patterns.iter() {
        let names = pattern.program_names()?;
        if !names.iter().all(|name| affects_other_commands(name)) {
            return None;
        }
        first = first.or_else(|| names.first().map(|name| (*name).to_owned()));
    }
    first
}

/// Whether a condition is a test that the call runs in the background.
fn requires_background(condition: &Condition) -> bool {
    let (ConditionExpr::Compare { source: ValueReference::Raw { path, .. }, negated: false, .. }
    | ConditionExpr::Truth(ValueReference::Raw { path, .. })) = &condition.kind
    else {
        return false;
    };
    let is_member =
        matches!(path.as_slice(), [input, member] if *input == "tool_input" && *member == "run_in_background");
    is_member && !condition.holds_for_false()
}

impl Condition {
    /// Whether a comparison with a constant holds for `false`.
    fn holds_for_false(&self) -> bool {
        use super::{Literal, PolicyValue, ValueTest};
        let is_false = |value: &PolicyValue| matches!(value, PolicyValue::Literal(Literal::Boolean(false)));
        match &self.kind {
            ConditionExpr::Compare { test: ValueTest::Equal(value), .. } => is_false(value),
            ConditionExpr::Compare { .. } => true,
            _ => false,
        }
    }

    /// Whether the condition is a single test of the text of a command, or of another member of a tool's input.
    #[must_use]
    pub fn is_test_of_command_text(&self) -> bool {
        let (ConditionExpr::Compare { source, negated: false, .. }
        | ConditionExpr::Exists(source)
        | ConditionExpr::Truth(source)) = &self.kind
        else {
            return false;
        };
        match source {
            ValueReference::Derived(derived) => *derived == DerivedField::Command,
            ValueReference::Raw { path, .. } => path.first().is_some_and(|member| *member == "tool_input"),
            ValueReference::JsonPath(_) => true,
            _ => false,
        }
    }
}
