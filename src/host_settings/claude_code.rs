//! The settings files of Claude Code, and the hooks that they register.
//!
//! How the host treats each member was tested with 2.1.197, 2.1.330 and 2.1.332; the book's chapter on Claude Code has
//! the results.

use std::ops::Range;
use std::path::{Path, PathBuf};

use hookrules_shell::{StartDirectories, analyse};

use super::document::NodeValue;
use super::{JsonDocument, JsonMistake, JsonNode, NodePath};
use crate::facts::main_worktree;
use crate::files::{self, ReadError};
use crate::host::Host;
use crate::platform::places::managed_claude_code;
use crate::project::{TrustRequirement, repository_root};
use crate::schema::{Event, HostVersion};

/// The maximum size of a settings file, in bytes; a larger one is an error.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// The variables with which a project could change what a hook runs, or where it searches for its policy: the host
/// passes the variables of `env` in its settings to every hook.
const MISLEADING: &[&str] = &["PATH", "HOME", "BASH_ENV", "ENV", "SHELL", "IFS", "TMPDIR", "CLAUDE_CONFIG_DIR"];
/// The prefixes of further variables of this kind.
const MISLEADING_PREFIXES: &[&str] = &["LD_", "DYLD_", "GIT_", "XDG_", "CLAUDE_PROJECT"];

/// Whose settings a settings file contains. A registration in the file has the same scope.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SettingsScope {
    /// The settings of the organisation, which no other scope can override.
    Managed,
    /// The user's settings for every project.
    User,
    /// The project's settings, which are committed and shared.
    Project,
    /// The user's settings for one project, which are not committed.
    Local,
}

impl SettingsScope {
    /// Returns the scope that a registration names with `--scope`. `None` for any other word, also for `managed`, which
    /// a registration must not name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::User, Self::Project, Self::Local].into_iter().find(|scope| scope.name() == name)
    }

    /// Returns whether a hook registered in this scope needs the user's trust in a project's policy. It does in the
    /// user's settings, because it then runs in every repository. It does not in a project's, because a user who
    /// accepts these accepts the hooks in them.
    #[must_use]
    pub fn trust_requirement(self) -> TrustRequirement {
        match self {
            Self::Managed | Self::User => TrustRequirement::Required,
            Self::Project | Self::Local => TrustRequirement::ForNamedFiles,
        }
    }

    /// Returns the scope as a word, which `rules hook --scope` accepts.
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

/// The directories in which Claude Code searches for its settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsPlaces {
    /// The directories of the organisation's settings.
    pub managed: Vec<PathBuf>,
    /// The directory of the user's settings: `~/.claude`.
    pub user: Option<PathBuf>,
    /// The directory of the project.
    pub project: Option<PathBuf>,
    /// The local settings at the root of the repository's main working tree. The host reads them in subdirectories and
    /// linked worktrees, too. `None` if the project is that root.
    pub shared: Option<PathBuf>,
}

/// The path of the local settings, relative to a directory.
const LOCAL: &str = ".claude/settings.local.json";

/// The first version that is known to read the local settings of the main working tree in other directories of the
/// repository; 2.1.197 does not.
const FIRST_VERSION_WITH_SHARED: HostVersion = HostVersion::new(2, 1, 330);

/// Returns the path of the local settings at the root of the main working tree of a project's repository. Claude Code
/// 2.1.330 and 2.1.332 read them in each subdirectory and each linked worktree. `None` outside a repository.
#[must_use]
pub fn shared_local_settings(project: &Path) -> Option<PathBuf> {
    let root = repository_root(project)?;
    Some(main_worktree(&root).unwrap_or(root).join(LOCAL))
}

impl SettingsPlaces {
    /// Creates the list for a user's directory and a project. The organisation's directories are always the same.
    #[must_use]
    pub fn new(user: Option<PathBuf>, project: Option<PathBuf>) -> Self {
        let shared = project
            .as_deref()
            .and_then(|project| shared_local_settings(project).filter(|shared| *shared != project.join(LOCAL)));
        Self { managed: managed_claude_code(), user, project, shared }
    }

