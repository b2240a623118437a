//! The failure policy: the verdict on an event when something is wrong.

use std::mem;
use std::path::Path;

use crate::action::is_first_in_session;
use crate::config::{EffectiveSettings, LayerKind, LayerSettings, OnError};
use crate::diagnostic::{Diagnostic, DiagnosticFormat, render};
use crate::escape::line;
use crate::host::{DecodedPayload, Host, HostOutput, decode, refusal};
use crate::platform::paths::shown;
use crate::policy::Policy;
use crate::project::{self, TrustRequirement};
use crate::schema::Event;
use crate::types::{Payload, PayloadOrigin};
use crate::verdict::{Additions, Decision, Note, Verdict};

use super::fuse::OUT_OF_TIME;
use super::{Registration, deferred_texts};

/// The maximum number of characters of an event's name in a message.
const MAX_NAME_CHARS: usize = 100;

/// The maximum number of characters of a path in a message.
const MAX_PATH_CHARS: usize = 300;

/// The failure policy of one event: it collects the votes and texts for everything that is broken, such as a layer
/// that does not load.
pub struct FailurePolicy<'p> {
    /// What a failure does to the event: `allow`, `ask` or `deny`.
    on_error: OnError,
    /// The state directory, which remembers which warnings a session has shown. Without it, every event repeats them.
    state: Option<&'p Path>,
    session: Option<&'p str>,
    event: Event,
    /// The votes and texts added since the last [`Self::take_additions`].
    additions: Additions,
    /// The problems, as sentences for the log.
    pub problems: Vec<String>,
}

impl<'p> FailurePolicy<'p> {
    /// Creates the failure policy for an event from the settings. If the registration requires a policy (`required`),
    /// `on_error = "allow"` counts as `ask`.
    #[must_use]
    pub fn new(
        event: Event,
        (settings, required): (&EffectiveSettings, bool),
        state: Option<&'p Path>,
        session: Option<&'p str>,
    ) -> Self {
        let on_error = stricter_on_error(settings.on_error, required);
        Self { on_error, state, session, event, additions: Additions::default(), problems: Vec::new() }
    }

    /// Returns the votes and texts collected since the last call, and removes them.
    pub fn take_additions(&mut self) -> Additions {
        mem::take(&mut self.additions)
    }

    /// Adds a vote or a warning for every layer that does not load, with its first error. For a nested policy,
    /// `directory` is the name of its directory.
    pub fn vote_for_broken_layers(&mut self, policy: &Policy, directory: Option<&str>) {
        for layer in policy.broken_layers() {
            let errors: Vec<&Diagnostic> =
                layer.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
            // Syntax and encoding errors come first: other findings may follow from them.
            let is_after_syntax = |diagnostic: &Diagnostic| !diagnostic.code.id.starts_with("R000");
            let first = errors.iter().min_by_key(|diagnostic| {
                (is_after_syntax(diagnostic), diagnostic.is_possible_consequence(), diagnostic.span())
            });
            let Some(first) = first else { continue };
            let first = render(first, &policy.sources, DiagnosticFormat::Short);
            let more = match errors.len() {
                1 => String::new(),
                count => format!(" ({} more)", count - 1),
            };
            let kind = layer.kind.name();
            let of_directory = directory.map(|directory| format!("{kind} policy of `{directory}`"));
            let message = format!(
                "The {} does not load, so it guards nothing: {}{more}. `rules check` shows everything; ask the user to \
                 repair it.",
                of_directory.clone().unwrap_or_else(|| format!("{kind} policy")),
                first.trim_end(),
            );
            self.vote(&message, of_directory.as_deref().unwrap_or(kind));
        }
    }

    /// Adds a vote or a warning for a payload that could only be read in part.
    pub fn vote_unreadable_payload(&mut self, damage: &str) {
        self.vote(&format!("This event is damaged: {damage}."), "payload");
    }

    /// Adds a vote or a warning for an event whose time ran out before it was judged.
    pub fn vote_out_of_time(&mut self) {
        self.vote(OUT_OF_TIME, "time");
    }

    /// Adds a vote or a warning for an error in the registration.
    pub fn vote_bad_registration(&mut self, problem: &str) {
        self.vote(problem, "registration");
    }

    /// Adds the warning about how the host's settings register the hook, if there is one.
    pub(super) fn report_settings_problems(&mut self, problems: Option<Note>) {
        self.additions.warnings.extend(problems);
    }

    /// Adds a vote or a warning for a registration that requires a policy and has none.
    pub fn vote_missing_policy(&mut self) {
        let message = "No policy was found, but this hook was registered to guard with one. Put it into \
                       `.rules/project.rules`, or remove the hook.";
        self.vote(message, "missing");
    }

    /// Warns about a cached policy that differs from the one compiled from its sources, although these have not
    /// changed.
    pub fn report_forged_cache(&mut self) {
        let message = "The compiled policy in the cache did not match its sources: something else wrote it. \
                       It has been replaced; find out what wrote it.";
        self.problems.push(message.to_owned());
        self.additions.add_program_warning(message);
    }

    /// Warns, once in a session, about a project's policy that the user has not trusted.
    pub fn report_untrusted_policy(&mut self, project: Option<&Path>) {
        if is_first_in_session(self.state, self.session, "untrusted") {
            let project = project.map(|project| format!(" in {}", line(&shown(&project).to_string(), MAX_PATH_CHARS)));
            let message = format!(
                "You have not trusted this repository's policy: until you do, only its denials and questions count. \
                 `rules trust`{} shows what it could do and lets you decide.",
                project.unwrap_or_default()
            );
            self.additions.add_program_warning(message);
        }
    }

