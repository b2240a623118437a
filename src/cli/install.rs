//! `rules install` and `rules uninstall`: the registration of the hook in a host's settings.
#![expect(clippy::disallowed_methods, reason = "an installation is about this machine and the current directory")]

mod agents;
mod change;
mod found_agents;
pub(super) mod machine;

use std::path::{Path, PathBuf};

use change::{Consent, Proposal, SettingsChange, make_if_agreed};

use super::doctor::WIDTH;
use super::load::{current_directory, load};
use super::print::Printer;
use super::registration::{self, display_path, places};
use super::{CommandOutcome, below, hosts};
use crate::config::LayerKind;
use crate::escape::line;
use crate::host::Host;
use crate::host_settings::{
    AUDIT, BLOCKS_FAILURES, EventRegistrations, HAS_NEWER_EVENTS, JsonDocument, JsonMistake, PASSED,
    RegistrationChanges, RegistrationFinding, RegistrationProblem, SettingsFile, SettingsScope, UnreadableSettings,
    WantedRegistration, audit, events_to_register, install, installed_id, installed_options, is_installed, is_newer,
    policy_events, uninstall,
};
use crate::platform::paths::shown;
use crate::policy::Policy;
use crate::project::repository_root;
use crate::schema::{Event, HostVersion};
use crate::wrap::wrapped;

/// Register the hook with a coding agent
///
/// Adds one entry for each event that the policy uses, and for PreToolUse,
/// PermissionRequest, ConfigChange and SessionStart in any case, if the agent has
/// them. Everything else in the settings stays as it is, byte for byte. Shows the
/// difference and asks first. Run it again when the policy uses another event, or
/// the binary has moved.
///
/// Without HOST, lists the agents of this machine and project, and registers the
/// hook with those that you choose.
///
/// Some agents run a hook only after you have agreed to it there. That is printed
/// at the end, and never done for you.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Install {
    /// The coding agent: `claude-code`, `codex` or another of `rules help agents`.
    /// Without it, all agents that are found here
    #[arg(value_name = "HOST", value_parser = hosts(), hide_possible_values = true)]
    host: Option<Host>,

    #[command(flatten)]
    to: InstallTarget,

    /// Also register the events that tell how a call ended: what ran is
    /// judged once more, and the log says what became of a question
    #[arg(long)]
    audit: bool,

    /// Register by a shell line that every version of the host
    /// understands, even if the installed one blocks on failures of a
    /// hook without it
    #[arg(long, requires = "host")]
    any_version: bool,

    /// Pass a directory to every hook, such as --state-dir=/var/rules:
    /// --config-dir, --state-dir, --cache-dir or --managed-dir
    #[arg(long, value_name = "OPTION=DIR", value_parser = parse_hook_option, allow_hyphen_values = true)]
    pass: Vec<String>,
}

/// Remove the registration of the hook with a coding agent
///
/// Removes what `rules install` wrote there and nothing else: settings that were
/// not changed since are again as they were before. Shows the difference and asks
/// first.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct Uninstall {
    /// The coding agent: `claude-code`, `codex` or another of `rules help agents`
    #[arg(value_name = "HOST", value_parser = hosts(), hide_possible_values = true)]
    host: Host,

    #[command(flatten)]
    to: InstallTarget,
}

#[derive(clap::Args, Debug)]
struct InstallTarget {
    /// Only for you in this project: .claude/settings.local.json. The default for
    /// Claude Code, which alone has such settings
    #[arg(long, conflicts_with_all = ["project", "user"], requires = "host")]
    local: bool,

    /// For everybody who works on it: .claude/settings.json, .codex/hooks.json.
    /// The default for agents that have such settings
    #[arg(long, conflicts_with = "user")]
    project: bool,

    /// For every project that you open: ~/.claude/settings.json, ~/.codex/hooks.json
    #[arg(long)]
    user: bool,

    /// The directory of the host's user settings. Default: $CLAUDE_CONFIG_DIR,
    /// or ~/.claude
    #[arg(long, value_name = "DIR", requires = "host")]
    claude_dir: Option<PathBuf>,

    /// Write without asking
    #[arg(long)]
    yes: bool,

