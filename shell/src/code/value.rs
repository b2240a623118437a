//! The value of an expression, as far as it is known.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::tree::FunctionId;
use crate::word::{Cause, Unknown, ValueSource, Word};

/// The value of an expression.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum CodeValue {
    /// `None`, `undefined`, `nil`, or no value at all.
    Nothing,
    Number(i64),
    /// A text or bytes, parts of which may be unknown, with the origin of those parts.
    Text(Word, DataOrigin),
    /// A path object: `pathlib.Path("x")`.
    Path(Word),
    /// An open file, by its path.
    File(Word),
    /// An open archive: `zipfile.ZipFile("x.zip")`.
    Archive,
    /// An unknown number, text, or list of them, whose use has no effects.
    Data(DataOrigin),
    /// A module or an item of one, by its qualified name: `shutil.rmtree`.
    Library(Rc<str>),
    /// A method that the library tables list, by its name there (`path.unlink`), and the value that it is called on.
    Method(Rc<str>, Rc<CodeValue>),
    /// A function of the program.
    Function(Rc<Closure>),
    /// A class that the program defines. The address is that of its members.
    Class(HeapAddress),
    /// An object of a class that the program defines. The address is that of the object's own copy of the members.
    Instance(HeapAddress),
    List(HeapAddress),
    Dictionary(HeapAddress),
    /// An unknown number of values, all of which are like this one.
    Several(Rc<CodeValue>),
    /// One of these values; which one is unknown.
    AnyOf(Rc<[CodeValue]>),
    /// An object that a library created, and whose methods no table lists.
    Object,
    /// A value of which nothing is known: it may even be a function that removes files.
    Dynamic,
}

/// Where the unknown parts of a value come from. If they have several origins, the last of these variants is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum DataOrigin {
    /// The program computes them.
    Computed,
    /// The program reads them from a file.
    File,
    /// The program reads them from standard input.
    Input,
    /// The program receives them over the network.
    Network,
}

/// The address of a list, a dictionary or an object in `ProgramState`: a change through one reference is visible
/// through all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct HeapAddress(pub u32);

/// A function of the program, with the variables and the object that it refers to.
#[derive(Debug)]
pub(super) struct Closure {
    /// The index in `Evaluator::trees` of the tree that contains the function.
    pub tree: usize,
    /// The definition of the function in that tree.
    pub function: FunctionId,
    /// The variables of the function around the definition; `None` if there is none, or if `depth` is too great.
    pub variables: Option<Rc<CodeVariables>>,
    /// The object whose method the function is; `None` for a plain function.
    pub receiver: Option<CodeValue>,
    /// The length of the chain of closures that this one keeps alive: each captured the variables that contain the
    /// next.
    pub depth: usize,
}

impl Closure {
    /// Returns the function as a method of `receiver`.
    pub(super) fn bound_to(&self, receiver: CodeValue) -> Self {
        Self { variables: self.variables.clone(), receiver: Some(receiver), ..*self }
    }
}

/// Compares everything except for the captured variables, whose comparison could take long.
impl PartialEq for Closure {
    fn eq(&self, other: &Self) -> bool {
        self.tree == other.tree && self.function == other.function && self.receiver == other.receiver
    }
}

/// Variables by name.
pub(super) type CodeVariables = BTreeMap<Rc<str>, CodeValue>;

/// The contents of a list, a dictionary, a class or an instance.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum HeapCell {
    List(Vec<CodeValue>),
    /// Known keys with their values; a later value replaces an earlier one of the same key.
    Dictionary(BTreeMap<Rc<str>, CodeValue>),
    /// An unknown number of elements, each of which is like this value.
    SomeElement(CodeValue),
}

/// The maximum number of alternatives of a value; a value with more is unknown.
const MAX_ALTERNATIVES: usize = 12;

