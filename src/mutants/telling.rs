//! Finds an example, or a test, that notices a change: a call for which a rule and its mutant have different results.
//!
//! Candidate calls are derived from the examples of the rule and from the tests of both rules; each is judged before it
//! is proposed.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::context::ShellTools;
use crate::examples::{Stated, case_holds, given};
use crate::proposals as values;
use crate::ruleset::{
    CommandTest, Condition, Derived, FactName, Kind, Literal, Rule, RuleSet, SelectorList, Source, Test, TouchTest,
    Value as Compared,
};
use crate::schema::{Event, Subject};
use crate::span::Span;
use crate::syntax::ast::{
    Case, Example, ExampleHead, ExampleKind, Expect, FieldName, FileFact, FileVerb, Key, Map, MapEntry, Name, Quote,
    Text, Value, ValueKind,
};
use crate::syntax::{escaped, print_example};

/// The maximum number of calls to judge. A count, so that the result is the same everywhere.
const TRIED: usize = 600;

/// The maximum number of examples to start from.
const BASES: usize = 4;

/// An addition to a policy.
pub(super) struct Proposal {
    /// The rule that it belongs to; `None` for a test.
    pub(super) rule: Option<String>,
    /// The text to add.
    pub(super) text: String,
}

/// A change of one part of a call.
#[derive(Clone)]
enum Change {
    Tool(String),
    Event(Event, Option<String>),
    Text(String),
    Agent(String),
    Fact(Key, Json),
    Field(Vec<String>, Json),
}

/// Returns an example that passes with a rule, but fails with its mutant, or without the rule.
pub(super) fn example(rule: &Rule, changed: Option<&Rule>, tools: &Arc<ShellTools>) -> Option<Proposal> {
    let own = rule.examples.iter().flat_map(|(_, examples)| examples.iter());
    let (blank, firing) = (blank(rule), firing(rule, tools));
    let bases: Vec<&Example> = own.take(BASES).chain(&firing).chain([&blank]).collect();
    let mut changes = Vec::new();
    for one in [Some(rule), changed].into_iter().flatten() {
        let texts = bases.iter().filter_map(|base| base.text.as_ref().map(|text| text.value.as_str()));
        let mut asked = Asked { texts: texts.collect(), out: &mut changes };
        asked.head(one);
        [&one.when, &one.unless].into_iter().flatten().for_each(|condition| asked.condition(condition));
    }
    let one = bases.iter().flat_map(|base| changes.iter().map(|change| with(base, change)));
    // For calls that must differ in two ways: in what identifies them, and in something else.
    let named = |change: &&Change| matches!(change, Change::Text(_) | Change::Tool(_) | Change::Event(..));
    let beside = |change: &&Change| !matches!(change, Change::Text(_));
    let two = changes.iter().filter(named).flat_map(|first| {
        let blank = &blank;
        changes.iter().filter(beside).map(move |second| with(&with(blank, first), second))
    });
    let found = one.chain(two).take(TRIED).filter_map(|call| {
        let kind = [ExampleKind::Fires, ExampleKind::Quiet]
            .into_iter()
            .find(|kind| tells(*kind, &call, rule, changed, tools))?;
        let word = if kind == ExampleKind::Fires { "fires" } else { "quiet" };
        Some((call.text.is_none(), format!("{word} on {}", print_example(&call))))
    });
    let (_, text) = found.min_by_key(|(is_bare, text)| (*is_bare, text.len()))?;
    Some(Proposal { rule: Some(rule.name.clone()), text })
}

fn blank(rule: &Rule) -> Example {
    Example { head: None, text: None, by: None, with: None, fields: None, span: rule.name_span }
}

/// Returns an example on which a rule fires: its first own one, else one derived from its head and its `when`.
fn firing(rule: &Rule, tools: &Arc<ShellTools>) -> Option<Example> {
    let fires = rule.examples.iter().filter(|(kind, _)| *kind == ExampleKind::Fires);
    if let Some(own) = fires.flat_map(|(_, examples)| examples.iter()).next() {
        return Some(own.clone());
    }
    let blank = blank(rule);
    let mut changes = Vec::new();
    let mut asked = Asked { texts: Vec::new(), out: &mut changes };
    asked.head(rule);
    rule.when.iter().for_each(|condition| asked.condition(condition));
    let (named, beside): (Vec<&Change>, Vec<&Change>) =
        changes.iter().partition(|change| matches!(change, Change::Text(_) | Change::Tool(_) | Change::Event(..)));
    // The first requested value for each part.
    let mut slots = BTreeSet::new();
    let all: Vec<&Change> = beside.into_iter().filter(|change| slots.insert(change.slot())).collect();
    let starts = named.into_iter().map(|change| with(&blank, change)).chain([blank.clone()]);
    let calls = starts.flat_map(|call| {
        let whole = all.iter().fold(call.clone(), |call, change| with(&call, change));
        let single: Vec<Example> = all.iter().map(|change| with(&call, change)).collect();
        [call].into_iter().chain(single).chain([whole])
    });
    let fires = |call: &Example| {
        Stated::new(ExampleKind::Fires, call, &rule.head, tools).is_some_and(|stated| stated.holds(rule))
    };
    calls.take(TRIED).find(fires)
}

