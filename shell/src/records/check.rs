//! Checks that the tables of records (`[files]`, `[runs]`, …) only name options that the records have.

use super::{OptionRecord, RecordMistake, ResolvedRecord, files, network, prints, project, runs};

/// Checks the tables of all programs against the options in their records. Each mistake is reported once.
pub(super) fn check(programs: &[ResolvedRecord], mistakes: &mut Vec<RecordMistake>) {
    let mut found = Vec::new();
    for program in programs {
        check_program(program, &[], &mut found);
    }
    // A subcommand that several programs share is checked for each of them, so its mistakes are found several times.
    for (at, mistake) in found.iter().enumerate() {
        if !found.iter().take(at).any(|other| other == mistake) {
            mistakes.push(mistake.clone());
        }
    }
}

/// Checks the tables of a program or a subcommand, and of its subcommands. `above` are the records around it, beginning
/// with the program's.
fn check_program(program: &ResolvedRecord, above: &[&ResolvedRecord], mistakes: &mut Vec<RecordMistake>) {
    let is_as_written = above.iter().chain([&program]).any(|program| program.is_as_written);
    let mut options: Vec<&OptionRecord> = above.iter().flat_map(|program| program.all_options()).collect();
    program.collect(&mut options);
    // The words of an `as-written` record are not parsed, so its tables may name any option.
    let options = (!is_as_written).then_some(&*options);
    files::check(program, options, mistakes);
    network::check(program, options, mistakes);
    runs::check(program, !above.is_empty(), options, mistakes);
    prints::check(program, mistakes);
    project::check(program, options, mistakes);
    for plain in &program.plain_values {
        let option = std::slice::from_ref(&plain.option);
        files::report_unknown_options("plain-values", &plain.place, option, options, mistakes);
    }
    let incidental = &program.incidental;
    files::report_unknown_options("incidental", &incidental.place, &incidental.names, options, mistakes);
    let below: Vec<&ResolvedRecord> = above.iter().copied().chain([program]).collect();
    program.commands.iter().for_each(|command| check_program(command, &below, mistakes));
}

impl ResolvedRecord {
    /// Adds the options of the record, and those of its subcommands, to a list.
    fn collect<'p>(&'p self, options: &mut Vec<&'p OptionRecord>) {
        options.extend(self.all_options());
        self.commands.iter().for_each(|command| command.collect(options));
    }
}
