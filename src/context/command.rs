//! The fields that `where` tests of one command of the call.

use std::path::Path;
use std::rc::Rc;

use super::scalar::ScalarValues;
use super::{Context, Machine, PathForm, Reason, Scalar, ShellText};
use crate::facts::GitState;
use crate::ruleset::{FactName, Patterns, WhereField};
use hookrules_shell::analysis::{CommandId, CommandScope, SimpleCommand};
use hookrules_shell::glob::Fit;
use hookrules_shell::pattern::TestedCommand;
use hookrules_shell::repository::RepositoryFact;
use hookrules_shell::values::EnvironmentVariable;
use hookrules_shell::word::{Directory, WordPart};
use hookrules_shell::{Programs, Unknown, Word};

/// No records besides the built-in table.
static BUILT_IN: Programs = Programs::new();

/// The command of the call whose fields a `where` tests.
#[derive(Clone, Copy)]
pub(super) struct SelectedCommand<'a> {
    pub(super) shell: &'a ShellText,
    pub(super) id: CommandId,
    command: &'a SimpleCommand,
    /// The records by which its words are read, besides the built-in table.
    programs: &'a Programs,
    /// The patterns that it matches: words that they name are not operands.
    patterns: Option<&'a Patterns>,
}

impl<'a> SelectedCommand<'a> {
    fn new(shell: &'a ShellText, id: CommandId, programs: &'a Programs) -> Option<Self> {
        let command = shell.analysis.command(id)?;
        // A script runs in the process of its interpreter.
        Some(Self { shell, id: shell.analysis.process(id), command, programs, patterns: None })
    }

    /// Returns its operands. If it matches several patterns, the one that leaves the most operands decides.
    fn operands(&self) -> hookrules_shell::values::FieldValues {
        let mut all: Option<hookrules_shell::values::FieldValues> = None;
        if let Some(patterns) = self.patterns {
            let asked = TestedCommand::new(self.command);
            patterns.visit_candidates(self.command.possible_program(), |pattern| {
                if pattern.runs_in(&asked) != Fit::No {
                    let own = pattern.operands_of(self.command);
                    if all.as_ref().is_none_or(|all| all.words.len() < own.words.len()) {
                        all = Some(own);
                    }
                }
            });
        }
        all.unwrap_or_else(|| self.command.operands_with(self.programs))
    }

    /// Returns the command's working directory, if it is known.
    pub(super) fn cwd(&self) -> Option<&'a Path> {
        match &self.command.cwd {
            Directory::Known(cwd) => Some(cwd),
            Directory::Unknown(_) => None,
        }
    }
}

impl<'a> Context<'a> {
    /// Creates the context of a command of the call: the fields of `where` are the command's, as are the directory that
    /// names are relative to and the facts. These records are used for its words too.
    #[must_use]
    pub fn for_command<'b>(&'b self, shell: &'b ShellText, id: CommandId, programs: &'b Programs) -> Context<'b> {
        let mut context = self.share();
        context.commands.selected = SelectedCommand::new(shell, id, programs);
        context
    }

    /// Like [`Context::for_command`], for a command that one of some patterns matches.
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

    /// Creates the context in which git and files are looked up where and when a command of the call runs; all else is
    /// unchanged.
    #[must_use]
    pub fn located_at_command<'b>(&'b self, shell: &'b ShellText, id: CommandId) -> Context<'b> {
        let mut context = self.share();
        context.commands.locating_only = SelectedCommand::new(shell, id, &BUILT_IN);
        context
    }

    /// Copies the context, sharing the call, its analysis and the budget.
    pub(super) fn share(&self) -> Context<'_> {
        Context::from_parts(Rc::clone(&self.call), self.commands.unselected(), self.machine.share())
    }
}

