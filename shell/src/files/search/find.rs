//! `find` and `fd`: where they search, which files they find, and the accesses of the commands that they run to these
//! files.

use super::expression::{FindSelection, parse_expression};
use crate::access::{AccessCertainty, AccessExtent, FileAccess, FileFilter, FileSkipping, Verb};
use crate::analysis::{Analysis, Redirect, SimpleCommand};
use crate::files::accesses::FileAccesses;
use crate::files::call::ParsedCommand;
use crate::files::paths::{any_name, as_glob, join};
use crate::files::{StdinKind, add_operands, add_redirect};
use crate::word::{Cause, Directory, Unknown, UnknownPart, ValueSource, Word, WordPart};

/// The placeholder that `find` and `fd` replace by the path of a file.
const PLACEHOLDER: &str = "{}";

/// Returns the part of a word that represents the path of any of the files found (a result).
pub(super) fn result_part() -> WordPart {
    let why = Unknown::with_source(Cause::Glob, PLACEHOLDER, ValueSource::OneOfFiles);
    WordPart::Unknown(UnknownPart { reason: why, may_split: false })
}

/// Returns the part of a word that represents the paths of any number of the files found.
pub(super) fn results_part() -> WordPart {
    let why = Unknown::with_source(Cause::Glob, PLACEHOLDER, ValueSource::OneOfFiles);
    WordPart::Unknown(UnknownPart { reason: why, may_split: true })
}

/// Whether a word contains a part that represents a result.
fn has_result_part(word: &Word) -> bool {
    word.parts.iter().any(WordPart::is_one_of_files)
}

/// Replaces each `{}` in a word of an action by a part that represents a result.
fn fill_placeholders(word: &Word) -> Word {
    let mut action = Word::default();
    for part in &word.parts {
        let WordPart::Text(text) = part else {
            action.push(part.clone());
            continue;
        };
        for (at, piece) in text.split(PLACEHOLDER).enumerate() {
            if at > 0 {
                action.push(result_part());
            }
            action.push(WordPart::Text(piece.to_owned()));
        }
    }
    action
}

/// Returns the search whose `-exec` or `-x` runs the command, and the command's words with a
/// [`ValueSource::OneOfFiles`] part in place of each result. `None` if no search runs the command, or if it is not
/// known where that searches.
pub(in crate::files) fn running_search(
    analysis: &Analysis,
    command: &SimpleCommand,
) -> Option<(Vec<FileSearch>, Vec<Word>)> {
    let (outer, mut search) = outer_search(analysis, command).filter(|_| !is_search(&command.words))?;
    // A result begins with a starting point of the search, which is relative to the directory of the search, not to
    // that of the command.
    let start = match search.starts.as_slice() {
        [start] => start.known_text().map(|start| format!("{}/", start.trim_end_matches('/'))),
        _ => None,
    };
    if outer.cwd != command.cwd {
        let directory = match &outer.cwd {
            Directory::Known(directory) => Word::text(directory.to_string_lossy()),
            Directory::Unknown(_) if search.starts.iter().all(|start| start.prefix().starts_with('/')) => {
                Word::text("/")
            }
            Directory::Unknown(_) => return None,
        };
        search.starts = search.starts.iter().map(|start| join(&directory, start)).collect();
    }
    let words = command.words.iter().map(|word| mark_result(word, start.as_deref()));
    let words: Vec<Word> = words.collect::<Option<_>>()?;
    words.iter().any(has_result_part).then(|| (vec![search], words))
}

