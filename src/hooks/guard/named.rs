//! Finds guarded files that the input of a tool outside the schema names, in whatever member.
//!
//! The whole input is searched, and every step is charged to the budget. If the budget does not suffice,
//! [`Machine::complete_lookup`](crate::context::Machine::complete_lookup) returns the reason, and the guard asks.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value as Json;

use crate::context::{Context, PathForm};
use crate::eval::{self, CheckedFiles, TouchExtent};
use crate::schema::tool_spec;
use crate::types::Payload;

use super::files::{GuardedFiles, NAMES};
use super::{mentions, tool_name_words};
use crate::host::settings_directories;

/// The members that usually hold the content of a file. A list of paths in such a member is not searched: it may be a
/// `.gitignore`.
const CONTENT_MEMBERS: &[&str] = &["content", "text", "new_text", "old_string", "new_string", "body", "data"];

/// The members that usually hold text for people.
const PROSE_MEMBERS: &[&str] = &[
    "title",
    "subject",
    "message",
    "comment",
    "description",
    "summary",
    "query",
    "question",
    "answer",
    "prompt",
    "note",
    "notes",
    "reason",
    "explanation",
    "thought",
    "instructions",
    "feedback",
    "commit_message",
    "caption",
];

/// The members that usually hold code or arguments, in which any word may be a path.
const CODE_MEMBERS: &[&str] = &[
    "args",
    "arguments",
    "argv",
    "code",
    "source",
    "script",
    "snippet",
    "function",
    "expression",
    "stdin",
    "program",
    "python",
    "javascript",
    "js",
];

/// The words in the name of a tool whose texts are for people, so that no program acts on a path in them:
/// `post_comment`.
const PEOPLE_TOOL_WORDS: &[&str] = &[
    "comment",
    "comments",
    "issue",
    "issues",
    "message",
    "messages",
    "post",
    "reply",
    "send",
    "mail",
    "email",
    "ticket",
    "search",
    "query",
    "ask",
    "notify",
    "notification",
    "thought",
    "thinking",
    "think",
    "discussion",
    "review",
    "chat",
    "note",
    "notes",
    "memory",
    "remember",
    "todo",
    "pull",
    "draft",
];
/// The words in a tool's name that outweigh [`PEOPLE_TOOL_WORDS`]: the tool may act on files as well.
const ACTING_TOOL_WORDS: &[&str] = &[
    "write", "edit", "file", "files", "run", "exec", "execute", "patch", "apply", "replace", "delete", "remove",
    "move", "rename", "shell", "command", "script", "code", "save", "upload",
];

/// The longest path that the system opens, in bytes.
const MAX_PATH_BYTES: usize = 4096;

/// The units of work that are charged for one value of the input.
const WORK_PER_VALUE: u64 = 2;

/// Finding the paths in a text is charged like this many passes over it.
const TIMES_READ: usize = 3;
/// Parsing a text as JSON is charged like this many passes over it.
const TIMES_PARSED: usize = 8;
/// The quick test whether a path may be guarded is charged like this many passes over it.
const TIMES_FILTERED: usize = 4;
/// Determining which guarded file a path means is charged like this many passes over it.
const TIMES_TESTED: usize = 64;

/// The beginnings of the lines of a patch that name a changed file: in unified and context diffs, in git's extended
/// headers, and in the input of `apply_patch`.
const PATCH_HEADERS: &[&str] = &[
    "--- ",
    "+++ ",
    "*** ",
    "Index: ",
    "diff --git ",
    "rename from ",
    "rename to ",
    "copy to ",
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
];

/// Returns the first guarded file that the call of a tool outside the schema names: the index of its kind, and its path
/// for display. `None` if there is none, and for tools in the schema.
///
/// A text names a file if it is a path itself, a list of paths, a patch whose headers have the path, JSON with such a
/// text, or if it contains the path as a delimited piece (see `mentions`). Pieces are ignored if the tool or the member
/// is for people, or if the text is the content of a file that the call names. Values that a record of the tool
/// declares as content are skipped.
pub(super) fn find(payload: &Payload, context: &Context<'_>, files: &GuardedFiles<'_>) -> Option<(usize, String)> {
    payload.tool_name().filter(|name| tool_spec(name).is_none())?;
    let contents = context.call().recorded_contents();
    let words = payload.tool_name().map(tool_name_words).unwrap_or_default();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let is_for_people = has(PEOPLE_TOOL_WORDS) && !has(ACTING_TOOL_WORDS);
    let names_files = !context.call().input_paths().is_empty();
    let mut search = GuardedFileSearch { context, files, contents, is_for_people, names_files, seen: BTreeSet::new() };
    let mut texts = Vec::new();
    if let Some(found) = search.find_in_value(payload.tool_input()?, &mut texts) {
        return Some(found);
    }
    // A text inside another one is shorter, so the loop ends.
    while let Some(text) = texts.pop() {
        context.machine().charge_text(text.len(), TIMES_PARSED).ok()?;
        // A text may have several JSON values, one after the other.
        let values = serde_json::Deserializer::from_str(&text).into_iter::<Json>();
        for value in values.map_while(Result::ok) {
            if let Some(found) = search.find_in_value(&value, &mut texts) {
                return Some(found);
            }
        }
    }
    None
}

