//! Claude Code's schema of settings files, and the cost of one invalid value: the whole file, its hooks, or the entry
//! with the value.
//!
//! The tables were read from 2.1.197 and 2.1.332, and every row of `rows` was run on both and on 2.1.330. A member
//! without a row may hold anything.

mod kind;
#[cfg(any(test, feature = "internals"))]
mod rows;

use std::ops::Range;

#[cfg(any(test, feature = "internals"))]
pub use rows::{GOOD, ROWS, Row};

use super::Scope;
use super::document::{Document, Member, Node, Value};
use super::version::{BLOCKS_FAILURES, SALVAGES_HOOKS, TAKES_SERVER_NAME};
use crate::schema::{Event, HostVersion};
use kind::Kind;

/// What the host ignores because of an invalid value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ignored {
    /// Nothing: the host reads the file as it is.
    #[cfg(any(test, feature = "internals"))]
    Nothing,
    /// The event, the matcher or the hook with the value.
    Entry,
    /// Every hook of the file.
    Hooks,
    /// The whole file.
    File,
}

/// A value that the schema does not allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The message, as a fragment.
    pub message: String,
    /// The place of the value, in bytes.
    pub place: Range<usize>,
    /// What the host ignores because of it.
    pub ignored: Ignored,
    /// The place of the ignored entry; for more than an entry, the place of the value.
    pub entry: Range<usize>,
}

/// A member of an object, as the host validates it.
struct MemberRule {
    name: &'static str,
    kind: Kind,
    is_required: bool,
    since: HostVersion,
}

const fn optional(name: &'static str, kind: Kind) -> MemberRule {
    MemberRule { name, kind, is_required: false, since: HostVersion::new(0, 0, 0) }
}

const fn required(name: &'static str, kind: Kind) -> MemberRule {
    MemberRule { is_required: true, ..optional(name, kind) }
}

/// `onFailure`: an older version takes any value, because it does not know the member.
const ON_FAILURE: MemberRule =
    MemberRule { since: BLOCKS_FAILURES, ..optional("onFailure", Kind::OneOf(&["continue", "block"])) };

/// The members of hooks of every type.
const EVERY_HOOK: &[MemberRule] = &[
    optional("if", Kind::Text),
    optional("timeout", Kind::Positive),
    optional("statusMessage", Kind::Text),
    optional("once", Kind::Boolean),
];

/// The types of hooks, each with its members besides [`EVERY_HOOK`]. `cloud` is missing, and `onFailure` of `mcp_tool`:
/// they may hold anything.
const HOOKS: &[(&str, &[MemberRule])] = &[
    (
        "command",
        &[
            required("command", Kind::Text),
            optional("args", Kind::Texts),
            optional("shell", Kind::OneOf(&["bash", "powershell"])),
            ON_FAILURE,
            optional("async", Kind::Boolean),
            optional("asyncRewake", Kind::Boolean),
            optional("rewakeMessage", Kind::FilledText),
            optional("rewakeSummary", Kind::FilledText),
        ],
    ),
    (
        "prompt",
        &[required("prompt", Kind::Text), optional("model", Kind::Text), optional("continueOnBlock", Kind::Boolean)],
    ),
    ("agent", &[required("prompt", Kind::Text), optional("model", Kind::Text)]),
    (
        "http",
        &[
            required("url", Kind::Url),
            ON_FAILURE,
            optional("headers", Kind::TextMap),
            optional("allowedEnvVars", Kind::Texts),
        ],
    ),
    ("mcp_tool", &[required("server", Kind::Text), required("tool", Kind::Text), optional("input", Kind::Object)]),
];

/// The permission modes of any measured version.
const PERMISSION_MODES: &[&str] = &["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"];

/// The members of `permissions`. An element of a list that is not a text is ignored, and the rest counts.
const PERMISSIONS: &[MemberRule] = &[
    optional("allow", Kind::List),
    optional("deny", Kind::List),
    optional("ask", Kind::List),
    optional("defaultMode", Kind::OneOf(PERMISSION_MODES)),
    optional("disableBypassPermissionsMode", Kind::OneOf(&["disable"])),
    optional("additionalDirectories", Kind::Texts),
];

/// The members of `statusLine`.
const STATUS_LINE: &[MemberRule] = &[
    required("type", Kind::OneOf(&["command"])),
    required("command", Kind::Text),
    optional("padding", Kind::Number),
    optional("hideVimModeIndicator", Kind::Boolean),
];

/// The lists of approved and rejected servers.
const SERVER_LISTS: &[&str] = &["enabledMcpjsonServers", "disabledMcpjsonServers"];

