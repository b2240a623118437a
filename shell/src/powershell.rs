//! Translates PowerShell into bash, which [`crate::interpret`] analyses.
//!
//! [`translate`] reads a text once and writes the equivalent bash: aliases become cmdlets, parameters get their full
//! names, paths get slashes. Variables, pipelines, loops and functions become those of bash, so that the same code
//! analyses them. A value that bash cannot express becomes a variable that is never set ([`UNKNOWN`]). Parts that
//! cannot be translated are returned with the translation. The effects of cmdlets are in their records, not here.

mod arguments;
mod assign;
mod batch;
mod bind;
mod blocks;
mod cmdlets;
mod command;
mod cursor;
mod each;
mod expression;
mod fold;
mod functions;
mod native;
mod pipeline;
mod script;
mod statement;
mod strings;
mod types;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use assign::PropertyAccess;
pub(super) use batch::translate_batch;
pub(super) use cmdlets::own_name as canonical_cmdlet;
use cursor::Cursor;

use crate::base64::{Base64Alphabet, decode};
use crate::translation::{LimitedTranslator, Translation, TranslationError, TranslationLimits, TranslationResult};

/// The variable that represents an unknown value. It is never set: variables of PowerShell are translated into lower
/// case, and an environment variable of this name counts as unknown.
const UNKNOWN: &str = "POWERSHELL_VALUE";

/// A translation in progress.
struct PowerShellTranslator {
    /// The position in the text.
    cursor: Cursor,
    /// The remaining depth and length of the translation.
    bounds: TranslationLimits,
    /// The parts that cannot be translated.
    unread: Vec<String>,
    /// The functions of the text, by name in lower case, with the names of their parameters.
    functions: BTreeMap<String, Vec<String>>,
    /// The aliases that the text defines, by name in lower case, with their targets; `None` for an unknown target.
    aliases: BTreeMap<String, Option<String>>,
    /// The variables assigned since the enclosing pipeline, function or block began. `cd` in it represents a change
    /// of directory.
    assigned: BTreeSet<String>,
    /// The variables that have held several values so far.
    lists: BTreeSet<String>,
    /// The variables that the current expression changes (`$i++`), and that are unknown after it.
    changed: Vec<String>,
    /// The variables that have been assigned so far, with whether they may hold objects for files.
    file_variables: BTreeMap<String, bool>,
    /// The property that the current expression ends with.
    property: Option<PropertyAccess>,
    /// The commands that the annotations of the current statement may run.
    annotations: String,
    /// The enclosing functions and `ForEach-Object` blocks, innermost last.
    return_scopes: Vec<ReturnScope>,
}

/// The construct that a `return` leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ReturnScope {
    /// A function.
    Function,
    /// A block that runs for each object of a pipeline.
    Each,
}

/// Translates a text from PowerShell into bash.
///
/// It never fails: parts that cannot be translated are in [`Translation::unread`].
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
        file_variables: BTreeMap::new(),
        property: None,
        annotations: String::new(),
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
    /// Translates statement by statement. If one cannot be translated, it and the rest of the text are recorded as
    /// unread.
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

    /// Records the names of all functions of the text: a function may be called before its definition is read.
    fn declare(&mut self) {
        let names = self.cursor.function_names();
        self.functions.extend(names.into_iter().map(|name| (name, Vec::new())));
    }

    /// Translates a nested text, such as the `$(…)` of a string, with `read`. The functions and variables of the outer
    /// text stay known.
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

/// Decodes the argument of `-EncodedCommand`, which is UTF-16 in base64; `None` if it is not valid.
pub(super) fn decoded_command(text: &str) -> Option<String> {
    fold::from_utf16(&decode(text, Base64Alphabet::Standard)?)
}

/// Quotes a text as one literal word of bash.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests;
