//! The lattice of decisions, the merging of votes and effects, and the remaining actions.
//!
//! Pure data: `eval` makes a verdict, `action` adds the votes of commands, `host` encodes it.

mod message;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde_json::Value as Json;

use crate::excerpt::Excerpt;
use crate::schema::Event;

pub use message::{Message, first_sentence, join_messages};

/// A decision; the order is the lattice's: the strictest vote wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Decision {
    /// The host's own permission flow decides.
    #[default]
    Pass,
    /// The action proceeds without a prompt.
    Allow,
    /// The user decides.
    Ask,
    /// The action that the event announces is blocked.
    Deny,
    /// The whole agent stops.
    Halt,
}

impl Decision {
    /// Returns its keyword.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
            Self::Halt => "halt",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.keyword())
    }
}

/// The author of a vote or text. A rule may have the displayed name of the program or of its settings.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Author {
    /// A rule, by its full name (`user/NAME` for another layer's).
    Rule(String),
    /// The settings, shown as `rules.toml`.
    Settings,
    /// The program itself, shown as `rules`: its failure policy, and its own guards, which do not depend on rules.
    Program,
}

impl Author {
    /// Returns the displayed name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Rule(name) => name,
            Self::Settings => "rules.toml",
            Self::Program => "rules",
        }
    }

    /// Returns the rule's full name, if it is a rule.
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        match self {
            Self::Rule(name) => Some(name),
            Self::Settings | Self::Program => None,
        }
    }

    /// Whether it is the rule with this full name.
    #[must_use]
    pub fn is_rule(&self, name: &str) -> bool {
        self.rule() == Some(name)
    }
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The vote of a rule, or of the program, on the decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Vote {
    /// Its author.
    pub author: Author,
    /// Never [`Decision::Pass`].
    pub decision: Decision,
    /// The reason; may be empty for an allow.
    pub message: Message,
    /// `deny … { interrupt: true }`: on PermissionRequest, the turn ends, too.
    pub interrupt: bool,
}

impl Vote {
    /// Makes the vote of a rule, with its full name.
    #[must_use]
    pub fn from_rule(rule: &str, decision: Decision, message: impl Into<Message>) -> Self {
        let by = Author::Rule(rule.to_owned());
        Self { author: by, decision, message: message.into(), interrupt: false }
    }

    /// Makes the vote of the program itself.
    #[must_use]
    pub fn from_program(decision: Decision, message: impl Into<Message>) -> Self {
        Self { author: Author::Program, decision, message: message.into(), interrupt: false }
    }

    /// Returns the displayed message, if no other vote has the same.
    #[must_use]
    pub fn displayed_message(&self) -> Cow<'_, str> {
        self.message.displayed_text(&self.author)
    }
}

/// A text added by a rule, or by the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Its author.
    pub author: Author,
    /// The displayed text.
    pub text: Excerpt,
}

impl Note {
    /// Makes the text of a rule, with its full name.
    #[must_use]
    pub fn from_rule(rule: &str, text: impl Into<Excerpt>) -> Self {
        Self { author: Author::Rule(rule.to_owned()), text: text.into() }
    }

    /// Makes a text of the program itself.
    #[must_use]
    pub fn from_program(text: impl Into<Excerpt>) -> Self {
        Self { author: Author::Program, text: text.into() }
    }
}

/// The plain exit-code contract on an event that it cannot deny, or with a code other than 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlainExit {
    /// The rule's full name.
    pub rule: String,
    /// The code as written.
    pub code: i32,
    /// What goes to stderr.
    pub message: String,
}

