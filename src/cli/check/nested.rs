//! Checks the policies in the directories below and above a project, each as a session there has it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{CheckFindings, check_findings};
use crate::cli::below;
use crate::cli::load::current_directory;
use crate::config::PolicyBase;
use crate::diagnostic::{Diagnostic, Levels};
use crate::examples::JudgedDirectories;
use crate::host::Host;
use crate::parallel;
use crate::policy::{Policy, PolicyLayer};
use crate::project::{ForeignPart, NestedPolicies, load_below, nested_policies};
use crate::span::Sources;

/// Checks the policies of the directories above a project, each as a session in its directory has it, because relative
/// paths refer to that directory. Replaces the lint findings about their texts that the check of the project made.
pub(super) fn add_directories_above(
    checked: &mut CheckFindings,
    project: &Path,
    policy: &mut Policy,
    options: (&[Host], &Levels),
) {
    let above = policy.directories_above();
    if !above.is_empty() {
        checked.findings.retain(|finding| is_own(finding, policy));
        add_directories(checked, project, &above, (options, &mut policy.sources));
    }
}

/// Checks the policies of the directories below a project, and notes which of them were left out.
pub(super) fn add_directories_below(
    checked: &mut CheckFindings,
    project: &Path,
    policy: &mut Policy,
    options: (&[Host], &Levels),
    below: &NestedPolicies,
) {
    checked.rules_below += add_directories(checked, project, &below.directories, (options, &mut policy.sources));
    checked.notes.extend(notes(below, project));
}

/// Checks the policies of sessions in directories, and in the directories below them. `empty` is a policy without
/// layers, whose sources receive all texts.
pub(super) fn check_directories(
    directories: &[PathBuf],
    empty: &mut Policy,
    options: (&[Host], &Levels),
) -> CheckFindings {
    let here = current_directory().unwrap_or_default();
    let mut checked = check_findings(empty, options.0, options.1, JudgedDirectories::All);
    for directory in directories {
        let below = nested_policies(directory);
        let all = [std::slice::from_ref(directory), &below.directories].concat();
        checked.rules_below += add_directories(&mut checked, &here, &all, (options, &mut empty.sources));
        checked.notes.extend(notes(&below, &here));
    }
    checked
}

/// Checks the policy of a session in each directory, and adds the findings to `checked`, except those that are already
/// there and lint findings about texts of directories above. Adds the texts to `sources`. Returns the number of rules
/// in the policies of the directories themselves.
fn add_directories(
    checked: &mut CheckFindings,
    project: &Path,
    directories: &[PathBuf],
    ((hosts, asked), sources): ((&[Host], &Levels), &mut Sources),
) -> usize {
    let mut policies = Vec::new();
    for directory in directories {
        let loaded = load_below(project, directory, std::mem::take(sources));
        *sources = loaded.sources.clone();
        policies.push(Policy::new(loaded.sources, &loaded.layers));
    }
    let all = parallel::map(&policies, |policy| check_findings(policy, hosts, asked, JudgedDirectories::Innermost));
    let reported = checked.findings.iter().map(|finding| FindingKey::new(finding, sources));
    let mut reported: BTreeSet<FindingKey> = reported.collect();
    for (policy, CheckFindings { findings, passed, .. }) in policies.iter().zip(all) {
        checked.passed = checked.passed.plus(passed);
        let own = findings.into_iter().filter(|finding| is_own(finding, policy));
        checked.findings.extend(own.filter(|finding| reported.insert(FindingKey::new(finding, sources))));
    }
    let rules = policies.iter().flat_map(|policy| policy.rules.rules());
    rules.filter(|rule| rule.layer.is_of_project() && rule.base == PolicyBase::Project).count()
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

/// Identifies a finding, even if its file was read several times.
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
fn notes(nested: &NestedPolicies, project: &Path) -> Vec<String> {
    let mut notes = Vec::new();
    if !nested.directories.is_empty() {
        let policies = if nested.directories.len() == 1 { "policy" } else { "policies" };
        let names = below::listed(nested.directories.iter().map(PathBuf::as_path), project);
        notes.push(format!("also checked the {policies} of {names}"));
    }
    for (part, why) in
        [(ForeignPart::WorkingTree, "in a working tree of its own"), (ForeignPart::Dependency, "in `node_modules`")]
    {
        let unchecked = nested.foreign.iter().filter(|(_, foreign)| *foreign == part);
        let paths: Vec<&Path> = unchecked.map(|(path, _)| path.as_path()).collect();
        if !paths.is_empty() {
            notes.push(format!("not checked, {why}: {}", below::listed(paths.into_iter(), project)));
        }
    }
    if let Some(limit) = &nested.limit {
        notes.push(format!("the search for policies below ended at {limit}"));
    }
    notes
}
