//! Checks the policies in the directories below and above a project, each as a session there has it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{CheckFindings, PassedCounts, check_findings};
use crate::cli::below;
use crate::config::PolicyBase;
use crate::diagnostic::{Diagnostic, Levels};
use crate::examples::JudgedDirectories;
use crate::host::Host;
use crate::parallel;
use crate::policy::{Policy, PolicyLayer};
use crate::project::{ForeignPart, NestedPolicies, load_below, nested_policies};
use crate::span::Sources;

/// The check of the policies below a project.
#[derive(Default)]
pub(super) struct NestedCheck {
    /// The findings that the check of the project has not reported.
    pub(super) findings: Vec<Diagnostic>,
    pub(super) passed: PassedCounts,
    /// Lines about what was checked and what was not.
    pub(super) notes: Vec<String>,
}

impl NestedCheck {
    /// Checks the policies of the directories above a project, each in a session there: a path in them is relative to
    /// their directory. Removes from `reported` the findings of lints about their texts.
    pub(super) fn of_directories_above(
        project: &Path,
        policy: &mut Policy,
        (host, asked): (Host, &Levels),
        reported: &mut Vec<Diagnostic>,
    ) -> Self {
        let above = directories_above(policy);
        if above.is_empty() {
            return Self::default();
        }
        reported.retain(|finding| is_own(finding, policy));
        let mut sources = std::mem::take(&mut policy.sources);
        let check = Self::of_directories(project, &above, (host, asked), (&mut sources, reported));
        policy.sources = sources;
        check
    }

    /// Checks the policies below a project. Their texts are added to the sources of the project; `reported` has the
    /// findings about the project's own policy.
    pub(super) fn of_project(
        project: &Path,
        host: Host,
        asked: &Levels,
        (sources, reported): (&mut Sources, &[Diagnostic]),
    ) -> Self {
        let found = nested_policies(project);
        let check = Self::of_directories(project, &found.directories, (host, asked), (sources, reported));
        Self { notes: notes(&found, project), ..check }
    }

    /// Checks the policy of a session in each directory. Leaves out what is already reported, and the findings of lints
    /// about the texts of directories above.
    fn of_directories(
        project: &Path,
        directories: &[PathBuf],
        (host, asked): (Host, &Levels),
        (sources, reported): (&mut Sources, &[Diagnostic]),
    ) -> Self {
        let mut policies = Vec::new();
        for directory in directories {
            let loaded = load_below(project, directory, std::mem::take(sources));
            *sources = loaded.sources.clone();
            policies.push(Policy::new(loaded.sources, &loaded.layers));
        }
        let checked =
            parallel::map(&policies, |policy| check_findings(policy, host, asked, JudgedDirectories::Innermost));
        let mut told: BTreeSet<FindingKey> = reported.iter().map(|finding| FindingKey::new(finding, sources)).collect();
        let mut check = Self::default();
        for (policy, CheckFindings { findings, passed }) in policies.iter().zip(checked) {
            check.passed = check.passed.plus(passed);
            let own = findings.into_iter().filter(|finding| is_own(finding, policy));
            check.findings.extend(own.filter(|finding| told.insert(FindingKey::new(finding, sources))));
        }
        check
    }
}

/// Returns the directories above the project directory that have files of the policy.
fn directories_above(policy: &Policy) -> Vec<PathBuf> {
    let of_project = policy.layers.iter().filter(|layer| layer.kind.is_of_project());
    let directories = of_project.flat_map(|layer| &layer.directories);
    let above = directories.filter(|directory| matches!(directory.base, PolicyBase::Above(_)));
    above.filter_map(|directory| directory.path.clone()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Whether a finding is reported for a session in the project directory: it is an error, or not about a text of a
/// directory above.
fn is_own(finding: &Diagnostic, policy: &Policy) -> bool {
    let Some(span) = finding.span().filter(|_| !finding.is_error()) else { return true };
    let is_above = |layer: &PolicyLayer| {
        let file = layer.files.iter().find(|file| file.id == span.file);
        let directory = file.and_then(|file| layer.directories.get(file.directory));
        directory.is_some_and(|directory| directory.base != PolicyBase::Project)
    };
    !policy.layers.iter().any(is_above)
}

/// What distinguishes findings, also if their file was read several times.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct FindingKey {
    code: &'static str,
    place: Option<(String, u32, u32)>,
    message: String,
}

impl FindingKey {
    fn new(finding: &Diagnostic, sources: &Sources) -> Self {
        let place = finding.span().and_then(|span| {
            let file = sources.file(span)?;
            Some((file.name.clone(), span.start, span.end))
        });
        Self { code: finding.code.id, place, message: finding.message.clone() }
    }
}

/// Returns lines about which policies are below a project, and which of them were not checked.
fn notes(found: &NestedPolicies, project: &Path) -> Vec<String> {
    let mut notes = Vec::new();
    if !found.directories.is_empty() {
        let names = below::listed(found.directories.iter().map(|path| path.as_path()), project);
        let policies = if found.directories.len() == 1 { "policy" } else { "policies" };
        notes.push(format!("also checked the {policies} of {names}"));
    }
    for (part, why) in
        [(ForeignPart::WorkingTree, "in a working tree of its own"), (ForeignPart::Dependency, "in `node_modules`")]
    {
        let paths: Vec<&Path> =
            found.foreign.iter().filter(|(_, of)| *of == part).map(|(path, _)| path.as_path()).collect();
        if !paths.is_empty() {
            notes.push(format!("not checked, {why}: {}", below::listed(paths.into_iter(), project)));
        }
    }
    if let Some(limit) = &found.limit {
        notes.push(format!("the search for policies below ended at {limit}"));
    }
    notes
}
