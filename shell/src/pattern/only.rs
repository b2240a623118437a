//! Strict matching: whether a command is exactly the one that the pattern names.

use std::borrow::Cow;
use std::path::Path;

use crate::analysis::{CommandScope, Redirect, RedirectKind, SimpleCommand, are_harmless};
use crate::argv::{Argv, GivenOption};
use crate::few::ShortList;
use crate::glob::Fit;
use crate::network;
use crate::open_files::descriptor_number;
use crate::path::{NameCase, Roots, contains_by_case, goes_up, normalise};
use crate::programs::{Arity, OperandEffect, OptionEffect, Program, ProgramOption, UnlistedSubcommand, WordSyntax};
use crate::word::{Directory, Word, WordPart};

use super::covering::covers;
use super::incidental::is_incidental;
use super::runs::dashes;
use super::scripts;
use super::sequence::{self, OperandSequence, Strictness};
use super::{
    FlagSpelling, Looks, Pattern, PatternEnd, PatternFlag, PatternOperand, Presence, ProgramPlace, ProgramView,
    ResolvedSpelling, TestedCommand, ValuePlacement, surroundings,
};

/// Directories that everybody can write to, or that contain links into other directories: programs there are untrusted.
const UNTRUSTED_DIRECTORIES: &[&str] =
    &["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev", "/proc", "/run", "/var/run", "/sys"];

/// Device files that store nothing that is written to them.
const DEVICES: &[&str] = &["/dev/null", "/dev/tty"];

/// A spelling of a flag, what it means to the program of a command, and the value that the pattern requires.
pub(super) type ResolvedFlag<'v> = (&'v FlagSpelling, ResolvedSpelling<'v>, Option<&'v PatternOperand>);

impl Pattern {
    /// Tests a command strictly: a word that the pattern does not name prevents a match, unless a trailing `*` covers
    /// the word.
    ///
    /// A `*` covers operands, and options that only read or do nothing according to the record. If an unknown word
    /// decides, the result is [`Fit::Maybe`], never [`Fit::Yes`].
    #[must_use]
    pub fn runs_only(&self, command: &SimpleCommand, roots: &Roots) -> Fit {
        self.runs_only_in(&TestedCommand::new(command), || roots)
    }

