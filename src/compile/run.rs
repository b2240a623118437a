//! Compiles `run …`: the command, the placeholders in it, and the options.

use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ArgvWord, RunCommand, RunSpec, ValueReference};
use crate::schema::Event;
use crate::shell_text::{self, PlaceholderProblem};
use crate::span::Span;
use crate::syntax::ast::{self, EffectKind};
use crate::verdict::{OnFail, OutputKind, RunOptions, STANDARD_VARIABLES, Stdin};
use hookrules_shell::quote;

use super::options::EffectOptions;
use super::template::TextScope;

/// The default number of times that a gate may deny a stop.
const DEFAULT_ATTEMPTS: u32 = 3;

/// The names of all options.
pub(super) const OPTIONS: &[&str] = &[
    "timeout",
    "show_stdout",
    "show_stderr",
    "max_output_lines",
    "message",
    "on_fail",
    "notify",
    "cwd",
    "env",
    "background",
    "stdin",
    "output",
    "attempts",
];

/// Compiles a `run`; `None` if an error was reported.
pub(super) fn compile_run<'a>(
    texts: &TextScope<'_, 'a>,
    effect: &'a ast::AstEffect,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<RunSpec> {
    let mut findings = Vec::new();
    let spec = build_run(texts, effect, &mut findings);
    let is_complete = !findings.iter().any(Diagnostic::is_error);
    diagnostics.append(&mut findings);
    spec.filter(|_| is_complete)
}

/// The values of `on_fail`.
const ON_FAIL: &[(&str, OnFail)] = &[
    ("ignore", OnFail::Ignore),
    ("warn", OnFail::Warn),
    ("context", OnFail::Context),
    ("ask", OnFail::Ask),
    ("deny", OnFail::Deny),
];

/// Compiles a `run`. After an error, the result may be incomplete.
fn build_run<'a>(
    texts: &TextScope<'_, 'a>,
    effect: &'a ast::AstEffect,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<RunSpec> {
    let is_env = |entry: &ast::MapEntry| matches!(&entry.key, ast::MapKey::Name(name) if name.text() == "env");
    let has_env = effect.options.iter().flat_map(|map| &map.entries).any(is_env);
    let (command, shown) = match &effect.kind {
        EffectKind::RunShell(text) => {
            if !has_env {
                texts.shell_variables(text, diagnostics);
                texts.hook_variables(text, diagnostics);
            }
            texts.raw_placeholders(text, diagnostics);
            (shell_command(texts, text, diagnostics), text.value.clone())
        }
        EffectKind::RunArgv(words, span) => {
            if words.first().is_none_or(|word| word.value.is_empty()) {
                diagnostics.push(no_program(*span));
            }
            let shown = words.iter().map(|word| word.value.as_str()).collect::<Vec<_>>().join(" ");
            (Some(argv_command(texts, words, diagnostics)), shown)
        }
        _ => return None,
    };
    let command_text = if has_env { text_without_values(effect, command.as_ref()) } else { String::new() };
    let options = EffectOptions::new(effect.options.as_ref(), "run", OPTIONS, diagnostics);
    let on_fail = options.keyword("on_fail", ON_FAIL, diagnostics);
    let output = [("text", OutputKind::Text), ("context", OutputKind::Context), ("hook", OutputKind::Hook)];
    let output = options.keyword("output", &output, diagnostics).unwrap_or(OutputKind::Text);
    let stdin = options.keyword("stdin", &[("payload", Stdin::Payload), ("none", Stdin::None)], diagnostics);
    let spec = RunSpec {
        command: command.unwrap_or(RunCommand::Argv(Vec::new())),
        shown,
        timeout: options.duration("timeout", diagnostics),
        message: options.text("message", diagnostics).map(|text| texts.message(text, diagnostics)),
        cwd: options.text("cwd", diagnostics).map(|text| texts.template(text, diagnostics)),
        env: environment(texts, &options, &command_text, diagnostics),
        options: RunOptions {
            show_stdout: options.flag("show_stdout", diagnostics),
            show_stderr: options.flag("show_stderr", diagnostics),
            max_output_lines: options.count("max_output_lines", diagnostics).map(|count| count as usize),
            on_fail,
            notify: options.flag("notify", diagnostics),
            background: options.flag("background", diagnostics),
            stdin: stdin.unwrap_or(Stdin::Payload),
            output,
            attempts: options.count("attempts", diagnostics).unwrap_or(DEFAULT_ATTEMPTS),
        },
    };
    check_options(texts, &options, &spec, effect, diagnostics);
    Some(spec)
}

