//! The facts of this machine. Each is read once, when it is first needed. No process is started, except to look up
//! the home of an account that no file lists.
//!
//! The settings of a project can change the environment of a hook, so no decision depends on `HOME`, `XDG_*` or
//! `GIT_*`.
#![expect(clippy::disallowed_methods, reason = "this is the module that looks at the machine, for all others")]

mod git;
mod links;
mod listing;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub use git::main_worktree;
pub use links::resolve;

pub use crate::platform::account_home;

use super::zone::local_time;
use super::{DirectoryEntry, Fact, Facts, GitState, SessionPast, transcript};
use crate::files;
use crate::journal::{self, SessionPlace};
use crate::platform::paths::shown;
use crate::platform::{places, process, rights::Owner};
use crate::time::{LocalTime, TimeOfDay, Weekday, unix_milliseconds};
use hookrules_shell::path::{contains, normalise};

use git::Repository;
use links::LinkCache;

/// The maximum number of bytes that are read of an ignore file, more than people write.
const MAX_IGNORES: u64 = 256 * 1024;

/// The maximum number of bytes that are read of a `package.json`.
const MAX_PACKAGE: u64 = 1024 * 1024;

/// The maximum number of directories in which a `package.json` is looked for.
const MAX_ANCESTORS: usize = 64;

/// The maximum number of directories about which each cache remembers something: a replay of many recorded calls could
/// name any number.
const MAX_DIRECTORIES: usize = 1_024;

/// The facts of this machine, account and process, cached.
#[derive(Debug, Default)]
pub struct MachineFacts {
    project: Option<PathBuf>,
    tmp: OnceCell<Vec<PathBuf>>,
    worktrees: OnceCell<Vec<PathBuf>>,
    /// The variables that were queried. Policies name them, so they are few.
    env: RefCell<BTreeMap<String, Fact<String>>>,
    /// The git state of each directory for which it was read, and of the root of its repository.
    git: RefCell<BTreeMap<PathBuf, Fact<GitState>>>,
    /// The repository of each directory, with its links resolved, for which it was found.
    repositories: RefCell<BTreeMap<PathBuf, Fact<Repository>>>,
    /// The scripts of the `package.json` at or above each directory that was asked about.
    scripts: RefCell<BTreeMap<PathBuf, Fact<Vec<String>>>>,
    links: LinkCache,
    /// The user's state directory and the id of the session, if both are known.
    session: Option<(PathBuf, String)>,
    past: OnceCell<Result<SessionPast, String>>,
    /// The time of the event, in milliseconds since 1970.
    now: OnceCell<u64>,
    /// The local times of the zones that were asked for. Each layer has one zone, so they are few.
    clocks: RefCell<BTreeMap<String, Result<LocalTime, String>>>,
}

impl MachineFacts {
    /// Makes the facts for a project directory, which must be absolute. Nothing is read yet.
    #[must_use]
    pub fn new(project: Option<PathBuf>) -> Self {
        let normal = |path: PathBuf| normalise(&path.to_string_lossy(), Path::new("/"), None);
        Self { project: project.map(normal), ..Self::default() }
    }

    /// Sets the session, whose journal is in the user's state directory.
    #[must_use]
    pub(crate) fn in_session(self, state: Option<&Path>, session: Option<&str>) -> Self {
        let session = state.zip(session).map(|(state, session)| (state.to_path_buf(), session.to_owned()));
        Self { session, ..self }
    }

    /// Returns the past of the session if something asked about it and it could be read.
    pub(crate) fn read_past(&self) -> Option<&SessionPast> {
        self.past.get()?.as_ref().ok()
    }

    /// Reads the clock once, so that all rules see the same time.
    fn now(&self) -> u64 {
        *self.now.get_or_init(unix_milliseconds)
    }

    /// Returns the local time in a zone. The file of each zone is read once.
    fn local_time(&self, zone: &str) -> Result<LocalTime, String> {
        if let Some(known) = self.clocks.borrow().get(zone) {
            return known.clone();
        }
        let clock = local_time(zone, self.now() / 1_000);
        self.clocks.borrow_mut().insert(zone.to_owned(), clock.clone());
        clock
    }

    /// Finds the repository of a directory whose links are resolved. `None` outside of a repository.
    fn repository(&self, directory: &Path) -> Fact<Repository> {
        let found = self.nearest_repository(directory);
        keep(&self.repositories, directory, &found);
        found
    }

