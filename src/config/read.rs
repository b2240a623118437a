//! Parses a rules.toml into settings, and reports every mistake at its place.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Component, Path};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{LayerKind, LayerSettings, LogLevel, NotificationChannel, OnError, TimeZoneSetting, TrustedFileSetting};
use crate::diagnostic::{Code, Diagnostic, Level, Severity, nearest_name, suggest};
use crate::schema::EVENTS;
use crate::span::{SourceFile, Span};
use crate::tool_records::{self, ToolRecordMistake};
use hookrules_shell::path::{check_glob, glob_matches};

/// The only edition of the language that this version of the program supports.
const EDITION: i64 = 1;

/// The maximum length in bytes of the name of a time zone; the longest one has 32.
const MAX_ZONE_BYTES: usize = 64;

/// A value of a TOML document, with its byte range.
type TomlValue<'i> = Spanned<DeValue<'i>>;

/// Parses the settings of one rules.toml. The settings contain every part that could be read; each other part is
/// reported.
#[must_use]
pub fn parse(source: &SourceFile, layer: LayerKind) -> (LayerSettings, Vec<Diagnostic>) {
    let mut reader = ConfigReader { source, layer, settings: LayerSettings::default(), diagnostics: Vec::new() };
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    let is_valid_toml = errors.is_empty();
    for error in errors {
        let span = reader.span(error.span().unwrap_or(0..0));
        let message = error.message().lines().next().unwrap_or_default().to_owned();
        let found = Diagnostic::new(Code::BAD_SETTING, format!("not TOML: {message}"));
        let help = "write `key = value` with strings in quotes, and `[section]` on a line of its own";
        reader.diagnostics.push(found.label(span, "here").help(help));
    }
    reader.read_document(document.get_ref());
    reader.settings.notifications.is_broken |= !is_valid_toml;
    // The part that could not be parsed might have set a stricter `on_error`, so `allow` does not count.
    if !is_valid_toml && reader.settings.on_error == Some(OnError::Allow) {
        reader.settings.on_error = None;
        reader.settings.fails_open = None;
    }
    (reader.settings, reader.diagnostics)
}

/// Reads the sections of one rules.toml, and collects the settings and the findings.
struct ConfigReader<'s> {
    source: &'s SourceFile,
    layer: LayerKind,
    /// The settings that were read so far.
    settings: LayerSettings,
    diagnostics: Vec<Diagnostic>,
}

