//! Globs in the words of a command, expanded as by bash: to the names of existing files, or to themselves if none
//! matches.

use std::path::{Path, PathBuf};

use crate::context::Machine;
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::glob::Glob;
use hookrules_shell::word::{Directory, ValueSource, WordPart};
use hookrules_shell::{Analysis, Unknown, Word};

/// The most words that a glob expands to. A glob that matches more stays unexpanded.
const WORDS: usize = 2_048;

/// Directories whose contents differ from process to process.
const OF_PROCESSES: &[&str] = &["/dev/fd", "/proc"];

/// The most runs of a command in a loop over names. With more names, the command stays unexpanded.
const TIMES: usize = 512;

/// The cost of comparing one name with a glob.
const NAME: u64 = 20;

/// The cost of joining one name to a path.
const PATH: u64 = 60;

/// The options of bash that change how globs match.
const OPTIONS: &[&str] = &["dotglob", "nocaseglob", "globstar", "extglob", "nullglob", "failglob"];

/// Whether a text changes how globs match: it sets one of these options or `GLOBIGNORE`.
pub(super) fn is_glob_changing(analysis: &Analysis) -> bool {
    let is_option = |word: &Word| word.known_text().is_some_and(|text| OPTIONS.contains(&text));
    let sets = |command: &SimpleCommand| {
        let set = command.assignments.iter().chain(&command.environment);
        command.words.iter().any(is_option)
            || set.into_iter().any(|set| matches!(&*set.name, "GLOBIGNORE" | "BASHOPTS"))
    };
    analysis.commands.iter().any(sets)
}

/// Whether a text may make globs ignore case: `shopt -s nocaseglob`.
pub(super) fn is_case_possibly_ignored(analysis: &Analysis) -> bool {
    let words = analysis.commands.iter().flat_map(|command| &command.words);
    words.filter_map(Word::known_text).any(|text| text == "nocaseglob")
        || analysis
            .commands
            .iter()
            .flat_map(|command| command.assignments.iter().chain(&command.environment))
            .any(|set| set.name == "BASHOPTS")
}

/// Returns a word with a `?` in place of each letter, since a letter may match in either case.
pub(super) fn wildcard_letters(word: &Word) -> Word {
    let mut any = Word::default();
    for part in &word.parts {
        let WordPart::Text(text) = part else {
            any.push(part.clone());
            continue;
        };
        for c in text.chars() {
            any.push(if c.is_alphabetic() { WordPart::Glob("?".to_owned()) } else { WordPart::Text(c.to_string()) });
        }
    }
    any
}

