//! Commands that change what guards a session without changing one of its files by themselves: the program's own, coding
//! agents that start without hooks or change their settings, and signals to the process that calls the hooks.
//!
//! What a command is follows from the records of programs, wherever it stands in a text and whoever runs it.

use super::SHOWN;
use super::files::GuardedFiles;
use crate::context::{Context, Form, ShellText};
use crate::escape::line;
use crate::eval::kind_of;
use crate::ruleset::{FactName, Source};
use crate::schema::Event;
use hookrules_shell::{Part, Scope, Simple, Source as Origin, Variable, Word};

/// The commands of this program that a person decides about. What only looks is not among them.
const OWN: &[&str] = &["trust", "untrust", "pause", "install", "uninstall", "init", "import", "hook"];

/// Those that change something with an option alone.
const OWN_WITH: &[(&str, &str)] = &[("doctor", "--fix")];

/// The options of Claude Code that leave hooks out, or bring other settings.
const HOOKLESS: &[&str] = &["--bare", "--settings", "--setting-sources", "--safe-mode"];
/// The variables that lead it to other settings.
const ELSEWHERE: &[&str] = &["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SIMPLE", "HOME"];
/// Its commands that change its settings: with an argument of their own, those that count.
const SETTINGS: &[(&str, &[&str])] = &[
    ("mcp", &["add", "add-json", "add-from-claude-desktop", "remove", "reset-project-choices"]),
    ("plugin", &["install", "i", "uninstall", "remove", "enable", "disable", "update", "marketplace"]),
    ("plugins", &["install", "i", "uninstall", "remove", "enable", "disable", "update", "marketplace"]),
    ("config", &["set", "add", "remove", "rm"]),
];

/// The options of Codex that leave its guards out, and the variable that leads it to other settings.
const CODEX: &[&str] = &["--yolo", "--dangerously-bypass-approvals-and-sandbox"];
const CODEX_ELSEWHERE: &[&str] = &["CODEX_HOME"];

/// The packages of agents, as `npx` and its like name them.
const PACKAGES: &[(&str, Agent)] = &[("@anthropic-ai/claude-code", Agent::Claude), ("@openai/codex", Agent::Codex)];
const RUNNERS: &[&str] = &["npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "deno"];

/// The packages of this program, and what removes or replaces it.
const OWN_PACKAGES: &[&str] = &["hookrules", "rules"];
const INSTALLERS: &[(&str, &[&str])] = &[
    ("cargo", &["install", "uninstall", "binstall"]),
    ("brew", &["install", "uninstall", "remove", "rm", "unlink", "upgrade", "reinstall"]),
];

/// What sends signals, and what finds processes for it.
const SIGNALS: &[&str] = &["kill", "pkill", "killall", "skill", "killall5", "cpulimit"];
const FINDERS: &[&str] = &["pgrep", "pidof", "ps", "grep", "egrep", "rg", "awk", "lsof", "fuser"];
/// The names of the processes that guard, and of those that call them.
const PROCESSES: &[&str] = &["rules", "hookrules", "claude", "codex", "wave", "ppid"];
/// The variables that hold the number of the process that calls the hooks, `PPID` aside.
const PARENTS: &[&str] = &["CLAUDE_PID"];

/// What changes what a name leads to, or may be done to it, and no file by itself.
const MOUNTS: &[&str] = &["mount", "umount", "chattr"];

/// The settings of git by which it runs something else, or finds another repository.
const GIT_SETTINGS: &[&str] = &["core.hookspath", "core.fsmonitor", "core.worktree"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Agent {
    Claude,
    Codex,
}

/// What a command does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Own,
    Hookless,
    Settings,
    Signal,
    Mount,
    Git,
}

/// How surely.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Surely {
    Maybe,
    Yes,
}

/// A command that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    what: What,
    surely: Surely,
    shown: String,
}

impl Found {
    /// Says what the command does.
    pub(super) fn message(&self) -> String {
        let shown = line(&self.shown, SHOWN);
        let (surely, maybe, what) = match self.what {
            What::Own => ("changes", "change", "what guards this session"),
            What::Hookless => ("starts", "start", "a coding agent without this session's hooks"),
            What::Settings => ("changes", "change", "the agent's settings, tools and helpers"),
            What::Signal => ("reaches", "reach", "the process that calls the hooks, which may then call them no more"),
            What::Mount => ("changes", "change", "what the policy's or the settings' names lead to"),
            What::Git => ("changes", "change", "what git runs automatically, and where"),
        };
        let does = match self.surely {
            Surely::Yes => format!("{surely} {what}"),
            Surely::Maybe => format!("may {maybe} {what}"),
        };
        format!("`{shown}` {does}. Is that intended?")
    }
}

