//! Code in other languages, as far as it goes: it is not parsed, but the file that it opens stands in it as a literal
//! more often than not.

use super::accesses::FileAccesses;
use super::call::Call;
use crate::access::{Certainty, Extent, FileAccess, Verb};
use crate::analysis::{RedirectKind, Simple};
use crate::foreign::{literals, may_change};
use crate::word::{Cause, Part, Unknown, Word};

/// An interpreter, and the options whose value is code.
const INTERPRETERS: &[(&[&str], &[&str])] = &[
    (&["python", "python2", "python3", "pypy", "pypy3", "ipython"], &["-c"]),
    (&["node", "nodejs", "bun", "tsx", "ts-node"], &["-e", "--eval", "-p", "--print"]),
    (&["perl", "perl5", "ruby", "lua", "luajit", "Rscript", "julia", "osascript"], &["-e", "-E"]),
    (&["php"], &["-r", "-B", "-R", "-E"]),
    (&["awk", "gawk", "mawk", "nawk", "original-awk"], &[]),
];

/// Adds what the code of a command may touch: the literals in it that can be paths.
pub(super) fn apply(call: &Call<'_>, command: &Simple, accesses: &mut FileAccesses) {
    let Some((_, options)) = INTERPRETERS.iter().find(|(names, _)| call.is(names)) else { return };
    call.values(options).for_each(|code| named(code, accesses));
    let is_script = call.operands().first().is_none_or(|word| word.known() == Some("-")) && !call.has(options);
    for redirect in command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Text && is_script) {
        named(&redirect.target, accesses);
    }
}

/// Tells whether a command is an interpreter whose code is looked through for the literals in it.
#[must_use]
pub fn is_interpreter(command: &Simple) -> bool {
    let call = Call::of(command, super::Input::Open);
    INTERPRETERS.iter().any(|(names, _)| call.is(names))
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
