//! The program records of a layer, and which of them each of its rules uses.
//!
//! A rule parses the words of a command with the built-in table, the records of its own directory and of the enclosing
//! ones, and those of the layers above. No layer changes what the rules of a higher one see (law 4), and no repository
//! changes that for the rules of an enclosing directory.

use crate::config::LayerKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::{Layer, ProgramFile};
use crate::span::Span;
use hookrules_shell::Programs;
use hookrules_shell::programs::{RecordMistake, ReplaceableRecords};

/// The records that the rules of a layer use.
pub(super) struct LayerPrograms {
    /// The records of the layers above, then additionally those of each directory, outermost first.
    by_directory: Vec<Programs>,
}

impl LayerPrograms {
    /// Returns the records that the rules of a directory use.
    pub(super) fn for_directory(&self, directory: usize) -> &Programs {
        self.by_directory.get(directory + 1).unwrap_or_else(|| self.for_layer())
    }

    /// Returns the records of the whole layer.
    pub(super) fn for_layer(&self) -> &Programs {
        static NONE: Programs = Programs::new();
        self.by_directory.last().unwrap_or(&NONE)
    }
}

/// Collects the records that the rules of a layer use, given those of the layers above.
pub(super) fn collect_programs(layer: &Layer, above: &Programs, diagnostics: &mut Vec<Diagnostic>) -> LayerPrograms {
    let mut programs = above.clone();
    let mut reached = vec![programs.clone()];
    for files in &layer.programs {
        let texts: Vec<(String, String)> = files.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
        match programs.read(&texts, allowed_replacements(layer.kind)) {
            Ok(left_out) => diagnostics.extend(left_out.iter().map(|taken| unused_record(taken, files, layer.kind))),
            Err(mistakes) => diagnostics.extend(mistakes.iter().map(|mistake| record_problem(mistake, files))),
        }
        reached.push(programs.clone());
    }
    LayerPrograms { by_directory: reached }
}

/// A repository's record must not weaken a built-in record; the owner of the machine may replace it.
fn allowed_replacements(kind: LayerKind) -> ReplaceableRecords {
    match kind {
        LayerKind::Managed | LayerKind::User => ReplaceableRecords::BuiltIn,
        LayerKind::Project | LayerKind::Local => ReplaceableRecords::Nothing,
    }
}

fn record_problem(mistake: &RecordMistake, files: &[ProgramFile]) -> Diagnostic {
    let found = Diagnostic::new(Code::BAD_PROGRAM, mistake.message()).help(mistake.help());
    label_at(found, mistake, files, "here")
}

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

fn label_at(found: Diagnostic, mistake: &RecordMistake, files: &[ProgramFile], label: &str) -> Diagnostic {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let place = mistake.span();
    match files.iter().find(|file| file.path == mistake.file()) {
        Some(file) => found.label(Span { file: file.id, start: offset(place.start), end: offset(place.end) }, label),
        None => found,
    }
}