    /// Like [`Pattern::runs_only`], for a command that several patterns are compared with. `roots` is called only if
    /// the program is given as a path.
    #[must_use]
    pub fn runs_only_in<'r>(&self, asked: &TestedCommand<'_>, roots: impl Fn() -> &'r Roots) -> Fit {
        let is_neutral = has_neutral_context(asked.command)
            && (asked.command.words.is_empty() || are_harmless(&asked.command.assignments));
        if is_neutral { self.test_words_strictly(asked, roots) } else { Fit::No }
    }

    /// Tests the words and redirections of a command strictly, but not its context.
    pub(super) fn test_words_strictly<'r>(&self, asked: &TestedCommand<'_>, roots: impl Fn() -> &'r Roots) -> Fit {
        let command = asked.command;
        if !command.redirects.iter().all(|redirect| self.allows_redirect(redirect)) {
            return Fit::No;
        }
        let Some(first) = command.words.first() else {
            return (self.end == PatternEnd::Looks(Looks::All) && command.sets_plain_variables()).into();
        };
        let program = self.test_program(first, &command.cwd, &roots);
        if program == Fit::No {
            return Fit::No;
        }
        let argv = asked.argv(&self.added);
        if argv.name.is_none() {
            // Another program parses these words differently.
            return program;
        }
        // A runner may run the command in another directory, such as that of a package.
        let cwd = command.outer_commands.is_empty().then_some(&command.cwd);
        if let PatternEnd::Looks(which) = self.end {
            return program.and(self.test_looks(&argv, which, cwd));
        }
        let arguments = program.and(self.test_arguments_strictly(&argv, cwd));
        if arguments == Fit::No {
            return arguments;
        }
        arguments.and(self.test_code_paths(&argv, &command.cwd, roots)).and(self.test_sent_files(&argv, command))
    }

    /// Tests the words after the program strictly.
    pub(super) fn test_arguments_strictly(&self, argv: &Argv<'_>, cwd: Option<&Directory>) -> Fit {
        let view = self.view_for(argv, ValuePlacement::InOrder);
        let words = self.test_positional_strictly(&view, argv);
        if words == Fit::No {
            return words;
        }
        let fit = words.and(self.test_options(&view, argv, cwd));
        if fit == Fit::No { fit } else { fit.and(self.test_star_rest(argv)) }
    }

    /// Whether a redirection is permitted: it may not write a file, and may bring input only if the pattern ends in `*`,
    /// because the input may be code: `psql app <<< 'DROP TABLE t'`.
    pub(super) fn allows_redirect(&self, redirect: &Redirect) -> bool {
        let target = redirect.target.known_text();
        let is_device = match &redirect.opened {
            Some(file) => !file.may_be_file() && target.is_some_and(|target| descriptor_number(target).is_some()),
            None => is_device(&redirect.target),
        };
        match redirect.kind {
            RedirectKind::Text => matches!(self.end, PatternEnd::Anything | PatternEnd::Looks(_)),
            _ if is_device => true,
            // A path such as `/dev/tcp/host/port` opens a connection.
            RedirectKind::Read => {
                matches!(self.end, PatternEnd::Anything | PatternEnd::Looks(_))
                    && match target {
                        Some(target) => !normalise(target, Path::new("/"), None).starts_with("/dev"),
                        // A name that a glob or a search found is that of a file.
                        None => {
                            let is_name =
                                redirect.target.has_matched() || surroundings::is_given_name(&redirect.target);
                            is_name && !redirect.target.prefix().starts_with('/')
                        }
                    }
            }
            RedirectKind::Write | RedirectKind::ReadWrite => false,
        }
    }

    /// Tests the program: its bare name matches, or its path is in a directory that only the system writes to. A
    /// pattern with `./` in front names a file in the project's directory instead.
    pub(super) fn test_program<'r>(&self, word: &Word, cwd: &Directory, roots: impl Fn() -> &'r Roots) -> Fit {
        let Some(text) = word.known_text() else {
            let may_match = self.programs.iter().any(|glob| glob.test(word) != Fit::No) || word.may_split_at_blanks();
            let is_path = word.prefix().contains('/');
            return word.unknown_reason().filter(|_| may_match && !is_path).map_or(Fit::No, Fit::Maybe);
        };
        if let ProgramPlace::Project(directory) = &self.place {
            return self.names_file_of_project(directory, text, cwd, roots()).into();
        }
        match text.rsplit_once('/') {
            None => self.names_program(text).into(),
            Some((_, name)) => (self.names_program(name) && is_in_system_directory(text, roots())).into(),
        }
    }

    /// Whether a program's path is a file with a name of the pattern in this directory of the project. What a script of
    /// the project does depends on the directory in which it is called, so that has to be the project's own.
    fn names_file_of_project(&self, directory: &str, path: &str, cwd: &Directory, roots: &Roots) -> bool {
        let Some(project) = &roots.project else { return false };
        if !matches!(cwd, Directory::Known(cwd) if cwd == project) {
            return false;
        }
        // A `..` behind a link leads elsewhere.
        let in_project = match path.strip_prefix("./") {
            Some(path) => Some(Path::new(path)),
            None if path.starts_with('/') => Path::new(path).strip_prefix(project).ok(),
            None => path.contains('/').then(|| Path::new(path)),
        };
        in_project.and_then(Path::to_str).is_some_and(|path| {
            let (own_directory, name) = path.rsplit_once('/').unwrap_or(("", path));
            own_directory == directory && self.names_program(name)
        })
    }

    /// Tests the subcommands, of which any synonym matches, and the operands.
    pub(super) fn test_positional_strictly(&self, view: &ProgramView<'_>, argv: &Argv<'_>) -> Fit {
        sequence::test_with_synonyms(argv, &argv.subcommands, Strictness::Strict, |commands| {
            self.test_operands_strictly(view, argv, commands)
        })
    }

    /// Tests the given subcommands and the operands after them.
    fn test_operands_strictly(&self, view: &ProgramView<'_>, argv: &Argv<'_>, commands: &ShortList<&Word>) -> Fit {
        let dashes_at = dashes(argv);
        let words = || commands.iter().chain(&argv.operands).copied();
        let in_order = self.front_in_order(view, argv);
        let in_order = in_order.as_ref().map(|words| OperandSequence::Some(words.iter().map(|word| &**word).collect()));
        let front = in_order.as_ref().unwrap_or(&view.front);
        let Some(after_dashes) = &self.after_dashes else {
            if dashes_at.is_some() && self.end != PatternEnd::Anything {
                return Fit::No;
            }
            let sequence =
                words().filter(|word| !argv.has_pairs() && !self.is_flag_word(word, argv, Strictness::Strict));
            return sequence::test_sequence(front, sequence, argv, self.end, Strictness::Strict);
        };
        let Some(dashes_at) = dashes_at else { return Fit::No };
        let at = commands.len() + dashes_at.operands;
        let front = sequence::test_sequence(front, words().take(at), argv, PatternEnd::Nothing, Strictness::Strict);
        let words = words().skip(at + dashes_at.skip);
        front.and(sequence::test_sequence(
            &OperandSequence::All(after_dashes),
            words,
            argv,
            self.end,
            Strictness::Strict,
        ))
    }

    /// Returns the operands of the pattern together with the flags that are words of an operand, in the order of the
    /// pattern: `x.js --fix` of `node x.js --fix`. `None` if there is no such flag.
    fn front_in_order<'p>(&'p self, view: &ProgramView<'p>, argv: &Argv<'_>) -> Option<Vec<Cow<'p, PatternOperand>>> {
        let is_word = |flag: &&PatternFlag| flag.presence == Presence::Given && flag.follows_operand(argv);
        let flags: Vec<&PatternFlag> = self.flags.iter().filter(is_word).collect();
        if flags.is_empty() {
            return None;
        }
        let mut words = Vec::new();
        for at in 0..=self.front.len() {
            let is_here = |flag: &&&PatternFlag| {
                flag.alternatives.first().is_some_and(|spelled| usize::from(spelled.operands_before) == at)
            };
            words.extend(flags.iter().filter(is_here).map(|flag| Cow::Owned(flag.as_operand())));
            let operand = self.front.get(at).filter(|operand| view.front.iter().any(|own| std::ptr::eq(own, *operand)));
            words.extend(operand.map(Cow::Borrowed));
        }
        Some(words)
    }

    /// Tests the options: each flag of the pattern is present or absent as required, and every other option is
    /// covered by a `*`.
    fn test_options(&self, view: &ProgramView<'_>, argv: &Argv<'_>, cwd: Option<&Directory>) -> Fit {
        let mut fit = Fit::Yes;
        for (flag, value) in &view.flags {
            fit = fit.and(flag.test_strictly(*value, argv));
            if fit == Fit::No {
                return fit;
            }
        }
        if argv.options.is_empty() {
            return fit;
        }
        let spellings = self.given_spellings(view, argv);
        for given in argv.options.iter() {
            fit = fit.and(self.test_option(&spellings, argv, given, cwd));
            if fit == Fit::No {
                return fit;
            }
        }
        fit
    }

    /// Returns the spellings of the flags that the pattern names as given, with the values that it requires.
    pub(super) fn given_spellings<'v>(&self, view: &'v ProgramView<'_>, argv: &Argv<'v>) -> Vec<ResolvedFlag<'v>> {
        let flags = view.flags.iter().filter(|(flag, _)| flag.presence == Presence::Given);
        let spelled = flags.flat_map(|(flag, value)| flag.alternatives.iter().map(move |spelled| (spelled, *value)));
        let options = spelled.filter(|(spelled, _)| !spelled.follows_operand(argv));
        options.map(|(spelled, value)| (spelled, spelled.resolve(argv), value)).collect()
    }

    /// Tests whether a given option is allowed: one of the spellings names it with its value, a `*` covers it, or it
    /// does not change what is done. A `*` covers no other value of an option that the pattern names, and no option that
    /// undoes one.
    pub(super) fn test_option(
        &self,
        spellings: &[ResolvedFlag<'_>],
        argv: &Argv<'_>,
        given: &GivenOption,
        cwd: Option<&Directory>,
    ) -> Fit {
        let is_covered = self.has_star()
            && (is_harmless(given, argv) || is_given_to_task(argv, given))
            && !changes_named(spellings, given);
        let covered = Fit::from(is_covered || is_incidental(given, argv, cwd));
        let named = spellings.iter().filter(|(spelled, resolved, _)| spelled.is_strict_name(given, resolved, argv));
        if self.has_star() && self.is_switched_off(given, argv) && named.clone().next().is_some() {
            return Fit::No;
        }
        named.fold(covered, |fit, (spelled, _, value)| fit.or(spelled.test_value_strictly(given, *value)))
    }

    /// Whether the word after an option without a value switches it off, and the pattern does not have that word:
    /// `tsc --noEmit false`.
    pub(super) fn is_switched_off(&self, given: &GivenOption, argv: &Argv<'_>) -> bool {
        let next = argv.words.get(given.word_index + 1).and_then(Word::known_text);
        let is_named =
            |word: &str| self.front.iter().flat_map(|own| &own.alternatives).any(|glob| glob.literal() == Some(word));
        given.value.is_none() && next.is_some_and(|word| matches!(word, "false" | "null") && !is_named(word))
    }

    /// Whether the pattern ends in `*`.
    pub(super) fn has_star(&self) -> bool {
        self.end == PatternEnd::Anything
    }
}