    /// Looks for a repository from a directory upwards, to the first ancestor whose repository is known.
    fn nearest_repository(&self, directory: &Path) -> Fact<Repository> {
        for root in directory.ancestors() {
            if let Some(known) = self.repositories.borrow().get(root) {
                return known.clone();
            }
            if let Some(repository) = git::repository_at(root)? {
                return Ok(Some(repository));
            }
        }
        Ok(None)
    }

    /// Reads the git state of a directory whose links are resolved, once for all directories of a repository.
    fn git_of_repository(&self, directory: &Path) -> Fact<GitState> {
        let Some(repository) = self.repository(directory)? else { return Ok(None) };
        if let Some(known) = self.git.borrow().get(&repository.root) {
            return known.clone();
        }
        let state = git::read(&repository);
        keep(&self.git, &repository.root, &state);
        state
    }
}

/// Caches what was found for a directory.
fn keep<T: Clone>(cache: &RefCell<BTreeMap<PathBuf, T>>, directory: &Path, found: &T) {
    let mut cache = cache.borrow_mut();
    if cache.len() >= MAX_DIRECTORIES {
        cache.clear();
    }
    cache.insert(directory.to_path_buf(), found.clone());
}

/// Returns the names of the scripts in the text of a `package.json`. Without a text for it, a name is no script.
fn names_of_scripts(text: &[u8]) -> Result<Vec<String>, serde_json::Error> {
    let package: serde_json::Value = serde_json::from_slice(text)?;
    let scripts = package.get("scripts").and_then(serde_json::Value::as_object);
    let has_text = |value: &serde_json::Value| value.as_str().is_some_and(|text| !text.is_empty());
    let named = |scripts: &serde_json::Map<String, serde_json::Value>| {
        scripts.iter().filter(|(_, value)| has_text(value)).map(|(name, _)| name.clone()).collect()
    };
    Ok(scripts.map(named).unwrap_or_default())
}

#[deny(clippy::missing_trait_methods, reason = "a fact that is forgotten here would be unknown")]
impl Facts for MachineFacts {
    fn base(&self) -> Option<&dyn Facts> {
        None
    }

    fn project(&self) -> Option<PathBuf> {
        self.project.clone()
    }

    /// Reads the session's journal once.
    fn session_past(&self) -> Result<SessionPast, String> {
        let read = || {
            let (state, session) = self.session.as_ref().ok_or("the host names no session")?;
            let place = SessionPlace { state, session };
            journal::read(place).map(|journal| SessionPast::of_journal(journal, Some(self.now())))
        };
        self.past.get_or_init(read).clone()
    }

    /// Reads the linked worktrees once, without those that would make `project` include too much.
    fn worktrees(&self) -> Vec<PathBuf> {
        let read = || {
            let linked = || {
                let project = self.resolve(self.project.as_deref()?);
                Some(git::linked_worktrees(&self.repository(&project).ok()??, &project))
            };
            // `project` includes all worktrees. So a worktree that contains the home directory or the whole machine
            // is left out.
            let home = self.home();
            let is_harmless = |path: &PathBuf| {
                Some(path) != self.project.as_ref()
                    && path.parent().is_some()
                    && !home.as_deref().is_some_and(|home| contains(path, home))
            };
            linked().unwrap_or_default().into_iter().filter(is_harmless).collect()
        };
        self.worktrees.get_or_init(read).clone()
    }

    fn home(&self) -> Option<PathBuf> {
        account_home()
    }

    /// Finds the directories for temporary files once.
    fn tmp(&self) -> Vec<PathBuf> {
        let read = || {
            let must_not_contain: Vec<PathBuf> = self.home().into_iter().chain(self.project()).collect();
            let from_variable =
                std::env::var_os(places::TEMPORARY_VARIABLE).and_then(|value| private_tmp(&value, &must_not_contain));
            places::temporary().into_iter().chain(from_variable).collect()
        };
        self.tmp.get_or_init(read).clone()
    }

    fn os(&self) -> Fact<String> {
        Ok(Some(std::env::consts::OS.to_owned()))
    }

    fn time(&self, zone: &str) -> Fact<TimeOfDay> {
        self.local_time(zone).map(|clock| Some(clock.time))
    }

    fn weekday(&self, zone: &str) -> Fact<Weekday> {
        self.local_time(zone).map(|clock| Some(clock.weekday))
    }

    fn host_pids(&self) -> Fact<Vec<u32>> {
        process::ancestors().map(Some)
    }

