//! `read` and its kin: what of an input becomes the value of a variable, and what is left of it.

use std::rc::Rc;

use super::Frame;
use super::simple::Made;
use crate::parse::is_name;
use crate::state::{Binding, Channel};
use crate::stream::{Content, Input, Value};
use crate::word::Word;

impl Frame<'_> {
    /// `read`, `mapfile`, `getopts`: what comes in is not known, unless the text says.
    pub(super) fn read(&mut self, name: &str, made: &Made<'_>) {
        let valued = if name == "read" { "adinNptu" } else { "dnOsuCc" };
        let mut names: Vec<&str> = Vec::new();
        let mut words = made.values.iter().skip(1).map(|value| &value.word);
        let mut input = Rc::clone(&made.input);
        let mut takes_lines = true;
        let mut targets: Vec<Word> = Vec::new();
        let mut array = None;
        while let Some(word) = words.next() {
            let start = word.prefix();
            let at = start.strip_prefix('-').and_then(|letters| letters.find(|c| valued.contains(c))).map(|at| at + 1);
            // Another delimiter, or a count of characters.
            takes_lines &= at.and_then(|at| start.get(at..)).is_none_or(|rest| !rest.starts_with(['d', 'n', 'N', 't']));
            // Of zsh's, which take a key or a line's words.
            takes_lines &= start.strip_prefix('-').is_none_or(|letters| {
                letters.chars().take_while(|c| !valued.contains(*c)).all(|c| matches!(c, 'r' | 's' | '-'))
            });
            if let Some(at) = at.filter(|at| start.get(*at..).is_some_and(|rest| rest.starts_with('u'))) {
                // `-u3`, `-u 3`
                let attached = start.get(at + 1..).filter(|rest| !rest.is_empty());
                let number = attached.or_else(|| words.next().and_then(Word::known));
                let channel = number.and_then(|n| made.redirected.descriptors.get(n.parse().ok()?));
                input = match channel.and_then(|channel| channel.input.clone()) {
                    Some(input) => input,
                    None => Rc::new(made.redirected.descriptors.any_input()),
                };
                continue;
            }
            match start.strip_prefix('-') {
                Some(letters) if !letters.is_empty() => {
                    let takes_next = letters.find(|c| valued.contains(c)).is_some_and(|at| at + 1 == letters.len());
                    let next = if takes_next { words.next() } else { None };
                    if name == "read" && at.is_some_and(|at| start.get(at..).is_some_and(|rest| rest.starts_with('a')))
                    {
                        // `-a list`, `-alist`
                        let attached = at.and_then(|at| start.get(at + 1..)).filter(|rest| !rest.is_empty());
                        array = attached.or_else(|| next.and_then(Word::known));
                    }
                }
                _ => match word.known() {
                    Some(name) if is_name(name) || name == ":" || made.name() == Some("getopts") => names.push(name),
                    _ => targets.push(word.clone()),
                },
            }
        }
        for target in &targets {
            self.give_unknown(target, &input.from);
        }
        if let Some(name) = array.filter(|name| is_name(name)) {
            self.read_array(name, takes_lines, &input);
            return self.take_line(made);
        }
        let is_named = !names.is_empty();
        let default = if name == "read" { "REPLY" } else { "MAPFILE" };
        if name == "getopts" {
            names = names.into_iter().skip(1).take(1).chain(["OPTARG", "OPTIND"]).collect();
        } else if names.is_empty() && targets.is_empty() {
            names.push(default);
        }
        let line = match (&input.content, names.as_slice()) {
            (Content::Known(value), [_]) if name == "read" && takes_lines && targets.is_empty() => only_line(value),
            _ => None,
        };
        // Whether blanks stay where no variable is named hangs on the shell.
        let separators = self.state.separators();
        let line = line.and_then(|line| match is_named {
            true => without_separators(&line, &separators?),
            false => (line.trim_matches([' ', '\t']) == line).then_some(line),
        });
        if name == "read" {
            self.take_line(made);
        }
        for name in names.into_iter().filter(|name| is_name(name)) {
            let mut value = line.clone().map_or_else(|| Value::variable(name), Value::text);
            value.joins(&input.from);
            self.note_assigned(name, &value);
            self.state.set(name, Binding::One(value));
        }
    }

    /// What `read` took of an input that others read too is no longer there for them.
    fn take_line(&mut self, made: &Made<'_>) {
        if made.redirected.touched.contains(&0) || self.setting.in_loop {
            return;
        }
        if let Content::Known(_) = made.input.content {
            let rest = Input { content: Content::Unknown, ..(*made.input).clone() };
            self.state.descriptors.set(0, Channel::reads(Rc::new(rest)));
        }
    }

    /// `read -a`: the fields of the line, where it and the separators are known.
    fn read_array(&mut self, name: &str, takes_lines: bool, input: &Input) {
        let line = match &input.content {
            Content::Known(value) if takes_lines => only_line(value),
            _ => None,
        };
        let fields = line.and_then(|line| Some(separated(&line, &self.state.separators()?)));
        let binding = match fields {
            Some(fields) => Binding::List(
                fields
                    .into_iter()
                    .map(|field| {
                        let mut value = Value::text(field);
                        value.joins(&input.from);
                        value
                    })
                    .collect(),
            ),
            None => {
                let mut value = Value::variable(name);
                value.joins(&input.from);
                Binding::One(value)
            }
        };
        self.interpreter.spend(binding.size());
        self.state.set(name, binding);
    }
}

/// Returns the fields of a line. Blanks around a field vanish where they are separators; any other separator ends one.
fn separated(line: &str, separators: &str) -> Vec<String> {
    let is_blank = |c: char| c.is_ascii_whitespace() && separators.contains(c);
    let mut fields = Vec::new();
    let mut rest = line.trim_matches(is_blank);
    while !rest.is_empty() {
        let end = rest.find(|c| separators.contains(c)).unwrap_or(rest.len());
        let (field, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        fields.push(field.to_owned());
        rest = behind.trim_start_matches(is_blank);
        if let Some(next) = rest.strip_prefix(|c| separators.contains(c) && !is_blank(c)) {
            rest = next.trim_start_matches(is_blank);
        }
    }
    fields
}

/// Returns the line that is known to be all there is. Of several, which one is read depends on what was read before.
fn only_line(value: &Value) -> Option<String> {
    let line = value.word.known()?.strip_suffix('\n')?;
    (!line.contains(['\\', '\n'])).then(|| line.to_owned())
}

/// Returns a line as the one variable has it that takes all of it; `None` where a separator that is no blank may end it.
fn without_separators(line: &str, separators: &str) -> Option<String> {
    let line = line.trim_matches(|c: char| c.is_ascii_whitespace() && separators.contains(c));
    (!line.contains(|c: char| separators.contains(c) && !c.is_ascii_whitespace())).then(|| line.to_owned())
}