/// Returns the search that runs a command, or the shell whose script the command is in: `find . -exec sh -c 'cat "$1"' _
/// {} \;`. `None` if there are several searches around that shell, whose results could not be told apart.
fn outer_search<'a>(analysis: &'a Analysis, command: &SimpleCommand) -> Option<(&'a SimpleCommand, FileSearch)> {
    let mut outer = command.outer_commands.iter().rev().filter_map(|id| analysis.command(*id));
    let nearest = outer.next()?;
    if let Some(search) = search_of_command(&nearest.words) {
        return Some((nearest, search));
    }
    let mut searches = outer.filter_map(|outer| Some((outer, search_of_command(&outer.words)?)));
    let found = searches.next().filter(|_| searches.next().is_none())?;
    // After a `cd` in the script, a relative result names another file.
    let is_same_file = nearest.cwd == command.cwd || found.1.starts.iter().all(|start| start.prefix().starts_with('/'));
    is_same_file.then_some(found)
}

/// Replaces the result in a word by a [`ValueSource::OneOfFiles`] part, and removes the `start` before it. `None` if
/// the text before the result is not known.
fn mark_result(word: &Word, start: Option<&str>) -> Option<Word> {
    let mut marked = Word::default();
    for part in &word.parts {
        match part {
            WordPart::Unknown(unknown) if unknown.reason.source == ValueSource::SearchResult => {
                match (marked.parts.pop(), start) {
                    (None, _) => {}
                    (Some(WordPart::Text(text)), Some(start)) => {
                        // With `-execdir`, `./` comes before each result.
                        let text_before =
                            text.strip_suffix(start).unwrap_or(if text == "./" { "" } else { &text }).to_owned();
                        marked.push(WordPart::Text(text_before));
                    }
                    (Some(WordPart::Text(text)), None) => marked.push(WordPart::Text(text)),
                    (Some(_), _) => return None,
                }
                marked.push(if unknown.may_split { results_part() } else { result_part() });
            }
            part => marked.push(part.clone()),
        }
    }
    Some(marked)
}

/// Returns the search of a command if it is a `find`, or an `fd` that runs a command.
pub(super) fn search_of_command(words: &[Word]) -> Option<FileSearch> {
    let call = ParsedCommand::new(words, StdinKind::Inherited);
    if call.is_program(&["find", "gfind"]) {
        let (starts, expression) = split_starts(words.get(1..).unwrap_or_default());
        return Some(FileSearch::from_find(starts, expression));
    }
    let search_len =
        words.iter().position(|word| fd_action(word).is_some()).filter(|_| call.is_program(&["fd", "fdfind"]))?;
    Some(fd_search(&ParsedCommand::new(words.get(..search_len)?, StdinKind::Inherited)))
}

/// Whether a command is itself a search, to which the accesses of the commands that it runs are added.
fn is_search(words: &[Word]) -> bool {
    let call = ParsedCommand::new(words, StdinKind::Inherited);
    call.is_program(&["find", "gfind", "fd", "fdfind"])
}

/// The files that a search finds or that a command lists.
pub(in crate::files) struct FileSearch {
    /// The paths at which it begins (the starting points).
    pub(in crate::files) starts: Vec<Word>,
    /// Which files at or below these paths it finds.
    pub(in crate::files) extent: AccessExtent,
    /// Why it may not find some of these files; `None` if it finds all of them.
    pub(in crate::files) doubt: Option<Unknown>,
    /// The prefix that a printed name needs to become the path of the file: `dir/` for `ls dir`, which prints `a` for
    /// `dir/a`. `None` if it needs no prefix.
    pub(in crate::files) path_prefix: Option<String>,
}

/// Actions of `find` that print something other than names, or that change files or run commands.
const OTHERS: &[&str] = &["-ls", "-exec", "-ok", "-execdir", "-okdir", "-delete", "-files0-from"];

