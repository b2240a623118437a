//! Rules about commands that begin with certain words, as most formats have them.
//!
//! A denial or a question tests what a call would run, in any spelling: it covers at least what the configuration
//! covers. A permission covers only commands that are allowed literally: it covers at most that.

use std::collections::BTreeSet;

use super::NoteRank;
use super::draft::{DraftExample, DraftRule, ExampleClaim, PolicyDraft};
use super::mapping_reader::ImportFindings;
use super::names::{TakenNames, slug};
use super::refused::commands_that_run_others;
use super::verify::{findings_of, holds};
use crate::diagnostic::{Code, Diagnostic};
use crate::escape::shell_word;
use crate::span::Span;
use crate::syntax::{format_one_or_list, string_literal};

/// The decision that a rule of a configuration makes about a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ImportedDecision {
    Deny,
    Ask,
    Allow,
}

impl ImportedDecision {
    /// Returns the rank of the notes on a rule with this decision.
    pub(super) fn rank(self) -> NoteRank {
        match self {
            Self::Deny => NoteRank::Denial,
            Self::Ask => NoteRank::Question,
            Self::Allow => NoteRank::Permission,
        }
    }

    /// Returns the source text of the effect; `message` is a string literal, which a permission does not have.
    pub(super) fn effect(self, message: &str) -> String {
        match self {
            Self::Deny => format!("deny {message}"),
            Self::Ask => format!("ask {message}"),
            Self::Allow => "allow".to_owned(),
        }
    }

    /// Returns the word with which the name of such a rule begins: `no-git-push`.
    pub(super) fn verb(self) -> &'static str {
        match self {
            Self::Deny => "no",
            Self::Ask => "ask",
            Self::Allow => "allow",
        }
    }
}

/// What may follow the words of a prefix in a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PrefixEnd {
    /// Any further words.
    Anything,
    /// Nothing: the words are the whole command.
    Nothing,
}

/// The first words of a command; each word is a list of one or several alternatives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CommandPrefix {
    pub(super) words: Vec<Vec<String>>,
    pub(super) end: PrefixEnd,
    /// Globs that further words must match, in any order; always empty for a permission.
    pub(super) wildcards: Vec<String>,
    /// A glob that the program must match, in place of the first word; always `None` for a permission.
    pub(super) program_glob: Option<String>,
}

/// A rule of a configuration about commands that begin with certain words.
#[derive(Clone, Debug)]
pub(super) struct CommandRule {
    pub(super) source: Span,
    pub(super) decision: ImportedDecision,
    pub(super) prefix: CommandPrefix,
    /// The text that a denial or a question shows; `None` for a default text.
    pub(super) message: Option<String>,
    /// Commands that the configuration lists as examples that match.
    pub(super) matching: Vec<String>,
    /// Commands that the configuration lists as examples that do not match.
    pub(super) other: Vec<String>,
    /// Patterns of commands that are exempt from a denial or a question.
    pub(super) exempt: Vec<String>,
    /// The agents that the rule is about, as source text.
    pub(super) by: Option<String>,
    /// A further condition, as source text.
    pub(super) and: Option<String>,
}

impl CommandRule {
    /// Returns a rule without examples, exemptions and further conditions.
    pub(super) fn new(source: Span, decision: ImportedDecision, prefix: CommandPrefix) -> Self {
        let (matching, other, exempt) = (Vec::new(), Vec::new(), Vec::new());
        Self { source, decision, prefix, message: None, matching, other, exempt, by: None, and: None }
    }
}

/// The source of a condition for one prefix.
#[derive(Clone, PartialEq, Eq, Debug)]
enum CommandTest {
    /// A pattern for `runs` or `only runs`, which can be listed with others.
    Pattern(String),
    /// A complete condition: `runs "git" where args == "push"`.
    Condition(String),
}

