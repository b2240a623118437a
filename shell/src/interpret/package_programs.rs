//! Programs of packages whose files an interpreter runs from the directory of the package: `cd
//! node_modules/prisma/build && node index.js`.

use std::path::PathBuf;

use super::Frame;
use super::simple::ExpandedCommand;
use crate::nested::{self, CodeSource, NestedCommand, Runnable};
use crate::path::join;
use crate::word::{Directory, Word};

impl Frame<'_> {
    /// Returns the programs of packages whose files a command runs by relative paths, because it works in the directory
    /// of the package: `cd node_modules/prisma/build && node index.js`.
    pub(super) fn installed_programs(
        &self,
        command: &ExpandedCommand<'_>,
        nested: &[NestedCommand],
    ) -> Vec<NestedCommand> {
        let is_in_package = |path: &&PathBuf| path.iter().any(|name| name == "node_modules");
        let Some(directory) = directory_path(&self.state.cwd).filter(is_in_package) else { return Vec::new() };
        let of_file = |inner: &NestedCommand| {
            let Runnable::Foreign(CodeSource::File(file)) = &inner.runnable else { return Vec::new() };
            let Some(name) = file.known_text().filter(|name| !name.starts_with('/')) else { return Vec::new() };
            let at =
                command.values.iter().position(|value| value.word == *file).map_or(command.values.len(), |at| at + 1);
            let arguments: Vec<Word> = command.values.iter().skip(at).map(|value| value.word.clone()).collect();
            let path = join(directory, name.as_ref()).to_string_lossy().into_owned();
            nested::installed_program(&Word::text(path), &arguments, &inner.setting)
        };
        nested.iter().flat_map(of_file).collect()
    }
}

/// Returns the path of a directory, if it is known.
fn directory_path(directory: &Directory) -> Option<&PathBuf> {
    match directory {
        Directory::Known(path) => Some(path),
        Directory::Unknown(_) => None,
    }
}