/// Whether a word names a device that stores nothing.
pub(super) fn is_device(word: &Word) -> bool {
    word.known_text().is_some_and(is_device_path)
}

/// Whether a path is that of a device that stores nothing.
pub(super) fn is_device_path(path: &str) -> bool {
    DEVICES.contains(&path)
}

/// Whether nothing in the context of a command changes its effect: variables, another machine, an outer command.
pub(super) fn has_neutral_context(command: &SimpleCommand) -> bool {
    command.outer_commands.is_empty()
        && (command.words.is_empty() || are_harmless(&command.environment))
        && command.code_from.is_empty()
        && command.scope == CommandScope::Local
        && !command.in_background
        && !command.is_shadowed
        && !command.words.iter().any(Word::sets_variable)
}

/// Whether a path, judged by its text, is in a directory that only the system writes to.
fn is_in_system_directory(path: &str, roots: &Roots) -> bool {
    if !path.starts_with('/') || goes_up(path) {
        return false;
    }
    let path = normalise(path, Path::new("/"), None);
    let untrusted = roots.worktrees.iter().chain(&roots.tmp).chain(&roots.project).chain(&roots.home);
    let untrusted = untrusted.map(std::path::PathBuf::as_path).chain(UNTRUSTED_DIRECTORIES.iter().map(Path::new));
    !untrusted.into_iter().any(|root| contains_by_case(root, &path, NameCase::Folded))
}