/// Compiles the script of `run "…"`; reports placeholders at positions where a value could be read as code.
fn shell_command<'a>(
    texts: &TextScope<'_, 'a>,
    text: &'a ast::StringLiteral,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<RunCommand> {
    if text.value.trim().is_empty() {
        diagnostics.push(
            Diagnostic::new(Code::BAD_VALUE, "`run` without a command")
                .label(text.span, "nothing to run")
                .help("write the command"),
        );
        return None;
    }
    // Braces that do not contain the name of a field remain text for the shell.
    let mut resolved = text.clone();
    let mut sources: Vec<ValueReference> = Vec::new();
    resolved.placeholders.retain(|placeholder| match texts.placeholder(placeholder, diagnostics) {
        Some(source) => {
            sources.push(source);
            true
        }
        None => false,
    });
    match shell_text::analyse(&resolved, texts.names.programs(text.span)) {
        Ok(template) => Some(RunCommand::Shell(template, sources)),
        Err(problems) => {
            diagnostics.extend(problems.iter().map(PlaceholderProblem::diagnostic));
            None
        }
    }
}

/// Compiles the words of `run ["program", …]`. A word that is a single placeholder becomes one word per value.
fn argv_command<'a>(
    texts: &TextScope<'_, 'a>,
    words: &'a [ast::StringLiteral],
    diagnostics: &mut Vec<Diagnostic>,
) -> RunCommand {
    texts.variables_in_list(words, diagnostics);
    let mut checked_words = words.to_vec();
    let mut argv = Vec::new();
    for (word, checked) in words.iter().zip(&mut checked_words) {
        let is_value = matches!(word.placeholders.as_slice(), [only] if only.range == (0..word.value.len()));
        let source = word.placeholders.first().filter(|_| is_value);
        match source.and_then(|placeholder| texts.placeholder(placeholder, diagnostics)) {
            Some(source) => argv.push(ArgvWord::Values(source)),
            None => {
                // Braces that do not contain the name of a field remain text, both here and in the check.
                checked.placeholders.retain(|placeholder| texts.placeholder(placeholder, &mut Vec::new()).is_some());
                argv.push(ArgvWord::Text(texts.argument(word, diagnostics)));
            }
        }
    }
    let programs = texts.names.programs(words.first().map(|word| word.span).unwrap_or_default());
    let check = shell_text::check_argv(&checked_words, programs);
    diagnostics.extend(check.problems.iter().map(PlaceholderProblem::diagnostic));
    for index in check.single_words {
        if let (Some(word), Some(compiled @ ArgvWord::Values(_))) = (words.get(index), argv.get_mut(index)) {
            *compiled = ArgvWord::Text(texts.argument(word, &mut Vec::new()));
        }
    }
    RunCommand::Argv(argv)
}

/// Compiles the option `env`; reports variables that cannot be set. `command` is the text of the command, without the
/// values of placeholders.
fn environment<'a>(
    texts: &TextScope<'_, 'a>,
    options: &EffectOptions<'a>,
    command: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> std::collections::BTreeMap<String, crate::ruleset::Template> {
    let mut out = std::collections::BTreeMap::new();
    let set = options.map("env", diagnostics);
    let variables: Vec<(&str, &ast::StringLiteral)> = set.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let programs = texts.names.programs(variables.first().map(|(_, text)| text.span).unwrap_or_default());
    diagnostics.extend(
        shell_text::check_environment(command, &variables, programs).iter().map(PlaceholderProblem::diagnostic),
    );
    for (name, text) in set {
        let valid = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !name.starts_with(|c: char| c.is_ascii_digit());
        if STANDARD_VARIABLES.contains(&name.as_str()) || !valid {
            let why =
                if valid { "every command already gets it from the payload" } else { "not the name of a variable" };
            diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, format!("`{name}` cannot be set"))
                    .label(text.span, why)
                    .help("choose another name"),
            );
            continue;
        }
        diagnostics.extend(shell_text::check_variable(&name, text).iter().map(PlaceholderProblem::diagnostic));
        out.insert(name, texts.template(text, diagnostics));
    }
    out
}

