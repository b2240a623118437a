//! Proposes packs, with their reasons, and rules for a project.

use std::collections::BTreeSet;

use super::findings::{ProjectFinding, ProjectFindings};
use super::known_paths::pack_list;
use super::names::is_plain_path;
use super::proposed_rules::{self, ProposedRule};
use super::signs::FindingTopic;
use crate::packs::{PACKS, pack_purpose};

/// The maximum number of paths that the comment above a pack names.
const SHOWN: usize = 3;

/// The condition under which a pack is proposed.
enum PackCondition {
    /// The pack is proposed for every project.
    Always,
    /// The pack is proposed if there is a finding on one of these topics.
    FindingOn(&'static [FindingTopic]),
}

/// A pack that may be proposed, and why.
struct PackReason {
    pack: &'static str,
    condition: PackCondition,
    /// The benefit of the pack, a sentence that becomes a comment above its `use`.
    why: &'static str,
}

use FindingTopic::{
    CommitConvention, Container, Database, Git, Infrastructure, Language, LockFile, Migration, PackageManager,
    Pipeline, Release, Secret,
};
use PackCondition::{Always, FindingOn};

/// The packs that may be proposed, in the order in which the policy uses them. Other packs are used only on request:
/// their rules are a matter of taste (`habits`, `lifecycle`), concern things that no file of a project shows
/// (`backup`, `brokers`, `ci`, `devices`, `machine`, `secret-stores`), need agents with certain names (`roles`),
/// write records (`subagents`) or allow something (`read-only`).
const REASONS: &[PackReason] = &[
    PackReason {
        pack: "std/git",
        condition: FindingOn(&[Git]),
        why: "Nobody's work is lost: no forced push, no discarded changes, no skipped hooks.",
    },
    PackReason { pack: "std/secrets", condition: Always, why: "An agent can repeat whatever it has read." },
    PackReason {
        pack: "std/filesystem",
        condition: Always,
        why: "Only what belongs to the project is deleted or overwritten.",
    },
    PackReason {
        pack: "std/self-protection",
        condition: Always,
        why: "These rules, the agent's settings and git's hooks change only when you agree.",
    },
    PackReason {
        pack: "std/network",
        condition: FindingOn(&[Language, Container, Pipeline]),
        why: "What is downloaded is read before it runs.",
    },
    PackReason {
        pack: "std/packages",
        condition: FindingOn(&[PackageManager]),
        why: "Packages come from the registry, and by the manager that has the lock file.",
    },
    PackReason {
        pack: "std/edits",
        condition: FindingOn(&[LockFile, Migration, Pipeline]),
        why: "Some files are written by tools, or run with the repository's keys.",
    },
    PackReason {
        pack: "std/containers",
        condition: FindingOn(&[Container]),
        why: "Containers stay isolated from the machine, and volumes keep their data.",
    },
    PackReason {
        pack: "std/cloud",
        condition: FindingOn(&[Infrastructure]),
        why: "Others use what runs there: looking is free, changes are confirmed.",
    },
    PackReason {
        pack: "std/sql",
        condition: FindingOn(&[Migration, Database]),
        why: "Rows are in no commit: a statement says which ones it changes.",
    },
    PackReason {
        pack: "std/release",
        condition: FindingOn(&[Release]),
        why: "What is published cannot be taken back: you confirm each release.",
    },
    PackReason {
        pack: "std/commits",
        condition: FindingOn(&[CommitConvention]),
        why: "Commit messages have one form here.",
    },
];

/// A pack with its proposed settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProposedPack {
    /// The name of the pack: `std/git`.
    pub pack: &'static str,
    /// The sentences of the comment above its `use`.
    pub why: Vec<String>,
    /// The rules that `except` leaves out.
    pub except: Vec<&'static str>,
    /// The lists that `with` replaces, and their new elements.
    pub with: Vec<(&'static str, Vec<String>)>,
    /// Whether the policy uses the pack.
    pub is_chosen: bool,
}

/// The contents of a proposed policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InitProposal {
    /// Every pack that the project's policy does not use yet, the chosen ones first.
    pub packs: Vec<ProposedPack>,
    /// The project's own rules.
    pub rules: Vec<ProposedRule>,
}

/// What a proposal depends on besides the findings about the project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProposalInput {
    /// The packs that the user requests.
    pub requested: Vec<&'static str>,
    /// The packs that the user excludes.
    pub excluded: Vec<&'static str>,
    /// The packs that the project's policy already uses.
    pub used_packs: BTreeSet<String>,
    /// The names of the rules that the project's policy already has.
    pub existing_rules: BTreeSet<String>,
}

