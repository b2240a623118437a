//! `rules hook`: one event in, one answer out; the only path that the host sees.
//!
//! Whatever goes wrong here is answered by the failure policy: a hook that just fails lets the action through.
#![expect(clippy::disallowed_methods, reason = "the hook reads its environment")]

use std::ffi::OsString;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::hooks::{Answer, Registration, answer, last_resort, places};
use crate::host::{Host, HostOutput};

/// Answer one event of a host: the payload on standard input, the answer on standard output
///
/// Register it with the host for every event, by the absolute path of this binary. It exits with 0 or 2 and
/// with nothing else.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The host that calls
    #[arg(value_name = "HOST", default_value = "claude-code", value_parser = ["claude-code"])]
    host: String,

    /// Count a project without any policy as one whose policy does not load
    #[arg(long)]
    require_policy: bool,

    /// The directory of the account's policy, in place of ~/.config/rules
    #[arg(long, value_name = "DIR")]
    config_dir: Option<PathBuf>,

    /// The directory of state and log, in place of ~/.local/state/rules
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,

    /// The directory of the administrator's policy, in place of /etc/rules
    #[arg(long, value_name = "DIR")]
    managed_dir: Option<PathBuf>,
}

#[derive(Parser, Debug)]
#[command(name = "rules hook", bin_name = "rules hook")]
struct Command {
    #[command(flatten)]
    args: Args,
}

/// Runs the hook on the program's whole arguments.
pub(super) fn run(args: &[OsString]) -> ExitCode {
    let words = args.iter().position(|word| word == "hook").and_then(|at| args.get(at..)).unwrap_or_default();
    let command = Command::try_parse_from(words);
    if let Err(error) = &command
        && !error.use_stderr()
    {
        let _unprintable = error.print();
        return ExitCode::SUCCESS;
    }
    // Most payloads fit at once; grown from nothing they would take ten reads.
    let mut bytes = Vec::with_capacity(64 << 10);
    // What was read until an error is all there is; the decoder says what is missing.
    let _partial = std::io::stdin().lock().read_to_end(&mut bytes);
    std::panic::set_hook(Box::new(|_| {}));
    let answered = catch_unwind(AssertUnwindSafe(|| respond(command, &bytes)));
    match answered {
        Ok(answer) => {
            let exit = write(&answer.output);
            // The answer is out; a panic in what follows must not change how we end.
            let _ignored = catch_unwind(AssertUnwindSafe(|| answer.settle()));
            exit
        }
        Err(_) => {
            let what = "A bug in rules: it could not judge this event. Please report it with the payload.";
            let output = catch_unwind(AssertUnwindSafe(|| last_resort(Host::ClaudeCode, &bytes, what)));
            let stderr = format!("rules: {what}\n");
            write(&output.unwrap_or(HostOutput { stdout: String::new(), stderr, exit: 2 }))
        }
    }
}

fn respond(command: Result<Command, clap::Error>, bytes: &[u8]) -> Answer {
    let args = match command {
        Ok(command) => command.args,
        Err(error) => {
            let rendered = error.to_string();
            let first = rendered.lines().next().unwrap_or_default().trim_start_matches("error: ");
            let what = format!(
                "The hook is registered with arguments that rules does not know, so it guards nothing: {first}."
            );
            return Answer::of(last_resort(Host::ClaudeCode, bytes, &what));
        }
    };
    let registration = Registration {
        host: Host::from_name(&args.host).unwrap_or(Host::ClaudeCode),
        project: std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from).filter(|path| path.is_absolute()),
        places: places(args.managed_dir.as_deref(), args.config_dir.as_deref(), args.state_dir.as_deref()),
        requires_policy: args.require_policy,
    };
    answer(bytes, &registration)
}

/// Writes the answer. If standard output cannot take it whole, the reason goes to standard error and the
/// event is blocked: half an answer would be none.
fn write(output: &HostOutput) -> ExitCode {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(output.stdout.as_bytes()).and_then(|()| stdout.flush());
    let mut stderr = std::io::stderr().lock();
    if let Err(error) = written {
        let _nobody_reads = writeln!(stderr, "rules: the answer could not be written: {error}");
        return ExitCode::from(2);
    }
    let _nobody_reads = stderr.write_all(output.stderr.as_bytes());
    ExitCode::from(output.exit)
}
