//! What this process was started with: the payload on standard input, and how it was registered.
//!
//! A host starts a process for each event, so there is one of each, however often it is asked for.
#![expect(clippy::disallowed_methods, reason = "a hook reads its environment")]

use std::ffi::OsString;
use std::io::Read;
use std::path::PathBuf;
use std::sync::OnceLock;

use super::{Registration, places};
use crate::host::Host;
use crate::{action, files};

/// The most bytes of a payload, far above any that a host sends.
pub const PAYLOAD_LIMIT: usize = 64 << 20;

static INPUT: OnceLock<Input> = OnceLock::new();
static REGISTRATION: OnceLock<Registration> = OnceLock::new();

/// A payload as it was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its bytes, up to the limit.
    pub bytes: Vec<u8>,
    /// That there are more, as a sentence.
    pub problem: Option<String>,
}

impl Input {
    /// Reads a payload, and says so where it is longer than the limit: of such a one the beginning is judged, as of
    /// any that was cut off.
    #[must_use]
    pub fn read(input: impl Read, limit: usize) -> Self {
        // Most payloads fit at once; grown from nothing they would take ten reads.
        let mut bytes = Vec::with_capacity(64 << 10);
        let one_more = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        // What was read until an error is all there is; the decoder says what is missing.
        let _partial = input.take(one_more).read_to_end(&mut bytes);
        let too_long = bytes.len() > limit;
        bytes.truncate(limit);
        let problem =
            format!("The payload of this event is longer than {} MiB; what is behind was not read.", limit >> 20);
        Self { bytes, problem: too_long.then_some(problem) }
    }

    /// Returns the payload of this process; standard input is read at the first call.
    pub fn of_process() -> &'static Self {
        INPUT.get_or_init(|| Self::read(std::io::stdin().lock(), PAYLOAD_LIMIT))
    }
}

impl Registration {
    /// Returns how this process was registered: as [`Self::set_of_process`] said, else as the environment says.
    pub fn of_process() -> &'static Self {
        REGISTRATION.get_or_init(|| Self {
            host: Host::ClaudeCode,
            project: project_of_environment(Host::ClaudeCode),
            places: places(None, None, None, None),
            requires_policy: false,
            problem: None,
        })
    }

    /// Says how this process was registered, as its command line has it. What was said or asked for first stands.
    pub fn set_of_process(registration: Self) {
        let _stands = REGISTRATION.set(registration);
    }
}

/// Returns what tells this registration from others that the host starts for the same event: the arguments, and
/// whether the host itself or a shell has started the process. The host merges those that differ in neither.
pub(super) fn caller() -> u64 {
    let parent = PathBuf::from(format!("/proc/{}/comm", std::os::unix::process::parent_id()));
    let parent = files::read(&parent, 64).unwrap_or_default();
    let words: Vec<OsString> = std::env::args_os().collect();
    action::digest(words.iter().map(|word| word.as_encoded_bytes()).chain([&*parent]))
}

/// Returns the directory that a host names as its project's.
#[must_use]
pub fn project_of_environment(host: Host) -> Option<PathBuf> {
    std::env::var_os(host.project_variable()).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Returns the host whose mark is in the environment, if there is one.
#[must_use]
pub fn host_of_environment() -> Option<Host> {
    Host::ALL.into_iter().find(|host| std::env::var_os(host.project_variable()).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_over_the_limit_is_cut_and_told() {
        let read = |limit| Input::read(&b"{\"a\":1}"[..], limit);
        assert_eq!(read(7), Input { bytes: b"{\"a\":1}".to_vec(), problem: None });
        let cut = read(6);
        assert_eq!(cut.bytes, b"{\"a\":1");
        assert!(cut.problem.unwrap().contains("longer than"));
    }

    #[test]
    fn what_was_read_until_an_error_is_the_payload() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _buffer: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("gone"))
            }
        }
        let input = Input::read((&b"{}"[..]).chain(Broken), 9);
        assert_eq!(input, Input { bytes: b"{}".to_vec(), problem: None });
    }
}
