//! Code in other languages, as far as it goes: it is not parsed, but the file that it opens stands in it as a literal
//! more often than not.

use super::accesses::FileAccesses;
use super::call::Call;
use crate::access::{Certainty, Extent, FileAccess, Verb};
use crate::analysis::{RedirectKind, Simple};
use crate::word::{Cause, Part, Unknown, Word};

/// An interpreter, and the options whose value is code.
const INTERPRETERS: &[(&[&str], &[&str])] = &[
    (&["python", "python2", "python3", "pypy", "pypy3", "ipython"], &["-c"]),
    (&["node", "nodejs", "bun", "tsx", "ts-node"], &["-e", "--eval", "-p", "--print"]),
    (&["perl", "perl5", "ruby", "lua", "luajit", "Rscript", "julia", "osascript"], &["-e", "-E"]),
    (&["php"], &["-r", "-B", "-R", "-E"]),
];

/// What code that changes files holds one of, blanks left out: a mode to open a file in, or a function's name.
const CHANGES: &[&str] = &[
    ",'w", ",\"w", ",'a", ",\"a", ",'x", ",\"x", "'>", "\">", "write", "Write", "append", "unlink", "remove", "rm",
    "rename", "move", "copy", "truncate", "touch", "mkdir", "chmod", "chown", "dump", "save", "delete", "link",
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

/// Tells whether code may change files, by the words in it.
#[must_use]
pub fn may_change(code: &str) -> bool {
    let dense: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    CHANGES.iter().any(|word| dense.contains(word))
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

/// Returns what stands in quotes and can be a path: of one line, without blanks, and with a dot or a slash.
pub fn literals(code: &str) -> impl Iterator<Item = &str> {
    let mut rest = code;
    let next = move || {
        loop {
            let start = rest.find(['"', '\'', '`'])?;
            let quote = rest.get(start..)?.chars().next()?;
            let behind = rest.get(start + 1..)?;
            let Some(end) = behind.find(quote) else {
                rest = behind;
                continue;
            };
            let literal = behind.get(..end)?;
            rest = behind.get(end + 1..)?;
            let is_path = literal.contains(['.', '/']) && !literal.contains(|c: char| c.is_whitespace() || c == '\\');
            if is_path && !literal.contains("://") {
                // Perl's mode stands in front.
                return Some(literal.trim_start_matches(['<', '>', '+']));
            }
        }
    };
    std::iter::from_fn(next)
}
