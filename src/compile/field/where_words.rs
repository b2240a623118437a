//! Foreign names for the words of `where`.

use super::WHERE_WORDS;
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::syntax::ast;
use hookrules_shell::Programs;

/// Foreign names for the words of `where`.
const WHERE_ELSEWHERE: &[(&str, &str)] = &[
    ("arg", "args"),
    ("arguments", "args"),
    ("argv", "args"),
    ("background", "in_background"),
    ("binary", "program"),
    ("cmd", "program"),
    ("directory", "cwd"),
    ("exe", "program"),
    ("executable", "program"),
    ("loop", "in_loop"),
    ("name", "program"),
    ("params", "args"),
    ("parameters", "args"),
    ("positional", "operands"),
    ("positionals", "operands"),
    ("ref", "push_target"),
    ("refspec", "push_target"),
    ("stdin", "input"),
    ("target", "operands"),
    ("targets", "operands"),
    ("words", "args"),
    ("workdir", "cwd"),
    ("wrapper", "via"),
];

/// Foreign words that `where` does not need, since another construct serves the purpose.
const SAID_OTHERWISE: &[(&[&str], &str)] = &[
    (SUBCOMMANDS, "the pattern names it: `runs \"git push\"`"),
    (
        &["flag", "flags", "option", "options", "switch", "switches"],
        "the pattern names flags: `runs \"rm -r -f\"`; `option \"-m\"` is the value of one",
    ),
    (&["branch", "git_branch"], "`push_target` is the branch that is pushed, `git.branch` the one that is checked out"),
    (
        &["file", "files", "filename", "path", "paths"],
        "write `where reads …`, `writes …`, `deletes …` or `sends …` for its files, `operands` for its words",
    ),
    (&["command", "text"], "write `args contains \"…\"` for one word of it, `program` for its name"),
    (&["host", "hostname", "url"], "write `domain == \"example.org\"` or `connects like \"example.org\"`"),
    (&["sudo"], "write `via == \"sudo\"`"),
    (&["output", "stdout", "stderr"], "what a command prints is not known before it runs"),
    (
        &["exit_code", "exit_status", "status", "result", "returncode"],
        "how a command ends is not known before it runs: a call that failed has `on PostToolUseFailure(Bash)`",
    ),
    (
        &["image", "images", "package", "packages", "pkg", "module", "script", "task", "service", "resource"],
        "write `operands`, the words behind the subcommand",
    ),
    (&["port", "ip"], "write `connects like \"*:22\"` or `connects under \"10.0.0.0/8\"`"),
];

/// Common names for the options of commands, with their long names.
const OPTIONS_ELSEWHERE: &[(&str, &str)] = &[
    ("msg", "message"),
    ("method", "request"),
    ("database", "dbname"),
    ("db", "dbname"),
    ("user", "username"),
    ("ns", "namespace"),
    ("desc", "description"),
];

/// Returns the option of a command that a word names.
pub(in crate::compile) fn option_meant(word: &str, pattern: &str, programs: &Programs) -> Option<String> {
    if matches!(word, "branch" | "url" | "host" | "hostname" | "path" | "file" | "files" | "command" | "output") {
        return None;
    }
    let mut words = pattern.split_whitespace();
    let mut levels = vec![programs.program(words.next()?)?];
    for name in words {
        let Some(command) = levels.last().and_then(|program| program.command(name)) else { break };
        levels.push(command);
    }
    let other = OPTIONS_ELSEWHERE.iter().find(|(theirs, _)| *theirs == word).map(|(_, ours)| *ours);
    let spelled = |name: &str| match name.len() {
        1 => format!("-{name}"),
        _ => format!("--{}", name.replace('_', "-")),
    };
    let names = [Some(word), other].into_iter().flatten().map(spelled);
    names.into_iter().find(|option| levels.iter().rev().any(|program| program.option(option).is_some()))
}

/// Common names for the subcommand of a command.
pub(in crate::compile) const SUBCOMMANDS: &[&str] =
    &["action", "subcmd", "subcommand", "subcommands", "sub_command", "verb"];

pub(super) fn unknown_in_where(name: &ast::FieldName) -> Diagnostic {
    let text = name.text();
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown word `{text}` in `where`"))
        .label(name.span, "not a property of the command");
    let first = name.segments.first().map_or("", |segment| segment.text.as_str());
    if let Some((_, ours)) = WHERE_ELSEWHERE.iter().find(|(theirs, _)| *theirs == text) {
        return found.help(format!("write `{ours}`")).fix(name.span, *ours);
    }
    if let Some((_, help)) = SAID_OTHERWISE.iter().find(|(theirs, _)| theirs.contains(&first)) {
        return found.help(*help);
    }
    match nearest(&text, WHERE_WORDS.iter().copied().chain(["reads", "writes", "deletes", "sends", "connects"])) {
        Some(near) => found.help(format!("a word of `where` named `{near}` exists")),
        None => found.help(format!(
            "`where` tests the command alone: {}, option \"-x\", env.NAME, reads, writes, deletes, sends, connects",
            WHERE_WORDS.join(", ")
        )),
    }
}
