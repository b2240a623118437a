//! Globs in the words of a command, expanded as bash does: to the existing names, else to themselves.

use std::path::{Path, PathBuf};

use crate::context::Machine;
use hookrules_shell::analysis::Simple;
use hookrules_shell::glob::Glob;
use hookrules_shell::word::{Directory, Part, Source};
use hookrules_shell::{Analysis, Unknown, Word};

/// The most words that a glob expands to. One with more stays unexpanded.
const WORDS: usize = 2_048;

/// Directories whose contents differ between processes.
const OF_PROCESSES: &[&str] = &["/dev/fd", "/proc"];

/// The most runs of a command, one per name. A command with more runs stays unexpanded.
const TIMES: usize = 512;

/// The cost of matching one name.
const NAME: u64 = 20;

/// The cost of appending one name to a path.
const PATH: u64 = 60;

/// Options of bash that change what globs match.
const OPTIONS: &[&str] = &["dotglob", "nocaseglob", "globstar", "extglob", "nullglob", "failglob"];

/// Whether a text changes what globs match.
pub(super) fn changes_globs(analysis: &Analysis) -> bool {
    let is_option = |word: &Word| word.known().is_some_and(|text| OPTIONS.contains(&text));
    let sets = |command: &Simple| {
        let set = command.assignments.iter().chain(&command.environment);
        command.words.iter().any(is_option)
            || set.into_iter().any(|set| matches!(&*set.name, "GLOBIGNORE" | "BASHOPTS"))
    };
    analysis.commands.iter().any(sets)
}

/// Whether a text may make globs ignore case.
pub(super) fn globs_in_any_case(analysis: &Analysis) -> bool {
    let words = analysis.commands.iter().flat_map(|command| &command.words);
    words.filter_map(Word::known).any(|text| text == "nocaseglob")
        || analysis
            .commands
            .iter()
            .flat_map(|command| command.assignments.iter().chain(&command.environment))
            .any(|set| set.name == "BASHOPTS")
}

/// Returns a word with a wildcard in place of every letter.
pub(super) fn in_any_case(word: &Word) -> Word {
    let mut any = Word::default();
    for part in &word.parts {
        let Part::Text(text) = part else {
            any.push(part.clone());
            continue;
        };
        for c in text.chars() {
            any.push(if c.is_alphabetic() { Part::Glob("?".to_owned()) } else { Part::Text(c.to_string()) });
        }
    }
    any
}

