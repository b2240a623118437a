//! The registration of the hook with agents other than Claude Code, in settings of their own.
#![expect(clippy::disallowed_methods, reason = "an installation is about this machine and the current directory")]

use super::change::{Consent, Proposal, SettingsChange, make_if_agreed};
use super::{
    Install, InstallTarget, Uninstall, describe_changes, dry_run, list_events, loaded_policy, machine, print_sentence,
    proposed_changes,
};
use crate::cli::CommandOutcome;
use crate::cli::print::Printer;
use crate::cli::registration::{self, display_path};
use crate::host::Host;
use crate::host_settings::{
    AUDIT, AgentEdits, AgentPlace, AgentRegistration, AgentSettings, PASSED, SettingsScope, agent_events, audit,
};
use crate::platform::paths::portable;
use crate::policy::Policy;

/// An installation that the user has not agreed to yet.
pub(super) struct PlannedInstallation {
    place: AgentPlace,
    edits: AgentEdits,
    /// The names of the events that are registered afterwards.
    events: String,
    /// Warnings, e.g. that the program is not on the `PATH`.
    notes: Vec<String>,
}

/// Registers the hook in the settings of an agent, after the user's consent.
pub(super) fn install(host: Host, args: &Install, printer: &mut Printer) -> Result<CommandOutcome, String> {
    if args.any_version {
        return Err(format!("`--any-version` is about {}", Host::CLAUDE_CODE.title()));
    }
    let place = target(host, &args.to)?;
    let policy = loaded_policy(place.scope)?;
    PlannedInstallation::new(place, &policy, args)?.install(args.to.consent(), policy.is_found(), printer)
}

/// Removes what `rules install` wrote from the settings of an agent, after the user's consent.
pub(super) fn uninstall(host: Host, args: &Uninstall, printer: &mut Printer) -> Result<CommandOutcome, String> {
    let place = target(host, &args.to)?;
    let settings = read(place.clone())?;
    let edits = settings.uninstall().map_err(|why| unchanged_message(&place, &why))?;
    let name = place_name(&place);
    if edits.files.is_empty() {
        print_sentence(&format!("{name}: `rules install` wrote nothing there"), printer);
        return Ok(CommandOutcome::Clean);
    }
    let consent = args.to.consent();
    let proposal = Proposal {
        changes: &changes(&place, &edits),
        summary: &proposed_changes(&edits.changes),
        question: "Remove the registration?",
        details: &dry_run("uninstall", host, place.scope),
    };
    if !make_if_agreed(&proposal, consent, printer)? {
        return Ok(consent.refused());
    }
    print_sentence(&format!("{name}: {}", describe_changes(&edits.changes)), printer);
    Ok(CommandOutcome::Clean)
}

/// Returns the place of the settings that the options select: by default the project's, if the agent has such settings.
///
/// # Errors
/// The message if the agent calls no hook, the hook cannot be installed there, or an option does not apply to it.
fn target(host: Host, to: &InstallTarget) -> Result<AgentPlace, String> {
    let title = host.title();
    if let Some(why) = host.not_called().or_else(|| host.not_installable()) {
        return Err(why.trim_end_matches('.').to_owned());
    }
    if to.local || to.claude_dir.is_some() {
        let option = if to.local { "--local" } else { "--claude-dir" };
        return Err(format!("`{option}` is about {}; {title} has `--project` and `--user`", Host::CLAUDE_CODE.title()));
    }
    place_by_options(host, to)
}

/// Returns the place of the user's or the project's settings, as `--user` or `--project` selects; by default the
/// project's, if the agent has such settings.
pub(super) fn place_by_options(host: Host, to: &InstallTarget) -> Result<AgentPlace, String> {
    let title = host.title();
    let place = |scope| registration::agent_place(host, scope);
    match (to.project, to.user) {
        (true, _) => place(SettingsScope::Project).ok_or_else(|| format!("{title} has no settings of a project")),
        (_, true) => place(SettingsScope::User).ok_or_else(|| "there is no such directory for this account".to_owned()),
        _ => {
            let place = place(SettingsScope::Project).or_else(|| place(SettingsScope::User));
            place.ok_or_else(|| format!("there is no directory for the settings of {title}"))
        }
    }
}

/// Reads the settings. Refuses those of a project if a link is on their path, because it could lead anywhere.
fn read(place: AgentPlace) -> Result<AgentSettings, String> {
    let name = place_name(&place);
    let here = std::env::current_dir().map(portable).unwrap_or_default();
    let below = place.path.ancestors().take_while(|path| *path != here);
    let is_link = |path: &std::path::Path| path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    if place.scope == SettingsScope::Project && below.into_iter().any(is_link) {
        return Err(format!("`{name}` is or lies behind a link of the project; nothing is written through one"));
    }
    place.read().map_err(|why| format!("`{name}` cannot be read: {why}"))
}

