//! The command line: one file per sub-command, each with its `Args` and `run`.
//!
//! Only this module and `main` print. `rules hook` is parsed before clap is built, because clap exits with 2 on a
//! usage error, and the host would read 2 as "block".

mod added_hosts;
mod bare;
mod below;
mod check;
mod completions;
mod difference;
mod doctor;
mod eval;
mod event;
mod explain;
mod fmt;
mod help;
mod hook;
mod import;
mod init;
mod install;
mod list;
mod load;
mod log;
mod man;
mod mutate;
mod page;
mod print;
mod prompt;
mod reflow;
mod registration;
mod replayed;
mod report;
mod stats;
mod test;
mod trust;
mod uncounted;
mod untrust;
mod watch;
mod write;

use std::borrow::Cow;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use print::Printer;

use crate::diagnostic::nearest_name;
use crate::host::Host;
use crate::schema::Event;

/// The outcome of a sub-command; `CommandOutcome::code` is the exit code for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandOutcome {
    /// Everything is in order.
    Clean,
    /// There are findings, or something failed.
    Findings,
    /// The arguments are invalid.
    Usage,
    /// The policy cannot be read, or does not load although it must.
    Unreadable,
}

impl CommandOutcome {
    /// Returns the exit code of the program: 0 to 3, in the order of the variants.
    fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Unreadable => 3,
        }
    }
}

/// Policies for the hooks of coding agents
///
/// A project's policy is in `.rules/*.rules`: rules that say on which event, under
/// which condition, and with which effect. The host calls `rules hook` on every
/// event; the other commands check, test and explain the policy.
#[derive(Parser, Debug)]
#[command(
    name = "rules",
    bin_name = "rules",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 80,
    verbatim_doc_comment,
    help_template = TEMPLATE,
    after_help = AFTER_HELP
)]
struct Cli {
    /// Print in colour: auto, always or never
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", hide_possible_values = true)]
    color: Color,

    #[command(subcommand)]
    command: RulesCommand,
}

/// The layout of `rules --help`. Each event is a command too, but clap does not know those, so one line describes them.
const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}

Commands:
{subcommands}
  EVENT        Answer one event by its name; exit 1 if its payload is incomplete

Options:
{options}{after-help}";

/// The examples at the end of `rules --help`.
const AFTER_HELP: &str = "\
Examples:
  rules init                          write a first policy for this project
  rules install claude-code           register the hook, so that it is in force
  rules check                         check the policy of this project
  rules test                          run its examples and tests
  rules explain git push -f           show what the policy does with a call
  rules help conditions               read about the language
  rules hook claude-code < call.json  answer an event as the host sees it
  rules SubagentStart < start.json    answer one event, if it is complete";

/// The value of `--color`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Color {
    /// In a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Subcommand, Debug)]
enum RulesCommand {
    // Each variant's help is on its `Args`: a comment here would replace that help entirely.
    Init(init::InitArgs),
    Install(install::Install),
    Uninstall(install::Uninstall),
    Doctor(doctor::DoctorArgs),
    Check(check::CheckArgs),
    Fmt(fmt::FmtArgs),
    Test(test::TestArgs),
    Mutate(mutate::MutateArgs),
    Explain(explain::ExplainArgs),
    Eval(eval::EvalArgs),
    List(list::ListArgs),
    Log(log::LogArgs),
    Stats(stats::StatsArgs),
    Report(report::ReportArgs),
    Trust(trust::TrustArgs),
    Untrust(untrust::UntrustArgs),
    Import(import::ImportArgs),
    Hook(hook::HookArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
    Help(help::HelpArgs),
}

/// Runs the program and returns its exit code.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    // Hosts start the program for every event, so `rules hook` and `rules EVENT` run before the parser of the other
    // commands is built.
    if let Some(exit_code) = host_command(args.get(1..).unwrap_or_default()) {
        return exit_code;
    }
    if args.len() == 1
        && let Some(exit_code) = bare::run()
    {
        return exit_code;
    }
    run_command(&args)
}

/// Runs the command that clap finds in the arguments.
///
/// Not inlined: a hook would touch the memory that clap needs on the stack.
#[inline(never)]
fn run_command(args: &[OsString]) -> ExitCode {
    // The names of hosts are values of options, so the hosts are added before the parser is built.
    added_hosts::add_to_process(args);
    let cli = match parse_args(args) {
        Ok(cli) => cli,
        // A usage error in a call by the host (`rules --bogus hook`) is answered by the failure policy, because the
        // host reads clap's exit code as a decision.
        Err(error) if error.use_stderr() => match host_words(args) {
            Some((HostCommand::Hook, words)) => return hook::run_with_args(Err(error), words),
            Some((HostCommand::Event(event), _)) => return event::run(event, args.get(1..).unwrap_or_default()),
            None => {
                let unusable_host = added_hosts::unusable_host_in(&error);
                let _unprintable = with_nearest_event(error).print();
                unusable_host.iter().for_each(|why| Printer::new(Color::Auto).err(why));
                return ExitCode::from(CommandOutcome::Usage.code());
            }
        },
        // Clap returns help and version as errors too.
        Err(error) => {
            let mut printer = Printer::new(Color::Auto);
            let plain = error.render().to_string();
            match printer.displayable(&plain) {
                Cow::Owned(ascii) => printer.out(&ascii),
                Cow::Borrowed(_) => drop(error.print()),
            }
            return ExitCode::SUCCESS;
        }
    };
    cli.command.run(&mut Printer::new(cli.color))
}

