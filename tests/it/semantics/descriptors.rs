//! The names of descriptors, as the guard and `std/read-only` see them: each is the file that the descriptor is open
//! on.

use hookrules::verdict::Decision;

use super::guarded::{a_policy, facts, judged};
use crate::kit::{bash, judge, policy};

/// Commands that empty, overwrite or delete the policy, although they open it for reading only.
const EMPTYING: &[&str] = &[
    "echo x < .rules/project.rules > /dev/fd/0",
    "echo x < .rules/project.rules > /dev/stdin",
    "echo x < .rules/project.rules > /proc/self/fd/0",
    "echo x < .rules/project.rules > /proc/thread-self/fd/0",
    "exec 3< .rules/project.rules; : > /proc/self/fd/3",
    "exec 3< .rules/project.rules; : > /proc/$$/fd/3",
    "exec 3< .rules/project.rules 4<&3; : > /dev/fd/4",
    "exec {n}< .rules/project.rules; : > /dev/fd/$n",
    "exec 3< .rules; : > /dev/fd/3/project.rules",
    "exec 3< .rules; rm /proc/self/fd/3/project.rules",
    "{ echo x > /dev/stdin; } < .rules/project.rules",
    "f() { echo x > /dev/fd/3; }; f 3< .rules/project.rules",
    "sh -c 'echo x > /dev/fd/3' 3< .rules/project.rules",
    "true | echo x 3< .rules/project.rules > /dev/fd/3",
    "cp /dev/null /dev/stdin < .rules/project.rules",
    "dd if=/dev/null of=/dev/stdin < .rules/project.rules",
    "dd if=.rules/project.rules of=/dev/stdin",
    "tee /dev/stdin < .rules/project.rules",
    "sort -o /dev/fd/0 < .rules/project.rules",
    "uniq .rules/project.rules /dev/stdin",
    "truncate -s 0 /dev/stdin < .rules/project.rules",
    "python3 -c 'open(\"/dev/stdin\", \"w\")' < .rules/project.rules",
    "node -e 'require(\"fs\").writeFileSync(\"/dev/stdin\", \"\")' < .rules/project.rules",
    "perl -e 'open(F, \">\", \"/dev/fd/0\")' < .rules/project.rules",
    "ruby -e 'File.write(\"/proc/self/fd/0\", \"\")' < .rules/project.rules",
    "mapfile -t -c 1 -C 'echo x > /dev/fd/3 #' 3< .rules/project.rules <<< a",
];

#[test]
fn the_guard_asks_before_the_policy_is_written_by_the_name_of_a_descriptor() {
    let guarded = a_policy();
    let read_only = policy("use \"std/read-only\"\n");
    for text in EMPTYING {
        let given = bash(text).with(facts());
        assert_eq!(judged(&guarded, &given).decision(), Decision::Ask, "{text}");
        assert_eq!(judge(&read_only, &given).verdict.decision(), Decision::Pass, "{text}");
    }
    for text in [
        "cat .rules/project.rules > /dev/stderr",
        "cat < .rules/project.rules > /dev/stdout",
        "cat .rules/project.rules | tee /dev/stderr",
        "cat /dev/stdin < .rules/project.rules",
        "exec 3< .rules/project.rules; cat <&3; cat /dev/fd/3",
        "while read -r l; do echo \"$l\" > /dev/stderr; done < .rules/project.rules",
    ] {
        assert_eq!(judged(&guarded, &bash(text).with(facts())).decision(), Decision::Pass, "{text}");
    }
}
