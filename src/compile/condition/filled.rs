//! Compiles texts in conditions whose placeholders are replaced by values of the event: `file_exists
//! "plans/{session_id}"`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ConditionCompiler;
use crate::compile::captures::capture_of_definition_help;
use crate::compile::field::{self, TypedReference};
use crate::compile::names::ScopedValue;
use crate::compile::values;
use crate::diagnostic::{Code, Diagnostic, nearest_name};
use crate::ruleset::{FilledGlob, FilledGlobs, Globs, PolicyValue, Template, TemplatePart, ValueTest};
use crate::schema::FieldType;
use crate::span::Span;
use crate::syntax::ast::{self, FieldName, Operator, Placeholder, StringLiteral, ValueKind};
use crate::syntax::filling_content;
use crate::syntax::foreign_values::{self, ForeignPlaceholder, PlaceholderCertainty};
use hookrules_shell::path::is_glob_unit_at;
use hookrules_shell::programs::{Arity, program};

/// What paths are compared with.
pub(super) enum PathGlobTest {
    /// Globs without placeholders.
    Stated(Arc<Globs>),
    /// Globs with placeholders that values of the event replace.
    Filled(FilledGlobs),
}

/// Whether placeholders in a text are replaced by values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Filling {
    Yes,
    No,
}

/// What braces mean around a word that is not replaced by a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BracesMeaning {
    /// The characters themselves, as in the name of a file.
    Characters,
    /// The characters themselves, as in the name of a directory.
    Directory,
    /// The alternatives of a glob.
    Alternatives,
}

impl BracesMeaning {
    /// Returns what a finding says about braces around a word that is not a field.
    fn consequence(self) -> &'static str {
        match self {
            Self::Characters | Self::Directory => "the braces are part of the name",
            Self::Alternatives => "a single alternative, which is the word itself",
        }
    }

    /// Returns the help for braces around a word that is not a field.
    fn help_for_word(self, text: &str) -> String {
        match self {
            Self::Alternatives => {
                format!("write `{text}`, more alternatives as in `{{{text},…}}`, or the name of a field or a capture")
            }
            Self::Characters | Self::Directory => {
                format!("name a field, or write `\\{{{text}}}` for the braces themselves")
            }
        }
    }
}

