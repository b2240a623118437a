//! The accesses of a command to files, derived from its redirections and from the operands and options of programs
//! that have a record.
//!
//! Paths stay words, relative to the command's working directory. Which files exist, where links lead and who owns a
//! directory is not looked up here. Files that a program opens although no word names them (the sources of a build,
//! git's objects) are not reported, except for literals in code among the words. The operands of a program without a
//! record are not taken for files.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::files::{AccessCertainty, Verb};
//! use hookrules_shell::{StartDirectories, analyse, file_accesses};
//!
//! let start = StartDirectories { cwd: Path::new("/home/dev"), home: None };
//! let analysis = analyse("cp a.txt backup/ 2> errors", &start);
//! let copy = file_accesses(&analysis, &analysis.commands[0]);
//! let reads: Vec<_> = copy.iter().filter(|access| access.verb == Verb::Reads).collect();
//! assert_eq!(reads[0].path.known_text(), Some("a.txt"));
//! assert_eq!(reads[0].certainty, AccessCertainty::Certain);
//! assert!(copy.iter().any(|access| access.verb == Verb::Writes && access.path.known_text() == Some("errors")));
//! ```

mod accesses;
mod archives;
pub(crate) mod call;
mod code;
mod contents;
mod copies;
mod databases;
mod descriptors;
mod edits;
mod formatters;
mod git;
mod known;
mod mounts;
mod network;
mod patches;
pub(crate) mod paths;
mod rows;
mod search;
mod system;

pub use crate::access::{AccessCertainty, AccessExtent, FileAccess, FileFilter, FileSkipping, Verb};
pub use crate::foreign::{files_touched_by_code, files_touched_by_program, words_of_code};
pub use crate::open_files::descriptor_number;
pub use code::{is_interpreter, links_in_code, uses_link_in_code};
pub(crate) use contents::{ContentRow, WrittenContent, contents};
pub use known::all_accesses_known;
pub use patches::{PatchedFile, patched_files};
pub(crate) use search::is_line_filter;
pub use search::{EnteredDepth, EnteredDirectory, entered_directories, prints_operands};

use accesses::FileAccesses;
use call::ParsedCommand;

use crate::analysis::{Analysis, CommandScope, Redirect, RedirectKind, SimpleCommand};
use crate::programs::{OptionEffect, Program};
use crate::word::{Cause, ValueSource, Word, WordPart};

/// Returns the accesses of a command to files, in no particular order.
///
/// A command in a container or on another machine has access only to those files of this machine that are mounted
/// there. A command that another command runs has accesses of its own. But if it is known what `find` or `fd`
/// searches for, the files that replace their placeholder are reported for both commands.
#[must_use]
pub fn file_accesses(analysis: &Analysis, command: &SimpleCommand) -> Vec<FileAccess> {
    match command.scope {
        CommandScope::Local => local_accesses(analysis, command),
        _ => mounts::local_accesses(analysis, command, || local_accesses(analysis, command)),
    }
}

/// Returns the files that a command may touch in this way on the other machine or in the container where it runs, in no
/// particular order; none in a directory of this machine that is mounted there. A command of this machine touches files
/// elsewhere if it copies to them: `scp x host:/srv`. For a directory, a path that ends in a glob is what may be below
/// it. A path is relative only if it is not known in which directory the command works.
#[must_use]
pub fn files_elsewhere(analysis: &Analysis, command: &SimpleCommand, verb: Verb) -> Vec<Word> {
    if command.scope == CommandScope::Local {
        let transfers = transfers(command).into_iter().filter(|(access, _)| *access == verb);
        return match verb {
            Verb::Deletes => transfers.flat_map(|(_, path)| [below_path(&path), path]).collect(),
            _ => transfers.map(|(_, path)| path).collect(),
        };
    }
    let accesses = local_accesses(analysis, command).into_iter().filter(|access| access.verb == verb);
    let found = accesses.flat_map(|access| {
        let path = mounts::absolute_path(&access.path, &command.cwd);
        let below = (access.extent != AccessExtent::PathOnly).then(|| below_path(&path));
        std::iter::once(path).chain(below)
    });
    mounts::unmounted(analysis, command, found.collect())
}

/// Returns what may be anything below a path.
fn below_path(path: &Word) -> Word {
    let mut below = path.clone();
    if !path.known_text().is_some_and(|path| path.ends_with('/')) {
        below.push(WordPart::Text("/".to_owned()));
    }
    below.push(paths::any_name());
    below
}

