//! rules.toml: the settings of a layer, and how layers are merged.
//!
//! It parses text and reads no files: `project` finds them.

mod read;
mod tools;

use std::collections::BTreeMap;

use crate::diagnostic::Levels;
use crate::limits::{self, LayerLimits};
use crate::span::Span;
use crate::tool_records::ToolRecord;

pub use read::parse;
pub use tools::{RecordId, ShellTools};

/// The layers, from the one with the highest precedence downwards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LayerKind {
    /// `/etc/rules`, the administrator's.
    Managed,
    /// `~/.config/rules`, the account's.
    User,
    /// `.rules`, the repository's.
    Project,
    /// `.rules/local`, not committed.
    Local,
}

impl LayerKind {
    /// All layers, in order.
    pub const ALL: [Self; 4] = [Self::Managed, Self::User, Self::Project, Self::Local];

    /// Whether it is part of the project, so that the project's authors may have written it.
    #[must_use]
    pub fn is_of_project(self) -> bool {
        matches!(self, Self::Project | Self::Local)
    }

    /// Returns the prefix of the names of the layer's rules; empty for the project.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Managed => "managed/",
            Self::User => "user/",
            Self::Project => "",
            Self::Local => "local/",
        }
    }

    /// Returns the limits of the layer.
    #[must_use]
    pub fn limits(self) -> LayerLimits {
        match self {
            Self::Managed | Self::User => limits::TRUSTED,
            Self::Project => limits::PROJECT,
            Self::Local => limits::LOCAL,
        }
    }

    /// Returns the layer's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

/// What happens to a call when a layer does not load, in increasing strictness.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum OnError {
    /// It is allowed.
    Allow,
    /// The user decides.
    #[default]
    Ask,
    /// It is denied.
    Deny,
}

/// How much is written to the log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum LogLevel {
    /// Nothing.
    Off,
    /// Every decision.
    #[default]
    Decisions,
    /// Every payload, too, redacted.
    All,
}

/// How notifications reach the user.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum NotificationChannel {
    /// The desktop if there is one, else the bell.
    #[default]
    Auto,
    /// Desktop notifications.
    Desktop,
    /// The terminal bell.
    Bell,
    /// A command of the user's own, as argv.
    Command(Vec<String>),
}

/// The settings of one layer; `None` or empty if not set.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LayerSettings {
    /// The edition of the language.
    pub edition: Option<u32>,
    /// `on_error`
    pub on_error: Option<OnError>,
    /// The span of `on_error = "allow"`.
    pub fails_open: Option<Span>,
    /// `[log] level`
    pub log: Option<LogLevel>,
    /// `[notifications]`
    pub notifications: NotificationSettings,
    /// `[shell] tools`: further tools, and the input member that is a shell command.
    pub shell_tools: BTreeMap<String, String>,
    /// `[[tool]]`: records of tools.
    pub tool_records: Vec<ToolRecord>,
    /// `[lints]`: the levels of the layer's findings.
    pub lints: Levels,
}

/// The settings of one layer under `[notifications]`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NotificationSettings {
    /// A part of it could not be read. That part might have excluded something, so the layer disables notifications.
    pub is_broken: bool,
    /// `enabled`
    pub enabled: Option<bool>,
    /// `hooks`: globs on the names of events.
    pub hooks: Option<Vec<String>>,
    /// `show_errors`
    pub show_errors: Option<bool>,
    /// `show_success`
    pub show_success: Option<bool>,
    /// `show_system_events`
    pub show_system_events: Option<bool>,
    /// `channel`, with its `command`
    pub channel: Option<NotificationChannel>,
}

/// The effective settings after all layers are merged.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EffectiveSettings {
    /// What happens when a layer does not load.
    pub on_error: OnError,
    /// The log level.
    pub log: LogLevel,
    /// Notifications about events in general.
    pub notifications: EffectiveNotifications,
    /// Further tools, and the input members that are shell commands.
    pub shell_tools: ShellTools,
    /// Whether the project's policy is trusted.
    pub standing: PolicyTrust,
}

/// Whether the user trusts the policy of a project.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PolicyTrust {
    /// Completely.
    #[default]
    Trusted,
    /// The user has not trusted it: only its denials and questions count.
    Untrusted,
}

/// `[notifications]` after all layers are merged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EffectiveNotifications {
    /// Whether events notify in general.
    pub enabled: bool,
    /// The events that do: globs on their names.
    pub hooks: Vec<String>,
    /// Whether a command that fails notifies.
    pub show_errors: bool,
    /// Whether a command that succeeds notifies.
    pub show_success: bool,
    /// Whether events that announce no action notify.
    pub show_system_events: bool,
    /// The channel.
    pub channel: NotificationChannel,
}

