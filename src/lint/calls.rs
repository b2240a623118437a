//! The calls that a rule selects, which fields each can have, and what it can do, such as run a command.
//!
//! All of this comes from the table of tools. A tool outside the table may have any field and do anything.

use crate::ruleset::{
    Condition, ConditionExpr, DerivedField, EventSelector, Literal, Measure, OrderOperator, PolicyValue, Rule,
    SelectorList, ValueReference, ValueTest,
};
use crate::schema::{Event, FieldType, FileInput, Subject, TOOLS, ToolSpec, WRITTEN_TEXTS, tool_spec};
use crate::syntax::ast::FileVerb;
use hookrules_shell::path::glob_matches;

/// A kind of call: of a built-in tool, or an event that is not about a tool. It stands for all its calls, with every
/// field that they can have.
#[derive(Clone, Copy, Debug)]
pub(super) struct SelectedCall {
    pub(super) event: Event,
    /// The called tool, if there is one.
    pub(super) tool: Option<&'static ToolSpec>,
}

/// The kinds of calls that a rule selects.
#[derive(Debug)]
pub(super) struct SelectedCalls {
    /// Calls of built-in tools, and events that are not about tools, without duplicates.
    pub(super) known: Vec<SelectedCall>,
    /// Whether a selector matches every tool, including those of servers.
    pub(super) has_any_tool: bool,
    /// Whether a selector matches a tool that is not in the table.
    pub(super) has_unknown_tool: bool,
}

/// How to evaluate a test of a value that the call does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MissingValueReading {
    /// As the hook evaluates it: the test is false, or true if it is negated.
    AsHook,
    /// As if the call could have the value: the result is unknown.
    AsPossible,
}

impl SelectedCalls {
    /// Returns the calls that a rule selects.
    pub(super) fn from_rule(rule: &Rule) -> Self {
        let mut calls = Self { known: Vec::new(), has_any_tool: false, has_unknown_tool: false };
        rule.head.events.iter().for_each(|selector| calls.add_selector(selector));
        calls
    }

    /// Adds the calls that one selector of a rule selects.
    fn add_selector(&mut self, selector: &EventSelector) {
        let event = selector.event;
        if !has_tools(event) {
            self.known.push(SelectedCall { event, tool: None });
            return;
        }
        let list = selector.subjects.as_ref();
        let includes = list.map(|list| list.includes.as_slice()).unwrap_or_default();
        self.has_any_tool |= includes.is_empty() || includes.iter().any(|glob| glob == "*");
        // Most lists consist of plain names, which are compared as they are.
        let (globs, names): (Vec<&str>, Vec<&str>) =
            includes.iter().map(String::as_str).partition(|include| include.contains(['*', '?', '[', '\\']));
        let is_included = |tool: &ToolSpec| {
            names.contains(&tool.name) || globs.iter().any(|glob| matches_tool(glob, tool)) || includes.is_empty()
        };
        self.has_unknown_tool |= names.iter().any(|name| TOOLS.iter().all(|tool| tool.name != *name))
            || globs.iter().any(|glob| !TOOLS.iter().any(|tool| matches_tool(glob, tool)));
        let is_excluded = |tool: &ToolSpec| list.is_some_and(|list| list.is_excluded(tool.name));
        let selected = TOOLS.iter().filter(|tool| is_included(tool) && !is_excluded(tool));
        self.known.extend(selected.map(|tool| SelectedCall { event, tool: Some(tool) }));
    }

    /// Returns the names of the built-in tools whose calls satisfy the predicate, without duplicates.
    pub(super) fn tool_names(&self, predicate: impl Fn(&SelectedCall) -> bool) -> Vec<&'static str> {
        let mut names: Vec<&str> = Vec::new();
        for call in self.known.iter().filter(|call| predicate(call)) {
            if let Some(tool) = call.tool.filter(|tool| !names.contains(&tool.name)) {
                names.push(tool.name);
            }
        }
        names
    }
}

fn matches_tool(glob: &str, tool: &ToolSpec) -> bool {
    glob_matches(glob, tool.name)
}

