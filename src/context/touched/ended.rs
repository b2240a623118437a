//! Calls that have ended. The files that they deleted no longer exist, so a search finds only those that are left.

use super::{TouchLocation, TouchReach, TouchedFile};
use crate::context::{Reason, ShellText};
use hookrules_shell::analysis::{CommandId, SimpleCommand};
use hookrules_shell::files::{FileAccess, Verb};
use hookrules_shell::path::PathShape;
use hookrules_shell::{Analysis, file_accesses};

impl ShellText {
    /// Returns the files that a command may have deleted whose names a glob matched before the call.
    pub(super) fn deleted_by_glob(
        &self,
        analysis: &Analysis,
        id: CommandId,
        with_globs: &SimpleCommand,
    ) -> Vec<(CommandId, FileAccess)> {
        if !self.has_ended {
            return Vec::new();
        }
        let deletions = file_accesses(analysis, with_globs).into_iter().filter(|access| access.verb == Verb::Deletes);
        deletions.map(|access| (id, access)).collect()
    }

    /// Returns the files that a search of the call may have found and deleted; `None` if it deleted none.
    pub(super) fn deleted_by_search(&self, access: &FileAccess, touched: &TouchedFile) -> Option<TouchedFile> {
        let (TouchLocation::Path(path), TouchReach::Below(_) | TouchReach::MatchingGlob(_)) =
            (&touched.location, &touched.reach)
        else {
            return None;
        };
        let location = || TouchLocation::OneOf {
            shape: PathShape::new(Some(path), []),
            why: Reason::deleted_files(&access.path.display_text()),
            word: access.path.display_text(),
        };
        let is_deletion = self.has_ended && access.verb == Verb::Deletes;
        is_deletion.then(|| TouchedFile { location: location(), ..touched.clone() })
    }
}
