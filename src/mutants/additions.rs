//! Finds an example or a test that would notice a mutant: a call that the rule and its mutant judge differently.
//!
//! Candidates are derived from the examples of the rule, and from the conditions of the rule and of its mutant. Each
//! candidate is judged before it is proposed.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::past;
use crate::examples::{ExampleSetting, PreparedExample, case_passes, example_input};
use crate::policy::TestedRules;
use crate::proposals as values;
use crate::ruleset::{
    CommandTest, Condition, ConditionExpr, DerivedField, FactName, Literal, Measure, PastTest, PolicyValue as Compared,
    Rule, SelectorList, Template, TemplatePart, TouchTest, ValueReference, ValueTest,
};
use crate::schema::{Event, Subject};
use crate::span::Span;
use crate::syntax::ast::{
    AstValue, Example, ExampleHead, ExampleKind, Expectation, FieldName, FileFact, FileVerb, MapEntry, MapKey,
    MapLiteral, Name, QuoteStyle, RuleReference, SessionStep, StringLiteral, TestCase, ValueKind,
};
use crate::syntax::{escape_double_quoted, print_case, print_example};

/// The maximum number of candidate calls that are judged for one mutant: a count rather than a time, so that the
/// result is the same on every machine.
const MAX_TRIED_CALLS: usize = 600;

/// The maximum number of the rule's examples that candidates are derived from.
const MAX_BASES: usize = 4;

/// An example or a test to add to a policy.
pub(super) struct PolicyAddition {
    /// The rule that the example belongs to; `None` for a test.
    pub(super) rule: Option<ExampleOwner>,
    /// The source text to add.
    pub(super) text: String,
}

/// The rule that an example is added to.
pub(super) struct ExampleOwner {
    pub(super) name: String,
    /// The span of the whole rule.
    pub(super) span: Span,
    /// Whether the rule has examples already.
    pub(super) has_examples: bool,
}

/// A change of one part of an example's call.
#[derive(Clone)]
enum CallChange {
    /// The tool is replaced, on the event PreToolUse.
    Tool(String),
    /// The event is replaced, and its subject is set if there is one: `SessionStart(resume)`.
    Event(Event, Option<String>),
    /// The text after the tool is replaced: the command, path or URL of the call.
    Text(String),
    /// The agent after `by` is replaced.
    Agent(String),
    /// A fact after `with` is set.
    Fact(MapKey, Json),
    /// A field of the payload is set.
    Field(Vec<String>, Json),
    /// What came before in the session is replaced.
    After(Vec<SessionStep>),
    /// Several changes that only make sense together: a file whose name has the value of a field, and that field.
    All(Vec<CallChange>),
}

