//! `read` and similar builtins: which part of an input a variable gets, and what commands leave for other readers of
//! the same input.

use std::rc::Rc;

use super::callbacks::CallbackLines;
use super::simple::ExpandedCommand;
use super::streams::Flow;
use super::{Frame, WalkContext, dialects, output};
use crate::characters::has_same_splits;
use crate::dialect::DialectFeature;
use crate::nested::NestedCommand;
use crate::parse::is_name;
use crate::state::VariableValue;
use crate::stream::{CommandId, InputStream, ShellValue, StreamContent};
use crate::word::{Word, WordPart};

/// The most lines of a text that become a list.
const LINES: usize = 256;

/// The options of `read` that take a value, and those of `mapfile`.
const READ_VALUED: &str = "adinNptu";
const MAPFILE_VALUED: &str = "dnOsuCc";

/// The parsed options of `read` and `mapfile`.
#[derive(Default)]
struct ReadOptions<'w> {
    /// Whether something other than a whole line is read.
    is_other: bool,
    /// Whether the records end in NUL: `-d ''`.
    ends_at_nul: bool,
    /// Whether there is a prompt or a default: `-p`, `-i`.
    has_text: bool,
    /// Whether backslashes are kept: `-r`.
    is_raw: bool,
    /// Whether the newline of each line is removed: `mapfile -t`.
    is_trimmed: bool,
    /// The list that gets the fields: `-a`.
    list: Option<&'w str>,
    /// The variables.
    targets: Vec<&'w Word>,
    /// The number of the descriptor: `-u`.
    descriptor: Option<Option<&'w str>>,
    /// The number of lines between evaluations by `mapfile` (`-c`), and the index of the first line in its list (`-O`).
    every: Option<&'w str>,
    origin: Option<&'w str>,
    /// Whether `mapfile` evaluates a text for some of the lines: `-C`.
    has_callback: bool,
    /// Whether `mapfile` skips lines, or other delimiters end them.
    has_other_lines: bool,
}

/// A line read from a text.
pub(super) struct FirstLine {
    /// Its content, without the newline; `None` if unknown.
    text: Option<String>,
    /// The rest of the input.
    rest: StreamContent,
}

