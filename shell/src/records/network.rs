//! The network use of programs, from their records to the rows of `src/network/rows.rs`.

use std::collections::BTreeSet;

use super::files::report_unknown_options;
use super::{OptionRecord, RecordMistake, ResolvedRecord, SourcePlace, report};

/// How a word names another machine: the TOML word, and the Rust name.
pub(crate) const NOTATIONS: &[(&str, &str)] = &[("urls", "Url"), ("hosts", "Host"), ("remotes", "Remote")];

/// How the value of an option names another machine, or the data that is sent.
pub(crate) const VALUE_NOTATIONS: &[(&str, &str)] =
    &[("urls", "Url"), ("hosts", "Host"), ("remotes", "Remote"), ("servers", "Server"), ("keeps", "Keeps")];

/// How the value of a variable names another machine.
pub(crate) const VARIABLE_NOTATIONS: &[(&str, &str)] = &[("urls", "Url"), ("hosts", "Host"), ("servers", "Server")];

/// The table `[network]` of a record.
#[derive(Clone, Default)]
pub(crate) struct NetworkTable {
    pub(crate) place: SourcePlace,
    pub(crate) operands: NetworkTableOperands,
    /// The default port.
    pub(crate) port: Option<u16>,
    /// The role of the values of options, with the spellings of these.
    pub(crate) values: Vec<(&'static str, Vec<String>)>,
    /// The role of the values of environment variables.
    pub(crate) variables: Vec<(&'static str, Vec<String>)>,
    /// The words after its name with which alone it uses the network; empty: it always does.
    pub(crate) only: Vec<String>,
    /// Options with which it does not use the network.
    pub(crate) idle: Vec<String>,
    /// Without a machine in its words it connects to one that is configured elsewhere.
    pub(crate) is_configured: bool,
    /// It sends the files that it reads.
    pub(crate) sends: bool,
    /// It sends its standard input.
    pub(crate) input: bool,
}

/// Which operands name machines.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum NetworkTableOperands {
    #[default]
    None,
    /// Each, in this notation.
    Each(&'static str),
    /// The first alone, in this notation.
    First(&'static str),
    /// Determined by a function of `src/network`.
    By(String),
}

/// Checks the table of a program or a subcommand against its options.
pub(super) fn check(program: &ResolvedRecord, options: Option<&[&OptionRecord]>, mistakes: &mut Vec<RecordMistake>) {
    let Some(network) = &program.network else { return };
    let values = network.values.iter().map(|(_, names)| names);
    for names in values.chain([&network.idle]) {
        report_unknown_options("network", &network.place, names, options, mistakes);
    }
    let mut seen = BTreeSet::new();
    for name in network.values.iter().flat_map(|(_, names)| names) {
        if !seen.insert(name) {
            let message = format!("`network.values`: the option `{name}` stands twice");
            report(mistakes, &network.place, message, "keep the use that is right");
        }
    }
}
