//! A directory in which texts are executed, and the observed effects: which files they read, write and delete, which
//! fakes they call, and whether they connect or send.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify, WatchDescriptor};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use super::listener::Listener;
use crate::executed::found;

/// The time limit for a text.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time limit for processes that a text leaves running.
const PATIENCE_FOR_REST: Duration = Duration::from_secs(2);

/// The content of a secret file.
const SECRET: &str = "TOKEN=canary-4711-0815";

/// The base64 encoding of the secret, from its first letter on.
const ENCODED: &str = "VE9LRU49Y2FuYXJ5LTQ3MTEtMDgx";

/// The watched files of the directory, with their contents; the last one does not exist.
pub(super) const FILES: &[(&str, Option<&str>)] = &[
    ("victim", Some("a victim\n")),
    (".env", Some(SECRET)),
    ("notes.txt", Some("one two\nthree four\n")),
    ("vault/a.txt", Some("a\n")),
    ("vault/b.txt", Some("b\n")),
    ("made", None),
];

/// Programs that only record how they were called.
const FAKES: &[&str] = &["git", "mark"];

/// The observations of an execution.
#[derive(Default, Debug)]
pub(super) struct Seen {
    /// The accesses to files, by their names in [`FILES`].
    pub(super) certain: BTreeSet<(&'static str, &'static str)>,
    /// Further accesses that a rule may report: a file is opened, but nothing is read.
    pub(super) possible: BTreeSet<(&'static str, &'static str)>,
    /// The calls of fakes.
    pub(super) calls: BTreeSet<String>,
    /// Whether it connected to the listener.
    pub(super) connected: bool,
    /// Whether the listener received the secret.
    pub(super) sent: bool,
    /// The output on standard error.
    pub(super) said: String,
}

impl Seen {
    /// Whether nothing of interest happened.
    pub(super) fn is_nothing(&self) -> bool {
        self.certain.is_empty() && self.calls.is_empty() && !self.connected
    }
}

/// A directory for executions.
pub(super) struct Room {
    directory: PathBuf,
    listener: Listener,
}

