//! `read` and similar builtins: which part of an input becomes the value of a variable, and what a command leaves
//! unread for the other readers of the same input.

use std::rc::Rc;

use super::callbacks::CallbackLines;
use super::flow::Flow;
use super::simple::ExpandedCommand;
use super::{Frame, WalkContext, dialects, output};
use crate::characters::has_same_splits;
use crate::dialect::DialectFeature;
use crate::nested::NestedCommand;
use crate::parse::is_name;
use crate::state::VariableValue;
use crate::stream::{CommandId, InputStream, ShellValue, StreamContent};
use crate::word::{Word, WordPart};

/// The maximum number of lines of a text that become the elements of an array.
const MAX_LINES: usize = 256;

/// The letters of the options of `read` that take a value.
const READ_VALUED: &str = "adinNptu";

/// The letters of the options of `mapfile` that take a value.
const MAPFILE_VALUED: &str = "dnOsuCc";

/// The parsed options of `read` and `mapfile`.
#[derive(Default)]
struct ReadOptions<'w> {
    /// Whether an option makes the values of the variables unknown: they may not be whole lines, or fields of a line.
    has_unknown_values: bool,
    /// Whether each record ends in a NUL: `read -d ''`.
    ends_at_nul: bool,
    /// Whether there is a prompt or a default: `-p`, `-i`.
    has_prompt_or_default: bool,
    /// Whether backslashes are kept: `-r`.
    is_raw: bool,
    /// Whether the newline at the end of each line is removed: `mapfile -t`.
    is_trimmed: bool,
    /// The array to which the fields are assigned: `read -a name`.
    list: Option<&'w str>,
    /// Whether the array is zsh's: `read -A name`.
    is_list_of_zsh: bool,
    /// The words that name the variables.
    targets: Vec<&'w Word>,
    /// The number of the descriptor that is read: `-u 3`. `None` without the option; the inner `None` is an unknown
    /// number.
    descriptor: Option<Option<&'w str>>,
    /// After how many lines `mapfile` evaluates its callback: `-c count`.
    every: Option<&'w str>,
    /// The index of the first line in the array of `mapfile`: `-O index`.
    origin: Option<&'w str>,
    /// Whether `mapfile` evaluates a text for some of the lines: `-C text`.
    has_callback: bool,
    /// Whether the lines are other than those that newlines end: another delimiter, skipped or limited lines.
    has_other_lines: bool,
}

/// The result of reading a line from an input.
pub(super) struct FirstLine {
    /// The content of the line, without the newline; `None` if unknown.
    text: Option<String>,
    /// The content of the input after the line.
    rest: StreamContent,
}

