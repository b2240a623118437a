//! File names printed by another command: passed on through a pipe and `xargs`, or by a command substitution.

use super::find::{Search, each};
use super::{below_named, find, grep, grep_below, rg};
use crate::access::{Extent, FileAccess, Filter, Skipped};
use crate::analysis::{Analysis, Simple};
use crate::files::Input;
use crate::files::accesses::FileAccesses;
use crate::files::call::Call;
use crate::files::paths::as_glob;
use crate::stream::CommandId;
use crate::word::{Cause, Directory, Part, Source, Unknown, Word};

/// The most commands of a pipeline that are followed back.
const LENGTH: usize = 16;

/// Returns the possible names that a command gets from others, and its words with [`Source::Each`] in place of them.
/// `None` if it gets no names, or if they can be any.
pub(in crate::files) fn from_input(analysis: &Analysis, command: &Simple) -> Option<(Vec<Search>, Vec<Word>)> {
    let (searches, why) = given_to(analysis, command, command.words.iter())?;
    let within = searches.first().and_then(|search| search.within.as_deref());
    if let Some(words) = marked(&command.words, why, within) {
        return Some((searches, words));
    }
    let searches = searches.into_iter().flat_map(apart).collect();
    Some((searches, marked(&command.words, why, None)?))
}

/// As [`from_input`], for the file of a redirection.
pub(in crate::files) fn redirected(analysis: &Analysis, command: &Simple, file: &Word) -> Option<(Vec<Search>, Word)> {
    let (searches, why) = given_to(analysis, command, std::iter::once(file))?;
    let within = searches.first().and_then(|search| search.within.as_deref());
    let file = std::slice::from_ref(file);
    let (searches, marked) = match marked(file, why, within) {
        Some(words) => (searches, words),
        None => (searches.into_iter().flat_map(apart).collect(), marked(file, why, None)?),
    };
    Some((searches, marked.into_iter().next()?))
}

/// Returns the possible names in some words of a command, and why these are not known.
fn given_to<'w>(
    analysis: &Analysis,
    command: &Simple,
    words: impl Iterator<Item = &'w Word> + Clone,
) -> Option<(Vec<Search>, &'w Unknown)> {
    let unknowns = words.flat_map(|word| &word.parts).filter_map(|part| match part {
        Part::Unknown(unknown) => Some(&unknown.why),
        _ => None,
    });
    let is_given =
        |why: &&Unknown| matches!(why.cause, Cause::Input | Cause::Output) || matches!(why.source, Source::Line(_));
    let mut given = unknowns.filter(is_given);
    let why = given.next()?;
    // With two lists, it would not be known which word is from which.
    if given.any(|other| other != why) {
        return None;
    }
    let searches = match (&why.source, why.cause) {
        (Source::Line(line), _) => {
            analysis.command(line.by).filter(|reader| reader.cwd == command.cwd)?;
            searches(analysis, &line.from, &command.cwd)?
        }
        (_, Cause::Input) => {
            let by = command.via.iter().rev().filter_map(|id| analysis.command(*id));
            let is_xargs = |by: &&Simple| Call::of(by, Input::Open).is(&["xargs", "parallel"]);
            let by = by.into_iter().find(is_xargs)?;
            searches(analysis, &by.piped_from, &by.cwd)?
        }
        _ => lists(substituted(analysis, why)?)?,
    };
    Some((searches, why))
}

/// Returns the searches if names in a directory are used without its path: each result is a name in the working
/// directory, or the operand itself if that is not a directory.
fn apart(search: Search) -> Vec<Search> {
    let shown = search.starts.iter().map(Word::shown).collect::<Vec<_>>().join(" ");
    let doubt = Some(Unknown::new(Cause::Output, format!("ls {shown}")));
    let itself = Search { doubt: doubt.clone(), ..named(search.starts.clone()) };
    let here = Search { starts: vec![Word::text(".")], within: None, doubt, ..search };
    vec![itself, here]
}

/// Returns words with [`Source::Each`] in place of the given names; `None` if the required prefix is not before it.
fn marked(words: &[Word], why: &Unknown, within: Option<&str>) -> Option<Vec<Word>> {
    let is_given = |part: &Part| matches!(part, Part::Unknown(unknown) if unknown.why == *why);
    let marked = words.iter().map(|word| {
        let mut marked = Word::default();
        let mut parts = word.parts.as_slice();
        // The names in another directory follow that directory's path.
        if let Some(within) = within.filter(|_| parts.iter().any(is_given)) {
            parts = match parts.split_first() {
                Some((Part::Text(text), rest)) if text == within => rest,
                _ => return None,
            };
        }
        for part in parts {
            marked.push(if is_given(part) { each() } else { part.clone() });
        }
        Some(marked)
    });
    marked.collect()
}

