//! The output of `rules init`: findings, proposal and policy text, for people and as JSON.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Map, Value as Json, json};

use super::InitDraft;
use crate::cli::below;
use crate::cli::print::{Printer, Style};
use crate::cli::prompt::Choice;
use crate::escape::line;
use crate::init::{FindingTopic, ProjectFinding, ProposedPack};
use crate::platform::paths::shown;
use crate::syntax::wrap_text_within;

/// The maximum width of a line of sentences.
const WIDTH: usize = 80;
/// The width of the left column, which has names.
const LEFT: usize = 20;
/// The maximum number of sentences in a bulleted list.
const MAX_BULLETS: usize = 10;

/// The commands to try after the policy is written, each with its use. The command that installs the hook is printed
/// separately.
const NEXT: &[(&str, &str)] = &[
    ("rules test", "run the examples"),
    ("rules list", "see every rule"),
    ("rules explain --event call.json", "see what a call would get, and why"),
];

/// Returns the list of next steps; if the user named a directory, with that directory.
pub(super) fn next_steps_text(named: Option<&Path>, printer: &Printer) -> String {
    let place = named.map(|named| format!(" in {}", line(&shown(&named).to_string(), WIDTH))).unwrap_or_default();
    let steps: String = NEXT.iter().map(|(command, what)| next_step(command, what, printer)).collect();
    format!("\nnext{place}:\n{steps}")
}

/// Returns the line of a command to try: the command, and its use.
pub(super) fn next_step(command: &str, what: &str, printer: &Printer) -> String {
    printer.wrapped(&format!("  {command:<37} "), "      ", what)
}

/// Returns the text about the project: the findings by topic, other policies, what is kept, and what was not examined.
pub(super) fn findings(draft: &InitDraft, printer: &Printer) -> String {
    let mut text = format!("Looked at {}\n\n", line(&shown(&draft.place.directory).to_string(), 200));
    let list = &draft.findings.list;
    let mut topics: Vec<FindingTopic> = list.iter().map(|finding| finding.topic).collect();
    topics.dedup();
    for topic in topics {
        let about: Vec<String> = list.iter().filter(|finding| finding.topic == topic).map(finding).collect();
        // Identical findings are listed once.
        let mut distinct: Vec<&str> = Vec::new();
        for phrase in &about {
            if !distinct.contains(&phrase.as_str()) {
                distinct.push(phrase);
            }
        }
        push_row(&mut text, topic.title(), &distinct.join(", "), printer);
    }
    if list.is_empty() {
        text.push_str("  nothing that says what the project is\n");
    }
    push_bullets(&mut text, "Other policies:", &other_policies(draft), printer);
    push_bullets(&mut text, "Left as it is:", &draft.findings.kept, printer);
    push_bullets(&mut text, "Not looked at:", &draft.findings.not_examined, printer);
    text.push('\n');
    text
}

/// Returns a sentence about the policies of the directories above the project, and one about those below it.
fn other_policies(draft: &InitDraft) -> Vec<String> {
    let project = &draft.place.directory;
    let names: Vec<String> =
        draft.place.above.iter().map(|above| format!("`{}`", below::name(above, project))).collect();
    let above = match names.as_slice() {
        [] => None,
        [one] => Some(format!("the policy of {one} also holds here, and what it uses is not proposed again")),
        _ => Some(format!(
            "the policies of {} also hold here, and what they use is not proposed again",
            names.join(" and ")
        )),
    };
    above.into_iter().chain(below::sentence(Some(project))).collect()
}

/// Returns a finding in a few words: its paths or its name, depending on the topic.
fn finding(finding: &ProjectFinding) -> String {
    let places = || {
        let mut places: Vec<String> = finding.paths.iter().map(|path| line(path, 60)).collect();
        if finding.more > 0 {
            places.push(format!("{} more", finding.more));
        }
        places.join(", ")
    };
    match (finding.topic, &finding.note) {
        (
            FindingTopic::LockFile
            | FindingTopic::Pipeline
            | FindingTopic::Secret
            | FindingTopic::Generated
            | FindingTopic::Migration,
            _,
        ) => places(),
        (FindingTopic::Agent, Some(note)) => format!("{} ({}): {note}", finding.name, places()),
        (FindingTopic::Agent, None) => format!("{} ({})", finding.name, places()),
        (_, Some(note)) => format!("{}; {note}", finding.name),
        (_, None) => finding.name.clone(),
    }
}

/// Returns the proposed packs and rules, each with its reason or effect.
pub(super) fn proposal(draft: &InitDraft, printer: &Printer) -> String {
    let mut text = format!("For {}:\n\n", draft.place.display_path());
    for pack in draft.proposal.chosen() {
        push_row(&mut text, pack.pack, &pack.why.join(" "), printer);
    }
    for rule in &draft.proposal.rules {
        push_row(&mut text, &rule.name, &rule.effect, printer);
    }
    text.push('\n');
    text
}

