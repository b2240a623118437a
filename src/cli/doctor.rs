//! `rules doctor`: checks whether the hook is in force here, and reports what prevents that.

mod agents;
mod host_events;
mod kept;
mod trial;

use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::install::{self, machine};
use super::load::current_directory;
use super::print::{Printer, Style, count};
use super::registration::{self, display_path};
use super::{CommandOutcome, below};
use crate::config::LayerKind;
use crate::diagnostic::Severity;
use crate::hooks::places;
use crate::host_settings::{
    BLOCKS_FAILURES, HAS_NEWER_EVENTS, Handler, RegisteredHook, RegistrationFinding, RegistrationProblem, SettingsFile,
    events_to_register,
};
use crate::platform::paths::shown;
use crate::policy::Policy;
use crate::project::{MachinePlaces, uncounted_files};
use crate::schema::HostVersion;
use crate::trust::inspect;

/// Find out whether the hook guards here, and what is in its way
///
/// Looks at the binary, the policy and the agents' settings around the current
/// directory, and gives each registered command line a harmless call, as the agent
/// does. Exits with 1 if something lets calls through.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct DoctorArgs {
    /// Bring what `rules install` wrote up to date
    #[arg(long)]
    fix: bool,

    /// With `--fix`: write without asking
    #[arg(long, requires = "fix")]
    yes: bool,

    /// Print one JSON object
    #[arg(long, conflicts_with = "fix")]
    json: bool,

    /// The directory of the host's user settings. Default: $CLAUDE_CONFIG_DIR,
    /// or ~/.claude
    #[arg(long, value_name = "DIR")]
    claude_dir: Option<PathBuf>,
}

/// The width to which names and sentences are wrapped or cut.
pub(super) const WIDTH: usize = 80;

/// One line of the report: what was checked, and the result.
struct DoctorCheck {
    /// What was checked, in one word: `policy`.
    subject: &'static str,
    /// How bad the result is; `None` if all is well.
    severity: Option<Severity>,
    /// The result as a sentence without its full stop.
    message: String,
    /// The file that the result is about, and the line in it if known.
    place: Option<(PathBuf, Option<usize>)>,
    /// How many other entries of the file have the same result.
    more: usize,
    /// What the user can do about it.
    help: Option<String>,
}

impl DoctorCheck {
    /// Creates a check without a problem.
    fn success(subject: &'static str, message: impl Into<String>) -> Self {
        Self { subject, severity: None, message: message.into(), place: None, more: 0, help: None }
    }

    /// Creates a check with a problem and what to do about it.
    fn problem(subject: &'static str, severity: Severity, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { severity: Some(severity), help: Some(help.into()), ..Self::success(subject, message) }
    }

    /// Returns the file that the result is about.
    fn file(&self) -> Option<&Path> {
        self.place.as_ref().map(|(path, _)| path.as_path())
    }

    /// Returns the check with its file and line.
    fn at_place(self, path: &Path, line: Option<usize>) -> Self {
        Self { place: Some((path.to_path_buf(), line)), ..self }
    }
}

/// Runs the command.
pub(super) fn run(args: &DoctorArgs, printer: &mut Printer) -> CommandOutcome {
    let version = machine::host_version();
    let files = registration::places(args.claude_dir.as_deref()).of_version(version);
    let mut settings = files.read();
    let places = registered_places(&settings);
    let (policy, state) = inspect(&places);
    let mut checks = vec![binary(), host(version)];
    checks.extend(host_events::compare_events_of_version(version));
    checks.extend(host_events::find_unknown_events(&places));
    checks.extend(check_policy(&policy));
    let agents = agents::check_agents(&policy);
    checks.extend(check_registration(&policy, &settings, version, agents.are_registered));
    checks.extend(try_command_lines(&settings, &policy));
    checks.extend(agents.checks);
    checks.extend(kept::check_trust(&settings, &places, state.as_ref()));
    checks.extend(kept::directories(&places));
    checks.extend(kept::check_log(&places));
    if args.json {
        printer.out(&format!("{}\n", checks_as_json(&checks)));
    } else {
        for check in &checks {
            printer.out(&line(check, printer));
        }
        printer.out(&summary(&checks));
    }
    if args.fix {
        // The settings of the main working tree are for its own policy, too, so they are brought up to date there.
        settings.retain(|of| Some(&of.path) != files.shared.as_ref());
        return install::bring_up_to_date(&settings, args.yes, printer);
    }
    let fails = checks.iter().any(|check| check.severity >= Some(Severity::Deny));
    if fails { CommandOutcome::Findings } else { CommandOutcome::Clean }
}

