//! Lists of globs, on paths and on other strings. The last entry that matches decides; an entry with `!` excludes.

mod entry;
mod last_name;
mod table;

use super::drives::begins_with_own_drive;
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use globset::GlobBuilder;

use super::braces::{MAX_BRACES, MAX_BYTES, alternatives, are_paired, brace_depth, expand};
use super::shape::{PathShape, Possibility};
use super::wild::{CompiledGlobs, GlobId};
use super::{NameCase, RequiredPart, Roots};
use crate::bytes::{ByteReader, encode_count, encode_pair, encode_text};
pub(super) use entry::GlobEntry;
use entry::{PathNames, PathQuery};
pub use last_name::LastNames;
pub(super) use table::{EntryEffect, GlobTable};

/// A problem with a list of globs.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PatternError {
    /// The index of the invalid entry; 0 for a problem of the whole list.
    pub index: usize,
    /// The kind of problem.
    pub problem: PatternProblem,
    /// A description, as a lowercase fragment.
    pub message: String,
}

/// The kind of a problem with a list of globs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternProblem {
    /// An entry is invalid.
    Syntax,
    /// Every entry excludes, so that nothing can match.
    ExclusionsOnly,
    /// The list has no entry.
    Empty,
}

/// A compiled list of globs on paths.
#[derive(Clone, Default)]
pub struct PathGlobs {
    /// The globs as written.
    written: SourceGlobs,
    /// The compiled globs.
    exact: GlobTable,
    /// The compiled globs for case-insensitive comparison, computed when they are first needed.
    folded: OnceLock<GlobTable>,
}

/// The globs of a list as written, concatenated.
#[derive(Clone, PartialEq, Eq, Default)]
struct SourceGlobs {
    text: String,
    /// The end of each glob in the text.
    ends: Vec<usize>,
}

/// The number of bytes of a glob that [`PathGlobs::weight`] counts as one more name.
const LONG_NAME: usize = 32;

impl PathGlobs {
    /// Compiles a list of globs.
    ///
    /// # Errors
    /// An entry is invalid, all entries exclude, or the list is empty.
    pub fn new(patterns: &[String]) -> Result<Self, PatternError> {
        Self::in_directories(patterns, &[])
    }

    /// Compiles a list of globs. A relative glob, such as `src/**`, is relative to the directory with the same index:
    /// to the parent of the project for `../`, or to an absolute path with a `/` at its end. Without a directory, it is
    /// relative to the project.
    ///
    /// # Errors
    /// The same as for [`PathGlobs::new`].
    pub fn in_directories(patterns: &[String], directories: &[String]) -> Result<Self, PatternError> {
        check(patterns)?;
        let directories: Vec<String> = directories.iter().map(|directory| escape_glob(directory)).collect();
        let mut exact = GlobTable::default();
        compile_each(patterns, |index, effect, glob| match directories.get(index) {
            Some(directory) if !directory.is_empty() && is_relative(glob) => {
                exact.add(effect, &format!("{directory}{glob}"))
            }
            _ => exact.add(effect, glob),
        })?;
        Ok(Self { written: SourceGlobs::new(patterns), exact, folded: OnceLock::new() })
    }

    /// Returns the globs in the source.
    pub fn patterns(&self) -> impl ExactSizeIterator<Item = &str> {
        self.written.patterns()
    }

