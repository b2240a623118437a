//! `rules trust`: shows what a project's policy could do, and records that the user trusts its present state.

mod powers;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::difference::difference;
use super::print::{Printer, Style, count};
use super::prompt;
use super::{CommandOutcome, load};
use crate::escape::line;
use crate::files::reason;
use crate::hooks::places;
use crate::platform::paths::shown;
use crate::policy::Policy;
use crate::project::MachinePlaces;
use crate::trust::{PinReason, PinnedFile, PolicyState, TrustStore, TrustedState, inspect};

use powers::{Power, guards, powers};

/// Trust the policy of a project as it is
///
/// A hook in the user's own settings runs in every repository. Until its policy is
/// trusted, only its denials and questions count. This command shows what else it
/// could do, what has changed since it was last trusted, and asks. What is trusted
/// are the bytes that were read: the `.rules` files with everything they use, each
/// rules.toml and record of a program, and each file of the project that a `run`
/// names or loads. A changed byte makes it another policy; states that were trusted
/// before stay so.
///
/// Exits with 0 if the policy is trusted, 1 if it is not, and 3 if there is none.
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment)]
pub(super) struct TrustArgs {
    /// The directory that the agent works in. Default: the current directory
    #[arg(value_name = "DIR")]
    project: Option<PathBuf>,

    /// Trust it without asking: for scripts that set up a machine for a repository
    /// whose policy somebody has read. It is not for agents
    #[arg(long, conflicts_with = "list")]
    yes: bool,

    /// List what is trusted
    #[arg(long, conflicts_with = "project")]
    list: bool,

    /// Print JSON: what the policy could do, or what is trusted. Without `--yes`
    /// nothing is asked or trusted
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    directories: DirectoryArgs,
}

#[derive(clap::Args, Clone, Debug)]
pub(super) struct DirectoryArgs {
    /// The directory of the account's policy, instead of ~/.config/rules
    #[arg(long, value_name = "DIR")]
    config_dir: Option<PathBuf>,

    /// The directory of state and log, instead of ~/.local/state/rules
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,

    /// The directory of the administrator's policy, instead of /etc/rules
    #[arg(long, value_name = "DIR")]
    managed_dir: Option<PathBuf>,
}

impl DirectoryArgs {
    /// Returns the directories of policies and state for a project.
    pub(super) fn places(&self, project: Option<&Path>) -> MachinePlaces {
        let places = places(self.managed_dir.as_deref(), self.config_dir.as_deref(), self.state_dir.as_deref(), None);
        MachinePlaces { project: load::directory(project), ..places }
    }
}

/// The report of `rules trust --json`.
#[derive(Serialize)]
struct TrustReport<'s> {
    project: String,
    /// The digest of the whole state.
    fingerprint: String,
    trusted: bool,
    /// Why the policy cannot be trusted, if it cannot.
    problems: &'s [String],
    /// What the policy could do besides denying and asking.
    powers: &'s [Power],
    files: Vec<TrustReportFile>,
    /// A sentence for each program or script that the policy's commands run but whose content is not part of the
    /// trusted state.
    not_pinned: &'s [String],
}

/// A file that is part of the trusted state.
#[derive(Serialize)]
struct TrustReportFile {
    /// Why the file belongs to the state: `source` if it is a file of the policy, `run` if a command runs or loads
    /// it, `named` if the setting `trust.files` names it, `tasks` if of such a file only the tasks belong to the
    /// state.
    origin: &'static str,
    path: String,
    fingerprint: String,
}

/// Asks the user whether to trust the policy, unless `--yes` was given.
///
/// # Errors
/// The message to print if the user refuses, or cannot be asked.
fn ask_for_trust(args: &TrustArgs, printer: &mut Printer) -> Result<(), &'static str> {
    if args.yes {
        return Ok(());
    }
    if !prompt::is_possible() {
        return Err("nothing is trusted: there is no terminal to ask in, and no `--yes`");
    }
    printer.out("\n");
    match prompt::ask_yes_or_no("Trust this policy?", false) {
        true => Ok(()),
        false => Err("nothing is trusted"),
    }
}

