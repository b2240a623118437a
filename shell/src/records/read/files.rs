//! Reads the table `[files]` of a record.

use super::super::files::{CONTENTS, FileOperandSelection, FilesTable, FilesTableOperands, USES, VALUE_USES, WHICH};
use super::{RecordReader, TomlKey, TomlValue, report, sorted};

impl RecordReader<'_> {
    /// Reads the table `[files]`: what a program does to files.
    pub(super) fn files(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> FilesTable {
        let mut files = FilesTable { place: self.source_place(&key.span()), ..FilesTable::default() };
        for (key, value) in self.table(key, value).into_iter().flat_map(sorted) {
            match &**key.get_ref() {
                "recursive" => files.recursive = self.names(key, value),
                "follows" => files.follows = self.names(key, value),
                "idle" => files.idle = self.names(key, value),
                "instead" => files.instead = self.names(key, value),
                "empties" => files.empties = self.names(key, value),
                "skip" => files.skip = self.count(key, value),
                "partly" => files.is_partial = self.is_true(key, value),
                "content" => files.content = self.keyword(key, value, CONTENTS),
                "edits" => files.edits = self.is_true(key, value),
                "streams" => files.streams = self.is_true(key, value),
                "collects" => files.collects = self.is_true(key, value),
                "unpacks" => files.unpacks = self.names(key, value),
                "variables" => files.variables = self.names_by_keyword(key, value, USES),
                "values" => files.values = self.names_by_keyword(key, value, VALUE_USES),
                "by" => {
                    let function = self.function(key, value, "src/files").map(FilesTableOperands::By);
                    self.operands(&mut files, key, function);
                }
                word => match USES.iter().find(|(name, _)| *name == word) {
                    Some((_, file_use)) => {
                        let which =
                            self.operand_selection(key, value).map(|which| FilesTableOperands::Files(which, file_use));
                        self.operands(&mut files, key, which);
                    }
                    None => self.report_at(&key.span(), format!("unknown key `{word}`"), KEYS),
                },
            }
        }
        if !files.instead.is_empty()
            && !matches!(files.operands, FilesTableOperands::Files(FileOperandSelection::Rest, _))
        {
            let help = "write `reads = \"rest\"`, or the like";
            report(self.mistakes, &files.place, "`instead` needs operands that are `\"rest\"`", help);
        }
        files
    }

    /// Sets what the operands are, and reports a second definition.
    fn operands(&mut self, files: &mut FilesTable, key: &TomlKey<'_>, operands: Option<FilesTableOperands>) {
        if files.operands != FilesTableOperands::None {
            self.report_duplicate(key, "what becomes of the operands");
        }
        files.operands = operands.unwrap_or_default();
    }

    /// Reads which operands are files: `operands`, `first` or `rest`.
    fn operand_selection(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> Option<FileOperandSelection> {
        let word = self.string(key, value)?;
        let found = WHICH.iter().find(|(name, _)| *name == word);
        if found.is_none() {
            let help = "write one of operands, first, rest, and options under `[files.values]`";
            self.report_at(&value.span(), format!("unknown operands `{word}`"), help);
        }
        found.map(|(_, which)| *which)
    }

    /// Reads the path, `module::function`, of a function in a directory. Its form is checked, because the build script
    /// writes it into Rust code unchanged.
    pub(super) fn function(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>, directory: &str) -> Option<String> {
        let path = self.string(key, value)?;
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        let is_path = path.split("::").count() == 2
            && path.split("::").all(|name| is_name(name.trim_end_matches(|c: char| c.is_ascii_digit())));
        if !is_path {
            let help = "write its module and its name: `module::function`";
            self.report_at(&value.span(), format!("`{path}` is no function of {directory}"), help);
        }
        is_path.then_some(path)
    }

    /// Reads a table that has a list of names for each of some keywords. Returns the lists, each with the Rust name
    /// that `kinds` has for its keyword.
    pub(super) fn names_by_keyword(
        &mut self,
        key: &TomlKey<'_>,
        value: &TomlValue<'_>,
        kinds: &[(&str, &'static str)],
    ) -> Vec<(&'static str, Vec<String>)> {
        let mut found = Vec::new();
        for (kind, names) in self.table(key, value).into_iter().flat_map(sorted) {
            let word: &str = kind.get_ref();
            match kinds.iter().find(|(name, _)| *name == word) {
                Some((_, rust)) => found.push((*rust, self.names(kind, names))),
                None => {
                    let kinds: Vec<_> = kinds.iter().map(|(name, _)| *name).collect();
                    let help = format!("`{}` has {}", key.get_ref(), kinds.join(", "));
                    self.report_at(&kind.span(), format!("unknown key `{word}`"), help);
                }
            }
        }
        found
    }
}

/// The keys of the table `[files]`, for the advice about an unknown key.
const KEYS: &str = "`files` has reads, writes, deletes, changes, by, skip, instead, recursive, follows, idle, empties, partly, content, edits, \
     streams, collects, unpacks, values, variables";
