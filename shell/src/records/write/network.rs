//! Writes the network use of programs: the rows of `src/network/rows.rs`.

use std::fmt::Write as _;

use super::super::records::Resolved;
use super::super::records::network::{Network, Operands};
use super::grouped;

/// Writes the rows of the programs, for `src/network/rows.rs`, grouped by program.
pub(super) fn write(programs: &[Resolved]) -> String {
    grouped("const GROUPS: &[&[Row]]", programs, |program, out| row(program, program, &[], out))
}

/// Writes the row of a program or a subcommand, and those of the subcommands below.
fn row(program: &Resolved, at: &Resolved, under: &[&[String]], out: &mut String) {
    if let Some(network) = &at.network {
        let Network { place, port, values, variables, only, idle, is_configured, sends, input, .. } = network;
        let spelled = |names: &Vec<String>| at.all_spellings(names);
        let values: String =
            values.iter().map(|(notation, names)| format!("(&{:?}, Use::{notation}), ", spelled(names))).collect();
        let variables: String =
            variables.iter().map(|(notation, names)| format!("(&{names:?}, Use::{notation}), ")).collect();
        let under: String = under.iter().map(|names| format!("&{names:?}, ")).collect();
        // If the function does not exist, the compiler's error shows this line, and with it the record.
        let _infallible = writeln!(
            out,
            "Row {{ names: &{:?}, under: &[{under}],\noperands: {}, // programs/{}:{}\nport: {port:?}, \
             values: &[{values}], variables: &[{variables}], only: &{only:?}, idle: &{:?}, is_configured: {is_configured}, sends: {sends}, input: {input} }},",
            program.record.names,
            operands(network),
            place.file,
            place.line,
            spelled(idle),
        );
    }
    for command in &at.commands {
        let under: Vec<&[String]> = under.iter().copied().chain([command.record.names.as_slice()]).collect();
        row(program, command, &under, out);
    }
}

fn operands(network: &Network) -> String {
    match &network.operands {
        Operands::None => "Operands::None".to_owned(),
        Operands::By(function) => format!("Operands::By({function})"),
        Operands::Each(notation) => format!("Operands::Each(Use::{notation})"),
        Operands::First(notation) => format!("Operands::First(Use::{notation})"),
    }
}