    /// Show the difference and write nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
}

impl InstallTarget {
    /// Returns the scope that the options select; by default the local one.
    fn scope(&self) -> SettingsScope {
        match (self.project, self.user) {
            (true, _) => SettingsScope::Project,
            (_, true) => SettingsScope::User,
            _ => SettingsScope::Local,
        }
    }

    /// Returns whether the options agree to the change in advance.
    fn consent(&self) -> Consent {
        match (self.yes, self.dry_run) {
            (true, _) => Consent::Given,
            (_, true) => Consent::DryRun,
            _ => Consent::Ask,
        }
    }

    /// Returns the path of the settings file, which need not exist. Fails if the account has no directory for this
    /// scope.
    fn file(&self) -> Result<PathBuf, String> {
        let places = places(self.claude_dir.as_deref());
        places.file(self.scope()).ok_or_else(|| "there is no such directory for this account".to_owned())
    }
}

/// Parses an argument of `--pass`: `--state-dir=/var/rules`.
fn parse_hook_option(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, directory)) if PASSED.contains(&name) && Path::new(directory).is_absolute() => Ok(text.to_owned()),
        _ => Err(format!("expected one of {} with `=` and an absolute path", PASSED.join(", "))),
    }
}

/// The parameters of an installation, from the options of `rules install` or another command.
struct InstallParameters {
    scope: SettingsScope,
    /// The settings file.
    path: PathBuf,
    consent: Consent,
    /// Whether the entries must work with every version of the host (`--any-version`).
    any_version: bool,
    /// Whether the events after a call are registered too (`--audit`).
    audit: bool,
    /// The options that the registered hook gets, such as `--state-dir=/s` (`--pass`).
    pass: Vec<String>,
}

impl InstallParameters {
    /// Returns the parameters of a default registration.
    fn new(scope: SettingsScope, path: PathBuf, consent: Consent) -> Self {
        Self { scope, path, consent, any_version: false, audit: false, pass: Vec::new() }
    }
}

/// Runs `install`.
pub(super) fn run(args: &Install, printer: &mut Printer) -> CommandOutcome {
    match args.host {
        Some(host) if host == Host::CLAUDE_CODE => {}
        Some(host) => return report_result(agents::install(host, args, printer), printer),
        None => return report_result(found_agents::run(args, printer), printer),
    }
    let parameters = args.to.file().map(|path| InstallParameters {
        any_version: args.any_version,
        audit: args.audit,
        pass: args.pass.clone(),
        ..InstallParameters::new(args.to.scope(), path, args.to.consent())
    });
    report_result(parameters.and_then(|parameters| run_installation(&parameters, printer)), printer)
}

/// Offers to register the hook in the local settings of this project, if no hook is registered in any. A refusal is
/// not a failure.
pub(super) fn offer_registration(printer: &mut Printer) -> CommandOutcome {
    let settings = registration::settings(None);
    if settings.iter().any(|settings| !settings.own_hooks().is_empty()) {
        return CommandOutcome::Clean;
    }
    let Some(path) = places(None).file(SettingsScope::Local) else { return CommandOutcome::Clean };
    match run_installation(&InstallParameters::new(SettingsScope::Local, path, Consent::Ask), printer) {
        Ok(CommandOutcome::Clean) => CommandOutcome::Clean,
        Ok(_) => {
            printer.out("`rules install claude-code` registers it when you want it in force.\n");
            CommandOutcome::Clean
        }
        Err(problem) => report_result(Err(problem), printer),
    }
}

/// Updates the entries that `rules install` wrote in these settings, file by file.
pub(super) fn bring_up_to_date(settings: &[SettingsFile], yes: bool, printer: &mut Printer) -> CommandOutcome {
    let mut outcome = CommandOutcome::Clean;
    let has_installed_hook =
        |file: &&SettingsFile| file.own_hooks().iter().any(|(_, registered)| is_installed(file.scope, registered));
    let files: Vec<&SettingsFile> = settings.iter().filter(has_installed_hook).collect();
    if files.is_empty() {
        printer.err("rules: `rules install` wrote nothing here, so there is nothing to bring up to date\n");
        return CommandOutcome::Findings;
    }
    let consent = if yes { Consent::Given } else { Consent::Ask };
    for file in files {
        let parameters = InstallParameters::new(file.scope, file.path.clone(), consent);
        if report_result(run_installation(&parameters, printer), printer) != CommandOutcome::Clean {
            outcome = CommandOutcome::Findings;
        }
    }
    outcome
}