impl<'a> ConditionCompiler<'_, 'a> {
    /// Compiles the right side of `contains` and the like, which must be a text.
    pub(super) fn text_value(
        &mut self,
        compare: &'a ast::AstComparison,
        ty: &FieldType,
        scoped: ScopedValue<'a>,
    ) -> Option<PolicyValue> {
        let value = self.names.resolve_lets(scoped, self.diagnostics).value;
        let word = compare.operator.as_str();
        let help = match &value.kind {
            ValueKind::Text(_) | ValueKind::Name(_) | ValueKind::JsonPath(_) => {
                let (value, followed) = self.single_value(scoped)?;
                self.report_value_in_part(compare.operator, ty, followed);
                return Some(value);
            }
            ValueKind::Regex(_) => "use `matches` with a regex".to_owned(),
            ValueKind::List(_) => match any_of_regex(compare.operator, value) {
                Some(regex) => format!("write `matches {regex}`, or join tests with `or`"),
                None => "write one test for each text, and join them with `or`".to_owned(),
            },
            _ => "write it in quotes".to_owned(),
        };
        self.diagnostics.push(
            Diagnostic::new(
                Code::TYPE_MISMATCH,
                format!("`{word}` takes a string, not {}", values::kind_noun(&value.kind)),
            )
            .label(value.span, format!("this is {}", values::kind_noun(&value.kind)))
            .help(help),
        );
        None
    }

    /// Compiles the globs of a `like` on paths.
    pub(super) fn path_globs(&mut self, scoped: ScopedValue<'a>) -> Option<PathGlobTest> {
        let list = values::compile_path_globs(self.names, scoped, self.diagnostics)?;
        self.report_foreign_value(scoped, Filling::Yes);
        Some(match list.has_placeholders.then(|| self.filled_globs(scoped, true)).flatten() {
            Some(filled) => PathGlobTest::Filled(filled),
            None => PathGlobTest::Stated(list.globs),
        })
    }

    /// Compiles the globs of a `like` on other texts.
    pub(super) fn text_globs(&mut self, scoped: ScopedValue<'a>, named: fn(&str) -> &str) -> Option<ValueTest> {
        let list = values::compile_text_globs(self.names, scoped, named, self.diagnostics)?;
        Some(match list.has_placeholders.then(|| self.filled_globs(scoped, false)).flatten() {
            Some(filled) => ValueTest::LikeFilled(filled),
            None => ValueTest::LikeText(list.globs.into()),
        })
    }

    /// Compiles a list of globs with placeholders; `None` if no braces in it name a value.
    fn filled_globs(&mut self, scoped: ScopedValue<'a>, are_paths: bool) -> Option<FilledGlobs> {
        let mut is_filled = false;
        let mut globs = Vec::new();
        for listed in values::listed_texts(self.names, scoped) {
            let text = listed.literal;
            let mut filled = self.filled_parts(listed.file, text, BracesMeaning::Alternatives);
            // In a class, or behind a backslash, a brace is a character.
            filled.retain(|(placeholder, _)| is_glob_unit_at(&text.value, placeholder.range.start));
            is_filled |= !filled.is_empty();
            let directory = if are_paths { self.names.base(listed.file).prefix() } else { String::new() };
            globs.push(FilledGlob { pattern: build_template(text, filled), directory });
        }
        is_filled.then_some(FilledGlobs { globs, are_paths })
    }

    /// Compiles those directories of `under` and `outside` that have placeholders, each with the span of its text as
    /// the key.
    pub(super) fn filled_directories(&mut self, scoped: ScopedValue<'a>) -> BTreeMap<Span, Template> {
        let elements = self.names.elements(scoped, &mut Vec::new());
        let with_braces = |element: &ScopedValue<'a>| matches!(&element.value.kind, ValueKind::Text(text) if !text.placeholders.is_empty());
        let filled = elements.into_iter().filter(with_braces);
        filled
            .filter_map(|element| Some((element.value.span, self.name_of(element, BracesMeaning::Directory)?)))
            .collect()
    }

    /// Compiles the name of a file with placeholders; `None` for a value without placeholders.
    pub(super) fn file_name(&mut self, value: ScopedValue<'a>) -> Option<Template> {
        self.name_of(value, BracesMeaning::Characters)
    }

    /// Compiles the name of a file or directory with placeholders; `None` for a value without placeholders.
    fn name_of(&mut self, value: ScopedValue<'a>, braces: BracesMeaning) -> Option<Template> {
        let ValueKind::Text(text) = &value.value.kind else { return None };
        let filled = self.filled_parts(value.file, text, braces);
        if filled.is_empty() {
            return None;
        }
        let mut name = build_template(text, filled);
        // The directory of the policy is in front of a relative name, which may begin with a value.
        let base = self.names.base(value.file);
        match name.parts.first_mut() {
            Some(TemplatePart::Text(first)) => *first = base.in_session(first).into_owned(),
            _ => name.parts.insert(0, TemplatePart::Text(base.in_session("").into_owned())),
        }
        name.parts.retain(|part| !matches!(part, TemplatePart::Text(text) if text.is_empty()));
        Some(name)
    }

    /// Returns the placeholders in a text that name a field or a fact, each with what it refers to. Reports a single
    /// word that names neither, and leaves other braces as they are.
    fn filled_parts(
        &mut self,
        file: usize,
        text: &'a StringLiteral,
        braces: BracesMeaning,
    ) -> Vec<(&'a Placeholder, TypedReference)> {
        let mut filled = Vec::new();
        // A count of events is a number, and not part of a name.
        for placeholder in text.placeholders.iter().filter(|placeholder| placeholder.counted.is_none()) {
            let names = self.names;
            match self.resolve_value(&placeholder.name, &|| names.visible_names(file)) {
                Ok(typed) if braces == BracesMeaning::Alternatives && typed.source.is_path() => {
                    let name = placeholder.name.text();
                    self.diagnostics.push(
                        Diagnostic::new(Code::BAD_VALUE, format!("`{{{name}}}` in a glob is a path, not a name"))
                            .label(placeholder.name.span, "never a part of one name")
                            .help(format!("write `under {name}`, or `under` with a directory")),
                    );
                }
                Ok(typed) if braces == BracesMeaning::Characters && is_path_as_part(text, placeholder, &typed) => {
                    self.report_once(path_as_part(text, placeholder));
                }
                Ok(typed) if braces == BracesMeaning::Directory && typed.source.is_path() => {
                    self.report_once(path_in_directory(text, placeholder));
                    filled.push((placeholder, typed));
                }
                Ok(typed) => {
                    self.note_reference(&typed);
                    filled.push((placeholder, typed));
                }
                // Without events, no field is known, and the mistake in the head has been reported.
                Err(_) if self.head.events.is_empty() => {}
                Err(error) => self.report_unfilled(file, (text, placeholder), braces, &error),
            }
        }
        filled
    }

    /// Resolves the name of a placeholder as a field or a fact.
    fn resolve_value(
        &self,
        name: &FieldName,
        visible: field::VisibleNames<'_>,
    ) -> Result<TypedReference, Box<Diagnostic>> {
        if let Some(captured) = self.names.captures.resolve(name) {
            return captured;
        }
        let resolved = match self.in_where {
            true => field::resolve_where(name),
            false => field::resolve(name, self.head, visible),
        };
        resolved.map(|typed| typed.in_zone(self.names.zone()))
    }

    /// Reports `push_target == "{git.branch}"`: the field should be compared without quotes and braces, and only `like`
    /// fills in a part of a text.
    pub(super) fn report_value_in_text(&mut self, value: ScopedValue<'a>) {
        let ValueKind::Text(text) = &value.value.kind else { return };
        let Some((placeholder, is_of_event)) = self.placeholder_with_value(text) else { return };
        let name = placeholder.name.text();
        let is_whole = placeholder.range == (0..text.value.len());
        let place = if is_of_event { "a `where`" } else { "a comparison" };
        let found = Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("nothing fills in `{{{name}}}` in {place}"))
            .label(text.span, "the braces and the word, as a text");
        let is_path = self.resolve_outside_where(&placeholder.name).is_ok_and(|typed| typed.source.is_path());
        let found = if is_path && (is_of_event || !is_whole) {
            found.help(format!("write `under {name}`, or a path that begins in the project"))
        } else if is_of_event {
            found.help("`where` knows the command alone: write the value itself, or test the call behind the `where`")
        } else if is_whole {
            found
                .help(format!("write `{name}`, or `\\{{{name}}}` for the braces themselves"))
                .fix_that_changes(text.span, name)
        } else {
            let places: Vec<usize> = text.placeholders.iter().map(|one| one.range.start).collect();
            let inner = filling_content(&text.value, &places);
            found.help(format!("`like` fills in values: write `like \"{inner}\"`, or `\\{{{name}}}` for the braces"))
        };
        self.report_once(found);
    }

    /// Returns the first placeholder of a text that names a value, and whether only tests of the event know that value,
    /// although the text is in a `where`.
    fn placeholder_with_value(&self, text: &'a StringLiteral) -> Option<(&'a Placeholder, bool)> {
        text.placeholders.iter().filter(|one| one.counted.is_none()).find_map(|one| {
            if self.resolve_value(&one.name, &Vec::new).is_ok() {
                return Some((one, false));
            }
            (self.in_where && self.resolve_outside_where(&one.name).is_ok()).then_some((one, true))
        })
    }

    /// Resolves a name as a field or a fact of the event.
    fn resolve_outside_where(&self, name: &FieldName) -> Result<TypedReference, Box<Diagnostic>> {
        field::resolve(name, self.head, &Vec::new)
    }

    /// Reports placeholders in a pattern of commands: `runs "git push origin {git.branch}"`.
    pub(super) fn report_values_in_patterns(&mut self, value: ScopedValue<'a>) {
        for text in written_texts(value.value) {
            let Some((placeholder, _)) = self.placeholder_with_value(text) else { continue };
            let name = placeholder.name.text();
            let braces = format!("{{{name}}}");
            let rest: Vec<&str> = text.value.split_whitespace().filter(|word| *word != braces).collect();
            let is_word = rest.len() < text.value.split_whitespace().count();
            let found = Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("a pattern fills in no `{braces}`"))
                .label(text.span, "the braces and the word, as a word of the command");
            let can_be_compared = field::resolve_where(&placeholder.name).is_ok()
                || placeholder.name.as_single_name().is_some_and(|name| self.names.captures.is_active(&name.text));
            let instead = (is_word && can_be_compared).then(|| word_as_comparison(&text.value, &braces, &name));
            self.report_once(match instead {
                Some(instead) => found.help(format!("write `{instead}`")),
                None => found.help("write the word itself, or `*` for any word"),
            });
        }
    }

    /// Reports a value in the notation of another language, or in single quotes: `file_exists "plans/${session_id}"`.
    /// `fills` is whether a placeholder of this language would be filled in here.
    pub(super) fn report_foreign_value(&mut self, value: ScopedValue<'a>, fills: Filling) {
        for text in written_texts(value.value) {
            foreign_values::measures_in_braces(text).into_iter().for_each(|found| self.report_once(found));
            for ForeignPlaceholder { range, name, form } in foreign_values::placeholders(text).into_iter().take(4) {
                let segments: Vec<ast::Name> =
                    name.split('.').map(|segment| ast::Name { text: segment.to_owned(), span: text.span }).collect();
                let field = FieldName { segments, span: text.span };
                let is_value =
                    self.resolve_value(&field, &Vec::new).is_ok() || self.resolve_outside_where(&field).is_ok();
                if !is_value {
                    continue;
                }
                let written = text.value.get(range.clone()).unwrap_or_default();
                let found = Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("nothing fills in `{written}`"))
                    .label(text.span, "compared as it stands");
                self.report_once(match (fills, form) {
                    (Filling::Yes, PlaceholderCertainty::Raw) => {
                        found.help(format!("write `{{{name}}}` between double quotes: `'…'` takes all literally"))
                    }
                    (Filling::Yes, _) => found.help(format!("write `{{{name}}}`")),
                    (Filling::No, _) if range == (0..text.value.len()) => {
                        found.help(format!("write `{name}`, without quotes"))
                    }
                    (Filling::No, _) => found.help(format!("`like` fills in values: write `like \"…{{{name}}}…\"`")),
                });
            }
        }
    }

    /// Adds a finding. A definition is compiled once for each head that uses it, and reported once.
    fn report_once(&mut self, found: Diagnostic) {
        if !self.diagnostics.contains(&found) {
            self.diagnostics.push(found);
        }
    }

    /// Reports `command contains "{agent}"`: of the operators that compare texts, only `like` replaces placeholders.
    pub(super) fn report_value_in_part(&mut self, operator: Operator, ty: &FieldType, value: ScopedValue<'a>) {
        let ValueKind::Text(text) = &value.value.kind else { return };
        let is_value = |one: &&Placeholder| one.counted.is_none() && self.resolve_value(&one.name, &Vec::new).is_ok();
        let Some(placeholder) = text.placeholders.iter().find(is_value) else { return };
        let (name, word) = (placeholder.name.text(), operator.as_str());
        let found = Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("`{word}` fills in no `{{{name}}}`"))
            .label(text.span, "the braces and the word, as a text");
        let found = if placeholder.range == (0..text.value.len()) {
            let help = format!("write `{word} {name}`, or `\\{{{name}}}` for the braces themselves");
            found.help(help).fix_that_changes(text.span, name)
        } else if *ty == FieldType::Path {
            found.help(format!("`like` fills in values: write globs of the path, or `\\{{{name}}}` for the braces"))
        } else {
            let places: Vec<usize> = text.placeholders.iter().map(|one| one.range.start).collect();
            let inner = filling_content(&text.value, &places);
            let glob = match operator {
                Operator::StartsWith => format!("{inner}*"),
                Operator::EndsWith => format!("*{inner}"),
                _ => format!("*{inner}*"),
            };
            found.help(format!("`like` fills in values: write `like \"{glob}\"`, or `\\{{{name}}}` for the braces"))
        };
        if !self.diagnostics.contains(&found) {
            self.diagnostics.push(found);
        }
    }

    /// Reports `connects like "{agent}.example.com"`: `connects` replaces no placeholders.
    pub(super) fn report_value_in_host(&mut self, value: ScopedValue<'a>) {
        for listed in values::listed_texts(self.names, value) {
            let is_value =
                |one: &&Placeholder| one.counted.is_none() && self.resolve_value(&one.name, &Vec::new).is_ok();
            let Some(placeholder) = listed.literal.placeholders.iter().find(is_value) else { continue };
            let name = placeholder.name.text();
            let found = Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("`connects` fills in no `{{{name}}}`"))
                .label(listed.literal.span, "the word itself, as a part of the host")
                .help(format!("name the hosts; a `like` of `domain` fills in `{{{name}}}`"));
            if !self.diagnostics.contains(&found) {
                self.diagnostics.push(found);
            }
        }
    }

    /// Reports a member of the event or of git in braces that no selected call has: `{tool_input.file}`.
    fn report_unfilled_member(&mut self, placeholder: &Placeholder, error: &Diagnostic) {
        let first = placeholder.name.segments.first().map_or("", |first| first.text.as_str());
        if !matches!(first, "tool_input" | "tool_response" | "git") {
            return;
        }
        let name = placeholder.name.text();
        let found = Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("nothing fills in `{{{name}}}`"))
            .label(placeholder.name.span, "the selected calls do not have it, so this is never true");
        self.report_once(found.help_if_any(error.help.clone()));
    }

    /// Reports a word in braces in a condition that is not a field.
    fn report_unfilled(
        &mut self,
        file: usize,
        (literal, placeholder): (&StringLiteral, &Placeholder),
        braces: BracesMeaning,
        error: &Diagnostic,
    ) {
        let Some(word) = placeholder.name.as_single_name() else {
            return self.report_unfilled_member(placeholder, error);
        };
        if self.names.may_be_unparsed(file, &word.text) || self.names.account.charge_unknown(word.span).is_none() {
            return;
        }
        let text = &word.text;
        // A word in braces that is as short as the extension of a file is near to many names.
        let is_capture = braces != BracesMeaning::Alternatives || text.len() > 3;
        let captured = match self.names.captures.resolve(&placeholder.name) {
            Some(captured) => captured.err().map(|found| *found),
            None => self.names.captures.misnamed(&placeholder.name).filter(|_| is_capture),
        };
        if let Some(found) = captured {
            return self.report_once(found);
        }
        if self.in_where && field::resolve(&placeholder.name, self.head, &Vec::new).is_ok() {
            let found =
                Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("nothing fills in `{{{text}}}` in a `where`"))
                    .label(word.span, "of the event, and `where` knows the command alone")
                    .help(
                        "put the test behind the `where`, as in `and writes like …`; in an exception, write the names",
                    );
            return self.report_once(found);
        }
        let found = Diagnostic::new(Code::UNKNOWN_PLACEHOLDER, format!("nothing fills in `{{{text}}}`"))
            .label(word.span, format!("not a field: {}", braces.consequence()));
        if text == "match" {
            let help = "a condition knows no match: `path` is the file that the call names, as in `file_exists path`";
            return self.report_once(found.help(help));
        }
        let is_let = self.names.definition(file, text).is_some();
        let near = error.fix.as_ref().map(|fix| fix.replacement.clone());
        let near = near.or_else(|| nearest_name(text, ["session_id", "agent"]).map(str::to_owned));
        // The name of a short field is near to every extension of a file.
        let near = near.filter(|_| braces != BracesMeaning::Alternatives || text.len() > 3);
        let found = match near {
            _ if is_let && placeholder.range == (0..literal.value.len()) => {
                found.help(format!("write `{text}` without quotes")).fix_that_changes(literal.span, text.clone())
            }
            _ if is_let => found.help("only fields and facts are filled in: write the text of the `let` here"),
            Some(near) => found.help(format!("a field named `{near}` exists")).fix(word.span, near),
            None if self.names.captures.is_of_definition(text) => found.help(capture_of_definition_help(text)),
            None => found.help(braces.help_for_word(text)),
        };
        // A definition is compiled once for each head that uses it.
        if !self.diagnostics.contains(&found) {
            self.diagnostics.push(found);
        }
    }
}