impl Default for EffectiveNotifications {
    fn default() -> Self {
        Self {
            enabled: false,
            hooks: vec!["*".to_owned()],
            show_errors: false,
            show_success: false,
            show_system_events: true,
            channel: NotificationChannel::Auto,
        }
    }
}

impl LayerSettings {
    /// Merges a further file of the same layer: its values win, except that the stricter `on_error` wins.
    #[must_use]
    pub fn merged_with(self, further: Self) -> Self {
        let (mine, theirs) = (self.notifications, further.notifications);
        let mut shell_tools = self.shell_tools;
        shell_tools.extend(further.shell_tools);
        let mut tool_records = self.tool_records;
        tool_records.extend(further.tool_records);
        let lints = self.lints.overridden_by(&further.lints);
        Self {
            edition: further.edition.or(self.edition),
            on_error: self.on_error.max(further.on_error),
            fails_open: further.fails_open.or(self.fails_open),
            log: further.log.or(self.log),
            notifications: theirs.merged_over(mine),
            shell_tools,
            tool_records,
            lints,
        }
    }

    /// Returns the shell tools and the tool records of a layer, as used by its own rules.
    #[must_use]
    pub fn tools_of(&self, kind: LayerKind) -> ShellTools {
        Self::merge([(kind, self)]).shell_tools
    }

    /// Merges layers: the strictest `on_error`, all shell tools, and for everything else the value of the highest layer
    /// that sets it. The caller excludes a project that is not trusted.
    ///
    /// A layer without `on_error` asks: otherwise a lower layer would decide for it. The local layer cannot set it.
    #[must_use]
    pub fn merge<'s>(found: impl IntoIterator<Item = (LayerKind, &'s Self)>) -> EffectiveSettings {
        let mut layers: Vec<(LayerKind, &Self)> = found.into_iter().collect();
        layers.sort_by_key(|(kind, _)| *kind);
        let mut on_error = None;
        let mut log = None;
        let mut notifications = NotificationSettings::default();
        let mut shell_tools = ShellTools::default();
        for (kind, settings) in layers {
            if kind != LayerKind::Local {
                on_error = on_error.max(Some(settings.on_error.unwrap_or_default()));
            }
            log = log.or(settings.log);
            notifications = notifications.or_from(settings.notifications.clone().into_layer_contribution());
            for (tool, member) in &settings.shell_tools {
                shell_tools.add_statement(kind, tool, member);
            }
            shell_tools.add_records(kind, &settings.tool_records);
        }
        EffectiveSettings {
            on_error: on_error.unwrap_or_default(),
            log: log.unwrap_or_default(),
            notifications: notifications.into_effective(),
            shell_tools,
            standing: PolicyTrust::Trusted,
        }
    }
}

impl NotificationSettings {
    /// Merges an earlier file of the same layer.
    fn merged_over(self, earlier: Self) -> Self {
        let is_broken = self.is_broken || earlier.is_broken;
        Self { is_broken, ..self.or_from(earlier) }
    }

    /// Returns the contribution of a layer, once all of its files are read.
    fn into_layer_contribution(self) -> Self {
        let enabled = if self.is_broken { Some(false) } else { self.enabled };
        Self { enabled, ..self }
    }

    /// Keeps the values that are set, and takes the others from `other`.
    fn or_from(self, other: Self) -> Self {
        Self {
            is_broken: self.is_broken,
            enabled: self.enabled.or(other.enabled),
            hooks: self.hooks.or(other.hooks),
            show_errors: self.show_errors.or(other.show_errors),
            show_success: self.show_success.or(other.show_success),
            show_system_events: self.show_system_events.or(other.show_system_events),
            channel: self.channel.or(other.channel),
        }
    }

    fn into_effective(self) -> EffectiveNotifications {
        let default = EffectiveNotifications::default();
        EffectiveNotifications {
            enabled: self.enabled.unwrap_or(default.enabled),
            hooks: self.hooks.unwrap_or(default.hooks),
            show_errors: self.show_errors.unwrap_or(default.show_errors),
            show_success: self.show_success.unwrap_or(default.show_success),
            show_system_events: self.show_system_events.unwrap_or(default.show_system_events),
            channel: self.channel.unwrap_or(default.channel),
        }
    }
}

#[cfg(test)]
mod tests;
