//! The search for the smallest change: changes derived from the failing parts of the rule, applied step by step, and
//! the rule's own examples.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::UnmatchedCall;
use super::change::{Candidate, ChangeOrigin};
use crate::context::Context;
use crate::eval::{ConditionTrace, RuleJudgement, RuleOutcome, Truth};
use crate::examples::{ExampleCircumstances, ExampleHost, example_contents};
use crate::platform::paths::shown;
use crate::proposals as values;
use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, DerivedField, FactName, HostTest, Literal, Measure, PolicyValue, Rule,
    RuleSet, SelectorList, TouchTest, ValueReference, ValueTest,
};
use crate::schema::{Event, Subject, WRITTEN_TEXTS, tool_spec};
use crate::span::Span;
use crate::syntax::ast::{ExampleKind, FileFact, FileVerb, Name};

/// The maximum number of derived changes that are judged. It is not a time, so that the result is the same on every
/// machine.
const MAX_TRIED: usize = 400;

/// The maximum number of changes that are applied one after another.
const MAX_STEPS: usize = 5;

/// The number of candidates kept after each step: those nearest to the original call.
const KEPT_CANDIDATES: usize = 24;

/// The members that the payload of every event has.
const COMMON_MEMBERS: &[&str] =
    &["session_id", "transcript_path", "cwd", "hook_event_name", "permission_mode", "agent_id", "agent_type"];

/// The result of the search for a change.
pub(super) struct ChangeSearchResult {
    /// The most natural change that makes the rule match; `None` if none was found.
    pub(super) best: Option<Candidate>,
    /// The number of changes that were judged.
    pub(super) tried: usize,
}

/// Searches for the most natural change of a call that makes the rule at `index` match under the whole policy.
pub(super) fn find_smallest_change(call: &UnmatchedCall<'_>, index: usize, start: &Candidate) -> ChangeSearchResult {
    let Some(rule) = call.policy.rules.rules().get(index) else { return ChangeSearchResult { best: None, tried: 0 } };
    let alone = RuleSet::new(vec![Arc::clone(rule)]);
    let mut search = ChangeSearch { call, rule, alone, index, start, seen: Vec::new(), tried: 0, matching: Vec::new() };
    let mut frontier = vec![start.clone()];
    for _ in 0..MAX_STEPS {
        let mut next: Vec<Candidate> = frontier.iter().flat_map(|candidate| search.steps_from(candidate)).collect();
        next.sort_by_key(|candidate| start.cost(candidate));
        next.truncate(KEPT_CANDIDATES);
        frontier = next;
        if !search.matching.is_empty() || frontier.is_empty() {
            break;
        }
    }
    for (index, (_, example)) in moved_examples(call, rule).iter().enumerate() {
        search.try_example(example, ChangeOrigin::Example(index));
    }
    let natural = |(candidate, origin): &&(Candidate, ChangeOrigin)| start.naturalness_rank(candidate, *origin);
    let whole = search.matching.iter().filter(|(candidate, _)| !start.loses_a_command(candidate));
    let best = whole.min_by_key(natural).map(|(candidate, _)| candidate.clone());
    ChangeSearchResult { best, tried: search.tried }
}

