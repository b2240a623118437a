//! Questions to the person at the terminal. Without one there is no answer, and nothing is changed.

use std::io::IsTerminal;

use dialoguer::{Confirm, MultiSelect};

/// Tells whether somebody is there to be asked: the answers come from a terminal, and the questions go to one.
pub(super) fn is_possible() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks yes or no. No answer is a no.
pub(super) fn confirm(question: &str, default: bool) -> bool {
    is_possible() && Confirm::new().with_prompt(question).default(default).interact().unwrap_or(false)
}

/// Lets the user choose among entries, some of which are chosen at first. Returns the positions of those that are
/// chosen; `None` where the question was left.
pub(super) fn choose(question: &str, entries: &[(String, bool)]) -> Option<Vec<usize>> {
    let (names, chosen): (Vec<&str>, Vec<bool>) = entries.iter().map(|(name, chosen)| (name.as_str(), *chosen)).unzip();
    MultiSelect::new().with_prompt(question).items(names).defaults(&chosen).interact_opt().ok().flatten()
}
