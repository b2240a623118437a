//! Tests properties of every tree and every text, with generated ones.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::diagnostic::Code;
use crate::syntax::ast::{
    Annotation, AnnotationArg, AstComparison, AstCondition, AstEffect, AstElement, AstFile, AstMeasure, AstTest,
    AstValue, Clause, ClauseKind, ConditionKind, Connective, Def, EffectKind, EventHead, Example, ExampleHead,
    ExampleKind, Exception, ExceptionNarrowing, Expectation, FieldName, FileFact, FileVerb, Item, ItemKind,
    JsonPathLiteral, Let, MapEntry, MapKey, MapLiteral, Name, Operand, OperandPosition, Operator, PastActor, PastCall,
    PastEvents, PipesCondition, Placeholder, QuoteStyle, RegexLiteral, RuleItemKind, RuleReference, RunsCondition,
    Selector, SessionStep, StringLiteral, TestCase, TouchesCondition, Use, ValueKind,
};
use crate::syntax::{quantity, text, words};

const OVERVIEW: &str = include_str!("../../../tests/fixtures/language/overview.rules");

/// Returns the tree as text, without spans, and without the kind of quotes if it makes no difference.
fn erased(file: &AstFile) -> String {
    let spans = regex::Regex::new(r"\b\d+\.\.\d+\b").unwrap();
    spans.replace_all(&format!("{file:#?}"), "_").replace("quote: Raw", "quote: Double")
}

/// Inserts comments where the grammar allows them, at the chosen places.
fn commented(text: &str, places: &[(usize, bool)]) -> String {
    let mut text = text.to_owned();
    for (number, (place, is_own_line)) in places.iter().enumerate() {
        let starts: Vec<usize> = crate::syntax::token::tokenise(&text).map(|token| token.start).collect();
        let Some(at) = starts.get(place % starts.len().max(1)) else { continue };
        let comment = if *is_own_line { format!("\n# c{number}\n") } else { format!(" # c{number}\n") };
        let mut with = text.clone();
        with.insert_str(*at, &comment);
        if Grammar::parse(Rule::file, &with).is_ok() {
            text = with;
        }
    }
    text
}

fn free(word: String) -> Option<String> {
    (!words::is_reserved(&word)).then_some(word)
}

fn name(pattern: &'static str) -> BoxedStrategy<Name> {
    pattern.prop_map(|text| Name { text, span: Span::default() }).boxed()
}

fn free_name(pattern: &'static str) -> BoxedStrategy<Name> {
    let named = pattern.prop_filter_map("reserved", free);
    named.prop_map(|text| Name { text, span: Span::default() }).boxed()
}

fn field() -> BoxedStrategy<FieldName> {
    let first =
        prop_oneof![free_name("[a-z_][a-z0-9_]{0,5}"), free_name("source|match|path|option|with|to|runs_on|only_x")];
    let rest = prop_oneof![name("[a-z0-9_-]{1,4}"), name("on|not|true|deny")];
    (first, vec(rest, 0..3))
        .prop_map(|(first, rest)| {
            let segments = std::iter::once(first).chain(rest).collect();
            FieldName { segments, span: Span::default() }
        })
        .boxed()
}

/// A name in a position where every word is allowed.
fn git_fact(fact: &str) -> FieldName {
    let segments = ["git", fact].map(|text| Name { text: text.to_owned(), span: Span::default() }).to_vec();
    FieldName { segments, span: Span::default() }
}

fn word_value() -> BoxedStrategy<FieldName> {
    prop_oneof![
        field(),
        name("deny|context|ignore|payload|on")
            .prop_map(|only| FieldName { segments: vec![only], span: Span::default() })
    ]
    .boxed()
}

