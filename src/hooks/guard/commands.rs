//! Commands that change the guard of a session without changing one of its files: the program's own, coding agents that
//! start without hooks or change their settings, and signals to the process that calls the hooks.
//!
//! Commands are recognised by the records of programs, at any place in a text and under any runner.

mod git;
mod signals;
mod words;

use super::SHOWN;
use super::files::GuardedFiles;
use crate::context::{Context, Form, ShellText};
use crate::escape::line;
use crate::eval::{self, Extent};
use crate::files;
use crate::schema::Event;
use hookrules_shell::Word;
use hookrules_shell::analysis::{Scope, Simple};
use hookrules_shell::values::Variable;
use hookrules_shell::word::Directory;

/// The commands of this program that a person must decide about. Those that only show something are absent.
const OWN: &[&str] = &["trust", "untrust", "install", "uninstall", "init", "import", "hook"];

/// The commands that change something only with an option.
const OWN_WITH: &[(&str, &str)] = &[("doctor", "--fix")];

/// The options of Claude Code that skip hooks or load other settings.
const HOOKLESS: &[&str] = &["--bare", "--settings", "--setting-sources", "--safe-mode"];
/// The variables that point it to other settings.
const ELSEWHERE: &[&str] = &["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SIMPLE", "HOME"];
/// Its commands that change its settings, each with the subcommands that count.
const SETTINGS: &[(&str, &[&str])] = &[
    ("mcp", &["add", "add-json", "add-from-claude-desktop", "remove", "reset-project-choices"]),
    ("plugin", &["install", "i", "uninstall", "remove", "enable", "disable", "update", "marketplace"]),
    ("plugins", &["install", "i", "uninstall", "remove", "enable", "disable", "update", "marketplace"]),
    ("config", &["set", "add", "remove", "rm"]),
];

/// The options of Codex that skip its guards, and the variable that points it to other settings.
const CODEX: &[&str] = &["--yolo", "--dangerously-bypass-approvals-and-sandbox"];
const CODEX_ELSEWHERE: &[&str] = &["CODEX_HOME"];

/// The packages of agents, as `npx` and its like name them.
const PACKAGES: &[(&str, Agent)] = &[("@anthropic-ai/claude-code", Agent::Claude), ("@openai/codex", Agent::Codex)];
const RUNNERS: &[&str] = &["npx", "bunx", "pnpx", "npm", "pnpm", "yarn", "bun", "deno"];

/// The packages of this program, and the commands that install, remove or replace it.
const OWN_PACKAGES: &[&str] = &["hookrules", "rules"];
const INSTALLERS: &[(&str, &[&str])] = &[
    ("cargo", &["install", "uninstall", "binstall"]),
    ("brew", &["install", "uninstall", "remove", "rm", "unlink", "upgrade", "reinstall"]),
];

/// The programs that send signals.
const SIGNALS: &[&str] = &["kill", "pkill", "killall", "skill", "killall5", "cpulimit"];

/// The programs that change what a name refers to, or its attributes, without changing a file.
const MOUNTS: &[&str] = &["mount", "umount", "chattr"];

/// The commands of an agent that start no session.
const MANAGING: &[&str] =
    &["mcp", "plugin", "plugins", "config", "doctor", "update", "upgrade", "login", "logout", "auth"];

/// The largest manifest that is read, in bytes.
const LARGEST_MANIFEST: u64 = 64 << 10;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Agent {
    Claude,
    Codex,
}

/// The kind of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Own,
    Hookless,
    Settings,
    Signal,
    Mount,
    Git,
    Schedule,
}

