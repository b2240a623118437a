//! Edits of the policy by a tool. An edit after which the policy would not load is denied, so that an agent cannot
//! disable its guard by breaking it. Any other edit is described to the user. Writing to compiled policies is denied
//! too, because only this program writes those.

mod difference;
mod result;

use std::path::PathBuf;

use serde_json::Value as Json;

use crate::context::{Context, PathForm, Views};
use crate::diagnostic::{Diagnostic, DiagnosticFormat, render};
use crate::eval::is_possible_write_below;
use crate::facts::resolve;
use crate::policy::Policy;
use crate::project::{self, LoadedSources, MachinePlaces, is_possible_source};
use crate::schema::tool_spec;
use crate::types::Payload;
use crate::verdict::{Decision, Verdict, Vote};

use super::guard::Guard;
use result::EditedText;

/// The message for a call that may write to compiled policies.
const FORGED: &str = "This may write to compiled policies, which only rules itself writes. Copy or unpack into \
                      another directory; to change the policy, change its sources in `.rules`.";

/// The message for an edit whose result is too large to be compiled here.
const TOO_MUCH: &str = "This edit makes the policy too large to be checked before the edit is made. Make it in smaller \
                        steps.";

/// The maximum number of errors that a denial shows.
const MAX_SHOWN_ERRORS: usize = 5;

/// The result of an edit of a policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PolicyEdit {
    /// The edit is denied, for this reason.
    Denial(String),
    /// The policy still loads after the edit; the text describes the change without a subject: "removes `a`; adds
    /// `b`".
    Change(String),
}

/// Returns the vote on a call that may write to compiled policies: a denial, or a question if that cannot be
/// determined. `None` if the call does not write there.
pub(super) fn cache_write_vote(context: &Context<'_>, places: &MachinePlaces) -> Option<Vote> {
    let cache = places.cache.as_deref()?;
    // The records of tools in different layers may disagree about which member of the input is a command, so each
    // reading of the call (view) is checked.
    let reaches = || Views::new(context).distinct().any(|view| is_possible_write_below(view, cache));
    match context.machine().complete_lookup(reaches) {
        Ok(forges) => forges.then(|| Vote::from_program(Decision::Deny, FORGED)),
        Err(reason) => {
            let message = format!("It is not known whether this writes to compiled policies: {}.", reason.sentence());
            Some(Vote::from_program(Decision::Ask, message))
        }
    }
}

/// Denies an edit after which the policy would not load, and describes any other edit of it. `None` if the call edits
/// no policy file, or if the policy does not load before the edit either.
///
/// If `guard.policy` is `None`, the policy came from the cache, so it is known to load.
pub(super) fn check(guard: &Guard<'_>, verdict: &Verdict) -> Option<PolicyEdit> {
    let Guard { payload, context, policy, places, nested, .. } = *guard;
    // A broken policy may be repaired in several steps.
    if policy.is_some_and(|policy| policy.broken_layers().next().is_some()) {
        return None;
    }
    let input = verdict.updated_input.as_ref().or_else(|| payload.tool_input());
    let (path, edited) = input.and_then(|input| edited_policy_file(payload, input, context))?;
    let EditedText::Text(text) = edited else {
        return Some(PolicyEdit::Denial(TOO_MUCH.to_owned()));
    };
    let nested_directory = nested.iter().rev().find(|directory| path.starts_with(resolve(directory)));
    // An edited nested policy is loaded as a session in its directory would load it.
    let nested_places =
        nested_directory.map(|directory| MachinePlaces { project: Some(directory.clone()), ..places.clone() });
    let nested_policy = nested_places.as_ref().map(load_policy);
    let (places, policy) = nested_places.as_ref().map_or((places, policy), |places| (places, nested_policy.as_ref()));
    if policy.is_some_and(|policy| policy.broken_layers().next().is_some()) {
        return None;
    }
    let LoadedSources { sources, layers, .. } = project::load_with_edit(places, &path, &text);
    let after = Policy::new(sources, &layers);
    drop(layers);
    let mut errors: Vec<&Diagnostic> = after.errors().collect();
    if errors.is_empty() {
        let compiled;
        let before = match policy {
            Some(policy) => policy,
            None => {
                compiled = load_policy(places);
                &compiled
            }
        };
        return Some(PolicyEdit::Change(difference::describe_change(before, &after)));
    }
    errors.sort_by_key(|diagnostic| diagnostic.span());
    let shown: String = errors
        .iter()
        .take(MAX_SHOWN_ERRORS)
        .map(|error| render(error, &after.sources, DiagnosticFormat::Short))
        .collect();
    let more = errors.len().saturating_sub(MAX_SHOWN_ERRORS);
    let more = if more > 0 { format!("and {more} more\n") } else { String::new() };
    Some(PolicyEdit::Denial(format!(
        "With this edit the policy would not load:\n{shown}{more}Fix it so that it loads."
    )))
}

/// Loads and compiles the policy of a session with these directories.
fn load_policy(places: &MachinePlaces) -> Policy {
    let LoadedSources { sources, layers, .. } = project::load(places);
    Policy::new(sources, &layers)
}

/// Returns the policy file that a call edits, and its text after the edit. `None` if the call edits no policy file,
/// or if that text cannot be determined.
fn edited_policy_file(payload: &Payload, input: &Json, context: &Context<'_>) -> Option<(PathBuf, EditedText)> {
    let name = payload.tool_name()?;
    let Some(spec) = tool_spec(name) else {
        let paths = context.call().input_paths();
        let mut sources = paths.iter().filter_map(|path| policy_source_path(path, context));
        // If the input names several files, it is unclear which text belongs to which file.
        let path = sources.next().filter(|_| sources.next().is_none())?;
        return result::after_other_edit(input, &path, context).map(|edited| (path, edited));
    };
    // A built-in tool that writes no file edits nothing.
    if !spec.files.iter().any(|file| file.writes) {
        return None;
    }
    let path = policy_source_path(input.get("file_path")?.as_str()?, context)?;
    result::after_built_in_edit(name, input, &path, context).map(|edited| (path, edited))
}

/// Returns the path of a file with all links resolved; `None` if the file cannot be a policy file. Both paths are
/// tested, before and after resolving links: a link with another name may lead to the policy, and the policy may itself
/// be a link.
fn policy_source_path(name: &str, context: &Context<'_>) -> Option<PathBuf> {
    let lexical = context.absolute(name, PathForm::Lexical);
    let path = context.machine().convert_to_form(lexical.clone(), PathForm::Physical);
    (is_possible_source(&lexical) || is_possible_source(&path)).then_some(path)
}
