//! Strict matching: whether a command is exactly the one that the pattern names.

use std::path::Path;

use crate::analysis::{Redirect, RedirectKind, Scope, Simple};
use crate::argv::{Argv, GivenOption};
use crate::few::Few;
use crate::glob::Fit;
use crate::open_files::descriptor_number;
use crate::path::{Case, Roots, contains_as, normalise};
use crate::programs::{Arity, Does, Opt, Program, Unlisted};
use crate::word::{Cause, Part, Unknown, Word};

use super::runs::dashes;
use super::sequence::{self, Row, Taken};
use super::{Asked, End, Flag, Operand, Pattern, Presence, Resolved, Spelled, Values, View};

/// Directories that anyone can write to, or that lead elsewhere: programs there are untrusted.
const OPEN_PLACES: &[&str] =
    &["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev", "/proc", "/run", "/var/run", "/sys"];

/// Files that keep nothing of what is written to them.
const DEVICES: &[&str] = &["/dev/null", "/dev/tty"];

impl Pattern {
    /// Tests a command strictly: a word that the pattern does not name prevents a match, unless a trailing `*` matches
    /// it.
    ///
    /// A `*` matches operands and those options that the record knows to do no more than read. If something unknown
    /// decides, the result is [`Fit::Maybe`], never [`Fit::Yes`].
    #[must_use]
    pub fn only(&self, command: &Simple, roots: &Roots) -> Fit {
        self.only_in(&Asked::of(command), || roots)
    }

