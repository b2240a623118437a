//! The user's view: the host in a terminal.

use crate::api::Turn;
use crate::case::{Case, Expect, MAIN, Step, bash, case};
use crate::host::Version;

/// The model's text at the end of its turn.
pub(super) const END: &str = "END-OF-TURN";

/// Returns the steps that type a text into the prompt field, send it, and wait for the text that follows.
pub(super) fn sends(text: &'static str, follows: &'static str) -> [Step; 3] {
    [Step::Sees("❯"), Step::TypesUntil(text, text), Step::TypesUntil("\r", follows)]
}

/// Returns a case in which the model creates a file unless it is stopped.
fn touching(name: &'static str, policy: &'static str) -> Case {
    case(name).policy(policy).model([bash("touch made"), Turn::Says(END)])
}

pub(super) fn cases() -> Vec<Case> {
    const ASK: &str = "rule sure {\n  on PreToolUse(Bash)\n  ask \"MARK-ASK\"\n}\n";
    vec![
        touching("the_user_sees_a_denial", "rule no {\n  on PreToolUse(Bash)\n  deny \"MARK-DENY\"\n}\n")
            .person([&sends(MAIN, END)[..], &[Step::Sees("MARK-DENY")]].concat())
            .expects([Expect::Absent("made"), Expect::Told(MAIN, "MARK-DENY")]),
        touching("the_user_is_asked_and_says_yes", ASK)
            .person([&sends(MAIN, "MARK-ASK")[..], &[Step::Sees("1. Yes"), Step::TypesUntil("1", END)]].concat())
            .expects([Expect::Made("made")]),
        touching("the_user_is_asked_and_says_no", ASK)
            .person(
                [&sends(MAIN, "MARK-ASK")[..], &[Step::Sees("1. Yes"), Step::TypesUntil("\u{1b}", "nterrupted")]]
                    .concat(),
            )
            .expects([Expect::Absent("made"), Expect::Requests(MAIN, 1)]),
        // In print mode the process ends with the change, and the context is lost.
        case("a_context_follows_a_change_of_the_model")
            .versions(&[Version::New])
            .policy("rule model {\n  on PostModelSwitch\n  context \"CONTEXT-MODEL\"\n}\n")
            .model([Turn::Says(END)])
            .person([sends("/model sonnet", "Set model"), sends(MAIN, END)].concat())
            .expects([Expect::Told(MAIN, "CONTEXT-MODEL")]),
        touching("the_user_sees_a_warning", "rule note {\n  on PreToolUse(Bash)\n  warn \"MARK-WARN\"\n}\n")
            .person([&sends(MAIN, END)[..], &[Step::Sees("MARK-WARN")]].concat())
            .expects([Expect::Made("made"), Expect::NeverTold("MARK-WARN")]),
    ]
}
