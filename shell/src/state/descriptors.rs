//! Descriptors: what they lead to, within a command and, behind `exec`, from one command to the next.
//!
//! Standard input and output are here only where `exec` changed them: else they are the setting's, and what flows.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::stream::{Content, Input, add};
use crate::word::Word;

/// The first that `{name}>file` takes.
const NEW: u32 = 10;

/// How many are followed.
const MOST: usize = 64;

/// What the descriptors of a shell lead to, as far as the text says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Descriptors(Rc<BTreeMap<u32, Channel>>);

/// What a descriptor leads to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Channel {
    /// What is read from it.
    pub(crate) input: Option<Rc<Input>>,
    /// The files that hold what is written to it. None: it goes where standard output went when it was opened.
    pub(crate) files: Vec<(Word, Mode)>,
}

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Over,
    Behind,
}

impl Descriptors {
    pub(crate) fn get(&self, number: u32) -> Option<&Channel> {
        self.0.get(&number)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn set(&mut self, number: u32, channel: Channel) {
        if self.0.len() < MOST || self.0.contains_key(&number) {
            Rc::make_mut(&mut self.0).insert(number, channel);
        }
    }

    pub(crate) fn put(&mut self, number: u32, channel: Option<&Channel>) {
        match channel {
            Some(channel) => self.set(number, channel.clone()),
            None if self.0.contains_key(&number) => {
                Rc::make_mut(&mut self.0).remove(&number);
            }
            None => {}
        }
    }

    /// Returns them without standard input and output, which whoever starts a command says anew.
    pub(crate) fn beyond_standard(&self) -> Self {
        let mut others = self.clone();
        others.put(0, None);
        others.put(1, None);
        others
    }

    /// Returns the next number for one that is opened under a name.
    pub(crate) fn next(&self) -> u32 {
        self.0.keys().next_back().map_or(NEW, |last| last.saturating_add(1).max(NEW))
    }

    /// Tells whether one of them leads to where standard output went before.
    pub(crate) fn keeps_output(&self) -> bool {
        self.0.iter().any(|(number, channel)| *number > 2 && channel.files.is_empty() && channel.input.is_none())
    }

    /// Returns all that can be read from them, for one whose number is not known.
    pub(crate) fn any_input(&self) -> Input {
        let mut any = Input { content: Content::Unknown, ..Input::default() };
        for input in self.0.values().filter_map(|channel| channel.input.as_ref()) {
            add(&mut any.from, &input.from);
        }
        any
    }

    /// Keeps what either of two ways leads to.
    pub(crate) fn join(&mut self, other: &Self) {
        if Rc::ptr_eq(&self.0, &other.0) || self == other {
            return;
        }
        for (number, theirs) in other.0.iter() {
            let joined = match self.get(*number) {
                Some(own) if own == theirs => continue,
                Some(own) => own.or(theirs),
                None => theirs.clone(),
            };
            self.set(*number, joined);
        }
    }
}

impl Channel {
    pub(crate) fn reads(input: Rc<Input>) -> Self {
        Self { input: Some(input), files: Vec::new() }
    }

    /// One or the other.
    fn or(&self, other: &Self) -> Self {
        let input = match (&self.input, &other.input) {
            (Some(own), Some(theirs)) if own != theirs => {
                let mut both = Input { content: Content::Unknown, ..Input::default() };
                add(&mut both.from, &own.from);
                add(&mut both.from, &theirs.from);
                Some(Rc::new(both))
            }
            (own, theirs) => own.as_ref().or(theirs.as_ref()).cloned(),
        };
        let mut files = self.files.clone();
        files.extend(other.files.iter().filter(|file| !self.files.contains(file)).cloned());
        Self { input, files }
    }
}
