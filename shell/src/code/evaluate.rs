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

/// The maximum depth to which nested expressions and nested calls are evaluated together.
pub(super) const LEVELS: usize = 64;

/// The levels that a function call takes in addition to those of the function's body.
pub(super) const CALL_LEVELS: usize = 2;

/// The maximum number of recorded effects, and of unanalysed parts.
const MOST: usize = 256;

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
    /// The return values so far of the program and of each function being called, the innermost last.
    pub returned: Vec<Option<CodeValue>>,
    /// The functions that are being called, the innermost last, each with the index of its tree.
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
    pub depth: usize,
    /// Whether the program exceeded its budget of steps or its number of effects. Nothing more is evaluated then.
    pub is_budget_spent: bool,
}

/// Returns the reason for an unknown value that the program computes. `source` is its source text, for display.
pub(super) fn computed_reason(source: &str) -> Unknown {
    Unknown::new(Cause::Computed, excerpt(source))
}

/// A node, and the index of the tree that contains it.
#[derive(Clone, Copy)]
pub(super) struct NodeRef {
    pub tree: usize,
    pub id: CodeNodeId,
}

/// The elements of an iteration.
pub(super) enum IterationElements {
    Known(Vec<CodeValue>),
    /// An unknown number of elements that are like this value.
    Several(CodeValue),
}

impl<'o> Evaluator<'o> {
    /// Makes an evaluator for one command. `steps` is its budget.
    pub(super) fn new(
        language: CodeLanguage,
        outside: &'o dyn ProgramEnvironment,
        holes: &'o [Word],
        steps: usize,
    ) -> Self {
        Self {
            language,
            environment: outside,
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
            step_limit: steps,
            depth: 0,
            is_budget_spent: false,
        }
    }

    /// Calls the functions that nothing has called, and returns all effects.
    pub(super) fn finish(mut self) -> CodeEffects {
        self.call_uncalled_functions();
        CodeEffects { fetched: self.fetched, ..self.effects }
    }