/// Whether a placeholder is a path in the name of a file that no `record` wrote: as one component, it names no file of
/// the project.
fn is_path_as_part(text: &StringLiteral, placeholder: &Placeholder, typed: &TypedReference) -> bool {
    let before = text.value.get(..placeholder.range.start).unwrap_or_default();
    // A record's file may be called after a path.
    typed.source.is_path() && !before.contains(".rules/") && !before.starts_with(['~', '/', '$'])
}

/// Returns the finding about a path in the name of a file: `file_exists "{path}.lock"`.
fn path_as_part(text: &StringLiteral, placeholder: &Placeholder) -> Diagnostic {
    let name = placeholder.name.text();
    let found = Diagnostic::new(Code::BAD_VALUE, format!("`{{{name}}}` in the name of a file is a path"))
        .label(placeholder.name.span, "filled in as one name, without its slashes: no such file exists");
    let rest = text.value.get(placeholder.range.end..).unwrap_or_default();
    let is_root = matches!(name.as_str(), "project" | "git.root") && placeholder.range.start == 0;
    match rest.strip_prefix('/').filter(|rest| is_root && !rest.is_empty() && !rest.contains('{')) {
        Some(rest) => found.help(format!("write `\"{rest}\"`: a relative name begins in the project")),
        None if matches!(name.as_str(), "path" | "tool_input.file_path") => found.help(format!(
            "a condition knows the file itself, `file_exists {name}`, or one that is named: `file_exists \"build.lock\"`"
        )),
        None => found.help("name the file, which begins in the project: `file_exists \"build.lock\"`"),
    }
}

