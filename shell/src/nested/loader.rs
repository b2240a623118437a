//! Programs that start another one in the system's stead: the dynamic loader, `capsh`.

use super::call::Call;
use super::{Nested, Setting, argv};
use crate::word::Word;

/// Options of the loader that take the next word.
const VALUED: &[&str] = &[
    "--library-path",
    "--glibc-hwcaps-prepend",
    "--glibc-hwcaps-mask",
    "--inhibit-rpath",
    "--audit",
    "--preload",
    "--argv0",
];

/// Returns what a command runs whose program has no record of its own.
pub(super) fn runs(call: &Call<'_>) -> Vec<Nested> {
    match call.program() {
        Some("capsh") => capsh(call),
        Some(name) if is_loader(name) => loaded(call),
        _ => Vec::new(),
    }
}

/// `ld-linux-x86-64.so.2`, `ld-musl-aarch64.so.1`, `ld.so`
fn is_loader(name: &str) -> bool {
    name == "ld.so" || name.strip_prefix("ld-").is_some_and(|rest| rest.contains(".so"))
}

/// `ld.so [options] program [arguments]`
fn loaded(call: &Call<'_>) -> Vec<Nested> {
    let mut at = 1;
    while let Some(word) = call.words.get(at).filter(|word| word.prefix().starts_with('-')) {
        at += if word.known().is_some_and(|text| VALUED.contains(&text)) { 2 } else { 1 };
    }
    argv(call.words.get(at..).unwrap_or_default(), &Setting::default())
}

/// `capsh [options] -- [arguments of bash]`; `==` runs capsh again, and `-+` waits for the shell.
fn capsh(call: &Call<'_>) -> Vec<Nested> {
    let is_start = |word: &Word| matches!(word.known(), Some("--" | "-+" | "==" | "=+"));
    let Some(at) = call.words.iter().position(is_start) else { return Vec::new() };
    let is_again = call.words.get(at).is_some_and(|word| word.prefix().starts_with('='));
    let mut words = vec![Word::text(if is_again { "capsh" } else { "bash" })];
    words.extend(call.words.get(at + 1..).unwrap_or_default().iter().cloned());
    argv(&words, &Setting::default())
}
