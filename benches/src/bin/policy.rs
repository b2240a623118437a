//! Writes the policy that the hook is measured on: `policy [N]`, N rules for PreToolUse (100) and 20 for other events.

use std::io::{self, Write as _};

fn main() -> io::Result<()> {
    let rules = match std::env::args().nth(1).map(|text| text.parse::<usize>()) {
        None => 100,
        Some(Ok(rules)) => rules,
        Some(Err(error)) => return Err(io::Error::new(io::ErrorKind::InvalidInput, error)),
    };
    io::stdout().lock().write_all(hookrules_benches::mixed::policy(rules).as_bytes())
}
