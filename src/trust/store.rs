//! Stores the states that the user trusts. Each is a file at `trust/PROJECT/STATE` in the state directory.
//!
//! If the file exists and is not empty, the state is trusted. The file contains the texts that the user was shown, so
//! that a later state can be compared with them. All states are kept, so that a switch between branches does not ask
//! again.

use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::fingerprint::Fingerprint;
use crate::place::{AccessMode, OpenDirectory};
use crate::platform::paths::shown;
use crate::project::LoadInput;
use crate::record_place::TRUST;
use crate::time::rfc3339_now;

use super::state::PolicyState;

/// The maximum length of the texts that are stored for one state, in bytes.
const MAX_TEXT_BYTES: usize = 4 << 20;
/// The maximum number of bytes that are read of a stored state, JSON escapes included.
const MAX_STORED_BYTES: u64 = 32 << 20;

/// The trusted states of a state directory.
#[derive(Clone, Copy, Debug)]
pub struct TrustStore<'s> {
    state: &'s Path,
}

/// A state that the user trusts, as it is stored.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct TrustedState {
    /// The outermost directory of the project that has a policy, or else the project directory.
    pub project: String,
    /// The fingerprint of the whole state.
    pub fingerprint: String,
    /// The time at which the user trusted the state.
    pub trusted: String,
    /// The pinned files of the state.
    pub files: Vec<TrustedFile>,
}

/// A pinned file of a trusted state, as it is stored.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct TrustedFile {
    /// Why the file belongs to the state: `source` or `run`.
    pub origin: String,
    /// The path of the file, relative to the root if the file is below it.
    pub path: String,
    /// The fingerprint of the file's bytes.
    pub fingerprint: String,
    /// The text of the file, if its bytes are text and there was room to store it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Whether the user trusts a state. The lookup is added to `seen`, unless there is no state directory, or the state
/// has problems and so cannot be trusted.
pub(super) fn is_trusted(state_dir: Option<&Path>, state: &PolicyState, seen: &mut Vec<LoadInput>) -> bool {
    let Some(state_dir) = state_dir.filter(|_| state.problems.is_empty()) else { return false };
    let (project, name) = (directory_name(&state.root), state.fingerprint().hex());
    seen.push(LoadInput::start_reading(&state_dir.join(TRUST).join(&project).join(&name)));
    let found = || {
        let directory = OpenDirectory::open_existing_state(state_dir)?.private(TRUST)?.private(&project)?;
        let stored = directory.private_file(&name)?.metadata()?;
        // An empty file does not count: whoever created it was not shown a policy.
        if stored.len() > 0 { Ok(()) } else { Err(io::Error::from(ErrorKind::UnexpectedEof)) }
    };
    found().is_ok()
}

/// Returns the name of the directory that has a project's states.
fn directory_name(root: &Path) -> String {
    Fingerprint::digest(root.as_os_str().as_encoded_bytes()).hex()
}

impl<'s> TrustStore<'s> {
    /// Returns the store of a state directory.
    #[must_use]
    pub fn open(state: &'s Path) -> Self {
        Self { state }
    }

    /// Whether the user trusts this state.
    #[must_use]
    pub fn is_trusted(&self, state: &PolicyState) -> bool {
        is_trusted(Some(self.state), state, &mut Vec::new())
    }

    /// Stores a state as trusted.
    ///
    /// # Errors
    /// Fails if the state cannot be stored.
    pub fn add_state(&self, state: &PolicyState) -> io::Result<()> {
        let mut bytes_left = MAX_TEXT_BYTES;
        let files = state.pins.iter().map(|pin| {
            let text = pin.text.clone().filter(|text| text.len() <= bytes_left);
            bytes_left -= text.as_ref().map_or(0, String::len);
            TrustedFile {
                origin: pin.origin.name().to_owned(),
                path: shown(&pin.path).to_string(),
                fingerprint: pin.fingerprint.hex(),
                text,
            }
        });
        let files = files.collect();
        let name = state.fingerprint().hex();
        let stored = TrustedState {
            project: shown(&state.root).to_string(),
            fingerprint: name.clone(),
            trusted: rfc3339_now(),
            files,
        };
        let directory = OpenDirectory::open_or_create_state(self.state)?
            .open_or_create(TRUST)?
            .open_or_create(&directory_name(&state.root))?;
        let temporary_name = format!(".{name}.{}", std::process::id());
        // A process that was killed may have left a file of this name.
        let _none = directory.remove(&temporary_name);
        let mut file = directory.file(&temporary_name, AccessMode::New)?;
        let written = serde_json::to_vec(&stored).map_err(io::Error::other).and_then(|bytes| file.write_all(&bytes));
        if let Err(error) =
            written.and_then(|()| file.sync_all()).and_then(|()| directory.rename(&temporary_name, &name))
        {
            let _gone = directory.remove(&temporary_name);
            return Err(error);
        }
        Ok(())
    }

