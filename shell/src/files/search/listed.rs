//! Finds the file names that a command gets from the output of another one: through a pipe and `xargs`, a command
//! substitution, or `read`.

use super::find::{FileSearch, result_part, results_part};
use super::{add_paths_below, find, grep, grep_below, rg};
use crate::access::{AccessExtent, FileAccess, FileFilter, FileSkipping};
use crate::analysis::{Analysis, SimpleCommand};
use crate::files::StdinKind;
use crate::files::accesses::FileAccesses;
use crate::files::call::ParsedCommand;
use crate::files::paths::{as_glob, glob_word};
use crate::glob::{Fit, Glob};
use crate::integer;
use crate::stream::CommandId;
use crate::word::{Cause, Directory, Unknown, ValueSource, Word, WordPart};

/// The maximum number of commands by which a pipeline is traced back.
const MAX_PIPELINE_LEN: usize = 16;

/// Returns the file names that a command gets from the output of others, as searches, and its words with a
/// [`ValueSource::OneOfFiles`] part in place of these names. `None` if it gets none, or if they can be any names.
pub(in crate::files) fn names_from_input(
    analysis: &Analysis,
    command: &SimpleCommand,
) -> Option<(Vec<FileSearch>, Vec<Word>)> {
    let (searches, why) = names_in_words(analysis, command, command.words.iter())?;
    let prefix = searches.first().and_then(|search| search.path_prefix.as_deref());
    if let Some(words) = mark_names(&command.words, why, prefix) {
        return Some((searches, words));
    }
    let searches = searches.into_iter().flat_map(as_bare_names).collect();
    Some((searches, mark_names(&command.words, why, None)?))
}

/// Does the same as [`names_from_input`] for the target of a redirection.
pub(in crate::files) fn names_in_redirect(
    analysis: &Analysis,
    command: &SimpleCommand,
    file: &Word,
) -> Option<(Vec<FileSearch>, Word)> {
    let (searches, why) = names_in_words(analysis, command, std::iter::once(file))?;
    let prefix = searches.first().and_then(|search| search.path_prefix.as_deref());
    let file = std::slice::from_ref(file);
    let (searches, marked) = match mark_names(file, why, prefix) {
        Some(words) => (searches, words),
        None => (searches.into_iter().flat_map(as_bare_names).collect(), mark_names(file, why, None)?),
    };
    Some((searches, marked.into_iter().next()?))
}

/// Returns the file names that may replace the unknown parts of some words, as searches, and the reason that marks
/// these parts.
pub(super) fn names_in_words<'w>(
    analysis: &Analysis,
    command: &SimpleCommand,
    words: impl Iterator<Item = &'w Word> + Clone,
) -> Option<(Vec<FileSearch>, &'w Unknown)> {
    let unknowns = words.flat_map(|word| &word.parts).filter_map(|part| match part {
        WordPart::Unknown(unknown) => Some(&unknown.reason),
        _ => None,
    });
    let is_from_output = |why: &&Unknown| {
        matches!(why.cause, Cause::Input | Cause::Output) || matches!(why.source, ValueSource::ReadVariable(_))
    };
    let mut reasons = unknowns.filter(is_from_output);
    let why = reasons.next()?;
    // If there are two sources of names, they are not told apart.
    if reasons.any(|other| other != why) {
        return None;
    }
    let searches = match (&why.source, why.cause) {
        (ValueSource::ReadVariable(line), _) => {
            analysis.command(line.reader).filter(|reader| reader.cwd == command.cwd)?;
            searches(analysis, &line.writers, &command.cwd)?
        }
        (_, Cause::Input) => {
            let runner = command.outer_commands.iter().rev().filter_map(|id| analysis.command(*id));
            let is_xargs = |runner: &&SimpleCommand| {
                ParsedCommand::from_command(runner, StdinKind::Inherited).is_program(&["xargs", "parallel"])
            };
            let runner = runner.into_iter().find(is_xargs)?;
            searches(analysis, &runner.piped_from, &runner.cwd)?
        }
        _ => substituted_names(analysis, why)?,
    };
    Some((searches, why))
}

