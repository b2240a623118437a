//! Reads the table `[runs]` of a record.

use toml::de::DeTable;

use super::super::runs::{COMMANDS, FUNCTIONS, OptionCondition, RunsTable, SCOPES, VALUES};
use super::{RecordReader, TomlKey, TomlValue, sorted};

impl RecordReader<'_> {
    /// Reads the table `[runs]`: which words of a program are commands or code.
    pub(super) fn runs(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> RunsTable {
        let mut runs = RunsTable { place: self.source_place(&key.span()), ..RunsTable::default() };
        for (key, value) in self.table(key, value).into_iter().flat_map(sorted) {
            match &**key.get_ref() {
                "command" => {
                    let form = self.keyword(key, value, COMMANDS).map(str::to_owned);
                    self.set_form(&mut runs, key, form);
                }
                "program" => runs.program = self.string(key, value),
                "skip" => runs.skip = self.count(key, value),
                "loads" => runs.loads = self.names(key, value),
                "idle" => runs.idle = self.names(key, value),
                "sets" => runs.sets = self.names(key, value),
                "removes" => runs.removes = self.names(key, value),
                "enters" => runs.enters = self.names(key, value),
                "mounts" => runs.mounts = self.names(key, value),
                "roots" => runs.roots = self.names(key, value),
                "root-operand" => runs.has_root_operand = self.is_true(key, value),
                "shares" => {
                    runs.shares = self.condition(key, value);
                    if matches!(runs.shares, OptionCondition::With(_)) {
                        let help = "write `true` or `{ without = [\"-c\"] }`";
                        self.report_at(&value.span(), "`shares` has no `with`".to_owned(), help);
                    }
                }
                "project" => runs.project = self.string(key, value),
                "shell" => runs.is_shell = self.is_true(key, value),
                "assigns" => runs.assigns = self.is_true(key, value),
                "on" => runs.scope = self.keyword(key, value, SCOPES),
                "elsewhere" => runs.elsewhere = self.condition(key, value),
                "background" => runs.background = self.condition(key, value),
                "repeats" => runs.repeats = self.is_true(key, value),
                "closes-files" => runs.closes_files = self.is_true(key, value),
                "by-name" => runs.by_name = self.is_true(key, value),
                "in-this-shell" => runs.in_this_shell = self.is_true(key, value),
                "input-by" => runs.input = self.function(key, value, "src/nested"),
                "values" => runs.values = self.names_by_keyword(key, value, VALUES),
                word => match FUNCTIONS.iter().find(|(name, _)| *name == word) {
                    Some((_, form)) => {
                        let path = self.function(key, value, "src/nested");
                        self.set_form(&mut runs, key, path.map(|path| format!("{form}({path})")));
                    }
                    None => self.report_at(&key.span(), format!("unknown key `{word}`"), KEYS),
                },
            }
        }
        runs
    }

    /// Sets what the operands are, and reports a second definition.
    fn set_form(&mut self, runs: &mut RunsTable, key: &TomlKey<'_>, form: Option<String>) {
        if runs.form.is_some() {
            self.report_duplicate(key, "what the operands are");
        }
        runs.form = form;
    }

    /// Reads a number from 1 to 9. Any other value is reported, and results in 0.
    pub(super) fn count(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> i64 {
        let found = value.get_ref().as_integer().and_then(|number| number.as_str().parse::<i64>().ok());
        let found = found.filter(|number| (1..=9).contains(number));
        if found.is_none() {
            let key = key.get_ref();
            self.report_at(
                &value.span(),
                format!("`{key}` expects a number from 1 to 9"),
                format!("write `{key} = 1`"),
            );
        }
        found.unwrap_or_default()
    }

    /// Reads a condition on the options of a command: `true`, `{ with = ["-f"] }` or `{ without = ["-f"] }`. Any other
    /// value is reported, and results in a condition that never holds.
    pub(super) fn condition(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> OptionCondition {
        if value.get_ref().as_bool() == Some(true) {
            return OptionCondition::Always;
        }
        let single_entry = value.get_ref().as_table().filter(|table| table.len() == 1);
        let entry = single_entry.and_then(|table: &DeTable<'_>| table.iter().next());
        match entry.map(|(key, options)| (key, options, &**key.get_ref())) {
            Some((key, options, "with")) => OptionCondition::With(self.names(key, options)),
            Some((key, options, "without")) => OptionCondition::Without(self.names(key, options)),
            _ => {
                let message = format!("`{}` expects `true` or options", key.get_ref());
                let help = "write `true`, `{ with = [\"-f\"] }` or `{ without = [\"-f\"] }`";
                self.report_at(&value.span(), message, help);
                OptionCondition::Never
            }
        }
    }
}

/// The keys of the table `[runs]`, for the advice about an unknown key.
const KEYS: &str = "`runs` has command, program, by, code-by, all-by, input-by, skip, loads, idle, values, sets, removes, enters, \
                    mounts, roots, root-operand, shares, project, shell, assigns, on, elsewhere, background, repeats, closes-files, by-name, in-this-shell";
