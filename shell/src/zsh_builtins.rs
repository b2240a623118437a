//! The builtins that zsh has and bash has not, and which of them set the variables that their words name.
//!
//! From zshbuiltins(1), zshmodules(1) and zshzle(1) of zsh 5.9, without the builtins of modules that only replace
//! programs with the same name (`zsh/files`, `zsh/cap`, `stat` of `zsh/stat`). Builtins that both shells have are in
//! `chain.rs`.

/// Whether a builtin changes variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VariableEffect {
    /// It sets variables that its words name.
    Sets,
    /// It sets none that they name.
    Keeps,
}

use VariableEffect::{Keeps, Sets};

/// The builtins, in the order of their names.
const BUILTINS: &[(&str, VariableEffect)] = &[
    ("autoload", Keeps),
    ("bindkey", Keeps),
    ("bye", Keeps),
    ("chdir", Keeps),
    ("compadd", Keeps),
    ("comparguments", Keeps),
    ("compcall", Keeps),
    ("compctl", Keeps),
    ("compdescribe", Keeps),
    ("compfiles", Keeps),
    ("compgroups", Keeps),
    ("compquote", Keeps),
    ("compset", Keeps),
    ("comptags", Keeps),
    ("comptry", Keeps),
    ("compvalues", Keeps),
    ("disable", Keeps),
    ("echotc", Keeps),
    ("echoti", Keeps),
    ("emulate", Keeps),
    ("float", Sets),
    ("functions", Keeps),
    ("getln", Sets),
    ("integer", Sets),
    ("limit", Keeps),
    ("log", Keeps),
    ("noglob", Keeps),
    ("pcre_compile", Keeps),
    ("pcre_match", Sets),
    ("pcre_study", Keeps),
    ("print", Sets),
    ("private", Sets),
    ("pushln", Keeps),
    ("r", Keeps),
    ("rehash", Keeps),
    ("sched", Keeps),
    ("setopt", Keeps),
    ("strftime", Sets),
    ("syserror", Sets),
    ("sysopen", Sets),
    ("sysread", Sets),
    ("sysseek", Keeps),
    ("syswrite", Sets),
    ("ttyctl", Keeps),
    ("unfunction", Keeps),
    ("unhash", Keeps),
    ("unlimit", Keeps),
    ("unsetopt", Keeps),
    ("vared", Sets),
    ("whence", Keeps),
    ("where", Keeps),
    ("which", Keeps),
    ("zcompile", Keeps),
    ("zcurses", Sets),
    ("zdelattr", Keeps),
    ("zformat", Sets),
    ("zftp", Keeps),
    ("zgdbmpath", Sets),
    ("zgetattr", Sets),
    ("zle", Keeps),
    ("zlistattr", Sets),
    ("zmodload", Keeps),
    ("zparseopts", Sets),
    ("zprof", Keeps),
    ("zpty", Sets),
    ("zregexparse", Sets),
    ("zselect", Sets),
    ("zsetattr", Keeps),
    ("zsocket", Sets),
    ("zstat", Sets),
    ("zstyle", Sets),
    ("zsystem", Sets),
    ("ztcp", Sets),
    ("ztie", Sets),
    ("zuntie", Sets),
];

/// Whether zsh has a builtin with this name that bash has not.
pub(crate) fn is_of_zsh(name: &str) -> bool {
    row(name).is_some()
}

/// Whether a builtin that only zsh has sets the variables that its words name.
pub(crate) fn sets_variables(name: &str) -> bool {
    row(name) == Some(Sets)
}

fn row(name: &str) -> Option<VariableEffect> {
    let index = BUILTINS.binary_search_by_key(&name, |(known, _)| known).ok()?;
    BUILTINS.get(index).map(|(_, effect)| *effect)
}

#[cfg(test)]
mod tests {
    use super::{BUILTINS, is_of_zsh, sets_variables};

    #[test]
    fn the_names_are_sorted_for_the_search() {
        assert!(BUILTINS.is_sorted_by_key(|(name, _)| *name));
        assert!(is_of_zsh("autoload") && is_of_zsh("zuntie") && !is_of_zsh("npm") && !is_of_zsh("cd"));
        assert!(sets_variables("zstyle") && !sets_variables("zle"));
    }
}
