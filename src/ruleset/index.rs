//! The index of an event: which of its rules a call can concern, found without looking at the others.
//!
//! Each rule is listed under *atoms*: a name, a text, a part of a text. If a call has none of them, the rule certainly
//! does not match: it is neither true nor unknown. Only the budget can make a difference: a rule that is judged
//! without need may be unknown because the event's account is exhausted by then, while one that is left out is not,
//! and leaves the account to the others. A rule without such atoms is always judged. A call's atoms are looked up in a
//! table that is used in place; how long that takes does not depend on the number of rules. Nothing here decides: a
//! rule that is found is judged like any other.

mod atom;
mod build;
mod frequency;
mod guard;
pub(super) mod literals;
mod place;
mod read;

pub use build::build;
pub use read::{Candidates, Index, Looked};

use super::Source;
use crate::syntax::ast::FileVerb;
use hookrules_shell::Coverage;

/// What an index asks about a call, each at most once for an event.
///
/// What is told may be more than the call has, and never less: [`Coverage::NotAll`] says that it may be.
pub trait Call {
    /// Tells what the selectors of a head look at.
    fn subject(&self, see: &mut dyn FnMut(&str));

    /// Tells what the selectors of `by` look at.
    fn agent(&self, see: &mut dyn FnMut(&str)) -> Coverage;

    /// Tells the names of the programs that may be run.
    fn programs(&self, see: &mut dyn FnMut(&str)) -> Coverage;

    /// Tells the words that programs may be run with, as [`Analysis::words_named`](hookrules_shell::Analysis::words_named)
    /// does.
    fn words(&self, see: &mut dyn FnMut(&str)) -> Coverage;

    /// Tells the name of a program that is run for certain.
    fn leading_program(&self, see: &mut dyn FnMut(&str)) -> Coverage;

    /// Tells whether that the call runs a command is a guess.
    fn is_guessed(&self) -> bool;

    /// Tells the texts of a source: of paths, in both forms.
    fn texts(&self, source: &Source, see: &mut dyn FnMut(&str)) -> Coverage;

    /// Tells the paths of the files that the call touches, in both forms.
    fn touched(&self, verb: FileVerb, see: &mut dyn FnMut(&str)) -> Coverage;

    /// Tells the hosts that the call talks to; an empty text for one that is not known.
    fn connected(&self, see: &mut dyn FnMut(&str)) -> Coverage;

    /// Tells the names of the links in a directory of the project; the empty text is the project itself. The directory is
    /// spelled as the policy spells it: where that does not lead to it, no path of the policy leads through it either.
    fn links(&self, directory: &str, see: &mut dyn FnMut(&str)) -> Coverage;
}
