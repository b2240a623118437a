//! `read` and its kin: what of an input becomes the value of a variable, and what commands leave of an input that others
//! read too.

use std::rc::Rc;

use super::callbacks::Called;
use super::simple::Made;
use super::streams::Flow;
use super::{Frame, Setting, dialects, output};
use crate::characters::splits_alike;
use crate::dialect::Feature;
use crate::nested::Nested;
use crate::parse::is_name;
use crate::state::Binding;
use crate::stream::{CommandId, Content, Input, Value};
use crate::word::{Part, Word};

/// How many lines of a text become a list.
const LINES: usize = 256;

/// The options of `read` that take a value, and those of `mapfile`.
const READ_VALUED: &str = "adinNptu";
const MAPFILE_VALUED: &str = "dnOsuCc";

/// What the options of `read` and `mapfile` say.
#[derive(Default)]
struct Options<'w> {
    /// Something else than lines is taken, or not all of one.
    is_other: bool,
    /// That is what NULs end: `-d ''`.
    ends_at_nul: bool,
    /// A prompt or a default: `-p`, `-i`.
    has_text: bool,
    /// Backslashes stay: `-r`.
    is_raw: bool,
    /// The newline of each line goes: `mapfile -t`.
    is_trimmed: bool,
    /// The list that the fields go to: `-a`.
    list: Option<&'w str>,
    /// The variables.
    targets: Vec<&'w Word>,
    /// The number of the descriptor: `-u`.
    descriptor: Option<Option<&'w str>>,
    /// After how many lines `mapfile` evaluates a text (`-c`), and the place of the first in its list (`-O`).
    every: Option<&'w str>,
    origin: Option<&'w str>,
    /// `mapfile` evaluates a text for some of the lines: `-C`.
    has_callback: bool,
    /// Not every line of `mapfile`'s input becomes an element, or other signs end them.
    has_other_lines: bool,
}

/// A line that was taken of a text.
pub(super) struct Line {
    /// What it holds, without its end; none where that is not known.
    text: Option<String>,
    /// What is left behind it.
    rest: Content,
}

