//! What a trailing `*` covers besides options: operands, words that a program hands to another one, and paths.

use crate::access::FileAccess;
use crate::analysis::SimpleCommand;
use crate::argv::{Argv, GivenOption, parse_argv};
use crate::glob::Fit;
use crate::network::files_sent_by_options;
use crate::path::{NameCase, Roots, contains_by_case, goes_up, normalise};
use crate::programs::{OperandEffect, UnlistedSubcommand, program};
use crate::project::project_use;
use crate::word::{Cause, Directory, Unknown, ValueSource, Word, WordPart};

use super::only::{has_code_option, has_options, is_device_path, is_glob, is_harmless, takes_no_harmful_option};
use super::scripts::{is_harmless_script, is_no_argument_file};
use super::{Pattern, ValuePlacement, surroundings};

impl Pattern {
    /// Tests whether unknown words may be options that nothing covers, and whether a trailing `*` can cover the
    /// operands.
    pub(super) fn test_star_rest(&self, argv: &Argv<'_>) -> Fit {
        let is_harmless_program = argv.table().is_some_and(takes_no_harmful_option);
        let is_name = |word: &Word| is_glob(word) || surroundings::is_given_name(word);
        let may_be_harmful = |word: &&&Word| {
            !(word.is_pipe() || surroundings::is_no_option(word) || is_harmless_program && is_name(word))
        };
        let possible_option = argv.maybe_options.iter().filter(may_be_harmful).find_map(|word| word.unknown_reason());
        // The name of a file that a glob matches may look like an option.
        let options_end = argv.after_dashes.unwrap_or(argv.operands.len());
        let operands = argv.subcommands.iter().chain(argv.operands.iter().take(options_end));
        let glob_operand = operands.filter(|word| is_glob(word)).find_map(|word| word.unknown_reason());
        let unknown = possible_option.or_else(|| glob_operand.filter(|_| has_options(argv) && !is_harmless_program));
        let unknown = unknown.map_or(Fit::Yes, Fit::Maybe);
        if self.has_star() { unknown.and(self.test_star(argv)).and(self.test_handed_words(argv)) } else { unknown }
    }

    /// Tests whether a `*` can cover the operands of this program. It cannot if the program runs or writes them.
    fn test_star(&self, argv: &Argv<'_>) -> Fit {
        let Some(table) = argv.table() else { return Fit::No };
        let command = argv.subcommands.last().filter(|_| argv.is_unlisted());
        if let Some(command) = command {
            return match table.unlisted {
                UnlistedSubcommand::Alias => Fit::Maybe(Unknown::new(Cause::Alias, command.display_text())),
                // The words after the name of a task are arguments of the task.
                UnlistedSubcommand::Script => Fit::Yes,
                UnlistedSubcommand::Other => Fit::No,
            };
        }
        // Which operands are code, or files that are written, is not distinguished here.
        let named_operands = self.front.len() + self.after_dashes.as_ref().map_or(0, Vec::len);
        let covers = argv.subcommands.len() + argv.operands.len() > named_operands;
        let covers_code = match table.operands {
            OperandEffect::Writes if covers => return Fit::No,
            OperandEffect::Runs => covers && !is_harmless_script(argv),
            OperandEffect::Expands => {
                let values = argv.options.iter().filter_map(|given| given.value.as_ref());
                let values = values.filter(|value| value.known_text().is_some());
                !argv.operands.iter().copied().chain(values).all(is_no_argument_file)
            }
            OperandEffect::FirstRuns => covers && self.front.len() <= argv.subcommands.len(),
            OperandEffect::Nothing | OperandEffect::Writes => {
                table.is_interpreter() && covers && self.front.is_empty() && !has_code_option(argv)
            }
        };
        match covers_code {
            true => Fit::Maybe(Unknown::new(Cause::Foreign, argv.name.unwrap_or_default())),
            false => Fit::Yes,
        }
    }

    /// Tests whether a `*` covers the words behind a `--` that the program hands to another one: each of those that may
    /// get them has to know them as options that do no more than read.
    pub(super) fn test_handed_words(&self, argv: &Argv<'_>) -> Fit {
        let readers = argv.table().map_or(&[][..], |table| table.behind_dashes);
        if readers.is_empty() || self.handed_words(argv).next().is_none() {
            return Fit::Yes;
        }
        let words: Vec<Word> = self.handed_words(argv).cloned().collect();
        readers.iter().fold(Fit::Yes, |fit, reader| fit.and(are_harmless_words(reader, &words)))
    }

