//! Compiles JSONPath queries, and limits them, so that the cost of each is known before it is evaluated.

use jsonpath_rust::parser;
use jsonpath_rust::parser::model::{
    Comparable, Filter, FilterAtom, FnArg, Literal, Segment, Selector, SingularQuery, Test, TestFunction,
};

use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{JsonPath, ValueReference};
use crate::schema::{Event, FieldLookup, FieldType, field_type};
use crate::syntax::ast;

use super::field::TypedReference;

/// The maximum length of a JSONPath in bytes.
const MAX_BYTES: usize = 1_024;

/// The maximum nesting depth of brackets. The parser recurses into them and backtracks.
const MAX_BRACKETS: usize = 6;

/// The maximum number of segments in a query.
const MAX_SEGMENTS: usize = 16;

/// The maximum number of paths that a query with lists of names expands to: `['a','b']['c','d']` has four.
const MAX_PATHS: u64 = 64;

/// The cost of matching a regex against a node, in passes over the payload, because the regex is compiled for each
/// node.
const REGEX_PASSES: u64 = 100;

/// The cost of a filter that descends below each node, in passes over the payload, because nodes are nested in nodes.
const WALK_PASSES: u64 = 8;

/// The message of a finding, and its help.
type JsonPathProblem = (&'static str, &'static str);

/// Compiles a JSONPath query, or returns the finding about its mistake. A plain path to a member of the tool's input
/// that is a file path is replaced by that member.
pub(super) fn compile_json_path(path: &ast::JsonPathLiteral) -> Result<TypedReference, Box<Diagnostic>> {
    let query = parse_json_path(&path.text).map_err(|(message, help)| {
        Box::new(Diagnostic::new(Code::BAD_JSONPATH, message).label(path.span, "in this JSONPath").help(help))
    })?;
    // A plain path to a member is replaced by that member, with its type.
    let member = path.text.strip_prefix("$.tool_input.").unwrap_or_default();
    if let FieldLookup::Found(ty @ FieldType::Path) = field_type(Event::PreToolUse, &[], &["tool_input", member]) {
        let path = vec!["tool_input".to_owned(), member.to_owned()];
        return Ok(TypedReference { source: ValueReference::Raw { path, ty }, ty });
    }
    Ok(TypedReference { source: ValueReference::JsonPath(query), ty: FieldType::Any })
}

/// Parses a query, and checks its limits.
fn parse_json_path(text: &str) -> Result<JsonPath, JsonPathProblem> {
    let counts = query_counts(text);
    if text.len() > MAX_BYTES {
        return Err(("a JSONPath of more than 1,024 bytes", "shorten it, or split the condition"));
    }
    if counts.brackets > MAX_BRACKETS {
        return Err(("brackets in a JSONPath are nested more than 6 deep", "split the condition"));
    }
    let query = parser::parse_json_path(text).map_err(|_| {
        ("invalid JSONPath", "write it as in RFC 9535, starting from the payload: `$.tool_input.items[*].env`")
    })?;
    if counts.descendants > 1 {
        return Err((
            "more than one descendant segment `..`",
            "name the members on the way: two `..` can take unbounded time",
        ));
    }
    let mut cost = QueryCost { paths: 1, ..QueryCost::default() };
    cost.segments(&query.segments, false)?;
    let passes = cost.passes.saturating_mul(cost.paths);
    Ok(JsonPath::new(text.to_owned(), query, passes, cost.is_quadratic))
}

/// Properties of a query that are counted before it is parsed. Texts in quotes are skipped.
struct QueryCounts {
    /// The number of descendant segments, `..`.
    descendants: usize,
    /// The maximum nesting depth of brackets.
    brackets: usize,
}

/// Counts the descendant segments and the nesting depth of brackets.
fn query_counts(path: &str) -> QueryCounts {
    let (mut quote, mut previous, mut escaped) = (None, ' ', false);
    let (mut depth, mut counts) = (0_usize, QueryCounts { descendants: 0, brackets: 0 });
    for c in path.chars() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '.') if previous == '.' => counts.descendants += 1,
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
        counts.brackets = counts.brackets.max(depth);
        previous = if quote.is_some() { ' ' } else { c };
    }
    counts
}

/// The cost of a query for each node of a payload.
#[derive(Default)]
struct QueryCost {
    /// The maximum number of times that every node is visited; zero if the query consists of names only.
    passes: u64,
    /// The number of paths that its lists of names expand to.
    paths: u64,
    /// Whether the query evaluates a path from the root (`$`) again for each node that it visits.
    is_quadratic: bool,
}

