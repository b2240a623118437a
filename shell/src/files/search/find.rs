//! `find` and `fd`: where they search, for which names, and what is done to the results.

use super::expression::{Picked, picked};
use crate::access::{Certainty, Extent, FileAccess, Filter, Skipped, Verb};
use crate::analysis::{Analysis, Redirect, Simple};
use crate::files::accesses::FileAccesses;
use crate::files::call::Call;
use crate::files::paths::{any, as_glob, join};
use crate::files::{Input, operands, redirected};
use crate::word::{Cause, Directory, Part, Source, Unknown, UnknownPart, Word};

/// The placeholder that `find` and `fd` replace by the name of a file.
const PLACEHOLDER: &str = "{}";

/// Returns the part of a word that represents each of the files found or listed.
pub(super) fn each() -> Part {
    let why = Unknown::of(Cause::Glob, PLACEHOLDER, Source::Each);
    Part::Unknown(UnknownPart { why, splits: false })
}

/// Whether a word contains such a part.
fn has_each(word: &Word) -> bool {
    word.parts.iter().any(Part::is_each)
}

/// Returns a word of an action with its placeholders as parts.
fn filled_in(word: &Word) -> Word {
    let mut action = Word::default();
    for part in &word.parts {
        let Part::Text(text) = part else {
            action.push(part.clone());
            continue;
        };
        for (at, piece) in text.split(PLACEHOLDER).enumerate() {
            if at > 0 {
                action.push(each());
            }
            action.push(Part::Text(piece.to_owned()));
        }
    }
    action
}

