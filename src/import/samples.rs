//! Examples of a converted rule, guessed from its selectors and the texts in its condition. Only those that hold are
//! added.

use super::commands::bash_call;
use super::draft::{DraftExample, DraftRule, ExampleClaim};
use super::regexes::regex_sample;
use super::verify::holds_with;
use crate::syntax::string_literal;

/// The maximum number of guesses for a rule, each of which is judged.
const MAX_GUESSES: usize = 24;

/// A file that few rules are about.
const OTHER_FILE: &str = "other/notes.txt";

/// Adds to a rule without examples one call that it matches and one that it does not match, as far as they are found.
/// The rule may use the `let`s, which are names of globs.
pub(super) fn with_samples(mut draft: DraftRule, lets: &[(String, Vec<String>)]) -> DraftRule {
    if !draft.examples.is_empty() {
        return draft;
    }
    let guesses = guesses(&draft, lets);
    for (claim, calls) in [(ExampleClaim::Fires, &guesses.matching), (ExampleClaim::Quiet, &guesses.other)] {
        let mut examples = calls.iter().take(MAX_GUESSES).map(|call| DraftExample { claim, call: call.clone() });
        let found = examples.find(|example| holds_with(lets, &draft, example.clone()));
        draft.examples.extend(found);
    }
    draft
}

/// Calls that a rule may match, and calls that it may not match, the most probable ones first.
struct Guesses {
    matching: Vec<String>,
    other: Vec<String>,
}

fn guesses(draft: &DraftRule, lets: &[(String, Vec<String>)]) -> Guesses {
    let (event, selectors) = match draft.on.split_once('(') {
        Some((event, rest)) => (event, rest.trim_end_matches(')').split('|').map(str::trim).collect()),
        None => (draft.on.as_str(), Vec::new()),
    };
    let texts = condition_texts(draft, lets);
    let by = draft.by.as_deref().and_then(acting_agent).unwrap_or_default();
    let matching = match event {
        "PreToolUse" => calls_of_tools(&selectors, &texts),
        "UserPromptSubmit" => texts.iter().map(|text| format!("{event} {}", string_literal(text, "  "))).collect(),
        _ if selectors.is_empty() => vec![event.to_owned()],
        _ => selectors.iter().filter_map(|selector| Some(format!("{event}({})", name_of(selector)?))).collect(),
    };
    let other: Vec<String> = match event {
        "PreToolUse" => calls_of_tools(&selectors, &[]).into_iter().chain([bash_call("ls")]).collect(),
        "UserPromptSubmit" => vec![format!("{event} \"What is new?\"")],
        _ if selectors.is_empty() => Vec::new(),
        _ => vec![format!("{event}(other)")],
    };
    // Another call of the same agent shows more than a call of another one.
    let of_agent: Vec<String> = other.iter().map(|call| format!("{call}{by}")).collect();
    Guesses {
        matching: matching.into_iter().map(|call| call + &by).collect(),
        other: of_agent.into_iter().chain(other).collect(),
    }
}

/// Returns calls of the selected tools, or of the usual ones, with texts that a condition may be about, and then with
/// others.
fn calls_of_tools(selectors: &[&str], texts: &[String]) -> Vec<String> {
    let usual = ["Bash", "Write", "Edit", "Read"];
    let is_selected = |tool: &&&str| selectors.is_empty() || selectors.contains(*tool);
    let tools: Vec<&str> = usual.iter().filter(is_selected).copied().collect();
    let mut calls = Vec::new();
    for text in texts.iter().map(String::as_str).chain([OTHER_FILE, "new.txt"]) {
        for tool in &tools {
            calls.push(match *tool {
                "Bash" if text == OTHER_FILE => bash_call("ls"),
                "Bash" => bash_call(text),
                tool => format!("{tool} {}", string_literal(text, "  ")),
            });
        }
    }
    calls
}

/// Returns the part of an example that names an agent that a rule selects: ` by "coder"`. `None` for the main agent, or
/// if no selector is a name.
fn acting_agent(by: &str) -> Option<String> {
    let name = by.split('|').find_map(|selector| name_of(selector.trim()))?;
    (name != "main").then(|| format!(" by \"{name}\""))
}

/// Returns a name that a selector selects: `reviewer` for `*reviewer`, `a` for `*`; `None` for one that excludes.
fn name_of(selector: &str) -> Option<String> {
    let name = selector.trim_matches('"').replace('*', "");
    let is_plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':'));
    (is_plain && !selector.starts_with('!')).then(|| if name.is_empty() { "a".to_owned() } else { name })
}

/// Returns texts for which the tests of a condition may be true: each string with its wildcards replaced, and a text that
/// each regex matches.
fn condition_texts(draft: &DraftRule, lets: &[(String, Vec<String>)]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let condition =
        [draft.when.as_deref(), draft.unless.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let is_used = |name: &str| condition.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    let used = lets.iter().filter(|(name, _)| is_used(name));
    texts.extend(used.flat_map(|(_, globs)| globs).map(|glob| plain_text(glob)));
    let mut rest = condition.as_str();
    while let Some(at) = rest.find(['"', '/']) {
        let mark = if rest.get(at..).is_some_and(|from| from.starts_with('"')) { '"' } else { '/' };
        let Some((inner, after)) = rest.get(at + 1..).and_then(|from| until(from, mark)) else { break };
        rest = after;
        let text = match mark {
            '"' => Some(plain_text(inner)),
            _ => regex_sample(&inner.replace("\\/", "/")),
        };
        texts.extend(text.filter(|text| !text.is_empty()));
    }
    texts
}

/// Splits a text at the next mark without a backslash before it; `None` without a mark.
fn until(text: &str, mark: char) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if c == mark && !is_escaped {
            return Some((text.get(..at)?, text.get(at + 1..)?));
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

/// Returns a text that a glob or a pattern of a command may match: `a/a.rs` for `**/*.rs`, `git push` for `git push
/// !--dry-run *`.
fn plain_text(glob: &str) -> String {
    let words = glob.split(' ').filter(|word| !word.starts_with('!') && *word != "@looks");
    let first_alternative = |word: &str| {
        let inner = word.strip_prefix('(').and_then(|word| word.strip_suffix(')')).unwrap_or(word);
        inner.split('|').next().unwrap_or_default().to_owned()
    };
    let plain: Vec<String> = words.map(first_alternative).collect();
    let joined = plain.join(" ");
    // A command may end where its pattern has a wildcard; a name does not.
    let star = if joined.contains(' ') { "" } else { "a" };
    let text = joined.replace("**/", "a/").replace("**", "a").replace('*', star).replace('?', "a");
    text.trim().trim_start_matches("./").replace("\\\"", "\"")
}
