//! Reads the table `[project]` of a record.

use super::super::project::{ProjectTable, TASKS};
use super::{RecordReader, TomlKey, TomlValue, sorted};

impl RecordReader<'_> {
    /// Reads the table `[project]`: how a program uses the project in its working directory.
    pub(super) fn project(&mut self, key: &TomlKey<'_>, value: &TomlValue<'_>) -> ProjectTable {
        let mut project = ProjectTable { place: self.source_place(&key.span()), ..ProjectTable::default() };
        for (key, value) in self.table(key, value).into_iter().flat_map(sorted) {
            match &**key.get_ref() {
                "checks" => project.checks = self.condition(key, value),
                "tasks" => project.tasks = self.keyword(key, value, TASKS),
                "code" => project.runs_code = self.is_true(key, value),
                "files" => project.files = self.names(key, value),
                "fails-with" => project.fails_with = Some(self.count(key, value)),
                "packages" => project.packages = self.names(key, value),
                "package-operand" => project.has_package_operand = self.is_true(key, value),
                "every-package" => project.every_package = self.condition(key, value),
                word => self.report_at(&key.span(), format!("unknown key `{word}`"), KEYS),
            }
        }
        project
    }
}

/// The keys of the table `[project]`, for the advice about an unknown key.
const KEYS: &str = "`project` has checks, tasks, code, files, fails-with, packages, package-operand, every-package";
