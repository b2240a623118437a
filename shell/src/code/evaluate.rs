//! Evaluates statements and expressions in execution order.

mod loops;

use std::collections::BTreeMap;
use std::rc::Rc;

use super::arguments::Given;
use super::state::State;
use super::tree::{Id, Node, Target, Tree};
use super::value::{Closure, Held, Origin, Value};
use super::{Effect, Effects, Form, Language, Outside, Unseen, shortened};
use crate::word::{Cause, Unknown, Word};

/// The maximum depth to which a program is followed: nested expressions and nested calls.
pub(super) const LEVELS: usize = 64;

/// The levels that a function call takes besides those of its body.
pub(super) const CALL_LEVELS: usize = 2;

/// The maximum number of recorded effects.
const MOST: usize = 256;

/// Evaluates the programs of one command.
pub(super) struct Evaluator<'o> {
    pub language: Language,
    pub outside: &'o dyn Outside,
    /// How the interpreter runs the program.
    pub form: Form,
    pub holes: &'o [Word],
    pub trees: Vec<Rc<Tree>>,
    pub state: State,
    pub effects: Effects,
    /// The return values of the functions that are being called.
    pub returned: Vec<Option<Value>>,
    /// The functions that are being called, the innermost last.
    pub calls: Vec<(usize, super::tree::FunctionId)>,
    /// The URLs that the program received data from.
    pub fetched: Vec<Word>,
    /// The functions that were called, and the class bodies that were evaluated.
    pub called: std::collections::BTreeSet<(usize, super::tree::FunctionId)>,
    /// The modules that the program wrote and loads.
    pub own_modules: Vec<Rc<str>>,
    /// The value of the code that was evaluated last.
    pub evaluated: Option<Value>,
    most: usize,
    pub depth: usize,
    pub is_over: bool,
}

/// The reason for a value that the program computes.
pub(super) fn computed(source: &str) -> Unknown {
    Unknown::new(Cause::Computed, shortened(source))
}

/// A node in its tree.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub tree: usize,
    pub id: Id,
}

/// The elements of an iteration.
pub(super) enum Elements {
    Known(Vec<Value>),
    /// An unknown number of this kind.
    Some(Value),
}

impl<'o> Evaluator<'o> {
    pub(super) fn new(language: Language, outside: &'o dyn Outside, holes: &'o [Word], steps: usize) -> Self {
        Self {
            language,
            outside,
            form: Form::Whole,
            holes,
            trees: Vec::new(),
            state: State::new(),
            effects: Effects::default(),
            returned: Vec::new(),
            calls: Vec::new(),
            fetched: Vec::new(),
            called: std::collections::BTreeSet::new(),
            own_modules: Vec::new(),
            evaluated: None,
            most: steps,
            depth: 0,
            is_over: false,
        }
    }

    pub(super) fn finish(mut self) -> Effects {
        self.call_the_others();
        Effects { fetched: self.fetched, ..self.effects }
    }

