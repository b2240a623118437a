//! Effects after the answer: records and notifications, bounded together.
//!
//! The answer has been written by now: nothing here can change it, or delay the host for long.
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
    /// The limit for all records, far more than they need: a process that gets little time on a busy machine must not
    /// lose one.
    pub(super) records: Duration,
    /// The limit for all notifications, counted from the end of the records.
    pub(super) notifications: Duration,
}

/// The time limits for an event.
const BOUNDS: EffectTimeLimits =
    EffectTimeLimits { records: Duration::from_secs(5), notifications: Duration::from_secs(1) };

/// Writes the records, then sends the notifications.
///
/// Returns the problems, a sentence each, for the log.
pub fn settle(verdict: &Verdict, world: &EffectEnvironment<'_>) -> Vec<String> {
    settle_with_limits(verdict, world, BOUNDS)
}

/// Does what [`settle`] does, within the given time limits.
pub(super) fn settle_with_limits(
    verdict: &Verdict,
    world: &EffectEnvironment<'_>,
    bounds: EffectTimeLimits,
) -> Vec<String> {
    if verdict.records.is_empty() && verdict.notifications.is_empty() {
        return Vec::new();
    }
    // A little longer than both limits, so that the thread can still report the notifications that were cut off.
    let bound = bounds.records + bounds.notifications + Duration::from_millis(50);
    let end = Instant::now() + bound;
    let (records, notifications) = (verdict.records.clone(), verdict.notifications.clone());
    let (project, state_dir) = (world.project.map(Path::to_path_buf), world.state_dir.map(Path::to_path_buf));
    let session = world.payload.nonempty_text("session_id").map(str::to_owned);
    let way = world.channel.clone();
    let (tell, problems) = channel();
    // A thread, so that an unresponsive file system cannot block the hook: the thread ends with the process.
    std::thread::spawn(move || {
        let (project, state_dir, session) = (project.as_deref(), state_dir.as_deref(), session.as_deref());
        for record in &records {
            for problem in record::append(record, RecordScope { project, state_dir, session }) {
                let _ = tell.send(problem);
            }
        }
        for problem in notify::send(&notifications, &way, Instant::now() + bounds.notifications) {
            let _ = tell.send(problem);
        }
    });
    let mut told = Vec::new();
    loop {
        match problems.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(problem) => told.push(problem),
            Err(RecvTimeoutError::Disconnected) => return told,
            Err(RecvTimeoutError::Timeout) => {
                told.push(format!("records and notifications were cut off after {}s", bound.as_secs()));
                return told;
            }
        }
    }
}
