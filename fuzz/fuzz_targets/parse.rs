//! Any text parses or is rejected with findings; a parsed text prints to one that parses and prints the same.
#![no_main]

#[path = "../checks/parse.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check(text));
