//! The input of `rules explain`: a typed call, a payload in a file or on standard input, or a line of the log.
#![expect(clippy::disallowed_methods, reason = "a command is about the current directory, and a pipe may have a name")]

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value as Json};

use super::ExplainArgs;
use crate::cli::CommandOutcome;
use crate::cli::log::{PlaceArgs, is_shown};
use crate::cli::print::{Printer, Style, count};
use crate::decision_log::{LogEntry, replay};
use crate::diagnostic::{Diagnostic, nearest_name, render_all};
use crate::escape::line;
use crate::examples::{ExampleCircumstances, ExampleHost, example_contents};
use crate::facts::account_home;
use crate::files::reason;
use crate::host::{DecodedPayload, Host, decode};
use crate::platform::paths::{portable, shown};
use crate::project::is_directory;
use crate::schema::{Event, OTHER_TOOLS, TOOLS, tool_spec};
use crate::span::Sources;
use crate::syntax;
use crate::types::Payload;
use hookrules_shell::quote::quote_unless;

/// The maximum number of bytes of a payload that are read; the rest is ignored.
const MAX_BYTES: u64 = 64 << 20;

/// The message if there is no input.
const NOTHING: &str = "\
rules: name a call to explain, for example
  rules explain git push -f
  rules explain 'Write \"src/x.rs\" { content: \"…\" }'
  rules explain --last
or give a payload: `--event FILE`, or on standard input
";

/// The event to explain, from any of the sources.
pub(super) struct ExplainInput {
    /// The decoded payload, or the reason why the input could not be read.
    pub(super) decoded: Result<DecodedPayload, String>,
    /// The facts that the input states.
    pub(super) facts: Map<String, Json>,
    /// The host that sent the payload: that of the call or the log line, else `--host`.
    pub(super) host: Host,
    /// Whether `--host` or the typed call (`… on codex`) names the host.
    pub(super) is_host_stated: bool,
    /// The directory of the project whose policy judged the event of a log line, if it still exists.
    pub(super) project: Option<PathBuf>,
    /// The line of the log that the input comes from.
    pub(super) logged: Option<Box<LogEntry>>,
    /// The typed call, with the past that it states (`after […]`); `None` for other inputs.
    pub(super) typed: Option<Box<syntax::ast::Example>>,
}

impl ExplainInput {
    /// Reads the input that the arguments name.
    pub(super) fn from_args(args: &ExplainArgs, printer: &mut Printer) -> Result<Self, CommandOutcome> {
        let plain = |decoded| Self {
            decoded,
            facts: Map::new(),
            host: args.host,
            is_host_stated: args.is_host_given,
            project: None,
            logged: None,
            typed: None,
        };
        if let Some(file) = &args.event {
            return Ok(plain(read(file).map(|bytes| decode(args.host, &bytes))));
        }
        if args.last.is_some() || args.line.is_some() {
            return read_log_line(args, printer);
        }
        if !args.call.is_empty() {
            return parse_call(args, printer);
        }
        if std::io::stdin().is_terminal() {
            printer.err(&printer.displayable(NOTHING));
            return Err(CommandOutcome::Usage);
        }
        Ok(plain(read(Path::new("-")).map(|bytes| decode(args.host, &bytes))))
    }

    /// Returns the payload; `None` if the input could not be read, or its event is unknown.
    pub(super) fn payload(&self) -> Option<&Payload> {
        match &self.decoded {
            Ok(DecodedPayload::Event { payload, .. }) => Some(payload),
            _ => None,
        }
    }

    /// Prints the number, the time and the decision of the log line that is explained, and the parts of the call that
    /// the line lacks. Prints nothing for any other input.
    pub(super) fn announce(&self, printer: &mut Printer) {
        let Some(entry) = &self.logged else { return };
        let number = entry.number.map(|number| format!("line {number} of the log")).unwrap_or("in the log".to_owned());
        let time = entry.time.get(..19).unwrap_or(&entry.time).replace('T', " ");
        let note = format!("{number}, {} UTC, where it was `{}`", line(&time, 40), line(&entry.decision, 20));
        printer.out(&format!("{}\n", printer.paint(Style::Dim, &note)));
        if !entry.incomplete.is_empty() {
            let lacks = line(&entry.incomplete.join(", "), 400);
            let text = format!("the line does not hold all of {lacks}: a rule that looks there may decide otherwise");
            let text = printer.wrapped("", "  ", &text);
            printer.out(&printer.paint(Style::Yellow, &text));
        }
    }
}

/// Reads a file, or standard input for `-`, up to [`MAX_BYTES`].
fn read(file: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = if file.as_os_str() == "-" {
        std::io::stdin().lock().take(MAX_BYTES).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes))
    };
    read.map(|_| bytes).map_err(|error| format!("{}: {}", shown(&file), reason(&error)))
}

