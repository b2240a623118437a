//! Remembers which messages a session has shown, with a marker file for each.

use std::path::Path;

use super::place::{AccessMode, OpenDirectory};
use crate::names::file_name_component;
use crate::record_place::SAID;

/// Whether the message with the key `what` is shown for the first time in a session. Also remembers that it is shown.
/// If that is impossible, the answer is always `true`, because showing it twice is better than never.
#[must_use]
pub fn is_first_in_session(state_dir: Option<&Path>, session: Option<&str>, what: &str) -> bool {
    let (Some(state_dir), Some(session)) = (state_dir, session) else { return true };
    let marker = format!("{}.{}", file_name_component(session), file_name_component(what));
    let created = OpenDirectory::open_or_create_state(state_dir)
        .and_then(|state| state.open_or_create(SAID))
        .and_then(|directory| directory.file(&marker, AccessMode::New));
    !matches!(created, Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists)
}

/// Whether [`is_first_in_session`] was called for `what` in this session before. This function remembers nothing.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "whether a marker is there")]
pub fn is_remembered(state_dir: Option<&Path>, session: Option<&str>, what: &str) -> bool {
    let (Some(state_dir), Some(session)) = (state_dir, session) else { return false };
    let marker = format!("{}.{}", file_name_component(session), file_name_component(what));
    std::fs::symlink_metadata(state_dir.join(SAID).join(marker)).is_ok()
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_thing_is_said_once_a_session() {
        let dir = tempfile::tempdir().unwrap();
        let say = |session: Option<&str>| is_first_in_session(Some(dir.path()), session, "broken");
        assert!(say(Some("a")));
        assert!(!say(Some("a")));
        assert!(say(Some("b")));
        let said = |session: &str| is_remembered(Some(dir.path()), Some(session), "broken");
        assert!(said("a") && !said("c") && !said("c"), "asking remembers nothing");
        assert!(say(None) && say(None));
    }

    #[test]
    #[cfg(unix)]
    fn the_first_event_of_a_machine_makes_the_state_directory() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("not/yet");
        assert!(is_first_in_session(Some(&state), Some("a"), "broken"));
        assert!(!is_first_in_session(Some(&state), Some("a"), "broken"));
        assert_eq!(state.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }
}