fn text() -> BoxedStrategy<StringLiteral> {
    let plain = prop_oneof![
        "[ a-z\"\\\\{}$'\n\t#/.*é-]{0,8}",
        Just("{not_a_placeholder}".to_owned()),
        Just("${x}".to_owned()),
        Just("\"\"\"".to_owned()),
        Just("  indented\n   more\n\n".to_owned()),
        Just("\u{feff}\r\0".to_owned()),
    ];
    let piece = prop_oneof![3 => plain.prop_map(Ok), 1 => field().prop_map(Err)];
    let quote = prop_oneof![3 => Just(QuoteStyle::Double), 1 => Just(QuoteStyle::Raw), 1 => Just(QuoteStyle::Block)];
    (vec(piece, 0..4), quote)
        .prop_map(|(pieces, quote)| {
            let mut value = String::new();
            let mut placeholders = Vec::new();
            for piece in pieces {
                match piece {
                    Ok(plain) => value.push_str(&plain),
                    Err(name) if quote != QuoteStyle::Raw => {
                        if value.ends_with('$') {
                            value.push(' ');
                        }
                        let start = value.len();
                        value.push_str(&format!("{{{}}}", name.text()));
                        placeholders.push(Placeholder { range: start..value.len(), name, counted: None });
                    }
                    Err(_) => {}
                }
            }
            if quote == QuoteStyle::Raw {
                value.retain(|c| !matches!(c, '\'' | '\n' | '\r' | '\0' | '\u{feff}' | '\u{fffd}'));
            }
            StringLiteral { value, placeholders, quote, span: Span::default() }
        })
        .boxed()
}

fn value_of(kind: ValueKind) -> AstValue {
    AstValue { kind, span: Span::default() }
}

fn scalar() -> BoxedStrategy<AstValue> {
    let quantities = prop_oneof!["-?[0-9]{1,4}(\\.[0-9]{1,2})?", "[0-9]{1,4}(ms|s|m|h|KB|MB|GB)",];
    prop_oneof![
        text().prop_map(ValueKind::Text),
        quantities.prop_map(|source| quantity::parse_quantity(&source, Span::default(), &mut Vec::new())),
        any::<bool>().prop_map(ValueKind::Boolean),
        ("[a-z.+?^$]([a-z.*+?{}\\[\\]()|#\"' -]|\\\\/){0,6}", "[imsx]{0,2}").prop_map(|(pattern, flags)| {
            ValueKind::Regex(RegexLiteral { pattern, pattern_span: Span::default(), flags, span: Span::default() })
        }),
    ]
    .prop_map(value_of)
    .boxed()
}

fn map() -> BoxedStrategy<MapLiteral> {
    map_of(scalar())
}

fn map_of(values: BoxedStrategy<AstValue>) -> BoxedStrategy<MapLiteral> {
    let key = prop_oneof![
        4 => word_value().prop_map(MapKey::Name),
        1 => text().prop_map(MapKey::Text),
        1 => (prop_oneof![Just(FileFact::Exists), Just(FileFact::Size)], text())
            .prop_map(|(fact, text)| MapKey::File(fact, text, Span::default())),
        1 => (prop_oneof![Just("branch"), Just("remote"), Just("worktree")], text())
            .prop_map(|(fact, text)| MapKey::Tree(git_fact(fact), text, Span::default())),
    ];
    let value = prop_oneof![values, word_value().prop_map(ValueKind::Name).prop_map(value_of)];
    vec((key, option::of(value)), 0..3)
        .prop_map(|entries| {
            let entry = |(key, value)| MapEntry { key, value, span: Span::default() };
            MapLiteral { entries: entries.into_iter().map(entry).collect(), span: Span::default() }
        })
        .boxed()
}

fn constant() -> BoxedStrategy<AstValue> {
    scalar()
        .prop_recursive(2, 8, 3, |inner| {
            let element = prop_oneof![
                4 => inner.clone().prop_map(AstElement::Value),
                1 => free_name("[a-z_][a-z0-9_]{0,5}").prop_map(AstElement::Spread),
                1 => map_of(inner).prop_map(ValueKind::Map).prop_map(value_of).prop_map(AstElement::Value),
            ];
            vec(element, 0..4).prop_map(ValueKind::List).prop_map(value_of)
        })
        .boxed()
}

