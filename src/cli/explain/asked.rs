//! The rule that `--rule` or `--why-not` names, in the session's policy or in a nested one that judges the call.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::CommandOutcome;
use crate::cli::below;
use crate::cli::load::{current_directory, load_for};
use crate::cli::print::Printer;
use crate::diagnostic::nearest_name;
use crate::escape::line;
use crate::hooks::NestedJudgements;
use crate::policy::Policy;
use crate::project::nested_policies;
use crate::ruleset::{Rule, RuleNames};

/// The maximum number of characters of a name that a message shows.
const MAX_NAME_CHARS: usize = 60;

/// The rule that `--rule` or `--why-not` names.
pub(super) struct AskedRule {
    /// The policy that has the rule, as an index into the nested judgements; `None` for the session's policy.
    pub(super) nested: Option<usize>,
    /// The index of the rule in its policy.
    pub(super) index: usize,
    pub(super) rule: Arc<Rule>,
}

impl AskedRule {
    /// Finds the rule of this name (see [`RuleNames`]), first in the session's policy. The last part of a name suffices
    /// if it is unique: `force-push` for `std/git/force-push`. A rule of a nested policy may also be given as in
    /// messages and the log, with its directory: `no-push (api)`.
    ///
    /// # Errors
    /// No rule or several rules have the name; the message is already printed.
    pub(super) fn find(
        policy: &Policy,
        nested: &NestedJudgements,
        name: &str,
        printer: &mut Printer,
    ) -> Result<Self, CommandOutcome> {
        let names = policy.rule_names(current_directory());
        let mut found = rules_named(policy, &names, None, name);
        if found.is_empty() {
            found = nested_rules_named(nested, name);
        }
        let problem = match found.len() {
            1 => return found.pop().ok_or(CommandOutcome::Usage),
            0 => describe_unknown_name(policy, &names, name),
            _ => {
                let full_name = |asked: &Self| {
                    let name = names.unique_name(&asked.rule);
                    match asked.nested.and_then(|index| nested.iter().nth(index)) {
                        Some(judged) => format!("`{name} ({})`", judged.directory),
                        None => format!("`{name}`"),
                    }
                };
                let candidates: Vec<String> = found.iter().map(full_name).collect();
                format!("`{}` may be {}", line(name, MAX_NAME_CHARS), candidates.join(" or "))
            }
        };
        printer.err(&printer.wrapped("", "  ", &format!("rules: {problem}")));
        Err(CommandOutcome::Usage)
    }
}

/// Returns the rules of a policy that a name may mean.
fn rules_named(policy: &Policy, names: &RuleNames, nested: Option<usize>, name: &str) -> Vec<AskedRule> {
    let found = names.find(policy.rules.rules(), name).into_iter();
    found.map(|(index, rule)| AskedRule { nested, index, rule: rule.clone() }).collect()
}

/// Returns the rules of the nested policies that a name may mean.
fn nested_rules_named(nested: &NestedJudgements, name: &str) -> Vec<AskedRule> {
    let mut found = Vec::new();
    for (index, judged) in nested.iter().enumerate() {
        let Some(policy) = judged.policy() else { continue };
        let short = match split_directory(name) {
            Some((short, directory)) if directory == judged.directory => short,
            Some(_) => continue,
            None => name,
        };
        found.extend(rules_named(policy, &policy.rule_names(current_directory()), Some(index), short));
    }
    found
}

/// Splits a name with a directory, `no-push (api)`, into the name and the directory.
fn split_directory(name: &str) -> Option<(&str, &str)> {
    name.strip_suffix(')')?.rsplit_once(" (")
}

/// Returns the message that no rule which judges the call has this name, and what exists instead.
fn describe_unknown_name(policy: &Policy, names: &RuleNames, name: &str) -> String {
    if let Some((rule, other)) = rule_elsewhere(name) {
        let rule = line(&rule, MAX_NAME_CHARS);
        return format!("`{rule}` of `{other}` does not judge this call, which is not known to do anything there");
    }
    let known: Vec<String> = policy.rules.rules().iter().map(|rule| names.unique_name(rule)).collect();
    let short = known.iter().map(|name| name.rsplit('/').next().unwrap_or_default());
    let advice = match nearest_name(name, known.iter().map(String::as_str).chain(short)) {
        Some(near) => format!("`{near}` exists"),
        None => "`rules list` lists them".to_owned(),
    };
    format!("unknown rule `{}`; {advice}", line(name, MAX_NAME_CHARS))
}

/// Finds a rule in the policies below the current directory, by its name with or without a directory. Returns the name
/// and the directory, relative to the current one.
fn rule_elsewhere(name: &str) -> Option<(String, String)> {
    let here = current_directory()?;
    let path = || name.rsplit_once('/').filter(|_| RuleNames::is_path(name)).map(|(other, rule)| (rule, other));
    let (rule, directories) = match split_directory(name).or_else(path) {
        Some((rule, other)) => (rule, vec![here.join(other.trim_start_matches("./"))]),
        None => (name, nested_policies(&here).directories),
    };
    let has_rule = |other: &PathBuf| {
        let policy = load_for(Some(other.clone()));
        policy.rules.rules().iter().any(|known| known.name == rule)
    };
    let found = directories.into_iter().find(has_rule)?;
    Some((rule.to_owned(), below::name(&found, &here)))
}
