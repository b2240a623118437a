//! Numbers about values, words and files: `length`, `count`, and operands by their place.

use serde_json::json;

use crate::kit::Comes::{F, T, U};
use crate::kit::*;

#[test]
fn a_length_is_the_number_of_bytes_of_each_text() {
    let write = call("Write", json!({"file_path": "/project/a", "content": "naïve"}));
    conditions(
        &write,
        &[
            ("length content == 6", T),
            ("length content > 5", T),
            ("length content > 6", F),
            ("length content < 1KB", T),
            ("not length content < 1KB", F),
            ("length content in [5, 6]", T),
            ("length content != 6", F),
            ("length path > 3", T),
            ("length tool_input.content >= 6", T),
            ("length `$.tool_input.content` >= 6", T),
            // Without a value there is no length, as there is no comparison.
            ("length agent_id >= 0", F),
            ("not length agent_id >= 0", T),
            ("all length agent_id >= 0", F),
            ("length git.branch >= 0", F),
        ],
    );
    let edits = json!({"file_path": "/project/a", "edits": [
        {"old_string": "a", "new_string": "xy"}, {"old_string": "b", "new_string": "x"},
    ]});
    conditions(
        &call("MultiEdit", edits),
        &[
            ("length content == 2", T),
            ("all length content == 2", F),
            ("all length content <= 2", T),
            ("count content == 2", T),
            ("count tool_input.edits == 2", T),
            ("count `$.tool_input.edits[*]` > 2", F),
        ],
    );
}

#[test]
fn the_length_of_a_partly_known_word_is_at_least_what_is_known() {
    conditions(
        &bash("git commit -m \"fix: $X\""),
        &[
            ("runs \"git commit\" where length option \"-m\" >= 5", T),
            ("runs \"git commit\" where length option \"-m\" > 5", U),
            ("runs \"git commit\" where length option \"-m\" < 5", F),
            ("runs \"git commit\" where length option \"-m\" < 50", U),
            ("runs \"git commit\" where length option \"-m\" == 4", F),
            ("runs \"git commit\" where length option \"-m\" == 9", U),
            ("runs \"git commit\" where length option \"-m\" in [1, 2]", F),
            ("runs \"git commit\" where length option \"-m\" not in [1, 2]", T),
        ],
    );
    conditions(
        &bash("touch abc$X"),
        &[
            ("runs \"touch\" where length operands >= 0", U),
            ("runs \"touch\" where all length operands >= 0", U),
            ("runs \"touch\" where length operands < 100", U),
        ],
    );
}

#[test]
fn a_count_is_the_number_of_values_that_certainly_are_there() {
    for (command, more_than_two, two) in [
        ("rm a b", F, T),
        ("rm a b c", T, F),
        ("rm", F, F),
        ("rm -rf a", F, F),
        ("rm a b d/*.log", T, F),
        // The name of a file that the glob matches may be an option.
        ("rm a b *.log", U, U),
        ("rm a *.log", U, U),
        ("rm a b $X", U, U),
        ("rm a b c $X", T, F),
        ("rm a b \"$X\"", U, U),
        ("rm a b c *", T, F),
        ("rm $(cat list)", U, U),
    ] {
        conditions(
            &bash(command),
            &[("runs \"rm\" where count operands > 2", more_than_two), ("runs \"rm\" where count operands == 2", two)],
        );
    }
    conditions(&bash("rm a b $X"), &[("runs \"rm\" where count operands < 2", F)]);
    conditions(&bash("rm a b"), &[("runs \"rm\" where count args <= 2", T)]);
}

#[test]
fn files_are_counted_if_their_names_are_known() {
    for (command, deletes) in [
        ("rm a b", F),
        ("rm a b c", T),
        ("rm a; rm b; rm c", T),
        ("rm a ./a ../project/a", F),
        // Without a match, a glob is itself the name.
        ("rm a b *.log", T),
        ("rm -r a", U),
        ("rm -r a b c", T),
        ("find . -name '*.log' -delete", U),
        ("rm $X", U),
        ("ls a b c", F),
        ("mv a b c d/", T),
    ] {
        conditions(&bash(command), &[("count deletes > 2", deletes)]);
    }
    conditions(
        &bash("cat a b c > d"),
        &[
            ("count reads == 3", T),
            ("count writes == 1", T),
            ("count deletes == 0", T),
            ("count sends == 0", T),
            ("runs \"cat\" where count reads == 3", T),
            ("not count reads > 3", T),
        ],
    );
    conditions(&call("Write", json!({"file_path": "/project/a", "content": ""})), &[("count writes == 1", T)]);
    conditions(&call("Read", json!({"file_path": "/project/a"})), &[("count deletes > 0", F), ("count reads > 0", T)]);
}

#[test]
fn an_operand_has_a_place() {
    for (command, first, second, last) in [
        ("cp a b", T, F, F),
        ("cp -r a b", T, F, F),
        ("cp b a", F, T, T),
        ("cp a", T, F, T),
        ("cp", F, F, F),
        ("cp $X a", U, U, U),
        ("cp \"$X\" a", U, U, T),
        ("cp a \"$X\"", T, U, U),
        ("cp a \"d/$X\"", T, F, F),
        ("cp d/*.c a", F, U, T),
        ("cp b a $(ls)", U, U, U),
    ] {
        let is = |test: &str| format!("runs \"cp\" where {test} == \"a\"");
        for (test, expected) in [("operand 1", first), ("operand 2", second), ("last operand", last)] {
            let (holds, fails) = (is(test), format!("not {}", is(test)));
            let opposite = [(T, F), (F, T), (U, U)].into_iter().find(|(one, _)| *one == expected).unwrap().1;
            conditions(&bash(command), &[(holds.as_str(), expected), (fails.as_str(), opposite)]);
        }
    }
    conditions(
        &bash("cp src/a ../b"),
        &[
            ("runs \"cp\" where operand 1 like \"src/*\"", T),
            ("runs \"cp\" where operand 1 under \"src\"", T),
            ("runs \"cp\" where last operand outside project", T),
            ("runs \"cp\" where exists operand 3", F),
            ("runs \"cp\" where length last operand == 4", T),
        ],
    );
}

#[test]
fn the_words_are_names_where_nothing_to_count_follows() {
    let given = call("mcp__x__y", json!({"count": 3, "length": 4}));
    let lets = "let count = 3\nlet length = [4]\ndef last = tool_input.count == count\n";
    conditions_with(
        lets,
        &given,
        &[
            ("tool_input.count == count", T),
            ("tool_input.length in length", T),
            ("last", T),
            ("last and tool_input.length in length", T),
            ("length tool_input.length > 0", F),
            ("count tool_input.length == 1", T),
        ],
    );
}
