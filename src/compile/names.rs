//! The names in the scope of each file: its `let`s and `def`s, the ones of the files that it uses, and the changes by
//! `use … except … with …`.

mod uses;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::programs::LayerPrograms;
use crate::config::PolicyBase;
use crate::diagnostic::{Code, Diagnostic, suggest};
use crate::layer::Layer;
use crate::limits::{ELEMENTS as LIST_LIMIT, FINDINGS, parts_of_bytes};
use crate::ruleset::{Globs, Patterns};
use crate::span::Span;
use crate::syntax::ast::{self, AstElement, ItemKind, MapKey, ValueKind};
use hookrules_shell::Programs;

use super::account::{ChargeReason, LayerAccount};
use super::captures::Captures;
use super::condition::DefCache;
use super::marks::Marks;
use super::value_cache::{RegexCache, ValueCache};
use super::values::GlobList;
use uses::{distinct_files, use_key};

/// Whether a name is built in, so that no `let` or `def` may have it.
pub(super) fn is_taken(name: &str) -> bool {
    RESERVED_NAMES.contains(&name)
}

/// The maximum length of a chain of `let`s that name each other.
const MAX_LET_CHAIN: usize = 64;

/// Built-in names that a `let`, `def` or mark must not have: fields computed from the payload (`path`), facts (`git`),
/// and directories (`home`).
const RESERVED_NAMES: &[&str] = &[
    "event",
    "agent",
    "host",
    "project",
    "path",
    "content",
    "command",
    "url",
    "domain",
    "match",
    "now",
    "tmp",
    "home",
    "main",
    "env",
    "git",
    "os",
    "host_pids",
];

/// A value, with the number of the file in whose scope the names in the value are looked up.
#[derive(Clone, Copy)]
pub(super) struct ScopedValue<'a> {
    pub(super) file: usize,
    pub(super) value: &'a ast::AstValue,
}

/// The definition of a name: a `let` with its value, or a `def` with its file.
#[derive(Clone, Copy)]
pub(super) enum NameDefinition<'a> {
    /// A `let`, by its value.
    Let(ScopedValue<'a>),
    /// A `def`, with the number of the file that contains it.
    Def(usize, &'a ast::Def),
    /// A mark, with the number of the file that contains it.
    Mark(usize, &'a ast::AstRule),
}

/// All names of a layer, and the data that the compilation of the layer shares.
pub(super) struct LayerNames<'a> {
    layer: &'a Layer,
    /// For each file, its own `let`s and `def`s.
    own_definitions: Vec<BTreeMap<&'a str, NameDefinition<'a>>>,
    /// For each file, the values by which `use … with` replaces the values of its `let`s.
    replaced_lets: Vec<BTreeMap<&'a str, ScopedValue<'a>>>,
    /// For each file, the rules that `use … except` excludes.
    excepted_rules: Vec<BTreeSet<&'a str>>,
    /// For each file, the exceptions to its rules by `use … except NAME where …`, each with the file of the `use`.
    narrowed_rules: Vec<BTreeMap<&'a str, Vec<(usize, &'a ast::ExceptionNarrowing)>>>,
    /// For each file, the files that it uses, without duplicates.
    uses: Vec<Vec<usize>>,
    /// The remaining limits of the layer.
    pub(super) account: LayerAccount<'a>,
    /// Caches of the compiled values of the layer.
    pub(super) regexes: RegexCache,
    /// The captures of the rule that is compiled.
    pub(super) captures: Captures,
    /// The marks, which are compiled before the rules.
    pub(super) marks: Marks,
    pub(super) globs: ValueCache<'a, GlobList<Arc<Globs>>>,
    pub(super) patterns: ValueCache<'a, Patterns>,
    /// The program records with which the layer's rules parse commands.
    programs: &'a LayerPrograms,
    /// The index of the directory whose file is being compiled.
    current_directory: Cell<usize>,
    /// The number of unknown names that have been reported.
    unknown_count: Cell<usize>,
    /// For each file, the names of the items that could not be parsed, and `*` if the name of one is not known.
    unparsed_names: Vec<BTreeSet<&'a str>>,
    /// The spans at which unparsed items are used. Findings about unknown names there are consequences of syntax
    /// errors.
    consequence_spans: RefCell<Vec<Span>>,
}

/// The number of unknown names after which no similar name is suggested, because the search for one takes long.
const MAX_SUGGESTIONS: usize = 50;

