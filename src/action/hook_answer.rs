//! Parses the output of a command that is itself a hook script, written for a host. Only its denials and questions
//! count.
//!
//! It is more lenient than a host where the host would ignore a denial, and stricter where the host would ignore an
//! error.
//! Nothing here has side effects.

use serde_json::Value as Json;

/// The decision of a hook script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum HookDecision {
    /// The script neither denies nor asks.
    Nothing,
    /// A denial with its reason, possibly empty.
    Deny(String),
    /// A question with its reason, possibly empty.
    Ask(String),
}

/// Returns the decision in the standard output of a hook script.
///
/// # Errors
///
/// Fails with a description of what is wrong with the output. Text in which no line begins with `{` is no error: a
/// script may print `ok`.
pub(super) fn read(stdout: &str) -> Result<HookDecision, String> {
    let text = stdout.trim_start_matches('\u{feff}').trim();
    if !text.lines().any(|line| line.trim_start().starts_with('{')) {
        return Ok(HookDecision::Nothing);
    }
    let json: Json =
        serde_json::from_str(text).map_err(|error| format!("its output is not a single JSON object ({error})"))?;
    let Json::Object(top) = json else {
        return Err("its output is not a single JSON object".to_owned());
    };
    let specific = match top.get("hookSpecificOutput") {
        None | Some(Json::Null) => None,
        Some(Json::Object(specific)) => Some(specific),
        Some(_) => return Err("its `hookSpecificOutput` is not an object".to_owned()),
    };
    let mut answers = Vec::new();
    let reason = reason_text(top.get("reason"));
    answers.push(read_decision_member(top.get("decision"), "decision", reason)?);
    if let Some(specific) = specific {
        let reason = reason_text(specific.get("permissionDecisionReason"));
        answers.push(read_decision_member(specific.get("permissionDecision"), "permissionDecision", reason)?);
        if let Some(Json::Object(decision)) = specific.get("decision") {
            answers.push(read_decision_member(
                decision.get("behavior"),
                "behavior",
                reason_text(decision.get("message")),
            )?);
        }
    }
    Ok(strictest(answers))
}

/// Returns the text of a member; empty if it is absent or not a string.
fn reason_text(json: Option<&Json>) -> String {
    json.and_then(Json::as_str).unwrap_or_default().to_owned()
}

/// Reads one member that can have a decision, such as `"decision": "block"`. An unknown word is an error, because some
/// decision was meant.
fn read_decision_member(value: Option<&Json>, name: &str, reason: String) -> Result<HookDecision, String> {
    match value {
        None | Some(Json::Null) => Ok(HookDecision::Nothing),
        Some(Json::String(word)) => match word.as_str() {
            "deny" | "block" => Ok(HookDecision::Deny(reason)),
            "ask" => Ok(HookDecision::Ask(reason)),
            "allow" | "approve" | "defer" => Ok(HookDecision::Nothing),
            _ => Err(format!("its `{name}` is `{}`", word.chars().take(40).collect::<String>())),
        },
        Some(_) => Err(format!("its `{name}` is not a string")),
    }
}

/// Returns the strictest of the decisions: a denial is stricter than a question.
fn strictest(answers: Vec<HookDecision>) -> HookDecision {
    let rank = |answer: &HookDecision| match answer {
        HookDecision::Nothing => 0,
        HookDecision::Ask(_) => 1,
        HookDecision::Deny(_) => 2,
    };
    answers.into_iter().max_by_key(rank).unwrap_or(HookDecision::Nothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denials_and_questions_count_wherever_a_host_takes_them() {
        let deny = |text: &str| Ok(HookDecision::Deny(text.to_owned()));
        assert_eq!(read(r#"{"decision":"block","reason":"no"}"#), deny("no"));
        assert_eq!(
            read(
                "\u{feff}\n {\"hookSpecificOutput\":{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"x\"}}\n"
            ),
            deny("x")
        );
        assert_eq!(read(r#"{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"m"}}}"#), deny("m"));
        assert_eq!(
            read(r#"{"hookSpecificOutput":{"permissionDecision":"ask"}}"#),
            Ok(HookDecision::Ask(String::new()))
        );
        assert_eq!(read(r#"{"decision":"approve","hookSpecificOutput":{"permissionDecision":"deny"}}"#), deny(""));
    }

    #[test]
    fn nothing_else_counts() {
        for text in [
            "",
            "ok\n",
            "{}",
            r#"{"continue":false,"systemMessage":"x"}"#,
            r#"{"decision":"approve"}"#,
            r#"{"decision":null,"hookSpecificOutput":null}"#,
            r#"{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"command":"x"}}}"#,
        ] {
            assert_eq!(read(text), Ok(HookDecision::Nothing), "{text}");
        }
    }

    #[test]
    fn what_was_meant_as_an_answer_and_is_none_cannot_be_judged() {
        for text in [
            r#"{"decision":"block""#,
            "log line\n{\"decision\":\"block\"}",
            "{\"decision\":\"block\"}\n{}",
            "[\n{}]",
            r#"{"decision":"nope"}"#,
            r#"{"decision":true}"#,
            r#"{"hookSpecificOutput":"deny"}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