/// Whether a `*` can cover an option: it has a record, does no more than read, and leaves the work on this machine.
pub(super) fn is_harmless(given: &GivenOption, argv: &Argv<'_>) -> bool {
    let Some(effect) = argv.effect(given).filter(|_| !has_undeclared_value(given)) else { return false };
    let does_nothing = match effect {
        OptionEffect::Nothing | OptionEffect::Explains => true,
        OptionEffect::Writes => given.value.as_ref().is_some_and(is_device),
        // In front of a subcommand, the file may say what that does, as in `docker compose -f FILE up`. A file with code
        // is not looked at.
        OptionEffect::Reads => {
            let is_outer = given.is_global || argv.precedes_subcommand(given);
            !(is_outer || takes_code(argv) && CODE_OPTIONS.contains(&&*given.name))
        }
        OptionEffect::Runs => takes_code(argv) && scripts::is_read_only_expression(given),
        OptionEffect::Enters => false,
    };
    // If the record is wrong and the option takes no value, a value with a dash is another option.
    let word = argv.words.get(given.word_index).map_or("", Word::prefix);
    let is_attached = word.starts_with("--") && word.contains('=');
    let is_plain = |value: &Word| {
        let is_stream = || value.known_text() == Some("-");
        is_attached || !value.prefix().starts_with('-') || is_stream() || is_number(value) || is_test_value(value, argv)
    };
    let is_plain_value = given.value.as_ref().is_none_or(is_plain);
    does_nothing && is_plain_value && !given.is_abbreviated && !network::names_place(argv, given)
}