fn tells(kind: ExampleKind, call: &Example, rule: &Rule, changed: Option<&Rule>, tools: &Arc<ShellTools>) -> bool {
    Stated::new(kind, call, &rule.head, tools).is_some_and(|stated| {
        stated.holds(rule) && !changed.map_or(stated.holds_without(), |changed| stated.holds(changed))
    })
}

/// Returns a test of a rule's decision that passes under some rules and fails under others.
pub(super) fn test(rule: &Rule, own: &RuleSet, others: &RuleSet, tools: &Arc<ShellTools>) -> Option<Proposal> {
    let mut call = firing(rule, tools)?;
    let payload = given(&call, Some(&rule.head)).ok()?.payload;
    if call.head.is_none() {
        // A test does not know the head of a rule.
        let subject = payload.text("tool_name").filter(|_| payload.event.spec().subject == Subject::Tool);
        let (named, subject) = match (payload.event, subject) {
            (Event::PreToolUse, Some(tool)) => (tool.to_owned(), None),
            (event, subject) => (event.name().to_owned(), subject.map(str::to_owned)),
        };
        call.head =
            Some(ExampleHead { name: name(&named, call.span), subject: subject.map(|it| name(&it, call.span)) });
    }
    let span = call.span;
    for decision in ["halt", "deny", "ask", "allow"] {
        let expect = Expect {
            decision: name(decision, span),
            by: vec![name(&rule.name, span)],
            message: Vec::new(),
            context: Vec::new(),
            rewrites: Vec::new(),
            run: Vec::new(),
        };
        let case = Case { given: call.clone(), expect };
        if case_holds(&case, own, tools) && !case_holds(&case, others, tools) {
            let given = print_example(&case.given);
            let what = rule.name.replace('-', " ");
            let what = escaped(&what);
            let text = format!("test \"{what}\" {{\n  given {given}\n  expect {decision} by {}\n}}", rule.name);
            return Some(Proposal { rule: None, text });
        }
    }
    None
}

impl Change {
    /// Returns the part of a call that is changed.
    fn slot(&self) -> String {
        match self {
            Self::Tool(_) | Self::Event(..) => "head".to_owned(),
            Self::Text(_) => "text".to_owned(),
            Self::Agent(_) => "by".to_owned(),
            Self::Fact(Key::Name(name), _) => format!("with {}", name.text()),
            Self::Fact(Key::Text(text) | Key::File(_, text, _), _) => format!("with file {}", text.value),
            Self::Field(path, _) => path.join("."),
        }
    }
}

/// Collects the values that tests ask for.
struct Asked<'a> {
    /// The texts of the existing examples.
    texts: Vec<&'a str>,
    out: &'a mut Vec<Change>,
}

