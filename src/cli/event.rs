//! `rules EVENT`, such as `rules SubagentStart`: answers one event, whose payload must be complete. Every event of
//! the schema is a command.
//!
//! It exits with 1 on an incomplete payload or an invalid command line, and some hosts then let the call proceed: to
//! guard calls, use `rules hook`.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Arg, CommandFactory, FromArgMatches};

use super::hook::{self, HookArgs};
use super::reflow;
use crate::escape::multiline_text;
use crate::hooks::{HookResult, PayloadInput, Registration, block_on, handle_event};
use crate::host::{Host, HostOutput};
use crate::host_settings::SettingsScope;
use crate::schema::Event;

/// The only host whose payloads the schema describes completely; a payload of any other host would always count as
/// incomplete.
const HOST: Host = Host::CLAUDE_CODE;

/// The maximum number of characters of an error that are shown.
const MAX_ERROR_CHARS: usize = 1_000;

/// Answers the event on standard input. The event's name is somewhere among `words`; all other words are arguments.
///
/// Not inlined: `rules hook` would touch the memory that clap needs on the stack.
#[inline(never)]
pub(super) fn run(event: Event, words: &[OsString]) -> ExitCode {
    let mut words = words.to_vec();
    // Moves the name of the event to the front, where clap expects the name of the command.
    if let Some(index) = words.iter().position(|word| word == event.name()) {
        words.get_mut(..=index).unwrap_or_default().rotate_right(1);
    }
    let args = match parse_event_args(event, &words) {
        Ok(args) => args,
        Err(error) if !error.use_stderr() => {
            let _unprintable = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            let sentence = hook::clap_error_sentence(&error);
            return hook::write(&refusal(&format!("{sentence}; see `rules {} --help`", event.name())));
        }
    };
    std::panic::set_hook(Box::new(|_| {}));
    let fuse = hook::fuse(HOST, &args);
    let handled = hook::guarded(
        HOST,
        &PayloadInput::for_process().bytes,
        || hook::registration(HOST, &args.registered, SettingsScope::Project, None),
        |registration| {
            Registration::set_for_process(registration.clone());
            block_on(handle_event(event))
        },
        |output| Ok(HookResult::from(output)),
    );
    let output = match handled {
        Ok(result) => process_output(&result),
        Err(error) => refusal(&error.to_string()),
    };
    hook::answer_with(fuse, &output)
}

/// Returns clap's message about the words of a registration, from the event's name on; `None` if they are correct.
pub(super) fn mistake_in(event: Event, words: &[OsString]) -> Option<String> {
    parse_event_args(event, words).err().map(|error| hook::clap_error_sentence(&error))
}

/// Parses the words of the command, from the event's name on: without clap if possible, because that is faster.
fn parse_event_args(event: Event, words: &[OsString]) -> Result<HookArgs, clap::Error> {
    if let Some(args) = hook::parse_plain_args(words).filter(|args| args.host == HOST.name()) {
        return Ok(args);
    }
    let matches = clap_command(event).try_get_matches_from(words)?;
    hook::HookCommand::from_arg_matches(&matches).map(|command| command.args)
}

/// Returns the help text of the command of an event.
pub(super) fn help(event: Event) -> String {
    clap_command(event).render_long_help().to_string()
}

/// Builds the clap command of an event: the one of `rules hook` with another name and help, which accepts one host
/// only.
fn clap_command(event: Event) -> clap::Command {
    let name = event.name();
    let about = format!("Answer one {name} event; exit with 1 if its payload is incomplete");
    let long_about = format!(
        "{about}\n\n\
         Like `rules hook`, but first checks that the payload on standard input has what\n\
         Claude Code always sends on this event. It exits with 0; with 2 where the exit code\n\
         carries a denial or an `exit 2` of the policy, whether or not the host can still\n\
         block the event; and with 1 if the arguments are wrong or the payload is damaged,\n\
         incomplete or for another event: then it does nothing, and standard error says\n\
         why. For events whose payload must be judged in any case, such as tool calls, and\n\
         for other hosts, register `rules hook`."
    );
    let command = hook::HookCommand::command().name(name).bin_name(format!("rules {name}"));
    let command = command.about(about).long_about(long_about);
    let of_one_host = |host: Arg| host.help("The calling host; there is only one").value_parser(host_name);
    reflow::for_terminal(command.mut_arg("host", of_one_host))
}

/// Parses the name of the host; only the one host is accepted.
fn host_name(name: &str) -> Result<String, String> {
    match Host::from_name(name) {
        Some(host) if host == HOST => Ok(name.to_owned()),
        Some(other) => Err(format!("use `rules hook {}` for its payloads", other.name())),
        None => Err(format!("the host must be `{}`", HOST.name())),
    }
}

/// Returns the output of the process. The handler's log line is added to standard error only if the exit code is 0:
/// otherwise the host shows standard error as the reason.
fn process_output(result: &HookResult) -> HostOutput {
    let mut output = result.output().clone();
    if let Some(line) = result.log_line().filter(|_| output.exit == 0) {
        output.stderr = format!("{line}\n{}", output.stderr);
    }
    output
}

/// Returns the output for an event that was not handled: the reason on standard error, and exit code 1.
fn refusal(reason: &str) -> HostOutput {
    let stderr = format!("rules: {}\n", multiline_text(reason, MAX_ERROR_CHARS));
    HostOutput { stderr, exit: 1, ..HostOutput::default() }
}
