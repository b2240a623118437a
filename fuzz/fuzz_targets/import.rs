//! Any text is a configuration that is imported as a policy without findings, or reported with its errors.
#![no_main]

#[path = "../checks/import.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check(text));
