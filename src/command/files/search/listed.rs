//! Names that come from another command: what the first of a pipe lists, `xargs` hands on, and a substitution puts
//! its output among the words.

use super::find::{MARK, Search};
use super::{below_named, find, grep, grep_below, rg};
use crate::command::files::call::Call;
use crate::command::files::paths::as_glob;
use crate::command::files::touching::Touching;
use crate::command::files::{Extent, Filter, Input, Skipped, Touch};
use crate::command::{Analysis, Cause, Part, Simple, Why, Word};

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
    let within = searches.first().and_then(|search| search.within.as_deref());
    let marked = command.words.iter().map(|word| {
        let mut marked = Word::default();
        let mut parts = word.parts.as_slice();
        // The names in another directory are paths behind its own.
        if let Some(within) = within.filter(|_| parts.iter().any(is_given)) {
            parts = match parts.split_first() {
                Some((Part::Text(text), rest)) if text == within => rest,
                _ => return None,
            };
        }
        for part in parts {
            marked.push(if is_given(part) { Part::Text(MARK.to_owned()) } else { part.clone() });
        }
        Some(marked)
    });
    let marked = marked.collect::<Option<_>>()?;
    Some((searches, marked))
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
    let mut doubt = None;
    for _ in 0..LENGTH {
        let [before] = at.piped_from.as_slice() else { return None };
        at = analysis.command(*before)?;
        if at.cwd != command.cwd || at.is_shadowed {
            return None;
        }
        if !passes_on(at) {
            let mut searches = lists(at)?;
            for search in &mut searches {
                search.doubt = search.doubt.take().or_else(|| doubt.clone());
            }
            return Some(searches);
        }
        // Any of the names may be left out.
        if at.words.first().and_then(Word::known).is_some_and(|name| name.ends_with("grep")) {
            doubt = Some(unseen(at));
        }
    }
    None
}

/// Says that what a command prints is not known in full.
fn unseen(command: &Simple) -> Why {
    Why::new(Cause::Output, command.words.iter().map(Word::shown).collect::<Vec<_>>().join(" "))
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
        return tracked(command, &call);
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
        // Which files hold the pattern is not seen.
        let doubt = has_names.then(|| unseen(command));
        let search = |touch: Touch| Search {
            starts: vec![touch.path],
            extent: touch.extent,
            doubt: doubt.clone(),
            within: None,
        };
        return Some(searches.map(search).collect());
    }
    let is_ls = call.is(&["ls"]);
    if let Some(directory) = is_ls.then(|| listed_alone(&call)).flatten() {
        let hidden = if call.has(&["-a", "-A", "--all", "--almost-all"]) { Skipped::No } else { Skipped::Yes };
        let extent = Extent::Below(Filter { only: vec!["/*".to_owned()].into(), hidden, ..Filter::default() });
        let within = Some(format!("{}/", directory.trim_end_matches('/')));
        return Some(vec![Search { starts: vec![Word::text(directory)], extent, doubt: None, within }]);
    }
    if is_ls && call.operands().is_empty() {
        let hidden = if call.has(&["-a", "-A", "--all", "--almost-all"]) { Skipped::No } else { Skipped::Yes };
        // What it prints lies here, and no deeper.
        let extent = Extent::Below(Filter { only: vec!["/*".to_owned()].into(), hidden, ..Filter::default() });
        return Some(vec![Search { starts: vec![Word::text(".")], extent, doubt: None, within: None }]);
    }
    let is_plain = |word: &&Word| word.known().is_some_and(|text| !text.contains(['\\', '%', '\n', '\'', '"']));
    if call.is(&["echo", "printf"])
        && !command.words.iter().any(|word| !is_plain(&word) || word.prefix().starts_with('-'))
    {
        let words = command.words.iter().skip(1).filter_map(Word::known).flat_map(str::split_whitespace);
        return Some(vec![Search {
            starts: words.map(Word::text).collect(),
            extent: Extent::Alone,
            doubt: None,
            within: None,
        }]);
    }
    None
}

/// Returns the one directory of which `ls` prints the names, and nothing beside them.
fn listed_alone<'c>(call: &'c Call<'_>) -> Option<&'c str> {
    const NAMES_ONLY: &str = "1aAtrSUXv";
    let [directory] = call.operands() else { return None };
    let is_plain = |word: &Word| {
        let options = word.known().and_then(|text| text.strip_prefix('-'));
        options.is_none_or(|letters| letters.chars().all(|letter| NAMES_ONLY.contains(letter)))
    };
    let directory = directory.known().filter(|directory| !directory.is_empty() && !directory.starts_with('-'))?;
    call.words.iter().skip(1).all(is_plain).then_some(directory)
}

/// `git ls-files`, `git diff --name-only`: names of files that are tracked.
fn tracked(listing: &Simple, call: &Call<'_>) -> Option<Vec<Search>> {
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
    // Which of them have changed is not seen.
    let doubt = (command.known() == Some("diff")).then(|| unseen(listing));
    Some(vec![Search { starts: vec![Word::text(".")], extent, doubt, within: None }])
}
