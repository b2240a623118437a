//! Questions to the user at the terminal. Without a terminal there is no answer, and nothing is changed.

use std::io::IsTerminal;

use dialoguer::{Confirm, MultiSelect};

/// Whether there is a user to ask: answers come from a terminal, and questions go to one.
pub(super) fn is_possible() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks a yes-or-no question. No answer means no.
pub(super) fn ask_yes_or_no(question: &str, default: bool) -> bool {
    is_possible() && Confirm::new().with_prompt(question).default(default).interact().unwrap_or(false)
}

/// Lets the user choose among entries, each with its initial state. Returns the positions of the chosen ones, or `None`
/// if the user cancelled.
pub(super) fn choose(question: &str, entries: &[(String, bool)]) -> Option<Vec<usize>> {
    let (names, chosen): (Vec<&str>, Vec<bool>) = entries.iter().map(|(name, chosen)| (name.as_str(), *chosen)).unzip();
    MultiSelect::new().with_prompt(question).items(names).defaults(&chosen).interact_opt().ok().flatten()
}