    /// Returns the trusted states of a project, the newest first.
    ///
    /// # Errors
    /// Fails if the state directory cannot be used.
    pub fn project_states(&self, root: &Path) -> io::Result<Vec<TrustedState>> {
        let directory = self.directory().and_then(|trust| trust.open_inner(&directory_name(root)));
        match directory {
            Ok(directory) => Ok(read_states(&directory)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Returns all trusted states by project, the newest first.
    ///
    /// # Errors
    /// Fails if the state directory cannot be used.
    pub fn states(&self) -> io::Result<Vec<TrustedState>> {
        let trust = match self.directory() {
            Ok(trust) => trust,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut states = Vec::new();
        for name in trust.names()?.iter().filter(|name| !name.starts_with('.')) {
            states.extend(trust.open_inner(name).iter().flat_map(read_states));
        }
        states.sort_by(|a, b| a.project.cmp(&b.project));
        Ok(states)
    }

    /// Revokes the trust in all states of a project, and returns how many states there were.
    ///
    /// # Errors
    /// Fails if a state cannot be removed.
    pub fn revoke(&self, root: &Path) -> io::Result<usize> {
        self.remove(&directory_name(root))
    }

    /// Revokes the trust in all states of all projects, and returns how many states there were.
    ///
    /// # Errors
    /// Fails if a state cannot be removed.
    pub fn revoke_all(&self) -> io::Result<usize> {
        let trust = match self.directory() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            trust => trust?,
        };
        let mut count = 0;
        for name in trust.names()?.iter().filter(|name| !name.starts_with('.')) {
            count += self.remove(name)?;
        }
        Ok(count)
    }

    /// Removes all states of a project, and returns their number.
    fn remove(&self, project: &str) -> io::Result<usize> {
        let trust = match self.directory() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            trust => trust?,
        };
        let directory = match trust.open_inner(project) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            directory => directory?,
        };
        let mut count = 0;
        for name in directory.names()?.iter().filter(|name| !matches!(name.as_str(), "." | "..")) {
            directory.remove(name)?;
            count += usize::from(!name.starts_with('.'));
        }
        trust.remove_directory(project)?;
        Ok(count)
    }

    /// Opens the directory of all trusted states.
    fn directory(&self) -> io::Result<OpenDirectory> {
        OpenDirectory::open_existing_state(self.state)?.open_inner(TRUST)
    }
}

/// Returns the states in a project's directory, the newest first. A file that cannot be read is still trusted, so it
/// is listed, too, by its name, which is the fingerprint.
fn read_states(directory: &OpenDirectory) -> Vec<TrustedState> {
    let names = directory.names().unwrap_or_default();
    let read = |name: &String| {
        let read = || {
            let mut bytes = Vec::new();
            directory.file(name, AccessMode::Read).ok()?.take(MAX_STORED_BYTES).read_to_end(&mut bytes).ok()?;
            serde_json::from_slice::<TrustedState>(&bytes).ok()
        };
        let unread = || TrustedState {
            project: PathBuf::new().display().to_string(),
            fingerprint: String::new(),
            trusted: String::new(),
            files: Vec::new(),
        };
        TrustedState { fingerprint: name.clone(), ..read().unwrap_or_else(unread) }
    };
    let mut states: Vec<TrustedState> = names.iter().filter(|name| !name.starts_with('.')).map(read).collect();
    states.sort_by(|a, b| b.trusted.cmp(&a.trusted));
    states
}