impl CodeValue {
    /// An unknown value without effects, which the program computes.
    pub(super) const COMPUTED: Self = Self::Data(DataOrigin::Computed);

    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(Word::text(text), DataOrigin::Computed)
    }

    /// Returns an unknown integer, by its text.
    pub(super) fn any_integer() -> Self {
        let reason = Unknown::with_source(Cause::Computed, "…", ValueSource::Number);
        Self::Text(Word::unknown(reason), DataOrigin::Computed)
    }

    /// Returns the text of a text or a path, if all of it is known; `None` for any other value.
    pub(super) fn known_text(&self) -> Option<&str> {
        match self {
            Self::Text(word, _) | Self::Path(word) => word.known_text(),
            _ => None,
        }
    }

    /// Converts the value to a text, as `str(value)` does. The text of a value other than a text, a path or a number
    /// is unknown.
    pub(super) fn into_text(self) -> Self {
        match self {
            Self::Path(word) => Self::Text(word, DataOrigin::Computed),
            Self::Number(number) => Self::text(number.to_string()),
            Self::File(_) => Self::Data(DataOrigin::File),
            Self::Text(..) => self,
            Self::List(_) | Self::Several(_) => Self::Data(DataOrigin::Computed),
            value => Self::Data(value.origin()),
        }
    }

    /// Returns the origin of the value's unknown parts. Of several alternatives, the greatest origin counts.
    pub(super) fn origin(&self) -> DataOrigin {
        match self {
            Self::Text(_, origin) | Self::Data(origin) => *origin,
            Self::Several(inner) | Self::Method(_, inner) => inner.origin(),
            Self::File(_) => DataOrigin::File,
            Self::AnyOf(values) => values.iter().map(Self::origin).max().unwrap_or(DataOrigin::Computed),
            _ => DataOrigin::Computed,
        }
    }

    /// Whether the value is, or may be, a list, a dictionary, or an unknown number of values.
    pub(super) fn is_collection(&self) -> bool {
        match self {
            Self::List(_) | Self::Dictionary(_) | Self::Several(_) => true,
            Self::AnyOf(values) => values.iter().any(Self::is_collection),
            _ => false,
        }
    }

    /// Whether using the value may have effects: it is, or may be, a function, a library item or an object.
    pub(super) fn may_have_effects(&self) -> bool {
        match self {
            Self::Library(_) | Self::Method(..) | Self::Function(_) | Self::Class(_) | Self::Instance(_) => true,
            Self::Dynamic | Self::Object => true,
            Self::Several(inner) => inner.may_have_effects(),
            Self::AnyOf(values) => values.iter().any(Self::may_have_effects),
            _ => false,
        }
    }

    /// Returns what is still known of a value that may have changed. A value whose use may have effects becomes
    /// `Dynamic`; of any other, only the origin is known.
    pub(super) fn after_change(&self) -> Self {
        match self {
            Self::Object => Self::Object,
            value if value.may_have_effects() => Self::Dynamic,
            value => Self::Data(value.origin()),
        }
    }

    /// Returns a value that may be either of the two, with the alternatives of both. If there are more than
    /// [`MAX_ALTERNATIVES`], the value is unknown.
    pub(super) fn either(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let mut alternatives: Vec<Self> = Vec::new();
        for value in [self, other] {
            let more = match &value {
                Self::AnyOf(values) => values.to_vec(),
                _ => vec![value],
            };
            for alternative in more {
                if !alternatives.contains(&alternative) {
                    alternatives.push(alternative);
                }
            }
        }
        if alternatives.len() > MAX_ALTERNATIVES {
            let origin = alternatives.iter().map(Self::origin).max().unwrap_or(DataOrigin::Computed);
            return if alternatives.iter().any(Self::may_have_effects) { Self::Dynamic } else { Self::Data(origin) };
        }
        match alternatives.as_slice() {
            [one] => one.clone(),
            _ => Self::AnyOf(alternatives.into()),
        }
    }

    /// Returns an unknown number of values that are like `inner`.
    pub(super) fn several(inner: Self) -> Self {
        match inner {
            Self::Several(_) => inner,
            _ => Self::Several(Rc::new(inner)),
        }
    }

    /// Returns the alternatives of an `AnyOf`, or the value itself as the only one.
    pub(super) fn alternatives(&self) -> Vec<Self> {
        match self {
            Self::AnyOf(values) => values.to_vec(),
            value => vec![value.clone()],
        }
    }
}