impl Frame<'_> {
    /// `read`, `mapfile`, `getopts`: what comes in is not known, unless the text says.
    pub(super) fn read(&mut self, name: &str, made: &Made<'_>) {
        if name == "getopts" {
            return self.get_options(made);
        }
        let valued = if name == "read" { READ_VALUED } else { MAPFILE_VALUED };
        let mut options = Options::of(made.values.get(1..).unwrap_or_default(), valued);
        // In zsh some of the options are others, and there is no `mapfile`.
        let is_other = options.list.is_some() || options.has_text || name != "read";
        let is_unknown = options.list.is_some() && !self.state.reading.has(Feature::MoreOptions);
        if is_unknown || is_other && self.state.reading.has(Feature::OfZsh) {
            options.is_other = true;
        }
        let input = match options.descriptor {
            None => Rc::clone(&made.input),
            Some(number) => self.read_descriptor(made, number),
        };
        match name {
            "read" => self.read_line(made.id, &options, &input),
            _ => self.read_lines(made.id, &options, &input),
        }
    }

    /// Walks the text that `mapfile` evaluates for the lines that it reads.
    pub(super) fn read_with_callback(
        &mut self,
        made: &Made<'_>,
        inner: &Nested,
        setting: &Setting,
        text: &Value,
    ) -> Flow {
        let options = Options::of(made.values.get(1..).unwrap_or_default(), MAPFILE_VALUED);
        let called = Called {
            every: options.every,
            origin: options.origin,
            is_trimmed: options.is_trimmed,
            is_other: options.has_other_lines,
        };
        let input = match options.descriptor {
            None => Rc::clone(&made.input),
            Some(number) => self.read_descriptor(made, number),
        };
        self.callback(made, inner, setting, text, called, &input)
    }

    /// Returns what comes on a descriptor: `-u 3`.
    fn read_descriptor(&self, made: &Made<'_>, number: Option<&str>) -> Rc<Input> {
        let channel = number.and_then(|number| made.redirected.descriptors.get(number.parse().ok()?));
        match (channel.and_then(|channel| channel.input.as_ref()), number) {
            (Some(input), _) => self.state.taken.rest_of(input),
            (None, Some("0")) => Rc::clone(&made.input),
            (None, _) => Rc::new(made.redirected.descriptors.any_input()),
        }
    }

    fn read_line(&mut self, id: CommandId, options: &Options<'_>, input: &Input) {
        let line = match options.is_other {
            true => Line { text: None, rest: Content::Unknown },
            false => Line::of(&input.content),
        };
        let separators = self.state.separators();
        let splits_alike = |text: &str| separators.as_ref().is_none_or(|all| splits_alike(text, all));
        let text = line.text.filter(|text| (options.is_raw || !text.contains('\\')) && splits_alike(text));
        self.leave_rest(input, line.rest);
        if let Some(name) = options.list.filter(|name| is_name(name)) {
            let fields = text.and_then(|text| Some(separated(&text, separators.as_deref()?)));
            return self.give_list(name, fields, Value::variable(name), input);
        }
        let is_line = options.takes_names() && options.targets.len() == 1;
        let names = options.names();
        for target in options.targets.iter().filter(|target| !target.known().is_some_and(is_name)) {
            self.give_unknown(&(*target).clone(), &input.from);
        }
        let values = match options.targets.as_slice() {
            // Whether blanks stay where no variable is named hangs on the shell.
            [] => vec![text.filter(|text| text.trim_matches([' ', '\t']) == text)],
            targets => fields_of(text.as_deref(), separators.as_deref(), targets.len()),
        };
        let names = if options.targets.is_empty() { vec![Some("REPLY")] } else { names };
        for (name, value) in names.into_iter().zip(values) {
            let Some(name) = name else { continue };
            let mut value = match value {
                Some(text) => Value::text(text),
                None if is_line => Value::line(name, id, input),
                None => Value::variable(name),
            };
            value.joins(&input.from);
            self.note_assigned(name, &value);
            self.state.give(name, value);
        }
    }

    /// `mapfile`: a list of the lines.
    fn read_lines(&mut self, id: CommandId, options: &Options<'_>, input: &Input) {
        let text = match &input.content {
            Content::Known(value) if !options.is_other => value.word.known(),
            _ => None,
        };
        let lines: Option<Vec<String>> = text.filter(|text| text.lines().count() <= LINES).map(|text| {
            let lines = text.split_inclusive('\n');
            let line = |line: &str| if options.is_trimmed { line.trim_end_matches('\n') } else { line }.to_owned();
            lines.map(line).collect()
        });
        // What is evaluated for each line may read of the lines behind it.
        if !options.has_callback && !self.state.reading.has(Feature::OfZsh) {
            let rest = if options.is_other { Content::Unknown } else { Content::nothing() };
            self.leave_rest(input, rest);
        }
        match options.targets.as_slice() {
            [] => self.give_list("MAPFILE", lines, options.list_of_lines("MAPFILE", id, input), input),
            [target] if target.known().is_some_and(is_name) => {
                let name = target.known().unwrap_or_default();
                self.give_list(name, lines, options.list_of_lines(name, id, input), input);
            }
            targets => targets.iter().for_each(|target| self.give_unknown(&(*target).clone(), &input.from)),
        }
    }

    /// `getopts options name`: what the arguments hold it does not follow.
    fn get_options(&mut self, made: &Made<'_>) {
        let name = made.values.get(2).map(|value| &value.word);
        match name {
            Some(name) if !name.known().is_some_and(is_name) => self.give_unknown(&name.clone(), &[]),
            _ => {}
        }
        for name in name.and_then(Word::known).filter(|name| is_name(name)).into_iter().chain(["OPTARG", "OPTIND"]) {
            let value = Value::variable(name);
            self.note_assigned(name, &value);
            self.state.set(name, Binding::One(value));
        }
    }

    /// Gives a variable a list, or what says that it is not known.
    fn give_list(&mut self, name: &str, texts: Option<Vec<String>>, unknown: Value, input: &Input) {
        let with_writers = |mut value: Value| {
            value.joins(&input.from);
            value
        };
        let binding = match texts {
            Some(texts) => Binding::List(texts.into_iter().map(Value::text).map(with_writers).collect()),
            None => Binding::One(with_writers(unknown)),
        };
        self.interpreter.spend(binding.size());
        self.state.set(name, binding);
    }

    /// Notes what a reader leaves of an input that others read too.
    pub(super) fn leave_rest(&mut self, input: &Input, rest: Content) {
        if let Some(stream) = input.stream
            && matches!(input.content, Content::Known(_))
        {
            self.state.taken.leave(stream, rest);
        }
    }

    /// Notes what a command takes of its input.
    pub(super) fn take_input(&mut self, made: &Made<'_>) {
        if made.input.stream.is_none()
            || !matches!(&made.input.content, Content::Known(value) if !value.word.parts.is_empty())
        {
            return;
        }
        let Some(name) = made.name() else { return self.leave_rest(&made.input, Content::Unknown) };
        if dialects::is_builtin(name) || !output::reads_input(name) {
            return;
        }
        let mut words = made.values.iter().skip(1).map(|value| &value.word);
        let rest = match name {
            "cat" if words.clone().all(|word| word.prefix().starts_with('-')) => Content::nothing(),
            "cat" if words.all(|word| word.known().is_some_and(|word| !word.starts_with(['-', '/']))) => return,
            "tee" => Content::nothing(),
            _ => Content::Unknown,
        };
        self.leave_rest(&made.input, rest);
    }

    /// Returns the input of a `read` that takes lines, where it is known that it takes another one, or none.
    pub(super) fn next_line(&self, words: &[&str], input: &Rc<Input>) -> Option<NextLine> {
        let values: Vec<Value> = words.iter().map(|word| Value::text(*word)).collect();
        let options = Options::of(&values, READ_VALUED);
        let is_plain = !options.is_other && options.descriptor.is_none() && !self.state.reading.has(Feature::OfZsh);
        match &self.state.taken.rest_of(input).content {
            Content::Known(value) if is_plain => {
                let text = value.word.known()?;
                // One that does not end is taken, and counts as none.
                Some(if text.contains('\n') { NextLine::Taken } else { NextLine::Missing })
            }
            _ => None,
        }
    }
}