impl CommandPrefix {
    /// Splits a text at its white space into words without alternatives.
    pub(super) fn of_text(text: &str, end: PrefixEnd) -> Self {
        let words = text.split_whitespace().map(|word| vec![word.to_owned()]).collect();
        Self { words, end, wildcards: Vec::new(), program_glob: None }
    }

    /// Whether only the words decide, without globs.
    pub(super) fn is_plain(&self) -> bool {
        self.wildcards.is_empty() && self.program_glob.is_none()
    }

    /// Splits a text in which a `*` stands for any text, even several words: `git * main`.
    pub(super) fn of_wildcards(text: &str, end: PrefixEnd) -> Self {
        let words: Vec<&str> = text.split_whitespace().collect();
        let first_wildcard = words.iter().position(|word| word.contains('*')).unwrap_or(words.len());
        let (before, after) = words.split_at_checked(first_wildcard).unwrap_or((&words, &[]));
        let (program, after) = match after.split_first() {
            Some((program, further)) if before.is_empty() => (Some((*program).to_owned()), further),
            _ => (None, after),
        };
        // A pattern of `runs` matches a flag at any position and in any spelling.
        let is_flag = |word: &&str| !before.is_empty() && word.starts_with('-') && !word.contains('*');
        let flags: Vec<&str> = after.iter().copied().filter(is_flag).collect();
        let mut wildcards = Vec::new();
        for word in after.iter().copied().filter(|word| !is_flag(word)) {
            // A `*` within a word may end it and begin another.
            let parts: Vec<&str> = word.split('*').collect();
            for (at, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
                let star_if = |is_any: bool| if is_any { "*" } else { "" };
                wildcards.push(format!("{}{part}{}", star_if(at > 0), star_if(at + 1 < parts.len())));
            }
        }
        let words = before.iter().chain(&flags).map(|word| vec![(*word).to_owned()]).collect();
        Self { words, end: if flags.is_empty() { end } else { PrefixEnd::Anything }, wildcards, program_glob: program }
    }

