//! The syntax tree of a `.rules` file. Names are text here; `compile` resolves them.
//!
//! Spans are byte offsets into the file. Nothing is resolved, typed or given a default value here, so that
//! `syntax::print` can reproduce the text.

mod condition;
mod value;

pub use condition::{
    AstComparison, AstCondition, AstMeasure, ConditionKind, Connective, FileFact, FileVerb, HostsTest, JsonPathLiteral,
    Operand, OperandPosition, Operator, PastActor, PastEvents, PipesCondition, RunsCondition, TouchesCondition,
};
pub use value::{AstElement, AstValue, MapEntry, MapKey, MapLiteral, RegexLiteral, ValueKind};

use std::sync::Arc;

use crate::span::Span;

/// The syntax tree of a whole file.
#[derive(Clone, Debug, Default)]
pub struct AstFile {
    /// Its items in source order.
    pub items: Vec<Item>,
    /// The names of items that could not be parsed and are not in the tree. Their mistakes are already reported, so a
    /// reference to such a name is not reported again. A `use` that could not be parsed adds `*`: any name may come
    /// from it.
    pub unparsed_names: Vec<Name>,
    /// The size of the file in parts, the unit of [`LayerLimits::parts`](crate::limits::LayerLimits::parts).
    pub parts: u64,
}

/// An item with its documentation and annotations.
#[derive(Clone, Debug)]
pub struct Item {
    /// The `##` lines directly above the item, without the `##`.
    pub docs: Vec<String>,
    /// `@off`, `@severity(high)`, …
    pub annotations: Vec<Annotation>,
    /// The kind of item, with its contents.
    pub kind: ItemKind,
    /// From the keyword (`rule`) to the end of the item, without its documentation and annotations.
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
    /// `rule NAME { … }`, `mark NAME { … }`
    Rule(AstRule),
    /// `test "…" { … }`
    Test(AstTest),
}

/// A name with its span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name, without quotes if it is quoted.
    pub text: String,
    /// Its position in the file, including quotes.
    pub span: Span,
}

/// The style of a string's quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuoteStyle {
    /// `"…"` with escapes.
    Double,
    /// `'…'` raw.
    Raw,
    /// `"""…"""` on several lines, whose common indentation is removed, with escapes.
    Block,
}

/// A string literal.
#[derive(Clone, Debug)]
pub struct StringLiteral {
    /// The decoded value: escapes resolved (`\{` is `{`), blocks dedented.
    pub value: String,
    /// Every unescaped `{name}` or `{name.name}` in the value, in order; empty for raw strings. A brace after `$`, as
    /// in `${name}`, is not a placeholder. Only the strings of effects use them.
    pub placeholders: Vec<Placeholder>,
    /// The kind of quotes.
    pub quote: QuoteStyle,
    /// The span, including the quotes.
    pub span: Span,
}

/// The reference to a rule after `expect … by`.
#[derive(Clone, Debug)]
pub enum RuleReference {
    /// Without quotes: `std/git/no-force-push`, `./api/no-push`.
    Name(Name),
    /// In quotes, if a directory in its path has characters that a bare name cannot have: `"./@acme/ui/no-push"`.
    Text(StringLiteral),
}

impl RuleReference {
    /// Returns the name or path of the rule.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Name(name) => &name.text,
            Self::Text(text) => &text.value,
        }
    }

    /// Returns the span, including the quotes.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Name(name) => name.span,
            Self::Text(text) => text.span,
        }
    }
}

/// A `{name}` inside a string literal.
#[derive(Clone, Debug)]
pub struct Placeholder {
    /// The byte range in [`StringLiteral::value`], braces included.
    pub range: std::ops::Range<usize>,
    /// The dotted name.
    pub name: FieldName,
    /// The events of `{count NAME of F since N within 10m}`, the number of events that the mark NAME remembers; `None`
    /// without `count`. If there is no such mark, the braces are literal text.
    pub counted: Option<Box<PastEvents>>,
}

