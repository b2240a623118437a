//! Programs that the text copies or links to another name: `cp /usr/bin/git x; ./x push`.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::Frame;
use super::simple::ExpandedCommand;
use crate::argv::program_name;
use crate::nested::{self, NestedCommand, Runnable};
use crate::state::ProgramLookup;
use crate::word::{Cause, Unknown, Word};

/// The maximum number of copies that are tracked, and the longest path of a copy.
const MOST: usize = 256;
const LONGEST_PATH: usize = 4096;

impl Frame<'_> {
    /// Records copies of programs and links to them, under their new paths. `into` is the value of
    /// `--target-directory`.
    pub(super) fn copies_programs(&mut self, operands: &[&Word], into: Option<&Word>) {
        let (target, sources) = match (into, operands.split_last()) {
            (Some(into), _) => (into, operands),
            // `ln -s /usr/bin/git` links into the current directory under the same name: nothing is renamed.
            (None, Some((_, [])) | None) => return,
            (None, Some((target, sources))) => (*target, sources),
        };
        let Some(target) = self.state.resolve(target) else { return };
        for source in sources {
            let path = self.state.resolve(source);
            let mut found: Vec<(PathBuf, Word)> = Vec::new();
            if let Some(path) = &path {
                self.interpreter.spend(self.interpreter.program_copies.len() / 8);
                for (known, program) in self.interpreter.program_copies.range(path.clone()..) {
                    let Ok(below) = known.strip_prefix(path) else { break };
                    let places = copy_paths(&target, path.file_name().and_then(|name| name.to_str()));
                    let copy = |place: PathBuf| if below == Path::new("") { place } else { place.join(below) };
                    found.extend(places.into_iter().map(|place| (copy(place), program.clone())));
                }
            }
            if found.is_empty() {
                let program = Word { span: None, ..(*source).clone() };
                found.extend(
                    copy_paths(&target, program_name(source)).into_iter().map(|place| (place, program.clone())),
                );
            }
            for (place, program) in found {
                if self.interpreter.program_copies.len() >= MOST
                    || place.as_os_str().len() > LONGEST_PATH
                    || !self.interpreter.spend(16)
                {
                    return;
                }
                Rc::make_mut(&mut self.interpreter.program_copies).insert(place, program);
            }
        }
    }

    /// Returns the command as a call of the original program, if its program is a copy under another name.
    pub(super) fn copied_program(&mut self, made: &ExpandedCommand<'_>) -> Option<NestedCommand> {
        if self.interpreter.program_copies.is_empty() {
            return None;
        }
        let name = &made.values.first()?.word;
        let known = name.known_text()?;
        let program = if known.contains('/') {
            self.interpreter.program_copies.get(&self.state.resolve(name)?)?
        } else {
            self.interpreter.spend(self.interpreter.program_copies.len() / 4);
            let is_found = |place: &Path| {
                self.state.lookup == ProgramLookup::Changed
                    || place.parent().and_then(Path::file_name).is_some_and(|directory| directory == "bin")
            };
            let is_meant = |place: &Path| place.file_name().is_some_and(|own| own == known) && is_found(place);
            self.interpreter.program_copies.iter().find(|(place, _)| is_meant(place)).map(|(_, program)| program)?
        };
        if program_name(program) == Some(known.rsplit('/').next().unwrap_or(known)) {
            return None;
        }
        let mut words = vec![program.clone()];
        words.extend(made.values.iter().skip(1).map(|value| value.word.clone()));
        let doubt = Some(Unknown::new(Cause::EarlierCommand, known));
        Some(NestedCommand { runnable: Runnable::Argv(words), setting: nested::NestedSetting::default(), doubt })
    }
}

/// Returns the possible paths of a copy: the target itself, and the file of this name in the target directory.
fn copy_paths(target: &Path, name: Option<&str>) -> Vec<PathBuf> {
    let held = name.map(|name| target.join(name));
    [Some(target.to_path_buf()), held].into_iter().flatten().collect()
}
