//! The source form of tests: the spans of the operator and the values, so that a finding can point at each and replace
//! it.
//!
//! A compiled test has only one span for the whole, so the source text of a reported test is parsed again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use regex_syntax::hir::Hir;

use super::alternatives::split_group;
use crate::layer::LoadedFile;
use crate::policy::PolicyLayer;
use crate::ruleset::{CommandTest, Condition, ConditionExpr, Patterns, Rule};
use crate::span::{FileId, Sources, Span};
use crate::syntax::ast::{self, AstElement, ConditionKind, ItemKind, Operator, ValueKind};
use crate::syntax::parse;
use hookrules_shell::glob::Fit;
use hookrules_shell::path::Roots;
use hookrules_shell::pattern::{RunnerCall, TestedCommand, words};
use hookrules_shell::{Analysis, Pattern, StartDirectories, analyse};

/// The text that makes a test parse on its own: a test is not an item of a file, but a definition is.
const DEF_PREFIX: &str = "def x = ";

/// The source texts of a policy, with a cache of parsed regexes.
pub(super) struct SourceTexts<'s> {
    sources: &'s Sources,
    /// The parsed regexes by pattern, because many rules may use the same `def` or `let`; `None` for an invalid
    /// pattern.
    regexes: RefCell<BTreeMap<String, Option<Rc<Hir>>>>,
    /// The literal patterns of the tests of commands, by the spans of the tests.
    patterns: RefCell<BTreeMap<Span, Rc<[SpannedText]>>>,
    /// The texts that `use … with` gives to the files that it uses, such as packs.
    given: Rc<[SpannedText]>,
}

/// The source form of a comparison: `[all] OPERAND [not] OPERATOR VALUE`, or `VERB OPERATOR VALUE` for a test of
/// files.
pub(super) struct SourceComparison {
    /// The source text of the operand.
    pub(super) operand: String,
    /// The operator, without its `not`.
    pub(super) operator: Operator,
    pub(super) operator_span: Span,
    /// The span of the value: a text, a list, a name or a regex.
    pub(super) value: Span,
    /// The string literals that the value consists of; `None` if it contains anything else.
    pub(super) texts: Option<Vec<SpannedText>>,
    /// If the value is a name, the texts that a `use … with` may have given to it.
    given: Rc<[SpannedText]>,
    /// The value if it is a regex.
    pub(super) regex: Option<RegexSource>,
    /// Whether `all` precedes the operand.
    pub(super) all: bool,
    /// Whether the operator is `!=`, or is negated by `not`.
    pub(super) negated: bool,
}

/// A string literal, and its span with the quotes.
pub(super) struct SpannedText {
    pub(super) text: String,
    pub(super) span: Span,
}

/// A regex literal, as its parts.
pub(super) struct RegexSource {
    /// The pattern without its slashes, as it is in the source.
    pub(super) pattern: String,
    pub(super) pattern_span: Span,
    /// The flags after the second slash.
    pub(super) flags: String,
}

/// A test in the conditions of a rule, and where it is.
#[derive(Clone, Copy)]
pub(super) struct RuleTest<'c> {
    pub(super) test: &'c Condition,
    /// Whether an odd number of `not` and `unless` apply to the test, so that it keeps the rule from matching.
    pub(super) is_exception: bool,
    /// If the test is in the `where` of a `runs`, the patterns of that `runs`.
    pub(super) filtered_patterns: Option<&'c Patterns>,
    /// Whether the test is in a `def`, which other rules may use too.
    pub(super) is_shared: bool,
    /// Whether the test is in an exception of a `use`, so that the patterns are those of the rule that is used.
    pub(super) is_of_use: bool,
}

/// What happens to a call for which a test is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MatchEffect {
    /// The rule stops the call, or asks about it.
    Stops,
    /// The rule lets the call through: by an `allow`, or because the test is an exception of a guard.
    LetsThrough,
}

impl RuleTest<'_> {
    /// Returns what happens to a call for which the comparison, without its `not`, is true. `None` if the test is no
    /// comparison, or if the rule neither allows nor blocks.
    pub(super) fn match_effect(&self, rule: &Rule) -> Option<MatchEffect> {
        let ConditionExpr::Compare { negated, .. } = &self.test.kind else { return None };
        let is_required = self.is_exception == *negated;
        (rule.can_allow || rule.can_block).then_some(if is_required == rule.can_allow {
            MatchEffect::LetsThrough
        } else {
            MatchEffect::Stops
        })
    }
}

/// Where a part of a condition is; the fields are as in [`RuleTest`].
#[derive(Clone, Copy)]
struct TestContext<'c> {
    is_exception: bool,
    commands: Option<&'c Patterns>,
    is_shared: bool,
    is_of_use: bool,
}

