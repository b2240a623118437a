//! The variables that a shell sets by itself, whatever the text gives them.

/// Who says what a variable of bash's manual holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kept {
    /// The shell, at any time: what the text gives it means nothing.
    ByShell,
    /// A builtin or a keyword that the text runs, which is followed: `read`, `getopts`, `select`, `coproc`, `cd`.
    ByBuiltin,
    /// The text, and whoever started the shell. The shell reads it, or sets it once when it starts.
    ByText,
}

use Kept::{ByBuiltin, ByShell, ByText};

/// Every variable that the manual of bash names, in order.
const VARIABLES: &[(&str, Kept)] = &[
    ("BASH", ByShell),
    ("BASHOPTS", ByShell),
    ("BASHPID", ByShell),
    ("BASH_ALIASES", ByShell),
    ("BASH_ARGC", ByShell),
    ("BASH_ARGV", ByShell),
    ("BASH_ARGV0", ByShell),
    ("BASH_CMDS", ByShell),
    ("BASH_COMMAND", ByShell),
    ("BASH_COMPAT", ByText),
    ("BASH_ENV", ByText),
    ("BASH_EXECUTION_STRING", ByShell),
    ("BASH_LINENO", ByShell),
    ("BASH_LOADABLES_PATH", ByText),
    ("BASH_REMATCH", ByShell),
    ("BASH_SOURCE", ByShell),
    ("BASH_SUBSHELL", ByShell),
    ("BASH_VERSINFO", ByShell),
    ("BASH_VERSION", ByShell),
    ("BASH_XTRACEFD", ByText),
    ("CDPATH", ByText),
    ("CHILD_MAX", ByText),
    ("COLUMNS", ByShell),
    ("COMPREPLY", ByShell),
    ("COMP_CWORD", ByShell),
    ("COMP_KEY", ByShell),
    ("COMP_LINE", ByShell),
    ("COMP_POINT", ByShell),
    ("COMP_TYPE", ByShell),
    ("COMP_WORDBREAKS", ByShell),
    ("COMP_WORDS", ByShell),
    ("COPROC", ByBuiltin),
    ("DIRSTACK", ByShell),
    ("EMACS", ByText),
    ("ENV", ByText),
    ("EPOCHREALTIME", ByShell),
    ("EPOCHSECONDS", ByShell),
    ("EUID", ByShell),
    ("EXECIGNORE", ByText),
    ("FCEDIT", ByText),
    ("FIGNORE", ByText),
    ("FUNCNAME", ByShell),
    ("FUNCNEST", ByText),
    ("GLOBIGNORE", ByText),
    ("GROUPS", ByShell),
    ("HISTCMD", ByShell),
    ("HISTCONTROL", ByText),
    ("HISTFILE", ByText),
    ("HISTFILESIZE", ByText),
    ("HISTIGNORE", ByText),
    ("HISTSIZE", ByText),
    ("HISTTIMEFORMAT", ByText),
    ("HOME", ByText),
    ("HOSTFILE", ByText),
    ("HOSTNAME", ByText),
    ("HOSTTYPE", ByText),
    ("IFS", ByText),
    ("IGNOREEOF", ByText),
    ("INPUTRC", ByText),
    ("INSIDE_EMACS", ByText),
    ("LANG", ByText),
    ("LC_ALL", ByText),
    ("LC_COLLATE", ByText),
    ("LC_CTYPE", ByText),
    ("LC_MESSAGES", ByText),
    ("LC_NUMERIC", ByText),
    ("LC_TIME", ByText),
    ("LINENO", ByShell),
    ("LINES", ByShell),
    ("MACHTYPE", ByText),
    ("MAIL", ByText),
    ("MAILCHECK", ByText),
    ("MAILPATH", ByText),
    ("MAPFILE", ByBuiltin),
    ("OLDPWD", ByBuiltin),
    ("OPTARG", ByBuiltin),
    ("OPTERR", ByText),
    ("OPTIND", ByBuiltin),
    ("OSTYPE", ByText),
    ("PATH", ByText),
    ("PIPESTATUS", ByShell),
    ("POSIXLY_CORRECT", ByText),
    ("PPID", ByShell),
    ("PROMPT_COMMAND", ByText),
    ("PROMPT_DIRTRIM", ByText),
    ("PS0", ByText),
    ("PS1", ByText),
    ("PS2", ByText),
    ("PS3", ByText),
    ("PS4", ByText),
    ("PWD", ByBuiltin),
    ("RANDOM", ByShell),
    ("READLINE_ARGUMENT", ByShell),
    ("READLINE_LINE", ByShell),
    ("READLINE_MARK", ByShell),
    ("READLINE_POINT", ByShell),
    ("REPLY", ByBuiltin),
    ("SECONDS", ByShell),
    ("SHELL", ByText),
    ("SHELLOPTS", ByShell),
    ("SHLVL", ByShell),
    ("SRANDOM", ByShell),
    ("TIMEFORMAT", ByText),
    ("TMOUT", ByText),
    ("TMPDIR", ByText),
    ("UID", ByShell),
    ("_", ByShell),
    ("auto_resume", ByText),
    ("histchars", ByText),
];

/// Tells who says what a variable holds.
pub(crate) fn kept(name: &str) -> Kept {
    VARIABLES
        .binary_search_by(|(own, _)| (*own).cmp(name))
        .ok()
        .and_then(|at| VARIABLES.get(at))
        .map_or(ByText, |row| row.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_in_order() {
        assert!(VARIABLES.is_sorted_by(|one, other| one.0 < other.0));
    }
}
