//! The header of a cache file: from what the policy was made, and the settings, which every event needs.

use std::path::PathBuf;

use crate::config::{EffectiveNotifications, EffectiveSettings, LogLevel, NotificationChannel, OnError, PolicyTrust};
use crate::history::MarkId;
use crate::project::{FileStamp, LoadInput, TrustRequirement};
use crate::wire::{wire_enum, wire_struct};

/// What a cached policy depends on besides its sources. The hash of this key is the name of the cache file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CacheKey {
    /// The binary that compiled the policy.
    pub(super) binary: FileStamp,
    /// The directories of all layers, as [`Discovery::identity`](crate::project::Discovery::identity) returns them.
    pub(super) discovered: Vec<Option<PathBuf>>,
    /// Whether the project's policy needs the user's trust.
    pub(super) trust: TrustRequirement,
    /// The state directory with the user's trust; `None` if no policy needs it, or there is none.
    pub(super) trust_store: Option<PathBuf>,
}

/// The part of a cache file before the image.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    /// What the policy depends on besides its sources.
    pub(super) key: CacheKey,
    /// The merged settings of the layers.
    pub(super) settings: EffectiveSettings,
    /// The files and directories that were read for the policy.
    pub(super) seen: Vec<LoadInput>,
    /// The identity of the policy in the log.
    pub(super) mark: String,
    /// The ids of the marks that the policy defines.
    pub(super) remembered: Vec<MarkId>,
}

wire_struct!(CacheKey { binary, discovered, trust, trust_store });
wire_struct!(Header { key, settings, seen, mark, remembered });
wire_struct!(EffectiveSettings { on_error, log, notifications, shell_tools, trust });
wire_enum!(TrustRequirement { 0 = NotRequired, 1 = ForNamedFiles, 2 = Required });
wire_enum!(PolicyTrust { 0 = Trusted, 1 = Untrusted });
wire_enum!(OnError { 0 = Allow, 1 = Ask, 2 = Deny });
wire_enum!(LogLevel { 0 = Off, 1 = Decisions, 2 = All });
wire_struct!(EffectiveNotifications { enabled, hooks, show_errors, show_success, show_system_events, channel });
wire_enum!(NotificationChannel { 0 = Auto, 1 = Desktop, 2 = Bell, 3 = Command(argv) });
