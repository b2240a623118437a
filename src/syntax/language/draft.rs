//! Translates the rules of a file in another language.
//!
//! Only the common forms of that language are translated; the other parts are listed. The result is a valid policy,
//! but its reader must check whether it means the same.

mod keyed;
mod policies;

use pest::Parser;

use crate::phrases::{self, PhrasePlace};

use super::super::grammar::{Grammar, Rule};
use super::super::mistakes::languages::{self, ForeignLanguage};
use super::super::quote::string_literal;

/// The maximum number of translated rules in the result.
const MAX_RULES: usize = 4;

/// The maximum number of untranslated parts that are listed.
const MAX_LISTED_PARTS: usize = 4;
/// The maximum length of each listed part, in characters.
const MAX_PART_CHARS: usize = 60;

/// The translated rules of a file, and the list of the parts that could not be translated.
#[derive(Default)]
pub(in crate::syntax) struct TranslatedRules {
    /// The translated policy.
    pub(in crate::syntax) rules: String,
    /// The source texts of parts that could not be translated, each in backticks; at most `MAX_LISTED_PARTS`.
    pub(in crate::syntax) untranslated: Vec<String>,
    /// The number of further parts and rules that are not in the result.
    pub(in crate::syntax) omitted_count: usize,
}

/// A rule of another language, with its parts in the syntax of policies.
#[derive(Default)]
struct ForeignRule {
    name: String,
    /// The event; empty if the source names none.
    event: String,
    /// The names or globs of tools for the event's selectors.
    tools: Vec<String>,
    /// The names or globs of agents for `by`.
    agents: Vec<String>,
    /// Tests in the syntax of policies, all of which must hold.
    when: Vec<String>,
    /// Tests in the syntax of policies that together are an exception.
    unless: Vec<String>,
    /// The keyword of the effect; empty if it is not known.
    effect: &'static str,
    /// The message as a string literal.
    message: Option<String>,
    /// Whether the rule is disabled in the source.
    is_off: bool,
    /// Whether a part of its condition could not be translated.
    is_partial: bool,
}

/// Translates a file; `None` if none of its rules could be translated.
pub(super) fn translate_file(language: &ForeignLanguage, source: &str) -> Option<TranslatedRules> {
    let mut untranslated = Vec::new();
    let foreign_rules = match language {
        _ if *language == *languages::YAML => keyed::lines(source, &mut untranslated),
        _ if *language == *languages::JSON => keyed::json(source, &mut untranslated),
        _ if *language == *languages::SETTINGS => keyed::settings(source, &mut untranslated),
        _ if *language == *languages::REGO => policies::rego(source, &mut untranslated),
        _ if *language == *languages::CEDAR => policies::cedar(source, &mut untranslated),
        _ => return None,
    };
    let written: Vec<String> =
        foreign_rules.iter().enumerate().filter_map(|(at, rule)| rule.rule_text(at)).take(MAX_RULES).collect();
    if written.is_empty() {
        return None;
    }
    let unnamed = untranslated.len().saturating_sub(MAX_LISTED_PARTS);
    untranslated.truncate(MAX_LISTED_PARTS);
    for part in &mut untranslated {
        if part.chars().count() > MAX_PART_CHARS {
            // A part is in backticks, so the cut one gets a closing backtick again.
            *part = part.chars().take(MAX_PART_CHARS - 2).chain(['…', '`']).collect();
        }
    }
    let omitted_count = foreign_rules.len() - written.len() + unnamed;
    let rules = written.join("\n\n");
    Grammar::parse(Rule::file, &format!("{rules}\n")).is_ok().then_some(TranslatedRules {
        rules,
        untranslated,
        omitted_count,
    })
}

impl ForeignRule {
    /// Returns the rule as text; `None` if its effect is unknown, or if it would apply to more calls than its author
    /// intended. `at` is its index, from which a rule without a name gets one.
    fn rule_text(&self, at: usize) -> Option<String> {
        let says_when = !self.when.is_empty() || !self.tools.is_empty() || !self.agents.is_empty();
        // Without a part of its condition, a rule would allow more, and it might have no condition left.
        let is_wider = self.is_partial && (self.effect == "allow" || self.when.is_empty());
        if self.effect.is_empty() || is_wider || !(says_when || self.event == "Stop") {
            return None;
        }
        let event = if self.event.is_empty() { "PreToolUse" } else { &self.event };
        let selected = if self.tools.is_empty() { String::new() } else { format!("({})", self.tools.join("|")) };
        let mut lines: Vec<String> = self.is_off.then(|| "@off".to_owned()).into_iter().collect();
        let name = kebab(&self.name);
        let name = if name.is_empty() { format!("rule-{}", at + 1) } else { name };
        lines.push(format!("rule {name} {{"));
        lines.push(format!("  on {event}{selected}"));
        lines.extend((!self.agents.is_empty()).then(|| format!("  by {}", self.agents.join("|"))));
        // An `allow` must hold for every command of a call, and `only runs` tests this.
        let when = self.when.iter().map(|test| match test.strip_prefix("runs ").filter(|_| self.effect == "allow") {
            Some(pattern) => format!("only runs {pattern}"),
            None => test.clone(),
        });
        let unless = self.unless.iter().cloned();
        for (word, tests) in [("when", when.collect::<Vec<_>>()), ("unless", unless.collect())] {
            lines.extend((!tests.is_empty()).then(|| format!("  {word} {}", tests.join(" and "))));
        }
        lines.push(match (self.effect, &self.message) {
            ("allow", _) => "  allow".to_owned(),
            (effect, Some(message)) => format!("  {effect} {message}"),
            (effect, None) => format!("  {effect} {}", self.default_message()),
        });
        lines.push("}".to_owned());
        Some(lines.join("\n"))
    }