/// Returns the first command of a call that does such a thing for certain, else one that may.
pub(super) fn check(context: &Context<'_>, files: &GuardedFiles<'_>) -> Option<Found> {
    let shell = context.shell_text()?;
    let mut possible = None;
    for (_, command) in shell.analysis.iter().filter(|(_, command)| command.scope == Scope::Local) {
        let Some((what, surely)) = judge(context, shell, command, files) else { continue };
        let surely = if command.doubt.is_some() { Surely::Maybe } else { surely };
        let found = || Found { what, surely, shown: shell.shown(command) };
        match surely {
            Surely::Yes => return Some(found()),
            Surely::Maybe => possible = possible.or_else(|| Some(found())),
        }
    }
    possible
}

fn judge(
    context: &Context<'_>,
    shell: &ShellText,
    command: &Simple,
    files: &GuardedFiles<'_>,
) -> Option<(What, Surely)> {
    let name = command.words.first().and_then(Word::known)?;
    let name = name.rsplit('/').next().unwrap_or(name);
    let args = command.words.get(1..).unwrap_or_default();
    match name {
        "claude" | "claude.exe" => agent(Agent::Claude, args, command),
        "codex" | "codex.exe" => agent(Agent::Codex, args, command),
        name if RUNNERS.contains(&name) => {
            let known = || args.iter().filter_map(Word::known);
            let named = |package: &str| {
                known()
                    .any(|word| word.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('@')))
            };
            let package = PACKAGES.iter().find(|(package, _)| named(package));
            package.and_then(|(_, kind)| agent(*kind, args, command))
        }
        "git" => {
            let argv = command.argv();
            let is_config = argv.commands.first().and_then(|word| word.known()) == Some("config");
            let reads =
                || args.iter().filter_map(Word::known).any(|word| matches!(word, "get" | "--get" | "--get-all"));
            let [key, _, ..] = argv.operands.as_slice() else { return None };
            let is_meant = is_config && !reads() && is_git_setting(key);
            is_meant.then_some((What::Git, Surely::Yes))
        }
        name if SIGNALS.contains(&name) => signal(context, shell, command, name),
        name if MOUNTS.contains(&name) => {
            let known = args.iter().filter_map(Word::known).filter(|word| !word.starts_with('-'));
            let mut paths = known.map(|word| context.absolute(word, Form::Lexical));
            paths.any(|path| kind_of(context, &path, files).is_some()).then_some((What::Mount, Surely::Yes))
        }
        name if files.is_own_name(name) => own(args),
        name => {
            let (_, commands) = INSTALLERS.iter().find(|(installer, _)| *installer == name)?;
            let argv = command.argv();
            let is_meant = argv.commands.first().or(argv.operands.first()).and_then(|word| word.known());
            let known = || args.iter().filter_map(Word::known);
            let is_own = || known().any(|word| OWN_PACKAGES.iter().any(|own| word.split('@').next() == Some(own)));
            (is_meant.is_some_and(|word| commands.contains(&word)) && is_own()).then_some((What::Own, Surely::Yes))
        }
    }
}

/// Judges the arguments of this program.
fn own(args: &[Word]) -> Option<(What, Surely)> {
    let known = || args.iter().filter_map(Word::known);
    if known().any(|word| matches!(word, "--help" | "-h" | "--version" | "-V")) {
        return None;
    }
    for (at, word) in args.iter().enumerate() {
        let Some(text) = word.known() else { return Some((What::Own, Surely::Maybe)) };
        // Of the options in front of a command only the one for colours takes a value.
        let is_value = at.checked_sub(1).and_then(|at| args.get(at)).and_then(Word::known) == Some("--color");
        if text.starts_with('-') || is_value {
            continue;
        }
        let counts = OWN.contains(&text)
            || Event::from_name(text).is_some()
            || OWN_WITH.iter().any(|(name, option)| *name == text && known().any(|word| word == *option));
        return counts.then_some((What::Own, Surely::Yes));
    }
    None
}

