//! A policy as files: each file of a policy may have at most 1 MiB.
#![expect(clippy::disallowed_methods, reason = "it writes the policies that are measured")]

use std::io;
use std::path::Path;

/// The number of rules in a file.
const RULES: usize = 4_000;

/// Writes rules into files of a directory, which is created if needed.
pub fn write(directory: &Path, rules: &[String]) -> io::Result<()> {
    std::fs::create_dir_all(directory)?;
    for (number, rules) in rules.chunks(RULES).enumerate() {
        let text = format!("# Written by the benches.\n{}", rules.concat());
        std::fs::write(directory.join(format!("{number:03}.rules")), text)?;
    }
    Ok(())
}
