//! Redirections: the files that they open, and their effect on a command's input and output.

use crate::state::Mode;
use std::path::Path;
use std::rc::Rc;

use super::deferred_streams::Name;
use super::streams::Flow;
use super::{Doubts, Frame, Places};
use crate::analysis::{Redirect, RedirectKind};
use crate::dialect::Feature;
use crate::expand::{self, Shell};
use crate::glob::{Fit, Glob};
use crate::open_files::{OpenFile, descriptor_number};
use crate::parse::{Descriptor, Operator, Redirection, Target};
use crate::stand_ins::{Piece, pieces};
use crate::state::{Channel, Descriptors, End, Opened, Switch};
use crate::stream::{Content, Input, Value, Writer, Written, add};
use crate::word::{Cause, Directory, Part, Source, Unknown, UnknownPart, Word};

/// The evaluated redirections of a command.
#[derive(Clone, Debug, Default)]
pub(super) struct Redirected {
    pub redirects: Vec<Redirect>,
    /// The new standard input, if one of them changes it.
    pub input: Option<Rc<Input>>,
    /// The files that standard output goes to.
    pub outputs: Vec<(Word, Mode)>,
    /// All descriptors after the redirections.
    pub descriptors: Descriptors,
    /// The descriptors that the redirections opened or closed.
    pub touched: Vec<u32>,
    /// The writers of the substitutions in their words.
    pub from: Vec<Writer>,
}

impl Redirected {
    /// Returns the redirections with the directory that their files are relative to.
    pub(super) fn placed(&self, cwd: &Directory) -> Vec<(Redirect, Directory)> {
        self.redirects.iter().map(|redirect| (redirect.clone(), cwd.clone())).collect()
    }

    /// Returns the descriptors of the body that the redirections apply to. Its standard input and output are set
    /// separately.
    pub(super) fn inside(&self) -> Descriptors {
        let mut inside = self.descriptors.beyond_standard();
        if self.descriptors.end(1) != End::Output {
            inside.begin_output();
        }
        inside
    }

    /// Marks a file as written in an unknown order if several descriptors lead to it and more than one command writes
    /// to them.
    pub(super) fn share_files(&mut self) {
        let outputs = self.outputs.iter().map(|(file, _)| file.parts.clone()).collect::<Vec<_>>();
        let mut is_shared = false;
        for number in self.touched.clone().into_iter().filter(|number| *number > 1) {
            let mut channel = self.descriptors.channel(number);
            for (file, mode) in &mut channel.files {
                if outputs.contains(&file.parts) {
                    *mode = Mode::Within;
                    is_shared = true;
                }
            }
            self.descriptors.set(number, channel);
        }
        if is_shared {
            self.outputs.iter_mut().for_each(|(_, mode)| *mode = Mode::Within);
        }
    }

    fn open(&mut self, number: u32, channel: Channel, file: OpenFile) {
        self.descriptors.set(number, channel);
        self.descriptors.files.set(number, file);
        self.touched.push(number);
    }

    fn close(&mut self, number: u32) {
        // Standard input is then empty; otherwise it would be the caller's.
        let nothing = Input { content: Content::nothing(), ..Input::default() };
        let channel = match number {
            0 => Some(Channel::reads(Rc::new(nothing))),
            1 | 2 => Some(Channel::closed()),
            _ => None,
        };
        self.descriptors.put(number, channel.as_ref());
        // The next file that is opened may take its number.
        self.descriptors.files.set(number, OpenFile::unknown());
        self.touched.push(number);
    }
}

fn kind(operator: Operator) -> RedirectKind {
    match operator {
        Operator::In | Operator::InFrom => RedirectKind::Read,
        Operator::Out | Operator::Over | Operator::Append | Operator::OutTo | Operator::Both | Operator::BothAppend => {
            RedirectKind::Write
        }
        Operator::InOut => RedirectKind::ReadWrite,
        Operator::Text | Operator::Here => RedirectKind::Text,
    }
}

