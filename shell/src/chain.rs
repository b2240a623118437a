//! Texts whose commands certainly all ran if the text succeeded: chains of plain commands that are joined by `&&`.

use crate::dialect::{Dialect, DialectReading};
use crate::parse::{self, ChainOperator, CommandKind, CommandNode, ItemMode, RawText, RedirectTarget, Redirection};
use crate::zsh_builtins;

/// Why a text may succeed although one of its commands failed or did not run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ChainFlaw {
    /// The output of a command goes through a pipe, and the shell drops its exit code.
    Pipe,
    /// A command runs in the background.
    Background,
    /// A variable, an expansion or a builtin may change what a command is or whether it runs.
    Shell,
    /// Its commands are not joined by `&&` alone.
    Joined,
}

/// The builtins that change nothing for the commands after them, except the directory.
const HARMLESS_BUILTINS: &[&str] = &["cd", "echo", "pwd", "true", "which"];

/// The builtins and keywords that bash has, some of which may change what a later command is, or hide its failure.
/// Those that only zsh has are in `zsh_builtins`, but for its keywords: `-`, `foreach`, `nocorrect`, `repeat`.
const OTHER_BUILTINS: &[&str] = &[
    "!",
    "-",
    ".",
    ":",
    "alias",
    "bg",
    "bind",
    "break",
    "builtin",
    "caller",
    "case",
    "command",
    "compgen",
    "complete",
    "compopt",
    "continue",
    "coproc",
    "declare",
    "dirs",
    "disown",
    "enable",
    "eval",
    "exec",
    "exit",
    "export",
    "false",
    "fc",
    "fg",
    "foreach",
    "function",
    "getopts",
    "hash",
    "help",
    "history",
    "jobs",
    "kill",
    "let",
    "local",
    "logout",
    "mapfile",
    "nocorrect",
    "popd",
    "printf",
    "pushd",
    "read",
    "readarray",
    "readonly",
    "repeat",
    "return",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "test",
    "time",
    "times",
    "trap",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "wait",
    "[",
    "[[",
];

/// Whether a program is a builtin or keyword that may change what a later command is, or hide its failure: no text with
/// it is a [`plain_chain`].
#[must_use]
pub fn affects_other_commands(name: &str) -> bool {
    let is_builtin = OTHER_BUILTINS.contains(&name) || zsh_builtins::is_of_zsh(name);
    is_builtin && !HARMLESS_BUILTINS.contains(&name)
}

/// Checks that all commands of a text certainly ran, one after the other and in the foreground, if the text succeeded.
///
/// Every word must be a literal. After `set -o pipefail`, the commands of a pipeline are checked like any others.
///
/// # Errors
/// Returns why that is not certain.
pub fn plain_chain(text: &str) -> Result<(), ChainFlaw> {
    let parsed = parse::parse(text, 0, &DialectReading::single(Dialect::Bash));
    if parsed.failed.is_some() {
        return Err(ChainFlaw::Shell);
    }
    let mut nodes = Vec::new();
    for line in &parsed.lines {
        collect_sequence(line, &mut nodes)?;
    }
    let mut nodes = nodes.as_slice();
    let mut pipes = PipeFailure::Dropped;
    while let Some((_, rest)) = nodes.split_first().filter(|(first, rest)| !rest.is_empty() && sets_pipefail(first)) {
        (nodes, pipes) = (rest, PipeFailure::Reported);
    }
    match nodes {
        [] => Ok(()),
        [only] => check_chain(only, pipes),
        _ => Err(ChainFlaw::Joined),
    }
}