/// The other members of a settings file that are validated alike by all measured versions.
const SETTINGS: &[(Kind, &[&str])] = &[
    (Kind::Object, &["permissions", "env", "enabledPlugins", "sandbox", "statusLine"]),
    (
        Kind::Text,
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
        Kind::Boolean,
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
    (Kind::Whole, &["cleanupPeriodDays"]),
    (
        Kind::Texts,
        &["allowedHttpHookUrls", "availableModels", "claudeMdExcludes", "companyAnnouncements", "fallbackModel"],
    ),
    (Kind::TextMap, &["modelOverrides"]),
];

/// The events that guard calls: an invalid hook on one of them may be what guards the permissions in the same file, so
/// the host ignores the whole file.
const GUARDING: &[Event] = &[Event::PreToolUse, Event::PermissionRequest, Event::PreSkillShellCommand];

/// The members of a settings file in which the host does not look for misplaced hooks.
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

/// The depth to which the host looks for misplaced hooks.
const SEARCHED_LEVELS: usize = 3;

/// Returns the values in a file that the schema does not allow, as a version of the host reads it; `None` is the newest
/// one.
#[must_use]
pub fn violations(document: &Document, scope: Scope, version: Option<HostVersion>) -> Vec<Violation> {
    let Some(root) = document.root() else { return Vec::new() };
    let mut walk = Walk { version, found: Vec::new() };
    let Value::Object(_) = &root.value else {
        walk.add("the settings", "must be an object", &root.range, Ignored::File);
        return walk.found;
    };
    if walk.salvages() {
        walk.misplaced_hooks(root);
    }
    // In the organisation's file, an invalid value of one of these costs only that setting, no hooks.
    if scope != Scope::Managed {
        for (kind, names) in SETTINGS {
            for member in names.iter().filter_map(|name| root.member(name)).filter(|it| !kind.allows(&it.node)) {
                walk.add(&member.name, &kind.requirement(), &member.range, Ignored::File);
            }
        }
        let servers = if walk.has(TAKES_SERVER_NAME) { Kind::ServerNames } else { Kind::Texts };
        for member in SERVER_LISTS.iter().filter_map(|name| root.member(name)).filter(|it| !servers.allows(&it.node)) {
            walk.add(&member.name, &servers.requirement(), &member.range, Ignored::File);
        }
        if let Some(line) = root.member("statusLine").filter(|line| Kind::Object.allows(&line.node)) {
            walk.members("statusLine", &line.node, STATUS_LINE, Ignored::File, &line.range);
        }
    }
    if let Some(permissions) = root.member("permissions") {
        walk.members("permissions", &permissions.node, PERMISSIONS, Ignored::File, &permissions.range);
    }
    if let Some(hooks) = root.member("hooks") {
        walk.hooks(hooks);
    }
    walk.found
}

/// Whether a version of the host has an event of this name; `None` is the newest one.
pub(super) fn knows_event(event: &str, version: Option<HostVersion>) -> bool {
    Walk { version, found: Vec::new() }.knows(event)
}

struct Walk {
    version: Option<HostVersion>,
    found: Vec<Violation>,
}

impl Walk {
    fn has(&self, since: HostVersion) -> bool {
        self.version.is_none_or(|version| version >= since)
    }

    fn salvages(&self) -> bool {
        self.has(SALVAGES_HOOKS)
    }

    fn guards(&self, event: &str) -> bool {
        GUARDING.iter().any(|guarding| guarding.name() == event) && self.knows(event)
    }

    fn knows(&self, event: &str) -> bool {
        Event::from_name(event).is_some_and(|event| HostVersion::has_event(self.version, event) != Some(false))
    }

    fn add(&mut self, path: &str, what: &str, place: &Range<usize>, ignored: Ignored) {
        self.add_in(path, what, place, ignored, place);
    }

    fn add_in(&mut self, path: &str, what: &str, place: &Range<usize>, ignored: Ignored, entry: &Range<usize>) {
        let message = format!("`{path}` {what}");
        self.found.push(Violation { message, place: place.clone(), ignored, entry: entry.clone() });
    }

    /// Compares the members of an object with their rules.
    fn members(&mut self, path: &str, node: &Node, rules: &[MemberRule], ignored: Ignored, entry: &Range<usize>) {
        for rule in rules.iter().filter(|rule| self.has(rule.since)).collect::<Vec<_>>() {
            match node.member(rule.name) {
                Some(member) if !rule.kind.allows(&member.node) => {
                    let path = format!("{path}.{}", rule.name);
                    self.add_in(&path, &rule.kind.requirement(), &member.range, ignored, entry);
                }
                None if rule.is_required => {
                    self.add_in(path, &format!("has no `{}`", rule.name), &node.range, ignored, entry);
                }
                _ => {}
            }
        }
    }

    fn hooks(&mut self, hooks: &Member) {
        let what = "must be an object of events";
        let Value::Object(members) = &hooks.node.value else {
            let is_guard = matches!(&hooks.node.value, Value::Array(elements)
                if elements.iter().any(|element| matches!(element.value, Value::Object(_)) || self.may_guard(element)));
            let ignored = if self.salvages() && is_guard { Ignored::File } else { Ignored::Hooks };
            return self.add("hooks", what, &hooks.range, ignored);
        };
        if self.salvages() && is_group(&hooks.node) {
            return self.add("hooks", what, &hooks.range, Ignored::File);
        }
        for (at, event) in members.iter().enumerate() {
            // Of several members with one name, the last counts.
            if members.iter().rposition(|other| other.name == event.name) == Some(at) {
                self.event(event);
            }
        }
    }

    fn event(&mut self, event: &Member) {
        let path = format!("hooks.{}", event.name);
        let groups = if let Value::Array(groups) = &event.node.value { Some(groups) } else { None };
        if !self.knows(&event.name) {
            let counts = if groups.is_none() { Groups::Count } else { Groups::Pass };
            let is_guard = self.salvages() && self.holds_guard(&event.node, SEARCHED_LEVELS, counts, Holder::Other);
            let ignored = if is_guard { Ignored::File } else { Ignored::Entry };
            return self.add(&path, "is no event of the host", &event.range, ignored);
        }
        let Some(groups) = groups else {
            let is_guard = self.guards(&event.name) && event.node.value != Value::Null
                || self.holds_guard(&event.node, SEARCHED_LEVELS, Groups::Pass, Holder::Other);
            let ignored = if self.salvages() && is_guard { Ignored::File } else { Ignored::Entry };
            return self.add(&path, "must be a list of matchers", &event.range, ignored);
        };
        let ignored = if self.guards(&event.name) || !self.salvages() { Ignored::File } else { Ignored::Entry };
        for (at, group) in groups.iter().enumerate() {
            self.group(&format!("{path}[{at}]"), group, ignored);
        }
    }

    fn group(&mut self, path: &str, group: &Node, ignored: Ignored) {
        let Value::Object(_) = &group.value else {
            return self.add(path, "must be an object", &group.range, ignored);
        };
        if self.salvages() && self.holds_guard(group, SEARCHED_LEVELS, Groups::Pass, Holder::Other) {
            return self.add(path, "holds hooks of another event", &group.range, Ignored::File);
        }
        self.members(path, group, &[optional("matcher", Kind::Text)], ignored, &group.range);
        match group.member("hooks").map(|hooks| (&hooks.range, &hooks.node.value)) {
            Some((_, Value::Array(hooks))) => {
                for (at, hook) in hooks.iter().enumerate() {
                    self.hook(&format!("{path}.hooks[{at}]"), hook, ignored);
                }
            }
            Some((range, _)) => {
                self.add_in(&format!("{path}.hooks"), "must be a list of hooks", range, ignored, &group.range);
            }
            None => self.add(path, "has no `hooks`", &group.range, ignored),
        }
    }

    fn hook(&mut self, path: &str, hook: &Node, ignored: Ignored) {
        let Value::Object(_) = &hook.value else {
            return self.add(path, "must be an object", &hook.range, ignored);
        };
        let Some(kind) = hook.member("type") else {
            return self.add(path, "has no `type`", &hook.range, ignored);
        };
        let Some((_, own)) = HOOKS.iter().find(|(name, _)| kind.node.text() == Some(name)) else {
            let what = "is no type of hook that the host knows";
            return self.add_in(&format!("{path}.type"), what, &kind.range, ignored, &hook.range);
        };
        self.members(path, hook, own, ignored, &hook.range);
        self.members(path, hook, EVERY_HOOK, ignored, &hook.range);
    }

    /// Reports the members that hold hooks which guard calls, outside of `hooks`.
    fn misplaced_hooks(&mut self, root: &Node) {
        for member in root.members() {
            if self.is_filled_guard(member) {
                self.add(&member.name, "is outside of `hooks`", &member.range, Ignored::File);
            } else if !UNSEARCHED.contains(&member.name.as_str())
                && self.holds_guard(&member.node, SEARCHED_LEVELS, Groups::of(&member.name), Holder::Other)
            {
                let what = "holds hooks that guard calls, outside of `hooks`";
                self.add(&member.name, what, &member.range, Ignored::File);
            }
        }
    }

    /// Whether a member is a nonempty event that guards calls.
    fn is_filled_guard(&self, member: &Member) -> bool {
        let is_filled = match &member.node.value {
            Value::Null => false,
            Value::Array(elements) => !elements.is_empty(),
            _ => true,
        };
        is_filled && self.guards(&member.name)
    }

    /// Whether an object has a nonempty event that guards calls.
    fn names_guard(&self, node: &Node) -> bool {
        node.members().iter().any(|member| self.is_filled_guard(member))
    }

    /// Whether a list where an object is expected may hold hooks that guard calls.
    fn may_guard(&self, node: &Node) -> bool {
        is_group(node) || self.names_guard(node) || node.elements().iter().any(|element| self.may_guard(element))
    }

    /// Whether a value holds hooks that guard calls, as far as the host looks.
    fn holds_guard(&self, node: &Node, levels: usize, groups: Groups, holder: Holder) -> bool {
        if self.names_guard(node) || groups == Groups::Count && is_group(node) {
            return true;
        }
        let Some(below) = levels.checked_sub(1) else { return false };
        if let Value::Array(elements) = &node.value {
            return elements.iter().any(|element| self.holds_guard(element, below, groups, holder));
        }
        if holder == Holder::Hooks && node.member("type").is_some_and(|kind| kind.node.text().is_some()) {
            return false;
        }
        node.members().iter().any(|member| {
            let groups = if groups == Groups::Count { Groups::of(&member.name) } else { groups };
            let is_list = matches!(member.node.value, Value::Array(_));
            let holder = if is_list && member.name == "hooks" { Holder::Hooks } else { Holder::Other };
            self.holds_guard(&member.node, below, groups, holder)
        })
    }
}

/// Whether a matcher with hooks counts as hooks that guard calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Groups {
    Count,
    Pass,
}