/// Returns the accesses of a command to files of the machine or container on which it runs.
fn local_accesses(analysis: &Analysis, command: &SimpleCommand) -> Vec<FileAccess> {
    let handover = search::running_search(analysis, command);
    let is_run_by_search = handover.is_some();
    let mut accesses = redirect_accesses(analysis, command);
    accesses.append(&mut descriptors::resolve_descriptors(command, word_accesses(analysis, command, handover)));
    if command.code.is_some() {
        accesses.iter_mut().for_each(extend_below);
    }
    if let Some(why) = &command.doubt {
        for access in accesses.iter_mut().filter(|access| access.certainty.is_certain_if_present()) {
            access.certainty = AccessCertainty::Maybe(why.clone());
        }
    }
    if is_run_by_search {
        accesses.retain(|access| !is_search_result(&access.path));
    }
    accesses
}

/// Returns what a command of this machine does to files elsewhere.
fn transfers(command: &SimpleCommand) -> Vec<(Verb, Word)> {
    let mut accesses = FileAccesses::default();
    let mut call = ParsedCommand::from_command(command, StdinKind::Inherited);
    add_operands(&mut call, &mut accesses);
    network::add_transfers(&call, command, &mut accesses);
    accesses.elsewhere
}

/// Returns the accesses by the redirections of a command.
fn redirect_accesses(analysis: &Analysis, command: &SimpleCommand) -> Vec<FileAccess> {
    let mut accesses = FileAccesses::default();
    for redirect in &command.redirects {
        // The target of most redirections is known, and then no search needs to be looked up.
        let is_known = redirect.kind == RedirectKind::Text || redirect.target.known_text().is_some();
        match (!is_known).then(|| search::names_in_redirect(analysis, command, &redirect.target)).flatten() {
            Some((searches, target)) => {
                let redirect = Redirect { target: target.into(), ..redirect.clone() };
                searches.iter().for_each(|search| search.redirect(&redirect, &mut accesses));
            }
            None => descriptors::add_redirect_target(redirect, command, &mut accesses),
        }
    }
    accesses.found
}

/// The searches whose results a command gets, and the words of the command in which a [`ValueSource::OneOfFiles`] part
/// represents a result.
type SearchHandover = (Vec<search::FileSearch>, Vec<Word>);

/// Returns the accesses by the words of a command. `handover` has the search that runs the command, if there is one.
fn word_accesses(analysis: &Analysis, command: &SimpleCommand, handover: Option<SearchHandover>) -> Vec<FileAccess> {
    let mut accesses = FileAccesses::default();
    let has_input = !command.stdin_from.is_empty()
        || !command.piped_from.is_empty()
        || command.redirects.iter().any(|redirect| redirect.kind != RedirectKind::Write);
    let input = if has_input { StdinKind::Provided } else { StdinKind::Inherited };
    let mut call = ParsedCommand::from_command(command, input);
    match search::names_from_input(analysis, command).or(handover) {
        Some((searches, words)) => searches.iter().for_each(|search| search.add_command(&words, &mut accesses)),
        None => add_operands(&mut call, &mut accesses),
    }
    if !command.code.as_ref().is_some_and(|code| code.is_parsed) {
        code::apply(&call, command, &mut accesses);
    }
    for words in command.code.iter().flat_map(|code| &code.equivalent_commands) {
        let equivalent = SimpleCommand::without_context(words.clone(), command.cwd.clone());
        accesses.found.extend(word_accesses(analysis, &equivalent, None));
    }
    network::add_transfers(&call, command, &mut accesses);
    accesses.found
}

/// Returns the files that a command writes because its words name them. Unknown names are left out.
pub(crate) fn files_written_by_words(command: &SimpleCommand) -> Vec<Word> {
    let mut accesses = FileAccesses::default();
    add_operands(&mut ParsedCommand::from_command(command, StdinKind::Provided), &mut accesses);
    let is_written = |access: &FileAccess| access.verb == Verb::Writes && access.extent == AccessExtent::PathOnly;
    let found = accesses.found.into_iter().filter(is_written).map(|access| access.path);
    found.filter(|path| path.known_text().is_some()).collect()
}

/// Returns the files that a command may write or delete because its words name them, including unknown names.
pub(crate) fn files_changed_by_words(command: &SimpleCommand) -> Vec<Word> {
    let mut accesses = FileAccesses::default();
    add_operands(&mut ParsedCommand::from_command(command, StdinKind::Provided), &mut accesses);
    let changed = accesses.found.into_iter().filter(|access| access.verb != Verb::Reads);
    changed.map(|access| access.path).collect()
}

