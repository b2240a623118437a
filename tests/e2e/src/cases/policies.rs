//! The location of the policy, and the outcome of calls if it is broken or missing.

use super::calls::NO_MADE;
use crate::case::{Case, Expect, MAIN, bash, case};
use crate::registration::Place;

pub(super) fn cases() -> Vec<Case> {
    vec![
        case("a_broken_policy_asks_about_every_call")
            .policy("rule no {\n  on PreToolUse(Bash)\n  dney \"No.\"\n}\n")
            .model([bash("touch made")])
            .expects([Expect::Absent("made"), Expect::Denied("Bash"), Expect::Told(MAIN, "dney")]),
        case("without_a_policy_nothing_is_said")
            .model([bash("touch made")])
            .expects([Expect::Made("made"), Expect::NothingDenied]),
        case("a_policy_that_is_required_and_missing_asks")
            .words(&["--require-policy"])
            .model([bash("touch made")])
            .expects([Expect::Absent("made"), Expect::Denied("Bash")]),
        case("an_argument_that_nobody_knows_asks")
            .policy(NO_MADE)
            .words(&["--no-such-option"])
            .model([bash("touch other")])
            .expects([Expect::Absent("other"), Expect::Denied("Bash"), Expect::Told(MAIN, "--no-such-option")]),
        case("a_policy_is_found_from_a_subdirectory")
            .policy(NO_MADE)
            .place(Place::User)
            .directory("sub/deeper")
            .file("sub/deeper/README.md", "Nothing.\n")
            .model([bash("touch made"), bash("touch other")])
            .expects([
                Expect::Absent("sub/deeper/made"),
                Expect::Made("sub/deeper/other"),
                Expect::Denied("Bash"),
                Expect::Told(MAIN, "MARK-DENY"),
            ]),
        case("a_policy_is_in_force_after_a_change_of_the_directory")
            .policy(NO_MADE)
            .file("sub/README.md", "Nothing.\n")
            .model([bash("cd sub"), bash("touch made"), bash("touch other")])
            .expects([
                Expect::Absent("sub/made"),
                Expect::Absent("made"),
                Expect::Denied("Bash"),
                Expect::Told(MAIN, "MARK-DENY"),
            ]),
        case("an_edit_that_breaks_the_policy_is_not_made")
            .policy("rule no {\n  on PreToolUse(Bash)\n  when command contains \"made\"\n  deny \"MARK-DENY\"\n}\n")
            .model([crate::case::write(".rules/project.rules", "rule no {\n"), bash("touch made")])
            .expects([Expect::Holds(".rules/project.rules", "MARK-DENY"), Expect::Absent("made")]),
    ]
}