/// Returns the command whose output a substitution is, if it is a single command.
fn substituted<'a>(analysis: &'a Analysis, why: &Unknown) -> Option<&'a Simple> {
    let Source::Output(output) = &why.source else { return None };
    // Only programs that list names are worth the search.
    let is_list = |program: &str| LISTS.contains(&program);
    output.program().filter(|program| is_list(program))?;
    let is_it = |command: &&Simple| command.in_substitution && output.is_of(&command.words);
    analysis.commands.iter().take(COMMANDS).find(is_it)
}

/// The most commands that are searched for the one of a substitution.
const COMMANDS: usize = 256;

/// Programs that print names.
const LISTS: &[&str] = &["find", "fd", "fdfind", "git", "rg", "grep", "ls"];

/// Follows a pipe back to the command that lists names.
fn searches(analysis: &Analysis, from: &[CommandId], cwd: &Directory) -> Option<Vec<Search>> {
    let mut from = from;
    let mut doubt = None;
    for _ in 0..LENGTH {
        let [before] = from else { return None };
        let at = analysis.command(*before)?;
        from = &at.piped_from;
        if at.cwd != *cwd || at.is_shadowed {
            return None;
        }
        if !passes_on(at) {
            let mut searches = lists(at)?;
            for search in &mut searches {
                search.doubt = search.doubt.take().or_else(|| doubt.clone());
            }
            return Some(searches);
        }
        // Any of the names may be filtered out.
        if at.words.first().and_then(Word::known).is_some_and(|name| name.ends_with("grep")) {
            doubt = Some(unseen(at));
        }
    }
    None
}

/// The reason that a command's output is not fully known.
fn unseen(command: &Simple) -> Unknown {
    Unknown::new(Cause::Output, command.words.iter().map(Word::shown).collect::<Vec<_>>().join(" "))
}

/// Whether a command passes on some of its input lines, and changes none.
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

/// Returns the possible names that a command prints; `None` if they can be any.
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
        let mut accesses = FileAccesses::default();
        match call.is(&["rg"]) {
            true if call.has(&["--files"]) => below_named(&call, call.operands(), &mut accesses),
            true => rg(&call, &mut accesses),
            false if call.is(&["rgrep"]) => grep_below(&call, &mut accesses),
            false => grep(&call, &mut accesses),
        }
        let searches = accesses.found.into_iter();
        // Which files contain the pattern is not seen.
        let doubt = has_names.then(|| unseen(command));
        let search = |access: FileAccess| Search {
            starts: vec![access.path],
            extent: access.extent,
            doubt: doubt.clone(),
            within: None,
        };
        return Some(searches.map(search).collect());
    }
    if call.is(&["seq", "gseq"]) {
        return numbers(&call).map(|numbers| vec![named(numbers)]);
    }
    if call.is(&["ls"]) {
        return by_ls(&call);
    }
    let is_plain = |word: &&Word| word.known().is_some_and(|text| !text.contains(['\\', '%', '\n', '\'', '"']));
    let words = command.words.get(1..).unwrap_or_default();
    let words = match words.split_first() {
        // One line for each word.
        Some((format, words)) if call.is(&["printf"]) && is_lines(format) => words,
        _ => words,
    };
    if call.is(&["echo", "printf"]) && !words.iter().any(|word| !is_plain(&word) || word.prefix().starts_with('-')) {
        let words = words.iter().filter_map(Word::known).flat_map(str::split_whitespace);
        return Some(vec![named(words.map(Word::text).collect())]);
    }
    None
}

/// Makes a search of names that are printed literally.
fn named(starts: Vec<Word>) -> Search {
    Search { starts, extent: Extent::Alone, doubt: None, within: None }
}

/// Whether a format of `printf` prints each word separately.
fn is_lines(format: &Word) -> bool {
    matches!(format.known(), Some("%s\\n" | "%s\\0" | "%s "))
}

/// The most numbers printed by `seq` that are treated as names.
const NUMBERS: u32 = 100;

/// Returns what `seq` prints.
fn numbers(call: &Call<'_>) -> Option<Vec<Word>> {
    let number = |word: &Word| word.known()?.parse::<u32>().ok();
    let (first, last) = match call.words.get(1..)? {
        [last] => (1, number(last)?),
        [first, last] => (number(first)?, number(last)?),
        _ => return None,
    };
    let is_few = last.saturating_sub(first) < NUMBERS;
    is_few.then(|| (first..=last).map(|number| Word::text(number.to_string())).collect())
}

/// Returns what `ls` prints; `None` if it prints more than names.
fn by_ls(call: &Call<'_>) -> Option<Vec<Search>> {
    if let Some(directory) = listed_alone(call) {
        let within = Some(format!("{}/", directory.trim_end_matches('/')));
        return Some(vec![Search { within, ..names_in(directory, call) }]);
    }
    if call.operands().is_empty() {
        return Some(vec![names_in(".", call)]);
    }
    call.words.iter().skip(1).all(is_name_only).then(|| listed(call))
}

