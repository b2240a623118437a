//! Which shell reads a text, for texts that shells read differently.
//!
//! A text has a [`Dialect`], or is in one of several. The analysis walks it in the first, and queries each
//! [`DialectFeature`] that it encounters; [`DialectReading`] records which of the other dialects would have behaved
//! differently. The text is walked again in those, so a text that all of them read alike is walked once.

use std::cell::Cell;
use std::rc::Rc;

/// A shell, or a mode that several shells share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    Bash = 1,
    /// Bash in POSIX mode, as when it is called `sh`.
    Posix = 2,
    /// Shells with few extensions to POSIX.
    Dash = 4,
    Zsh = 8,
}

/// The language of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ScriptLanguage {
    /// That of Bourne-like shells, which have [`Dialect`]s.
    #[default]
    Bourne,
    /// PowerShell, which is translated before it is walked.
    PowerShell,
    /// `cmd`, which is also translated.
    Cmd,
    /// fish, which is also translated.
    Fish,
}

/// A set of dialects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct DialectSet(u8);

impl DialectSet {
    /// The empty set.
    pub(super) const NONE: Self = Self(0);
    pub(super) const BASH: Self = Self(Dialect::Bash as u8);
    pub(super) const POSIX: Self = Self(Dialect::Posix as u8);
    pub(super) const DASH: Self = Self(Dialect::Dash as u8);
    pub(super) const ZSH: Self = Self(Dialect::Zsh as u8);
    /// The shells that `sh` is on various systems.
    pub(super) const SH: Self = Self(Self::POSIX.0 | Self::DASH.0);
    /// Any Bourne-like shell.
    pub(super) const BOURNE: Self = Self(Self::BASH.0 | Self::SH.0);
    /// The shells with extensions from ksh.
    const EXTENDED: Self = Self(Self::BASH.0 | Self::POSIX.0 | Self::ZSH.0);

    /// All dialects, in the order in which they are walked.
    const ALL: [Dialect; 4] = [Dialect::Bash, Dialect::Posix, Dialect::Dash, Dialect::Zsh];

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) const fn has(self, dialect: Dialect) -> bool {
        self.0 & dialect as u8 != 0
    }

    pub(super) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the dialect that is walked first.
    pub(super) fn first(self) -> Option<Dialect> {
        Self::ALL.into_iter().find(|dialect| self.has(*dialect))
    }
}

impl From<Dialect> for DialectSet {
    fn from(dialect: Dialect) -> Self {
        Self(dialect as u8)
    }
}

/// A feature that some dialects have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DialectFeature {
    /// `&>file`; in the others a `&` and a `>file`.
    BothOutputs,
    /// `((…))`; in the others two subshells.
    Arithmetic,
    /// `[[ … ]]`; in the others a program.
    Conditions,
    /// `function`, `select`, `coproc`, `time`; in the others programs.
    Keywords,
    /// `name+=value`; in the others a program.
    Appends,
    /// `name=(…)`, `name[…]=value`.
    Lists,
    /// `declare -a name='(…)'` is also a list.
    QuotedLists,
    /// `{a,b}`; in the others literal.
    Braces,
    /// `<(…)`, `>(…)`.
    Processes,
    /// `$'…'`; in the others a dollar sign and quotes.
    EscapedQuotes,
    /// `$"…"`; in the others a dollar sign and quotes.
    TranslatedQuotes,
    /// `$[…]`; in the others literal.
    Brackets,
    /// `{name}>file`; in the others a word and a redirection.
    NamedDescriptors,
    /// `<<<`, `|&`, `;&`, `;;&`, `for ((…))`, `for …; { … }`.
    OtherSigns,
    /// Single quotes in the word of `"${x:-word}"` protect a brace; in the others they are literal.
    QuotesInOperands,
    /// `~+`, `~-`; in the others literal.
    TildeDirectories,
    /// A tilde after the `=` of an argument; in the others literal.
    TildeInArguments,
    /// `declare`, `let`, `mapfile`, `pushd`, `source` and the like; in the others programs.
    MoreBuiltins,
    /// `printf -v`, `read -a`, `export -n`, `hash -p`, `unset -n`; in the others errors.
    MoreOptions,
    /// Assignments before a special builtin persist, and no function replaces one.
    SpecialBuiltins,
    /// `echo` prints backslashes unchanged, except with `-e`.
    PlainEcho,
    /// `echo -e`; in the others a word.
    EchoOptions,
    /// `printf '\x41\u41\E\"'`; the others leave some of these escapes unchanged.
    MoreEscapes,
    /// A local variable is unset at first; in the others it has its caller's value.
    FreshLocals,
    /// `f() command`.
    AnyBody,
    /// The last command of a pipeline runs in the shell itself.
    LastPipe,
    /// The values of variables are split into words, and globs in them are active.
    Splitting,
    /// A number with a leading 0 is octal; in the others it is decimal.
    OctalNumbers,
    /// `base#number`; in the others an error.
    NumberBases,
    /// `set -o posix`, `POSIXLY_CORRECT`.
    PosixMode,
    /// `set -e` applies in substitutions.
    ErrexitInSubstitutions,
    /// `${x/a/b}`, `${x:1}`, `${x^}`, `${x@Q}`; in the others an error.
    MoreOperators,
    /// `x=$@` joins the arguments with blanks; in the others with the first separator.
    BlanksBetween,
    /// `$(<file)` is the content of the file; in the others empty.
    FileOutputs,
    /// Features of zsh only: functions without a name, `always`, `>!`, `$list[2]`, flags of expansions, its own
    /// builtins.
    ZshSyntax,
}

