//! The shell commands of a call, analysed once, on first use.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

use super::charge::CachedLookup;
use super::touched::ShellEffects;
use super::{Contact, Context, Machine};
use crate::schema::ToolShell;
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::interpret::{analyse_powershell, analyse_with};
use hookrules_shell::network::Connection;
use hookrules_shell::repository::RepositoryChanges;
use hookrules_shell::{Analysis, StartDirectories, Word};

/// A text that a call passes to a shell.
#[derive(Clone, PartialEq, Debug)]
pub struct ShellText {
    /// The text.
    pub text: String,
    /// Every command that it could run.
    pub analysis: Rc<Analysis>,
    /// How certainly it goes to a shell.
    pub role: ShellRole,
    /// The changes to the git state, cached.
    changes: OnceCell<RepositoryChanges>,
    /// The effects of the commands on files, cached.
    pub(super) effects: ShellEffects,
    /// The connections of the commands, as their words name them, cached.
    connections: OnceCell<Vec<(CommandId, Connection)>>,
    /// The hosts that the commands connect to, cached.
    pub(super) contacts: OnceCell<CachedLookup<Vec<Contact>>>,
}

/// How certainly a text goes to a shell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShellRole {
    /// The table or rules.toml declares the tool a shell.
    Command,
    /// The name of a member of an unlisted tool suggests it: it can only count against the call.
    Likely,
}

/// The cost of one step of an analysis.
pub(super) const STEP: u64 = 4;

/// Variables that name the files through which a step of a pipeline passes values on. Only its runner sets them:
/// elsewhere, what is written to them goes nowhere.
const STEP_FILES: &[&str] = &["GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"];

/// How many characters of a command are shown to people.
const SHOWN: usize = 300;

impl ShellText {
    /// Creates the text of a call from its analysis.
    pub(super) fn new(text: String, analysis: Rc<Analysis>, role: ShellRole) -> Self {
        let (changes, effects) = (OnceCell::new(), ShellEffects::default());
        let (connections, contacts) = (OnceCell::new(), OnceCell::new());
        Self { text, analysis, role, changes, effects, connections, contacts }
    }

    /// Returns the changes that the commands may make to the git state.
    pub fn repository_changes(&self) -> &RepositoryChanges {
        self.changes.get_or_init(|| self.analysis.repository_changes())
    }

    /// Returns the connections of the commands, as their words name them.
    pub(super) fn connections(&self) -> &[(CommandId, Connection)] {
        self.connections.get_or_init(|| {
            let of_command = |(id, command)| {
                let connections: Vec<Connection> = hookrules_shell::network::connections(command);
                connections.into_iter().map(move |connection| (id, connection))
            };
            self.analysis.iter().flat_map(of_command).collect()
        })
    }

    /// Returns the branch that is checked out when a command runs, if an earlier command certainly checked it out.
    pub fn checked_out_branch(&self, id: CommandId) -> Option<String> {
        self.repository_changes().branch_checked_out(&self.analysis, id, &self.text)
    }

    /// Returns a command for people: as written if it is in the text, else its words after expansion. A command without
    /// a program is shown as its assignments, or as a redirection.
    #[must_use]
    pub fn display_command(&self, command: &SimpleCommand) -> String {
        let written = command.span.clone().and_then(|span| self.text.get(span)).map(str::to_owned);
        let words = || {
            let set = command.assignments.iter().filter(|_| command.words.is_empty());
            let set = set
                .map(|set| format!("{}={}", set.name, set.value.as_ref().map(Word::display_text).unwrap_or_default()));
            set.chain(command.words.iter().map(Word::display_text)).collect::<Vec<_>>().join(" ")
        };
        let shown = written.filter(|text| !text.is_empty()).unwrap_or_else(words);
        let shown = if shown.is_empty() { "a redirection".to_owned() } else { shown };
        match shown.char_indices().nth(SHOWN) {
            None => shown,
            Some((at, _)) => format!("{}…", shown.get(..at).unwrap_or_default()),
        }
    }
}

