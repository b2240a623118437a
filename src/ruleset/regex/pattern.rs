//! Parses the pattern of a regex, and finds the literals at the beginning of its matches. The build script also uses
//! this for packs.

use regex_syntax::hir::Hir;
use regex_syntax::hir::literal::Extractor;

/// The maximum nesting depth of groups, repetitions, alternatives and sequences. Compilation recurses as deeply; the
/// worst regex of this depth needs 700 KiB of stack.
pub(crate) const NEST_LIMIT: u32 = 50;

/// The maximum number of literals that a text is searched for before a regex is compiled.
pub(crate) const LITERAL_LIMIT: usize = 16;

/// Parses a pattern with inline flags.
///
/// # Errors
/// The pattern is invalid, or nested too deeply.
pub(crate) fn parse(pattern: &str) -> Result<Hir, Box<regex_syntax::Error>> {
    regex_syntax::ParserBuilder::new().nest_limit(NEST_LIMIT).build().parse(pattern).map_err(Box::new)
}

/// Returns the pattern of a literal `/…/flags` with its flags inline, given the text between the slashes.
pub(crate) fn inline_flags(literal: &str, flags: &str) -> String {
    let pattern = if literal.contains("\\/") { literal.replace("\\/", "/") } else { literal.to_owned() };
    if flags.is_empty() { pattern } else { format!("(?{flags}){pattern}") }
}

/// Returns literals such that every match begins with one of them; empty if there are more than `most`, or some match
/// may begin differently.
pub(crate) fn literal_beginnings(parsed: &Hir, most: usize) -> Vec<String> {
    let mut extractor = Extractor::new();
    extractor.limit_total(most);
    let prefixes = extractor.extract(parsed);
    let literals = prefixes.literals().unwrap_or_default();
    let texts: Vec<String> =
        literals.iter().filter_map(|literal| std::str::from_utf8(literal.as_bytes()).ok().map(str::to_owned)).collect();
    // The extractor found matches with another beginning if a literal is empty, or is not UTF-8 (a part of a
    // character).
    let are_complete = texts.len() == literals.len() && texts.iter().all(|text| !text.is_empty());
    if are_complete { texts } else { Vec::new() }
}
