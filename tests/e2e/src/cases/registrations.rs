//! The outcome of calls for each form of registration, and if the program is missing or fails.

use super::calls::NO_MADE;
use crate::case::{Case, Expect, MAIN, bash, case};
use crate::host::Version;
use crate::registration::{Binary, Form, Place};

const NEW: &[Version] = &[Version::New];
const OLD: &[Version] = &[Version::Old];

pub(super) fn cases() -> Vec<Case> {
    let denied = || [Expect::Absent("other"), Expect::Denied("Bash")];
    // The hole that a registration in shell form closes: this version treats a failing hook as consent.
    let open = || [Expect::Made("other"), Expect::NothingDenied];
    // PreToolUse only: a blocked prompt or a blocked end of a turn is another matter.
    let other = |name| case(name).policy(NO_MADE).events(&["PreToolUse"]).model([bash("touch other")]);
    vec![
        case("the_shell_form_denies_and_lets_go_like_the_exec_form")
            .policy(NO_MADE)
            .form(Form::Shell)
            .model([bash("touch made"), bash("touch other")])
            .expects([
                Expect::Absent("made"),
                Expect::Made("other"),
                Expect::Denied("Bash"),
                Expect::Told(MAIN, "MARK-DENY"),
            ]),
        other("a_binary_that_is_gone_blocks_in_shell_form").form(Form::Shell).binary(Binary::Gone).expects(denied()),
        other("a_binary_that_crashes_blocks_in_shell_form").form(Form::Shell).binary(Binary::Crashes).expects(denied()),
        other("a_binary_that_fails_blocks_in_shell_form").form(Form::Shell).binary(Binary::Fails).expects(denied()),
        other("a_binary_that_is_gone_blocks_by_on_failure").versions(NEW).binary(Binary::Gone).expects(denied()),
        other("a_binary_that_crashes_blocks_by_on_failure").versions(NEW).binary(Binary::Crashes).expects(denied()),
        other("a_binary_that_fails_blocks_by_on_failure").versions(NEW).binary(Binary::Fails).expects(denied()),
        other("a_version_without_on_failure_lets_go_in_exec_form").versions(OLD).binary(Binary::Gone).expects(open()),
        case("a_binary_that_is_gone_blocks_the_prompt_already")
            .form(Form::Shell)
            .binary(Binary::Gone)
            .model([bash("touch other")])
            .expects([Expect::Absent("other"), Expect::Requests(MAIN, 0)]),
        case("a_registration_of_the_user_and_one_of_the_project_agree")
            .policy("rule once {\n  on PreToolUse(Bash)\n  when command contains \"other\"\n  record \"calls.jsonl\" { tool_name }\n}\nrule no {\n  on PreToolUse(Bash)\n  when command contains \"made\"\n  deny \"MARK-DENY\"\n}\n")
            .place(Place::Both)
            .model([bash("touch made"), bash("touch other")])
            .expects([
                Expect::Absent("made"),
                Expect::Made("other"),
                Expect::Denied("Bash"),
                Expect::Lines("../state/calls.jsonl", 1),
            ]),
        case("the_plugin_guards")
            .policy(NO_MADE)
            .place(Place::Plugin)
            .model([bash("touch made"), bash("touch other")])
            .expects([
                Expect::Absent("made"),
                Expect::Made("other"),
                Expect::Denied("Bash"),
                Expect::Told(MAIN, "MARK-DENY"),
            ]),
        case("the_plugin_blocks_where_the_program_is_not_installed")
            .policy(NO_MADE)
            .place(Place::Plugin)
            .binary(Binary::Gone)
            .model([bash("touch other")])
            .expects([Expect::Absent("other"), Expect::Requests(MAIN, 0)]),
        case("without_a_registration_nothing_is_guarded")
            .policy(NO_MADE)
            .place(Place::Nowhere)
            .model([bash("touch made")])
            .expects([Expect::Made("made"), Expect::NothingDenied]),
    ]
}
