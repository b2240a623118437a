//! Redirections: the files that they open, and their effect on a command's input and output.

use crate::state::WriteMode;
use std::path::Path;
use std::rc::Rc;

use super::deferred_streams::StreamName;
use super::flow::Flow;
use super::{Frame, OutputDoubts, SpanTracking};
use crate::analysis::{Redirect, RedirectKind};
use crate::dialect::DialectFeature;
use crate::expand::{self, ExpansionContext};
use crate::glob::{Fit, Glob};
use crate::open_files::{OpenFile, descriptor_number};
use crate::parse::{DescriptorName, RedirectOperator, RedirectTarget, Redirection};
use crate::stand_ins::{ScriptPiece, pieces};
use crate::state::{Channel, Descriptors, OpenCertainty, OptionState, OutputTarget};
use crate::stream::{InputStream, ShellValue, StreamContent, Writer, WrittenFile, insert_ids};
use crate::word::{Cause, Directory, Unknown, UnknownPart, ValueSource, Word, WordPart};

/// The effect of a command's redirections, and the descriptors after them.
#[derive(Clone, Debug, Default)]
pub(super) struct EvaluatedRedirects {
    /// The redirections as recorded in `SimpleCommand`, in order.
    pub redirects: Vec<Redirect>,
    /// The new standard input, if one of them changes it.
    pub input: Option<Rc<InputStream>>,
    /// The files that standard output goes to.
    pub outputs: Vec<(Word, WriteMode)>,
    /// All descriptors after the redirections.
    pub descriptors: Descriptors,
    /// The descriptors that the redirections opened or closed.
    pub changed: Vec<u32>,
    /// The writers of the substitutions in their words.
    pub writers: Vec<Writer>,
}

impl EvaluatedRedirects {
    /// Returns each redirection with `cwd`, the directory that its file is relative to.
    pub(super) fn with_directory(&self, cwd: &Directory) -> Vec<(Redirect, Directory)> {
        self.redirects.iter().map(|redirect| (redirect.clone(), cwd.clone())).collect()
    }

    /// Returns the descriptors for the body of a compound command or function with these redirections. Standard input
    /// and output are not among them: they are in the context of the body.
    pub(super) fn body_descriptors(&self) -> Descriptors {
        let mut descriptors = self.descriptors.without_standard();
        if self.descriptors.output_target(1) != OutputTarget::StandardOutput {
            descriptors.begin_output();
        }
        descriptors
    }

    /// Marks as partly overwritten the files to which both standard output and another redirected descriptor lead
    /// (`{ a; b >&3; } >f 3>f`): the order in which several commands write to them is unknown.
    pub(super) fn share_files(&mut self) {
        let outputs = self.outputs.iter().map(|(file, _)| file.parts.clone()).collect::<Vec<_>>();
        let mut is_shared = false;
        for number in self.changed.clone().into_iter().filter(|number| *number > 1) {
            let mut channel = self.descriptors.channel(number);
            for (file, mode) in &mut channel.files {
                if outputs.contains(&file.parts) {
                    *mode = WriteMode::Partial;
                    is_shared = true;
                }
            }
            self.descriptors.set(number, channel);
        }
        if is_shared {
            self.outputs.iter_mut().for_each(|(_, mode)| *mode = WriteMode::Partial);
        }
    }

    /// Records that a redirection opens a descriptor, and the channel and the file to which it leads.
    fn open_channel(&mut self, number: u32, channel: Channel, file: OpenFile) {
        self.descriptors.set(number, channel);
        self.descriptors.files.set(number, file);
        self.changed.push(number);
    }

    /// Records that a redirection closes a descriptor: `3>&-`.
    fn close(&mut self, number: u32) {
        // A closed standard input is empty; without a channel, it would be the input of the caller.
        let empty_input = InputStream { content: StreamContent::empty(), ..InputStream::default() };
        let channel = match number {
            0 => Some(Channel::from_input(Rc::new(empty_input))),
            1 | 2 => Some(Channel::closed()),
            _ => None,
        };
        self.descriptors.restore(number, channel.as_ref());
        // The next file that is opened may get the number of the closed descriptor.
        self.descriptors.files.set(number, OpenFile::unknown());
        self.changed.push(number);
    }
}

