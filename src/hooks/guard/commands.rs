//! Commands that change the guard of a session without changing one of its files: this program's own commands, coding
//! agents that start without hooks or change their settings, and signals to the process that calls the hooks.
//!
//! Commands are recognised by the records of programs, at any place in a text and under any runner.

mod git;
mod signals;
mod words;

use super::SHOWN;
use super::files::GuardedFiles;
use crate::context::{Context, PathForm, ShellText};
use crate::escape::line;
use crate::eval::{self, TouchExtent};
use crate::files;
use crate::schema::Event;
use hookrules_shell::analysis::{CommandScope, SimpleCommand};
use hookrules_shell::values::EnvironmentVariable;
use hookrules_shell::word::Directory;
use hookrules_shell::{UnseenText, Word};

/// The commands of this program that a person must decide about. Commands that only show something are absent.
const OWN: &[&str] = &["trust", "untrust", "install", "uninstall", "init", "import", "hook"];

/// The commands of this program that change something only with an option.
const OWN_WITH: &[(&str, &str)] = &[("doctor", "--fix")];

/// The options of Claude Code that skip hooks or load other settings.
const HOOKLESS: &[&str] = &["--bare", "--settings", "--setting-sources", "--safe-mode"];
/// The variables that make Claude Code use other settings.
const ELSEWHERE: &[&str] = &["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SIMPLE", "HOME"];
/// The commands of Claude Code that change its settings, each with the subcommands that do.
const SETTINGS: &[(&str, &[&str])] = &[
    ("mcp", &["add", "add-json", "add-from-claude-desktop", "remove", "reset-project-choices"]),
    ("plugin", &["install", "i", "uninstall", "remove", "enable", "disable", "update", "marketplace"]),
    ("plugins", &["install", "i", "uninstall", "remove", "enable", "disable", "update", "marketplace"]),
    ("config", &["set", "add", "remove", "rm"]),
];

/// The options of Codex that skip its guards.
const CODEX: &[&str] = &["--yolo", "--dangerously-bypass-approvals-and-sandbox"];
/// The variables that make Codex use other settings.
const CODEX_ELSEWHERE: &[&str] = &["CODEX_HOME"];

/// The packages of coding agents, as `npx` and similar programs name them.
const PACKAGES: &[(&str, AgentProgram)] =
    &[("@anthropic-ai/claude-code", AgentProgram::Claude), ("@openai/codex", AgentProgram::Codex)];
/// The programs that can run such a package.
const RUNNERS: &[&str] = &["npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "deno"];

/// The packages of this program.
const OWN_PACKAGES: &[&str] = &["hookrules", "rules"];
/// The programs that install packages, each with the subcommands that install, remove or replace one.
const INSTALLERS: &[(&str, &[&str])] = &[
    ("cargo", &["install", "uninstall", "binstall"]),
    ("brew", &["install", "uninstall", "remove", "rm", "unlink", "upgrade", "reinstall"]),
];

/// The programs that send signals.
const SIGNALS: &[&str] = &["kill", "pkill", "killall", "skill", "killall5", "cpulimit"];

/// The programs that change what a name refers to, or its attributes, without changing a file.
const MOUNTS: &[&str] = &["mount", "umount", "chattr"];

/// The commands of a coding agent that start no session.
const MANAGING: &[&str] =
    &["mcp", "plugin", "plugins", "config", "doctor", "update", "upgrade", "login", "logout", "auth"];

/// The largest `Cargo.toml` that is read, in bytes.
const LARGEST_MANIFEST: u64 = 64 << 10;

/// A coding agent whose commands are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AgentProgram {
    Claude,
    Codex,
}

/// The threat of a command to the guard of the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CommandThreat {
    /// The command changes this program, its registration, or the trust in a policy.
    Own,
    /// The command starts a coding agent without this session's hooks.
    Hookless,
    /// The command changes the settings of a coding agent.
    Settings,
    /// The command sends a signal to the process that calls the hooks.
    Signal,
    /// The command changes what a guarded name refers to: `mount`, `chattr`.
    Mount,
    /// The command changes what git runs automatically, or where it finds the repository.
    Git,
    /// The command schedules commands that run later, without a hook.
    Schedule,
}

