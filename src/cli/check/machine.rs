//! Findings of `rules check` about this machine: missing programs and scripts that rules run, and unknown agents that
//! rules name.
#![expect(clippy::disallowed_methods, reason = "a command is about this machine and its files")]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Code, Diagnostic};
use crate::facts::{account_home, is_zone_known};
use crate::files;
use crate::lint::{self, LintFinding, unaccepted_diagnostics};
use crate::platform::rights::is_executable;
use crate::platform::shell;
use crate::policy::Policy;
use crate::ruleset::{ArgvWord, Effect, RuleMode, RunCommand, RunSpec, TemplatePart};
use crate::shell_text::TemplatePiece;
use crate::span::Span;
use hookrules_shell::analysis::CommandScope;
use hookrules_shell::nested::{NestedCommand, Runnable, nested};
use hookrules_shell::{StartDirectories, analyse, quote};

/// The maximum size of a file that defines an agent, in bytes.
const MAX_AGENT_BYTES: u64 = 256 << 10;

/// The maximum number of entries that are read in a directory of a project.
const MAX_ENTRIES: usize = 1_000;

/// The maximum number of entries that are read in a directory of agents and those below it.
const MAX_AGENTS: usize = 1_000;

/// First words of shell commands that are no programs: builtins and keywords.
const SHELL_WORDS: &[&str] = &[
    ":", ".", "[", "alias", "bg", "break", "case", "cd", "command", "continue", "echo", "eval", "exec", "exit",
    "export", "false", "fg", "for", "getopts", "hash", "if", "jobs", "kill", "printf", "pwd", "read", "readonly",
    "return", "set", "shift", "test", "time", "times", "trap", "true", "type", "ulimit", "umask", "unalias", "unset",
    "until", "wait", "while",
];

/// Returns the findings about missing scripts and unknown agents of the policy's project, without those that the
/// policy accepts.
pub(super) fn project_findings(policy: &Policy) -> Vec<Diagnostic> {
    let mut projects = BTreeSet::new();
    let mut findings = findings_by_run(policy, |run, project, span| {
        projects.extend(project.map(Path::to_path_buf));
        let program = literal_program(run).and_then(|program| program_path_finding(run, &program, project, span));
        program.or_else(|| missing_script_finding(run, project?, span))
    });
    // Not from the sources: they may have the texts of other policies that are checked together with this one.
    let texts = policy.layers.iter().flat_map(|layer| &layer.texts);
    let paths = texts.filter_map(|id| policy.sources.file_by_id(*id)?.path.as_deref());
    projects.extend(paths.filter_map(project_of));
    // Each project defines its own agents. If the policy has files of several projects, it is unknown which project's
    // agent a rule means.
    let project_agents = match projects.iter().collect::<Vec<_>>().as_slice() {
        [project] => agents_in(&project.join(".claude/agents")),
        _ => Vec::new(),
    };
    let account_agents = account_home().map(|home| agents_in(&home.join(".claude/agents"))).unwrap_or_default();
    findings.extend(lint::agent_findings(policy, &project_agents, &account_agents));
    let listings = RefCell::new(BTreeMap::new());
    findings.extend(lint::path_in_subdirectory_findings(policy, &|directory, name| {
        let mut listings = listings.borrow_mut();
        let below: &Vec<String> = listings.entry(directory.to_path_buf()).or_insert_with(|| subdirectories(directory));
        let is_here = directory.join(name).symlink_metadata().is_ok();
        let mut below = below.iter().filter(|_| !is_here);
        below.find(|below| directory.join(below).join(name).symlink_metadata().is_ok()).cloned()
    }));
    unaccepted_diagnostics(findings, &policy.accepted())
}

/// Returns the sorted names of the subdirectories that may be parts of a project: not hidden ones and `node_modules`.
fn subdirectories(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().take(MAX_ENTRIES);
    let directories = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut names: Vec<String> = directories.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| !name.starts_with('.') && name != "node_modules");
    names.sort();
    names
}

/// Returns the findings about programs that are not on the `PATH` here, without those that the policy accepts.
pub(super) fn missing_program_findings(policy: &Policy) -> Vec<Diagnostic> {
    let found = findings_by_run(policy, |run, _, span| {
        // `cd` is a builtin; another lint reports a command list that begins with it.
        let program = literal_program(run).filter(|program| !program.contains('/') && program != "cd")?;
        (!is_on_path(&program)?).then(|| {
            Diagnostic::new(Code::PROGRAM_NOT_FOUND, format!("`{program}` is not on PATH here"))
                .label(span, "starts it")
                .help("check the spelling, or install it where this policy is used")
        })
    });
    unaccepted_diagnostics(found, &policy.accepted())
}

