//! Findings about the parts of a test that do not fit together.

use crate::compile::field::Typed;
use crate::compile::names::{self, Named, Names};
use crate::compile::values;
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Derived, FactName, Source, Value, WhereField};
use crate::schema::{EVENTS, Type};
use crate::span::Span;
use crate::syntax::ast::{self, Operand, Operator, ValueKind};
use crate::syntax::literal;

/// Returns the diagnostic for a name in place of a field. A `let` with the name of a field is reported at its
/// definition.
pub(super) fn misplaced(name: &ast::Name, named: Named<'_>) -> Option<Diagnostic> {
    let hides_field = EVENTS.iter().any(|event| event.event.fields().any(|field| field.name == name.text));
    let (what, help) = match named {
        Named::Let(_) if hides_field => ("a `let`", "rename the `let`: it hides the field of that name"),
        Named::Let(_) => ("a `let`", "put the field on the left: `path like NAME`, `path in NAME`"),
        Named::Def(..) => ("a condition", "write it alone: it is already true or false"),
    };
    let finding = Diagnostic::new(Code::TYPE_MISMATCH, format!("`{}` is {what}, not a field", name.text))
        .label(name.span, "not a field")
        .help(help);
    (!names::is_taken(&name.text)).then_some(finding)
}

/// Returns the diagnostic for an option that is tested outside of a `where`.
pub(super) fn option_outside(flag: &ast::Text, span: Span) -> Diagnostic {
    let flag = literal(&flag.value, "");
    Diagnostic::new(Code::BAD_VALUE, "`option` outside `where`").label(span, "of which command?").help(format!(
        "write `runs \"…\" where exists option {flag}`, or compare it there: `where option {flag} == \"…\"`"
    ))
}

/// Returns the diagnostic for a text after `option` that is not a flag, or includes a value.
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

/// Returns the diagnostic for a comparison with a value of an unsupported kind.
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

/// Whether a name is that of a directory.
pub(super) fn is_place(name: &ast::FieldName) -> bool {
    name.single().is_some_and(|single| matches!(single.text.as_str(), "project" | "home" | "tmp"))
}

/// Returns the diagnostic for a directory that is used as a value.
pub(super) fn directory(place: &ast::FieldName) -> Diagnostic {
    let word = place.text();
    Diagnostic::new(Code::TYPE_MISMATCH, format!("`{word}` is a directory, not a value"))
        .label(place.span, "what lies below it is meant?")
        .help(format!("write `… under {word}`, or `… outside {word}`"))
}

/// Returns the diagnostic for a comparison with `null`.
pub(super) fn null(name: &str, at: Span) -> Diagnostic {
    Diagnostic::new(Code::TYPE_MISMATCH, "a comparison with `null` is never true")
        .label(at, "a field without a value fails every comparison")
        .help(format!("write `exists {name}` or `not exists {name}`"))
}

/// Reports a comparison with another language's notation for a missing value or for a boolean.
pub(super) fn against_foreign(
    compare: &ast::Compare,
    name: &str,
    ty: Type,
    names: &Names<'_>,
    file: usize,
) -> Option<Diagnostic> {
    against_null(compare, name).or_else(|| against_truth(compare, name, ty, names, file))
}

/// Reports `F == null` and `F != null`.
fn against_null(compare: &ast::Compare, name: &str) -> Option<Diagnostic> {
    let wants_value = match compare.operator {
        Operator::Equal => compare.negated,
        Operator::NotEqual => !compare.negated,
        _ => return None,
    };
    if !matches!(compare.value.kind, ValueKind::Null) {
        return None;
    }
    let right = format!("{}exists {name}", if wants_value { "" } else { "not " });
    let found = null(name, compare.value.span).help(format!("write `{right}`"));
    let span = compare.operand.span().to(compare.value.span);
    // The fix would keep a preceding `all`.
    Some(if compare.all { found } else { found.fix(span, right) })
}

/// Returns the type by which a field is compared: the words of a command may name files, but are texts when compared
/// with a value.
pub(super) fn compared_as(operator: Operator, typed: Option<&Typed>, ty: Type) -> Type {
    let are_words =
        typed.is_some_and(|typed| matches!(typed.source, Source::Where(WhereField::Operands | WhereField::Args)));
    let compares = matches!(operator, Operator::Equal | Operator::NotEqual | Operator::In) || is_ordered(operator);
    if are_words && compares { Type::String } else { ty }
}

