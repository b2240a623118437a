//! Any bytes as a payload: decoding ends, and whatever its event is answered, the host gets one object or nothing.
#![no_main]

#[path = "../checks/payload.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::check(bytes));