/// Judges the arguments and the environment of a coding agent.
fn agent(agent: Agent, args: &[Word], command: &Simple) -> Option<(What, Surely)> {
    let (options, variables) = match agent {
        Agent::Claude => (HOOKLESS, ELSEWHERE),
        Agent::Codex => (CODEX, CODEX_ELSEWHERE),
    };
    let is_option = |text: &str, option: &str| {
        text.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let known = || args.iter().filter_map(Word::known);
    if known().any(|text| options.iter().any(|option| is_option(text, option))) {
        return Some((What::Hookless, Surely::Yes));
    }
    if known().any(|text| matches!(text, "--help" | "-h" | "--version" | "-v")) {
        return None;
    }
    if variables.iter().any(|name| matches!(command.variable(name), Variable::Set(_))) {
        return Some((What::Hookless, Surely::Yes));
    }
    let mut words = known().filter(|text| !text.starts_with('-'));
    let first = words.find(|text| SETTINGS.iter().any(|(name, _)| name == text));
    let is_first = first.is_some() && known().find(|text| !text.starts_with('-')) == first;
    if agent == Agent::Claude
        && is_first
        && let Some((_, commands)) = SETTINGS.iter().find(|(name, _)| Some(*name) == first)
        && words.next().is_some_and(|word| commands.contains(&word))
    {
        return Some((What::Settings, Surely::Yes));
    }
    // What splits may hold any option; a word in quotes is one only where it begins as one.
    let may_be_option = |word: &Word| word.known().is_none() && (word.may_break() || word.prefix().starts_with('-'));
    args.iter().any(may_be_option).then_some((What::Hookless, Surely::Maybe))
}

/// Judges what a signal goes to.
fn signal(context: &Context<'_>, shell: &ShellText, command: &Simple, name: &str) -> Option<(What, Surely)> {
    let args = command.words.get(1..).unwrap_or_default();
    let known = || args.iter().filter_map(Word::known);
    // These only ask.
    let only_asks = |word: &str| word == "-0" || name == "kill" && matches!(word, "-l" | "-L" | "--list" | "--table");
    if known().any(only_asks) {
        return None;
    }
    if name != "kill" && known().any(names_guard) {
        return Some((What::Signal, Surely::Yes));
    }
    let hosts = || {
        let pids = context.lookup(&Source::Fact(FactName::HostPids), Form::Lexical).unwrap_or_default();
        pids.iter().filter_map(|pid| pid.as_text().map(str::to_owned)).collect::<Vec<String>>()
    };
    let is_number =
        |word: &&str| word.len() > 1 && word.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    if known().any(|word| is_number(&word)) {
        let hosts = hosts();
        if known().any(|word| hosts.iter().any(|pid| pid == word)) {
            return Some((What::Signal, Surely::Yes));
        }
    }
    let unknown = || {
        args.iter().flat_map(|word| &word.parts).filter_map(|part| match part {
            Part::Unknown(unknown) => Some(&unknown.why),
            _ => None,
        })
    };
    let is_parent = |origin: &Origin| match origin {
        Origin::Parent => true,
        Origin::Variable(name) => PARENTS.contains(&&**name),
        _ => false,
    };
    // Behind the signal, -1 is every process that can be reached.
    let is_everyone = || args.iter().skip(1).any(|word| word.known() == Some("-1"));
    if is_everyone() || unknown().any(|why| is_parent(&why.source)) {
        return Some((What::Signal, Surely::Yes));
    }
    // Whatever the number is, what looked for it says whose it is.
    let is_found = unknown().next().is_some() || !command.via.is_empty();
    let finds = |other: &Simple| {
        let program = other.program();
        let is_finder = program.words.first().and_then(Word::known).is_some_and(|name| FINDERS.contains(&name));
        is_finder && other.words.iter().skip(1).filter_map(Word::known).any(names_guard)
    };
    (is_found && shell.analysis.commands.iter().any(finds)).then_some((What::Signal, Surely::Maybe))
}

fn is_git_setting(key: &Word) -> bool {
    key.known().is_some_and(|key| GIT_SETTINGS.iter().any(|own| key.eq_ignore_ascii_case(own)))
}

/// Tells whether a word names one of the processes that guard.
fn names_guard(word: &str) -> bool {
    word.split(|c: char| !c.is_alphanumeric()).any(|part| PROCESSES.contains(&part))
}