fn json_path() -> BoxedStrategy<JsonPathLiteral> {
    "\\$(\\.[a-z]{1,3}|\\[\\*\\]|\\['[a-z #]'\\]){0,3}"
        .prop_map(|text| JsonPathLiteral { text, span: Span::default() })
        .boxed()
}

fn value() -> BoxedStrategy<AstValue> {
    prop_oneof![
        4 => constant(),
        1 => field().prop_map(ValueKind::Name).prop_map(value_of),
        1 => json_path().prop_map(ValueKind::JsonPath).prop_map(value_of),
        1 => Just(ValueKind::Null).prop_map(value_of),
    ]
    .boxed()
}

fn patterns() -> BoxedStrategy<AstValue> {
    prop_oneof![
        text().prop_map(ValueKind::Text),
        vec(text().prop_map(ValueKind::Text).prop_map(value_of).prop_map(AstElement::Value), 0..3)
            .prop_map(ValueKind::List),
        field().prop_map(ValueKind::Name),
    ]
    .prop_map(value_of)
    .boxed()
}

fn operand() -> BoxedStrategy<Operand> {
    let file_value = prop_oneof![
        text().prop_map(ValueKind::Text),
        json_path().prop_map(ValueKind::JsonPath),
        field().prop_map(ValueKind::Name)
    ];
    prop_oneof![
        4 => field().prop_map(Operand::Field),
        1 => json_path().prop_map(Operand::JsonPath),
        1 => text().prop_map(|flag| Operand::Option(flag, Span::default())),
        1 => field().prop_map(|field| {
            let measure = AstMeasure::Length(Box::new(Operand::Field(field)));
            Operand::Measure(measure, Span::default())
        }),
        1 => (1..9_u32).prop_map(|number| {
            let position = Operand::Position(OperandPosition::Nth(number), Span::default());
            Operand::Measure(AstMeasure::Count(Box::new(position)), Span::default())
        }),
        1 => proptest::sample::select(FileVerb::ALL.to_vec())
            .prop_map(|verb| Operand::Measure(AstMeasure::Files(verb), Span::default())),
        1 => Just(Operand::Position(OperandPosition::Last, Span::default())),
        1 => (prop_oneof![Just(FileFact::Exists), Just(FileFact::Size)], file_value)
            .prop_map(|(fact, kind)| Operand::File(fact, Box::new(value_of(kind)), Span::default())),
    ]
    .boxed()
}

fn operator() -> BoxedStrategy<Operator> {
    use Operator as O;
    proptest::sample::select(vec![
        O::Equal,
        O::NotEqual,
        O::Less,
        O::LessEqual,
        O::Greater,
        O::GreaterEqual,
        O::In,
        O::Contains,
        O::StartsWith,
        O::EndsWith,
        O::Like,
        O::Matches,
        O::Under,
        O::Outside,
    ])
    .boxed()
}

fn condition_of(kind: ConditionKind) -> AstCondition {
    AstCondition { kind, span: Span::default() }
}

fn command_test() -> BoxedStrategy<AstCondition> {
    prop_oneof![
        3 => (any::<bool>(), operand(), any::<bool>(), operator(), value()).prop_map(
            |(all, operand, negated, operator, value)| {
                let symbol = !operator.as_str().starts_with(|c: char| c.is_ascii_alphabetic());
                let negated = negated && !symbol;
                ConditionKind::Compare(AstComparison { all, operand, negated, operator, operator_span: Span::default(), value })
            }
        ),
        1 => operand().prop_map(ConditionKind::Exists),
        1 => operand().prop_map(ConditionKind::Truth),
    ]
    .prop_map(condition_of)
    .boxed()
}

