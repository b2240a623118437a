//! The syntax tree of a `.rules` file. Names are text here; `compile` resolves them.
//!
//! Spans are byte offsets into the file. Nothing is resolved, typed or defaulted here, so that `syntax::print` can
//! reproduce the text.

mod condition;
mod value;

pub use condition::{
    Compare, Condition, ConditionKind, Connective, FileFact, FileVerb, HostsTest, JsonPath, Operand, Operator, Pipes,
    Runs, Touches,
};
pub use value::{Element, Key, Map, MapEntry, Regex, Value, ValueKind};

use std::sync::Arc;

use crate::span::Span;

/// A whole file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Its items in source order.
    pub items: Vec<Item>,
    /// The names of items that could not be parsed and are not in the tree. They are reported already, so a reference
    /// to one is not another mistake. A `use` that could not be parsed is `*`: any name may come from it.
    pub unread: Vec<Name>,
    /// The number of its parts: words, marks, and their contents.
    pub parts: u64,
}

/// An item with its documentation and annotations.
#[derive(Clone, Debug)]
pub struct Item {
    /// The `##` lines directly above, without the marks.
    pub docs: Vec<String>,
    /// `@off`, `@severity(high)`, …
    pub annotations: Vec<Annotation>,
    /// The kind of item, with its contents.
    pub kind: ItemKind,
    /// From the keyword to the end.
    pub span: Span,
}

/// The kinds of items.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `use "std/git" …`
    Use(Use),
    /// `let NAME = VALUE`
    Let(Let),
    /// `def NAME = CONDITION`
    Def(Def),
    /// `rule NAME { … }`
    Rule(Rule),
    /// `test "…" { … }`
    Test(Test),
}

/// A name with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The text.
    pub text: String,
    /// The span.
    pub span: Span,
}

/// How a string is quoted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quote {
    /// `"…"` with escapes.
    Double,
    /// `'…'` raw.
    Raw,
    /// `"""…"""` dedented, with escapes.
    Block,
}

/// A string literal.
#[derive(Clone, Debug)]
pub struct Text {
    /// The decoded value: escapes resolved (`\{` is `{`), blocks dedented.
    pub value: String,
    /// Every unescaped `{name}` or `{name.name}` in the value, in order; empty for raw strings, and not after `$`. Only
    /// the strings of effects use them.
    pub placeholders: Vec<Placeholder>,
    /// The kind of quotes.
    pub quote: Quote,
    /// The span, including the quotes.
    pub span: Span,
}

/// A `{name}` inside a string literal.
#[derive(Clone, Debug)]
pub struct Placeholder {
    /// The byte range in [`Text::value`], braces included.
    pub range: std::ops::Range<usize>,
    /// The dotted name.
    pub name: FieldName,
}

/// `tool_input.file_path`.
#[derive(Clone, Debug)]
pub struct FieldName {
    /// One or more segments.
    pub segments: Vec<Name>,
    /// The span.
    pub span: Span,
}

impl FieldName {
    /// Returns the dotted text.
    #[must_use]
    pub fn text(&self) -> String {
        self.segments.iter().map(|segment| segment.text.as_str()).collect::<Vec<_>>().join(".")
    }

    /// Returns the only segment, if there is just one.
    #[must_use]
    pub fn single(&self) -> Option<&Name> {
        match self.segments.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// `@name(arg, …)`.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// Without the `@`.
    pub name: Name,
    /// The arguments in parentheses.
    pub args: Vec<AnnotationArg>,
    /// The span.
    pub span: Span,
}

/// An argument of an annotation.
#[derive(Clone, Debug)]
pub enum AnnotationArg {
    /// `high`
    Word(Name),
    /// `"the reason"`
    Text(Text),
}

/// `use STRING [except NAME, …] [with { … }]`.
#[derive(Clone, Debug)]
pub struct Use {
    /// `"std/git"` or `"./paths.rules"`.
    pub source: Text,
    /// The excluded rules.
    pub except: Vec<Name>,
    /// Replacements of the pack's `let`s.
    pub with: Option<Map>,
}

/// `let NAME = VALUE`.
#[derive(Clone, Debug)]
pub struct Let {
    /// The name.
    pub name: Name,
    /// The value.
    pub value: Value,
}

/// `def NAME = CONDITION`.
#[derive(Clone, Debug)]
pub struct Def {
    /// The name.
    pub name: Name,
    /// The condition.
    pub condition: Condition,
}

/// `rule NAME { clauses }`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The name.
    pub name: Name,
    /// In source order, including duplicates.
    pub clauses: Vec<Clause>,
    /// Whether a clause is missing because it could not be parsed. It is reported already, so a missing effect or `on`
    /// is not another mistake.
    pub broken: bool,
}

/// A clause of a rule.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The kind of clause, with its contents.
    pub kind: ClauseKind,
    /// The whole clause.
    pub span: Span,
}

