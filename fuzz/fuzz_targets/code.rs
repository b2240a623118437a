//! Any text as a program in each language that is read: what it would do is worked out, and what a rule asks of it has an
//! answer.
#![no_main]

#[path = "../checks/code.rs"]
mod code;
#[path = "../checks/shell.rs"]
mod shell;

libfuzzer_sys::fuzz_target!(|program: &str| code::commands(program).iter().for_each(|text| shell::check(text)));