impl Asked<'_> {
    fn head(&mut self, rule: &Rule) {
        for selector in &rule.head.events {
            let subjects = selector.subjects.as_ref().map(names).unwrap_or_default();
            match (selector.event, selector.event.spec().subject) {
                (Event::PreToolUse, Subject::Tool) => self.out.extend(subjects.into_iter().map(Change::Tool)),
                (event, _) if subjects.is_empty() => self.out.push(Change::Event(event, None)),
                (event, _) => self.out.extend(subjects.into_iter().map(|it| Change::Event(event, Some(it)))),
            }
        }
        if let Some(agents) = &rule.head.agents {
            self.out.extend(names(&agents.0).into_iter().map(Change::Agent));
            self.out.extend(["main", "worker"].map(|agent| Change::Agent(agent.to_owned())));
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match &condition.kind {
            Kind::And(parts) | Kind::Or(parts) => parts.iter().for_each(|part| self.condition(part)),
            Kind::Not(inner) => self.condition(inner),
            Kind::Def(inner) => self.condition(inner),
            Kind::Constant(_) => {}
            Kind::Compare { source, test, .. } => {
                let home = Some(std::path::Path::new("/home/user"));
                let project = Some(std::path::Path::new("/project"));
                let wanted = values::satisfying(test, None, home, project).into_iter();
                for value in wanted.chain(beyond(test)).chain(values::failing(test).into_iter().flatten()) {
                    self.value(source, value);
                }
            }
            Kind::Exists(source) => self.value(source, Json::from("x")),
            Kind::Truth(source) => {
                self.value(source, Json::from(true));
                self.value(source, Json::from(false));
            }
            Kind::Command(test) => self.command(test),
            Kind::Touches { verb, test } => self.files(*verb, test),
            Kind::Connects(test) => {
                let urls: Vec<String> = values::hosts(test).iter().map(|host| format!("http://{host}/")).collect();
                let commands: Vec<String> = urls.iter().map(|url| format!("curl {url}")).collect();
                self.texts(["ls".to_owned()].into_iter().chain(commands).chain(urls));
            }
        }
    }

    fn command(&mut self, test: &CommandTest) {
        match test {
            CommandTest::Runs { patterns, filter } => {
                let (plain, excluded) = values::every_command(patterns);
                // A command that nearly every pattern lets through.
                self.texts(["ls".to_owned()].into_iter());
                let filter = filter.as_ref().map(|filter| &filter.kind);
                self.texts(plain.into_iter().chain(excluded));
                self.texts(values::commands(patterns, filter, None).into_iter());
                // The words that a filter excludes follow those of the pattern.
                let words = values::every_command(patterns).0.into_iter().take(4);
                self.texts(words.map(|command| format!("{command} x")));
                for text in self.texts.clone() {
                    self.texts(values::commands(patterns, filter, Some(text)).into_iter());
                }
            }
            CommandTest::OnlyRuns { patterns } => {
                let (plain, _) = values::every_command(patterns);
                let beside = plain.first().map(|command| format!("{command} && make install"));
                self.texts(plain.into_iter().chain(beside));
            }
            CommandTest::Pipes { from, into } => {
                let (from, into) = (values::every_command(from).0, values::every_command(into).0);
                let (Some(source), Some(sink)) = (from.first().cloned(), into.first().cloned()) else { return };
                let sources = from.into_iter().map(|from| format!("{from} | {sink}"));
                self.texts(sources.chain(into.into_iter().map(|into| format!("{source} | {into}"))));
            }
        }
    }

    fn files(&mut self, verb: FileVerb, test: &TouchTest) {
        let files: Vec<String> = match test {
            TouchTest::Like(globs) => {
                globs.patterns().map(|glob| values::of_glob(glob.trim_start_matches('!'))).collect()
            }
            TouchTest::Under(_) | TouchTest::Outside(_) => ["/elsewhere/x", "x", "/tmp/x"].map(str::to_owned).to_vec(),
        };
        let plain: Vec<String> = files.iter().map(|file| values::touching(verb, file)).collect();
        self.texts(plain.into_iter().chain(files));
    }

    fn texts(&mut self, texts: impl Iterator<Item = String>) {
        self.out.extend(texts.map(Change::Text));
    }

    /// Sets the value of a source, if an example can.
    fn value(&mut self, source: &Source, value: Json) {
        let text = || value.as_str().map(str::to_owned);
        let change = match source {
            Source::Derived(Derived::ToolName) => text().map(Change::Tool),
            Source::Derived(Derived::Agent | Derived::AgentType) => text().map(Change::Agent),
            Source::Derived(Derived::Command | Derived::Path | Derived::Url) => text().map(Change::Text),
            Source::Derived(Derived::Domain) => text().map(|domain| Change::Text(format!("https://{domain}/"))),
            Source::Derived(Derived::Content) => {
                Some(Change::Field(vec!["tool_input".into(), "content".into()], value))
            }
            Source::Raw { path, .. } if path.len() == 1 && path.first().is_some_and(|name| name == "prompt") => {
                text().map(Change::Text)
            }
            Source::Raw { path, .. } => Some(Change::Field(path.clone(), value)),
            Source::Fact(fact) => key(fact).map(|(key, is_there)| {
                let value = if is_there { Json::from(value.as_bool().unwrap_or(true)) } else { value };
                Change::Fact(key, value)
            }),
            _ => None,
        };
        self.out.extend(change);
    }
}

