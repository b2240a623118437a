//! Rewrites of the tool's input. The rewrites of each rule are applied once, in evaluation order, each to the result
//! of the previous one.

use std::iter;

use regex::Regex;
use serde_json::{Map, Value as Json};

use crate::context::{Context, Reason, ShellRole, Views};
use crate::ruleset::{Effect, Rewrite, RewriteTarget, RewriteValue, Rule, Template, TemplatePart};
use crate::schema::{Field, FieldLookup, FieldType, WRITTEN_TEXTS, field_type, tool_spec};
use crate::types::Payload;
use hookrules_shell::{Edit, join_scripts, split_scripts};

use super::commands::BYTES_PER_MATCH;
use super::effects::{json_literal, json_of};
use super::message::{render_exact, values};
use super::{Matched, RuleJudgement, RuleOutcome};

/// The matching rules with rewrites of the input, in evaluation order, and the results of applying them.
#[derive(Default)]
pub(super) struct Rewriter<'r> {
    rules: Vec<(&'r Rule, RuleJudgement)>,
    /// The displayed name of the rule that last changed the input.
    pub(super) last_to_change: Option<String>,
    /// The displayed name of the rule whose rewrite is too expensive, if there is one. No rewrite is applied then.
    pub(super) too_much: Option<String>,
    /// The rules whose rewrites are not applied, because earlier rewrites made their effect unknown.
    pub(super) unknown: Vec<(&'r Rule, RuleJudgement)>,
}

/// The maximum length of a text in which a regex is replaced, in bytes: some regexes take quadratic time.
const MAX_TEXT_BYTES: usize = 128 << 10;

/// The maximum length of the result of a replacement, in bytes.
const MAX_RESULT_BYTES: usize = 4 << 20;

/// The cost of analysing a rewritten command again, as a number of passes over its text.
const ANALYSIS_PASSES: usize = 200;

impl<'r> Rewriter<'r> {
    /// Adds a matching rule, if it rewrites the input. If two directories configure a rule of a pack differently but
    /// both variants do the same, only one is added.
    pub(super) fn add(&mut self, rule: &'r Rule, judged: &RuleJudgement) {
        let is_same = |(known, _): &(&Rule, RuleJudgement)| known.span == rule.span && known.has_same_effects(rule);
        if self.rules.iter().any(is_same) {
            return;
        }
        if rule.effects.iter().any(|effect| matches!(effect, Effect::Rewrite(rewrite) if !rewrite.is_of_output())) {
            self.rules.push((rule, RuleJudgement { parts: Vec::new(), ..judged.clone() }));
        }
    }

    /// Applies all rewrites, and returns the payload with the new input. `None` if the input is unchanged, or a
    /// rewrite is too expensive.
    pub(super) fn apply(&mut self, context: &Context<'_>) -> Option<Payload> {
        let original = context.payload().tool_input().filter(|input| input.is_object());
        let original = original.filter(|_| !self.rules.is_empty())?;
        let mut payload = context.payload().clone();
        for (rule, judged) in &self.rules {
            let current = context.with_payload(&payload);
            match apply_rewrites(rule, judged.matched.as_ref(), Views::new(&current).for_layer(rule.layer)) {
                Ok(Some(next)) => {
                    self.last_to_change = Some(rule.display_name.clone());
                    payload = next;
                }
                Ok(None) => {}
                Err(RewriteError::TooExpensive) => {
                    self.too_much = Some(rule.display_name.clone());
                    return None;
                }
                // The effect of the rewrite was known for the original input, so an earlier rewrite must have made it
                // unknown.
                Err(RewriteError::Unknown(reason)) => {
                    self.unknown
                        .push((rule, RuleJudgement { outcome: RuleOutcome::Unknown(reason), ..judged.clone() }));
                }
            }
        }
        (payload.tool_input() != Some(original)).then_some(payload)
    }
}

/// The reason why a rewrite is impossible.
enum RewriteError {
    /// The rewrite would take too long, or its result would be too long.
    TooExpensive,
    /// The effect of the rewrite is unknown.
    Unknown(Reason),
}

/// Applies the rewrites of one rule, each to the result of the previous one; `None` if they change nothing.
fn apply_rewrites(
    rule: &Rule,
    matched: Option<&Matched>,
    context: &Context<'_>,
) -> Result<Option<Payload>, RewriteError> {
    let mut result: Option<Payload> = None;
    for effect in rule.effects.iter() {
        let Effect::Rewrite(rewrite) = effect else { continue };
        // The values in a rewrite are those after the previous rewrite, like the text that it changes.
        let previous = result.as_ref().map(|payload| context.with_payload(payload));
        let current = previous.as_ref().unwrap_or(context);
        let Some(mut input) = current.payload().tool_input().cloned() else { continue };
        apply(rewrite, &mut input, current, matched)?;
        if current.payload().tool_input() != Some(&input) {
            let mut payload = current.payload().clone();
            payload.json.insert("tool_input".to_owned(), input);
            result = Some(payload);
        }
    }
    Ok(result)
}

/// Returns why the result of a rule's `rewrite runs … to …` is unknown; `None` if it is known, or there is no such
/// rewrite.
pub(super) fn unknown_edit(rule: &Rule, matched: Option<&Matched>, context: &Context<'_>) -> Option<Reason> {
    let edits_commands = |effect: &Effect| matches!(effect, Effect::Rewrite(Rewrite::Runs(_)));
    if !rule.effects.iter().any(edits_commands) {
        return None;
    }
    match apply_rewrites(rule, matched, context) {
        Err(RewriteError::Unknown(reason)) => Some(reason),
        Ok(_) | Err(RewriteError::TooExpensive) => None,
    }
}

/// Returns why the tool would refuse the input after a rewrite of the rule: a required member is removed, or a value
/// has the wrong type. `None` if it would not. If the head of the rule names the tools, the compiler has already
/// reported this.
pub(super) fn refused_rewrite(rule: &Rule, payload: &Payload) -> Option<Reason> {
    let spec = payload.tool_name().and_then(tool_spec)?;
    rule.effects.iter().find_map(|effect| {
        let Effect::Rewrite(Rewrite::Set(RewriteTarget::Input(path), value)) = effect else { return None };
        let member = path.join(".");
        if matches!(value, RewriteValue::Remove) {
            return is_required(spec.input, path).then(|| Reason::removed_member(spec.name, member));
        }
        let whole: Vec<&str> = iter::once("tool_input").chain(path.iter().map(String::as_str)).collect();
        match field_type(payload.event, &[spec], &whole) {
            FieldLookup::Found(ty) if !value.is_of_type(ty) => Some(Reason::misfit_member(spec.name, member)),
            _ => None,
        }
    })
}

/// Whether the member at a path is required in an object with these fields.
fn is_required(fields: &[Field], path: &[String]) -> bool {
    let Some((first, rest)) = path.split_first() else { return false };
    let Some(field) = fields.iter().find(|field| field.name == first) else { return false };
    match field.ty {
        FieldType::Object(inner) if !rest.is_empty() => is_required(inner, rest),
        _ => field.required && rest.is_empty(),
    }
}

/// Applies one rewrite to the input.
fn apply(
    rewrite: &Rewrite,
    input: &mut Json,
    context: &Context<'_>,
    matched: Option<&Matched>,
) -> Result<(), RewriteError> {
    match rewrite {
        Rewrite::Set(target, value) => {
            let Some(value) = json_value(value, context, matched) else { return Ok(()) };
            for path in target_paths(target, input, context) {
                set(input, &path, value.clone());
            }
        }
        Rewrite::Replace(target, regex, with) => {
            let Ok(regex) = regex.compiled() else { return Ok(()) };
            let with = replacement(with, context, matched);
            for path in target_paths(target, input, context) {
                if let Some(Json::String(text)) = path.iter().try_fold(&mut *input, |json, step| step.descend(json)) {
                    *text = match commands_in(&path, text, context.payload()) {
                        Some(commands) => {
                            let replaced = commands.iter().map(|command| replace_matches(regex, command, &with));
                            join_scripts(&replaced.collect::<Result<Vec<_>, _>>()?)
                        }
                        None => replace_matches(regex, text, &with)?,
                    };
                }
            }
        }
        Rewrite::Runs(edit) => {
            let edited = edit_commands(edit, context).map_err(RewriteError::Unknown)?;
            for path in target_paths(&RewriteTarget::Command, input, context) {
                if let (Some(place), Some(text)) =
                    (path.iter().try_fold(&mut *input, |json, step| step.descend(json)), &edited)
                {
                    *place = Json::String(text.clone());
                }
            }
        }
    }
    Ok(())
}

/// Returns the text with each match of a regex replaced.
fn replace_matches(regex: &Regex, text: &str, with: &str) -> Result<String, RewriteError> {
    if text.len() > MAX_TEXT_BYTES {
        return Err(RewriteError::TooExpensive);
    }
    // Each match is replaced by `with`, in which each group may be as long as the whole text.
    let matches = regex.find_iter(text).count().saturating_mul(with.len());
    let groups = with.matches('$').count().saturating_mul(text.len());
    if matches.saturating_add(groups) > MAX_RESULT_BYTES {
        return Err(RewriteError::TooExpensive);
    }
    Ok(regex.replace_all(text, with).into_owned())
}

/// Returns the commands of which the text at a path of the input was made, if the host sent a list of several. `None`
/// if a rewrite has replaced the whole text.
fn commands_in(path: &[JsonStep], text: &str, payload: &Payload) -> Option<Vec<String>> {
    let [JsonStep::Member(name)] = path else { return None };
    split_scripts(text, payload.origin.joined_commands(name)?)
}

/// Returns the call's shell text with its commands rewritten; `None` if nothing changes. If the host sent a list of
/// commands, each is edited as a text of its own, because an edit does not reach into the joined text's `bash -c '…'`.
fn edit_commands(edit: &Edit, context: &Context<'_>) -> Result<Option<String>, Reason> {
    let member = context.call().command_member();
    let text = member.zip(context.shell_text().map(|shell| shell.text.as_str()));
    let commands = text.and_then(|(name, text)| {
        let path = [JsonStep::Member(name.to_owned())];
        Some((name, commands_in(&path, text, context.payload())?))
    });
    let Some((member, commands)) = commands else { return edit_shell_text(edit, context) };
    let (mut edited, mut is_changed) = (Vec::new(), false);
    for command in commands {
        let mut payload = context.payload().clone();
        if let Some(input) = payload.json.get_mut("tool_input") {
            set(input, &[JsonStep::Member(member.to_owned())], command.as_str().into());
        }
        let changed = edit_shell_text(edit, &context.with_payload(&payload))?;
        is_changed |= changed.is_some();
        edited.push(changed.unwrap_or(command));
    }
    Ok(is_changed.then(|| join_scripts(&edited)))
}

/// Returns the call's shell text with the commands in it rewritten; `None` if nothing changes.
fn edit_shell_text(edit: &Edit, context: &Context<'_>) -> Result<Option<String>, Reason> {
    if context.call().has_unreadable_command() {
        return Err(Reason::unreadable_command());
    }
    let Some(shell) = context.shell_text() else { return Ok(None) };
    let command_count = shell.analysis.commands.len().saturating_add(shell.analysis.opaque.len());
    context.machine().charge_text(BYTES_PER_MATCH, command_count)?;
    context.machine().charge_text(shell.text.len(), ANALYSIS_PASSES)?;
    match shell.role {
        ShellRole::Command => Ok(edit.apply(&shell.text, &shell.analysis, &context.shell_start())?),
        ShellRole::Likely if edit.can_apply(&shell.analysis) => {
            Err(Reason::likely_command(context.payload().tool_name().unwrap_or_default()))
        }
        ShellRole::Likely => Ok(None),
    }
}

/// One step of a path into a JSON value: a member of an object, or an item of a list.
enum JsonStep {
    Member(String),
    Item(usize),
}

impl JsonStep {
    /// Returns the value that the step leads to; `None` if there is none.
    fn descend<'j>(&self, json: &'j mut Json) -> Option<&'j mut Json> {
        match self {
            Self::Member(name) => json.get_mut(name.as_str()),
            Self::Item(index) => json.get_mut(*index),
        }
    }
}

