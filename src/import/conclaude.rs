//! Reads the configuration of conclaude as its versions 0.1 to 0.2 do: the keys, which of them are required, and
//! their values. <https://github.com/connix-io/conclaude>
//!
//! This module does not know how the values are converted.

mod config;
mod sections;

use super::globs::{self, GlobSubject};
use super::mapping_reader::{ImportFindings, MappingReader, PlacedValue, list, text, word};
use super::node::{ConfigNode, ConfigValue};
use crate::ruleset::{MAX_REGEX, regex_size};
use crate::schema::Subject as EventSubject;

use config::CommandVisibility;
pub(super) use config::{
    CaseSensitivity, ConclaudeCommand, ConclaudeConfig, ContextRule, EntryState, EventCommands, FileProtections,
    MatchMode, NotificationConfig, PermissionConfig, StopConfig, StopContinuation, ToolAction, ToolRule,
    UneditableFile, Visibility,
};
use sections::{CommandListing, EventSection, SECTIONS, SLASH_COMMANDS};
pub(super) use sections::{FailureEffect, PatternSubject};

/// Reads a configuration; `None` if it is not a mapping. Mistakes are reported in `findings`.
pub(super) fn read_config(root: &ConfigNode, findings: &mut ImportFindings) -> Option<ConclaudeConfig> {
    let mut top = MappingReader::new(root, "", findings)?;
    let stop = top.table("stop", findings).map(|table| read_stop(table, findings)).unwrap_or_default();
    let (mut contexts, mut prompts, mut events) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(mut table) = top.table("userPromptSubmit", findings) {
        contexts = read_elements(&mut table, "contextRules", findings, read_context_rule);
        prompts = read_commands(&mut table, "commands", findings);
        if let Some(slash) = table.table("slashCommands", findings) {
            events.extend(read_event_commands(&SLASH_COMMANDS, slash, findings));
        }
        table.note_unread_keys(findings);
    }
    for section in SECTIONS {
        if let Some(table) = top.table(section.key, findings) {
            events.extend(read_event_commands(section, table, findings));
        }
    }
    let mut before = top.table("preToolUse", findings);
    // Versions before 0.2.3 had these keys in the section `rules`.
    let mut older = top.table("rules", findings);
    let mut tools = Vec::new();
    for table in [&mut before, &mut older].into_iter().flatten() {
        tools.extend(read_elements(table, "toolUsageValidation", findings, read_tool_rule));
    }
    let files = read_file_protections(before, older, findings);
    let permission = top.table("permissionRequest", findings).and_then(|table| read_permission(table, findings));
    let worktree = top.table("worktreeCreate", findings).and_then(|table| read_worktree(table, findings));
    let notifications = top.table("notifications", findings).map(|table| read_notifications(table, findings));
    if let Some(node) = top.node("gitWorktree") {
        findings.leave_out(node.span, "`gitWorktree`: conclaude itself removed it in 0.1.7; left out");
    }
    top.note_unread_keys(findings);
    Some(ConclaudeConfig { files, tools, permission, contexts, prompts, stop, events, worktree, notifications })
}

/// Reads each element of the list at a key with `read`. An element that is not a mapping is reported and left out.
fn read_elements<'n, T>(
    table: &mut MappingReader<'n>,
    key: &'static str,
    findings: &mut ImportFindings,
    read: impl Fn(MappingReader<'n>, &mut ImportFindings) -> Option<T>,
) -> Vec<T> {
    let path = table.path_of(key);
    let nodes = table.list(key, findings);
    nodes.iter().filter_map(|node| read(MappingReader::new(node, path.clone(), findings)?, findings)).collect()
}

fn read_commands(
    table: &mut MappingReader<'_>,
    key: &'static str,
    findings: &mut ImportFindings,
) -> Vec<ConclaudeCommand> {
    read_elements(table, key, findings, read_command)
}

