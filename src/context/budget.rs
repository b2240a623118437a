//! How much of the payload the conditions of one event may look at, all in all.
//!
//! A count, not a clock: the same everywhere. What would go beyond is unknown, never false.

use std::cell::{Cell, OnceCell};

use serde_json::Value as Json;

use super::Reason;

/// The steps of an event; a step takes about a fifth of a microsecond.
const STEPS: u64 = 8_000_000;

/// The bytes of a text that are looked at in one step.
const BYTES_PER_STEP: u64 = 64;

/// The values that one JSONPath may look at; each takes about a microsecond.
const JSON_STEPS: u64 = 20_000;

/// The steps that a value of a JSONPath counts for.
const STEPS_PER_VALUE: u64 = 4;

/// What is said where nothing is left.
const SPENT: &str = "the conditions of this event look at too much text";

impl Reason {
    /// Tells whether it is that the conditions of the event have looked at too much before, whatever this one asks.
    #[must_use]
    pub fn is_of_budget(&self) -> bool {
        self.text == SPENT || self.text.ends_with(super::looked::SPENT)
    }
}

/// What is left, and how big the payload is, counted when it is asked.
#[derive(Default)]
pub(super) struct Budget {
    spent: Cell<u64>,
    nodes: OnceCell<u64>,
}

impl Budget {
    /// Takes the steps of looking at a text so many times.
    pub(super) fn look_at(&self, bytes: usize, times: usize) -> Result<(), Reason> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let times = u64::try_from(times).unwrap_or(u64::MAX);
        self.spend(bytes.saturating_mul(times) / BYTES_PER_STEP)
    }

    /// Takes the steps of a JSONPath that looks at every node so many times; `squares`: for each node once more.
    pub(super) fn walk(&self, whole: &Json, passes: u64, squares: bool) -> Result<(), Reason> {
        if passes == 0 {
            return Ok(());
        }
        let nodes = *self.nodes.get_or_init(|| nodes(whole));
        let steps = nodes.saturating_mul(passes).saturating_mul(if squares { nodes } else { 1 });
        if steps > JSON_STEPS {
            return Err(Reason::new("the payload is too big for this JSONPath", None, None));
        }
        self.spend(steps.saturating_mul(STEPS_PER_VALUE))
    }

    fn spend(&self, steps: u64) -> Result<(), Reason> {
        let spent = self.spent.get().saturating_add(steps);
        if spent > STEPS {
            return Err(Reason::new(SPENT, None, None));
        }
        self.spent.set(spent);
        Ok(())
    }
}

/// Counts the values of a payload, those with a long path more: each is found with its path. Stops where no JSONPath
/// would be followed.
fn nodes(whole: &Json) -> u64 {
    let mut count = 0_u64;
    let mut open = vec![(whole, 0_usize)];
    while let Some((json, path)) = open.pop() {
        count += 1 + u64::try_from(path / 256).unwrap_or(u64::MAX >> 1);
        // One more than would do.
        let left = usize::try_from((JSON_STEPS + 1).saturating_sub(count)).unwrap_or(usize::MAX);
        if left == 0 {
            break;
        }
        match json {
            Json::Array(items) => open.extend(items.iter().take(left).map(|item| (item, path + 8))),
            Json::Object(members) => {
                open.extend(members.iter().take(left).map(|(name, member)| (member, path + name.len())));
            }
            _ => {}
        }
    }
    count
}
