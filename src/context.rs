//! The event as conditions see it: the fields of the payload, derived fields and facts, looked up when they are
//! needed.
//!
//! A lookup returns the values of a field, or the reason why they are unknown. An empty list means that the field has
//! no value. No lookup decides anything.

mod agent;
mod analyses;
mod call;
mod call_commands;
mod call_view;
mod charge;
mod command;
mod connected;
mod derived;
mod earlier_changes;
mod filled;
mod foreign_shape;
mod in_files;
mod lookup_place;
mod machine;
mod packages;
mod past;
mod paths;
mod probable_commands;
mod reason;
mod scalar;
mod shell;
mod tool_record_facts;
mod touched;
mod views;
mod walk;
mod work_places;

pub use analyses::Analyses;
pub use call_commands::CallCommands;
pub use call_view::CallView;
pub use connected::{Contact, Contacts};
pub use derived::file_uri;
pub use filled::path_component;
pub use lookup_place::LookupPlace;
pub use machine::Machine;
pub use past::{CALL_ID, CallStart, EventDescriber, actor, event_digest, event_of_call, input_digest};
pub use paths::{PathForm, Region};
pub use reason::{Reason, UnreadCause};
pub use scalar::{Scalar, ScalarValues};
pub use shell::{ShellRole, ShellText};
pub use touched::{TouchLocation, TouchReach, TouchedFile, TouchedFiles};
pub use views::Views;
pub use walk::{Sieve, WalkEntry};
pub use work_places::WorkPlaces;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::Value as Json;

use crate::budget::Budget;
pub use crate::config::ShellTools;
use crate::config::{LayerKind, PolicyBase};
use crate::facts::Facts;
use crate::ruleset::{CaptureReference, DerivedField, FactName, Measure, PolicyValue, ValueReference};
use crate::schema::{Event, FieldType, Subject, visit_names_without_plugin};
use crate::syntax::ast::FileFact;
use crate::types::Payload;
use hookrules_shell::path::{contains, normalise};
use hookrules_shell::repository::RepositoryFact;

/// One event as conditions see it: the call, its commands, and the machine.
pub struct Context<'a> {
    /// The call, shared with the contexts of the call's commands.
    call: Rc<CallView<'a>>,
    commands: CallCommands<'a>,
    machine: Machine<'a>,
    /// The working directory, cached.
    cwd: OnceCell<PathBuf>,
    /// The files that the tool itself touches, not its commands. Cached, since several rules and guards look them up.
    by_tool: touched::ToolTouches,
    /// The subject of the call for messages, cached.
    subject: OnceCell<Option<String>>,
    /// The type of the stopped agent according to the transcript, cached: `Explore`.
    called_agent: OnceCell<machine::MachineFact<String>>,
    /// Where an ended call began, cached: it is found in the journal.
    call_start: OnceCell<CallStart>,
    /// What questions about the past know of the event, cached: a rule asks several.
    in_past: past::PastIdentity,
}

impl<'a> Context<'a> {
    /// Makes the context in which the rules of the lowest layer see a payload that was sent to the hook of `host`.
    /// [`Views`] has the contexts of the other layers.
    #[must_use]
    pub fn new(payload: &'a Payload, host: &'a str, facts: &'a dyn Facts, shell_tools: &'a ShellTools) -> Self {
        // Another agent may have called the hook of `host`.
        let host = payload.origin.agent.unwrap_or(host);
        let call = CallView::new(payload, host, shell_tools, LayerKind::Local);
        Self::from_parts(Rc::new(call), CallCommands::default(), Machine::new(facts))
    }

    /// Makes a context from its parts, with empty caches.
    fn from_parts(call: Rc<CallView<'a>>, commands: CallCommands<'a>, machine: Machine<'a>) -> Self {
        let (cwd, subject, called_agent) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let (by_tool, call_start, in_past) = (Default::default(), OnceCell::new(), Default::default());
        Self { call, commands, machine, cwd, by_tool, subject, called_agent, call_start, in_past }
    }

    /// Makes this context look up and store analyses of shell texts in `analyses`.
    #[must_use]
    pub fn with_analyses(self, analyses: &'a Analyses) -> Self {
        let commands = CallCommands { analyses: Some(analyses), ..self.commands };
        Self { commands, ..self }
    }