/// Returns a sentence that lists the packs that are not proposed; empty if all are.
pub(super) fn unproposed_packs(draft: &InitDraft, printer: &Printer) -> String {
    let others: Vec<&str> = draft.proposal.packs.iter().filter(|it| !it.is_chosen).map(|it| it.pack).collect();
    if others.is_empty() {
        return String::new();
    }
    let names = others.join(", ");
    let sentence = format!("Not proposed: {names}; `--with` adds one, `rules list --packs` says what for.");
    let mut text = String::new();
    push_wrapped(&mut text, &sentence, ("", ""), printer);
    text.push('\n');
    text
}

/// Returns the text of the file to be written, between two lines.
pub(super) fn policy_text(draft: &InitDraft, text: &str, printer: &Printer) -> String {
    let rule = printer.signs().rule.repeat(width(printer));
    let head = printer.paint(Style::Dim, &rule);
    format!("{}\n{head}\n{text}{head}\n\n", draft.place.display_path())
}

/// Returns a pack as an entry of the list to choose from.
pub(super) fn entry(pack: &ProposedPack) -> Choice {
    let note = pack.why.first().cloned().unwrap_or_default();
    Choice { name: pack.pack.to_owned(), note, is_chosen: pack.is_chosen }
}

/// Returns the findings and the proposal as one JSON object. `text` is the policy text and whether it was written.
pub(super) fn draft_as_json(draft: &InitDraft, text: Option<(&str, bool)>) -> String {
    let findings: Vec<Json> = draft
        .findings
        .list
        .iter()
        .map(|finding| {
            json!({
                "topic": finding.topic.json_name(), "name": finding.name, "paths": finding.paths, "more": finding.more,
                "note": finding.note,
            })
        })
        .collect();
    let packs: Vec<Json> = draft.proposal.packs.iter().map(|pack| {
        let with: Map<String, Json> = pack.with.iter().map(|(name, list)| ((*name).to_owned(), json!(list))).collect();
        json!({ "pack": pack.pack, "proposed": pack.is_chosen, "why": pack.why, "except": pack.except, "with": with })
    }).collect();
    let rules: Vec<Json> = draft
        .proposal
        .rules
        .iter()
        .map(|rule| json!({ "name": rule.name, "why": rule.docs, "does": rule.effect }))
        .collect();
    let all = json!({
        "project": shown(&draft.place.directory).to_string(),
        "file": draft.place.display_path(),
        "findings": findings,
        "packs": packs,
        "rules": rules,
        "left_alone": draft.findings.kept,
        "not_looked_at": draft.findings.not_examined,
        "text": text.map(|(text, _)| text),
        "written": text.is_some_and(|(_, written)| written),
    });
    format!("{all:#}\n")
}

/// Appends a row: a name on the left, and a wrapped text on the right. A long name has its own line.
fn push_row(text: &mut String, left: &str, right: &str, printer: &Printer) {
    let padded = format!("{left:<LEFT$}");
    let mut right_lines = wrap_text_within(width(printer) - LEFT - 4, right, "", "").into_iter();
    let first = right_lines.next().unwrap_or_default();
    let _written = if left.len() > LEFT {
        writeln!(text, "  {}\n  {:LEFT$}  {first}", printer.paint(Style::Cyan, left), "")
    } else {
        writeln!(text, "  {}  {first}", printer.paint(Style::Cyan, &padded))
    };
    for line in right_lines {
        let _written = writeln!(text, "  {:LEFT$}  {line}", "");
    }
}

/// Appends a title and up to [`MAX_BULLETS`] sentences as a bulleted list. Appends nothing if there are no sentences.
fn push_bullets(text: &mut String, title: &str, sentences: &[String], printer: &Printer) {
    if sentences.is_empty() {
        return;
    }
    let _written = writeln!(text, "\n{title}");
    for sentence in sentences.iter().take(MAX_BULLETS) {
        push_wrapped(text, sentence, ("- ", "  "), printer);
    }
    let more = sentences.len().saturating_sub(MAX_BULLETS);
    if more > 0 {
        let _written = writeln!(text, "- {more} more");
    }
}

/// Appends a wrapped sentence, whose first line begins with `first` and the other lines with `further`.
fn push_wrapped(text: &mut String, sentence: &str, (first, further): (&str, &str), printer: &Printer) {
    for line in wrap_text_within(width(printer), sentence, first, further) {
        let _written = writeln!(text, "{line}");
    }
}

/// Returns the number of columns of a line of sentences.
fn width(printer: &Printer) -> usize {
    printer.width().min(WIDTH)
}