/// Returns the finding about a path in the name of a directory: `under "{project}/src"`.
fn path_in_directory(text: &StringLiteral, placeholder: &Placeholder) -> Diagnostic {
    let name = placeholder.name.text();
    let found = Diagnostic::new(Code::BAD_VALUE, format!("`{{{name}}}` in the name of a directory is a path"))
        .label(placeholder.name.span, "filled in as one name, without its slashes");
    let rest = text.value.get(placeholder.range.end..).unwrap_or_default();
    if placeholder.range == (0..text.value.len()) {
        return found.help(format!("write `{name}` without quotes and braces")).fix_that_changes(text.span, name);
    }
    match rest.strip_prefix('/').filter(|_| placeholder.range.start == 0 && name != "path") {
        Some(rest) => found.help(format!("write `\"{rest}\"`: a directory begins in the project")),
        None => found.help("name the directory: it begins in the project"),
    }
}

/// Returns the test of a pattern's words with a comparison in place of the word in braces. Behind an option it is the
/// value of the option, unless the program's record says that the option takes none.
fn word_as_comparison(pattern: &str, braces: &str, value: &str) -> String {
    let words: Vec<&str> = pattern.split_whitespace().collect();
    let at = words.iter().position(|word| *word == braces).unwrap_or_default();
    let option = at.checked_sub(1).and_then(|before| words.get(before)).filter(|word| word.starts_with('-'));
    let arity = option.and_then(|option| option_arity(&words, option));
    let without = |left_out: &dyn Fn(usize) -> bool| {
        let rest = words.iter().enumerate().filter(|(index, _)| !left_out(*index)).map(|(_, word)| *word);
        rest.collect::<Vec<_>>().join(" ")
    };
    let alone = without(&|index| index == at);
    match (option, arity) {
        (Some(option), Some(Arity::Value)) => {
            format!(
                "runs \"{}\" where option \"{option}\" == {value}",
                without(&|index| index == at || index + 1 == at)
            )
        }
        // Nobody knows whether the option takes the word, so all words are compared.
        (Some(_), None) => {
            format!("runs \"{}\" where args == {value}", without(&|index| index == at || index + 1 == at))
        }
        _ => format!("runs \"{alone}\" where operands == {value}"),
    }
}

