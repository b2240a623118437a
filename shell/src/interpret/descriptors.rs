//! Input and output of commands through descriptors that the text opened.

use std::rc::Rc;

use super::Frame;
use super::redirects::Redirected;
use crate::open_files::{OpenFile, descriptor_number};
use crate::parse::is_name;
use crate::state::{Binding, Channel, Descriptors, End, Mode, Opened};
use crate::stream::{Content, Input, Value, add};
use crate::word::{Cause, Source, StreamId, Unknown, Word};

impl Frame<'_> {
    /// Returns the standard input.
    pub(super) fn stdin(&self) -> Rc<Input> {
        let channel = self.state.descriptors.get(0);
        let outer = || self.state.taken.rest_of(&self.setting.input);
        match channel.and_then(|channel| Some((channel.input.as_ref()?, channel.opened))) {
            None => outer(),
            Some((input, Opened::Certainly)) => self.state.taken.rest_of(input),
            Some((input, Opened::Perhaps)) => {
                let mut either = (**input).clone();
                let outer = outer();
                add(&mut either.direct, &outer.direct);
                add(&mut either.from, &outer.from);
                either.content = Content::Unknown;
                Rc::new(either)
            }
        }
    }

    /// Creates a stream that several commands may read from.
    pub(super) fn open_stream(&mut self) -> StreamId {
        let stream = self.interpreter.stream();
        self.state.taken.begin(stream);
        stream
    }

    /// Returns the input of a descriptor that is opened again by the name of its file. A file starts from its
    /// beginning, a pipe goes on.
    pub(super) fn opened_again(&mut self, input: &Rc<Input>) -> Input {
        let mut again = (**input).clone();
        if let Some(stream) = input.stream
            && matches!(again.content, Content::Known(_))
        {
            if self.state.taken.has(stream) {
                again.content = Content::Unknown;
            }
            self.state.taken.leave(stream, Content::Unknown);
            again.stream = Some(self.open_stream());
        }
        again
    }

    /// Returns the input of the descriptor that a file name refers to: `/dev/fd/3`, `/dev/stdin`.
    pub(super) fn descriptor_of(&self, file: &Word) -> Option<Rc<Input>> {
        let number = descriptor_number(self.state.resolve(file)?.to_str()?)?;
        match self.state.descriptors.get(number) {
            Some(channel) => channel.input.clone(),
            None => (number == 0).then(|| self.stdin()),
        }
    }

    /// Enters a body that a command runs in the same shell, with the command's redirections in effect. Returns the
    /// descriptors to pass to [`Self::leave`].
    pub(super) fn enter(&mut self, redirected: &Redirected) -> Descriptors {
        std::mem::replace(&mut self.state.descriptors, redirected.inside())
    }

    /// Leaves the body: closes what the redirections opened; what an `exec` in the body opened stays open.
    pub(super) fn leave(&mut self, before: &Descriptors, redirected: &Redirected) {
        let descriptors = &mut self.state.descriptors;
        let standard = [0, 1].into_iter().filter(|number| descriptors.get(*number).is_none());
        let closed: Vec<u32> = standard.chain(redirected.touched.iter().copied()).collect();
        closed.into_iter().for_each(|number| descriptors.put(number, before.get(number)));
        redirected.touched.iter().for_each(|number| descriptors.files.restore(*number, &before.files));
        if redirected.descriptors.end(1) != End::Output {
            descriptors.end_output(before);
        }
    }

    /// `exec 3<file`: what is opened stays open, and later writes are appended.
    pub(super) fn keep_open(&mut self, redirected: &Redirected) {
        let mut descriptors = redirected.descriptors.clone();
        for number in &redirected.touched {
            let Some(channel) = descriptors.get(*number) else { continue };
            let mut channel = channel.clone();
            // If two descriptors write to the same file, each has its own offset.
            let other = |file: &Word| {
                descriptors.others(*number).any(|other| other.files.iter().any(|(own, _)| own.parts == file.parts))
            };
            for (file, mode) in &mut channel.files {
                if *mode == Mode::Over {
                    self.write(file, Mode::Over, &[], &Content::nothing());
                }
                *mode = match mode {
                    Mode::Over if other(file) => Mode::Within,
                    Mode::Over | Mode::Behind => Mode::Behind,
                    Mode::Within => Mode::Within,
                };
            }
            descriptors.set(*number, channel);
        }
        self.state.descriptors = descriptors;
    }

    /// Assigns the number of a descriptor to the variable of `{name}>file`.
    pub(super) fn name_descriptor(&mut self, name: &str, number: u32) {
        if is_name(name) {
            self.state.set(name, Binding::One(Value::text(number.to_string())));
        }
    }

    /// `coproc NAME …`: the shell reads its output from `${NAME[0]}` and writes its input to `${NAME[1]}`.
    pub(super) fn open_coproc(&mut self, name: &str, output: Input, input: Word) {
        let read = self.state.descriptors.next();
        self.state.descriptors.set(read, Channel::reads(Rc::new(output)));
        self.state.descriptors.files.set(read, OpenFile::stream());
        let write = self.state.descriptors.next();
        self.state.descriptors.set(write, Channel::writes(input, Mode::Behind));
        self.state.descriptors.files.set(write, OpenFile::stream());
        let numbers = [read, write].map(|number| Value::text(number.to_string()));
        if is_name(name) {
            self.state.set(name, Binding::List(numbers.to_vec()));
            self.state.forget(&format!("{name}_PID"));
        }
    }
}

/// Returns the word for a stream without a name.
pub(super) fn nameless(word: String, stream: StreamId) -> Word {
    Word::unknown(Unknown::of(Cause::Output, word, Source::Stream(stream)))
}
