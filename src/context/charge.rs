//! The costs of examining an event, each charged to its budget before the work. `machine.rs` has those of reading the
//! machine.
//!
//! A cost is an estimate that does not depend on earlier lookups, and so no verdict does.

use std::cell::OnceCell;

use serde_json::Value as Json;

use super::{CallView, Machine, Reason};
use crate::budget::{Budget, Exhaustion};

/// The cost of one value that a JSONPath visits.
const VALUE: u64 = 80;

/// The most values that one JSONPath may visit.
const JSON_VALUES: u64 = 20_000;

/// The most bytes of text in a payload that a JSONPath can query, since the payload is copied for it.
const JSON_BYTES: usize = 16 << 20;

/// A cached result, and whether the budget cut the lookup short.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CachedLookup<T> {
    value: T,
    is_incomplete: bool,
}

impl Machine<'_> {
    /// Returns the event's budget.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Charges some units to the event's budget.
    ///
    /// # Errors
    /// Too few are left: the answer is unknown.
    pub fn charge(&self, units: u64) -> Result<(), Reason> {
        Ok(self.budget.charge(units)?)
    }

    /// Charges some units for each of several things.
    ///
    /// # Errors
    /// As [`Self::charge`].
    pub fn charge_each(&self, units: u64, things: usize) -> Result<(), Reason> {
        Ok(self.budget.charge_each(units, things)?)
    }

    /// Charges the cost of reading so many bytes of text so many times.
    ///
    /// # Errors
    /// As [`Self::charge`].
    pub fn charge_text(&self, bytes: usize, times: usize) -> Result<(), Reason> {
        Ok(self.budget.charge_bytes(bytes, times)?)
    }

    /// Runs a lookup that the budget may cut short.
    ///
    /// # Errors
    /// The budget refused a charge during the lookup, so that its result may be incomplete.
    pub fn complete_lookup<T>(&self, look: impl FnOnce() -> T) -> Result<T, Reason> {
        let before = self.budget.refused();
        let found = look();
        if self.budget.refused() == before { Ok(found) } else { Err(self.budget_reason()) }
    }

    /// Returns a cached result, or runs the lookup. Each use of an incomplete result counts as another refusal, so
    /// that [`Self::complete_lookup`] detects it.
    pub(super) fn cached<'k, T>(&self, cell: &'k OnceCell<CachedLookup<T>>, find: impl FnOnce() -> T) -> &'k T {
        let find = || {
            let before = self.budget.refused();
            let value = find();
            CachedLookup { value, is_incomplete: self.budget.refused() != before }
        };
        let is_new = cell.get().is_none();
        let kept = cell.get_or_init(find);
        if kept.is_incomplete && !is_new {
            self.budget.repeat_refusal();
        }
        &kept.value
    }

    /// Returns the reason why the budget is spent: time or work.
    pub(super) fn budget_reason(&self) -> Reason {
        if self.budget.is_out_of_time() { Exhaustion::Time.into() } else { Exhaustion::Work.into() }
    }
}

impl CallView<'_> {
    /// Returns the cost of a JSONPath that visits every value of the payload `passes` times; with `squares`, as often
    /// as there are values, each time. `None` if it visits no value.
    ///
    /// # Errors
    /// The payload has too many values.
    pub(super) fn json_path_cost(&self, passes: u64, squares: bool) -> Result<Option<u64>, Reason> {
        if passes == 0 {
            return Ok(None);
        }
        let values = *self.json_values.get_or_init(|| json_values(self.payload.json.values()));
        let looked = values.saturating_mul(passes).saturating_mul(if squares { values } else { 1 });
        if looked > JSON_VALUES {
            return Err(Reason::big_payload());
        }
        Ok(Some(looked.saturating_mul(VALUE)))
    }
}

/// Counts the values of a payload. A value with a long path counts more, since a query builds the path of each value.
/// Stops, with a count above the limit, if there are too many values for any JSONPath or too much text.
fn json_values<'j>(members: impl Iterator<Item = &'j Json>) -> u64 {
    let mut count = 0_u64;
    let mut bytes = 0_usize;
    let mut open: Vec<(&Json, usize)> = members.map(|member| (member, 0)).collect();
    while let Some((json, path)) = open.pop() {
        count += 1 + u64::try_from(path / 256).unwrap_or(u64::MAX >> 1);
        // A count of one more than the limit is enough.
        let left = usize::try_from((JSON_VALUES + 1).saturating_sub(count)).unwrap_or(usize::MAX);
        if left == 0 {
            break;
        }
        match json {
            Json::String(text) => bytes = bytes.saturating_add(text.len()),
            Json::Array(items) => open.extend(items.iter().take(left).map(|item| (item, path + 8))),
            Json::Object(members) => {
                open.extend(members.iter().take(left).map(|(name, member)| (member, path + name.len())));
            }
            _ => {}
        }
        if bytes > JSON_BYTES {
            return JSON_VALUES + 1;
        }
    }
    count
}
