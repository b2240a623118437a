//! Selects the part of a payload that the log keeps: enough to see what the call was and, if nothing is missing, to
//! judge it again.
//!
//! Every member that is missing or incomplete is listed, so that nobody takes the kept part for the whole. Nothing here
//! has side effects.

use std::borrow::Cow;

use serde_json::{Map, Value as Json};

use super::redact;
use crate::schema::WRITTEN_TEXTS;

/// Members that are never kept, in addition to [`WRITTEN_TEXTS`]: prompts, parts of files, and output of tools.
const NEVER_KEPT: [&str; 4] = ["tool_response", "old_string", "prompt", "last_assistant_message"];

/// Members that a log line has in its own fields, or that do not matter for a call.
const LOGGED_SEPARATELY: [&str; 12] = [
    "hook_event_name",
    "session_id",
    "transcript_path",
    "agent_transcript_path",
    "cwd",
    "permission_mode",
    "tool_name",
    "tool_use_id",
    "agent_id",
    "agent_type",
    "subagent_type",
    "prompt_id",
];

/// How many bytes at the beginning of a text are searched for secrets; far fewer are kept.
const MAX_SEARCHED_BYTES: usize = 64 << 10;

/// The maximum number of incomplete members that are listed.
const MAX_LISTED: usize = 16;
/// The maximum number of characters of the name of a listed member.
const MAX_NAME_CHARS: usize = 100;

/// The limits for what is kept of a payload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PayloadLimits {
    /// The maximum number of characters of one text.
    text: usize,
    /// The maximum number of bytes of all names and texts together, approximately.
    total: usize,
    /// Whether the members in [`LOGGED_SEPARATELY`] are left out.
    omits_logged_members: bool,
}

impl PayloadLimits {
    /// The limits for a short form of the call.
    pub(super) const CALL: Self = Self { text: 1_000, total: 1_000, omits_logged_members: true };
    /// The limits for a whole payload, in which only very long texts are shortened.
    pub(super) const PAYLOAD: Self = Self { text: 4_000, total: 200_000, omits_logged_members: false };
}

/// The part of a payload that is kept.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct KeptPayload {
    /// The members that are kept, possibly shortened.
    pub(super) members: Map<String, Json>,
    /// The dotted names of the members that are left out, shortened or redacted: `tool_input.content`.
    pub(super) incomplete: Vec<String>,
}

/// Returns the part of a payload that is kept under these limits, without secrets.
pub(super) fn keep(payload: &Map<String, Json>, bounds: PayloadLimits) -> KeptPayload {
    let mut keeper = PayloadKeeper { bounds, left: bounds.total, path: Vec::new(), incomplete: Vec::new() };
    let is_logged_separately = |name: &str| bounds.omits_logged_members && LOGGED_SEPARATELY.contains(&name);
    let members = keeper.members(payload.iter().filter(|(name, _)| !is_logged_separately(name)));
    KeptPayload { members, incomplete: keeper.incomplete }
}

/// The state while a payload is copied: the limits, and the incomplete members so far.
struct PayloadKeeper<'p> {
    bounds: PayloadLimits,
    /// How many bytes of the total are left.
    left: usize,
    /// The names of the enclosing members.
    path: Vec<&'p str>,
    incomplete: Vec<String>,
}

impl<'p> PayloadKeeper<'p> {
    /// Copies members. Secrets are redacted, and members that are never kept or do not fit are left out.
    fn members(&mut self, members: impl Iterator<Item = (&'p String, &'p Json)>) -> Map<String, Json> {
        let mut kept = Map::new();
        for (name, value) in members {
            self.path.push(name);
            if is_never_kept(name) || !self.has_room(name.len()) {
                self.add_incomplete_name();
            } else if redact::is_secret_name(name) && !matches!(value, Json::Null | Json::Bool(_)) {
                self.add_incomplete_name();
                kept.insert(name.clone(), Json::String(redact::MARK.to_owned()));
            } else {
                kept.insert(name.clone(), self.value(value));
            }
            self.path.pop();
        }
        kept
    }

