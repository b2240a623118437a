//! The mutations of an item: a rule, a `let` or a `def`.

use super::condition::{condition_mutations, element_mutations, is_glob_covered};
use super::edit::{EditKind, MutantEdit};
use crate::syntax::ast::{
    AstCondition, AstEffect, AstRule, Clause, ClauseKind, Def, EffectKind, EventHead, Exception, ExceptionNarrowing,
    Item, ItemKind, Let, QuoteStyle, Selector, StringLiteral, Use,
};

/// An item with one change.
pub(super) struct MutatedItem {
    /// The changed item; `None` if the change is its removal.
    pub(super) item: Option<Item>,
    pub(super) edit: MutantEdit,
    /// The mutation to try if the policy does not load with this one.
    pub(super) fallback: Option<Box<MutatedItem>>,
}

/// Returns the mutations of an item, each with a single change.
pub(super) fn item_mutations(item: &Item) -> Vec<MutatedItem> {
    let kinds: Vec<(ItemKind, MutantEdit)> = match &item.kind {
        ItemKind::Rule(rule) => return rule_mutations(item, rule),
        ItemKind::Let(definition) => element_mutations(&definition.value, is_glob_covered)
            .into_iter()
            .map(|(value, edit)| (ItemKind::Let(Let { value, ..definition.clone() }), edit))
            .collect(),
        ItemKind::Def(definition) => condition_mutations(&definition.condition)
            .into_iter()
            .map(|(condition, edit)| (ItemKind::Def(Def { condition, ..definition.clone() }), edit))
            .collect(),
        ItemKind::Use(used) => exception_mutations(used)
            .into_iter()
            .map(|(except, edit)| (ItemKind::Use(Use { except, ..used.clone() }), edit))
            .collect(),
        ItemKind::Test(_) => Vec::new(),
    };
    let variant = |(kind, edit)| MutatedItem { item: Some(Item { kind, ..item.clone() }), edit, fallback: None };
    kinds.into_iter().map(variant).collect()
}

/// Returns the mutations of the exceptions of a `use` that leave out a part of a rule: the exception removed, extended
/// to the whole rule, and with each mutation of its condition.
fn exception_mutations(used: &Use) -> Vec<(Vec<Exception>, MutantEdit)> {
    let mut out = Vec::new();
    for (at, exception) in used.except.iter().enumerate() {
        let Some(narrowing) = &exception.narrowing else { continue };
        let condition = narrowing.condition();
        let mut add = |changed: Option<Exception>, edit: MutantEdit| {
            let mut except = used.except.clone();
            except.splice(at..=at, changed);
            out.push((except, edit.of_exception()));
        };
        let whole = exception.rule.span.joined_with(condition.span);
        add(None, MutantEdit::new(whole, EditKind::TextRemoval));
        let (word, narrow): (_, fn(AstCondition) -> ExceptionNarrowing) = match narrowing {
            ExceptionNarrowing::Where(_) => ("where", ExceptionNarrowing::Where),
            ExceptionNarrowing::When(_) => ("when", ExceptionNarrowing::When),
        };
        let without = Exception { narrowing: None, ..exception.clone() };
        add(Some(without), MutantEdit::new(condition.span, EditKind::ClauseRemoval(word)));
        for (condition, edit) in condition_mutations(condition) {
            add(Some(Exception { narrowing: Some(narrow(condition)), ..exception.clone() }), edit);
        }
    }
    out
}

/// Returns the mutations of a rule: its removal, and the changes of each of its clauses.
fn rule_mutations(item: &Item, rule: &AstRule) -> Vec<MutatedItem> {
    let removed = MutantEdit::new(rule.name.span, EditKind::RuleRemoval);
    let mut out = vec![MutatedItem { item: None, edit: removed, fallback: None }];
    for (at, clause) in rule.clauses.iter().enumerate() {
        out.extend(RuleClause { item, rule, at }.variants(clause));
    }
    out
}

/// A clause of a rule, from which copies of the rule are made in which only this clause is changed.
struct RuleClause<'r> {
    item: &'r Item,
    rule: &'r AstRule,
    /// The index of the clause in the rule.
    at: usize,
}

