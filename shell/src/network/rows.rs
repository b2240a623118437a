//! The machines that the words of a program name, and the data that the program sends: the table `[network]` of its
//! record in `programs/`, compiled by the build script.

use super::clients;
use super::peers::Peers;
use crate::analysis::CommandScope;
use crate::argv::GivenOption;
use crate::by_name::{NameTable, by_name};
use crate::files::call::ParsedCommand;
use crate::word::Word;

/// The description of a program, or of a subcommand, that connects to other machines.
#[derive(Clone, Copy)]
pub(super) struct NetworkRow {
    /// The names of the program.
    pub(super) names: &'static [&'static str],
    /// The subcommands that this row is about, from the outermost to the innermost, each with all its names.
    pub(super) under: &'static [&'static [&'static str]],
    /// The operands that name machines.
    pub(super) operands: PeerOperands,
    /// The default port, if a word names none.
    pub(super) port: Option<u16>,
    /// The options whose value names a machine, or a file that is read but not sent.
    pub(super) values: &'static [(&'static [&'static str], PeerNotation)],
    /// The environment variables that name a machine if no word does.
    pub(super) variables: &'static [(&'static [&'static str], PeerNotation)],
    /// The words with which the program uses the network, as the first word after its name; empty if it uses the
    /// network with any word.
    pub(super) only: &'static [&'static str],
    /// The options that keep the program off the network.
    pub(super) idle: &'static [&'static str],
    /// Whether the program connects to a machine in its configuration if its words name none.
    pub(super) is_configured: bool,
    /// Whether the program sends the files that it reads.
    pub(super) sends: bool,
    /// Whether the program sends its standard input.
    pub(super) input: bool,
}

/// The operands of a program that name machines.
#[derive(Clone, Copy)]
pub(super) enum PeerOperands {
    /// No operand names a machine.
    None,
    /// Every operand names a machine, in this notation.
    Each(PeerNotation),
    /// The first operand names a machine, in this notation.
    First(PeerNotation),
    /// The function adds the machines.
    By(fn(&ParsedCommand<'_>, &mut Peers)),
}

/// The notation in which a word names a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PeerNotation {
    /// A URL; without a scheme, a host, perhaps with a path.
    Url,
    /// A host as `[user@]host[:port]`.
    Host,
    /// A place in the notation of `scp`: `[user@]host:path`, a URL, or a local file.
    Remote,
    /// The URL of the server that does the work of the program, for any of its subcommands.
    Server,
    /// A machine on which the program itself does all of its work, as `[user@]host[:port]`.
    Machine,
    /// No machine: a container of this machine, in which the program itself does all of its work.
    Container,
    /// A name in the configuration of the program for the server that does its work. An option without a value says
    /// that it is another machine.
    Context,
    /// The URL of a machine through which the program reaches the one that its words name.
    Proxy,
    /// Another machine that the program asks in place of the one that its words name, in a notation that a function
    /// reads.
    Detour,
    /// No machine: a file that the program reads for its own use, and does not send.
    Keeps,
}

// `GROUPS`: one list of rows for each program.
include!(concat!(env!("OUT_DIR"), "/network.rs"));

static BY_NAME: NameTable<NetworkRow> = by_name!(NetworkRow, GROUPS);

/// Returns the row of a call: among several that match, the one with the most subcommands; `None` if there is none.
pub(super) fn find_row(call: &ParsedCommand<'_>) -> Option<&'static NetworkRow> {
    matching_rows(call).filter(|row| call.has_subcommands(row.under)).max_by_key(|row| row.under.len())
}

/// Returns all rows of a call's program, also those about subcommands that the call does not have.
fn matching_rows<'c>(call: &'c ParsedCommand<'_>) -> impl Iterator<Item = &'static NetworkRow> + 'c {
    let is_named = |row: &&NetworkRow| row.names.iter().any(|name| call.names().any(|called| called == *name));
    BY_NAME.candidates_of_any(call.names()).filter(is_named)
}

/// Returns the name if a program has a row; `None` for any other program.
pub(super) fn name(program: &str) -> Option<&'static str> {
    BY_NAME.candidates(program).find_map(|(_, row)| row.names.iter().copied().find(|name| *name == program))
}

/// Whether an option of a program may name another machine or a container in which it does all of its work.
pub(super) fn may_work_elsewhere(program: &str) -> bool {
    let is_place = |notation: &PeerNotation| matches!(notation, PeerNotation::Machine | PeerNotation::Container);
    BY_NAME.candidates(program).any(|(_, row)| row.values.iter().any(|(_, notation)| is_place(notation)))
}