fn condition() -> BoxedStrategy<AstCondition> {
    let verb = proptest::sample::select(vec![FileVerb::Reads, FileVerb::Writes, FileVerb::Deletes]);
    let touch = proptest::sample::select(vec![Operator::Like, Operator::Under, Operator::Outside]);
    let leaf = prop_oneof![
        3 => command_test(),
        1 => past_events().prop_map(ConditionKind::Happened).prop_map(condition_of),
        1 => (patterns(), patterns()).prop_map(|(from, into)| ConditionKind::Pipes(PipesCondition { from, into })).prop_map(condition_of),
        1 => patterns().prop_map(|patterns| ConditionKind::Runs(RunsCondition { only: true, patterns, filter: None })).prop_map(condition_of),
        1 => (verb, touch, value())
            .prop_map(|(verb, operator, value)| ConditionKind::Touches(TouchesCondition { verb, operator, value })).prop_map(condition_of),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..4).prop_map(ConditionKind::And),
            vec(inner.clone(), 2..4).prop_map(ConditionKind::Or),
            vec(inner.clone(), 3..4)
                .prop_map(|tests| { ConditionKind::Mixed(tests, vec![Connective::And, Connective::Or]) }),
            inner.clone().prop_map(|test| ConditionKind::Not(Box::new(test))),
            (patterns(), option::of(inner)).prop_map(|(patterns, filter)| {
                ConditionKind::Runs(RunsCondition { only: false, patterns, filter: filter.map(Box::new) })
            }),
        ]
        .prop_map(condition_of)
    })
    .boxed()
}

fn selectors() -> BoxedStrategy<Vec<Selector>> {
    let glob = prop_oneof!["[a-zA-Z_.:*?!\\[\\]-]{1,6}", "[ -~]{0,6}"];
    vec((any::<bool>(), glob).prop_map(|(excludes, glob)| Selector { glob, excludes, span: Span::default() }), 1..3)
        .boxed()
}

fn example() -> BoxedStrategy<Example> {
    let head = (free_name("Bash|Stop|mcp__a__b-c"), option::of(name("coder|a b|\\*")))
        .prop_map(|(name, subject)| ExampleHead { name, subject });
    let host = option::of(name("codex|claude-code"));
    (
        option::of(head),
        option::of(text()),
        option::of(name("reviewer|a \"b")),
        host,
        option::of(map()),
        option::of(map()),
    )
        .prop_map(|(head, text, by, host, with, fields)| {
            let span = Span::default();
            Example { head, text, by, host, with, fields, after: None, span }
        })
        .prop_filter("empty, or begins with its host", |e| {
            let has_beginning = e.head.is_some() || e.text.is_some() || e.by.is_some();
            has_beginning || e.host.is_none() && (e.with.is_some() || e.fields.is_some())
        })
        .boxed()
}

fn effect() -> BoxedStrategy<AstEffect> {
    use EffectKind as E;
    let free_value = prop_oneof![value(), map().prop_map(ValueKind::Map).prop_map(value_of)];
    let kind = prop_oneof![
        option::of(text()).prop_map(E::Deny),
        option::of(text()).prop_map(E::Ask),
        option::of(text()).prop_map(E::Allow),
        option::of(text()).prop_map(E::Halt),
        option::of(text()).prop_map(E::Context),
        option::of(text()).prop_map(E::Warn),
        (option::of(-9..300_i64), option::of(text())).prop_map(|(code, text)| E::Exit(code, Span::default(), text)),
        (field(), free_value).prop_map(|(field, value)| E::RewriteSet(field, value)),
        (field(), value(), text()).prop_map(|(field, value, text)| E::RewriteReplace(field, value, text)),
        (text(), text()).prop_map(|(from, to)| E::RewriteRuns(from, to)),
        (text(), option::of(text())).prop_map(|(title, body)| E::Notify(title, body)),
        text().prop_map(E::RunShell),
        vec(text(), 0..3).prop_map(|words| E::RunArgv(words, Span::default())),
        text().prop_map(E::Record),
    ];
    (kind, option::of(map())).prop_map(|(kind, options)| AstEffect { kind, options, verb: Span::default() }).boxed()
}

