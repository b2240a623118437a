//! The findings where the parts of a test do not fit together.

use crate::compile::names::Named;
use crate::compile::values;
use crate::diagnostic::{Code, Diagnostic};
use crate::schema::Type;
use crate::syntax::ast::{self, Operator, ValueKind};
use crate::syntax::literal;

/// Says that a name stands where a field should.
pub(super) fn misplaced(name: &ast::Name, named: Named<'_>) -> Diagnostic {
    let (what, help) = match named {
        Named::Let(_) => ("a `let`", "put the field on the left: `path like NAME`"),
        Named::Def(..) => ("a condition", "write it alone: it is already true or false"),
    };
    Diagnostic::new(Code::TYPE_MISMATCH, format!("`{}` is {what}, not a field", name.text))
        .label(name.span, "not a field")
        .help(help)
}

/// Says that a text behind `option` is no flag, or one with its value.
pub(super) fn no_flag(flag: &ast::Text) -> Option<Diagnostic> {
    let found = Diagnostic::new(Code::BAD_VALUE, format!("`option` of `{}`", flag.value));
    if !flag.value.starts_with('-') {
        let help = "write it with its dashes: `option \"-m\"`, `option \"--message\"`";
        return Some(found.label(flag.span, "not a flag: it does not begin with a dash").help(help));
    }
    let (name, value) = flag.value.split_once([' ', '='])?;
    let right = format!("option {} == {}", literal(name, ""), literal(value.trim(), ""));
    let label = "a flag and its value: only the flag belongs here";
    Some(found.label(flag.span, label).help(format!("write `{right}`")))
}

/// Says that nothing is compared with a value of this kind.
pub(super) fn wrong_value(value: &ast::Value) -> Diagnostic {
    let help = match value.kind {
        ValueKind::Regex(_) => "use `matches` with a regex",
        ValueKind::List(_) => "use `in` with a list",
        _ => "write a string, number, boolean, `let` or field",
    };
    Diagnostic::new(Code::TYPE_MISMATCH, format!("a comparison with {}", values::kind_word(&value.kind)))
        .label(value.span, format!("this is {}", values::kind_word(&value.kind)))
        .help(help)
}

/// Says that an operator does not fit what stands in front of it.
pub(super) fn unfitting(compare: &ast::Compare, name: &str, ty: Type) -> Diagnostic {
    let word = compare.operator.word();
    let takes = taken(compare.operator);
    let (is, help) = match ty {
        Type::Boolean => ("a boolean", format!("write `{name}` or `not {name}`")),
        Type::Number => ("a number", format!("{takes}; compare a number as in `{name} > 100` or `{name} == 100`")),
        Type::Object(_) => ("an object", format!("name one of its members: `{name}.…`")),
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

/// Says what an operator compares.
fn taken(operator: Operator) -> String {
    let word = operator.word();
    match operator {
        Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
            format!("`{word}` compares numbers")
        }
        Operator::Under | Operator::Outside => format!("`{word}` compares paths with directories"),
        _ => format!("`{word}` compares texts"),
    }
}

/// Says that what stands behind `in` is no list.
pub(super) fn no_list(name: &str, value: &ast::Value) -> Diagnostic {
    let help = match &value.kind {
        ValueKind::Text(text) => {
            let text = literal(&text.value, "");
            format!("write `{name} == {text}`, or a list: `{name} in [{text}, \"…\"]`")
        }
        ValueKind::Number(_, written) => format!("write `{name} == {written}`, or a list: `{name} in [{written}, …]`"),
        ValueKind::Regex(_) => format!("write `{name} matches /…/`"),
        _ => format!("write `{name} == …` for one value, or `{name} in [\"…\", \"…\"]`"),
    };
    let is = values::kind_word(&value.kind);
    Diagnostic::new(Code::TYPE_MISMATCH, format!("`in` takes a list, not {is}"))
        .label(value.span, format!("this is {is}"))
        .help(help)
}

/// Tells whether an operator compares numbers alone.
pub(super) fn is_ordered(operator: Operator) -> bool {
    matches!(operator, Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual)
}
