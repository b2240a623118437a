//! `rules EVENT`: one event whose payload must be complete; every event of the schema is a command.
//!
//! It exits with 1 on an incomplete payload or an invalid command line, which lets a call proceed on some hosts: to
//! guard, use `rules hook`.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use super::hook::{self, HookArgs};
use crate::escape::multiline_text;
use crate::hooks::{HookResult, PayloadInput, Registration, block_on, handle_event};
use crate::host::{Host, HostOutput};
use crate::host_settings::SettingsScope;
use crate::schema::Event;

/// The only host whose payloads the schema describes completely; a payload of another host would always lack fields.
const HOST: Host = Host::ClaudeCode;

/// The most characters of an error that are shown.
const LONGEST: usize = 1_000;

/// Runs the handler of an event. The event's name is among the words; the words before it are arguments too.
pub(super) fn run(event: Event, words: &[OsString]) -> ExitCode {
    let mut words = words.to_vec();
    if let Some(at) = words.iter().position(|word| word == event.name()) {
        words.get_mut(..=at).unwrap_or_default().rotate_right(1);
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

/// Returns the error in the words of a registration, from the event's name on.
pub(super) fn mistake_in(event: Event, words: &[OsString]) -> Option<String> {
    parse_event_args(event, words).err().map(|error| hook::clap_error_sentence(&error))
}

fn parse_event_args(event: Event, words: &[OsString]) -> Result<HookArgs, clap::Error> {
    if let Some(args) = hook::parse_plain_args(words).filter(|args| args.host == HOST.name()) {
        return Ok(args);
    }
    let matches = clap_command(event).try_get_matches_from(words)?;
    hook::HookCommand::from_arg_matches(&matches).map(|command| command.args)
}

/// Returns the help of the command of an event.
pub(super) fn help(event: Event) -> String {
    clap_command(event).render_long_help().to_string()
}

/// Builds the command of an event: that of `rules hook` under another name, for one host.
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
    command.mut_arg("host", |host| host.help("The calling host; there is only one").value_parser(host_name))
}

/// Accepts the name of the one host.
fn host_name(name: &str) -> Result<String, String> {
    match Host::from_name(name) {
        Some(HOST) => Ok(name.to_owned()),
        Some(other) => Err(format!("use `rules hook {}` for its payloads", other.name())),
        None => Err(format!("the host must be `{}`", HOST.name())),
    }
}

/// Returns the output of the process. The log line is on standard error only if the exit code is 0, because otherwise
/// the host takes standard error as the reason.
fn process_output(result: &HookResult) -> HostOutput {
    let mut output = result.output().clone();
    if let Some(line) = result.log_line().filter(|_| output.exit == 0) {
        output.stderr = format!("{line}\n{}", output.stderr);
    }
    output
}

/// Returns the output if nothing was done.
fn refusal(reason: &str) -> HostOutput {
    let stderr = format!("rules: {}\n", multiline_text(reason, LONGEST));
    HostOutput { stderr, exit: 1, ..HostOutput::default() }
}
