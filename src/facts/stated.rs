//! Facts that a test, an example or a recorded event gives. Nothing is read from the machine.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::zone::local_time;
use super::{DirectoryEntry, Fact, Facts, GitState, SessionPast};
use crate::diagnostic::suggest;
use crate::platform::paths::shown;
use crate::time::{LocalTime, TimeOfDay, Weekday};
use hookrules_shell::path::{absolute_on_drive, drive_of, join, normalise, text_on_drive};

/// Facts that a test, an example or a recorded event gives. A fact that is not given has no value; only the time, the
/// weekday and the past of the session are then unknown. There are no links, and `tmp` is `/tmp` and `/var/tmp`.
/// A project on a drive, `C:/proj`, is one of Windows: paths are read as there, and `os` is `windows`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct StatedFacts {
    project: Option<PathBuf>,
    worktrees: Vec<PathBuf>,
    home: Option<PathBuf>,
    /// The directories for temporary files; `None` are the usual ones.
    tmp: Option<Vec<PathBuf>>,
    os: Option<String>,
    clock: StatedClock,
    /// When the event happened, in seconds since 1970: it shows the time and the weekday that are not given.
    moment: Option<u64>,
    host_pids: Vec<u32>,
    env: BTreeMap<String, String>,
    git: Option<GitState>,
    /// The state of git in further working trees, by their roots.
    trees: BTreeMap<PathBuf, GitState>,
    exists: BTreeMap<String, bool>,
    sizes: BTreeMap<String, u64>,
    scripts: Option<Vec<String>>,
    past: Option<Result<SessionPast, String>>,
}

/// The time and the weekday of an event, as far as they are given.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct StatedClock {
    pub(super) time: Option<TimeOfDay>,
    pub(super) weekday: Option<Weekday>,
}

impl StatedClock {
    /// Returns the time and the weekday this many minutes later. If the time is not given, the weekday is known only
    /// for zero minutes.
    pub(crate) fn later_by(self, minutes: i64) -> Self {
        let Some(time) = self.time else { return if minutes == 0 { self } else { Self::default() } };
        let weekday = self.weekday.unwrap_or(Weekday::Monday);
        let LocalTime { weekday, time } = LocalTime { weekday, time }.later_by(minutes);
        Self { time: Some(time), weekday: self.weekday.map(|_| weekday) }
    }
}

/// The reason why facts cannot be read from a JSON object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactsError {
    message: String,
    unknown: Option<UnknownFact>,
}

/// A key that is not the name of a fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UnknownFact {
    /// The unknown key.
    pub(crate) name: String,
    /// The fact that the author probably meant.
    pub(crate) suggestion: Option<String>,
}

impl FactsError {
    fn new(message: String) -> Self {
        Self { message, unknown: None }
    }

    /// Returns the key that is not the name of a fact, if that is the reason.
    pub(crate) fn unknown(&self) -> Option<&UnknownFact> {
        self.unknown.as_ref()
    }
}

impl fmt::Display for FactsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for FactsError {}

impl StatedFacts {
    /// Returns the facts with which examples begin: the project is `/project`, and home is `/home/user`.
    #[must_use]
    pub fn for_examples() -> Self {
        Self::default().with_project("/project").with_home("/home/user")
    }

    /// Sets the project directory, an absolute path.
    #[must_use]
    pub fn with_project(mut self, path: impl AsRef<Path>) -> Self {
        self.project = Some(absolute(path.as_ref()));
        self
    }

    /// Adds a linked worktree of the project, an absolute path.
    #[must_use]
    pub fn with_worktree(mut self, path: impl AsRef<Path>) -> Self {
        self.worktrees.push(absolute(path.as_ref()));
        self
    }

    /// Sets the home directory, an absolute path.
    #[must_use]
    pub fn with_home(mut self, path: impl AsRef<Path>) -> Self {
        self.home = Some(absolute(path.as_ref()));
        self
    }

    /// Sets the directories for temporary files, in place of the earlier ones.
    #[must_use]
    pub fn with_tmp(mut self, paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        self.tmp = Some(paths.into_iter().map(|path| absolute(path.as_ref())).collect());
        self
    }

    /// Returns the past of the session, if one is given.
    pub(super) fn stated_past(&self) -> Option<Result<SessionPast, String>> {
        self.past.clone()
    }

