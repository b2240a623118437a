//! The registration that this program needs in a host's settings, and the edits that write or remove it.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::{Handler, JsonDocument, JsonMistake, RegisteredHook, SettingsFile, SettingsScope, StartForm};
use crate::host::{DEFAULT_WAIT, Host};
use crate::policy::Policy;
use crate::ruleset::{Effect, Rule, RuleMode};
use crate::schema::{Event, HostVersion};
use hookrules_shell::quote::quote_unless;

/// How long the host is told to wait for a hook, apart from the time for the commands of rules.
pub(super) const BASE_WAIT: Duration = Duration::from_secs(60);

/// The events that are registered for every policy: calls, the host's own questions, changes of its settings, and the
/// start of a session, on which the hook checks the policy.
const ALWAYS: [Event; 5] = [
    Event::PreToolUse,
    Event::PermissionRequest,
    Event::PreSkillShellCommand,
    Event::ConfigChange,
    Event::SessionStart,
];

/// The events that report how a call ended (`rules install --audit`). With them, the call that really ran is judged
/// once more, and the log has the answers to questions.
pub const AUDIT: [Event; 3] = [Event::PostToolUse, Event::PostToolUseFailure, Event::PermissionDenied];

/// Whether an event is missing in the oldest supported version of Claude Code, and is registered only if a rule names
/// it. A version that does not have the event warns its user if the settings name it.
#[must_use]
pub fn is_newer(event: Event) -> bool {
    HostVersion::first_with_event(event).is_some() && !ALWAYS.contains(&event)
}

/// The events to register, each with its registration.
pub type EventRegistrations = BTreeMap<Event, EventRegistration>;

/// How the hook is registered for an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventRegistration {
    /// How long the host is told to wait for the answer, at most its default time.
    pub wait: Duration,
    /// What the host does if the hook fails.
    pub on_failure: OnFailure,
}

/// What the host does if a hook cannot start, crashes or takes too long.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OnFailure {
    /// The host proceeds with the event.
    Passes,
    /// The host blocks the event.
    Blocks,
}

impl EventRegistration {
    /// The registration if no rule on the event can stop it or run commands.
    const LEAST: Self = Self { wait: BASE_WAIT, on_failure: OnFailure::Passes };

    /// Returns the registration for an event of [`ALWAYS`], without regard to the rules.
    fn minimal(event: Event) -> Self {
        let on_failure = if is_guarding_event(event) { OnFailure::Blocks } else { OnFailure::Passes };
        Self { on_failure, ..Self::LEAST }
    }
}

/// Whether a failure of the hook must block this event even if no rule can block it. That holds for the events of
/// [`ALWAYS`] that can be denied.
pub(super) fn is_guarding_event(event: Event) -> bool {
    ALWAYS.contains(&event) && event.spec().answers.deny
}

/// Returns the events to register for a policy if the version of the host is unknown.
///
/// WorktreeCreate is included only if a rule names it, because a host with a hook on it fails unless the hook prints
/// the path of a worktree. The same applies to events that only newer versions have.
#[must_use]
pub fn policy_events(policy: &Policy) -> EventRegistrations {
    events_to_register(policy, None)
}

/// Returns the events to register for a policy with a host of this version. If the version is unknown, a newer event is
/// included only if a rule names it (see [`is_newer`]). PreSkillShellCommand is always included, because an older host
/// only warns about it.
#[must_use]
pub fn events_to_register(policy: &Policy, version: Option<HostVersion>) -> EventRegistrations {
    let may_exist = |event: &Event| HostVersion::has_event(version, *event) != Some(false);
    let always = ALWAYS.into_iter().filter(may_exist);
    let mut events: EventRegistrations = always.map(|event| (event, EventRegistration::minimal(event))).collect();
    for rule in policy.rules.rules().iter().filter(|rule| rule.traits.mode != RuleMode::Off) {
        let is_needed = |event: &Event| HostVersion::has_event(version, *event).unwrap_or(!rule.head.every_event);
        for event in rule.head.event_set().into_iter().filter(is_needed) {
            let entry = events.entry(event).or_insert(EventRegistration::LEAST);
            entry.wait = entry.wait.saturating_add(longest_command_time(rule, event)).min(DEFAULT_WAIT);
            if rule.can_stop(event) {
                entry.on_failure = OnFailure::Blocks;
            }
        }
    }
    events
}

/// Adds the events of [`AUDIT`] to those that are registered.
pub fn audit(events: &mut EventRegistrations) {
    for event in AUDIT {
        events.entry(event).or_insert(EventRegistration::LEAST);
    }
}

/// Returns the sum of the timeouts of a rule's commands. Background commands are left out, because the hook does not
/// wait for them.
fn longest_command_time(rule: &Rule, event: Event) -> Duration {
    let runs = rule.effects.iter().filter_map(|effect| match effect {
        Effect::Run(run) if !run.options.background => Some(run),
        _ => None,
    });
    let times = runs.map(|run| run.timeout.or(event.spec().run_timeout).unwrap_or(DEFAULT_WAIT));
    times.fold(Duration::ZERO, Duration::saturating_add)
}

