//! Accesses to files through names of descriptors: `/dev/fd/3`, `/dev/stdin`, `/proc/self/fd/3`.

use super::accesses::FileAccesses;
use super::contents::contents;
use crate::access::{AccessCertainty, FileAccess, Verb};
use crate::analysis::{Redirect, SimpleCommand};
use crate::open_files::{OpenFile, descriptor_in_path};
use crate::word::{Cause, Unknown, Word};

/// The number of the standard input's descriptor.
const INPUT: u32 = 0;

/// Adds the accesses of a redirection to its target or, if the target names a descriptor, to the files on which that is
/// open.
pub(super) fn add_redirect_target(redirect: &Redirect, command: &SimpleCommand, accesses: &mut FileAccesses) {
    let mut named = FileAccesses::default();
    super::add_redirect(redirect, &mut named);
    let Some(file) = &redirect.opened else {
        for access in named.found {
            add_linked_file(&access, command, accesses);
            accesses.add(access);
        }
        return;
    };
    named.found.into_iter().for_each(|access| add_opened_files(access, file, accesses));
}

/// Replaces each name of a descriptor in the accesses by a command's words by the files on which the descriptor is
/// open.
pub(super) fn resolve_descriptors(command: &SimpleCommand, by_words: Vec<FileAccess>) -> Vec<FileAccess> {
    let is_of_descriptor = |access: &FileAccess| {
        let files = &command.open_files;
        files.descriptor_file(&access.path, &command.cwd).is_some()
            || files.linked_descriptor_file(&access.path, &command.cwd).is_some()
    };
    if !by_words.iter().any(is_of_descriptor) {
        return by_words;
    }
    let descriptor = |access: &FileAccess| descriptor_in_path(&access.path, &command.cwd);
    let reads: Vec<&FileAccess> =
        by_words.iter().filter(|access| access.verb == Verb::Reads && descriptor(access).is_none()).collect();
    let argv = command.argv();
    let has_streams = argv.name.and_then(contents).is_some_and(|row| row.streams);
    let mut accesses = FileAccesses::default();
    for access in &by_words {
        let Some(file) = command.open_files.descriptor_file(&access.path, &command.cwd) else {
            add_linked_file(access, command, &mut accesses);
            accesses.add(access.clone());
            continue;
        };
        // `dd if=a of=/dev/stdin` opens `a` as its standard input, so the write may go to `a`.
        let may_be_reopened = descriptor(access) == Some(INPUT) && access.verb == Verb::Writes;
        let mut resolved = access.clone();
        if may_be_reopened {
            for read in &reads {
                let certainty = AccessCertainty::Maybe(descriptor_reason(access));
                accesses.add(FileAccess { verb: Verb::Writes, certainty, ..(*read).clone() });
            }
        }
        if has_streams || may_be_reopened && !reads.is_empty() {
            resolved.certainty = AccessCertainty::Maybe(descriptor_reason(access));
        }
        match access.verb {
            // Deleting the name of a descriptor does not delete the file.
            Verb::Deletes if descriptor(access).is_some() => accesses.add(resolved),
            _ => add_opened_files(resolved, &file, &mut accesses),
        }
    }
    accesses.found
}

/// Adds an access to a descriptor as accesses to the files on which the descriptor is open. If it is open on a stream
/// instead, the access keeps the name of the descriptor.
fn add_opened_files(access: FileAccess, file: &OpenFile, accesses: &mut FileAccesses) {
    let why = descriptor_reason(&access);
    let doubt = AccessCertainty::Maybe(why.clone());
    for path in file.files() {
        let certainty = if file.certain_file().is_some() { access.certainty.clone() } else { doubt.clone() };
        accesses.add(FileAccess { path: path.clone(), certainty, ..access.clone() });
    }
    let is_open = match access.verb {
        Verb::Writes => file.may_write_any(),
        Verb::Reads | Verb::Deletes | Verb::Sends => file.may_be_any(),
    };
    if is_open {
        accesses.add(FileAccess { path: Word::unknown(why), certainty: doubt, ..access });
    } else if file.files().is_empty() {
        accesses.add(access);
    }
}

/// If a link in the path may lead to a descriptor, adds possible accesses to the files on which the descriptor is open.
fn add_linked_file(access: &FileAccess, command: &SimpleCommand, accesses: &mut FileAccesses) {
    if access.verb == Verb::Deletes {
        return;
    }
    let file = command.open_files.linked_descriptor_file(&access.path, &command.cwd);
    for path in file.iter().flat_map(OpenFile::files) {
        let certainty = AccessCertainty::Maybe(descriptor_reason(access));
        accesses.add(FileAccess { path: path.clone(), certainty, ..access.clone() });
    }
}

/// Returns the reason for an unknown path: it is the file on which a descriptor is open.
fn descriptor_reason(access: &FileAccess) -> Unknown {
    Unknown::new(Cause::Descriptor, access.path.display_text())
}
