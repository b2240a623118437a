//! The index of an event: finds the rules that a call can concern without looking at the others.
//!
//! Each rule is listed under *atoms*: a name, a text, a part of a text. If a call has none of a rule's atoms, the rule
//! certainly does not match: it is neither true nor unknown. Only the budget can make a difference: a rule that is
//! judged needlessly may be unknown because the event's budget is exhausted by then, while a rule that is skipped
//! leaves the budget to the others. A rule without such atoms is always judged. A call's atoms are looked up in a table
//! that is used in place, and the time for that does not depend on the number of rules. The index decides nothing: a
//! rule that it finds is judged like any other.

mod atom;
mod build;
mod frequency;
mod guard;
pub(super) mod literals;
mod place;
mod read;

pub use build::build;
pub use read::{Candidates, Index, LookupStats};

use super::ValueReference;
use crate::syntax::ast::FileVerb;
use hookrules_shell::pattern::NameCoverage;

/// The questions of an index about a call. Each is asked at most once per event.
///
/// An answer may contain more than the call has, but never less, unless it returns [`NameCoverage::Partial`].
pub trait IndexedCall {
    /// Passes on the subject that the selectors of a head match.
    fn visit_subject(&self, see: &mut dyn FnMut(&str));

    /// Passes on the agent that the selectors of `by` match.
    fn visit_agent(&self, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Passes on the names of the programs that may be run.
    fn visit_programs(&self, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Passes on the words that programs may be run with, as
    /// [`Analysis::words_named`](hookrules_shell::Analysis::words_named) does.
    fn visit_words(&self, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Passes on the name of a program that is certainly run.
    fn visit_leading_program(&self, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Whether it is only a guess that the call runs a command.
    fn is_guessed(&self) -> bool;

    /// Passes on the texts of a source; paths in both forms.
    fn visit_texts(&self, source: &ValueReference, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Passes on the paths of the files that the call touches, in both forms.
    fn visit_touched_files(&self, verb: FileVerb, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Passes on the hosts that the call connects to; an unknown host is an empty text.
    fn visit_hosts(&self, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Passes on the names of the links in a directory of the project; the empty text is the project itself. The
    /// directory is spelled as in the policy: if that spelling does not lead to it, no path of the policy leads through
    /// it either.
    fn visit_links(&self, directory: &str, see: &mut dyn FnMut(&str)) -> NameCoverage;
}
