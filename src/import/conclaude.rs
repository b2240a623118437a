//! The configuration of conclaude, as its versions 0.1 to 0.2 read it: the meaning of the keys, which of them are
//! required, and the values that they take. <https://github.com/connix-io/conclaude>
//!
//! This module does not know how they are translated.

mod config;
mod sections;

use super::globs::{self, Of};
use super::read::{At, Findings, Table, list, text, word};
use super::yaml::{Kind, Node};
use crate::ruleset::{MAX_REGEX, regex_size};
use crate::schema::Subject as EventSubject;

pub(super) use config::{
    Action, Case, Command, Config, ContextRule, EventCommands, Files, MatchMode, Notifications, Permission, State,
    Stop, ToolRule, Uneditable, Visibility,
};
use config::{GoesOn, Shown};
pub(super) use sections::{Failing, Subject};
use sections::{SECTIONS, SLASH_COMMANDS, Section, Shape};

/// Reads a configuration.
pub(super) fn read(root: &Node, findings: &mut Findings) -> Option<Config> {
    let mut top = Table::new(root, "", findings)?;
    let stop = top.table("stop", findings).map(|table| stop(table, findings)).unwrap_or_default();
    let (mut contexts, mut prompts, mut events) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(mut table) = top.table("userPromptSubmit", findings) {
        contexts = elements(&mut table, "contextRules", findings, context_rule);
        prompts = commands(&mut table, "commands", findings);
        if let Some(slash) = table.table("slashCommands", findings) {
            events.extend(event_commands(&SLASH_COMMANDS, slash, findings));
        }
        table.finish(findings);
    }
    for section in SECTIONS {
        if let Some(table) = top.table(section.key, findings) {
            events.extend(event_commands(section, table, findings));
        }
    }
    let mut before = top.table("preToolUse", findings);
    // Versions before 0.2.3 had these in a section of their own.
    let mut older = top.table("rules", findings);
    let mut tools = Vec::new();
    for table in [&mut before, &mut older].into_iter().flatten() {
        tools.extend(elements(table, "toolUsageValidation", findings, tool_rule));
    }
    let files = files(before, older, findings);
    let permission = top.table("permissionRequest", findings).and_then(|table| permission(table, findings));
    let worktree = top.table("worktreeCreate", findings).and_then(|table| worktree(table, findings));
    let notifications = top.table("notifications", findings).map(|table| notifications(table, findings));
    if let Some(node) = top.node("gitWorktree") {
        findings.leave_out(node.span, "`gitWorktree`: conclaude itself removed it in 0.1.7; left out");
    }
    top.finish(findings);
    Some(Config { files, tools, permission, contexts, prompts, stop, events, worktree, notifications })
}

/// Reads the elements of a list, each a mapping.
fn elements<'n, T>(
    table: &mut Table<'n>,
    key: &'static str,
    findings: &mut Findings,
    read: impl Fn(Table<'n>, &mut Findings) -> Option<T>,
) -> Vec<T> {
    let path = table.path_of(key);
    let nodes = table.list(key, findings);
    nodes.iter().filter_map(|node| read(Table::new(node, path.clone(), findings)?, findings)).collect()
}

fn commands(table: &mut Table<'_>, key: &'static str, findings: &mut Findings) -> Vec<Command> {
    elements(table, key, findings, command)
}

fn command(mut table: Table<'_>, findings: &mut Findings) -> Option<Command> {
    for kind in ["rg", "ts"] {
        if table.node(kind).is_some() {
            findings.leave_out(
                table.span(),
                format!("`{}`: only `run` can be carried over, left out", table.path_of(kind)),
            );
            return None;
        }
    }
    let run = table.required("run", findings);
    let mut shown = |key| {
        let shown = table.boolean(key, findings)?;
        Some(shown.map(|shown| if shown { Visibility::Shown } else { Visibility::Hidden }))
    };
    let shown = Shown { command: shown("showCommand"), stdout: shown("showStdout"), stderr: shown("showStderr") };
    let case = table.boolean("caseInsensitive", findings).map(case_of);
    let pattern = table.text("pattern", findings).map(|pattern| (pattern, case));
    let pattern = pattern.filter(|(pattern, _)| checked_regex(pattern, &table.path_of("pattern"), findings));
    let notify = table.boolean("notifyPerCommand", findings);
    let command = Command {
        message: table.text("message", findings),
        shown,
        max_output_lines: table.number("maxOutputLines", 1..=10_000, findings),
        timeout: table.number("timeout", 1..=3_600, findings),
        pattern,
        tool: table.text("tool", findings).filter(|tool| checked_glob(tool, Of::Tool, "tool", findings)),
        notify,
        run: run?,
    };
    table.finish(findings);
    Some(command)
}