    /// Appends the list, encoded as bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        self.written.encode(out);
        self.exact.encode(out);
    }

    /// Decodes a list from exactly these bytes; `None` if they are malformed.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let input = &mut ByteReader::new(bytes);
        let (written, exact) = (SourceGlobs::decode(input)?, GlobTable::decode(input)?);
        input.is_empty().then(|| Self { written, exact, folded: OnceLock::new() })
    }

    /// Whether the list includes a path, which must be normalised.
    #[must_use]
    pub fn matches(&self, path: &Path, roots: &Roots, case: NameCase) -> bool {
        let names = PathNames::new(path, case);
        let query = names.query(roots);
        let decides = |entry: &GlobEntry<'_>| entry.matches(&query);
        self.entries(case).rev().find(decides).is_some_and(|entry| !entry.excludes)
    }

    /// Whether the list could include a file at or below a directory, whose path must be normalised.
    ///
    /// `false` is certain: no glob can match there, whatever files exist, or a later `!D/**` excludes the whole
    /// directory. `D/**` counts as matching D itself here.
    #[must_use]
    pub fn may_match_below(&self, dir: &Path, roots: &Roots, case: NameCase) -> bool {
        self.has_below(dir, roots, case, |entry, query| entry.may_reach(query))
    }

    /// Whether `may_include` holds for an entry that includes, and no later entry excludes everything below the
    /// directory.
    fn has_below(
        &self,
        dir: &Path,
        roots: &Roots,
        case: NameCase,
        may_include: impl Fn(&GlobEntry<'_>, &PathQuery<'_>) -> bool,
    ) -> bool {
        let names = PathNames::new(dir, case);
        let query = names.query(roots);
        for entry in self.entries(case).rev() {
            if entry.excludes {
                if entry.matches_all_below(&query) {
                    return false;
                }
            } else if may_include(&entry, &query) {
                return true;
            }
        }
        false
    }

    /// Returns the required parts of each alternative that includes, which a path must contain for the alternative to
    /// match it: `.env` for `**/.env`.
    #[must_use]
    pub fn required(&self) -> Vec<Vec<RequiredPart<'_>>> {
        self.entries(NameCase::Exact).filter(|entry| !entry.excludes).map(|entry| entry.required_parts()).collect()
    }

    /// Whether the list refers to a path at or below a directory even if no file exists there, because a glob leads
    /// there without `**` or matches the whole directory. A glob such as `**/x` only refers to files that exist.
    #[must_use]
    pub fn has_named_below(&self, dir: &Path, roots: &Roots, case: NameCase) -> bool {
        self.has_below(dir, roots, case, |entry, query| entry.leads_to(query))
    }

    /// Whether the list includes everything below a directory, whose path must be normalised.
    #[must_use]
    pub fn matches_all_below(&self, dir: &Path, roots: &Roots, case: NameCase) -> bool {
        let names = PathNames::new(dir, case);
        let query = names.query(roots);
        self.entries(case).rev().find(|entry| entry.matches_all_below(&query)).is_some_and(|entry| !entry.excludes)
    }

    /// Returns the cost of comparing a path with the list: roughly the number of names that it is compared with.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.written.lengths().map(|length| 1 + length / LONG_NAME).sum()
    }

    /// Tests whether the list includes the paths of a shape. Adds the number of comparisons to `steps`.
    #[must_use]
    pub fn test_shape(&self, shape: &PathShape, roots: &Roots, case: NameCase, steps: &mut usize) -> Possibility {
        let shape = shape.folded_segments(case);
        // Whether a later entry may decide for some of the paths, so that an earlier one cannot decide for all of them.
        let mut is_undecided = false;
        let mut may_match = false;
        for entry in self.entries(case).rev() {
            match (entry.test_shape(&shape, roots, case, steps), entry.excludes) {
                (Possibility::Never, _) => {}
                (Possibility::Always, true) if may_match => return Possibility::Perhaps,
                (Possibility::Always, true) => return Possibility::Never,
                (Possibility::Always, false) if is_undecided => return Possibility::Perhaps,
                (Possibility::Always, false) => return Possibility::Always,
                (Possibility::Perhaps, excludes) => {
                    is_undecided = true;
                    may_match |= !excludes;
                }
            }
        }
        if may_match { Possibility::Perhaps } else { Possibility::Never }
    }

    /// Returns the compiled alternatives, for comparison by `case`.
    fn entries(&self, case: NameCase) -> impl DoubleEndedIterator<Item = GlobEntry<'_>> {
        let table = match case {
            NameCase::Exact => &self.exact,
            NameCase::Folded => self.folded.get_or_init(|| self.exact.fold_case()),
        };
        table.entries()
    }
}

impl SourceGlobs {
    /// Joins the globs of a list.
    fn new(patterns: &[String]) -> Self {
        let mut end = 0;
        let ends = patterns.iter().map(|pattern| {
            end += pattern.len();
            end
        });
        Self { ends: ends.collect(), text: patterns.concat() }
    }

    /// Returns the globs, in order.
    fn patterns(&self) -> impl ExactSizeIterator<Item = &str> {
        let start =
            |number: usize| number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.iter().enumerate().map(move |(number, end)| self.text.get(start(number)..*end).unwrap_or_default())
    }

    /// Returns the length of each glob.
    fn lengths(&self) -> impl Iterator<Item = usize> {
        let mut start = 0;
        self.ends.iter().map(move |end| end.saturating_sub(std::mem::replace(&mut start, *end)))
    }

