//! Claude Code's schema for its settings files, and how much the host ignores because of an invalid value: the whole
//! file, all hooks in it, or only the entry with the value.
//!
//! The tables were taken from 2.1.197 and 2.1.332, and every row of `rows` was tested with these versions and with
//! 2.1.330. A member that is in no table may have any value.

mod kind;
#[cfg(any(test, feature = "internals"))]
mod rows;

use std::ops::Range;

#[cfg(any(test, feature = "internals"))]
pub use rows::{GOOD, ROWS, Row};

use super::SettingsScope;
use super::document::{JsonDocument, JsonMember, JsonNode, NodeValue};
use super::version::{BLOCKS_FAILURES, SALVAGES_HOOKS, TAKES_SERVER_NAME};
use crate::schema::{Event, HostVersion};
use kind::SettingsValueKind;

/// How much of a file the host ignores because of an invalid value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum IgnoredPart {
    /// The host reads the whole file.
    #[cfg(any(test, feature = "internals"))]
    Nothing,
    /// The host ignores only the entry with the value: a hook, a group of hooks, or an event.
    Entry,
    /// The host ignores every hook of the file.
    Hooks,
    /// The host ignores the whole file.
    File,
}

/// A value that the schema does not allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What is wrong, as a phrase that begins with the path of the value.
    pub message: String,
    /// The byte range of the value.
    pub place: Range<usize>,
    /// How much of the file the host ignores because of the value.
    pub ignored: IgnoredPart,
    /// The byte range of the ignored entry; if more than an entry is ignored, that of the value.
    pub entry: Range<usize>,
}

/// The requirements of the host for one member of an object.
struct MemberRule {
    name: &'static str,
    /// The type that the value must have.
    kind: SettingsValueKind,
    /// Whether the member must be present.
    is_required: bool,
    /// The first version of the host that checks the member.
    since: HostVersion,
}

/// Creates the requirements for a member that may be absent.
const fn optional_member(name: &'static str, kind: SettingsValueKind) -> MemberRule {
    MemberRule { name, kind, is_required: false, since: HostVersion::new(0, 0, 0) }
}

/// Creates the requirements for a member that must be present.
const fn required_member(name: &'static str, kind: SettingsValueKind) -> MemberRule {
    MemberRule { is_required: true, ..optional_member(name, kind) }
}

/// The requirements for `onFailure`. Older versions do not know that member and accept any value.
const ON_FAILURE: MemberRule = MemberRule {
    since: BLOCKS_FAILURES,
    ..optional_member("onFailure", SettingsValueKind::OneOf(&["continue", "block"]))
};

/// The members that a hook of any type may have.
const COMMON_HOOK_MEMBERS: &[MemberRule] = &[
    optional_member("if", SettingsValueKind::Text),
    optional_member("timeout", SettingsValueKind::Positive),
    optional_member("statusMessage", SettingsValueKind::Text),
    optional_member("once", SettingsValueKind::Boolean),
];

/// The types of hooks, each with its further members. The type `cloud`, and `onFailure` of `mcp_tool`, are missing
/// because the host does not check them.
const HOOK_TYPES: &[(&str, &[MemberRule])] = &[
    (
        "command",
        &[
            required_member("command", SettingsValueKind::Text),
            optional_member("args", SettingsValueKind::Texts),
            optional_member("shell", SettingsValueKind::OneOf(&["bash", "powershell"])),
            ON_FAILURE,
            optional_member("async", SettingsValueKind::Boolean),
            optional_member("asyncRewake", SettingsValueKind::Boolean),
            optional_member("rewakeMessage", SettingsValueKind::FilledText),
            optional_member("rewakeSummary", SettingsValueKind::FilledText),
        ],
    ),
    (
        "prompt",
        &[
            required_member("prompt", SettingsValueKind::Text),
            optional_member("model", SettingsValueKind::Text),
            optional_member("continueOnBlock", SettingsValueKind::Boolean),
        ],
    ),
    ("agent", &[required_member("prompt", SettingsValueKind::Text), optional_member("model", SettingsValueKind::Text)]),
    (
        "http",
        &[
            required_member("url", SettingsValueKind::Url),
            ON_FAILURE,
            optional_member("headers", SettingsValueKind::TextMap),
            optional_member("allowedEnvVars", SettingsValueKind::Texts),
        ],
    ),
    (
        "mcp_tool",
        &[
            required_member("server", SettingsValueKind::Text),
            required_member("tool", SettingsValueKind::Text),
            optional_member("input", SettingsValueKind::Object),
        ],
    ),
];