/// Returns the paths of a rewrite's target in the tool's input; empty if the tool has no such member.
fn target_paths(target: &RewriteTarget, input: &Json, context: &Context<'_>) -> Vec<Vec<JsonStep>> {
    let member = |name: &str| vec![vec![JsonStep::Member(name.to_owned())]];
    let name = context.payload().tool_name();
    let spec = name.and_then(tool_spec);
    match target {
        RewriteTarget::Output => Vec::new(),
        RewriteTarget::Input(path) => vec![path.iter().cloned().map(JsonStep::Member).collect()],
        RewriteTarget::Command => context.call().command_member().map(member).unwrap_or_default(),
        RewriteTarget::Url => match spec {
            Some(spec) => spec.url.map(member).unwrap_or_default(),
            None if input.get("url").is_some() => member("url"),
            None => Vec::new(),
        },
        RewriteTarget::Path => match spec {
            Some(spec) => spec.files.iter().find(|file| !file.glob).map(|file| member(file.member)).unwrap_or_default(),
            None => ["path", "file_path"]
                .iter()
                .find(|name| input.get(**name).is_some())
                .copied()
                .map(member)
                .unwrap_or_default(),
        },
        RewriteTarget::Content => {
            let text_members = WRITTEN_TEXTS.iter();
            let mut paths: Vec<Vec<JsonStep>> = text_members
                .filter(|name| input.get(**name).is_some_and(Json::is_string))
                .flat_map(|name| member(name))
                .collect();
            let edits = input.get("edits").and_then(Json::as_array).map_or(0, Vec::len);
            for index in 0..edits {
                let steps =
                    [JsonStep::Member("edits".into()), JsonStep::Item(index), JsonStep::Member("new_string".into())];
                paths.push(steps.into_iter().collect());
            }
            paths
        }
    }
}