impl RuleClause<'_> {
    /// Returns the rule after `change` has edited its clauses; never `None`, which would be the removal of the rule.
    fn changed(&self, change: impl FnOnce(&mut Vec<Clause>)) -> Option<Item> {
        let mut clauses = self.rule.clauses.clone();
        change(&mut clauses);
        let kind = ItemKind::Rule(AstRule { clauses, ..self.rule.clone() });
        Some(Item { kind, ..self.item.clone() })
    }

    /// Returns the rule without this clause.
    fn without(&self) -> Option<Item> {
        self.changed(|clauses| drop(clauses.remove(self.at)))
    }

    /// Returns the rule with the contents of this clause replaced.
    fn replaced(&self, kind: ClauseKind) -> Option<Item> {
        self.changed(|clauses| {
            if let Some(clause) = clauses.get_mut(self.at) {
                clause.kind = kind;
            }
        })
    }

    /// Returns the mutations of the rule that change this clause.
    fn variants(&self, clause: &Clause) -> Vec<MutatedItem> {
        let variant = |item, edit| MutatedItem { item, edit, fallback: None };
        let removed = |word| variant(self.without(), MutantEdit::new(clause.span, EditKind::ClauseRemoval(word)));
        let replaced = |(kind, edit)| variant(self.replaced(kind), edit);
        match &clause.kind {
            ClauseKind::On(heads) => {
                let heads = self::head_mutations(heads).into_iter();
                heads.map(|(heads, edit)| replaced((ClauseKind::On(heads), edit))).collect()
            }
            ClauseKind::By(selectors) => {
                let selectors = self::selector_mutations(selectors).into_iter();
                let selectors = selectors.map(|(selectors, edit)| replaced((ClauseKind::By(selectors), edit)));
                std::iter::once(removed("by")).chain(selectors).collect()
            }
            ClauseKind::When(condition) => {
                let conditions = condition_mutations(condition).into_iter();
                let conditions = conditions.map(|(condition, edit)| replaced((ClauseKind::When(condition), edit)));
                std::iter::once(removed("when")).chain(conditions).collect()
            }
            ClauseKind::Unless(condition) => {
                let conditions = condition_mutations(condition).into_iter();
                let conditions = conditions.map(|(condition, edit)| replaced((ClauseKind::Unless(condition), edit)));
                std::iter::once(removed("unless")).chain(conditions).collect()
            }
            ClauseKind::Effect(effect) => self.effect_mutation(effect).into_iter().collect(),
            ClauseKind::Key(_) => vec![removed("key")],
            ClauseKind::Unknown(_) | ClauseKind::Examples(..) => Vec::new(),
        }
    }

    /// Returns the rule with the next weaker effect and, as the fallback, the rule without the effect; `None` if no
    /// test can notice the effect.
    fn effect_mutation(&self, effect: &AstEffect) -> Option<MutatedItem> {
        let (word, weaker) = weaker_effect(effect)?;
        let clauses = self.rule.clauses.iter();
        // A rule must have an effect, so a single one is replaced by an effect that no test can notice.
        let item = match clauses.filter(|one| matches!(one.kind, ClauseKind::Effect(_))).count() {
            0 | 1 => self.replaced(ClauseKind::Effect(untestable_effect(effect))),
            _ => self.without(),
        };
        let removed =
            MutatedItem { item, edit: MutantEdit::new(effect.verb, EditKind::EffectRemoval(word)), fallback: None };
        Some(match weaker {
            Some((by, kind)) => MutatedItem {
                item: self.replaced(ClauseKind::Effect(AstEffect { kind, ..effect.clone() })),
                edit: MutantEdit::new(effect.verb, EditKind::EffectWeakening { word, by }),
                fallback: Some(Box::new(removed)),
            },
            None => removed,
        })
    }
}

/// Returns the mutations of the heads after `on`: each event removed, and each selector of an event removed.
fn head_mutations(heads: &[EventHead]) -> Vec<(Vec<EventHead>, MutantEdit)> {
    let mut out = Vec::new();
    for (at, head) in heads.iter().enumerate() {
        if heads.len() > 1 {
            let mut others = heads.to_vec();
            others.remove(at);
            out.push((others, MutantEdit::new(head.span, EditKind::TextRemoval)));
        }
        for (selectors, edit) in self::selector_mutations(head.selectors.as_deref().unwrap_or_default()) {
            let mut heads = heads.to_vec();
            if let Some(head) = heads.get_mut(at) {
                head.selectors = Some(selectors);
            }
            out.push((heads, edit));
        }
    }
    out
}

/// Returns copies of the selectors, each without one of them; empty for fewer than two.
fn selector_mutations(selectors: &[Selector]) -> Vec<(Vec<Selector>, MutantEdit)> {
    if selectors.len() < 2 {
        return Vec::new();
    }
    let without = |(at, selector): (usize, &Selector)| {
        let mut others = selectors.to_vec();
        others.remove(at);
        (others, MutantEdit::new(selector.span, EditKind::TextRemoval))
    };
    selectors.iter().enumerate().map(without).collect()
}

/// Returns the keyword of an effect, and the next weaker effect if there is one; `None` if no test can notice the
/// effect.
fn weaker_effect(effect: &AstEffect) -> Option<(&'static str, Option<(&'static str, EffectKind)>)> {
    Some(match &effect.kind {
        EffectKind::Halt(message) => ("halt", Some(("deny", EffectKind::Deny(message.clone())))),
        EffectKind::Deny(message) => ("deny", Some(("ask", EffectKind::Ask(message.clone())))),
        EffectKind::Ask(_) => ("ask", None),
        EffectKind::Allow(_) => ("allow", None),
        EffectKind::Context(_) => ("context", None),
        EffectKind::RewriteSet(..) | EffectKind::RewriteReplace(..) | EffectKind::RewriteRuns(..) => ("rewrite", None),
        EffectKind::RunShell(_) | EffectKind::RunArgv(..) => ("run", None),
        // No `expect` can test these.
        EffectKind::Exit(..) | EffectKind::Warn(_) | EffectKind::Notify(..) | EffectKind::Record(_) => return None,
    })
}

/// Returns a `notify`, which no test can notice, to replace an effect.
fn untestable_effect(effect: &AstEffect) -> AstEffect {
    let title = StringLiteral {
        value: "nothing".to_owned(),
        placeholders: Vec::new(),
        quote: QuoteStyle::Double,
        span: effect.verb,
    };
    AstEffect { kind: EffectKind::Notify(title, None), options: None, verb: effect.verb }
}
