//! Finds conditions that are always or never true, and parts of conditions that change nothing.

mod alternatives;

use super::FindingSink;
use super::glob_as_text::shortened;
use super::reason::{Atoms, Formula, condition_key};
use super::sources::effect_references;
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{CommandTest, Condition, ConditionExpr, DerivedField, Rule, SelectorList, ValueReference};
use crate::span::{Sources, Span};

/// The maximum number of parts of a condition that are compared with each other.
const MAX_PARTS: usize = 16;

/// Reports a rule that can never match, and conditions of other rules that are always true or have a redundant part.
pub(super) fn check(rule: &Rule, sources: &Sources, findings: &mut FindingSink) {
    let mut atoms = Atoms::for_rule(rule);
    let when = rule.when.as_ref().map(|when| (when, atoms.formula(when)));
    let unless = rule.unless.as_ref().map(|unless| (unless, atoms.formula(unless)));
    let acting = agents_formula(rule, &mut atoms);
    let mut of = |selector| match (atoms.selector_formula(selector), &acting) {
        (selected, Formula::Constant(true)) => selected,
        (Formula::Constant(true), acting) => acting.clone(),
        (selected, acting) => Formula::And(vec![selected, acting.clone()]),
    };
    let selected: Vec<Formula> = rule.head.events.iter().map(&mut of).collect();
    if atoms.is_over_limit() {
        return;
    }
    // A rule that never matches gets no other finding.
    let whole = rule_clauses(when.as_ref(), unless.as_ref());
    if let Some(finding) = whole.and_then(|whole| dead_rule(rule, &mut atoms, &whole, &selected)) {
        findings.push(finding);
        return;
    }
    // Findings about names also show the `when`, or else the `unless`.
    if let (Some(condition), _) | (None, Some(condition)) =
        (when.as_ref().map(|it| it.0), unless.as_ref().map(|it| it.0))
    {
        let except = unless.iter().map(|(_, formula)| formula.clone().negation());
        let all: Vec<Formula> = when.iter().map(|(_, formula)| formula.clone()).chain(except).collect();
        report_dead_names(rule, &mut atoms, &Formula::And(all), condition.span, findings);
    }
    for (condition, clause) in [(when, "when"), (unless, "unless")] {
        let Some((condition, formula)) = condition else { continue };
        // Whether the condition is true of everything that a selector selects: `tool_name == "Bash"` on
        // `PreToolUse(Bash)`.
        let holds =
            |selected: &Formula| atoms.is_always_true(&Formula::Or(vec![selected.clone().negation(), formula.clone()]));
        if clause == "when" && !selected.is_empty() && selected.iter().all(holds) {
            findings.push(always_true(rule, condition, sources));
            continue;
        }
        alternatives::check(&mut atoms, sources, condition, findings);
        RedundantParts { rule, sources, atoms: &mut atoms, findings }.check(condition);
        check_filters(rule, condition, sources, findings);
    }
}

/// The conditions of a rule's two clauses, each with its formula.
struct RuleClauses<'c> {
    when: Option<(&'c Condition, Formula)>,
    unless: Option<(&'c Condition, Formula)>,
}

/// Returns the clauses of a rule; `None` if it has neither `when` nor `unless`.
fn rule_clauses<'c>(
    when: Option<&(&'c Condition, Formula)>,
    unless: Option<&(&'c Condition, Formula)>,
) -> Option<RuleClauses<'c>> {
    (when.is_some() || unless.is_some()).then(|| RuleClauses { when: when.cloned(), unless: unless.cloned() })
}

/// Returns the finding about a rule that never matches; `None` if an event can make it match.
fn dead_rule<'c>(
    rule: &Rule,
    atoms: &mut Atoms<'c>,
    clauses: &RuleClauses<'c>,
    selected: &[Formula],
) -> Option<Diagnostic> {
    let name = &rule.name;
    if let Some((when, formula)) = &clauses.when
        && atoms.is_never_true(formula)
    {
        return Some(contradiction(format!("the condition of `{name}` is never true"), atoms, when));
    }
    let mut required: Vec<Formula> = clauses.when.iter().map(|(_, formula)| formula.clone()).collect();
    if let Some((unless, formula)) = &clauses.unless {
        if atoms.is_never_true(formula) {
            return Some(contradiction(format!("the exception of `{name}` is never true"), atoms, unless));
        }
        required.push(formula.clone().negation());
        if atoms.is_never_true(&Formula::And(required.clone())) {
            let finding =
                Diagnostic::new(Code::UNLESS_COVERS_WHEN, format!("the exception of `{name}` covers the whole rule"))
                    .label(unless.span, if clauses.when.is_some() { "true wherever `when` is" } else { "always true" });
            let finding = match &clauses.when {
                Some((when, _)) => finding.label(when.span, "the condition"),
                None => finding,
            };
            return Some(finding.help("narrow the exception, or remove the rule"));
        }
    }
    // A selector without names selects everything, which the checks above cover.
    let selects_all = |selected: &Formula| matches!(selected, Formula::Constant(true));
    let excludes = |selected: &Formula| {
        let parts = required.iter().cloned().chain([selected.clone()]).collect();
        atoms.is_never_true(&Formula::And(parts))
    };
    let condition = clauses.when.as_ref().or(clauses.unless.as_ref())?.0;
    let selects = if rule.head.agents.is_some() { "`on` and `by` select" } else { "`on` selects" };
    (!selected.is_empty() && !selected.iter().any(selects_all) && selected.iter().all(excludes)).then(|| {
        Diagnostic::new(Code::UNREACHABLE, format!("`{name}` never matches"))
            .label(condition.span, format!("false for everything that {selects}"))
            .help("change what is selected, or the condition")
    })
}

