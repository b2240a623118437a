//! Converts a command of conclaude to `run` effects.

use crate::import::conclaude::{ConclaudeCommand, Visibility};
use crate::import::draft::DraftRunOptions;
use crate::import::mapping_reader::PlacedValue;
use crate::import::shell::{self, SplitCommands};
use crate::schema::Event;
use crate::syntax::string_literal;

use super::Mapper;

/// What the `run` effects of all commands in a section have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct SectionDefaults {
    pub(super) event: Event,
    /// The option `on_fail`.
    pub(super) on_fail: Option<&'static str>,
    /// The option `attempts`: how many times a failure may prevent a stop.
    pub(super) attempts: Option<u32>,
    /// Who sees the output of the command.
    pub(super) output: OutputRecipient,
    pub(super) timeout: DefaultTimeout,
    /// The environment variables that conclaude sets, each with the field that has its value.
    pub(super) variables: &'static [(&'static str, &'static str)],
}

/// Who sees the output of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OutputRecipient {
    /// The user sees whichever of stdout and stderr `show_stdout` and `show_stderr` enable.
    User,
    /// The agent sees the output if the command fails; otherwise, nobody does.
    Agent,
    /// The agent gets the output as context. A command that is not configured to show any runs in the background
    /// instead.
    Context,
}

/// The timeout of a command that does not set one. conclaude has no default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DefaultTimeout {
    /// The timeout of the host for hooks.
    Host,
    /// The default of the effect `run`, for events on which the host does not wait longer than that.
    Own,
}

impl SectionDefaults {
    /// Returns the defaults for a command on an event.
    pub(super) fn for_event(event: Event) -> Self {
        let (output, timeout) = (OutputRecipient::User, DefaultTimeout::Host);
        Self { event, on_fail: None, attempts: None, output, timeout, variables: &[] }
    }
}

impl Mapper<'_, '_> {
    /// Returns the `run` effects of a command: one for each line, or one script if the lines are not complete
    /// commands.
    pub(super) fn runs(&mut self, command: &ConclaudeCommand, setting: SectionDefaults) -> Vec<RunEffect> {
        match shell::split_commands(command.run.value()) {
            SplitCommands::Lines(lines) => {
                if lines.is_empty() {
                    self.leave_out(command.run.span, "`run` contains only comments: left out");
                }
                lines.into_iter().map(|line| self.run(line, command, setting)).collect()
            }
            SplitCommands::Script(script) => {
                let text = "`run`: conclaude starts each line on its own, which is impossible for these; here they are one script";
                self.add_note(command.run.span, text);
                vec![self.run(script, command, setting)]
            }
        }
    }

    /// Returns the `run` effect of a command whose lines conclaude passes to bash as one script.
    pub(super) fn whole_script(&mut self, command: &ConclaudeCommand, setting: SectionDefaults) -> String {
        self.run(command.run.value().trim_end_matches('\n').to_owned(), command, setting).effect
    }

    /// Returns the `run` effect for a shell text of a command, with the command's options.
    fn run(&mut self, text: String, command: &ConclaudeCommand, setting: SectionDefaults) -> RunEffect {
        let program = if shell::is_portable_sh(&text) {
            format!("run {}", string_literal(&text, "  "))
        } else {
            format!("run [\"bash\", \"-c\", {}]", string_literal(&text, "  "))
        };
        let mut options = DraftRunOptions::default();
        if let Some(on_fail) = setting.on_fail {
            options.add("on_fail", on_fail);
        }
        if let Some(message) = failure_message(command, setting) {
            options.add("message", string_literal(message, "    "));
        }
        add_output(&mut options, command, setting.output);
        match (&command.timeout, setting.timeout) {
            (Some(seconds), _) => options.add("timeout", format_seconds(*seconds.value())),
            (None, DefaultTimeout::Host) => options.add("timeout", "10m"),
            (None, DefaultTimeout::Own) => {}
        }
        if self.is_announced(command, setting.event) {
            options.add("notify", "true");
        }
        if let Some(attempts) = setting.attempts {
            options.add("attempts", attempts.to_string());
        }
        let variables = self.variables(&text, command, setting);
        if !variables.is_empty() {
            options.add("env", format_map(&variables));
        }
        if text.contains("CONCLAUDE_PAYLOAD_JSON") {
            let note = "`CONCLAUDE_PAYLOAD_JSON` is not set here: the payload is on standard input";
            self.add_note(command.run.span, note);
        } else {
            options.add("stdin", "none");
        }
        RunEffect { effect: options.effect_with_options(&program), text }
    }