/// Returns an example to add to a rule, one that passes with the rule but fails with the mutant `changed`, or without
/// the rule if there is no mutant; each is judged with the marks of its own policy. Of several such candidates, prefers those with a text after the tool (a command,
/// path or URL), and then the shortest. `None` if no candidate distinguishes the two.
pub(super) fn distinguishing_example(
    (rule, setting): (&Rule, &ExampleSetting),
    (changed, changed_setting): (Option<&Rule>, &ExampleSetting),
) -> Option<PolicyAddition> {
    let written = rule.examples.iter().flat_map(|(_, examples)| examples.iter());
    let (blank, firing) = (blank_example(rule.name_span), firing_example(rule, setting));
    let bases: Vec<&Example> = written.take(MAX_BASES).chain(&firing).chain([&blank]).collect();
    let mut changes = Vec::new();
    for version in [Some(rule), changed].into_iter().flatten() {
        let texts = bases.iter().filter_map(|base| base.text.as_ref().map(|text| text.value.as_str()));
        let sessions = bases.iter().filter_map(|base| base.after.as_deref());
        let mut tested = TestedValues { texts: texts.collect(), sessions: sessions.collect(), changes: &mut changes };
        tested.add_head(version);
        [&version.when, &version.unless].into_iter().flatten().for_each(|condition| tested.add_condition(condition));
    }
    let with_one_change = bases.iter().flat_map(|base| changes.iter().map(|change| changed_example(base, change)));
    // Some calls must differ in two parts: in the tool, event or text, and in another part.
    let sets_the_call =
        |change: &&CallChange| matches!(change, CallChange::Text(_) | CallChange::Tool(_) | CallChange::Event(..));
    let can_be_second = |change: &&CallChange| !matches!(change, CallChange::Text(_));
    let with_two_changes = changes.iter().filter(sets_the_call).flat_map(|first| {
        let blank = &blank;
        changes.iter().filter(can_be_second).map(move |second| changed_example(&changed_example(blank, first), second))
    });
    let found = with_one_change.chain(with_two_changes).take(MAX_TRIED_CALLS).filter_map(|call| {
        let kind = [ExampleKind::Fires, ExampleKind::Quiet]
            .into_iter()
            .find(|kind| is_distinguishing(*kind, &call, (rule, setting), (changed, changed_setting)))?;
        let word = if kind == ExampleKind::Fires { "fires" } else { "quiet" };
        let is_bare = call.text.is_none();
        // An example must state something besides what came before.
        let stated = print_example(&Example { after: None, ..call.clone() });
        let call = if stated.is_empty() { with_head(call, rule, setting)? } else { call };
        Some((is_bare, format!("{word} on {}", print_example(&call))))
    });
    // Prefers an example with a text, and then the shortest.
    let (_, text) = found.min_by_key(|(is_bare, text)| (*is_bare, text.len()))?;
    let has_examples = rule.examples.iter().any(|(_, examples)| !examples.is_empty());
    let owner = ExampleOwner { name: rule.name.clone(), span: rule.span, has_examples };
    Some(PolicyAddition { rule: Some(owner), text })
}

/// Returns an example that states nothing: the head of its rule determines the event and the tool.
pub(super) fn blank_example(span: Span) -> Example {
    Example { head: None, text: None, by: None, host: None, with: None, fields: None, after: None, span }
}

/// Returns an example on which a rule fires: its first `fires` example, else one derived from its head and its `when`.
/// `None` if no candidate fires.
fn firing_example(rule: &Rule, setting: &ExampleSetting) -> Option<Example> {
    let fires = rule.examples.iter().filter(|(kind, _)| *kind == ExampleKind::Fires);
    if let Some(written) = fires.flat_map(|(_, examples)| examples.iter()).next() {
        return Some(written.clone());
    }
    let blank = blank_example(rule.name_span);
    let mut changes = Vec::new();
    let mut tested = TestedValues { changes: &mut changes, texts: Vec::new(), sessions: Vec::new() };
    tested.add_head(rule);
    rule.when.iter().for_each(|condition| tested.add_condition(condition));
    let (calls_to_set, further_changes): (Vec<&CallChange>, Vec<&CallChange>) = changes
        .iter()
        .partition(|change| matches!(change, CallChange::Text(_) | CallChange::Tool(_) | CallChange::Event(..)));
    // Takes only the first value of each part: the full product of the values would be too large.
    let mut changed_parts = BTreeSet::new();
    let first_changes: Vec<&CallChange> =
        further_changes.into_iter().filter(|change| changed_parts.insert(change.changed_part())).collect();
    let starts = calls_to_set.into_iter().map(|change| changed_example(&blank, change)).chain([blank.clone()]);
    let calls = starts.flat_map(|call| {
        let whole = first_changes.iter().fold(call.clone(), |call, change| changed_example(&call, change));
        let single: Vec<Example> = first_changes.iter().map(|change| changed_example(&call, change)).collect();
        [call].into_iter().chain(single).chain([whole])
    });
    // Tries each start without changes, with each single one, and with all of them.
    let fires = |call: &Example| {
        PreparedExample::new(ExampleKind::Fires, call, &rule.head, setting)
            .is_some_and(|prepared| prepared.passes_with(rule))
    };
    calls.take(MAX_TRIED_CALLS).find(fires)
}

