//! The content that a program writes into its output files, and what it does to its input files: a part of the table
//! `[files]` of its record in `programs/`, compiled by the build script.
//!
//! It serves to follow a text that writes a file and then runs it.

use crate::by_name::{NameTable, by_name};
use crate::programs::main_name;

/// What a program does to the contents of files.
#[derive(Clone, Copy)]
pub(crate) struct ContentRow {
    /// Names of the program.
    names: &'static [&'static str],
    /// The content that it writes into files; `None` if that is not followed.
    pub(crate) content: Option<WrittenContent>,
    /// Whether it may change its input files.
    pub(crate) edits: bool,
    /// Whether some names of descriptors are its own streams: it opens nothing by them.
    pub(crate) streams: bool,
    /// Whether one of its operands is the target of the others.
    collects: bool,
    /// The endings that it removes from the names of the files that it unpacks.
    pub(crate) unpacks: &'static [&'static str],
}

/// The origin of the content written into a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WrittenContent {
    /// The content of another file.
    Copies,
    /// The standard input.
    Input,
    /// Lines of the standard input: reordered, or only some of them.
    Lines,
    /// The values of `-Value`, else the standard input.
    Values,
    /// A program compiled from its input.
    Compiled,
    /// Something else.
    Other,
}

// `GROUPS`, the row of each program in a list of its own.
include!(concat!(env!("OUT_DIR"), "/contents.rs"));

static BY_NAME: NameTable<ContentRow> = by_name!(ContentRow, GROUPS);

impl ContentRow {
    /// Whether one operand is the target of the others.
    pub(crate) fn has_target(&self) -> bool {
        self.collects || self.content == Some(WrittenContent::Copies)
    }
}

/// Returns what the program of a base name does to the contents of files.
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
