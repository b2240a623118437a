//! Finds lengths in the notation of other languages, `tool_input.command.length > 500`, and counts of a single text,
//! `count command > 500`.

use super::comparison::visit_tests;
use super::{FindingSink, Lint, SourceTexts};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{
    Condition, ConditionExpr, DerivedField, FactName, Literal, Measure, OrderOperator, PolicyValue, Rule,
    ValueReference, ValueTest, WhereField,
};
use crate::schema::FieldType;
use crate::span::Span;
use crate::syntax::ast::FileFact;

pub(super) const LINT: Lint =
    Lint { codes: &[Code::MISSPELLED_MEMBER, Code::CONTRADICTORY_CONDITION, Code::TAUTOLOGY], check };

/// The members that other languages have for the length of a text.
const LENGTHS: &[&str] = &["length", "len", "size"];

/// The number of texts of one call above which a count is probably a length.
const MANY: f64 = 100.0;

/// Reports each such test.
fn check(written: &SourceTexts<'_>, rule: &Rule, findings: &mut FindingSink) {
    visit_tests(rule, &mut |seen| {
        let ConditionExpr::Compare { source, test, .. } = &seen.test.kind else { return };
        let number = match test {
            ValueTest::Order(OrderOperator::Greater | OrderOperator::GreaterEqual, value) | ValueTest::Equal(value) => {
                literal_number(value)
            }
            ValueTest::Order(_, value) => literal_number(value).map(|_| 0.0),
            _ => None,
        };
        // The comparison is parsed again for its parts, so only for a number.
        let Some(number) = number else { return };
        let Some(comparison) = written.comparison(seen.test) else { return };
        if let Some(finding) = constant_number(seen.test, source, test) {
            return findings.push(finding);
        }
        let rest = written.text(comparison.operator_and_value_span());
        let is_size = written.text(comparison.value).ends_with('B');
        let above = match test {
            ValueTest::Order(OrderOperator::Greater, _) => number + 1.0,
            _ => number,
        };
        let compared =
            ComparedNumber { span: seen.test.span, operand: &comparison.operand, rest, above, number, is_size };
        findings.extend(match source {
            ValueReference::Raw { path, ty } => compared.member_finding(path, ty),
            ValueReference::Measured(Measure::Length(measured)) => {
                compared.length_finding(measured).or_else(|| compared.length_of_list(measured))
            }
            ValueReference::Measured(Measure::Count(counted)) => compared.count_finding(counted),
            _ => None,
        });
    });
}

/// A comparison with a number, as it is in the source.
struct ComparedNumber<'s> {
    span: Span,
    operand: &'s str,
    /// The operator and the number.
    rest: &'s str,
    number: f64,
    /// The smallest number for which the test is true, if it is one of larger numbers.
    above: f64,
    /// Whether the number is a size in bytes.
    is_size: bool,
}

