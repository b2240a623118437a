//! A pattern, and what is known of its matches without compiling it. The build script uses it for packs too.

use regex_syntax::hir::Hir;
use regex_syntax::hir::literal::Extractor;

/// The maximum nesting depth of groups, repetitions, alternatives and sequences. Compiling recurses as deep, and its
/// stack is a hundred times that number.
pub(crate) const NEST_LIMIT: u32 = 50;

/// The maximum number of literals that are looked for before a regex is compiled.
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

/// Returns literals of which one begins every match, if there are at most `most` and none is empty.
pub(crate) fn literal_beginnings(parsed: &Hir, most: usize) -> Vec<String> {
    let mut extractor = Extractor::new();
    extractor.limit_total(most);
    let prefixes = extractor.extract(parsed);
    let literals = prefixes.literals().unwrap_or_default();
    let texts: Vec<String> =
        literals.iter().filter_map(|literal| std::str::from_utf8(literal.as_bytes()).ok().map(str::to_owned)).collect();
    // A literal that is not UTF-8 or is empty represents matches that are not known here.
    let tells = texts.len() == literals.len() && texts.iter().all(|text| !text.is_empty());
    if tells { texts } else { Vec::new() }
}