/// Returns the findings about time zones that this machine does not know.
pub(super) fn unknown_zone_findings(policy: &Policy) -> Vec<Diagnostic> {
    let zones = policy.layers.iter().filter_map(|layer| layer.settings.zone.as_ref());
    let unknown: BTreeMap<Span, &str> =
        zones.filter(|zone| !is_zone_known(&zone.name)).map(|zone| (zone.span, zone.name.as_str())).collect();
    let found = unknown.into_iter().map(|(span, name)| {
        let found = Diagnostic::new(Code::UNKNOWN_ZONE, format!("this machine does not know the time zone `{name}`"))
            .label(span, "what depends on its time is unknown here")
            .help("check the spelling; on Linux, the package `tzdata` has the zones");
        LintFinding { rule: None, diagnostic: found }
    });
    unaccepted_diagnostics(found.collect(), &policy.accepted())
}

/// Returns a line about the shell that runs the policy's scripts; `None` if there are no scripts, or if it is the shell
/// that every machine has.
pub(super) fn note_about_shell(policy: &Policy) -> Option<String> {
    let is_script =
        |effect: &Effect| matches!(effect, Effect::Run(run) if matches!(run.command, RunCommand::Shell(..)));
    let mut rules = policy.rules.rules().iter().filter(|rule| rule.traits.mode != RuleMode::Off);
    rules.any(|rule| rule.effects.iter().any(is_script)).then(shell::unusual_shell).flatten()
}

/// Calls `check` for each `run` effect of a rule that is written in a file, with the project of that file, and collects
/// the findings. Rules that are off are left out.
fn findings_by_run(
    policy: &Policy,
    mut check: impl FnMut(&RunSpec, Option<&Path>, Span) -> Option<Diagnostic>,
) -> Vec<LintFinding<'_>> {
    let mut findings = Vec::new();
    for rule in policy.rules.rules().iter().filter(|rule| rule.traits.mode != RuleMode::Off) {
        // Packs are not files, and their users choose the commands that they run.
        let Some(path) = policy.sources.file(rule.span).and_then(|file| file.path.as_deref()) else { continue };
        for (effect, span) in rule.effects.iter().zip(rule.effect_spans.iter()) {
            let Effect::Run(run) = effect else { continue };
            let finding = check(run, project_of(path).as_deref(), *span);
            findings.extend(finding.map(|finding| LintFinding { rule: Some(rule), diagnostic: finding }));
        }
    }
    findings
}

/// Returns the project of a policy file: the parent of the `.rules` that contains it.
fn project_of(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let rules = path.ancestors().find(|directory| directory.file_name().is_some_and(|name| name == ".rules"))?;
    rules.parent().map(Path::to_path_buf)
}

/// Returns the program that a command starts first; `None` if its name is not literal, or is a word of the shell.
fn literal_program(run: &RunSpec) -> Option<String> {
    let program = match &run.command {
        RunCommand::Argv(words) => match words.first()? {
            ArgvWord::Text(text) => match text.parts.as_slice() {
                [TemplatePart::Text(program)] => program.clone(),
                _ => return None,
            },
            ArgvWord::Values(_) => return None,
        },
        RunCommand::Shell(script, _) => {
            let TemplatePiece::Literal(text) = script.pieces.first()? else { return None };
            let word = text.split_whitespace().next()?;
            // If the text ends with the word, the word may continue in the next piece: `tool-{ name }`.
            let is_whole = script.pieces.len() == 1 || text.trim_start().len() > word.len();
            let is_plain = !word.contains(|c: char| "\"'$`(){}|&;<>*?[]!#~=\\".contains(c));
            if !is_whole || !is_plain || SHELL_WORDS.contains(&word) {
                return None;
            }
            word.to_owned()
        }
    };
    // A command list whose first word is a whole command line is another lint's finding.
    let is_line = program.is_empty() || program.contains(char::is_whitespace) && !program.contains('/');
    (!is_line).then_some(program)
}

/// Returns a finding if a program that is given by a path does not exist, is not a file, or is not executable.
fn program_path_finding(run: &RunSpec, program: &str, project: Option<&Path>, span: Span) -> Option<Diagnostic> {
    let path = Path::new(program);
    if !program.contains('/') {
        return None;
    }
    let path = if path.is_absolute() {
        path.to_path_buf()
    } else if run.cwd.is_some() {
        return None;
    } else {
        project?.join(path)
    };
    match fs::metadata(&path) {
        Ok(metadata) if is_executable(&path, &metadata) => None,
        Ok(metadata) if metadata.is_file() => Some(
            Diagnostic::new(Code::SCRIPT_MISSING, format!("`{program}` is not executable"))
                .label(span, "cannot start it")
                .help(format!("run `chmod +x {program}`")),
        ),
        Ok(_) => Some(
            Diagnostic::new(Code::SCRIPT_MISSING, format!("`{program}` is not a file"))
                .label(span, "cannot start it")
                .help("name a program or a script"),
        ),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(
            Diagnostic::new(Code::SCRIPT_MISSING, format!("`{program}` does not exist"))
                .label(span, "cannot start it")
                .help("a relative path is looked for from the project's directory"),
        ),
        Err(_) => None,
    }
}

