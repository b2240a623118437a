//! The budget of one event: an account that counts work, not time.
//!
//! Whoever writes a payload, or a tree of directories, influences how much there is to examine. So every layer of the
//! code charges the account before it examines something. Work that would exceed the budget is not done, and the
//! condition that needed it is unknown. The account does not know what the work is for.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The budget of an event, in units of about ten nanoseconds.
pub const EVENT: u64 = 60_000_000;

/// A number of units that no ordinary event takes. Beyond it, the time limit is checked, too.
const UNUSUAL_UNITS: u64 = 1_000_000;

/// How many bytes of text are searched in one unit.
const BYTES_PER_UNIT: usize = 4;

/// Why no more work is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhaustion {
    /// Fewer units are left than the work would take.
    Work,
    /// The watchdog has stopped the event, because its time is up.
    Time,
}

impl fmt::Display for Exhaustion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Work => "judging this event takes more work than is allowed for one event",
            Self::Time => "the time for judging this event is up",
        })
    }
}

impl std::error::Error for Exhaustion {}

/// Starts a watchdog for the time of an event, and returns the flag that the watchdog sets when the time is up.
type WatchdogStart = Box<dyn Fn() -> Arc<AtomicBool>>;

/// The account of one event.
pub struct Budget {
    /// The number of units of the whole budget.
    total: u64,
    /// The number of units that have been charged.
    spent: Cell<u64>,
    /// The number of refused charges.
    refused: Cell<u32>,
    /// Starts the watchdog, if there is one.
    watch: Option<WatchdogStart>,
    /// The flag of the watchdog, once the watchdog is started.
    stop: OnceCell<Arc<AtomicBool>>,
    /// Whether a charge was refused because the flag is set.
    is_out_of_time: Cell<bool>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(EVENT)
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.spent.get(), self.total)
    }
}

impl Budget {
    /// Creates an account with this many units.
    #[must_use]
    pub fn new(units: u64) -> Self {
        Self {
            total: units,
            spent: Cell::new(0),
            refused: Cell::new(0),
            watch: None,
            stop: OnceCell::new(),
            is_out_of_time: Cell::new(false),
        }
    }

    /// Creates the account of an event that a watchdog may stop. `watch` starts the watchdog, once the event takes
    /// unusually much work.
    #[must_use]
    pub fn with_watchdog(watch: impl Fn() -> Arc<AtomicBool> + 'static) -> Self {
        Self { watch: Some(Box::new(watch)), ..Self::default() }
    }

    /// Charges some units. A refused charge takes no units, so cheaper work is still possible.
    ///
    /// # Errors
    /// Fails if fewer units are left, or the event was stopped.
    pub fn charge(&self, units: u64) -> Result<(), Exhaustion> {
        let spent = self.spent.get().saturating_add(units);
        if spent > UNUSUAL_UNITS && self.is_stopped() {
            self.is_out_of_time.set(true);
            return self.refuse(Exhaustion::Time);
        }
        if spent > self.total {
            return self.refuse(Exhaustion::Work);
        }
        self.spent.set(spent);
        Ok(())
    }

    /// Charges for searching `bytes` bytes of text `times` times.
    ///
    /// # Errors
    /// Fails like [`Self::charge`].
    pub fn charge_bytes(&self, bytes: usize, times: usize) -> Result<(), Exhaustion> {
        self.charge_each(1, bytes.saturating_mul(times) / BYTES_PER_UNIT)
    }

    /// Charges some units for each of several things.
    ///
    /// # Errors
    /// Fails like [`Self::charge`].
    pub fn charge_each(&self, units: u64, things: usize) -> Result<(), Exhaustion> {
        self.charge(u64::try_from(things).unwrap_or(u64::MAX).saturating_mul(units))
    }

    /// Charges some units for each of several things after the work is done. If fewer are left, all of them are
    /// taken.
    pub fn take_each(&self, units: u64, things: usize) {
        let taken = u64::try_from(things).unwrap_or(u64::MAX).saturating_mul(units);
        self.spent.set(self.spent.get().saturating_add(taken).min(self.total));
    }

    /// Returns the number of refused charges. If it grows while something is examined, a part of that was left out.
    #[must_use]
    pub fn refused(&self) -> u32 {
        self.refused.get()
    }

    /// Counts another refusal, because a result is used again that an earlier refusal made incomplete.
    pub fn repeat_refusal(&self) {
        self.refused.set(self.refused.get().saturating_add(1));
    }

    /// Returns the number of units that were charged.
    #[cfg(test)]
    pub(crate) fn units_spent(&self) -> u64 {
        self.spent.get()
    }

    /// Whether a charge was refused because the watchdog has stopped the event.
    #[must_use]
    pub fn is_out_of_time(&self) -> bool {
        self.is_out_of_time.get()
    }

    /// Whether the watchdog has stopped the event. The first call starts the watchdog.
    fn is_stopped(&self) -> bool {
        let Some(watch) = &self.watch else { return false };
        self.stop.get_or_init(watch).load(Ordering::Relaxed)
    }

    /// Counts a refused charge, and returns the error.
    fn refuse(&self, why: Exhaustion) -> Result<(), Exhaustion> {
        self.repeat_refusal();
        Err(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_takes_nothing() {
        let budget = Budget::new(100);
        assert_eq!(budget.charge(60), Ok(()));
        assert_eq!((budget.charge(60), budget.refused()), (Err(Exhaustion::Work), 1));
        assert_eq!((budget.charge(40), budget.units_spent()), (Ok(()), 100));
        assert_eq!((budget.charge(1), budget.refused()), (Err(Exhaustion::Work), 2));
        assert_eq!(budget.charge_each(u64::MAX, usize::MAX), Err(Exhaustion::Work));
        assert_eq!(budget.charge_bytes(usize::MAX, usize::MAX), Err(Exhaustion::Work));
    }

    #[test]
    fn what_was_done_already_takes_what_is_left_at_most() {
        let budget = Budget::new(100);
        budget.take_each(7, 10);
        assert_eq!((budget.units_spent(), budget.refused()), (70, 0));
        budget.take_each(7, usize::MAX);
        assert_eq!((budget.units_spent(), budget.refused()), (100, 0));
        assert_eq!(budget.charge(1), Err(Exhaustion::Work));
    }

    #[test]
    fn only_what_takes_unusually_much_is_watched_and_stopped() {
        let begun = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&begun);
        let budget = Budget::with_watchdog(move || {
            seen.store(true, Ordering::Relaxed);
            Arc::new(AtomicBool::new(true))
        });
        assert_eq!((budget.charge(UNUSUAL_UNITS), begun.load(Ordering::Relaxed)), (Ok(()), false));
        assert_eq!((budget.charge(1), begun.load(Ordering::Relaxed)), (Err(Exhaustion::Time), true));
        assert!(budget.is_out_of_time());
    }
}
