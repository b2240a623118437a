//! The effect of commands that change permissions, such as `chmod`, on the directories among their operands.
//!
//! They matter to the guard, because a policy guards nothing if its files cannot be read or its directory cannot be
//! entered.

use crate::eval::DirectoryEffect;
use hookrules_shell::Word;
use hookrules_shell::argv::parse_argv;
use hookrules_shell::nested::{Runnable, nested};

/// Programs that change the mode, the owner or the attributes of their operands.
const PROGRAMS: &[&str] = &["chmod", "chown", "chgrp", "chattr", "chcon", "chflags", "setfacl", "setfattr", "xattr"];

/// The maximum number of nested commands that are examined: `xargs sudo chmod` has three.
const MAX_DEPTH: usize = 8;

/// Returns the effect of a command on the directories among its operands. If it runs another command (`sudo chmod`), it
/// is the effect of that one.
pub(super) fn directory_effect(words: &[Word]) -> DirectoryEffect {
    let mut words = words.to_vec();
    for _ in 0..MAX_DEPTH {
        let argv = parse_argv(&words);
        if argv.is_program("chmod") {
            return if is_closing_chmod(&words) { DirectoryEffect::Closes } else { DirectoryEffect::Changes };
        }
        if PROGRAMS.iter().any(|name| argv.name == Some(name) || argv.is_program(name)) {
            return DirectoryEffect::Changes;
        }
        let inner = nested(&words).into_iter().find_map(|found| match found.runnable {
            Runnable::Argv(inner) => Some(inner),
            _ => None,
        });
        let Some(inner) = inner else { break };
        words = inner;
    }
    DirectoryEffect::Nothing
}

/// Whether the mode that `chmod` sets takes from the owner the right to read or to enter. `false` for an unknown mode.
fn is_closing_chmod(words: &[Word]) -> bool {
    let mut known = words.iter().skip(1).filter_map(Word::known_text);
    // `-rwx` is a mode that looks like an option.
    let is_mode = |word: &&str| !word.starts_with("--") && (!word.starts_with('-') || is_mode_removing_access(word));
    known.find(is_mode).is_some_and(is_mode_removing_access)
}

/// Whether an octal or symbolic mode takes from the owner the right to read or to enter: `644`, `u-x`, `a=w`.
fn is_mode_removing_access(mode: &str) -> bool {
    if let Some(digits) = mode.strip_prefix('=').or(Some(mode)).filter(|mode| mode.bytes().all(|c| c.is_ascii_digit()))
    {
        return u32::from_str_radix(digits, 8).is_ok_and(|mode| mode & OWNER_BITS != OWNER_BITS);
    }
    mode.split(',').any(|clause| {
        let Some(at) = clause.find(['+', '-', '=']) else { return false };
        let (who, change) = clause.split_at(at);
        let is_owner = who.is_empty() || who.contains(['u', 'a']);
        let rights = change.get(1..).unwrap_or_default();
        is_owner
            && match change.starts_with('-') {
                true => rights.contains(['r', 'x']),
                false => {
                    change.starts_with('=')
                        && !(rights.contains('r') && rights.contains(['x', 'X']))
                        && !rights.contains(['u', 'g', 'o'])
                }
            }
    })
}

/// The mode bits of the owner's rights to read and to enter.
const OWNER_BITS: u32 = 0o500;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mode_closes_what_its_owner_can_no_longer_enter() {
        for mode in ["000", "0", "644", "0600", "u-rx", "a-x", "-r", "-x", "u=", "a=w", "u+w,a-rwx", "=0"] {
            assert!(is_mode_removing_access(mode), "{mode}");
        }
        for mode in ["755", "700", "0500", "2775", "u+rwx", "+x", "go-rwx", "o=", "a=rx", "u=rwX,go=", "-w", "g=u"] {
            assert!(!is_mode_removing_access(mode), "{mode}");
        }
    }
}
