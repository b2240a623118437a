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
#[path = "../src/ruleset/regex/pattern.rs"]
mod pattern;

use alphabet::{Automaton, Part};

/// Where the packs are, and what makes the automata of their regexes.
const PACKS: &str = "rules/std";
const SOURCES: &[&str] = &[
    "build",
    "src/syntax/token.rs",
    "src/ruleset/regex/alphabet.rs",
    "src/ruleset/regex/determinize.rs",
    "src/ruleset/regex/pattern.rs",
];

/// Writes the automata of every regex that the packs have.
pub(crate) fn write(out: &Path) -> io::Result<()> {
    for source in SOURCES.iter().chain([&PACKS]) {
        println!("cargo:rerun-if-changed={source}");
    }
    let mut patterns = BTreeSet::new();
    for pack in fs::read_dir(PACKS)? {
        let text = fs::read_to_string(pack?.path())?;
        let regexes = token::tokens(&text).filter(|token| token.kind == token::Kind::Regex);
        patterns.extend(regexes.filter_map(|token| inlined(token.text(&text))));
    }
    let mut code = String::from("static MADE: &[Made] = &[\n");
    for pattern in &patterns {
        // One that is too big is compiled where it is asked for.
        if let Some(parts) = determinize::parts(pattern) {
            // Writing to a string does not fail.
            let _written = writeln!(code, "({pattern:?}, &[{}]),", parts.iter().map(written).collect::<String>());
        }
    }
    code.push_str("];\n");
    fs::write(out.join("automata.rs"), code)
}

/// Returns the pattern of a literal, as a policy is compiled with it.
fn inlined(literal: &str) -> Option<String> {
    let (pattern, flags) = literal.strip_prefix('/')?.rsplit_once('/')?;
    Some(pattern::inlined(pattern, flags))
}

fn written(Part { beginnings, automaton }: &Part) -> String {
    let beginnings: String = beginnings.iter().map(|text| format!("Cow::Borrowed({text:?}),")).collect();
    let automaton = automaton.as_ref().map_or("None".to_owned(), |automaton| {
        let Automaton { starts, ascii, kinds, classes, states } = automaton;
        format!(
            "Some(Automaton {{ starts: {starts:?}, ascii: {ascii:?}, kinds: {kinds:?}, classes: {classes}, \
             states: Cow::Borrowed(&{states:?}) }})"
        )
    });
    format!("Part {{ beginnings: Cow::Borrowed(&[{beginnings}]), automaton: {automaton} }},")
}
