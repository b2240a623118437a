//! rules.toml: the settings of a layer, and the merging of the settings of all layers.
//!
//! This module parses text and reads no files: the module `project` finds and reads them.

mod base;
mod read;
mod tools;

use std::collections::BTreeMap;

use crate::diagnostic::Levels;
use crate::limits::{self, LayerLimits};
use crate::span::Span;
use crate::tool_records::ToolRecord;

pub use base::PolicyBase;
pub use read::parse;
pub use tools::{RecordId, ShellTools};

/// A layer: the policy of one place. The order of the variants is that of precedence, the highest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LayerKind {
    /// The administrator's layer: `/etc/rules`.
    Managed,
    /// The user's layer: `~/.config/rules`.
    User,
    /// The repository's layer: the directory `.rules`.
    Project,
    /// The layer of one checkout: `.rules/local`, which is not committed.
    Local,
}

impl LayerKind {
    /// All layers, the one with the highest precedence first.
    pub const ALL: [Self; 4] = [Self::Managed, Self::User, Self::Project, Self::Local];

    /// Whether the layer is part of the project, so that the project's authors may have written it.
    #[must_use]
    pub fn is_of_project(self) -> bool {
        matches!(self, Self::Project | Self::Local)
    }

    /// Returns the prefix of the names of the layer's rules: `user/`; empty for the project.
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

    /// Returns the layer's name in rules.toml and in messages.
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

/// The answer to a call if a layer does not load, in order of strictness.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum OnError {
    /// The call is allowed.
    Allow,
    /// The user is asked.
    #[default]
    Ask,
    /// The call is denied.
    Deny,
}

/// What is recorded in the log of decisions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum LogLevel {
    /// Nothing.
    Off,
    /// Every event that a rule or a problem decided about, with the call in short; an event without any result is not
    /// logged.
    #[default]
    Decisions,
    /// Every event, with its payload; secrets are redacted.
    All,
}

/// How notifications reach the user.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum NotificationChannel {
    /// Desktop notifications if there is a desktop, else the terminal bell.
    #[default]
    Auto,
    /// Desktop notifications.
    Desktop,
    /// The terminal bell.
    Bell,
    /// A command that the user configured, as its program and arguments.
    Command(Vec<String>),
}

/// The settings of one layer; a field is `None` or empty if the layer does not set it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LayerSettings {
    /// `edition`: the version of the policy language.
    pub edition: Option<u32>,
    /// `on_error`: the answer if the layer does not load.
    pub on_error: Option<OnError>,
    /// The span of the value in `on_error = "allow"`; `None` for any other value.
    pub fails_open: Option<Span>,
    /// `zone`: the time zone in which the rules of the layer read the clock, by its name in the IANA database.
    pub zone: Option<TimeZoneSetting>,
    /// `[log] level`: what is logged.
    pub log: Option<LogLevel>,
    /// `[trust] files`: the files of the project that are trusted together with the policy.
    pub trusted_files: Vec<TrustedFileSetting>,
    /// `[notifications]`
    pub notifications: NotificationSettings,
    /// `[shell] tools`: for each further tool with a shell command in its input, the name of the input member with
    /// the command.
    pub shell_tools: BTreeMap<String, String>,
    /// `[[tool]]`: the records of tools that the schema does not have.
    pub tool_records: Vec<ToolRecord>,
    /// `[lints]`: the levels at which the findings about the layer are reported.
    pub lints: Levels,
}

/// A time zone setting as written in rules.toml.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeZoneSetting {
    /// The name of the zone: `Europe/Berlin`.
    pub name: String,
    /// The span of the value.
    pub span: Span,
}

/// An entry of `[trust] files`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrustedFileSetting {
    /// The path, relative to the directory that contains `.rules`.
    pub path: String,
    /// The span of the entry.
    pub span: Span,
}

/// The settings of one layer under `[notifications]`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NotificationSettings {
    /// Whether a part of the section could not be read. That part might have restricted the notifications, so the
    /// layer disables all of them.
    pub is_broken: bool,
    /// `enabled`: whether events notify.
    pub enabled: Option<bool>,
    /// `hooks`: globs on the names of the events that notify.
    pub hooks: Option<Vec<String>>,
    /// `show_errors`: whether a failed command notifies.
    pub show_errors: Option<bool>,
    /// `show_success`: whether a successful command notifies.
    pub show_success: Option<bool>,
    /// `show_system_events`: whether events that announce no action notify.
    pub show_system_events: Option<bool>,
    /// `channel`, with its `command` if it is `"command"`.
    pub channel: Option<NotificationChannel>,
}

