//! Test cases: settings files with one unusual value each, and how much each tested version of the host ignores because
//! of it.

use super::IgnoredPart;
use IgnoredPart::{Entry, File, Hooks, Nothing};

/// A test case: a settings file, and how much of it the host ignores.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What is unusual in the file.
    pub name: &'static str,
    /// The text of the file. It has [`GOOD`] in place of a valid hook on PreToolUse for every tool.
    pub settings: &'static str,
    /// How much 2.1.197, 2.1.330 and 2.1.332 ignore. If it is the whole file or all its hooks, the valid hook does not
    /// run.
    pub ignored: [IgnoredPart; 3],
}

/// The placeholder in [`Row::settings`] for a valid hook.
pub const GOOD: &str = "GOOD";

impl Row {
    /// Returns the text of the file with a hook, given as a JSON object, in place of [`GOOD`].
    #[must_use]
    pub fn settings_with(&self, good: &str) -> String {
        self.settings.replace(GOOD, good)
    }

    /// Whether the valid hook runs on the version at this index of [`Self::ignored`].
    #[must_use]
    pub fn is_hook_kept(&self, version: usize) -> bool {
        self.ignored.get(version).is_some_and(|ignored| *ignored <= Entry)
    }
}

/// Creates a row.
const fn row(name: &'static str, settings: &'static str, ignored: [IgnoredPart; 3]) -> Row {
    Row { name, settings, ignored }
}

/// Builds a file with the valid hook and other members.
macro_rules! with {
    ($members:literal) => {
        concat!("{", $members, r#", "hooks": {"PreToolUse": [{"matcher": "*", "hooks": [GOOD]}]}}"#)
    };
}

/// Builds a file with the valid hook and another event.
macro_rules! with_event {
    ($event:literal) => {
        concat!(r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [GOOD]}], "#, $event, "}}")
    };
}

/// Builds a file with the valid hook and another group on PreToolUse.
macro_rules! with_matcher {
    ($matcher:literal) => {
        concat!(r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [GOOD]}, "#, $matcher, "]}}")
    };
}

/// Builds a file with the valid hook and another hook on PreToolUse, whose matcher matches no tool.
macro_rules! with_hook {
    ($hook:literal) => {
        concat!(
            r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [GOOD]}, {"matcher": "Nothing", "hooks": ["#,
            $hook,
            "]}]}}"
        )
    };
}

/// Builds a file with the valid hook and a hook on Stop.
macro_rules! with_stop {
    ($hook:literal) => {
        concat!(r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [GOOD]}], "Stop": [{"hooks": ["#, $hook, "]}]}}")
    };
}

/// For an invalid hook that does not guard calls: the oldest version ignores the file, and newer ones ignore only the
/// entry.
const WHERE_IT_GUARDS: [IgnoredPart; 3] = [File, Entry, Entry];
/// Every tested version ignores the file.
const ALWAYS: [IgnoredPart; 3] = [File; 3];
/// Only the oldest version ignores the file; newer ones accept the value.
const OLDER: [IgnoredPart; 3] = [File, Nothing, Nothing];
/// Only newer versions ignore the file; the oldest one does not check the value.
const NEWER: [IgnoredPart; 3] = [Nothing, File, File];