/// Whether a selector list selects a tool.
pub(super) fn is_tool_selected(list: &SelectorList, tool: &ToolSpec) -> bool {
    let is_included = list.includes.is_empty() || list.includes.iter().any(|glob| matches_tool(glob, tool));
    is_included && !list.is_excluded(tool.name)
}

/// Whether an event is about a tool call.
pub(super) fn has_tools(event: Event) -> bool {
    event.spec().subject == Subject::Tool
}

/// Returns the tools that a rule names, without duplicates. `None` if one of its selectors names no tool, or a tool
/// that is not in the table.
pub(super) fn selected_tools(rule: &Rule) -> Option<Vec<&'static ToolSpec>> {
    let tools_of_selector = |selector: &EventSelector| {
        let names = selector.subjects.as_ref().map(|list| list.includes.as_slice());
        let names = names.filter(|_| has_tools(selector.event))?;
        names.iter().map(|name| tool_spec(name)).collect::<Option<Vec<_>>>().filter(|tools| !tools.is_empty())
    };
    let tools: Vec<&ToolSpec> = rule.head.events.iter().map(tools_of_selector).collect::<Option<Vec<_>>>()?.concat();
    let mut distinct: Vec<&ToolSpec> = Vec::new();
    tools.into_iter().for_each(|tool| {
        if !distinct.contains(&tool) {
            distinct.push(tool);
        }
    });
    (!distinct.is_empty()).then_some(distinct)
}

impl SelectedCall {
    /// Whether the tool of the call runs a shell command.
    pub(super) fn can_run_commands(&self) -> bool {
        self.tool.is_some_and(|tool| tool.command.is_some())
    }

    /// Whether the call can access a file in the way of the verb: its tool does so itself, or runs commands.
    pub(super) fn can_touch(&self, verb: FileVerb) -> bool {
        let any_file = |has_access: fn(&crate::schema::FileInput) -> bool| {
            self.tool.is_some_and(|tool| tool.files.iter().any(has_access))
        };
        self.can_run_commands()
            || match verb {
                FileVerb::Reads => any_file(|file| file.reads),
                FileVerb::Writes => any_file(|file| file.writes),
                // Built-in tools delete or send files only by commands.
                FileVerb::Deletes | FileVerb::Sends => false,
            }
    }

    /// Whether the call can connect to a host: its tool does so itself, or runs commands.
    pub(super) fn can_connect(&self) -> bool {
        self.can_run_commands() || self.tool.is_some_and(|tool| tool.searches || tool.url.is_some())
    }

    /// Returns how many values a call of this kind has at most, of those that are counted; `None` if this is not known.
    pub(super) fn most_values(&self, measure: &Measure) -> Option<u32> {
        match measure {
            Measure::Files(verb) if !self.can_touch(*verb) => Some(0),
            Measure::Files(verb) => self
                .single_file()
                .filter(|file| match verb {
                    FileVerb::Reads => file.reads,
                    FileVerb::Writes => file.writes,
                    FileVerb::Deletes | FileVerb::Sends => false,
                })
                .map(|_| 1),
            Measure::Count(source) => match &**source {
                ValueReference::Derived(DerivedField::Path) => self.single_file().map(|_| 1),
                ValueReference::Derived(DerivedField::Url | DerivedField::Domain) => {
                    self.tool.and_then(|tool| tool.url).map(|_| 1)
                }
                _ => None,
            },
            Measure::Length(_) | Measure::Past(_) => None,
        }
    }