/// All consequences of one event.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The event.
    pub event: Event,
    /// All votes, in evaluation order; those of commands come last.
    pub votes: Vec<Vote>,
    /// Texts for the agent, in evaluation order.
    pub contexts: Vec<Note>,
    /// Texts for the user, in evaluation order.
    pub warnings: Vec<Note>,
    /// The whole input after all rewrites, if any rule rewrote.
    pub updated_input: Option<Json>,
    /// The whole output after all rewrites, if any changed it.
    pub updated_output: Option<Json>,
    /// The `exit N` effects that do not vote.
    pub exits: Vec<PlainExit>,
    /// The commands to run, in evaluation order.
    pub runs: Vec<Run>,
    /// Notifications.
    pub notifications: Vec<Notification>,
    /// Records.
    pub records: Vec<Record>,
    /// The output of a `run` on WorktreeCreate: the worktree's path.
    pub worktree_path: Option<String>,
}

impl Verdict {
    /// Makes the verdict of an event that no rule matched.
    #[must_use]
    pub fn pass(event: Event) -> Self {
        Self {
            event,
            votes: Vec::new(),
            contexts: Vec::new(),
            warnings: Vec::new(),
            updated_input: None,
            updated_output: None,
            exits: Vec::new(),
            runs: Vec::new(),
            notifications: Vec::new(),
            records: Vec::new(),
            worktree_path: None,
        }
    }

    /// Returns it with these votes and texts after its own.
    #[must_use]
    pub fn with_additions(mut self, additions: Additions) -> Self {
        self.votes.extend(additions.votes);
        self.contexts.extend(additions.contexts);
        self.warnings.extend(additions.warnings);
        self
    }

    /// Returns the strictest vote's decision.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.votes.iter().map(|vote| vote.decision).max().unwrap_or_default()
    }

    /// Returns the votes that won, in evaluation order.
    pub fn winning_votes(&self) -> impl Iterator<Item = &Vote> {
        let decision = self.decision();
        self.votes.iter().filter(move |vote| vote.decision == decision)
    }

    /// Returns the message of all rules whose vote won: each text once, certain ones before doubts, each in evaluation
    /// order; at most three rules by name, the rest counted.
    #[must_use]
    pub fn message(&self) -> String {
        self.reason().into_string()
    }

    /// Returns the same message, with its omissions marked.
    #[must_use]
    pub fn reason(&self) -> Excerpt {
        join_messages(self.winning_votes().map(|vote| (&vote.author, &vote.message)))
    }

    /// Returns whether the denial also ends the user's turn (PermissionRequest only).
    #[must_use]
    pub fn is_interrupting(&self) -> bool {
        self.votes
            .iter()
            .any(|vote| vote.decision == Decision::Halt || (vote.decision == Decision::Deny && vote.interrupt))
    }
}

/// The votes and texts that a later stage adds to a verdict: the guard, the failure policy, or a command.
#[derive(Clone, Debug, Default)]
pub struct Additions {
    /// Votes.
    pub votes: Vec<Vote>,
    /// Texts for the agent.
    pub contexts: Vec<Note>,
    /// Texts for the user.
    pub warnings: Vec<Note>,
}

impl Additions {
    /// Adds a vote of the program itself.
    pub fn vote(&mut self, decision: Decision, message: impl Into<Message>) {
        self.votes.push(Vote::from_program(decision, message));
    }

    /// Adds a text of the program itself for the user.
    pub fn add_program_warning(&mut self, text: impl Into<Excerpt>) {
        self.warnings.push(Note::from_program(text));
    }
}

/// The environment variables that every command can rely on; a policy cannot set them.
pub const STANDARD_VARIABLES: [&str; 8] = [
    "CONCLAUDE_SESSION_ID",
    "CONCLAUDE_TRANSCRIPT_PATH",
    "CONCLAUDE_HOOK_EVENT",
    "CONCLAUDE_CWD",
    "CONCLAUDE_AGENT_ID",
    "CONCLAUDE_SUBAGENT_TYPE",
    "CONCLAUDE_SUBAGENT_NAME",
    "CONCLAUDE_AGENT_TRANSCRIPT_PATH",
];

