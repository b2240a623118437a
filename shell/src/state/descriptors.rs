//! File descriptors: their targets, within a command and, after `exec`, for the following commands.
//!
//! Standard input and output are only included if `exec` changed them: otherwise the pipeline and the setting define
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::open_files::OpenFiles;
use crate::stream::{InputStream, StreamContent, insert_ids};
use crate::word::Word;

/// The first number that `{name}>file` allocates.
const NEW: u32 = 10;

/// The maximum number of descriptors that are tracked.
const MOST: usize = 64;

/// The targets of a shell's descriptors, as far as the text sets them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Descriptors {
    channels: Rc<BTreeMap<u32, Channel>>,
    /// What their names stand for, those of standard input and output included.
    pub(crate) files: OpenFiles,
}

/// The target of a descriptor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Channel {
    /// The data that is read from it.
    pub(crate) input: Option<Rc<InputStream>>,
    /// Whether the descriptor is certainly open.
    pub(crate) certainty: OpenCertainty,
    /// The files that its output is written to.
    pub(crate) files: Vec<(Word, WriteMode)>,
    /// Where its output goes otherwise.
    pub(crate) output_target: OutputTarget,
}

/// Whether the output to a descriptor appears on standard output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum OutputTarget {
    /// It does.
    #[default]
    StandardOutput,
    /// It goes to standard error, only to files, or nowhere.
    Unread,
    /// Unknown, or it goes to the standard output of an outer shell.
    Unclear,
}

/// Whether a descriptor was opened on every path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum OpenCertainty {
    #[default]
    Certain,
    /// Only on one of the paths to this point; on the others it has its previous target.
    Possible,
}

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WriteMode {
    Overwrite,
    Append,
    /// It overwrites some of the file, or nothing: `<>`, `set -C`.
    Partial,
}

impl Descriptors {
    pub(crate) fn get(&self, number: u32) -> Option<&Channel> {
        self.channels.get(&number)
    }

    /// Returns the target of a descriptor, even of one that the text does not set.
    pub(crate) fn channel(&self, number: u32) -> Channel {
        self.get(number)
            .cloned()
            .unwrap_or_else(|| Channel { output_target: OutputTarget::default_for(number), ..Channel::default() })
    }

    /// Returns whether the output to a descriptor appears on standard output.
    pub(crate) fn output_target(&self, number: u32) -> OutputTarget {
        self.get(number).map_or_else(|| OutputTarget::default_for(number), |channel| channel.output_target)
    }

    /// Returns the targets of all descriptors but one.
    pub(crate) fn other_channels(&self, number: u32) -> impl Iterator<Item = &Channel> {
        self.channels.iter().filter(move |(own, _)| **own != number).map(|(_, channel)| channel)
    }

    pub(crate) fn len(&self) -> usize {
        self.channels.len()
    }

    pub(crate) fn set(&mut self, number: u32, channel: Channel) {
        if self.channels.len() < MOST || self.channels.contains_key(&number) {
            Rc::make_mut(&mut self.channels).insert(number, channel);
        }
    }

    pub(crate) fn restore(&mut self, number: u32, channel: Option<&Channel>) {
        match channel {
            Some(channel) => self.set(number, channel.clone()),
            None if self.channels.contains_key(&number) => {
                Rc::make_mut(&mut self.channels).remove(&number);
            }
            None => {}
        }
    }

    /// Returns them without standard input and output, which are set anew for each command.
    pub(crate) fn without_standard(&self) -> Self {
        let mut others = self.clone();
        others.restore(0, None);
        others.restore(1, None);
        others
    }

    /// Returns the next number for a named descriptor.
    pub(crate) fn next_number(&self) -> u32 {
        (NEW..).find(|number| !self.channels.contains_key(number)).unwrap_or(NEW)
    }

    /// Whether one of them refers to the previous standard output.
    pub(crate) fn has_previous_output(&self) -> bool {
        self.channels.iter().any(|(number, channel)| *number > 2 && channel.output_target != OutputTarget::Unread)
    }

