//! Commands that another command runs exactly as they are written, for `only runs`: `make` in `timeout 5 make`.

use std::borrow::Cow;

use hookrules_shell::Analysis;
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::programs::{Program, program};

/// Returns a command as if it ran on its own, if every command that runs it does nothing else, and with a short path of
/// the script that it runs. The runners are commands of the call, too, and a pattern has to match them.
pub(super) fn as_run_alone<'c>(analysis: &Analysis, command: &'c SimpleCommand) -> Cow<'c, SimpleCommand> {
    let short = command.with_short_script();
    if command.outer_commands.is_empty() || !command.outer_commands.iter().all(|id| is_runner(analysis, *id)) {
        return short;
    }
    let mut alone = short.into_owned();
    alone.outer_commands.clear();
    Cow::Owned(alone)
}

/// Whether a command runs another one exactly as it is written.
fn is_runner(analysis: &Analysis, id: CommandId) -> bool {
    let name = analysis.command(id).and_then(|command| command.words.first()?.known_text());
    name.is_some_and(is_plain_runner)
}

/// Whether a program runs a command exactly as it is written, and does nothing else: it limits its time, or appends the
/// names of files to it.
pub(crate) fn is_plain_runner(name: &str) -> bool {
    program(name).is_some_and(Program::only_runs_command)
}