impl Frame<'_> {
    /// Sets the variables of `read`, `mapfile` or `getopts`. Their values are from the input if its content is known,
    /// and are otherwise unknown.
    pub(super) fn read(&mut self, name: &str, command: &ExpandedCommand<'_>) {
        if name == "getopts" {
            return self.get_options(command);
        }
        let valued = if name == "read" { READ_VALUED } else { MAPFILE_VALUED };
        let mut options = ReadOptions::parse(command.values.get(1..).unwrap_or_default(), valued);
        if name == "read" && self.state.reading.has(DialectFeature::ZshSyntax) {
            options.take_list_of_zsh(command.values.get(1..).unwrap_or_default());
        }
        // Some of zsh's options of `read` differ, and it has no `mapfile`.
        let differs_in_zsh =
            options.list.is_some() && !options.is_list_of_zsh || options.has_prompt_or_default || name != "read";
        let is_unsupported = options.list.is_some() && !self.state.reading.has(DialectFeature::MoreOptions);
        if is_unsupported || differs_in_zsh && self.state.reading.has(DialectFeature::ZshSyntax) {
            options.has_unknown_values = true;
        }
        let input = match options.descriptor {
            None => Rc::clone(&command.input),
            Some(number) => self.read_descriptor(command, number),
        };
        match name {
            "read" => self.read_line(command.id, &options, &input),
            _ => self.read_lines(command.id, &options, &input),
        }
    }

    /// Walks the text that `mapfile -C text` evaluates for the lines that it reads.
    pub(super) fn read_with_callback(
        &mut self,
        command: &ExpandedCommand<'_>,
        inner: &NestedCommand,
        context: &WalkContext,
        text: &ShellValue,
    ) -> Flow {
        let options = ReadOptions::parse(command.values.get(1..).unwrap_or_default(), MAPFILE_VALUED);
        let callback_lines = CallbackLines {
            every: options.every,
            origin: options.origin,
            is_trimmed: options.is_trimmed,
            are_unknown: options.has_other_lines,
        };
        let input = match options.descriptor {
            None => Rc::clone(&command.input),
            Some(number) => self.read_descriptor(command, number),
        };
        self.walk_callback(command, inner, context, text, callback_lines, &input)
    }

    /// Returns the input of the descriptor of `-u`; if its number is unknown, the combined input of all descriptors.
    fn read_descriptor(&self, command: &ExpandedCommand<'_>, number: Option<&str>) -> Rc<InputStream> {
        let channel = number.and_then(|number| command.redirected.descriptors.get(number.parse().ok()?));
        match (channel.and_then(|channel| channel.input.as_ref()), number) {
            (Some(input), _) => self.state.consumed.remaining_input(input),
            (None, Some("0")) => Rc::clone(&command.input),
            (None, _) => Rc::new(command.redirected.descriptors.combined_input()),
        }
    }

    /// Sets the variables of `read` to the first line of the input, and records what it leaves unread.
    fn read_line(&mut self, id: CommandId, options: &ReadOptions<'_>, input: &InputStream) {
        let line = match options.has_unknown_values {
            true => FirstLine { text: None, rest: StreamContent::Unknown },
            false => FirstLine::from_content(&input.content),
        };
        let separators = self.state.separators();
        let has_certain_fields = |text: &str| separators.as_ref().is_none_or(|all| has_same_splits(text, all));
        let text = line.text.filter(|text| (options.is_raw || !text.contains('\\')) && has_certain_fields(text));
        self.leave_rest(input, line.rest);
        if let Some(name) = options.list.filter(|name| is_name(name)) {
            let fields = text.and_then(|text| Some(split_fields(&text, separators.as_deref()?)));
            return self.set_array(name, fields, ShellValue::variable(name), input);
        }
        let is_line = options.takes_names() && options.targets.len() == 1;
        let names = options.names();
        for target in options.targets.iter().filter(|target| !target.known_text().is_some_and(is_name)) {
            self.set_unknown_value(&(*target).clone(), &input.writers);
        }
        let values = match options.targets.as_slice() {
            // Without a name, the line is assigned to `REPLY`. Whether that keeps the blanks around it depends on the
            // shell.
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
            // `REPLY` is the shell's.
            if !options.targets.is_empty() {
                self.state.export_like_inherited(name);
            }
        }
    }

    /// Sets the array of `mapfile` to the lines of the input, and records what it leaves unread.
    fn read_lines(&mut self, id: CommandId, options: &ReadOptions<'_>, input: &InputStream) {
        let text = match &input.content {
            StreamContent::Known(value) if !options.has_unknown_values => value.word.known_text(),
            _ => None,
        };
        let lines: Option<Vec<String>> = text.filter(|text| text.lines().count() <= MAX_LINES).map(|text| {
            let lines = text.split_inclusive('\n');
            let line =
                |line: &str| if options.is_trimmed { line.trim_end_matches('\n') } else { line }.replace('\0', "");
            lines.map(line).collect()
        });
        // With a callback, what is left is recorded for each line, because the callback may read from the same input.
        if !options.has_callback && !self.state.reading.has(DialectFeature::ZshSyntax) {
            let rest = if options.has_unknown_values { StreamContent::Unknown } else { StreamContent::empty() };
            self.leave_rest(input, rest);
        }
        match options.targets.as_slice() {
            [] => self.set_array("MAPFILE", lines, options.lines_value("MAPFILE", id, input), input),
            [target] if target.known_text().is_some_and(is_name) => {
                let name = target.known_text().unwrap_or_default();
                self.set_array(name, lines, options.lines_value(name, id, input), input);
            }
            targets => targets.iter().for_each(|target| self.set_unknown_value(&(*target).clone(), &input.writers)),
        }
    }

    /// Sets the variables of `getopts options name` to unknown values.
    fn get_options(&mut self, command: &ExpandedCommand<'_>) {
        let name = command.values.get(2).map(|value| &value.word);
        match name {
            Some(name) if !name.known_text().is_some_and(is_name) => self.set_unknown_value(&name.clone(), &[]),
            _ => {}
        }
        for name in name.and_then(Word::known_text).filter(|name| is_name(name)).into_iter().chain(["OPTARG", "OPTIND"])
        {
            let value = ShellValue::variable(name);
            self.note_assigned(name, &value);
            self.state.set(name, VariableValue::One(value));
        }
    }

    /// Sets a variable to an array of texts, or to `unknown` if the texts are not known. The values have the writers of
    /// the input.
    fn set_array(&mut self, name: &str, texts: Option<Vec<String>>, unknown: ShellValue, input: &InputStream) {
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

    /// Records the rest of an input that a command leaves unread. Does nothing if no other command may read from the
    /// input, or if its content is unknown.
    pub(super) fn leave_rest(&mut self, input: &InputStream, rest: StreamContent) {
        if let Some(stream) = input.stream
            && matches!(input.content, StreamContent::Known(_))
        {
            self.state.consumed.record_rest(stream, rest);
        }
    }

    /// Records how much of its standard input a command consumes.
    pub(super) fn take_input(&mut self, command: &ExpandedCommand<'_>) {
        if command.input.stream.is_none()
            || !matches!(&command.input.content, StreamContent::Known(value) if !value.word.parts.is_empty())
        {
            return;
        }
        let Some(name) = command.name() else { return self.leave_rest(&command.input, StreamContent::Unknown) };
        if dialects::is_builtin(name) || !output::reads_input(name) {
            return;
        }
        let mut words = command.values.iter().skip(1).map(|value| &value.word);
        let rest = match name {
            "cat" if words.clone().all(|word| word.prefix().starts_with('-')) => StreamContent::empty(),
            "cat" if words.all(|word| word.known_text().is_some_and(|word| !word.starts_with(['-', '/']))) => return,
            "tee" => StreamContent::empty(),
            _ => StreamContent::Unknown,
        };
        self.leave_rest(&command.input, rest);
    }

    /// Whether the next `read` of a loop condition finds a complete line; `None` if that is not known.
    pub(super) fn next_line(&self, words: &[&str], input: &Rc<InputStream>) -> Option<NextLine> {
        let values: Vec<ShellValue> = words.iter().map(|word| ShellValue::text(*word)).collect();
        let options = ReadOptions::parse(&values, READ_VALUED);
        let is_plain = !options.has_unknown_values
            && options.descriptor.is_none()
            && !self.state.reading.has(DialectFeature::ZshSyntax);
        match &self.state.consumed.remaining_input(input).content {
            StreamContent::Known(value) if is_plain => {
                let text = value.word.known_text()?;
                // An unterminated last line is read, but `read` fails.
                Some(if text.contains('\n') { NextLine::Found } else { NextLine::Missing })
            }
            _ => None,
        }
    }
}

