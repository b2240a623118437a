//! Evaluates the nodes of a program in the order in which they run.

mod loops;

use std::collections::BTreeMap;
use std::rc::Rc;

use super::arguments::CallArguments;
use super::state::ProgramState;
use super::tree::{AssignmentTarget, CodeNode, CodeNodeId, CodeTree};
use super::value::{Closure, CodeValue, DataOrigin, HeapCell};
use super::{CodeEffect, CodeEffects, CodeLanguage, ExecutionMode, ProgramEnvironment, UnanalysedCode, excerpt};
use crate::unseen::UnseenText;
use crate::word::{Cause, Unknown, Word};

/// The maximum nesting depth of expressions and calls, counted together, that is evaluated.
pub(super) const LEVELS: usize = 64;

/// The levels that a function call takes in addition to those of the function's body.
pub(super) const CALL_LEVELS: usize = 2;

/// The maximum number of recorded effects, and also of recorded unanalysed parts.
const MAX_RECORDED: usize = 256;

/// Evaluates the program of one command, and the code that this program evaluates in turn.
pub(super) struct Evaluator<'o> {
    pub language: CodeLanguage,
    pub environment: &'o dyn ProgramEnvironment,
    /// How the interpreter runs the program.
    pub mode: ExecutionMode,
    /// The unknown parts of the source text, by the index of their stand-in characters.
    pub holes: &'o [Word],
    /// The tree of the program, and those of the code that it evaluates.
    pub trees: Vec<Rc<CodeTree>>,
    pub state: ProgramState,
    pub effects: CodeEffects,
    /// The value that the program, and each function in `calls`, may return so far. The innermost is last.
    pub returned: Vec<Option<CodeValue>>,
    /// The functions whose calls are in progress, the innermost last, each with the index of its tree.
    pub calls: Vec<(usize, super::tree::FunctionId)>,
    /// The URLs and `host:port` addresses that the program connected to.
    pub fetched: Vec<Word>,
    /// The functions that were called, and the classes whose bodies were evaluated, each with the index of its tree.
    pub called: std::collections::BTreeSet<(usize, super::tree::FunctionId)>,
    /// The modules that the program loads from files with known contents, such as files that it wrote.
    pub own_modules: Vec<Rc<str>>,
    /// The value of the code that was evaluated last, as by `eval`.
    pub evaluated: Option<CodeValue>,
    step_limit: usize,
    /// The number of nested evaluations in progress, plus [`CALL_LEVELS`] for each call; [`LEVELS`] limits it.
    pub depth: usize,
    /// Whether the program exceeded its budget of steps or its number of effects. If so, nothing more is evaluated.
    pub is_budget_spent: bool,
}

/// Returns the reason why a value is unknown that the program computes. `source` is the expression, for display.
pub(super) fn computed_reason(source: &str) -> Unknown {
    Unknown::new(Cause::Computed, excerpt(source))
}

/// A node, and the index of the tree that contains it. The methods of the evaluator take the node that they evaluate as
/// `at`.
#[derive(Clone, Copy)]
pub(super) struct NodeRef {
    pub tree: usize,
    pub id: CodeNodeId,
}

/// The elements that a loop visits.
pub(super) enum IterationElements {
    Known(Vec<CodeValue>),
    /// An unknown number of elements, each of which is like this value.
    Several(CodeValue),
}

impl<'o> Evaluator<'o> {
    /// Creates an evaluator for one command, with a budget of `step_limit` steps.
    pub(super) fn new(
        language: CodeLanguage,
        environment: &'o dyn ProgramEnvironment,
        holes: &'o [Word],
        step_limit: usize,
    ) -> Self {
        Self {
            language,
            environment,
            mode: ExecutionMode::Whole,
            holes,
            trees: Vec::new(),
            state: ProgramState::new(),
            effects: CodeEffects::default(),
            returned: Vec::new(),
            calls: Vec::new(),
            fetched: Vec::new(),
            called: std::collections::BTreeSet::new(),
            own_modules: Vec::new(),
            evaluated: None,
            step_limit,
            depth: 0,
            is_budget_spent: false,
        }
    }

    /// Calls the functions that nothing has called, and returns all effects.
    pub(super) fn finish(mut self) -> CodeEffects {
        self.call_uncalled_functions();
        CodeEffects { fetched: self.fetched, ..self.effects }
    }

