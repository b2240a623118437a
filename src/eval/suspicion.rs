//! Compares a command whose program is unknown with a rule that may be about it.

use std::collections::BTreeSet;

use crate::context::Context;
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Rule};
use crate::verdict::Suspicion;
use hookrules_shell::pattern::PossibleProgram;
use hookrules_shell::word::Word;

/// Returns what a call that a rule cannot judge has in common with the rule. Only a command with an unknown program
/// makes that vague: then it is a subcommand, or nothing.
pub(super) fn suspicion(rule: &Rule, context: &Context<'_>) -> Suspicion {
    let Some(shell) = context.shell_text() else { return Suspicion::Particular };
    let commands = shell.analysis.iter().map(|(_, command)| command);
    let mut unknown = commands.filter(|command| command.possible_program() == PossibleProgram::Anything).peekable();
    if unknown.peek().is_none() {
        return Suspicion::Particular;
    }
    let words: BTreeSet<&str> = unknown.flat_map(|command| command.words.iter().filter_map(Word::known_text)).collect();
    let mut is_shared = false;
    for condition in rule.when.iter().chain(&rule.unless) {
        condition.visit_tests(&mut |test, _| is_shared = is_shared || shares_subcommand(test, &words));
    }
    if is_shared { Suspicion::SharedWord } else { Suspicion::AnyProgram }
}

/// Whether a pattern of a test has subcommands, and all of them are among `words`.
fn shares_subcommand(test: &Condition, words: &BTreeSet<&str>) -> bool {
    let ConditionExpr::Command(CommandTest::Runs { patterns, .. }) = &test.kind else { return false };
    patterns.iter().any(|pattern| {
        let subcommands = pattern.subcommands();
        !subcommands.is_empty()
            && subcommands.iter().all(|alternatives| alternatives.iter().any(|name| words.contains(name)))
    })
}
