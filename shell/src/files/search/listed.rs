//! File names printed by another command: passed on through a pipe and `xargs`, or by a command substitution.

use super::find::{Search, each};
use super::{below_named, find, grep, grep_below, rg};
use crate::access::{Extent, FileAccess, Filter, Skipped};
use crate::analysis::{Analysis, Simple};
use crate::files::Input;
use crate::files::accesses::FileAccesses;
use crate::files::call::Call;
use crate::files::paths::{as_glob, glob_word};
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

/// Programs that print their operands, or what is below them.
const OPERANDS: &[&str] =
    &["ls", "dir", "vdir", "echo", "printf", "stat", "basename", "realpath", "readlink", "du", "tar", "wc", "file"];

/// Whether a program prints the names among its operands: where it prints them for another command, the names that its
/// globs expand to are that command's.
#[must_use]
pub fn prints_operands(program: &str) -> bool {
    OPERANDS.contains(&program)
}

/// Programs that print names.
const LISTS: &[&str] = &[
    "find", "fd", "fdfind", "git", "rg", "grep", "ls", "dir", "vdir", "echo", "printf", "compgen", "stat", "basename",
    "realpath", "readlink", "du", "tree", "tar",
];

/// Follows a pipe back to the command that lists names.
fn searches(analysis: &Analysis, from: &[CommandId], cwd: &Directory) -> Option<Vec<Search>> {
    let mut from = from;
    let mut doubt = None;
    let mut only: Option<Vec<String>> = None;
    let mut is_column = false;
    for _ in 0..LENGTH {
        let [before] = from else { return None };
        let at = analysis.command(*before)?;
        from = &at.piped_from;
        if at.cwd != *cwd || at.is_shadowed {
            return None;
        }
        if picks_column(at) {
            is_column = true;
            doubt.get_or_insert_with(|| unseen(at));
            continue;
        }
        if !passes_on(at) {
            let mut searches = match is_column {
                true => in_columns(at)?,
                false => lists(at).or_else(|| archived(analysis, at))?,
            };
            for search in &mut searches {
                search.doubt = search.doubt.take().or_else(|| doubt.clone());
                if let (Extent::Below(filter), Some(only)) = (&mut search.extent, &only) {
                    narrow(filter, only);
                }
            }
            return Some(searches);
        }
        // Any of the names may be filtered out.
        if at.words.first().and_then(Word::known).is_some_and(|name| name.ends_with("grep")) {
            doubt.get_or_insert_with(|| unseen(at));
            only = endings(at).or(only);
        }
    }
    None
}

/// Restricts a filter that selects all names to those that match globs.
fn narrow(filter: &mut Filter, only: &[String]) {
    match &*filter.only {
        [] => filter.only = only.into(),
        [entries] if entries == ENTRIES => filter.only = only.iter().map(|glob| format!("/{glob}")).collect(),
        _ => {}
    }
}

/// Returns globs of the names that a filter passes on, if its pattern is about their endings: `grep '\.py$'`.
fn endings(filter: &Simple) -> Option<Vec<String>> {
    let call = Call::of(filter, Input::Given);
    if call.has(&["-v", "--invert-match", "-F", "--fixed-strings", "-P", "--perl-regexp", "-i", "--ignore-case"]) {
        return None;
    }
    let pattern = call.value(&["-e", "--regexp"]).or_else(|| call.operands().first().copied())?.known()?;
    let ending = pattern.strip_suffix('$')?.strip_prefix("\\.")?;
    let is_extended = call.is(&["egrep"]) || call.has(&["-E", "--extended-regexp"]);
    let group = if is_extended { ending.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) } else { None };
    let words: Vec<&str> = group.map_or_else(|| vec![ending], |group| group.split('|').collect());
    let is_plain = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    words.iter().all(is_plain).then(|| words.iter().map(|word| format!("*.{word}")).collect())
}