    /// Charges steps; returns false once the budget is spent. That the rest is not analysed is then recorded once.
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
        // A call whose text is contained in that of a larger call is covered by the larger one.
        if let (Cause::Library, Some(whole)) = (why.cause, &text) {
            let is_within = |old: &UnanalysedCode| {
                old.reason.cause == Cause::Library
                    && old.text.as_ref().is_some_and(|part| whole.as_str().contains(part.as_str()))
            };
            self.effects.unanalysed.retain(|old| !is_within(old));
        }
        let one = UnanalysedCode { reason: why, text };
        match self.effects.unanalysed.len() {
            _ if self.effects.unanalysed.contains(&one) => {}
            ..MOST => self.effects.unanalysed.push(one),
            // One more stands for all further ones.
            MOST => {
                let reason = Unknown::new(Cause::TooLong, "");
                self.effects.unanalysed.push(UnanalysedCode { reason, text: None });
            }
            _ => {}
        }
    }

    /// Records an effect. Past the limit, evaluation stops, and the rest of the program is recorded as not analysed.
    pub(super) fn add_effect(&mut self, effect: CodeEffect) {
        if self.effects.effects.len() < MOST {
            self.effects.effects.push(effect);
        } else if !self.is_budget_spent {
            self.is_budget_spent = true;
            self.add_unanalysed(Unknown::new(Cause::TooLong, ""), None);
        }
    }

    /// Evaluates a program, and returns what it returns, else the value of its last node.
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

    /// Evaluates a node by its kind, without a check of the limits.
    fn node_value(&mut self, at: NodeRef) -> CodeValue {
        match self.node_at(at) {
            CodeNode::Nothing => CodeValue::Nothing,
            CodeNode::Number(number) => CodeValue::Number(number),
            CodeNode::Text(pieces) => self.text(at, &pieces),
            CodeNode::Computed(parts) => self.plain_parts(at, &parts),
            CodeNode::Name(name) => self.name(at, &name),
            CodeNode::Library(name) => self.imported(&name),
            CodeNode::Member(object, name) => {
                let object = self.inner(at, object);
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
            CodeNode::Flattened(id) => self.inner(at, id),
            CodeNode::Spread(id) => self.spread(at, id),
            CodeNode::Dictionary(pairs) => self.keys(at, &pairs),
            CodeNode::Add(left, right) => self.operate(at, left, right, Self::add),
            CodeNode::Divide(left, right) => {
                self.operate(at, left, right, |this, one, other| this.divide(at, one, other))
            }
            CodeNode::Remainder(left, right) => {
                self.operate(at, left, right, |this, one, other| this.remainder(at, one, other))
            }
            CodeNode::AnyOf(parts) => {
                let values: Vec<CodeValue> = parts.into_iter().map(|part| self.inner(at, part)).collect();
                values.into_iter().reduce(CodeValue::either).unwrap_or(CodeValue::Nothing)
            }
            CodeNode::Function(function) => self.function(at.tree, function),
            CodeNode::Class(function) => self.class(at.tree, function),
            CodeNode::Sequence(parts) => parts.into_iter().fold(CodeValue::Nothing, |_, part| self.inner(at, part)),
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

    /// Evaluates a part of the node `at`.
    pub(super) fn inner(&mut self, at: NodeRef, id: CodeNodeId) -> CodeValue {
        self.value(NodeRef { id, ..at })
    }

    /// Applies a change to the program's state, and returns `Nothing`.
    fn change(&mut self, change: impl FnOnce(&mut Self)) -> CodeValue {
        change(self);
        CodeValue::Nothing
    }

    /// Evaluates the body of a loop once, after it has made the variables unknown that the body changes.
    fn repeat(&mut self, at: NodeRef, body: CodeNodeId) -> CodeValue {
        self.forget_changes(NodeRef { id: body, ..at });
        self.inner(at, body)
    }

    /// Evaluates the parts of a value without effects. The value is unknown data of the greatest origin of the parts.
    fn plain_parts(&mut self, at: NodeRef, parts: &[CodeNodeId]) -> CodeValue {
        let origins = parts.iter().map(|part| self.inner(at, *part).origin());
        CodeValue::Data(origins.fold(DataOrigin::Computed, DataOrigin::max))
    }

    /// Evaluates two operands, then an operation on them.
    fn operate(
        &mut self,
        at: NodeRef,
        left: CodeNodeId,
        right: CodeNodeId,
        operation: impl FnOnce(&mut Self, &CodeValue, &CodeValue) -> CodeValue,
    ) -> CodeValue {
        let (left, right) = (self.inner(at, left), self.inner(at, right));
        operation(self, &left, &right)
    }

    /// Evaluates `object[key]`. In Ruby, this calls a function with the key as its argument.
    fn element(&mut self, at: NodeRef, object: &CodeValue, key: &CodeValue) -> CodeValue {
        match object {
            CodeValue::Function(_) | CodeValue::Method(..) if self.language == CodeLanguage::Ruby => {
                self.call(at, object, &CallArguments::from_values(vec![key.clone()]))
            }
            object => self.index(object, key),
        }
    }

    /// Returns a library item by its qualified name. If its module is a file of the program's own, that file runs.
    fn imported(&mut self, name: &str) -> CodeValue {
        self.import(name);
        self.library(name)
    }

    /// Evaluates `*list` outside of a list or call, as the list itself.
    fn spread(&mut self, at: NodeRef, list: CodeNodeId) -> CodeValue {
        let value = self.inner(at, list);
        match self.elements(&value) {
            IterationElements::Known(values) => self.new_list(values),
            IterationElements::Several(value) => CodeValue::several(value),
        }
    }

    fn assign(&mut self, at: NodeRef, target: &AssignmentTarget, value: CodeNodeId) -> CodeValue {
        let value = self.inner(at, value);
        self.bind(at.tree, target, value.clone());
        value
    }

    /// Evaluates the value of a `return`, and adds it to what the innermost function may return.
    fn return_from(&mut self, at: NodeRef, value: CodeNodeId) -> CodeValue {
        let value = self.inner(at, value);
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
            let value = self.inner(at, *part);
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

    /// Evaluates a dictionary literal. If one of its keys is unknown, only the possible values are known.
    fn keys(&mut self, at: NodeRef, pairs: &[(Option<CodeNodeId>, CodeNodeId)]) -> CodeValue {
        let mut keys: BTreeMap<Rc<str>, CodeValue> = BTreeMap::new();
        let mut others: Option<CodeValue> = None;
        for (key, value) in pairs {
            let key = key.map(|key| self.inner(at, key));
            let value = self.inner(at, *value);
            match (key, &value) {
                (Some(key), _) => match self.key(&key) {
                    Some(key) => {
                        keys.insert(key, value);
                    }
                    None => others = Some(others.map_or(value.clone(), |before| before.either(value.clone()))),
                },
                (None, CodeValue::Dictionary(place)) => match self.state.cell(*place) {
                    Some(HeapCell::Dictionary(more)) => keys.extend(more.clone()),
                    Some(HeapCell::SomeElement(any)) => others = Some(any.clone()),
                    _ => {}
                },
                (None, _) => {}
            }
        }
        let held = match others {
            None => HeapCell::Dictionary(keys),
            Some(others) => HeapCell::SomeElement(keys.into_values().fold(others, CodeValue::either)),
        };
        CodeValue::Dictionary(self.state.allocate(held))
    }

    /// Returns a value as the key of a dictionary; `None` if its text is not known.
    pub(super) fn key(&self, value: &CodeValue) -> Option<Rc<str>> {
        match value {
            CodeValue::Number(number) => Some(number.to_string().into()),
            value => value.known_text().map(Into::into),
        }
    }

    /// Evaluates `target += value`, or Ruby's `target << value`. A list is changed in place, and the value is
    /// appended to an open file.
    fn append(&mut self, at: NodeRef, target: &AssignmentTarget, value: CodeNodeId) -> CodeValue {
        let value = self.inner(at, value);
        let before = match target {
            AssignmentTarget::Name(name) => self.value_named(name),
            AssignmentTarget::Member(object, name) => {
                let object = self.inner(at, *object);
                self.member(&object, name)
            }
            _ => CodeValue::COMPUTED,
        };
        match &before {
            // `list << value` appends one value, `list += values` all of them.
            CodeValue::List(place) => {
                let place = *place;
                let more = if self.language == CodeLanguage::Ruby { self.wrap_in_list(&value) } else { value };
                self.push(place, &more);
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
    pub(super) fn push(&mut self, place: super::value::HeapAddress, more: &CodeValue) {
        match self.elements(more) {
            IterationElements::Known(more) => {
                if let Some(HeapCell::List(values)) = self.state.cell_mut(place) {
                    values.extend(more);
                }
            }
            IterationElements::Several(value) => {
                if let Some(HeapCell::List(values)) = self.state.cell_mut(place) {
                    values.push(CodeValue::several(value));
                }
            }
        }
    }

    /// Returns the arguments of the program as texts.
    pub(super) fn arguments(&self) -> Vec<CodeValue> {
        self.environment.arguments().into_iter().map(|word| CodeValue::Text(word, DataOrigin::Computed)).collect()
    }

    /// Evaluates the default values of a function's parameters, in Python only: there it happens at the definition.
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

    /// Creates a function value that captures the variables of the surrounding function. If that would chain too many
    /// closures, it captures none.
    pub(super) fn closure(&mut self, tree: usize, function: super::tree::FunctionId) -> CodeValue {
        // The maximum number of closures in a chain: each captured the variables that contain the next.
        const KEPT: usize = 8;
        let around = self.state.function_variables();
        let inner = around.iter().flat_map(|around| around.values()).filter_map(|value| match value {
            CodeValue::Function(closure) => Some(closure.depth + 1),
            _ => None,
        });
        let depth = inner.max().unwrap_or_default();
        let around = around.filter(|_| depth < KEPT);
        CodeValue::Function(Rc::new(Closure { tree, function, variables: around, receiver: None, depth }))
    }

    /// Evaluates the body of a class, and returns a class whose members are the variables that the body sets.
    fn class(&mut self, tree: usize, function: super::tree::FunctionId) -> CodeValue {
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
