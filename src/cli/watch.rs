//! Runs a command again whenever a file that it has read changes.
#![expect(clippy::disallowed_methods, reason = "the times of files are looked at")]

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::CommandOutcome;
use super::print::Printer;

/// The pause between two checks for changes.
const PAUSE: Duration = Duration::from_millis(300);

/// The modification time and size of each watched path; `None` if it does not exist.
type WatchedState = Vec<Option<(SystemTime, u64)>>;

/// Loads a value with the files that it was read from, passes it to `act`, and repeats both when one of the files
/// changes or a file is added in their directories. Returns only if there are no files; otherwise it runs until the
/// process is interrupted.
pub(super) fn run<T>(
    printer: &mut Printer,
    load: impl Fn() -> (T, Vec<PathBuf>),
    act: impl Fn(T, &mut Printer) -> CommandOutcome,
) -> CommandOutcome {
    let mut is_first = true;
    loop {
        let (loaded, files) = load();
        let watched = add_directories(&files);
        let before = watched_state(&watched);
        // Clears the screen and moves the cursor to its top.
        if std::io::stdout().is_terminal() {
            printer.out("\u{1b}[2J\u{1b}[H");
        } else if !is_first {
            printer.out("\n");
        }
        is_first = false;
        let outcome = act(loaded, printer);
        if files.is_empty() {
            return outcome;
        }
        printer.hint("\nwaiting for a change; Ctrl-C ends\n");
        while watched_state(&watched) == before {
            std::thread::sleep(PAUSE);
        }
    }
}

/// Returns the files and their directories. A new file changes the modification time of its directory.
fn add_directories(files: &[PathBuf]) -> Vec<PathBuf> {
    let directories = files.iter().filter_map(|file| file.parent()).map(Path::to_owned);
    let all: BTreeSet<PathBuf> = files.iter().cloned().chain(directories).collect();
    all.into_iter().collect()
}

/// Reads the current modification time and size of each path.
fn watched_state(paths: &[PathBuf]) -> WatchedState {
    let time_and_size = |metadata: std::fs::Metadata| Some((metadata.modified().ok()?, metadata.len()));
    paths.iter().map(|path| std::fs::metadata(path).ok().and_then(time_and_size)).collect()
}
