//! The hosts that the user and the administrator add with records in the directories of their policies: reads the
//! records, adds the hosts to the process, and reports the mistakes.
//!
//! A mistake in a record breaks no layer: it only makes this host unusable, so that its hook blocks every event.

use std::path::{Path, PathBuf};

use crate::diagnostic::{Code, Diagnostic};
use crate::host::{AddedHost, Host, add_hosts};
use crate::platform::paths::shown;
use crate::project::{HOSTS, HostRecordFile, MachinePlaces, host_records, host_records_at};
use crate::span::{Sources, Span};

/// The records of hosts in some directories.
#[derive(Clone, Debug, Default)]
pub struct AddedHosts {
    records: Vec<AddedRecord>,
}

/// One record.
#[derive(Clone, Debug)]
struct AddedRecord {
    file: HostRecordFile,
    /// The host; `None` if the file cannot be read.
    added: Option<AddedHost>,
    /// The path for display of the record of the administrator that counts instead, if there is one.
    superseding: Option<String>,
}

/// A mistake in a record, or the reason why it is not used.
struct RecordProblem<'r> {
    /// The byte range in the text, if the mistake is in the text.
    at: Option<std::ops::Range<usize>>,
    /// What is wrong, for a sentence that names the file before.
    clause: String,
    /// What to do about it.
    help: &'r str,
}

/// The advice about a mistake in a record.
const HELP: &str = "`rules help hosts` describes every key of a record";

impl AddedHosts {
    /// Reads the records of the administrator and the user. If both have one of a host, the administrator's counts.
    #[must_use]
    pub fn read(places: &MachinePlaces) -> Self {
        Self::from_files(host_records(places))
    }

    /// Reads the records that files and directories contain that the user names.
    #[must_use]
    pub fn read_paths(paths: &[PathBuf]) -> Self {
        Self::from_files(paths.iter().flat_map(|path| host_records_at(path)).collect())
    }

