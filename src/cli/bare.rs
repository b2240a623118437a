//! `rules` without arguments, started as a hook: some agents ignore the `args` of a registration, and then start the
//! bare program with a payload on standard input.
//!
//! It reports that nothing was judged, and blocks nothing.
#![expect(clippy::disallowed_methods, reason = "it looks at the caller's environment and waits for standard input")]

use std::io::{self, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::hooks::PAYLOAD_LIMIT;
use crate::platform::{WaitReadable, stream};

/// How long to wait for a payload, until all of it has arrived.
const PATIENCE: Duration = Duration::from_secs(1);

/// The message for the user of such an agent.
const MESSAGE: &str = "rules: nothing was judged: a hook has to call `rules hook claude-code`. Where an agent ignores \
                       `args`, register the shell line that `rules install claude-code --any-version` writes.\n";

/// Answers a payload on standard input with a message, and returns the exit code; `None` if there is no payload, so the
/// caller should print the help.
///
/// Not inlined: `rules hook` would touch this function's memory on the stack.
#[inline(never)]
pub(super) fn run() -> Option<ExitCode> {
    if io::stdin().is_terminal() || !is_payload(&mut stream::stdin()) {
        return None;
    }
    let _nobody_reads = io::stderr().write_all(MESSAGE.as_bytes());
    // Claude Code shows the message of a hook that exits with 1 to the user, and proceeds. Copilot CLI treats any
    // failure as a denial, so it gets 0, and so does every other caller.
    let is_set = |name| std::env::var_os(name).is_some();
    Some(ExitCode::from(u8::from(is_set("CLAUDECODE") && !is_set("COPILOT_CLI"))))
}

/// Whether standard input begins with a JSON object. Also reads the rest of it, because an agent may wait until all of
/// its payload is read.
fn is_payload(input: &mut (impl Read + WaitReadable)) -> bool {
    let deadline = Instant::now().checked_add(PATIENCE);
    let (mut buffer, mut first_byte, mut total) = ([0; 16 << 10], None, 0_usize);
    while total < PAYLOAD_LIMIT && is_ready(input, deadline) {
        let Ok(length) = input.read(&mut buffer) else { break };
        let bytes = buffer.get(..length).unwrap_or_default();
        first_byte = first_byte.or_else(|| bytes.iter().find(|byte| !may_precede_json(**byte)).copied());
        total = total.saturating_add(length);
        if length == 0 || first_byte.is_some_and(|byte| byte != b'{') {
            break;
        }
    }
    first_byte == Some(b'{')
}

/// Whether a byte may precede the JSON: white space, or a byte of a byte order mark.
fn may_precede_json(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0xef | 0xbb | 0xbf)
}

/// Waits for input, and returns whether it arrives before the deadline.
fn is_ready(input: &mut impl WaitReadable, deadline: Option<Instant>) -> bool {
    loop {
        let remaining = deadline.map_or(Duration::ZERO, |deadline| deadline.saturating_duration_since(Instant::now()));
        match input.wait_readable(remaining) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // An error of the wait counts as ready: the read then reports it.
            ready => return !remaining.is_zero() && ready.unwrap_or(true),
        }
    }
}
