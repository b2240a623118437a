//! The change of settings files: shown, agreed to, written.

use std::path::PathBuf;

use crate::cli::difference::difference;
use crate::cli::print::{Printer, Style};
use crate::cli::registration::display_path;
use crate::cli::{CommandOutcome, prompt, write};
use crate::files::reason;

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
    /// Whether the target of a link is changed.
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

/// Makes the changes if the user agrees, and returns whether they were made. Shows them first, unless the user gave
/// `--yes`.
pub(super) fn make_all(
    changes: &[SettingsChange],
    question: &str,
    consent: Consent,
    printer: &mut Printer,
) -> Result<bool, String> {
    if consent != Consent::Given {
        changes.iter().for_each(|change| change.show(printer));
        if consent == Consent::DryRun || !ask_for_agreement(question, printer) {
            return Ok(false);
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

    /// Prints the name of the file and the lines that would change.
    fn show(&self, printer: &mut Printer) {
        let note = match (&self.before, &self.after) {
            (None, _) => " (a new file)",
            (_, None) => " (goes: nothing else is in it)",
            _ => "",
        };
        let name = format!("{}{note}", display_path(&self.path));
        printer.out(&format!("{}\n", printer.paint(Style::Bold, &name)));
        let (before, after) = (self.before.as_deref(), self.after.as_deref());
        let text = difference(before.unwrap_or_default(), after.unwrap_or_default(), printer);
        printer.out(&format!("\n{text}\n"));
    }
}

/// Asks the user; without a terminal, the answer is no.
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
