//! The fields of one command of the call, which `where` tests.

use std::path::Path;
use std::rc::Rc;

use super::scalar::ScalarValues;
use super::{Context, PathForm, Reason, Scalar, ShellText};
use crate::ruleset::{FactName, Patterns, WhereField, place_word};
use crate::syntax::ast::OperandPosition;
use hookrules_shell::analysis::{CommandId, CommandScope, SimpleCommand};
use hookrules_shell::files::Verb;
use hookrules_shell::glob::Fit;
use hookrules_shell::network::place_of_work;
use hookrules_shell::path::normalise;
use hookrules_shell::pattern::TestedCommand;
use hookrules_shell::repository::RepositoryFact;
use hookrules_shell::values::EnvironmentVariable;
use hookrules_shell::word::{Directory, WordPart};
use hookrules_shell::{Programs, Unknown, Word};

/// The cost of finding the files that a command touches elsewhere, for each of its words, in bytes that are read.
const FILE_BYTES_ELSEWHERE: usize = 64;

/// No records of programs besides the built-in ones.
static BUILT_IN: Programs = Programs::new();

/// The command of the call whose fields a `where` tests.
#[derive(Clone, Copy)]
pub(super) struct SelectedCommand<'a> {
    pub(super) shell: &'a ShellText,
    pub(super) id: CommandId,
    command: &'a SimpleCommand,
    /// The records of programs, besides the built-in ones, by which the words of the command are parsed.
    programs: &'a Programs,
    /// The patterns of the condition: words of the command that a matching pattern names are not operands.
    patterns: Option<&'a Patterns>,
}

impl<'a> SelectedCommand<'a> {
    fn new(shell: &'a ShellText, id: CommandId, programs: &'a Programs) -> Option<Self> {
        let command = shell.analysis.command(id)?;
        // A script has no process of its own, so facts are looked up for the command of its interpreter.
        Some(Self { shell, id: shell.analysis.process(id), command, programs, patterns: None })
    }

    /// Selects a command whose words are parsed by the built-in records alone.
    pub(super) fn built_in(shell: &'a ShellText, id: CommandId) -> Option<Self> {
        Self::new(shell, id, &BUILT_IN)
    }

    /// Returns the directory in which the command works: `a` of `git -C a status`.
    pub(super) fn directory(&self) -> Directory {
        self.command.directory_with(self.programs)
    }

    /// Returns where the command runs: here, in a container, or on another machine.
    pub(super) fn scope(&self) -> CommandScope {
        self.command.scope
    }

    /// Returns why an earlier command may have changed a fact of git by the time that the command runs; `None` if
    /// none does.
    pub(super) fn changed_before(&self, fact: RepositoryFact) -> Option<&'a Unknown> {
        self.shell.repository_changes().earlier_change(&self.shell.analysis, self.id, fact)
    }

    /// Returns the branch that is checked out when the command runs, if an earlier command certainly checked it out.
    pub(super) fn checked_out(&self) -> Option<String> {
        self.shell.checked_out_branch(self.id)
    }

    /// Returns the operands of the command. Words that the patterns of the condition name are not operands; if
    /// several patterns match, the one that leaves the most operands decides.
    fn operands(&self) -> hookrules_shell::values::FieldValues {
        let mut most_operands: Option<hookrules_shell::values::FieldValues> = None;
        if let Some(patterns) = self.patterns {
            let tested = TestedCommand::new(self.command);
            patterns.visit_candidates(self.command.possible_program(), |pattern| {
                if pattern.runs_in(&tested) != Fit::No {
                    let operands = pattern.operands_of(self.command);
                    if most_operands
                        .as_ref()
                        .is_none_or(|most_operands| most_operands.words.len() < operands.words.len())
                    {
                        most_operands = Some(operands);
                    }
                }
            });
        }
        most_operands.unwrap_or_else(|| self.command.operands_with(self.programs))
    }

    /// Returns the working directory in which the command starts; `None` if it is unknown.
    pub(super) fn cwd(&self) -> Option<&'a Path> {
        match &self.command.cwd {
            Directory::Known(cwd) => Some(cwd),
            Directory::Unknown(_) => None,
        }
    }
}

