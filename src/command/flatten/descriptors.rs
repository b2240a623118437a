//! Descriptors: what they lead to, within a command and, behind `exec`, from one command to the next.
//!
//! Standard input and output are here only where `exec` changed them: else they are the setting's, and what flows.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::parse::is_name;
use super::super::state::{Binding, Value};
use super::super::{Cause, Source, StreamId, Why, Word};
use super::Scene;
use super::redirects::{Mode, Redirected};
use super::streams::{Content, Input};

/// The first that `{name}>file` takes.
const NEW: u32 = 10;

/// How many are followed.
const MOST: usize = 64;

/// What the descriptors of a shell lead to, as far as the text says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::command) struct Descriptors(Rc<BTreeMap<u32, Channel>>);

/// What a descriptor leads to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::command) struct Channel {
    /// What is read from it.
    pub(super) input: Option<Rc<Input>>,
    /// The files that hold what is written to it. None: it goes where standard output went when it was opened.
    pub(super) files: Vec<(Word, Mode)>,
}

impl Descriptors {
    pub(super) fn get(&self, number: u32) -> Option<&Channel> {
        self.0.get(&number)
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn set(&mut self, number: u32, channel: Channel) {
        if self.0.len() < MOST || self.0.contains_key(&number) {
            Rc::make_mut(&mut self.0).insert(number, channel);
        }
    }

    pub(super) fn put(&mut self, number: u32, channel: Option<&Channel>) {
        match channel {
            Some(channel) => self.set(number, channel.clone()),
            None if self.0.contains_key(&number) => {
                Rc::make_mut(&mut self.0).remove(&number);
            }
            None => {}
        }
    }

    /// Returns them without standard input and output, which whoever starts a command says anew.
    pub(super) fn beyond_standard(&self) -> Self {
        let mut others = self.clone();
        others.put(0, None);
        others.put(1, None);
        others
    }

    /// Returns the next number for one that is opened under a name.
    pub(super) fn next(&self) -> u32 {
        self.0.keys().next_back().map_or(NEW, |last| last.saturating_add(1).max(NEW))
    }

    /// Tells whether one of them leads to where standard output went before.
    pub(super) fn keeps_output(&self) -> bool {
        self.0.iter().any(|(number, channel)| *number > 2 && channel.files.is_empty() && channel.input.is_none())
    }

    /// Returns all that can be read from them, for one whose number is not known.
    pub(super) fn any_input(&self) -> Input {
        let mut any = Input { content: Content::Unknown, ..Input::default() };
        for input in self.0.values().filter_map(|channel| channel.input.as_ref()) {
            super::add(&mut any.from, &input.from);
        }
        any
    }

    /// Keeps what either of two ways leads to.
    pub(in crate::command) fn join(&mut self, other: &Self) {
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
    pub(super) fn reads(input: Rc<Input>) -> Self {
        Self { input: Some(input), files: Vec::new() }
    }

    /// One or the other.
    fn or(&self, other: &Self) -> Self {
        let input = match (&self.input, &other.input) {
            (Some(own), Some(theirs)) if own != theirs => {
                let mut both = Input { content: Content::Unknown, ..Input::default() };
                super::add(&mut both.from, &own.from);
                super::add(&mut both.from, &theirs.from);
                Some(Rc::new(both))
            }
            (own, theirs) => own.as_ref().or(theirs.as_ref()).cloned(),
        };
        let mut files = self.files.clone();
        files.extend(other.files.iter().filter(|file| !self.files.contains(file)).cloned());
        Self { input, files }
    }
}

impl Scene<'_> {
    /// Returns what comes on standard input.
    pub(super) fn stdin(&self) -> Rc<Input> {
        let opened = self.state.descriptors.get(0).and_then(|channel| channel.input.as_ref());
        Rc::clone(opened.unwrap_or(&self.setting.input))
    }

    /// Returns what is read from the descriptor that a file's name stands for: `/dev/fd/3`, `/dev/stdin`.
    pub(super) fn descriptor_of(&self, file: &Word) -> Option<Rc<Input>> {
        let name = file.known()?;
        let number = match name {
            "/dev/stdin" => 0,
            _ => ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"]
                .iter()
                .find_map(|start| name.strip_prefix(start))?
                .parse()
                .ok()?,
        };
        match self.state.descriptors.get(number) {
            Some(channel) => channel.input.clone(),
            None => (number == 0).then(|| self.stdin()),
        }
    }

    /// Goes into what a command runs in the same shell: its redirections hold there.
    pub(super) fn enter(&mut self, redirected: &Redirected) -> Descriptors {
        std::mem::replace(&mut self.state.descriptors, redirected.descriptors.beyond_standard())
    }

    /// Comes back: what the redirections opened is closed, what an `exec` within opened stays.
    pub(super) fn leave(&mut self, before: &Descriptors, redirected: &Redirected) {
        let descriptors = &mut self.state.descriptors;
        let standard = [0, 1].into_iter().filter(|number| descriptors.get(*number).is_none());
        let closed: Vec<u32> = standard.chain(redirected.touched.iter().copied()).collect();
        closed.into_iter().for_each(|number| descriptors.put(number, before.get(number)));
    }

    /// `exec 3<file`: what is opened stays open, and what is written to it goes behind what is there.
    pub(super) fn keep_open(&mut self, redirected: &Redirected) {
        let mut descriptors = redirected.descriptors.clone();
        for number in &redirected.touched {
            let Some(channel) = descriptors.get(*number) else { continue };
            let mut channel = channel.clone();
            channel.files.iter_mut().for_each(|(_, mode)| *mode = Mode::Behind);
            descriptors.set(*number, channel);
        }
        self.state.descriptors = descriptors;
    }

    /// Gives the number of a descriptor to the variable that it is opened under.
    pub(super) fn name_descriptor(&mut self, name: &str, number: u32) {
        if is_name(name) {
            self.state.set(name, Binding::One(Value::text(number.to_string())));
        }
    }

    /// `coproc NAME …`: what it writes is read from `${NAME[0]}`, and what is written to `${NAME[1]}` it reads.
    pub(super) fn open_coproc(&mut self, name: &str, output: Input, input: Word) {
        let read = self.state.descriptors.next();
        self.state.descriptors.set(read, Channel::reads(Rc::new(output)));
        let write = self.state.descriptors.next();
        self.state.descriptors.set(write, Channel { input: None, files: vec![(input, Mode::Behind)] });
        let numbers = [read, write].map(|number| Value::text(number.to_string()));
        if is_name(name) {
            self.state.set(name, Binding::List(numbers.to_vec()));
        }
    }
}

/// Returns the word that stands for a stream without a name.
pub(super) fn nameless(word: String, stream: StreamId) -> Word {
    Word::hole(Why::of(Cause::Output, word, Source::Stream(stream)), false)
}
