//! Commands that weaken the guard of a session without naming one of its files: this program's own commands such as
//! `rules untrust`, coding agents that start without hooks or change their settings, and signals to the process that
//! calls the hooks.
//!
//! Commands are recognised by the records of programs, anywhere in a text, and also if another program runs them (`sudo
//! rules untrust`).

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
use hookrules_shell::argv::Argv;
use hookrules_shell::values::EnvironmentVariable;
use hookrules_shell::word::Directory;
use hookrules_shell::{UnseenText, Word};

/// The commands of this program that need the user's consent. Those that only show something are not listed.
const CONSENT_COMMANDS: &[&str] = &["trust", "untrust", "install", "uninstall", "init", "import", "hook"];

/// The commands of this program that need consent only with an option, each with the option.
const CONSENT_COMMANDS_WITH_OPTION: &[(&str, &str)] = &[("doctor", "--fix")];

/// The options of Claude Code that skip hooks or load other settings.
const CLAUDE_HOOKLESS: &[&str] = &["--bare", "--settings", "--setting-sources", "--safe-mode"];
/// The variables that make Claude Code use other settings.
const CLAUDE_SETTINGS_VARIABLES: &[&str] = &["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SIMPLE", "HOME"];
/// The groups of Claude Code's subcommands that manage its settings, each with those that change them: `claude mcp
/// add`.
const CLAUDE_SETTINGS_COMMANDS: &[(&str, &[&str])] = &[
    ("mcp", &["add", "add-json", "add-from-claude-desktop", "remove", "reset-project-choices"]),
    ("plugin", &["install", "i", "uninstall", "remove", "enable", "disable", "update", "marketplace"]),
    ("plugins", &["install", "i", "uninstall", "remove", "enable", "disable", "update", "marketplace"]),
    ("config", &["set", "add", "remove", "rm"]),
];

/// The options of Codex that skip its approvals and its sandbox.
const CODEX_HOOKLESS: &[&str] = &["--yolo", "--dangerously-bypass-approvals-and-sandbox"];
/// The variables that make Codex use other settings.
const CODEX_SETTINGS_VARIABLES: &[&str] = &["CODEX_HOME"];

/// The packages of coding agents, by the names that `npx` and similar programs use.
const AGENT_PACKAGES: &[(&str, AgentProgram)] =
    &[("@anthropic-ai/claude-code", AgentProgram::Claude), ("@openai/codex", AgentProgram::Codex)];
/// The programs that can run such a package.
const PACKAGE_RUNNERS: &[&str] = &["npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "deno"];

/// The names of this program's packages.
const OWN_PACKAGES: &[&str] = &["hookrules", "rules"];
/// The programs that install packages, each with the subcommands that install, remove or replace one.
const PACKAGE_INSTALLERS: &[(&str, &[&str])] = &[
    ("cargo", &["install", "uninstall", "binstall"]),
    ("brew", &["install", "uninstall", "remove", "rm", "unlink", "upgrade", "reinstall"]),
];

/// The programs that send signals.
const SIGNAL_PROGRAMS: &[&str] = &["kill", "pkill", "killall", "skill", "killall5", "cpulimit"];

/// The programs that change which file a path leads to (`mount`), or the attributes of a file, but not its contents.
const MOUNT_PROGRAMS: &[&str] = &["mount", "umount", "chattr"];

/// The subcommands of a coding agent that do not start a session.
const SESSIONLESS_COMMANDS: &[&str] =
    &["mcp", "plugin", "plugins", "config", "doctor", "update", "upgrade", "login", "logout", "auth"];

/// The largest `Cargo.toml` that is read, in bytes.
const MAX_MANIFEST_BYTES: u64 = 64 << 10;

/// A coding agent whose command line is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AgentProgram {
    Claude,
    Codex,
}

/// What a command does that threatens the guard of the session.
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
    /// The command changes which file a guarded path leads to, or its attributes: `mount`, `chattr`.
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

/// Returns the first command of a call that certainly threatens the guard, or else the first one that may; `None` if
/// there is neither.
pub(super) fn check(context: &Context<'_>, files: &GuardedFiles<'_>) -> Option<GuardFinding> {
    let shell = context.shell_text()?;
    let mut possible = None;
    for (_, command) in shell.analysis.iter().filter(|(_, command)| command.scope == CommandScope::Local) {
        let Some((threat, certainty)) = judge(context, shell, command, files) else { continue };
        let certainty = if command.doubt.is_some() { Certainty::Maybe } else { certainty };
        let finding = || GuardFinding { threat, certainty, command: shell.display_command(command) };
        match certainty {
            Certainty::Certain => return Some(finding()),
            Certainty::Maybe => possible = possible.or_else(|| Some(finding())),
        }
    }
    let opaque = shell.analysis.opaque.iter().filter(|opaque| opaque.scope == CommandScope::Local);
    possible.or_else(|| {
        opaque.filter_map(|opaque| opaque.text.as_ref().map(UnseenText::as_str)).find_map(|text| {
            let threat = words::judge(text)?;
            Some(GuardFinding { threat, certainty: Certainty::Maybe, command: text.to_owned() })
        })
    })
}