/// Converts a search for names in a directory, for a command that uses them without the path of the directory: it takes
/// them for names in the working directory. The operand of `ls` itself is possible too, because it may be a file.
fn as_bare_names(search: FileSearch) -> Vec<FileSearch> {
    let shown = search.starts.iter().map(Word::display_text).collect::<Vec<_>>().join(" ");
    let doubt = Some(Unknown::new(Cause::Output, format!("ls {shown}")));
    let itself = FileSearch { doubt: doubt.clone(), ..literal_names(search.starts.clone()) };
    let here = FileSearch { starts: vec![Word::text(".")], path_prefix: None, doubt, ..search };
    vec![itself, here]
}

/// Replaces the names in words by [`ValueSource::OneOfFiles`] parts. `None` if `prefix`, which the names need, is not
/// before them.
fn mark_names(words: &[Word], why: &Unknown, prefix: Option<&str>) -> Option<Vec<Word>> {
    let is_name = |part: &WordPart| matches!(part, WordPart::Unknown(unknown) if unknown.reason == *why);
    let marked = words.iter().map(|word| {
        let mut marked = Word::default();
        let mut parts = word.parts.as_slice();
        // Names in another directory follow the path of that directory.
        if let Some(prefix) = prefix.filter(|_| parts.iter().any(is_name)) {
            parts = match parts.split_first() {
                Some((WordPart::Text(text), rest)) if text == prefix => rest,
                _ => return None,
            };
        }
        for part in parts {
            marked.push(match part {
                WordPart::Unknown(unknown) if is_name(part) && unknown.reason.source == ValueSource::InputWords => {
                    results_part()
                }
                part if is_name(part) => result_part(),
                part => part.clone(),
            });
        }
        Some(marked)
    });
    marked.collect()
}

/// Returns the names that a command substitution lists, as searches. What filters leave of them is not certain.
fn substituted_names(analysis: &Analysis, why: &Unknown) -> Option<Vec<FileSearch>> {
    let command = substituted_command(analysis, why)?;
    let mut searches = listed_names(command)?;
    if matches!(&why.source, ValueSource::Output(output) if output.is_filtered()) {
        searches
            .iter_mut()
            .for_each(|search| search.doubt = search.doubt.take().or_else(|| Some(output_reason(command))));
    }
    Some(searches)
}

/// Returns the command whose output, or a part of it, replaces a command substitution, if it lists names.
fn substituted_command<'a>(analysis: &'a Analysis, why: &Unknown) -> Option<&'a SimpleCommand> {
    let ValueSource::Output(output) = &why.source else { return None };
    // The commands are searched only if the program lists names.
    let is_list = |program: &str| LISTING_PROGRAMS.contains(&program);
    output.program().filter(|program| is_list(program))?;
    let is_match = |glob: &Word, file: &Word| {
        let is_glob = glob.parts.iter().any(|part| matches!(part, WordPart::Glob(_)));
        is_glob && as_glob(glob).is_some_and(|glob| Glob::new(&glob).test(file) == Fit::Yes)
    };
    let is_source = |command: &&SimpleCommand| command.in_substitution && output.is_output_of(&command.words, is_match);
    analysis.commands.iter().take(MAX_SEARCHED_COMMANDS).find(is_source)
}

/// The maximum number of commands among which the command of a substitution is searched for.
const MAX_SEARCHED_COMMANDS: usize = 256;

/// Programs that print their operands, or the names of files below them.
const OPERAND_PRINTERS: &[&str] =
    &["ls", "dir", "vdir", "echo", "printf", "stat", "basename", "realpath", "readlink", "du", "tar", "wc", "file"];

/// Whether a program prints the names in its operands. If so, the names to which a glob expands become operands of the
/// next command: in `ls *.c | xargs rm`, those of `rm`.
#[must_use]
pub fn prints_operands(program: &str) -> bool {
    OPERAND_PRINTERS.contains(&program)
}