    /// Whether the effect gets `notify: true`, which sends a notification when the command ends. Notes how this differs
    /// from conclaude, where `notifyPerCommand` needs `notifications`.
    fn is_announced(&mut self, command: &ConclaudeCommand, event: Event) -> bool {
        let Some(wanted) = command.notify.as_ref().filter(|wanted| *wanted.value()) else { return false };
        let (is_announced, text) = match self.notifications {
            None => (true, "the end is announced, not the start; conclaude announces neither without `notifications`"),
            Some(settings) if !settings.can_announce(event) => {
                (false, "conclaude announces nothing here, as `notifications` stand; left out")
            }
            Some(settings) if settings.show_success.as_ref().is_some_and(|shown| *shown.peek()) => {
                (true, "the end is announced, not the start")
            }
            Some(settings) if settings.show_errors.as_ref().is_some_and(|shown| *shown.peek()) => {
                (false, "failures are announced, by `show_errors` in rules.toml, and not the start")
            }
            Some(_) => (false, "conclaude announces nothing without `showErrors` and `showSuccess`; left out"),
        };
        self.add_note(wanted.span, format!("`notifyPerCommand`: {text}"));
        is_announced
    }

    /// Returns the entries of `env`: the section's variables that a command names, or all of them if the command may
    /// run a script. Notes each variable that cannot be set.
    fn variables(&mut self, text: &str, command: &ConclaudeCommand, setting: SectionDefaults) -> Vec<String> {
        let is_script = shell::can_run_script(text);
        let mut entries = Vec::new();
        for (name, field) in setting.variables {
            if is_script || has_variable(text, name) {
                entries.push(format!("{name}: \"{{{field}}}\""));
            }
        }
        if has_variable(text, "CONCLAUDE_CONFIG_DIR") {
            entries.push("CONCLAUDE_CONFIG_DIR: \"{project}\"".to_owned());
        }
        for name in ["CONCLAUDE_TOOL_TIMESTAMP", "CONCLAUDE_TOOL_BATCH_SIZE", "CONCLAUDE_TOOL_BATCH_NAMES"] {
            if has_variable(text, name) {
                self.add_note(
                    command.run.span,
                    format!("`{name}` is not set here: read the payload on standard input"),
                );
            }
        }
        entries
    }
}

/// Adds the options that say who sees the output of a command, and how much of it.
fn add_output(options: &mut DraftRunOptions, command: &ConclaudeCommand, output: OutputRecipient) {
    let shows = |shown: &Option<PlacedValue<Visibility>>| match output {
        // Here, the agent gets both streams of a failed command, so a stream cannot be hidden. Reads the value of a
        // visible one to mark it as carried over.
        OutputRecipient::Agent => {
            let _given = shown.as_ref().filter(|shown| *shown.peek() == Visibility::Visible).map(PlacedValue::value);
            false
        }
        OutputRecipient::User | OutputRecipient::Context => is_shown(shown),
    };
    if shows(&command.visibility.stdout) {
        options.add("show_stdout", "true");
    }
    if shows(&command.visibility.stderr) {
        options.add("show_stderr", "true");
    }
    let is_silent = || !is_shown(&command.visibility.stdout) && !is_shown(&command.visibility.stderr);
    match &command.max_output_lines {
        // A command in the background shows no lines, so their number does not matter.
        _ if output == OutputRecipient::Context && is_silent() => options.add("background", "true"),
        Some(lines) => options.add("max_output_lines", lines.value().to_string()),
        None => {}
    }
}

/// A `run` effect that a command is converted to.
#[derive(Debug)]
pub(super) struct RunEffect {
    /// The source text of the effect.
    pub(super) effect: String,
    /// The shell text that runs.
    pub(super) text: String,
}

/// Writes the entries of a map on one line, or on several if one would be long.
fn format_map(entries: &[String]) -> String {
    let line = entries.join(", ");
    if line.len() <= 80 {
        return format!("{{ {line} }}");
    }
    let lines: String = entries.iter().map(|entry| format!("      {entry},\n")).collect();
    format!("{{\n{lines}    }}")
}

/// Whether a text contains the name of a variable, not as the beginning of a longer name.
fn has_variable(text: &str, variable: &str) -> bool {
    let continues_name = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    text.match_indices(variable).any(|(at, _)| !text.get(at + variable.len()..).is_some_and(continues_name))
}

/// Whether a stream is configured to be shown, which is not the default.
pub(super) fn is_shown(shown: &Option<PlacedValue<Visibility>>) -> bool {
    shown.as_ref().is_some_and(|shown| *shown.value() == Visibility::Visible)
}

/// Returns the message of a failure; `None` for the default message, which shows the command. If the command is hidden
/// and its failure denies, returns a general message.
fn failure_message(command: &ConclaudeCommand, setting: SectionDefaults) -> Option<&str> {
    let message = command.message.as_ref().map(|message| message.value().trim_end_matches('\n'));
    let is_hidden = || command.visibility.command.as_ref().is_some_and(|shown| *shown.value() == Visibility::Hidden);
    let is_gate = setting.on_fail == Some("deny");
    let message = message.filter(|message| !message.trim().is_empty());
    message.or_else(|| (is_gate && is_hidden()).then_some("A command failed."))
}

/// Writes a number of seconds as a duration in whole minutes if possible, else in seconds; `1h` for an hour.
fn format_seconds(seconds: u32) -> String {
    match seconds {
        3_600 => "1h".to_owned(),
        seconds if seconds >= 60 && seconds.is_multiple_of(60) => format!("{}m", seconds / 60),
        seconds => format!("{seconds}s"),
    }
}
