//! Assignments to targets: names, lists of targets, members and elements.

use std::rc::Rc;

use super::CodeLanguage;
use super::evaluate::{Evaluator, IterationElements, NodeRef};
use super::tree::{AssignmentTarget, CodeNodeId};
use super::value::{CodeValue, HeapCell};

impl Evaluator<'_> {
    /// Assigns a value to a target, which is in the tree with the index `tree`.
    pub(super) fn bind(&mut self, tree: usize, target: &AssignmentTarget, value: CodeValue) {
        match target {
            AssignmentTarget::Name(name) => self.bind_name(name, value),
            AssignmentTarget::List(targets) => self.bind_list(tree, targets, &value),
            AssignmentTarget::Keys(keys) => {
                for (name, target) in keys {
                    let value = match self.language {
                        CodeLanguage::Php => self.index(&value, &CodeValue::text(&**name)),
                        _ => self.member(&value, name),
                    };
                    self.bind(tree, target, value);
                }
            }
            AssignmentTarget::Member(object, name) => {
                let object = self.value(NodeRef { tree, id: *object });
                self.set_member(&object, name, value);
            }
            AssignmentTarget::Index(object, key) => {
                let object = self.value(NodeRef { tree, id: *object });
                let key = self.value(NodeRef { tree, id: *key });
                // The node is only used to display a reason. The node of the assignment is not known here.
                self.set_index(&object, &key, value, NodeRef { tree, id: CodeNodeId::default() });
            }
            AssignmentTarget::Default(target, default) => {
                let value = match value {
                    CodeValue::Nothing => self.value(NodeRef { tree, id: *default }),
                    value => value,
                };
                self.bind(tree, target, value);
            }
            AssignmentTarget::Rest(target) => {
                let value = match value {
                    value @ (CodeValue::List(_) | CodeValue::Several(_)) => value,
                    value => CodeValue::several(value),
                };
                self.bind(tree, target, value);
            }
            AssignmentTarget::Nothing => {}
        }
    }

    /// Assigns to a variable. In Python, this sets a variable of the current scope; in other languages, the variable of
    /// an outer scope if there is one of this name.
    fn bind_name(&mut self, name: &Rc<str>, value: CodeValue) {
        match self.language {
            CodeLanguage::Python => self.state.set(name, value),
            CodeLanguage::JavaScript | CodeLanguage::Ruby => self.state.set_existing(name, value),
            CodeLanguage::Perl => {
                // A Perl array is always a list.
                let value = match name.starts_with('@') && !value.is_collection() {
                    true => self.new_list(vec![value]),
                    false => value,
                };
                self.state.set_existing(name, value);
            }
            CodeLanguage::Php => {
                let value = self.copy_array(value);
                self.state.set_existing(name, value);
            }
        }
    }

    /// Returns a copy of a list or a dictionary, since PHP assigns them by value; returns any other value unchanged.
    pub(super) fn copy_array(&mut self, value: CodeValue) -> CodeValue {
        match &value {
            CodeValue::List(address) | CodeValue::Dictionary(address) => match self.state.cell(*address).cloned() {
                Some(cell) => {
                    let size = match &cell {
                        HeapCell::List(values) => values.len(),
                        HeapCell::Dictionary(keys) => keys.len(),
                        HeapCell::SomeElement(_) => 1,
                    };
                    self.spend(size);
                    let address = self.state.allocate(cell);
                    if let CodeValue::List(_) = value {
                        CodeValue::List(address)
                    } else {
                        CodeValue::Dictionary(address)
                    }
                }
                None => value,
            },
            _ => value,
        }
    }

    /// Assigns the elements of a list to targets. A missing element is unknown data.
    fn bind_list(&mut self, tree: usize, targets: &[AssignmentTarget], value: &CodeValue) {
        // The pair that `mkstemp()` returns: its second element is the path.
        if let CodeValue::Path(_) = value {
            return targets.iter().for_each(|target| self.bind(tree, target, value.clone()));
        }
        match self.elements(value) {
            IterationElements::Known(values) => {
                let mut values = values.into_iter();
                for target in targets {
                    let value = match target {
                        AssignmentTarget::Rest(_) => self.new_list(values.by_ref().collect()),
                        _ => values.next().unwrap_or(CodeValue::COMPUTED),
                    };
                    self.bind(tree, target, value);
                }
            }
            IterationElements::Several(value) => {
                targets.iter().for_each(|target| self.bind(tree, target, value.clone()))
            }
        }
    }
}
