//! The proposal for a project: packs with their reasons, and the project's own rules.

use std::collections::BTreeSet;

use super::find::{Finding, Findings};
use super::known::list;
use super::names::is_plain_path;
use super::own::{self, OwnRule};
use super::signs::Topic;
use crate::packs::{PACKS, purpose};

/// The maximum number of paths named in the comment above a pack.
const SHOWN: usize = 3;

/// The condition for proposing a pack.
enum Fits {
    /// In every project.
    Always,
    /// If there is a finding on one of these topics.
    With(&'static [Topic]),
}

/// The reason for a pack.
struct Reason {
    pack: &'static str,
    fits: Fits,
    /// The benefit of the pack, for the comment above its `use`.
    why: &'static str,
}

use Fits::{Always, With};
use Topic::{
    CommitForm, Container, Database, Git, Infrastructure, Language, LockFile, Migration, PackageManager, Pipeline,
    Release, Secret,
};

/// The packs that are proposed, in the order in which they are written. The others are only available on request: their
/// rules are a matter of taste (`habits`, `lifecycle`), concern things that no file of a project shows (`backup`,
/// `brokers`, `ci`, `devices`, `machine`, `secret-stores`), need agents with certain names (`roles`), write records
/// (`subagents`) or allow something (`read-only`).
const REASONS: &[Reason] = &[
    Reason {
        pack: "std/git",
        fits: With(&[Git]),
        why: "Nobody's work is lost: no forced push, no discarded changes, no skipped hooks.",
    },
    Reason { pack: "std/secrets", fits: Always, why: "An agent can repeat whatever it has read." },
    Reason { pack: "std/filesystem", fits: Always, why: "Only what belongs to the project is deleted or overwritten." },
    Reason {
        pack: "std/self-protection",
        fits: Always,
        why: "These rules, the agent's settings and git's hooks change only when you agree.",
    },
    Reason {
        pack: "std/network",
        fits: With(&[Language, Container, Pipeline]),
        why: "What is downloaded is read before it runs.",
    },
    Reason {
        pack: "std/packages",
        fits: With(&[PackageManager]),
        why: "Packages come from the registry, and by the manager that has the lock file.",
    },
    Reason {
        pack: "std/edits",
        fits: With(&[LockFile, Migration, Pipeline]),
        why: "Some files are written by tools, or run with the repository's keys.",
    },
    Reason {
        pack: "std/containers",
        fits: With(&[Container]),
        why: "Containers stay isolated from the machine, and volumes keep their data.",
    },
    Reason {
        pack: "std/cloud",
        fits: With(&[Infrastructure]),
        why: "Others use what runs there: looking is free, changes are confirmed.",
    },
    Reason {
        pack: "std/sql",
        fits: With(&[Migration, Database]),
        why: "Rows are in no commit: a statement says which ones it changes.",
    },
    Reason {
        pack: "std/release",
        fits: With(&[Release]),
        why: "What is published cannot be taken back: you confirm each release.",
    },
    Reason { pack: "std/commits", fits: With(&[CommitForm]), why: "Commit messages have one form here." },
];

/// A pack with its proposed settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProposedPack {
    /// Its name: `std/git`.
    pub pack: &'static str,
    /// The reasons, one sentence each.
    pub why: Vec<String>,
    /// The rules that are excluded.
    pub except: Vec<&'static str>,
    /// The lists of the pack that are replaced.
    pub with: Vec<(&'static str, Vec<String>)>,
    /// Whether it is proposed, rather than only available on request.
    pub is_chosen: bool,
}

/// A proposal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// Every pack that the policy does not use yet, with the chosen ones first.
    pub packs: Vec<ProposedPack>,
    /// The project's own rules.
    pub rules: Vec<OwnRule>,
}

/// The input besides the project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Circumstances {
    /// Packs that the user requests.
    pub with: Vec<&'static str>,
    /// Packs that the user excludes.
    pub without: Vec<&'static str>,
    /// Packs that the project's policy already uses.
    pub used: BTreeSet<String>,
    /// Names of its existing rules.
    pub taken: BTreeSet<String>,
}

/// Makes a proposal.
#[must_use]
pub fn propose(findings: &Findings, given: &Circumstances) -> Proposal {
    let reasoned = REASONS.iter().map(|reason| proposed(reason, findings));
    let others = PACKS.iter().filter(|(name, _)| REASONS.iter().all(|reason| reason.pack != *name));
    let others = others.map(|(name, text)| ProposedPack {
        pack: name,
        why: vec![purpose(text)],
        except: Vec::new(),
        with: Vec::new(),
        is_chosen: false,
    });
    let mut packs: Vec<ProposedPack> = reasoned.chain(others).filter(|it| !given.used.contains(it.pack)).collect();
    for pack in &mut packs {
        pack.is_chosen = (pack.is_chosen || given.with.contains(&pack.pack)) && !given.without.contains(&pack.pack);
    }
    packs.sort_by_key(|pack| !pack.is_chosen);
    let mut proposal = Proposal { packs, rules: Vec::new() };
    proposal.choose_rules(findings, given);
    proposal
}

impl Proposal {
    /// Returns the chosen packs.
    pub fn chosen(&self) -> impl Iterator<Item = &ProposedPack> {
        self.packs.iter().filter(|pack| pack.is_chosen)
    }

    /// Chooses packs by their indices, and makes the rules that go with them.
    pub fn choose(&mut self, chosen: &[usize], findings: &Findings, given: &Circumstances) {
        for (at, pack) in self.packs.iter_mut().enumerate() {
            pack.is_chosen = chosen.contains(&at);
        }
        self.choose_rules(findings, given);
    }

    fn choose_rules(&mut self, findings: &Findings, given: &Circumstances) {
        let used = given.used.iter().map(String::as_str);
        let packs = self.chosen().map(|pack| pack.pack).chain(used).collect();
        self.rules = own::rules(findings, &packs, &given.taken);
    }
}

fn proposed(reason: &Reason, findings: &Findings) -> ProposedPack {
    let topics: &[Topic] = match (&reason.fits, reason.pack) {
        (With(topics), _) => topics,
        (Always, "std/secrets") => &[Secret],
        (Always, _) => &[],
    };
    let is_chosen = match reason.fits {
        Always => true,
        With(topics) => topics.iter().any(|topic| findings.has(*topic)),
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
                with.push(("migrations", list("std/edits", "migrations").into_iter().chain(own).collect()));
            }
        }
        "std/commits" => {
            except.push("no-unwanted-words");
            why.push("`no-unwanted-words` is left out: it refuses the `Co-Authored-By` that hosts add.".to_owned());
        }
        _ => {}
    }
    // The evidence would be trivial: a repository is where it is, and every language downloads something.
    if !matches!(reason.pack, "std/git" | "std/network") {
        why.extend(evidence(topics, findings));
    }
    ProposedPack { pack: reason.pack, why, except, with, is_chosen }
}

/// Returns a sentence with the evidence for some topics: a few plain paths, and whether there are others.
fn evidence(topics: &[Topic], findings: &Findings) -> Option<String> {
    let about: Vec<&Finding> = topics.iter().flat_map(|topic| findings.about(*topic)).collect();
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