/// Reads a command with its options. `None` if it has no `run`, which is reported, or if it is an `rg` or `ts` command,
/// which has no equivalent.
fn read_command(mut table: MappingReader<'_>, findings: &mut ImportFindings) -> Option<ConclaudeCommand> {
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
    let mut visibility = |key| {
        let visibility = table.boolean(key, findings)?;
        Some(visibility.map(|visibility| if visibility { Visibility::Visible } else { Visibility::Hidden }))
    };
    let visibility = CommandVisibility {
        command: visibility("showCommand"),
        stdout: visibility("showStdout"),
        stderr: visibility("showStderr"),
    };
    let case = table.boolean("caseInsensitive", findings).map(case_sensitivity);
    let pattern = table.text("pattern", findings).map(|pattern| (pattern, case));
    let pattern = pattern.filter(|(pattern, _)| is_valid_regex(pattern, &table.path_of("pattern"), findings));
    let notify = table.boolean("notifyPerCommand", findings);
    let command = ConclaudeCommand {
        message: table.text("message", findings),
        visibility,
        max_output_lines: table.number("maxOutputLines", 1..=10_000, findings),
        timeout: table.number("timeout", 1..=3_600, findings),
        pattern,
        tool: table.text("tool", findings).filter(|tool| is_valid_glob(tool, GlobSubject::Tool, "tool", findings)),
        notify,
        run: run?,
    };
    table.note_unread_keys(findings);
    Some(command)
}

/// Reads the commands of a section; if the section has patterns, returns those of each pattern separately.
fn read_event_commands(
    section: &'static EventSection,
    mut table: MappingReader<'_>,
    findings: &mut ImportFindings,
) -> Vec<EventCommands> {
    let path = table.path_of("commands");
    let mut groups = Vec::new();
    match section.listing {
        CommandListing::List => {
            let commands = read_commands(&mut table, "commands", findings);
            groups.push(EventCommands { section, pattern: None, commands, when: None });
        }
        CommandListing::ListOfFragments => {
            let commands = read_commands(&mut table, "commands", findings);
            let shows_fragments = table.boolean("onlyFinal", findings).is_some_and(|only_final| !only_final.value());
            groups.push(EventCommands {
                section,
                pattern: None,
                commands,
                when: (!shows_fragments).then_some("final"),
            });
        }
        CommandListing::ByPattern => {
            let entries = match table.node("commands").map(|node| (&node.kind, node)) {
                Some((ConfigValue::Map(entries), _)) => entries.as_slice(),
                Some((_, node)) => {
                    // Reports that `commands` should be a mapping.
                    let _wrong = MappingReader::new(node, path.clone(), findings);
                    &[]
                }
                None => &[],
            };
            for (key, value) in entries {
                let Some(pattern) = text(key, &path, findings) else { continue };
                let subject = pattern_subject(section);
                if !is_valid_glob(&pattern, subject, &path, findings) {
                    continue;
                }
                let nodes = list(value, &path, findings).iter();
                let commands =
                    nodes.filter_map(|node| read_command(MappingReader::new(node, path.clone(), findings)?, findings));
                let commands = commands.collect();
                groups.push(EventCommands { section, pattern: Some(pattern), commands, when: None });
            }
        }
    }
    table.note_unread_keys(findings);
    groups
}

/// Returns what the patterns of a section are matched against.
fn pattern_subject(section: &EventSection) -> GlobSubject {
    match (section.subject, section.event.spec().subject) {
        (PatternSubject::Path(_), _) => GlobSubject::Path,
        (PatternSubject::Text(_), _) => GlobSubject::Text,
        (PatternSubject::Name(_), _) => GlobSubject::Name,
        (PatternSubject::Selector, EventSubject::Tool) => GlobSubject::Tool,
        (PatternSubject::Selector, EventSubject::Field("agent_type")) => GlobSubject::Agent,
        (PatternSubject::Selector, _) => GlobSubject::Name,
    }
}

