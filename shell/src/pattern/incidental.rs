//! Words that a strict pattern need not name, because they do not change what is done: `make -s`, `git -C .`, and a
//! `cd` into the directory in which the call works anyway.

use std::borrow::Cow;
use std::path::Path;

use crate::analysis::{Analysis, Redirect, SimpleCommand};
use crate::argv::{Argv, ArgvCache, GivenOption};
use crate::files::file_accesses;
use crate::glob::Fit;
use crate::path::{Roots, goes_up, normalise};
use crate::prints;
use crate::programs::{IncidentalCall, OptionEffect, Program, program};
use crate::project::{TaskWords, project_use};
use crate::word::{Directory, Word, WordPart};

use super::Pattern;
use super::only::{has_code_option, has_neutral_context, is_device, is_harmless};
use super::sequence::Strictness;

/// Whether an option need not be named, according to its record: it only says how the work is done, or enters the
/// directory of the command. Behind an operand, it may be an argument of that.
pub(super) fn is_incidental(given: &GivenOption, argv: &Argv<'_>, cwd: Option<&Directory>) -> bool {
    if !argv.is_incidental(given) || argv.is_unlisted() || follows_operand(given, argv) {
        return false;
    }
    match argv.effect(given) {
        Some(OptionEffect::Enters) => {
            let is_other = |other: &&GivenOption| argv.effect(other) == Some(OptionEffect::Enters);
            let is_alone = argv.options.iter().filter(is_other).count() == 1;
            is_alone && given.value.as_ref().is_some_and(|value| is_directory(value, cwd))
        }
        Some(OptionEffect::Nothing) => is_harmless(given, argv) && given.value.as_ref().is_none_or(is_plain_value),
        _ => false,
    }
}

/// Whether an option comes after the first operand.
fn follows_operand(given: &GivenOption, argv: &Argv<'_>) -> bool {
    let first = argv.operands.first();
    let index = first.and_then(|first| argv.words.iter().position(|word| std::ptr::eq(word, *first)));
    index.is_some_and(|index| index < given.word_index)
}

/// Whether a value is a word or a number, and no path, list or response file.
fn is_plain_value(value: &Word) -> bool {
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    has_known_parts(value, is_plain)
}

/// Returns how the calls of a command's program leave the calls around them as they are, according to its record.
fn incidental_call(command: &SimpleCommand) -> Option<IncidentalCall> {
    program(command.words.first()?.known_text()?)?.incidental_call
}

/// Whether a command in a substitution only prints a number, or one name without slashes and dots.
fn only_prints_name(command: &SimpleCommand) -> bool {
    let prints_name =
        || prints::output(command).and_then(|output| output.prints).is_some_and(|prints| prints.is_plain());
    command.in_substitution && has_neutral_context(command) && are_devices(command) && prints_name()
}

/// Whether the texts in a word pass a test, and each other part is a number or a name that shows nothing of the
/// environment.
fn has_known_parts(word: &Word, test: impl Fn(&str) -> bool) -> bool {
    word.parts.iter().all(|part| match part {
        WordPart::Text(text) => test(text),
        WordPart::Unknown(unknown) => unknown.is_own_number(),
        WordPart::Glob(_) => false,
    })
}

/// Whether a word names a directory that is known to be the current one.
fn is_directory(word: &Word, cwd: Option<&Directory>) -> bool {
    match (word.known_text(), cwd) {
        (Some("." | "./"), _) => true,
        // A `..` behind a link leads elsewhere.
        (Some(path), Some(Directory::Known(cwd))) if path.starts_with('/') && !goes_up(path) => {
            normalise(path, cwd, None) == *cwd
        }
        _ => false,
    }
}

impl Analysis {
    /// Whether a command needs no strict pattern if another one of the call has one: it changes nothing about the others,
    /// and prints nothing but its own words or what the others print. It is a `cd` that leads nowhere else, a filter
    /// behind a pipe (`| tail -5`), a text or a pause (`echo done`, `sleep 2`), or a number in a substitution
    /// (`$(nproc)`).
    pub fn is_incidental<'r>(&self, command: &SimpleCommand, roots: impl Fn() -> &'r Roots) -> bool {
        if self.stays_in_project(command, &roots) {
            return true;
        }
        if command.in_substitution {
            return only_prints_name(command);
        }
        match incidental_call(command) {
            Some(IncidentalCall::Idle) => command.piped_to.is_empty() && self.only_looks(command, roots()),
            Some(IncidentalCall::Filter) => {
                // Another reader of the same input would miss what the filter takes.
                let sources = command.piped_from.iter().filter_map(|id| self.command(*id));
                let mut readers = sources.chain([command]).flat_map(|command| &command.piped_to);
                // A substitution in the words of the next command has the same input.
                let is_harmless = |reader: &SimpleCommand| only_prints_name(reader) || self.is_filter(reader, roots());
                self.is_filter(command, roots()) && readers.all(|id| self.command(*id).is_some_and(is_harmless))
            }
            None => false,
        }
    }

    /// Whether a command prints what it reads from a pipe, perhaps changed, and nothing else.
    fn is_filter(&self, command: &SimpleCommand, roots: &Roots) -> bool {
        incidental_call(command) == Some(IncidentalCall::Filter)
            && !command.piped_from.is_empty()
            && self.only_looks(command, roots)
    }

    /// Whether a command only looks, all its words are known, and it opens no file but `/dev/null`.
    fn only_looks(&self, command: &SimpleCommand, roots: &Roots) -> bool {
        let pattern = || Pattern::new(&format!("{} @reads", command.words.first()?.known_text()?)).ok();
        command.words.iter().all(|word| has_known_parts(word, |_| true))
            && command.assignments.is_empty()
            && file_accesses(self, command).iter().all(|access| access.path.known_text() == Some("/dev/null"))
            && pattern().is_some_and(|pattern| pattern.runs_only(command, roots) == Fit::Yes)
    }

    /// Whether a command is a `cd` in front of another one, into the directory in which it already is, or into that of
    /// the project. A policy that approves the other command does so for that directory.
    fn stays_in_project<'r>(&self, command: &SimpleCommand, roots: impl Fn() -> &'r Roots) -> bool {
        let [_, directory] = command.words.as_slice() else { return false };
        let is_cd = is_change_of_directory(command) && are_devices(command) && has_neutral_context(command);
        let Some(path) = directory.known_text().filter(|_| is_cd) else { return false };
        // The shell looks for another relative path in `CDPATH` too.
        if !path.starts_with('/') {
            return matches!(path, "." | "./");
        }
        let path = normalise(path, Path::new("/"), None);
        let is_current = matches!(&command.cwd, Directory::Known(cwd) if *cwd == path);
        is_current || roots().project.as_deref() == Some(path.as_path())
    }
}

