//! Any text is parsed or answered with findings whose places lie in it; nothing panics, nothing hangs.
#![no_main]

#[path = "../checks/policy.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check(text));
