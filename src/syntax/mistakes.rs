//! The texts about the mistakes in a policy: the table of mistakes, and the words inserted into it.
//!
//! The code that finds a mistake selects a row of the table and passes parts of the source text; it contains no
//! sentences.

use super::token::TokenKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;

/// Creates an enum with a variant for each row, and the texts of each. A placeholder is a field of its row, so a text
/// cannot name one that does not exist, and none is unused.
macro_rules! mistakes {
    ($($name:ident { $($field:ident),* } $code:ident $message:literal, $label:literal, $help:literal;)*) => {
        /// A mistake in a policy's text, with the values of its placeholders.
        #[derive(Clone, Copy, Debug)]
        pub(in crate::syntax) enum SyntaxMistake<'a> {
            $($name { $($field: &'a str),* },)*
        }

        impl SyntaxMistake<'_> {
            /// Creates the diagnostic for the mistake at a span.
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

pub(super) mod clock;
#[macro_use]
mod effects;
pub(super) mod elsewhere;
pub mod foreign_values;
pub(super) mod forms;
pub(super) mod languages;
mod selectors;
mod sentences;
pub(super) mod unresolved;
mod vocabulary;

#[cfg(test)]
pub(super) use sentences::NAMES;
pub(super) use sentences::SyntaxMistake;
pub use vocabulary::path_after_variable;
pub(super) use vocabulary::{OPTIONS, ROOTS};

/// The label at the closing quote of an earlier string that ended where its author did not expect it.
pub(super) const STRING_ENDS: &str = "the string ends here";
/// The label at a further unknown escape of the same string.
pub(super) const ANOTHER_ESCAPE: &str = "nor this";

impl SyntaxMistake<'_> {
    /// Creates the diagnostic for an unclosed opening bracket, and marks its label as open: a mistake that is found
    /// later in the text may be the cause.
    pub(super) fn at_opener(self, span: Span) -> Diagnostic {
        let mut diagnostic = self.at(span);
        diagnostic.labels.iter_mut().for_each(|label| label.is_open = true);
        diagnostic
    }
}

/// A complete part of a policy, after which unexpected text was found.
#[derive(Clone, Copy)]
pub(super) enum CompletePart {
    /// A single event of an `on` clause.
    Event,
    /// The list of events of an `on` clause.
    Events,
    /// The selectors after `by`.
    Agents,
    /// The condition after `when` or `unless`, or of a `def`.
    Condition,
    /// The vote after `unknown`.
    Vote,
    /// The list of examples after `fires on`.
    Examples,
    /// A single example, as after `given`.
    Example,
    /// An effect with its options.
    Effect,
    /// All clauses of a rule.
    Clauses,
    /// All items of a file.
    Items,
    /// The value of a `let`.
    Value,
    /// A `use` item.
    Use,
    /// An annotation with its arguments.
    Annotation,
    /// The name after `rule`.
    RuleName,
    /// The name after `test`.
    TestName,
    /// The name after `mark`.
    MarkName,
}

impl CompletePart {
    /// Returns the name of the part in a message.
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
            Self::MarkName => "the name of the mark",
        }
    }
}

/// A string that a clause or item requires, for the message that it is missing.
#[derive(Clone, Copy)]
pub(super) struct RequiredString<'a> {
    /// The name of the string, with its article: `a title`.
    pub(super) what: &'a str,
    /// The form of the whole clause or item: `notify "title" "text"`.
    pub(super) form: &'a str,
}

impl RequiredString<'static> {
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

impl<'a> RequiredString<'a> {
    /// Returns the requirement of an effect's message.
    pub(super) fn for_message(form: &'a str) -> Self {
        Self { what: "the message", form }
    }

    /// Returns the requirement of the text after `contains` in an expectation.
    pub(super) fn for_expected_text(form: &'a str) -> Self {
        Self { what: "a text", form }
    }
}

/// The form of a list of events, for messages.
pub(super) const EVENTS_FORM: &str = "PreToolUse, Stop";

