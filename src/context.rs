//! The event as conditions see it: the payload's fields, derived fields and facts, looked up on demand.
//!
//! A lookup returns values, possibly an empty list, or a reason why they are unknown. It decides nothing.

mod agent;
mod analyses;
mod call;
mod charge;
mod command;
mod connected;
mod derived;
mod earlier;
mod foreign_shape;
mod in_files;
mod likely;
mod looked;
mod paths;
mod reason;
mod recorded;
mod scalar;
mod shell;
mod touched;
mod views;

pub use analyses::Analyses;
pub use connected::{Contact, Contacts};
pub use derived::file_uri;
pub use looked::{Found, Sieve};
pub use paths::{Form, Region};
pub use reason::{Reason, Unread};
pub use scalar::{Scalar, Values};
pub use shell::{ShellRole, ShellText};
pub use touched::{At, Reach, Touched, Touches};
pub use views::Views;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde_json::Value as Json;

use crate::budget::Budget;
use crate::config::LayerKind;
pub use crate::config::ShellTools;
use crate::facts::Facts;
use crate::ruleset::{Derived, FactName, Literal, Source, Value};
use crate::schema::{Event, Shell, Type, tool};
use crate::syntax::ast::FileFact;
use crate::types::Payload;
use hookrules_shell::RepositoryFact;
use hookrules_shell::path::{Roots, contains, normalise};

/// One event, as conditions see it.
pub struct Context<'a> {
    payload: &'a Payload,
    /// The tool's name and input, cached because most lookups need them.
    tool_name: Option<&'a str>,
    tool_input: Option<&'a Json>,
    host: &'a str,
    facts: &'a dyn Facts,
    shell_tools: &'a ShellTools,
    /// The layer whose rules see the event like this.
    seen_by: LayerKind,
    /// The members of the input that are commands for this layer's rules, because layers declare them.
    stated: Vec<&'a str>,
    /// The call's tool records, as this layer's rules read it. Contexts of the same call share it.
    recorded: Rc<recorded::Recorded>,
    /// Whether there is a command that cannot be read, cached.
    has_unreadable_command: OnceCell<bool>,
    /// The shape of a built-in tool's input, cached: every derived field asks for it.
    input_shape: OnceCell<foreign_shape::InputShape>,
    /// Shared with the contexts of the call's commands.
    directories: Rc<Directories>,
    cwd: OnceCell<PathBuf>,
    /// The file names in the input that conditions look at, cached.
    files: OnceCell<derived::Files>,
    /// The files that the tool itself touches, cached: rules and guards ask for the same ones.
    by_tool: touched::ByTool,
    /// The subject of the call, cached.
    subject: OnceCell<Option<String>>,
    json: OnceCell<Json>,
    budget: Rc<Budget>,
    /// The number of values in the payload, counted at the first JSONPath.
    json_values: OnceCell<u64>,
    looked: Rc<looked::Looked>,
    /// The stopped agent according to the transcript, cached.
    called_agent: OnceCell<charge::MachineFact<String>>,
    /// The analysed shell command, cached. Contexts of the same call share it.
    shell: Rc<OnceCell<Option<ShellText>>>,
    /// Analyses of earlier calls, if they are kept.
    analyses: Option<&'a Analyses>,
    asked_again: bool,
    /// The command that a `where` tests.
    selected: Option<command::SelectedCommand<'a>>,
    /// The command for which git and files are looked up: in its directory, at its time.
    beside: Option<command::SelectedCommand<'a>>,
}

/// The directories that paths are resolved against, each cached.
#[derive(Default)]
struct Directories {
    roots: OnceCell<Roots>,
    /// The two roots that every call with a file needs; the others are more expensive to find.
    project: OnceCell<Option<PathBuf>>,
    home: OnceCell<Option<PathBuf>>,
    physical_roots: OnceCell<charge::Kept<Roots>>,
    /// Whether the file system folds names that differ only in case.
    folds_names: OnceCell<bool>,
}

