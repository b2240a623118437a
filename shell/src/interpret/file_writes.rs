//! Files that a command writes according to its arguments: `tee f`, `curl -o f`, `sort -o f`, `cp a f`.

use super::Frame;
use super::simple::Made;
use crate::argv::{base_name, program_name};
use crate::files::{self, Contents, contents, written_by_words};
use crate::network::client;
use crate::open_files::descriptor_number;
use crate::state::Mode;
use crate::stream::{Content, Value, Writer, add};
use crate::word::{Part, Word};

impl Frame<'_> {
    /// Records the files that a command writes according to its arguments. Descriptor names in them refer to its own
    /// descriptors.
    pub(super) fn saves(&mut self, made: &Made<'_>) {
        let before = std::mem::replace(&mut self.state.descriptors, made.redirected.descriptors.clone());
        self.saves_by_words(made);
        self.state.descriptors = before;
    }

    fn saves_by_words(&mut self, made: &Made<'_>) {
        let name = made.values.first().and_then(|program| program_name(&program.word));
        let Some((name, record)) = name.and_then(|name| Some((name, contents(name)?))) else { return };
        match record.content {
            Some(files::Content::Input) => self.passed_on(made),
            Some(files::Content::Copies) => self.copied(made),
            Some(files::Content::Values) => self.written_by_cmdlet(made, name),
            Some(files::Content::Compiled) => self.compiled(made),
            Some(files::Content::Lines | files::Content::Other) => self.written_text(made, record),
            None => {}
        }
        if self.interpreter.written.is_empty() {
            return;
        }
        if record.edits {
            self.edited(made);
        }
        if !record.unpacks.is_empty() {
            self.unpacked(made, record.unpacks);
        }
    }

    /// Returns the operands of a command, as its program parses them.
    fn operands(&self, made: &Made<'_>) -> Vec<Word> {
        let operands = self.interpreter.commands.get(made.id.0).map(|command| command.argv().operands);
        operands.iter().flatten().map(|word| (*word).clone()).collect()
    }

    /// `tee f`
    fn passed_on(&mut self, made: &Made<'_>) {
        let Some(command) = self.interpreter.commands.get(made.id.0) else { return };
        let argv = command.argv();
        let appends = argv.given("--append").chain(argv.given("-a")).next().is_some();
        let mode = if appends { Mode::Behind } else { Mode::Over };
        let from = self.interpreter.with_passed(&[made.id]);
        for file in self.operands(made) {
            self.write(&file, mode, &from, &made.input.content);
        }
    }

    /// `cp a f`, `install /dev/stdin f`, `ln -s a f`
    fn copied(&mut self, made: &Made<'_>) {
        let Some(command) = self.interpreter.commands.get(made.id.0) else { return };
        let into = command.argv().given("--target-directory").last().and_then(|given| given.value.clone());
        let operands = self.operands(made);
        let operands: Vec<&Word> = operands.iter().collect();
        self.copies_programs(&operands, into.as_ref());
        self.copies(&operands, into.as_ref());
        if let [.., source, target] = operands.as_slice()
            && into.is_none()
            && (is_input(source) || self.process_of(source).is_some())
        {
            let input = self.read_here(made, source);
            let from = self.interpreter.with_passed(&[made.id]);
            self.write(target, Mode::Over, &from, &input.content);
        }
    }

    /// `Set-Content f text`, `… | Out-File f`
    fn written_by_cmdlet(&mut self, made: &Made<'_>, name: &str) {
        let words: Vec<Word> = made.values.iter().map(|value| value.word.clone()).collect();
        let argv = crate::argv::read(&words);
        let is_append = name == "Add-Content" || argv.given("-Append").next().is_some();
        let is_directory =
            argv.given("-ItemType").any(|given| given.value.as_ref().and_then(Word::known) != Some("File"));
        if name == "New-Item" && is_directory {
            return;
        }
        let mut text: Option<Value> = None;
        for (option, value) in made.values.iter().zip(made.values.iter().skip(1)) {
            if option.word.known() == Some("-Value") {
                let text = text.get_or_insert_default();
                text.append(value);
                text.append(&Value::text("\n"));
            }
        }
        let content = text.map_or_else(|| made.input.content.clone(), Content::Known);
        let mode = if is_append { Mode::Behind } else { Mode::Over };
        let from = self.interpreter.with_passed(&[made.id]);
        for file in &argv.operands {
            self.write(file, mode, &from, &content);
        }
    }

    /// The content is unknown, except for a single line, which sorting leaves unchanged.
    fn written_text(&mut self, made: &Made<'_>, record: &Contents) {
        let Some(command) = self.interpreter.commands.get(made.id.0) else { return };
        let files = written_by_words(command);
        let content = match &made.input.content {
            Content::Known(text) if record.content == Some(files::Content::Lines) && is_line(&text.word) => {
                made.input.content.clone()
            }
            _ => Content::Unknown,
        };
        let from = self.interpreter.with_passed(&[made.id]);
        for file in files {
            // A file that is edited in place existed before.
            if !record.edits || !made.values.iter().any(|value| value.word == file) {
                self.write(&file, Mode::Over, &from, &content);
            }
        }
    }

    /// A program compiled from fetched sources is as unknown as they are.
    fn compiled(&mut self, made: &Made<'_>) {
        let mut from: Vec<Writer> = made.input.from.clone();
        for file in self.operands(made) {
            from.extend(self.written(&file).into_iter().flat_map(|written| &written.from));
        }
        let is_fetched = from
            .iter()
            .filter_map(|writer| writer.command())
            .any(|id| self.interpreter.name(id).is_some_and(|name| client(base_name(name)).is_some()));
        let Some(command) = self.interpreter.commands.get(made.id.0).filter(|_| is_fetched) else { return };
        let files = written_by_words(command);
        let mut all = self.interpreter.with_passed(&[made.id]);
        add(&mut all, &from);
        for file in files {
            self.write(&file, Mode::Over, &all, &Content::Unknown);
        }
    }

    /// After an edit, the content that the text wrote is no longer known.
    fn edited(&mut self, made: &Made<'_>) {
        let from = self.interpreter.with_passed(&[made.id]);
        let words = made.values.iter().skip(1).map(|value| &value.word);
        let known: Vec<&Word> = words.filter(|word| self.written(word).is_some()).collect();
        for file in known {
            self.write(file, Mode::Behind, &from, &Content::Unknown);
        }
    }

    fn unpacked(&mut self, made: &Made<'_>, ends: &[&str]) {
        let own: Vec<Writer> = self.interpreter.with_passed(&[made.id]);
        for file in &self.operands(made) {
            let stem = file.known().and_then(|name| ends.iter().find_map(|end| name.strip_suffix(end)));
            if let Some(stem) = stem.filter(|stem| !stem.is_empty() && self.written(file).is_some()) {
                self.write(&Word::text(stem), Mode::Over, &own, &Content::Unknown);
            }
        }
    }
}

/// Whether a file is the standard input.
fn is_input(file: &Word) -> bool {
    file.known().is_some_and(|name| descriptor_number(name) == Some(0))
}

fn is_line(text: &Word) -> bool {
    let known: String = text.parts.iter().filter_map(Part::text).collect();
    !known.trim_end_matches('\n').contains('\n')
}