/// Runs the command.
pub(super) fn run(args: &TrustArgs, printer: &mut Printer) -> CommandOutcome {
    let places = args.directories.places(args.project.as_deref());
    let Some(state_dir) = places.state.as_deref() else {
        return refused("this account has no home, so nothing can be kept; name a `--state-dir`", printer);
    };
    let store = TrustStore::open(state_dir);
    if args.list {
        return list(&store, args.json, printer);
    }
    let (policy, state) = inspect(&places);
    let Some(state) = state else {
        let place = places.project.as_deref().unwrap_or(Path::new("."));
        printer.err(&format!("rules: no policy of a project in {} or above\n", shown_path(place)));
        return CommandOutcome::Unreadable;
    };
    let is_trusted = store.is_trusted(&state);
    let powers = powers(&policy);
    if args.json {
        return print_trust_json(args, &store, &state, &powers, is_trusted, printer);
    }
    let earlier = match store.project_states(&state.root) {
        Ok(earlier) => earlier,
        Err(error) => return refused(&format!("the state directory: {}", reason(&error)), printer),
    };
    show(&policy, &state, &powers, is_trusted, printer);
    if is_trusted {
        return CommandOutcome::Clean;
    }
    if let Some(nearest) = most_similar_state(&state, &earlier) {
        show_changes(&state, nearest, printer);
    }
    if !state.problems.is_empty() {
        return refused(&format!("it cannot be trusted: {}", state.problems.join("; ")), printer);
    }
    if let Err(problem) = ask_for_trust(args, printer) {
        return refused(problem, printer);
    }
    if let Err(error) = store.add_state(&state) {
        return refused(&format!("this cannot be kept in {}: {}", shown_path(state_dir), reason(&error)), printer);
    }
    printer.out(&format!(
        "{}\n",
        printer.paint(Style::Green, "trusted; a change of any of these files is another policy")
    ));
    CommandOutcome::Clean
}

/// Prints the report as JSON. With `--yes`, first records the state as trusted, unless it has problems.
fn print_trust_json(
    args: &TrustArgs,
    store: &TrustStore<'_>,
    state: &PolicyState,
    powers: &[Power],
    was_trusted: bool,
    printer: &mut Printer,
) -> CommandOutcome {
    let mut trusted = was_trusted;
    if args.yes && !was_trusted && state.problems.is_empty() {
        if let Err(error) = store.add_state(state) {
            return refused(&format!("this cannot be kept: {}", reason(&error)), printer);
        }
        trusted = true;
    }
    let file = |pin: &PinnedFile| TrustReportFile {
        origin: pin.origin.name(),
        path: shown(&pin.path).to_string(),
        fingerprint: pin.fingerprint.hex(),
    };
    let report = TrustReport {
        project: shown(&state.root).to_string(),
        fingerprint: state.fingerprint().hex(),
        trusted,
        problems: &state.problems,
        powers,
        files: state.pins.iter().map(file).collect(),
        not_pinned: &state.unpinned,
    };
    print_json(&report, printer);
    if trusted { CommandOutcome::Clean } else { CommandOutcome::Findings }
}

/// Prints a value as indented JSON.
fn print_json(shown: &impl Serialize, printer: &mut Printer) {
    let text = serde_json::to_string_pretty(shown).unwrap_or_default();
    printer.out(&format!("{text}\n"));
}

/// Prints what the policy could do, the files that belong to its state, what is not pinned, and the problems.
fn show(policy: &Policy, state: &PolicyState, powers: &[Power], is_trusted: bool, printer: &mut Printer) {
    let trust = match is_trusted {
        true => printer.paint(Style::Green, "trusted"),
        false => printer.paint(Style::Yellow, "not trusted"),
    };
    printer.out(&format!("policy of {}: {trust}\n", shown_path(&state.root)));
    let could = if is_trusted { "it can" } else { "once trusted, it can" };
    match powers {
        [] => printer.out("\nit does nothing but deny and ask\n"),
        _ => printer.out(&format!("\n{could}\n")),
    }
    for power in powers {
        let effect = printer.paint(Style::Bold, &format!("{:<8}", power.effect));
        let Some(rule) = &power.rule else {
            printer.out(&format!("  {effect} {}\n", power.text));
            continue;
        };
        let on = printer.paint(Style::Dim, &format!("by {rule} on {}", power.on.join(", ")));
        printer.out(&format!("  {effect} {on}\n"));
        // A command is shown in full, because its author could hide something in a part that is cut off.
        for text in power.text.trim_end().lines() {
            printer.out(&format!("           {}\n", line(text, usize::MAX)));
        }
    }
    let guards = match guards(policy) {
        0 => "no rule denies or asks".to_owned(),
        1 => "1 rule denies or asks, trusted or not".to_owned(),
        many => format!("{many} rules deny or ask, trusted or not"),
    };
    printer.out(&format!("\n{guards}\n\n{}\n", count(state.pins.len(), "file")));
    for pin in &state.pins {
        printer.out(&format!("  {:<8} {}\n", pin.origin.name(), shown_path(&pin.path)));
        // Whoever trusts tasks sees what they run, as with the commands above.
        for text in pin.text.iter().filter(|_| pin.origin == PinReason::Tasks).flat_map(|text| text.lines()) {
            printer.out(&format!("           {}\n", line(text, usize::MAX)));
        }
    }
    if powers.iter().any(|power| power.effect == "run") {
        printer.out(
            "not pinned: what these files find in another way (a variable, a glob, an installed\n  package), and programs \
             outside the project\n",
        );
    }
    for sentence in &state.unpinned {
        printer.out(&format!("  {} {}\n", printer.paint(Style::Yellow, "not pinned"), line(sentence, usize::MAX)));
    }
    for problem in &state.problems {
        printer.out(&format!("  {} {}\n", printer.paint(Style::Red, "problem "), line(problem, usize::MAX)));
    }
}