impl<'a> Context<'a> {
    /// Creates the context of a payload, as the rules of the lowest layer see it; [`Views`] has those of the others.
    #[must_use]
    pub fn new(payload: &'a Payload, host: &'a str, facts: &'a dyn Facts, shell_tools: &'a ShellTools) -> Self {
        let (cwd, json) = (OnceCell::new(), OnceCell::new());
        let (budget, json_values, asked_again) = (Rc::default(), OnceCell::new(), false);
        let (looked, called_agent) = (Rc::default(), OnceCell::new());
        let (files, subject) = (OnceCell::new(), OnceCell::new());
        let (shell, seen_by) = (Rc::default(), LayerKind::Local);
        let tool_name = payload.tool_name();
        Self {
            payload,
            tool_name,
            tool_input: payload.tool_input(),
            host,
            facts,
            shell_tools,
            seen_by,
            stated: shell_tools.members_of(tool_name, payload.tool_input(), seen_by),
            recorded: Rc::default(),
            has_unreadable_command: OnceCell::new(),
            input_shape: OnceCell::new(),
            directories: Rc::default(),
            cwd,
            files,
            by_tool: Default::default(),
            subject,
            json,
            budget,
            json_values,
            looked,
            called_agent,
            shell,
            analyses: None,
            asked_again,
            selected: None,
            beside: None,
        }
    }

    /// Looks up and stores analyses of shell texts here.
    #[must_use]
    pub fn remembering(self, analyses: &'a Analyses) -> Self {
        Self { analyses: Some(analyses), ..self }
    }

    /// Creates the context of another payload of the same event, such as a rewritten one.
    #[must_use]
    pub fn with_payload<'b>(&'b self, payload: &'b Payload) -> Context<'b> {
        let context = Context::new(payload, self.host, self.facts, self.shell_tools).seen_by(self.seen_by);
        let (budget, looked) = (Rc::clone(&self.budget), Rc::clone(&self.looked));
        Context { budget, looked, analyses: self.analyses, ..context }
    }

    /// Returns the context as the rules of a layer see it.
    fn seen_by(self, layer: LayerKind) -> Self {
        if layer == self.seen_by {
            return self;
        }
        let stated = self.shell_tools.members_of(self.tool_name, self.tool_input, layer);
        let (has_unreadable_command, input_shape) = (OnceCell::new(), OnceCell::new());
        Self { seen_by: layer, stated, recorded: Rc::default(), has_unreadable_command, input_shape, ..self }
    }