/// Reads the section `stop`.
fn read_stop(mut table: MappingReader<'_>, findings: &mut ImportFindings) -> StopConfig {
    let mut commands = read_commands(&mut table, "commands", findings);
    // Versions before 0.2 have a single command instead of a list.
    if let Some(run) = table.text("run", findings).filter(|run| !run.peek().trim().is_empty()) {
        commands.insert(0, ConclaudeCommand::plain(run));
    }
    let is_infinite = table.boolean("infinite", findings).is_some_and(|infinite| *infinite.value());
    let message = table.text("infiniteMessage", findings);
    let rounds = table.number("rounds", 0..=u32::MAX, findings).filter(|rounds| *rounds.value() > 0);
    let span = table.span();
    table.note_unread_keys(findings);
    let continuation = (is_infinite || rounds.is_some()).then_some(StopContinuation { span, message, rounds });
    StopConfig { commands, continuation }
}

/// Reads the file protections from `preToolUse`, and from `rules`, where older versions have them. Where both have a
/// key, `preToolUse` takes precedence.
fn read_file_protections(
    before: Option<MappingReader<'_>>,
    older: Option<MappingReader<'_>>,
    findings: &mut ImportFindings,
) -> FileProtections {
    let mut files = FileProtections {
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
            files.uneditable.extend(read_uneditable_file(node, &path, findings));
        }
        let path = table.path_of("preventAdditions");
        let additions = table.texts("preventAdditions", findings);
        files
            .additions
            .extend(additions.into_iter().filter(|glob| is_valid_glob(glob, GlobSubject::Path, &path, findings)));
        for (key, place) in
            [("preventUpdateGitIgnored", &mut files.git_ignored), ("preventGeneratedFileEdits", &mut files.generated)]
        {
            if table.boolean(key, findings).is_some_and(|is_prevented| *is_prevented.value()) {
                *place = table.node(key).map(|node| node.span);
            }
        }
        files.generated_message = table.text("generatedFileMessage", findings).or(files.generated_message);
        table.note_unread_keys(findings);
    }
    files
}

/// Reads an entry of `uneditableFiles`: a glob, or a mapping with a `pattern`.
fn read_uneditable_file(node: &ConfigNode, path: &str, findings: &mut ImportFindings) -> Option<UneditableFile> {
    if !matches!(node.kind, ConfigValue::Map(_)) {
        let pattern =
            text(node, path, findings).filter(|glob| is_valid_glob(glob, GlobSubject::Path, path, findings))?;
        return Some(UneditableFile { pattern, message: None, agent: None });
    }
    let mut table = MappingReader::new(node, path, findings)?;
    let pattern =
        table.required("pattern", findings).filter(|glob| is_valid_glob(glob, GlobSubject::Path, path, findings));
    let message = table.text("message", findings);
    let agent = table.text("agent", findings).filter(|glob| is_valid_glob(glob, GlobSubject::Agent, path, findings));
    table.note_unread_keys(findings);
    Some(UneditableFile { pattern: pattern?, message, agent })
}

/// Reads an entry of `toolUsageValidation`.
fn read_tool_rule(mut table: MappingReader<'_>, findings: &mut ImportFindings) -> Option<ToolRule> {
    const ACTIONS: &[(&str, ToolAction)] = &[("allow", ToolAction::Allow), ("block", ToolAction::Block)];
    const MODES: &[(&str, MatchMode)] = &[("full", MatchMode::Full), ("prefix", MatchMode::Prefix)];
    let action = table.required("action", findings).and_then(|text| word(text, ACTIONS, "action", findings));
    let tool = table.required("tool", findings);
    if let Some((tool, remark)) = tool.as_ref().and_then(|tool| Some((tool, globs::remark_on_tool(tool.peek())?))) {
        findings.add_note(tool.span, remark);
    }
    let command = table
        .text("commandPattern", findings)
        .filter(|glob| is_valid_glob(glob, GlobSubject::Text, "commandPattern", findings));
    // Older versions require a `pattern` next to a `commandPattern`, and ignore it, so an empty one is no mistake.
    let pattern = table.text("pattern", findings).filter(|glob| command.is_none() || !glob.peek().trim().is_empty());
    let pattern = pattern.filter(|glob| is_valid_glob(glob, GlobSubject::Path, "pattern", findings));
    let mode = table.text("matchMode", findings).and_then(|text| word(text, MODES, "matchMode", findings));
    let message = table.text("message", findings);
    let agent = table.text("agent", findings).filter(|glob| is_valid_glob(glob, GlobSubject::Agent, "agent", findings));
    let span = table.span();
    table.note_unread_keys(findings);
    Some(ToolRule { span, tool: tool?, action: action?, pattern, command, mode, message, agent })
}

