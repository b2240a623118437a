//! The values of a configuration.

use super::sections::EventSection;
use crate::import::mapping_reader::PlacedValue;
use crate::schema::Event;
use crate::span::Span;

/// A whole configuration.
#[derive(Debug)]
pub(in crate::import) struct ConclaudeConfig {
    pub(in crate::import) files: FileProtections,
    pub(in crate::import) tools: Vec<ToolRule>,
    pub(in crate::import) permission: Option<PermissionConfig>,
    pub(in crate::import) contexts: Vec<ContextRule>,
    /// `userPromptSubmit.commands`
    pub(in crate::import) prompts: Vec<ConclaudeCommand>,
    pub(in crate::import) stop: StopConfig,
    pub(in crate::import) events: Vec<EventCommands>,
    /// `worktreeCreate`
    pub(in crate::import) worktree: Option<ConclaudeCommand>,
    pub(in crate::import) notifications: Option<NotificationConfig>,
}

/// The protections of `preToolUse`.
#[derive(Debug)]
pub(in crate::import) struct FileProtections {
    /// `preventRootAdditions`, which is on by default.
    pub(in crate::import) root_additions: Option<PlacedValue<bool>>,
    pub(in crate::import) root_message: Option<PlacedValue<String>>,
    pub(in crate::import) uneditable: Vec<UneditableFile>,
    pub(in crate::import) additions: Vec<PlacedValue<String>>,
    /// The place of `preventUpdateGitIgnored: true`.
    pub(in crate::import) git_ignored: Option<Span>,
    /// The place of `preventGeneratedFileEdits: true`, which later versions do not know.
    pub(in crate::import) generated: Option<Span>,
    pub(in crate::import) generated_message: Option<PlacedValue<String>>,
}

/// An entry of `uneditableFiles`.
#[derive(Debug)]
pub(in crate::import) struct UneditableFile {
    pub(in crate::import) pattern: PlacedValue<String>,
    pub(in crate::import) message: Option<PlacedValue<String>>,
    pub(in crate::import) agent: Option<PlacedValue<String>>,
}

/// An entry of `toolUsageValidation`.
#[derive(Debug)]
pub(in crate::import) struct ToolRule {
    pub(in crate::import) span: Span,
    pub(in crate::import) tool: PlacedValue<String>,
    pub(in crate::import) action: PlacedValue<ToolAction>,
    pub(in crate::import) pattern: Option<PlacedValue<String>>,
    pub(in crate::import) command: Option<PlacedValue<String>>,
    /// Without one, the whole command.
    pub(in crate::import) mode: Option<PlacedValue<MatchMode>>,
    pub(in crate::import) message: Option<PlacedValue<String>>,
    pub(in crate::import) agent: Option<PlacedValue<String>>,
}

/// The action of an entry of `toolUsageValidation`, or of a default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum ToolAction {
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
pub(in crate::import) struct PermissionConfig {
    pub(in crate::import) default: PlacedValue<ToolAction>,
    pub(in crate::import) allow: Vec<PlacedValue<String>>,
    pub(in crate::import) deny: Vec<PlacedValue<String>>,
}

/// An entry of `userPromptSubmit.contextRules`.
#[derive(Debug)]
pub(in crate::import) struct ContextRule {
    pub(in crate::import) pattern: PlacedValue<String>,
    pub(in crate::import) prompt: PlacedValue<String>,
    pub(in crate::import) case: Option<PlacedValue<CaseSensitivity>>,
    pub(in crate::import) state: Option<PlacedValue<EntryState>>,
}

/// Whether a regex distinguishes upper and lower case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import) enum CaseSensitivity {
    Sensitive,
    Insensitive,
}

/// `enabled`
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

/// `infinite`, or `rounds` of older versions: the agent goes on instead of stopping.
#[derive(Debug)]
pub(in crate::import) struct StopContinuation {
    pub(in crate::import) span: Span,
    pub(in crate::import) message: Option<PlacedValue<String>>,
    /// How often; forever without a number.
    pub(in crate::import) rounds: Option<PlacedValue<u32>>,
}

/// A command with its options.
#[derive(Debug)]
pub(in crate::import) struct ConclaudeCommand {
    pub(in crate::import) run: PlacedValue<String>,
    pub(in crate::import) message: Option<PlacedValue<String>>,
    pub(in crate::import) visibility: CommandVisibility,
    pub(in crate::import) max_output_lines: Option<PlacedValue<u32>>,
    /// In seconds.
    pub(in crate::import) timeout: Option<PlacedValue<u32>>,
    /// A regex on the prompt.
    pub(in crate::import) pattern: Option<(PlacedValue<String>, Option<PlacedValue<CaseSensitivity>>)>,
    /// A glob on the tool's name.
    pub(in crate::import) tool: Option<PlacedValue<String>>,
    /// `notifyPerCommand`
    pub(in crate::import) notify: Option<PlacedValue<bool>>,
}

impl ConclaudeCommand {
    /// Makes a command without options.
    pub(super) fn plain(run: PlacedValue<String>) -> Self {
        let shown = CommandVisibility { command: None, stdout: None, stderr: None };
        Self {
            run,
            message: None,
            visibility: shown,
            max_output_lines: None,
            timeout: None,
            pattern: None,
            tool: None,
            notify: None,
        }
    }
}

/// The visible parts of a command: by default the command itself, without its streams.
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

/// The commands of one pattern of a section.
#[derive(Debug)]
pub(in crate::import) struct EventCommands {
    pub(in crate::import) section: &'static EventSection,
    /// `None` if the section has no patterns.
    pub(in crate::import) pattern: Option<PlacedValue<String>>,
    pub(in crate::import) commands: Vec<ConclaudeCommand>,
    /// The section's own condition.
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
    /// Whether conclaude sends notifications about an event at all.
    pub(in crate::import) fn can_announce(&self, event: Event) -> bool {
        let names = |hook: &PlacedValue<String>| hook.peek() == "*" || hook.peek() == event.name();
        self.enabled.as_ref().is_some_and(|enabled| *enabled.peek()) && self.hooks.iter().any(names)
    }
}
