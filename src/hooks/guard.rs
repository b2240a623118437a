//! The guard: votes that the hook casts without being asked by a rule. It protects the policy, the program and its
//! state, the host's settings, what git runs, and the process that calls the hooks. It is active if the policy has any
//! rule. Edits that would break the policy are denied even without one.
//!
//! The user must consent to each change of these in the host's dialog. Nothing switches that off: an agent that could
//! switch off the guard could switch off every rule.

mod commands;
mod files;
mod mentions;
mod named;
mod ran;
mod rights;
mod settings;

use std::fmt;
use std::path::PathBuf;

use crate::context::{Context, Views};
use crate::escape::line;
use crate::eval::{GuardedChange, change};
use crate::hooks::edits::{self, PolicyEdit};
use crate::policy::Policy;
use crate::project::{DIRECTORY, MachinePlaces};
use crate::ruleset::Rules;
use crate::schema::{Event, tool_spec};
use crate::types::Payload;
use crate::verdict::{Additions, Decision, Message, Verdict, Vote};

use files::GuardedFiles;

pub(super) use settings::record_existing_damage;

/// The maximum number of characters of a path or a command in a message.
const SHOWN: usize = 200;

/// The words in the name of a tool outside the schema that mark it as a reader: `get_file`.
const READER_WORDS: &[&str] =
    &["read", "get", "list", "search", "view", "stat", "find", "grep", "fetch", "show", "describe"];
/// The words in the name of a tool outside the schema that mark it as more than a reader: `get_and_delete`.
const CHANGER_WORDS: &[&str] = &[
    "write", "edit", "set", "put", "delete", "remove", "move", "rename", "create", "update", "append", "insert",
    "replace", "patch", "apply", "save", "copy", "upload", "make", "run", "exec", "execute", "to", "and",
];

/// The inputs of the guard for one event, except the rules.
pub struct Guard<'g> {
    /// The event.
    pub payload: &'g Payload,
    /// The event as conditions see it.
    pub context: &'g Context<'g>,
    /// The policy of the session; `None` if it is a cached one, which certainly loads and has rules.
    pub policy: Option<&'g Policy>,
    /// Returns the files from which the policy was compiled. It is a function because few calls need them.
    pub sources: &'g dyn Fn() -> Vec<PathBuf>,
    /// The directories of policy and state.
    pub places: &'g MachinePlaces,
    /// The directories of the nested policies that judged the call.
    pub nested: &'g [PathBuf],
}

impl fmt::Debug for Guard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guard").field("payload", &self.payload).field("places", &self.places).finish_non_exhaustive()
    }
}

/// The results of examining a call for changes of guarded files and processes.
struct CallExamination {
    /// The change of a guarded file, certain or possible.
    changed: Option<GuardedChange>,
    /// A guarded file that the input of a tool outside the schema names: the index of its kind, and its path.
    named: Option<(usize, String)>,
    /// A command that threatens the guard without changing a file: `kill $PPID`.
    command: Option<commands::GuardFinding>,
}

