//! Mutations of an item: a rule, a `let`, a `def`.

use super::condition::{conditions, elements, is_glob_beside};
use super::edit::{Edit, EditKind};
use crate::syntax::ast::{
    Clause, ClauseKind, Def, Effect, EffectKind, EventHead, Item, ItemKind, Let, Quote, Rule, Selector, Text,
};

/// A mutated item; `None` if it is removed.
pub(super) struct Variant {
    pub(super) item: Option<Item>,
    pub(super) edit: Edit,
    /// The mutation to try if the policy does not load with this one.
    pub(super) otherwise: Option<Box<Variant>>,
}

/// Returns the mutations of an item, with one change each.
pub(super) fn variants(item: &Item) -> Vec<Variant> {
    let kinds: Vec<(ItemKind, Edit)> = match &item.kind {
        ItemKind::Rule(rule) => return rules(item, rule),
        ItemKind::Let(definition) => elements(&definition.value, is_glob_beside)
            .into_iter()
            .map(|(value, edit)| (ItemKind::Let(Let { value, ..definition.clone() }), edit))
            .collect(),
        ItemKind::Def(definition) => conditions(&definition.condition)
            .into_iter()
            .map(|(condition, edit)| (ItemKind::Def(Def { condition, ..definition.clone() }), edit))
            .collect(),
        ItemKind::Use(_) | ItemKind::Test(_) => Vec::new(),
    };
    let variant = |(kind, edit)| Variant { item: Some(Item { kind, ..item.clone() }), edit, otherwise: None };
    kinds.into_iter().map(variant).collect()
}

fn rules(item: &Item, rule: &Rule) -> Vec<Variant> {
    let removed = Edit::new(rule.name.span, EditKind::RuleRemoved);
    let mut out = vec![Variant { item: None, edit: removed, otherwise: None }];
    for (at, clause) in rule.clauses.iter().enumerate() {
        out.extend(RuleClause { item, rule, at }.variants(clause));
    }
    out
}

/// A clause of a rule.
struct RuleClause<'r> {
    item: &'r Item,
    rule: &'r Rule,
    /// Its index in the rule.
    at: usize,
}

impl RuleClause<'_> {
    /// Returns the rule with changed clauses.
    fn changed(&self, change: impl FnOnce(&mut Vec<Clause>)) -> Option<Item> {
        let mut clauses = self.rule.clauses.clone();
        change(&mut clauses);
        let kind = ItemKind::Rule(Rule { clauses, ..self.rule.clone() });
        Some(Item { kind, ..self.item.clone() })
    }

    /// Returns the rule without the clause.
    fn without(&self) -> Option<Item> {
        self.changed(|clauses| drop(clauses.remove(self.at)))
    }

    /// Returns the rule with another clause in its place.
    fn replaced(&self, kind: ClauseKind) -> Option<Item> {
        self.changed(|clauses| {
            if let Some(clause) = clauses.get_mut(self.at) {
                clause.kind = kind;
            }
        })
    }

    fn variants(&self, clause: &Clause) -> Vec<Variant> {
        let variant = |item, edit| Variant { item, edit, otherwise: None };
        let removed = |word| variant(self.without(), Edit::new(clause.span, EditKind::ClauseRemoved(word)));
        let replaced = |(kind, edit)| variant(self.replaced(kind), edit);
        match &clause.kind {
            ClauseKind::On(heads) => {
                let heads = self::heads(heads).into_iter();
                heads.map(|(heads, edit)| replaced((ClauseKind::On(heads), edit))).collect()
            }
            ClauseKind::By(selectors) => {
                let selectors = self::selectors(selectors).into_iter();
                let selectors = selectors.map(|(selectors, edit)| replaced((ClauseKind::By(selectors), edit)));
                std::iter::once(removed("by")).chain(selectors).collect()
            }
            ClauseKind::When(condition) => {
                let conditions = conditions(condition).into_iter();
                let conditions = conditions.map(|(condition, edit)| replaced((ClauseKind::When(condition), edit)));
                std::iter::once(removed("when")).chain(conditions).collect()
            }
            ClauseKind::Unless(condition) => {
                let conditions = conditions(condition).into_iter();
                let conditions = conditions.map(|(condition, edit)| replaced((ClauseKind::Unless(condition), edit)));
                std::iter::once(removed("unless")).chain(conditions).collect()
            }
            ClauseKind::Effect(effect) => self.effect(effect).into_iter().collect(),
            ClauseKind::Unknown(_) | ClauseKind::Examples(..) => Vec::new(),
        }
    }

    /// Returns the rule with a weaker effect, or without it; `None` if no test can see it.
    fn effect(&self, effect: &Effect) -> Option<Variant> {
        let (word, weaker) = weakened(effect)?;
        let clauses = self.rule.clauses.iter();
        // A rule needs an effect: replace it by one that no test sees.
        let item = match clauses.filter(|one| matches!(one.kind, ClauseKind::Effect(_))).count() {
            0 | 1 => self.replaced(ClauseKind::Effect(unseen(effect))),
            _ => self.without(),
        };
        let removed = Variant { item, edit: Edit::new(effect.verb, EditKind::EffectRemoved(word)), otherwise: None };
        Some(match weaker {
            Some((by, kind)) => Variant {
                item: self.replaced(ClauseKind::Effect(Effect { kind, ..effect.clone() })),
                edit: Edit::new(effect.verb, EditKind::Weakened { word, by }),
                otherwise: Some(Box::new(removed)),
            },
            None => removed,
        })
    }
}

fn heads(heads: &[EventHead]) -> Vec<(Vec<EventHead>, Edit)> {
    let mut out = Vec::new();
    for (at, head) in heads.iter().enumerate() {
        if heads.len() > 1 {
            let mut others = heads.to_vec();
            others.remove(at);
            out.push((others, Edit::new(head.span, EditKind::Removed)));
        }
        for (selectors, edit) in self::selectors(head.selectors.as_deref().unwrap_or_default()) {
            let mut heads = heads.to_vec();
            if let Some(head) = heads.get_mut(at) {
                head.selectors = Some(selectors);
            }
            out.push((heads, edit));
        }
    }
    out
}

fn selectors(selectors: &[Selector]) -> Vec<(Vec<Selector>, Edit)> {
    if selectors.len() < 2 {
        return Vec::new();
    }
    let without = |(at, selector): (usize, &Selector)| {
        let mut others = selectors.to_vec();
        others.remove(at);
        (others, Edit::new(selector.span, EditKind::Removed))
    };
    selectors.iter().enumerate().map(without).collect()
}

/// Returns the keyword of an effect that a test can see, and the next weaker effect, if there is one.
fn weakened(effect: &Effect) -> Option<(&'static str, Option<(&'static str, EffectKind)>)> {
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

fn unseen(effect: &Effect) -> Effect {
    let title = Text { value: "nothing".to_owned(), placeholders: Vec::new(), quote: Quote::Double, span: effect.verb };
    Effect { kind: EffectKind::Notify(title, None), options: None, verb: effect.verb }
}
