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
    let with = |clauses: Vec<Clause>| {
        let kind = ItemKind::Rule(Rule { clauses, ..rule.clone() });
        Some(Item { kind, ..item.clone() })
    };
    for (at, clause) in rule.clauses.iter().enumerate() {
        let without = || {
            let mut clauses = rule.clauses.clone();
            clauses.remove(at);
            with(clauses)
        };
        let replaced = |kind: ClauseKind| {
            let mut clauses = rule.clauses.clone();
            if let Some(place) = clauses.get_mut(at) {
                place.kind = kind;
            }
            with(clauses)
        };
        let mut add = |item, edit| out.push(Variant { item, edit, otherwise: None });
        let gone = |word| Edit::new(clause.span, EditKind::ClauseRemoved(word));
        match &clause.kind {
            ClauseKind::On(heads) => self::heads(heads).into_iter().for_each(|(heads, edit)| {
                add(replaced(ClauseKind::On(heads)), edit);
            }),
            ClauseKind::By(selectors) => {
                add(without(), gone("by"));
                for (selectors, edit) in self::selectors(selectors) {
                    add(replaced(ClauseKind::By(selectors)), edit);
                }
            }
            ClauseKind::When(condition) => {
                add(without(), gone("when"));
                for (condition, edit) in conditions(condition) {
                    add(replaced(ClauseKind::When(condition)), edit);
                }
            }
            ClauseKind::Unless(condition) => {
                add(without(), gone("unless"));
                for (condition, edit) in conditions(condition) {
                    add(replaced(ClauseKind::Unless(condition)), edit);
                }
            }
            ClauseKind::Effect(effect) => {
                let is_only = rule.clauses.iter().filter(|one| matches!(one.kind, ClauseKind::Effect(_))).count() < 2;
                // A rule needs an effect: replace it by one that no test sees.
                let gone = || if is_only { replaced(ClauseKind::Effect(unseen(effect))) } else { without() };
                let Some((word, weaker)) = weakened(effect) else { continue };
                let removed = Variant {
                    item: gone(),
                    edit: Edit::new(effect.verb, EditKind::EffectRemoved(word)),
                    otherwise: None,
                };
                out.push(match weaker {
                    Some((by, kind)) => Variant {
                        item: replaced(ClauseKind::Effect(Effect { kind, ..effect.clone() })),
                        edit: Edit::new(effect.verb, EditKind::Weakened { word, by }),
                        otherwise: Some(Box::new(removed)),
                    },
                    None => removed,
                });
            }
            ClauseKind::Unknown(_) | ClauseKind::Examples(..) => {}
        }
    }
    out
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
