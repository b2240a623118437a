//! Finds and reads the records of hosts that the user and the administrator have written: `hosts/*.toml` in the
//! directories of their policies. They belong to no layer, because no rule depends on them.

use std::fs::{self, DirEntry};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::find::{LayerDirectory, PermittedOwners, ReadRefusal};
use super::{HOSTS, MachinePlaces, SourceNaming, is_host_record, is_record};
use crate::facts::account_home;
use crate::files::{self, ReadError, reason};
use crate::limits::{HOST_BYTES, HOST_FILES, HOSTS_BYTES};
use crate::platform::paths::canonicalize;

/// A file with the record of a host, or a file or directory that is not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostRecordFile {
    /// The path of the file or directory.
    pub path: PathBuf,
    /// The path for display.
    pub shown: String,
    /// The name of the host, which is that of the file; empty for a directory.
    pub host: String,
    /// The text of the record, or why it is not read, in words that follow the path and a colon, and advice.
    pub text: Result<String, (String, Option<String>)>,
}

impl HostRecordFile {
    fn new(path: &Path, text: Result<String, ReadRefusal>) -> Self {
        let naming = SourceNaming { project: None, root: None, home: account_home() };
        let host = path.file_stem().filter(|_| is_record(path)).unwrap_or_default().to_string_lossy().into_owned();
        let text = text.map_err(|ReadRefusal { problem, help }| (problem, help));
        Self { path: path.to_path_buf(), shown: naming.name(path), host, text }
    }

    fn refused(path: &Path, refusal: ReadRefusal) -> Self {
        Self::new(path, Err(refusal))
    }
}

/// Reads the records of hosts: the administrator's, then the user's, each sorted by name.
#[must_use]
pub fn host_records(places: &MachinePlaces) -> Vec<HostRecordFile> {
    let directories = [Some(&places.managed), places.user.as_ref()].into_iter().flatten();
    directories.flat_map(|directory| records_in(directory, PermittedOwners::Checked)).collect()
}

/// Reads the records of hosts that a path contains: one record, the directory `hosts`, or a directory that contains
/// it. Nothing for the `.rules` of a project, and for any other path.
#[must_use]
pub fn host_records_at(path: &Path) -> Vec<HostRecordFile> {
    let Ok(physical) = canonicalize(path) else { return Vec::new() };
    if physical.iter().any(|name| name == super::DIRECTORY) {
        return Vec::new();
    }
    let is_hosts = |directory: &Path| directory.file_name().is_some_and(|name| name == HOSTS);
    if is_host_record(&physical) {
        return vec![read_record(&physical, PermittedOwners::Any)];
    }
    let parent = physical.parent().filter(|_| is_hosts(&physical));
    records_in(parent.unwrap_or(&physical), PermittedOwners::Any)
}

/// Reads the records in the directory of a policy.
fn records_in(policy: &Path, owners: PermittedOwners) -> Vec<HostRecordFile> {
    let hosts = match LayerDirectory::new(policy.to_path_buf(), owners).physical {
        Ok(Some(physical)) => physical.join(HOSTS),
        Ok(None) => return Vec::new(),
        Err(refusal) => return vec![HostRecordFile::refused(policy, refusal)],
    };
    let mut paths = match list(&hosts, owners) {
        Ok(paths) => paths,
        Err(refusal) => return vec![HostRecordFile::refused(&hosts, refusal)],
    };
    if paths.len() > HOST_FILES {
        return vec![HostRecordFile::refused(&hosts, ReadRefusal::new(format!("more than {HOST_FILES} files")))];
    }
    paths.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
    let records: Vec<HostRecordFile> = paths.iter().map(|path| read_record(path, owners)).collect();
    let bytes: usize = records.iter().map(|record| record.text.as_ref().map_or(0, String::len)).sum();
    if bytes > HOSTS_BYTES {
        let problem = format!("larger than {} KiB", HOSTS_BYTES >> 10);
        return vec![HostRecordFile::refused(&hosts, ReadRefusal::new(problem))];
    }
    records
}

/// Returns the paths of the records in a directory `hosts`; none if it does not exist. Hidden files are skipped.
fn list(hosts: &Path, owners: PermittedOwners) -> Result<Vec<PathBuf>, ReadRefusal> {
    let refused = |error: std::io::Error| ReadRefusal::new(reason(&error));
    let metadata = match fs::symlink_metadata(hosts) {
        Ok(metadata) => metadata,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(Vec::new()),
        Err(error) => return Err(refused(error)),
    };
    if metadata.is_symlink() {
        return Err(ReadRefusal::new("a symbolic link"));
    }
    if !metadata.is_dir() {
        return Err(ReadRefusal::new("not a directory"));
    }
    owners.check(hosts, &metadata)?;
    let mut paths = Vec::new();
    for entry in fs::read_dir(hosts).map_err(refused)? {
        let path = entry.as_ref().map(DirEntry::path).map_err(|error| ReadRefusal::new(reason(error)))?;
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if is_record(&path) && !is_hidden {
            paths.push(path);
        }
        // The limit also bounds what is listed.
        if paths.len() > HOST_FILES {
            break;
        }
    }
    Ok(paths)
}

/// Reads one record.
fn read_record(path: &Path, owners: PermittedOwners) -> HostRecordFile {
    let limit = u64::try_from(HOST_BYTES).unwrap_or(u64::MAX);
    let read = || {
        let read = files::read_with_metadata(path, limit);
        let (bytes, metadata) = read.map_err(|error| ReadRefusal::new(refusal_words(&error)))?;
        owners.check(path, &metadata)?;
        String::from_utf8(bytes).map_err(|_| ReadRefusal::new("not UTF-8"))
    };
    HostRecordFile::new(path, read())
}

/// Describes why a file is not read, after its name and a colon.
fn refusal_words(error: &ReadError) -> String {
    match error {
        ReadError::NotFound => "it does not exist".to_owned(),
        ReadError::Link => "a symbolic link".to_owned(),
        ReadError::NotRegular => "not a regular file".to_owned(),
        ReadError::TooBig(_) => format!("larger than {} KiB", HOST_BYTES >> 10),
        ReadError::Io(error) => reason(error),
    }
}
