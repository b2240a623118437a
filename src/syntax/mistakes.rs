//! What this layer says about the mistakes in a policy's text: the table of them, and the words that go into it.
//!
//! The code that finds a mistake names a row of the table and passes what is in the text; it contains no sentences.

use super::token::Kind;
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;

/// Makes an enum of the rows, and what each of them says. A placeholder is a field of its row, so that a text cannot
/// name one that is not there, and none goes unused.
macro_rules! mistakes {
    ($($name:ident { $($field:ident),* } $code:ident $message:literal, $label:literal, $help:literal;)*) => {
        /// A mistake in a policy's text, with what goes into its texts.
        #[derive(Clone, Copy, Debug)]
        pub(in crate::syntax) enum Mistake<'a> {
            $($name { $($field: &'a str),* },)*
        }

        impl Mistake<'_> {
            /// Reports the mistake at a place.
            pub(in crate::syntax) fn at(self, span: Span) -> Diagnostic {
                #[cfg(test)]
                super::REACHED.with_borrow_mut(|reached| reached.insert(self.name()));
                match self {
                    $(Self::$name { $($field),* } => {
                        Diagnostic::new(Code::$code, format!($message)).label(span, format!($label)).help(format!($help))
                    })*
                }
            }

            #[cfg(test)]
            fn name(self) -> &'static str {
                match self {
                    $(Self::$name { .. } => stringify!($name),)*
                }
            }
        }

        /// The names of the rows.
        #[cfg(test)]
        pub(in crate::syntax) const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

#[macro_use]
mod effects;
pub(super) mod languages;
mod table;

pub(super) use table::Mistake;
#[cfg(test)]
pub(super) use table::NAMES;

/// What a second place of a mistake says.
pub(super) const STRING_ENDS: &str = "the string ends here";
pub(super) const ANOTHER_ESCAPE: &str = "nor this";

impl Mistake<'_> {
    /// Reports an opening bracket that nothing closes. Another mistake after it may be the cause.
    pub(super) fn at_opener(self, span: Span) -> Diagnostic {
        let mut diagnostic = self.at(span);
        diagnostic.labels.iter_mut().for_each(|label| label.is_open = true);
        diagnostic
    }
}

/// What is complete where a text that does not belong to it follows.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Event,
    Events,
    Agents,
    Condition,
    Vote,
    Examples,
    Example,
    Effect,
    Clauses,
    Items,
    Value,
    Use,
    Annotation,
    RuleName,
    TestName,
}

impl Part {
    /// Names the part in a message.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Event => "the event",
            Self::Events => "the events",
            Self::Agents => "the agents",
            Self::Condition => "the condition",
            Self::Vote => "the vote",
            Self::Examples => "the examples",
            Self::Example => "the example",
            Self::Effect => "the effect",
            Self::Clauses => "the clauses",
            Self::Items => "the items",
            Self::Value => "the value",
            Self::Use => "the `use`",
            Self::Annotation => "the annotation",
            Self::RuleName => "the name of the rule",
            Self::TestName => "the name of the test",
        }
    }
}

/// A string that a clause or item takes: what it is, and what it looks like in its place.
#[derive(Clone, Copy)]
pub(super) struct Slot<'a> {
    pub(super) what: &'a str,
    pub(super) form: &'a str,
}

