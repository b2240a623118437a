//! Static analysis of shell code: the commands that it would run, and the files that these would access.
//!
//! [`analyse`] turns a text into the flat list of the simple commands that it could run; [`file_accesses`] returns what
//! one of them does to files, [`Pattern`] matches commands, and [`Edit`] changes one in place. The crate starts no
//! process and reads no file. Anything that cannot be known before the text runs is [`Unknown`], never a guess.
#![doc = include_str!("../README.md")]

mod access;
mod analysis;
mod argv;
mod base64;
mod branch;
mod by_name;
mod bytes;
mod characters;
mod code;
mod dialect;
mod edit;
mod escapes;
mod evaluated;
mod expand;
mod few;
mod files;
mod fish;
mod foreign;
mod git_settings;
mod glob;
mod integer;
mod interpret;
mod nested;
mod network;
mod open_files;
mod parse;
pub mod path;
mod pattern;
mod powershell;
mod prints;
mod programs;
mod project;
mod push;
mod quote;
mod records;
mod repository;
mod stand_ins;
mod startup;
mod state;
mod stream;
mod translation;
mod values;
mod word;

pub use access::{Certainty, Extent, FileAccess, Filter, Skipped, Verb};
pub use analysis::{Analysis, Assignment, Opaque, Redirect, RedirectKind, Scope, Simple, Start};
pub use argv::{Argv, GivenOption, WordBits, read, read_with};
pub use edit::{BadEdit, Edit, Obstacle};
pub use evaluated::{Evaluated, Evaluates};
pub use files::{PatchedFile, all_accesses_known, file_accesses, is_interpreter, patched_files, prints_operands};
pub use foreign::{touched_by_code, touched_by_program};
pub use git_settings::{GitSettings, git_settings};
pub use glob::{Fit, Glob};
pub use interpret::{analyse, analyse_marked, analyse_powershell, analyse_with, is_shell_script};
pub use nested::{
    AwkCommands, Code, Nested, Setting, What, awk_commands, by_environment, is_run_variable, is_wrapper, nested,
    reads_statements,
};
pub use network::{Connection, Peer, client, connections, sent_files, speaks};
pub use open_files::descriptor_number;
pub use pattern::{Asked, BadPattern, Called, Coverage, Pattern, ProgramName, RequiredWords, UnknownWord, words_in};
pub use programs::{
    Arity, Does, LongOptions, Opt, Program, Programs, Reading, Replaces, ShortOptions, Subcommands, Unlisted, is_shell,
    program,
};
pub use project::{Checks, ProjectUse, Tasks, project_use, task_files};
pub use quote::{quote, quote_unless};
pub use records::{Mistake, OptionRecord, ProgramRecord};
pub use repository::{RepositoryChanges, RepositoryFact};
pub use startup::startup_files;
pub use stream::CommandId;
pub use values::{Values, Variable};
pub use word::{
    Cause, Defaulted, Directory, Line, Output, Part, Prints, Source, StreamId, Template, Unknown, UnknownPart, Word,
};

#[cfg(test)]
mod tests;