/// Whether a `read` finds a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NextLine {
    Taken,
    Missing,
}

impl Line {
    /// Takes the first line of a text.
    fn of(content: &Content) -> Self {
        match content {
            Content::Known(value) => Self::of_known(value),
            Content::File(file) if file.known() == Some("/dev/null") => {
                Self { text: Some(String::new()), rest: content.clone() }
            }
            Content::File(_) | Content::Unsaid | Content::Unknown => Self { text: None, rest: Content::Unknown },
        }
    }

    fn of_known(value: &Value) -> Self {
        let (text, behind) = match value.word.parts.split_first() {
            None => return Self { text: Some(String::new()), rest: Content::nothing() },
            Some((Part::Text(text), behind)) => (text, behind),
            Some(_) => return Self { text: None, rest: Content::Unknown },
        };
        // A backslash at its end may join the next one.
        let Some((line, rest)) = text.split_once('\n').filter(|(line, _)| !line.ends_with('\\')) else {
            let is_whole = behind.is_empty() && !text.contains('\n');
            return match is_whole {
                true => Self { text: Some(text.clone()), rest: Content::nothing() },
                false => Self { text: None, rest: Content::Unknown },
            };
        };
        let mut left = Value { from: value.from.clone(), ..Value::text(rest) };
        left.word.parts.extend(behind.iter().cloned());
        Self { text: Some(line.to_owned()), rest: Content::Known(left) }
    }
}