/// Whether an example passes with a rule, and fails with its mutant; `None` as the mutant is the removal of the rule.
fn is_distinguishing(
    kind: ExampleKind,
    call: &Example,
    (rule, setting): (&Rule, &ExampleSetting),
    (changed, changed_setting): (Option<&Rule>, &ExampleSetting),
) -> bool {
    let prepared = |setting| PreparedExample::new(kind, call, &rule.head, setting);
    let fails = || {
        prepared(changed_setting)
            .is_some_and(|stated| !changed.map_or(stated.passes_without_rule(), |changed| stated.passes_with(changed)))
    };
    prepared(setting).is_some_and(|stated| stated.passes_with(rule)) && fails()
}

/// Returns an example that names its event and tool, which come from the head of its rule if it does not. `None` if it
/// is no call.
fn with_head(mut call: Example, rule: &Rule, setting: &ExampleSetting) -> Option<Example> {
    let payload = example_input(&call, Some(&rule.head), setting).ok()?.payload;
    if call.head.is_none() {
        let subject = payload.nonempty_text("tool_name").filter(|_| payload.event.spec().subject == Subject::Tool);
        let (head, subject) = match (payload.event, subject) {
            (Event::PreToolUse, Some(tool)) => (tool.to_owned(), None),
            (event, subject) => (event.name().to_owned(), subject.map(str::to_owned)),
        };
        call.head = Some(ExampleHead {
            name: spanned_name(&head, call.span),
            subject: subject.map(|it| spanned_name(&it, call.span)),
        });
    }
    Some(call)
}

/// Returns a test of a rule's decision that passes under the rules of the policy, and fails under those of its mutant;
/// both are given with the setting of their examples. `None` if there is no call on which the rule fires, or no decision
/// that distinguishes the two.
pub(super) fn distinguishing_test(
    rule: &Rule,
    [(original, setting), (mutated, mutated_setting)]: [(&TestedRules, &ExampleSetting); 2],
) -> Option<PolicyAddition> {
    // A test is not part of a rule, so it cannot take the event and the tool from the rule's head.
    let mut call = with_head(firing_example(rule, setting)?, rule, setting)?;
    let span = call.span;
    // In a test, what came before is on lines of its own. A session does not begin with `wait`.
    let steps = call.after.take().unwrap_or_default().into_iter();
    let earlier: Vec<SessionStep> = steps.skip_while(|step| matches!(step, SessionStep::Wait(_))).collect();
    for decision in ["halt", "deny", "ask", "allow"] {
        let expect = Expectation {
            decision: spanned_name(decision, span),
            by: vec![RuleReference::Name(spanned_name(&rule.name, span))],
            sends: Vec::new(),
            message: Vec::new(),
            context: Vec::new(),
            rewrites: Vec::new(),
            run: Vec::new(),
        };
        let case = TestCase {
            is_continued: false,
            earlier: earlier.clone(),
            session: std::sync::Arc::default(),
            given: call.clone(),
            expect,
        };
        if case_passes(&case, original, setting) && !case_passes(&case, mutated, mutated_setting) {
            let title = escape_double_quoted(&rule.name.replace('-', " "));
            let lines: String = print_case(&case).lines().map(|line| format!("  {line}\n")).collect();
            let text = format!("test \"{title}\" {{\n{lines}}}");
            return Some(PolicyAddition { rule: None, text });
        }
    }
    None
}

impl CallChange {
    /// Returns a key for the part of a call that is changed: of two changes with the same key, only one can apply.
    fn changed_part(&self) -> String {
        match self {
            Self::Tool(_) | Self::Event(..) => "head".to_owned(),
            Self::Text(_) => "text".to_owned(),
            Self::Agent(_) => "by".to_owned(),
            Self::Fact(MapKey::Name(name), _) => format!("with {}", name.text()),
            Self::Fact(MapKey::Tree(fact, text, _), _) => format!("with {} {}", fact.text(), text.value),
            Self::Fact(MapKey::Text(text) | MapKey::File(_, text, _), _) => format!("with file {}", text.value),
            Self::Field(path, _) => path.join("."),
            Self::After(_) => "after".to_owned(),
            Self::All(changes) => changes.last().map_or_else(String::new, Self::changed_part),
        }
    }
}

