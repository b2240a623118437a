//! Notes before and after an answer: how the typed text was understood, and in which project it was judged.

use super::{ExplainArgs, ExplainDetail, input};
use crate::cli::load::current_directory;
use crate::cli::print::{Printer, Style, count};
use crate::context::Context;
use crate::escape::line;
use crate::platform::paths;
use crate::policy::Policy;
use crate::schema::tool_by_foreign_name;

/// Warns if `--all` or `--quiet` was taken as an option of `rules explain` but may belong to the typed command, as in
/// `git push --all`.
pub(super) fn warn_about_options(args: &ExplainArgs, printer: &mut Printer) {
    let typed = args.call.join(" ");
    let option = match (args.all, args.quiet) {
        (true, _) => "`--all` (`-v`)",
        (_, true) => "`--quiet` (`-q`)",
        _ => return,
    };
    if args.is_option_after_call && args.call.len() > 1 && !typed.contains(['"', '\'', '{']) {
        let note = format!(
            "{option} is read as an option of `rules explain`; where it is one of the command, put the command in quotes: \
             rules explain '{} …'",
            line(&typed, 60)
        );
        printer.err(&printer.wrapped("", "  ", &printer.displayable(&note)));
    }
}

/// Warns if the typed text is the name of a rule: it was judged as a command, and the user hardly meant that.
pub(super) fn warn_about_rule_name(args: &ExplainArgs, policy: &Policy, printer: &mut Printer) {
    let [word] = args.call.as_slice() else { return };
    if let Some((_, rule)) = policy.rule_names(None).find(policy.rules.rules(), word).first() {
        let note = format!(
            "`{word}` is a rule, and is judged here as a command; `rules list {word}` shows the rule, and `--rule {}` \
             what a call is to it",
            policy.rule_names(current_directory()).unique_name(rule)
        );
        printer.err(&printer.wrapped("", "  ", &note));
    }
}

/// Warns if the typed text looks like a call (`Shell "ls"`), but its first word is not the name of a tool or event,
/// so that it was judged as a command.
pub(super) fn warn_about_tool(args: &ExplainArgs, printer: &mut Printer) {
    let [typed] = args.call.as_slice() else { return };
    let Some((name, rest)) = typed.trim().split_once(' ') else { return };
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase()) && name.bytes().all(|b| b.is_ascii_alphanumeric());
    let rest = rest.trim_start();
    if !is_name || !rest.starts_with('"') || !rest.ends_with(['"', '}']) || input::is_known(name) {
        return;
    }
    let meant = match tool_by_foreign_name(name) {
        Some(tool) => format!("; `{tool}` is its name here: rules explain '{tool} {}'", line(rest, 60)),
        None => "; `rules list --events` lists the events, and the book the tools".to_owned(),
    };
    let note = format!("`{name}` is no tool and no event, and is judged here as a command{meant}");
    printer.err(&printer.wrapped("", "  ", &printer.displayable(&note)));
}

/// Prints in which project the event was judged and, with `--all`, how many rules `on` and `by` selected.
pub(super) fn footer(
    policy: &Policy,
    context: &Context<'_>,
    selected: usize,
    shown: ExplainDetail,
    printer: &mut Printer,
) {
    let mut lines = Vec::new();
    if shown == ExplainDetail::All {
        let total = count(policy.rules.count_without_marks(), "rule");
        lines.push(format!("{selected} of {total} selected by `on` and `by`"));
    }
    let project =
        context.machine().roots().project.as_ref().map(|project| format!("in the project {}", paths::shown(project)));
    lines.push(format!("judged {}", project.unwrap_or_else(|| "without a project".to_owned())));
    printer.out("\n");
    for line in lines {
        printer.out(&format!("{}\n", printer.paint(Style::Dim, &line)));
    }
}