impl<'w> Options<'w> {
    /// Reads the words behind `read` and `mapfile`, of whose options some take a value.
    fn of(values: &'w [Value], valued: &str) -> Self {
        let mut options = Self::default();
        let mut words = values.iter().map(|value| &value.word).peekable();
        while let Some(word) = words.next_if(|word| word.prefix().len() > 1 && word.prefix().starts_with('-')) {
            let Some(letters) = word.known().and_then(|word| word.strip_prefix('-')) else {
                options.is_other = true;
                options.has_other_lines = true;
                continue;
            };
            if letters == "-" {
                break;
            }
            let at = letters.find(|c| valued.contains(c)).unwrap_or(letters.len());
            let (flags, value) = letters.split_at_checked(at).unwrap_or((letters, ""));
            for flag in flags.chars() {
                match flag {
                    'r' => options.is_raw = true,
                    't' => options.is_trimmed = true,
                    's' => {}
                    _ => options.is_other = true,
                }
            }
            let Some(letter) = value.chars().next() else { continue };
            let attached = value.get(1..).filter(|rest| !rest.is_empty());
            let value = attached.or_else(|| words.next().and_then(Word::known));
            match letter {
                'a' => options.list = value,
                'u' => options.descriptor = Some(value),
                'p' | 'i' => options.has_text = true,
                'C' | 'c' | 'O' if valued == MAPFILE_VALUED => {
                    options.is_other = true;
                    match letter {
                        'c' => options.every = Some(value.unwrap_or_default()),
                        'O' => options.origin = Some(value.unwrap_or_default()),
                        _ => options.has_callback = true,
                    }
                }
                'd' if matches!(value, Some("" | "\0")) => {
                    options.has_other_lines = true;
                    options.is_other = true;
                    options.ends_at_nul = true;
                }
                // Another delimiter, a count of characters or lines, a limit of time.
                _ => {
                    options.is_other = true;
                    options.has_other_lines = true;
                }
            }
        }
        options.targets = words.collect();
        options
    }

    /// Tells whether a name that is listed, on a line or in front of a NUL, is taken as it is.
    fn takes_names(&self) -> bool {
        !self.is_other || self.ends_at_nul
    }

    /// Returns the list of the lines of an input that is not known.
    fn list_of_lines(&self, name: &str, by: CommandId, input: &Input) -> Value {
        // Otherwise a newline ends each.
        if self.takes_names() && self.is_trimmed { Value::line(name, by, input) } else { Value::variable(name) }
    }

    /// Returns the names of the variables, none in the place of what is no name.
    fn names(&self) -> Vec<Option<&'w str>> {
        self.targets.iter().map(|target| target.known().filter(|target| is_name(target))).collect()
    }
}

/// Returns what so many variables get of a line, the last all that is left; none in place of what is not known.
fn fields_of(line: Option<&str>, separators: Option<&str>, count: usize) -> Vec<Option<String>> {
    let (Some(line), Some(separators)) = (line, separators) else { return vec![None; count] };
    let is_blank = blank_of(separators);
    let mut rest = line.trim_matches(is_blank);
    let mut fields = Vec::new();
    while fields.len() + 1 < count {
        let (field, behind) = next_field(rest, separators);
        fields.push(Some(field.to_owned()));
        rest = behind;
    }
    // One that is no blank and ends the last field may go with it.
    let is_certain = !rest.ends_with(|c: char| separators.contains(c) && !is_blank(c));
    fields.push(is_certain.then(|| rest.to_owned()));
    fields
}

/// Returns the fields of a line. Blanks around a field vanish where they are separators; any other separator ends one.
fn separated(line: &str, separators: &str) -> Vec<String> {
    let is_blank = blank_of(separators);
    let mut fields = Vec::new();
    let mut rest = line.trim_matches(is_blank);
    while !rest.is_empty() {
        let (field, behind) = next_field(rest, separators);
        fields.push(field.to_owned());
        rest = behind;
    }
    fields
}

/// Returns what tells whether a separator is a blank, of which several stand for one.
fn blank_of(separators: &str) -> impl Fn(char) -> bool + Copy {
    move |c| c.is_ascii_whitespace() && separators.contains(c)
}

/// Splits a text behind its first field, and behind what separates that from the next.
fn next_field<'t>(text: &'t str, separators: &str) -> (&'t str, &'t str) {
    let is_blank = blank_of(separators);
    let end = text.find(|c| separators.contains(c)).unwrap_or(text.len());
    let (field, behind) = text.split_at_checked(end).unwrap_or((text, ""));
    let behind = behind.trim_start_matches(is_blank);
    let next = behind.strip_prefix(|c| separators.contains(c) && !is_blank(c));
    (field, next.map_or(behind, |next| next.trim_start_matches(is_blank)))
}