/// Proposes a policy for a project.
#[must_use]
pub fn propose(findings: &ProjectFindings, given: &ProposalInput) -> InitProposal {
    let reasoned = REASONS.iter().map(|reason| propose_pack(reason, findings));
    let others = PACKS.iter().filter(|(name, _)| REASONS.iter().all(|reason| reason.pack != *name));
    let others = others.map(|(name, text)| ProposedPack {
        pack: name,
        why: vec![pack_purpose(text)],
        except: Vec::new(),
        with: Vec::new(),
        is_chosen: false,
    });
    let mut packs: Vec<ProposedPack> =
        reasoned.chain(others).filter(|it| !given.used_packs.contains(it.pack)).collect();
    for pack in &mut packs {
        pack.is_chosen =
            (pack.is_chosen || given.requested.contains(&pack.pack)) && !given.excluded.contains(&pack.pack);
    }
    packs.sort_by_key(|pack| !pack.is_chosen);
    let mut proposal = InitProposal { packs, rules: Vec::new() };
    proposal.choose_rules(findings, given);
    proposal
}

impl InitProposal {
    /// Returns the chosen packs.
    pub fn chosen(&self) -> impl Iterator<Item = &ProposedPack> {
        self.packs.iter().filter(|pack| pack.is_chosen)
    }

    /// Chooses the packs at these indices instead, and proposes the rules that fit them.
    pub fn choose(&mut self, chosen: &[usize], findings: &ProjectFindings, given: &ProposalInput) {
        for (index, pack) in self.packs.iter_mut().enumerate() {
            pack.is_chosen = chosen.contains(&index);
        }
        self.choose_rules(findings, given);
    }

    /// Proposes the rules anew: which ones depends on the packs that are chosen or already used.
    fn choose_rules(&mut self, findings: &ProjectFindings, given: &ProposalInput) {
        let used = given.used_packs.iter().map(String::as_str);
        let packs = self.chosen().map(|pack| pack.pack).chain(used).collect();
        self.rules = proposed_rules::propose_rules(findings, &packs, &given.existing_rules);
    }
}

/// Proposes a pack with the exceptions and lists that fit the project, and says whether it is chosen.
fn propose_pack(reason: &PackReason, findings: &ProjectFindings) -> ProposedPack {
    let topics: &[FindingTopic] = match (&reason.condition, reason.pack) {
        (FindingOn(topics), _) => topics,
        (Always, "std/secrets") => &[Secret],
        (Always, _) => &[],
    };
    let is_chosen = match reason.condition {
        Always => true,
        FindingOn(topics) => topics.iter().any(|topic| findings.has_topic(*topic)),
    };
    let mut why = vec![reason.why.to_owned()];
    let (mut except, mut with) = (Vec::new(), Vec::new());
    match reason.pack {
        "std/git" if !findings.branches.protected.is_empty() => {
            with.push(("protected_branches", findings.branches.protected.clone()));
        }
        "std/edits" => {
            except.push("root-stays-tidy");
            why.push("`root-stays-tidy` is left out: it asks about each new file in the root.".to_owned());
            if findings.has_loose_actions {
                except.push("actions-are-pinned");
                why.push("So is `actions-are-pinned`: the workflows here name actions by tags.".to_owned());
            }
            if !findings.migrations.is_empty() {
                let own = findings.migrations.iter().map(|directory| format!("{directory}/**"));
                with.push(("migrations", pack_list("std/edits", "migrations").into_iter().chain(own).collect()));
            }
        }
        "std/commits" => {
            except.push("no-unwanted-words");
            why.push("`no-unwanted-words` is left out: it refuses the `Co-Authored-By` that hosts add.".to_owned());
        }
        _ => {}
    }
    // For these packs, paths would say nothing: `.git` is the repository, and projects in any language download
    // something.
    if !matches!(reason.pack, "std/git" | "std/network") {
        why.extend(evidence(topics, findings));
    }
    ProposedPack { pack: reason.pack, why, except, with, is_chosen }
}

/// Returns a sentence that names a few paths of the findings on some topics, and says whether there are more; `None`
/// if there are no paths.
fn evidence(topics: &[FindingTopic], findings: &ProjectFindings) -> Option<String> {
    let about: Vec<&ProjectFinding> = topics.iter().flat_map(|topic| findings.on_topic(*topic)).collect();
    let mut places: Vec<&str> = Vec::new();
    let mut has_others = about.iter().any(|finding| finding.more > 0);
    for path in about.iter().flat_map(|finding| &finding.paths) {
        let is_named =
            |place: &&str| path.strip_prefix(*place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if !is_plain_path(path) || (places.len() == SHOWN && !places.iter().any(is_named)) {
            has_others = true;
        } else if !places.iter().any(is_named) {
            places.push(path);
        }
    }
    let places: Vec<String> = places.into_iter().map(|place| format!("`{place}`")).collect();
    match (places.is_empty(), has_others) {
        (true, false) => None,
        (true, true) => Some("Seen here, under names that are not repeated.".to_owned()),
        (false, false) => Some(format!("Seen here: {}.", places.join(", "))),
        (false, true) => Some(format!("Seen here: {} and others.", places.join(", "))),
    }
}
