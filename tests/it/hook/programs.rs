//! What a policy says of its own programs: `programs/*.toml` of each layer.

use crate::machine::{Machine, Reply};

/// A tool as its project describes it.
const MYCLI: &str = r#"names = ["mycli", "mc"]
versioned = ["mycli"]
reading = "leading"

[options]
flag = ["--verbose -v"]
value = ["--profile -p"]

[[command]]
names = ["show"]
[command.options]
value = ["--color"]
writes = ["--output -o"]

[[command]]
names = ["rm"]
"#;

const READS: &str = "rule reads {\n  on PreToolUse(Bash)\n  when only runs \"mycli show *\"\n  allow\n}\n";

/// Judges a command twice, by the sources and as they were kept, and returns the decision.
#[track_caller]
fn decided(machine: &Machine, command: &str) -> String {
    let decision = |reply: Reply| match reply.json.is_null() {
        true => "none".to_owned(),
        false => reply.decision().to_owned(),
    };
    let first = decision(machine.hook(&machine.bash(command)));
    assert_eq!(decision(machine.hook(&machine.bash(command))), first, "kept: {command}");
    first
}

#[test]
fn a_projects_record_makes_its_tool_known() {
    let machine = Machine::with(READS);
    assert_eq!(decided(&machine, "mycli --verbose show --color x"), "none", "without a record");
    machine.write("project/.rules/programs/mycli.toml", MYCLI);
    for (command, expected) in [
        ("mycli show", "allow"),
        ("mycli --verbose show --color x", "allow"),
        ("mycli -v -p dev show a b", "allow"),
        ("mycli-2.1 show a", "none"),
        ("mycli show --output=f x", "none"),
        ("mycli show -o f x", "none"),
        ("mycli show --unlisted x", "none"),
        ("mycli rm x", "none"),
        ("mycli unlisted x", "none"),
        ("mycli --profile show rm", "none"),
        ("mycli show > f", "none"),
        ("mycli show; rm x", "none"),
    ] {
        assert_eq!(decided(&machine, command), expected, "{command}");
    }
}
