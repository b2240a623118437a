//! `rules mutate --fix`: writes the proposed examples and tests into the files of the policy.
#![expect(clippy::disallowed_methods, reason = "a command is about the current directory")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::cli::print::{Printer, count};
use crate::cli::write::Roots;
use crate::diagnostic::Diagnostic;
use crate::examples::judge_layer;
use crate::mutants::{MutantFinding, PlacedAddition};
use crate::platform::paths::portable;
use crate::policy::Policy;
use crate::project::{self, FileEdit, MachinePlaces};
use crate::span::{SourceFile, Sources};
use crate::syntax::format;

/// A file with its text before and after the additions.
struct ChangedFile<'p> {
    source: &'p SourceFile,
    path: &'p Path,
    after: String,
}

/// Writes the additions that would make examples or tests notice the survivors, each text once, and prints how many.
/// Returns the survivors for which there is no addition, or none that can be written to a file.
///
/// # Errors
/// A message if a file cannot be replaced or has changed since it was read. Also if the policy would not load, or an
/// example or test would fail, with the additions; then nothing is written.
pub(super) fn write(
    policy: &Policy,
    survivors: &[MutantFinding],
    paths: &[PathBuf],
    printer: &mut Printer,
) -> Result<Vec<MutantFinding>, String> {
    let is_file = |addition: &&PlacedAddition| {
        policy.sources.file_by_id(addition.file).is_some_and(|source| source.path.is_some())
    };
    let mut additions: Vec<&PlacedAddition> = Vec::new();
    let mut remaining = Vec::new();
    for survivor in survivors {
        match survivor.addition.as_ref().filter(is_file) {
            Some(addition) if additions.contains(&addition) => {}
            Some(addition) => additions.push(addition),
            None => remaining.push(survivor.clone()),
        }
    }
    let files = changed_files(policy, &additions)?;
    check(&files, paths)?;
    let roots = Roots::from_paths(paths);
    for file in &files {
        let written = roots.replace(file.path, &file.source.text, &file.after);
        written.map_err(|problem| format!("`{}` is not changed: {problem}", file.source.name))?;
    }
    if !files.is_empty() {
        let names: Vec<&str> = files.iter().map(|file| file.source.name.as_str()).collect();
        let message = format!("rules: {} written into {}", count(additions.len(), "proposal"), names.join(", "));
        printer.err(&printer.wrapped("", "  ", &message));
    }
    Ok(remaining)
}

/// Returns the files with the additions. Formats a file only if it was formatted before.
fn changed_files<'p>(policy: &'p Policy, additions: &[&PlacedAddition]) -> Result<Vec<ChangedFile<'p>>, String> {
    let mut by_file: BTreeMap<_, Vec<&PlacedAddition>> = BTreeMap::new();
    for addition in additions {
        by_file.entry(addition.file).or_default().push(addition);
    }
    let mut files = Vec::new();
    for (id, additions) in by_file {
        let Some(source) = policy.sources.file_by_id(id) else { continue };
        let Some(path) = source.path.as_deref() else { continue };
        let text = text_with(source, additions);
        let is_formatted = format(source).is_ok_and(|formatted| formatted == source.text);
        let after = if is_formatted { format_changed(source, text)? } else { text };
        files.push(ChangedFile { source, path, after });
    }
    Ok(files)
}

/// Returns the text of a file with the additions at their positions. Additions at the same position keep their order.
fn text_with(source: &SourceFile, mut additions: Vec<&PlacedAddition>) -> String {
    additions.sort_by_key(|addition| addition.position);
    let newline = if source.text.contains("\r\n") { "\r\n" } else { "\n" };
    let (mut out, mut copied) = (String::new(), 0);
    let mut last = None;
    for PlacedAddition { position, is_parted, text, .. } in additions {
        let is_first = last != Some(*position);
        if is_first {
            // The indentation of a brace stays with the brace.
            let before = source.text.get(copied..*position).unwrap_or_default();
            let without_indentation = before.trim_end_matches([' ', '\t']);
            out.push_str(without_indentation);
            copied = copied.saturating_add(without_indentation.len());
            if !out.is_empty() && !out.ends_with('\n') {
                out.push_str(newline);
            }
        }
        if *is_parted && (is_first || *position == source.text.len()) {
            out.push_str(newline);
        }
        for line in text.lines() {
            out.push_str(line);
            out.push_str(newline);
        }
        last = Some(*position);
    }
    out.push_str(source.text.get(copied..).unwrap_or_default());
    out
}

/// Formats the changed text of a file, as `rules fmt` does.
///
/// # Errors
/// A message if the text does not parse.
fn format_changed(source: &SourceFile, text: String) -> Result<String, String> {
    let mut sources = Sources::default();
    let id = sources.add(source.name.clone(), source.path.clone(), text);
    let result = sources.file_by_id(id).map(format);
    match result {
        Some(Ok(text)) => Ok(text),
        _ => Err(format!("`{}` would not parse with what is proposed; nothing is written", source.name)),
    }
}

/// Checks that the policy loads with the changed files, and that its examples and tests pass.
fn check(files: &[ChangedFile<'_>], paths: &[PathBuf]) -> Result<(), String> {
    let edits: Vec<FileEdit> = files.iter().map(|file| FileEdit::new(file.path, file.after.as_str())).collect();
    let loaded = match paths {
        [] => project::load_with_edits(
            &MachinePlaces::on_this_machine(std::env::current_dir().map(portable).ok()),
            &edits,
        ),
        paths => project::load_paths_with_edits(paths, &edits),
    };
    let policy = Policy::new(loaded.sources, &loaded.layers);
    let failed = policy.layers.iter().flat_map(|layer| judge_layer(layer).failed);
    let found: Vec<Diagnostic> = policy.errors().cloned().chain(failed).collect();
    match found.first() {
        None => Ok(()),
        Some(first) => Err(format!("nothing is written: with what is proposed, {}", first.message)),
    }
}