impl Slot<'static> {
    pub(super) const NOTIFY_TITLE: Self = Self { what: "a title", form: "notify \"title\" \"text\"" };
    pub(super) const NOTIFY_TEXT: Self = Self { what: "a text", ..Self::NOTIFY_TITLE };
    pub(super) const RECORD_FILE: Self = Self { what: "a file", form: "record \".rules/log/x.jsonl\" { … }" };
    pub(super) const REWRITE_PATTERN: Self = Self { what: "a pattern", form: "rewrite runs \"npm\" to \"pnpm\"" };
    pub(super) const REWRITE_WORDS: Self = Self { what: "the new words", ..Self::REWRITE_PATTERN };
    pub(super) const REPLACEMENT: Self =
        Self { what: "the replacement", form: "rewrite command replace /a/ with \"b\"" };
    pub(super) const RUN_COMMAND: Self = Self { what: "a command", form: "run \"cargo fmt\"" };
    pub(super) const EXPECTED_RUN: Self = Self { what: "a text", form: "run \"…\"" };
    pub(super) const TEST_NAME: Self = Self { what: "the name of the test", form: "test \"what it shows\" {" };
    pub(super) const USE_SOURCE: Self = Self { what: "the source of a `use`", form: "use \"std/git\"" };
}

impl<'a> Slot<'a> {
    /// The message of an effect.
    pub(super) fn message(form: &'a str) -> Self {
        Self { what: "the message", form }
    }

    /// The text that an expectation looks for.
    pub(super) fn expected(form: &'a str) -> Self {
        Self { what: "a text", form }
    }
}

/// What several events look like.
pub(super) const EVENTS_FORM: &str = "PreToolUse, Stop";

/// What an expectation of a rewrite looks like.
pub(super) const REWRITES_FORM: &str = "rewrites command to \"…\"";

/// The form of the clause or item that begins with a word.
pub(super) fn form(word: &str) -> &'static str {
    match word {
        "on" => "on EVENT(SELECTOR|…), EVENT …",
        "by" => "by AGENT|AGENT",
        "when" | "unless" => "when FIELD OPERATOR VALUE and …",
        "fires" | "quiet" | "unknown" => "fires on \"text\", TOOL \"text\" { field: value }",
        "rewrite" => "rewrite FIELD = VALUE",
        "run" => "run \"command\" { timeout: 30s }",
        "record" => "record \"FILE\" { key: value }",
        "notify" => "notify \"title\" \"text\"",
        "use" => "use \"std/git\" except NAME with { name: value }",
        "let" => "let name = value",
        "def" => "def name = condition",
        "given" => "given TOOL \"text\" by \"agent\" with { fact: value } { field: value }",
        "expect" => "expect deny by RULE message contains \"text\"",
        "rule" => "rule a-name {",
        "test" => "test \"what it shows\" {",
        _ => "deny \"message\"",
    }
}

/// What a `let` or `def` looks like.
pub(super) fn definition_form(keyword: &str) -> &'static str {
    if keyword == "let" { "let name = \"…\"" } else { "def name = git.branch == \"main\"" }
}

/// Says that there are more mistakes than are shown: how many, where that is more than one.
pub(super) fn not_shown(more: usize) -> String {
    if more > 1 { format!("{more} more are not shown") } else { "more are not shown".to_owned() }
}

/// Names what a token is, or that there is none.
pub(super) fn describe(kind: Option<Kind>, text: &str) -> String {
    let (article, noun) = named(kind, text);
    format!("{article}{noun}")
}

/// Names what a token is, after "unexpected".
pub(super) fn unexpected(kind: Option<Kind>, text: &str) -> String {
    named(kind, text).1
}

/// Returns what a token is called, and the article in front of it.
fn named(kind: Option<Kind>, text: &str) -> (&'static str, String) {
    let (article, noun) = match kind {
        None => ("the ", "end of the line"),
        Some(Kind::Text | Kind::OpenText | Kind::OpenBlock | Kind::SmartText) => ("a ", "string"),
        Some(Kind::Regex | Kind::OpenRegex) => ("a ", "regex"),
        Some(Kind::JsonPath | Kind::OpenJsonPath) => ("a ", "JSONPath"),
        Some(_) if text.chars().count() > 40 => ("", "more text"),
        Some(_) => return ("", format!("`{text}`")),
    };
    (article, noun.to_owned())
}

/// Names what the grammar stopped at: a word, or the end of the line where it is empty.
pub(super) fn stopped_at(word: &str) -> String {
    if word.is_empty() { "end of the line".to_owned() } else { format!("`{word}`") }
}

