//! Compares the analysis of shell text with bash itself and with another parser: which texts are valid, and which
//! simple commands they have; none of these texts is run. In addition, has shells execute its own texts among fakes,
//! and compares what they run.
//!
//! Prints the differences, and fails if one is not known, or if a known one no longer occurs. With `COUNT SEED` as
//! arguments it tries other random texts; `executed` only executes texts, `executed NAME` only those of one file;
//! `effects` only compares the effects of texts on files and the network, `effects NAME` for one file, and
//! `effects TEXT` shows those of one text; any other argument is one text to show.

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
use hookrules_shell::word::Cause;
use hookrules_shell::{Analysis, StartDirectories, analyse};
use known::{Against, KNOWN};

/// The default number and seed of random texts.
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

/// Shows how everyone interprets one text.
fn show(text: &str) -> io::Result<usize> {
    let analysis = analysis(text);
    for command in &analysis.commands {
        let words: Vec<String> = command.words.iter().map(hookrules_shell::Word::display_text).collect();
        say(&format!("we see {words:?} at {:?} by {:?}", command.span, command.outer_commands));
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

/// Analyses a text like a hook.
fn analysis(text: &str) -> Analysis {
    analyse(text, &StartDirectories { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) })
}

/// Returns the number of unexpected differences, and of expected ones that do not occur.
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

/// Compares the effects of executed texts with what a policy knows of them.
#[cfg(target_os = "linux")]
fn compare_effects(text: Option<&str>) -> io::Result<usize> {
    match text {
        Some(text) => effects::show(text),
        None => effects::compare(),
    }
}

/// Other systems cannot report which files a text reads.
#[cfg(not(target_os = "linux"))]
fn compare_effects(_: Option<&str>) -> io::Result<usize> {
    say("this is no Linux: what texts do to files and the network is not compared");
    Ok(0)
}

/// Compares our interpretation of a text with those of the others.
fn differences(text: &str, bash: Option<&Bash>, compared: &mut usize) -> io::Result<Vec<(Against, String)>> {
    let mut found = Vec::new();
    let analysis = analysis(text);
    // An argument cannot contain NUL.
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

/// Whether we accept a text as bash; `None` if it is nested deeper than the analysis goes. Texts that a command of the
/// text runs are not considered, because bash only parses them at that point.
fn accepts(analysis: &Analysis) -> Option<bool> {
    let own = || analysis.opaque.iter().filter(|opaque| opaque.runner.is_none());
    if own().any(|opaque| opaque.reason.cause == Cause::TooDeep) {
        return None;
    }
    Some(own().all(|opaque| opaque.reason.cause != Cause::Syntax))
}

fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}
