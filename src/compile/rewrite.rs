//! Compiles `rewrite …`, and reports targets that cannot be rewritten.

use crate::diagnostic::{Code, Diagnostic, nearest_name, suggest};
use crate::ruleset::{Rewrite, RewriteTarget, RewriteValue};
use crate::schema::{Event, FieldLookup, FieldType, OUTPUT, ToolSpec, WRITTEN_TEXTS, field_type};
use crate::span::Span;
use crate::syntax::ast::{self, AstElement, EffectKind, ValueKind};
use hookrules_shell::Edit;
use hookrules_shell::edit::BadEdit;
use hookrules_shell::pattern::BadPattern;

use super::account::ChargeReason;
use super::head::selectable_tools;
use super::names::{NameDefinition, ScopedValue};
use super::template::TextScope;
use super::values::{check_regex, compile_literal, kind_noun};
use super::{commands, field};

/// Compiles a rewrite; `None` if a mistake was reported.
pub(super) fn compile_rewrite<'a>(
    texts: &TextScope<'_, 'a>,
    kind: &'a EffectKind,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Rewrite> {
    match kind {
        EffectKind::RewriteSet(name, value) => new_value(texts, name, value, diagnostics),
        EffectKind::RewriteReplace(name, regex, with) => replacement(texts, name, regex, with, diagnostics),
        EffectKind::RewriteRuns(from, to) => edited_command(texts, from, to, diagnostics),
        _ => None,
    }
}

/// Compiles `rewrite FIELD = VALUE`.
fn new_value<'a>(
    texts: &TextScope<'_, 'a>,
    name: &'a ast::FieldName,
    value: &'a ast::AstValue,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Rewrite> {
    if name.segments.first().is_some_and(|segment| segment.text == OUTPUT) {
        diagnostics.push(
            Diagnostic::new(Code::REWRITE_TARGET, format!("`{}` cannot be set", name.text()))
                .label(name.span, "the host takes only an output of the same shape")
                .help("write `rewrite tool_response replace /…/ with \"…\"`"),
        );
        return None;
    }
    let target = compile_target(texts, name, matches!(value.kind, ValueKind::Null), diagnostics)?;
    let new = compile_value(texts, value, diagnostics)?;
    check_fits(texts, name, &new, value.span, diagnostics)?;
    Some(Rewrite::Set(target, new))
}

/// Compiles `rewrite FIELD replace REGEX with TEXT`.
fn replacement<'a>(
    texts: &TextScope<'_, 'a>,
    name: &'a ast::FieldName,
    regex: &'a ast::AstValue,
    with: &'a ast::StringLiteral,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Rewrite> {
    let target = compile_target(texts, name, false, diagnostics);
    let regex = match &regex.kind {
        ValueKind::Regex(regex) => check_regex(texts.names, regex, diagnostics),
        ValueKind::Name(_) => {
            super::values::compile_regex(texts.names, ScopedValue { file: texts.file, value: regex }, diagnostics)
        }
        kind => {
            let is = kind_noun(kind);
            diagnostics.push(
                Diagnostic::new(Code::TYPE_MISMATCH, format!("`replace` takes a regex, not {is}"))
                    .label(regex.span, format!("this is {is}"))
                    .help("write /…/"),
            );
            None
        }
    };
    if let Some(regex) = &regex {
        check_groups(regex, with, diagnostics);
    }
    let (target, with) = (target?, texts.template(with, diagnostics));
    check_fits(texts, name, &RewriteValue::Text(with.clone()), name.span, diagnostics)?;
    Some(Rewrite::Replace(target, regex?, with))
}