/// The certainty of a finding.
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
    /// Returns the question about the command.
    pub(super) fn message(&self) -> String {
        let shown = line(&self.shown, SHOWN);
        let (surely, maybe, what) = match self.what {
            What::Own => ("changes", "change", "what guards this session"),
            What::Hookless => ("starts", "start", "a coding agent without this session's hooks"),
            What::Settings => ("changes", "change", "the agent's settings, tools and helpers"),
            What::Signal => ("reaches", "reach", "the process that calls the hooks, which may then call them no more"),
            What::Mount => ("changes", "change", "what the policy's or the settings' names lead to"),
            What::Git => ("changes", "change", "what git runs automatically, and where"),
            What::Schedule => ("schedules", "schedule", "commands that run where no hook sees them"),
        };
        let does = match self.surely {
            Surely::Yes => format!("{surely} {what}"),
            Surely::Maybe => format!("may {maybe} {what}"),
        };
        format!("`{shown}` {does}. Is that intended?")
    }
}

/// Returns the first command of a call that certainly changes the guard, else the first that may.
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
    let opaque = shell.analysis.opaque.iter().filter(|opaque| opaque.scope == Scope::Local);
    possible.or_else(|| {
        opaque.filter_map(|opaque| opaque.text.as_deref()).find_map(|text| {
            let what = words::judge(text)?;
            Some(Found { what, surely: Surely::Maybe, shown: text.to_owned() })
        })
    })
}

fn judge(
    context: &Context<'_>,
    shell: &ShellText,
    command: &Simple,
    files: &GuardedFiles<'_>,
) -> Option<(What, Surely)> {
    let name = command.words.first().and_then(Word::known)?;
    // A program name with blanks is a command line to a caller that splits it.
    if name.contains(char::is_whitespace) {
        return words::judge(name).map(|what| (what, Surely::Maybe));
    }
    let argv = command.argv();
    let name = argv.name.unwrap_or(name);
    let args = command.words.get(1..).unwrap_or_default();
    match name {
        "claude" => agent(Agent::Claude, args, command).or_else(|| started_elsewhere(context, args, command)),
        "codex" => agent(Agent::Codex, args, command).or_else(|| started_elsewhere(context, args, command)),
        "less" | "more" | "most" => pager(args),
        name if RUNNERS.contains(&name) => {
            let is_run = |package: &str| args.iter().filter_map(Word::known).any(|word| is_version_of(word, package));
            let package = PACKAGES.iter().find(|(package, _)| is_run(package));
            package.and_then(|(_, kind)| agent(*kind, args, command))
        }
        _ if argv.is_of("git") => git::judge(&argv).then_some((What::Git, Surely::Yes)),
        "crontab" => crontab(args),
        name if SIGNALS.contains(&name) => signals::judge(context, shell, command, name),
        name if MOUNTS.contains(&name) => {
            let known = args.iter().filter_map(Word::known).filter(|word| !word.starts_with('-'));
            let mut paths = known.map(|word| context.absolute(word, Form::Lexical));
            paths
                .any(|path| eval::kind(context, &path, Extent::Below, files).is_some())
                .then_some((What::Mount, Surely::Yes))
        }
        name if files.is_own_name(name) => own(args),
        name => {
            let (_, commands) = INSTALLERS.iter().find(|(installer, _)| *installer == name)?;
            let is_meant = argv.commands.first().or(argv.operands.first()).and_then(|word| word.known());
            let known = || args.iter().filter_map(Word::known);
            let is_own = || known().any(|word| OWN_PACKAGES.iter().any(|own| word.split('@').next() == Some(own)));
            if is_meant.is_some_and(|word| commands.contains(&word)) && is_own() {
                return Some((What::Own, Surely::Yes));
            }
            (name == "cargo" && is_meant == Some("install")).then(|| built(context, args, command)).flatten()
        }
    }
}

/// Judges the commands of a pager: the text after `+!` goes to a shell.
fn pager(args: &[Word]) -> Option<(What, Surely)> {
    let commands = args.iter().filter_map(Word::known).filter_map(|word| word.strip_prefix('+'));
    let mut codes = commands.filter(|command| command.contains('!'));
    codes.find_map(words::judge).map(|what| (what, Surely::Maybe))
}

/// Whether a word is a package, with or without its version.
fn is_version_of(word: &str, package: &str) -> bool {
    word.strip_prefix(package).is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
}

