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
mod find;
mod generated;
mod known;
mod look;
mod names;
mod own;
mod propose;
mod repository;
mod signs;
mod tests_of;
mod tree;
mod verify;
mod write;

pub use find::{Finding, Findings, find};
pub use look::look;
pub use propose::{Circumstances, Proposal, ProposedPack, propose};
pub use signs::Topic;
pub use verify::problems;
pub use write::write;
