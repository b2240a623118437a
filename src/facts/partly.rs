//! Facts, some of which are given. A base provides the others.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{Fact, Facts, FactsError, GitState, SessionPast, StatedFacts};
use crate::time::{TimeOfDay, Weekday};

/// Facts, some of which are given as JSON, as for `rules eval`. A base provides the others.
pub struct PartlyStatedFacts<'b> {
    stated: StatedFacts,
    /// The names of those members of the git state that are given: `branch`.
    git: Vec<String>,
    base: &'b dyn Facts,
}

impl<'b> PartlyStatedFacts<'b> {
    /// Makes facts of which none is given yet.
    #[must_use]
    pub fn of_base(base: &'b dyn Facts) -> Self {
        let mut stated = StatedFacts::default();
        // The names of files are relative to these directories, so the base's are used unless others are given.
        if let Some(project) = base.project() {
            stated = stated.with_project(project);
        }
        if let Some(home) = base.home() {
            stated = stated.with_home(home);
        }
        Self { stated: stated.with_tmp(base.tmp()), git: Vec::new(), base }
    }

    /// Reads the given facts from a JSON object, like [`StatedFacts::with_json`].
    ///
    /// # Errors
    /// As for [`StatedFacts::with_json`].
    pub fn new(members: &Map<String, Value>, base: &'b dyn Facts) -> Result<Self, FactsError> {
        let nested_members = members.get("git").and_then(Value::as_object).into_iter().flatten();
        let nested_members = nested_members.filter(|(_, value)| !value.is_null()).map(|(name, _)| name.clone());
        let dotted_members = members.keys().filter_map(|name| name.strip_prefix("git.").map(str::to_owned));
        let nothing_given = Self::of_base(base);
        Ok(Self {
            git: nested_members.chain(dotted_members).collect(),
            stated: nothing_given.stated.with_json(members)?,
            base,
        })
    }

    /// Sets the past of the session before the event.
    #[must_use]
    pub fn with_past(self, past: SessionPast) -> Self {
        self.with_past_or_reason(Ok(past))
    }

    /// Sets the past of the session before the event, or the reason why it is unknown.
    #[must_use]
    pub fn with_past_or_reason(self, past: Result<SessionPast, String>) -> Self {
        Self { stated: self.stated.with_past_or_reason(past), ..self }
    }

    /// Sets when the event happened, in seconds since 1970: the time and the weekday of the base are of another event.
    #[must_use]
    pub fn with_moment(self, seconds: u64) -> Self {
        Self { stated: self.stated.with_moment(seconds), ..self }
    }
}

