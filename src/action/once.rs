//! Remembers messages that are shown once per session: a marker file for each.

use std::path::Path;

use super::place::{Access, Directory};
use crate::names::component;
use crate::record_place::SAID;

/// Whether something is shown for the first time in a session; also remembers it. If nothing can be remembered, it is
/// always the first time: showing it twice is better than never.
#[must_use]
pub fn first_time(state_dir: Option<&Path>, session: Option<&str>, what: &str) -> bool {
    let (Some(state_dir), Some(session)) = (state_dir, session) else { return true };
    let marker = format!("{}.{}", component(session), component(what));
    let said = Directory::of_state(state_dir)
        .and_then(|state| state.enter(SAID))
        .and_then(|directory| directory.file(&marker, Access::New));
    !matches!(said, Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists)
}

/// Whether something was remembered for a session by [`first_time`]; remembers nothing itself.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "whether a marker is there")]
pub fn was_said(state_dir: Option<&Path>, session: Option<&str>, what: &str) -> bool {
    let (Some(state_dir), Some(session)) = (state_dir, session) else { return false };
    let marker = format!("{}.{}", component(session), component(what));
    std::fs::symlink_metadata(state_dir.join(SAID).join(marker)).is_ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_thing_is_said_once_a_session() {
        let dir = tempfile::tempdir().unwrap();
        let say = |session: Option<&str>| first_time(Some(dir.path()), session, "broken");
        assert!(say(Some("a")));
        assert!(!say(Some("a")));
        assert!(say(Some("b")));
        let said = |session: &str| was_said(Some(dir.path()), Some(session), "broken");
        assert!(said("a") && !said("c") && !said("c"), "asking remembers nothing");
        assert!(say(None) && say(None));
    }

    #[test]
    fn the_first_event_of_a_machine_makes_the_state_directory() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("not/yet");
        assert!(first_time(Some(&state), Some("a"), "broken"));
        assert!(!first_time(Some(&state), Some("a"), "broken"));
        assert_eq!(state.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }
}
