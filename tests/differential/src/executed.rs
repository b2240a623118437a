//! Shells as the reference for what a text runs: bash, bash in POSIX mode, dash, zsh and fish execute it in a directory
//! of its own, where every program is a fake that records how it was called. Each such call must be among the commands
//! that the analysis finds, known or unknown.
//!
//! The texts are in `texts/`, one a line; each is tried on its own and within another construct. `%` represents the
//! harmful program, which is a fake too, and `%%` a percent sign. A file named after a shell has texts in that shell's
//! language only. Texts that depend on the locale are executed in several.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::word::WordPart;
use hookrules_shell::{Analysis, StartDirectories, Word, analyse, quote};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::say;

/// The time limit for a text.
const PATIENCE: Duration = Duration::from_secs(10);

/// The program and its arguments that replace `%` in a text.
const HARM: &str = "rm -rf victim";

/// Programs that only record their calls.
const FAKES: &[&str] = &["rm", "ls", "touch", "mark", "git", "make"];

/// Programs that also pass on what they read, or run their arguments, using the real program of the same name.
const PASSING: &[&str] = &["cat", "env", "head", "tr", "sed", "xargs", "nohup", "chmod", "mkdir", "cut"];

/// Names of real programs, whose calls are not recorded. A pager is what zsh runs for a redirection without a command:
/// `more`, or as Debian builds it, `pager`.
const SILENT: &[(&str, &str)] = &[("sh", "sh"), ("more", "cat"), ("pager", "cat")];

/// Constructs around a text.
const AROUND: &[(&str, &str)] =
    &[("{ ", "\n}"), ("f() { ", "\n}\nf"), ("if :\nthen ", "\nfi"), ("for i in 1 2\ndo ", "\ndone")];

/// Like [`AROUND`], in fish's language.
const AROUND_FISH: &[(&str, &str)] = &[
    ("begin; ", "\nend"),
    ("function f; ", "\nend; f"),
    ("if true; ", "\nend"),
    ("for i in 1 2; ", "\nend"),
    ("eval (echo true)\n", ""),
];

/// The files of texts, and the shells that execute them.
const TEXTS: &[(&str, &[&str])] = &[
    ("dialects", &["bash", "dash", "zsh"]),
    ("variables", &["bash", "dash", "zsh"]),
    ("numbers", &["bash", "dash", "zsh"]),
    ("zsh", &["zsh"]),
    ("fish", &["fish"]),
    ("streams", &["bash", "dash", "zsh"]),
    ("bash", &["bash"]),
    ("characters", &["bash", "dash", "zsh"]),
    ("quoted_lists", &["bash", "dash", "zsh"]),
    ("callbacks", &["bash"]),
    ("descriptors", &["bash", "dash", "zsh"]),
];

/// The locale of a text, and the files whose texts are executed in others too.
const LOCALE: &str = "C";
const LOCALES: &[(&str, &[&str])] = &[("characters", &[LOCALE, "C.UTF-8"])];

/// A shell that executes texts.
struct Shell {
    /// Its command: name and options.
    call: &'static [&'static str],
    /// The equivalent commands for the analysis.
    names: &'static [&'static str],
}

const SHELLS: &[Shell] = &[
    Shell { call: &["bash", "-c"], names: &["bash -c"] },
    Shell {
        call: &["bash", "--posix", "-c"],
        names: &["bash --posix -c", "bash -o posix -c", "POSIXLY_CORRECT=1 bash -c", "sh -c"],
    },
    Shell { call: &["dash", "-c"], names: &["dash -c", "sh -c", "ash -c"] },
    Shell { call: &["zsh", "-f", "-c"], names: &["zsh -c"] },
    Shell { call: &["fish", "--no-config", "-c"], names: &["fish -c"] },
];

/// Executes all texts, or those of one file, and returns the number of calls that the analysis missed.
pub fn compare(only: Option<&str>) -> io::Result<usize> {
    let names: BTreeSet<&str> = SHELLS.iter().filter_map(|shell| shell.call.first().copied()).collect();
    for name in names.into_iter().filter(|name| found(name).is_none()) {
        say(&format!("no {name} is here: what it runs is not compared"));
    }
    let all = std::thread::scope(|scope| {
        let texts = TEXTS.iter().filter(|(name, _)| only.is_none_or(|only| only == *name));
        let running: Vec<_> = texts.map(|(name, by)| scope.spawn(move || compare_texts(name, by))).collect();
        let ended = running.into_iter().map(|one| one.join());
        ended
            .map(|one| one.unwrap_or_else(|_| Err(io::Error::other("a comparison ended in a panic"))))
            .collect::<Vec<_>>()
    });
    let mut missed = 0;
    for one in all {
        missed += one?;
    }
    Ok(missed)
}