/// Sets the value at a path; `null` removes the member. Objects that are missing on the path are created, unless the
/// member is removed.
fn set(json: &mut Json, path: &[JsonStep], value: Json) {
    let Some((step, rest)) = path.split_first() else { return };
    match step {
        JsonStep::Item(_) => {
            if let Some(inner) = step.descend(json) {
                set(inner, rest, value);
            }
        }
        JsonStep::Member(name) => {
            let Some(members) = json.as_object_mut() else { return };
            if rest.is_empty() && value.is_null() {
                members.shift_remove(name);
            } else if rest.is_empty() {
                members.insert(name.clone(), value);
            } else if !value.is_null() || members.contains_key(name) {
                set(members.entry(name.clone()).or_insert_with(|| Json::Object(Map::new())), rest, value);
            }
        }
    }
}

/// Returns the new value of a member. `None` if it comes from a field without a value: the member then remains
/// unchanged.
fn json_value(value: &RewriteValue, context: &Context<'_>, matched: Option<&Matched>) -> Option<Json> {
    Some(match value {
        RewriteValue::Text(template) => render_exact(template, context, matched).into(),
        RewriteValue::Literal(literal) => json_literal(literal),
        RewriteValue::Source(source) => {
            return Some(json_of(source, context, matched)).filter(|json| !json.is_null());
        }
        RewriteValue::List(values) => values.iter().filter_map(|value| json_value(value, context, matched)).collect(),
        RewriteValue::Remove => Json::Null,
    })
}

/// Returns the replacement text of a regex rewrite. `$1` means a group in the policy's own text, but not in a value.
pub(super) fn replacement(template: &Template, context: &Context<'_>, matched: Option<&Matched>) -> String {
    let mut out = String::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(text) => out.push_str(text),
            TemplatePart::Value(source) | TemplatePart::Component(source) => {
                out.push_str(&values(source, context, matched).join(", ").replace('$', "$$"))
            }
        }
    }
    out
}
