//! The hooks in the settings of other agents: what is registered there, mistakes, a trial, and what to trust.

use std::path::Path;

use super::trial::{Trial, try_agent};
use super::{DoctorCheck, trial_check};
use crate::cli::added_hosts;
use crate::cli::registration::{self, display_path};
use crate::diagnostic::Severity;
use crate::host::Host;
use crate::host_settings::{AgentHook, AgentPlace, AgentSettings, SettingsScope, agent_events};
use crate::policy::Policy;
use crate::schema::Event;

/// Plausible timeouts of a hook, in seconds. Any other was probably written in another unit, such as milliseconds.
const PLAUSIBLE: std::ops::RangeInclusive<f64> = 1.0..=900.0;

/// The checks of the settings of other agents.
pub(super) struct CheckedAgents {
    pub(super) checks: Vec<DoctorCheck>,
    /// Whether the hook is registered with any of them.
    pub(super) are_registered: bool,
}

/// Checks the settings of every agent that has settings of its own, in the scopes of the user and the project.
pub(super) fn check_agents(policy: &Policy) -> CheckedAgents {
    let mut all = CheckedAgents { checks: Vec::new(), are_registered: false };
    for host in Host::all() {
        let scopes = [SettingsScope::User, SettingsScope::Project].into_iter();
        let places = scopes.filter_map(|scope| registration::agent_place(host, scope));
        let mut registered = 0;
        for place in places {
            let (checks, is_registered) = check_place(&place, policy);
            all.checks.extend(checks);
            registered += usize::from(is_registered);
        }
        if registered == 0 {
            continue;
        }
        all.are_registered = true;
        if registered > 1 {
            let message =
                format!("the hook is registered for the user and the project, so {} calls it twice", host.title());
            all.checks.push(note(message));
        }
        all.checks.extend(registration::called_twice_note(host).map(note));
    }
    all.checks.extend(check_records());
    all
}

/// Reports the hosts that records of the user and the administrator add, and the records that cannot be used.
fn check_records() -> Vec<DoctorCheck> {
    let records = added_hosts::read();
    let check = |(path, outcome): (&Path, Result<Host, (Option<usize>, String)>)| match outcome {
        Ok(host) => DoctorCheck::success("agents", format!("adds {}", host.title())).at_place(path, None),
        Err((line, clause)) => {
            let message = format!("the host cannot be used: {clause}");
            DoctorCheck::problem("agents", Severity::Deny, message, "run `rules check`").at_place(path, line)
        }
    };
    records.outcomes().map(check).collect()
}

/// Returns the checks of an agent's settings in one scope, and whether the hook is registered there.
fn check_place(place: &AgentPlace, policy: &Policy) -> (Vec<DoctorCheck>, bool) {
    let (host, path) = (place.host, &place.path);
    let title = host.title();
    let settings = match place.clone().read() {
        Ok(settings) => settings,
        Err(why) => {
            return (vec![note(format!("the settings of {title} cannot be read: {why}")).at_place(path, None)], false);
        }
    };
    let hooks = match settings.own_hooks() {
        Ok(hooks) => hooks,
        Err(_) if !settings.texts().any(|text| text.contains(&format!("hook {}", host.name()))) => {
            return (Vec::new(), false);
        }
        Err(why) => {
            let message = format!("{title} cannot read the file, so no hook of it runs: {why}");
            let help = "correct the file, and run `rules doctor` again";
            return (
                vec![DoctorCheck::problem("registered", Severity::Deny, message, help).at_place(path, None)],
                false,
            );
        }
    };
    if hooks.is_empty() {
        return (Vec::new(), false);
    }
    let names: Vec<&str> = hooks.iter().map(|hook| hook.event.as_str()).collect();
    let message = format!("with {title} for {}", names.join(", "));
    let mut checks = vec![DoctorCheck::success("registered", message).at_place(path, None)];
    checks.extend(check_file(&settings));
    for hook in &hooks {
        for new in check_hook(place, hook) {
            // `rules install` writes an entry for each event; a problem that all entries have is reported once.
            let is_same = |check: &&mut DoctorCheck| check.message == new.message && check.file() == new.file();
            match checks.iter_mut().find(is_same) {
                Some(check) => check.more += 1,
                None => checks.push(new),
            }
        }
    }
    checks.extend(missing_events(place, &hooks, policy));
    checks.extend(try_hooks(place, &hooks, policy));
    let sentences = place.trust().map(|trust| ("trust", trust)).into_iter();
    for (subject, sentence) in sentences.chain(place.limit().map(|limit| ("agents", limit))) {
        let message = sentence.trim_end_matches('.');
        checks.push(DoctorCheck { severity: Some(Severity::Info), ..DoctorCheck::success(subject, message) });
    }
    (checks, true)
}