/// Returns the outcome of a command, and prints the problem if it failed.
fn report_result(result: Result<CommandOutcome, String>, printer: &mut Printer) -> CommandOutcome {
    match result {
        Ok(outcome) => outcome,
        Err(problem) => {
            printer.err(&format!("rules: {problem}\n"));
            CommandOutcome::Findings
        }
    }
}

/// Registers the hook in a settings file, after the user's consent. Nothing is written if the registration is already
/// up to date.
///
/// # Errors
/// The settings cannot be read or edited, or there is no policy that loads.
fn run_installation(args: &InstallParameters, printer: &mut Printer) -> Result<CommandOutcome, String> {
    let (scope, path) = (args.scope, args.path.clone());
    let settings = read(scope, &path)?;
    let document = match &settings {
        Some(settings) => parsed_document(settings)?,
        None => JsonDocument::parse(String::new()).map_err(|mistake| mistake_location(&path, &mistake))?,
    };
    let policy = loaded_policy(scope)?;
    let before = settings.as_ref().map(|_| document.text().to_owned());
    let version = machine::host_version();
    let program = machine::program(scope)?;
    let wanted = wanted(args, settings.as_ref(), &policy, version, program.name.clone());
    let settings = settings.unwrap_or_else(|| SettingsFile::from_text(scope, path.clone(), String::new()));
    let (after, changes) = install(&settings, &document, &wanted)
        .map_err(|mistake| format!("{}; nothing was changed", mistake_location(&path, &mistake)))?;
    warn_of_old_host(&policy, &wanted, version, printer);
    for note in program.notes {
        printer.err(&format!("rules: {note}\n"));
    }
    if changes.is_empty() {
        let events = list_events(wanted.events.keys());
        print_sentence(&format!("{}: registered already, for {events}", display_path(&path)), printer);
        return Ok(CommandOutcome::Clean);
    }
    let proposal = Proposal {
        changes: &[settings_change(scope, &path, before, Some(after.text().to_owned()))],
        summary: &proposed_changes(&changes),
        question: "Register the hook?",
        details: &dry_run("install", Host::CLAUDE_CODE, scope),
    };
    if !make_if_agreed(&proposal, args.consent, printer)? {
        if args.consent == Consent::DryRun {
            reached_sessions(scope).iter().for_each(|sentence| print_sentence(sentence, printer));
        }
        return Ok(args.consent.refused());
    }
    print_sentence(&format!("{}: {}", display_path(&path), describe_changes(&changes)), printer);
    next_steps(scope, &path, policy.is_found()).iter().for_each(|step| print_sentence(step, printer));
    let installed = SettingsFile::from_text(scope, path, after.text().to_owned());
    if let Some(note) = registration::other_agents_note(scope, &installed.own_hooks()) {
        let help = note.help.map(|help| format!(": {help}")).unwrap_or_default();
        print_sentence(&format!("{}{help}.", note.message), printer);
    }
    Ok(CommandOutcome::Clean)
}

/// Loads the policy of the current directory.
///
/// # Errors
/// The policy does not load, or a registration for this project would have nothing to judge by.
fn loaded_policy(scope: SettingsScope) -> Result<Policy, String> {
    let policy = load(&[]);
    if policy.errors().next().is_some() {
        let problem = "the policy does not load, so nobody can say which events it uses; run `rules check`";
        return Err(problem.to_owned());
    }
    if scope != SettingsScope::User && policy.is_without_guard() {
        let what = if policy.is_found() { "the policy here has no rule" } else { "there is no policy here" };
        let below = below::sentence(current_directory().as_deref());
        let below = below.map(|below| format!("; {below}, and for the rest one line in a policy here is enough"));
        return Err(format!(
            "{what}, so every call would be asked about{}; run `rules init` first",
            below.unwrap_or_default()
        ));
    }
    Ok(policy)
}