/// The kinds of clauses.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// `on EVENT(SEL|…), …`
    On(Vec<EventHead>),
    /// `by SEL|…`
    By(Vec<Selector>),
    /// `when CONDITION`
    When(Condition),
    /// `unless CONDITION`
    Unless(Condition),
    /// `unknown deny|ask|ignore` (any word, checked later)
    Unknown(Name),
    /// `deny "…"`, `run …`, …
    Effect(Effect),
    /// `fires on …`, `quiet on …`, `unknown on …`
    Examples(ExampleKind, Arc<[Example]>),
}

/// One event of a head.
#[derive(Clone, Debug)]
pub struct EventHead {
    /// The event's name, or `*`.
    pub event: Name,
    /// The selectors in its parentheses; `None` without parentheses.
    pub selectors: Option<Vec<Selector>>,
    /// The span.
    pub span: Span,
}

/// A glob of a head.
#[derive(Clone, Debug)]
pub struct Selector {
    /// The text without `!` and quotes.
    pub glob: String,
    /// Whether it began with `!`.
    pub excludes: bool,
    /// The span.
    pub span: Span,
}

/// An effect clause. `compile` checks that the effect takes its options.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The kind of effect, with its arguments.
    pub kind: EffectKind,
    /// The `{ … }` after it.
    pub options: Option<Map>,
    /// The span of its verb.
    pub verb: Span,
}

/// The kinds of effects.
#[derive(Clone, Debug)]
pub enum EffectKind {
    /// `deny ["M"]`
    Deny(Option<Text>),
    /// `ask ["M"]`
    Ask(Option<Text>),
    /// `allow ["M"]`
    Allow(Option<Text>),
    /// `halt ["M"]`
    Halt(Option<Text>),
    /// `exit N ["M"]`; the code is `None` if it is missing, and the span is where it belongs.
    Exit(Option<i64>, Span, Option<Text>),
    /// `context ["M"]`
    Context(Option<Text>),
    /// `warn ["M"]`
    Warn(Option<Text>),
    /// `rewrite FIELD = V`
    RewriteSet(FieldName, Value),
    /// `rewrite FIELD replace /re/ with "T"`
    RewriteReplace(FieldName, Value, Text),
    /// `rewrite runs "P" to "Q"`
    RewriteRuns(Text, Text),
    /// `notify "TITLE" ["BODY"]`
    Notify(Text, Option<Text>),
    /// `run "shell"`
    RunShell(Text),
    /// `run ["argv", …]`
    RunArgv(Vec<Text>, Span),
    /// `record "FILE" { … }`: the fields are the options.
    Record(Text),
}

/// The claim of an example.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExampleKind {
    /// `fires on`
    Fires,
    /// `quiet on`
    Quiet,
    /// `unknown on`
    Unknown,
}

impl ExampleKind {
    /// Returns the keyword before `on`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Fires => "fires",
            Self::Quiet => "quiet",
            Self::Unknown => "unknown",
        }
    }
}

/// `[EVENT[(subject)] | TOOL] ["text"] [by "agent"] [with { … }] [{ … }]`.
#[derive(Clone, Debug)]
pub struct Example {
    /// The event or tool.
    pub head: Option<ExampleHead>,
    /// The main input.
    pub text: Option<Text>,
    /// The acting agent.
    pub by: Option<Name>,
    /// The stated facts.
    pub with: Option<Map>,
    /// The fields that are merged into the payload.
    pub fields: Option<Map>,
    /// The span.
    pub span: Span,
}

/// `Bash`, `Stop`, `SubagentStart(coder)`.
#[derive(Clone, Debug)]
pub struct ExampleHead {
    /// An event or a tool (`mcp__x__y` too).
    pub name: Name,
    /// The subject in parentheses.
    pub subject: Option<Name>,
}

/// `test "…" { given … expect … }`.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its description.
    pub name: Text,
    /// Pairs of `given` and `expect`, each a separate case.
    pub cases: Vec<Case>,
}

/// `given EXAMPLE` and `expect …`.
#[derive(Clone, Debug)]
pub struct Case {
    /// The input.
    pub given: Example,
    /// The expected results.
    pub expect: Expect,
}

/// `expect DECISION [by RULE, …] [message contains "…"] …`.
#[derive(Clone, Debug)]
pub struct Expect {
    /// `pass|allow|ask|deny|halt` (any word, checked later).
    pub decision: Name,
    /// Rules that must be among those with the winning vote.
    pub by: Vec<Name>,
    /// `message contains "…"`
    pub message: Vec<Text>,
    /// `context contains "…"`
    pub context: Vec<Text>,
    /// `rewrites FIELD to V`
    pub rewrites: Vec<(FieldName, Value)>,
    /// `run "…"`
    pub run: Vec<Text>,
}