impl Groups {
    /// Below the name of an event, matchers are in their proper place.
    fn of(name: &str) -> Self {
        if is_event(name) { Self::Pass } else { Self::Count }
    }
}

/// The container of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    /// A list of hooks.
    Hooks,
    Other,
}

/// Whether a value looks like a matcher with hooks.
fn is_group(node: &Node) -> bool {
    let has_matcher = node.member("matcher").is_some();
    if !has_matcher && node.members().iter().any(|member| is_event(&member.name)) {
        return false;
    }
    match node.member("hooks").map(|hooks| &hooks.node) {
        Some(Node { value: Value::Array(hooks), .. }) => !hooks.is_empty(),
        Some(hook @ Node { value: Value::Object(_), .. }) => {
            has_matcher || hook.member("type").is_some_and(|kind| kind.node.text().is_some())
        }
        _ => false,
    }
}

fn is_event(name: &str) -> bool {
    Event::from_name(name).is_some()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::Settings;
    use super::*;

    fn worst(text: &str, version: Option<HostVersion>) -> Ignored {
        let settings = Settings::of_text(Scope::Project, PathBuf::from("/p/.claude/settings.json"), text.to_owned());
        let document = settings.document.unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let found = violations(&document, Scope::Project, version);
        found.iter().map(|violation| violation.ignored).max().unwrap_or(Ignored::Nothing)
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
        let broken = |kind: Kind| if kind.allows_json("5") { "\"x\"" } else { "5" };
        for (kind, names) in SETTINGS {
            for name in *names {
                let text = format!("{{\"{name}\": {}}}", broken(*kind));
                assert_eq!(worst(&text, None), Ignored::File, "{text}");
            }
        }
        for (name, own) in HOOKS {
            for rule in own.iter().chain(EVERY_HOOK) {
                let filled = own.iter().filter(|other| other.is_required && other.name != rule.name);
                let filled: String = filled.map(|other| format!("\"{}\": \"x:y\", ", other.name)).collect();
                let hook = format!("{{\"type\": \"{name}\", {filled}\"{}\": {}}}", rule.name, broken(rule.kind));
                let on = |event: &str| format!("{{\"hooks\": {{\"{event}\": [{{\"hooks\": [{hook}]}}]}}}}");
                assert_eq!(worst(&on("PreToolUse"), None), Ignored::File, "{hook}");
                assert_eq!(worst(&on("Stop"), None), Ignored::Entry, "{hook}");
            }
        }
    }
}