/// Finds the log line that `--id` or `--last` names, and reconstructs its payload.
fn read_log_line(args: &ExplainArgs, printer: &mut Printer) -> Result<ExplainInput, CommandOutcome> {
    let place = PlaceArgs::new(args.project.clone(), args.registered.state_dir.clone());
    let (_, log) = place.read_some(CommandOutcome::Findings, printer)?;
    let mut entries = log.newest_first().map(|record| record.entry);
    let (entry, not_found) = match &args.line {
        Some(id) => {
            let has_id = |entry: &LogEntry| {
                let is_number = entry.number.is_some_and(|number| number.to_string() == *id);
                is_number || entry.tool_use_id.as_ref().is_some_and(|call| call == id)
            };
            // A call has a line for each of its events: the newest one that rules decided is meant, else the oldest.
            let found: Vec<LogEntry> = entries.filter(has_id).collect();
            let decided = found.iter().position(|entry| !entry.rules.is_empty() && entry.ask.is_none());
            let index = decided.unwrap_or(found.len().saturating_sub(1));
            (found.into_iter().nth(index), format!("no line of the log has the number or the call `{}`", line(id, 60)))
        }
        None => {
            let back = args.last.unwrap_or(1).max(1);
            // Only lines that `rules log` shows count, and only those with a call.
            let mut shown = entries.by_ref().filter(|entry| is_shown(entry) && replay(entry).is_some());
            (shown.nth(back - 1), format!("the log has fewer than {}", count(back, "decision")))
        }
    };
    let Some(entry) = entry else {
        printer.err(&format!("rules: {not_found}; `rules log` lists them\n"));
        return Err(CommandOutcome::Findings);
    };
    let Some(replayed) = replay(&entry) else {
        printer.err("rules: this line of the log does not hold the call\n");
        return Err(CommandOutcome::Findings);
    };
    let host = Host::from_name(&entry.host).unwrap_or(args.host);
    let bytes = Json::Object(replayed.payload).to_string().into_bytes();
    let project = entry.project.as_ref().or(entry.cwd.as_ref()).map(PathBuf::from);
    let project = project.filter(|project| project.is_absolute() && is_directory(project));
    Ok(ExplainInput {
        decoded: Ok(decode(host, &bytes)),
        facts: Map::new(),
        host,
        is_host_stated: args.is_host_given,
        project,
        logged: Some(Box::new(entry)),
        typed: None,
    })
}

/// Parses the typed call: a shell command becomes a call of Bash in the current directory or `--project`, an example
/// the call that it describes.
fn parse_call(args: &ExplainArgs, printer: &mut Printer) -> Result<ExplainInput, CommandOutcome> {
    let cwd = std::env::current_dir().map(portable).unwrap_or_else(|_| PathBuf::from("/"));
    let cwd = args.project.as_ref().map_or_else(|| cwd.clone(), |project| portable(cwd.join(project)));
    let home = account_home();
    let circumstances = ExampleCircumstances {
        cwd: &cwd,
        home: home.as_deref(),
        transcript: None,
        host: ExampleHost::Required(args.host),
    };
    let (text, parsed) = match parse_typed(&args.call) {
        TypedCall::Command(command) => (syntax::string_literal(&command, ""), None),
        TypedCall::Example(text, example) => (text, Some(example)),
    };
    let mut sources = Sources::default();
    let id = sources.add("the call", None, text);
    let parsed = match (parsed, sources.file_by_id(id)) {
        (None, Some(source)) => syntax::parse_example(source).map(Box::new),
        (Some(parsed), _) => parsed,
        (None, None) => return Err(CommandOutcome::Usage),
    };
    let is_host_stated = args.is_host_given || parsed.as_ref().is_ok_and(|example| example.host.is_some());
    let example = parsed.and_then(|example| match example_contents(&example, None, circumstances) {
        Ok(contents) => Ok((example, contents)),
        Err(finding) => Err(vec![finding]),
    });
    match example {
        Ok((example, contents)) => Ok(ExplainInput {
            decoded: Ok(DecodedPayload::Event { payload: contents.payload, damage: None }),
            facts: contents.facts,
            host: contents.host,
            is_host_stated,
            project: None,
            logged: None,
            typed: Some(example),
        }),
        Err(findings) => {
            printer.err(&format!("{}\n", render_all(&findings, &sources, printer.format())));
            Err(CommandOutcome::Usage)
        }
    }
}

/// A typed call, as it was understood.
enum TypedCall {
    /// A shell command: `git push -f`.
    Command(String),
    /// An example in the language (`Write "a.rs" by "agent"`): its text, and the parsed example or the errors in it.
    Example(String, Result<Box<syntax::ast::Example>, Vec<Diagnostic>>),
}

