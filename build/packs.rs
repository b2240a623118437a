//! Reads the packs, and computes their fingerprints and outlines, which `src/packs.rs` includes: computing a
//! fingerprint takes as long as reading the pack, and half of the time for reading it goes into its outline.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use blake2::{Blake2b256, Digest as _};

use crate::token;

#[path = "../src/syntax/example_clauses.rs"]
mod example_clauses;
#[path = "../src/syntax/token_parts.rs"]
mod token_parts;

/// The directory of the packs.
pub(crate) const PACKS: &str = "rules/std";

/// A pack.
pub(crate) struct Pack {
    name: String,
    pub(crate) text: String,
}

/// Reads the packs, sorted by name.
pub(crate) fn read() -> io::Result<Vec<Pack>> {
    let mut packs = Vec::new();
    for pack in fs::read_dir(PACKS)? {
        let path = pack?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        packs.push(Pack { name: format!("std/{name}"), text: fs::read_to_string(&path)? });
    }
    packs.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(packs)
}

/// Writes the fingerprint and the outline of each pack, with its name.
pub(crate) fn write(out: &Path, packs: &[Pack]) -> io::Result<()> {
    let mut code = String::from("&[\n");
    for Pack { name, text } in packs {
        let fingerprint: [u8; 32] = Blake2b256::digest(text).into();
        // Writing to a string does not fail.
        let _written = writeln!(code, "({name:?}, {fingerprint:?}),");
    }
    code.push_str("]\n");
    fs::write(out.join("packs.rs"), code)?;
    let mut code = String::from("&[\n");
    for Pack { name, text } in packs {
        let parts: u64 = token::tokenise(text).map(|token| token_parts::token_parts(token, text)).sum();
        let examples = example_clauses::example_clauses(text);
        let _written = writeln!(code, "({name:?}, Outline {{ parts: {parts}, examples: &{examples:?} }}),");
    }
    code.push_str("]\n");
    fs::write(out.join("outlines.rs"), code)
}
