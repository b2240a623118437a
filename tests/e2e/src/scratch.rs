//! The directories of one session: a home, a project, and those of the program.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
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

/// A program that only notes its call in the file `ran`, with paths relative to the working trees' directory.
const NOTING: &str = r#"#!/bin/sh
root=${0%/bin/*}
echo "${0##*/} $* in $PWD" | sed "s|$root/project/||g" >>"$root/ran"
"#;

/// The programs that would need the network, or change more than the project.
const NOTED: &[&str] = &["npm", "pnpm", "terraform"];

/// The directories of a session, removed with it.
pub(crate) struct Scratch {
    root: TempDir,
    /// The directory of the project, relative to the root.
    project: &'static str,
    /// The program under test.
    pub(crate) program: PathBuf,
}

impl Scratch {
    /// Creates the directories and files that a case needs.
    pub(crate) fn make(case: &Case, version: Version, program: &Path) -> io::Result<Self> {
        let root = tempfile::Builder::new().prefix("rules-e2e-").tempdir()?;
        let project = if case.example.is_some() { "project/main" } else { "project" };
        let scratch = Self { root, project, program: program.to_owned() };
        if let Some(example) = case.example {
            scratch.make_working_trees(example)?;
        }
        fs::create_dir_all(scratch.project().join(".claude"))?;
        for directory in ["home/.claude", "config", "state", "cache", "managed", "seen", "bin"] {
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
        fs::write(scratch.project().join(".claude/settings.json"), case.registration.of_project(&scratch, version))?;
        Ok(scratch)
    }

    /// Makes the working trees of an example with its script, and programs that note their calls.
    fn make_working_trees(&self, example: &str) -> io::Result<()> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example).join("worktrees.sh");
        let output = Command::new("sh").arg(script).arg(self.path("project")).env("HOME", self.home()).output()?;
        if !output.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        fs::create_dir_all(self.path("bin"))?;
        NOTED.iter().try_for_each(|program| self.write_program(program, NOTING))
    }

    fn write_program(&self, name: &str, text: &str) -> io::Result<()> {
        let at = self.path("bin").join(name);
        fs::write(&at, text)?;
        fs::set_permissions(&at, fs::Permissions::from_mode(0o755))
    }

    pub(crate) fn root(&self) -> PathBuf {
        // The host resolves links, and names the project by the resolved path.
        self.root.path().canonicalize().unwrap_or_else(|_| self.root.path().to_owned())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path(self.project)
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
        let mut payloads = Vec::new();
        for (_, at) in files {
            let text = fs::read(&at)?;
            // A host whose window is closed may have started a hook without sending it anything.
            if !text.is_empty() {
                payloads.push(Seen::read(&text, fs::read_to_string(at.with_extension("project"))?.into())?);
            }
        }
        Ok(payloads)
    }

    /// Keeps the directories, to investigate a failure.
    pub(crate) fn keep(self) -> PathBuf {
        self.root.keep()
    }
}

fn write_json(at: &Path, value: &Json) -> io::Result<()> {
    fs::write(at, serde_json::to_vec_pretty(value)?)
}