impl<'s> SourceTexts<'s> {
    pub(super) fn new(sources: &'s Sources) -> Self {
        Self { sources, regexes: RefCell::default(), patterns: RefCell::default(), given: Rc::default() }
    }

    /// Adds the texts that the `use … with` of these layers give: a test of a pack has them by the name of a `let`.
    pub(super) fn with_given(mut self, layers: &[PolicyLayer]) -> Self {
        let files = layers.iter().flat_map(|layer| &layer.files).filter(|file| file.pack.is_none());
        let uses = files.flat_map(LoadedFile::loaded_uses);
        let entries = uses.flat_map(|(used, _)| used.with.iter().flat_map(|map| &map.entries));
        let values = entries.filter_map(|entry| entry.value.as_ref());
        self.given = values.flat_map(given_texts).collect();
        self
    }

    /// Returns the source text at a span.
    pub(super) fn text(&self, span: Span) -> &'s str {
        self.sources.file(span).map_or("", |file| file.slice(span))
    }

    /// Whether a `not` precedes the test at a span, directly or before parentheses that contain only the test.
    pub(super) fn is_after_not(&self, span: Span) -> bool {
        let text = self.sources.file(span).map_or("", |file| &file.text);
        let text_before = text.get(..span.start as usize).unwrap_or_default();
        let text_after = text.get(span.end as usize..).unwrap_or_default();
        let before = text_before.trim_end_matches(|c: char| c == '(' || c.is_whitespace());
        let opening_count = text_before.get(before.len()..).unwrap_or_default().matches('(').count();
        let is_closing = |c: char| c == ')' || c.is_whitespace();
        let rest = text_after.trim_start_matches(is_closing);
        let closing_count = text_after.get(..text_after.len() - rest.len()).unwrap_or_default().matches(')').count();
        closing_count >= opening_count
            && before.strip_suffix("not").is_some_and(|rest| rest.ends_with(|c: char| c == '(' || c.is_whitespace()))
    }

    /// Returns the source form of a comparison; `None` if the test is not a comparison or a test of files.
    pub(super) fn comparison(&self, test: &Condition) -> Option<SourceComparison> {
        let mut scratch = Sources::default();
        let id = scratch.add("", None, format!("{DEF_PREFIX}{}\n", self.text(test.span)));
        let (file, _) = parse(scratch.file_by_id(id)?);
        let item = file.items.into_iter().next()?;
        let ItemKind::Def(def) = item.kind else { return None };
        let start = test.span.start as usize;
        let original_span = |span: Span| shift_span(span, test.span.file, test.span.start);
        let (operand_span, operator, operator_span, value, all, negated) = match def.condition.kind {
            ConditionKind::Compare(compare) => {
                let negated = compare.is_negated();
                let operand = original_span(compare.operand.span());
                (operand, compare.operator, original_span(compare.operator_span), compare.value, compare.all, negated)
            }
            ConditionKind::Touches(touches) => {
                let verb = Span::new(test.span.file, start, start + touches.verb.keyword().len());
                let word = touches.operator.as_str();
                let operator_start = start + self.text(test.span).find(word)?;
                let operator = Span::new(test.span.file, operator_start, operator_start + word.len());
                (verb, touches.operator, operator, touches.value, false, false)
            }
            _ => return None,
        };
        let texts = collect_texts(&value, &original_span);
        let regex = match &value.kind {
            ValueKind::Regex(regex) => Some(RegexSource {
                pattern: regex.pattern.clone(),
                pattern_span: original_span(regex.pattern_span),
                flags: regex.flags.clone(),
            }),
            _ => None,
        };
        let is_name = matches!(value.kind, ValueKind::Name(_));
        let value = original_span(value.span);
        let operand = self.text(operand_span).to_owned();
        let given = if is_name { Rc::clone(&self.given) } else { Rc::default() };
        Some(SourceComparison { operand, operator, operator_span, value, texts, given, regex, all, negated })
    }

    /// Returns the patterns that are string literals in a test of commands, in order; patterns from a `let` are left
    /// out. They are kept, because lints ask about each pattern of a list.
    pub(super) fn patterns(&self, test: &Condition) -> Rc<[SpannedText]> {
        Rc::clone(self.patterns.borrow_mut().entry(test.span).or_insert_with(|| self.parsed_patterns(test).into()))
    }

    fn parsed_patterns(&self, test: &Condition) -> Vec<SpannedText> {
        let mut scratch = Sources::default();
        let id = scratch.add("", None, format!("{DEF_PREFIX}{}\n", self.text(test.span)));
        let Some(item) = scratch.file_by_id(id).and_then(|source| parse(source).0.items.into_iter().next()) else {
            return Vec::new();
        };
        let ItemKind::Def(def) = item.kind else { return Vec::new() };
        let original_span = |span: Span| shift_span(span, test.span.file, test.span.start);
        let literals = |value: &ast::AstValue| match &value.kind {
            ValueKind::List(elements) => elements
                .iter()
                .filter_map(|element| match element {
                    AstElement::Value(value) => collect_texts(value, &original_span),
                    AstElement::Spread(_) => None,
                })
                .flatten()
                .collect(),
            _ => collect_texts(value, &original_span).unwrap_or_default(),
        };
        match &def.condition.kind {
            ConditionKind::Runs(runs) => literals(&runs.patterns),
            ConditionKind::Pipes(pipes) => literals(&pipes.from).into_iter().chain(literals(&pipes.into)).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the span of a pattern in a test of commands; `None` unless the test contains it exactly once as a
    /// string literal.
    pub(super) fn pattern_span(&self, test: &Condition, text: &str) -> Option<Span> {
        let literals = self.patterns(test);
        let mut occurrences = literals.iter().filter(|written| written.text == text);
        let first = occurrences.next()?.span;
        occurrences.next().is_none().then_some(first)
    }

    /// Returns the syntax tree of a regex; `None` if it cannot be parsed.
    pub(super) fn regex(&self, pattern: &str) -> Option<Rc<Hir>> {
        let mut known = self.regexes.borrow_mut();
        if let Some(hir) = known.get(pattern) {
            return hir.clone();
        }
        let parsed = regex_syntax::parse(pattern).ok().map(Rc::new);
        known.insert(pattern.to_owned(), parsed.clone());
        parsed
    }
}

/// Whether a text parses as a condition, which every proposed replacement must.
pub(super) fn is_condition(text: &str) -> bool {
    let mut scratch = Sources::default();
    let id = scratch.add("", None, format!("{DEF_PREFIX}{text}\n"));
    scratch.file_by_id(id).is_some_and(|source| parse(source).1.is_empty())
}

/// Converts a span in a test that was parsed on its own to the span in the file of the test.
fn shift_span(span: Span, file: FileId, start: u32) -> Span {
    let original_offset = |offset: u32| (offset as usize).saturating_sub(DEF_PREFIX.len()) + start as usize;
    Span::new(file, original_offset(span.start), original_offset(span.end))
}

/// Returns the string literals of a value that is one, or a list of them; `None` for any other value.
fn collect_texts(value: &ast::AstValue, original_span: &impl Fn(Span) -> Span) -> Option<Vec<SpannedText>> {
    let literal = |value: &ast::AstValue| match &value.kind {
        ValueKind::Text(text) => Some(SpannedText { text: text.value.clone(), span: original_span(text.span) }),
        _ => None,
    };
    match &value.kind {
        ValueKind::List(elements) => {
            let literal_element = |element: &AstElement| match element {
                AstElement::Value(value) => literal(value),
                AstElement::Spread(_) => None,
            };
            elements.iter().map(literal_element).collect()
        }
        _ => literal(value).map(|text| vec![text]),
    }
}

/// Returns the string literals of a value that a `use … with` gives: one, or those of a list, which may also have
/// another list in it.
fn given_texts(value: &ast::AstValue) -> Vec<SpannedText> {
    match &value.kind {
        ValueKind::List(elements) => elements
            .iter()
            .filter_map(|element| match element {
                AstElement::Value(value) => collect_texts(value, &|span| span),
                AstElement::Spread(_) => None,
            })
            .flatten()
            .collect(),
        _ => collect_texts(value, &|span| span).unwrap_or_default(),
    }
}

impl SourceComparison {
    /// Returns the span of a text in the value; `None` unless the value contains it exactly once.
    pub(super) fn text_span(&self, text: &str) -> Option<Span> {
        let texts = self.texts.as_deref().unwrap_or(&self.given);
        let mut occurrences = texts.iter().filter(|written| written.text == text);
        let first = occurrences.next()?;
        occurrences.next().is_none().then_some(first.span)
    }

    /// Returns the span from the operator to the end of the value.
    pub(super) fn operator_and_value_span(&self) -> Span {
        self.operator_span.joined_with(self.value)
    }

    /// Returns `not ` if the comparison is negated, else an empty text.
    pub(super) fn negation_prefix(&self) -> &'static str {
        if self.negated { "not " } else { "" }
    }
}