impl Machine<'_> {
    /// Returns the command with its globs expanded, as far as they can be; `None` if the command has no glob.
    pub(super) fn expand_globs(&self, command: &SimpleCommand) -> Option<SimpleCommand> {
        let has_glob = |word: &Word| {
            word.parts.iter().any(|part| part.matched_glob().is_some() || matches!(part, WordPart::Glob(_)))
        };
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

    /// Returns the runs of a command in a loop, once for each name that a glob before it expanded to
    /// (`for f in *.c; do rm $f; done`), each with its directory if the loop changes that. `None` if no such name is
    /// in the command, if there are too many runs, or if the budget is spent.
    pub(super) fn expand_per_name(&self, command: &SimpleCommand) -> Option<Vec<(SimpleCommand, Option<Word>)>> {
        let targets = command.redirects.iter().map(|redirect| &*redirect.target);
        let mut globs: Vec<&Word> = Vec::new();
        for glob in command.words.iter().chain(targets).flat_map(|word| &word.parts).filter_map(WordPart::matched_glob)
        {
            if !globs.contains(&glob) {
                globs.push(glob);
            }
        }
        let directory = match &command.cwd {
            Directory::Unknown(Unknown { source: ValueSource::GlobMatch(directory), .. }) => Some(&**directory),
            _ => None,
        };
        if globs.is_empty() && directory.is_none() {
            return None;
        }
        let mut times = vec![(command.clone(), None)];
        if let Some(names) = directory.and_then(|glob| self.existing_matches(glob, &Directory::Known("/".into())))
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
                let names = self.earlier_glob_names(glob, &command);
                if names.is_empty() {
                    next.push((command, directory));
                    continue;
                }
                for name in names {
                    self.charge_each(PATH, command.words.len()).ok()?;
                    next.push((substitute_name(&command, glob, &name), directory.clone()));
                }
                if next.len() > TIMES {
                    return None;
                }
            }
            times = next;
        }
        Some(times)
    }

    /// Returns the names that a glob before a command expanded to. The command may run in another directory than the
    /// glob (`cd x && cp a ../$d`), so names relative to its directory and relative to the text before the name in
    /// its words are included.
    fn earlier_glob_names(&self, glob: &Word, command: &SimpleCommand) -> Vec<String> {
        let mut names = self.existing_matches(glob, &command.cwd).unwrap_or_default();
        let targets = command.redirects.iter().map(|redirect| &*redirect.target);
        for word in command.words.iter().chain(targets) {
            let [WordPart::Text(start), part, ..] = word.parts.as_slice() else { continue };
            if !start.ends_with('/') || part.matched_glob() != Some(glob) {
                continue;
            }
            let mut whole = Word::text(start.as_str());
            glob.as_globs().parts.iter().for_each(|part| whole.push(part.clone()));
            let found = self.matches_on_disk(&whole, &command.cwd).unwrap_or_default();
            names.extend(found.iter().filter_map(|name| Some(name.strip_prefix(start.as_str())?.to_owned())));
        }
        names.sort();
        names.dedup();
        names
    }

    /// Returns the names that a glob in a word expands to, or the word itself if no file matches; `None` if they are
    /// unknown.
    fn glob(&self, word: &Word, cwd: &Directory) -> Option<Vec<String>> {
        let names = self.existing_matches(word, cwd)?;
        match names.is_empty() {
            false => Some(names),
            // The names that an earlier glob in the word expanded to are unknown.
            true if word.has_matched() => None,
            true => Some(vec![word.display_text()]),
        }
    }

    /// Returns the existing names that match a word. A part that an earlier glob expanded to is replaced by each of
    /// its names; the text after such a name need not exist.
    fn existing_matches(&self, word: &Word, cwd: &Directory) -> Option<Vec<String>> {
        if !word.has_matched() {
            return self.matches_on_disk(word, cwd);
        }
        let mut rows = vec![Word::default()];
        for part in &word.parts {
            let Some(glob) = part.matched_glob() else {
                rows.iter_mut().for_each(|row| row.push(part.clone()));
                continue;
            };
            let names = self.existing_matches(glob, cwd)?;
            if names.len() * rows.len() > WORDS {
                return None;
            }
            let longer = |row: &Word, name: &String| {
                let mut row = row.clone();
                row.push(WordPart::Text(name.clone()));
                row
            };
            rows = rows.iter().flat_map(|row| names.iter().map(move |name| longer(row, name))).collect();
            self.charge_each(PATH, rows.len()).ok()?;
        }
        let mut found = Vec::new();
        for row in rows {
            match row.known_text() {
                Some(name) => found.push(name.to_owned()),
                None => found.extend(self.matches_on_disk(&row, cwd)?),
            }
        }
        // The command may run in another directory than the glob: `../$f`.
        if found.is_empty() { self.matches_on_disk(&word.as_globs(), cwd) } else { Some(found) }
    }

    /// Returns the names of existing files that match a word without earlier globs; `None` if they are unknown or too
    /// many.
    fn matches_on_disk(&self, word: &Word, cwd: &Directory) -> Option<Vec<String>> {
        let components = components(word)?;
        let is_absolute = matches!(components.first(), Some(PathComponent::Name(name)) if name.is_empty());
        let base = match cwd {
            _ if is_absolute => Path::new("/"),
            Directory::Known(cwd) => cwd,
            Directory::Unknown(_) => return None,
        };
        // Each match so far: its text, and its path.
        let mut found = vec![(String::new(), base.to_owned())];
        let mut after_glob = false;
        for (at, component) in components.iter().enumerate() {
            let separator = if at == 0 { "" } else { "/" };
            let is_last = at + 1 == components.len();
            let mut next = Vec::new();
            for (text, path) in found {
                match component {
                    PathComponent::Name(name) => {
                        let path = if name.is_empty() { path } else { path.join(name) };
                        // A trailing slash requires a directory, and `names_matching` has only returned directories.
                        let is_there = !after_glob || name.is_empty() || self.file_exists(&path).ok()? == Some(true);
                        if is_there {
                            next.push((format!("{text}{separator}{name}"), path));
                        }
                    }
                    PathComponent::Glob { glob, takes_hidden } => {
                        let wants_directory = !is_last;
                        for name in self.names_matching(&path, glob, *takes_hidden, wants_directory)? {
                            next.push((format!("{text}{separator}{name}"), path.join(&name)));
                        }
                    }
                }
                // In a directory of processes, the names would be those of this process.
                let is_of_process = |(_, path): &(String, PathBuf)| OF_PROCESSES.iter().any(|it| path.starts_with(it));
                if next.len() > WORDS || !is_last && next.iter().any(is_of_process) || self.charge(PATH).is_err() {
                    return None;
                }
            }
            after_glob |= matches!(component, PathComponent::Glob { .. });
            found = next;
        }
        let mut names: Vec<String> = found.into_iter().map(|(text, _)| text).collect();
        names.sort();
        Some(names)
    }

    /// Returns the names in a directory that match a glob; `None` if the directory cannot be listed. With
    /// `directories`, only directories are included.
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