/// All test cases.
pub const ROWS: &[Row] = &[
    row("nothing", with!(r#""model": "sonnet""#), [Nothing; 3]),
    row("the valid hook alone", r#"{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [GOOD]}]}}"#, [Nothing; 3]),
    // Hooks where they guard calls.
    row("an unknown type", with_hook!(r#"{"type": "webhook", "url": "https://example.com"}"#), ALWAYS),
    row("the type of a plugin's hook", with_hook!(r#"{"type": "script", "file": "a.js"}"#), ALWAYS),
    row("a type that is no text", with_hook!(r#"{"type": 5, "command": "true"}"#), ALWAYS),
    row("no type", with_hook!(r#"{"command": "true"}"#), ALWAYS),
    row("no command", with_hook!(r#"{"type": "command"}"#), ALWAYS),
    row("a command that is a list", with_hook!(r#"{"type": "command", "command": ["true"]}"#), ALWAYS),
    row("a timeout that is a text", with_hook!(r#"{"type": "command", "command": "true", "timeout": "5"}"#), ALWAYS),
    row("a timeout of 0", with_hook!(r#"{"type": "command", "command": "true", "timeout": 0}"#), ALWAYS),
    row("a timeout below 0", with_hook!(r#"{"type": "command", "command": "true", "timeout": -1}"#), ALWAYS),
    row("a timeout that is null", with_hook!(r#"{"type": "command", "command": "true", "timeout": null}"#), ALWAYS),
    row("a timeout below 1", with_hook!(r#"{"type": "command", "command": "true", "timeout": 0.5}"#), [Nothing; 3]),
    row("args that are a text", with_hook!(r#"{"type": "command", "command": "true", "args": "x"}"#), ALWAYS),
    row("args with a number", with_hook!(r#"{"type": "command", "command": "true", "args": [1]}"#), ALWAYS),
    row("an if that is a list", with_hook!(r#"{"type": "command", "command": "true", "if": ["Bash"]}"#), ALWAYS),
    row("an unknown shell", with_hook!(r#"{"type": "command", "command": "true", "shell": "zsh"}"#), ALWAYS),
    row("an async that is a text", with_hook!(r#"{"type": "command", "command": "true", "async": "no"}"#), ALWAYS),
    row("a once that is a number", with_hook!(r#"{"type": "command", "command": "true", "once": 1}"#), ALWAYS),
    row("an unknown onFailure", with_hook!(r#"{"type": "command", "command": "true", "onFailure": "bogus"}"#), NEWER),
    row(
        "an unknown onFailure of a tool",
        with_hook!(r#"{"type": "mcp_tool", "server": "a", "tool": "b", "onFailure": "bogus"}"#),
        [Nothing; 3],
    ),
    row("a prompt without a prompt", with_hook!(r#"{"type": "prompt"}"#), ALWAYS),
    row("an agent without a prompt", with_hook!(r#"{"type": "agent", "model": "haiku"}"#), ALWAYS),
    row("a URL without a scheme", with_hook!(r#"{"type": "http", "url": "example.com/hook"}"#), ALWAYS),
    row(
        "a header that is a number",
        with_hook!(r#"{"type": "http", "url": "https://example.com", "headers": {"A": 1}}"#),
        ALWAYS,
    ),
    row("a tool without a server", with_hook!(r#"{"type": "mcp_tool", "tool": "b"}"#), ALWAYS),
    row("a hook that is a text", with_hook!(r#""true""#), ALWAYS),
    row("an unknown member", with_hook!(r#"{"type": "command", "command": "true", "foo": 1}"#), [Nothing; 3]),
    row("a matcher that is a number", with_matcher!(r#"{"matcher": 5, "hooks": []}"#), ALWAYS),
    row("a matcher that is null", with_matcher!(r#"{"matcher": null, "hooks": []}"#), ALWAYS),
    row("a matcher without hooks", with_matcher!(r#"{"matcher": "Nothing"}"#), ALWAYS),
    row("hooks of a matcher that are an object", with_matcher!(r#"{"matcher": "Nothing", "hooks": {}}"#), ALWAYS),
    row("a matcher that is a text", with_matcher!(r#""Nothing""#), ALWAYS),
    row("a matcher that is no regex", with_matcher!(r#"{"matcher": "[", "hooks": []}"#), [Nothing; 3]),
    row(
        "an unknown member of a matcher",
        with_matcher!(r#"{"matcher": "Nothing", "hooks": [], "foo": 1}"#),
        [Nothing; 3],
    ),
    row(
        "no command on PermissionRequest",
        with_event!(r#""PermissionRequest": [{"hooks": [{"type": "command"}]}]"#),
        ALWAYS,
    ),
    row(
        "no command on PreSkillShellCommand",
        with_event!(r#""PreSkillShellCommand": [{"hooks": [{"type": "command"}]}]"#),
        [Entry, Entry, File],
    ),
    // Hooks elsewhere.
    row("an unknown type on Stop", with_stop!(r#"{"type": "webhook", "url": "https://example.com"}"#), WHERE_IT_GUARDS),
    row("no command on Stop", with_stop!(r#"{"type": "command"}"#), WHERE_IT_GUARDS),
    row(
        "a timeout of 0 on Stop",
        with_stop!(r#"{"type": "command", "command": "true", "timeout": 0}"#),
        WHERE_IT_GUARDS,
    ),
    row(
        "an unknown onFailure on Stop",
        with_stop!(r#"{"type": "command", "command": "true", "onFailure": "bogus"}"#),
        [Nothing, Entry, Entry],
    ),
    row("a matcher that is a number on Stop", with_event!(r#""Stop": [{"matcher": 5, "hooks": []}]"#), WHERE_IT_GUARDS),
    row("a matcher without hooks on Stop", with_event!(r#""Stop": [{"matcher": "x"}]"#), WHERE_IT_GUARDS),
    row(
        "no command on PostToolUse",
        with_event!(r#""PostToolUse": [{"hooks": [{"type": "command"}]}]"#),
        WHERE_IT_GUARDS,
    ),
    // Events.
    row("an unknown event", with_event!(r#""PreToolUsed": [{"hooks": [{"type": "command"}]}]"#), [Entry; 3]),
    row(
        "an unknown event with a matcher",
        with_event!(r#""Foo": {"matcher": "*", "hooks": [GOOD]}"#),
        [Entry, File, File],
    ),
    row("an event that is an object", with_event!(r#""Stop": {}"#), [Entry; 3]),
    row("an event that is null", with_event!(r#""Stop": null"#), [Entry; 3]),
    row("PermissionRequest as an object", with_event!(r#""PermissionRequest": {}"#), [Entry, File, File]),
    row("PermissionRequest as null", with_event!(r#""PermissionRequest": null"#), [Entry; 3]),
    row("PreToolUse in another event", with_event!(r#""Stop": [{"PreToolUse": [{"hooks": []}]}]"#), ALWAYS),
    row("hooks in hooks", with_event!(r#""hooks": {"PreToolUse": [{"hooks": []}]}"#), [Entry, File, File]),
    row("hooks that are a list of matchers", r#"{"hooks": [{"matcher": "*", "hooks": [GOOD]}]}"#, [Hooks, File, File]),
    row("hooks that are a list", r#"{"hooks": []}"#, [Hooks; 3]),
    row("hooks that are null", r#"{"hooks": null}"#, [Hooks; 3]),
    // Hooks in a wrong place.
    row("PreToolUse outside of hooks", with!(r#""PreToolUse": [{"hooks": []}]"#), NEWER),
    row("an empty PreToolUse outside of hooks", with!(r#""PreToolUse": []"#), [Nothing; 3]),
    row("a matcher outside of hooks", with!(r#""foo": [{"matcher": "*", "hooks": [GOOD]}]"#), NEWER),
    row("PreToolUse in an unknown member", with!(r#""foo": {"bar": {"PreToolUse": [{"hooks": []}]}}"#), NEWER),
    row("PreToolUse of a server", with!(r#""mcpServers": {"a": {"PreToolUse": [{"hooks": []}]}}"#), [Nothing; 3]),
    row("Stop outside of hooks", with!(r#""Stop": [{"hooks": [{"type": "command"}]}]"#), [Nothing; 3]),
    // Permissions.
    row("permissions that are a list", with!(r#""permissions": []"#), ALWAYS),
    row("permissions.allow that is a text", with!(r#""permissions": {"allow": "x"}"#), ALWAYS),
    row("permissions.ask that is an object", with!(r#""permissions": {"ask": {}}"#), ALWAYS),
    row("permissions.deny that is null", with!(r#""permissions": {"deny": null}"#), ALWAYS),
    row("permissions.allow with a number", with!(r#""permissions": {"allow": [5]}"#), [Nothing; 3]),
    row("permissions.allow with a rule that is none", with!(r#""permissions": {"allow": ["Bash("]}"#), [Nothing; 3]),
    row("an unknown member of permissions", with!(r#""permissions": {"foo": 5}"#), [Nothing; 3]),
    row("permissions.defaultMode that is a number", with!(r#""permissions": {"defaultMode": 5}"#), ALWAYS),
    row("an unknown permissions.defaultMode", with!(r#""permissions": {"defaultMode": "bogus"}"#), ALWAYS),
    row("a permissions.defaultMode", with!(r#""permissions": {"defaultMode": "acceptEdits"}"#), [Nothing; 3]),
    row("additionalDirectories that are a text", with!(r#""permissions": {"additionalDirectories": "x"}"#), ALWAYS),
    row(
        "an unknown disableBypassPermissionsMode",
        with!(r#""permissions": {"disableBypassPermissionsMode": true}"#),
        ALWAYS,
    ),
    // Other settings.
    row("an unknown setting", with!(r#""foo": 5"#), [Nothing; 3]),
    row("a model that is a number", with!(r#""model": 5"#), ALWAYS),
    row("an env that is a text", with!(r#""env": "A=1""#), ALWAYS),
    row("an env with a number", with!(r#""env": {"A": 1}"#), [Nothing; 3]),
    row("a disableAllHooks that is a text", with!(r#""disableAllHooks": "no""#), ALWAYS),
    row("a cleanupPeriodDays of 0", with!(r#""cleanupPeriodDays": 0"#), ALWAYS),
    row("a cleanupPeriodDays that is no whole number", with!(r#""cleanupPeriodDays": 1.5"#), ALWAYS),
    row("an outputStyle that is a list", with!(r#""outputStyle": []"#), ALWAYS),
    row("availableModels that are a text", with!(r#""availableModels": "sonnet""#), ALWAYS),
    row("a statusLine that is a text", with!(r#""statusLine": "x""#), ALWAYS),
    row("a statusLine of an unknown type", with!(r#""statusLine": {"type": "bogus", "command": "true"}"#), ALWAYS),
    row("a statusLine without a command", with!(r#""statusLine": {"type": "command"}"#), ALWAYS),
    row(
        "a statusLine with a padding that is a text",
        with!(r#""statusLine": {"type": "command", "command": "true", "padding": "x"}"#),
        ALWAYS,
    ),
    row("a statusLine", with!(r#""statusLine": {"type": "command", "command": "true", "padding": 0}"#), [Nothing; 3]),
    row("enabledMcpjsonServers that are a text", with!(r#""enabledMcpjsonServers": "x""#), OLDER),
    row("disabledMcpjsonServers that are a text", with!(r#""disabledMcpjsonServers": "x""#), OLDER),
    row("enabledMcpjsonServers that are a text with a blank", with!(r#""enabledMcpjsonServers": "x y""#), ALWAYS),
    row("enabledMcpjsonServers with a number", with!(r#""enabledMcpjsonServers": [5]"#), ALWAYS),
    row("a sandbox that is a text", with!(r#""sandbox": "x""#), ALWAYS),
    row("enabledPlugins that are a text", with!(r#""enabledPlugins": "x""#), ALWAYS),
    row("settings that are a list", "[]", ALWAYS),
];