    /// Returns the words behind a `--` that only a `*` can cover.
    pub(super) fn handed_words<'a>(&self, argv: &'a Argv<'_>) -> impl Iterator<Item = &'a Word> {
        let start = argv.after_dashes.unwrap_or(argv.operands.len());
        let named = self.after_dashes.as_ref().map_or(0, Vec::len);
        argv.operands.iter().skip(start + named).copied()
    }

    /// Tests whether a `*` covers the paths among the operands and the values of options of a program that runs the code
    /// of its project. It does not cover one that leads out of the project, because the code there is not the project's.
    pub(super) fn test_code_paths<'r>(&self, argv: &Argv<'_>, cwd: &Directory, roots: impl Fn() -> &'r Roots) -> Fit {
        let is_inside = |word: &Word| if is_module(argv, word) { Fit::No } else { is_in_project(word, cwd, roots()) };
        self.possible_outer_paths(argv).fold(Fit::Yes, |fit, word| fit.and(is_inside(word)))
    }

    /// Returns the first operand that [`Pattern::test_code_paths`] refuses.
    pub(super) fn path_out_of_project<'a>(
        &self,
        argv: &'a Argv<'_>,
        cwd: &Directory,
        roots: &Roots,
    ) -> Option<&'a Word> {
        let is_outside = |word: &Word| is_module(argv, word) || is_in_project(word, cwd, roots) == Fit::No;
        self.possible_outer_paths(argv).find(|word| is_outside(word))
    }

    /// Returns the operands and values of options that only a `*` can cover and that may lead out of the project, for a
    /// program that runs the project's code.
    fn possible_outer_paths<'a>(&self, argv: &'a Argv<'_>) -> impl Iterator<Item = &'a Word> {
        let words = argv.subcommands.iter().chain(&argv.operands).copied();
        let first = if self.has_star() { self.named_count(argv) } else { usize::MAX };
        let is_named = |given: &GivenOption| self.flags.iter().any(|flag| flag.has_name(given));
        let given = argv.options.iter().filter(move |given| self.has_star() && !is_named(given));
        let values = given.filter_map(|given| given.value.as_ref()).filter(|value| value.known_text().is_some());
        let may_be_outer = |word: &&Word| may_lead_out(word) || is_module(argv, word);
        let mut outer = words.skip(first).chain(values).filter(may_be_outer).peekable();
        // Few calls have such a word, and the records of projects are searched only for these.
        let is_runner = outer.peek().is_some() && runs_project_code(argv);
        outer.filter(move |_| is_runner)
    }

    /// Tests whether a `*` covers the options of a program that sends files. It covers none that names a file to be sent:
    /// `curl -d @.env`.
    pub(super) fn test_sent_files(&self, argv: &Argv<'_>, command: &SimpleCommand) -> Fit {
        (!self.has_star() || self.sent_file(argv, command).is_none()).into()
    }

    /// Returns the first file that [`Pattern::test_sent_files`] refuses, with the option that names it; without one, a
    /// redirection does.
    pub(super) fn sent_file<'a>(
        &self,
        argv: &'a Argv<'_>,
        command: &SimpleCommand,
    ) -> Option<(FileAccess, Option<&'a GivenOption>)> {
        let sent = files_sent_by_options(command, argv);
        if sent.is_empty() {
            return None;
        }
        let naming_option = |access: &FileAccess| {
            let file = access.path.prefix();
            let names_file =
                |given: &&GivenOption| given.value.as_ref().is_some_and(|value| value.prefix().ends_with(file));
            argv.options.iter().filter(|_| !file.is_empty()).find(names_file)
        };
        let mut sent = sent.into_iter().map(|access| (naming_option(&access), access));
        let view = self.view_for(argv, ValuePlacement::InOrder);
        let spellings = self.given_spellings(&view, argv);
        let is_named = |given: &GivenOption| {
            let mut values =
                spellings.iter().filter(|(spelled, resolved, _)| spelled.is_strict_name(given, resolved, argv));
            values.any(|(spelled, _, value)| spelled.test_value_strictly(given, *value) == Fit::Yes)
        };
        sent.find(|(option, _)| !option.is_some_and(is_named)).map(|(option, access)| (access, option))
    }
}

/// Whether a program runs the code of the project that it is in.
fn runs_project_code(argv: &Argv<'_>) -> bool {
    let words: Vec<&str> = argv.subcommands.iter().filter_map(|word| word.known_text()).collect();
    argv.name.is_some_and(|name| project_use(name, &words).runs_code)
}

