//! A first policy for a project: findings about the project, the proposal of a policy that fits them, and the text of
//! the policy.
//!
//! ```text
//!   a directory ──► ProjectTree ──► ProjectFindings ──► InitProposal ──► the text of a policy ──► its problems
//!        read_project     find_in_project       propose          proposal_text         policy_problems
//! ```
//!
//! Only `read_project` reads the project; the later steps are functions of its result. This module writes no file.
//! The only texts of the project that get into the policy are names of files and branches, and only those without
//! special characters.

mod agents;
mod findings;
mod generated;
mod known_paths;
mod managers;
mod names;
mod propose;
mod proposed_rules;
mod repository;
mod signs;
mod tests_of;
mod tree;
mod verify;
mod walk;
mod write;

pub use findings::{ProjectFinding, ProjectFindings, find_in_project};
pub use propose::{InitProposal, ProposalInput, ProposedPack, propose};
pub use signs::FindingTopic;
pub use verify::policy_problems;
pub use walk::read_project;
pub use write::proposal_text;