impl<'a> Context<'a> {
    /// Makes the context of one command of the call, in which a `where` is judged: the fields of `where` are those of
    /// the command, names of files are relative to its directory, and facts are looked up there, when it runs. The
    /// words of the command are parsed by `programs` and the built-in records.
    #[must_use]
    pub fn for_command<'b>(&'b self, shell: &'b ShellText, id: CommandId, programs: &'b Programs) -> Context<'b> {
        let mut context = self.share();
        context.commands.selected = SelectedCommand::new(shell, id, programs);
        context
    }

    /// Like [`Context::for_command`], for a command that matches one of `patterns`.
    #[must_use]
    pub fn for_matched_command<'b>(
        &'b self,
        shell: &'b ShellText,
        id: CommandId,
        patterns: &'b Patterns,
    ) -> Context<'b> {
        let selected = SelectedCommand::new(shell, id, patterns.programs());
        let mut context = self.share();
        context.commands.selected = selected.map(|selected| SelectedCommand { patterns: Some(patterns), ..selected });
        context
    }

    /// Makes the context in which git and files are looked up where and when one command of the call runs. All other
    /// values are those of the call.
    #[must_use]
    pub fn at_command<'b>(&'b self, shell: &'b ShellText, id: CommandId) -> Context<'b> {
        self.for_command(shell, id, &BUILT_IN)
    }

    /// Copies the context, which shares the call, its analysis and the budget.
    pub(super) fn share(&self) -> Context<'_> {
        Context::from_parts(Rc::clone(&self.call), self.commands.unselected(), self.machine.share())
    }
}

impl Context<'_> {
    /// Returns why the location of a name is unknown: the name is relative, and the working directory of the selected
    /// command is unknown. `None` if the location is known.
    #[must_use]
    pub fn unknown_location(&self, name: &str) -> Option<Reason> {
        match &self.commands.selected?.command.cwd {
            Directory::Unknown(why) if !Path::new(name).has_root() => Some(why.clone().into()),
            _ => None,
        }
    }

    /// Returns the values of a `where` field of the selected command.
    pub(super) fn where_values(&self, field: &WhereField, form: PathForm) -> Result<ScalarValues<'_>, Reason> {
        let Some(selected) = &self.commands.selected else {
            return Err(Reason::where_field_without_command());
        };
        let SelectedCommand { shell, command, programs: records, .. } = selected;
        let programs = |ids: &[CommandId]| values(shell.analysis.programs(ids));
        Ok(match field {
            WhereField::Program => values(command.program()),
            WhereField::Args => values(self.with_branch(selected, command.args())),
            WhereField::Operands => values(self.with_branch(selected, selected.operands())),
            WhereField::Operand(position) => {
                operand_at(self.with_branch(selected, selected.operands()), *position).into_iter().collect()
            }
            WhereField::Variables => values(command.variables()),
            WhereField::Option(name) => values(command.option_with(name, records)),
            WhereField::Via => programs(&command.outer_commands),
            WhereField::PipedFrom => programs(&command.piped_from),
            WhereField::PipedTo => programs(&command.piped_to),
            WhereField::Input => {
                // The input may be long, and it is read again for each command of a group that shares it.
                self.machine.charge_text(command.input_size(), 1)?;
                values(command.input())
            }
            WhereField::InLoop => vec![Scalar::Boolean(command.in_loop)],
            WhereField::InBackground => vec![Scalar::Boolean(command.in_background)],
            WhereField::Remote => vec![Scalar::Boolean(place_of_work(command) != CommandScope::Local)],
            WhereField::Place => vec![Scalar::from_text(place_word(place_of_work(command)).to_owned())],
            WhereField::WritesThere => self.files_elsewhere(selected, Verb::Writes)?,
            WhereField::DeletesThere => self.files_elsewhere(selected, Verb::Deletes)?,
            WhereField::Cwd => {
                let directory = command.working_directory(records);
                let path = self.located_directory(&directory).map_err(|why| Reason::from(why.clone()))?.into_owned();
                vec![Scalar::path(&self.machine.convert_to_form(path, form))]
            }
            WhereField::PushTarget => {
                // Without the branch, the target of the push is unknown, too.
                let branch =
                    self.command_git_state(selected, RepositoryFact::Branch).ok().flatten().and_then(|git| git.branch);
                let changes = shell.repository_changes();
                let configured = changes.earlier_change(&shell.analysis, selected.id, RepositoryFact::Push);
                values(command.push_target(branch.as_deref(), configured))
            }
            WhereField::Domain => self.domains()?,
            WhereField::Env(name) => self.variable_of(command, name, || FactName::Env(name.clone()), form)?,
            WhereField::SetEnv(name) => self.variable_of(command, name, || FactName::Withheld(name.clone()), form)?,
        })
    }

    /// Returns the files that the selected command touches in this way on another machine or in a container: where it
    /// runs, or to which it copies.
    fn files_elsewhere(&self, selected: &SelectedCommand<'_>, verb: Verb) -> Result<ScalarValues<'static>, Reason> {
        let SelectedCommand { shell, command, .. } = selected;
        self.machine.charge_text(command.words.len() + command.redirects.len(), FILE_BYTES_ELSEWHERE)?;
        let files = hookrules_shell::files_elsewhere(&shell.analysis, command, verb);
        Ok(files.into_iter().map(|path| scalar(normalised(path))).collect())
    }

    /// Returns the hosts that the selected command connects to; an error if one of them is unknown or uncertain.
    fn domains(&self) -> Result<ScalarValues<'_>, Reason> {
        let contacts = self.contacts();
        if let Some(unknown) = contacts.unknown {
            return Err(unknown);
        }
        let hosts = contacts.hosts.iter().map(|contact| match (&contact.host, &contact.doubt) {
            (Ok(host), None) => Ok(Scalar::from_text(host.host.clone())),
            (Err(why), _) | (_, Some(why)) => Err(why.clone()),
        });
        hosts.collect()
    }

    /// Returns the value of an environment variable for a command. If the command inherits the variable, it is looked
    /// up as the fact that `inherited` makes.
    fn variable_of<'c>(
        &'c self,
        command: &'c SimpleCommand,
        name: &str,
        inherited: impl FnOnce() -> FactName,
        form: PathForm,
    ) -> Result<ScalarValues<'c>, Reason> {
        match command.variable(name) {
            EnvironmentVariable::Set(word) => Ok(vec![scalar(word.clone())]),
            EnvironmentVariable::Removed => Ok(Vec::new()),
            EnvironmentVariable::Unknown(why) => Err(why.clone().into()),
            EnvironmentVariable::Inherited if command.scope == CommandScope::Local => self.fact(&inherited(), form),
            EnvironmentVariable::Inherited => Err(Reason::foreign_environment(name)),
        }
    }

    /// Replaces the outputs of commands that print the current branch, as in `git push origin "$(git branch
    /// --show-current)"`, by the name of the branch, if it is known.
    fn with_branch(
        &self,
        selected: &SelectedCommand<'_>,
        mut values: hookrules_shell::values::FieldValues,
    ) -> hookrules_shell::values::FieldValues {
        let prints_branch = |word: &Word| {
            word.parts.iter().any(|part| matches!(part, WordPart::Unknown(unknown) if unknown.is_branch()))
        };
        if values.words.iter().any(prints_branch) && selected.directory() == selected.command.cwd {
            let git = self.command_git_state(selected, RepositoryFact::Branch).ok().flatten();
            if let Some(branch) = git.and_then(|git| git.branch) {
                values.words = values.words.iter().map(|word| word.with_branch(&branch)).collect();
            }
        }
        values
    }
}

