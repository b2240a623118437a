//! A source of facts that counts how often each kind of fact is queried.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use super::{DirectoryEntry, Fact, Facts, GitState};

/// The kinds of facts whose queries are counted separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FactKind {
    /// The state of git: `git.branch` and similar.
    Git,
    /// The environment and the processes: `env.NAME`, `host_pids`.
    Environment,
    /// The files at a path or below it.
    Files,
    /// Symbolic links, and paths with links resolved.
    Links,
    /// The transcript of the session.
    Transcript,
}

impl FactKind {
    /// All kinds, in the order of the counters.
    pub const ALL: [Self; 5] = [Self::Git, Self::Environment, Self::Files, Self::Links, Self::Transcript];
}

/// A source of facts that forwards queries to another source, and counts those of each kind.
pub struct CountedFacts<'f> {
    facts: &'f dyn Facts,
    counts: [Cell<u32>; FactKind::ALL.len()],
}

impl<'f> CountedFacts<'f> {
    /// Makes a source that counts the queries to `facts`.
    #[must_use]
    pub fn new(facts: &'f dyn Facts) -> Self {
        Self { facts, counts: Default::default() }
    }

    /// Returns the number of queries of a kind.
    #[must_use]
    pub fn count(&self, kind: FactKind) -> u32 {
        self.counts.get(kind as usize).map(Cell::get).unwrap_or_default()
    }

    /// Counts a query of a kind, and returns the source that answers it.
    fn count_query(&self, kind: FactKind) -> &'f dyn Facts {
        self.counts.get(kind as usize).into_iter().for_each(|count| count.set(count.get().saturating_add(1)));
        self.facts
    }
}

impl Facts for CountedFacts<'_> {
    fn base(&self) -> Option<&dyn Facts> {
        Some(self.facts)
    }

    fn host_pids(&self) -> Fact<Vec<u32>> {
        self.count_query(FactKind::Environment).host_pids()
    }

    fn env(&self, name: &str) -> Fact<String> {
        self.count_query(FactKind::Environment).env(name)
    }

    fn git(&self, cwd: &Path) -> Fact<GitState> {
        self.count_query(FactKind::Git).git(cwd)
    }

    fn file_exists(&self, path: &Path) -> Fact<bool> {
        self.count_query(FactKind::Files).file_exists(path)
    }

    fn file_size(&self, path: &Path) -> Fact<u64> {
        self.count_query(FactKind::Files).file_size(path)
    }

    fn entries(&self, directory: &Path) -> Fact<Vec<DirectoryEntry>> {
        self.count_query(FactKind::Files).entries(directory)
    }

    fn is_directory(&self, path: &Path) -> Fact<bool> {
        self.count_query(FactKind::Files).is_directory(path)
    }

    fn ignores(&self, file: &Path) -> Fact<String> {
        self.count_query(FactKind::Files).ignores(file)
    }

    fn scripts(&self, directory: &Path) -> Fact<Vec<String>> {
        self.count_query(FactKind::Files).scripts(directory)
    }

    fn links(&self, directory: &Path) -> Fact<Vec<String>> {
        self.count_query(FactKind::Links).links(directory)
    }

    fn called_agent(&self, transcript: &Path) -> Fact<String> {
        self.count_query(FactKind::Transcript).called_agent(transcript)
    }

    fn resolve(&self, path: &Path) -> PathBuf {
        self.count_query(FactKind::Links).resolve(path)
    }
}
