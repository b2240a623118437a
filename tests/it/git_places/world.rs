//! Real repositories and working trees, and what git says about the places in which a call ran.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hookrules_shell::quote::quote;
use tempfile::TempDir;

/// The programs whose directory is recorded. `npm`, `make`, `git commit` and `git push` only pretend to run.
const PROGRAMS: &[&str] = &["git", "npm", "make", "touch", "tee", "cp", "mv", "rm", "mkdir", "ln", "sed"];

/// What does not change anything: committing and pushing are pretended, too.
const UNCHANGING: &[&str] = &["git commit", "git push", "git rev-parse", "git status"];

/// The branches of the working trees.
pub(super) const BRANCHES: &[&str] = &["main", "topic", "inner", "lib", "sub"];

/// Working trees in one directory:
///
/// | directory | what it is |
/// |---|---|
/// | `main` | a repository, on `main` |
/// | `topic` | a linked worktree of it, on `topic` |
/// | `main/inner` | another one, on `inner` |
/// | `main/nested` | another repository, on `lib` |
/// | `main/module` | a submodule of `main`, on `sub` |
/// | `detached` | a linked worktree without a branch |
/// | `clone` | a clone, on `main` |
/// | `bare.git` | a bare repository, on `main`, from which the clone comes |
/// | `plain` | no working tree |
pub(super) struct World {
    directory: TempDir,
}

/// What happened in one place.
#[derive(Debug)]
pub(super) struct Record {
    /// `runs`, `writes` or `deletes`.
    pub(super) verb: String,
    /// The branch that git names; empty outside of repositories, `-` if there is none.
    pub(super) branch: String,
    /// The program and its subcommand, or the file.
    pub(super) subject: String,
}

impl World {
    pub(super) fn new() -> Self {
        let world = Self { directory: tempfile::tempdir().unwrap() };
        for directory in ["world/plain", "world/main/src", "state", "bin"] {
            fs::create_dir_all(world.at(directory)).unwrap();
        }
        world.make_trees();
        world.make_programs();
        world.run_record("start");
        world.copy("state/files", "start");
        world.copy("world", "pristine");
        world
    }

