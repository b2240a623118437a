//! Redirections: the files that they open, and what they put on a command's input and output.

use std::rc::Rc;

use super::super::cook::{self, Shell};
use super::super::parse::{Descriptor, Operator, Redirection, Target};
use super::super::state::{Value, add};
use super::super::{Cause, Hole, Part, Place, Redirect, RedirectKind, Why, Word};
use super::streams::{Content, Flow, Input, Written};
use super::{Places, Scene};

/// What the redirections of a command come to.
#[derive(Clone, Debug, Default)]
pub(super) struct Redirected {
    pub redirects: Vec<Redirect>,
    /// What standard input is now, if one of them changes it.
    pub input: Option<Rc<Input>>,
    /// The files that standard output goes to.
    pub outputs: Vec<(Word, Mode)>,
    /// What the commands in their words passed on.
    pub from: Vec<super::CommandId>,
}

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    Over,
    Behind,
}

impl Redirected {
    /// Returns the redirections with the directory that their files are relative to.
    pub(super) fn placed(&self, cwd: &Place) -> Vec<(Redirect, Place)> {
        self.redirects.iter().map(|redirect| (redirect.clone(), cwd.clone())).collect()
    }

    pub(super) fn leads_to_file(&self) -> bool {
        !self.outputs.is_empty()
    }
}

impl Scene<'_> {
    /// Expands redirections, in order.
    pub(super) fn redirects(&mut self, redirections: &[Redirection]) -> Redirected {
        let mut redirected = Redirected::default();
        for redirection in redirections {
            self.redirect(redirection, &mut redirected);
        }
        redirected
    }

    fn redirect(&mut self, redirection: &Redirection, redirected: &mut Redirected) {
        let operator = redirection.operator;
        let value = match &redirection.target {
            Target::Word(raw) if operator == Operator::Text => {
                let mut value = cook::word(self, &raw.text);
                value.word.push(Part::Text("\n".to_owned()));
                value
            }
            Target::Word(raw) => {
                let mut value = cook::target(self, &raw.text);
                value.word.span = (self.setting.places == Places::Kept).then(|| raw.span.clone());
                value
            }
            Target::Expanded(body) => cook::body(self, body),
            Target::Literal(body) => self.literal(body),
            Target::Awaited(_) => Value::default(),
        };
        let is_join = matches!(operator, Operator::InFrom | Operator::OutTo) && joins(&value.word);
        if is_join || operator == Operator::InFrom {
            if operator == Operator::InFrom && is(redirection.descriptor, 0) && value.word.known() != Some("0") {
                // What another descriptor gives is not followed, and `-` closes this one.
                let closes = value.word.known() == Some("-");
                let content = if closes { Content::Known(Value::default()) } else { Content::Unknown };
                redirected.input = Some(Rc::new(Input { content, ..Input::default() }));
            }
            return;
        }
        add(&mut redirected.from, &value.from);
        let kind = match operator {
            Operator::In | Operator::InFrom => RedirectKind::Read,
            Operator::Out | Operator::Append | Operator::OutTo | Operator::Both => RedirectKind::Write,
            Operator::InOut => RedirectKind::ReadWrite,
            Operator::Text | Operator::Here => RedirectKind::Text,
        };
        match kind {
            RedirectKind::Read | RedirectKind::ReadWrite if is(redirection.descriptor, 0) => {
                redirected.input = Some(Rc::new(self.read_from(&value.word)));
            }
            RedirectKind::Text if is(redirection.descriptor, 0) => {
                let from = value.from.clone();
                let content = Content::Known(value.clone());
                redirected.input = Some(Rc::new(Input { direct: Vec::new(), from, content }));
            }
            RedirectKind::Write if is(redirection.descriptor, 1) => {
                let mode = if operator == Operator::Append { Mode::Behind } else { Mode::Over };
                redirected.outputs.push((value.word.clone(), mode));
            }
            _ => {}
        }
        redirected.redirects.push(Redirect { kind, target: value.word });
    }

    /// Returns what reading a file gives: what the text put there, as far as it did.
    pub(super) fn read_from(&mut self, file: &Word) -> Input {
        if let Some(input) = self.process_of(file) {
            return input;
        }
        match self.written(file) {
            Some(written) => Input { direct: Vec::new(), from: written.from, content: written.content },
            None => Input { content: Content::File(file.clone()), ..Input::default() },
        }
    }

    /// Returns what flows through the `<(…)` that a word is.
    pub(super) fn process_of(&self, word: &Word) -> Option<Input> {
        match word.parts.as_slice() {
            [Part::Hole(hole)] => self.walker.processes.get(&hole.why.word).cloned(),
            _ => None,
        }
    }

    /// Returns what the text wrote to a file.
    pub(super) fn written(&self, file: &Word) -> Option<Written> {
        if self.walker.written.is_empty() {
            return None;
        }
        let path = self.state.resolve(file)?;
        self.walker.written.get(&path).cloned()
    }

    /// Notes what a command wrote to the files that its output goes to.
    pub(super) fn writes(&mut self, redirected: &Redirected, flow: &Flow) {
        let from = self.walker.with_passed(&flow.out);
        for (file, mode) in &redirected.outputs {
            self.write(file, *mode, &from, &flow.content);
        }
    }

    pub(super) fn write(&mut self, file: &Word, mode: Mode, from: &[super::CommandId], content: &Content) {
        let Some(path) = self.state.resolve(file) else { return };
        let written = Rc::make_mut(&mut self.walker.written);
        match (mode, written.get_mut(&path)) {
            (Mode::Behind, Some(before)) => {
                add(&mut before.from, from);
                before.content = std::mem::take(&mut before.content).then(content.clone());
            }
            _ => {
                written.insert(path, Written { from: from.to_vec(), content: content.clone() });
            }
        }
    }

    /// Makes a value of text in which marks may stand.
    pub(super) fn literal(&mut self, text: &str) -> Value {
        let mut value = Value::default();
        let mut done = 0;
        for (at, c) in text.char_indices().filter(|(_, c)| *c >= super::FIRST_MARK) {
            if let Some(marked) = self.mark(c) {
                value.word.push(Part::Text(text.get(done..at).unwrap_or_default().to_owned()));
                value.append(&marked);
                done = at + c.len_utf8();
            }
        }
        value.word.push(Part::Text(text.get(done..).unwrap_or_default().to_owned()));
        value
    }
}

