//! Shell text: from one string to the flat list of simple commands that it could run.
//!
//! It knows neither rules nor events, starts nothing and reads no file. What cannot be known before the text runs is
//! [`Why`], never a guess. The parser's types stay in `parse`.

mod argv;
mod asked;
mod branch;
mod by_name;
mod cook;
mod edit;
mod files;
mod flatten;
mod glob;
mod inner;
mod parse;
mod pattern;
mod prints;
mod push;
mod record;
mod repository;
mod source;
mod stand_ins;
mod state;
mod table;
mod why;
mod word;

pub use argv::{Argv, Given, read};
pub use asked::{Values, Variable};
pub use edit::{BadEdit, Edit, Obstacle};
pub use files::{Extent, Filter, Skipped, Surety, Touch, Verb, is_interpreter, is_told, literals, may_change, touches};
pub use flatten::analyse;
pub use glob::{Fit, Glob};
pub use inner::{Code, Inner, Setting, What, by_environment, inner};
pub use pattern::{BadPattern, Pattern, Told};
pub use prints::Prints;
pub use record::{Analysis, Assignment, CommandId, Opaque, Place, Redirect, RedirectKind, Scope, Simple, Start};
pub use repository::{RepositoryChanges, Said};
pub use source::{Defaulted, Output, Source, StreamId};
pub use table::{Arity, Does, Opt, Program, Reading, Unlisted, program};
pub use why::{Cause, Why};
pub use word::{Hole, Part, Word};

#[cfg(test)]
mod tests;
