//! The files that guard a session, and the description of each kind.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::added_hosts::AddedHosts;
use crate::context::{Context, PathForm};
use crate::eval::{CheckedFiles, DirectoryEffect, TouchExtent};
use crate::files;
use crate::hooks::process;
use crate::host::{Host, settings_directories};
use crate::host_settings::shared_local_settings;
use crate::platform::paths::portable;
use crate::project::{
    LinkKind, MachinePlaces, final_link_target, is_directory, is_in_directory, is_possible_source, link_at,
};
use crate::ruleset::{DirOperand, TouchTest};
use hookrules_shell::Word;
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::path::{NameCase, PathGlobs, contains_by_case};

use super::{rights, tool_name_words};

/// The policy files of a project, as globs.
///
/// They are guarded in the directories above the project as well, because the policies there apply too.
const POLICY_GLOBS: &[&str] = &[".rules", ".rules/**", "!.rules/log/**"];

/// The files in which a host's hooks are registered, or which define agents, commands and servers with hooks of their
/// own. Here and below, alternatives are spelled out so that no hook spends time on expanding braces.
const HOST_GLOBS: &[&str] = &[
    "./.claude",
    ".claude/settings*.json",
    "~/.claude",
    "~/.claude/settings*.json",
    "~/.claude.json",
    "./.mcp.json",
    "/etc/claude-code/**",
    "/Library/Application Support/ClaudeCode/**",
    ".wave/**",
    "~/.wave/**",
];

/// The guarded directories in `.claude`, in a project and in the user's home.
const HOST_DIRECTORIES: &[&str] = &["hooks", "agents", "skills", "commands", "plugins"];

/// The directories that are guarded only in `~/.claude`: the host runs their contents before each command of the shell
/// tool.
const SHELL_DIRECTORIES: &[&str] = &["session-env", "shell-snapshots"];

/// The guarded names in a settings directory at another path: one that `CLAUDE_CONFIG_DIR` names, or the target of a
/// link.
const HOST_NAMES: &[&str] = &[
    "settings.json",
    "settings.local.json",
    "hooks",
    "agents",
    "skills",
    "commands",
    "plugins",
    "session-env",
    "shell-snapshots",
    ".claude.json",
];

/// The files that git runs, and those by which it finds the repository. They are guarded in the directories above the
/// project as well.
const GIT_GLOBS: &[&str] = &[
    ".git",
    ".git/hooks",
    ".git/hooks/**",
    ".git/config",
    ".git/config.worktree",
    ".git/HEAD",
    ".git/commondir",
    ".git/info/attributes",
    ".git/info/sparse-checkout",
    ".git/modules/**/config",
    ".git/modules/**/hooks/**",
];

/// Every path that the globs above match contains one of these names. They are compared first, because that is cheap.
pub(super) const NAMES: &[&str] =
    &[".rules", ".claude", ".claude.json", ".git", ".mcp.json", ".wave", "claude-code", "claudecode"];

/// Parts of the names of git hook directories outside `.git`, such as `.husky`.
const HOOK_NAME_PARTS: &[&str] = &["hook", "husky"];

/// The paths at which a user may have put a link, relative to a base. The target of the link is then guarded too, as
/// the given kind.
const LINKS: &[(GuardedKind, LinkBase, &str)] = &[
    (GuardedKind::PolicyElsewhere, LinkBase::Project, ".rules"),
    (GuardedKind::HostElsewhere, LinkBase::Project, ".claude"),
    (GuardedKind::HostElsewhere, LinkBase::Project, ".claude/settings.json"),
    (GuardedKind::HostElsewhere, LinkBase::Project, ".claude/settings.local.json"),
    (GuardedKind::HostElsewhere, LinkBase::Project, ".mcp.json"),
    (GuardedKind::HostElsewhere, LinkBase::Home, ".claude"),
    (GuardedKind::HostElsewhere, LinkBase::Home, ".claude/settings.json"),
    (GuardedKind::HostElsewhere, LinkBase::Home, ".claude.json"),
    (GuardedKind::GitElsewhere, LinkBase::Project, ".git/hooks"),
    (GuardedKind::GitElsewhere, LinkBase::Project, ".git/config"),
];

