//! The table `[network]` of a record: to which machines a program connects, and what it sends. The build script
//! writes it as the rows of `src/network/rows.rs`.

use std::collections::BTreeSet;

use super::files::report_unknown_options;
use super::{OptionRecord, RecordMistake, ResolvedRecord, SourcePlace, report};

/// How a word names a machine, as pairs of the word in TOML and the variant of the Rust enum `PeerNotation`.
pub(crate) const NOTATIONS: &[(&str, &str)] = &[("urls", "Url"), ("hosts", "Host"), ("remotes", "Remote")];

/// How the value of an option names a machine, or a file that is not sent (`keeps`), as pairs of the word in TOML and
/// the variant of `PeerNotation`.
pub(crate) const VALUE_NOTATIONS: &[(&str, &str)] = &[
    ("urls", "Url"),
    ("hosts", "Host"),
    ("remotes", "Remote"),
    ("servers", "Server"),
    ("contexts", "Context"),
    ("machines", "Machine"),
    ("containers", "Container"),
    ("proxies", "Proxy"),
    ("detours", "Detour"),
    ("keeps", "Keeps"),
];

/// How the value of an environment variable names a machine, as pairs of the word in TOML and the variant of
/// `PeerNotation`.
pub(crate) const VARIABLE_NOTATIONS: &[(&str, &str)] =
    &[("urls", "Url"), ("hosts", "Host"), ("servers", "Server"), ("contexts", "Context")];

/// The table `[network]` of a record.
#[derive(Clone, Default)]
pub(crate) struct NetworkTable {
    pub(crate) place: SourcePlace,
    /// Which operands name machines.
    pub(crate) operands: NetworkTableOperands,
    /// The port to which the program connects if its words do not name one.
    pub(crate) port: Option<u16>,
    /// The options whose values name machines, grouped by the variant of `PeerNotation` of these values.
    pub(crate) values: Vec<(&'static str, Vec<String>)>,
    /// The environment variables whose values name machines, grouped by the variant of `PeerNotation` of these values.
    pub(crate) variables: Vec<(&'static str, Vec<String>)>,
    /// The words after the program's name (`install`), one of which it needs in order to use the network. If the list
    /// is empty, it always does.
    pub(crate) only: Vec<String>,
    /// Options that keep the program off the network, such as that of a dry run.
    pub(crate) idle: Vec<String>,
    /// Whether the program connects to a machine that is configured elsewhere if its words do not name one: `git push`.
    pub(crate) is_configured: bool,
    /// Whether the program sends the files that it reads.
    pub(crate) sends: bool,
    /// Whether the program sends its standard input.
    pub(crate) input: bool,
}

/// Which operands name machines.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum NetworkTableOperands {
    /// No operand names a machine.
    #[default]
    None,
    /// Each operand names a machine, in this notation, a variant of `PeerNotation`.
    Each(&'static str),
    /// Only the first operand names a machine, in this notation, a variant of `PeerNotation`.
    First(&'static str),
    /// A function of `src/network` determines which operands name machines. The text is its path, `module::function`.
    By(String),
}

/// Reports the options in the table that the record does not have, and options that are listed twice.
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
