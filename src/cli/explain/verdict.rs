//! The headline with the decision and its message, and the other effects of the verdict.

use serde_json::Value as Json;

use crate::cli::print::{Printer, Style, count};
use crate::context::Context;
use crate::escape;
use crate::verdict::{Author, Decision, Message, Verdict};
use crate::wrap::truncate;

/// The maximum number of characters shown of one line of foreign text, such as a command or a value.
const MAX_LINE_CHARS: usize = 400;

/// The maximum number of lines shown of a command that the policy would run.
const MAX_RUN_LINES: usize = 8;

/// The maximum number of rules named in a list; the rest are counted.
const MAX_NAMED: usize = 3;

/// Prints the decision, the rules that made it, its message, and the tool records by which the call was understood.
pub(super) fn headline(context: &Context<'_>, verdict: &Verdict, printer: &mut Printer) {
    let decision = verdict.decision();
    let style = match decision {
        Decision::Pass => Style::Dim,
        Decision::Allow => Style::Green,
        Decision::Ask => Style::Yellow,
        Decision::Deny | Decision::Halt => Style::Red,
    };
    let subject = context.head_subject().map(|subject| format!("({})", escape::line(subject, 80))).unwrap_or_default();
    // The name of a stopped subagent comes from its transcript.
    if let Some(problem) = context.transcript_problem() {
        printer
            .err(&format!("rules: it is not known which subagent stopped: {}\n", escape::line(&problem, usize::MAX)));
    }
    let event = printer.paint(Style::Bold, &format!("{}{subject}", context.payload().event.name()));
    // As in the message, certain votes come first.
    let mut winners: Vec<_> = verdict.winning_votes().collect();
    winners.sort_by_key(|vote| matches!(vote.message, Message::Doubt(_)));
    let mut note = match join_first_names(winners.iter().map(|vote| author_name(&vote.author))) {
        // A rewrite is not a vote: the host decides about the rewritten call.
        None if verdict.updated_input.is_some() => ": rewritten, and no rule votes, so the host decides".to_owned(),
        None => match effect_summary(verdict) {
            Some(what) => format!(": {what}, and no rule votes, so the host decides"),
            None => ": no rule votes, the host decides".to_owned(),
        },
        Some(who) => format!(", by {who}"),
    };
    if let Some(rules) = gate_names(verdict) {
        note.push_str(&format!(", unless a command of {rules} refuses"));
    }
    let plain = format!("{}{subject} {} {}", context.payload().event.name(), printer.signs().arrow, decision.keyword());
    let (first, rest) = match printer.wrapped(&plain, "  ", &note) {
        line if line.lines().count() == 1 => (note, String::new()),
        _ => (String::new(), printer.wrapped("  ", "  ", note.trim_start_matches([',', ':', ' ']))),
    };
    let word = printer.paint(style, decision.keyword());
    printer.out(&format!("{event} {} {word}{first}\n{rest}", printer.signs().arrow));
    for line in verdict.message().lines() {
        printer.out(&printer.wrapped("  ", "    ", line));
    }
    print_tool_records(context, printer);
    if verdict.winning_votes().any(|vote| vote.author == Author::Program) {
        printer.out(&format!("  {}\n", printer.paint(Style::Dim, "the hook itself says so, whatever the rules say")));
    }
}

/// Prints which tool records describe the call's tool, and the shell commands to which they translate the call.
fn print_tool_records(context: &Context<'_>, printer: &mut Printer) {
    for origin in context.call().record_origins() {
        let note = match context.call().recorded_commands() {
            commands if commands.is_empty() => format!("read by the record of {origin}"),
            commands => {
                let commands: Vec<_> =
                    commands.iter().map(|command| format!("`{}`", escape::line(command, MAX_LINE_CHARS))).collect();
                format!("read as {} by the record of {origin}", commands.join(" and "))
            }
        };
        let note = printer.wrapped("  ", "    ", &note);
        printer.out(&format!("{}\n", printer.paint(Style::Dim, note.trim_end())));
    }
}

/// Returns the names of the rules whose commands may still block the call; `None` if there are none, the call is
/// already denied, or the event cannot be denied.
fn gate_names(verdict: &Verdict) -> Option<String> {
    if verdict.decision() >= Decision::Deny || !verdict.event.spec().answers.deny {
        return None;
    }
    join_first_names(verdict.runs.iter().filter(|run| run.options.can_block()).map(|run| run.rule.as_str()))
}

/// Names the kinds of effects of a verdict that are not votes; `None` if there are none. Marks are listed elsewhere.
fn effect_summary(verdict: &Verdict) -> Option<String> {
    let kinds = [
        (!verdict.contexts.is_empty(), "a context for the agent"),
        (!verdict.warnings.is_empty(), "a warning for the user"),
        (verdict.updated_output.is_some(), "another output"),
        // A command that may refuse is named behind the decision.
        (verdict.runs.iter().any(|run| !run.options.can_block()), "a command to run"),
        (!verdict.notifications.is_empty(), "a notification"),
        (!verdict.records.is_empty(), "a record"),
    ];
    let named: Vec<&str> = kinds.iter().filter(|(is_there, _)| *is_there).map(|(_, what)| *what).collect();
    match named.split_last()? {
        (last, []) => Some((*last).to_owned()),
        (last, first) => Some(format!("{} and {last}", first.join(", "))),
    }
}

