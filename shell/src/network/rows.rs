//! The machines named by the words of a program, and the data that it sends: the table `[network]` of its record in
//! `programs/`, compiled by the build script.

use super::clients;
use super::peers::Peers;
use crate::by_name::{NameTable, by_name};
use crate::files::call::ParsedCommand;

/// A program, or a subcommand of one, that connects to other machines.
#[derive(Clone, Copy)]
pub(super) struct NetworkRow {
    /// Names of the program.
    pub(super) names: &'static [&'static str],
    /// The subcommands, from the first to the innermost, each under any of its names.
    pub(super) under: &'static [&'static [&'static str]],
    /// Which operands name machines.
    pub(super) operands: PeerOperands,
    /// The port if none is named.
    pub(super) port: Option<u16>,
    /// Options whose value names a machine, or a file that is read but not sent.
    pub(super) values: &'static [(&'static [&'static str], PeerNotation)],
    /// Environment variables that name a machine if no word does.
    pub(super) variables: &'static [(&'static [&'static str], PeerNotation)],
    /// The words after its name with which alone it uses the network; empty: it always does.
    pub(super) only: &'static [&'static str],
    /// Options with which it does not use the network.
    pub(super) idle: &'static [&'static str],
    /// Without a machine in its words it connects to one that is configured elsewhere.
    pub(super) is_configured: bool,
    /// It sends the files that it reads.
    pub(super) sends: bool,
    /// It sends its standard input.
    pub(super) input: bool,
}

/// Which operands name machines.
#[derive(Clone, Copy)]
pub(super) enum PeerOperands {
    None,
    Each(PeerNotation),
    First(PeerNotation),
    /// Determined by the function.
    By(fn(&ParsedCommand<'_>, &mut Peers)),
}

/// What a word names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PeerNotation {
    /// A URL; without a scheme a host, perhaps with a path.
    Url,
    /// `[user@]host[:port]`
    Host,
    /// A place in the notation of `scp`: `[user@]host:path`, a URL, or a local file.
    Remote,
    /// The URL of the server that does the work of the program, for any of its subcommands.
    Server,
    /// A file that the program reads for its own use.
    Keeps,
}

// `GROUPS`, the rows grouped by program.
include!(concat!(env!("OUT_DIR"), "/network.rs"));

static BY_NAME: NameTable<NetworkRow> = by_name!(NetworkRow, GROUPS);

/// Returns the row of a command: among several that match, the one with the most subcommands.
pub(super) fn find_row(call: &ParsedCommand<'_>) -> Option<&'static NetworkRow> {
    matching_rows(call).filter(|row| call.has_subcommands(row.under)).max_by_key(|row| row.under.len())
}

/// Returns the rows of a command's program and its subcommands.
fn matching_rows<'c>(call: &'c ParsedCommand<'_>) -> impl Iterator<Item = &'static NetworkRow> + 'c {
    let is_named = |row: &&NetworkRow| row.names.iter().any(|name| call.names().any(|own| own == *name));
    BY_NAME.candidates_of_any(call.names()).filter(is_named)
}

/// Returns the name of a program that has a row.
pub(super) fn name(program: &str) -> Option<&'static str> {
    BY_NAME.candidates(program).find_map(|(_, row)| row.names.iter().copied().find(|name| *name == program))
}

/// Returns the row of a command's program, for any subcommand.
pub(super) fn program_row(call: &ParsedCommand<'_>) -> Option<&'static NetworkRow> {
    matching_rows(call).find(|row| row.under.is_empty())
}

impl NetworkRow {
    /// Adds the machines that do the work of a command.
    pub(super) fn servers(&self, call: &ParsedCommand<'_>, peers: &mut Peers) {
        for (names, _) in self.values.iter().filter(|(_, becomes)| *becomes == PeerNotation::Server) {
            call.values(names).for_each(|server| peers.server(server));
        }
    }

    /// Adds the machines that a command connects to.
    pub(super) fn apply(&self, call: &ParsedCommand<'_>, peers: &mut Peers) {
        for given in call.argv.options.iter() {
            let named = self.values.iter().find(|(names, _)| given.has_spelling(names));
            // A program that is read as written has only these options.
            let next = || call.words.get(given.word_index + 1).filter(|_| given.option.is_none());
            if let (Some((_, becomes)), Some(value)) = (named, given.value.as_ref().or_else(next)) {
                becomes.apply(value, peers);
            }
        }
        let operands = call.operands();
        let (named, becomes) = match self.operands {
            PeerOperands::None => return,
            PeerOperands::By(function) => return function(call, peers),
            PeerOperands::Each(becomes) => (operands, becomes),
            PeerOperands::First(becomes) => (operands.get(..1).unwrap_or_default(), becomes),
        };
        named.iter().for_each(|word| becomes.apply(word, peers));
    }
}

impl PeerNotation {
    pub(super) fn apply(self, word: &crate::word::Word, peers: &mut Peers) {
        match self {
            Self::Url => peers.url(word),
            Self::Host => peers.host(word),
            Self::Remote => peers.remote(word),
            // These were already added.
            Self::Server | Self::Keeps => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_name::check_lookups;

    #[test]
    fn every_row_is_found_by_its_names() {
        check_lookups(&BY_NAME, |row| row.names);
    }
}
