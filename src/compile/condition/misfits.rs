//! Findings about parts of a test that do not fit together, such as an operator and its operand.

use crate::compile::field::TypedReference;
use crate::compile::names::{self, NameDefinition};
use crate::compile::values;
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{DerivedField, FactName, PolicyValue, ValueReference, WhereField};
use crate::schema::{EVENTS, FieldType};
use crate::span::Span;
use crate::syntax::ast::{self, Operand, Operator, ValueKind};
use crate::syntax::string_literal;

/// Returns the finding about a `let` or `def` where a field is expected. `None` for a name that a `let` must not
/// have, because the `let` itself is reported.
pub(super) fn misplaced_name(name: &ast::Name, named: NameDefinition<'_>) -> Option<Diagnostic> {
    let hides_field = EVENTS.iter().any(|event| event.event.fields().any(|field| field.name == name.text));
    let (what, help) = match named {
        NameDefinition::Let(_) if hides_field => ("a `let`", "rename the `let`: it hides the field of that name"),
        NameDefinition::Let(_) => ("a `let`", "put the field on the left: `path like NAME`, `path in NAME`"),
        NameDefinition::Def(..) => ("a condition", "write it alone: it is already true or false"),
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
    let are_words = typed
        .is_some_and(|typed| matches!(typed.source, ValueReference::Where(WhereField::Operands | WhereField::Args)));
    let compares = matches!(operator, Operator::Equal | Operator::NotEqual | Operator::In) || is_ordered(operator);
    if are_words && compares { FieldType::String } else { ty }
}

/// Returns the finding about an operator that cannot compare values of its operand's type.
pub(super) fn unsuitable_operator(compare: &ast::AstComparison, name: &str, ty: FieldType) -> Diagnostic {
    let (ty, is_list) = if let FieldType::List(inner) = ty { (*inner, true) } else { (ty, false) };
    let word = compare.operator.as_str();
    let takes = accepted_operands(compare.operator);
    let (is, help) = match ty {
        FieldType::Boolean => ("a boolean", format!("write `{name}` or `not {name}`")),
        FieldType::Number => ("a number", format!("{takes}; compare a number as in `{name} > 100` or `{name} == 100`")),
        FieldType::Object(_) if is_list => (
            "a list of objects",
            format!(
                "test a member of each: `` `$.{name}[*].…` ``; ask for a sixth one with `` exists `$.{name}[5]` ``"
            ),
        ),
        FieldType::Object(_) => ("an object", format!("name one of its members: `{name}.…`")),
        _ if is_ordered(compare.operator) && matches!(name, "operands" | "args") => (
            "a word",
            format!("{takes}; a word is a text: `{name} matches /^[0-9]{{3,}}$/` is one of three digits or more"),
        ),
        _ if matches!(compare.operator, Operator::Under | Operator::Outside) && name == "domain" => {
            ("not a path", format!("`connects {word} …` takes domains and ranges of addresses: write that"))
        }
        _ if matches!(compare.operator, Operator::Under | Operator::Outside) => {
            ("not a path", format!("{takes}; write `{name} like \"src/**\"`, or `starts_with` or `matches`"))
        }
        _ if is_ordered(compare.operator) => {
            ("a string", format!("{takes}; test the text: `{name} matches /^[0-9]{{3,}}$/` is true from 100 on"))
        }
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

/// Returns the finding about `path in project`, where `path under project` is meant, because `project` is a single
/// directory; `None` for another value.
pub(super) fn report_place_comparison(
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
            let text = string_literal(&text.value, "");
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

/// Returns the same finding with this help.
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
    }
}
