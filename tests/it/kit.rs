//! Policies and payloads in memory: a case of the language in two lines.
//!
//! It works like the hook, from text to verdict, without side effects.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::rc::Rc;
use std::sync::Arc;

use hookrules::config::{LayerKind, PolicyBase};
use hookrules::context::{Context, ShellTools};
use hookrules::diagnostic::{CODES, Diagnostic, DiagnosticFormat, Level, Levels, render_all};
use hookrules::eval::{Evaluation, RuleJudgement, RuleOutcome, TraceDetail, decide, evaluate};
use hookrules::facts::{Facts, StatedFacts};
use hookrules::host::{self, DecodedPayload, Host};
use hookrules::layer::{Layer, LoadedFile};
use hookrules::packs;
use hookrules::policy::Policy;
use hookrules::ruleset::{Rule, StoredRules};
use hookrules::span::Sources;
use hookrules::syntax::{self, ast};
use hookrules::types::Payload;
use hookrules::verdict::{Command, Verdict};
use hookrules::wire::DamageFlag;
use serde_json::{Map, Value as Json, json};

/// A payload with the facts around it.
pub(crate) struct Given {
    pub(crate) payload: Payload,
    pub(crate) facts: Box<dyn Facts>,
}

/// Creates the payload of an event: the host's base fields, overridden by `fields`.
#[track_caller]
pub(crate) fn event(name: &str, fields: Json) -> Given {
    let mut json = json!({
        "session_id": "s", "transcript_path": "/home/user/t.jsonl", "cwd": "/project", "hook_event_name": name,
        "permission_mode": "default",
    });
    let (Json::Object(all), Json::Object(fields)) = (&mut json, fields) else { panic!("fields are an object") };
    all.extend(fields);
    decoded(&json)
}

/// Decodes a payload as sent by the host.
#[track_caller]
pub(crate) fn decoded(json: &Json) -> Given {
    match host::decode(Host::CLAUDE_CODE, json.to_string().as_bytes()) {
        DecodedPayload::Event { payload, .. } => Given { payload, facts: Box::new(StatedFacts::for_examples()) },
        other => panic!("no event: {other:?}"),
    }
}

/// Creates a call that is about to run.
#[track_caller]
pub(crate) fn call(tool: &str, input: Json) -> Given {
    event("PreToolUse", json!({"tool_name": tool, "tool_input": input}))
}

/// Creates a call of Bash.
#[track_caller]
pub(crate) fn bash(command: &str) -> Given {
    call("Bash", json!({"command": command}))
}

/// Creates a call of Write.
#[track_caller]
pub(crate) fn write(path: &str, content: &str) -> Given {
    call("Write", json!({"file_path": path, "content": content}))
}

/// Creates a call of Read.
#[track_caller]
pub(crate) fn read(path: &str) -> Given {
    call("Read", json!({"file_path": path}))
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Given").field(&self.payload).finish()
    }
}

impl Given {
    /// Sets the facts.
    pub(crate) fn with(self, facts: impl Facts + 'static) -> Self {
        Self { facts: Box::new(facts), ..self }
    }

    /// Sets members of the payload; `null` removes one.
    #[track_caller]
    pub(crate) fn set(mut self, fields: Json) -> Self {
        let Json::Object(fields) = fields else { panic!("fields are an object") };
        for (name, value) in fields {
            match value {
                Json::Null => drop(self.payload.json.shift_remove(&name)),
                value => drop(self.payload.json.insert(name, value)),
            }
        }
        self
    }

    /// Sets the acting subagent.
    #[track_caller]
    pub(crate) fn by(self, agent: &str) -> Self {
        self.set(json!({"agent_id": "a1", "agent_type": agent}))
    }
}

/// Loads a layer from files in memory; a used file precedes the one that uses it.
pub(crate) fn layer(kind: LayerKind, files: &[(&str, &str)], sources: &mut Sources) -> Layer {
    let layer = Layer { exists: true, ..Layer::new(kind) };
    let mut loader = Loader { texts: files, sources, layer, known: BTreeMap::new() };
    for (name, text) in files {
        loader.load(name, text, None);
    }
    loader.layer
}

