//! What comes to stand in the files that a program writes, and what becomes of those that it is given: a part of the table
//! `[files]` of its record in `programs/`, compiled by the build script.
//!
//! For whoever follows a text that writes a file and then runs it.

use crate::by_name::{ByName, by_name};
use crate::programs::main_name;

/// What a program does to what is in files.
#[derive(Clone, Copy)]
pub(crate) struct Contents {
    /// Names of the program.
    names: &'static [&'static str],
    /// What comes to stand in the files that it writes; none where nobody follows that.
    pub(crate) content: Option<Content>,
    /// It may change the files that it is given.
    pub(crate) edits: bool,
    /// One of its operands says where the others go.
    collects: bool,
    /// The ends of the names that it takes off the files it unpacks.
    pub(crate) unpacks: &'static [&'static str],
}

/// What comes to stand in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// What is in another file.
    Copies,
    /// What comes on the standard input.
    Input,
    /// Lines of that, in another order or not all of them.
    Lines,
    /// The values of `-Value`, else what comes on the standard input.
    Values,
    /// A program that is made of what it is given.
    Compiled,
    /// Something else.
    Other,
}

// `GROUPS`, the row of each program in a list of its own.
include!(concat!(env!("OUT_DIR"), "/contents.rs"));

static BY_NAME: ByName<Contents> = by_name!(Contents, GROUPS);

impl Contents {
    /// Tells whether one operand says where the others go.
    pub(crate) fn has_target(&self) -> bool {
        self.collects || self.content == Some(Content::Copies)
    }
}

/// Returns what a program of a base name does to what is in files.
pub(crate) fn contents(name: &str) -> Option<&'static Contents> {
    let named = |name: &str| BY_NAME.find(name, |row| row.names);
    named(name).or_else(|| {
        let main = main_name(name);
        if main == name { None } else { named(main) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_name::finds_what_is_there;

    #[test]
    fn every_row_is_found_by_its_names() {
        finds_what_is_there(&BY_NAME, |row| row.names);
    }

    #[test]
    fn a_name_with_a_version_has_what_its_program_has() {
        for (name, expected) in [
            ("gcp", Some(Content::Copies)),
            ("link", Some(Content::Copies)),
            ("gcc-13", Some(Content::Compiled)),
            ("gsort", Some(Content::Lines)),
            ("sponge", Some(Content::Input)),
            ("ls", None),
            ("unheard", None),
        ] {
            assert_eq!(contents(name).and_then(|row| row.content), expected, "{name}");
        }
    }
}
