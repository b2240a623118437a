//! The values of a conclaude configuration.

use super::sections::EventSection;
use crate::import::mapping_reader::PlacedValue;
use crate::schema::Event;
use crate::span::Span;

/// A whole configuration.
#[derive(Debug)]
pub(in crate::import) struct ConclaudeConfig {
    pub(in crate::import) files: FileProtections,
    /// `preToolUse.toolUsageValidation`
    pub(in crate::import) tools: Vec<ToolRule>,
    pub(in crate::import) permission: Option<PermissionConfig>,
    /// `userPromptSubmit.contextRules`
    pub(in crate::import) contexts: Vec<ContextRule>,
    /// `userPromptSubmit.commands`
    pub(in crate::import) prompts: Vec<ConclaudeCommand>,
    pub(in crate::import) stop: StopConfig,
    /// The commands of every section that is about an event.
    pub(in crate::import) events: Vec<EventCommands>,
    /// `worktreeCreate`
    pub(in crate::import) worktree: Option<ConclaudeCommand>,
    pub(in crate::import) notifications: Option<NotificationConfig>,
}

/// The protections of files in `preToolUse`.
#[derive(Debug)]
pub(in crate::import) struct FileProtections {
    /// `preventRootAdditions`: whether new files in the project's root are refused, which is the default.
    pub(in crate::import) root_additions: Option<PlacedValue<bool>>,
    /// `preventRootAdditionsMessage`
    pub(in crate::import) root_message: Option<PlacedValue<String>>,
    /// `uneditableFiles`
    pub(in crate::import) uneditable: Vec<UneditableFile>,
    /// `preventAdditions`: globs for directories in which no files may be created.
    pub(in crate::import) additions: Vec<PlacedValue<String>>,
    /// The span of `preventUpdateGitIgnored: true`, which refuses edits of files that git ignores.
    pub(in crate::import) git_ignored: Option<Span>,
    /// The span of `preventGeneratedFileEdits: true`, which later versions do not have.
    pub(in crate::import) generated: Option<Span>,
    /// `generatedFileMessage`
    pub(in crate::import) generated_message: Option<PlacedValue<String>>,
}

/// An entry of `uneditableFiles`: the files that match the pattern must not be edited.
#[derive(Debug)]
pub(in crate::import) struct UneditableFile {
    pub(in crate::import) pattern: PlacedValue<String>,
    pub(in crate::import) message: Option<PlacedValue<String>>,
    /// A glob on the names of the agents to which the entry applies.
    pub(in crate::import) agent: Option<PlacedValue<String>>,
}

/// An entry of `toolUsageValidation`: allows or blocks the calls of a tool that match a pattern.
#[derive(Debug)]
pub(in crate::import) struct ToolRule {
    pub(in crate::import) span: Span,
    pub(in crate::import) tool: PlacedValue<String>,
    pub(in crate::import) action: PlacedValue<ToolAction>,
    /// A glob on the file of a call.
    pub(in crate::import) pattern: Option<PlacedValue<String>>,
    /// A glob on the command of a call.
    pub(in crate::import) command: Option<PlacedValue<String>>,
    /// How much of the command the glob must match; without one, the whole command.
    pub(in crate::import) mode: Option<PlacedValue<MatchMode>>,
    pub(in crate::import) message: Option<PlacedValue<String>>,
    /// A glob on the names of the agents to which the entry applies.
    pub(in crate::import) agent: Option<PlacedValue<String>>,
}

/// The action of an entry of `toolUsageValidation`, or of `permissionRequest.default`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum ToolAction {
    Allow,
    Block,
}

/// How much of a command a glob must match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum MatchMode {
    /// The glob must match the whole command.
    Full,
    /// The glob must match the first words of the command.
    Prefix,
}

/// `permissionRequest`
#[derive(Debug)]
pub(in crate::import) struct PermissionConfig {
    /// The answer for a tool that neither list matches.
    pub(in crate::import) default: PlacedValue<ToolAction>,
    pub(in crate::import) allow: Vec<PlacedValue<String>>,
    pub(in crate::import) deny: Vec<PlacedValue<String>>,
}

/// An entry of `userPromptSubmit.contextRules`: adds a text to a prompt that matches a regex.
#[derive(Debug)]
pub(in crate::import) struct ContextRule {
    pub(in crate::import) pattern: PlacedValue<String>,
    /// The text to add.
    pub(in crate::import) prompt: PlacedValue<String>,
    pub(in crate::import) case: Option<PlacedValue<CaseSensitivity>>,
    /// `enabled`
    pub(in crate::import) state: Option<PlacedValue<EntryState>>,
}

