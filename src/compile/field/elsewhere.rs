//! Names that other languages have for fields and facts, and for values that this language does not offer.

use super::{Derived, Head, carries, derived, fact};
use crate::compile::head::tools;
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::schema::{FieldLookup, field_type};
use crate::syntax::ast;

/// Names for the number of times something has happened.
const COUNTS: &[&str] = &[
    "attempts",
    "budget",
    "calls",
    "cost",
    "cost_usd",
    "count",
    "counter",
    "retries",
    "tool_calls",
    "turn",
    "turns",
    "usage",
];

/// Names that other programs have for a field or fact: not similar in spelling, but by far the likeliest meaning.
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("branch", "git.branch"),
    ("git_branch", "git.branch"),
    ("current_branch", "git.branch"),
    ("github.ref", "git.branch"),
    ("github.ref_name", "git.branch"),
    ("github.head_ref", "git.branch"),
    ("user", "env.USER"),
    ("username", "env.USER"),
    ("user_name", "env.USER"),
    ("whoami", "env.USER"),
    ("remote", "git.remote"),
    ("tool", "tool_name"),
    ("cmd", "command"),
    ("cmdline", "command"),
    ("command_line", "command"),
    ("shell_command", "command"),
    ("bash_command", "command"),
    ("file", "path"),
    ("filename", "path"),
    ("file_name", "path"),
    ("filepath", "path"),
    ("resource", "path"),
    ("text", "content"),
    ("body", "content"),
    ("new_text", "content"),
    ("uri", "url"),
    ("principal", "agent"),
    ("subagent", "agent"),
    ("agent_name", "agent"),
    ("pwd", "cwd"),
    ("workdir", "cwd"),
    ("workspace", "project"),
    ("repo", "project"),
    ("platform", "os"),
    ("user_prompt", "prompt"),
    ("hook_event_name", "event"),
    ("event_name", "event"),
    ("mode", "permission_mode"),
    ("tool_output", "tool_response"),
    ("tool_result", "tool_response"),
    ("response", "tool_response"),
    ("result", "tool_response"),
    ("output", "tool_response"),
    ("arguments", "tool_input"),
    ("parameters", "tool_input"),
    ("tool_args", "tool_input"),
];

/// A part of a path that other languages have a name for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::compile) enum PartOfPath {
    Extension,
    Name,
    Stem,
    Directory,
}

impl PartOfPath {
    /// Returns an example of a test of it.
    fn example(self) -> &'static str {
        match self {
            Self::Extension => "path like \"*.env\"",
            Self::Name => "path like \"Makefile\"",
            Self::Stem => "path like \"Makefile.*\"",
            Self::Directory => "path under \"src\"",
        }
    }
}

const PARTS_OF_PATHS: &[(&[&str], PartOfPath)] = &[
    (&["extension", "ext", "suffix", "file_extension", "filetype", "file_type", "extname"], PartOfPath::Extension),
    (&["basename", "base_name"], PartOfPath::Name),
    (&["stem"], PartOfPath::Stem),
    (&["dirname", "directory", "dir", "folder", "parent"], PartOfPath::Directory),
];

/// Returns the part of a path that a name means: `extension`, `path.suffix`, `tool_input.file_path.name`.
pub(in crate::compile) fn part_of_path(name: &ast::FieldName, head: &Head) -> Option<PartOfPath> {
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    let (last, front) = segments.split_last()?;
    let is_of_path = matches!(front, ["path" | "file" | "file_path"] | ["tool_input", "file_path"]);
    if !(front.is_empty() || is_of_path) || !carries(head, "path", Derived::Path) {
        return None;
    }
    let known = PARTS_OF_PATHS.iter().find(|(names, _)| names.contains(last)).map(|(_, part)| *part);
    known.or((is_of_path && matches!(*last, "name" | "filename" | "file_name")).then_some(PartOfPath::Name))
}

/// Facts that only git can answer, and the command for each.
const ASKED_OF_GIT: &[(&[&str], &str)] = &[
    (
        &[
            "dirty",
            "is_dirty",
            "clean",
            "is_clean",
            "status",
            "changes",
            "has_changes",
            "changed",
            "uncommitted",
            "untracked",
            "modified",
            "files",
            "changed_files",
        ],
        "test -z \"$(git status --porcelain)\"",
    ),
    (&["staged", "has_staged", "index"], "git diff --cached --quiet"),
    (&["diff", "unstaged"], "git diff --quiet"),
    (
        &["commit", "sha", "hash", "head", "rev", "revision", "commit_hash", "commit_sha"],
        "test \"$(git rev-parse --short HEAD)\" = 1a2b3c4",
    ),
    (&["tag", "tags"], "test -n \"$(git tag --points-at HEAD)\""),
    (&["message", "commit_message", "last_message", "log"], "git log -1 --format=%s | grep -q '^fix'"),
    (&["user", "author", "email", "committer"], "git config user.email | grep -q example.org"),
    (&["ahead", "behind", "unpushed", "pushed"], "test -z \"$(git cherry)\""),
];