/// The permission modes of all tested versions.
const PERMISSION_MODES: &[&str] = &["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"];

/// The members of `permissions`. An element of a list that is not a text makes the host ignore only that element.
const PERMISSIONS: &[MemberRule] = &[
    optional_member("allow", SettingsValueKind::List),
    optional_member("deny", SettingsValueKind::List),
    optional_member("ask", SettingsValueKind::List),
    optional_member("defaultMode", SettingsValueKind::OneOf(PERMISSION_MODES)),
    optional_member("disableBypassPermissionsMode", SettingsValueKind::OneOf(&["disable"])),
    optional_member("additionalDirectories", SettingsValueKind::Texts),
];

/// The members of `statusLine`.
const STATUS_LINE: &[MemberRule] = &[
    required_member("type", SettingsValueKind::OneOf(&["command"])),
    required_member("command", SettingsValueKind::Text),
    optional_member("padding", SettingsValueKind::Number),
    optional_member("hideVimModeIndicator", SettingsValueKind::Boolean),
];

/// The members with the approved and the rejected MCP servers. Newer versions also accept the name of a single server.
const SERVER_LISTS: &[&str] = &["enabledMcpjsonServers", "disabledMcpjsonServers"];

/// The further members of a settings file, grouped by the type that all tested versions require.
const SETTINGS: &[(SettingsValueKind, &[&str])] = &[
    (SettingsValueKind::Object, &["permissions", "env", "enabledPlugins", "sandbox", "statusLine"]),
    (
        SettingsValueKind::Text,
        &[
            "$schema",
            "agent",
            "apiKeyHelper",
            "awsAuthRefresh",
            "awsCredentialExport",
            "gcpAuthRefresh",
            "language",
            "model",
            "otelHeadersHelper",
            "outputStyle",
            "plansDirectory",
        ],
    ),
    (
        SettingsValueKind::Boolean,
        &[
            "allowManagedHooksOnly",
            "alwaysThinkingEnabled",
            "autoCompactEnabled",
            "autoMemoryEnabled",
            "disableAllHooks",
            "enableAllProjectMcpServers",
            "fastMode",
            "includeCoAuthoredBy",
            "includeGitInstructions",
            "respectGitignore",
            "showThinkingSummaries",
            "showTurnDuration",
            "skipDangerousModePermissionPrompt",
            "skipWebFetchPreflight",
            "spinnerTipsEnabled",
            "verbose",
        ],
    ),
    (SettingsValueKind::Whole, &["cleanupPeriodDays"]),
    (
        SettingsValueKind::Texts,
        &["allowedHttpHookUrls", "availableModels", "claudeMdExcludes", "companyAnnouncements", "fallbackModel"],
    ),
    (SettingsValueKind::TextMap, &["modelOverrides"]),
];

/// The events that guard calls. If a hook on one of them is invalid, the host ignores the whole file, because without
/// the hook the permissions in the file might allow too much.
const GUARDING_EVENTS: &[Event] = &[Event::PreToolUse, Event::PermissionRequest, Event::PreSkillShellCommand];

/// The members of a settings file in which the host does not search for hooks that are in the wrong place.
const UNSEARCHED: &[&str] = &[
    "hooks",
    "mcpServers",
    "managedMcpServers",
    "lspServers",
    "pluginConfigs",
    "enabledPlugins",
    "extraKnownMarketplaces",
    "env",
    "skillOverrides",
    "modelSettings",
];

