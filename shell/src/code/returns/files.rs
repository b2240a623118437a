//! Computes the files that a search in a directory finds.

use super::super::arguments::LibraryCall;
use super::super::evaluate::{Evaluator, NodeRef};
use super::super::library::ArgumentRef;
use super::super::library::returned::FoundFiles;
use super::super::ruby::BLOCK;
use super::super::state::join_paths;
use super::super::value::{CodeValue, DataOrigin};
use super::super::{CodeLanguage, excerpt};
use super::origin_of_all;
use crate::word::{Cause, Unknown, ValueSource, Word, WordPart};

impl Evaluator<'_> {
    /// Returns the files that a search finds, as an unknown number of values.
    pub(super) fn found_files(&mut self, call: LibraryCall<'_>, files: FoundFiles) -> CodeValue {
        match files {
            FoundFiles::Names => CodeValue::several(self.names_in_directory(call)),
            FoundFiles::Below(argument) => CodeValue::several(CodeValue::Path(self.below_argument(call, argument))),
            FoundFiles::Walk(argument) => self.directory_walk(call, argument),
            FoundFiles::Matches(argument, pattern) => {
                let directory = self.directory_or_current(call.argument(argument), call.at);
                CodeValue::several(CodeValue::Path(match call.known(pattern) {
                    Some(pattern) if !pattern.contains("**") => join_paths(&directory, &pattern_word(&pattern)),
                    pattern => self.matching_path(&directory, pattern.as_deref(), call.at),
                }))
            }
            FoundFiles::MatchesBelow(argument, pattern) => {
                let directory = self.directory_or_current(call.argument(argument), call.at);
                CodeValue::several(CodeValue::Path(self.matching_path(
                    &directory,
                    call.known(pattern).as_deref(),
                    call.at,
                )))
            }
            FoundFiles::Glob(argument) => CodeValue::several(self.matches_of(call, argument)),
        }
    }

    /// Returns a name in a directory: an unknown file name, or unknown data if the call has options.
    fn names_in_directory(&self, call: LibraryCall<'_>) -> CodeValue {
        // With options the results may not be plain names.
        match call.given.positional.len() < 2 && call.given.named.iter().all(|(name, _)| **name == *BLOCK) {
            true => self.file_name(call.at),
            false => CodeValue::Data(origin_of_all(call)),
        }
    }

    /// Returns the triples that `os.walk` yields: a directory below the argument, the names of its subdirectories, and
    /// those of its files.
    fn directory_walk(&mut self, call: LibraryCall<'_>, argument: ArgumentRef) -> CodeValue {
        let below = self.below_argument(call, argument);
        let below = match call.argument(argument) {
            Some(CodeValue::Path(_)) => CodeValue::Path(below),
            _ => CodeValue::Text(below, DataOrigin::Computed),
        };
        let names = CodeValue::several(self.file_name(call.at));
        CodeValue::several(self.new_list(vec![below, names.clone(), names]))
    }

    /// Returns a path that matches the glob in an argument. A glob with `**` is a path below the directory before the
    /// `**`.
    fn matches_of(&self, call: LibraryCall<'_>, argument: ArgumentRef) -> CodeValue {
        let Some(pattern) = call.known(argument) else { return CodeValue::COMPUTED };
        let paths = if !pattern.contains("**") && call.given.named_value("root_dir").is_none() {
            let has_braces = self.language != CodeLanguage::Python;
            pattern_word(&if has_braces { without_braces(&pattern) } else { pattern })
        } else {
            let start = pattern.split("**").next().unwrap_or_default();
            let start = Word::text(if start.is_empty() { "." } else { start.trim_end_matches('/') });
            self.matching_path(&start, Some(&pattern), call.at)
        };
        CodeValue::Text(paths, DataOrigin::Computed)
    }

    /// Returns an unknown path below the directory in an argument, or below the working directory if the argument is
    /// missing.
    fn below_argument(&self, call: LibraryCall<'_>, argument: ArgumentRef) -> Word {
        self.path_below(&self.directory_or_current(call.argument(argument), call.at), &self.source(call.at))
    }

    /// Returns the given directory, or the working directory.
    fn directory_or_current(&self, directory: Option<CodeValue>, at: NodeRef) -> Word {
        directory.map_or_else(|| Word::text("."), |directory| self.word(&directory, at))
    }

    /// Returns an unknown path below a directory. It ends in the part of the pattern after the last `**`.
    fn matching_path(&self, directory: &Word, pattern: Option<&str>, at: NodeRef) -> Word {
        let mut word = self.path_below(directory, &self.source(at));
        let ending = pattern.map(|pattern| pattern.rsplit("**").next().unwrap_or_default().trim_start_matches('/'));
        // The end of a pattern with other special characters is unknown.
        let ending = ending.filter(|ending| !ending.contains(['[', '{', '!']));
        pattern_word(ending.unwrap_or_default()).parts.into_iter().for_each(|part| word.push(part));
        word
    }

    /// Returns an unknown file name, without slashes.
    fn file_name(&self, at: NodeRef) -> CodeValue {
        let why = Unknown::with_source(Cause::Glob, excerpt(&self.source(at)), ValueSource::Name);
        CodeValue::Text(Word::unknown(why), DataOrigin::Computed)
    }
}

/// Returns a pattern without braces: `{a}` becomes `a`, and `{a,b}` becomes `*`.
fn without_braces(pattern: &str) -> String {
    let mut expanded = String::new();
    let mut rest = pattern;
    while let Some((before, after_brace)) = rest.split_once('{') {
        let Some((inside, after)) = after_brace.split_once('}') else { break };
        expanded.push_str(before);
        expanded.push_str(if inside.contains([',', '{']) { "*" } else { inside });
        rest = after;
    }
    expanded + rest
}

/// Returns a pattern as a word in which `*`, `?` and classes of characters are globs.
fn pattern_word(pattern: &str) -> Word {
    let mut word = Word::default();
    let mut text = String::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let class = rest.get(2..).and_then(|inside| inside.find(']')).filter(|_| c == '[').map(|end| end + 3);
        let length = class.unwrap_or(c.len_utf8());
        let (part, after_part) = rest.split_at_checked(length).unwrap_or((rest, ""));
        if matches!(c, '*' | '?') || class.is_some() {
            word.push(WordPart::Text(std::mem::take(&mut text)));
            word.push(WordPart::Glob(part.to_owned()));
        } else {
            text.push_str(part);
        }
        rest = after_part;
    }
    word.push(WordPart::Text(text));
    word
}