/// Returns the earlier trusted state that shares the most unchanged files with `state`; of several, the first, which is
/// the newest. `None` if there is no earlier state.
fn most_similar_state<'t>(state: &PolicyState, earlier: &'t [TrustedState]) -> Option<&'t TrustedState> {
    let pins: BTreeSet<(String, String)> =
        state.pins.iter().map(|pin| (shown(&pin.path).to_string(), pin.fingerprint.hex())).collect();
    let shared = |trusted: &TrustedState| {
        trusted.files.iter().filter(|file| pins.contains(&(file.path.clone(), file.fingerprint.clone()))).count()
    };
    let mut nearest: Option<(&TrustedState, usize)> = None;
    for trusted in earlier {
        let shared = shared(trusted);
        if nearest.is_none_or(|(_, most)| shared > most) {
            nearest = Some((trusted, shared));
        }
    }
    nearest.map(|(trusted, _)| trusted)
}

/// Prints the files that changed since a trusted state, with the changed lines.
fn show_changes(state: &PolicyState, trusted: &TrustedState, printer: &mut Printer) {
    let day = trusted.trusted.get(..10).unwrap_or("an earlier day");
    printer.out(&format!("\nchanged since {}\n", line(day, 10)));
    let heading = |sign: &str, path: &str| format!("  {sign} {}\n", line(path, usize::MAX));
    for pin in &state.pins {
        let path = shown(&pin.path).to_string();
        let before = trusted.files.iter().find(|file| file.path == path && file.origin == pin.origin.name());
        let before_text = match before {
            Some(before) if before.fingerprint == pin.fingerprint.hex() => continue,
            Some(before) => before.text.as_deref(),
            None => Some(""),
        };
        printer.out(&heading(if before.is_some() { "changed" } else { "new    " }, &path));
        let lines = match (before_text, pin.text.as_deref()) {
            (Some(before), Some(after)) => difference(before, after, printer),
            _ => "no text that could be compared\n".to_owned(),
        };
        for text in lines.lines() {
            printer.out(&format!("    {text}\n"));
        }
    }
    for file in &trusted.files {
        let is_same = |pin: &PinnedFile| shown(&pin.path).to_string() == file.path && pin.origin.name() == file.origin;
        if !state.pins.iter().any(is_same) {
            printer.out(&heading("gone   ", &file.path));
        }
    }
    printer.out("\n");
}

/// Prints all trusted states, by project.
fn list(store: &TrustStore<'_>, as_json: bool, printer: &mut Printer) -> CommandOutcome {
    let states = match store.states() {
        Ok(states) => states,
        Err(error) => return refused(&format!("the state directory: {}", reason(&error)), printer),
    };
    if as_json {
        let without_texts = |mut state: TrustedState| {
            state.files.iter_mut().for_each(|file| file.text = None);
            state
        };
        let states: Vec<TrustedState> = states.into_iter().map(without_texts).collect();
        print_json(&states, printer);
        return CommandOutcome::Clean;
    }
    if states.is_empty() {
        printer.out("no policy of a project is trusted\n");
    }
    let mut project = None;
    for state in &states {
        if project != Some(&state.project) {
            printer.out(&format!("{}\n", printer.paint(Style::Bold, &line(&state.project, usize::MAX))));
            project = Some(&state.project);
        }
        let name = state.fingerprint.get(..12).unwrap_or(&state.fingerprint);
        let when = state.trusted.get(..16).unwrap_or_default().replace('T', " ");
        printer.out(&format!("  {name}  {}  {}\n", line(&when, 16), count(state.files.len(), "file")));
    }
    CommandOutcome::Clean
}

/// Returns a path as text that is safe to print.
fn shown_path(path: &Path) -> String {
    line(&shown(&path).to_string(), usize::MAX)
}

/// Prints a problem, and returns the outcome of a command that did nothing.
pub(super) fn refused(problem: &str, printer: &mut Printer) -> CommandOutcome {
    printer.err(&format!("rules: {}\n", line(problem, usize::MAX)));
    CommandOutcome::Findings
}
