//! Any text as shell text: the analysis terminates, its places and ids are valid, queries about its commands have
//! answers, and the result of an edit can be analysed too.
#![no_main]

#[path = "../checks/shell.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|text: &str| check::check(text));