    /// Reads a variable once, so that all rules see the same value.
    fn env(&self, name: &str) -> Fact<String> {
        // No variable can have such a name, and on some systems reading it would panic.
        if name.is_empty() || name.contains(['=', '\0']) {
            return Ok(None);
        }
        if let Some(known) = self.env.borrow().get(name) {
            return known.clone();
        }
        let value = std::env::var_os(name).map(OsString::into_string).transpose();
        let fact = value.map_err(|_| format!("the variable {name} is not UTF-8"));
        self.env.borrow_mut().insert(name.to_owned(), fact.clone());
        fact
    }

    /// Reads the git state of a directory once.
    fn git(&self, cwd: &Path) -> Fact<GitState> {
        if let Some(known) = self.git.borrow().get(cwd) {
            return known.clone();
        }
        let fact = self.git_of_repository(&self.resolve(cwd));
        keep(&self.git, cwd, &fact);
        fact
    }

    fn file_exists(&self, path: &Path) -> Fact<bool> {
        Ok(Some(read_metadata(path)?.is_some()))
    }

    fn file_size(&self, path: &Path) -> Fact<u64> {
        match read_metadata(path)? {
            // The contents of a directory may have any size, so its size is unknown.
            Some(metadata) if metadata.is_dir() => Err(format!("{} is a directory", shown(&path))),
            found => Ok(found.filter(fs::Metadata::is_file).map(|metadata| metadata.len())),
        }
    }

    fn entries(&self, directory: &Path) -> Fact<Vec<DirectoryEntry>> {
        listing::entries(directory)
    }

    fn is_directory(&self, path: &Path) -> Fact<bool> {
        Ok(Some(read_metadata(path)?.is_some_and(|metadata| metadata.is_dir())))
    }

    fn ignores(&self, file: &Path) -> Fact<String> {
        match files::read(file, MAX_IGNORES) {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
            Err(files::ReadError::NotFound) => Ok(None),
            Err(error) => Err(format!("{} {error}", shown(&file))),
        }
    }

    fn scripts(&self, directory: &Path) -> Fact<Vec<String>> {
        if let Some(known) = self.scripts.borrow().get(directory) {
            return known.clone();
        }
        let found = scripts_above(directory);
        keep(&self.scripts, directory, &found);
        found
    }

    fn called_agent(&self, path: &Path) -> Fact<String> {
        let mut file = files::open(path).map_err(|error| format!("the transcript {error}"))?;
        transcript::last_called_agent(&mut file, transcript::TranscriptReach::default())
    }

    fn links(&self, directory: &Path) -> Fact<Vec<String>> {
        self.links.links_in_directory(directory)
    }

    fn resolve(&self, path: &Path) -> PathBuf {
        self.links.resolve(path)
    }
}

/// Returns the names of the scripts in the nearest `package.json` at or above a directory; `None` if there is none.
fn scripts_above(directory: &Path) -> Fact<Vec<String>> {
    for file in directory.ancestors().take(MAX_ANCESTORS).map(|directory| directory.join("package.json")) {
        match files::read(&file, MAX_PACKAGE) {
            Ok(bytes) => {
                return names_of_scripts(&bytes).map(Some).map_err(|error| format!("{}: {error}", shown(&file)));
            }
            Err(files::ReadError::NotFound) => {}
            Err(error) => return Err(format!("{} {error}", shown(&file))),
        }
    }
    Ok(None)
}

/// Returns the metadata of a file, with links followed; `None` if there is no file.
fn read_metadata(path: &Path) -> Fact<fs::Metadata> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        // The path has a NUL, or is too long: no such file can exist.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::InvalidFilename) => Ok(None),
        Err(error) => Err(format!("{} cannot be looked at: {}", shown(&path), files::reason(&error))),
    }
}