    /// Enters a context with another standard output: a copy of the previous one leads out of it.
    pub(crate) fn begin_output(&mut self) {
        self.restore(1, None);
        for (number, channel) in self.copies_of_output() {
            self.set(number, Channel { output_target: OutputTarget::Unclear, ..channel });
        }
    }

    /// Returns from that context to the descriptors before it.
    pub(crate) fn end_output(&mut self, before: &Self) {
        // A descriptor opened there is a copy of the other output.
        for (number, channel) in self.copies_of_output() {
            self.set(number, Channel { output_target: OutputTarget::Unclear, ..channel });
        }
        for (number, channel) in before.copies_of_output() {
            if self
                .get(number)
                .is_some_and(|own| own.output_target == OutputTarget::Unclear && own.files == channel.files)
            {
                self.set(number, channel);
            }
        }
    }

    fn copies_of_output(&self) -> Vec<(u32, Channel)> {
        let copies = self
            .channels
            .iter()
            .filter(|(number, channel)| **number > 1 && channel.output_target == OutputTarget::StandardOutput);
        copies.map(|(number, channel)| (*number, channel.clone())).collect()
    }

    /// Returns all that can be read from them, for a descriptor with an unknown number.
    pub(crate) fn combined_input(&self) -> InputStream {
        let mut any = InputStream { content: StreamContent::Unknown, ..InputStream::default() };
        for input in self.channels.values().filter_map(|channel| channel.input.as_ref()) {
            insert_ids(&mut any.writers, &input.writers);
        }
        any
    }

    /// Merges the targets of two paths.
    pub(crate) fn join(&mut self, other: &Self) {
        self.files.join(&other.files);
        if Rc::ptr_eq(&self.channels, &other.channels) || self == other {
            return;
        }
        let numbers: BTreeSet<u32> = self.channels.keys().chain(other.channels.keys()).copied().collect();
        for number in numbers {
            let (own, theirs) = (self.channel(number), other.channel(number));
            if own != theirs {
                self.set(number, own.union(&theirs));
            }
        }
    }
}

impl OutputTarget {
    /// The target of a descriptor that the text does not set. Whether one above 2 is open is unknown.
    const fn default_for(number: u32) -> Self {
        match number {
            0 | 2 => Self::Unread,
            1 => Self::StandardOutput,
            _ => Self::Unclear,
        }
    }

    /// Merges two targets.
    pub(crate) fn union(self, other: Self) -> Self {
        if self == other { self } else { Self::Unclear }
    }
}

impl Channel {
    pub(crate) fn from_input(input: Rc<InputStream>) -> Self {
        Self { input: Some(input), output_target: OutputTarget::Unread, ..Self::default() }
    }

    pub(crate) fn writes(file: Word, mode: WriteMode) -> Self {
        Self { files: vec![(file, mode)], output_target: OutputTarget::Unread, ..Self::default() }
    }

    /// A closed descriptor.
    pub(crate) fn closed() -> Self {
        Self { output_target: OutputTarget::Unread, ..Self::default() }
    }

    /// Merges two targets.
    fn union(&self, other: &Self) -> Self {
        let is_one = self.input.is_some() != other.input.is_some();
        let is_perhaps = is_one || [self, other].iter().any(|one| one.certainty == OpenCertainty::Possible);
        let opened = if is_perhaps { OpenCertainty::Possible } else { OpenCertainty::Certain };
        let input = match (&self.input, &other.input) {
            (Some(own), Some(theirs)) if own != theirs => {
                let mut both = InputStream { content: StreamContent::Unknown, ..InputStream::default() };
                insert_ids(&mut both.writers, &own.writers);
                insert_ids(&mut both.writers, &theirs.writers);
                Some(Rc::new(both))
            }
            (Some(one), None) | (None, Some(one)) => {
                let content = match &one.content {
                    StreamContent::Known(_) => StreamContent::Unknown,
                    content => content.clone(),
                };
                Some(Rc::new(InputStream { content, ..(**one).clone() }))
            }
            (own, _) => own.clone(),
        };
        let mut files = self.files.clone();
        files.extend(other.files.iter().filter(|file| !self.files.contains(file)).cloned());
        Self { input, certainty: opened, files, output_target: self.output_target.union(other.output_target) }
    }
}