/// Returns the formula for the names after `by`, which is about the acting agent; true if there are no names.
fn agents_formula<'c>(rule: &'c Rule, atoms: &mut Atoms<'c>) -> Formula {
    let names = rule.head.agents.as_ref().map(|agents| agents.0.includes.as_slice()).unwrap_or_default();
    let formulas: Option<Vec<Formula>> = names.iter().map(|name| atoms.agent_formula(&rule.head, name)).collect();
    formulas.filter(|formulas| !formulas.is_empty()).map_or(Formula::Constant(true), Formula::Or)
}

/// Reports the names in `on` and `by` for which the rule never matches.
fn report_dead_names<'c>(
    rule: &'c Rule,
    atoms: &mut Atoms<'c>,
    conditions: &Formula,
    condition: Span,
    findings: &mut FindingSink,
) {
    // Reports a name if the conditions of the rule are never true together with the name's formula.
    let mut report_if_dead = |name: &str, span: Span, formula: Option<Formula>, atoms: &Atoms<'c>| {
        let Some(formula) = formula else { return };
        if !atoms.is_over_limit() && atoms.is_never_true(&Formula::And(vec![conditions.clone(), formula])) {
            findings.push(
                Diagnostic::new(Code::DEAD_NAME, shortened(&format!("`{}` never matches by `", rule.name), name, "`"))
                    .label(span, "selects nothing: the condition is false for it")
                    .label(condition, "the condition")
                    .help("remove the name, or the test that rules it out"),
            );
        }
    };
    for selector in &rule.head.events {
        for (name, span) in selector.subjects.iter().flat_map(included_names) {
            let formula = atoms.subject_formula(selector.event, name);
            report_if_dead(name, span, formula, atoms);
        }
    }
    for (name, span) in rule.head.agents.iter().flat_map(|agents| included_names(&agents.0)) {
        let formula = atoms.agent_formula(&rule.head, name);
        report_if_dead(name, span, formula, atoms);
    }
}

/// Returns the names in a list that are not exclusions, each with its span.
fn included_names(list: &SelectorList) -> impl Iterator<Item = (&str, Span)> {
    let includes = list.written.iter().filter(|(name, _)| list.includes.contains(name));
    includes.map(|(name, span)| (name.as_str(), *span))
}

/// Returns the finding about a condition that is never true, at the smallest part that causes it.
fn contradiction<'c>(message: String, atoms: &mut Atoms<'c>, condition: &'c Condition) -> Diagnostic {
    let (span, label, other) = contradicting_part(atoms, condition);
    let finding = Diagnostic::new(Code::CONTRADICTORY_CONDITION, message).label(span, label);
    let help = "write `or` if one of them is enough, or remove one";
    match other {
        Some(other) => finding.label(other, "the other").help(help),
        None => finding.help("remove it, or change one of its tests"),
    }
}

