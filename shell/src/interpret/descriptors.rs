//! The input and output of commands through descriptors that the text opens.

use std::rc::Rc;

use super::Frame;
use super::redirects::EvaluatedRedirects;
use crate::open_files::{OpenFile, descriptor_number};
use crate::parse::is_name;
use crate::state::{Channel, Descriptors, OpenCertainty, OutputTarget, VariableValue, WriteMode};
use crate::stream::{InputStream, ShellValue, StreamContent, insert_ids};
use crate::word::{Cause, StreamId, Unknown, ValueSource, Word};

impl Frame<'_> {
    /// Returns the unread rest of the shell's standard input, which an `exec <file` or the context sets.
    pub(super) fn stdin(&self) -> Rc<InputStream> {
        let channel = self.state.descriptors.get(0);
        let outer = || self.state.consumed.remaining_input(&self.context.input);
        match channel.and_then(|channel| Some((channel.input.as_ref()?, channel.certainty))) {
            None => outer(),
            Some((input, OpenCertainty::Certain)) => self.state.consumed.remaining_input(input),
            Some((input, OpenCertainty::Possible)) => {
                let mut either = (**input).clone();
                let outer = outer();
                insert_ids(&mut either.direct, &outer.direct);
                insert_ids(&mut either.writers, &outer.writers);
                either.content = StreamContent::Unknown;
                Rc::new(either)
            }
        }
    }

    /// Creates a stream that several commands may read from.
    pub(super) fn open_stream(&mut self) -> StreamId {
        let stream = self.interpreter.stream();
        self.state.consumed.begin(stream);
        stream
    }

    /// Returns the input of a descriptor that is opened again by its name, such as `/dev/fd/3`. If commands may have
    /// read a part of a known content, the content is unknown.
    pub(super) fn reopen(&mut self, input: &Rc<InputStream>) -> InputStream {
        let mut reopened = (**input).clone();
        if let Some(stream) = input.stream
            && matches!(reopened.content, StreamContent::Known(_))
        {
            if self.state.consumed.has(stream) {
                reopened.content = StreamContent::Unknown;
            }
            self.state.consumed.record_rest(stream, StreamContent::Unknown);
            reopened.stream = Some(self.open_stream());
        }
        reopened
    }

    /// Returns the input of the descriptor that a file name refers to: `/dev/fd/3`, `/dev/stdin`.
    pub(super) fn descriptor_input(&self, file: &Word) -> Option<Rc<InputStream>> {
        let number = descriptor_number(self.state.resolve(file)?.to_str()?)?;
        match self.state.descriptors.get(number) {
            Some(channel) => channel.input.clone(),
            None => (number == 0).then(|| self.stdin()),
        }
    }

    /// Enters a body that a command runs in the same shell, with the command's redirections in effect. Returns the
    /// previous descriptors, for [`Self::leave_body`].
    pub(super) fn enter_body(&mut self, redirected: &EvaluatedRedirects) -> Descriptors {
        std::mem::replace(&mut self.state.descriptors, redirected.body_descriptors())
    }

    /// Leaves the body of a command, and undoes the command's redirections. Descriptors that an `exec` in the body
    /// opened stay open.
    pub(super) fn leave_body(&mut self, before: &Descriptors, redirected: &EvaluatedRedirects) {
        let descriptors = &mut self.state.descriptors;
        let standard = [0, 1].into_iter().filter(|number| descriptors.get(*number).is_none());
        let restored: Vec<u32> = standard.chain(redirected.changed.iter().copied()).collect();
        restored.into_iter().for_each(|number| descriptors.restore(number, before.get(number)));
        redirected.changed.iter().for_each(|number| descriptors.files.restore(*number, &before.files));
        if redirected.descriptors.output_target(1) != OutputTarget::StandardOutput {
            descriptors.end_output(before);
        }
    }

    /// Keeps the descriptors of a bare `exec` (`exec 3<file`) open in the shell. Later writes to them are appended.
    pub(super) fn keep_open(&mut self, redirected: &EvaluatedRedirects) {
        let mut descriptors = redirected.descriptors.clone();
        for number in &redirected.changed {
            let Some(channel) = descriptors.get(*number) else { continue };
            let mut channel = channel.clone();
            // If two descriptors write to the same file, each has its own offset, and they overwrite each other.
            let is_written_elsewhere = |file: &Word| {
                descriptors
                    .other_channels(*number)
                    .any(|channel| channel.files.iter().any(|(other_file, _)| other_file.parts == file.parts))
            };
            for (file, mode) in &mut channel.files {
                if *mode == WriteMode::Overwrite {
                    self.record_write(file, WriteMode::Overwrite, &[], &StreamContent::empty());
                }
                *mode = match mode {
                    WriteMode::Overwrite if is_written_elsewhere(file) => WriteMode::Partial,
                    WriteMode::Overwrite | WriteMode::Append => WriteMode::Append,
                    WriteMode::Partial => WriteMode::Partial,
                };
            }
            descriptors.set(*number, channel);
        }
        self.state.descriptors = descriptors;
    }

    /// Assigns the number of a new descriptor to the variable that `{name}>file` names.
    pub(super) fn name_descriptor(&mut self, name: &str, number: u32) {
        if is_name(name) {
            self.state.set(name, VariableValue::One(ShellValue::text(number.to_string())));
        }
    }

    /// Opens the descriptors of `coproc NAME …`: the shell reads the output of the body from `${NAME[0]}`, and writes
    /// its input to `${NAME[1]}`.
    pub(super) fn open_coproc(&mut self, name: &str, output: InputStream, input: Word) {
        let read = self.state.descriptors.next_number();
        self.state.descriptors.set(read, Channel::from_input(Rc::new(output)));
        self.state.descriptors.files.set(read, OpenFile::stream());
        let write = self.state.descriptors.next_number();
        self.state.descriptors.set(write, Channel::writes(input, WriteMode::Append));
        self.state.descriptors.files.set(write, OpenFile::stream());
        let numbers = [read, write].map(|number| ShellValue::text(number.to_string()));
        if is_name(name) {
            self.state.set(name, VariableValue::List(numbers.to_vec()));
            self.state.forget(&format!("{name}_PID"));
        }
    }
}

/// Returns the word that represents a stream without a name, and is displayed as `word`.
pub(super) fn stream_word(word: String, stream: StreamId) -> Word {
    Word::unknown(Unknown::with_source(Cause::Output, word, ValueSource::Stream(stream)))
}