/// Whether an option of a program names where the program does its work, in place of what its configuration or its
/// operands say: `-H` of Docker, `-H` of systemctl, `--server` of kubectl, `--proxy` of curl.
pub(super) fn names_place(program: &str, option: &GivenOption) -> bool {
    let is_place = |row: &NetworkRow, notation: PeerNotation| match notation {
        PeerNotation::Server
        | PeerNotation::Context
        | PeerNotation::Machine
        | PeerNotation::Container
        | PeerNotation::Proxy
        | PeerNotation::Detour => true,
        PeerNotation::Url => row.is_configured,
        _ => false,
    };
    BY_NAME.candidates(program).any(|(_, row)| {
        row.names.contains(&program)
            && row.values.iter().any(|(names, notation)| is_place(row, *notation) && option.has_spelling(names))
    })
}

/// Whether a program may send the files that it reads.
pub(super) fn may_send(program: &str) -> bool {
    BY_NAME.candidates(program).any(|(_, row)| row.names.contains(&program) && row.sends)
}

/// Returns the row of a call's program that is not about a subcommand.
pub(super) fn program_row(call: &ParsedCommand<'_>) -> Option<&'static NetworkRow> {
    matching_rows(call).find(|row| row.under.is_empty())
}

impl NetworkRow {
    /// Adds the servers that do the work of the program, as its options name them.
    pub(super) fn servers(&self, call: &ParsedCommand<'_>, peers: &mut Peers) {
        for (names, _) in self.values.iter().filter(|(_, notation)| *notation == PeerNotation::Server) {
            call.values(names).for_each(|server| peers.server(server));
        }
    }

    /// Whether an option or a variable names a server by a name that is not known to be one of this machine.
    pub(super) fn has_remote_context(&self, call: &ParsedCommand<'_>) -> bool {
        let is_context = |(_, notation): &&(&[&str], PeerNotation)| *notation == PeerNotation::Context;
        let is_remote = |name: &Word| !is_local_context(name);
        let by_option = self
            .values
            .iter()
            .filter(is_context)
            .any(|(names, _)| call.options_named(names).any(|given| given.value.as_ref().is_none_or(is_remote)));
        let mut variables = self.variables.iter().filter(is_context).flat_map(|(names, _)| names.iter());
        by_option || variables.any(|name| call.variable(name).is_some_and(is_remote))
    }

    /// Returns where the program itself does its work, as its options name it.
    pub(super) fn place_of_work(&self, call: &ParsedCommand<'_>) -> CommandScope {
        // `.host` is the machine itself, on which `me@.host` is another account.
        let is_elsewhere = |name: &Word| {
            name.known_text()
                .is_none_or(|name| !matches!(name, "" | ".host") && !name.ends_with('@') && !name.ends_with("@.host"))
        };
        let places = self.values.iter().filter_map(|(names, notation)| match notation {
            PeerNotation::Machine => Some((names, CommandScope::Remote)),
            PeerNotation::Container => Some((names, CommandScope::Container)),
            _ => None,
        });
        let given = places.filter(|(names, _)| call.values(names).any(is_elsewhere)).map(|(_, place)| place);
        given.max().unwrap_or(CommandScope::Local)
    }

    /// Adds the machines that the options and operands of a call name.
    pub(super) fn apply(&self, call: &ParsedCommand<'_>, peers: &mut Peers) {
        for given in call.argv.options.iter() {
            let named = self.values.iter().find(|(names, _)| given.has_spelling(names));
            // Without a record, the value of an option is the next word.
            let next = || call.words.get(given.word_index + 1).filter(|_| given.option.is_none());
            if let (Some((_, notation)), Some(value)) = (named, given.value.as_ref().or_else(next)) {
                notation.apply(value, peers);
            }
        }
        let operands = call.operands();
        let (named, notation) = match self.operands {
            PeerOperands::None => return,
            PeerOperands::By(function) => return function(call, peers),
            PeerOperands::Each(notation) => (operands, notation),
            PeerOperands::First(notation) => (operands.get(..1).unwrap_or_default(), notation),
        };
        named.iter().for_each(|word| notation.apply(word, peers));
    }
}

/// Whether a name is one that programs give to a server of this machine.
fn is_local_context(name: &Word) -> bool {
    const NAMES: &[&str] =
        &["", "default", "desktop-linux", "desktop-windows", "orbstack", "rancher-desktop", "rootless", "false"];
    const BEGINNINGS: &[&str] = &["colima", "lima", "podman-machine"];
    let is_local = |text: &str| NAMES.contains(&text) || BEGINNINGS.iter().any(|start| text.starts_with(start));
    name.known_text().is_some_and(is_local)
}

impl PeerNotation {
    /// Adds the machine that a word in this notation names.
    pub(super) fn apply(self, word: &Word, peers: &mut Peers) {
        match self {
            Self::Url | Self::Proxy => peers.url(word),
            Self::Host | Self::Machine => peers.host(word),
            Self::Remote => peers.remote(word),
            // A server was added before, a function adds a detour, and a file is no machine.
            Self::Server | Self::Context | Self::Container | Self::Detour | Self::Keeps => {}
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
