//! Compiles the texts of effects: resolves the placeholders, and reports misspelled ones and notations of other
//! languages.

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic, nearest_name};
use crate::ruleset::{Head, Measure, Template, TemplatePart, ValueReference};
use crate::schema::Event;
use crate::syntax::ast::{self, ValueKind};
use crate::syntax::foreign_values::{
    self, ForeignPlaceholder, PlaceholderCertainty, ValueContext, foreign_output, foreign_value,
};

use super::captures::{capture_of_definition_help, near_capture_help};
use super::condition::ConditionCompiler;
use super::field::resolve_placeholder;
use super::marks::past_of_mark;
use super::names::{LayerNames, NameDefinition, ScopedValue};
use crate::span::Span;

/// The maximum number of placeholders of other languages that are examined in a text.
const MAX_FOREIGN_PLACEHOLDERS: usize = 8;

/// The scope in which the placeholders of texts are resolved: the names in a file, and the head of the rule.
pub(super) struct TextScope<'c, 'a> {
    pub(super) names: &'c LayerNames<'a>,
    pub(super) file: usize,
    pub(super) head: &'c Head,
}

impl<'a> TextScope<'_, 'a> {
    /// Compiles a text. Braces that do not contain the name of a field remain text.
    pub(super) fn template(&self, text: &ast::StringLiteral, diagnostics: &mut Vec<Diagnostic>) -> Template {
        let mut parts = Vec::new();
        let mut at = 0;
        for placeholder in &text.placeholders {
            if self.names.account.exceeded_limit().is_some() {
                break;
            }
            let Some(source) = self.placeholder(placeholder, diagnostics) else { continue };
            let before = text.value.get(at..placeholder.range.start).unwrap_or_default();
            if !before.is_empty() {
                parts.push(TemplatePart::Text(before.to_owned()));
            }
            parts.push(TemplatePart::Value(source));
            at = placeholder.range.end;
        }
        let rest = text.value.get(at..).unwrap_or_default();
        if !rest.is_empty() {
            parts.push(TemplatePart::Text(rest.to_owned()));
        }
        Template { parts }
    }

    /// Compiles a text that is displayed. Reports values in the notation of other languages, and placeholders that
    /// nothing replaces.
    pub(super) fn message(&self, text: &ast::StringLiteral, diagnostics: &mut Vec<Diagnostic>) -> Template {
        let before = diagnostics.len();
        let template = self.argument(text, diagnostics);
        let variables = foreign_values::variables(&text.value).into_iter().take(MAX_FOREIGN_PLACEHOLDERS);
        diagnostics.extend(variables.filter_map(|variable| self.foreign_variable(text, variable)));
        diagnostics.extend(foreign_output(text));
        diagnostics.extend(foreign_values::unfilled_forms(text, self.names.captures.has_groups()));
        for placeholder in text.placeholders.iter().take(MAX_FOREIGN_PLACEHOLDERS) {
            let name = &placeholder.name;
            let is_reported = diagnostics.iter().skip(before).any(|it| it.span() == Some(name.span));
            let first = name.segments.first().map_or("", |first| first.text.as_str());
            let is_unparsed = self.names.may_be_unparsed(self.file, first);
            let is_code = is_in_backticks(&text.value, placeholder.range.start);
            let is_filled = match placeholder.counted.is_some() {
                true => name.as_single_name().is_some_and(|mark| past_of_mark(self.names, self.file, mark).is_some()),
                false => self.has_value(name),
            };
            if is_reported || is_code || is_unparsed || self.head.events.is_empty() || is_filled {
                continue;
            }
            let is_of_definition =
                name.as_single_name().is_some_and(|it| self.names.captures.is_of_definition(&it.text));
            let written = match placeholder.counted.is_some() && !is_of_definition {
                true => format!("count {}", name.text()),
                false => name.text(),
            };
            let help = match is_of_definition {
                true => capture_of_definition_help(&written),
                false => format!("name a field, or write `\\{{{written}}}` for the braces themselves"),
            };
            diagnostics.push(
                Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("nothing fills in `{{{written}}}`"))
                    .label(name.span, "would be shown literally")
                    .help(help),
            );
        }
        template
    }

    /// Returns the finding about a value in the notation of another language.
    fn foreign_variable(
        &self,
        text: &ast::StringLiteral,
        variable: foreign_values::HookVariable<'_>,
    ) -> Option<Diagnostic> {
        let foreign_values::HookVariable { range, name, meant } = variable;
        if name.len() < 2 || is_in_backticks(&text.value, range.start) {
            return None;
        }
        let meant = self.intended_name(meant?, PlaceholderCertainty::Certain, text.span)?;
        Some(foreign_value(text, range, ValueContext::Text, Some(format!("{{{meant}}}"))))
    }

    /// Whether the name in a placeholder refers to a value.
    fn has_value(&self, name: &ast::FieldName) -> bool {
        let is_let =
            name.as_single_name().is_some_and(|single| self.names.definition(self.file, &single.text).is_some());
        is_let
            || self.names.captures.resolve(name).is_some()
            || name.text() == "now"
            || resolve_placeholder(name, self.head, &Vec::new).is_ok()
    }

    /// Compiles an argument, and reports values in the notation of other languages, such as `${path}`.
    pub(super) fn argument(&self, text: &ast::StringLiteral, diagnostics: &mut Vec<Diagnostic>) -> Template {
        let template = self.template(text, diagnostics);
        for ForeignPlaceholder { range, name, form } in
            foreign_values::placeholders(text).into_iter().take(MAX_FOREIGN_PLACEHOLDERS)
        {
            let Some(meant) = self.intended_name(name, form, text.span) else { continue };
            let context = if form == PlaceholderCertainty::Raw { ValueContext::Raw } else { ValueContext::Text };
            diagnostics.push(foreign_value(text, range, context, Some(format!("{{{meant}}}"))));
        }
        template
    }

    /// Reports placeholders in single quotes in a command, `run 'prettier {path}'`, which are not replaced. A program
    /// of jq is left out, because its braces are an object.
    pub(super) fn raw_placeholders(&self, text: &ast::StringLiteral, diagnostics: &mut Vec<Diagnostic>) {
        let found = foreign_values::placeholders(text).into_iter().filter(|it| it.form == PlaceholderCertainty::Raw);
        for ForeignPlaceholder { range, name, form } in found.take(MAX_FOREIGN_PLACEHOLDERS) {
            let before = text.value.get(..range.start).unwrap_or_default();
            if before.contains("jq ") {
                return;
            }
            let Some(meant) = self.intended_name(name, form, text.span) else { continue };
            diagnostics.push(foreign_value(text, range, ValueContext::Raw, Some(format!("{{{meant}}}"))));
        }
    }

    /// Reports shell variables that the script never sets, if a field of the event is meant: `run "prettier $path"`.
    pub(super) fn shell_variables(&self, text: &ast::StringLiteral, diagnostics: &mut Vec<Diagnostic>) {
        for ForeignPlaceholder { range, name, .. } in
            foreign_values::placeholders(text).into_iter().take(MAX_FOREIGN_PLACEHOLDERS)
        {
            let written = text.value.get(range.clone()).unwrap_or_default();
            let is_variable = written.starts_with('$');
            let is_lower = name.bytes().all(|b| b.is_ascii_lowercase() || matches!(b, b'_' | b'.'));
            if !is_variable || !is_lower || may_set_variable(text, name) {
                continue;
            }
            let Some(meant) = self.intended_name(name, PlaceholderCertainty::Likely, text.span) else { continue };
            diagnostics.push(foreign_value(text, range, ValueContext::Command, Some(format!("{{{meant}}}"))));
        }
    }

    /// Reports variables that other systems set for their hooks: `run "prettier $FILE"`.
    pub(super) fn hook_variables(&self, text: &ast::StringLiteral, diagnostics: &mut Vec<Diagnostic>) {
        // A script that defines functions or sets its arguments has its own positional parameters.
        let sets_parameters = text.value.contains("()") || text.value.contains("set -- ");
        for foreign_values::HookVariable { range, name, meant } in
            foreign_values::variables(&text.value).into_iter().take(MAX_FOREIGN_PLACEHOLDERS)
        {
            let meant = meant.filter(|_| !sets_parameters && !may_set_variable(text, name));
            let Some(meant) =
                meant.and_then(|meant| self.intended_name(meant, PlaceholderCertainty::Certain, text.span))
            else {
                continue;
            };
            diagnostics.push(foreign_value(text, range, ValueContext::HookCommand, Some(format!("{{{meant}}}"))));
        }
    }

    /// Reports variables in the words of a list, which no shell expands: `run ["prettier", "$FILE"]`.
    pub(super) fn variables_in_list(&self, words: &[ast::StringLiteral], diagnostics: &mut Vec<Diagnostic>) {
        // A word after `-c` or `-e` is code, in which a variable may be expanded.
        if words.iter().any(|word| matches!(word.value.as_str(), "-c" | "-e" | "-lc" | "-ec" | "eval")) {
            return;
        }
        for word in words {
            let variables = foreign_values::variables(&word.value);
            // The word is the variable, or a path that begins with it.
            let begins_word = |range: &std::ops::Range<usize>| {
                range.start == 0
                    && matches!(word.value.get(range.end..), Some(behind) if behind.is_empty() || behind.starts_with('/'))
            };
            let Some(foreign_values::HookVariable { range, meant, .. }) =
                variables.into_iter().find(|it| begins_word(&it.range))
            else {
                continue;
            };
            let meant = meant.and_then(|meant| self.intended_name(meant, PlaceholderCertainty::Certain, word.span));
            diagnostics.push(foreign_value(word, range, ValueContext::List, meant.map(|meant| format!("{{{meant}}}"))));
        }
    }

    /// Returns the field, fact or `let` that the name in a placeholder of another language means; `None` if it means
    /// nothing here.
    fn intended_name(&self, name: &str, form: PlaceholderCertainty, span: Span) -> Option<String> {
        let segments: Vec<ast::Name> =
            name.split('.').map(|segment| ast::Name { text: segment.to_owned(), span }).collect();
        let name = ast::FieldName { segments, span };
        if self.head.events.is_empty() {
            return None;
        }
        if let Some(single) = name.as_single_name()
            && let Some(NameDefinition::Let(_)) = self.names.definition(self.file, &single.text)
        {
            return Some(name.text());
        }
        if self.names.captures.resolve(&name).is_some() {
            return Some(name.text());
        }
        self.names.account.charge_unknown(span)?;
        match resolve_placeholder(&name, self.head, &Vec::new) {
            Ok(_) => Some(name.text()),
            // If the notation is certainly a placeholder, the name may be a foreign one. Otherwise only the bare name
            // of a member of the input is accepted, which can mean nothing else.
            Err(error) if form == PlaceholderCertainty::Certain || error.code == Code::FIELD_NOT_CARRIED => {
                error.fix.map(|fix| shorter_name(fix.replacement))
            }
            Err(_) => None,
        }
    }

    /// Compiles an argument; reports one that is empty. `what` is the noun for it.
    pub(super) fn required_argument(
        &self,
        text: &ast::StringLiteral,
        what: &str,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Template {
        if text.value.trim().is_empty() {
            diagnostics.push(
                Diagnostic::new(Code::MISSING_MESSAGE, format!("an empty {what}"))
                    .label(text.span, "empty")
                    .help("say why, and what to do instead"),
            );
        }
        self.message(text, diagnostics)
    }

    /// Resolves a placeholder. `None` if its name is unknown: the braces then remain text, and a probable typing
    /// error is reported.
    pub(super) fn placeholder(
        &self,
        placeholder: &ast::Placeholder,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<ValueReference> {
        if let Some(events) = &placeholder.counted {
            let mark = placeholder.name.as_single_name()?;
            past_of_mark(self.names, self.file, mark)?;
            let mut conditions = ConditionCompiler::new(self.names, self.head, diagnostics);
            let test = conditions.counted_in_text(self.file, events)?;
            return Some(ValueReference::Measured(Measure::Past(Box::new(test))));
        }
        if let Some(single) = placeholder.name.as_single_name()
            && let Some(NameDefinition::Let(scoped)) = self.names.definition(self.file, &single.text)
        {
            return self.let_constant(scoped, diagnostics);
        }
        if placeholder.name.as_single_name().is_some_and(|name| name.text == "now") {
            diagnostics.push(
                Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, "`{now}` in a text")
                    .label(placeholder.name.span, "the time is known only when a record is written")
                    .help("write it alone as a value of `record`: `at: now`"),
            );
            return None;
        }
        if let Some(captured) = self.names.captures.resolve(&placeholder.name) {
            return captured.map(|typed| typed.source).map_err(|error| diagnostics.push(*error)).ok();
        }
        match resolve_placeholder(&placeholder.name, self.head, &Vec::new) {
            Ok(typed) => Some(typed.in_zone(self.names.zone()).source),
            Err(error) => {
                self.names.account.charge_unknown(placeholder.name.span)?;
                self.report_typo(placeholder, &error, diagnostics);
                None
            }
        }
    }

    /// Returns the text of a `let`, with the elements of a list joined by `, `.
    fn let_constant(&self, scoped: ScopedValue<'a>, diagnostics: &mut Vec<Diagnostic>) -> Option<ValueReference> {
        let mut findings = Vec::new();
        let texts: Vec<String> = self
            .names
            .elements(scoped, &mut findings)
            .into_iter()
            .filter_map(|element| match &element.value.kind {
                ValueKind::Text(text) => Some(text.value.clone()),
                ValueKind::Number(_, text) | ValueKind::Duration(_, text) | ValueKind::Size(_, text) => {
                    Some(text.clone())
                }
                ValueKind::Boolean(truth) => Some(truth.to_string()),
                ValueKind::Regex(regex) => Some(format!("/{}/{}", regex.pattern, regex.flags)),
                _ => None,
            })
            .collect();
        diagnostics.extend(findings);
        Some(ValueReference::Constant(Arc::from(texts.join(", "))))
    }

    /// Returns the names that a placeholder can have: fields, facts, and names in the scope of the file.
    fn placeholder_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.head.event_set().into_iter().flat_map(Event::fields).map(|field| field.name).collect();
        names.extend(["project", "path", "content", "command", "url", "domain", "match", "place"]);
        names.extend(["agent", "event", "host", "now"]);
        names.extend(["git.branch", "git.remote", "git.root", "os", "time", "weekday"]);
        names.extend(self.names.visible_names(self.file));
        names
    }

    /// Reports a placeholder that is probably a misspelled field, because it would be displayed literally.
    fn report_typo(&self, placeholder: &ast::Placeholder, error: &Diagnostic, diagnostics: &mut Vec<Diagnostic>) {
        let text = placeholder.name.text();
        let first = placeholder.name.segments.first().map_or("", |first| first.text.as_str());
        // A name from an item that could not be parsed was reported there; and any short name is similar to another.
        if self.names.may_be_unparsed(self.file, first) || text.len() < 3 {
            return;
        }
        let is_on_another_event = Event::ALL.iter().any(|event| event.fields().any(|field| field.name == text));
        let is_nested = placeholder.name.as_single_name().is_none();
        let is_of_field =
            is_nested && self.head.event_set().into_iter().flat_map(Event::fields).any(|it| it.name == first);
        // The resolution of the name has already found names that are similar in spelling or meaning, or are in the
        // tool's input.
        let intended =
            error.fix.as_ref().filter(|_| is_of_field || !is_nested).map(|fix| shorter_name(fix.replacement.clone()));
        let captured = self.names.captures.nearest(&text);
        let candidates = self.placeholder_names();
        let near = intended.as_deref().or_else(|| nearest_name(&text, candidates.iter().copied()));
        let (Some(help), fix) = (match (near, is_on_another_event) {
            _ if let Some(captured) = &captured => (Some(near_capture_help(captured)), Some(captured.clone())),
            (Some(near), _) => (Some(format!("a field named `{near}` exists")), Some(near.to_owned())),
            (None, true) => (Some("another event carries it; write `\\{` for a literal brace".to_owned()), None),
            (None, false) if is_of_field => {
                (Some("the selected tools do not take it; write `\\{` for a literal brace".to_owned()), None)
            }
            (None, false) => (None, None),
        }) else {
            return;
        };
        let mut diagnostic = Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("`{{{text}}}` is not a field here"))
            .label(placeholder.name.span, "would be shown literally")
            .help(help);
        if let Some(fix) = fix {
            diagnostic = diagnostic.fix(placeholder.name.span, fix);
        }
        diagnostics.push(diagnostic);
    }
}

/// Whether a command may set a variable.
fn may_set_variable(command: &ast::StringLiteral, name: &str) -> bool {
    let forms = [format!("{name}="), format!("for {name} "), format!("read {name}"), format!("read -r {name}")];
    forms.iter().any(|form| command.value.contains(form))
}

/// Whether an offset in a text is between backticks, and so in code.
fn is_in_backticks(text: &str, at: usize) -> bool {
    text.get(..at).unwrap_or_default().matches('`').count() % 2 == 1
}

/// Returns the short name of a member of the input that is also a derived field: `path` for `tool_input.file_path`. Any
/// other name is returned unchanged.
fn shorter_name(name: String) -> String {
    match name.as_str() {
        "tool_input.file_path" | "tool_input.notebook_path" => "path".to_owned(),
        _ => name,
    }
}