struct Loader<'k> {
    texts: &'k [(&'k str, &'k str)],
    sources: &'k mut Sources,
    layer: Layer,
    known: BTreeMap<String, usize>,
}

impl Loader<'_> {
    fn load(&mut self, name: &str, text: &str, pack: Option<String>) -> usize {
        if let Some(index) = self.known.get(name) {
            return *index;
        }
        let id = self.sources.add(name, None, text);
        let (ast, diagnostics) = syntax::parse(self.sources.file_by_id(id).unwrap());
        self.layer.diagnostics.extend(diagnostics);
        let mut uses = Vec::new();
        for item in &ast.items {
            let ast::ItemKind::Use(used) = &item.kind else { continue };
            let wanted = used.source.value.as_str();
            let file = wanted.trim_start_matches("./");
            let pack = packs::pack(wanted).map(|text| (wanted, text, Some(wanted.to_owned())));
            let file = self.texts.iter().find(|(name, _)| *name == file).map(|(name, text)| (*name, *text, None));
            uses.push(pack.or(file).map(|(name, text, pack)| self.load(name, text, pack)));
        }
        let index = self.layer.files.len();
        self.layer.files.push(LoadedFile {
            id,
            ast: ast.into(),
            directory: 0,
            base: PolicyBase::default(),
            pack,
            uses,
        });
        self.known.insert(name.to_owned(), index);
        index
    }
}

/// Compiles layers; they may have errors.
pub(crate) fn compiled(layers: &[(LayerKind, &[(&str, &str)])]) -> Policy {
    let mut sources = Sources::default();
    let layers: Vec<Layer> = layers.iter().map(|(kind, files)| layer(*kind, files, &mut sources)).collect();
    Policy::new(sources, &layers)
}

/// Compiles a project's policy of one file; it may have errors.
pub(crate) fn one_file(text: &str) -> Policy {
    compiled(&[(LayerKind::Project, &[("project.rules", text)])])
}

/// Compiles a project's policy, which must load.
#[track_caller]
pub(crate) fn policy(text: &str) -> Policy {
    loads(one_file(text))
}

/// Compiles a project's policy of several files, which must load.
#[track_caller]
pub(crate) fn files(files: &[(&str, &str)]) -> Policy {
    loads(compiled(&[(LayerKind::Project, files)]))
}

#[track_caller]
pub(crate) fn loads(policy: Policy) -> Policy {
    let errors: Vec<&Diagnostic> = policy.errors().collect();
    assert!(errors.is_empty(), "the policy does not load:\n{}", rendered(&policy));
    policy
}

/// Returns all findings about a policy, for people.
pub(crate) fn rendered(policy: &Policy) -> String {
    let diagnostics: Vec<Diagnostic> = policy.diagnostics().cloned().collect();
    render_all(&diagnostics, &policy.sources, DiagnosticFormat::Short)
}

/// Judges a payload. Checks that the same rules, read one by one from their image, give the same result.
#[track_caller]
pub(crate) fn judge(policy: &Policy, given: &Given) -> Evaluation {
    let tools = ShellTools::default();
    let context = || Context::new(&given.payload, Host::CLAUDE_CODE.name(), &*given.facts, &tools);
    let judged = evaluate(&policy.rules, &context(), TraceDetail::Conditions);
    let image = image(policy);
    let stored = StoredRules::open(&*image).unwrap();
    let again = decide(&stored, &context(), TraceDetail::Conditions).unwrap();
    let told = |evaluation: &Evaluation| {
        let Evaluation { verdict, trace, observed, .. } = evaluation;
        let counts = |judged: &&RuleJudgement| judged.outcome != RuleOutcome::NoMatch;
        let all: Vec<&RuleJudgement> = trace.rules.iter().chain(&trace.rejudged).filter(counts).collect();
        format!("{verdict:?}, {observed:?}, {all:?}")
    };
    assert_eq!(told(&judged), told(&again), "the rules are others once they are read back");
    judged
}

/// A policy's rules, and its image.
type Imaged = (Vec<Arc<Rule>>, Rc<[u8]>);

thread_local! {
    /// The policy that was judged last.
    static LAST: RefCell<Imaged> = RefCell::new((Vec::new(), Rc::from([])));
}

