//! The inputs of this process: its payload on standard input, and its registration.
//!
//! A host starts one process for each event, so both are read once and stored in a static.
#![expect(clippy::disallowed_methods, reason = "a hook reads its environment")]

use std::ffi::OsString;
use std::io::{self, BufRead, Read};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use super::{Fuse, Registration, places};
use crate::action;
use crate::facts::account_home;
use crate::host::Host;
use crate::platform::paths::portable;
use crate::platform::places::HOME_VARIABLE;
use crate::platform::{WaitReadable, process, stream};
use crate::schema::HostVersion;

/// The maximum size of a payload, in bytes; hosts send far smaller ones.
pub const PAYLOAD_LIMIT: usize = 64 << 20;

/// The initial capacity of the buffer for a payload, in bytes. Most payloads fit into it; a buffer that grows would
/// need about ten reads.
const INITIAL_CAPACITY: usize = 64 << 10;

/// How long to wait for a payload before the remaining time is checked.
const FIRST_WAIT: Duration = Duration::from_millis(200);

static INPUT: OnceLock<PayloadInput> = OnceLock::new();
static REGISTRATION: OnceLock<Registration> = OnceLock::new();

/// The bytes of a payload, as far as they could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PayloadInput {
    /// The bytes that were read, cut to the limit.
    pub bytes: Vec<u8>,
    /// Why the payload is incomplete, as a sentence: it is too long, or did not arrive in time.
    pub problem: Option<String>,
}

impl PayloadInput {
    /// Reads a payload of at most `limit` bytes. Of a longer one, only the beginning is returned, with a problem.
    #[must_use]
    pub fn read(input: impl Read, limit: usize) -> Self {
        let mut bytes = Vec::with_capacity(INITIAL_CAPACITY);
        let one_more = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        // After a read error, the bytes before it are used; the decoder reports what is missing.
        let _partial = input.take(one_more).read_to_end(&mut bytes);
        Self::from_bytes(bytes, limit)
    }

    /// Reads a payload from a sender that may never close the stream. Reading ends when the JSON object is complete,
    /// or, with a problem, when the fuse's time for the event has run out.
    #[must_use]
    pub fn read_in_time(mut input: impl BufRead + WaitReadable, limit: usize, fuse: &Fuse) -> Self {
        let mut bytes = Vec::with_capacity(INITIAL_CAPACITY);
        let mut timeout_problem = None;
        // The pieces are taken from the reader's buffer, because `read_to_end` would first fill the target with zeroes.
        while bytes.len() <= limit {
            match wait_for_payload(&mut input, fuse, &bytes) {
                Arrival::More => {}
                Arrival::Complete => break,
                Arrival::TimedOut => {
                    timeout_problem = Some("The payload of this event did not arrive in time.".to_owned());
                    break;
                }
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
        let Self { bytes, problem } = Self::from_bytes(bytes, limit);
        Self { bytes, problem: timeout_problem.or(problem) }
    }

    /// Creates an input from the bytes that were read. More than `limit` bytes mean that the payload is too long; the
    /// excess is dropped.
    fn from_bytes(mut bytes: Vec<u8>, limit: usize) -> Self {
        let too_long = bytes.len() > limit;
        bytes.truncate(limit);
        let problem = || {
            let mib = limit >> 20;
            format!("The payload of this event is longer than {mib} MiB; the rest was not read.")
        };
        Self { bytes, problem: too_long.then(problem) }
    }

    /// Returns the payload of this process. The first call reads standard input.
    pub fn for_process() -> &'static Self {
        INPUT.get_or_init(|| {
            let input = stream::stdin();
            match Fuse::for_process() {
                Some(fuse) => Self::read_in_time(input, PAYLOAD_LIMIT, fuse),
                None => Self::read(input, PAYLOAD_LIMIT),
            }
        })
    }
}

/// How many bytes at the beginning of a payload are searched for the name of the event.
const EVENT_NAME_BYTES: usize = 64 << 10;

/// The result of a wait for more of a payload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arrival {
    /// More bytes can be read, or the end of the input has been reached.
    More,
    /// The JSON object is closed, and no byte has arrived for a while.
    Complete,
    /// The time for the event has run out. As long as the payload does not name its event, that is the longest time of
    /// any event.
    TimedOut,
}

/// Waits until more of a payload can be read, or until the bytes read so far are a complete object, or until the time
/// has run out.
///
/// The time counts from the start of the process; further bytes do not extend it.
fn wait_for_payload(input: &mut impl WaitReadable, fuse: &Fuse, received: &[u8]) -> Arrival {
    let longest_wait = || {
        let left = fuse.remaining_time(fuse.event_named_in(received.get(..EVENT_NAME_BYTES).unwrap_or(received)));
        (!left.is_zero()).then_some(left.min(Duration::from_secs(1)))
    };
    // The first wait does not check the remaining time, because that check decodes the beginning of the payload.
    let mut is_first_wait = fuse.elapsed() <= FIRST_WAIT;
    loop {
        let next = match is_first_wait {
            true => FIRST_WAIT,
            false if is_whole(received) => return Arrival::Complete,
            false => match longest_wait() {
                Some(wait) => wait,
                None => return Arrival::TimedOut,
            },
        };
        match input.wait_readable(next) {
            Ok(false) => is_first_wait = false,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // An input that cannot be waited for is simply read.
            Ok(_) | Err(_) => return Arrival::More,
        }
    }
}