/// A registration to write into a settings file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedRegistration {
    /// The scope of the settings.
    pub scope: SettingsScope,
    /// The program: an absolute path or, in a project's shared settings, which are used on several machines, only a
    /// name.
    pub program: String,
    /// The id that makes this command line unique. Without it, a repository could register the same command line, and
    /// the host would run that registration instead. `None` in a project's shared settings.
    pub id: Option<String>,
    /// Whether the host is new enough to know `onFailure`, and to start programs without a shell.
    pub host_blocks_failures: bool,
    /// Arguments that the user added with `--pass`: `--state-dir=/var/rules`.
    pub user_arguments: Vec<String>,
    /// The events to register.
    pub events: EventRegistrations,
    /// Whether events that `rules install` registered before stay registered if they are not in `events`. In the user's
    /// settings they do, because another project may need them.
    pub keeps_others: bool,
}

/// The names of the events whose registration an edit changes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RegistrationChanges {
    /// Events that were not registered.
    pub added: Vec<String>,
    /// Events whose registration was different.
    pub changed: Vec<String>,
    /// Events that are no longer registered.
    pub removed: Vec<String>,
}

impl RegistrationChanges {
    /// Whether the edit changes nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

impl WantedRegistration {
    /// Returns the arguments of the program, among them `--timeout` with this time.
    fn words(&self, wait: Duration) -> Vec<String> {
        hook_words(Host::CLAUDE_CODE, self.scope, self.id.as_deref(), Some(wait), &self.user_arguments)
    }

    /// Returns the hook for an event as JSON. For a host that knows `onFailure`, it has `args`. For others, it has a
    /// shell text, which ends in `|| exit 2` if a failure must block.
    #[must_use]
    pub fn handler(&self, event: EventRegistration) -> Json {
        let words = self.words(event.wait);
        let timeout = event.wait.as_secs();
        let blocks = event.on_failure == OnFailure::Blocks;
        let mut handler = if self.host_blocks_failures {
            json!({ "type": "command", "command": self.program, "args": words, "timeout": timeout })
        } else {
            let line: Vec<String> =
                [&self.program].into_iter().chain(&words).map(|word| quote_for_shell(word)).collect();
            let guard = if blocks { " || exit 2" } else { "" };
            json!({ "type": "command", "command": format!("{}{guard}", line.join(" ")), "timeout": timeout })
        };
        // Older versions of the host ignore this member.
        if let Some(members) = handler.as_object_mut().filter(|_| blocks) {
            members.insert("onFailure".to_owned(), json!("block"));
        }
        handler
    }

    /// Returns the hook that replaces the one that `rules install` wrote before. If that blocks on failure and is in
    /// the user's settings, the new one does so too, because another project may need that.
    fn replacement(&self, event: EventRegistration, existing: &Handler) -> Json {
        let blocks = self.keeps_others && existing.is_blocking_on_failure();
        let on_failure = if blocks { OnFailure::Blocks } else { event.on_failure };
        self.handler(EventRegistration { on_failure, ..event })
    }
}

/// Returns the arguments with which a host starts the hook: `hook codex --scope project --require-policy --timeout 60`.
pub(super) fn hook_words(
    host: Host,
    scope: SettingsScope,
    id: Option<&str>,
    wait: Option<Duration>,
    user_arguments: &[String],
) -> Vec<String> {
    let mut words: Vec<String> = ["hook", host.name(), "--scope", scope.name()].map(str::to_owned).to_vec();
    words.extend(id.into_iter().flat_map(|id| ["--id", id]).map(str::to_owned));
    // A registration for one project is meant to guard it, so that calls must not pass on a branch without the policy.
    if matches!(scope, SettingsScope::Project | SettingsScope::Local) {
        words.push("--require-policy".to_owned());
    }
    words.extend(wait.into_iter().flat_map(|wait| ["--timeout".to_owned(), wait.as_secs().to_string()]));
    words.extend(user_arguments.iter().cloned());
    words
}

/// Quotes a word for a shell, if necessary.
pub(super) fn quote_for_shell(word: &str) -> String {
    quote_unless(word, |c| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c))
}

/// Whether a hook that runs this program was written by `rules install`, in settings of this scope. Otherwise it was
/// written by hand: its `--scope` is missing or differs, or its shell text does something else as well.
#[must_use]
pub fn is_installed(scope: SettingsScope, registered: &RegisteredHook) -> bool {
    registered.option("--scope") == Some(scope.name())
        && !matches!(registered.form, StartForm::Shell { plain: false, .. })
}

/// Returns the `--id` of the registration that `rules install` wrote into these settings, if there is one.
#[must_use]
pub fn installed_id(settings: &SettingsFile) -> Option<String> {
    let own = settings.own_hooks();
    let installed = own.iter().filter(|(_, registered)| is_installed(settings.scope, registered));
    installed.filter_map(|(_, registered)| registered.option("--id")).next().map(str::to_owned)
}

/// The options of the hook that `rules install --pass` accepts. The value of each is a directory.
pub const PASSED: [&str; 4] = ["--config-dir", "--state-dir", "--cache-dir", "--managed-dir"];