    /// Creates the same context with its own budget, so that output for people costs the event nothing.
    #[must_use]
    pub fn for_people(&self) -> Context<'_> {
        Context::new(self.payload, self.host, self.facts, self.shell_tools).seen_by(self.seen_by)
    }

    /// Charges this budget instead of its own.
    #[must_use]
    pub fn charging(self, budget: Rc<Budget>) -> Self {
        Self { budget, ..self }
    }

    /// Creates the context in which PreToolUse rules see another event about a call, given its
    /// [`Payload::first_asked`]: fields that a permission request does not repeat are unknown.
    #[must_use]
    pub fn asked_again<'b>(&'b self, payload: &'b Payload) -> Context<'b> {
        let asked_again = self.payload.event == Event::PermissionRequest;
        let mut context = Context { asked_again, ..self.with_payload(payload) };
        let is_same = self.payload.tool_name() == payload.tool_name()
            && self.payload.tool_input() == payload.tool_input()
            && self.payload.text("cwd") == payload.text("cwd");
        if is_same && self.selected.is_none() {
            context.shell.clone_from(&self.shell);
        }
        context
    }

    /// Returns the payload.
    #[must_use]
    pub fn payload(&self) -> &'a Payload {
        self.payload
    }

    /// Returns the directories that paths are resolved against.
    pub fn roots(&self) -> &Roots {
        self.directories.roots.get_or_init(|| Roots {
            project: self.project().map(Path::to_path_buf),
            worktrees: self.facts.worktrees(),
            home: self.home().map(Path::to_path_buf),
            tmp: self.facts.tmp(),
        })
    }

    /// Returns the project's directory.
    pub fn project(&self) -> Option<&Path> {
        self.directories.project.get_or_init(|| self.facts.project()).as_deref()
    }

    /// Returns the account's home directory.
    pub fn home(&self) -> Option<&Path> {
        self.directories.home.get_or_init(|| self.facts.home()).as_deref()
    }

    /// Returns the directories at which globs begin, in the form in which paths are compared: a project that is reached
    /// through a symbolic link is the same project.
    pub fn roots_in(&self, form: Form) -> &Roots {
        if form == Form::Lexical {
            return self.roots();
        }
        self.kept(&self.directories.physical_roots, || {
            let lexical = self.roots();
            let resolve = |path: &PathBuf| self.resolve(path);
            Roots {
                project: lexical.project.as_ref().map(resolve),
                worktrees: lexical.worktrees.iter().map(resolve).collect(),
                home: lexical.home.as_ref().map(resolve),
                tmp: lexical.tmp.iter().map(resolve).collect(),
            }
        })
    }

    /// Returns the working directory of the selected command if it is known, else the payload's, else the project's.
    pub fn cwd(&self) -> &Path {
        self.cwd.get_or_init(|| {
            if let Some(cwd) = self.selected.and_then(|selected| selected.cwd()) {
                return cwd.to_owned();
            }
            let cwd = self.payload.text("cwd").filter(|cwd| cwd.len() <= derived::PATH_BYTES);
            let cwd = cwd.map(|cwd| normalise(cwd, Path::new("/"), None));
            cwd.or_else(|| self.project().map(Path::to_path_buf)).unwrap_or_else(|| PathBuf::from("/"))
        })
    }

    /// Returns the text and the language of the call's shell command.
    #[must_use]
    pub fn shell_command(&self) -> Option<(&'a str, Shell)> {
        let name = self.tool_name?;
        let shell = tool(name).map_or(Shell::Bash, |tool| tool.shell);
        let command = self.tool_input?.get(self.command_member()?)?.as_str()?;
        Some((command, shell))
    }

    /// Returns the member of the tool's input that holds the shell command.
    #[must_use]
    pub fn command_member(&self) -> Option<&str> {
        let name = self.tool_name?;
        let input = self.tool_input?;
        let holds = |member: &&str| input.get(*member).is_some_and(|value| !value.is_null());
        self.stated.iter().copied().find(holds).or_else(|| tool(name)?.command)
    }

    /// Whether the call may run a command that is not a plain string in the expected member: a list, an object, one of
    /// several members, or a nested member in the input of an unlisted tool.
    #[must_use]
    pub fn has_unreadable_command(&self) -> bool {
        *self.has_unreadable_command.get_or_init(|| self.is_command_unreadable())
    }

    fn is_command_unreadable(&self) -> bool {
        let Some(name) = self.tool_name else { return false };
        let is_said = |value: &Json| !value.is_null();
        let known = tool(name);
        let is_stated = !self.stated.is_empty();
        if !is_stated && known.is_some_and(|tool| tool.command.is_none()) {
            return false;
        }
        if !is_stated && known.is_some() {
            // A missing command may be in any other member. Two commands are not combined.
            let is_missing = self.missing_member(|spec, name| spec.command == Some(name)).is_some();
            if is_missing && self.command_of_unknown_members().is_none() || self.may_run_another() {
                return true;
            }
        }
        let Some(input) = self.tool_input else { return false };
        let Some(members) = input.as_object() else { return is_said(input) };
        if is_stated || known.is_some() {
            let own = known.and_then(|tool| tool.command).filter(|own| !self.stated.contains(own));
            let named = self.stated.iter().copied().chain(own);
            let several = named.filter(|member| members.get(*member).is_some_and(is_said));
            let command = self.command_member().and_then(|member| members.get(member));
            let is_odd = command.is_some_and(|command| is_said(command) && !command.is_string());
            // Whether separate arguments belong to the command is not declared.
            let is_part = is_stated && command.is_some_and(is_said) && likely::has_arguments(members);
            return several.count() > 1 || is_odd || is_part;
        }
        let is_known = |member: &str| self.is_recorded(member);
        let unfolded = likely::unfolded(members, &is_known);
        self.commands_of_records().is_err() || likely::is_odd(unfolded.as_ref().unwrap_or(members), &is_known)
    }

    /// Whether file names that differ only in case or normal form are the same name here.
    #[must_use]
    pub fn folds_names(&self) -> bool {
        *self.directories.folds_names.get_or_init(|| matches!(self.facts.os(), Ok(Some(os)) if os != "linux"))
    }

    /// Looks up a source.
    pub fn lookup(&self, source: &Source, form: Form) -> Result<Values<'_>, Reason> {
        let is_path = match source {
            Source::Raw { ty, .. } => matches!(ty, Type::Path | Type::List(Type::Path)),
            Source::Derived(derived) => *derived == Derived::Path,
            _ => false,
        };
        if is_path && self.names_too_much() {
            return Err(Reason::too_many_paths());
        }
        match source {
            Source::Raw { path, .. } if self.leaves_open(path) => Err(Reason::open_agent()),
            Source::Raw { path, ty } => {
                match self.lacking().find(|name| path.first().is_some_and(|first| first == name)) {
                    Some(name) => Err(Reason::lacking(name)),
                    None => Ok(self.raw(path, *ty, form)),
                }
            }
            Source::JsonPath(path) => match self.lacking().find(|name| path.may_look_at(name)) {
                Some(name) => Err(Reason::lacking(name)),
                None => self.json_path(path),
            },
            Source::Derived(derived) => self.derived(*derived, form),
            Source::Fact(fact) => self.fact(fact, form),
            Source::Constant(text) => Ok(vec![Scalar::text(text.to_string())]),
            Source::Where(field) => self.of_where(field, form),
        }
    }

    /// Looks up the right side of a test.
    pub fn value<'b>(&'b self, value: &'b Value, form: Form) -> Result<Values<'b>, Reason> {
        match value {
            Value::Literal(Literal::Text(text)) => Ok(vec![Scalar::Text(text.as_str().into())]),
            Value::Literal(Literal::Number(number)) => Ok(vec![Scalar::Number(*number)]),
            Value::Literal(Literal::Boolean(truth)) => Ok(vec![Scalar::Boolean(*truth)]),
            Value::Source(source) => self.lookup(source, form),
        }
    }

    /// Whether a field is about the acting agent and the payload leaves open which agent that is.
    fn leaves_open(&self, path: &[String]) -> bool {
        matches!(path, [name, ..] if name == "agent_id" || name == "agent_type") && self.payload.leaves_open_who_acts()
    }

    /// Returns the fields that PreToolUse carried when the same call was first asked about, and that this request
    /// lacks.
    fn lacking(&self) -> impl Iterator<Item = &'static str> {
        let fields = self.asked_again.then(|| Event::PreToolUse.fields()).into_iter().flatten();
        let carries = |name: &str| Event::PermissionRequest.fields().any(|field| field.name == name);
        let names = fields.map(|field| field.name).filter(move |name| !carries(name));
        names.filter(|name| !self.payload.json.contains_key(*name))
    }

    fn raw(&self, path: &[String], ty: Type, form: Form) -> Values<'_> {
        let is_path = matches!(ty, Type::Path | Type::List(Type::Path));
        // Most values are a text exactly at the path.
        if !is_path && let Some(Json::String(text)) = self.member(path) {
            return vec![Scalar::Text(text.as_str().into())];
        }
        let mut found = Vec::new();
        if let Some((first, rest)) = path.split_first()
            && let Some(json) = self.payload.member(first)
        {
            collect(json, rest, &mut found);
        }
        let is_text = is_path || matches!(ty, Type::String | Type::List(Type::String));
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

    /// Returns the value that a path reaches through objects only.
    fn member(&self, path: &[String]) -> Option<&Json> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.payload.member(first)?, |json, name| json.as_object()?.get(name))
    }

    fn json_path(&self, path: &crate::ruleset::JsonPath) -> Result<Values<'_>, Reason> {
        self.charge_json_path(path.passes, path.squares)?;
        let whole = self.json.get_or_init(|| Json::Object(self.payload.json.clone()));
        let query = path.query().ok_or_else(Reason::json_path)?;
        // The query was checked when the policy was compiled; a query that still fails finds nothing.
        let found = jsonpath_rust::query::js_path_process(query, whole).unwrap_or_default();
        let mut values = Vec::new();
        for reference in found {
            collect(reference.val(), &[], &mut values);
        }
        Ok(values.into_iter().filter_map(Scalar::from_json).collect())
    }

    fn fact(&self, named: &FactName, form: Form) -> Result<Values<'_>, Reason> {
        let text = |value: Option<String>| value.map(Scalar::text).into_iter().collect();
        Ok(match named {
            FactName::Env(name) => text(known(self.facts.env(name), "env")?),
            FactName::Os => text(known(self.facts.os(), "os")?),
            // `kill` takes a process by its number, and a process group by the negated number of its leader.
            FactName::HostPids => {
                let pids = known(self.facts.host_pids(), "host_pids")?.unwrap_or_default();
                pids.iter().flat_map(|pid| [Scalar::text(pid.to_string()), Scalar::text(format!("-{pid}"))]).collect()
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
            FactName::File(fact, value) | FactName::OwnFile(fact, value) => {
                let is_confined = matches!(named, FactName::OwnFile(..));
                let mut values = Vec::new();
                // A name from a command is relative to its working directory, one from the policy to the project.
                let is_where = matches!(**value, Value::Source(Source::Where(_)));
                let cwd = self.selected.as_ref().filter(|_| is_where).map(|selected| selected.cwd());
                let mut unknown = None;
                for name in self.value(value, form)? {
                    if let Scalar::Partly(word) = &name {
                        unknown = unknown.or_else(|| word.why().map(Reason::from));
                    }
                    let Some(name) = name.as_text() else { continue };
                    if is_confined && !self.lies_in_project(cwd.flatten(), name) {
                        unknown = unknown.or_else(|| Some(Reason::fact(word(*fact), UNTRUSTED.to_owned())));
                        continue;
                    }
                    match (cwd, self.nowhere(name)) {
                        (Some(_), Some(reason)) => unknown = unknown.or(Some(reason)),
                        (base, _) => values.extend(self.file_fact(*fact, base.flatten(), name)?),
                    }
                }
                // A file that certainly exists decides, even if others are unknown.
                if let Some(reason) = unknown.filter(|_| !values.contains(&Scalar::Boolean(true))) {
                    return Err(reason);
                }
                values
            }
        })
    }

    /// Whether a file that a condition names is in the project, both by its name and by its resolved path.
    fn lies_in_project(&self, base: Option<&Path>, name: &str) -> bool {
        let Some(project) = self.project() else { return false };
        let path = normalise(name, base.unwrap_or(project), self.home());
        contains(project, &path)
            && contains(&self.in_form(project.to_path_buf(), Form::Physical), &self.in_form(path, Form::Physical))
    }

    fn file_fact(&self, fact: FileFact, base: Option<&Path>, name: &str) -> Result<Option<Scalar<'static>>, Reason> {
        let base = base.or(self.project()).unwrap_or_else(|| self.cwd());
        let path = normalise(name, base, self.home());
        if let Some(why) = self.changed_earlier(&path)? {
            return Err(Reason::changed(word(fact), why));
        }
        Ok(match fact {
            // Without an answer, the file does not exist.
            FileFact::Exists => Some(Scalar::Boolean(known(self.file_exists(&path), "file_exists")?.unwrap_or(false))),
            #[expect(clippy::cast_precision_loss, reason = "sizes over 2^53 bytes do not occur")]
            FileFact::Size => known(self.file_size(&path), "file_size")?.map(|size| Scalar::Number(size as f64)),
        })
    }
}

/// Why an untrusted policy learns nothing about files outside the project.
const UNTRUSTED: &str = "a policy that is not trusted is told nothing of what is outside its project";

/// Returns the keyword of a file fact.
fn word(fact: FileFact) -> &'static str {
    match fact {
        FileFact::Exists => "file_exists",
        FileFact::Size => "file_size",
    }
}

fn known<T>(fact: Result<Option<T>, impl Into<Unread>>, name: &'static str) -> Result<Option<T>, Reason> {
    fact.map_err(|reason| Reason::fact(name, reason))
}

/// Follows a path into a value, through lists, and flattens what it finds.
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
