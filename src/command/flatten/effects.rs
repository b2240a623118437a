//! What a command does to what is known behind it, and what it runs in its turn.

use super::super::state::Value;
use super::super::{Part, Word};
use super::redirects::Mode;
use super::simple::Made;
use super::streams::{Content, Ends, Flow, Written};
use super::{Scene, output};

impl Scene<'_> {
    /// Goes into what a command calls and runs, changes the state as it does, and returns what it writes.
    pub(super) fn effects(&mut self, made: &Made<'_>) -> Flow {
        let mut flow = Flow { out: vec![made.id], content: Content::Unknown, ends: Ends::Nothing };
        if let Some(body) = self.call(made) {
            // The name itself writes nothing; its body does.
            return Flow { ends: body.ends, content: body.content.clone(), ..flow.then(body) };
        }
        if let Some(script) = self.expand_alias(made) {
            flow = flow.then(script);
        }
        flow.ends = self.builtin(made);
        let inner = self.inner(made);
        self.saves(made);
        flow.content = match (output::known(self, made), inner) {
            (Some(content), inner) => {
                flow = flow.then(inner.unwrap_or_else(Flow::nothing));
                content
            }
            (None, Some(inner)) => {
                let content = inner.content.clone();
                flow = flow.then(inner);
                content
            }
            (None, None) => Content::Unknown,
        };
        flow
    }

    /// Notes the files that a command writes by its own options: `tee f`, `curl -o f`, `wget URL`, `cp a f`.
    fn saves(&mut self, made: &Made<'_>) {
        let Some(name) = made.name() else { return };
        let name = name.rsplit('/').next().unwrap_or(name);
        let words: Vec<&Word> = made.values.iter().skip(1).map(|value| &value.word).collect();
        let from = self.walker.with_passed(&[made.id]);
        let operands = || words.iter().copied().filter(|word| !word.prefix().starts_with('-'));
        match name {
            "tee" => {
                let appends = words.iter().any(|word| matches!(word.known(), Some("-a" | "--append")));
                let mode = if appends { Mode::Behind } else { Mode::Over };
                for file in operands() {
                    self.write(file, mode, &from, &made.input.content);
                }
            }
            "curl" | "wget" | "dd" => {
                for file in output::saved(name, &words) {
                    self.write(&file, Mode::Over, &from, &Content::Unknown);
                }
            }
            "cp" | "mv" | "install" | "ln" => {
                if let [source, target] = operands().collect::<Vec<_>>().as_slice()
                    && let Some(Written { from: before, content }) = self.written(source)
                {
                    self.write(target, Mode::Over, &before, &content);
                }
            }
            _ => {}
        }
    }

    /// Returns a text for a nested parse, with marks for what is not known of it; `None` if nothing is known.
    pub(super) fn marked(&mut self, value: &Value) -> Option<String> {
        let mut text = String::new();
        let mut is_known = false;
        for part in &value.word.parts {
            match part {
                Part::Text(known) | Part::Glob(known) => {
                    is_known |= !known.trim().is_empty();
                    text.push_str(known);
                }
                Part::Hole(hole) => {
                    let index = u32::try_from(self.walker.marks.len()).ok()?;
                    // Private use ends before this does.
                    text.push(char::from_u32(u32::from(super::FIRST_MARK) + index)?);
                    let word = Word { parts: vec![Part::Hole(hole.clone())], span: None };
                    self.walker.marks.push(Value { word, from: value.from.clone() });
                }
            }
        }
        (is_known || value.word.parts.is_empty()).then_some(text)
    }
}
