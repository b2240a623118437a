//! The values of a configuration.

use super::sections::Section;
use crate::import::read::At;
use crate::schema::Event;
use crate::span::Span;

/// A whole configuration.
#[derive(Debug)]
pub(in crate::import) struct Config {
    pub(in crate::import) files: Files,
    pub(in crate::import) tools: Vec<ToolRule>,
    pub(in crate::import) permission: Option<Permission>,
    pub(in crate::import) contexts: Vec<ContextRule>,
    /// `userPromptSubmit.commands`
    pub(in crate::import) prompts: Vec<Command>,
    pub(in crate::import) stop: Stop,
    pub(in crate::import) events: Vec<EventCommands>,
    /// `worktreeCreate`
    pub(in crate::import) worktree: Option<Command>,
    pub(in crate::import) notifications: Option<Notifications>,
}

/// The protections of `preToolUse`.
#[derive(Debug)]
pub(in crate::import) struct Files {
    /// `preventRootAdditions`, which is on by default.
    pub(in crate::import) root_additions: Option<At<bool>>,
    pub(in crate::import) root_message: Option<At<String>>,
    pub(in crate::import) uneditable: Vec<Uneditable>,
    pub(in crate::import) additions: Vec<At<String>>,
    /// The place of `preventUpdateGitIgnored: true`.
    pub(in crate::import) git_ignored: Option<Span>,
    /// The place of `preventGeneratedFileEdits: true`, which later versions do not know.
    pub(in crate::import) generated: Option<Span>,
    pub(in crate::import) generated_message: Option<At<String>>,
}

/// An entry of `uneditableFiles`.
#[derive(Debug)]
pub(in crate::import) struct Uneditable {
    pub(in crate::import) pattern: At<String>,
    pub(in crate::import) message: Option<At<String>>,
    pub(in crate::import) agent: Option<At<String>>,
}

/// An entry of `toolUsageValidation`.
#[derive(Debug)]
pub(in crate::import) struct ToolRule {
    pub(in crate::import) span: Span,
    pub(in crate::import) tool: At<String>,
    pub(in crate::import) action: At<Action>,
    pub(in crate::import) pattern: Option<At<String>>,
    pub(in crate::import) command: Option<At<String>>,
    /// Without one, the whole command.
    pub(in crate::import) mode: Option<At<MatchMode>>,
    pub(in crate::import) message: Option<At<String>>,
    pub(in crate::import) agent: Option<At<String>>,
}

/// The action of an entry of `toolUsageValidation`, or of a default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum Action {
    Allow,
    Block,
}

/// How much of a command a pattern has to cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum MatchMode {
    /// The whole command.
    Full,
    /// Its first words.
    Prefix,
}

/// `permissionRequest`
#[derive(Debug)]
pub(in crate::import) struct Permission {
    pub(in crate::import) default: At<Action>,
    pub(in crate::import) allow: Vec<At<String>>,
    pub(in crate::import) deny: Vec<At<String>>,
}

/// An entry of `userPromptSubmit.contextRules`.
#[derive(Debug)]
pub(in crate::import) struct ContextRule {
    pub(in crate::import) pattern: At<String>,
    pub(in crate::import) prompt: At<String>,
    pub(in crate::import) case: Option<At<Case>>,
    pub(in crate::import) state: Option<At<State>>,
}

/// Whether a regex distinguishes upper and lower case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum Case {
    Told,
    Ignored,
}

/// `enabled`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum State {
    On,
    Off,
}

/// `stop`
#[derive(Debug, Default)]
pub(in crate::import) struct Stop {
    pub(in crate::import) commands: Vec<Command>,
    pub(in crate::import) goes_on: Option<GoesOn>,
}

/// `infinite`, or `rounds` of older versions: the agent goes on instead of stopping.
#[derive(Debug)]
pub(in crate::import) struct GoesOn {
    pub(in crate::import) span: Span,
    pub(in crate::import) message: Option<At<String>>,
    /// How often; forever without a number.
    pub(in crate::import) rounds: Option<At<u32>>,
}

/// A command with its options.
#[derive(Debug)]
pub(in crate::import) struct Command {
    pub(in crate::import) run: At<String>,
    pub(in crate::import) message: Option<At<String>>,
    pub(in crate::import) shown: Shown,
    pub(in crate::import) max_output_lines: Option<At<u32>>,
    /// In seconds.
    pub(in crate::import) timeout: Option<At<u32>>,
    /// A regex on the prompt.
    pub(in crate::import) pattern: Option<(At<String>, Option<At<Case>>)>,
    /// A glob on the tool's name.
    pub(in crate::import) tool: Option<At<String>>,
    /// `notifyPerCommand`
    pub(in crate::import) notify: Option<At<bool>>,
}

impl Command {
    /// Makes a command without options.
    pub(super) fn plain(run: At<String>) -> Self {
        let shown = Shown { command: None, stdout: None, stderr: None };
        Self {
            run,
            message: None,
            shown,
            max_output_lines: None,
            timeout: None,
            pattern: None,
            tool: None,
            notify: None,
        }
    }
}

/// What the user sees of a command: by default the command, and neither of its streams.
#[derive(Debug)]
pub(in crate::import) struct Shown {
    pub(in crate::import) command: Option<At<Visibility>>,
    pub(in crate::import) stdout: Option<At<Visibility>>,
    pub(in crate::import) stderr: Option<At<Visibility>>,
}

/// Whether something is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum Visibility {
    Shown,
    Hidden,
}

/// The commands of one pattern of a section.
#[derive(Debug)]
pub(in crate::import) struct EventCommands {
    pub(in crate::import) section: &'static Section,
    /// `None` if the section has no patterns.
    pub(in crate::import) pattern: Option<At<String>>,
    pub(in crate::import) commands: Vec<Command>,
    /// The section's own condition.
    pub(in crate::import) when: Option<&'static str>,
}

/// `notifications`
#[derive(Debug)]
pub(in crate::import) struct Notifications {
    pub(in crate::import) enabled: Option<At<bool>>,
    pub(in crate::import) hooks: Vec<At<String>>,
    pub(in crate::import) show_errors: Option<At<bool>>,
    pub(in crate::import) show_success: Option<At<bool>>,
    pub(in crate::import) show_system_events: Option<At<bool>>,
}

impl Notifications {
    /// Whether conclaude sends notifications about an event at all.
    pub(in crate::import) fn announce(&self, event: Event) -> bool {
        let names = |hook: &At<String>| hook.peek() == "*" || hook.peek() == event.name();
        self.enabled.as_ref().is_some_and(|enabled| *enabled.peek()) && self.hooks.iter().any(names)
    }
}
