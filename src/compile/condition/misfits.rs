//! Findings about parts of a test that do not fit together, such as an operator and its operand.

use crate::compile::field::TypedReference;
use crate::compile::head::selectable_tools;
use crate::compile::names::{self, NameDefinition};
use crate::compile::number_regex::number_regex;
use crate::compile::values;
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{DerivedField, FactName, Head, PolicyValue, ValueReference, WhereField};
use crate::schema::{EVENTS, FieldType, ToolSpec};
use crate::span::Span;
use crate::syntax::ast::{self, AstMeasure, Operand, OperandPosition, Operator, ValueKind};
use crate::syntax::{format_one_or_list, string_literal};

/// Returns the finding about a `let` or `def` where a field is expected. `None` for a name that a `let` must not
/// have, because the `let` itself is reported.
pub(super) fn misplaced_name(name: &ast::Name, named: NameDefinition<'_>) -> Option<Diagnostic> {
    let hides_field = EVENTS.iter().any(|event| event.event.fields().any(|field| field.name == name.text));
    let (what, help) = match named {
        NameDefinition::Let(_) if hides_field => ("a `let`", "rename the `let`: it hides the field of that name"),
        NameDefinition::Let(_) => ("a `let`", "put the field on the left: `path like NAME`, `path in NAME`"),
        NameDefinition::Def(..) => ("a condition", "write it alone: it is already true or false"),
        NameDefinition::Mark(..) => ("a mark", "ask whether it happened: `happened NAME`, `count NAME >= 3`"),
    };
    let finding = Diagnostic::new(Code::TYPE_MISMATCH, format!("`{}` is {what}, not a field", name.text))
        .label(name.span, "not a field")
        .help(help);
    (!names::is_taken(&name.text)).then_some(finding)
}

/// Returns the finding about `option "…"` outside of a `where`.
pub(super) fn option_outside_where(flag: &ast::StringLiteral, span: Span) -> Diagnostic {
    let flag = string_literal(&flag.value, "");
    Diagnostic::new(Code::BAD_VALUE, "`option` outside `where`").label(span, "of which command?").help(format!(
        "write `runs \"…\" where exists option {flag}`, or compare it there: `where option {flag} == \"…\"`"
    ))
}

/// Returns the finding about `operand N` outside of a `where`, or about `operand 0`; `None` for a valid use.
pub(super) fn invalid_position(position: OperandPosition, span: Span, in_where: bool) -> Option<Diagnostic> {
    let text = operand_text(&Operand::Position(position, span));
    if !in_where {
        let found = Diagnostic::new(Code::BAD_VALUE, format!("`{text}` outside `where`"));
        return Some(found.label(span, "of which command?").help(format!("write `runs \"…\" where {text} == \"…\"`")));
    }
    (position == OperandPosition::Nth(0)).then(|| {
        Diagnostic::new(Code::BAD_VALUE, "no operand has the number 0")
            .label(span, "operands are counted from 1")
            .help("write `operand 1` for the first one")
            .fix_that_changes(span, "operand 1")
    })
}

/// Returns the finding about `length` of a value that has no length, such as a number; `None` if it may be a text.
pub(super) fn without_length(operand: &Operand, ty: FieldType, span: Span) -> Option<Diagnostic> {
    let name = operand_text(operand);
    let (ty, is_list) = if let FieldType::List(inner) = ty { (*inner, true) } else { (ty, false) };
    let (is, help) = match ty {
        FieldType::Number => ("a number", format!("compare it itself: `{name} > …`")),
        FieldType::Boolean => ("a boolean", format!("write `{name}` or `not {name}`")),
        FieldType::Object(_) if is_list => ("a list", format!("count its elements: `count {name} > …`")),
        FieldType::Object(_) => ("an object", format!("name one of its members: `length {name}.…`")),
        _ => return None,
    };
    let found = Diagnostic::new(Code::TYPE_MISMATCH, format!("`{name}` has no length"));
    Some(found.label(span, format!("`{name}` is {is}")).help(help))
}

/// Returns the finding about `count commands`.
pub(super) fn number_of_commands(span: Span) -> Diagnostic {
    Diagnostic::new(Code::UNKNOWN_FIELD, "the commands of a call are not counted")
        .label(span, "counts values, files and events")
        .help(
            "name what is too much: `count deletes > 20`, `length command > 500`, or calls of a mark: `count NAME > 5`",
        )
}

