//! The time of day and the day of the week: stated to `eval`, unknown without a zone file, read once in a zone.

use serde_json::{Value as Json, json};

use crate::machine::Machine;

const POLICY: &str = "rule night {\n  on PreToolUse\n  when runs \"make\" and time in \"22:00\"..\"06:00\"\n  \
                      deny \"It is {time} on {weekday}.\"\n}\n\
                      rule weekend {\n  on PreToolUse\n  when runs \"ship\" and weekday in [sat, sun]\n  ask \"Now?\"\n}\n";

/// Returns what `rules eval` prints for a call with stated facts.
#[track_caller]
fn judged(machine: &Machine, command: &str, facts: &Json) -> Json {
    let line = json!({ "payload": machine.bash(command), "facts": facts });
    let printed = machine.rules(&["eval"], &line.to_string());
    serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {printed:?}"))
}

#[test]
fn the_time_of_a_recorded_event_is_a_fact() {
    let machine = Machine::with(POLICY);
    let decision = |command, facts| judged(&machine, command, &facts)["decision"].as_str().unwrap().to_owned();
    for (time, expected) in
        [("21:59", "pass"), ("22:00", "deny"), ("00:00", "deny"), ("05:59", "deny"), ("06:00", "pass")]
    {
        assert_eq!(decision("make", json!({ "time": time })), expected, "{time}");
    }
    assert_eq!(decision("ship", json!({ "weekday": "sun" })), "ask");
    assert_eq!(decision("ship", json!({ "weekday": "fri" })), "pass");
    let answer = judged(&machine, "make", &json!({ "time": "23:05", "weekday": "thu" }));
    assert_eq!(answer["message"], "It is 23:05 on thu.");
    // A line with facts reads nothing from the machine.
    assert_eq!(judged(&machine, "make", &json!({ "weekday": "thu" }))["rules"][0]["outcome"], "unknown");
    for facts in
        [json!({ "time": "24:00" }), json!({ "time": "9:00" }), json!({ "weekday": "Sunday" }), json!({ "time": 9 })]
    {
        let answer = judged(&machine, "make", &facts);
        assert!(answer["error"].as_str().is_some_and(|error| error.contains("must be")), "{facts}: {answer}");
    }
}

/// A line, and an event of a stated history, may say when it happened: the clock follows from that.
#[test]
fn the_moment_of_a_recorded_event_tells_the_clock() {
    let machine = Machine::with(&format!(
        "{POLICY}\nmark late {{\n  on PreToolUse\n  when time in \"22:00\"..\"06:00\"\n}}\n\
        rule after-late {{\n  on Stop\n  when happened late\n  deny \"Late.\"\n}}\n"
    ));
    let decide = |line: &Json| -> Json {
        let printed = machine.rules(&["eval"], &line.to_string());
        serde_json::from_str(&printed.stdout).unwrap_or_else(|error| panic!("{error}: {printed:?}"))
    };
    let make =
        |time: &str, facts: Json| decide(&json!({ "payload": machine.bash("make"), "time": time, "facts": facts }));
    let answer = make("2026-11-26T23:05:09Z", json!({}));
    assert_eq!(answer["message"], "It is 23:05 on thu.");
    assert_eq!(make("2026-11-26T12:05:09Z", json!({}))["decision"], "pass");
    assert_eq!(make("2026-11-26T12:05:09Z", json!({ "time": "22:00" }))["decision"], "deny");
    let stop = |then: &str| {
        let history = json!([{ "payload": machine.bash("make"), "time": then }]);
        decide(
            &json!({ "payload": machine.event("Stop"), "time": "2026-11-27T12:00:00Z", "facts": { "history": history } }),
        )
    };
    assert_eq!(stop("2026-11-26T23:05:09Z")["decision"], "deny");
    assert_eq!(stop("2026-11-26T21:05:09Z")["decision"], "pass");
}

#[test]
fn a_zone_that_the_machine_does_not_know_is_reported_and_makes_the_time_unknown() {
    let machine = Machine::with(POLICY);
    machine.write("project/.rules/rules.toml", "zone = \"Europe/Nowhere\"\n");
    let printed = machine.rules(&["check"], "");
    assert!(printed.stdout.contains("R0683"), "{printed:?}");
    let reply = machine.hook(&machine.bash("make"));
    assert_eq!(reply.decision(), "ask", "{reply:?}");
    machine.write("project/.rules/rules.toml", "zone = \"../../etc/passwd\"\n");
    let printed = machine.rules(&["check"], "");
    assert!(printed.stdout.contains("not the name of a time zone"), "{printed:?}");
}

/// What rules of two layers say of the clock is read once.
#[test]
fn rules_of_one_event_see_one_time() {
    let machine = Machine::new();
    let rule = |name: &str| format!("rule {name} {{\n  on PreToolUse\n  context \"{name}={{time}}/{{weekday}}\"\n}}\n");
    machine.write("project/.rules/a.rules", &rule("a")).write("project/.rules/local/b.rules", &rule("b"));
    let reply = machine.hook(&machine.bash("ls"));
    let shown = |name: &str| reply.context().split(&format!("{name}=")).nth(1).unwrap().get(..9).unwrap().to_owned();
    assert_eq!(shown("a"), shown("b"), "{reply:?}");
    assert_eq!(shown("a").find(':'), Some(2), "{reply:?}");
}
