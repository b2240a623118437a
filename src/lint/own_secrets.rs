//! Finds keys and tokens in the text of a policy, which is in a repository and is read by many people.

use std::sync::OnceLock;

use super::FindingSink;
use crate::budget::Budget;
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::LoadedFile;
use crate::packs::pack;
use crate::ruleset::LazyRegex;
use crate::span::{Sources, Span};
use crate::syntax::ast::{Clause, ClauseKind, Item, ItemKind, ValueKind};
use crate::syntax::parse;

/// The pack with a regex that matches keys.
const PACK: &str = "std/secrets";
/// How the line with this regex begins in the pack.
const KEYS: &str = "let keys = ";

/// The minimum length of a word that can be a key, in bytes.
const MIN_KEY_LENGTH: usize = 20;
/// The minimum length of a part of the word that contains a digit: a long name rarely has such a part, but a random key
/// does.
const MIN_KEY_PART_LENGTH: usize = 10;

/// The maximum work for searching one line for a key.
const MAX_WORK: u64 = 1_000_000;

/// Reports keys in the files of a layer, except in examples and tests, whose keys are invented.
pub(super) fn check(files: &[LoadedFile], sources: &Sources, findings: &mut FindingSink) {
    for file in files.iter().filter(|file| file.pack.is_none()) {
        let Some(text) = sources.file_by_id(file.id).map(|source| &source.text) else { continue };
        let mut example_spans_of_file: Option<Vec<Span>> = None;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let word = line.split(|c: char| !is_key_char(c)).find(|word| can_be_key(word));
            if let Some(word) = word.filter(|_| key_regex().is_some_and(|keys| is_key(keys, line))) {
                let word_start = start + line.find(word).unwrap_or_default();
                let span = Span::new(file.id, word_start, word_start + word.len());
                let example_spans_of_file = example_spans_of_file.get_or_insert_with(|| example_spans(file));
                if !example_spans_of_file.iter().any(|example| example.contains(span)) {
                    findings.push(finding(span));
                }
            }
            start += line.len();
        }
    }
}

fn is_key_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.')
}

/// Whether a word may be a key: it is long, and has a long part with a digit.
fn can_be_key(word: &str) -> bool {
    let is_odd = |part: &str| part.len() >= MIN_KEY_PART_LENGTH && part.bytes().any(|byte| byte.is_ascii_digit());
    word.len() >= MIN_KEY_LENGTH && word.split(['-', '_', '.', '+']).any(is_odd)
}

fn is_key(keys: &LazyRegex, line: &str) -> bool {
    keys.is_match(line, &Budget::new(MAX_WORK)).unwrap_or_default()
}

/// Returns the regex that matches keys, from the pack; `None` if the pack lacks it.
fn key_regex() -> Option<&'static LazyRegex> {
    static KNOWN: OnceLock<Option<LazyRegex>> = OnceLock::new();
    let read = || {
        let line = pack(PACK)?.lines().find(|line| line.starts_with(KEYS))?;
        let mut scratch = Sources::default();
        let id = scratch.add("", None, format!("{line}\n"));
        let item = parse(scratch.file_by_id(id)?).0.items.into_iter().next()?;
        let ItemKind::Let(it) = item.kind else { return None };
        let ValueKind::Regex(regex) = it.value.kind else { return None };
        LazyRegex::parse(LazyRegex::inline_flags(&regex.pattern, &regex.flags)).ok().map(|(regex, _)| regex)
    };
    KNOWN.get_or_init(read).as_ref()
}

/// Returns the spans of the examples and tests of a file.
fn example_spans(file: &LoadedFile) -> Vec<Span> {
    let spans_of_item = |item: &Item| match &item.kind {
        ItemKind::Test(_) => vec![item.span],
        ItemKind::Rule(rule) => {
            let is_example = |clause: &&Clause| matches!(clause.kind, ClauseKind::Examples(..));
            rule.clauses.iter().filter(is_example).map(|clause| clause.span).collect()
        }
        _ => Vec::new(),
    };
    file.ast.items.iter().flat_map(spans_of_item).collect()
}

fn finding(span: Span) -> Diagnostic {
    Diagnostic::new(Code::SECRET_IN_POLICY, "a key in a policy")
        .label(span, "whoever reads the policy has it")
        .help("take it from the environment: `env.NAME` in a condition, `$NAME` in a command; and replace the key")
}
