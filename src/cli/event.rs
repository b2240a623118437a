//! `rules EVENT`: one event whose payload has to be whole; a name of the schema is a command.
//!
//! It exits with 1 on a payload that is not, which lets a call go ahead on some hosts: a guard is `rules hook`.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use super::hook::{self, Args};
use crate::hooks::{HookError, HookResult, Input, Registration, block_on, handle_event};
use crate::host::HostOutput;
use crate::schema::Event;
use crate::visible::present;

/// Characters of an error that are shown.
const LONGEST: usize = 1_000;

/// Runs the handler of an event. Its name stands among the words; those in front of it are arguments too.
pub(super) fn run(event: Event, words: &[OsString]) -> ExitCode {
    let mut words = words.to_vec();
    if let Some(at) = words.iter().position(|word| word == event.name()) {
        words.get_mut(..=at).unwrap_or_default().rotate_right(1);
    }
    let (args, problem) = match hook::accepted(parsed(event, &words), &words) {
        Ok(accepted) => accepted,
        Err(exit) => return exit,
    };
    std::panic::set_hook(Box::new(|_| {}));
    let said = problem.as_ref().map(|problem| format!("rules: {problem}\n")).unwrap_or_default();
    let host = hook::host(&args);
    let handled = hook::guarded(
        host,
        &Input::of_process().bytes,
        || hook::registration(host, &args, problem),
        |registration| {
            Registration::set_of_process(registration.clone());
            block_on(handle_event(event))
        },
        |output| Ok(HookResult::from(output)),
    );
    hook::write(&match handled {
        Ok(result) => output_of(&result),
        Err(error) => refusal(&error, said),
    })
}

fn parsed(event: Event, words: &[OsString]) -> Result<Args, clap::Error> {
    let matches = command(event).try_get_matches_from(words)?;
    hook::Command::from_arg_matches(&matches).map(|command| command.args)
}

/// Makes the command of an event: that of `rules hook` under another name.
fn command(event: Event) -> clap::Command {
    let name = event.name();
    let about = format!("Answer one {name} event whose payload is whole: exit 1 if it is not");
    let long_about = format!(
        "{about}\n\n\
         It does what `rules hook` does, but first holds the payload on standard input to\n\
         what this event always says. It exits with 0, with 2 if the event is blocked, and\n\
         with 1 if the payload is damaged, of another event, or lacks something: then\n\
         nothing is done, and standard error says what it is. Where a payload must be\n\
         judged even so, as before a call of a tool, register `rules hook`."
    );
    hook::Command::command().name(name).bin_name(format!("rules {name}")).about(about).long_about(long_about)
}

/// Returns what the process says. The line of the log stands on standard error only where nobody takes that for a
/// reason.
fn output_of(result: &HookResult) -> HostOutput {
    let mut output = result.output().clone();
    if let Some(line) = result.log_line().filter(|_| output.exit == 0) {
        output.stderr = format!("{line}\n{}", output.stderr);
    }
    output
}

/// Returns what the process says of a payload that was not handled, behind what was said already.
fn refusal(error: &HookError, mut stderr: String) -> HostOutput {
    stderr.push_str(&format!("rules: {}\n", present(&error.to_string(), LONGEST)));
    HostOutput { stdout: String::new(), stderr, exit: 1 }
}
