//! Settings files that register the program and contain an oddity: the host ignores some of them completely, which
//! `rules doctor` must report.

use hookrules::host_settings::{ROWS, Row};

use super::calls::NO_MADE;
use crate::case::{Case, Expect, bash, case};
use crate::host::Version;

/// The rows that are always played, one of each kind.
const ALWAYS: &[&str] = &[
    "an unknown type",
    "no command",
    "an unknown onFailure",
    "a matcher that is a number",
    "no command on PreSkillShellCommand",
    "no command on Stop",
    "an unknown event",
    "permissions.allow that is a text",
    "an unknown setting",
];

pub(super) fn cases() -> Vec<Case> {
    ROWS.iter().flat_map(in_each_version).collect()
}

/// Returns a case for each version: the report of `rules doctor` depends on it.
fn in_each_version(row: &'static Row) -> Vec<Case> {
    let versions = [&[Version::Old], &[Version::Previous], &[Version::New]];
    let case = |(place, version): (usize, &'static [Version; 1])| {
        let case = case(format!("settings with {}", row.name))
            .versions(version)
            .policy(NO_MADE)
            .settings(row)
            .model([bash("touch made"), bash("touch other")]);
        let case = if ALWAYS.contains(&row.name) { case } else { case.on_demand() };
        if row.is_hook_kept(place) {
            case.expects([Expect::Absent("made"), Expect::Made("other"), Expect::Denied("Bash")])
        } else {
            case.finds_before(&["doctor"]).expects([Expect::Made("made"), Expect::Made("other")])
        }
    };
    versions.into_iter().enumerate().map(case).collect()
}
