//! Names that come from another command: what the first of a pipe lists, `xargs` hands on, and a substitution puts
//! its output among the words.

use super::find::{MARK, Search};
use super::{below_named, find, grep, grep_below, rg};
use crate::command::files::call::Call;
use crate::command::files::paths::as_glob;
use crate::command::files::touching::Touching;
use crate::command::files::{Extent, Filter, Input, Skipped};
use crate::command::{Analysis, Cause, Part, Simple, Word};

/// How many commands of a pipe are followed back.
const LENGTH: usize = 16;

/// Returns what the names can be that a command gets from others, and its words with a mark in their place; nothing
/// where it gets none, or they can be any.
pub(in crate::command::files) fn from_input(analysis: &Analysis, command: &Simple) -> Option<(Vec<Search>, Vec<Word>)> {
    let holes = command.words.iter().flat_map(|word| &word.parts).filter_map(|part| match part {
        Part::Hole(hole) => Some(&hole.why),
        _ => None,
    });
    let mut given = holes.filter(|why| matches!(why.cause, Cause::Input | Cause::Output));
    let why = given.next()?;
    // Of two lists it would not be known which word is whose.
    if given.any(|other| other != why) {
        return None;
    }
    let searches = match why.cause {
        Cause::Input => {
            let by = command.via.iter().rev().filter_map(|id| analysis.command(*id));
            let is_xargs = |by: &&Simple| Call::of(by, Input::Open).is(&["xargs", "parallel"]);
            searches(analysis, by.into_iter().find(is_xargs)?)?
        }
        _ => lists(substituted(analysis, &why.word)?)?,
    };
    let is_given = |part: &Part| matches!(part, Part::Hole(hole) if hole.why == *why);
    let marked = command.words.iter().map(|word| {
        let mut marked = Word::default();
        for part in &word.parts {
            marked.push(if is_given(part) { Part::Text(MARK.to_owned()) } else { part.clone() });
        }
        marked
    });
    Some((searches, marked.collect()))
}

/// Returns the command whose output a substitution is, where it is one command alone.
fn substituted<'a>(analysis: &'a Analysis, word: &str) -> Option<&'a Simple> {
    let inner = word.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')'));
    let inner = inner.or_else(|| word.strip_prefix('`')?.strip_suffix('`'))?;
    // Only what a list begins with is worth the look.
    let program = inner.split_whitespace().next()?;
    if !LISTS.contains(&program) || inner.contains(['$', '`', '\\', '|', ';', '&', '<', '>', '\n']) {
        return None;
    }
    let written: Vec<String> = inner.split_whitespace().map(|word| word.replace(['\'', '"'], "")).collect();
    let is_it = |command: &&Simple| {
        command.in_substitution
            && command.words.len() == written.len()
            && command.words.iter().zip(&written).all(|(word, written)| word.shown() == *written)
    };
    analysis.commands.iter().take(COMMANDS).find(is_it)
}

/// How many commands are looked through for the one of a substitution.
const COMMANDS: usize = 256;

/// Programs that print names.
const LISTS: &[&str] = &["find", "fd", "fdfind", "git", "rg", "grep", "ls"];

/// Follows a pipe back to the command that lists names.
fn searches(analysis: &Analysis, command: &Simple) -> Option<Vec<Search>> {
    let mut at = command;
    for _ in 0..LENGTH {
        let [before] = at.piped_from.as_slice() else { return None };
        at = analysis.command(*before)?;
        if at.cwd != command.cwd || at.is_shadowed {
            return None;
        }
        if !passes_on(at) {
            return lists(at);
        }
    }
    None
}

