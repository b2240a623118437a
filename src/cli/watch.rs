//! Reruns a command whenever a file that it has read changes.
#![expect(clippy::disallowed_methods, reason = "the times of files are looked at")]

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::CommandOutcome;
use super::print::Printer;

/// The pause between two checks for changes.
const PAUSE: Duration = Duration::from_millis(300);

/// The modification time and size of each file or directory, `None` if it does not exist.
type WatchedState = Vec<Option<(SystemTime, u64)>>;

/// Loads something, acts on it, and starts again when one of its files has changed or a file was added next to one.
/// Ends when the process is interrupted, or if there are no files.
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

/// Adds the directories of the files, so that new files are noticed.
fn add_directories(files: &[PathBuf]) -> Vec<PathBuf> {
    let directories = files.iter().filter_map(|file| file.parent()).map(Path::to_owned);
    let all: BTreeSet<PathBuf> = files.iter().cloned().chain(directories).collect();
    all.into_iter().collect()
}

fn watched_state(paths: &[PathBuf]) -> WatchedState {
    let of = |path: &PathBuf| std::fs::metadata(path).ok();
    let time = |found: std::fs::Metadata| Some((found.modified().ok()?, found.len()));
    paths.iter().map(|path| of(path).and_then(time)).collect()
}
