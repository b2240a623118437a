//! Notifications and the terminal.

use std::fs::File;
use std::io::Write;

use crate::platform::DesktopNotifier;

/// The program that shows notifications: none comes with the system, so that notifications ring the bell, or run the
/// user's command.
pub const NOTIFIER: Option<DesktopNotifier> = None;

/// Rings the bell of the console. Under most hosts there is no console, so nothing happens.
pub fn ring_bell() {
    if let Ok(mut console) = File::options().write(true).open("CONOUT$") {
        let _ = console.write_all(b"\x07");
    }
}
