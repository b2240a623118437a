//! Programs that the text copies or links to another name: `cp /usr/bin/git x; ./x push`.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::Frame;
use super::simple::ExpandedCommand;
use crate::argv::program_name;
use crate::nested::{self, NestedCommand, Runnable};
use crate::path::join;
use crate::state::ProgramLookup;
use crate::word::{Cause, Unknown, Word};

/// The maximum number of copies that are tracked.
const MAX_COPIES: usize = 256;

/// The maximum length of the path of a copy, in bytes.
const MAX_PATH_LENGTH: usize = 4096;

impl Frame<'_> {
    /// Records under which paths a command copies programs or links to them. `target_directory` is the value of the
    /// option of that name.
    pub(super) fn record_program_copies(&mut self, operands: &[&Word], target_directory: Option<&Word>) {
        let (target, sources) = match (target_directory, operands.split_last()) {
            (Some(target_directory), _) => (target_directory, operands),
            // `ln -s /usr/bin/git` links into the current directory under the same name: nothing is renamed.
            (None, Some((_, [])) | None) => return,
            (None, Some((target, sources))) => (*target, sources),
        };
        let Some(target) = self.state.resolve(target) else { return };
        for source in sources {
            let source_path = self.state.resolve(source);
            let mut copies: Vec<(PathBuf, Word)> = Vec::new();
            // The source may be a copy itself, or a directory with copies.
            if let Some(source_path) = &source_path {
                self.interpreter.spend(self.interpreter.program_copies.len() / 8);
                for (copied_path, program) in self.interpreter.program_copies.range(source_path.clone()..) {
                    let Ok(below) = copied_path.strip_prefix(source_path) else { break };
                    let paths = copy_paths(&target, source_path.file_name().and_then(|name| name.to_str()));
                    let copy = |path: PathBuf| if below == Path::new("") { path } else { join(&path, below) };
                    copies.extend(paths.into_iter().map(|path| (copy(path), program.clone())));
                }
            }
            if copies.is_empty() {
                let program = Word { span: None, ..(*source).clone() };
                copies
                    .extend(copy_paths(&target, program_name(source)).into_iter().map(|path| (path, program.clone())));
            }
            for (path, program) in copies {
                if self.interpreter.program_copies.len() >= MAX_COPIES
                    || path.as_os_str().len() > MAX_PATH_LENGTH
                    || !self.interpreter.spend(16)
                {
                    return;
                }
                Rc::make_mut(&mut self.interpreter.program_copies).insert(path, program);
            }
        }
    }

    /// Returns the command as a call of the original program; `None` if its program is not a copy under another name.
    pub(super) fn copied_program(&mut self, command: &ExpandedCommand<'_>) -> Option<NestedCommand> {
        if self.interpreter.program_copies.is_empty() {
            return None;
        }
        let name = &command.values.first()?.word;
        let name_as_written = name.known_text()?;
        let program = if name_as_written.contains('/') {
            self.interpreter.program_copies.get(&self.state.resolve(name)?)?
        } else {
            self.interpreter.spend(self.interpreter.program_copies.len() / 4);
            let is_in_search_path = |path: &Path| {
                self.state.lookup == ProgramLookup::Changed
                    || path.parent().and_then(Path::file_name).is_some_and(|directory| directory == "bin")
            };
            let is_called = |path: &Path| {
                path.file_name().is_some_and(|file_name| file_name == name_as_written) && is_in_search_path(path)
            };
            self.interpreter.program_copies.iter().find(|(path, _)| is_called(path)).map(|(_, program)| program)?
        };
        if program_name(program) == Some(name_as_written.rsplit('/').next().unwrap_or(name_as_written)) {
            return None;
        }
        let mut words = vec![program.clone()];
        words.extend(command.values.iter().skip(1).map(|value| value.word.clone()));
        let doubt = Some(Unknown::new(Cause::EarlierCommand, name_as_written));
        Some(NestedCommand { runnable: Runnable::Argv(words), setting: nested::NestedSetting::default(), doubt })
    }
}

/// Returns the possible paths of a copy: the target itself, and the file of this name in the target directory.
fn copy_paths(target: &Path, name: Option<&str>) -> Vec<PathBuf> {
    let in_target = name.map(|name| join(target, name.as_ref()));
    [Some(target.to_path_buf()), in_target].into_iter().flatten().collect()
}