/// The form of an expected rewrite, for messages.
pub(super) const REWRITES_FORM: &str = "rewrites command to \"…\"";

/// Returns the form of the clause or item with a keyword, for messages; the form of `deny` for any other word.
pub(super) fn keyword_form(word: &str) -> &'static str {
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
        "mark" => "mark name {",
        "def" => "def name = condition",
        "given" => "given TOOL \"text\" by \"agent\" with { fact: value } { field: value }",
        "expect" => "expect deny by RULE message contains \"text\"",
        "rule" => "rule a-name {",
        "test" => "test \"what it shows\" {",
        _ => "deny \"message\"",
    }
}

/// Returns an example of a `let` or `def`, for messages.
pub(super) fn definition_form(keyword: &str) -> &'static str {
    if keyword == "let" { "let name = \"…\"" } else { "def name = git.branch == \"main\"" }
}

/// Returns the note that further mistakes are not shown, with their number if it is more than one.
pub(super) fn omitted_mistakes_note(more: usize) -> String {
    if more > 1 { format!("{more} more are not shown") } else { "more are not shown".to_owned() }
}

/// Describes a token for a message, with its article: `a string`; without a token, `the end of the line`.
pub(super) fn describe_token(kind: Option<TokenKind>, text: &str) -> String {
    let (article, noun) = token_noun(kind, text);
    format!("{article}{noun}")
}

/// Describes a token without an article, for a message that begins with "unexpected".
pub(super) fn describe_unexpected_token(kind: Option<TokenKind>, text: &str) -> String {
    token_noun(kind, text).1
}

/// Returns the article of a token, with a space after it, and its noun; a short word or sign is quoted and has no
/// article.
fn token_noun(kind: Option<TokenKind>, text: &str) -> (&'static str, String) {
    let (article, noun) = match kind {
        None => ("the ", "end of the line"),
        Some(TokenKind::Text | TokenKind::UnclosedText | TokenKind::UnclosedBlock | TokenKind::TypographicText) => {
            ("a ", "string")
        }
        Some(TokenKind::Regex | TokenKind::UnclosedRegex) => ("a ", "regex"),
        Some(TokenKind::JsonPath | TokenKind::UnclosedJsonPath) => ("a ", "JSONPath"),
        Some(_) if text.chars().count() > 40 => ("", "more text"),
        Some(_) => return ("", format!("`{text}`")),
    };
    (article, noun.to_owned())
}

/// Describes the word at which the grammar stopped, quoted; an empty word is the end of the line.
pub(super) fn describe_stop(word: &str) -> String {
    if word.is_empty() { "end of the line".to_owned() } else { format!("`{word}`") }
}

/// Forms of several words, which are inserted into messages.
pub(super) const NOT_EXISTS: &str = "not exists";
pub(super) const LAST_OPERAND: &str = "last operand";
pub(super) const SIZE_OF_FILE: &str = "file_size path";
pub(super) const EXISTS_OPTION: &str = "exists option";
/// The noun for the value of a command's option.
pub(super) const OPTION: &str = "option";
pub(super) const CONNECTS_UNDER: &str = "connects under";
pub(super) const CONNECTS_LIKE: &str = "connects like";
pub(super) const WRITES_LIKE: &str = "writes like";
pub(super) const WHEN_ONLY_RUNS: &str = "when only runs";
/// The noun for the string after `runs`.
pub(super) const PATTERN: &str = "a command pattern";

/// The beginnings of the tests after `where` that concern a command's words: `operands …`, `exists args`.
pub(super) const WORD_TEST_PREFIXES: [&str; 6] =
    ["operands ", "args ", "all operands ", "all args ", "exists operands", "exists args"];

#[cfg(test)]
thread_local! {
    /// The rows that this thread has reported.
    pub(super) static REACHED: std::cell::RefCell<std::collections::BTreeSet<&'static str>> = const {
        std::cell::RefCell::new(std::collections::BTreeSet::new())
    };
}