/// Returns the boolean that a word means in another language.
pub(super) fn truth(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" => Some(true),
        "false" | "no" => Some(false),
        _ => None,
    }
}

/// Reports `F == True`, if F is a boolean itself.
fn against_truth(compare: &ast::Compare, name: &str, ty: Type, names: &Names<'_>, file: usize) -> Option<Diagnostic> {
    let ValueKind::Name(value) = &compare.value.kind else { return None };
    let word = value.single().filter(|word| ty == Type::Boolean && names.get(file, &word.text).is_none())?;
    let holds = match compare.operator {
        Operator::Equal => truth(&word.text)? != compare.negated,
        Operator::NotEqual => truth(&word.text)? == compare.negated,
        _ => return None,
    };
    let right = format!("{}{name}", if holds { "" } else { "not " });
    let found = Diagnostic::new(Code::UNKNOWN_FIELD, format!("unknown field `{}`", word.text))
        .label(value.span, "not a field: a boolean of another language?")
        .help(format!("write `{right}`"));
    Some(if compare.all { found } else { found.fix(compare.operand.span().to(compare.value.span), right) })
}

/// Returns the diagnostic for an operator that does not fit its operand.
pub(super) fn unfitting(compare: &ast::Compare, name: &str, ty: Type) -> Diagnostic {
    let (ty, is_list) = if let Type::List(inner) = ty { (*inner, true) } else { (ty, false) };
    let word = compare.operator.word();
    let takes = taken(compare.operator);
    let (is, help) = match ty {
        Type::Boolean => ("a boolean", format!("write `{name}` or `not {name}`")),
        Type::Number => ("a number", format!("{takes}; compare a number as in `{name} > 100` or `{name} == 100`")),
        Type::Object(_) if is_list => (
            "a list of objects",
            format!(
                "test a member of each: `` `$.{name}[*].…` ``; ask for a sixth one with `` exists `$.{name}[5]` ``"
            ),
        ),
        Type::Object(_) => ("an object", format!("name one of its members: `{name}.…`")),
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

/// Returns what an operator compares.
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

/// Reports `path in project`: a place is a single directory, and `under` tests for what is below it.
pub(super) fn in_place(compare: &ast::Compare, name: &str, value: &Value) -> Option<Diagnostic> {
    let place = match value {
        Value::Source(Source::Derived(Derived::Project)) => "project",
        Value::Source(Source::Derived(Derived::Home)) => "home",
        Value::Source(Source::Derived(Derived::Tmp)) => "tmp",
        Value::Source(Source::Fact(FactName::GitRoot)) => "git.root",
        _ => return None,
    };
    let word = if compare.negated { "outside" } else { "under" };
    let right = format!("{name} {word} {place}");
    let found = Diagnostic::new(Code::TYPE_MISMATCH, format!("`in` takes a list, and `{place}` is a directory"))
        .label(compare.value.span, "one directory")
        .help(format!("write `{right}`"));
    let span = compare.operand.span().to(compare.value.span);
    Some(if compare.all { found } else { found.fix_that_changes(span, right) })
}

/// Returns the diagnostic for a value after `in` that is not a list.
pub(super) fn no_list(name: &str, value: &ast::Value) -> Diagnostic {
    let help = match &value.kind {
        ValueKind::Text(text) => {
            let text = literal(&text.value, "");
            if matches!(name, "path" | "cwd") && text.contains(['*', '?']) {
                return no_list_with(value, format!("write `{name} like {text}`"));
            }
            if matches!(name, "path" | "cwd") {
                return no_list_with(
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
    no_list_with(value, help)
}

fn no_list_with(value: &ast::Value, help: String) -> Diagnostic {
    let is = values::kind_word(&value.kind);
    Diagnostic::new(Code::TYPE_MISMATCH, format!("`in` takes a list, not {is}"))
        .label(value.span, format!("this is {is}"))
        .help(help)
}

/// Whether an operator only compares numbers.
pub(super) fn is_ordered(operator: Operator) -> bool {
    matches!(operator, Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual)
}

/// Returns the source form of an operand.
pub(super) fn operand_text(operand: &Operand) -> String {
    match operand {
        Operand::Field(name) => name.text(),
        Operand::JsonPath(path) => format!("`{}`", path.text),
        Operand::Option(flag, _) => format!("option \"{}\"", flag.value),
        Operand::File(ast::FileFact::Exists, ..) => "file_exists …".to_owned(),
        Operand::File(ast::FileFact::Size, ..) => "file_size …".to_owned(),
    }
}
