//! The costs of examining an event and of reading the machine. Each cost is charged to the budget before the work.
//!
//! A cost is an estimate that does not depend on earlier lookups, and so no verdict does.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::{CallView, Machine, Reason, UnreadCause};
use crate::budget::{Budget, Exhaustion};
use crate::facts::{DirectoryEntry, GitState};

/// The cost of one query to the system about a file.
const LOOK: u64 = 200;

/// The cost of one name in a directory listing.
const ENTRY: u64 = 100;

/// The cost of reading the git state of one directory.
const GIT: u64 = 5_000;

/// The cost of searching the end of a transcript.
const TRANSCRIPT: u64 = 4_000_000;

/// The cost of reading one ignore file, without its globs.
const LIST: u64 = 5_000;

/// The cost of one value that a JSONPath visits.
const VALUE: u64 = 80;

/// The most values that one JSONPath may visit.
const JSON_VALUES: u64 = 20_000;

/// The most bytes of text in a payload that a JSONPath can query, since the payload is copied for it.
const JSON_BYTES: usize = 16 << 20;

/// A fact of the machine; `None` if it has no value, or the cause why it was not read.
pub(super) type MachineFact<T> = Result<Option<T>, UnreadCause>;

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

/// The facts of the machine, each charged before it is read. If the budget refuses a charge, nothing is read;
/// [`Machine::complete_lookup`] reports that.
impl Machine<'_> {
    /// Returns a path with its symbolic links resolved; the path itself if the budget refuses.
    pub(super) fn resolve(&self, path: &Path) -> PathBuf {
        // Each name in the path may be a link. A name is assumed to have four characters.
        let names = path.as_os_str().len() / 4;
        match self.budget.charge_each(LOOK / 4, names) {
            Ok(()) => self.facts.resolve(path),
            Err(_) => path.to_path_buf(),
        }
    }

    pub(super) fn file_exists(&self, path: &Path) -> MachineFact<bool> {
        self.charge_look()?;
        Ok(self.facts.file_exists(path)?)
    }

    pub(super) fn file_size(&self, path: &Path) -> MachineFact<u64> {
        self.charge_look()?;
        Ok(self.facts.file_size(path)?)
    }

    pub(super) fn directory_exists(&self, path: &Path) -> MachineFact<bool> {
        self.charge_look()?;
        Ok(self.facts.is_directory(path)?)
    }

    pub(super) fn list_directory(&self, directory: &Path) -> MachineFact<Vec<DirectoryEntry>> {
        self.charge_look()?;
        let entries = self.facts.entries(directory)?;
        let count = entries.as_ref().map_or(0, Vec::len);
        self.budget.charge_each(ENTRY, count)?;
        Ok(entries)
    }

    pub(super) fn list_links(&self, directory: &Path) -> MachineFact<Vec<String>> {
        self.charge_look()?;
        let names = self.facts.links(directory)?;
        let count = names.as_ref().map_or(0, Vec::len);
        self.budget.charge_each(ENTRY, count)?;
        Ok(names)
    }

    pub(super) fn git_of_directory(&self, directory: &Path) -> MachineFact<GitState> {
        self.budget.charge(GIT)?;
        if let Some(known) = self.walk_cache.git.borrow().get(directory) {
            return Ok(known.clone()?);
        }
        let state = self.facts.git(directory);
        self.walk_cache.git.borrow_mut().insert(directory.to_owned(), state.clone());
        Ok(state?)
    }

    pub(super) fn ignores(&self, file: &Path) -> MachineFact<String> {
        self.budget.charge(LIST)?;
        let text = self.facts.ignores(file)?;
        let length = text.as_ref().map_or(0, String::len);
        self.budget.charge_bytes(length, LIST_TIMES)?;
        Ok(text)
    }

    pub(super) fn agent_called_in(&self, transcript: &Path) -> MachineFact<String> {
        self.budget.charge(TRANSCRIPT)?;
        Ok(self.facts.called_agent(transcript)?)
    }

    /// Charges one query about a file.
    fn charge_look(&self) -> Result<(), Exhaustion> {
        self.budget.charge(LOOK)
    }
}

/// The number of passes over the text of an ignore file until its globs are compiled.
const LIST_TIMES: usize = 64;

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
