//! A policy as files: no file of a policy may be larger than 1 MiB.
#![expect(clippy::disallowed_methods, reason = "it writes the policies that are measured")]

use std::io;
use std::path::Path;

/// Rules in a file.
const RULES: usize = 4_000;

/// Writes rules into files of a directory, which is made if need be.
pub fn write(directory: &Path, rules: &[String]) -> io::Result<()> {
    std::fs::create_dir_all(directory)?;
    for (number, rules) in rules.chunks(RULES).enumerate() {
        let text = format!("# Written by the benches.\n{}", rules.concat());
        std::fs::write(directory.join(format!("{number:03}.rules")), text)?;
    }
    Ok(())
}