/// Collects the changes of an example on which the results of a rule's tests may depend.
struct TestedValues<'a> {
    /// The texts of the existing examples, of which variants are made.
    texts: Vec<&'a str>,
    /// The sessions before the calls of the existing examples.
    sessions: Vec<&'a [SessionStep]>,
    /// The changes that were collected so far.
    changes: &'a mut Vec<CallChange>,
}

impl TestedValues<'_> {
    /// Adds the tools, events, subjects and agents that the head of a rule names.
    fn add_head(&mut self, rule: &Rule) {
        for selector in &rule.head.events {
            let subjects = selector.subjects.as_ref().map(listed_names).unwrap_or_default();
            match (selector.event, selector.event.spec().subject) {
                (Event::PreToolUse, Subject::Tool) => self.changes.extend(subjects.into_iter().map(CallChange::Tool)),
                (event, _) if subjects.is_empty() => self.changes.push(CallChange::Event(event, None)),
                (event, _) => self.changes.extend(subjects.into_iter().map(|it| CallChange::Event(event, Some(it)))),
            }
        }
        if let Some(agents) = &rule.head.agents {
            self.changes.extend(listed_names(&agents.0).into_iter().map(CallChange::Agent));
            self.changes.extend(["main", "worker"].map(|agent| CallChange::Agent(agent.to_owned())));
        }
    }

    /// Adds values for which the tests of a condition are true, and values for which they are false.
    fn add_condition(&mut self, condition: &Condition) {
        match &condition.kind {
            ConditionExpr::And(parts) | ConditionExpr::Or(parts) => {
                parts.iter().for_each(|part| self.add_condition(part))
            }
            ConditionExpr::Not(inner) | ConditionExpr::Certain(inner) => self.add_condition(inner),
            ConditionExpr::Def(inner) => self.add_condition(inner),
            ConditionExpr::Constant(_) => {}
            ConditionExpr::Compare { source, test, .. } => {
                let home = Some(std::path::Path::new("/home/user"));
                let project = Some(std::path::Path::new("/project"));
                let wanted = values::satisfying_values(test, None, home, project).into_iter();
                for value in
                    wanted.chain(boundary_values(test)).chain(values::failing_values(test).into_iter().flatten())
                {
                    self.add_value(source, value);
                }
            }
            ConditionExpr::Exists(source) => self.add_value(source, Json::from("x")),
            ConditionExpr::Truth(source) => {
                self.add_value(source, Json::from(true));
                self.add_value(source, Json::from(false));
            }
            ConditionExpr::Command(test) => self.add_command(test),
            ConditionExpr::Touches { verb, test } => self.add_files(*verb, test),
            // Which files satisfy it depends on the event.
            ConditionExpr::TouchesFilled { .. } => {}
            ConditionExpr::Happened(test) => self.add_sessions(test),
            ConditionExpr::Connects(test) => {
                let urls: Vec<String> = values::hosts(test).iter().map(|host| format!("http://{host}/")).collect();
                let commands: Vec<String> = urls.iter().map(|url| format!("curl {url}")).collect();
                self.add_texts(["ls".to_owned()].into_iter().chain(commands).chain(urls));
            }
        }
    }

    /// Adds commands that a command test accepts, and commands that it nearly accepts.
    fn add_command(&mut self, test: &CommandTest) {
        match test {
            CommandTest::Runs { patterns, filter } => {
                let (plain, excluded) = values::every_command(patterns);
                // `ls` is a command that hardly any pattern matches.
                self.add_texts(["ls".to_owned()].into_iter());
                self.add_texts(plain.into_iter().chain(excluded));
                let condition = filter.as_ref().map(|filter| &filter.kind);
                self.add_texts(values::commands(patterns, condition, None).into_iter());
                let at_limits = filter.as_ref().map(|filter| values::commands_at_limits(patterns, filter));
                self.add_texts(at_limits.unwrap_or_default().into_iter());
                // Adds a word after the command, which the `where` of a test may reject.
                let words = values::every_command(patterns).0.into_iter().take(4);
                self.add_texts(words.map(|command| format!("{command} x")));
                for text in self.texts.clone() {
                    self.add_texts(values::commands(patterns, condition, Some(text)).into_iter());
                }
            }
            CommandTest::OnlyRuns { patterns } => {
                let (plain, _) = values::every_command(patterns);
                let beside = plain.first().map(|command| format!("{command} && make install"));
                self.add_texts(plain.into_iter().chain(beside));
            }
            CommandTest::Pipes { from, into } => {
                let (from, into) = (values::every_command(from).0, values::every_command(into).0);
                let (Some(source), Some(sink)) = (from.first().cloned(), into.first().cloned()) else { return };
                let sources = from.into_iter().map(|from| format!("{from} | {sink}"));
                self.add_texts(sources.chain(into.into_iter().map(|into| format!("{source} | {into}"))));
            }
        }
    }

    /// Adds commands that access files inside and outside the directories or globs that a file test names, and the
    /// files themselves.
    fn add_files(&mut self, verb: FileVerb, test: &TouchTest) {
        let files: Vec<String> = match test {
            TouchTest::Like(globs) => {
                globs.patterns().map(|glob| values::text_for_glob(glob.trim_start_matches('!'))).collect()
            }
            TouchTest::Under(_) | TouchTest::Outside(_) => ["/elsewhere/x", "x", "/tmp/x"].map(str::to_owned).to_vec(),
        };
        let plain: Vec<String> = files.iter().map(|file| values::command_for_access(verb, file)).collect();
        self.add_texts(plain.into_iter().chain(files));
    }

    /// Adds sessions on which a question about the past may depend.
    fn add_sessions(&mut self, test: &PastTest) {
        self.changes.extend(past::sessions(test, &self.sessions).into_iter().map(CallChange::After));
    }

    fn add_texts(&mut self, texts: impl Iterator<Item = String>) {
        self.changes.extend(texts.map(CallChange::Text));
    }

    /// Adds the change that sets the field or fact that a test reads, if an example can set it.
    fn add_value(&mut self, source: &ValueReference, value: Json) {
        let text = || value.as_str().map(str::to_owned);
        let change = match source {
            ValueReference::Derived(DerivedField::ToolName) => text().map(CallChange::Tool),
            ValueReference::Derived(DerivedField::Agent | DerivedField::AgentType) => text().map(CallChange::Agent),
            ValueReference::Derived(DerivedField::Command | DerivedField::Path | DerivedField::Url) => {
                text().map(CallChange::Text)
            }
            ValueReference::Derived(DerivedField::Domain) => {
                text().map(|domain| CallChange::Text(format!("https://{domain}/")))
            }
            ValueReference::Derived(DerivedField::Content) => {
                Some(CallChange::Field(vec!["tool_input".into(), "content".into()], value))
            }
            ValueReference::Raw { path, .. }
                if path.len() == 1 && path.first().is_some_and(|name| name == "prompt") =>
            {
                text().map(CallChange::Text)
            }
            ValueReference::Raw { path, .. } => Some(CallChange::Field(path.clone(), value)),
            ValueReference::Measured(Measure::Length(of)) => {
                values::text_of_length(&value).into_iter().for_each(|text| self.add_value(of, text));
                None
            }
            ValueReference::Measured(Measure::Count(of)) => {
                values::list_of_length(&value).into_iter().for_each(|list| self.add_value(of, list));
                None
            }
            ValueReference::Measured(Measure::Files(verb)) => {
                values::command_for_files(*verb, &value).map(CallChange::Text)
            }
            ValueReference::Measured(Measure::Past(test)) => {
                self.add_sessions(test);
                None
            }
            ValueReference::Fact(FactName::File(kind, of) | FactName::OwnFile(kind, _, of))
                if let Compared::FileName(name) = &**of =>
            {
                filled_file_change(*kind, name, value)
            }
            ValueReference::Fact(fact) => fact_key(fact).map(|(key, is_boolean)| {
                let value = if is_boolean { Json::from(value.as_bool().unwrap_or(true)) } else { value };
                CallChange::Fact(key, value)
            }),
            _ => None,
        };
        self.changes.extend(change);
    }
}