/// Programs that print names of files.
const LISTING_PROGRAMS: &[&str] = &[
    "find", "fd", "fdfind", "git", "rg", "grep", "ls", "dir", "vdir", "echo", "printf", "compgen", "stat", "basename",
    "realpath", "readlink", "du", "tree", "tar",
];

/// Traces a pipe back to the command that lists names, and returns these as searches. `None` if another command in the
/// pipe changes the names.
fn searches(analysis: &Analysis, sources: &[CommandId], cwd: &Directory) -> Option<Vec<FileSearch>> {
    let mut sources = sources;
    let mut doubt = None;
    let mut only: Option<Vec<String>> = None;
    let mut is_column = false;
    for _ in 0..MAX_PIPELINE_LEN {
        let [previous] = sources else { return None };
        let command = analysis.command(*previous)?;
        sources = &command.piped_from;
        if command.cwd != *cwd || command.is_shadowed {
            return None;
        }
        if picks_column(command) {
            is_column = true;
            doubt.get_or_insert_with(|| output_reason(command));
            continue;
        }
        if !is_line_filter(command) {
            let mut searches = match is_column {
                true => column_names(command)?,
                false => listed_names(command).or_else(|| archive_names(analysis, command))?,
            };
            for search in &mut searches {
                search.doubt = search.doubt.take().or_else(|| doubt.clone());
                if let (AccessExtent::Below(filter), Some(only)) = (&mut search.extent, &only) {
                    narrow(filter, only);
                }
            }
            return Some(searches);
        }
        // The `grep` may drop any of the names.
        if command.words.first().and_then(Word::known_text).is_some_and(|name| name.ends_with("grep")) {
            doubt.get_or_insert_with(|| output_reason(command));
            only = endings(command).or(only);
        }
    }
    None
}

/// Restricts a filter to names that match these globs, if it selects all names.
fn narrow(filter: &mut FileFilter, only: &[String]) {
    match &*filter.only {
        [] => filter.only = only.into(),
        [entries] if entries == ENTRIES => filter.only = only.iter().map(|glob| format!("/{glob}")).collect(),
        _ => {}
    }
}

/// Returns globs of the names that a `grep` passes on, if its pattern only tests their ending: `*.py` for `grep
/// '\.py$'`.
fn endings(filter: &SimpleCommand) -> Option<Vec<String>> {
    let call = ParsedCommand::from_command(filter, StdinKind::Provided);
    if call.has_option(&["-v", "--invert-match", "-F", "--fixed-strings", "-P", "--perl-regexp", "-i", "--ignore-case"])
    {
        return None;
    }
    let pattern = call.value(&["-e", "--regexp"]).or_else(|| call.operands().first().copied())?.known_text()?;
    let ending = pattern.strip_suffix('$')?.strip_prefix("\\.")?;
    let is_extended = call.is_program(&["egrep"]) || call.has_option(&["-E", "--extended-regexp"]);
    let group = if is_extended { ending.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) } else { None };
    let words: Vec<&str> = group.map_or_else(|| vec![ending], |group| group.split('|').collect());
    let is_plain = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    words.iter().all(is_plain).then(|| words.iter().map(|word| format!("*.{word}")).collect())
}

/// Whether a command only passes on one column of its input: `cut -f2`, `awk '{print $2}'`.
fn picks_column(command: &SimpleCommand) -> bool {
    let call = ParsedCommand::from_command(command, StdinKind::Provided);
    if !command.redirects.is_empty() {
        return false;
    }
    if call.is_program(&["cut"]) {
        return call.operands().is_empty() && call.has_option(&["-f", "--fields"]);
    }
    let program = call.operands().first().and_then(|word| word.known_text()).unwrap_or_default();
    let column = || {
        let printed = program.trim().strip_prefix('{')?.strip_suffix('}')?.trim().strip_prefix("print")?;
        printed.trim().strip_prefix('$')
    };
    call.is_program(&["awk", "gawk", "mawk", "nawk"])
        && call.operands().len() == 1
        && column()
            .is_some_and(|column| column == "NF" || !column.is_empty() && column.bytes().all(|c| c.is_ascii_digit()))
}

