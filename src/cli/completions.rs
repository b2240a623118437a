//! `rules completions`: prints completion scripts for shells.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Command, CommandFactory};
use clap_complete::{Shell, generate};

use super::help::topic_names;
use super::print::Printer;
use super::{Cli, CommandOutcome};
use crate::diagnostic::Code;
use crate::host::Host;
use crate::host_settings::SettingsScope;
use crate::packs::PACKS;
use crate::schema::{Event, OTHER_TOOLS, TOOLS};

/// The examples at the end of `rules completions --help`.
const AFTER_HELP: &str = "\
Examples:
  rules completions bash > ~/.local/share/bash-completion/completions/rules
  rules completions zsh > ~/.zfunc/_rules
  rules completions fish > ~/.config/fish/completions/rules.fish";

/// Print the completion script of a shell
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct CompletionsArgs {
    /// The shell: bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL", value_enum, hide_possible_values = true)]
    shell: Shell,
}

/// Runs the command.
pub(super) fn run(args: &CompletionsArgs, printer: &mut Printer) -> CommandOutcome {
    let mut command = with_known_values(Cli::command());
    let mut script = Vec::new();
    generate(args.shell, &mut command, "rules", &mut script);
    printer.out(&with_operands(args.shell, &command, &String::from_utf8_lossy(&script)));
    CommandOutcome::Clean
}

/// Adds to a script what clap writes for bash and zsh only: the known operands of commands. In fish, a command with no
/// other operands is offered no files.
fn with_operands(shell: Shell, command: &Command, script: &str) -> String {
    let mut script = script.to_owned();
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        let name = subcommand.get_name();
        let words = known_operands(subcommand);
        match shell {
            Shell::Fish => script.push_str(&fish_operands(subcommand, &words)),
            Shell::Elvish => {
                let opening = format!("&'rules;{name}'= {{\n");
                let made: String = words.iter().map(|word| format!("            cand {word} ''\n")).collect();
                script = script.replacen(&opening, &format!("{opening}{made}"), 1);
            }
            Shell::PowerShell => {
                let opening = format!("'rules;{name}' {{\n");
                let made = |word: &String| {
                    let result = "[CompletionResult]::new";
                    format!(
                        "            {result}('{word}', '{word}', [CompletionResultType]::ParameterValue, '{word}')\n"
                    )
                };
                let made: String = words.iter().map(made).collect();
                script = script.replacen(&opening, &format!("{opening}{made}"), 1);
            }
            Shell::Zsh if takes_files_too(subcommand) => {
                let words = words.join(" ");
                let (only, too) = (format!("the name of a rule:({words})"), "the name of a rule:{compadd -- ");
                script = script.replacen(&only, &format!("{too}{words}; _files}}"), 1);
            }
            _ => {}
        }
    }
    script
}

/// Returns the lines of fish for the operands of a command.
fn fish_operands(command: &Command, words: &[String]) -> String {
    let condition = format!("complete -c rules -n \"__fish_rules_using_subcommand {}\"", command.get_name());
    let is_without = command.get_positionals().next().is_none() && command.get_subcommands().next().is_none();
    let files = if takes_files_too(command) { "" } else { " -f" };
    match words {
        [] if is_without => format!("{condition} -f\n"),
        [] => String::new(),
        words => format!("{condition}{files} -a \"{}\"\n", words.join(" ")),
    }
}

/// Returns the words that an operand of a command can be.
fn known_operands(command: &Command) -> Vec<String> {
    let values = command.get_positionals().flat_map(Arg::get_possible_values);
    values.filter(|value| !value.is_hide_set()).map(|value| value.get_name().to_owned()).collect()
}

/// Whether the operands of a command are files or packs.
fn takes_files_too(command: &Command) -> bool {
    command.get_name() == "list"
}

/// Adds the known values of arguments that the program parses itself, which clap therefore does not know. Arguments
/// that are mostly files, calls or names of the user's own rules keep the completion of files.
fn with_known_values(command: Command) -> Command {
    let severities = ["info", "warning", "deny", "error"];
    let lints = || Code::adjustable_codes().flat_map(|code| [code.name, code.id]);
    let packs = || PACKS.iter().map(|(name, _)| *name);
    let tools = TOOLS.iter().map(|tool| tool.name).chain(OTHER_TOOLS.iter().copied());
    let scopes = || [SettingsScope::User, SettingsScope::Project, SettingsScope::Local].map(SettingsScope::name);
    let command = command
        .mut_subcommand("check", |check| {
            check
                .mut_arg("deny", one_of(severities.into_iter().chain(lints())))
                .mut_arg("warn", one_of(lints()))
                .mut_arg("allow", one_of(lints()))
        })
        .mut_subcommand("init", |init| init.mut_arg("with", one_of(packs())).mut_arg("without", one_of(packs())))
        .mut_subcommand("list", |list| {
            list.mut_arg("event", one_of(Event::ALL.iter().map(|event| event.name())))
                .mut_arg("tool", one_of(tools))
                .mut_arg("pack", one_of(packs()))
                .mut_arg("names", one_of(packs()))
        })
        .mut_subcommand("hook", |hook| hook.mut_arg("scope", one_of(scopes())))
        .mut_subcommand("explain", |explain| explain.mut_arg("scope", one_of(scopes())))
        .mut_subcommand("help", |help| help.mut_arg("words", one_of(topic_names())));
    ["log", "stats", "report"].into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, |command| command.mut_arg("host", one_of(Host::names())))
    })
}

/// Returns a change of an argument whose value is one of these words.
fn one_of(words: impl IntoIterator<Item = &'static str>) -> impl FnOnce(Arg) -> Arg {
    let parser = PossibleValuesParser::new(words);
    |arg| arg.value_parser(parser)
}