/// Returns the registration that fits the policy and the host's version. Choices of an earlier installation persist:
/// its id, `--audit` and `--pass`.
fn wanted(
    args: &InstallParameters,
    settings: Option<&SettingsFile>,
    policy: &Policy,
    version: Option<HostVersion>,
    program: String,
) -> WantedRegistration {
    let scope = args.scope;
    let mut events = events_to_register(policy, known_version(args, version));
    let is_audited = settings.is_some_and(|settings| AUDIT.iter().all(|event| settings.has_own(*event)));
    if args.audit || is_audited {
        audit(&mut events);
    }
    if scope == SettingsScope::User && !has_worktree_rule(policy) {
        // A hook for WorktreeCreate replaces the host's own way to create a worktree, so without a rule for it
        // worktrees could be created in no project.
        events.remove(&Event::WorktreeCreate);
    }
    let blocks_failures = version.is_some_and(|version| version >= BLOCKS_FAILURES);
    WantedRegistration {
        scope,
        program,
        id: (scope != SettingsScope::Project).then(|| settings.and_then(installed_id).unwrap_or_else(machine::new_id)),
        host_blocks_failures: scope != SettingsScope::Project && !args.any_version && blocks_failures,
        user_arguments: match settings {
            Some(settings) if args.pass.is_empty() => installed_options(settings),
            _ => args.pass.clone(),
        },
        events,
        keeps_others: scope == SettingsScope::User,
    }
}

/// Warns if the installed host is too old for events of the policy, or for entries with `onFailure`.
fn warn_of_old_host(policy: &Policy, wanted: &WantedRegistration, version: Option<HostVersion>, printer: &mut Printer) {
    let is_lacking = |event: &Event| is_newer(*event) && !wanted.events.contains_key(event);
    let lacking: Vec<Event> = policy_events(policy).into_keys().filter(is_lacking).collect();
    if !lacking.is_empty() {
        let lacking = list_events(&lacking);
        printer.err(&format!(
            "rules: not registered for {lacking}: the Claude Code that is installed has no such event\n"
        ));
    }
    if let Some(version) = version.filter(|version| *version < BLOCKS_FAILURES) {
        printer.err(&format!(
            "rules: Claude Code {version} does not know `onFailure`, so the entries are shell lines that end \
             in `|| exit 2`\n"
        ));
    }
}

/// Runs `uninstall`.
pub(super) fn run_uninstall(args: &Uninstall, printer: &mut Printer) -> CommandOutcome {
    let host = args.host;
    let is_claude_code = host == Host::CLAUDE_CODE;
    let result = if is_claude_code { run_removal(args, printer) } else { agents::uninstall(host, args, printer) };
    report_result(result, printer)
}

/// Removes the entries that `rules install` wrote from a settings file, after the user's consent. Entries written by
/// hand stay.
fn run_removal(args: &Uninstall, printer: &mut Printer) -> Result<CommandOutcome, String> {
    let scope = args.to.scope();
    let path = args.to.file()?;
    let Some(settings) = read(scope, &path)? else {
        printer.out(&format!("{}: there is none, so nothing is registered there\n", display_path(&path)));
        return Ok(CommandOutcome::Clean);
    };
    let document = parsed_document(&settings)?;
    let (after, changes) = uninstall(&settings, &document).map_err(|mistake| mistake_location(&path, &mistake))?;
    let by_hand = settings.own_hooks().len().saturating_sub(changes.removed.len());
    if changes.is_empty() {
        let rest = if by_hand > 0 { "; what is registered there was written by hand" } else { "" };
        printer.out(&format!("{}: `rules install` wrote nothing there{rest}\n", display_path(&path)));
        return Ok(CommandOutcome::Clean);
    }
    let before = Some(document.text().to_owned());
    let proposal = Proposal {
        changes: &[settings_change(scope, &path, before, after.map(|after| after.text().to_owned()))],
        summary: &proposed_changes(&changes),
        question: "Remove the registration?",
        details: &dry_run("uninstall", Host::CLAUDE_CODE, scope),
    };
    let consent = args.to.consent();
    if !make_if_agreed(&proposal, consent, printer)? {
        return Ok(consent.refused());
    }
    print_sentence(&format!("{}: {}", display_path(&path), describe_changes(&changes)), printer);
    if by_hand > 0 {
        printer.out("An entry for rules that was written by hand is still there.\n");
    }
    Ok(CommandOutcome::Clean)
}