impl Frame<'_> {
    /// Expands redirections, in order.
    pub(super) fn redirects(&mut self, redirections: &[Redirection]) -> Redirected {
        let mut redirected = Redirected { descriptors: self.state.descriptors.clone(), ..Redirected::default() };
        for redirection in redirections {
            self.interpreter.spend(4 * redirected.descriptors.len());
            self.redirect(redirection, &mut redirected);
        }
        if redirected.touched.contains(&0) {
            let input = redirected.descriptors.get(0).and_then(|channel| channel.input.as_ref());
            redirected.input = input.map(|input| self.state.taken.rest_of(input));
        }
        redirected.outputs = redirected.descriptors.get(1).map(|channel| channel.files.clone()).unwrap_or_default();
        redirected
    }

    /// Returns the redirections of a command without any.
    pub(super) fn no_redirects(&self) -> Redirected {
        Redirected { descriptors: self.state.descriptors.clone(), ..Redirected::default() }
    }

    fn redirect(&mut self, redirection: &Redirection, redirected: &mut Redirected) {
        let operator = redirection.operator;
        let value = self.target(redirection);
        let number = self.number(redirection, redirected);
        if matches!(operator, Operator::InFrom | Operator::OutTo)
            && self.joined(&value.word, operator, number, redirected)
        {
            return;
        }
        add(&mut redirected.from, &value.from);
        let kind = kind(operator);
        let mode = self.mode(operator);
        if kind == RedirectKind::Write && mode != Mode::Behind && self.written(&value.word).is_some() {
            // The file is opened even if nothing is written.
            self.write(&value.word, mode, &[], &Content::nothing());
        }
        let opened = match kind {
            RedirectKind::Text => None,
            _ => redirected.descriptors.files.opened_by(&value.word, &self.state.cwd),
        };
        let file = match &opened {
            Some(file) => file.clone(),
            None if kind == RedirectKind::Text || value.word.is_pipe() => OpenFile::stream(),
            None => OpenFile::at(&value.word, &self.state.cwd),
        };
        let channel = match kind {
            RedirectKind::Read => Channel::reads(Rc::new(self.read_with(&value.word, &redirected.descriptors))),
            RedirectKind::ReadWrite => Channel {
                input: Some(Rc::new(self.read_with(&value.word, &redirected.descriptors))),
                ..self.written_to(&value.word, operator, mode, redirected)
            },
            RedirectKind::Text => {
                let content = Content::Known(value.clone());
                let stream = Some(self.open_stream());
                Channel::reads(Rc::new(Input { direct: Vec::new(), from: value.from.clone(), content, stream }))
            }
            RedirectKind::Write => self.written_to(&value.word, operator, mode, redirected),
        };
        let (channel, file) = self.with_others(number, channel, file, redirected);
        if matches!(operator, Operator::Both | Operator::BothAppend) {
            redirected.open(2, channel.clone(), file.clone());
        }
        redirected.open(number, channel, file);
        redirected.redirects.push(Redirect { kind, target: Rc::new(value.word), opened: opened.map(Rc::new) });
    }

    /// Expands the target of a redirection.
    fn target(&mut self, redirection: &Redirection) -> Value {
        match &redirection.target {
            Target::Word(raw) if redirection.operator == Operator::Text => {
                let mut value = expand::word(self, &raw.text);
                value.word.push(Part::Text("\n".to_owned()));
                value
            }
            Target::Word(raw) => {
                let mut value = expand::target(self, &raw.text);
                value.word.span = (self.setting.places == Places::Kept).then(|| raw.span.clone());
                value
            }
            Target::Expanded(body) => expand::body(self, body),
            Target::Literal(body) => self.literal(body),
            Target::Awaited(_) => Value::default(),
        }
    }

    /// Returns how an operator opens a file for writing.
    fn mode(&self, operator: Operator) -> Mode {
        match operator {
            Operator::Append | Operator::BothAppend => Mode::Behind,
            Operator::InOut => Mode::Within,
            Operator::Over => Mode::Over,
            // With `noclobber`, an existing file stays as it is.
            _ if self.state.options.noclobber != Switch::Off => Mode::Within,
            _ => Mode::Over,
        }
    }

    /// Returns the channel of a redirection to a file. Some names refer to an open descriptor, and an unknown name may
    /// be one of them.
    fn written_to(&self, file: &Word, operator: Operator, mode: Mode, redirected: &Redirected) -> Channel {
        let file = self.anywhere(file);
        if let Some(name) = file.known() {
            // A file is opened anew, a stream is shared.
            let certain = redirected.descriptors.files.path_of(Path::new(name));
            return match (certain, descriptor_number(name)) {
                (Some(file), _) => Channel::writes(file, mode),
                (None, Some(number)) => redirected.descriptors.channel(number),
                (None, None) => Channel::writes(file, mode),
            };
        }
        let names = ["/dev/std*", "/dev/fd/*", "/proc/*/fd/*"].into_iter();
        let numbers = (operator == Operator::OutTo).then_some("[0-9]*");
        let is_open = names.chain(numbers).any(|name| Glob::new(name).fit(&file) != Fit::No);
        let end = if is_open && self.process_named(&file).is_none() { End::Unclear } else { End::Unread };
        Channel { end, ..Channel::writes(file, mode) }
    }

    /// In zsh, one descriptor leads to all files that it is redirected to: `>a >b`, `<a <b`.
    fn with_others(
        &self,
        number: u32,
        mut channel: Channel,
        mut file: OpenFile,
        redirected: &Redirected,
    ) -> (Channel, OpenFile) {
        if redirected.touched.contains(&number)
            && self.state.reading.has(Feature::OfZsh)
            && let Some(other) = redirected.descriptors.get(number)
        {
            channel.files.extend(other.files.iter().cloned());
            channel.end = channel.end.or(other.end);
            file = file.or(&redirected.descriptors.files.get(number)).or(&OpenFile::stream());
            if let (Some(own), Some(first)) = (&mut channel.input, &other.input) {
                let own = Rc::make_mut(own);
                add(&mut own.from, &first.from);
                own.content = Content::Unknown;
            }
        }
        (channel, file)
    }

    /// Returns the number of the descriptor that a redirection opens.
    fn number(&mut self, redirection: &Redirection, redirected: &Redirected) -> u32 {
        match &redirection.descriptor {
            Descriptor::Number(number) => *number,
            Descriptor::New(name) => {
                let number = redirected.descriptors.next();
                self.name_descriptor(name, number);
                number
            }
            Descriptor::Own => u32::from(kind(redirection.operator) == RedirectKind::Write),
        }
    }

    /// Duplicates or closes a descriptor: `3<&0`, `>&2`, `3>&-`. Returns `false` if the word is a file name instead.
    fn joined(&mut self, word: &Word, operator: Operator, number: u32, redirected: &mut Redirected) -> bool {
        let Some(text) = word.known() else {
            // `<&$FD`
            if operator == Operator::InFrom {
                let any = Rc::new(redirected.descriptors.any_input());
                self.interpreter.spend(4 * any.from.len());
                redirected.open(number, Channel::reads(any), OpenFile::unknown());
            }
            return operator == Operator::InFrom;
        };
        let digits = text.trim_end_matches('-');
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return operator == Operator::InFrom;
        }
        match digits.parse() {
            Ok(0) if redirected.descriptors.get(0).is_none_or(|channel| channel.opened == Opened::Perhaps) => {
                let input = redirected.input.clone().unwrap_or_else(|| self.stdin());
                let file = redirected.descriptors.files.get(0);
                redirected.open(number, Channel::reads(input), file);
            }
            Ok(source) => {
                let channel = redirected.descriptors.channel(source);
                let file = redirected.descriptors.files.get(source);
                redirected.open(number, channel, file);
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
    pub(super) fn sockets(&self, redirected: &Redirected, input: &Input, redirects: &mut Vec<Redirect>) {
        let written = redirected.outputs.iter().map(|(file, _)| (RedirectKind::Write, file));
        let read = match &input.content {
            Content::File(file) => Some((RedirectKind::Read, file)),
            _ => None,
        };
        for (kind, file) in written.chain(read).filter(|(_, file)| file.socket().is_some()) {
            if !redirects.iter().any(|known| known.target.parts == file.parts) {
                redirects.push(Redirect { kind, target: Rc::new(file.clone()), opened: None });
            }
        }
    }

    /// Returns the name of a file as an absolute path, if possible: it stays valid when the directory changes.
    fn anywhere(&self, file: &Word) -> Word {
        let path = self.state.resolve(file);
        path.and_then(|path| path.to_str().map(Word::text)).unwrap_or_else(|| file.clone())
    }

    /// Returns the input from a file: what the text wrote to it, as far as that is known.
    pub(super) fn read_from(&mut self, file: &Word) -> Input {
        if let Some(input) = self.process_of(file) {
            return input;
        }
        let certain = self.state.opened_by(file);
        let file = certain.as_ref().unwrap_or(file);
        if let Some(input) = self.descriptor_of(file) {
            return self.opened_again(&input);
        }
        let stream = Some(self.open_stream());
        let mut input = match self.written(file) {
            Some(Written { from, content }) => {
                Input { direct: Vec::new(), from: from.clone(), content: content.clone(), stream }
            }
            None => Input { content: Content::File(file.clone()), stream, ..Input::default() },
        };
        self.interpreter.spend(input.content.cost());
        // A loop, or a command in the background, also reads what is written later.
        if (self.setting.in_loop || self.setting.in_background)
            && let Some(path) = self.state.resolve(file)
            && let Some(mark) = self.interpreter.late.mark(&Name::File(path))
        {
            add(&mut input.from, &[Writer::Late(mark)]);
        }
        input
    }

    /// Like [`Self::read_from`], with these descriptors.
    pub(super) fn read_with(&mut self, file: &Word, descriptors: &Descriptors) -> Input {
        let before = std::mem::replace(&mut self.state.descriptors, descriptors.clone());
        let input = self.read_from(file);
        self.state.descriptors = before;
        input
    }

    /// Returns what flows through a `<(…)`, if the word is one.
    pub(super) fn process_of(&self, word: &Word) -> Option<Input> {
        self.process_named(word).cloned()
    }

    pub(super) fn process_named(&self, word: &Word) -> Option<&Input> {
        match word.parts.as_slice() {
            [Part::Unknown(UnknownPart { why: Unknown { source: Source::Stream(stream), .. }, .. })] => {
                self.interpreter.processes.get(stream)
            }
            _ => None,
        }
    }

    /// Returns what the text wrote to a file.
    pub(super) fn written(&self, file: &Word) -> Option<&Written> {
        if self.interpreter.written.is_empty() {
            return None;
        }
        let path = self.state.resolve(file)?;
        self.interpreter.written.get(&path)
    }

    /// Records a command's writes to the files of its output.
    pub(super) fn writes(&mut self, redirected: &Redirected, flow: &Flow) {
        let from = self.interpreter.with_passed(&flow.out);
        for (file, mode) in &redirected.outputs {
            self.write(file, *mode, &from, &flow.content);
        }
    }

    /// Sends a command's output where its redirections lead, and returns what remains on standard output. `before` is
    /// the doubts before the command.
    pub(super) fn sent(&mut self, redirected: &Redirected, flow: Flow, before: Doubts) -> Flow {
        let flow = self.unless_ended(flow, before);
        if !redirected.outputs.is_empty() {
            self.writes(redirected, &flow);
        }
        let has_passed = self.interpreter.doubts.past != before.past;
        let is_known = matches!(flow.content, Content::Known(_)) && !has_passed;
        match redirected.descriptors.end(1) {
            End::Output => flow,
            End::Unclear => {
                self.interpreter.doubts.past += 1;
                Flow { content: Content::Unknown, ..flow }
            }
            // Part of an unknown output may be on standard error.
            End::Unread if !is_known && redirected.descriptors.end(2) != End::Unread => {
                Flow { content: Content::Unknown, ..flow }
            }
            End::Unread if has_passed => Flow { content: Content::Unknown, ..flow },
            End::Unread => Flow { ends: flow.ends, ..Flow::nothing() },
        }
    }

    /// Returns the output of a command, with unknown content if the shell may have exited since `before`.
    pub(super) fn unless_ended(&self, flow: Flow, before: Doubts) -> Flow {
        match self.interpreter.doubts.ends == before.ends {
            true => flow,
            false => Flow { content: Content::Unknown, ..flow },
        }
    }

    /// Like [`Self::unless_ended`], after a subshell: the parent shell goes on.
    pub(super) fn outlived(&mut self, flow: Flow, before: Doubts) -> Flow {
        let flow = self.unless_ended(flow, before);
        self.interpreter.doubts.ends = before.ends;
        flow
    }

    pub(super) fn write(&mut self, file: &Word, mode: Mode, from: &[Writer], content: &Content) {
        let Some(path) = self.state.resolve(file) else {
            if let [Part::Unknown(UnknownPart { why: Unknown { source: Source::Stream(stream), .. }, .. })] =
                file.parts.as_slice()
            {
                let name = Name::Stream(*stream);
                if self.interpreter.late.knows(&name) {
                    self.interpreter.late.write(name, from);
                }
            }
            return;
        };
        // Data written to a device is gone.
        if path.parent().is_some_and(|parent| parent == Path::new("/dev")) {
            return;
        }
        // Both maps are copied if a loop may have to be walked again.
        let copied =
            if Rc::strong_count(&self.interpreter.written) > 1 { 8 * self.interpreter.written.len() } else { 0 };
        self.interpreter.spend(from.len() + 8 + copied + content.cost());
        self.interpreter.late.write(Name::File(path.clone()), from);
        let written = Rc::make_mut(&mut self.interpreter.written);
        match (mode, written.get_mut(&path)) {
            (Mode::Behind, Some(before)) => {
                add(&mut before.from, from);
                before.content = std::mem::take(&mut before.content).then(content.clone());
            }
            (Mode::Within, before) => {
                let mut from = from.to_vec();
                from.extend(before.iter().flat_map(|before| before.from.iter().copied()));
                from.sort_unstable();
                from.dedup();
                written.insert(path, Written { from, content: Content::Unknown });
            }
            _ => {
                written.insert(path, Written { from: from.to_vec(), content: content.clone() });
            }
        }
    }

    /// Turns a piece of a script into a value.
    pub(super) fn literal(&mut self, text: &str) -> Value {
        let mut value = Value::default();
        for piece in pieces(text, |c| self.meant(c)) {
            match piece {
                Piece::Known(text) => value.word.push(Part::Text(text)),
                Piece::Unknown(unknown) => value.append(&unknown),
            }
        }
        value
    }
}

/// Rebases the file of a redirection from one directory onto another.
pub(super) fn relative_to(redirect: &Redirect, from: &Directory, to: &Directory) -> Redirect {
    let is_absolute = redirect.target.prefix().starts_with('/') || redirect.target.parts.is_empty();
    if redirect.kind == RedirectKind::Text || is_absolute || from == to {
        return redirect.clone();
    }
    let mut target = match from {
        Directory::Known(path) => Word::text(format!("{}/", path.display())),
        Directory::Unknown(why) => {
            let why = Unknown { cause: Cause::Directory, ..why.clone() };
            let mut word = Word::of(Part::Unknown(UnknownPart { why, splits: false }));
            word.push(Part::Text("/".to_owned()));
            word
        }
    };
    redirect.target.parts.iter().for_each(|part| target.push(part.clone()));
    Redirect { target: Rc::new(target), ..redirect.clone() }
}