    /// Reads records from texts, each with the name of its host.
    pub fn from_texts<'r>(texts: impl IntoIterator<Item = (&'r str, &'r str)>) -> Self {
        let file = |(name, text): (&str, &str)| HostRecordFile {
            path: PathBuf::from(format!("{name}.toml")),
            shown: format!("{name}.toml"),
            host: name.to_owned(),
            text: Ok(text.to_owned()),
        };
        Self::from_files(texts.into_iter().map(file).collect())
    }

    fn from_files(files: Vec<HostRecordFile>) -> Self {
        let mut records: Vec<AddedRecord> = Vec::new();
        for file in files {
            let is_same = |known: &&AddedRecord| known.file.host == file.host && !file.host.is_empty();
            let superseding = records.iter().find(is_same).map(|known| known.file.shown.clone());
            let added = file.text.as_ref().ok().map(|text| AddedHost::read(&file.host, text));
            records.push(AddedRecord { file, added, superseding });
        }
        Self { records }
    }

    /// Whether there are no records, not even unreadable ones.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Adds the hosts without mistakes to those of this process. Has no effect if hosts were added before.
    pub fn add_to_process(&self) {
        let _ignored_if_set = add_hosts(self.counting().filter_map(|record| record.added));
    }

    /// Returns the records that no other record supersedes.
    fn counting(&self) -> impl Iterator<Item = &AddedRecord> {
        self.records.iter().filter(|record| record.superseding.is_none())
    }

    /// Returns the records without the directories of policies that cannot be read, which are reported as layers.
    fn in_hosts(&self) -> impl Iterator<Item = &AddedRecord> {
        let is_in = |file: &HostRecordFile| !file.host.is_empty() || file.path.ends_with(HOSTS);
        self.records.iter().filter(move |record| is_in(&record.file))
    }

    /// Returns the paths of the files and directories in which the hook is registered for these hosts, in the form of
    /// [`Host::registration_paths`]. Records with mistakes, and superseded ones, are included as far as they can be
    /// read.
    #[must_use]
    pub fn registration_paths(&self) -> Vec<String> {
        let hosts = self.records.iter().filter_map(|record| Some(record.added?.host()));
        hosts.flat_map(Host::registration_paths).collect()
    }

    /// Returns the findings about the records. Their texts are added to the sources.
    #[must_use]
    pub fn findings(&self, sources: &mut Sources) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        for record in self.in_hosts() {
            let problems = record.problems();
            if problems.is_empty() {
                continue;
            }
            let HostRecordFile { shown, path, text, .. } = &record.file;
            let id = text.as_ref().ok().map(|text| sources.add(shown.clone(), Some(path.clone()), text.clone()));
            findings.extend(problems.into_iter().map(|RecordProblem { at, clause, help }| match (id, at) {
                (Some(id), Some(at)) => {
                    Diagnostic::new(Code::BAD_HOST, clause).label(Span::new(id, at.start, at.end), "here").help(help)
                }
                _ => Diagnostic::new(Code::BAD_HOST, format!("`{shown}` {clause}")).help(help),
            }));
        }
        findings
    }

    /// Returns the path of each record, with its host or, if that cannot be used, the line of its first problem if
    /// known, and a clause about it.
    pub fn outcomes(&self) -> impl Iterator<Item = (&Path, Result<Host, (Option<usize>, String)>)> {
        self.in_hosts().map(|record| {
            let problem = record.problems().into_iter().next();
            let outcome = match (problem, record.added) {
                (Some(problem), _) => Err((record.line(&problem), problem.clause)),
                (None, added) => added.map(AddedHost::host).ok_or((None, String::new())),
            };
            (record.file.path.as_path(), outcome)
        })
    }

    /// Returns why there is no usable host with this name, as a clause that names the file and the line; `places` are
    /// those of [`Self::read`].
    #[must_use]
    pub fn why_unusable(&self, name: &str, places: &MachinePlaces) -> String {
        if let Some(problem) = self.problem_of(name) {
            return problem;
        }
        let places = [places.user.as_ref(), Some(&places.managed)].into_iter().flatten();
        let paths: Vec<String> =
            places.map(|place| shown(&place.join(HOSTS).join(format!("{name}.toml"))).to_string()).collect();
        format!("no host has this name, and there is no record {}", paths.join(" or "))
    }

    /// Returns the host with this name, although its record may have mistakes: then it has only the parts without them.
    #[must_use]
    pub fn host_as_far_as_read(&self, name: &str) -> Option<Host> {
        let record = self.counting().find(|record| record.file.host == name)?;
        record.added.map(AddedHost::host)
    }

    /// Returns what is wrong with the record of the host with this name, as a clause that names the file and the line;
    /// `None` if there is none, or it has no mistakes.
    #[must_use]
    pub fn problem_of(&self, name: &str) -> Option<String> {
        let mut candidates = self.counting().filter(|record| record.file.host == name || record.file.host.is_empty());
        let (record, problem) = candidates.find_map(|record| Some((record, record.problems().into_iter().next()?)))?;
        let line = record.line(&problem).map(|line| format!(":{line}")).unwrap_or_default();
        let separator = if problem.at.is_some() { ":" } else { "" };
        Some(format!("{}{line}{separator} {}", shown(&record.file.path), problem.clause))
    }
}

impl AddedRecord {
    /// Returns what is wrong with the record.
    fn problems(&self) -> Vec<RecordProblem<'_>> {
        let of_file = |clause: String, help| vec![RecordProblem { at: None, clause, help }];
        if let Err((clause, help)) = &self.file.text {
            return of_file(format!("is not read: {clause}"), help.as_deref().unwrap_or(HELP));
        }
        if let Some(superseding) = &self.superseding {
            return of_file(
                format!("does not count, because `{superseding}` has the same name"),
                "remove or rename it",
            );
        }
        let mistakes = self.added.iter().flat_map(|added| added.mistakes());
        mistakes.map(|(at, message)| RecordProblem { at: Some(at), clause: message.to_owned(), help: HELP }).collect()
    }

    /// Returns the line of a problem, counted from 1; `None` if it is not about the text.
    fn line(&self, problem: &RecordProblem<'_>) -> Option<usize> {
        let before = self.file.text.as_ref().ok()?.get(..problem.at.as_ref()?.start)?;
        Some(before.bytes().filter(|byte| *byte == b'\n').count() + 1)
    }
}
