//! The machines that a command connects to, and the files that it sends there.
//!
//! Machines remain words, with their notation: extracting the host of a URL is left to the caller. Name resolution, the
//! configuration of programs, and scripts that are not read are unknown here.
//!
//! ```
//! use std::path::Path;
//!
//! use hookrules_shell::network::{Connection, Peer, connections};
//! use hookrules_shell::{StartDirectories, analyse};
//!
//! let start = StartDirectories { cwd: Path::new("/home/dev"), home: None };
//! let analysis = analyse("curl -s https://example.com/x | sh", &start);
//! let [Connection { peer: Peer::Url(url), .. }] = &connections(&analysis.commands[0])[..] else { panic!() };
//! assert_eq!(url.known_text(), Some("https://example.com/x"));
//! ```

mod clients;
mod code;
mod peers;
mod rows;

pub use code::may_connect;

use crate::access::{AccessCertainty, FileAccess, Verb};
use crate::analysis::{Analysis, CommandScope, RedirectKind, SimpleCommand, environment_value};
use crate::files::call::ParsedCommand;
use crate::files::paths::rebase_path;
use crate::files::{StdinKind, file_accesses};
use crate::open_files::descriptor_number;
use crate::programs::OptionEffect;
use crate::stream::CommandId;
use crate::word::{Cause, Unknown, Word};
use peers::Peers;
use rows::{NetworkRow, PeerNotation};

/// A connection that a command makes to another machine.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Connection {
    /// The peer.
    pub peer: Peer,
    /// The port if the words name none.
    pub port: Option<u16>,
    /// Why the connection may not be made at all.
    pub doubt: Option<Unknown>,
}

/// A machine, as words denote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Peer {
    /// A URL; without a scheme it is a host, perhaps with a path.
    Url(Word),
    /// As `[user@]host[:port]`.
    Host(Word),
    /// As `[user@]host:path`.
    Remote(Word),
    /// By a host and a port.
    Socket {
        /// The host.
        host: Word,
        /// The port, as a number or a name.
        port: Word,
    },
    /// Unnamed.
    Unknown(Unknown),
}

/// Variables that name a proxy for HTTP clients.
const PROXIES: &[&str] =
    &["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "HTTP_PROXY", "ftp_proxy"];

/// Variables that select another configuration of a client, which may name any machine.
const CONFIGURATIONS: &[(&str, &str)] = &[("curl", "CURL_HOME"), ("wget", "WGETRC")];

/// Variables that name the host and the port of a database client, if its words name none.
const DATABASES: &[(&[&str], &str, &str)] = &[
    (&["psql", "pg_dump", "pg_dumpall", "pg_restore", "createdb", "dropdb", "pg_isready"], "PGHOST", "PGPORT"),
    (&["mysql", "mysqldump", "mysqladmin", "mariadb"], "MYSQL_HOST", "MYSQL_TCP_PORT"),
];

/// Returns the machines that a command connects to, in no particular order.
///
/// A command that runs on another machine has none: the command that runs it there makes the connection. Commands that
/// a command runs are separate.
#[must_use]
pub fn connections(command: &SimpleCommand) -> Vec<Connection> {
    if command.scope == CommandScope::Remote {
        return Vec::new();
    }
    let mut peers = Peers { found: Vec::new(), port: None };
    for redirect in command.redirects.iter().filter(|redirect| redirect.kind != RedirectKind::Text) {
        add_device_peer(&redirect.target, &mut peers);
    }
    add_word_peers(command, &mut peers);
    command.fetched_urls().iter().for_each(|url| peers.url(url));
    for found in &mut peers.found {
        found.doubt = found.doubt.take().or_else(|| command.doubt.clone());
    }
    peers.found
}

/// Returns the name of a program that connects to other machines, according to the records.
#[must_use]
pub fn client(program: &str) -> Option<&'static str> {
    rows::name(program)
}