/// The base directory of a name in [`LINKS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LinkBase {
    /// The project directory.
    Project,
    /// The user's home.
    Home,
}

/// A text that every path in [`PROGRAMS`] and [`PROGRAMS_OF_HOME`] contains.
const PROGRAM_PART: &[u8] = b"rules";

/// The paths at which the usual installation methods put the program.
const PROGRAMS: &[&str] = &["/usr/local/bin/rules", "/usr/bin/rules", "/opt/homebrew/bin/rules"];
/// The paths in the user's home at which the usual installation methods put the program.
const PROGRAMS_OF_HOME: &[&str] = &[".cargo/bin/rules", ".local/bin/rules"];

/// The commands of git that may change git's files without a question: creating a repository or changing its metadata
/// is their purpose.
const UNASKED_GIT_COMMANDS: &[&str] =
    &["init", "clone", "worktree", "submodule", "remote", "branch", "fetch", "pull", "push", "checkout", "switch"];

/// The commands of git that remove a directory with everything in it.
const REMOVING_GIT_COMMANDS: &[&str] = &["rm", "mv"];

/// The words in the name of a tool outside the schema that mark it as removing something.
const REMOVING_TOOL_WORDS: &[&str] =
    &["delete", "remove", "move", "rename", "rm", "rmdir", "mv", "trash", "unlink", "clear"];

/// The maximum number of bytes that are read of one of git's files.
const MAX_GIT_FILE_BYTES: u64 = 64 << 10;

/// The kinds of guarded files, in the order in which they are tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GuardedKind {
    /// The policy in `.rules`, of the project and of the directories above it.
    Policy,
    /// The other sources of the policy, such as the user's, and the targets of links to them.
    PolicyElsewhere,
    /// The program, and its state directory.
    Own,
    /// The settings of the host at their usual paths.
    Host,
    /// The settings of the host in `CLAUDE_CONFIG_DIR` and at the root of the main working tree, and the targets of
    /// links to them.
    HostElsewhere,
    /// The files in which the hook is registered for other hosts.
    OtherHosts,
    /// The files in `.git` that make git run something, or find the repository.
    Git,
    /// The hooks and the configuration of git outside the project's `.git`.
    GitElsewhere,
}

impl GuardedKind {
    const ALL: [Self; 8] = [
        Self::Policy,
        Self::PolicyElsewhere,
        Self::Own,
        Self::Host,
        Self::HostElsewhere,
        Self::OtherHosts,
        Self::Git,
        Self::GitElsewhere,
    ];
}

/// The files that guard a session.
pub(super) struct GuardedFiles<'g> {
    context: &'g Context<'g>,
    places: &'g MachinePlaces,
    /// Returns the files that the policy was compiled from.
    find_sources: &'g dyn Fn() -> Vec<PathBuf>,
    /// The result of `find_sources`.
    sources: OnceCell<Vec<PathBuf>>,
    /// The paths by which this process was started.
    called: OnceCell<Vec<PathBuf>>,
    /// The targets of links at the usual paths of guarded files, with their kinds.
    linked: OnceCell<Vec<(GuardedKind, PathBuf)>>,
    /// The directories of git's hooks outside `.git`.
    hooks: OnceCell<Vec<PathBuf>>,
    /// The files in which the hook is registered for other hosts.
    registrations: OnceCell<Vec<PathBuf>>,
    /// The paths in the records of added hosts, in the form of [`Host::registration_paths`].
    added_registrations: OnceCell<Vec<String>>,
    /// One test for each kind of [`GuardedKind::ALL`], in that order.
    tests: OnceCell<Vec<TouchTest>>,
}

impl<'g> GuardedFiles<'g> {
    /// Creates the collection. The files are looked up only when a call needs them.
    pub(super) fn new(
        context: &'g Context<'g>,
        places: &'g MachinePlaces,
        find_sources: &'g dyn Fn() -> Vec<PathBuf>,
    ) -> Self {
        let (sources, called, linked) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let (hooks, registrations, tests) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let added_registrations = OnceCell::new();
        Self {
            context,
            places,
            find_sources,
            sources,
            called,
            linked,
            hooks,
            registrations,
            added_registrations,
            tests,
        }
    }