/// Returns the calls of the rule's `fires on` examples, with the directories of the examples (`/project`,
/// `/home/user`) replaced by those of this call. Members that an example does not give keep their values.
pub(super) fn moved_examples(call: &UnmatchedCall<'_>, rule: &Rule) -> Vec<(Span, Candidate)> {
    let cwd = call.payload.nonempty_text("cwd").map_or(Path::new("/"), Path::new);
    let project = call.base.project();
    let home = call.base.home();
    let circumstances =
        ExampleCircumstances { cwd, home: home.as_deref(), transcript: None, host: ExampleHost::Default };
    let firing = rule.examples.iter().filter(|(kind, _)| *kind == ExampleKind::Fires);
    // A change of the call does not change who sends it.
    let is_of_host = |host: Option<&Name>| host.is_none_or(|host| host.text == call.host);
    let examples = firing.flat_map(|(_, examples)| examples.iter()).filter(|example| is_of_host(example.host.as_ref()));
    let moved = examples.filter_map(|example| {
        let contents = example_contents(example, Some(&rule.head), circumstances).ok()?;
        let mut candidate =
            Candidate { payload: call.payload.clone(), facts: call.facts.clone() }.with_event(contents.payload.event);
        // For another event, only the members that every event has are kept.
        if contents.payload.event != call.payload.event {
            candidate.payload.json.retain(|name, _| COMMON_MEMBERS.contains(&name.as_str()));
        }
        // Whether a member only has the value that every example has by default: this call's value is kept.
        let is_default = |name: &str, value: &Json| match name {
            "session_id" | "hook_event_name" => true,
            "cwd" => value.as_str() == cwd.to_str(),
            "permission_mode" => value == "default",
            _ => false,
        };
        for (name, value) in contents.payload.json.iter().filter(|(name, value)| !is_default(name, value)) {
            let value = move_directories(value, project.as_deref(), home.as_deref());
            match (candidate.payload.json.get_mut(name), value) {
                (Some(Json::Object(known)), Json::Object(value))
                    if call.payload.nonempty_text("tool_name") == contents.payload.nonempty_text("tool_name") =>
                {
                    known.extend(value);
                }
                (_, value) => {
                    candidate.payload.json.insert(name.clone(), value);
                }
            }
        }
        candidate.facts.extend(contents.facts);
        Some((example.span, candidate))
    });
    moved.collect()
}

/// Replaces the directories of examples (`/project`, `/home/user`) at the beginning of texts by those of this call.
fn move_directories(value: &Json, project: Option<&Path>, home: Option<&Path>) -> Json {
    match value {
        Json::String(text) => {
            for (prefix, place) in [("/project", project), ("/home/user", home)] {
                let rest = text.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('/'));
                if let (Some(rest), Some(place)) = (rest, place) {
                    return Json::from(format!("{}{rest}", shown(&place)));
                }
            }
            value.clone()
        }
        Json::Object(members) => {
            let members = members.iter().map(|(name, value)| (name.clone(), move_directories(value, project, home)));
            Json::Object(members.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

/// The state of a search.
struct ChangeSearch<'s> {
    call: &'s UnmatchedCall<'s>,
    /// The rule that should match.
    rule: &'s Rule,
    /// A rule set with only this rule.
    alone: RuleSet,
    /// The index of the rule in the policy.
    index: usize,
    /// The original call.
    start: &'s Candidate,
    /// The candidates derived so far, so that none is judged twice.
    seen: Vec<Candidate>,
    /// The number of candidates that were judged.
    tried: usize,
    /// The judged candidates that make the rule match.
    matching: Vec<(Candidate, ChangeOrigin)>,
}

impl ChangeSearch<'_> {
    /// Returns the new candidates that differ from `from` by one change and do not match yet; a candidate that
    /// matches is added to `matching` instead.
    fn steps_from(&mut self, from: &Candidate) -> Vec<Candidate> {
        let call = self.call;
        let options = call.judge_changed(&self.alone, from, |evaluation, context| {
            let judged = evaluation.trace.rules.first();
            ChangeOptions { rule: self.rule, from, context, call }.all_changes(judged)
        });
        let mut next = Vec::new();
        for candidate in options.unwrap_or_default() {
            if self.tried >= MAX_TRIED || candidate == *self.start || self.seen.contains(&candidate) {
                continue;
            }
            self.seen.push(candidate.clone());
            if !self.try_candidate(&candidate, ChangeOrigin::Requirement) {
                next.push(candidate);
            }
        }
        next
    }

    /// Judges a candidate, and returns whether the rule matches; if so, adds the candidate to `matching`.
    fn try_candidate(&mut self, candidate: &Candidate, origin: ChangeOrigin) -> bool {
        self.tried += 1;
        let alone = self.call.judge_changed(&self.alone, candidate, |evaluation, _| {
            evaluation.trace.rules.iter().any(|judged| judged.outcome == RuleOutcome::Match)
        });
        // The rule alone is judged first because that is cheap; other rules, such as one with a rewrite, may change
        // the result.
        let matches = alone == Some(true) && self.call.is_match(self.index, candidate);
        if matches {
            self.matching.push((candidate.clone(), origin));
        }
        matches
    }

    /// Tries an example, and if it matches, also the example with each unneeded difference from the original call
    /// reverted.
    fn try_example(&mut self, example: &Candidate, origin: ChangeOrigin) {
        if !self.try_candidate(example, origin) {
            return;
        }
        let mut smaller = example.clone();
        // The event is not reverted: the other members belong to it.
        for difference in self.start.differences(example).iter().filter(|it| it.what != "hook_event_name") {
            let path: Vec<&str> = match difference.what.strip_prefix("tool_input.") {
                Some(member) => vec!["tool_input", member],
                None => vec![&difference.what],
            };
            let mut without = match example.facts.get(&difference.what) {
                Some(_) => smaller.clone(),
                None => smaller.with_member(&path, difference.from.clone()),
            };
            match self.start.facts.get(&difference.what) {
                Some(value) => without = without.with_fact(&difference.what, value.clone()),
                None => {
                    without.facts.shift_remove(&difference.what);
                }
            }
            if without.payload.event == example.payload.event && self.try_candidate(&without, origin) {
                smaller = without;
            }
        }
    }
}

/// The candidates that differ from the call `from` by one change.
struct ChangeOptions<'o> {
    rule: &'o Rule,
    /// The call that is changed.
    from: &'o Candidate,
    /// What conditions know of the call `from`.
    context: &'o Context<'o>,
    /// The original call, with the policy and the facts of the machine.
    call: &'o UnmatchedCall<'o>,
}

