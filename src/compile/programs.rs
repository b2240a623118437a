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
    /// First the records of the layers above; then, for each directory from the outermost, the same records and its
    /// own.
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

/// Reads the program records of a layer, after the records of the layers above. Reports invalid records, and records
/// that are not used because their program is known already.
pub(super) fn collect_programs(layer: &Layer, above: &Programs, diagnostics: &mut Vec<Diagnostic>) -> LayerPrograms {
    let mut programs = above.clone();
    let mut reached = vec![programs.clone()];
    for PolicyDirectory { programs: files, .. } in &layer.directories {
        let texts: Vec<(String, String)> = files.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
        match programs.read(&texts, allowed_replacements(layer.kind)) {
            Ok(left_out) => diagnostics.extend(left_out.iter().map(|taken| unused_record(taken, files, layer.kind))),
            Err(mistakes) => diagnostics.extend(mistakes.iter().map(|mistake| record_problem(mistake, files))),
        }
        reached.push(programs.clone());
    }
    LayerPrograms { by_directory: reached }
}

/// Returns which records the records of a layer may replace. A repository must not weaken a built-in record, but the
/// owner of the machine may replace it.
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

/// Returns the finding about a record that is not used, because its program is known already.
fn unused_record(taken: &RecordMistake, files: &[ProgramFile], kind: LayerKind) -> Diagnostic {
    let help = match kind {
        LayerKind::Managed | LayerKind::User => taken.help(),
        LayerKind::Project | LayerKind::Local => {
            "remove it, and deny in a rule what it should guard; only your own policy may replace a built-in record"
        }
    };
    let found = Diagnostic::new(Code::PROGRAM_UNUSED, taken.message()).help(help);
    label_at(found, taken, files, "names a program that is known")
}

/// Adds a label at the place of a mistake in a record's file.
fn label_at(found: Diagnostic, mistake: &RecordMistake, files: &[ProgramFile], label: &str) -> Diagnostic {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let place = mistake.span();
    match files.iter().find(|file| file.path == mistake.file()) {
        Some(file) => found.label(Span { file: file.id, start: offset(place.start), end: offset(place.end) }, label),
        None => found,
    }
}