    /// Returns the only file that a call of this kind can name. `None` if it can name several: other agents send the
    /// files of a patch as one call of Edit or Write.
    fn single_file(&self) -> Option<&'static FileInput> {
        let tool = self.tool.filter(|tool| tool.command.is_none() && !tool.files.iter().any(|file| file.writes))?;
        let is_text = |file: &FileInput| {
            tool.input.iter().any(|field| field.name == file.member && !matches!(field.ty, FieldType::List(_)))
        };
        match tool.files {
            [only] if !only.recursive && !only.glob && is_text(only) => Some(only),
            _ => None,
        }
    }

    /// Whether calls of this kind certainly have no value for a source.
    pub(super) fn lacks(&self, source: &ValueReference) -> bool {
        match (source, self.tool) {
            (ValueReference::Derived(derived), Some(tool)) => !provides_field(tool, *derived),
            (ValueReference::Derived(derived), None) => {
                let event_has = |name| self.event.fields().any(|field| field.name == name);
                derived_name(*derived).is_some() && !derived.shadowed_field().is_some_and(event_has)
            }
            (ValueReference::Raw { path, .. }, tool) => match (path.as_slice(), tool) {
                // A member that no tool in the table has is taken to be one of a tool outside the table.
                ([first, member, ..], Some(tool)) if first == "tool_input" => {
                    !has_member(tool, member) && TOOLS.iter().any(|tool| has_member(tool, member))
                }
                ([first, ..], None) => first == "tool_input",
                _ => false,
            },
            (ValueReference::Measured(Measure::Length(text)), _) => self.lacks(text),
            (ValueReference::Capture(capture), _) => self.lacks(&capture.values),
            _ => false,
        }
    }

    /// Returns the result of a condition if it is the same for all calls of this kind; `None` if it can differ.
    pub(super) fn evaluate(&self, condition: &Condition, lacking: MissingValueReading) -> Option<bool> {
        // One part with the result `deciding` decides the whole: `false` for `and`, `true` for `or`.
        let join = |parts: &[Condition], deciding: bool| {
            let mut known = parts.iter().map(|part| self.evaluate(part, lacking));
            let has_deciding = known.clone().any(|part| part == Some(deciding));
            if has_deciding { Some(deciding) } else { known.all(|part| part == Some(!deciding)).then_some(!deciding) }
        };
        // The result of a test of a value that the call does not have.
        let result_without_value = |negated: bool| (lacking == MissingValueReading::AsHook).then_some(negated);
        match &condition.kind {
            ConditionExpr::And(parts) => join(parts, false),
            ConditionExpr::Or(parts) => join(parts, true),
            ConditionExpr::Not(inner) => self.evaluate(inner, lacking).map(|truth| !truth),
            ConditionExpr::Def(inner) => self.evaluate(inner, lacking),
            ConditionExpr::Certain(inner) => self.evaluate(inner, lacking),
            ConditionExpr::Constant(truth) => Some(*truth),
            ConditionExpr::Command(_) if !self.can_run_commands() => result_without_value(false),
            ConditionExpr::Touches { verb, .. } | ConditionExpr::TouchesFilled { verb, .. }
                if !self.can_touch(*verb) =>
            {
                result_without_value(false)
            }
            ConditionExpr::Connects(_) if !self.can_connect() => result_without_value(false),
            ConditionExpr::Exists(source) | ConditionExpr::Truth(source) if self.lacks(source) => {
                result_without_value(false)
            }
            ConditionExpr::Compare { source, all, negated, .. } if self.lacks(source) => {
                result_without_value(*negated && !all)
            }
            ConditionExpr::Compare { source: ValueReference::Measured(measure), negated, test, .. }
                if self.most_values(measure).is_some_and(|most| is_above(test, most)) =>
            {
                result_without_value(*negated)
            }
            ConditionExpr::Compare {
                source: ValueReference::Derived(DerivedField::ToolName), negated, test, ..
            } => Some(evaluate_name_test(test, self.tool?.name)? != *negated),
            ConditionExpr::Compare { source: ValueReference::Derived(DerivedField::Event), negated, test, .. } => {
                let has_field = self.event.fields().any(|field| field.name == "event");
                if has_field { None } else { Some(evaluate_name_test(test, self.event.name())? != *negated) }
            }
            ConditionExpr::Compare { .. }
            | ConditionExpr::Exists(_)
            | ConditionExpr::Truth(_)
            | ConditionExpr::Command(_)
            | ConditionExpr::Touches { .. }
            | ConditionExpr::TouchesFilled { .. }
            | ConditionExpr::Connects(_)
            | ConditionExpr::Happened(_) => None,
        }
    }

    /// Returns whether `when` and `unless` of a rule let it match, if this is the same for all calls of this kind;
    /// `None` if it can differ.
    pub(super) fn evaluate_rule(&self, rule: &Rule, lacking: MissingValueReading) -> Option<bool> {
        let when = rule.when.as_ref().map_or(Some(true), |when| self.evaluate(when, lacking));
        let unless = rule.unless.as_ref().map_or(Some(false), |unless| self.evaluate(unless, lacking));
        match (when, unless) {
            (Some(false), _) | (_, Some(true)) => Some(false),
            (Some(true), Some(false)) => Some(true),
            _ => None,
        }
    }
}