/// Returns further values of a list after the first ones, and the boundary values of a comparison.
fn beyond(test: &Test) -> Vec<Json> {
    match test {
        Test::In(values) => values.iter().filter_map(literal).collect(),
        Test::Order(_, Compared::Literal(Literal::Number(number))) => {
            [-1.0, 0.0, 1.0].iter().map(|more| whole(number + more)).collect()
        }
        Test::LikeText(globs) => globs.patterns().map(of_glob).collect(),
        Test::LikePath(globs) => globs.patterns().map(of_glob).collect(),
        _ => Vec::new(),
    }
}

fn of_glob(glob: &str) -> Json {
    Json::from(values::of_glob(glob.trim_start_matches('!')))
}

fn literal(value: &Compared) -> Option<Json> {
    Some(match value {
        Compared::Literal(Literal::Text(text)) => Json::from(text.as_str()),
        Compared::Literal(Literal::Number(number)) => whole(*number),
        Compared::Literal(Literal::Boolean(truth)) => Json::from(*truth),
        Compared::Source(_) => return None,
    })
}

/// Returns a number, as an integer if it is one.
fn whole(number: f64) -> Json {
    format!("{number}").parse::<i64>().map_or_else(|_| Json::from(number), Json::from)
}

/// Returns the key of a fact in an example, and whether the fact is a boolean.
fn key(fact: &FactName) -> Option<(Key, bool)> {
    let dotted = |text: &str| Some((Key::Name(field(text.split('.').map(str::to_owned))), false));
    match fact {
        FactName::Env(name) => dotted(&format!("env.{name}")),
        FactName::GitBranch => dotted("git.branch"),
        FactName::GitRemote => dotted("git.remote"),
        FactName::GitWorktree => dotted("git.worktree"),
        FactName::Os => dotted("os"),
        FactName::File(kind, value) | FactName::OwnFile(kind, value) => match value.as_ref() {
            Compared::Literal(Literal::Text(path)) => {
                Some((Key::File(*kind, quoted(path), Span::default()), *kind == FileFact::Exists))
            }
            _ => None,
        },
        FactName::GitRoot | FactName::HostPids | FactName::Withheld(_) => None,
    }
}

/// Returns names that a list includes, and names that it excludes.
fn names(list: &SelectorList) -> Vec<String> {
    list.includes.iter().chain(&list.excludes).map(|glob| values::of_glob(glob)).collect()
}

/// Returns an example with one change.
fn with(base: &Example, change: &Change) -> Example {
    let mut out = base.clone();
    let span = base.span;
    match change {
        Change::Tool(tool) => out.head = Some(ExampleHead { name: name(tool, span), subject: None }),
        Change::Event(event, subject) => {
            let subject = subject.as_ref().map(|subject| name(subject, span));
            out.head = Some(ExampleHead { name: name(event.name(), span), subject });
        }
        Change::Text(text) => out.text = Some(quoted(text)),
        Change::Agent(agent) => out.by = Some(name(agent, span)),
        Change::Fact(key, value) => add(&mut out.with, key.clone(), value),
        Change::Field(path, value) => add(&mut out.fields, Key::Name(field(path.iter().cloned())), value),
    }
    out
}

/// Sets an entry of a map, replacing one with the same key.
fn add(map: &mut Option<Map>, key: Key, value: &Json) {
    let span = Span::default();
    let kind = match value {
        Json::Bool(truth) => ValueKind::Boolean(*truth),
        Json::Number(number) => ValueKind::Number(number.as_f64().unwrap_or_default(), number.to_string()),
        Json::String(text) => ValueKind::Text(quoted(text)),
        _ => ValueKind::Null,
    };
    let entry = MapEntry { key, value: Some(Value { kind, span }), span };
    let entries = map.take().map(|map| map.entries).unwrap_or_default();
    let mut entries: Vec<MapEntry> = entries.into_iter().filter(|one| !is_same(&one.key, &entry.key)).collect();
    entries.push(entry);
    *map = Some(Map { entries, span });
}

fn is_same(one: &Key, other: &Key) -> bool {
    match (one, other) {
        (Key::Name(one), Key::Name(other)) => one.text() == other.text(),
        (Key::Text(one), Key::Text(other)) => one.value == other.value,
        (Key::File(one, path, _), Key::File(other, beside, _)) => one == other && path.value == beside.value,
        _ => false,
    }
}

fn name(text: &str, span: Span) -> Name {
    Name { text: text.to_owned(), span }
}

fn field(segments: impl Iterator<Item = String>) -> FieldName {
    let span = Span::default();
    FieldName { segments: segments.map(|text| Name { text, span }).collect(), span }
}

fn quoted(text: &str) -> Text {
    Text { value: text.to_owned(), placeholders: Vec::new(), quote: Quote::Double, span: Span::default() }
}
