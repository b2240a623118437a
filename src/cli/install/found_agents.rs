//! `rules install` without a HOST: the agents of this machine and project, and the registration with all of them.
#![expect(
    clippy::disallowed_methods,
    reason = "which agents are there is about this machine and the current directory"
)]

use std::path::PathBuf;

use super::agents::{PlannedInstallation, place_by_options};
use super::change::Consent;
use super::{Install, InstallParameters, loaded_policy, report_result, run_installation};
use crate::cli::print::{Printer, Style};
use crate::cli::registration::{agent_directories, display_path, places};
use crate::cli::{CommandOutcome, prompt};
use crate::host::Host;
use crate::host_settings::SettingsScope;
use crate::policy::Policy;
use crate::schema::{Capability, Event};

/// An agent that was found.
struct FoundAgent {
    host: Host,
    /// The signs that the agent is used here, for display.
    signs: Vec<String>,
    /// The settings that would be written to register the hook, or why it cannot be registered.
    target: Result<InstallationTarget, String>,
}

/// The settings that would be written to register the hook with an agent.
enum InstallationTarget {
    /// The settings of Claude Code, whose entries depend on its version.
    ClaudeCode(InstallParameters),
    /// The settings of any other agent.
    Other(PlannedInstallation),
}

impl InstallationTarget {
    /// Returns the name of the file or directory that is written.
    fn display_name(&self) -> String {
        match self {
            Self::ClaudeCode(parameters) => display_path(&parameters.path),
            Self::Other(planned) => planned.name(),
        }
    }
}

/// Lists the agents that are found, asks once, and registers the hook with those that the user accepts.
pub(super) fn run(args: &Install, printer: &mut Printer) -> Result<CommandOutcome, String> {
    let scope = if args.to.user { SettingsScope::User } else { SettingsScope::Project };
    let policy = loaded_policy(scope)?;
    let agents = found_agents(args, &policy);
    if agents.is_empty() {
        return Err(
            "no coding agent was found here; `rules install HOST` registers the hook with the one you name".to_owned()
        );
    }
    agents.iter().for_each(|agent| agent.show(printer));
    let targets: Vec<(&FoundAgent, &InstallationTarget)> =
        agents.iter().filter_map(|agent| Some((agent, agent.target.as_ref().ok()?))).collect();
    let Some(chosen) = choose_agents(&targets, args.to.consent(), printer) else {
        printer.err("rules: nothing was changed\n");
        return Ok(CommandOutcome::Findings);
    };
    let consent = if args.to.dry_run { Consent::DryRun } else { Consent::Given };
    let mut outcome = CommandOutcome::Clean;
    for (agent, target) in chosen.into_iter().filter_map(|index| targets.get(index)) {
        let name = printer.paint(Style::Bold, agent.host.title());
        printer.out(&format!("{name}\n"));
        let installed = match target {
            InstallationTarget::ClaudeCode(parameters) => run_installation(parameters, printer),
            InstallationTarget::Other(planned) => planned.install(consent, policy.is_found(), printer),
        };
        if report_result(installed, printer) != CommandOutcome::Clean {
            outcome = CommandOutcome::Findings;
        }
        printer.out("\n");
    }
    Ok(outcome)
}

/// Returns the indexes of the agents that the user accepts; `None` if the user cannot be asked, or cancels.
fn choose_agents(
    targets: &[(&FoundAgent, &InstallationTarget)],
    consent: Consent,
    printer: &mut Printer,
) -> Option<Vec<usize>> {
    if consent != Consent::Ask {
        return Some((0..targets.len()).collect());
    }
    if !prompt::is_possible() {
        printer.err("rules: there is no terminal to ask at; add `--yes`, or name one agent\n");
        return None;
    }
    let entry = |(agent, target): &(&FoundAgent, &InstallationTarget)| prompt::Choice {
        name: agent.host.title().to_owned(),
        note: target.display_name(),
        is_chosen: true,
    };
    let entries: Vec<prompt::Choice> = targets.iter().map(entry).collect();
    printer.err("`rules install --dry-run` shows the changes.\n");
    prompt::choose("Which agents? Space chooses, Enter goes on", "agent", &entries, printer)
}