impl Machine<'_> {
    /// Returns the command with its globs expanded; those that cannot be expanded stay. `None` if it has no glob.
    pub(super) fn expanded(&self, command: &Simple) -> Option<Simple> {
        let has_glob =
            |word: &Word| word.parts.iter().any(|part| part.matched().is_some() || matches!(part, Part::Glob(_)));
        let targets = || command.redirects.iter().map(|redirect| &*redirect.target);
        if !command.words.iter().chain(targets()).any(has_glob) {
            return None;
        }
        let mut expanded = command.clone();
        expanded.words = Vec::new();
        for word in &command.words {
            match has_glob(word).then(|| self.glob(word, &command.cwd)).flatten() {
                Some(names) if expanded.words.len() + names.len() <= WORDS => {
                    expanded.words.extend(names.into_iter().map(Word::text));
                }
                _ => expanded.words.push(word.clone()),
            }
        }
        for redirect in expanded.redirects.iter_mut().filter(|redirect| has_glob(&redirect.target)) {
            let names = self.glob(&redirect.target, &command.cwd);
            if let Some([name]) = names.as_deref() {
                redirect.target = Word::text(name.clone()).into();
            }
        }
        Some(expanded)
    }

    /// Returns the command once per name that earlier globs expanded to, each with its directory if that is one of
    /// several. `None` if no glob affects it, if there are too many runs or if the budget is spent.
    pub(super) fn each_time(&self, command: &Simple) -> Option<Vec<(Simple, Option<Word>)>> {
        let targets = command.redirects.iter().map(|redirect| &*redirect.target);
        let mut globs: Vec<&Word> = Vec::new();
        for glob in command.words.iter().chain(targets).flat_map(|word| &word.parts).filter_map(Part::matched) {
            if !globs.contains(&glob) {
                globs.push(glob);
            }
        }
        let directory = match &command.cwd {
            Directory::Unknown(Unknown { source: Source::Matched(directory), .. }) => Some(&**directory),
            _ => None,
        };
        if globs.is_empty() && directory.is_none() {
            return None;
        }
        let mut times = vec![(command.clone(), None)];
        if let Some(names) = directory.and_then(|glob| self.existing(glob, &Directory::Known("/".into())))
            && !names.is_empty()
            && names.len() <= TIMES
        {
            let at = |name: &String| {
                let mut command = command.clone();
                command.cwd = Directory::Known(name.into());
                (command, Some(Word::text(name)))
            };
            times = names.iter().map(at).collect();
        }
        for glob in globs {
            let mut next = Vec::new();
            for (command, directory) in times {
                let names = self.names_before(glob, &command);
                if names.is_empty() {
                    next.push((command, directory));
                    continue;
                }
                for name in names {
                    self.charge_each(PATH, command.words.len()).ok()?;
                    next.push((with_name(&command, glob, &name), directory.clone()));
                }
                if next.len() > TIMES {
                    return None;
                }
            }
            times = next;
        }
        Some(times)
    }

    /// Returns the names that a glob expanded to before a command: relative to the command's directory, and relative to
    /// its words, since it may run in another directory than the glob (`cd x && cp a ../$d`).
    fn names_before(&self, glob: &Word, command: &Simple) -> Vec<String> {
        let mut names = self.existing(glob, &command.cwd).unwrap_or_default();
        let targets = command.redirects.iter().map(|redirect| &*redirect.target);
        for word in command.words.iter().chain(targets) {
            let [Part::Text(start), part, ..] = word.parts.as_slice() else { continue };
            if !start.ends_with('/') || part.matched() != Some(glob) {
                continue;
            }
            let mut whole = Word::text(start.as_str());
            glob.as_globs().parts.iter().for_each(|part| whole.push(part.clone()));
            let found = self.found(&whole, &command.cwd).unwrap_or_default();
            names.extend(found.iter().filter_map(|name| Some(name.strip_prefix(start.as_str())?.to_owned())));
        }
        names.sort();
        names.dedup();
        names
    }

    /// Returns the names that a glob expands to; `None` if they are unknown.
    fn glob(&self, word: &Word, cwd: &Directory) -> Option<Vec<String>> {
        let names = self.existing(word, cwd)?;
        match names.is_empty() {
            false => Some(names),
            // The names that an earlier glob expanded to are unknown.
            true if word.has_matched() => None,
            true => Some(vec![word.shown()]),
        }
    }

    /// Returns the existing names that match. Names that earlier globs expanded to may be followed by parts that do not
    /// exist.
    fn existing(&self, word: &Word, cwd: &Directory) -> Option<Vec<String>> {
        if !word.has_matched() {
            return self.found(word, cwd);
        }
        let mut rows = vec![Word::default()];
        for part in &word.parts {
            let Some(glob) = part.matched() else {
                rows.iter_mut().for_each(|row| row.push(part.clone()));
                continue;
            };
            let names = self.existing(glob, cwd)?;
            if names.len() * rows.len() > WORDS {
                return None;
            }
            let longer = |row: &Word, name: &String| {
                let mut row = row.clone();
                row.push(Part::Text(name.clone()));
                row
            };
            rows = rows.iter().flat_map(|row| names.iter().map(move |name| longer(row, name))).collect();
            self.charge_each(PATH, rows.len()).ok()?;
        }
        let mut found = Vec::new();
        for row in rows {
            match row.known() {
                Some(name) => found.push(name.to_owned()),
                None => found.extend(self.found(&row, cwd)?),
            }
        }
        // It may run in another directory than the glob (`../$f`).
        if found.is_empty() { self.found(&word.as_globs(), cwd) } else { Some(found) }
    }

    /// Returns the existing names that match.
    fn found(&self, word: &Word, cwd: &Directory) -> Option<Vec<String>> {
        let components = components(word)?;
        let is_absolute = matches!(components.first(), Some(Component::Name(name)) if name.is_empty());
        let base = match cwd {
            _ if is_absolute => Path::new("/"),
            Directory::Known(cwd) => cwd,
            Directory::Unknown(_) => return None,
        };
        // The text so far, and its path.
        let mut found = vec![(String::new(), base.to_owned())];
        let mut after_glob = false;
        for (at, component) in components.iter().enumerate() {
            let separator = if at == 0 { "" } else { "/" };
            let is_last = at + 1 == components.len();
            let mut next = Vec::new();
            for (text, path) in found {
                match component {
                    Component::Name(name) => {
                        let path = if name.is_empty() { path } else { path.join(name) };
                        // A trailing slash requires a directory, and these are directories.
                        let is_there = !after_glob || name.is_empty() || self.file_exists(&path).ok()? == Some(true);
                        if is_there {
                            next.push((format!("{text}{separator}{name}"), path));
                        }
                    }
                    Component::Glob { glob, takes_hidden } => {
                        let wants_directory = !is_last;
                        for name in self.names_matching(&path, glob, *takes_hidden, wants_directory)? {
                            next.push((format!("{text}{separator}{name}"), path.join(&name)));
                        }
                    }
                }
                // The contents differ between processes.
                let is_of_process = |(_, path): &(String, PathBuf)| OF_PROCESSES.iter().any(|it| path.starts_with(it));
                if next.len() > WORDS || !is_last && next.iter().any(is_of_process) || self.charge(PATH).is_err() {
                    return None;
                }
            }
            after_glob |= matches!(component, Component::Glob { .. });
            found = next;
        }
        let mut names: Vec<String> = found.into_iter().map(|(text, _)| text).collect();
        names.sort();
        Some(names)
    }

    /// Returns the matching names in a directory; `None` if it cannot be listed.
    fn names_matching(
        &self,
        directory: &Path,
        glob: &Glob,
        takes_hidden: bool,
        directories: bool,
    ) -> Option<Vec<String>> {
        let real: PathBuf = self.resolve(directory);
        let entries = self.entries(&real).ok()?.unwrap_or_default();
        self.charge_each(NAME, entries.len()).ok()?;
        let is_directory = |name: &str| self.directory_exists(&real.join(name)).ok().flatten() == Some(true);
        let fits = |name: &str| (takes_hidden || !name.starts_with('.')) && glob.may_match(name);
        let named = entries.iter().filter(|entry| fits(&entry.name));
        let named = named.filter(|entry| !directories || entry.is_directory || is_directory(&entry.name));
        let named: Vec<String> = named.map(|entry| entry.name.clone()).collect();
        self.charge_each(PATH, named.len()).ok()?;
        Some(named)
    }
}