impl ConfigReader<'_> {
    /// Reads the top-level keys, and reports unknown ones.
    fn read_document(&mut self, table: &DeTable<'_>) {
        const KEYS: &[&str] =
            &["edition", "on_error", "zone", "log", "trust", "notifications", "shell", "tool", "lints"];
        for (key, value) in entries_in_source_order(table) {
            match key.get_ref().as_ref() {
                "edition" => self.read_edition(value),
                "on_error" => self.read_on_error(value),
                "zone" => self.read_zone(value),
                "log" => self.read_section(value, "log", Self::read_log),
                "trust" => self.read_section(value, "trust", Self::read_trust),
                "notifications" => {
                    let before = self.diagnostics.len();
                    self.read_section(value, "notifications", Self::read_notifications);
                    self.settings.notifications.is_broken = self.diagnostics.len() > before;
                }
                "shell" => self.read_section(value, "shell", Self::read_shell),
                "tool" => self.read_tool_records(value),
                "lints" => self.read_section(value, "lints", Self::read_lints),
                _ => self.report_unknown_key(key.span(), key.get_ref(), KEYS),
            }
        }
    }

    /// Reads `edition`, and reports any but the supported one.
    fn read_edition(&mut self, value: &TomlValue<'_>) {
        let number =
            value.get_ref().as_integer().and_then(|number| i64::from_str_radix(number.as_str(), number.radix()).ok());
        match number {
            Some(EDITION) => self.settings.edition = Some(1),
            Some(other) => {
                let help = "write `edition = 1`, or install a newer `rules`";
                self.report_value(value, format!("edition {other} is unknown to this version"), help);
            }
            None => self.report_value(value, "`edition` must be a number".to_owned(), "write `edition = 1`"),
        }
    }

    /// Reads `on_error`, which the local layer must not set.
    fn read_on_error(&mut self, value: &TomlValue<'_>) {
        const VALUES: &[(&str, OnError)] = &[("ask", OnError::Ask), ("deny", OnError::Deny), ("allow", OnError::Allow)];
        if self.layer == LayerKind::Local {
            let help = "set it in the project's or in your own rules.toml";
            self.report_value(value, "`on_error` has no effect in the local layer".to_owned(), help);
            return;
        }
        self.settings.on_error = self.read_choice("on_error", value, VALUES);
        let fails_open = self.settings.on_error == Some(OnError::Allow);
        self.settings.fails_open = fails_open.then(|| self.span(value.span()));
    }

    /// Reads `zone`. Its value becomes the name of a file, so only plain characters are allowed.
    fn read_zone(&mut self, value: &TomlValue<'_>) {
        let name = value.get_ref().as_str().unwrap_or_default();
        let is_part = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_alphanumeric())
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+'))
        };
        if name.len() <= MAX_ZONE_BYTES && name.split('/').all(is_part) {
            self.settings.zone = Some(TimeZoneSetting { name: name.to_owned(), span: self.span(value.span()) });
            return;
        }
        let help = "write its name in the IANA database: `zone = \"Europe/Berlin\"`";
        self.report_value(value, "`zone` is not the name of a time zone".to_owned(), help);
    }

    /// Reads `[log]`.
    fn read_log(&mut self, table: &DeTable<'_>) {
        const VALUES: &[(&str, LogLevel)] =
            &[("off", LogLevel::Off), ("decisions", LogLevel::Decisions), ("all", LogLevel::All)];
        for (key, value) in entries_in_source_order(table) {
            match key.get_ref().as_ref() {
                "level" => self.settings.log = self.read_choice("level", value, VALUES),
                _ => self.report_unknown_key(key.span(), key.get_ref(), &["level"]),
            }
        }
    }

    /// Reads `[trust]`.
    fn read_trust(&mut self, table: &DeTable<'_>) {
        for (key, value) in entries_in_source_order(table) {
            match key.get_ref().as_ref() {
                "files" if self.layer.is_of_project() => self.read_trusted_files(value),
                "files" => {
                    let message =
                        format!("`files` has no effect in the {} layer, which needs no trust", self.layer.name());
                    self.report_value(value, message, "set it in the project's rules.toml");
                }
                _ => self.report_unknown_key(key.span(), key.get_ref(), &["files"]),
            }
        }
    }

    /// Reads `files` of `[trust]`. An entry that cannot name a file of the project is reported and left out.
    fn read_trusted_files(&mut self, value: &TomlValue<'_>) {
        let Some(paths) = self.read_strings("files", value) else { return };
        for (path, entry) in paths.into_iter().zip(value.get_ref().as_array().into_iter().flatten()) {
            let is_inside = Path::new(&path).components().all(|part| matches!(part, Component::Normal(_)));
            let problem = match path.as_str() {
                "" => Some("the name of a file is empty"),
                _ if path.contains(['*', '?', '[', '{', '\\']) => Some("a pattern names no single file"),
                _ if !is_inside || path.ends_with('/') => Some("this is no file below the directory of the policy"),
                _ => None,
            };
            match problem {
                Some(problem) => {
                    let help = "write its path from the directory that contains `.rules`: `\"web/package.json\"`";
                    self.report_value(entry, problem.to_owned(), help);
                }
                None => {
                    let span = self.span(entry.span());
                    self.settings.trusted_files.push(TrustedFileSetting { path, span });
                }
            }
        }
    }

    /// Reads `[notifications]`.
    fn read_notifications(&mut self, table: &DeTable<'_>) {
        const KEYS: &[&str] =
            &["enabled", "hooks", "show_errors", "show_success", "show_system_events", "channel", "command"];
        let mut channel = None;
        let mut command = None;
        for (key, value) in entries_in_source_order(table) {
            match key.get_ref().as_ref() {
                "enabled" => self.settings.notifications.enabled = self.read_boolean("enabled", value),
                "hooks" => self.read_hooks(value),
                "show_errors" => self.settings.notifications.show_errors = self.read_boolean("show_errors", value),
                "show_success" => self.settings.notifications.show_success = self.read_boolean("show_success", value),
                "show_system_events" => {
                    self.settings.notifications.show_system_events = self.read_boolean("show_system_events", value);
                }
                "channel" => channel = Some(value),
                "command" => command = Some(value),
                _ => self.report_unknown_key(key.span(), key.get_ref(), KEYS),
            }
        }
        self.read_channel(channel, command);
    }

    /// Reads `channel` and `command` of `[notifications]`. Only the user's and the managed layer may choose a
    /// command: otherwise a repository could run any program.
    fn read_channel(&mut self, channel: Option<&TomlValue<'_>>, command: Option<&TomlValue<'_>>) {
        const VALUES: &[(&str, Option<NotificationChannel>)] = &[
            ("auto", Some(NotificationChannel::Auto)),
            ("desktop", Some(NotificationChannel::Desktop)),
            ("bell", Some(NotificationChannel::Bell)),
            ("command", None),
        ];
        let chosen = channel.and_then(|value| Some((value, self.read_choice("channel", value, VALUES)?)));
        match (chosen, command) {
            (Some((value, None)), _) if !matches!(self.layer, LayerKind::Managed | LayerKind::User) => {
                let message = format!("the {} layer cannot choose a command", self.layer.name());
                self.report_value(value, message, "set it in `~/.config/rules/rules.toml`");
            }
            (Some((value, None)), None) => {
                let help = "add `command = [\"program\", \"argument\"]`";
                self.report_value(value, "`channel = \"command\"` without a `command`".to_owned(), help);
            }
            (Some((_, None)), Some(command)) => {
                let argv = self.read_strings("command", command);
                match argv {
                    Some(argv) if argv.is_empty() => {
                        self.report_value(command, "`command` is empty".to_owned(), "name a program");
                    }
                    Some(argv) => self.settings.notifications.channel = Some(NotificationChannel::Command(argv)),
                    None => {}
                }
            }
            (chosen, command) => {
                if let Some(command) = command {
                    let help = "add `channel = \"command\"` or leave it out";
                    self.report_value(command, "`command` without `channel = \"command\"`".to_owned(), help);
                }
                self.settings.notifications.channel = chosen.and_then(|(_, channel)| channel);
            }
        }
    }

    /// Reads `hooks` of `[notifications]`. The setting stays unset if one of the globs is invalid or matches no
    /// event.
    fn read_hooks(&mut self, value: &TomlValue<'_>) {
        let Some(globs) = self.read_strings("hooks", value) else { return };
        let mut are_valid = true;
        for (glob, entry) in globs.iter().zip(value.get_ref().as_array().into_iter().flatten()) {
            let problem = match check_glob(glob) {
                Err(problem) => Some((problem, None)),
                Ok(()) if EVENTS.iter().any(|spec| glob_matches(glob, spec.name)) => None,
                Ok(()) => {
                    let names = EVENTS.iter().map(|spec| spec.name);
                    Some((format!("unknown event `{glob}`"), suggest("event", glob, names)))
                }
            };
            if let Some((message, help)) = problem {
                are_valid = false;
                let span = self.span(entry.span());
                let found = Diagnostic::new(Code::BAD_SETTING, message).label(span, "this entry");
                self.diagnostics.push(found.help_if_any(help));
            }
        }
        if are_valid {
            self.settings.notifications.hooks = Some(globs);
        }
    }

    /// Reads `[shell]`.
    fn read_shell(&mut self, table: &DeTable<'_>) {
        for (key, value) in entries_in_source_order(table) {
            match key.get_ref().as_ref() {
                "tools" => self.read_section(value, "shell.tools", Self::read_shell_tools),
                _ => self.report_unknown_key(key.span(), key.get_ref(), &["tools"]),
            }
        }
    }

    /// Reads `[shell.tools]`: `"mcp__SERVER__TOOL" = "MEMBER"`. An invalid line is reported and left out.
    fn read_shell_tools(&mut self, table: &DeTable<'_>) {
        let mut tools = BTreeMap::new();
        for (tool, member) in entries_in_source_order(table) {
            if tool.get_ref().contains(['*', '?', '|']) {
                let found = Diagnostic::new(Code::BAD_SETTING, format!("`{}` names no tool", tool.get_ref()));
                let span = self.span(tool.span());
                let help = "write a line for each tool, with its whole name: `mcp__SERVER__TOOL`";
                self.diagnostics.push(found.label(span, "a line is about one tool").help(help));
                continue;
            }
            match member.get_ref().as_str() {
                Some(text) if text.contains('.') => {
                    let last_segment = text.rsplit('.').next().unwrap_or(text);
                    let help = format!("write the name of a member of the tool's input: `\"{last_segment}\"`");
                    self.report_value(member, format!("`{text}` is a path"), &help);
                }
                Some(text) if !text.is_empty() => {
                    tools.insert(tool.get_ref().clone().into_owned(), text.to_owned());
                }
                _ => {
                    let message = format!("`{}` does not name an input member", tool.get_ref());
                    self.report_value(member, message, "write `\"TOOL\" = \"MEMBER\"`, the member that is a command");
                }
            }
        }
        self.settings.shell_tools = tools;
    }

    /// Reads `[[tool]]`, and reports each mistake in a record.
    fn read_tool_records(&mut self, value: &TomlValue<'_>) {
        let mut mistakes = Vec::new();
        self.settings.tool_records = tool_records::records("rules.toml", &[], value, &mut mistakes);
        for ToolRecordMistake { at, message, help, unknown } in mistakes {
            let span = self.span(at);
            let meant = unknown.and_then(|key| nearest_name(&key, tool_records::keys()));
            let help = meant.map_or(help, |key| format!("a key named `{key}` exists"));
            self.diagnostics.push(Diagnostic::new(Code::BAD_SETTING, message).label(span, "here").help(help));
        }
    }

    /// Reads `[lints]`: the code or name of a lint, and its level.
    fn read_lints(&mut self, table: &DeTable<'_>) {
        for (key, value) in entries_in_source_order(table) {
            let name = key.get_ref().as_ref();
            match Code::find(name) {
                Some(code) if code.severity == Severity::Error => {
                    let found = Diagnostic::new(Code::BAD_SETTING, format!("`{name}` has no level: it is an error"));
                    let span = self.span(key.span());
                    let help = "remove the line; what keeps a policy from loading cannot be accepted";
                    self.diagnostics.push(found.label(span, "this key").help(help));
                }
                Some(code) => {
                    if let Some(level) = self.read_choice(name, value, Level::WORDS) {
                        self.settings.lints.set(code, level);
                    }
                }
                None => {
                    let found = Diagnostic::new(Code::UNKNOWN_KEY, format!("unknown lint `{name}`"));
                    let span = self.span(key.span());
                    let found = found.label(span, "this key");
                    self.diagnostics.push(match Code::suggest_codes(name).filter(|_| Code::is_id(name)) {
                        Some(near) => found.help(near),
                        None => found.suggest_name(span, "lint", name, Code::adjustable_codes().map(|code| code.name)),
                    });
                }
            }
        }
    }

    /// Reads a value with `read` if it is a table, else reports it under `name`.
    fn read_section(&mut self, value: &TomlValue<'_>, name: &str, read: impl FnOnce(&mut Self, &DeTable<'_>)) {
        match value.get_ref().as_table() {
            Some(table) => read(self, table),
            None => self.report_value(value, format!("`{name}` must be a table"), &format!("write it as `[{name}]`")),
        }
    }

    /// Returns a boolean; reports any other value, and returns `None`.
    fn read_boolean(&mut self, name: &str, value: &TomlValue<'_>) -> Option<bool> {
        let read = value.get_ref().as_bool();
        if read.is_none() {
            self.report_value(value, format!("`{name}` must be a boolean"), "write `true` or `false`");
        }
        read
    }

    /// Returns a list of strings; reports any other value, and returns `None`.
    fn read_strings(&mut self, name: &str, value: &TomlValue<'_>) -> Option<Vec<String>> {
        let items = value.get_ref().as_array().into_iter().flatten();
        let read: Option<Vec<String>> = items.map(|item| item.get_ref().as_str().map(str::to_owned)).collect();
        let read = read.filter(|_| value.get_ref().is_array());
        if read.is_none() {
            self.report_value(
                value,
                format!("`{name}` must be a list of strings"),
                &format!("write `{name} = [\"…\"]`"),
            );
        }
        read
    }

    /// Returns the meaning of a string according to a table of the valid ones; reports any other value, and returns
    /// `None`.
    fn read_choice<T: Clone>(&mut self, name: &str, value: &TomlValue<'_>, values: &[(&str, T)]) -> Option<T> {
        let words = values.iter().map(|(word, _)| *word);
        let Some(text) = value.get_ref().as_str() else {
            let all = words.map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ");
            self.report_value(value, format!("`{name}` must be a string"), &format!("valid: {all}"));
            return None;
        };
        if let Some((_, found)) = values.iter().find(|(word, _)| *word == text) {
            return Some(found.clone());
        }
        let all = words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        self.report_value(value, format!("`{name}` is never `{text}`"), &format!("valid: {all}"));
        None
    }

    /// Reports an unknown key, and suggests the nearest of the valid `keys`.
    fn report_unknown_key(&mut self, at: Range<usize>, key: &str, keys: &[&str]) {
        let span = self.span(at);
        let found = Diagnostic::new(Code::UNKNOWN_KEY, format!("unknown setting `{key}`"));
        let help = suggest("setting", key, keys.iter().copied());
        self.diagnostics.push(found.label(span, "this key").help_if_any(help));
    }

    /// Reports a mistake in a value, at the place of the value.
    fn report_value(&mut self, value: &TomlValue<'_>, message: String, help: &str) {
        let span = self.span(value.span());
        self.diagnostics.push(Diagnostic::new(Code::BAD_SETTING, message).label(span, "this value").help(help));
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.source.id, range.start, range.end)
    }
}

/// Returns the entries of a table in the order of the source: the table itself is sorted by key.
fn entries_in_source_order<'t, 'i>(
    table: &'t DeTable<'i>,
) -> Vec<(&'t Spanned<std::borrow::Cow<'i, str>>, &'t Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}
