//! The rule that `--rule` or `--why-not` names: one of the session's policy, or of the policy of a directory in which the
//! call does something.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::CommandOutcome;
use crate::cli::below;
use crate::cli::load::{directory, load_for};
use crate::cli::print::Printer;
use crate::diagnostic::nearest_name;
use crate::escape::line;
use crate::hooks::NestedJudgements;
use crate::policy::Policy;
use crate::project::nested_policies;
use crate::ruleset::{Rule, RuleNames};

/// The most characters of a name that a message shows.
const SHOWN: usize = 60;

/// A rule that is asked about.
pub(super) struct AskedRule {
    /// The policy that has the rule, as an index into the nested judgements; `None` for the session's policy.
    pub(super) nested: Option<usize>,
    /// The index of the rule in its policy.
    pub(super) index: usize,
    pub(super) rule: Arc<Rule>,
}

impl AskedRule {
    /// Finds the rule of this name (see [`RuleNames`]), first in the session's policy. The last part of a name suffices
    /// if it is unique: `force-push` for `std/git/force-push`. A rule of another directory also has the name that
    /// messages and the log have: `no-push (api)`.
    ///
    /// # Errors
    /// No rule or several rules have the name; the message is already printed.
    pub(super) fn find(
        policy: &Policy,
        nested: &NestedJudgements,
        name: &str,
        printer: &mut Printer,
    ) -> Result<Self, CommandOutcome> {
        let names = policy.rule_names(directory(None));
        let mut found = rules_named(policy, &names, None, name);
        if found.is_empty() {
            found = rules_of_other_directories(nested, name);
        }
        let problem = match found.len() {
            1 => return found.pop().ok_or(CommandOutcome::Usage),
            0 => problem_of_name(policy, &names, name),
            _ => {
                let full = |(asked, name): (&Self, String)| match asked.nested.and_then(|at| nested.iter().nth(at)) {
                    Some(judged) => format!("`{name} ({})`", judged.directory),
                    None => format!("`{name}`"),
                };
                let all: Vec<String> =
                    found.iter().map(|asked| full((asked, names.unique_name(&asked.rule)))).collect();
                format!("`{}` may be {}", line(name, SHOWN), all.join(" or "))
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

/// Returns the rules that a name may mean in the policies of the directories in which the call does something.
fn rules_of_other_directories(nested: &NestedJudgements, name: &str) -> Vec<AskedRule> {
    let mut found = Vec::new();
    for (at, judged) in nested.iter().enumerate() {
        let Some(policy) = judged.policy() else { continue };
        let short = match split_directory(name) {
            Some((short, of)) if of == judged.directory => short,
            Some(_) => continue,
            None => name,
        };
        found.extend(rules_named(policy, &policy.rule_names(directory(None)), Some(at), short));
    }
    found
}

/// Splits a name with a directory, `no-push (api)`, into the name and the directory.
fn split_directory(name: &str) -> Option<(&str, &str)> {
    name.strip_suffix(')')?.rsplit_once(" (")
}

/// Returns the problem with a name that no rule has which judges the call.
fn problem_of_name(policy: &Policy, names: &RuleNames, name: &str) -> String {
    if let Some((rule, other)) = rule_elsewhere(name) {
        let rule = line(&rule, SHOWN);
        return format!("`{rule}` of `{other}` does not judge this call, which is not known to do anything there");
    }
    let known: Vec<String> = policy.rules.rules().iter().map(|rule| names.unique_name(rule)).collect();
    let short = known.iter().map(|name| name.rsplit('/').next().unwrap_or_default());
    let advice = match nearest_name(name, known.iter().map(String::as_str).chain(short)) {
        Some(near) => format!("`{near}` exists"),
        None => "`rules list` lists them".to_owned(),
    };
    format!("unknown rule `{}`; {advice}", line(name, SHOWN))
}

/// Returns the name and the directory of a rule that only a policy below has, given its name with or without the directory.
fn rule_elsewhere(name: &str) -> Option<(String, String)> {
    let here = directory(None)?;
    let path = || name.rsplit_once('/').filter(|_| RuleNames::is_path(name)).map(|(other, rule)| (rule, other));
    let (rule, directories) = match split_directory(name).or_else(path) {
        Some((rule, other)) => (rule, vec![here.join(other.trim_start_matches("./"))]),
        None => (name, nested_policies(&here).directories),
    };
    let has_it = |other: &PathBuf| {
        let policy = load_for(Some(other.clone()));
        policy.rules.rules().iter().any(|known| known.name == rule)
    };
    let found = directories.into_iter().find(has_it)?;
    Some((rule.to_owned(), below::name(&found, &here)))
}