impl RulesCommand {
    /// Runs the parsed command and returns its exit code.
    fn run(&self, printer: &mut Printer) -> ExitCode {
        let outcome = match self {
            Self::Hook(args) => return hook::run_with_args(Ok(args.clone()), &[]),
            Self::Init(args) => init::run(args, printer),
            Self::Check(args) => check::run(args, printer),
            Self::Fmt(args) => fmt::run(args, printer),
            Self::Test(args) => test::run(args, printer),
            Self::Mutate(args) => mutate::run(args, printer),
            Self::Explain(args) => explain::run(args, printer),
            Self::Eval(args) => eval::run(args, printer),
            Self::List(args) => list::run(args, printer),
            Self::Log(args) => log::run(args, printer),
            Self::Stats(args) => stats::run(args, printer),
            Self::Report(args) => report::run(args, printer),
            Self::Trust(args) => trust::run(args, printer),
            Self::Untrust(args) => untrust::run(args, printer),
            Self::Import(args) => import::run(args, printer),
            Self::Install(args) => install::run(args, printer),
            Self::Doctor(args) => doctor::run(args, printer),
            Self::Uninstall(args) => install::run_uninstall(args, printer),
            Self::Completions(args) => completions::run(args, printer),
            Self::Man(args) => man::run(args, printer),
            Self::Help(args) => help::run(args, printer),
        };
        ExitCode::from(outcome.code())
    }
}

/// Parses the arguments with clap. If `rules explain` rejects an option, parses them again with the option as a part of
/// the call to explain: `rules explain git push -f`.
fn parse_args(args: &[OsString]) -> Result<Cli, clap::Error> {
    let parse = |args: &[OsString]| {
        let matches = reflow::for_terminal(Cli::command()).try_get_matches_from(args)?;
        let mut cli = Cli::from_arg_matches(&matches)?;
        if let (RulesCommand::Explain(args), Some((_, matches))) = (&mut cli.command, matches.subcommand()) {
            args.note_option_positions(matches);
        }
        Ok(cli)
    };
    parse(args).or_else(|error: clap::Error| {
        if error.kind() != ErrorKind::UnknownArgument {
            return Err(error);
        }
        let mut program = Cli::command();
        program.build();
        match explain::separate_command(args, &program) {
            Some(separated) => parse(&separated),
            None => Err(error),
        }
    })
}

/// Adds the nearest event name to clap's error about an unknown command, because clap does not know that events are
/// commands.
fn with_nearest_event(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && let Some(event) = nearest_name(word, Event::ALL.iter().map(|event| event.name()))
    {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![event.to_owned()]));
    }
    error
}

/// Returns the help text of `rules EVENT`; `None` if the word is not the name of an event.
fn event_help(word: &str) -> Option<String> {
    Event::from_name(word).map(event::help)
}

/// Returns the clap parser of a host's name.
fn hosts() -> impl TypedValueParser<Value = Host> {
    PossibleValuesParser::new(Host::names()).try_map(|name| Host::from_name(&name).ok_or("unknown host"))
}

/// The value of an option that takes the name of a host, or `all`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum HostChoice {
    /// The named host.
    One(Host),
    /// Every host.
    All,
}

impl HostChoice {
    /// Returns the hosts that several choices name, each once, in the order of [`Host::all`].
    fn hosts(choices: &[Self]) -> Vec<Host> {
        Host::all()
            .filter(|host| choices.iter().any(|choice| matches!(choice, Self::All) || *choice == Self::One(*host)))
            .collect()
    }
}

/// Returns the clap parser of a host's name, or `all`.
fn hosts_or_all() -> impl TypedValueParser<Value = HostChoice> {
    let names = Host::names().chain(std::iter::once("all"));
    PossibleValuesParser::new(names).try_map(|name| {
        if name == "all" {
            Ok(HostChoice::All)
        } else {
            Host::from_name(&name).map(HostChoice::One).ok_or("unknown host")
        }
    })
}

/// A command that hosts run, in contrast to those that people run.
enum HostCommand {
    /// `rules hook`.
    Hook,
    /// `rules EVENT`, e.g. `rules SubagentStart`.
    Event(Event),
}

/// Returns the host command of this name (`hook`, or an event); `None` if there is none.
fn host_command_named(word: &OsString) -> Option<HostCommand> {
    if word == "hook" {
        return Some(HostCommand::Hook);
    }
    word.to_str().and_then(Event::from_name).map(HostCommand::Event)
}

/// Runs the host command that the first word names, and returns its exit code; `None` if the first word names no such
/// command.
fn host_command(words: &[OsString]) -> Option<ExitCode> {
    Some(match host_command_named(words.first()?)? {
        HostCommand::Hook => hook::run(words),
        HostCommand::Event(event) => event::run(event, words),
    })
}

/// Finds the first argument that is the name of a command. If hosts call that command, returns it with the arguments
/// from its name on, otherwise `None`.
fn host_words(args: &[OsString]) -> Option<(HostCommand, &[OsString])> {
    let cli = Cli::command();
    let is_command = |word: &OsString| {
        host_command_named(word).is_some() || cli.get_subcommands().any(|command| word == command.get_name())
    };
    let index = args.iter().skip(1).position(is_command)? + 1;
    Some((host_command_named(args.get(index)?)?, args.get(index..)?))
}