impl SimpleCommand {
    /// Whether [`Analysis::is_incidental`] may be true for the command, judged by its name and its place.
    pub(super) fn may_be_incidental(&self) -> bool {
        self.in_substitution
            || is_change_of_directory(self)
            || match incidental_call(self) {
                Some(IncidentalCall::Idle) => true,
                Some(IncidentalCall::Filter) => !self.piped_from.is_empty(),
                None => false,
            }
    }

    /// Returns the command with a short path of the script that an interpreter runs: `bash scripts/x.sh` for
    /// `bash ./scripts/x.sh`, and for the full path of a script below the directory of the command.
    #[must_use]
    pub fn with_short_script(&self) -> Cow<'_, Self> {
        let short = |command: &Self| {
            // Only a word that begins so can get shorter.
            let may_be_long = |word: &Word| word.prefix().starts_with("./") || word.prefix().starts_with('/');
            let argv = command.words.iter().skip(1).any(may_be_long).then(|| command.argv())?;
            // The code of `sh -c CODE` is no path.
            let reads_script = argv.table().is_some_and(Program::is_interpreter) && !has_code_option(&argv);
            let script = argv.operands.first().filter(|_| reads_script)?;
            let at = command.words.iter().position(|word| std::ptr::eq(word, *script))?;
            let path = script.known_text().filter(|path| !goes_up(path))?;
            let short = match &command.cwd {
                // A runner may run the command in another directory.
                Directory::Known(cwd) if path.starts_with('/') && command.outer_commands.is_empty() => {
                    Path::new(path).strip_prefix(cwd).ok()?.to_str()?
                }
                _ => path.strip_prefix("./")?,
            };
            // A name without a slash may be found elsewhere, or be a subcommand.
            (short.contains('/') && !short.starts_with('-')).then(|| (at, Word::text(short)))
        };
        let Some((at, script)) = short(self) else { return Cow::Borrowed(self) };
        let mut shortened = Self { memo: ArgvCache::default(), ..self.clone() };
        if let Some(word) = shortened.words.get_mut(at) {
            *word = script;
        }
        Cow::Owned(shortened)
    }
}

/// Whether the redirections of a command write to no file: `2>/dev/null`.
fn are_devices(command: &SimpleCommand) -> bool {
    let is_device = |redirect: &Redirect| redirect.opened.is_none() && is_device(&redirect.target);
    command.redirects.iter().all(is_device)
}

/// Whether a command is a `cd`.
fn is_change_of_directory(command: &SimpleCommand) -> bool {
    command.words.first().and_then(Word::known_text) == Some("cd")
}

impl Pattern {
    /// Returns how many of the first words of a call the pattern names, counted as the call writes them: `pnpm lint` has
    /// one word less than `pnpm run lint`.
    pub(super) fn named_count(&self, argv: &Argv<'_>) -> usize {
        let is_run = |word: Option<&Word>| word.and_then(Word::known_text) == Some("run");
        let has_run = self.front.first().is_some_and(|operand| operand.matches("run"));
        let is_bare =
            !is_run(argv.subcommands.first().copied()) && other_script_call(argv, Strictness::Strict).is_some();
        self.front.len() - usize::from(has_run && is_bare)
    }
}

/// Returns the other way to write the subcommands of a call that runs a script of the project: `[run, lint]` for the
/// `lint` of `pnpm lint`, and none for `pnpm run lint`, whose operands begin with the script.
///
/// A name that the record lacks may be a subcommand of another version of the program. Strictly, it is no script.
pub(super) fn other_script_call(argv: &Argv<'_>, strictness: Strictness) -> Option<Vec<Word>> {
    // Few programs run scripts, and the others need not be searched for.
    let table = argv.records.first().filter(|table| table.runs_scripts && argv.subcommands.len() == 1)?;
    let name = argv.name?;
    let words: Vec<&str> = argv.sequence().map_while(Word::known_text).collect();
    let tasks_of = |words: &[&str]| project_use(name, words).tasks;
    // The script of `npm t` is `test`, and `npm run t` runs another one.
    let full_name = |at: usize| {
        let written = *words.get(at)?;
        Some(table.same_commands(written).first().copied().unwrap_or(written))
    };
    match tasks_of(&words)? {
        TaskWords::Subcommand if strictness == Strictness::Strict && argv.is_unlisted() => None,
        TaskWords::Subcommand => Some(vec![Word::text("run"), Word::text(full_name(0)?)]),
        TaskWords::First => {
            let script = words.get(1).filter(|script| full_name(1) == Some(**script))?;
            (tasks_of(&[script]) == Some(TaskWords::Subcommand)).then(Vec::new)
        }
        TaskWords::Operands => None,
    }
}