/// Converts the words of a field of a command to values. If there may be more words, the last value is unknown.
fn values(values: hookrules_shell::values::FieldValues) -> ScalarValues<'static> {
    let others = values.others.map(|why: Unknown| Scalar::PartlyKnown(Word::unknown_words(why)));
    values.words.into_iter().map(scalar).chain(others).collect()
}

/// Returns the operand at a position; `None` if there are fewer operands. It is unknown if a word before it may be an
/// option, or may become several words.
fn operand_at(operands: hookrules_shell::values::FieldValues, position: OperandPosition) -> Option<Scalar<'static>> {
    let unknown = |why: Unknown| Some(Scalar::PartlyKnown(Word::unknown_words(why)));
    if let Some(why) = operands.others {
        return unknown(why);
    }
    let mut words = operands.words;
    // The words that decide which one is the operand: those up to its number, or only the last one.
    let up_to_operand = match position {
        OperandPosition::Last => words.split_off(words.len().saturating_sub(1)),
        OperandPosition::Nth(number) => {
            words.truncate(usize::try_from(number).unwrap_or(usize::MAX));
            let has_operand = u32::try_from(words.len()).is_ok_and(|count| count == number);
            // A word that the shell may split could still supply the missing operand.
            if !has_operand {
                let why = words.iter().find(|word| word.may_split()).and_then(Word::unknown_reason);
                return why.and_then(unknown);
            }
            words
        }
    };
    let (operand, before) = up_to_operand.split_last()?;
    let may_move_others = |word: &&Word| word.may_split() || is_possible_option(word);
    let mover = before.iter().find(may_move_others).or(Some(operand).filter(|word| {
        is_possible_option(word) || word.may_split_at_blanks() || position == OperandPosition::Last && word.may_split()
    }));
    match mover {
        Some(word) => word.unknown_reason().and_then(unknown),
        None => Some(scalar(operand.clone())),
    }
}

/// Whether a word may be an option, because its beginning is unknown.
fn is_possible_option(word: &Word) -> bool {
    word.known_text().is_none() && word.prefix().is_empty()
}

/// Returns a path without `.` and `..`, if it is known and absolute; else the path itself.
fn normalised(path: Word) -> Word {
    match path.known_text().filter(|path| path.starts_with('/')) {
        Some(known) => Word::text(normalise(known, Path::new("/"), None).to_string_lossy().into_owned()),
        None => path,
    }
}

/// Converts a word of a command to a value.
fn scalar(word: Word) -> Scalar<'static> {
    match word.known_text() {
        Some(text) => Scalar::from_text(text.to_owned()),
        None => Scalar::PartlyKnown(word),
    }
}
