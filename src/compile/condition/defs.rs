//! Compiles the conditions of `def`s, each once for a head.

use std::sync::Arc;

use super::super::account::ChargeReason;
use super::super::names::LayerNames;
use super::{CompiledDef, ConditionCompiler, DEF_LEVELS, DefCache, DefKey};
use crate::diagnostic::{Code, Diagnostic};
use crate::ruleset::{ConditionExpr, EventSelector, Head};
use crate::schema::Event;
use crate::span::Span;
use crate::syntax::ast;

impl<'a> ConditionCompiler<'_, 'a> {
    /// Compiles a use of a `def`. The `def` itself is compiled once for each head.
    pub(super) fn def(&mut self, home: usize, def: &'a ast::Def, span: Span) -> Option<ConditionExpr> {
        let key = (home, def.name.span.start);
        self.check_def_use(key, def, span)?;
        self.names.captures.add_of_definition(&def.condition);
        if let Some(known) = self.defs.0.get(&key) {
            let CompiledDef { condition, levels, parts } = known.clone()?;
            self.check_depth(levels, span)?;
            self.names.account.charge(parts, ChargeReason::Definition, span)?;
            return Some(ConditionExpr::Def(condition));
        }
        let CompiledDef { condition, levels, .. } = self.definition(key, def)?;
        self.check_depth(levels, span)?;
        Some(ConditionExpr::Def(condition))
    }

    /// Reports a `def` that is used within a `where` or within itself, and then returns `None`. In a rule, a cycle is
    /// not reported again: the check of the definitions has done so.
    fn check_def_use(&mut self, key: DefKey, def: &ast::Def, span: Span) -> Option<()> {
        if self.in_where {
            self.diagnostics.push(
                Diagnostic::new(Code::BAD_VALUE, "a `def` inside `where`")
                    .label(span, "`where` tests the command alone")
                    .help("put `and …` after it"),
            );
            return None;
        }
        if !self.open_defs.contains(&key) {
            return Some(());
        }
        if self.reports_cycles {
            self.diagnostics.push(
                Diagnostic::new(Code::CIRCULAR, format!("`{}` is defined by itself", def.name.text))
                    .label(span, "part of its own definition")
                    .label(def.name.span, "defined here")
                    .help("write out the condition"),
            );
        }
        None
    }

    /// Compiles a definition, and caches it with its depth and its number of parts.
    fn definition(&mut self, key: DefKey, def: &'a ast::Def) -> Option<CompiledDef> {
        let parts_above = self.names.account.parts();
        // Measures the depth of this definition alone.
        let deepest_above = std::mem::replace(&mut self.deepest, self.depth);
        self.open_defs.push(key);
        self.depth += DEF_LEVELS;
        let hidden = self.names.captures.hide();
        let compiled = self.condition(key.0, &def.condition);
        self.names.captures.show(hidden);
        self.depth -= DEF_LEVELS;
        self.open_defs.pop();
        let levels = self.deepest - self.depth;
        self.deepest = self.deepest.max(deepest_above);
        let parts = self.names.account.parts().saturating_sub(parts_above);
        let compiled_def = compiled.map(|condition| CompiledDef { condition: Arc::new(condition), levels, parts });
        self.defs.0.insert(key, compiled_def.clone());
        compiled_def
    }
}

/// Checks a `def` for all events, so that a mistake in an unused one is reported too. Each rule that uses the `def`
/// checks it again for its own events. The result is cached for other definitions that use this one.
pub(in super::super) fn check_def<'a>(
    names: &LayerNames<'a>,
    file: usize,
    def: &'a ast::Def,
    checked: &mut DefCache,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let key = (file, def.name.span.start);
    if checked.0.contains_key(&key) {
        return;
    }
    let all = Event::ALL.iter().map(|event| EventSelector { event: *event, subjects: None });
    let head = Head { events: all.collect(), every_event: true, agents: None };
    names.account.set_item(&def.name.text);
    let mut conditions = ConditionCompiler::new(names, &head, diagnostics);
    conditions.defs = std::mem::take(checked);
    conditions.reports_cycles = true;
    let _checked = conditions.definition(key, def);
    *checked = conditions.defs;
}