/// Returns the search that runs the command, and the command's words with [`Source::Each`] in place of its results.
/// `None` if no search runs it, or if it is not known where that searches.
pub(in crate::files) fn handed(analysis: &Analysis, command: &Simple) -> Option<(Vec<Search>, Vec<Word>)> {
    let outer = analysis.command(*command.via.last()?)?;
    let mut search = of(&outer.words).filter(|_| !tells(&command.words))?;
    // The words begin with the search's start, which is relative to the search's directory, not the command's.
    let start = match search.starts.as_slice() {
        [start] => start.known().map(|start| format!("{}/", start.trim_end_matches('/'))),
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
    let words = command.words.iter().map(|word| remarked(word, start.as_deref()));
    let words: Vec<Word> = words.collect::<Option<_>>()?;
    words.iter().any(has_each).then(|| (vec![search], words))
}

/// Returns a word with [`Source::Each`] in place of a search's result; `None` if the part before it is not known.
fn remarked(word: &Word, start: Option<&str>) -> Option<Word> {
    let mut marked = Word::default();
    for part in &word.parts {
        match part {
            Part::Unknown(unknown) if unknown.why.source == Source::Found => {
                match (marked.parts.pop(), start) {
                    (None, _) => {}
                    (Some(Part::Text(text)), Some(start)) => {
                        // `-execdir` always puts `./` there.
                        let kept = text.strip_suffix(start).unwrap_or(if text == "./" { "" } else { &text }).to_owned();
                        marked.push(Part::Text(kept));
                    }
                    (Some(Part::Text(text)), None) => marked.push(Part::Text(text)),
                    (Some(_), _) => return None,
                }
                marked.push(each());
            }
            part => marked.push(part.clone()),
        }
    }
    Some(marked)
}

/// Returns the search of a `find` or `fd` that runs commands.
fn of(words: &[Word]) -> Option<Search> {
    let call = Call::new(words, Input::Open);
    if call.is(&["find", "gfind"]) {
        let (starts, expression) = starts(words.get(1..).unwrap_or_default());
        return Some(Search::of_find(starts, expression));
    }
    let own = words.iter().position(|word| fd_action(word).is_some()).filter(|_| call.is(&["fd", "fdfind"]))?;
    Some(searched(&Call::new(words.get(..own)?, Input::Open)))
}

/// Whether a command is a search, for which the accesses of the commands that it runs are added here.
fn tells(words: &[Word]) -> bool {
    let call = Call::new(words, Input::Open);
    call.is(&["find", "gfind", "fd", "fdfind"])
}

/// Where a search begins, and what it finds.
pub(in crate::files) struct Search {
    pub(in crate::files) starts: Vec<Word>,
    pub(in crate::files) extent: Extent,
    /// Why it may leave out any of these: the results depend on the contents of the files.
    pub(in crate::files) doubt: Option<Unknown>,
    /// The prefix that makes a printed name the path of the file found.
    pub(in crate::files) within: Option<String>,
}

/// Actions of `find` that print more than names, or something else.
const OTHERS: &[&str] = &["-ls", "-exec", "-ok", "-execdir", "-okdir", "-delete", "-files0-from"];

/// Returns what `find` prints, if it prints only names.
pub(super) fn printed(words: &[Word]) -> Option<Search> {
    let (starts, expression) = starts(words.get(1..).unwrap_or_default());
    let is_other = |word: &Word| word.known().is_none_or(|text| OTHERS.contains(&text));
    if expression.iter().any(is_other) {
        return None;
    }
    let formats = || expression.windows(2).filter(|pair| pair.first().and_then(Word::known) == Some("-printf"));
    let mut formats = formats().filter_map(|pair| pair.last()?.known()).map(|format| format.trim_end_matches("\\n"));
    match (formats.next().map(|format| format.trim_end_matches("\\0").trim()), formats.next()) {
        (None | Some("%p"), None) => Some(Search::of_find(starts, expression)),
        // The name alone, as one in the working directory.
        (Some("%f"), None) => {
            let search = Search::of_find(starts, expression);
            let doubt = search.doubt.or_else(|| Some(Unknown::new(Cause::Picked, "-printf %f")));
            Some(Search { starts: vec![Word::text(".")], doubt, ..search })
        }
        (Some("%P"), None) if starts.iter().all(|start| matches!(start.known(), Some("." | "./"))) => {
            Some(Search::of_find(starts, expression))
        }
        _ => None,
    }
}

/// Returns what `find` prints, if it prints names in columns.
pub(super) fn printed_with_more(words: &[Word]) -> Option<Search> {
    let (starts, expression) = starts(words.get(1..).unwrap_or_default());
    let is_columns = |word: &Word| matches!(word.known(), Some("-ls" | "-printf"));
    expression.iter().any(is_columns).then(|| Search::of_find(starts, expression))
}

pub(in crate::files) fn find(call: &Call<'_>, accesses: &mut FileAccesses) {
    let words = call.words.get(1..).unwrap_or_default();
    let (starts, expression) = starts(words);
    let search = Search::of_find(starts, expression);
    let known = accesses.found.len();
    let mut rest = expression;
    while let [word, behind @ ..] = rest {
        rest = behind;
        match word.known() {
            Some("-delete") => search.access(Verb::Deletes, accesses),
            Some("-exec" | "-ok" | "-execdir" | "-okdir") => {
                let length = action_length(behind);
                let action = behind.get(..length.saturating_sub(1)).unwrap_or_default();
                search.act(&action.iter().map(filled_in).collect::<Vec<_>>(), accesses);
                rest = behind.get(length..).unwrap_or_default();
            }
            Some("-fprint" | "-fprint0" | "-fls" | "-fprintf") => {
                if let Some(file) = behind.first() {
                    accesses.writes(file);
                }
            }
            Some("-files0-from") => {
                if let Some(file) = behind.first() {
                    accesses.reads(file);
                }
            }
            _ => {}
        }
    }
    if words.iter().any(|word| matches!(word.known(), Some("-L" | "-follow"))) {
        behind_links(known, accesses);
    }
}

/// Adds that what is changed or deleted below a directory may be anywhere, because of links in it.
fn behind_links(known: usize, accesses: &mut FileAccesses) {
    let changes = |access: &&FileAccess| access.verb != Verb::Reads && access.extent != Extent::Alone;
    let beyond = accesses.found.iter().skip(known).filter(changes).map(|access| {
        let why = Unknown::about(Cause::Contents, &access.path);
        FileAccess { path: Word::unknown(why.clone()), certainty: Certainty::Maybe(why), ..access.clone() }
    });
    let beyond: Vec<FileAccess> = beyond.collect();
    beyond.into_iter().for_each(|access| accesses.add(access));
}

pub(in crate::files) fn fd(call: &Call<'_>, accesses: &mut FileAccesses) {
    let Some((at, first)) = call.words.iter().enumerate().find_map(|(at, word)| Some((at, fd_action(word)?))) else {
        return;
    };
    let Some((own, [_, behind @ ..])) = call.words.split_at_checked(at) else { return };
    let search = searched(&Call::new(own, call.input));
    let length = behind.iter().position(|word| word.known() == Some(";")).unwrap_or(behind.len());
    let words = first.iter().chain(behind.get(..length).unwrap_or_default());
    let has_place = words.clone().any(|word| word.mentions("{"));
    let mut action: Vec<Word> = words.map(filled_in).collect();
    if !has_place {
        action.push(Word::of(each()));
    }
    search.act(&action, accesses);
}

/// Returns what `fd` prints, if it runs nothing.
pub(super) fn found(call: &Call<'_>) -> Option<Search> {
    let runs = call.words.iter().any(|word| fd_action(word).is_some());
    (!runs).then(|| searched(call))
}

/// Returns the search of `fd`.
fn searched(call: &Call<'_>) -> Search {
    let directories: Vec<&Word> = call.operands().iter().skip(1).copied().collect();
    let named: Vec<&Word> = call.values(&["--search-path"]).collect();
    let base = call.value(&["--base-directory"]).or_else(|| call.value(&["-C"]));
    let mut starts: Vec<Word> = directories.into_iter().chain(named).cloned().collect();
    if starts.is_empty() {
        starts.push(Word::text("."));
    }
    if let Some(base) = base {
        starts = starts
            .iter()
            .map(|start| if start.known() == Some(".") { base.clone() } else { join(base, start) })
            .collect();
    }
    let is_unrestricted = call.has(&["-u", "--unrestricted"]);
    let takes = |seen| if seen { Skipped::No } else { Skipped::Yes };
    let only = call.values(&["-e", "--extension"]).map(|word| as_glob(word).map(|extension| format!("*.{extension}")));
    let filter = Filter {
        only: only.collect::<Option<_>>().unwrap_or_default(),
        except: super::excepted(call, &["-E", "--exclude"]),
        hidden: takes(is_unrestricted || call.has(&["-H", "--hidden"])),
        ignored: takes(is_unrestricted || call.has(&["-I", "--no-ignore", "--no-ignore-vcs"])),
        ..Filter::default()
    };
    // The pattern is a regular expression over names: some of them match.
    let is_all = call.operands().first().is_none_or(|pattern| matches!(pattern.known(), Some("" | ".")));
    let extent = match call.operands().first().filter(|_| !is_all) {
        Some(pattern) => Extent::Part(Unknown::new(Cause::Glob, pattern.shown())),
        None => Extent::Below(filter),
    };
    Search { starts, extent, doubt: None, within: None }
}

/// If the command that `fd` runs begins at or after this word: its first word if that is attached.
fn fd_action(word: &Word) -> Option<Option<Word>> {
    const FLAGS: &str = "HIusigFaLlp01q";
    if let Some(first) = word.after("--exec=").or_else(|| word.after("--exec-batch=")) {
        return Some(Some(first));
    }
    let text = word.known()?;
    let is_cluster = || {
        let letters = text.strip_prefix('-').and_then(|text| text.strip_suffix(['x', 'X']));
        letters.is_some_and(|letters| letters.chars().all(|c| FLAGS.contains(c)))
    };
    (matches!(text, "--exec" | "--exec-batch") || is_cluster()).then_some(None)
}

impl Search {
    fn of_find(starts: Vec<Word>, expression: &[Word]) -> Self {
        let Picked { extent, doubt } = picked(&starts, expression);
        Self { starts, extent, doubt, within: None }
    }

    fn access(&self, verb: Verb, accesses: &mut FileAccesses) {
        for start in &self.starts {
            let extent = match &self.extent {
                // The whole tree is deleted.
                Extent::Below(filter) if verb == Verb::Deletes && self.doubt.is_none() && is_all(filter) => {
                    Extent::Whole
                }
                extent => extent.clone(),
            };
            self.add(FileAccess { verb, path: start.clone(), extent, certainty: Certainty::Sure }, accesses);
        }
    }

    /// Adds an access to the results.
    fn add(&self, mut access: FileAccess, accesses: &mut FileAccesses) {
        if let (Certainty::Sure, Some(why)) = (&access.certainty, &self.doubt) {
            access.certainty = Certainty::Maybe(why.clone());
        }
        accesses.add(access);
    }

    /// Adds what a command does to the results: [`Source::Each`] on its own is the path of a result, and within another
    /// path a name.
    pub(in crate::files) fn act(&self, command: &[Word], accesses: &mut FileAccesses) {
        let mut inner = FileAccesses::default();
        // A command without it, or one that is a search itself, is handled like any other.
        if command.iter().any(has_each) && !tells(command) {
            operands(&mut Call::new(command, Input::Given), &mut inner);
        }
        self.done(inner, accesses);
    }

    /// Adds what a redirection does to the results.
    pub(in crate::files) fn redirect(&self, redirect: &Redirect, accesses: &mut FileAccesses) {
        let mut inner = FileAccesses::default();
        redirected(redirect, &mut inner);
        self.done(inner, accesses);
    }

    fn done(&self, inner: FileAccesses, accesses: &mut FileAccesses) {
        for access in inner.found {
            // Within a longer path, the known names.
            let is_longer = !matches!(access.path.parts.as_slice(), [part] if part.is_each());
            if let Some(names) = self.known_names().filter(|_| is_longer) {
                for name in names {
                    let path = with_each(&access.path, &name);
                    self.add(
                        FileAccess { path, extent: extent_of_any(access.extent.clone()), ..access.clone() },
                        accesses,
                    );
                }
                continue;
            }
            let Some((_, rest)) = access.path.parts.split_first().filter(|(first, _)| first.is_each()) else {
                accesses.add(FileAccess {
                    path: with_each(&access.path, &any()),
                    extent: extent_of_any(access.extent),
                    ..access
                });
                continue;
            };
            if rest.is_empty() {
                let is_sure = access.certainty == Certainty::Sure;
                if is_sure && access.extent == Extent::Alone {
                    self.access(access.verb, accesses);
                    continue;
                }
                // The contents of a directory that was found are affected too.
                for start in &self.starts {
                    let extent = self.reach(access.verb, &access.extent);
                    self.add(FileAccess { path: start.clone(), extent, ..access.clone() }, accesses);
                }
                continue;
            }
            if access.certainty == Certainty::InDirectory {
                continue;
            }
            // Next to it: `{}.bak`.
            for start in &self.starts {
                let extent = Extent::Part(Unknown::new(Cause::Glob, access.path.shown()));
                self.add(FileAccess { path: start.clone(), extent, ..access.clone() }, accesses);
            }
        }
    }

    /// Returns the results, if they are listed: names, and globs that are expanded to names.
    fn known_names(&self) -> Option<Vec<Part>> {
        let named = |start: &Word| match start.known() {
            Some(name) => Some(Part::Text(name.to_owned())),
            None => start.as_matched()?.parts.into_iter().next(),
        };
        let is_listed = self.extent == Extent::Alone;
        if is_listed { self.starts.iter().map(named).collect() } else { None }
    }

    /// Returns the extent of an access to the results, given that to each of them.
    fn reach(&self, verb: Verb, inner: &Extent) -> Extent {
        match (&self.extent, inner) {
            (Extent::Alone, inner) => inner.clone(),
            (Extent::Below(filter), _)
                if filter.only.is_empty() && verb == Verb::Deletes && filter.directories == Skipped::No =>
            {
                Extent::Whole
            }
            // All files of a directory that has the name are touched, under any name.
            (Extent::Below(filter), Extent::Whole | Extent::Mirror(..)) if !filter.only.is_empty() => {
                let mut inside = filter.clone();
                inside.only = filter.only.iter().flat_map(|name| [name.clone(), format!("**/{name}/**")]).collect();
                Extent::Below(inside)
            }
            (extent, _) => extent.clone(),
        }
    }
}

/// Whether a filter lets every file pass.
fn is_all(filter: &Filter) -> bool {
    Filter { directories: Skipped::No, ..filter.clone() } == Filter::default()
}

/// Returns the starts of `find`, and its expression.
fn starts(words: &[Word]) -> (Vec<Word>, &[Word]) {
    let mut words = words;
    while let [word, behind @ ..] = words {
        match word.known() {
            Some("-H" | "-L" | "-P") => words = behind,
            Some("-D") => words = behind.get(1..).unwrap_or_default(),
            Some(text) if text.starts_with("-O") => words = behind,
            _ => break,
        }
    }
    let is_test = |word: &&Word| word.prefix().starts_with(['-', '(', '!', ')', ',']);
    let count = words.iter().take_while(|word| !is_test(word)).count();
    let (starts, expression) = words.split_at(count);
    let starts = if starts.is_empty() { vec![Word::text(".")] } else { starts.to_vec() };
    (starts, expression)
}

/// Returns the number of words of an action, including its terminator, which is missing only if `find` would reject the
/// words.
pub(super) fn action_length(words: &[Word]) -> usize {
    let is_end = |(at, word): (usize, &Word)| match word.known() {
        Some(";") => true,
        Some("+") => at.checked_sub(1).and_then(|before| words.get(before)).and_then(Word::known) == Some(PLACEHOLDER),
        _ => false,
    };
    words.iter().enumerate().position(is_end).map_or(words.len(), |at| at + 1)
}

/// Returns a path with [`Source::Each`] replaced.
fn with_each(path: &Word, named: &Part) -> Word {
    let mut word = Word::default();
    path.parts.iter().for_each(|part| word.push(if part.is_each() { named } else { part }.clone()));
    word
}

fn extent_of_any(extent: Extent) -> Extent {
    match extent {
        Extent::Mirror(source, _) if has_each(&source) => Extent::Whole,
        extent => extent,
    }
}
