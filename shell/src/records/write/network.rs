//! Writes which machines programs connect to, and what they send there: the rows of `src/network/rows.rs`.

use std::fmt::Write as _;

use super::super::records::ResolvedRecord;
use super::super::records::network::{NetworkTable, NetworkTableOperands};
use super::write_groups;

/// Returns the code for `src/network/rows.rs`: the rows of the tables `[network]`, grouped by program.
pub(super) fn write(programs: &[ResolvedRecord]) -> String {
    write_groups("const GROUPS: &[&[NetworkRow]]", programs, |program, out| write_row(program, program, &[], out))
}

/// Writes the row of `command`, which is `program` itself or one of its subcommands, and the rows of the subcommands
/// below it. `path` has the names of each subcommand from the program to `command`, and is empty for the program.
fn write_row(program: &ResolvedRecord, command: &ResolvedRecord, path: &[&[String]], out: &mut String) {
    if let Some(network) = &command.network {
        let NetworkTable { place, port, values, variables, only, idle, is_configured, sends, input, .. } = network;
        let spellings = |names: &Vec<String>| command.all_spellings(names);
        let values: String = values
            .iter()
            .map(|(notation, names)| format!("(&{:?}, PeerNotation::{notation}), ", spellings(names)))
            .collect();
        let variables: String =
            variables.iter().map(|(notation, names)| format!("(&{names:?}, PeerNotation::{notation}), ")).collect();
        let path: String = path.iter().map(|names| format!("&{names:?}, ")).collect();
        // If the function does not exist, the compiler's error shows this line, and with it the record.
        let _infallible = writeln!(
            out,
            "NetworkRow {{ names: &{:?}, under: &[{path}],\noperands: {}, // programs/{}:{}\nport: {port:?}, \
             values: &[{values}], variables: &[{variables}], only: &{only:?}, idle: &{:?}, is_configured: {is_configured}, sends: {sends}, input: {input} }},",
            program.record.names,
            operands(network),
            place.file,
            place.line,
            spellings(idle),
        );
    }
    for subcommand in &command.commands {
        let path: Vec<&[String]> = path.iter().copied().chain([subcommand.record.names.as_slice()]).collect();
        write_row(program, subcommand, &path, out);
    }
}

/// Returns the Rust expression for the operands that name machines.
fn operands(network: &NetworkTable) -> String {
    match &network.operands {
        NetworkTableOperands::None => "PeerOperands::None".to_owned(),
        NetworkTableOperands::By(function) => format!("PeerOperands::By({function})"),
        NetworkTableOperands::Each(notation) => format!("PeerOperands::Each(PeerNotation::{notation})"),
        NetworkTableOperands::First(notation) => format!("PeerOperands::First(PeerNotation::{notation})"),
    }
}