/// Reports `git.dirty` and other facts for which git would have to be run.
fn asked_of_git(name: &ast::FieldName, text: &str) -> Option<Diagnostic> {
    let member = text.strip_prefix("git.")?;
    let (_, command) = ASKED_OF_GIT.iter().find(|(names, _)| names.contains(&member))?;
    let quote = if command.contains('\'') { "\"" } else { "'" };
    Some(
        Diagnostic::new(Code::UNKNOWN_FIELD, format!("`{text}` is not known to a condition"))
            .label(name.span, "no test runs git")
            .help(format!(
                "delete the test, and write `run {quote}{command}{quote} {{ on_fail: deny }}` as the effect"
            )),
    )
}

/// Facts that a command would have to determine, and the command for each.
const FOUND_OUT: &[(&[&str], &str)] = &[
    (
        &["tests_failed", "tests_fail", "tests_pass", "tests_passed", "tests_passing", "tests_green", "test_result"],
        "npm test",
    ),
    (&["build_failed", "build_passed", "build_ok", "builds", "compiles"], "cargo check"),
    (&["lint_failed", "lint_passed", "lint_errors", "lints"], "npm run lint"),
    (
        &["lines_changed", "lines", "line_count", "loc", "diff_size", "changed_lines"],
        "test $(git diff | wc -l) -lt 500",
    ),
    (&["files_changed", "file_count"], "test $(git status --porcelain | wc -l) -lt 20"),
];

/// Returns the member of the input that a foreign name means.
pub(in crate::compile) fn member_meant(name: &str) -> Option<&'static str> {
    ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, ours)| *ours)
}

/// Returns the command field if a foreign name means it.
pub(in crate::compile) fn command_meant(name: &ast::FieldName) -> Option<String> {
    let text = name.text();
    ALIASES.iter().find(|(alias, ours)| *alias == text && *ours == "command").map(|(_, ours)| (*ours).to_owned())
}

/// Names for the time of day.
pub(super) const TIMES: &[&str] = &["now", "time", "hour", "clock", "date", "today", "weekday", "day"];

/// Returns the operator of a shell test that fails when the author's comparison holds, so that the rule denies.
fn passing(operator: ast::Operator, negated: bool) -> Option<&'static str> {
    use ast::Operator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let (holds, fails) = match operator {
        Greater => ("-gt", "-le"),
        GreaterEqual => ("-ge", "-lt"),
        Less => ("-lt", "-ge"),
        LessEqual => ("-le", "-gt"),
        Equal => ("-eq", "-ne"),
        NotEqual => ("-ne", "-eq"),
        _ => return None,
    };
    Some(if negated { holds } else { fails })
}

/// Reports `now.hour >= 18` and `now > "17:30"`, and proposes a command with the author's number.
pub(in crate::compile) fn time_of_day(name: &ast::FieldName, compare: &ast::Compare) -> Option<Diagnostic> {
    let (first, last) = (name.segments.first()?.text.as_str(), name.segments.last()?.text.as_str());
    let is_hour = TIMES.contains(&first) && matches!(last, "now" | "time" | "hour" | "clock");
    let is_day = TIMES.contains(&first) && matches!(last, "weekday" | "day" | "dayofweek" | "day_of_week");
    let written = match &compare.value.kind {
        ast::ValueKind::Number(_, digits) => digits.as_str(),
        ast::ValueKind::Text(text) => text.value.split(':').next()?,
        _ => return None,
    };
    let number: u32 = written.parse().ok().filter(|number| *number < 24)?;
    let format = match (is_hour, is_day) {
        (true, _) => "%H",
        (_, true) => "%u",
        _ => return None,
    };
    let test = passing(compare.operator, compare.negated)?;
    Some(
        Diagnostic::new(Code::UNKNOWN_FIELD, format!("`{}` is not known to a condition", name.text()))
            .label(name.span, "no test depends on the time")
            .help(format!(
                "delete the test, and write `run \"test $(date +{format}) {test} {number}\" {{ on_fail: deny }}` as the effect"
            )),
    )
}

