//! Values in the code that a command runs, according to the records of programs.

use hookrules_shell::argv::{Argv, read_with};
use hookrules_shell::nested::{Code, What, nested};
use hookrules_shell::programs::{Arity, Does};
use hookrules_shell::word::{Cause, Part, Source, UnknownPart};
use hookrules_shell::{Programs, Unknown, Word};

use super::ProblemKind;
use super::command::{is_absolute, is_project};
use crate::syntax::ast::FieldName;

/// The maximal nesting depth of commands in commands.
pub(super) const DEPTH: usize = 8;

/// Returns a value as a part of a word: the positional parameter in which it is passed.
pub(super) fn value(index: usize) -> Part {
    part(Source::Variable(index.to_string().into()))
}

/// Returns the part of a word for an expansion by the shell.
pub(super) fn expansion() -> Part {
    part(Source::Any)
}

fn part(source: Source) -> Part {
    Part::Unknown(UnknownPart { why: Unknown::of(Cause::Argument, "", source), splits: false })
}

/// Returns the index of the value that a part is.
pub(super) fn index(part: &Part) -> Option<usize> {
    match part {
        Part::Unknown(unknown) => unknown.why.source.variable()?.parse().ok(),
        Part::Text(_) | Part::Glob(_) => None,
    }
}

/// Finds the values of a command that would be code, or the name of a program.
pub(super) struct Finder<'f> {
    /// The records besides the built-in ones.
    pub(super) programs: &'f Programs,
    /// Returns the name of a value's placeholder.
    pub(super) name: &'f dyn Fn(usize) -> Option<&'f FieldName>,
}

impl Finder<'_> {
    /// Returns these values, each with its problem.
    pub(super) fn find(&self, words: &[Word]) -> Vec<(usize, ProblemKind)> {
        let mut found = Vec::new();
        self.add(words, DEPTH, &mut found);
        found
    }

    fn add(&self, words: &[Word], depth: usize, found: &mut Vec<(usize, ProblemKind)>) {
        let argv = read_with(words, self.programs);
        let code = || ProblemKind::CodeOf(argv.name.unwrap_or_default().to_owned());
        found.extend(self.by_record(&argv));
        for nested in nested(words) {
            match nested.what {
                // With unknown words, what else may run is only a guess.
                What::Argv(_) if nested.doubt.is_some() => {}
                What::Argv(inner) => {
                    let program = inner.first().and_then(|word| index(word.parts.first()?));
                    // The policy's author chose the programs below the project.
                    let program = program.filter(|index| !is_project((self.name)(*index)));
                    found.extend(program.map(|index| (index, ProblemKind::Program)));
                    if let Some(depth) = depth.checked_sub(1) {
                        self.add(&inner, depth, found);
                    }
                }
                What::Script(text, _) | What::Foreign(Code::Text(text)) => {
                    found.extend(text.parts.iter().filter_map(index).map(|index| (index, code())));
                }
                What::Input(_) | What::File(_) | What::Foreign(_) => {}
            }
        }
    }

    /// Finds the values in options and operands that are code according to the program's record.
    fn by_record(&self, argv: &Argv<'_>) -> Vec<(usize, ProblemKind)> {
        let mut found = Vec::new();
        let code = || ProblemKind::CodeOf(argv.name.unwrap_or_default().to_owned());
        for given in argv.options.iter() {
            let runs = given.option.is_some_and(|option| option.does == Does::Runs && option.arity != Arity::Command);
            let Some(value) = given.value.as_ref().filter(|_| runs) else { continue };
            // A file's contents are as safe as the file. `nested` knows which settings (`-c user.name=`) run.
            let is_file =
                matches!(value.parts.as_slice(), [only] if index(only).and_then(self.name).is_some_and(is_absolute));
            if !is_file && !value.prefix().contains('=') {
                found.extend(value.parts.iter().filter_map(index).map(|index| (index, code())));
            }
        }
        // For a program of the built-in table, `nested` knows which operands run.
        let is_added = argv.name.is_some_and(|name| self.programs.records().any(|record| record.is_named(name)));
        if is_added && argv.table().is_some_and(|table| table.operands == Does::Runs) {
            let values = argv.operands.iter().flat_map(|word| &word.parts).filter_map(index);
            found.extend(values.map(|index| (index, code())));
        }
        found
    }

    /// Finds the values of a command in code that is not shell text; the effect of shell text is analysed by running
    /// it.
    pub(super) fn find_foreign(&self, words: &[Word]) -> Vec<(usize, ProblemKind)> {
        let argv = read_with(words, self.programs);
        let holds_value = |text: &Word| text.parts.iter().any(|part| index(part).is_some());
        let (mut found, mut is_shell_text) = (Vec::new(), false);
        for nested in nested(words) {
            match nested.what {
                What::Foreign(Code::Text(text)) => {
                    let code = || ProblemKind::CodeOf(argv.name.unwrap_or_default().to_owned());
                    found.extend(text.parts.iter().filter_map(index).map(|index| (index, code())));
                }
                What::Script(text, _) => is_shell_text |= holds_value(&text),
                What::Argv(_) | What::Input(_) | What::File(_) | What::Foreign(_) => {}
            }
        }
        if !is_shell_text {
            found.extend(self.by_record(&argv));
        }
        found
    }
}
