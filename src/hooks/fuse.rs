//! The fuse of a hook: it makes sure that the host gets an answer before it stops waiting, even if the hook hangs.
//!
//! A thread watches an event that takes unusually long. When the time runs out, the thread first stops the event's
//! budget: whatever is not judged yet becomes unknown, and the main thread answers as usual. If no answer follows,
//! because something blocks, the watching thread answers instead. Both are failures: the failure policy decides them,
//! together with the votes against the call so far.
#![expect(clippy::disallowed_methods, reason = "it is about time")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::config::OnError;
use crate::host::{DEFAULT_WAIT, DecodedPayload, Host, HostOutput, decode, encode_for};
use crate::schema::Event;
use crate::types::{Payload, PayloadOrigin};
use crate::verdict::{Decision, Verdict, Vote};

use super::failure::failure_additions;

/// The message for an event whose time ran out.
pub(super) const OUT_OF_TIME: &str = "The time for this event ran out before all rules were judged.";

/// The minimum time that is reserved for the answer. The reserve is a tenth of the registration's timeout, but at least
/// this and at most [`MAX_RESERVE`].
const MIN_RESERVE: Duration = Duration::from_millis(100);
/// The maximum time that is reserved for the answer.
const MAX_RESERVE: Duration = Duration::from_secs(5);

/// The size of the watching thread's stack, in bytes. The thread only encodes one answer, so it needs little.
const STACK_BYTES: usize = 512 << 10;

static FUSE: OnceLock<Fuse> = OnceLock::new();

/// The fuse of one process: the time since its start, and the state shared with the watching thread.
pub struct Fuse {
    started: Instant,
    /// The host's timeout for this hook, if the registration has one.
    timeout: Option<Duration>,
    shared: Arc<FuseShared>,
}

/// The part of a fuse that the watching thread shares.
struct FuseShared {
    host: Host,
    /// Set when the time has run out; the budget then refuses further work.
    stop: Arc<AtomicBool>,
    state: Mutex<FuseState>,
    /// Notified once the answer has been written.
    answer_written: Condvar,
    /// Writes an answer to the host and ends the process.
    end: fn(&HostOutput),
}

/// The state from which the watching thread makes its answer.
#[derive(Default)]
struct FuseState {
    /// Whether the watching thread was started.
    is_watched: bool,
    /// The exit code of the answer, set by the thread that claims the right to answer; `None` until then.
    answered: Option<u8>,
    /// Whether the answer has been written, so that the process may end.
    is_written: bool,
    /// The votes so far; `None` until the event is known.
    verdict: Option<Verdict>,
    /// The origin of the payload, which determines how the answer is encoded.
    origin: PayloadOrigin,
    /// What a failure does to the event.
    on_error: OnError,
}

impl std::fmt::Debug for Fuse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the fuse of a hook for {}", self.shared.host.name())
    }
}

impl Fuse {
    /// Creates the fuse of a process that has just started. `end` writes an answer and ends the process.
    #[must_use]
    pub fn new(host: Host, timeout: Option<Duration>, end: fn(&HostOutput)) -> Self {
        let shared =
            FuseShared { host, stop: Arc::default(), state: Mutex::default(), answer_written: Condvar::new(), end };
        Self { started: Instant::now(), timeout, shared: Arc::new(shared) }
    }

