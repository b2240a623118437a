//! A pattern, and what is known of its matches before anything is compiled. The build script reads packs with it too.

use regex_syntax::hir::Hir;
use regex_syntax::hir::literal::Extractor;

/// The most groups, repetitions, alternatives and sequences within each other. To compile one takes as many calls within
/// each other, which take a hundred times their number in stack.
pub(crate) const NEST_LIMIT: u32 = 50;

/// The most literals that are looked for before a regex is compiled.
pub(crate) const LITERAL_LIMIT: usize = 16;

/// Parses a pattern whose flags stand inline.
///
/// # Errors
/// The pattern cannot be read, or nests too deep.
pub(crate) fn parse(pattern: &str) -> Result<Hir, Box<regex_syntax::Error>> {
    regex_syntax::ParserBuilder::new().nest_limit(NEST_LIMIT).build().parse(pattern).map_err(Box::new)
}

/// Returns the pattern of a literal `/…/flags`, given what stands between its slashes: its flags inline.
pub(crate) fn inlined(literal: &str, flags: &str) -> String {
    let pattern = if literal.contains("\\/") { literal.replace("\\/", "/") } else { literal.to_owned() };
    if flags.is_empty() { pattern } else { format!("(?{flags}){pattern}") }
}

/// Returns the literals of which every match begins with one, if there are no more than so many and each says something.
pub(crate) fn beginnings(parsed: &Hir, most: usize) -> Vec<String> {
    let mut extractor = Extractor::new();
    extractor.limit_total(most);
    let prefixes = extractor.extract(parsed);
    let literals = prefixes.literals().unwrap_or_default();
    let texts: Vec<String> =
        literals.iter().filter_map(|literal| std::str::from_utf8(literal.as_bytes()).ok().map(str::to_owned)).collect();
    // A literal that is no text, or an empty one, stands for matches that cannot be told from here.
    let tells = texts.len() == literals.len() && texts.iter().all(|text| !text.is_empty());
    if tells { texts } else { Vec::new() }
}
