//! The shell commands of a call, analysed once, when a condition first asks.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

use super::charge::Kept;
use super::touched::Effects;
use super::{Contact, Context};
use crate::schema::Shell;
use hookrules_shell::{
    Analysis, CommandId, Connection, RepositoryChanges, Simple, Start, Word, analyse_powershell, analyse_with,
};

/// A text that a call gives to a shell.
#[derive(Clone, PartialEq, Debug)]
pub struct ShellText {
    /// The text.
    pub text: String,
    /// Every command that it could run.
    pub analysis: Rc<Analysis>,
    /// How surely it goes to a shell.
    pub role: ShellRole,
    /// What changes what git says, once it was asked.
    changes: OnceCell<RepositoryChanges>,
    /// What the commands do to files, once it was asked.
    pub(super) effects: Effects,
    /// The connections that the commands make, as their words name them, once it was asked.
    connections: OnceCell<Vec<(CommandId, Connection)>>,
    /// The hosts that the commands talk to, once it was asked.
    pub(super) contacts: OnceCell<Kept<Vec<Contact>>>,
}

/// How surely a text goes to a shell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShellRole {
    /// The table or rules.toml says that the tool is a shell.
    Command,
    /// The member of a tool without a table is called like one: it counts for votes against the call alone.
    Likely,
}

/// What one step of an analysis takes from the account of the event.
pub(super) const STEP: u64 = 4;

/// Variables that name the files by which a step of a pipeline tells others something. Nobody but its runner sets them:
/// elsewhere what is written there goes nowhere.
const STEP_FILES: &[&str] = &["GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"];

/// How many characters of a command are shown.
const SHOWN: usize = 300;

impl ShellText {
    /// Makes the text of a call that was analysed.
    pub(super) fn new(text: String, analysis: Rc<Analysis>, role: ShellRole) -> Self {
        let (changes, effects) = (OnceCell::new(), Effects::default());
        let (connections, contacts) = (OnceCell::new(), OnceCell::new());
        Self { text, analysis, role, changes, effects, connections, contacts }
    }

    /// Returns the commands that may change what git says.
    pub fn repository_changes(&self) -> &RepositoryChanges {
        self.changes.get_or_init(|| self.analysis.repository_changes())
    }

    /// Returns the connections that the commands make, as their words name them.
    pub(super) fn connections(&self) -> &[(CommandId, Connection)] {
        self.connections.get_or_init(|| {
            let of_command = |(id, command)| {
                let connections: Vec<Connection> = hookrules_shell::connections(command);
                connections.into_iter().map(move |connection| (id, connection))
            };
            self.analysis.iter().flat_map(of_command).collect()
        })
    }

    /// Returns the branch that a command finds checked out, where an earlier one has checked it out for certain.
    pub fn checked_out(&self, id: CommandId) -> Option<String> {
        self.repository_changes().checked_out(&self.analysis, id, &self.text)
    }

    /// Returns a command for people: as written where it stands in the text, else its words after the expansions. One
    /// without a program is what it sets or where it leads.
    #[must_use]
    pub fn shown(&self, command: &Simple) -> String {
        let written = command.span.clone().and_then(|span| self.text.get(span)).map(str::to_owned);
        let words = || {
            let set = command.assignments.iter().filter(|_| command.words.is_empty());
            let set =
                set.map(|set| format!("{}={}", set.name, set.value.as_ref().map(Word::shown).unwrap_or_default()));
            set.chain(command.words.iter().map(Word::shown)).collect::<Vec<_>>().join(" ")
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
    /// Tells whether a shell command was analysed so far: that is done once, and only where a condition asks for it.
    #[must_use]
    pub fn has_analysed_shell(&self) -> bool {
        self.shell.get().is_some_and(Option::is_some)
    }

    /// Returns a command of the call for people.
    #[must_use]
    pub fn shown_command(&self, id: CommandId) -> Option<String> {
        let shell = self.selected.map(|selected| selected.shell).or_else(|| self.shell_text())?;
        shell.analysis.command(id).map(|command| shell.shown(command))
    }

    /// Returns the user's own shell where that is one which reads texts otherwise: hosts give it what is for bash.
    fn zsh(&self) -> Option<(&'static str, Option<String>)> {
        let shell = self.facts.env("SHELL").ok().flatten()?;
        shell.ends_with("/zsh").then_some(("SHELL", Some(shell)))
    }

    /// Returns what the call gives to a shell; nothing for most tools.
    #[must_use]
    pub fn shell_text(&self) -> Option<&ShellText> {
        let analysed = || {
            let command = self.shell_command().map(|(text, shell)| (Cow::Borrowed(text), shell, ShellRole::Command));
            let likely = || self.likely_command().map(|text| (text, Shell::Bash, ShellRole::Likely));
            let (text, shell, role) = command.or_else(likely)?;
            let start = self.shell_start();
            let environment = match shell {
                Shell::PowerShell => Vec::new(),
                Shell::Bash | Shell::None => self.step_files(&text).into_iter().chain(self.zsh()).collect(),
            };
            let anew = || match shell {
                Shell::PowerShell => analyse_powershell(&text, &start),
                Shell::Bash | Shell::None => analyse_with(&text, &start, &environment),
            };
            let analysis = match self.analyses {
                // What was known of another call's environment says nothing of this one.
                Some(known) if environment.is_empty() => known.analysis(&text, shell, &start, anew),
                _ => Rc::new(anew()),
            };
            // It bounds itself, and it is done: what follows has the less left.
            self.budget.take_each(STEP, analysis.steps);
            Some(ShellText::new(text.into_owned(), analysis, role))
        };
        self.shell.get_or_init(analysed).as_ref()
    }

    /// Returns the variables that a text names of those in [`STEP_FILES`], as the environment has them: that of the hook is
    /// that of what the host runs.
    fn step_files(&self, text: &str) -> Vec<(&'static str, Option<String>)> {
        if !text.contains("GITHUB_") {
            return Vec::new();
        }
        let named = STEP_FILES.iter().filter(|name| text.contains(**name));
        named.filter_map(|name| Some((*name, self.facts.env(name).ok()?))).collect()
    }

    /// Returns what is known before the call's command runs.
    pub fn shell_start(&self) -> Start<'_> {
        Start { cwd: self.cwd(), home: self.home() }
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
        let first = call.first_asked().unwrap();
        let before = now.asked_again(&first);
        let shell = now.shell_text().unwrap();
        assert!(std::ptr::eq(before.shell_text().unwrap(), shell));
        for (id, _) in shell.analysis.iter() {
            assert!(std::ptr::eq(
                now.of_command(shell, id, &hookrules_shell::Programs::new()).shell_text().unwrap(),
                shell
            ));
            assert!(std::ptr::eq(now.beside(shell, id).shell_text().unwrap(), shell));
        }
        let other = payload(json!({"cwd": "/project", "tool_name": "Bash", "tool_input": {"command": "c"}}));
        assert_eq!(now.with_payload(&other).shell_text().unwrap().text, "c");
        assert_eq!(now.asked_again(&other).shell_text().unwrap().text, "c");
        let elsewhere = payload(json!({"cwd": "/tmp", "tool_name": "Bash", "tool_input": {"command": "a; b"}}));
        assert_ne!(now.asked_again(&elsewhere).shell_text().unwrap().analysis, shell.analysis);
    }
}