/// Whether a text of plain commands ends with `wait`, so that the shell certainly waits for those that it runs in the
/// background itself: `sed -i s/a/b/ x & wait`.
#[must_use]
pub fn waits_at_end(text: &str) -> bool {
    let parsed = parse::parse(text, 0, &DialectReading::single(Dialect::Bash));
    let mut nodes = Vec::new();
    for line in &parsed.lines {
        match &line.kind {
            CommandKind::List(items) if line.redirects.is_empty() => nodes.extend(items.iter().map(|item| &item.node)),
            _ => nodes.push(line),
        }
    }
    let is_wait = |node: &CommandNode| {
        matches!(&node.kind, CommandKind::Simple { assignments, words }
            if assignments.is_empty() && node.redirects.is_empty() && matches!(words.as_slice(), [word] if word.text == "wait"))
    };
    let in_background = parsed.lines.last().is_some_and(|line| {
        matches!(&line.kind, CommandKind::List(items)
            if items.last().is_some_and(|item| item.wait == ItemMode::Background))
    });
    let Some((last, others)) = nodes.split_last().filter(|_| parsed.failed.is_none() && !in_background) else {
        return false;
    };
    is_wait(last) && others.iter().all(|node| check_chain(node, PipeFailure::Reported).is_ok())
}

/// Whether a pipeline fails if a command other than the last one fails.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PipeFailure {
    /// No: the exit code is that of the last command.
    Dropped,
    /// Yes: `set -o pipefail`.
    Reported,
}

/// Collects the commands that `;` or newlines separate.
fn collect_sequence<'n>(node: &'n CommandNode, nodes: &mut Vec<&'n CommandNode>) -> Result<(), ChainFlaw> {
    match &node.kind {
        CommandKind::List(items) if node.redirects.is_empty() => {
            for item in items {
                if item.wait == ItemMode::Background {
                    return Err(ChainFlaw::Background);
                }
                collect_sequence(&item.node, nodes)?;
            }
            Ok(())
        }
        CommandKind::Empty => Ok(()),
        _ => {
            nodes.push(node);
            Ok(())
        }
    }
}

/// Whether a command is `set` with `pipefail` as its last option: `set -euo pipefail`.
fn sets_pipefail(node: &CommandNode) -> bool {
    let CommandKind::Simple { assignments, words } = &node.kind else { return false };
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let is_plain = assignments.is_empty() && node.redirects.is_empty();
    // `-e` and `-u` end the shell with a failure, so they cannot hide one.
    let has_known_letters = |options: &str| {
        options.strip_prefix('-').is_some_and(|letters| {
            letters.ends_with('o') && letters.chars().all(|letter| matches!(letter, 'e' | 'u' | 'x' | 'o'))
        })
    };
    is_plain && matches!(words.as_slice(), ["set", options, "pipefail"] if has_known_letters(options))
}

/// Checks commands joined by `&&`.
fn check_chain(node: &CommandNode, mut pipes: PipeFailure) -> Result<(), ChainFlaw> {
    let CommandKind::Chain(first, rest) = &node.kind else { return check_pipeline(node, pipes) };
    if !node.redirects.is_empty() || rest.iter().any(|(operator, _)| *operator == ChainOperator::Or) {
        return Err(ChainFlaw::Joined);
    }
    for command in std::iter::once(&**first).chain(rest.iter().map(|(_, command)| command)) {
        if sets_pipefail(command) {
            pipes = PipeFailure::Reported;
        } else {
            check_pipeline(command, pipes)?;
        }
    }
    Ok(())
}

/// Checks a command, or commands joined by pipes.
fn check_pipeline(node: &CommandNode, pipes: PipeFailure) -> Result<(), ChainFlaw> {
    match &node.kind {
        CommandKind::Simple { assignments, words } => check_simple(assignments, words, &node.redirects),
        CommandKind::Pipeline(_) if pipes == PipeFailure::Dropped => Err(ChainFlaw::Pipe),
        // The pipeline begins with `!` or `time`.
        CommandKind::Pipeline(commands)
            if commands.first().is_some_and(|first| first.span.start != node.span.start) =>
        {
            Err(ChainFlaw::Shell)
        }
        CommandKind::Pipeline(commands) => commands.iter().try_for_each(|command| match &command.kind {
            // Zsh runs the last part of a pipeline in the shell itself, bash in another one.
            CommandKind::Simple { words, .. } if words.first().is_some_and(|name| unquoted(&name.text) == "cd") => {
                Err(ChainFlaw::Shell)
            }
            CommandKind::Simple { assignments, words } => check_simple(assignments, words, &command.redirects),
            _ => Err(ChainFlaw::Joined),
        }),
        CommandKind::Chain(..) | CommandKind::List(_) => Err(ChainFlaw::Joined),
        _ => Err(ChainFlaw::Shell),
    }
}

