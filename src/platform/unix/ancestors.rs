//! The ancestors of this process, as the system lists them.

use std::path::Path;

use nix::unistd::getppid;

use crate::platform::{LinkPolicy, read_bytes};

/// The maximum number of ancestors that are listed. A host in a shell in a terminal in a session has about ten.
const MAX_ANCESTORS: usize = 64;

/// The maximum number of bytes that are read of a process's status.
const MAX_STATUS: u64 = 4096;

/// Returns the ids of this process's parent, of the parent's parent, and so on, without the first process of the
/// machine. If the system does not list processes, the result has only the parent.
///
/// # Errors
/// Never; on other systems, if the system does not tell the parent.
pub fn ancestors() -> Result<Vec<u32>, String> {
    let parent = u32::try_from(getppid().as_raw()).ok();
    let is_started = |pid: &u32| *pid > 1;
    let pids =
        std::iter::successors(parent.filter(is_started), |pid| parent_pid(*pid).filter(is_started)).take(MAX_ANCESTORS);
    Ok(pids.collect())
}

/// Returns the id of a process's parent; `None` if the system does not list it.
fn parent_pid(pid: u32) -> Option<u32> {
    let status = read_bytes(Path::new(&format!("/proc/{pid}/stat")), LinkPolicy::Refuse, MAX_STATUS)?;
    parse_parent_pid(&String::from_utf8_lossy(&status))
}

/// Returns the id of the parent from a status `PID (NAME) STATE PARENT …`. The name may contain any characters, even
/// `)`.
fn parse_parent_pid(status: &str) -> Option<u32> {
    status.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_of_this_process_is_the_first() {
        let pids = ancestors().unwrap();
        assert_eq!(pids.first().copied(), u32::try_from(getppid().as_raw()).ok().filter(|pid| *pid > 1));
        assert!(!pids.contains(&1) && !pids.contains(&std::process::id()), "{pids:?}");
    }

    #[test]
    fn a_name_in_parentheses_hides_no_parent() {
        assert_eq!(parse_parent_pid("12 (a) S 7 12 12 0"), Some(7));
        assert_eq!(parse_parent_pid("12 (a) S 8) R 7 12 12 0"), Some(7));
        assert_eq!(parse_parent_pid("12 a S 7"), None);
    }
}