/// Whether a regex distinguishes upper and lower case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum CaseSensitivity {
    Sensitive,
    Insensitive,
}

/// The value of `enabled` in an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum EntryState {
    Enabled,
    Disabled,
}

/// `stop`
#[derive(Debug, Default)]
pub(in crate::import) struct StopConfig {
    pub(in crate::import) commands: Vec<ConclaudeCommand>,
    pub(in crate::import) continuation: Option<StopContinuation>,
}

/// `infinite` or, in older versions, `rounds` of `stop`: keeps the agent going when it wants to stop.
#[derive(Debug)]
pub(in crate::import) struct StopContinuation {
    pub(in crate::import) span: Span,
    pub(in crate::import) message: Option<PlacedValue<String>>,
    /// How many times the agent is kept going; `None` for no limit.
    pub(in crate::import) rounds: Option<PlacedValue<u32>>,
}

/// A command with its options.
#[derive(Debug)]
pub(in crate::import) struct ConclaudeCommand {
    pub(in crate::import) run: PlacedValue<String>,
    pub(in crate::import) message: Option<PlacedValue<String>>,
    /// What is shown of the command: `showCommand`, `showStdout`, `showStderr`.
    pub(in crate::import) visibility: CommandVisibility,
    pub(in crate::import) max_output_lines: Option<PlacedValue<u32>>,
    /// The timeout in seconds.
    pub(in crate::import) timeout: Option<PlacedValue<u32>>,
    /// A regex that the prompt must match, and its case sensitivity.
    pub(in crate::import) pattern: Option<(PlacedValue<String>, Option<PlacedValue<CaseSensitivity>>)>,
    /// A glob on the name of the tool.
    pub(in crate::import) tool: Option<PlacedValue<String>>,
    /// `notifyPerCommand`: whether the command is announced in a notification.
    pub(in crate::import) notify: Option<PlacedValue<bool>>,
}

impl ConclaudeCommand {
    /// Returns a command without options.
    pub(super) fn plain(run: PlacedValue<String>) -> Self {
        let visibility = CommandVisibility { command: None, stdout: None, stderr: None };
        Self {
            run,
            message: None,
            visibility,
            max_output_lines: None,
            timeout: None,
            pattern: None,
            tool: None,
            notify: None,
        }
    }
}

/// What is shown of a command: by default its text, but not its output.
#[derive(Debug)]
pub(in crate::import) struct CommandVisibility {
    pub(in crate::import) command: Option<PlacedValue<Visibility>>,
    pub(in crate::import) stdout: Option<PlacedValue<Visibility>>,
    pub(in crate::import) stderr: Option<PlacedValue<Visibility>>,
}

/// Whether something is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum Visibility {
    Visible,
    Hidden,
}

/// The commands of a section, or of one pattern of the section.
#[derive(Debug)]
pub(in crate::import) struct EventCommands {
    pub(in crate::import) section: &'static EventSection,
    /// `None` if the section has no patterns.
    pub(in crate::import) pattern: Option<PlacedValue<String>>,
    pub(in crate::import) commands: Vec<ConclaudeCommand>,
    /// A condition that every rule of the section has, as source text.
    pub(in crate::import) when: Option<&'static str>,
}

/// `notifications`
#[derive(Debug)]
pub(in crate::import) struct NotificationConfig {
    pub(in crate::import) enabled: Option<PlacedValue<bool>>,
    pub(in crate::import) hooks: Vec<PlacedValue<String>>,
    pub(in crate::import) show_errors: Option<PlacedValue<bool>>,
    pub(in crate::import) show_success: Option<PlacedValue<bool>>,
    pub(in crate::import) show_system_events: Option<PlacedValue<bool>>,
}

impl NotificationConfig {
    /// Whether conclaude sends notifications about an event: they are enabled, and `hooks` lists the event or `*`.
    pub(in crate::import) fn can_announce(&self, event: Event) -> bool {
        let names = |hook: &PlacedValue<String>| hook.peek() == "*" || hook.peek() == event.name();
        self.enabled.as_ref().is_some_and(|enabled| *enabled.peek()) && self.hooks.iter().any(names)
    }
}
