//! Any text as a program in each supported language: its effects are computed, and queries about them have answers.
#![no_main]

#[path = "../checks/code.rs"]
mod code;
#[path = "../checks/shell.rs"]
mod shell;

libfuzzer_sys::fuzz_target!(|program: &str| code::commands(program).iter().for_each(|text| shell::check(text)));