/// Returns the mistake that makes the agent ignore the whole file, if there is one.
fn check_file(settings: &AgentSettings) -> Option<DoctorCheck> {
    let refused = settings.refused_members();
    let first = refused.first()?;
    let title = settings.place.host.title();
    let message = format!("{title} ignores the whole file because of the member `{first}`");
    let help = "remove the member from the file";
    Some(DoctorCheck::problem("registered", Severity::Deny, message, help).at_place(&settings.place.path, None))
}

/// Returns the mistakes in one hook.
fn check_hook(place: &AgentPlace, hook: &AgentHook) -> Vec<DoctorCheck> {
    let (host, title) = (place.host, place.host.title());
    let reinstall = format!("run `rules install {}` again", host.name());
    let mut checks = Vec::new();
    let mut add = |severity: Severity, message: String, help: &str| {
        let check = DoctorCheck::problem("registered", severity, message, help);
        checks.push(check.at_place(&hook.path, Some(hook.line)));
    };
    if host.event_registered_as(&hook.event).is_none() {
        add(Severity::Deny, format!("{title} has no event `{}` that rules knows", hook.event), &reinstall);
    }
    let named_host =
        hook.registered.words.get(1).filter(|_| hook.registered.words.first().is_some_and(|word| word == "hook"));
    if let Some(mistake) = registration::mistake_in(&hook.registered.words) {
        add(Severity::Deny, mistake, &reinstall);
    } else if named_host.is_none_or(|name| name != host.name()) {
        add(Severity::Warning, format!("the command is not `rules hook {}`", host.name()), &reinstall);
    }
    if let Some((timeout, seconds)) = hook.timeout.as_deref().and_then(|text| Some((text, place.seconds(text)?)))
        && !PLAUSIBLE.contains(&seconds)
    {
        let severity = if seconds < *PLAUSIBLE.start() { Severity::Deny } else { Severity::Warning };
        add(severity, format!("a timeout of {timeout} is {seconds} s for {title}"), &reinstall);
    }
    checks
}

/// Reports the events that the policy needs but that are not registered; `None` if all are.
fn missing_events(place: &AgentPlace, hooks: &[AgentHook], policy: &Policy) -> Option<DoctorCheck> {
    let host = place.host;
    let is_registered = |name: &str| hooks.iter().any(|hook| hook.event == name);
    let events = agent_events(policy, host).into_keys().collect::<Vec<_>>();
    let missing: Vec<(Event, &str)> = events
        .iter()
        .flat_map(|event| host.registered_names(*event).into_iter().map(|name| (*event, name)))
        .filter(|(_, name)| !is_registered(name))
        .collect();
    let names: Vec<&str> = missing.iter().map(|(_, name)| *name).collect();
    let is_guard = missing.iter().any(|(event, _)| *event == Event::PreToolUse);
    let severity = if is_guard { Severity::Deny } else { Severity::Warning };
    let message = format!("no hook is registered with {} for {}", host.title(), names.join(", "));
    let help = format!("run `rules install {}` again", host.name());
    (!missing.is_empty())
        .then(|| DoctorCheck::problem("registered", severity, message, help).at_place(&place.path, None))
}

/// Tries each distinct command line with calls in the words of the agent.
fn try_hooks(place: &AgentPlace, hooks: &[AgentHook], policy: &Policy) -> Vec<DoctorCheck> {
    let mut seen: Vec<&str> = Vec::new();
    let mut checks = Vec::new();
    for hook in hooks {
        if seen.contains(&hook.command.as_str()) {
            continue;
        }
        seen.push(&hook.command);
        // In a directory of hooks, the host runs the file itself.
        let script = if place.is_directory() { Some(hook.path.as_path()) } else { None };
        let tried: Trial = try_agent(place.host, hook, script, policy);
        let name = script.map_or_else(|| hook.command.clone(), display_path);
        checks.push(trial_check(&name, tried).at_place(&hook.path, Some(hook.line)));
    }
    checks
}

/// Returns a check that is only for information.
fn note(message: String) -> DoctorCheck {
    DoctorCheck { severity: Some(Severity::Info), ..DoctorCheck::success("agents", message) }
}