/// The value of a field that is part of a file's name.
const FILLED: &str = "x1";

/// Returns the change that states a fact about a file whose name is filled in, with the values in its name.
fn filled_file_change(kind: FileFact, name: &Template, value: Json) -> Option<CallChange> {
    let (mut path, mut changes) = (String::new(), Vec::new());
    for part in &name.parts {
        match part {
            TemplatePart::Text(text) => path.push_str(text),
            TemplatePart::Value(source) | TemplatePart::Component(source) => {
                let before = changes.len();
                let mut tested = TestedValues { texts: Vec::new(), sessions: Vec::new(), changes: &mut changes };
                tested.add_value(source, Json::from(FILLED));
                // A name with a value that an example cannot set is not known.
                if changes.len() == before {
                    return None;
                }
                path.push_str(FILLED);
            }
        }
    }
    changes.push(CallChange::Fact(MapKey::File(kind, quoted_text(&path), Span::default()), value));
    Some(CallChange::All(changes))
}

/// Returns values at the limits of a test: every value of a list, the numbers and times around the bounds of a
/// comparison, and a text for each glob.
fn boundary_values(test: &ValueTest) -> Vec<Json> {
    match test {
        ValueTest::In(values) => values.iter().filter_map(json_literal).collect(),
        ValueTest::Order(..) => values::limit_values(test),
        ValueTest::InTime(range) => {
            let ends = [range.from, range.to].into_iter();
            let times = ends.flat_map(|end| [end.one_minute_before(), end.on_a_clock()]);
            times.map(|time| Json::from(time.to_string())).collect()
        }
        ValueTest::LikeText(globs) => globs.patterns().map(glob_sample).collect(),
        ValueTest::LikePath(globs) => globs.patterns().map(glob_sample).collect(),
        _ => Vec::new(),
    }
}

