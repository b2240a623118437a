//! Expands the globs in the words of a command as bash does: to the names of existing files, or to themselves if no
//! file matches.

use std::path::{Path, PathBuf};

use crate::context::Machine;
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::glob::Glob;
use hookrules_shell::path::join;
use hookrules_shell::word::{Directory, ValueSource, WordPart};
use hookrules_shell::{Analysis, Unknown, Word};

/// The maximum number of words that a glob expands to. A glob that matches more files is left as it is.
const WORDS: usize = 2_048;

/// Directories whose contents are different for each process.
const PROCESS_DIRECTORIES: &[&str] = &["/dev/fd", "/proc"];

/// The maximum number of runs of a command in a loop over names. With more names, the command is left as it is.
const MAX_RUNS: usize = 512;

/// The cost of comparing one name with a glob, in units of the budget.
const NAME_UNITS: u64 = 20;

/// The cost of joining one name to a path, in units of the budget.
const PATH_UNITS: u64 = 60;

/// The options of bash that change how globs match.
const GLOB_OPTIONS: &[&str] = &["dotglob", "nocaseglob", "globstar", "extglob", "nullglob", "failglob"];

/// Whether a text changes how globs match: it sets one of [`GLOB_OPTIONS`], `BASHOPTS` or `GLOBIGNORE`.
pub(super) fn is_glob_changing(analysis: &Analysis) -> bool {
    let is_option = |word: &Word| word.known_text().is_some_and(|text| GLOB_OPTIONS.contains(&text));
    let sets = |command: &SimpleCommand| {
        let assignments = command.assignments.iter().chain(&command.environment);
        command.words.iter().any(is_option)
            || assignments.into_iter().any(|set| matches!(&*set.name, "GLOBIGNORE" | "BASHOPTS"))
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

/// Replaces each letter of a word by the glob `?`, since a letter may match in either case.
pub(super) fn wildcard_letters(word: &Word) -> Word {
    let mut result = Word::default();
    for part in &word.parts {
        let WordPart::Text(text) = part else {
            result.push(part.clone());
            continue;
        };
        for c in text.chars() {
            result.push(if c.is_alphabetic() { WordPart::Glob("?".to_owned()) } else { WordPart::Text(c.to_string()) });
        }
    }
    result
}

impl Machine<'_> {
    /// Expands the globs of a command, as far as possible; `None` if the command has no glob.
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

    /// Returns the runs of a command in a loop over the names that a glob expanded to (`for f in *.c; do rm $f;
    /// done`): one for each name, with its directory if the loop changes directories. `None` if the command contains
    /// no such name, if there are too many runs, or if the budget is spent.
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
        let mut runs = vec![(command.clone(), None)];
        if let Some(names) = directory.and_then(|glob| self.existing_matches(glob, &Directory::Known("/".into())))
            && !names.is_empty()
            && names.len() <= MAX_RUNS
        {
            let run_in = |name: &String| {
                let mut command = command.clone();
                command.cwd = Directory::Known(name.into());
                (command, Some(Word::text(name)))
            };
            runs = names.iter().map(run_in).collect();
        }
        for glob in globs {
            let mut next = Vec::new();
            for (command, directory) in runs {
                let names = self.earlier_glob_names(glob, &command);
                if names.is_empty() {
                    next.push((command, directory));
                    continue;
                }
                for name in names {
                    self.charge_each(PATH_UNITS, command.words.len()).ok()?;
                    next.push((substitute_name(&command, glob, &name), directory.clone()));
                }
                if next.len() > MAX_RUNS {
                    return None;
                }
            }
            runs = next;
        }
        Some(runs)
    }

    /// Returns the names that a glob of an earlier command expanded to. The glob may have been expanded in another
    /// directory (`cd x && cp a ../$d`). So the result has the names in the command's directory, and those in the
    /// directory that the text before the name in a word denotes.
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
            let matches = self.matches_on_disk(&whole, &command.cwd).unwrap_or_default();
            names.extend(matches.iter().filter_map(|name| Some(name.strip_prefix(start.as_str())?.to_owned())));
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
            // It is unknown to which names the earlier glob in the word expanded.
            true if word.has_matched() => None,
            true => Some(vec![word.display_text()]),
        }
    }

    /// Returns the existing names that match a word; `None` if they are unknown. A part that an earlier glob expanded
    /// to is replaced by each of its names; the path that this makes need not exist.
    fn existing_matches(&self, word: &Word, cwd: &Directory) -> Option<Vec<String>> {
        if !word.has_matched() {
            return self.matches_on_disk(word, cwd);
        }
        let mut combinations = vec![Word::default()];
        for part in &word.parts {
            let Some(glob) = part.matched_glob() else {
                combinations.iter_mut().for_each(|combination| combination.push(part.clone()));
                continue;
            };
            let names = self.existing_matches(glob, cwd)?;
            if names.len() * combinations.len() > WORDS {
                return None;
            }
            let extended = |combination: &Word, name: &String| {
                let mut combination = combination.clone();
                combination.push(WordPart::Text(name.clone()));
                combination
            };
            combinations = combinations
                .iter()
                .flat_map(|combination| names.iter().map(move |name| extended(combination, name)))
                .collect();
            self.charge_each(PATH_UNITS, combinations.len()).ok()?;
        }
        let mut matches = Vec::new();
        for combination in combinations {
            match combination.known_text() {
                Some(name) => matches.push(name.to_owned()),
                None => matches.extend(self.matches_on_disk(&combination, cwd)?),
            }
        }
        // The glob may have been expanded in another directory: `../$f`.
        if matches.is_empty() { self.matches_on_disk(&word.as_globs(), cwd) } else { Some(matches) }
    }

    /// Returns the names of existing files that match a word without earlier globs. `None` if they are unknown or too
    /// many.
    fn matches_on_disk(&self, word: &Word, cwd: &Directory) -> Option<Vec<String>> {
        let components = components(word)?;
        let is_absolute = matches!(components.first(), Some(PathComponent::Name(name)) if name.is_empty());
        let base = match cwd {
            _ if is_absolute => Path::new("/"),
            Directory::Known(cwd) => cwd,
            Directory::Unknown(_) => return None,
        };
        // The matches of the components so far, each as text and as path.
        let mut matches = vec![(String::new(), base.to_owned())];
        let mut after_glob = false;
        for (at, component) in components.iter().enumerate() {
            let separator = if at == 0 { "" } else { "/" };
            let is_last = at + 1 == components.len();
            let mut next = Vec::new();
            for (text, path) in matches {
                match component {
                    PathComponent::Name(name) => {
                        let path = if name.is_empty() { path } else { join(&path, name.as_ref()) };
                        // A trailing slash requires a directory, and `names_matching` has returned only directories.
                        let exists = !after_glob || name.is_empty() || self.file_exists(&path).ok()? == Some(true);
                        if exists {
                            next.push((format!("{text}{separator}{name}"), path));
                        }
                    }
                    PathComponent::Glob { glob, takes_hidden } => {
                        let wants_directory = !is_last;
                        for name in self.names_matching(&path, glob, *takes_hidden, wants_directory)? {
                            next.push((format!("{text}{separator}{name}"), join(&path, name.as_ref())));
                        }
                    }
                }
                // In `/proc` and the like, the names would be those of this process.
                let is_of_process =
                    |(_, path): &(String, PathBuf)| PROCESS_DIRECTORIES.iter().any(|it| path.starts_with(it));
                if next.len() > WORDS || !is_last && next.iter().any(is_of_process) || self.charge(PATH_UNITS).is_err()
                {
                    return None;
                }
            }
            after_glob |= matches!(component, PathComponent::Glob { .. });
            matches = next;
        }
        let mut names: Vec<String> = matches.into_iter().map(|(text, _)| text).collect();
        names.sort();
        Some(names)
    }

    /// Returns the names in a directory that match a glob, perhaps only those of directories. `None` if the directory
    /// cannot be listed.
    fn names_matching(
        &self,
        directory: &Path,
        glob: &Glob,
        takes_hidden: bool,
        only_directories: bool,
    ) -> Option<Vec<String>> {
        let real: PathBuf = self.resolve(directory);
        let entries = self.entries(&real).ok()?.unwrap_or_default();
        self.charge_each(NAME_UNITS, entries.len()).ok()?;
        let is_directory = |name: &str| self.directory_exists(&real.join(name)).ok().flatten() == Some(true);
        let fits = |name: &str| (takes_hidden || !name.starts_with('.')) && glob.may_match(name);
        let matching = entries.iter().filter(|entry| fits(&entry.name));
        let matching = matching.filter(|entry| !only_directories || entry.is_directory || is_directory(&entry.name));
        let matching: Vec<String> = matching.map(|entry| entry.name.clone()).collect();
        self.charge_each(PATH_UNITS, matching.len()).ok()?;
        Some(matching)
    }
}

/// Replaces the parts of a command that a glob expanded to by one name.
fn substitute_name(command: &SimpleCommand, glob: &Word, name: &str) -> SimpleCommand {
    let with_name = |word: &Word| {
        let mut replaced = Word { parts: Default::default(), span: word.span.clone() };
        for part in &word.parts {
            let is_of_glob = part.matched_glob() == Some(glob);
            replaced.push(if is_of_glob { WordPart::Text(name.to_owned()) } else { part.clone() });
        }
        replaced
    };
    let mut command = command.clone();
    command.words = command.words.iter().map(with_name).collect();
    for redirect in command.redirects.iter_mut().filter(|redirect| redirect.target.has_matched()) {
        redirect.target = with_name(&redirect.target).into();
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

/// A component of a path that is being read.
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
    /// Returns the complete component.
    fn into_component(self) -> PathComponent {
        match self.is_glob {
            true => PathComponent::Glob { glob: Glob::new(&self.glob), takes_hidden: self.takes_hidden },
            false => PathComponent::Name(self.name),
        }
    }
}