/// Whether a test requires a number above this one.
fn is_above(test: &ValueTest, most: u32) -> bool {
    let ValueTest::Order(operator, PolicyValue::Literal(Literal::Number(number))) = test else { return false };
    match operator {
        OrderOperator::Greater => *number >= f64::from(most),
        OrderOperator::GreaterEqual => *number > f64::from(most),
        OrderOperator::Less | OrderOperator::LessEqual => false,
    }
}

/// Returns the result of a test of a name; `None` if the test does not compare it with literal texts.
fn evaluate_name_test(test: &ValueTest, name: &str) -> Option<bool> {
    let text = |value: &PolicyValue| match value {
        PolicyValue::Literal(Literal::Text(text)) => Some(text.clone()),
        _ => None,
    };
    Some(match test {
        ValueTest::Equal(value) => text(value)? == name,
        ValueTest::In(values) => values.iter().map(text).collect::<Option<Vec<_>>>()?.iter().any(|one| one == name),
        ValueTest::Contains(value) => name.contains(&text(value)?),
        ValueTest::StartsWith(value) => name.starts_with(&text(value)?),
        ValueTest::EndsWith(value) => name.ends_with(&text(value)?),
        ValueTest::LikeText(globs) => globs.matches(name),
        _ => return None,
    })
}

/// Returns the name of a derived field whose value comes from the tool's input; `None` for any other derived field.
pub(super) fn derived_name(derived: DerivedField) -> Option<&'static str> {
    Some(match derived {
        DerivedField::Path => "path",
        DerivedField::Command => "command",
        DerivedField::Url => "url",
        DerivedField::Domain => "domain",
        DerivedField::Content => "content",
        _ => return None,
    })
}

/// Whether the input of a tool has a value for a derived field.
pub(super) fn provides_field(tool: &ToolSpec, derived: DerivedField) -> bool {
    match derived {
        DerivedField::Path => tool.files.iter().any(|file| !file.glob),
        DerivedField::Command => tool.command.is_some(),
        DerivedField::Url | DerivedField::Domain => tool.url.is_some() || has_member(tool, "url"),
        DerivedField::Content => WRITTEN_TEXTS.iter().chain(["edits"].iter()).any(|member| has_member(tool, member)),
        _ => true,
    }
}

/// Whether the input of a tool has a member.
pub(super) fn has_member(tool: &ToolSpec, member: &str) -> bool {
    tool.input.iter().any(|field| field.name == member)
}

/// Returns a selector that excludes some tools: `!Read|!Grep`.
pub(super) fn selector_without(tools: &[&ToolSpec]) -> String {
    tools.iter().map(|tool| format!("!{}", tool.name)).collect::<Vec<_>>().join("|")
}

/// Joins names for a sentence: up to three names, or the first two and the number of the others.
pub(super) fn join_names(names: &[&str]) -> String {
    match names {
        [] => "no tool".to_owned(),
        [one] => format!("`{one}`"),
        [one, other] => format!("`{one}` and `{other}`"),
        [one, second, third] => format!("`{one}`, `{second}` and `{third}`"),
        [one, second, rest @ ..] => format!("`{one}`, `{second}` and {} others", rest.len()),
    }
}