/// Executes the texts of a file and returns the number of calls that the analysis missed.
fn compare_texts(name: &str, by: &[&str]) -> io::Result<usize> {
    let room = Room::new(name, by)?;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("texts").join(name).with_extension("txt");
    let texts: Vec<String> = fs::read_to_string(file)?
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
        .map(|line| line.replace('⏎', "\n"))
        .map(|line| line.split("%%").map(|piece| piece.replace('%', HARM)).collect::<Vec<_>>().join("%"))
        .collect();
    let (mut count, mut missed) = (0, 0);
    let around = if name == "fish" { AROUND_FISH } else { AROUND };
    for (text, (before, behind)) in texts.iter().zip(around.iter().cycle()) {
        for whole in [text.clone(), format!("{before}{text}{behind}")] {
            count += 1;
            missed += room.judge(&whole)?;
        }
    }
    let shells = room.shells().join(", ");
    say(&format!("executed by {shells}: {count} texts of {name} by {}; {missed} calls were not seen", texts.len()));
    Ok(missed)
}

/// Shows what each shell runs of one text, and which calls the analysis misses.
pub fn show(text: &str) -> io::Result<()> {
    let mut room = Room::new("shown", &["bash", "dash", "zsh", "fish"])?;
    room.locales = &[LOCALE, "C.UTF-8"];
    for shell in room.shells.iter() {
        for locale in room.locales {
            say(&format!("{} runs {:?} in {locale}", shell.call.join(" "), room.execute(shell, locale, text)?));
        }
    }
    room.judge(text)?;
    Ok(())
}

/// A directory for executions.
struct Room {
    directory: PathBuf,
    shells: Vec<&'static Shell>,
    locales: &'static [&'static str],
}

