//! The index of an event: finds the rules that may match a call without examining the others.
//!
//! Each rule is listed under *atoms*, such as the name of a program, a text, or a part of a text. If a call has none
//! of a rule's atoms, the rule certainly does not match: its condition is neither true nor unknown. Only the budget
//! can make a difference: a rule that is judged needlessly may be unknown because the event's budget is exhausted by
//! then, while a rule that is skipped leaves the budget to the others. A rule without atoms is judged on every call.
//! The atoms of a call are looked up in a table that is used in place, in a time that does not depend on the number
//! of rules. The index decides nothing: a rule that it finds is judged like any other.

mod atom;
mod build;
mod facet;
mod frequency;
mod guard;
pub(super) mod literals;
mod read;

pub use build::build;
pub use read::{Candidates, Index, LookupStats};

use super::ValueReference;
use crate::syntax::ast::FileVerb;
use hookrules_shell::pattern::NameCoverage;

/// The properties of a call that an index looks up. Each method is called at most once per event and argument.
///
/// An answer may include more than the call has, but never less, unless the method returns [`NameCoverage::Partial`].
pub trait IndexedCall {
    /// Calls `see` with the subject, which the selectors of `on` match.
    fn visit_subject(&self, see: &mut dyn FnMut(&str));

    /// Calls `see` with the acting agent, which the selectors of `by` match.
    fn visit_agent(&self, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Calls `see` with the names of the programs that may be run.
    fn visit_programs(&self, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Calls `see` with the words that programs may be run with, as
    /// [`Analysis::words_named`](hookrules_shell::Analysis::words_named) reports them: `git push`.
    fn visit_words(&self, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Calls `see` with the name of a program that is certainly run.
    fn visit_leading_program(&self, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Whether it is uncertain that the call runs any command, because a text of an unknown tool only looks like one.
    fn is_guessed(&self) -> bool;

    /// Calls `see` with each value of a reference. A path is passed twice: as given, and with symbolic links resolved.
    fn visit_texts(&self, source: &ValueReference, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Calls `see` with the path of each file to which the call has this kind of access. A path is passed twice: as
    /// given, and with symbolic links resolved.
    fn visit_touched_files(&self, verb: FileVerb, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Calls `see` with each host that the call connects to; with an empty text for an unknown host.
    fn visit_hosts(&self, see: &mut dyn FnMut(&str)) -> NameCoverage;

    /// Calls `see` with the names of the symbolic links in a directory of the project. An empty text is the project
    /// itself.
    ///
    /// The directory is spelled as in the policy. If no such directory exists, no path of the policy leads through
    /// it.
    fn visit_links(&self, directory: &str, see: &mut dyn FnMut(&str)) -> NameCoverage;
}