/// Whether an option is one that the pattern names, with another value, or undoes one of these.
pub(super) fn changes_named(spellings: &[ResolvedFlag<'_>], given: &GivenOption) -> bool {
    let is_changed = |(spelled, resolved, value): &ResolvedFlag<'_>| {
        let needs_value = spelled.value.is_some() || value.is_some();
        let is_other = given.value.is_some() || needs_value && matches!(resolved, ResolvedSpelling::One(..));
        let has_name = spelled.glob.is_none() && resolved.names(given);
        has_name && is_other || resolved.is_undone_by(given)
    };
    spellings.iter().any(is_changed)
}

/// Whether an option has a value although its record has none for it, other than `true` and `false`: some programs take
/// that value for an operand, `npm --silent=publish test`.
fn has_undeclared_value(given: &GivenOption) -> bool {
    let has_none = given.option.is_some_and(|option| option.arity == Arity::None);
    let is_switch = |value: &Word| matches!(value.known_text(), Some("true" | "false"));
    has_none && given.value.as_ref().is_some_and(|value| !is_switch(value))
}

/// Whether an option is code or names it, so that all operands are its arguments: `python -m unittest x`.
pub(super) fn has_code_option(argv: &Argv<'_>) -> bool {
    argv.options.iter().any(|given| given.option.is_some_and(|option| option.does == OptionEffect::Runs))
}

/// Options that name a file with code, of programs whose first operand is code.
const CODE_OPTIONS: &[&str] = &["--file", "--exec", "--include", "--load", "--from-file"];

/// Whether an operand of a program is code.
fn takes_code(argv: &Argv<'_>) -> bool {
    argv.table().is_some_and(|table| table.operands == OperandEffect::Runs)
}

/// Whether a value is a negative number, perhaps with a unit: `-5`, `-10k`.
fn is_number(value: &Word) -> bool {
    let digits = |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = value.known_text().and_then(|text| text.strip_prefix('-'));
    number.is_some_and(|text| text.starts_with(|c: char| c.is_ascii_digit()) && digits(text) <= 1)
}

/// Whether a value of a program whose options are whole words is none of these: `find -perm -u+x`.
fn is_test_value(value: &Word, argv: &Argv<'_>) -> bool {
    argv.table().is_some_and(|table| table.reading == WordSyntax::Words)
        && value.known_text().is_some_and(|text| argv.option(text).is_none())
}

/// Whether an option comes after the name of a task, so that it is an argument of the task: `pnpm lint --fix`.
fn is_given_to_task(argv: &Argv<'_>, given: &GivenOption) -> bool {
    let is_script = |table: &Program| table.unlisted == UnlistedSubcommand::Script;
    !given.is_global && argv.is_unlisted() && argv.table().is_some_and(is_script)
}

/// Whether a word begins with a glob.
pub(super) fn is_glob(word: &Word) -> bool {
    matches!(word.parts.first(), Some(WordPart::Glob(_)))
}

/// Whether a program only reads, whatever names a glob among its operands expands to: it has no subcommands, and none
/// of its options writes or runs anything. An option that the record lacks is assumed to be an error.
pub(super) fn takes_no_harmful_option(table: &Program) -> bool {
    let options = || table.options.iter().chain(table.shared.iter().copied().flatten());
    let is_harmless = |option: &ProgramOption| {
        matches!(option.does, OptionEffect::Nothing | OptionEffect::Explains | OptionEffect::Reads)
    };
    table.commands.is_empty()
        && table.operands == OperandEffect::Nothing
        && options().next().is_some()
        && options().all(is_harmless)
}

