//! What fits a project: the table of packs with what speaks for each, and the rules of the project's own.

use std::collections::BTreeSet;

use super::find::{Finding, Findings};
use super::known::list;
use super::names::is_plain_path;
use super::own::{self, OwnRule};
use super::signs::Topic;
use crate::packs::{PACKS, purpose};

/// How many paths the comment above a pack names.
const SHOWN: usize = 3;

/// When a pack is proposed.
enum Fits {
    /// In every project.
    Always,
    /// Where something of this was found.
    With(&'static [Topic]),
}

/// What speaks for a pack.
struct Reason {
    pack: &'static str,
    fits: Fits,
    /// Why it is worth having, as the comment above its `use` says it.
    why: &'static str,
}

use Fits::{Always, With};
use Topic::{
    CommitForm, Container, Database, Git, Infrastructure, Language, LockFile, Migration, PackageManager, Pipeline,
    Release, Secret,
};

/// Which packs are proposed, in the order in which they are written. The others are there for the asking: what they do
/// is a matter of taste (`habits`, `lifecycle`), is about what no file of a project shows (`backup`, `brokers`, `ci`, `devices`, `machine`,
/// `secret-stores`), needs agents of certain names (`roles`), writes records (`subagents`) or allows something
/// (`read-only`).
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
        why: "Containers keep to their place, and volumes keep their data.",
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

/// A pack, as it is proposed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProposedPack {
    /// Its name: `std/git`.
    pub pack: &'static str,
    /// Why, a sentence each.
    pub why: Vec<String>,
    /// Rules that are left out.
    pub except: Vec<&'static str>,
    /// Lists of it that are replaced.
    pub with: Vec<(&'static str, Vec<String>)>,
    /// Whether it is proposed, or only there for the asking.
    pub is_chosen: bool,
}

/// What is proposed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// Every pack that the policy does not use yet: those that are chosen first.
    pub packs: Vec<ProposedPack>,
    /// The rules of the project's own.
    pub rules: Vec<OwnRule>,
}

/// What is given beside the project.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Circumstances {
    /// Packs that the user wants.
    pub with: Vec<&'static str>,
    /// Packs that he does not want.
    pub without: Vec<&'static str>,
    /// Packs that the project's policy uses already.
    pub used: BTreeSet<String>,
    /// Names of rules that it has already.
    pub taken: BTreeSet<String>,
}

/// Proposes what fits.
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
    /// Returns the packs that are chosen.
    pub fn chosen(&self) -> impl Iterator<Item = &ProposedPack> {
        self.packs.iter().filter(|pack| pack.is_chosen)
    }

    /// Chooses among the packs by their positions, and makes the rules that go with them.
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
    // Git is where it is, and every language downloads something.
    if !matches!(reason.pack, "std/git" | "std/network") {
        why.extend(evidence(topics, findings));
    }
    ProposedPack { pack: reason.pack, why, except, with, is_chosen }
}

/// Says where some topics show: at a few places with plain names, and whether there are others.
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
