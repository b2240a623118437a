//! Commands that a permission of a configuration covers and the permission of the policy does not: those in which the
//! program runs another one, or code.

use std::path::Path;

use super::commands::CommandPrefix;
use crate::escape::shell_word;
use hookrules_shell::programs::{Arity, OptionEffect, ProgramOption};
use hookrules_shell::{Analysis, StartDirectories, analyse};

/// Words after a prefix that a program may run: a command, or code in which most languages run a command.
const OPERANDS: [&str; 3] = ["x", "x y", "'system(\"y\")'"];

/// The maximum number of options of a program that are tried.
const MAX_OPTIONS: usize = 8;

/// Returns commands with a prefix in which the program runs another program or code: `ssh x y`, `python3 -c x`.
pub(super) fn commands_that_run_others(prefix: &CommandPrefix) -> Vec<String> {
    let command = prefix.command();
    let operands = OPERANDS.map(|operand| format!("{command} {operand}")).into_iter().filter(|text| runs_another(text));
    let options = running_options(&command).into_iter().map(|option| format!("{command} {} x", shell_word(option)));
    operands.chain(options).collect()
}

/// Returns the options with which an interpreter runs their value: `-c` of `python3`. Those of other programs are rare,
/// such as `git push --receive-pack`, so they are not worth a note on every permission.
fn running_options(command: &str) -> Vec<&'static str> {
    let analysis = analysis_of(command);
    let record = analysis.commands.first().and_then(|first| first.argv().table());
    let record = record.filter(|record| record.is_interpreter());
    let options = record.into_iter().flat_map(|record| record.all_options());
    let running: Vec<&ProgramOption> =
        options.filter(|option| option.does == OptionEffect::Runs && option.arity == Arity::Value).collect();
    // After `python3 -m pytest`, an option belongs to pytest.
    let has = |option: &&ProgramOption| command.split(' ').any(|word| option.names.contains(&word));
    if running.iter().any(has) {
        return Vec::new();
    }
    running.iter().filter_map(|option| option.names.first().copied()).take(MAX_OPTIONS).collect()
}

/// Whether a command runs another program or code.
fn runs_another(command: &str) -> bool {
    let analysis = analysis_of(command);
    analysis.commands.len() > 1 || !analysis.opaque.is_empty() || !analysis.evaluated.is_empty()
}

fn analysis_of(command: &str) -> Analysis {
    analyse(command, &StartDirectories { cwd: Path::new("/"), home: None })
}
