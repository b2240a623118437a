//! Any bytes as a payload: decoding terminates, and for every answer to the event, the host gets one object or nothing.
#![no_main]

#[path = "../checks/payload.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::check(bytes));