/// A dotted name: `tool_input.file_path`.
#[derive(Clone, Debug)]
pub struct FieldName {
    /// The names between the dots, at least one.
    pub segments: Vec<Name>,
    /// From the first segment to the last.
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
    pub fn as_single_name(&self) -> Option<&Name> {
        match self.segments.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// An annotation of an item: `@name(arg, …)`.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The name without the `@`.
    pub name: Name,
    /// The arguments in parentheses.
    pub args: Vec<AnnotationArg>,
    /// From the `@` to the closing parenthesis.
    pub span: Span,
}

/// An argument of an annotation.
#[derive(Clone, Debug)]
pub enum AnnotationArg {
    /// A bare word: `high`.
    Word(Name),
    /// A string: `"the reason"`.
    Text(StringLiteral),
}

/// An exception of a `use`, which leaves out a rule or narrows it: `NAME [where C | when C]`.
#[derive(Clone, Debug)]
pub struct Exception {
    /// The name of the rule.
    pub rule: Name,
    /// What the imported rule no longer applies to; `None` if the rule is not imported at all.
    pub narrowing: Option<ExceptionNarrowing>,
}

/// The commands or events to which an imported rule does not apply.
#[derive(Clone, Debug)]
pub enum ExceptionNarrowing {
    /// `where C`: the commands for which C holds.
    Where(AstCondition),
    /// `when C`: the events for which C holds.
    When(AstCondition),
}

impl ExceptionNarrowing {
    /// Returns the condition.
    #[must_use]
    pub fn condition(&self) -> &AstCondition {
        let (Self::Where(condition) | Self::When(condition)) = self;
        condition
    }

    /// Returns the word in front of the condition.
    #[must_use]
    pub fn keyword(&self) -> &'static str {
        match self {
            Self::Where(_) => "where",
            Self::When(_) => "when",
        }
    }
}

/// `use STRING [except NAME [where C | when C], …] [with { … }]`.
#[derive(Clone, Debug)]
pub struct Use {
    /// The pack or file: `"std/git"` or `"./paths.rules"`.
    pub source: StringLiteral,
    /// The rules that are not imported, or only in part.
    pub except: Vec<Exception>,
    /// New values for `let`s of the imported policy.
    pub with: Option<MapLiteral>,
}

/// `let NAME = VALUE`.
#[derive(Clone, Debug)]
pub struct Let {
    /// The name that it defines.
    pub name: Name,
    /// The value after `=`.
    pub value: AstValue,
}

/// `def NAME = CONDITION`.
#[derive(Clone, Debug)]
pub struct Def {
    /// The name that it defines.
    pub name: Name,
    /// The condition after `=`.
    pub condition: AstCondition,
}

/// The kinds of items that consist of clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuleItemKind {
    /// `rule`
    Rule,
    /// `mark`
    Mark,
}

impl RuleItemKind {
    /// Returns the keyword.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Mark => "mark",
        }
    }
}

/// `rule NAME { clauses }`, `mark NAME { clauses }`.
#[derive(Clone, Debug)]
pub struct AstRule {
    /// Whether it is a rule or a mark.
    pub kind: RuleItemKind,
    /// The name.
    pub name: Name,
    /// The clauses in source order, including duplicates.
    pub clauses: Vec<Clause>,
    /// Whether a clause is missing because it could not be parsed. Its mistake is already reported, so a missing
    /// effect or `on` is not reported again.
    pub has_unparsed_clause: bool,
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
    /// `on EVENT(SEL|…), …`: SEL is a glob for tools or agents.
    On(Vec<EventHead>),
    /// `by SEL|…`
    By(Vec<Selector>),
    /// `when CONDITION`
    When(AstCondition),
    /// `unless CONDITION`
    Unless(AstCondition),
    /// `unknown deny|ask|ignore`; the word is checked by `compile`.
    Unknown(Name),
    /// `key F`: the value by which a mark distinguishes its events.
    Key(Operand),
    /// `deny "…"`, `run …`, …
    Effect(AstEffect),
    /// `fires on …`, `quiet on …`, `unknown on …`
    Examples(ExampleKind, Arc<[Example]>),
}

