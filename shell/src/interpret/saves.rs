//! Files that a command writes because its words say so: `tee f`, `curl -o f`, `sort -o f`, `cp a f`.

use super::simple::Made;
use super::{Frame, output};
use crate::argv::base_name;
use crate::files::written_by_words;
use crate::state::Mode;
use crate::stream::{Content, Value, Writer, add};
use crate::word::{Part, Word};

/// Programs that make a text of others, in a file that their words name.
const WRITERS: &[&str] = &[
    "awk",
    "base32",
    "base64",
    "basenc",
    "csplit",
    "find",
    "gawk",
    "gfind",
    "gsed",
    "gsort",
    "iconv",
    "mawk",
    "nawk",
    "openssl",
    "patch",
    "sed",
    "shuf",
    "sort",
    "split",
    "uniq",
    "xxd",
    "Invoke-RestMethod",
    "Invoke-WebRequest",
    "Start-BitsTransfer",
];

/// Programs that make a program of sources.
const COMPILERS: &[&str] = &["c++", "c89", "c99", "cc", "clang", "clang++", "g++", "gcc", "ghc", "rustc", "tcc"];

/// Programs that fetch sources.
const FETCHERS: &[&str] = &["curl", "wget", "Invoke-RestMethod", "Invoke-WebRequest", "Start-BitsTransfer"];

/// Editors of files that are there already, and interpreters that may be told to be one.
const EDITORS: &[&str] = &["ed", "ex", "gsed", "patch", "perl", "ruby", "sed", "vi", "vim"];

/// Programs that put what a file holds, and is packed, in a file without the end of its name.
const UNPACKERS: &[(&str, &[&str])] = &[
    ("gunzip", &[".gz", ".Z"]),
    ("gzip", &[".gz"]),
    ("uncompress", &[".Z"]),
    ("unxz", &[".xz"]),
    ("xz", &[".xz"]),
    ("bunzip2", &[".bz2"]),
    ("bzip2", &[".bz2"]),
    ("unzstd", &[".zst"]),
    ("zstd", &[".zst"]),
    ("unlz4", &[".lz4"]),
    ("lz4", &[".lz4"]),
];