    /// Warns about a state directory that is not used because others could write to it.
    pub fn report_unusable_state(&mut self, problem: &str) {
        let message = format!(
            "Nothing is kept in the state directory, not even the log: {problem}. What happens once a session \
             happens each time."
        );
        self.problems.push(message.clone());
        self.additions.add_program_warning(message);
    }

    /// Denies a call that does not name its tool: no rule on a tool can match it, and no host sends such a call. On
    /// PermissionRequest it asks instead, and on events that are not about a call to come it does nothing.
    pub fn deny_nameless_tool(&mut self, payload: &Payload) {
        let decision = match payload.event {
            Event::PreToolUse | Event::PreSkillShellCommand => Decision::Deny,
            Event::PermissionRequest => Decision::Ask,
            _ => return,
        };
        if payload.tool_name().is_none() {
            let message = "This call does not name its tool (`tool_name`), so it cannot be judged.";
            self.problems.push(message.to_owned());
            self.additions.vote(decision, message);
        }
    }

    /// Reports a call whose event this version does not know; it was judged like PreToolUse. The user is warned once
    /// in a session.
    pub fn report_unknown_event(&mut self, payload: &Payload) {
        let PayloadOrigin { is_event_unknown: true, event: Some(event), .. } = &payload.origin else { return };
        let event = line(event, MAX_NAME_CHARS);
        let message = format!(
            "The host announced a call by `{event}`, an event that this version of rules does not know. It was judged \
             like PreToolUse; a newer version of rules may know it."
        );
        self.problems.push(message.clone());
        if is_first_in_session(self.state, self.session, &format!("unknown {event}")) {
            self.additions.add_program_warning(message);
        }
    }

    /// Reports a stopped subagent whose name is not in the transcript, so that rules see the name `unknown`. It adds
    /// a warning and no vote, because no failure can stop this event.
    pub fn report_nameless_agent(&mut self, reason: &str) {
        let message = format!("It is not known which subagent stopped, so it counts as `unknown`: {reason}.");
        self.vote(&message, "transcript");
    }

    /// Logs a problem and adds the vote that `on_error` demands. If it demands none, the user is warned instead: once
    /// in a session for each `what`, a key such as `payload`.
    fn vote(&mut self, message: &str, what: &str) {
        self.problems.push(message.to_owned());
        if let Some(decision) = decision(self.on_error, self.event) {
            self.additions.vote(decision, message);
        } else if is_first_in_session(self.state, self.session, what) {
            self.additions.add_program_warning(message);
        }
    }
}

/// Returns `on_error`, but at least `ask` if the registration requires a policy.
pub(super) fn stricter_on_error(on_error: OnError, required: bool) -> OnError {
    if required { on_error.max(OnError::Ask) } else { on_error }
}

/// Returns the decision on a failure; `None` if `on_error` lets the event pass, or if a failure cannot stop it.
fn decision(on_error: OnError, event: Event) -> Option<Decision> {
    match (event, on_error) {
        // A failure answers no permission dialog: with `ask`, the host shows its own.
        (Event::PermissionRequest, _) => Some(Decision::Ask),
        (Event::PreToolUse | Event::PreSkillShellCommand | Event::PreModelSwitch, OnError::Ask) => Some(Decision::Ask),
        (Event::PreToolUse | Event::PreSkillShellCommand | Event::PreModelSwitch, OnError::Deny) => {
            Some(Decision::Deny)
        }
        _ => None,
    }
}

/// Returns the vote that `on_error` demands for a failure, or a warning to the user if it demands none.
pub(super) fn failure_additions(on_error: OnError, event: Event, message: &str) -> Additions {
    let mut added = Additions::default();
    match decision(on_error, event) {
        Some(decision) => added.vote(decision, message),
        None => added.add_program_warning(message),
    }
    added
}

/// Answers an event after a failure of the engine itself, such as a panic. `what` is the sentence that describes it to
/// the user.
///
/// Apart from the payload, only the settings of the layers are read. If the registration is not known, because it may
/// have caused the failure, `on_error` is `ask`.
#[must_use]
pub fn answer_engine_failure(host: Host, bytes: &[u8], registration: Option<&Registration>, what: &str) -> HostOutput {
    match decode(host, bytes) {
        DecodedPayload::Event { payload, .. } => {
            let on_error = registration.map_or(OnError::Ask, |registration| effective_on_error(registration, &payload));
            let verdict = Verdict::pass(payload.event).with_additions(failure_additions(on_error, payload.event, what));
            let state = registration.and_then(|registration| registration.places.state.as_deref());
            deferred_texts::encode(host, &payload, state, verdict).output
        }
        DecodedPayload::UnknownEvent(_) => HostOutput::default(),
        DecodedPayload::Unreadable { reason, sender } => {
            refusal(sender, &format!("rules: {what} And this event cannot be read: {reason}"))
        }
    }
}

/// Returns the `on_error` that the settings of all layers set together, but at least `ask` if the registration requires
/// a policy.
fn effective_on_error(registration: &Registration, payload: &Payload) -> OnError {
    let places = registration.places(payload);
    let layers = project::load(&places).layers;
    let merged = |is_counted: fn(LayerKind) -> bool| {
        let counted_layers = layers.iter().filter(|layer| layer.exists && is_counted(layer.kind));
        LayerSettings::merge(counted_layers.map(|layer| (layer.kind, &layer.settings))).on_error
    };
    let on_error = merged(|_| true);
    // Whether the user trusts the project is not looked up here, so the project's layers may only make the result
    // stricter.
    let on_error = match places.trust {
        TrustRequirement::NotRequired | TrustRequirement::ForNamedFiles => on_error,
        TrustRequirement::Required => on_error.max(merged(|kind| !kind.is_of_project())),
    };
    stricter_on_error(on_error, registration.requires_policy)
}
