//! Commands that a skill or a slash command runs while its text is loaded: `` !`command` ``. Only the newest version
//! raises an event for them.

use super::calls::NO_MADE;
use crate::api::Turn;
use crate::case::{Case, Expect, MAIN, bash, case, only, skill};
use crate::host::Version;

/// The text of a command, which ends with its arguments: they identify the conversation.
macro_rules! command {
    ($shell:literal) => {
        concat!(
            "---\ndescription: Shows it\nallowed-tools: Bash(touch:*), Bash(echo:*)\n---\nIt says !`",
            $shell,
            "`.\n$ARGUMENTS\n"
        )
    };
}

const COMMAND: &str = ".claude/commands/show.md";
const TYPED: &[&str] = &["/show GO-MAIN"];
const SKILL: &str = ".claude/skills/look/SKILL.md";
const SKILL_TEXT: &str = "---\nname: look\ndescription: Looks\nallowed-tools: Bash(touch:*)\n---\nIt says !`touch made` \
                          and !`touch other`.\n";
const NEW: &[Version] = &[Version::New];
const SINCE_330: &[Version] = &[Version::Previous, Version::New];

fn typed(name: &'static str, text: &'static str) -> Case {
    case(name).versions(NEW).file(COMMAND, text).prompts(TYPED).model([Turn::Says("Done.")])
}

pub(super) fn cases() -> Vec<Case> {
    let refused = |mark| [Expect::Absent("made"), Expect::Told(MAIN, mark), Expect::Raised("PreSkillShellCommand", 1)];
    vec![
        typed("a_command_that_the_user_types_runs_no_denied_command", command!("touch made"))
            .versions(SINCE_330)
            .policy(NO_MADE)
            .expects([
                only(Version::New, Expect::Absent("made")),
                only(Version::New, Expect::Told(MAIN, "MARK-DENY")),
                // This version raises no event.
                only(Version::Previous, Expect::Made("made")),
            ]),
        case("a_skill_that_the_model_loads_runs_no_denied_command")
            .versions(NEW)
            .policy(NO_MADE)
            .file(SKILL, SKILL_TEXT)
            .model([skill("look"), bash("touch third"), Turn::Says("Done.")])
            .expects([
                Expect::Absent("made"),
                Expect::Made("other"),
                Expect::Made("third"),
                Expect::Told(MAIN, "MARK-DENY"),
                Expect::Raised("PreSkillShellCommand", 2),
            ]),
        typed("a_question_about_a_skills_command_is_a_refusal", command!("touch made"))
            .policy("rule sure {\n  on PreToolUse(Bash)\n  when writes like \"made*\"\n  ask \"MARK-ASK\"\n}\n")
            .expects(refused("MARK-ASK")),
        typed("a_rewrite_of_a_skills_command_is_a_refusal", command!("touch made"))
            .policy("rule new {\n  on PreToolUse(Bash)\n  when command == \"touch made\"\n  rewrite tool_input.command = \"touch MARK-NEW\"\n}\n")
            .expects(refused("MARK-NEW")),
        typed("a_halt_of_a_skills_command_ends_the_turn", command!("touch made"))
            .policy("rule enough {\n  on PreToolUse(Bash)\n  when command contains \"made\"\n  halt \"MARK-HALT\"\n}\n")
            .expects([Expect::Absent("made"), Expect::Requests(MAIN, 0)]),
        typed("a_broken_policy_runs_no_command_of_a_skill", command!("touch made"))
            .policy("rule no {\n  on PreToolUse(Bash)\n  dney \"No.\"\n}\n")
            .expects([Expect::Absent("made"), Expect::Raised("PreSkillShellCommand", 1)]),
        typed("a_skills_command_that_no_rule_is_about_runs", command!("echo MARK-SAID"))
            .policy(NO_MADE)
            .expects([Expect::Told(MAIN, "It says MARK-SAID"), Expect::Raised("PreSkillShellCommand", 1)]),
        typed("an_allow_and_a_record_about_a_skills_command_hold", command!("touch made"))
            .policy("rule go {\n  on PreToolUse(Bash)\n  when command contains \"made\"\n  record \"calls.jsonl\" { tool_name }\n  allow\n}\n")
            .expects([Expect::Made("made"), Expect::Lines("../state/calls.jsonl", 1)]),
    ]
}