/// Checks a simple command: literal words, no assignment, and no builtin that could change a later one.
fn check_simple(assignments: &[RawText], words: &[RawText], redirects: &[Redirection]) -> Result<(), ChainFlaw> {
    let Some(program) = words.first() else { return Err(ChainFlaw::Shell) };
    let name = unquoted(&program.text);
    let affects_no_other = match name.as_str() {
        "cd" => is_plain_cd(words.get(1..).unwrap_or_default()),
        name => !affects_other_commands(name),
    };
    let has_literal_target = |redirect: &Redirection| match &redirect.target {
        RedirectTarget::Word(word) => is_literal(&word.text),
        RedirectTarget::Literal(_) => true,
        RedirectTarget::Expanded(_) | RedirectTarget::Pending(_) => false,
    };
    let is_plain = assignments.is_empty() && words.iter().all(|word| is_literal(&word.text));
    if is_plain && affects_no_other && redirects.iter().all(has_literal_target) {
        Ok(())
    } else {
        Err(ChainFlaw::Shell)
    }
}

/// Whether the words after `cd` are one directory, which all shells enter alike. Zsh replaces the first of two operands
/// in the name of the current directory by the second, and takes `-1` and `+1` for an entry of its stack.
fn is_plain_cd(words: &[RawText]) -> bool {
    let texts: Vec<String> = words.iter().map(|word| unquoted(&word.text)).collect();
    let operands = match texts.split_first() {
        Some((option, operands)) if matches!(option.as_str(), "-P" | "-L" | "--") => operands,
        _ => texts.as_slice(),
    };
    matches!(operands, [directory] if !directory.starts_with(['-', '+']))
}

/// Returns a word without its quotes and backslashes.
fn unquoted(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '\'' | '"' | '\\')).collect()
}

/// Whether a word has no expansion, pattern or history reference in it, even inside quotes.
fn is_literal(word: &str) -> bool {
    !word.contains(['$', '`', '*', '?', '[', '{', '~', '<', '>', '(', '!'])
}

#[cfg(test)]
mod tests {
    use super::{ChainFlaw, plain_chain, waits_at_end};

    #[test]
    fn a_text_of_plain_commands_that_ends_with_wait_leaves_nothing_behind() {
        for text in ["a & wait", "a &\nb x | c &\nwait", "a & b; wait", "a && b & wait\n", "cd x && a & wait"] {
            assert!(waits_at_end(text), "{text}");
        }
        for text in [
            "a & wait $!",
            "a & wait %1",
            "a & wait &",
            "a & wait x",
            "wait; a &",
            "a & exit; wait",
            "a & b && wait",
            "(a &) ; wait",
            "{ a & } ; wait",
            "a & disown; wait",
            "wait() { :; }; a & wait",
            "alias wait=true; a & wait",
            "a & wait >$x",
            "a & set -e; wait",
            "if a & then b; fi; wait",
            "a & exec b; wait",
            "a & wait (",
            "",
        ] {
            assert!(!waits_at_end(text), "{text}");
        }
    }

