//! Programs that start another one as the system would: the dynamic loader, `capsh`.

use super::call::OuterCommand;
use super::{NestedCommand, NestedSetting, argv};
use crate::word::Word;

/// The options of the loader that take the next word.
const VALUED: &[&str] = &[
    "--library-path",
    "--glibc-hwcaps-prepend",
    "--glibc-hwcaps-mask",
    "--inhibit-rpath",
    "--audit",
    "--preload",
    "--argv0",
];

/// Returns what a program without a record runs, if it is a dynamic loader or `capsh`.
pub(super) fn runs(call: &OuterCommand<'_>) -> Vec<NestedCommand> {
    match call.program() {
        Some("capsh") => capsh(call),
        Some(name) if is_loader(name) => loaded_program(call),
        _ => Vec::new(),
    }
}

/// Whether a name is that of a dynamic loader: `ld-linux-x86-64.so.2`, `ld-musl-aarch64.so.1`, `ld.so`.
fn is_loader(name: &str) -> bool {
    name == "ld.so" || name.strip_prefix("ld-").is_some_and(|rest| rest.contains(".so"))
}

/// Returns the command of `ld.so [options] program [arguments]`.
fn loaded_program(call: &OuterCommand<'_>) -> Vec<NestedCommand> {
    let mut at = 1;
    while let Some(word) = call.words.get(at).filter(|word| word.prefix().starts_with('-')) {
        at += if word.known_text().is_some_and(|text| VALUED.contains(&text)) { 2 } else { 1 };
    }
    argv(call.words.get(at..).unwrap_or_default(), &NestedSetting::default())
}

/// Returns what `capsh [options] -- [arguments of bash]` runs: bash; after `==`, capsh again.
fn capsh(call: &OuterCommand<'_>) -> Vec<NestedCommand> {
    let is_start = |word: &Word| matches!(word.known_text(), Some("--" | "-+" | "==" | "=+"));
    let Some(at) = call.words.iter().position(is_start) else { return Vec::new() };
    let is_again = call.words.get(at).is_some_and(|word| word.prefix().starts_with('='));
    let mut words = vec![Word::text(if is_again { "capsh" } else { "bash" })];
    words.extend(call.words.get(at + 1..).unwrap_or_default().iter().cloned());
    argv(&words, &NestedSetting::default())
}
