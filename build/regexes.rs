//! Precomputes facts about the packs' regexes, which `src/ruleset/regex/made.rs` includes.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

#[path = "../src/ruleset/regex/alphabet.rs"]
#[expect(dead_code, reason = "to run an automaton takes more than to make one")]
mod alphabet;
#[path = "../src/ruleset/regex/determinize.rs"]
mod determinize;
#[path = "../src/ruleset/regex/pattern.rs"]
mod pattern;
#[path = "../src/ruleset/regex/size.rs"]
mod size;

#[path = "../src/ruleset/index/atom.rs"]
#[expect(dead_code, reason = "the index asks more of it")]
mod atom;
#[path = "../src/ruleset/index/literals.rs"]
mod literals;

use alphabet::{Automaton, RegexPart};

use crate::packs::{PACKS, Pack};
use crate::token;

/// The sources on which these facts depend.
const SOURCES: &[&str] = &[
    "build",
    "src/limits.rs",
    "src/syntax/example_clauses.rs",
    "src/syntax/token_parts.rs",
    "src/syntax/token.rs",
    "src/ruleset/regex/alphabet.rs",
    "src/ruleset/regex/determinize.rs",
    "src/ruleset/regex/pattern.rs",
    "src/ruleset/regex/size.rs",
    "src/ruleset/index/atom.rs",
    "src/ruleset/index/literals.rs",
];

/// Writes the facts about every regex in the packs.
pub(crate) fn write(out: &Path, packs: &[Pack]) -> io::Result<()> {
    for source in SOURCES.iter().chain([&PACKS]) {
        println!("cargo:rerun-if-changed={source}");
    }
    let mut patterns = BTreeSet::new();
    for Pack { text, .. } in packs {
        let regexes = token::tokenise(text).filter(|token| token.kind == token::TokenKind::Regex);
        patterns.extend(regexes.filter_map(|token| pattern_of_literal(token.text(text))));
    }
    let mut code = String::from("static MADE: &[RegexFacts] = &[\n");
    for pattern in &patterns {
        // An invalid regex is reported when a policy uses it.
        let Ok(parsed) = pattern::parse(pattern) else { continue };
        let size = size::regex_size(&parsed);
        let beginnings = pattern::literal_beginnings(&parsed, pattern::LITERAL_LIMIT);
        let required = literals::required_texts(&parsed).map(|texts| borrowed_texts(&texts));
        // A regex that is too big is compiled on demand.
        let parts = determinize::parts(&parsed).map(|parts| parts.iter().map(part_expression).collect::<String>());
        // Writing to a string does not fail.
        let _written = writeln!(
            code,
            "RegexFacts {{ pattern: {pattern:?}, size: {size}, beginnings: &{beginnings:?}, required: {}, parts: {} }},",
            optional_expression(required),
            optional_expression(parts.map(|parts| format!("&[{parts}]"))),
        );
    }
    code.push_str("];\n");
    fs::write(out.join("regexes.rs"), code)
}

/// Writes an optional expression.
fn optional_expression(written: Option<String>) -> String {
    written.map_or("None".to_owned(), |written| format!("Some({written})"))
}

/// Writes texts as borrowed statics.
fn borrowed_texts<T: std::fmt::Debug>(texts: &[T]) -> String {
    let texts: String = texts.iter().map(|text| format!("Cow::Borrowed({text:?}),")).collect();
    format!("Cow::Borrowed(&[{texts}])")
}

/// Returns the pattern of a literal, as a policy compiles it.
fn pattern_of_literal(literal: &str) -> Option<String> {
    let (pattern, flags) = literal.strip_prefix('/')?.rsplit_once('/')?;
    Some(pattern::inline_flags(pattern, flags))
}

fn part_expression(RegexPart { beginnings, automaton }: &RegexPart) -> String {
    let automaton = automaton.as_ref().map(|automaton| {
        let Automaton { starts, ascii, kinds, classes, states } = automaton;
        format!(
            "Automaton {{ starts: {starts:?}, ascii: {ascii:?}, kinds: {kinds:?}, classes: {classes}, \
             states: Cow::Borrowed(&{states:?}) }}"
        )
    });
    format!(
        "RegexPart {{ beginnings: {}, automaton: {} }},",
        borrowed_texts(beginnings),
        optional_expression(automaton)
    )
}
