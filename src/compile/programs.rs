//! The records of programs that a layer brings: what they are, and by whose its rules read commands.
//!
//! A rule reads the words of a command by the built-in table, by the records of its own layer and by those of the
//! layers above, so that no layer changes what the rules of a higher one see (law 4).

use crate::config::LayerKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::layer::{Layer, ProgramFile};
use crate::span::Span;
use hookrules_shell::{Mistake, Programs, Replaces};

/// Returns the records that the rules of a layer go by, given those of the layers above.
pub(super) fn programs(layer: &Layer, above: &Programs, diagnostics: &mut Vec<Diagnostic>) -> Programs {
    let mut programs = above.clone();
    for files in &layer.programs {
        let texts: Vec<(String, String)> = files.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
        match programs.read(&texts, replaces(layer.kind)) {
            Ok(left_out) => diagnostics.extend(left_out.iter().map(|name| unused(name, files, layer.kind))),
            Err(mistakes) => diagnostics.extend(mistakes.iter().map(|mistake| wrong(mistake, files))),
        }
    }
    programs
}

/// A repository's record of a program may not say that it does less than ours says; whose machine it is may.
fn replaces(kind: LayerKind) -> Replaces {
    match kind {
        LayerKind::Managed | LayerKind::User => Replaces::BuiltIn,
        LayerKind::Project | LayerKind::Local => Replaces::Nothing,
    }
}

fn wrong(mistake: &Mistake, files: &[ProgramFile]) -> Diagnostic {
    // A message and what to do about it, where that is said too.
    let (message, help) = match mistake.message().split_once("; ") {
        Some((message, help)) => (message, Some(help.to_owned())),
        None => (mistake.message(), None),
    };
    at(Diagnostic::new(Code::BAD_PROGRAM, message), mistake, files, "in this record").maybe_help(help)
}

fn unused(taken: &Mistake, files: &[ProgramFile], kind: LayerKind) -> Diagnostic {
    let help = match kind {
        LayerKind::Managed | LayerKind::User => "remove this record, or change the other one",
        LayerKind::Project | LayerKind::Local => {
            "remove this record, and deny in a rule what it is to guard; your own policy in `~/.config/rules` may \
             replace a built-in record"
        }
    };
    let message = format!("`{}` has a record already, and this one is not used", taken.message());
    at(Diagnostic::new(Code::PROGRAM_UNUSED, message), taken, files, "names a program of another record").help(help)
}

fn at(found: Diagnostic, mistake: &Mistake, files: &[ProgramFile], label: &str) -> Diagnostic {
    let file = files.iter().find(|file| file.path == mistake.file());
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let place = mistake.span();
    match file {
        Some(file) => found.label(Span { file: file.id, start: offset(place.start), end: offset(place.end) }, label),
        None => found,
    }
}
