//! File descriptors: their targets, within a command and, after `exec`, for the following commands.
//!
//! Standard input and output have an entry only if `exec` changed them. Otherwise the pipeline and the context of the
//! walk determine them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::open_files::OpenFiles;
use crate::stream::{InputStream, StreamContent, insert_ids};
use crate::word::Word;

/// The first number that `{name}>file` allocates.
const FIRST_ALLOCATED: u32 = 10;

/// The maximum number of descriptors that are tracked. Others are ignored.
const MAX_DESCRIPTORS: usize = 64;

/// The targets of a shell's descriptors, as far as the text sets them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Descriptors {
    channels: Rc<BTreeMap<u32, Channel>>,
    /// The files that the descriptors are open on, which names such as `/dev/fd/3` open again. Includes standard
    /// input and output.
    pub(crate) files: OpenFiles,
}

/// The target of a descriptor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Channel {
    /// The data that can be read from the descriptor, if it is open for reading.
    pub(crate) input: Option<Rc<InputStream>>,
    /// Whether the descriptor is certainly open.
    pub(crate) certainty: OpenCertainty,
    /// The files that its output is written to, with the mode of writing.
    pub(crate) files: Vec<(Word, WriteMode)>,
    /// Where its output appears apart from the files.
    pub(crate) output_target: OutputTarget,
}

/// Where the output to a descriptor appears, apart from files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum OutputTarget {
    /// The output goes to the standard output that the analysis follows: into the next command of a pipe, or `$(…)`.
    #[default]
    StandardOutput,
    /// The output goes to standard error, only to files, or nowhere: no command of the text reads it.
    Unread,
    /// It is unknown where the output appears, or it appears on the standard output of an outer shell.
    Unclear,
}

/// Whether a descriptor was opened on every path to this point of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum OpenCertainty {
    /// The descriptor was opened on every path.
    #[default]
    Certain,
    /// The descriptor was opened on some paths only; on the others, it has its previous target.
    Possible,
}

/// How a command writes to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WriteMode {
    /// The file has only the new content: `>`.
    Overwrite,
    /// The new content is added at the end: `>>`.
    Append,
    /// Some of the file is overwritten, or nothing: `<>`, or `>` with `set -C`.
    Partial,
}

impl Descriptors {
    pub(crate) fn get(&self, number: u32) -> Option<&Channel> {
        self.channels.get(&number)
    }

    /// Returns the target of a descriptor, or the default target of one that the text does not set.
    pub(crate) fn channel(&self, number: u32) -> Channel {
        self.get(number)
            .cloned()
            .unwrap_or_else(|| Channel { output_target: OutputTarget::default_for(number), ..Channel::default() })
    }

    /// Returns where the output to a descriptor appears.
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

    /// Sets the target of a descriptor. Does nothing for a new descriptor if [`MAX_DESCRIPTORS`] are tracked.
    pub(crate) fn set(&mut self, number: u32, channel: Channel) {
        if self.channels.len() < MAX_DESCRIPTORS || self.channels.contains_key(&number) {
            Rc::make_mut(&mut self.channels).insert(number, channel);
        }
    }

    /// Sets the target of a descriptor to a previous one; `None` if it had no entry.
    pub(crate) fn restore(&mut self, number: u32, channel: Option<&Channel>) {
        match channel {
            Some(channel) => self.set(number, channel.clone()),
            None if self.channels.contains_key(&number) => {
                Rc::make_mut(&mut self.channels).remove(&number);
            }
            None => {}
        }
    }

    /// Returns a copy without standard input and output, which are determined anew for each command.
    pub(crate) fn without_standard(&self) -> Self {
        let mut others = self.clone();
        others.restore(0, None);
        others.restore(1, None);
        others
    }

    /// Returns the number that the shell allocates for `{name}>file`.
    pub(crate) fn next_number(&self) -> u32 {
        (FIRST_ALLOCATED..).find(|number| !self.channels.contains_key(number)).unwrap_or(FIRST_ALLOCATED)
    }

