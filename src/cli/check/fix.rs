//! `--fix` and `--diff`: applies the edits that findings propose, until none are left.
#![expect(clippy::disallowed_methods, reason = "a command is about the current directory")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::cli::CommandOutcome;
use crate::cli::difference::difference;
use crate::cli::print::{Printer, Style, count};
use crate::cli::write::Roots;
use crate::config::LayerKind;
use crate::diagnostic::{Code, Diagnostic, Fix, FixSafety, apply};
use crate::platform::paths::portable;
use crate::policy::Policy;
use crate::project::{self, FileEdit, MachinePlaces};
use crate::span::FileId;

/// The maximum number of rounds of edits. The edits of one round may cause findings with further edits.
const MAX_ROUNDS: usize = 10;

/// The files that fixes change.
#[derive(Clone, Default)]
pub(super) struct FixedFiles {
    /// The changed files, by their path.
    files: BTreeMap<PathBuf, FixedFile>,
    /// The number of edits that were applied.
    edits: usize,
}

/// A file's text before and after its fixes.
#[derive(Clone)]
struct FixedFile {
    /// The name for display.
    name: String,
    before: String,
    after: String,
}

/// Applies the edits of findings in memory, to the project's files or the given ones, round by round. Stops, without
/// the edits of the last round, when that round would add an error.
pub(super) fn fix(paths: &[PathBuf], find: impl Fn(&Policy) -> Vec<Diagnostic>, is_unsafe: bool) -> FixedFiles {
    let mut fixed = FixedFiles::default();
    let (mut policy, mut findings) = load_with_fixes(paths, &fixed, &find);
    for round in 0..MAX_ROUNDS {
        // After the first round, a definition may be unused because a fix removed its use; its author still wants it.
        let is_fixable = |finding: &Diagnostic| round == 0 || *finding.code != *Code::UNUSED_DEFINITION;
        let chosen = edits_by_file(&policy, findings.iter().filter(|finding| is_fixable(finding)), is_unsafe);
        if chosen.is_empty() {
            break;
        }
        let mut next = fixed.clone();
        for (id, fixes) in chosen {
            let Some(source) = policy.sources.file_by_id(id) else { continue };
            let Some(path) = &source.path else { continue };
            let (text, applied) = apply(&source.text, fixes);
            next.edits += applied;
            let file = next.files.entry(path.clone()).or_insert_with(|| FixedFile {
                name: source.name.clone(),
                before: source.text.clone(),
                after: String::new(),
            });
            file.after = text;
        }
        let (next_policy, next_findings) = load_with_fixes(paths, &next, &find);
        if count_errors(&next_findings) > count_errors(&findings) {
            break;
        }
        (fixed, policy, findings) = (next, next_policy, next_findings);
    }
    fixed.files.retain(|_, file| file.before != file.after);
    fixed
}

/// Returns the number of errors among findings.
fn count_errors(findings: &[Diagnostic]) -> usize {
    findings.iter().filter(|finding| finding.is_error()).count()
}

/// Loads the policy with the changed texts in place of the files, and returns it with its findings.
fn load_with_fixes(
    paths: &[PathBuf],
    fixed: &FixedFiles,
    find: &impl Fn(&Policy) -> Vec<Diagnostic>,
) -> (Policy, Vec<Diagnostic>) {
    let edits: Vec<FileEdit> =
        fixed.files.iter().map(|(path, mended)| FileEdit::new(path, mended.after.as_str())).collect();
    let loaded = match paths {
        [] => project::load_with_edits(
            &MachinePlaces::on_this_machine(std::env::current_dir().map(portable).ok()),
            &edits,
        ),
        paths => project::load_paths_with_edits(paths, &edits),
    };
    let policy = Policy::new(loaded.sources, &loaded.layers);
    let findings = find(&policy);
    (policy, findings)
}

/// Returns the edits to apply, by file: only those in files of the project's and the local layer, and unsafe ones only
/// if `is_unsafe` is set.
fn edits_by_file<'f>(
    policy: &Policy,
    findings: impl Iterator<Item = &'f Diagnostic>,
    is_unsafe: bool,
) -> BTreeMap<FileId, Vec<&'f Fix>> {
    let layers = policy.layers.iter().filter(|layer| matches!(layer.kind, LayerKind::Project | LayerKind::Local));
    let is_file = |id: &FileId| policy.sources.file_by_id(*id).is_some_and(|source| source.path.is_some());
    let editable: BTreeSet<FileId> = layers.flat_map(|layer| layer.texts.iter().copied()).filter(is_file).collect();
    let mut chosen: BTreeMap<FileId, Vec<&Fix>> = BTreeMap::new();
    for fix in findings.filter_map(|finding| finding.fix.as_deref()) {
        if editable.contains(&fix.span.file) && (is_unsafe || fix.meaning == FixSafety::Safe) {
            chosen.entry(fix.span.file).or_default().push(fix);
        }
    }
    chosen
}

impl FixedFiles {
    /// Prints the changes that would be made. The outcome is a finding if there are any.
    pub(super) fn show(&self, printer: &mut Printer) -> CommandOutcome {
        for mended in self.files.values() {
            let heading = printer.paint(Style::Bold, &mended.name);
            let lines = difference(&mended.before, &mended.after, printer);
            printer.out(&format!("{heading}\n{lines}\n"));
        }
        printer.out(&format!("{} would be made\n", self.count()));
        if self.files.is_empty() { CommandOutcome::Clean } else { CommandOutcome::Findings }
    }

    /// Writes each changed file atomically. An error is the first file that cannot be written; the files before it
    /// are already changed.
    pub(super) fn write(&self, paths: &[PathBuf], printer: &mut Printer) -> Result<(), String> {
        let roots = Roots::from_paths(paths);
        for (path, mended) in &self.files {
            let written = roots.replace(path, &mended.before, &mended.after);
            written.map_err(|problem| format!("`{}` is not changed: {problem}", mended.name))?;
        }
        if !self.files.is_empty() {
            printer.err(&format!("rules: {} made\n", self.count()));
        }
        Ok(())
    }

    /// Returns the numbers of edits and files for a message: `3 edits in 1 file`.
    fn count(&self) -> String {
        format!("{} in {}", count(self.edits, "edit"), count(self.files.len(), "file"))
    }
}