/// Returns a command with a name substituted for the expansion of a glob.
fn with_name(command: &Simple, glob: &Word, name: &str) -> Simple {
    let named = |word: &Word| {
        let mut named = Word { parts: Default::default(), span: word.span.clone() };
        for part in &word.parts {
            let is_it = part.matched() == Some(glob);
            named.push(if is_it { Part::Text(name.to_owned()) } else { part.clone() });
        }
        named
    };
    let mut command = command.clone();
    command.words = command.words.iter().map(named).collect();
    for redirect in command.redirects.iter_mut().filter(|redirect| redirect.target.has_matched()) {
        redirect.target = named(&redirect.target).into();
    }
    command
}

/// A part of a path between slashes.
enum Component {
    Name(String),
    Glob { glob: Glob, takes_hidden: bool },
}

/// Splits a word at its slashes; `None` if part of it is unknown, or if it has an extended glob.
fn components(word: &Word) -> Option<Vec<Component>> {
    let mut components = Vec::new();
    let mut open = Open::default();
    for part in &word.parts {
        match part {
            Part::Text(text) => {
                for (at, name) in text.split('/').enumerate() {
                    if at > 0 {
                        components.push(std::mem::take(&mut open).close());
                    }
                    open.name.push_str(name);
                    for c in name.chars() {
                        if matches!(c, '*' | '?' | '[' | '\\') {
                            open.glob.push('\\');
                        }
                        open.glob.push(c);
                    }
                }
            }
            Part::Glob(glob) if glob.contains('(') => return None,
            Part::Glob(glob) => {
                open.takes_hidden |= open.name.starts_with('.');
                open.is_glob = true;
                open.name.push_str(glob);
                open.glob.push_str(glob);
            }
            Part::Unknown(_) => return None,
        }
    }
    components.push(open.close());
    Some(components)
}

/// A part of a path that is not complete yet.
#[derive(Default)]
struct Open {
    name: String,
    glob: String,
    is_glob: bool,
    takes_hidden: bool,
}

impl Open {
    fn close(self) -> Component {
        match self.is_glob {
            true => Component::Glob { glob: Glob::new(&self.glob), takes_hidden: self.takes_hidden },
            false => Component::Name(self.name),
        }
    }
}
