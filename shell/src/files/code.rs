//! Code in other languages: it is not parsed here, but usually the file that it opens is a literal in it.

use super::accesses::FileAccesses;
use super::call::Call;
use crate::access::{Certainty, Extent, FileAccess, Verb};
use crate::analysis::{RedirectKind, Simple};
use crate::foreign::{literals, may_change};
use crate::nested::{Code, What, nested_in};
use crate::programs::Language;
use crate::word::{Cause, Part, Unknown, Word};

/// Adds the files that the code of a command may touch: the literals in it that can be paths.
pub(super) fn apply(call: &Call<'_>, command: &Simple, accesses: &mut FileAccesses) {
    // The files that awk programs open are known.
    if language(call).is_none_or(|language| language == Language::Awk) {
        return;
    }
    for nested in nested_in(command) {
        match nested.what {
            What::Foreign(Code::Text(code)) => named(&code, accesses),
            What::Foreign(Code::Input) => {
                for redirect in command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Text) {
                    named(&redirect.target, accesses);
                }
            }
            _ => {}
        }
    }
}

/// Whether a command is an interpreter, so that a text passed to it is code.
#[must_use]
pub fn is_interpreter(command: &Simple) -> bool {
    language(&Call::of(command, super::Input::Open)).is_some()
}

/// Returns the language of the code that a command runs.
fn language(call: &Call<'_>) -> Option<Language> {
    call.argv.tables.first().and_then(|table| table.language)
}

fn named(code: &Word, accesses: &mut FileAccesses) {
    let texts = code.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    for text in texts {
        let changes = may_change(text);
        for literal in literals(text) {
            let verbs: &[Verb] = if changes { &[Verb::Reads, Verb::Writes, Verb::Deletes] } else { &[Verb::Reads] };
            for verb in verbs {
                accesses.add(FileAccess {
                    verb: *verb,
                    path: Word::text(literal),
                    extent: Extent::Alone,
                    certainty: Certainty::Maybe(Unknown::new(Cause::Foreign, literal)),
                });
            }
        }
    }
}