/// A command with all of its values filled in.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub struct Run {
    /// The rule's full name.
    pub rule: String,
    /// The command to start.
    pub command: Command,
    /// The source text of the command, for display.
    pub source_text: String,
    /// After this time it is killed with its whole process group.
    pub timeout: Duration,
    /// Precedes the bounded output on failure.
    pub message: Option<String>,
    /// The working directory, relative to the project; `None` is the project.
    pub cwd: Option<String>,
    /// Added to the environment.
    pub env: BTreeMap<String, String>,
    /// Further options in the policy.
    pub options: RunOptions,
    /// The rule itself voted for a denial: its commands run even though the call is denied.
    pub denies: bool,
}

/// The options of a `run` without values from the event: the policy defines them, and they stay as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub struct RunOptions {
    /// Its standard output is shown to the user.
    pub show_stdout: bool,
    /// Its standard error is shown to the user.
    pub show_stderr: bool,
    /// The number of output lines to keep, head and tail; at least 1.
    pub max_output_lines: Option<usize>,
    /// The meaning of a failure; `None` is the plain exit-code contract.
    pub on_fail: Option<OnFail>,
    /// Whether the user is notified when it is done.
    pub notify: bool,
    /// Whether it runs without being waited for.
    pub background: bool,
    /// Whether the payload is on its standard input.
    pub stdin: Stdin,
    /// The meaning of its standard output.
    pub output: OutputKind,
    /// The number of denials on Stop and SubagentStop before it lets the agent stop.
    pub attempts: u32,
}

impl RunOptions {
    /// Whether the command can vote against the announced action (if that can be denied at all).
    #[must_use]
    pub fn can_block(&self) -> bool {
        let may = matches!(self.on_fail, None | Some(OnFail::Deny)) || self.output == OutputKind::Hook;
        may && !self.background
    }

    /// Whether the command can vote against an event that can be denied: on SubagentStop an exit code blocks nothing.
    #[must_use]
    pub fn can_block_on(&self, event: Event) -> bool {
        let is_gate = self.on_fail == Some(OnFail::Deny) || self.output == OutputKind::Hook;
        self.can_block() && (event != Event::SubagentStop || is_gate)
    }
}

/// The command of a `run`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub enum Command {
    /// A script for `sh`, its placeholders turned into positional parameters.
    Shell {
        /// The script; it refers to values as `"${1}"`, never contains them as text.
        script: String,
        /// `$1`, `$2`, …
        parameters: Vec<String>,
    },
    /// A program and its arguments.
    Argv(Vec<String>),
}

/// `on_fail`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub enum OnFail {
    /// Nothing.
    Ignore,
    /// Report it to the user.
    Warn,
    /// Report it to the agent.
    Context,
    /// Deny the action.
    Deny,
}

/// `stdin`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub enum Stdin {
    /// The payload, after the rewrites.
    Payload,
    /// The null device.
    None,
}

/// `output`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub enum OutputKind {
    /// Interpreted by the plain contract of the event.
    Text,
    /// Context for the agent.
    Context,
    /// The answer of a hook, of which only deny and ask count.
    Hook,
}

/// The maximum length of a notification's title, in characters.
pub const NOTIFICATION_TITLE: usize = 200;

/// The maximum length of a notification's body, in characters.
pub const NOTIFICATION_BODY: usize = 1_000;

/// A message to the person at the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notification {
    /// The rule, or the program, that sends it.
    pub author: Author,
    /// The title.
    pub title: String,
    /// The body, possibly empty.
    pub body: String,
}

/// One object to append to a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The rule's full name.
    pub rule: String,
    /// The file: below `.rules/log/` if it begins so, else in the user's state directory. Its placeholders are already
    /// replaced by single path components of `[A-Za-z0-9._-]`.
    pub file: String,
    /// The contents; `action` fills in `now` under the keys in `times`.
    pub fields: serde_json::Map<String, Json>,
    /// The keys whose value is the time of writing, RFC 3339 UTC.
    pub times: Vec<String>,
}