/// Returns the finding about a `run` with an empty program.
fn no_program(span: Span) -> Diagnostic {
    Diagnostic::new(Code::BAD_VALUE, "`run` without a program")
        .label(span, "nothing to run")
        .help("write [\"program\", \"argument\"]")
}

/// Returns the command as shell text, without the values of its placeholders.
fn text_without_values(effect: &ast::AstEffect, command: Option<&RunCommand>) -> String {
    match (&effect.kind, command) {
        (_, Some(RunCommand::Shell(template, _))) => shell_text::command_text(template),
        (EffectKind::RunArgv(words, _), _) => words.iter().map(|word| quote(&word.value)).collect::<Vec<_>>().join(" "),
        _ => String::new(),
    }
}

/// Reports options that contradict each other, or that no event of the head supports.
fn check_options(
    texts: &TextScope<'_, '_>,
    options: &EffectOptions<'_>,
    spec: &RunSpec,
    effect: &ast::AstEffect,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let at = |name: &str| options.get(name).map_or(effect.verb, |value| value.span);
    for event in texts.head.event_set() {
        check_answers(event, &spec.options, at, diagnostics);
    }
    let uses_result = [
        ("on_fail", spec.options.on_fail.is_some_and(|on_fail| on_fail != OnFail::Ignore)),
        ("output", spec.options.output != OutputKind::Text),
        ("show_stdout", spec.options.show_stdout),
        ("show_stderr", spec.options.show_stderr),
        ("max_output_lines", spec.options.max_output_lines.is_some()),
        ("attempts", options.get("attempts").is_some()),
    ];
    if spec.options.background && uses_result.iter().any(|(_, is_set)| *is_set) {
        let found = Diagnostic::new(Code::CONTRADICTORY, "a command in the background cannot decide")
            .label(at("background"), "nothing waits for its result")
            .help("remove `background`, or the options that use its result");
        let uses_result = uses_result.into_iter().filter(|(_, is_set)| *is_set);
        diagnostics.push(uses_result.fold(found, |found, (name, _)| found.label(at(name), "uses its result")));
    }
    if options.get("attempts").is_some()
        && !texts.head.events.iter().any(|selector| matches!(selector.event, Event::Stop | Event::SubagentStop))
    {
        diagnostics.push(
            Diagnostic::new(Code::NO_SUCH_ANSWER, "`attempts` is for `Stop` and `SubagentStop` only")
                .label(at("attempts"), "no other event repeats")
                .help("remove it"),
        );
    }
}

/// Reports options whose result the event does not accept. `at` returns the span of an option.
fn check_answers(event: Event, options: &RunOptions, at: impl Fn(&str) -> Span, diagnostics: &mut Vec<Diagnostic>) {
    let (answers, name) = (event.spec().answers, event.name());
    let mut refuse = |option: &str, value: &str, help: &str| {
        diagnostics.push(
            Diagnostic::new(Code::NO_SUCH_ANSWER, format!("`{name}` cannot carry `{option}: {value}`"))
                .label(at(option), "the host ignores it on this event")
                .help(help.to_owned()),
        );
    };
    if options.on_fail == Some(OnFail::Deny) && (!answers.deny || event == Event::SubagentStart) {
        let instead = match answers.context {
            true => "use `on_fail: context` to tell the agent, or `on_fail: warn` to tell the user",
            false => "use `on_fail: warn` to tell the user",
        };
        refuse("on_fail", "deny", instead);
    }
    if options.on_fail == Some(OnFail::Ask) && !answers.ask {
        let instead = match answers.deny && event != Event::SubagentStart {
            true => "use `on_fail: deny`, or `on_fail: warn` to tell the user",
            false => "use `on_fail: warn` to tell the user",
        };
        refuse("on_fail", "ask", instead);
    }
    if options.on_fail == Some(OnFail::Context) && !answers.context {
        refuse("on_fail", "context", "use `on_fail: warn` to tell the user");
    }
    if options.output == OutputKind::Context && !answers.context {
        refuse("output", "context", "use `show_stdout: true` to show it to the user");
    }
    if options.output == OutputKind::Hook && !answers.deny && !answers.ask {
        let help = "only deny and ask of a hook's output count, and this event carries neither";
        refuse("output", "hook", help);
    }
}