/// Reports the version and path of this program; this check cannot fail.
fn binary() -> DoctorCheck {
    let version = env!("CARGO_PKG_VERSION");
    match std::env::current_exe() {
        Ok(path) => DoctorCheck::success("binary", format!("rules {version}, {}", display_path(&path))),
        Err(_) => DoctorCheck::success("binary", format!("rules {version}")),
    }
}

/// Reports the version of Claude Code, and whether it is too old for `onFailure`.
fn host(version: Option<HostVersion>) -> DoctorCheck {
    let Some(version) = version else {
        let message = "Claude Code is not on the PATH, so its version is not known";
        return DoctorCheck { severity: Some(Severity::Info), ..DoctorCheck::success("host", message) };
    };
    let name = format!("Claude Code {version}");
    if version < BLOCKS_FAILURES {
        let message =
            format!("{name}, which does not know `onFailure`: its entries need the form that ends in `|| exit 2`");
        let help = format!("{BLOCKS_FAILURES} and newer know it; with Node below 22, npm installs an older one");
        return DoctorCheck::problem("host", Severity::Info, message, help);
    }
    DoctorCheck::success("host", name)
}

/// Checks the policy: whether there is one, the number of rules in each layer, files that are not read, and layers that
/// do not load.
fn check_policy(policy: &Policy) -> Vec<DoctorCheck> {
    let mut checks = Vec::new();
    let names = |kind: LayerKind| match kind {
        LayerKind::Managed => "of the administrator's",
        LayerKind::User => "of your own",
        LayerKind::Project => "of the project's",
        LayerKind::Local => "of your own for this project",
    };
    let loaded_layers = policy.layers.iter().filter(|layer| layer.exists && layer.is_loaded());
    let rule_counts: Vec<String> =
        loaded_layers.map(|layer| format!("{} {}", count(layer.rules.len(), "rule"), names(layer.kind))).collect();
    match (policy.is_found(), rule_counts.is_empty()) {
        (false, _) => {
            let message = match below::sentence(current_directory().as_deref()) {
                Some(below) => format!("there is none here or for this account; {below}, and nothing else is guarded"),
                None => "there is none here or for this account, so nothing is guarded".to_owned(),
            };
            checks.push(DoctorCheck::problem("policy", Severity::Deny, message, "run `rules init`"));
        }
        (true, false) => {
            checks.push(DoctorCheck::success("policy", rule_counts.join(", ")));
            let below = below::sentence(current_directory().as_deref());
            checks.extend(below.map(|below| DoctorCheck::success("policy", below)));
        }
        (true, true) => {}
    }
    for file in uncounted_files(current_directory().as_deref(), &policy.sources) {
        let check =
            DoctorCheck::problem("policy", Severity::Warning, "does not count", file.remedy(&display_path(&file.path)));
        checks.push(check.at_place(&file.path, None));
    }
    for layer in policy.broken_layers() {
        let message = format!("the {} policy does not load", layer.kind.name());
        checks.push(DoctorCheck::problem("policy", Severity::Deny, message, "run `rules check`"));
    }
    checks
}

