//! The budget of one event, as one account: a count of work, not a clock.
//!
//! Whoever writes a payload, or creates a tree of directories, influences how much there is to look at. Every layer
//! charges the account before it looks; what would exceed it is not done, and the condition that asked is unknown.
//! The account does not know what it counts.

use std::cell::{Cell, OnceCell};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What an event may take, in units of about ten nanoseconds each.
pub const EVENT: u64 = 50_000_000;

/// What an ordinary event stays far below: past it, time may run out.
const UNUSUAL: u64 = 1_000_000;

/// How many bytes of a text are looked through in one unit.
const BYTES: usize = 4;

/// Why no more is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spent {
    /// There is not as much left as it would take.
    Work,
    /// Whoever watches the event has stopped it.
    Time,
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Work => "judging this event takes more work than is allowed for one event",
            Self::Time => "the time for judging this event is up",
        })
    }
}

impl std::error::Error for Spent {}

/// Begins to watch an event that takes unusually much, and returns what is set to stop it.
type Watch = Box<dyn Fn() -> Arc<AtomicBool>>;

/// The account of one event.
pub struct Budget {
    most: u64,
    spent: Cell<u64>,
    /// How many charges were refused.
    refused: Cell<u32>,
    watch: Option<Watch>,
    stop: OnceCell<Arc<AtomicBool>>,
    is_out_of_time: Cell<bool>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::of(EVENT)
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.spent.get(), self.most)
    }
}

impl Budget {
    /// Makes an account of so many units.
    #[must_use]
    pub fn of(units: u64) -> Self {
        Self {
            most: units,
            spent: Cell::new(0),
            refused: Cell::new(0),
            watch: None,
            stop: OnceCell::new(),
            is_out_of_time: Cell::new(false),
        }
    }

    /// Makes the account of an event that is watched once it takes unusually much.
    #[must_use]
    pub fn watched(watch: impl Fn() -> Arc<AtomicBool> + 'static) -> Self {
        Self { watch: Some(Box::new(watch)), ..Self::default() }
    }

    /// Takes some units. A charge that is refused takes nothing, so that what needs less can still be had.
    ///
    /// # Errors
    /// There are not as many left, or the event was stopped.
    pub fn charge(&self, units: u64) -> Result<(), Spent> {
        let spent = self.spent.get().saturating_add(units);
        if spent > UNUSUAL && self.is_stopped() {
            self.is_out_of_time.set(true);
            return self.refuse(Spent::Time);
        }
        if spent > self.most {
            return self.refuse(Spent::Work);
        }
        self.spent.set(spent);
        Ok(())
    }

    /// Takes what it costs to look through so many bytes of text so many times.
    ///
    /// # Errors
    /// As [`Self::charge`].
    pub fn charge_bytes(&self, bytes: usize, times: usize) -> Result<(), Spent> {
        self.charge_each(1, bytes.saturating_mul(times) / BYTES)
    }

    /// Takes some units for each of several things.
    ///
    /// # Errors
    /// As [`Self::charge`].
    pub fn charge_each(&self, units: u64, things: usize) -> Result<(), Spent> {
        self.charge(u64::try_from(things).unwrap_or(u64::MAX).saturating_mul(units))
    }

    /// Takes some units for each of several things that were done already: as many as there are left.
    pub fn take_each(&self, units: u64, things: usize) {
        let taken = u64::try_from(things).unwrap_or(u64::MAX).saturating_mul(units);
        self.spent.set(self.spent.get().saturating_add(taken).min(self.most));
    }

    /// Returns how many charges were refused so far: where there are more afterwards than before, something was left
    /// out in between.
    #[must_use]
    pub fn refused(&self) -> u32 {
        self.refused.get()
    }

    /// Counts a refusal once more: something is used again that was left out in part because of one.
    pub fn repeat_refusal(&self) {
        self.refused.set(self.refused.get().saturating_add(1));
    }

    /// Returns how many units were taken.
    #[cfg(test)]
    pub(crate) fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Tells whether a charge was refused because the event was stopped from outside.
    #[must_use]
    pub fn is_out_of_time(&self) -> bool {
        self.is_out_of_time.get()
    }

    fn is_stopped(&self) -> bool {
        let Some(watch) = &self.watch else { return false };
        self.stop.get_or_init(watch).load(Ordering::Relaxed)
    }

    fn refuse(&self, why: Spent) -> Result<(), Spent> {
        self.repeat_refusal();
        Err(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_takes_nothing() {
        let budget = Budget::of(100);
        assert_eq!(budget.charge(60), Ok(()));
        assert_eq!((budget.charge(60), budget.refused()), (Err(Spent::Work), 1));
        assert_eq!((budget.charge(40), budget.spent()), (Ok(()), 100));
        assert_eq!((budget.charge(1), budget.refused()), (Err(Spent::Work), 2));
        assert_eq!(budget.charge_each(u64::MAX, usize::MAX), Err(Spent::Work));
        assert_eq!(budget.charge_bytes(usize::MAX, usize::MAX), Err(Spent::Work));
    }

    #[test]
    fn what_was_done_already_takes_what_is_left_at_most() {
        let budget = Budget::of(100);
        budget.take_each(7, 10);
        assert_eq!((budget.spent(), budget.refused()), (70, 0));
        budget.take_each(7, usize::MAX);
        assert_eq!((budget.spent(), budget.refused()), (100, 0));
        assert_eq!(budget.charge(1), Err(Spent::Work));
    }

    #[test]
    fn only_what_takes_unusually_much_is_watched_and_stopped() {
        let begun = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&begun);
        let budget = Budget::watched(move || {
            seen.store(true, Ordering::Relaxed);
            Arc::new(AtomicBool::new(true))
        });
        assert_eq!((budget.charge(UNUSUAL), begun.load(Ordering::Relaxed)), (Ok(()), false));
        assert_eq!((budget.charge(1), begun.load(Ordering::Relaxed)), (Err(Spent::Time), true));
        assert!(budget.is_out_of_time());
    }
}
