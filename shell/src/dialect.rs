//! Which shell reads a text, where shells read the same text differently.
//!
//! A text has a [`Dialect`], or is one of several. Whoever follows it reads it as the first, and asks for each
//! [`Feature`] that it comes across; [`Reading`] notes which of the others would have gone another way there. Those read
//! it again. So a text that all of them read alike is read once.

use std::cell::Cell;
use std::rc::Rc;

/// A shell, or a way of reading that several share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    Bash = 1,
    /// Bash in POSIX mode, as it is when it is called `sh`.
    Posix = 2,
    /// What has little beyond POSIX.
    Dash = 4,
    Zsh = 8,
}

/// In what language a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Language {
    /// That of a shell in Bourne's manner, of which there are [`Dialect`]s.
    #[default]
    Bourne,
    /// PowerShell's, which is translated before it is followed.
    PowerShell,
    /// That of `cmd`, which is translated too.
    Cmd,
    /// fish's, which is translated too.
    Fish,
}

/// Some dialects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Dialects(u8);

impl Dialects {
    /// None.
    pub(super) const NONE: Self = Self(0);
    pub(super) const BASH: Self = Self(Dialect::Bash as u8);
    pub(super) const POSIX: Self = Self(Dialect::Posix as u8);
    pub(super) const DASH: Self = Self(Dialect::Dash as u8);
    pub(super) const ZSH: Self = Self(Dialect::Zsh as u8);
    /// What `sh` is on one system or another.
    pub(super) const SH: Self = Self(Self::POSIX.0 | Self::DASH.0);
    /// A shell in Bourne's manner, whichever.
    pub(super) const BOURNE: Self = Self(Self::BASH.0 | Self::SH.0);
    /// Those with the extensions that began in ksh.
    const EXTENDED: Self = Self(Self::BASH.0 | Self::POSIX.0 | Self::ZSH.0);

    /// The order in which they are read.
    const ALL: [Dialect; 4] = [Dialect::Bash, Dialect::Posix, Dialect::Dash, Dialect::Zsh];

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) const fn has(self, dialect: Dialect) -> bool {
        self.0 & dialect as u8 != 0
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the one that is read first.
    pub(super) fn first(self) -> Option<Dialect> {
        Self::ALL.into_iter().find(|dialect| self.has(*dialect))
    }
}

impl From<Dialect> for Dialects {
    fn from(dialect: Dialect) -> Self {
        Self(dialect as u8)
    }
}

