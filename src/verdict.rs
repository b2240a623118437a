//! The lattice of decisions, how votes and effects merge, and what is left to do.
//!
//! Pure data: `eval` makes a verdict, `action` adds what commands voted, `host` encodes it.

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
    /// The host's own flow decides.
    #[default]
    Pass,
    /// Goes ahead without a prompt.
    Allow,
    /// The user decides.
    Ask,
    /// What the event announces does not happen.
    Deny,
    /// The whole agent stops.
    Halt,
}

impl Decision {
    /// Returns the word of the language.
    #[must_use]
    pub fn word(self) -> &'static str {
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
        f.write_str(self.word())
    }
}

/// Who says something. A rule may be named as the program or its settings are shown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Speaker {
    /// A rule, by its full name (`user/NAME` for another layer's).
    Rule(String),
    /// The settings, shown as `rules.toml`.
    Settings,
    /// The program itself, shown as `rules`: its failure policy, and what it guards whatever the rules say.
    Program,
}

impl Speaker {
    /// Returns the name that is shown.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Rule(name) => name,
            Self::Settings => "rules.toml",
            Self::Program => "rules",
        }
    }

    /// Returns the rule's full name, if it is one.
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        match self {
            Self::Rule(name) => Some(name),
            Self::Settings | Self::Program => None,
        }
    }

    /// Tells whether it is the rule with this full name.
    #[must_use]
    pub fn is_rule(&self, name: &str) -> bool {
        self.rule() == Some(name)
    }
}

impl fmt::Display for Speaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What one rule, or the program, says about the decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Vote {
    /// Whose vote it is.
    pub by: Speaker,
    /// Never [`Decision::Pass`].
    pub decision: Decision,
    /// Why; may be empty for an allow.
    pub message: Message,
    /// `deny … { interrupt: true }`: on PermissionRequest the turn ends too.
    pub interrupt: bool,
}

impl Vote {
    /// Makes the vote of a rule, with its full name.
    #[must_use]
    pub fn of_rule(rule: &str, decision: Decision, message: impl Into<Message>) -> Self {
        let by = Speaker::Rule(rule.to_owned());
        Self { by, decision, message: message.into(), interrupt: false }
    }

    /// Makes the vote of the program itself.
    #[must_use]
    pub fn of_program(decision: Decision, message: impl Into<Message>) -> Self {
        Self { by: Speaker::Program, decision, message: message.into(), interrupt: false }
    }

    /// Returns the message as it is shown where no other vote says the same.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        self.message.shown(&self.by)
    }
}

/// A text that a rule, or the program, adds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Whose text it is.
    pub by: Speaker,
    /// The text as it is shown.
    pub text: Excerpt,
}

impl Note {
    /// Makes the text of a rule, with its full name.
    #[must_use]
    pub fn of_rule(rule: &str, text: impl Into<Excerpt>) -> Self {
        Self { by: Speaker::Rule(rule.to_owned()), text: text.into() }
    }

    /// Makes a text of the program itself.
    #[must_use]
    pub fn of_program(text: impl Into<Excerpt>) -> Self {
        Self { by: Speaker::Program, text: text.into() }
    }
}

/// The plain contract on an event that it cannot deny, or with a code other than 2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlainExit {
    /// The rule's full name.
    pub rule: String,
    /// The code as written.
    pub code: i32,
    /// What goes to stderr.
    pub message: String,
}

/// Everything that follows from one event.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The event.
    pub event: Event,
    /// Every vote, in evaluation order; those of commands come behind.
    pub votes: Vec<Vote>,
    /// Texts for the agent, in evaluation order.
    pub contexts: Vec<Note>,
    /// Texts for the user, in evaluation order.
    pub warnings: Vec<Note>,
    /// The whole input after all rewrites, if any rule rewrote.
    pub updated_input: Option<Json>,
    /// The whole output after all rewrites, if any changed it.
    pub updated_output: Option<Json>,
    /// `exit N` that votes nothing.
    pub exits: Vec<PlainExit>,
    /// Commands that are to be run, in evaluation order.
    pub runs: Vec<Run>,
    /// Commands that did not do their work, a sentence each, for the log; who hears of one besides is said above.
    pub failures: Vec<Note>,
    /// Notifications.
    pub notifications: Vec<Notification>,
    /// Records.
    pub records: Vec<Record>,
    /// What a `run` on WorktreeCreate printed: the worktree's path.
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
            failures: Vec::new(),
            notifications: Vec::new(),
            records: Vec::new(),
            worktree_path: None,
        }
    }

    /// Returns the strictest vote's decision.
    #[must_use]
    pub fn decision(&self) -> Decision {
        self.votes.iter().map(|vote| vote.decision).max().unwrap_or_default()
    }

    /// Returns the votes that won, in evaluation order.
    pub fn winners(&self) -> impl Iterator<Item = &Vote> {
        let decision = self.decision();
        self.votes.iter().filter(move |vote| vote.decision == decision)
    }

    /// Returns the message of all rules whose vote won: each text once, what is certain before what is in doubt, each in
    /// evaluation order; at most three rules by name, the rest counted.
    #[must_use]
    pub fn message(&self) -> String {
        self.reason().into_string()
    }

    /// Returns the same, with what is left out in it.
    #[must_use]
    pub fn reason(&self) -> Excerpt {
        join_messages(self.winners().map(|vote| (&vote.by, &vote.message)))
    }

    /// Returns whether the user's turn is to end with the denial (PermissionRequest only).
    #[must_use]
    pub fn interrupts(&self) -> bool {
        self.votes
            .iter()
            .any(|vote| vote.decision == Decision::Halt || (vote.decision == Decision::Deny && vote.interrupt))
    }
}

