//! The fields that `where` tests of one command of the call.

use std::path::Path;
use std::rc::Rc;

use super::scalar::Values;
use super::{Context, Form, Machine, Reason, Scalar, ShellText};
use crate::facts::GitState;
use crate::ruleset::{FactName, Patterns, WhereField};
use hookrules_shell::analysis::{CommandId, Scope, Simple};
use hookrules_shell::glob::Fit;
use hookrules_shell::pattern::Asked;
use hookrules_shell::repository::RepositoryFact;
use hookrules_shell::values::Variable;
use hookrules_shell::word::{Directory, Part};
use hookrules_shell::{Programs, Unknown, Word};

/// No records besides the built-in table.
static BUILT_IN: Programs = Programs::new();

/// The command of the call whose fields a `where` tests.
#[derive(Clone, Copy)]
pub(super) struct SelectedCommand<'a> {
    pub(super) shell: &'a ShellText,
    pub(super) id: CommandId,
    command: &'a Simple,
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
    fn operands(&self) -> hookrules_shell::values::Values {
        let mut all: Option<hookrules_shell::values::Values> = None;
        if let Some(patterns) = self.patterns {
            let asked = Asked::of(self.command);
            patterns.each(self.command.called(), |pattern| {
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
    pub fn of_command<'b>(&'b self, shell: &'b ShellText, id: CommandId, programs: &'b Programs) -> Context<'b> {
        let mut context = self.again();
        context.commands.selected = SelectedCommand::new(shell, id, programs);
        context
    }

    /// Like [`Context::of_command`], for a command that one of some patterns matches.
    #[must_use]
    pub fn of_matched<'b>(&'b self, shell: &'b ShellText, id: CommandId, patterns: &'b Patterns) -> Context<'b> {
        let selected = SelectedCommand::new(shell, id, patterns.programs());
        let mut context = self.again();
        context.commands.selected = selected.map(|selected| SelectedCommand { patterns: Some(patterns), ..selected });
        context
    }

    /// Creates the context in which git and files are looked up where and when a command of the call runs; all else is
    /// unchanged.
    #[must_use]
    pub fn beside<'b>(&'b self, shell: &'b ShellText, id: CommandId) -> Context<'b> {
        let mut context = self.again();
        context.commands.beside = SelectedCommand::new(shell, id, &BUILT_IN);
        context
    }

    /// Copies the context, sharing the call, its analysis and the budget.
    pub(super) fn again(&self) -> Context<'_> {
        Context::of(Rc::clone(&self.call), self.commands.again(), self.machine.again())
    }
}