/// Returns a finding if an interpreter that a command starts first would read a script that does not exist: `bash
/// tools/x.sh`.
fn missing_script_finding(run: &RunSpec, project: &Path, span: Span) -> Option<Diagnostic> {
    if run.cwd.is_some() {
        return None;
    }
    let analysis = analyse(&run_as_shell_text(run), &StartDirectories { cwd: project, home: None });
    // Only commands up to the first independent one count: a later one may read a file that an earlier one created.
    let later = analysis.commands.iter().skip(1).position(|command| command.outer_commands.is_empty());
    let before_later = analysis.commands.iter().take(later.map_or(usize::MAX, |index| index + 1));
    before_later.into_iter().filter(|command| command.scope == CommandScope::Local).find_map(|command| {
        let program = command.words.first()?.known_text()?;
        let script = |nested: NestedCommand| match nested.runnable {
            Runnable::File(file) | Runnable::Foreign(hookrules_shell::nested::CodeSource::File(file))
                if nested.doubt.is_none() =>
            {
                file.known_text().map(str::to_owned)
            }
            _ => None,
        };
        let is_missing = |path: &String| {
            let metadata = fs::metadata(project.join(path));
            metadata.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
        };
        let path = nested(&command.words).into_iter().filter_map(script).find(is_missing)?;
        Some(
            Diagnostic::new(Code::SCRIPT_MISSING, format!("`{path}` does not exist"))
                .label(span, format!("`{program}` cannot read it"))
                .help("a relative path is looked for from the project's directory"),
        )
    })
}

/// Returns a command as shell text, with `$VALUE` in place of each inserted value.
fn run_as_shell_text(run: &RunSpec) -> String {
    const VALUE: &str = "\"$VALUE\"";
    match &run.command {
        RunCommand::Argv(words) => {
            let word = |word: &ArgvWord| match word {
                ArgvWord::Text(text) => match text.parts.as_slice() {
                    [TemplatePart::Text(text)] => quote(text),
                    _ => VALUE.to_owned(),
                },
                ArgvWord::Values(_) => VALUE.to_owned(),
            };
            words.iter().map(word).collect::<Vec<String>>().join(" ")
        }
        RunCommand::Shell(script, _) => {
            let piece = |piece: &TemplatePiece| match piece {
                TemplatePiece::Literal(text) => text.clone(),
                TemplatePiece::Value { quoted: true, .. } => "$VALUE".to_owned(),
                TemplatePiece::Value { quoted: false, .. } => VALUE.to_owned(),
            };
            script.pieces.iter().map(piece).collect()
        }
    }
}

/// Whether a program is in a directory of the `PATH`; `None` without that variable.
fn is_on_path(program: &str) -> Option<bool> {
    let path = env::var_os("PATH")?;
    let has_program = |directory: PathBuf| is_program(&directory.join(program));
    Some(env::split_paths(&path).any(has_program))
}

/// Whether there is a file that can be executed by anyone.
fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| is_executable(path, &metadata))
}

/// Returns the names of the agents that the Markdown files in a directory and below it define. Examines at most
/// [`MAX_AGENTS`] entries.
fn agents_in(directory: &Path) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut directories = vec![directory.to_path_buf()];
    let mut remaining = MAX_AGENTS;
    while let Some(directory) = directories.pop() {
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        for entry in entries.flatten() {
            let Some(rest) = remaining.checked_sub(1) else { return names.into_iter().collect() };
            remaining = rest;
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                names.extend(agent_in(&path));
            }
        }
    }
    names.into_iter().collect()
}

/// Returns the name of the agent that a file defines: `name` in its front matter, or else the name of the file
/// without `.md`.
fn agent_in(path: &Path) -> Option<String> {
    let text = files::read_following(path, MAX_AGENT_BYTES).ok()?;
    let text = String::from_utf8_lossy(&text);
    let front_matter = text.strip_prefix("---").and_then(|rest| rest.split_once("\n---")).map(|(head, _)| head);
    let named = front_matter.and_then(|head| head.lines().find_map(|line| line.strip_prefix("name:")));
    let named = named.map(|name| name.trim().trim_matches(['"', '\'']).to_owned()).filter(|name| !name.is_empty());
    named.or_else(|| Some(path.file_stem()?.to_str()?.to_owned()))
}