impl Facts for PartlyStatedFacts<'_> {
    fn base(&self) -> Option<&dyn Facts> {
        Some(self.base)
    }

    fn project(&self) -> Option<PathBuf> {
        self.stated.project()
    }

    fn home(&self) -> Option<PathBuf> {
        self.stated.home()
    }

    fn tmp(&self) -> Vec<PathBuf> {
        self.stated.tmp()
    }

    fn session_past(&self) -> Result<SessionPast, String> {
        self.stated.stated_past().unwrap_or_else(|| self.base.session_past())
    }

    fn worktrees(&self) -> Vec<PathBuf> {
        let mut worktrees = self.base.worktrees();
        worktrees.extend(self.stated.worktrees());
        worktrees
    }

    fn os(&self) -> Fact<String> {
        self.stated.os()?.map_or_else(|| self.base.os(), |os| Ok(Some(os)))
    }

    fn time(&self, zone: &str) -> Fact<TimeOfDay> {
        if self.stated.has_time() { self.stated.time(zone) } else { self.base.time(zone) }
    }

    fn weekday(&self, zone: &str) -> Fact<Weekday> {
        if self.stated.has_weekday() { self.stated.weekday(zone) } else { self.base.weekday(zone) }
    }

    fn host_pids(&self) -> Fact<Vec<u32>> {
        let stated = self.stated.host_pids()?.filter(|pids| !pids.is_empty());
        stated.map_or_else(|| self.base.host_pids(), |pids| Ok(Some(pids)))
    }

    fn env(&self, name: &str) -> Fact<String> {
        self.stated.env(name)?.map_or_else(|| self.base.env(name), |value| Ok(Some(value)))
    }

    /// Returns the base's state of git, in which the given members replace those of the base.
    fn git(&self, cwd: &Path) -> Fact<GitState> {
        if let Some(tree) = self.stated.tree_at(cwd) {
            return Ok(Some(tree.clone()));
        }
        let Some(stated) = self.stated.git(cwd)?.filter(|_| !self.git.is_empty()) else { return self.base.git(cwd) };
        let is_stated = |name: &str| self.git.iter().any(|known| known == name);
        // If the base cannot read git, the members that are not given have no value.
        let found = self.base.git(cwd).ok().flatten().unwrap_or_default();
        Ok(Some(GitState {
            branch: if is_stated("branch") { stated.branch } else { found.branch },
            remote: if is_stated("remote") { stated.remote } else { found.remote },
            worktree: if is_stated("worktree") { stated.worktree } else { found.worktree },
            root: if is_stated("root") { stated.root } else { found.root },
        }))
    }

    fn file_exists(&self, path: &Path) -> Fact<bool> {
        self.stated.existence_at(path).map_or_else(|| self.base.file_exists(path), |exists| Ok(Some(exists)))
    }

    fn scripts(&self, directory: &Path) -> Fact<Vec<String>> {
        self.stated.scripts(directory)?.map_or_else(|| self.base.scripts(directory), |names| Ok(Some(names)))
    }

    fn file_size(&self, path: &Path) -> Fact<u64> {
        self.stated.size_at(path).map_or_else(|| self.base.file_size(path), |bytes| Ok(Some(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_stated_counts_and_all_else_is_the_bases() {
        let base = StatedFacts::default()
            .with_project("/work")
            .with_os("linux")
            .with_env("CI", "1")
            .with_git_branch("topic")
            .with_git_worktree()
            .with_file("a", true);
        let members =
            json!({ "git.branch": "main", "env": {"USER": "x"}, "file_exists \"a\"": false, "file_size b": 3 });
        let facts = PartlyStatedFacts::new(members.as_object().unwrap(), &base).unwrap();
        let git = facts.git(Path::new("/work")).unwrap().unwrap();
        assert_eq!((git.branch.as_deref(), git.worktree), (Some("main"), true));
        assert_eq!((facts.env("CI"), facts.env("USER")), (Ok(Some("1".into())), Ok(Some("x".into()))));
        assert_eq!((facts.os(), facts.project()), (Ok(Some("linux".into())), Some("/work".into())));
        assert_eq!(facts.file_exists(Path::new("/work/a")), Ok(Some(false)));
        assert_eq!(facts.file_exists(Path::new("/work/b")), Ok(Some(true)));
        assert_eq!(facts.file_size(Path::new("/work/b")), Ok(Some(3)));
        let none = Map::new();
        let plain = PartlyStatedFacts::new(&none, &base).unwrap();
        assert_eq!(plain.git(Path::new("/work")).unwrap().unwrap().branch.as_deref(), Some("topic"));
        assert!(PartlyStatedFacts::new(json!({ "git.brnch": "x" }).as_object().unwrap(), &base).is_err());
    }

    #[test]
    fn a_stated_false_is_no_lack() {
        let base = StatedFacts::default().with_git_branch("topic").with_git_worktree();
        let members = json!({ "git": {"worktree": false} });
        let facts = PartlyStatedFacts::new(members.as_object().unwrap(), &base).unwrap();
        let git = facts.git(Path::new("/")).unwrap().unwrap();
        assert_eq!((git.branch.as_deref(), git.worktree), (Some("topic"), false));
    }
}