/// How certain it is that a command is a threat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Certainty {
    /// The command may be a threat.
    Maybe,
    /// The command is a threat.
    Certain,
}

/// A command that is a threat to the guard of the session, or may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GuardFinding {
    threat: CommandThreat,
    certainty: Certainty,
    command: String,
}

impl GuardFinding {
    /// Returns the question about the command.
    pub(super) fn message(&self) -> String {
        let shown = line(&self.command, SHOWN);
        let (surely, maybe, what) = match self.threat {
            CommandThreat::Own => ("changes", "change", "what guards this session"),
            CommandThreat::Hookless => ("starts", "start", "a coding agent without this session's hooks"),
            CommandThreat::Settings => ("changes", "change", "the agent's settings, tools and helpers"),
            CommandThreat::Signal => {
                ("reaches", "reach", "the process that calls the hooks, which may then call them no more")
            }
            CommandThreat::Mount => ("changes", "change", "what the policy's or the settings' names lead to"),
            CommandThreat::Git => ("changes", "change", "what git runs automatically, and where"),
            CommandThreat::Schedule => ("schedules", "schedule", "commands that run where no hook sees them"),
        };
        let does = match self.certainty {
            Certainty::Certain => format!("{surely} {what}"),
            Certainty::Maybe => format!("may {maybe} {what}"),
        };
        format!("`{shown}` {does}. Is that intended?")
    }
}

/// Returns the first command of a call that certainly threatens the guard, else the first that may; `None` if no
/// command does.
pub(super) fn check(context: &Context<'_>, files: &GuardedFiles<'_>) -> Option<GuardFinding> {
    let shell = context.shell_text()?;
    let mut possible = None;
    for (_, command) in shell.analysis.iter().filter(|(_, command)| command.scope == CommandScope::Local) {
        let Some((what, surely)) = judge(context, shell, command, files) else { continue };
        let surely = if command.doubt.is_some() { Certainty::Maybe } else { surely };
        let found = || GuardFinding { threat: what, certainty: surely, command: shell.display_command(command) };
        match surely {
            Certainty::Certain => return Some(found()),
            Certainty::Maybe => possible = possible.or_else(|| Some(found())),
        }
    }
    let opaque = shell.analysis.opaque.iter().filter(|opaque| opaque.scope == CommandScope::Local);
    possible.or_else(|| {
        opaque.filter_map(|opaque| opaque.text.as_ref().map(UnseenText::as_str)).find_map(|text| {
            let what = words::judge(text)?;
            Some(GuardFinding { threat: what, certainty: Certainty::Maybe, command: text.to_owned() })
        })
    })
}

/// Returns the threat of one simple command; `None` if it is none.
fn judge(
    context: &Context<'_>,
    shell: &ShellText,
    command: &SimpleCommand,
    files: &GuardedFiles<'_>,
) -> Option<(CommandThreat, Certainty)> {
    let name = command.words.first().and_then(Word::known_text)?;
    // A program name with blanks: a program that starts it may split it into words first.
    if name.contains(char::is_whitespace) {
        return words::judge(name).map(|what| (what, Certainty::Maybe));
    }
    let argv = command.argv();
    let name = argv.name.unwrap_or(name);
    let args = command.words.get(1..).unwrap_or_default();
    match name {
        "claude" => {
            judge_agent(AgentProgram::Claude, args, command).or_else(|| judge_agent_elsewhere(context, args, command))
        }
        "codex" => {
            judge_agent(AgentProgram::Codex, args, command).or_else(|| judge_agent_elsewhere(context, args, command))
        }
        "less" | "more" | "most" => judge_pager(args),
        name if RUNNERS.contains(&name) => {
            let is_run =
                |package: &str| args.iter().filter_map(Word::known_text).any(|word| is_version_of(word, package));
            let package = PACKAGES.iter().find(|(package, _)| is_run(package));
            package.and_then(|(_, kind)| judge_agent(*kind, args, command))
        }
        _ if argv.is_program("git") => {
            git::is_guard_changing(&argv).then_some((CommandThreat::Git, Certainty::Certain))
        }
        "crontab" => judge_crontab(args),
        name if SIGNALS.contains(&name) => signals::judge(context, shell, command, name),
        name if MOUNTS.contains(&name) => {
            let known = args.iter().filter_map(Word::known_text).filter(|word| !word.starts_with('-'));
            let mut paths = known.map(|word| context.absolute(word, PathForm::Lexical));
            paths
                .any(|path| eval::kind(context, &path, TouchExtent::Below, files).is_some())
                .then_some((CommandThreat::Mount, Certainty::Certain))
        }
        name if files.is_own_name(name) => judge_own_arguments(args),
        name => {
            let (_, commands) = INSTALLERS.iter().find(|(installer, _)| *installer == name)?;
            let is_meant = argv.subcommands.first().or(argv.operands.first()).and_then(|word| word.known_text());
            let known = || args.iter().filter_map(Word::known_text);
            let is_own = || known().any(|word| OWN_PACKAGES.iter().any(|own| word.split('@').next() == Some(own)));
            if is_meant.is_some_and(|word| commands.contains(&word)) && is_own() {
                return Some((CommandThreat::Own, Certainty::Certain));
            }
            (name == "cargo" && is_meant == Some("install"))
                .then(|| judge_cargo_install(context, args, command))
                .flatten()
        }
    }
}