/// Returns the span of the smallest part of a condition that is never true, the label for it, and the span of the part
/// that it contradicts, if there is one.
fn contradicting_part<'c>(atoms: &mut Atoms<'c>, condition: &'c Condition) -> (Span, &'static str, Option<Span>) {
    match &condition.kind {
        ConditionExpr::Def(inner) => contradicting_part(atoms, inner),
        ConditionExpr::And(parts) => {
            for part in parts {
                let formula = atoms.formula(part);
                if atoms.is_never_true(&formula) {
                    return contradicting_part(atoms, part);
                }
            }
            for (at, part) in parts.iter().enumerate().take(MAX_PARTS) {
                for earlier in parts.iter().take(at) {
                    let both = Formula::And(vec![atoms.formula(earlier), atoms.formula(part)]);
                    if atoms.is_never_true(&both) {
                        return (part.span, "never true where the other is", Some(earlier.span));
                    }
                }
            }
            (condition.span, "never true together", None)
        }
        ConditionExpr::Or(_) => (condition.span, "none of these is ever true", None),
        _ => (condition.span, "never true", None),
    }
}

/// Returns the finding about a `when` that is always true.
fn always_true(rule: &Rule, condition: &Condition, sources: &Sources) -> Diagnostic {
    let message = format!("the condition of `{}` is always true", rule.name);
    let finding = Diagnostic::new(Code::TAUTOLOGY, message)
        .label(condition.span, "true for everything that `on` selects")
        .help("remove `when`, or write what sets the events apart");
    match clause_span(sources, condition.span) {
        Some(span) if !shows_match(rule) => finding.fix(span, ""),
        _ => finding,
    }
}

/// Returns the span of a `when` clause with the white space before it; `None` if anything follows on its line.
fn clause_span(sources: &Sources, condition: Span) -> Option<Span> {
    let text = sources.file(condition)?.text.as_str();
    let start = condition.start as usize;
    let before = text.get(..start)?.strip_suffix("when ")?;
    let start = before.trim_end_matches([' ', '\n']).len();
    let after = text.get(condition.end as usize..)?;
    after.starts_with('\n').then(|| Span::new(condition.file, start, condition.end as usize))
}

/// Whether a text of a rule uses `{match}` or `{place}`, whose values change if a test is removed.
fn shows_match(rule: &Rule) -> bool {
    let is_match =
        |source: &&ValueReference| matches!(source, ValueReference::Derived(DerivedField::Match | DerivedField::Place));
    rule.effects.iter().any(|effect| effect_references(effect).iter().any(is_match))
}

/// The operator that joins the parts of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Connective {
    And,
    Or,
}

impl Connective {
    fn keyword(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
        }
    }

    fn join(self, parts: Vec<Formula>) -> Formula {
        match self {
            Self::And => Formula::And(parts),
            Self::Or => Formula::Or(parts),
        }
    }

    /// Returns the label for a part that changes nothing.
    fn redundancy(self) -> &'static str {
        match self {
            Self::And => "always true where the others are",
            Self::Or => "never true where the others are not",
        }
    }

    /// Returns for each part whether the whole certainly needs it. Needs no search, and so misses some: a part is
    /// needed if it is about other sources than the rest, so that it decides the whole whenever the rest does not.
    fn needed_parts(self, atoms: &Atoms<'_>, parts: &[Formula]) -> Vec<bool> {
        let whole = self.join(parts.to_vec());
        let can_leave_open = match self {
            Self::And => !atoms.is_never_true(&whole),
            Self::Or => !atoms.is_never_false(&whole),
        };
        let can_decide = |part: &Formula| match self {
            Self::And => !atoms.is_never_false(part),
            Self::Or => !atoms.is_never_true(part),
        };
        let independent = atoms.are_independent(parts);
        independent.iter().zip(parts).map(|(is_alone, part)| *is_alone && can_leave_open && can_decide(part)).collect()
    }
}

/// Finds redundant parts: those without which a condition has the same meaning.
struct RedundantParts<'p, 'c> {
    rule: &'c Rule,
    sources: &'p Sources,
    atoms: &'p mut Atoms<'c>,
    findings: &'p mut FindingSink,
}

