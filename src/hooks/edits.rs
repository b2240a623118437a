//! Edits of the policy by a tool: an edit after which the policy would not load is denied, so that an agent cannot
//! break what guards it, and of any other it is said what it does. Writing a compiled policy is denied too: only this
//! program writes those.

mod difference;

use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::context::{Context, Form, Views};
use crate::diagnostic::{Diagnostic, Format, render};
use crate::eval::may_write_below;
use crate::files;
use crate::policy::Policy;
use crate::project::{self, Loaded, Places, may_be_source};
use crate::schema::tool;
use crate::types::Payload;
use crate::verdict::{Decision, Verdict, Vote};

use super::guard::Guard;

/// The most bytes of a file that an edit is tried on; a policy file is smaller.
const LIMIT: u64 = 1 << 20;

/// How often a text is gone through to replace something in it once.
const TIMES_REPLACED: usize = 4;

/// The members of another tool's input that name the file it writes.
const PATHS: &[&str] = &["file_path", "path", "filename", "file", "relative_path"];
/// The members that hold what it writes.
const TEXTS: &[&str] = &["content", "contents", "text", "new_text"];

/// What is said of an edit of a compiled policy.
const FORGED: &str = "This may write to compiled policies, which only rules itself writes. Copy or unpack into \
                      another directory; to change the policy, change its sources in `.rules`.";

/// What is said of an edit that cannot be tried.
const TOO_MUCH: &str = "This edit makes the policy too large to be checked before the edit is made. Make it in smaller \
                        steps.";

/// How many diagnostics the denial shows.
const SHOWN: usize = 5;

/// What an edit of a policy comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Edited {
    /// It is denied.
    Denied,
    /// It changes the policy so: a sentence without its subject.
    Changes(String),
}

/// Denies writing to compiled policies; tells whether it did.
pub(super) fn forges(context: &Context<'_>, places: &Places, verdict: &mut Verdict) -> bool {
    let Some(cache) = places.cache.as_deref() else { return false };
    // Where layers disagree about what is a command, each of them may be right.
    let reaches = || Views::of(context).each().any(|view| may_write_below(view, cache));
    match context.whole(reaches) {
        Ok(forges) => {
            if forges {
                deny(FORGED.to_owned(), verdict);
            }
            forges
        }
        Err(reason) => {
            let message = format!("It is not known whether this writes to compiled policies: {}.", reason.sentence());
            verdict.votes.push(Vote::of_program(Decision::Ask, message));
            false
        }
    }
}

/// Denies an edit that would break a policy that loads, and says what any other edit of it does; nothing of what is none.
///
/// Of the policy that judges the call nothing is known where it was kept: it loads then, and has rules.
pub(super) fn check(guard: &Guard<'_>, verdict: &mut Verdict) -> Option<Edited> {
    let Guard { payload, context, policy, places, .. } = *guard;
    // A policy that is broken already may be mended in steps.
    if policy.is_some_and(|policy| policy.broken().next().is_some()) {
        return None;
    }
    let input = verdict.updated_input.as_ref().or_else(|| payload.tool_input());
    let (path, text) = input.and_then(|input| edited(payload, input, context))?;
    let Some(text) = text else {
        deny(TOO_MUCH.to_owned(), verdict);
        return Some(Edited::Denied);
    };
    let Loaded { sources, layers, .. } = project::load_with_edit(places, &path, &text);
    let after = Policy::new(sources, &layers);
    drop(layers);
    let mut errors: Vec<&Diagnostic> = after.errors().collect();
    if errors.is_empty() {
        let compiled;
        let before = match policy {
            Some(policy) => policy,
            None => {
                let Loaded { sources, layers, .. } = project::load(places);
                compiled = Policy::new(sources, &layers);
                &compiled
            }
        };
        return Some(Edited::Changes(difference::sentence(before, &after)));
    }
    errors.sort_by_key(|diagnostic| diagnostic.span());
    let shown: String = errors.iter().take(SHOWN).map(|error| render(error, &after.sources, Format::Short)).collect();
    let more = errors.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!("and {more} more\n") } else { String::new() };
    deny(format!("With this edit the policy would not load:\n{shown}{more}Fix it so that it loads."), verdict);
    Some(Edited::Denied)
}

fn deny(message: String, verdict: &mut Verdict) {
    verdict.votes.push(Vote::of_program(Decision::Deny, message));
}

/// Returns the policy file that a call edits and the text that it would hold; no text where making it is too much.
fn edited(payload: &Payload, input: &Json, context: &Context<'_>) -> Option<(PathBuf, Option<String>)> {
    let name = payload.tool_name()?;
    let spec = tool(name);
    // A tool with a table that writes nothing edits nothing.
    if spec.is_some_and(|spec| spec.files.iter().all(|file| !file.writes)) {
        return None;
    }
    let built_in = spec.is_some();
    let members = if built_in { &["file_path"][..] } else { PATHS };
    let path = members.iter().find_map(|member| input.get(*member)?.as_str())?;
    // A link by another name may lead to the policy, and the policy may be a link.
    let lexical = context.absolute(path, Form::Lexical);
    let path = context.in_form(lexical.clone(), Form::Physical);
    if !may_be_source(&lexical) && !may_be_source(&path) {
        return None;
    }
    match name {
        "Write" => Some((path, Some(input.get("content")?.as_str()?.to_owned()))),
        "Edit" => {
            let text = replace(&read(&path)?, input)?;
            Some((path, Some(text)))
        }
        "MultiEdit" => {
            let mut text = read(&path)?;
            for edit in input.get("edits")?.as_array()? {
                if context.look_at(text.len(), TIMES_REPLACED).is_err() {
                    return Some((path, None));
                }
                text = replace(&text, edit)?;
            }
            Some((path, Some(text)))
        }
        _ if built_in => None,
        _ => TEXTS.iter().find_map(|member| input.get(*member)?.as_str()).map(|text| (path, Some(text.to_owned()))),
    }
}

fn read(path: &Path) -> Option<String> {
    String::from_utf8(files::read(path, LIMIT).ok()?).ok()
}

/// Replaces as the host's Edit does: the first occurrence, or all of them.
fn replace(text: &str, edit: &Json) -> Option<String> {
    let (old, new) = (edit.get("old_string")?.as_str()?, edit.get("new_string")?.as_str()?);
    if old.is_empty() {
        return Some(new.to_owned());
    }
    let times = if edit.get("replace_all").and_then(Json::as_bool) == Some(true) { usize::MAX } else { 1 };
    // Of a text that no policy file can hold only that matters; any other may be made.
    let found = text.matches(old).take(times).count();
    if found.saturating_mul(new.len()) > usize::try_from(LIMIT).unwrap_or(usize::MAX) {
        return Some(" ".repeat(usize::try_from(LIMIT).unwrap_or_default() + 1));
    }
    Some(text.replacen(old, new, times))
}
