//! Words of other languages, of hosts and of plain English, with their equivalents.

/// Spoken operators of several words, with ours; a longer one precedes its own prefixes.
pub(in crate::syntax) const PHRASES: &[(&[&str], &str)] = &[
    (&["does", "not", "start", "with"], "not starts_with"),
    (&["does", "not", "begin", "with"], "not starts_with"),
    (&["does", "not", "end", "with"], "not ends_with"),
    (&["does", "not", "contain"], "not contains"),
    (&["does", "not", "include"], "not contains"),
    (&["does", "not", "have"], "not contains"),
    (&["does", "not", "match"], "not matches"),
    (&["does", "not", "equal"], "!="),
    (&["is", "not", "equal", "to"], "!="),
    (&["is", "equal", "to"], "=="),
    (&["is", "not", "one", "of"], "not in"),
    (&["is", "one", "of"], "in"),
    (&["is", "under"], "under"),
    (&["is", "inside"], "under"),
    (&["is", "below"], "under"),
    (&["is", "outside"], "outside"),
    (&["is", "like"], "like"),
    (&["starts", "with"], "starts_with"),
    (&["begins", "with"], "starts_with"),
    (&["ends", "with"], "ends_with"),
    (&["equals", "to"], "=="),
    (&["ends", "in"], "ends_with"),
    (&["end", "with"], "ends_with"),
    (&["start", "with"], "starts_with"),
    (&["contains", "the"], "contains"),
    (&["contains", "word"], "contains"),
    (&["contains", "text"], "contains"),
    (&["contains", "string"], "contains"),
    (&["does", "not", "mention"], "not contains"),
    (&["is", "not", "in"], "not in"),
    (&["is", "not", "under"], "outside"),
    (&["is", "not", "like"], "not like"),
    (&["is", "set", "to"], "=="),
    (&["is", "named"], "=="),
    (&["is", "greater", "than"], ">"),
    (&["is", "more", "than"], ">"),
    (&["is", "less", "than"], "<"),
    (&["is", "at", "least"], ">="),
    (&["is", "at", "most"], "<="),
    (&["greater", "than"], ">"),
    (&["more", "than"], ">"),
    (&["less", "than"], "<"),
    (&["at", "least"], ">="),
    (&["at", "most"], "<="),
];

/// Spoken operators that take no value.
pub(in crate::syntax) const EMPTY_PHRASES: &[(&[&str], &str)] = &[
    (&["is", "not", "empty"], "!= \"\""),
    (&["is", "not", "blank"], "!= \"\""),
    (&["is", "empty"], "== \"\""),
    (&["is", "blank"], "== \"\""),
    (&["empty"], "== \"\""),
    (&["blank"], "== \"\""),
];

/// A foreign first word of a clause.
pub(in crate::syntax) struct Foreign {
    /// The word.
    pub(in crate::syntax) word: &'static str,
    /// The equivalent keyword, if it is a single word.
    pub(in crate::syntax) ours: &'static str,
    /// What to write.
    pub(in crate::syntax) help: &'static str,
}

/// Keywords of programming languages.
pub(in crate::syntax) const KEYWORDS: &[Foreign] = &[
    foreign("if", "when", "write `when` and the condition"),
    foreign("elif", "", "write a second rule: all rules that match apply"),
    foreign("elsif", "", "write a second rule: all rules that match apply"),
    foreign("else", "", "write a second rule with `unless`: all rules that match apply"),
    foreign("then", "", "delete it: each effect has a line of its own"),
    foreign("switch", "", "write a rule for each case: all rules that match apply"),
    foreign("case", "", "write a rule for each case: all rules that match apply"),
    foreign("for", "", "delete it: a test is true when it holds for any of the values"),
    foreign("within", "", "delete it: a rule is evaluated once for each event, and no test knows what was before"),
    foreign("while", "", "delete it: a rule is evaluated once for each event"),
    foreign("return", "", "write the effect alone, such as `deny \"…\"`: it needs no `return`"),
    foreign("begin", "", "delete it: the `{` behind the name begins the rule"),
    foreign("end", "", "delete it: the `}` of the rule ends it"),
    foreign("endif", "", "delete it: a condition ends with its line"),
    foreign("fi", "", "delete it: a condition ends with its line"),
    foreign("done", "", "delete it: a condition ends with its line"),
    foreign("esac", "", "delete it: a condition ends with its line"),
];

/// The help for `return 403` and `return false`.
pub(in crate::syntax) const RETURNED: &str = "write the effect: `deny \"…\"`";

