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

/// A text that a call passes to a shell, and what is known of its commands.
#[derive(Clone, PartialEq, Debug)]
pub struct ShellText {
    /// The shell text, as the call passes it.
    pub text: String,
    /// The analysis of the text: every command that it could run.
    pub analysis: Rc<Analysis>,
    /// Whether the text certainly goes to a shell.
    pub role: ShellRole,
    /// Whether the call has ended, so that the files are as it left them.
    pub(super) has_ended: bool,
    /// The changes that the commands make to the state of git, cached.
    changes: OnceCell<RepositoryChanges>,
    /// The effects of the commands on files, cached.
    pub(super) effects: ShellEffects,
    /// The connections that the commands make, with the hosts still as words, cached.
    connections: OnceCell<Vec<(CommandId, Connection)>>,
    /// The hosts that the commands connect to, cached.
    pub(super) contacts: OnceCell<CachedLookup<Vec<Contact>>>,
}

/// Whether a text certainly goes to a shell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShellRole {
    /// The tool is a shell, according to the schema or rules.toml.
    Command,
    /// The name of a member in the input of an unlisted tool suggests a shell command, so the text can only count
    /// against the call.
    Likely,
}

/// The units of the event's budget that one step of an analysis costs.
pub(super) const STEP_UNITS: u64 = 4;

/// Variables that hold the paths of files by which a step of a CI pipeline passes values to later steps. Only the
/// pipeline's runner sets them; elsewhere, text that is written to these files has no effect.
const STEP_FILES: &[&str] = &["GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"];

/// The most characters of a command that messages show.
const MAX_SHOWN_CHARS: usize = 300;

impl ShellText {
    /// Combines the text of a call with its analysis. The caches are empty.
    pub(super) fn new(text: String, analysis: Rc<Analysis>, role: ShellRole) -> Self {
        let (changes, effects) = (OnceCell::new(), ShellEffects::default());
        let (connections, contacts) = (OnceCell::new(), OnceCell::new());
        Self { text, analysis, role, has_ended: false, changes, effects, connections, contacts }
    }

    /// Returns the changes that the commands may make to the state of git.
    pub fn repository_changes(&self) -> &RepositoryChanges {
        self.changes.get_or_init(|| self.analysis.repository_changes())
    }

    /// Returns the connections that the commands make, with the hosts still as words.
    pub(super) fn connections(&self) -> &[(CommandId, Connection)] {
        self.connections.get_or_init(|| {
            let of_command = |(id, command)| {
                let connections: Vec<Connection> = hookrules_shell::network::connections(command);
                connections.into_iter().map(move |connection| (id, connection))
            };
            self.analysis.iter().flat_map(of_command).collect()
        })
    }

    /// Returns the branch that is checked out when a command runs, if an earlier command of the text certainly
    /// checked it out.
    pub fn checked_out_branch(&self, id: CommandId) -> Option<String> {
        self.repository_changes().branch_checked_out(&self.analysis, id, &self.text)
    }

    /// Returns a command as messages show it: as it is written in the text or, if it is not a part of the text, as
    /// its expanded words. A command without words is shown as its assignments, or as `a redirection`.
    #[must_use]
    pub fn display_command(&self, command: &SimpleCommand) -> String {
        let source = command.span.clone().and_then(|span| self.text.get(span)).map(str::to_owned);
        let expand = || {
            let assignments = command.assignments.iter().filter(|_| command.words.is_empty());
            let assignments = assignments
                .map(|set| format!("{}={}", set.name, set.value.as_ref().map(Word::display_text).unwrap_or_default()));
            assignments.chain(command.words.iter().map(Word::display_text)).collect::<Vec<_>>().join(" ")
        };
        let shown = source.filter(|text| !text.is_empty()).unwrap_or_else(expand);
        let shown = if shown.is_empty() { "a redirection".to_owned() } else { shown };
        match shown.char_indices().nth(MAX_SHOWN_CHARS) {
            None => shown,
            Some((at, _)) => format!("{}…", shown.get(..at).unwrap_or_default()),
        }
    }
}

impl Context<'_> {
    /// Returns a command of the call as messages show it.
    #[must_use]
    pub fn shown_command(&self, id: CommandId) -> Option<String> {
        let shell = self.commands.selected.map(|selected| selected.shell).or_else(|| self.shell_text())?;
        shell.analysis.command(id).map(|command| shell.display_command(command))
    }

    /// Returns the text that the call passes to a shell, with its analysis, which is cached. `None` if the tool is no
    /// shell and its input has no likely command.
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
            let analyse_anew = || match shell {
                ToolShell::PowerShell => analyse_powershell(&text, &start),
                ToolShell::Bash | ToolShell::None => analyse_with(&text, &start, &environment),
            };
            let analysis = match self.commands.analyses {
                // An analysis that depends on the environment cannot be reused for other calls.
                Some(cache) if environment.is_empty() => cache.analysis(&text, shell, &start, analyse_anew),
                _ => Rc::new(analyse_anew()),
            };
            // The analysis has its own limit on work, which is done by now, so it is deducted without a check.
            self.machine.budget.take_each(STEP_UNITS, analysis.steps);
            let has_ended = self.payload().event.ends_call();
            Some(ShellText { has_ended, ..ShellText::new(text.into_owned(), analysis, role) })
        };
        self.commands.shell.get_or_init(analysed).as_ref()
    }

    /// Returns the directories from which the analysis of the call's command starts: its working directory and home.
    pub fn shell_start(&self) -> StartDirectories<'_> {
        StartDirectories { cwd: self.cwd(), home: self.machine.home() }
    }
}

impl Machine<'_> {
    /// Returns the variable `SHELL` if the user's shell is zsh. Hosts run commands in it, and it reads some texts
    /// differently from bash.
    fn zsh(&self) -> Option<(&'static str, Option<String>)> {
        let shell = self.facts.env("SHELL").ok().flatten()?;
        shell.ends_with("/zsh").then_some(("SHELL", Some(shell)))
    }

    /// Returns the variables of [`STEP_FILES`] that a text mentions, with their values. The hook inherits the
    /// environment of the host, so the command has the same values.
    fn step_file_variables(&self, text: &str) -> Vec<(&'static str, Option<String>)> {
        if !text.contains("GITHUB_") {
            return Vec::new();
        }
        let mentioned = STEP_FILES.iter().filter(|name| text.contains(**name));
        mentioned.filter_map(|name| Some((*name, self.facts.env(name).ok()?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::context::{LookupPlace, ShellTools};
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
            let place = LookupPlace { directory: Ok("/project".into()), before: Some(id), doubt: None };
            assert!(std::ptr::eq(now.at_place(&place).shell_text().unwrap(), shell));
        }
        let other = payload(json!({"cwd": "/project", "tool_name": "Bash", "tool_input": {"command": "c"}}));
        assert_eq!(now.with_payload(&other).shell_text().unwrap().text, "c");
        assert_eq!(now.for_pre_tool_use(&other).shell_text().unwrap().text, "c");
        let elsewhere = payload(json!({"cwd": "/tmp", "tool_name": "Bash", "tool_input": {"command": "a; b"}}));
        assert_ne!(now.for_pre_tool_use(&elsewhere).shell_text().unwrap().analysis, shell.analysis);
    }
}
