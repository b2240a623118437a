//! Any text as shell text: the analysis ends, its places and ids are valid, who asks about its commands gets answers, and
//! what an edit makes of it is a text again.
#![no_main]

#[path = "../checks/shell.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check(text));