fn clause() -> BoxedStrategy<Clause> {
    let head = (free_name("PreToolUse|Stop|\\*"), option::of(selectors())).prop_map(|(event, selectors)| EventHead {
        event,
        selectors,
        span: Span::default(),
    });
    let kind = proptest::sample::select(vec![ExampleKind::Fires, ExampleKind::Quiet, ExampleKind::Unknown]);
    prop_oneof![
        1 => vec(head, 1..3).prop_map(ClauseKind::On),
        1 => selectors().prop_map(ClauseKind::By),
        2 => condition().prop_map(ClauseKind::When),
        1 => condition().prop_map(ClauseKind::Unless),
        1 => name("deny|ask|ignore").prop_map(ClauseKind::Unknown),
        4 => effect().prop_map(ClauseKind::Effect),
        2 => (kind, vec(example_in_session(), 1..3)).prop_map(|(kind, examples)| ClauseKind::Examples(kind, examples.into())),
    ]
    .prop_map(|kind| Clause { kind, span: Span::default() })
    .boxed()
}

fn case() -> BoxedStrategy<TestCase> {
    let unquoted = name("[a-z]{1,4}(-[a-z]{1,3})?|std/git/no-push|\\./api/no-push|\\.\\./no-push");
    let path = "./@acme/no push".to_owned();
    let quoted =
        StringLiteral { value: path, placeholders: Vec::new(), quote: QuoteStyle::Double, span: Span::default() };
    let rule = prop_oneof![3 => unquoted.prop_map(RuleReference::Name), 1 => Just(RuleReference::Text(quoted))];
    let rules = vec(rule, 0..3);
    let rewritten = prop_oneof![value(), map().prop_map(ValueKind::Map).prop_map(value_of)];
    let expect = (
        name("pass|deny|anything"),
        rules,
        vec(name("deny|rewrite|anything"), 0..2),
        vec(text(), 0..2),
        vec(text(), 0..2),
        vec((word_value(), rewritten), 0..2),
        vec(text(), 0..2),
    )
        .prop_map(|(decision, by, sends, message, context, rewrites, run)| Expectation {
            decision,
            by,
            sends,
            message,
            context,
            rewrites,
            run,
        });
    (any::<bool>(), vec(step(), 0..3), example(), expect)
        .prop_map(|(is_continued, earlier, given, expect)| TestCase {
            is_continued,
            earlier,
            session: Arc::default(),
            given,
            expect,
        })
        .boxed()
}

/// Returns an example, perhaps with what came before it.
fn example_in_session() -> BoxedStrategy<Example> {
    (example(), option::weighted(0.2, vec(step(), 0..3)))
        .prop_map(|(example, after)| Example { after, ..example })
        .boxed()
}

/// Returns a step of a session.
fn step() -> BoxedStrategy<SessionStep> {
    let times = option::weighted(0.2, (1_u32..400).prop_map(|times| (times, Span::default())));
    let call = (times, example(), option::of(name("done|failed|approved|refused")))
        .prop_map(|(times, call, end)| SessionStep::Call(PastCall { times, call, end }));
    prop_oneof![3 => call, 1 => duration().prop_map(SessionStep::Wait)].boxed()
}

fn duration() -> BoxedStrategy<AstValue> {
    (1_u64..90)
        .prop_map(|count| ValueKind::Duration(std::time::Duration::from_secs(count), format!("{count}s")))
        .prop_map(value_of)
        .boxed()
}

