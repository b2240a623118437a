//! The order in which the commands of a text run.

use crate::analysis::{Analysis, SimpleCommand};
use crate::stream::CommandId;

/// The maximum number of commands that are followed from pipe to pipe.
const MAX_PIPELINE: usize = 64;

impl Analysis {
    /// Whether the command `earlier` may run before the command `later` starts, or while that one runs.
    ///
    /// Commands run in the order of their ids, except in a substitution, a trap, a loop, the background or a pipeline:
    /// in `git push & git switch main` and in `tee log | git switch main` the second command may be the first.
    #[must_use]
    pub fn may_run_before(&self, earlier: CommandId, later: CommandId) -> bool {
        let (Some(earlier_command), Some(later_command)) = (self.command(earlier), self.command(later)) else {
            return true;
        };
        earlier != later
            && (earlier < later
                || self.runs_at_any_time(earlier_command)
                || self.is_in_trap(later_command)
                || earlier_command.in_loop && later_command.in_loop
                || later_command.in_background
                || self.downstream(later_command).contains(&earlier))
    }

    /// Whether a command may run before commands with smaller ids: it is in a substitution, which may run before the
    /// command that contains it, or in a trap.
    pub(crate) fn runs_at_any_time(&self, command: &SimpleCommand) -> bool {
        command.in_substitution || self.is_in_trap(command)
    }

    /// Whether a command is in the code of a `trap`.
    pub(crate) fn is_in_trap(&self, command: &SimpleCommand) -> bool {
        let mut outer = command.outer_commands.iter().filter_map(|id| self.command(*id));
        outer.any(|outer| outer.argv().name == Some("trap"))
    }

    /// Returns the commands after a command in its pipeline, which start when it starts.
    pub(crate) fn downstream(&self, command: &SimpleCommand) -> Vec<CommandId> {
        let mut found = command.piped_to.clone();
        let mut index = 0;
        while let Some(next) = found.get(index).and_then(|id| self.command(*id)) {
            found.extend(next.piped_to.iter().filter(|id| !found.contains(id)).copied().collect::<Vec<_>>());
            index += 1;
            if found.len() > MAX_PIPELINE {
                break;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::StartDirectories;
    use crate::interpret::analyse;
    use crate::stream::CommandId;

    /// Whether the command `x` may run before the command `c`.
    fn is_earlier(text: &str) -> bool {
        let cwd = std::path::Path::new("/home/dev/proj");
        let analysis = analyse(text, &StartDirectories { cwd, home: None });
        let named = |name: &str| -> Vec<CommandId> {
            analysis.iter().filter(|(_, command)| command.argv().name == Some(name)).map(|(id, _)| id).collect()
        };
        named("x").iter().any(|x| named("c").iter().any(|c| analysis.may_run_before(*x, *c)))
    }

    #[test]
    fn commands_run_in_order_unless_something_lets_them_overtake() {
        for text in [
            "x; c",
            "x && c",
            "x & c",
            "c & x",
            "(sleep 1; c) & x",
            "{ sleep 1; c; } & x",
            "trap c EXIT; x",
            "trap 'c' EXIT; x",
            "trap 'x' DEBUG; c",
            "c | x",
            "c | tee a | x",
            "c | (true; x)",
            "while true; do c; x; done",
            "c $(x)",
            "c \"$(y; x)\"",
            "x | c",
            "f() { c; }; x; f",
        ] {
            assert!(is_earlier(text), "{text}");
        }
        for text in ["c; x", "c && x", "c || x", "c; x &", "if c; then x; fi", "c | y; x", "f() { x; }; c; f", "(c); x"]
        {
            assert!(!is_earlier(text), "{text}");
        }
    }
}