    /// Whether a descriptor above 2 may be a copy of the previous standard output: `exec 3>&1`.
    pub(crate) fn has_previous_output(&self) -> bool {
        self.channels.iter().any(|(number, channel)| *number > 2 && channel.output_target != OutputTarget::Unread)
    }

    /// Enters a context with another standard output, such as a substitution. Copies of the previous output (`3>&1`)
    /// lead out of it, so they become unclear.
    pub(crate) fn begin_output(&mut self) {
        self.restore(1, None);
        for (number, channel) in self.copies_of_output() {
            self.set(number, Channel { output_target: OutputTarget::Unclear, ..channel });
        }
    }

    /// Leaves the context that [`Self::begin_output`] entered. Copies of the previous output that did not change in it
    /// are restored from `before`, the descriptors outside.
    pub(crate) fn end_output(&mut self, before: &Self) {
        // A copy made in the context is a copy of the output of the context.
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

    /// Returns the descriptors above 1 whose output appears on standard output.
    fn copies_of_output(&self) -> Vec<(u32, Channel)> {
        let copies = self
            .channels
            .iter()
            .filter(|(number, channel)| **number > 1 && channel.output_target == OutputTarget::StandardOutput);
        copies.map(|(number, channel)| (*number, channel.clone())).collect()
    }

    /// Returns the input of a descriptor with an unknown number: unknown content from the writers of all inputs.
    pub(crate) fn combined_input(&self) -> InputStream {
        let mut any = InputStream { content: StreamContent::Unknown, ..InputStream::default() };
        for input in self.channels.values().filter_map(|channel| channel.input.as_ref()) {
            insert_ids(&mut any.writers, &input.writers);
        }
        any
    }

    /// Joins the targets of two paths to the same point.
    pub(crate) fn join(&mut self, other: &Self) {
        self.files.join(&other.files);
        if Rc::ptr_eq(&self.channels, &other.channels) || self == other {
            return;
        }
        let numbers: BTreeSet<u32> = self.channels.keys().chain(other.channels.keys()).copied().collect();
        for number in numbers {
            let (channel, other_channel) = (self.channel(number), other.channel(number));
            if channel != other_channel {
                self.set(number, channel.union(&other_channel));
            }
        }
    }
}

impl OutputTarget {
    /// Returns the target of a descriptor that the text does not set. It is unknown whether a descriptor above 2 is
    /// open.
    const fn default_for(number: u32) -> Self {
        match number {
            0 | 2 => Self::Unread,
            1 => Self::StandardOutput,
            _ => Self::Unclear,
        }
    }

    /// Returns the target if both are the same, otherwise an unclear one.
    pub(crate) fn union(self, other: Self) -> Self {
        if self == other { self } else { Self::Unclear }
    }
}

impl Channel {
    /// Returns a descriptor that is open for reading.
    pub(crate) fn from_input(input: Rc<InputStream>) -> Self {
        Self { input: Some(input), output_target: OutputTarget::Unread, ..Self::default() }
    }

    /// Returns a descriptor that is open for writing to a file.
    pub(crate) fn writes(file: Word, mode: WriteMode) -> Self {
        Self { files: vec![(file, mode)], output_target: OutputTarget::Unread, ..Self::default() }
    }

    /// Returns a closed descriptor, whose output appears nowhere.
    pub(crate) fn closed() -> Self {
        Self { output_target: OutputTarget::Unread, ..Self::default() }
    }

    /// Joins the targets of two paths. If only one of them has an input, the descriptor is possibly open, and known
    /// content becomes unknown.
    fn union(&self, other: &Self) -> Self {
        let has_one_input = self.input.is_some() != other.input.is_some();
        let is_possibly_closed =
            has_one_input || [self, other].iter().any(|one| one.certainty == OpenCertainty::Possible);
        let certainty = if is_possibly_closed { OpenCertainty::Possible } else { OpenCertainty::Certain };
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
        Self { input, certainty, files, output_target: self.output_target.union(other.output_target) }
    }
}
