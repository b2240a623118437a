//! Applies `@observe` and `@in_files` above a `use` to all rules of the used files.
//!
//! If a file is used both with and without the annotation, the annotation does not apply to its rules: a trial by one
//! file must not disable a rule for another.

use crate::diagnostic::{Code, Diagnostic};
use crate::layer::Layer;
use crate::ruleset::{CommandCoverage, Rule, RuleMode};
use crate::span::Span;
use crate::syntax::ast::{Item, ItemKind};

/// Which files of a layer an annotation applies to as a whole; each list has one element for each file.
pub(super) struct FileAnnotations {
    observed: Vec<bool>,
    in_files: Vec<bool>,
}

impl FileAnnotations {
    /// Determines the annotations of all files of a layer, and reports contradictory ones.
    pub(super) fn new(layer: &Layer, diagnostics: &mut Vec<Diagnostic>) -> Self {
        Self {
            observed: annotated_files(layer, "observe", diagnostics),
            in_files: annotated_files(layer, "in_files", diagnostics),
        }
    }

    /// Applies the annotations of a file to one of its rules.
    pub(super) fn apply(&self, file: usize, rule: &mut Rule) {
        if self.observed.get(file) == Some(&true) && rule.traits.mode == RuleMode::Active {
            rule.traits.mode = RuleMode::Observe;
        }
        if self.in_files.get(file) == Some(&true) && Rule::can_apply_to_files(&rule.effects) {
            rule.traits.commands = CommandCoverage::CallAndFiles;
        }
    }
}

/// One `use` of a file.
struct AnnotatedUse {
    /// The span of the file's name in the `use`.
    source: Span,
    /// Whether the annotation is above this `use`.
    is_annotated: bool,
    /// Whether the annotation applies to this `use`: it is above it, or applies to the file that contains it.
    applies: bool,
}

/// Returns for each file of a layer whether an annotation applies to its rules: every `use` of the file must have the
/// annotation, or be in a file to which the annotation applies.
fn annotated_files(layer: &Layer, annotation: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<bool> {
    let count = layer.files.len();
    let mut uses: Vec<Vec<AnnotatedUse>> = (0..count).map(|_| Vec::new()).collect();
    let mut applies = vec![false; count];
    // A file comes before the files that use it, so in reverse order all uses of a file are known when it is reached.
    for (at, file) in layer.files.iter().enumerate().rev() {
        let uses_of_file = uses.get(at).map(Vec::as_slice).unwrap_or_default();
        let applies_to_file = !uses_of_file.is_empty() && uses_of_file.iter().all(|one| one.applies);
        if let Some(applies) = applies.get_mut(at) {
            *applies = applies_to_file;
        }
        let items = file.ast.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Use(used) => Some((item, used.source.span)),
            _ => None,
        });
        for ((item, source), target) in items.zip(&file.uses) {
            let is_marked = is_annotated(item, annotation);
            if let Some(uses) = target.and_then(|target| uses.get_mut(target)) {
                uses.push(AnnotatedUse { source, is_annotated: is_marked, applies: is_marked || applies_to_file });
            }
        }
    }
    diagnostics.extend(uses.iter().filter_map(|uses| contradictory_uses(uses, annotation)));
    applies
}

/// Whether an item has an annotation.
fn is_annotated(item: &Item, name: &str) -> bool {
    item.annotations.iter().any(|annotation| annotation.name.text == name)
}

/// Returns the finding about a file that is used both with and without an annotation; `None` if there is no
/// contradiction.
fn contradictory_uses(uses: &[AnnotatedUse], annotation: &str) -> Option<Diagnostic> {
    let marked = uses.iter().find(|one| one.is_annotated)?;
    let other = uses.iter().find(|one| !one.applies)?;
    Some(
        Diagnostic::new(Code::BAD_USE, format!("one file used with `@{annotation}` and without"))
            .label(marked.source, format!("with `@{annotation}`"))
            .label(other.source, "without it")
            .help(format!("write `@{annotation}` above each `use` of it, or above none")),
    )
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;
    use crate::config::{LayerKind, PolicyBase};
    use crate::layer::{Layer, LoadedFile};
    use crate::ruleset::RuleMode;
    use crate::span::Sources;
    use crate::syntax;

    /// Compiles files, each with the indices of the files that it uses, and compares the modes of their rules, or the
    /// findings.
    #[track_caller]
    fn check(files: &[(&str, &[usize])], expected: &str) {
        let mut sources = Sources::default();
        let mut layer = Layer { exists: true, ..Layer::new(LayerKind::Project) };
        for (at, (text, uses)) in files.iter().enumerate() {
            let id = sources.add(format!("{at}.rules"), None, *text);
            let (ast, diagnostics) = syntax::parse(sources.file_by_id(id).unwrap());
            assert!(diagnostics.is_empty(), "{diagnostics:?}");
            let uses = uses.iter().copied().map(Some).collect();
            layer.files.push(LoadedFile {
                id,
                ast: ast.into(),
                directory: 0,
                base: PolicyBase::default(),
                pack: None,
                uses,
            });
        }
        let compiled = compile(&layer);
        let mut found: Vec<String> = compiled.diagnostics.iter().map(|found| found.message.clone()).collect();
        found.extend(compiled.rules.iter().map(|rule| {
            let mode = match rule.traits.mode {
                RuleMode::Active => "active",
                RuleMode::Observe => "observed",
                RuleMode::Off => "off",
            };
            format!("{} {mode}", rule.name)
        }));
        assert_eq!(found.join(", "), expected);
    }

    const A: &str = "rule a {\n  on Stop\n  deny \"No.\"\n}\n\n@off\nrule never {\n  on Stop\n  deny \"No.\"\n}\n";
    const B: &str = "use \"a\"\nrule b {\n  on Stop\n  deny \"No.\"\n}\n";

    #[test]
    fn a_use_on_trial_puts_all_its_rules_on_trial() {
        check(&[(A, &[]), ("@observe\nuse \"a\"\n", &[0])], "a observed, never off");
        check(&[(A, &[]), ("use \"a\"\n", &[0])], "a active, never off");
    }

    #[test]
    fn what_a_file_on_trial_uses_is_on_trial() {
        check(&[(A, &[]), (B, &[0]), ("@observe\nuse \"b\"\n", &[1])], "a observed, never off, b observed");
        check(
            &[(A, &[]), (B, &[0]), ("@observe\nuse \"b\"\n@observe\nuse \"a\"\n", &[1, 0])],
            "a observed, never off, b observed",
        );
    }

    #[test]
    fn what_another_file_wants_is_in_force() {
        let files: &[(&str, &[usize])] = &[(A, &[]), (B, &[0]), ("@observe\nuse \"b\"\n", &[1]), ("use \"a\"\n", &[0])];
        check(files, "a active, never off, b observed");
    }

    #[test]
    fn a_use_with_and_without_the_mark_is_a_mistake() {
        let files: &[(&str, &[usize])] = &[(A, &[]), ("@observe\nuse \"a\"\n", &[0]), ("use \"a\"\n", &[0])];
        check(files, "one file used with `@observe` and without, a active, never off");
    }

    #[test]
    fn only_rules_and_uses_are_observed() {
        check(&[("@observe\nlet x = 1\n", &[])], "`@observe` is for rules and `use` only");
        check(&[(A, &[]), ("@off\nuse \"a\"\n", &[0])], "`@off` is for rules only, a active, never off");
    }
}
