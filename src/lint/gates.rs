//! Finds commands that check something although their result decides nothing: they have no `on_fail`, or are next to a
//! vote.

use std::path::Path;

use super::glob_as_text::shortened;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Effect, Rule, RunCommand, RunSpec};
use crate::schema::Event;
use crate::span::Span;
use crate::syntax::string_literal;
use crate::verdict::{Decision, OutputKind};
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::project::project_use;
use hookrules_shell::{StartDirectories, Word, analyse};

pub(super) const LINT: Lint = Lint { codes: &[Code::GATE_WITHOUT_ON_FAIL, Code::VOTE_BESIDE_CHECK], check };

/// Reports each foreground `run` whose result cannot change the decision: the vote is the same either way, or it has no
/// `on_fail`.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
        let Effect::Run(run) = effect else { continue };
        if run.options.background {
            continue;
        }
        match vote_regardless_of_result(rule, run) {
            Some(vote) => findings.push(fixed_vote_finding(rule, run, *span, vote)),
            None => findings.extend(missing_on_fail_finding(written, rule, run, *span)),
        }
    }
}

/// The decision of a vote effect, and the span of the effect.
type SpannedVote = (Decision, Span);

/// Returns the vote of a rule if the result of its checking command cannot change the decision; `None` if it can, or if
/// there is no vote.
fn vote_regardless_of_result(rule: &Rule, run: &RunSpec) -> Option<SpannedVote> {
    let mut votes = rule.effects.iter().zip(rule.effect_spans.iter());
    let vote = votes.find_map(|(effect, span)| match effect {
        Effect::Vote { decision, .. } => Some((*decision, *span)),
        _ => None,
    })?;
    let is_overruled = match vote.0 {
        Decision::Deny | Decision::Halt => run.is_gate() || is_check(run),
        // A command that can deny is stricter than an `allow` or `ask`, so its result counts.
        _ => !run.is_gate() && is_check(run),
    };
    is_overruled.then_some(vote)
}

/// Returns the finding about a vote that is cast whatever the check's result is.
fn fixed_vote_finding(rule: &Rule, run: &RunSpec, run_span: Span, (decision, vote_span): SpannedVote) -> Diagnostic {
    let word = decision.keyword();
    let finding = Diagnostic::new(Code::VOTE_BESIDE_CHECK, format!("`{word}` does not wait for the command beside it"))
        .label(vote_span, format!("`{}` votes so whatever the command comes to", rule.name))
        .label(run_span, "runs beside it, and decides nothing");
    // A list is not shown in the help, because its words are not shell text.
    let shown = match run.command {
        RunCommand::Shell(..) => shortened("", &run.shown, ""),
        RunCommand::Argv(_) => "…".to_owned(),
    };
    let help = match decision {
        Decision::Deny | Decision::Halt => format!(
            "remove the `{word}` and let the command decide: `run \"{shown}\" {{ on_fail: deny, message: \"…\" }}` denies if \
             it fails, and with `! ` in front of it, if it succeeds"
        ),
        _ => format!("let the command decide: `run \"{shown}\" {{ on_fail: deny }}` denies if it fails"),
    };
    finding.help(help)
}

/// Returns the finding about a check without `on_fail` on an event that can be denied; `None` if the output or
/// `on_fail` shows that the author considered a failure.
fn missing_on_fail_finding(
    written: &SourceTexts<'_>,
    rule: &Rule,
    run: &RunSpec,
    run_span: Span,
) -> Option<Diagnostic> {
    let is_gate = |event: &Event| event.spec().answers.deny && *event != Event::SubagentStart;
    let event = rule.head.event_set().into_iter().find(is_gate).filter(|_| !rule.head.every_event)?;
    // An author who shows the output has decided who is to read it.
    let is_shown = run.options.show_stdout || run.options.show_stderr;
    if run.options.on_fail.is_some() || run.options.output != OutputKind::Text || is_shown || !is_check(run) {
        return None;
    }
    let label = match event {
        Event::SubagentStop => "whatever it exits with, the subagent stops",
        _ => "only exit code 2 denies, and a check that fails exits with 1",
    };
    let finding =
        Diagnostic::new(Code::GATE_WITHOUT_ON_FAIL, shortened("`", &run.shown, "` decides nothing when it fails"))
            .label(run_span, label)
            .help("write `{ on_fail: deny }`, or `on_fail: warn` or `ignore` if work is to go on");
    let is_fixable = rule.head.event_set().into_iter().all(|event| is_gate(&event));
    // In the source, the command follows the keyword, and the options, if any, follow the command.
    let command = string_literal(&run.shown, "");
    let start = run_span.end as usize + 1;
    let command_span = Span::new(run_span.file, start, start + command.len());
    let options_start = Span::new(run_span.file, command_span.end as usize, command_span.end as usize + 2);
    if !is_fixable || !matches!(run.command, RunCommand::Shell(..)) || written.text(command_span) != command {
        return Some(finding);
    }
    Some(match written.text(options_start) {
        " {" => finding.fix_that_changes(options_start, " { on_fail: deny,"),
        _ => finding.fix_that_changes(command_span, format!("{command} {{ on_fail: deny }}")),
    })
}

/// Words that mark a task or subcommand as a check if they are in its name.
const CHECK_WORDS: &[&str] =
    &["audit", "check", "clippy", "lint", "test", "tests", "typecheck", "validate", "verify", "vet"];

/// Whether the last command of a `run` is a check whose exit code is the result: the text has no `exit` and no `||`.
fn is_check(run: &RunSpec) -> bool {
    let text = &run.shown;
    if matches!(run.command, RunCommand::Shell(..)) && (text.contains("exit ") || text.contains("||")) {
        return false;
    }
    let analysis = analyse(text, &StartDirectories { cwd: Path::new("/"), home: None });
    // The result is that of the last command: `npm test; true` always succeeds.
    let outermost =
        analysis.commands.iter().rposition(|command| command.outer_commands.is_empty() && !command.in_substitution);
    let last = outermost.and_then(|at| analysis.commands.get(at..)).unwrap_or_default();
    last.iter().any(is_check_command)
}

/// Whether a command is a check: by the record of its program, by its subcommand, or by the task that it runs.
fn is_check_command(command: &SimpleCommand) -> bool {
    let argv = command.argv();
    // `[[` is shell syntax, always a check, and has no record.
    let Some(name) = argv.name.filter(|name| *name != "[[") else { return argv.name.is_some() };
    let words: Vec<&str> = command.words.iter().filter_map(Word::known_text).collect();
    let operands: Vec<&str> =
        argv.subcommands.iter().chain(argv.operands.iter()).map_while(|word| word.known_text()).collect();
    let task_use = project_use(name, &operands);
    let names_check = |word: &&str| word.split([':', '-', '_', '.', '/']).any(|part| CHECK_WORDS.contains(&part));
    let mut subcommands = argv.subcommands.iter().filter_map(|word| word.known_text());
    // A failure with code 2 denies without `on_fail`.
    if task_use.fails_with == Some(2) {
        return false;
    }
    task_use.checks.is_met(&words)
        || subcommands.any(|word| names_check(&word))
        || task_use.task_names(&operands).iter().any(names_check)
}
