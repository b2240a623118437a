//! The verdict of one event: the votes of rules, the decision that the strictest vote makes, and the texts, rewrites
//! and actions that follow.
//!
//! Pure data: `eval` makes a verdict, `action` adds the votes of commands, `host` encodes the result for the host.

mod message;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde_json::Value as Json;

use crate::excerpt::Excerpt;
use crate::history::PlannedMark;
use crate::schema::Event;

pub use message::{Message, Suspicion, UNTRUSTED, first_sentence, join_messages};

/// A decision about an event. The variants are in the order of their strictness, and the strictest vote wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Decision {
    /// No rule decides, so the host asks the user or proceeds as its own permission settings require.
    #[default]
    Pass,
    /// The action proceeds without a prompt.
    Allow,
    /// The host asks the user whether the action may proceed.
    Ask,
    /// The action that the event announces is blocked.
    Deny,
    /// The whole agent stops.
    Halt,
}

impl Decision {
    /// Returns the keyword of the policy language for the decision, such as `deny`.
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

/// The author of a vote or text.
///
/// The displayed name does not identify an author: a rule may be named `rules`, too.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Author {
    /// A rule, by its full name: `no-sudo` in the project's layer, `user/no-sudo` in the user's.
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

    /// Returns the full name of the rule; `None` if the author is not a rule.
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        match self {
            Self::Rule(name) => Some(name),
            Self::Settings | Self::Program => None,
        }
    }

    /// Whether the author is the rule with this full name.
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
    /// The author of the vote.
    pub author: Author,
    /// The decision that the author votes for; never [`Decision::Pass`].
    pub decision: Decision,
    /// The reason; may be empty for an allow.
    pub message: Message,
    /// Whether the denial also ends the agent's turn: `deny … { interrupt: true }` on PermissionRequest.
    pub interrupt: bool,
}

impl Vote {
    /// Creates the vote of the rule with this full name.
    #[must_use]
    pub fn from_rule(rule: &str, decision: Decision, message: impl Into<Message>) -> Self {
        let by = Author::Rule(rule.to_owned());
        Self { author: by, decision, message: message.into(), interrupt: false }
    }

    /// Creates the vote of the program itself.
    #[must_use]
    pub fn from_program(decision: Decision, message: impl Into<Message>) -> Self {
        Self { author: Author::Program, decision, message: message.into(), interrupt: false }
    }

    /// Returns the message as it is displayed if no other vote has the same one; [`Verdict::message`] combines
    /// several.
    #[must_use]
    pub fn displayed_message(&self) -> Cow<'_, str> {
        self.message.displayed_text(&self.author)
    }
}

/// A text for the user or the agent, from a rule or from the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The author of the text.
    pub author: Author,
    /// The displayed text.
    pub text: Excerpt,
}

impl Note {
    /// Creates a text of the rule with this full name.
    #[must_use]
    pub fn from_rule(rule: &str, text: impl Into<Excerpt>) -> Self {
        Self { author: Author::Rule(rule.to_owned()), text: text.into() }
    }

    /// Creates a text of the program itself.
    #[must_use]
    pub fn from_program(text: impl Into<Excerpt>) -> Self {
        Self { author: Author::Program, text: text.into() }
    }
}

/// An effect `exit N "TEXT"` that is not a vote: N is not 2, or the event cannot be denied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlainExit {
    /// The rule's full name.
    pub rule: String,
    /// The N of `exit N`.
    pub code: i32,
    /// The text for standard error.
    pub message: String,
}

/// All consequences of one event.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The event that was judged.
    pub event: Event,
    /// All votes, in evaluation order; the votes of commands come last.
    pub votes: Vec<Vote>,
    /// Texts for the agent, in evaluation order.
    pub contexts: Vec<Note>,
    /// Texts for the user, in evaluation order.
    pub warnings: Vec<Note>,
    /// The tool's whole input after all rewrites; `None` if no rule changed it.
    pub updated_input: Option<Json>,
    /// The tool's whole output after all rewrites; `None` if no rule changed it.
    pub updated_output: Option<Json>,
    /// The effects `exit N` that are not votes.
    pub exits: Vec<PlainExit>,
    /// The commands to run, in evaluation order.
    pub runs: Vec<Run>,
    /// The notifications for the user, in evaluation order.
    pub notifications: Vec<Notification>,
    /// The objects to append to files, in evaluation order.
    pub records: Vec<Record>,
    /// What the event's marks remember, in evaluation order.
    pub marks: Vec<PlannedMark>,
    /// On WorktreeCreate, the path of the new worktree, which a command of `run` printed.
    pub worktree_path: Option<String>,
}