/// Returns a policy's image, and checks that each rule can be read back. It is created once for a table of calls.
#[track_caller]
fn image(policy: &Policy) -> Rc<[u8]> {
    let rules = policy.rules.rules();
    let is =
        |known: &[Arc<Rule>]| known.len() == rules.len() && known.iter().zip(rules).all(|(a, b)| Arc::ptr_eq(a, b));
    // INVARIANT: the rules are held, so that no other rule can be at their addresses.
    if let Some(known) = LAST.with_borrow(|(known, image)| (!rules.is_empty() && is(known)).then(|| Rc::clone(image))) {
        return known;
    }
    rules.iter().for_each(|rule| read_back(rule));
    let image: Rc<[u8]> = policy.rules.image().into();
    LAST.set((rules.to_vec(), Rc::clone(&image)));
    image
}

/// Reads a rule back from its bytes.
#[track_caller]
fn read_back(rule: &Rule) {
    let bytes = rule.to_bytes();
    let damage = DamageFlag::default();
    let read = Rule::from_bytes(bytes.clone(), &damage).expect("a rule can be read back");
    // Formatting the rule reads all lazy parts.
    let _shown = format!("{read:?}");
    assert_eq!(damage.check(), Ok(()), "`{}` cannot be read as a whole", rule.name);
    assert_eq!(read.to_bytes(), bytes, "`{}` is another rule once it is read back", rule.name);
}

/// Checks the [`shown`] verdict of a policy of one file.
#[track_caller]
pub(crate) fn check(text: &str, given: &Given, expected: &str) {
    check_policy(&policy(text), given, expected);
}

/// Checks the [`shown`] verdict of a policy.
#[track_caller]
pub(crate) fn check_policy(policy: &Policy, given: &Given, expected: &str) {
    let shown = shown(&judge(policy, given).verdict);
    assert!(shown == expected, "expected: {expected}\n      is: {shown}");
}

/// Checks the first error of a policy: the start of `CODE message`.
#[track_caller]
pub(crate) fn rejects(text: &str, expected: &str) {
    let policy = one_file(text);
    let found: Vec<String> = policy
        .diagnostics()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic| format!("{} {}", diagnostic.code.id, diagnostic.message))
        .collect();
    assert!(found.iter().any(|found| found.starts_with(expected)), "expected: {expected}\n   found: {found:?}");
}

/// Formats a verdict in one line: `deny by a, b: message + context "…" + run "…"`.
pub(crate) fn shown(verdict: &Verdict) -> String {
    let mut out = verdict.decision().keyword().to_owned();
    let winners: Vec<&str> = verdict.winning_votes().map(|vote| vote.author.name()).collect();
    if !winners.is_empty() {
        write!(out, " by {}", winners.join(", ")).unwrap();
    }
    let message = verdict.message();
    if !message.is_empty() {
        write!(out, ": {message}").unwrap();
    }
    for note in &verdict.contexts {
        write!(out, " + context {:?}", note.text.as_str()).unwrap();
    }
    for note in &verdict.warnings {
        write!(out, " + warn {:?}", note.text.as_str()).unwrap();
    }
    for exit in &verdict.exits {
        write!(out, " + exit {} {:?}", exit.code, exit.message).unwrap();
    }
    for notification in &verdict.notifications {
        write!(out, " + notify {:?} {:?}", notification.title, notification.body).unwrap();
    }
    for record in &verdict.records {
        let fields: Map<String, Json> = record.fields.clone();
        write!(out, " + record {:?} {}", record.file, Json::Object(fields)).unwrap();
    }
    if let Some(input) = &verdict.updated_input {
        write!(out, " + input {input}").unwrap();
    }
    if let Some(output) = &verdict.updated_output {
        write!(out, " + output {output}").unwrap();
    }
    for run in &verdict.runs {
        match &run.command {
            Command::Argv(words) => write!(out, " + run {words:?}").unwrap(),
            Command::Shell { script, parameters } => write!(out, " + run {script:?} {parameters:?}").unwrap(),
        }
    }
    out
}