/// Returns a command with a name in place of the parts that a glob expanded to.
fn substitute_name(command: &SimpleCommand, glob: &Word, name: &str) -> SimpleCommand {
    let named = |word: &Word| {
        let mut named = Word { parts: Default::default(), span: word.span.clone() };
        for part in &word.parts {
            let is_it = part.matched_glob() == Some(glob);
            named.push(if is_it { WordPart::Text(name.to_owned()) } else { part.clone() });
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

/// A component of a path, between two slashes.
enum PathComponent {
    /// A name without wildcards.
    Name(String),
    /// A glob, and whether it also matches hidden files, since it begins with a dot.
    Glob { glob: Glob, takes_hidden: bool },
}

/// Splits a word at its slashes; `None` if a part of the word is unknown, or is an extended glob such as `@(a|b)`.
fn components(word: &Word) -> Option<Vec<PathComponent>> {
    let mut components = Vec::new();
    let mut open = OpenComponent::default();
    for part in &word.parts {
        match part {
            WordPart::Text(text) => {
                for (at, name) in text.split('/').enumerate() {
                    if at > 0 {
                        components.push(std::mem::take(&mut open).into_component());
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
            WordPart::Glob(glob) if glob.contains('(') => return None,
            WordPart::Glob(glob) => {
                open.takes_hidden |= open.name.starts_with('.');
                open.is_glob = true;
                open.name.push_str(glob);
                open.glob.push_str(glob);
            }
            WordPart::Unknown(_) => return None,
        }
    }
    components.push(open.into_component());
    Some(components)
}

/// A component that is not complete yet.
#[derive(Default)]
struct OpenComponent {
    /// The text of the component.
    name: String,
    /// The component as a glob, in which literal text is escaped.
    glob: String,
    is_glob: bool,
    takes_hidden: bool,
}

impl OpenComponent {
    /// Completes the component.
    fn into_component(self) -> PathComponent {
        match self.is_glob {
            true => PathComponent::Glob { glob: Glob::new(&self.glob), takes_hidden: self.takes_hidden },
            false => PathComponent::Name(self.name),
        }
    }
}