/// One event of an `on` clause, with its selectors: `PreToolUse(Bash|Edit)`.
#[derive(Clone, Debug)]
pub struct EventHead {
    /// The event's name, or `*`.
    pub event: Name,
    /// The selectors in its parentheses; `None` without parentheses.
    pub selectors: Option<Vec<Selector>>,
    /// From the event's name to the closing parenthesis.
    pub span: Span,
}

/// A glob that selects tools or agents, in an `on` or `by` clause: `mcp__*`, `!reviewer`.
#[derive(Clone, Debug)]
pub struct Selector {
    /// The text without `!` and quotes.
    pub glob: String,
    /// Whether a `!` precedes it.
    pub excludes: bool,
    /// The selector, including `!` and quotes.
    pub span: Span,
}

/// An effect clause: `run "make" { timeout: 30s }`. `compile` checks which options the effect accepts.
#[derive(Clone, Debug)]
pub struct AstEffect {
    /// The kind of effect, with its arguments.
    pub kind: EffectKind,
    /// The map `{ … }` after the effect.
    pub options: Option<MapLiteral>,
    /// The span of the effect's keyword.
    pub verb: Span,
}

/// The kinds of effects. `M` is a message, `N` a number, `V` a value.
#[derive(Clone, Debug)]
pub enum EffectKind {
    /// `deny ["M"]`
    Deny(Option<StringLiteral>),
    /// `ask ["M"]`
    Ask(Option<StringLiteral>),
    /// `allow ["M"]`
    Allow(Option<StringLiteral>),
    /// `halt ["M"]`
    Halt(Option<StringLiteral>),
    /// `exit N ["M"]`: the code, its span, and the message. The code is `None` if it is missing; the span is then the
    /// position where it belongs.
    Exit(Option<i64>, Span, Option<StringLiteral>),
    /// `context ["M"]`
    Context(Option<StringLiteral>),
    /// `warn ["M"]`
    Warn(Option<StringLiteral>),
    /// `rewrite FIELD = V`
    RewriteSet(FieldName, AstValue),
    /// `rewrite FIELD replace /re/ with "T"`
    RewriteReplace(FieldName, AstValue, StringLiteral),
    /// `rewrite runs "P" to "Q"`: commands that match the pattern P get the words Q.
    RewriteRuns(StringLiteral, StringLiteral),
    /// `notify "TITLE" ["BODY"]`
    Notify(StringLiteral, Option<StringLiteral>),
    /// `run "shell"`
    RunShell(StringLiteral),
    /// `run ["argv", …]`, with the span of the list.
    RunArgv(Vec<StringLiteral>, Span),
    /// `record "FILE" { … }`; the recorded fields are in the options of the effect.
    Record(StringLiteral),
}

/// The result that an example expects from its rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExampleKind {
    /// `fires on`: the rule matches.
    Fires,
    /// `quiet on`: the rule does not match.
    Quiet,
    /// `unknown on`: it cannot be determined whether the rule matches.
    Unknown,
}

impl ExampleKind {
    /// Returns the keyword before `on`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Fires => "fires",
            Self::Quiet => "quiet",
            Self::Unknown => "unknown",
        }
    }
}

