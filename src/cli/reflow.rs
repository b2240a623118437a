//! Help texts on a narrow terminal: their lines are broken for 80 columns, so they are joined again before clap wraps
//! them.

use clap::Command;

use super::Color;
use super::print::Printer;

/// The width for which the lines of help texts are written, in columns.
const WRITTEN_WIDTH: usize = 80;

/// Returns a command whose help texts are wrapped for this terminal.
pub(super) fn for_terminal(command: Command) -> Command {
    if Printer::new(Color::Never).width() < WRITTEN_WIDTH { reflowed(command) } else { command }
}

/// Returns a command with the paragraphs of its help texts, and those of its options and subcommands, on single lines.
///
/// The recursion is as deep as the subcommands, of which there are three levels.
fn reflowed(mut command: Command) -> Command {
    if let Some(text) = command.get_about().map(ToString::to_string) {
        command = command.about(joined(&text));
    }
    if let Some(text) = command.get_long_about().map(ToString::to_string) {
        command = command.long_about(joined(&text));
    }
    let command = command.mut_args(|mut arg| {
        if let Some(text) = arg.get_help().map(ToString::to_string) {
            arg = arg.help(joined(&text));
        }
        if let Some(text) = arg.get_long_help().map(ToString::to_string) {
            arg = arg.long_help(joined(&text));
        }
        arg
    });
    command.mut_subcommands(reflowed)
}

/// Joins the lines of each paragraph. A line that is indented, or begins a list, stays as it is.
fn joined(text: &str) -> String {
    let mut out = String::new();
    let mut is_open = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with([' ', '\t', '-', '*']);
        if !out.is_empty() {
            out.push(if is_open && is_prose { ' ' } else { '\n' });
        }
        out.push_str(line);
        is_open = is_prose && !line.ends_with(':');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lines_of_a_paragraph_are_joined() {
        let text = "One\ntwo.\n\nThree, as in:\n\n  rules a\n  rules b\n\nfour\nfive\n- six\n- seven";
        let expected = "One two.\n\nThree, as in:\n\n  rules a\n  rules b\n\nfour five\n- six\n- seven";
        assert_eq!(joined(text), expected);
    }
}