    /// Whether a command can begin with the words of both prefixes.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(ours, theirs)| ours.iter().any(|word| theirs.contains(word)))
    }

    /// Returns the first alternative of each word.
    pub(super) fn first_words(&self) -> Vec<&str> {
        self.words.iter().filter_map(|word| word.first()).map(String::as_str).collect()
    }

    /// Returns an example of a command with this prefix, as shell text.
    pub(super) fn command(&self) -> String {
        let program = self.program_glob.as_ref().map(|glob| glob.replace('*', ""));
        let program = program.map(|name| if name.is_empty() { "tool".to_owned() } else { name });
        let further: Vec<String> = self.wildcards.iter().map(|glob| glob.replace('*', "")).collect();
        let words = program.as_deref().into_iter().chain(self.first_words()).chain(further.iter().map(String::as_str));
        words.map(shell_word).collect::<Vec<_>>().join(" ")
    }

    /// Returns the words as a pattern that matches them exactly as written; `None` if a word has special characters.
    fn exact_pattern(&self) -> Option<String> {
        let words = self.words.iter().map(|word| pattern_word(word, |word| is_plain(word).then(|| word.to_owned())));
        words.collect::<Option<Vec<_>>>().map(|words| words.join(" "))
    }

    /// Returns the words as a pattern that matches at least them: `?` replaces each special character, and `--` is left
    /// out. A program with a directory is replaced by its name.
    pub(super) fn wide_pattern(&self) -> Option<String> {
        let widened_char = |c: char| if is_plain_char(c) { c } else { '?' };
        let widened =
            |word: &str| Some(word.chars().map(widened_char).collect::<String>()).filter(|word| !word.is_empty());
        let widened_name = |word: &str| widened(word.rsplit('/').next().unwrap_or(word));
        let program = self.words.first().map(|word| pattern_word(word, widened_name));
        let further = self.words.iter().skip(1).filter(|word| word.as_slice() != ["--"]);
        let words = program.into_iter().chain(further.map(|word| pattern_word(word, widened)));
        words.collect::<Option<Vec<_>>>().map(|words| words.join(" "))
    }

    /// Returns a `runs` test for words that begin with assignments: `runs "make" where env.CI == "1"` for `CI=1 make`.
    /// `None` for any other words, and for assignments without a command.
    fn environment_test(&self) -> Option<String> {
        let assigned = |word: &Vec<String>| {
            let [only] = word.as_slice() else { return None };
            let (name, value) = only.split_once('=')?;
            let is_name = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
            let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            (is_name && is_plain).then(|| format!("env.{name} == {}", string_literal(value, "  ")))
        };
        let tests: Vec<String> = self.words.iter().map_while(assigned).collect();
        let command = Self { words: self.words.get(tests.len()..)?.to_vec(), ..self.clone() };
        let pattern = string_literal(&command.wide_pattern()?, "  ");
        match tests.as_slice() {
            [] => None,
            [only] => Some(format!("runs {pattern} where {only}")),
            several => Some(format!("runs {pattern} where ({})", several.join(" and "))),
        }
    }

    /// Returns a `runs` test in which the further words may be in any order: `runs "git" where args == "push"`. `None`
    /// without a program.
    fn unordered_test(&self) -> Option<String> {
        let (program, further) = match (self.words.split_first(), &self.program_glob) {
            (_, Some(glob)) => (glob.clone(), self.words.as_slice()),
            (Some((program, further)), None) => {
                let program = Self { words: vec![program.clone()], ..Self::of_text("", PrefixEnd::Anything) };
                (program.wide_pattern()?, further)
            }
            (None, None) => return None,
        };
        let is_one_of = |word: &Vec<String>| match word.as_slice() {
            [only] => format!("args == {}", string_literal(only, "  ")),
            several => format!("args in {}", format_one_or_list(several)),
        };
        let like_glob = |glob: &String| match glob.contains('*') {
            true => format!("args like {}", string_literal(glob, "  ")),
            false => format!("args == {}", string_literal(glob, "  ")),
        };
        let tests: Vec<String> = further.iter().map(is_one_of).chain(self.wildcards.iter().map(like_glob)).collect();
        let program = string_literal(&program, "  ");
        match tests.as_slice() {
            [] => Some(format!("runs {program}")),
            [only] => Some(format!("runs {program} where {only}")),
            several => Some(format!("runs {program} where ({})", several.join(" and "))),
        }
    }
}

fn is_plain_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-./:=@,+%~^#&;".contains(c)
}

/// Whether a word of a pattern matches only itself.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word != "--" && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:=@,+%".contains(c))
}

/// Writes the alternatives of a word as one word of a pattern, `(a|b)`; `None` if one of them cannot be written.
fn pattern_word(word: &[String], write: impl Fn(&str) -> Option<String>) -> Option<String> {
    let words: Vec<String> = word.iter().map(|word| write(word)).collect::<Option<_>>()?;
    match words.as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        several => Some(format!("({})", several.join("|"))),
    }
}

/// Returns the source text of an example's call with this command.
pub(super) fn bash_call(command: &str) -> String {
    string_literal(command, "  ")
}

/// Returns the draft of a rule about shell commands, still without a proper name and without examples.
fn shell_rule(rule: &CommandRule, when: String) -> DraftRule {
    let message = message_text(rule);
    DraftRule {
        source: rule.source,
        name: "rule".to_owned(),
        on: match rule.decision {
            ImportedDecision::Allow => "PreToolUse(Bash)".to_owned(),
            // A tool of an MCP server may run commands, too.
            ImportedDecision::Deny | ImportedDecision::Ask => "PreToolUse".to_owned(),
        },
        by: rule.by.clone(),
        when: Some(when),
        unless: exempt_text(&rule.exempt),
        effects: vec![rule.decision.effect(&message)],
        ..DraftRule::default()
    }
}

