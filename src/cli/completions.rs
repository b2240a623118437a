//! `rules completions`: prints completion scripts for shells.

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use super::print::Printer;
use super::{Cli, CommandOutcome};

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
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "rules", &mut script);
    printer.out(&String::from_utf8_lossy(&script));
    CommandOutcome::Clean
}