    /// Leaves out the files that a version of the host does not read. If the version is unknown, it is taken for a new
    /// one.
    #[must_use]
    pub fn of_version(self, version: Option<HostVersion>) -> Self {
        let shared = self.shared.filter(|_| version.is_none_or(|version| version >= FIRST_VERSION_WITH_SHARED));
        Self { shared, ..self }
    }

    /// Returns the path of the settings file of a scope; for the organisation, of the first one. `None` if its
    /// directory is unknown.
    #[must_use]
    pub fn file(&self, scope: SettingsScope) -> Option<PathBuf> {
        match scope {
            SettingsScope::Managed => self.managed.first().map(|directory| directory.join("managed-settings.json")),
            SettingsScope::User => self.user.as_ref().map(|directory| directory.join("settings.json")),
            SettingsScope::Project => self.project.as_ref().map(|project| project.join(".claude/settings.json")),
            SettingsScope::Local => self.project.as_ref().map(|project| project.join(LOCAL)),
        }
    }

    /// Returns the path of every file that the host would read, whether it exists or not.
    #[must_use]
    pub fn files(&self) -> Vec<(SettingsScope, PathBuf)> {
        let managed =
            self.managed.iter().map(|directory| (SettingsScope::Managed, directory.join("managed-settings.json")));
        let other_scopes = [SettingsScope::User, SettingsScope::Project, SettingsScope::Local];
        let other_scopes = other_scopes.into_iter().filter_map(|scope| Some((scope, self.file(scope)?)));
        managed.chain(other_scopes).chain(self.shared.clone().map(|shared| (SettingsScope::Local, shared))).collect()
    }

    /// Reads every file that exists.
    #[must_use]
    pub fn read(&self) -> Vec<SettingsFile> {
        self.files().into_iter().filter_map(|(scope, path)| SettingsFile::read(scope, path)).collect()
    }
}

/// The content of a settings file.
#[derive(Clone, PartialEq, Debug)]
pub struct SettingsFile {
    /// Whose settings they are.
    pub scope: SettingsScope,
    /// The path of the file.
    pub path: PathBuf,
    /// The text; empty if it cannot be read.
    pub text: String,
    /// The parsed text, or why it cannot be read. In that case the host ignores the whole file.
    pub document: Result<JsonDocument, UnreadableSettings>,
}

/// Why the host cannot read a settings file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnreadableSettings {
    /// The file cannot be opened, or is not a regular file or not UTF-8: the reason.
    File(String),
    /// The text is not JSON.
    Text(JsonMistake),
}

/// One hook in a settings file. Claude Code calls it a handler.
#[derive(Clone, PartialEq, Debug)]
pub struct Handler {
    /// The name of its event. The host may not have such an event.
    pub event: String,
    /// The path of the hook in the document.
    pub path: NodePath,
    /// The byte range of the hook in the text.
    pub range: Range<usize>,
    /// Whether the group of hooks that share a matcher has no other hook.
    pub is_alone: bool,
    /// `matcher` of the group: the tools or other subjects for which the host calls the hook.
    pub matcher: Option<String>,
    /// `type`: `command`, `http`, `prompt` and so on.
    pub kind: Option<String>,
    /// `command`: a program, or a shell text if there are no [`Self::args`].
    pub command: Option<String>,
    /// `args`: the arguments of the program.
    pub args: Option<Vec<String>>,
    /// `timeout`: the seconds after which the host stops waiting for an answer.
    pub timeout: Option<f64>,
    /// `async`: the host does not wait for the hook, which therefore decides nothing.
    pub is_async: bool,
    /// `onFailure`: `block` or `continue`.
    pub on_failure: Option<String>,
    /// `if`: the host calls the hook only for calls that match this.
    pub condition: Option<String>,
}

