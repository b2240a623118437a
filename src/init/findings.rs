//! Derives findings about a project from the names and texts that were read of it.

use super::agents::{ExistingSettings, existing_settings};
use super::generated::{GeneratedFiles, find_generated};
use super::known_paths::KnownPaths;
use super::managers::workspace_managers;
use super::names::is_plain_path;
use super::repository::{ImportantBranches, important_branches};
use super::signs::{FindingTopic, SIGNS, is_in_aside_directory};
use super::tests_of::test_commands;
use super::tree::{ProjectTree, RepositoryLocation, name, parent};
use std::collections::BTreeMap;

/// The maximum number of paths that are kept in a finding.
const SHOWN: usize = 3;

/// A finding about a project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProjectFinding {
    /// What the finding is about.
    pub topic: FindingTopic,
    /// The name of the thing that was found: `Rust`, `pnpm`, `Claude Code`.
    pub name: String,
    /// A few paths as evidence, those nearest to the root first. They may contain any character that a file name can
    /// contain.
    pub paths: Vec<String>,
    /// The number of further paths that are evidence but not in `paths`.
    pub more: usize,
    /// A remark for display.
    pub note: Option<String>,
}

/// All findings about a project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProjectFindings {
    /// The findings, sorted by topic.
    pub list: Vec<ProjectFinding>,
    /// The default branch and the branches to protect.
    pub(super) branches: ImportantBranches,
    /// The files that programs generate.
    pub(super) generated: Vec<GeneratedFiles>,
    /// Directories with numbered migrations that the list of `std/edits` does not contain.
    pub(super) migrations: Vec<String>,
    /// The commands that run the tests.
    pub(super) tests: Vec<&'static str>,
    /// Documents that a newcomer should read.
    pub(super) guides: Vec<&'static str>,
    /// Whether a workflow refers to an action by a tag or a branch: `uses: actions/checkout@v4`.
    pub(super) has_loose_actions: bool,
    /// Sentences about existing settings and files that the policy leaves as they are.
    pub kept: Vec<String>,
    /// Sentences about parts of the project that were not examined.
    pub not_examined: Vec<String>,
}

/// Derives the findings about a project from what was read of it.
#[must_use]
pub fn find_in_project(tree: &ProjectTree) -> ProjectFindings {
    let mut list = Vec::new();
    list.extend(repository(tree));
    for sign in SIGNS {
        list.extend(finding_with_paths(sign.topic, sign.name, sign.paths(tree)));
    }
    list.extend(workspace_managers(tree));
    // These topics have no signs: the packs contain the lists of their names.
    for (topic, what, pack, pack_list) in [
        (FindingTopic::LockFile, "lock files", "std/edits", "lockfiles"),
        (FindingTopic::Pipeline, "CI", "std/edits", "pipelines"),
        (FindingTopic::Secret, "files that may hold secrets", "std/secrets", "secret_files"),
        (FindingTopic::Migration, "migrations", "std/edits", "migrations"),
    ] {
        let known = KnownPaths::from_pack(pack, pack_list);
        let is_evidence =
            |path: &&String| known.matches(path) && (topic == FindingTopic::LockFile || !is_in_aside_directory(path));
        let evidence = tree.files.iter().filter(is_evidence).map(String::as_str).collect();
        list.extend(finding_with_paths(topic, what, evidence));
    }
    let migrations = numbered_migrations(tree);
    list.extend(finding_with_paths(
        FindingTopic::Migration,
        "numbered migrations",
        migrations.iter().map(String::as_str).collect(),
    ));
    let (generated, unnamed) = find_generated(tree);
    list.extend(finding_with_paths(
        FindingTopic::Generated,
        "code that programs write",
        generated.iter().map(GeneratedFiles::path).collect(),
    ));
    list.extend(published_packages(tree));
    let ExistingSettings { findings, unconverted: mut kept } = existing_settings(tree);
    if unnamed > 0 {
        kept.push(format!("{unnamed} files or patterns of generated code that no rule here names"));
    }
    list.extend(findings);
    list.sort_by_key(|finding| finding.topic);
    ProjectFindings {
        list,
        branches: important_branches(tree),
        generated,
        migrations,
        tests: test_commands(tree),
        guides: guides(tree),
        has_loose_actions: tree.texts.iter().any(|(path, text)| is_workflow(path) && has_loose_action(text)),
        kept,
        not_examined: tree.not_examined.clone(),
    }
}