/// Words of other policy languages.
pub(in crate::syntax) const CLAUSE_WORDS: &[Foreign] = &[
    foreign("before", "", "write the event: `on PreToolUse(Bash)`"),
    foreign("after", "", "write the event: `on PostToolUse(Edit)`"),
    foreign("pattern", "", "write `when runs \"git push\"` about a command, `when content matches /…/` about a text"),
    foreign("regex", "", "write `when content matches /…/`, or another field"),
    foreign("paths", "", "write `when writes like [\"src/**\", \"lib/**\"]`, or `reads`"),
    foreign("path", "", "write `when writes like \"src/**\"`, or `reads`"),
    foreign("files", "", "write `when writes like [\"src/**\", \"lib/**\"]`, or `reads`"),
    foreign("glob", "", "write `when writes like \"src/**\"`, or `reads`"),
    foreign("matcher", "", "write the matcher after the event: `on PreToolUse(Bash)`"),
    foreign("tool", "", "write the tool after the event: `on PreToolUse(Bash)`"),
    foreign("tools", "", "write the tools after the event: `on PreToolUse(Edit|Write)`"),
    foreign("event", "on", "write `on` and the event"),
    foreign("events", "on", "write `on` and the events"),
    foreign("hook", "on", "write `on` and the event"),
    foreign("message", "", "write the message after the effect: `deny \"…\"`"),
    foreign("msg", "", "write the message after the effect: `deny \"…\"`"),
    foreign("reason", "", "write the reason after the effect: `deny \"…\"`"),
    foreign("because", "", "write the reason after the effect: `deny \"…\"`"),
    foreign("action", "", "write the effect itself: `deny \"…\"`, `ask \"…\"`, `allow`"),
    foreign("decision", "", "write the effect itself: `deny \"…\"`, `ask \"…\"`, `allow`"),
    foreign("effect", "", "write the effect itself: `deny \"…\"`, `ask \"…\"`, `allow`"),
    foreign("match", "", "write `on` and the event: `on PreToolUse(Bash)`"),
    foreign("exclude", "", "write `unless` and the condition, and of an agent `by !reviewer`"),
    foreign("exceptions", "unless", "write `unless` and the condition"),
    foreign("exception", "unless", "write `unless` and the condition"),
    foreign("allowlist", "unless", "write `unless` and the condition"),
    foreign("whitelist", "unless", "write `unless` and the condition"),
    foreign("subject", "by", "write `by` and the agent"),
    foreign("subjects", "by", "write `by` and the agent"),
    foreign("principal", "by", "write `by` and the agent"),
    foreign("resource", "", "write `when writes like \"src/**\"`, or `reads`"),
    foreign("resources", "", "write `when writes like \"src/**\"`, or `reads`"),
    foreign("readonlypaths", "", "write `when writes under [\"/etc\", \"/usr\"]`"),
    foreign("protectsystem", "", "write `when writes under [\"/etc\", \"/usr\"]`"),
    foreign("inaccessiblepaths", "", "write `when reads like \"/root/**\" or writes under \"/root\"`"),
    foreign("pattern-not", "", "write `and not content matches /…/` behind the condition"),
    foreign("pattern-either", "", "write `when content matches /…|…/`"),
    foreign("pattern-regex", "", "write `when content matches /…/`"),
    foreign("patterns", "", "write `when content matches /…/ and …`"),
    foreign("fix", "", "write `rewrite FIELD = V`, or `rewrite runs \"a\" to \"b\"`"),
    foreign("capability", "", "delete it: a rule tests what a call runs, reads, writes and connects to"),
    foreign("network", "", "write `when connects under \"10.0.0.0/8\"`, or `connects` alone"),
    foreign("limit_req", "", "delete it: no test counts what happened before"),
    foreign("description", "", "write it as `## …` on the line above the rule"),
    foreign("name", "", "write the name after `rule`"),
    foreign("severity", "", "write `@severity(high)` on the line above the rule"),
    foreign("tags", "", "write `@tags(git)` on the line above the rule"),
    foreign("enabled", "", "write `@off` on the line above the rule to turn it off"),
    foreign("level", "", "write `@severity(high)` on the line above the rule"),
    foreign("priority", "", "delete it: order decides nothing, the strictest decision wins"),
    foreign("order", "", "delete it: order decides nothing, the strictest decision wins"),
    foreign("weight", "", "delete it: order decides nothing, the strictest decision wins"),
    foreign("salience", "", "delete it: order decides nothing, the strictest decision wins"),
    foreign("default", "", "delete it: where no rule decides, the host does as it would without rules"),
    foreign("title", "", "write it as `## …` on the line above the rule"),
    foreign("summary", "", "write it as `## …` on the line above the rule"),
    foreign("id", "", "write the name after `rule`"),
    foreign("condition", "when", "write `when` and the condition"),
    foreign("conditions", "when", "write `when` and the condition"),
    foreign("filter", "when", "write `when` and the condition"),
    foreign("trigger", "on", "write `on` and the event"),
    foreign("drop", "deny", "write `deny \"…\"`"),
    foreign("prevent", "deny", "write `deny \"…\"`"),
    foreign("disallow", "deny", "write `deny \"…\"`"),
    foreign("accept", "allow", "write `allow`"),
    foreign("require_approval", "ask", "write `ask \"…\"`"),
    foreign("command", "", "write `when runs \"git push\"`, or `run \"…\"` to start one"),
    foreign("exec", "run", "write `run \"…\"`"),
    foreign("shell", "run", "write `run \"…\"`"),
    foreign("block", "deny", "write `deny \"…\"`"),
    foreign("reject", "deny", "write `deny \"…\"`"),
    foreign("forbid", "deny", "write `deny \"…\"`"),
    foreign("permit", "allow", "write `allow`"),
    foreign("approve", "allow", "write `allow`"),
    foreign("confirm", "ask", "write `ask \"…\"`"),
    foreign("prompt", "ask", "write `ask \"…\"`"),
    foreign("stop", "halt", "write `halt \"…\"`"),
    foreign("inject", "context", "write `context \"…\"`"),
    foreign("inform", "context", "write `context \"…\"` for the agent, `warn \"…\"` for the user"),
    foreign("tell", "context", "write `context \"…\"` for the agent, `warn \"…\"` for the user"),
    foreign("remind", "context", "write `context \"…\"`"),
    foreign("hint", "context", "write `context \"…\"`"),
    foreign("suggest", "context", "write `context \"…\"`"),
    foreign("additionalcontext", "context", "write `context \"…\"`"),
    foreign("systemmessage", "warn", "write `warn \"…\"`"),
    foreign("stopreason", "halt", "write `halt \"…\"`"),
    foreign("permissiondecisionreason", "", "write the reason after the effect: `deny \"…\"`"),
    foreign("permissiondecision", "", "write the effect itself: `deny \"…\"`, `ask \"…\"`, `allow`"),
    foreign("hookspecificoutput", "", "write the effect itself: `deny \"…\"`, `ask \"…\"`, `allow`"),
    foreign("suppressoutput", "", "delete it: nothing is shown but what the effects say"),
    foreign("continue", "", "write `halt \"…\"` to stop the agent; to go on needs no clause"),
    foreign("updatedinput", "", "write `rewrite tool_input.command = \"…\"`, one line for each member"),
    foreign("set", "rewrite", "write `rewrite` and the field"),
    foreign("modify", "rewrite", "write `rewrite` and the field"),
    foreign("override", "rewrite", "write `rewrite` and the field"),
    foreign("transform", "rewrite", "write `rewrite` and the field"),
    foreign("replace", "rewrite", "write `rewrite FIELD = V`, or `rewrite runs \"a\" to \"b\"`"),
    foreign("additional_context", "context", "write `context \"…\"`"),
    foreign("add_context", "context", "write `context \"…\"`"),
    foreign("system_message", "warn", "write `warn \"…\"`"),
    foreign("alert", "warn", "write `warn \"…\"`"),
    foreign("error", "deny", "write `deny \"…\"`"),
    foreign("fail", "deny", "write `deny \"…\"`"),
    foreign("raise", "deny", "write `deny \"…\"`"),
    foreign("throw", "deny", "write `deny \"…\"`"),
    foreign("log", "record", "write `record \".rules/log/x.jsonl\" { … }`"),
    foreign("print", "warn", "write `warn \"…\"`"),
    foreign("echo", "warn", "write `warn \"…\"`"),
    foreign("agent", "by", "write `by` and the agent"),
    foreign("except", "unless", "write `unless` and the condition"),
    foreign("where", "when", "write `when` and the condition"),
    foreign("silent", "quiet", "write `quiet on` and the examples"),
    foreign("ignores", "quiet", "write `quiet on` and the examples"),
    foreign("passes", "quiet", "write `quiet on` and the examples"),
    foreign("spares", "quiet", "write `quiet on` and the examples"),
    foreign("negative", "quiet", "write `quiet on` and the examples"),
    foreign("triggers", "fires", "write `fires on` and the examples"),
    foreign("matches", "fires", "write `fires on` and the examples"),
    foreign("catches", "fires", "write `fires on` and the examples"),
    foreign("positive", "fires", "write `fires on` and the examples"),
    foreign("examples", "", "write `fires on` or `quiet on` and the examples"),
    foreign("example", "", "write `fires on` or `quiet on` and the examples"),
    foreign("given", "", "`given` belongs in a `test`; in a rule, write `fires on` or `quiet on`"),
    foreign("expect", "", "`expect` belongs in a `test`; in a rule, write `fires on` or `quiet on`"),
];