/// How many levels deep the host searches for hooks that are in the wrong place.
const MAX_SEARCHED_LEVELS: usize = 3;

/// Returns the values in a file that a version of the host does not accept. A version of `None` means the newest one.
#[must_use]
pub fn violations(document: &JsonDocument, scope: SettingsScope, version: Option<HostVersion>) -> Vec<Violation> {
    let Some(root) = document.root() else { return Vec::new() };
    let mut walk = SchemaWalk { version, found: Vec::new() };
    let NodeValue::Object(_) = &root.value else {
        walk.add("the settings", "must be an object", &root.range, IgnoredPart::File);
        return walk.found;
    };
    if walk.can_salvage_hooks() {
        walk.misplaced_hooks(root);
    }
    // In the organisation's file, an invalid value of one of these makes the host ignore only that setting.
    if scope != SettingsScope::Managed {
        for (kind, names) in SETTINGS {
            for member in names.iter().filter_map(|name| root.member(name)).filter(|it| !kind.is_valid(&it.node)) {
                walk.add(&member.name, &kind.requirement(), &member.range, IgnoredPart::File);
            }
        }
        let servers =
            if walk.is_at_least(TAKES_SERVER_NAME) { SettingsValueKind::ServerNames } else { SettingsValueKind::Texts };
        for member in SERVER_LISTS.iter().filter_map(|name| root.member(name)).filter(|it| !servers.is_valid(&it.node))
        {
            walk.add(&member.name, &servers.requirement(), &member.range, IgnoredPart::File);
        }
        if let Some(line) = root.member("statusLine").filter(|line| SettingsValueKind::Object.is_valid(&line.node)) {
            walk.members("statusLine", &line.node, STATUS_LINE, IgnoredPart::File, &line.range);
        }
    }
    if let Some(permissions) = root.member("permissions") {
        walk.members("permissions", &permissions.node, PERMISSIONS, IgnoredPart::File, &permissions.range);
    }
    if let Some(hooks) = root.member("hooks") {
        walk.hooks(hooks);
    }
    walk.found
}

/// Whether a version of the host has an event of this name. A version of `None` means the newest one.
pub(super) fn has_event_name(event: &str, version: Option<HostVersion>) -> bool {
    SchemaWalk { version, found: Vec::new() }.is_known_event(event)
}

/// The traversal of a document, which collects what a version of the host does not accept. A version of `None` means
/// the newest one.
struct SchemaWalk {
    version: Option<HostVersion>,
    found: Vec<Violation>,
}

impl SchemaWalk {
    /// Whether the version is `since` or a newer one.
    fn is_at_least(&self, since: HostVersion) -> bool {
        self.version.is_none_or(|version| version >= since)
    }

    /// Whether the version ignores only the hook if a hook is invalid and does not guard calls, rather than the whole
    /// file.
    fn can_salvage_hooks(&self) -> bool {
        self.is_at_least(SALVAGES_HOOKS)
    }

    /// Whether a name is that of an event that guards calls and that the version has.
    fn is_guarding_event(&self, event: &str) -> bool {
        GUARDING_EVENTS.iter().any(|guarding| guarding.name() == event) && self.is_known_event(event)
    }

    /// Whether the version has an event of this name.
    fn is_known_event(&self, event: &str) -> bool {
        Event::from_name(event).is_some_and(|event| HostVersion::has_event(self.version, event) != Some(false))
    }

    /// Adds a violation whose entry is the value itself.
    fn add(&mut self, path: &str, what: &str, place: &Range<usize>, ignored: IgnoredPart) {
        self.add_in_entry(path, what, place, ignored, place);
    }

    /// Adds a violation by a value inside `entry`.
    fn add_in_entry(
        &mut self,
        path: &str,
        what: &str,
        place: &Range<usize>,
        ignored: IgnoredPart,
        entry: &Range<usize>,
    ) {
        let message = format!("`{path}` {what}");
        self.found.push(Violation { message, place: place.clone(), ignored, entry: entry.clone() });
    }