impl Context<'_> {
    /// Returns why the location of a relative name is unknown; `None` if it is known.
    #[must_use]
    pub fn nowhere(&self, name: &str) -> Option<Reason> {
        match &self.commands.selected?.command.cwd {
            Directory::Unknown(why) if !Path::new(name).is_absolute() => Some(why.clone().into()),
            _ => None,
        }
    }

    /// Looks up a `where` field of the selected command.
    pub(super) fn of_where(&self, field: &WhereField, form: Form) -> Result<Values<'_>, Reason> {
        let Some(selected) = &self.commands.selected else {
            return Err(Reason::outside_where());
        };
        let SelectedCommand { shell, command, programs: records, .. } = selected;
        let programs = |ids: &[CommandId]| values(shell.analysis.programs(ids));
        Ok(match field {
            WhereField::Program => values(command.program()),
            WhereField::Args => values(self.with_branch(selected, command.args())),
            WhereField::Operands => values(self.with_branch(selected, selected.operands())),
            WhereField::Variables => values(command.variables()),
            WhereField::Option(name) => values(command.option_with(name, records)),
            WhereField::Via => programs(&command.via),
            WhereField::PipedFrom => programs(&command.piped_from),
            WhereField::PipedTo => programs(&command.piped_to),
            WhereField::Input => {
                // The input may be long, and may be shared by every command of a group.
                self.machine.look_at(command.input_size(), 1)?;
                values(command.input())
            }
            WhereField::InLoop => vec![Scalar::Boolean(command.in_loop)],
            WhereField::InBackground => vec![Scalar::Boolean(command.in_background)],
            WhereField::Remote => vec![Scalar::Boolean(command.scope != Scope::Local)],
            WhereField::Cwd => match command.entered(records) {
                Directory::Known(path) => vec![Scalar::path(&self.machine.in_form(path, form))],
                Directory::Unknown(why) => return Err(why.into()),
            },
            WhereField::PushTarget => {
                // An unknown branch may be any branch.
                let branch = self.git_of(selected, RepositoryFact::Branch).ok().flatten().and_then(|git| git.branch);
                let configured = shell.repository_changes().before(selected.id, command, RepositoryFact::Push);
                values(command.push_target(branch.as_deref(), configured))
            }
            WhereField::Domain => self.domains()?,
            WhereField::Env(name) => self.variable_of(command, name, || FactName::Env(name.clone()), form)?,
            WhereField::SetEnv(name) => self.variable_of(command, name, || FactName::Withheld(name.clone()), form)?,
        })
    }

    /// Returns the hosts that the selected command connects to, if all are known.
    fn domains(&self) -> Result<Values<'_>, Reason> {
        let contacts = self.contacts();
        if let Some(unknown) = contacts.unknown {
            return Err(unknown);
        }
        let hosts = contacts.hosts.iter().map(|contact| match (&contact.host, &contact.doubt) {
            (Ok(host), None) => Ok(Scalar::text(host.host.clone())),
            (Err(why), _) | (_, Some(why)) => Err(why.clone()),
        });
        hosts.collect()
    }

    /// Returns the value of a variable for a command; `inherited` is the fact if the command does not change it.
    fn variable_of<'c>(
        &'c self,
        command: &'c Simple,
        name: &str,
        inherited: impl FnOnce() -> FactName,
        form: Form,
    ) -> Result<Values<'c>, Reason> {
        match command.variable(name) {
            Variable::Set(word) => Ok(vec![scalar(word.clone())]),
            Variable::Removed => Ok(Vec::new()),
            Variable::Unknown(why) => Err(why.clone().into()),
            Variable::Inherited if command.scope == Scope::Local => self.fact(&inherited(), form),
            Variable::Inherited => Err(Reason::environment_elsewhere(name)),
        }
    }

    /// Replaces words that name the current branch by its name, if it is known.
    fn with_branch(
        &self,
        selected: &SelectedCommand<'_>,
        mut values: hookrules_shell::values::Values,
    ) -> hookrules_shell::values::Values {
        let asks =
            |word: &Word| word.parts.iter().any(|part| matches!(part, Part::Unknown(unknown) if unknown.is_branch()));
        if values.words.iter().any(asks) && selected.command.directory() == selected.command.cwd {
            let git = self.git_of(selected, RepositoryFact::Branch).ok().flatten();
            if let Some(branch) = git.and_then(|git| git.branch) {
                values.words = values.words.iter().map(|word| word.with_branch(&branch)).collect();
            }
        }
        values
    }

    /// Returns the git state where the selected command works, else where the call does. Only the fact that is asked
    /// for is certain.
    pub(super) fn git(&self, said: RepositoryFact) -> Result<Option<GitState>, Reason> {
        match self.commands.located() {
            Some(selected) => self.git_of(selected, said),
            None => self.machine.git_at(self.cwd()),
        }
    }

    fn git_of(&self, selected: &SelectedCommand<'_>, said: RepositoryFact) -> Result<Option<GitState>, Reason> {
        let mut branch = None;
        if let Some(why) = selected.shell.repository_changes().before(selected.id, selected.command, said) {
            branch = Some(selected.shell.checked_out(selected.id)).filter(|_| said == RepositoryFact::Branch).flatten();
            if branch.is_none() {
                return Err(Reason::changed("git", why.clone()));
            }
        }
        if selected.command.scope != Scope::Local {
            return Err(Reason::git_elsewhere());
        }
        match selected.command.directory() {
            Directory::Known(directory) => {
                let git = self.machine.git_at(&directory)?;
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
    fn git_at(&self, directory: &Path) -> Result<Option<GitState>, Reason> {
        self.git_of_directory(directory).map_err(|reason| Reason::fact("git", reason))
    }
}

/// Converts a command's values.
fn values(values: hookrules_shell::values::Values) -> Values<'static> {
    let others = values.others.map(|why: Unknown| Scalar::Partly(Word::several(why)));
    values.words.into_iter().map(scalar).chain(others).collect()
}

fn scalar(word: Word) -> Scalar<'static> {
    match word.known() {
        Some(text) => Scalar::text(text.to_owned()),
        None => Scalar::Partly(word),
    }
}