/// Returns the agents that show signs of use on this machine or in this project.
fn found_agents(args: &Install, policy: &Policy) -> Vec<FoundAgent> {
    let found = Host::all().filter_map(|host| {
        let signs = signs(host);
        (!signs.is_empty()).then(|| FoundAgent { host, signs, target: target(host, args, policy) })
    });
    found.collect()
}

/// Returns the settings that would be written to register the hook with an agent, or why it cannot be registered.
fn target(host: Host, args: &Install, policy: &Policy) -> Result<InstallationTarget, String> {
    if let Some(why) = host.not_called().or_else(|| host.not_installable()) {
        return Err(why.to_owned());
    }
    if host != Host::CLAUDE_CODE {
        let place = place_by_options(host, &args.to)?;
        return PlannedInstallation::new(place, policy, args).map(InstallationTarget::Other);
    }
    let scope = args.to.scope();
    let path = places(None).file(scope).ok_or_else(|| "there is no such directory for this account".to_owned())?;
    let consent = if args.to.dry_run { Consent::DryRun } else { Consent::Given };
    Ok(InstallationTarget::ClaudeCode(InstallParameters {
        audit: args.audit,
        pass: args.pass.clone(),
        ..InstallParameters::new(scope, path, consent)
    }))
}

/// Returns the signs that an agent is used here, for display: its programs on the PATH, and its directories.
fn signs(host: Host) -> Vec<String> {
    let directories: Vec<PathBuf> =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let is_program = |name: &&&str| directories.iter().any(|directory| directory.join(name).is_file());
    let programs = host.programs().iter().filter(is_program).map(|name| format!("`{name}` on the PATH"));
    let places = agent_directories();
    let roots: Vec<PathBuf> = places.home.into_iter().chain(places.project).collect();
    let used = host.directories().iter().flat_map(|directory| roots.iter().map(move |root| root.join(directory)));
    let mut used: Vec<PathBuf> = used.filter(|directory| directory.is_dir()).collect();
    used.dedup();
    programs.chain(used.iter().map(|directory| display_path(directory))).collect()
}

impl FoundAgent {
    /// Prints the agent: where it was found, what it obeys, what would be written, and what the user must trust.
    fn show(&self, printer: &mut Printer) {
        let name = printer.paint(Style::Bold, self.host.title());
        printer.out(&format!("{name}\n"));
        let mut row = |label: &str, text: &str| {
            let lead = format!("  {label:<8}");
            printer.out(&printer.wrapped(&lead, "          ", text));
        };
        row("found", &self.signs.join(", "));
        row("obeys", &obeyed(self.host));
        match &self.target {
            Ok(target @ InstallationTarget::ClaudeCode(_)) => row("writes", &target.display_name()),
            Ok(target @ InstallationTarget::Other(planned)) => {
                let done = if planned.is_done() { " (registered already)" } else { "" };
                row("writes", &format!("{}{done}", target.display_name()));
                planned.trust().into_iter().for_each(|trust| row("trust", trust));
            }
            Err(why) => row("writes", &format!("nothing: {why}")),
        }
        printer.out("\n");
    }
}

/// Returns which answers before a call an agent carries out as they are written, and which ones become stricter or are
/// lost.
fn obeyed(host: Host) -> String {
    let answers = [Capability::Deny, Capability::Ask, Capability::Allow, Capability::Rewrite, Capability::Context];
    let carried = host.capabilities(Event::PreToolUse);
    let is_obeyed = |answer: Capability| carried.is_some_and(|carried| carried.has_capability(answer));
    let names = |is_carried: bool| {
        let some = answers.iter().filter(|answer| is_obeyed(**answer) == is_carried);
        some.map(|answer| answer.keyword()).collect::<Vec<_>>().join(", ")
    };
    let lost = names(false);
    if lost.is_empty() { names(true) } else { format!("{}; not as written: {lost}", names(true)) }
}
