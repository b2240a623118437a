//! Settings that are a directory with an executable file for each event, named like the event.

use super::{Editing, FoundHook, WantedEntry};
use crate::host_settings::RegistrationChanges;

/// The text before the command in a file that `rules install` writes.
const BEGINNING: &str = "#!/bin/sh\nexec ";

/// Returns the hook in a file. Empty if the file does not have the form that `rules install` writes, a single command.
pub(super) fn hooks(text: &str, event: &str) -> Vec<FoundHook> {
    let command = text.strip_prefix(BEGINNING).map(|line| line.strip_suffix('\n').unwrap_or(line));
    let command = command.filter(|line| !line.contains('\n'));
    let place = BEGINNING.len()..text.len();
    let hook = |command: &str| FoundHook { event: event.to_owned(), command: command.to_owned(), timeout: None, place };
    command.map(hook).into_iter().collect()
}

impl Editing<'_> {
    /// Returns the text of a file with the wanted entry; if none is wanted, `None` for a file that `rules install`
    /// wrote. A file that somebody else wrote does not change.
    ///
    /// # Errors
    /// Fails if an entry is wanted, but somebody else wrote the file.
    pub(super) fn install_executable(
        &self,
        text: Option<&str>,
        event: &str,
        wanted: Option<&WantedEntry>,
        changes: &mut RegistrationChanges,
    ) -> Result<Option<String>, String> {
        let is_ours = |text: &str| hooks(text, event).iter().any(|hook| (self.is_ours)(&hook.command));
        match (text, wanted) {
            (None, None) => Ok(None),
            (Some(text), None) if self.keeps_others || !is_ours(text) => Ok(Some(text.to_owned())),
            (Some(_), None) => {
                changes.removed.push(event.to_owned());
                Ok(None)
            }
            (Some(text), Some(_)) if !is_ours(text) => {
                Err(format!("there is another hook for {event}, and the agent runs only one"))
            }
            (text, Some(entry)) => {
                let after = format!("{BEGINNING}{}\n", entry.command);
                match text {
                    None => changes.added.push(event.to_owned()),
                    Some(text) if text != after => changes.changed.push(event.to_owned()),
                    Some(_) => {}
                }
                Ok(Some(after))
            }
        }
    }
}
