//! The regexes of rules. Gemini CLI searches the JSON of a call's arguments for them: `"command":"git push`.

use super::Subject;
use super::selectors::ToolSelection;
use crate::import::commands::{CommandPrefix, ImportedDecision, PrefixEnd, bash_call};
use crate::import::regexes::{regex_literal, regex_sample, regex_words};
use crate::syntax::string_literal;

/// A regex as the subject of a rule, or why it has no equivalent.
pub(super) enum RegexSubject {
    /// A subject with the same meaning; for a denial, it may cover more.
    Same(Subject),
    /// A subject that only compares the text of a command, which other spellings evade.
    Text(Subject),
    /// The reason why there is no equivalent.
    None(&'static str),
}

/// Returns the subject for `commandRegex`, which matches at the beginning of each command.
pub(super) fn command_subject(regex: &str, decision: ImportedDecision) -> RegexSubject {
    if regex.starts_with('^') && decision == ImportedDecision::Allow {
        return RegexSubject::None("a `^` behind the beginning of the arguments never matches");
    }
    if let Some(words) = regex_words(regex) {
        let prefix = CommandPrefix { words, ..CommandPrefix::of_text("", PrefixEnd::Anything) };
        return RegexSubject::Same(Subject::Commands(vec![prefix]));
    }
    if decision == ImportedDecision::Allow {
        return RegexSubject::None("only commands with certain words can be allowed");
    }
    match regex_literal(regex) {
        Some(literal) => {
            let call = regex_sample(regex).map(|sample| bash_call(&sample));
            RegexSubject::Text(Subject::Test { test: format!("command matches /{literal}/"), call })
        }
        None => RegexSubject::None("the regex cannot be written as a literal"),
    }
}

/// Returns the subject for `argsPattern`, which has an equivalent if it is about the beginning of one argument.
pub(super) fn arguments_subject(regex: &str, tools: &ToolSelection, decision: ImportedDecision) -> RegexSubject {
    const OTHER: &str = "a regex on all arguments as JSON has no equivalent";
    let Some((key, value)) = regex.trim_start_matches('{').strip_prefix('"').and_then(|rest| rest.split_once("\":\""))
    else {
        return RegexSubject::None(OTHER);
    };
    if key.is_empty() || !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return RegexSubject::None(OTHER);
    }
    if key == "command" && tools.has("Bash") {
        return command_subject(value.trim_end_matches('"'), decision);
    }
    let (value, end_anchor) = match value.strip_suffix('"') {
        Some(value) => (value, "$"),
        None => (value, ""),
    };
    if value.contains('"') {
        return RegexSubject::None(OTHER);
    }
    let Some(literal) = regex_literal(value) else {
        return RegexSubject::None("the regex cannot be written as a literal");
    };
    let member = if matches!(key, "absolute_path" | "path") && tools.has("Read") { "file_path" } else { key };
    let call = regex_sample(value).and_then(|sample| {
        let tool = tools.names().first()?.replace('*', "x");
        Some(match member {
            "file_path" => format!("{tool} {}", string_literal(&format!("{sample}a"), "  ")),
            member => format!("{tool} {{ tool_input.{member}: {} }}", string_literal(&sample, "  ")),
        })
    });
    let test = format!("tool_input.{member} matches /^(?:{literal}){end_anchor}/");
    RegexSubject::Same(Subject::Test { test, call })
}