/// Whether a command passes on one column of its input: `cut -f2`, `awk '{print $2}'`.
fn picks_column(command: &Simple) -> bool {
    let call = Call::of(command, Input::Given);
    if !command.redirects.is_empty() {
        return false;
    }
    if call.is(&["cut"]) {
        return call.operands().is_empty() && call.has(&["-f", "--fields"]);
    }
    let program = call.operands().first().and_then(|word| word.known()).unwrap_or_default();
    let column = || {
        let printed = program.trim().strip_prefix('{')?.strip_suffix('}')?.trim().strip_prefix("print")?;
        printed.trim().strip_prefix('$')
    };
    call.is(&["awk", "gawk", "mawk", "nawk"])
        && call.operands().len() == 1
        && column()
            .is_some_and(|column| column == "NF" || !column.is_empty() && column.bytes().all(|c| c.is_ascii_digit()))
}

/// Returns the possible names in a column of what a command prints.
fn in_columns(command: &Simple) -> Option<Vec<Search>> {
    let call = Call::of(command, Input::Open);
    let operands = || call.operands().iter().map(|word| (*word).clone()).collect::<Vec<Word>>();
    if call.is(&["du", "gdu"]) {
        return by_du(&call);
    }
    if call.is(&["ls", "gls", "dir", "vdir"]) {
        let is_here = call.operands().is_empty();
        return Some(if is_here { vec![names_in(".", &call)] } else { listed(&call) });
    }
    if call.is(&["find", "gfind"]) {
        return find::printed_with_more(&command.words).map(|search| vec![search]);
    }
    let names_operands = ["stat", "wc", "file", "md5sum", "sha1sum", "sha256sum", "cksum"];
    (call.is(&names_operands) && !call.operands().is_empty()).then(|| vec![named(operands())])
}

/// Returns what `du` prints: what is below its operands.
fn by_du(call: &Call<'_>) -> Option<Vec<Search>> {
    let mut starts: Vec<Word> = call.operands().iter().map(|word| (*word).clone()).collect();
    if starts.is_empty() {
        starts.push(Word::text("."));
    }
    if call.has(&["-s", "--summarize"]) {
        return Some(vec![named(starts)]);
    }
    let files = if call.has(&["-a", "--all"]) { Skipped::No } else { Skipped::Yes };
    // Without the option it prints directories only: what is done to one may reach the files in it.
    let doubt = (files == Skipped::Yes).then(|| Unknown::new(Cause::Picked, "du"));
    Some(vec![Search { starts, extent: Extent::Below(Filter::default()), doubt, within: None }])
}