    /// Like [`Pattern::only`], for several patterns on one command. The roots are computed only if the program is a
    /// path.
    #[must_use]
    pub fn only_in<'r>(&self, asked: &Asked<'_>, roots: impl Fn() -> &'r Roots) -> Fit {
        let command = asked.command;
        if !is_plain(command) || !command.redirects.iter().all(|redirect| self.allows(redirect)) {
            return Fit::No;
        }
        let Some(first) = command.words.first() else { return Fit::No };
        let program = self.program(first, roots);
        if program == Fit::No {
            return Fit::No;
        }
        let argv = asked.argv(&self.added);
        if argv.name.is_none() {
            // Another program parses its words in another way.
            return program;
        }
        let view = self.view(&argv, Values::Apart);
        let words = self.words(&view, &argv);
        if words == Fit::No {
            return words;
        }
        let fit = program.and(words).and(self.options(&view, &argv));
        if fit == Fit::No { fit } else { fit.and(self.rest(&argv)) }
    }

    /// Whether a redirection is permitted: no file may be written, and a `*` is required to read one.
    fn allows(&self, redirect: &Redirect) -> bool {
        let target = redirect.target.known();
        let is_device = match &redirect.opened {
            Some(file) => !file.may_be_file() && target.is_some_and(|target| descriptor_number(target).is_some()),
            None => target.is_some_and(|target| DEVICES.contains(&target)),
        };
        match redirect.kind {
            RedirectKind::Text => true,
            _ if is_device => true,
            // `/dev/tcp/host/port` opens a connection.
            RedirectKind::Read => {
                self.end == End::Anything
                    && target.is_some_and(|target| !normalise(target, Path::new("/"), None).starts_with("/dev"))
            }
            RedirectKind::Write | RedirectKind::ReadWrite => false,
        }
    }

    /// Tests the program: a bare name, or a path into a directory that only the system writes to.
    fn program<'r>(&self, word: &Word, roots: impl Fn() -> &'r Roots) -> Fit {
        let Some(text) = word.known() else {
            let fits = self.programs.iter().any(|glob| glob.fit(word) != Fit::No) || word.may_break();
            let is_path = word.prefix().contains('/');
            return word.why().filter(|_| fits && !is_path).map_or(Fit::No, Fit::Maybe);
        };
        match text.rsplit_once('/') {
            None => self.names(text).into(),
            Some((_, name)) => (self.names(name) && is_system(text, roots())).into(),
        }
    }

    fn words(&self, view: &View<'_>, argv: &Argv<'_>) -> Fit {
        sequence::by_any_name(argv, &argv.commands, Taken::Strictly, |commands| {
            self.in_order_strictly(view, argv, commands)
        })
    }

    /// Tests the subcommands and the operands after them.
    fn in_order_strictly(&self, view: &View<'_>, argv: &Argv<'_>, commands: &Few<&Word>) -> Fit {
        let place = dashes(argv);
        let words = || commands.iter().chain(&argv.operands).copied();
        let Some(behind) = &self.behind else {
            if place.is_some() && self.end != End::Anything {
                return Fit::No;
            }
            let sequence = words().filter(|word| !argv.has_pairs() && !self.takes_for_flag(word, argv));
            return sequence::fit(&view.front, sequence, argv, self.end, Taken::Strictly);
        };
        let Some(place) = place else { return Fit::No };
        let at = commands.len() + place.operands;
        let front = sequence::fit(&view.front, words().take(at), argv, End::Nothing, Taken::Strictly);
        let words = words().skip(at + place.skip);
        front.and(sequence::fit(&Row::All(behind), words, argv, self.end, Taken::Strictly))
    }

    /// Tests the options: each flag of the pattern is present or absent as required, and there are no others.
    fn options(&self, view: &View<'_>, argv: &Argv<'_>) -> Fit {
        let mut fit = Fit::Yes;
        for (flag, value) in &view.flags {
            fit = fit.and(flag.strictly(*value, argv));
            if fit == Fit::No {
                return fit;
            }
        }
        if argv.options.is_empty() {
            return fit;
        }
        let flags = view.flags.iter().filter(|(flag, _)| flag.presence == Presence::Given);
        let spelled = flags.flat_map(|(flag, value)| flag.alternatives.iter().map(move |spelled| (spelled, *value)));
        let all: Vec<_> = spelled.map(|(spelled, value)| (spelled, spelled.resolved(argv), value)).collect();
        for given in argv.options.iter() {
            fit = fit.and(self.means(&all, given));
            if fit == Fit::No {
                return fit;
            }
        }
        fit
    }

    /// Tests whether one of the spellings names an option with its value, or a `*` matches it.
    fn means(&self, all: &[(&Spelled, Resolved<'_>, Option<&Operand>)], given: &GivenOption) -> Fit {
        let covered = Fit::from(self.has_star() && is_harmless(given));
        let named = all.iter().filter(|(spelled, resolved, _)| spelled.names_strictly(given, resolved));
        named.fold(covered, |fit, (spelled, _, value)| fit.or(spelled.value_strictly(given, *value)))
    }

    /// Tests what a trailing `*` would have to match besides known options.
    fn rest(&self, argv: &Argv<'_>) -> Fit {
        let no_harm = argv.table().is_some_and(takes_no_harmful_option);
        let is_open = |word: &&&Word| !(no_harm && is_glob(word));
        let open = argv.maybe_options.iter().filter(is_open).find_map(|word| word.why());
        // A file may have a name that looks like an option.
        let before = argv.behind_dashes.unwrap_or(argv.operands.len());
        let operands = argv.commands.iter().chain(argv.operands.iter().take(before));
        let strange = operands.filter(|word| is_glob(word)).find_map(|word| word.why());
        let unknown = open.or_else(|| strange.filter(|_| takes_options(argv) && !no_harm));
        let unknown = unknown.map_or(Fit::Yes, Fit::Maybe);
        if self.has_star() { unknown.and(self.star(argv)) } else { unknown }
    }

    /// Tests whether a `*` can match the operands of this program at all.
    fn star(&self, argv: &Argv<'_>) -> Fit {
        let Some(table) = argv.table() else { return Fit::No };
        let command = argv.commands.last().filter(|_| argv.is_unlisted());
        if let Some(command) = command {
            return match table.unlisted {
                Unlisted::Alias => Fit::Maybe(Unknown::new(Cause::Alias, command.shown())),
                Unlisted::Other | Unlisted::Script => Fit::No,
            };
        }
        // The operands that are code, or files that are written, are not distinguished from the others.
        let named = self.front.len() + self.behind.as_ref().map_or(0, Vec::len);
        let covers = argv.commands.len() + argv.operands.len() > named;
        match table.operands {
            Does::Runs if covers && !is_harmless_script(argv) => {
                Fit::Maybe(Unknown::new(Cause::Foreign, argv.name.unwrap_or_default()))
            }
            Does::Writes if covers => Fit::No,
            _ => Fit::Yes,
        }
    }

    fn has_star(&self) -> bool {
        self.end == End::Anything
    }
}

/// Whether nothing in the context of a command changes its effect.
fn is_plain(command: &Simple) -> bool {
    command.via.is_empty()
        && command.assignments.is_empty()
        && command.environment.is_empty()
        && command.code_from.is_empty()
        && command.scope == Scope::Local
        && !command.in_background
        && !command.in_substitution
        && !command.is_shadowed
}

/// Whether a path leads, judging by its text, to a directory that only the system writes to.
fn is_system(path: &str, roots: &Roots) -> bool {
    if !path.starts_with('/') || path.split('/').any(|name| name == "..") {
        return false;
    }
    let path = normalise(path, Path::new("/"), None);
    let own = roots.worktrees.iter().chain(&roots.tmp).chain(&roots.project).chain(&roots.home);
    let own = own.map(std::path::PathBuf::as_path).chain(OPEN_PLACES.iter().map(Path::new));
    !own.into_iter().any(|root| contains_as(root, &path, Case::Folded))
}

/// Whether a `*` can match an option.
fn is_harmless(given: &GivenOption) -> bool {
    let Some(option) = given.option else { return false };
    let does_nothing = match option.does {
        Does::Nothing | Does::Explains => true,
        Does::Reads => !given.is_global,
        Does::Writes | Does::Runs | Does::Enters => false,
    };
    // If the record were wrong about the value, that word would be an option itself.
    let is_clear = given.value.as_ref().is_none_or(|value| !value.prefix().starts_with('-'));
    does_nothing && is_clear && !given.is_abbreviated
}

/// Whether the code of a command only reads and prints: a sed script that selects lines and words.
fn is_harmless_script(argv: &Argv<'_>) -> bool {
    let is_sed = argv.tables.first().is_some_and(|table| table.names.contains(&"sed"));
    let script = argv.operands.first().and_then(|word| word.known());
    // If an option passes the script, the operands are files.
    let is_first = !argv.options.iter().any(|given| matches!(&*given.name, "--expression" | "--file"));
    is_sed && is_first && script.is_some_and(reads_only)
}

/// Whether a sed script consists of addresses, `p d q n =` and `s/…/…/` without its flags `e` and `w`.
fn reads_only(script: &str) -> bool {
    let mut rest = script;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        let behind = match c {
            '0'..='9' | '$' | ',' | '+' | '~' | '!' | ';' | ' ' | '{' | '}' | 'p' | 'd' | 'q' | 'n' | '=' => Some(rest),
            '/' => field(rest),
            's' => rest.strip_prefix('/').and_then(field).and_then(field).and_then(|flags| {
                let rest = flags.trim_start_matches(|flag: char| flag.is_ascii_digit() || "gpiI".contains(flag));
                (rest.is_empty() || rest.starts_with([';', ' ', '}'])).then_some(rest)
            }),
            _ => None,
        };
        match behind {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    true
}

/// Returns the text after the next `/`. Escaped text, or text that may be in a class, is not supported.
fn field(text: &str) -> Option<&str> {
    text.split_once('/').filter(|(field, _)| !field.contains(['\\', '[', '\n'])).map(|(_, rest)| rest)
}

fn is_glob(word: &Word) -> bool {
    matches!(word.parts.first(), Some(Part::Glob(_)))
}

/// Whether a program only reads, for all file names to which a glob may expand: it has no subcommands, and no option of
/// it writes or runs anything. The program would reject an option that the record lacks.
fn takes_no_harmful_option(table: &Program) -> bool {
    let options = || table.options.iter().chain(table.shared.iter().copied().flatten());
    let is_harmless = |option: &Opt| matches!(option.does, Does::Nothing | Does::Explains | Does::Reads);
    table.commands.is_empty()
        && table.operands == Does::Nothing
        && options().next().is_some()
        && options().all(is_harmless)
}

/// Whether a program parses options among its operands.
fn takes_options(argv: &Argv<'_>) -> bool {
    argv.table().is_none_or(|table| table.reading != crate::programs::Reading::Operands)
}

impl Flag {
    /// Tests whether the flag is present or absent as required.
    fn strictly(&self, value: Option<&Operand>, argv: &Argv<'_>) -> Fit {
        let given = self.alternatives.iter().fold(Fit::No, |fit, spelled| fit.or(spelled.strictly(value, argv)));
        match self.presence {
            Presence::Given => given,
            Presence::Absent => given.negated(),
        }
    }
}

impl Spelled {
    fn strictly(&self, value: Option<&Operand>, argv: &Argv<'_>) -> Fit {
        if argv.has_words_alone() {
            return self.among_words(argv);
        }
        // No given word could be it.
        if argv.options.is_empty() {
            return Fit::No;
        }
        match self.parts(argv) {
            Ok(parts) => parts.iter().fold(Fit::Yes, |fit, part| fit.and(part.strictly(value, argv))),
            Err(option) => {
                let resolved = Resolved::One(self, option);
                let given = argv.options.iter().filter(|given| self.names_strictly(given, &resolved));
                given.fold(Fit::No, |fit, given| fit.or(self.value_strictly(given, value)))
            }
        }
    }

    fn value_strictly(&self, given: &GivenOption, value: Option<&Operand>) -> Fit {
        let needs_value = given.option.is_some_and(|option| option.arity == Arity::Value);
        match (&self.value, value, &given.value) {
            // A pattern without the value that an option requires accepts any value.
            (None, None, value) => (value.is_none() || needs_value || self.glob.is_some()).into(),
            (Some(glob), _, Some(word)) => glob.fit(word),
            (None, Some(operand), Some(word)) => operand.fit(word),
            (_, _, None) => Fit::No,
        }
    }

    /// Whether it names a resolved option. A wildcard only matches options that do no more than read.
    fn names_strictly(&self, given: &GivenOption, resolved: &Resolved<'_>) -> bool {
        !given.is_abbreviated && (self.glob.is_none() || is_harmless(given)) && resolved.names(given)
    }
}