fn event_commands(section: &'static Section, mut table: Table<'_>, findings: &mut Findings) -> Vec<EventCommands> {
    let path = table.path_of("commands");
    let mut found = Vec::new();
    match section.shape {
        Shape::List => {
            let commands = commands(&mut table, "commands", findings);
            found.push(EventCommands { section, pattern: None, commands, when: None });
        }
        Shape::ListOfFragments => {
            let commands = commands(&mut table, "commands", findings);
            let every = table.boolean("onlyFinal", findings).is_some_and(|only_final| !only_final.value());
            found.push(EventCommands { section, pattern: None, commands, when: (!every).then_some("final") });
        }
        Shape::ByPattern => {
            let entries = match table.node("commands").map(|node| (&node.kind, node)) {
                Some((Kind::Map(entries), _)) => entries.as_slice(),
                Some((_, node)) => {
                    // Reports the expected kind.
                    let _wrong = Table::new(node, path.clone(), findings);
                    &[]
                }
                None => &[],
            };
            for (key, value) in entries {
                let Some(pattern) = text(key, &path, findings) else { continue };
                let of = pattern_of(section);
                if !checked_glob(&pattern, of, &path, findings) {
                    continue;
                }
                let nodes = list(value, &path, findings).iter();
                let commands = nodes.filter_map(|node| command(Table::new(node, path.clone(), findings)?, findings));
                let commands = commands.collect();
                found.push(EventCommands { section, pattern: Some(pattern), commands, when: None });
            }
        }
    }
    table.finish(findings);
    found
}

/// Returns what the patterns of a section match.
fn pattern_of(section: &Section) -> Of {
    match (section.subject, section.event.spec().subject) {
        (Subject::Path(_), _) => Of::Path,
        (Subject::Text(_), _) => Of::Text,
        (Subject::Name(_), _) => Of::Name,
        (Subject::Selector, EventSubject::Tool) => Of::Tool,
        (Subject::Selector, EventSubject::Field("agent_type")) => Of::Agent,
        (Subject::Selector, _) => Of::Name,
    }
}

fn stop(mut table: Table<'_>, findings: &mut Findings) -> Stop {
    let mut commands = commands(&mut table, "commands", findings);
    // The single command of versions before 0.2.
    if let Some(run) = table.text("run", findings).filter(|run| !run.peek().trim().is_empty()) {
        commands.insert(0, Command::plain(run));
    }
    let is_infinite = table.boolean("infinite", findings).is_some_and(|infinite| *infinite.value());
    let message = table.text("infiniteMessage", findings);
    let rounds = table.number("rounds", 0..=u32::MAX, findings).filter(|rounds| *rounds.value() > 0);
    let span = table.span();
    table.finish(findings);
    let goes_on = (is_infinite || rounds.is_some()).then_some(GoesOn { span, message, rounds });
    Stop { commands, goes_on }
}

fn files(before: Option<Table<'_>>, older: Option<Table<'_>>, findings: &mut Findings) -> Files {
    let mut files = Files {
        root_additions: None,
        root_message: None,
        uneditable: Vec::new(),
        additions: Vec::new(),
        git_ignored: None,
        generated: None,
        generated_message: None,
    };
    for mut table in [older, before].into_iter().flatten() {
        files.root_additions = table.boolean("preventRootAdditions", findings).or(files.root_additions);
        files.root_message = table.text("preventRootAdditionsMessage", findings).or(files.root_message);
        let path = table.path_of("uneditableFiles");
        for node in table.list("uneditableFiles", findings) {
            files.uneditable.extend(uneditable(node, &path, findings));
        }
        let path = table.path_of("preventAdditions");
        let additions = table.texts("preventAdditions", findings);
        files.additions.extend(additions.into_iter().filter(|glob| checked_glob(glob, Of::Path, &path, findings)));
        for (key, place) in
            [("preventUpdateGitIgnored", &mut files.git_ignored), ("preventGeneratedFileEdits", &mut files.generated)]
        {
            if table.boolean(key, findings).is_some_and(|is_prevented| *is_prevented.value()) {
                *place = table.node(key).map(|node| node.span);
            }
        }
        files.generated_message = table.text("generatedFileMessage", findings).or(files.generated_message);
        table.finish(findings);
    }
    files
}

fn uneditable(node: &Node, path: &str, findings: &mut Findings) -> Option<Uneditable> {
    if !matches!(node.kind, Kind::Map(_)) {
        let pattern = text(node, path, findings).filter(|glob| checked_glob(glob, Of::Path, path, findings))?;
        return Some(Uneditable { pattern, message: None, agent: None });
    }
    let mut table = Table::new(node, path, findings)?;
    let pattern = table.required("pattern", findings).filter(|glob| checked_glob(glob, Of::Path, path, findings));
    let message = table.text("message", findings);
    let agent = table.text("agent", findings).filter(|glob| checked_glob(glob, Of::Agent, path, findings));
    table.finish(findings);
    Some(Uneditable { pattern: pattern?, message, agent })
}

