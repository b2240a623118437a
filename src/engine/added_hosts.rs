//! Hosts that an embedding program adds.

use super::Finding;
use crate::added_hosts::AddedHosts;
use crate::span::Sources;

/// Adds hosts to the built-in ones, for the whole process, and returns the mistakes in their records. Each record is
/// the name of the host and the text of the file `hosts/NAME.toml`; the book documents the keys. A record with
/// mistakes is not added.
///
/// Only the first call adds hosts. Nothing else does in an embedding program: the records in the directories of the
/// user and the administrator are read by the program `rules`, and by the guard of a hook, which protects the files in
/// which these hosts are registered.
///
/// ```
/// use hookrules::hook::{Hook, add_host_records};
///
/// let record = "title = \"Acme\"\n[events.PreToolUse]\ndeny = { stderr = \"$reason\", exit = 2 }\n";
/// assert_eq!(add_host_records([("acme", record)]), []);
/// let hook = Hook::of_project("/work").host("acme")?;
/// # drop(hook);
/// # Ok::<(), hookrules::EventError>(())
/// ```
pub fn add_host_records<'r>(records: impl IntoIterator<Item = (&'r str, &'r str)>) -> Vec<Finding> {
    let added = AddedHosts::from_texts(records);
    added.add_to_process();
    let mut sources = Sources::default();
    let findings = added.findings(&mut sources);
    findings.iter().map(|finding| Finding::new(finding, &sources)).collect()
}
