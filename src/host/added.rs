//! Hosts that the build does not know: their records are texts, which the user or the administrator has written.
//!
//! This module does not read files. It reads each text once per process, and stores the result for as long as the
//! process runs, because a host borrows its record.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::record::{HostRecord, HostRecordMistake, RECORDS, RecordVocabulary, read_record};
use super::{Host, apply_patch};
use crate::schema::{Event, tool_spec};

/// The name that stands for every host in options.
const ALL: &str = "all";

/// The records that this process has added to the built-in ones.
static ADDED: OnceLock<Vec<&'static HostRecord>> = OnceLock::new();

/// The texts that were read, by name and text.
static READ: Mutex<BTreeMap<(String, String), AddedHost>> = Mutex::new(BTreeMap::new());

/// The names that an added record may use.
const VOCABULARY: RecordVocabulary = RecordVocabulary {
    has_event: |name| Event::from_name(name).is_some(),
    has_tool: |name| tool_spec(name).is_some() || name == apply_patch::NAME,
    has_field: |name| {
        name == "subagent_type" || Event::ALL.iter().any(|event| event.fields().any(|field| field.name == name))
    },
    plugin: |_| None,
};

/// A host whose record is not built in, as far as the record can be read.
#[derive(Clone, Copy, Debug)]
pub struct AddedHost {
    host: Host,
    mistakes: &'static [HostRecordMistake],
}

impl AddedHost {
    /// Reads the record of the host with this name. The text is stored for as long as the process runs.
    #[must_use]
    pub fn read(name: &str, text: &str) -> Self {
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        *read.entry((name.to_owned(), text.to_owned())).or_insert_with(|| {
            let (record, mut mistakes) = read_record(name, text, VOCABULARY);
            if let Some(message) = name_mistake(name) {
                mistakes.insert(0, HostRecordMistake { at: 0..0, message });
            }
            Self { host: Host(Box::leak(Box::new(record))), mistakes: mistakes.leak() }
        })
    }

    /// Returns the host. If the record has mistakes, it has only the parts without them.
    #[must_use]
    pub const fn host(self) -> Host {
        self.host
    }

    /// Whether the record has no mistakes, so that the host can be used.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        self.mistakes.is_empty()
    }

    /// Returns the mistakes in the record: the byte range in the text, and what is wrong.
    pub fn mistakes(self) -> impl Iterator<Item = (Range<usize>, &'static str)> {
        self.mistakes.iter().map(|mistake| (mistake.at.clone(), mistake.message.as_str()))
    }
}

/// Returns why a host must not have this name; `None` if it may.
fn name_mistake(name: &str) -> Option<String> {
    let is_like = |record: &&HostRecord| record.name.eq_ignore_ascii_case(name);
    if let Some(known) = RECORDS.iter().find(is_like) {
        return Some(format!("`{}` is a built-in host, whose record cannot be replaced", known.name));
    }
    let is_word = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !is_word || name == ALL {
        return Some(format!(
            "`{name}` cannot be the name of a host: it is lowercase letters, digits and `-`, and not `{ALL}`"
        ));
    }
    None
}

/// Adds hosts to the built-in ones, for the whole process: [`Host::all`], [`Host::names`] and [`Host::from_name`]
/// return them too. A record with mistakes is not added, and of several with the same name only the first.
///
/// Returns whether they were added: they are not if hosts were added before.
pub fn add_hosts(hosts: impl IntoIterator<Item = AddedHost>) -> bool {
    let mut records: Vec<&'static HostRecord> = Vec::new();
    for added in hosts.into_iter().filter(|added| added.is_valid()) {
        if records.iter().all(|known| known.name != added.host.name()) {
            records.push(added.host.record());
        }
    }
    ADDED.set(records).is_ok()
}

/// Returns the records that were added.
pub(super) fn added_records() -> &'static [&'static HostRecord] {
    ADDED.get().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests;
