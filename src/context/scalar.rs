//! One value, and the reason where there is none to be known.

use std::borrow::Cow;
use std::path::Path;

use serde_json::Value as Json;

use crate::command::{Obstacle, Why, Word};

/// The values of a source; several where it is a list.
pub type Values<'a> = Vec<Scalar<'a>>;

/// One value.
#[derive(Clone, PartialEq, Debug)]
pub enum Scalar<'a> {
    /// A text or path.
    Text(Cow<'a, str>),
    /// A number.
    Number(f64),
    /// A boolean.
    Boolean(bool),
    /// An object: it exists, and no comparison holds of it.
    Object(&'a Json),
    /// A word of a command of which not all is known. One that splits may be no value, or several.
    Partly(Word),
}

impl<'a> Scalar<'a> {
    /// Makes a text.
    #[must_use]
    pub fn text(text: String) -> Self {
        Self::Text(text.into())
    }

    /// Makes the text of a path; bytes that are not UTF-8 are shown as U+FFFD.
    #[must_use]
    pub fn path(path: &Path) -> Self {
        Self::text(path.to_string_lossy().into_owned())
    }

    /// Reads a JSON value; `null` is no value.
    #[must_use]
    pub fn from_json(json: &'a Json) -> Option<Self> {
        match json {
            Json::Null => None,
            Json::String(text) => Some(Self::Text(text.as_str().into())),
            Json::Number(number) => number.as_f64().map(Self::Number),
            Json::Bool(truth) => Some(Self::Boolean(*truth)),
            Json::Array(_) | Json::Object(_) => Some(Self::Object(json)),
        }
    }

    /// Returns the text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the beginning of the value as a reader would write it: more than is ever shown of one.
    #[must_use]
    pub(super) fn show_beginning(&self) -> String {
        self.as_text().map_or_else(|| self.show(), beginning)
    }

    /// Returns the value as a reader would write it.
    #[must_use]
    pub fn show(&self) -> String {
        match self {
            Self::Text(text) => text.clone().into_owned(),
            Self::Number(number) => number.to_string(),
            Self::Boolean(truth) => truth.to_string(),
            Self::Object(json) => json.to_string(),
            Self::Partly(word) => word.shown(),
        }
    }
}

/// Returns the beginning of a text: more than is ever shown of one value.
pub(super) fn beginning(text: &str) -> String {
    const LONGEST: usize = 4_096;
    text.chars().take(LONGEST).collect()
}

/// How many characters of a word a reason names.
const WORD: usize = 80;

const LACKING: &str = "a permission request does not say it again";

/// Why something cannot be known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The reason, a lowercase fragment.
    pub text: String,
    /// The word that it is about.
    pub word: Option<String>,
    /// How to write it so that it is known.
    pub help: Option<String>,
    /// Whether the account of the event does not suffice to find out.
    of_budget: bool,
}

impl Reason {
    /// Makes a reason about a word.
    #[must_use]
    pub fn new(text: impl Into<String>, word: Option<String>, help: Option<String>) -> Self {
        Self { text: text.into(), word, help, of_budget: false }
    }

    /// Finding out takes more than the account of the event has.
    #[must_use]
    pub(super) fn spent(text: impl Into<String>) -> Self {
        Self { of_budget: true, ..Self::new(text, None, None) }
    }

    /// Returns the same reason about a word.
    pub(super) fn about(self, word: &str) -> Self {
        Self { word: Some(word.to_owned()), ..self }
    }

    /// Tells whether it is that the event takes more work than one may, whatever is asked here.
    #[must_use]
    pub fn is_of_budget(&self) -> bool {
        self.of_budget
    }

    /// No table says what a program does to files.
    #[must_use]
    pub fn unseen(command: &str) -> Self {
        let word = command.chars().take(WORD).collect();
        Self::new("what the program opens by itself is not seen", Some(word), None)
    }

    /// Whether a member of a tool without a table goes to a shell is not known.
    #[must_use]
    pub fn likely_command(tool: &str) -> Self {
        Self::new(
            "no table says whether this tool runs a shell command",
            Some(tool.chars().take(WORD).collect()),
            Some("name it under `[shell]` in rules.toml".to_owned()),
        )
    }

    /// A command of the call may change a fact before it is asked for.
    #[must_use]
    pub fn changed(name: &str, why: Why) -> Self {
        let Self { text, word, help, .. } = why.into();
        Self::new(format!("`{name}` may be another by then: {text}"), word, help)
    }

    /// The rewrites made a call for which a gate was not started.
    #[must_use]
    pub fn needs_command() -> Self {
        Self::new("only a command can judge what the rewrites made of the call", None, None)
    }

    /// A fact cannot be read.
    #[must_use]
    pub fn fact(name: &str, reason: String) -> Self {
        Self::new(format!("`{name}` cannot be read: {reason}"), Some(name.to_owned()), None)
    }

    /// A permission request does not repeat a field of the call.
    #[must_use]
    pub fn lacking(name: &str) -> Self {
        Self::new(LACKING, Some(name.to_owned()), None)
    }

    /// Tells whether it is the permission request alone that does not say it.
    #[must_use]
    pub fn is_lacking(&self) -> bool {
        self.text == LACKING
    }

    /// The host that a URL names cannot be told.
    #[must_use]
    pub fn host(reason: &str, url: &str) -> Self {
        Self::new(reason, Some(url.chars().take(80).collect()), None)
    }

    /// A tool that no table knows may go below a directory.
    #[must_use]
    pub fn maybe_below(path: &str) -> Self {
        Self::new("this tool may go on below its directory", Some(path.to_owned()), None)
    }

    /// A tool that runs commands got something that is no text where the command belongs.
    #[must_use]
    pub fn unreadable_command() -> Self {
        Self::new("the command is no plain text in its place", None, None)
    }

    /// More or longer paths than any call needs.
    #[must_use]
    pub fn too_many_paths() -> Self {
        Self::new("the call names too many files, or one with too long a name", None, None)
    }

    /// A subagent without a type.
    #[must_use]
    pub fn nameless_agent() -> Self {
        Self::new(
            "the host does not say of which type the acting subagent is",
            Some("agent_type".to_owned()),
            Some("`by !main` selects every subagent".to_owned()),
        )
    }

    /// Nothing says who has stopped.
    #[must_use]
    pub fn nameless_stop() -> Self {
        Self::new(
            "neither the host nor the transcript says of which type the stopped subagent is",
            Some("agent_type".to_owned()),
            Some("`on SubagentStop(unknown)` selects it".to_owned()),
        )
    }

    /// The transcript does not say who has stopped, for this reason.
    #[must_use]
    pub fn transcript(reason: &str) -> Self {
        Self { help: Self::nameless_stop().help, ..Self::fact("agent_type", reason.to_owned()) }
    }

    /// Returns the reason, its word and its help as one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let help = self.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        match &self.word {
            Some(word) if !self.text.contains(word.as_str()) => format!("{}: `{word}`{help}", self.text),
            _ => format!("{}{help}", self.text),
        }
    }
}

impl From<Why> for Reason {
    fn from(why: Why) -> Self {
        Self::new(why.text(), shortened(&why.word), why.help().map(str::to_owned))
    }
}

impl From<Obstacle> for Reason {
    fn from(obstacle: Obstacle) -> Self {
        Self::new(obstacle.text, shortened(&obstacle.word), obstacle.help.map(str::to_owned))
    }
}

fn shortened(word: &str) -> Option<String> {
    let word: String = word.chars().take(WORD).collect();
    (!word.is_empty()).then_some(word)
}