/// Decides whether the typed words are an example in the language or a shell command. `cat "a b"` parses as an example,
/// too, but is a command, because its first word is not the name of an event or tool and not similar to one.
fn parse_typed(words: &[String]) -> TypedCall {
    let text = match words {
        [one] => one.trim().to_owned(),
        // The shell has removed the quotes of `rules explain Read ".env"`, so they are added again.
        [head, text, rest @ ..] if is_known(head) => {
            let needs_no_quotes = |text: &str| text.starts_with(['"', '{']) || matches!(text, "by" | "on" | "with");
            let text = if needs_no_quotes(text) { text.clone() } else { syntax::string_literal(text, "") };
            [head, &text].into_iter().chain(rest).cloned().collect::<Vec<_>>().join(" ")
        }
        words => {
            return TypedCall::Command(
                words.iter().map(|word| quote_unless(word, is_plain)).collect::<Vec<_>>().join(" "),
            );
        }
    };
    let mut sources = Sources::default();
    let id = sources.add("the call", None, text.clone());
    let Some(source) = sources.file_by_id(id) else { return TypedCall::Command(text) };
    match syntax::parse_example(source) {
        Ok(example) => {
            let is_call = example.head.as_ref().is_none_or(|head| {
                let name = head.name.text.as_str();
                is_known(name) || (name.starts_with(|first: char| first.is_ascii_uppercase()) && is_near(name))
            });
            if is_call { TypedCall::Example(text, Ok(Box::new(example))) } else { TypedCall::Command(text) }
        }
        Err(findings) => {
            let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let rest = text.strip_prefix(&name).unwrap_or_default().trim_start();
            if is_known(&name) {
                return TypedCall::Example(text.clone(), Err(suggest_quotes(findings, &name, rest)));
            }
            let is_clause = |word: &str, sign: char| name == word && rest.starts_with(sign);
            if is_clause("by", '"') || is_clause("with", '{') {
                return TypedCall::Example(text, Err(findings));
            }
            TypedCall::Command(text)
        }
    }
}

/// Adds a suggestion to the error about a text without quotes: `Bash git push` → `Bash "git push"`. Leaves all other
/// errors unchanged.
fn suggest_quotes(mut findings: Vec<Diagnostic>, name: &str, rest: &str) -> Vec<Diagnostic> {
    if let [finding] = findings.as_mut_slice()
        && !rest.is_empty()
        && !rest.starts_with(['"', '(', '{'])
    {
        finding.help = Some(format!("put the text in quotes: `{name} {}`", syntax::string_literal(rest, "")));
    }
    findings
}

/// Whether a word is the name of an event or a tool.
pub(super) fn is_known(name: &str) -> bool {
    Event::from_name(name).is_some()
        || tool_spec(name).is_some()
        || OTHER_TOOLS.contains(&name)
        || name.starts_with("mcp__")
}

/// Whether a word is similar to the name of an event or a tool.
fn is_near(name: &str) -> bool {
    let known = Event::ALL.iter().map(|event| event.name()).chain(TOOLS.iter().map(|tool| tool.name));
    nearest_name(name, known.chain(OTHER_TOOLS.iter().copied())).is_some()
}

/// Whether a character of a typed word needs no quotes. Operators such as `|` and `&` are not quoted, so that they
/// keep their meaning in the shell.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || "_@%+=:,./-&|;<>".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is_command(words: &[&str], expected: &str) {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        match parse_typed(&words) {
            TypedCall::Command(command) => assert_eq!(command, expected),
            TypedCall::Example(text, _) => panic!("{words:?} is read as the example {text}"),
        }
    }

    #[track_caller]
    fn is_example(words: &[&str], expected: &str, is_whole: bool) {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        match parse_typed(&words) {
            TypedCall::Command(command) => panic!("{words:?} is read as the command {command}"),
            TypedCall::Example(text, parsed) => assert_eq!((text.as_str(), parsed.is_ok()), (expected, is_whole)),
        }
    }

    #[test]
    fn what_names_no_event_and_no_tool_is_a_command() {
        for command in [
            "git push -f",
            "make",
            "echo \"hi\"",
            "cat \"a b\"",
            "Rscript \"x.R\"",
            "FOO=1 make",
            "{ ls; }",
            "git",
            "\"my tool\" --x",
            "(cd x && ls)",
            "for f in *; do rm \"$f\"; done",
        ] {
            is_command(&[command], command);
        }
        is_command(&["git", "push", "a b"], "git push 'a b'");
    }

    #[test]
    fn a_call_is_written_as_in_an_example() {
        for example in [
            "Bash \"git push -f\"",
            "Write \"src/x.rs\" { content: \"…\" }",
            "Stop",
            "SubagentStart(coder)",
            "PreToolUse(Edit) \"a\" by \"reviewer\"",
            "by \"agent\"",
            "by agent",
            "with { git.branch: \"main\" }",
            "mcp__db__write",
            "\"git push\" with { git.branch: \"main\" }",
        ] {
            is_example(&[example], example, true);
        }
        is_example(&["Read", ".env"], "Read \".env\"", true);
        is_example(&["Bash", "git push \"x\""], "Bash 'git push \"x\"'", true);
        is_example(&["Write", "a", "{ content: \"x\" }"], "Write \"a\" { content: \"x\" }", true);
    }

    #[test]
    fn a_mistake_in_a_call_is_none_in_a_command() {
        is_example(&["Bsh \"ls\""], "Bsh \"ls\"", true);
        is_example(&["Bash git push"], "Bash git push", false);
        is_example(&["by \"x"], "by \"x", false);
        let TypedCall::Example(_, Err(findings)) = parse_typed(&["Bash git push".to_owned()]) else { panic!() };
        assert_eq!(findings[0].help.as_deref(), Some("put the text in quotes: `Bash \"git push\"`"));
    }
}