/// Builds the change of a settings file. Links are followed only in the user's settings.
fn settings_change(scope: SettingsScope, path: &Path, before: Option<String>, after: Option<String>) -> SettingsChange {
    let follows_links = scope == SettingsScope::User;
    SettingsChange { path: path.to_path_buf(), before, after, follows_links, is_executable: false }
}

/// Reads a settings file; `None` if it does not exist. Refuses a file of a project that is a link or in a linked
/// directory, because the link could lead anywhere.
fn read(scope: SettingsScope, path: &Path) -> Result<Option<SettingsFile>, String> {
    let is_link = path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    let directory = path.parent().and_then(|above| above.symlink_metadata().ok());
    if scope != SettingsScope::User && (is_link || directory.is_some_and(|above| above.is_symlink())) {
        return Err(format!(
            "`{}` is or lies behind a link of the project; nothing is written through one",
            display_path(path)
        ));
    }
    Ok(SettingsFile::read(scope, path.to_path_buf()))
}

/// Returns the parsed settings.
///
/// # Errors
/// The message that says why the file cannot be read or parsed.
fn parsed_document(settings: &SettingsFile) -> Result<JsonDocument, String> {
    settings.document.clone().map_err(|unreadable| match unreadable {
        UnreadableSettings::File(why) => format!("`{}` cannot be read: {why}", display_path(&settings.path)),
        UnreadableSettings::Text(mistake) => {
            let place = mistake_location(&settings.path, &mistake);
            format!("{place}; the host ignores the whole file because of it, and nothing was changed")
        }
    })
}

/// Returns a mistake in the settings with its position: `settings.json:3:5: …`.
fn mistake_location(path: &Path, mistake: &JsonMistake) -> String {
    format!("{}:{}:{}: {}", display_path(path), mistake.line, mistake.column, mistake.message)
}

/// Returns the version of the host that will read the registration, as far as it is known. Shared settings
/// (`--project`, `--any-version`) may be read by other versions, so an installed host with all events counts as
/// unknown there; an older one is returned, and the events that it lacks are left out.
fn known_version(args: &InstallParameters, version: Option<HostVersion>) -> Option<HostVersion> {
    let is_alone = args.scope != SettingsScope::Project && !args.any_version;
    version.filter(|version| is_alone || *version < HAS_NEWER_EVENTS)
}

/// Whether a rule of the user's or the administrator's policy is for WorktreeCreate.
fn has_worktree_rule(policy: &Policy) -> bool {
    let mut rules = policy.rules.rules().iter();
    rules.any(|rule| {
        matches!(rule.layer, LayerKind::Managed | LayerKind::User)
            && rule.head.event_set().contains(&Event::WorktreeCreate)
    })
}

/// Joins the names of events as in a sentence: `Stop and Notification`.
fn list_events<'e>(events: impl IntoIterator<Item = &'e Event>) -> String {
    let names: Vec<String> = events.into_iter().map(|event| event.name().to_owned()).collect();
    join_names(&names)
}