/// Returns the name of a rule or setting, or "the hook itself".
fn author_name(by: &Author) -> &str {
    if *by == Author::Program { "the hook itself" } else { by.name() }
}

/// Joins the first [`MAX_NAMED`] distinct names: `a, b and c`, or `a, b, c and 2 more`. `None` without any name.
fn join_first_names<'n>(all: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for name in all {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let more = names.len().saturating_sub(MAX_NAMED);
    names.truncate(MAX_NAMED);
    match (names.split_last(), more) {
        (None, _) => None,
        (Some((last, [])), 0) => Some((*last).to_owned()),
        (Some((last, first)), 0) => Some(format!("{} and {last}", first.join(", "))),
        (Some(_), more) => Some(format!("{} and {more} more", names.join(", "))),
    }
}

/// Prints the effects other than the decision: context, warnings, exit codes, rewrites, commands, notifications,
/// records.
pub(super) fn effects(context: &Context<'_>, verdict: &Verdict, printer: &mut Printer) {
    for (word, texts) in [("context", &verdict.contexts), ("warn", &verdict.warnings)] {
        for note in texts {
            print_text(&format!("{word} by {}", note.author), &note.text, usize::MAX, printer);
        }
    }
    for exit in &verdict.exits {
        print_text(&format!("exit {} by {}", exit.code, exit.rule), &exit.message, usize::MAX, printer);
    }
    if let Some(output) = &verdict.updated_output {
        print_becomes("output", output, printer);
    }
    if let Some(input) = &verdict.updated_input {
        print_becomes("input", input, printer);
        let member = context.call().command_member().unwrap_or_default();
        let command = |input: Option<&Json>| input.and_then(|input| input.get(member)?.as_str().map(str::to_owned));
        if let (Some(before), Some(after)) = (command(context.payload().tool_input()), command(Some(input))) {
            print_command_difference(&before, &after, printer);
        }
    }
    for run in &verdict.runs {
        print_text(&format!("run by {}", run.rule), &run.source_text, MAX_RUN_LINES, printer);
    }
    for notification in &verdict.notifications {
        let text = format!("notify by {}: {}", notification.author, notification.title);
        printer.out(&printer.wrapped("  ", "    ", &text));
        if !notification.body.trim().is_empty() {
            printer.out(&printer.wrapped("    ", "    ", &escape::line(&notification.body, MAX_LINE_CHARS)));
        }
    }
    for record in &verdict.records {
        let field = |(key, value): (&String, &Json)| match record.times.contains(key) {
            true => format!("{key}: the time of writing"),
            false => format!("{key}: {}", escape::line(&value.to_string(), MAX_LINE_CHARS)),
        };
        let fields: Vec<String> = record.fields.iter().map(field).collect();
        let fields = if fields.is_empty() { String::new() } else { format!(" {{ {} }}", fields.join(", ")) };
        printer.out(&printer.wrapped("  ", "    ", &format!("record by {}: {}{fields}", record.rule, record.file)));
    }
}

/// Prints the value that the input or output of a tool is changed to, cut to one line.
fn print_becomes(what: &str, value: &Json, printer: &mut Printer) {
    let text = escape::line(&format!("the {what} becomes {value}"), MAX_LINE_CHARS);
    printer.out(&format!("  {}\n", truncate(&text, printer.width() - 2, printer.signs().more)));
}

/// Prints the text of an effect: after its label if it is one line, otherwise below it, up to `limit` lines.
fn print_text(what: &str, text: &str, limit: usize, printer: &mut Printer) {
    let text = text.trim_end();
    if !text.contains('\n') {
        printer.out(&printer.wrapped("  ", "    ", &format!("{what}: {text}")));
        return;
    }
    printer.out(&format!("  {what}:\n"));
    let lines: Vec<&str> = text.lines().collect();
    for line in lines.iter().take(limit) {
        let line = truncate(&escape::line(line, MAX_LINE_CHARS), printer.width() - 4, printer.signs().more);
        printer.out(&format!("    {line}\n"));
    }
    if let Some(more) = lines.len().checked_sub(limit).filter(|more| *more > 0) {
        printer.out(&format!("    {} and {}\n", printer.signs().more, count(more, "more line")));
    }
}

/// Prints the removed (`-`) and added (`+`) lines of a rewritten command. If the numbers of lines differ, prints all
/// lines.
fn print_command_difference(before: &str, after: &str, printer: &mut Printer) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let is_same = |index: usize| old.len() == new.len() && old.get(index) == new.get(index);
    for (lines, sign, style) in [(&old, '-', Style::Red), (&new, '+', Style::Green)] {
        for (_, line) in lines.iter().enumerate().filter(|(index, _)| !is_same(*index)) {
            let line = format!("{sign} {}", escape::line(line, MAX_LINE_CHARS));
            let line = truncate(&line, printer.width() - 4, printer.signs().more);
            printer.out(&format!("    {}\n", printer.paint(style, &line)));
        }
    }
}
