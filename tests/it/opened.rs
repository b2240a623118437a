//! The rules of the packs that are opened for an ordinary call, and why; `RULES_BLESS=1` writes the table.
//!
//! The time of a warm hook depends on the number of rules that its index finds. If a change to the index or a pack
//! makes it find more, this shows which.

use std::fmt::Write;

use hookrules::context::{Context, ShellTools};
use hookrules::packs::PACKS;
use hookrules::ruleset::index::LookupStats;
use hookrules::ruleset::{RuleSet, Rules};
use serde_json::json;

use crate::generated::is_current_page;
use crate::kit::{Given, bash, call, event, policy, read, write};

const PAGE: &str = "tests/fixtures/opened.txt";

/// The calls that the benches measure, with their names there, and one of a tool of a server.
fn calls() -> [(&'static str, Given); 7] {
    let programs = "cd crates/core && cargo test --all-features 2>&1 | grep -v '^running' | tail -n 20";
    [
        ("ls", bash("ls")),
        ("bash", bash(programs)),
        ("write", write("/project/src/n.txt", "one\n")),
        ("read", read("/project/src/a.txt")),
        ("stop", event("Stop", json!({"stop_hook_active": false, "last_assistant_message": "done"}))),
        (
            "query",
            call("mcp__supabase__execute_sql", json!({"project_id": "p", "query": "select count(*) from users"})),
        ),
        ("prompt", event("UserPromptSubmit", json!({"prompt": "Please make the tests of the parser pass."}))),
    ]
}

/// Describes how a search found its rules.
fn ways(looked: &LookupStats) -> String {
    let ways = looked.counts_by_way().into_iter().filter(|(found, _)| *found > 0).map(|(_, way)| way);
    ways.collect::<Vec<&str>>().join(", ")
}

/// Returns the indices of the rules that an index finds for a call, and how they were found.
fn found(rules: &RuleSet, given: &Given) -> (Vec<u32>, LookupStats) {
    let tools = ShellTools::default();
    let context = Context::new(&given.payload, "claude-code", &*given.facts, &tools);
    let Ok(candidates) = rules.candidates(given.payload.event, &context);
    (candidates.ids, candidates.stats)
}

#[test]
fn the_rules_that_a_call_opens_are_known() {
    let mut page = String::from(
        "The rules of each pack that the index finds for a call, of how many on its event, and what of the call or of the\n\
         rule they are found by. `RULES_BLESS=1 cargo test --test it opened` writes this.\n",
    );
    let packs: Vec<_> = PACKS.iter().map(|(name, _)| (*name, policy(&format!("use \"{name}\"\n")))).collect();
    for (call, given) in &calls() {
        let mut lines = String::new();
        let (mut opened, mut all) = (0, 0);
        for (name, policy) in &packs {
            let (ids, looked) = found(&policy.rules, given);
            assert_eq!(usize::try_from(looked.candidates).unwrap(), ids.len());
            opened += looked.candidates;
            all += looked.rules;
            if ids.is_empty() {
                continue;
            }
            writeln!(lines, "  {name}: {} of {}", looked.candidates, looked.rules).unwrap();
            for id in ids {
                let rule = &policy.rules.rules()[usize::try_from(id).unwrap()];
                // Alone in an index it is found the same way.
                let (_, looked) = found(&RuleSet::new(vec![rule.clone()]), given);
                assert_eq!(looked.candidates, 1, "{}", rule.display_name);
                writeln!(lines, "    {}: {}", rule.display_name, ways(&looked)).unwrap();
            }
        }
        write!(page, "\n{call}: {opened} of {all}\n{lines}").unwrap();
    }
    is_current_page(PAGE, &page);
}
