//! Evaluates loops and branches: a body for each element, repeated bodies, alternative bodies.

use std::rc::Rc;

use super::super::library;
use super::super::tree::{AssignmentTarget, CodeNode, CodeNodeId};
use super::super::value::{CodeValue, DataOrigin, HeapCell};
use super::{Evaluator, IterationElements, NodeRef};

/// The maximum number of elements for each of which the body of a loop is evaluated.
const MAX_ELEMENTS: usize = 64;

impl Evaluator<'_> {
    /// Evaluates the body of a loop for each element, and returns the list of its values.
    ///
    /// If the elements are unknown or too many, the body is evaluated once for each alternative of what an element may
    /// be.
    pub(super) fn evaluate_each(
        &mut self,
        at: NodeRef,
        target: &AssignmentTarget,
        over: CodeNodeId,
        body: CodeNodeId,
    ) -> CodeValue {
        let over = self.part_value(at, over);
        let body = NodeRef { id: body, ..at };
        match self.elements(&over) {
            IterationElements::Known(values) if values.len() <= MAX_ELEMENTS => {
                let mut results = Vec::new();
                for value in values {
                    // A `Several` in the list is an unknown number of like elements: one evaluation covers them.
                    let is_one = !matches!(value, CodeValue::Several(_));
                    let value = if let CodeValue::Several(inner) = value { (*inner).clone() } else { value };
                    self.bind(at.tree, target, value);
                    let result = self.value(body);
                    results.push(if is_one { result } else { CodeValue::several(result) });
                }
                self.new_list(results)
            }
            elements => {
                let element = match elements {
                    IterationElements::Known(values) => {
                        values.into_iter().reduce(CodeValue::either).unwrap_or(CodeValue::Nothing)
                    }
                    IterationElements::Several(value) => value,
                };
                self.forget_changes(body);
                let mut results = CodeValue::Nothing;
                for (index, alternative) in element.alternatives().into_iter().enumerate() {
                    self.bind(at.tree, target, alternative);
                    let result = self.value(body);
                    results = if index == 0 { result } else { results.either(result) };
                }
                // After the loop, the variable may be any element, regardless of what a condition in the body implied.
                self.bind(at.tree, target, element);
                CodeValue::several(results)
            }
        }
    }

    /// Returns the elements that a loop over a value visits; for a dictionary, its keys.
    pub(in super::super) fn elements(&mut self, value: &CodeValue) -> IterationElements {
        match value {
            CodeValue::List(address) | CodeValue::Dictionary(address) => match self.state.cell(*address).cloned() {
                Some(HeapCell::List(values)) => {
                    self.spend(values.len());
                    IterationElements::Known(values)
                }
                Some(HeapCell::Dictionary(keys)) => {
                    IterationElements::Known(keys.into_keys().map(|key| CodeValue::text(&*key)).collect())
                }
                Some(HeapCell::SomeElement(value)) => IterationElements::Several(value),
                None => IterationElements::Several(CodeValue::COMPUTED),
            },
            CodeValue::Several(inner) => IterationElements::Several((**inner).clone()),
            CodeValue::AnyOf(values) => {
                let mut known = Vec::new();
                for value in values.iter() {
                    match value {
                        CodeValue::List(address) => match self.state.cell(*address) {
                            Some(HeapCell::List(more)) => known.extend(more.clone()),
                            _ => return IterationElements::Several(value.after_change()),
                        },
                        CodeValue::Several(inner) => known.push(CodeValue::Several(Rc::clone(inner))),
                        CodeValue::Nothing => {}
                        other => known.push(other.after_change()),
                    }
                }
                IterationElements::Known(known)
            }
            CodeValue::Library(name) if &**name == "sys.argv" || &**name == "process.argv" => {
                IterationElements::Known(self.arguments())
            }
            CodeValue::Library(name) if matches!(&**name, "sys.stdin" | "STDIN") => {
                IterationElements::Several(CodeValue::Data(DataOrigin::Input))
            }
            CodeValue::File(_) => IterationElements::Several(CodeValue::Data(DataOrigin::File)),
            CodeValue::Nothing => IterationElements::Known(Vec::new()),
            CodeValue::Object => IterationElements::Several(CodeValue::Object),
            CodeValue::Dynamic => IterationElements::Several(CodeValue::Dynamic),
            other => IterationElements::Several(CodeValue::Data(other.origin())),
        }
    }

    /// Evaluates alternative bodies, each from the same state, and merges the resulting states. The state before is one
    /// of them, because perhaps no body runs.
    pub(super) fn branches(&mut self, at: NodeRef, bodies: &[CodeNodeId]) -> CodeValue {
        let before = self.state.clone();
        let mut value = CodeValue::Nothing;
        for body in bodies {
            // A step is charged for every four values that the copy and the merge of the states visit.
            self.spend(self.state.size() / 4);
            let merged = std::mem::replace(&mut self.state, before.clone());
            value = value.either(self.part_value(at, *body));
            let language = self.language;
            self.state.join(&merged, |name| library::find_row(language, name).is_some());
        }
        value
    }

    /// Makes the variables unknown that a repeated body changes, so that one evaluation of the body covers all
    /// repetitions.
    pub(super) fn forget_changes(&mut self, body: NodeRef) {
        let Some(tree) = self.trees.get(body.tree).cloned() else { return };
        for node in tree.subtree(body.id) {
            self.spend(1);
            match node {
                CodeNode::Assign(target, _) | CodeNode::Append(target, _) => self.forget_target(target),
                CodeNode::Call { callee, .. } => {
                    // A method such as `x.append(…)` changes the list in `x`.
                    if let CodeNode::Member(object, name) = tree.node(*callee)
                        && let CodeNode::Name(object) = tree.node(*object)
                        && library::find_row(self.language, &format!("list.{name}")).is_some()
                        && let Some(CodeValue::List(address) | CodeValue::Dictionary(address)) = self.state.find(object)
                    {
                        let address = *address;
                        self.state.forget_cell(address, &CodeValue::Nothing);
                    }
                }
                _ => {}
            }
        }
    }

    /// Forgets the value of the variable that is an assignment target, or the contents of the list or dictionary in it.
    fn forget_target(&mut self, target: &AssignmentTarget) {
        match target {
            AssignmentTarget::Name(name) => {
                if let Some(value) = self.state.find(name) {
                    let value = match value {
                        // A loop that defines a function or imports a module defines the same one in each repetition.
                        CodeValue::Function(_) | CodeValue::Class(_) | CodeValue::Library(_) | CodeValue::File(_) => {
                            return;
                        }
                        CodeValue::List(address) | CodeValue::Dictionary(address) => {
                            let address = *address;
                            self.state.forget_cell(address, &CodeValue::Nothing);
                            return;
                        }
                        value => value.after_change(),
                    };
                    self.state.set_existing(name, value);
                }
            }
            // Targets within nested lists keep their values.
            AssignmentTarget::List(targets) => {
                for target in targets {
                    if let AssignmentTarget::Name(_) = target {
                        self.forget_target(target);
                    }
                }
            }
            _ => {}
        }
    }
}
