//! Calls that have ended. The files that they deleted no longer exist, so a search finds only those that are left.

use super::{TouchLocation, TouchReach, TouchedFile};
use crate::context::{Reason, ShellText};
use hookrules_shell::analysis::SimpleCommand;
use hookrules_shell::files::{FileAccess, Verb};
use hookrules_shell::path::PathShape;
use hookrules_shell::{Analysis, file_accesses};

impl ShellText {
    /// Returns the files that a command may have deleted whose names a glob matched before the call.
    pub(super) fn deleted_by_glob(&self, analysis: &Analysis, with_globs: &SimpleCommand) -> Vec<FileAccess> {
        if !self.has_ended {
            return Vec::new();
        }
        let accesses = file_accesses(analysis, with_globs).into_iter();
        accesses.filter(|access| access.verb == Verb::Deletes).collect()
    }

    /// Returns the files that a search of the call may have found and deleted; `None` if it deleted none.
    pub(super) fn deleted_by_search(&self, access: &FileAccess, touched: &TouchedFile) -> Option<TouchedFile> {
        if !self.has_ended || access.verb != Verb::Deletes {
            return None;
        }
        let (TouchLocation::Path(path), TouchReach::Below(_) | TouchReach::MatchingGlob(_)) =
            (&touched.location, &touched.reach)
        else {
            return None;
        };
        let word = access.path.display_text();
        let why = Reason::deleted_files(&word);
        let location = TouchLocation::OneOf { shape: PathShape::new(Some(path), []), why, word };
        Some(TouchedFile { location, ..touched.clone() })
    }
}
