//! Tests of all lints together: their order does not matter, and superseded findings are not reported.

#![expect(clippy::disallowed_methods, reason = "it reads the policies of the tree")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{LINTS, Lint, check_with_lints, collect_findings};
use crate::diagnostic::{CODES, Code, Diagnostic, Level, Levels, Severity};
use crate::policy::Policy;
use crate::project;

/// Rules with superseded findings that no case of `tests/fixtures/check` has: the event, the condition and the effect
/// of each.
const RULES: &[(&str, &str, &str)] = &[
    ("PreToolUse", r#"path like ["src/**", "!node_modules/**"]"#, "deny \"No.\""),
    ("PreToolUse", r#"runs "git push" where push_target != "feature/*""#, "deny \"No.\""),
    ("PreToolUse", r#"path == "*.env""#, "deny \"No.\""),
    ("PreToolUse", r#"path like "/build/""#, "deny \"No.\""),
    ("PreToolUse", r#"path like "“*.env”""#, "deny \"No.\""),
    ("PreToolUse", r#"path contains "../""#, "deny \"No.\""),
    ("PreToolUse", r#"path matches /$HOME\b/"#, "deny \"No.\""),
    ("PreToolUse(Edit)", r#"path like ["!/build/", "src/**"]"#, "deny \"No.\""),
    ("PreToolUse", r#"runs "curl -XPOST x|curl y""#, "deny \"No.\""),
    ("PreToolUse(Read)", r#"runs "curl -XPOST""#, "deny \"No.\""),
    ("PreToolUse", r#"not only runs "curl -XPOST""#, "deny \"No.\""),
    ("PreToolUse", r#"runs "curl" and not runs "curl -XPOST""#, "deny \"No.\""),
    ("PreToolUse", r#"runs "curl -XPOST""#, "allow"),
    ("PreToolUse", r#"only runs ["* *", "curl -XPOST"]"#, "allow"),
    ("PreToolUse(WebFetch)", r#"url matches /https:..docs.example.org/"#, "allow"),
];

fn policy(text: &str) -> Policy {
    let loaded = project::load_text("a.rules", text);
    Policy::new(loaded.sources, &loaded.layers)
}

/// Returns the policies of `tests/fixtures/check`, with and without their mistakes, and a policy for each rule above.
fn texts() -> Vec<String> {
    let rule = |(on, when, effect): &(&str, &str, &str)| format!("rule a {{\non {on}\nwhen {when}\n{effect}\n}}\n");
    let mut texts: Vec<String> = RULES.iter().map(rule).collect();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/check")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "cases") {
            for case in fs::read_to_string(path).unwrap().split("\n=== ") {
                let (_, text) = case.split_once('\n').unwrap();
                texts.extend(text.split("\n--- instead\n").map(|text| match text.starts_with("on ") {
                    true => format!("rule a {{\n{}\n}}\n", text.trim_end()),
                    false => format!("{text}\n"),
                }));
            }
        }
    }
    texts.sort();
    texts
}

/// Returns levels at which every finding is reported.
fn all_on() -> Levels {
    let mut levels = Levels::default();
    for (code, _) in CODES.iter().filter(|(code, _)| code.severity != Severity::Error) {
        levels.set(code, Level::On(code.severity));
    }
    levels
}

fn reported(text: &str, levels: &Levels) -> Vec<&'static str> {
    check_with_lints(LINTS, &policy(text), &[], levels).iter().map(|finding| finding.code.name).collect()
}

#[test]
fn the_order_of_lints_changes_no_finding() {
    let sorted = |mut findings: Vec<Diagnostic>| {
        findings.sort_by_key(|finding| format!("{finding:?}"));
        findings
    };
    let (texts, levels) = (texts(), all_on());
    assert!(texts.len() > 1_000, "only {}", texts.len());
    let mut lints: Vec<Lint> = LINTS.to_vec();
    for (at, text) in texts.iter().enumerate() {
        // Each text has another order: the reverse of one that was rotated.
        lints.reverse();
        lints.rotate_left(at % 7);
        let policy = policy(text);
        let (expected, found) =
            (check_with_lints(LINTS, &policy, &[], &levels), check_with_lints(&lints, &policy, &[], &levels));
        assert_eq!(sorted(found), sorted(expected), "{text}");
    }
}

/// A code that supersedes another is reported instead of it for some policy, which has both findings.
#[test]
fn every_code_supersedes_what_the_registry_says() {
    let mut missing: BTreeSet<(&str, &str)> =
        CODES.iter().flat_map(|(code, _)| code.supersedes.iter().map(|other| (code.name, other.code.name))).collect();
    assert!(missing.len() > 10, "{missing:?}");
    for text in texts() {
        let policy = policy(&text);
        let all = collect_findings(LINTS, &policy, &[]);
        let reported = check_with_lints(LINTS, &policy, &[], &all_on());
        for one in &all {
            for other in all.iter().filter(|other| one.diagnostic.is_superseding(&other.diagnostic)) {
                let is_of_rule = one.rule.zip(other.rule).is_some_and(|(one, other)| std::ptr::eq(one, other));
                if is_of_rule && reported.contains(&one.diagnostic) {
                    assert!(!reported.contains(&other.diagnostic), "{text}\n{:?}", other.diagnostic);
                    missing.remove(&(one.diagnostic.code.name, other.diagnostic.code.name));
                }
            }
        }
    }
    assert!(missing.is_empty(), "nothing shows that these supersede the second: {missing:?}");
}

#[test]
fn a_finding_that_is_not_reported_supersedes_nothing() {
    let rule = |annotation: &str| {
        format!(
            "{annotation}\nrule a {{\n  on PreToolUse(WebFetch)\n  when url matches /https:..docs.example.org/\n  allow\n}}\n"
        )
    };
    let (url, dot) = (Code::URL_AS_TEXT, Code::REGEX_DOT);
    let levels = Levels::default();
    assert_eq!(reported(&rule(""), &levels), [url.name]);
    assert_eq!(reported(&rule("@allow(url-as-text, \"Only docs.\")"), &levels), [dot.name]);
    let mut off = Levels::default();
    off.set(url, Level::Off);
    assert_eq!(reported(&rule(""), &off), [dot.name]);
    // An annotation about a superseded finding is in use.
    assert_eq!(reported(&rule("@allow(regex-unescaped-dot, \"Any letter.\")"), &levels), [url.name]);
}

#[test]
fn findings_about_different_rules_or_places_are_all_reported() {
    let text = "rule a {\n  on PreToolUse(WebFetch)\n  when url matches /https:..docs.example.org/\n  allow\n}\n\
                rule b {\n  on UserPromptSubmit\n  when prompt matches /docs.example.org/\n  warn \"Docs.\"\n}\n";
    let found = reported(text, &Levels::default());
    assert!(found.contains(&Code::URL_AS_TEXT.name) && found.contains(&Code::REGEX_DOT.name), "{found:?}");
}

#[test]
fn a_star_behind_a_command_that_a_runner_runs_stands_for_its_operands() {
    let is_found = |pattern: &str| {
        let text = format!("rule a {{\n  on PreToolUse(Bash)\n  when only runs {pattern:?}\n  allow\n}}\n");
        reported(&text, &Levels::default()).contains(&Code::STAR_FOR_NOTHING.name)
    };
    for pattern in ["uv run pytest *", "npx tsc *", "timeout 10 grep *", "python3 -m pytest *", "pnpm lint *"] {
        assert!(!is_found(pattern), "{pattern}");
    }
    for pattern in ["uv run *", "npx *"] {
        assert!(is_found(pattern), "{pattern}");
    }
}

#[test]
fn an_exception_from_a_pack_by_a_name_is_told() {
    let is_told = |exception: &str| {
        let text = format!("use \"std/git\" except no-force-push when {exception}\n");
        reported(&text, &Levels::default()).contains(&Code::BY_ALLOWS.name)
    };
    assert!(is_told("agent == \"bot\""));
    assert!(is_told("exists env.CI"));
    assert!(!is_told("git.branch like \"bot/*\""));
}
