//! JSONPath queries. A query is parsed when a policy is compiled, and stored in parsed form unless it has a filter
//! (`?@.a`).

use std::fmt;
use std::sync::OnceLock;

use jsonpath_rust::parser::model::{JpQuery, Segment, Selector};
use jsonpath_rust::parser::parse_json_path;

use crate::image::DamagedImage;
use crate::wire::{Lazy, Reader, Wire, Writer, wire_enum, wire_struct};

/// A JSONPath query with its estimated cost.
#[derive(Clone)]
pub struct JsonPath {
    /// The source text.
    pub text: String,
    /// The maximum number of times that the query visits all values of the payload; zero if it consists of names
    /// only.
    pub passes: u64,
    /// Whether the query starts again from the root for each value that it visits, so that its cost grows with the
    /// square of the payload's size.
    pub is_quadratic: bool,
    /// The parsed query if it has no filter; this form is stored.
    steps: Lazy<Option<Steps>>,
    /// The parsed query if it has a filter: it is not stored, but parsed again from the text when it is first used.
    parsed: OnceLock<Option<Box<JpQuery>>>,
}

/// A query without filters, the only kind that has a binary encoding.
#[derive(Clone)]
struct Steps(JpQuery);

/// A segment of a query without filters, in a form that can be encoded.
struct Step {
    /// Whether the segment begins with `..`.
    descends: bool,
    /// Whether the selectors are a list in brackets: `['a','b']`, not `.a`.
    is_list: bool,
    selectors: Vec<StepSelector>,
}

/// A selector other than a filter.
enum StepSelector {
    Name(String),
    /// `*`
    All,
    Index(i64),
    Slice(Option<i64>, Option<i64>, Option<i64>),
}

wire_struct!(Step { descends, is_list, selectors });
wire_enum!(StepSelector { 0 = Name(name), 1 = All, 2 = Index(index), 3 = Slice(start, end, step) });

impl JsonPath {
    /// Creates a JSONPath from its text, the parsed query and its costs.
    #[must_use]
    pub fn new(text: String, query: JpQuery, passes: u64, is_quadratic: bool) -> Self {
        let is_plain = query.segments.iter().all(|segment| Step::from_segment(segment).is_some());
        let (steps, parsed) = if is_plain { (Some(Steps(query)), None) } else { (None, Some(Some(Box::new(query)))) };
        Self { text, passes, is_quadratic, steps: steps.into(), parsed: parsed.map(OnceLock::from).unwrap_or_default() }
    }

    /// Returns the parsed query; `None` if the text cannot be parsed, which the compiler excludes.
    #[must_use]
    pub fn query(&self) -> Option<&JpQuery> {
        match &*self.steps {
            Some(Steps(query)) => Some(query),
            None => self.parsed.get_or_init(|| parse_json_path(&self.text).ok().map(Box::new)).as_deref(),
        }
    }

    /// Returns the member of the payload with which the path begins: `tool_input` for `$.tool_input.command`. `None`
    /// if the path does not begin with a single name.
    #[must_use]
    pub fn member(&self) -> Option<&str> {
        match self.query()?.segments.first()? {
            Segment::Selector(Selector::Name(name)) => Some(name.trim_matches(['"', '\''])),
            _ => None,
        }
    }

    /// Whether the query may select or examine the payload's member with this name.
    #[must_use]
    pub fn is_possibly_reading(&self, name: &str) -> bool {
        let Some(query) = self.query() else { return true };
        // A filter may contain a query from the root: `$.a[?$.b == @.c]`. A backslash may be an escape in a name.
        let may_select_in_filter = || self.steps.is_none() && (self.text.contains(name) || self.text.contains('\\'));
        let may_select = |selector: &Selector| match selector {
            Selector::Wildcard | Selector::Filter(_) => true,
            Selector::Name(selected) => selected.trim_matches(['"', '\'']) == name || selected.contains('\\'),
            Selector::Index(_) | Selector::Slice(..) => false,
        };
        let may_begin = match query.segments.first() {
            None | Some(Segment::Descendant(_)) => true,
            Some(Segment::Selector(selector)) => may_select(selector),
            Some(Segment::Selectors(selectors)) => selectors.iter().any(may_select),
        };
        may_begin || may_select_in_filter()
    }
}

impl fmt::Debug for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("JsonPath").field(&self.text).field(&self.passes).field(&self.is_quadratic).finish()
    }
}

impl Wire for JsonPath {
    fn encode(&self, out: &mut Writer) {
        let Self { text, passes, is_quadratic, steps, parsed: _ } = self;
        text.encode(out);
        passes.encode(out);
        is_quadratic.encode(out);
        steps.encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        Ok(Self {
            text: Wire::decode(input)?,
            passes: Wire::decode(input)?,
            is_quadratic: Wire::decode(input)?,
            steps: Wire::decode(input)?,
            parsed: OnceLock::new(),
        })
    }
}

