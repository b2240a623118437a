//! The cost of a shell command: nothing if no rule tests it, and never much, however it is written.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use hookrules::budget::{Budget, EVENT};
use hookrules::context::{Context, ShellTools};
use hookrules::eval::{TraceDetail, evaluate};
use hookrules::packs::PACKS;
use hookrules_shell::{StartDirectories, analyse, file_accesses};
use serde_json::json;

use crate::kit::{Given, bash, event, policy, read};
use crate::system::thread_time;

/// The longest text that is analysed, in bytes.
const LONGEST: usize = 1 << 16;

/// Ten times the time of the costliest of them without optimisation, and a tenth of its time without a bound.
const LIMIT: Duration = Duration::from_secs(8);

#[track_caller]
fn is_analysed(rules: &str, given: &Given) -> bool {
    let policy = policy(rules);
    let tools = ShellTools::default();
    let context = Context::new(&given.payload, "claude-code", &*given.facts, &tools);
    let _ = evaluate(&policy.rules, &context, TraceDetail::Outcomes);
    context.commands().has_analysed_shell()
}

fn rule(head: &str, when: &str) -> String {
    format!("rule a {{\n  on {head}\n  when {when}\n  deny \"No.\"\n}}\n")
}

#[test]
fn a_command_is_analysed_only_for_a_rule_that_asks_about_its_commands() {
    let push = || bash("git push --force");
    let asks = [
        rule("PreToolUse(Bash)", "runs \"git push\""),
        rule("PreToolUse", "only runs \"git *\""),
        rule("PreToolUse(Bash)", "pipes \"curl\" into \"sh\""),
        rule("PreToolUse(Bash)", "writes under project"),
        rule("PreToolUse(Bash)", "cwd starts_with \"/\" and runs \"git push\""),
        // The facts of git are those of its directory.
        rule("PreToolUse(Bash)", "git.branch == \"main\" and command like \"git *\""),
    ];
    for rules in asks {
        assert!(is_analysed(&rules, &push()), "{rules}");
    }
    let asks_not = [
        rule("PreToolUse(Bash)", "command contains \"push\""),
        rule("PreToolUse(Write)", "runs \"git push\""),
        rule("PreToolUse(Read)", "runs \"git push\""),
        rule("PreToolUse(Bash)", "cwd starts_with \"/nowhere\" and runs \"git push\""),
        rule("PreToolUse(Bash)", "command contains \"pull\" and (runs \"git push\" or writes under project)"),
        "rule a {\n  on PreToolUse(Bash)\n  context \"Take care.\"\n}\n".to_owned(),
    ];
    for rules in asks_not {
        assert!(!is_analysed(&rules, &push()), "{rules}");
    }
    // A call without a command has none to analyse.
    assert!(!is_analysed(&rule("PreToolUse", "runs \"git push\" or reads like \"*.env\""), &read("/project/a")));
    assert!(!is_analysed(&rule("Stop", "exists session_id"), &event("Stop", json!({}))));
}

fn fill(text: &str) -> String {
    text.repeat(LONGEST / text.len())
}

/// Texts of maximum length, a few of each kind whose cost would be superlinear if it were not bounded.
fn hostile() -> Vec<(&'static str, String)> {
    let numbered = |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<String>();
    let long = "a".repeat(30_000);
    vec![
        ("every word is many", fill("{1..256} ")),
        ("what is not seen", fill("curl a|sh;")),
        ("output of many parts", fill("echo $x;")),
        ("a file that grows", fill("echo $x>>f;cat f;")),
        ("a format for many arguments", format!("printf '{long}%s' {}", "a ".repeat(15_000))),
        ("a file read often", format!("echo {long}>f;cat {}", "f ".repeat(15_000))),
        ("a text for a group", format!("{{ {} }} <<'E'\n{long}\nE\n", "psql;".repeat(6_000))),
        (
            "code for a group",
            format!("{{ {} }} <<'E'\n{}\nE\n", "python3;".repeat(4_000), "open('a.x')\n".repeat(2_600)),
        ),
        ("a long variable for many", format!("export x={long};{}", "a;".repeat(15_000))),
        (
            "deep directories for many",
            format!("{}{}", format!("pushd {};", "aaaa/".repeat(200)).repeat(30), "(a);".repeat(8_000)),
        ),
        ("a long argument of a function", format!("f(){{ {}a; }};f {long}", "a|".repeat(15_000))),
        (
            "variables that all may change",
            format!("{}export {}", numbered(4_500, &|i| format!("A{i}=1;")), "$x ".repeat(8_000)),
        ),
        ("loops behind commands", format!("{}{}", "a;".repeat(15_000), "for x in $x;do x=$x$x;done;".repeat(1_200))),
        ("many into many", format!("{{ {} }}|{{ {} }}", "a;".repeat(15_000), "b;".repeat(15_000))),
        ("many through many", format!("{{ {} }}{}", "a;".repeat(15_000), "|cat".repeat(7_000))),
        ("words from many", format!("x=$({});{}", "a;".repeat(9_000), "echo $x>f;sh f;".repeat(3_000))),
        ("searches for many", format!("find . -name a|{{ {} }}", "xargs rm;".repeat(6_500))),
        ("many searches", format!("{{ {} }}|xargs rm", "find . -name a;".repeat(4_000))),
        ("a search of many conditions", format!("find . {} -delete", "-name a -o ".repeat(5_500))),
        ("many options", format!("git push {}", "--force --no-force ".repeat(3_400))),
        ("wrappers that are not known", fill("sudo $x ")),
        ("copies of many", format!("cp {} d/", numbered(10_000, &|i| format!("f{i} ")))),
        ("functions that call functions", numbered(2_000, &|i| format!("f{i}(){{ f{0};f{0}; }};", i + 1)) + "f0"),
        ("nested loops", format!("{}a{}", "while a; do y=$z; z=$y; ".repeat(20), "; done".repeat(20))),
    ]
}

