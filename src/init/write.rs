//! Writes a proposal as the text of a policy.

use super::propose::{InitProposal, ProposedPack};
use super::proposed_rules::ProposedRule;
use crate::syntax::{format_list, wrap_text_within};

/// The width of the text: that of a terminal, in which the policy is shown before it is written.
const WIDTH: usize = 80;

/// The comment at the beginning of a proposed policy.
const HEAD: &str = "\
# What agents may do in this project. `rules init` proposed it, and it is yours
# to change: `rules check` finds mistakes and runs the examples, `rules list`
# shows every rule, `rules explain` says why a call was decided as it was.
";

/// Returns the text of a proposed policy.
#[must_use]
pub fn proposal_text(proposal: &InitProposal) -> String {
    let mut blocks = vec![HEAD.to_owned()];
    blocks.extend(proposal.chosen().map(use_text));
    blocks.extend(proposal.rules.iter().map(rule_text));
    blocks.join("\n")
}

/// Returns the `use` of a pack, after a comment with its reasons.
fn use_text(pack: &ProposedPack) -> String {
    let mut text: String =
        wrap_text_within(WIDTH, &pack.why.join(" "), "# ", "# ").into_iter().map(|line| line + "\n").collect();
    text.push_str(&format!("use \"{}\"", pack.pack));
    if !pack.except.is_empty() {
        text.push_str(&format!(" except {}", pack.except.join(", ")));
    }
    if !pack.with.is_empty() {
        let replacements: Vec<String> =
            pack.with.iter().map(|(name, texts)| format!("{name}: {}", format_list(texts, "  "))).collect();
        let on_one_line = format!(" with {{ {} }}", replacements.join(", "));
        let last_line_length = text.lines().last().map_or(0, str::len);
        if !on_one_line.contains('\n') && last_line_length + on_one_line.len() <= WIDTH {
            text.push_str(&on_one_line);
        } else {
            let lines: String = replacements.iter().map(|replacement| format!("  {replacement},\n")).collect();
            text.push_str(&format!(" with {{\n{lines}}}"));
        }
    }
    text.push('\n');
    text
}

/// Returns a rule, after the `let` that it uses.
fn rule_text(rule: &ProposedRule) -> String {
    let mut text = String::new();
    if let Some((docs, name, value)) = &rule.list {
        text.push_str(&format!("## {docs}\nlet {name} = {value}\n\n"));
    }
    text.extend(wrap_text_within(WIDTH, &rule.docs, "## ", "## ").into_iter().map(|line| line + "\n"));
    text.push_str(&format!("rule {} {{\n", rule.name));
    text.extend(rule.clauses.iter().map(|clause| format!("  {clause}\n")));
    text.push('\n');
    text.extend(rule.examples.iter().map(|example| format!("  {example}\n")));
    text.push_str("}\n");
    text
}