/// Tells whether a command hands on some of the lines that it gets, and changes none.
fn passes_on(command: &Simple) -> bool {
    const CHANGES: &[&str] = &["-o", "-n", "-c", "-H", "-b", "-r", "-R", "--color", "-A", "-B", "-C"];
    let call = Call::of(command, Input::Given);
    let words: Vec<Option<&str>> = command.words.iter().skip(1).map(Word::known).collect();
    if !command.redirects.is_empty() {
        return false;
    }
    if call.is(&["sort", "uniq", "head", "tail", "tac", "shuf", "cat"]) {
        let changes = call.is(&["uniq"]) && call.has(&["-c"]) || call.is(&["cat"]) && words.len() > 1;
        return call.operands().is_empty() && !changes;
    }
    if call.is(&["grep", "egrep", "fgrep"]) {
        return call.operands().len() == usize::from(!call.has(&["-e"])) && !call.has(CHANGES) && !call.has(&["-f"]);
    }
    call.is(&["tr"]) && words == [Some("\\n"), Some("\\0")]
}

/// Returns what the names can be that a command prints; nothing where they can be any.
fn lists(command: &Simple) -> Option<Vec<Search>> {
    let call = Call::of(command, Input::Open);
    if call.is(&["find", "gfind"]) {
        return find::printed(&command.words).map(|search| vec![search]);
    }
    if call.is(&["fd", "fdfind"]) {
        return find::found(&call).map(|search| vec![search]);
    }
    if call.is(&["git"]) {
        return tracked(&call);
    }
    let has_names = call.has(&["-l", "-L", "--files-with-matches", "--files-without-match"]);
    let is_grep = call.is(&["grep", "egrep", "fgrep", "rgrep"]);
    if call.is(&["rg"]) && (has_names || call.has(&["--files"])) || is_grep && has_names {
        let mut touching = Touching::default();
        match call.is(&["rg"]) {
            true if call.has(&["--files"]) => below_named(&call, call.operands(), &mut touching),
            true => rg(&call, &mut touching),
            false if call.is(&["rgrep"]) => grep_below(&call, &mut touching),
            false => grep(&call, &mut touching),
        }
        let searches = touching.found.into_iter();
        return Some(searches.map(|touch| Search { starts: vec![touch.path], extent: touch.extent }).collect());
    }
    if call.is(&["ls"]) && call.operands().is_empty() {
        let hidden = if call.has(&["-a", "-A", "--all", "--almost-all"]) { Skipped::No } else { Skipped::Yes };
        // What it prints lies here, and no deeper.
        let extent = Extent::Below(Filter { only: vec!["/*".to_owned()].into(), hidden, ..Filter::default() });
        return Some(vec![Search { starts: vec![Word::text(".")], extent }]);
    }
    let is_plain = |word: &&Word| word.known().is_some_and(|text| !text.contains(['\\', '%', '\n', '\'', '"']));
    if call.is(&["echo", "printf"])
        && !command.words.iter().any(|word| !is_plain(&word) || word.prefix().starts_with('-'))
    {
        let words = command.words.iter().skip(1).filter_map(Word::known).flat_map(str::split_whitespace);
        return Some(vec![Search { starts: words.map(Word::text).collect(), extent: Extent::Alone }]);
    }
    None
}

/// `git ls-files`, `git diff --name-only`: names of files that are tracked.
fn tracked(call: &Call<'_>) -> Option<Vec<Search>> {
    let (command, operands) = call.operands().split_first()?;
    let is_listing = match command.known()? {
        "ls-files" => !call.has(&["-s", "--stage", "-u", "--debug", "-v", "-t", "-f", "--format"]),
        "diff" => call.has(&["--name-only"]),
        _ => false,
    };
    if !is_listing || call.has(&["-C", "--git-dir", "--work-tree"]) {
        return None;
    }
    let takes_others = call.has(&["-o", "--others", "-i", "--ignored"]);
    let ignored = if takes_others { Skipped::No } else { Skipped::Yes };
    let is_name = |glob: &String| glob.contains('*') && !glob.contains('/');
    let globs: Option<Vec<String>> = operands.iter().map(|word| as_glob(word).filter(is_name)).collect();
    let only = globs.filter(|_| command.known() == Some("ls-files")).unwrap_or_default();
    let extent = Extent::Below(Filter { only: only.into(), ignored, ..Filter::default() });
    Some(vec![Search { starts: vec![Word::text(".")], extent }])
}