    /// Copies a value within the limits, without secrets.
    fn value(&mut self, value: &'p Json) -> Json {
        match value {
            Json::String(text) => Json::String(self.keep_text(text)),
            Json::Object(members) => Json::Object(self.members(members.iter())),
            Json::Array(elements) => {
                let mut kept = Vec::new();
                for element in elements {
                    if !self.has_room(0) {
                        self.add_incomplete_name();
                        break;
                    }
                    kept.push(self.value(element));
                }
                Json::Array(kept)
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => value.clone(),
        }
    }

    /// Copies the beginning of a text within the limits, with secrets redacted.
    fn keep_text(&mut self, text: &str) -> String {
        let searched =
            (0..=MAX_SEARCHED_BYTES.min(text.len())).rev().find_map(|end| text.get(..end)).unwrap_or_default();
        let redacted = redact::redact_text(searched);
        if matches!(redacted, Cow::Owned(_)) {
            self.add_incomplete_name();
        }
        let max_chars = self.bounds.text.min(self.left);
        let mut kept = redacted.into_owned();
        if truncate_chars(&mut kept, max_chars) || searched.len() < text.len() {
            self.add_incomplete_name();
        }
        self.left = self.left.saturating_sub(kept.len());
        kept
    }

    /// Whether there is room for a member whose name has this many bytes. Takes the room for the name.
    fn has_room(&mut self, name: usize) -> bool {
        // Each member also takes quotes, a colon and a comma.
        let needed = name.saturating_add(6);
        let fits = self.left > needed;
        self.left = self.left.saturating_sub(needed);
        fits
    }

    /// Lists the current member as incomplete, unless [`MAX_LISTED`] members are listed already.
    fn add_incomplete_name(&mut self) {
        if self.incomplete.len() == MAX_LISTED {
            return;
        }
        let names: Vec<String> = self.path.iter().map(|name| name.chars().take(MAX_NAME_CHARS).collect()).collect();
        let name = names.join(".");
        if self.incomplete.last() != Some(&name) {
            self.incomplete.push(name);
        }
    }
}

/// Truncates a text after `longest` characters and appends `…`, if it is longer. Returns whether it was.
pub(super) fn truncate_chars(text: &mut String, longest: usize) -> bool {
    // A text that has not more bytes than this has not more characters either, which is the usual case.
    if text.len() <= longest {
        return false;
    }
    let Some((at, _)) = text.char_indices().nth(longest) else { return false };
    text.truncate(at);
    text.push('…');
    true
}

fn is_never_kept(name: &str) -> bool {
    NEVER_KEPT.iter().chain(WRITTEN_TEXTS).any(|never| *never == name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(payload: &Json, bounds: PayloadLimits, members: &Json, incomplete: &[&str]) {
        let kept = keep(payload.as_object().unwrap(), bounds);
        assert_eq!(Json::Object(kept.members), *members);
        assert_eq!(kept.incomplete, incomplete);
    }

    #[test]
    fn a_call_is_kept_without_what_the_line_says_anyway() {
        let payload = json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/c", "tool_name": "Bash", "tool_use_id": "t",
            "tool_input": { "command": "ls", "timeout": 5 }, "effort": { "level": "high" },
        });
        let call = json!({ "tool_input": { "command": "ls", "timeout": 5 }, "effort": { "level": "high" } });
        check(&payload, PayloadLimits::CALL, &call, &[]);
        check(&payload, PayloadLimits::PAYLOAD, &payload, &[]);
    }

    #[test]
    fn what_is_never_kept_is_named() {
        let payload = json!({
            "prompt": "p", "tool_input": { "file_path": "/f", "content": "c", "edits": [{ "new_string": "n", "at": 1 }] },
            "tool_response": { "stdout": "x" }, "headers": { "Authorization": "Bearer abc" },
        });
        let kept = json!({
            "tool_input": { "file_path": "/f", "edits": [{ "at": 1 }] }, "headers": { "Authorization": "[redacted]" },
        });
        let incomplete =
            ["prompt", "tool_input.content", "tool_input.edits.new_string", "tool_response", "headers.Authorization"];
        check(&payload, PayloadLimits::PAYLOAD, &kept, &incomplete);
    }

    #[test]
    fn values_whose_names_name_a_secret_are_blanked() {
        let payload = json!({
            "session_id": "s", "auth": { "a": [1] }, "token": 5, "has_key": true, "cookie": null,
            "list": ["PASS=1", "PASSWORD=1"], "deep": { "x": "Bearer abcdef" },
        });
        let kept = json!({
            "session_id": "s", "auth": "[redacted]", "token": "[redacted]", "has_key": true, "cookie": null,
            "list": ["PASS=[redacted]", "PASSWORD=[redacted]"], "deep": { "x": "Bearer [redacted]" },
        });
        check(&payload, PayloadLimits::PAYLOAD, &kept, &["auth", "token", "list", "deep.x"]);
    }

    #[test]
    fn a_secret_in_a_text_is_blanked_and_the_text_named() {
        let payload = json!({ "tool_input": { "command": "export API_KEY=hunter2" } });
        let kept = json!({ "tool_input": { "command": "export API_KEY=[redacted]" } });
        check(&payload, PayloadLimits::CALL, &kept, &["tool_input.command"]);
    }

    #[test]
    fn a_long_call_is_cut_and_what_no_longer_fits_is_named() {
        let payload = json!({ "tool_input": { "command": "é".repeat(2_000), "description": "d" }, "more": [1] });
        let kept = keep(payload.as_object().unwrap(), PayloadLimits::CALL);
        let command = kept.members["tool_input"]["command"].as_str().unwrap();
        assert!(command.ends_with('…') && command.chars().count() <= 1_001);
        assert_eq!(kept.incomplete, ["tool_input.command", "tool_input.description", "more"]);
        let many: Map<String, Json> = (0..5_000).map(|at| (format!("m{at}"), json!(at))).collect();
        let kept = keep(&many, PayloadLimits::CALL);
        assert!(Json::Object(kept.members).to_string().len() < 1_500 && kept.incomplete.len() == MAX_LISTED);
    }
}
