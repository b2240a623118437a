//! The costs of examining an event. Each is charged to the event's budget before the work is done. `machine.rs` has
//! the costs of reading the machine.
//!
//! A cost is an estimate that does not depend on earlier lookups. So verdicts do not depend on them either.

use std::cell::OnceCell;

use serde_json::Value as Json;

use super::{CallView, Machine, Reason};
use crate::budget::{Budget, Exhaustion};

/// The cost of one value that a JSONPath visits, in units of the budget.
const VALUE_UNITS: u64 = 80;

/// The maximum number of visits that one JSONPath may make to values.
const JSON_VALUES: u64 = 20_000;

/// The maximum length of the texts in a payload that a JSONPath can query, in bytes. The payload is copied for it.
const JSON_BYTES: usize = 16 << 20;

/// The cached result of a lookup, and whether the budget cut the lookup short.
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

    /// Deducts some units from the event's budget.
    ///
    /// # Errors
    /// Fails if too few units are left; the answer is then unknown.
    pub fn charge(&self, units: u64) -> Result<(), Reason> {
        Ok(self.budget.charge(units)?)
    }

    /// Deducts some units for each of several things from the event's budget.
    ///
    /// # Errors
    /// Fails like [`Self::charge`].
    pub fn charge_each(&self, units: u64, things: usize) -> Result<(), Reason> {
        Ok(self.budget.charge_each(units, things)?)
    }

    /// Deducts the cost of reading a text of this many bytes this many times from the event's budget.
    ///
    /// # Errors
    /// Fails like [`Self::charge`].
    pub fn charge_text(&self, bytes: usize, times: usize) -> Result<(), Reason> {
        Ok(self.budget.charge_bytes(bytes, times)?)
    }

    /// Runs a lookup, and fails if the budget cut it short.
    ///
    /// # Errors
    /// The budget refused a charge during the lookup, so its result may be incomplete.
    pub fn complete_lookup<T>(&self, look: impl FnOnce() -> T) -> Result<T, Reason> {
        let before = self.budget.refused();
        let found = look();
        if self.budget.refused() == before { Ok(found) } else { Err(self.budget_reason()) }
    }

    /// Returns a cached result, or runs the lookup. Each use of an incomplete result counts as another refusal, so
    /// [`Self::complete_lookup`] detects it.
    pub(super) fn cached<'k, T>(&self, cell: &'k OnceCell<CachedLookup<T>>, find: impl FnOnce() -> T) -> &'k T {
        let find = || {
            let before = self.budget.refused();
            let value = find();
            CachedLookup { value, is_incomplete: self.budget.refused() != before }
        };
        let is_new = cell.get().is_none();
        let entry = cell.get_or_init(find);
        if entry.is_incomplete && !is_new {
            self.budget.repeat_refusal();
        }
        &entry.value
    }

    /// Returns the reason why the budget is spent: too much time, or too much work.
    pub(super) fn budget_reason(&self) -> Reason {
        if self.budget.is_out_of_time() { Exhaustion::Time.into() } else { Exhaustion::Work.into() }
    }
}

impl CallView<'_> {
    /// Returns the units that a JSONPath costs if it visits every value of the payload `passes` times. If it
    /// `squares`, each pass visits every value once for each value. `None` if it visits no value.
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
        Ok(Some(looked.saturating_mul(VALUE_UNITS)))
    }
}

/// Counts the values of a payload. A value with a long path counts more, since a query builds the path of each value.
/// With too many values, or too much text, for any JSONPath, stops early with a count above the limit.
fn json_values<'j>(members: impl Iterator<Item = &'j Json>) -> u64 {
    let mut count = 0_u64;
    let mut bytes = 0_usize;
    let mut pending: Vec<(&Json, usize)> = members.map(|member| (member, 0)).collect();
    while let Some((json, path_bytes)) = pending.pop() {
        count += 1 + u64::try_from(path_bytes / 256).unwrap_or(u64::MAX >> 1);
        // A count of one more than the limit is enough.
        let remaining = usize::try_from((JSON_VALUES + 1).saturating_sub(count)).unwrap_or(usize::MAX);
        if remaining == 0 {
            break;
        }
        match json {
            Json::String(text) => bytes = bytes.saturating_add(text.len()),
            Json::Array(items) => pending.extend(items.iter().take(remaining).map(|item| (item, path_bytes + 8))),
            Json::Object(members) => {
                pending.extend(members.iter().take(remaining).map(|(name, member)| (member, path_bytes + name.len())));
            }
            _ => {}
        }
        if bytes > JSON_BYTES {
            return JSON_VALUES + 1;
        }
    }
    count
}