impl Verdict {
    /// Creates the verdict of an event that no rule matched.
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
            marks: Vec::new(),
            worktree_path: None,
        }
    }

    /// Returns the verdict with further votes and texts added at the end.
    #[must_use]
    pub fn with_additions(mut self, additions: Additions) -> Self {
        self.votes.extend(additions.votes);
        self.contexts.extend(additions.contexts);
        self.warnings.extend(additions.warnings);
        self
    }

    /// Returns the verdict with additional votes that only restrict. If they deny the call, only the commands of rules
    /// that deny it run, and it is not rewritten (law 7).
    #[must_use]
    pub fn restricted_by(self, additions: Additions) -> Self {
        let was_denied = self.decision() >= Decision::Deny;
        let mut restricted = self.with_additions(additions);
        if !was_denied && restricted.decision() >= Decision::Deny {
            restricted.runs.retain(|run| run.denies);
            restricted.updated_input = None;
        }
        restricted
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

    /// Returns the messages of the votes that won, as one text: each message once, certain ones before doubts, and in
    /// evaluation order within these groups. At most three messages are included, and a doubt names at most three
    /// rules; the other rules are counted.
    #[must_use]
    pub fn message(&self) -> String {
        self.reason().into_string()
    }

    /// Returns the same text as [`message`](Self::message), with marks for omitted lines.
    #[must_use]
    pub fn reason(&self) -> Excerpt {
        join_messages(self.winning_votes().map(|vote| (&vote.author, &vote.message)))
    }

    /// Whether the verdict also ends the agent's turn on PermissionRequest, because of a halt, or of a denial with
    /// the option `interrupt: true`.
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
    /// Further votes.
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

/// A command to run, with the values of the event filled in.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub struct Run {
    /// The rule's full name.
    pub rule: String,
    /// The command to start.
    pub command: Command,
    /// The source text of the command, for display.
    pub source_text: String,
    /// The time after which the command is killed with its whole process group.
    pub timeout: Duration,
    /// A text that is placed before the command's shortened output if the command fails.
    pub message: Option<String>,
    /// The working directory, relative to the project; `None` is the project.
    pub cwd: Option<String>,
    /// Variables that are added to the environment of the command.
    pub env: BTreeMap<String, String>,
    /// The options that do not depend on the event.
    pub options: RunOptions,
    /// Whether the rule itself voted to deny the call. Its commands run even though the call is denied.
    pub denies: bool,
}

impl Record {
    /// Whether another record writes the same: only the rule may differ.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        let Self { rule: _, file, fields, times } = self;
        (file, fields, times) == (&other.file, &other.fields, &other.times)
    }
}

impl Run {
    /// Whether another command is the same: only the rule and its vote may differ.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        let Self { rule: _, denies: _, command, source_text, timeout, message, cwd, env, options } = self;
        (command, source_text, timeout) == (&other.command, &other.source_text, &other.timeout)
            && (message, cwd, env, options) == (&other.message, &other.cwd, &other.env, &other.options)
    }
}

/// The options of a `run` that contain no values from the event, so that they are final when the policy is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub struct RunOptions {
    /// Whether its standard output is shown to the user.
    pub show_stdout: bool,
    /// Whether its standard error is shown to the user.
    pub show_stderr: bool,
    /// The number of output lines that are kept, taken from the beginning and the end; at least 1. `None` keeps all
    /// that fit.
    pub max_output_lines: Option<usize>,
    /// The consequence of a failure, from `on_fail`. `None` means the host's contract for exit codes: 2 denies, and any
    /// other failure is shown to the user.
    pub on_fail: Option<OnFail>,
    /// Whether the user is notified when the command has ended.
    pub notify: bool,
    /// Whether the hook starts the command without waiting for it.
    pub background: bool,
    /// The contents of its standard input.
    pub stdin: Stdin,
    /// The interpretation of its standard output.
    pub output: OutputKind,
    /// The number of times that the command may deny Stop or SubagentStop before the agent may stop nevertheless.
    pub attempts: u32,
}

impl RunOptions {
    /// Whether the command can vote against the announced action (if that can be denied at all).
    #[must_use]
    pub fn can_block(&self) -> bool {
        let may = matches!(self.on_fail, None | Some(OnFail::Deny | OnFail::Ask)) || self.output == OutputKind::Hook;
        may && !self.background
    }

    /// Whether the command can vote against this event, if that can be denied. On SubagentStop, exit code 2 alone
    /// blocks nothing: only `on_fail: deny` and `output: hook` do.
    #[must_use]
    pub fn can_block_on(&self, event: Event) -> bool {
        let is_gate = matches!(self.on_fail, Some(OnFail::Deny | OnFail::Ask)) || self.output == OutputKind::Hook;
        self.can_block() && (event != Event::SubagentStop || is_gate)
    }
}

/// The command of a `run`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub enum Command {
    /// A script for `sh`. Its placeholders have become positional parameters.
    Shell {
        /// The script, which refers to values as `"${1}"` and never contains them.
        script: String,
        /// The values of `$1`, `$2`, …
        parameters: Vec<String>,
    },
    /// A program and its arguments.
    Argv(Vec<String>),
}

/// The consequence of a failed command: the option `on_fail` of `run`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub enum OnFail {
    /// The failure has no consequence.
    Ignore,
    /// The failure is reported to the user.
    Warn,
    /// The failure is reported to the agent.
    Context,
    /// The action is denied.
    Deny,
    /// The user is asked.
    Ask,
}

/// The standard input of a command: the option `stdin` of `run`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub enum Stdin {
    /// The payload of the event, after the rewrites.
    Payload,
    /// Nothing: the input is the null device.
    None,
}

/// The interpretation of a command's standard output: the option `output` of `run`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub enum OutputKind {
    /// Plain text, which has the effect that the host gives the plain output of a hook on this event.
    Text,
    /// The output is context for the agent.
    Context,
    /// The output is the JSON answer of a hook; only its denials and questions count.
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

/// A JSON object to append to a file as one line: the effect `record`.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The rule's full name.
    pub rule: String,
    /// The file, relative to the project if the text begins with `.rules/log/`, else to the user's state directory.
    /// Each placeholder has been replaced by a single path component of `[A-Za-z0-9._-]`.
    pub file: String,
    /// The members of the object, without the times of writing, which `action` adds under the keys in `times`.
    pub fields: serde_json::Map<String, Json>,
    /// The keys whose value is the time of writing, in UTC and in the format of RFC 3339.
    pub times: Vec<String>,
}
