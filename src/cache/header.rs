//! The header of an image: its origin, and the settings, which every event needs.

use std::path::PathBuf;

use crate::config::{EffectiveNotifications, EffectiveSettings, LogLevel, NotificationChannel, OnError, PolicyTrust};
use crate::project::{FileStamp, LoadInput};
use crate::wire::{wire_enum, wire_struct};

/// The lookup key of a compiled policy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CacheKey {
    /// The binary that compiled it.
    pub(super) binary: FileStamp,
    /// The directories that discovery found.
    pub(super) discovered: Vec<Option<PathBuf>>,
    /// The directory of the user's trust, if the project's policy requires it.
    pub(super) trusts: Option<Option<PathBuf>>,
}

/// The header that precedes an image.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    /// The lookup key.
    pub(super) key: CacheKey,
    /// The settings of all layers.
    pub(super) settings: EffectiveSettings,
    /// The files and directories that were read.
    pub(super) seen: Vec<LoadInput>,
    /// The identity of the policy in the log.
    pub(super) mark: String,
}

wire_struct!(CacheKey { binary, discovered, trusts });
wire_struct!(Header { key, settings, seen, mark });
wire_struct!(EffectiveSettings { on_error, log, notifications, shell_tools, trust });
wire_enum!(PolicyTrust { 0 = Trusted, 1 = Untrusted });
wire_enum!(OnError { 0 = Allow, 1 = Ask, 2 = Deny });
wire_enum!(LogLevel { 0 = Off, 1 = Decisions, 2 = All });
wire_struct!(EffectiveNotifications { enabled, hooks, show_errors, show_success, show_system_events, channel });
wire_enum!(NotificationChannel { 0 = Auto, 1 = Desktop, 2 = Bell, 3 = Command(argv) });