impl PlannedInstallation {
    /// Plans the registration that fits the policy. Choices of an earlier installation persist.
    ///
    /// # Errors
    /// The settings cannot be read or edited.
    pub(super) fn new(place: AgentPlace, policy: &Policy, args: &Install) -> Result<Self, String> {
        let settings = read(place.clone())?;
        let installed = settings.own_hooks().map_err(|why| unchanged_message(&place, &why))?;
        let host = place.host;
        let program = machine::program(place.scope)?;
        let mut events = agent_events(policy, host);
        let is_installed = |event| installed.iter().any(|hook| host.event_registered_as(&hook.event) == Some(event));
        let mut audited = AUDIT.into_iter().filter(|event| host.sends(*event)).peekable();
        if args.audit || (audited.peek().is_some() && audited.all(is_installed)) {
            audit(&mut events);
            events.retain(|event, _| host.sends(*event));
        }
        let kept_options = PASSED.iter().filter_map(|name| {
            let directory = installed.iter().find_map(|hook| hook.registered.option(name))?;
            Some(format!("{name}={directory}"))
        });
        let user_arguments = if args.pass.is_empty() { kept_options.collect() } else { args.pass.clone() };
        let names = list_events(events.keys());
        let wanted = AgentRegistration { program: program.name, user_arguments, events };
        let edits = settings.install(&wanted).map_err(|why| unchanged_message(&place, &why))?;
        Ok(Self { place, edits, events: names, notes: program.notes })
    }

    /// Returns the name of the file or directory for display.
    pub(super) fn name(&self) -> String {
        place_name(&self.place)
    }

    /// Returns what the user must do before the agent runs the hook, as a sentence; `None` if nothing.
    pub(super) fn trust(&self) -> Option<&'static str> {
        self.place.trust()
    }

    /// Whether the registration is up to date already.
    pub(super) fn is_done(&self) -> bool {
        self.edits.files.is_empty()
    }

    /// Makes the registration after the user's consent.
    pub(super) fn install(
        &self,
        consent: Consent,
        has_policy: bool,
        printer: &mut Printer,
    ) -> Result<CommandOutcome, String> {
        for note in &self.notes {
            printer.err(&format!("rules: {note}\n"));
        }
        if self.is_done() {
            print_sentence(&format!("{}: registered already, for {}", self.name(), self.events), printer);
            return Ok(CommandOutcome::Clean);
        }
        let proposal = Proposal {
            changes: &changes(&self.place, &self.edits),
            summary: &proposed_changes(&self.edits.changes),
            question: "Register the hook?",
            details: &dry_run("install", self.place.host, self.place.scope),
        };
        if !make_if_agreed(&proposal, consent, printer)? {
            return Ok(consent.refused());
        }
        self.report(has_policy, printer);
        Ok(CommandOutcome::Clean)
    }

    /// Prints what was registered, and what the user should do.
    fn report(&self, has_policy: bool, printer: &mut Printer) {
        let place = &self.place;
        print_sentence(&format!("{}: {}", self.name(), describe_changes(&self.edits.changes)), printer);
        for step in place.trust().into_iter().chain(place.limit()) {
            print_sentence(step, printer);
        }
        match place.scope {
            SettingsScope::Project => print_sentence(
                &format!("Commit {}; who works on the project needs `rules` on the PATH.", self.name()),
                printer,
            ),
            _ => print_sentence(
                "In a project's own policy only deny and ask count until you have looked at it with `rules trust`.",
                printer,
            ),
        }
        if let Some(note) = registration::called_twice_note(place.host) {
            print_sentence(&format!("{note}."), printer);
        }
        if !has_policy {
            printer.out("There is no policy yet: `rules init` proposes one.\n");
        }
        printer.out("`rules doctor` tries it.\n");
    }
}

/// Converts the edits of an agent's settings to changes that can be shown and written.
fn changes(place: &AgentPlace, edits: &AgentEdits) -> Vec<SettingsChange> {
    let change = |edit: &crate::host_settings::AgentFileEdit| SettingsChange {
        path: edit.path.clone(),
        before: edit.before.clone(),
        after: edit.after.clone(),
        follows_links: place.scope == SettingsScope::User,
        is_executable: edit.is_executable,
    };
    edits.files.iter().map(change).collect()
}

/// Returns the name of a place for display; that of a directory ends with a slash.
fn place_name(place: &AgentPlace) -> String {
    let name = display_path(&place.path);
    if place.is_directory() { format!("{name}/") } else { name }
}

/// Returns the message that an edit is impossible.
fn unchanged_message(place: &AgentPlace, why: &str) -> String {
    format!("{}: {why}; nothing was changed", place_name(place))
}
