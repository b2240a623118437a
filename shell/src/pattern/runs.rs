//! Generous matching: whether a command is one that the pattern describes, regardless of its other words.

use crate::analysis::Simple;
use crate::argv::{Argv, GivenOption, program_name};
use crate::few::Few;
use crate::glob::{Fit, Glob};
use crate::programs::{Opt, Unlisted, shells};
use crate::word::{Cause, Part, Unknown, Word};

use super::sequence::{self, Row, Taken};
use super::{Asked, End, Flag, Operand, Pattern, Presence, Spelled, Values, View};

impl Pattern {
    /// Tests a command generously: it may contain flags, operands and global options that the pattern does not name.
    ///
    /// An unknown word is taken as a single word: `rm -rf $X` is `rm -r -f`. The result is [`Fit::Maybe`] only if some
    /// value of the unknown word would decide the match.
    #[must_use]
    pub fn runs(&self, command: &Simple) -> Fit {
        self.runs_in(&Asked::of(command))
    }

    /// Like [`Pattern::runs`], for several patterns on one command.
    #[must_use]
    pub fn runs_in(&self, asked: &Asked<'_>) -> Fit {
        let Some(first) = asked.command.words.first() else { return Fit::No };
        // A pattern for any program matches the process that is started: the interpreter.
        if asked.command.is_script && self.programs.iter().any(Glob::is_any) {
            return Fit::No;
        }
        match program_name(first) {
            Some(name) => {
                let dashed = || name.split_once('-').is_some_and(|(program, _)| self.names(program));
                let is_named = self.names(name);
                if !is_named && !dashed() {
                    return Fit::No;
                }
                let argv = asked.argv(&self.added);
                let direct = if is_named { self.arguments(&argv, None) } else { Fit::No };
                match argv.dashed {
                    Some(subcommand) if dashed() => direct.or(self.arguments(&argv, Some(&Word::text(subcommand)))),
                    _ => direct,
                }
            }
            None => self.unknown_program(first),
        }
    }

    /// Tests an unknown program: it may be one that runs the words after it as a command.
    fn unknown_program(&self, word: &Word) -> Fit {
        let Some(why) = word.why() else { return Fit::No };
        let name = last_component(word);
        if word.is_shell() {
            let may_be = shells().iter().any(|shell| self.names(shell));
            return if may_be { Fit::Maybe(why) } else { Fit::No };
        }
        let may_be = word.may_break() || self.programs.iter().any(|glob| glob.fit(&name) != Fit::No);
        if may_be { Fit::Maybe(why) } else { Fit::No }
    }

    /// Tests the words after the program.
    fn arguments(&self, argv: &Argv<'_>, dashed: Option<&Word>) -> Fit {
        if argv.explains().is_some_and(|given| !self.speaks_of(given, argv)) {
            return Fit::No;
        }
        if let Some(why) = self.other_command(argv) {
            return Fit::Maybe(why);
        }
        let fit = self.judge(argv, dashed, Values::Attached);
        if fit != Fit::Yes && self.has_values(argv) { fit.or(self.judge(argv, dashed, Values::Apart)) } else { fit }
    }

    /// Returns why the subcommand may be the one that the pattern names although it is written differently.
    fn other_command(&self, argv: &Argv<'_>) -> Option<Unknown> {
        let command = argv.commands.last().filter(|_| argv.is_unlisted())?;
        let named = self.front.get(argv.commands.len().checked_sub(1)?)?;
        match named.fit(command) {
            Fit::Yes => None,
            Fit::Maybe(why) => Some(why),
            Fit::No => {
                let is_alias = argv.table().is_some_and(|table| table.unlisted == Unlisted::Alias);
                is_alias.then(|| command.why().unwrap_or_else(|| Unknown::new(Cause::Alias, command.shown())))
            }
        }
    }