    /// Adds a violation for each member of an object that does not fulfil its requirements. `entry` is the byte range
    /// of the entry that has the object.
    fn members(
        &mut self,
        path: &str,
        node: &JsonNode,
        rules: &[MemberRule],
        ignored: IgnoredPart,
        entry: &Range<usize>,
    ) {
        for rule in rules.iter().filter(|rule| self.is_at_least(rule.since)).collect::<Vec<_>>() {
            match node.member(rule.name) {
                Some(member) if !rule.kind.is_valid(&member.node) => {
                    let path = format!("{path}.{}", rule.name);
                    self.add_in_entry(&path, &rule.kind.requirement(), &member.range, ignored, entry);
                }
                None if rule.is_required => {
                    self.add_in_entry(path, &format!("has no `{}`", rule.name), &node.range, ignored, entry);
                }
                _ => {}
            }
        }
    }

    /// Checks the member `hooks`, an object whose members are events.
    fn hooks(&mut self, hooks: &JsonMember) {
        let what = "must be an object of events";
        let NodeValue::Object(members) = &hooks.node.value else {
            // Whether the value is a list that may contain hooks that guard calls.
            let is_guard = matches!(&hooks.node.value, NodeValue::Array(elements)
                if elements.iter().any(|element| matches!(element.value, NodeValue::Object(_)) || self.has_possible_guards(element)));
            let ignored = if self.can_salvage_hooks() && is_guard { IgnoredPart::File } else { IgnoredPart::Hooks };
            return self.add("hooks", what, &hooks.range, ignored);
        };
        if self.can_salvage_hooks() && is_group(&hooks.node) {
            return self.add("hooks", what, &hooks.range, IgnoredPart::File);
        }
        for (at, event) in members.iter().enumerate() {
            // Of several members with the same name, the host reads only the last.
            if members.iter().rposition(|other| other.name == event.name) == Some(at) {
                self.event(event);
            }
        }
    }

    /// Checks a member of `hooks`: an event with a list of groups.
    fn event(&mut self, event: &JsonMember) {
        let path = format!("hooks.{}", event.name);
        let groups = if let NodeValue::Array(groups) = &event.node.value { Some(groups) } else { None };
        if !self.is_known_event(&event.name) {
            let counts = if groups.is_none() { MatcherGroups::Count } else { MatcherGroups::Pass };
            let is_guard = self.can_salvage_hooks()
                && self.has_guards(&event.node, MAX_SEARCHED_LEVELS, counts, ValueHolder::Other);
            let ignored = if is_guard { IgnoredPart::File } else { IgnoredPart::Entry };
            return self.add(&path, "is no event of the host", &event.range, ignored);
        }
        let Some(groups) = groups else {
            let is_guard = self.is_guarding_event(&event.name) && event.node.value != NodeValue::Null
                || self.has_guards(&event.node, MAX_SEARCHED_LEVELS, MatcherGroups::Pass, ValueHolder::Other);
            let ignored = if self.can_salvage_hooks() && is_guard { IgnoredPart::File } else { IgnoredPart::Entry };
            return self.add(&path, "must be a list of matchers", &event.range, ignored);
        };
        let ignored = if self.is_guarding_event(&event.name) || !self.can_salvage_hooks() {
            IgnoredPart::File
        } else {
            IgnoredPart::Entry
        };
        for (at, group) in groups.iter().enumerate() {
            self.group(&format!("{path}[{at}]"), group, ignored);
        }
    }

    /// Checks a group: a matcher with a list of hooks.
    fn group(&mut self, path: &str, group: &JsonNode, ignored: IgnoredPart) {
        let NodeValue::Object(_) = &group.value else {
            return self.add(path, "must be an object", &group.range, ignored);
        };
        if self.can_salvage_hooks()
            && self.has_guards(group, MAX_SEARCHED_LEVELS, MatcherGroups::Pass, ValueHolder::Other)
        {
            return self.add(path, "holds hooks of another event", &group.range, IgnoredPart::File);
        }
        self.members(path, group, &[optional_member("matcher", SettingsValueKind::Text)], ignored, &group.range);
        match group.member("hooks").map(|hooks| (&hooks.range, &hooks.node.value)) {
            Some((_, NodeValue::Array(hooks))) => {
                for (at, hook) in hooks.iter().enumerate() {
                    self.hook(&format!("{path}.hooks[{at}]"), hook, ignored);
                }
            }
            Some((range, _)) => {
                self.add_in_entry(&format!("{path}.hooks"), "must be a list of hooks", range, ignored, &group.range);
            }
            None => self.add(path, "has no `hooks`", &group.range, ignored),
        }
    }

