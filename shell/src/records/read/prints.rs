//! Reads the table `[prints]` of a record.

use super::super::prints::{GENERATES, KINDS, PrintsTable};
use super::{RecordReader, TomlKey, TomlValue, sorted};

impl RecordReader<'_> {
    /// Reads the table `[prints]`: what is known of a program's output.
    pub(super) fn prints_table(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> PrintsTable {
        let mut prints = PrintsTable { place: self.source_place(&key.span()), ..PrintsTable::default() };
        for (key, value) in self.table(key, value).into_iter().flat_map(sorted) {
            match &**key.get_ref() {
                "by" => prints.by = self.function(key, value, "src/prints.rs"),
                "data" => prints.is_data = self.is_true(key, value),
                word => {
                    let among = |words: &[(&str, &'static str)]| {
                        words.iter().find(|(name, _)| *name == word).map(|(_, rust)| *rust)
                    };
                    match (among(KINDS), among(GENERATES)) {
                        (Some(rust), _) => prints.commands.push((rust, self.names(key, value))),
                        (None, Some(rust)) => prints.generates.push((rust, self.names(key, value))),
                        (None, None) => self.report_at(&key.span(), format!("unknown key `{word}`"), KEYS),
                    }
                }
            }
        }
        prints
    }
}

/// The keys of the table `[prints]`, for the advice about an unknown key.
const KEYS: &str = "`prints` has name, plain, temporary-file, temporary-directory, data, settings, environment, by";