/// Judges the arguments of a pager such as `less`: in `+!command`, the text after `!` goes to a shell.
fn judge_pager(args: &[Word]) -> Option<(CommandThreat, Certainty)> {
    let commands = args.iter().filter_map(Word::known_text).filter_map(|word| word.strip_prefix('+'));
    let mut codes = commands.filter(|command| command.contains('!'));
    codes.find_map(words::judge).map(|what| (what, Certainty::Maybe))
}

/// Whether a word names a package, with or without a version: `@openai/codex@1.2`.
fn is_version_of(word: &str, package: &str) -> bool {
    word.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
}

/// Judges `cargo install` from another source than crates.io. With `--path`, the name in `Cargo.toml` shows whether
/// the package is this program; with `--git`, it may be.
fn judge_cargo_install(
    context: &Context<'_>,
    args: &[Word],
    command: &SimpleCommand,
) -> Option<(CommandThreat, Certainty)> {
    let has = |option: &str| {
        let is_it = |text: &str| text.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
        args.iter().position(|word| is_it(word.prefix()) || word.known_text().is_some_and(is_it))
    };
    if has("--git").is_some() {
        return Some((CommandThreat::Own, Certainty::Maybe));
    }
    let at = has("--path")?;
    let attached = args.get(at).and_then(Word::known_text).and_then(|text| text.strip_prefix("--path="));
    let path = attached.or_else(|| args.get(at + 1).and_then(Word::known_text))?;
    let Directory::Known(cwd) = &command.cwd else { return None };
    let manifest = context.absolute(&cwd.join(path).join("Cargo.toml").to_string_lossy(), PathForm::Lexical);
    let text = files::read(&manifest, LARGEST_MANIFEST).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let is_own = |line: &str| {
        let value = line.trim().strip_prefix("name").and_then(|rest| rest.trim_start().strip_prefix('='));
        let name = value.and_then(|value| value.split(['"', '\'']).nth(1));
        name.is_some_and(|name| OWN_PACKAGES.contains(&name))
    };
    text.lines().any(is_own).then_some((CommandThreat::Own, Certainty::Certain))
}

/// Judges `crontab`: the commands that it schedules run later, without a hook. `None` if it only lists or removes
/// them.
fn judge_crontab(args: &[Word]) -> Option<(CommandThreat, Certainty)> {
    let known = || args.iter().filter_map(Word::known_text);
    if known().any(|word| matches!(word, "-l" | "-r" | "-T" | "-V" | "--help")) {
        return None;
    }
    Some((CommandThreat::Schedule, Certainty::Certain))
}

