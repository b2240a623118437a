//! A case: its setup, the actions of the model, and the expected observations.

use hookrules::host_settings::Row;
use serde_json::json;

use crate::api::{Script, Turn};
use crate::host::Version;
use crate::registration::{Binary, Form, Place, Registration};

/// The default prompt of a session, which is also the key of its main conversation.
pub(crate) const MAIN: &str = "GO-MAIN";

/// One session, or several in a row in one project.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) versions: &'static [Version],
    /// Whether the case is left out unless all cases are requested.
    pub(crate) is_on_demand: bool,
    pub(crate) policy: Option<&'static str>,
    /// Makes the project a copy of this example, with linked worktrees next to it.
    pub(crate) example: Option<&'static str>,
    /// Further files of the project.
    pub(crate) files: Vec<(&'static str, &'static str)>,
    pub(crate) registration: Registration,
    /// Commands to run in the project besides the host.
    pub(crate) commands: Vec<Command>,
    /// Options of the host in addition to those of every case.
    pub(crate) options: &'static [&'static str],
    /// The tools that the host allows without asking, so that only the hook can stop them.
    pub(crate) allowed: &'static str,
    /// The prompts. Each has its own process, which continues the session of the previous one.
    pub(crate) prompts: Vec<&'static str>,
    /// The directory in the project where the host is started.
    pub(crate) directory: &'static str,
    pub(crate) scripts: Vec<Script>,
    /// The actions of a person in the window of the host; empty in print mode.
    pub(crate) steps: Vec<Step>,
    pub(crate) expects: Vec<Expect>,
}

/// A command of the user. `{root}` is the directory of the whole session, and `rules` is the program under test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Command {
    /// The number of host processes before it.
    pub(crate) after: usize,
    pub(crate) program: &'static str,
    pub(crate) words: &'static [&'static str],
    pub(crate) ends: Ends,
}

/// How a command must end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ends {
    Well,
    WithFindings,
}

/// An action of a person.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Waits until the screen shows a text.
    Sees(&'static str),
    /// Types the first text until the screen shows the second: a field may be drawn before it accepts input.
    TypesUntil(&'static str, &'static str),
}

/// An expected observation of a session.
#[derive(Clone, Debug)]
pub(crate) enum Expect {
    /// A file exists.
    Made(&'static str),
    /// A file does not exist.
    Absent(&'static str),
    /// A file contains this text.
    Holds(&'static str, &'static str),
    /// A file consists of this text.
    Is(&'static str, &'static str),
    /// A file has this number of lines.
    Lines(&'static str, usize),
    /// A file of JSON Lines has these events, in this order, for each value of a member.
    Each(&'static str, &'static str, &'static [&'static str]),
    /// The host lists a call of this tool as denied.
    Denied(&'static str),
    /// The host lists no call as denied.
    NothingDenied,
    /// A request of this conversation contains the text.
    Told(&'static str, &'static str),
    /// No request contains the text.
    NeverTold(&'static str),
    /// The conversation has this number of requests.
    Requests(&'static str, usize),
    /// The host raised the event at least this number of times.
    Raised(&'static str, usize),
    /// The host named this directory to each hook as that of the project.
    ProjectDirectory(&'static str),
    /// The first event of one name came before the first of the other.
    Order(&'static str, &'static str),
    /// The final result has this member, which contains this text.
    Result(&'static str, &'static str),
    /// An expectation for this version only.
    In(Version, Box<Expect>),
}

/// Returns a case with the usual registration, in the oldest and the newest version.
pub(crate) fn case(name: impl Into<String>) -> Case {
    Case {
        name: name.into(),
        versions: Version::ENDS,
        is_on_demand: false,
        policy: None,
        example: None,
        files: Vec::new(),
        registration: Registration::PROJECT,
        commands: Vec::new(),
        options: &[],
        allowed: "Bash,Read,Write,Edit,Agent,Skill",
        prompts: vec![MAIN],
        directory: "",
        scripts: Vec::new(),
        steps: Vec::new(),
        expects: Vec::new(),
    }
}

impl Case {
    pub(crate) fn versions(self, versions: &'static [Version]) -> Self {
        Self { versions, ..self }
    }

    pub(crate) fn policy(self, policy: &'static str) -> Self {
        Self { policy: Some(policy), ..self }
    }

    pub(crate) fn example(self, example: &'static str) -> Self {
        Self { example: Some(example), ..self }
    }

    pub(crate) fn file(mut self, name: &'static str, text: &'static str) -> Self {
        self.files.push((name, text));
        self
    }

    pub(crate) fn binary(mut self, binary: Binary) -> Self {
        self.registration.binary = binary;
        self
    }

    pub(crate) fn form(mut self, form: Form) -> Self {
        self.registration.form = form;
        self
    }

    pub(crate) fn place(mut self, place: Place) -> Self {
        self.registration.place = place;
        self
    }

    /// Puts the registration into a settings file with other content.
    pub(crate) fn settings(mut self, row: &'static Row) -> Self {
        self.registration.row = Some(row);
        self
    }

    /// Leaves the case out unless all cases are requested.
    pub(crate) fn on_demand(self) -> Self {
        Self { is_on_demand: true, ..self }
    }

    pub(crate) fn events(mut self, events: &'static [&'static str]) -> Self {
        self.registration.events = events;
        self
    }

    pub(crate) fn words(mut self, words: &'static [&'static str]) -> Self {
        self.registration.words = words;
        self
    }

    /// Runs the program with these words before the session.
    pub(crate) fn before(self, words: &'static [&'static str]) -> Self {
        self.after(0, words)
    }

    /// Runs the program with these words after this number of host processes.
    pub(crate) fn after(mut self, after: usize, words: &'static [&'static str]) -> Self {
        self.commands.push(Command { after, program: "rules", words, ends: Ends::Well });
        self
    }

    /// The same, for a run that must have findings.
    pub(crate) fn finds_after(mut self, after: usize, words: &'static [&'static str]) -> Self {
        self.commands.push(Command { after, program: "rules", words, ends: Ends::WithFindings });
        self
    }

    /// Runs the program with these words before the session; it must have findings.
    pub(crate) fn finds_before(self, words: &'static [&'static str]) -> Self {
        self.finds_after(0, words)
    }

    /// Runs Git with these words before the session.
    pub(crate) fn git(mut self, words: &'static [&'static str]) -> Self {
        self.commands.push(Command { after: 0, program: "git", words, ends: Ends::Well });
        self
    }

