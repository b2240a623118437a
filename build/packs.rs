//! Makes the fingerprints of the packs, which `src/packs.rs` includes: to compute them takes as long as to read them.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use blake2::{Blake2b256, Digest as _};

/// Where the packs are.
pub(crate) const PACKS: &str = "rules/std";

/// Writes the fingerprint of each pack with the pack's name, in the order of these.
pub(crate) fn write(out: &Path) -> io::Result<()> {
    let packs: Vec<_> = fs::read_dir(PACKS)?.collect::<io::Result<_>>()?;
    let mut paths: Vec<_> = packs.into_iter().map(|pack| pack.path()).collect();
    paths.sort();
    let mut code = String::from("&[\n");
    for path in paths {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let fingerprint: [u8; 32] = Blake2b256::digest(fs::read(&path)?).into();
        // Writing to a string does not fail.
        let _written = writeln!(code, "({:?}, {fingerprint:?}),", format!("std/{name}"));
    }
    code.push_str("]\n");
    fs::write(out.join("packs.rs"), code)
}
