//! `test` blocks: what a whole policy says of a payload.

use serde_json::Value as Json;

use super::HOST;
use super::given::{given, literal};
use crate::context::{Context, ShellTools};
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::eval::{Detail, Evaluation, evaluate};
use crate::ruleset::RuleSet;
use crate::schema::OUTPUT;
use crate::span::Span;
use crate::syntax::ast::{Case, FieldName};
use crate::verdict::{Command, Decision, Run, Speaker};

const DECISIONS: &[&str] = &["pass", "allow", "ask", "deny", "halt"];

/// Judges one `given … expect …`.
pub(super) fn judge(case: &Case, rules: &RuleSet) -> Result<(), Diagnostic> {
    check(case, rules)?;
    let given = given(&case.given, None)?;
    let tools = ShellTools::default();
    let context = Context::new(&given.payload, HOST, &given.facts, &tools);
    let evaluation = evaluate(rules, &context, Detail::Outcomes);
    compare(case, rules, &evaluation)
}

/// Checks the words of an `expect`, which hold whatever comes out.
fn check(case: &Case, rules: &RuleSet) -> Result<(), Diagnostic> {
    let decision = &case.expect.decision;
    if !DECISIONS.contains(&decision.text.as_str()) {
        return Err(Diagnostic::new(Code::BAD_EXAMPLE, format!("`{}` is not a decision", decision.text))
            .label(decision.span, "not a decision")
            .maybe_help(suggest("decision", &decision.text, DECISIONS.iter().copied())));
    }
    for name in &case.expect.by {
        if named(rules, &name.text).is_none() {
            let known = rules.rules().iter().map(|rule| rule.name.as_str());
            return Err(Diagnostic::new(Code::UNKNOWN_NAME, format!("unknown rule `{}`", name.text))
                .label(name.span, "not a rule")
                .maybe_help(suggest("rule", &name.text, known)));
        }
    }
    Ok(())
}

/// Finds a rule by its name; the last part of it is enough where that is unique.
fn named<'r>(rules: &'r RuleSet, name: &str) -> Option<&'r str> {
    let full = rules.rules().iter().find(|rule| rule.name == name || rule.shown == name);
    let mut short = rules.rules().iter().filter(|rule| rule.name.rsplit('/').next() == Some(name));
    full.or_else(|| short.next().filter(|_| short.next().is_none())).map(|rule| rule.shown.as_str())
}

fn compare(case: &Case, rules: &RuleSet, evaluation: &Evaluation) -> Result<(), Diagnostic> {
    let expect = &case.expect;
    let verdict = &evaluation.verdict;
    let decision = verdict.decision();
    let winners: Vec<&Speaker> = verdict.winners().map(|vote| &vote.by).collect();
    let shown: Vec<&str> = winners.iter().map(|by| by.name()).collect();
    if decision.word() != expect.decision.text {
        let by = if winners.is_empty() { String::new() } else { format!(" by {}", quoted(&shown)) };
        return Err(fails(case, expect.decision.span, format!("it is `{}`{by}", decision.word())));
    }
    for name in &expect.by {
        let rule = named(rules, &name.text).unwrap_or_default();
        if !winners.iter().any(|by| by.is_rule(rule)) {
            let who = if decision == Decision::Pass {
                "no rule votes".to_owned()
            } else {
                format!("the deciding rule is {}", quoted(&shown))
            };
            return Err(fails(case, name.span, who));
        }
    }
    for text in &expect.message {
        let message = verdict.message();
        if !message.contains(&text.value) {
            return Err(fails(case, text.span, format!("the message is {}", quoted(&[message.as_str()]))));
        }
    }
    for text in &expect.context {
        if !verdict.contexts.iter().any(|context| context.text.contains(&text.value)) {
            let all: Vec<&str> = verdict.contexts.iter().map(|context| context.text.as_str()).collect();
            let is = if all.is_empty() {
                "there is no context".to_owned()
            } else {
                format!("the context is {}", quoted(&all))
            };
            return Err(fails(case, text.span, is));
        }
    }
    for (field, value) in &expect.rewrites {
        let wanted = literal(value)?;
        let of_output = field.segments.first().is_some_and(|segment| segment.text == OUTPUT);
        let updated = if of_output { &verdict.updated_output } else { &verdict.updated_input };
        let is = updated.as_ref().map(|updated| member(updated, field));
        match is {
            Some(is) if is == wanted => {}
            Some(is) => return Err(fails(case, field.span, format!("it becomes {is}"))),
            None => return Err(fails(case, field.span, "nothing is rewritten".to_owned())),
        }
    }
    for text in &expect.run {
        if !verdict.runs.iter().any(|run| rendered(run).contains(&text.value) || run.shown.contains(&text.value)) {
            let all: Vec<String> = verdict.runs.iter().map(rendered).collect();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            let is =
                if all.is_empty() { "no command runs".to_owned() } else { format!("the command is {}", quoted(&all)) };
            return Err(fails(case, text.span, is));
        }
    }
    Ok(())
}

/// Returns a member of the rewritten input or output: `null` where it is absent. The derived names mean the members
/// that every tool has them in.
fn member(input: &Json, field: &FieldName) -> Json {
    let segments: Vec<&str> = field.segments.iter().map(|segment| segment.text.as_str()).collect();
    let get = |path: &[&str]| path.iter().try_fold(input, |json, name| json.get(*name)).cloned();
    let first = |names: &[&str]| names.iter().find_map(|name| input.get(*name)).cloned();
    let found = match segments.as_slice() {
        ["tool_input" | OUTPUT, rest @ ..] => get(rest),
        ["path"] => first(&["file_path", "notebook_path", "path"]),
        ["content"] => first(&["content", "new_string", "new_source"]),
        other => get(other),
    };
    found.unwrap_or(Json::Null)
}

fn rendered(run: &Run) -> String {
    match &run.command {
        Command::Argv(words) => words.join(" "),
        Command::Shell { script, parameters } => {
            let mut text = script.clone();
            for (index, parameter) in parameters.iter().enumerate() {
                let number = index + 1;
                text = text
                    .replace(&format!("\"${{{number}}}\""), parameter)
                    .replace(&format!("${{{number}}}"), parameter);
            }
            text
        }
    }
}

fn quoted(texts: &[&str]) -> String {
    texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ")
}

fn fails(case: &Case, span: Span, is: String) -> Diagnostic {
    Diagnostic::new(Code::WRONG_EXAMPLE, "a test fails").label(span, is).label(case.given.span, "given this")
}