    pub(crate) fn options(self, options: &'static [&'static str]) -> Self {
        Self { options, ..self }
    }

    pub(crate) fn allowed(self, allowed: &'static str) -> Self {
        Self { allowed, ..self }
    }

    pub(crate) fn prompts(self, prompts: &[&'static str]) -> Self {
        Self { prompts: prompts.to_vec(), ..self }
    }

    pub(crate) fn directory(self, directory: &'static str) -> Self {
        Self { directory, ..self }
    }

    /// Sets the model's turns in the main conversation.
    pub(crate) fn model<const N: usize>(self, turns: [Turn; N]) -> Self {
        self.model_in(MAIN, turns)
    }

    /// Sets the model's turns in a conversation that begins with a key. Other keys are tried before the main one: the
    /// subagent's conversation may begin with text of the main one, but not vice versa.
    pub(crate) fn model_in<const N: usize>(mut self, key: &'static str, turns: [Turn; N]) -> Self {
        self.scripts.insert(0, Script { key, turns: turns.into() });
        self
    }

    pub(crate) fn person(self, steps: Vec<Step>) -> Self {
        Self { steps, ..self }
    }

    pub(crate) fn expects<const N: usize>(self, expects: [Expect; N]) -> Self {
        Self { expects: expects.into(), ..self }
    }
}

/// Limits an expectation to one version.
pub(crate) fn only(version: Version, expect: Expect) -> Expect {
    Expect::In(version, Box::new(expect))
}

/// A turn in which the model runs a command.
pub(crate) fn bash(command: &str) -> Turn {
    Turn::Calls(vec![("Bash", json!({ "command": command, "description": "Do it" }))])
}

/// A turn in which the model reads a file of the project.
pub(crate) fn read(path: &str) -> Turn {
    Turn::Calls(vec![("Read", json!({ "file_path": path }))])
}

/// A turn in which the model changes a text in a file of the project.
pub(crate) fn edit(path: &str, old: &str, new: &str) -> Turn {
    Turn::Calls(vec![("Edit", json!({ "file_path": path, "old_string": old, "new_string": new }))])
}

/// A turn in which the model writes a file of the project.
pub(crate) fn write(path: &str, content: &str) -> Turn {
    Turn::Calls(vec![("Write", json!({ "file_path": path, "content": content }))])
}

/// A turn in which the model loads a skill of the project.
pub(crate) fn skill(name: &str) -> Turn {
    Turn::Calls(vec![("Skill", json!({ "skill": name }))])
}

/// A turn in which the model starts a subagent.
pub(crate) fn agent(prompt: &str) -> Turn {
    let input = json!({ "description": "Do it", "prompt": prompt, "subagent_type": "general-purpose" });
    Turn::Calls(vec![("Agent", input)])
}