fn tool_rule(mut table: Table<'_>, findings: &mut Findings) -> Option<ToolRule> {
    const ACTIONS: &[(&str, Action)] = &[("allow", Action::Allow), ("block", Action::Block)];
    const MODES: &[(&str, MatchMode)] = &[("full", MatchMode::Full), ("prefix", MatchMode::Prefix)];
    let action = table.required("action", findings).and_then(|text| word(text, ACTIONS, "action", findings));
    let tool = table.required("tool", findings);
    if let Some((tool, remark)) = tool.as_ref().and_then(|tool| Some((tool, globs::remark_on_tool(tool.peek())?))) {
        findings.note(tool.span, remark);
    }
    let command =
        table.text("commandPattern", findings).filter(|glob| checked_glob(glob, Of::Text, "commandPattern", findings));
    // Older versions require a `pattern` in addition to the `commandPattern`, and ignore it.
    let pattern = table.text("pattern", findings).filter(|glob| command.is_none() || !glob.peek().trim().is_empty());
    let pattern = pattern.filter(|glob| checked_glob(glob, Of::Path, "pattern", findings));
    let mode = table.text("matchMode", findings).and_then(|text| word(text, MODES, "matchMode", findings));
    let message = table.text("message", findings);
    let agent = table.text("agent", findings).filter(|glob| checked_glob(glob, Of::Agent, "agent", findings));
    let span = table.span();
    table.finish(findings);
    Some(ToolRule { span, tool: tool?, action: action?, pattern, command, mode, message, agent })
}

fn permission(mut table: Table<'_>, findings: &mut Findings) -> Option<Permission> {
    const ACTIONS: &[(&str, Action)] = &[("allow", Action::Allow), ("deny", Action::Block)];
    let default = table.required("default", findings);
    let default = default.and_then(|text| word(text, ACTIONS, "default", findings));
    let mut globs = |key| {
        let mut globs = table.texts(key, findings);
        globs.retain(|glob| checked_glob(glob, Of::Tool, key, findings));
        globs
    };
    let (allow, deny) = (globs("allow"), globs("deny"));
    table.finish(findings);
    Some(Permission { default: default?, allow, deny })
}

fn context_rule(mut table: Table<'_>, findings: &mut Findings) -> Option<ContextRule> {
    let pattern = table.required("pattern", findings);
    let pattern = pattern.filter(|pattern| checked_regex(pattern, &table.path_of("pattern"), findings));
    let prompt = table.required("prompt", findings);
    let case = table.boolean("caseInsensitive", findings).map(case_of);
    let state = table.boolean("enabled", findings);
    let state = state.map(|enabled| enabled.map(|enabled| if enabled { State::On } else { State::Off }));
    table.finish(findings);
    Some(ContextRule { pattern: pattern?, prompt: prompt?, case, state })
}

fn worktree(mut table: Table<'_>, findings: &mut Findings) -> Option<Command> {
    let run = table.text("command", findings).filter(|run| !run.peek().trim().is_empty());
    let timeout = table.number("timeout", 1..=3_600, findings);
    table.finish(findings);
    Some(Command { timeout, ..Command::plain(run?) })
}

fn notifications(mut table: Table<'_>, findings: &mut Findings) -> Notifications {
    let notifications = Notifications {
        enabled: table.boolean("enabled", findings),
        hooks: table.texts("hooks", findings),
        show_errors: table.boolean("showErrors", findings),
        show_success: table.boolean("showSuccess", findings),
        show_system_events: table.boolean("showSystemEvents", findings),
    };
    table.finish(findings);
    notifications
}

fn case_of(insensitive: At<bool>) -> At<Case> {
    insensitive.map(|insensitive| if insensitive { Case::Ignored } else { Case::Told })
}

/// Returns whether a glob is valid, and reports any mistake in it.
fn checked_glob(glob: &At<String>, of: Of, path: &str, findings: &mut Findings) -> bool {
    match globs::check(glob.peek(), of) {
        Ok(()) => {
            globs::remarks(glob.peek(), of).into_iter().for_each(|remark| findings.note(glob.span, remark));
            true
        }
        Err((message, help)) => {
            let message = format!("`{path}`: {message}");
            findings.bad(glob.span, &message, "not a glob", help);
            false
        }
    }
}

/// Returns whether a regex is valid, and reports any mistake in it.
fn checked_regex(regex: &At<String>, path: &str, findings: &mut Findings) -> bool {
    let problem = match regex_size(regex.peek()) {
        _ if regex.peek().is_empty() => "it is empty, and matches everything".to_owned(),
        Ok(size) if size > MAX_REGEX => "it is too big once compiled".to_owned(),
        Ok(_) => return true,
        Err(error) => match *error {
            regex_syntax::Error::Parse(error) => error.kind().to_string(),
            regex_syntax::Error::Translate(error) => error.kind().to_string(),
            _ => "it cannot be read".to_owned(),
        },
    };
    let help = "the syntax is that of the `regex` crate, without look-around and back-references";
    findings.bad(regex.span, &format!("`{path}` is not a regex"), &problem, help);
    false
}