impl Room {
    pub(super) fn new(name: &str, programs: &[&str]) -> io::Result<Self> {
        let directory = std::env::temp_dir().canonicalize()?;
        let directory = directory.join(format!("hookrules-effects-{}-{name}", std::process::id()));
        let bin = directory.join("bin");
        fs::create_dir_all(&bin)?;
        for name in FAKES {
            let log = directory.join("log");
            let path = bin.join(name);
            fs::write(&path, format!("#!/bin/sh\nprintf '%s\\n' \"{name}${{*:+ }}$*\" >> '{}'\n", log.display()))?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
        for name in programs {
            if let Some(real) = real(name) {
                symlink(real, bin.join(name))?;
            }
        }
        Ok(Self { directory, listener: Listener::new()? })
    }

    pub(super) fn port(&self) -> u16 {
        self.listener.port
    }

    /// Whether a program is available.
    pub(super) fn has(&self, program: &str) -> bool {
        self.directory.join("bin").join(program).exists()
    }

    pub(super) fn work(&self) -> PathBuf {
        self.directory.join("work")
    }

    pub(super) fn home(&self) -> PathBuf {
        self.directory.join("home")
    }

    /// Recreates the files.
    pub(super) fn prepare(&self) -> io::Result<()> {
        let work = self.work();
        for place in [&work, &self.home(), &self.directory.join("tmp")] {
            if place.exists() {
                fs::remove_dir_all(place)?;
            }
            fs::create_dir_all(place)?;
        }
        fs::create_dir(work.join("vault"))?;
        for (name, content) in FILES {
            if let Some(content) = content {
                fs::write(work.join(name), content)?;
            }
        }
        fs::write(self.directory.join("log"), "")
    }

    /// Has bash execute a text, after [`Self::prepare`].
    pub(super) fn execute(&self, text: &str) -> io::Result<Seen> {
        let work = self.work();
        let before: Vec<Option<Held>> = FILES.iter().map(|(name, _)| Held::of(&work.join(name))).collect();
        let watch = Watch::new(&work)?;
        let errors = self.directory.join("errors");
        let mut child = Command::new("bash")
            .args(["-c", text])
            .env_clear()
            .env("PATH", self.directory.join("bin"))
            .env("HOME", self.home())
            .env("TMPDIR", self.directory.join("tmp"))
            .env("LC_ALL", "C.UTF-8")
            .current_dir(&work)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(fs::File::create(&errors)?)
            .process_group(0)
            .spawn()?;
        let group = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
        let start = Instant::now();
        let mut stuck = false;
        while child.try_wait()?.is_none() {
            if start.elapsed() > PATIENCE {
                stuck = true;
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        // What a text does in the background counts too, and may begin after its shell has ended.
        let end_of_shell = Instant::now();
        while !stuck && killpg(group, None).is_ok() && end_of_shell.elapsed() < PATIENCE_FOR_REST {
            std::thread::sleep(Duration::from_millis(1));
        }
        let mut seen = Seen::default();
        let came = if stuck { None } else { Some(self.listener.take()) };
        // Kills remaining processes of the text, if any.
        let _ = killpg(group, Signal::SIGKILL);
        if stuck {
            child.wait()?;
            return Err(io::Error::other(format!("it does not end: {text:?}")));
        }
        if let Some(came) = came {
            seen.connected = came.connections > 0;
            let text = String::from_utf8_lossy(&came.bytes);
            seen.sent = text.contains(SECRET) || text.contains(ENCODED);
        }
        watch.gather(&mut seen)?;
        for ((name, _), before) in FILES.iter().zip(before) {
            let after = Held::of(&work.join(name));
            let verb = match (&before, &after) {
                (Some(_), None) => "deletes",
                (before, Some(after)) if before.as_ref() != Some(after) => "writes",
                _ => continue,
            };
            seen.certain.insert((verb, name));
        }
        seen.calls = fs::read_to_string(self.directory.join("log"))?.lines().map(str::to_owned).collect();
        fs::File::open(errors)?.take(400).read_to_string(&mut seen.said)?;
        Ok(seen)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// The state of a file.
#[derive(PartialEq)]
struct Held {
    content: Vec<u8>,
    mode: u32,
    inode: u64,
}

impl Held {
    fn of(path: &Path) -> Option<Self> {
        let about = fs::symlink_metadata(path).ok()?;
        let content = if about.is_file() { fs::read(path).unwrap_or_default() } else { Vec::new() };
        Some(Self { content, mode: about.mode(), inode: about.ino() })
    }
}

/// Notifications of the system about the files.
struct Watch {
    inotify: Inotify,
    names: Vec<(WatchDescriptor, &'static str)>,
    /// The watch of the directory in which files are created.
    place: WatchDescriptor,
}

impl Watch {
    fn new(work: &Path) -> io::Result<Self> {
        let inotify = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC)?;
        let mut names = Vec::new();
        for (name, _) in FILES.iter().filter(|(_, content)| content.is_some()) {
            let flags = AddWatchFlags::IN_ACCESS | AddWatchFlags::IN_MODIFY | AddWatchFlags::IN_OPEN;
            let all = flags | AddWatchFlags::IN_CLOSE_WRITE | AddWatchFlags::IN_ATTRIB | AddWatchFlags::IN_MOVE_SELF;
            names.push((inotify.add_watch(&work.join(name), all)?, *name));
        }
        let place = inotify.add_watch(work, AddWatchFlags::IN_CREATE | AddWatchFlags::IN_MOVED_TO)?;
        Ok(Self { inotify, names, place })
    }

    fn gather(&self, seen: &mut Seen) -> io::Result<()> {
        loop {
            let events = match self.inotify.read_events() {
                Ok(events) => events,
                Err(Errno::EAGAIN) => return Ok(()),
                Err(error) => return Err(error.into()),
            };
            for event in events {
                let has = |flag| event.mask.contains(flag);
                if event.wd == self.place {
                    let made = FILES.iter().find(|(name, _)| event.name.as_deref() == Some(name.as_ref()));
                    seen.possible.extend(made.map(|(name, _)| ("writes", *name)));
                }
                let Some((_, name)) = self.names.iter().find(|(descriptor, _)| *descriptor == event.wd) else {
                    continue;
                };
                if has(AddWatchFlags::IN_ACCESS) {
                    seen.certain.insert(("reads", name));
                }
                if has(AddWatchFlags::IN_MODIFY) {
                    seen.certain.insert(("writes", name));
                }
                if has(AddWatchFlags::IN_OPEN) || has(AddWatchFlags::IN_MOVE_SELF) || has(AddWatchFlags::IN_ATTRIB) {
                    seen.possible.insert(("reads", name));
                }
                if has(AddWatchFlags::IN_CLOSE_WRITE) || has(AddWatchFlags::IN_ATTRIB) {
                    seen.possible.insert(("writes", name));
                }
            }
        }
    }
}

/// Finds the real executable of a program, behind any launcher.
fn real(name: &str) -> Option<PathBuf> {
    let place = found(name)?;
    if name == "python3" {
        let output = Command::new(&place).args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
        return Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()));
    }
    Some(place)
}