/// Returns a text that a glob matches; for an exclusion, `!glob`, one that it excludes.
fn glob_sample(glob: &str) -> Json {
    Json::from(values::text_for_glob(glob.trim_start_matches('!')))
}

/// Returns a literal as JSON; `None` for a value that is read from the event.
fn json_literal(value: &Compared) -> Option<Json> {
    Some(match value {
        Compared::Literal(Literal::Text(text)) => Json::from(text.as_str()),
        Compared::Literal(Literal::Number(number)) => values::json_number(*number)?,
        Compared::Literal(Literal::Boolean(truth)) => Json::from(*truth),
        Compared::Source(_) | Compared::FileName(_) => return None,
    })
}

/// Returns the key of a fact in `with { … }`, and whether the fact is a boolean; `None` if an example cannot set the
/// fact.
fn fact_key(fact: &FactName) -> Option<(MapKey, bool)> {
    let dotted = |text: &str| Some((MapKey::Name(spanned_field(text.split('.').map(str::to_owned))), false));
    match fact {
        FactName::Env(name) => dotted(&format!("env.{name}")),
        FactName::GitBranch => dotted("git.branch"),
        FactName::GitRemote => dotted("git.remote"),
        FactName::GitWorktree => dotted("git.worktree"),
        FactName::Os => dotted("os"),
        FactName::Time(_) => dotted("time"),
        FactName::Weekday(_) => dotted("weekday"),
        FactName::File(kind, value) | FactName::OwnFile(kind, _, value) => match value.as_ref() {
            Compared::Literal(Literal::Text(path)) => {
                Some((MapKey::File(*kind, quoted_text(path), Span::default()), *kind == FileFact::Exists))
            }
            _ => None,
        },
        FactName::GitRoot | FactName::HostPids | FactName::Withheld(_) => None,
    }
}