/// Whether `read` finds a complete line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NextLine {
    Found,
    Missing,
}

impl FirstLine {
    /// Splits the first line off the content of an input.
    fn from_content(content: &StreamContent) -> Self {
        match content {
            StreamContent::Known(value) => {
                let first = Self::first_of_known(value);
                Self { text: first.text.map(|text| text.replace('\0', "")), ..first }
            }
            StreamContent::File(file) if file.known_text() == Some("/dev/null") => {
                Self { text: Some(String::new()), rest: content.clone() }
            }
            StreamContent::File(_) | StreamContent::Program(_) | StreamContent::Unset | StreamContent::Unknown => {
                Self { text: None, rest: StreamContent::Unknown }
            }
        }
    }

    /// Splits the first line off a known content, which may have unknown parts.
    fn first_of_known(value: &ShellValue) -> Self {
        let (text, other_parts) = match value.word.parts.split_first() {
            None => return Self { text: Some(String::new()), rest: StreamContent::empty() },
            Some((WordPart::Text(text), other_parts)) => (text, other_parts),
            Some(_) => return Self { text: None, rest: StreamContent::Unknown },
        };
        // A backslash at the end of a line may join it with the next one.
        let Some((line, rest)) = text.split_once('\n').filter(|(line, _)| !line.ends_with('\\')) else {
            let is_whole = other_parts.is_empty() && !text.contains('\n');
            return match is_whole {
                true => Self { text: Some(text.clone()), rest: StreamContent::empty() },
                false => Self { text: None, rest: StreamContent::Unknown },
            };
        };
        let mut rest_value = ShellValue { writers: value.writers.clone(), ..ShellValue::text(rest) };
        rest_value.word.parts.extend(other_parts.iter().cloned());
        Self { text: Some(line.to_owned()), rest: StreamContent::Known(rest_value) }
    }
}

impl<'w> ReadOptions<'w> {
    /// Parses the arguments of `read` or `mapfile`. `letters_with_value` is the letters of the options that take a
    /// value.
    fn parse(values: &'w [ShellValue], letters_with_value: &str) -> Self {
        let mut options = Self::default();
        let mut words = values.iter().map(|value| &value.word).peekable();
        while let Some(word) = words.next_if(|word| word.prefix().len() > 1 && word.prefix().starts_with('-')) {
            let Some(letters) = word.known_text().and_then(|word| word.strip_prefix('-')) else {
                options.has_unknown_values = true;
                options.has_other_lines = true;
                continue;
            };
            if letters == "-" {
                break;
            }
            let value_at = letters.find(|c| letters_with_value.contains(c)).unwrap_or(letters.len());
            let (flags, value) = letters.split_at_checked(value_at).unwrap_or((letters, ""));
            flags.chars().for_each(|flag| options.set_flag(flag));
            let Some(letter) = value.chars().next() else { continue };
            let attached = value.get(1..).filter(|rest| !rest.is_empty());
            let value = attached.or_else(|| words.next().and_then(Word::known_text));
            match letter {
                'C' | 'c' | 'O' if letters_with_value == MAPFILE_VALUED => options.set_mapfile_option(letter, value),
                _ => options.set_valued(letter, value),
            }
        }
        options.targets = words.collect();
        options
    }