    /// Sets the past of the session before the event.
    #[must_use]
    pub fn with_past(self, past: SessionPast) -> Self {
        self.with_past_or_reason(Ok(past))
    }

    /// Sets the past of the session before the event, or the reason why it is unknown.
    #[must_use]
    pub(super) fn with_past_or_reason(mut self, past: Result<SessionPast, String>) -> Self {
        self.past = Some(past);
        self
    }

    /// Sets the operating system.
    #[must_use]
    pub fn with_os(mut self, os: impl Into<String>) -> Self {
        self.os = Some(os.into());
        self
    }

    /// Sets the time of the event, which is the same in all time zones.
    #[must_use]
    pub fn with_time(mut self, time: TimeOfDay) -> Self {
        self.clock.time = Some(time);
        self
    }

    /// Sets when the event happened, in seconds since 1970. The time and the weekday are those of the clock in each time
    /// zone at that moment, unless they are given.
    #[must_use]
    pub fn with_moment(mut self, seconds: u64) -> Self {
        self.moment = Some(seconds);
        self
    }

    /// Sets the weekday of the event, which is the same in all time zones.
    #[must_use]
    pub fn with_weekday(mut self, day: Weekday) -> Self {
        self.clock.weekday = Some(day);
        self
    }

    /// Sets the time and the weekday of the event.
    pub(crate) fn with_clock(self, clock: StatedClock) -> Self {
        Self { clock, ..self }
    }

    /// Returns the time and the weekday, as far as they are given.
    pub(crate) fn clock(&self) -> StatedClock {
        self.clock
    }

