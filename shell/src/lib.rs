//! Static analysis of shell code: the commands that it would run, and the files that these would access.
//!
//! [`analyse`] turns a text into a list of the simple commands that it could run; [`file_accesses`] returns the
//! effects of a command on files, [`Pattern`] matches commands, and [`Edit`] changes a command in the text. The crate
//! starts no process and reads no file. A value that cannot be known before the text runs is [`Unknown`], never a
//! guess.
#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), deny(clippy::too_many_lines))]

pub mod analysis;
pub mod argv;
pub mod edit;
pub mod files;
pub mod glob;
pub mod interpret;
pub mod nested;
pub mod network;
pub mod path;
pub mod pattern;
pub mod programs;
pub mod project;
pub mod quote;
pub mod repository;
pub mod startup;
pub mod values;
pub mod word;

mod access;
mod base64;
mod branch;
mod by_name;
mod bytes;
mod chain;
mod characters;
mod code;
mod dialect;
mod escapes;
mod evaluated;
mod expand;
mod few;
mod fish;
mod foreign;
mod git_settings;
mod integer;
mod open_files;
mod order;
mod parse;
mod powershell;
mod prints;
mod push;
mod records;
mod spacing;
mod stand_ins;
mod state;
mod stream;
mod translation;
mod unseen;
mod zsh_builtins;

pub use analysis::{Analysis, StartDirectories};
pub use chain::{ChainFlaw, affects_other_commands, plain_chain, waits_at_end};
pub use edit::Edit;
pub use files::{file_accesses, files_elsewhere};
pub use interpret::analyse;
pub use pattern::Pattern;
pub use programs::Programs;
pub use quote::{join_scripts, quote, split_scripts};
pub use spacing::without_idle_blanks;
pub use unseen::UnseenText;
pub use word::{Unknown, Word};

#[cfg(test)]
mod tests;
