//! Performs the effects after the answer, records and notifications, within a time limit.
//!
//! The answer has been written already, so nothing here can change it or delay the host for long.
#![expect(clippy::disallowed_methods, reason = "the bounds are of the clock")]

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::verdict::Verdict;

use super::record::{self, RecordScope};
use super::{EffectEnvironment, notify};

/// Time limits for the effects after the answer of one event.
#[derive(Clone, Copy, Debug)]
pub(super) struct EffectTimeLimits {
    /// The limit for all records. It is far more than they need, so that none is lost even on a busy machine.
    pub(super) records: Duration,
    /// The limit for all notifications, which begins once the records are written.
    pub(super) notifications: Duration,
}

/// The time limits in a hook; tests use others.
const LIMITS: EffectTimeLimits =
    EffectTimeLimits { records: Duration::from_secs(5), notifications: Duration::from_secs(1) };

/// Writes the records, then sends the notifications.
///
/// Returns a sentence for the log about each problem.
pub fn settle(verdict: &Verdict, world: &EffectEnvironment<'_>) -> Vec<String> {
    settle_with_limits(verdict, world, LIMITS)
}

/// Does what [`settle`] does, within the given time limits.
pub(super) fn settle_with_limits(
    verdict: &Verdict,
    world: &EffectEnvironment<'_>,
    limits: EffectTimeLimits,
) -> Vec<String> {
    if verdict.records.is_empty() && verdict.notifications.is_empty() {
        return Vec::new();
    }
    // A little longer than both limits together, so that the thread can still report the notifications that were cut
    // off.
    let total_limit = limits.records + limits.notifications + Duration::from_millis(50);
    let end = Instant::now() + total_limit;
    let (records, notifications) = (verdict.records.clone(), verdict.notifications.clone());
    let (project, state_dir) = (world.project.map(Path::to_path_buf), world.state_dir.map(Path::to_path_buf));
    let session = world.payload.nonempty_text("session_id").map(str::to_owned);
    let way = world.channel.clone();
    let (problem_sender, problems) = channel();
    // In a thread, an unresponsive file system cannot block the hook: the thread ends with the process.
    std::thread::spawn(move || {
        let (project, state_dir, session) = (project.as_deref(), state_dir.as_deref(), session.as_deref());
        for record in &records {
            for problem in record::append(record, RecordScope { project, state_dir, session }) {
                let _ = problem_sender.send(problem);
            }
        }
        for problem in notify::send(&notifications, &way, Instant::now() + limits.notifications) {
            let _ = problem_sender.send(problem);
        }
    });
    let mut received = Vec::new();
    loop {
        match problems.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(problem) => received.push(problem),
            Err(RecvTimeoutError::Disconnected) => return received,
            Err(RecvTimeoutError::Timeout) => {
                received.push(format!("records and notifications were cut off after {}s", total_limit.as_secs()));
                return received;
            }
        }
    }
}