    /// Appends the globs, encoded as bytes.
    fn encode(&self, out: &mut Vec<u8>) {
        encode_text(&self.text, out);
        encode_count(self.ends.len(), out);
        self.patterns().for_each(|pattern| encode_pair(pattern.len(), out));
    }

    /// Decodes globs; `None` if the bytes are malformed.
    fn decode(input: &mut ByteReader<'_>) -> Option<Self> {
        let text = input.text()?.to_owned();
        let count = input.count()?;
        let mut end = 0;
        let lengths = input.pairs(count)?.iter().map(|length| usize::from(u16::from_le_bytes(*length)));
        let ends: Vec<usize> = lengths
            .map(|length| {
                end += length;
                end
            })
            .collect();
        let is_sound = end == text.len() && ends.iter().all(|end| text.is_char_boundary(*end));
        is_sound.then_some(Self { text, ends })
    }
}

/// Whether a glob without braces is relative to the project. A glob without a slash is not: it matches at any depth.
fn is_relative(glob: &str) -> bool {
    glob.contains('/') && !glob.starts_with(['/', '~']) && !glob.starts_with("**/") && !begins_with_own_drive(glob)
}

/// Returns a glob that matches only `text`. It may be a part of a longer glob, even at its start or in its braces.
#[must_use]
pub fn escape_glob(text: &str) -> String {
    let mut glob = String::with_capacity(text.len());
    for character in text.chars() {
        if "*?[]{},\\!~$:".contains(character) {
            glob.push('\\');
        }
        glob.push(character);
    }
    glob
}

impl fmt::Debug for PathGlobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.patterns()).finish()
    }
}

/// Returns the compiled globs as bytes, which differ for lists that are relative to different directories.
fn encoded_table(table: &GlobTable) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.encode(&mut bytes);
    bytes
}

impl PartialEq for PathGlobs {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written && encoded_table(&self.exact) == encoded_table(&other.exact)
    }
}

impl Eq for PathGlobs {}

/// A list of globs on strings other than paths: `*` and `?` match any character, and case matters.
#[derive(Clone, Default)]
pub struct TextGlobs {
    written: SourceGlobs,
    /// The compiled alternatives, to which `entries` refer.
    wilds: CompiledGlobs,
    /// The alternatives of all globs in order, each with whether it excludes.
    entries: Vec<(bool, GlobId)>,
}

impl TextGlobs {
    /// Compiles a list of globs.
    ///
    /// # Errors
    /// The same as for [`PathGlobs::new`].
    pub fn new(patterns: &[String]) -> Result<Self, PatternError> {
        check(patterns)?;
        let (mut wilds, mut entries) = (CompiledGlobs::default(), Vec::with_capacity(patterns.len()));
        compile_each(patterns, |_, effect, glob| {
            entries.push((effect == EntryEffect::Excludes, wilds.add(glob)?));
            Ok(())
        })?;
        Ok(Self { written: SourceGlobs::new(patterns), wilds, entries })
    }

    /// Returns the globs in the source.
    pub fn patterns(&self) -> impl ExactSizeIterator<Item = &str> {
        self.written.patterns()
    }

    /// Appends the list, encoded as bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        self.written.encode(out);
        let wilds = || self.entries.iter().map(|(_, wild)| self.wilds.get(*wild));
        CompiledGlobs::encode_globs(wilds(), out);
        encode_count(self.entries.len(), out);
        for ((excludes, _), wild) in self.entries.iter().zip(wilds()) {
            encode_pair(wild.len() << 1 | usize::from(*excludes), out);
        }
    }

    /// Decodes a list from exactly these bytes; `None` if they are malformed.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let input = &mut ByteReader::new(bytes);
        let (written, wilds) = (SourceGlobs::decode(input)?, CompiledGlobs::decode_globs(input)?);
        let count = input.count()?;
        let mut parts = 0;
        let entry = |head: &[u8; 2]| {
            let head = usize::from(u16::from_le_bytes(*head));
            (head & 1 == 1, GlobId::next_range(&mut parts, head >> 1))
        };
        let entries = input.pairs(count)?.iter().map(entry).collect();
        if !wilds.has_part_count(parts) {
            return None;
        }
        input.is_empty().then_some(Self { written, wilds, entries })
    }

    /// Returns the alternatives of all globs in order, each with whether it excludes.
    pub fn alternatives(&self) -> impl Iterator<Item = (bool, String)> {
        self.patterns().flat_map(|pattern| {
            let (excludes, glob) = split_exclusion(pattern);
            // INVARIANT: the patterns were checked, so expanding them does not fail.
            expand(glob).unwrap_or_default().into_iter().map(move |glob| (excludes, glob))
        })
    }

    /// Whether the list includes a string.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        let decides = |(_, wild): &&(bool, GlobId)| self.wilds.get(*wild).matches(text);
        self.entries.iter().rev().find(decides).is_some_and(|(excludes, _)| !excludes)
    }
}