/// Returns a mark with what narrows its events.
fn past_events() -> BoxedStrategy<PastEvents> {
    let actor = proptest::sample::select(vec![PastActor::Same, PastActor::Another]);
    (free_name("[a-z_][a-z0-9_]{0,6}"), option::of(actor), option::of(free_name("[a-z]{1,4}")), option::of(duration()))
        .prop_map(|(mark, by, since, within)| PastEvents {
            mark,
            of: None,
            by,
            since,
            within: within.map(Box::new),
            span: Span::default(),
        })
        .boxed()
}

fn item_with_clauses(kind: RuleItemKind, name: Name, clauses: Vec<ast::Clause>) -> ItemKind {
    ItemKind::Rule(ast::AstRule { kind, name, clauses, has_unparsed_clause: false })
}

fn item() -> BoxedStrategy<Item> {
    let arg =
        prop_oneof![name("high|git|rule-untested").prop_map(AnnotationArg::Word), text().prop_map(AnnotationArg::Text)];
    let annotation = (name("off|severity|allow"), vec(arg, 0..3)).prop_map(|(name, args)| Annotation {
        name,
        args,
        span: Span::default(),
    });
    let let_name = || free_name("[a-z_][a-z0-9_]{0,6}");
    let rules = || name("[a-z0-9]{1,4}(-[a-z0-9]{1,4}){0,2}");
    let narrowing =
        prop_oneof![condition().prop_map(ExceptionNarrowing::Where), condition().prop_map(ExceptionNarrowing::When)];
    let exception =
        (rules(), option::weighted(0.3, narrowing)).prop_map(|(rule, narrowing)| Exception { rule, narrowing });
    let kind = prop_oneof![
        1 => (text(), vec(exception, 0..3), option::of(map()))
            .prop_map(|(source, except, with)| ItemKind::Use(Use { source, except, with })),
        1 => (let_name(), constant()).prop_map(|(name, value)| ItemKind::Let(Let { name, value })),
        1 => (let_name(), condition()).prop_map(|(name, condition)| ItemKind::Def(Def { name, condition })),
        3 => (rules(), vec(clause(), 0..4)).prop_map(|(name, clauses)| item_with_clauses(RuleItemKind::Rule, name, clauses)),
        1 => (let_name(), vec(clause(), 0..4)).prop_map(|(name, clauses)| item_with_clauses(RuleItemKind::Mark, name, clauses)),
        1 => (text(), vec(case(), 0..3)).prop_map(|(name, mut cases)| {
            let begins = |case: &TestCase| !matches!(case.earlier.first(), Some(SessionStep::Wait(_)));
            cases.iter_mut().for_each(|case| case.is_continued |= !begins(case));
            cases.iter_mut().take(1).for_each(|case| {
                case.is_continued = false;
                case.earlier.retain(|step| matches!(step, SessionStep::Call(_)));
            });
            TestCase::join_sessions(&mut cases);
            ItemKind::Test(AstTest { name, cases })
        }),
    ];
    let doc = "[a-zA-Z#.,]?[a-z #\"{]{0,8}".prop_map(|doc| doc.trim_end().to_owned());
    (vec(doc, 0..3), vec(annotation, 0..3), kind)
        .prop_map(|(docs, annotations, kind)| Item { docs, annotations, kind, span: Span::default() })
        .boxed()
}

/// Formats a valid text.
fn formatted(text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, text);
    format(sources.file_by_id(id).unwrap()).unwrap_or_else(|found| panic!("{found:?}\n{text}"))
}

