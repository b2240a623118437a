//! Any text parses or is told why not; what parsed prints to a text that parses to the same print.
#![no_main]

#[path = "../checks/parse.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check(text));