/// Checks the registration with Claude Code: the registered events of each settings file, its problems, and events that
/// the policy uses but that are not registered. `is_elsewhere`: whether the hook is registered with another agent.
fn check_registration(
    policy: &Policy,
    settings: &[SettingsFile],
    version: Option<HostVersion>,
    is_elsewhere: bool,
) -> Vec<DoctorCheck> {
    let mut events = events_to_register(policy, version.filter(|version| *version < HAS_NEWER_EVENTS));
    events.retain(|event, _| HostVersion::has_event(version, *event) != Some(false));
    let review = registration::review(settings, &events, version);
    let mut checks = Vec::new();
    if !review.is_registered() && is_elsewhere {
        // Without the program, the user works with another agent.
        let severity = if version.is_some() { Severity::Deny } else { Severity::Info };
        let message = "no hook is registered with Claude Code here, so it guards nothing";
        return vec![DoctorCheck::problem("registered", severity, message, "run `rules install claude-code`")];
    }
    if !review.is_registered() {
        let message = "no hook is registered here, so nothing is guarded";
        checks.push(DoctorCheck::problem("registered", Severity::Deny, message, "run `rules install claude-code`"));
    }
    for file in settings.iter().filter(|settings| !settings.own_hooks().is_empty()) {
        let names: Vec<String> = file.own_hooks().iter().map(|(handler, _)| handler.event.clone()).collect();
        checks.push(DoctorCheck::success("registered", format!("for {}", names.join(", "))).at_place(&file.path, None));
        if let Some(note) = registration::other_agents_note(file.scope, &file.own_hooks()) {
            let checked =
                DoctorCheck { severity: Some(Severity::Info), ..DoctorCheck::success("agents", note.message) };
            checks.push(DoctorCheck { help: note.help.map(str::to_owned), ..checked }.at_place(&file.path, None));
        }
    }
    let (missing, findings): (Vec<RegistrationFinding>, Vec<RegistrationFinding>) =
        review.findings().into_iter().partition(|finding| matches!(finding.problem, RegistrationProblem::Missing(_)));
    for finding in &findings {
        let new = check_from_finding(finding, settings);
        // `rules install` writes an entry for each event; a problem that all entries have is reported once.
        let is_same = |check: &&mut DoctorCheck| check.message == new.message && check.file() == new.file();
        match checks.iter_mut().find(is_same) {
            Some(check) => check.more += 1,
            None => checks.push(new),
        }
    }
    let names: Vec<&str> = missing
        .iter()
        .filter_map(|finding| match finding.problem {
            RegistrationProblem::Missing(event) => Some(event.name()),
            _ => None,
        })
        .collect();
    if let Some(severity) = missing.iter().map(|finding| finding.problem.severity()).max() {
        let message = format!("no hook is registered for {}", names.join(", "));
        checks.push(DoctorCheck::problem("registered", severity, message, "run `rules install claude-code` again"));
    }
    checks
}

/// Converts a finding about the settings to a check.
fn check_from_finding(finding: &RegistrationFinding, settings: &[SettingsFile]) -> DoctorCheck {
    let problem = &finding.problem;
    let check = DoctorCheck::problem("registered", problem.severity(), problem.message(), problem.help());
    let Some(path) = &finding.file else { return check };
    let file = settings.iter().find(|settings| settings.path == *path);
    let line = file.zip(finding.place.as_ref()).map(|(file, place)| file.line(place));
    check.at_place(path, line)
}

/// Tries each distinct registered command line with a harmless call.
fn try_command_lines(settings: &[SettingsFile], policy: &Policy) -> Vec<DoctorCheck> {
    let mut seen: Vec<(Option<String>, Option<Vec<String>>)> = Vec::new();
    let mut checks = Vec::new();
    for file in settings {
        for (handler, registered) in file.own_hooks() {
            let line = (handler.command.clone(), handler.args.clone());
            if seen.contains(&line) {
                continue;
            }
            seen.push(line);
            checks.push(try_command_line(file, &handler, &registered, policy));
        }
    }
    checks
}

/// Tries a registered command line, and converts the result to a check.
fn try_command_line(
    file: &SettingsFile,
    handler: &Handler,
    registered: &RegisteredHook,
    policy: &Policy,
) -> DoctorCheck {
    let place = Some(file.line(&handler.range));
    let tried = trial::try_registration(handler, registered, policy);
    trial_check(&handler.command_line(), tried).at_place(&file.path, place)
}

/// Converts the result of trying a command line to a check.
fn trial_check(line: &str, tried: trial::Trial) -> DoctorCheck {
    match tried {
        trial::Trial::Answered(time) => {
            DoctorCheck::success("tried", format!("`{line}` answered a harmless call in {time} ms"))
        }
        trial::Trial::Denied(time) => {
            let message = format!("`{line}` answered a harmless call in {time} ms, and denied one without a tool");
            DoctorCheck::success("tried", message)
        }
        trial::Trial::NotTried(why) => DoctorCheck::problem(
            "tried",
            Severity::Info,
            format!("`{line}` was not tried: {why}"),
            "try it yourself, with a payload on standard input",
        ),
        trial::Trial::Failed(why) => DoctorCheck::problem(
            "tried",
            Severity::Deny,
            format!("`{line}` {why}"),
            "run it in a shell with a payload on standard input, and see what it says",
        ),
    }
}