/// Returns a name that each glob of a selector list matches, whether the list includes or excludes it.
fn listed_names(list: &SelectorList) -> Vec<String> {
    list.includes.iter().chain(&list.excludes).map(|glob| values::text_for_glob(glob)).collect()
}

/// Returns an example with one change applied.
///
/// The recursion is two levels deep: a change of several parts contains only changes of one part.
fn changed_example(base: &Example, change: &CallChange) -> Example {
    let mut out = base.clone();
    let span = base.span;
    match change {
        CallChange::Tool(tool) => out.head = Some(ExampleHead { name: spanned_name(tool, span), subject: None }),
        CallChange::Event(event, subject) => {
            let subject = subject.as_ref().map(|subject| spanned_name(subject, span));
            out.head = Some(ExampleHead { name: spanned_name(event.name(), span), subject });
        }
        CallChange::Text(text) => out.text = Some(quoted_text(text)),
        CallChange::Agent(agent) => out.by = Some(spanned_name(agent, span)),
        CallChange::Fact(key, value) => set_entry(&mut out.with, key.clone(), value),
        CallChange::Field(path, value) => {
            set_entry(&mut out.fields, MapKey::Name(spanned_field(path.iter().cloned())), value)
        }
        CallChange::After(steps) => out.after = (!steps.is_empty()).then(|| steps.clone()),
        CallChange::All(changes) => return changes.iter().fold(out, |call, change| changed_example(&call, change)),
    }
    out
}

/// Sets an entry of a map literal, replacing one with the same key.
fn set_entry(map: &mut Option<MapLiteral>, key: MapKey, value: &Json) {
    let span = Span::default();
    let kind = match value {
        Json::Bool(truth) => ValueKind::Boolean(*truth),
        Json::Number(number) => ValueKind::Number(number.as_f64().unwrap_or_default(), number.to_string()),
        Json::String(text) => ValueKind::Text(quoted_text(text)),
        _ => ValueKind::Null,
    };
    let entry = MapEntry { key, value: Some(AstValue { kind, span }), span };
    let entries = map.take().map(|map| map.entries).unwrap_or_default();
    let mut entries: Vec<MapEntry> = entries.into_iter().filter(|one| !is_same_key(&one.key, &entry.key)).collect();
    entries.push(entry);
    *map = Some(MapLiteral { entries, span });
}

/// Whether two keys name the same fact or field.
fn is_same_key(one: &MapKey, other: &MapKey) -> bool {
    match (one, other) {
        (MapKey::Name(one), MapKey::Name(other)) => one.text() == other.text(),
        (MapKey::Text(one), MapKey::Text(other)) => one.value == other.value,
        (MapKey::File(one, path, _), MapKey::File(other, other_path, _)) => {
            one == other && path.value == other_path.value
        }
        (MapKey::Tree(one, path, _), MapKey::Tree(other, other_path, _)) => {
            one.text() == other.text() && path.value == other_path.value
        }
        _ => false,
    }
}

pub(super) fn spanned_name(text: &str, span: Span) -> Name {
    Name { text: text.to_owned(), span }
}

fn spanned_field(segments: impl Iterator<Item = String>) -> FieldName {
    let span = Span::default();
    FieldName { segments: segments.map(|text| Name { text, span }).collect(), span }
}

pub(super) fn quoted_text(text: &str) -> StringLiteral {
    StringLiteral { value: text.to_owned(), placeholders: Vec::new(), quote: QuoteStyle::Double, span: Span::default() }
}
