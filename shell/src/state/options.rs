//! Options of a shell that change what its commands do.

/// Options of `shopt` that change what commands do; one that may be set counts as set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Options {
    /// The last command of a pipeline runs in this shell.
    pub lastpipe: bool,
    /// `echo` decodes backslashes.
    pub xpg_echo: bool,
    /// `cd name` may be where a variable says.
    pub cdable_vars: bool,
    /// A function's own variable has the value of its caller's.
    pub localvar_inherit: bool,
    /// Patterns match in any case.
    pub nocasematch: bool,
    /// `cd` goes where links lead, and `..` is above that: `set -P`, `cd -P`.
    pub physical: bool,
}

impl Options {
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            lastpipe: self.lastpipe || other.lastpipe,
            xpg_echo: self.xpg_echo || other.xpg_echo,
            cdable_vars: self.cdable_vars || other.cdable_vars,
            localvar_inherit: self.localvar_inherit || other.localvar_inherit,
            nocasematch: self.nocasematch || other.nocasematch,
            physical: self.physical || other.physical,
        }
    }

    /// Sets one by its name; all, where the name is not known.
    pub(crate) fn set(&mut self, name: Option<&str>) {
        let is = |option: &str| name.is_none_or(|name| name == option);
        self.lastpipe |= is("lastpipe");
        self.xpg_echo |= is("xpg_echo");
        self.cdable_vars |= is("cdable_vars");
        self.localvar_inherit |= is("localvar_inherit");
        self.nocasematch |= is("nocasematch");
    }
}
