//! Any text as a program in Python and in JavaScript: what it would do is worked out, and what a rule asks of it has an
//! answer.
#![no_main]

#[path = "../checks/code.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check(text));