impl Room {
    /// Creates one for the shells of these names that are installed.
    fn new(name: &str, by: &[&str]) -> io::Result<Self> {
        let directory = std::env::temp_dir().join(format!("hookrules-executed-{}-{name}", std::process::id()));
        let programs = directory.join("bin");
        fs::create_dir_all(&programs)?;
        let log = directory.join("log");
        for name in FAKES.iter().chain(PASSING) {
            let pass = if PASSING.contains(name) { found(name) } else { None };
            let pass = pass.map_or_else(String::new, |real| format!("exec '{}' \"$@\"\n", real.display()));
            let path = programs.join(name);
            // A single write, because others may write at the same time.
            let note =
                format!("line=$(printf '%s\\037' '{name}' \"$@\")\nprintf '%s\\n' \"$line\" >> '{}'\n", log.display());
            fs::write(&path, format!("#!/bin/sh\n{note}{pass}"))?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
        let mut shells = Vec::new();
        for shell in SHELLS {
            let Some(name) = shell.call.first().filter(|name| by.contains(name)) else { continue };
            let Some(real) = found(name) else { continue };
            let link = programs.join(name);
            if !link.exists() {
                symlink(real, link)?;
            }
            shells.push(shell);
        }
        for (name, program) in SILENT {
            if let Some(real) = found(program) {
                symlink(real, programs.join(name))?;
            }
        }
        let locales = LOCALES.iter().find(|(own, _)| *own == name).map_or([LOCALE].as_slice(), |(_, locales)| locales);
        Ok(Self { directory, shells, locales })
    }

    fn shells(&self) -> Vec<String> {
        self.shells.iter().map(|shell| shell.call.join(" ")).collect()
    }

    /// Has every shell execute a text, and returns the number of calls that the analysis missed.
    fn judge(&self, text: &str) -> io::Result<usize> {
        let mut missed = 0;
        for shell in &self.shells {
            let mut calls = BTreeSet::new();
            for locale in self.locales {
                calls.extend(self.execute(shell, locale, text)?);
            }
            for name in shell.names {
                let analysis = self.analysis(&format!("{name} {}", quote(text)));
                for call in calls.iter().filter(|call| !is_seen(&analysis, call)) {
                    missed += 1;
                    say(&format!("{} runs {call:?}, not seen in {name} {text:?}", shell.call.join(" ")));
                }
            }
        }
        Ok(missed)
    }

    fn analysis(&self, text: &str) -> Analysis {
        analyse(text, &StartDirectories { cwd: &self.directory.join("work"), home: Some(&self.directory.join("home")) })
    }

    /// Returns the calls of the fakes.
    fn execute(&self, shell: &Shell, locale: &str, text: &str) -> io::Result<Vec<Vec<String>>> {
        let (work, log) = (self.directory.join("work"), self.directory.join("log"));
        for place in [&work, &self.directory.join("home")] {
            if place.exists() {
                fs::remove_dir_all(place)?;
            }
            fs::create_dir_all(place)?;
        }
        File::create(work.join("victim"))?;
        File::create(&log)?;
        let [name, options @ ..] = shell.call else { return Ok(Vec::new()) };
        let mut child = Command::new(self.directory.join("bin").join(name))
            .args(options)
            .arg(text)
            .env_clear()
            .env("PATH", self.directory.join("bin"))
            .env("HOME", self.directory.join("home"))
            .env("LC_ALL", locale)
            .current_dir(&work)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Signals that a text sends to its process group, such as by `suspend`, reach nobody else.
            .process_group(0)
            .spawn()?;
        let group = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
        let start = Instant::now();
        while child.try_wait()?.is_none() {
            if start.elapsed() > PATIENCE {
                let _ = killpg(group, Signal::SIGKILL);
                child.wait()?;
                return Err(io::Error::other(format!("{} does not end with {text:?}", shell.call.join(" "))));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        // Background processes may not have finished.
        if text.contains('&') || text.contains(">(") || text.contains("coproc") {
            std::thread::sleep(Duration::from_millis(30));
        }
        let _ = killpg(group, Signal::SIGKILL);
        // The directory of a program named by `=name`.
        let programs = format!("{}/", self.directory.join("bin").display());
        // Not all that shells make is text.
        let lines = String::from_utf8_lossy(&fs::read(&log)?).replace(&programs, "/usr/bin/");
        let call = |line: &str| line.split('\u{1f}').map(str::to_owned).collect();
        Ok(lines.split("\u{1f}\n").filter(|line| !line.is_empty()).map(call).collect())
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// Finds a program.
pub(crate) fn found(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|place| place.exists())
}

/// Whether a call may be one of the commands, or part of what the analysis reports as opaque.
fn is_seen(analysis: &Analysis, call: &[String]) -> bool {
    let name = call.first().map(String::as_str).unwrap_or_default();
    let is_opaque =
        analysis.opaque.iter().any(|opaque| opaque.text.as_ref().is_none_or(|text| text.as_str().contains(name)));
    is_opaque || analysis.commands.iter().any(|command| may_be(command, call))
}

/// A piece of a command, for matching a call.
enum Piece {
    Text(Vec<char>),
    /// Anything within a word; beyond words if `splits`.
    Any {
        splits: bool,
    },
}

/// The terminator of a word.
const END: char = '\u{1f}';

fn may_be(command: &SimpleCommand, call: &[String]) -> bool {
    let mut pieces = Vec::new();
    for (at, word) in command.words.iter().enumerate() {
        match base_name(word) {
            Some(name) if at == 0 => pieces.push(Piece::Text(name.chars().chain([END]).collect())),
            _ => add(word, &mut pieces),
        }
    }
    let called: Vec<char> = call.iter().flat_map(|word| word.chars().chain([END])).collect();
    matches(&pieces, &called)
}

/// Returns the name of a program; `None` if it is not known. The directory before it may be unknown.
fn base_name(word: &Word) -> Option<&str> {
    let known = word.known_text().map(|text| text.rsplit('/').next().unwrap_or(text));
    known.or_else(|| match word.parts.last() {
        Some(WordPart::Text(end)) => end.rsplit_once('/').map(|(_, name)| name),
        _ => None,
    })
}

fn add(word: &Word, pieces: &mut Vec<Piece>) {
    let splits = word.may_split() || word.parts.iter().any(|part| matches!(part, WordPart::Glob(_)));
    for part in &word.parts {
        pieces.push(match part {
            WordPart::Text(text) => Piece::Text(text.chars().collect()),
            WordPart::Glob(_) | WordPart::Unknown(_) => Piece::Any { splits },
        });
    }
    // A word that may vanish has no terminator of its own.
    if !splits || matches!(word.parts.last(), Some(WordPart::Text(_))) {
        pieces.push(Piece::Text(vec![END]));
    }
}

fn matches(pieces: &[Piece], called: &[char]) -> bool {
    match pieces.split_first() {
        None => called.is_empty(),
        Some((Piece::Text(text), rest)) => {
            called.strip_prefix(text.as_slice()).is_some_and(|called| matches(rest, called))
        }
        Some((Piece::Any { splits }, rest)) => {
            let end =
                if *splits { called.len() } else { called.iter().position(|c| *c == END).unwrap_or(called.len()) };
            (0..=end).any(|length| called.get(length..).is_some_and(|called| matches(rest, called)))
                // The separator after the last of several words.
                || *splits && called.iter().enumerate().any(|(at, c)| {
                    *c == END && called.get(at + 1..).is_some_and(|called| matches(rest, called))
                })
        }
    }
}