    /// Describes the files of a kind by a phrase that follows a path in a message: "which guards this session".
    pub(super) fn description(&self, kind: usize) -> &'static str {
        match GuardedKind::ALL.get(kind) {
            Some(GuardedKind::Policy | GuardedKind::PolicyElsewhere) => "which says what agents may do",
            Some(GuardedKind::Own) => "which is `rules` itself or what it keeps",
            Some(GuardedKind::Host | GuardedKind::HostElsewhere) => {
                "which defines the agent's hooks, tools and helpers"
            }
            Some(GuardedKind::OtherHosts) => "in which hooks of an agent are registered",
            Some(GuardedKind::Git | GuardedKind::GitElsewhere) => "which says what git runs automatically, and where",
            None => "which guards this session",
        }
    }

    /// Whether the host itself asks the user before it changes files of this kind. Claude Code does so for its settings
    /// and git's files in every mode, and then drops the question of a hook.
    pub(super) fn is_asked_by_host(&self, kind: usize) -> bool {
        let kind = GuardedKind::ALL.get(kind);
        matches!(
            kind,
            Some(GuardedKind::Host | GuardedKind::HostElsewhere | GuardedKind::Git | GuardedKind::GitElsewhere)
        )
    }

    fn home(&self) -> Option<&Path> {
        self.context.machine().home()
    }

    fn project(&self) -> Option<&Path> {
        self.context.machine().project().or(self.places.project.as_deref())
    }

    fn sources(&self) -> &[PathBuf] {
        self.sources.get_or_init(self.find_sources)
    }

    /// Returns the paths by which this process was started.
    fn start_paths(&self) -> &[PathBuf] {
        self.called.get_or_init(process::program_paths)
    }

    /// Returns the paths at which the program may be installed.
    fn possible_installations(&self) -> impl Iterator<Item = PathBuf> {
        let of_home = PROGRAMS_OF_HOME.iter().filter_map(|path| Some(join_path(self.home()?, path)));
        PROGRAMS.iter().map(PathBuf::from).chain(of_home)
    }

    /// Whether a program name is one of this program's names.
    pub(super) fn is_own_name(&self, name: &str) -> bool {
        let is_base = |path: &PathBuf| path.file_name().is_some_and(|base| base == name);
        name.contains("rules")
            && (name == "rules.exe"
                || self.start_paths().iter().any(is_base)
                || self.possible_installations().any(|path| is_base(&path)))
    }

    /// Returns the files in which the hook is registered for other hosts, in the project and the user's home.
    fn registrations(&self) -> &[PathBuf] {
        let place = |path: String| match path.strip_prefix("~/") {
            Some(path) => Some(join_path(self.home()?, path)),
            None => Some(join_path(self.project()?, &path)),
        };
        self.registrations.get_or_init(|| {
            let built_in = Host::built_in().flat_map(Host::registration_paths);
            built_in.chain(self.added_registrations().iter().cloned()).filter_map(place).collect()
        })
    }

    /// Returns the paths in the records of the user and the administrator. The records are read only when a call
    /// touches files, and also if this hook is one of a built-in host.
    fn added_registrations(&self) -> &[String] {
        self.added_registrations.get_or_init(|| AddedHosts::read(self.places).registration_paths())
    }

    /// Returns the first components of the paths in which added hosts are registered: `.acme`.
    pub(super) fn added_settings_directories(&self) -> impl Iterator<Item = &str> {
        let paths = self.added_registrations().iter().map(|path| path.trim_start_matches("~/"));
        paths.filter_map(|path| path.split('/').next()).filter(|name| !name.is_empty())
    }

    fn hooks(&self) -> &[PathBuf] {
        self.hooks.get_or_init(|| self.project().map(external_git_hook_paths).unwrap_or_default())
    }

    /// Returns the directories whose whole contents are guarded.
    fn directories(&self) -> impl Iterator<Item = &Path> {
        let places = self.places;
        let all = [Some(&places.managed), places.user.as_ref(), places.state.as_ref()];
        all.into_iter().flatten().map(PathBuf::as_path)
    }

    /// Returns the targets of those paths in [`LINKS`] that are links, and of policy directories that are links, with
    /// their kinds.
    fn link_targets(&self) -> &[(GuardedKind, PathBuf)] {
        self.linked.get_or_init(|| {
            let mut targets = Vec::new();
            // One buffer for all paths, because this runs for every call that changes files.
            let mut path = PathBuf::new();
            // The last path that does not exist: the paths below it are skipped.
            let mut missing: Option<(LinkBase, &str)> = None;
            for (kind, base_kind, name) in LINKS {
                let Some(base) = (match base_kind {
                    LinkBase::Project => self.project(),
                    LinkBase::Home => self.home(),
                }) else {
                    continue;
                };
                let is_below = |(base, directory): (LinkBase, &str)| {
                    base == *base_kind && name.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
                };
                if missing.is_some_and(is_below) {
                    continue;
                }
                path.clear();
                path.push(base);
                path.push(name);
                let target = match link_at(&path) {
                    LinkKind::Link(target) => target,
                    LinkKind::NoLink => continue,
                    LinkKind::Absent => {
                        missing = Some((*base_kind, *name));
                        continue;
                    }
                };
                // Only a part of `.claude` is guarded.
                match *name {
                    ".claude" => targets.extend(HOST_NAMES.iter().map(|name| (*kind, join_path(&target, name)))),
                    _ => targets.push((*kind, target)),
                }
            }
            let directories = self.directories().filter_map(final_link_target);
            targets.extend(directories.map(|target| (GuardedKind::PolicyElsewhere, target)));
            targets
        })
    }

    /// Returns one test for each kind of [`GuardedKind::ALL`], in that order.
    fn make_tests(&self) -> Vec<TouchTest> {
        let up = self.project().map_or(0, |project| project.ancestors().count().saturating_sub(1));
        // The prefix of a glob for the directory `up` levels above the project. Without a slash, a glob would match at
        // any depth.
        let level_prefix = |up: usize| if up == 0 { "./".to_owned() } else { "../".repeat(up) };
        let above = |names: &[&str]| {
            let of_level = |level: usize| {
                names.iter().map(move |name| match name.strip_prefix('!') {
                    Some(name) => format!("!{}{name}", level_prefix(level)),
                    None => format!("{}{name}", level_prefix(level)),
                })
            };
            (0..=up).flat_map(of_level).collect::<Vec<String>>()
        };
        // INVARIANT: all names are constants of this file and valid globs, so `new` does not fail.
        let globs = |names: &[&str], above: Vec<String>| {
            let globs: Vec<String> = names.iter().map(ToString::to_string).chain(above).collect();
            TouchTest::Like(Arc::new(PathGlobs::new(&globs).unwrap_or_default().into()))
        };
        let places = self.places;
        let policy = [Some(&places.managed), places.user.as_ref()].into_iter().flatten();
        let policy: Vec<PathBuf> = policy.chain(self.sources()).cloned().collect();
        let own_files: Vec<PathBuf> =
            places.state.iter().chain(self.start_paths()).cloned().chain(self.possible_installations()).collect();
        let named_settings = process::host_settings_directory();
        let host_files = HOST_NAMES.iter().filter_map(|name| Some(join_path(named_settings.as_ref()?, name)));
        let host_files: Vec<PathBuf> = host_files.chain(self.project().and_then(shared_local_settings)).collect();
        let under = |kind: GuardedKind, paths: Vec<PathBuf>| {
            let linked =
                self.link_targets().iter().filter(|(of_kind, _)| *of_kind == kind).map(|(_, path)| path.clone());
            TouchTest::Under(paths.into_iter().chain(linked).map(DirOperand::Literal).collect::<Vec<_>>().into())
        };
        let make = |kind: &GuardedKind| match kind {
            GuardedKind::Policy => globs(&[], above(POLICY_GLOBS)),
            GuardedKind::PolicyElsewhere => under(*kind, policy.clone()),
            GuardedKind::Own => under(*kind, own_files.clone()),
            GuardedKind::Host => globs(HOST_GLOBS, host_directories()),
            GuardedKind::HostElsewhere => under(*kind, host_files.clone()),
            GuardedKind::OtherHosts => under(*kind, self.registrations().to_vec()),
            GuardedKind::Git => globs(&[], above(GIT_GLOBS)),
            GuardedKind::GitElsewhere => under(*kind, self.hooks().to_vec()),
        };
        GuardedKind::ALL.iter().map(make).collect()
    }
}

