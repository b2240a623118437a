//! PowerShell, translated to bash, which [`crate::interpret`] analyses.
//!
//! [`translate`] reads a text once and writes the equivalent bash: aliases become cmdlets, parameters get their full
//! names, paths get slashes. Variables, pipelines, loops and functions become those of bash, so that the same code
//! analyses them; a value without a counterpart becomes a variable that is never set ([`UNKNOWN`]). Parts that cannot
//! be read are returned next to the translation. The effects of commands are not its concern: those are in their
//! records.

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

use crate::base64::{Base64Alphabet, decode};
use crate::translation::{LimitedTranslator, Translation, TranslationError, TranslationLimits, TranslationResult};

/// The variable for an unknown value. No PowerShell variable has this name: those are written in lower case, and an
/// environment variable of this name is never set.
const UNKNOWN: &str = "POWERSHELL_VALUE";

/// A translation in progress.
struct PowerShellTranslator {
    cursor: Cursor,
    bounds: TranslationLimits,
    unread: Vec<String>,
    /// The functions of the text, in lower case, with the names of their parameters.
    functions: BTreeMap<String, Vec<String>>,
    /// The targets of the aliases that the text defines.
    aliases: BTreeMap<String, String>,
    /// The variables assigned since this set was last taken.
    assigned: BTreeSet<String>,
    /// The variables that hold, or held, several values.
    lists: BTreeSet<String>,
    /// The assigned variables that the current expression changes (`$i++`).
    changed: Vec<String>,
    /// The enclosing functions and `ForEach-Object` loops.
    return_scopes: Vec<ReturnScope>,
}

/// The construct that a `return` leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ReturnScope {
    Function,
    /// A block that runs for each object.
    Each,
}

/// Translates a text.
///
/// It never fails: parts that cannot be read are in [`Translation::unread`].
pub(super) fn translate(text: &str) -> Translation {
    let mut translator = PowerShellTranslator {
        cursor: Cursor::new(text),
        bounds: TranslationLimits::new(text),
        unread: Vec::new(),
        functions: BTreeMap::new(),
        aliases: BTreeMap::new(),
        assigned: BTreeSet::new(),
        lists: BTreeSet::new(),
        changed: Vec::new(),
        return_scopes: Vec::new(),
    };
    translator.translate_all()
}

impl LimitedTranslator for PowerShellTranslator {
    fn limits(&mut self) -> &mut TranslationLimits {
        &mut self.bounds
    }
}

impl PowerShellTranslator {
    /// Translates statement by statement; after one that cannot be read, the rest is not read either.
    fn translate_all(&mut self) -> Translation {
        let mut script = String::new();
        self.declare();
        loop {
            self.cursor.skip_separators();
            if self.cursor.is_at_end() == Ok(true) {
                break;
            }
            let from = self.cursor.position();
            let before = self.unread.len();
            match self.statement() {
                Ok(text) if self.cursor.is_at_end().is_ok() && self.cursor.position() > from => {
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

    /// Declares all functions of the text: one may be called by another that precedes it.
    fn declare(&mut self) {
        let names = self.cursor.function_names();
        self.functions.extend(names.into_iter().map(|name| (name, Vec::new())));
    }

    /// Reads a nested text in which the same names are known: the `$(…)` of a string.
    fn translate_nested<T>(
        &mut self,
        text: &str,
        read: impl FnOnce(&mut Self) -> TranslationResult<T>,
    ) -> TranslationResult<T> {
        let outer = std::mem::replace(&mut self.cursor, Cursor::new(text));
        let result = self.read_deeper(read);
        let inner = std::mem::replace(&mut self.cursor, outer);
        inner.is_at_end().and(result)
    }
}

/// Decodes the argument of `-EncodedCommand`: base64 of UTF-16.
pub(super) fn decoded_command(text: &str) -> Option<String> {
    fold::from_utf16(&decode(text, Base64Alphabet::Standard)?)
}

/// Quotes a text as one literal bash word.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests;