/// Parses a text, and checks every span against it.
fn parse_checked(text: &str) -> (AstFile, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let id = sources.add("a.rules", None, text);
    let (file, diagnostics) = parse(sources.file_by_id(id).unwrap());
    for diagnostic in &diagnostics {
        assert_ne!(diagnostic.code, Code::INTERNAL, "{diagnostic:?}");
        let fix = diagnostic.fix.iter().map(|fix| fix.span);
        for span in diagnostic.labels.iter().map(|label| label.span).chain(fix) {
            assert!(text.get(span.range()).is_some(), "{span:?} is no place in the text: {diagnostic:?}");
        }
        assert_ne!(render_all(std::slice::from_ref(diagnostic), &sources, DiagnosticFormat::PLAIN), "");
    }
    (file, diagnostics)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_parses_to_the_same_tree(items in vec(item(), 0..4)) {
        let tree = AstFile { items, ..AstFile::default() };
        let printed = print(&tree);
        let (mut parsed, diagnostics) = parse_checked(&printed);
        prop_assert!(parsed.parts > 0 || printed.trim().is_empty());
        // A tree that was not parsed has none.
        parsed.parts = 0;
        let hard: Vec<_> = diagnostics.iter().filter(|d| d.code != Code::AMBIGUOUS_AND_OR).collect();
        prop_assert!(hard.is_empty(), "{printed}\n{hard:#?}");
        prop_assert_eq!(erased(&parsed), erased(&tree), "{}", printed);
        prop_assert_eq!(print(&parsed), printed);
    }

    #[test]
    fn what_is_formatted_is_the_same_policy_and_stays_so(
        items in vec(item(), 0..4),
        places in vec((0..4_096_usize, any::<bool>()), 0..12),
    ) {
        let text = commented(&print(&AstFile { items, ..AstFile::default() }), &places);
        let (tree, found) = parse_checked(&text);
        prop_assume!(!found.iter().any(Diagnostic::is_error));
        let once = formatted(&text);
        let (again, _) = parse_checked(&once);
        prop_assert_eq!(erased(&AstFile { parts: 0, ..again }), erased(&AstFile { parts: 0, ..tree }), "{}", text);
        for number in 0..places.len() {
            let comment = format!("# c{number}\n");
            prop_assert_eq!(once.matches(&comment).count(), text.matches(&comment).count(), "{}\n{}", text, once);
        }
        prop_assert_eq!(formatted(&once), once, "{}", text);
    }

    #[test]
    fn any_text_is_parsed_or_told(text in "([a-z]{1,5}|[ \n\t\"'`/#@(){}\\[\\],|=!&:;.*$-]|rule a \\{\n|\"\"\"|é|\u{feff}|\r| and | when ){0,40}") {
        let (_, diagnostics) = parse_checked(&text);
        if Grammar::parse(Rule::file, &text).is_err() {
            prop_assert!(!diagnostics.is_empty(), "nothing is said");
        }
    }

    #[test]
    fn a_mutated_policy_is_parsed_or_told(cuts in vec((0..4_096_usize, 0..6_usize, "[a-z\"'{}()\\[\\],|=\n#/ `]{0,3}"), 1..4)) {
        let mut text = OVERVIEW.to_owned();
        for (at, length, put) in cuts {
            let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
            let end = (at + length..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
            text.replace_range(at..end, &put);
        }
        let (_, diagnostics) = parse_checked(&text);
        if Grammar::parse(Rule::file, &text).is_err() {
            prop_assert!(!diagnostics.is_empty(), "nothing is said");
        }
    }

    #[test]
    fn a_string_of_any_text_reads_back(value in "\\PC{0,12}", block in any::<bool>()) {
        let quote = if block { QuoteStyle::Block } else { QuoteStyle::Double };
        let literal = StringLiteral { value: value.clone(), placeholders: Vec::new(), quote, span: Span::default() };
        let rule = Let { name: Name { text: "a".into(), span: Span::default() }, value: value_of(ValueKind::Text(literal)) };
        let item = Item { docs: Vec::new(), annotations: Vec::new(), kind: ItemKind::Let(rule), span: Span::default() };
        let printed = print(&AstFile { items: vec![item], ..AstFile::default() });
        let source = printed.trim().strip_prefix("let a = ").unwrap();
        let decoded = text::decode_literal(source, Span::default(), &mut Vec::new());
        prop_assert_eq!(decoded.value, value);
    }
}