impl CheckedFiles for GuardedFiles<'_> {
    // These tests are cheaper than those in `tests`: a path that passes none of them is certainly not guarded.
    fn is_possibly_guarded(&self, path: &Path, extent: TouchExtent) -> bool {
        let folds = self.context.machine().is_case_folding();
        // Writing compiled policies is checked in `edits`, and deleting them is allowed.
        if self.places.cache.as_ref().is_some_and(|cache| path.starts_with(cache)) {
            return false;
        }
        let case = if folds { NameCase::Folded } else { NameCase::Exact };
        let is_named = match folds && !path.as_os_str().is_ascii() {
            // Characters outside ASCII may fold to ASCII ones, so only the tests can decide.
            true => true,
            false => has_name(path.as_os_str().as_encoded_bytes(), NAMES),
        };
        let is_in = |dir: &Path, path: &Path| match case {
            NameCase::Exact => is_in_directory(dir, path),
            NameCase::Folded => contains_by_case(dir, path, case),
        };
        let overlaps = |place: &Path| is_in(place, path) || extent == TouchExtent::Below && is_in(path, place);
        let is_above = || {
            let project = || self.project().is_some_and(|project| is_in(path, project));
            let home = || self.home().is_some_and(|home| is_in(path, home));
            extent == TouchExtent::Below
                && (project() || home() || self.sources().iter().any(|source| overlaps(source)))
        };
        // Joining paths costs more than a substring search.
        let may_be_installed =
            || extent == TouchExtent::Below || has_text(path.as_os_str().as_encoded_bytes(), PROGRAM_PART);
        // The hook directories are determined only for a path whose name suggests one.
        let is_hook = || {
            let forms = [PathForm::Lexical, PathForm::Physical];
            let place = |(hooks, form): (&PathBuf, PathForm)| self.context.policy_path(&hooks.to_string_lossy(), form);
            HOOK_NAME_PARTS.iter().any(|part| has_text(path.as_os_str().as_encoded_bytes(), part.as_bytes()))
                && self.hooks().iter().flat_map(|hooks| forms.map(|form| (hooks, form))).any(|at| overlaps(&place(at)))
        };
        let is_registration = || {
            let bytes = path.as_os_str().as_encoded_bytes();
            let has_added =
                |name: &str| bytes.split(|byte| *byte == b'/').any(|part| part.eq_ignore_ascii_case(name.as_bytes()));
            let is_of_added = || self.added_settings_directories().any(has_added);
            (has_name(bytes, settings_directories()) || is_of_added())
                && self.registrations().iter().any(|place| overlaps(place))
        };
        is_named
            || is_registration()
            || is_hook()
            || self.directories().any(overlaps)
            || may_be_installed() && self.possible_installations().any(|program| overlaps(&program))
            || self.start_paths().iter().any(|program| overlaps(program))
            || self.link_targets().iter().any(|(_, target)| overlaps(target))
            || is_possible_source(path) && self.sources().iter().any(|source| overlaps(source))
            || is_above()
            || process::host_settings_directory().is_some_and(|directory| overlaps(&directory))
    }

    fn tests(&self) -> &[TouchTest] {
        self.tests.get_or_init(|| self.make_tests())
    }

    fn is_free(&self, kind: usize, command: &SimpleCommand) -> bool {
        let is_gits = matches!(GuardedKind::ALL.get(kind), Some(GuardedKind::Git | GuardedKind::GitElsewhere));
        let argv = command.argv();
        let command = argv.subcommands.first().copied().and_then(Word::known_text);
        let is_git = is_gits
            && argv.name == Some("git")
            && command.is_some_and(|command| UNASKED_GIT_COMMANDS.contains(&command));
        // Creating a directory changes no existing file.
        is_git || argv.name == Some("mkdir")
    }

    fn is_assumed_recursive(&self) -> bool {
        let name = self.context.payload().tool_name().unwrap_or_default();
        tool_name_words(name).iter().any(|word| REMOVING_TOOL_WORDS.contains(&word.as_str()))
    }

    fn is_counted_by_name(&self, command: &SimpleCommand) -> bool {
        let argv = command.argv();
        let command = argv.subcommands.first().copied().and_then(Word::known_text);
        argv.name == Some("git") && command.is_some_and(|command| !REMOVING_GIT_COMMANDS.contains(&command))
    }

    fn directory_effect(&self, command: &SimpleCommand) -> DirectoryEffect {
        rights::directory_effect(&command.words)
    }
}

