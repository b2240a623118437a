//! Makes the automata of the regexes in the packs, which `src/ruleset/regex/automaton.rs` includes.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

#[path = "../src/syntax/token.rs"]
#[expect(dead_code, reason = "the parser's diagnoses ask more of it")]
mod token;

#[path = "../src/ruleset/regex/alphabet.rs"]
#[expect(dead_code, reason = "to run an automaton takes more than to make one")]
mod alphabet;
#[path = "../src/ruleset/regex/determinize.rs"]
mod determinize;

use determinize::{PartPlan, Plan, parts};

/// Where the packs are, and what makes the automata of their regexes.
const PACKS: &str = "rules/std";
const SOURCES: &[&str] =
    &["build", "src/syntax/token.rs", "src/ruleset/regex/alphabet.rs", "src/ruleset/regex/determinize.rs"];

/// Writes the automata of every regex that the packs have.
pub(crate) fn write(out: &Path) -> io::Result<()> {
    for source in SOURCES.iter().chain([&PACKS]) {
        println!("cargo:rerun-if-changed={source}");
    }
    let mut patterns = BTreeSet::new();
    for pack in fs::read_dir(PACKS)? {
        let text = fs::read_to_string(pack?.path())?;
        let regexes = token::tokens(&text).filter(|token| token.kind == token::Kind::Regex);
        patterns.extend(regexes.filter_map(|token| pattern(token.text(&text))));
    }
    let mut code = String::from("static MADE: &[Made] = &[\n");
    for pattern in &patterns {
        // One that is too big is compiled where it is asked for.
        if let Some(plans) = parts(pattern) {
            // Writing to a string does not fail.
            let _written = writeln!(code, "({pattern:?}, &[{}]),", plans.iter().map(written).collect::<String>());
        }
    }
    code.push_str("];\n");
    fs::write(out.join("automata.rs"), code)
}

/// Returns the pattern of a literal `/…/flags`, its flags inline, as a policy is compiled with it.
fn pattern(literal: &str) -> Option<String> {
    let (pattern, flags) = literal.strip_prefix('/')?.rsplit_once('/')?;
    let pattern = pattern.replace("\\/", "/");
    Some(if flags.is_empty() { pattern } else { format!("(?{flags}){pattern}") })
}

fn written(PartPlan { beginnings, automaton }: &PartPlan) -> String {
    let automaton = automaton.as_ref().map_or("None".to_owned(), |Plan { starts, ascii, kinds, classes, states }| {
        format!(
            "Some(Automaton {{ starts: {starts:?}, ascii: {ascii:?}, kinds: {kinds:?}, classes: {classes}, \
             states: &{states:?} }})"
        )
    });
    format!("Part {{ beginnings: &{beginnings:?}, automaton: {automaton} }},")
}
