//! The index of an event: which of its rules a call can concern, found without looking at the others.
//!
//! Each rule stands under *atoms*: a name, a text, a part of a text. If a call has none of them, the rule does not
//! match, for certain: neither does it, nor is it unknown. A budget alone makes the difference: a rule that is judged
//! although it is far from the call may be unknown because the conditions of the event have looked at too much by then,
//! and one that is left out is neither unknown so nor takes of what the others have. What cannot be told so stands under
//! no atom and always counts. A call's atoms are looked up in a table that is used where it lies; how long that takes does not depend on
//! how many rules there are. Nothing here decides: a rule that is found is judged as any other.

mod atom;
mod build;
mod guard;
mod literals;
mod place;
mod read;

pub use build::build;
pub use read::{Candidates, Index, Looked};

use super::Source;
use crate::syntax::ast::FileVerb;
use hookrules_shell::Told;

/// What an index asks about a call, each at most once for an event.
///
/// What is told may be more than the call has, and never less: [`Told::NotAll`] says that it may be.
pub trait Call {
    /// Tells what the selectors of a head look at.
    fn subject(&self, see: &mut dyn FnMut(&str));

    /// Tells what the selectors of `by` look at.
    fn agent(&self, see: &mut dyn FnMut(&str)) -> Told;

    /// Tells the names of the programs that may be run.
    fn programs(&self, see: &mut dyn FnMut(&str)) -> Told;

    /// Tells the name of a program that is run for certain.
    fn leading_program(&self, see: &mut dyn FnMut(&str)) -> Told;

    /// Tells whether that the call runs a command is a guess.
    fn is_guessed(&self) -> bool;

    /// Tells the texts of a source: of paths, in both forms.
    fn texts(&self, source: &Source, see: &mut dyn FnMut(&str)) -> Told;

    /// Tells the paths of the files that the call touches, in both forms.
    fn touched(&self, verb: FileVerb, see: &mut dyn FnMut(&str)) -> Told;

    /// Tells the names of the links in a directory of the project; the empty text is the project itself. The directory is
    /// spelled as the policy spells it: where that does not lead to it, no path of the policy leads through it either.
    fn links(&self, directory: &str, see: &mut dyn FnMut(&str)) -> Told;
}