/// Returns the globs of the guarded directories in `.claude`.
fn host_directories() -> Vec<String> {
    let of_projects = HOST_DIRECTORIES.iter().map(|name| (".claude", name));
    let of_account = HOST_DIRECTORIES.iter().chain(SHELL_DIRECTORIES).map(|name| ("~/.claude", name));
    let both = |(host, name)| [format!("{host}/{name}"), format!("{host}/{name}/**")];
    of_projects.chain(of_account).flat_map(both).collect()
}

/// Joins a name to a directory, with one allocation.
fn join_path(directory: &Path, name: &str) -> PathBuf {
    let mut path = PathBuf::with_capacity(directory.as_os_str().len() + 1 + name.len());
    path.push(directory);
    path.push(name);
    portable(path)
}

/// Whether one of the path's components is one of these names, in any letter case.
fn has_name(path: &[u8], names: &[&str]) -> bool {
    let is_guarded = |name: &[u8]| {
        // Few names begin with these characters.
        matches!(name.first(), Some(b'.' | b'c' | b'C'))
            && names.iter().any(|own| name.eq_ignore_ascii_case(own.as_bytes()))
    };
    path.split(|byte| *byte == b'/').any(is_guarded)
}

/// Whether a path contains a text, ignoring case.
fn has_text(path: &[u8], text: &[u8]) -> bool {
    let Some((first, rest)) = text.split_first() else { return true };
    let is_here = |at: usize| path.get(at + 1..at + text.len()).is_some_and(|part| part.eq_ignore_ascii_case(rest));
    path.iter().enumerate().any(|(at, byte)| byte.eq_ignore_ascii_case(first) && is_here(at))
}