/// `/dev/tcp/HOST/PORT`
fn add_device_peer(file: &Word, peers: &mut Peers) {
    let Some(rest) = file.socket() else { return };
    match rest.prefix().split_once('/') {
        Some((host, _)) => {
            let port = rest.strip_prefix(&format!("{host}/"));
            peers.socket(&Word::text(host), port.as_ref());
        }
        None => match rest.known_text() {
            // bash opens a file of that name.
            Some(_) => {}
            None => peers.host(&rest),
        },
    }
}

fn add_word_peers(command: &SimpleCommand, peers: &mut Peers) {
    let Some(program) = command.words.first() else { return };
    if program.known_text().is_none() {
        if let Some(why) = program.unknown_reason() {
            peers.found.push(Connection { peer: Peer::Unknown(why.clone()), port: None, doubt: Some(why) });
        }
        return;
    }
    let mut call = ParsedCommand::from_command(command, StdinKind::Inherited);
    let Some(row) = rows::find_row(&call) else { return };
    let before = peers.found.len();
    let program = if row.under.is_empty() { Some(row) } else { rows::program_row(&call) };
    if let Some(program) = program {
        program.servers(&call, peers);
        if peers.found.len() == before && !command.environment.is_empty() {
            add_variable_peers(command, program.variables, VariableSelection::Servers, peers);
        }
    }
    if !row.has_network_use(&call) {
        return;
    }
    call.descend(row.under.len());
    peers.port = row.port;
    row.apply(&call, peers);
    let name = call.program().unwrap_or_default();
    if peers.found.len() == before && !command.environment.is_empty() {
        add_variable_peers(command, row.variables, VariableSelection::Others, peers);
    }
    if peers.found.len() == before && row.is_configured {
        peers.add_configured(&display_name(&call, row));
    }
    let database = DATABASES.iter().find(|(names, ..)| names.contains(&name)).filter(|_| peers.found.len() == before);
    if let Some((_, host, port)) = database
        && let Some(host) = exported_value(command, host).filter(|host| !host.prefix().starts_with('/'))
    {
        peers.socket(host, exported_value(command, port));
    }
    for (_, variable) in CONFIGURATIONS.iter().filter(|(program, _)| *program == name) {
        if exported_value(command, variable).is_some() {
            peers.add(Peer::Unknown(Unknown::new(Cause::FileText, format!("${variable}"))));
        }
    }
    // Only variables that the text sets: those set before it are the user's.
    let is_web = peers.found.get(before..).unwrap_or_default().iter().any(|found| matches!(found.peer, Peer::Url(_)));
    if is_web && !command.environment.is_empty() {
        peers.port = None;
        let proxies: Vec<Word> = PROXIES.iter().filter_map(|name| exported_value(command, name).cloned()).collect();
        proxies.iter().filter(|proxy| proxy.known_text() != Some("")).for_each(|proxy| peers.url(proxy));
    }
}

/// Which of the variables to evaluate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VariableSelection {
    Servers,
    Others,
}

/// Adds the machines named by variables that the text sets.
fn add_variable_peers(
    command: &SimpleCommand,
    variables: &[(&[&str], PeerNotation)],
    only: VariableSelection,
    peers: &mut Peers,
) {
    for (names, becomes) in variables
        .iter()
        .filter(|(_, becomes)| (*becomes == PeerNotation::Server) == (only == VariableSelection::Servers))
    {
        for value in names.iter().filter_map(|name| exported_value(command, name)) {
            match becomes {
                PeerNotation::Server => peers.server(value),
                becomes => becomes.apply(value, peers),
            }
        }
    }
}

/// Returns the value that the text sets for an exported variable.
fn exported_value<'c>(command: &'c SimpleCommand, name: &str) -> Option<&'c Word> {
    environment_value(&command.environment, name)
}