impl Frame<'_> {
    /// `read`, `mapfile`, `getopts`: the values are unknown, unless the text determines the input.
    pub(super) fn read(&mut self, name: &str, made: &ExpandedCommand<'_>) {
        if name == "getopts" {
            return self.get_options(made);
        }
        let valued = if name == "read" { READ_VALUED } else { MAPFILE_VALUED };
        let mut options = ReadOptions::parse(made.values.get(1..).unwrap_or_default(), valued);
        // Some of zsh's options differ, and it has no `mapfile`.
        let is_other = options.list.is_some() || options.has_text || name != "read";
        let is_unknown = options.list.is_some() && !self.state.reading.has(DialectFeature::MoreOptions);
        if is_unknown || is_other && self.state.reading.has(DialectFeature::ZshSyntax) {
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
        made: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        setting: &WalkContext,
        text: &ShellValue,
    ) -> Flow {
        let options = ReadOptions::parse(made.values.get(1..).unwrap_or_default(), MAPFILE_VALUED);
        let called = CallbackLines {
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

    /// Returns the input of a descriptor: `-u 3`.
    fn read_descriptor(&self, made: &ExpandedCommand<'_>, number: Option<&str>) -> Rc<InputStream> {
        let channel = number.and_then(|number| made.redirected.descriptors.get(number.parse().ok()?));
        match (channel.and_then(|channel| channel.input.as_ref()), number) {
            (Some(input), _) => self.state.consumed.remaining_input(input),
            (None, Some("0")) => Rc::clone(&made.input),
            (None, _) => Rc::new(made.redirected.descriptors.combined_input()),
        }
    }

    fn read_line(&mut self, id: CommandId, options: &ReadOptions<'_>, input: &InputStream) {
        let line = match options.is_other {
            true => FirstLine { text: None, rest: StreamContent::Unknown },
            false => FirstLine::from_content(&input.content),
        };
        let separators = self.state.separators();
        let splits_alike = |text: &str| separators.as_ref().is_none_or(|all| has_same_splits(text, all));
        let text = line.text.filter(|text| (options.is_raw || !text.contains('\\')) && splits_alike(text));
        self.leave_rest(input, line.rest);
        if let Some(name) = options.list.filter(|name| is_name(name)) {
            let fields = text.and_then(|text| Some(split_fields(&text, separators.as_deref()?)));
            return self.give_list(name, fields, ShellValue::variable(name), input);
        }
        let is_line = options.takes_names() && options.targets.len() == 1;
        let names = options.names();
        for target in options.targets.iter().filter(|target| !target.known_text().is_some_and(is_name)) {
            self.give_unknown(&(*target).clone(), &input.writers);
        }
        let values = match options.targets.as_slice() {
            // Without a variable's name, it depends on the shell whether blanks are kept.
            [] => vec![text.filter(|text| text.trim_matches([' ', '\t']) == text)],
            targets => split_among(text.as_deref(), separators.as_deref(), targets.len()),
        };
        let names = if options.targets.is_empty() { vec![Some("REPLY")] } else { names };
        for (name, value) in names.into_iter().zip(values) {
            let Some(name) = name else { continue };
            let mut value = match value {
                Some(text) => ShellValue::text(text),
                None if is_line => ShellValue::line(name, id, input),
                None => ShellValue::variable(name),
            };
            value.add_writers(&input.writers);
            self.note_assigned(name, &value);
            self.state.assign_text(name, value);
        }
    }

    /// `mapfile`: reads the lines into a list.
    fn read_lines(&mut self, id: CommandId, options: &ReadOptions<'_>, input: &InputStream) {
        let text = match &input.content {
            StreamContent::Known(value) if !options.is_other => value.word.known_text(),
            _ => None,
        };
        let lines: Option<Vec<String>> = text.filter(|text| text.lines().count() <= LINES).map(|text| {
            let lines = text.split_inclusive('\n');
            let line = |line: &str| if options.is_trimmed { line.trim_end_matches('\n') } else { line }.to_owned();
            lines.map(line).collect()
        });
        // The callback may read from the lines that follow.
        if !options.has_callback && !self.state.reading.has(DialectFeature::ZshSyntax) {
            let rest = if options.is_other { StreamContent::Unknown } else { StreamContent::empty() };
            self.leave_rest(input, rest);
        }
        match options.targets.as_slice() {
            [] => self.give_list("MAPFILE", lines, options.lines_value("MAPFILE", id, input), input),
            [target] if target.known_text().is_some_and(is_name) => {
                let name = target.known_text().unwrap_or_default();
                self.give_list(name, lines, options.lines_value(name, id, input), input);
            }
            targets => targets.iter().for_each(|target| self.give_unknown(&(*target).clone(), &input.writers)),
        }
    }

    /// `getopts options name`: the arguments are not evaluated.
    fn get_options(&mut self, made: &ExpandedCommand<'_>) {
        let name = made.values.get(2).map(|value| &value.word);
        match name {
            Some(name) if !name.known_text().is_some_and(is_name) => self.give_unknown(&name.clone(), &[]),
            _ => {}
        }
        for name in name.and_then(Word::known_text).filter(|name| is_name(name)).into_iter().chain(["OPTARG", "OPTIND"])
        {
            let value = ShellValue::variable(name);
            self.note_assigned(name, &value);
            self.state.set(name, VariableValue::One(value));
        }
    }

    /// Sets a variable to a list, or to an unknown value.
    fn give_list(&mut self, name: &str, texts: Option<Vec<String>>, unknown: ShellValue, input: &InputStream) {
        let with_writers = |mut value: ShellValue| {
            value.add_writers(&input.writers);
            value
        };
        let binding = match texts {
            Some(texts) => VariableValue::List(texts.into_iter().map(ShellValue::text).map(with_writers).collect()),
            None => VariableValue::One(with_writers(unknown)),
        };
        self.interpreter.spend(binding.size());
        self.state.set(name, binding);
    }

    /// Records what a reader leaves of an input that other commands also read.
    pub(super) fn leave_rest(&mut self, input: &InputStream, rest: StreamContent) {
        if let Some(stream) = input.stream
            && matches!(input.content, StreamContent::Known(_))
        {
            self.state.consumed.record_rest(stream, rest);
        }
    }

    /// Records what a command consumes of its input.
    pub(super) fn take_input(&mut self, made: &ExpandedCommand<'_>) {
        if made.input.stream.is_none()
            || !matches!(&made.input.content, StreamContent::Known(value) if !value.word.parts.is_empty())
        {
            return;
        }
        let Some(name) = made.name() else { return self.leave_rest(&made.input, StreamContent::Unknown) };
        if dialects::is_builtin(name) || !output::reads_input(name) {
            return;
        }
        let mut words = made.values.iter().skip(1).map(|value| &value.word);
        let rest = match name {
            "cat" if words.clone().all(|word| word.prefix().starts_with('-')) => StreamContent::empty(),
            "cat" if words.all(|word| word.known_text().is_some_and(|word| !word.starts_with(['-', '/']))) => return,
            "tee" => StreamContent::empty(),
            _ => StreamContent::Unknown,
        };
        self.leave_rest(&made.input, rest);
    }

    /// Returns whether a `read` of a line finds one; `None` if that is not known.
    pub(super) fn next_line(&self, words: &[&str], input: &Rc<InputStream>) -> Option<NextLine> {
        let values: Vec<ShellValue> = words.iter().map(|word| ShellValue::text(*word)).collect();
        let options = ReadOptions::parse(&values, READ_VALUED);
        let is_plain =
            !options.is_other && options.descriptor.is_none() && !self.state.reading.has(DialectFeature::ZshSyntax);
        match &self.state.consumed.remaining_input(input).content {
            StreamContent::Known(value) if is_plain => {
                let text = value.word.known_text()?;
                // An unterminated line is read, but `read` fails.
                Some(if text.contains('\n') { NextLine::Found } else { NextLine::Missing })
            }
            _ => None,
        }
    }
}

/// Whether a `read` finds a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NextLine {
    Found,
    Missing,
}

impl FirstLine {
    /// Takes the first line of a text.
    fn from_content(content: &StreamContent) -> Self {
        match content {
            StreamContent::Known(value) => Self::first_of_known(value),
            StreamContent::File(file) if file.known_text() == Some("/dev/null") => {
                Self { text: Some(String::new()), rest: content.clone() }
            }
            StreamContent::File(_) | StreamContent::Unset | StreamContent::Unknown => {
                Self { text: None, rest: StreamContent::Unknown }
            }
        }
    }

    fn first_of_known(value: &ShellValue) -> Self {
        let (text, behind) = match value.word.parts.split_first() {
            None => return Self { text: Some(String::new()), rest: StreamContent::empty() },
            Some((WordPart::Text(text), behind)) => (text, behind),
            Some(_) => return Self { text: None, rest: StreamContent::Unknown },
        };
        // A backslash at its end may join it with the next line.
        let Some((line, rest)) = text.split_once('\n').filter(|(line, _)| !line.ends_with('\\')) else {
            let is_whole = behind.is_empty() && !text.contains('\n');
            return match is_whole {
                true => Self { text: Some(text.clone()), rest: StreamContent::empty() },
                false => Self { text: None, rest: StreamContent::Unknown },
            };
        };
        let mut left = ShellValue { writers: value.writers.clone(), ..ShellValue::text(rest) };
        left.word.parts.extend(behind.iter().cloned());
        Self { text: Some(line.to_owned()), rest: StreamContent::Known(left) }
    }
}

impl<'w> ReadOptions<'w> {
    /// Parses the arguments of `read` or `mapfile`. `valued` lists the options that take a value.
    fn parse(values: &'w [ShellValue], valued: &str) -> Self {
        let mut options = Self::default();
        let mut words = values.iter().map(|value| &value.word).peekable();
        while let Some(word) = words.next_if(|word| word.prefix().len() > 1 && word.prefix().starts_with('-')) {
            let Some(letters) = word.known_text().and_then(|word| word.strip_prefix('-')) else {
                options.is_other = true;
                options.has_other_lines = true;
                continue;
            };
            if letters == "-" {
                break;
            }
            let at = letters.find(|c| valued.contains(c)).unwrap_or(letters.len());
            let (flags, value) = letters.split_at_checked(at).unwrap_or((letters, ""));
            flags.chars().for_each(|flag| options.flag(flag));
            let Some(letter) = value.chars().next() else { continue };
            let attached = value.get(1..).filter(|rest| !rest.is_empty());
            let value = attached.or_else(|| words.next().and_then(Word::known_text));
            match letter {
                'C' | 'c' | 'O' if valued == MAPFILE_VALUED => options.of_mapfile(letter, value),
                _ => options.valued(letter, value),
            }
        }
        options.targets = words.collect();
        options
    }

    fn flag(&mut self, flag: char) {
        match flag {
            'r' => self.is_raw = true,
            't' => self.is_trimmed = true,
            's' => {}
            _ => self.is_other = true,
        }
    }

    fn valued(&mut self, letter: char, value: Option<&'w str>) {
        match letter {
            'a' => self.list = value,
            'u' => self.descriptor = Some(value),
            'p' | 'i' => self.has_text = true,
            // Another delimiter, a count of characters or lines, or a timeout.
            _ => {
                self.is_other = true;
                self.has_other_lines = true;
                self.ends_at_nul |= letter == 'd' && matches!(value, Some("" | "\0"));
            }
        }
    }

    /// `mapfile -C code -c count -O index`
    fn of_mapfile(&mut self, letter: char, value: Option<&'w str>) {
        self.is_other = true;
        match letter {
            'c' => self.every = Some(value.unwrap_or_default()),
            'O' => self.origin = Some(value.unwrap_or_default()),
            _ => self.has_callback = true,
        }
    }

    /// Whether a name, listed on a line or before a NUL, is read unchanged.
    fn takes_names(&self) -> bool {
        !self.is_other || self.ends_at_nul
    }

    /// Returns the value for the list of the lines of an unknown input.
    fn lines_value(&self, name: &str, by: CommandId, input: &InputStream) -> ShellValue {
        // Otherwise each line ends in a newline.
        if self.takes_names() && self.is_trimmed {
            ShellValue::line(name, by, input)
        } else {
            ShellValue::variable(name)
        }
    }

    /// Returns the names of the variables, `None` for words that are not valid names.
    fn names(&self) -> Vec<Option<&'w str>> {
        self.targets.iter().map(|target| target.known_text().filter(|target| is_name(target))).collect()
    }
}

