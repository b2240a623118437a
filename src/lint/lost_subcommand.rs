//! A rewrite that takes a command's subcommand away: `rewrite runs "npm (install|ci)" to "npm --ignore-scripts"`.

use std::path::Path;

use super::glob_as_text::shortened;
use super::{Lint, Written};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Effect, Rewrite, Rule};
use crate::span::Span;
use crate::syntax::literal;
use hookrules_shell::{Edit, Pattern, Start, analyse};

pub(super) const LINT: Lint = Lint { codes: &[Code::LOST_SUBCOMMAND], check };

fn check(written: &Written<'_>, rule: &Rule, found: &mut Vec<Diagnostic>) {
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        if let Effect::Rewrite(Rewrite::Runs(edit)) = effect {
            found.extend(of_edit(written, edit, *span));
        }
    }
}

fn of_edit(written: &Written<'_>, edit: &Edit, at: Span) -> Option<Diagnostic> {
    let (from, to) = edit.texts();
    let pattern = Pattern::with(from, edit.programs()).ok()?;
    let lost = pattern.subcommands();
    let result = Pattern::with(&to, edit.programs()).ok()?;
    if lost.is_empty() || result.has_operands() || !result.takes_subcommand() {
        return None;
    }
    let programs = pattern.program_names()?;
    let (program, first) = (programs.first()?, lost.iter().filter_map(|words| words.first().copied()));
    let subcommand: Vec<&str> = first.collect();
    let sample = format!("{program} {} x", subcommand.join(" "));
    let start = Start { cwd: Path::new("/"), home: None };
    let becomes = edit.apply(&sample, &analyse(&sample, &start), &start).ok().flatten()?;
    let ways = ways(&lost);
    let mut words = to.split_whitespace();
    let new = words.next()?;
    let rest: String = words.map(|word| format!(" {word}")).collect();
    let lines: Vec<String> = ways
        .iter()
        .map(|way| {
            let (from, to) = (format!("{program} {way}"), format!("{new} {way}{rest}"));
            format!("rewrite runs {} to {}", literal(&from, ""), literal(&to, ""))
        })
        .collect();
    let help = match lines.as_slice() {
        [only] => format!("name it on both sides: `{only}`"),
        lines => format!("name it on both sides, a line for each: `{}`, …", lines.first()?),
    };
    let finding =
        Diagnostic::new(Code::LOST_SUBCOMMAND, shortened("the rewrite removes `", &subcommand.join(" "), "`"))
            .label(at, format!("`{sample}` becomes `{becomes}`"))
            .help(help);
    // Only what is written as the help writes it is replaced: other words of the pattern would be lost.
    let is_plain = programs.len() == 1 && from.split_whitespace().count() == lost.len() + 1;
    let old = format!("rewrite runs {} to {}", literal(from, ""), literal(&to, ""));
    let place = Span::new(at.file, at.start as usize, at.start as usize + old.len());
    Some(match is_plain && written.text(place) == old {
        true => finding.fix_that_changes(place, lines.join("\n  ")),
        false => finding,
    })
}

/// Returns every way through lists of alternatives.
fn ways(lists: &[Vec<&str>]) -> Vec<String> {
    lists.iter().fold(vec![String::new()], |ways, words| {
        let longer = |way: &String| {
            let join = if way.is_empty() { "" } else { " " };
            words.iter().map(|word| format!("{way}{join}{word}")).collect::<Vec<String>>()
        };
        ways.iter().flat_map(longer).collect()
    })
}