impl QueryCost {
    /// Adds the cost of segments. `in_filter` is whether they are in a filter, which is evaluated for many nodes.
    fn segments(&mut self, segments: &[Segment], in_filter: bool) -> Result<(), JsonPathProblem> {
        if segments.len() > MAX_SEGMENTS {
            return Err(("a JSONPath of more than 16 segments", "use fewer segments, or a single `..`"));
        }
        segments.iter().try_for_each(|segment| self.segment(segment, in_filter))
    }

    /// Adds the cost of a segment.
    fn segment(&mut self, segment: &Segment, in_filter: bool) -> Result<(), JsonPathProblem> {
        match segment {
            Segment::Descendant(inner) => {
                self.count_walk(in_filter);
                self.segment(inner, in_filter)
            }
            Segment::Selector(selector) => self.selector(selector, in_filter),
            Segment::Selectors(selectors) => {
                self.paths = self.paths.saturating_mul(u64::try_from(selectors.len()).unwrap_or(u64::MAX));
                if self.paths > MAX_PATHS {
                    return Err((
                        "a JSONPath with lists of names for more than 64 paths",
                        "use `[*]`, or several conditions joined by `or`",
                    ));
                }
                selectors.iter().try_for_each(|selector| self.selector(selector, in_filter))
            }
        }
    }

    /// Adds the cost of a selector; fails for a filter within a filter.
    fn selector(&mut self, selector: &Selector, in_filter: bool) -> Result<(), JsonPathProblem> {
        match selector {
            Selector::Name(_) | Selector::Index(_) => Ok(()),
            Selector::Wildcard | Selector::Slice(..) => {
                self.count_walk(in_filter);
                Ok(())
            }
            Selector::Filter(_) if in_filter => Err((
                "a filter inside a filter in a JSONPath",
                "use one filter, and join a second condition with `and`",
            )),
            Selector::Filter(filter) => {
                self.count_walk(false);
                self.filter(filter)
            }
        }
    }

    /// Adds the cost of a selector that visits every child of a node.
    fn count_walk(&mut self, in_filter: bool) {
        self.passes += if in_filter { WALK_PASSES } else { 1 };
    }

    /// Adds the cost of a filter.
    fn filter(&mut self, filter: &Filter) -> Result<(), JsonPathProblem> {
        match filter {
            Filter::Or(parts) | Filter::And(parts) => parts.iter().try_for_each(|part| self.filter(part)),
            Filter::Atom(FilterAtom::Filter { expr, .. }) => self.filter(expr),
            Filter::Atom(FilterAtom::Test { expr, .. }) => {
                self.passes += 1;
                self.test(expr)
            }
            Filter::Atom(FilterAtom::Comparison(comparison)) => {
                self.passes += 1;
                let (left, right) = comparison.vals();
                // Two values from the root are both looked up again for each node. A single one costs no more than
                // the value from the node.
                let from_root = |side: &Comparable| matches!(side, Comparable::SingularQuery(SingularQuery::Root(_)));
                self.is_quadratic |= from_root(left) && from_root(right);
                [left, right].into_iter().try_for_each(|side| match side {
                    Comparable::Literal(_) => Ok(()),
                    Comparable::Function(function) => self.function(function),
                    Comparable::SingularQuery(_) => Ok(()),
                })
            }
        }
    }

    /// Adds the cost of an existence test or a function in a filter.
    fn test(&mut self, test: &Test) -> Result<(), JsonPathProblem> {
        match test {
            Test::RelQuery(segments) => self.segments(segments, true),
            Test::AbsQuery(query) => {
                self.is_quadratic = true;
                self.segments(&query.segments, true)
            }
            Test::Function(function) => self.function(function),
        }
    }

    /// Adds the cost of a function; fails for a regex that is too big, or is not a literal.
    fn function(&mut self, function: &TestFunction) -> Result<(), JsonPathProblem> {
        match function {
            TestFunction::Custom(_, arguments) => arguments.iter().try_for_each(|argument| self.argument(argument)),
            TestFunction::Length(argument) => self.argument(argument),
            TestFunction::Value(argument) | TestFunction::Count(argument) => self.argument(argument),
            TestFunction::Search(text, pattern) | TestFunction::Match(text, pattern) => {
                self.passes += REGEX_PASSES;
                match pattern {
                    FnArg::Literal(Literal::String(pattern)) if crate::ruleset::is_light_pattern(pattern) => {}
                    _ => {
                        return Err((
                            "a regex in a JSONPath that is too big or not a literal",
                            "write a short one in quotes, or use `matches` on what the JSONPath finds",
                        ));
                    }
                }
                self.argument(text)
            }
        }
    }

    /// Adds the cost of an argument of a function.
    fn argument(&mut self, argument: &FnArg) -> Result<(), JsonPathProblem> {
        match argument {
            FnArg::Literal(_) => Ok(()),
            FnArg::Test(test) => self.test(test),
            FnArg::Filter(filter) => self.filter(filter),
        }
    }
}