/// Names of effect options, with the effect: people write them as clauses, or after the effect without braces.
pub(in crate::syntax) const OPTIONS: &[(&str, &str)] = &[
    ("timeout", "run \"…\""),
    ("on_fail", "run \"…\""),
    ("background", "run \"…\""),
    ("stdin", "run \"…\""),
    ("output", "run \"…\""),
    ("show_stdout", "run \"…\""),
    ("show_stderr", "run \"…\""),
    ("max_output_lines", "run \"…\""),
    ("attempts", "run \"…\""),
    ("cwd", "run \"…\""),
    ("env", "run \"…\""),
];

/// Foreign names for options of effects, with ours.
const FOREIGN_OPTIONS: &[(&str, &str)] = &[
    ("async", "background"),
    ("detach", "background"),
    ("detached", "background"),
    ("dir", "cwd"),
    ("directory", "cwd"),
    ("workdir", "cwd"),
    ("working_dir", "cwd"),
    ("working_directory", "cwd"),
    ("environment", "env"),
    ("variables", "env"),
    ("input", "stdin"),
    ("retries", "attempts"),
    ("retry", "attempts"),
    ("max_attempts", "attempts"),
    ("on_error", "on_fail"),
    ("on_failure", "on_fail"),
    ("onfail", "on_fail"),
    ("failure", "on_fail"),
    ("time_limit", "timeout"),
    ("limit", "timeout"),
    ("max_lines", "max_output_lines"),
    ("stdout", "show_stdout"),
    ("stderr", "show_stderr"),
    ("verbose", "show_stdout"),
    ("reason", "message"),
    ("text", "message"),
];