/// Reads the section `permissionRequest`; `None` if its `default` is missing or wrong, which is reported.
fn read_permission(mut table: MappingReader<'_>, findings: &mut ImportFindings) -> Option<PermissionConfig> {
    const ACTIONS: &[(&str, ToolAction)] = &[("allow", ToolAction::Allow), ("deny", ToolAction::Block)];
    let default = table.required("default", findings);
    let default = default.and_then(|text| word(text, ACTIONS, "default", findings));
    let mut globs = |key| {
        let mut globs = table.texts(key, findings);
        globs.retain(|glob| is_valid_glob(glob, GlobSubject::Tool, key, findings));
        globs
    };
    let (allow, deny) = (globs("allow"), globs("deny"));
    table.note_unread_keys(findings);
    Some(PermissionConfig { default: default?, allow, deny })
}

/// Reads an entry of `userPromptSubmit.contextRules`.
fn read_context_rule(mut table: MappingReader<'_>, findings: &mut ImportFindings) -> Option<ContextRule> {
    let pattern = table.required("pattern", findings);
    let pattern = pattern.filter(|pattern| is_valid_regex(pattern, &table.path_of("pattern"), findings));
    let prompt = table.required("prompt", findings);
    let case = table.boolean("caseInsensitive", findings).map(case_sensitivity);
    let state = table.boolean("enabled", findings);
    let state =
        state.map(|enabled| enabled.map(|enabled| if enabled { EntryState::Enabled } else { EntryState::Disabled }));
    table.note_unread_keys(findings);
    Some(ContextRule { pattern: pattern?, prompt: prompt?, case, state })
}

/// Reads `worktreeCreate`; `None` without a `command`.
fn read_worktree(mut table: MappingReader<'_>, findings: &mut ImportFindings) -> Option<ConclaudeCommand> {
    let run = table.text("command", findings).filter(|run| !run.peek().trim().is_empty());
    let timeout = table.number("timeout", 1..=3_600, findings);
    table.note_unread_keys(findings);
    Some(ConclaudeCommand { timeout, ..ConclaudeCommand::plain(run?) })
}

/// Reads the section `notifications`.
fn read_notifications(mut table: MappingReader<'_>, findings: &mut ImportFindings) -> NotificationConfig {
    let notifications = NotificationConfig {
        enabled: table.boolean("enabled", findings),
        hooks: table.texts("hooks", findings),
        show_errors: table.boolean("showErrors", findings),
        show_success: table.boolean("showSuccess", findings),
        show_system_events: table.boolean("showSystemEvents", findings),
    };
    table.note_unread_keys(findings);
    notifications
}

fn case_sensitivity(insensitive: PlacedValue<bool>) -> PlacedValue<CaseSensitivity> {
    insensitive.map(|insensitive| if insensitive { CaseSensitivity::Insensitive } else { CaseSensitivity::Sensitive })
}

/// Whether a glob is valid. Adds a finding if it is not, and notes about its meaning if it is.
fn is_valid_glob(glob: &PlacedValue<String>, subject: GlobSubject, path: &str, findings: &mut ImportFindings) -> bool {
    match globs::check_glob(glob.peek(), subject) {
        Ok(()) => {
            globs::remarks(glob.peek(), subject).into_iter().for_each(|remark| findings.add_note(glob.span, remark));
            true
        }
        Err((message, help)) => {
            let message = format!("`{path}`: {message}");
            findings.report_invalid(glob.span, &message, "not a glob", help);
            false
        }
    }
}

/// Whether a regex is valid; adds a finding if it is not.
fn is_valid_regex(regex: &PlacedValue<String>, path: &str, findings: &mut ImportFindings) -> bool {
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
    findings.report_invalid(regex.span, &format!("`{path}` is not a regex"), &problem, help);
    false
}