impl fmt::Debug for TextGlobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.patterns()).finish()
    }
}

impl PartialEq for TextGlobs {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

impl Eq for TextGlobs {}

/// Whether a glob from elsewhere than a policy, such as one in a command, is small enough to be compiled.
#[must_use]
pub fn is_small_enough(glob: &str) -> bool {
    glob.len() <= MAX_BYTES / 4 && brace_depth(glob) <= MAX_BRACES
}

/// The bytes of a glob that cost as much as one part.
const BYTES_OF_A_PART: u64 = 8;

/// Returns the cost of compiling a glob, as a number of parts: two for each alternative of its braces, and more for a
/// long glob.
#[must_use]
pub fn glob_parts(glob: &str) -> u64 {
    let length = u64::try_from(glob.len()).unwrap_or(u64::MAX);
    alternatives(glob).saturating_mul(2 + length / BYTES_OF_A_PART)
}

/// Checks a list of globs, on paths or on other strings: each glob is valid, and at least one includes.
fn check(patterns: &[String]) -> Result<(), PatternError> {
    let error = |index, problem, message: String| Err(PatternError { index, problem, message });
    if patterns.is_empty() {
        return error(0, PatternProblem::Empty, "an empty list matches nothing".to_owned());
    }
    for (index, pattern) in patterns.iter().enumerate() {
        let glob = split_exclusion(pattern).1;
        if glob.is_empty() {
            return error(index, PatternProblem::Syntax, "an empty glob matches nothing".to_owned());
        }
        if glob.len() > MAX_BYTES {
            return error(index, PatternProblem::Syntax, format!("longer than {MAX_BYTES} bytes"));
        }
        // A glob of names, `*`, `?` and `/` cannot be wrong, and most globs consist of nothing else.
        if !glob.contains(['[', ']', '{', '}', '\\']) {
            continue;
        }
        if brace_depth(glob) > MAX_BRACES {
            return error(index, PatternProblem::Syntax, format!("more than {MAX_BRACES} `{{` within each other"));
        }
        // With braces but without brackets and backslashes, only an unbalanced brace can be invalid. Globset is slow,
        // since it makes a regex of each glob, so it is not used here.
        if !glob.contains(['[', ']', '\\']) && are_paired(glob) {
            continue;
        }
        // The syntax is that of globset, which authors know, and so are its error messages.
        // On Windows, globset takes a backslash for a separator unless it is told what it is here.
        let built =
            GlobBuilder::new(glob).literal_separator(true).empty_alternates(true).backslash_escape(true).build();
        if let Err(refusal) = built {
            return error(index, PatternProblem::Syntax, refusal.kind().to_string());
        }
    }
    if patterns.iter().all(|pattern| split_exclusion(pattern).0) {
        return error(0, PatternProblem::ExclusionsOnly, "a list that only excludes matches nothing".to_owned());
    }
    Ok(())
}

/// Splits the leading `!` from a glob: returns whether there is one, so that the glob excludes, and the glob without
/// it.
fn split_exclusion(pattern: &str) -> (bool, &str) {
    pattern.strip_prefix('!').map_or((false, pattern), |glob| (true, glob))
}

/// Calls `add` for each alternative of each glob, with the index of the glob, whether it includes or excludes, and the
/// alternative.
fn compile_each(
    patterns: &[String],
    mut add: impl FnMut(usize, EntryEffect, &str) -> Result<(), String>,
) -> Result<(), PatternError> {
    for (index, pattern) in patterns.iter().enumerate() {
        let syntax = |message| PatternError { index, problem: PatternProblem::Syntax, message };
        let (excludes, glob) = split_exclusion(pattern);
        let effect = if excludes { EntryEffect::Excludes } else { EntryEffect::Includes };
        if glob.contains(['{', '}']) {
            expand(glob).map_err(syntax)?.iter().try_for_each(|glob| add(index, effect, glob)).map_err(syntax)?;
        } else {
            add(index, effect, glob).map_err(syntax)?;
        }
    }
    Ok(())
}