/// Returns the message of a rule, or the default for its decision, as a string literal.
fn message_text(rule: &CommandRule) -> String {
    match (&rule.message, rule.decision) {
        (Some(message), _) => string_literal(message, "  "),
        (None, ImportedDecision::Ask) => "\"Run `{match}`?\"".to_owned(),
        (None, _) => "\"`{match}` must not be run here.\"".to_owned(),
    }
}

/// Returns the condition, for `unless`, that only exempt commands run; `None` without patterns.
fn exempt_text(patterns: &[String]) -> Option<String> {
    (!patterns.is_empty()).then(|| format!("only runs {}", format_one_or_list(patterns)))
}

/// Joins several tests with `or`, with all patterns in one list.
fn joined_test(tests: &[CommandTest], decision: ImportedDecision) -> String {
    let patterns: Vec<String> = tests
        .iter()
        .filter_map(|test| if let CommandTest::Pattern(pattern) = test { Some(pattern.clone()) } else { None })
        .collect();
    let word = if decision == ImportedDecision::Allow { "only runs" } else { "runs" };
    let mut parts = Vec::new();
    if !patterns.is_empty() {
        parts.push(format!("{word} {}", format_one_or_list(&patterns)));
    }
    parts.extend(tests.iter().filter_map(|test| match test {
        CommandTest::Condition(condition) => Some(condition.clone()),
        CommandTest::Pattern(_) => None,
    }));
    parts.join("\n    or ")
}

/// Writes the rules about commands of a configuration. Rules that differ only in their commands become one rule.
pub(super) fn write_rules(
    rules: Vec<CommandRule>,
    names: &mut TakenNames,
    draft: &mut PolicyDraft,
    findings: &mut ImportFindings<'_>,
) {
    let mut groups: Vec<(CommandRule, Vec<CommandTest>)> = Vec::new();
    for mut rule in rules {
        let Some(test) = test_with_examples(&mut rule, findings) else { continue };
        let is_same_group = |other: &CommandRule| {
            (other.decision, &other.message, &other.exempt, &other.by, &other.and)
                == (rule.decision, &rule.message, &rule.exempt, &rule.by, &rule.and)
        };
        match groups.iter_mut().find(|(first, _)| is_same_group(first)) {
            Some((first, tests)) => {
                if !tests.contains(&test) {
                    tests.push(test);
                }
                first.matching.extend(rule.matching);
                first.other.extend(rule.other);
            }
            None => groups.push((rule, vec![test])),
        }
    }
    groups.sort_by_key(|(rule, _)| rule.decision);
    for (rule, tests) in groups {
        let name = rule_name(&rule, &tests);
        draft.rules.push(grouped_rule(&rule, &tests, names.reserve(&name)));
    }
}

/// Returns the name for the rule that a group of rules becomes.
fn rule_name(rule: &CommandRule, tests: &[CommandTest]) -> String {
    match (tests.len(), rule.decision) {
        (1, decision) => format!("{}-{}", decision.verb(), slug(&rule.prefix.first_words().join(" "), "command")),
        (_, ImportedDecision::Deny) => "denied-commands".to_owned(),
        (_, ImportedDecision::Ask) => "ask-before-commands".to_owned(),
        (_, ImportedDecision::Allow) => "allowed-commands".to_owned(),
    }
}

/// Returns the rule that a group of rules becomes, with their examples.
fn grouped_rule(rule: &CommandRule, tests: &[CommandTest], name: String) -> DraftRule {
    let when = joined_test(tests, rule.decision);
    let when = match &rule.and {
        Some(further) if when.contains(" or ") => format!("({when})\n    and {further}"),
        Some(further) => format!("{when} and {further}"),
        None => when,
    };
    let mut draft = DraftRule { name, ..shell_rule(rule, when) };
    let mut seen = BTreeSet::new();
    for command in rule.matching.iter().chain(&rule.other) {
        if seen.insert(command.clone()) {
            draft.examples.extend(claim_of(&draft, command));
        }
    }
    draft
}

