//! Any text as PowerShell, `cmd` and fish: the translation terminates, and its result can be queried.
#![no_main]

#[path = "../checks/powershell.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check(text));