impl ComparedNumber<'_> {
    /// Returns the operand without the word `length` or `count` before it.
    fn field(&self) -> &str {
        let operand = self.operand;
        operand.strip_prefix("length").or_else(|| operand.strip_prefix("count")).unwrap_or(operand).trim()
    }

    /// Adds the test to write instead to a finding.
    fn written_as(&self, found: Diagnostic, right: &str) -> Diagnostic {
        let right = format!("{right} {}", self.rest);
        found.help(format!("write `{right}`")).fix_that_changes(self.span, right)
    }

    /// Returns the finding about a member of a payload whose length is meant.
    fn member_finding(&self, path: &[String], ty: &FieldType) -> Option<Diagnostic> {
        let text = measured_text(path, ty, self.is_size)?;
        let member = path.join(".");
        let found = match text.len() < path.len() {
            true => Diagnostic::new(Code::MISSPELLED_MEMBER, format!("no built-in tool has `{member}`"))
                .label(self.span, "a member of a text in other languages: it has no value here"),
            false => Diagnostic::new(Code::MISSPELLED_MEMBER, format!("`{member}` is no number"))
                .label(self.span, "a text or an object, which has a length: never true"),
        };
        Some(self.written_as(found, &format!("length {}", text.join("."))))
    }

    /// Returns the finding about the length of a path that is meant as the size of its file.
    fn length_finding(&self, measured: &ValueReference) -> Option<Diagnostic> {
        (self.is_size && measured.is_path()).then(|| {
            let found = Diagnostic::new(Code::CONTRADICTORY_CONDITION, "the length of a path")
                .label(self.span, "the bytes of the name, and not of the file");
            self.written_as(found, &format!("file_size {}", self.field()))
        })
    }

    /// Returns the finding about the length of a list, whose elements are measured one by one, if the number is more
    /// likely one of elements.
    fn length_of_list(&self, measured: &ValueReference) -> Option<Diagnostic> {
        let is_list = match measured {
            ValueReference::Where(WhereField::Operands | WhereField::Args | WhereField::Variables) => true,
            // What a tool of a server takes is not known, so its plural decides.
            ValueReference::Raw { path, ty: FieldType::Any } => {
                path.len() > 1 && path.last().is_some_and(|name| name.ends_with('s') && !name.ends_with("ss"))
            }
            _ => false,
        };
        if !is_list || self.is_size || self.number > MANY || self.number < 1.0 {
            return None;
        }
        let found = Diagnostic::new(Code::MISSPELLED_MEMBER, "a length of each element of a list")
            .label(self.span, "the bytes of one text, and not the number of texts");
        Some(self.written_as(found, &format!("count {}", self.field())))
    }

    /// Returns the finding about a count that is meant as a length.
    fn count_finding(&self, counted: &ValueReference) -> Option<Diagnostic> {
        let length = format!("length {}", self.field());
        if self.is_size && self.number > 0.0 && !matches!(counted, ValueReference::Where(_)) {
            let found = Diagnostic::new(Code::CONTRADICTORY_CONDITION, "a count that is compared with a size")
                .label(self.span, "counts values, and not their bytes");
            return Some(self.written_as(found, &length));
        }
        if let Some(found) = self.count_of_single_value(counted) {
            return Some(found);
        }
        if self.number <= least_unlikely_count(counted) {
            return None;
        }
        let found = Diagnostic::new(Code::CONTRADICTORY_CONDITION, "a count of one text");
        // A small number is more likely meant as one of commands than of bytes.
        Some(match self.number <= MANY && is_command(counted) {
            true => found.label(self.span, "a call has one text of commands: never true").help(
                "nothing counts the commands of a call; `length command > 500` is about its bytes, `count deletes > 20` \
                 about its files",
            ),
            false => self.written_as(
                found.label(self.span, "counts values, and not their characters: never true"),
                &length,
            ),
        })
    }
}

impl ComparedNumber<'_> {
    /// Returns the finding about a count of what has at most one value, if the count is never so large.
    fn count_of_single_value(&self, counted: &ValueReference) -> Option<Diagnostic> {
        if self.above <= 1.0 {
            return None;
        }
        let found = Diagnostic::new(Code::CONTRADICTORY_CONDITION, "a count of a single value");
        let found = found.label(self.span, "there is one, or none: never true");
        match counted {
            ValueReference::Where(WhereField::Operand(_)) => Some(self.written_as(found, "count operands")),
            ValueReference::Where(WhereField::Input) => {
                Some(self.written_as(found, &format!("length {}", self.field())))
            }
            ValueReference::Raw { path, ty: FieldType::Any } if is_output_text(path) => {
                Some(self.written_as(found, &format!("length {}", self.field())))
            }
            _ if is_single_value(counted) => Some(found.help(format!(
                "leave the test out; `length {}` is about the bytes of the value, `count operands` and `count deletes` \
                 about the words and files of a call",
                self.field()
            ))),
            _ => None,
        }
    }
}