    /// Adds an ancestor process of the hook. The nearest must be added first.
    #[must_use]
    pub fn with_host_pid(mut self, pid: u32) -> Self {
        self.host_pids.push(pid);
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn with_env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    /// Sets the branch that is checked out, which implies that the working directory is in a repository.
    #[must_use]
    pub fn with_git_branch(mut self, branch: impl Into<String>) -> Self {
        self.git.get_or_insert_default().branch = Some(branch.into());
        self
    }

    /// Sets the URL of `origin`, which implies that the working directory is in a repository.
    #[must_use]
    pub fn with_git_remote(mut self, url: impl Into<String>) -> Self {
        self.git.get_or_insert_default().remote = Some(url.into());
        self
    }

    /// States that the working directory is in a linked worktree.
    #[must_use]
    pub fn with_git_worktree(self) -> Self {
        self.set_worktree(true)
    }

    /// Sets the root of the working tree, an absolute path, which implies that the working directory is in a
    /// repository.
    #[must_use]
    pub fn with_git_root(mut self, path: impl AsRef<Path>) -> Self {
        self.git.get_or_insert_default().root = Some(absolute(path.as_ref()));
        self
    }

    /// Adds a working tree with its own facts of git. The root is absolute or relative to the project. Outside of
    /// such working trees, the facts of git that are set without a directory apply.
    #[must_use]
    pub fn with_working_tree(mut self, root: impl AsRef<Path>, state: GitState) -> Self {
        let root = self.in_project(&root.as_ref().to_string_lossy());
        self.trees.insert(root.clone(), GitState { root: Some(root), ..state });
        self
    }

    /// Returns the absolute path that a text denotes; one of Windows, if the facts are.
    fn normal_path(&self, text: &str, base: &Path) -> PathBuf {
        match drive_of(base) {
            Some(drive) => normalise(&text_on_drive(text, drive), base, self.home.as_deref()),
            None => normalise(text, base, self.home.as_deref()),
        }
    }

    /// Makes a path absolute; a relative one is relative to the project.
    fn in_project(&self, path: &str) -> PathBuf {
        self.normal_path(path, self.project.as_deref().unwrap_or(Path::new("/")))
    }

    /// States whether a file exists. The path is absolute or relative to the project.
    #[must_use]
    pub fn with_file(mut self, path: impl Into<String>, exists: bool) -> Self {
        self.exists.insert(path.into(), exists);
        self
    }

    /// Sets the size of a file, which implies that the file exists.
    #[must_use]
    pub fn with_file_size(mut self, path: impl Into<String>, bytes: u64) -> Self {
        self.sizes.insert(path.into(), bytes);
        self
    }

    /// Sets the names of the scripts in the project's `package.json`.
    #[must_use]
    pub fn with_scripts(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.scripts = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Adds the facts in a JSON object to those that are already given.
    ///
    /// The members are `project`, `worktrees`, `home`, `tmp`, `os`, `time`, `weekday`, `host_pids`, `scripts`, `env`,
    /// `git`, `file_exists` and `file_size`. The last four are objects, or have a key in their name: `env.CI`, `git.branch`,
    /// `file_exists "pnpm-lock.yaml"`. A member with the value `null` is ignored.
    ///
    /// # Errors
    /// Fails if a member is not the name of a fact (the message suggests the nearest), or if a value has the wrong
    /// type.
    pub fn with_json(mut self, members: &Map<String, Value>) -> Result<Self, FactsError> {
        for (key, value) in members {
            if value.is_null() {
                continue;
            }
            let (fact, name) = split_key(key);
            self = match (fact, name, value) {
                ("env" | "git" | "file_exists" | "file_size", None, Value::Object(nested)) => {
                    nested.iter().try_fold(self, |facts, (name, value)| facts.with_named_fact(fact, name, value))?
                }
                ("env" | "git" | "file_exists" | "file_size", None, _) => {
                    return Err(FactsError::new(format!("`{fact}` must be an object")));
                }
                (_, Some(name), value) => self.with_named_fact(fact, name, value)?,
                (_, None, value) => self.with_plain_fact(fact, value)?,
            };
        }
        Ok(self)
    }

    /// Lists all facts as they are written in examples, for messages: `env.NAME, file_exists "p", …`.
    #[must_use]
    pub fn written_names() -> String {
        let written = |name: &&str| match *name {
            "env" => "env.NAME".to_owned(),
            "file_exists" | "file_size" => format!("{name} \"p\""),
            name => name.to_owned(),
        };
        NAMES.iter().filter(|name| **name != "git").map(written).collect::<Vec<_>>().join(", ")
    }

    /// Makes facts from a JSON object. Facts that it does not give have no value.
    ///
    /// # Errors
    /// As [`StatedFacts::with_json`].
    pub fn from_json(members: &Map<String, Value>) -> Result<Self, FactsError> {
        Self::default().with_json(members)
    }

    /// Adds a fact without a key, such as `os`.
    fn with_plain_fact(self, fact: &str, value: &Value) -> Result<Self, FactsError> {
        Ok(match fact {
            "project" => self.with_project(absolute_text(fact, value)?),
            "home" => self.with_home(absolute_text(fact, value)?),
            "os" => self.with_os(expect_text(fact, value)?),
            "time" => self.with_time(time_of_day(value)?),
            "weekday" => self.with_weekday(weekday(value)?),
            "host_pids" => pids(fact, value)?.into_iter().fold(self, Self::with_host_pid),
            "tmp" => self.with_tmp(absolute_paths(fact, value)?),
            "scripts" => self.with_scripts(texts(fact, value)?),
            "worktrees" => absolute_paths(fact, value)?.into_iter().fold(self, Self::with_worktree),
            other => return Err(unknown_fact_error(other)),
        })
    }

    /// Adds a fact with a key, such as `env.CI`.
    fn with_named_fact(self, fact: &str, name: &str, value: &Value) -> Result<Self, FactsError> {
        let key = format!("{fact}.{name}");
        Ok(match (fact, name) {
            _ if value.is_null() => self,
            ("git", root) if value.is_object() => self.with_members_of_tree(root, value)?,
            ("env", name) => self.with_env(name, expect_text(&key, value)?),
            ("git", "branch") => self.with_git_branch(expect_text(&key, value)?),
            ("git", "remote") => self.with_git_remote(expect_text(&key, value)?),
            ("git", "root") => self.with_git_root(absolute_text(&key, value)?),
            ("git", "worktree") => {
                let worktree = boolean(&key, value)?;
                self.set_worktree(worktree)
            }
            ("file_exists", path) => {
                let exists = boolean(&key, value)?;
                self.with_file(path, exists)
            }
            ("file_size", path) => {
                let bytes =
                    value.as_u64().ok_or_else(|| FactsError::new(format!("`{key}` must be a number of bytes")))?;
                self.with_file_size(path, bytes)
            }
            _ => return Err(unknown_fact_error(&key)),
        })
    }

    /// Adds the facts of git in a working tree, or replaces those that were given before.
    fn with_members_of_tree(self, root: &str, members: &Value) -> Result<Self, FactsError> {
        let root = self.in_project(root);
        let mut state = self.trees.get(&root).cloned().unwrap_or_default();
        for (name, value) in members.as_object().into_iter().flatten() {
            let key = format!("git.{name} \"{}\"", shown(&root));
            match name.as_str() {
                _ if value.is_null() => {}
                "branch" => state.branch = Some(expect_text(&key, value)?.to_owned()),
                "remote" => state.remote = Some(expect_text(&key, value)?.to_owned()),
                "worktree" => state.worktree = boolean(&key, value)?,
                _ => return Err(unknown_fact_error(&format!("git.{name}"))),
            }
        }
        Ok(self.with_working_tree(root, state))
    }

    fn set_worktree(mut self, worktree: bool) -> Self {
        self.git.get_or_insert_default().worktree = worktree;
        self
    }

    /// Whether the facts are those of Windows, whose paths have drives.
    fn is_on_drive(&self) -> bool {
        self.project.as_deref().or(self.home.as_deref()).is_some_and(|directory| drive_of(directory).is_some())
    }

    /// Returns the directory of Windows for temporary files, if the facts are those of Windows.
    fn temporary_on_drive(&self) -> Option<PathBuf> {
        self.home.as_ref().filter(|_| self.is_on_drive()).map(|home| join(home, "AppData/Local/Temp".as_ref()))
    }

    /// Returns the directories for temporary files.
    fn temporary(&self) -> Vec<PathBuf> {
        self.tmp.clone().unwrap_or_else(|| {
            // The bash of Git for Windows also has `/tmp`.
            let usual = ["/tmp", "/var/tmp"].into_iter().map(PathBuf::from);
            self.temporary_on_drive().into_iter().chain(usual).collect()
        })
    }

    /// Returns a variable that Windows sets for every account, if the facts are those of Windows.
    fn variable_on_drive(&self, name: &str) -> Option<String> {
        let directory = match name.to_ascii_uppercase().as_str() {
            "TEMP" | "TMP" => self.temporary_on_drive(),
            "USERPROFILE" => self.home.clone().filter(|_| self.is_on_drive()),
            _ => None,
        };
        directory.map(|directory| directory.to_string_lossy().into_owned())
    }

    /// Returns the absolute paths of the files that exist according to the given facts.
    fn stated_paths(&self) -> impl Iterator<Item = PathBuf> {
        let project = self.project.clone().unwrap_or_else(|| PathBuf::from("/"));
        let stated = self.exists.iter().filter(|(_, exists)| **exists).map(|(name, _)| name);
        stated.chain(self.sizes.keys()).map(move |name| self.normal_path(name, &project))
    }

    /// Whether the time of the event is given, in one way or the other.
    pub(super) fn has_time(&self) -> bool {
        self.clock.time.is_some() || self.moment.is_some()
    }

    /// Whether the weekday of the event is given, in one way or the other.
    pub(super) fn has_weekday(&self) -> bool {
        self.clock.weekday.is_some() || self.moment.is_some()
    }

    /// Returns the local time in a zone at the moment of the event.
    fn local_time(&self, zone: &str) -> Result<LocalTime, String> {
        self.moment.map_or_else(|| Err(NOT_STATED.to_owned()), |seconds| local_time(zone, seconds))
    }

    /// Whether a path is a directory according to the given facts: it contains a file that exists, or is or contains
    /// one of the roots.
    fn is_stated_directory(&self, path: &Path) -> bool {
        let tmp = self.temporary();
        let roots = self.project.iter().chain(&self.worktrees).chain(&self.home).chain(&tmp);
        roots.into_iter().any(|root| root.starts_with(path))
            || self.stated_paths().any(|file| file != path && file.starts_with(path))
    }

    /// Returns the state of git in the innermost of the added working trees that contains a directory.
    pub(super) fn tree_at(&self, directory: &Path) -> Option<&GitState> {
        let trees = self.trees.iter().filter(|(root, _)| directory.starts_with(root));
        trees.max_by_key(|(root, _)| root.components().count()).map(|(_, state)| state)
    }

    /// Returns the size of a file, if it is given.
    pub(super) fn size_at(&self, path: &Path) -> Option<u64> {
        self.stated_value(&self.sizes, path)
    }

    /// Returns whether a file exists, if that or the size of the file is given.
    pub(super) fn existence_at(&self, path: &Path) -> Option<bool> {
        self.stated_value(&self.exists, path).or_else(|| self.size_at(path).map(|_| true))
    }

    /// Returns the given value for a file, if there is one.
    fn stated_value<T: Copy>(&self, stated: &BTreeMap<String, T>, path: &Path) -> Option<T> {
        let root = self.project.as_deref().unwrap_or(Path::new("/"));
        let is_same_file = |(text, _): &(&String, &T)| self.normal_path(text, root) == path;
        stated.iter().find(is_same_file).map(|(_, value)| *value)
    }
}

#[deny(clippy::missing_trait_methods, reason = "a fact that is forgotten here would be unknown")]
impl Facts for StatedFacts {
    fn session_past(&self) -> Result<SessionPast, String> {
        self.stated_past().unwrap_or_else(|| Err(NOT_STATED.to_owned()))
    }

    fn base(&self) -> Option<&dyn Facts> {
        None
    }

    fn project(&self) -> Option<PathBuf> {
        self.project.clone()
    }

    fn worktrees(&self) -> Vec<PathBuf> {
        self.worktrees.clone()
    }

    fn home(&self) -> Option<PathBuf> {
        self.home.clone()
    }

    fn tmp(&self) -> Vec<PathBuf> {
        self.temporary()
    }

    fn os(&self) -> Fact<String> {
        Ok(self.os.clone().or_else(|| self.is_on_drive().then(|| "windows".to_owned())))
    }

    fn time(&self, zone: &str) -> Fact<TimeOfDay> {
        self.clock.time.map_or_else(|| self.local_time(zone).map(|local| local.time), Ok).map(Some)
    }

    fn weekday(&self, zone: &str) -> Fact<Weekday> {
        self.clock.weekday.map_or_else(|| self.local_time(zone).map(|local| local.weekday), Ok).map(Some)
    }

    fn host_pids(&self) -> Fact<Vec<u32>> {
        Ok(Some(self.host_pids.clone()))
    }

    fn env(&self, name: &str) -> Fact<String> {
        let is_same = |(stated, _): &(&String, &String)| self.is_on_drive() && stated.eq_ignore_ascii_case(name);
        let stated = self.env.get(name).or_else(|| self.env.iter().find(is_same).map(|(_, value)| value)).cloned();
        Ok(stated.or_else(|| self.variable_on_drive(name)))
    }

    fn git(&self, cwd: &Path) -> Fact<GitState> {
        Ok(self.tree_at(cwd).or(self.git.as_ref()).cloned())
    }

    fn file_exists(&self, path: &Path) -> Fact<bool> {
        let stated = self.stated_value(&self.exists, path);
        Ok(Some(stated.unwrap_or_else(|| self.stated_value(&self.sizes, path).is_some())))
    }

    fn file_size(&self, path: &Path) -> Fact<u64> {
        Ok(self.stated_value(&self.sizes, path))
    }

    /// Lists the files that exist according to the given facts, and the directories that contain them.
    fn entries(&self, directory: &Path) -> Fact<Vec<DirectoryEntry>> {
        let mut entries = std::collections::BTreeMap::new();
        for path in self.stated_paths() {
            let Ok(below) = path.strip_prefix(directory) else { continue };
            let mut names = below.components().map(|name| name.as_os_str().to_string_lossy().into_owned());
            let Some(name) = names.next() else { continue };
            *entries.entry(name).or_insert(false) |= names.next().is_some();
        }
        let entries = entries.into_iter().map(|(name, is_directory)| DirectoryEntry { name, is_directory }).collect();
        Ok(if self.is_stated_directory(directory) { Some(entries) } else { None })
    }

    fn is_directory(&self, path: &Path) -> Fact<bool> {
        Ok(Some(self.is_stated_directory(path)))
    }

    fn ignores(&self, _file: &Path) -> Fact<String> {
        // The text of a file cannot be given as a fact.
        Ok(None)
    }

    fn scripts(&self, directory: &Path) -> Fact<Vec<String>> {
        let is_in_project = self.project.as_ref().is_none_or(|project| directory.starts_with(project));
        Ok(self.scripts.clone().filter(|_| is_in_project))
    }

    fn called_agent(&self, _transcript: &Path) -> Fact<String> {
        // The payload names the agent, since there is no transcript.
        Ok(None)
    }

    fn links(&self, _directory: &Path) -> Fact<Vec<String>> {
        Ok(None)
    }

    fn resolve(&self, path: &Path) -> PathBuf {
        path.to_path_buf()
    }
}

/// Why a fact is unknown that is not given, although every real event has a value for it.
const NOT_STATED: &str = "it is not stated";

/// The names of the facts, for suggestions.
const NAMES: &[&str] = &[
    "env",
    "file_exists",
    "file_size",
    "git",
    "git.branch",
    "git.remote",
    "git.root",
    "git.worktree",
    "home",
    "host_pids",
    "os",
    "project",
    "scripts",
    "time",
    "tmp",
    "weekday",
    "worktrees",
];

/// Reads a value or a list of values; `kind` is the plural noun for them.
fn list<T>(fact: &str, value: &Value, kind: &str, read: impl Fn(&Value) -> Option<T>) -> Result<Vec<T>, FactsError> {
    let values = value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice);
    let wrong = || FactsError::new(format!("`{fact}` must be a list of {kind}"));
    values.iter().map(|value| read(value).ok_or_else(wrong)).collect()
}

/// Reads a text or a list of texts.
fn texts(fact: &str, value: &Value) -> Result<Vec<String>, FactsError> {
    list(fact, value, "texts", |value| value.as_str().map(str::to_owned))
}

/// Reads process ids from a number or a list of numbers.
fn pids(fact: &str, value: &Value) -> Result<Vec<u32>, FactsError> {
    list(fact, value, "numbers", |value| u32::try_from(value.as_u64()?).ok())
}

/// Returns the error about a key that is not the name of a fact, with a suggestion.
fn unknown_fact_error(name: &str) -> FactsError {
    // The author may have meant a member of `git` (`branch`), or an environment variable (`CI`).
    let member = NAMES.iter().find(|fact| fact.rsplit_once('.').is_some_and(|(_, last)| last == name));
    let is_variable = name.len() > 1 && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    let probable_fact = member.map(|fact| (*fact).to_owned()).or_else(|| is_variable.then(|| format!("env.{name}")));
    let advice = match &probable_fact {
        Some(probable_fact) => format!("write `{probable_fact}`"),
        None => suggest("fact", name, NAMES.iter().copied()).unwrap_or_else(|| format!("facts: {}", NAMES.join(", "))),
    };
    FactsError {
        message: format!("unknown fact `{name}`; {advice}"),
        unknown: Some(UnknownFact { name: name.to_owned(), suggestion: probable_fact }),
    }
}

/// Splits `git.branch`, `env.X` or `file_exists "p"` into the fact and its key; the key is `None` for a plain fact.
fn split_key(key: &str) -> (&str, Option<&str>) {
    for fact in ["file_exists", "file_size"] {
        if let Some(path) = key.strip_prefix(fact).and_then(|rest| rest.strip_prefix([' ', '.'])) {
            let quoted = path.strip_prefix('"').and_then(|path| path.strip_suffix('"'));
            return (fact, Some(quoted.unwrap_or(path)));
        }
    }
    key.split_once('.').map_or((key, None), |(fact, name)| (fact, Some(name)))
}

fn expect_text<'v>(key: &str, value: &'v Value) -> Result<&'v str, FactsError> {
    value.as_str().ok_or_else(|| FactsError::new(format!("`{key}` must be a string")))
}

