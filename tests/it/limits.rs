//! The limits of a policy: each can be reached, and a policy just below it loads. They count work, never time.

use std::path::Path;

use hookrules::config::LayerKind;
use hookrules::diagnostic::Diagnostic;
use hookrules::facts::{DirectoryEntry, Fact, Facts, StatedFacts};
use hookrules::limits::{LOCAL, POLICY_PARTS, PROJECT, TRUSTED};
use hookrules::policy::Policy;

use crate::kit::{bash, compiled, judge, one_file, policy, rendered};
use crate::source::{Bound, says_bounds};

/// Compiles the layer with the smallest limits.
fn local(text: &str) -> Policy {
    compiled(&[(LayerKind::Local, &[("local.rules", text)])])
}

/// Returns the number of parts of a text.
fn parts(text: &str) -> u64 {
    local(text).layers[0].parts
}

/// Returns this many rules with one condition, each with its number.
fn rules(count: usize, condition: impl Fn(usize) -> String) -> String {
    let rule = |n| format!("rule r{n} {{\n  on PreToolUse\n  when {}\n  deny \"no\"\n}}\n", condition(n));
    (0..count).map(rule).collect()
}

/// Returns a list of this many texts.
fn list(count: usize) -> String {
    format!("[{}]", (0..count).map(|n| format!("\"name{n}\"")).collect::<Vec<_>>().join(", "))
}

/// A construct that multiplies: its name, the diagnostic's words for it, and a policy with a number of uses.
type Multiplied = (&'static str, &'static str, fn(usize) -> String);

const MULTIPLIED: &[Multiplied] = &[
    ("a list that many rules name", "the elements of this list", |times| {
        format!("let names = {}\n{}", list(100), rules(times, |_| "tool_name in names".to_owned()))
    }),
    ("globs that many rules name", "the alternatives of these globs", |times| {
        format!("let names = {}\n{}", list(300), rules(times, |_| "path like names".to_owned()))
    }),
    ("braces of globs", "the alternatives of these globs", |times| {
        rules(times, |n| format!("path like \"{n}{{a,b,c,d}}{{a,b,c,d}}{{a,b,c,d}}{{a,b,c,d}}\""))
    }),
    ("braces of globs on texts", "the alternatives of these globs", |times| {
        rules(times, |n| format!("command like \"{n}{{a,b,c,d}}{{a,b,c,d}}{{a,b,c,d}}{{a,b,c,d}}\""))
    }),
    ("globs of files that are touched", "the alternatives of these globs", |times| {
        rules(times, |n| format!("writes like \"{n}{{a,b,c,d}}{{a,b,c,d}}{{a,b,c,d}}{{a,b,c,d}}\""))
    }),
    ("patterns of commands that many rules name", "the words of these patterns", |times| {
        let pattern = "\"git push (--force|--mirror|--delete) origin main release\"";
        let patterns = vec![pattern; 100].join(", ");
        format!("let commands = [{patterns}]\n{}", rules(times, |_| "runs commands".to_owned()))
    }),
    ("a definition that many rules name", "the tests of this definition", |times| {
        let tests = vec!["tool_name == \"x\""; 200].join(" or ");
        format!("def long = {tests}\n{}", rules(times, |_| "long".to_owned()))
    }),
    ("a long text that many rules name", "what these names lead to", |times| {
        format!("let text = \"{}\"\n{}", "a".repeat(128 * 200), rules(times, |_| "command contains text".to_owned()))
    }),
    ("rules on every event", "the events, each with the rule's condition", |times| {
        rules(times, |n| format!("tool_name == \"x{n}\"")).replace("on PreToolUse", "on *").replace("deny", "warn")
    }),
];

#[test]
fn what_multiplies_is_counted_up_to_the_bound_and_refused_past_it() {
    for (name, said, policy) in MULTIPLIED {
        let (few, more) = (parts(&policy(10)), parts(&policy(20)));
        let each = (more - few) / 10;
        let loads = |times: usize| local(&policy(times)).layers[0].is_loaded();
        // The count also grows with the digits of the numbers, so the limit is reached a little earlier.
        let (mut below, mut first) = (10, usize::try_from((LOCAL.parts - few) / each).unwrap() + 12);
        assert!(loads(below) && !loads(first), "{name}");
        while below + 1 < first {
            let middle = (below + first) / 2;
            if loads(middle) { below = middle } else { first = middle }
        }
        let below = local(&policy(first - 1));
        assert!(below.layers[0].is_loaded(), "{name}: {}", rendered(&below));
        assert!(below.layers[0].parts > LOCAL.parts - 2 * each, "{name}: {} parts", below.layers[0].parts);
        // The text around the construct may exceed the limit as well; among several attempts, one blames the construct.
        let findings: Vec<Diagnostic> = (first..first + 10)
            .map(|times| {
                let refused = local(&policy(times));
                let [found] = refused.layers[0].diagnostics.as_slice() else {
                    panic!("{name}: {}", rendered(&refused))
                };
                found.clone()
            })
            .collect();
        for found in &findings {
            assert_eq!(found.code.name, "too-deep-or-big", "{name}");
            assert!(found.message.starts_with("`r"), "{name}: {}", found.message);
            assert!(
                found.message.ends_with("` takes the local policy over 100,000 parts"),
                "{name}: {}",
                found.message
            );
            assert!(found.help.is_some(), "{name}");
        }
        assert!(findings.iter().any(|found| found.labels[0].text.starts_with(said)), "{name}: {findings:?}");
    }
}