/// Returns the guarded paths of git outside the project's `.git`: the directories that `core.hooksPath` names and, for
/// a linked worktree, the hooks and the configuration of its repository.
fn external_git_hook_paths(project: &Path) -> Vec<PathBuf> {
    let read = |path: &Path| {
        files::read(path, MAX_GIT_FILE_BYTES).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let Some((root, entry)) = project.ancestors().find_map(|directory| {
        let entry = directory.join(".git");
        // `.git` is a directory, or in a linked worktree a file.
        let is_there = is_directory(&entry) || read(&entry).is_some();
        is_there.then(|| (directory.to_path_buf(), entry))
    }) else {
        return Vec::new();
    };
    let linked_repository = read(&entry).and_then(|text| {
        let directory = root.join(text.strip_prefix("gitdir:")?.trim());
        directory.ancestors().find(|above| above.ends_with(".git")).map(Path::to_path_buf)
    });
    let repository = linked_repository.clone().unwrap_or(entry);
    let mut guarded: Vec<PathBuf> =
        linked_repository.iter().flat_map(|repository| [repository.join("hooks"), repository.join("config")]).collect();
    let config = read(&repository.join("config")).unwrap_or_default();
    let hook_paths = config.lines().filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        name.trim().eq_ignore_ascii_case("hookspath").then(|| value.trim().trim_matches('"').to_owned())
    });
    // A path that begins with `~` is resolved like any path of a policy.
    let place = |value: String| if value.starts_with('~') { PathBuf::from(value) } else { root.join(value) };
    guarded.extend(hook_paths.filter(|value| !value.is_empty()).map(place));
    guarded.into_iter().map(portable).collect()
}