/// Returns an example of what a rule does with a command; `None` if the rule does not load.
fn claim_of(draft: &DraftRule, command: &str) -> Option<DraftExample> {
    let claims = [ExampleClaim::Fires, ExampleClaim::Quiet, ExampleClaim::Unknown];
    let mut examples = claims.map(|claim| DraftExample { claim, call: bash_call(command) }).into_iter();
    examples.find(|example| holds(draft, example.clone()))
}

/// Whether a rule matches a command.
fn fires(draft: &DraftRule, command: &str) -> bool {
    holds(draft, DraftExample { claim: ExampleClaim::Fires, call: bash_call(command) })
}

/// Returns the test for the words of a rule, and completes the rule's lists of examples. `None` if no test means the
/// same: the rule is then left out. Notes what differs from the configuration.
fn test_with_examples(rule: &mut CommandRule, findings: &mut ImportFindings<'_>) -> Option<CommandTest> {
    findings.rank = rule.decision.rank();
    let test_and_draft = match rule.decision {
        ImportedDecision::Allow => allowed_test(rule, findings),
        ImportedDecision::Deny | ImportedDecision::Ask => guarding_test(rule, findings),
    };
    let command = rule.prefix.command();
    let Some((test, draft)) = test_and_draft else {
        findings.leave_out(rule.source, format!("`{command}`: no condition here says the same; left out"));
        findings.rank = NoteRank::Text;
        return None;
    };
    for command in &rule.matching {
        if !fires(&draft, command) {
            let what = if rule.decision == ImportedDecision::Allow { "is not allowed" } else { "does not match" };
            findings.add_note(rule.source, format!("`{command}` {what} here, although it is an example of what does"));
        }
    }
    findings.rank = NoteRank::Text;
    for command in &rule.other {
        if fires(&draft, command) {
            findings.add_note(rule.source, format!("`{command}` matches here too: it is another spelling of the same"));
        }
    }
    if rule.matching.is_empty() {
        let commands = [command.clone(), format!("{command} x")];
        rule.matching.extend(commands.into_iter().find(|command| fires(&draft, command)));
    }
    if rule.other.is_empty() {
        rule.other.extend(match rule.decision {
            ImportedDecision::Allow => {
                rule.matching.first().map(|command| format!("{command} && curl https://example.com"))
            }
            // In quotes within quotes, nobody would recognise the words.
            ImportedDecision::Deny | ImportedDecision::Ask if command.contains('\'') => {
                Some("git commit -m x".to_owned())
            }
            ImportedDecision::Deny | ImportedDecision::Ask => Some(format!("git commit -m {}", shell_word(&command))),
        });
    }
    Some(test)
}

/// Returns the widest sound pattern that allows only commands with the words of a rule, and a draft of the rule with
/// it; `None` if no pattern is sound.
fn allowed_test(rule: &CommandRule, findings: &mut ImportFindings<'_>) -> Option<(CommandTest, DraftRule)> {
    let patterns = allowed_patterns(&rule.prefix)?;
    let command = rule.prefix.command();
    let mut excluded_from_first = None;
    for (at, pattern) in patterns.iter().enumerate() {
        let draft = shell_rule(rule, format!("only runs {}", string_literal(pattern, "  ")));
        // That a program shows any file is what the other agent allows, too; the rule says so by an `@allow`.
        let is_sound = findings_of(&draft).iter().all(|finding| finding.code.id == Code::STAR_FOR_ANY_FILE.id);
        let excluded = rule.other.iter().find(|command| fires(&draft, command));
        if at == 0 && is_sound {
            excluded_from_first = excluded;
        }
        if is_sound && excluded.is_none() && (fires(&draft, &command) || fires(&draft, &format!("{command} x"))) {
            if at > 0 {
                let why = match excluded_from_first {
                    Some(other) => format!("a `*` would allow `{other}`, which is an example of what is not"),
                    None => "a `*` would allow more, as `rules check` says".to_owned(),
                };
                findings.add_note(rule.source, format!("`{command}` is allowed only without further words: {why}"));
            } else if rule.prefix.end == PrefixEnd::Anything {
                note_refused_commands(rule, &draft, findings);
            }
            return Some((CommandTest::Pattern(pattern.clone()), draft));
        }
    }
    None
}