    pub(super) fn judge(&self, argv: &Argv<'_>, dashed: Option<&Word>, values: Values) -> Fit {
        let view = self.view(argv, values);
        let sequence = match (self.sequence(&view, argv, dashed), &argv.maybe_command) {
            (Fit::No, Some(why)) => Fit::Maybe(why.clone()),
            (fit, _) => fit,
        };
        view.flags.iter().fold(sequence, |fit, (flag, value)| match fit {
            Fit::No => Fit::No,
            fit => fit.and(flag.fit(*value, argv)),
        })
    }

    fn sequence(&self, view: &View<'_>, argv: &Argv<'_>, dashed: Option<&Word>) -> Fit {
        if argv.has_pairs() {
            return view.front.iter().fold(Fit::Yes, |fit, operand| fit.and(anywhere(operand, argv)));
        }
        let written: Few<&Word> = dashed.into_iter().chain(argv.commands.iter().copied()).collect();
        sequence::by_any_name(argv, &written, Taken::Generously, |commands| self.in_order(view, argv, commands))
    }

    /// Tests the subcommands and the operands after them.
    fn in_order(&self, view: &View<'_>, argv: &Argv<'_>, commands: &Few<&Word>) -> Fit {
        let all = || commands.iter().chain(&argv.operands).copied();
        let words = || all().filter(|word| !self.takes_for_flag(word, argv));
        let Some(behind) = &self.behind else {
            return sequence::fit(&view.front, words(), argv, self.end, Taken::Generously);
        };
        let Some(dashes) = dashes(argv) else {
            // An unquoted unknown part may contain the `--`, too, after the words that the pattern names before it.
            let why = argv.maybe_options.iter().find(|word| word.may_break()).and_then(|word| word.why());
            let front = || sequence::fit(&view.front, words(), argv, End::Open, Taken::Generously);
            return why.map_or(Fit::No, |why| front().and(Fit::Maybe(why)));
        };
        let at = commands.len() + dashes.operands;
        let front = sequence::fit(&view.front, words().take(at), argv, End::Open, Taken::Generously);
        front.and(sequence::fit(&Row::All(behind), words().skip(at + dashes.skip), argv, self.end, Taken::Generously))
    }

    /// Whether a flag of the pattern names an option.
    pub(super) fn speaks_of(&self, given: &GivenOption, argv: &Argv<'_>) -> bool {
        let flags = self.flags.iter().filter(|flag| flag.presence == Presence::Given);
        flags.flat_map(|flag| &flag.alternatives).any(|spelled| spelled.names(given, spelled.option(argv)))
    }
}

/// The end of the words before a `--`.
pub(super) struct Dashes {
    /// The number of operands before it.
    pub(super) operands: usize,
    /// 1 if the `--` itself is among the operands.
    pub(super) skip: usize,
}

/// Finds the `--`: the end of the options, or an operand of a program without options.
pub(super) fn dashes(argv: &Argv<'_>) -> Option<Dashes> {
    let is_dashes = |word: &&Word| word.known() == Some("--");
    let operand = || argv.operands.iter().position(is_dashes).map(|operands| Dashes { operands, skip: 1 });
    argv.behind_dashes.map(|operands| Dashes { operands, skip: 0 }).or_else(operand)
}

/// Tests whether some word of a command matches.
fn anywhere(operand: &Operand, argv: &Argv<'_>) -> Fit {
    argv.words.iter().skip(1).fold(Fit::No, |fit, word| {
        let any = word.why().filter(|_| word.may_break()).map_or(Fit::No, Fit::Maybe);
        fit.or(operand.fit(word)).or(any)
    })
}

/// Returns the last path component of a word: an unknown part may contain a slash, which drops everything before it.
fn last_component(word: &Word) -> Word {
    let mut last = Word::default();
    for part in &word.parts {
        match part {
            Part::Unknown(_) => last = Word::of(part.clone()),
            Part::Glob(_) => last.push(part.clone()),
            Part::Text(text) => match text.rsplit_once('/') {
                Some((_, name)) => last = Word::text(name),
                None => last.push(part.clone()),
            },
        }
    }
    last
}

