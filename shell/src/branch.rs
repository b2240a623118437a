//! The branch that is checked out when a command runs, if the text determines it: `git switch -c x && git push`.

use crate::analysis::{Analysis, CommandScope, SimpleCommand};
use crate::stream::CommandId;
use crate::word::Directory;

/// The maximum number of commands from the checkout to the command in question.
const MAX_COMMANDS: usize = 32;

impl SimpleCommand {
    /// Returns the branch that is checked out after the command has succeeded, if it certainly is one.
    /// `git checkout x` without `-b` has none, because `x` may be a file.
    fn checked_out_branch(&self) -> Option<String> {
        let argv = self.argv();
        let is_certain = argv.is_program("git")
            && argv.maybe_options.is_empty()
            && argv.subcommand_in_name.is_none()
            && argv.usage_option().is_none();
        let subcommand = argv.subcommands.first().and_then(|word| word.known_text()).filter(|_| is_certain)?;
        let has = |name: &str| argv.options.iter().any(|given| given.name == name && !given.is_global);
        if has("--detach") || has("--orphan") || has("--patch") || argv.after_dashes.is_some() {
            return None;
        }
        let creating_options: &[&str] = match subcommand {
            "checkout" => &["-b", "-B"],
            "switch" => &["--create", "--force-create"],
            _ => return None,
        };
        let mut creating =
            argv.options.iter().filter(|given| !given.is_global && creating_options.contains(&&*given.name));
        let name = match (creating.next(), &*argv.operands) {
            (Some(given), _) if creating.next().is_none() => given.value.as_ref()?.known_text()?.to_owned(),
            (None, [name]) if subcommand == "switch" && !has("--track") => name.known_text()?.to_owned(),
            _ => return None,
        };
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '/' | '_' | '.' | '-' | '#' | '+');
        (name.chars().all(is_name) && !name.starts_with(['-', '.']) && !name.is_empty()).then_some(name)
    }

    /// Whether the command runs exactly once: directly in the text, in the foreground, on this machine.
    fn is_unconditional(&self) -> bool {
        self.outer_commands.is_empty()
            && self.doubt.is_none()
            && self.scope == CommandScope::Local
            && !self.in_loop
            && !self.in_background
            && !self.in_substitution
            && !self.is_shadowed
    }
}

impl Analysis {
    /// Returns the branch that is checked out when the command `asking` runs, if `changer` has checked it out and every
    /// command from `changer` to `asking` had to succeed (`&&`), judged by their positions in `text`.
    ///
    /// `changer` is the last command before `asking` that may change the current branch.
    pub(super) fn branch_checked_out(&self, changer: CommandId, asking: CommandId, text: &str) -> Option<String> {
        let (changer_id, asking_id) = (changer.index(), asking.index());
        let (changer, asking) = (self.command(changer)?, self.command(asking)?);
        let branch = changer.checked_out_branch()?;
        let is_here = matches!(changer.directory(), Directory::Known(_)) && changer.directory() == asking.directory();
        if !is_here || !changer.is_unconditional() || !asking.is_unconditional() {
            return None;
        }
        let (span, target) = (changer.span.clone()?, asking.span.clone()?.start);
        if !is_statement_start(text.get(..span.start)?) {
            return None;
        }
        let between = || self.commands.get(changer_id + 1..=asking_id).unwrap_or_default().iter();
        let mut end = span.end;
        for _ in 0..MAX_COMMANDS {
            let rest = strip_redirections(text.get(end..)?).strip_prefix("&&")?.trim_start();
            let start = text.len() - rest.len();
            if start == target {
                return Some(branch);
            }
            let spans = between().filter_map(|command| command.span.as_ref());
            end = spans.filter(|span| span.start == start).map(|span| span.end).max()?;
        }
        None
    }
}

/// Whether a command that follows this text runs unless a command before it fails: it begins the text, or comes after
/// `;` or `&&`.
fn is_statement_start(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty() || before.ends_with("&&") || before.ends_with(';') && !before.ends_with(";;")
}

/// Strips leading redirections that discard output.
fn strip_redirections(text: &str) -> &str {
    const REDIRECTIONS: &[&str] = &["2>&1", "2>/dev/null", "2> /dev/null", ">/dev/null", "> /dev/null", "&>/dev/null"];
    let mut rest = text.trim_start();
    while let Some(after) = REDIRECTIONS.iter().find_map(|redirection| rest.strip_prefix(redirection)) {
        rest = after.trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::super::{StartDirectories, analyse};

    /// Returns the branch that is checked out when the last command of a text runs.
    fn found(text: &str) -> Option<String> {
        let cwd = std::path::Path::new("/home/dev/proj");
        let analysis = analyse(text, &StartDirectories { cwd, home: None });
        let (id, _) = analysis.iter().last().unwrap();
        analysis.repository_changes().branch_checked_out(&analysis, id, text)
    }

    #[test]
    fn a_branch_that_was_just_made_is_known() {
        for (text, expected) in [
            ("git checkout -b x && git push", "x"),
            ("git switch -c fix/a && git add . && git commit -m 'x && y' && git push", "fix/a"),
            ("git fetch; git switch -c x origin/main 2>&1 && git push", "x"),
            ("git checkout -B x >/dev/null 2>&1 && git push -u origin HEAD", "x"),
            ("git switch main && git push", "main"),
            ("git checkout main && git switch -c x && git push", "x"),
            ("git switch -c x && git rebase origin/main && git push", "x"),
        ] {
            assert_eq!(found(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_branch_that_may_not_be_there_is_not() {
        for text in [
            "git push",
            "git checkout x && git push",
            "git checkout -b x; git push",
            "git checkout -b x || git push",
            "git checkout -b x & git push",
            "a || git checkout -b x && git push",
            "a || \\\n git checkout -b x && git push",
            "! git checkout -b x && git push",
            "(git checkout -b x) && git push",
            "git checkout -b \"$X\" && git push",
            "git checkout -b x $Y && git push",
            "git checkout --detach && git push",
            "git switch - && git push",
            "git switch -c x && git checkout main && git push",
            "git switch -c x && (git switch main); git push",
            "git switch -c x && git -C ../other push",
            "git switch -c x && cd .. && git push",
            "sudo git switch -c x && git push",
            "ssh h git switch -c x && git push",
            "git switch -c x && eval \"$Y\" && git push",
            "git switch -c x && echo $(git switch main) && git push",
            "trap 'git switch main' DEBUG; git switch -c x && git push",
            "git switch -c x && git rebase main topic && git push",
            "git() { command git switch main; }; git switch -c x && git push",
            "for i in 1 2; do git switch -c x && git push; git switch main; done",
            "if git switch -c x; then git push; fi",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
