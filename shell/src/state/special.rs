//! The variables that bash sets or reads, from its manual.

/// Which party determines the value of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VariableOwner {
    /// The shell, at any time: an assignment has no lasting effect.
    Shell,
    /// A builtin or a keyword that the analysis interprets: `read`, `getopts`, `select`, `coproc`, `cd`.
    Builtin,
    /// The text and the parent process. The shell only reads the variable, or sets it once at its start.
    Text,
}

use VariableOwner::{Builtin, Shell, Text};

/// Every variable in the manual of bash, sorted by name.
const VARIABLES: &[(&str, VariableOwner)] = &[
    ("BASH", Shell),
    ("BASHOPTS", Shell),
    ("BASHPID", Shell),
    ("BASH_ALIASES", Shell),
    ("BASH_ARGC", Shell),
    ("BASH_ARGV", Shell),
    ("BASH_ARGV0", Shell),
    ("BASH_CMDS", Shell),
    ("BASH_COMMAND", Shell),
    ("BASH_COMPAT", Text),
    ("BASH_ENV", Text),
    ("BASH_EXECUTION_STRING", Shell),
    ("BASH_LINENO", Shell),
    ("BASH_LOADABLES_PATH", Text),
    ("BASH_REMATCH", Shell),
    ("BASH_SOURCE", Shell),
    ("BASH_SUBSHELL", Shell),
    ("BASH_VERSINFO", Shell),
    ("BASH_VERSION", Shell),
    ("BASH_XTRACEFD", Text),
    ("CDPATH", Text),
    ("CHILD_MAX", Text),
    ("COLUMNS", Shell),
    ("COMPREPLY", Shell),
    ("COMP_CWORD", Shell),
    ("COMP_KEY", Shell),
    ("COMP_LINE", Shell),
    ("COMP_POINT", Shell),
    ("COMP_TYPE", Shell),
    ("COMP_WORDBREAKS", Shell),
    ("COMP_WORDS", Shell),
    ("COPROC", Builtin),
    ("DIRSTACK", Shell),
    ("EMACS", Text),
    ("ENV", Text),
    ("EPOCHREALTIME", Shell),
    ("EPOCHSECONDS", Shell),
    ("EUID", Shell),
    ("EXECIGNORE", Text),
    ("FCEDIT", Text),
    ("FIGNORE", Text),
    ("FUNCNAME", Shell),
    ("FUNCNEST", Text),
    ("GLOBIGNORE", Text),
    ("GROUPS", Shell),
    ("HISTCMD", Shell),
    ("HISTCONTROL", Text),
    ("HISTFILE", Text),
    ("HISTFILESIZE", Text),
    ("HISTIGNORE", Text),
    ("HISTSIZE", Text),
    ("HISTTIMEFORMAT", Text),
    ("HOME", Text),
    ("HOSTFILE", Text),
    ("HOSTNAME", Text),
    ("HOSTTYPE", Text),
    ("IFS", Text),
    ("IGNOREEOF", Text),
    ("INPUTRC", Text),
    ("INSIDE_EMACS", Text),
    ("LANG", Text),
    ("LC_ALL", Text),
    ("LC_COLLATE", Text),
    ("LC_CTYPE", Text),
    ("LC_MESSAGES", Text),
    ("LC_NUMERIC", Text),
    ("LC_TIME", Text),
    ("LINENO", Shell),
    ("LINES", Shell),
    ("MACHTYPE", Text),
    ("MAIL", Text),
    ("MAILCHECK", Text),
    ("MAILPATH", Text),
    ("MAPFILE", Builtin),
    ("OLDPWD", Builtin),
    ("OPTARG", Builtin),
    ("OPTERR", Text),
    ("OPTIND", Builtin),
    ("OSTYPE", Text),
    ("PATH", Text),
    ("PIPESTATUS", Shell),
    ("POSIXLY_CORRECT", Text),
    ("PPID", Shell),
    ("PROMPT_COMMAND", Text),
    ("PROMPT_DIRTRIM", Text),
    ("PS0", Text),
    ("PS1", Text),
    ("PS2", Text),
    ("PS3", Text),
    ("PS4", Text),
    ("PWD", Builtin),
    ("RANDOM", Shell),
    ("READLINE_ARGUMENT", Shell),
    ("READLINE_LINE", Shell),
    ("READLINE_MARK", Shell),
    ("READLINE_POINT", Shell),
    ("REPLY", Builtin),
    ("SECONDS", Shell),
    ("SHELL", Text),
    ("SHELLOPTS", Shell),
    ("SHLVL", Shell),
    ("SRANDOM", Shell),
    ("TIMEFORMAT", Text),
    ("TMOUT", Text),
    ("TMPDIR", Text),
    ("UID", Shell),
    ("_", Shell),
    ("auto_resume", Text),
    ("histchars", Text),
];

/// Returns which party determines the value of a variable: the text, unless the manual lists the variable
/// differently.
pub(crate) fn variable_owner(name: &str) -> VariableOwner {
    find_row(name).map_or(Text, |row| row.1)
}

/// Whether bash's manual lists a variable, so that the shell may set it.
pub(crate) fn is_listed(name: &str) -> bool {
    find_row(name).is_some()
}

fn find_row(name: &str) -> Option<&'static (&'static str, VariableOwner)> {
    VARIABLES.binary_search_by(|(own, _)| (*own).cmp(name)).ok().and_then(|at| VARIABLES.get(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_in_order() {
        assert!(VARIABLES.is_sorted_by(|one, other| one.0 < other.0));
    }
}