/// Returns the finding about `exists` before a measured number, which always exists; `None` for any other operand.
pub(super) fn exists_of_measure(operand: &Operand) -> Option<Diagnostic> {
    let Operand::Measure(measure, span) = operand else { return None };
    let found = Diagnostic::new(Code::BAD_VALUE, format!("`exists` before `{}`", operand_text(operand)))
        .label(*span, "a number, which is compared");
    Some(match measure {
        AstMeasure::Length(inner) | AstMeasure::Count(inner) => {
            let right = operand_text(inner);
            found.help(format!("write `exists {right}`"))
        }
        AstMeasure::Files(verb) => found.help(format!("write `count {} > 0`", verb.keyword())),
        AstMeasure::Past(events) => found.help(format!("write `happened {}`", events.mark.text)),
    })
}

/// Returns the help for a value alone in place of a test. A measured number always exists, so only a comparison of it
/// is a test.
pub(super) fn help_for_lone_value(operand: &Operand) -> String {
    let name = operand_text(operand);
    match operand {
        Operand::Measure(AstMeasure::Length(inner) | AstMeasure::Count(inner), _) => {
            format!("compare it, as in `{name} > 100`, or write `exists {}`", operand_text(inner))
        }
        Operand::Measure(..) => format!("compare it, as in `{name} > 5`"),
        _ => format!("compare it, as in `{name} == …`, or write `exists {name}`"),
    }
}

/// Returns the finding about `==` or `in` with the whole input of a tool, an object, which equals no other value; `None`
/// for any other comparison. The tools that the head selects say which member may be meant.
pub(super) fn whole_input(compare: &ast::AstComparison, head: &Head) -> Option<Diagnostic> {
    let name = operand_text(&compare.operand);
    let is_input = matches!(name.as_str(), "tool_input" | "`$.tool_input`" | "`$['tool_input']`");
    let compares = matches!(compare.operator, Operator::Equal | Operator::NotEqual | Operator::In);
    if !is_input || !compares {
        return None;
    }
    let tools: Vec<&ToolSpec> =
        head.events.iter().flat_map(|selector| selectable_tools(head, selector.event)).collect();
    let member = tools.first().and_then(|tool| tool.example_text);
    let is_common = member.is_some() && tools.iter().all(|tool| tool.example_text == member);
    let right = member.filter(|_| is_common).map(|member| match member {
        "file_path" => "path".to_owned(),
        "command" | "url" => member.to_owned(),
        _ => format!("tool_input.{member}"),
    });
    let word = compare.operator.as_str();
    let found = Diagnostic::new(Code::TYPE_MISMATCH, format!("`{word}` with `tool_input`, which is an object"))
        .label(compare.operand.span(), "all members of the input");
    let whole = compare.operand.span().joined_with(compare.value.span);
    Some(match right {
        Some(right) if right == "command" && let Some(pattern) = plain_pattern(compare) => {
            let not = if compare.is_negated() || compare.operator == Operator::NotEqual { "not " } else { "" };
            let right = format!("{not}runs {pattern}");
            found.help(format!("write `{right}`, a test of the commands")).fix_that_changes(whole, right)
        }
        Some(right) => found
            .help(format!("name the member that is meant, as in `{right} {word} …`"))
            .fix_that_changes(compare.operand.span(), right),
        None => found.help(
            "name the member that is meant: `command`, `path`, `content`, `url`, or any other, as in `tool_input.query`",
        ),
    })
}

/// Returns the right side of a comparison as the pattern of a command; `None` unless it is a single text of plain words.
fn plain_pattern(compare: &ast::AstComparison) -> Option<String> {
    let ValueKind::Text(text) = &compare.value.kind else { return None };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '/' | ':');
    let is_words = text.value.starts_with(|c: char| c.is_ascii_alphabetic()) && text.value.chars().all(is_plain);
    is_words.then(|| string_literal(&text.value, ""))
}

/// Turns a finding about a word outside of a `where` into one about missing parentheses: the `where` in front of the
/// word ended after its only test, at `filter`.
pub(super) fn behind_where(found: &Diagnostic, filter: Span) -> Diagnostic {
    let place = found.span().unwrap_or(filter);
    Diagnostic::new(found.code, found.message.clone())
        .label(place, "the `where` ended before this `and`")
        .label(filter, "`where` takes one test")
        .help("put the tests of one command in parentheses: `where (… and …)`")
}