/// Returns the search of a `find` if it prints only names, and does nothing else.
pub(super) fn printed_names(words: &[Word]) -> Option<FileSearch> {
    let (starts, expression) = split_starts(words.get(1..).unwrap_or_default());
    let is_other = |word: &Word| word.known_text().is_none_or(|text| OTHERS.contains(&text));
    if expression.iter().any(is_other) {
        return None;
    }
    let formats = || expression.windows(2).filter(|pair| pair.first().and_then(Word::known_text) == Some("-printf"));
    let mut formats =
        formats().filter_map(|pair| pair.last()?.known_text()).map(|format| format.trim_end_matches("\\n"));
    match (formats.next().map(|format| format.trim_end_matches("\\0").trim()), formats.next()) {
        (None | Some("%p"), None) => Some(FileSearch::from_find(starts, expression)),
        // `%f` prints names without directories, which another command takes for names in the working directory.
        (Some("%f"), None) => {
            let search = FileSearch::from_find(starts, expression);
            let doubt = search.doubt.or_else(|| Some(Unknown::new(Cause::FileSelection, "-printf %f")));
            Some(FileSearch { starts: vec![Word::text(".")], doubt, ..search })
        }
        (Some("%P"), None) if starts.iter().all(|start| matches!(start.known_text(), Some("." | "./"))) => {
            Some(FileSearch::from_find(starts, expression))
        }
        _ => None,
    }
}

/// Returns the search of a `find` if it prints names and other columns.
pub(super) fn printed_columns(words: &[Word]) -> Option<FileSearch> {
    let (starts, expression) = split_starts(words.get(1..).unwrap_or_default());
    let is_columns = |word: &Word| matches!(word.known_text(), Some("-ls" | "-printf"));
    expression.iter().any(is_columns).then(|| FileSearch::from_find(starts, expression))
}

/// Adds the accesses of the actions of `find` to the files that it finds.
pub(in crate::files) fn find(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let words = call.words.get(1..).unwrap_or_default();
    let (starts, expression) = split_starts(words);
    let search = FileSearch::from_find(starts, expression);
    let accesses_before = accesses.found.len();
    let mut rest = expression;
    while let [word, after @ ..] = rest {
        rest = after;
        match word.known_text() {
            Some("-delete") => search.access(Verb::Deletes, accesses),
            Some("-exec" | "-ok" | "-execdir" | "-okdir") => {
                let length = action_length(after);
                let action = after.get(..length.saturating_sub(1)).unwrap_or_default();
                search.add_command(&action.iter().map(fill_placeholders).collect::<Vec<_>>(), accesses);
                rest = after.get(length..).unwrap_or_default();
            }
            Some("-fprint" | "-fprint0" | "-fls" | "-fprintf") => {
                if let Some(file) = after.first() {
                    accesses.add_write(file);
                }
            }
            Some("-files0-from") => {
                if let Some(file) = after.first() {
                    accesses.add_read(file);
                }
            }
            _ => {}
        }
    }
    if words.iter().any(|word| matches!(word.known_text(), Some("-L" | "-follow"))) {
        add_linked_targets(accesses_before, accesses);
    }
}

/// For each change or deletion below a directory, adds a possible one of any file: with `-L`, links in the directory
/// may lead anywhere.
fn add_linked_targets(skipped: usize, accesses: &mut FileAccesses) {
    let changes = |access: &&FileAccess| access.verb != Verb::Reads && access.extent != AccessExtent::PathOnly;
    let linked_accesses = accesses.found.iter().skip(skipped).filter(changes).map(|access| {
        let why = Unknown::for_word(Cause::Contents, &access.path);
        FileAccess { path: Word::unknown(why.clone()), certainty: AccessCertainty::Maybe(why), ..access.clone() }
    });
    let linked_accesses: Vec<FileAccess> = linked_accesses.collect();
    linked_accesses.into_iter().for_each(|access| accesses.add(access));
}

/// Adds the accesses of the command that `fd` runs with `-x` or `-X` to the files that it finds.
pub(in crate::files) fn fd(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let Some((search_words, attached_word, after_action)) = split_at_fd_action(call.words) else { return };
    let search = fd_search(&ParsedCommand::new(search_words, call.input));
    // `;` ends the command.
    let length = after_action.iter().position(|word| word.known_text() == Some(";")).unwrap_or(after_action.len());
    let command_words = attached_word.iter().chain(after_action.get(..length).unwrap_or_default());
    // Besides `{}`, fd has placeholders such as `{.}`.
    let has_placeholder = command_words.clone().any(|word| word.has_known_text("{"));
    let mut command: Vec<Word> = command_words.map(fill_placeholders).collect();
    // Without a placeholder, fd appends the path.
    if !has_placeholder {
        command.push(Word::of(result_part()));
    }
    search.add_command(&command, accesses);
}

