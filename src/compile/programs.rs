//! The records of programs that a layer brings: what they are, and by whose its rules read commands.
//!
//! A rule reads the words of a command by the built-in table, by the records of its own directory and of those further
//! out, and by those of the layers above: no layer changes what the rules of a higher one see (law 4), and no
//! repository what those of a directory around it do.

use crate::config::LayerKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::{Layer, ProgramFile};
use crate::span::Span;
use hookrules_shell::{Mistake, Programs, Replaces};

/// The records that the rules of a layer go by.
pub(super) struct LayerPrograms {
    /// Those of the layers above, then with those of each directory, the outermost first.
    reached: Vec<Programs>,
}

impl LayerPrograms {
    /// Returns those that the rules of a directory go by.
    pub(super) fn of_directory(&self, directory: usize) -> &Programs {
        self.reached.get(directory + 1).unwrap_or_else(|| self.all())
    }

    /// Returns those of the whole layer.
    pub(super) fn all(&self) -> &Programs {
        static NONE: Programs = Programs::new();
        self.reached.last().unwrap_or(&NONE)
    }
}

/// Returns the records that the rules of a layer go by, given those of the layers above.
pub(super) fn programs(layer: &Layer, above: &Programs, diagnostics: &mut Vec<Diagnostic>) -> LayerPrograms {
    let mut programs = above.clone();
    let mut reached = vec![programs.clone()];
    for files in &layer.programs {
        let texts: Vec<(String, String)> = files.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
        match programs.read(&texts, replaces(layer.kind)) {
            Ok(left_out) => diagnostics.extend(left_out.iter().map(|taken| unused(taken, files, layer.kind))),
            Err(mistakes) => diagnostics.extend(mistakes.iter().map(|mistake| wrong(mistake, files))),
        }
        reached.push(programs.clone());
    }
    LayerPrograms { reached }
}

/// A repository's record of a program may not say that it does less than ours says; whose machine it is may.
fn replaces(kind: LayerKind) -> Replaces {
    match kind {
        LayerKind::Managed | LayerKind::User => Replaces::BuiltIn,
        LayerKind::Project | LayerKind::Local => Replaces::Nothing,
    }
}

fn wrong(mistake: &Mistake, files: &[ProgramFile]) -> Diagnostic {
    let found = Diagnostic::new(Code::BAD_PROGRAM, mistake.message()).help(mistake.help());
    at(found, mistake, files, "here")
}

fn unused(taken: &Mistake, files: &[ProgramFile], kind: LayerKind) -> Diagnostic {
    let help = match kind {
        LayerKind::Managed | LayerKind::User => taken.help(),
        LayerKind::Project | LayerKind::Local => {
            "remove it, and deny in a rule what it should guard; only your own policy may replace a built-in record"
        }
    };
    let found = Diagnostic::new(Code::PROGRAM_UNUSED, taken.message()).help(help);
    at(found, taken, files, "names a program that is known")
}

fn at(found: Diagnostic, mistake: &Mistake, files: &[ProgramFile], label: &str) -> Diagnostic {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let place = mistake.span();
    match files.iter().find(|file| file.path == mistake.file()) {
        Some(file) => found.label(Span { file: file.id, start: offset(place.start), end: offset(place.end) }, label),
        None => found,
    }
}