    /// Makes the context of another payload of the same event, such as a rewritten one.
    #[must_use]
    pub fn with_payload<'b>(&'b self, payload: &'b Payload) -> Context<'b> {
        self.with_call(self.call.with_payload(payload))
    }

    /// Makes the context of another view of the same event. The budget is shared.
    fn with_call<'b>(&'b self, call: CallView<'b>) -> Context<'b> {
        Context::from_parts(Rc::new(call), self.commands.for_other_call(), self.machine.for_other_payload())
    }

    /// Makes the context in which the rules of a layer see the event.
    fn for_layer(&self, layer: LayerKind) -> Context<'_> {
        let CallView { payload, host, shell_tools, is_permission_request, .. } = *self.call;
        self.with_call(CallView { is_permission_request, ..CallView::new(payload, host, shell_tools, layer) })
    }

    /// Makes the same context with a fresh budget, for the texts of messages: what they look up is not charged to the
    /// event.
    #[must_use]
    pub fn for_messages(&self) -> Context<'_> {
        let call = self.call.with_payload(self.call.payload);
        Context::from_parts(Rc::new(call), CallCommands::default(), Machine::new(self.machine.facts))
    }

    /// Makes this context charge its work to `budget`.
    #[must_use]
    pub fn with_budget(self, budget: Rc<Budget>) -> Self {
        Self { machine: self.machine.with_budget(budget), ..self }
    }

    /// Makes the context in which rules for PreToolUse judge a later event about the same call, such as a permission
    /// request. `payload` is the [`Payload::as_first_asked`] of that event. Fields that a permission request does not
    /// repeat are unknown.
    #[must_use]
    pub fn for_pre_tool_use<'b>(&'b self, payload: &'b Payload) -> Context<'b> {
        let later = self.call.payload;
        let is_permission_request = later.event == Event::PermissionRequest;
        let mut context = self.with_call(CallView { is_permission_request, ..self.call.with_payload(payload) });
        let is_same_call = later.tool_name() == payload.tool_name()
            && later.tool_input() == payload.tool_input()
            && later.nonempty_text("cwd") == payload.nonempty_text("cwd");
        // The call is the same, so its analysed command is, too.
        if is_same_call && self.commands.selected.is_none() {
            context.commands.shell.clone_from(&self.commands.shell);
        }
        context
    }

    /// Returns the payload of the event.
    #[must_use]
    pub fn payload(&self) -> &'a Payload {
        self.call.payload
    }

    /// Returns the call as the rules of this context's layer see it.
    #[must_use]
    pub fn call(&self) -> &CallView<'a> {
        &self.call
    }

    /// Returns the call's commands, and which of them a condition is about.
    #[must_use]
    pub fn commands(&self) -> &CallCommands<'a> {
        &self.commands
    }

    /// Returns the machine, through which facts are looked up.
    #[must_use]
    pub fn machine(&self) -> &Machine<'a> {
        &self.machine
    }

    /// Calls `see` with the shorter names of a tool whose server belongs to a plugin: the name without the plugin.
    pub fn visit_names_without_plugin(&self, see: &mut dyn FnMut(&str)) {
        if self.call.payload.event.spec().subject == Subject::Tool
            && let Some(tool) = self.call.tool_name
        {
            visit_names_without_plugin(tool, see);
        }
    }

    /// Returns the directory to which relative names are relative: the working directory of the selected command if
    /// it is known, else that of the payload, else the project.
    pub fn cwd(&self) -> &Path {
        self.cwd.get_or_init(|| {
            if let Some(cwd) = self.commands.selected.and_then(|selected| selected.cwd()) {
                return if self.machine.is_on_drive() {
                    self.machine.normal_path("", cwd, None)
                } else {
                    cwd.to_owned()
                };
            }
            let cwd = self.call.payload.nonempty_text("cwd").filter(|cwd| cwd.len() <= derived::PATH_BYTES);
            let cwd = cwd.map(|cwd| self.machine.normal_path(cwd, Path::new("/"), None));
            cwd.or_else(|| self.machine.project().map(Path::to_path_buf)).unwrap_or_else(|| PathBuf::from("/"))
        })
    }

    /// Returns the values of a field, a JSONPath, a fact or a `let`, with paths in the given form. `Err` has the
    /// reason why they are unknown.
    pub fn lookup(&self, source: &ValueReference, form: PathForm) -> Result<ScalarValues<'_>, Reason> {
        let is_path = match source {
            ValueReference::Raw { ty, .. } => matches!(ty, FieldType::Path | FieldType::List(FieldType::Path)),
            ValueReference::Derived(derived) => *derived == DerivedField::Path,
            _ => false,
        };
        if is_path && self.call.has_too_many_files() {
            return Err(Reason::too_many_paths());
        }
        match source {
            ValueReference::Raw { path, .. } if self.call.is_agent_ambiguous(path) => Err(Reason::open_agent()),
            ValueReference::Raw { path, ty } => {
                match self.call.lacking_fields().find(|name| path.first().is_some_and(|first| first == name)) {
                    Some(name) => Err(Reason::lacking_field(name)),
                    None => Ok(self.raw_values(path, *ty, form)),
                }
            }
            ValueReference::JsonPath(path) => {
                match self.call.lacking_fields().find(|name| path.is_possibly_reading(name)) {
                    Some(name) => Err(Reason::lacking_field(name)),
                    None => self.json_path(path),
                }
            }
            ValueReference::Derived(derived) => self.derived(*derived, form),
            ValueReference::Fact(fact) => self.fact(fact, form),
            ValueReference::Constant(text) => Ok(vec![Scalar::from_text(text.to_string())]),
            ValueReference::Where(field) => self.where_values(field, form),
            ValueReference::Measured(Measure::Past(test)) => self.past_count(test),
            ValueReference::Measured(_) => Err(Reason::measured_outside_rule()),
            ValueReference::Capture(capture) => self.captured(capture, form),
        }
    }

    /// Returns what a capture group of a condition's regex captures in the values that the condition tests. Equal
    /// texts are returned once.
    fn captured(&self, capture: &CaptureReference, form: PathForm) -> Result<ScalarValues<'_>, Reason> {
        let mut captures: ScalarValues<'_> = Vec::new();
        for value in self.lookup(&capture.values, form)? {
            let texts = match &value {
                Scalar::Text(text) => vec![text.as_ref()],
                Scalar::PartlyKnown(word) => {
                    return Err(Reason::of_word(word));
                }
                Scalar::Object(json) => {
                    let mut texts = Vec::new();
                    derived::texts_in(json, &mut texts);
                    texts
                }
                Scalar::Number(_) | Scalar::Boolean(_) | Scalar::Time(_) | Scalar::AtLeast(..) => Vec::new(),
            };
            for text in texts {
                let captured = capture.regex.captured(text, &capture.group, self.machine.budget());
                for text in captured.map_err(|failure| Reason::from_search(failure, Some(&capture.regex)))? {
                    let text = Scalar::from_text(text);
                    if !captures.contains(&text) {
                        captures.push(text);
                    }
                }
            }
        }
        Ok(captures)
    }

    /// Returns the values of the right side of a test: a literal or a field.
    pub fn value<'b>(&'b self, value: &'b PolicyValue, form: PathForm) -> Result<ScalarValues<'b>, Reason> {
        match value {
            PolicyValue::Literal(literal) => Ok(vec![Scalar::from_literal(literal)]),
            PolicyValue::Source(source) => self.lookup(source, form),
            PolicyValue::FileName(name) => {
                Ok(self.filled_names(name, form)?.into_iter().map(Scalar::from_text).collect())
            }
        }
    }

    /// Returns the values at a path of member names in the payload. The elements of a list are separate values.
    fn raw_values(&self, path: &[String], ty: FieldType, form: PathForm) -> ScalarValues<'_> {
        let is_path = matches!(ty, FieldType::Path | FieldType::List(FieldType::Path));
        // Most values are a text exactly at the path.
        if !is_path && let Some(Json::String(text)) = self.call.member(path) {
            return vec![Scalar::Text(text.as_str().into())];
        }
        let mut found = Vec::new();
        if let Some((first, rest)) = path.split_first()
            && let Some(json) = self.call.payload.member(first)
        {
            collect(json, rest, &mut found);
        }
        let is_text = is_path || matches!(ty, FieldType::String | FieldType::List(FieldType::String));
        let values = found.into_iter().flat_map(|json| {
            let mut texts = Vec::new();
            match json {
                Json::Object(_) if is_text => derived::texts_in(json, &mut texts),
                Json::Object(_) => texts.extend(derived::block_text(json)),
                _ => {}
            }
            let whole = if texts.is_empty() { Scalar::from_json(json) } else { None };
            texts.into_iter().map(|text| Scalar::Text(text.into())).chain(whole)
        });
        if is_path { values.map(|value| self.path_scalar(value, form)).collect() } else { values.collect() }
    }

    /// Returns the values that a JSONPath finds in the payload.
    fn json_path(&self, path: &crate::ruleset::JsonPath) -> Result<ScalarValues<'_>, Reason> {
        if let Some(cost) = self.call.json_path_cost(path.passes, path.is_quadratic)? {
            self.machine.charge(cost)?;
        }
        let whole = self.call.json.get_or_init(|| Json::Object(self.call.payload.json.clone()));
        let query = path.query().ok_or_else(Reason::json_path)?;
        // The query was validated when the policy was compiled. If it fails all the same, it finds nothing.
        let matches = jsonpath_rust::query::js_path_process(query, whole).unwrap_or_default();
        let mut values = Vec::new();
        for reference in matches {
            collect(reference.val(), &[], &mut values);
        }
        Ok(values.into_iter().filter_map(Scalar::from_json).collect())
    }

    /// Returns the values of a fact: git's state, a property of a file, a variable of the environment.
    fn fact(&self, named: &FactName, form: PathForm) -> Result<ScalarValues<'_>, Reason> {
        let text = |value: Option<String>| value.map(Scalar::from_text).into_iter().collect();
        Ok(match named {
            FactName::Env(name) => text(fact_or_reason(self.machine.facts.env(name), "env")?),
            FactName::Os => text(fact_or_reason(self.machine.facts.os(), "os")?),
            FactName::Time(zone) => {
                fact_or_reason(self.machine.facts.time(zone), "time")?.map(Scalar::Time).into_iter().collect()
            }
            FactName::Weekday(zone) => {
                let day = fact_or_reason(self.machine.facts.weekday(zone), "weekday")?;
                day.map(|day| Scalar::Text(day.name().into())).into_iter().collect()
            }
            // `kill` accepts the number of a process, or the negated number of a process group.
            FactName::HostPids => {
                let pids = fact_or_reason(self.machine.facts.host_pids(), "host_pids")?.unwrap_or_default();
                pids.iter()
                    .flat_map(|pid| [Scalar::from_text(pid.to_string()), Scalar::from_text(format!("-{pid}"))])
                    .collect()
            }
            FactName::GitBranch => text(self.git(RepositoryFact::Branch)?.and_then(|git| git.branch)),
            FactName::GitRemote => text(self.git(RepositoryFact::Remote)?.and_then(|git| git.remote)),
            FactName::GitWorktree => {
                self.git(RepositoryFact::Repository)?.map(|git| Scalar::Boolean(git.worktree)).into_iter().collect()
            }
            FactName::GitRoot => self
                .git(RepositoryFact::Repository)?
                .and_then(|git| git.root)
                .map(|root| Scalar::path(&root))
                .into_iter()
                .collect(),
            FactName::Withheld(_) => return Err(Reason::fact("env", UNTRUSTED.to_owned())),
            FactName::File(fact, value) | FactName::OwnFile(fact, _, value) => {
                return self.file_facts(named, *fact, value, form);
            }
        })
    }

    /// Returns a property (existence or size) of each file that a condition names. If the property of one file is
    /// unknown, all are, unless another file certainly exists.
    fn file_facts(
        &self,
        named: &FactName,
        fact: FileFact,
        value: &PolicyValue,
        form: PathForm,
    ) -> Result<ScalarValues<'_>, Reason> {
        let allowed_base = if let FactName::OwnFile(_, base, _) = named { Some(base) } else { None };
        let mut values = Vec::new();
        // A name from a command is relative to the command's working directory. A name in the policy is relative to
        // the project, in the working tree for which the rule is judged. Any other name is relative to the session's
        // project.
        let is_from_command = matches!(value, PolicyValue::Source(ValueReference::Where(_)));
        // The outer option is `None` for a name that is not from a command, the inner one for an unknown directory.
        let cwd = self.commands.selected.as_ref().filter(|_| is_from_command).map(|selected| selected.cwd());
        let project = self.machine.project().unwrap_or_else(|| self.cwd());
        let project = if named.is_of_relative_file() { self.policy_directory()? } else { project };
        let mut unknown = None;
        for name in self.value(value, form)? {
            if let Scalar::PartlyKnown(word) = &name {
                unknown = unknown.or_else(|| word.unknown_reason().map(Reason::from));
            }
            let Some(name) = name.as_text() else { continue };
            if allowed_base.is_some_and(|base| !self.is_in_directory_of(base, project, cwd.flatten(), name)) {
                unknown = unknown.or_else(|| Some(Reason::fact(fact_keyword(fact), UNTRUSTED.to_owned())));
                continue;
            }
            match (cwd, self.unknown_location(name)) {
                (Some(_), Some(reason)) => unknown = unknown.or(Some(reason)),
                (base, _) => values.extend(self.file_fact(fact, base.flatten().unwrap_or(project), name)?),
            }
        }
        // If one file certainly exists, the condition holds whatever the others are.
        if let Some(reason) = unknown.filter(|_| !values.contains(&Scalar::Boolean(true))) {
            return Err(reason);
        }
        Ok(values)
    }

    /// Whether a file that a condition names is in the policy's directory, both by its name and after its links are
    /// resolved. `project` is the project's directory in the relevant working tree, and `base` the directory to which
    /// `name` is relative, if that is not `project`.
    fn is_in_directory_of(&self, policy: &PolicyBase, project: &Path, base: Option<&Path>, name: &str) -> bool {
        if self.machine.project().is_none() {
            return false;
        }
        let directory = normalise(&policy.prefix(), project, None);
        let path = self.machine.normal_path(name, base.unwrap_or(project), self.machine.home());
        contains(&directory, &path)
            && contains(
                &self.machine.convert_to_form(directory.clone(), PathForm::Physical),
                &self.machine.convert_to_form(path, PathForm::Physical),
            )
    }

    /// Returns a property of one file. `base` is the directory to which a relative name is relative.
    fn file_fact(&self, fact: FileFact, base: &Path, name: &str) -> Result<Option<Scalar<'static>>, Reason> {
        let path = self.machine.normal_path(name, base, self.machine.home());
        if let Some(why) = self.earlier_change(&path)? {
            return Err(Reason::changed_fact(fact_keyword(fact), why));
        }
        Ok(match fact {
            // A fact without a value means that the file does not exist.
            FileFact::Exists => {
                Some(Scalar::Boolean(fact_or_reason(self.machine.file_exists(&path), "file_exists")?.unwrap_or(false)))
            }
            #[expect(clippy::cast_precision_loss, reason = "sizes over 2^53 bytes do not occur")]
            FileFact::Size => {
                fact_or_reason(self.machine.file_size(&path), "file_size")?.map(|size| Scalar::Number(size as f64))
            }
        })
    }
}

/// Why a policy that is not trusted cannot look up files outside its directory.
const UNTRUSTED: &str = "a policy that is not trusted is told nothing of what is outside its project";

/// Returns the keyword that names a property of files in a policy.
fn fact_keyword(fact: FileFact) -> &'static str {
    match fact {
        FileFact::Exists => "file_exists",
        FileFact::Size => "file_size",
    }
}

/// Converts the error of a fact to the reason why the fact cannot be read.
fn fact_or_reason<T>(fact: Result<Option<T>, impl Into<UnreadCause>>, name: &'static str) -> Result<Option<T>, Reason> {
    fact.map_err(|reason| Reason::fact(name, reason))
}

/// Collects the values at a path of member names in a JSON value. Lists on the path and at its end are replaced by
/// their elements.
fn collect<'j>(json: &'j Json, path: &[String], out: &mut Vec<&'j Json>) {
    match (json, path.split_first()) {
        (Json::Array(items), _) => items.iter().for_each(|item| collect(item, path, out)),
        (Json::Object(members), Some((first, rest))) => {
            if let Some(member) = members.get(first) {
                collect(member, rest, out);
            }
        }
        (_, None) => out.push(json),
        (_, Some(_)) => {}
    }
}
