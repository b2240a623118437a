//! The findings about a policy, and its text after all fixes.

use std::path::PathBuf;

use hookrules::diagnostic::{Code, Diagnostic, Fix, FixSafety, Level, Levels, apply};
use hookrules::host::Host;
use hookrules::policy::Policy;
use hookrules::project;
use hookrules::span::{Sources, Span};
use hookrules::{examples, import, lint, syntax};
use serde_json::{Value as Json, json};

use crate::case::Case;

/// The most rounds of fixes, as in `rules check --fix`.
const ROUNDS: usize = 10;

pub fn dump(case: &Case) -> Json {
    let paths: Vec<PathBuf> = case.texts("paths").iter().map(PathBuf::from).collect();
    let (file, text) = (case.text("file"), case.text("text"));
    let policy = if paths.is_empty() { of_text(file, text) } else { of_paths(&paths) };
    let (findings, passed) = found(&policy);
    let rules: Vec<&str> = policy.rules.rules().iter().map(|rule| rule.display_name.as_str()).collect();
    json!({
        "found": policy.is_found(),
        "rules": rules,
        "findings": findings.iter().map(|found| finding(found, &policy.sources)).collect::<Vec<Json>>(),
        "passed": passed,
        "formatted": if paths.is_empty() { formatted(file, text) } else { Json::Null },
        "fixed": if paths.is_empty() { fixed(file, text, findings) } else { Json::Null },
    })
}

/// The policy that a configuration of another program is converted to.
pub fn imported(case: &Case) -> Json {
    let mut sources = Sources::default();
    sources.add(case.text("file"), None, case.text("text"));
    let Some(format) = import::ImportFormat::by_name("conclaude") else { return Json::Null };
    match import::import(format, &sources) {
        Ok(imported) => {
            let note = |note: &import::ImportNote| json!({ "place": place(note.span, &sources), "note": note.text });
            json!({
                "policy": imported.policy,
                "settings": imported.settings,
                "notes": imported.notes.iter().map(note).collect::<Vec<Json>>(),
            })
        }
        Err(findings) => json!({
            "findings": findings.iter().map(|found| finding(found, &sources)).collect::<Vec<Json>>(),
        }),
    }
}

fn of_text(file: &str, text: &str) -> Policy {
    let loaded = project::load_text(file, text);
    Policy::new(loaded.sources, &loaded.layers)
}

fn of_paths(paths: &[PathBuf]) -> Policy {
    let loaded = project::load_paths(paths);
    Policy::new(loaded.sources, &loaded.layers)
}

/// Returns what `rules check` reports, lints that are off by default included, except about this machine; and how many
/// examples and tests pass.
fn found(policy: &Policy) -> (Vec<Diagnostic>, usize) {
    let mut levels = Levels::default();
    for code in Code::adjustable_codes().filter(|code| !code.is_on) {
        levels.set(code, Level::On(code.severity));
    }
    let mut findings = Vec::new();
    for host in Host::all() {
        let of_host = lint::check_policy(policy, &[host], &levels);
        findings.extend(of_host.into_iter().filter(|found| !findings.contains(found)).collect::<Vec<_>>());
    }
    let mut passed = 0;
    for layer in &policy.layers {
        for report in [
            examples::judge_own_examples(layer, examples::JudgedDirectories::All),
            examples::judge_tests(layer, examples::JudgedDirectories::All),
        ] {
            passed += report.passed;
            findings.extend(report.failed);
        }
    }
    (findings, passed)
}

fn finding(found: &Diagnostic, sources: &Sources) -> Json {
    let labels = found
        .labels
        .iter()
        .map(|label| json!({ "place": place(label.span, sources), "open": label.is_open, "label": label.text }));
    let fix = found.fix.as_ref().map(|fix| {
        let meaning = match fix.meaning {
            FixSafety::Safe => "kept",
            FixSafety::Unsafe => "changed",
        };
        json!({ "place": place(fix.span, sources), "replacement": fix.replacement, "meaning": meaning })
    });
    json!({
        "code": found.code.id,
        "name": found.code.name,
        "severity": found.severity.name(),
        "place": found.span().map(|span| place(span, sources)),
        "message": found.message,
        "labels": labels.collect::<Vec<Json>>(),
        "help": found.help,
        "fix": fix,
    })
}

fn place(span: Span, sources: &Sources) -> Json {
    let Some(file) = sources.file(span) else { return Json::Null };
    let ((line, column), (end_line, end_column)) = (file.line_column(span.start), file.line_column(span.end));
    json!(format!("{}:{line}:{column}-{end_line}:{end_column}", file.name))
}

/// Returns the text in its canonical layout.
fn formatted(file: &str, text: &str) -> Json {
    let mut sources = Sources::default();
    let id = sources.add(file, None, text);
    let Some(source) = sources.file_by_id(id) else { return Json::Null };
    syntax::format(source).map_or(Json::Null, Json::String)
}

/// Returns the text after all fixes, if there are any; a round that causes errors is discarded.
fn fixed(file: &str, text: &str, findings: Vec<Diagnostic>) -> Json {
    let errors = |findings: &[Diagnostic]| findings.iter().filter(|found| found.is_error()).count();
    let (mut text, mut findings, mut is_changed) = (text.to_owned(), findings, false);
    for _ in 0..ROUNDS {
        let is_own = |fix: &&Fix| fix.span.file.0 == 0;
        let fixes: Vec<&Fix> = findings.iter().filter_map(|found| found.fix.as_deref()).filter(is_own).collect();
        if fixes.is_empty() {
            break;
        }
        let (next, _) = apply(&text, fixes);
        let (left, _) = found(&of_text(file, &next));
        if next == text || errors(&left) > errors(&findings) {
            break;
        }
        (text, findings, is_changed) = (next, left, true);
    }
    if is_changed { json!(text) } else { Json::Null }
}