/// Returns the kind under which a redirection operator is recorded.
fn kind(operator: RedirectOperator) -> RedirectKind {
    match operator {
        RedirectOperator::Read | RedirectOperator::DuplicateInput => RedirectKind::Read,
        RedirectOperator::Write
        | RedirectOperator::Clobber
        | RedirectOperator::Append
        | RedirectOperator::DuplicateOutput
        | RedirectOperator::WriteBoth
        | RedirectOperator::AppendBoth => RedirectKind::Write,
        RedirectOperator::ReadWrite => RedirectKind::ReadWrite,
        RedirectOperator::HereString | RedirectOperator::HereDocument => RedirectKind::Text,
    }
}

impl Frame<'_> {
    /// Evaluates redirections, in order.
    pub(super) fn evaluate_redirects(&mut self, redirections: &[Redirection]) -> EvaluatedRedirects {
        let mut redirected =
            EvaluatedRedirects { descriptors: self.state.descriptors.clone(), ..EvaluatedRedirects::default() };
        for redirection in redirections {
            self.interpreter.spend(4 * redirected.descriptors.len());
            self.evaluate_redirect(redirection, &mut redirected);
        }
        if redirected.changed.contains(&0) {
            let input = redirected.descriptors.get(0).and_then(|channel| channel.input.as_ref());
            redirected.input = input.map(|input| self.state.consumed.remaining_input(input));
        }
        redirected.outputs = redirected.descriptors.get(1).map(|channel| channel.files.clone()).unwrap_or_default();
        redirected
    }

    /// Returns the effect of an empty list of redirections.
    pub(super) fn no_redirects(&self) -> EvaluatedRedirects {
        EvaluatedRedirects { descriptors: self.state.descriptors.clone(), ..EvaluatedRedirects::default() }
    }

    /// Evaluates one redirection, and adds its effect.
    fn evaluate_redirect(&mut self, redirection: &Redirection, redirected: &mut EvaluatedRedirects) {
        let operator = redirection.operator;
        let value = self.expand_target(redirection);
        let number = self.open_descriptor_number(redirection, redirected);
        if matches!(operator, RedirectOperator::DuplicateInput | RedirectOperator::DuplicateOutput)
            && self.duplicate_descriptor(&value.word, operator, number, redirected)
        {
            return;
        }
        insert_ids(&mut redirected.writers, &value.writers);
        let kind = kind(operator);
        let mode = self.write_mode(operator);
        if kind == RedirectKind::Write && mode != WriteMode::Append && self.written_file(&value.word).is_some() {
            // Opening the file truncates it, even if nothing is written.
            self.record_write(&value.word, mode, &[], &StreamContent::empty());
        }
        // A name such as `/dev/fd/3` opens the file of that descriptor again.
        let reopened = match kind {
            RedirectKind::Text => None,
            _ => redirected.descriptors.files.descriptor_file(&value.word, &self.state.cwd),
        };
        let file = match &reopened {
            Some(file) => file.clone(),
            None if kind == RedirectKind::Text || value.word.is_pipe() => OpenFile::stream(),
            None => OpenFile::from_path(&value.word, &self.state.cwd),
        };
        let channel = match kind {
            RedirectKind::Read => {
                Channel::from_input(Rc::new(self.file_input_with(&value.word, &redirected.descriptors)))
            }
            RedirectKind::ReadWrite => Channel {
                input: Some(Rc::new(self.file_input_with(&value.word, &redirected.descriptors))),
                ..self.file_channel(&value.word, operator, mode, redirected)
            },
            RedirectKind::Text => {
                let content = StreamContent::Known(value.clone());
                let stream = Some(self.open_stream());
                Channel::from_input(Rc::new(InputStream {
                    direct: Vec::new(),
                    writers: value.writers.clone(),
                    content,
                    stream,
                }))
            }
            RedirectKind::Write => self.file_channel(&value.word, operator, mode, redirected),
        };
        let (channel, file) = self.merge_zsh_targets(number, channel, file, redirected);
        if matches!(operator, RedirectOperator::WriteBoth | RedirectOperator::AppendBoth) {
            redirected.open_channel(2, channel.clone(), file.clone());
        }
        redirected.open_channel(number, channel, file);
        redirected.redirects.push(Redirect { kind, target: Rc::new(value.word), opened: reopened.map(Rc::new) });
    }

    /// Expands the target of a redirection: the name of a file or descriptor, or the text of a here-document.
    fn expand_target(&mut self, redirection: &Redirection) -> ShellValue {
        match &redirection.target {
            RedirectTarget::Word(raw) if redirection.operator == RedirectOperator::HereString => {
                let mut value = expand::word(self, &raw.text);
                value.word.push(WordPart::Text("\n".to_owned()));
                value
            }
            RedirectTarget::Word(raw) => {
                let mut value = expand::redirect_target(self, &raw.text);
                value.word.span = (self.context.span_tracking == SpanTracking::Kept).then(|| raw.span.clone());
                value
            }
            RedirectTarget::Expanded(body) => expand::heredoc_body(self, body),
            RedirectTarget::Literal(body) => self.literal(body),
            RedirectTarget::Pending(_) => ShellValue::default(),
        }
    }

    /// Returns how an operator opens a file for writing.
    fn write_mode(&self, operator: RedirectOperator) -> WriteMode {
        match operator {
            RedirectOperator::Append | RedirectOperator::AppendBoth => WriteMode::Append,
            RedirectOperator::ReadWrite => WriteMode::Partial,
            RedirectOperator::Clobber => WriteMode::Overwrite,
            // With `noclobber`, the shell does not write to a file that exists.
            _ if self.state.options.noclobber != OptionState::Off => WriteMode::Partial,
            _ => WriteMode::Overwrite,
        }
    }

    /// Returns the channel of a redirection to a file. A name such as `/dev/fd/3` means the channel of an open
    /// descriptor, and an unknown name may do so, too.
    fn file_channel(
        &self,
        file: &Word,
        operator: RedirectOperator,
        mode: WriteMode,
        redirected: &EvaluatedRedirects,
    ) -> Channel {
        let file = self.absolute_name(file);
        if let Some(name) = file.known_text() {
            // The name of a descriptor that is open on a file opens the file again; a pipe is shared.
            let reopened_file = redirected.descriptors.files.descriptor_path(Path::new(name));
            return match (reopened_file, descriptor_number(name)) {
                (Some(file), _) => Channel::writes(file, mode),
                (None, Some(number)) => redirected.descriptors.channel(number),
                (None, None) => Channel::writes(file, mode),
            };
        }
        let descriptor_names = ["/dev/std*", "/dev/fd/*", "/proc/*/fd/*"].into_iter();
        let descriptor_numbers = (operator == RedirectOperator::DuplicateOutput).then_some("[0-9]*");
        let may_be_descriptor =
            descriptor_names.chain(descriptor_numbers).any(|name| Glob::new(name).test(&file) != Fit::No);
        let output_target = if may_be_descriptor && self.process_input_ref(&file).is_none() {
            OutputTarget::Unclear
        } else {
            OutputTarget::Unread
        };
        Channel { output_target, ..Channel::writes(file, mode) }
    }

    /// Adds the previous targets of a descriptor to the new one, because in zsh, a descriptor that is redirected
    /// several times leads to all of the files: `>a >b`, `<a <b`.
    fn merge_zsh_targets(
        &self,
        number: u32,
        mut channel: Channel,
        mut file: OpenFile,
        redirected: &EvaluatedRedirects,
    ) -> (Channel, OpenFile) {
        if redirected.changed.contains(&number)
            && self.state.reading.has(DialectFeature::ZshSyntax)
            && let Some(previous) = redirected.descriptors.get(number)
        {
            channel.files.extend(previous.files.iter().cloned());
            channel.output_target = channel.output_target.union(previous.output_target);
            file = file.union(&redirected.descriptors.files.get(number)).union(&OpenFile::stream());
            if let (Some(input), Some(previous_input)) = (&mut channel.input, &previous.input) {
                let input = Rc::make_mut(input);
                insert_ids(&mut input.writers, &previous_input.writers);
                input.content = StreamContent::Unknown;
            }
        }
        (channel, file)
    }

    /// Returns the number of the descriptor that a redirection opens.
    fn open_descriptor_number(&mut self, redirection: &Redirection, redirected: &EvaluatedRedirects) -> u32 {
        match &redirection.descriptor {
            DescriptorName::Number(number) => *number,
            DescriptorName::New(name) => {
                let number = redirected.descriptors.next_number();
                self.name_descriptor(name, number);
                number
            }
            DescriptorName::Implied => u32::from(kind(redirection.operator) == RedirectKind::Write),
        }
    }

    /// Duplicates or closes a descriptor: `3<&0`, `>&2`, `3>&-`. Returns `false` if the word is the name of a file:
    /// `>&file`.
    fn duplicate_descriptor(
        &mut self,
        word: &Word,
        operator: RedirectOperator,
        number: u32,
        redirected: &mut EvaluatedRedirects,
    ) -> bool {
        let Some(text) = word.known_text() else {
            // `<&$FD`
            if operator == RedirectOperator::DuplicateInput {
                let any = Rc::new(redirected.descriptors.combined_input());
                self.interpreter.spend(4 * any.writers.len());
                redirected.open_channel(number, Channel::from_input(any), OpenFile::unknown());
            }
            return operator == RedirectOperator::DuplicateInput;
        };
        let digits = text.trim_end_matches('-');
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return operator == RedirectOperator::DuplicateInput;
        }
        match digits.parse() {
            Ok(0)
                if redirected.descriptors.get(0).is_none_or(|channel| channel.certainty == OpenCertainty::Possible) =>
            {
                let input = redirected.input.clone().unwrap_or_else(|| self.stdin());
                let file = redirected.descriptors.files.get(0);
                redirected.open_channel(number, Channel::from_input(input), file);
            }
            Ok(source) => {
                let channel = redirected.descriptors.channel(source);
                let file = redirected.descriptors.files.get(source);
                redirected.open_channel(number, channel, file);
                // `3>&4-`
                if text.ends_with('-') && source != number {
                    redirected.close(source);
                }
            }
            // `-`: the descriptor is closed.
            Err(_) => redirected.close(number),
        }
        true
    }

    /// Adds the network connections of standard input and output that no redirection of the command itself opens:
    /// `exec 3<>/dev/tcp/H/P; sh <&3 >&3`.
    pub(super) fn add_sockets(
        &self,
        redirected: &EvaluatedRedirects,
        input: &InputStream,
        redirects: &mut Vec<Redirect>,
    ) {
        let written = redirected.outputs.iter().map(|(file, _)| (RedirectKind::Write, file));
        let read = match &input.content {
            StreamContent::File(file) => Some((RedirectKind::Read, file)),
            _ => None,
        };
        for (kind, file) in written.chain(read).filter(|(_, file)| file.socket().is_some()) {
            if !redirects.iter().any(|known| known.target.parts == file.parts) {
                redirects.push(Redirect { kind, target: Rc::new(file.clone()), opened: None });
            }
        }
    }

    /// Returns the name of a file as an absolute path, if it is known, so that it stays valid when the directory
    /// changes.
    fn absolute_name(&self, file: &Word) -> Word {
        let path = self.state.resolve(file);
        path.and_then(|path| path.to_str().map(Word::text)).unwrap_or_else(|| file.clone())
    }

    /// Returns the input that a command gets by opening a file: the content that the text wrote to it, the input of the
    /// descriptor that its name refers to (`/dev/fd/3`), or the file itself.
    pub(super) fn file_input(&mut self, file: &Word) -> InputStream {
        if let Some(input) = self.process_input(file) {
            return input;
        }
        let descriptor_file = self.state.descriptor_path(file);
        let file = descriptor_file.as_ref().unwrap_or(file);
        if let Some(input) = self.descriptor_input(file) {
            return self.reopen(&input);
        }
        let stream = Some(self.open_stream());
        let mut input = match self.written_file(file) {
            Some(WrittenFile { writers: from, content }) => {
                InputStream { direct: Vec::new(), writers: from.clone(), content: content.clone(), stream }
            }
            None => InputStream { content: StreamContent::File(file.clone()), stream, ..InputStream::default() },
        };
        self.interpreter.spend(input.content.cost());
        // In a loop or in the background, what is written later in the text is read too.
        if (self.context.in_loop || self.context.in_background)
            && let Some(path) = self.state.resolve(file)
            && let Some(mark) = self.interpreter.deferred.mark_for(&StreamName::File(path))
        {
            insert_ids(&mut input.writers, &[Writer::Deferred(mark)]);
        }
        input
    }

    /// Like [`Self::file_input`], with `descriptors` in place of the shell's.
    pub(super) fn file_input_with(&mut self, file: &Word, descriptors: &Descriptors) -> InputStream {
        let before = std::mem::replace(&mut self.state.descriptors, descriptors.clone());
        let input = self.file_input(file);
        self.state.descriptors = before;
        input
    }

    /// Returns the data that flows through a `<(…)`, if the word is one.
    pub(super) fn process_input(&self, word: &Word) -> Option<InputStream> {
        self.process_input_ref(word).cloned()
    }

    /// Like [`Self::process_input`], by reference.
    pub(super) fn process_input_ref(&self, word: &Word) -> Option<&InputStream> {
        match word.parts.as_slice() {
            [WordPart::Unknown(UnknownPart { reason: Unknown { source: ValueSource::Stream(stream), .. }, .. })] => {
                self.interpreter.processes.get(stream)
            }
            _ => None,
        }
    }

    /// Returns the content that the text wrote to a file, if it did.
    pub(super) fn written_file(&self, file: &Word) -> Option<&WrittenFile> {
        if self.interpreter.written.is_empty() {
            return None;
        }
        let path = self.state.resolve(file)?;
        self.interpreter.written.get(&path)
    }

    /// Records that a command wrote its output to the files that its standard output goes to.
    pub(super) fn record_output_writes(&mut self, redirected: &EvaluatedRedirects, flow: &Flow) {
        let from = self.interpreter.with_passed_writers(&flow.out);
        for (file, mode) in &redirected.outputs {
            self.record_write(file, *mode, &from, &flow.content);
        }
    }

    /// Records a command's output in the files that it is redirected to, and returns the flow that is left on standard
    /// output. `before` is the doubts before the command.
    pub(super) fn send_output(&mut self, redirected: &EvaluatedRedirects, flow: Flow, before: OutputDoubts) -> Flow {
        let flow = self.unknown_if_exited(flow, before);
        if !redirected.outputs.is_empty() {
            self.record_output_writes(redirected, &flow);
        }
        let is_misdirected = self.interpreter.doubts.misdirected_outputs != before.misdirected_outputs;
        let is_known = matches!(flow.content, StreamContent::Known(_)) && !is_misdirected;
        match redirected.descriptors.output_target(1) {
            OutputTarget::StandardOutput => flow,
            OutputTarget::Unclear => {
                self.interpreter.doubts.misdirected_outputs += 1;
                Flow { content: StreamContent::Unknown, ..flow }
            }
            // A part of an unknown output may be on standard error, which does not go to the file.
            OutputTarget::Unread if !is_known && redirected.descriptors.output_target(2) != OutputTarget::Unread => {
                Flow { content: StreamContent::Unknown, ..flow }
            }
            OutputTarget::Unread if is_misdirected => Flow { content: StreamContent::Unknown, ..flow },
            OutputTarget::Unread => Flow { jump: flow.jump, ..Flow::empty() },
        }
    }

    /// Returns the flow of a command, with unknown content if the shell may have exited since `before`.
    pub(super) fn unknown_if_exited(&self, flow: Flow, before: OutputDoubts) -> Flow {
        match self.interpreter.doubts.possible_exits == before.possible_exits {
            true => flow,
            false => Flow { content: StreamContent::Unknown, ..flow },
        }
    }

    /// Like [`Self::unknown_if_exited`], after a subshell. An exit of the subshell does not end the parent shell, so
    /// the count of possible exits is reset.
    pub(super) fn after_subshell(&mut self, flow: Flow, before: OutputDoubts) -> Flow {
        let flow = self.unknown_if_exited(flow, before);
        self.interpreter.doubts.possible_exits = before.possible_exits;
        flow
    }

    /// Records that commands write content to a file. An unknown path is ignored, except for a `>(…)`.
    pub(super) fn record_write(&mut self, file: &Word, mode: WriteMode, from: &[Writer], content: &StreamContent) {
        let Some(path) = self.state.resolve(file) else {
            if let [
                WordPart::Unknown(UnknownPart { reason: Unknown { source: ValueSource::Stream(stream), .. }, .. }),
            ] = file.parts.as_slice()
            {
                let name = StreamName::Stream(*stream);
                if self.interpreter.deferred.has_mark(&name) {
                    self.interpreter.deferred.add_writers(name, from);
                }
            }
            return;
        };
        // Data written to a device such as `/dev/null` cannot be read back.
        if path.parent().is_some_and(|parent| parent == Path::new("/dev")) {
            return;
        }
        // The map is copied if a loop holds a checkpoint of it: charge for the copy.
        let copied =
            if Rc::strong_count(&self.interpreter.written) > 1 { 8 * self.interpreter.written.len() } else { 0 };
        self.interpreter.spend(from.len() + 8 + copied + content.cost());
        self.interpreter.deferred.add_writers(StreamName::File(path.clone()), from);
        let written = Rc::make_mut(&mut self.interpreter.written);
        match (mode, written.get_mut(&path)) {
            (WriteMode::Append, Some(before)) => {
                insert_ids(&mut before.writers, from);
                before.content = std::mem::take(&mut before.content).concat(content.clone());
            }
            (WriteMode::Partial, before) => {
                let mut from = from.to_vec();
                from.extend(before.iter().flat_map(|before| before.writers.iter().copied()));
                from.sort_unstable();
                from.dedup();
                written.insert(path, WrittenFile { writers: from, content: StreamContent::Unknown });
            }
            _ => {
                written.insert(path, WrittenFile { writers: from.to_vec(), content: content.clone() });
            }
        }
    }

    /// Returns a piece of a script as a value. Its stand-ins are replaced by the values that they represent.
    pub(super) fn literal(&mut self, text: &str) -> ShellValue {
        let mut value = ShellValue::default();
        for piece in pieces(text, |c| self.stand_in_meaning(c)) {
            match piece {
                ScriptPiece::Known(text) => value.word.push(WordPart::Text(text)),
                ScriptPiece::Unknown(unknown) => value.append(&unknown),
            }
        }
        value
    }
}

/// Returns a redirection, whose file is relative to the directory `from`, for a command in the directory `to`: if they
/// differ, a relative name is prefixed with `from`.
pub(super) fn rebase_redirect(redirect: &Redirect, from: &Directory, to: &Directory) -> Redirect {
    let is_absolute = redirect.target.prefix().starts_with('/') || redirect.target.parts.is_empty();
    if redirect.kind == RedirectKind::Text || is_absolute || from == to {
        return redirect.clone();
    }
    let mut target = match from {
        Directory::Known(path) => Word::text(format!("{}/", path.display())),
        Directory::Unknown(why) => {
            let why = Unknown { cause: Cause::Directory, ..why.clone() };
            let mut word = Word::of(WordPart::Unknown(UnknownPart { reason: why, may_split: false }));
            word.push(WordPart::Text("/".to_owned()));
            word
        }
    };
    redirect.target.parts.iter().for_each(|part| target.push(part.clone()));
    Redirect { target: Rc::new(target), ..redirect.clone() }
}