/// The environment variables that every command can rely on; a policy does not set them.
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

/// A command with every value already in place.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub struct Run {
    /// The rule's full name.
    pub rule: String,
    /// What is started.
    pub command: Command,
    /// The command as the policy writes it, for people.
    pub shown: String,
    /// It dies with its whole process group after this.
    pub timeout: Duration,
    /// Goes before the bounded output when it fails.
    pub message: Option<String>,
    /// Where it runs; relative to the project. `None` is the project.
    pub cwd: Option<String>,
    /// Added to the environment.
    pub env: BTreeMap<String, String>,
    /// What else the policy says of it.
    pub options: RunOptions,
    /// The rule voted for a denial by itself: its commands run even though the call is denied.
    pub denies: bool,
}

/// The options of a `run` that hold no values of the event: the policy states them, and they stay as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(feature = "internals"), non_exhaustive)]
pub struct RunOptions {
    /// Its standard output is shown to the user.
    pub show_stdout: bool,
    /// Its standard error is shown to the user.
    pub show_stderr: bool,
    /// Lines of output that are kept, head and tail; at least 1.
    pub max_output_lines: Option<usize>,
    /// What a failure means; `None` is the plain exit-code contract.
    pub on_fail: Option<OnFail>,
    /// Tell the user through the notification channel when it is done.
    pub notify: bool,
    /// Not waited for.
    pub background: bool,
    /// Whether the payload is on its standard input.
    pub stdin: Stdin,
    /// What its standard output means.
    pub output: OutputKind,
    /// Refusals on Stop and SubagentStop before it releases.
    pub attempts: u32,
}

impl RunOptions {
    /// Tells whether the command can vote against what the event announces (where that can be denied at all).
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

/// What a `run` starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// A script for `sh`, its placeholders turned into positional parameters.
    Shell {
        /// The script; values stand in it as `"${1}"`, never as text.
        script: String,
        /// `$1`, `$2`, …
        parameters: Vec<String>,
    },
    /// A program and its arguments.
    Argv(Vec<String>),
}

/// `on_fail`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnFail {
    /// Nothing.
    Ignore,
    /// Told to the user.
    Warn,
    /// Told to the agent.
    Context,
    /// Denied.
    Deny,
}

/// `stdin`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stdin {
    /// The payload, after the rewrites.
    Payload,
    /// The null device.
    None,
}

/// `output`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputKind {
    /// By the plain contract of the event.
    Text,
    /// Context for the agent.
    Context,
    /// A hook's answer, of which only deny and ask count.
    Hook,
}

/// Characters of a notification's title that are shown.
pub const NOTIFICATION_TITLE: usize = 200;

/// Characters of a notification's body that are shown.
pub const NOTIFICATION_BODY: usize = 1_000;

/// A message to the person at the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notification {
    /// The host that sends the payload.
    pub by: Speaker,
    /// The title.
    pub title: String,
    /// The body, maybe empty.
    pub body: String,
}

/// One object to append to a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The rule's full name.
    pub rule: String,
    /// The file: begins with `.rules/log/`, else it lies in the user's state directory. Its placeholders
    /// are already single components of `[A-Za-z0-9._-]`.
    pub file: String,
    /// What is written; `now` is filled in by `action`, under the keys listed in `times`.
    pub fields: serde_json::Map<String, Json>,
    /// The keys whose value is the time of writing, RFC 3339 UTC.
    pub times: Vec<String>,
}
