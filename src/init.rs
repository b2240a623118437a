//! A first policy for a project: findings about the project, a proposal that fits them, and the text of the policy.
//!
//! ```text
//!   a directory ──► Tree ──► Findings ──► Proposal ──► the text of a policy ──► its problems
//!             look      find        propose       write                    problems
//! ```
//!
//! Only `look` reads the project; all later steps are functions of its result. Nothing is written here, and no text of
//! the project gets into a policy except plain names of files and branches.

mod agents;
mod findings;
mod generated;
mod known_paths;
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