/// Returns the threat of one simple command; `None` if it is not a threat.
fn judge(
    context: &Context<'_>,
    shell: &ShellText,
    command: &SimpleCommand,
    files: &GuardedFiles<'_>,
) -> Option<(CommandThreat, Certainty)> {
    let name = command.words.first().and_then(Word::known_text)?;
    // A program name with blanks may be a whole command line: the program that starts it may split it into words.
    if name.contains(char::is_whitespace) {
        return words::judge(name).map(|threat| (threat, Certainty::Maybe));
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
        name if PACKAGE_RUNNERS.contains(&name) => {
            let is_named =
                |package: &str| args.iter().filter_map(Word::known_text).any(|word| is_version_of(word, package));
            let package = AGENT_PACKAGES.iter().find(|(package, _)| is_named(package));
            package.and_then(|(_, kind)| judge_agent(*kind, args, command))
        }
        _ if argv.is_program("git") => {
            git::is_guard_changing(&argv).then_some((CommandThreat::Git, Certainty::Certain))
        }
        "crontab" => judge_crontab(args),
        name if SIGNAL_PROGRAMS.contains(&name) => signals::judge(context, shell, command, name),
        name if MOUNT_PROGRAMS.contains(&name) => {
            let known_words = args.iter().filter_map(Word::known_text).filter(|word| !word.starts_with('-'));
            let mut paths = known_words.map(|word| context.absolute(word, PathForm::Lexical));
            paths
                .any(|path| eval::kind(context, &path, TouchExtent::Below, files).is_some())
                .then_some((CommandThreat::Mount, Certainty::Certain))
        }
        name if files.is_own_name(name) => judge_own_arguments(args),
        name => judge_package_installer(context, name, &argv, command),
    }
}

/// Judges a program that installs packages: whether it installs, removes or replaces this program.
fn judge_package_installer(
    context: &Context<'_>,
    name: &str,
    argv: &Argv<'_>,
    command: &SimpleCommand,
) -> Option<(CommandThreat, Certainty)> {
    let (_, commands) = PACKAGE_INSTALLERS.iter().find(|(installer, _)| *installer == name)?;
    let args = command.words.get(1..).unwrap_or_default();
    let subcommand = argv.subcommands.first().or(argv.operands.first()).and_then(|word| word.known_text());
    let names_own_package = || {
        let mut packages = args.iter().filter_map(Word::known_text).map(|word| word.split('@').next());
        packages.any(|package| OWN_PACKAGES.iter().any(|own| package == Some(own)))
    };
    if subcommand.is_some_and(|word| commands.contains(&word)) && names_own_package() {
        return Some((CommandThreat::Own, Certainty::Certain));
    }
    (name == "cargo" && subcommand == Some("install")).then(|| judge_cargo_install(context, args, command)).flatten()
}

/// Judges the arguments of a pager such as `less`: in `+!command`, the text after `!` goes to a shell.
fn judge_pager(args: &[Word]) -> Option<(CommandThreat, Certainty)> {
    let commands = args.iter().filter_map(Word::known_text).filter_map(|word| word.strip_prefix('+'));
    let mut shell_commands = commands.filter(|command| command.contains('!'));
    shell_commands.find_map(words::judge).map(|what| (what, Certainty::Maybe))
}

/// Whether a word names a package, with or without a version: `@openai/codex@1.2`.
fn is_version_of(word: &str, package: &str) -> bool {
    word.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
}

/// Judges `cargo install` from a source other than crates.io. With `--path`, the name in `Cargo.toml` shows whether the
/// package is this program; with `--git`, that is unknown.
fn judge_cargo_install(
    context: &Context<'_>,
    args: &[Word],
    command: &SimpleCommand,
) -> Option<(CommandThreat, Certainty)> {
    let position_of = |option: &str| {
        let is_it = |text: &str| text.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
        args.iter().position(|word| is_it(word.prefix()) || word.known_text().is_some_and(is_it))
    };
    if position_of("--git").is_some() {
        return Some((CommandThreat::Own, Certainty::Maybe));
    }
    let at = position_of("--path")?;
    // `--path=DIR` or `--path DIR`.
    let attached = args.get(at).and_then(Word::known_text).and_then(|text| text.strip_prefix("--path="));
    let path = attached.or_else(|| args.get(at + 1).and_then(Word::known_text))?;
    let Directory::Known(cwd) = &command.cwd else { return None };
    let manifest = context.absolute(&cwd.join(path).join("Cargo.toml").to_string_lossy(), PathForm::Lexical);
    let text = files::read(&manifest, MAX_MANIFEST_BYTES).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let is_own_name = |line: &str| {
        let value = line.trim().strip_prefix("name").and_then(|rest| rest.trim_start().strip_prefix('='));
        let name = value.and_then(|value| value.split(['"', '\'']).nth(1));
        name.is_some_and(|name| OWN_PACKAGES.contains(&name))
    };
    text.lines().any(is_own_name).then_some((CommandThreat::Own, Certainty::Certain))
}