    /// Checks a hook by the requirements of its type.
    fn hook(&mut self, path: &str, hook: &JsonNode, ignored: IgnoredPart) {
        let NodeValue::Object(_) = &hook.value else {
            return self.add(path, "must be an object", &hook.range, ignored);
        };
        let Some(kind) = hook.member("type") else {
            return self.add(path, "has no `type`", &hook.range, ignored);
        };
        let Some((_, type_members)) = HOOK_TYPES.iter().find(|(name, _)| kind.node.as_text() == Some(name)) else {
            let what = "is no type of hook that the host knows";
            return self.add_in_entry(&format!("{path}.type"), what, &kind.range, ignored, &hook.range);
        };
        self.members(path, hook, type_members, ignored, &hook.range);
        self.members(path, hook, COMMON_HOOK_MEMBERS, ignored, &hook.range);
    }

    /// Adds a violation for each member other than `hooks` that contains hooks that guard calls.
    fn misplaced_hooks(&mut self, root: &JsonNode) {
        for member in root.members() {
            if self.is_filled_guard(member) {
                self.add(&member.name, "is outside of `hooks`", &member.range, IgnoredPart::File);
            } else if !UNSEARCHED.contains(&member.name.as_str())
                && self.has_guards(
                    &member.node,
                    MAX_SEARCHED_LEVELS,
                    MatcherGroups::below_member(&member.name),
                    ValueHolder::Other,
                )
            {
                let what = "holds hooks that guard calls, outside of `hooks`";
                self.add(&member.name, what, &member.range, IgnoredPart::File);
            }
        }
    }

    /// Whether a member is named like an event that guards calls, and is not empty.
    fn is_filled_guard(&self, member: &JsonMember) -> bool {
        let is_filled = match &member.node.value {
            NodeValue::Null => false,
            NodeValue::Array(elements) => !elements.is_empty(),
            _ => true,
        };
        is_filled && self.is_guarding_event(&member.name)
    }

    /// Whether an object has a nonempty member named like an event that guards calls.
    fn has_guarding_event(&self, node: &JsonNode) -> bool {
        node.members().iter().any(|member| self.is_filled_guard(member))
    }

    /// Whether an element of a list may contain hooks that guard calls. The list is in place of the object of events.
    /// Lists in the element are searched without a limit of levels.
    fn has_possible_guards(&self, node: &JsonNode) -> bool {
        is_group(node)
            || self.has_guarding_event(node)
            || node.elements().iter().any(|element| self.has_possible_guards(element))
    }

    /// Whether a value contains hooks that guard calls. Like the host, this searches only `levels` levels. `groups`
    /// says whether a group in the value is enough, and `holder` what contains the value.
    fn has_guards(&self, node: &JsonNode, levels: usize, groups: MatcherGroups, holder: ValueHolder) -> bool {
        if self.has_guarding_event(node) || groups == MatcherGroups::Count && is_group(node) {
            return true;
        }
        let Some(below) = levels.checked_sub(1) else { return false };
        if let NodeValue::Array(elements) = &node.value {
            return elements.iter().any(|element| self.has_guards(element, below, groups, holder));
        }
        if holder == ValueHolder::Hooks && node.member("type").is_some_and(|kind| kind.node.as_text().is_some()) {
            return false;
        }
        node.members().iter().any(|member| {
            let groups =
                if groups == MatcherGroups::Count { MatcherGroups::below_member(&member.name) } else { groups };
            let is_list = matches!(member.node.value, NodeValue::Array(_));
            let holder = if is_list && member.name == "hooks" { ValueHolder::Hooks } else { ValueHolder::Other };
            self.has_guards(&member.node, below, groups, holder)
        })
    }
}