/// Tells whether the target of `>&` is a descriptor, or `-`.
fn joins(word: &Word) -> bool {
    let digits = |text: &str| text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    word.known().is_some_and(digits)
}

/// Tells whether a redirection is of this descriptor, which is its operator's own.
fn is(descriptor: Descriptor, number: u32) -> bool {
    matches!(descriptor, Descriptor::Own) || descriptor == Descriptor::Number(number)
}

/// Returns a redirection whose file is relative to one directory as one whose file is relative to another.
pub(super) fn relative_to(redirect: &Redirect, from: &Place, to: &Place) -> Redirect {
    let is_absolute = redirect.target.prefix().starts_with('/') || redirect.target.parts.is_empty();
    if redirect.kind == RedirectKind::Text || is_absolute || from == to {
        return redirect.clone();
    }
    let mut target = match from {
        Place::Known(path) => Word::text(format!("{}/", path.display())),
        Place::Unknown(why) => {
            let why = Why::new(Cause::Directory, why.word.clone());
            let mut word = Word { parts: vec![Part::Hole(Hole { why, splits: false })], span: None };
            word.push(Part::Text("/".to_owned()));
            word
        }
    };
    redirect.target.parts.iter().for_each(|part| target.push(part.clone()));
    Redirect { kind: redirect.kind, target }
}