impl ChangeOptions<'_> {
    /// Returns changed calls, each of which satisfies one failing test of the rule. `judged` is the result of the rule
    /// for the unchanged call. If it is `None`, the head of the rule excludes the call, and the changes are those that
    /// satisfy the head.
    fn all_changes(&self, judged: Option<&RuleJudgement>) -> Vec<Candidate> {
        let Some(judged) = judged else { return self.head_changes() };
        let mut truths = BTreeMap::new();
        judged.parts.iter().for_each(|part| collect_truths(part, &mut truths));
        let mut leaves = Vec::new();
        let lacks_result = |condition: &Condition, wanted| truths.get(&condition.span) != Some(&Truth::from(wanted));
        match (&self.rule.when, &self.rule.unless) {
            (Some(when), _) if lacks_result(when, true) => tests_to_change(when, true, &truths, &mut leaves),
            (_, Some(unless)) => tests_to_change(unless, false, &truths, &mut leaves),
            _ => {}
        }
        leaves.into_iter().flat_map(|(condition, wanted)| self.leaf_changes(&condition.kind, wanted)).collect()
    }

    /// Returns changed calls that the head of the rule selects: with another subject, agent or event.
    fn head_changes(&self) -> Vec<Candidate> {
        let event = self.from.payload.event;
        let mut out = Vec::new();
        let selectors = self.rule.head.events.iter().filter(|selector| selector.event == event);
        for list in selectors.filter_map(|selector| selector.subjects.as_ref()) {
            for name in selected_names(list) {
                out.extend(match event.spec().subject {
                    Subject::Tool => Some(self.with_tool(&name)),
                    Subject::Field(field) => Some(self.from.with_member(&[field], Some(name.into()))),
                    Subject::BaseName(field) => Some(self.from.with_member(&[field], Some(name.into()))),
                    Subject::None => None,
                });
            }
        }
        if let Some(agents) = &self.rule.head.agents {
            out.extend(selected_names(&agents.0).iter().map(|name| self.with_agent(name)));
            if agents.0.includes.is_empty() {
                out.extend([self.with_agent("main"), self.with_agent("worker")]);
            }
        }
        // Only between events about tools can the event be replaced: the members of any other event are known only
        // from examples.
        if !self.rule.head.event_set().contains(&event) {
            let with_tools = |event: &Event| event.spec().subject == Subject::Tool;
            let other = self.rule.head.event_set().into_iter().filter(|other| with_tools(other) && with_tools(&event));
            out.extend(other.map(|other| self.from.with_event(other)));
        }
        out
    }

    /// Returns the call with another tool; the path of a file is moved to the member that the new tool expects.
    fn with_tool(&self, name: &str) -> Candidate {
        let mut changed = self.from.with_member(&["tool_name"], Some(name.into()));
        let (before, after) = (self.from.payload.tool_name().and_then(tool_spec), tool_spec(name));
        let member = |spec: Option<&'static crate::schema::ToolSpec>| {
            spec.and_then(|spec| spec.files.iter().find(|file| !file.glob).map(|file| file.member))
        };
        if let (Some(old), Some(new)) = (member(before), member(after))
            && old != new
            && let Some(path) = self.from.member(&["tool_input", old])
        {
            changed =
                changed.with_member(&["tool_input", new], Some(path.clone())).with_member(&["tool_input", old], None);
        }
        changed
    }

    /// Returns the call by another agent; `main` is the agent without `agent_id` and `agent_type`.
    fn with_agent(&self, name: &str) -> Candidate {
        if name == "main" {
            return self.from.with_member(&["agent_id"], None).with_member(&["agent_type"], None);
        }
        self.from.with_member(&["agent_id"], Some("agent-1".into())).with_member(&["agent_type"], Some(name.into()))
    }

    /// Returns calls for which a test of the condition has the wanted result.
    fn leaf_changes(&self, kind: &ConditionExpr, wanted: bool) -> Vec<Candidate> {
        match kind {
            ConditionExpr::Compare { source, negated, test, .. } => {
                self.comparison_changes(source, test, wanted != *negated)
            }
            ConditionExpr::Exists(source) if wanted => {
                self.with_each_value(source, &[Json::from("x"), Json::from(1), Json::from(true)])
            }
            ConditionExpr::Exists(source) => self.without_value(source),
            ConditionExpr::Truth(source) => self.with_each_value(source, &[Json::from(wanted)]),
            ConditionExpr::Command(test) => self.command_changes(test, wanted),
            ConditionExpr::Touches { verb, test } if wanted => self.touch_changes(*verb, test),
            ConditionExpr::Connects(test) if wanted => self.connection_changes(test),
            ConditionExpr::Touches { .. }
            | ConditionExpr::TouchesFilled { .. }
            | ConditionExpr::Connects(_)
            // No other call changes the past.
            | ConditionExpr::Happened(_)
            | ConditionExpr::Constant(_)
            | ConditionExpr::And(_)
            | ConditionExpr::Or(_)
            | ConditionExpr::Not(_)
            | ConditionExpr::Certain(_)
            | ConditionExpr::Def(_) => Vec::new(),
        }
    }

    /// Returns changed calls whose value satisfies a comparison, or fails it if `wanted` is false.
    fn comparison_changes(&self, source: &ValueReference, test: &ValueTest, wanted: bool) -> Vec<Candidate> {
        if !wanted {
            let (absent, other): (Vec<_>, Vec<_>) = values::failing_values(test).into_iter().partition(Option::is_none);
            let mut out = if absent.is_empty() { Vec::new() } else { self.without_value(source) };
            out.extend(self.with_each_value(source, &other.into_iter().flatten().collect::<Vec<_>>()));
            return out;
        }
        let current = self.member_path(source).and_then(|path| {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            self.from.text_member(&path).map(str::to_owned)
        });
        let (home, project) = (self.call.base.home(), self.call.base.project());
        let mut satisfying = values::satisfying_values(test, current.as_deref(), home.as_deref(), project.as_deref());
        if matches!(test, ValueTest::LikePath(_)) {
            // Hosts send absolute paths in tool inputs, so relative ones are joined to the `cwd`.
            let cwd = Path::new(self.from.text_member(&["cwd"]).unwrap_or("/"));
            let make_absolute = |value: &mut Json| {
                if let Some(text) = value.as_str().filter(|text| !text.starts_with('~')) {
                    *value = Json::from(shown(&cwd.join(text)).to_string());
                }
            };
            satisfying.iter_mut().for_each(make_absolute);
        }
        self.with_each_value(source, &satisfying)
    }

    /// Returns calls whose command satisfies a test of commands, or the command `true` if the test should fail.
    /// Returns nothing for a tool without a command.
    fn command_changes(&self, test: &CommandTest, wanted: bool) -> Vec<Candidate> {
        let Some(member) = self.context.call().command_member() else { return Vec::new() };
        let path = ["tool_input", member];
        let current = self.from.text_member(&path);
        let commands = match test {
            _ if !wanted => current.into_iter().flat_map(narrower_searches).chain(["true".to_owned()]).collect(),
            CommandTest::Runs { patterns, filter } => {
                values::commands(patterns, filter.as_ref().map(|filter| &filter.kind), current)
            }
            CommandTest::OnlyRuns { patterns } => values::commands(patterns, None, None),
            CommandTest::Pipes { from, into } => values::piped_command(from, into).into_iter().collect(),
        };
        commands.into_iter().map(|command| self.from.with_member(&path, Some(command.into()))).collect()
    }

    /// Returns calls that access a file as the test demands: a command for the access, alone or after the present
    /// command, or for a tool without a command another path.
    fn touch_changes(&self, verb: FileVerb, test: &TouchTest) -> Vec<Candidate> {
        let (home, project) = (self.call.base.home(), self.call.base.project());
        let files = match test {
            TouchTest::Like(globs) => {
                globs.patterns().filter(|glob| !glob.starts_with('!')).map(values::text_for_glob).collect()
            }
            TouchTest::Under(dirs) => {
                let test = ValueTest::Under(dirs.to_vec().into());
                let found = values::satisfying_values(&test, None, home.as_deref(), project.as_deref());
                found.iter().filter_map(Json::as_str).map(str::to_owned).collect::<Vec<_>>()
            }
            TouchTest::Outside(_) => vec!["/elsewhere/x".to_owned()],
        };
        let mut out = Vec::new();
        for file in files.into_iter().take(4) {
            if let Some(member) = self.context.call().command_member() {
                let path = ["tool_input", member];
                let command = values::command_for_access(verb, &file);
                let current = self.from.text_member(&path).filter(|current| !current.trim().is_empty());
                out.push(self.from.with_member(&path, Some(command.clone().into())));
                out.extend(
                    current.map(|current| self.from.with_member(&path, Some(format!("{current} && {command}").into()))),
                );
            } else {
                // Hosts send absolute paths in tool inputs.
                let cwd = self.from.text_member(&["cwd"]).unwrap_or("/");
                let file = shown(&Path::new(cwd).join(&file)).to_string();
                out.extend(self.with_each_value(&ValueReference::Derived(DerivedField::Path), &[Json::from(file)]));
            }
        }
        out
    }

    /// Returns calls that connect to a host as the test demands: `curl` alone or after the present command, or
    /// another URL.
    fn connection_changes(&self, test: &HostTest) -> Vec<Candidate> {
        let urls: Vec<String> = values::hosts(test).iter().take(4).map(|host| format!("http://{host}/")).collect();
        let Some(member) = self.context.call().command_member() else {
            let urls: Vec<Json> = urls.into_iter().map(Json::from).collect();
            return self.with_each_value(&ValueReference::Derived(DerivedField::Url), &urls);
        };
        let path = ["tool_input", member];
        let current = self.from.text_member(&path).filter(|current| !current.trim().is_empty());
        let mut out = Vec::new();
        for url in urls {
            out.push(self.from.with_member(&path, Some(format!("curl {url}").into())));
            out.extend(
                current.map(|current| self.from.with_member(&path, Some(format!("{current} && curl {url}").into()))),
            );
        }
        out
    }

    /// Returns one changed call for each wanted value: the source of a test has that value in the call.
    fn with_each_value(&self, source: &ValueReference, wanted: &[Json]) -> Vec<Candidate> {
        let from = self.from;
        let each = |set: &dyn Fn(&Json) -> Option<Candidate>| wanted.iter().filter_map(set).collect();
        match source {
            ValueReference::Derived(DerivedField::ToolName) => each(&|value| Some(self.with_tool(value.as_str()?))),
            ValueReference::Derived(DerivedField::Agent | DerivedField::AgentType) => {
                each(&|value| Some(self.with_agent(value.as_str()?)))
            }
            ValueReference::Derived(DerivedField::Domain) => each(&|value| {
                let path = self.member_path(&ValueReference::Derived(DerivedField::Url))?;
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                Some(from.with_member(&path, Some(format!("https://{}/", value.as_str()?).into())))
            }),
            ValueReference::Measured(Measure::Length(of)) => {
                self.with_each_value(of, &wanted.iter().filter_map(values::text_of_length).collect::<Vec<_>>())
            }
            ValueReference::Measured(Measure::Count(of)) => {
                self.with_each_value(of, &wanted.iter().filter_map(values::list_of_length).collect::<Vec<_>>())
            }
            ValueReference::Measured(Measure::Files(verb)) => each(&|value| {
                let path = ["tool_input", self.context.call().command_member()?];
                Some(from.with_member(&path, Some(values::command_for_files(*verb, value)?.into())))
            }),
            ValueReference::Fact(fact) => {
                each(&|value| Some(from.with_fact(&fact_name(fact)?, fact_value(fact, value))))
            }
            source => each(&|value| {
                let path = self.member_path(source)?;
                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                Some(from.with_member(&path, Some(value.clone())))
            }),
        }
    }

    /// Returns the call without the value of a source; an empty list if the value cannot be absent, such as a command
    /// or a fact.
    fn without_value(&self, source: &ValueReference) -> Vec<Candidate> {
        match source {
            ValueReference::Derived(DerivedField::Agent | DerivedField::AgentType) => vec![self.with_agent("main")],
            ValueReference::Derived(DerivedField::ToolName | DerivedField::Command) | ValueReference::Fact(_) => {
                Vec::new()
            }
            source => {
                let path = self.member_path(source);
                let path = path.iter().map(|path| path.iter().map(String::as_str).collect::<Vec<_>>());
                path.map(|path| self.from.with_member(&path, None)).collect()
            }
        }
    }

    /// Returns the path in the payload of the member that a source reads; `None` if it reads no single member.
    fn member_path(&self, source: &ValueReference) -> Option<Vec<String>> {
        let of_input = |name: &str| vec!["tool_input".to_owned(), name.to_owned()];
        let spec = self.from.payload.tool_name().and_then(tool_spec);
        let has_tool = self.from.payload.event.spec().subject == Subject::Tool;
        // The path of the first of `names` that is a member of the tool's input, or of the very first for an unknown
        // tool.
        let named = |names: &[&str]| {
            let known =
                spec.and_then(|spec| spec.input.iter().map(|field| field.name).find(|name| names.contains(name)));
            known.or(names.first().copied()).map(of_input)
        };
        match source {
            ValueReference::Raw { path, .. } => Some(path.clone()),
            ValueReference::Derived(DerivedField::Command) => self.context.call().command_member().map(of_input),
            ValueReference::Derived(DerivedField::Path) if has_tool => match spec {
                Some(spec) => spec.files.iter().find(|file| !file.glob).map(|file| of_input(file.member)),
                None => Some(of_input("path")),
            },
            ValueReference::Derived(DerivedField::Path) => Some(vec!["file_path".to_owned()]),
            ValueReference::Derived(DerivedField::Content) if has_tool => named(WRITTEN_TEXTS),
            ValueReference::Derived(DerivedField::Url) if has_tool => spec.and_then(|spec| spec.url).map(of_input),
            ValueReference::Derived(derived) => derived.shadowed_field().map(|name| vec![name.to_owned()]),
            ValueReference::JsonPath(_)
            | ValueReference::Capture(_)
            | ValueReference::Fact(_)
            | ValueReference::Where(_)
            | ValueReference::Constant(_)
            | ValueReference::Measured(_) => None,
        }
    }
}