    /// Returns a path in the directory of the working trees, with links resolved.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.at("world").join(path)
    }

    /// Returns a text in which `{root}` is the directory of the working trees.
    pub(super) fn text(&self, text: &str) -> String {
        text.replace("{root}", &quote(self.path("").to_str().unwrap().trim_end_matches('/')))
    }

    /// Runs a text with bash, and returns what happened where. All is as before for the next text.
    pub(super) fn execute(&self, directory: &str, text: &str) -> Vec<Record> {
        self.record(text.contains(".git"), || {
            let mut bash = self.clean("bash");
            bash.env("PATH", env::join_paths([self.at("bin")].into_iter().chain(real_path())).unwrap());
            bash.args(["--norc", "--noprofile", "-c", text]).current_dir(self.path(directory));
            // Whether it succeeds does not matter.
            bash.stdin(Stdio::null()).output().unwrap();
        })
    }

    /// Writes a file, as a tool does, and returns what happened where.
    pub(super) fn write(&self, directory: &str, file: &str) -> Vec<Record> {
        self.record(false, || {
            let file = self.path(directory).join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "written by a tool").unwrap();
        })
    }

    /// Runs git in a directory.
    #[track_caller]
    pub(super) fn git(&self, directory: &str, args: &[&str]) {
        let mut git = self.clean("git");
        git.args(["-c", "protocol.file.allow=always"]).args(args).current_dir(self.path(directory));
        let run = git.stdin(Stdio::null()).output().unwrap();
        assert!(run.status.success(), "git {args:?} in {directory}: {}", String::from_utf8_lossy(&run.stderr));
    }

    /// Acts, and returns what happened where. What may change a repository otherwise than by git is said before.
    fn record(&self, changes_repository: bool, act: impl FnOnce()) -> Vec<Record> {
        fs::write(self.at("state/log"), "").unwrap();
        fs::copy(self.at("start"), self.at("state/files")).unwrap();
        act();
        self.run_record("end");
        let log = fs::read_to_string(self.at("state/log")).unwrap();
        let records: Vec<Record> = log.lines().map(record).collect();
        self.restore(changes_repository, &records);
        records
    }

    /// Makes all as it was before these records.
    fn restore(&self, changes_repository: bool, records: &[Record]) {
        let (runs, changed): (Vec<&Record>, Vec<&Record>) = records.iter().partition(|it| it.verb == "runs");
        let is_git = |it: &Record| it.subject.starts_with("git ") && !UNCHANGING.contains(&&*it.subject);
        let changed: BTreeMap<&Path, PathBuf> = changed
            .into_iter()
            .map(|it| Path::new(&it.subject))
            .map(|path| (path, self.at("pristine").join(path.strip_prefix(self.at("world")).unwrap())))
            .collect();
        if changes_repository || runs.iter().copied().any(is_git) || changed.values().any(|pristine| pristine.is_dir())
        {
            fs::remove_dir_all(self.at("world")).unwrap();
            return self.copy("pristine", "world");
        }
        for (path, pristine) in changed {
            // It may be gone with its directory.
            let _none = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            if pristine.symlink_metadata().is_ok() {
                fs::copy(pristine, path).unwrap();
            }
        }
    }

    #[track_caller]
    fn run_record(&self, moment: &str) {
        let run = self.clean("sh").arg(self.at("bin/record.sh")).arg(moment).current_dir(self.at("world")).output();
        let run = run.unwrap();
        assert!(run.status.success() && run.stderr.is_empty(), "{}", String::from_utf8_lossy(&run.stderr));
    }

    fn at(&self, path: &str) -> PathBuf {
        fs::canonicalize(self.directory.path()).unwrap().join(path)
    }

    /// Returns a command without a variable that could change what shells and git do.
    fn clean(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", env::join_paths(real_path()).unwrap());
        command.env("HOME", self.at("state")).env("LC_ALL", "C").env("TMPDIR", self.at("state"));
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "x").env(format!("GIT_{role}_EMAIL"), "x@example.org");
        }
        command
    }

    fn make_trees(&self) {
        let write = |path: &str, text: &str| fs::write(self.path(path), text).unwrap();
        let commit = ["commit", "-q", "--allow-empty", "-m", "first"];
        write("main/src/a.ts", "a\n");
        write("main/.gitignore", "/inner\n/nested\n/to-*\n");
        write("main/commit.sh", "git commit -q --allow-empty -m script\n");
        self.git("main", &["init", "-q", "--template=", "-b", "main"]);
        self.git("main", &["add", "-A"]);
        self.git("main", &commit);
        self.git("main", &["init", "-q", "--template=", "-b", "lib", "nested"]);
        self.git("main/nested", &commit);
        self.git("main", &["submodule", "--quiet", "add", "../main/nested", "module"]);
        self.git("main/module", &["checkout", "-q", "-b", "sub"]);
        self.git("main", &["commit", "-q", "-m", "submodule"]);
        self.git("main", &["checkout", "-q", "-b", "other"]);
        write("main/src/a.ts", "other\n");
        self.git("main", &["commit", "-q", "-a", "-m", "other"]);
        self.git("main", &["checkout", "-q", "main"]);
        self.git("", &["clone", "-q", "--template=", "--bare", "main", "bare.git"]);
        self.git("", &["clone", "-q", "--template=", "bare.git", "clone"]);
        self.git("main", &["remote", "add", "origin", "../bare.git"]);
        for (directory, branch) in [("../topic", "topic"), ("inner", "inner")] {
            self.git("main", &["worktree", "add", "-q", "-b", branch, directory]);
        }
        self.git("main", &["worktree", "add", "-q", "--detach", "../detached"]);
        for (target, link) in
            [("../topic", "main/to-topic"), ("../main", "topic/to-main"), ("../main", "plain/to-main")]
        {
            symlink(target, self.path(link)).unwrap();
        }
    }

    fn make_programs(&self) {
        let set = |name: &str, value: &Path| format!("{name}={}\n", quote(value.to_str().unwrap()));
        let state = set("STATE", &self.at("state"));
        let head = set("WORLD", &self.at("world")) + &state;
        fs::write(self.at("bin/record.sh"), head + include_str!("record.sh")).unwrap();
        let path = env::join_paths(real_path()).unwrap();
        let head = state + &set("RECORD", &self.at("bin/record.sh")) + &set("REAL_PATH", Path::new(&path));
        for name in PROGRAMS {
            let found = real_path().into_iter().map(|directory| directory.join(name)).find(|file| file.is_file());
            let real = set("REAL", &found.unwrap_or_default()) + &set("NAME", Path::new(name));
            let text = format!("#!/bin/sh\n{head}{real}{}", include_str!("wrapper.sh"));
            let program = self.at("bin").join(name);
            fs::write(&program, text).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }

    /// Copies a directory with its links.
    fn copy(&self, from: &str, to: &str) {
        let run = self.clean("cp").arg("-Rp").arg(self.at(from)).arg(self.at(to)).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    }
}

/// Returns the directories in which programs are.
fn real_path() -> Vec<PathBuf> {
    env::split_paths(&env::var_os("PATH").unwrap()).filter(|directory| directory.is_absolute()).collect()
}

fn record(line: &str) -> Record {
    let mut parts = line.splitn(3, '\t').map(str::to_owned);
    let mut next = || parts.next().unwrap();
    Record { verb: next(), branch: next(), subject: next() }
}