/// Returns the names in the archive that a command lists, if another one makes it on its standard input.
fn archived(analysis: &Analysis, command: &Simple) -> Option<Vec<Search>> {
    let call = Call::of(command, Input::Given);
    let [made] = command.piped_from.as_slice() else { return None };
    let maker = analysis.command(*made).filter(|maker| maker.cwd == command.cwd)?;
    let making = Call::of(maker, Input::Open);
    if !call.is(&["tar", "gtar", "bsdtar"])
        || !making.is(&["tar", "gtar", "bsdtar"])
        || making.has(&["-C", "--directory"])
    {
        return None;
    }
    let is_name = |word: &&Word| !matches!(word.known(), Some("-"));
    // The first operand may be the old form of the options: `tar cf - x`.
    let operands = making.operands().iter().copied().filter(is_name);
    let starts: Vec<Word> =
        operands.filter(|word| !matches!(word.known(), Some("c" | "cf" | "cvf" | "czf"))).cloned().collect();
    (!starts.is_empty())
        .then(|| vec![Search { starts, extent: Extent::Below(Filter::default()), doubt: None, within: None }])
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
    type Reader = fn(&Simple, &Call<'_>) -> Option<Vec<Search>>;
    const READERS: &[(&[&str], Reader)] = &[
        (&["find", "gfind"], |command, _| find::printed(&command.words).map(|search| vec![search])),
        (&["fd", "fdfind"], |_, call| find::found(call).map(|search| vec![search])),
        (&["git"], tracked),
        (&["rg", "grep", "egrep", "fgrep", "rgrep"], by_grep),
        (&["seq", "gseq"], |_, call| numbers(call).map(|numbers| vec![named(numbers)])),
        (&["ls", "gls", "dir"], |_, call| by_ls(call)),
        (&["compgen"], |_, call| completed(call)),
        (&["stat", "gstat"], |_, call| by_stat(call)),
        (&["readlink", "greadlink"], |_, call| call.has(&["-f", "-e", "-m"]).then(|| vec![named(operands(call))])),
        (&["realpath", "grealpath"], |_, call| {
            let is_changed = call.has(&["--relative-to", "--relative-base"]);
            (!is_changed).then(|| vec![named(operands(call))])
        }),
        (&["basename", "gbasename"], |_, call| by_basename(call)),
        (&["tree"], |_, call| by_tree(call)),
        (&["echo", "printf"], |_, call| printed(call)),
    ];
    let call = Call::of(command, Input::Open);
    READERS.iter().find(|(names, _)| call.is(names)).and_then(|(_, read)| read(command, &call))
}

fn operands(call: &Call<'_>) -> Vec<Word> {
    call.operands().iter().map(|word| (*word).clone()).collect()
}

/// Returns the files that grep or rg names.
fn by_grep(command: &Simple, call: &Call<'_>) -> Option<Vec<Search>> {
    let has_names = call.has(&["-l", "-L", "--files-with-matches", "--files-without-match"]);
    let lists_all = call.is(&["rg"]) && call.has(&["--files"]);
    if !has_names && !lists_all {
        return None;
    }
    let mut accesses = FileAccesses::default();
    match call.is(&["rg"]) {
        true if lists_all => below_named(call, call.operands(), &mut accesses),
        true => rg(call, &mut accesses),
        false if call.is(&["rgrep"]) => grep_below(call, &mut accesses),
        false => grep(call, &mut accesses),
    }
    // Which files contain the pattern is not seen.
    let doubt = has_names.then(|| unseen(command));
    let search = |access: FileAccess| Search {
        starts: vec![access.path],
        extent: access.extent,
        doubt: doubt.clone(),
        within: None,
    };
    Some(accesses.found.into_iter().map(search).collect())
}

fn by_stat(call: &Call<'_>) -> Option<Vec<Search>> {
    let format = ["-c", "--format", "--printf"].iter().find_map(|name| call.value(&[*name]))?.known()?;
    matches!(format, "%n" | "%n\\n" | "%n\\0").then(|| vec![named(operands(call))])
}

fn by_basename(call: &Call<'_>) -> Option<Vec<Search>> {
    // Another operand is a suffix, unless there may be several names.
    let is_whole = call.has(&["-a", "--multiple"]) || call.operands().len() == 1;
    let names = operands(call).iter().map(last_name).collect::<Option<_>>()?;
    (is_whole && !call.has(&["-s", "--suffix"])).then(|| vec![named(names)])
}

/// Returns the words that `echo` and `printf` print.
fn printed(call: &Call<'_>) -> Option<Vec<Search>> {
    let words = call.words.get(1..).unwrap_or_default();
    let words = match words.split_first() {
        // One line for each word.
        Some((format, words)) if call.is(&["printf"]) && is_lines(format) => words,
        Some((option, words)) if call.is(&["echo"]) && matches!(option.known(), Some("-n" | "-e" | "-E")) => words,
        _ => words,
    };
    let is_unquoted = |text: &str| !text.contains(['\\', '%', '\n', '\'', '"']);
    // A glob expands to names.
    let is_glob = |word: &&Word| {
        word.as_matched().is_some() && word.parts.iter().filter_map(Part::text).all(|text| !text.contains(' '))
    };
    let is_plain = |word: &&Word| word.known().is_some_and(is_unquoted) || is_glob(word);
    if words.iter().any(|word| !is_plain(&word) || word.prefix().starts_with('-')) {
        return None;
    }
    let names = words.iter().flat_map(|word| match word.known() {
        Some(text) => text.split_whitespace().map(Word::text).collect(),
        None => vec![word.clone()],
    });
    Some(vec![named(names.collect())])
}

/// Returns what `compgen` prints, if it is the names that match a glob or begin with a text.
fn completed(call: &Call<'_>) -> Option<Vec<Search>> {
    if let Some(glob) = call.value(&["-G"]) {
        return Some(vec![named(vec![glob_word(glob.known()?)])]);
    }
    if !call.has(&["-f", "-d", "-A"]) {
        return None;
    }
    let start = call.operands().first().map_or(Some(""), |word| word.known())?;
    // Hidden names count, unlike those that a glob expands to.
    Some(vec![named(vec![glob_word(&format!("{start}*")), glob_word(&format!("{start}.*"))])])
}

/// Returns the name at the end of a path, which may be a glob.
fn last_name(path: &Word) -> Option<Word> {
    let written: String = path.parts.iter().map(Part::written).collect::<Option<_>>()?;
    let name = written.trim_end_matches('/').rsplit('/').next()?;
    Some(if path.known().is_some() { Word::text(name) } else { glob_word(name) })
}

/// Returns what `tree` prints with the options that make it a list of paths.
fn by_tree(call: &Call<'_>) -> Option<Vec<Search>> {
    if !call.has(&["-f"]) || !call.has(&["-i"]) {
        return None;
    }
    let mut starts: Vec<Word> = call.operands().iter().map(|word| (*word).clone()).collect();
    if starts.is_empty() {
        starts.push(Word::text("."));
    }
    let hidden = if call.has(&["-a"]) { Skipped::No } else { Skipped::Yes };
    let extent = Extent::Below(Filter { hidden, ..Filter::default() });
    Some(vec![Search { starts, extent, doubt: None, within: None }])
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

/// The glob of the entries of a directory, and nothing deeper.
const ENTRIES: &str = "/*";

/// Makes a search of the names that `ls` prints for a directory: its entries, and nothing deeper.
fn names_in(directory: &str, call: &Call<'_>) -> Search {
    let hidden = if call.has(&["-a", "-A", "--all", "--almost-all"]) { Skipped::No } else { Skipped::Yes };
    let extent = Extent::Below(Filter { only: vec![ENTRIES.to_owned()].into(), hidden, ..Filter::default() });
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
    // Which of them have changed, are new or contain the pattern is not seen.
    let is_some = command.known() != Some("ls-files") || call.has(SOME);
    let untracked = if call.has(&["-o", "--others"]) { Skipped::No } else { Skipped::Yes };
    let doubt = is_some.then(|| unseen(listing));
    let paths = match (command.known(), call.around_dashes()) {
        (_, (_, Some(behind))) => behind,
        (Some("ls-files"), _) => operands,
        _ => &[],
    };
    let places: Vec<Place> = paths.iter().map(|path| place(path)).collect::<Option<_>>().unwrap_or_default();
    let places = if places.is_empty() { vec![Place { start: Word::text("."), name: None }] } else { places };
    let search = |Place { start, name }: Place| {
        let except = [".git".to_owned()].into();
        let only = name.into_iter().collect();
        let filter = Filter { only, except, ignored, untracked, directories: Skipped::Yes, ..Filter::default() };
        Search { starts: vec![start], extent: Extent::Below(filter), doubt: doubt.clone(), within: None }
    };
    Some(places.into_iter().map(search).collect())
}

/// Where a pathspec of git selects files, and the glob that their names match.
struct Place {
    start: Word,
    name: Option<String>,
}

/// Parses a pathspec: a path, a glob of names, or such a glob behind a directory. `None` for any other.
fn place(path: &Word) -> Option<Place> {
    let text = as_glob(path).filter(|text| !text.is_empty() && !text.starts_with(':'))?;
    let is_wild = |text: &str| text.contains(['*', '?', '[', '\\']);
    let (directory, name) = text.rsplit_once('/').unwrap_or((".", &text));
    if !is_wild(&text) {
        return Some(Place { start: Word::text(text.trim_end_matches('/')), name: None });
    }
    // A `*` stands for slashes too, so the directories behind it do not matter.
    let known: Vec<&str> = directory.split('/').take_while(|part| !is_wild(part)).collect();
    (name.contains('*')).then(|| Place { start: Word::text(known.join("/")), name: Some(name.to_owned()) })
}