    /// Charges steps, and returns whether some of the budget is left. The first time that it is spent, the rest of the
    /// program is recorded as not analysed.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        self.effects.steps = self.effects.steps.saturating_add(steps);
        if self.effects.steps < self.step_limit {
            return true;
        }
        if !self.is_budget_spent {
            self.is_budget_spent = true;
            self.add_unanalysed(Unknown::new(Cause::TooLong, ""), None);
        }
        false
    }

    /// Records a part of the program that was not analysed, unless it is recorded already or there are too many.
    pub(super) fn add_unanalysed(&mut self, why: Unknown, text: Option<UnseenText>) {
        // The new call replaces the calls that its text contains.
        if let (Cause::Library, Some(new_text)) = (why.cause, &text) {
            let is_within_new = |old: &UnanalysedCode| {
                old.reason.cause == Cause::Library
                    && old.text.as_ref().is_some_and(|old_text| new_text.as_str().contains(old_text.as_str()))
            };
            self.effects.unanalysed.retain(|old| !is_within_new(old));
        }
        let new = UnanalysedCode { reason: why, text };
        match self.effects.unanalysed.len() {
            _ if self.effects.unanalysed.contains(&new) => {}
            ..MAX_RECORDED => self.effects.unanalysed.push(new),
            // One last entry covers all further parts.
            MAX_RECORDED => {
                let reason = Unknown::new(Cause::TooLong, "");
                self.effects.unanalysed.push(UnanalysedCode { reason, text: None });
            }
            _ => {}
        }
    }

    /// Records an effect. If there are too many, evaluation stops, and the rest of the program is recorded as not
    /// analysed.
    pub(super) fn add_effect(&mut self, effect: CodeEffect) {
        if self.effects.effects.len() < MAX_RECORDED {
            self.effects.effects.push(effect);
        } else if !self.is_budget_spent {
            self.is_budget_spent = true;
            self.add_unanalysed(Unknown::new(Cause::TooLong, ""), None);
        }
    }

    /// Evaluates a program. Returns the value that it returns, as with `return`, or else that of its last node.
    pub(super) fn program(&mut self, tree: CodeTree) -> CodeValue {
        let Some(id) = tree.root else { return CodeValue::Nothing };
        self.trees.push(Rc::new(tree));
        let tree = self.trees.len() - 1;
        self.returned.push(None);
        let value = self.value(NodeRef { tree, id });
        self.returned.pop().flatten().unwrap_or(value)
    }

    fn node_at(&self, at: NodeRef) -> CodeNode {
        self.trees.get(at.tree).map_or(CodeNode::Nothing, |tree| tree.node(at.id).clone())
    }

    /// Returns the source text of a node, for display.
    pub(super) fn source(&self, at: NodeRef) -> String {
        self.trees.get(at.tree).map(|tree| tree.text_of(at.id).to_owned()).unwrap_or_default()
    }

    /// Records that a node is nested too deeply to be evaluated, and returns an unknown value.
    pub(super) fn too_deep_value(&mut self, at: NodeRef) -> CodeValue {
        let source = self.source(at);
        self.add_unanalysed(Unknown::new(Cause::TooDeep, excerpt(&source)), None);
        CodeValue::Dynamic
    }

    /// Evaluates a node. Its value is unknown if the budget is spent or the node is nested too deeply.
    pub(super) fn value(&mut self, at: NodeRef) -> CodeValue {
        if self.is_budget_spent || !self.spend(4) {
            return CodeValue::Dynamic;
        }
        if self.depth >= LEVELS {
            return self.too_deep_value(at);
        }
        self.depth += 1;
        let value = self.node_value(at);
        self.depth -= 1;
        value
    }

    /// Evaluates a node by its kind, without checking the limits.
    fn node_value(&mut self, at: NodeRef) -> CodeValue {
        match self.node_at(at) {
            CodeNode::Nothing => CodeValue::Nothing,
            CodeNode::Number(number) => CodeValue::Number(number),
            CodeNode::Text(pieces) => self.text(at, &pieces),
            CodeNode::Computed(parts) => self.plain_parts(at, &parts),
            CodeNode::Name(name) => self.name(at, &name),
            CodeNode::Library(name) => self.imported(&name),
            CodeNode::Member(object, name) => {
                let object = self.part_value(at, object);
                self.member(&object, &name)
            }
            CodeNode::Index(object, key) => {
                self.operate(at, object, key, |this, object, key| this.element(at, object, key))
            }
            CodeNode::Call { callee, arguments } => self.call_node(at, callee, &arguments),
            CodeNode::List(parts) => {
                let values = self.list(at, &parts);
                self.new_list(values)
            }
            CodeNode::Flattened(id) => self.part_value(at, id),
            CodeNode::Spread(id) => self.spread(at, id),
            CodeNode::Dictionary(pairs) => self.dictionary(at, &pairs),
            CodeNode::Add(left, right) => self.operate(at, left, right, Self::add),
            CodeNode::Divide(left, right) => {
                self.operate(at, left, right, |this, one, other| this.divide(at, one, other))
            }
            CodeNode::Remainder(left, right) => {
                self.operate(at, left, right, |this, one, other| this.remainder(at, one, other))
            }
            CodeNode::AnyOf(parts) => {
                let values: Vec<CodeValue> = parts.into_iter().map(|part| self.part_value(at, part)).collect();
                values.into_iter().reduce(CodeValue::either).unwrap_or(CodeValue::Nothing)
            }
            CodeNode::Function(function) => self.function(at.tree, function),
            CodeNode::Class(function) => self.evaluate_class(at.tree, function),
            CodeNode::Sequence(parts) => self.sequence(at, parts),
            CodeNode::Assign(target, value) => self.assign(at, &target, value),
            CodeNode::Append(target, value) => self.append(at, &target, value),
            CodeNode::ForEach { target, over, body } => self.evaluate_each(at, &target, over, body),
            CodeNode::Repeat(body) => self.repeat(at, body),
            CodeNode::Branches(bodies) => self.branches(at, &bodies),
            CodeNode::Return(value) => self.return_from(at, value),
            CodeNode::Global(names) => self.change(|this| this.state.declare_global(&names)),
            CodeNode::KnownSuffix(ends) => self.change(|this| this.apply_fact(at.tree, &ends)),
            CodeNode::ImportAll(module) => {
                self.change(|this| Rc::make_mut(&mut this.state.imported_modules).push(module))
            }
            CodeNode::TooDeep => self.too_deep_value(at),
        }
    }

    /// Evaluates a part of the node `at`, which is in the same tree.
    pub(super) fn part_value(&mut self, at: NodeRef, id: CodeNodeId) -> CodeValue {
        self.value(NodeRef { id, ..at })
    }

    /// Evaluates nodes one after the other, and returns the value of the last.
    fn sequence(&mut self, at: NodeRef, parts: Vec<CodeNodeId>) -> CodeValue {
        parts.into_iter().fold(CodeValue::Nothing, |_, part| self.part_value(at, part))
    }

    /// Applies a change to the program's state, and returns `Nothing`.
    fn change(&mut self, change: impl FnOnce(&mut Self)) -> CodeValue {
        change(self);
        CodeValue::Nothing
    }

    /// Evaluates the body of a loop once. The variables that the body changes are made unknown first, so that this
    /// covers every repetition.
    fn repeat(&mut self, at: NodeRef, body: CodeNodeId) -> CodeValue {
        self.forget_changes(NodeRef { id: body, ..at });
        self.part_value(at, body)
    }

    /// Evaluates the parts of an operation without effects. Its result is unknown data, whose origin is the greatest of
    /// the parts' origins.
    fn plain_parts(&mut self, at: NodeRef, parts: &[CodeNodeId]) -> CodeValue {
        let origins = parts.iter().map(|part| self.part_value(at, *part).origin());
        CodeValue::Data(origins.fold(DataOrigin::Computed, DataOrigin::max))
    }

    /// Evaluates two operands, and applies an operation to them.
    fn operate(
        &mut self,
        at: NodeRef,
        left: CodeNodeId,
        right: CodeNodeId,
        operation: impl FnOnce(&mut Self, &CodeValue, &CodeValue) -> CodeValue,
    ) -> CodeValue {
        let (left, right) = (self.part_value(at, left), self.part_value(at, right));
        operation(self, &left, &right)
    }

    /// Evaluates `object[key]`. If the object is a function in Ruby, this calls it: `f[x]`.
    fn element(&mut self, at: NodeRef, object: &CodeValue, key: &CodeValue) -> CodeValue {
        match object {
            CodeValue::Function(_) | CodeValue::Method(..) if self.language == CodeLanguage::Ruby => {
                self.call(at, object, &CallArguments::from_values(vec![key.clone()]))
            }
            object => self.index(object, key),
        }
    }

    /// Returns a library item by its qualified name. If its module is a file whose contents are known, the file is
    /// evaluated first.
    fn imported(&mut self, name: &str) -> CodeValue {
        self.import(name);
        self.library(name)
    }

    /// Evaluates `*list` outside of a list or call, where it is the list itself.
    fn spread(&mut self, at: NodeRef, list: CodeNodeId) -> CodeValue {
        let value = self.part_value(at, list);
        match self.elements(&value) {
            IterationElements::Known(values) => self.new_list(values),
            IterationElements::Several(value) => CodeValue::several(value),
        }
    }

    fn assign(&mut self, at: NodeRef, target: &AssignmentTarget, value: CodeNodeId) -> CodeValue {
        let value = self.part_value(at, value);
        self.bind(at.tree, target, value.clone());
        value
    }

    /// Evaluates the value of a `return`, and adds it to what the innermost function may return.
    fn return_from(&mut self, at: NodeRef, value: CodeNodeId) -> CodeValue {
        let value = self.part_value(at, value);
        if let Some(returned) = self.returned.last_mut() {
            *returned = Some(match returned.take() {
                Some(before) => before.either(value),
                None => value,
            });
        }
        CodeValue::Nothing
    }

    fn function(&mut self, tree: usize, function: super::tree::FunctionId) -> CodeValue {
        self.defaults(tree, function);
        self.closure(tree, function)
    }

    pub(super) fn new_list(&mut self, values: Vec<CodeValue>) -> CodeValue {
        self.spend(values.len());
        CodeValue::List(self.state.allocate(HeapCell::List(values)))
    }

    /// Evaluates the elements of a list literal, including those of lists that are spread into it.
    fn list(&mut self, at: NodeRef, parts: &[CodeNodeId]) -> Vec<CodeValue> {
        let mut values = Vec::new();
        for part in parts {
            let value = self.part_value(at, *part);
            let is_spread = match self.node_at(NodeRef { id: *part, ..at }) {
                CodeNode::Spread(_) => true,
                CodeNode::Flattened(_) => value.is_collection(),
                _ => false,
            };
            match is_spread.then(|| self.elements(&value)) {
                Some(IterationElements::Known(more)) => values.extend(more),
                Some(IterationElements::Several(value)) => values.push(CodeValue::several(value)),
                None => values.push(value),
            }
        }
        values
    }

    /// Evaluates a dictionary literal. If a key is unknown, the dictionary is reduced to the values that it may have.
    fn dictionary(&mut self, at: NodeRef, pairs: &[(Option<CodeNodeId>, CodeNodeId)]) -> CodeValue {
        let either = |before: Option<CodeValue>, value: CodeValue| match before {
            Some(before) => before.either(value),
            None => value,
        };
        let mut entries: BTreeMap<Rc<str>, CodeValue> = BTreeMap::new();
        // What the value of an unknown key may be.
        let mut unplaced: Option<CodeValue> = None;
        for (key, value) in pairs {
            let key = key.map(|key| self.part_value(at, key));
            let value = self.part_value(at, *value);
            match (key, &value) {
                (Some(key), _) => match self.key(&key) {
                    Some(key) => {
                        entries.insert(key, value);
                    }
                    None => unplaced = Some(either(unplaced, value)),
                },
                (None, CodeValue::Dictionary(address)) => match self.state.cell(*address) {
                    Some(HeapCell::Dictionary(more)) => entries.extend(more.clone()),
                    Some(HeapCell::SomeElement(any)) => unplaced = Some(either(unplaced, any.clone())),
                    _ => {}
                },
                // It may replace what was before it.
                (None, CodeValue::Data(_) | CodeValue::Dynamic) => {
                    for before in entries.values_mut() {
                        *before = std::mem::replace(before, CodeValue::Nothing).either(value.clone());
                    }
                }
                (None, _) => {}
            }
        }
        let cell = match unplaced {
            None => HeapCell::Dictionary(entries),
            Some(unplaced) => HeapCell::SomeElement(entries.into_values().fold(unplaced, CodeValue::either)),
        };
        CodeValue::Dictionary(self.state.allocate(cell))
    }

    /// Converts a value to the key of a dictionary; `None` if its text is not known.
    pub(super) fn key(&self, value: &CodeValue) -> Option<Rc<str>> {
        match value {
            CodeValue::Number(number) => Some(number.to_string().into()),
            value => value.known_text().map(Into::into),
        }
    }

    /// Evaluates `target += value`, or Ruby's `target << value`. If the target is a list, it is changed in place; if it
    /// is an open file, the value is appended to the file.
    fn append(&mut self, at: NodeRef, target: &AssignmentTarget, value: CodeNodeId) -> CodeValue {
        let value = self.part_value(at, value);
        let before = match target {
            AssignmentTarget::Name(name) => self.value_named(name),
            AssignmentTarget::Member(object, name) => {
                let object = self.part_value(at, *object);
                self.member(&object, name)
            }
            _ => CodeValue::COMPUTED,
        };
        match &before {
            // `list << value` appends one value, `list += values` all of them.
            CodeValue::List(address) => {
                let address = *address;
                let more = if self.language == CodeLanguage::Ruby { self.wrap_in_list(&value) } else { value };
                self.extend_list(address, &more);
                return before;
            }
            CodeValue::File(path) => {
                let word = self.word(&value, at);
                let content = Some(word).filter(|word| word.unknown_reason().is_none());
                self.add_effect(CodeEffect::Append(path.clone(), content));
                return before;
            }
            _ => {}
        }
        let sum = self.add(&before, &value);
        self.bind(at.tree, target, sum.clone());
        sum
    }

    /// Wraps a value in a list, unless it is one.
    fn wrap_in_list(&mut self, value: &CodeValue) -> CodeValue {
        if value.is_collection() { value.clone() } else { self.new_list(vec![value.clone()]) }
    }

    /// Appends all elements of a value to a list.
    pub(super) fn extend_list(&mut self, address: super::value::HeapAddress, more: &CodeValue) {
        match self.elements(more) {
            IterationElements::Known(more) => {
                if let Some(HeapCell::List(values)) = self.state.cell_mut(address) {
                    values.extend(more);
                }
            }
            IterationElements::Several(value) => {
                if let Some(HeapCell::List(values)) = self.state.cell_mut(address) {
                    values.push(CodeValue::several(value));
                }
            }
        }
    }

    /// Returns the arguments of the program as texts.
    pub(super) fn arguments(&self) -> Vec<CodeValue> {
        self.environment.arguments().into_iter().map(|word| CodeValue::Text(word, DataOrigin::Computed)).collect()
    }

    /// Evaluates the default values of a function's parameters. Only Python does so where the function is defined; for
    /// other languages, nothing happens.
    fn defaults(&mut self, tree: usize, function: super::tree::FunctionId) {
        let Some(function) = self.trees.get(tree).and_then(|tree| tree.function(function)) else { return };
        if self.language != CodeLanguage::Python {
            return;
        }
        for parameter in &function.parameters {
            if let AssignmentTarget::Default(_, value) = parameter {
                self.value(NodeRef { tree, id: *value });
            }
        }
    }

    /// Creates a function value that captures the variables of the surrounding function. If the chain of closures would
    /// become too long, it captures none.
    pub(super) fn closure(&mut self, tree: usize, function: super::tree::FunctionId) -> CodeValue {
        // The maximum number of closures in a chain: each captured the variables that contain the next.
        const MAX_CHAIN: usize = 8;
        let outer = self.state.function_variables();
        let depths = outer.iter().flat_map(|outer| outer.values()).filter_map(|value| match value {
            CodeValue::Function(closure) => Some(closure.depth + 1),
            _ => None,
        });
        let depth = depths.max().unwrap_or_default();
        let outer = outer.filter(|_| depth < MAX_CHAIN);
        CodeValue::Function(Rc::new(Closure { tree, function, variables: outer, receiver: None, depth }))
    }

    /// Evaluates the body of a class, and returns a class whose members are the variables that the body sets.
    fn evaluate_class(&mut self, tree: usize, function: super::tree::FunctionId) -> CodeValue {
        self.called.insert((tree, function));
        let Some(function) = self.trees.get(tree).and_then(|tree| tree.function(function)) else {
            return CodeValue::Object;
        };
        self.state.open_scope(Rc::default());
        self.value(NodeRef { tree, id: function.body });
        let members = self.state.close_scope();
        CodeValue::Class(self.state.allocate(HeapCell::Dictionary((*members).clone())))
    }
}