/// Splits the words of an `fd` that runs a command, at the option `-x` or `-X`: into the words before it, the first
/// word of the command if it is attached to the option, and the words after it. `None` if there is no such option.
fn split_at_fd_action(words: &[Word]) -> Option<(&[Word], Option<Word>, &[Word])> {
    let (at, attached_word) = words.iter().enumerate().find_map(|(at, word)| Some((at, fd_action(word)?)))?;
    let (search_words, rest) = words.split_at_checked(at)?;
    Some((search_words, attached_word, rest.get(1..)?))
}

/// Returns the search of an `fd` if it prints names, rather than running a command.
pub(super) fn fd_output(call: &ParsedCommand<'_>) -> Option<FileSearch> {
    let runs = call.words.iter().any(|word| fd_action(word).is_some());
    (!runs).then(|| fd_search(call))
}

/// Returns the search of an `fd`.
fn fd_search(call: &ParsedCommand<'_>) -> FileSearch {
    let directories: Vec<&Word> = call.operands().iter().skip(1).copied().collect();
    let search_paths: Vec<&Word> = call.values(&["--search-path"]).collect();
    let base = call.value(&["--base-directory"]).or_else(|| call.value(&["-C"]));
    let mut starts: Vec<Word> = directories.into_iter().chain(search_paths).cloned().collect();
    if starts.is_empty() {
        starts.push(Word::text("."));
    }
    if let Some(base) = base {
        starts = starts
            .iter()
            .map(|start| if start.known_text() == Some(".") { base.clone() } else { join(base, start) })
            .collect();
    }
    let is_unrestricted = call.has_option(&["-u", "--unrestricted"]);
    let skipping_unless = |seen| if seen { FileSkipping::No } else { FileSkipping::Yes };
    let only = call.values(&["-e", "--extension"]).map(|word| as_glob(word).map(|extension| format!("*.{extension}")));
    let filter = FileFilter {
        only: only.collect::<Option<_>>().unwrap_or_default(),
        except: super::excluded_globs(call, &["-E", "--exclude"]),
        hidden: skipping_unless(is_unrestricted || call.has_option(&["-H", "--hidden"])),
        ignored: skipping_unless(is_unrestricted || call.has_option(&["-I", "--no-ignore", "--no-ignore-vcs"])),
        ..FileFilter::default()
    };
    // The pattern is a regex, so it is not determined which names match it.
    let is_all = call.operands().first().is_none_or(|pattern| matches!(pattern.known_text(), Some("" | ".")));
    let extent = match call.operands().first().filter(|_| !is_all) {
        Some(pattern) => AccessExtent::UnknownPart(Unknown::new(Cause::Glob, pattern.display_text())),
        None => AccessExtent::Below(filter),
    };
    FileSearch { starts, extent, doubt: None, path_prefix: None }
}

/// Returns `Some` if a word of `fd` is an option after which the command to run begins. The inner value is the first
/// word of that command, if it is attached to the option (`--exec=rm`).
fn fd_action(word: &Word) -> Option<Option<Word>> {
    const FLAGS: &str = "HIusigFaLlp01q";
    if let Some(first) = word.strip_prefix("--exec=").or_else(|| word.strip_prefix("--exec-batch=")) {
        return Some(Some(first));
    }
    let text = word.known_text()?;
    let is_cluster = || {
        let letters = text.strip_prefix('-').and_then(|text| text.strip_suffix(['x', 'X']));
        letters.is_some_and(|letters| letters.chars().all(|c| FLAGS.contains(c)))
    };
    (matches!(text, "--exec" | "--exec-batch") || is_cluster()).then_some(None)
}

