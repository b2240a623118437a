//! `rewrite …`.

use crate::diagnostic::{Code, Diagnostic, nearest, suggest};
use crate::ruleset::{Rewrite, RewriteValue, Target};
use crate::schema::{Event, FieldLookup, OUTPUT, ToolSpec, Type, WRITTEN_TEXTS, field_type};
use crate::span::Span;
use crate::syntax::ast::{self, EffectKind, Element, ValueKind};
use hookrules_shell::Edit;
use hookrules_shell::edit::BadEdit;
use hookrules_shell::pattern::BadPattern;

use super::account::Cost;
use super::head::tools;
use super::names::{Named, Scoped};
use super::template::Texts;
use super::values::{check_regex, kind_word, literal};
use super::{commands, field};

/// Compiles a rewrite.
pub(super) fn rewrite<'a>(
    texts: &Texts<'_, 'a>,
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
    texts: &Texts<'_, 'a>,
    name: &'a ast::FieldName,
    value: &'a ast::Value,
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
    let target = target(texts, name, matches!(value.kind, ValueKind::Null), diagnostics)?;
    let new = rewrite_value(texts, value, diagnostics)?;
    check_fits(texts, name, &new, value.span, diagnostics)?;
    Some(Rewrite::Set(target, new))
}

/// Compiles `rewrite FIELD replace REGEX with TEXT`.
fn replacement<'a>(
    texts: &Texts<'_, 'a>,
    name: &'a ast::FieldName,
    regex: &'a ast::Value,
    with: &'a ast::Text,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Rewrite> {
    let target = target(texts, name, false, diagnostics);
    let regex = match &regex.kind {
        ValueKind::Regex(regex) => check_regex(texts.names, regex, diagnostics),
        ValueKind::Name(_) => super::values::regex(texts.names, Scoped { file: texts.file, value: regex }, diagnostics),
        kind => {
            let is = kind_word(kind);
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
    texts: &Texts<'_, '_>,
    from: &ast::Text,
    to: &ast::Text,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Rewrite> {
    match Edit::with(&from.value, &to.value, texts.names.programs(from.span)) {
        Ok(edit) if to.placeholders.is_empty() => {
            let parts = commands::parts_of_programs(edit.programs());
            texts.names.account.charge(parts, Cost::Patterns, from.span)?;
            check_event(texts, &Target::Command, from.span, diagnostics)?;
            carried(texts, &Target::Command, "`command`", from.span, diagnostics)?;
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

/// Returns the diagnostic for an invalid `rewrite runs`.
fn bad_edit(bad: &BadEdit, from: &ast::Text, to: &ast::Text) -> Box<Diagnostic> {
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

fn bad_command(message: &str, to: &ast::Text, label: &str) -> Diagnostic {
    Diagnostic::new(Code::BAD_PATTERN, message)
        .label(to.span, label)
        .help("write each word as it should appear in the command")
}

/// Checks that the groups named in a replacement exist in the regex: a missing one would be empty.
fn check_groups(regex: &crate::ruleset::LazyRegex, with: &ast::Text, diagnostics: &mut Vec<Diagnostic>) {
    // Compiling is expensive, and most replacements name no group.
    let Some(Ok(regex)) = with.value.contains('$').then(|| regex.get()) else { return };
    let mut rest = with.value.as_str();
    while let Some((_, behind)) = rest.split_once('$') {
        let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (group, after) = match behind.strip_prefix('{').and_then(|braced| braced.split_once('}')) {
            _ if behind.starts_with('$') => ("", behind.get(1..).unwrap_or_default()),
            Some((group, after)) => (group, after),
            None => behind.split_at(behind.find(|c| !name(c)).unwrap_or(behind.len())),
        };
        rest = after;
        let known = match group.parse::<usize>() {
            Ok(number) => number < regex.captures_len(),
            Err(_) => group.is_empty() || regex.capture_names().flatten().any(|known| known == group),
        };
        if known {
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

fn target(
    texts: &Texts<'_, '_>,
    name: &ast::FieldName,
    removes: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Target> {
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    let target = match segments.as_slice() {
        ["command"] => Target::Command,
        ["path"] => Target::Path,
        ["content"] => Target::Content,
        ["url"] => Target::Url,
        [OUTPUT] => {
            check_event(texts, &Target::Output, name.span, diagnostics)?;
            return Some(Target::Output);
        }
        ["tool_input", rest @ ..] if !rest.is_empty() => {
            check_event(texts, &Target::Input(Vec::new()), name.span, diagnostics)?;
            check_member(texts, name, &segments, removes, diagnostics)?;
            return Some(Target::Input(rest.iter().map(|segment| (*segment).to_owned()).collect()));
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
    carried(texts, &target, &format!("`{}`", name.text()), name.span, diagnostics)?;
    Some(target)
}

/// Checks that the events of the head support the rewrite: of the input before the call, of the output after it. Events
/// that support neither are reported with the effect.
fn check_event(texts: &Texts<'_, '_>, target: &Target, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Option<()> {
    let is_output = *target == Target::Output;
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

/// Checks that a tool that the head can select has the rewritten member.
fn carried(
    texts: &Texts<'_, '_>,
    target: &Target,
    name: &str,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<()> {
    let tools: Vec<_> = texts.head.event_set().into_iter().map(|event| tools(texts.head, event)).collect();
    let known = !tools.is_empty() && tools.iter().all(|tools| !tools.is_empty());
    if known && !tools.iter().flatten().any(|tool| has(tool, target)) {
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
fn has(tool: &ToolSpec, target: &Target) -> bool {
    let member = |name: &str| tool.input.iter().any(|field| field.name == name);
    match target {
        Target::Command => tool.command.is_some(),
        Target::Url => tool.url.is_some(),
        Target::Path => tool.files.iter().any(|file| !file.glob),
        Target::Content => WRITTEN_TEXTS.iter().copied().chain(["edits"]).any(member),
        Target::Input(path) => path.first().is_some_and(|name| member(name)),
        Target::Output => true,
    }
}

/// Checks that a new value has the type of the one that it replaces.
fn check_fits(
    texts: &Texts<'_, '_>,
    name: &ast::FieldName,
    value: &RewriteValue,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<()> {
    let segments: Vec<&str> = name.segments.iter().map(|segment| segment.text.as_str()).collect();
    let events = texts.head.event_set();
    let mut types = events.into_iter().map(|event| match segments.as_slice() {
        ["tool_input", ..] => field_type(event, &tools(texts.head, event), &segments),
        _ => FieldLookup::Found(Type::String),
    });
    let misfit = types.find_map(|found| match found {
        FieldLookup::Found(ty) if !value.fits(ty) => Some(ty),
        _ => None,
    });
    let Some(ty) = misfit else { return Some(()) };
    let wanted = match ty {
        Type::Number => "a number",
        Type::Boolean => "`true` or `false`",
        Type::List(_) => "a list",
        Type::Object(_) => "an object",
        Type::String | Type::Path | Type::Enum(_) | Type::Any => "a string",
    };
    diagnostics.push(
        Diagnostic::new(Code::TYPE_MISMATCH, format!("`{}` is {wanted}", name.text()))
            .label(span, "the tool would refuse the call")
            .help(format!("give it {wanted}")),
    );
    None
}

fn required_member(name: &ast::FieldName) -> Diagnostic {
    Diagnostic::new(Code::REWRITE_TARGET, format!("`{}` cannot be removed", name.text()))
        .label(name.span, "required by the tool: the call would fail")
        .help("deny the call, or set another value")
}

/// Checks a member of the input against every tool that the head can select.
fn check_member(
    texts: &Texts<'_, '_>,
    name: &ast::FieldName,
    segments: &[&str],
    removes: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<()> {
    let mut siblings: Vec<String> = Vec::new();
    let mut known = false;
    for event in texts.head.event_set() {
        let tools = tools(texts.head, event);
        match field_type(event, &tools, segments) {
            FieldLookup::Found(_) | FieldLookup::Open => known = true,
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
        .or_else(|| nearest(&name.text(), siblings.iter().map(String::as_str)).map(str::to_owned));
    diagnostics.push(match near.filter(|_| segments.len() == 2) {
        Some(near) => found.help(format!("a member named `{near}` exists")).fix_that_changes(name.span, near),
        None => found.maybe_help(suggest("member", &name.text(), siblings.iter().map(String::as_str))),
    });
    None
}

fn rewrite_value<'a>(
    texts: &Texts<'_, 'a>,
    value: &'a ast::Value,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<RewriteValue> {
    match &value.kind {
        ValueKind::Text(text) => Some(RewriteValue::Text(texts.template(text, diagnostics))),
        ValueKind::Null => Some(RewriteValue::Remove),
        ValueKind::List(elements) => {
            let mut out = Vec::new();
            for element in elements {
                match element {
                    Element::Value(value) => out.push(rewrite_value(texts, value, diagnostics)?),
                    Element::Spread(name) => {
                        let Some(Named::Let(scoped)) = texts.names.get(texts.file, &name.text) else {
                            diagnostics.push(texts.names.unknown(texts.file, name));
                            return None;
                        };
                        out.extend(constants(texts, scoped, diagnostics)?);
                    }
                }
            }
            Some(RewriteValue::List(out))
        }
        ValueKind::Name(name) => match name.single().and_then(|single| texts.names.get(texts.file, &single.text)) {
            Some(Named::Let(scoped)) => {
                let followed = texts.names.follow(scoped, diagnostics);
                match followed.value.kind {
                    ValueKind::List(_) => constants(texts, followed, diagnostics).map(RewriteValue::List),
                    _ => constant(followed.value, diagnostics),
                }
            }
            Some(Named::Def(..)) => {
                diagnostics.push(no_member(value, "a condition"));
                None
            }
            None => match field::resolve(name, texts.head, &|| texts.names.visible(texts.file)) {
                Ok(typed) => Some(RewriteValue::Source(typed.source)),
                Err(error) => {
                    texts.names.account.report_unknown(name.span, *error, diagnostics);
                    None
                }
            },
        },
        _ => constant(value, diagnostics),
    }
}

/// Compiles the elements of a defined list, which are constants.
fn constants<'a>(
    texts: &Texts<'_, 'a>,
    list: Scoped<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<RewriteValue>> {
    let elements = texts.names.elements(list, diagnostics);
    elements.iter().map(|element| constant(element.value, diagnostics)).collect()
}

/// Returns a literal value.
fn constant(value: &ast::Value, diagnostics: &mut Vec<Diagnostic>) -> Option<RewriteValue> {
    let constant = literal(&value.kind).map(RewriteValue::Literal);
    if constant.is_none() {
        diagnostics.push(no_member(value, kind_word(&value.kind)));
    }
    constant
}

fn no_member(value: &ast::Value, kind: &str) -> Diagnostic {
    Diagnostic::new(Code::BAD_VALUE, format!("a member cannot become {kind}"))
        .label(value.span, "not a value")
        .help("write a string, number, boolean, list, field, or `null` to remove it")
}