/// Returns the names in a column of the output of `du`, `ls -l`, `find -ls`, `stat`, `wc` and similar programs, as
/// searches. `None` for other programs.
fn column_names(command: &SimpleCommand) -> Option<Vec<FileSearch>> {
    let call = ParsedCommand::from_command(command, StdinKind::Inherited);
    let operands = || call.operands().iter().map(|word| (*word).clone()).collect::<Vec<Word>>();
    if call.is_program(&["du", "gdu"]) {
        return du_names(&call);
    }
    if call.is_program(&["ls", "gls", "dir", "vdir"]) {
        let is_here = call.operands().is_empty();
        return Some(if is_here { vec![directory_entries(".", &call)] } else { ls_operands(&call) });
    }
    if call.is_program(&["find", "gfind"]) {
        return find::printed_columns(&command.words).map(|search| vec![search]);
    }
    let names_operands = ["stat", "wc", "file", "md5sum", "sha1sum", "sha256sum", "cksum"];
    (call.is_program(&names_operands) && !call.operands().is_empty()).then(|| vec![literal_names(operands())])
}

/// Returns the names that `du` prints: of directories or, with `-a`, of all files below its operands.
fn du_names(call: &ParsedCommand<'_>) -> Option<Vec<FileSearch>> {
    let mut starts: Vec<Word> = call.operands().iter().map(|word| (*word).clone()).collect();
    if starts.is_empty() {
        starts.push(Word::text("."));
    }
    if call.has_option(&["-s", "--summarize"]) {
        return Some(vec![literal_names(starts)]);
    }
    let files = if call.has_option(&["-a", "--all"]) { FileSkipping::No } else { FileSkipping::Yes };
    // Without `-a`, it prints directories only, but an access to a directory may reach the files in it.
    let doubt = (files == FileSkipping::Yes).then(|| Unknown::new(Cause::FileSelection, "du"));
    Some(vec![FileSearch { starts, extent: AccessExtent::Below(FileFilter::default()), doubt, path_prefix: None }])
}

/// Returns the names that `tar -t` prints, if it reads the archive from a pipe to which a `tar` with named files writes
/// it.
fn archive_names(analysis: &Analysis, command: &SimpleCommand) -> Option<Vec<FileSearch>> {
    let call = ParsedCommand::from_command(command, StdinKind::Provided);
    let [packer_id] = command.piped_from.as_slice() else { return None };
    let packer = analysis.command(*packer_id).filter(|packer| packer.cwd == command.cwd)?;
    let packing = ParsedCommand::from_command(packer, StdinKind::Inherited);
    if !call.is_program(&["tar", "gtar", "bsdtar"])
        || !packing.is_program(&["tar", "gtar", "bsdtar"])
        || packing.has_option(&["-C", "--directory"])
    {
        return None;
    }
    let is_name = |word: &&Word| !matches!(word.known_text(), Some("-"));
    // The first operand may be options in the old form: `tar cf - x`.
    let operands = packing.operands().iter().copied().filter(is_name);
    let starts: Vec<Word> =
        operands.filter(|word| !matches!(word.known_text(), Some("c" | "cf" | "cvf" | "czf"))).cloned().collect();
    (!starts.is_empty()).then(|| {
        vec![FileSearch { starts, extent: AccessExtent::Below(FileFilter::default()), doubt: None, path_prefix: None }]
    })
}

/// Returns the reason why the output of a command is not fully known.
fn output_reason(command: &SimpleCommand) -> Unknown {
    Unknown::new(Cause::Output, command.words.iter().map(Word::display_text).collect::<Vec<_>>().join(" "))
}

