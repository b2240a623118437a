//! Questions to the user at the terminal. Without a terminal, no question is asked, and nothing is changed.

use std::io::IsTerminal;

use dialoguer::{Confirm, MultiSelect};

use super::print::{Printer, count};
use crate::escape::line;
use crate::wrap::{columns, truncate_at_blank};

/// The columns that a list needs besides the text of an entry: those before it, and a free one at the end, because some
/// terminals begin a new line when the last column is filled.
const MARGIN: usize = 7;

/// An entry of a list to choose from.
pub(super) struct Choice {
    pub(super) name: String,
    /// A short text next to the name, which is cut if the terminal is too narrow.
    pub(super) note: String,
    /// Whether the entry is chosen at first.
    pub(super) is_chosen: bool,
}

/// Whether a question can be asked: standard input and standard error are terminals.
pub(super) fn is_possible() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks a yes-or-no question; Enter alone means `default`. Without a terminal or an answer, returns `false`.
pub(super) fn ask_yes_or_no(question: &str, default: bool) -> bool {
    is_possible() && Confirm::new().with_prompt(question).default(default).interact().unwrap_or(false)
}

/// Lets the user choose among entries, and prints how many `noun`s were chosen, and which. Returns the indexes of the
/// chosen entries; `None` if the user cancelled.
pub(super) fn choose(question: &str, noun: &str, entries: &[Choice], printer: &mut Printer) -> Option<Vec<usize>> {
    let more = printer.signs().more;
    let lines = entry_lines(entries, printer.width().saturating_sub(MARGIN), more);
    let chosen: Vec<bool> = entries.iter().map(|entry| entry.is_chosen).collect();
    // The list's own echo is one line of all entries, whatever the width of the terminal.
    let list = MultiSelect::new().with_prompt(question).items(lines).defaults(&chosen).report(false);
    let chosen = list.interact_opt().ok().flatten()?;
    let names = chosen.iter().filter_map(|index| entries.get(*index)).map(|entry| entry.name.as_str());
    printer.err(&printer.wrapped("", "  ", &chosen_sentence(noun, &names.collect::<Vec<_>>())));
    Some(chosen)
}

/// Returns the lines of a list, each of at most `width` columns: the names in a column, followed by the notes.
fn entry_lines(entries: &[Choice], width: usize, more: &str) -> Vec<String> {
    let longest = entries.iter().map(|entry| columns(&entry.name)).max().unwrap_or_default();
    let text = |entry: &Choice| {
        let gap = " ".repeat(longest.saturating_sub(columns(&entry.name)));
        let whole = line(&format!("{}{gap}  {}", entry.name, entry.note), usize::MAX);
        truncate_at_blank(whole.trim_end(), width, more)
    };
    entries.iter().map(text).collect()
}

/// Returns how many entries were chosen, and their names: `2 packs chosen: std/git, std/base`.
fn chosen_sentence(noun: &str, names: &[&str]) -> String {
    match names {
        [] => format!("no {noun} chosen"),
        names => format!("{} chosen: {}", count(names.len(), noun), names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_one_line_and_ends_with_a_whole_word() {
        let entry = |name: &str, note: &str| Choice { name: name.to_owned(), note: note.to_owned(), is_chosen: true };
        let entries =
            [entry("std/git", "There is a repository of git here."), entry("std/workflow", ""), entry("a", "ö\n")];
        let lines = entry_lines(&entries, 34, "…");
        assert_eq!(lines, ["std/git       There is a…", "std/workflow", "a             ö\\n"]);
        assert!(lines.iter().all(|line| columns(line) <= 34));
        assert_eq!(entry_lines(&entries[..1], 80, "…"), ["std/git  There is a repository of git here."]);
        assert_eq!(entry_lines(&entries[..1], 5, "…"), ["std/…"], "a word that is longer than the line is cut");
    }

    #[test]
    fn the_echo_counts_and_names_what_was_chosen() {
        assert_eq!(chosen_sentence("pack", &[]), "no pack chosen");
        assert_eq!(chosen_sentence("pack", &["std/git"]), "1 pack chosen: std/git");
        assert_eq!(chosen_sentence("agent", &["Codex", "Amp"]), "2 agents chosen: Codex, Amp");
    }
}
