//! Any text is parsed or rejected with findings at places inside the text, without panics or hangs.
#![no_main]

#[path = "../checks/policy.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check(text));