impl<'c> RedundantParts<'_, 'c> {
    /// Checks the parts of a condition, but not those in a `def`, which other rules use too.
    fn check(&mut self, condition: &'c Condition) {
        match &condition.kind {
            ConditionExpr::And(parts) => self.check_parts(parts, Connective::And),
            ConditionExpr::Or(parts) => self.check_parts(parts, Connective::Or),
            ConditionExpr::Not(inner) => self.check(inner),
            _ => {}
        }
    }

    /// Reports each part without which the whole has the same meaning, and checks the parts of every other part.
    fn check_parts(&mut self, parts: &'c [Condition], connective: Connective) {
        if parts.len() > MAX_PARTS {
            return;
        }
        let formulas: Vec<Formula> = parts.iter().map(|part| self.atoms.formula(part)).collect();
        if self.atoms.is_over_limit() {
            return;
        }
        let needed = connective.needed_parts(self.atoms, &formulas);
        let whole = connective.join(formulas.clone());
        // Begins at the end, so that the first of several equivalent parts is kept.
        let mut kept: Vec<bool> = vec![true; parts.len()];
        for at in (0..parts.len()).rev() {
            let (Some(part), Some(formula)) = (parts.get(at), formulas.get(at)) else { continue };
            if needed.get(at) == Some(&true) {
                self.check(part);
                continue;
            }
            let others: Vec<Formula> = formulas
                .iter()
                .zip(&kept)
                .enumerate()
                .filter(|(other, (_, kept))| *other != at && **kept)
                .map(|(_, (formula, _))| formula.clone())
                .collect();
            let is_same = !others.is_empty() && self.atoms.are_the_same(&whole, &connective.join(others));
            if !is_same || self.selects_places(part, parts.iter().zip(&kept).filter(|(it, _)| !std::ptr::eq(*it, part)))
            {
                self.check(part);
                continue;
            }
            if let Some(kept) = kept.get_mut(at) {
                *kept = false;
            }
            let label = if self.atoms.is_never_true(formula) {
                "never true"
            } else if self.atoms.is_always_true(formula) {
                "always true"
            } else {
                connective.redundancy()
            };
            let finding = Diagnostic::new(Code::CONSTANT_SUBCONDITION, "a test that changes nothing")
                .label(part.span, label)
                .help("remove it, or write the test that is meant");
            let edit = removal_span(self.sources, parts, at, connective.keyword()).filter(|_| !shows_match(self.rule));
            self.findings.push(match edit {
                Some(span) => finding.fix(span, ""),
                None => finding,
            });
        }
    }

    /// Whether a part has a test that determines in which directories the rule is judged, and that no other kept part
    /// has. Without it, conditions about git would read the state of other directories.
    fn selects_places<'p>(&self, part: &Condition, others: impl Iterator<Item = (&'p Condition, &'p bool)>) -> bool {
        if !self.rule.depends_on_surroundings {
            return false;
        }
        let keys_of_part = keys_of_place_tests(part);
        let keys_of_others = others.filter(|(_, kept)| **kept).flat_map(|(other, _)| keys_of_place_tests(other));
        let keys_of_others: Vec<_> = if keys_of_part.is_empty() { Vec::new() } else { keys_of_others.collect() };
        !keys_of_part.iter().all(|key| keys_of_others.contains(key))
    }
}

/// Returns the key of each test of commands or files in a condition, and whether the test is negated.
fn keys_of_place_tests(condition: &Condition) -> Vec<(Vec<u8>, bool)> {
    let mut keys = Vec::new();
    condition.visit_tests(&mut |test, is_negated| {
        if matches!(test.kind, ConditionExpr::Command(CommandTest::Runs { .. })) || test.kind.file_verb().is_some() {
            keys.push((condition_key(test), is_negated));
        }
    });
    keys
}

/// Returns the span to delete in order to remove a part of an `and` or `or`: the part, and the operator between it and
/// its neighbour. `None` if there is anything else between the two, such as a comment.
fn removal_span(sources: &Sources, parts: &[Condition], index: usize, connective: &str) -> Option<Span> {
    let part = parts.get(index)?.span;
    let check_between = |from: u32, to: u32| {
        let between = sources.file(part)?.text.get(from as usize..to as usize)?;
        (between.trim() == connective).then_some(())
    };
    match index.checked_sub(1).and_then(|before| parts.get(before)) {
        Some(before) => check_between(before.span.end, part.start).map(|()| Span { start: before.span.end, ..part }),
        None => {
            let next = parts.get(index + 1)?.span;
            check_between(part.end, next.start).map(|()| Span { end: next.start, ..part })
        }
    }
}

/// Reports contradictions and redundant parts in the condition of each `where`.
fn check_filters(rule: &Rule, condition: &Condition, sources: &Sources, findings: &mut FindingSink) {
    condition.visit_tests(&mut |test, _| {
        let ConditionExpr::Command(CommandTest::Runs { filter: Some(filter), .. }) = &test.kind else { return };
        let mut atoms = Atoms::default();
        let formula = atoms.formula(filter);
        if atoms.is_over_limit() {
            return;
        }
        if atoms.is_never_true(&formula) {
            findings.push(contradiction(format!("a `where` of `{}` is never true", rule.name), &mut atoms, filter));
        } else {
            alternatives::check(&mut atoms, sources, filter, findings);
            RedundantParts { rule, sources, atoms: &mut atoms, findings }.check(filter);
        }
    });
}