    /// Makes this the fuse of the process, unless the process has one already; returns the fuse of the process.
    pub fn set_for_process(self) -> &'static Self {
        FUSE.get_or_init(|| self)
    }

    /// Returns the fuse of this process, if it has one.
    pub(super) fn for_process() -> Option<&'static Self> {
        FUSE.get()
    }

    /// Returns how long after the start of the process an event must be answered.
    ///
    /// If the registration has a timeout, it is that timeout, capped at the host's default, minus the reserve for the
    /// answer. Otherwise it is the host's limit for the event, or the longest of all limits if the event is not known.
    #[must_use]
    pub fn answer_time_limit(&self, event: Option<Event>) -> Duration {
        let longest =
            || Event::ALL.iter().map(|event| self.shared.host.command_time_limit(*event)).max().unwrap_or(MAX_RESERVE);
        match (self.timeout, event) {
            (Some(timeout), _) => {
                let timeout = timeout.min(DEFAULT_WAIT);
                timeout.saturating_sub((timeout / 10).clamp(MIN_RESERVE, MAX_RESERVE).min(timeout / 2))
            }
            (None, Some(event)) => self.shared.host.command_time_limit(event),
            (None, None) => longest(),
        }
    }

    /// Returns how much of an event's time is left.
    #[must_use]
    pub fn remaining_time(&self, event: Option<Event>) -> Duration {
        self.answer_time_limit(event).saturating_sub(self.started.elapsed())
    }

    /// Returns the time since the start of the process.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns the event that the beginning of a payload names; `None` if it does not name a known event.
    pub(super) fn event_named_in(&self, beginning: &[u8]) -> Option<Event> {
        match decode(self.shared.host, beginning) {
            DecodedPayload::Event { payload, .. } => Some(payload.event),
            DecodedPayload::UnknownEvent(_) | DecodedPayload::Unreadable { .. } => None,
        }
    }

    /// Returns the instant at which the judgement and the commands of an event must have ended.
    pub(super) fn deadline(&self, event: Event) -> Option<Instant> {
        self.started.checked_add(self.answer_time_limit(Some(event)))
    }

    /// Begins an event. If the registration has a timeout, the event is watched from now on. Otherwise watching begins
    /// only once the event takes unusually long, because starting the thread would slow down every ordinary hook.
    pub(super) fn begin_event(&self, payload: &Payload) {
        let mut state = self.lock_state();
        state.verdict = Some(Verdict::pass(payload.event));
        state.origin = payload.origin.clone();
        drop(state);
        if self.timeout.is_some() {
            self.start_watching();
        }
    }

    /// Sets the `on_error` by which the watching thread would answer.
    pub(super) fn set_on_error(&self, on_error: OnError) {
        self.lock_state().on_error = on_error;
    }

    /// Sets the votes that an answer by the watching thread would include.
    pub(super) fn set_votes(&self, votes: &[Vote]) {
        if let Some(verdict) = &mut self.lock_state().verdict {
            verdict.votes = votes.to_vec();
        }
    }

    /// Adds to the votes that an answer by the watching thread would include.
    pub(super) fn add_votes(&self, votes: &[Vote]) {
        if let Some(verdict) = &mut self.lock_state().verdict {
            verdict.votes.extend_from_slice(votes);
        }
    }

    /// Starts the watching thread, unless it runs already. Returns the flag that is set when the time has run out.
    pub(super) fn start_watching(&self) -> Arc<AtomicBool> {
        let mut state = self.lock_state();
        if !state.is_watched {
            state.is_watched = true;
            let event = state.verdict.as_ref().map(|verdict| verdict.event);
            let (shared, left) = (Arc::clone(&self.shared), self.remaining_time(event));
            // After the budget is stopped, the usual path gets this much time to answer, which is far more than it
            // needs.
            let grace = (self.answer_time_limit(event) / 40).clamp(MIN_RESERVE / 4, MAX_RESERVE / 5);
            // If no thread can be started, the host's own timeout is the fuse.
            let _unwatched = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || shared.run(left, grace));
        }
        Arc::clone(&self.shared.stop)
    }

    /// Claims the right to answer, with this exit code. Returns `false` if another thread has claimed it before.
    #[must_use]
    pub fn claim_answer(&self, exit: u8) -> bool {
        let mut state = self.lock_state();
        let is_first = state.answered.is_none();
        state.answered.get_or_insert(exit);
        is_first
    }

    /// Notes that the claimed answer has been written.
    pub fn note_written(&self) {
        self.lock_state().is_written = true;
        self.shared.answer_written.notify_all();
    }

    fn lock_state(&self) -> MutexGuard<'_, FuseState> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FuseShared {
    /// Waits for `left` and stops the budget; then waits for `grace` and, if no answer has been claimed, answers. Ends
    /// the process in any case.
    fn run(&self, left: Duration, grace: Duration) {
        std::thread::sleep(left);
        self.stop.store(true, Ordering::Relaxed);
        std::thread::sleep(grace);
        self.answer_and_end(grace);
    }

    /// Answers if no answer has been claimed. If one is being written, waits for it, at most for `grace`. Ends the
    /// process in any case.
    fn answer_and_end(&self, grace: Duration) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_being_written = |state: &mut FuseState| state.answered.is_some() && !state.is_written;
        let waited = self.answer_written.wait_timeout_while(state, grace, is_being_written);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let output = match (state.answered, state.verdict.take()) {
            // The work after an answer may be left undone, but the answer has to arrive. A host ignores a partial
            // answer, so exit code 2 blocks the call.
            (Some(exit), _) => HostOutput { exit: if state.is_written { exit } else { 2 }, ..HostOutput::default() },
            (None, Some(mut verdict)) => {
                verdict.votes.retain(|vote| vote.decision != Decision::Allow);
                let failure = failure_additions(state.on_error, verdict.event, OUT_OF_TIME);
                let verdict = verdict.with_additions(failure);
                encode_for(self.host, &state.origin, &verdict)
            }
            (None, None) => HostOutput { stderr: format!("rules: {OUT_OF_TIME}\n"), exit: 2, ..HostOutput::default() },
        };
        state.answered.get_or_insert(output.exit);
        drop(state);
        (self.end)(&output);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    thread_local! {
        static SAID: RefCell<Vec<HostOutput>> = RefCell::default();
    }

    fn end(output: &HostOutput) {
        SAID.with_borrow_mut(|said| said.push(output.clone()));
    }

    fn payload(event: Event) -> Payload {
        Payload::new(event, serde_json::Map::new())
    }

    fn vote(decision: Decision) -> Vote {
        Vote::from_rule("a", decision, "Decided before.")
    }

    /// Returns the output for a call whose time runs out.
    fn burnt(prepare: impl Fn(&Fuse)) -> HostOutput {
        let fuse = Fuse::new(Host::CLAUDE_CODE, None, end);
        prepare(&fuse);
        fuse.shared.run(Duration::ZERO, Duration::ZERO);
        assert!(fuse.shared.stop.load(Ordering::Relaxed) && !fuse.claim_answer(0), "the account is stopped first");
        SAID.take().pop().unwrap()
    }

    #[test]
    fn what_is_decided_against_a_call_stands_when_time_runs_out() {
        for (known, on_error, expected, exit) in [
            (None, OnError::Ask, "ask", 0),
            (None, OnError::Deny, "deny", 2),
            (Some(Decision::Deny), OnError::Allow, "deny", 2),
            (Some(Decision::Deny), OnError::Ask, "deny", 2),
            (Some(Decision::Ask), OnError::Allow, "ask", 0),
            (Some(Decision::Allow), OnError::Ask, "ask", 0),
        ] {
            let output = burnt(|fuse| {
                fuse.begin_event(&payload(Event::PreToolUse));
                fuse.set_on_error(on_error);
                fuse.set_votes(&known.map(vote).into_iter().collect::<Vec<_>>());
            });
            let decision = format!(r#""permissionDecision":"{expected}""#);
            assert!(output.stdout.contains(&decision) && output.exit == exit, "{known:?} {on_error:?}: {output:?}");
            let all_accesses_known = known == Some(Decision::Deny) || known == Some(Decision::Ask);
            assert_eq!(output.stdout.contains("Decided before."), all_accesses_known, "{output:?}");
        }
        let output = burnt(|fuse| fuse.begin_event(&payload(Event::Stop)));
        assert!(output.stdout.contains(OUT_OF_TIME) && output.exit == 0, "{output:?}");
    }

    #[test]
    fn an_allow_is_not_given_when_time_runs_out() {
        let output = burnt(|fuse| {
            fuse.begin_event(&payload(Event::PreToolUse));
            fuse.set_on_error(OnError::Allow);
            fuse.set_votes(&[vote(Decision::Allow)]);
        });
        assert!(!output.stdout.contains(r#""permissionDecision""#), "{output:?}");
    }

    #[test]
    fn an_event_that_nobody_knows_yet_is_blocked() {
        let output = burnt(|_| {});
        assert!(output.stdout.is_empty() && output.exit == 2 && output.stderr.contains(OUT_OF_TIME), "{output:?}");
    }

    #[test]
    fn what_has_answered_ends_as_it_has_answered() {
        for exit in [0, 2] {
            let output = burnt(|fuse| {
                assert!(fuse.claim_answer(exit));
                fuse.note_written();
            });
            assert_eq!(output, HostOutput { exit, ..HostOutput::default() });
        }
    }

    #[test]
    fn an_answer_that_is_not_written_in_time_blocks() {
        let output = burnt(|fuse| assert!(fuse.claim_answer(0)));
        assert_eq!(output, HostOutput { exit: 2, ..HostOutput::default() });
    }

    #[test]
    fn an_answer_that_is_being_written_is_waited_for() {
        let fuse = Fuse::new(Host::CLAUDE_CODE, None, end);
        assert!(fuse.claim_answer(0));
        std::thread::scope(|scope| {
            let burns = scope.spawn(|| {
                fuse.shared.answer_and_end(Duration::from_secs(60));
                SAID.take().pop().unwrap()
            });
            fuse.note_written();
            assert_eq!(burns.join().unwrap(), HostOutput::default());
        });
    }

    #[test]
    fn a_stated_timeout_leaves_time_for_the_answer() {
        let patience = |timeout| Fuse::new(Host::CLAUDE_CODE, timeout, end).answer_time_limit(Some(Event::SessionEnd));
        assert_eq!(patience(None), Host::CLAUDE_CODE.command_time_limit(Event::SessionEnd));
        let day = 24 * 3_600_000;
        for (stated, expected) in [(1_000, 900), (20_000, 18_000), (600_000, 595_000), (day, 595_000), (100, 50)] {
            assert_eq!(patience(Some(Duration::from_millis(stated))), Duration::from_millis(expected));
        }
    }
}
