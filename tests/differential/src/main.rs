//! Holds the reading of shell text to bash itself and to another parser: which texts are valid, and which simple
//! commands they have; nothing of these is run. Besides, has shells execute texts of its own among fakes, and compares what
//! they run.
//!
//! Prints what differs, and fails if that is not known, or if something known differs no longer. `COUNT SEED` as arguments
//! has it try other random texts, `executed` only has texts executed, `executed NAME` only those of one file, `effects` only
//! those whose effects on files and the network are compared; `effects NAME` is those of one file, `effects TEXT` one of
//! them to show, any other argument is one text to show.

#![expect(clippy::disallowed_methods, reason = "it reads fixtures and starts bash")]

mod bash;
mod brush;
#[cfg(target_os = "linux")]
mod effects;
mod executed;
mod known;
mod random;
mod texts;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use bash::Bash;
use hookrules_shell::{Analysis, Cause, Start, analyse};
use known::{Against, KNOWN};

/// How many random texts are tried, and from which seed, where the arguments do not say.
const RANDOM: usize = 4_000;
const SEED: u64 = 0x5eed;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let result = match arguments.next() {
        Some(text) if text == "executed" => executed::compare(arguments.next().as_deref()),
        Some(text) if text == "effects" => compare_effects(arguments.next().as_deref()),
        Some(text) if text.parse::<usize>().is_err() => show(&text),
        count => {
            let count = count.and_then(|count| count.parse().ok()).unwrap_or(RANDOM);
            run(count, arguments.next().and_then(|seed| seed.parse().ok()).unwrap_or(SEED))
        }
    };
    match result {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            say(&format!("{error}"));
            ExitCode::FAILURE
        }
    }
}

/// Shows what everyone makes of one text.
fn show(text: &str) -> io::Result<usize> {
    let analysis = analysis(text);
    for command in &analysis.commands {
        let words: Vec<String> = command.words.iter().map(hookrules_shell::Word::shown).collect();
        say(&format!("we see {words:?} at {:?} by {:?}", command.span, command.via));
    }
    for opaque in &analysis.opaque {
        say(&format!("we do not see {opaque:?}"));
    }
    say(&format!("brush sees {:?}", brush::commands(text)));
    let found = differences(text, Bash::find()?.as_ref(), &mut 0)?;
    for (_, difference) in &found {
        say(difference);
    }
    executed::show(text)?;
    Ok(found.len())
}

/// Analyses a text as a hook does.
fn analysis(text: &str) -> Analysis {
    analyse(text, &Start { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) })
}

/// Returns how much differs that should not, or does not that should.
fn run(count: usize, seed: u64) -> io::Result<usize> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = texts::of(&["../fixtures/shell", "../../shell/fixtures"].map(|directory| package.join(directory)))?;
    let fixed = all.len();
    let mut random = random::Random::new(seed);
    all.extend((0..count).map(|_| random.text()));

    let bash = Bash::find()?;
    if bash.is_none() {
        say("no bash of version 5 or newer is here: which texts are valid is not compared with it");
    }
    let mut wrong = 0;
    let (mut expected, mut compared) = (0_usize, 0_usize);
    for text in &all {
        for (against, difference) in differences(text, bash.as_ref(), &mut compared)? {
            if known::covers(against, text) {
                expected += 1;
            } else {
                wrong += 1;
                say(&format!("{difference}: {text:?}"));
            }
        }
    }
    for known in KNOWN.iter().filter(|known| known.against != Against::Bash || bash.is_some()) {
        let found = differences(known.example, bash.as_ref(), &mut 0)?;
        if !found.iter().any(|(against, _)| *against == known.against) || !(known.covers)(known.example) {
            wrong += 1;
            say(&format!("known to differ, and does not: {:?} ({})", known.example, known.why));
        }
    }
    say(&format!(
        "{fixed} texts of the fixtures and {count} random ones, the commands of {compared} compared: \
         {expected} known differences, {wrong} others"
    ));
    Ok(wrong + executed::compare(None)? + compare_effects(None)?)
}

/// Compares what executed texts do with what a policy knows of it.
#[cfg(target_os = "linux")]
fn compare_effects(text: Option<&str>) -> io::Result<usize> {
    match text {
        Some(text) => effects::show(text),
        None => effects::compare(),
    }
}

/// Nothing else tells which files a text reads.
#[cfg(not(target_os = "linux"))]
fn compare_effects(_: Option<&str>) -> io::Result<usize> {
    say("this is no Linux: what texts do to files and the network is not compared");
    Ok(0)
}

/// Compares what we make of a text with what the others make of it.
fn differences(text: &str, bash: Option<&Bash>, compared: &mut usize) -> io::Result<Vec<(Against, String)>> {
    let mut found = Vec::new();
    let analysis = analysis(text);
    // No argument can have a NUL in it.
    let Some(ours) = accepts(&analysis).filter(|_| !text.contains('\0')) else { return Ok(found) };
    if let Some(bash) = bash {
        let theirs = bash.accepts(text)?;
        if theirs.is_some_and(|theirs| ours != theirs) {
            let (taker, other) = if ours { ("we take", "bash refuses") } else { ("bash takes", "we refuse") };
            found.push((Against::Bash, format!("{taker} what {other}")));
        }
    }
    if !ours {
        return Ok(found);
    }
    match brush::commands(text) {
        Err(error) => found.push((Against::Brush, format!("we take what brush refuses ({error})"))),
        Ok(theirs) if brush::is_plain(text) => {
            *compared += 1;
            found.extend(brush::compare(&analysis, &theirs).map(|difference| (Against::Commands, difference)));
        }
        Ok(_) => {}
    }
    Ok(found)
}

/// Tells whether we take a text for bash; `None` where it is nested deeper than we look. What a command of the text runs
/// in its turn bash reads only then.
fn accepts(analysis: &Analysis) -> Option<bool> {
    let own = || analysis.opaque.iter().filter(|opaque| opaque.by.is_none());
    if own().any(|opaque| opaque.why.cause == Cause::Deep) {
        return None;
    }
    Some(own().all(|opaque| opaque.why.cause != Cause::Syntax))
}

fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}