/// Reports another program's name for a field or fact, or a field prefixed with the name of the event.
pub(super) fn known_elsewhere(name: &ast::FieldName, text: &str, head: &Head) -> Option<Diagnostic> {
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{text}`")).label(name.span, "not a field");
    let first = name.segments.first().map_or("", |segment| segment.text.as_str());
    if matches!(text, "plan_mode" | "in_plan_mode" | "is_plan_mode") {
        let right = "permission_mode == \"plan\"";
        return Some(found.help(format!("write `{right}`")).fix(name.span, right));
    }
    if matches!(text, "port" | "dport" | "dst_port" | "ip" | "ip_address" | "remote_addr" | "dst" | "destination") {
        let is_port = text.ends_with("port");
        let right = if is_port { "*:22" } else { "10.0.0.0/8" };
        let verb = if is_port { "like" } else { "under" };
        return Some(found.help(format!("test the connection: `connects {verb} \"{right}\"`")));
    }
    if matches!(text, "hostname" | "host_name" | "machine") {
        return Some(found.help(
            "write `domain` for the host of a URL; no test sees the name of this machine: \
             `run \"test $(hostname) != x\" { on_fail: deny }`",
        ));
    }
    if matches!(text, "transcript" | "history" | "conversation" | "messages") {
        return Some(found.help("no test sees what was said or done before: a `run` may look at `{transcript_path}`"));
    }
    if let Some(part) = part_of_path(name, head) {
        return Some(found.help(format!("test the path: `{}`", part.example())));
    }
    if let Some(found) = asked_of_git(name, text) {
        return Some(found);
    }
    let last = name.segments.last().map_or("", |segment| segment.text.as_str());
    if let Some((_, command)) = FOUND_OUT.iter().find(|(names, _)| names.contains(&last)) {
        return Some(
            Diagnostic::new(Code::UNKNOWN_FIELD, format!("`{text}` is not known to a condition"))
                .label(name.span, "a test runs nothing")
                .help(format!("delete the test, and write `run \"{command}\" {{ on_fail: deny }}` as the effect")),
        );
    }
    if matches!(text, "exit_code" | "exit_status" | "exitcode" | "return_code" | "returncode" | "failed" | "succeeded")
    {
        return Some(found.help(
            "a call that failed is an event of its own: write `on PostToolUseFailure(Bash)`; \
             its `error` begins with `Exit code 1`",
        ));
    }
    if TIMES.contains(&first) {
        let is_day = matches!(first, "weekday" | "day" | "date") || text.contains("day");
        let test = if is_day { "test $(date +%u) -lt 6" } else { "test $(date +%H) -lt 17" };
        return Some(
            Diagnostic::new(Code::UNKNOWN_FIELD, format!("`{text}` is not known to a condition"))
                .label(name.span, "no test depends on the time")
                .help(format!("delete the test, and write `run \"{test}\" {{ on_fail: deny }}` as the effect")),
        );
    }
    if COUNTS.contains(&first) || COUNTS.contains(&last) && first == "session" {
        return Some(
            Diagnostic::new(Code::UNKNOWN_FIELD, format!("`{text}` is not known to a condition"))
                .label(name.span, "no test counts what happened before")
                .help("a `record` notes each call, and a `run` counts them: the book's page of what cannot be said has it"),
        );
    }
    let resolves = |segments: &[&str]| {
        let single =
            matches!(segments, [single] if derived(single).is_some_and(|(derived, _)| carries(head, single, derived)));
        // The input of a server's tool is unknown: any member may be meant.
        let is_member = |segments: &[&str]| matches!(segments, ["tool_input" | "tool_response", _, ..]);
        let raw = |event| match field_type(event, &tools(head, event), segments) {
            FieldLookup::Found(_) => true,
            FieldLookup::Open => is_member(segments),
            _ => false,
        };
        single || fact(segments).is_some() || head.event_set().into_iter().any(raw)
    };
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    let alias = |text: &str| ALIASES.iter().find(|(alias, _)| *alias == text).map(|(_, ours)| (*ours).to_owned());
    let whole = alias(text).or_else(|| match segments.as_slice() {
        // `tool_input.cmd` means a member of the input, or the field that replaces it for every tool.
        ["tool_input", last] => {
            let ours = alias(last)?;
            match resolves(&["tool_input", ours.as_str()]) {
                true => Some(format!("tool_input.{ours}")),
                // A name with a similar spelling is the better suggestion.
                false => nearest(last, ["file_path"]).is_none().then_some(ours),
            }
        }
        _ => None,
    });
    // `input.tool_name`, `payload.cwd`: the first segment is another language's name for the whole payload.
    let behind =
        segments.get(1..).filter(|rest| !rest.is_empty() && !resolves(&[first])).and_then(|rest| {
            match resolves(rest) {
                true => Some(rest.join(".")),
                false => alias(&rest.join(".")),
            }
        });
    let meant = whole.or(behind).filter(|meant| resolves(&meant.split('.').collect::<Vec<_>>()))?;
    Some(found.help(format!("write `{meant}`")).fix(name.span, meant))
}
