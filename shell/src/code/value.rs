//! The value of an expression, as far as it is known.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::tree::FunctionId;
use crate::word::Word;

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum CodeValue {
    Nothing,
    Number(i64),
    /// A text or bytes, possibly with unknown parts, and the origin of those.
    Text(Word, DataOrigin),
    /// A path object.
    Path(Word),
    /// An open file, by its path.
    File(Word),
    /// An open archive.
    Archive,
    /// Numbers, texts, lists of them: any value that has no effects when it is used.
    Data(DataOrigin),
    /// A module or an item of one, by its qualified name.
    Library(Rc<str>),
    /// A method of a library's value, by its name in the table, and its receiver.
    Method(Rc<str>, Rc<CodeValue>),
    Function(Rc<Closure>),
    /// A class, with its members at this place.
    Class(HeapAddress),
    Instance(HeapAddress),
    List(HeapAddress),
    Dictionary(HeapAddress),
    /// An unknown number of values of this kind.
    Several(Rc<CodeValue>),
    /// One of these values.
    AnyOf(Rc<[CodeValue]>),
    /// An object that a library created and no table describes.
    Object,
    /// Anything, including a function that removes files.
    Dynamic,
}

/// The source of the unknown parts of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum DataOrigin {
    /// The program computes it.
    Computed,
    /// A file.
    File,
    /// Standard input.
    Input,
    /// The network.
    Network,
}

/// Where a list or an object is stored: a change through one reference is visible through all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct HeapAddress(pub u32);

/// A function with the environment in which it was created.
#[derive(Debug)]
pub(super) struct Closure {
    /// The tree that contains it.
    pub tree: usize,
    pub function: FunctionId,
    /// The variables of the function in which it was created.
    pub variables: Option<Rc<CodeVariables>>,
    /// The object that it is a method of.
    pub receiver: Option<CodeValue>,
    /// The length of the chain of closures that it keeps alive.
    pub depth: usize,
}

impl Closure {
    /// Returns the function as a method of an object.
    pub(super) fn of(&self, receiver: CodeValue) -> Self {
        Self { variables: self.variables.clone(), receiver: Some(receiver), ..*self }
    }
}

impl PartialEq for Closure {
    fn eq(&self, other: &Self) -> bool {
        self.tree == other.tree && self.function == other.function && self.receiver == other.receiver
    }
}

/// Variables by name.
pub(super) type CodeVariables = BTreeMap<Rc<str>, CodeValue>;

/// The contents of a place.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum HeapCell {
    List(Vec<CodeValue>),
    /// Known keys with their values; the last value of a key counts.
    Dictionary(BTreeMap<Rc<str>, CodeValue>),
    /// The contents are unknown; this is a possible element.
    SomeElement(CodeValue),
}

/// The maximum number of alternatives of a value.
const MOST: usize = 12;

impl CodeValue {
    /// A computed value without effects.
    pub(super) const COMPUTED: Self = Self::Data(DataOrigin::Computed);

    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(Word::text(text), DataOrigin::Computed)
    }

    /// Returns the text, if it is known.
    pub(super) fn known_text(&self) -> Option<&str> {
        match self {
            Self::Text(word, _) | Self::Path(word) => word.known_text(),
            _ => None,
        }
    }

    /// Converts the value to a text.
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

    pub(super) fn origin(&self) -> DataOrigin {
        match self {
            Self::Text(_, origin) | Self::Data(origin) => *origin,
            Self::Several(inner) | Self::Method(_, inner) => inner.origin(),
            Self::File(_) => DataOrigin::File,
            Self::AnyOf(values) => values.iter().map(Self::origin).max().unwrap_or(DataOrigin::Computed),
            _ => DataOrigin::Computed,
        }
    }

    /// Whether it is a list or a dictionary.
    pub(super) fn is_collection(&self) -> bool {
        match self {
            Self::List(_) | Self::Dictionary(_) | Self::Several(_) => true,
            Self::AnyOf(values) => values.iter().any(Self::is_collection),
            _ => false,
        }
    }

    /// Whether using it may have effects.
    pub(super) fn may_have_effects(&self) -> bool {
        match self {
            Self::Library(_) | Self::Method(..) | Self::Function(_) | Self::Class(_) | Self::Instance(_) => true,
            Self::Dynamic | Self::Object => true,
            Self::Several(inner) => inner.may_have_effects(),
            Self::AnyOf(values) => values.iter().any(Self::may_have_effects),
            _ => false,
        }
    }

    /// Returns what remains known of a value that may have changed.
    pub(super) fn after_change(&self) -> Self {
        match self {
            Self::Object => Self::Object,
            value if value.may_have_effects() => Self::Dynamic,
            value => Self::Data(value.origin()),
        }
    }

    /// Returns either of two values.
    pub(super) fn either(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let mut all: Vec<Self> = Vec::new();
        for value in [self, other] {
            let more = match &value {
                Self::AnyOf(values) => values.to_vec(),
                _ => vec![value],
            };
            for one in more {
                if !all.contains(&one) {
                    all.push(one);
                }
            }
        }
        if all.len() > MOST {
            let origin = all.iter().map(Self::origin).max().unwrap_or(DataOrigin::Computed);
            return if all.iter().any(Self::may_have_effects) { Self::Dynamic } else { Self::Data(origin) };
        }
        match all.as_slice() {
            [one] => one.clone(),
            _ => Self::AnyOf(all.into()),
        }
    }

    /// An unknown number of values of a kind.
    pub(super) fn several(inner: Self) -> Self {
        match inner {
            Self::Several(_) => inner,
            _ => Self::Several(Rc::new(inner)),
        }
    }

    /// Returns the alternatives of the value.
    pub(super) fn alternatives(&self) -> Vec<Self> {
        match self {
            Self::AnyOf(values) => values.to_vec(),
            value => vec![value.clone()],
        }
    }
}