impl Frame<'_> {
    /// Notes the files that a command writes by its own words.
    pub(super) fn saves(&mut self, made: &Made<'_>) {
        let Some(name) = made.name() else { return };
        let name = base_name(name);
        let words: Vec<&Word> = made.values.iter().skip(1).map(|value| &value.word).collect();
        match name {
            "tee" | "sponge" => {
                let appends = words.iter().any(|word| matches!(word.known(), Some("-a" | "--append")));
                let mode = if appends { Mode::Behind } else { Mode::Over };
                let from = self.interpreter.with_passed(&[made.id]);
                for file in operands(&words) {
                    self.write(file, mode, &from, &made.input.content);
                }
            }
            "curl" | "wget" | "dd" => {
                let from = self.interpreter.with_passed(&[made.id]);
                let mut files = output::saved(name, &words);
                // Options name a directory too.
                files.extend(self.interpreter.commands.get(made.id.0).map(written_by_words).unwrap_or_default());
                for file in files {
                    self.write(&file, Mode::Over, &from, &Content::Unknown);
                }
            }
            "cp" | "mv" | "install" | "ln" | "rsync" | "link" => self.copied(made, &words),
            "Set-Content" | "Add-Content" | "Out-File" | "Tee-Object" | "New-Item" => {
                self.written_by_cmdlet(made, name)
            }
            _ if WRITERS.contains(&name) => self.written_text(made, name),
            _ if COMPILERS.contains(&name) => self.compiled(made, &words),
            _ => {}
        }
        if self.interpreter.written.is_empty() {
            return;
        }
        if EDITORS.contains(&name) {
            self.edited(made, &words);
        }
        if let Some((_, ends)) = UNPACKERS.iter().find(|(own, _)| *own == name) {
            self.unpacked(made, &words, ends);
        }
    }

    /// `cp a f`, `install /dev/stdin f`, `ln -s a f`
    fn copied(&mut self, made: &Made<'_>, words: &[&Word]) {
        let is_into = |word: &&&Word| matches!(word.known(), Some("-t" | "--target-directory"));
        let at = words.iter().position(|word| is_into(&word));
        let attached = words.iter().find_map(|word| word.after("--target-directory="));
        let into = at.and_then(|at| words.get(at + 1).copied().cloned()).or(attached);
        let operands: Vec<&Word> = operands(words).filter(|word| into.as_ref() != Some(*word)).collect();
        self.copies_programs(&operands, into.as_ref());
        self.copies(&operands, into.as_ref());
        if let [.., source, target] = operands.as_slice()
            && into.is_none()
            && (is_input(source) || self.process_of(source).is_some())
        {
            let input = if is_input(source) { (*made.input).clone() } else { self.read_from(source) };
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

    /// What it holds is not known; a single line stays what it is, however it is sorted.
    fn written_text(&mut self, made: &Made<'_>, name: &str) {
        let Some(command) = self.interpreter.commands.get(made.id.0) else { return };
        let files = written_by_words(command);
        let content = match &made.input.content {
            Content::Known(text) if matches!(name, "sort" | "shuf" | "uniq") && is_line(&text.word) => {
                made.input.content.clone()
            }
            _ => Content::Unknown,
        };
        let from = self.interpreter.with_passed(&[made.id]);
        for file in files {
            // What is changed in place was there before.
            if !EDITORS.contains(&name) || !made.values.iter().any(|value| value.word == file) {
                self.write(&file, Mode::Over, &from, &content);
            }
        }
    }

    /// What is made of fetched sources is as little known as they are.
    fn compiled(&mut self, made: &Made<'_>, words: &[&Word]) {
        let mut from: Vec<Writer> = made.input.from.clone();
        for file in operands(words) {
            from.extend(self.written(file).into_iter().flat_map(|written| &written.from));
        }
        let is_fetched = from
            .iter()
            .filter_map(|writer| writer.command())
            .any(|id| self.interpreter.name(id).is_some_and(|name| FETCHERS.contains(&base_name(name))));
        let Some(command) = self.interpreter.commands.get(made.id.0).filter(|_| is_fetched) else { return };
        let files = written_by_words(command);
        let mut all = self.interpreter.with_passed(&[made.id]);
        add(&mut all, &from);
        for file in files {
            self.write(&file, Mode::Over, &all, &Content::Unknown);
        }
    }

    /// What the text wrote itself is something else behind an editor.
    fn edited(&mut self, made: &Made<'_>, words: &[&Word]) {
        let from = self.interpreter.with_passed(&[made.id]);
        let known: Vec<&Word> = words.iter().copied().filter(|word| self.written(word).is_some()).collect();
        for file in known {
            self.write(file, Mode::Behind, &from, &Content::Unknown);
        }
    }

    fn unpacked(&mut self, made: &Made<'_>, words: &[&Word], ends: &[&str]) {
        let own: Vec<Writer> = self.interpreter.with_passed(&[made.id]);
        for file in operands(words) {
            let stem = file.known().and_then(|name| ends.iter().find_map(|end| name.strip_suffix(end)));
            if let Some(stem) = stem.filter(|stem| !stem.is_empty() && self.written(file).is_some()) {
                self.write(&Word::text(stem), Mode::Over, &own, &Content::Unknown);
            }
        }
    }
}

fn operands<'w>(words: &[&'w Word]) -> impl Iterator<Item = &'w Word> {
    words.iter().copied().filter(|word| !word.prefix().starts_with('-'))
}

/// Tells whether a file is the standard input.
fn is_input(file: &Word) -> bool {
    matches!(file.known(), Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0"))
}

fn is_line(text: &Word) -> bool {
    let known: String = text.parts.iter().filter_map(Part::text).collect();
    !known.trim_end_matches('\n').contains('\n')
}