/// Judges `crontab`: the commands that it schedules run later, without a hook. `None` if it only lists or removes
/// scheduled commands.
fn judge_crontab(args: &[Word]) -> Option<(CommandThreat, Certainty)> {
    let known = || args.iter().filter_map(Word::known_text);
    if known().any(|word| matches!(word, "-l" | "-r" | "-T" | "-V" | "--help")) {
        return None;
    }
    Some((CommandThreat::Schedule, Certainty::Certain))
}

/// Judges a coding agent that starts in a known directory outside the project: it calls no hooks that are registered
/// only in the project.
fn judge_agent_elsewhere(
    context: &Context<'_>,
    args: &[Word],
    command: &SimpleCommand,
) -> Option<(CommandThreat, Certainty)> {
    let known_words = || args.iter().filter_map(Word::known_text);
    let only_tells = known_words().any(|text| matches!(text, "--help" | "-h" | "--version" | "-v" | "-V"));
    let first_operand = known_words().find(|text| !text.starts_with('-'));
    let starts_no_session = first_operand.is_some_and(|first_operand| SESSIONLESS_COMMANDS.contains(&first_operand));
    let project = context.machine().project()?;
    let Directory::Known(cwd) = &command.cwd else { return None };
    let is_outside = !cwd.starts_with(project) && cwd != context.cwd();
    (!only_tells && !starts_no_session && is_outside).then_some((CommandThreat::Hookless, Certainty::Maybe))
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

/// Judges the arguments of this program by its subcommand, which is the first word that is not an option.
fn judge_own_arguments(args: &[Word]) -> Option<(CommandThreat, Certainty)> {
    let known_words = || args.iter().filter_map(Word::known_text);
    if known_words().any(|word| matches!(word, "--help" | "-h" | "--version" | "-V")) {
        return None;
    }
    for (at, word) in args.iter().enumerate() {
        let Some(text) = word.known_text() else { return Some((CommandThreat::Own, Certainty::Maybe)) };
        // Of the options that may precede a command, only `--color` takes a value.
        let is_value = at.checked_sub(1).and_then(|at| args.get(at)).and_then(Word::known_text) == Some("--color");
        if text.starts_with('-') || is_value {
            continue;
        }
        let needs_consent = CONSENT_COMMANDS.contains(&text)
            || Event::from_name(text).is_some()
            || CONSENT_COMMANDS_WITH_OPTION
                .iter()
                .any(|(name, option)| *name == text && known_words().any(|word| word == *option));
        return (needs_consent && !is_dry_run(text, args)).then_some((CommandThreat::Own, Certainty::Certain));
    }
    None
}

/// Judges the arguments and the environment of a coding agent: whether it starts without hooks, or changes its
/// settings.
fn judge_agent(agent: AgentProgram, args: &[Word], command: &SimpleCommand) -> Option<(CommandThreat, Certainty)> {
    let (options, variables) = match agent {
        AgentProgram::Claude => (CLAUDE_HOOKLESS, CLAUDE_SETTINGS_VARIABLES),
        AgentProgram::Codex => (CODEX_HOOKLESS, CODEX_SETTINGS_VARIABLES),
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
    let mut operands = known().filter(|text| !text.starts_with('-'));
    let group = operands.next();
    if agent == AgentProgram::Claude
        && let Some((_, commands)) = CLAUDE_SETTINGS_COMMANDS.iter().find(|(name, _)| Some(*name) == group)
        && operands.next().is_some_and(|word| commands.contains(&word))
    {
        return Some((CommandThreat::Settings, Certainty::Certain));
    }
    // An unknown word may be an option if it is unquoted, because it may split into several words. A quoted one may be
    // an option only if it is known to begin with `-`.
    let may_be_option =
        |word: &Word| word.known_text().is_none() && (word.may_split_at_blanks() || word.prefix().starts_with('-'));
    args.iter().any(may_be_option).then_some((CommandThreat::Hookless, Certainty::Maybe))
}