/// Returns the option that a foreign name means.
#[must_use]
pub fn foreign_option(word: &str) -> Option<&'static str> {
    FOREIGN_OPTIONS.iter().find(|(foreign, _)| word.eq_ignore_ascii_case(foreign)).map(|(_, ours)| *ours)
}

const fn foreign(word: &'static str, ours: &'static str, help: &'static str) -> Foreign {
    Foreign { word, ours, help }
}

/// Foreign verbs for tests of files and hosts, with ours.
const VERBS_ELSEWHERE: &[(&[&str], &str)] = &[
    (&["read", "opens", "open", "loads", "load", "views", "view", "cats", "reading"], "reads"),
    (
        &[
            "write",
            "edits",
            "edit",
            "changes",
            "change",
            "modifies",
            "modify",
            "touches",
            "touch",
            "creates",
            "create",
            "saves",
            "save",
            "updates",
            "update",
            "overwrites",
            "overwrite",
            "appends",
            "alters",
            "writing",
        ],
        "writes",
    ),
    (&["delete", "removes", "remove", "unlinks", "erases", "erase", "destroys", "trashes"], "deletes"),
    (&["send", "uploads", "upload", "posts", "publishes", "exfiltrates", "transmits"], "sends"),
    (&["connect", "contacts", "contact", "downloads", "fetches", "visits", "requests", "talks"], "connects"),
];

/// Returns the test of files or hosts that a foreign verb means.
#[must_use]
pub fn foreign_verb(word: &str) -> Option<&'static str> {
    VERBS_ELSEWHERE.iter().find(|(theirs, _)| theirs.contains(&word)).map(|(_, ours)| *ours)
}

/// Names of accounts with all rights.
pub(in crate::syntax) const ROOTS: &[&str] = &["root", "admin", "administrator", "superuser"];

/// Variables that other systems use for the project and the home directory, at the beginning of a path.
const PROJECTS: &[&str] = &[
    "${project}/",
    "{project}/",
    "$project/",
    "${CLAUDE_PROJECT_DIR}/",
    "$CLAUDE_PROJECT_DIR/",
    "${PROJECT_DIR}/",
    "${PWD}/",
    "$PWD/",
    "${workspaceFolder}/",
];
const HOMES: &[&str] = &["${HOME}/", "$HOME/", "@{HOME}/", "{home}/", "${home}/"];

/// Returns the path without such a variable at its beginning: a path in the project needs none.
pub fn behind_variable(path: &str) -> Option<String> {
    let behind = |variables: &[&str]| variables.iter().find_map(|variable| path.strip_prefix(variable));
    behind(PROJECTS).map(str::to_owned).or_else(|| behind(HOMES).map(|rest| format!("~/{rest}")))
}
