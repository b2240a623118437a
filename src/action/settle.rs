//! What follows the answer: records and notifications, bounded together.
//!
//! The verdict is fixed and written by now; nothing here can change it or delay the host for long.
#![expect(clippy::disallowed_methods, reason = "the bound is a second of the clock")]

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::verdict::Verdict;

use super::{World, notify, record};

/// All records and notifications of an event together.
const BOUND: Duration = Duration::from_secs(1);

/// Writes the records, then sends the notifications.
///
/// Returns what went wrong, a sentence each, for the log.
pub fn settle(verdict: &Verdict, world: &World<'_>) -> Vec<String> {
    if verdict.records.is_empty() && verdict.notifications.is_empty() {
        return Vec::new();
    }
    let until = Instant::now() + BOUND;
    let (records, notifications) = (verdict.records.clone(), verdict.notifications.clone());
    let (project, state_dir) = (world.project.map(Path::to_path_buf), world.state_dir.map(Path::to_path_buf));
    let way = world.channel.clone();
    let (tell, problems) = channel();
    // A thread, so that a file system that does not answer cannot hold us: it dies with the process.
    std::thread::spawn(move || {
        for record in &records {
            for problem in record::append(record, project.as_deref(), state_dir.as_deref()) {
                let _ = tell.send(problem);
            }
        }
        for problem in notify::send(&notifications, &way, until) {
            let _ = tell.send(problem);
        }
    });
    let mut told = Vec::new();
    // A little longer than the notifications' own bound, so that they can say what was cut short.
    let end = until + Duration::from_millis(50);
    loop {
        match problems.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(problem) => told.push(problem),
            Err(RecvTimeoutError::Disconnected) => return told,
            Err(RecvTimeoutError::Timeout) => {
                told.push(format!("records and notifications were cut short after {}s", BOUND.as_secs()));
                return told;
            }
        }
    }
}
