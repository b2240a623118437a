//! Evaluates statements and expressions in execution order.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::library;
use super::state::State;
use super::tree::{Id, Node, Target, Tree};
use super::value::{Closure, Held, Origin, Value};
use super::{Effect, Effects, Form, Language, Outside, Unseen, shortened};
use crate::word::{Cause, Unknown, Word};

/// The maximum depth to which a program is followed: nested expressions and nested calls.
pub(super) const LEVELS: usize = 64;

/// The levels that a function call takes besides those of its body.
pub(super) const CALL_LEVELS: usize = 2;

/// The maximum length of a list whose elements are evaluated one by one.
const EACH: usize = 64;

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
        let inner = |id: Id| At { id, ..at };
        match self.node(at) {
            Node::Nothing => Value::Nothing,
            Node::Number(number) => Value::Number(number),
            Node::Text(pieces) => self.text(at, &pieces),
            Node::Plain(parts) => {
                let mut origin = Origin::Computed;
                for part in parts {
                    origin = origin.max(self.value(inner(part)).origin());
                }
                Value::Data(origin)
            }
            Node::Name(name) => self.name(at, &name),
            Node::Library(name) => {
                self.import(&name);
                self.library(&name)
            }
            Node::Member(object, name) => {
                let object = self.value(inner(object));
                self.member(&object, &name)
            }
            Node::Index(object, key) => {
                let (object, key) = (self.value(inner(object)), self.value(inner(key)));
                if self.language == Language::Ruby && matches!(object, Value::Function(_) | Value::Method(..)) {
                    return self.called_with(at, &object, key);
                }
                self.index(&object, &key)
            }
            Node::Call { callee, arguments } => self.call_node(at, callee, &arguments),
            Node::List(parts) => {
                let values = self.list(at, &parts);
                self.new_list(values)
            }
            Node::Flat(id) => self.value(inner(id)),
            Node::Spread(id) => {
                let value = self.value(inner(id));
                match self.elements(&value) {
                    Elements::Known(values) => self.new_list(values),
                    Elements::Some(value) => Value::each(value),
                }
            }
            Node::Keys(pairs) => self.keys(at, &pairs),
            Node::Add(left, right) => {
                let (left, right) = (self.value(inner(left)), self.value(inner(right)));
                self.add(&left, &right)
            }
            Node::Divide(left, right) => {
                let (left, right) = (self.value(inner(left)), self.value(inner(right)));
                self.divide(at, &left, &right)
            }
            Node::Remainder(left, right) => {
                let (left, right) = (self.value(inner(left)), self.value(inner(right)));
                self.remainder(at, &left, &right)
            }
            Node::Either(parts) => {
                let values: Vec<Value> = parts.into_iter().map(|part| self.value(inner(part))).collect();
                values.into_iter().reduce(Value::or).unwrap_or(Value::Nothing)
            }
            Node::Function(function) => {
                self.defaults(at.tree, function);
                self.closure(at.tree, function)
            }
            Node::Class(function) => self.class(at.tree, function),
            Node::Sequence(parts) => {
                let mut last = Value::Nothing;
                for part in parts {
                    last = self.value(inner(part));
                }
                last
            }
            Node::Assign(target, value) => {
                let value = self.value(inner(value));
                self.bind(at.tree, &target, value.clone());
                value
            }
            Node::Append(target, value) => self.append(at, &target, value),
            Node::Each { target, over, body } => self.each(at, &target, over, body),
            Node::Repeat(body) => {
                self.forget_changes(inner(body));
                self.value(inner(body))
            }
            Node::Branches(bodies) => self.branches(at, &bodies),
            Node::Return(value) => {
                let value = self.value(inner(value));
                if let Some(returned) = self.returned.last_mut() {
                    *returned = Some(match returned.take() {
                        Some(before) => before.or(value),
                        None => value,
                    });
                }
                Value::Nothing
            }
            Node::Global(names) => {
                self.state.say_global(&names);
                Value::Nothing
            }
            Node::Ends(ends) => {
                self.know(at.tree, &ends);
                Value::Nothing
            }
            Node::Star(module) => {
                Rc::make_mut(&mut self.state.stars).push(module);
                Value::Nothing
            }
            Node::Deep => self.too_deep(at),
        }
    }

    pub(super) fn new_list(&mut self, values: Vec<Value>) -> Value {
        self.spend(values.len());
        Value::List(self.state.hold(Held::List(values)))
    }

    /// Returns the elements of a list literal.
    fn list(&mut self, at: At, parts: &[Id]) -> Vec<Value> {
        let mut values = Vec::new();
        for part in parts {
            let value = self.value(At { id: *part, ..at });
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
            let key = key.map(|key| self.value(At { id: key, ..at }));
            let value = self.value(At { id: *value, ..at });
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
        let value = self.value(At { id: value, ..at });
        let before = match target {
            Target::Name(name) => self.named(name),
            Target::Member(object, name) => {
                let object = self.value(At { id: *object, ..at });
                self.member(&object, name)
            }
            _ => Value::Data(Origin::Computed),
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

    /// Evaluates a body for each element.
    fn each(&mut self, at: At, target: &Target, over: Id, body: Id) -> Value {
        let over = self.value(At { id: over, ..at });
        let body = At { id: body, ..at };
        match self.elements(&over) {
            Elements::Known(values) if values.len() <= EACH => {
                let mut results = Vec::new();
                for value in values {
                    let is_one = !matches!(value, Value::Each(_));
                    let value = if let Value::Each(inner) = value { (*inner).clone() } else { value };
                    self.bind(at.tree, target, value);
                    let result = self.value(body);
                    results.push(if is_one { result } else { Value::each(result) });
                }
                self.new_list(results)
            }
            elements => {
                let element = match elements {
                    Elements::Known(values) => values.into_iter().reduce(Value::or).unwrap_or(Value::Nothing),
                    Elements::Some(value) => value,
                };
                self.forget_changes(body);
                let mut results = Value::Nothing;
                for (count, one) in element.alternatives().into_iter().enumerate() {
                    self.bind(at.tree, target, one);
                    let result = self.value(body);
                    results = if count == 0 { result } else { results.or(result) };
                }
                // What a condition in the body implies about an element does not hold for the last one.
                self.bind(at.tree, target, element);
                Value::each(results)
            }
        }
    }

    /// Returns the elements that iterating over a value yields.
    pub(super) fn elements(&mut self, value: &Value) -> Elements {
        match value {
            Value::List(place) | Value::Keys(place) => match self.state.held(*place).cloned() {
                Some(Held::List(values)) => {
                    self.spend(values.len());
                    Elements::Known(values)
                }
                Some(Held::Keys(keys)) => Elements::Known(keys.into_keys().map(|key| Value::text(&*key)).collect()),
                Some(Held::Any(value)) => Elements::Some(value),
                None => Elements::Some(Value::Data(Origin::Computed)),
            },
            Value::Each(inner) => Elements::Some((**inner).clone()),
            Value::Either(values) => {
                let mut known = Vec::new();
                for value in values.iter() {
                    match value {
                        Value::List(place) => match self.state.held(*place) {
                            Some(Held::List(more)) => known.extend(more.clone()),
                            _ => return Elements::Some(value.forgotten()),
                        },
                        Value::Each(inner) => known.push(Value::Each(Rc::clone(inner))),
                        Value::Nothing => {}
                        other => known.push(other.forgotten()),
                    }
                }
                Elements::Known(known)
            }
            Value::Library(name) if &**name == "sys.argv" || &**name == "process.argv" => {
                Elements::Known(self.arguments())
            }
            Value::Library(name) if matches!(&**name, "sys.stdin" | "STDIN") => {
                Elements::Some(Value::Data(Origin::Input))
            }
            Value::File(_) => Elements::Some(Value::Data(Origin::File)),
            Value::Nothing => Elements::Known(Vec::new()),
            Value::Object => Elements::Some(Value::Object),
            Value::Dynamic => Elements::Some(Value::Dynamic),
            other => Elements::Some(Value::Data(other.origin())),
        }
    }

    /// Returns the arguments of the program.
    pub(super) fn arguments(&self) -> Vec<Value> {
        self.outside.arguments().into_iter().map(|word| Value::Text(word, Origin::Computed)).collect()
    }

    fn branches(&mut self, at: At, bodies: &[Id]) -> Value {
        let before = self.state.clone();
        let mut value = Value::Nothing;
        for body in bodies {
            self.spend(self.state.size() / 4);
            let after = std::mem::replace(&mut self.state, before.clone());
            value = value.or(self.value(At { id: *body, ..at }));
            let language = self.language;
            self.state.join(&after, |name| library::row(language, name).is_some());
        }
        value
    }

    /// Forgets the variables that a repeated body changes.
    fn forget_changes(&mut self, body: At) {
        let Some(tree) = self.trees.get(body.tree).cloned() else { return };
        for node in tree.within(body.id) {
            self.spend(1);
            match node {
                Node::Assign(target, _) | Node::Append(target, _) => self.forget_target(target),
                Node::Call { callee, .. } => {
                    if let Node::Member(object, name) = tree.node(*callee)
                        && let Node::Name(object) = tree.node(*object)
                        && library::row(self.language, &format!("list.{name}")).is_some()
                        && let Some(Value::List(place) | Value::Keys(place)) = self.state.find(object)
                    {
                        let place = *place;
                        self.state.forget_held(place, &Value::Nothing);
                    }
                }
                _ => {}
            }
        }
    }

    fn forget_target(&mut self, target: &Target) {
        match target {
            Target::Name(name) => {
                if let Some(value) = self.state.find(name) {
                    let value = match value {
                        // A function or a module that is defined again is the same.
                        Value::Function(_) | Value::Class(_) | Value::Library(_) | Value::File(_) => return,
                        Value::List(place) | Value::Keys(place) => {
                            let place = *place;
                            self.state.forget_held(place, &Value::Nothing);
                            return;
                        }
                        value => value.forgotten(),
                    };
                    self.state.set_around(name, value);
                }
            }
            // Nested targets are not more than two levels deep.
            Target::List(targets) => {
                for target in targets {
                    if let Target::Name(_) = target {
                        self.forget_target(target);
                    }
                }
            }
            _ => {}
        }
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