/// Returns the finding about a regex with an operator other than `matches`; `None` for any other comparison.
pub(super) fn regex_without_matches(compare: &ast::AstComparison, name: &str) -> Option<Diagnostic> {
    let ValueKind::Regex(regex) = &compare.value.kind else { return None };
    let keeps_regex = match compare.operator {
        Operator::Equal | Operator::NotEqual | Operator::In | Operator::Like | Operator::Contains => true,
        // A path is absolute, so a regex with `^` would not match what is meant. A later check reports the value.
        Operator::StartsWith if matches!(name, "path" | "cwd") => return None,
        Operator::StartsWith => regex.pattern.starts_with('^'),
        Operator::EndsWith => regex.pattern.ends_with('$'),
        _ => return None,
    };
    let word = compare.operator.as_str();
    let not = if compare.is_negated() { "not " } else { "" };
    let all = if compare.all { "all " } else { "" };
    let found = Diagnostic::new(Code::TYPE_MISMATCH, format!("`{word}` with a regex"))
        .label(compare.value.span, "this is a regex");
    let written = format!("/{}/{}", regex.pattern, regex.flags);
    // A command without the option would satisfy the `not`, too.
    if keeps_regex && !not.is_empty() && !compare.all && matches!(compare.operand, Operand::Option(..)) {
        let right = format!("(exists {name} and not all {name} matches {written})");
        let span = compare.operand.span().joined_with(compare.value.span);
        return Some(found.help(format!("write `{right}`")).fix(span, right));
    }
    Some(match keeps_regex {
        true => found
            .help(format!("write `{all}{name} {not}matches {written}`"))
            .fix(compare.operator_span, format!("{not}matches")),
        false => {
            let anchored = if compare.operator == Operator::StartsWith {
                format!("/^(?:{})/{}", regex.pattern, regex.flags)
            } else {
                format!("/(?:{})$/{}", regex.pattern, regex.flags)
            };
            let span = compare.operator_span.joined_with(compare.value.span);
            found
                .help(format!("write `{all}{name} {not}matches {anchored}`"))
                .fix(span, format!("{not}matches {anchored}"))
        }
    })
}

/// Returns the finding about a text after `option` that does not begin with a dash, or includes a value (`"-m=x"`);
/// `None` if the text is a flag.
pub(super) fn invalid_flag(flag: &ast::StringLiteral) -> Option<Diagnostic> {
    let found = Diagnostic::new(Code::BAD_VALUE, format!("`option` of `{}`", flag.value));
    if !flag.value.starts_with('-') {
        let help = "write it with its dashes: `option \"-m\"`, `option \"--message\"`";
        return Some(found.label(flag.span, "not a flag: it does not begin with a dash").help(help));
    }
    let (name, value) = flag.value.split_once([' ', '='])?;
    let right = format!("option {} == {}", string_literal(name, ""), string_literal(value.trim(), ""));
    let label = "a flag and its value: only the flag belongs here";
    Some(found.label(flag.span, label).help(format!("write `{right}`")))
}

/// Returns the finding about a comparison with a value of an unsupported type, such as a list.
pub(super) fn wrong_value(value: &ast::AstValue) -> Diagnostic {
    let help = match value.kind {
        ValueKind::Regex(_) => "use `matches` with a regex",
        ValueKind::List(_) => "use `in` with a list",
        _ => "write a string, number, boolean, `let` or field",
    };
    Diagnostic::new(Code::TYPE_MISMATCH, format!("a comparison with {}", values::kind_noun(&value.kind)))
        .label(value.span, format!("this is {}", values::kind_noun(&value.kind)))
        .help(help)
}

/// Returns the type by which a field is compared. The words of a command are paths for `like` and `under`, because
/// they may name files, but texts for other operators.
pub(super) fn comparison_type(operator: Operator, typed: Option<&TypedReference>, ty: FieldType) -> FieldType {
    let are_words = typed.is_some_and(|typed| {
        matches!(typed.source, ValueReference::Where(WhereField::Operands | WhereField::Operand(_) | WhereField::Args))
    });
    let compares = matches!(operator, Operator::Equal | Operator::NotEqual | Operator::In) || is_ordered(operator);
    if are_words && compares { FieldType::String } else { ty }
}

