//! Compiles the effects of a rule, and reports effects that an event of its head does not support.

use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{Effect, Head, Template};
use crate::schema::{Event, EventSpec};
use crate::span::Span;
use crate::syntax::ast::{self, EffectKind};
use crate::syntax::string_literal;
use crate::verdict::Decision;

use super::options::EffectOptions;
use super::template::TextScope;
use super::{record, rewrite, run};

/// Compiles one effect; `None` if a mistake was reported.
pub(super) fn compile_effect<'a>(
    texts: &TextScope<'_, 'a>,
    effect: &'a ast::AstEffect,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Effect> {
    let verb = effect.verb;
    if let Some(found) = message_in_braces(effect) {
        diagnostics.push(found);
        return None;
    }
    check_events(texts.head, &effect.kind, verb, diagnostics);
    match &effect.kind {
        // The options of these effects are compiled with them; no other effect has options.
        EffectKind::Deny(_) | EffectKind::RunShell(_) | EffectKind::RunArgv(..) | EffectKind::Record(_) => {}
        kind => drop(EffectOptions::new(effect.options.as_ref(), effect_keyword(kind), &[], diagnostics)),
    }
    match &effect.kind {
        EffectKind::Deny(message) => {
            let interrupt = interrupts(texts, effect, diagnostics);
            compile_vote(texts, Decision::Deny, message.as_ref(), verb, interrupt, diagnostics)
        }
        EffectKind::Ask(message) => compile_vote(texts, Decision::Ask, message.as_ref(), verb, false, diagnostics),
        EffectKind::Halt(message) => compile_vote(texts, Decision::Halt, message.as_ref(), verb, false, diagnostics),
        EffectKind::Allow(message) => {
            let message = message.as_ref().map(|text| texts.message(text, diagnostics)).unwrap_or_default();
            Some(Effect::Vote { decision: Decision::Allow, message, interrupt: false })
        }
        EffectKind::Exit(code, span, message) => compile_exit(texts, *code, *span, message.as_ref(), verb, diagnostics),
        EffectKind::Context(message) => {
            Some(Effect::Context(required_message(texts, "context", message.as_ref(), verb, diagnostics)?))
        }
        EffectKind::Warn(message) => {
            Some(Effect::Warn(required_message(texts, "warn", message.as_ref(), verb, diagnostics)?))
        }
        EffectKind::RewriteSet(..) | EffectKind::RewriteReplace(..) | EffectKind::RewriteRuns(..) => {
            rewrite::compile_rewrite(texts, &effect.kind, diagnostics).map(Effect::Rewrite)
        }
        EffectKind::Notify(title, body) => {
            let title = texts.required_argument(title, "title", diagnostics);
            let body = body.as_ref().map(|body| texts.message(body, diagnostics)).unwrap_or_default();
            Some(Effect::Notify { title, body })
        }
        EffectKind::RunShell(_) | EffectKind::RunArgv(..) => {
            run::compile_run(texts, effect, diagnostics).map(|run| Effect::Run(Box::new(run)))
        }
        EffectKind::Record(file) => {
            record::compile_record(texts, file, effect.options.as_ref(), verb, diagnostics).map(Effect::Record)
        }
    }
}

/// Returns the finding about `deny { message: "No." }`: the message belongs before the braces.
fn message_in_braces(effect: &ast::AstEffect) -> Option<Diagnostic> {
    let word = effect_keyword(&effect.kind);
    let (EffectKind::Deny(None)
    | EffectKind::Ask(None)
    | EffectKind::Halt(None)
    | EffectKind::Context(None)
    | EffectKind::Warn(None)) = &effect.kind
    else {
        return None;
    };
    let map = effect.options.as_ref()?;
    let message = map.entries.iter().find_map(|entry| match (&entry.key, &entry.value) {
        (ast::MapKey::Name(name), Some(ast::AstValue { kind: ast::ValueKind::Text(text), .. }))
            if matches!(name.text().as_str(), "message" | "reason" | "text" | "msg") =>
        {
            Some(text)
        }
        _ => None,
    })?;
    let edit = string_literal(&message.value, "");
    let found = Diagnostic::new(Code::MISSING_MESSAGE, format!("the message of `{word}` inside braces"))
        .label(map.span, "the message comes first")
        .help(format!("write `{word} {edit}`"));
    let is_alone = map.entries.len() == 1 && !message.value.contains('\n');
    Some(if is_alone { found.fix(map.span, edit) } else { found })
}

