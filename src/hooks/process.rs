//! What this process was started with: the payload on standard input, and its registration.
//!
//! A host starts a process for each event, so there is one of each, however often it is requested.
#![expect(clippy::disallowed_methods, reason = "a hook reads its environment")]

use std::ffi::OsString;
use std::io::{self, BufRead, Read};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::{Fuse, Registration, places};
use crate::facts::account_home;
use crate::host::Host;
use crate::schema::HostVersion;
use crate::{action, files};

/// The most bytes of a payload, far above any that a host sends.
pub const PAYLOAD_LIMIT: usize = 64 << 20;

/// The room that is made for a payload at first: most fit at once; grown from nothing they would take ten reads.
const FIRST: usize = 64 << 10;

/// How long a payload is waited for before anything is asked about the time, in milliseconds.
const SHORT: u8 = 200;

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
        let mut bytes = Vec::with_capacity(FIRST);
        let one_more = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        // What was read until an error is all there is; the decoder says what is missing.
        let _partial = input.take(one_more).read_to_end(&mut bytes);
        Self::of(bytes, limit)
    }

    /// Reads a payload that may never end: what has come until `patience`, asked about what has come, has passed.
    #[must_use]
    pub fn read_in_time(mut input: impl BufRead + AsFd, limit: usize, fuse: &Fuse) -> Self {
        let mut bytes = Vec::with_capacity(FIRST);
        let mut late = None;
        // Piece by piece out of the buffer: `read_to_end` fills with zeroes what it is going to read into.
        while bytes.len() <= limit {
            if !is_ready(&input, fuse, &bytes) {
                late = Some("The payload of this event did not arrive in time.".to_owned());
                break;
            }
            let count = match input.fill_buf() {
                Ok(piece) => {
                    bytes.extend_from_slice(piece);
                    piece.len()
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => 0,
            };
            if count == 0 {
                break;
            }
            input.consume(count);
        }
        let Self { bytes, problem } = Self::of(bytes, limit);
        Self { bytes, problem: late.or(problem) }
    }

    /// Makes an input of what was read, one byte more than the limit or further.
    fn of(mut bytes: Vec<u8>, limit: usize) -> Self {
        let too_long = bytes.len() > limit;
        bytes.truncate(limit);
        let problem = || {
            let mib = limit >> 20;
            format!("The payload of this event is longer than {mib} MiB; the rest was not read.")
        };
        Self { bytes, problem: too_long.then(problem) }
    }

    /// Returns the payload of this process; standard input is read at the first call.
    pub fn of_process() -> &'static Self {
        INPUT.get_or_init(|| {
            let input = std::io::stdin().lock();
            match Fuse::of_process() {
                Some(fuse) => Self::read_in_time(input, PAYLOAD_LIMIT, fuse),
                None => Self::read(input, PAYLOAD_LIMIT),
            }
        })
    }
}

/// How much of the beginning of a payload is looked at for its event.
const BEGINNING: usize = 64 << 10;

/// Waits for more of a payload; `false` when the time of its event, as what was read so far names it, has run out.
///
/// The time counts from the start of the process, however often a byte arrives meanwhile.
fn is_ready(input: &impl AsFd, fuse: &Fuse, begun: &[u8]) -> bool {
    let left = || fuse.left(fuse.event_in(begun.get(..BEGINNING).unwrap_or(begun)));
    let mut wait = PollTimeout::from(SHORT);
    // What arrives at once is not asked about the time: that takes a look at all of it.
    if fuse.elapsed() > Duration::from_millis(SHORT.into()) {
        let left = left();
        if left.is_zero() {
            return false;
        }
        wait = PollTimeout::try_from(left.min(Duration::from_secs(1))).unwrap_or(SHORT.into());
    }
    loop {
        match poll(&mut [PollFd::new(input.as_fd(), PollFlags::POLLIN)], wait) {
            Ok(0) => {}
            Err(Errno::EINTR) => continue,
            // What cannot be waited for is read.
            Ok(_) | Err(_) => return true,
        }
        let left = left();
        if left.is_zero() {
            return false;
        }
        wait = PollTimeout::try_from(left.min(Duration::from_secs(1))).unwrap_or(SHORT.into());
    }
}

impl Registration {
    /// Returns how this process was registered: as [`Self::set_of_process`] said, else as the environment says.
    pub fn of_process() -> &'static Self {
        REGISTRATION.get_or_init(|| Self {
            host: Host::ClaudeCode,
            project: project_of_environment(Host::ClaudeCode),
            here: own_directory(),
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

/// Returns the paths that this program was started by: its own, all links followed, and the one that was called.
pub(super) fn own_paths() -> Vec<PathBuf> {
    let called = std::env::args_os().next().map(PathBuf::from).filter(|path| path.is_absolute());
    std::env::current_exe().ok().into_iter().chain(called).collect()
}

/// Returns the directory of the host's settings, where the user has named one.
pub(super) fn directory_of_host() -> Option<PathBuf> {
    std::env::var_os("CLAUDE_CONFIG_DIR").map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Returns the directory that a host names as its project's.
#[must_use]
pub fn project_of_environment(host: Host) -> Option<PathBuf> {
    std::env::var_os(host.project_variable()).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Returns where Claude Code has the user's settings: as the host does, the environment is asked first.
#[must_use]
pub fn settings_of_environment() -> Option<PathBuf> {
    let named = || std::env::var_os("HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    directory_of_host().or_else(|| named().or_else(account_home).map(|home| home.join(".claude")))
}

/// Returns the version of Claude Code that started this process, which it leaves in the environment of hooks.
pub(super) fn host_version_of_environment() -> Option<HostVersion> {
    version_in(std::env::var_os("AI_AGENT")?.to_str()?)
}

/// Reads `claude-code_2.1.330_harness`.
fn version_in(agent: &str) -> Option<HostVersion> {
    let version = agent.strip_prefix("claude-code_")?.split('_').next()?;
    let mut numbers = version.split(['.', '-']).map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??, numbers.next()??))
}

/// Returns the directory that this process works in; nothing where it is gone.
#[must_use]
pub fn own_directory() -> Option<PathBuf> {
    std::env::current_dir().ok()
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
    fn the_host_leaves_its_version() {
        for agent in ["claude-code_2.1.332_harness", "claude-code_2-1-332_agent", "claude-code_2.1.332"] {
            assert_eq!(version_in(agent), Some((2, 1, 332)), "{agent}");
        }
        for agent in ["", "claude-code", "claude-code_x_harness", "codex_2.1.332"] {
            assert_eq!(version_in(agent), None, "{agent}");
        }
    }

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
