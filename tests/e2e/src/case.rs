//! A case: what is there, what the model does, and what must be seen.

use hookrules::host_settings::Row;
use serde_json::json;

use crate::api::{Script, Turn};
use crate::host::Version;
use crate::registration::{Binary, Form, Place, Registration};

/// The prompt of a session whose case names no other, and with it the key of its main conversation.
pub(crate) const MAIN: &str = "GO-MAIN";

/// One session, or several in a row in one project.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) versions: &'static [Version],
    /// Whether it is left out unless all cases are asked for.
    pub(crate) is_on_demand: bool,
    pub(crate) policy: Option<&'static str>,
    /// Further files of the project.
    pub(crate) files: Vec<(&'static str, &'static str)>,
    pub(crate) registration: Registration,
    /// What is run in the project beside the host.
    pub(crate) commands: Vec<Command>,
    /// What the host is started with beside what every case needs.
    pub(crate) options: &'static [&'static str],
    /// The tools that the host allows by itself, so that only the hook can stop them.
    pub(crate) allowed: &'static str,
    /// The prompts, each of a process of its own that continues what the one before it began.
    pub(crate) prompts: Vec<&'static str>,
    /// The directory in the project where the host is started.
    pub(crate) directory: &'static str,
    pub(crate) scripts: Vec<Script>,
    /// What a person does in the window of the host; nothing in print mode.
    pub(crate) steps: Vec<Step>,
    pub(crate) expects: Vec<Expect>,
}

/// A command of the user's. `{root}` is the directory of everything that the session has, and `rules` the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Command {
    /// After so many processes of the host.
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

/// What a person does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Waits until the screen has a text.
    Sees(&'static str),
    /// Types the first text until the screen has the second: what listens may not do so yet when it is drawn.
    TypesUntil(&'static str, &'static str),
}

/// What must be seen of a session.
#[derive(Clone, Debug)]
pub(crate) enum Expect {
    /// A file is there.
    Made(&'static str),
    /// No such file is there.
    Absent(&'static str),
    /// A file has this text in it.
    Holds(&'static str, &'static str),
    /// A file has this text and nothing else.
    Is(&'static str, &'static str),
    /// A file has so many lines.
    Lines(&'static str, usize),
    /// A file of JSON Lines has these events, in this order, for each value of a member.
    Each(&'static str, &'static str, &'static [&'static str]),
    /// The host lists a call of this tool as denied.
    Denied(&'static str),
    /// The host lists no call as denied.
    NothingDenied,
    /// A request of this conversation has the text.
    Told(&'static str, &'static str),
    /// No request has the text.
    NeverTold(&'static str),
    /// The conversation has so many requests.
    Requests(&'static str, usize),
    /// The host raised the event at least so many times.
    Raised(&'static str, usize),
    /// The first of the one event came before the first of the other.
    Order(&'static str, &'static str),
    /// The final result has this member with this text in it.
    Result(&'static str, &'static str),
    /// Only in this version.
    In(Version, Box<Expect>),
}

/// A case with the usual registration, in the oldest and the newest version.
pub(crate) fn case(name: impl Into<String>) -> Case {
    Case {
        name: name.into(),
        versions: Version::ENDS,
        is_on_demand: false,
        policy: None,
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

    /// The registration is in a settings file that has more in it.
    pub(crate) fn settings(mut self, row: &'static Row) -> Self {
        self.registration.row = Some(row);
        self
    }

    /// The case is only played when all are asked for.
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

    /// The program is run with these words before the session.
    pub(crate) fn before(self, words: &'static [&'static str]) -> Self {
        self.after(0, words)
    }

    /// The program is run with these words after so many processes of the host.
    pub(crate) fn after(mut self, after: usize, words: &'static [&'static str]) -> Self {
        self.commands.push(Command { after, program: "rules", words, ends: Ends::Well });
        self
    }

    /// The same, of a run that finds something.
    pub(crate) fn finds_after(mut self, after: usize, words: &'static [&'static str]) -> Self {
        self.commands.push(Command { after, program: "rules", words, ends: Ends::WithFindings });
        self
    }

    /// The program is run with these words before the session, and finds something.
    pub(crate) fn finds_before(self, words: &'static [&'static str]) -> Self {
        self.finds_after(0, words)
    }

    /// Git is run with these words before the session.
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

    /// What the model does in the main conversation.
    pub(crate) fn model<const N: usize>(self, turns: [Turn; N]) -> Self {
        self.model_in(MAIN, turns)
    }

    /// What the model does in a conversation that begins with a key. Other keys come before the main one: a subagent is
    /// told what the main conversation says of it, and not the other way round.
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

/// The model runs a command.
pub(crate) fn bash(command: &str) -> Turn {
    Turn::Calls(vec![("Bash", json!({ "command": command, "description": "Do it" }))])
}

/// The model reads a file of the project.
pub(crate) fn read(path: &str) -> Turn {
    Turn::Calls(vec![("Read", json!({ "file_path": path }))])
}

/// The model writes a file of the project.
pub(crate) fn write(path: &str, content: &str) -> Turn {
    Turn::Calls(vec![("Write", json!({ "file_path": path, "content": content }))])
}

/// The model loads a skill of the project.
pub(crate) fn skill(name: &str) -> Turn {
    Turn::Calls(vec![("Skill", json!({ "skill": name }))])
}

/// The model starts a subagent.
pub(crate) fn agent(prompt: &str) -> Turn {
    let input = json!({ "description": "Do it", "prompt": prompt, "subagent_type": "general-purpose" });
    Turn::Calls(vec![("Agent", input)])
}