/// The command of a hook that runs this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegisteredHook {
    /// The program as in the settings: a name or path.
    pub program: String,
    /// The arguments of the program.
    pub words: Vec<String>,
    /// How the host starts the program.
    pub form: StartForm,
}

/// How a host starts a hook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartForm {
    /// The host starts the program itself, with `args`.
    Exec,
    /// A shell runs the text of `command`.
    Shell {
        /// Whether the text ends in `|| exit 2`, so that a failure of the program blocks the event.
        guarded: bool,
        /// Whether the text only runs the program, apart from `|| exit 2`, without redirections or assignments.
        plain: bool,
    },
}

impl SettingsFile {
    /// Reads a file. `None` if it does not exist. If it cannot be read, the result has an empty text and the reason.
    #[must_use]
    pub fn read(scope: SettingsScope, path: PathBuf) -> Option<Self> {
        // The host follows links, so they are followed here, also in a project.
        let text = match files::read_following(&path, MAX_FILE_BYTES) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned()),
            Err(ReadError::NotFound) => return None,
            Err(error) => Err(error.to_string()),
        };
        Some(match text {
            Ok(text) => Self::from_text(scope, path, text),
            Err(why) => Self { scope, path, text: String::new(), document: Err(UnreadableSettings::File(why)) },
        })
    }

    /// Parses settings from a text.
    #[must_use]
    pub fn from_text(scope: SettingsScope, path: PathBuf, text: String) -> Self {
        let document = JsonDocument::parse(text.clone()).map_err(UnreadableSettings::Text);
        Self { scope, path, text, document }
    }

    /// Returns the byte range of a member of the root object, such as `disableAllHooks`, if its value is `true`.
    #[must_use]
    pub fn switch(&self, name: &str) -> Option<Range<usize>> {
        let member = self.root()?.member(name)?;
        (member.node.as_boolean() == Some(true)).then(|| member.range.clone())
    }

    /// Returns the outermost value; `None` if the text is empty or not JSON.
    fn root(&self) -> Option<&JsonNode> {
        self.document.as_ref().ok().and_then(JsonDocument::root)
    }

    /// Returns the number of the line in which a byte range begins, counted from 1.
    #[must_use]
    pub fn line(&self, place: &Range<usize>) -> usize {
        self.text.get(..place.start).map_or(1, |before| before.matches('\n').count() + 1)
    }

    /// Returns the variables in `env` that could mislead a hook (`PATH`, `LD_PRELOAD`), with their byte ranges.
    #[must_use]
    pub fn misleading_variables(&self) -> Vec<(String, Range<usize>)> {
        let env = self.root().and_then(|root| root.member("env"));
        let misleads = |name: &str| {
            MISLEADING.contains(&name) || MISLEADING_PREFIXES.iter().any(|beginning| name.starts_with(beginning))
        };
        let variables = env.map_or(&[][..], |env| env.node.members()).iter().filter(|member| misleads(&member.name));
        variables.map(|member| (member.name.clone(), member.range.clone())).collect()
    }

    /// Returns the rules in a list of `permissions` (`allow`, `ask` or `deny`), with their byte ranges.
    #[must_use]
    pub fn permissions(&self, list: &str) -> Vec<(String, Range<usize>)> {
        let permissions = self.root().and_then(|root| root.member("permissions"));
        let found = permissions.and_then(|permissions| permissions.node.member(list));
        let rules = found.map_or(&[][..], |list| list.node.elements());
        rules.iter().filter_map(|rule| Some((rule.as_text()?.to_owned(), rule.range.clone()))).collect()
    }

    /// Returns every hook of the file, in order, including those for unknown events. Empty if the file cannot be read.
    #[must_use]
    pub fn handlers(&self) -> Vec<Handler> {
        let Some(root) = self.root() else { return Vec::new() };
        // Of several members with the same name, the host reads the last.
        let Some(at) = root.members().iter().rposition(|member| member.name == "hooks") else { return Vec::new() };
        let events = root.members().get(at).map_or(&[][..], |hooks| hooks.node.members());
        let mut handlers = Vec::new();
        for (event_at, event) in events.iter().enumerate() {
            for (group_at, group) in event.node.elements().iter().enumerate() {
                let Some(hooks_at) = group.members().iter().rposition(|member| member.name == "hooks") else {
                    continue;
                };
                let hooks = group.members().get(hooks_at).map_or(&[][..], |hooks| hooks.node.elements());
                let matcher = group.member("matcher").and_then(|matcher| matcher.node.as_text()).map(str::to_owned);
                for (handler_at, node) in hooks.iter().enumerate() {
                    let text =
                        |name: &str| node.member(name).and_then(|member| member.node.as_text()).map(str::to_owned);
                    let list = node.member("args").filter(|args| matches!(args.node.value, NodeValue::Array(_)));
                    let args = list.map(|args| {
                        args.node.elements().iter().filter_map(|arg| arg.as_text().map(str::to_owned)).collect()
                    });
                    let timeout = node.member("timeout").and_then(|timeout| timeout.node.as_number());
                    handlers.push(Handler {
                        event: event.name.clone(),
                        path: vec![at, event_at, group_at, hooks_at, handler_at],
                        range: node.range.clone(),
                        is_alone: hooks.len() == 1,
                        matcher: matcher.clone(),
                        kind: text("type"),
                        command: text("command"),
                        args,
                        timeout,
                        is_async: node.member("async").and_then(|value| value.node.as_boolean()) == Some(true),
                        on_failure: text("onFailure"),
                        condition: text("if"),
                    });
                }
            }
        }
        handlers
    }

    /// Returns the hooks that run this program.
    #[must_use]
    pub fn own_hooks(&self) -> Vec<(Handler, RegisteredHook)> {
        let own = |handler: Handler| handler.own_registration().map(|registered| (handler, registered));
        self.handlers().into_iter().filter_map(own).collect()
    }

    /// Whether a hook for this event runs this program.
    #[must_use]
    pub fn has_own(&self, event: Event) -> bool {
        self.own_hooks().iter().any(|(handler, _)| handler.event == event.name())
    }
}

