//! Stores texts for the user that an event could not show, for the next event of the session that can.
//!
//! Each session has a file with one JSON string on each line. The size of the file is limited: a text for which there
//! is no room is not stored.

use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use super::place::{AccessMode, OpenDirectory};
use super::sweep::sweep;
use crate::names::file_name_component;
use crate::record_place::HELD;

/// The size in bytes up to which texts are added to a file. About as much fits into the answer that shows the texts.
/// The first text of a file may be longer.
const MAX_FILE_BYTES: u64 = 8 << 10;

/// The size in bytes that also the first text of a file must not reach. So every file is smaller, and is read as a
/// whole.
const MAX_FIRST_TEXT_BYTES: u64 = 256 << 10;

/// How long to wait for another hook that writes or takes texts.
const PATIENCE: Duration = Duration::from_millis(200);

/// Stores a text for the next event of the session that can show it. Returns whether the text is stored now.
///
/// A text that is already in the file is not added again.
#[must_use]
pub fn defer_text(state_dir: Option<&Path>, session: Option<&str>, text: &str) -> bool {
    let (Some(state_dir), Some(session)) = (state_dir, session) else { return false };
    append(state_dir, &file_name_component(session), text).unwrap_or(false)
}

/// Adds a text to the file of a session. Returns whether the file contains the text afterwards.
fn append(state_dir: &Path, name: &str, text: &str) -> std::io::Result<bool> {
    let directory = OpenDirectory::open_or_create_state(state_dir)?.open_or_create(HELD)?;
    let Some(mut file) = directory.locked(name, AccessMode::Append, PATIENCE)? else { return Ok(false) };
    let mut stored = String::new();
    let length = file.metadata()?.len();
    if length == 0 {
        sweep(&directory, name);
    }
    (&mut file).take(MAX_FIRST_TEXT_BYTES).read_to_string(&mut stored)?;
    let line = serde_json::to_string(text)?;
    if stored.lines().any(|other| other == line) {
        return Ok(true);
    }
    let limit = if length > 0 { MAX_FILE_BYTES } else { MAX_FIRST_TEXT_BYTES };
    // `>=`, because the line is followed by a newline.
    if length.saturating_add(u64::try_from(line.len()).unwrap_or(u64::MAX)) >= limit {
        return Ok(false);
    }
    file.write_all(format!("{line}\n").as_bytes())?;
    Ok(true)
}

/// Takes the stored texts of a session. They are removed, so that each is shown once.
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

/// Returns the texts in the file of a session, and removes the file. Returns no texts if another process holds the lock
/// for too long.
fn take_from_file(state_dir: &Path, name: &str) -> std::io::Result<Vec<String>> {
    let directory = OpenDirectory::open_or_create_state(state_dir)?.open_or_create(HELD)?;
    let Some(file) = directory.locked(name, AccessMode::Read, PATIENCE)? else { return Ok(Vec::new()) };
    let mut stored = String::new();
    (&file).take(MAX_FIRST_TEXT_BYTES).read_to_string(&mut stored)?;
    // The file is removed before the texts are shown, so that none is shown twice.
    directory.remove(name)?;
    Ok(stored.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
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
        let longest = usize::try_from(MAX_FIRST_TEXT_BYTES).unwrap() - 3;
        assert!(!defer_text(Some(dir.path()), Some("a"), &"x".repeat(longest + 1)));
        assert!(defer_text(Some(dir.path()), Some("a"), &"x".repeat(longest)));
        assert_eq!(take_deferred_texts(Some(dir.path()), Some("a"))[0].len(), longest);
    }

    #[test]
    fn sessions_that_never_came_back_are_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        (0..200).for_each(|session| assert!(defer_text(Some(dir.path()), Some(&format!("s{session}")), "x")));
        assert!(std::fs::read_dir(dir.path().join(HELD)).unwrap().count() <= super::super::sweep::MAX_FILES);
        assert_eq!(take_deferred_texts(Some(dir.path()), Some("s199")), ["x"]);
    }
}