/// Whether a word may name something outside of the directory in which the program runs: a path, or a URL.
fn may_lead_out(word: &Word) -> bool {
    let text = without_variable(word.prefix());
    let is_drive = || text.as_bytes().get(1) == Some(&b':') && text.starts_with(|c: char| c.is_ascii_alphabetic());
    text.starts_with(['/', '~', '\\'])
        || has_upward_part(word)
        || is_drive()
        || has_scheme(text)
        || is_command_value(word)
        || has_unknown_name(word)
}

/// Whether a word names a module of Go by the host that it comes from: `github.com/a/b`.
fn is_module(argv: &Argv<'_>, word: &Word) -> bool {
    let host = || word.prefix().split_once('/').map_or("", |(host, _)| host);
    let is_end = |end: &str| end.len() > 1 && end.bytes().all(|byte| byte.is_ascii_lowercase());
    argv.is_program("go") && host().rsplit_once('.').is_some_and(|(name, end)| !name.is_empty() && is_end(end))
}

/// Whether a known part of a word goes to a directory above, with the separators of either system.
fn has_upward_part(word: &Word) -> bool {
    word.parts.iter().filter_map(WordPart::text).any(|text| text.split('\\').any(goes_up))
}

/// Beginnings of names of modules that `deno` takes from a registry.
const REGISTRIES: &[&str] = &["npm:", "jsr:"];

/// Whether a text is a URL, or names a module of a registry.
fn has_scheme(text: &str) -> bool {
    text.contains("://") || REGISTRIES.iter().any(|scheme| text.starts_with(scheme))
}

/// Returns the value in the setting of a variable or of an option, `CC=../cc`, `--out=../x`; any other word whole.
fn without_variable(text: &str) -> &str {
    text.split_once('=').filter(|(name, _)| is_variable(name)).map_or(text, |(_, value)| value)
}

/// Whether a text may be the name of a variable, or of an option.
fn is_variable(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Whether a word sets a variable to text that a recipe could run as a command: `ARGS=; rm -rf x`.
fn is_command_value(word: &Word) -> bool {
    let set = word.prefix().split_once('=').filter(|(name, _)| is_variable(name));
    set.is_some_and(|(_, value)| value.contains([';', '|', '&', '$', '`', '<', '>', '(', '\n']))
}

/// Whether an unknown part of a word may be more than a name or a number.
fn has_unknown_name(word: &Word) -> bool {
    word.parts.iter().any(|part| match part {
        WordPart::Unknown(unknown) => {
            let source = &unknown.reason.source;
            part.matched_glob().is_none() && !matches!(source, ValueSource::Number | ValueSource::SearchResult)
        }
        WordPart::Text(_) | WordPart::Glob(_) => false,
    })
}

/// Tests whether a path, judged by its text, is in the project or in another working tree of it.
fn is_in_project(word: &Word, cwd: &Directory, roots: &Roots) -> Fit {
    let Directory::Known(cwd) = cwd else { return Fit::No };
    if let Some(why) = word.unknown_reason().filter(|_| has_unknown_name(word)) {
        return Fit::Maybe(why);
    }
    let path = without_variable(word.prefix());
    if is_device_path(path) {
        return Fit::Yes;
    }
    // What is behind a glob is not in the path that is compared.
    let goes_up_behind = || word.known_text().is_none() && has_upward_part(word);
    if path.starts_with('~') || has_scheme(path) || is_command_value(word) || goes_up_behind() {
        return Fit::No;
    }
    let path = normalise(path, cwd, None);
    let mut projects = roots.project.iter().chain(&roots.worktrees);
    projects.any(|project| contains_by_case(project, &path, NameCase::Exact)).into()
}

/// Tests whether a program knows words only as options that do no more than read.
fn are_harmless_words(reader: &str, words: &[Word]) -> Fit {
    let mut names = reader.split(' ');
    let Some(record) = names.next().and_then(program) else { return Fit::No };
    let words: Vec<Word> = reader.split(' ').map(Word::text).chain(words.iter().cloned()).collect();
    let argv = parse_argv(&words);
    if !argv.options.iter().all(|given| is_harmless(given, &argv)) {
        return Fit::No;
    }
    if !argv.operands.is_empty() && record.operands != OperandEffect::Nothing {
        return Fit::No;
    }
    argv.maybe_options.iter().find_map(|word| word.unknown_reason()).map_or(Fit::Yes, Fit::Maybe)
}
