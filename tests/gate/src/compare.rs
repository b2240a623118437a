//! Builds the old version, has both versions dump the same inputs, and reports what differs.

mod difference;
mod reworded;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Lines};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value as Json;

use crate::inputs::Inputs;
use crate::{Options, root};
use difference::Differences;
use reworded::Reworded;

/// The files of the gate, from the root.
const BASE: &str = "tests/gate/base";
const REWORDED: &str = "tests/gate/reworded.tsv";

/// The differences that are printed; all are counted.
const SHOWN: usize = 20;

/// Compares, and returns whether nothing differs that nobody reviewed.
///
/// # Errors
/// There is no old version to compare with, or one of the versions cannot be built or run.
pub fn run(options: &Options) -> Result<bool, String> {
    let start = Instant::now();
    let own = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let target = own.parent().and_then(Path::parent).ok_or("this program is in no target directory")?.to_path_buf();
    let gate = target.join("gate");
    fs::create_dir_all(&gate).map_err(|error| format!("{}: {error}", gate.display()))?;
    let reworded = Reworded::read(&root().join(REWORDED))?;
    let commit = base(options)?;
    let present = gate.join("present");
    copy(&own, &present)?;
    // In a directory of its own: cargo would take what it built of the old version for parts of the present one.
    let old = old_version(&commit, &gate, &gate.join("target"))?;
    let built = start.elapsed();

    let inputs = Inputs::collect(options, &target)?;
    let file = gate.join("inputs.jsonl");
    let lines: String = inputs.cases.iter().map(|case| case.line() + "\n").collect();
    fs::write(&file, &lines).map_err(|error| format!("{}: {error}", file.display()))?;
    let (old_output, new_output) = (gate.join(format!("{commit}.jsonl")), gate.join("present.jsonl"));
    let known = gate.join(format!("{commit}.inputs"));
    let is_known = old_output.exists() && fs::read_to_string(&known).is_ok_and(|known| known == lines);
    let cache = gate.join("machine/cache");
    dump((&present, "the present tree"), &cache, &file, &new_output)?;
    let dump_old = || {
        let _absent = fs::remove_file(&known);
        dump((&old, "the old version"), &cache, &file, &old_output)?;
        fs::write(&known, &lines).map_err(|error| format!("{}: {error}", known.display()))
    };
    if !is_known {
        dump_old()?;
    }

    let mut found = Differences::new(&reworded);
    let mut compared = compare((&old_output, &new_output), &mut found)?;
    // What is known of the old version may be from another day, and `chmod -R a+w /` depends on the files of the machine.
    if is_known && found.count() > 0 {
        println!("{} differences from what is known of the old version, which judges the inputs again", found.count());
        dump_old()?;
        found = Differences::new(&reworded);
        compared = compare((&old_output, &new_output), &mut found)?;
    }
    let counts = count(&inputs);
    println!(
        "{compared} cases compared with {commit}: {counts}; {} s for the old version, {} s in all",
        built.as_secs(),
        start.elapsed().as_secs()
    );
    report(&inputs, &found, &gate)?;
    let stale = if options.only.is_none() { reworded.unused() } else { Vec::new() };
    for row in &stale {
        println!("{REWORDED}:{}: no sentence is reworded by this any more: {}", row.line, row.shown());
    }
    Ok(found.count() == 0 && stale.is_empty())
}

/// Prints the first differences, and the number of all by key.
fn report(inputs: &Inputs, found: &Differences<'_>, gate: &Path) -> Result<(), String> {
    let of_name: BTreeMap<&str, &crate::case::Case> = inputs.cases.iter().map(|case| (case.name(), case)).collect();
    for difference in found.first.iter() {
        println!("\n{}", difference.case);
        if let Some(case) = of_name.get(difference.case.as_str()) {
            let text = [case.text("text"), case.text("payload")].into_iter().find(|text| !text.is_empty());
            println!("    input  {}", difference::short(&Json::from(text.unwrap_or_default()).to_string()));
        }
        println!("    {}\n    old    {}\n    new    {}", difference.key, difference.old, difference.new);
    }
    if found.count() > 0 {
        println!("\n{} differences, {} cases:", found.count(), found.cases);
        for (key, number) in &found.by_key {
            println!("    {number} × {key}");
        }
    }
    let unreviewed = gate.join("unreviewed.tsv");
    let rows: String = found.unreviewed.iter().map(|(old, new)| reworded::written(old, new)).collect();
    fs::write(&unreviewed, &rows).map_err(|error| format!("{}: {error}", unreviewed.display()))?;
    if !rows.is_empty() {
        println!("{} sentences differ: those that are meant are lines of {REWORDED}, as in", found.unreviewed.len());
        println!("{}", unreviewed.display());
    }
    Ok(())
}