/// Returns the finding about an operator that cannot compare values of its operand's type.
pub(super) fn unsuitable_operator(compare: &ast::AstComparison, name: &str, ty: FieldType) -> Diagnostic {
    let (ty, is_list) = if let FieldType::List(inner) = ty { (*inner, true) } else { (ty, false) };
    let word = compare.operator.as_str();
    let takes = accepted_operands(compare.operator);
    if let Some(found) = size_of_text(compare, name, ty) {
        return found;
    }
    let (is, help) = match ty {
        FieldType::Boolean => ("a boolean", format!("write `{name}` or `not {name}`")),
        FieldType::Number => ("a number", format!("{takes}; compare a number as in `{name} > 100` or `{name} == 100`")),
        FieldType::Object(_) if is_list => (
            "a list of objects",
            format!("test a member of each: `` `$.{name}[*].…` ``; count them with `count {name} > 5`"),
        ),
        FieldType::Object(_) => ("an object", format!("name one of its members: `{name}.…`")),
        FieldType::Enum(words) if is_ordered(compare.operator) => {
            let some: Vec<String> = words.iter().take(2).map(|word| format!("\"{word}\"")).collect();
            ("one of some words", format!("name those that are meant: `{name} in [{}]`", some.join(", ")))
        }
        _ if is_ordered(compare.operator) && matches!(name, "operands" | "args") => {
            ("a word", number_of_words_help(compare, name))
        }
        _ if matches!(compare.operator, Operator::Under | Operator::Outside) && name == "domain" => {
            ("not a path", format!("`connects {word} …` takes domains and ranges of addresses: write that"))
        }
        _ if matches!(compare.operator, Operator::Under | Operator::Outside) => {
            ("not a path", format!("{takes}; write `{name} like \"src/**\"`, or `starts_with` or `matches`"))
        }
        _ if is_ordered(compare.operator) => ("a string", number_of_text_help(compare, name)),
        _ => (
            "a string",
            format!("{takes}; test a string as in `{name} == \"…\"`, `{name} in [\"…\"]` or `{name} contains \"…\"`"),
        ),
    };
    Diagnostic::new(Code::TYPE_MISMATCH, format!("`{word}` does not fit `{name}`, which is {is}"))
        .label(compare.operator_span, "this operator")
        .label(compare.operand.span(), format!("this is {is}"))
        .help(help)
}

/// Returns the help for words that are compared with a number: `operands > 60`.
fn number_of_words_help(compare: &ast::AstComparison, name: &str) -> String {
    let word = compare.operator.as_str();
    match number_as_regex(compare) {
        Some((number, regex)) => {
            format!("`count {name} {word} {number}` is about how many there are, `{name} matches {regex}` about each")
        }
        None => format!("`count {name} {word} …` is about how many there are"),
    }
}

/// Returns the help for a text that is compared with a number: `operand 1 > 60`.
fn number_of_text_help(compare: &ast::AstComparison, name: &str) -> String {
    let word = compare.operator.as_str();
    // The text of a command is no number.
    match number_as_regex(compare).filter(|_| name != "command") {
        Some((number, regex)) => format!(
            "`{name} matches {regex}` is about the number that it is, `length {name} {word} {number}` about its length"
        ),
        None => format!("`length {name} {word} …` is about its length"),
    }
}

/// Returns the number on the right side of a comparison, and the regex for the texts that are such numbers; `None` if
/// there is none.
fn number_as_regex(compare: &ast::AstComparison) -> Option<(String, String)> {
    let ValueKind::Number(number, written) = &compare.value.kind else { return None };
    Some((written.clone(), number_regex(compare.operator, *number)?))
}

/// Returns the finding about a text that is compared with a size, `content > 1MB`; `None` for any other comparison.
fn size_of_text(compare: &ast::AstComparison, name: &str, ty: FieldType) -> Option<Diagnostic> {
    let is_text = matches!(ty, FieldType::String | FieldType::Enum(_));
    let ValueKind::Size(_, written) = &compare.value.kind else { return None };
    (is_text && is_ordered(compare.operator)).then_some(())?;
    let right = format!("length {name}");
    let word = compare.operator.as_str();
    let found = Diagnostic::new(Code::TYPE_MISMATCH, format!("`{word}` does not fit `{name}`, which is a string"))
        .label(compare.operator_span, "this operator")
        .label(compare.operand.span(), "a text, which has a length")
        .help(format!("write `{right} {word} {written}`"));
    Some(found.fix_that_changes(compare.operand.span(), right))
}

/// Returns a sentence about the values that an operator compares.
fn accepted_operands(operator: Operator) -> String {
    let word = operator.as_str();
    match operator {
        Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
            format!("`{word}` compares numbers")
        }
        Operator::Under | Operator::Outside => format!("`{word}` compares paths with directories"),
        _ => format!("`{word}` compares texts"),
    }
}

