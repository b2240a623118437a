//! The program records of a layer, and which of them apply to the rules of each directory.
//!
//! A rule parses commands with the built-in records, the records of its own directory and of the enclosing
//! directories, and the records of the layers above. A layer does not affect the rules of the layers above it (law
//! 4), and a nested repository does not affect the rules of an enclosing directory.

use crate::config::LayerKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::{Layer, PolicyDirectory, ProgramFile};
use crate::span::Span;
use hookrules_shell::Programs;
use hookrules_shell::programs::{RecordMistake, ReplaceableRecords};

/// The program records that apply to the rules of a layer.
pub(super) struct LayerPrograms {
    /// The first element has the records of the layers above. One element for each directory follows, outermost first,
    /// with the records of the previous element and the directory's own.
    by_directory: Vec<Programs>,
}

impl LayerPrograms {
    /// Returns the records that apply to the rules of a directory.
    pub(super) fn for_directory(&self, directory: usize) -> &Programs {
        self.by_directory.get(directory + 1).unwrap_or_else(|| self.for_layer())
    }

    /// Returns the records that apply to the rules of the innermost directory: all records of the layer.
    pub(super) fn for_layer(&self) -> &Programs {
        static NONE: Programs = Programs::new();
        self.by_directory.last().unwrap_or(&NONE)
    }
}

/// Reads the program records of a layer, in addition to those of the layers above. Reports invalid records, and records
/// that are not used because their program already has one.
pub(super) fn collect_programs(layer: &Layer, above: &Programs, diagnostics: &mut Vec<Diagnostic>) -> LayerPrograms {
    let mut programs = above.clone();
    let mut by_directory = vec![programs.clone()];
    for PolicyDirectory { programs: files, .. } in &layer.directories {
        let texts: Vec<(String, String)> = files.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
        match programs.read(&texts, allowed_replacements(layer.kind)) {
            Ok(unused) => diagnostics.extend(unused.iter().map(|record| unused_record(record, files, layer.kind))),
            Err(mistakes) => diagnostics.extend(mistakes.iter().map(|mistake| record_problem(mistake, files))),
        }
        by_directory.push(programs.clone());
    }
    LayerPrograms { by_directory }
}

/// Returns which existing records the records of a layer may replace. A repository must not weaken a built-in record,
/// but the owner of the machine may replace it.
fn allowed_replacements(kind: LayerKind) -> ReplaceableRecords {
    match kind {
        LayerKind::Managed | LayerKind::User => ReplaceableRecords::BuiltIn,
        LayerKind::Project | LayerKind::Local => ReplaceableRecords::Nothing,
    }
}

/// Returns the finding about an invalid record.
fn record_problem(mistake: &RecordMistake, files: &[ProgramFile]) -> Diagnostic {
    let found = Diagnostic::new(Code::BAD_PROGRAM, mistake.message()).help(mistake.help());
    label_at(found, mistake, files, "here")
}

/// Returns the finding about a record that is not used, because its program already has one.
fn unused_record(mistake: &RecordMistake, files: &[ProgramFile], kind: LayerKind) -> Diagnostic {
    let help = match kind {
        LayerKind::Managed | LayerKind::User => mistake.help(),
        LayerKind::Project | LayerKind::Local => {
            "remove it, and deny in a rule what it should guard; only your own policy may replace a built-in record"
        }
    };
    let found = Diagnostic::new(Code::PROGRAM_UNUSED, mistake.message()).help(help);
    label_at(found, mistake, files, "names a program that is known")
}

/// Labels the place of a mistake in a record's file.
fn label_at(found: Diagnostic, mistake: &RecordMistake, files: &[ProgramFile], label: &str) -> Diagnostic {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let place = mistake.span();
    match files.iter().find(|file| file.path == mistake.file()) {
        Some(file) => found.label(Span { file: file.id, start: offset(place.start), end: offset(place.end) }, label),
        None => found,
    }
}