/// Notes commands that a permission with a `*` does not cover because they run something else.
fn note_refused_commands(rule: &CommandRule, draft: &DraftRule, findings: &mut ImportFindings<'_>) {
    let refused: Vec<String> =
        commands_that_run_others(&rule.prefix).into_iter().filter(|command| !fires(draft, command)).collect();
    if refused.is_empty() {
        return;
    }
    let shown: Vec<String> = refused.iter().take(MAX_SHOWN_REFUSED).map(|command| format!("`{command}`")).collect();
    let text = format!(
        "`{} *` is not allowed where it runs something else, as in {}",
        rule.prefix.command(),
        shown.join(" or ")
    );
    findings.add_note(rule.source, text);
}

/// The maximum number of commands in the note on a permission.
const MAX_SHOWN_REFUSED: usize = 2;

/// Returns the pattern of `only runs` that allows commands with a prefix; `None` if no pattern loads without findings.
pub(super) fn permission_pattern(prefix: &CommandPrefix) -> Option<String> {
    let command = prefix.command();
    let rule = CommandRule::new(Span::default(), ImportedDecision::Allow, prefix.clone());
    allowed_patterns(prefix)?.into_iter().find(|pattern| {
        let draft = shell_rule(&rule, format!("only runs {}", string_literal(pattern, "  ")));
        findings_of(&draft).is_empty() && fires(&draft, &command)
    })
}

/// Returns the candidate patterns for a permission, the widest first; `None` if a word cannot be written in a pattern.
fn allowed_patterns(prefix: &CommandPrefix) -> Option<Vec<String>> {
    let words = prefix.exact_pattern()?;
    Some(match prefix.end {
        PrefixEnd::Anything => vec![format!("{words} *"), words],
        PrefixEnd::Nothing => vec![words],
    })
}

/// Returns a test that is true for every command with the words of a rule, and a draft of the rule with it; `None` if
/// no such test loads.
fn guarding_test(rule: &CommandRule, findings: &mut ImportFindings<'_>) -> Option<(CommandTest, DraftRule)> {
    let command = rule.prefix.command();
    if let Some(condition) = rule.prefix.environment_test() {
        let draft = shell_rule(rule, condition.clone());
        let is_sound = findings_of(&draft).is_empty() && fires(&draft, &command);
        return is_sound.then_some((CommandTest::Condition(condition), draft));
    }
    let wide = rule.prefix.wide_pattern().filter(|words| rule.prefix.is_plain() && !words.is_empty());
    let exact = wide.as_ref().filter(|_| rule.prefix.end == PrefixEnd::Nothing).map(|words| format!("{words} !*"));
    for pattern in exact.into_iter().chain(wide) {
        let draft = shell_rule(rule, format!("runs {}", string_literal(&pattern, "  ")));
        if findings_of(&draft).is_empty() && fires(&draft, &command) {
            return Some((CommandTest::Pattern(pattern), draft));
        }
    }
    let condition = rule.prefix.unordered_test()?;
    let draft = shell_rule(rule, condition.clone());
    if findings_of(&draft).iter().any(Diagnostic::is_error) || !fires(&draft, &command) {
        return None;
    }
    if rule.prefix.words.len() + rule.prefix.wildcards.len() > 1 {
        findings.rank = NoteRank::Text;
        findings.add_note(rule.source, format!("`{command}`: the words match in any order, which covers more"));
    }
    Some((CommandTest::Condition(condition), draft))
}