/// Extends an access to `DIR/…/name`, in which `…` is any path of a directory that evaluated code walks, to every
/// existing file of that name below `DIR`. Other accesses stay the same.
fn extend_below(access: &mut FileAccess) {
    let is_below = |part: &WordPart| matches!(part, WordPart::Unknown(unknown) if unknown.reason.source == ValueSource::BelowDirectory);
    let Some(at) = access.path.parts.iter().position(is_below).filter(|_| access.extent == AccessExtent::PathOnly)
    else {
        return;
    };
    let (before, rest) = access.path.parts.split_at(at);
    let [WordPart::Text(directory)] = before else { return };
    let mut name = "*".to_owned();
    for part in rest.iter().skip(1) {
        match part {
            WordPart::Text(text) if text.contains(['*', '?', '[', '{', '\\']) => return,
            WordPart::Text(text) => name.push_str(text),
            WordPart::Glob(glob) if glob == "*" && name.ends_with('*') => {}
            WordPart::Glob(glob) => name.push_str(glob),
            WordPart::Unknown(unknown) if unknown.reason.source == ValueSource::Name => name.push('*'),
            WordPart::Unknown(_) => return,
        }
    }
    let last = name.rsplit('/').next().unwrap_or_default();
    let is_any_name = last.chars().all(|c| c == '*');
    let only = if is_any_name { Vec::new() } else { vec![last.to_owned()] };
    let directory = if directory.len() > 1 { directory.trim_end_matches('/') } else { directory };
    access.extent =
        AccessExtent::Below(FileFilter { only: only.into(), directories: FileSkipping::Yes, ..FileFilter::default() });
    access.path = Word::text(directory);
}

/// Whether the standard input of a command is known to have content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StdinKind {
    /// It is a pipe or a redirection.
    Provided,
    /// It is that of the shell, which is empty when an agent runs a command.
    Inherited,
}

/// Adds the accesses that a redirection causes to the file that its target names.
fn add_redirect(redirect: &Redirect, accesses: &mut FileAccesses) {
    match redirect.kind {
        // Of a loop over a glob, all files are read.
        RedirectKind::Read if redirect.target.as_globs().may_be_glob() => {
            accesses.add_read(&redirect.target.as_globs());
        }
        RedirectKind::Read => accesses.add_certain(Verb::Reads, &redirect.target),
        RedirectKind::Write => accesses.add_certain(Verb::Writes, &redirect.target),
        RedirectKind::ReadWrite => {
            accesses.add_certain(Verb::Reads, &redirect.target);
            accesses.add_certain(Verb::Writes, &redirect.target);
        }
        RedirectKind::Text => {}
    }
}

/// Adds the accesses by the operands and options of a command, according to the record of its program.
fn add_operands(call: &mut ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let Some((program, words)) = call.words.split_first() else { return };
    match call.program() {
        Some(_) => rows::apply(call, accesses),
        None => add_unnamed_program(program, words, accesses),
    }
    add_possible_options(call, accesses);
}

/// Adds reads by the options that unknown words from standard input may be: `cat list | xargs du`.
fn add_possible_options(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let is_input = |word: &&&Word| {
        word.parts.iter().any(|part| match part {
            WordPart::Unknown(unknown) => unknown.reason.cause == Cause::Input,
            WordPart::Text(_) | WordPart::Glob(_) => false,
        })
    };
    let reads_file = |table: &&Program| {
        table.commands.is_empty() && table.all_options().any(|option| option.does == OptionEffect::Reads)
    };
    if call.argv.records.first().is_some_and(reads_file) {
        for word in call.argv.maybe_options.iter().filter(is_input) {
            accesses.add_read(word);
        }
    }
}

/// Adds the accesses that a program with an unknown name may have: any access to any of its operands.
fn add_unnamed_program(program: &Word, words: &[Word], accesses: &mut FileAccesses) {
    if program.is_shell() {
        let named: Vec<Word> = std::iter::once(Word::text("sh")).chain(words.iter().cloned()).collect();
        return rows::apply(&mut ParsedCommand::new(&named, StdinKind::Provided), accesses);
    }
    let Some(why) = program.unknown_reason() else { return };
    for word in words.iter().filter(|word| !word.prefix().starts_with('-')) {
        for (verb, extent) in [
            (Verb::Reads, AccessExtent::Below(FileFilter::default())),
            (Verb::Writes, AccessExtent::Below(FileFilter::default())),
            (Verb::Deletes, AccessExtent::Everything),
        ] {
            accesses.add(FileAccess {
                verb,
                path: word.clone(),
                extent,
                certainty: AccessCertainty::Maybe(why.clone()),
            });
        }
    }
}

/// Whether a path contains the result of a search, such as the `{}` of `find -exec`.
fn is_search_result(path: &Word) -> bool {
    path.parts
        .iter()
        .any(|part| matches!(part, WordPart::Unknown(unknown) if unknown.reason.source == ValueSource::SearchResult))
}

#[cfg(test)]
mod tests;