/// A call or another event in an example or a `given`: `[EVENT[(subject)] | TOOL] ["text"] [by "agent"] [on HOST]
/// [with { … }] [{ … }]`.
#[derive(Clone, Debug)]
pub struct Example {
    /// The event or tool: `Bash`, `SubagentStart(coder)`.
    pub head: Option<ExampleHead>,
    /// The main input of the event, such as the command of `Bash`.
    pub text: Option<StringLiteral>,
    /// The agent that acts.
    pub by: Option<Name>,
    /// The host that sends the event, after `on`; `examples` checks the name.
    pub host: Option<Name>,
    /// The facts that are given after `with`: `{ git.branch: "main" }`.
    pub with: Option<MapLiteral>,
    /// The fields that are merged into the payload.
    pub fields: Option<MapLiteral>,
    /// The earlier steps of its session: `after [ … ]`.
    pub after: Option<Vec<SessionStep>>,
    /// From the head to the last of these parts.
    pub span: Span,
}

/// A step of a session: an event, or the time until the next one.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all steps are calls")]
pub enum SessionStep {
    /// An event, such as a call, and perhaps how the call ended.
    Call(PastCall),
    /// `wait 11m`; the value is a duration, which `examples` checks.
    Wait(AstValue),
}

/// An event in the history of a session: `Bash "npm test" done`.
#[derive(Clone, Debug)]
pub struct PastCall {
    /// How many times it happened, with the span of the number; `None` means once.
    pub times: Option<(u32, Span)>,
    /// The call, or another event.
    pub call: Example,
    /// How the call ended: `done`, `failed`, `approved` or `refused`.
    pub end: Option<Name>,
}

/// The event or tool of an example: `Bash`, `Stop`, `SubagentStart(coder)`.
#[derive(Clone, Debug)]
pub struct ExampleHead {
    /// The name of an event or a tool, also of an MCP tool (`mcp__x__y`).
    pub name: Name,
    /// The subject in parentheses.
    pub subject: Option<Name>,
}

/// A `test` block: `test "…" { given … expect … }`.
#[derive(Clone, Debug)]
pub struct AstTest {
    /// Its description.
    pub name: StringLiteral,
    /// The cases: each is a `given` with its `expect`, and is judged separately.
    pub cases: Vec<TestCase>,
}

/// A case of a test: `given EXAMPLE` and `expect …`, perhaps with further steps of the session between them.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// Whether it continues the session of the previous case: it then begins with `then` or `wait`, not with `given`.
    pub is_continued: bool,
    /// The steps on the lines of this case, up to the judged event.
    pub earlier: Vec<SessionStep>,
    /// The steps before `earlier`: those of the previous cases whose session this one continues.
    pub session: Arc<[SessionStep]>,
    /// The event that is judged.
    pub given: Example,
    /// The expected results.
    pub expect: Expectation,
}

impl TestCase {
    /// Returns all steps of the session before the judged event.
    pub fn steps(&self) -> impl Iterator<Item = &SessionStep> {
        self.session.iter().chain(&self.earlier)
    }

    /// Sets the `session` of each case: the steps of the cases before it that it continues.
    pub(crate) fn join_sessions(cases: &mut [Self]) {
        let mut session: Vec<SessionStep> = Vec::new();
        for case in cases {
            if !case.is_continued {
                session.clear();
            }
            case.session = session.as_slice().into();
            session.extend(case.earlier.iter().cloned());
            session.push(SessionStep::Call(PastCall { times: None, call: case.given.clone(), end: None }));
        }
    }
}

/// `expect DECISION [by RULE, …] [sends ANSWER] [message contains "…"] …`.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The expected decision, `pass|allow|ask|deny|halt`; the word is checked by `compile`.
    pub decision: Name,
    /// Rules that must be among the rules whose vote decided.
    pub by: Vec<RuleReference>,
    /// The answers that the call's host must be sent; `examples` defines their names.
    pub sends: Vec<Name>,
    /// Texts that the message must contain: `message contains "…"`.
    pub message: Vec<StringLiteral>,
    /// Texts that the context must contain: `context contains "…"`.
    pub context: Vec<StringLiteral>,
    /// Fields and their expected values after rewriting: `rewrites FIELD to V`.
    pub rewrites: Vec<(FieldName, AstValue)>,
    /// Commands that must be run: `run "…"`.
    pub run: Vec<StringLiteral>,
}