/// Forms of the language that several words make, and what is named with more than one.
pub(super) const NOT_EXISTS: &str = "not exists";
pub(super) const EXISTS_OPTION: &str = "exists option";
pub(super) const CONNECTS_UNDER: &str = "connects under";
pub(super) const CONNECTS_LIKE: &str = "connects like";
pub(super) const WRITES_LIKE: &str = "writes like";
pub(super) const WHEN_ONLY_RUNS: &str = "when only runs";
pub(super) const PATTERN: &str = "a command pattern";

/// What is asked of the words of a command, behind a `where`.
pub(super) const OF_WORDS: [&str; 6] =
    ["operands ", "args ", "all operands ", "all args ", "exists operands", "exists args"];

/// Operators in several words, as they are spoken, with ours; a longer one before what it begins with.
pub(super) const PHRASES: &[(&[&str], &str)] = &[
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
];

/// The same that take no value.
pub(super) const EMPTY_PHRASES: &[(&[&str], &str)] =
    &[(&["is", "not", "empty"], "!= \"\""), (&["is", "empty"], "== \"\"")];

/// A first word that other languages have for what a clause says.
pub(super) struct Foreign {
    /// The word.
    pub(super) word: &'static str,
    /// The clause that it means, where it is one word too.
    pub(super) ours: &'static str,
    /// What to write.
    pub(super) help: &'static str,
}

/// Keywords of programming languages.
pub(super) const KEYWORDS: &[Foreign] = &[
    foreign("if", "when", "write `when` and the condition"),
    foreign("elif", "", "write a second rule: all rules that match apply"),
    foreign("elsif", "", "write a second rule: all rules that match apply"),
    foreign("else", "", "write a second rule with `unless`: all rules that match apply"),
    foreign("then", "", "delete it: each effect has a line of its own"),
    foreign("switch", "", "write a rule for each case: all rules that match apply"),
    foreign("case", "", "write a rule for each case: all rules that match apply"),
    foreign("for", "", "delete it: a test is true when it holds for any of the values"),
    foreign("while", "", "delete it: a rule is evaluated once for each event"),
    foreign("return", "", "write the effect alone, such as `deny \"…\"`: it needs no `return`"),
    foreign("begin", "", "delete it: the `{` behind the name begins the rule"),
    foreign("end", "", "delete it: the `}` of the rule ends it"),
    foreign("endif", "", "delete it: a condition ends with its line"),
    foreign("fi", "", "delete it: a condition ends with its line"),
    foreign("done", "", "delete it: a condition ends with its line"),
    foreign("esac", "", "delete it: a condition ends with its line"),
];

/// What `return 403` and `return false` are.
pub(super) const RETURNED: &str = "write the effect: `deny \"…\"`";

/// Words of other policy languages.
pub(super) const CLAUSE_WORDS: &[Foreign] = &[
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

/// Words for options of an effect, with the effect: what people write as clauses, or behind the effect without braces.
pub(super) const OPTIONS: &[(&str, &str)] = &[
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

/// What options of effects are called elsewhere, with ours.
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

/// Returns the option that is meant by a word for it elsewhere.
#[must_use]
pub fn foreign_option(word: &str) -> Option<&'static str> {
    FOREIGN_OPTIONS.iter().find(|(foreign, _)| word.eq_ignore_ascii_case(foreign)).map(|(_, ours)| *ours)
}

const fn foreign(word: &'static str, ours: &'static str, help: &'static str) -> Foreign {
    Foreign { word, ours, help }
}

#[cfg(test)]
thread_local! {
    /// The rows that this thread has reported.
    pub(super) static REACHED: std::cell::RefCell<std::collections::BTreeSet<&'static str>> = const {
        std::cell::RefCell::new(std::collections::BTreeSet::new())
    };
}
