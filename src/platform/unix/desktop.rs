//! Notifications and the terminal.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

use nix::fcntl::OFlag;

use crate::platform::DesktopNotifier;

/// The program that shows notifications.
pub const NOTIFIER: Option<DesktopNotifier> =
    Some(if cfg!(target_os = "macos") { DesktopNotifier::AppleScript } else { DesktopNotifier::NotifySend });

/// Rings the bell of the controlling terminal. Under most hosts there is no terminal, so nothing happens.
pub fn ring_bell() {
    let flags = (OFlag::O_NOCTTY | OFlag::O_NONBLOCK).bits();
    if let Ok(mut terminal) = File::options().write(true).custom_flags(flags).open("/dev/tty") {
        let _ = terminal.write_all(b"\x07");
    }
}
