//! What programs send over the network, and to whom, from their records to the rows of `src/network/rows.rs`.

use std::collections::BTreeSet;

use super::files::unlisted;
use super::{Mistake, OptionRecord, Place, Resolved, report};

/// How a word names another machine: as it is written, and in Rust.
pub(crate) const NOTATIONS: &[(&str, &str)] = &[("urls", "Url"), ("hosts", "Host"), ("remotes", "Remote")];

/// How the value of an option names another machine, or what is sent.
pub(crate) const VALUE_NOTATIONS: &[(&str, &str)] =
    &[("urls", "Url"), ("hosts", "Host"), ("remotes", "Remote"), ("servers", "Server"), ("keeps", "Keeps")];

/// How the value of a variable names another machine.
pub(crate) const VARIABLE_NOTATIONS: &[(&str, &str)] = &[("urls", "Url"), ("hosts", "Host"), ("servers", "Server")];

/// The table `[network]` of a record.
#[derive(Clone, Default)]
pub(crate) struct Network {
    pub(crate) place: Place,
    pub(crate) operands: Operands,
    /// The port that it talks to where none is named.
    pub(crate) port: Option<u16>,
    /// What the values of options name, and their spellings.
    pub(crate) values: Vec<(&'static str, Vec<String>)>,
    /// What the values of variables of the environment name.
    pub(crate) variables: Vec<(&'static str, Vec<String>)>,
    /// The words behind its name with which alone it talks to anybody; none: with all.
    pub(crate) only: Vec<String>,
    /// Options with which it talks to nobody.
    pub(crate) idle: Vec<String>,
    /// Without a name in its words it talks to a machine that is configured elsewhere.
    pub(crate) is_configured: bool,
    /// The files that it reads are sent.
    pub(crate) sends: bool,
    /// What comes on its standard input is sent.
    pub(crate) input: bool,
}

/// Which operands name machines.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum Operands {
    #[default]
    None,
    /// Each, in this notation.
    Each(&'static str),
    /// The first alone, in this notation.
    First(&'static str),
    /// What a function of `src/network` says.
    By(String),
}

/// Holds the table of a program or a subcommand to its options.
pub(super) fn check(program: &Resolved, options: Option<&[&OptionRecord]>, mistakes: &mut Vec<Mistake>) {
    let Some(network) = &program.network else { return };
    let values = network.values.iter().map(|(_, names)| names);
    for names in values.chain([&network.idle]) {
        unlisted("network", &network.place, names, options, mistakes);
    }
    let mut seen = BTreeSet::new();
    for name in network.values.iter().flat_map(|(_, names)| names) {
        if !seen.insert(name) {
            let message = format!("`network.values`: the option `{name}` stands twice");
            report(mistakes, &network.place, message, "keep the use that is right");
        }
    }
}