/// Whether a command only passes on some or all lines of its input without changing them.
pub(crate) fn is_line_filter(command: &SimpleCommand) -> bool {
    const CHANGES: &[&str] = &["-o", "-n", "-c", "-H", "-b", "-r", "-R", "--color", "-A", "-B", "-C"];
    let call = ParsedCommand::from_command(command, StdinKind::Provided);
    let words: Vec<Option<&str>> = command.words.iter().skip(1).map(Word::known_text).collect();
    if !command.redirects.is_empty() {
        return false;
    }
    if call.is_program(&["sort", "uniq", "head", "tail", "tac", "shuf", "cat"]) {
        let changes =
            call.is_program(&["uniq"]) && call.has_option(&["-c"]) || call.is_program(&["cat"]) && words.len() > 1;
        return call.operands().is_empty() && !changes;
    }
    if call.is_program(&["grep", "egrep", "fgrep"]) {
        return call.operands().len() == usize::from(!call.has_option(&["-e"]))
            && !call.has_option(CHANGES)
            && !call.has_option(&["-f"]);
    }
    call.is_program(&["tr"]) && words == [Some("\\n"), Some("\\0")]
}

/// Returns the names that a command prints, as searches. `None` if they can be any names.
fn listed_names(command: &SimpleCommand) -> Option<Vec<FileSearch>> {
    type Reader = fn(&SimpleCommand, &ParsedCommand<'_>) -> Option<Vec<FileSearch>>;
    const READERS: &[(&[&str], Reader)] = &[
        (&["find", "gfind"], |command, _| find::printed_names(&command.words).map(|search| vec![search])),
        (&["fd", "fdfind"], |_, call| find::fd_output(call).map(|search| vec![search])),
        (&["git"], tracked_names),
        (&["rg", "grep", "egrep", "fgrep", "rgrep"], by_grep),
        (&["seq", "gseq"], |_, call| {
            let numbers = integer::sequence(call.words.iter().skip(1).map(Word::known_text))?;
            Some(vec![literal_names(numbers.map(|number| Word::text(number.to_string())).collect())])
        }),
        (&["ls", "gls", "dir"], |_, call| ls_names(call)),
        (&["compgen"], |_, call| compgen_names(call)),
        (&["stat", "gstat"], |_, call| by_stat(call)),
        (&["readlink", "greadlink"], |_, call| {
            call.has_option(&["-f", "-e", "-m"]).then(|| vec![literal_names(operands(call))])
        }),
        (&["realpath", "grealpath"], |_, call| {
            let is_changed = call.has_option(&["--relative-to", "--relative-base"]);
            (!is_changed).then(|| vec![literal_names(operands(call))])
        }),
        (&["basename", "gbasename"], |_, call| by_basename(call)),
        (&["tree"], |_, call| tree_names(call)),
        (&["echo", "printf"], |_, call| printed_words(call)),
    ];
    let call = ParsedCommand::from_command(command, StdinKind::Inherited);
    READERS.iter().find(|(names, _)| call.is_program(names)).and_then(|(_, read)| read(command, &call))
}

/// Returns copies of the operands.
fn operands(call: &ParsedCommand<'_>) -> Vec<Word> {
    call.operands().iter().map(|word| (*word).clone()).collect()
}

/// Returns the names of files that `grep -l` or `rg --files` prints; `None` without such an option.
fn by_grep(command: &SimpleCommand, call: &ParsedCommand<'_>) -> Option<Vec<FileSearch>> {
    let has_names = call.has_option(&["-l", "-L", "--files-with-matches", "--files-without-match"]);
    let lists_all = call.is_program(&["rg"]) && call.has_option(&["--files"]);
    if !has_names && !lists_all {
        return None;
    }
    let mut accesses = FileAccesses::default();
    match call.is_program(&["rg"]) {
        true if lists_all => add_paths_below(call, call.operands(), &mut accesses),
        true => rg(call, &mut accesses),
        false if call.is_program(&["rgrep"]) => grep_below(call, &mut accesses),
        false => grep(call, &mut accesses),
    }
    // Which files contain the pattern is not known.
    let doubt = has_names.then(|| output_reason(command));
    let search = |access: FileAccess| FileSearch {
        starts: vec![access.path],
        extent: access.extent,
        doubt: doubt.clone(),
        path_prefix: None,
    };
    Some(accesses.found.into_iter().map(search).collect())
}

/// Returns the names that `stat -c %n` prints; `None` with another format.
fn by_stat(call: &ParsedCommand<'_>) -> Option<Vec<FileSearch>> {
    let format = ["-c", "--format", "--printf"].iter().find_map(|name| call.value(&[*name]))?.known_text()?;
    matches!(format, "%n" | "%n\\n" | "%n\\0").then(|| vec![literal_names(operands(call))])
}

/// Returns the names that `basename` prints.
fn by_basename(call: &ParsedCommand<'_>) -> Option<Vec<FileSearch>> {
    // A second operand is a suffix, unless `-a` permits several names.
    let is_whole = call.has_option(&["-a", "--multiple"]) || call.operands().len() == 1;
    let names = operands(call).iter().map(last_name).collect::<Option<_>>()?;
    (is_whole && !call.has_option(&["-s", "--suffix"])).then(|| vec![literal_names(names)])
}

/// Returns the words that `echo` and `printf` print, as names. `None` if a word has a special character.
fn printed_words(call: &ParsedCommand<'_>) -> Option<Vec<FileSearch>> {
    let words = call.words.get(1..).unwrap_or_default();
    let words = match words.split_first() {
        // The format prints each word separately.
        Some((format, words)) if call.is_program(&["printf"]) && is_lines(format) => words,
        Some((option, words))
            if call.is_program(&["echo"]) && matches!(option.known_text(), Some("-n" | "-e" | "-E")) =>
        {
            words
        }
        _ => words,
    };
    let is_unquoted = |text: &str| !text.contains(['\\', '%', '\n', '\'', '"']);
    // A glob is expanded to names.
    let is_glob = |word: &&Word| {
        word.as_glob_match().is_some() && word.parts.iter().filter_map(WordPart::text).all(|text| !text.contains(' '))
    };
    let is_plain = |word: &&Word| word.known_text().is_some_and(is_unquoted) || is_glob(word);
    if words.iter().any(|word| !is_plain(&word) || word.prefix().starts_with('-')) {
        return None;
    }
    let names = words.iter().flat_map(|word| match word.known_text() {
        Some(text) => text.split_whitespace().map(Word::text).collect(),
        None => vec![word.clone()],
    });
    Some(vec![literal_names(names.collect())])
}

/// Returns the names that `compgen` prints: those that match a glob (`-G`) or begin with a text (`-f`).
fn compgen_names(call: &ParsedCommand<'_>) -> Option<Vec<FileSearch>> {
    if let Some(glob) = call.value(&["-G"]) {
        return Some(vec![literal_names(vec![glob_word(glob.known_text()?)])]);
    }
    if !call.has_option(&["-f", "-d", "-A"]) {
        return None;
    }
    let start = call.operands().first().map_or(Some(""), |word| word.known_text())?;
    // Hidden names are included, unlike in the expansion of a glob.
    Some(vec![literal_names(vec![glob_word(&format!("{start}*")), glob_word(&format!("{start}.*"))])])
}

/// Returns the last name of a path, which may be a glob; `None` if the path is not known.
fn last_name(path: &Word) -> Option<Word> {
    let written: String = path.parts.iter().map(WordPart::literal_text).collect::<Option<_>>()?;
    let name = written.trim_end_matches('/').rsplit('/').next()?;
    Some(if path.known_text().is_some() { Word::text(name) } else { glob_word(name) })
}

/// Returns the names that `tree -f -i` prints. `None` without these options, because then it draws the tree.
fn tree_names(call: &ParsedCommand<'_>) -> Option<Vec<FileSearch>> {
    if !call.has_option(&["-f"]) || !call.has_option(&["-i"]) {
        return None;
    }
    let mut starts: Vec<Word> = call.operands().iter().map(|word| (*word).clone()).collect();
    if starts.is_empty() {
        starts.push(Word::text("."));
    }
    let hidden = if call.has_option(&["-a"]) { FileSkipping::No } else { FileSkipping::Yes };
    let extent = AccessExtent::Below(FileFilter { hidden, ..FileFilter::default() });
    Some(vec![FileSearch { starts, extent, doubt: None, path_prefix: None }])
}

/// Returns a search that finds exactly these names.
fn literal_names(starts: Vec<Word>) -> FileSearch {
    FileSearch { starts, extent: AccessExtent::PathOnly, doubt: None, path_prefix: None }
}

/// Whether a format of `printf` prints each word separately.
fn is_lines(format: &Word) -> bool {
    matches!(format.known_text(), Some("%s\\n" | "%s\\0" | "%s "))
}

/// Returns the names that `ls` prints; `None` if it prints more than names.
fn ls_names(call: &ParsedCommand<'_>) -> Option<Vec<FileSearch>> {
    if let Some(directory) = sole_directory(call) {
        let prefix = Some(format!("{}/", directory.trim_end_matches('/')));
        return Some(vec![FileSearch { path_prefix: prefix, ..directory_entries(directory, call) }]);
    }
    if call.operands().is_empty() {
        return Some(vec![directory_entries(".", call)]);
    }
    call.words.iter().skip(1).all(is_name_only).then(|| ls_operands(call))
}

/// The glob that matches the entries of a directory, and nothing deeper.
const ENTRIES: &str = "/*";

/// Returns a search for the names that `ls` prints for a directory: its entries, and nothing deeper.
fn directory_entries(directory: &str, call: &ParsedCommand<'_>) -> FileSearch {
    let hidden =
        if call.has_option(&["-a", "-A", "--all", "--almost-all"]) { FileSkipping::No } else { FileSkipping::Yes };
    let extent =
        AccessExtent::Below(FileFilter { only: vec![ENTRIES.to_owned()].into(), hidden, ..FileFilter::default() });
    FileSearch { starts: vec![Word::text(directory)], extent, doubt: None, path_prefix: None }
}

/// Returns the names that `ls` prints for several operands. For a file, it prints the operand itself. For a directory,
/// it prints the names in it, which another command takes for names in the working directory. Unless the extensions
/// show it, it is unknown which operands are files.
fn ls_operands(call: &ParsedCommand<'_>) -> Vec<FileSearch> {
    let shown = call.words.iter().map(Word::display_text).collect::<Vec<_>>().join(" ");
    let doubt = Some(Unknown::new(Cause::Output, shown));
    let starts: Vec<Word> = call.operands().iter().copied().cloned().collect();
    let lists_directories = !call.has_option(&["-d", "--directory"]) && !starts.iter().all(names_files);
    let itself = doubt.clone().filter(|_| lists_directories);
    let mut searches = vec![FileSearch { doubt: itself, ..literal_names(starts) }];
    if lists_directories {
        searches.push(FileSearch { doubt, ..directory_entries(".", call) });
    }
    searches
}

/// Whether a name has an extension that directories hardly ever have.
fn names_files(word: &Word) -> bool {
    const ENDINGS: &[&str] = &[
        "c", "cc", "cpp", "cs", "css", "csv", "go", "h", "hpp", "html", "java", "js", "json", "jsx", "kt", "log",
        "lua", "md", "mjs", "php", "pl", "png", "py", "rb", "rs", "rst", "scss", "sh", "sql", "svg", "swift", "toml",
        "ts", "tsx", "txt", "vue", "xml", "yaml", "yml",
    ];
    let end = word.parts.last().and_then(WordPart::text).and_then(|text| text.rsplit_once('.'));
    end.is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Returns the operand of an `ls` that has only this operand and prints the names in it.
fn sole_directory<'c>(call: &'c ParsedCommand<'_>) -> Option<&'c str> {
    let [directory] = call.operands() else { return None };
    let directory = directory.known_text().filter(|directory| !directory.is_empty() && !directory.starts_with('-'))?;
    let is_alone = call.words.iter().skip(1).all(is_name_only) && !call.has_option(&["-d", "--directory"]);
    is_alone.then_some(directory)
}

/// Whether a word of `ls` is an operand, or an option with which it still prints only names.
fn is_name_only(word: &Word) -> bool {
    const NAMES_ONLY: &str = "1aAdtrSUXv";
    let options = word.prefix().strip_prefix('-');
    word.known_text().is_some_and(|text| matches!(text, "--all" | "--almost-all" | "--directory"))
        || options.is_none_or(|letters| {
            word.known_text().is_some() && letters.chars().all(|letter| NAMES_ONLY.contains(letter))
        })
}

/// Options with which `git ls-files` prints only some of the tracked files, or untracked ones.
const SUBSET_OPTIONS: &[&str] = &[
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

/// Whether a `git grep` prints only names of files.
fn has_names(call: &ParsedCommand<'_>) -> bool {
    call.has_option(&["-l", "-L", "--files-with-matches", "--files-without-match", "--name-only"])
}

/// Returns the names that `git ls-files`, `git diff --name-only` or `git grep -l` prints, as searches for tracked
/// files.
fn tracked_names(listing: &SimpleCommand, call: &ParsedCommand<'_>) -> Option<Vec<FileSearch>> {
    let (command, operands) = call.operands().split_first()?;
    let is_listing = match command.known_text()? {
        "ls-files" => !call.has_option(&["-s", "--stage", "-u", "--debug", "-v", "-t", "-f", "--format"]),
        "diff" => call.has_option(&["--name-only"]),
        "grep" => has_names(call) && !call.has_option(&["--no-index"]),
        _ => false,
    };
    if !is_listing || call.has_option(&["-C", "--git-dir", "--work-tree"]) {
        return None;
    }
    let includes_ignored = call.has_option(&["-o", "--others", "-i", "--ignored"])
        && !call.has_option(&["--exclude-standard"])
        || call.has_option(&["--ignored", "-i"]);
    let ignored = if includes_ignored { FileSkipping::No } else { FileSkipping::Yes };
    // Which files have changed, are new or contain the pattern is not known.
    let is_subset = command.known_text() != Some("ls-files") || call.has_option(SUBSET_OPTIONS);
    let untracked = if call.has_option(&["-o", "--others"]) { FileSkipping::No } else { FileSkipping::Yes };
    let doubt = is_subset.then(|| output_reason(listing));
    let paths = match (command.known_text(), call.split_at_dashes()) {
        (_, (_, Some(after))) => after,
        (Some("ls-files"), _) => operands,
        _ => &[],
    };
    let selections: Vec<PathspecSelection> =
        paths.iter().map(|path| parse_pathspec(path)).collect::<Option<_>>().unwrap_or_default();
    let selections =
        if selections.is_empty() { vec![PathspecSelection { start: Word::text("."), name: None }] } else { selections };
    let search = |PathspecSelection { start, name }: PathspecSelection| {
        let except = [".git".to_owned()].into();
        let only = name.into_iter().collect();
        let filter =
            FileFilter { only, except, ignored, untracked, directories: FileSkipping::Yes, ..FileFilter::default() };
        FileSearch { starts: vec![start], extent: AccessExtent::Below(filter), doubt: doubt.clone(), path_prefix: None }
    };
    Some(selections.into_iter().map(search).collect())
}

/// The files that a pathspec of git selects: those below a path whose names match a glob.
struct PathspecSelection {
    /// The directory or file.
    start: Word,
    /// The glob of the name; `None` if every file below is selected.
    name: Option<String>,
}

/// Parses a pathspec that is a path, a glob of names, or a directory with such a glob (`src/*.rs`). `None` for other
/// pathspecs.
fn parse_pathspec(path: &Word) -> Option<PathspecSelection> {
    let text = as_glob(path).filter(|text| !text.is_empty() && !text.starts_with(':'))?;
    let is_wild = |text: &str| text.contains(['*', '?', '[', '\\']);
    let (directory, name) = text.rsplit_once('/').unwrap_or((".", &text));
    if !is_wild(&text) {
        return Some(PathspecSelection { start: Word::text(text.trim_end_matches('/')), name: None });
    }
    // In a pathspec, `*` matches slashes too, so the directories after it do not matter.
    let known: Vec<&str> = directory.split('/').take_while(|part| !is_wild(part)).collect();
    (name.contains('*')).then(|| PathspecSelection { start: Word::text(known.join("/")), name: Some(name.to_owned()) })
}
