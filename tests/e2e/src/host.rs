//! The host: its versions under test, and their installation.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use serde_json::Value as Json;

/// A version of Claude Code that the tests run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Version {
    /// 2.1.197, the oldest supported version, which does not know `onFailure`.
    Old,
    /// 2.1.330, the last version without an event for the commands of skills.
    Previous,
    /// 2.1.332.
    New,
}

impl Version {
    pub(crate) const ALL: &'static [Self] = &[Self::Old, Self::Previous, Self::New];

    /// The default versions of a case: the oldest and the newest.
    pub(crate) const ENDS: &'static [Self] = &[Self::Old, Self::New];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Old => "2.1.197",
            Self::Previous => "2.1.330",
            Self::New => "2.1.332",
        }
    }
}

/// Returns the reason why no host can be installed on this machine, if any.
pub(crate) fn why_not() -> Option<String> {
    let runs = |program: &str| {
        let command = Command::new(program).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).status();
        command.is_ok_and(|status| status.success())
    };
    if let Some(lacks) = ["node", "npm"].into_iter().find(|program| !runs(program)) {
        return Some(format!("`{lacks}`, which installs the host, is not here"));
    }
    let known =
        matches!(std::env::consts::ARCH, "x86_64" | "aarch64") && matches!(std::env::consts::OS, "linux" | "macos");
    (!known).then(|| format!("the host has no binary for {} on {}", std::env::consts::OS, std::env::consts::ARCH))
}

/// Returns the binary of a version, which npm installs in `cache` unless it is already there.
pub(crate) fn install(version: Version, cache: &Path) -> io::Result<PathBuf> {
    binary(&install_packages(version.name(), cache)?.join("node_modules/@anthropic-ai"), "claude-code-", "claude")
}

/// Returns the directory in `cache` of the packages of a lock file, which npm installs unless they are already there.
/// The lock file in this package determines the accepted bytes, and npm's configuration their source.
pub(crate) fn install_packages(name: &str, cache: &Path) -> io::Result<PathBuf> {
    let directory = cache.join(name);
    let locked = Path::new(env!("CARGO_MANIFEST_DIR")).join("hosts").join(name);
    let is_current = fs::read(directory.join("installed")).ok() == Some(fs::read(locked.join("package-lock.json"))?);
    if !is_current {
        fs::create_dir_all(&directory)?;
        for file in ["package.json", "package-lock.json"] {
            fs::copy(locked.join(file), directory.join(file))?;
        }
        install_locked(&directory)?;
        fs::copy(locked.join("package-lock.json"), directory.join("installed"))?;
    }
    Ok(directory)
}

/// Installs the packages of a directory's lock file.
///
/// `npm ci` refuses a lock file without the packages for other platforms, which a registry may not have. `npm install`
/// takes it, but may add packages, so the lock file must be the same afterwards.
fn install_locked(directory: &Path) -> io::Result<()> {
    let Err(refused) = npm("ci", directory) else { return Ok(()) };
    let lock = directory.join("package-lock.json");
    let before = fs::read(&lock)?;
    npm("install", directory)?;
    if fs::read(&lock)? == before { Ok(()) } else { Err(refused) }
}

/// Returns the directory in `cache` of the newest versions of an agent's packages, which npm installs, and their names
/// with their versions. No lock file has them.
pub(crate) fn install_newest(name: &str, version: &str, cache: &Path) -> io::Result<(PathBuf, String)> {
    let locked = Path::new(env!("CARGO_MANIFEST_DIR")).join("hosts").join(name).join("package.json");
    let directory = cache.join(format!("{name}-newest"));
    fs::create_dir_all(&directory)?;
    let packages = fs::read_to_string(locked)?.replace(&format!("\"{version}\""), "\"latest\"");
    fs::write(directory.join("package.json"), &packages)?;
    npm("update", &directory)?;
    let packages: Json = serde_json::from_str(&packages)?;
    let dependencies = ["dependencies", "optionalDependencies"].iter().filter_map(|kind| packages[*kind].as_object());
    let newest = dependencies.flatten().filter(|(_, version)| *version == "latest").filter_map(|(name, _)| {
        let package = fs::read(directory.join("node_modules").join(name).join("package.json")).ok()?;
        let package: Json = serde_json::from_slice(&package).ok()?;
        Some(format!("{name} {}", package["version"].as_str()?))
    });
    let newest: Vec<String> = newest.collect();
    Ok((directory, newest.join(", ")))
}

/// Runs npm in a directory. No package may run a script.
fn npm(command: &str, directory: &Path) -> io::Result<()> {
    let mut npm = Command::new("npm");
    npm.args([command, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(directory);
    let output = npm.stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(io::Error::other(format!("npm cannot install {}:\n{said}", directory.display())))
}

/// Finds a binary among the packages that npm chose for this machine, whose names begin with a text.
pub(crate) fn binary(packages: &Path, prefix: &str, name: &str) -> io::Result<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(packages)?
        .flatten()
        .filter(|package| package.file_name().to_string_lossy().starts_with(prefix))
        .map(|package| package.path().join(name))
        .filter(|at| at.is_file())
        .collect();
    // If there are two, one is for musl; the other has the shorter path.
    found.sort_by_key(|at| at.as_os_str().len());
    found
        .into_iter()
        .next()
        .ok_or_else(|| io::Error::other(format!("no binary for this machine in {}", packages.display())))
}