/// Calls `see` with every test of a rule, including those in a `where` or a `def`.
pub(super) fn visit_tests<'r>(rule: &'r Rule, see: &mut dyn FnMut(RuleTest<'r>)) {
    for (clause, is_exception) in [(&rule.when, false), (&rule.unless, true)] {
        let context = TestContext { is_exception, commands: None, is_shared: false, is_of_use: false };
        clause.iter().for_each(|condition| visit_tests_below(condition, context, see));
    }
}

/// Returns the lists of patterns in a test of commands: two for `pipes`, none for any other kind of test.
pub(super) fn pattern_lists(test: &Condition) -> impl Iterator<Item = &Patterns> {
    let (first, second) = match &test.kind {
        ConditionExpr::Command(CommandTest::Runs { patterns, .. } | CommandTest::OnlyRuns { patterns }) => {
            (Some(patterns), None)
        }
        ConditionExpr::Command(CommandTest::Pipes { from, into }) => (Some(from), Some(into)),
        _ => (None, None),
    };
    first.into_iter().chain(second)
}

/// Calls `see` with every command pattern of a rule, and with the test that contains it.
pub(super) fn visit_patterns<'r>(rule: &'r Rule, see: &mut dyn FnMut(RuleTest<'r>, &'r Pattern)) {
    visit_tests(rule, &mut |seen| {
        pattern_lists(seen.test).flat_map(Patterns::iter).for_each(|pattern| see(seen, pattern));
    });
}