    #[test]
    fn a_chain_of_plain_commands_ran_if_it_succeeded() {
        for text in [
            "npm test",
            " npm   test ",
            "npm 'test'",
            "cd api && npm test",
            "npm ci && npm test && echo done",
            "npm test 2>&1",
            "npm test > out.txt",
            "npm test # all of them",
            "npm test &&\n  npm run lint",
            "set -o pipefail; npm test 2>&1 | tail -20",
            "set -euo pipefail\nnpm test | tee log",
            "set -o pipefail && npm test | tail -20",
            "cd -- api && npm test",
            "which npm && npm test",
        ] {
            assert_eq!(plain_chain(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn no_builtin_of_zsh_is_in_a_chain_that_is_certain() {
        // The builtins that the installed modules of zsh 5.9 print for `print -l ${(k)builtins}`.
        let builtins = "autoload bindkey bye chdir compadd compctl declare disable echotc echoti emulate float functions \
            getln getopts history integer limit local log noglob popd print private pushd pushln r read readonly rehash \
            sched set setopt source strftime sysread syswrite trap ttyctl typeset unfunction unhash unlimit unsetopt \
            vared whence where zcompile zformat zle zmodload zparseopts zpty zregexparse zstat zstyle zsystem";
        for name in builtins.split_ascii_whitespace() {
            assert_eq!(plain_chain(&format!("{name} x && npm test")), Err(ChainFlaw::Shell), "{name}");
        }
    }

    #[test]
    fn anything_else_may_succeed_without_it() {
        for (text, flaw) in [
            ("npm test | tail -20", ChainFlaw::Pipe),
            ("cd api && npm test 2>&1 | tail", ChainFlaw::Pipe),
            ("npm test &", ChainFlaw::Background),
            ("npm test & wait", ChainFlaw::Background),
            ("npm test; true", ChainFlaw::Joined),
            ("npm test\ntrue", ChainFlaw::Joined),
            ("npm test || true", ChainFlaw::Joined),
            ("npm test || :", ChainFlaw::Joined),
            ("false && npm test; true", ChainFlaw::Joined),
            ("(npm test)", ChainFlaw::Shell),
            ("{ npm test; }", ChainFlaw::Shell),
            ("! npm test", ChainFlaw::Shell),
            ("time npm test", ChainFlaw::Shell),
            ("if npm test; then true; fi", ChainFlaw::Shell),
            ("npm() { :; }; npm test", ChainFlaw::Joined),
            ("npm() { :; } && npm test", ChainFlaw::Shell),
            ("alias npm=true && npm test", ChainFlaw::Shell),
            ("trap 'exit 0' EXIT && npm test", ChainFlaw::Shell),
            ("tr'a'p 'exit 0' EXIT && npm test", ChainFlaw::Shell),
            ("hash -p /bin/true npm && npm test", ChainFlaw::Shell),
            ("source env.sh && npm test", ChainFlaw::Shell),
            (". ./env.sh && npm test", ChainFlaw::Shell),
            ("eval 'npm() { :; }' && npm test", ChainFlaw::Shell),
            ("exec npm test", ChainFlaw::Shell),
            ("export PATH=/tmp/x:$PATH && npm test", ChainFlaw::Shell),
            ("PATH=/tmp/x:/bin npm test", ChainFlaw::Shell),
            ("A=1 && npm test", ChainFlaw::Shell),
            ("npm test $X", ChainFlaw::Shell),
            ("npm $(echo test)", ChainFlaw::Shell),
            ("npm test < <(yes)", ChainFlaw::Shell),
            ("npm test <<E\n$X\nE", ChainFlaw::Shell),
            ("cd $DIR && npm test", ChainFlaw::Shell),
            ("set +o pipefail; npm test | tail", ChainFlaw::Joined),
            ("set -o pipefail; npm test | tail; true", ChainFlaw::Joined),
            ("set -o pipefail; ! npm test | tail", ChainFlaw::Shell),
            ("set -o pipefail && ! npm test | tail", ChainFlaw::Shell),
            ("set -n; npm test", ChainFlaw::Joined),
            ("npm test 'unclosed", ChainFlaw::Shell),
            ("bye && npm test", ChainFlaw::Shell),
            ("autoload /tmp/x/npm && npm test", ChainFlaw::Shell),
            ("zle && npm test", ChainFlaw::Shell),
            ("repeat 0 npm test", ChainFlaw::Shell),
            ("- npm test", ChainFlaw::Shell),
            ("cd /tmp/x /project && npm test", ChainFlaw::Shell),
            ("c'd' a b && npm test", ChainFlaw::Shell),
            ("cd -1 && npm test", ChainFlaw::Shell),
            ("cd +1 && npm test", ChainFlaw::Shell),
            ("cd && npm test", ChainFlaw::Shell),
            ("set -o pipefail; cd api | cd web && npm test", ChainFlaw::Shell),
            ("set -o pipefail && npm ls | cd /tmp/x && npm test", ChainFlaw::Shell),
            ("log && npm test", ChainFlaw::Shell),
        ] {
            assert_eq!(plain_chain(text), Err(flaw), "{text}");
        }
    }
}
