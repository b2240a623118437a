//! Shell options that change what commands do: of `set` and `shopt` in bash, and of `setopt` in zsh.

/// Whether an option is set at a point of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum OptionState {
    #[default]
    Off,
    On,
    /// It is not known which: the paths to this point differ, or the name of a changed option is unknown.
    Unclear,
}

impl OptionState {
    fn merge(self, other: Self) -> Self {
        if self == other { self } else { Self::Unclear }
    }
}

/// The options of a shell that change what commands do. A `bool` is true as soon as the option may be set, and
/// unsetting the option leaves it true.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct ShellOptions {
    /// The last command of a pipeline runs in this shell.
    pub lastpipe: bool,
    /// `echo` decodes backslashes.
    pub xpg_echo: bool,
    /// `cd name` may go to the directory in the variable `name`.
    pub cdable_vars: bool,
    /// A local variable begins with the value of the caller's variable of that name.
    pub localvar_inherit: bool,
    /// Patterns of `case` and `[[` ignore case.
    pub nocasematch: bool,
    /// `cd` resolves links, so that `..` is the parent of their target: `set -P`, `cd -P`.
    pub physical: bool,
    /// Options of zsh give values and arrays another meaning than the default: `sh_word_split`, `ksh_arrays`.
    pub other_values: bool,
    /// `^`, `~` and `#` are glob operators in zsh, or globs match hidden names.
    pub extended_glob: bool,
    /// Zsh runs the substitutions in prompts.
    pub prompt_subst: bool,
    /// The shell prints lines or commands to standard error: `set -x`, `set -v`.
    pub traces: bool,
    /// A failing command ends the shell: `set -e`.
    pub errexit: bool,
    /// `errexit` also applies in command substitutions, which is not bash's default.
    pub inherit_errexit: bool,
    /// An unset parameter ends the shell: `set -u`.
    pub nounset: OptionState,
    /// Globs are literal text: `set -f`.
    pub noglob: OptionState,
    /// Braces are literal text: `set +B`.
    pub nobraces: OptionState,
    /// `>` does not overwrite an existing file: `set -C`.
    pub noclobber: OptionState,
    /// Assignments may also follow the program: `set -k`.
    pub keyword: OptionState,
    /// Globs ignore the case of names.
    pub nocaseglob: bool,
    /// A glob without a match is removed.
    pub nullglob: bool,
}

impl ShellOptions {
    /// Returns the options after a join of two paths: one that may be set on either path may be set.
    pub(super) fn merge(self, other: Self) -> Self {
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
            nounset: self.nounset.merge(other.nounset),
            noglob: self.noglob.merge(other.noglob),
            nobraces: self.nobraces.merge(other.nobraces),
            noclobber: self.noclobber.merge(other.noclobber),
            keyword: self.keyword.merge(other.keyword),
            nocaseglob: self.nocaseglob || other.nocaseglob,
            nullglob: self.nullglob || other.nullglob,
        }
    }

    /// Restores the options of `set` from `before`, as a function with `local -` does at its end. Options of `shopt`
    /// stay as they are.
    pub(crate) fn restore_set_options(self, before: Self) -> Self {
        Self {
            physical: before.physical,
            traces: before.traces,
            errexit: before.errexit,
            nounset: before.nounset,
            noglob: before.noglob,
            nobraces: before.nobraces,
            noclobber: before.noclobber,
            keyword: before.keyword,
            ..self
        }
    }

    /// Records that `setopt` or `unsetopt` changes an option of zsh. Case and underscores are ignored; `None` is an
    /// unknown name, which may be any option.
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
        self.nocaseglob |= is("caseglob") || is("nocaseglob");
    }

    /// Records that `shopt` changes an option; `None` is an unknown name, which may be any option.
    pub(crate) fn set(&mut self, name: Option<&str>) {
        let is = |option: &str| name.is_none_or(|name| name == option);
        self.lastpipe |= is("lastpipe");
        self.xpg_echo |= is("xpg_echo");
        self.cdable_vars |= is("cdable_vars");
        self.localvar_inherit |= is("localvar_inherit");
        self.nocasematch |= is("nocasematch");
        self.inherit_errexit |= is("inherit_errexit");
        self.nocaseglob |= is("nocaseglob");
        self.nullglob |= is("nullglob");
    }
}