/// Whether a program takes words with a dash among its operands as options.
pub(super) fn has_options(argv: &Argv<'_>) -> bool {
    argv.table().is_none_or(|table| table.reading != WordSyntax::Operands)
}

impl PatternFlag {
    /// Whether the pattern names a given option by its spelling in the command, or by its canonical one.
    pub(super) fn has_name(&self, given: &GivenOption) -> bool {
        let names = given.option.map(|option| option.names).unwrap_or_default();
        self.alternatives.iter().any(|spelled| spelled.name == given.name || names.contains(&spelled.name.as_str()))
    }

    /// Returns the flag as a word among the operands.
    fn as_operand(&self) -> PatternOperand {
        let alternatives = self.alternatives.iter().map(FlagSpelling::as_word).collect();
        PatternOperand { alternatives, preceding_flag: None }
    }

    /// Tests whether the flag is present or absent as required.
    pub(super) fn test_strictly(&self, value: Option<&PatternOperand>, argv: &Argv<'_>) -> Fit {
        // It is one of the words that are compared in order.
        if self.presence == Presence::Given && self.follows_operand(argv) {
            return Fit::Yes;
        }
        let given = self.alternatives.iter().fold(Fit::No, |fit, spelled| fit.or(spelled.test_strictly(value, argv)));
        match self.presence {
            Presence::Given => given,
            Presence::Absent => given.negate(),
        }
    }
}

impl FlagSpelling {
    /// Tests whether a command has this flag, with exactly the value that the pattern requires.
    fn test_strictly(&self, value: Option<&PatternOperand>, argv: &Argv<'_>) -> Fit {
        let equals = |word: &&Word| self.test_word(word).and(covers(&self.as_word(), word, || false));
        let among_words = || argv.operands.iter().fold(Fit::No, |fit, word| fit.or(equals(word)));
        let among_words = match argv.has_words_alone() {
            true => among_words(),
            false if self.follows_operand(argv) => self.is_named_among_words(argv).or(among_words()),
            false => Fit::No,
        };
        // No option of the command can be this flag.
        if argv.options.is_empty() || !self.may_be_option(argv) {
            return among_words;
        }
        among_words.or(match self.parts(argv) {
            Ok(parts) => parts.iter().fold(Fit::Yes, |fit, part| fit.and(part.test_strictly(value, argv))),
            Err(option) => {
                let resolved = ResolvedSpelling::One(self, option);
                let given = argv.options.iter().filter(|given| self.is_strict_name(given, &resolved, argv));
                given.fold(Fit::No, |fit, given| fit.or(self.test_value_strictly(given, value)))
            }
        })
    }

    /// Tests whether the value of a given option is the one that the pattern requires: in the spelling, or the next
    /// operand.
    pub(super) fn test_value_strictly(&self, given: &GivenOption, value: Option<&PatternOperand>) -> Fit {
        let needs_value = given.option.is_some_and(|option| option.arity == Arity::Value);
        match (&self.value, value, &given.value) {
            // A flag without a value in the pattern accepts any value if the option requires one.
            (None, None, value) => (value.is_none() || needs_value || self.glob.is_some()).into(),
            (Some(glob), _, Some(word)) => covers(glob, word, || false),
            (None, Some(operand), Some(word)) => operand.test_value_strictly(word),
            (_, _, None) => Fit::No,
        }
    }

    /// Whether a given option is the resolved flag, without abbreviation. A name with wildcards only matches options
    /// that do no more than read.
    pub(super) fn is_strict_name(&self, given: &GivenOption, resolved: &ResolvedSpelling<'_>, argv: &Argv<'_>) -> bool {
        !given.is_abbreviated && (self.glob.is_none() || is_harmless(given, argv)) && resolved.names(given)
    }
}