impl DialectFeature {
    const fn dialects(self) -> DialectSet {
        match self {
            Self::BothOutputs
            | Self::Arithmetic
            | Self::Conditions
            | Self::Keywords
            | Self::Appends
            | Self::Lists
            | Self::Braces
            | Self::Processes
            | Self::EscapedQuotes
            | Self::Brackets
            | Self::NamedDescriptors
            | Self::OtherSigns
            | Self::TildeDirectories
            | Self::MoreBuiltins
            | Self::MoreOptions
            | Self::EchoOptions
            | Self::FileOutputs
            | Self::MoreOperators
            | Self::FreshLocals
            | Self::NumberBases => DialectSet::EXTENDED,
            Self::TranslatedQuotes | Self::PosixMode | Self::MoreEscapes | Self::BlanksBetween | Self::QuotedLists => {
                DialectSet::BASH.union(DialectSet::POSIX)
            }
            Self::QuotesInOperands | Self::TildeInArguments | Self::PlainEcho => DialectSet::BASH,
            Self::SpecialBuiltins => DialectSet::SH,
            Self::AnyBody => DialectSet::DASH.union(DialectSet::ZSH),
            Self::LastPipe | Self::ZshSyntax => DialectSet::ZSH,
            Self::Splitting | Self::OctalNumbers => DialectSet::BOURNE,
            Self::ErrexitInSubstitutions => DialectSet::SH.union(DialectSet::ZSH),
        }
    }
}

/// The reading of a text: in one dialect, and for others as long as they behave the same.
#[derive(Clone, Debug)]
pub(super) struct DialectReading {
    dialect: Dialect,
    others: DialectSet,
    /// The other dialects that would have behaved differently. All states of a walk share it.
    diverging: Option<Rc<Cell<DialectSet>>>,
}

impl DialectReading {
    /// In one dialect only.
    pub(super) const fn single(own: Dialect) -> Self {
        Self { dialect: own, others: DialectSet::NONE, diverging: None }
    }

    /// In one dialect, and for others.
    pub(super) fn new(own: Dialect, others: DialectSet) -> Self {
        let parted = (!others.is_empty()).then(Rc::default);
        Self { dialect: own, others, diverging: parted }
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Continues in another dialect.
    pub(super) fn switch_to(&mut self, own: Dialect) {
        self.dialect = own;
    }

    /// Whether the dialect has a feature. Records the other dialects for which the answer differs.
    #[inline]
    pub(super) fn has(&self, feature: DialectFeature) -> bool {
        let with = feature.dialects();
        let has = with.has(self.dialect);
        if let Some(parted) = &self.diverging {
            let others = if has { self.others.difference(with) } else { self.others.intersection(with) };
            parted.set(parted.get().union(others));
        }
        has
    }

    /// Returns the other dialects that would have behaved differently.
    pub(super) fn diverging(&self) -> DialectSet {
        self.diverging.as_ref().map_or(DialectSet::NONE, |parted| parted.get())
    }
}