#[test]
fn names_that_lead_nowhere_are_looked_for_up_to_the_bound() {
    type Written = fn(usize) -> String;
    let table: &[(&str, Written)] = &[
        ("placeholders", |count| format!("rule r {{\n  on PreToolUse\n  deny \"{}\"\n}}\n", "{x}".repeat(count))),
        ("events", |count| format!("rule r {{\n  on {}Stop\n  warn \"w\"\n}}\n", "Foo, ".repeat(count))),
        ("fields", |count| rules(count, |n| format!("x{n} == \"y\""))),
        ("recorded", |count| {
            let fields: String = (0..count).map(|n| format!("a{n}: x{n}, ")).collect();
            format!("rule r {{\n  on Stop\n  record \"x\" {{ {fields}b: event }}\n}}\n")
        }),
    ];
    for (name, policy) in table {
        let few = local(&policy(20));
        assert!(!rendered(&few).contains("too-deep-or-big"), "{name}: {}", rendered(&few));
        let many = local(&policy(20_000));
        let said = &many.layers[0].diagnostics;
        assert!(said.iter().any(|found| found.code.name == "too-deep-or-big"), "{name}: {}", said.len());
    }
}

#[test]
fn definitions_that_double_each_other_are_refused_and_take_no_time() {
    let doubled: String = (0..60).map(|n| format!("def d{} = d{n} or d{n}\n", n + 1)).collect();
    let refused = local(&format!("def d0 = tool_name == \"x\"\n{doubled}"));
    assert!(rendered(&refused).contains("takes the local policy over 100,000 parts"), "{}", rendered(&refused));
}

#[test]
fn a_layer_takes_what_those_above_leave_and_hides_none_of_them() {
    // Each comment is a part.
    let comments = |count: u64| {
        format!("{}\nrule r {{\n  on Stop\n  warn \"w\"\n}}\n", "#\n".repeat(usize::try_from(count).unwrap()))
    };
    let (managed, user) = (comments(TRUSTED.parts - 1_000), comments(POLICY_PARTS - TRUSTED.parts - 1_000));
    let project = comments(2_500);
    let policy = compiled(&[
        (LayerKind::Managed, &[("managed.rules", &managed)]),
        (LayerKind::User, &[("user.rules", &user)]),
        (LayerKind::Project, &[("project.rules", &project)]),
    ]);
    let loads: Vec<bool> = policy.layers.iter().map(|layer| layer.is_loaded()).collect();
    assert_eq!(loads, [true, true, false], "{}", rendered(&policy));
    assert!(rendered(&policy).contains("over 600,000 parts"), "{}", rendered(&policy));
    assert_eq!(policy.rules.rules().len(), 2);
}

#[test]
fn a_project_may_have_smaller_regexes_than_an_account() {
    let rule = |times: u64| {
        format!(
            "rule r {{\n  on PreToolUse\n  when command matches /a{{1,1000}}(?:b{{1,{times}}}){{8}}/\n  deny \"no\"\n}}\n"
        )
    };
    let loads = |kind, times| compiled(&[(kind, &[("a.rules", &rule(times))])]).layers[0].is_loaded();
    const { assert!(PROJECT.regex < TRUSTED.regex) };
    for (kind, limits) in [(LayerKind::Project, PROJECT), (LayerKind::User, TRUSTED)] {
        let first = (1..1_000).map(|step| step * 50).find(|times| !loads(kind, *times)).unwrap();
        // A repetition of one character has a state or two.
        assert!(first * 8 <= limits.regex && (first + 50) * 8 * 3 > limits.regex, "{kind:?}: {first}");
    }
    let said = rendered(&one_file(&rule(50_000)));
    assert!(said.contains("a regex that is too big once compiled"), "{said}");
}

#[test]
fn the_regexes_of_a_layer_have_a_bound_together() {
    let policy = |times| local(&rules(times, |n| format!("command matches /x{n}a{{1000}}/")));
    let first = (1..1_000).map(|step| step * 10).find(|times| !policy(*times).layers[0].is_loaded()).unwrap();
    let size = LOCAL.regexes / u64::try_from(first).unwrap();
    assert!((1_000..4_000).contains(&size), "{first}");
    let said = rendered(&policy(first));
    assert!(said.contains("exceeds the limit of the local policy"), "{said}");
}

#[test]
fn a_regex_that_would_take_thousands_of_times_its_length_to_read_is_not_read() {
    for pattern in [r"\w".repeat(4_000), format!("[{}]", r"\W\w".repeat(2_000)), r"\pL\PL".repeat(1_300)] {
        let refused = local(&rules(1, |_| format!("command matches /{pattern}/")));
        assert!(!refused.layers[0].is_loaded(), "{}", pattern.len());
    }
    let refused = local(&rules(1, |_| format!("command matches /{}/", "a".repeat(8_193))));
    assert!(rendered(&refused).contains("a regex of more than 8 KiB"), "{}", rendered(&refused));
}