/// Whether a `deny` has `interrupt: true`. Reports it on an event other than PermissionRequest.
fn interrupts(texts: &TextScope<'_, '_>, deny: &ast::AstEffect, diagnostics: &mut Vec<Diagnostic>) -> bool {
    let options = EffectOptions::new(deny.options.as_ref(), "deny", &["interrupt"], diagnostics);
    let interrupts = options.flag("interrupt", diagnostics);
    if interrupts && !texts.head.events.iter().all(|selector| selector.event == Event::PermissionRequest) {
        let span = options.get("interrupt").map_or(deny.verb, |value| value.span);
        diagnostics.push(
            Diagnostic::new(Code::NO_SUCH_ANSWER, "`interrupt` is for `PermissionRequest` only")
                .label(span, "no other event carries it")
                .help("use `halt` to stop the whole agent"),
        );
    }
    interrupts
}

/// Compiles a vote with its message, which is required.
fn compile_vote(
    texts: &TextScope<'_, '_>,
    decision: Decision,
    message: Option<&ast::StringLiteral>,
    verb: Span,
    interrupt: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Effect> {
    let message = required_message(texts, decision.keyword(), message, verb, diagnostics)?;
    Some(Effect::Vote { decision, message, interrupt })
}

/// Compiles the message of an effect; reports a missing one. `word` is the keyword of the effect.
fn required_message(
    texts: &TextScope<'_, '_>,
    word: &str,
    message: Option<&ast::StringLiteral>,
    verb: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Template> {
    match message {
        Some(message) => Some(texts.required_argument(message, "message", diagnostics)),
        None => {
            diagnostics.push(
                Diagnostic::new(Code::MISSING_MESSAGE, format!("`{word}` without a message"))
                    .label(verb, "expected a message here")
                    .help(format!("write `{word} \"…\"`")),
            );
            None
        }
    }
}

/// Compiles `exit N "TEXT"`; reports a code that is not from 0 to 255.
fn compile_exit(
    texts: &TextScope<'_, '_>,
    code: Option<i64>,
    span: Span,
    message: Option<&ast::StringLiteral>,
    verb: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Effect> {
    let message = required_message(texts, "exit 2", message, verb, diagnostics);
    let code = code.and_then(|code| i32::try_from(code).ok()).filter(|code| (0..=255).contains(code));
    let Some(code) = code else {
        diagnostics.push(
            Diagnostic::new(Code::BAD_VALUE, "`exit` takes a code from 0 to 255")
                .label(span, "not a valid exit code")
                .help("write `exit 2 \"…\"` to block"),
        );
        return None;
    };
    Some(Effect::Exit { code, message: message? })
}

/// Returns the keyword of an effect.
fn effect_keyword(kind: &EffectKind) -> &'static str {
    match kind {
        EffectKind::Deny(_) => "deny",
        EffectKind::Ask(_) => "ask",
        EffectKind::Allow(_) => "allow",
        EffectKind::Halt(_) => "halt",
        EffectKind::Exit(..) => "exit",
        EffectKind::Context(_) => "context",
        EffectKind::Warn(_) => "warn",
        EffectKind::RewriteSet(..) | EffectKind::RewriteReplace(..) | EffectKind::RewriteRuns(..) => "rewrite",
        EffectKind::Notify(..) => "notify",
        EffectKind::RunShell(_) | EffectKind::RunArgv(..) => "run",
        EffectKind::Record(_) => "record",
    }
}

/// Reports the events of the head that do not support an effect.
fn check_events(head: &Head, kind: &EffectKind, verb: Span, diagnostics: &mut Vec<Diagnostic>) {
    let unsupporting: Vec<&'static EventSpec> =
        head.event_set().into_iter().map(Event::spec).filter(|spec| !is_supported(spec, kind)).collect();
    let Some(first) = unsupporting.first() else { return };
    let word = effect_keyword(kind);
    let code = if matches!(kind, EffectKind::Deny(_)) { Code::NO_DENY } else { Code::NO_SUCH_ANSWER };
    let message = match (head.every_event, unsupporting.len()) {
        (true, count) => format!("{count} of the events of `on *` cannot carry `{word}`"),
        (false, 1) => format!("`{}` cannot carry `{word}`", first.name),
        (false, _) => {
            format!(
                "{} cannot carry `{word}`",
                unsupporting.iter().map(|spec| format!("`{}`", spec.name)).collect::<Vec<_>>().join(", ")
            )
        }
    };
    let help = match (first.event, kind) {
        (Event::Stop | Event::SubagentStop, EffectKind::Context(_)) => {
            "write `deny \"…\"` to make the agent go on".to_owned()
        }
        (Event::Stop | Event::SubagentStop, EffectKind::Ask(_)) => {
            format!(
                "write `deny \"…\"` to make the agent go on; `{}` can carry {}",
                first.name,
                supported_effects(first)
            )
        }
        _ if head.every_event => "name the events that can carry it".to_owned(),
        (Event::PostToolUse, kind) if is_before_call(kind) => {
            "to prevent the call, write `on PreToolUse`; about what it came to, write `context \"…\"`, \
             or `halt \"…\"` to stop the agent"
                .to_owned()
        }
        (Event::PostToolUse | Event::PostToolUseFailure | Event::PostToolBatch, kind) if is_before_call(kind) => {
            format!(
                "to prevent the call, write `on PreToolUse`; `{}` can carry {}",
                first.name,
                supported_effects(first)
            )
        }
        _ => format!("`{}` can carry {}", first.name, supported_effects(first)),
    };
    diagnostics.push(Diagnostic::new(code, message).label(verb, why_unsupported(first.event, kind)).help(help));
}

/// Returns the label that explains why an event does not support an effect.
fn why_unsupported(event: Event, kind: &EffectKind) -> &'static str {
    match (event, kind) {
        (Event::PostToolUse | Event::PostToolUseFailure, EffectKind::Deny(_)) => {
            "the tool has already run: nothing can be undone"
        }
        (Event::PostToolBatch, EffectKind::Deny(_)) => "a block there ends the session without a message",
        (Event::Stop | Event::SubagentStop, EffectKind::Context(_)) => {
            "context there makes the agent go on, like a denial"
        }
        _ => "the host ignores it on this event",
    }
}

/// Whether an effect can only be about a call that has not run yet: a denial, a question or a halt.
fn is_before_call(kind: &EffectKind) -> bool {
    matches!(kind, EffectKind::Deny(_) | EffectKind::Ask(_) | EffectKind::Halt(_))
}

/// Whether an event supports an effect.
fn is_supported(spec: &EventSpec, kind: &EffectKind) -> bool {
    let answers = spec.answers;
    match kind {
        EffectKind::Deny(_) => answers.deny,
        EffectKind::Ask(_) => answers.ask,
        EffectKind::Allow(_) => answers.allow,
        EffectKind::Halt(_) => answers.halt,
        EffectKind::Context(_) => answers.context,
        EffectKind::Warn(_) | EffectKind::Exit(..) => answers.warn,
        EffectKind::RewriteSet(..) | EffectKind::RewriteReplace(..) | EffectKind::RewriteRuns(..) => answers.rewrite,
        EffectKind::Notify(..) | EffectKind::RunShell(_) | EffectKind::RunArgv(..) | EffectKind::Record(_) => true,
    }
}

/// Returns the effects that an event supports, as a list of keywords.
fn supported_effects(spec: &EventSpec) -> String {
    // `exit` is supported by the events that support `warn`, and the last three effects by every event.
    let exit = spec.answers.warn.then_some("exit");
    let all = spec.answers.keywords().chain(exit).chain(["run", "notify", "record"]);
    all.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
