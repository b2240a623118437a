//! Words that name machines.

use super::Word;

/// Commands and variables whose output or value is the name of this machine.
const NAMES: &[&str] = &["$(hostname)", "$(hostname -f)", "$(uname -n)", "$HOSTNAME", "${HOSTNAME}"];

impl Word {
    /// Whether each host of a word with commas between them is this machine: `localhost`, `me@127.0.0.1:22`,
    /// `$(hostname)`.
    pub(crate) fn is_this_machine(&self) -> bool {
        let Some(text) = self.known_text() else { return NAMES.contains(&&*self.display_text()) };
        !text.is_empty() && text.split(',').filter(|host| !host.is_empty()).all(is_this_host)
    }
}

/// Whether a host is this machine: `localhost`, `me@127.0.0.1`, `ssh://[::1]:22`.
fn is_this_host(host: &str) -> bool {
    let host = host.strip_prefix("ssh://").unwrap_or(host);
    let host = host.rsplit('@').next().unwrap_or(host).trim_end_matches('/');
    let host = match host.strip_prefix('[').and_then(|host| host.split_once(']')) {
        Some((host, _)) => host,
        None if host.matches(':').count() == 1 => host.split(':').next().unwrap_or(host),
        None => host,
    };
    host.eq_ignore_ascii_case("localhost") || host == "::1" || host.starts_with("127.")
}