/// Whether a value other than a long text occurs at most once in an event.
fn is_single_value(source: &ValueReference) -> bool {
    match source {
        ValueReference::Where(field) => {
            matches!(field, WhereField::Program | WhereField::Cwd | WhereField::Place | WhereField::Env(_))
        }
        ValueReference::Derived(derived) => matches!(
            derived,
            DerivedField::Event
                | DerivedField::Agent
                | DerivedField::AgentType
                | DerivedField::Host
                | DerivedField::ToolName
                | DerivedField::Home
        ),
        ValueReference::Raw { path, ty } => {
            path.len() == 1
                && matches!(ty, FieldType::Enum(_) | FieldType::Path | FieldType::Boolean | FieldType::Number)
        }
        ValueReference::Fact(fact) => !matches!(fact, FactName::HostPids),
        _ => false,
    }
}

/// Whether a member of what a tool returns is a text.
fn is_output_text(path: &[String]) -> bool {
    matches!(path, [output, member] if output == "tool_response" && TEXTS.contains(&member.as_str()))
}

/// Returns the value whose length is meant by a comparison of a member with a number: `tool_input.command` for
/// `tool_input.command.length > 500`, `tool_response` for `tool_response > 10KB`.
fn measured_text<'p>(path: &'p [String], ty: &FieldType, is_size: bool) -> Option<&'p [String]> {
    let (last, text) = path.split_last()?;
    let is_object = |path: &[String]| matches!(path, [only] if only == "tool_response" || only == "tool_input");
    if LENGTHS.contains(&last.as_str()) {
        // The type of a member of a server's tool is not known, so `tool_input.size > 5` may be a number.
        return (text.len() >= 2 || is_object(text) && (is_size || last == "length")).then_some(text);
    }
    let is_text = TEXTS.contains(&last.as_str()) && path.len() == 2 && *ty == FieldType::Any;
    (is_object(path) || is_text).then_some(path)
}

/// The members of what tools return that are texts.
const TEXTS: &[&str] = &["stdout", "stderr"];

/// Returns the finding about a length, a count or a size that is always or never so: `count deletes >= 0`, `length
/// content < 0`, `count deletes > 2.5`.
fn constant_number(test: &Condition, source: &ValueReference, value: &ValueTest) -> Option<Diagnostic> {
    let is_file = matches!(source, ValueReference::Fact(FactName::File(FileFact::Size, _)));
    if !matches!(source, ValueReference::Measured(_)) && !is_file {
        return None;
    }
    let (operator, number) = match value {
        ValueTest::Order(operator, value) => (Some(*operator), literal_number(value)?),
        ValueTest::Equal(value) => (None, literal_number(value)?),
        _ => return None,
    };
    use OrderOperator::{Greater, GreaterEqual, Less, LessEqual};
    let is_always = match operator {
        Some(GreaterEqual) => number <= 0.0,
        Some(Greater) => number < 0.0,
        _ => false,
    };
    let is_never = match operator {
        Some(Less) => number <= 0.0,
        Some(LessEqual) | None => number < 0.0,
        _ => false,
    };
    let found = |code, label| Some(Diagnostic::new(code, "a number that is never below 0").label(test.span, label));
    let help = "write the number from which on, or up to which, the rule is meant: `> 0` for any";
    if is_always {
        return found(Code::TAUTOLOGY, "always true").map(|found| found.help(help));
    }
    if is_never {
        return found(Code::CONTRADICTORY_CONDITION, "never true").map(|found| found.help(help));
    }
    (number.fract() != 0.0).then(|| {
        Diagnostic::new(Code::CONTRADICTORY_CONDITION, "a whole number that is compared with a fraction")
            .label(test.span, "counts have no fractions")
            .help(format!("write a whole number, such as `{}`", number.floor()))
    })
}

fn is_command(source: &ValueReference) -> bool {
    matches!(source, ValueReference::Derived(DerivedField::Command))
}

/// Returns the number that a test compares with.
fn literal_number(value: &PolicyValue) -> Option<f64> {
    match value {
        PolicyValue::Literal(Literal::Number(number)) => Some(*number),
        _ => None,
    }
}

/// Returns the count above which a test of the number of these values is meant as a length.
fn least_unlikely_count(counted: &ValueReference) -> f64 {
    match counted {
        ValueReference::Derived(DerivedField::Command) | ValueReference::Raw { ty: FieldType::String, .. } => 1.0,
        ValueReference::Derived(DerivedField::Content) => MANY,
        _ => f64::INFINITY,
    }
}