/// Returns the `--pass` options of the registration that `rules install` wrote into these settings.
#[must_use]
pub fn installed_options(settings: &SettingsFile) -> Vec<String> {
    let own = settings.own_hooks();
    let Some((_, registered)) = own.iter().find(|(_, registered)| is_installed(settings.scope, registered)) else {
        return Vec::new();
    };
    let option = |name: &&str| registered.option(name).map(|directory| format!("{name}={directory}"));
    PASSED.iter().filter_map(option).collect()
}

/// Returns the settings with the wanted registration, and which events changed. Hooks that `rules install` wrote before
/// are replaced. Unless `keeps_others` is set, those for events that are no longer wanted are removed. Every other
/// value stays.
///
/// # Errors
/// Fails if `hooks` or an event in it is not of the expected type.
pub fn install(
    settings: &SettingsFile,
    document: &JsonDocument,
    wanted: &WantedRegistration,
) -> Result<(JsonDocument, RegistrationChanges), JsonMistake> {
    let mut changes = RegistrationChanges::default();
    let mut document = document.clone();
    for (event, registration) in &wanted.events {
        let name = event.name();
        let own_hooks = installed_hooks_on_event(settings, &document, name);
        let Some((first, others)) = own_hooks.split_first() else {
            let group = json!({ "matcher": "*", "hooks": [wanted.handler(*registration)] });
            document = document.append(&["hooks", name], &group)?;
            changes.added.push(name.to_owned());
            continue;
        };
        let handler = wanted.replacement(*registration, first);
        // Whether the existing hook is already the wanted one.
        let is_up_to_date = document
            .node_at(&first.path)
            .is_some_and(|node| to_json(&document, node.range.clone()) == Some(handler.clone()));
        if is_up_to_date && first.is_for_all() && others.is_empty() {
            continue;
        }
        changes.changed.push(name.to_owned());
        // From the last to the first, so that the paths of the remaining hooks stay valid.
        for other in others.iter().rev() {
            document = remove_hook(&document, other)?.unwrap_or(document);
        }
        if first.is_for_all() {
            document = document.replace(&first.path, &handler)?;
        } else {
            document = remove_hook(&document, first)?.unwrap_or(JsonDocument::parse(String::new())?);
            document = document.append(&["hooks", name], &json!({ "matcher": "*", "hooks": [handler] }))?;
        }
    }
    if !wanted.keeps_others {
        let stale = |name: &str| Event::from_name(name).is_none_or(|event| !wanted.events.contains_key(&event));
        while let Some(handler) =
            installed_hooks(settings, &document).into_iter().rfind(|handler| stale(&handler.event))
        {
            changes.removed.push(handler.event.clone());
            document = remove_hook(&document, &handler)?.unwrap_or(JsonDocument::parse(String::new())?);
        }
    }
    Ok((document, changes))
}

/// Returns the settings without the hooks that `rules install` wrote, and which events changed. The document is `None`
/// if the settings contained nothing else.
///
/// # Errors
/// Fails if the remaining text cannot be parsed, which is a bug of the program.
pub fn uninstall(
    settings: &SettingsFile,
    document: &JsonDocument,
) -> Result<(Option<JsonDocument>, RegistrationChanges), JsonMistake> {
    let mut changes = RegistrationChanges::default();
    let mut document = document.clone();
    while let Some(handler) = installed_hooks(settings, &document).pop() {
        changes.removed.push(handler.event.clone());
        match remove_hook(&document, &handler)? {
            Some(rest) => document = rest,
            None => return Ok((None, changes)),
        }
    }
    Ok((Some(document), changes))
}

/// Returns the hooks that `rules install` wrote, in the order of the document.
fn installed_hooks(settings: &SettingsFile, document: &JsonDocument) -> Vec<Handler> {
    let settings = SettingsFile { document: Ok(document.clone()), ..settings.clone() };
    let own = settings.own_hooks().into_iter();
    own.filter(|(_, registered)| is_installed(settings.scope, registered)).map(|(handler, _)| handler).collect()
}

/// Returns the hooks that `rules install` wrote for an event.
fn installed_hooks_on_event(settings: &SettingsFile, document: &JsonDocument, event: &str) -> Vec<Handler> {
    installed_hooks(settings, document).into_iter().filter(|handler| handler.event == event).collect()
}

/// Removes a hook or, if its group has no other hook, the whole group. `None` if nothing is left of the document.
fn remove_hook(document: &JsonDocument, handler: &Handler) -> Result<Option<JsonDocument>, JsonMistake> {
    let group_path_len = handler.path.len().saturating_sub(2);
    let path = if handler.is_alone { handler.path.get(..group_path_len) } else { Some(handler.path.as_slice()) };
    document.remove(path.unwrap_or_default())
}

/// Parses a byte range of a document.
fn to_json(document: &JsonDocument, range: std::ops::Range<usize>) -> Option<Json> {
    serde_json::from_str(document.text().get(range)?).ok()
}

#[cfg(test)]
mod tests;