/// Makes a search of the names that `ls` prints for a directory: its entries, and nothing deeper.
fn names_in(directory: &str, call: &Call<'_>) -> Search {
    let hidden = if call.has(&["-a", "-A", "--all", "--almost-all"]) { Skipped::No } else { Skipped::Yes };
    let extent = Extent::Below(Filter { only: vec!["/*".to_owned()].into(), hidden, ..Filter::default() });
    Search { starts: vec![Word::text(directory)], extent, doubt: None, within: None }
}

/// Returns what `ls` prints for its operands: files as they are written, and for directories the names in them, which
/// are treated as names in the working directory. Which operands are files is not known, unless all certainly are.
fn listed(call: &Call<'_>) -> Vec<Search> {
    let shown = call.words.iter().map(Word::shown).collect::<Vec<_>>().join(" ");
    let doubt = Some(Unknown::new(Cause::Output, shown));
    let starts: Vec<Word> = call.operands().iter().copied().cloned().collect();
    let lists_directories = !call.has(&["-d", "--directory"]) && !starts.iter().all(names_files);
    let itself = doubt.clone().filter(|_| lists_directories);
    let mut searches = vec![Search { doubt: itself, ..named(starts) }];
    if lists_directories {
        searches.push(Search { doubt, ..names_in(".", call) });
    }
    searches
}

/// Whether a name has an extension that files have, and directories hardly ever.
fn names_files(word: &Word) -> bool {
    const ENDINGS: &[&str] = &[
        "c", "cc", "cpp", "cs", "css", "csv", "go", "h", "hpp", "html", "java", "js", "json", "jsx", "kt", "log",
        "lua", "md", "mjs", "php", "pl", "png", "py", "rb", "rs", "rst", "scss", "sh", "sql", "svg", "swift", "toml",
        "ts", "tsx", "txt", "vue", "xml", "yaml", "yml",
    ];
    let end = word.parts.last().and_then(Part::text).and_then(|text| text.rsplit_once('.'));
    end.is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Returns the one directory whose names `ls` prints, if it prints nothing else.
fn listed_alone<'c>(call: &'c Call<'_>) -> Option<&'c str> {
    let [directory] = call.operands() else { return None };
    let directory = directory.known().filter(|directory| !directory.is_empty() && !directory.starts_with('-'))?;
    let is_alone = call.words.iter().skip(1).all(is_name_only) && !call.has(&["-d", "--directory"]);
    is_alone.then_some(directory)
}

/// Whether `ls` still prints only names with this word: an operand, or an option without such an effect.
fn is_name_only(word: &Word) -> bool {
    const NAMES_ONLY: &str = "1aAdtrSUXv";
    let options = word.prefix().strip_prefix('-');
    word.known().is_some_and(|text| matches!(text, "--all" | "--almost-all" | "--directory"))
        || options
            .is_none_or(|letters| word.known().is_some() && letters.chars().all(|letter| NAMES_ONLY.contains(letter)))
}

/// Options with which `git ls-files` prints only some of the files.
const SOME: &[&str] = &[
    "-m",
    "--modified",
    "-d",
    "--deleted",
    "-o",
    "--others",
    "-i",
    "--ignored",
    "-k",
    "--killed",
    "-x",
    "-X",
    "--exclude",
];

/// Whether a search prints names of files.
fn has_names(call: &Call<'_>) -> bool {
    call.has(&["-l", "-L", "--files-with-matches", "--files-without-match", "--name-only"])
}

/// `git ls-files`, `git diff --name-only`, `git grep -l`: names of files that are tracked.
fn tracked(listing: &Simple, call: &Call<'_>) -> Option<Vec<Search>> {
    let (command, operands) = call.operands().split_first()?;
    let is_listing = match command.known()? {
        "ls-files" => !call.has(&["-s", "--stage", "-u", "--debug", "-v", "-t", "-f", "--format"]),
        "diff" => call.has(&["--name-only"]),
        "grep" => has_names(call) && !call.has(&["--no-index"]),
        _ => false,
    };
    if !is_listing || call.has(&["-C", "--git-dir", "--work-tree"]) {
        return None;
    }
    let takes_others = call.has(&["-o", "--others", "-i", "--ignored"]) && !call.has(&["--exclude-standard"])
        || call.has(&["--ignored", "-i"]);
    let ignored = if takes_others { Skipped::No } else { Skipped::Yes };
    let is_name = |glob: &String| glob.contains('*') && !glob.contains('/');
    let globs: Option<Vec<String>> = operands.iter().map(|word| as_glob(word).filter(is_name)).collect();
    let only = globs.filter(|_| command.known() == Some("ls-files")).unwrap_or_default();
    let except = [".git".to_owned()].into();
    let extent =
        Extent::Below(Filter { only: only.into(), except, ignored, directories: Skipped::Yes, ..Filter::default() });
    // Which of them have changed, are new or contain the pattern is not seen.
    let is_some = command.known() != Some("ls-files") || call.has(SOME);
    let doubt = is_some.then(|| unseen(listing));
    Some(vec![Search { starts: vec![Word::text(".")], extent, doubt, within: None }])
}
