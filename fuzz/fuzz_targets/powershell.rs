//! Any text as PowerShell's, as that of `cmd`, and as fish's: its translation ends, and what it comes to can be asked about.
#![no_main]

#[path = "../checks/powershell.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check(text));