impl Context<'_> {
    /// Returns a command of the call for people.
    #[must_use]
    pub fn shown_command(&self, id: CommandId) -> Option<String> {
        let shell = self.commands.selected.map(|selected| selected.shell).or_else(|| self.shell_text())?;
        shell.analysis.command(id).map(|command| shell.display_command(command))
    }

    /// Returns the text that the call passes to a shell; `None` for most tools.
    #[must_use]
    pub fn shell_text(&self) -> Option<&ShellText> {
        let analysed = || {
            let command =
                self.call.shell_command().map(|(text, shell)| (Cow::Borrowed(text), shell, ShellRole::Command));
            let likely = || self.call.likely_command().map(|text| (text, ToolShell::Bash, ShellRole::Likely));
            let (text, shell, role) = command.or_else(likely)?;
            let start = self.shell_start();
            let environment = match shell {
                ToolShell::PowerShell => Vec::new(),
                ToolShell::Bash | ToolShell::None => {
                    self.machine.step_file_variables(&text).into_iter().chain(self.machine.zsh()).collect()
                }
            };
            let anew = || match shell {
                ToolShell::PowerShell => analyse_powershell(&text, &start),
                ToolShell::Bash | ToolShell::None => analyse_with(&text, &start, &environment),
            };
            let analysis = match self.commands.analyses {
                // An analysis that depends on the environment is not reused for other calls.
                Some(known) if environment.is_empty() => known.analysis(&text, shell, &start, anew),
                _ => Rc::new(anew()),
            };
            // The analysis has its own bound and is already done: only what follows has less left.
            self.machine.budget.take_each(STEP, analysis.steps);
            Some(ShellText::new(text.into_owned(), analysis, role))
        };
        self.commands.shell.get_or_init(analysed).as_ref()
    }

    /// Returns the state before the call's command runs.
    pub fn shell_start(&self) -> StartDirectories<'_> {
        StartDirectories { cwd: self.cwd(), home: self.machine.home() }
    }
}

impl Machine<'_> {
    /// Returns the user's own shell if it is zsh, which parses texts differently: hosts pass it commands meant for
    /// bash.
    fn zsh(&self) -> Option<(&'static str, Option<String>)> {
        let shell = self.facts.env("SHELL").ok().flatten()?;
        shell.ends_with("/zsh").then_some(("SHELL", Some(shell)))
    }

    /// Looks up the [`STEP_FILES`] variables that a text mentions. The hook inherits the host's environment, so its
    /// values are the command's.
    fn step_file_variables(&self, text: &str) -> Vec<(&'static str, Option<String>)> {
        if !text.contains("GITHUB_") {
            return Vec::new();
        }
        let named = STEP_FILES.iter().filter(|name| text.contains(**name));
        named.filter_map(|name| Some((*name, self.facts.env(name).ok()?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::context::ShellTools;
    use crate::facts::StatedFacts;
    use crate::schema::Event;
    use crate::types::Payload;

    fn payload(json: Json) -> Payload {
        let Json::Object(json) = json else { panic!("an object") };
        Payload::new(Event::PermissionRequest, json)
    }

    #[test]
    fn contexts_of_one_call_share_its_analysis() {
        let call = payload(json!({"cwd": "/project", "tool_name": "Bash", "tool_input": {"command": "a; b"}}));
        let (facts, tools) = (StatedFacts::default(), ShellTools::default());
        let now = Context::new(&call, "claude-code", &facts, &tools);
        let first = call.as_first_asked().unwrap();
        let before = now.for_pre_tool_use(&first);
        let shell = now.shell_text().unwrap();
        assert!(std::ptr::eq(before.shell_text().unwrap(), shell));
        for (id, _) in shell.analysis.iter() {
            assert!(std::ptr::eq(
                now.for_command(shell, id, &hookrules_shell::Programs::new()).shell_text().unwrap(),
                shell
            ));
            assert!(std::ptr::eq(now.located_at_command(shell, id).shell_text().unwrap(), shell));
        }
        let other = payload(json!({"cwd": "/project", "tool_name": "Bash", "tool_input": {"command": "c"}}));
        assert_eq!(now.with_payload(&other).shell_text().unwrap().text, "c");
        assert_eq!(now.for_pre_tool_use(&other).shell_text().unwrap().text, "c");
        let elsewhere = payload(json!({"cwd": "/tmp", "tool_name": "Bash", "tool_input": {"command": "a; b"}}));
        assert_ne!(now.for_pre_tool_use(&elsewhere).shell_text().unwrap().analysis, shell.analysis);
    }
}