/// Returns the finding about `path in project`, which means `path under project`, because `project` is a single
/// directory. `None` for any other value.
pub(super) fn membership_in_directory(
    compare: &ast::AstComparison,
    name: &str,
    value: &PolicyValue,
) -> Option<Diagnostic> {
    let place = match value {
        PolicyValue::Source(ValueReference::Derived(DerivedField::Project)) => "project",
        PolicyValue::Source(ValueReference::Derived(DerivedField::Home)) => "home",
        PolicyValue::Source(ValueReference::Derived(DerivedField::Tmp)) => "tmp",
        PolicyValue::Source(ValueReference::Fact(FactName::GitRoot)) => "git.root",
        _ => return None,
    };
    let word = if compare.negated { "outside" } else { "under" };
    let right = format!("{name} {word} {place}");
    let found = Diagnostic::new(Code::TYPE_MISMATCH, format!("`in` takes a list, and `{place}` is a directory"))
        .label(compare.value.span, "one directory")
        .help(format!("write `{right}`"));
    let span = compare.operand.span().joined_with(compare.value.span);
    Some(if compare.all { found } else { found.fix_that_changes(span, right) })
}

/// Returns the finding about a value after `in` that is not a list.
pub(super) fn not_a_list(name: &str, value: &ast::AstValue) -> Diagnostic {
    let help = match &value.kind {
        ValueKind::Text(text) => {
            let parts = parts_of_list(&text.value);
            let text = string_literal(&text.value, "");
            if !parts.is_empty() {
                return not_a_list_with_help(value, format!("write `{name} in {}`", format_one_or_list(&parts)));
            }
            if matches!(name, "path" | "cwd") && text.contains(['*', '?']) {
                return not_a_list_with_help(value, format!("write `{name} like {text}`"));
            }
            if matches!(name, "path" | "cwd") {
                return not_a_list_with_help(
                    value,
                    format!("write `{name} under {text}` for what is below it, `{name} == {text}` for it alone"),
                );
            }
            format!("write `{name} == {text}`, or a list: `{name} in [{text}, \"…\"]`")
        }
        ValueKind::Number(_, written) => format!("write `{name} == {written}`, or a list: `{name} in [{written}, …]`"),
        ValueKind::Regex(_) => format!("write `{name} matches /…/`"),
        _ => format!("write `{name} == …` for one value, or `{name} in [\"…\", \"…\"]`"),
    };
    not_a_list_with_help(value, help)
}

/// Returns the words of a text that is meant as a list, `main, master`; empty for any other text.
fn parts_of_list(text: &str) -> Vec<String> {
    let inner = text.trim_matches(['[', ']', '(', ')']);
    let parts: Vec<String> = inner
        .split(if inner.contains([',', '|', ';']) { [',', '|', ';'].as_slice() } else { [' '].as_slice() })
        .map(|part| part.trim().trim_matches('\'').to_owned())
        .collect();
    let is_word = |part: &String| !part.is_empty() && !part.contains(' ');
    if parts.len() > 1 && parts.iter().all(is_word) { parts } else { Vec::new() }
}

/// Returns the finding about a value after `in` that is not a list, with this help.
fn not_a_list_with_help(value: &ast::AstValue, help: String) -> Diagnostic {
    let is = values::kind_noun(&value.kind);
    Diagnostic::new(Code::TYPE_MISMATCH, format!("`in` takes a list, not {is}"))
        .label(value.span, format!("this is {is}"))
        .help(help)
}

/// Whether an operator only compares numbers.
pub(super) fn is_ordered(operator: Operator) -> bool {
    matches!(operator, Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual)
}

/// Returns the operand as it is written in a policy, in a short form.
pub(super) fn operand_text(operand: &Operand) -> String {
    match operand {
        Operand::Field(name) => name.text(),
        Operand::JsonPath(path) => format!("`{}`", path.text),
        Operand::Option(flag, _) => format!("option \"{}\"", flag.value),
        Operand::File(ast::FileFact::Exists, ..) => "file_exists …".to_owned(),
        Operand::File(ast::FileFact::Size, ..) => "file_size …".to_owned(),
        Operand::Measure(AstMeasure::Length(operand), _) => format!("length {}", operand_text(operand)),
        Operand::Measure(AstMeasure::Count(operand), _) => format!("count {}", operand_text(operand)),
        Operand::Measure(AstMeasure::Files(verb), _) => format!("count {}", verb.keyword()),
        Operand::Measure(AstMeasure::Past(events), _) => format!("count {}", events.mark.text),
        Operand::Position(OperandPosition::Nth(number), _) => format!("operand {number}"),
        Operand::Position(OperandPosition::Last, _) => "last operand".to_owned(),
    }
}