/// A search for guarded files in the input of one call.
struct GuardedFileSearch<'s> {
    context: &'s Context<'s>,
    files: &'s GuardedFiles<'s>,
    /// The values that records of the tool declare as content.
    contents: Vec<&'s Json>,
    /// Whether the tool's texts are for people.
    is_for_people: bool,
    /// Whether the call has members that name files; its content members then hold the text of those files.
    names_files: bool,
    /// The paths that were tested already.
    seen: BTreeSet<String>,
}

/// What the texts in a member are, judging by its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MemberMeaning {
    /// The texts may be the content of a file.
    Content,
    /// The texts are for people.
    Prose,
    /// The texts are code, or arguments.
    Code,
    /// The name of the member shows nothing about its texts.
    Anything,
}

impl GuardedFileSearch<'_> {
    /// Returns the first guarded file that a value names. Adds the texts in the value that may be JSON to `texts`.
    fn find_in_value(&mut self, value: &Json, texts: &mut Vec<String>) -> Option<(usize, String)> {
        let mut pending = vec![(MemberMeaning::Anything, value)];
        while let Some((meaning, value)) = pending.pop() {
            self.context.machine().charge(WORK_PER_VALUE).ok()?;
            if self.contents.iter().any(|content| std::ptr::eq(*content, value)) {
                continue;
            }
            match value {
                Json::String(text) => {
                    if let Some(found) = self.guarded_file_in_text(text, meaning) {
                        return Some(found);
                    }
                    if text.trim_start().starts_with(['{', '[', '"']) {
                        texts.push(text.clone());
                    }
                }
                Json::Array(values) => pending.extend(values.iter().rev().map(|value| (meaning, value))),
                Json::Object(members) => {
                    for name in members.keys() {
                        // In a map from files to something, the keys are paths.
                        if let Some(found) = self.guarded_file_in_text(name, MemberMeaning::Anything) {
                            return Some(found);
                        }
                    }
                    pending.extend(members.iter().rev().map(|(name, value)| (self.member_meaning(name), value)));
                }
                Json::Null | Json::Bool(_) | Json::Number(_) => {}
            }
        }
        None
    }

    /// Returns what the texts in a member with this name are.
    fn member_meaning(&self, name: &str) -> MemberMeaning {
        match name {
            name if CONTENT_MEMBERS.contains(&name) => MemberMeaning::Content,
            name if PROSE_MEMBERS.contains(&name) => MemberMeaning::Prose,
            // If the call runs shell text, `commands` judges it.
            name if CODE_MEMBERS.contains(&name) && self.context.shell_text().is_none() => MemberMeaning::Code,
            _ => MemberMeaning::Anything,
        }
    }

    /// Returns the first guarded file that a text names. `meaning` is that of the member that has the text.
    fn guarded_file_in_text(&mut self, text: &str, meaning: MemberMeaning) -> Option<(usize, String)> {
        self.context.machine().charge_text(text.len(), TIMES_READ).ok()?;
        if let Some(found) = mentions::as_path(text).and_then(|path| self.guarded_file_of_path(&path)) {
            return Some(found);
        }
        let in_headers = text.lines().flat_map(header_paths).find_map(|path| self.guarded_file_of_path(path));
        if in_headers.is_some() {
            return in_headers;
        }
        let rows = (meaning != MemberMeaning::Content).then(|| path_list(text)).flatten().unwrap_or_default();
        let in_rows = rows.into_iter().find_map(|path| self.guarded_file_of_path(&path));
        if in_rows.is_some() || self.is_for_people {
            return in_rows;
        }
        match meaning {
            MemberMeaning::Prose => None,
            MemberMeaning::Content if self.names_files => None,
            MemberMeaning::Code => mentions::pieces_of_code(text).find_map(|piece| self.guarded_file_of_piece(piece)),
            MemberMeaning::Content | MemberMeaning::Anything => {
                mentions::delimited_pieces(text).find_map(|piece| self.guarded_file_of_piece(piece))
            }
        }
    }

    /// Returns the guarded file that a piece of a text names. Links are not resolved, because a text may have very many
    /// pieces.
    fn guarded_file_of_piece(&mut self, piece: &str) -> Option<(usize, String)> {
        let path = mentions::as_path(piece)?;
        // In `key:path`, the path follows the colon.
        let after_colon = path.split_once(':').map(|(_, path)| path).filter(|path| !path.is_empty());
        [Some(&*path), after_colon].into_iter().flatten().find_map(|path| {
            if !self.seen.insert(path.to_owned()) {
                return None;
            }
            let lexical = self.context.absolute(path, PathForm::Lexical);
            self.guarded_file_at(lexical, TouchExtent::Alone).or_else(|| self.guarded_file_matched_by(path))
        })
    }

    /// Returns the first guarded file that a path with a wildcard in a hidden name may match: `.rul*/a`.
    fn guarded_file_matched_by(&self, path: &str) -> Option<(usize, String)> {
        let built_in = || [NAMES, settings_directories()].into_iter().flatten().copied();
        let names = || built_in().chain(self.files.added_settings_directories()).collect();
        mentions::expand_hidden_glob(path, names)
            .into_iter()
            .find_map(|path| self.guarded_file_at(self.context.absolute(&path, PathForm::Lexical), TouchExtent::Below))
    }

    /// Returns the guarded file at a path: the index of its kind, and its path for display. `None` also if the budget
    /// does not suffice.
    fn guarded_file_at(&self, path: PathBuf, extent: TouchExtent) -> Option<(usize, String)> {
        let (context, files) = (self.context, self.files);
        context.machine().charge_text(path.as_os_str().len(), TIMES_FILTERED).ok()?;
        if !files.is_possibly_guarded(&path, extent) {
            return None;
        }
        context.machine().charge_text(path.as_os_str().len(), TIMES_TESTED).ok()?;
        let kind = eval::kind(context, &path, extent, files)?;
        Some((kind, context.machine().display_path(&path.to_string_lossy())))
    }

    /// Returns the guarded file that a path names, either as written or after resolving links.
    fn guarded_file_of_path(&mut self, text: &str) -> Option<(usize, String)> {
        let context = self.context;
        if !self.seen.insert(text.to_owned()) {
            return None;
        }
        context.machine().charge_text(text.len(), TIMES_FILTERED).ok()?;
        let lexical = context.absolute(text, PathForm::Lexical);
        let is_opened = lexical.as_os_str().len() <= MAX_PATH_BYTES;
        // A path that is too long to be opened has no links to resolve.
        let physical = is_opened.then(|| context.machine().convert_to_form(lexical.clone(), PathForm::Physical));
        let physical = physical.filter(|physical| *physical != lexical);
        let found =
            std::iter::once(lexical).chain(physical).find_map(|path| self.guarded_file_at(path, TouchExtent::Alone));
        found.or_else(|| self.guarded_file_matched_by(text))
    }
}

/// Splits a list of paths at newlines, NUL characters and commas. `None` if an item cannot be a path, or contains
/// blanks like a sentence.
fn path_list(text: &str) -> Option<Vec<Cow<'_, str>>> {
    let items = text.split(['\n', '\0', ',']).map(str::trim).filter(|item| !item.is_empty());
    items.map(|item| mentions::as_path(item).filter(|path| !path.contains(char::is_whitespace))).collect()
}

/// Returns the paths in a header line of a patch, each both in full and without its first component, which most tools
/// strip: `a/x` and `x`.
fn header_paths(line: &str) -> impl Iterator<Item = &str> {
    let paths = PATCH_HEADERS.iter().filter_map(move |start| line.trim_start().strip_prefix(start));
    // In `diff --git a/x b/x` the second path is the new one.
    let paths = paths.flat_map(|paths| [paths, paths.rsplit(' ').next().unwrap_or(paths)]);
    let paths = paths.map(|paths| paths.split('\t').next().unwrap_or(paths).trim().trim_matches('"'));
    paths.flat_map(|path| [Some(path), path.split_once('/').map(|(_, rest)| rest)]).flatten()
}
