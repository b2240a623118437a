//! What an expression of a program comes to, as far as that is known.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::tree::FunctionId;
use crate::word::Word;

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Nothing,
    Number(i64),
    /// A text or bytes, known as far as a word is, and where what is not known of it comes from.
    Text(Word, Origin),
    /// A path object.
    Path(Word),
    /// An open file, by its path.
    File(Word),
    /// An open archive.
    Archive,
    /// Numbers, texts, lists of them: whatever it is, nothing happens by using it.
    Data(Origin),
    /// A module or what is in one, by its whole name.
    Library(Rc<str>),
    /// A method of a library's value, by its name in the table, and the value.
    Method(Rc<str>, Rc<Value>),
    Function(Rc<Closure>),
    /// A class, whose members lie at this place.
    Class(Place),
    Instance(Place),
    List(Place),
    Keys(Place),
    /// Some values of this kind, whose number is not known.
    Each(Rc<Value>),
    /// One of these.
    Either(Rc<[Value]>),
    /// Something that a library made which no table has.
    Object,
    /// It may be anything, a function that removes files too.
    Dynamic,
}

/// Where what is not known of a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Origin {
    /// The program computes it.
    Computed,
    /// A file.
    File,
    /// Standard input.
    Input,
    /// The network.
    Network,
}

/// Where a list or what has members lies: who changes it changes it for all that know it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place(pub u32);

/// A function with what it needs of where it was made.
#[derive(Debug)]
pub(super) struct Closure {
    /// Which of the trees it stands in.
    pub tree: usize,
    pub function: FunctionId,
    /// The variables of the function that it was made in.
    pub around: Option<Rc<Variables>>,
    /// The object whose method it is.
    pub receiver: Option<Value>,
    /// How many others are kept alive by it, one by the other.
    pub depth: usize,
}

impl PartialEq for Closure {
    fn eq(&self, other: &Self) -> bool {
        self.tree == other.tree && self.function == other.function && self.receiver == other.receiver
    }
}

/// Variables by their names.
pub(super) type Variables = BTreeMap<Rc<str>, Value>;

/// What lies at a place.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Held {
    List(Vec<Value>),
    /// Keys that are known, with their values; the last of a key counts.
    Keys(BTreeMap<Rc<str>, Value>),
    /// It is no longer known what is in it, and this is what an element may be.
    Any(Value),
}

/// How many values one may be.
const MOST: usize = 12;

impl Value {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Text(Word::text(text), Origin::Computed)
    }

    /// Returns the text, if it is known.
    pub(super) fn known(&self) -> Option<&str> {
        match self {
            Self::Text(word, _) | Self::Path(word) => word.known(),
            _ => None,
        }
    }

    /// Returns what it is as a text.
    pub(super) fn into_text(self) -> Self {
        match self {
            Self::Path(word) => Self::Text(word, Origin::Computed),
            Self::Number(number) => Self::text(number.to_string()),
            Self::File(_) => Self::Data(Origin::File),
            Self::Text(..) => self,
            Self::List(_) | Self::Each(_) => Self::Data(Origin::Computed),
            value => Self::Data(value.origin()),
        }
    }

    pub(super) fn origin(&self) -> Origin {
        match self {
            Self::Text(_, origin) | Self::Data(origin) => *origin,
            Self::Each(inner) | Self::Method(_, inner) => inner.origin(),
            Self::File(_) => Origin::File,
            Self::Either(values) => values.iter().map(Self::origin).max().unwrap_or(Origin::Computed),
            _ => Origin::Computed,
        }
    }

    /// Tells whether it is a list or keys.
    pub(super) fn is_several(&self) -> bool {
        match self {
            Self::List(_) | Self::Keys(_) | Self::Each(_) => true,
            Self::Either(values) => values.iter().any(Self::is_several),
            _ => false,
        }
    }

    /// Tells whether effects may come from using it.
    pub(super) fn may_act(&self) -> bool {
        match self {
            Self::Library(_) | Self::Method(..) | Self::Function(_) | Self::Class(_) | Self::Instance(_) => true,
            Self::Dynamic | Self::Object => true,
            Self::Each(inner) => inner.may_act(),
            Self::Either(values) => values.iter().any(Self::may_act),
            _ => false,
        }
    }

    /// Returns what is left to know of a value that may be another now.
    pub(super) fn forgotten(&self) -> Self {
        match self {
            Self::Object => Self::Object,
            value if value.may_act() => Self::Dynamic,
            value => Self::Data(value.origin()),
        }
    }

    /// One of two.
    pub(super) fn or(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let mut all: Vec<Self> = Vec::new();
        for value in [self, other] {
            let more = match &value {
                Self::Either(values) => values.to_vec(),
                _ => vec![value],
            };
            for one in more {
                if !all.contains(&one) {
                    all.push(one);
                }
            }
        }
        if all.len() > MOST {
            let origin = all.iter().map(Self::origin).max().unwrap_or(Origin::Computed);
            return if all.iter().any(Self::may_act) { Self::Dynamic } else { Self::Data(origin) };
        }
        match all.as_slice() {
            [one] => one.clone(),
            _ => Self::Either(all.into()),
        }
    }

    /// Some values of a kind.
    pub(super) fn each(inner: Self) -> Self {
        match inner {
            Self::Each(_) => inner,
            _ => Self::Each(Rc::new(inner)),
        }
    }

    /// Returns each of the values that it may be.
    pub(super) fn alternatives(&self) -> Vec<Self> {
        match self {
            Self::Either(values) => values.to_vec(),
            value => vec![value.clone()],
        }
    }
}