impl ProjectFindings {
    /// Returns the findings on a topic.
    pub(super) fn on_topic(&self, topic: FindingTopic) -> impl Iterator<Item = &ProjectFinding> {
        self.list.iter().filter(move |finding| finding.topic == topic)
    }

    /// Whether there is a finding on a topic.
    pub(super) fn has_topic(&self, topic: FindingTopic) -> bool {
        self.on_topic(topic).next().is_some()
    }
}

/// Creates a finding with the first paths as evidence; `None` without paths.
fn finding_with_paths(topic: FindingTopic, name: &str, mut paths: Vec<&str>) -> Option<ProjectFinding> {
    paths.sort_by_key(|path| (path.matches('/').count(), *path));
    paths.dedup();
    let more = paths.len().saturating_sub(SHOWN);
    let paths: Vec<String> = paths.into_iter().take(SHOWN).map(str::to_owned).collect();
    if paths.is_empty() { None } else { Some(ProjectFinding { topic, name: name.to_owned(), paths, more, note: None }) }
}

/// Returns the finding about the git repository; `None` if there is no repository.
fn repository(tree: &ProjectTree) -> Option<ProjectFinding> {
    let (paths, note) = match tree.repository {
        RepositoryLocation::None => return None,
        RepositoryLocation::Root => {
            let note = important_branches(tree).default.map(|branch| format!("the default branch is `{branch}`"));
            (vec![".git".to_owned()], note)
        }
        RepositoryLocation::Outside => (Vec::new(), Some("the repository is in another directory".to_owned())),
    };
    Some(ProjectFinding { topic: FindingTopic::Git, name: "git".to_owned(), paths, more: 0, note })
}

/// Finds npm packages and crates that can be published: their manifests do not mark them as private.
fn published_packages(tree: &ProjectTree) -> Option<ProjectFinding> {
    let node = tree.texts_named("package.json").filter(|(_, text)| {
        let json: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let has = |member: &str| json.get(member).is_some_and(serde_json::Value::is_string);
        has("name") && has("version") && json.get("private").and_then(serde_json::Value::as_bool) != Some(true)
    });
    let rust = tree.texts_named("Cargo.toml").filter(|(_, text)| {
        let lines = || text.lines().map(|line| line.replace(char::is_whitespace, ""));
        lines().any(|line| line == "[package]") && !lines().any(|line| line == "publish=false" || line == "publish=[]")
    });
    let paths = node.chain(rust).map(|(path, _)| path).collect();
    finding_with_paths(FindingTopic::Release, "packages that can be published", paths)
}

/// Returns directories with at least two numbered SQL scripts, `0001_users.sql` or `V2__teams.sql`, that the list of
/// `std/edits` does not contain.
fn numbered_migrations(tree: &ProjectTree) -> Vec<String> {
    let known = KnownPaths::from_pack("std/edits", "migrations");
    let is_numbered = |path: &&String| {
        let name = name(path);
        let number = name.strip_prefix('V').unwrap_or(name);
        name.ends_with(".sql")
            && !is_in_aside_directory(path)
            && number.starts_with(|c: char| c.is_ascii_digit())
            && !known.matches(path)
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for path in tree.files.iter().filter(is_numbered) {
        *counts.entry(parent(path)).or_default() += 1;
    }
    let several = counts.into_iter().filter(|(directory, count)| *count > 1 && is_plain_path(directory));
    several.map(|(directory, _)| directory.to_owned()).take(SHOWN).collect()
}

/// Returns the documents that newcomers should read and that no host loads into a session.
fn guides(tree: &ProjectTree) -> Vec<&'static str> {
    ["CONTRIBUTING.md", "ARCHITECTURE.md"].into_iter().filter(|guide| tree.has_file(guide)).collect()
}

fn is_workflow(path: &str) -> bool {
    path.starts_with(".github/workflows/")
}

/// Whether a workflow refers to an action by a tag or a branch, which can move to another commit.
fn has_loose_action(workflow: &str) -> bool {
    let uses = workflow.lines().filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix("uses:"));
    uses.map(|action| action.trim().trim_matches(['"', '\''])).any(|action| {
        let action = action.split_whitespace().next().unwrap_or_default().trim_end_matches(['"', '\'']);
        let version = action.split_once('@').map(|(_, version)| version);
        let is_commit = |version: &str| version.len() == 40 && version.chars().all(|c| c.is_ascii_hexdigit());
        !action.starts_with("./") && !action.starts_with("docker://") && version.is_some_and(|it| !is_commit(it))
    })
}