/// Returns commands that search less than a `grep -r` or `rg` of a whole directory: without the files that most
/// policies guard, or only a directory with sources.
fn narrower_searches(command: &str) -> Vec<String> {
    let is_single = !command.contains(['|', ';', '&', '\n', '$', '`', '>']);
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default();
    let is_recursive = words.clone().any(|word| {
        word == "--recursive" || word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R'])
    });
    let last = words.next_back().unwrap_or_default();
    let start = command.trim_end().strip_suffix(last).filter(|_| matches!(last, "." | "./" | "*"));
    let in_sources = start.map(|start| format!("{start}src"));
    match program {
        "grep" | "egrep" | "fgrep" if is_single && is_recursive => {
            let without = format!("{command} --exclude='.env*' --exclude-dir=.git");
            std::iter::once(without).chain(in_sources).collect()
        }
        "rg" if is_single => in_sources.into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Collects the result of each part by its position in the source; the first result of a position is kept.
fn collect_truths(node: &ConditionTrace, truths: &mut BTreeMap<Span, Truth>) {
    truths.entry(node.span).or_insert_with(|| node.truth.clone());
    node.parts.iter().for_each(|part| collect_truths(part, truths));
}

/// Collects the tests that must change for the condition to have the result `wanted`, each with the result that it
/// should have.
fn tests_to_change<'c>(
    condition: &'c Condition,
    wanted: bool,
    truths: &BTreeMap<Span, Truth>,
    out: &mut Vec<(&'c Condition, bool)>,
) {
    let lacks_result = |part: &&Condition| truths.get(&part.span) != Some(&Truth::from(wanted));
    match (&condition.kind, wanted) {
        // Every part must have the result, so one step changes the first part that does not.
        (ConditionExpr::And(parts), true) | (ConditionExpr::Or(parts), false) => {
            parts.iter().find(lacks_result).into_iter().for_each(|part| tests_to_change(part, wanted, truths, out));
        }
        (ConditionExpr::And(parts), false) | (ConditionExpr::Or(parts), true) => {
            parts.iter().for_each(|part| tests_to_change(part, wanted, truths, out));
        }
        (ConditionExpr::Not(inner), wanted) => tests_to_change(inner, !wanted, truths, out),
        (ConditionExpr::Certain(inner), wanted) => tests_to_change(inner, wanted, truths, out),
        (ConditionExpr::Def(inner), wanted) => tests_to_change(inner, wanted, truths, out),
        _ => out.push((condition, wanted)),
    }
}

/// Returns up to four names that a list of selectors selects, made from its globs.
fn selected_names(list: &SelectorList) -> Vec<String> {
    list.includes
        .iter()
        .map(|glob| values::text_for_glob(glob))
        .filter(|name| !list.is_excluded(name))
        .take(4)
        .collect()
}

/// Returns the name by which `with { … }` gives a fact: `git.branch`, `file_exists "x"`. `None` for a fact that
/// cannot be given.
fn fact_name(fact: &FactName) -> Option<String> {
    Some(match fact {
        FactName::Env(name) => format!("env.{name}"),
        FactName::GitBranch => "git.branch".to_owned(),
        FactName::GitRemote => "git.remote".to_owned(),
        FactName::GitWorktree => "git.worktree".to_owned(),
        FactName::Os => "os".to_owned(),
        FactName::Time(_) => "time".to_owned(),
        FactName::Weekday(_) => "weekday".to_owned(),
        FactName::File(kind, value) | FactName::OwnFile(kind, _, value) => {
            let PolicyValue::Literal(Literal::Text(path)) = value.as_ref() else { return None };
            let word = if *kind == FileFact::Exists { "file_exists" } else { "file_size" };
            format!("{word} \"{path}\"")
        }
        FactName::GitRoot | FactName::HostPids | FactName::Withheld(_) => return None,
    })
}

/// Returns the value for a fact; the existence of a file is a boolean in any case.
fn fact_value(fact: &FactName, value: &Json) -> Json {
    match fact {
        FactName::File(FileFact::Exists, _) | FactName::OwnFile(FileFact::Exists, ..) => {
            Json::from(value.as_bool().unwrap_or(true))
        }
        _ => value.clone(),
    }
}
