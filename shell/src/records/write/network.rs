//! Writes to which machines programs connect, and what they send: the rows of `src/network/rows.rs`.

use std::fmt::Write as _;

use super::super::records::ResolvedRecord;
use super::super::records::network::{NetworkTable, NetworkTableOperands};
use super::write_groups;

/// Writes the rows of the tables `[network]`, grouped by program.
pub(super) fn write(programs: &[ResolvedRecord]) -> String {
    write_groups("const GROUPS: &[&[NetworkRow]]", programs, |program, out| write_row(program, program, &[], out))
}

/// Writes the row of a program or a subcommand, and the rows of its subcommands. `under` are the names of the
/// subcommands up to this one.
fn write_row(program: &ResolvedRecord, at: &ResolvedRecord, under: &[&[String]], out: &mut String) {
    if let Some(network) = &at.network {
        let NetworkTable { place, port, values, variables, only, idle, is_configured, sends, input, .. } = network;
        let spelled = |names: &Vec<String>| at.all_spellings(names);
        let values: String = values
            .iter()
            .map(|(notation, names)| format!("(&{:?}, PeerNotation::{notation}), ", spelled(names)))
            .collect();
        let variables: String =
            variables.iter().map(|(notation, names)| format!("(&{names:?}, PeerNotation::{notation}), ")).collect();
        let under: String = under.iter().map(|names| format!("&{names:?}, ")).collect();
        // If the function does not exist, the compiler's error shows this line, and with it the record.
        let _infallible = writeln!(
            out,
            "NetworkRow {{ names: &{:?}, under: &[{under}],\noperands: {}, // programs/{}:{}\nport: {port:?}, \
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
        write_row(program, command, &under, out);
    }
}

/// Returns the Rust expression for which operands name machines.
fn operands(network: &NetworkTable) -> String {
    match &network.operands {
        NetworkTableOperands::None => "PeerOperands::None".to_owned(),
        NetworkTableOperands::By(function) => format!("PeerOperands::By({function})"),
        NetworkTableOperands::Each(notation) => format!("PeerOperands::Each(PeerNotation::{notation})"),
        NetworkTableOperands::First(notation) => format!("PeerOperands::First(PeerNotation::{notation})"),
    }
}