impl FileSearch {
    /// Creates the search of a `find` with these starting points and this expression.
    fn from_find(starts: Vec<Word>, expression: &[Word]) -> Self {
        let FindSelection { extent, doubt } = parse_expression(&starts, expression);
        Self { starts, extent, doubt, path_prefix: None }
    }

    /// Adds an access to all results.
    fn access(&self, verb: Verb, accesses: &mut FileAccesses) {
        for start in &self.starts {
            let extent = match &self.extent {
                // If nothing limits the results, their deletion deletes the whole tree.
                AccessExtent::Below(filter)
                    if verb == Verb::Deletes && self.doubt.is_none() && has_no_limits(filter) =>
                {
                    AccessExtent::Everything
                }
                extent => extent.clone(),
            };
            self.add(FileAccess { verb, path: start.clone(), extent, certainty: AccessCertainty::Certain }, accesses);
        }
    }

    /// Adds an access to results. It is uncertain if the search may not find all of them.
    fn add(&self, mut access: FileAccess, accesses: &mut FileAccesses) {
        if let (AccessCertainty::Certain, Some(why)) = (&access.certainty, &self.doubt) {
            access.certainty = AccessCertainty::Maybe(why.clone());
        }
        accesses.add(access);
    }

    /// Adds the accesses of a command to the results, which [`ValueSource::OneOfFiles`] parts of its words represent.
    /// Such a part is the path of a result if it is a whole path, and otherwise a name within a path.
    pub(in crate::files) fn add_command(&self, command: &[Word], accesses: &mut FileAccesses) {
        let mut inner = FileAccesses::default();
        // The accesses of a command without a result, or of one that is itself a search, are added elsewhere.
        if command.iter().any(has_result_part) && !is_search(command) {
            add_operands(&mut ParsedCommand::new(command, StdinKind::Provided), &mut inner);
        }
        self.add_results(inner, accesses);
    }

    /// Adds the accesses of a redirection whose target contains a result.
    pub(in crate::files) fn redirect(&self, redirect: &Redirect, accesses: &mut FileAccesses) {
        let mut inner = FileAccesses::default();
        add_redirect(redirect, &mut inner);
        self.add_results(inner, accesses);
    }

    /// Adds the accesses of a command after replacing the part that represents a result by the files that the search
    /// finds.
    fn add_results(&self, inner: FileAccesses, accesses: &mut FileAccesses) {
        for access in inner.found {
            // If the names of all results are known, each one is inserted into the longer path.
            let is_longer = !matches!(access.path.parts.as_slice(), [part] if part.is_one_of_files());
            if let Some(names) = self.known_names().filter(|_| is_longer) {
                for name in names {
                    let path = replace_result(&access.path, &name);
                    self.add(
                        FileAccess { path, extent: widen_extent(access.extent.clone()), ..access.clone() },
                        accesses,
                    );
                }
                continue;
            }
            let Some((_, rest)) = access.path.parts.split_first().filter(|(first, _)| first.is_one_of_files()) else {
                accesses.add(FileAccess {
                    path: replace_result(&access.path, &any_name()),
                    extent: widen_extent(access.extent),
                    ..access
                });
                continue;
            };
            if rest.is_empty() {
                let is_sure = access.certainty == AccessCertainty::Certain;
                if is_sure && access.extent == AccessExtent::PathOnly {
                    self.access(access.verb, accesses);
                    continue;
                }
                // A result may be a directory whose contents are affected too.
                for start in &self.starts {
                    let extent = self.result_extent(access.verb, &access.extent);
                    self.add(FileAccess { path: start.clone(), extent, ..access.clone() }, accesses);
                }
                continue;
            }
            if access.certainty == AccessCertainty::IfDirectoryExists {
                continue;
            }
            // The path is that of a file next to the result: `{}.bak`.
            for start in &self.starts {
                let extent = AccessExtent::UnknownPart(Unknown::new(Cause::Glob, access.path.display_text()));
                self.add(FileAccess { path: start.clone(), extent, ..access.clone() }, accesses);
            }
        }
    }