    /// Charges steps; `false` once the budget is spent: evaluation stops and the rest is unseen.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        self.effects.steps = self.effects.steps.saturating_add(steps);
        if self.effects.steps < self.most {
            return true;
        }
        if !self.is_over {
            self.is_over = true;
            self.unseen(Unknown::new(Cause::Long, ""), None);
        }
        false
    }

    pub(super) fn unseen(&mut self, why: Unknown, text: Option<String>) {
        // A text contained in a larger one is covered by the larger one.
        if let (Cause::Library, Some(whole)) = (why.cause, &text) {
            let is_within = |old: &Unseen| {
                old.why.cause == Cause::Library && old.text.as_deref().is_some_and(|part| whole.contains(part))
            };
            self.effects.unseen.retain(|old| !is_within(old));
        }
        let one = Unseen { why, text };
        if self.effects.unseen.len() < MOST && !self.effects.unseen.contains(&one) {
            self.effects.unseen.push(one);
        }
    }

    pub(super) fn done(&mut self, effect: Effect) {
        if self.effects.done.len() < MOST {
            self.effects.done.push(effect);
        } else if !self.is_over {
            self.is_over = true;
            self.unseen(Unknown::new(Cause::Long, ""), None);
        }
    }

    /// Evaluates a program.
    pub(super) fn program(&mut self, tree: Tree) -> Value {
        let Some(id) = tree.root else { return Value::Nothing };
        self.trees.push(Rc::new(tree));
        let tree = self.trees.len() - 1;
        self.returned.push(None);
        let value = self.value(At { tree, id });
        self.returned.pop().flatten().unwrap_or(value)
    }

    fn node(&self, at: At) -> Node {
        self.trees.get(at.tree).map_or(Node::Nothing, |tree| tree.node(at.id).clone())
    }

    /// Returns the source text of a node, for display.
    pub(super) fn source(&self, at: At) -> String {
        self.trees.get(at.tree).map(|tree| tree.text_of(at.id).to_owned()).unwrap_or_default()
    }

    pub(super) fn too_deep(&mut self, at: At) -> Value {
        let source = self.source(at);
        self.unseen(Unknown::new(Cause::Deep, shortened(&source)), None);
        Value::Dynamic
    }

    /// Evaluates a node.
    pub(super) fn value(&mut self, at: At) -> Value {
        if self.is_over || !self.spend(4) {
            return Value::Dynamic;
        }
        if self.depth >= LEVELS {
            return self.too_deep(at);
        }
        self.depth += 1;
        let value = self.value_of(at);
        self.depth -= 1;
        value
    }

    fn value_of(&mut self, at: At) -> Value {
        match self.node(at) {
            Node::Nothing => Value::Nothing,
            Node::Number(number) => Value::Number(number),
            Node::Text(pieces) => self.text(at, &pieces),
            Node::Plain(parts) => self.plain_parts(at, &parts),
            Node::Name(name) => self.name(at, &name),
            Node::Library(name) => self.imported(&name),
            Node::Member(object, name) => {
                let object = self.inner(at, object);
                self.member(&object, &name)
            }
            Node::Index(object, key) => {
                self.operate(at, object, key, |this, object, key| this.element(at, object, key))
            }
            Node::Call { callee, arguments } => self.call_node(at, callee, &arguments),
            Node::List(parts) => {
                let values = self.list(at, &parts);
                self.new_list(values)
            }
            Node::Flat(id) => self.inner(at, id),
            Node::Spread(id) => self.spread(at, id),
            Node::Keys(pairs) => self.keys(at, &pairs),
            Node::Add(left, right) => self.operate(at, left, right, Self::add),
            Node::Divide(left, right) => self.operate(at, left, right, |this, one, other| this.divide(at, one, other)),
            Node::Remainder(left, right) => {
                self.operate(at, left, right, |this, one, other| this.remainder(at, one, other))
            }
            Node::Either(parts) => {
                let values: Vec<Value> = parts.into_iter().map(|part| self.inner(at, part)).collect();
                values.into_iter().reduce(Value::or).unwrap_or(Value::Nothing)
            }
            Node::Function(function) => self.function(at.tree, function),
            Node::Class(function) => self.class(at.tree, function),
            Node::Sequence(parts) => parts.into_iter().fold(Value::Nothing, |_, part| self.inner(at, part)),
            Node::Assign(target, value) => self.assign(at, &target, value),
            Node::Append(target, value) => self.append(at, &target, value),
            Node::Each { target, over, body } => self.each(at, &target, over, body),
            Node::Repeat(body) => self.repeat(at, body),
            Node::Branches(bodies) => self.branches(at, &bodies),
            Node::Return(value) => self.return_value(at, value),
            Node::Global(names) => self.change(|this| this.state.say_global(&names)),
            Node::Ends(ends) => self.change(|this| this.know(at.tree, &ends)),
            Node::Star(module) => self.change(|this| Rc::make_mut(&mut this.state.stars).push(module)),
            Node::Deep => self.too_deep(at),
        }
    }

    /// Evaluates a part of a node.
    pub(super) fn inner(&mut self, at: At, id: Id) -> Value {
        self.value(At { id, ..at })
    }

    /// Changes the state of the program, without a value.
    fn change(&mut self, change: impl FnOnce(&mut Self)) -> Value {
        change(self);
        Value::Nothing
    }

    fn repeat(&mut self, at: At, body: Id) -> Value {
        self.forget_changes(At { id: body, ..at });
        self.inner(at, body)
    }

    /// Evaluates the parts of a value without effects.
    fn plain_parts(&mut self, at: At, parts: &[Id]) -> Value {
        let origins = parts.iter().map(|part| self.inner(at, *part).origin());
        Value::Data(origins.fold(Origin::Computed, Origin::max))
    }

    /// Evaluates two operands, then an operation on them.
    fn operate(
        &mut self,
        at: At,
        left: Id,
        right: Id,
        operation: impl FnOnce(&mut Self, &Value, &Value) -> Value,
    ) -> Value {
        let (left, right) = (self.inner(at, left), self.inner(at, right));
        operation(self, &left, &right)
    }

    /// `object[key]`; in Ruby a function may be called in this way.
    fn element(&mut self, at: At, object: &Value, key: &Value) -> Value {
        match object {
            Value::Function(_) | Value::Method(..) if self.language == Language::Ruby => {
                self.call(at, object, &Given::of(vec![key.clone()]))
            }
            object => self.index(object, key),
        }
    }

    fn imported(&mut self, name: &str) -> Value {
        self.import(name);
        self.library(name)
    }

    fn spread(&mut self, at: At, list: Id) -> Value {
        let value = self.inner(at, list);
        match self.elements(&value) {
            Elements::Known(values) => self.new_list(values),
            Elements::Some(value) => Value::each(value),
        }
    }

    fn assign(&mut self, at: At, target: &Target, value: Id) -> Value {
        let value = self.inner(at, value);
        self.bind(at.tree, target, value.clone());
        value
    }

    fn return_value(&mut self, at: At, value: Id) -> Value {
        let value = self.inner(at, value);
        if let Some(returned) = self.returned.last_mut() {
            *returned = Some(match returned.take() {
                Some(before) => before.or(value),
                None => value,
            });
        }
        Value::Nothing
    }

    fn function(&mut self, tree: usize, function: super::tree::FunctionId) -> Value {
        self.defaults(tree, function);
        self.closure(tree, function)
    }

    pub(super) fn new_list(&mut self, values: Vec<Value>) -> Value {
        self.spend(values.len());
        Value::List(self.state.hold(Held::List(values)))
    }

    /// Returns the elements of a list literal.
    fn list(&mut self, at: At, parts: &[Id]) -> Vec<Value> {
        let mut values = Vec::new();
        for part in parts {
            let value = self.inner(at, *part);
            let is_spread = match self.node(At { id: *part, ..at }) {
                Node::Spread(_) => true,
                Node::Flat(_) => value.is_several(),
                _ => false,
            };
            match is_spread.then(|| self.elements(&value)) {
                Some(Elements::Known(more)) => values.extend(more),
                Some(Elements::Some(value)) => values.push(Value::each(value)),
                None => values.push(value),
            }
        }
        values
    }

    fn keys(&mut self, at: At, pairs: &[(Option<Id>, Id)]) -> Value {
        let mut keys: BTreeMap<Rc<str>, Value> = BTreeMap::new();
        let mut others: Option<Value> = None;
        for (key, value) in pairs {
            let key = key.map(|key| self.inner(at, key));
            let value = self.inner(at, *value);
            match (key, &value) {
                (Some(key), _) => match self.key(&key) {
                    Some(key) => {
                        keys.insert(key, value);
                    }
                    None => others = Some(others.map_or(value.clone(), |before| before.or(value.clone()))),
                },
                (None, Value::Keys(place)) => match self.state.held(*place) {
                    Some(Held::Keys(more)) => keys.extend(more.clone()),
                    Some(Held::Any(any)) => others = Some(any.clone()),
                    _ => {}
                },
                (None, _) => {}
            }
        }
        let held = match others {
            None => Held::Keys(keys),
            Some(others) => Held::Any(keys.into_values().fold(others, Value::or)),
        };
        Value::Keys(self.state.hold(held))
    }

    pub(super) fn key(&self, value: &Value) -> Option<Rc<str>> {
        match value {
            Value::Number(number) => Some(number.to_string().into()),
            value => value.known().map(Into::into),
        }
    }

    /// `name += value`
    fn append(&mut self, at: At, target: &Target, value: Id) -> Value {
        let value = self.inner(at, value);
        let before = match target {
            Target::Name(name) => self.named(name),
            Target::Member(object, name) => {
                let object = self.inner(at, *object);
                self.member(&object, name)
            }
            _ => Value::COMPUTED,
        };
        match &before {
            // `list << value` appends one value, `list += values` all of them.
            Value::List(place) => {
                let place = *place;
                let more = if self.language == Language::Ruby { self.one_of(&value) } else { value };
                self.push(place, &more);
                return before;
            }
            Value::File(path) => {
                let word = self.word(&value, at);
                let content = Some(word).filter(|word| word.why().is_none());
                self.done(Effect::Behind(path.clone(), content));
                return before;
            }
            _ => {}
        }
        let sum = self.add(&before, &value);
        self.bind(at.tree, target, sum.clone());
        sum
    }

    /// Wraps a value in a list, unless it is one.
    fn one_of(&mut self, value: &Value) -> Value {
        if value.is_several() { value.clone() } else { self.new_list(vec![value.clone()]) }
    }

    /// Appends all elements of a value to a list.
    pub(super) fn push(&mut self, place: super::value::Place, more: &Value) {
        match self.elements(more) {
            Elements::Known(more) => {
                if let Some(Held::List(values)) = self.state.held_mut(place) {
                    values.extend(more);
                }
            }
            Elements::Some(value) => {
                if let Some(Held::List(values)) = self.state.held_mut(place) {
                    values.push(Value::each(value));
                }
            }
        }
    }

    /// Returns the arguments of the program.
    pub(super) fn arguments(&self) -> Vec<Value> {
        self.outside.arguments().into_iter().map(|word| Value::Text(word, Origin::Computed)).collect()
    }

    /// Evaluates the default values of parameters: Python does so at the definition.
    fn defaults(&mut self, tree: usize, function: super::tree::FunctionId) {
        let Some(function) = self.trees.get(tree).and_then(|tree| tree.function(function)) else { return };
        if self.language != Language::Python {
            return;
        }
        for parameter in &function.parameters {
            if let Target::Default(_, value) = parameter {
                self.value(At { tree, id: *value });
            }
        }
    }

    /// Creates a function value.
    pub(super) fn closure(&mut self, tree: usize, function: super::tree::FunctionId) -> Value {
        const KEPT: usize = 8;
        let around = self.state.around();
        let inner = around.iter().flat_map(|around| around.values()).filter_map(|value| match value {
            Value::Function(closure) => Some(closure.depth + 1),
            _ => None,
        });
        let depth = inner.max().unwrap_or_default();
        let around = around.filter(|_| depth < KEPT);
        Value::Function(Rc::new(Closure { tree, function, around, receiver: None, depth }))
    }

    /// Creates a class from what its body defines.
    fn class(&mut self, tree: usize, function: super::tree::FunctionId) -> Value {
        self.called.insert((tree, function));
        let Some(function) = self.trees.get(tree).and_then(|tree| tree.function(function)) else {
            return Value::Object;
        };
        self.state.open(Rc::default());
        self.value(At { tree, id: function.body });
        let members = self.state.close();
        Value::Class(self.state.hold(Held::Keys((*members).clone())))
    }
}
