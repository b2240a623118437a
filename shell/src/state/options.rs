//! Options of a shell that change what commands do: those of bash's `shopt`, and of zsh's `setopt`.

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
    /// Zsh takes values and lists otherwise than it does by itself.
    pub other_values: bool,
    /// `^`, `~` and `#` are signs of globs in zsh, or these take names with a dot in front.
    pub extended_glob: bool,
    /// Zsh runs what is in prompts.
    pub prompt_subst: bool,
    /// What is read or run is written to standard error: `set -x`, `set -v`.
    pub traces: bool,
    /// Whatever fails ends the shell: `set -e`.
    pub errexit: bool,
    /// That holds in substitutions too, where it does not by itself.
    pub inherit_errexit: bool,
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
            other_values: self.other_values || other.other_values,
            extended_glob: self.extended_glob || other.extended_glob,
            prompt_subst: self.prompt_subst || other.prompt_subst,
            traces: self.traces || other.traces,
            errexit: self.errexit || other.errexit,
            inherit_errexit: self.inherit_errexit || other.inherit_errexit,
        }
    }

    /// Sets one of zsh by its name, in whichever letters; all, where the name is not known.
    pub(crate) fn set_of_zsh(&mut self, name: Option<&str>) {
        const VALUES: &[&str] = &[
            "shwordsplit",
            "globsubst",
            "ksharrays",
            "kshtypeset",
            "kshzerosubscript",
            "shfileexpansion",
            "rcexpandparam",
            "globassign",
            "nomultios",
            "multios",
            "noequals",
            "equals",
            "octalzeroes",
            "cbases",
        ];
        let name = name.map(|name| name.to_lowercase().replace('_', ""));
        let is = |option: &str| name.as_deref().is_none_or(|name| name == option);
        self.other_values |= VALUES.iter().any(|option| is(option));
        self.extended_glob |= is("extendedglob") || is("kshglob") || is("globdots") || is("dotglob");
        self.prompt_subst |= is("promptsubst");
    }

    /// Sets one by its name; all, where the name is not known.
    pub(crate) fn set(&mut self, name: Option<&str>) {
        let is = |option: &str| name.is_none_or(|name| name == option);
        self.lastpipe |= is("lastpipe");
        self.xpg_echo |= is("xpg_echo");
        self.cdable_vars |= is("cdable_vars");
        self.localvar_inherit |= is("localvar_inherit");
        self.nocasematch |= is("nocasematch");
        self.inherit_errexit |= is("inherit_errexit");
    }
}