/// Returns the program and the subcommand of a call, for display.
fn display_name(call: &ParsedCommand<'_>, row: &NetworkRow) -> String {
    let first = if row.under.is_empty() { call.operands().first().filter(|_| !row.only.is_empty()) } else { None };
    let words = call.argv.subcommands.iter().copied().take(row.under.len()).chain(first.copied());
    let words = words.filter_map(Word::known_text);
    call.program().into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

impl NetworkRow {
    /// Whether a command uses the network: it may only ask for help.
    fn has_network_use(&self, call: &ParsedCommand<'_>) -> bool {
        let explains = |given: &crate::argv::GivenOption| {
            given.option.is_some_and(|option| option.does == OptionEffect::Explains)
                || given.has_spelling(&["--help", "--version"])
        };
        let is_meant = || {
            let mut words = call.argv.sequence().skip(self.under.len());
            words.next().is_some_and(|word| word.known_text().is_none_or(|word| self.only.contains(&word)))
        };
        !call.argv.options.iter().any(explains) && !call.has_option(self.idle) && (self.only.is_empty() || is_meant())
    }
}

/// Returns the files that a command sends over the network, as accesses of that command.
///
/// These are the files that the client itself reads, and those that commands read whose output becomes its words or its
/// standard input.
#[must_use]
pub fn sent_files(analysis: &Analysis, command: &SimpleCommand) -> Vec<FileAccess> {
    let connections = connections(command);
    if connections.is_empty() {
        return Vec::new();
    }
    let doubt = connections.iter().all(|found| found.doubt.is_some()).then(|| connections.first()).flatten();
    let doubt = doubt.and_then(|found| found.doubt.clone());
    // Which of the files that code reads are sent is not analysed.
    let by_code = command.fetched_urls().first().map(|url| Unknown::new(Cause::Computed, url.display_text()));
    let doubt = doubt.or_else(|| by_code.clone());
    let mut sent = Vec::new();
    let call = ParsedCommand::from_command(command, StdinKind::Inherited);
    let row = rows::find_row(&call).filter(|row| row.has_network_use(&call));
    let has_socket = command
        .redirects
        .iter()
        .any(|redirect| redirect.kind != RedirectKind::Text && redirect.target.socket().is_some());
    let takes_input =
        has_socket || by_code.is_some() || row.is_some_and(|row| row.input || row.sends && names_input(&call));
    if has_socket || takes_input || row.is_some_and(|row| row.sends) {
        let kept = row.iter().flat_map(|row| row.values).filter(|(_, becomes)| *becomes == PeerNotation::Keeps);
        let kept: Vec<&Word> = kept.flat_map(|(names, _)| call.values(names)).collect();
        let is_input = |access: &FileAccess| {
            let mut read = command.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Read);
            read.any(|redirect| *redirect.target == access.path)
        };
        let sends = |access: &FileAccess| match is_input(access) {
            true => takes_input,
            false => has_socket || by_code.is_some() || row.is_some_and(|row| row.sends),
        };
        let own = file_accesses(analysis, command).into_iter().filter(|access| access.verb == Verb::Reads);
        sent.extend(
            own.filter(|access| access.path.socket().is_none() && !kept.contains(&&access.path) && sends(access)),
        );
    }
    let input: &[CommandId] = if takes_input { &command.stdin_from } else { &[] };
    for id in input.iter().chain(&command.words_from) {
        let Some(writer) = analysis.command(*id) else { continue };
        for mut access in file_accesses(analysis, writer).into_iter().filter(|access| access.verb == Verb::Reads) {
            access.path = rebase_path(&access.path, &writer.cwd, &command.cwd);
            sent.push(access);
        }
    }
    for access in &mut sent {
        access.verb = Verb::Sends;
        if let Some(why) = doubt.as_ref().filter(|_| access.certainty.is_certain_if_present()) {
            access.certainty = AccessCertainty::Maybe(why.clone());
        }
    }
    sent
}

/// Whether a program sends what it reads from its standard input or another descriptor: `curl -d @-`.
fn names_input(call: &ParsedCommand<'_>) -> bool {
    let is_input = |word: &Word| {
        let text = word.known_text().unwrap_or_default();
        let name = text.rsplit(['@', '<']).next().unwrap_or(text);
        name == "-" || descriptor_number(name).is_some() || text == "." && call.has_option(&["--upload-file"])
    };
    let mut options =
        call.argv.options.iter().filter(|given| given.option.is_none_or(|one| one.does != OptionEffect::Writes));
    options.any(|given| given.value.as_ref().is_some_and(is_input))
        || call.argv.operands.iter().any(|word| is_input(word))
}

#[cfg(test)]
mod tests;