/// Returns the alternatives of a word in a pattern: `push` and `pull` of `(push|pull)` or `push|pull`.
pub(super) fn word_alternatives(word: &str) -> impl Iterator<Item = &str> + Clone {
    word.trim_start_matches('(').trim_end_matches(')').split('|')
}

/// Returns the simplest command that a pattern describes: the first alternative of each group, `x` for each wildcard,
/// and no forbidden word. `git (push|pull) * !-f` becomes `git push x`, and `./(a|b).sh` becomes `./a.sh`.
pub(super) fn plainest_command(pattern: &str) -> String {
    let word = |word: &str| {
        let (before, inner, after) = split_group(word);
        let first = [before, inner.split('|').next().unwrap_or_default(), after].concat();
        (!first.starts_with('!')).then(|| first.replace(['*', '?'], "x"))
    };
    words(pattern).unwrap_or_default().into_iter().filter_map(word).collect::<Vec<String>>().join(" ")
}

/// Whether a pattern of `only runs` covers all commands of an analysis: the first one is a runner that runs the others,
/// as in `uv run pytest *`.
pub(super) fn names_commands_of_runner(pattern: &Pattern, analysis: &Analysis) -> bool {
    let roots = Roots::default();
    let test = |pattern: &Pattern, command: &TestedCommand<'_>, part| pattern.runs_only_part(command, part, || &roots);
    let call = analysis.iter().next().and_then(|(first, _)| RunnerCall::new(analysis, first));
    let named = call.map(|call| pattern.runs_only_through(analysis, &call, &test));
    named.is_some_and(|named| named.fit == Fit::Yes && named.inner.len() + 1 == analysis.commands.len())
}

/// Returns the pattern for the command that the runner in a pattern of `only runs` runs: `git *` of `rtk git *`. `None`
/// if the pattern names no runner and its command.
pub(super) fn pattern_of_inner(pattern: &Pattern) -> Option<Pattern> {
    let words: Vec<&str> = pattern.text().split_whitespace().collect();
    let analysis = analyse(&plainest_command(pattern.text()), &StartDirectories { cwd: Path::new("/"), home: None });
    let inner = analysis.commands.last().filter(|command| !command.outer_commands.is_empty())?;
    let program = inner.words.first()?.known_text()?;
    let at = words.len().checked_sub(inner.words.len()).filter(|at| *at > 0)?;
    let rest = words.get(at..)?;
    let is_named = word_alternatives(rest.first()?).any(|name| name == program);
    Pattern::with_programs(&rest.join(" "), pattern.programs()).ok().filter(|_| is_named)
}

/// Calls `see` with every test in a condition.
fn visit_tests_below<'c>(condition: &'c Condition, context: TestContext<'c>, see: &mut dyn FnMut(RuleTest<'c>)) {
    let TestContext { is_exception, commands, is_shared, is_of_use } = context;
    match &condition.kind {
        ConditionExpr::And(parts) | ConditionExpr::Or(parts) => {
            parts.iter().for_each(|part| visit_tests_below(part, context, see))
        }
        ConditionExpr::Not(inner) => {
            visit_tests_below(inner, TestContext { is_exception: !is_exception, ..context }, see)
        }
        ConditionExpr::Def(inner) => visit_tests_below(inner, TestContext { is_shared: true, ..context }, see),
        // Only the lint about exceptions of a `use` asks for the whole.
        ConditionExpr::Certain(inner) => {
            see(RuleTest { test: condition, is_exception, filtered_patterns: commands, is_shared, is_of_use });
            visit_tests_below(inner, TestContext { is_of_use: true, ..context }, see);
        }
        kind => {
            see(RuleTest { test: condition, is_exception, filtered_patterns: commands, is_shared, is_of_use });
            if let ConditionExpr::Command(CommandTest::Runs { patterns, filter: Some(filter) }) = kind {
                visit_tests_below(filter, TestContext { commands: Some(patterns), ..context }, see);
            }
        }
    }
}