/// Parses a time such as `22:30`; `24:00` is rejected.
fn time_of_day(value: &Value) -> Result<TimeOfDay, FactsError> {
    let time = value.as_str().and_then(|text| text.parse().ok()).filter(|time: &TimeOfDay| time.on_a_clock() == *time);
    time.ok_or_else(|| FactsError::new("`time` must be a text such as \"22:30\"".to_owned()))
}

fn weekday(value: &Value) -> Result<Weekday, FactsError> {
    let day = value.as_str().and_then(Weekday::from_name);
    day.ok_or_else(|| FactsError::new(format!("`weekday` must be one of {}", Weekday::NAMES.join(", "))))
}

fn boolean(key: &str, value: &Value) -> Result<bool, FactsError> {
    value.as_bool().ok_or_else(|| FactsError::new(format!("`{key}` must be a boolean")))
}

fn absolute_text(key: &str, value: &Value) -> Result<PathBuf, FactsError> {
    let text = expect_text(key, value)?;
    let path = Path::new(text);
    if absolute_on_drive(text).is_some() {
        return Ok(absolute(path));
    }
    // A policy states `/work` on every machine, which has a root everywhere.
    path.has_root().then(|| absolute(path)).ok_or_else(|| FactsError::new(format!("`{key}` must be an absolute path")))
}