/// Compiles `rewrite runs PATTERN to COMMAND`.
fn edited_command(
    texts: &TextScope<'_, '_>,
    from: &ast::StringLiteral,
    to: &ast::StringLiteral,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Rewrite> {
    match Edit::with_programs(&from.value, &to.value, texts.names.programs(from.span)) {
        Ok(edit) if to.placeholders.is_empty() => {
            let parts = commands::program_parts(edit.programs());
            texts.names.account.charge(parts, ChargeReason::Patterns, from.span)?;
            check_event(texts, &RewriteTarget::Command, from.span, diagnostics)?;
            check_target_exists(texts, &RewriteTarget::Command, "`command`", from.span, diagnostics)?;
            Some(Rewrite::Runs(Box::new(edit)))
        }
        Ok(_) => {
            diagnostics.push(bad_command("a placeholder in the new command", to, "not replaced here"));
            None
        }
        Err(bad) => {
            diagnostics.push(*bad_edit(&bad, from, to));
            None
        }
    }
}

/// Returns the finding about an invalid `rewrite runs`.
fn bad_edit(bad: &BadEdit, from: &ast::StringLiteral, to: &ast::StringLiteral) -> Box<Diagnostic> {
    match bad {
        BadEdit::Pattern(bad) => commands::bad_pattern(bad, from.span),
        BadEdit::Command(BadPattern::Empty) => Box::new(
            Diagnostic::new(Code::BAD_PATTERN, "the new command is empty")
                .label(to.span, "nothing would run instead")
                .help("write the new command, or `deny` the call"),
        ),
        BadEdit::Command(bad) => commands::bad_pattern(bad, to.span),
        BadEdit::Choice(word) => {
            let message = format!("`{word}` in a new command is a glob, an alternative or a `!`");
            Box::new(bad_command(&message, to, "expected a literal word"))
        }
        BadEdit::Syntax(word) => {
            let message = format!("`{word}` in a new command is a quote or an expansion");
            Box::new(bad_command(&message, to, "would be inserted literally, in quotes"))
        }
        BadEdit::Same => Box::new(
            Diagnostic::new(Code::BAD_PATTERN, "the new command is the same as the old one")
                .label(to.span, "changes nothing")
                .help("write another command"),
        ),
    }
}

/// Returns the finding about an invalid new command.
fn bad_command(message: &str, to: &ast::StringLiteral, label: &str) -> Diagnostic {
    Diagnostic::new(Code::BAD_PATTERN, message)
        .label(to.span, label)
        .help("write each word as it should appear in the command")
}

/// Reports groups in a replacement that the regex does not have: nothing would be inserted for them.
fn check_groups(regex: &crate::ruleset::LazyRegex, with: &ast::StringLiteral, diagnostics: &mut Vec<Diagnostic>) {
    // Compiling is expensive, and most replacements name no group.
    let Some(Ok(regex)) = with.value.contains('$').then(|| regex.compiled()) else { return };
    let mut rest = with.value.as_str();
    while let Some((_, after_dollar)) = rest.split_once('$') {
        let (group, after_group) = split_group_name(after_dollar);
        rest = after_group;
        let exists = match group.parse::<usize>() {
            Ok(number) => number < regex.captures_len(),
            Err(_) => group.is_empty() || regex.capture_names().flatten().any(|known| known == group),
        };
        if exists {
            continue;
        }
        let help = match group.trim_end_matches(|c: char| !c.is_ascii_digit()) {
            "" => "name a group of the regex, or write `$$` for a literal `$`".to_owned(),
            digits if digits.len() < group.len() => {
                let (number, text) = group.split_at(group.find(|c: char| !c.is_ascii_digit()).unwrap_or(group.len()));
                format!("write `${{{number}}}{text}`, or name a group of the regex")
            }
            _ => format!("it has {}, and `$0` is the whole match", regex.captures_len() - 1),
        };
        diagnostics.push(
            Diagnostic::new(Code::BAD_PATTERN, format!("the regex has no group `{group}`"))
                .label(with.span, "would insert nothing")
                .help(help),
        );
    }
}

/// Splits the name or number of a group, as in `$1` or `${name}`, from the beginning of the text after its `$`. It is
/// empty for `$$`, which is a literal `$`.
fn split_group_name(text: &str) -> (&str, &str) {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match text.strip_prefix('{').and_then(|braced| braced.split_once('}')) {
        _ if text.starts_with('$') => ("", text.get(1..).unwrap_or_default()),
        Some((group, after)) => (group, after),
        None => text.split_at(text.find(|c| !is_of_name(c)).unwrap_or(text.len())),
    }
}

/// Compiles the target of a rewrite; reports one that cannot be rewritten. `removes` is whether the new value is
/// `null`.
fn compile_target(
    texts: &TextScope<'_, '_>,
    name: &ast::FieldName,
    removes: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<RewriteTarget> {
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    let target = match segments.as_slice() {
        ["command"] => RewriteTarget::Command,
        ["path"] => RewriteTarget::Path,
        ["content"] => RewriteTarget::Content,
        ["url"] => RewriteTarget::Url,
        [OUTPUT] => {
            check_event(texts, &RewriteTarget::Output, name.span, diagnostics)?;
            return Some(RewriteTarget::Output);
        }
        ["tool_input", rest @ ..] if !rest.is_empty() => {
            check_event(texts, &RewriteTarget::Input(Vec::new()), name.span, diagnostics)?;
            check_member(texts, name, &segments, removes, diagnostics)?;
            return Some(RewriteTarget::Input(rest.iter().map(|segment| (*segment).to_owned()).collect()));
        }
        _ => {
            diagnostics.push(
                Diagnostic::new(Code::REWRITE_TARGET, format!("`{}` cannot be rewritten", name.text()))
                    .label(name.span, "the host takes only the tool's input, and its whole output")
                    .help(
                        "rewrite `tool_input.…`, `command`, `path`, `content` or `url`; after the call, `tool_response`",
                    ),
            );
            return None;
        }
    };
    if removes {
        diagnostics.push(required_member(name));
        return None;
    }
    check_event(texts, &target, name.span, diagnostics)?;
    check_target_exists(texts, &target, &format!("`{}`", name.text()), name.span, diagnostics)?;
    Some(target)
}

/// Reports an event of the head that does not support the rewrite: the input is rewritten before the call, the output
/// after it. Events that support no rewrite at all are reported with the effect.
fn check_event(
    texts: &TextScope<'_, '_>,
    target: &RewriteTarget,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<()> {
    let is_output = *target == RewriteTarget::Output;
    let mut events = texts.head.event_set().into_iter().filter(|event| event.spec().answers.rewrite);
    let Some(event) = events.find(|event| (*event == Event::PostToolUse) != is_output) else { return Some(()) };
    let (label, help) = if is_output {
        ("there is no output yet", "write `on PostToolUse`")
    } else {
        ("the tool has already run", "write `rewrite tool_response replace /…/ with \"…\"`, or `on PreToolUse`")
    };
    let what = if is_output { "output" } else { "input" };
    let message = format!("`{}` cannot change the {what} of a call", event.name());
    diagnostics.push(Diagnostic::new(Code::REWRITE_TARGET, message).label(span, label).help(help));
    None
}

/// Reports a target that none of the selected tools has. `name` is the target in the message.
fn check_target_exists(
    texts: &TextScope<'_, '_>,
    target: &RewriteTarget,
    name: &str,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<()> {
    let tools: Vec<_> = texts.head.event_set().into_iter().map(|event| selectable_tools(texts.head, event)).collect();
    let tools_are_known = !tools.is_empty() && tools.iter().all(|tools| !tools.is_empty());
    if tools_are_known && !tools.iter().flatten().any(|tool| has_target(tool, target)) {
        diagnostics.push(
            Diagnostic::new(Code::REWRITE_TARGET, format!("the selected tools have no {name}"))
                .label(span, "rewrites nothing")
                .help("select a tool that has it, or name the member: `tool_input.…`"),
        );
        return None;
    }
    Some(())
}

/// Whether a built-in tool has the target of a rewrite.
fn has_target(tool: &ToolSpec, target: &RewriteTarget) -> bool {
    let member = |name: &str| tool.input.iter().any(|field| field.name == name);
    match target {
        RewriteTarget::Command => tool.command.is_some(),
        RewriteTarget::Url => tool.url.is_some(),
        RewriteTarget::Path => tool.files.iter().any(|file| !file.glob),
        RewriteTarget::Content => WRITTEN_TEXTS.iter().copied().chain(["edits"]).any(member),
        RewriteTarget::Input(path) => path.first().is_some_and(|name| member(name)),
        RewriteTarget::Output => true,
    }
}

/// Reports a new value whose type differs from the member's.
fn check_fits(
    texts: &TextScope<'_, '_>,
    name: &ast::FieldName,
    value: &RewriteValue,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<()> {
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    let events = texts.head.event_set();
    let mut types = events.into_iter().map(|event| match segments.as_slice() {
        ["tool_input", ..] => field_type(event, &selectable_tools(texts.head, event), &segments),
        _ => FieldLookup::Found(FieldType::String),
    });
    let misfit = types.find_map(|found| match found {
        FieldLookup::Found(ty) if !value.is_of_type(ty) => Some(ty),
        _ => None,
    });
    let Some(ty) = misfit else { return Some(()) };
    let wanted = match ty {
        FieldType::Number => "a number",
        FieldType::Boolean => "`true` or `false`",
        FieldType::List(_) => "a list",
        FieldType::Object(_) => "an object",
        FieldType::String | FieldType::Path | FieldType::Enum(_) | FieldType::Any => "a string",
    };
    diagnostics.push(
        Diagnostic::new(Code::TYPE_MISMATCH, format!("`{}` is {wanted}", name.text()))
            .label(span, "the tool would refuse the call")
            .help(format!("give it {wanted}")),
    );
    None
}

/// Returns the finding about the removal of a required member.
fn required_member(name: &ast::FieldName) -> Diagnostic {
    Diagnostic::new(Code::REWRITE_TARGET, format!("`{}` cannot be removed", name.text()))
        .label(name.span, "required by the tool: the call would fail")
        .help("deny the call, or set another value")
}

/// Reports a member of the input that none of the selected tools has, or the removal of a required one.
fn check_member(
    texts: &TextScope<'_, '_>,
    name: &ast::FieldName,
    segments: &[&str],
    removes: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<()> {
    let mut siblings: Vec<String> = Vec::new();
    let mut known = false;
    for event in texts.head.event_set() {
        let tools = selectable_tools(texts.head, event);
        match field_type(event, &tools, segments) {
            FieldLookup::Found(_) | FieldLookup::Untyped => known = true,
            FieldLookup::Unknown { known_siblings } => {
                siblings.extend(known_siblings.iter().map(|sibling| format!("tool_input.{sibling}")));
            }
            FieldLookup::NotCarried => {}
        }
        let member = segments.get(1).copied().unwrap_or_default();
        let requires = |tool: &&'static crate::schema::ToolSpec| {
            tool.input.iter().any(|field| field.name == member && field.required)
        };
        if removes && segments.len() == 2 && tools.iter().any(requires) {
            diagnostics.push(required_member(name));
            return None;
        }
    }
    if known || texts.head.events.is_empty() {
        return Some(());
    }
    let found = Diagnostic::new(Code::REWRITE_TARGET, format!("the selected tools take no `{}`", name.text()))
        .label(name.span, "not a member of the input");
    let last = segments.get(1).copied().unwrap_or_default();
    let meant = field::field_meant(last).map(|ours| format!("tool_input.{ours}"));
    let near = meant
        .filter(|meant| siblings.contains(meant))
        .or_else(|| nearest_name(&name.text(), siblings.iter().map(String::as_str)).map(str::to_owned));
    diagnostics.push(match near.filter(|_| segments.len() == 2) {
        Some(near) => found.help(format!("a member named `{near}` exists")).fix_that_changes(name.span, near),
        None => found.help_if_any(suggest("member", &name.text(), siblings.iter().map(String::as_str))),
    });
    None
}

/// Compiles the new value of a member.
fn compile_value<'a>(
    texts: &TextScope<'_, 'a>,
    value: &'a ast::AstValue,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<RewriteValue> {
    match &value.kind {
        ValueKind::Text(text) => Some(RewriteValue::Text(texts.template(text, diagnostics))),
        ValueKind::Null => Some(RewriteValue::Remove),
        ValueKind::List(elements) => {
            let mut out = Vec::new();
            for element in elements {
                match element {
                    AstElement::Value(value) => out.push(compile_value(texts, value, diagnostics)?),
                    AstElement::Spread(name) => {
                        let Some(NameDefinition::Let(scoped)) = texts.names.definition(texts.file, &name.text) else {
                            diagnostics.push(texts.names.unknown_name(texts.file, name));
                            return None;
                        };
                        out.extend(constants(texts, scoped, diagnostics)?);
                    }
                }
            }
            Some(RewriteValue::List(out))
        }
        ValueKind::Name(name) => {
            match name.as_single_name().and_then(|single| texts.names.definition(texts.file, &single.text)) {
                Some(NameDefinition::Let(scoped)) => {
                    let followed = texts.names.resolve_lets(scoped, diagnostics);
                    match followed.value.kind {
                        ValueKind::List(_) => constants(texts, followed, diagnostics).map(RewriteValue::List),
                        _ => literal_value(followed.value, diagnostics),
                    }
                }
                Some(NameDefinition::Def(..) | NameDefinition::Mark(..)) => {
                    diagnostics.push(not_a_member_value(value, "a condition"));
                    None
                }
                None if let Some(captured) = texts.names.captures.resolve(name) => {
                    let source = captured.map(|typed| RewriteValue::Source(typed.source));
                    source.map_err(|error| diagnostics.push(*error)).ok()
                }
                None => match field::resolve(name, texts.head, &|| texts.names.visible_names(texts.file)) {
                    Ok(typed) => Some(RewriteValue::Source(typed.in_zone(texts.names.zone()).source)),
                    Err(error) => {
                        texts.names.account.report_unknown(name.span, *error, diagnostics);
                        None
                    }
                },
            }
        }
        _ => literal_value(value, diagnostics),
    }
}

/// Compiles the elements of a list from a `let`, which must be literals.
fn constants<'a>(
    texts: &TextScope<'_, 'a>,
    list: ScopedValue<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<RewriteValue>> {
    let elements = texts.names.elements(list, diagnostics);
    elements.iter().map(|element| literal_value(element.value, diagnostics)).collect()
}

/// Compiles a literal; reports another value.
fn literal_value(value: &ast::AstValue, diagnostics: &mut Vec<Diagnostic>) -> Option<RewriteValue> {
    let constant = compile_literal(&value.kind).map(RewriteValue::Literal);
    if constant.is_none() {
        diagnostics.push(not_a_member_value(value, kind_noun(&value.kind)));
    }
    constant
}

/// Returns the finding about a value that a member cannot have.
fn not_a_member_value(value: &ast::AstValue, kind: &str) -> Diagnostic {
    Diagnostic::new(Code::BAD_VALUE, format!("a member cannot become {kind}"))
        .label(value.span, "not a value")
        .help("write a string, number, boolean, list, field, or `null` to remove it")
}
