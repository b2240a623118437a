//! The files that a command writes according to its arguments: `tee f`, `curl -o f`, `sort -o f`, `cp a f`.

use super::Frame;
use super::simple::ExpandedCommand;
use crate::argv::{base_name, program_name};
use crate::files::{self, ContentRow, contents, files_written_by_words};
use crate::foreign::compiled_literals;
use crate::network::client;
use crate::open_files::descriptor_number;
use crate::state::WriteMode;
use crate::stream::{ShellValue, StreamContent, Writer, insert_ids};
use crate::word::{Word, WordPart};

impl Frame<'_> {
    /// Records the files that a command writes according to its arguments. A name such as `/dev/fd/3` among them
    /// refers to the command's own descriptors.
    pub(super) fn record_writes(&mut self, command: &ExpandedCommand<'_>) {
        let before = std::mem::replace(&mut self.state.descriptors, command.redirected.descriptors.clone());
        self.record_word_writes(command);
        self.state.descriptors = before;
    }

    /// Records the files that a command writes, by the kind of content that the program's record states.
    fn record_word_writes(&mut self, command: &ExpandedCommand<'_>) {
        let name = command.values.first().and_then(|program| program_name(&program.word));
        let Some((name, contents_record)) = name.and_then(|name| Some((name, contents(name)?))) else { return };
        match contents_record.content {
            Some(files::WrittenContent::Input) => self.record_tee(command),
            Some(files::WrittenContent::Copies) => self.record_copies(command),
            Some(files::WrittenContent::Values) => self.record_cmdlet_write(command, name),
            Some(files::WrittenContent::Compiled) => self.record_compiled(command),
            Some(files::WrittenContent::Lines | files::WrittenContent::Other) => {
                self.record_unknown_text(command, contents_record)
            }
            None => {}
        }
        if self.interpreter.written.is_empty() {
            return;
        }
        if contents_record.edits {
            self.record_edits(command);
        }
        if !contents_record.unpacks.is_empty() {
            self.record_unpacked(command, contents_record.unpacks);
        }
    }

    /// Returns the operands of a command, as its program parses them.
    fn operands(&self, command: &ExpandedCommand<'_>) -> Vec<Word> {
        let operands = self.interpreter.commands.get(command.id.0).map(|recorded| recorded.argv().operands);
        operands.iter().flatten().map(|word| (*word).clone()).collect()
    }

    /// Records the files of `tee f`, with the content of its input.
    fn record_tee(&mut self, command: &ExpandedCommand<'_>) {
        let Some(recorded) = self.interpreter.commands.get(command.id.0) else { return };
        let argv = recorded.argv();
        let appends = argv.options_named("--append").chain(argv.options_named("-a")).next().is_some();
        let mode = if appends { WriteMode::Append } else { WriteMode::Overwrite };
        let from = self.interpreter.with_passed_writers(&[command.id]);
        for file in self.operands(command) {
            self.record_write(&file, mode, &from, &command.input.content);
        }
    }

    /// Records the copies of `cp a f`, `install /dev/stdin f` or `ln -s a f`: of programs, of written files and of
    /// standard input.
    fn record_copies(&mut self, command: &ExpandedCommand<'_>) {
        let Some(recorded) = self.interpreter.commands.get(command.id.0) else { return };
        let target_directory =
            recorded.argv().options_named("--target-directory").last().and_then(|given| given.value.clone());
        let operands = self.operands(command);
        let operands: Vec<&Word> = operands.iter().collect();
        self.record_program_copies(&operands, target_directory.as_ref());
        self.record_written_copies(&operands, target_directory.as_ref());
        if let [.., source, target] = operands.as_slice()
            && target_directory.is_none()
            && (is_input(source) || self.process_input(source).is_some())
        {
            let input = self.read_file(command, source);
            let from = self.interpreter.with_passed_writers(&[command.id]);
            self.record_write(target, WriteMode::Overwrite, &from, &input.content);
        }
    }

    /// Records the files of `Set-Content f text` or `… | Out-File f`, with their text.
    fn record_cmdlet_write(&mut self, command: &ExpandedCommand<'_>, name: &str) {
        let words: Vec<Word> = command.values.iter().map(|value| value.word.clone()).collect();
        let argv = crate::argv::parse_argv(&words);
        let is_append = name == "Add-Content" || argv.options_named("-Append").next().is_some();
        let is_directory = argv
            .options_named("-ItemType")
            .any(|given| given.value.as_ref().and_then(Word::known_text) != Some("File"));
        if name == "New-Item" && is_directory {
            return;
        }
        let mut text: Option<ShellValue> = None;
        for (option, value) in command.values.iter().zip(command.values.iter().skip(1)) {
            if option.word.known_text() == Some("-Value") {
                let text = text.get_or_insert_default();
                text.append(value);
                text.append(&ShellValue::text("\n"));
            }
        }
        let content = text.map_or_else(|| command.input.content.clone(), StreamContent::Known);
        let mode = if is_append { WriteMode::Append } else { WriteMode::Overwrite };
        let from = self.interpreter.with_passed_writers(&[command.id]);
        for file in &argv.operands {
            self.record_write(file, mode, &from, &content);
        }
    }

    /// Records files with unknown content. A single line of input stays known if the program only sorts or selects
    /// lines.
    fn record_unknown_text(&mut self, command: &ExpandedCommand<'_>, record: &ContentRow) {
        let Some(recorded) = self.interpreter.commands.get(command.id.0) else { return };
        let files = files_written_by_words(recorded);
        let content = match &command.input.content {
            StreamContent::Known(text)
                if record.content == Some(files::WrittenContent::Lines) && is_line(&text.word) =>
            {
                command.input.content.clone()
            }
            _ => StreamContent::Unknown,
        };
        let from = self.interpreter.with_passed_writers(&[command.id]);
        for file in files {
            // A file that is edited in place (`sort -o f f`) existed before, so its old content is a part of the new
            // one.
            if !record.edits || !command.values.iter().any(|value| value.word == file) {
                self.record_write(&file, WriteMode::Overwrite, &from, &content);
            }
        }
    }

    /// Records the program that a compiler writes, if its sources come from the network (`curl`) or are known. The
    /// program has the writers of the sources, and the literals of known sources.
    fn record_compiled(&mut self, command: &ExpandedCommand<'_>) {
        let mut source_writers: Vec<Writer> = command.input.writers.clone();
        let mut literals = String::new();
        let mut add_literals = |content: &StreamContent| {
            if let StreamContent::Known(text) = content {
                literals.push_str(&compiled_literals(&text.word.literal()));
            }
        };
        add_literals(&command.input.content);
        for file in self.operands(command) {
            let Some(written) = self.written_file(&file) else { continue };
            source_writers.extend(&written.writers);
            add_literals(&written.content);
        }
        let is_fetched = source_writers
            .iter()
            .filter_map(|writer| writer.command())
            .any(|id| self.interpreter.name(id).is_some_and(|name| client(base_name(name)).is_some()));
        if !is_fetched && literals.is_empty() {
            return;
        }
        let Some(recorded) = self.interpreter.commands.get(command.id.0) else { return };
        let mut files = files_written_by_words(recorded);
        if files.is_empty() {
            files.push(Word::text("a.out"));
        }
        let content = match is_fetched {
            true => StreamContent::Unknown,
            false => StreamContent::Program(literals),
        };
        let mut writers = self.interpreter.with_passed_writers(&[command.id]);
        insert_ids(&mut writers, &source_writers);
        for file in files {
            self.record_write(&file, WriteMode::Overwrite, &writers, &content);
        }
    }

    /// Records that a program such as `sed -i` edits written files. Their content is unknown afterwards.
    fn record_edits(&mut self, command: &ExpandedCommand<'_>) {
        let from = self.interpreter.with_passed_writers(&[command.id]);
        let words = command.values.iter().skip(1).map(|value| &value.word);
        let edited: Vec<&Word> = words.filter(|word| self.written_file(word).is_some()).collect();
        for file in edited {
            self.record_write(file, WriteMode::Append, &from, &StreamContent::Unknown);
        }
    }

    /// Records the files that unpacking creates: `f` from `f.gz`, if the text wrote `f.gz`.
    fn record_unpacked(&mut self, command: &ExpandedCommand<'_>, extensions: &[&str]) {
        let writers: Vec<Writer> = self.interpreter.with_passed_writers(&[command.id]);
        for file in &self.operands(command) {
            let stem =
                file.known_text().and_then(|name| extensions.iter().find_map(|extension| name.strip_suffix(extension)));
            if let Some(stem) = stem.filter(|stem| !stem.is_empty() && self.written_file(file).is_some()) {
                self.record_write(&Word::text(stem), WriteMode::Overwrite, &writers, &StreamContent::Unknown);
            }
        }
    }
}

/// Whether the name of a file refers to standard input: `/dev/stdin`.
fn is_input(file: &Word) -> bool {
    file.known_text().is_some_and(|name| descriptor_number(name) == Some(0))
}

/// Whether a text has a single line.
fn is_line(text: &Word) -> bool {
    let known: String = text.parts.iter().filter_map(WordPart::text).collect();
    !known.trim_end_matches('\n').contains('\n')
}
