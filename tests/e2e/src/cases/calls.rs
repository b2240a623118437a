//! The outcome of a single call of a tool.

use crate::case::{Case, Expect, MAIN, bash, case, only, read, write};
use crate::host::Version;

/// A policy that denies every call that writes a file `made*`.
pub(super) const NO_MADE: &str = r#"rule no-made {
  on PreToolUse(Bash|Write)
  when writes like "made*"
  deny "MARK-DENY: nothing of that name."
}
"#;

pub(super) fn cases() -> Vec<Case> {
    vec![
        case("a_denied_command_does_not_run")
            .policy(NO_MADE)
            .before(&["check", "{root}/project/.rules"])
            .model([bash("touch made; touch made-too"), bash("touch other")])
            .expects([
                Expect::Absent("made"),
                Expect::Absent("made-too"),
                Expect::Made("other"),
                Expect::Denied("Bash"),
                Expect::Told(MAIN, "MARK-DENY"),
            ]),
        case("a_denied_file_is_not_written")
            .policy(NO_MADE)
            .model([write("made.txt", "text"), write("other.txt", "text")])
            .expects([
                Expect::Absent("made.txt"),
                Expect::Holds("other.txt", "text"),
                Expect::Denied("Write"),
                Expect::Told(MAIN, "MARK-DENY"),
            ]),
        case("a_secret_that_is_not_read_is_in_no_request")
            .policy("rule secrets {\n  on PreToolUse(Read|Bash)\n  when reads like \".env\"\n  deny \"MARK-SECRET\"\n}\n")
            .file(".env", "TOKEN=WHAT-NOBODY-READS\n")
            .model([read(".env"), bash("x=.env; cat $x")])
            .expects([
                Expect::Denied("Read"),
                Expect::Denied("Bash"),
                Expect::Told(MAIN, "MARK-SECRET"),
                Expect::NeverTold("WHAT-NOBODY-READS"),
            ]),
        case("an_ask_that_nobody_answers_is_a_denial")
            .policy("rule sure {\n  on PreToolUse(Bash)\n  ask \"MARK-ASK\"\n}\n")
            .model([bash("touch made")])
            .expects([Expect::Absent("made"), Expect::Denied("Bash"), Expect::Told(MAIN, "MARK-ASK")]),
        case("an_allow_needs_no_other_permission")
            .policy("rule go {\n  on PreToolUse(Write)\n  when path under \"notes\"\n  allow\n}\n")
            .allowed("")
            .model([write("notes/a.txt", "text"), write("other.txt", "text")])
            .expects([Expect::Holds("notes/a.txt", "text"), Expect::Absent("other.txt"), Expect::Denied("Write")]),
        case("a_rewritten_command_runs_instead")
            .policy("rule new {\n  on PreToolUse(Bash)\n  when command == \"touch old\"\n  rewrite tool_input.command = \"touch new\"\n}\n")
            .model([bash("touch old")])
            .expects([Expect::Made("new"), Expect::Absent("old"), Expect::NothingDenied]),
        case("a_rewritten_output_is_what_the_model_reads")
            .policy("rule hide {\n  on PostToolUse(Bash)\n  rewrite tool_response replace /SECRET_[a-z0-9]+/ with \"[MARK-HIDDEN]\"\n}\n")
            .file("secret.txt", "SECRET_abc123\n")
            .model([bash("cat secret.txt")])
            .expects([Expect::Told(MAIN, "MARK-HIDDEN"), Expect::NeverTold("SECRET_abc123"), Expect::NothingDenied]),
        case("exit_2_denies_with_its_text")
            .policy("rule tool {\n  on PreToolUse(Bash)\n  when command contains \"touch\"\n  exit 2 \"MARK-EXIT\"\n}\n")
            .model([bash("touch made")])
            .expects([Expect::Absent("made"), Expect::Denied("Bash"), Expect::Told(MAIN, "MARK-EXIT")]),
        case("a_halt_stops_the_call_and_the_session")
            .policy("rule enough {\n  on PreToolUse(Bash)\n  when command contains \"made\"\n  halt \"MARK-HALT\"\n}\n")
            .model([bash("touch made"), bash("touch later")])
            .expects([
                Expect::Absent("made"),
                // 2.1.197 does not run the call either, but goes on.
                only(Version::New, Expect::Absent("later")),
                only(Version::New, Expect::Requests(MAIN, 1)),
            ]),
        case("a_halt_after_a_call_ends_the_session")
            .policy("rule enough {\n  on PostToolUse(Bash)\n  halt \"MARK-HALT\"\n}\n")
            .model([bash("touch made"), bash("touch later")])
            .expects([Expect::Made("made"), Expect::Absent("later"), Expect::Requests(MAIN, 1)]),
        case("a_warning_is_in_no_request")
            .policy("rule note {\n  on *\n  warn \"MARK-WARN\"\n}\n")
            .model([bash("touch made"), bash("exit 3"), write("a.txt", "text")])
            .expects([Expect::Made("made"), Expect::Made("a.txt"), Expect::NeverTold("MARK-WARN"), Expect::NothingDenied]),
        case("a_command_after_a_call_tells_the_model_of_its_failure")
            .policy("rule lint {\n  on PostToolUse(Write)\n  run \"echo MARK-OUTPUT; exit 1\" { on_fail: context }\n}\n")
            .model([write("a.txt", "text")])
            .expects([Expect::Holds("a.txt", "text"), Expect::Told(MAIN, "MARK-OUTPUT")]),
        case("an_allowed_permission_request_runs")
            .versions(&[Version::New])
            .policy("rule go {\n  on PermissionRequest(Bash)\n  when command contains \"made\"\n  allow\n}\n")
            .allowed("")
            .model([bash("mkdir made"), bash("mkdir other")])
            .expects([Expect::Made("made"), Expect::Absent("other"), Expect::Raised("PermissionRequest", 2)]),
        case("a_denied_permission_request_says_why")
            .versions(&[Version::New])
            .policy("rule no {\n  on PermissionRequest(Bash)\n  deny \"MARK-REQUEST\"\n}\n")
            .allowed("")
            .model([bash("mkdir made")])
            .expects([Expect::Absent("made"), Expect::Told(MAIN, "MARK-REQUEST")]),
        case("what_no_rule_is_about_is_left_alone")
            .policy(NO_MADE)
            .model([bash("echo one >a; cat a"), read("a"), write("b", "two"), bash("exit 3")])
            .expects([Expect::Holds("a", "one"), Expect::Holds("b", "two"), Expect::NothingDenied]),
    ]
}