impl Context<'_> {
    /// Returns why the location of a relative name is unknown; `None` if it is known.
    #[must_use]
    pub fn unknown_location(&self, name: &str) -> Option<Reason> {
        match &self.commands.selected?.command.cwd {
            Directory::Unknown(why) if !Path::new(name).is_absolute() => Some(why.clone().into()),
            _ => None,
        }
    }

    /// Looks up a `where` field of the selected command.
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
            WhereField::Variables => values(command.variables()),
            WhereField::Option(name) => values(command.option_with(name, records)),
            WhereField::Via => programs(&command.outer_commands),
            WhereField::PipedFrom => programs(&command.piped_from),
            WhereField::PipedTo => programs(&command.piped_to),
            WhereField::Input => {
                // The input may be long, and may be shared by every command of a group.
                self.machine.charge_text(command.input_size(), 1)?;
                values(command.input())
            }
            WhereField::InLoop => vec![Scalar::Boolean(command.in_loop)],
            WhereField::InBackground => vec![Scalar::Boolean(command.in_background)],
            WhereField::Remote => vec![Scalar::Boolean(command.scope != CommandScope::Local)],
            WhereField::Cwd => match command.working_directory(records) {
                Directory::Known(path) => vec![Scalar::path(&self.machine.convert_to_form(path, form))],
                Directory::Unknown(why) => return Err(why.into()),
            },
            WhereField::PushTarget => {
                // An unknown branch may be any branch.
                let branch =
                    self.command_git_state(selected, RepositoryFact::Branch).ok().flatten().and_then(|git| git.branch);
                let configured = shell.repository_changes().earlier_change(selected.id, command, RepositoryFact::Push);
                values(command.push_target(branch.as_deref(), configured))
            }
            WhereField::Domain => self.domains()?,
            WhereField::Env(name) => self.variable_of(command, name, || FactName::Env(name.clone()), form)?,
            WhereField::SetEnv(name) => self.variable_of(command, name, || FactName::Withheld(name.clone()), form)?,
        })
    }

    /// Returns the hosts that the selected command connects to, if all are known.
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

    /// Returns the value of a variable for a command; `inherited` is the fact if the command does not change it.
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

    /// Replaces words that name the current branch by its name, if it is known.
    fn with_branch(
        &self,
        selected: &SelectedCommand<'_>,
        mut values: hookrules_shell::values::FieldValues,
    ) -> hookrules_shell::values::FieldValues {
        let asks = |word: &Word| {
            word.parts.iter().any(|part| matches!(part, WordPart::Unknown(unknown) if unknown.is_branch()))
        };
        if values.words.iter().any(asks) && selected.command.directory() == selected.command.cwd {
            let git = self.command_git_state(selected, RepositoryFact::Branch).ok().flatten();
            if let Some(branch) = git.and_then(|git| git.branch) {
                values.words = values.words.iter().map(|word| word.with_branch(&branch)).collect();
            }
        }
        values
    }

    /// Returns the git state where the selected command works, else where the call does. Only the fact that is asked
    /// for is certain.
    pub(super) fn git(&self, said: RepositoryFact) -> Result<Option<GitState>, Reason> {
        match self.commands.locating_command() {
            Some(selected) => self.command_git_state(selected, said),
            None => self.machine.git_state_at(self.cwd()),
        }
    }

    fn command_git_state(
        &self,
        selected: &SelectedCommand<'_>,
        said: RepositoryFact,
    ) -> Result<Option<GitState>, Reason> {
        let mut branch = None;
        if let Some(why) = selected.shell.repository_changes().earlier_change(selected.id, selected.command, said) {
            branch = Some(selected.shell.checked_out_branch(selected.id))
                .filter(|_| said == RepositoryFact::Branch)
                .flatten();
            if branch.is_none() {
                return Err(Reason::changed_fact("git", why.clone()));
            }
        }
        if selected.command.scope != CommandScope::Local {
            return Err(Reason::foreign_repository());
        }
        match selected.command.directory() {
            Directory::Known(directory) => {
                let git = self.machine.git_state_at(&directory)?;
                let moved = |git: GitState| match branch {
                    Some(branch) => GitState { branch: Some(branch), ..git },
                    None => git,
                };
                Ok(git.map(moved))
            }
            Directory::Unknown(why) => Err(why.into()),
        }
    }
}

impl Machine<'_> {
    fn git_state_at(&self, directory: &Path) -> Result<Option<GitState>, Reason> {
        self.git_of_directory(directory).map_err(|reason| Reason::fact("git", reason))
    }
}

/// Converts a command's values.
fn values(values: hookrules_shell::values::FieldValues) -> ScalarValues<'static> {
    let others = values.others.map(|why: Unknown| Scalar::PartlyKnown(Word::unknown_words(why)));
    values.words.into_iter().map(scalar).chain(others).collect()
}

fn scalar(word: Word) -> Scalar<'static> {
    match word.known_text() {
        Some(text) => Scalar::from_text(text.to_owned()),
        None => Scalar::PartlyKnown(word),
    }
}
