//! The section about layers in `rules explain --as-hook`: which directories a hook finds and why, and how many rules
//! of an untrusted layer apply.

use std::path::{Path, PathBuf};

use crate::cli::print::{Printer, Style, count};
use crate::config::PolicyTrust;
use crate::context::Context;
use crate::escape::line;
use crate::eval::{TraceDetail, evaluate};
use crate::facts::Facts;
use crate::hooks::Registration;
use crate::host::Host;
use crate::platform::paths::shown;
use crate::policy::{Policy, PolicyLayer};
use crate::project::{DirectoryLookup, Discovery, MachinePlaces, TrustRequirement, discover};
use crate::trust;
use crate::types::Payload;
use crate::verdict::Verdict;

/// Prints the project and why the hook chooses it, and for each layer its directories and the number of its rules.
pub(super) fn print(
    (registration, payload): (&Registration, Option<&Payload>),
    places: &MachinePlaces,
    discovery: &Discovery,
    policy: &Policy,
    printer: &mut Printer,
) {
    match places.project.as_deref() {
        Some(project) => {
            printer.out(&format!(
                "the project is {}, {}\n",
                display_path(project),
                project_reason(registration, payload, project)
            ));
        }
        None => printer.out("there is no project: nothing says where\n"),
    }
    for gone in &places.missing_projects {
        printer.out(&format!("{} is no directory; the policy above it counts\n", display_path(gone)));
    }
    // Whether a path is `.rules` in the project or in the directory where discovery found one, or a file in it.
    let is_worth_listing = |path: &Path| {
        let in_project = places.project.as_deref().map(|project| project.join(".rules"));
        let discovered = discovery.project().map(|project| project.join(".rules"));
        [in_project, discovered].into_iter().flatten().any(|rules| path == rules || path.parent() == Some(&rules))
    };
    for layer in &policy.layers {
        let found: Vec<(PathBuf, String)> = discovery
            .directories()
            .filter(|(kind, ..)| *kind == layer.kind)
            // Directories above a project mostly have no policy, so those without one are left out.
            .filter(|(kind, path, found)| {
                !kind.is_of_project() || *found != DirectoryLookup::Absent || is_worth_listing(path)
            })
            .map(|(_, path, found)| (path.to_path_buf(), describe_lookup(path, found)))
            .collect();
        let word = layer.kind.name();
        if found.is_empty() {
            printer.out(&format!("{word:<8} nowhere\n"));
        }
        for (path, what) in &found {
            printer.out(&format!("{word:<8} {}: {what}\n", display_path(path)));
        }
        let counts = describe_rule_count(layer, policy);
        if let Some(counts) = counts.filter(|_| layer.exists) {
            printer.out(&format!("         {counts}\n"));
        }
    }
    if !trust::needs_trust(policy, places.trust) {
        let note = "the project has registered the hook, so its policy needs no trust";
        printer.out(&format!("{}\n", printer.paint(Style::Dim, note)));
    }
    printer.out("\n");
}

/// Counts the effects of each kind in a verdict, to compare two verdicts.
fn effect_counts(verdict: &Verdict) -> [usize; 8] {
    [
        verdict.contexts.len(),
        verdict.warnings.len(),
        verdict.exits.len(),
        verdict.runs.len(),
        verdict.notifications.len(),
        verdict.records.len(),
        usize::from(verdict.updated_input.is_some()),
        usize::from(verdict.updated_output.is_some()),
    ]
}

/// Prints a note if the project's policy is not trusted and a hook in the user's settings would therefore decide
/// differently, or have other effects. Prints nothing otherwise.
pub(super) fn note_of_trust(
    places: &MachinePlaces,
    (host, payload): (Host, &Payload),
    facts: &dyn Facts,
    verdict: &Verdict,
    printer: &mut Printer,
) {
    let places = MachinePlaces { trust: TrustRequirement::Required, ..places.clone() };
    let (policy, _) = trust::load(&discover(&places), &places);
    if policy.settings.trust == PolicyTrust::Trusted {
        return;
    }
    let context = Context::new(payload, host.name(), facts, &policy.settings.shell_tools);
    let confined = evaluate(&policy.rules, &context, TraceDetail::Outcomes).verdict;
    let needs_trust_everywhere = trust::needs_trust(&policy, TrustRequirement::ForNamedFiles);
    let hook = if needs_trust_everywhere { "a hook" } else { "a hook in the user's settings" };
    let note = if confined.decision() != verdict.decision() {
        let decision = confined.decision();
        format!("this project's policy is not trusted: {hook} says `{decision}` here")
    } else if effect_counts(&confined) != effect_counts(verdict) {
        format!("this project's policy is not trusted: {hook} leaves out its other effects")
    } else {
        return;
    };
    printer.out(&printer.paint(Style::Dim, &printer.wrapped("", "  ", &format!("{note} (`rules trust`)"))));
}

/// Returns why a hook chooses this project, as a fragment of a sentence.
fn project_reason(registration: &Registration, payload: Option<&Payload>, project: &Path) -> &'static str {
    let cwd = payload.and_then(|payload| payload.nonempty_text("cwd")).map(Path::new);
    let is_project = |directory: Option<&Path>| directory == Some(project);
    match () {
        () if is_project(registration.project.as_deref()) => "which the host names",
        () if is_project(cwd) => "the payload's `cwd`",
        () if is_project(registration.start_directory.as_deref()) => "where this process was started",
        () => "which was named",
    }
}

/// Describes what discovery found at a directory of a layer: nothing, the directory, a link to another, or a refusal.
fn describe_lookup(path: &Path, found: DirectoryLookup<'_>) -> String {
    match found {
        DirectoryLookup::Absent => "nothing there".to_owned(),
        DirectoryLookup::Present(physical) if physical == path => "found".to_owned(),
        DirectoryLookup::Present(physical) => format!("found, a link to {}", display_path(physical)),
        DirectoryLookup::Refused(problem) => format!("refused, {problem}"),
    }
}

/// Returns a phrase with the number of a layer's rules, or that it does not load, or how many still apply without
/// trust. `None` if a trusted layer has no rules.
fn describe_rule_count(layer: &PolicyLayer, policy: &Policy) -> Option<String> {
    if !layer.is_loaded() {
        return Some("it does not load, so that the failure policy stands for it".to_owned());
    }
    let rules = count(layer.rules.len(), "rule");
    let is_untrusted = layer.kind.is_of_project() && policy.settings.trust == PolicyTrust::Untrusted;
    if !is_untrusted {
        return (!layer.rules.is_empty()).then_some(rules);
    }
    let applied = policy.rules.rules().iter().filter(|rule| rule.layer == layer.kind).count();
    Some(format!("{rules}, not trusted: {applied} of them count, to deny and ask (`rules trust`)"))
}

/// Returns a path as text that is safe to print.
fn display_path(path: &Path) -> String {
    line(&shown(&path).to_string(), usize::MAX)
}