impl Guard<'_> {
    /// Returns the guard's votes and texts for an event, given the verdict of the rules. A call that is already denied
    /// gets none.
    ///
    /// # Errors
    /// Fails if the rules cannot be read.
    pub fn check<R: Rules>(&self, rules: &R, verdict: &Verdict) -> Result<Additions, R::Error> {
        Ok(match self.payload.event {
            Event::PreToolUse | Event::PermissionRequest | Event::PreSkillShellCommand
                if verdict.decision() < Decision::Deny =>
            {
                self.call_additions(verdict)
            }
            Event::ConfigChange if self.is_needed() => {
                Additions { votes: settings::check(self).into_iter().collect(), ..Additions::default() }
            }
            Event::PostToolUse if self.is_needed() => ran::check(rules, self.context)?,
            _ => Additions::default(),
        })
    }

    /// Whether the guard is active: it is not if no policy has a rule, so that there is nothing to protect.
    fn is_needed(&self) -> bool {
        !self.nested.is_empty() || !self.policy.is_some_and(Policy::is_without_guard)
    }

    /// Returns the votes on a call: on writes to compiled policies, on edits of the policy, and on changes of guarded
    /// files. The first denial ends the examination.
    fn call_additions(&self, verdict: &Verdict) -> Additions {
        let mut added = Additions::default();
        if self.is_needed()
            && let Some(vote) = edits::cache_write_vote(self.context, self.places)
        {
            let denies = vote.decision == Decision::Deny;
            added.votes.push(vote);
            if denies {
                return added;
            }
        }
        let edited = edits::check(self, verdict);
        if let Some(PolicyEdit::Denial(message)) = edited {
            added.vote(Decision::Deny, message);
            return added;
        }
        if self.is_needed() {
            self.add_changes(edited.as_ref(), verdict, &mut added);
        }
        added
    }

    /// Adds the votes on what a call may do to guarded files and processes. If the call edits a policy file, `edited`
    /// describes the edit.
    fn add_changes(&self, edited: Option<&PolicyEdit>, verdict: &Verdict, added: &mut Additions) {
        let sources = || {
            let nested = self.nested.iter().map(|directory| directory.join(DIRECTORY));
            (self.sources)().into_iter().chain(nested).collect()
        };
        let files = GuardedFiles::new(self.context, self.places, &sources);
        let examined = self.context.machine().complete_lookup(|| {
            let changed = (!self.is_reading_tool()).then(|| change(self.context, &files)).flatten();
            let command = Views::new(self.context).distinct().find_map(|view| commands::check(view, &files));
            let may_be_only_named = changed.is_none() && !self.is_reading_tool();
            let named = may_be_only_named.then(|| named::find(self.payload, self.context, &files)).flatten();
            CallExamination { changed, named, command }
        });
        match examined {
            Ok(CallExamination { changed, named, command }) => {
                if let Some(changed) = changed {
                    added.votes.push(self.vote_on(&changed, &files));
                    // The description is a separate vote: equal texts are shown only once, so it would be lost if a
                    // rule asked the same question with the same text.
                    if let Some(PolicyEdit::Change(does)) = edited {
                        added.vote(Decision::Ask, format!("The edit {does}."));
                    }
                }
                if let Some((kind, path)) = named {
                    let (path, what) = (line(&path, SHOWN), files.description(kind));
                    let message = format!("This call names `{path}`, {what}, and may change it. Is that intended?");
                    added.vote(Decision::Ask, message);
                }
                if let Some(found) = command {
                    added.vote(Decision::Ask, found.message());
                }
            }
            Err(reason) => {
                // The budget did not suffice. If a rule asks or denies already, another question adds nothing.
                let mut votes = verdict.votes.iter().chain(&added.votes);
                if !votes.any(|vote| vote.decision >= Decision::Ask) {
                    let why = reason.sentence();
                    let message = format!("It is not known whether this changes what guards the session: {why}.");
                    added.vote(Decision::Ask, message);
                }
            }
        }
    }

    /// Returns the vote on a change of a guarded file: a question, or a denial if the host would not show the question.
    fn vote_on(&self, changed: &GuardedChange, files: &GuardedFiles<'_>) -> Vote {
        // The host would replace this question by its own one, and then skip that.
        let would_be_skipped =
            changed.doubt.is_none() && files.is_asked_by_host(changed.kind) && self.is_skipping_questions();
        if would_be_skipped {
            Vote::from_program(Decision::Deny, Message::from(denial_reason(files, changed)))
        } else {
            Vote::from_program(Decision::Ask, Message::from(question_about(files, changed)))
        }
    }

    /// Whether the session is in the mode in which the host skips its own questions. Since such a question also
    /// replaces the hook's, nobody would be asked.
    fn is_skipping_questions(&self) -> bool {
        self.payload.nonempty_text("permission_mode") == Some("bypassPermissions")
    }

    /// Whether the tool is outside the schema, its name says that it only reads, and the call runs no shell text.
    fn is_reading_tool(&self) -> bool {
        let Some(name) = self.payload.tool_name().filter(|name| tool_spec(name).is_none()) else { return false };
        if self.context.shell_text().is_some() {
            return false;
        }
        let words = tool_name_words(name);
        // `get-settings` reads, `thread_edit` and `download_to` do not.
        let mut words = words.iter().map(String::as_str).filter(|word| !word.is_empty());
        words.next().is_some_and(|word| READER_WORDS.contains(&word))
            && !words.any(|word| CHANGER_WORDS.contains(&word))
    }
}

/// Returns the question about a change.
fn question_about(files: &GuardedFiles<'_>, change: &GuardedChange) -> String {
    let path = line(&change.path, SHOWN);
    let what = files.description(change.kind);
    if let Some(reason) = &change.doubt {
        let reason = line(&reason.sentence(), SHOWN);
        return format!("This may change `{path}`, {what}: {reason}. Is that intended?");
    }
    format!("This changes `{path}`, {what}. Is that intended?")
}

/// Returns the reason of a denial in a mode where nobody is asked.
fn denial_reason(files: &GuardedFiles<'_>, change: &GuardedChange) -> String {
    let (path, what) = (line(&change.path, SHOWN), files.description(change.kind));
    format!(
        "This changes `{path}`, {what}. In the mode bypassPermissions the host asks nobody about it, so it is denied; \
         the user can make the change, or leave the mode."
    )
}

/// Splits a tool's name, without that of its server, into words: `mcp__files__readFile` has `read` and `file`.
fn tool_name_words(tool: &str) -> Vec<String> {
    split_into_words(tool.rsplit("__").next().unwrap_or(tool))
}

/// Splits a name into words in lower case: `readFile`, `read_file` and `read-file` have `read` and `file`.
fn split_into_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && previous.is_lowercase() {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        previous = c;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_words() {
        for (name, expected) in [
            ("read_file", vec!["read", "file"]),
            ("readFile", vec!["read", "file"]),
            ("get-settings", vec!["get", "settings"]),
            ("READ", vec!["read"]),
        ] {
            assert_eq!(split_into_words(name), expected, "{name}");
        }
    }
}