impl Handler {
    /// Returns the command of the hook if it runs this program; `None` for any other hook.
    #[must_use]
    pub fn own_registration(&self) -> Option<RegisteredHook> {
        let command = self.command.as_deref().filter(|_| self.kind.as_deref().is_none_or(|kind| kind == "command"))?;
        let Some(args) = &self.args else { return registration_in_shell_text(command) };
        is_own(command, args).then(|| RegisteredHook {
            program: command.to_owned(),
            words: args.clone(),
            form: StartForm::Exec,
        })
    }

    /// Whether the host blocks the event if the hook cannot start, crashes or takes too long.
    #[must_use]
    pub fn is_blocking_on_failure(&self) -> bool {
        let is_guarded = |it: RegisteredHook| matches!(it.form, StartForm::Shell { guarded: true, .. });
        self.on_failure.as_deref() == Some("block") || self.own_registration().is_some_and(is_guarded)
    }

    /// Whether the hook runs this program without arguments, so that it judges nothing.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        let line = self.command.as_deref().filter(|_| self.kind.as_deref() == Some("command")).unwrap_or_default();
        let line = line.trim().strip_suffix("|| exit 2").unwrap_or(line).trim();
        let is_word = !line.contains(char::is_whitespace) || self.args.is_some();
        is_word && self.args.as_ref().is_none_or(Vec::is_empty) && is_named_rules(line)
    }

    /// Whether the host calls the hook for every call, because the hook has no `if` and no restricting matcher.
    #[must_use]
    pub fn is_for_all(&self) -> bool {
        self.condition.is_none() && matches!(self.matcher.as_deref(), None | Some("" | "*" | ".*"))
    }

    /// Returns the command with its arguments, separated by blanks, for display.
    #[must_use]
    pub fn command_line(&self) -> String {
        let command = self.command.as_deref().or(self.kind.as_deref()).unwrap_or("?");
        let words = self.args.iter().flatten().map(String::as_str);
        [command].into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }
}

