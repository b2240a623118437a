//! Questions to the user at the terminal. Without a terminal, no question is asked, and nothing is changed.

use std::io::IsTerminal;

use dialoguer::{Confirm, MultiSelect};

/// Whether a question can be asked: standard input and standard error are terminals.
pub(super) fn is_possible() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks a yes-or-no question, with the answer for a mere Enter. Without a terminal or an answer, returns `false`.
pub(super) fn ask_yes_or_no(question: &str, default: bool) -> bool {
    is_possible() && Confirm::new().with_prompt(question).default(default).interact().unwrap_or(false)
}

/// Lets the user choose among entries, each with its initial state. Returns the indexes of the chosen entries; `None`
/// if the user cancelled.
pub(super) fn choose(question: &str, entries: &[(String, bool)]) -> Option<Vec<usize>> {
    let (names, chosen): (Vec<&str>, Vec<bool>) = entries.iter().map(|(name, chosen)| (name.as_str(), *chosen)).unzip();
    MultiSelect::new().with_prompt(question).items(names).defaults(&chosen).interact_opt().ok().flatten()
}