/// Judges what Cargo installs from another source: this program, or one that may be it.
fn built(context: &Context<'_>, args: &[Word], command: &Simple) -> Option<(What, Surely)> {
    let has = |option: &str| {
        let is_it = |text: &str| text.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
        args.iter().position(|word| is_it(word.prefix()) || word.known().is_some_and(is_it))
    };
    if has("--git").is_some() {
        return Some((What::Own, Surely::Maybe));
    }
    let at = has("--path")?;
    let attached = args.get(at).and_then(Word::known).and_then(|text| text.strip_prefix("--path="));
    let path = attached.or_else(|| args.get(at + 1).and_then(Word::known))?;
    let Directory::Known(cwd) = &command.cwd else { return None };
    let manifest = context.absolute(&cwd.join(path).join("Cargo.toml").to_string_lossy(), Form::Lexical);
    let text = files::read(&manifest, LARGEST_MANIFEST).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let is_own = |line: &str| {
        let value = line.trim().strip_prefix("name").and_then(|rest| rest.trim_start().strip_prefix('='));
        let name = value.and_then(|value| value.split(['"', '\'']).nth(1));
        name.is_some_and(|name| OWN_PACKAGES.contains(&name))
    };
    text.lines().any(is_own).then_some((What::Own, Surely::Yes))
}

/// Judges `crontab`: the commands that it schedules run later, without a hook.
fn crontab(args: &[Word]) -> Option<(What, Surely)> {
    let known = || args.iter().filter_map(Word::known);
    if known().any(|word| matches!(word, "-l" | "-r" | "-T" | "-V" | "--help")) {
        return None;
    }
    Some((What::Schedule, Surely::Yes))
}

/// Judges a coding agent that starts in a known directory outside the project: hooks registered only there do not reach
/// it.
fn started_elsewhere(context: &Context<'_>, args: &[Word], command: &Simple) -> Option<(What, Surely)> {
    let known = || args.iter().filter_map(Word::known);
    let is_told = known().any(|text| matches!(text, "--help" | "-h" | "--version" | "-v" | "-V"));
    let first = known().find(|text| !text.starts_with('-'));
    let manages = first.is_some_and(|first| MANAGING.contains(&first));
    let project = context.machine().project()?;
    let Directory::Known(cwd) = &command.cwd else { return None };
    let is_outside = !cwd.starts_with(project) && cwd != context.cwd();
    (!is_told && !manages && is_outside).then_some((What::Hookless, Surely::Maybe))
}

/// Whether these arguments of this program only show what it would do.
fn only_shows(command: &str, args: &[Word]) -> bool {
    // An unknown word may be `--yes`.
    let has = |option: &str| args.iter().any(|word| word.known() == Some(option));
    if args.iter().any(|word| word.known().is_none()) || has("--yes") {
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

/// Judges the arguments of this program.
fn own(args: &[Word]) -> Option<(What, Surely)> {
    let known = || args.iter().filter_map(Word::known);
    if known().any(|word| matches!(word, "--help" | "-h" | "--version" | "-V")) {
        return None;
    }
    for (at, word) in args.iter().enumerate() {
        let Some(text) = word.known() else { return Some((What::Own, Surely::Maybe)) };
        // Of the options before a command, only `--color` takes a value.
        let is_value = at.checked_sub(1).and_then(|at| args.get(at)).and_then(Word::known) == Some("--color");
        if text.starts_with('-') || is_value {
            continue;
        }
        let counts = OWN.contains(&text)
            || Event::from_name(text).is_some()
            || OWN_WITH.iter().any(|(name, option)| *name == text && known().any(|word| word == *option));
        return (counts && !only_shows(text, args)).then_some((What::Own, Surely::Yes));
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
    // An unquoted word may split into any option; a quoted one is an option only if it begins like one.
    let may_be_option = |word: &Word| word.known().is_none() && (word.may_break() || word.prefix().starts_with('-'));
    args.iter().any(may_be_option).then_some((What::Hookless, Surely::Maybe))
}