/// Returns the number of cases by kind.
fn count(inputs: &Inputs) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    inputs.cases.iter().for_each(|case| *kinds.entry(case.text("kind")).or_default() += 1);
    kinds.iter().map(|(kind, number)| format!("{number} {kind}")).collect::<Vec<_>>().join(", ")
}

/// Returns the full hash of the commit to compare with.
fn base(options: &Options) -> Result<String, String> {
    let named = match &options.base {
        Some(base) => base.clone(),
        None => {
            let path = root().join(BASE);
            let text = fs::read_to_string(&path).map_err(|error| format!("{BASE}: {error}"))?;
            text.lines().find(|line| !line.starts_with('#')).unwrap_or_default().trim().to_owned()
        }
    };
    let mut git = Command::new("git");
    git.args(["rev-parse", "--verify", "--quiet", "--end-of-options"]).arg(format!("{named}^{{commit}}"));
    let output = git.current_dir(root()).output().map_err(|error| format!("git: {error}"))?;
    let hash = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if !output.status.success() || hash.is_empty() {
        return Err(format!(
            "there is no commit {named} here: the old version is built from the history, which a shallow clone or an \
             archive of the sources lacks (`git fetch --unshallow` gets it)"
        ));
    }
    Ok(hash)
}

/// Builds the gate of a commit, from the sources of that commit, and returns the program.
fn old_version(commit: &str, gate: &Path, target: &Path) -> Result<PathBuf, String> {
    let program = gate.join(format!("{commit}.dump"));
    if program.exists() {
        return Ok(program);
    }
    let sources = gate.join(commit);
    if !sources.exists() {
        let unfinished = gate.join(format!("{commit}.unfinished"));
        let _absent = fs::remove_dir_all(&unfinished);
        fs::create_dir_all(&unfinished).map_err(|error| format!("{}: {error}", unfinished.display()))?;
        let mut git = Command::new("git");
        let git = git.args(["archive", commit]).current_dir(root()).stdout(Stdio::piped()).spawn();
        let mut git = git.map_err(|error| format!("git: {error}"))?;
        let archive = git.stdout.take().ok_or("git archive has no output")?;
        let mut tar = Command::new("tar");
        let unpacked = tar.arg("-x").arg("-C").arg(&unfinished).stdin(archive).status();
        let unpacked = unpacked.map_err(|error| format!("tar: {error}"))?;
        if !git.wait().is_ok_and(|status| status.success()) || !unpacked.success() {
            return Err(format!("the sources of {commit} cannot be unpacked"));
        }
        fs::rename(&unfinished, &sources).map_err(|error| format!("{}: {error}", sources.display()))?;
    }
    if !sources.join("tests/gate").exists() {
        return Err(format!("{commit} has no gate of its own, which would dump what it does"));
    }
    println!("building {commit}, once");
    let mut cargo = cargo();
    cargo.args(["build", "--locked", "--quiet", "-p", "hookrules-gate"]);
    cargo.arg("--target-dir").arg(target).current_dir(&sources);
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err(format!("{commit} does not build"));
    }
    copy(&target.join("debug/hookrules-gate"), &program)?;
    Ok(program)
}

/// Returns the cargo that runs this program, or the usual one.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    // A running program cannot be overwritten, but replaced.
    let _absent = fs::remove_file(to);
    fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", from.display()))
}

/// Has a version dump the inputs. One after the other, since each uses all cores, and both see the same files.
fn dump((program, which): (&Path, &str), cache: &Path, inputs: &Path, output: &Path) -> Result<(), String> {
    let _absent = fs::remove_dir_all(cache);
    let mut command = Command::new(program);
    command.arg("dump").arg(inputs).arg(output).current_dir(root()).stdin(Stdio::null());
    let status = command.status().map_err(|error| format!("{which}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{which} does not dump: {status}")) }
}

/// Compares two outputs line by line, and returns the number of lines.
fn compare((old, new): (&Path, &Path), found: &mut Differences<'_>) -> Result<usize, String> {
    let (mut old, mut new) = (lines(old)?, lines(new)?);
    let mut compared = 0;
    loop {
        let next = |lines: &mut Lines<BufReader<File>>| lines.next().transpose().map_err(|error| error.to_string());
        match (next(&mut old)?, next(&mut new)?) {
            (None, None) => return Ok(compared),
            (Some(old), Some(new)) => {
                compared += 1;
                found.lines(&old, &new)?;
            }
            _ => return Err("one of the versions dumped fewer cases".to_owned()),
        }
    }
}

fn lines(path: &Path) -> Result<Lines<BufReader<File>>, String> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(BufReader::new(file).lines())
}