/// Whether a text is one complete JSON object, judging only by its brackets. `false` for every proper beginning of an
/// object.
fn is_whole(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    if !text.starts_with(b"{") || !text.ends_with(b"}") {
        return false;
    }
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    let mut closing_bracket = None;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if in_text => is_escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && closing_bracket.is_none() {
                    closing_bracket = Some(at);
                }
            }
            _ => {}
        }
    }
    closing_bracket.is_some_and(|at| at + 1 == text.len())
}

impl Registration {
    /// Returns the registration of this process: the one that [`Self::set_for_process`] has set, or else one derived
    /// from the environment.
    pub fn for_process() -> &'static Self {
        REGISTRATION.get_or_init(|| Self {
            host: Host::CLAUDE_CODE,
            project: project_of_environment(Host::CLAUDE_CODE),
            start_directory: own_directory(),
            places: places(None, None, None, None),
            requires_policy: false,
            problem: None,
        })
    }

    /// Sets the registration of this process, which its command line states. Has no effect if one was set or requested
    /// before.
    pub fn set_for_process(registration: Self) {
        let _ignored_if_set = REGISTRATION.set(registration);
    }
}

/// Returns a digest that distinguishes this registration from others that the host starts for the same event. It covers
/// the arguments and the name of the parent process, which is the host or a shell. Registrations that are equal in both
/// are started only once by the host.
pub(super) fn caller_digest() -> u64 {
    let parent = process::parent_name();
    let words: Vec<OsString> = std::env::args_os().collect();
    action::digest(words.iter().map(|word| word.as_encoded_bytes()).chain([&*parent]))
}

/// Returns the absolute paths by which this program was started: the executable with all links resolved, and
/// `argv[0]`.
pub(super) fn program_paths() -> Vec<PathBuf> {
    let called = std::env::args_os().next().map(PathBuf::from).filter(|path| path.is_absolute());
    std::env::current_exe().ok().into_iter().chain(called).map(portable).collect()
}

/// Returns the settings directory that `CLAUDE_CONFIG_DIR` names, if it is absolute.
pub(super) fn host_settings_directory() -> Option<PathBuf> {
    absolute_path_in("CLAUDE_CONFIG_DIR")
}

/// Returns the project directory that the host's variable names, such as `CLAUDE_PROJECT_DIR`, if it is absolute. For a
/// host that starts its hooks in the project, it is the working directory.
#[must_use]
pub fn project_of_environment(host: Host) -> Option<PathBuf> {
    if host.starts_in_project() {
        return own_directory();
    }
    absolute_path_in(host.project_variable()?)
}

/// Returns the path in a variable of the environment, if it is absolute.
#[must_use]
pub fn absolute_path_in(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute()).map(portable)
}

/// Returns the directory of Claude Code's user settings: the value of `CLAUDE_CONFIG_DIR`, or else `.claude` in the
/// user's home.
#[must_use]
pub fn settings_of_environment() -> Option<PathBuf> {
    let home_of_environment = || absolute_path_in(HOME_VARIABLE);
    host_settings_directory().or_else(|| home_of_environment().or_else(account_home).map(|home| home.join(".claude")))
}

/// Returns the version of the Claude Code that started this process. It is in the variable `AI_AGENT`, which Claude
/// Code sets for hooks.
pub(super) fn host_version_of_environment() -> Option<HostVersion> {
    version_in(std::env::var_os("AI_AGENT")?.to_str()?)
}

/// Parses the version in a value such as `claude-code_2.1.330_harness`.
fn version_in(agent: &str) -> Option<HostVersion> {
    HostVersion::parse(agent.strip_prefix("claude-code_")?.split('_').next()?)
}

/// Returns the working directory of this process; `None` if it no longer exists.
#[must_use]
pub fn own_directory() -> Option<PathBuf> {
    std::env::current_dir().ok().map(portable)
}

/// Returns the first host whose project variable is in the environment.
#[must_use]
pub fn host_of_environment() -> Option<Host> {
    Host::all().find(|host| host.project_variable().is_some_and(|name| std::env::var_os(name).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_leaves_its_version() {
        for agent in ["claude-code_2.1.332_harness", "claude-code_2-1-332_agent", "claude-code_2.1.332"] {
            assert_eq!(version_in(agent), Some(HostVersion::new(2, 1, 332)), "{agent}");
        }
        for agent in ["", "claude-code", "claude-code_x_harness", "codex_2.1.332"] {
            assert_eq!(version_in(agent), None, "{agent}");
        }
    }

    #[test]
    fn a_payload_over_the_limit_is_cut_and_told() {
        let read = |limit| PayloadInput::read(&b"{\"a\":1}"[..], limit);
        assert_eq!(read(7), PayloadInput { bytes: b"{\"a\":1}".to_vec(), problem: None });
        let cut = read(6);
        assert_eq!(cut.bytes, b"{\"a\":1");
        assert!(cut.problem.unwrap().contains("longer than"));
    }

    #[test]
    fn a_whole_object_is_told_from_a_beginning() {
        let object = br#"{"a": {"b": ["}]", "\"}"]}, "c": "\\"}"#;
        assert!(is_whole(object) && is_whole(&[b"\xef\xbb\xbf", &object[..], b"\r\n"].concat()));
        for length in 0..object.len() {
            assert!(!is_whole(&object[..length]), "{length}");
        }
        for other in [&b"[]"[..], b"{} {}", b"}", b"\"{}\"", b""] {
            assert!(!is_whole(other), "{other:?}");
        }
    }

    #[test]
    fn what_was_read_until_an_error_is_the_payload() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _buffer: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("gone"))
            }
        }
        let input = PayloadInput::read((&b"{}"[..]).chain(Broken), 9);
        assert_eq!(input, PayloadInput { bytes: b"{}".to_vec(), problem: None });
    }
}