/// Judges a coding agent that starts in a known directory outside the project: hooks that are registered only in the
/// project do not reach that agent.
fn judge_agent_elsewhere(
    context: &Context<'_>,
    args: &[Word],
    command: &SimpleCommand,
) -> Option<(CommandThreat, Certainty)> {
    let known = || args.iter().filter_map(Word::known_text);
    let is_told = known().any(|text| matches!(text, "--help" | "-h" | "--version" | "-v" | "-V"));
    let first = known().find(|text| !text.starts_with('-'));
    let manages = first.is_some_and(|first| MANAGING.contains(&first));
    let project = context.machine().project()?;
    let Directory::Known(cwd) = &command.cwd else { return None };
    let is_outside = !cwd.starts_with(project) && cwd != context.cwd();
    (!is_told && !manages && is_outside).then_some((CommandThreat::Hookless, Certainty::Maybe))
}

/// Whether a command of this program with these arguments only shows what it would do: `install --dry-run`.
fn is_dry_run(command: &str, args: &[Word]) -> bool {
    // An unknown word may be `--yes`, which makes the command act.
    let has = |option: &str| args.iter().any(|word| word.known_text() == Some(option));
    if args.iter().any(|word| word.known_text().is_none()) || has("--yes") {
        return false;
    }
    match command {
        "trust" => has("--list") || has("--json"),
        "init" => has("--dry-run") || has("--json"),
        "install" | "uninstall" => has("--dry-run"),
        "import" => has("--print"),
        _ => false,
    }
}

/// Judges the arguments of this program by the first word that is not an option.
fn judge_own_arguments(args: &[Word]) -> Option<(CommandThreat, Certainty)> {
    let known = || args.iter().filter_map(Word::known_text);
    if known().any(|word| matches!(word, "--help" | "-h" | "--version" | "-V")) {
        return None;
    }
    for (at, word) in args.iter().enumerate() {
        let Some(text) = word.known_text() else { return Some((CommandThreat::Own, Certainty::Maybe)) };
        // Of the options that may precede a command, only `--color` takes a value.
        let is_value = at.checked_sub(1).and_then(|at| args.get(at)).and_then(Word::known_text) == Some("--color");
        if text.starts_with('-') || is_value {
            continue;
        }
        let counts = OWN.contains(&text)
            || Event::from_name(text).is_some()
            || OWN_WITH.iter().any(|(name, option)| *name == text && known().any(|word| word == *option));
        return (counts && !is_dry_run(text, args)).then_some((CommandThreat::Own, Certainty::Certain));
    }
    None
}

/// Judges the arguments and the environment of a coding agent: whether it starts without hooks, or changes its
/// settings.
fn judge_agent(agent: AgentProgram, args: &[Word], command: &SimpleCommand) -> Option<(CommandThreat, Certainty)> {
    let (options, variables) = match agent {
        AgentProgram::Claude => (HOOKLESS, ELSEWHERE),
        AgentProgram::Codex => (CODEX, CODEX_ELSEWHERE),
    };
    let is_option = |text: &str, option: &str| {
        text.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let known = || args.iter().filter_map(Word::known_text);
    if known().any(|text| options.iter().any(|option| is_option(text, option))) {
        return Some((CommandThreat::Hookless, Certainty::Certain));
    }
    if known().any(|text| matches!(text, "--help" | "-h" | "--version" | "-v")) {
        return None;
    }
    if variables.iter().any(|name| matches!(command.variable(name), EnvironmentVariable::Set(_))) {
        return Some((CommandThreat::Hookless, Certainty::Certain));
    }
    let mut words = known().filter(|text| !text.starts_with('-'));
    let first = words.find(|text| SETTINGS.iter().any(|(name, _)| name == text));
    let is_first = first.is_some() && known().find(|text| !text.starts_with('-')) == first;
    if agent == AgentProgram::Claude
        && is_first
        && let Some((_, commands)) = SETTINGS.iter().find(|(name, _)| Some(*name) == first)
        && words.next().is_some_and(|word| commands.contains(&word))
    {
        return Some((CommandThreat::Settings, Certainty::Certain));
    }
    // A word of unknown text may be an option if it is unquoted, since it may split into several words; if it is
    // quoted, only if its known beginning is `-`.
    let may_be_option =
        |word: &Word| word.known_text().is_none() && (word.may_split_at_blanks() || word.prefix().starts_with('-'));
    args.iter().any(may_be_option).then_some((CommandThreat::Hookless, Certainty::Maybe))
}
