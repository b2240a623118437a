//! PowerShell's language, translated into that of bash, which [`crate::interpret`] follows.
//!
//! [`translate`] reads a text once and writes what it would run: aliases as the cmdlets that they stand for, parameters by
//! their full names, paths with slashes. Variables, pipelines, loops and functions become those of bash, so that they are
//! followed by the same code; what has no counterpart becomes a variable that nothing sets ([`UNKNOWN`]). What cannot be
//! read is told beside the translation. It knows nothing of what the commands do: that is in their records.

mod arguments;
mod batch;
mod bind;
mod blocks;
mod cmdlets;
mod command;
mod cursor;
mod expression;
mod fold;
mod functions;
mod pipeline;
mod script;
mod statement;
mod strings;
mod types;
mod value;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use batch::translate_batch;
pub(super) use cmdlets::own_name as canonical_cmdlet;
use cursor::Cursor;

use crate::base64::{Alphabet, decode};
use crate::translation::{Bounded, Bounds, Fault, Outcome, Translation};

/// The variable that stands for a value that is not known. No variable of PowerShell is called so: theirs are written in
/// small letters, and one of the environment that has this name is never set.
const UNKNOWN: &str = "POWERSHELL_VALUE";

/// A translation under way.
struct Translator {
    cursor: Cursor,
    bounds: Bounds,
    unread: Vec<String>,
    /// The functions of the text, in small letters, with the names of their parameters.
    functions: BTreeMap<String, Vec<String>>,
    /// What aliases that the text makes stand for.
    aliases: BTreeMap<String, String>,
    /// The variables that were assigned since somebody last asked.
    assigned: BTreeSet<String>,
    /// Those that hold several values, or held them.
    lists: BTreeSet<String>,
    /// Those that were assigned and that the expression that is read changes (`$i++`).
    changed: Vec<String>,
    /// How many functions and loops of `ForEach-Object` it is in.
    within: Vec<Within>,
}

/// What a `return` leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Within {
    Function,
    /// A block that is gone through for each object.
    Each,
}

/// Translates a text.
///
/// It never fails: what cannot be read is [`Translation::unread`].
pub(super) fn translate(text: &str) -> Translation {
    let mut translator = Translator {
        cursor: Cursor::new(text),
        bounds: Bounds::of(text),
        unread: Vec::new(),
        functions: BTreeMap::new(),
        aliases: BTreeMap::new(),
        assigned: BTreeSet::new(),
        lists: BTreeSet::new(),
        changed: Vec::new(),
        within: Vec::new(),
    };
    translator.whole()
}

impl Bounded for Translator {
    fn bounds(&mut self) -> &mut Bounds {
        &mut self.bounds
    }
}

impl Translator {
    /// Translates statement by statement: what stands behind one that cannot be read is not read either.
    fn whole(&mut self) -> Translation {
        let mut script = String::new();
        self.declare();
        loop {
            self.cursor.skip_separators();
            if self.cursor.ends() == Ok(true) {
                break;
            }
            let from = self.cursor.at();
            let before = self.unread.len();
            match self.statement() {
                Ok(text) if self.cursor.ends().is_ok() && self.cursor.at() > from => {
                    script.push_str(&text);
                    script.push('\n');
                }
                _ => {
                    self.unread.truncate(before);
                    self.unread.push(self.cursor.slice_from(from));
                    break;
                }
            }
        }
        Translation { script, unread: std::mem::take(&mut self.unread) }
    }

    /// Notes the names of all functions of the text: one may be called by another that stands in front of it.
    fn declare(&mut self) {
        let names = self.cursor.function_names();
        self.functions.extend(names.into_iter().map(|name| (name, Vec::new())));
    }

    /// Reads a text of its own with the same names known: what stands in a string's `$(…)`.
    fn inner<T>(&mut self, text: &str, read: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        let outer = std::mem::replace(&mut self.cursor, Cursor::new(text));
        let result = self.deeper(read);
        let inner = std::mem::replace(&mut self.cursor, outer);
        inner.ends().and(result)
    }
}

/// Decodes what `-EncodedCommand` takes: base64 of UTF-16.
pub(super) fn decoded_command(text: &str) -> Option<String> {
    fold::from_utf16(&decode(text, Alphabet::Standard)?)
}

/// Writes a text as one word of bash's that means just itself.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests;
