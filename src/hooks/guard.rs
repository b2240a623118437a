//! The guard: votes of the hook that no rule asks for. It protects the policy, the program and its state, the host's
//! settings, what git runs, and the process that calls the hooks. It is active if the policy has rules, regardless of
//! which; only edits that would break the policy are denied in any case.
//!
//! A change of any of these needs the user's consent in the host's dialog. Nothing switches that off, because an
//! agent that could switch it off could switch off every rule as well.

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

/// The most characters of a path or a command that are shown.
const SHOWN: usize = 200;

/// The words in the name of a tool outside the schema that mark it as a reader: `get_file`.
const READS: &[&str] = &["read", "get", "list", "search", "view", "stat", "find", "grep", "fetch", "show", "describe"];
/// The words in the name of a tool outside the schema that mark it as more than a reader: `get_and_delete`.
const CHANGES: &[&str] = &[
    "write", "edit", "set", "put", "delete", "remove", "move", "rename", "create", "update", "append", "insert",
    "replace", "patch", "apply", "save", "copy", "upload", "make", "run", "exec", "execute", "to", "and",
];

/// The inputs of the guard for one event, except the rules.
pub struct Guard<'g> {
    /// The event.
    pub payload: &'g Payload,
    /// The event as conditions see it.
    pub context: &'g Context<'g>,
    /// The policy; `None` for a cached one, which loads and has rules.
    pub policy: Option<&'g Policy>,
    /// Returns the files that the policy was compiled from. A function, because few calls need them.
    pub sources: &'g dyn Fn() -> Vec<PathBuf>,
    /// The places of policy and state.
    pub places: &'g MachinePlaces,
    /// The directories with policies that judged the call although the session is not in them.
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
    /// A guarded file that the input of an unknown tool names: the index of its kind, and its path.
    named: Option<(usize, String)>,
    /// A command that changes the guard without changing a file.
    command: Option<commands::GuardFinding>,
}

impl Guard<'_> {
    /// Returns the guard's votes and texts for an event, given the verdict of the rules. There are none for a call
    /// that is denied already.
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

    /// Whether there is something to protect: a policy without rules guards nothing.
    fn is_needed(&self) -> bool {
        !self.nested.is_empty() || !self.policy.is_some_and(Policy::is_without_guard)
    }

    /// Returns the votes on a call: on writing compiled policies, on edits of the policy, and on changes of guarded
    /// files. A denial ends the examination.
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

    /// Adds the votes on what a call may do to guarded files and processes; `edited` is the change of the policy by
    /// the call.
    fn add_changes(&self, edited: Option<&PolicyEdit>, verdict: &Verdict, added: &mut Additions) {
        let sources = || {
            let nested = self.nested.iter().map(|directory| directory.join(DIRECTORY));
            (self.sources)().into_iter().chain(nested).collect()
        };
        let files = GuardedFiles::new(self.context, self.places, &sources);
        let looked = self.context.machine().complete_lookup(|| {
            let changed = (!self.is_reading_tool()).then(|| change(self.context, &files)).flatten();
            let command = Views::new(self.context).distinct().find_map(|view| commands::check(view, &files));
            let is_open = changed.is_none() && !self.is_reading_tool();
            let named = is_open.then(|| named::find(self.payload, self.context, &files)).flatten();
            CallExamination { changed, named, command }
        });
        match looked {
            Ok(CallExamination { changed, named, command }) => {
                if let Some(changed) = changed {
                    added.votes.push(self.vote_on(&changed, &files));
                    // A vote of its own, so that the description is shown even if a rule asks the same question:
                    // equal texts are shown once.
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

    /// Returns the vote on a change of a guarded file: a question, or a denial if the host would show no question.
    fn vote_on(&self, changed: &GuardedChange, files: &GuardedFiles<'_>) -> Vote {
        // The host would drop this question in favour of its own, and then skip that.
        let is_void = changed.doubt.is_none() && files.is_asked_by_host(changed.kind) && self.is_skipping_questions();
        match is_void {
            true => Vote::from_program(Decision::Deny, Message::from(denial_reason(files, changed))),
            false => Vote::from_program(Decision::Ask, Message::from(question_about(files, changed))),
        }
    }

    /// Whether the session skips the host's own questions. Where the host has a question of its own, it drops the
    /// hook's, so in this mode nobody would be asked.
    fn is_skipping_questions(&self) -> bool {
        self.payload.nonempty_text("permission_mode") == Some("bypassPermissions")
    }

    /// Whether the call is one of a tool outside the schema whose name marks it as a reader, and which runs no shell
    /// text.
    fn is_reading_tool(&self) -> bool {
        let Some(name) = self.payload.tool_name().filter(|name| tool_spec(name).is_none()) else { return false };
        if self.context.shell_text().is_some() {
            return false;
        }
        let words = tool_name_words(name);
        // `get-settings` reads, `thread_edit` and `download_to` do not.
        let mut words = words.iter().map(String::as_str).filter(|word| !word.is_empty());
        words.next().is_some_and(|word| READS.contains(&word)) && !words.any(|word| CHANGES.contains(&word))
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

/// Returns the words of a tool's own name, without its server's: `mcp__files__readFile` has `read` and `file`.
fn tool_name_words(tool: &str) -> Vec<String> {
    split_into_words(tool.rsplit("__").next().unwrap_or(tool))
}

/// Splits a name into words in lower case: `readFile`, `read_file` and `read-file` have `read` and `file`.
fn split_into_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && before.is_lowercase() {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
        before = c;
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
