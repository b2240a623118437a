//! `rules` without arguments, started as a hook: some agents ignore the `args` of a registration, and then start the
//! bare program with a payload on standard input.
//!
//! It reports that nothing was judged, and blocks nothing.
#![expect(clippy::disallowed_methods, reason = "it looks at the caller's environment and waits for standard input")]

use std::io::{self, IsTerminal, Read, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::hooks::PAYLOAD_LIMIT;

/// How long to wait for a payload to begin and to arrive.
const PATIENCE: Duration = Duration::from_secs(1);

/// The message for the user of such an agent.
const MESSAGE: &str = "rules: nothing was judged: a hook has to call `rules hook claude-code`. Where an agent ignores \
                       `args`, register the shell line that `rules install claude-code --any-version` writes.\n";

/// Answers a payload on standard input with a message. `None` if there is no payload, and the caller should print the
/// help.
pub(super) fn run() -> Option<ExitCode> {
    let mut stdin = io::stdin().lock();
    if stdin.is_terminal() || !is_payload(&mut stdin) {
        return None;
    }
    let _nobody_reads = io::stderr().write_all(MESSAGE.as_bytes());
    // Claude Code shows the message of a hook that exits with 1 to the user, and proceeds. Copilot CLI treats any
    // failure as a denial, so it gets 0, and so does every other caller.
    let is_set = |name| std::env::var_os(name).is_some();
    Some(ExitCode::from(u8::from(is_set("CLAUDECODE") && !is_set("COPILOT_CLI"))))
}

/// Whether a JSON object begins on standard input. The rest is read as well, because an agent may wait until all is
/// read.
fn is_payload(input: &mut (impl Read + AsFd)) -> bool {
    let deadline = Instant::now().checked_add(PATIENCE);
    let (mut piece, mut first, mut count) = ([0; 16 << 10], None, 0_usize);
    while count < PAYLOAD_LIMIT && is_ready(input, deadline) {
        let Ok(read) = input.read(&mut piece) else { break };
        let bytes = piece.get(..read).unwrap_or_default();
        first = first.or_else(|| bytes.iter().find(|byte| !is_before(**byte)).copied());
        count = count.saturating_add(read);
        if read == 0 || first.is_some_and(|first| first != b'{') {
            break;
        }
    }
    first == Some(b'{')
}

/// Whether a byte may precede the JSON: white space, or a byte of a byte order mark.
fn is_before(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0xef | 0xbb | 0xbf)
}

/// Waits for input until the deadline; `false` if none arrives.
fn is_ready(input: &impl AsFd, deadline: Option<Instant>) -> bool {
    loop {
        let left = deadline.map_or(Duration::ZERO, |deadline| deadline.saturating_duration_since(Instant::now()));
        let wait = PollTimeout::try_from(left).unwrap_or(PollTimeout::ZERO);
        match poll(&mut [PollFd::new(input.as_fd(), PollFlags::POLLIN)], wait) {
            Err(Errno::EINTR) => {}
            // An error of `poll` counts as ready: the read then reports it.
            waited => return !left.is_zero() && waited != Ok(0),
        }
    }
}
