//! Any text is a configuration that becomes a policy which checks clean, or is told what is wrong with it.
#![no_main]

#[path = "../checks/import.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check(text));
