//! The directories of one session: a home, a project, and those of the program.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::case::Case;
use crate::host::Version;
use crate::registration::{Binary, Place, by_name, known_user};
use crate::wire::Seen;

/// The key that the host sends to the stand-in.
pub(crate) const KEY: &str = "sk-ant-a-key-that-opens-nothing-at-all";

/// Programs that fail as a hook.
const FAILING: &[(&str, &str)] = &[("crashes", "#!/bin/sh\nkill -9 $$\n"), ("fails", "#!/bin/sh\nexit 1\n")];

/// The directories of a session, removed with it.
pub(crate) struct Scratch {
    root: TempDir,
    /// The program under test.
    pub(crate) program: PathBuf,
}

impl Scratch {
    /// Creates the directories and files that a case needs.
    pub(crate) fn make(case: &Case, version: Version, program: &Path) -> io::Result<Self> {
        let root = tempfile::Builder::new().prefix("rules-e2e-").tempdir()?;
        let scratch = Self { root, program: program.to_owned() };
        for directory in ["home/.claude", "project/.claude", "config", "state", "cache", "managed", "seen", "bin"] {
            fs::create_dir_all(scratch.path(directory))?;
        }
        for (name, text) in FAILING {
            scratch.write_program(name, text)?;
        }
        if case.registration.place == Place::Plugin && case.registration.binary == Binary::Ours {
            scratch.write_program("rules", &by_name(&scratch))?;
        }
        for (name, text) in &case.files {
            let at = scratch.project().join(name);
            fs::create_dir_all(at.parent().unwrap_or(&at))?;
            fs::write(&at, text)?;
        }
        if let Some(policy) = case.policy {
            fs::create_dir_all(scratch.project().join(".rules"))?;
            fs::write(scratch.project().join(".rules/project.rules"), policy)?;
        }
        write_json(&scratch.path("home/.claude.json"), &known_user(&scratch.project(), KEY))?;
        write_json(&scratch.path("home/.claude/settings.json"), &case.registration.of_user(&scratch, version))?;
        fs::write(scratch.path("project/.claude/settings.json"), case.registration.of_project(&scratch, version))?;
        Ok(scratch)
    }

    fn write_program(&self, name: &str, text: &str) -> io::Result<()> {
        let at = self.path("bin").join(name);
        fs::write(&at, text)?;
        fs::set_permissions(&at, fs::Permissions::from_mode(0o755))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        // The host resolves links, and names the project by the resolved path.
        self.root.path().canonicalize().unwrap_or_else(|_| self.root.path().to_owned()).join(name)
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path("project")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path("home")
    }

    pub(crate) fn seen(&self) -> PathBuf {
        self.path("seen")
    }

    /// Returns the program's options for directories, each with its directory.
    pub(crate) fn directories(&self) -> [(&'static str, PathBuf); 4] {
        [
            ("--config-dir", self.path("config")),
            ("--state-dir", self.path("state")),
            ("--cache-dir", self.path("cache")),
            ("--managed-dir", self.path("managed")),
        ]
    }

    /// Returns the payloads that the host has sent so far, oldest first.
    pub(crate) fn payloads(&self) -> io::Result<Vec<Seen>> {
        let mut files = Vec::new();
        for file in fs::read_dir(self.seen())? {
            let at = file?.path();
            // A file that is still being written has no extension yet.
            if at.extension().is_some_and(|ending| ending == "json") {
                files.push((fs::metadata(&at)?.modified()?, at));
            }
        }
        files.sort();
        let texts = files.into_iter().map(|(_, at)| fs::read(at)).collect::<io::Result<Vec<_>>>()?;
        // A host whose window is closed may have started a hook without sending it anything.
        texts.iter().filter(|text| !text.is_empty()).map(|text| Seen::read(text)).collect()
    }

    /// Keeps the directories, to investigate a failure.
    pub(crate) fn keep(self) -> PathBuf {
        self.root.keep()
    }
}

fn write_json(at: &Path, value: &Json) -> io::Result<()> {
    fs::write(at, serde_json::to_vec_pretty(value)?)
}