/// Whether a group (a matcher with hooks) is taken for hooks that guard calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MatcherGroups {
    /// It is, because the name of no event is above it.
    Count,
    /// It is not, because it is below the name of its event.
    Pass,
}

impl MatcherGroups {
    /// Returns how groups below a member of this name are taken.
    fn below_member(name: &str) -> Self {
        if is_event(name) { Self::Pass } else { Self::Count }
    }
}

/// What contains a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueHolder {
    /// A list under the name `hooks`.
    Hooks,
    /// Anything else.
    Other,
}

/// Whether a value looks like a group: an object with `hooks` and either a matcher or no member named like an event.
fn is_group(node: &JsonNode) -> bool {
    let has_matcher = node.member("matcher").is_some();
    if !has_matcher && node.members().iter().any(|member| is_event(&member.name)) {
        return false;
    }
    match node.member("hooks").map(|hooks| &hooks.node) {
        Some(JsonNode { value: NodeValue::Array(hooks), .. }) => !hooks.is_empty(),
        Some(hook @ JsonNode { value: NodeValue::Object(_), .. }) => {
            has_matcher || hook.member("type").is_some_and(|kind| kind.node.as_text().is_some())
        }
        _ => false,
    }
}

/// Whether a name is that of an event in the schema.
fn is_event(name: &str) -> bool {
    Event::from_name(name).is_some()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::SettingsFile;
    use super::*;

    fn worst(text: &str, version: Option<HostVersion>) -> IgnoredPart {
        let settings =
            SettingsFile::from_text(SettingsScope::Project, PathBuf::from("/p/.claude/settings.json"), text.to_owned());
        let document = settings.document.unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let found = violations(&document, SettingsScope::Project, version);
        found.iter().map(|violation| violation.ignored).max().unwrap_or(IgnoredPart::Nothing)
    }

    #[test]
    fn each_row_costs_what_the_host_ignores() {
        const MEASURED: [HostVersion; 3] =
            [HostVersion::new(2, 1, 197), HostVersion::new(2, 1, 330), HostVersion::new(2, 1, 332)];
        for row in ROWS {
            let text = row.settings_with(r#"{"type": "command", "command": "rules"}"#);
            for (version, expected) in MEASURED.into_iter().zip(row.ignored) {
                assert_eq!(worst(&text, Some(version)), expected, "{} on {version:?}: {text}", row.name);
            }
            assert_eq!(worst(&text, None), row.ignored[2], "{}: the newest is meant", row.name);
        }
    }

    #[test]
    fn each_rule_of_the_schema_has_a_row_that_breaks_it() {
        let broken = |kind: SettingsValueKind| if kind.is_valid_json("5") { "\"x\"" } else { "5" };
        for (kind, names) in SETTINGS {
            for name in *names {
                let text = format!("{{\"{name}\": {}}}", broken(*kind));
                assert_eq!(worst(&text, None), IgnoredPart::File, "{text}");
            }
        }
        for (name, own) in HOOK_TYPES {
            for rule in own.iter().chain(COMMON_HOOK_MEMBERS) {
                let filled = own.iter().filter(|other| other.is_required && other.name != rule.name);
                let filled: String = filled.map(|other| format!("\"{}\": \"x:y\", ", other.name)).collect();
                let hook = format!("{{\"type\": \"{name}\", {filled}\"{}\": {}}}", rule.name, broken(rule.kind));
                let on = |event: &str| format!("{{\"hooks\": {{\"{event}\": [{{\"hooks\": [{hook}]}}]}}}}");
                assert_eq!(worst(&on("PreToolUse"), None), IgnoredPart::File, "{hook}");
                assert_eq!(worst(&on("Stop"), None), IgnoredPart::Entry, "{hook}");
            }
        }
    }
}