/// What some dialects have and others do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Feature {
    /// `&>file`; to the others a `&` and a `>file`.
    BothOutputs,
    /// `((…))`; to the others two subshells.
    Arithmetic,
    /// `[[ … ]]`; to the others a program.
    Conditions,
    /// `function`, `select`, `coproc`, `time`; to the others programs.
    Keywords,
    /// `name+=value`; to the others a program.
    Appends,
    /// `name=(…)`, `name[…]=value`.
    Lists,
    /// `declare -a name='(…)'` is a list too.
    QuotedLists,
    /// `{a,b}`; to the others itself.
    Braces,
    /// `<(…)`, `>(…)`.
    Processes,
    /// `$'…'`; to the others a dollar and quotes.
    EscapedQuotes,
    /// `$"…"`; to the others a dollar and quotes.
    TranslatedQuotes,
    /// `$[…]`; to the others itself.
    Brackets,
    /// `{name}>file`; to the others a word and a redirection.
    NamedDescriptors,
    /// `<<<`, `|&`, `;&`, `;;&`, `for ((…))`, `for …; { … }`.
    OtherSigns,
    /// Single quotes in the word of `"${x:-word}"` take a brace in; to the others they are text.
    QuotesInOperands,
    /// `~+`, `~-`; to the others themselves.
    TildeDirectories,
    /// A tilde behind the `=` of an argument; to the others itself.
    TildeInArguments,
    /// `declare`, `let`, `mapfile`, `pushd`, `source` and the like; to the others programs.
    MoreBuiltins,
    /// `printf -v`, `read -a`, `export -n`, `hash -p`, `unset -n`; to the others errors.
    MoreOptions,
    /// What stands in front of a special builtin stays set, and no function takes its name.
    SpecialBuiltins,
    /// `echo` leaves backslashes as they are, unless `-e` says otherwise.
    PlainEcho,
    /// `echo -e`; to the others a word.
    EchoOptions,
    /// `printf '\x41\u41\E\"'`; the others leave some of these as they are.
    MoreEscapes,
    /// A function's own variable has no value at first; in the others that of its caller's.
    FreshLocals,
    /// `f() command`.
    AnyBody,
    /// The last command of a pipeline runs in the shell itself.
    LastPipe,
    /// The values of variables split into words, and globs count in them.
    Splitting,
    /// A number that begins with a 0 is octal; to the others it is decimal.
    OctalNumbers,
    /// `base#number`; to the others an error.
    NumberBases,
    /// `set -o posix`, `POSIXLY_CORRECT`.
    PosixMode,
    /// `set -e` holds in substitutions.
    ErrexitInSubstitutions,
    /// `${x/a/b}`, `${x:1}`, `${x^}`, `${x@Q}`; to the others an error.
    MoreOperators,
    /// `x=$@` puts a blank between the arguments; in the others the first separator is there.
    BlanksBetween,
    /// `$(<file)` is what the file holds; to the others nothing.
    FileOutputs,
    /// What zsh alone has: functions without a name, `always`, `>!`, `$list[2]`, flags of expansions, builtins of its own.
    OfZsh,
}

impl Feature {
    const fn dialects(self) -> Dialects {
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
            | Self::NumberBases => Dialects::EXTENDED,
            Self::TranslatedQuotes | Self::PosixMode | Self::MoreEscapes | Self::BlanksBetween | Self::QuotedLists => {
                Dialects::BASH.or(Dialects::POSIX)
            }
            Self::QuotesInOperands | Self::TildeInArguments | Self::PlainEcho => Dialects::BASH,
            Self::SpecialBuiltins => Dialects::SH,
            Self::AnyBody => Dialects::DASH.or(Dialects::ZSH),
            Self::LastPipe | Self::OfZsh => Dialects::ZSH,
            Self::Splitting | Self::OctalNumbers => Dialects::BOURNE,
            Self::ErrexitInSubstitutions => Dialects::SH.or(Dialects::ZSH),
        }
    }
}

/// How a text is read: as one dialect, on behalf of others until they part.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    own: Dialect,
    others: Dialects,
    /// Those of the others that would have gone another way. All states of a walk share it.
    parted: Option<Rc<Cell<Dialects>>>,
}

impl Reading {
    /// As one dialect, and no other.
    pub(super) const fn sole(own: Dialect) -> Self {
        Self { own, others: Dialects::NONE, parted: None }
    }

    /// As one dialect, on behalf of others.
    pub(super) fn of(own: Dialect, others: Dialects) -> Self {
        let parted = (!others.is_empty()).then(Rc::default);
        Self { own, others, parted }
    }

    pub(super) fn own(&self) -> Dialect {
        self.own
    }

    /// Goes on as another dialect.
    pub(super) fn become_other(&mut self, own: Dialect) {
        self.own = own;
    }

    /// Tells whether the dialect has a feature, and notes the others for which that is not so.
    #[inline]
    pub(super) fn has(&self, feature: Feature) -> bool {
        let with = feature.dialects();
        let has = with.has(self.own);
        if let Some(parted) = &self.parted {
            let others = if has { self.others.without(with) } else { self.others.and(with) };
            parted.set(parted.get().or(others));
        }
        has
    }

    /// Returns the dialects that would have gone another way.
    pub(super) fn parted(&self) -> Dialects {
        self.parted.as_ref().map_or(Dialects::NONE, |parted| parted.get())
    }
}