#[test]
fn ten_thousand_rules_load_in_every_layer() {
    let text = rules(10_000, |n| {
        format!("path like [\"vendor/pkg{n}/**\", \"**/*.lock{n}\"] and command matches /\\bticket-{n}-\\d{{2,4}}\\b/")
    });
    assert!(text.len() > 1_200_000);
    for kind in [LayerKind::Managed, LayerKind::User, LayerKind::Project] {
        let (first, second) = text.split_at(text.find("rule r5000 ").unwrap());
        let policy = compiled(&[(kind, &[("a.rules", first), ("b.rules", second)])]);
        assert!(policy.layers[0].is_loaded(), "{}", rendered(&policy));
    }
}

#[test]
fn a_thousand_mistakes_are_told_as_a_few() {
    for mistake in ["dney \"x\"", "when", "{", "]", "x y z", "deny \"a", "on Stop on Stop", "\u{a0}", "when a && b"] {
        let text = format!("rule r {{\n  on Stop\n{}}}\n", format!("  {mistake}\n").repeat(1_000));
        let said = rendered(&local(&text));
        assert!((1..=300).contains(&said.lines().count()), "{mistake}: {}", said.lines().count());
    }
}

/// The constants that limit an event, and the book's words for them.
const OF_AN_EVENT: &[Bound] = &[
    ("src/budget.rs", "const EVENT: u64 = 60_000_000;", "60,000,000 units"),
    ("src/hooks/process.rs", "const PAYLOAD_LIMIT: usize = 64 << 20;", "bytes of a payload | 64 MiB"),
    ("src/host/lenient.rs", "const MEMORY: usize = 16 << 20;", "values in memory | 16 MiB"),
    ("src/host/lenient.rs", "const MAX_DEPTH: usize = 200;", "containers within containers | 200"),
    ("shell/src/interpret.rs", "const MAX_LENGTH: usize = 1 << 16;", "bytes of a shell text | 64 KiB"),
    ("shell/src/interpret.rs", "const STEP_BUDGET: usize = 1_000_000;", "steps of its analysis | 1,000,000"),
    ("src/context/walk.rs", "const ENTRY_LIMIT: usize = 100_000;", "100,000; 20,000 in one directory"),
    ("src/facts/machine/listing.rs", "const ENTRY_LIMIT: usize = 20_000;", "100,000; 20,000 in one directory"),
    ("src/context/touched/expand.rs", "const WORDS: usize = 2_048;", "becomes | 2,048"),
    ("src/context/charge.rs", "const JSON_VALUES: u64 = 20_000;", "20,000, in at most 16 MiB"),
    ("src/context/charge.rs", "const JSON_BYTES: usize = 16 << 20;", "20,000, in at most 16 MiB"),
    ("src/hooks/edits/result.rs", "const MAX_FILE_BYTES: u64 = 1 << 20;", "tried first | 1 MiB"),
];

#[test]
fn the_table_of_an_event_says_the_bounds_that_hold() {
    says_bounds("book/src/reference/limits.md", OF_AN_EVENT);
}

/// A machine with a directory of more files than one event may list.
struct Vast(StatedFacts);

impl Facts for Vast {
    fn base(&self) -> Option<&dyn Facts> {
        Some(&self.0)
    }

    fn entries(&self, directory: &Path) -> Fact<Vec<DirectoryEntry>> {
        let names = |kind: &str, count: usize| {
            let is_directory = kind == "dir";
            let entry = |n| DirectoryEntry { name: format!("{kind}{n}"), is_directory };
            Some((0..count).map(entry).collect())
        };
        Ok(match directory.strip_prefix("/vast") {
            Ok(rest) if rest == Path::new("") => names("dir", 12),
            Ok(_) => names("file", 10_000),
            Err(_) => None,
        })
    }
}

#[test]
fn a_directory_that_is_too_large_for_one_rule_leaves_the_others_their_work() {
    let searches = |from: usize| {
        let rule = |n| {
            format!(
                "rule r{n} {{\n  on PreToolUse\n  when writes like \"**/x{n}.key\"\n  unknown ignore\n  deny \"no\"\n}}\n"
            )
        };
        (from..from + 12).map(rule).collect::<String>()
    };
    let policy = policy(&format!(
        "{}rule last {{\n  on PreToolUse\n  when command matches /vast/\n  warn \"seen\"\n}}\n",
        searches(0)
    ));
    let given = bash("tar xzf a.tgz -C /vast").with(Vast(StatedFacts::for_examples()));
    let judged = judge(&policy, &given);
    let reasons: Vec<String> = judged
        .trace
        .rules
        .iter()
        .filter_map(|rule| rule.outcome.reason())
        .map(|reason| reason.fragment().into_owned())
        .collect();
    assert_eq!(reasons.len(), 12, "{reasons:?}");
    assert!(reasons.iter().all(|reason| reason.contains("more than 100000 files")), "{reasons:?}");
}