    /// Takes the name after `-A` as the array, which in zsh is the first name.
    fn take_list_of_zsh(&mut self, values: &'w [ShellValue]) {
        if let [option, name] = values
            && matches!(option.word.known_text(), Some("-A"))
        {
            self.is_list_of_zsh = true;
            self.has_unknown_values = false;
            self.list = name.word.known_text();
        }
    }

    /// Records an option that has no value.
    fn set_flag(&mut self, flag: char) {
        match flag {
            'r' => self.is_raw = true,
            't' => self.is_trimmed = true,
            's' => {}
            _ => self.has_unknown_values = true,
        }
    }

    /// Records an option with a value, by its letter.
    fn set_valued(&mut self, letter: char, value: Option<&'w str>) {
        match letter {
            'a' => self.list = value,
            'u' => self.descriptor = Some(value),
            'p' | 'i' => self.has_prompt_or_default = true,
            // `-d`, `-n`, `-N`, `-t`, …: another delimiter, a count of characters or lines, or a timeout.
            _ => {
                self.has_unknown_values = true;
                self.has_other_lines = true;
                self.ends_at_nul |= letter == 'd' && matches!(value, Some("" | "\0"));
            }
        }
    }

    /// Records an option of `mapfile`: `-C code`, `-c count`, `-O index`.
    fn set_mapfile_option(&mut self, letter: char, value: Option<&'w str>) {
        self.has_unknown_values = true;
        match letter {
            'c' => self.every = Some(value.unwrap_or_default()),
            'O' => self.origin = Some(value.unwrap_or_default()),
            _ => self.has_callback = true,
        }
    }

    /// Whether a variable is set to a whole name of a listing in which each name ends at a newline or at a NUL.
    fn takes_names(&self) -> bool {
        !self.has_unknown_values || self.ends_at_nul
    }

    /// Returns the value that represents the lines of an input in an array if they are unknown.
    fn lines_value(&self, name: &str, by: CommandId, input: &InputStream) -> ShellValue {
        // Without `-t`, each line ends in a newline, so it is not a name.
        if self.takes_names() && self.is_trimmed {
            ShellValue::line(name, by, input)
        } else {
            ShellValue::variable(name)
        }
    }

    /// Returns the names of the variables: `None` for a word that is not a valid name.
    fn names(&self) -> Vec<Option<&'w str>> {
        self.targets.iter().map(|target| target.known_text().filter(|target| is_name(target))).collect()
    }
}

/// Splits a line into the values of `count` variables, the last of which is the rest. A value is `None` if it is
/// unknown.
fn split_among(line: Option<&str>, separators: Option<&str>, count: usize) -> Vec<Option<String>> {
    let (Some(line), Some(separators)) = (line, separators) else { return vec![None; count] };
    let is_blank = blank_of(separators);
    let mut rest = line.trim_matches(is_blank);
    let mut fields = Vec::new();
    while fields.len() + 1 < count {
        let (field, after_field) = next_field(rest, separators);
        fields.push(Some(field.to_owned()));
        rest = after_field;
    }
    // A separator at the end of the rest, such as `:`, is removed only if it ends the last field: the value is
    // unknown.
    let is_certain = !rest.ends_with(|c: char| separators.contains(c) && !is_blank(c));
    fields.push(is_certain.then(|| rest.to_owned()));
    fields
}

/// Splits a line into fields. Blanks around a field are dropped; any other separator ends a field, even an empty one.
fn split_fields(line: &str, separators: &str) -> Vec<String> {
    let is_blank = blank_of(separators);
    let mut fields = Vec::new();
    let mut rest = line.trim_matches(is_blank);
    while !rest.is_empty() {
        let (field, after_field) = next_field(rest, separators);
        fields.push(field.to_owned());
        rest = after_field;
    }
    fields
}

/// Returns a predicate for the separators that are blanks. Several blanks in a row count as one separator.
fn blank_of(separators: &str) -> impl Fn(char) -> bool + Copy {
    move |c| c.is_ascii_whitespace() && separators.contains(c)
}

/// Splits the first field and the separator after it off a text.
fn next_field<'t>(text: &'t str, separators: &str) -> (&'t str, &'t str) {
    let is_blank = blank_of(separators);
    let end = text.find(|c| separators.contains(c)).unwrap_or(text.len());
    let (field, after_field) = text.split_at_checked(end).unwrap_or((text, ""));
    let after_field = after_field.trim_start_matches(is_blank);
    let next = after_field.strip_prefix(|c| separators.contains(c) && !is_blank(c));
    (field, next.map_or(after_field, |next| next.trim_start_matches(is_blank)))
}