/// Returns whether an option of the command that a pattern spells out takes a value; `None` if no record has it.
fn option_arity(words: &[&str], option: &str) -> Option<Arity> {
    let (name, rest) = words.split_first()?;
    let mut program = program(name)?;
    let mut found = program.option(option);
    for word in rest {
        let Some(command) = program.command(word) else { continue };
        program = command;
        found = program.option(option).or(found);
    }
    found.map(|option| option.arity)
}

/// Builds the template of a text. `substitutions` are the placeholders to replace, each with what it refers to; all
/// other braces stay text.
fn build_template(text: &StringLiteral, substitutions: Vec<(&Placeholder, TypedReference)>) -> Template {
    let mut parts = Vec::new();
    let mut at = 0;
    for (placeholder, typed) in substitutions {
        parts.push(TemplatePart::Text(text.value.get(at..placeholder.range.start).unwrap_or_default().to_owned()));
        parts.push(TemplatePart::Value(typed.source));
        at = placeholder.range.end;
    }
    parts.push(TemplatePart::Text(text.value.get(at..).unwrap_or_default().to_owned()));
    parts.retain(|part| !matches!(part, TemplatePart::Text(text) if text.is_empty()));
    Template { parts }
}

/// Returns the regex that finds any of the texts in a list as an operator does: `/^(a|b)/` for `starts_with`. `None` if
/// something else is in the list, or the regex is long.
fn any_of_regex(operator: Operator, value: &ast::AstValue) -> Option<String> {
    let ValueKind::List(elements) = &value.kind else { return None };
    let escaped: Vec<String> =
        written_texts(value).map(|text| regex_syntax::escape(&text.value).replace('/', "\\/")).collect();
    let texts = escaped.join("|");
    let regex = match operator {
        Operator::StartsWith => format!("/^({texts})/"),
        Operator::EndsWith => format!("/({texts})$/"),
        _ => format!("/{texts}/"),
    };
    let is_complete = escaped.len() == elements.len() && !escaped.is_empty();
    (is_complete && regex.chars().count() <= 60 && !regex.contains(['\n', '"'])).then_some(regex)
}

/// Returns the texts that are written in a value itself, without those of a `let` that it names.
fn written_texts(value: &ast::AstValue) -> impl Iterator<Item = &StringLiteral> {
    fn text(value: &ast::AstValue) -> Option<&StringLiteral> {
        match &value.kind {
            ValueKind::Text(text) => Some(text),
            _ => None,
        }
    }
    let items = match &value.kind {
        ValueKind::List(elements) => elements.as_slice(),
        _ => &[],
    };
    let listed = items.iter().filter_map(|element| match element {
        ast::AstElement::Value(item) => text(item),
        ast::AstElement::Spread(_) => None,
    });
    text(value).into_iter().chain(listed)
}