    /// Returns the names of all results, if the searching command lists them itself: names, and globs that are expanded
    /// to names.
    fn known_names(&self) -> Option<Vec<WordPart>> {
        let named = |start: &Word| match start.known_text() {
            Some(name) => Some(WordPart::Text(name.to_owned())),
            None => start.as_glob_match()?.parts.into_iter().next(),
        };
        let is_listed = self.extent == AccessExtent::PathOnly;
        if is_listed { self.starts.iter().map(named).collect() } else { None }
    }

    /// Returns the extent of an access to all results, given that of the access to a single one (`inner`).
    fn result_extent(&self, verb: Verb, inner: &AccessExtent) -> AccessExtent {
        match (&self.extent, inner) {
            (AccessExtent::PathOnly, inner) => inner.clone(),
            (AccessExtent::Below(filter), _)
                if filter.only.is_empty() && verb == Verb::Deletes && filter.directories == FileSkipping::No =>
            {
                AccessExtent::Everything
            }
            // If the name of a directory matches, all files in it are affected, whatever their names are.
            (AccessExtent::Below(filter), AccessExtent::Everything | AccessExtent::Mirror(..))
                if !filter.only.is_empty() =>
            {
                let mut inside = filter.clone();
                let below = |name: &String| match name.starts_with('/') {
                    true => format!("{name}/**"),
                    false => format!("**/{name}/**"),
                };
                inside.only = filter.only.iter().flat_map(|name| [name.clone(), below(name)]).collect();
                AccessExtent::Below(inside)
            }
            (extent, _) => extent.clone(),
        }
    }
}

/// Whether a filter selects every file.
fn has_no_limits(filter: &FileFilter) -> bool {
    FileFilter { directories: FileSkipping::No, ..filter.clone() } == FileFilter::default()
}

/// Splits the words of `find` into its starting points and its expression. The default starting point is the working
/// directory.
fn split_starts(words: &[Word]) -> (Vec<Word>, &[Word]) {
    let mut words = words;
    while let [word, after @ ..] = words {
        match word.known_text() {
            Some("-H" | "-L" | "-P") => words = after,
            Some("-D") => words = after.get(1..).unwrap_or_default(),
            Some(text) if text.starts_with("-O") => words = after,
            _ => break,
        }
    }
    let is_test = |word: &&Word| word.prefix().starts_with(['-', '(', '!', ')', ',']);
    let count = words.iter().take_while(|word| !is_test(word)).count();
    let (starts, expression) = words.split_at(count);
    let starts = if starts.is_empty() { vec![Word::text(".")] } else { starts.to_vec() };
    (starts, expression)
}

/// Returns the number of words of an action, including the `;` or `+` that ends it. If none does, it is all words,
/// which `find` would reject.
pub(super) fn action_length(words: &[Word]) -> usize {
    let is_end = |(at, word): (usize, &Word)| match word.known_text() {
        Some(";") => true,
        Some("+") => {
            at.checked_sub(1).and_then(|before| words.get(before)).and_then(Word::known_text) == Some(PLACEHOLDER)
        }
        _ => false,
    };
    words.iter().enumerate().position(is_end).map_or(words.len(), |at| at + 1)
}

/// Replaces the [`ValueSource::OneOfFiles`] parts of a path by `name`.
fn replace_result(path: &Word, name: &WordPart) -> Word {
    let mut word = Word::default();
    path.parts.iter().for_each(|part| word.push(if part.is_one_of_files() { name } else { part }.clone()));
    word
}

/// Removes a reference to a result from an extent: the copy of a result may contain anything.
fn widen_extent(extent: AccessExtent) -> AccessExtent {
    match extent {
        AccessExtent::Mirror(source, _) if has_result_part(&source) => AccessExtent::Everything,
        extent => extent,
    }
}