/// The settings in effect: those of all layers, merged.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EffectiveSettings {
    /// The answer if a layer does not load.
    pub on_error: OnError,
    /// What is logged.
    pub log: LogLevel,
    /// The merged `[notifications]`.
    pub notifications: EffectiveNotifications,
    /// The further tools with a shell command in their input, and the tool records.
    pub shell_tools: ShellTools,
    /// Whether the user trusts the project's policy.
    pub trust: PolicyTrust,
}

/// Whether the user trusts the policy of a project.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum PolicyTrust {
    /// The user trusts the whole policy, or there is no policy of a project.
    #[default]
    Trusted,
    /// The user has not trusted the policy: only its denials and questions count.
    Untrusted,
}

/// `[notifications]` after all layers are merged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EffectiveNotifications {
    /// Whether events notify at all.
    pub enabled: bool,
    /// Globs on the names of the events that notify.
    pub hooks: Vec<String>,
    /// Whether a command of a rule that fails notifies.
    pub show_errors: bool,
    /// Whether a command of a rule that succeeds notifies.
    pub show_success: bool,
    /// Whether events that announce no action notify.
    pub show_system_events: bool,
    /// How notifications reach the user.
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
    /// Adds the settings of a further file of the same layer. A value of the further file replaces one of `self`,
    /// except that the stricter `on_error` wins.
    #[must_use]
    pub fn merged_with(self, further: Self) -> Self {
        let (earlier, later) = (self.notifications, further.notifications);
        let mut shell_tools = self.shell_tools;
        shell_tools.extend(further.shell_tools);
        let mut tool_records = self.tool_records;
        tool_records.extend(further.tool_records);
        let lints = self.lints.overridden_by(&further.lints);
        let mut trusted_files = self.trusted_files;
        trusted_files.extend(further.trusted_files);
        Self {
            edition: further.edition.or(self.edition),
            on_error: self.on_error.max(further.on_error),
            fails_open: further.fails_open.or(self.fails_open),
            zone: further.zone.or(self.zone),
            log: further.log.or(self.log),
            trusted_files,
            notifications: later.merged_over(earlier),
            shell_tools,
            tool_records,
            lints,
        }
    }

    /// Returns the shell tools and tool records that the rules of a layer with these settings use, without those of
    /// other layers.
    #[must_use]
    pub fn tools_of(&self, kind: LayerKind) -> ShellTools {
        Self::merge([(kind, self)]).shell_tools
    }

    /// Merges the settings of layers: the strictest `on_error`, the shell tools and tool records of all layers, and
    /// for everything else the value of the highest layer that sets it. The caller leaves out a project that is not
    /// trusted.
    ///
    /// A layer without `on_error` counts as `ask`: otherwise the `allow` of a lower layer would apply to it. The
    /// `on_error` of the local layer is ignored.
    #[must_use]
    pub fn merge<'s>(layers: impl IntoIterator<Item = (LayerKind, &'s Self)>) -> EffectiveSettings {
        let mut layers: Vec<(LayerKind, &Self)> = layers.into_iter().collect();
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
                shell_tools.add_shell_member(kind, tool, member);
            }
            shell_tools.add_records(kind, &settings.tool_records);
        }
        EffectiveSettings {
            on_error: on_error.unwrap_or_default(),
            log: log.unwrap_or_default(),
            notifications: notifications.into_effective(),
            shell_tools,
            trust: PolicyTrust::Trusted,
        }
    }
}

impl NotificationSettings {
    /// Takes each unset value from an earlier file of the same layer. The result is broken if either of them is.
    fn merged_over(self, earlier: Self) -> Self {
        let is_broken = self.is_broken || earlier.is_broken;
        Self { is_broken, ..self.or_from(earlier) }
    }

    /// Returns the settings to merge with other layers: notifications are disabled if a part of the settings could
    /// not be read.
    fn into_layer_contribution(self) -> Self {
        let enabled = if self.is_broken { Some(false) } else { self.enabled };
        Self { enabled, ..self }
    }

    /// Takes each unset value from `other`; `is_broken` is unchanged.
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

    /// Returns the effective settings, with the default for each value that is not set.
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