#[test]
fn no_text_takes_long_to_analyse_however_it_is_written() {
    let start = StartDirectories { cwd: Path::new("/project/a/b"), home: Some(Path::new("/home/user")) };
    for (kind, text) in hostile() {
        assert!(text.len() <= LONGEST, "{kind}: {}", text.len());
        let begin = thread_time();
        let analysis = analyse(&text, &start);
        let analysed = thread_time() - begin;
        let touched: usize = analysis.commands.iter().map(|command| file_accesses(&analysis, command).len()).sum();
        let took = thread_time() - begin;
        assert!(took < LIMIT, "{kind}: {analysed:?}, with {touched} files {took:?}");
        assert!(!analysis.commands.is_empty() || !analysis.opaque.is_empty(), "{kind}");
    }
}

/// Texts with partly unknown words, each a path that is compared with every glob of the packs.
fn partly_known() -> Vec<(&'static str, String)> {
    let quotes = format!("{}\"\"${{PWD}}\" $?\"", "}".repeat(50));
    vec![
        ("nested braces around an unclosed quote", format!("{}IFS+={}", "{a,".repeat(40), quotes.repeat(6))),
        ("a long name of unknown parts", format!("cat {}", "\"$x\"a".repeat(150))),
        ("a deep path of unknown names", format!("rm {}", "\"$x\"a/".repeat(150))),
        ("many paths of unknown names", "rm -rf ./\"$?\"a/b\"$?\"c\n".repeat(30)),
    ]
}

#[test]
fn no_path_takes_much_to_compare_however_little_is_known_of_it() {
    let uses: String = PACKS.iter().map(|(name, _)| format!("use \"{name}\"\n")).collect();
    let policy = policy(&uses);
    for (kind, text) in partly_known() {
        let given = bash(&text);
        let tools = ShellTools::default();
        let account = Rc::new(Budget::new(EVENT));
        let context =
            Context::new(&given.payload, "claude-code", &*given.facts, &tools).with_budget(Rc::clone(&account));
        let _ = evaluate(&policy.rules, &context, TraceDetail::Outcomes);
        assert_eq!(account.refused(), 0, "{kind}: {account:?}");
    }
}

#[test]
fn a_word_of_many_letters_is_not_looked_up_for_every_pattern() {
    let uses: String = PACKS.iter().map(|(name, _)| format!("use \"{name}\"\n")).collect();
    let policy = policy(&uses);
    let mixed: String = ('a'..='z').filter(|letter| *letter != 'o').collect();
    for (kind, letters) in [("one letter", "f".repeat(30_000)), ("all letters", mixed.repeat(1_200))] {
        let given = bash(&format!("git push -{letters}"));
        let tools = ShellTools::default();
        let context = Context::new(&given.payload, "claude-code", &*given.facts, &tools);
        let begin = thread_time();
        let _ = evaluate(&policy.rules, &context, TraceDetail::Outcomes);
        let took = thread_time() - begin;
        assert!(took < LIMIT, "{kind}: {took:?}");
    }
}

/// Returns the smallest budget of an event that suffices to judge a command by a condition.
fn account(condition: &str, text: &str) -> u64 {
    let policy = policy(&rule("PreToolUse(Bash)", condition));
    let given = bash(text);
    let tools = ShellTools::default();
    let suffices = |units: u64| {
        let account = Rc::new(Budget::new(units));
        let context =
            Context::new(&given.payload, "claude-code", &*given.facts, &tools).with_budget(Rc::clone(&account));
        let _ = evaluate(&policy.rules, &context, TraceDetail::Outcomes);
        account.refused() == 0
    };
    let (mut less, mut enough) = (0, EVENT);
    assert!(suffices(enough), "{condition}");
    while less + 1 < enough {
        let middle = less.midpoint(enough);
        if suffices(middle) { enough = middle } else { less = middle }
    }
    enough
}

#[test]
fn commands_are_asked_about_once_in_however_many_places_a_rule_is_judged() {
    let list: Vec<String> = (0..500).map(|n| format!("\"tool{n} *\"")).collect();
    let list = list.join(", ");
    let text = "tool1 a; cd a; git push; cd ../b; git push; cd ../c; git push";
    for (kind, test) in [("only", format!("only runs [{list}]")), ("not", format!("not runs [{list}]"))] {
        let alone = account(&test, text);
        for more in ["git.branch == \"main\" and runs \"git push\"", "not reads like \"x\" and git.branch == \"main\""]
        {
            let placed = account(&format!("{test} and {more}"), text);
            assert!(placed < alone + alone / 2, "{kind}, {more}: {placed} where one takes {alone}");
        }
    }
}