    /// Returns a message for a rule that has none: the words of its name.
    fn default_message(&self) -> String {
        let words = self.name.replace(['-', '_'], " ");
        if words.trim().is_empty() { "\"Not allowed here.\"".to_owned() } else { string_literal(&words, "") }
    }

    /// Names a rule after its effect and its tool (`deny-bash`), and gives it a message if it has none.
    fn name_by_tool(&mut self) {
        let tool = self.tools.first().map_or("calls", String::as_str).to_ascii_lowercase();
        self.message.get_or_insert_with(|| "\"Not allowed here.\"".to_owned());
        self.name = format!("{}-{tool}", self.effect);
    }
}

/// Returns a message as a string literal on one line; `None` if it is empty.
fn message_literal(text: &str) -> Option<String> {
    let text = one_line(text);
    (!text.is_empty()).then(|| string_literal(&text, ""))
}

/// Returns a text with each run of white space replaced by one space.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns a name in kebab-case, as the names of rules must be.
fn kebab(name: &str) -> String {
    let words = name.to_ascii_lowercase();
    let words: Vec<&str> = words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let name = words.join("-");
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("rule-{name}") } else { name }
}

/// Returns the effect of the policy language for a word of another language: `deny` for `forbid`; `None` if it is
/// unknown.
pub(in crate::syntax) fn effect_for_word(word: &str) -> Option<&'static str> {
    phrases::meaning(PhrasePlace::Decision, word)
}

/// Returns the event of the policy language for a word of another language, with the tools that the word implies:
/// `PreToolUse(Edit|Write)`.
pub(in crate::syntax) fn event_for_word(word: &str) -> Option<&'static str> {
    phrases::meaning(PhrasePlace::EventKey, word)
}

/// Converts a regex of another language to a test of a field. A regex on the command that only spells out words
/// becomes `runs "…"` or `pipes "…" into "…"`, any other `FIELD matches /…/`.
pub(in crate::syntax) fn test_for_regex(field: &str, pattern: &str) -> String {
    if field == "command" {
        let sides: Vec<Option<String>> = pattern.split("\\|").map(spelled_out).collect();
        match sides.as_slice() {
            [Some(command)] => return format!("runs \"{command}\""),
            [Some(from), Some(into)] => return format!("pipes \"{from}\" into \"{into}\""),
            _ => {}
        }
    }
    format!("{field} matches /{}/", pattern.replace("\\/", "/").replace('/', "\\/"))
}

/// Returns the words of a command that a regex spells out: `git push` for `^git\s+push\b`; `None` if the regex
/// contains anything else.
fn spelled_out(pattern: &str) -> Option<String> {
    let bare = pattern.trim().trim_start_matches('^').replace("\\b", "").replace("\\s+", " ").replace("\\s*", " ");
    let bare = bare.replace(" +", " ").replace("\\.", ".").replace(".*", " ");
    let is_plain = bare.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '/' | ':' | '.'));
    let has_wildcard = pattern.replace("\\.", "").replace(".*", "").contains('.');
    let words = one_line(&bare);
    (is_plain && !has_wildcard && words.starts_with(|c: char| c.is_ascii_alphanumeric())).then_some(words)
}

/// Converts a text or glob that is searched for in a command to a test: `runs "rm -rf"` for `*rm -rf*`.
fn test_for_command(text: &str) -> String {
    let bare = text.trim().trim_matches('*').trim_end_matches(':').trim();
    format!("runs {}", string_literal(bare, ""))
}

/// Formats one text as a string, and several as a list of strings.
pub(in crate::syntax) fn format_texts(texts: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| string_literal(text.as_ref(), "")).collect();
    match quoted.as_slice() {
        [only] => only.clone(),
        _ => format!("[{}]", quoted.join(", ")),
    }
}
