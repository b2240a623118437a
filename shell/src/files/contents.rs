//! What programs write into their output files, and whether they change their input files. This is a part of the table
//! `[files]` in the records in `programs/`, which the build script compiles.
//!
//! It is used to analyse a text that writes a file and then runs it.

use crate::by_name::{NameTable, by_name};
use crate::programs::main_name;

/// The effect of a program on the contents of files.
#[derive(Clone, Copy)]
pub(crate) struct ContentRow {
    /// The names of the program.
    names: &'static [&'static str],
    /// What the program writes into files; `None` if that is not tracked.
    pub(crate) content: Option<WrittenContent>,
    /// Whether the program may change its input files in place: `sed -i`.
    pub(crate) edits: bool,
    /// Whether the program takes names such as `/dev/stdin` for its streams, and does not open them: awk.
    pub(crate) streams: bool,
    /// Whether one of its operands is the target of the others, as in `cp a b dir`.
    collects: bool,
    /// The endings that the program removes from the names of files when it unpacks them: `.gz`.
    pub(crate) unpacks: &'static [&'static str],
}

/// Where the content that is written into a file comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WrittenContent {
    /// The content of another file.
    Copies,
    /// The standard input.
    Input,
    /// Lines of the standard input, reordered or selected: `sort -o`.
    Lines,
    /// The values of the option `-Value`, or else the standard input: `Set-Content`.
    Values,
    /// A program that is compiled from the input files.
    Compiled,
    /// Content that comes from anything else, and is unknown.
    Other,
}

// Defines `GROUPS`, a list with the row of each program.
include!(concat!(env!("OUT_DIR"), "/contents.rs"));

/// The rows, by the names of programs.
static BY_NAME: NameTable<ContentRow> = by_name!(ContentRow, GROUPS);

impl ContentRow {
    /// Whether one operand of the program is the target of the others.
    pub(crate) fn has_target(&self) -> bool {
        self.collects || self.content == Some(WrittenContent::Copies)
    }
}

/// Returns the row of the program with this base name; `None` if it has no row. A name with a version (`python3.12`) is
/// also found under its main name.
pub(crate) fn contents(name: &str) -> Option<&'static ContentRow> {
    let named = |name: &str| BY_NAME.find(name, |row| row.names);
    named(name).or_else(|| {
        let main = main_name(name);
        if main == name { None } else { named(main) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_name::check_lookups;

    #[test]
    fn every_row_is_found_by_its_names() {
        check_lookups(&BY_NAME, |row| row.names);
    }

    #[test]
    fn a_name_with_a_version_has_what_its_program_has() {
        for (name, expected) in [
            ("gcp", Some(WrittenContent::Copies)),
            ("link", Some(WrittenContent::Copies)),
            ("gcc-13", Some(WrittenContent::Compiled)),
            ("gsort", Some(WrittenContent::Lines)),
            ("sponge", Some(WrittenContent::Input)),
            ("ls", None),
            ("unheard", None),
        ] {
            assert_eq!(contents(name).and_then(|row| row.content), expected, "{name}");
        }
    }
}
