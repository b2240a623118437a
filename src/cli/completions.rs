//! `rules completions`: shell completion scripts.

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use super::print::Printer;
use super::{Cli, Outcome};

const AFTER_HELP: &str = "\
Examples:
  rules completions bash > ~/.local/share/bash-completion/completions/rules
  rules completions zsh > ~/.zfunc/_rules
  rules completions fish > ~/.config/fish/completions/rules.fish";

/// Print the completion script of a shell
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The shell: bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL", value_enum, hide_possible_values = true)]
    shell: Shell,
}

/// Runs the command.
pub(super) fn run(args: &Args, printer: &mut Printer) -> Outcome {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "rules", &mut script);
    printer.out(&String::from_utf8_lossy(&script));
    Outcome::Clean
}