/// Returns the directories of policies and state that the registered hooks use: those of their options, such as
/// `--state-dir`, else the default ones.
fn registered_places(settings: &[SettingsFile]) -> MachinePlaces {
    let hooks: Vec<(Handler, RegisteredHook)> = settings.iter().flat_map(SettingsFile::own_hooks).collect();
    let option = |name: &str| hooks.iter().find_map(|(_, registered)| registered.option(name).map(PathBuf::from));
    let [managed, user, state, cache] = ["--managed-dir", "--config-dir", "--state-dir", "--cache-dir"].map(option);
    let places = places(managed.as_deref(), user.as_deref(), state.as_deref(), cache.as_deref());
    MachinePlaces { project: current_directory(), ..places }
}

/// Formats a check as a line, with a second one for its help.
fn line(check: &DoctorCheck, printer: &Printer) -> String {
    let (mark, style) = match check.severity {
        None => ("ok", Style::Green),
        Some(Severity::Info) => ("note", Style::Cyan),
        Some(Severity::Warning) => ("warn", Style::Yellow),
        Some(Severity::Deny | Severity::Error) => ("FAIL", Style::Red),
    };
    let place = check.place.as_ref().map(|(path, line)| match line {
        Some(line) => format!("{}:{line}: ", display_path(path)),
        None => format!("{}: ", display_path(path)),
    });
    let more = if check.more > 0 { format!(" (and in {})", entries(check.more)) } else { String::new() };
    let text = format!("{}{}{more}", place.unwrap_or_default(), check.message);
    // The width of a line is counted before it is coloured.
    let lead = format!("{mark:<5} {:<10}  ", check.subject);
    let mut shown =
        printer.wrapped(&lead, &" ".repeat(lead.len()), &text).replacen(mark, &printer.paint(style, mark), 1);
    if let Some(help) = &check.help {
        let arrow = printer.signs().arrow;
        let lead = format!("{}{arrow} ", " ".repeat(lead.len()));
        let rest = " ".repeat(lead.chars().count());
        shown.push_str(&printer.wrapped(&lead, &rest, help).replacen(arrow, &printer.paint(Style::Cyan, arrow), 1));
    }
    shown
}

/// Returns `1 other entry` or `N other entries`.
fn entries(count: usize) -> String {
    if count == 1 { "1 other entry".to_owned() } else { format!("{count} other entries") }
}

/// Returns the last line of the report: whether the hook is in force.
fn summary(checks: &[DoctorCheck]) -> String {
    let number_of = |severity| checks.iter().filter(|check| check.severity == Some(severity)).count();
    let (fails, warnings) = (number_of(Severity::Deny) + number_of(Severity::Error), number_of(Severity::Warning));
    match (fails, warnings) {
        (0, 0) => "\nThe hook guards here.\n".to_owned(),
        (0, warnings) => format!("\nThe hook guards here; see {}.\n", count(warnings, "warning")),
        (fails, _) => format!(
            "\n{} in the way of the hook.\n",
            if fails == 1 { "1 thing is".to_owned() } else { format!("{fails} things are") }
        ),
    }
}

/// Returns the report as a JSON object.
fn checks_as_json(checks: &[DoctorCheck]) -> Json {
    let status = |check: &DoctorCheck| check.severity.map_or("ok", Severity::name);
    let one = |check: &DoctorCheck| {
        json!({
            "check": check.subject, "status": status(check), "message": check.message,
            "file": check.place.as_ref().map(|(path, _)| shown(&path).to_string()),
            "line": check.place.as_ref().and_then(|(_, line)| *line), "more": check.more, "help": check.help,
        })
    };
    let guards = !checks.iter().any(|check| check.severity >= Some(Severity::Deny));
    json!({ "version": env!("CARGO_PKG_VERSION"), "guards": guards, "checks": checks.iter().map(one).collect::<Vec<_>>() })
}
