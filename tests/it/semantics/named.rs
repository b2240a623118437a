//! Guarded files in the input of a tool without a table: all of it is examined, however large it is.

use hookrules::verdict::Decision;
use serde_json::{Value as Json, json};

use super::guarded::{a_policy, facts, judged};
use crate::kit::call;

/// Judges a call of such a tool, and returns the decision with its message.
fn said_of(input: Json) -> (Decision, String) {
    let verdict = judged(&a_policy(), &call("mcp__x__go", input).with(facts()));
    (verdict.decision(), verdict.message())
}

#[track_caller]
fn asks(input: Json, words: &str) {
    let (decision, message) = said_of(input);
    assert_eq!(decision, Decision::Ask, "{message}");
    assert!(message.contains(words), "{message}");
}

fn within(levels: usize, value: Json) -> Json {
    (0..levels).fold(value, |value, level| if level % 2 == 0 { json!([value]) } else { json!({ "a": value }) })
}

#[test]
fn a_guarded_file_is_found_wherever_in_the_input_it_stands() {
    let names = "names `.rules/project.rules`";
    let others = |count: usize| (0..count).map(|at| json!(format!("src/{at}.rs")));
    asks(json!({ "a": within(150, json!(".rules/project.rules")) }), names);
    asks(json!({ "a": others(5_000).chain([json!(".rules/project.rules")]).collect::<Vec<_>>() }), names);
    let first = std::iter::once(json!(".rules/project.rules")).chain(others(5_000));
    asks(json!({ "a": first.collect::<Vec<_>>() }), names);
    asks(json!({ "a": vec![json!(1); 50_000], "b": { "c": ".rules/project.rules" } }), names);
    asks(json!({ "a": format!("{}.rules/project.rules", "./".repeat(5_000)) }), names);
    asks(json!({ "a": format!("/project/{}.rules/project.rules", "src/../".repeat(1_000) ) }), names);
    // The files that a call writes may be a table by path.
    asks(json!({ "files": { "src/a.rs": "x", ".rules/project.rules": "y" } }), names);
    asks(json!({ "files": { "/project/.git/hooks/pre-commit": { "content": "y" } } }), "names `.git/hooks/pre-commit`");
}

#[test]
fn much_input_is_no_question_by_itself() {
    let passes = |input: Json| {
        let (decision, message) = said_of(input);
        assert_eq!(decision, Decision::Pass, "{message}");
    };
    // An image as text has slashes in it, and parts that look like arbitrary names.
    let image: String = (0..3_000_000_usize).map(|at| char::from(b"abc/hookXYZ+09"[at * at % 14])).collect();
    passes(json!({ "image": image }));
    passes(json!({ "a": (0..5_000).map(|at| format!("src/some/directory/{at}.rs")).collect::<Vec<_>>() }));
    passes(json!({ "a": vec!["src/a.rs"; 200_000] }));
    passes(json!({ "a": vec![json!({"x": 1, "y": [2, null]}); 100_000] }));
    passes(json!({ "files": { "src/a.rs": "see .rules/project.rules" } }));
}

#[test]
fn what_is_beyond_the_account_is_a_question() {
    let unknown = "It is not known whether this changes what guards the session";
    let path = |at: usize| format!("src/{at}/{}", "directory/".repeat(380));
    let last = || json!(".rules/project.rules");
    asks(json!({ "a": (0..3_000).map(|at| json!(path(at))).chain([last()]).collect::<Vec<_>>() }), unknown);
    asks(json!({ "a": (0..3_000).map(path).collect::<Vec<_>>() }), unknown);
}
