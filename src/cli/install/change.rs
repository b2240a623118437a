//! The change of settings files: shown, agreed to, written.

use std::path::PathBuf;

use crate::cli::difference::difference;
use crate::cli::print::{Printer, Style, count};
use crate::cli::registration::display_path;
use crate::cli::{CommandOutcome, prompt, write};
use crate::files::reason;

/// The maximum number of lines of a file's change that are shown with a question: enough for the first entry.
const MAX_SHOWN_LINES: usize = 15;

/// Whether the user has agreed to a change before seeing it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Consent {
    /// The change is shown, and the user is asked.
    Ask,
    /// `--yes`: the change is made without being shown.
    Given,
    /// `--dry-run`: the change is shown but not made.
    DryRun,
}

/// A change of a settings file that the user may still refuse.
pub(super) struct SettingsChange {
    /// The settings file.
    pub(super) path: PathBuf,
    /// The present text; `None` if the file does not exist.
    pub(super) before: Option<String>,
    /// `None` if the file is to be deleted.
    pub(super) after: Option<String>,
    /// Whether to change the target if the file is a link.
    pub(super) follows_links: bool,
    /// Whether the file is a program.
    pub(super) is_executable: bool,
}

impl Consent {
    /// Returns the outcome if no change was made: success for `--dry-run`, otherwise a finding.
    pub(super) fn refused(self) -> CommandOutcome {
        if self == Self::DryRun { CommandOutcome::Clean } else { CommandOutcome::Findings }
    }
}

/// What the user is asked to agree to.
pub(super) struct Proposal<'p> {
    pub(super) changes: &'p [SettingsChange],
    /// What the changes do, in words: `registers Stop and Notification`.
    pub(super) summary: &'p str,
    pub(super) question: &'p str,
    /// The command that shows every line of the changes.
    pub(super) details: &'p str,
}

/// Makes the changes if the user agrees, and returns whether they were made. Shows them first, unless the user gave
/// `--yes`: all lines for `--dry-run`, otherwise the summary and the first lines.
pub(super) fn make_if_agreed(proposal: &Proposal<'_>, consent: Consent, printer: &mut Printer) -> Result<bool, String> {
    let changes = proposal.changes;
    match consent {
        Consent::Given => {}
        Consent::DryRun => {
            for change in changes {
                change.show(usize::MAX, printer);
            }
            return Ok(false);
        }
        Consent::Ask => {
            printer.out(&printer.wrapped("", "  ", proposal.summary));
            let hidden: usize = changes.iter().map(|change| change.show(MAX_SHOWN_LINES, printer)).sum();
            if hidden > 0 {
                let all = format!("`{}` shows the other {}.", proposal.details, count(hidden, "line"));
                printer.out(&printer.wrapped("", "  ", &all));
            }
            if !ask_for_agreement(proposal.question, printer) {
                return Ok(false);
            }
        }
    }
    for change in changes {
        change
            .write()
            .map_err(|error| format!("`{}` cannot be written: {}", display_path(&change.path), reason(&error)))?;
    }
    Ok(true)
}

impl SettingsChange {
    fn write(&self) -> std::io::Result<()> {
        let mode = if self.is_executable { 0o755 } else { 0o644 };
        match &self.after {
            Some(after) => {
                write::replace_with_mode(&self.path, self.before.as_deref(), after, self.follows_links, mode)
            }
            None => std::fs::remove_file(&self.path),
        }
    }

    /// Prints the name of the file and up to `limit` of the lines that would change. Returns how many it left out.
    fn show(&self, limit: usize, printer: &mut Printer) -> usize {
        let note = match (&self.before, &self.after) {
            (None, _) => " (a new file)",
            (_, None) => " (goes: nothing else is in it)",
            _ => "",
        };
        let name = format!("{}{note}", display_path(&self.path));
        printer.out(&format!("{}\n", printer.paint(Style::Bold, &name)));
        let (before, after) = (self.before.as_deref(), self.after.as_deref());
        let text = difference(before.unwrap_or_default(), after.unwrap_or_default(), printer);
        let lines: Vec<&str> = text.lines().collect();
        let hidden = lines.len().saturating_sub(limit);
        let shown: String = lines.iter().take(limit).map(|line| format!("{line}\n")).collect();
        let more = if hidden > 0 { format!("  {}\n", printer.signs().more) } else { String::new() };
        printer.out(&format!("\n{shown}{more}\n"));
        hidden
    }
}

/// Asks the user for agreement, and returns whether the user agrees. Otherwise, says that nothing was changed. Without
/// a terminal, nobody can agree.
pub(super) fn ask_for_agreement(question: &str, printer: &mut Printer) -> bool {
    if !prompt::is_possible() {
        printer.err("rules: nothing was changed: there is no terminal to ask at; add `--yes`\n");
        return false;
    }
    let agreed = prompt::ask_yes_or_no(question, true);
    if !agreed {
        printer.err("rules: nothing was changed\n");
    }
    agreed
}