/// The result of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comes {
    /// True.
    T,
    /// False.
    F,
    /// Unknown.
    U,
}

/// Judges a condition in a rule that can only warn. Definitions may precede it.
#[track_caller]
pub(crate) fn outcome(definitions: &str, condition: &str, given: &Given) -> RuleOutcome {
    let name = given.payload.event.name();
    let text = format!("{definitions}\nrule r {{\n  on {name}\n  when {condition}\n  warn \"w\"\n}}\n");
    outcome_of(&policy(&text), given)
}

/// Returns the result of the only rule of a policy.
#[track_caller]
pub(crate) fn outcome_of(policy: &Policy, given: &Given) -> RuleOutcome {
    let evaluation = judge(policy, given);
    evaluation.trace.rules.first().map_or(RuleOutcome::NoMatch, |judged| judged.outcome.clone())
}

/// Checks the results of conditions on one payload; reports all that are wrong.
#[track_caller]
pub(crate) fn conditions(given: &Given, table: &[(&str, Comes)]) {
    conditions_with("", given, table);
}

/// Like [`conditions`], with preceding definitions.
#[track_caller]
pub(crate) fn conditions_with(definitions: &str, given: &Given, table: &[(&str, Comes)]) {
    hold(table, |condition| outcome(definitions, condition, given));
}

/// Checks the results of conditions in a rule that can allow.
#[track_caller]
pub(crate) fn allowing(given: &Given, table: &[(&str, Comes)]) {
    hold(table, |condition| {
        let policy = policy(&format!("rule r {{\n  on PreToolUse\n  when {condition}\n  allow\n}}\n"));
        outcome_of(&policy, given)
    });
}

/// Judges every condition of a table and reports all unexpected results.
#[track_caller]
fn hold(table: &[(&str, Comes)], judge: impl Fn(&str) -> RuleOutcome) {
    let mut wrong = String::new();
    for (condition, expected) in table {
        let is = match judge(condition) {
            RuleOutcome::Match => Comes::T,
            RuleOutcome::NoMatch => Comes::F,
            RuleOutcome::Unknown(_) => Comes::U,
        };
        if is != *expected {
            writeln!(wrong, "{condition}: {expected:?} expected, {is:?} found").unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Facts, some of which cannot be read.
pub(crate) struct Unreadable(pub(crate) StatedFacts);

impl Facts for Unreadable {
    fn base(&self) -> Option<&dyn Facts> {
        Some(&self.0)
    }
    fn env(&self, name: &str) -> hookrules::facts::Fact<String> {
        Err(format!("the variable {name} is not UTF-8"))
    }
    fn git(&self, _cwd: &std::path::Path) -> hookrules::facts::Fact<hookrules::facts::GitState> {
        Err("HEAD cannot be opened".to_owned())
    }
    fn file_exists(&self, _path: &std::path::Path) -> hookrules::facts::Fact<bool> {
        Err("permission denied".to_owned())
    }
    fn file_size(&self, _path: &std::path::Path) -> hookrules::facts::Fact<u64> {
        Err("permission denied".to_owned())
    }
    fn entries(&self, _directory: &std::path::Path) -> hookrules::facts::Fact<Vec<hookrules::facts::DirectoryEntry>> {
        Err("too many".to_owned())
    }
    fn is_directory(&self, _path: &std::path::Path) -> hookrules::facts::Fact<bool> {
        Err("permission denied".to_owned())
    }
    fn ignores(&self, _file: &std::path::Path) -> hookrules::facts::Fact<String> {
        Err("permission denied".to_owned())
    }
    fn called_agent(&self, _transcript: &std::path::Path) -> hookrules::facts::Fact<String> {
        Err("the transcript is not a regular file".to_owned())
    }
    fn links(&self, _directory: &std::path::Path) -> hookrules::facts::Fact<Vec<String>> {
        Err("permission denied".to_owned())
    }
}

/// Returns levels at which lints that are off by default are reported too.
pub(crate) fn everything() -> Levels {
    let mut levels = Levels::default();
    for (code, _) in CODES.iter().filter(|(code, _)| !code.is_on) {
        levels.set(code, Level::On(code.severity));
    }
    levels
}