fn absolute_paths(key: &str, value: &Value) -> Result<Vec<PathBuf>, FactsError> {
    match value {
        Value::Array(paths) => paths.iter().map(|path| absolute_text(key, path)).collect(),
        one => absolute_text(key, one).map(|path| vec![path]),
    }
}

/// Returns an absolute path in the form in which paths are compared. One with a drive is one of Windows.
fn absolute(path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    match absolute_on_drive(&text) {
        Some(on_drive) => normalise(&on_drive, Path::new("/"), None),
        None => normalise(&text, Path::new("/"), None),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn stated(value: Value) -> Result<StatedFacts, FactsError> {
        StatedFacts::from_json(value.as_object().unwrap())
    }

    #[test]
    fn what_is_not_stated_is_absent() {
        let facts = StatedFacts::default();
        assert_eq!(facts.project(), None);
        assert_eq!(facts.os(), Ok(None));
        assert_eq!(facts.env("CI"), Ok(None));
        assert_eq!(facts.git(Path::new("/")), Ok(None));
        assert_eq!(facts.file_exists(Path::new("/a")), Ok(Some(false)));
        assert_eq!(facts.file_size(Path::new("/a")), Ok(None));
        assert_eq!(facts.tmp(), [Path::new("/tmp"), Path::new("/var/tmp")]);
    }

    #[test]
    fn files_are_named_from_the_project_or_absolutely() {
        let facts =
            StatedFacts::for_examples().with_file("./a/../b", true).with_file("/c", true).with_file_size("~/d", 5);
        assert_eq!(facts.file_exists(Path::new("/project/b")), Ok(Some(true)));
        assert_eq!(facts.file_exists(Path::new("/c")), Ok(Some(true)));
        assert_eq!(facts.file_exists(Path::new("/home/user/d")), Ok(Some(true)));
        assert_eq!(facts.file_size(Path::new("/home/user/d")), Ok(Some(5)));
    }

    #[test]
    fn json_may_nest_or_write_names_out() {
        let nested = json!({
            "project": "/p", "os": "linux", "tmp": "/t", "env": {"CI": "1", "GONE": null},
            "git": {"branch": "main", "remote": "https://h/r", "worktree": true, "root": "/p"},
            "file_exists": {"a.b": true}, "file_size": {"c": 7},
        });
        let written_out = json!({
            "project": "/p", "os": "linux", "tmp": ["/t"], "env.CI": "1", "git.branch": "main",
            "git.remote": "https://h/r", "git.worktree": true, "git.root": "/p/x/..",
            "file_exists \"a.b\"": true, "file_size c": 7, "home": null,
        });
        let facts = stated(nested).unwrap();
        assert_eq!(facts.env("CI"), Ok(Some("1".to_owned())));
        assert_eq!(facts.git(Path::new("/")).unwrap().unwrap().branch.as_deref(), Some("main"));
        assert_eq!(stated(written_out), Ok(facts));
    }

    #[test]
    fn unknown_facts_are_answered_with_the_nearest() {
        assert!(stated(json!({"git.brnch": "x"})).unwrap_err().to_string().contains("`git.branch`"));
        assert!(stated(json!({"git": {"braanch": "x"}})).unwrap_err().to_string().contains("`git.branch`"));
        assert!(stated(json!({"projct": "/p"})).unwrap_err().to_string().contains("`project`"));
        assert!(stated(json!({"banana": 1})).unwrap_err().to_string().contains("facts: env,"));
    }

    #[test]
    fn values_of_the_wrong_type_are_refused() {
        for wrong in [
            json!({"os": 1}),
            json!({"project": "p"}),
            json!({"env": "x"}),
            json!({"git.worktree": "yes"}),
            json!({"file_exists a": 1}),
            json!({"file_size a": -1}),
        ] {
            assert!(stated(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