/// Joins names as in a sentence: `a, b and c`.
fn join_names(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Prints a sentence, wrapped to lines of at most 80 columns.
fn print_sentence(text: &str, printer: &mut Printer) {
    printer.out(&wrapped(printer.width().min(WIDTH), "", "  ", text));
}

/// Returns the command that shows every line of a change.
fn dry_run(command: &str, host: Host, scope: SettingsScope) -> String {
    let option = match scope {
        SettingsScope::Project => " --project",
        SettingsScope::User => " --user",
        SettingsScope::Local | SettingsScope::Managed => "",
    };
    format!("rules {command} {}{option} --dry-run", host.name())
}

/// Describes the changes of a registration: `registered Stop; removed Notification`.
fn describe_changes(changes: &RegistrationChanges) -> String {
    let parts =
        [("registered", &changes.added), ("brought up to date", &changes.changed), ("removed", &changes.removed)];
    let parts = parts.into_iter().filter(|(_, names)| !names.is_empty());
    parts.map(|(what, names)| format!("{what} {}", join_names(names))).collect::<Vec<_>>().join("; ")
}

/// Describes the changes that a registration would make: `2 entries to add, for Stop and Notification`.
fn proposed_changes(changes: &RegistrationChanges) -> String {
    let parts =
        [("to add", &changes.added), ("to bring up to date", &changes.changed), ("to remove", &changes.removed)];
    let part = |(what, names): (&str, &Vec<String>)| {
        let entries = if names.len() == 1 { "1 entry".to_owned() } else { format!("{} entries", names.len()) };
        format!("{entries} {what}, for {}", join_names(names))
    };
    let parts = parts.into_iter().filter(|(_, names)| !names.is_empty());
    format!("{}:", parts.map(part).collect::<Vec<_>>().join("; "))
}

/// Returns what the user should do after an installation in this scope, as sentences.
fn next_steps(scope: SettingsScope, path: &Path, has_policy: bool) -> Vec<String> {
    let mut steps = Vec::new();
    match scope {
        SettingsScope::User => steps.push(
            "In a project's own policy only deny and ask count until you have looked at it with `rules trust`."
                .to_owned(),
        ),
        SettingsScope::Project => steps.push(format!(
            "Commit {}. Who works on the project needs `rules` on the PATH: without it every call is blocked.",
            display_path(path)
        )),
        SettingsScope::Local if !machine::is_ignored_by_git(path) => {
            steps.push(format!("Add {} to .gitignore: it names a program of this machine.", display_path(path)));
        }
        SettingsScope::Local | SettingsScope::Managed => {}
    }
    steps.extend(reached_sessions(scope));
    if !has_policy {
        steps.push("There is no policy yet: `rules init` proposes one.".to_owned());
    }
    steps.push(match switched_off(scope, path) {
        Some(why) => format!("Hooks are off here, this one included: {why}. `rules doctor` tries it."),
        None => "A session that is running takes the hook up at once; `rules doctor` tries it.".to_owned(),
    });
    steps
}

/// Returns the setting that keeps the host from running hooks of these settings, with its position and what to do;
/// `None` if they run.
fn switched_off(scope: SettingsScope, path: &Path) -> Option<String> {
    let mut settings = registration::settings(None);
    if !settings.iter().any(|known| known.path == path) {
        settings.extend(SettingsFile::read(scope, path.to_path_buf()));
    }
    let none = EventRegistrations::new();
    let findings = registration::review(&settings, &none, None).findings();
    let is_switch = |finding: &&RegistrationFinding| {
        matches!(finding.problem, RegistrationProblem::Disabled | RegistrationProblem::ManagedOnly)
    };
    let finding = findings.iter().find(is_switch)?;
    let file = settings.iter().find(|known| Some(&known.path) == finding.file.as_ref())?;
    let line = finding.place.as_ref().map(|place| format!(":{}", file.line(place))).unwrap_or_default();
    Some(format!("{}{line}: {}; {}", display_path(&file.path), finding.problem.message(), finding.problem.help()))
}

/// Returns sentences about which sessions read the settings of the current directory. They are empty at the root of a
/// repository, whose settings all its sessions read.
fn reached_sessions(scope: SettingsScope) -> Vec<String> {
    let here = current_directory().filter(|_| scope != SettingsScope::User);
    let below_root = here.filter(|here| repository_root(here).is_some_and(|root| root != *here));
    let Some(here) = below_root else { return Vec::new() };
    let mut sentences = vec![format!(
        "A session reads these settings if it starts in {}; for one that starts elsewhere in the repository, such as at \
         its root, install the hook there, too.",
        line(&shown(&here).to_string(), usize::MAX)
    )];
    if scope == SettingsScope::Local {
        sentences.push(
            "Since Claude Code 2.1.330 at the latest, the local settings at the root of the main working tree also count \
             in its packages and linked worktrees: installed there, the hook guards all of them."
                .to_owned(),
        );
    }
    sentences
}
