//! Writes what the records say about the output of programs: the rows of `src/prints.rs`.

use std::fmt::Write as _;

use super::super::records::ResolvedRecord;
use super::write_groups;

/// Returns the code for `src/prints.rs`: the rows of the tables `[prints]`, grouped by program.
pub(super) fn write(programs: &[ResolvedRecord]) -> String {
    write_groups("const GROUPS: &[&[PrintsRow]]", programs, |program, out| {
        let Some(prints) = &program.prints else { return };
        // Returns the words of a command line after the program's name.
        let arguments = |command: &str| command.split(' ').skip(1).map(str::to_owned).collect::<Vec<_>>();
        let rows = |commands: &[(&str, Vec<String>)], kind_type: &str| -> String {
            let commands =
                commands.iter().flat_map(|(kind, commands)| commands.iter().map(move |command| (kind, command)));
            commands.map(|(kind, command)| format!("(&{:?}, {kind_type}::{kind}), ", arguments(command))).collect()
        };
        let (commands, generates) =
            (rows(&prints.commands, "PrintedValue"), rows(&prints.generates, "EvaluationEffect"));
        let by = prints.by.as_ref().map_or_else(|| "None".to_owned(), |function| format!("Some({function})"));
        // If the function does not exist, the compiler's error shows this line, and with it the record.
        let _infallible = writeln!(
            out,
            "PrintsRow {{ names: &{:?}, commands: &[{commands}], generates: &[{generates}], is_data: {},\nby: {by}, // \
             programs/{}:{}\n}},",
            program.record.names, prints.is_data, prints.place.file, prints.place.line,
        );
    })
}