/// Splits a line among `count` variables: the last one gets the rest. `None` for unknown values.
fn split_among(line: Option<&str>, separators: Option<&str>, count: usize) -> Vec<Option<String>> {
    let (Some(line), Some(separators)) = (line, separators) else { return vec![None; count] };
    let is_blank = blank_of(separators);
    let mut rest = line.trim_matches(is_blank);
    let mut fields = Vec::new();
    while fields.len() + 1 < count {
        let (field, behind) = next_field(rest, separators);
        fields.push(Some(field.to_owned()));
        rest = behind;
    }
    // A separator that is not a blank may be removed with the last field that it ends.
    let is_certain = !rest.ends_with(|c: char| separators.contains(c) && !is_blank(c));
    fields.push(is_certain.then(|| rest.to_owned()));
    fields
}

/// Splits a line into fields. Blank separators around a field are dropped; any other separator ends a field.
fn split_fields(line: &str, separators: &str) -> Vec<String> {
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

/// Returns a predicate for blank separators, of which several in a row count as one.
fn blank_of(separators: &str) -> impl Fn(char) -> bool + Copy {
    move |c| c.is_ascii_whitespace() && separators.contains(c)
}

/// Splits off the first field and the separator after it.
fn next_field<'t>(text: &'t str, separators: &str) -> (&'t str, &'t str) {
    let is_blank = blank_of(separators);
    let end = text.find(|c| separators.contains(c)).unwrap_or(text.len());
    let (field, behind) = text.split_at_checked(end).unwrap_or((text, ""));
    let behind = behind.trim_start_matches(is_blank);
    let next = behind.strip_prefix(|c| separators.contains(c) && !is_blank(c));
    (field, next.map_or(behind, |next| next.trim_start_matches(is_blank)))
}
