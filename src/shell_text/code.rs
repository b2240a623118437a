//! The values that would be code or a program, according to the records of programs.

use hookrules_shell::argv::{Argv, parse_argv_with};
use hookrules_shell::nested::{CodeSource, Runnable, nested};
use hookrules_shell::programs::{Arity, OperandEffect, OptionEffect};
use hookrules_shell::word::{Cause, UnknownPart, ValueSource, WordPart};
use hookrules_shell::{Programs, Unknown, Word};

use super::PlaceholderProblemKind;
use super::command::{is_absolute, is_project};
use crate::syntax::ast::FieldName;

/// The deepest nesting of commands in commands that is searched.
pub(super) const MAX_DEPTH: usize = 8;

/// Returns the part of a word that represents the value with an index.
pub(super) fn value(index: usize) -> WordPart {
    value_part(ValueSource::Variable(index.to_string().into()))
}

/// Returns the part of a word that represents an expansion by the shell.
pub(super) fn expansion() -> WordPart {
    value_part(ValueSource::Any)
}

/// Returns an unknown part with a source.
fn value_part(source: ValueSource) -> WordPart {
    WordPart::Unknown(UnknownPart { reason: Unknown::with_source(Cause::Argument, "", source), may_split: false })
}

/// Returns the index of the value that a part represents; `None` for any other part.
pub(super) fn index(part: &WordPart) -> Option<usize> {
    match part {
        WordPart::Unknown(unknown) => unknown.reason.source.variable()?.parse().ok(),
        WordPart::Text(_) | WordPart::Glob(_) => None,
    }
}

/// Finds the values of a command that would be code or the name of a program.
pub(super) struct Finder<'f> {
    /// The records of programs in addition to the built-in ones.
    pub(super) programs: &'f Programs,
    /// Returns the name of the placeholder of a value, by its index.
    pub(super) name: &'f dyn Fn(usize) -> Option<&'f FieldName>,
}

impl Finder<'_> {
    /// Returns the values of a command that would be code or a program, each with its problem.
    pub(super) fn find(&self, words: &[Word]) -> Vec<(usize, PlaceholderProblemKind)> {
        let mut found = Vec::new();
        self.add_problems(words, MAX_DEPTH, &mut found);
        found
    }

    /// Adds the problems of a command, and of the commands that it runs, down to `depth` levels.
    fn add_problems(&self, words: &[Word], depth: usize, found: &mut Vec<(usize, PlaceholderProblemKind)>) {
        let argv = parse_argv_with(words, self.programs);
        let code = || PlaceholderProblemKind::ProgramCode(argv.name.unwrap_or_default().to_owned());
        found.extend(self.problems_by_record(&argv));
        for nested in nested(words) {
            match nested.runnable {
                // This command may be run only if the value of an unknown word is a certain one, so a problem here
                // would be a guess.
                Runnable::Argv(_) if nested.doubt.is_some() => {}
                Runnable::Argv(inner) => {
                    let program = inner.first().and_then(|word| index(word.parts.first()?));
                    // The author of the policy has chosen the programs in the project.
                    let program = program.filter(|index| !is_project((self.name)(*index)));
                    found.extend(program.map(|index| (index, PlaceholderProblemKind::Program)));
                    if let Some(depth) = depth.checked_sub(1) {
                        self.add_problems(&inner, depth, found);
                    }
                }
                Runnable::Script(text, _) | Runnable::Foreign(CodeSource::Text(text)) => {
                    found.extend(text.parts.iter().filter_map(index).map(|index| (index, code())));
                }
                Runnable::Input(_) | Runnable::File(_) | Runnable::Foreign(_) => {}
            }
        }
    }

    /// Returns the values in options and operands that are code according to the record of the program.
    fn problems_by_record(&self, argv: &Argv<'_>) -> Vec<(usize, PlaceholderProblemKind)> {
        let mut found = Vec::new();
        let code = || PlaceholderProblemKind::ProgramCode(argv.name.unwrap_or_default().to_owned());
        for given in argv.options.iter() {
            let runs =
                given.option.is_some_and(|option| option.does == OptionEffect::Runs && option.arity != Arity::Command);
            let Some(value) = given.value.as_ref().filter(|_| runs) else { continue };
            // If the value is a file, its contents are the responsibility of the author. `nested` handles settings such
            // as `-c core.pager=…`, of which only some are run.
            let is_file =
                matches!(value.parts.as_slice(), [only] if index(only).and_then(self.name).is_some_and(is_absolute));
            if !is_file && !value.prefix().contains('=') {
                found.extend(value.parts.iter().filter_map(index).map(|index| (index, code())));
            }
        }
        // For a program with a built-in record, `nested` handles the operands that are run.
        let is_added = argv.name.is_some_and(|name| self.programs.records().any(|record| record.has_name(name)));
        if is_added && argv.table().is_some_and(|table| table.operands == OperandEffect::Runs) {
            let values = argv.operands.iter().flat_map(|word| &word.parts).filter_map(index);
            found.extend(values.map(|index| (index, code())));
        }
        found
    }

    /// Returns the values of a command that are in code other than shell text. Shell text is checked by analysing
    /// what it runs.
    pub(super) fn find_foreign(&self, words: &[Word]) -> Vec<(usize, PlaceholderProblemKind)> {
        let argv = parse_argv_with(words, self.programs);
        let holds_value = |text: &Word| text.parts.iter().any(|part| index(part).is_some());
        let (mut found, mut is_shell_text) = (Vec::new(), false);
        for nested in nested(words) {
            match nested.runnable {
                Runnable::Foreign(CodeSource::Text(text)) => {
                    let code = || PlaceholderProblemKind::ProgramCode(argv.name.unwrap_or_default().to_owned());
                    found.extend(text.parts.iter().filter_map(index).map(|index| (index, code())));
                }
                Runnable::Script(text, _) => is_shell_text |= holds_value(&text),
                Runnable::Argv(_) | Runnable::Input(_) | Runnable::File(_) | Runnable::Foreign(_) => {}
            }
        }
        if !is_shell_text {
            found.extend(self.problems_by_record(&argv));
        }
        found
    }
}