/// Returns the directory that `TMPDIR` names, if it can only be for temporary files. It must belong to the user, be
/// below one of the system's directories for such files, and contain none of the directories in `must_not_contain`.
fn private_tmp(value: &std::ffi::OsStr, must_not_contain: &[PathBuf]) -> Option<PathBuf> {
    let text = value.to_str().filter(|text| text.starts_with('/'))?;
    let path = normalise(text, Path::new("/"), None);
    let physical = resolve(&path);
    let metadata = fs::symlink_metadata(&path).ok()?;
    let belongs_to_user = metadata.is_dir() && Owner::of(&metadata) == Owner::this_account();
    let is_below_system_tmp = places::AROUND_OWN_TEMPORARY.iter().map(Path::new).any(|system_tmp| {
        let physical_system_tmp = resolve(system_tmp);
        contains(system_tmp, &path)
            && path != system_tmp
            && contains(&physical_system_tmp, &physical)
            && physical != physical_system_tmp
    });
    let contains_other = must_not_contain.iter().any(|dir| contains(&path, dir) || contains(&physical, &resolve(dir)));
    (belongs_to_user && is_below_system_tmp && !contains_other).then_some(path)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    #[cfg(unix)]
    use std::os::unix::fs::symlink;

    use super::*;

    pub(super) fn physical_dir() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = resolve(dir.path());
        (dir, path)
    }

    #[test]
    fn files_exist_and_have_sizes() {
        let (_guard, dir) = physical_dir();
        fs::write(dir.join("a"), "123").unwrap();
        let facts = MachineFacts::new(Some(dir.clone()));
        assert_eq!(facts.file_exists(&dir.join("a")), Ok(Some(true)));
        assert_eq!(facts.file_exists(&dir), Ok(Some(true)));
        assert_eq!(facts.file_exists(&dir.join("b")), Ok(Some(false)));
        assert_eq!(facts.file_exists(&dir.join("a/b")), Ok(Some(false)));
        assert_eq!(facts.file_exists(Path::new("/a\0b")), Ok(Some(false)));
        assert_eq!(facts.file_size(&dir.join("a")), Ok(Some(3)));
        assert!(facts.file_size(&dir).unwrap_err().ends_with("is a directory"));
    }

    #[test]
    #[cfg(unix)]
    fn what_was_listed_is_not_listed_again() {
        let (_guard, dir) = physical_dir();
        symlink("nowhere", dir.join("one")).unwrap();
        let facts = MachineFacts::new(Some(dir.clone()));
        let one = Ok(Some(vec!["one".to_owned()]));
        assert_eq!(facts.links(&dir), one);
        symlink("nowhere", dir.join("two")).unwrap();
        assert_eq!(facts.links(&dir), one);
        assert_eq!(MachineFacts::new(None).links(&dir).unwrap().unwrap().len(), 2);
    }

    #[test]
    fn what_git_says_is_remembered_of_so_many_directories() {
        let (_guard, dir) = physical_dir();
        let facts = MachineFacts::new(None);
        let mut most = 0;
        for number in 0..=2 * MAX_DIRECTORIES {
            assert_eq!(facts.git(&dir.join(number.to_string())), facts.git(&dir));
            most = most.max(facts.git.borrow().len());
        }
        assert_eq!(most, MAX_DIRECTORIES);
    }

    #[test]
    #[cfg(unix)]
    fn tmpdir_counts_only_as_a_place_of_its_own() {
        let (_guard, dir) = physical_dir();
        // If the tests themselves run below another TMPDIR, there is nothing to accept.
        if contains(Path::new("/tmp"), &dir) {
            assert_eq!(private_tmp(dir.as_os_str(), &[]), Some(dir.clone()));
            assert_eq!(private_tmp(dir.as_os_str(), &[dir.join("project")]), None);
            assert_eq!(private_tmp(dir.join("missing").as_os_str(), &[]), None);
            symlink("/", dir.join("link")).unwrap();
            assert_eq!(private_tmp(dir.join("link").as_os_str(), &[]), None);
            assert_eq!(private_tmp(dir.join("link/etc").as_os_str(), &[]), None);
        }
        for refused in ["/", "/tmp", "/home", "tmp", "", "/tmp/../etc", "/tmp/.."] {
            assert_eq!(private_tmp(OsStr::new(refused), &[]), None, "{refused}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn tmp_always_holds_the_usual_places() {
        assert_eq!(MachineFacts::new(None).tmp().get(..2), Some(&["/tmp".into(), "/var/tmp".into()][..]));
    }

    #[test]
    fn variables_that_cannot_be_are_absent() {
        let facts = MachineFacts::new(None);
        assert_eq!(facts.env(""), Ok(None));
        assert_eq!(facts.env("A=B"), Ok(None));
        assert_eq!(facts.env("RULES_TEST_SURELY_UNSET"), Ok(None));
        let path = facts.env("PATH");
        assert!(matches!(&path, Ok(Some(_))));
        assert_eq!(facts.env("PATH"), path);
    }
}
