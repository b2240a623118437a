//! Texts for the user that an event could not show: they wait for the next event of the session that can.
//!
//! Each session has a file with one JSON string on each line. The size of the file is limited: a text that does not
//! fit is only in the log.

use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use super::place::{AccessMode, OpenDirectory};
use super::sweep::sweep;
use crate::names::file_name_component;
use crate::record_place::HELD;

/// The size in bytes above which no further text is added to a file: about what the answer that shows the texts has
/// room for. A single text may be longer.
const LARGEST: u64 = 8 << 10;

/// The size in bytes from which a single text is not stored either. Every file is smaller, and is read whole.
const READ: u64 = 256 << 10;

/// The time to wait for another hook that writes or takes texts.
const PATIENCE: Duration = Duration::from_millis(200);

/// Stores a text for the next event of the session that can show it. Returns whether the text is stored.
///
/// A text that is stored already is not stored again.
#[must_use]
pub fn defer_text(state_dir: Option<&Path>, session: Option<&str>, text: &str) -> bool {
    let (Some(state_dir), Some(session)) = (state_dir, session) else { return false };
    append(state_dir, &file_name_component(session), text).unwrap_or(false)
}

/// Adds a text to the file of a session; returns whether the file contains it then.
fn append(state_dir: &Path, name: &str, text: &str) -> std::io::Result<bool> {
    let directory = OpenDirectory::open_or_create_state(state_dir)?.open_or_create(HELD)?;
    let Some(mut file) = directory.locked(name, AccessMode::Append, PATIENCE)? else { return Ok(false) };
    let mut waiting = String::new();
    let length = file.metadata()?.len();
    if length == 0 {
        sweep(&directory, name);
    }
    (&mut file).take(READ).read_to_string(&mut waiting)?;
    let line = serde_json::to_string(text)?;
    if waiting.lines().any(|other| other == line) {
        return Ok(true);
    }
    let limit = if length > 0 { LARGEST } else { READ };
    // With the newline after the line.
    if length.saturating_add(u64::try_from(line.len()).unwrap_or(u64::MAX)) >= limit {
        return Ok(false);
    }
    file.write_all(format!("{line}\n").as_bytes())?;
    Ok(true)
}

/// Returns the texts that wait for the user of a session, and removes them, so that each is shown once.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "nearly always nothing waits, which one look tells")]
pub fn take_deferred_texts(state_dir: Option<&Path>, session: Option<&str>) -> Vec<String> {
    let (Some(state_dir), Some(session)) = (state_dir, session) else { return Vec::new() };
    let name = file_name_component(session);
    if std::fs::symlink_metadata(state_dir.join(HELD).join(&name)).is_err() {
        return Vec::new();
    }
    take_from_file(state_dir, &name).unwrap_or_default()
}

/// Returns the texts in the file of a session, and removes the file; no texts if another process holds the lock.
fn take_from_file(state_dir: &Path, name: &str) -> std::io::Result<Vec<String>> {
    let directory = OpenDirectory::open_or_create_state(state_dir)?.open_or_create(HELD)?;
    let Some(file) = directory.locked(name, AccessMode::Read, PATIENCE)? else { return Ok(Vec::new()) };
    let mut waiting = String::new();
    (&file).take(READ).read_to_string(&mut waiting)?;
    // Removed before the texts are shown, so that none is shown twice.
    directory.remove(name)?;
    Ok(waiting.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "the tests look at files")]

    use super::*;

    #[test]
    fn what_is_held_is_told_once_and_to_its_session_alone() {
        let dir = tempfile::tempdir().unwrap();
        let state = Some(dir.path());
        for text in ["one\nline", "two", "two"] {
            assert!(defer_text(state, Some("a"), text));
        }
        assert!(defer_text(state, Some("b/.."), "other"));
        assert_eq!(take_deferred_texts(state, Some("a")), ["one\nline", "two"]);
        assert_eq!(take_deferred_texts(state, Some("a")), Vec::<String>::new());
        assert_eq!(take_deferred_texts(state, Some("b/..")), ["other"]);
        assert_eq!(std::fs::read_dir(dir.path().join(HELD)).unwrap().count(), 0);
    }

    #[test]
    fn what_cannot_be_held_is_known() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!defer_text(None, Some("a"), "x") && !defer_text(Some(dir.path()), None, "x"));
        let file = dir.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(!defer_text(Some(&file), Some("a"), "x"));
        let text = "x".repeat(1_000);
        let held = (0..20).filter(|number| defer_text(Some(dir.path()), Some("a"), &format!("{number}{text}"))).count();
        assert_eq!(held, take_deferred_texts(Some(dir.path()), Some("a")).len());
        assert!((7..9).contains(&held), "{held}");
        assert!(defer_text(Some(dir.path()), Some("a"), &"x".repeat(9_000)));
        assert_eq!(take_deferred_texts(Some(dir.path()), Some("a"))[0].len(), 9_000);
        // The line has two quotes and a newline.
        let longest = usize::try_from(READ).unwrap() - 3;
        assert!(!defer_text(Some(dir.path()), Some("a"), &"x".repeat(longest + 1)));
        assert!(defer_text(Some(dir.path()), Some("a"), &"x".repeat(longest)));
        assert_eq!(take_deferred_texts(Some(dir.path()), Some("a"))[0].len(), longest);
    }

    #[test]
    fn sessions_that_never_came_back_are_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        (0..200).for_each(|session| assert!(defer_text(Some(dir.path()), Some(&format!("s{session}")), "x")));
        assert!(std::fs::read_dir(dir.path().join(HELD)).unwrap().count() <= super::super::sweep::MOST);
        assert_eq!(take_deferred_texts(Some(dir.path()), Some("s199")), ["x"]);
    }
}
