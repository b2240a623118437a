//! Reads the table `[project]` of a record.

use super::super::project::{Project, TASKS};
use super::{Key, RecordReader, Value, sorted};

impl RecordReader<'_> {
    /// Reads how a program uses the project in its working directory.
    pub(super) fn project(&mut self, key: &Key<'_>, value: &Value<'_>) -> Project {
        let mut project = Project { place: self.place(&key.span()), ..Project::default() };
        for (key, value) in self.table(key, value).into_iter().flat_map(sorted) {
            match &**key.get_ref() {
                "checks" => project.checks = self.when(key, value),
                "tasks" => project.tasks = self.one_of(key, value, TASKS),
                "code" => project.runs_code = self.is_true(key, value),
                "files" => project.files = self.names(key, value),
                "fails-with" => project.fails_with = Some(self.count(key, value)),
                word => self.bad(&key.span(), format!("unknown key `{word}`"), KEYS),
            }
        }
        project
    }
}

/// The keys of the table.
const KEYS: &str = "`project` has checks, tasks, code, files, fails-with";