impl Flag {
    fn fit(&self, value: Option<&Operand>, argv: &Argv<'_>) -> Fit {
        let given = self.alternatives.iter().fold(Fit::No, |fit, spelled| match fit {
            Fit::Yes => Fit::Yes,
            fit => fit.or(spelled.fit(value, argv)),
        });
        match self.presence {
            Presence::Given => given,
            Presence::Absent => given.negated(),
        }
    }
}

impl Spelled {
    /// Tests whether it is given.
    fn fit(&self, value: Option<&Operand>, argv: &Argv<'_>) -> Fit {
        if argv.has_words_alone() {
            return self.among_words(argv);
        }
        // No given word could be it.
        if argv.options.is_empty() && argv.maybe_options.is_empty() {
            return Fit::No;
        }
        let known = match self.parts(argv) {
            Ok(parts) => {
                let count = parts.len();
                let fits = parts.iter().enumerate().map(|(at, part)| part.fit(value.filter(|_| at + 1 == count), argv));
                fits.fold(Fit::Yes, Fit::and)
            }
            Err(option) => {
                let given = argv.options.iter().filter(|given| self.is_given(given, option, argv));
                given.fold(Fit::No, |fit, given| fit.or(self.value_fit(given, value, argv)))
            }
        };
        if known == Fit::Yes {
            return known;
        }
        let open = argv.maybe_options.iter().find(|word| self.may_be(word, argv));
        let fit = known.or(open.and_then(|word| word.why()).map_or(Fit::No, Fit::Maybe));
        let several = self.short_for(argv).map(|given| Unknown::new(Cause::Abbreviation, given.name.clone()));
        if fit == Fit::No { several.map_or(Fit::No, Fit::Maybe) } else { fit }
    }

    /// Whether it is a given option that is not cancelled by another one.
    fn is_given(&self, given: &GivenOption, option: Option<&'static Opt>, argv: &Argv<'_>) -> bool {
        // An unknown program may take several letters after one dash for several options.
        let in_cluster = || {
            argv.is_as_written()
                && self.glob.is_none()
                && given.name.strip_prefix('-').is_some_and(|letters| {
                    let own = self.name.strip_prefix('-').unwrap_or_default();
                    !letters.starts_with('-') && !own.starts_with('-') && own.chars().all(|c| letters.contains(c))
                })
        };
        (self.names(given, option) || in_cluster()) && argv.is_in_force(given)
    }

    pub(super) fn value_fit(&self, given: &GivenOption, value: Option<&Operand>, argv: &Argv<'_>) -> Fit {
        let globs = self.value.as_slice().iter().chain(value.map_or(&[] as &[Glob], |value| &value.alternatives));
        let mut globs = globs.peekable();
        if globs.peek().is_none() {
            return Fit::Yes;
        }
        let next = || argv.words.get(given.at + 1).filter(|word| !word.prefix().starts_with('-'));
        let is_unlisted = given.option.is_none();
        let Some(word) = given.value.as_ref().or_else(|| next().filter(|_| is_unlisted)) else { return Fit::No };
        globs.fold(Fit::No, |fit, glob| fit.or(glob.fit(word)))
    }

    /// Returns an ambiguous abbreviation that is given and could be this option.
    fn short_for<'a>(&self, argv: &'a Argv<'_>) -> Option<&'a GivenOption> {
        let own = [self.name.as_str()];
        let others = self.option(argv).map(|option| option.names).unwrap_or(&own);
        let is_short = |given: &&GivenOption| given.is_abbreviated && given.option.is_none();
        let mut given = argv.options.iter().filter(is_short);
        given.find(|given| others.iter().any(|name| name.starts_with(&*given.name)))
    }

    /// Whether an unknown word may be this flag.
    fn may_be(&self, word: &Word, argv: &Argv<'_>) -> bool {
        let start = word.prefix();
        if word.may_break() || start.len() < 2 || self.glob.is_some() {
            return true;
        }
        let others = self.option(argv).map(|option| option.names).unwrap_or_default();
        let mut names = others.iter().copied().chain([self.name.as_str()]);
        if start.starts_with("--") {
            names.any(|name| name.starts_with(start.split('=').next().unwrap_or(start)))
        } else {
            names.any(|name| !name.starts_with("--"))
        }
    }
}