impl RegisteredHook {
    /// Returns the value of an option (`--scope user` or `--scope=user`); `None` if it is absent.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&str> {
        let mut words = self.words.iter();
        while let Some(word) = words.next() {
            if word == name {
                return words.next().map(String::as_str);
            }
            if let Some(value) = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
                return Some(value);
            }
        }
        None
    }
}

/// Whether the file name of a program is `rules`.
fn is_named_rules(program: &str) -> bool {
    let name = Path::new(program).file_name().map(|name| name.to_string_lossy());
    name.is_some_and(|name| name == "rules" || name == "rules.exe")
}

/// Whether a command runs this program as a hook. It does if the arguments begin with `hook HOST`, whatever the
/// program's name is, or if the program is named `rules` and they begin with `hook` or an event.
fn is_own(program: &str, args: &[String]) -> bool {
    let is_rules = is_named_rules(program);
    let host = || args.get(1).is_some_and(|host| Host::from_name(host).is_some());
    match args.first().map(String::as_str) {
        Some("hook") => is_rules || host(),
        Some(word) => is_rules && Event::from_name(word).is_some(),
        None => false,
    }
}

/// Returns the first command in a shell text that runs this program as a hook; `None` if there is none.
pub(super) fn registration_in_shell_text(text: &str) -> Option<RegisteredHook> {
    let analysis = analyse(text, &StartDirectories { cwd: Path::new("/"), home: None });
    let words = |command: &hookrules_shell::analysis::SimpleCommand| -> Vec<String> {
        command.words.iter().map(|word| word.known_text().map_or_else(|| word.literal(), str::to_owned)).collect()
    };
    let at = analysis.commands.iter().position(|command| {
        let words = words(command);
        words.split_first().is_some_and(|(program, args)| is_own(program, args))
    })?;
    let command = analysis.commands.get(at)?;
    let other_commands: Vec<Vec<String>> =
        analysis.commands.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| words(other)).collect();
    // Whether the only other command is `exit 2`.
    let only_exits = matches!(other_commands.as_slice(), [exit] if exit.as_slice() == ["exit", "2"]);
    let guarded =
        only_exits && text.trim_end().strip_suffix("exit 2").is_some_and(|text| text.trim_end().ends_with("||"));
    let plain = (other_commands.is_empty() || guarded)
        && analysis.opaque.is_empty()
        && command.redirects.is_empty()
        && command.assignments.is_empty()
        && !command.in_background;
    let words = words(command);
    let (program, words) = words.split_first()?;
    Some(RegisteredHook { program: program.clone(), words: words.to_vec(), form: StartForm::Shell { guarded, plain } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> SettingsFile {
        SettingsFile::from_text(SettingsScope::Project, PathBuf::from("/p/.claude/settings.json"), text.to_owned())
    }

    fn handler(text: &str) -> Handler {
        let whole = format!("{{\"hooks\": {{\"PreToolUse\": [{{\"matcher\": \"*\", \"hooks\": [{text}]}}]}}}}");
        settings(&whole).handlers().remove(0)
    }

    #[test]
    fn hooks_of_ours_are_told_from_others() {
        for (text, program, words, form) in [
            (
                r#"{"type": "command", "command": "/b/rules", "args": ["hook", "claude-code"]}"#,
                "/b/rules",
                "hook claude-code",
                StartForm::Exec,
            ),
            (r#"{"command": "rules", "args": ["Stop"]}"#, "rules", "Stop", StartForm::Exec),
            (
                r#"{"command": "/b/other-name", "args": ["hook", "claude-code", "--id", "1"]}"#,
                "/b/other-name",
                "hook claude-code --id 1",
                StartForm::Exec,
            ),
            (
                r#"{"command": "/b/rules hook claude-code || exit 2"}"#,
                "/b/rules",
                "hook claude-code",
                StartForm::Shell { guarded: true, plain: true },
            ),
            (
                r#"{"command": "  '/b c/rules'  hook  claude-code"}"#,
                "/b c/rules",
                "hook claude-code",
                StartForm::Shell { guarded: false, plain: true },
            ),
            (
                r#"{"command": "\"$CLAUDE_PROJECT_DIR\"/bin/rules hook claude-code || exit 2"}"#,
                "/bin/rules",
                "hook claude-code",
                StartForm::Shell { guarded: true, plain: true },
            ),
            (
                r#"{"command": "touch x; rules hook claude-code"}"#,
                "rules",
                "hook claude-code",
                StartForm::Shell { guarded: false, plain: false },
            ),
            (
                r#"{"command": "rules hook claude-code; exit 2"}"#,
                "rules",
                "hook claude-code",
                StartForm::Shell { guarded: false, plain: false },
            ),
            (
                r#"{"command": "rules hook claude-code > /dev/null || exit 2"}"#,
                "rules",
                "hook claude-code",
                StartForm::Shell { guarded: true, plain: false },
            ),
        ] {
            let found = handler(text).own_registration().unwrap_or_else(|| panic!("{text}"));
            let program_found = found.program.trim_start_matches(|c: char| !c.is_ascii_alphanumeric() && c != '/');
            assert!(program_found.ends_with(program), "{text}: {found:?}");
            assert_eq!((found.words.join(" ").as_str(), found.form), (words, form), "{text}");
        }
        for text in [
            r#"{"type": "command", "command": "echo rules hook claude-code"}"#,
            r#"{"type": "command", "command": "rules check"}"#,
            r#"{"type": "http", "url": "http://x", "command": "rules hook claude-code"}"#,
            r#"{"type": "command", "command": "ruler", "args": ["Stop"]}"#,
            r#"{"type": "prompt", "prompt": "rules hook"}"#,
            "{}",
        ] {
            assert_eq!(handler(text).own_registration(), None, "{text}");
        }
    }

    #[test]
    fn what_misleads_a_hook_is_found_with_its_place() {
        let found = settings(
            "{\n\"env\": {\"A\": \"1\", \"PATH\": \".\",\n\"LD_PRELOAD\": \"x\"},\n\"disableAllHooks\": true,\n\"permissions\": {\"allow\": [\"Bash\"]}}",
        );
        let lines = |found_at: Vec<(String, Range<usize>)>| -> Vec<(String, usize)> {
            found_at.into_iter().map(|(name, place)| (name, found.line(&place))).collect()
        };
        assert_eq!(lines(found.misleading_variables()), [("PATH".to_owned(), 2), ("LD_PRELOAD".to_owned(), 3)]);
        assert_eq!(found.switch("disableAllHooks").map(|place| found.line(&place)), Some(4));
        assert_eq!(lines(found.permissions("allow")), [("Bash".to_owned(), 5)]);
        assert_eq!(settings("{\"disableAllHooks\": false}").switch("disableAllHooks"), None);
    }

    #[test]
    fn oddities_are_no_hooks_and_no_crash() {
        for text in [
            "[]",
            "3",
            "{\"hooks\": []}",
            "{\"hooks\": {\"PreToolUse\": {}}}",
            "{\"hooks\": {\"Stop\": [1, {\"hooks\": {}}]}}",
            "",
            "{",
        ] {
            assert!(settings(text).handlers().is_empty(), "{text}");
        }
    }

    #[test]
    fn an_option_is_read_in_both_forms() {
        let found = handler(r#"{"command": "rules", "args": ["hook", "claude-code", "--scope=user", "--id", "ab"]}"#)
            .own_registration()
            .unwrap();
        assert_eq!(
            (found.option("--scope"), found.option("--id"), found.option("--timeout")),
            (Some("user"), Some("ab"), None)
        );
    }
}