/// The maximum number of rules in a file among which a name similar to the one in `except` is searched.
const MAX_RULES_FOR_SUGGESTION: usize = 200;

/// The number of rules that the help for an unknown rule lists, if no name is similar.
const NAMED_RULES: usize = 12;

/// The number of bytes of a text or regex that count as one part, the unit of a policy's size. The value itself counts
/// as one more part.
const BYTES_PER_PART: usize = 128;

/// The number of used files in which a name is looked up without a charge.
const FREE_LOOKUP_FILES: usize = 8;

impl<'a> LayerNames<'a> {
    /// Returns the program records with which commands in the code at a span are parsed.
    pub(super) fn programs(&self, span: Span) -> &'a Programs {
        let mut files = self.layer.files.iter().filter(|file| file.id == span.file);
        // Several directories may use the same file.
        let current = self.current_directory.get();
        let file = files.clone().find(|file| file.directory == current).or_else(|| files.next());
        self.programs.for_directory(file.map_or(0, |file| file.directory))
    }

    /// Records the file whose items are compiled next.
    pub(super) fn enter_file(&self, file: usize) {
        self.current_directory.set(self.layer.files.get(file).map_or(0, |file| file.directory));
    }

    /// Returns the time zone in which the layer's rules read the clock; empty for UTC.
    pub(super) fn zone(&self) -> &'a str {
        self.layer.settings.zone.as_ref().map(|zone| zone.name.as_str()).unwrap_or_default()
    }

    /// Returns the directory to which relative names in a file are relative.
    pub(super) fn base(&self, file: usize) -> &'a PolicyBase {
        self.layer.files.get(file).map_or(&PolicyBase::Project, |file| &file.base)
    }

    /// Collects the names of a layer. `parts_left` is the number of parts that the layers above have left for it.
    pub(super) fn new(
        layer: &'a Layer,
        parts_left: u64,
        programs: &'a LayerPrograms,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let count = layer.files.len();
        let mut names = Self {
            layer,
            own_definitions: vec![BTreeMap::new(); count],
            replaced_lets: vec![BTreeMap::new(); count],
            excepted_rules: vec![BTreeSet::new(); count],
            narrowed_rules: vec![BTreeMap::new(); count],
            uses: layer.files.iter().map(|file| distinct_files(&file.uses)).collect(),
            account: LayerAccount::new(layer, parts_left),
            regexes: RegexCache::default(),
            captures: Captures::default(),
            marks: Marks::default(),
            globs: ValueCache::default(),
            patterns: ValueCache::default(),
            programs,
            current_directory: Cell::new(0),
            unknown_count: Cell::new(0),
            unparsed_names: layer
                .files
                .iter()
                .map(|file| file.ast.unparsed_names.iter().map(|name| name.text.as_str()).collect())
                .collect(),
            consequence_spans: RefCell::new(Vec::new()),
        };
        for (file, loaded) in layer.files.iter().enumerate() {
            for item in &loaded.ast.items {
                match &item.kind {
                    ItemKind::Let(item) => {
                        names.define(
                            file,
                            &item.name,
                            NameDefinition::Let(ScopedValue { file, value: &item.value }),
                            diagnostics,
                        );
                    }
                    ItemKind::Def(def) => names.define(file, &def.name, NameDefinition::Def(file, def), diagnostics),
                    ItemKind::Rule(mark) if mark.kind == ast::RuleItemKind::Mark => {
                        names.define(file, &mark.name, NameDefinition::Mark(file, mark), diagnostics);
                    }
                    _ => {}
                }
            }
        }
        names.apply_uses(diagnostics);
        names
    }

    /// Adds a definition to a file. Reports a name that is reserved or already defined.
    fn define(
        &mut self,
        file: usize,
        name: &'a ast::Name,
        named: NameDefinition<'a>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let word = name.text.as_str();
        // The parser refuses the keywords of the language.
        if RESERVED_NAMES.contains(&word) {
            diagnostics.push(
                Diagnostic::new(Code::RESERVED_NAME, format!("`{word}` is a field or fact"))
                    .label(name.span, "already the name of a field or fact")
                    .help(format!("choose another name, such as `my_{word}`")),
            );
        }
        let Some(definitions) = self.own_definitions.get_mut(file) else { return };
        if let Some(first) = definitions.get(word) {
            diagnostics.push(
                Diagnostic::new(Code::DUPLICATE_NAME, format!("`{word}` is defined twice in this file"))
                    .label(name.span, "the second")
                    .label(first.span(), "the first")
                    .help("give one of them another name"),
            );
            return;
        }
        definitions.insert(word, named);
    }

    /// Applies every `use … except … with …`. A file that is used several times is configured by the first `use`; a
    /// different configuration is reported.
    fn apply_uses(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        let mut configured: BTreeMap<usize, (String, Span)> = BTreeMap::new();
        for (file, loaded) in self.layer.files.iter().enumerate() {
            for (used, target) in loaded.loaded_uses() {
                let configuration = use_key(used);
                if let Some((earlier, span)) = configured.get(&target) {
                    if *earlier != configuration {
                        diagnostics.push(
                            Diagnostic::new(Code::BAD_USE, "one file used with different `with` or `except`")
                                .label(used.source.span, "here")
                                .label(*span, "first used here, differently")
                                .help("a file loads once: write `with` and `except` only at its first use"),
                        );
                    }
                    continue;
                }
                configured.insert(target, (configuration, used.source.span));
                self.configure(file, target, used, diagnostics);
            }
        }
    }

    /// Returns the help for the name of a rule that a file does not have: a similar name, or the file's first rules.
    fn help_for_unknown_rule(name: &str, rules: &[&str]) -> Option<String> {
        if rules.len() > MAX_RULES_FOR_SUGGESTION {
            return None;
        }
        // Outputs show a rule with its pack: `std/git/no-force-push`.
        if let Some((_, short)) = name.rsplit_once('/')
            && rules.contains(&short)
        {
            return Some(format!("write `{short}`"));
        }
        let first = || rules.iter().take(NAMED_RULES).map(|rule| format!("`{rule}`")).collect::<Vec<_>>().join(", ");
        suggest("rule", name, rules.iter().copied())
            .or_else(|| (!rules.is_empty()).then(|| format!("its first rules: {}", first())))
    }

    /// Applies one `use`, in `file`, to the file `target`: excludes rules and replaces `let`s. Reports unknown names.
    fn configure(&mut self, file: usize, target: usize, used: &'a ast::Use, diagnostics: &mut Vec<Diagnostic>) {
        let rules: Vec<&str> = self.rules_in_file(target);
        let rule_names: BTreeSet<&str> = rules.iter().copied().collect();
        for ast::Exception { rule: name, narrowing } in &used.except {
            if rule_names.contains(name.text.as_str()) {
                match narrowing {
                    None => {
                        self.excepted_rules.get_mut(target).map(|excepted| excepted.insert(&name.text));
                    }
                    Some(narrowing) => {
                        let narrowed =
                            self.narrowed_rules.get_mut(target).map(|rules| rules.entry(&name.text).or_default());
                        narrowed.into_iter().for_each(|exceptions| exceptions.push((file, narrowing)));
                    }
                }
            } else {
                diagnostics.push(
                    Diagnostic::new(Code::UNKNOWN_NAME, format!("unknown rule `{}`", name.text))
                        .label(name.span, "not a rule")
                        .help_if_any(Self::help_for_unknown_rule(&name.text, &rules)),
                );
            }
        }
        for entry in used.with.iter().flat_map(|map| &map.entries) {
            let (MapKey::Name(key), Some(value)) = (&entry.key, &entry.value) else {
                diagnostics.push(
                    Diagnostic::new(Code::BAD_USE, "`with` takes `name: value`")
                        .label(entry.span, "not a replacement of a `let`")
                        .help("write the name of one of its `let`s, a colon, and a value"),
                );
                continue;
            };
            self.replace_let(file, target, key, value, diagnostics);
        }
    }

    /// Replaces the value of one `let` of the file `target`. Reports an unknown `let`, and a value of another type.
    fn replace_let(
        &mut self,
        file: usize,
        target: usize,
        key: &'a ast::FieldName,
        value: &'a ast::AstValue,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let definitions = self.own_definitions.get(target);
        let existing = key.as_single_name().and_then(|name| match definitions?.get_key_value(name.text.as_str())? {
            (name, NameDefinition::Let(old)) => Some((*name, *old)),
            _ => None,
        });
        let Some((name, old)) = existing else {
            let lets = definitions.into_iter().flatten().filter(|(_, named)| matches!(named, NameDefinition::Let(_)));
            let lets: Vec<&str> = lets.map(|(name, _)| *name).collect();
            diagnostics.push(
                Diagnostic::new(Code::UNKNOWN_NAME, format!("unknown `let` `{}`", key.text()))
                    .label(key.span, "not a `let`")
                    .help_if_any(suggest("let", &key.text(), lets)),
            );
            return;
        };
        let (wanted, given) = (self.value_noun(old), self.value_noun(ScopedValue { file, value }));
        if wanted != given {
            diagnostics.push(
                Diagnostic::new(Code::TYPE_MISMATCH, format!("`{name}` is {wanted}, not {given}"))
                    .label(value.span, format!("this is {given}"))
                    .label(old.value.span, format!("this is {wanted}"))
                    .help(format!("give it {wanted}")),
            );
            return;
        }
        if let Some(replaced) = self.replaced_lets.get_mut(target) {
            replaced.insert(name, ScopedValue { file, value });
        }
    }

    /// Returns the noun for the type of a value, after its `let`s have been resolved.
    fn value_noun(&self, scoped: ScopedValue<'a>) -> &'static str {
        let mut ignored = Vec::new();
        super::values::kind_noun(&self.resolve_lets(scoped, &mut ignored).value.kind)
    }

    /// Returns the names of the rules in a file.
    fn rules_in_file(&self, file: usize) -> Vec<&'a str> {
        let items = self.layer.files.get(file).map(|file| file.ast.items.as_slice()).unwrap_or_default();
        items
            .iter()
            .filter_map(|item| match &item.kind {
                ItemKind::Rule(rule) => Some(rule.name.text.as_str()),
                _ => None,
            })
            .collect()
    }

    /// Whether a rule of a file is excluded by `use … except`.
    pub(super) fn is_excepted(&self, file: usize, rule: &str) -> bool {
        self.excepted_rules.get(file).is_some_and(|names| names.contains(rule))
    }

    /// Returns the exceptions to a rule of a file by `use … except NAME where …`, each with the file of the `use`.
    pub(super) fn narrowings(&self, file: usize, rule: &str) -> &[(usize, &'a ast::ExceptionNarrowing)] {
        self.narrowed_rules.get(file).and_then(|rules| rules.get(rule)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the definition of a name in the scope of a file: the file's own, or else the one of a file that it
    /// uses. `None` if there is none, or the limit is exceeded.
    pub(super) fn definition(&self, file: usize, name: &str) -> Option<NameDefinition<'a>> {
        let uses = self.uses.get(file).map(Vec::as_slice).unwrap_or_default();
        let span = self.layer.files.get(file).map(|file| Span::new(file.id, 0, 0)).unwrap_or_default();
        // A lookup in many files is charged.
        let lookup_parts = u64::try_from(uses.len() / FREE_LOOKUP_FILES).unwrap_or(u64::MAX);
        if lookup_parts > 0 {
            self.account.charge(lookup_parts, ChargeReason::Names, span)?;
        }
        let scopes = std::iter::once(file).chain(uses.iter().copied());
        scopes.into_iter().find_map(|scope| {
            let replaced = self.replaced_lets.get(scope).and_then(|replaced| replaced.get(name)).copied();
            replaced.map(NameDefinition::Let).or_else(|| self.own_definitions.get(scope)?.get(name).copied())
        })
    }

    /// Returns all names in the scope of a file.
    pub(super) fn visible_names(&self, file: usize) -> Vec<&'a str> {
        let uses = self.uses.get(file).map(Vec::as_slice).unwrap_or_default();
        let scopes = std::iter::once(file).chain(uses.iter().copied());
        scopes
            .filter_map(|scope| self.own_definitions.get(scope))
            .flat_map(|definitions| definitions.keys().copied())
            .collect()
    }

    /// Resolves a name that refers to a `let`, also through other `let`s, to its value. Any other value is returned
    /// unchanged. Reports a cycle.
    pub(super) fn resolve_lets(&self, scoped: ScopedValue<'a>, diagnostics: &mut Vec<Diagnostic>) -> ScopedValue<'a> {
        let mut current = scoped;
        for steps in 0..MAX_LET_CHAIN {
            let next = match &current.value.kind {
                ValueKind::Name(name) => {
                    name.as_single_name().and_then(|single| self.definition(current.file, &single.text))
                }
                _ => None,
            };
            let Some(NameDefinition::Let(next)) = next else {
                // A named value costs as much as if it were written out. If that exceeds the limit, the layer does not
                // load, so the result does not matter.
                if steps > 0 {
                    let parts = value_parts(current.value).saturating_add(u64::try_from(steps).unwrap_or(u64::MAX));
                    let _is_left = self.account.charge(parts, ChargeReason::Names, scoped.value.span);
                }
                return current;
            };
            current = next;
        }
        diagnostics.push(circular_finding(scoped.value.span));
        current
    }

    /// Returns the elements of a list, including the elements of the lists that are spread into it (`...NAME`). A
    /// value that is not a list is the only element.
    pub(super) fn elements(&self, scoped: ScopedValue<'a>, diagnostics: &mut Vec<Diagnostic>) -> Vec<ScopedValue<'a>> {
        let mut out = Vec::new();
        // If each list spreads the next one twice, the spreads double with every step, even for empty lists. So they
        // are limited, too.
        let mut spreads = LIST_LIMIT;
        // The findings of elements are collected separately, because their number is limited.
        let mut found = Vec::new();
        self.collect_elements(scoped, 0, &mut spreads, &mut out, &mut found);
        diagnostics.append(&mut found);
        let parts = out.iter().map(|element| value_parts(element.value)).fold(0, u64::saturating_add);
        if self.account.charge(parts, ChargeReason::Elements, scoped.value.span).is_none() {
            return Vec::new();
        }
        if out.len() > LIST_LIMIT || spreads == 0 {
            out.truncate(LIST_LIMIT);
            diagnostics.push(
                Diagnostic::new(Code::TOO_DEEP, format!("a list of more than {LIST_LIMIT} elements"))
                    .label(scoped.value.span, "with the lists spread into it")
                    .help("split the rule"),
            );
        }
        out
    }

    /// Adds the elements of a list to `out`, until there are too many elements, spreads or findings.
    fn collect_elements(
        &self,
        scoped: ScopedValue<'a>,
        depth: usize,
        spreads: &mut usize,
        out: &mut Vec<ScopedValue<'a>>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if depth > MAX_LET_CHAIN {
            diagnostics.push(circular_finding(scoped.value.span));
            return;
        }
        let scoped = self.resolve_lets(scoped, diagnostics);
        let ValueKind::List(elements) = &scoped.value.kind else {
            out.push(scoped);
            return;
        };
        for element in elements {
            let is_full = out.len() > LIST_LIMIT || *spreads == 0 || diagnostics.len() >= FINDINGS;
            if is_full || self.account.exceeded_limit().is_some() {
                return;
            }
            match element {
                AstElement::Value(value) => {
                    let inner = self.resolve_lets(ScopedValue { file: scoped.file, value }, diagnostics);
                    if matches!(inner.value.kind, ValueKind::List(_)) {
                        diagnostics.push(
                            Diagnostic::new(Code::TYPE_MISMATCH, "a list inside a list")
                                .label(value.span, "this is a list")
                                .help("write `...` before its name to insert its elements"),
                        );
                    } else {
                        out.push(inner);
                    }
                }
                AstElement::Spread(name) => match self.spread_definition(scoped, &name.text) {
                    Some(NameDefinition::Let(inner)) => {
                        *spreads -= 1;
                        let _is_left = self.account.charge(1, ChargeReason::Elements, name.span);
                        self.collect_elements(inner, depth + 1, spreads, out, diagnostics);
                    }
                    _ => diagnostics.push(self.unknown_name(scoped.file, name)),
                },
            }
        }
    }

    /// Returns the definition of a name that is spread into a list. In the value that `use … with` gives to the same
    /// name, it is the value that is replaced: `with { branches: [...branches, "next"] }`.
    fn spread_definition(&self, list: ScopedValue<'a>, name: &str) -> Option<NameDefinition<'a>> {
        let found = self.definition(list.file, name)?;
        let is_itself = matches!(&found, NameDefinition::Let(found) if std::ptr::eq(found.value, list.value));
        if !is_itself {
            return Some(found);
        }
        let uses = self.uses.get(list.file).map(Vec::as_slice).unwrap_or_default();
        let is_replaced = |scope: &&usize| self.replaced_lets.get(**scope).is_some_and(|lets| lets.contains_key(name));
        let replaced = uses.iter().find(is_replaced).and_then(|scope| self.own_definitions.get(*scope)?.get(name));
        Some(replaced.copied().unwrap_or(found))
    }

    /// Whether a name may belong to an item that could not be parsed. Such a syntax error has already been reported.
    pub(super) fn may_be_unparsed(&self, file: usize, name: &str) -> bool {
        let uses = self.uses.get(file).map(Vec::as_slice).unwrap_or_default();
        let scopes = std::iter::once(file).chain(uses.iter().copied());
        scopes
            .filter_map(|scope| self.unparsed_names.get(scope))
            .any(|unparsed| unparsed.contains(name) || unparsed.contains("*"))
    }

    /// Removes the findings about unknown names that may belong to items that could not be parsed.
    pub(super) fn drop_consequences(&self, diagnostics: &mut Vec<Diagnostic>) {
        let consequences = self.consequence_spans.borrow();
        diagnostics.retain(|found| {
            found.code != Code::UNKNOWN_NAME || !found.span().is_some_and(|span| consequences.contains(&span))
        });
    }

    /// Returns the finding about a name that is not a `let`, with a suggestion.
    pub(super) fn unknown_name(&self, file: usize, name: &ast::Name) -> Diagnostic {
        if self.may_be_unparsed(file, &name.text) {
            self.consequence_spans.borrow_mut().push(name.span);
        }
        let found = Diagnostic::new(Code::UNKNOWN_NAME, format!("unknown name `{}`", name.text));
        if self.captures.is_active(&name.text) {
            return found
                .label(name.span, "a capture, where a text or a `let` is expected")
                .help(format!("`like` fills it into a text: write `\"{{{}}}\"`", name.text));
        }
        let found = found
            .label(name.span, "not a `let`")
            .help(format!("write `\"{0}\"` for that text, or `let {0} = …` above the rule", name.text))
            // The name may be misspelled, or its `let` may be missing, so the fix is not certain.
            .fix_that_changes(name.span, format!("\"{}\"", name.text));
        match self.similar_name(file, &name.text) {
            Some(near) => Diagnostic { help: Some(near), fix: None, ..found },
            None => found,
        }
    }

    /// Returns the suggestion of a similar name in the scope of a file; `None` if there is none, or too many names
    /// were unknown.
    fn similar_name(&self, file: usize, name: &str) -> Option<String> {
        self.unknown_count.set(self.unknown_count.get() + 1);
        if self.unknown_count.get() > MAX_SUGGESTIONS {
            return None;
        }
        suggest("name", name, self.visible_names(file))
    }

    /// Reports mistakes in the annotations, `let`s and `def`s of a file, even if no rule uses them.
    pub(super) fn check_items(&self, file: usize, checked: &mut DefCache, diagnostics: &mut Vec<Diagnostic>) {
        let items = self.layer.files.get(file).map(|file| file.ast.items.as_slice()).unwrap_or_default();
        for item in items {
            let before = diagnostics.len();
            super::rule::check_annotations(item, diagnostics);
            match &item.kind {
                ItemKind::Let(item) => {
                    self.account.set_item(&item.name.text);
                    super::values::check_let(self, file, item, diagnostics);
                }
                ItemKind::Def(def) => super::condition::check_def(self, file, def, checked, diagnostics),
                _ => {}
            }
            // Other findings about this item may result from values that were no longer compiled.
            if self.account.exceeded_limit().is_some() {
                diagnostics.truncate(before);
                return;
            }
        }
    }
}

impl NameDefinition<'_> {
    fn span(&self) -> Span {
        match self {
            Self::Let(scoped) => scoped.value.span,
            Self::Def(_, def) => def.name.span,
            Self::Mark(_, mark) => mark.name.span,
        }
    }
}

/// Returns the finding about a `let` that depends on itself.
fn circular_finding(span: Span) -> Diagnostic {
    Diagnostic::new(Code::CIRCULAR, "a definition that depends on itself")
        .label(span, "never reaches a value")
        .help("write out one of the values")
}

/// Returns the number of parts, the unit of a policy's size, that each use of a value is charged.
fn value_parts(value: &ast::AstValue) -> u64 {
    let length = match &value.kind {
        ValueKind::Text(text) => text.value.len(),
        ValueKind::Regex(regex) => regex.pattern.len(),
        _ => 0,
    };
    parts_of_bytes(length, BYTES_PER_PART).saturating_add(1)
}
