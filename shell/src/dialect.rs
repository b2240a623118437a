//! The shells that may read a text, for texts that shells read differently.
//!
//! A text is in one [`Dialect`], or may be in several. The analysis interprets it in the first one, and asks
//! [`DialectReading`] for each [`DialectFeature`] that the text uses. The reading records the other dialects that
//! would have behaved differently, and the text is interpreted again in those. So a text that all of them read alike is
//! interpreted once.

use std::cell::Cell;
use std::rc::Rc;

/// A shell, or a mode that several shells share. The values are bits of a [`DialectSet`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dialect {
    Bash = 1,
    /// Bash in POSIX mode, as when it is called as `sh`.
    Posix = 2,
    /// Dash, and other shells with few extensions to POSIX.
    Dash = 4,
    Zsh = 8,
}

/// The language of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ScriptLanguage {
    /// Bourne shell code, in one of the [`Dialect`]s.
    #[default]
    Bourne,
    /// PowerShell, which is translated to bash before it is interpreted.
    PowerShell,
    /// `cmd`, the language of batch files, which is translated to bash before it is interpreted.
    Cmd,
    /// fish, which is translated to bash before it is interpreted.
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
    /// The shells that `sh` is, depending on the system.
    pub(super) const SH: Self = Self(Self::POSIX.0 | Self::DASH.0);
    /// Bash and the shells that `sh` is.
    pub(super) const BOURNE: Self = Self(Self::BASH.0 | Self::SH.0);
    /// The shells with extensions from ksh: arrays, `[[`.
    const EXTENDED: Self = Self(Self::BASH.0 | Self::POSIX.0 | Self::ZSH.0);

    /// All dialects, in the order in which a text is interpreted in them.
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

    /// Returns the dialect in which a text is interpreted first.
    pub(super) fn first(self) -> Option<Dialect> {
        Self::ALL.into_iter().find(|dialect| self.has(*dialect))
    }
}

impl From<Dialect> for DialectSet {
    fn from(dialect: Dialect) -> Self {
        Self(dialect as u8)
    }
}

/// A difference between dialects in the reading of a text. Each comment describes the dialects with the feature; "in
/// the others" are those without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DialectFeature {
    /// `&>file` redirects both outputs; in the others, `&` and `>file`.
    BothOutputs,
    /// `((…))` is arithmetic; in the others, two subshells.
    Arithmetic,
    /// `[[ … ]]` is a condition; in the others, a program `[[`.
    Conditions,
    /// `function`, `select`, `coproc` and `time` are keywords; in the others, programs.
    Keywords,
    /// `name+=value` is an assignment; in the others, a program.
    Appends,
    /// `name=(…)` and `name[…]=value` are assignments of arrays.
    Lists,
    /// `declare -a name='(…)'` assigns an array, too.
    QuotedLists,
    /// `{a,b}` expands to two words; in the others, it is literal.
    Braces,
    /// `<(…)` and `>(…)` are process substitutions.
    Processes,
    /// `$'…'` is a quoted text with escapes; in the others, a dollar sign and quotes.
    EscapedQuotes,
    /// `$"…"` is a translated text; in the others, a dollar sign and quotes.
    TranslatedQuotes,
    /// `$[…]` is arithmetic; in the others, literal.
    Brackets,
    /// `{name}>file` allocates a descriptor; in the others, a word and a redirection.
    NamedDescriptors,
    /// The syntax `<<<`, `|&`, `;&`, `;;&`, `for ((…))` and `for …; { … }` is valid.
    OtherSigns,
    /// Single quotes in the word of `"${x:-word}"` protect a brace; in the others they are literal.
    QuotesInOperands,
    /// `~+` and `~-` are directories; in the others, literal.
    TildeDirectories,
    /// A tilde after the `=` of an argument is expanded; in the others, literal.
    TildeInArguments,
    /// `declare`, `let`, `mapfile`, `pushd`, `source` and the like are builtins; in the others, programs.
    MoreBuiltins,
    /// The options in `printf -v`, `read -a`, `export -n`, `hash -p` and `unset -n` exist; in the others, they are
    /// errors.
    MoreOptions,
    /// Assignments before a special builtin such as `export` persist, and no function replaces the builtin.
    SpecialBuiltins,
    /// `echo` prints backslashes unchanged, except with `-e`.
    PlainEcho,
    /// `echo -e` is an option; in the others, a word.
    EchoOptions,
    /// The escapes in `printf '\x41\u41\E\"'` are decoded; the others leave some of them unchanged.
    MoreEscapes,
    /// A local variable is unset at first; in the others, it has its caller's value.
    FreshLocals,
    /// The body of a function may be a simple command: `f() command`.
    AnyBody,
    /// The last command of a pipeline runs in the shell itself.
    LastPipe,
    /// The values of variables are split into words, and globs in them are active.
    Splitting,
    /// A number with a leading 0 is octal; in the others, decimal.
    OctalNumbers,
    /// `base#number` is a number in another base; in the others, an error.
    NumberBases,
    /// `set -o posix` and `POSIXLY_CORRECT` change the dialect.
    PosixMode,
    /// `set -e` also applies in command substitutions.
    ErrexitInSubstitutions,
    /// The operators in `${x/a/b}`, `${x:1}`, `${x^}` and `${x@Q}` exist; in the others, they are errors.
    MoreOperators,
    /// `x=$@` joins the arguments with blanks; in the others, with the first separator in `IFS`.
    BlanksBetween,
    /// `$(<file)` is the content of the file; in the others, empty.
    FileOutputs,
    /// The features that only zsh has: functions without a name, `always`, `>!`, `$list[2]`, flags of expansions, its
    /// own builtins.
    ZshSyntax,
}

impl DialectFeature {
    /// Returns the dialects with the feature.
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

/// How a text is read: in one dialect, whose result also holds for those of the others that behave the same.
#[derive(Clone, Debug)]
pub(super) struct DialectReading {
    /// The dialect in which the text is interpreted.
    dialect: Dialect,
    /// The other dialects in which the text may be.
    others: DialectSet,
    /// The dialects among `others` that would have behaved differently so far; `None` if there are no others. All
    /// states of an interpretation share it.
    diverging: Option<Rc<Cell<DialectSet>>>,
}

impl DialectReading {
    /// Returns the reading in one dialect only.
    pub(super) const fn single(dialect: Dialect) -> Self {
        Self { dialect, others: DialectSet::NONE, diverging: None }
    }

    /// Returns the reading in one dialect that also records which of the others would behave differently.
    pub(super) fn new(dialect: Dialect, others: DialectSet) -> Self {
        let diverging = (!others.is_empty()).then(Rc::default);
        Self { dialect, others, diverging }
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Continues in another dialect, after `set -o posix`.
    pub(super) fn switch_to(&mut self, dialect: Dialect) {
        self.dialect = dialect;
    }

    /// Whether the dialect has a feature. Records the other dialects for which the answer is different.
    #[inline]
    pub(super) fn has(&self, feature: DialectFeature) -> bool {
        let with = feature.dialects();
        let has = with.has(self.dialect);
        if let Some(diverging) = &self.diverging {
            let others = if has { self.others.difference(with) } else { self.others.intersection(with) };
            diverging.set(diverging.get().union(others));
        }
        has
    }

    /// Returns the dialects among the others that would have behaved differently so far.
    pub(super) fn diverging(&self) -> DialectSet {
        self.diverging.as_ref().map_or(DialectSet::NONE, |diverging| diverging.get())
    }
}
