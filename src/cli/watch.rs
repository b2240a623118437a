//! Runs a command again whenever a file that it has read changes.
#![expect(clippy::disallowed_methods, reason = "the times of files are looked at")]

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::Outcome;
use super::print::Printer;

/// How long nothing is looked at.
const PAUSE: Duration = Duration::from_millis(300);

/// What shows that a file or directory has changed: its time and its size, none where it is gone.
type State = Vec<Option<(SystemTime, u64)>>;

/// Loads something, does what there is to do with it, and begins anew when one of its files has changed or a file beside
/// one was added. It ends when the process is interrupted, or where there is no file at all.
pub(super) fn run<T>(
    printer: &mut Printer,
    load: impl Fn() -> (T, Vec<PathBuf>),
    act: impl Fn(T, &mut Printer) -> Outcome,
) -> Outcome {
    let mut is_first = true;
    loop {
        let (loaded, files) = load();
        let watched = with_directories(&files);
        let before = state(&watched);
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
        while state(&watched) == before {
            std::thread::sleep(PAUSE);
        }
    }
}

/// Adds the directories, in which files appear.
fn with_directories(files: &[PathBuf]) -> Vec<PathBuf> {
    let directories = files.iter().filter_map(|file| file.parent()).map(Path::to_owned);
    let all: BTreeSet<PathBuf> = files.iter().cloned().chain(directories).collect();
    all.into_iter().collect()
}

fn state(paths: &[PathBuf]) -> State {
    let of = |path: &PathBuf| std::fs::metadata(path).ok();
    let time = |found: std::fs::Metadata| Some((found.modified().ok()?, found.len()));
    paths.iter().map(|path| of(path).and_then(time)).collect()
}
