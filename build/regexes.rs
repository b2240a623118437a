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

use alphabet::{Automaton, Part};

use crate::packs::{PACKS, Pack};
use crate::token;

/// The sources on which these facts depend.
const SOURCES: &[&str] = &[
    "build",
    "src/limits.rs",
    "src/syntax/claims.rs",
    "src/syntax/parts.rs",
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
        let regexes = token::tokens(text).filter(|token| token.kind == token::Kind::Regex);
        patterns.extend(regexes.filter_map(|token| inlined(token.text(text))));
    }
    let mut code = String::from("static MADE: &[Made] = &[\n");
    for pattern in &patterns {
        // An invalid regex is reported when a policy uses it.
        let Ok(parsed) = pattern::parse(pattern) else { continue };
        let size = size::regex_size(&parsed);
        let beginnings = pattern::beginnings(&parsed, pattern::LITERAL_LIMIT);
        let required = literals::required(&parsed).map(|texts| borrowed(&texts));
        // A regex that is too big is compiled on demand.
        let parts = determinize::parts(&parsed).map(|parts| parts.iter().map(written).collect::<String>());
        // Writing to a string does not fail.
        let _written = writeln!(
            code,
            "Made {{ pattern: {pattern:?}, size: {size}, beginnings: &{beginnings:?}, required: {}, parts: {} }},",
            optional(required),
            optional(parts.map(|parts| format!("&[{parts}]"))),
        );
    }
    code.push_str("];\n");
    fs::write(out.join("regexes.rs"), code)
}

/// Writes an optional expression.
fn optional(written: Option<String>) -> String {
    written.map_or("None".to_owned(), |written| format!("Some({written})"))
}

/// Writes texts as borrowed statics.
fn borrowed<T: std::fmt::Debug>(texts: &[T]) -> String {
    let texts: String = texts.iter().map(|text| format!("Cow::Borrowed({text:?}),")).collect();
    format!("Cow::Borrowed(&[{texts}])")
}

/// Returns the pattern of a literal, as a policy compiles it.
fn inlined(literal: &str) -> Option<String> {
    let (pattern, flags) = literal.strip_prefix('/')?.rsplit_once('/')?;
    Some(pattern::inlined(pattern, flags))
}

fn written(Part { beginnings, automaton }: &Part) -> String {
    let automaton = automaton.as_ref().map(|automaton| {
        let Automaton { starts, ascii, kinds, classes, states } = automaton;
        format!(
            "Automaton {{ starts: {starts:?}, ascii: {ascii:?}, kinds: {kinds:?}, classes: {classes}, \
             states: Cow::Borrowed(&{states:?}) }}"
        )
    });
    format!("Part {{ beginnings: {}, automaton: {} }},", borrowed(beginnings), optional(automaton))
}