impl Wire for Steps {
    fn encode(&self, out: &mut Writer) {
        // INVARIANT: a query with a filter is never a `Steps`.
        self.0.segments.iter().filter_map(Step::from_segment).collect::<Vec<Step>>().encode(out);
    }

    fn decode(input: &mut Reader<'_>) -> Result<Self, DamagedImage> {
        let steps = Vec::<Step>::decode(input)?;
        Ok(Self(JpQuery::new(steps.into_iter().map(Step::segment).collect::<Result<_, _>>()?)))
    }
}

impl Step {
    /// Converts a segment; `None` if it has a filter.
    fn from_segment(segment: &Segment) -> Option<Self> {
        let (descends, inner) = match segment {
            Segment::Descendant(inner) => (true, &**inner),
            other => (false, other),
        };
        let (is_list, selectors) = match inner {
            Segment::Descendant(_) => return None,
            Segment::Selector(selector) => (false, std::slice::from_ref(selector)),
            Segment::Selectors(selectors) => (true, selectors.as_slice()),
        };
        let selectors = selectors.iter().map(StepSelector::from_selector).collect::<Option<_>>()?;
        Some(Self { descends, is_list, selectors })
    }

    /// Converts the step back. Fails for a step without brackets that does not have exactly one selector.
    fn segment(self) -> Result<Segment, DamagedImage> {
        let Self { descends, is_list, selectors } = self;
        let mut selectors: Vec<Selector> = selectors.into_iter().map(StepSelector::selector).collect();
        let inner = match (is_list, selectors.pop()) {
            (false, Some(only)) if selectors.is_empty() => Segment::Selector(only),
            (false, _) => return Err(DamagedImage),
            (true, last) => {
                selectors.extend(last);
                Segment::Selectors(selectors)
            }
        };
        Ok(if descends { Segment::Descendant(Box::new(inner)) } else { inner })
    }
}

impl StepSelector {
    /// Converts a selector; `None` for a filter.
    fn from_selector(selector: &Selector) -> Option<Self> {
        Some(match selector {
            Selector::Name(name) => Self::Name(name.clone()),
            Selector::Wildcard => Self::All,
            Selector::Index(index) => Self::Index(*index),
            Selector::Slice(start, end, step) => Self::Slice(*start, *end, *step),
            Selector::Filter(_) => return None,
        })
    }

    fn selector(self) -> Selector {
        match self {
            Self::Name(name) => Selector::Name(name),
            Self::All => Selector::Wildcard,
            Self::Index(index) => Selector::Index(index),
            Self::Slice(start, end, step) => Selector::Slice(start, end, step),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{from_bytes, to_bytes};

    #[test]
    fn what_a_query_may_look_at_does_not_depend_on_how_it_is_written() {
        let rows = [
            ("$.tool_use_id", true),
            ("$['tool_use_id']", true),
            ("$[ 'a', 'tool_use_id' ]", true),
            (r#"$["tool_use\u005fid"]"#, true),
            ("$", true),
            ("$[*].a", true),
            ("$[ * ]", true),
            ("$.*", true),
            ("$..a", true),
            ("$[?@.a]", true),
            ("$.a[?$.tool_use_id == @.b]", true),
            ("$.a.tool_use_id", false),
            ("$.tool_input[*]", false),
            ("$['tool_use_idx']", false),
        ];
        for (text, expected) in rows {
            let path = JsonPath::new(text.to_owned(), parse_json_path(text).unwrap(), 1, false);
            assert_eq!(path.is_possibly_reading("tool_use_id"), expected, "{text}");
        }
    }

    #[test]
    fn a_query_that_was_kept_is_the_query() {
        let rows = [
            ("$", true),
            ("$.a['b'][\"c\"][0][-1].*", true),
            ("$..a", true),
            ("$..*", true),
            ("$..['a','b'][*]", true),
            ("$['a','b',0][1:2,::-1]", true),
            ("$.a[?@.b == 1].c", false),
            ("$..[?@.b]", false),
        ];
        for (text, is_plain) in rows {
            let query = parse_json_path(text).unwrap();
            let path = JsonPath::new(text.to_owned(), query.clone(), 3, true);
            let kept: JsonPath = from_bytes(&to_bytes(&path)).unwrap();
            assert_eq!(kept.steps.is_some(), is_plain, "{text}");
            assert_eq!(kept.query(), Some(&query), "{text}");
            assert_eq!(format!("{kept:?}"), format!("{path:?}"));
        }
    }
}
